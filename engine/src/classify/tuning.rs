//! What the options and the kind of image decide for the stages that find and join regions, in one place.

use super::surface::{Surface, surface};
use crate::api::Options;
use crate::color::{ColorMetric, MIXTURE_RESIDUAL_SQ, NOISY_MIXTURE_RESIDUAL_SQ};
use crate::raster::Pixels;

/// What a boundary must be worth.
///
/// Unit: squared error per pixel side, in squared layer differences. Source: the weight of the length term in Mumford and Shah's
/// functional ("Optimal Approximations by Piecewise Smooth Functions", 1989); its value is tuned, no derivation is known.
const LEAST_WORTH: f32 = 9.0;

/// What a boundary must be worth between the bands of a clean ramp: such a boundary is smooth and takes few bytes.
///
/// Unit: squared error per pixel side, in squared layer differences. Source: tuned: half of the worth elsewhere.
const WORTH_ON_RAMPS: f32 = 4.5;

/// Which boundaries between regions are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BoundaryWorth {
    /// All: every pixel was set by hand, or every boundary was decided before.
    AllMeant,
    /// Those that keep at least this much squared error (four channels, 0–255) per pixel side from being made, in squared layer
    /// differences.
    AtLeast(f32),
}

impl BoundaryWorth {
    /// For images that were not classified.
    pub const UNCLASSIFIED: Self = BoundaryWorth::AtLeast(LEAST_WORTH);

    fn of(surface: Surface) -> Self {
        BoundaryWorth::AtLeast(match surface {
            Surface::Flat | Surface::Noisy => LEAST_WORTH,
            Surface::Ramps => WORTH_ON_RAMPS,
        })
    }
}

/// What the options and the kind of image decide for segmenting, resolving and merging.
pub(crate) struct Tuning {
    pub surface: Surface,
    pub metric: ColorMetric,
    /// A pixel is a mixture of two colors when it is no farther than this from the line between them (squared, Euclidean, 0–255).
    pub mixture_tolerance_sq: f32,
    pub boundary_worth: BoundaryWorth,
    /// `filterSpeckle`.
    pub speckle_px: f32,
}

impl Tuning {
    /// Classifies the image by a few of its rows, if it is not known that there was grain in it.
    pub fn of(pixels: &Pixels, had_grain: bool, options: &Options) -> Self {
        let surface = if had_grain { Surface::Noisy } else { surface(pixels) };
        let metric = ColorMetric::new(options);
        Tuning {
            surface,
            metric: if surface == Surface::Ramps { metric.of_clean_ramps() } else { metric },
            mixture_tolerance_sq: match surface {
                Surface::Flat | Surface::Ramps => MIXTURE_RESIDUAL_SQ,
                Surface::Noisy => NOISY_MIXTURE_RESIDUAL_SQ,
            },
            boundary_worth: BoundaryWorth::of(surface),
            speckle_px: options.filter_speckle_px as f32,
        }
    }
}
