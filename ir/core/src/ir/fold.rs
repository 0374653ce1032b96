//! Folding: an op returns a simpler form of its results. It only reads.
//!
//! A fold gives existing values or constants. What needs new ops or changes the op is a rewrite rule.

use super::{Context, Ir, OpId, Value};
use crate::handles::Attr;
use crate::traits::Traits;

/// What one result folds to
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// A value that is there already
    Value(Value),
    /// A constant, to be made by the dialect's `materialize`
    Attr(Attr),
}

/// Answer of a fold
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// Nothing simpler
    No,
    /// The only result
    One(FoldResult),
    /// All results in order
    Many(Vec<FoldResult>),
}

impl Folded {
    /// The only result is this value
    pub fn value(value: Value) -> Folded {
        Folded::One(FoldResult::Value(value))
    }

    /// The only result is this constant
    pub fn attr(attr: Attr) -> Folded {
        Folded::One(FoldResult::Attr(attr))
    }

    /// The only result is this constant, if there is one
    pub fn maybe(attr: Option<Attr>) -> Folded {
        attr.map_or(Folded::No, Folded::attr)
    }
}

/// What a fold may look at
#[derive(Clone, Copy)]
pub struct FoldCx<'a> {
    /// The unit
    pub ir: &'a Ir,
    /// The op to fold
    pub op: OpId,
}

impl<'a> FoldCx<'a> {
    /// The unit
    #[inline]
    pub fn ir(&self) -> &'a Ir {
        self.ir
    }

    /// The op to fold
    #[inline]
    pub fn op(&self) -> OpId {
        self.op
    }

    /// The context
    pub fn cx(&self) -> &'a Context {
        self.ir.cx()
    }

    /// The constant that an operand is
    #[inline]
    pub fn constant(&self, operand: usize) -> Option<Attr> {
        constant_of(self.ir, self.ir.operand(self.op, operand))
    }

    /// The n-th operand
    #[inline]
    pub fn operand(&self, n: usize) -> Value {
        self.ir.operand(self.op, n)
    }
}

/// The attribute of a value whose op is a constant (`ConstantLike`, attribute slot 0)
#[inline]
pub fn constant_of(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    if ir.has(op, Traits::ConstantLike) { ir.slot(op, 0) } else { None }
}
