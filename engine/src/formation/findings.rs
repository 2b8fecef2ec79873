//! What is found of how a picture was made, in words and numbers of its own, for those who look for the reason of a drawing.

use super::kernel::Kernel;
use super::{EdgeWidth, Enlargement, Grain, Sharpening};

/// What the engine believes of how an image was made. [`trace`](crate::trace) undoes it before it looks for shapes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Formation {
    /// Width and height before the image was enlarged, in pixels.
    pub enlarged_from: Option<(usize, usize)>,
    /// The kernel that enlarged it: `linear`, `cubic`, `steep cubic` or `lanczos`.
    pub kernel: Option<&'static str>,
    /// By how much an unsharp mask sharpened it, in percent.
    pub sharpened_percent: Option<u32>,
    /// The scale of JPEG's quantization table, in percent.
    pub jpeg_scale_percent: Option<u32>,
    /// Whether colors were kept at half the size, as JPEG and WebP do.
    pub has_coarse_colors: bool,
    /// Whether it was dithered by a matrix of thresholds.
    pub has_ordered_dither: bool,
    /// How far pixels of one paint lie apart, by noise, dither or compression, in levels of a channel.
    pub grain_levels: Option<u8>,
    /// The standard deviation of a blur, in pixels of the size before enlarging.
    pub blur_px: Option<f32>,
    /// How many colors there are, if they are few.
    pub colors: Option<usize>,
    /// Whether mixed pixels were reduced to these colors.
    pub was_reduced: bool,
    /// Whether every pixel was meant as it is.
    pub is_pixel_art: bool,
}

impl Formation {
    /// What was found before the picture's pixels were restored. Of its palette, nothing is said.
    pub(crate) fn new(
        enlargement: Option<&Enlargement>,
        sharpening: Option<&Sharpening>,
        grain: Option<&Grain>,
        edges: Option<&EdgeWidth>,
    ) -> Self {
        let name = |kernel| match kernel {
            Kernel::Linear => "linear",
            Kernel::Cubic(slope) if slope > -0.6 => "cubic",
            Kernel::Cubic(_) => "steep cubic",
            Kernel::Lanczos => "lanczos",
        };
        Formation {
            enlarged_from: enlargement.map(|found| found.size),
            kernel: enlargement.map(|found| name(found.kernel)),
            sharpened_percent: sharpening.map(|found| (100.0 * found.amount + 0.5) as u32),
            jpeg_scale_percent: grain.and_then(|grain| grain.jpeg_scale_percent),
            has_coarse_colors: grain.is_some_and(|grain| grain.has_coarse_colors),
            has_ordered_dither: grain.is_some_and(|grain| grain.is_ordered_dither),
            grain_levels: grain.map(|grain| grain.range),
            blur_px: edges.map(|edges| edges.deviation_px),
            colors: None,
            was_reduced: false,
            is_pixel_art: false,
        }
    }
}
