//! Drawings of many overlapping shapes, made at random: what is plain to see must be drawn.
use kurbo::{Affine, BezPath, Cap, Point, Rect, Shape, Stroke, stroke};

use crate::picture::{BLACK, Color, Picture, WHITE};
use crate::truth;

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

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() % 1000) as f64 / 1000.0
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.next() as usize % all.len()]
    }

    fn point(&mut self, side: f64) -> Point {
        Point::new(self.between(0.0, side), self.between(0.0, side))
    }

    /// A bar, a disc, a ring, a curved stroke or a triangle.
    fn shape(&mut self, side: f64) -> BezPath {
        let (at, size) = (self.point(side), self.between(2.0, 0.6 * side));
        match self.next() % 5 {
            0 => {
                let bar = Rect::from_origin_size(at, (size, self.between(1.0, 0.5 * side))).to_path(0.1);
                let turn = self.between(-90.0, 90.0).max(0.0);
                Affine::rotate_about(turn.to_radians(), at) * bar
            }
            1 => truth::circle(0.5 * size, at).outline,
            2 => {
                let width = self.between(0.6, 3.0);
                truth::ring(0.5 * (size + width), (0.5 * (size - width)).max(0.1), at).outline
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
                truth::polygon(&[corner(), corner(), corner()]).outline
            }
        }
    }

    fn drawing(&mut self) -> Picture {
        let side = self.one_of(&[32, 48, 64, 96]);
        let count = self.next() % 8 + 3;
        let ground = Picture::new(side, side, self.one_of(&PALETTE));
        (0..count).fold(ground, |picture, _| {
            let shape = self.shape(side as f64);
            picture.paint(&shape, self.one_of(&PALETTE))
        })
    }
}

/// The pixels about which all others for two pixels around are of one color, and that.
fn plain_places(picture: &Picture) -> impl Iterator<Item = (u32, u32, Color)> {
    let (pixels, (width, height)) = (&picture.pixels, picture.pixels.dimensions());
    let all = (2..height - 2).flat_map(move |y| (2..width - 2).map(move |x| (x, y)));
    all.filter_map(move |(x, y)| {
        let pixel = pixels.get_pixel(x, y);
        let is_plain = (y - 2..=y + 2).all(|v| (x - 2..=x + 2).all(|u| pixels.get_pixel(u, v) == pixel));
        is_plain.then(|| (x, y, [pixel.0[0], pixel.0[1], pixel.0[2]]))
    })
}

#[test]
fn what_is_plain_to_see_is_drawn() {
    /// 8-bit levels.
    const LARGEST_DIFFERENCE: u8 = 40;
    /// So many places of a drawing lie within a tip that came out too long or too wide.
    const MOST_PLACES: usize = 2;
    let mut random = Random(7);
    for drawing in 0..DRAWINGS {
        let picture = random.drawing();
        let traced = picture.trace();
        let is_other = |&(x, y, color): &(u32, u32, Color)| {
            let found = traced.color_at(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
            found.is_none_or(|found| (0..3).any(|c| found[c].abs_diff(color[c]) > LARGEST_DIFFERENCE))
        };
        let others: Vec<_> = plain_places(&picture).filter(is_other).collect();
        assert!(others.len() <= MOST_PLACES, "drawing {drawing}: {others:?} in {}", traced.text);
    }
}

/// Where threads cut an ornament's ground into pieces beside another fill, each piece shows its own color.
#[test]
fn between_threads_the_ground_beneath_them_shows() {
    const RED: Color = [0xce, 0x17, 0x20];
    const GREEN: Color = [0x00, 0x7c, 0x30];
    for step in [3.6, 4.2, 4.6, 5.0] {
        let thread = |k: i32, degrees: f64| {
            let along = Rect::new(-9.0, -0.6, 9.0, 0.6).to_path(0.01);
            let to = Affine::translate((6.0, f64::from(k) * step));
            to * Affine::rotate(degrees.to_radians()) * along
        };
        let threads = (0..20).flat_map(|k| [thread(k, 45.0), thread(k, -45.0)]);
        let picture =
            threads.fold(Picture::new(64, 48, RED), |picture, thread| picture.paint(&thread, WHITE));
        let fills = |picture: Picture| {
            let upper = picture.paint_bars(&[Rect::new(12.0, 0.0, 64.0, 24.0)], RED);
            upper.paint_bars(&[Rect::new(12.0, 24.0, 64.0, 48.0)], GREEN)
        };
        let traced = fills(picture).trace();
        for (x, y) in (0..11).flat_map(|x| (0..48).map(move |y| (x, y))) {
            let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            assert_ne!(traced.color_at(at), Some(GREEN), "{step} {at:?} in {}", traced.text);
        }
    }
}
