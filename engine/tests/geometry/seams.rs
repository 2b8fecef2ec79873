//! Seams between adjacent shapes: rendered at 8 times the size over magenta, only the fills of the shapes that meet may show.

use image::RgbaImage;
use kurbo::{Affine, BezPath};

use crate::picture::{Color, Picture, polylines};
use crate::seam_pictures::{
    any_gradient, circles_on_gradient, cutout, from_file, linear_gradient, three_sectors, tiles, waves,
};
use crate::traced_svg::TracedSvg;

const SCALE: usize = 8;
/// Lines of samples in each row of pixels of the enlarged rendering.
const LINES_PER_ROW: usize = 8;
/// The radius, in pixels of the enlarged rendering, within which fills count as meeting. The tip of a wedge may be topmost in no pixel.
const MEETING_RADIUS: usize = 2;
/// A color that no image here contains.
const MAGENTA: Color = [255, 0, 255];
/// The tolerance for rounding and for the edge of a third fill less than a pixel away.
const TOLERANCE_LEVELS: f32 = 8.0;
/// The accepted distance of an edge from its true position, in pixels of the image.
const EDGE_PX: usize = 1;
/// The difference up to which a pixel of the image may have become part of a fill.
const NEAR_LEVELS: i32 = 48;

/// An SVG rendered as by a browser, and the topmost path of each pixel.
struct Render {
    width: usize,
    height: usize,
    color: Vec<[f32; 3]>,
    /// 0 for none, 1 for the first path.
    top: Vec<u16>,
}

impl Render {
    fn new(traced: &TracedSvg, fill: impl Fn(usize) -> Color) -> Self {
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
        let mut lines = crossings(outline, self.height * LINES_PER_ROW);
        for (y, lines) in lines.chunks_mut(LINES_PER_ROW).enumerate() {
            if lines.iter().all(Vec::is_empty) {
                continue;
            }
            let mut share = 0.0;
            for (x, change) in share_changes(lines, self.width).into_iter().enumerate().take(self.width) {
                share += change;
                if share < 1e-3 {
                    continue;
                }
                let pixel = y * self.width + x;
                for (channel, value) in self.color[pixel].iter_mut().zip(fill) {
                    *channel += (f32::from(value) - *channel) * share as f32;
                }
                if share >= 0.5 {
                    self.top[pixel] = index;
                }
            }
        }
    }

    /// Whether a pixel's color lies between the fills that are topmost in it and around it.
    fn is_within_span(&self, x: usize, y: usize, fill: impl Fn(u16) -> Color) -> bool {
        let color = self.color[y * self.width + x];
        let own = fill(self.top[y * self.width + x]);
        if (0..3).all(|c| (color[c] - f32::from(own[c])).abs() <= TOLERANCE_LEVELS) {
            return true;
        }
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for y in y - MEETING_RADIUS..=y + MEETING_RADIUS {
            for x in x - MEETING_RADIUS..=x + MEETING_RADIUS {
                let color = fill(self.top[y * self.width + x]);
                for channel in 0..3 {
                    low[channel] = low[channel].min(f32::from(color[channel]));
                    high[channel] = high[channel].max(f32::from(color[channel]));
                }
            }
        }
        (0..3).all(|c| color[c] >= low[c] - TOLERANCE_LEVELS && color[c] <= high[c] + TOLERANCE_LEVELS)
    }
}

/// Where a path crosses each of the lines of samples, and whether upward (1) or downward (-1).
fn crossings(outline: &BezPath, lines: usize) -> Vec<Vec<(f64, i32)>> {
    let mut found = vec![Vec::new(); lines];
    for polyline in polylines(outline) {
        for side in polyline.windows(2) {
            let ends = [side[0].y, side[1].y].map(|y| (y * LINES_PER_ROW as f64 + 0.5).max(0.0) as usize);
            let direction = if side[0].y > side[1].y { 1 } else { -1 };
            let slope = (side[1].x - side[0].x) / (side[1].y - side[0].y);
            let (first, end) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            for (line, found) in found.iter_mut().enumerate().take(end).skip(first) {
                let y = (line as f64 + 0.5) / LINES_PER_ROW as f64;
                found.push((side[0].x + slope * (y - side[0].y), direction));
            }
        }
    }
    found
}

/// By how much the covered share of each pixel of a row exceeds that of the pixel before it. By the nonzero rule, as in SVG.
fn share_changes(lines: &mut [Vec<(f64, i32)>], width: usize) -> Vec<f64> {
    let mut changes = vec![0.0; width + 2];
    let mut change_at = |x: f64, by: f64| {
        let x = x.clamp(0.0, width as f64);
        changes[x as usize] += by * (1.0 - x.fract());
        changes[x as usize + 1] += by * x.fract();
    };
    for crossings in lines {
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut winding = 0;
        for &mut (x, direction) in crossings {
            let (before, after) = (winding != 0, winding + direction != 0);
            winding += direction;
            change_at(x, f64::from(i8::from(after) - i8::from(before)) / LINES_PER_ROW as f64);
        }
    }
    changes
}

/// Faulty pixels of an enlarged rendering.
#[derive(Debug, Default, PartialEq)]
struct Seams {
    /// Pixels without a path.
    uncovered: usize,
    /// Pixels whose color is not between those of the fills that meet there.
    foreign: usize,
    /// Pixels that show the lowest shape where the image has other colors.
    leaks: usize,
}

impl Seams {
    fn of(picture: &Picture) -> Self {
        let traced = picture.trace();
        let mut fills: Vec<Color> = traced.paths.iter().map(|path| path.color()).collect();
        let is_opaque = picture.pixels.pixels().all(|pixel| pixel.0[3] == 255);
        // In an opaque image the lowest shape is the background rectangle; painted in magenta, it hides no seam.
        let lowest = if is_opaque { std::mem::replace(&mut fills[0], MAGENTA) } else { fills[0] };
        let render = Render::new(&traced, |index| fills[index]);
        let fill_of = |top: u16| if top == 0 { MAGENTA } else { fills[top as usize - 1] };
        let mut seams = Seams::default();
        for y in MEETING_RADIUS..render.height - MEETING_RADIUS {
            for x in MEETING_RADIUS..render.width - MEETING_RADIUS {
                let top = render.top[y * render.width + x];
                // The lowest shape, or the background, may show where the image has its color.
                let may_show = || {
                    if is_opaque {
                        has_color(&picture.pixels, (x, y), lowest)
                    } else {
                        is_translucent(&picture.pixels, (x, y))
                    }
                };
                let is_within = render.is_within_span(x, y, fill_of);
                seams.uncovered += usize::from(top == 0 && (is_opaque || !may_show()));
                seams.foreign += usize::from(!is_within && !may_show());
                seams.leaks += usize::from(is_opaque && top == 1 && !may_show());
            }
        }
        seams
    }
}

/// Whether the image has a similar color near a pixel of the enlarged rendering.
fn has_color(pixels: &RgbaImage, enlarged: (usize, usize), color: Color) -> bool {
    pixels_near(pixels, enlarged)
        .any(|pixel| (0..3).all(|c| (i32::from(pixel[c]) - i32::from(color[c])).abs() <= NEAR_LEVELS))
}

/// Whether the image is translucent near a pixel of the enlarged rendering.
fn is_translucent(pixels: &RgbaImage, enlarged: (usize, usize)) -> bool {
    pixels_near(pixels, enlarged).any(|pixel| pixel[3] < 255)
}

/// The image's pixels near a pixel of the enlarged rendering.
fn pixels_near(pixels: &RgbaImage, (x, y): (usize, usize)) -> impl Iterator<Item = [u8; 4]> {
    let (x, y) = (x / SCALE, y / SCALE);
    let (right, bottom) = ((pixels.width() - 1) as usize, (pixels.height() - 1) as usize);
    let columns = x.saturating_sub(EDGE_PX)..=(x + EDGE_PX).min(right);
    let rows = y.saturating_sub(EDGE_PX)..=(y + EDGE_PX).min(bottom);
    rows.flat_map(move |y| columns.clone().map(move |x| pixels.get_pixel(x as u32, y as u32).0))
}

fn assert_seamless(name: &str, picture: &Picture) {
    let seams = Seams::of(picture);
    println!("{name}: {seams:?}");
    assert_eq!(seams, Seams::default(), "{name}");
}

/// The judge may leave a sliver beside a junction, narrower than an eighth of a pixel.
fn assert_almost_seamless(name: &str, picture: &Picture) {
    const MAX_FOREIGN: usize = 3;
    let seams = Seams::of(picture);
    assert!(seams.uncovered + seams.leaks == 0 && seams.foreign <= MAX_FOREIGN, "{name}: {seams:?}");
}

#[test]
fn three_sectors_meet_without_seams() {
    for turn in [0.0, 17.0, 45.0, 100.0] {
        assert_seamless(&format!("sectors {turn}"), &three_sectors(turn));
    }
}

#[test]
fn drawings_have_no_seams() {
    assert_seamless("waves", &waves());
    assert_seamless("gradient", &linear_gradient());
    assert_seamless("tiles", &tiles());
}

#[test]
fn image_files_have_no_seams() {
    assert_seamless("landscape", &from_file("landscape.jpg", (0, 0, 120, 90)));
    assert_almost_seamless("landscape, lower part", &from_file("landscape.jpg", (100, 100, 120, 90)));
    assert_seamless("letters", &from_file("letters.bmp", (0, 0, 120, 60)));
    assert_seamless("logo", &from_file("logo.png", (90, 110, 70, 70)));
}

/// The sum over many images.
fn total(pictures: impl Iterator<Item = Picture>) -> Seams {
    pictures.fold(Seams::default(), |sum, picture| {
        let seams = Seams::of(&picture);
        let [uncovered, foreign, leaks] =
            [sum.uncovered + seams.uncovered, sum.foreign + seams.foreign, sum.leaks + seams.leaks];
        Seams { uncovered, foreign, leaks }
    })
}

/// The boundaries of a gradient's bands are only approximate. Where two of them and a third shape form a narrow wedge, the color below
/// might show beside its tip.
#[test]
fn gradients_have_no_seams() {
    const PICTURES: u32 = 150;
    for index in 0..PICTURES {
        assert_almost_seamless(&format!("gradient {index}"), &any_gradient(index));
    }
}

/// A few of about a hundred million samples may be wrong: edges that cross where shapes are narrower than a pixel, gradients that
/// show between two shapes in less than half of each pixel, and hairlines where an edge moved to beyond what is hidden below it.
#[test]
fn a_thousand_gradients_have_almost_no_seams() {
    const PICTURES: u32 = 1000;
    const MAX_FOREIGN: usize = 40;
    const MAX_LEAKS: usize = 65;
    let seams = total((0..PICTURES).map(any_gradient));
    println!("{seams:?}");
    assert!(seams.uncovered == 0 && seams.foreign <= MAX_FOREIGN && seams.leaks <= MAX_LEAKS, "{seams:?}");
}

#[test]
fn circles_on_gradients_have_almost_no_seams() {
    const PICTURES: u32 = 300;
    const MAX_FOREIGN: usize = 42;
    let seams = total((0..PICTURES).map(circles_on_gradient));
    println!("{seams:?}");
    assert!(seams.uncovered == 0 && seams.foreign <= MAX_FOREIGN, "{seams:?}");
}

#[test]
fn cutouts_have_almost_no_seams() {
    const PICTURES: u32 = 300;
    // Beside tips, where an edge can be more than a pixel from its true position.
    const MAX_BARE: usize = 3;
    const MAX_FOREIGN: usize = 41;
    let seams = total((0..PICTURES).map(cutout));
    println!("{seams:?}");
    assert!(seams.uncovered <= MAX_BARE && seams.foreign <= MAX_FOREIGN, "{seams:?}");
}
