//! Making an op like another one: the same but for its kind, operands, results or attributes.

use super::{BlockId, Ir, Loc, NewOp, OpId, Value};
use crate::handles::{Attr, OpKind, Type};

/// Everything an op is made from, to change some of it and make another op
#[derive(Clone, Debug)]
pub struct Parts {
    /// Kind
    pub kind: OpKind,
    /// All operands, field after field
    pub operands: Vec<Value>,
    /// Sizes of the operand fields, if several vary
    pub segments: Vec<u32>,
    /// Result types
    pub results: Vec<Type>,
    /// Sizes of the result fields, if several vary
    pub result_segments: Vec<u32>,
    /// Property slots in order of the definition
    pub slots: Vec<Option<Attr>>,
    /// Discardable attributes
    pub dict: Option<Attr>,
    /// Successors
    pub successors: Vec<BlockId>,
    /// Number of regions
    pub regions: usize,
    /// Location
    pub loc: Loc,
}

impl Parts {
    /// The same as borrowed parts
    pub fn as_new(&self) -> NewOp<'_> {
        NewOp {
            kind: self.kind,
            operands: &self.operands,
            segments: &self.segments,
            results: &self.results,
            result_segments: &self.result_segments,
            slots: &self.slots,
            dict: self.dict,
            successors: &self.successors,
            regions: self.regions,
            loc: self.loc,
        }
    }
}

impl Ir {
    /// What an op is made from, but for what its regions hold; a slot has none of it
    pub fn parts(&self, op: OpId) -> Parts {
        let kind = self.kind(op);
        let slots = if kind == OpKind::SLOT { 0 } else { self.fixed_slots(kind) };
        let at = self.ops[op.index()].extra as usize;
        Parts {
            kind,
            operands: self.operands(op).collect(),
            segments: self.operand_segments(op).unwrap_or(&[]).to_vec(),
            results: self.results(op).map(|result| self.ty(result)).collect(),
            result_segments: self.result_segments(op).unwrap_or(&[]).to_vec(),
            slots: self.words[at..at + slots].iter().map(|raw| Attr::from_raw(*raw)).collect(),
            dict: self.dict(op),
            successors: self.successors(op).collect(),
            regions: self.num_regions(op),
            loc: self.loc(op),
        }
    }

    /// Make an op from parts in front of `op`; the blocks of its regions move over
    ///
    /// `op` stays for the caller to erase or to give other blocks.
    pub fn remake(&mut self, op: OpId, parts: &Parts) -> OpId {
        let new = self.create(&parts.as_new());
        self.insert_before(op, new);
        let regions: Vec<_> = self.regions(op).zip(self.regions(new)).collect();
        for (from, to) in regions {
            self.move_blocks(from, to);
        }
        new
    }

    /// Make an op from parts in the place of `op`; its first results stand for `kept`, which are results of `op`
    ///
    /// What is not kept must have no uses.
    pub fn remake_for(&mut self, op: OpId, parts: &Parts, kept: &[Value]) -> OpId {
        let new = self.remake(op, parts);
        for (n, &old) in kept.iter().enumerate() {
            let value = self.result(new, n);
            self.copy_value_name(old, value);
            self.replace_all_uses(old, value);
        }
        self.erase(op);
        new
    }
}
