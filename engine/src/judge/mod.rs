//! Seventh stage: draws the drawing back, compares it with the image, and repairs it where they differ.
mod coordinates;
mod nodes;

pub(crate) use nodes::move_nodes;
