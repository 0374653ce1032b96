//! Functions of `math` as sums, products and bits: the same ones on every target, in place of a library's.
//!
//! What is computed is [`polynomial_approximation`]'s, which lanes of the host have, too; here a product and a sum that may be rounded once always
//! are. Floats of 16 bits are computed in f32. A function that needs the library for some arguments has no such form.

use crate::elements::convert;
use std::cell::{Cell, RefCell};
use terrace_dialect_arith::{self as arith, CmpFPredicate};
use terrace_dialect_math as math;
use terrace_dialect_math::polynomial_approximation::{FloatOp, Format, IntOp, Pred, Rows, approximate};
use terrace_ir::{Builder, Ir, OpDef, OpId, Type, Value};

/// Functions that have one value everywhere: all their digits are right
const EXACT: &[&OpDef] = &[
    math::AbsF::DEF,
    math::AbsI::DEF,
    math::Ceil::DEF,
    math::ClampF::DEF,
    math::CopySign::DEF,
    math::Floor::DEF,
    math::Fma::DEF,
    math::Round::DEF,
    math::RoundEven::DEF,
    math::Sqrt::DEF,
    math::Trunc::DEF,
];

/// Is it the same on all targets as it is?
pub fn is_exact(ir: &Ir, op: OpId) -> bool {
    ir.is_any(op, EXACT)
}

/// Put sums, products and bits in place of a function; `false`, and nothing has changed that is used, if it has none
pub fn expand(ir: &mut Ir, op: OpId) -> bool {
    let result = ir.result(op, 0);
    let (ty, common) = (ir.ty(result), ir.cx().common());
    let (format, wide) = match () {
        () if ty == common.f64 => (Format::Double, ty),
        () if [common.f32, common.f16, common.bf16].contains(&ty) => (Format::Single, common.f32),
        () => return false,
    };
    let (operands, def): (Vec<Value>, _) = (ir.operands(op).collect(), ir.def(op));
    let mut b = Builder::before(ir, op);
    let args: Vec<Value> = operands.into_iter().map(|value| convert(&mut b, value, wide)).collect();
    let body = Body { b: RefCell::new(&mut b), needs_library: Cell::new(false) };
    let made = approximate(&body, def, format, &args);
    let needs_library = body.needs_library.get();
    let Some(value) = made.filter(|_| !needs_library) else { return false };
    let value = convert(&mut b, value, ty);
    ir.replace_all_uses(result, value);
    ir.erase(op);
    true
}

/// Single numbers in the body of a computation
struct Body<'a, 'b> {
    b: RefCell<&'a mut Builder<'b>>,
    needs_library: Cell<bool>,
}

macro_rules! emit {
    ($self:ident, $dialect:ident :: $op:ident, $out:ident, $($arg:expr),*) => {{
        let mut b = $self.b.borrow_mut();
        let made = $dialect::$op::build(&mut b, $($arg),*);
        made.$out(b.read())
    }};
}

impl Body<'_, '_> {
    fn float(&self, format: Format) -> Type {
        let b = self.b.borrow();
        format.pick(b.cx().common().f32, b.cx().common().f64)
    }

    fn word(&self, format: Format) -> Type {
        let b = self.b.borrow();
        format.pick(b.cx().common().i32, b.cx().common().i64)
    }
}

impl Rows for Body<'_, '_> {
    type V = Value;

    fn real(&self, format: Format, value: f64) -> Value {
        let ty = self.float(format);
        let mask = if format == Format::Single { u64::from(u32::MAX) } else { u64::MAX };
        let attr = self.b.borrow().cx().float_attr(format.encode(value) as u64 & mask, ty);
        emit!(self, arith::Constant, result, attr)
    }

    fn int(&self, format: Format, value: i64) -> Value {
        let ty = self.word(format);
        let attr = self.b.borrow().cx().int_attr(i128::from(value), ty);
        emit!(self, arith::Constant, result, attr)
    }

    fn float_op(&self, _: Format, op: FloatOp, x: Value, y: Value) -> Value {
        match op {
            FloatOp::Add => emit!(self, arith::AddF, result, x, y),
            FloatOp::Sub => emit!(self, arith::SubF, result, x, y),
            FloatOp::Mul => emit!(self, arith::MulF, result, x, y),
            FloatOp::Div => emit!(self, arith::DivF, result, x, y),
        }
    }

    fn int_op(&self, _: Format, op: IntOp, x: Value, y: Value) -> Value {
        match op {
            IntOp::Add => emit!(self, arith::AddI, result, x, y),
            IntOp::Sub => emit!(self, arith::SubI, result, x, y),
            IntOp::Xor => emit!(self, arith::XOrI, result, x, y),
            IntOp::Up => emit!(self, arith::ShLI, result, x, y),
            IntOp::Down => emit!(self, arith::ShRSI, result, x, y),
        }
    }

    fn fma(&self, _: Format, x: Value, y: Value, z: Value) -> Value {
        emit!(self, math::Fma, result, x, y, z)
    }

    fn fused(&self, format: Format, x: Value, y: Value, z: Value) -> Option<Value> {
        Some(self.fma(format, x, y, z))
    }

    fn sqrt(&self, _: Format, x: Value) -> Value {
        emit!(self, math::Sqrt, result, x)
    }

    fn rsqrt_estimate(&self, _: Format, _: Value) -> Option<Value> {
        None
    }

    fn convert(&self, from: Format, x: Value) -> Value {
        let to = self.float(from.pick(Format::Double, Format::Single));
        convert(&mut self.b.borrow_mut(), x, to)
    }

    fn bits(&self, format: Format, x: Value) -> Value {
        let ty = self.word(format);
        emit!(self, arith::Bitcast, out, x, ty)
    }

    fn of_bits(&self, format: Format, x: Value) -> Value {
        let ty = self.float(format);
        emit!(self, arith::Bitcast, out, x, ty)
    }

    fn abs(&self, _: Format, x: Value) -> Value {
        emit!(self, math::AbsF, result, x)
    }

    fn copysign(&self, _: Format, x: Value, sign: Value) -> Value {
        emit!(self, math::CopySign, result, x, sign)
    }

    fn compare(&self, _: Format, pred: Pred, x: Value, y: Value) -> Value {
        let pred = match pred {
            Pred::Greater => CmpFPredicate::Ogt,
            Pred::GreaterOrEqual => CmpFPredicate::Oge,
            Pred::Less => CmpFPredicate::Olt,
            Pred::Equal => CmpFPredicate::Oeq,
        };
        emit!(self, arith::CmpF, result, x, y, pred)
    }

    fn both(&self, _: Format, x: Value, y: Value) -> Value {
        emit!(self, arith::AndI, result, x, y)
    }

    fn either(&self, _: Format, x: Value, y: Value) -> Value {
        emit!(self, arith::OrI, result, x, y)
    }

    fn select(&self, _: Format, mask: Value, yes: Value, no: Value) -> Value {
        emit!(self, arith::Select, result, mask, yes, no)
    }

    fn scaled(&self, _: Format, _: Value, _: Value, _: Option<Value>) -> Option<Value> {
        None
    }

    fn scales(&self, _: Format) -> bool {
        false
    }

    fn exponent_and_significand(&self, _: Format, _: Value) -> Option<(Value, Value)> {
        None
    }

    fn library(&self, _: Format, _: Value, _: &str, _: Value, no: Value) -> Value {
        self.needs_library.set(true);
        no
    }
}
