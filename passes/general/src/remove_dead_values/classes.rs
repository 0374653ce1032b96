//! What is handed on, in classes of operands and the arguments and results that they may become.

use terrace_dataflow::flow::{self, From};
use terrace_dataflow::{Functions, Tree};
use terrace_ir::{Ir, OpId, OpKind, Traits, Value};
use terrace_support::{HashMap, HashSet};

/// An operand of an op of a unit
pub type Use = (usize, OpId, usize);

/// A value of a unit
pub type At = (usize, Value);

/// The classes, by number
#[derive(Default)]
pub struct Classes {
    parents: Vec<usize>,
    uses: HashMap<Use, usize>,
    values: HashMap<At, usize>,
    members: Vec<Vec<Use>>,
}

impl Classes {
    /// Read a tree
    pub fn of(tree: &Tree<'_>, functions: &Functions) -> Classes {
        let mut edges = Edges::default();
        for n in 0..tree.len() {
            let ir = tree.get(n);
            for op in ir.walk().filter(|op| ir.kind(*op) != OpKind::SLOT) {
                if ir.num_successors(op) > 0 {
                    edges.branches(ir, n, op);
                }
                if flow::regions(ir, op).is_some() {
                    edges.regions(ir, n, op);
                }
                if let Some(callee) =
                    functions.callee(tree, n, op).filter(|callee| functions.is_closed(*callee))
                {
                    edges.call(tree, n, op, callee);
                }
            }
        }
        let mut classes = Classes::default();
        for (from, to) in &edges.list {
            if !edges.open.contains(to) {
                classes.join(*from, *to);
            }
        }
        classes.gather(&edges);
        classes
    }

    /// The class of an operand that is handed on
    pub fn of_use(&self, at: Use) -> Option<usize> {
        Some(self.parents[*self.uses.get(&at)?])
    }

    /// The class of an argument or result that values are handed to
    pub fn of_value(&self, at: At) -> Option<usize> {
        Some(self.parents[*self.values.get(&at)?])
    }

    /// Operands of a class
    pub fn members(&self, class: usize) -> &[Use] {
        &self.members[class]
    }

    /// Number of classes, some of them empty
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    fn new_class(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn join(&mut self, from: Use, to: At) {
        let a = match self.uses.get(&from) {
            Some(class) => self.find(*class),
            None => {
                let class = self.new_class();
                self.uses.insert(from, class);
                class
            }
        };
        let b = match self.values.get(&to) {
            Some(class) => self.find(*class),
            None => {
                self.values.insert(to, a);
                return;
            }
        };
        // The older one stays.
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high] = low;
    }

    /// The root of a class, halving the way there
    fn find(&mut self, mut n: usize) -> usize {
        while self.parents[n] != n {
            self.parents[n] = self.parents[self.parents[n]];
            n = self.parents[n];
        }
        n
    }

    fn gather(&mut self, edges: &Edges) {
        for n in 0..self.len() {
            self.parents[n] = self.find(n);
        }
        self.members = vec![Vec::new(); self.len()];
        let mut seen = HashSet::default();
        for (from, to) in &edges.list {
            if !edges.open.contains(to) && seen.insert(*from) {
                let class = self.parents[self.uses[from]];
                self.members[class].push(*from);
            }
        }
    }
}

/// Who hands what to whom
#[derive(Default)]
struct Edges {
    list: Vec<(Use, At)>,
    /// Arguments and results that may get something else, too
    open: HashSet<At>,
}

impl Edges {
    fn branches(&mut self, ir: &Ir, n: usize, op: OpId) {
        for (k, block) in ir.successors(op).enumerate() {
            // What an attribute counts, stays.
            let given = flow::given_by_table(ir, op, k);
            let first = ir.block_region(block).is_some_and(|region| ir.entry(region) == Some(block));
            for (arg, operand) in flow::handed_over(ir, block, given) {
                match operand.filter(|_| !first) {
                    Some(operand) => self.list.push(((n, op, operand), (n, arg))),
                    None => {
                        self.open.insert((n, arg));
                    }
                }
            }
        }
    }

    fn regions(&mut self, ir: &Ir, n: usize, op: OpId) {
        let Some(table) = flow::regions(ir, op) else { return };
        let mut places = vec![(From::Op, op)];
        for (number, region) in ir.regions(op).enumerate() {
            for block in ir.blocks(region) {
                match ir.last_op(block) {
                    Some(end) if ir.num_successors(end) > 0 => {}
                    Some(end) if ir.has(end, Traits::Terminator) => {
                        places.push((From::End(number, end), end))
                    }
                    _ => self.unknown(ir, n, op),
                }
            }
        }
        for (from, source) in places {
            for way in (table.ways)(ir, op, from, &|_| None) {
                let values = flow::receivers(ir, op, way.to).unwrap_or_default();
                for (k, value) in values.into_iter().enumerate() {
                    match way.operand_for(k).filter(|at| *at < ir.num_operands(source)) {
                        Some(operand) => self.list.push(((n, source, operand), (n, value))),
                        None => {
                            self.open.insert((n, value));
                        }
                    }
                }
            }
        }
    }

    /// Control may go anywhere with anything
    fn unknown(&mut self, ir: &Ir, n: usize, op: OpId) {
        self.open.extend(ir.results(op).map(|value| (n, value)));
        for entry in ir.regions(op).filter_map(|region| ir.entry(region)) {
            self.open.extend(ir.block_args(entry).iter().map(|arg| (n, *arg)));
        }
    }

    fn call(&mut self, tree: &Tree<'_>, n: usize, op: OpId, callee: usize) {
        let (ir, unit) = (tree.get(n), tree.get(callee));
        let Some(region) = unit.regions(unit.root()).next() else { return };
        let Some(entry) = unit.entry(region) else { return };
        for (k, &arg) in unit.block_args(entry).iter().enumerate() {
            self.list.push(((n, op, k), (callee, arg)));
        }
        for end in unit.blocks(region).filter_map(|block| unit.last_op(block)) {
            if !unit.has(end, Traits::ReturnLike) {
                if unit.kind(end) == OpKind::UNREGISTERED {
                    self.open.extend(ir.results(op).map(|value| (n, value)));
                }
                continue;
            }
            for (k, value) in ir.results(op).enumerate() {
                if k < unit.num_operands(end) {
                    self.list.push(((callee, end, k), (n, value)));
                } else {
                    self.open.insert((n, value));
                }
            }
        }
    }
}
