//! What branches add up to: counts, maxima, bytes that belong to a whole tree and not to one path.
//!
//! A sum is made from below: of a variable with its value and the sum of what is below it, and of branches side by side.
//! Solutions with different sums are kept apart, so that a diagram splits: each state becomes one for each sum that its
//! solutions have. What a sum refuses has no state. Exact, and as large as there are sums: with too many it says so.

use crate::diagram::{Diagram, Edge, Node};
use crate::model::Model;
use crate::uncounted::Uncounted;
use std::hash::Hash;
use terrace_support::HashMap;

/// How branches add up
pub trait Sums {
    /// What is known of some variables with values
    type Sum: Clone + Eq + Hash;
    /// Of none
    fn none(&self) -> Self::Sum;
    /// Of a variable with a value, and all below it; `None` if that cannot be. `marks`: what variables around may have left
    fn of(&self, var: usize, value: i64, below: &Self::Sum, marks: u64) -> Option<Self::Sum>;
    /// What a variable with a value leaves for those below, in addition to what those around have left
    fn mark(&self, _var: usize, _value: i64, marks: u64) -> u64 {
        marks
    }
    /// Of some and of their siblings
    fn both(&self, a: &Self::Sum, b: &Self::Sum) -> Option<Self::Sum>;
}

/// Most edges of a diagram that is split
pub const MOST_EDGES: usize = 6_000_000;

/// The diagram of those solutions that no sum refuses
pub(crate) fn split<S: Sums>(diagram: &Diagram, model: &Model, sums: &S) -> Result<Diagram, Uncounted> {
    let mut nodes: Vec<Node> = Vec::with_capacity(diagram.nodes.len());
    // Of each state its sums, with the numbers of the new states.
    let mut known: Vec<Vec<Vec<(S::Sum, u32)>>> = vec![Vec::new(); diagram.nodes.len()];
    let none = [(sums.none(), 0)];
    let marks = marks(diagram, model, sums);
    let mut total = 0;
    for n in (0..diagram.nodes.len()).rev() {
        let old = &diagram.nodes[n];
        let mut new = Node { child: old.child, next: old.next, ..Node::default() };
        let mut here = Vec::with_capacity(old.num_states());
        for (state, around) in marks[n].iter().enumerate() {
            let mut by_sum: HashMap<S::Sum, usize> = HashMap::default();
            let mut found: Vec<(S::Sum, Vec<Edge>)> = Vec::new();
            for edge in old.state(state as u32) {
                let value = model.vars[n].values[usize::from(edge.value)];
                let below: &[(S::Sum, u32)] =
                    old.child.map_or(&none, |child| &known[child][edge.down as usize]);
                let beside: &[(S::Sum, u32)] =
                    old.next.map_or(&none, |next| &known[next][edge.next as usize]);
                for (sum, down) in below {
                    let Some(own) = sums.of(n, value, sum, *around) else { continue };
                    for (other, next) in beside {
                        let Some(both) = sums.both(&own, other) else { continue };
                        let place = *by_sum.entry(both.clone()).or_insert_with(|| {
                            found.push((both, Vec::new()));
                            found.len() - 1
                        });
                        found[place].1.push(Edge { value: edge.value, down: *down, next: *next });
                        total += 1;
                    }
                }
            }
            if total > MOST_EDGES {
                return Err(Uncounted::Sums {
                    states: new.num_states(),
                    done: diagram.nodes.len() - n,
                    variables: diagram.nodes.len(),
                });
            }
            let mut states = Vec::with_capacity(found.len());
            for (sum, edges) in found {
                states.push((sum, new.num_states() as u32));
                new.push(edges);
            }
            here.push(states);
        }
        known[n] = here;
        nodes.push(new);
    }
    nodes.reverse();
    let starts = match known.first() {
        Some(first) => {
            diagram.starts.iter().flat_map(|start| &first[*start as usize]).map(|(_, n)| *n).collect()
        }
        None => Vec::new(),
    };
    Ok(Diagram { nodes, starts })
}

/// Of each state what the variables around may have left: all that they leave where it is reached
fn marks<S: Sums>(diagram: &Diagram, model: &Model, sums: &S) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = diagram.nodes.iter().map(|node| vec![0; node.num_states()]).collect();
    for (n, node) in diagram.nodes.iter().enumerate() {
        for state in 0..node.num_states() {
            let marks = all[n][state];
            for edge in node.state(state as u32) {
                let value = model.vars[n].values[usize::from(edge.value)];
                if let Some(child) = node.child {
                    all[child][edge.down as usize] |= sums.mark(n, value, marks);
                }
                if let Some(next) = node.next {
                    all[next][edge.next as usize] |= marks;
                }
            }
        }
    }
    all
}
