//! `ub`, and `cf.assert`: values that nobody reads, places that nobody reaches, and what stops a program.

use crate::Flavor;
use crate::emit::{Done, Emit, Val};
use crate::expr::prec;
use crate::table::{Lowering, any};
use terrace_dialect_upstream::{cf, ub};
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
        if let TypeKind::Vector { .. } = self.ir.ty(result).kind(self.cx) {
            let vector = self.vector(op, self.ir.ty(result))?;
            let zero = if vector.elem.is_float() {
                self.float(vector.elem, 0)
            } else {
                self.integer(vector.elem, 0)
            };
            let all = self.splat(&vector, &zero);
            return self.bind(op, result, all);
        }
        let ty = self.scalar_of(op, result)?;
        let zero = if ty.is_float() { self.float(ty, 0) } else { self.integer(ty, 0) };
        self.set(result, Val::Expr(zero));
        Ok(())
    }

    /// `cf.assert`
    fn assert(&mut self, assert: cf::Assert) -> Done {
        let text = assert.msg(self.ir).as_str(self.cx).unwrap_or("").to_string();
        let condition = self.expr(assert.arg(self.ir));
        self.flush();
        self.helpers.include("#include <stdio.h>");
        self.helpers.include("#include <stdlib.h>");
        let quoted = crate::gpu::quoted(&format!("{text}\n"));
        self.line(&format!("if (!{}) {{", condition.at(prec::UNARY + 1)));
        self.line(&format!("  fputs({quoted}, stderr);"));
        self.line("  abort();");
        self.line("}");
        Ok(())
    }

    /// `ub.unreachable`
    fn unreachable(&mut self) -> Done {
        if self.flavor != Flavor::OpenCl {
            self.line("__builtin_unreachable();");
        }
        Ok(())
    }
}
