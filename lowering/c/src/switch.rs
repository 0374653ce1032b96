//! `scf.index_switch` as a switch of C; what stops a program.

use crate::Flavor;
use crate::emit::{Done, Emit, Slot};
use crate::scf::End;
use terrace_ir::{OpId, RegionId, Value};

impl Emit<'_> {
    pub(crate) fn index_switch(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let results: Vec<Value> = ir.results(op).collect();
        let cases =
            ir.attr(op, "cases").and_then(|attr| attr.as_dense_array(self.cx)).unwrap_or(&[]).to_vec();
        for region in ir.regions(op).collect::<Vec<_>>() {
            self.only_block(op, region)?;
        }
        let arg = self.expr(ir.operand(op, 0));
        self.flush();
        let slots = self.declare(op, &results, &[])?;
        for (slot, result) in slots.iter().zip(&results) {
            self.set_slot(*result, slot);
        }
        let mut regions = ir.regions(op);
        let default = regions.next();
        let mut rest: Vec<(Option<i64>, RegionId)> = cases.into_iter().map(Some).zip(regions).collect();
        rest.extend(default.map(|region| (None, region)));
        rest.reverse();
        self.line(&format!("switch ({}) {{", arg.text));
        self.case(slots, rest);
        Ok(())
    }

    /// Start the next case, or end the switch
    fn case(&mut self, slots: Vec<Slot>, mut rest: Vec<(Option<i64>, RegionId)>) {
        let Some((number, region)) = rest.pop() else {
            self.line("}");
            return;
        };
        let Some(block) = self.ir.single_block(region) else { return };
        let label = number.map_or("default".to_string(), |number| format!("case {number}"));
        self.open(&format!("{label}: {{"));
        self.enter(block, End::Case { slots, rest });
    }

    /// A case has been printed
    pub(crate) fn case_end(&mut self, slots: Vec<Slot>, rest: Vec<(Option<i64>, RegionId)>) {
        self.line("break;");
        self.close("}");
        self.case(slots, rest);
    }

    /// `cf.assert`
    pub(crate) fn assert_op(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        if self.flavor != Flavor::OpenMp {
            return self.no_op(op, "a kernel cannot stop its program", "");
        }
        let text = ir.attr(op, "msg").and_then(|attr| attr.as_str(self.cx)).unwrap_or("").to_string();
        let condition = self.expr(ir.operand(op, 0));
        self.flush();
        self.helpers.include("#include <stdio.h>");
        self.helpers.include("#include <stdlib.h>");
        let quoted = crate::gpu::quoted(&format!("{text}\n"));
        self.line(&format!("if (!{}) {{", condition.at(crate::expr::prec::UNARY + 1)));
        self.line(&format!("  fputs({quoted}, stderr);"));
        self.line("  abort();");
        self.line("}");
        Ok(())
    }

    /// `ub.unreachable`
    pub(crate) fn unreachable(&mut self, _: OpId) -> Done {
        if self.flavor != Flavor::OpenCl {
            self.line("__builtin_unreachable();");
        }
        Ok(())
    }
}
