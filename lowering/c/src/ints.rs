//! Integer ops: two's complement, wrapping, whatever C thinks of overflow.
//!
//! Values are kept signed. Where ranges (or `nsw`) show that nothing overflows, plain operators are printed.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::helpers::Helpers;
use crate::refusal::Done;
use crate::types::Scalar;
use terrace_dialect_arith::{self as arith, CmpIPredicate, OverflowFlags};
use terrace_dialect_memref as memref;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { arith:
    AddI any, |e, op| e.overflowing(op, "+", prec::SUM, |a, b| a.saturating_add(b));
    AddUIExtended any, |e, op| e.extended(op, Extended::Sum);
    AndI any, |e, op| e.bitwise(op, "&", prec::AND);
    CeilDivSI any, |e, op| e.division(op, Division::Ceil { unsigned: false });
    CeilDivUI any, |e, op| e.division(op, Division::Ceil { unsigned: true });
    CmpI any, |e, op| e.compare(arith::CmpI(op));
    DivSI any, |e, op| e.division(op, Division::Quotient { unsigned: false });
    DivUI any, |e, op| e.division(op, Division::Quotient { unsigned: true });
    FloorDivSI any, |e, op| e.division(op, Division::Floor);
    MaxSI any, |e, op| e.min_max(op, ">", false);
    MaxUI any, |e, op| e.min_max(op, ">", true);
    MinSI any, |e, op| e.min_max(op, "<", false);
    MinUI any, |e, op| e.min_max(op, "<", true);
    MulI any, |e, op| e.overflowing(op, "*", prec::PRODUCT, |a, b| a.saturating_mul(b));
    MulSIExtended any, |e, op| e.extended(op, Extended::Product { signed: true });
    MulUIExtended any, |e, op| e.extended(op, Extended::Product { signed: false });
    OrI any, |e, op| e.bitwise(op, "|", prec::OR);
    RemSI any, |e, op| e.division(op, Division::Remainder { unsigned: false });
    RemUI any, |e, op| e.division(op, Division::Remainder { unsigned: true });
    ShLI any, |e, op| e.shift(op, Shift::Left);
    ShRSI any, |e, op| e.shift(op, Shift::RightSigned);
    ShRUI any, |e, op| e.shift(op, Shift::RightUnsigned);
    SubI any, |e, op| e.overflowing(op, "-", prec::SUM, |a, b| a.saturating_sub(b));
    XOrI any, |e, op| e.bitwise(op, "^", prec::XOR);
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shift {
    Left,
    RightSigned,
    RightUnsigned,
}

/// What a division gives
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Division {
    /// Rounded toward zero
    Quotient {
        unsigned: bool,
    },
    Remainder {
        unsigned: bool,
    },
    /// Rounded up
    Ceil {
        unsigned: bool,
    },
    /// Rounded down
    Floor,
}

/// Ops with two results
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extended {
    /// Sum and carry
    Sum,
    /// Low and high half
    Product { signed: bool },
}

/// Does a range fit the signed type?
fn fits(range: (i128, i128), ty: Scalar) -> bool {
    let (low, high) = ty.bounds();
    range.0 >= low && range.1 <= high
}

fn corners(a: (i128, i128), b: (i128, i128), f: fn(i128, i128) -> i128) -> (i128, i128) {
    let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    (*all.iter().min().unwrap_or(&i128::MIN), *all.iter().max().unwrap_or(&i128::MAX))
}

impl Helpers {
    /// Back to the canonical, signed form
    pub fn wrap(&self, ty: Scalar, e: &Expr) -> Expr {
        match ty {
            Scalar::Bool => {
                let bit = Expr::binary("&", prec::AND, e, &Expr::atom("1"));
                Expr::binary("!=", prec::EQUAL, &bit, &Expr::atom("0"))
            }
            _ => Expr::cast(self.lang.scalar(ty), e),
        }
    }
}

impl Emit<'_> {
    /// The operand read as a signed number: `i1` is 0 or −1
    pub fn signed(&mut self, value: Value) -> Expr {
        let e = self.values.expr(value);
        match self.ir.ty(value).scalar(self.ir.cx()) == self.ir.cx().common().i1 {
            true => Expr::unary("-", &Expr::cast("int", &e)),
            false => e,
        }
    }

    /// The operand read as an unsigned number of its own width
    pub fn unsigned(&mut self, value: Value, ty: Scalar) -> Expr {
        let e = self.values.expr(value);
        // A literal is converted by the other operand.
        let literal = e.text.bytes().all(|byte| byte.is_ascii_digit());
        match ty {
            Scalar::Bool => Expr::cast("int", &e),
            _ if literal => e,
            _ => Expr::cast(self.lang.unsigned(ty), &e),
        }
    }

    /// Both operands signed and nonnegative: then signed and unsigned ops agree
    fn nonnegative(&self, op: OpId) -> bool {
        let [a, b] = self.operands(op);
        let both = self.range(a).0 >= 0 && self.range(b).0 >= 0;
        both && self.ir.ty(a).scalar(self.ir.cx()) != self.ir.cx().common().i1
    }

    /// Is the result only a place in memory that is accessed for sure, and negative if it overflows? Then it does not
    fn is_place(&self, op: OpId, sign: &str) -> bool {
        let ir = self.ir;
        let [a, b] = self.operands(op).map(|value| self.range(value).0 >= 0);
        let positive = sign == "+" && (a || b) || sign == "-" && a;
        let result = ir.result(op, 0);
        let access = |(user, n): (OpId, usize)| {
            let indices = if let Some(load) = memref::Load::cast(ir, user) {
                load.indices(ir)
            } else if let Some(store) = memref::Store::cast(ir, user) {
                store.indices(ir)
            } else if let Some(update) = memref::AtomicRmw::cast(ir, user) {
                update.indices(ir)
            } else {
                return false;
            };
            n + indices.len() >= ir.num_operands(user) && ir.block(user) == ir.block(op)
        };
        positive && ir.uses(result).all(access)
    }

    /// A sum, difference or product
    fn overflowing(&mut self, op: OpId, sign: &str, level: u8, f: fn(i128, i128) -> i128) -> Done {
        let (ir, cx) = (self.ir, self.ir.cx());
        let ([a, b], result) = (self.operands(op), ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let range = corners(self.range(a), self.range(b), f);
        let flags = ir.attr(op, "overflowFlags").and_then(|attr| OverflowFlags::of(cx, attr));
        // Of a loop from 0 or above to `a`, at `b`.
        let left = sign == "-" && self.values.below.get(&b) == Some(&a) && self.range(b).0 >= 0;
        let range = if left { (1, self.range(a).1) } else { range };
        let exact = fits(range, ty)
            || self.is_place(op, sign)
            || flags.is_some_and(|flags| flags.has(OverflowFlags::NSW));
        if exact {
            let (low, high) = ty.bounds();
            self.values.set_range(result, (range.0.max(low), range.1.min(high)));
        }
        let (x, y) = if ty == Scalar::Bool {
            (self.signed(a), self.signed(b))
        } else {
            (self.values.expr(a), self.values.expr(b))
        };
        let e = match ty {
            Scalar::Int(32 | 64) if exact => {
                let wide = x.narrow && y.narrow && !fits(range, Scalar::Int(32));
                let x = if wide { Expr::cast(self.lang.scalar(ty), &x) } else { x };
                match y
                    .text
                    .strip_prefix('-')
                    .filter(|n| sign == "+" && n.bytes().all(|b| b.is_ascii_digit()))
                {
                    Some(n) => Expr::binary("-", level, &x, &Expr { narrow: true, ..Expr::atom(n) }),
                    None => Expr::binary(sign, level, &x, &y),
                }
            }
            Scalar::Int(32 | 64) => {
                let x = Expr::cast(self.lang.unsigned(ty), &x);
                self.helpers.wrap(ty, &Expr::binary(sign, level, &x, &y))
            }
            // Narrower ones are computed as `int`, which is wide enough.
            _ => self.helpers.wrap(ty, &Expr::binary(sign, level, &x, &y)),
        };
        self.bind(op, result, e)
    }

    fn bitwise(&mut self, op: OpId, sign: &str, level: u8) -> Done {
        let ([left, right], result) = (self.operands(op), self.ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let (a, b) = (self.range(left), self.range(right));
        if sign == "&" && (a.0 >= 0 || b.0 >= 0) {
            let highs = [a, b].into_iter().filter(|range| range.0 >= 0).map(|range| range.1);
            self.values.set_range(result, (0, highs.min().unwrap_or(i128::MAX)));
        }
        let (x, y) = (self.values.expr(left), self.values.expr(right));
        let e = match (ty, sign, y.text.as_str()) {
            (Scalar::Bool, "^", "true") => Expr::unary("!", &x),
            (Scalar::Bool, "^", _) => {
                let (x, y) = (x.at(prec::ORDER), y.at(prec::ORDER));
                Expr::new(format!("{x} != {y}"), prec::EQUAL).with(&[])
            }
            _ => Expr::binary(sign, level, &x, &y),
        };
        let e = if ty == Scalar::Bool && sign == "^" { e.with(&[&x, &y]) } else { e };
        self.bind(op, result, e)
    }

    /// Amount of a shift, kept below the width: by more the result is poison in the IR, but a trap to C
    fn amount(&mut self, value: Value, ty: Scalar) -> Expr {
        let (low, high) = self.range(value);
        let e = self.values.expr(value);
        let mask = i128::from(ty.width()) - 1;
        if low == high && !(0..=mask).contains(&low) {
            return Expr::atom("0");
        }
        if (low >= 0 && high <= mask) || self.lang.wraps_shifts(ty) {
            return e;
        }
        Expr::binary("&", prec::AND, &e, &Expr::atom(mask.to_string()))
    }

    fn shift(&mut self, op: OpId, way: Shift) -> Done {
        let ([value, amount], result) = (self.operands(op), self.ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let range = self.range(value);
        let by = self.range(amount);
        let steady = by.0 == by.1 && (0..64).contains(&by.0);
        if steady && range.0 >= 0 && way != Shift::Left {
            self.values.set_range(result, (range.0 >> by.0, range.1 >> by.0));
        }
        let shifted = (range.0 << by.0.clamp(0, 63), range.1 << by.0.clamp(0, 63));
        let plain_left = steady && range.0 >= 0 && range.1 <= i128::from(i64::MAX) && fits(shifted, ty);
        if way == Shift::Left && plain_left {
            self.values.set_range(result, shifted);
        }
        let e = match way {
            _ if ty == Scalar::Bool => self.values.expr(value),
            Shift::RightSigned | Shift::RightUnsigned if way == Shift::RightSigned || range.0 >= 0 => {
                let short = by.0 >= 0 && by.1 < 32;
                let (x, by) = (self.values.expr(value), self.amount(amount, ty));
                let narrow = x.narrow && short;
                let x = if x.narrow && !short { Expr::cast(self.lang.scalar(ty), &x) } else { x };
                Expr { narrow, ..Expr::binary(">>", prec::SHIFT, &x, &by) }
            }
            Shift::Left if plain_left && ty.width() >= 32 => {
                let (x, by) = (self.values.expr(value), self.amount(amount, ty));
                let x = if x.narrow { Expr::cast(self.lang.scalar(ty), &x) } else { x };
                Expr::binary("<<", prec::SHIFT, &x, &by)
            }
            _ => {
                let x = self.values.expr(value);
                let (x, by) = (Expr::cast(self.lang.unsigned(ty), &x), self.amount(amount, ty));
                let sign = if way == Shift::Left { "<<" } else { ">>" };
                self.helpers.wrap(ty, &Expr::binary(sign, prec::SHIFT, &x, &by))
            }
        };
        self.bind(op, result, e)
    }

    fn division(&mut self, op: OpId, what: Division) -> Done {
        let ([a, b], result) = (self.operands(op), self.ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let ((low, high), by) = (self.range(a), self.range(b));
        let plain = self.nonnegative(op);
        if plain && by.0 > 0 {
            let range = match what {
                Division::Remainder { .. } => (0, high.min(by.1 - 1)),
                Division::Ceil { .. } => (0, (high - 1).div_euclid(by.0) + 1),
                Division::Quotient { .. } | Division::Floor => (low / by.1, high / by.0),
            };
            self.values.set_range(result, range);
        }
        let sign = if matches!(what, Division::Remainder { .. }) { "%" } else { "/" };
        let e = match what {
            Division::Ceil { unsigned } => self.rounded(a, b, ty, what, unsigned),
            Division::Floor if !plain => self.rounded(a, b, ty, what, false),
            Division::Quotient { unsigned: true } | Division::Remainder { unsigned: true } if !plain => {
                let (x, y) = (self.unsigned(a, ty), self.unsigned(b, ty));
                self.helpers.wrap(ty, &Expr::binary(sign, prec::PRODUCT, &x, &y))
            }
            _ => {
                let (x, y) = (self.signed(a), self.signed(b));
                // The least number by −1 is one more than the greatest.
                let over = x.narrow && y.narrow && low <= i128::from(i32::MIN) && by.0 < 0;
                let x = if over { Expr::cast(self.lang.scalar(ty), &x) } else { x };
                let e = Expr::binary(sign, prec::PRODUCT, &x, &y);
                if matches!(ty, Scalar::Bool | Scalar::Int(8 | 16)) { self.helpers.wrap(ty, &e) } else { e }
            }
        };
        self.bind(op, result, e)
    }

    /// A quotient rounded up or down, by a helper
    fn rounded(&mut self, a: Value, b: Value, ty: Scalar, what: Division, unsigned: bool) -> Expr {
        let c_type = if unsigned { self.lang.unsigned(ty) } else { self.lang.scalar(ty) };
        // `i1` is computed as a number.
        let c_type = if ty == Scalar::Bool { "int" } else { c_type };
        let (x, y) = match unsigned {
            true => (self.unsigned(a, ty), self.unsigned(b, ty)),
            false => (self.signed(a), self.signed(b)),
        };
        let (name, body) = match (what, unsigned) {
            (Division::Floor, _) => ("floordiv", "  return a / b - (a % b != 0 && (a < 0) != (b < 0));"),
            (_, true) => ("ceildiv", "  return a / b + (a % b != 0);"),
            (_, false) => ("ceildiv", "  return a / b + (a % b != 0 && (a < 0) == (b < 0));"),
        };
        let name = format!("{name}_{}", c_type.replace(' ', "_"));
        let name = self.helpers.function(&name, c_type, c_type, &["a", "b"], body);
        let call = Expr::call(&name, &[&x, &y]);
        if unsigned || ty == Scalar::Bool { self.helpers.wrap(ty, &call) } else { call }
    }

    fn min_max(&mut self, op: OpId, sign: &str, unsigned_op: bool) -> Done {
        let ([a, b], result) = (self.operands(op), self.ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let unsigned = unsigned_op && !self.nonnegative(op);
        let max = sign == ">";
        if !unsigned {
            let (x, y) = (self.range(a), self.range(b));
            let range = if max { (x.0.max(y.0), x.1.max(y.1)) } else { (x.0.min(y.0), x.1.min(y.1)) };
            self.values.set_range(result, range);
        }
        if ty == Scalar::Bool {
            // Signed, true is −1: the greater one is false.
            let or = max == unsigned_op;
            return if or { self.bitwise(op, "|", prec::OR) } else { self.bitwise(op, "&", prec::AND) };
        }
        let (x, y) = (self.values.expr(a), self.values.expr(b));
        let body = if unsigned {
            let u = self.lang.unsigned(ty);
            format!("  return ({u})a {sign} ({u})b ? a : b;")
        } else {
            format!("  return a {sign} b ? a : b;")
        };
        let name = match (unsigned, max) {
            (true, true) => "maxui",
            (true, false) => "minui",
            (false, true) => "max",
            (false, false) => "min",
        };
        let narrow = !unsigned && x.narrow && y.narrow;
        let ty = if narrow { Scalar::Int(32) } else { ty };
        let name = self.helpers.scalar(name, ty, &["a", "b"], &body);
        self.bind(op, result, Expr { narrow, ..Expr::call(&name, &[&x, &y]) })
    }

    fn compare(&mut self, compare: arith::CmpI) -> Done {
        let (ir, op) = (self.ir, compare.id());
        let (a, b) = (compare.lhs(ir), compare.rhs(ir));
        let ty = self.scalar_of(op, a)?;
        let predicate = compare.predicate(ir);
        let sign = match predicate {
            CmpIPredicate::Eq => "==",
            CmpIPredicate::Ne => "!=",
            CmpIPredicate::Slt | CmpIPredicate::Ult => "<",
            CmpIPredicate::Sle | CmpIPredicate::Ule => "<=",
            CmpIPredicate::Sgt | CmpIPredicate::Ugt => ">",
            CmpIPredicate::Sge | CmpIPredicate::Uge => ">=",
        };
        let equality = matches!(predicate, CmpIPredicate::Eq | CmpIPredicate::Ne);
        let (x, y) = match predicate {
            _ if equality => (self.values.expr(a), self.values.expr(b)),
            _ if predicate.is_signed() => (self.signed(a), self.signed(b)),
            _ if self.nonnegative(op) => (self.values.expr(a), self.values.expr(b)),
            _ => (self.unsigned(a, ty), self.unsigned(b, ty)),
        };
        let level = if equality { prec::EQUAL } else { prec::ORDER };
        self.bind(op, compare.result(ir), Expr::binary(sign, level, &x, &y))
    }

    /// Ops with two results
    fn extended(&mut self, op: OpId, what: Extended) -> Done {
        let ir = self.ir;
        let [a, b] = self.operands(op);
        let (first, second) = (ir.result(op, 0), ir.result(op, 1));
        let ty = self.scalar_of(op, first)?;
        let (x, y) = (self.leaf(a), self.leaf(b));
        let (c_type, u) = (self.lang.scalar(ty), self.lang.unsigned(ty));
        if ty == Scalar::Bool {
            let and = Expr::binary("&", prec::AND, &x, &y);
            // The high half of −1 · −1 = 1 is 0, unsigned of 1 · 1 = 1 too.
            let (low, high) = match what {
                Extended::Sum => (Expr::binary("!=", prec::EQUAL, &x, &y), and),
                _ => (and, Expr::atom("false")),
            };
            self.bind(op, first, low)?;
            return self.bind(op, second, high);
        }
        let sign = if what == Extended::Sum { "+" } else { "*" };
        // Of narrow numbers C computes with `int`, which products of shorts overflow.
        let wide = if ty.width() < 32 { self.lang.unsigned(Scalar::Int(32)) } else { u };
        let text = format!("({c_type})(({wide}){} {sign} ({wide}){})", x.at(prec::UNARY), y.at(prec::UNARY));
        let low = Expr::new(text, prec::UNARY).with(&[&x, &y]);
        let Extended::Product { signed } = what else {
            self.bind_now(first, low);
            let sum = self.leaf(first);
            let carry = Expr::binary("<", prec::ORDER, &Expr::cast(u, &sum), &Expr::cast(u, &x));
            return self.bind(op, second, carry);
        };
        let part = if signed { c_type } else { u };
        let high = match self.lang.high_product(&x, &y, ty, signed) {
            Some(high) => Expr::cast(c_type, &high),
            None => {
                let width = ty.width();
                let wide = match (width, signed) {
                    (64, true) => "__int128",
                    (64, false) => "unsigned __int128",
                    (_, true) => self.lang.scalar(Scalar::Int(64)),
                    (_, false) => self.lang.unsigned(Scalar::Int(64)),
                };
                let text = format!(
                    "({c_type})(({wide})({part}){} * ({part}){} >> {width})",
                    x.at(prec::UNARY),
                    y.at(prec::UNARY)
                );
                Expr::new(text, prec::UNARY).with(&[&x, &y])
            }
        };
        self.bind(op, first, low)?;
        self.bind(op, second, high)
    }
}
