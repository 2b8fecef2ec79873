//! Colors: straight and premultiplied types, channel arithmetic, distances, and mixtures.
mod channels;
mod metric;
mod mixture;
mod subpixel;

pub(crate) use channels::{
    Channels, PremultipliedColor, StraightColor, byte_distance_sq, distance_sq, dot, largest_difference,
    minus, plus, times,
};
pub(crate) use metric::ColorMetric;
pub(crate) use mixture::{
    ALIKE_SQ, LEAST_DIFFERENCE_SQ, MIXTURE_RESIDUAL_SQ, Mixtures, NOISY_MIXTURE_RESIDUAL_SQ, PaintShares,
    closest_approach, ink_tolerance_sq, is_alike, mixture, projection, shares_of_paints, solve_in_plane,
};
pub(crate) use subpixel::{ChannelShares, channel_order};
