//! Enlarged images: they are traced at the size that they were drawn at, so shapes stay whole and edges lie where they were.

use image::imageops::FilterType;
use kurbo::{Affine, Point, Shape};

use crate::ground_truth;
use crate::outline_distance::distances;
use crate::picture::{Color, Picture, WHITE};

const SIDE: u32 = 100;

const INKS: [Color; 3] = [[40, 60, 120], [240, 170, 40], [0, 0, 0]];

/// Kernels, and sides of the enlarged image.
const ENLARGEMENTS: [(FilterType, &[u32]); 3] = [
    (FilterType::Triangle, &[133, 150, 200, 300]),
    (FilterType::CatmullRom, &[133, 150, 200, 250, 400]),
    (FilterType::Lanczos3, &[150, 200, 300, 400, 800]),
];

/// Accepted RMS error of edges, in pixels of the image before it was enlarged.
const MAX_RMS: f64 = 0.06;

#[test]
fn shapes_and_edges_stay_as_they_were_drawn() {
    let truths = [
        ground_truth::circle(21.4, Point::new(30.3, 29.6)),
        ground_truth::square(30.0, 20.0, Point::new(70.4, 66.1)),
        ground_truth::circle(14.2, Point::new(29.7, 73.4)),
    ];
    let draw = || {
        let paper = Picture::new(SIDE as usize, SIDE as usize, WHITE);
        truths.iter().zip(INKS).fold(paper, |picture, (truth, ink)| picture.paint(&truth.outline, ink))
    };
    let clean = draw().trace();
    for (kernel, sides) in ENLARGEMENTS {
        for &side in sides {
            let traced = draw().enlarged((side, side), kernel).trace();
            assert_eq!(traced.paths.len(), clean.paths.len(), "{kernel:?} to {side}: {}", traced.text);
            let (border, whole) = (traced.paths[0].outline.bounding_box(), f64::from(side));
            assert_eq!((border.x0, border.y0, border.x1, border.y1), (0.0, 0.0, whole, whole));
            let factor = f64::from(side) / f64::from(SIDE);
            for (truth, ink) in truths.iter().zip(INKS) {
                let mut truth = truth.clone();
                truth.outline = Affine::scale(factor) * truth.outline;
                truth.corners.iter_mut().for_each(|corner| *corner = Affine::scale(factor) * *corner);
                let shape = traced.paths.iter().find(|path| path.color() == ink).expect("the ink");
                let found = distances(&truth, shape);
                println!("{kernel:?} to {side}: {found}");
                assert!(found.rms < MAX_RMS * factor, "{kernel:?} to {side}: {found} in {}", traced.text);
            }
        }
    }
}

#[test]
fn a_speckle_is_small_in_the_enlarged_image() {
    let draw = || {
        let large = ground_truth::square(40.0, 20.0, Point::new(36.3, 39.6));
        let small = ground_truth::square(3.0, 0.0, Point::new(80.5, 75.5));
        Picture::new(SIDE as usize, SIDE as usize, WHITE)
            .paint(&large.outline, INKS[0])
            .paint(&small.outline, INKS[2])
    };
    assert_eq!(draw().trace().paths.len(), 2, "3 pixels are less than filterSpeckle");
    let enlarged = draw().enlarged((3 * SIDE, 3 * SIDE), FilterType::CatmullRom);
    assert_eq!(enlarged.trace().paths.len(), 3, "9 pixels are more");
}
