//! Constants and choices; integer ops are in `ints`, float ops in `floats`, casts in `casts`.

use crate::codes;
use crate::emit::{Emit, Lowering, any};
use crate::expr::Expr;
use crate::refusal::Done;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_arith as arith;
use terrace_ir::{AttrKind, DenseData, TypeKind, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { arith:
    Constant any, |e, op| e.constant(arith::Constant(op));
    Select any, |e, op| e.select(arith::Select(op));
};

impl Emit<'_> {
    fn constant(&mut self, constant: arith::Constant) -> Done {
        let (op, result) = (constant.id(), constant.result(self.ir));
        if matches!(self.ir.ty(result).kind(self.ir.cx()), TypeKind::Vector { .. }) {
            return self.vector_constant(constant);
        }
        let ty = self.scalar_of(op, result)?;
        match self.helpers.number(self.ir.cx(), ty, constant.value(self.ir)) {
            Some(e) if e.is_leaf() || e.text.len() < 16 => {
                self.values.set(result, Val::Expr(e));
                Ok(())
            }
            Some(e) => self.bind(op, result, e),
            None => self.refuse(op, &codes::TYPE, "has a constant that is no number", ""),
        }
    }

    /// A constant vector
    fn vector_constant(&mut self, constant: arith::Constant) -> Done {
        let (op, result) = (constant.id(), constant.result(self.ir));
        let vector = self.vector(op, self.ir.ty(result))?;
        let value = constant.value(self.ir).kind(self.ir.cx()).clone();
        let AttrKind::Dense { ty, data } = value else { return self.unknown(op) };
        let bytes = terrace_ir::show::elem_bytes(self.ir.cx(), ty.scalar(self.ir.cx()));
        let all: Option<Vec<Expr>> = match &data {
            DenseData::Splat(raw) => self.helpers.element_number(&vector, raw).map(|e| vec![e]),
            DenseData::Raw(raw) if bytes > 0 => {
                raw.chunks(bytes).map(|raw| self.helpers.element_number(&vector, raw)).collect()
            }
            _ => None,
        };
        match all.as_deref() {
            Some([one]) if matches!(data, DenseData::Splat(_)) => {
                let e = self.helpers.splat(&vector, one);
                self.bind(op, result, e)
            }
            Some(all) => self.listed(op, &vector, all),
            None => self.unknown(op),
        }
    }

    fn select(&mut self, select: arith::Select) -> Done {
        let (ir, op) = (self.ir, select.id());
        let (c, a, b) = (select.condition(ir), select.true_value(ir), select.false_value(ir));
        let result = select.result(ir);
        if self.scalar_of(op, c)? != Scalar::Bool {
            return Ok(());
        }
        let ty = self.scalar_of(op, result)?;
        if !ty.is_float() {
            let (x, y) = (self.range(a), self.range(b));
            self.values.set_range(result, (x.0.min(y.0), x.1.max(y.1)));
        }
        let (a, b) = (self.read_always(a), self.read_always(b));
        let c = self.values.expr(c);
        self.bind(op, result, Expr::cond(&c, &a, &b))
    }

    /// An operand of a choice; on the host one that reads memory is read in a statement of its own
    ///
    /// The op reads both. A read in a branch makes compilers load under a mask, and GCC 12 gets such masks of `bool`s wrong for
    /// vectors of 32 bytes.
    fn read_always(&mut self, value: Value) -> Expr {
        let reads = self.values.expr_peek(value).is_some_and(|expr| expr.reads);
        if reads && self.lang.is_host() { self.leaf(value) } else { self.values.expr(value) }
    }
}
