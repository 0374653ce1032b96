//! Reading ops and values.

use super::attrs::{AttrKind, LocKind};
use super::defs::{Arity, OpDef};
use super::dialect::Dialect;
use super::{ARG, BlockId, Ir, Loc, LocView, Name, OpId, RegionId, Value, ValueDef};
use crate::handles::OpKind;
use crate::handles::Type;
use crate::handles::{Attr, Str};
use crate::traits::{Effects, Traits};
use terrace_diag::Span;

impl Ir {
    /// Kind of an op
    #[inline]
    pub fn kind(&self, op: OpId) -> OpKind {
        self.ops[op.index()].kind
    }

    /// Definition of an op; a special one for unregistered ops and unit slots
    #[inline]
    pub fn def(&self, op: OpId) -> &'static OpDef {
        self.cx.def(self.kind(op))
    }

    /// Is this op an instance of that definition?
    #[inline]
    pub fn is(&self, op: OpId, def: &'static OpDef) -> bool {
        std::ptr::eq(self.def(op), def)
    }

    /// Is this op an instance of one of these definitions?
    pub fn is_any(&self, op: OpId, defs: &[&'static OpDef]) -> bool {
        defs.iter().any(|def| self.is(op, def))
    }

    /// Is it an op of this dialect, registered or not?
    pub fn is_of(&self, op: OpId, dialect: &Dialect) -> bool {
        self.op_name(op).split_once('.').is_some_and(|(own, _)| own == dialect.name)
    }

    /// Is the op alive? False for handles of erased ops
    pub fn is_alive(&self, op: OpId) -> bool {
        self.ops.get(op.index()).is_some_and(|data| data.results != u32::MAX)
    }

    /// Does the op have all these traits?
    #[inline]
    pub fn has(&self, op: OpId, traits: Traits) -> bool {
        self.def(op).traits.has(traits)
    }

    /// Has the op this trait of a dialect?
    pub fn has_own<T: super::own_traits::OpTrait>(&self, op: OpId) -> bool {
        self.def(op).has_own::<T>()
    }

    /// Full name, also of unregistered ops and of the unit behind a slot
    pub fn op_name(&self, op: OpId) -> &str {
        match self.kind(op) {
            OpKind::UNREGISTERED => match Str::from_raw(self.words[self.ops[op.index()].extra as usize]) {
                Some(name) => self.cx.str(name),
                None => "",
            },
            OpKind::SLOT => self.child(op).map_or("", |unit| unit.op_name(unit.root())),
            kind => self.cx.def(kind).name,
        }
    }

    /// The child unit behind a slot
    pub fn child(&self, op: OpId) -> Option<&Ir> {
        let data = &self.ops[op.index()];
        if data.kind != OpKind::SLOT {
            return None;
        }
        self.children[self.words[data.extra as usize] as usize].as_deref()
    }

    /// The child unit behind a slot, to change it
    pub fn child_mut(&mut self, op: OpId) -> Option<&mut Ir> {
        let data = &self.ops[op.index()];
        if data.kind != OpKind::SLOT {
            return None;
        }
        self.children[self.words[data.extra as usize] as usize].as_deref_mut()
    }

    /// Does the unit own other units?
    pub fn has_children(&self) -> bool {
        self.children.iter().any(Option::is_some)
    }

    /// All child units in slot order of creation, for passes that work on disjoint units in parallel
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Ir> {
        self.children.iter_mut().filter_map(Option::as_deref_mut)
    }

    /// Number of operands
    #[inline]
    pub fn num_operands(&self, op: OpId) -> usize {
        self.ops[op.index()].operands.len as usize
    }

    /// The n-th operand
    #[inline]
    pub fn operand(&self, op: OpId, n: usize) -> Value {
        self.operands[self.ops[op.index()].operands.range()][n].value
    }

    /// All operands in order
    #[inline]
    pub fn operands(
        &self,
        op: OpId,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone + '_ {
        self.operands[self.ops[op.index()].operands.range()].iter().map(|operand| operand.value)
    }

    /// Number of results
    #[inline]
    pub fn num_results(&self, op: OpId) -> usize {
        self.ops[op.index()].results_len as usize
    }

    /// The n-th result
    #[inline]
    pub fn result(&self, op: OpId, n: usize) -> Value {
        debug_assert!(n < self.num_results(op));
        Value::new(self.ops[op.index()].results as usize + n)
    }

    /// All results in order
    #[inline]
    pub fn results(
        &self,
        op: OpId,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone + use<> {
        let data = &self.ops[op.index()];
        let start = data.results as usize;
        (start..start + data.results_len as usize).map(Value::new)
    }

    /// Type of a value
    #[inline]
    pub fn ty(&self, value: Value) -> Type {
        self.values[value.index()].ty
    }

    /// Where a value comes from; `None` for dead values
    #[inline]
    pub fn value_def(&self, value: Value) -> Option<ValueDef> {
        let data = &self.values[value.index()];
        if data.def & ARG != 0 {
            BlockId::from_raw(data.def & !ARG).map(|block| ValueDef::Arg(block, data.index))
        } else {
            OpId::from_raw(data.def).map(|op| ValueDef::Result(op, data.index))
        }
    }

    /// The op whose result a value is
    #[inline]
    pub fn defining_op(&self, value: Value) -> Option<OpId> {
        let data = &self.values[value.index()];
        if data.def & ARG != 0 { None } else { OpId::from_raw(data.def) }
    }

    /// The block a value is defined in: its op's or its own
    pub fn value_block(&self, value: Value) -> Option<BlockId> {
        match self.value_def(value)? {
            ValueDef::Result(op, _) => self.block(op),
            ValueDef::Arg(block, _) => Some(block),
        }
    }

    /// The author's name of a value, without `%`
    pub fn value_name(&self, value: Value) -> Option<&str> {
        self.name_text(Name::decode(self.values[value.index()].name), '%')
    }

    /// The author's name of a block, without `^`
    pub fn block_name(&self, block: BlockId) -> Option<&str> {
        self.name_text(Name::decode(self.blocks[block.index()].name), '^')
    }

    fn name_text(&self, name: Name, sigil: char) -> Option<&str> {
        match name {
            Name::None => None,
            Name::Str(id) => Some(self.cx.str(id)),
            Name::Offset(at) => {
                let text = self.cx.sources().text(self.source?);
                let rest = text.get(at as usize..)?;
                let rest = rest.strip_prefix(sigil).unwrap_or(rest);
                let end = rest
                    .bytes()
                    .position(|byte| {
                        !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-'))
                    })
                    .unwrap_or(rest.len());
                Some(&rest[..end])
            }
        }
    }

    /// Location of an op
    #[inline]
    pub fn loc(&self, op: OpId) -> Loc {
        self.ops[op.index()].loc
    }

    /// Source range of the op's name, for diagnostics
    pub fn span(&self, op: OpId) -> Option<Span> {
        if let Some(unit) = self.child(op) {
            return unit.span(unit.root());
        }
        self.loc_span(self.loc(op))
    }

    /// `file:line:col` of the location attribute that an op has, where it begins with a file
    pub fn file_place(&self, op: OpId) -> Option<String> {
        let LocView::Attr(mut loc) = self.loc(op).view() else { return None };
        // Locations may hold others, and these again.
        for _ in 0..64 {
            loc = match self.cx.attr_kind(loc) {
                AttrKind::Loc(LocKind::File { file, line, col, .. }) => {
                    return Some(format!("{}:{line}:{col}", self.cx.str(*file)));
                }
                AttrKind::Loc(LocKind::Name { child, .. }) => (*child)?,
                AttrKind::Loc(LocKind::CallSite { callee, .. }) => *callee,
                AttrKind::Loc(LocKind::Fused { locs, .. }) => *locs.first()?,
                _ => return None,
            };
        }
        None
    }

    /// Source range that a location of this unit points at
    pub fn loc_span(&self, loc: Loc) -> Option<Span> {
        let LocView::Offset(at) = loc.view() else { return None };
        let source = self.source?;
        let text = self.cx.sources().text(source);
        let rest = text.as_bytes().get(at as usize..)?;
        let quoted = rest.first() == Some(&b'"');
        let end = rest
            .iter()
            .skip(usize::from(quoted))
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')))
            .unwrap_or(rest.len());
        Some(Span::new(source, at, at + end as u32 + if quoted { 2 } else { 0 }))
    }

    /// Discardable attributes
    #[inline]
    pub fn dict(&self, op: OpId) -> Option<Attr> {
        self.ops[op.index()].dict
    }

    /// A discardable attribute by name
    pub fn discardable(&self, op: OpId, name: &str) -> Option<Attr> {
        self.dict(op)?.entry(&self.cx, name)
    }

    /// The attribute in a property slot
    #[inline]
    pub fn slot(&self, op: OpId, slot: usize) -> Option<Attr> {
        debug_assert!(slot < self.def(op).attrs.len());
        Attr::from_raw(self.words[self.ops[op.index()].extra as usize + slot])
    }

    /// The attribute in a property slot, or its default
    pub fn slot_or_default(&self, op: OpId, slot: usize) -> Option<Attr> {
        self.slot(op, slot).or_else(|| self.def(op).attrs[slot].default.map(|make| make(&self.cx)))
    }

    /// An attribute by name: a property or a discardable one
    pub fn attr(&self, op: OpId, name: &str) -> Option<Attr> {
        match self.def(op).attr_slot(name) {
            Some(slot) => self.slot(op, slot),
            None => self.discardable(op, name),
        }
    }

    /// Properties `<{…}>` of an unregistered op, as one attribute
    pub fn raw_properties(&self, op: OpId) -> Option<Attr> {
        debug_assert!(self.kind(op) == OpKind::UNREGISTERED);
        Attr::from_raw(self.words[self.ops[op.index()].extra as usize + 1])
    }

    fn segments_at(&self, op: OpId) -> usize {
        let data = &self.ops[op.index()];
        data.extra as usize + self.fixed_slots(data.kind)
    }

    #[inline]
    pub(super) fn fixed_slots(&self, kind: OpKind) -> usize {
        self.cx.facts(kind).slots as usize
    }

    /// Sizes of the operand fields when several vary
    pub fn operand_segments(&self, op: OpId) -> Option<&[u32]> {
        let kind = self.kind(op);
        if !self.cx.facts(kind).operand_segments {
            return None;
        }
        let at = self.segments_at(op);
        Some(&self.words[at..at + self.cx.def(kind).operands.len()])
    }

    /// Segment sizes for [`Ir::set_operands`] that leave the op without operands
    pub fn no_operands(&self, op: OpId) -> Vec<u32> {
        vec![0; self.operand_segments(op).map_or(0, <[u32]>::len)]
    }

    /// Sizes of the result fields when several vary
    pub fn result_segments(&self, op: OpId) -> Option<&[u32]> {
        let kind = self.kind(op);
        let (facts, def) = (self.cx.facts(kind), self.cx.def(kind));
        if !facts.result_segments {
            return None;
        }
        let skip = if facts.operand_segments { def.operands.len() } else { 0 };
        let at = self.segments_at(op) + skip;
        Some(&self.words[at..at + def.results.len()])
    }

    /// Positions of an operand field among the operands; empty when the op has too few (unverified IR)
    pub fn operand_range(&self, op: OpId, field: usize) -> std::ops::Range<usize> {
        if self.cx.facts(self.kind(op)).simple {
            let total = self.num_operands(op);
            return field.min(total)..(field + 1).min(total);
        }
        field_range(
            self.operand_segments(op),
            field,
            self.num_operands(op),
            self.def(op).operands.iter().map(|spec| spec.arity),
        )
    }

    /// Positions of a result field among the results
    pub fn result_range(&self, op: OpId, field: usize) -> std::ops::Range<usize> {
        if self.cx.facts(self.kind(op)).simple {
            let total = self.num_results(op);
            return field.min(total)..(field + 1).min(total);
        }
        let arities = self.def(op).results.iter().map(|spec| spec.arity);
        field_range(self.result_segments(op), field, self.num_results(op), arities)
    }

    /// Values of an operand field
    pub fn operand_field(&self, op: OpId, field: usize) -> Vec<Value> {
        self.operand_range(op, field).map(|n| self.operand(op, n)).collect()
    }

    /// Number of successors
    #[inline]
    pub fn num_successors(&self, op: OpId) -> usize {
        self.ops[op.index()].successors_len as usize
    }

    pub(super) fn successors_at(&self, op: OpId) -> usize {
        self.segments_at(op) + self.cx.facts(self.kind(op)).segment_words as usize
    }

    /// Successor blocks
    pub fn successors(&self, op: OpId) -> impl ExactSizeIterator<Item = BlockId> + Clone + '_ {
        let len = self.num_successors(op);
        let at = if len == 0 { 0 } else { self.successors_at(op) };
        self.words[at..at + len].iter().map(|&raw| BlockId::from_raw(raw).expect("successors are blocks"))
    }

    /// A successor block by its number
    pub fn successor(&self, op: OpId, n: usize) -> Option<BlockId> {
        if n >= self.num_successors(op) {
            return None;
        }
        BlockId::from_raw(self.words[self.successors_at(op) + n])
    }

    /// Number of regions
    #[inline]
    pub fn num_regions(&self, op: OpId) -> usize {
        self.ops[op.index()].regions_len as usize
    }

    /// Regions
    #[inline]
    pub fn regions(
        &self,
        op: OpId,
    ) -> impl ExactSizeIterator<Item = RegionId> + DoubleEndedIterator + Clone + '_ {
        let len = self.num_regions(op);
        let at = if len == 0 { 0 } else { self.successors_at(op) + self.num_successors(op) };
        self.words[at..at + len].iter().map(|&raw| RegionId::from_raw(raw).expect("regions are regions"))
    }

    /// The n-th region
    pub fn region(&self, op: OpId, n: usize) -> RegionId {
        self.regions(op).nth(n).expect("the op has that many regions")
    }

    /// What the op may do to memory; `UNKNOWN` for unregistered ops and units
    pub fn effects(&self, op: OpId) -> Effects {
        let def = self.def(op);
        match def.effects_of {
            Some(of) => of(self, op),
            None => def.effects,
        }
    }
}

fn field_range(
    segments: Option<&[u32]>,
    field: usize,
    total: usize,
    arities: impl ExactSizeIterator<Item = Arity>,
) -> std::ops::Range<usize> {
    if let Some(sizes) = segments {
        let start: usize = sizes[..field].iter().map(|&size| size as usize).sum();
        let end = start + sizes[field] as usize;
        return start.min(total)..end.min(total);
    }
    let count = arities.len();
    let mut start = 0;
    for (n, arity) in arities.enumerate() {
        let len = if arity == Arity::One { 1 } else { (total + 1).saturating_sub(count) };
        if n == field {
            return start.min(total)..(start + len).min(total);
        }
        start += len;
    }
    0..0
}
