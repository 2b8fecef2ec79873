//! Colors as premultiplied channels: arithmetic, distances, and mixtures of other colors.
mod channels;
mod metric;
mod mixture;
mod subpixel;

pub(crate) use channels::{Channels, distance_sq, dot, minus, plus, premultiplied, rounded, straight, times};
pub(crate) use metric::ColorMetric;
pub(crate) use mixture::{
    ALIKE_SQ, MIXTURE_RESIDUAL_SQ, Mixtures, NOISY_MIXTURE_RESIDUAL_SQ, in_plane, is_alike, meeting,
    of_paints, projection, tolerance_sq,
};
pub(crate) use subpixel::{Shares, sense};
