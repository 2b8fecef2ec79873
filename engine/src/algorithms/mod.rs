//! General algorithms that know nothing of images: comparing rows of pixels many at a time, sorting, disjoint sets.
mod disjoint_sets;
mod row_compare;
mod sort;

pub(crate) use disjoint_sets::DisjointSets;
pub(crate) use row_compare::{
    CHUNK, EVEN_BYTES, F32_LANES, are_opaque_or_transparent, changes, differing, differing_in_chunk,
    is_uniform, ones, quiet_chunks, run_end, top_bits, uniform,
};
pub(crate) use sort::{ordered, ranked, sort};
