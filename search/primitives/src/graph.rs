//! The space of a mini-graph: the choices of its nodes, and for each node that is read whether it is inlined, and how deep in its
//! reader its elements are computed.
//!
//! A node that is inlined is computed at each point of its reader, or once for a tile of it: then a buffer at that depth holds the tile
//! (`compute at`). Whether a node can be inlined is for the passes to say, and the rules say which tiles there are.

use crate::layout::Misfit;
use crate::orders::Group;
use crate::space::PrimitiveSpace;
use std::cell::RefCell;
use terrace_devices::Region;
use terrace_schedule_model::{Decision, Placement, Schedule};
use terrace_search_explore::{Coordinate, Space};
use terrace_search_graphs::{Graph, Origin};
use terrace_search_schedules::{Refusal, Refusals};

/// A node that another node reads
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The node, from 0
    pub node: usize,
    /// Its only reader
    pub reader: usize,
    /// Which of the reader's inputs it makes
    pub input: usize,
}

/// What a point says of a graph
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Of each node; none where it is inlined
    pub schedules: Vec<Option<Schedule>>,
}

/// May a graph be scheduled so?
pub type LegalPlan<'a> = dyn Fn(&Plan) -> Result<(), Refusal> + 'a;

/// All choices of a graph
pub struct GraphSpace<'a> {
    names: Vec<String>,
    nodes: Vec<PrimitiveSpace<'a>>,
    edges: Vec<Edge>,
    legal: &'a LegalPlan<'a>,
    refused: RefCell<Refusals>,
}

/// Nodes with one reader that is a node and one tensor that it makes: those that may be inlined
pub fn edges(graph: &Graph) -> Vec<Edge> {
    let of = |(node, own): (usize, &terrace_search_graphs::Node)| {
        let ([made], [reader]) = (own.makes.as_slice(), own.consumers.as_slice()) else { return None };
        let edge = graph.edges.get(*made)?;
        let folds = own.loops.iter().any(|one| one.reduce);
        if edge.leaves || folds || edge.from != Origin::Node(node) {
            return None;
        }
        let input = graph.nodes.get(*reader)?.reads.iter().position(|read| read == made)?;
        Some(Edge { node, reader: *reader, input })
    };
    graph.nodes.iter().enumerate().filter_map(of).collect()
}

impl<'a> GraphSpace<'a> {
    /// Of a graph, with a space for each of its nodes
    pub fn new(graph: &Graph, nodes: Vec<PrimitiveSpace<'a>>, legal: &'a LegalPlan<'a>) -> GraphSpace<'a> {
        let names = graph.nodes.iter().map(|node| node.name.clone()).collect();
        GraphSpace { names, nodes, edges: edges(graph), legal, refused: RefCell::default() }
    }

    /// Parameters of a group
    pub fn params(&self, group: Group) -> Vec<usize> {
        let first = self.first_of_graph();
        match group {
            Group::Node(n) => {
                let begin: usize = self.nodes[..n].iter().map(|node| node.names().len()).sum();
                (begin..begin + self.nodes[n].names().len()).collect()
            }
            Group::Graph => (first..first + 2 * self.edges.len()).collect(),
        }
    }

    /// How many nodes there are
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a point says
    pub fn plan(&self, point: &[Decision]) -> Result<Plan, Misfit> {
        if point.len() != self.names().len() {
            return Err(Misfit::Count(self.names().len(), point.len()));
        }
        let mut schedules = Vec::new();
        for (n, node) in self.nodes.iter().enumerate() {
            let own: Vec<Decision> =
                self.params(Group::Node(n)).into_iter().map(|param| point[param].clone()).collect();
            schedules.push(Some(crate::decode(node.layout(), &node.vector(&own)?)?));
        }
        let first = self.first_of_graph();
        for (n, edge) in self.edges.iter().enumerate() {
            if point[first + 2 * n] != Decision::There(true) {
                continue;
            }
            schedules[edge.node] = None;
            let Decision::Number(depth @ 1..) = point[first + 2 * n + 1] else { continue };
            let Some(reader) = schedules[edge.reader].as_mut() else { continue };
            let step = reader.steps.iter_mut().find(|step| step.label as i64 == depth);
            if let Some(place) = step.and_then(|step| step.ins.get_mut(edge.input)) {
                *place = Some(Placement::new(Region::L1, Vec::new()));
            }
        }
        Ok(Plan { schedules })
    }

    /// How many points each rule refused so far
    pub fn refusals(&self) -> Refusals {
        self.refused.borrow().clone()
    }

    fn first_of_graph(&self) -> usize {
        self.nodes.iter().map(|node| node.names().len()).sum()
    }

    /// The node of a parameter with its position there, or the edge with 0 or 1
    fn place(&self, param: usize) -> Option<(Group, usize, usize)> {
        let mut left = param;
        for (n, node) in self.nodes.iter().enumerate() {
            let own = node.names().len();
            if left < own {
                return Some((Group::Node(n), n, left));
            }
            left -= own;
        }
        (left < 2 * self.edges.len()).then_some((Group::Graph, left / 2, left % 2))
    }

    fn candidates(&self, before: &[Decision]) -> Vec<Decision> {
        match self.place(before.len()) {
            Some((Group::Node(n), _, at)) => self.nodes[n].values(&before[before.len() - at..]),
            Some((Group::Graph, _, 0)) => [false, true].map(Decision::There).to_vec(),
            Some((Group::Graph, edge, _)) if before.last() == Some(&Decision::There(true)) => {
                let depths = self.nodes[self.edges[edge].reader].layout().subs.len();
                (0..=depths as i64).map(Decision::Number).collect()
            }
            Some((Group::Graph, ..)) => vec![Decision::Number(0)],
            None => Vec::new(),
        }
    }

    fn is_legal(&self, choices: &[Decision]) -> bool {
        let Ok(plan) = self.plan(choices) else { return false };
        let verdict = (self.legal)(&plan);
        if let Err(refusal) = &verdict {
            self.refused.borrow_mut().add(refusal);
        }
        verdict.is_ok()
    }
}

impl Space for GraphSpace<'_> {
    fn names(&self) -> Vec<String> {
        let of_node = |(n, node): (usize, &PrimitiveSpace<'_>)| {
            node.names().into_iter().map(move |name| format!("{}.{name}", n + 1)).collect::<Vec<_>>()
        };
        let of_edge = |edge: &Edge| {
            let name = self.names.get(edge.node).map_or("?", String::as_str);
            [format!("inline.{name}"), format!("compute at.{name}")]
        };
        let nodes = self.nodes.iter().enumerate().flat_map(of_node);
        nodes.chain(self.edges.iter().flat_map(of_edge)).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let mut values = self.candidates(before);
        if before.len() + 1 == self.names().len() {
            values.retain(|value| self.is_legal(&[before, std::slice::from_ref(value)].concat()));
        }
        values
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        let last = before.len() + 1 == self.names().len();
        self.candidates(before).contains(value)
            && (!last || self.is_legal(&[before, std::slice::from_ref(value)].concat()))
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let mut all = Vec::new();
        let mut first = 0;
        for node in &self.nodes {
            let moved = |params: Vec<usize>| params.into_iter().map(|param| param + first).collect();
            all.extend(node.coordinates().into_iter().map(|own| match own {
                Coordinate::Factors { params, above, below } => {
                    Coordinate::Factors { params: moved(params), above, below }
                }
                Coordinate::Places(params) => Coordinate::Places(moved(params)),
                Coordinate::Value(param) => Coordinate::Value(param + first),
            }));
            first += node.names().len();
        }
        all.extend((first..first + 2 * self.edges.len()).map(Coordinate::Value));
        all
    }
}
