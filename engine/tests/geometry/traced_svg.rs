//! Parses a traced SVG.

use kurbo::{Arc, BezPath, Point, Shape, SvgArc, Vec2};
use svgtypes::{PathParser, PathSegment};

/// The accuracy of the curves that replace arcs, px.
const ARC_PX: f64 = 1e-4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Line,
    Cubic,
    Arc,
}

/// One segment of a path, without its control points.
#[derive(Debug, Clone)]
pub struct Segment {
    pub kind: Kind,
    pub from: Point,
    pub to: Point,
}

impl Segment {
    pub fn is_line(&self) -> bool {
        self.kind == Kind::Line
    }

    pub fn length(&self) -> f64 {
        (self.to - self.from).hypot()
    }
}

#[derive(Debug, Clone)]
pub struct TracedPath {
    /// `#` and three or six hexadecimal digits.
    pub fill: String,
    pub segments: Vec<Segment>,
    pub outline: BezPath,
}

#[derive(Debug, Clone)]
pub struct TracedSvg {
    pub width: usize,
    pub height: usize,
    pub paths: Vec<TracedPath>,
    pub text: String,
}

impl TracedSvg {
    pub fn parse(svg: &str) -> Self {
        let side = |name| attribute(svg, name).expect("a width and a height").parse().expect("an integer");
        let paths = svg.split("<path").skip(1).map(TracedPath::parse).collect();
        TracedSvg { width: side("width"), height: side("height"), paths, text: svg.to_owned() }
    }

    /// The fill of the topmost path at a point.
    pub fn color_at(&self, point: Point) -> Option<[u8; 3]> {
        self.paths.iter().rev().find(|path| path.outline.winding(point) != 0).map(TracedPath::color)
    }

    /// The topmost path: the shape, if the image shows one shape on a background.
    pub fn top(&self) -> &TracedPath {
        self.paths.last().expect("at least one path")
    }
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
    element[start..].split('"').next()
}

impl TracedPath {
    fn parse(element: &str) -> Self {
        let element = element.split('>').next().expect("split returns at least one part");
        let mut reader = PathReader::default();
        for segment in PathParser::from(attribute(element, "d").expect("path data")) {
            reader.read(segment.expect("well-formed path data"));
        }
        let fill = attribute(element, "fill").unwrap_or("#000").to_owned();
        TracedPath { fill, segments: reader.segments, outline: reader.outline }
    }

    pub fn color(&self) -> [u8; 3] {
        let digits = &self.fill[1..];
        let step = digits.len() / 3;
        [0, 1, 2].map(|channel| {
            let part = &digits[channel * step..(channel + 1) * step];
            let value = u8::from_str_radix(part, 16).expect("hexadecimal digits");
            if step == 1 { value * 17 } else { value }
        })
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.segments.iter().filter(|segment| segment.kind == kind).count()
    }
}

#[derive(Default)]
struct PathReader {
    segments: Vec<Segment>,
    outline: BezPath,
    start: Point,
    current: Point,
    /// The second control point of the previous segment, if it is a cubic.
    control: Option<Point>,
}

impl PathReader {
    fn read(&mut self, segment: PathSegment) {
        let control = self.control.take();
        let from = self.current;
        let base = |abs: bool| if abs { Vec2::ZERO } else { from.to_vec2() };
        match segment {
            PathSegment::MoveTo { abs, x, y } => {
                self.current = Point::new(x, y) + base(abs);
                self.start = self.current;
                self.outline.move_to(self.current);
            }
            PathSegment::LineTo { abs, x, y } => self.line(Point::new(x, y) + base(abs)),
            PathSegment::HorizontalLineTo { abs, x } => self.line(Point::new(x + base(abs).x, from.y)),
            PathSegment::VerticalLineTo { abs, y } => self.line(Point::new(from.x, y + base(abs).y)),
            PathSegment::CurveTo { abs, x1, y1, x2, y2, x, y } => {
                let by = base(abs);
                self.cubic(Point::new(x1, y1) + by, Point::new(x2, y2) + by, Point::new(x, y) + by);
            }
            PathSegment::SmoothCurveTo { abs, x2, y2, x, y } => {
                let mirrored = control.map_or(from, |control| from + (from - control));
                self.cubic(mirrored, Point::new(x2, y2) + base(abs), Point::new(x, y) + base(abs));
            }
            PathSegment::EllipticalArc { abs, rx, ry, x_axis_rotation, large_arc, sweep, x, y } => {
                let to = Point::new(x, y) + base(abs);
                let x_rotation = x_axis_rotation.to_radians();
                self.arc(&SvgArc { from, to, radii: Vec2::new(rx, ry), x_rotation, large_arc, sweep });
            }
            PathSegment::ClosePath { .. } => {
                // Relative coordinates add up to the start, except for rounding errors.
                if (self.current - self.start).hypot() > 1e-6 {
                    self.segment(Kind::Line, self.start);
                }
                self.current = self.start;
                self.outline.close_path();
            }
            PathSegment::Quadratic { abs, x1, y1, x, y } => {
                let (control, to) = (Point::new(x1, y1) + base(abs), Point::new(x, y) + base(abs));
                self.cubic(from.lerp(control, 2.0 / 3.0), to.lerp(control, 2.0 / 3.0), to);
                self.control = None;
            }
            PathSegment::SmoothQuadratic { .. } => {
                panic!("the engine does not write smooth quadratics")
            }
        }
    }

    fn segment(&mut self, kind: Kind, to: Point) {
        self.segments.push(Segment { kind, from: self.current, to });
        self.current = to;
    }

    fn line(&mut self, to: Point) {
        self.segment(Kind::Line, to);
        self.outline.line_to(to);
    }

    fn cubic(&mut self, a: Point, b: Point, to: Point) {
        self.segment(Kind::Cubic, to);
        self.control = Some(b);
        self.outline.curve_to(a, b, to);
    }

    fn arc(&mut self, arc: &SvgArc) {
        self.segment(Kind::Arc, arc.to);
        match Arc::from_svg_arc(arc) {
            Some(curve) => self.outline.extend(curve.append_iter(ARC_PX)),
            None => self.outline.line_to(arc.to),
        }
    }
}
