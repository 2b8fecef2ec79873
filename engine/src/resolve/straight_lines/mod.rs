//! Straight lines along rows or columns of pixels, such as frames, grid lines and ticks.
//!
//! A line that is a pixel wide and lies across two rows looks like two paler lines beside each other. That it is one line is known from
//! their coverages, which add up to a pixel of an ink that the image has. A line across three rows shows its ink in the middle
//! row. A line between paints of several colors, as in a heat map, runs on between all of them. A frame and the shade or light along it,
//! as buttons have them, are two or three lines beside each other, each of its own color.
//!
//! The search goes over every open pixel as the possible first pixel of a [`RowBand`](pixel_rows::RowBand), one to three rows or columns
//! beside each other. The longest stretch of the band that is the same all along is a [`UniformRun`](pixel_rows::UniformRun)
//! ([`pixel_rows`]); if an ink explains its rows ([`interpret`]), it becomes a [`StraightLine`](line::StraightLine), which is followed
//! through crossings and corners ([`mod@line`]).
mod find;
mod interpret;
mod line;
mod pixel_rows;

pub(crate) use find::{FoundLines, Hairline, find_lines};
pub(crate) use line::ROUNDING_SQ;
