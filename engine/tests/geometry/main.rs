//! Draws shapes with exact coverage, traces them, and compares the SVG with the shapes.

mod enlarged;
mod ground_truth;
mod judged;
mod outline_distance;
mod picture;
mod pixel_aligned;
mod random_drawings;
mod resampled_and_jpeg;
mod seam_pictures;
mod seams;
mod shapes;
mod straight_lines;
mod subpixel_text;
mod traced_svg;
mod worn;
