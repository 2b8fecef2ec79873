//! A traced SVG, read back.
use kurbo::{Arc, BezPath, Point, Shape, SvgArc, Vec2};
use svgtypes::{PathParser, PathSegment};

/// Arcs become curves that pass this near to them, px.
const ARC_PX: f64 = 1e-4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Line,
    Cubic,
    Arc,
}

/// One segment of an outline.
#[derive(Debug, Clone)]
pub struct Piece {
    pub kind: Kind,
    pub from: Point,
    pub to: Point,
}

impl Piece {
    pub fn is_line(&self) -> bool {
        self.kind == Kind::Line
    }

    pub fn length(&self) -> f64 {
        (self.to - self.from).hypot()
    }
}

#[derive(Debug, Clone)]
pub struct TracedPath {
    /// `#` and its digits, three or six.
    pub fill: String,
    pub pieces: Vec<Piece>,
    pub outline: BezPath,
}

#[derive(Debug, Clone)]
pub struct Traced {
    pub width: usize,
    pub height: usize,
    pub paths: Vec<TracedPath>,
    pub text: String,
}

impl Traced {
    pub fn parse(svg: &str) -> Self {
        let side = |name| attribute(svg, name).expect("a side").parse().expect("whole pixels");
        let paths = svg.split("<path").skip(1).map(TracedPath::parse).collect();
        Traced { width: side("width"), height: side("height"), paths, text: svg.to_owned() }
    }

    /// What is seen at a point.
    pub fn color_at(&self, point: Point) -> Option<[u8; 3]> {
        self.paths.iter().rev().find(|path| path.outline.winding(point) != 0).map(TracedPath::color)
    }

    /// The last painted path: the shape, where a picture shows one on a ground.
    pub fn top(&self) -> &TracedPath {
        self.paths.last().expect("something was drawn")
    }
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
    element[start..].split('"').next()
}

impl TracedPath {
    fn parse(element: &str) -> Self {
        let element = element.split('>').next().expect("split gives at least one part");
        let mut reader = Reader::default();
        for segment in PathParser::from(attribute(element, "d").expect("path data")) {
            reader.read(segment.expect("well-formed path data"));
        }
        let fill = attribute(element, "fill").unwrap_or("#000").to_owned();
        TracedPath { fill, pieces: reader.pieces, outline: reader.outline }
    }

    pub fn color(&self) -> [u8; 3] {
        let digits = &self.fill[1..];
        let step = digits.len() / 3;
        [0, 1, 2].map(|channel| {
            let part = &digits[channel * step..(channel + 1) * step];
            let value = u8::from_str_radix(part, 16).expect("a color in hexadecimal digits");
            if step == 1 { value * 17 } else { value }
        })
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.pieces.iter().filter(|piece| piece.kind == kind).count()
    }
}

#[derive(Default)]
struct Reader {
    pieces: Vec<Piece>,
    outline: BezPath,
    start: Point,
    at: Point,
    /// The last cubic's second control point.
    handle: Option<Point>,
}

impl Reader {
    fn read(&mut self, segment: PathSegment) {
        let handle = self.handle.take();
        let from = self.at;
        let base = |abs: bool| if abs { Vec2::ZERO } else { from.to_vec2() };
        match segment {
            PathSegment::MoveTo { abs, x, y } => {
                self.at = Point::new(x, y) + base(abs);
                self.start = self.at;
                self.outline.move_to(self.at);
            }
            PathSegment::LineTo { abs, x, y } => self.line(Point::new(x, y) + base(abs)),
            PathSegment::HorizontalLineTo { abs, x } => self.line(Point::new(x + base(abs).x, from.y)),
            PathSegment::VerticalLineTo { abs, y } => self.line(Point::new(from.x, y + base(abs).y)),
            PathSegment::CurveTo { abs, x1, y1, x2, y2, x, y } => {
                let by = base(abs);
                self.cubic(Point::new(x1, y1) + by, Point::new(x2, y2) + by, Point::new(x, y) + by);
            }
            PathSegment::SmoothCurveTo { abs, x2, y2, x, y } => {
                let mirrored = handle.map_or(from, |handle| from + (from - handle));
                self.cubic(mirrored, Point::new(x2, y2) + base(abs), Point::new(x, y) + base(abs));
            }
            PathSegment::EllipticalArc { abs, rx, ry, x_axis_rotation, large_arc, sweep, x, y } => {
                let to = Point::new(x, y) + base(abs);
                let x_rotation = x_axis_rotation.to_radians();
                self.arc(&SvgArc { from, to, radii: Vec2::new(rx, ry), x_rotation, large_arc, sweep });
            }
            PathSegment::ClosePath { .. } => {
                // Relative steps add up to the start but for what doubles round.
                if (self.at - self.start).hypot() > 1e-6 {
                    self.piece(Kind::Line, self.start);
                }
                self.at = self.start;
                self.outline.close_path();
            }
            PathSegment::Quadratic { .. } | PathSegment::SmoothQuadratic { .. } => {
                panic!("the engine writes no quadratic curves")
            }
        }
    }

    fn piece(&mut self, kind: Kind, to: Point) {
        self.pieces.push(Piece { kind, from: self.at, to });
        self.at = to;
    }

    fn line(&mut self, to: Point) {
        self.piece(Kind::Line, to);
        self.outline.line_to(to);
    }

    fn cubic(&mut self, a: Point, b: Point, to: Point) {
        self.piece(Kind::Cubic, to);
        self.handle = Some(b);
        self.outline.curve_to(a, b, to);
    }

    fn arc(&mut self, arc: &SvgArc) {
        self.piece(Kind::Arc, arc.to);
        match Arc::from_svg_arc(arc) {
            Some(curve) => self.outline.extend(curve.append_iter(ARC_PX)),
            None => self.outline.line_to(arc.to),
        }
    }
}
