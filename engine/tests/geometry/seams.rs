//! Where shapes meet: drawn 8 times larger over a loud ground, nothing shows but the fills that meet there.
use ab_glyph_rasterizer::{Rasterizer, point};
use image::RgbaImage;
use kurbo::{Affine, BezPath, Point, Shape};

use crate::picture::{Color, Picture, coverage, rasterize};
use crate::traced::Traced;
use crate::truth::{self, Truth};

const SCALE: usize = 8;
/// Curves of the enlarged drawing are cut into lines that pass this near to them, px of it.
const FLATNESS_PX: f64 = 0.05;
/// Fills that are on top within so many pixels of the enlarged drawing meet there: the tip of a wedge is on top in none.
const AROUND: usize = 2;
/// No fill of the pictures here.
const MAGENTA: Color = [255, 0, 255];
/// What rounding, and an edge of a third fill less than a pixel away, may add.
const SLACK_LEVELS: f32 = 8.0;
/// An edge may lie this far from where it was drawn, px.
const EDGE_PX: usize = 1;
/// A pixel of the picture nearer than this to a fill may have been given that fill, levels.
const NEAR_LEVELS: i32 = 48;

/// A drawing painted as a browser does, and which of its paths is on top in each pixel.
struct Render {
    width: usize,
    height: usize,
    color: Vec<[f32; 3]>,
    /// 0 is the ground, the first path is 1.
    top: Vec<u16>,
}

impl Render {
    fn new(traced: &Traced, fill: impl Fn(usize) -> Color) -> Self {
        let (width, height) = (traced.width * SCALE, traced.height * SCALE);
        let size = width * height;
        let mut render =
            Render { width, height, color: vec![MAGENTA.map(f32::from); size], top: vec![0; size] };
        for (index, path) in traced.paths.iter().enumerate() {
            let outline = Affine::scale(SCALE as f64) * path.outline.clone();
            render.paint(&outline, fill(index), index as u16 + 1);
        }
        render
    }

    fn paint(&mut self, outline: &BezPath, fill: Color, index: u16) {
        let bounds = outline.bounding_box();
        let (left, top) = (bounds.x0.floor().max(0.0) as usize, bounds.y0.floor().max(0.0) as usize);
        let right = (bounds.x1.ceil() as usize).min(self.width);
        let bottom = (bounds.y1.ceil() as usize).min(self.height);
        if right <= left || bottom <= top {
            return;
        }
        let (columns, rows) = (right - left, bottom - top);
        let mut raster = Rasterizer::new(columns, rows);
        // The rasterizer knows no coordinates below zero.
        let at = |p: Point| point((p.x - left as f64).max(0.0) as f32, (p.y - top as f64).max(0.0) as f32);
        rasterize(&mut raster, outline, FLATNESS_PX, at);
        raster.for_each_pixel(|i, share| {
            let share = share.abs().min(1.0);
            if share < 1e-3 {
                return;
            }
            let pixel = (top + i / columns) * self.width + left + i % columns;
            for (channel, value) in self.color[pixel].iter_mut().zip(fill) {
                *channel += (f32::from(value) - *channel) * share;
            }
            if share >= 0.5 {
                self.top[pixel] = index;
            }
        });
    }

    /// Whether a pixel's color lies within the span of the fills on top in it and around it.
    fn is_within_span(&self, x: usize, y: usize, fill: impl Fn(u16) -> Color) -> bool {
        let color = self.color[y * self.width + x];
        let own = fill(self.top[y * self.width + x]);
        if (0..3).all(|c| (color[c] - f32::from(own[c])).abs() <= SLACK_LEVELS) {
            return true;
        }
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for y in y - AROUND..=y + AROUND {
            for x in x - AROUND..=x + AROUND {
                let color = fill(self.top[y * self.width + x]);
                for channel in 0..3 {
                    low[channel] = low[channel].min(f32::from(color[channel]));
                    high[channel] = high[channel].max(f32::from(color[channel]));
                }
            }
        }
        (0..3).all(|c| color[c] >= low[c] - SLACK_LEVELS && color[c] <= high[c] + SLACK_LEVELS)
    }
}

/// What shows between the shapes of a picture.
#[derive(Debug, Default, PartialEq)]
struct Seams {
    /// Pixels on which no path lies.
    bare: usize,
    /// Pixels with a color that is none of those which meet there.
    foreign: usize,
    /// Pixels with the lowest shape showing where the picture shows other colors.
    leaks: usize,
}

impl Seams {
    fn of(picture: &Picture) -> Self {
        let traced = picture.trace();
        let mut fills: Vec<Color> = traced.paths.iter().map(|path| path.color()).collect();
        let opaque = picture.pixels.pixels().all(|pixel| pixel.0[3] == 255);
        // Without transparency the lowest shape is the rectangle below all others: in magenta it hides nothing.
        let lowest = if opaque { std::mem::replace(&mut fills[0], MAGENTA) } else { fills[0] };
        let render = Render::new(&traced, |index| fills[index]);
        let of_top = |top: u16| if top == 0 { MAGENTA } else { fills[top as usize - 1] };
        let mut seams = Seams::default();
        for y in AROUND..render.height - AROUND {
            for x in AROUND..render.width - AROUND {
                let top = render.top[y * render.width + x];
                // Where the picture has the lowest shape's color, or the ground, that may show.
                let may_show = || {
                    if opaque {
                        shows(&picture.pixels, (x, y), lowest)
                    } else {
                        is_clear(&picture.pixels, (x, y))
                    }
                };
                let within = render.is_within_span(x, y, of_top);
                seams.bare += usize::from(top == 0 && (opaque || !may_show()));
                seams.foreign += usize::from(!within && !may_show());
                seams.leaks += usize::from(opaque && top == 1 && !may_show());
            }
        }
        seams
    }
}

/// Whether the picture shows a color, or nearly, near a place of the enlarged drawing.
fn shows(pixels: &RgbaImage, place: (usize, usize), color: Color) -> bool {
    around(pixels, place)
        .any(|pixel| (0..3).all(|c| (i32::from(pixel[c]) - i32::from(color[c])).abs() <= NEAR_LEVELS))
}

/// Whether something shows through the picture near a place of the enlarged drawing.
fn is_clear(pixels: &RgbaImage, place: (usize, usize)) -> bool {
    around(pixels, place).any(|pixel| pixel[3] < 255)
}

/// The picture's pixels about a place of the enlarged drawing.
fn around(pixels: &RgbaImage, (x, y): (usize, usize)) -> impl Iterator<Item = [u8; 4]> {
    let (x, y) = (x / SCALE, y / SCALE);
    let (right, bottom) = ((pixels.width() - 1) as usize, (pixels.height() - 1) as usize);
    let columns = x.saturating_sub(EDGE_PX)..=(x + EDGE_PX).min(right);
    let rows = y.saturating_sub(EDGE_PX)..=(y + EDGE_PX).min(bottom);
    rows.flat_map(move |y| columns.clone().map(move |x| pixels.get_pixel(x as u32, y as u32).0))
}

const SAND: Color = [236, 214, 160];
const SEA: Color = [20, 90, 170];
const GRASS: Color = [60, 150, 60];
const BRICK: Color = [180, 50, 40];
const NIGHT: Color = [25, 25, 40];

fn sector(from_deg: f64, to_deg: f64, middle: Point, radius: f64) -> BezPath {
    let mut path = BezPath::new();
    path.move_to(middle);
    let steps = ((to_deg - from_deg) / 3.0).ceil() as usize;
    for step in 0..=steps {
        let angle = (from_deg + (to_deg - from_deg) * step as f64 / steps as f64).to_radians();
        path.line_to(middle + radius * kurbo::Vec2::from_angle(angle));
    }
    path.close_path();
    path
}

/// Three sectors that meet in one point, on a ground.
fn three_sectors(turn_deg: f64) -> Picture {
    let middle = Point::new(40.3, 39.8);
    let part = |from: f64, to: f64| sector(turn_deg + from, turn_deg + to, middle, 30.0);
    Picture::new(80, 80, SAND).mosaic(&[
        (part(0.0, 130.0), SEA),
        (part(130.0, 250.0), GRASS),
        (part(250.0, 360.0), BRICK),
    ])
}

fn wave(height: f64, base: f64, period: f64) -> BezPath {
    let mut path = BezPath::new();
    path.move_to((0.0, 90.0));
    for x in 0..=180 {
        let x = f64::from(x) * 0.5;
        path.line_to((x, base + height * (x / period).sin()));
    }
    path.line_to((90.0, 90.0));
    path.close_path();
    path
}

/// Waves one over the other, with a tower that crosses all and a disc behind them.
fn waves() -> Picture {
    let tower = truth::polygon(&[(30.2, 8.3), (41.7, 10.1), (44.4, 85.0), (27.1, 85.0)]);
    Picture::new(90, 90, SAND)
        .paint(&truth::circle(17.3, Point::new(62.0, 24.0)).outline, BRICK)
        .paint(&wave(4.0, 30.0, 9.0), SEA)
        .paint(&tower.outline, NIGHT)
        .paint(&wave(6.0, 55.0, 14.0), GRASS)
        .paint(&wave(2.5, 74.0, 5.0), SEA)
}

/// A ramp, which is cut in bands, from one color to another by `share` of a pixel's place, with a square and a ring on it.
fn ramp(colors: [[f64; 3]; 2], share: impl Fn(f64, f64) -> f64, square: &Truth, ring: &Truth) -> Picture {
    let mut picture = Picture::new(90, 60, SAND);
    for (x, y, pixel) in picture.pixels.enumerate_pixels_mut() {
        let t = share(f64::from(x), f64::from(y)).clamp(0.0, 1.0);
        let mixed = |c: usize| (colors[0][c] + (colors[1][c] - colors[0][c]) * t) as u8;
        pixel.0 = [mixed(0), mixed(1), mixed(2), 255];
    }
    picture.paint(&square.outline, SAND).paint(&ring.outline, NIGHT)
}

fn level_ramp() -> Picture {
    let colors = [[30.0, 60.0, 160.0], [230.0, 120.0, 60.0]];
    let square = truth::square(18.0, 20.0, Point::new(30.0, 30.0));
    let ring = truth::ring(14.0, 9.0, Point::new(62.0, 30.0));
    ramp(colors, |x, y| (x + 0.4 * y) / 114.0, &square, &ring)
}

/// Ramps of all colors and directions, every other one round; the numbers are spread evenly.
fn any_ramp(index: u32) -> Picture {
    let number = |kind: u32| {
        // Parts of steps in the ratio of square roots repeat nowhere.
        (f64::from(index + 1) * f64::from(4 * kind + 3).sqrt()).fract()
    };
    let color = |first: u32| [0, 1, 2].map(|channel| number(first + channel) * 255.0);
    let (across, down) = (number(6) * 2.0 - 1.0, number(7) * 2.0 - 1.0);
    let share = |x: f64, y: f64| {
        let (x, y) = (x - 45.0, y - 30.0);
        if index.is_multiple_of(2) { 0.5 + (across * x + down * y) / 150.0 } else { x.hypot(y) / 54.0 }
    };
    let square =
        truth::square(10.0 + 10.0 * number(8), 90.0 * number(9), Point::new(20.0 + 20.0 * number(10), 30.0));
    let ring = truth::ring(14.0, 6.0 + 5.0 * number(11), Point::new(60.0 + 5.0 * number(12), 30.0));
    ramp([color(0), color(3)], share, &square, &ring)
}

/// Mosaic tiles of many colors, none straight.
fn tiles() -> Picture {
    let colors = [SAND, SEA, GRASS, BRICK, [120, 60, 140], [240, 240, 240], [250, 180, 40]];
    let corner = |i: i32, j: i32| {
        let (x, y) = (f64::from(i), f64::from(j));
        let edge = |k: i32, along: f64| {
            if k == 0 {
                0.0
            } else if k == 6 {
                96.0
            } else {
                along
            }
        };
        (
            edge(i, x * 16.0 + 3.1 * (1.7 * x + 2.3 * y).sin()),
            edge(j, y * 16.0 + 3.3 * (2.9 * x - 1.1 * y).cos()),
        )
    };
    let tile = |i: i32, j: i32| {
        let corners = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        (truth::polygon(&corners).outline, colors[((i * 3 + j * 5) % 7) as usize])
    };
    let all: Vec<_> = (0..36).map(|k| tile(k % 6, k / 6)).collect();
    Picture::new(96, 96, NIGHT).mosaic(&all)
}

fn from_file(name: &str, (x, y, width, height): (u32, u32, u32, u32)) -> Picture {
    let path = format!("{}/../test/pictures/{name}", env!("CARGO_MANIFEST_DIR"));
    let pixels = image::open(path).expect("a picture of the tree").to_rgba8();
    Picture { pixels: image::imageops::crop_imm(&pixels, x, y, width, height).to_image() }
}

fn assert_seamless(name: &str, picture: &Picture) {
    let seams = Seams::of(picture);
    println!("{name}: {seams:?}");
    assert_eq!(seams, Seams::default(), "{name}");
}

#[test]
fn three_sectors_meet_without_a_seam() {
    for turn in [0.0, 17.0, 45.0, 100.0] {
        assert_seamless(&format!("sectors {turn}"), &three_sectors(turn));
    }
}

#[test]
fn drawn_pictures_have_no_seams() {
    assert_seamless("waves", &waves());
    assert_seamless("ramp", &level_ramp());
    assert_seamless("tiles", &tiles());
}

#[test]
fn pictures_of_the_tree_have_no_seams() {
    assert_seamless("landscape", &from_file("landscape.jpg", (0, 0, 120, 90)));
    assert_seamless("landscape, below", &from_file("landscape.jpg", (100, 100, 120, 90)));
    assert_seamless("letters", &from_file("letters.bmp", (0, 0, 120, 60)));
    assert_seamless("logo", &from_file("logo.png", (90, 110, 70, 70)));
}

/// Circles on a ramp, whose bands meet them at every angle.
fn circles(index: u32) -> Picture {
    let number = |kind: u32| (f64::from(index + 1) * f64::from(4 * kind + 3).sqrt()).fract();
    let color = |first: u32| [0, 1, 2].map(|channel| (number(first + channel) * 255.0) as u8);
    let circle = |first: u32| {
        let middle = Point::new(10.0 + 70.0 * number(first + 1), 10.0 + 40.0 * number(first + 2));
        truth::circle(5.0 + 12.0 * number(first), middle).outline
    };
    [21, 24, 27]
        .into_iter()
        .fold(any_ramp(index), |picture, first| picture.paint(&circle(first), color(first + 19)))
}

/// What shows in many pictures together.
fn added_up(pictures: impl Iterator<Item = Picture>) -> Seams {
    pictures.fold(Seams::default(), |sum, picture| {
        let seams = Seams::of(&picture);
        let [bare, foreign, leaks] =
            [sum.bare + seams.bare, sum.foreign + seams.foreign, sum.leaks + seams.leaks];
        Seams { bare, foreign, leaks }
    })
}

/// Bands are drawn loosely, and where two of them meet a third shape in a narrow wedge, what lies below might show beside its tip.
#[test]
fn ramps_have_no_seam() {
    const PICTURES: u32 = 150;
    for index in 0..PICTURES {
        assert_eq!(Seams::of(&any_ramp(index)), Seams::default(), "ramp {index}");
    }
}

/// Of these, some hundred million samples, a few may be off: edges that cross where shapes are narrower than a pixel, and ramps that
/// show between two shapes in less than half of any pixel.
#[test]
fn of_a_thousand_ramps_next_to_none_has_a_seam() {
    const PICTURES: u32 = 1000;
    const MOST_FOREIGN: usize = 23;
    const MOST_LEAKS: usize = 48;
    let seams = added_up((0..PICTURES).map(any_ramp));
    println!("{seams:?}");
    assert!(seams.bare == 0 && seams.foreign <= MOST_FOREIGN && seams.leaks <= MOST_LEAKS, "{seams:?}");
}

#[test]
fn circles_on_ramps_have_next_to_no_seam() {
    const PICTURES: u32 = 300;
    const MOST_FOREIGN: usize = 24;
    let seams = added_up((0..PICTURES).map(circles));
    println!("{seams:?}");
    assert!(seams.bare == 0 && seams.foreign <= MOST_FOREIGN, "{seams:?}");
}

/// The same cut out of a transparent ground by a turned square: what is nearly opaque along its edge lies beside what is opaque.
fn cut_out(index: u32) -> Picture {
    let number = |kind: u32| (f64::from(index + 1) * f64::from(4 * kind + 3).sqrt()).fract();
    let mut picture = circles(index);
    let middle = Point::new(40.0 + 10.0 * number(50), 30.0);
    let shape = truth::square(26.0 + 16.0 * number(51), 90.0 * number(52), middle).outline;
    let shares = coverage(&shape, picture.pixels.width() as usize, picture.pixels.height() as usize);
    for (pixel, share) in picture.pixels.pixels_mut().zip(shares) {
        pixel.0[3] = (share * 255.0).round() as u8;
    }
    picture
}

#[test]
fn what_is_cut_out_has_next_to_no_seam() {
    const PICTURES: u32 = 300;
    // Beside tips, where an edge lies more than a pixel from where it was drawn.
    const MOST_BARE: usize = 16;
    const MOST_FOREIGN: usize = 35;
    let seams = added_up((0..PICTURES).map(cut_out));
    println!("{seams:?}");
    assert!(seams.bare <= MOST_BARE && seams.foreign <= MOST_FOREIGN, "{seams:?}");
}
