//! Linear equations of least squares.

/// The unknowns of a system with several right sides, and the column of the first of these.
pub(super) const RIGHT: usize = 9;

/// The columns of a system: up to [`RIGHT`] unknowns and four right sides, or some more unknowns and one right side, the last.
pub(super) const ROW: usize = RIGHT + 4;

/// Solves a symmetric, positive system by elimination: its right sides become the solutions. Each diagonal element first grows by a share.
#[inline(never)]
pub(super) fn eliminate(rows: &mut [[f64; ROW]], damping: f64) {
    for (k, row) in rows.iter_mut().enumerate() {
        row[k] += (damping + f64::from(f32::EPSILON) * f64::from(f32::EPSILON)) * row[k] + f64::MIN_POSITIVE;
    }
    for k in 0..rows.len() {
        let pivot = rows[k][k];
        rows[k].iter_mut().for_each(|value| *value /= pivot);
        let row = rows[k];
        for (_, other) in rows.iter_mut().enumerate().filter(|(j, _)| *j != k) {
            let share = other[k];
            other.iter_mut().zip(row).for_each(|(value, by)| *value -= share * by);
        }
    }
}
