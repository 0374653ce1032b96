//! `scf.index_switch` as a switch of C.

use crate::emit::{Emit, Lowering, any};
use crate::frame::End;
use crate::refusal::Done;
use crate::text::Slot;
use crate::types::Scalar;
use terrace_dialect_scf as scf;
use terrace_ir::{RegionId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { scf:
    IndexSwitch any, |e, op| e.index_switch(scf::IndexSwitch(op));
};

impl Emit<'_> {
    fn index_switch(&mut self, switch: scf::IndexSwitch) -> Done {
        let (ir, op) = (self.ir, switch.id());
        let results: Vec<Value> = ir.results(op).collect();
        let cases = switch.cases(ir).as_dense_array(self.ir.cx()).unwrap_or(&[]).to_vec();
        for region in ir.regions(op).collect::<Vec<_>>() {
            self.only_block(op, region)?;
        }
        let arg = self.values.expr(switch.arg(ir));
        self.flush();
        let slots = self.declare(op, &results, &[])?;
        for (slot, result) in slots.iter().zip(&results) {
            self.values.set_slot(*result, slot);
        }
        let mut regions = ir.regions(op);
        let default = regions.next();
        let mut rest: Vec<(Option<i64>, RegionId)> = cases.into_iter().map(Some).zip(regions).collect();
        rest.extend(default.map(|region| (None, region)));
        rest.reverse();
        self.text.line(&format!("switch ({}) {{", arg.text));
        self.case(slots, rest);
        Ok(())
    }

    /// Start the next case, or end the switch
    fn case(&mut self, slots: Vec<Slot>, mut rest: Vec<(Option<i64>, RegionId)>) {
        let Some((number, region)) = rest.pop() else {
            self.text.line("}");
            return;
        };
        let Some(block) = self.ir.single_block(region) else { return };
        let label = match number {
            // C has no literal of this value.
            Some(i64::MIN) => {
                format!("case {}", self.helpers.integer(Scalar::Int(64), i64::MIN.into()).text)
            }
            Some(number) => format!("case {number}"),
            None => "default".to_string(),
        };
        self.text.open(&format!("{label}: {{"));
        self.enter(block, End::Case { slots, rest });
    }

    /// A case has been printed
    pub(crate) fn case_end(&mut self, slots: Vec<Slot>, rest: Vec<(Option<i64>, RegionId)>) {
        self.text.line("break;");
        self.text.close("}");
        self.case(slots, rest);
    }
}
