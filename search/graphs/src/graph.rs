//! Nodes and edges of a function's graph.

use crate::memory;
use crate::operations::{operations, points};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use terrace_dialect_mdh::view::View;
use terrace_dialect_mdh::{Compute, Misfit};
use terrace_ir::{Ir, OpId, TypeKind, Value, ValueDef, show};

/// A loop of a node
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Name of the dimension
    pub name: String,
    /// Trip count; of an extent that is known at run time, its bound
    pub trip: i64,
    /// Its iterations depend on each other: they are folded, or each has the fold of those up to it
    pub reduce: bool,
}

/// A computation
#[derive(Clone, Debug)]
pub struct Node {
    /// The op
    pub op: OpId,
    /// Name of the computation, else of its first result
    pub name: String,
    /// Loops in the order of the source
    pub loops: Vec<Loop>,
    /// Edges that it reads, each once
    pub reads: Vec<usize>,
    /// Edges that it makes, one for each result
    pub makes: Vec<usize>,
    /// Nodes that read what it makes, each once
    pub consumers: Vec<usize>,
    /// Product of the trip counts; `None` beyond 64 bits
    pub points: Option<u64>,
    /// Operations on numbers ([`operations`])
    pub operations: Option<u64>,
}

/// Where a tensor comes from
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A node, by its number
    Node(usize),
    /// The function's argument
    Argument,
    /// What a loop or branch around the computation carries
    Carried,
    /// An op that is no computation, by its name
    Op(String),
}

/// A tensor
#[derive(Clone, Debug)]
pub struct Edge {
    /// The value
    pub value: Value,
    /// Its name, without `%`
    pub name: String,
    /// Its type as text
    pub ty: String,
    /// What makes it
    pub from: Origin,
    /// Nodes that read it, directly or through ops that only move elements; each once
    pub to: Vec<usize>,
    /// Something other than a node uses it: it leaves the graph
    pub leaves: bool,
}

/// The mini-graph of a function
#[derive(Clone, Debug)]
pub struct Graph {
    /// Name of the function
    pub function: String,
    /// Nodes in post-order: producers first, ties in the order of the program
    pub nodes: Vec<Node>,
    /// Tensors in the order of first use or definition
    pub edges: Vec<Edge>,
}

impl Node {
    /// Loops that are independent, or those that are folded
    pub fn loops_of(&self, reduce: bool) -> impl Iterator<Item = &Loop> {
        self.loops.iter().filter(move |one| one.reduce == reduce)
    }

    /// `#sl` and `#rl`: numbers of spatial and of reduce loops
    pub fn counts(&self) -> [usize; 2] {
        [false, true].map(|reduce| self.loops_of(reduce).count())
    }
}

impl Graph {
    /// The graph of a function; the error is a property of a computation that does not fit
    pub fn read(unit: &Ir) -> Result<Graph, Misfit> {
        let name = unit.attr(unit.root(), "sym_name").and_then(|name| name.as_str(unit.cx()));
        let function = name.unwrap_or("?").to_owned();
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let mut reader = Reader { unit, edges: Vec::new(), numbers: HashMap::new() };
        let (mut nodes, mut of_op) = (Vec::new(), HashMap::new());
        for compute in &computes {
            let node = reader.node(*compute, nodes.len())?;
            of_op.insert(compute.id(), nodes.len());
            nodes.push(node);
        }
        let mut graph = Graph { function, nodes, edges: reader.edges };
        graph.connect(unit, &of_op);
        let order = graph.post_order();
        graph.renumber(&order);
        Ok(graph)
    }

    /// Loops of all nodes: Table 3 of the paper counts so for operators with a border
    pub fn counts(&self) -> [usize; 2] {
        let all = self.nodes.iter().map(Node::counts);
        all.fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }

    /// The main node, whose loops alone the same table counts elsewhere: it does most operations. Of equal ones it is the one with more reduce
    /// loops, then the later one
    pub fn main(&self) -> Option<usize> {
        (0..self.nodes.len()).max_by_key(|n| (self.nodes[*n].operations, self.nodes[*n].counts()[1], *n))
    }

    /// Who reads what each node makes, and what leaves the graph
    fn connect(&mut self, unit: &Ir, of_op: &HashMap<OpId, usize>) {
        for (n, node) in self.nodes.iter().enumerate() {
            for edge in &node.reads {
                let to = &mut self.edges[*edge].to;
                if !to.contains(&n) {
                    to.push(n);
                }
            }
        }
        for edge in &mut self.edges {
            let mut values = vec![edge.value];
            let mut seen: HashSet<Value> = values.iter().copied().collect();
            while let Some(value) = values.pop() {
                // What is in memory from the beginning is no result.
                let users = unit.uses(value).map(|(user, _)| user).filter(|_| is_tensor(unit, value));
                for user in users {
                    let next = match moves(unit, user) {
                        true => Some(unit.results(user).collect()),
                        false => memory::readers(unit, user),
                    };
                    match next {
                        Some(next) => values.extend(next.into_iter().filter(|moved| seen.insert(*moved))),
                        None => edge.leaves |= !of_op.contains_key(&user),
                    }
                }
            }
            edge.to.sort_unstable();
        }
        for node in &mut self.nodes {
            let mut all: Vec<usize> =
                node.makes.iter().flat_map(|edge| self.edges[*edge].to.clone()).collect();
            all.sort_unstable();
            all.dedup();
            node.consumers = all;
        }
    }

    /// Nodes with their producers in front of them; of several that may be next, the first in the program. In SSA form every node has its turn
    fn post_order(&self) -> Vec<usize> {
        let mut waits: Vec<usize> = vec![0; self.nodes.len()];
        for consumer in self.nodes.iter().flat_map(|node| &node.consumers) {
            waits[*consumer] += 1;
        }
        let free = (0..self.nodes.len()).filter(|n| waits[*n] == 0);
        let mut next: BinaryHeap<Reverse<usize>> = free.map(Reverse).collect();
        let mut order = Vec::new();
        while let Some(Reverse(n)) = next.pop() {
            order.push(n);
            for consumer in &self.nodes[n].consumers {
                waits[*consumer] -= 1;
                if waits[*consumer] == 0 {
                    next.push(Reverse(*consumer));
                }
            }
        }
        order
    }

    /// Nodes in this order
    fn renumber(&mut self, order: &[usize]) {
        let mut new = vec![0; self.nodes.len()];
        for (at, old) in order.iter().enumerate() {
            new[*old] = at;
        }
        self.nodes = order.iter().map(|old| self.nodes[*old].clone()).collect();
        let again = |all: &mut Vec<usize>| {
            all.iter_mut().for_each(|n| *n = new[*n]);
            all.sort_unstable();
        };
        self.nodes.iter_mut().for_each(|node| again(&mut node.consumers));
        for edge in &mut self.edges {
            again(&mut edge.to);
            if let Origin::Node(from) = &mut edge.from {
                *from = new[*from];
            }
        }
    }
}

fn is_tensor(unit: &Ir, value: Value) -> bool {
    matches!(unit.ty(value).kind(unit.cx()), TypeKind::Tensor { .. })
}

/// Is it an op that hands on what it gets of tensors, most often elements in other places?
///
/// What has regions or no results keeps what it reads to itself.
fn moves(unit: &Ir, op: OpId) -> bool {
    let tensors = unit.operands(op).any(|value| unit.ty(value).shape(unit.cx()).is_some());
    let compute = Compute::cast(unit, op).is_some();
    !compute && tensors && unit.num_results(op) > 0 && unit.num_regions(op) == 0
}

struct Reader<'a> {
    unit: &'a Ir,
    edges: Vec<Edge>,
    numbers: HashMap<Value, usize>,
}

impl Reader<'_> {
    fn node(&mut self, compute: Compute, n: usize) -> Result<Node, Misfit> {
        let view = View::read(self.unit, compute)?;
        let mut reads = Vec::new();
        let inits = view.outputs.iter().filter_map(|out| Some(out.init.as_ref()?.0));
        for value in view.inputs.iter().map(|input| input.value).chain(inits) {
            for root in self.roots(value) {
                let edge = self.edge(root, None);
                if !reads.contains(&edge) {
                    reads.push(edge);
                }
            }
        }
        let op = compute.id();
        let makes: Vec<usize> =
            self.unit.results(op).map(|value| self.edge(value, Some(Origin::Node(n)))).collect();
        let first = makes.first().map_or(String::new(), |edge| self.edges[*edge].name.clone());
        let one = |dim: &terrace_dialect_mdh::view::Dim| Loop {
            name: dim.name.clone(),
            trip: dim.size,
            reduce: !dim.kind.operators().is_empty(),
        };
        Ok(Node {
            op,
            loops: view.dims.iter().map(one).collect(),
            points: points(&view),
            operations: operations(self.unit, compute),
            name: view.name.unwrap_or(first),
            reads,
            makes,
            consumers: Vec::new(),
        })
    }

    /// The tensors that a value has elements of: itself, or what was there before ops moved its elements
    fn roots(&self, value: Value) -> Vec<Value> {
        let (unit, mut roots, mut stack) = (self.unit, Vec::new(), vec![value]);
        let mut seen = HashSet::new();
        while let Some(value) = stack.pop() {
            if unit.ty(value).shape(unit.cx()).is_none() || !seen.insert(value) {
                continue;
            }
            match unit.defining_op(value).filter(|op| moves(unit, *op)) {
                Some(op) => match memory::held(unit, op) {
                    Some(held) => stack.push(held),
                    None => stack.extend(unit.operands(op).rev()),
                },
                None => roots.push(value),
            }
        }
        roots
    }

    /// The number of a tensor
    fn edge(&mut self, value: Value, from: Option<Origin>) -> usize {
        let unit = self.unit;
        if let Some(n) = self.numbers.get(&value) {
            return *n;
        }
        let outermost = |block| unit.entry(unit.region(unit.root(), 0)) == Some(block);
        let origin = || match unit.value_def(value) {
            Some(ValueDef::Arg(block, _)) if outermost(block) => Origin::Argument,
            Some(ValueDef::Result(op, _)) => Origin::Op(unit.op_name(op).to_owned()),
            _ => Origin::Carried,
        };
        let buffer = || unit.value_name(memory::buffer_of(unit, value)?);
        let name = unit
            .value_name(value)
            .or_else(buffer)
            .map_or_else(|| format!("#{}", self.edges.len() + 1), String::from);
        let ty = show::type_text(unit.cx(), unit.ty(value));
        let from = from.unwrap_or_else(origin);
        self.edges.push(Edge { value, name, ty, from, to: Vec::new(), leaves: false });
        self.numbers.insert(value, self.edges.len() - 1);
        self.edges.len() - 1
    }
}
