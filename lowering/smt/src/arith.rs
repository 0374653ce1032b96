//! Integer ops without undefined behavior.

use crate::encode::{Encoder, Encoding, Term, any};
use easy_smt::{Context, SExpr};
use std::io;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::OverflowFlags;
use terrace_ir::OpId;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Encoding] = rows! { arith:
    AddI any, |e, op| e.overflowing(op, Context::bvadd, 1);
    SubI any, |e, op| e.overflowing(op, Context::bvsub, 1);
    MulI any, |e, op| { let width = e.result_width(op, 0); e.overflowing(op, Context::bvmul, width) };
    AndI any, |e, op| e.plain(op, Context::bvand);
    OrI any, |e, op| e.plain(op, Context::bvor);
    XOrI any, |e, op| e.plain(op, Context::bvxor);
    MaxSI any, |e, op| e.chosen(op, Context::bvsge);
    MinSI any, |e, op| e.chosen(op, Context::bvsle);
    MaxUI any, |e, op| e.chosen(op, Context::bvuge);
    MinUI any, |e, op| e.chosen(op, Context::bvule);
    ShLI any, |e, op| e.left(op);
    ShRSI any, |e, op| e.right(op, Context::bvashr);
    ShRUI any, |e, op| e.right(op, Context::bvlshr);
    AddUIExtended any, |e, op| e.sum_and_carry(op);
    MulSIExtended any, |e, op| e.wide_product(op, true);
    MulUIExtended any, |e, op| e.wide_product(op, false);
};

/// A term of two bit vectors
pub(crate) type Binary = fn(&Context, SExpr, SExpr) -> SExpr;

impl Encoder<'_> {
    pub(crate) fn two(&self, op: OpId) -> (Term, Term) {
        (self.value(self.ir.operand(op, 0)), self.value(self.ir.operand(op, 1)))
    }

    pub(crate) fn overflow_flags(&self, op: OpId) -> OverflowFlags {
        let attr = self.ir.attr(op, "overflowFlags");
        attr.and_then(|attr| OverflowFlags::of(self.ir.cx(), attr)).unwrap_or_default()
    }

    fn plain(&mut self, op: OpId, of: Binary) -> io::Result<()> {
        let (a, b) = self.two(op);
        let poison = self.any_poison(&[a, b]);
        self.set(op, 0, of(self.cx, a.bits, b.bits), poison)
    }

    /// Exact in `more` bits more: where the result does not extend to that, it overflows
    fn overflowing(&mut self, op: OpId, of: Binary, more: u32) -> io::Result<()> {
        let (a, b) = self.two(op);
        let value = of(self.cx, a.bits, b.bits);
        let flags = self.overflow_flags(op);
        let mut poison = vec![self.any_poison(&[a, b])];
        for (flag, signed) in [(OverflowFlags::NSW, true), (OverflowFlags::NUW, false)] {
            if flags.has(flag) {
                let wide = |bits| self.extended(bits, more, signed);
                let exact = of(self.cx, wide(a.bits), wide(b.bits));
                poison.push(self.cx.distinct(exact, wide(value)));
            }
        }
        let poison = self.any_of(poison);
        self.set(op, 0, value, poison)
    }

    /// The first where it compares so to the second, else the second
    fn chosen(&mut self, op: OpId, compare: Binary) -> io::Result<()> {
        let (a, b) = self.two(op);
        let poison = self.any_poison(&[a, b]);
        let value = self.cx.ite(compare(self.cx, a.bits, b.bits), a.bits, b.bits);
        self.set(op, 0, value, poison)
    }

    /// Is the distance of a shift too large?
    fn too_far(&self, op: OpId, by: SExpr) -> SExpr {
        let width = self.result_width(op, 0);
        // Only a number of so many bits can reach the width: i1 is shifted by 0 or 1, i2 by up to 3.
        if width < 128 && (1u128 << width) - 1 < u128::from(width) {
            return self.cx.false_();
        }
        self.cx.bvuge(by, self.number(width.into(), width))
    }

    fn left(&mut self, op: OpId) -> io::Result<()> {
        let (a, b) = self.two(op);
        let value = self.cx.bvshl(a.bits, b.bits);
        let flags = self.overflow_flags(op);
        let mut poison = vec![self.any_poison(&[a, b]), self.too_far(op, b.bits)];
        let back: [(OverflowFlags, Binary); 2] =
            [(OverflowFlags::NSW, Context::bvashr), (OverflowFlags::NUW, Context::bvlshr)];
        for (flag, back) in back {
            if flags.has(flag) {
                poison.push(self.cx.distinct(back(self.cx, value, b.bits), a.bits));
            }
        }
        let poison = self.any_of(poison);
        self.set(op, 0, value, poison)
    }

    fn right(&mut self, op: OpId, of: Binary) -> io::Result<()> {
        let (a, b) = self.two(op);
        let value = of(self.cx, a.bits, b.bits);
        let mut poison = vec![self.any_poison(&[a, b]), self.too_far(op, b.bits)];
        if self.ir.attr(op, "isExact").is_some() {
            let back = self.cx.bvshl(self.cx.bvlshr(a.bits, b.bits), b.bits);
            poison.push(self.cx.distinct(back, a.bits));
        }
        let poison = self.any_of(poison);
        self.set(op, 0, value, poison)
    }

    fn sum_and_carry(&mut self, op: OpId) -> io::Result<()> {
        let (a, b) = self.two(op);
        let width = self.result_width(op, 0);
        let poison = self.any_poison(&[a, b]);
        let wide = |bits| self.extended(bits, 1, false);
        let sum = self.cx.bvadd(wide(a.bits), wide(b.bits));
        let (low, carry) = (self.part(sum, 0, width), self.part(sum, width, 1));
        self.set(op, 0, low, poison)?;
        self.set(op, 1, carry, poison)
    }

    fn wide_product(&mut self, op: OpId, signed: bool) -> io::Result<()> {
        let (a, b) = self.two(op);
        let width = self.result_width(op, 0);
        let poison = self.any_poison(&[a, b]);
        let wide = |bits| self.extended(bits, width, signed);
        let product = self.cx.bvmul(wide(a.bits), wide(b.bits));
        let (low, high) = (self.part(product, 0, width), self.part(product, width, width));
        self.set(op, 0, low, poison)?;
        self.set(op, 1, high, poison)
    }
}
