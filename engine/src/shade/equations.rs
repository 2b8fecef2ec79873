//! Linear equations of least squares.

/// The columns of a system: up to eight unknowns and four right sides, from [`RIGHT`] on, or up to eleven and one right side, the last.
pub(super) const ROW: usize = 12;

/// The column of the first of four right sides.
pub(super) const RIGHT: usize = ROW - 4;

/// Solves a symmetric, positive system by elimination: its right sides become the solutions. Each diagonal element first grows by a share.
#[inline(never)]
pub(super) fn eliminate<const LENGTH: usize>(rows: &mut [[f64; LENGTH]], damping: f64) {
    for (k, row) in rows.iter_mut().enumerate() {
        row[k] += (damping + f64::from(f32::EPSILON) * f64::from(f32::EPSILON)) * row[k] + f64::MIN_POSITIVE;
    }
    for k in 0..rows.len() {
        let pivot = rows[k][k];
        rows[k].iter_mut().for_each(|value| *value /= pivot);
        let row = rows[k];
        for (_, other) in rows.iter_mut().enumerate().filter(|(j, _)| *j != k) {
            let share = other[k];
            other[k..].iter_mut().zip(&row[k..]).for_each(|(value, by)| *value -= share * by);
        }
    }
}

/// A symmetric, positive matrix that is zero but on the diagonal and beside it, as a product of three: below the diagonal, on it, and above.
#[derive(Clone)]
pub(super) struct Tridiagonal<const N: usize> {
    /// 1 over what stands on it.
    per_pivot: [f64; N],
    beside: [f64; N],
}

impl<const N: usize> Default for Tridiagonal<N> {
    fn default() -> Self {
        Tridiagonal { per_pivot: [1.0; N], beside: [0.0; N] }
    }
}

impl<const N: usize> Tridiagonal<N> {
    /// Of what stands on the diagonal, and beside each of these but the last.
    pub fn new(diagonal: &[f32], beside: &[f32]) -> Self {
        let mut found = Self::default();
        let mut taken = 0.0;
        for (k, (&diagonal, &beside)) in diagonal.iter().zip(beside).enumerate() {
            found.per_pivot[k] = 1.0 / (f64::from(diagonal) - taken + f64::MIN_POSITIVE);
            found.beside[k] = f64::from(beside) * found.per_pivot[k];
            taken = found.beside[k] * f64::from(beside);
        }
        found
    }

    /// Right sides become solutions.
    #[inline(never)]
    pub fn solve<const M: usize>(&self, rights: &mut [[f64; M]]) {
        for k in 1..rights.len() {
            let before = rights[k - 1];
            rights[k].iter_mut().zip(before).for_each(|(value, by)| *value -= self.beside[k - 1] * by);
        }
        let mut behind = [0.0; M];
        for (k, right) in rights.iter_mut().enumerate().rev() {
            for (value, by) in right.iter_mut().zip(behind) {
                *value = *value * self.per_pivot[k] - self.beside[k] * by;
            }
            behind = *right;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tridiagonal_matrix_times_the_solutions_gives_the_right_sides() {
        let (diagonal, beside) = ([2.0f32, 5.0, 4.0, 3.0], [1.0f32, -2.0, 0.5, 0.0]);
        let rights = [[1.0, 0.0], [7.0, -3.0], [0.0, 2.0], [4.0, 9.0]];
        let mut found = rights;
        Tridiagonal::<4>::new(&diagonal, &beside).solve(&mut found);
        for (k, right) in rights.iter().enumerate() {
            for (side, right) in right.iter().enumerate() {
                let mut product = f64::from(diagonal[k]) * found[k][side];
                if k > 0 {
                    product += f64::from(beside[k - 1]) * found[k - 1][side];
                }
                if k < 3 {
                    product += f64::from(beside[k]) * found[k + 1][side];
                }
                assert!((product - right).abs() < 1e-9, "{product} {right}");
            }
        }
    }
}
