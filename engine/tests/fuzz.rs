//! Random images with random options: every trace gives a complete document, deterministically, without a panic.
//!
//! `TRACESMITH_FUZZ_CASES=100000 cargo test --release --test fuzz` runs more cases, `TRACESMITH_FUZZ_SEED` other ones. A failure reports
//! the case's number.

use tracesmith::{Image, OPTION_TABLE, OptionKind, Options, trace};

const CASES: u64 = 1000;
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// A xorshift generator: the same images in every run.
struct Random(u64);

impl Random {
    fn for_case(seed: u64, case: u64) -> Self {
        // The finalizer of splitmix64, so that the sequences of neighboring cases are independent.
        let mut z = seed ^ case.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 30)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Random((z ^ (z >> 31)) | 1)
    }

    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    fn color(&mut self) -> [u8; 4] {
        let mut color = (self.next(1 << 32) as u32).to_le_bytes();
        // Most colors are opaque, some are transparent, few are translucent.
        color[3] = match self.next(5) {
            0 => color[3],
            1 => 0,
            _ => 255,
        };
        color
    }
}

fn size(random: &mut Random) -> (usize, usize) {
    let long = 1 + random.next(700) as usize;
    match random.next(8) {
        0 => (1, long),
        1 => (long, 1),
        2 => (2, long),
        3 => (long, 3),
        _ => (1 + random.next(60) as usize, 1 + random.next(60) as usize),
    }
}

/// Pixels of one of five kinds: noise, blocks of a palette, anti-aliased discs, gradients, lines one pixel wide.
fn pixels(random: &mut Random, width: usize, height: usize) -> Vec<u8> {
    let palette: Vec<[u8; 4]> = (0..1 + random.next(7)).map(|_| random.color()).collect();
    let pick = |index: u64| palette[index as usize % palette.len()];
    let kind = random.next(5);
    let (step, slope) = (2 + random.next(9), 1 + random.next(5));
    let (cx, cy, radius) = (random.next(60) as f64, random.next(60) as f64, 1.0 + random.next(30) as f64);
    let mut rgba = Vec::with_capacity(width * height * 4);
    for y in 0..height as u64 {
        for x in 0..width as u64 {
            let color = match kind {
                0 => pick(random.next(64)),
                1 => pick((x / step + y / slope) * (1 + random.next(12) / 11)),
                2 => {
                    let distance = (x as f64 - cx).hypot(y as f64 - cy);
                    mix(pick(0), pick(1), (radius + 0.5 - distance).clamp(0.0, 1.0))
                }
                3 => mix(pick(0), pick(1), (x * slope + y) as f64 / (slope * 700 + 700) as f64),
                _ => pick(u64::from((x * slope + y) % step == 0)),
            };
            rgba.extend(color);
        }
    }
    rgba
}

fn mix(a: [u8; 4], b: [u8; 4], share: f64) -> [u8; 4] {
    [0, 1, 2, 3].map(|c| (f64::from(a[c]) + (f64::from(b[c]) - f64::from(a[c])) * share) as u8)
}

fn options(random: &mut Random) -> Options {
    let mut options = Options::default();
    for spec in OPTION_TABLE {
        if random.next(2) == 0 {
            continue;
        }
        match spec.kind {
            OptionKind::Number { min, max, .. } => {
                let value = min + (max - min) * random.next(9) as f64 / 8.0;
                options.set(spec.name, &value.to_string()).expect("a number in range");
            }
            OptionKind::Choice { choices, .. } => {
                let choice = choices[random.next(choices.len() as u64) as usize];
                options.set(spec.name, choice).expect("a valid choice");
            }
            other => panic!("this test has no values for {other:?}"),
        }
    }
    options
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("an integer"))
}

#[test]
fn random_images_and_options_give_complete_deterministic_documents() {
    let (cases, seed) = (setting("TRACESMITH_FUZZ_CASES", CASES), setting("TRACESMITH_FUZZ_SEED", SEED));
    for case in 0..cases {
        let mut random = Random::for_case(seed, case);
        let (width, height) = size(&mut random);
        let rgba = pixels(&mut random, width, height);
        let options = options(&mut random);
        let result = std::panic::catch_unwind(|| {
            let image = Image::new(width as u32, height as u32, &rgba).expect("the buffer matches the size");
            let svg = trace(&image, &options).expect("the options are in range");
            assert_eq!(svg, trace(&image, &options).expect("the options are in range"), "two traces differ");
            svg
        });
        let Ok(svg) = result else { panic!("case {case} of seed {seed}: {width} × {height}, {options:?}") };
        let is_complete = svg.starts_with("<svg xmlns") && svg.ends_with("</svg>");
        assert!(
            is_complete && !svg.contains("NaN") && !svg.contains("inf"),
            "case {case} of seed {seed}: {svg}"
        );
    }
}
