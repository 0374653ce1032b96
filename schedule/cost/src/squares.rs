//! Copies that exchange rows and columns: squares in registers, as `scf-transpose-copies` makes them.

use terrace_devices::costs::Instructions;

/// Least side of a square: the accesses of smaller ones are as many as those of single elements
const LEAST: i64 = 4;

/// Bytes of the smallest elements with rows as long as a vector
const WORD: f64 = 4.0;

/// Bytes of rows of smaller elements
const SHORT_ROW: f64 = 16.0;

/// Loads, or stores, of a copy that exchanges so many columns with rows
pub(crate) fn side(of: &Instructions, reads: bool, sizes: [i64; 2], vector: f64, bytes: f64) -> f64 {
    // Rows are loaded and stored whole; between them each vector is shuffled once per level, one in a cycle.
    let row = |side: f64| 1.0 + if reads { side.log2() * of.loads } else { 0.0 };
    let most = if bytes >= WORD { vector } else { vector.min(SHORT_ROW) } / bytes;
    // Where rows are exchanged with columns, addresses as well.
    accesses(sizes, most as i64, &row, 1.5 * single(of))
}

/// What one element takes that is copied by itself: a load, a store and the loop follow each other
pub(crate) fn single(of: &Instructions) -> f64 {
    1.0 + of.stores / of.loads + of.stores * of.iteration
}

/// Accesses of one side, in squares of at most a power of two on each side
///
/// Remainders along both dimensions are copies of their own, in squares of at most half the side; what is smaller than
/// [`LEAST`] is copied one by one. `row` is what a row of a square takes, by its side, and `single` what an element by itself takes.
fn accesses(sizes: [i64; 2], most: i64, row: &impl Fn(f64) -> f64, single: f64) -> f64 {
    let [a, b] = sizes.map(|size| size.max(1));
    let side = 1 << a.min(b).min(most.max(1)).ilog2();
    if side < LEAST {
        return a as f64 * b as f64 * single;
    }
    let (whole_a, whole_b) = (a - a % side, b - b % side);
    let whole = whole_a as f64 * (whole_b / side) as f64 * row(side as f64);
    let rest = |sizes: [i64; 2]| match sizes.contains(&0) {
        true => 0.0,
        false => accesses(sizes, side / 2, row, single),
    };
    whole + rest([a % side, b]) + rest([whole_a, b % side])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_divide_a_copy() {
        let of = |a, b| accesses([a, b], 16, &|side| side, 1000.0);
        assert_eq!(of(16, 32), 512.0, "two squares of 16 rows");
        assert_eq!(of(16, 8), 128.0, "two squares of 8 rows");
        assert_eq!(of(3, 100), 300_000.0, "no square");
        assert_eq!(of(0, 5), 5000.0, "nothing is one");
    }

    #[test]
    fn remainders_are_smaller_squares_and_single_elements() {
        let of = |a, b| accesses([a, b], 16, &|_| 1.0, 1000.0);
        // 15 squares of 16 rows; a column of 16 is left.
        assert_eq!(of(16, 241), 240.0 + 16_000.0);
        // A square of 16, one of 4 by 16 in four of 4, and the same along the other dimension with 20 columns in five.
        assert_eq!(of(20, 20), 16.0 + 20.0 + 16.0);
    }

    #[test]
    fn large_copies_do_not_overflow_and_end() {
        let all = accesses([i64::from(u32::MAX), 7], 1, &|side| side, 1.0);
        assert_eq!(all, 7.0 * f64::from(u32::MAX));
    }
}
