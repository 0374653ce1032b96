//! Casts of `arith`.

use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::Expr;
use crate::refusal::Done;
use crate::types::Scalar;
use terrace_dialect_arith as arith;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { arith:
    Bitcast any, |e, op| e.cast(op, Cast::Bits);
    ExtF any, |e, op| e.cast(op, Cast::Float);
    ExtSI any, |e, op| e.cast(op, Cast::Signed);
    ExtUI any, |e, op| e.cast(op, Cast::Unsigned);
    FPToSI any, |e, op| e.cast(op, Cast::ToSigned);
    FPToUI any, |e, op| e.cast(op, Cast::ToUnsigned);
    IndexCast any, |e, op| e.cast(op, Cast::Signed);
    IndexCastUI any, |e, op| e.cast(op, Cast::Unsigned);
    SIToFP any, |e, op| e.cast(op, Cast::OfSigned);
    TruncF to_nearest_even, |e, op| e.cast(op, Cast::Float);
    TruncI any, |e, op| e.cast(op, Cast::Truncated);
    UIToFP any, |e, op| e.cast(op, Cast::OfUnsigned);
};

fn to_nearest_even(c: &Check<'_>, op: OpId) -> Checked {
    let mode = arith::TruncF(op).roundingmode(c.ir);
    if mode.is_none_or(|mode| mode == arith::RoundingMode::ToNearestEven) {
        return Ok(());
    }
    let help = "`expand-floats` makes casts to nearest of it";
    Err(Refusal::new("it rounds in another mode than to the nearest even", help))
}

/// How the bits of the operand are read, and those of the result made
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cast {
    /// Between floats
    Float,
    /// Between integers, read as signed
    Signed,
    /// Between integers, read as unsigned
    Unsigned,
    /// To an integer of fewer bits
    Truncated,
    OfSigned,
    OfUnsigned,
    ToSigned,
    ToUnsigned,
    /// The bits stay
    Bits,
}

impl Cast {
    /// Is the operand or the result rounded or widened as a float?
    fn of_floats(self) -> bool {
        !matches!(self, Cast::Signed | Cast::Unsigned | Cast::Truncated | Cast::Bits)
    }
}

impl Emit<'_> {
    fn cast(&mut self, op: OpId, how: Cast) -> Done {
        let [value] = self.operands(op);
        let result = self.ir.result(op, 0);
        let (from, to) = (self.scalar_of(op, value)?, self.scalar_of(op, result)?);
        let c_type = self.lang.scalar(to);
        let range = self.range(value);
        let (low, high) = to.bounds();
        let integers = !from.is_float() && !to.is_float();
        let booleans = from == Scalar::Bool || to == Scalar::Bool;
        let fits = range.0 >= low && range.1 <= high && (how != Cast::Unsigned || range.0 >= 0);
        if integers && !booleans && fits {
            self.values.set_range(result, range);
        }
        let e = match how {
            _ if how.of_floats() && (self.lang.soft(from) || self.lang.soft(to)) => {
                self.soft_cast(value, how, (from, to))
            }
            Cast::Signed if from == Scalar::Bool => {
                let e = Expr::cast(c_type, &self.values.expr(value));
                Expr::unary("-", &e)
            }
            Cast::Unsigned if from == Scalar::Bool => {
                self.values.set_range(result, (0, 1));
                Expr::cast(c_type, &self.values.expr(value))
            }
            _ if integers && to == Scalar::Bool => {
                let e = self.values.expr(value);
                self.helpers.wrap(to, &e)
            }
            Cast::Signed | Cast::Truncated => self.resized(value, from, to),
            Cast::Unsigned if range.0 >= 0 || to.width() <= from.width() => self.resized(value, from, to),
            Cast::Unsigned => {
                self.values.set_range(result, (0, (1i128 << from.width()) - 1));
                Expr::cast(c_type, &Expr::cast(self.lang.unsigned(from), &self.values.expr(value)))
            }
            Cast::Float => Expr::cast(c_type, &self.values.expr(value)),
            Cast::OfSigned => Expr::cast(c_type, &self.signed(value)),
            Cast::OfUnsigned if from == Scalar::Bool || range.0 >= 0 => {
                Expr::cast(c_type, &self.values.expr(value))
            }
            Cast::OfUnsigned => {
                Expr::cast(c_type, &Expr::cast(self.lang.unsigned(from), &self.values.expr(value)))
            }
            Cast::ToSigned | Cast::ToUnsigned if to == Scalar::Bool => {
                let e = Expr::cast("int", &self.values.expr(value));
                self.helpers.wrap(to, &e)
            }
            Cast::ToSigned => Expr::cast(c_type, &self.values.expr(value)),
            Cast::ToUnsigned => {
                Expr::cast(c_type, &Expr::cast(self.lang.unsigned(to), &self.values.expr(value)))
            }
            Cast::Bits => {
                let e = self.values.expr(value);
                self.helpers.reinterpret(from, to, &e)
            }
        };
        self.bind(op, result, e)
    }

    /// A cast from or to a float that is kept as bits
    fn soft_cast(&mut self, value: Value, how: Cast, (from, to): (Scalar, Scalar)) -> Expr {
        if how == Cast::OfSigned && from == Scalar::Bool {
            let e = Expr::unary("-", &Expr::cast("int", &self.values.expr(value)));
            return self.helpers.softened(Scalar::Int(32), to, &e, false);
        }
        let e = self.values.expr(value);
        if self.lang.soft(to) {
            return self.helpers.softened(from, to, &e, how == Cast::OfUnsigned);
        }
        let e = self.helpers.widened(from, &e);
        let c_type = self.lang.scalar(to);
        match how {
            Cast::ToSigned | Cast::ToUnsigned if to == Scalar::Bool => {
                self.helpers.wrap(to, &Expr::cast("int", &e))
            }
            Cast::ToUnsigned => Expr::cast(c_type, &Expr::cast(self.lang.unsigned(to), &e)),
            _ if to == Scalar::F32 => e,
            _ => Expr::cast(c_type, &e),
        }
    }

    /// An integer as one of another width
    fn resized(&mut self, value: Value, from: Scalar, to: Scalar) -> Expr {
        let e = self.values.expr(value);
        let devices = self.lang.prefers_int() && self.values.lanes.is_none();
        match (from, to) {
            // C widens by itself, and what is narrow needs no cut.
            (Scalar::Int(32), Scalar::Int(64)) if devices => Expr { narrow: true, ..e },
            (Scalar::Int(64), Scalar::Int(32)) if devices && e.narrow => Expr { narrow: false, ..e },
            _ => Expr::cast(self.lang.scalar(to), &e),
        }
    }
}
