//! Whether accesses touch the same element, and after how many iterations.

use crate::graph::{Access, Graph, Index, What};
use terrace_support::HashMap;

/// Iterations that are looked at; in longer nests any iteration may touch what the one before did
const MOST: i64 = 1 << 22;

/// Must the second of two accesses of an iteration wait for the first?
pub(crate) fn before_in_iteration(first: &Access, second: &Access) -> bool {
    if first.memory != second.memory || !(first.stores || second.stores) {
        return false;
    }
    let apart = first.element.plus(&second.element.times(-1));
    // The same terms and another constant: another element.
    !(apart.terms.is_empty() && apart.constant != 0)
}

/// Fewest iterations from one access to another one of the same element; none if that never happens. It takes what it looks at from `left`, and is the
/// least possible where nothing is left
pub(crate) fn distance(
    graph: &Graph,
    from: &Access,
    to: &Access,
    trips: &[i64],
    left: &mut i64,
) -> Option<i64> {
    let total = trips.iter().try_fold(1i64, |all, trips| all.checked_mul(*trips));
    let walk = Walk::of(graph, &from.element, trips).zip(Walk::of(graph, &to.element, trips));
    let (Some((a, b)), Some(total)) = (walk, total.filter(|total| *total <= MOST)) else { return Some(1) };
    if a.still != b.still || *left < total {
        return Some(1);
    }
    *left -= total;
    let mut seen: HashMap<i64, i64> = HashMap::default();
    let mut least: Option<i64> = None;
    let mut at = vec![0i64; trips.len()];
    for n in 0..total {
        if let Some(before) = seen.get(&b.element(&at)) {
            least = Some(least.map_or(n - before, |least| least.min(n - before)));
            if least == Some(1) {
                break;
            }
        }
        seen.insert(a.element(&at), n);
        for (dim, at) in at.iter_mut().enumerate().rev() {
            *at += 1;
            if *at < trips[dim] {
                break;
            }
            *at = 0;
        }
    }
    least
}

/// An index along the iterations of a nest
struct Walk {
    constant: i64,
    /// By loop
    by: Vec<i64>,
    /// The part that does not change
    still: Vec<(usize, i64)>,
}

impl Walk {
    fn of(graph: &Graph, index: &Index, trips: &[i64]) -> Option<Walk> {
        let mut walk = Walk { constant: index.constant, by: vec![0; trips.len()], still: Vec::new() };
        for (node, by) in &index.terms {
            match &graph.nodes[*node].what {
                What::Counter(dim) => walk.by[*dim] = walk.by[*dim].wrapping_add(*by),
                What::Still(_) => walk.still.push((*node, *by)),
                // Of what does not change.
                _ if is_still(graph, *node) => walk.still.push((*node, *by)),
                _ => return None,
            }
        }
        Some(walk)
    }

    fn element(&self, at: &[i64]) -> i64 {
        let parts = self.by.iter().zip(at).map(|(by, at)| by.wrapping_mul(*at));
        parts.fold(self.constant, i64::wrapping_add)
    }
}

/// Is a node computed from what does not change alone?
fn is_still(graph: &Graph, node: usize) -> bool {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        match &graph.nodes[node].what {
            What::Still(_) => {}
            What::Cell { .. } | What::Sum { .. } => pending.extend(&graph.nodes[node].args),
            _ => return false,
        }
    }
    true
}
