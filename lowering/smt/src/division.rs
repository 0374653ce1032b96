//! Divisions: undefined by zero or poison, and where the quotient does not fit.

use crate::encode::{Encoder, Encoding, any};
use easy_smt::SExpr;
use std::io;
use terrace_dialect_arith as arith;
use terrace_ir::OpId;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Encoding] = rows! { arith:
    DivSI any, |e, op| e.divide(op, true, |e, a, b, _| e.cx.bvsdiv(a, b));
    RemSI any, |e, op| e.divide(op, true, |e, a, b, _| e.cx.bvsrem(a, b));
    CeilDivSI any, |e, op| e.divide(op, true, |e, a, b, width| e.rounded(a, b, width, true));
    FloorDivSI any, |e, op| e.divide(op, true, |e, a, b, width| e.rounded(a, b, width, false));
    DivUI any, |e, op| e.divide(op, false, |e, a, b, _| e.cx.bvudiv(a, b));
    RemUI any, |e, op| e.divide(op, false, |e, a, b, _| e.cx.bvurem(a, b));
    CeilDivUI any, |e, op| e.divide(op, false, |e, a, b, width| {
        let remains = e.cx.distinct(e.cx.bvurem(a, b), e.number(0, width));
        e.one_more_if(remains, e.cx.bvudiv(a, b), 1, width)
    });
};

/// A quotient or remainder of two numbers of so many bits
type Divided = fn(&Encoder<'_>, SExpr, SExpr, u32) -> SExpr;

impl Encoder<'_> {
    fn divide(&mut self, op: OpId, signed: bool, of: Divided) -> io::Result<()> {
        let (a, b) = self.two(op);
        let width = self.result_width(op, 0);
        let zero = self.number(0, width);
        self.undefined_if(b.poison);
        self.undefined_if(self.cx.eq(b.bits, zero));
        if signed {
            let least = self.number(1i128.wrapping_shl(width - 1), width);
            // Poison may become any value, the least one too: were its quotient by -1 poison, what makes the dividend
            // more defined would make the call undefined.
            let may_be_least = self.cx.or(a.poison, self.cx.eq(a.bits, least));
            self.undefined_if(self.cx.and(may_be_least, self.cx.eq(b.bits, self.number(-1, width))));
        }
        let mut poison = vec![a.poison];
        if self.ir.attr(op, "isExact").is_some() {
            let rest = if signed { self.cx.bvsrem(a.bits, b.bits) } else { self.cx.bvurem(a.bits, b.bits) };
            poison.push(self.cx.distinct(rest, zero));
        }
        let poison = self.any_of(poison);
        let value = of(self, a.bits, b.bits, width);
        self.set(op, 0, value, poison)
    }

    fn one_more_if(&self, condition: SExpr, value: SExpr, more: i128, width: u32) -> SExpr {
        self.cx.ite(condition, self.cx.bvadd(value, self.number(more, width)), value)
    }

    /// The signed quotient, rounded up or down where there is a remainder
    fn rounded(&self, a: SExpr, b: SExpr, width: u32, up: bool) -> SExpr {
        let zero = self.number(0, width);
        let remains = self.cx.distinct(self.cx.bvsrem(a, b), zero);
        let (a_below, b_below) = (self.cx.bvslt(a, zero), self.cx.bvslt(b, zero));
        let same_sign = self.cx.eq(a_below, b_below);
        let away = if up { same_sign } else { self.cx.not(same_sign) };
        let adjust = self.cx.and(remains, away);
        self.one_more_if(adjust, self.cx.bvsdiv(a, b), if up { 1 } else { -1 }, width)
    }
}
