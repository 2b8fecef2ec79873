use wide::f32x4;

/// Four channels of one pixel or color: R, G, B premultiplied by alpha, then alpha, 0 to 255.
///
/// Premultiplied values are linear in coverage, so a mixture of two colors lies on the line between them, whether
/// the mixture is of two paints or of a paint and transparency.
pub(crate) type Channels = [f32; 4];

pub(crate) fn unpremultiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    match a {
        0 | 255 => [r, g, b, a],
        _ => {
            let undo = |c: u8| ((u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a)).min(255) as u8;
            [undo(r), undo(g), undo(b), a]
        }
    }
}

pub(crate) fn premultiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    match a {
        255 => [r, g, b, a],
        0 => [0; 4],
        _ => {
            let scale = |c: u8| ((u32::from(c) * u32::from(a) + 127) / 255) as u8;
            [scale(r), scale(g), scale(b), a]
        }
    }
}

/// The color nearest to a mean or a mixture.
pub(crate) fn rounded(color: Channels) -> [u8; 4] {
    color.map(|v| (v + 0.5) as u8)
}

/// Squared Euclidean distance.
pub(crate) fn distance_sq(a: Channels, b: Channels) -> f32 {
    let apart = minus(a, b);
    dot(apart, apart)
}

/// The way from `b` to `a`.
pub(crate) fn minus(a: Channels, b: Channels) -> Channels {
    (f32x4::new(a) - f32x4::new(b)).to_array()
}

pub(crate) fn times(share: f32, color: Channels) -> Channels {
    (f32x4::new(color) * f32x4::splat(share)).to_array()
}

/// `a`, and so much of `b`.
pub(crate) fn plus(a: Channels, share: f32, b: Channels) -> Channels {
    (f32x4::new(a) + f32x4::new(b) * f32x4::splat(share)).to_array()
}

pub(crate) fn dot(a: Channels, b: Channels) -> f32 {
    let [r, g, b, alpha] = (f32x4::new(a) * f32x4::new(b)).to_array();
    r + g + b + alpha
}
