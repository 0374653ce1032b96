//! Bounds of elements: `I : i32 [C] < 9;` says that the elements of an argument are from 0 to 8.
//!
//! Places that are computed from such elements are inside of a tensor, or an error. Whoever calls the function keeps the promise; `terrace-run`
//! looks at the elements first.

use super::{Done, Reader};
use crate::codes;
use crate::model::{Computation, Elem};
use crate::syntax::{Expr, ExprKind, Words};
use terrace_diag::Span;

/// Least and greatest value
type Interval = (i128, i128);

/// Expressions that are looked into: deeper ones have no interval
const DEPTH: u32 = 100;

impl Reader {
    /// `< bound` behind the sizes of a declaration, if it is there
    pub(super) fn below(&mut self, w: &mut Words<'_>, name: &str, elem: Elem) -> Done<()> {
        let at = w.span();
        if !w.eat("<") {
            return Ok(());
        }
        let e = w.expr()?;
        let bound = self.size(w, &e)?;
        if !matches!(elem, Elem::Int(2..) | Elem::Index) {
            let message = format!("{name} is {}: only integers have a bound", elem.text());
            return Err(w.error(&codes::E_NAME, at, message));
        }
        if bound.open.is_some() || bound.most < 1 {
            let message = format!("{} is no bound of elements", bound.text(self.sizes()));
            let help = Some("a bound is a number from 1; elements are from 0 to below it".to_string());
            return Err(w.error_with_help(&codes::E_EXTENT, e.span, &message, help));
        }
        // No element is beyond its type.
        let beyond = 1i64.checked_shl(elem.bits() - 1).filter(|beyond| *beyond > 0).unwrap_or(i64::MAX);
        self.function().below.insert(name.to_owned(), bound.most.min(beyond));
        Ok(())
    }

    /// What has a bound is an argument
    pub(super) fn not_bounded(&self, w: &mut Words<'_>, name: &str, at: Span) -> Done<()> {
        match self.functions.last().is_some_and(|function| function.below.contains_key(name)) {
            true => {
                let message =
                    format!("{name} is declared with a bound of its elements, so it is an argument");
                Err(w.error(&codes::E_NAME, at, message))
            }
            false => Ok(()),
        }
    }

    /// Values of a subscript that is computed from elements, where all of these have bounds
    pub(super) fn reach(&self, one: &Computation, e: &Expr) -> Option<Interval> {
        self.interval(one, e, DEPTH).map(|(values, _)| values)
    }

    /// Values of an expression, and the width that it is computed in; none for numbers that take that of what they stand with
    fn interval(&self, one: &Computation, e: &Expr, depth: u32) -> Option<(Interval, Width)> {
        let of = |e: &Expr| self.interval(one, e, depth.checked_sub(1)?);
        Some(match &e.kind {
            ExprKind::Int(value) => ((i128::from(*value), i128::from(*value)), None),
            ExprKind::Name(name) => match one.dims.iter().find(|dim| dim.name == *name) {
                Some(dim) => ((0, i128::from(dim.size.max(1) - 1)), None),
                None => {
                    let value = i128::from(*self.constants.get(name)?);
                    ((value, value), None)
                }
            },
            ExprKind::Access(name, _, other) => {
                let function = self.functions.last()?;
                let bound = i128::from(*function.below.get(name)?) - 1;
                // What stands for elements outside is between whole numbers.
                let other = other.map_or((0, 0), |other| (other.floor() as i128, other.ceil() as i128));
                (join(other, (0, bound)), width(function.elem(name)?))
            }
            ExprKind::Neg(a) => {
                let ((low, high), width) = of(a)?;
                wrapped((-high, -low), width)
            }
            ExprKind::Iverson(_) => ((0, 1), None),
            ExprKind::Cond(_, a, b) => both(of(a)?, of(b)?, |a, b| Some(join(a, b)))?,
            ExprKind::Op(op, a, b) => both(of(a)?, of(b)?, |a, b| arithmetic(op, a, b))?,
            ExprKind::Call(name, all) => match (name.as_str(), all.as_slice()) {
                ("min", [a, b]) => both(of(a)?, of(b)?, |a, b| Some((a.0.min(b.0), a.1.min(b.1))))?,
                ("max", [a, b]) => both(of(a)?, of(b)?, |a, b| Some((a.0.max(b.0), a.1.max(b.1))))?,
                (ty, [a]) => match Elem::parse(ty)? {
                    elem @ (Elem::Int(2..) | Elem::Index) => wrapped(of(a)?.0, width(elem)),
                    _ => return None,
                },
                _ => return None,
            },
            ExprKind::Float(_) | ExprKind::Tuple(_) => return None,
        })
    }
}

/// Bits that something is computed in
type Width = Option<u32>;

/// An `index` takes the type of an integer that it stands with
fn width(elem: Elem) -> Width {
    Some(elem.bits()).filter(|_| elem != Elem::Index)
}

fn join(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Values in a width: all of it, where some do not fit
fn wrapped(values: Interval, width: Width) -> (Interval, Width) {
    let end = 1i128 << width.unwrap_or(64).clamp(1, 64).saturating_sub(1);
    let fits = values.0 >= -end && values.1 < end;
    (if fits { values } else { (-end, end - 1) }, width)
}

/// An operation on two operands, in the wider of their widths
fn both(
    (a, of_a): (Interval, Width),
    (b, of_b): (Interval, Width),
    act: impl Fn(Interval, Interval) -> Option<Interval>,
) -> Option<(Interval, Width)> {
    let width = of_a.max(of_b);
    Some(wrapped(act(wrapped(a, width).0, wrapped(b, width).0)?, width))
}

/// Values of an operation; quotients are rounded toward zero, and remainders have the sign of the dividend
fn arithmetic(op: &str, (low, high): Interval, (from, to): Interval) -> Option<Interval> {
    Some(match op {
        "+" => (low.checked_add(from)?, high.checked_add(to)?),
        "-" => (low.checked_sub(to)?, high.checked_sub(from)?),
        "*" => {
            let corners = [(low, from), (low, to), (high, from), (high, to)].map(|(a, b)| a.checked_mul(b));
            let all = corners.into_iter().collect::<Option<Vec<i128>>>()?;
            all.into_iter().map(|value| (value, value)).reduce(join)?
        }
        "/" if from == to && from > 0 => (low / from, high / from),
        "%" if from == to && from > 0 && low >= 0 && high < from => (low, high),
        "%" if from == to && from > 0 => {
            (if low < 0 { 1 - from } else { 0 }, if high > 0 { from - 1 } else { 0 })
        }
        _ => return None,
    })
}
