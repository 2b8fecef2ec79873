//! Progress reports, and stopping a trace.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use tracesmith::{Error, Image, Options, Progress, Stage, trace, trace_with};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 240;

/// Discs on a gradient, with noise: work for every stage.
fn pixels() -> Vec<u8> {
    let mut state = 1u32;
    let mut noise = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as u8
    };
    let mut pixel = |i: u32| {
        let (x, y) = ((i % WIDTH) as f32, (i / WIDTH) as f32);
        let (dx, dy) = (x % 40.0 - 20.0, y % 40.0 - 20.0);
        let coverage = (15.5 - dx.hypot(dy)).clamp(0.0, 1.0);
        let mixed = |disc: f32, background: f32| (background + (disc - background) * coverage) as u8 & 0xf0;
        [mixed(29.0, x * 0.7) + noise(), mixed(161.0, y) + noise(), mixed(242.0, 255.0 - x * 0.7), 255]
    };
    (0..WIDTH * HEIGHT).flat_map(&mut pixel).collect()
}

/// A disc that a filter made larger: each pixel that it touches shows nine tenths of it or more. The stages begin again after its edge is found.
fn raised_disc() -> Vec<u8> {
    let pixel = |i: u32| {
        let (dx, dy) = ((i % WIDTH) as f32 - 150.3, (i / WIDTH) as f32 - 120.8);
        let coverage = (90.4 - dx.hypot(dy)).clamp(0.0, 1.0);
        let shown = if coverage > 0.0 { 0.9 + 0.1 * coverage } else { 0.0 };
        let mixed = |disc: f32| (255.0 + (disc - 255.0) * shown) as u8;
        [mixed(29.0), mixed(91.0), mixed(142.0), 255]
    };
    (0..WIDTH * HEIGHT).flat_map(pixel).collect()
}

fn all_options() -> Vec<Options> {
    let set = |pairs: &[(&str, &str)]| {
        let mut options = Options::default();
        for (name, choice) in pairs {
            options.set(name, choice).unwrap();
        }
        options
    };
    vec![
        set(&[]),
        set(&[("mode", "polygon")]),
        set(&[("mode", "none")]),
        set(&[("colorMode", "binary")]),
        set(&[("colorMode", "binary"), ("mode", "none")]),
    ]
}

fn reports(image: &Image<'_>, options: &Options) -> (String, Vec<Progress>) {
    let mut reports = Vec::new();
    let svg = trace_with(image, options, |progress| {
        reports.push(progress);
        ControlFlow::Continue(())
    });
    (svg.unwrap(), reports)
}

#[test]
fn observing_keeps_the_bytes_and_progress_never_decreases() {
    for (pixels, options) in [pixels(), raised_disc()]
        .iter()
        .flat_map(|pixels| all_options().into_iter().map(move |options| (pixels, options)))
    {
        let image = Image::new(WIDTH, HEIGHT, pixels).unwrap();
        let (svg, reports) = reports(&image, &options);
        assert_eq!(svg, trace(&image, &options).unwrap());
        assert_eq!((reports[0].stage, reports[0].fraction), (Stage::Prepare, 0.0));
        assert_eq!(reports.last().unwrap().stage, Stage::Write);
        for pair in reports.windows(2) {
            assert!(pair[0].stage <= pair[1].stage && pair[0].fraction <= pair[1].fraction, "{pair:?}");
            assert!((0.0..=1.0).contains(&pair[1].fraction), "{pair:?}");
        }
    }
}

#[test]
fn long_stages_report_several_times() {
    let pixels = pixels();
    let image = Image::new(WIDTH, HEIGHT, &pixels).unwrap();
    let mut counts = BTreeMap::new();
    for progress in reports(&image, &Options::default()).1 {
        *counts.entry(progress.stage).or_insert(0) += 1;
    }
    let stages = [Stage::Segment, Stage::Resolve, Stage::Merge, Stage::Fit, Stage::Repair];
    for stage in stages {
        assert!(counts[&stage] >= 3, "{stage:?}: {counts:?}");
    }
}

#[test]
fn a_trace_stops_at_any_report() {
    let pixels = pixels();
    let image = Image::new(WIDTH, HEIGHT, &pixels).unwrap();
    for options in all_options() {
        for last in 0..reports(&image, &options).1.len() {
            let mut calls = 0;
            let stopped = trace_with(&image, &options, |_| {
                calls += 1;
                if calls > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(stopped, Err(Error::Cancelled));
            assert_eq!(calls, last + 1, "the observer was called after it stopped the trace");
        }
    }
}

#[test]
fn options_are_checked_before_the_first_report() {
    let image = Image::new(1, 1, &[0; 4]).unwrap();
    let mut options = Options::default();
    options.filter_speckle_px = -1.0;
    let result = trace_with(&image, &options, |_| unreachable!("a report before the options are checked"));
    assert_eq!(result.unwrap_err().code(), "invalid_option");
}

#[test]
fn public_types_are_send_and_sync() {
    fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Image<'_>>();
    assert_send_sync::<Options>();
    assert_send_sync::<Progress>();
    assert_send_sync::<Error>();
}
