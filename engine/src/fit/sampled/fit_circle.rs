//! The circle on which samples lie: I. Kåsa's algebraic fit ("A circle fitting procedure and its error analysis",
//! 1976).

use super::vector::Vector;

/// A circle that was fitted to samples.
pub(crate) struct FitCircle {
    pub center: Vector,
    pub radius: f64,
}

impl FitCircle {
    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    /// The circle nearest to samples. It is biased for short arcs, but not for samples all the way round.
    #[inline(never)]
    pub fn of(run: &[Vector]) -> Option<Self> {
        let inverse = 1.0 / run.len() as f64;
        let mean = run.iter().fold(Vector::default(), |sum, &point| sum + point) * inverse;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        let mut moment = Vector::default();
        for &point in run {
            let away = point - mean;
            xx += away.x * away.x;
            xy += away.x * away.y;
            yy += away.y * away.y;
            moment = moment + away * away.dot(away);
        }
        let determinant = xx * yy - xy * xy;
        if determinant <= 0.0 {
            return None;
        }
        let shift =
            Vector::new(moment.x * yy - moment.y * xy, moment.y * xx - moment.x * xy) * (0.5 / determinant);
        Some(FitCircle { center: mean + shift, radius: ((xx + yy) * inverse + shift.dot(shift)).sqrt() })
    }
}
