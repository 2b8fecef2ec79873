//! The number of threads changes neither the bytes nor the progress reports.

use std::ops::ControlFlow;

use tracesmith::{Image, Options, Progress, limit_threads, trace_with};

const WIDTH: u32 = 400;
const HEIGHT: u32 = 300;

/// A linear congruential generator: the same noise on every machine.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 24) as u8
    }
}

fn draw(mut color: impl FnMut(f32, f32) -> [f32; 4]) -> Vec<u8> {
    let mut pixel = |i: u32| color((i % WIDTH) as f32, (i / WIDTH) as f32).map(|channel| channel as u8);
    (0..WIDTH * HEIGHT).flat_map(&mut pixel).collect()
}

/// Images with work for different stages: shapes, strokes, noisy shapes, translucency, pure noise.
fn images() -> Vec<(&'static str, Vec<u8>)> {
    let disc = |x: f32, y: f32, size: f32| {
        let (dx, dy) = (x % size - size / 2.0, y % size - size / 2.0);
        (0.39 * size - dx.hypot(dy)).clamp(0.0, 1.0)
    };
    let pen = |x: f32, y: f32| (1.2 - ((x + 0.37 * y) % 9.0 - 4.0).abs()).clamp(0.0, 1.0);
    let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
    let (mut grain, mut noise) = (Noise(1), Noise(2));
    vec![
        (
            "discs",
            draw(|x, y| {
                [mix(250.0, x / 3.0, disc(x, y, 23.0)), mix(240.0, 30.0, disc(x, y, 23.0)), 90.0, 255.0]
            }),
        ),
        (
            "strokes",
            draw(|x, y| {
                [mix(255.0, 20.0, pen(x, y)), 255.0 - 200.0 * pen(x, y), 255.0 - 90.0 * pen(y, x), 255.0]
            }),
        ),
        (
            "grain",
            draw(|x, y| {
                let light = mix(40.0 + x / 5.0, 200.0 - y / 5.0, disc(x, y, 61.0));
                [light, light * 0.8, light * 0.6, 200.0].map(|channel| channel + f32::from(grain.next() >> 4))
            }),
        ),
        ("holes", draw(|x, y| [200.0, x / 3.0, y / 3.0, 255.0 * disc(x, y, 47.0)])),
        ("noise", draw(|_, _| [noise.next(), noise.next(), noise.next(), noise.next()].map(f32::from))),
    ]
}

fn trace(rgba: &[u8], options: &Options) -> (String, Vec<Progress>) {
    let image = Image::new(WIDTH, HEIGHT, rgba).unwrap();
    let mut reports = Vec::new();
    let svg = trace_with(&image, options, |progress| {
        reports.push(progress);
        ControlFlow::Continue(())
    });
    (svg.unwrap(), reports)
}

#[test]
fn every_number_of_threads_gives_the_same_result() {
    for (name, rgba) in images() {
        for settings in [&[][..], &[("mode", "polygon")], &[("mode", "none")], &[("colorMode", "binary")]] {
            let mut options = Options::default();
            settings.iter().for_each(|(name, choice)| options.set(name, choice).unwrap());
            limit_threads(1);
            let expected = trace(&rgba, &options);
            for threads in [2, 3, 8] {
                limit_threads(threads);
                assert!(trace(&rgba, &options) == expected, "{name} {settings:?} on {threads} threads");
            }
        }
    }
}
