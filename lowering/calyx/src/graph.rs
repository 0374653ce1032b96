//! What one iteration of a loop nest computes: values and accesses with what they take, before they have cycles.

use crate::netlist::{Wire, bits};
use terrace_support::HashMap;

/// A value or access of an iteration
pub(crate) type NodeId = usize;

/// A number of places: a constant and values times numbers
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Index {
    pub constant: i64,
    /// In the order of nodes
    pub terms: Vec<(NodeId, i64)>,
}

/// Which bank of a memory
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bank {
    Known(usize),
    /// Its number is this value
    Found(NodeId),
}

/// A load or a store
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// Of the list of memories
    pub memory: usize,
    /// The copy of round 1, 3 …, where this is true
    pub second: Option<Wire>,
    pub bank: Bank,
    /// Position of the element in the memory, in the order of rows
    pub element: Index,
    /// Only where this is true
    pub when: Option<NodeId>,
    pub stores: bool,
}

impl Access {
    /// The number of the bank, where it is computed
    pub fn found_bank(&self) -> Option<NodeId> {
        match self.bank {
            Bank::Found(node) => Some(node),
            Bank::Known(_) => None,
        }
    }
}

/// What a node is
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// Does not change while the nest runs
    Still(Wire),
    /// The number of the iteration of a loop of the nest
    Counter(usize),
    /// What the iteration before has left in this register
    Carried(usize),
    /// A cell without a clock, with its ports and parameters; so many of them fit into a cycle
    Cell { primitive: &'static str, ports: &'static [&'static str], params: Vec<u32>, delay: i64 },
    /// Arguments times these numbers, and a constant
    Sum { by: Vec<i64>, constant: i64, delay: i64 },
    /// Of two numbers
    Product,
    /// Arguments: the place in its bank, and the value to store
    Access(Access),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub what: What,
    pub args: Vec<NodeId>,
    pub width: u32,
    /// It is a number from 0 to this one
    pub most: Option<i64>,
}

/// All of an iteration, each after what it takes
#[derive(Default)]
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    /// Registers that pass values from iteration to iteration: the node that reads, and the value for the next one
    pub carried: Vec<(NodeId, NodeId)>,
    known: HashMap<String, NodeId>,
}

impl Graph {
    fn add(&mut self, what: What, args: Vec<NodeId>, width: u32, most: Option<i64>) -> NodeId {
        self.nodes.push(Node { what, args, width, most });
        self.nodes.len() - 1
    }

    /// A node, or the one that is there and equal
    pub fn node(&mut self, what: What, args: &[NodeId], width: u32, most: Option<i64>) -> NodeId {
        if matches!(what, What::Access(_)) {
            return self.add(what, args.to_vec(), width, most);
        }
        let key = format!("{what:?} {args:?} {width}");
        if let Some(node) = self.known.get(&key) {
            return *node;
        }
        let node = self.add(what, args.to_vec(), width, most);
        self.known.insert(key, node);
        node
    }

    /// A number of these bits
    pub fn number(&mut self, value: i64, width: u32) -> NodeId {
        self.node(What::Still(Wire::number(value, width)), &[], width, None)
    }

    /// The number that a node is
    pub fn as_number(&self, node: NodeId) -> Option<i64> {
        let What::Still(wire) = &self.nodes[node].what else { return None };
        let (_, digits) = wire.text.split_once("'d")?;
        let value: u64 = digits.parse().ok()?;
        let spare = 64 - wire.width;
        Some(((value << spare) as i64) >> spare)
    }

    /// The value of an index in so many bits
    pub fn value(&mut self, index: &Index, width: u32, delay: i64) -> NodeId {
        if let ([(node, 1)], 0) = (index.terms.as_slice(), index.constant)
            && self.nodes[*node].width == width
        {
            return *node;
        }
        if index.terms.is_empty() {
            return self.number(index.constant, width);
        }
        let by = index.terms.iter().map(|(_, by)| *by).collect();
        let args: Vec<NodeId> = index.terms.iter().map(|(node, _)| *node).collect();
        let exact = |(least, most): &(i64, i64)| *least >= 0 && width >= bits(*most);
        let most = self.bounds(index).filter(exact).map(|(_, most)| most);
        self.node(What::Sum { by, constant: index.constant, delay }, &args, width, most)
    }

    /// The least and the greatest value of an index, where they follow from its terms
    pub fn bounds(&self, index: &Index) -> Option<(i64, i64)> {
        index.terms.iter().try_fold((index.constant, index.constant), |(least, most), (node, by)| {
            let end = self.nodes[*node].most?.checked_mul(*by)?;
            Some((least.checked_add(end.min(0))?, most.checked_add(end.max(0))?))
        })
    }

    /// Bits in which an index from 0 on is exact
    pub fn bits_of(&self, index: &Index) -> u32 {
        match self.bounds(index) {
            Some((least, most)) if least >= 0 => bits(most),
            _ => 64,
        }
    }
}

impl Index {
    pub fn number(constant: i64) -> Index {
        Index { constant, terms: Vec::new() }
    }

    pub fn of(node: NodeId) -> Index {
        Index { constant: 0, terms: vec![(node, 1)] }
    }

    /// Times a number; wraps, as places of hardware do
    pub fn times(&self, by: i64) -> Index {
        let terms = self.terms.iter().map(|(node, own)| (*node, own.wrapping_mul(by)));
        Index { constant: self.constant.wrapping_mul(by), terms: terms.filter(|(_, by)| *by != 0).collect() }
    }

    pub fn plus(&self, other: &Index) -> Index {
        let mut all: std::collections::BTreeMap<NodeId, i64> = self.terms.iter().copied().collect();
        for (node, by) in &other.terms {
            let sum = all.entry(*node).or_default();
            *sum = sum.wrapping_add(*by);
        }
        Index {
            constant: self.constant.wrapping_add(other.constant),
            terms: all.into_iter().filter(|(_, by)| *by != 0).collect(),
        }
    }
}
