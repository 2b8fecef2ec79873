//! Random drawings of many overlapping shapes: every uniform area must have its color in the SVG.

use kurbo::{Affine, BezPath, Cap, Point, Rect, Shape, Stroke, stroke};

use crate::ground_truth;
use crate::picture::{BLACK, Color, Picture, WHITE};

const PALETTE: [Color; 12] = [
    WHITE,
    BLACK,
    [0xee, 0x78, 0x4b],
    [0xb6, 0xcf, 0xea],
    [0xf4, 0xd0, 0x3f],
    [0x2e, 0x86, 0xc1],
    [0x27, 0xae, 0x60],
    [0x8e, 0x44, 0xad],
    [0x34, 0x49, 0x5e],
    [0xfc, 0xe5, 0xcd],
    [0xe6, 0xf5, 0xf8],
    [0xd0, 0xe8, 0xf0],
];

const DRAWINGS: u64 = 400;

/// A linear congruential generator: the same drawings in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() % 1000) as f64 / 1000.0
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.next() as usize % choices.len()]
    }

    fn point(&mut self, side: f64) -> Point {
        Point::new(self.between(0.0, side), self.between(0.0, side))
    }

    /// A rectangle, a disc, a ring, a curved stroke or a triangle.
    fn shape(&mut self, side: f64) -> BezPath {
        let (at, size) = (self.point(side), self.between(2.0, 0.6 * side));
        match self.next() % 5 {
            0 => {
                let rect = Rect::from_origin_size(at, (size, self.between(1.0, 0.5 * side))).to_path(0.1);
                let degrees = self.between(-90.0, 90.0).max(0.0);
                Affine::rotate_about(degrees.to_radians(), at) * rect
            }
            1 => ground_truth::circle(0.5 * size, at).outline,
            2 => {
                let width = self.between(0.6, 3.0);
                ground_truth::ring(0.5 * (size + width), (0.5 * (size - width)).max(0.1), at).outline
            }
            3 => {
                let mut line = BezPath::new();
                line.move_to(at);
                line.curve_to(self.point(side), self.point(side), self.point(side));
                let style = Stroke::new(self.between(0.6, 3.5)).with_caps(Cap::Butt);
                stroke(line, &style, &Default::default(), 0.01)
            }
            _ => {
                let mut corner = || {
                    let Point { x, y } = self.point(side);
                    (x, y)
                };
                ground_truth::polygon(&[corner(), corner(), corner()]).outline
            }
        }
    }

    fn drawing(&mut self) -> Picture {
        let side = self.one_of(&[32, 48, 64, 96]);
        let count = self.next() % 8 + 3;
        let background = Picture::new(side, side, self.one_of(&PALETTE));
        (0..count).fold(background, |picture, _| {
            let shape = self.shape(side as f64);
            picture.paint(&shape, self.one_of(&PALETTE))
        })
    }
}

/// The pixels whose neighbors within two pixels all have the same color, and that color.
fn uniform_pixels(picture: &Picture) -> impl Iterator<Item = (u32, u32, Color)> {
    let (pixels, (width, height)) = (&picture.pixels, picture.pixels.dimensions());
    let all = (2..height - 2).flat_map(move |y| (2..width - 2).map(move |x| (x, y)));
    all.filter_map(move |(x, y)| {
        let pixel = pixels.get_pixel(x, y);
        let is_uniform = (y - 2..=y + 2).all(|v| (x - 2..=x + 2).all(|u| pixels.get_pixel(u, v) == pixel));
        is_uniform.then(|| (x, y, [pixel.0[0], pixel.0[1], pixel.0[2]]))
    })
}

#[test]
fn uniform_areas_keep_their_color() {
    /// Of an 8-bit channel.
    const MAX_DIFFERENCE: u8 = 40;
    /// The tip of a shape may be traced slightly too long or too wide.
    const MAX_WRONG_PIXELS: usize = 2;
    let mut random = Random(7);
    for drawing in 0..DRAWINGS {
        let picture = random.drawing();
        let traced = picture.trace();
        let is_wrong = |&(x, y, color): &(u32, u32, Color)| {
            let found = traced.color_at(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
            found.is_none_or(|found| (0..3).any(|c| found[c].abs_diff(color[c]) > MAX_DIFFERENCE))
        };
        let wrong: Vec<_> = uniform_pixels(&picture).filter(is_wrong).collect();
        assert!(wrong.len() <= MAX_WRONG_PIXELS, "drawing {drawing}: {wrong:?} in {}", traced.text);
    }
}

/// Thin lines divide an ornament's background into cells beside another fill; each cell keeps the background's color.
#[test]
fn cells_between_thin_lines_keep_the_background_color() {
    const RED: Color = [0xce, 0x17, 0x20];
    const GREEN: Color = [0x00, 0x7c, 0x30];
    for step in [3.6, 4.2, 4.6, 5.0] {
        let thin_line = |k: i32, degrees: f64| {
            let line = Rect::new(-9.0, -0.6, 9.0, 0.6).to_path(0.01);
            let shift = Affine::translate((6.0, f64::from(k) * step));
            shift * Affine::rotate(degrees.to_radians()) * line
        };
        let thin_lines = (0..20).flat_map(|k| [thin_line(k, 45.0), thin_line(k, -45.0)]);
        let picture = thin_lines.fold(Picture::new(64, 48, RED), |picture, line| picture.paint(&line, WHITE));
        let add_fills = |picture: Picture| {
            let upper = picture.paint_rects(&[Rect::new(12.0, 0.0, 64.0, 24.0)], RED);
            upper.paint_rects(&[Rect::new(12.0, 24.0, 64.0, 48.0)], GREEN)
        };
        let traced = add_fills(picture).trace();
        for (x, y) in (0..11).flat_map(|x| (0..48).map(move |y| (x, y))) {
            let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            assert_ne!(traced.color_at(at), Some(GREEN), "{step} {at:?} in {}", traced.text);
        }
    }
}
