//! Where ops are built, with types and attributes of elements

use crate::model::Elem;
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, BlockId, Builder, FloatKind, Ir, Loc, Name, NewOp, OpDef, Type, TypeKind, Value};

/// The integer of a type that is nearest to a number: infinity is its greatest one
fn whole(value: f64, elem: Elem) -> i128 {
    let top = 1i128 << (elem.bits().max(1) - 1);
    match elem {
        // The least truth is false, the greatest is true.
        Elem::Int(1) => i128::from(value != 0.0 && value != f64::NEG_INFINITY),
        _ => (value as i128).clamp(-top, top - 1),
    }
}

/// Where ops go
pub(crate) struct Cursor<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) block: BlockId,
    pub(crate) loc: Loc,
    /// Numbers that are known at run time, where they are arguments
    pub(crate) sizes: Vec<Option<Value>>,
}

impl Cursor<'_> {
    pub(crate) fn ty(&self, elem: Elem) -> Type {
        let cx = self.ir.cx();
        match elem {
            Elem::Int(bits) => cx.int(bits),
            Elem::Float(16) => cx.ty(TypeKind::Float(FloatKind::F16)),
            Elem::Bf16 => cx.ty(TypeKind::Float(FloatKind::BF16)),
            Elem::Float(32) => cx.common().f32,
            Elem::Float(_) => cx.common().f64,
            Elem::Index => cx.common().index,
        }
    }

    pub(crate) fn number(&self, value: f64, elem: Elem) -> Attr {
        let (cx, ty) = (self.ir.cx(), self.ty(elem));
        let kind = match elem {
            Elem::Float(16) => FloatKind::F16,
            Elem::Bf16 => FloatKind::BF16,
            Elem::Float(32) => FloatKind::F32,
            Elem::Float(_) => FloatKind::F64,
            Elem::Int(_) | Elem::Index => return cx.int_attr(whole(value, elem), ty),
        };
        cx.float_attr(round_to_bits(value, kind).unwrap_or(0), ty)
    }

    pub(crate) fn name(&mut self, value: Value, name: &str) {
        let name = Name::Str(self.ir.cx().intern(name));
        self.ir.set_value_name(value, name);
    }

    /// A builder at the end of the block in progress
    pub(crate) fn b(&mut self) -> Builder<'_> {
        let mut b = Builder::at_end(self.ir, self.block);
        b.set_loc(self.loc);
        b
    }

    /// The value of an op without attributes
    pub(crate) fn value(&mut self, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
        let mut b = self.b();
        let kind = b.kind(def);
        let op = b.insert(&NewOp { operands, results: &[ty], ..NewOp::new(kind) });
        b.read().result(op, 0)
    }
}
