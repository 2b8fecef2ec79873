//! What paths cover of a pixel in part, and the edges that pass it.

/// Covered by less than this, a pixel is bare; by more than one less this, it is fully covered. What shows less than this through the paths
/// above it is not seen.
///
/// Unit: coverage (0–1). Source: a quarter of half a level of the 255 of a channel.
pub(crate) const NEGLIGIBLE: f32 = 0.0005;

/// Set in an entry of the plane that is the number of a fragment; the others are numbers of paths.
pub(super) const FRAGMENT: u32 = 1 << 31;

/// What a path covers of a pixel that it does not cover fully, or that its edges pass.
pub(super) struct Fragment {
    pub path: u32,
    /// What is below it: another fragment, or the path that covers the pixel fully.
    pub below: u32,
    /// The area that the path encloses there, counted as often as it runs around it: negative if it runs the other way.
    pub area: f32,
    /// How much more its edges cover of the pixels on its right.
    pub rise: f32,
    /// One of its pieces of edges, or [`NO_PIECE`].
    pub first_piece: u32,
}

/// Ends a list of pieces.
pub(super) const NO_PIECE: u32 = u32::MAX;

/// A piece of an edge, in the pixel of a fragment.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub edge: u32,
    /// By how much the middle of the piece moves with each end of the edge, times the piece's share of the edge's length.
    pub shares: [f32; 2],
    /// Another piece in the pixel, or [`NO_PIECE`].
    pub next: u32,
}

impl Fragment {
    pub fn coverage(&self) -> f32 {
        let area = self.area.abs();
        if area < 1.0 { area } else { 1.0 }
    }

    /// By how much the coverage grows with the area that the outline encloses: 1, or -1 if it runs the other way, or 0 where it covers
    /// twice.
    pub fn sign(&self) -> f32 {
        if self.area.abs() > 1.0 + NEGLIGIBLE { 0.0 } else { 1f32.copysign(self.area) }
    }
}
