//! The type that segmenting gives to the next stage.

use super::region_sums::ColorSums;
use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Cracks, Labels, Partition};

/// The regions of an image, in two steps: a part of a region for each pixel, and a region for each part. The stage that next goes through
/// the pixels applies the second step on the way, which saves a pass.
///
/// # Guarantees
/// `labels` has one entry for each pixel, `groups` one for each part, `sums` one for each region. Parts and regions are numbered by their
/// first pixels in row order.
pub(crate) struct Segments {
    /// The part of each pixel.
    pub labels: Labels,
    /// The region of each part.
    pub groups: Labels,
    /// The color sums of each region.
    pub sums: Vec<ColorSums>,
}

impl Segments {
    /// The regions, and the pixel sides between them.
    pub fn into_partition(self, width: usize, meter: &mut ProgressMeter<'_>) -> Result<Partition, Stopped> {
        let Segments { labels, groups, sums } = self;
        drop(sums);
        let cracks = Cracks::find(&labels.ids, width, meter)?;
        let mut partition = Partition { labels, cracks };
        partition.regroup(&groups, meter)?;
        Ok(partition)
    }
}
