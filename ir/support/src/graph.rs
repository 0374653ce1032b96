//! Order of a directed graph: successors first, and which nodes can come back to themselves.
//!
//! Strongly connected components by Tarjan's algorithm (SIAM J. Comput. 1, 1972) with a list instead of recursion.

/// Nodes, each after its successors as far as there is such an order; and whether each is on a cycle
pub fn successors_first(successors: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
    const NEW: usize = usize::MAX;
    let count = successors.len();
    let (mut index, mut low) = (vec![NEW; count], vec![0; count]);
    let (mut open, mut is_open) = (Vec::new(), vec![false; count]);
    let (mut order, mut cyclic) = (Vec::with_capacity(count), vec![false; count]);
    let mut next = 0;
    for root in 0..count {
        if index[root] != NEW {
            continue;
        }
        let mut stack: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = stack.last_mut() {
            let node = *node;
            if *edge == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
                is_open[node] = true;
            }
            let Some(&to) = successors[node].get(*edge) else {
                stack.pop();
                if let Some((around, _)) = stack.last() {
                    low[*around] = low[*around].min(low[node]);
                }
                if low[node] == index[node] {
                    let at = open.iter().rposition(|other| *other == node).unwrap_or(0);
                    let component = open.split_off(at);
                    for &member in &component {
                        is_open[member] = false;
                        cyclic[member] = component.len() > 1 || successors[member].contains(&member);
                    }
                    order.extend(component);
                }
                continue;
            };
            *edge += 1;
            if index[to] == NEW {
                stack.push((to, 0));
            } else if is_open[to] {
                low[node] = low[node].min(index[to]);
            }
        }
    }
    (order, cyclic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_and_successors_come_first() {
        // 0 → 1 → 2 → 1, 2 → 3, 3 → 3, 4 → 0, 5 alone
        let graph = [vec![1], vec![2], vec![1, 3], vec![3], vec![0], vec![]];
        let (order, cyclic) = successors_first(&graph);
        assert_eq!(cyclic, [false, true, true, true, false, false]);
        let at = |node: usize| order.iter().position(|other| *other == node);
        assert!(at(3) < at(1) && at(1) < at(0) && at(2) < at(0) && at(0) < at(4));
        assert_eq!(order.len(), 6);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let graph: Vec<Vec<usize>> = (0..100_000).map(|n| vec![(n + 1).min(99_999)]).collect();
        let (order, cyclic) = successors_first(&graph);
        assert_eq!((order[0], order[99_999], cyclic[0]), (99_999, 0, false));
    }
}
