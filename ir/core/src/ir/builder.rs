//! Building ops at a place.

use super::Context;
use super::defs::OpDef;
use super::{BlockId, Ir, Loc, OpId, Value};
use crate::handles::Attr;
use crate::handles::OpKind;
use crate::handles::Type;

/// Everything a new op is made from
#[derive(Clone)]
pub struct NewOp<'a> {
    /// Kind
    pub kind: OpKind,
    /// All operands, field after field
    pub operands: &'a [Value],
    /// Sizes of the operand fields; needed when several vary
    pub segments: &'a [u32],
    /// Result types
    pub results: &'a [Type],
    /// Sizes of the result fields; needed when several vary
    pub result_segments: &'a [u32],
    /// Property slots in order of the definition
    pub slots: &'a [Option<Attr>],
    /// Discardable attributes
    pub dict: Option<Attr>,
    /// Successors
    pub successors: &'a [BlockId],
    /// Number of regions
    pub regions: usize,
    /// Location
    pub loc: Loc,
}

impl NewOp<'_> {
    /// An op of this kind with nothing in it
    pub const fn new(kind: OpKind) -> Self {
        NewOp {
            kind,
            operands: &[],
            segments: &[],
            results: &[],
            result_segments: &[],
            slots: &[],
            dict: None,
            successors: &[],
            regions: 0,
            loc: Loc::UNKNOWN,
        }
    }
}

/// Where new ops go
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertPoint {
    /// Before an op
    Before(OpId),
    /// At the end of a block
    End(BlockId),
}

/// Puts new ops at a place, with a location
pub struct Builder<'a> {
    ir: &'a mut Ir,
    at: InsertPoint,
    loc: Loc,
}

impl<'a> Builder<'a> {
    /// Build at the end of a block
    pub fn at_end(ir: &'a mut Ir, block: BlockId) -> Self {
        Builder { ir, at: InsertPoint::End(block), loc: Loc::UNKNOWN }
    }

    /// Build at the start of a block
    pub fn at_start(ir: &'a mut Ir, block: BlockId) -> Self {
        let at = ir.first_op(block).map_or(InsertPoint::End(block), InsertPoint::Before);
        Builder { ir, at, loc: Loc::UNKNOWN }
    }

    /// Build before an op, with its location
    pub fn before(ir: &'a mut Ir, op: OpId) -> Self {
        let loc = ir.loc(op);
        Builder { ir, at: InsertPoint::Before(op), loc }
    }

    /// Build after an op, with its location
    pub fn after(ir: &'a mut Ir, op: OpId) -> Self {
        let loc = ir.loc(op);
        let at = match (ir.next(op), ir.block(op)) {
            (Some(next), _) => InsertPoint::Before(next),
            (None, Some(block)) => InsertPoint::End(block),
            (None, None) => InsertPoint::Before(op),
        };
        Builder { ir, at, loc }
    }

    /// Location of the ops to come
    pub fn set_loc(&mut self, loc: Loc) {
        self.loc = loc;
    }

    /// Location of the ops to come
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// Where the next op goes
    pub fn insert_point(&self) -> InsertPoint {
        self.at
    }

    /// Go to another place
    pub fn set_insert_point(&mut self, at: InsertPoint) {
        self.at = at;
    }

    /// The unit
    pub fn ir(&mut self) -> &mut Ir {
        self.ir
    }

    /// The unit, to read
    pub fn read(&self) -> &Ir {
        self.ir
    }

    /// The context
    pub fn cx(&self) -> &Context {
        self.ir.cx()
    }

    /// Kind of a definition
    ///
    /// # Panics
    /// If its dialect is not registered: the caller registers the dialects whose ops it builds.
    pub fn kind(&self, def: &'static OpDef) -> OpKind {
        self.ir
            .cx()
            .kind_of(def)
            .unwrap_or_else(|| panic!("the dialect of `{}` must be registered to build it", def.name))
    }

    /// Make the op and put it here
    pub fn insert(&mut self, new: &NewOp<'_>) -> OpId {
        let op = if new.loc == Loc::UNKNOWN {
            self.ir.create(&NewOp { loc: self.loc, ..new.clone() })
        } else {
            self.ir.create(new)
        };
        self.place(op);
        op
    }

    /// Put a detached op here
    pub fn place(&mut self, op: OpId) {
        match self.at {
            InsertPoint::Before(next) => self.ir.insert_before(next, op),
            InsertPoint::End(block) => self.ir.append(block, op),
        }
    }

    /// The constant op of a value, made by the dialect of `like` or by `arith`
    pub fn constant(&mut self, attr: Attr, ty: Type, like: OpKind) -> Option<OpId> {
        let materialize = self.ir.cx().constants_of(like)?.materialize?;
        let loc = self.loc;
        materialize(self, attr, ty, loc)
    }
}
