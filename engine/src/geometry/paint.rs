//! What shapes are filled with: flat colors and gradients.

use wide::f32x8;

use super::point::Point;
use crate::color::{Channels, StraightColor, distance_sq, minus, plus, times};

/// What a shape is filled with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Paint {
    Flat(StraightColor),
    /// A gradient of the drawing, by its number.
    Gradient {
        number: u32,
        is_opaque: bool,
        exists: Exists,
    },
}

/// That drawings can have gradients. Where not, it has no value, and the compiler leaves out what would be done with them.
#[cfg(feature = "gradients")]
pub(crate) type Exists = ();
#[cfg(not(feature = "gradients"))]
pub(crate) type Exists = std::convert::Infallible;

/// The value of [`Exists`], if it has one.
#[cfg(feature = "gradients")]
pub(crate) const EXISTS: Option<Exists> = Some(());
#[cfg(not(feature = "gradients"))]
pub(crate) const EXISTS: Option<Exists> = None;

impl Paint {
    /// The color of all of it as a number.
    pub fn number(self) -> Option<u64> {
        match self {
            Paint::Flat(color) => Some(u32::from_le_bytes(color.0).into()),
            Paint::Gradient { .. } => None,
        }
    }

    /// Whether it is one of these colors, which are numbers in order.
    // Not inlined: it has two callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    pub fn is_among(self, colors: &[u64]) -> bool {
        self.number().is_some_and(|number| colors.binary_search(&number).is_ok())
    }

    /// The squared difference from another flat color; a gradient differs from all else.
    pub fn distance_sq(self, other: Self) -> f32 {
        match (self, other) {
            (Paint::Flat(one), Paint::Flat(other)) => {
                distance_sq(one.0.map(f32::from), other.0.map(f32::from))
            }
            _ => f32::INFINITY,
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

/// Whether drawings can have gradients.
pub(crate) const HAS_GRADIENTS: bool = EXISTS.is_some();

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
    /// From a focus, offset 0, to an ellipse with these axes, offset 1. Its center is as far from the focus, along both, as `lean` says.
    Radial { focus: Point, axes: [Point; 2], lean: Point },
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
            GradientShape::Radial { focus, axes, .. } => {
                scale(focus);
                axes.iter_mut().for_each(scale);
            }
        }
        if HAS_GRADIENTS {
            self.over.iter_mut().for_each(|gradient| gradient.scale(by));
        }
    }
}

/// Says how far along a gradient points are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Axis {
    pub origin: Point,
    /// The vectors whose products with a point, from `origin`, are the offset of a linear gradient and 0, or two numbers whose root of the sum
    /// of squares is the offset of a radial one, if it does not lean.
    pub rows: [Point; 2],
    pub is_radial: bool,
    /// Of a radial one: how far the center of a circle in these numbers lies from `origin`, over its radius. Less than 1.
    pub lean: Point,
}

impl Axis {
    /// The rows of one around circles.
    pub const CIRCLE: [Point; 2] = [Point { x: 1.0, y: 0.0 }, Point { x: 0.0, y: 1.0 }];

    #[inline]
    pub fn offset(&self, point: Point) -> f32 {
        let from = point - self.origin;
        let [u, v] = self.rows.map(|row| row.dot(from));
        if self.is_radial { self.radius(Point::new(u, v)) } else { u }
    }

    /// The radius of the circle that goes through a point: its center is `lean` times the radius away from zero.
    #[inline]
    fn radius(&self, point: Point) -> f32 {
        if self.lean == Point::default() {
            return point.length();
        }
        let (toward, rest) = (self.lean.dot(point), 1.0 - self.lean.dot(self.lean));
        ((toward * toward + rest * point.dot(point)).sqrt() - toward) / rest
    }
}

/// How many pixels get their colors at once.
pub(crate) const PIXELS_OF_A_RUN: usize = 8;

/// A gradient made ready to tell the colors of many points.
pub(crate) struct Shading {
    axis: Axis,
    /// Whether colors are to be premultiplied.
    is_translucent: bool,
    /// The straight color of the first stop, and how it changes to each of the others.
    first: Channels,
    changes: Vec<Change>,
    /// What lies over it.
    over: Vec<Shading>,
}

/// How a color changes from one stop to the next.
struct Change {
    /// The offset of the first of both, and 1 over the way to the next.
    start: f32,
    share: f32,
    by: Channels,
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
        let axis = match gradient.shape {
            GradientShape::Linear([from, to]) => {
                let along = to - from;
                let row = along * (1.0 / along.dot(along).max(f32::MIN_POSITIVE));
                Axis { origin: from, rows: [row, Point::default()], is_radial: false, lean: Point::default() }
            }
            GradientShape::Radial { focus, axes: [a, b], lean } => {
                let area = a.cross(b);
                let inverse = 1.0 / if area == 0.0 { f32::MIN_POSITIVE } else { area };
                let rows = [Point::new(b.y, -b.x) * inverse, Point::new(-a.y, a.x) * inverse];
                Axis { origin: focus, rows, is_radial: true, lean }
            }
        };
        let stop = |k: usize| gradient.stops[k].color.0.map(f32::from);
        let changes = gradient.stops.windows(2).enumerate().map(|(k, pair)| {
            let (start, end) = (pair[0].offset, pair[1].offset);
            Change {
                start,
                share: 1.0 / (end - start).max(f32::MIN_POSITIVE),
                by: minus(stop(k + 1), stop(k)),
            }
        });
        Shading {
            axis,
            is_translucent: !gradient.is_opaque(),
            first: stop(0),
            changes: changes.collect(),
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

    /// The colors in the middles of some neighboring pixels, the first of which has a number, as [`Self::in_pixel`] says. What lies beyond the
    /// row goes on in the next.
    #[inline(never)]
    pub fn in_run(&self, first: usize, width: usize) -> [Channels; PIXELS_OF_A_RUN] {
        let (first, width) = (first as u32, width as u32);
        let row = first / width;
        let column = (first - row * width) as f32;
        let mut x = f32x8::splat(column) + f32x8::new([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]);
        let mut y = f32x8::splat(row as f32 + 0.5);
        // A narrow image can have several rows in a run.
        let width = f32x8::splat(width as f32);
        loop {
            let beyond = x.simd_gt(width);
            if beyond.none() {
                break;
            }
            x -= beyond & width;
            y += beyond & f32x8::ONE;
        }
        let middles = [x, y];
        let mut colors = self.own_in_run(middles);
        for over in &self.over {
            let above = over.own_in_run(middles);
            let through = f32x8::ONE - above[3] * f32x8::splat(1.0 / 255.0);
            for (color, above) in colors.iter_mut().zip(above) {
                *color = above + through * *color;
            }
        }
        let mut found = [[0.0; 4]; PIXELS_OF_A_RUN];
        for (channel, color) in colors.into_iter().enumerate() {
            for (found, value) in found.iter_mut().zip(color.to_array()) {
                found[channel] = value;
            }
        }
        found
    }

    fn own_in_run(&self, [x, y]: [f32x8; 2]) -> [f32x8; 4] {
        let Axis { origin, rows: [one, other], is_radial, lean } = &self.axis;
        let (x, y) = (x - f32x8::splat(origin.x), y - f32x8::splat(origin.y));
        let along = |row: &Point| x * f32x8::splat(row.x) + y * f32x8::splat(row.y);
        let mut offsets = along(one);
        if *is_radial {
            let across = along(other);
            let square = offsets * offsets + across * across;
            offsets = if *lean == Point::default() {
                square.sqrt()
            } else {
                let toward = offsets * f32x8::splat(lean.x) + across * f32x8::splat(lean.y);
                let rest = f32x8::splat(1.0 - lean.dot(*lean));
                ((toward * toward + rest * square).sqrt() - toward) / rest
            };
        }
        let [r, g, b, alpha] = self.first;
        let mut colors = [f32x8::splat(r), f32x8::splat(g), f32x8::splat(b), f32x8::splat(alpha)];
        for change in &self.changes {
            let shares = (offsets - f32x8::splat(change.start)) * f32x8::splat(change.share);
            let shares = shares.fast_max(f32x8::ZERO).fast_min(f32x8::ONE);
            for (color, by) in colors.iter_mut().zip(change.by) {
                *color += shares * f32x8::splat(by);
            }
        }
        if self.is_translucent {
            let [channels @ .., alpha] = &mut colors;
            let opacity = *alpha * f32x8::splat(1.0 / 255.0);
            channels.iter_mut().for_each(|channel| *channel *= opacity);
        }
        colors
    }

    /// The color at a point of the image, premultiplied.
    pub fn at(&self, point: Point) -> Channels {
        self.over.iter().fold(self.own_at(point), |color, over| {
            let above = over.own_at(point);
            plus(above, 1.0 - above[3] * (1.0 / 255.0), color)
        })
    }

    /// The color at a point without what lies over it.
    #[inline]
    fn own_at(&self, point: Point) -> Channels {
        let offset = self.axis.offset(point);
        // Without asking between which stops it is, which is unpredictable.
        let mut color = self.first;
        for change in &self.changes {
            color = plus(color, ((offset - change.start) * change.share).clamp(0.0, 1.0), change.by);
        }
        if !self.is_translucent {
            return color;
        }
        let [r, g, b, alpha] = color;
        let [r, g, b, _] = times(alpha * (1.0 / 255.0), [r, g, b, 0.0]);
        [r, g, b, alpha]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: Channels, expected: Channels) {
        assert!(distance_sq(found, expected) < 1e-6, "{found:?} {expected:?}");
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
        let (focus, lean) = (Point::new(50.0, 40.0), Point::default());
        let two = [(0.0, [200, 0, 0, 255]), (1.0, [0, 0, 0, 0])];
        let shading = Shading::new(&Gradient::new(GradientShape::Radial { focus, axes, lean }, stops(&two)));
        let [near, far] = [Point::new(55.0, 40.0), Point::new(50.0, 30.0)].map(|point| shading.at(point));
        assert_near(near, far);
        assert_near(near, [50.0, 0.0, 0.0, 127.5]);
        assert_near(shading.at(Point::new(50.0, 61.0)), [0.0; 4]);
    }

    #[test]
    fn a_radial_gradient_is_steeper_where_its_center_is_not() {
        let axes = [Point::new(20.0, 0.0), Point::new(0.0, 20.0)];
        let (focus, lean) = (Point::new(40.0, 40.0), Point::new(0.5, 0.0));
        let two = [(0.0, [200, 0, 0, 255]), (1.0, [0, 0, 0, 255])];
        let shading = Shading::new(&Gradient::new(GradientShape::Radial { focus, axes, lean }, stops(&two)));
        // The outermost circle, of radius 20, has its center at 50, 40.
        for (x, y) in [(70.0, 40.0), (30.0, 40.0), (50.0, 60.0), (50.0, 20.0)] {
            assert_near(shading.at(Point::new(x, y)), [0.0, 0.0, 0.0, 255.0]);
            let halfway = focus + (Point::new(x, y) - focus) * 0.5;
            assert_near(shading.at(halfway), [100.0, 0.0, 0.0, 255.0]);
        }
    }

    #[test]
    fn pixels_of_a_run_have_the_colors_that_they_have_alone() {
        let three = [(0.1, [9, 200, 30, 255]), (0.4, [90, 0, 255, 140]), (1.0, [0, 0, 0, 0])];
        let axes = [Point::new(7.0, 1.0), Point::new(1.0, 4.0)];
        let (focus, lean) = (Point::new(5.0, 3.0), Point::new(0.3, -0.5));
        let mut gradient = Gradient::new(GradientShape::Radial { focus, axes, lean }, stops(&three));
        let ends = [Point::new(1.0, 0.0), Point::new(3.0, 8.0)];
        let over = stops(&[(0.0, [255, 255, 255, 0]), (1.0, [255, 255, 255, 180])]);
        gradient.over.push(Gradient::new(GradientShape::Linear(ends), over));
        let shading = Shading::new(&gradient);
        for width in [3, 11, 16] {
            for first in [0, 8, 16] {
                let run = shading.in_run(first, width);
                run.iter().enumerate().for_each(|(k, &color)| {
                    assert_near(color, shading.in_pixel(first + k, width));
                });
            }
        }
    }
}
