//! Shapes drawn exactly, rasterized, traced, and compared with what was drawn.
mod damaged;
mod distance;
mod drawings;
mod grid;
mod hairlines;
mod picture;
mod seams;
mod shapes;
mod subpixels;
mod traced;
mod truth;
