//! Integer ops: two's complement, wrapping, whatever C thinks of overflow.
//!
//! Values are kept signed. Where ranges (or `nsw`) show that nothing overflows, plain operators are printed.

use crate::Flavor;
use crate::emit::{Done, Emit};
use crate::expr::{Expr, prec};
use crate::types::Scalar;
use terrace_dialect_upstream::arith::{CmpI, CmpIPredicate, OverflowFlags};
use terrace_ir::{OpId, Value};

/// Does a range fit the signed type?
fn fits(range: (i128, i128), ty: Scalar) -> bool {
    let (low, high) = ty.bounds();
    range.0 >= low && range.1 <= high
}

fn corners(a: (i128, i128), b: (i128, i128), f: fn(i128, i128) -> i128) -> (i128, i128) {
    let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    (*all.iter().min().unwrap_or(&i128::MIN), *all.iter().max().unwrap_or(&i128::MAX))
}

impl Emit<'_> {
    /// The operand read as a signed number: `i1` is 0 or −1
    pub fn signed(&mut self, value: Value) -> Expr {
        let e = self.expr(value);
        match self.ir.ty(value).scalar(self.cx) == self.cx.common().i1 {
            true => Expr::unary("-", &Expr::cast("int", &e)),
            false => e,
        }
    }

    /// The operand read as an unsigned number of its own width
    pub fn unsigned(&mut self, value: Value, ty: Scalar) -> Expr {
        let e = self.expr(value);
        // A literal is converted by the other operand.
        let literal = e.text.bytes().all(|byte| byte.is_ascii_digit());
        match ty {
            Scalar::Bool => Expr::cast("int", &e),
            _ if literal => e,
            _ => Expr::cast(self.flavor.unsigned(ty), &e),
        }
    }

    /// Both operands signed and nonnegative: then signed and unsigned ops agree
    fn nonnegative(&self, op: OpId) -> bool {
        let (a, b) = (self.range(self.ir.operand(op, 0)), self.range(self.ir.operand(op, 1)));
        a.0 >= 0 && b.0 >= 0 && self.ir.ty(self.ir.operand(op, 0)).scalar(self.cx) != self.cx.common().i1
    }

    /// Back to the canonical, signed form
    pub fn wrap(&self, ty: Scalar, e: &Expr) -> Expr {
        match ty {
            Scalar::Bool => {
                let bit = Expr::binary("&", prec::AND, e, &Expr::atom("1"));
                Expr::binary("!=", prec::EQUAL, &bit, &Expr::atom("0"))
            }
            _ => Expr::cast(self.flavor.scalar(ty), e),
        }
    }

    /// Is the result only a place in memory that is accessed for sure, and negative if it overflows? Then it does not
    fn is_place(&self, op: OpId, sign: &str) -> bool {
        let ir = self.ir;
        let (a, b) = (self.range(ir.operand(op, 0)).0 >= 0, self.range(ir.operand(op, 1)).0 >= 0);
        let positive = sign == "+" && (a || b) || sign == "-" && a;
        let access = |(user, n): (OpId, usize)| {
            let first = match ir.op_name(user) {
                "memref.load" => 1,
                "memref.store" | "memref.atomic_rmw" => 2,
                _ => return false,
            };
            n >= first && ir.block(user) == ir.block(op)
        };
        positive && ir.uses(ir.result(op, 0)).all(access)
    }

    /// A sum, difference or product
    fn overflowing(&mut self, op: OpId, sign: &str, level: u8, f: fn(i128, i128) -> i128) -> Done {
        let (ir, cx) = (self.ir, self.cx);
        let (a, b, result) = (ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let range = corners(self.range(a), self.range(b), f);
        let flags = ir.attr(op, "overflowFlags").and_then(|attr| OverflowFlags::of(cx, attr));
        // Of a loop from 0 or above to `a`, at `b`.
        let left = sign == "-" && self.below.get(&b) == Some(&a) && self.range(b).0 >= 0;
        let range = if left { (1, self.range(a).1) } else { range };
        let exact = fits(range, ty)
            || self.is_place(op, sign)
            || flags.is_some_and(|flags| flags.has(OverflowFlags::NSW));
        if exact {
            let (low, high) = ty.bounds();
            self.set_range(result, (range.0.max(low), range.1.min(high)));
        }
        let (x, y) =
            if ty == Scalar::Bool { (self.signed(a), self.signed(b)) } else { (self.expr(a), self.expr(b)) };
        let e = match ty {
            Scalar::Int(32 | 64) if exact => {
                let wide = x.narrow && y.narrow && !fits(range, Scalar::Int(32));
                let x = if wide { Expr::cast(self.flavor.scalar(ty), &x) } else { x };
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
                let x = Expr::cast(self.flavor.unsigned(ty), &x);
                self.wrap(ty, &Expr::binary(sign, level, &x, &y))
            }
            // Narrower ones are computed as `int`, which is wide enough.
            _ => self.wrap(ty, &Expr::binary(sign, level, &x, &y)),
        };
        self.bind(op, result, e)
    }

    fn bitwise(&mut self, op: OpId, sign: &str, level: u8) -> Done {
        let (ir, result) = (self.ir, self.ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let (a, b) = (self.range(ir.operand(op, 0)), self.range(ir.operand(op, 1)));
        if sign == "&" && (a.0 >= 0 || b.0 >= 0) {
            let highs = [a, b].into_iter().filter(|range| range.0 >= 0).map(|range| range.1);
            self.set_range(result, (0, highs.min().unwrap_or(i128::MAX)));
        }
        let (x, y) = (self.expr(ir.operand(op, 0)), self.expr(ir.operand(op, 1)));
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
    fn amount(&mut self, op: OpId, ty: Scalar) -> Expr {
        let value = self.ir.operand(op, 1);
        let (low, high) = self.range(value);
        let e = self.expr(value);
        let mask = i128::from(ty.width()) - 1;
        if low == high && !(0..=mask).contains(&low) {
            return Expr::atom("0");
        }
        if (low >= 0 && high <= mask) || self.flavor == Flavor::OpenCl && ty.width() >= 32 {
            return e;
        }
        Expr::binary("&", prec::AND, &e, &Expr::atom(mask.to_string()))
    }

    fn shift(&mut self, op: OpId, name: &str) -> Done {
        let (value, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let ty = self.scalar_of(op, result)?;
        let range = self.range(value);
        let by = self.range(self.ir.operand(op, 1));
        let steady = by.0 == by.1 && (0..64).contains(&by.0);
        if steady && range.0 >= 0 && name != "shli" {
            self.set_range(result, (range.0 >> by.0, range.1 >> by.0));
        }
        let shifted = (range.0 << by.0.clamp(0, 63), range.1 << by.0.clamp(0, 63));
        let plain_left = steady && range.0 >= 0 && range.1 <= i128::from(i64::MAX) && fits(shifted, ty);
        if name == "shli" && plain_left {
            self.set_range(result, shifted);
        }
        let e = match name {
            _ if ty == Scalar::Bool => self.expr(value),
            "shrsi" | "shrui" if name == "shrsi" || range.0 >= 0 => {
                let short = by.0 >= 0 && by.1 < 32;
                let (x, by) = (self.expr(value), self.amount(op, ty));
                let narrow = x.narrow && short;
                let x = if x.narrow && !short { Expr::cast(self.flavor.scalar(ty), &x) } else { x };
                Expr { narrow, ..Expr::binary(">>", prec::SHIFT, &x, &by) }
            }
            "shli" if plain_left && ty.width() >= 32 => {
                let (x, by) = (self.expr(value), self.amount(op, ty));
                let x = if x.narrow { Expr::cast(self.flavor.scalar(ty), &x) } else { x };
                Expr::binary("<<", prec::SHIFT, &x, &by)
            }
            _ => {
                let x = self.expr(value);
                let (x, by) = (Expr::cast(self.flavor.unsigned(ty), &x), self.amount(op, ty));
                let sign = if name == "shli" { "<<" } else { ">>" };
                self.wrap(ty, &Expr::binary(sign, prec::SHIFT, &x, &by))
            }
        };
        self.bind(op, result, e)
    }

    fn division(&mut self, op: OpId, name: &str) -> Done {
        let (ir, result) = (self.ir, self.ir.result(op, 0));
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let ty = self.scalar_of(op, result)?;
        let ((low, high), by) = (self.range(a), self.range(b));
        let plain = self.nonnegative(op);
        if plain && by.0 > 0 {
            let range = match name {
                "remsi" | "remui" => (0, high.min(by.1 - 1)),
                "ceildivsi" | "ceildivui" => (0, (high - 1).div_euclid(by.0) + 1),
                _ => (low / by.1, high / by.0),
            };
            self.set_range(result, range);
        }
        let floored = name == "floordivsi";
        let sign = if name.starts_with("rem") { "%" } else { "/" };
        let e = match name {
            "ceildivsi" | "ceildivui" | "floordivsi" if !(plain && floored) => {
                let unsigned = name == "ceildivui";
                let c_type = if unsigned { self.flavor.unsigned(ty) } else { self.flavor.scalar(ty) };
                // `i1` is computed as a number.
                let c_type = if ty == Scalar::Bool { "int" } else { c_type };
                let (x, y) = if unsigned {
                    (self.unsigned(a, ty), self.unsigned(b, ty))
                } else {
                    (self.signed(a), self.signed(b))
                };
                let body = match name {
                    "ceildivui" => "  return a / b + (a % b != 0);",
                    "ceildivsi" => "  return a / b + (a % b != 0 && (a < 0) == (b < 0));",
                    _ => "  return a / b - (a % b != 0 && (a < 0) != (b < 0));",
                };
                let name = format!("{}_{}", name.trim_end_matches(['s', 'u', 'i']), c_type.replace(' ', "_"));
                let name = self.helpers.function(&name, c_type, c_type, &["a", "b"], body);
                let call = Expr::call(&name, &[&x, &y]);
                if unsigned || ty == Scalar::Bool { self.wrap(ty, &call) } else { call }
            }
            "divui" | "remui" if !plain => {
                let (x, y) = (self.unsigned(a, ty), self.unsigned(b, ty));
                self.wrap(ty, &Expr::binary(sign, prec::PRODUCT, &x, &y))
            }
            _ => {
                let (x, y) = (self.signed(a), self.signed(b));
                // The least number by −1 is one more than the greatest.
                let over = x.narrow && y.narrow && low <= i128::from(i32::MIN) && by.0 < 0;
                let x = if over { Expr::cast(self.flavor.scalar(ty), &x) } else { x };
                let e = Expr::binary(sign, prec::PRODUCT, &x, &y);
                if matches!(ty, Scalar::Bool | Scalar::Int(8 | 16)) { self.wrap(ty, &e) } else { e }
            }
        };
        self.bind(op, result, e)
    }

    fn min_max(&mut self, op: OpId, name: &str) -> Done {
        let (ir, result) = (self.ir, self.ir.result(op, 0));
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let ty = self.scalar_of(op, result)?;
        let unsigned = name.ends_with("ui") && !self.nonnegative(op);
        let max = name.starts_with("max");
        if !unsigned {
            let (x, y) = (self.range(a), self.range(b));
            let range = if max { (x.0.max(y.0), x.1.max(y.1)) } else { (x.0.min(y.0), x.1.min(y.1)) };
            self.set_range(result, range);
        }
        if ty == Scalar::Bool {
            // Signed, true is −1: the greater one is false.
            let sign = if max == name.ends_with("ui") { "|" } else { "&" };
            return self.bitwise(op, sign, if sign == "|" { prec::OR } else { prec::AND });
        }
        let (x, y) = (self.expr(a), self.expr(b));
        let sign = if max { ">" } else { "<" };
        let body = if unsigned {
            let u = self.flavor.unsigned(ty);
            format!("  return ({u})a {sign} ({u})b ? a : b;")
        } else {
            format!("  return a {sign} b ? a : b;")
        };
        let name = if unsigned {
            name
        } else if max {
            "max"
        } else {
            "min"
        };
        let narrow = !unsigned && x.narrow && y.narrow;
        let ty = if narrow { Scalar::Int(32) } else { ty };
        let name = self.helpers.scalar(name, ty, &["a", "b"], &body);
        self.bind(op, result, Expr { narrow, ..Expr::call(&name, &[&x, &y]) })
    }

    fn compare(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let ty = self.scalar_of(op, a)?;
        let predicate = CmpI(op).predicate(ir);
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
            _ if equality => (self.expr(a), self.expr(b)),
            _ if predicate.is_signed() => (self.signed(a), self.signed(b)),
            _ if self.nonnegative(op) => (self.expr(a), self.expr(b)),
            _ => (self.unsigned(a, ty), self.unsigned(b, ty)),
        };
        let level = if equality { prec::EQUAL } else { prec::ORDER };
        self.bind(op, ir.result(op, 0), Expr::binary(sign, level, &x, &y))
    }

    /// Ops with two results
    fn extended(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let (first, second) = (ir.result(op, 0), ir.result(op, 1));
        let ty = self.scalar_of(op, first)?;
        let (x, y) = (self.leaf(a), self.leaf(b));
        let (c_type, u) = (self.flavor.scalar(ty), self.flavor.unsigned(ty));
        if ty == Scalar::Bool {
            let and = Expr::binary("&", prec::AND, &x, &y);
            // The high half of −1 · −1 = 1 is 0, unsigned of 1 · 1 = 1 too.
            let (low, high) = match name {
                "addui_extended" => (Expr::binary("!=", prec::EQUAL, &x, &y), and),
                _ => (and, Expr::atom("false")),
            };
            self.bind(op, first, low)?;
            return self.bind(op, second, high);
        }
        let sign = if name == "addui_extended" { "+" } else { "*" };
        // Of narrow numbers C computes with `int`, which products of shorts overflow.
        let wide = if ty.width() < 32 { self.flavor.unsigned(Scalar::Int(32)) } else { u };
        let text = format!("({c_type})(({wide}){} {sign} ({wide}){})", x.at(prec::UNARY), y.at(prec::UNARY));
        let low = Expr::new(text, prec::UNARY).with(&[&x, &y]);
        if name == "addui_extended" {
            self.bind_now(first, low);
            let sum = self.leaf(first);
            let carry = Expr::binary("<", prec::ORDER, &Expr::cast(u, &sum), &Expr::cast(u, &x));
            return self.bind(op, second, carry);
        }
        let signed = name == "mulsi_extended";
        let part = if signed { c_type } else { u };
        let high = match (self.flavor, ty.width()) {
            (Flavor::OpenCl, _) => {
                let call = Expr::call("mul_hi", &[&Expr::cast(part, &x), &Expr::cast(part, &y)]);
                Expr::cast(c_type, &call)
            }
            (Flavor::Cuda, 64) => {
                let call = if signed { "__mul64hi" } else { "__umul64hi" };
                Expr::cast(c_type, &Expr::call(call, &[&x, &y]))
            }
            (_, width) => {
                let wide = match (width, signed) {
                    (64, true) => "__int128",
                    (64, false) => "unsigned __int128",
                    (_, true) => self.flavor.scalar(Scalar::Int(64)),
                    (_, false) => self.flavor.unsigned(Scalar::Int(64)),
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

    /// An integer op of `arith`; `None` if it is none
    pub fn int_op(&mut self, op: OpId, name: &str) -> Option<Done> {
        Some(match name {
            "addi" => self.overflowing(op, "+", prec::SUM, |a, b| a.saturating_add(b)),
            "subi" => self.overflowing(op, "-", prec::SUM, |a, b| a.saturating_sub(b)),
            "muli" => self.overflowing(op, "*", prec::PRODUCT, |a, b| a.saturating_mul(b)),
            "andi" => self.bitwise(op, "&", prec::AND),
            "ori" => self.bitwise(op, "|", prec::OR),
            "xori" => self.bitwise(op, "^", prec::XOR),
            "shli" | "shrsi" | "shrui" => self.shift(op, name),
            "divsi" | "divui" | "remsi" | "remui" | "ceildivsi" | "ceildivui" | "floordivsi" => {
                self.division(op, name)
            }
            "maxsi" | "maxui" | "minsi" | "minui" => self.min_max(op, name),
            "cmpi" => self.compare(op),
            "addui_extended" | "mulsi_extended" | "mului_extended" => self.extended(op, name),
            _ => return None,
        })
    }
}
