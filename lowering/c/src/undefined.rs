//! `ub`, and `cf.assert`: values that are never read, places that are never reached, and what stops a program.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{prec, quoted};
use crate::refusal::Done;
use crate::values::Val;
use terrace_dialect_cf as cf;
use terrace_dialect_ub as ub;
use terrace_ir::TypeKind;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { ub:
    Poison any, |e, op| e.poison(ub::Poison(op));
    Unreachable any, |e, _| e.unreachable();
};

pub(crate) static HOST: &[Lowering] = rows! { cf:
    Assert any, |e, op| e.assert(cf::Assert(op));
};

impl Emit<'_> {
    /// `ub.poison`: any value will do
    fn poison(&mut self, poison: ub::Poison) -> Done {
        let op = poison.id();
        let result = poison.result(self.ir);
        if let TypeKind::Vector { .. } = self.ir.ty(result).kind(self.ir.cx()) {
            let vector = self.vector(op, self.ir.ty(result))?;
            let zero = if vector.elem.is_float() {
                self.helpers.float(vector.elem, 0)
            } else {
                self.helpers.integer(vector.elem, 0)
            };
            let all = self.helpers.splat(&vector, &zero);
            return self.bind(op, result, all);
        }
        let ty = self.scalar_of(op, result)?;
        let zero = if ty.is_float() { self.helpers.float(ty, 0) } else { self.helpers.integer(ty, 0) };
        self.values.set(result, Val::Expr(zero));
        Ok(())
    }

    /// `cf.assert`
    fn assert(&mut self, assert: cf::Assert) -> Done {
        let text = assert.msg(self.ir).as_str(self.ir.cx()).unwrap_or("").to_string();
        let condition = self.values.expr(assert.arg(self.ir));
        self.flush();
        self.helpers.include("#include <stdio.h>");
        self.helpers.include("#include <stdlib.h>");
        let quoted = quoted(&format!("{text}\n"));
        self.text.line(&format!("if (!{}) {{", condition.at(prec::UNARY + 1)));
        self.text.line(&format!("  fputs({quoted}, stderr);"));
        self.text.line("  abort();");
        self.text.line("}");
        Ok(())
    }

    /// `ub.unreachable`
    fn unreachable(&mut self) -> Done {
        if let Some(line) = self.lang.unreachable() {
            self.text.line(line);
        }
        Ok(())
    }
}
