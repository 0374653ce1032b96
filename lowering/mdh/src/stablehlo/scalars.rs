//! Element-wise ops on single values: in the bodies of computations, and in the regions of reductions.

use super::{Body, Defs, Edge, OnScalars, Points, Road, d, road};
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_stablehlo as hlo;
use terrace_ir::build::{Parts, build};
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, BlockId, Builder, OpDef, OpId, Type, TypeKind, Value};

impl Edge<'_> {
    pub(super) fn body(&mut self, at: BlockId) -> Body<'_> {
        Body { ir: self.ir, at, unsigned: &self.unsigned }
    }

    /// An element-wise op: a computation over all places of its result
    pub(super) fn pointwise(&mut self, op: OpId) -> Done<()> {
        let sizes = self.sizes(self.ir.result(op, 0))?;
        let mut points = Points::kept(self, &sizes)?;
        let operands: Vec<Value> = self.ir.operands(op).collect();
        let mut known: Vec<(Value, Value)> = Vec::new();
        let mut args = Vec::new();
        for value in operands {
            let arg = match known.iter().find(|(other, _)| *other == value) {
                Some((_, arg)) => *arg,
                None => {
                    // A predicate or a bound may be one value for all elements.
                    let rank = self.sizes(value)?.len();
                    points.read(self, value, (0..rank).map(d).collect())?
                }
            };
            known.push((value, arg));
            args.push(arg);
        }
        let value = self.body(points.block).one(op, &args)?;
        points.whole_result(self, op, value);
        Ok(())
    }
}

impl Body<'_> {
    /// What an element-wise op gives for single values
    pub(super) fn one(&mut self, op: OpId, args: &[Value]) -> Done<Value> {
        match road(self.ir, op) {
            Some(Road::Scalar(scalar)) => self.scalar(scalar, op, args),
            Some(Road::Gap(why)) => Err((*why).into()),
            _ => Err("an op on whole tensors has no form in a body on elements".into()),
        }
    }

    fn scalar(&mut self, scalar: &OnScalars, op: OpId, args: &[Value]) -> Done<Value> {
        for value in self.ir.operands(op).chain(self.ir.results(op)).collect::<Vec<_>>() {
            self.known(self.ir.ty(value))?;
        }
        match scalar {
            OnScalars::Same(defs) => self.same(*defs, op, args),
            OnScalars::By(make) => make(self, op, args),
        }
    }

    /// Is it a type of elements that computations have?
    fn known(&self, ty: Type) -> Done<()> {
        match ty.scalar(self.ir.cx()).kind(self.ir.cx()) {
            TypeKind::Float(_) | TypeKind::Int { .. } => Ok(()),
            TypeKind::Complex(_) => Err("complex numbers have no form here".into()),
            _ => Err("elements of this type have no form here: floats, integers and booleans do".into()),
        }
    }

    /// The region of a reduction on single values: what its end gives
    pub(super) fn region(&mut self, entry: BlockId, args: &[Value]) -> Done<Vec<Value>> {
        let mut values: Vec<(Value, Value)> =
            self.ir.block_args(entry).iter().copied().zip(args.iter().copied()).collect();
        for op in self.ir.block_ops(entry).collect::<Vec<OpId>>() {
            let find = |value: Value| values.iter().rev().find(|(from, _)| *from == value).map(|(_, to)| *to);
            let operands: Option<Vec<Value>> = self.ir.operands(op).map(find).collect();
            let operands = operands.ok_or("its region reads a value from outside")?;
            if self.ir.is(op, hlo::Return::DEF) {
                return Ok(operands);
            }
            let value = match self.ir.is(op, hlo::Constant::DEF) {
                true => {
                    let attr = hlo::Constant(op).value(self.ir);
                    let attr =
                        super::moves::element(self.ir.cx(), attr).ok_or("a constant of several elements")?;
                    self.constant(attr)
                }
                false => self.one(op, &operands)?,
            };
            values.push((self.ir.result(op, 0), value));
        }
        Err("its region has no end".into())
    }

    /// Is an operand of the op read as unsigned?
    pub(super) fn is_unsigned(&self, op: OpId, n: usize) -> bool {
        self.had_sign(self.ir.operand(op, n))
    }

    pub(super) fn had_sign(&self, value: Value) -> bool {
        self.unsigned.contains(&value) || self.ir.ty(value).scalar(self.ir.cx()) == self.ir.cx().common().i1
    }

    fn same(&mut self, defs: Defs, op: OpId, args: &[Value]) -> Done<Value> {
        let ty = self.ir.ty(args[0]);
        let (pred, float) = (ty == self.ir.cx().common().i1, ty.is_float(self.ir.cx()));
        let def = match () {
            () if pred => defs.pred,
            () if float => defs.float,
            () if self.is_unsigned(op, 0) => defs.unsigned,
            () => defs.signed,
        };
        let def = def.ok_or("it has no form for elements of this type")?;
        Ok(self.emit(def, args))
    }

    pub(super) fn emit(&mut self, def: &'static OpDef, operands: &[Value]) -> Value {
        self.typed(def, operands, None)
    }

    /// An op whose type does not follow from its operands
    pub(super) fn cast(&mut self, def: &'static OpDef, operand: Value, ty: Type) -> Value {
        self.typed(def, &[operand], Some(ty))
    }

    fn typed(&mut self, def: &'static OpDef, operands: &[Value], ty: Option<Type>) -> Value {
        let fields: Vec<&[Value]> = operands.chunks(1).collect();
        let slots = vec![None; def.attrs.len()];
        let one = ty.map(|ty| [ty]);
        let results = [one.as_ref().map(|types| types.as_slice())];
        let mut b = Builder::at_end(self.ir, self.at);
        let parts =
            Parts { operands: &fields, slots: &slots, results: &results, successors: &[], regions: 0 };
        let op = build(&mut b, def, &parts);
        self.ir.result(op, 0)
    }

    pub(super) fn constant(&mut self, attr: Attr) -> Value {
        let mut b = Builder::at_end(self.ir, self.at);
        arith::Constant::build(&mut b, attr).result(b.read())
    }

    /// A whole number as a constant of this type
    pub(super) fn number(&mut self, value: i128, ty: Type) -> Value {
        let cx = self.ir.cx();
        let attr = match ty.kind(cx) {
            TypeKind::Float(kind) => cx.float_attr(round_to_bits(value as f64, *kind).unwrap_or(0), ty),
            _ => cx.int_attr(value, ty),
        };
        self.constant(attr)
    }

    pub(super) fn float(&mut self, value: f64, ty: Type) -> Value {
        let cx = self.ir.cx();
        let bits = match ty.kind(cx) {
            TypeKind::Float(kind) => round_to_bits(value, *kind).unwrap_or(0),
            _ => 0,
        };
        let attr = cx.float_attr(bits, ty);
        self.constant(attr)
    }

    pub(super) fn width(&self, ty: Type) -> u32 {
        ty.bit_width(self.ir.cx()).unwrap_or(64)
    }

    pub(super) fn cmpf(&mut self, a: Value, b: Value, predicate: arith::CmpFPredicate) -> Value {
        let mut builder = Builder::at_end(self.ir, self.at);
        arith::CmpF::build(&mut builder, a, b, predicate).result(builder.read())
    }

    pub(super) fn cmpi(&mut self, a: Value, b: Value, predicate: arith::CmpIPredicate) -> Value {
        let mut builder = Builder::at_end(self.ir, self.at);
        arith::CmpI::build(&mut builder, a, b, predicate).result(builder.read())
    }

    pub(super) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let mut builder = Builder::at_end(self.ir, self.at);
        arith::Select::build(&mut builder, condition, yes, no).result(builder.read())
    }

    /// A constant that is known here
    fn known_number(&self, value: Value) -> Option<i64> {
        crate::tensors::constant(self.ir, value)
    }
}

pub(super) fn negate(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    let ty = body.ir.ty(args[0]);
    if ty.is_float(body.ir.cx()) {
        return Ok(body.emit(arith::NegF::DEF, args));
    }
    let zero = body.number(0, ty);
    Ok(body.emit(arith::SubI::DEF, &[zero, args[0]]))
}

pub(super) fn not(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    let ones = body.number(-1, body.ir.ty(args[0]));
    Ok(body.emit(arith::XOrI::DEF, &[args[0], ones]))
}

/// -1, 0 or 1; zeros and NaN stay what they are
pub(super) fn sign(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    use arith::{CmpFPredicate as F, CmpIPredicate as I};
    let (x, ty) = (args[0], body.ir.ty(args[0]));
    let zero = body.number(0, ty);
    if ty.is_float(body.ir.cx()) {
        let one = body.number(1, ty);
        let signed = body.emit(math::CopySign::DEF, &[one, x]);
        let other = body.cmpf(x, zero, F::One);
        return Ok(body.select(other, signed, x));
    }
    let (one, minus) = (body.number(1, ty), body.number(-1, ty));
    let positive = body.cmpi(x, zero, I::Sgt);
    let negative = body.cmpi(x, zero, I::Slt);
    let rest = body.select(negative, minus, zero);
    Ok(body.select(positive, one, rest))
}

/// 1 / (1 + exp(-x))
pub(super) fn logistic(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    let one = body.number(1, body.ir.ty(args[0]));
    let negated = body.emit(arith::NegF::DEF, args);
    let power = body.emit(math::Exp::DEF, &[negated]);
    let below = body.emit(arith::AddF::DEF, &[one, power]);
    Ok(body.emit(arith::DivF::DEF, &[one, below]))
}

pub(super) fn square(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    let float = body.ir.ty(args[0]).is_float(body.ir.cx());
    let def = if float { arith::MulF::DEF } else { arith::MulI::DEF };
    Ok(body.emit(def, &[args[0], args[0]]))
}

/// The range of the integers of a type
fn least(width: u32) -> i128 {
    -(1i128 << (width - 1))
}

/// Quotients and remainders of integers: of a divisor of zero they are all ones and the dividend, and -1 divides the least number
fn divided(body: &mut Body<'_>, op: OpId, args: &[Value], remainder: bool) -> Done<Value> {
    use arith::CmpIPredicate::Eq;
    let (x, y, ty) = (args[0], args[1], body.ir.ty(args[0]));
    if ty.is_float(body.ir.cx()) {
        return Ok(body.emit(if remainder { arith::RemF::DEF } else { arith::DivF::DEF }, args));
    }
    let unsigned = body.is_unsigned(op, 0);
    let def = match (remainder, unsigned) {
        (false, false) => arith::DivSI::DEF,
        (false, true) => arith::DivUI::DEF,
        (true, false) => arith::RemSI::DEF,
        (true, true) => arith::RemUI::DEF,
    };
    if body.known_number(y).is_some_and(|y| y != 0 && y != -1) {
        return Ok(body.emit(def, args));
    }
    let (zero, one, ones) = (body.number(0, ty), body.number(1, ty), body.number(-1, ty));
    let by_zero = body.cmpi(y, zero, Eq);
    let mut wrong = by_zero;
    let mut beyond = None;
    if !unsigned {
        let lowest = body.number(least(body.width(ty)), ty);
        let (low, minus) = (body.cmpi(x, lowest, Eq), body.cmpi(y, ones, Eq));
        let both = body.emit(arith::AndI::DEF, &[low, minus]);
        wrong = body.emit(arith::OrI::DEF, &[by_zero, both]);
        beyond = Some((both, if remainder { zero } else { lowest }));
    }
    let safe = body.select(wrong, one, y);
    let mut value = body.emit(def, &[x, safe]);
    if let Some((both, result)) = beyond {
        value = body.select(both, result, value);
    }
    Ok(body.select(by_zero, if remainder { x } else { ones }, value))
}

pub(super) fn divide(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    divided(body, op, args, false)
}

pub(super) fn remainder(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    divided(body, op, args, true)
}

/// A shift by the width of the type or more leaves nothing, or the sign
pub(super) fn shift(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    let (x, by, ty) = (args[0], args[1], body.ir.ty(args[0]));
    let width = body.width(ty);
    let arithmetic = body.ir.is(op, hlo::ShiftRightArithmetic::DEF);
    let def = match () {
        () if arithmetic => arith::ShRSI::DEF,
        () if body.ir.is(op, hlo::ShiftLeft::DEF) => arith::ShLI::DEF,
        () => arith::ShRUI::DEF,
    };
    if body.known_number(by).is_some_and(|by| (0..i64::from(width)).contains(&by)) {
        return Ok(body.emit(def, args));
    }
    let most = body.number(i128::from(width) - 1, ty);
    let inside = body.cmpi(by, most, arith::CmpIPredicate::Ule);
    let safe = body.select(inside, by, most);
    let shifted = body.emit(def, &[x, safe]);
    if arithmetic {
        return Ok(shifted);
    }
    let zero = body.number(0, ty);
    Ok(body.select(inside, shifted, zero))
}

pub(super) fn power(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    match body.ir.ty(args[0]).is_float(body.ir.cx()) {
        true => Ok(body.emit(math::PowF::DEF, args)),
        false if body.is_unsigned(op, 0) => Err("powers of unsigned integers have no form here".into()),
        false => Ok(body.emit(math::IPowI::DEF, args)),
    }
}

pub(super) fn compare(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    use arith::{CmpFPredicate as F, CmpIPredicate as I};
    use hlo::ComparisonDirection as Direction;
    let (mut x, mut y) = (args[0], args[1]);
    let compare = hlo::Compare(op);
    let direction = compare.comparison_direction(body.ir);
    let ty = body.ir.ty(x);
    let signed = match direction {
        Direction::Eq => I::Eq,
        Direction::Ne => I::Ne,
        Direction::Ge => I::Sge,
        Direction::Gt => I::Sgt,
        Direction::Le => I::Sle,
        Direction::Lt => I::Slt,
    };
    if !ty.is_float(body.ir.cx()) {
        let unsigned = body.is_unsigned(op, 0);
        return Ok(body.cmpi(x, y, if unsigned { signed.unsigned() } else { signed }));
    }
    if compare.compare_type(body.ir) == Some(hlo::ComparisonType::TotalOrder) {
        // -NaN < -inf < … < -0 < +0 < … < NaN: negative bit patterns run the other way.
        let int = body.ir.cx().int(body.width(ty));
        for side in [&mut x, &mut y] {
            let bits = body.cast(arith::Bitcast::DEF, *side, int);
            let (all, one) = (body.number(i128::from(body.width(int)) - 1, int), body.number(1, int));
            let sign = body.emit(arith::ShRSI::DEF, &[bits, all]);
            let flips = body.emit(arith::ShRUI::DEF, &[sign, one]);
            *side = body.emit(arith::XOrI::DEF, &[bits, flips]);
        }
        return Ok(body.cmpi(x, y, signed));
    }
    let predicate = match direction {
        Direction::Eq => F::Oeq,
        Direction::Ne => F::Une,
        Direction::Ge => F::Oge,
        Direction::Gt => F::Ogt,
        Direction::Le => F::Ole,
        Direction::Lt => F::Olt,
    };
    Ok(body.cmpf(x, y, predicate))
}

pub(super) fn choose(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    Ok(body.select(args[0], args[1], args[2]))
}

/// min(max(x, low), high)
pub(super) fn clamp(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    let float = body.ir.ty(args[1]).is_float(body.ir.cx());
    let (max, min) = match (float, body.is_unsigned(op, 1)) {
        (true, _) => (arith::MaximumF::DEF, arith::MinimumF::DEF),
        (false, false) => (arith::MaxSI::DEF, arith::MinSI::DEF),
        (false, true) => (arith::MaxUI::DEF, arith::MinUI::DEF),
    };
    let above = body.emit(max, &[args[1], args[0]]);
    Ok(body.emit(min, &[above, args[2]]))
}

pub(super) fn is_finite(body: &mut Body<'_>, _: OpId, args: &[Value]) -> Done<Value> {
    let size = body.emit(math::AbsF::DEF, args);
    let infinite = body.float(f64::INFINITY, body.ir.ty(args[0]));
    Ok(body.cmpf(size, infinite, arith::CmpFPredicate::One))
}

pub(super) fn is_inf(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    let ty = body.ir.ty(args[0]);
    let (value, infinite) = match body.ir.is(op, hlo::IsInf::DEF) {
        true => (body.emit(math::AbsF::DEF, args), f64::INFINITY),
        false if body.ir.is(op, hlo::IsPosInf::DEF) => (args[0], f64::INFINITY),
        false => (args[0], f64::NEG_INFINITY),
    };
    let infinite = body.float(infinite, ty);
    Ok(body.cmpf(value, infinite, arith::CmpFPredicate::Oeq))
}
