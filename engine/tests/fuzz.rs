//! Any picture with any options gives a whole document, twice the same, and never a panic.
//!
//! A few seconds by default; `TRACESMITH_FUZZ_CASES=100000 cargo test --release --test fuzz` looks longer, and
//! `TRACESMITH_FUZZ_SEED` elsewhere. A failing case names its number.
use tracesmith::{Image, OPTION_TABLE, OptionKind, Options, trace};

const CASES: u64 = 400;
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// A small generator of numbers (xorshift), so that the same pictures come every time.
struct Numbers(u64);

impl Numbers {
    fn of_case(seed: u64, case: u64) -> Self {
        // Spreads neighboring numbers (the finalizer of splitmix64), so that cases are independent of each other.
        let mut z = seed ^ case.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 30)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Numbers((z ^ (z >> 31)) | 1)
    }

    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    fn color(&mut self) -> [u8; 4] {
        let mut color = (self.next(1 << 32) as u32).to_le_bytes();
        // Most pictures are opaque or have holes; few are translucent all over.
        color[3] = match self.next(5) {
            0 => color[3],
            1 => 0,
            _ => 255,
        };
        color
    }
}

fn sides(numbers: &mut Numbers) -> (usize, usize) {
    let long = 1 + numbers.next(700) as usize;
    match numbers.next(8) {
        0 => (1, long),
        1 => (long, 1),
        2 => (2, long),
        3 => (long, 3),
        _ => (1 + numbers.next(60) as usize, 1 + numbers.next(60) as usize),
    }
}

/// Pictures of several kinds: noise, a palette with runs, soft discs, ramps, a lattice of lines a pixel wide.
fn picture(numbers: &mut Numbers, width: usize, height: usize) -> Vec<u8> {
    let palette: Vec<[u8; 4]> = (0..1 + numbers.next(7)).map(|_| numbers.color()).collect();
    let pick = |index: u64| palette[index as usize % palette.len()];
    let kind = numbers.next(5);
    let (step, slope) = (2 + numbers.next(9), 1 + numbers.next(5));
    let (cx, cy, radius) = (numbers.next(60) as f64, numbers.next(60) as f64, 1.0 + numbers.next(30) as f64);
    let mut rgba = Vec::with_capacity(width * height * 4);
    for y in 0..height as u64 {
        for x in 0..width as u64 {
            let color = match kind {
                0 => pick(numbers.next(64)),
                1 => pick((x / step + y / slope) * (1 + numbers.next(12) / 11)),
                2 => {
                    let away = (x as f64 - cx).hypot(y as f64 - cy);
                    mix(pick(0), pick(1), (radius + 0.5 - away).clamp(0.0, 1.0))
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

fn options(numbers: &mut Numbers) -> Options {
    let mut options = Options::default();
    for row in OPTION_TABLE {
        if numbers.next(2) == 0 {
            continue;
        }
        match row.kind {
            OptionKind::Number { min, max, .. } => {
                let value = min + (max - min) * numbers.next(9) as f64 / 8.0;
                options.set(row.name, &value.to_string()).expect("a number of the table");
            }
            OptionKind::Choice { choices, .. } => {
                let word = choices[numbers.next(choices.len() as u64) as usize];
                options.set(row.name, word).expect("a choice of the table");
            }
            other => panic!("no values are drawn for {other:?}"),
        }
    }
    options
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a whole number"))
}

#[test]
fn any_picture_with_any_options_gives_the_same_whole_document_twice() {
    let (cases, seed) = (setting("TRACESMITH_FUZZ_CASES", CASES), setting("TRACESMITH_FUZZ_SEED", SEED));
    for case in 0..cases {
        let mut numbers = Numbers::of_case(seed, case);
        let (width, height) = sides(&mut numbers);
        let rgba = picture(&mut numbers, width, height);
        let options = options(&mut numbers);
        let drawn = std::panic::catch_unwind(|| {
            let image = Image::new(width as u32, height as u32, &rgba).expect("the buffer has its size");
            let svg = trace(&image, &options).expect("the options are in range");
            assert_eq!(svg, trace(&image, &options).expect("the options are in range"), "not the same twice");
            svg
        });
        let Ok(svg) = drawn else { panic!("case {case} of seed {seed}: {width} × {height}, {options:?}") };
        let whole = svg.starts_with("<svg xmlns") && svg.ends_with("</svg>");
        assert!(whole && !svg.contains("NaN") && !svg.contains("inf"), "case {case} of seed {seed}: {svg}");
    }
}
