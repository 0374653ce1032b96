//! Notes on the side of what stands where ([`Places`](crate::Places)), for those who asked; what they are is in `notes`.
//!
//! Off, each of these is one look at a null pointer.

use super::names::{Named, Unresolved};
use super::notes::{Late, Place};
use super::state::Parser;
use crate::places::{Link, OpPlace, SymbolPlace, TypePlace, ValuePlace};
use terrace_ir::{Attr, BlockId, NewOp, OpId, OpKind, Str, Traits, Type, Value};
use terrace_support::HashMap;

impl Parser<'_> {
    /// An op begins
    pub fn note_op(&mut self) {
        let start = self.lx.pos as u32;
        if let Some(record) = &mut self.record {
            let parent = record.open.last().map(|(index, _)| *index);
            let index = record.places.ops.len() as u32;
            record.places.ops.push(OpPlace {
                start,
                name: start,
                end: start,
                kind: None,
                parent,
                failed: false,
            });
            record.open.push((index, record.reads.len()));
        }
    }

    /// The name of the op in progress
    #[inline]
    pub fn note_kind(&mut self, kind: OpKind, name: u32) {
        if let Some(record) = &mut self.record
            && let Some((index, _)) = record.open.last()
            && let Some(op) = record.places.ops.get_mut(*index as usize).filter(|op| op.kind.is_none())
        {
            (op.kind, op.name) = (Some(kind), name);
        }
    }

    /// The op in progress has ended well
    #[inline]
    pub fn note_end(&mut self) {
        let end = self.lx.last as u32;
        if let Some(record) = &mut self.record
            && let Some((index, reads)) = record.open.pop()
        {
            record.reads.truncate(reads);
            record.places.ops[index as usize].end = end;
        }
    }

    /// Ops in progress beyond so many are wrong: names that they have read are uses all the same
    ///
    /// Before scopes are given up: the names are looked up in them.
    pub fn note_reads(&mut self, depth: usize) {
        let Some(record) = &mut self.record else { return };
        let Some(&(_, mark)) = record.open.get(depth) else { return };
        let reads = record.reads.drain(mark..);
        for read in reads.filter(|read| self.lx.src.get(read.at as usize) == Some(&b'%')) {
            let def = match self.scope.names.get(self.lx.src, read.key) {
                Named::Values(_, _, def) | Named::Poisoned(def) => def,
                _ => continue,
            };
            record.places.uses.push(Link { at: read.at, def });
        }
    }

    /// Ops in progress beyond so many are wrong, and end here
    pub fn note_failed(&mut self, depth: usize) {
        let end = self.lx.pos as u32;
        let Some(record) = &mut self.record else { return };
        while record.open.len() > depth {
            if let Some((index, reads)) = record.open.pop() {
                record.reads.truncate(reads);
                let op = &mut record.places.ops[index as usize];
                (op.end, op.failed) = (end.max(op.start), true);
            }
        }
    }

    /// How many ops are in progress
    pub fn ops_open(&self) -> usize {
        self.record.as_ref().map_or(0, |record| record.open.len())
    }

    /// A name was read that stands for a value
    #[inline]
    pub fn note_read(&mut self, read: Unresolved) {
        if let Some(record) = &mut self.record {
            record.reads.push(read);
        }
    }

    /// A use of a value that is defined
    #[inline]
    pub fn note_use(&mut self, at: u32, def: u32) {
        if let Some(record) = &mut self.record
            // An op among operands has no name, and is no name.
            && self.lx.src.get(at as usize) == Some(&b'%')
        {
            record.places.uses.push(Link { at, def });
        }
    }

    /// A use of a value before its definition; the chain is that of all uses of its name
    pub fn note_forward(&mut self, at: u32, chain: u32) {
        let scope = self.outer_scopes.len();
        if let Some(record) = &mut self.record {
            if record.forward.len() <= scope {
                record.forward.resize_with(scope + 1, HashMap::default);
            }
            record.forward[scope].entry(chain).or_default().push(at);
        }
    }

    /// The definition of all uses of a chain
    pub fn note_forward_def(&mut self, chain: u32, def: u32) {
        let scope = self.outer_scopes.len();
        if let Some(record) = &mut self.record {
            let uses = record.forward.get_mut(scope).and_then(|chains| chains.remove(&chain));
            record.places.uses.extend(uses.into_iter().flatten().map(|at| Link { at, def }));
        }
    }

    /// The scope ends: what was used and not defined by now never is
    pub fn note_scope_end(&mut self) {
        let scope = self.outer_scopes.len();
        if let Some(record) = &mut self.record {
            record.forward.truncate(scope);
        }
    }

    /// A name of values of the op in progress, or of an argument
    #[inline]
    pub fn note_def(&mut self, at: u32, first: Value, count: u32) {
        if self.record.is_some() {
            self.note_def_of(at, first, count);
        }
    }

    fn note_def_of(&mut self, at: u32, first: Value, count: u32) {
        let types = (0..count as usize).map(|n| self.ir.ty(Value::new(first.index() + n)));
        if let Some(record) = &mut self.record {
            let start = record.places.value_types.len() as u32;
            record.places.value_types.extend(types);
            record.places.values.push(ValuePlace { at, types: start, count });
        }
    }

    /// A name of values of an op that is wrong
    pub fn note_wrong_def(&mut self, at: u32) {
        let stand_in = self.stand_in;
        if let Some(record) = &mut self.record {
            record.places.values.push(ValuePlace { at, types: 0, count: 0 });
            if let Some(op) = stand_in {
                record.stand_ins.insert(at, op);
            }
        }
    }

    /// A branch to a block
    pub fn note_branch(&mut self, at: u32, block: BlockId) {
        let regions = self.labels.len();
        if let Some(record) = &mut self.record {
            record.branches.push((regions, at, block));
        }
    }

    /// A block's label
    pub fn note_label(&mut self, at: u32) {
        if let Some(record) = &mut self.record {
            record.places.blocks.push(at);
        }
    }

    /// A region ends, whose labels are these
    pub fn note_labels(&mut self, labels: &HashMap<&[u8], super::state::NamedBlock>) {
        let regions = self.labels.len() + 1;
        let Some(record) = &mut self.record else { return };
        if record.branches.last().is_none_or(|(of, ..)| *of < regions) {
            return;
        }
        // A table by block: its order has no effect.
        #[allow(clippy::iter_over_hash_type)]
        let by_block: HashMap<BlockId, u32> =
            labels.values().filter(|named| named.defined).map(|named| (named.block, named.at)).collect();
        while let Some((_, at, block)) = record.branches.pop_if(|(of, ..)| *of >= regions) {
            record.places.branches.extend(by_block.get(&block).map(|&def| Link { at, def }));
        }
    }

    /// A symbol's name, from here to the end of the last token
    #[inline]
    pub fn note_symbol(&mut self, at: usize, name: Str, outer: Option<u32>) {
        let end = self.lx.last as u32;
        if let Some(record) = &mut self.record {
            record.places.symbols.push(SymbolPlace { at: at as u32, end, name, op: None, outer });
        }
    }

    /// The symbol's name that was read last is that of the op in progress
    #[inline]
    pub fn note_symbol_def(&mut self) {
        if let Some(record) = &mut self.record
            && let Some((op, _)) = record.open.last()
            && let Some(symbol) = record.places.symbols.last_mut()
        {
            symbol.op = Some(*op);
        }
    }

    /// The op in progress has its name in a dictionary, as a string between these offsets
    pub fn note_symbol_attr(&mut self, (at, end): (u32, u32), name: Attr) {
        let Some(name) = name.as_str_id(self.cx) else { return };
        if let Some(record) = &mut self.record
            && let Some((op, _)) = record.open.last()
        {
            let op = Some(*op);
            record.places.symbols.push(SymbolPlace { at, end, name, op, outer: None });
        }
    }

    /// A type, from here to the end of the last token
    #[inline]
    pub fn note_type(&mut self, start: usize, ty: Type) {
        let end = self.lx.last as u32;
        if let Some(record) = &mut self.record {
            record.places.types.push(TypePlace { start: start as u32, end, ty });
        }
    }

    /// Has this text of a type places inside that are noted?
    #[inline]
    pub fn notes_inside(&self, start: usize, len: usize) -> bool {
        self.record.is_some()
            && self.lx.src[start..start + len].iter().any(|byte| matches!(byte, b'!' | b'#' | b'<'))
    }

    /// An attribute's name begins here
    #[inline]
    pub fn note_attr(&mut self) {
        let at = self.lx.pos as u32;
        if let Some(record) = &mut self.record {
            record.places.attrs.push(at);
        }
    }

    /// A use of an alias, or its definition
    pub fn note_alias(&mut self, at: usize, def: u32) {
        if let Some(record) = &mut self.record {
            if at as u32 == def {
                record.places.aliases.push(def);
            } else {
                record.places.alias_uses.push(Link { at: at as u32, def });
            }
        }
    }

    /// An op that stands for one that is wrong, at what is now the end of the block
    ///
    /// It is put there when its unit has been read: ops that are read until then look at what is before them.
    pub fn place_stand_in(&mut self, block: BlockId) {
        let unit = self.outer.len();
        let Some(record) = &mut self.record else { return };
        // Those of units that were given up are the last ones.
        while record.late.pop_if(|late| late.unit > unit).is_some() {}
        let name = Attr::from_raw(self.cx.intern("op that is wrong").raw());
        let op = self.ir.create(&NewOp { slots: &[name, None], ..NewOp::new(OpKind::UNREGISTERED) });
        let after = self.ir.last_op(block);
        record.late.push(Late { unit, op, place: Place::In(block, after) });
        self.stand_in = Some(op);
    }

    /// A value of an op that is wrong, defined by a further op where that would be
    pub fn stand_in_value(&mut self, value: Value, def: u32) {
        let (unit, op) = (self.outer.len(), self.ir.defining_op(value));
        if let Some(record) = &mut self.record
            && let (Some(&place), Some(op)) = (record.stand_ins.get(&def), op)
        {
            record.late.push(Late { unit, op, place: Place::Before(place) });
        }
    }

    /// The unit has been read: what stands for ops in it that are wrong is put in place
    pub fn settle(&mut self) {
        let unit = self.outer.len();
        let Some(record) = &mut self.record else { return };
        let start = record.late.partition_point(|late| late.unit < unit);
        let late: Vec<Late> = record.late.drain(start..).collect();
        // From the last one on: of those behind one op the first is put there last.
        for Late { op, place, .. } in late.iter().rev() {
            if let Place::In(block, after) = place {
                self.put(*op, *block, *after);
            }
        }
        for Late { op, place, .. } in late {
            if let Place::Before(other) = place
                && self.ir.block(other).is_some()
                && self.ir.block(op).is_none()
            {
                self.ir.insert_before(other, op);
            }
        }
    }

    fn put(&mut self, op: OpId, block: BlockId, after: Option<OpId>) {
        let ir = &mut self.ir;
        match (after, ir.first_op(block)) {
            // What ends the block is none the worse for it.
            (Some(last), _) if ir.block(last) == Some(block) && ir.has(last, Traits::Terminator) => {
                ir.insert_before(last, op);
            }
            (Some(last), _) if ir.block(last) == Some(block) => ir.insert_after(last, op),
            (_, Some(first)) => ir.insert_before(first, op),
            (_, None) => ir.append(block, op),
        }
    }
}
