//! Creating, placing, changing and erasing ops.

use super::BlockId;
use super::Context;
use super::{Ir, Loc, Name, NewOp, OpData, OpId, RegionData, RegionId, Span32, Value, ValueData};
use crate::handles::Attr;
use crate::handles::OpKind;
use crate::handles::Type;
use std::sync::Arc;

/// Numbers of a unit's records
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Size {
    pub ops: usize,
    pub values: usize,
    pub operands: usize,
    /// Slots, segment sizes, successors and regions of ops
    pub words: usize,
    pub blocks: usize,
}

impl Size {
    fn map(self, other: Size, f: impl Fn(usize, usize) -> usize) -> Size {
        Size {
            ops: f(self.ops, other.ops),
            values: f(self.values, other.values),
            operands: f(self.operands, other.operands),
            words: f(self.words, other.words),
            blocks: f(self.blocks, other.blocks),
        }
    }

    /// What to expect after a unit of size `seen`: it, or a little less than was expected so far if that is more
    pub fn next(self, seen: Size) -> Size {
        self.map(seen, |so_far, seen| seen.max(so_far - so_far / 64))
    }

    /// With room for what passes add, up to a bound: to grow later would leave a hole behind in memory
    pub fn roomy(self) -> Size {
        self.map(self, |n, _| (n + n / 16).min(1 << 13))
    }
}

impl Ir {
    /// A unit whose op 0 is of this kind, with `regions` empty regions
    pub fn new_unit(cx: &Arc<Context>, kind: OpKind, regions: usize, loc: Loc) -> Ir {
        let mut ir = Ir {
            cx: cx.clone(),
            ops: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            values: Vec::new(),
            operands: Vec::new(),
            words: Vec::new(),
            arg_lists: Vec::new(),
            arg_locs: Vec::new(),
            children: Vec::new(),
            free_ops: Vec::new(),
            free_spans: [0; super::REUSED],
            source: None,
            resources: None,
        };
        ir.create(&NewOp { regions, loc, ..NewOp::new(kind) });
        ir
    }

    /// Room for about as much as this
    pub fn reserve(&mut self, size: &Size) {
        self.ops.reserve(size.ops);
        self.values.reserve(size.values);
        self.operands.reserve(size.operands);
        self.words.reserve(size.words);
        self.blocks.reserve(size.blocks);
        self.regions.reserve(size.blocks);
    }

    /// Records, live and erased: what a like unit would `reserve`
    pub fn size(&self) -> Size {
        Size {
            ops: self.ops.len(),
            values: self.values.len(),
            operands: self.operands.len(),
            words: self.words.len(),
            blocks: self.blocks.len(),
        }
    }

    /// Make an op in no block yet
    ///
    /// Attribute slots not given are empty. Segment sizes are stored if the definition asks for them.
    pub fn create(&mut self, new: &NewOp<'_>) -> OpId {
        let op = self.free_ops.pop().unwrap_or_else(|| OpId::new(self.ops.len()));
        let results = self.values.len() as u32;
        let extra = self.words.len() as u32;
        let facts = *self.cx.facts(new.kind);
        let fixed = facts.slots as usize;
        for slot in 0..fixed {
            self.words.push(new.slots.get(slot).copied().flatten().map_or(0, Attr::raw));
        }
        if facts.operand_segments {
            debug_assert_eq!(new.segments.len(), self.cx.def(new.kind).operands.len());
            self.words.extend_from_slice(new.segments);
        }
        if facts.result_segments {
            debug_assert_eq!(new.result_segments.len(), self.cx.def(new.kind).results.len());
            self.words.extend_from_slice(new.result_segments);
        }
        self.words.extend(new.successors.iter().map(|block| block.raw()));
        for _ in 0..new.regions {
            let region = RegionId::new(self.regions.len());
            self.regions.push(RegionData { parent: op, first: None, last: None });
            self.words.push(region.raw());
        }
        for (index, &ty) in new.results.iter().enumerate() {
            self.values.push(ValueData { ty, def: op.raw(), index: index as u32, first_use: 0, name: 0 });
        }
        let data = OpData {
            kind: new.kind,
            results_len: new.results.len() as u16,
            regions_len: new.regions as u16,
            successors_len: new.successors.len() as u16,
            operands: Span32::default(),
            results,
            extra,
            dict: new.dict,
            loc: new.loc,
            block: None,
            prev: None,
            next: None,
            order: 0,
        };
        if op.index() == self.ops.len() {
            self.ops.push(data);
        } else {
            self.ops[op.index()] = data;
        }
        self.ops[op.index()].operands = self.put_operands(op, new.operands);
        op
    }

    /// Make a detached slot that owns `unit`
    pub fn adopt(&mut self, unit: Box<Ir>) -> OpId {
        let index = self.children.len() as u32;
        self.children.push(Some(unit));
        let op = self.create(&NewOp::new(OpKind::SLOT));
        let extra = self.ops[op.index()].extra as usize;
        self.words[extra] = index;
        op
    }

    /// Take the unit out of a slot and erase the slot
    pub fn disown(&mut self, slot: OpId) -> Option<Box<Ir>> {
        let index = self.words[self.ops[slot.index()].extra as usize] as usize;
        let unit = (self.kind(slot) == OpKind::SLOT).then(|| self.children[index].take())??;
        self.erase(slot);
        Some(unit)
    }

    /// Put the unit back that `take_child` took
    pub fn put_child(&mut self, slot: OpId, unit: Box<Ir>) {
        let index = self.words[self.ops[slot.index()].extra as usize] as usize;
        debug_assert!(self.kind(slot) == OpKind::SLOT && self.children[index].is_none());
        self.children[index] = Some(unit);
    }

    /// Take the unit out of a slot for a while; the slot stays
    pub fn take_child(&mut self, slot: OpId) -> Option<Box<Ir>> {
        if self.kind(slot) != OpKind::SLOT {
            return None;
        }
        let index = self.words[self.ops[slot.index()].extra as usize] as usize;
        self.children[index].take()
    }

    /// The op's block
    #[inline]
    pub fn block(&self, op: OpId) -> Option<BlockId> {
        self.ops[op.index()].block
    }

    /// The op after it in its block
    #[inline]
    pub fn next(&self, op: OpId) -> Option<OpId> {
        self.ops[op.index()].next
    }

    /// The op before it in its block
    #[inline]
    pub fn prev(&self, op: OpId) -> Option<OpId> {
        self.ops[op.index()].prev
    }

    /// The op whose region holds this op's block; `None` for op 0 and detached ops
    pub fn parent(&self, op: OpId) -> Option<OpId> {
        self.block_parent(self.block(op)?)
    }

    /// Does `a` come before `b`? Both in one block
    #[inline]
    pub fn is_before(&self, a: OpId, b: OpId) -> bool {
        debug_assert!(self.block(a) == self.block(b));
        self.ops[a.index()].order < self.ops[b.index()].order
    }

    /// Put a detached op at the end of a block
    pub fn append(&mut self, block: BlockId, op: OpId) {
        debug_assert!(self.block(op).is_none());
        let last = self.blocks[block.index()].last;
        let data = &mut self.ops[op.index()];
        (data.block, data.prev, data.next) = (Some(block), last, None);
        match last {
            Some(last) => self.ops[last.index()].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        self.blocks[block.index()].last = Some(op);
        self.number_between(block, op);
    }

    /// Put a detached op before another one
    pub fn insert_before(&mut self, next: OpId, op: OpId) {
        debug_assert!(self.block(op).is_none() && self.block(next).is_some());
        let Some(block) = self.block(next) else { return };
        let prev = self.prev(next);
        let data = &mut self.ops[op.index()];
        (data.block, data.prev, data.next) = (Some(block), prev, Some(next));
        self.ops[next.index()].prev = Some(op);
        match prev {
            Some(prev) => self.ops[prev.index()].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        self.number_between(block, op);
    }

    /// Put a detached op after another one
    pub fn insert_after(&mut self, prev: OpId, op: OpId) {
        match (self.next(prev), self.block(prev)) {
            (Some(next), _) => self.insert_before(next, op),
            (None, Some(block)) => self.append(block, op),
            (None, None) => debug_assert!(false, "the op to insert after is in no block"),
        }
    }

    /// Take an op out of its block and keep it
    pub fn detach(&mut self, op: OpId) {
        let data = &mut self.ops[op.index()];
        let (block, prev, next) = (data.block.take(), data.prev.take(), data.next.take());
        let Some(block) = block else { return };
        match prev {
            Some(prev) => self.ops[prev.index()].next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(next) => self.ops[next.index()].prev = prev,
            None => self.blocks[block.index()].last = prev,
        }
    }

    /// Erase an op with everything inside; its results must have no uses left outside of it
    ///
    /// The record may be used again for a new op.
    pub fn erase(&mut self, op: OpId) {
        if self.num_regions(op) == 0 {
            self.detach(op);
            return self.bury(op);
        }
        let mut pending = vec![op];
        let mut at = 0;
        while at < pending.len() {
            let regions: Vec<RegionId> = self.regions(pending[at]).collect();
            for region in regions {
                let mut block = self.regions[region.index()].first;
                while let Some(id) = block {
                    pending.extend(self.block_ops(id));
                    for arg in self.block_args(id).to_vec() {
                        self.values[arg.index()].def = 0;
                    }
                    self.blocks[id.index()].region = None;
                    block = self.blocks[id.index()].next;
                }
            }
            at += 1;
        }
        self.detach(op);
        pending.into_iter().rev().for_each(|dead| self.bury(dead));
    }

    /// Make a tombstone of one op, which is in no block or in one that goes with it
    fn bury(&mut self, dead: OpId) {
        self.drop_operands(dead);
        for result in self.results(dead) {
            self.values[result.index()].def = 0;
        }
        if self.kind(dead) == OpKind::SLOT {
            let index = self.words[self.ops[dead.index()].extra as usize] as usize;
            self.children[index] = None;
        }
        let data = &mut self.ops[dead.index()];
        (data.results, data.results_len, data.regions_len, data.successors_len) = (u32::MAX, 0, 0, 0);
        (data.block, data.kind) = (None, OpKind::UNREGISTERED);
        self.free_ops.push(dead);
    }

    /// Set or clear a property slot
    pub fn set_slot(&mut self, op: OpId, slot: usize, attr: Option<Attr>) {
        debug_assert!(slot < self.fixed_slots(self.kind(op)));
        let extra = self.ops[op.index()].extra as usize;
        self.words[extra + slot] = attr.map_or(0, Attr::raw);
    }

    /// Replace all discardable attributes
    pub fn set_dict(&mut self, op: OpId, dict: Option<Attr>) {
        self.ops[op.index()].dict = dict.filter(|dict| *dict != self.cx.common().empty_dict);
    }

    /// Set or remove one discardable attribute
    pub fn set_discardable(&mut self, op: OpId, name: &str, attr: Option<Attr>) {
        let key = self.cx.intern(name);
        let old = self.dict(op).and_then(|dict| dict.as_dict(&self.cx)).unwrap_or(&[]);
        let mut entries: Vec<_> = old.iter().copied().filter(|(name, _)| *name != key).collect();
        entries.extend(attr.map(|attr| (key, attr)));
        let dict = self.cx.dict_attr(entries);
        self.set_dict(op, Some(dict));
    }

    /// Set an attribute by name: the property of that name if the op has one, else discardable
    pub fn set_attr(&mut self, op: OpId, name: &str, attr: Option<Attr>) {
        match self.def(op).attr_slot(name) {
            Some(slot) => self.set_slot(op, slot, attr),
            None => self.set_discardable(op, name, attr),
        }
    }

    /// Set the location
    pub fn set_loc(&mut self, op: OpId, loc: Loc) {
        self.ops[op.index()].loc = loc;
    }

    /// Change the type of a value; the caller keeps users right
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Name a value
    pub fn set_value_name(&mut self, value: Value, name: Name) {
        self.values[value.index()].name = name.encode();
    }

    /// Name a value like another one, unless it has a name of its own
    pub fn copy_value_name(&mut self, from: Value, to: Value) {
        if self.values[to.index()].name == 0 {
            self.values[to.index()].name = self.values[from.index()].name;
        }
    }

    /// Change a successor
    pub fn set_successor(&mut self, op: OpId, n: usize, block: BlockId) {
        let at = self.successors_at(op);
        debug_assert!(n < self.num_successors(op));
        self.words[at + n] = block.raw();
    }
}
