//! Fourier–Motzkin elimination: a proof that a system has no points, which needs no boxes.
//!
//! A variable is eliminated by adding each row that bounds it from below to each that bounds it from above. Rows are divided by
//! their common divisor, and constants are rounded down: points are integers. A negative constant without variables is a
//! contradiction. The number of rows may grow fast, so beyond [`MOST`] nothing is proved.

use super::{Row, System, common_divisor};

/// Rows at one time
const MOST: usize = 400;

impl System {
    /// Is it shown that there are no points? If not, there may still be none.
    pub(super) fn is_refuted(&self) -> bool {
        let Some(mut rows) = self.inequalities() else { return false };
        loop {
            if rows.iter().any(|row| row.terms.is_empty() && row.constant < 0) {
                return true;
            }
            rows.retain(|row| !row.terms.is_empty());
            let Some(variable) = cheapest(&rows) else { return false };
            match without(&rows, variable) {
                Some(fewer) if fewer.len() <= MOST => rows = fewer,
                _ => return false,
            }
        }
    }

    /// All rows and bounds as rows that are not negative; `None` on overflow
    fn inequalities(&self) -> Option<Vec<Row>> {
        let mut rows = Vec::new();
        for row in &self.zero {
            rows.push(tightened(row.clone()));
            rows.push(tightened(Row::default().plus(row, -1)?));
        }
        rows.extend(self.positive.iter().cloned().map(tightened));
        let mut used: Vec<usize> = rows.iter().flat_map(|row| row.terms.iter().map(|(n, _)| *n)).collect();
        used.sort_unstable();
        used.dedup();
        for variable in used {
            let (low, high) = self.bounds[variable];
            rows.push(Row::constant(low.checked_neg()?).with(variable, 1)?);
            rows.push(Row::constant(high).with(variable, -1)?);
        }
        Some(rows)
    }
}

/// A row divided by its common divisor
fn tightened(mut row: Row) -> Row {
    let divisor = common_divisor(row.terms.iter().map(|(_, c)| *c));
    if divisor > 1 {
        row.terms.iter_mut().for_each(|(_, c)| *c /= divisor);
        row.constant = row.constant.div_euclid(divisor);
    }
    row
}

/// The variable whose elimination leaves fewest rows
fn cheapest(rows: &[Row]) -> Option<usize> {
    let mut counts: Vec<[usize; 2]> = Vec::new();
    for (variable, c) in rows.iter().flat_map(|row| &row.terms) {
        counts.resize(counts.len().max(variable + 1), [0; 2]);
        counts[*variable][usize::from(*c > 0)] += 1;
    }
    let used = counts.iter().enumerate().filter(|(_, [less, more])| less + more > 0);
    used.min_by_key(|(_, [less, more])| less * more).map(|(variable, _)| variable)
}

/// What follows from rows for the other variables; `None` on overflow, or if it is too much
fn without(rows: &[Row], variable: usize) -> Option<Vec<Row>> {
    let (mut below, mut above, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        match row.coefficient(variable) {
            0 => all.push(row.clone()),
            1.. => below.push(row),
            _ => above.push(row),
        }
    }
    if below.len() * above.len() > 4 * MOST {
        return None;
    }
    for low in &below {
        for high in &above {
            let (a, b) = (low.coefficient(variable), high.coefficient(variable).checked_neg()?);
            let sum = Row::default().plus(low, b)?.plus(high, a)?;
            all.push(tightened(sum));
        }
    }
    // Of rows that differ in their constants only, the least says all.
    all.sort_by(|a, b| (&a.terms, a.constant).cmp(&(&b.terms, b.constant)));
    all.dedup_by(|next, kept| next.terms == kept.terms);
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(bounds: &[(i128, i128)], rows: &[(i128, &[(usize, i128)])]) -> System {
        let mut system = System::default();
        for (low, high) in bounds {
            system.variable(*low, *high);
        }
        for (constant, terms) in rows {
            let row = terms.iter().try_fold(Row::constant(*constant), |row, (n, c)| row.with(*n, *c));
            system.not_negative(row.expect("small"));
        }
        system
    }

    #[test]
    fn a_circle_of_inequalities_is_a_contradiction() {
        // x ≥ y + 1, y ≥ z + 1, z ≥ x + 1
        let wide = [(0, 1 << 40); 3];
        let circle: [(i128, &[(usize, i128)]); 3] =
            [(-1, &[(0, 1), (1, -1)]), (-1, &[(1, 1), (2, -1)]), (-1, &[(2, 1), (0, -1)])];
        assert!(system(&wide, &circle).is_refuted());
        assert!(!system(&wide, &circle[..2]).is_refuted());
    }

    #[test]
    fn constants_are_rounded_to_integers() {
        // 1 ≤ 2 x - 2 y ≤ 1
        let rows: [(i128, &[(usize, i128)]); 2] = [(-1, &[(0, 2), (1, -2)]), (1, &[(0, -2), (1, 2)])];
        assert!(system(&[(0, 1 << 40); 2], &rows).is_refuted());
    }

    #[test]
    fn systems_with_points_are_not_refuted() {
        for seed in 0..2000i128 {
            let digit = |n: u32| (seed * 7919 + 13).rem_euclid(7i128.pow(n + 1)) / 7i128.pow(n) - 3;
            let terms = |n: u32| [(0, digit(n)), (1, digit(n + 1)), (2, digit(n + 2))];
            let rows = [(digit(0), terms(1)), (digit(1), terms(0)), (digit(3) - 2, terms(2))];
            let own: Vec<(i128, &[(usize, i128)])> = rows.iter().map(|(c, terms)| (*c, &terms[..])).collect();
            let system = system(&[(-2, 3); 3], &own);
            let range = || -2..=3i128;
            let points = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z])));
            let holds = |point: &[i128; 3]| system.positive.iter().all(|row| row.value(point) >= Some(0));
            if points.into_iter().any(|point| holds(&point)) {
                assert!(!system.is_refuted(), "seed {seed}");
            }
        }
    }
}
