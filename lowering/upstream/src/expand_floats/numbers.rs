//! One number from format to format, in integer arithmetic: scalars and vectors alike.
//!
//! Small floats come and go as integers of their bits. On the way they are f32, which holds every number of every small
//! format; f64 is narrowed by itself, so that nothing is rounded twice.

use super::types::{container, mapped, small};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_vector as vector;
use terrace_ir::ir::ValueMap;
use terrace_ir::show::{FloatLayout, FloatSpecial, float_layout};
use terrace_ir::{Attr, Builder, FloatKind, Ir, NewOp, OpDef, OpId, Type, TypeKind, Value};

/// Bits of f32: infinity and the positive quiet NaN
const INFINITY: i64 = 0x7f80_0000;
const NAN: i64 = 0x7fc0_0000;

/// Puts ops before one that is to be replaced
pub(super) struct Emit<'a> {
    pub(super) ir: &'a mut Ir,
    at: OpId,
    /// Values are of its shape
    shape: Type,
    fast: Option<Attr>,
}

impl Emit<'_> {
    /// Before an op, values of a shape, with fast-math flags on products and quotients
    pub(super) fn new(ir: &mut Ir, at: OpId, shape: Type, fast: Option<Attr>) -> Emit<'_> {
        Emit { ir, at, shape, fast }
    }

    pub(super) fn value(&mut self, def: &'static OpDef, operands: &[Value], elem: Type) -> Value {
        let ty = self.shape.with_element(self.ir.cx(), elem);
        let loc = self.ir.loc(self.at);
        let mut b = Builder::before(self.ir, self.at);
        b.set_loc(loc);
        let kind = b.kind(def);
        let op = b.insert(&NewOp { operands, results: &[ty], ..NewOp::new(kind) });
        self.ir.result(op, 0)
    }

    fn int(&self, width: u32) -> Type {
        self.ir.cx().int(width)
    }

    /// An integer of the shape
    pub(super) fn constant(&mut self, value: i64, width: u32) -> Value {
        let cx = self.ir.cx_arc().clone();
        let elem = cx.int(width);
        let one = cx.int_attr(value.into(), elem);
        let ty = self.shape.with_element(&cx, elem);
        let attr = if ty == elem { Some(one) } else { cx.splat_attr(ty, one) };
        let attr = attr.expect("vectors have a static shape");
        let loc = self.ir.loc(self.at);
        let mut b = Builder::before(self.ir, self.at);
        b.set_loc(loc);
        arith::Constant::build(&mut b, attr).result(self.ir)
    }

    pub(super) fn with(&mut self, def: &'static OpDef, a: Value, value: i64, width: u32) -> Value {
        let b = self.constant(value, width);
        self.value(def, &[a, b], self.ir.cx().int(width))
    }

    pub(super) fn compare(&mut self, predicate: CmpIPredicate, a: Value, value: i64, width: u32) -> Value {
        let b = self.constant(value, width);
        self.compare_values(predicate, a, b)
    }

    pub(super) fn compare_values(&mut self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        let loc = self.ir.loc(self.at);
        let mut builder = Builder::before(self.ir, self.at);
        builder.set_loc(loc);
        arith::CmpI::build(&mut builder, a, b, predicate).result(self.ir)
    }

    /// `yes` where the condition holds
    fn choose(&mut self, condition: Value, yes: i64, no: Value, width: u32) -> Value {
        let yes = self.constant(yes, width);
        self.value(arith::Select::DEF, &[condition, yes, no], self.ir.cx().int(width))
    }

    /// The same op on other operands, in front of it
    pub(super) fn clone_with(&mut self, op: OpId, map: &mut ValueMap) -> Value {
        let new = self.ir.clone_op(None, op, map);
        self.ir.insert_before(self.at, new);
        self.ir.result(new, 0)
    }

    /// The low bits, or zeros above
    pub(super) fn resized(&mut self, value: Value, to: Type) -> Value {
        let cx = self.ir.cx();
        let elem = to.scalar(cx);
        let bits = |ty: Type| ty.scalar(cx).bit_width(cx).unwrap_or(0);
        match bits(self.ir.ty(value)).cmp(&bits(to)) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.value(arith::ExtUI::DEF, &[value], elem),
            std::cmp::Ordering::Greater => self.value(arith::TruncI::DEF, &[value], elem),
        }
    }

    /// A product or quotient in a format
    pub(super) fn combined(&mut self, def: &'static OpDef, a: Value, b: Value, ty: Type) -> Value {
        let cx = self.ir.cx_arc().clone();
        let Some(kind) = small(&cx, ty) else {
            let value = self.value(def, &[a, b], ty.scalar(&cx));
            let op = self.ir.defining_op(value).expect("made by an op");
            self.ir.set_attr(op, "fastmath", self.fast);
            return value;
        };
        let common = cx.common();
        let wide = ty.with_element(&cx, if kind == FloatKind::TF32 { common.f64 } else { common.f32 });
        let (a, b) = (self.cast(a, ty, wide), self.cast(b, ty, wide));
        let value = self.combined(def, a, b, wide);
        self.cast(value, wide, ty)
    }

    /// The power of two that a scale is, in the format and shape of `to`
    pub(super) fn scale(&mut self, value: Value, from: Type, to: Type) -> Value {
        let cx = self.ir.cx_arc().clone();
        let shape = std::mem::replace(&mut self.shape, from);
        let power = from.with_element(&cx, cx.ty(TypeKind::Float(FloatKind::F8E8M0FNU)));
        let power_of_two = self.cast(value, from, power);
        let scale = self.cast(power_of_two, power, from.with_element(&cx, to.scalar(&cx)));
        self.shape = shape;
        if from.element(&cx).is_some() || to.element(&cx).is_none() {
            return scale;
        }
        self.value(vector::Broadcast::DEF, &[scale], mapped(&cx, to.scalar(&cx)))
    }

    /// A float in another format, rounded once to nearest even
    pub(super) fn cast(&mut self, value: Value, from: Type, to: Type) -> Value {
        let cx = self.ir.cx_arc().clone();
        let kind = |ty: Type| match ty.scalar(&cx).kind(&cx) {
            TypeKind::Float(kind) => *kind,
            _ => FloatKind::F32,
        };
        let (mut from, to_kind) = (kind(from), kind(to));
        if from == to_kind {
            return value;
        }
        let mut value = value;
        if small(&cx, cx.ty(TypeKind::Float(from))).is_some() {
            value = self.widen(value, from);
            from = FloatKind::F32;
        }
        if small(&cx, to).is_none() {
            let def = match from.width().cmp(&to_kind.width()) {
                std::cmp::Ordering::Less => arith::ExtF::DEF,
                std::cmp::Ordering::Greater => arith::TruncF::DEF,
                std::cmp::Ordering::Equal => return value,
            };
            return self.value(def, &[value], to.scalar(&cx));
        }
        if from.width() < 32 {
            value = self.value(arith::ExtF::DEF, &[value], cx.common().f32);
        }
        let width = if from == FloatKind::F64 { 64 } else { 32 };
        self.narrow(value, width, to_kind)
    }

    /// Bits of a small float as f32, which is exact
    fn widen(&mut self, value: Value, kind: FloatKind) -> Value {
        let f32 = self.ir.cx().common().f32;
        let wide = self.shape.with_element(self.ir.cx(), self.int(32));
        let bits = self.resized(value, wide);
        let bits = match float_layout(kind) {
            // A power of two; the smallest one is below the normal numbers of f32.
            None => {
                let normal = self.with(arith::ShLI::DEF, bits, 23, 32);
                let least = self.compare(CmpIPredicate::Eq, bits, 0, 32);
                let some = self.choose(least, 1 << 22, normal, 32);
                let nan = self.compare(CmpIPredicate::Eq, bits, 0xff, 32);
                self.choose(nan, NAN, some, 32)
            }
            Some(layout) if layout.exponent == 8 => {
                self.with(arith::ShLI::DEF, bits, i64::from(23 - layout.mantissa), 32)
            }
            Some(layout) => self.widen_layout(bits, layout),
        };
        self.value(arith::Bitcast::DEF, &[bits], f32)
    }

    fn widen_layout(&mut self, bits: Value, layout: FloatLayout) -> Value {
        let FloatLayout { exponent, mantissa, bias, special } = layout;
        let sign_bit = 1i64 << (exponent + mantissa);
        let up = i64::from(23 - mantissa);
        let f32 = self.ir.cx().common().f32;
        let bias = i64::from(bias);
        let magnitude = self.with(arith::AndI::DEF, bits, sign_bit - 1, 32);
        let sign = self.with(arith::AndI::DEF, bits, sign_bit, 32);
        let sign = self.with(arith::ShLI::DEF, sign, i64::from(31 - exponent - mantissa), 32);
        let shifted = self.with(arith::ShLI::DEF, magnitude, up, 32);
        let normal = self.with(arith::AddI::DEF, shifted, (127 - bias) << 23, 32);
        // Without a leading one: put one there and take it away again, exactly and in normal numbers.
        let leading = (128 - bias) << 23;
        let led = self.with(arith::AddI::DEF, shifted, leading, 32);
        let led = self.value(arith::Bitcast::DEF, &[led], f32);
        let one = self.constant(leading, 32);
        let one = self.value(arith::Bitcast::DEF, &[one], f32);
        let rest = self.value(arith::SubF::DEF, &[led, one], f32);
        let rest = self.value(arith::Bitcast::DEF, &[rest], self.int(32));
        let is_small = self.compare(CmpIPredicate::Ult, magnitude, 1 << mantissa, 32);
        let finite = self.value(arith::Select::DEF, &[is_small, rest, normal], self.int(32));
        let infinity = ((1i64 << exponent) - 1) << mantissa;
        let number = match special {
            FloatSpecial::Ieee => {
                let infinite = self.compare(CmpIPredicate::Eq, magnitude, infinity, 32);
                self.choose(infinite, INFINITY, finite, 32)
            }
            _ => finite,
        };
        let number = self.value(arith::OrI::DEF, &[number, sign], self.int(32));
        let nan = match special {
            FloatSpecial::Ieee => self.compare(CmpIPredicate::Ugt, magnitude, infinity, 32),
            FloatSpecial::AllOnes => self.compare(CmpIPredicate::Eq, magnitude, sign_bit - 1, 32),
            FloatSpecial::NegativeZero => self.compare(CmpIPredicate::Eq, bits, sign_bit, 32),
            FloatSpecial::Never => return number,
        };
        self.choose(nan, NAN, number, 32)
    }

    /// A float of 32 or 64 bits as bits of a small one, to nearest even
    fn narrow(&mut self, value: Value, width: u32, kind: FloatKind) -> Value {
        let bits = self.value(arith::Bitcast::DEF, &[value], self.int(width));
        let magnitude = self.with(arith::AndI::DEF, bits, i64::MAX >> (64 - width), width);
        let narrow = match float_layout(kind) {
            None => self.power_of_two(bits, magnitude, width),
            Some(layout) => self.narrow_layout(bits, magnitude, width, layout),
        };
        let to = self.shape.with_element(self.ir.cx(), self.int(container(kind)));
        self.resized(narrow, to)
    }

    /// The nearest power of two, halfway up; NaN for what is negative or too large
    fn power_of_two(&mut self, bits: Value, magnitude: Value, width: u32) -> Value {
        let (stored, bias) = if width == 64 { (52, 1023) } else { (23, 127) };
        let half = self.with(arith::AddI::DEF, magnitude, 1 << (stored - 1), width);
        let rounded = self.with(arith::ShRUI::DEF, half, stored, width);
        let code = if width == 64 {
            let code = self.with(arith::SubI::DEF, rounded, bias - 127, width);
            self.with(arith::MaxSI::DEF, code, 0, width)
        } else {
            // Below the normal numbers half a unit is not where the next power of two begins.
            let below = self.compare(CmpIPredicate::Ult, magnitude, 3 << 21, width);
            self.choose(below, 0, rounded, width)
        };
        let code = self.with(arith::MinUI::DEF, code, 0xff, width);
        let negative = self.compare(CmpIPredicate::Ugt, bits, i64::MIN >> (64 - width), width);
        self.choose(negative, 0xff, code, width)
    }

    fn narrow_layout(&mut self, bits: Value, magnitude: Value, width: u32, layout: FloatLayout) -> Value {
        let FloatLayout { exponent, mantissa, bias, special } = layout;
        let (stored, wide_bias) = if width == 64 { (52i64, 1023) } else { (23, 127) };
        let int = self.int(width);
        let mantissa = i64::from(mantissa);
        let sign_bit = 1i64 << (i64::from(exponent) + mantissa);
        // The exponent field of the least number with a leading one, in the wide format.
        let least = i64::from(wide_bias + 1 - bias);
        let mut field = self.with(arith::ShRUI::DEF, magnitude, stored, width);
        let fraction = self.with(arith::AndI::DEF, magnitude, (1 << stored) - 1, width);
        let mut significand = self.with(arith::OrI::DEF, fraction, 1 << stored, width);
        if least <= 1 {
            let none = self.compare(CmpIPredicate::Eq, field, 0, width);
            significand = self.value(arith::Select::DEF, &[none, fraction, significand], int);
            field = self.with(arith::MaxUI::DEF, field, 1, width);
        }
        // Units of the last place: shifted by what the mantissa is shorter, and by what the exponent is too small.
        let lowest = self.constant(least, width);
        let raised = self.value(arith::MaxUI::DEF, &[field, lowest], int);
        let missing = self.value(arith::SubI::DEF, &[raised, field], int);
        let shift = self.with(arith::AddI::DEF, missing, stored - mantissa, width);
        let shift = self.with(arith::MinUI::DEF, shift, stored + 2, width);
        let one = self.constant(1, width);
        let odd = self.value(arith::ShRUI::DEF, &[significand, shift], int);
        let odd = self.value(arith::AndI::DEF, &[odd, one], int);
        let before = self.value(arith::SubI::DEF, &[shift, one], int);
        let half = self.value(arith::ShLI::DEF, &[one, before], int);
        let below_half = self.value(arith::SubI::DEF, &[half, one], int);
        let carry = self.value(arith::AddI::DEF, &[below_half, odd], int);
        let sum = self.value(arith::AddI::DEF, &[significand, carry], int);
        let units = self.value(arith::ShRUI::DEF, &[sum, shift], int);
        // A carry out of the mantissa runs into the exponent, as does the leading one.
        let exponents = self.value(arith::SubI::DEF, &[raised, lowest], int);
        let exponents = self.with(arith::ShLI::DEF, exponents, mantissa, width);
        let number = self.value(arith::AddI::DEF, &[exponents, units], int);
        let ones = sign_bit - 1;
        let infinity = ((1i64 << exponent) - 1) << mantissa;
        let (largest, beyond, nan) = match special {
            FloatSpecial::Ieee => (infinity - 1, infinity, infinity | 1 << (mantissa - 1)),
            FloatSpecial::AllOnes => (ones - 1, ones, ones),
            FloatSpecial::NegativeZero => (ones, sign_bit, sign_bit),
            FloatSpecial::Never => (ones, ones, ones),
        };
        let over = self.compare(CmpIPredicate::Ugt, number, largest, width);
        let number = self.choose(over, beyond, number, width);
        let sign =
            self.with(arith::ShRUI::DEF, bits, i64::from(width - 1) - i64::from(exponent) - mantissa, width);
        let sign = self.with(arith::AndI::DEF, sign, sign_bit, width);
        let signed = self.value(arith::OrI::DEF, &[number, sign], int);
        let signed = if special == FloatSpecial::NegativeZero {
            let zero = self.compare(CmpIPredicate::Eq, number, 0, width);
            self.choose(zero, 0, signed, width)
        } else {
            signed
        };
        let top = if width == 64 { 0x7ffi64 << 52 } else { INFINITY };
        let is_nan = self.compare(CmpIPredicate::Ugt, magnitude, top, width);
        self.choose(is_nan, nan, signed, width)
    }
}
