//! General algorithms: comparing rows of pixels with vector instructions, sorting, disjoint sets.
mod disjoint_sets;
mod row_compare;
mod sort;

pub(crate) use disjoint_sets::DisjointSets;
pub(crate) use row_compare::{
    CHUNK, EVEN_BYTES, F32_LANES, are_all, are_equal, are_opaque_or_transparent, differing_bits, fill,
    has_change, is_uniform, other_bits, quiet_chunks, run_end, set_bits, splat_chunk, top_bits,
};
pub(crate) use sort::{kth_smallest, sort, sorted_by_key};
