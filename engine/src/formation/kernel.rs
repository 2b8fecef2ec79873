//! The kernels that programs enlarge pictures with.

use std::f32::consts::PI;

/// An interpolation kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kernel {
    /// The tent: linear between two pixels.
    Linear,
    /// Keys' cubic, with the slope that it has at a distance of 1.
    Cubic(f32),
    /// The sinc, windowed by its main lobe three times as wide.
    Lanczos,
}

impl Kernel {
    /// The kernels in use. Cubics have one of two slopes: that of Catmull and Rom (Pillow, Skia), or a steeper one (OpenCV, Photoshop).
    pub const ALL: [Kernel; 4] = [Kernel::Cubic(-0.5), Kernel::Linear, Kernel::Lanczos, Kernel::Cubic(-0.75)];

    /// A kernel between them: what one of them enlarged is nearly what this one gives.
    pub const LIKE_ALL: Kernel = Kernel::Cubic(-0.6);

    /// How far it reaches on each side, in source pixels.
    pub fn radius(self) -> usize {
        match self {
            Kernel::Linear => 1,
            Kernel::Cubic(_) => 2,
            Kernel::Lanczos => 3,
        }
    }

    /// The weight of a source pixel at a distance.
    pub fn weight(self, distance: f32) -> f32 {
        let x = distance.abs();
        if x >= self.radius() as f32 {
            return 0.0;
        }
        match self {
            Kernel::Linear => 1.0 - x,
            Kernel::Cubic(slope) if x < 1.0 => ((slope + 2.0) * x - slope - 3.0) * x * x + 1.0,
            Kernel::Cubic(slope) => slope * (((x - 5.0) * x + 8.0) * x - 4.0),
            Kernel::Lanczos => sinc(x) * sinc(x / 3.0),
        }
    }
}

/// `sin πx / πx`, by its series: the library's sine differs between targets.
fn sinc(x: f32) -> f32 {
    if x < f32::EPSILON {
        return 1.0;
    }
    // From the nearest zero, where the series converges fast.
    let zero = (x + 0.5) as i32;
    let angle = (x - zero as f32) * PI;
    let (mut sine, mut term) = (angle, angle);
    for k in 1..7 {
        term *= -angle * angle / (2 * k * (2 * k + 1)) as f32;
        sine += term;
    }
    let sign = if zero % 2 == 0 { 1.0 } else { -1.0 };
    sign * sine / (PI * x)
}

/// The weights of a normal distribution at 0, 1, 2 and so on, up to three deviations. With those at the other side, their sum is 1.
#[inline(never)]
pub(crate) fn normal_weights(deviation: f32) -> Vec<f32> {
    // exp(-x) is (1 - x / n)ⁿ for great n. Each weight is the one before times a factor that falls by exp(-1 / σ²).
    let mut factor = 1.0 - 1.0 / (2048.0 * deviation * deviation);
    (0..10).for_each(|_| factor *= factor);
    let fall = factor * factor;
    let mut weights = vec![1.0f32; (3.0 * deviation) as usize + 2];
    for k in 1..weights.len() {
        weights[k] = weights[k - 1] * factor;
        factor *= fall;
    }
    let sum = 2.0 * weights.iter().sum::<f32>() - 1.0;
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The weights of a kernel at equal steps of the distance: computing each would take too long.
pub(crate) struct KernelTable {
    pub radius: usize,
    weights: Vec<f32>,
}

impl KernelTable {
    /// Steps of a table per source pixel.
    ///
    /// Unit: count. Source: between two, the weight is linear to a part in 100,000.
    const STEPS: usize = 512;

    pub fn new(kernel: Kernel) -> Self {
        let radius = kernel.radius();
        let weight = |step| kernel.weight(step as f32 / Self::STEPS as f32);
        KernelTable { radius, weights: (0..=radius * Self::STEPS + 1).map(weight).collect() }
    }

    /// The weight of a source pixel at a distance.
    pub fn weight(&self, distance: f32) -> f32 {
        let at = distance.abs() * Self::STEPS as f32;
        match self.weights[(at as usize).min(self.weights.len() - 2)..] {
            [near, far, ..] => near + (far - near) * (at - (at as usize) as f32).min(1.0),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_one_at_its_center_and_zero_at_other_pixels() {
        for kernel in Kernel::ALL {
            assert_eq!(kernel.weight(0.0), 1.0);
            for distance in [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0] {
                assert!(kernel.weight(distance).abs() < 1e-6, "{kernel:?} at {distance}");
            }
        }
    }

    #[test]
    fn the_series_gives_the_sine() {
        for k in 1..300 {
            let x = k as f32 / 100.0;
            let angle = f64::from(x) * std::f64::consts::PI;
            assert!((f64::from(sinc(x)) - angle.sin() / angle).abs() < 1e-6, "{x}");
        }
    }
}
