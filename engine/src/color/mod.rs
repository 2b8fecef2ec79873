//! Colors as premultiplied channels: arithmetic, distances, and mixtures of other colors.
mod channels;
mod metric;
mod mixture;
mod subpixel;

pub(crate) use channels::{
    Channels, PremultipliedColor, StraightColor, distance_sq, dot, minus, plus, times,
};
pub(crate) use metric::ColorMetric;
pub(crate) use mixture::{
    ALIKE_SQ, MIXTURE_RESIDUAL_SQ, Mixtures, NOISY_MIXTURE_RESIDUAL_SQ, in_plane, is_alike, meeting,
    projection, shares_of_paints, tolerance_sq,
};
pub(crate) use subpixel::{ChannelShares, channel_order};
