//! What a term costs, by the sizes that are known.
//!
//! A cost is a list of what is done, each op with the innermost variable that it depends on: what a function does that does not
//! depend on its element is done once, the rest as often as there are elements. Equal terms in one function are one op, and count
//! once; that is looked at for the cheapest parts only, so a dearer part that shares more may be missed.

use crate::lang::{Label, Labels, Node, Op};
use egg::{CostFunction, Id};
use std::collections::BTreeMap;
use terrace_analysis::nat::Nat;
use terrace_dialect_arith as arith;
use terrace_dialect_array::size::value_of;
use terrace_dialect_array::types::{flatten, split_type};
use terrace_dialect_array::{Fold, Map, Place, Reduce, Scan, layout};
use terrace_ir::{Context, OpDef, Type, TypeKind};

/// What is to be small
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Steps of one processor and elements moved
    Time,
    /// Operations on numbers
    Ops,
    /// Bytes written to memory and read again
    Moved,
    /// Bytes of memory that is not there yet
    Memory,
    /// A preference without meaning, another one for each number: tests take any program out of the graph with it
    Any(u64),
}

impl Goal {
    /// Words
    pub const WORDS: &'static [(&'static str, Goal)] =
        &[("time", Goal::Time), ("ops", Goal::Ops), ("moved", Goal::Moved), ("memory", Goal::Memory)];
}

/// Cost of a term
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Ops by fingerprint: the innermost variable that each depends on, and what it costs
    items: BTreeMap<u64, (u32, f64)>,
    /// Fingerprint of the term
    print: u64,
    /// Variables it leaves free
    free: Vec<u32>,
    /// Its type
    ty: Option<Type>,
    /// It is computed, and in no memory
    computed: bool,
    /// Nothing is computed by it: values that are there, laid out
    layout: bool,
}

/// What depends on no variable
const CLOSED: u32 = u32::MAX;

impl Cost {
    /// As one number: more than that of any part, so that no term is cheaper than its parts
    pub fn total(&self) -> f64 {
        self.items.values().map(|(_, cost)| cost).sum()
    }
}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Cost) -> Option<std::cmp::Ordering> {
        Some(self.total().total_cmp(&other.total()))
    }
}

/// Costs of nodes
pub struct Model<'a> {
    /// What labels are
    pub labels: &'a Labels,
    /// Types
    pub cx: &'a Context,
    /// Numbers of symbols
    pub known: &'a BTreeMap<String, i64>,
    /// Number for a size that is not known
    pub size: f64,
    /// What is to be small
    pub goal: Goal,
}

/// An op that is there costs a little, so that less is better
const LITTLE: f64 = 1e-3;

impl Model<'_> {
    fn number(&self, nat: &Nat) -> f64 {
        value_of(nat, self.known).map_or(self.size, |value| value.max(1) as f64)
    }

    /// Elements of a value of an array type
    fn count(&self, ty: Option<Type>) -> f64 {
        ty.and_then(|ty| split_type(self.cx, ty)).map_or(1.0, |(size, _)| self.number(&size))
    }

    /// Numbers in a value
    fn numbers(&self, ty: Option<Type>) -> f64 {
        let Some(ty) = ty else { return 1.0 };
        let (dims, elem) = flatten(self.cx, ty);
        let rows: f64 = dims.iter().map(|dim| self.number(dim)).product();
        rows * match elem.kind(self.cx) {
            TypeKind::Tuple(parts) => parts.iter().map(|part| self.numbers(Some(*part))).sum(),
            TypeKind::Vector { shape, .. } => shape.iter().map(|size| (*size).max(1) as f64).product(),
            _ => 1.0,
        }
    }

    /// Bytes of a value
    fn bytes(&self, ty: Option<Type>) -> f64 {
        let Some(whole) = ty else { return 0.0 };
        let (_, elem) = flatten(self.cx, whole);
        let number = elem.element(self.cx).unwrap_or(elem);
        let bits = number.bit_width(self.cx).unwrap_or(64);
        self.numbers(ty) * f64::from(bits) / 8.0
    }

    /// Of one op on numbers
    fn scalar(&self, def: &OpDef, ty: Option<Type>) -> f64 {
        let lanes = self.numbers(ty);
        let hard = ["div", "rem"].iter().any(|word| def.name.contains(word));
        let one = if hard || def.name.starts_with("math.") { 8.0 } else { 1.0 };
        match self.goal {
            _ if std::ptr::eq(def, arith::Constant::DEF) => 0.0,
            // As many lanes as there are, at once.
            Goal::Time => one,
            Goal::Ops => one * lanes,
            Goal::Moved | Goal::Memory | Goal::Any(_) => 0.0,
        }
    }

    /// Of bytes that go to memory and are read from it
    fn written(&self, ty: Option<Type>) -> f64 {
        match self.goal {
            // Eight bytes go by in the time of an operation.
            Goal::Time => 2.0 * self.bytes(ty) / 8.0,
            Goal::Ops | Goal::Any(_) => 0.0,
            Goal::Moved => 2.0 * self.bytes(ty),
            Goal::Memory => self.bytes(ty),
        }
    }

    fn op(&self, op: &Op, parts: &[Cost], print: u64) -> Cost {
        let def = self.cx.def(op.kind);
        let is = |other: &'static OpDef| std::ptr::eq(def, other);
        let (operands, yields) = parts.split_at(op.operands.min(parts.len()));
        let params = op.params.as_ref().map_or(0, Vec::len) as u32;
        let mut free: Vec<u32> = operands.iter().flat_map(|part| part.free.iter().copied()).collect();
        free.extend(yields.iter().flat_map(|part| &part.free).filter(|n| **n >= params).map(|n| n - params));
        free.sort_unstable();
        free.dedup();
        let own = free.first().copied().unwrap_or(CLOSED);
        let mut items: BTreeMap<u64, (u32, f64)> = BTreeMap::new();
        operands.iter().for_each(|part| items.extend(&part.items));
        let ty = op.results.first().copied();
        let first = operands.first().and_then(|part| part.ty);
        let combines = is(Reduce::DEF) || is(Fold::DEF) || is(Scan::DEF);
        let times = if combines || is(Map::DEF) { self.count(first) } else { self.count(ty) };
        // Equal ops of one function are one.
        let body: BTreeMap<u64, (u32, f64)> =
            yields.iter().flat_map(|part| &part.items).map(|(k, v)| (*k, *v)).collect();
        let mut inside = 0.0;
        for (print, (at, cost)) in body {
            match at {
                CLOSED => drop(items.insert(print, (CLOSED, cost))),
                at if at >= params => drop(items.insert(print, (at - params, cost))),
                _ => inside += cost,
            }
        }
        let views = layout::is_layout_def(def) && !is(Place::DEF);
        let layout = views || is(Map::DEF) && yields.iter().all(|part| part.layout);
        let reads = |part: &Cost| part.computed && split_type_of(self.cx, part.ty);
        let mut cost = LITTLE;
        if let Goal::Any(seed) = self.goal {
            cost += (terrace_support::hash_one(&(seed, print)) % 100) as f64;
        }
        if is(Place::DEF) {
            cost += self.written(ty);
        } else if op.params.is_some() && !layout {
            // A step of the loop, and of the operator.
            let step = match self.goal {
                Goal::Time => 1.0 + f64::from(u8::from(combines)),
                Goal::Ops => f64::from(u8::from(combines)),
                Goal::Moved | Goal::Memory | Goal::Any(_) => 0.0,
            };
            cost += times * (inside + step);
            // What is computed before has to stand somewhere.
            cost += operands.iter().filter(|part| reads(part)).map(|part| self.written(part.ty)).sum::<f64>();
        } else if op.params.is_some() {
            cost += inside;
        } else if !views {
            cost += self.scalar(def, ty);
        }
        items.insert(print, (own, cost));
        let computed = match () {
            () if is(Place::DEF) => false,
            () if layout => parts.iter().any(|part| part.computed),
            () => op.params.is_some() && split_type_of(self.cx, ty),
        };
        Cost { items, print, free, ty, computed, layout }
    }
}

fn split_type_of(cx: &Context, ty: Option<Type>) -> bool {
    ty.is_some_and(|ty| split_type(cx, ty).is_some())
}

impl CostFunction<Node> for Model<'_> {
    type Cost = Cost;

    fn cost<C>(&mut self, node: &Node, mut costs: C) -> Cost
    where
        C: FnMut(Id) -> Cost,
    {
        let parts: Vec<Cost> = node.parts.iter().map(|part| costs(*part)).collect();
        let print =
            terrace_support::hash_one(&(node.label, parts.iter().map(|part| part.print).collect::<Vec<_>>()));
        let leaf = |free: Vec<u32>, ty| {
            let items = BTreeMap::new();
            Cost { items, print, free, ty, computed: false, layout: true }
        };
        match self.labels.label(node.label) {
            Label::Var(number, ty) => leaf(vec![*number], Some(*ty)),
            Label::Arg(_, ty) => leaf(Vec::new(), Some(*ty)),
            Label::Result(_, ty) => match parts.into_iter().next() {
                Some(part) => Cost { ty: Some(*ty), print, ..part },
                None => leaf(Vec::new(), Some(*ty)),
            },
            Label::Program => {
                let items = parts.iter().flat_map(|part| &part.items).map(|(k, v)| (*k, *v)).collect();
                Cost { items, print, free: Vec::new(), ty: None, computed: false, layout: false }
            }
            Label::Op(op) => self.op(&op.clone(), &parts, print),
        }
    }
}
