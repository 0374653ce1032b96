//! In which order the choices of a mini-graph are made (paper, §5.3 and Algorithm 1).
//!
//! Nodes come in post-order. A phase leaves the choices of one node open, or those of the graph: which nodes are inlined where they
//! are read. All other choices stay as they are, so each phase searches a part of one space, and its best point is where the next one
//! begins.

use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::{Coordinate, Space};

/// An order of phases
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Each node, then the graph
    BottomUp,
    /// The graph, then each node
    TopDown,
    /// Bottom-up again and again, until a round gains nothing, or so often
    Recurrent(usize),
}

/// Whose choices are open
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// A node's, by number from 0
    Node(usize),
    /// The graph's
    Graph,
}

impl Order {
    /// The groups of one round over so many nodes
    pub fn round(self, nodes: usize) -> Vec<Group> {
        let nodes = (0..nodes).map(Group::Node);
        match self {
            Order::BottomUp | Order::Recurrent(_) => nodes.chain([Group::Graph]).collect(),
            Order::TopDown => [Group::Graph].into_iter().chain(nodes).collect(),
        }
    }

    /// Rounds at most
    pub fn rounds(self) -> usize {
        match self {
            Order::BottomUp | Order::TopDown => 1,
            Order::Recurrent(rounds) => rounds,
        }
    }
}

/// A space in which some choices are made already
pub struct Phase<'a> {
    space: &'a dyn Space,
    at: Point,
    free: Vec<bool>,
}

impl<'a> Phase<'a> {
    /// Only these parameters are open, by position; the others are as in the point
    pub fn new(space: &'a dyn Space, at: Point, open: &[usize]) -> Phase<'a> {
        let free = (0..at.len()).map(|param| open.contains(&param)).collect();
        Phase { space, at, free }
    }

    fn fixed(&self, param: usize) -> Option<&Decision> {
        self.at.get(param).filter(|_| self.free.get(param) == Some(&false))
    }
}

impl Space for Phase<'_> {
    fn names(&self) -> Vec<String> {
        self.space.names()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        match self.fixed(before.len()) {
            Some(own) if self.space.allows(before, own) => vec![own.clone()],
            Some(_) => Vec::new(),
            None => self.space.values(before),
        }
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        self.fixed(before.len()).is_none_or(|own| own == value) && self.space.allows(before, value)
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let is_free = |coordinate: &Coordinate| match coordinate {
            Coordinate::Factors { params, .. } | Coordinate::Places(params) => {
                params.iter().all(|param| self.fixed(*param).is_none())
            }
            Coordinate::Value(param) => self.fixed(*param).is_none(),
        };
        self.space.coordinates().into_iter().filter(is_free).collect()
    }
}

/// What came of one round or several
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The best point
    pub point: Point,
    /// Its cost
    pub cost: f64,
    /// Rounds that were made
    pub rounds: usize,
    /// The phases, in order, with the cost behind each
    pub phases: Vec<(Group, f64)>,
}

/// Search by phases. `groups` has the parameters of each; `search` finds the best point of a phase with its cost, beginning with the
/// point that is given
pub fn search(
    space: &dyn Space,
    order: Order,
    nodes: usize,
    groups: &dyn Fn(Group) -> Vec<usize>,
    start: (Point, f64),
    search: &mut dyn FnMut(&Phase<'_>, &Point) -> Option<(Point, f64)>,
) -> Found {
    let (point, cost) = start;
    let mut found = Found { point, cost, rounds: 0, phases: Vec::new() };
    for _ in 0..order.rounds() {
        let before = found.cost;
        for group in order.round(nodes) {
            let phase = Phase::new(space, found.point.clone(), &groups(group));
            if let Some((point, cost)) = search(&phase, &found.point).filter(|(_, cost)| *cost < found.cost) {
                (found.point, found.cost) = (point, cost);
            }
            found.phases.push((group, found.cost));
        }
        found.rounds += 1;
        if found.cost >= before {
            break;
        }
    }
    found
}
