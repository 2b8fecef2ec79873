//! The image divided into regions: the label of each pixel, and the pixel sides between two labels.

use super::cracks::Cracks;
use super::labels::Labels;
use crate::api::{ProgressMeter, Stopped};

/// The image divided into regions.
///
/// # Guarantees
/// `cracks` marks every pixel side between two of the `labels`, and no other.
pub(crate) struct Partition {
    pub labels: Labels,
    pub cracks: Cracks,
}

impl Partition {
    /// Replaces the regions by groups of them. Linear in pixels.
    pub fn regroup(&mut self, groups: &Labels, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        self.cracks.regroup(&mut self.labels, groups, meter)
    }
}
