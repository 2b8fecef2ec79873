//! What shapes are filled with: flat colors and gradients.

use super::point::Point;
use crate::color::{Channels, StraightColor, minus, plus, times};

/// What a shape is filled with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Paint {
    Flat(StraightColor),
    /// A gradient of the drawing, by its number.
    Gradient {
        number: u32,
        is_opaque: bool,
    },
}

impl Paint {
    /// The color of all of it as a number.
    pub fn number(self) -> Option<u64> {
        match self {
            Paint::Flat(color) => Some(u32::from_le_bytes(color.0).into()),
            Paint::Gradient { .. } => None,
        }
    }

    /// Whether nothing shows through, anywhere.
    pub fn is_opaque(self) -> bool {
        match self {
            Paint::Flat(color) => color.is_opaque(),
            Paint::Gradient { is_opaque, .. } => is_opaque,
        }
    }
}

/// Whether drawings can have gradients. Where not, the compiler leaves out what would be done with them.
pub(crate) const HAS_GRADIENTS: bool = cfg!(feature = "gradients");

/// In place of a gradient's number: a flat color.
pub(crate) const FLAT: u32 = u32::MAX;

/// A color that changes across the image.
///
/// # Guarantees
/// At least two stops, in the order of their offsets, which are 0 to 1. Gradients over others have no more above them.
#[derive(PartialEq)]
pub(crate) struct Gradient {
    pub shape: GradientShape,
    pub stops: Vec<GradientStop>,
    /// Gradients of one color each, but of changing opacity, that lie over this one, in painting order.
    pub over: Vec<Gradient>,
}

/// Where the offsets of a gradient lie.
#[derive(PartialEq)]
pub(crate) enum GradientShape {
    /// From the first point, offset 0, to the second, offset 1; the same across.
    Linear([Point; 2]),
    /// From a center, offset 0, to the ellipse around it that goes through the ends of both axes, offset 1.
    Radial { center: Point, axes: [Point; 2] },
}

/// The color of a gradient at an offset. Between two stops, it changes evenly.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct GradientStop {
    pub offset: f32,
    pub color: StraightColor,
}

impl Gradient {
    pub fn new(shape: GradientShape, stops: Vec<GradientStop>) -> Self {
        Gradient { shape, stops, over: Vec::new() }
    }

    pub fn is_opaque(&self) -> bool {
        self.stops.iter().all(|stop| stop.color.is_opaque())
    }

    /// Stretches the gradient by almost equal factors across and down.
    pub fn scale(&mut self, by: (f32, f32)) {
        let scale = |point: &mut Point| *point = Point::new(point.x * by.0, point.y * by.1);
        match &mut self.shape {
            GradientShape::Linear(ends) => ends.iter_mut().for_each(scale),
            GradientShape::Radial { center, axes } => {
                scale(center);
                axes.iter_mut().for_each(scale);
            }
        }
        if HAS_GRADIENTS {
            self.over.iter_mut().for_each(|gradient| gradient.scale(by));
        }
    }
}

/// Says how far along a gradient points are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub origin: Point,
    /// The vectors whose products with a point, from `origin`, are the offset of a linear gradient and 0, or two numbers whose root of the sum
    /// of squares is the offset of a radial one.
    pub rows: [Point; 2],
    pub is_radial: bool,
}

impl Axis {
    #[inline]
    pub fn offset(&self, point: Point) -> f32 {
        let from = point - self.origin;
        let [u, v] = self.rows.map(|row| row.dot(from));
        if self.is_radial { (u * u + v * v).sqrt() } else { u }
    }
}

/// A gradient made ready to tell the colors of many points.
pub(crate) struct Shading {
    axis: Axis,
    /// Whether colors are to be premultiplied.
    is_translucent: bool,
    /// What lies before the first stop, between two, and behind the last.
    stretches: Vec<Stretch>,
    /// What lies over it.
    over: Vec<Shading>,
}

/// Where a gradient changes evenly.
struct Stretch {
    /// The offset of its end.
    end: f32,
    /// The straight color at offset 0, if it went on so far, and how it changes with the offset.
    color: Channels,
    slope: Channels,
}

impl Shading {
    /// Those of gradients, in their order.
    pub fn all(gradients: &[Gradient]) -> Vec<Self> {
        if HAS_GRADIENTS { gradients.iter().map(Shading::new).collect() } else { Vec::new() }
    }

    /// The one of the gradient that has the number `gradient_of` the path or region, if any.
    pub fn find<'a>(all: &'a [Self], gradient_of: &[u32], of: u32) -> Option<&'a Self> {
        if HAS_GRADIENTS { all.get(*gradient_of.get(of as usize)? as usize) } else { None }
    }

    fn new(gradient: &Gradient) -> Self {
        let (rows, origin, is_radial) = match gradient.shape {
            GradientShape::Linear([from, to]) => {
                let along = to - from;
                let row = along * (1.0 / along.dot(along).max(f32::MIN_POSITIVE));
                ([row, Point::default()], from, false)
            }
            GradientShape::Radial { center, axes: [a, b] } => {
                let area = a.cross(b);
                let inverse = 1.0 / if area == 0.0 { f32::MIN_POSITIVE } else { area };
                ([Point::new(b.y, -b.x) * inverse, Point::new(-a.y, a.x) * inverse], center, true)
            }
        };
        let stop = |k: usize| gradient.stops[k].color.0.map(f32::from);
        let last = gradient.stops.len() - 1;
        let mut stretches = vec![Stretch { end: gradient.stops[0].offset, color: stop(0), slope: [0.0; 4] }];
        for (k, pair) in gradient.stops.windows(2).enumerate() {
            let (start, end) = (pair[0].offset, pair[1].offset);
            let slope = times(1.0 / (end - start).max(f32::MIN_POSITIVE), minus(stop(k + 1), stop(k)));
            stretches.push(Stretch { end, color: plus(stop(k), -start, slope), slope });
        }
        stretches.push(Stretch { end: f32::INFINITY, color: stop(last), slope: [0.0; 4] });
        Shading {
            axis: Axis { origin, rows, is_radial },
            is_translucent: !gradient.is_opaque(),
            stretches,
            over: gradient.over.iter().map(Shading::new).collect(),
        }
    }

    /// The color in the middle of a pixel of an image of some width, premultiplied.
    #[inline(never)]
    pub fn in_pixel(&self, pixel: usize, width: usize) -> Channels {
        // Of 32 bits: a division of 64 takes several times as long.
        let (pixel, width) = (pixel as u32, width as u32);
        let row = pixel / width;
        self.at(Point::new((pixel - row * width) as f32 + 0.5, row as f32 + 0.5))
    }

    /// The color at a point of the image, premultiplied.
    pub fn at(&self, point: Point) -> Channels {
        self.over.iter().fold(self.own_at(point), |color, over| {
            let above = over.own_at(point);
            plus(above, 1.0 - above[3] / 255.0, color)
        })
    }

    /// The color at a point without what lies over it.
    #[inline]
    fn own_at(&self, point: Point) -> Channels {
        let offset = self.axis.offset(point);
        let is_here = |stretch: &&Stretch| offset < stretch.end;
        let stretch = self.stretches.iter().find(is_here).unwrap_or(&self.stretches[0]);
        let color = plus(stretch.color, offset, stretch.slope);
        if !self.is_translucent {
            return color;
        }
        let [r, g, b, alpha] = color;
        let [r, g, b, _] = times(alpha / 255.0, [r, g, b, 0.0]);
        [r, g, b, alpha]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: Channels, expected: Channels) {
        assert!(crate::color::distance_sq(found, expected) < 1e-6, "{found:?} {expected:?}");
    }

    fn stops(colors: &[(f32, [u8; 4])]) -> Vec<GradientStop> {
        colors.iter().map(|&(offset, color)| GradientStop { offset, color: StraightColor(color) }).collect()
    }

    #[test]
    fn a_linear_gradient_mixes_the_stops_on_both_sides_of_a_point() {
        let ends = [Point::new(10.0, 0.0), Point::new(30.0, 0.0)];
        let three = [(0.0, [0, 0, 0, 255]), (0.5, [100, 0, 0, 255]), (1.0, [100, 200, 0, 255])];
        let shading = Shading::new(&Gradient::new(GradientShape::Linear(ends), stops(&three)));
        let at = |x: f32| shading.at(Point::new(x, 7.0));
        assert_near(at(2.0), [0.0, 0.0, 0.0, 255.0]);
        assert_near(at(15.0), [50.0, 0.0, 0.0, 255.0]);
        assert_near(at(25.0), [100.0, 100.0, 0.0, 255.0]);
        assert_near(at(90.0), [100.0, 200.0, 0.0, 255.0]);
    }

    #[test]
    fn a_radial_gradient_follows_its_ellipse() {
        let axes = [Point::new(0.0, 20.0), Point::new(-10.0, 0.0)];
        let center = Point::new(50.0, 40.0);
        let two = [(0.0, [200, 0, 0, 255]), (1.0, [0, 0, 0, 0])];
        let shading = Shading::new(&Gradient::new(GradientShape::Radial { center, axes }, stops(&two)));
        let [near, far] = [Point::new(55.0, 40.0), Point::new(50.0, 30.0)].map(|point| shading.at(point));
        assert_near(near, far);
        assert_near(near, [50.0, 0.0, 0.0, 127.5]);
        assert_near(shading.at(Point::new(50.0, 61.0)), [0.0; 4]);
    }
}
