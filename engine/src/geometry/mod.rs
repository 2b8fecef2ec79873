//! Points, curves and shapes in pixel coordinates: x to the right, y down, the origin at the top left corner of the image.
mod curve;
mod drawing;
mod paint;
mod point;
mod split;

pub(crate) use curve::{Curve, Ellipse, FLATNESS_PX, Segment, Way};
pub(crate) use drawing::{Drawing, Shape};
pub(crate) use paint::{
    Axis, EXISTS, FLAT, Gradient, GradientShape, GradientStop, HAS_GRADIENTS, PIXELS_OF_A_RUN, Paint, Shading,
};
pub(crate) use point::Point;
pub(crate) use split::{Cut, find_cuts, into_cuttable, open_at, subcurve};
