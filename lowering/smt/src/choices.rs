//! Constants, comparisons and choices.

use crate::arith::Binary;
use crate::encode::{Encoder, Encoding, any, row};
use easy_smt::{Context, SExpr};
use std::io;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_scf as scf;
use terrace_dialect_ub as ub;
use terrace_ir::{Ir, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Encoding] = rows! { arith:
    Constant is_integer, |e, op| e.constant(op);
    CmpI any, |e, op| e.compare(op);
    Select any, |e, op| e.select(op);
};

pub(crate) static REGIONS: &[Encoding] =
    &[row(scf::If::DEF, |e, op| e.one_of_two(op)), row(ub::Poison::DEF, |e, op| e.poison(op))];

fn is_integer(ir: &Ir, op: OpId) -> Checked {
    let value = arith::Constant(op).value(ir).as_int(ir.cx());
    value.map(|_| ()).ok_or_else(|| "has a value that is no integer of up to 128 bits".into())
}

impl Encoder<'_> {
    fn constant(&mut self, op: OpId) -> io::Result<()> {
        let value = arith::Constant(op).value(self.ir).as_int(self.ir.cx()).map_or(0, |(value, _)| value);
        let value = self.number(value, self.result_width(op, 0));
        self.set(op, 0, value, self.cx.false_())
    }

    fn poison(&mut self, op: OpId) -> io::Result<()> {
        let value = self.number(0, self.result_width(op, 0));
        self.set(op, 0, value, self.cx.true_())
    }

    fn compare(&mut self, op: OpId) -> io::Result<()> {
        let (a, b) = self.two(op);
        let poison = self.any_poison(&[a, b]);
        let of: Binary = match arith::CmpI(op).predicate(self.ir) {
            CmpIPredicate::Eq => Context::eq,
            CmpIPredicate::Ne => Context::distinct,
            CmpIPredicate::Slt => Context::bvslt,
            CmpIPredicate::Sle => Context::bvsle,
            CmpIPredicate::Sgt => Context::bvsgt,
            CmpIPredicate::Sge => Context::bvsge,
            CmpIPredicate::Ult => Context::bvult,
            CmpIPredicate::Ule => Context::bvule,
            CmpIPredicate::Ugt => Context::bvugt,
            CmpIPredicate::Uge => Context::bvuge,
        };
        let value = self.bit(of(self.cx, a.bits, b.bits));
        self.set(op, 0, value, poison)
    }

    /// Poison of the arm that is not taken does not count
    fn select(&mut self, op: OpId) -> io::Result<()> {
        let all = self.operands(op);
        let taken = self.holds(all[0].bits);
        let poison = self.cx.or(all[0].poison, self.cx.ite(taken, all[1].poison, all[2].poison));
        let value = self.cx.ite(taken, all[1].bits, all[2].bits);
        self.set(op, 0, value, poison)
    }

    /// `scf.if`: to branch on poison is undefined
    fn one_of_two(&mut self, op: OpId) -> io::Result<()> {
        let ir = self.ir;
        let condition = self.value(scf::If(op).condition(ir));
        self.undefined_if(condition.poison);
        let taken = self.holds(condition.bits);
        let other = self.cx.not(taken);
        let mut arms = Vec::new();
        for (holds, region) in [(taken, scf::If(op).then_region(ir)), (other, scf::If(op).else_region(ir))] {
            arms.push(match ir.entry(region) {
                Some(block) => self.block_if(holds, block)?,
                None => Vec::new(),
            });
        }
        let both: Vec<_> = arms[0].iter().copied().zip(arms[1].iter().copied()).collect();
        for (n, (a, b)) in both.into_iter().enumerate() {
            let value: SExpr = self.cx.ite(taken, a.bits, b.bits);
            let poison = self.cx.ite(taken, a.poison, b.poison);
            self.set(op, n, value, poison)?;
        }
        Ok(())
    }
}
