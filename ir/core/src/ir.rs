//! Units, and the context that they share with the definitions of what is in them.
//!
//! [`Ir`] and [`Context`] are declared here and implemented below, since definitions name both: a unit asks its context
//! for the definition of an op, and a definition's hooks read units (`docs/decisions/0037`).
//!
//! [`Ir`] is one unit's arena: ops, blocks, regions, values, and the units it owns. Invariants:
//! - op 0 is the unit's own record; it is in no block. Its regions are the unit's regions.
//! - a child unit is represented in its parent by an op of kind `OpKind::SLOT`; nothing but symbols crosses.
//! - results of an op are consecutive values; each operand is in the use list of its value.
//! - order numbers rise along a block, so "is before" is O(1); inserting numbers some ops anew when a gap is used up.
//! - erased ops leave a tombstone; handles to them are dead. Handles mean nothing in another unit.
//!
//! Reading takes `&Ir`; changing takes `&mut Ir` (in passes through the rewriter). No recursion over nesting anywhere.

pub mod attrs;
mod blocks;
mod builder;
mod clone;
pub mod context;
pub mod defs;
mod dialect;
pub mod fold;
mod ops;
mod order;
mod own_traits;
mod parts;
mod read;
pub mod symbols;
pub mod types;
mod uses;
pub(crate) mod verify_cx;
mod walk;

pub use crate::loc::{Loc, LocView};
pub use builder::{Builder, InsertPoint, NewOp};
pub use clone::ValueMap;
pub use dialect::Dialect;
pub use ops::Size;
pub use own_traits::{OpTrait, OwnTrait};
pub use parts::Parts;
pub use uses::UseIter;
pub use walk::{WalkStep, Walker};

use crate::handles::{Attr, OpKind, Str, Type};
use crate::resources::Resources;
use attrs::AttrKind;
use context::{Common, OpFacts};
use defs::{AttrDef, EnumDef, OpDef, TypeDef};
use std::sync::Arc;
use terrace_diag::{SourceId, Sources};
use terrace_support::{HashMap, Interner};
use types::TypeKind;

/// Everything units share
pub struct Context {
    dialects: Vec<&'static Dialect>,
    ops: Vec<&'static OpDef>,
    facts: Vec<OpFacts>,
    kinds_by_name: HashMap<&'static str, OpKind>,
    kinds_by_def: HashMap<usize, OpKind>,
    dialect_of: Vec<Option<&'static Dialect>>,
    type_defs: HashMap<&'static str, &'static TypeDef>,
    attr_defs: HashMap<&'static str, &'static AttrDef>,
    enum_defs: HashMap<&'static str, &'static EnumDef>,
    types: Interner<TypeKind>,
    attrs: Interner<AttrKind>,
    strs: Interner<Box<str>>,
    common: Common,
    sources: Sources,
}

terrace_support::handle! {
    /// An op of this unit
    pub struct OpId, "op"
}
terrace_support::handle! {
    /// A block of this unit
    pub struct BlockId, "block"
}
terrace_support::handle! {
    /// A region of this unit
    pub struct RegionId, "region"
}
terrace_support::handle! {
    /// An SSA value of this unit: an op's result or a block's argument
    pub struct Value, "value"
}

/// Range in a pool
#[derive(Clone, Copy, Default)]
struct Span32 {
    start: u32,
    len: u32,
}

impl Span32 {
    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

#[derive(Clone)]
struct OpData {
    kind: OpKind,
    results_len: u16,
    regions_len: u16,
    successors_len: u16,
    operands: Span32,
    results: u32,
    /// In `words`: attribute slots, segment sizes, successors, regions
    extra: u32,
    dict: Option<Attr>,
    loc: Loc,
    block: Option<BlockId>,
    prev: Option<OpId>,
    next: Option<OpId>,
    order: u32,
}

#[derive(Clone)]
struct BlockData {
    region: Option<RegionId>,
    args: Span32,
    first: Option<OpId>,
    last: Option<OpId>,
    prev: Option<BlockId>,
    next: Option<BlockId>,
    name: u32,
}

#[derive(Clone)]
struct RegionData {
    parent: OpId,
    first: Option<BlockId>,
    last: Option<BlockId>,
}

/// Where a value comes from
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The n-th result of an op
    Result(OpId, u32),
    /// The n-th argument of a block
    Arg(BlockId, u32),
}

const ARG: u32 = 1 << 31;

#[derive(Clone)]
struct ValueData {
    ty: Type,
    /// Raw handle of op or, with the top bit, of block; zero when dead
    def: u32,
    index: u32,
    first_use: u32,
    /// Zero, 1 + source offset of `%name`, or with the top bit an interned string
    name: u32,
}

/// Lengths of operand lists, from one, whose places are used again
const REUSED: usize = 4;

#[derive(Clone, Copy)]
struct OperandData {
    value: Value,
    owner: OpId,
    /// 1 + index of the neighbours in the value's use list, zero for none
    next: u32,
    prev: u32,
}

/// A unit: an arena of ops with the units it owns
pub struct Ir {
    cx: Arc<Context>,
    ops: Vec<OpData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    values: Vec<ValueData>,
    operands: Vec<OperandData>,
    words: Vec<u32>,
    arg_lists: Vec<Value>,
    /// Locations of block arguments that are not where their names stand, by value
    arg_locs: Vec<(Value, Loc)>,
    children: Vec<Option<Box<Ir>>>,
    free_ops: Vec<OpId>,
    /// Free lists of operand lists, by length; the first operand of each links to the next
    free_spans: [u32; REUSED],
    source: Option<SourceId>,
    resources: Option<Box<Resources>>,
}

/// A value's or block's name as its author wrote it
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    /// None: numbered when printed
    None,
    /// Offset of `%name` or `^name` in the unit's source
    Offset(u32),
    /// Given by a pass or moved from another unit
    Str(Str),
}

impl Name {
    fn encode(self) -> u32 {
        match self {
            Name::None => 0,
            Name::Offset(at) if at < ARG - 1 => at + 1,
            Name::Offset(_) => 0,
            Name::Str(id) => id.raw() | ARG,
        }
    }

    fn decode(word: u32) -> Name {
        if word == 0 {
            Name::None
        } else if word & ARG == 0 {
            Name::Offset(word - 1)
        } else {
            Str::from_raw(word & !ARG).map_or(Name::None, Name::Str)
        }
    }
}

impl Ir {
    /// The unit's own op
    #[inline]
    pub fn root(&self) -> OpId {
        OpId::new(0)
    }

    /// The context
    #[inline]
    pub fn cx(&self) -> &Context {
        &self.cx
    }

    /// The context, shared
    pub fn cx_arc(&self) -> &Arc<Context> {
        &self.cx
    }

    /// The source that offsets of this unit count in
    pub fn source(&self) -> Option<SourceId> {
        self.source
    }

    /// Set the source that offsets of this unit count in
    pub fn set_source(&mut self, source: Option<SourceId>) {
        self.source = source;
    }

    /// Resources of the file that the unit is the outermost of
    pub fn resources(&self) -> Option<&Resources> {
        self.resources.as_deref()
    }

    /// Give the unit resources
    pub fn set_resources(&mut self, resources: Resources) {
        self.resources = Some(Box::new(resources));
    }

    /// Take the resources away
    pub fn take_resources(&mut self) -> Option<Resources> {
        self.resources.take().map(|resources| *resources)
    }

    /// Number of op records, live and erased, for dense side tables by `OpId::index`
    pub fn op_capacity(&self) -> usize {
        self.ops.len()
    }

    /// Number of value records, for dense side tables
    pub fn value_capacity(&self) -> usize {
        self.values.len()
    }

    /// Number of block records, for dense side tables
    pub fn block_capacity(&self) -> usize {
        self.blocks.len()
    }
}

/// Drops nested units with a list instead of recursion, so that depth costs memory and not stack
impl Drop for Ir {
    fn drop(&mut self) {
        let mut pending: Vec<Box<Ir>> = self.children.drain(..).flatten().collect();
        while let Some(mut unit) = pending.pop() {
            pending.extend(unit.children.drain(..).flatten());
        }
    }
}
