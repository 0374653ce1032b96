//! Terms as programs.
//!
//! An op stands in the outermost function that has all that it needs: what does not depend on an element is computed once. What
//! may trap stays where it is used, since it may be unused outside. Equal terms with equal values of their variables are one op.

use crate::lang::{Label, Labels, Node, Op};
use std::collections::{BTreeMap, BTreeSet};
use terrace_dialect_array::Yield;
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpId, Type, Value};
use terrace_passes_array::rules::outside::may_trap;
use terrace_support::HashMap;

/// Deepest functions in each other
const DEPTH: usize = 100;

/// A block being filled
struct Frame {
    block: BlockId,
    /// Arguments of the function
    args: Vec<Value>,
    /// What stands behind all that is still to come
    before: Option<OpId>,
}

/// Terms on their way into a unit
pub struct Writer<'a> {
    ir: &'a mut Ir,
    labels: &'a Labels,
    terms: &'a [Node],
    /// Variables that each term leaves free
    free: Vec<BTreeMap<u32, Type>>,
    frames: Vec<Frame>,
    /// What numbers beyond all functions, and arguments of the program, are
    outside: &'a dyn Fn(&Label) -> Option<Value>,
    made: HashMap<(usize, Vec<Value>), (OpId, usize)>,
}

/// Variables that terms leave free, with their types; parts stand before what they are parts of
pub fn free(terms: &[Node], labels: &Labels) -> Vec<BTreeMap<u32, Type>> {
    let mut all: Vec<BTreeMap<u32, Type>> = Vec::new();
    for term in terms {
        let mut own = BTreeMap::new();
        let label = labels.label(term.label);
        if let Label::Var(number, ty) = label {
            own.insert(*number, *ty);
        }
        let (operands, params) = match label {
            Label::Op(op) => (op.operands, op.params.as_ref().map_or(0, Vec::len) as u32),
            _ => (term.parts.len(), 0),
        };
        for (n, part) in term.parts.iter().enumerate() {
            let inner = &all[usize::from(*part)];
            let before = if n < operands { 0 } else { params };
            let outer = inner.iter().filter(|(number, _)| **number >= before);
            own.extend(outer.map(|(number, ty)| (number - before, *ty)));
        }
        all.push(own);
    }
    all
}

impl<'a> Writer<'a> {
    /// Into a block, before an op of it if that is given; parts of terms stand before them
    pub fn new(
        ir: &'a mut Ir,
        at: (BlockId, Option<OpId>),
        labels: &'a Labels,
        terms: &'a [Node],
        outside: &'a dyn Fn(&Label) -> Option<Value>,
    ) -> Writer<'a> {
        let frames = vec![Frame { block: at.0, args: Vec::new(), before: at.1 }];
        Writer { ir, labels, terms, free: free(terms, labels), frames, outside, made: HashMap::default() }
    }

    /// Values of terms; nothing if a number stands for nothing, or functions are too deep in each other
    pub fn values(&mut self, wanted: &[usize]) -> Option<Vec<Value>> {
        if self.frames.len() > DEPTH {
            return None;
        }
        // Operands of operands, but not what functions do.
        let (mut needed, mut pending) = (BTreeSet::new(), wanted.to_vec());
        while let Some(term) = pending.pop() {
            if needed.insert(term) {
                let node = &self.terms[term];
                let operands = match self.labels.label(node.label) {
                    Label::Op(op) => op.operands,
                    _ => node.parts.len(),
                };
                pending.extend(node.parts[..operands].iter().map(|part| usize::from(*part)));
            }
        }
        let mut here: HashMap<usize, (Value, usize)> = HashMap::default();
        for term in needed {
            let node = &self.terms[term];
            let found = match self.labels.label(node.label) {
                Label::Var(number, _) => self.variable(*number)?,
                Label::Result(n, _) => {
                    let of = usize::from(*node.parts.first()?);
                    let (value, depth) = here.get(&of).copied()?;
                    let op = self.ir.defining_op(value)?;
                    (self.ir.results(op).nth(*n as usize)?, depth)
                }
                label @ Label::Arg(..) => ((self.outside)(label)?, 0),
                Label::Program => return None,
                Label::Op(op) => self.op(term, op.clone(), &here)?,
            };
            here.insert(term, found);
        }
        wanted.iter().map(|term| here.get(term).map(|(value, _)| *value)).collect()
    }

    /// What a number stands for, and how deep that is
    fn variable(&self, mut number: u32) -> Option<(Value, usize)> {
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            let count = frame.args.len() as u32;
            if number < count {
                return Some((frame.args[(count - 1 - number) as usize], depth));
            }
            number -= count;
        }
        // The type is that of whoever asks: numbers are enough.
        let ty = self.ir.cx().common().index;
        Some(((self.outside)(&Label::Var(number, ty))?, 0))
    }

    fn op(&mut self, term: usize, op: Op, here: &HashMap<usize, (Value, usize)>) -> Option<(Value, usize)> {
        let parts: Vec<usize> = self.terms[term].parts.iter().map(|part| usize::from(*part)).collect();
        let (operands, yields) = parts.split_at(op.operands);
        let mut key = Vec::new();
        let (mut values, mut depth) = (Vec::new(), 0);
        for operand in operands {
            let (value, at) = here.get(operand).copied()?;
            values.push(value);
            depth = depth.max(at);
        }
        let free: Vec<u32> = self.free[term].keys().copied().collect();
        for number in free {
            let (value, at) = self.variable(number)?;
            key.push(value);
            depth = depth.max(at);
        }
        key.extend(&values);
        if let Some((op, at)) = self.made.get(&(term, key.clone())) {
            let value = self.ir.results(*op).next()?;
            if *at < self.frames.len() && self.is_seen(*op) {
                return Some((value, *at));
            }
        }
        let new = NewOp {
            operands: &values,
            segments: &op.segments,
            results: &op.results,
            result_segments: &op.result_segments,
            slots: &op.slots,
            dict: op.dict,
            regions: usize::from(op.params.is_some()),
            ..NewOp::new(op.kind)
        };
        let made = self.ir.create(&new);
        if may_trap(self.ir, made) {
            depth = self.frames.len() - 1;
        }
        let Frame { block, before, .. } = self.frames[depth];
        match before {
            Some(before) => self.ir.insert_before(before, made),
            None => self.ir.append(block, made),
        }
        if let Some(params) = &op.params {
            let region = self.ir.region(made, 0);
            let block = self.ir.append_block(region);
            let args = params.iter().map(|ty| self.ir.add_block_arg(block, *ty)).collect();
            let behind = self.frames[depth].before.replace(made);
            self.frames.push(Frame { block, args, before: None });
            let yielded = self.values(yields);
            self.frames.pop();
            self.frames[depth].before = behind;
            let mut b = Builder::at_end(self.ir, block);
            let kind = b.kind(Yield::DEF);
            b.insert(&NewOp { operands: &yielded?, ..NewOp::new(kind) });
        }
        self.made.insert((term, key), (made, depth));
        Some((self.ir.results(made).next()?, depth))
    }

    /// Does it stand in a block that is being filled?
    fn is_seen(&self, op: OpId) -> bool {
        self.ir.block(op).is_some_and(|block| self.frames.iter().any(|frame| frame.block == block))
    }
}
