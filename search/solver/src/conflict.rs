//! Minimal sets of constraints that contradict each other (QuickXplain, Junker 2004).
//!
//! A set is minimal if without any one of its constraints there is a solution. Which of several such sets comes out is
//! decided by the order: earlier constraints are preferred.

/// The conflict among `all`, given a test that tells whether a set has a solution; `None` if all together have one
pub fn minimal_conflict(all: &[usize], mut has_solution: impl FnMut(&[usize]) -> bool) -> Option<Vec<usize>> {
    if has_solution(all) {
        return None;
    }
    if !has_solution(&[]) {
        return Some(Vec::new());
    }
    let mut found = explain(&[], false, all, &mut has_solution);
    found.sort_unstable();
    Some(found)
}

/// Constraints of `open` that are needed in addition to `base`; halves, so it is log-deep
fn explain(
    base: &[usize],
    grown: bool,
    open: &[usize],
    has_solution: &mut dyn FnMut(&[usize]) -> bool,
) -> Vec<usize> {
    if grown && !has_solution(base) {
        return Vec::new();
    }
    if open.len() <= 1 {
        return open.to_vec();
    }
    let (first, second) = open.split_at(open.len() / 2);
    let with_first = [base, first].concat();
    let from_second = explain(&with_first, true, second, has_solution);
    let with_second = [base, &from_second].concat();
    let from_first = explain(&with_second, !from_second.is_empty(), first, has_solution);
    [from_first, from_second].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conflict_is_found_and_minimal() {
        let mut tests = 0;
        let found = minimal_conflict(&(0..64).collect::<Vec<_>>(), |set| {
            tests += 1;
            ![7, 30, 41].iter().all(|needed| set.contains(needed))
        });
        assert_eq!(found, Some(vec![7, 30, 41]));
        assert!(tests <= 2 * 3 * 6 + 2 * 3 + 2, "{tests}");
    }

    #[test]
    fn none_where_there_is_a_solution() {
        assert_eq!(minimal_conflict(&[1, 2, 3], |_| true), None);
        assert_eq!(minimal_conflict(&[1, 2, 3], |_| false), Some(Vec::new()));
    }
}
