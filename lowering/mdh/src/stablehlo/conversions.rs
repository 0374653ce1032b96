//! Conversions between formats of numbers, on single values.

use super::Body;
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_stablehlo as hlo;
use terrace_ir::{FloatKind, OpId, Type, TypeKind, Value};

pub(super) fn convert(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    let to = body.ir.ty(body.ir.result(op, 0)).scalar(body.ir.cx());
    let unsigned = body.is_unsigned(op, 0);
    let to_unsigned = body.is_unsigned_result(op);
    Ok(body.converted(args[0], unsigned, to, to_unsigned))
}

impl Body<'_> {
    fn is_unsigned_result(&self, op: OpId) -> bool {
        self.had_sign(self.ir.result(op, 0))
    }

    /// The value in another format
    pub(super) fn converted(&mut self, x: Value, unsigned: bool, to: Type, to_unsigned: bool) -> Value {
        let cx = self.ir.cx();
        let (from, flag) = (self.ir.ty(x), cx.common().i1);
        let (float, to_float) = (from.is_float(cx), to.is_float(cx));
        let (width, to_width) = (self.width(from), self.width(to));
        match (float, to_float) {
            _ if from == to => x,
            (true, true) if width == to_width => {
                // Two formats of one width: through one that holds both.
                let wide = self.ir.cx().common().f32;
                let value = self.cast(arith::ExtF::DEF, x, wide);
                self.cast(arith::TruncF::DEF, value, to)
            }
            (true, true) if width < to_width => self.cast(arith::ExtF::DEF, x, to),
            (true, true) => self.cast(arith::TruncF::DEF, x, to),
            _ if to == flag => {
                let zero = self.number(0, from);
                match float {
                    true => self.cmpf(x, zero, arith::CmpFPredicate::Une),
                    false => self.cmpi(x, zero, arith::CmpIPredicate::Ne),
                }
            }
            (true, false) => self.truncated(x, to, to_unsigned),
            (false, true) if unsigned => self.cast(arith::UIToFP::DEF, x, to),
            (false, true) => self.cast(arith::SIToFP::DEF, x, to),
            (false, false) if width > to_width => self.cast(arith::TruncI::DEF, x, to),
            (false, false) if unsigned => self.cast(arith::ExtUI::DEF, x, to),
            (false, false) => self.cast(arith::ExtSI::DEF, x, to),
        }
    }

    /// A float without its fraction: the nearest integer of the type where it is beyond, zero for NaN
    fn truncated(&mut self, x: Value, to: Type, unsigned: bool) -> Value {
        use arith::CmpFPredicate::{Oge, Ogt, Olt};
        if self.width(self.ir.ty(x)) < 32 {
            // A narrow format does not have the bounds.
            let wide = self.ir.cx().common().f32;
            let x = self.cast(arith::ExtF::DEF, x, wide);
            return self.truncated(x, to, unsigned);
        }
        let (from, width) = (self.ir.ty(x), self.width(to) as i32);
        let end = f64::from(if unsigned { width } else { width - 1 }).exp2();
        let (high, low) = (self.float(end, from), self.float(if unsigned { -1.0 } else { -end }, from));
        let below = self.cmpf(x, high, Olt);
        let above = self.cmpf(x, low, if unsigned { Ogt } else { Oge });
        let inside = self.emit(arith::AndI::DEF, &[below, above]);
        let zero = self.number(0, from);
        let safe = self.select(inside, x, zero);
        let def = if unsigned { arith::FPToUI::DEF } else { arith::FPToSI::DEF };
        let number = self.cast(def, safe, to);
        let most = self.number(if unsigned { -1 } else { (1i128 << (width - 1)) - 1 }, to);
        let least = self.number(if unsigned { 0 } else { -(1i128 << (width - 1)) }, to);
        let (beyond, under) = (self.cmpf(x, high, Oge), self.cmpf(x, low, Olt));
        let number = self.select(beyond, most, number);
        self.select(under, least, number)
    }
}

/// Rounds to fewer bits: those of a format that exists
pub(super) fn reduce_precision(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    let reduce = hlo::ReducePrecision(op);
    let bits = (
        reduce.exponent_bits(body.ir).as_i64(body.ir.cx()),
        reduce.mantissa_bits(body.ir).as_i64(body.ir.cx()),
    );
    let from = body.ir.ty(args[0]);
    let common = body.ir.cx().common();
    let to = match bits {
        (Some(5), Some(10)) => common.f16,
        (Some(8), Some(7)) => common.bf16,
        (Some(8), Some(23)) => common.f32,
        (Some(11), Some(52)) => common.f64,
        _ => return Err("its exponent_bits and mantissa_bits are those of no format: 5 and 10, 8 and 7, 8 and 23, or 11 and 52".into()),
    };
    let narrow = matches!(from.kind(body.ir.cx()), TypeKind::Float(FloatKind::F32 | FloatKind::F64));
    if from == to || body.width(to) >= body.width(from) && narrow {
        return Ok(args[0]);
    }
    if !narrow {
        return Err("a 16-bit format is rounded to no other one here".into());
    }
    let rounded = body.cast(arith::TruncF::DEF, args[0], to);
    Ok(body.cast(arith::ExtF::DEF, rounded, from))
}

/// The same bits in another format of the same width
pub(super) fn bitcast(body: &mut Body<'_>, op: OpId, args: &[Value]) -> Done<Value> {
    let to = body.ir.ty(body.ir.result(op, 0)).scalar(body.ir.cx());
    let from = body.ir.ty(args[0]);
    if from == to {
        return Ok(args[0]);
    }
    if body.width(from) != body.width(to) {
        return Err("formats of different widths have no form here".into());
    }
    Ok(body.cast(arith::Bitcast::DEF, args[0], to))
}
