//! Drawings with gradients, and with soft shadows, as SVG. Lengths are 128ths of the side.

/// A drawing, and how many shapes it has.
pub(crate) struct Truth {
    pub svg: String,
    pub shapes: usize,
}

fn truth(defs: &str, shapes: &str) -> Truth {
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="128" height="128"><defs>{defs}</defs>{shapes}</svg>"#
    );
    let count = ["<rect", "<circle", "<ellipse", "<path"].map(|name| shapes.matches(name).count());
    Truth { svg, shapes: count.iter().sum() }
}

fn linear(id: &str, [x1, y1, x2, y2]: [i32; 4], stops: &[&str]) -> String {
    let stops = stops_of(stops);
    format!(
        r#"<linearGradient id="{id}" gradientUnits="userSpaceOnUse" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">{stops}</linearGradient>"#
    )
}

/// `place` are attributes, such as the center.
fn radial(id: &str, place: &str, stops: &[&str]) -> String {
    let stops = stops_of(stops);
    format!(r#"<radialGradient id="{id}" gradientUnits="userSpaceOnUse" {place}>{stops}</radialGradient>"#)
}

/// Stops at even distances. Each is a color, or a color and an opacity.
fn stops_of(stops: &[&str]) -> String {
    let last = stops.len().max(2) - 1;
    let stop = |(k, stop): (usize, &&str)| {
        let (color, opacity) = stop.split_once(' ').unwrap_or((stop, "1"));
        let offset = k as f64 / last as f64;
        format!(r#"<stop offset="{offset}" stop-color="{color}" stop-opacity="{opacity}"/>"#)
    };
    stops.iter().enumerate().map(stop).collect()
}

const FRAME: &str = r#"<rect width="128" height="128" fill="url(#a)"/>"#;

/// Linear frames, radial discs, focal points, fades, gradients over others and beneath flat shapes.
pub(crate) fn with_gradients() -> Vec<Truth> {
    let flat = |color: &str| format!(r#"<rect width="128" height="128" fill="{color}"/>"#);
    let disc =
        |fill: &str, x: f64, y: f64, r: f64| format!(r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>"#);
    let round = |fill: &str, [x, y, width, height, r]: [i32; 5]| {
        format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{r}" fill="{fill}"/>"#)
    };
    let white = flat("#fff");
    vec![
        truth(&linear("a", [0, 0, 128, 0], &["#1e3c72", "#2a9d8f"]), FRAME),
        truth(&linear("a", [0, 0, 128, 128], &["#ff512f", "#dd2476", "#40106a"]), FRAME),
        truth(
            &linear("a", [0, 20, 0, 108], &["#56ccf2", "#2f80ed"]),
            &(white.clone() + &round("url(#a)", [16, 20, 96, 88, 14])),
        ),
        truth(
            &linear("a", [0, 128, 128, 0], &["#f7971e", "#ffd200"]),
            &(FRAME.to_owned() + &round("#fff", [36, 36, 56, 56, 12])),
        ),
        truth(
            &radial("a", r#"cx="64" cy="64" r="48""#, &["#fff", "#4a90d9"]),
            &(white.clone() + &disc("url(#a)", 64.0, 64.0, 48.0)),
        ),
        truth(
            &radial("a", r#"cx="46" cy="44" r="80""#, &["#fff3c4", "#e2574c"]),
            &(white.clone() + &disc("url(#a)", 66.0, 63.0, 45.5)),
        ),
        truth(
            &radial("a", r#"cx="64" cy="64" r="50" fx="46" fy="44""#, &["#fff", "#2e7d32"]),
            &(white.clone() + &disc("url(#a)", 64.0, 64.0, 50.0)),
        ),
        truth(&radial("a", r#"cx="64" cy="64" r="92" fx="90" fy="40""#, &["#ffe29f", "#ff719a"]), FRAME),
        truth(
            &linear("a", [12, 0, 116, 0], &["#d32f2f", "#d32f2f 0"]),
            &round("url(#a)", [12, 24, 104, 80, 0]),
        ),
        truth(
            &radial("a", r#"cx="64" cy="64" r="56""#, &["#1565c0", "#1565c0 0"]),
            &disc("url(#a)", 64.0, 64.0, 56.0),
        ),
        truth(&linear("a", [0, 128, 0, 30], &["#000", "#000 0"]), &(flat("#ff9966") + FRAME)),
        truth(
            &radial("a", r#"cx="48" cy="80" r="60""#, &["#fff", "#fff 0"]),
            &(flat("#6a3093") + &disc("url(#a)", 48.0, 80.0, 60.0)),
        ),
        truth(
            &(linear("a", [0, 0, 0, 128], &["#2193b0", "#6dd5ed"])
                + &radial("b", r#"cx="70" cy="60" r="40""#, &["#fffde4", "#f9a826"])),
            &(FRAME.to_owned() + &disc("url(#b)", 78.0, 70.0, 34.0)),
        ),
        truth(
            &(linear("a", [0, 0, 128, 60], &["#11998e", "#38ef7d"])
                + &radial("b", r#"cx="44" cy="40" r="52""#, &["#fff .8", "#fff 0"])),
            &(FRAME.to_owned() + &disc("url(#b)", 44.0, 40.0, 52.0)),
        ),
        truth(
            &(radial("a", r#"cx="40" cy="44" r="44""#, &["#ff4081", "#ff4081 0"])
                + &radial("b", r#"cx="84" cy="80" r="40""#, &["#ffeb3b", "#ffeb3b 0"])),
            &(flat("#311b92") + &disc("url(#a)", 40.0, 44.0, 44.0) + &disc("url(#b)", 84.0, 80.0, 40.0)),
        ),
        truth(
            &linear("a", [0, 0, 128, 128], &["#4568dc", "#b06ab3"]),
            &(FRAME.to_owned()
                + &round("#fefefe", [20, 28, 88, 72, 16])
                + &disc("#202040", 64.0, 64.0, 22.0)),
        ),
        truth(
            &radial(
                "a",
                r#"cx="0" cy="0" r="1" gradientTransform="translate(64 64)rotate(30)scale(56 34)""#,
                &["#fbc2eb", "#6a85b6"],
            ),
            &(white.clone()
                + r#"<ellipse cx="64" cy="64" rx="56" ry="34" transform="rotate(30 64 64)" fill="url(#a)"/>"#),
        ),
        truth(&radial("a", r#"cx="64" cy="70" r="80""#, &["#fff8e1", "#ff8f00", "#4e342e"]), FRAME),
        truth(
            &(linear("a", [0, 40, 0, 88], &["#43a047", "#1b5e20"])
                + &linear("b", [0, 40, 0, 66], &["#fff .6", "#fff .1"])),
            &(white.clone()
                + &round("url(#a)", [10, 40, 108, 48, 12])
                + &round("url(#b)", [14, 43, 100, 22, 9])),
        ),
        truth(
            &(linear("a", [0, 0, 0, 128], &["#0f2027", "#203a43", "#f2994a"])
                + &radial("b", r#"cx="64" cy="100" r="40""#, &["#fff59d", "#fff59d 0"])),
            &(FRAME.to_owned() + &disc("url(#b)", 64.0, 100.0, 40.0)),
        ),
    ]
}

/// Soft shadows of cards, discs and letters, on white, on a color and on transparency.
pub(crate) fn with_shadows() -> Vec<Truth> {
    let card = r#"<rect x="28" y="34" width="72" height="56" rx="6""#;
    let square = r#"<rect x="36" y="36" width="56" height="56""#;
    let disc = r#"<circle cx="64" cy="62" r="34""#;
    let pill = r#"<rect x="18" y="46" width="92" height="32" rx="16""#;
    let letters = [
        r#"<path d="M40 28h16v56h32v16H40z""#,
        r#"<path d="M28 28h72v16H72v56H56V44H28z""#,
        r#"<path d="M56 24h16l30 80H85l-7-20H50l-7 20H26zm8 20-9 26h18z""#,
    ];
    let grounds = ["#fff", "#8ecae6", ""];
    let mut found = Vec::new();
    let mut add = |shape: &str, ground: &str, (blur, dy, opacity): (f64, f64, f64), fill: &str| {
        let defs = format!(
            r#"<filter id="s" filterUnits="userSpaceOnUse" x="-64" y="-64" width="256" height="256"><feGaussianBlur stdDeviation="{blur}"/></filter>"#
        );
        let frame = if ground.is_empty() {
            String::new()
        } else {
            format!(r#"<rect width="128" height="128" fill="{ground}"/>"#)
        };
        let shadow =
            format!(r#"{shape} transform="translate(0 {dy})" fill-opacity="{opacity}" filter="url(#s)"/>"#);
        found.push(truth(&defs, &(frame + &shadow + &format!(r#"{shape} fill="{fill}"/>"#))));
    };
    for (k, ground) in grounds.into_iter().enumerate() {
        let fill = ["#fafafa", "#fff", "#e63946"][k];
        add(card, ground, (4.0, 4.0, 0.4), fill);
        add(square, ground, (7.0, 2.0, 0.5), fill);
        add(disc, ground, (5.0, 5.0, 0.45), fill);
        add(letters[k], ground, (2.5, 3.0, 0.5), "#e63946");
        add(pill, ground, (3.0, 6.0, 0.35), "#457b9d");
    }
    add(disc, grounds[1], (9.0, 8.0, 0.6), "#ffb703");
    add(letters[2], grounds[0], (4.0, 4.0, 0.4), "#1d3557");
    add(card, grounds[0], (2.0, 1.0, 0.3), "#1d3557");
    add(r#"<ellipse cx="64" cy="84" rx="48" ry="20""#, grounds[0], (6.0, 4.0, 0.5), "#90be6d");
    add(letters[0], grounds[1], (5.0, 0.0, 0.6), "#fff");
    found
}
