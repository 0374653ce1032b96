//! Casts between integers.

use crate::encode::{Encoder, Encoding, any, width};
use std::io;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::OverflowFlags;
use terrace_ir::OpId;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Encoding] = rows! { arith:
    ExtSI any, |e, op| e.cast(op, true);
    ExtUI any, |e, op| e.cast(op, false);
    IndexCast any, |e, op| e.cast(op, true);
    IndexCastUI any, |e, op| e.cast(op, false);
    TruncI any, |e, op| e.cast(op, false);
};

impl Encoder<'_> {
    /// More bits, or fewer
    fn cast(&mut self, op: OpId, signed: bool) -> io::Result<()> {
        let input = self.ir.operand(op, 0);
        let a = self.value(input);
        let (from, to) = (width(self.ir, self.ir.ty(input)).unwrap_or(1), self.result_width(op, 0));
        if to >= from {
            return self.set(op, 0, self.extended(a.bits, to - from, signed), a.poison);
        }
        let value = self.part(a.bits, 0, to);
        let flags = self.overflow_flags(op);
        let mut poison = vec![a.poison];
        for (flag, signed) in [(OverflowFlags::NSW, true), (OverflowFlags::NUW, false)] {
            if flags.has(flag) {
                poison.push(self.cx.distinct(self.extended(value, from - to, signed), a.bits));
            }
        }
        let poison = self.any_of(poison);
        self.set(op, 0, value, poison)
    }
}
