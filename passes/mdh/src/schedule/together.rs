//! On grids: reductions over the same points that share no operand, as one where the model holds that to be faster. It is one launch.
//!
//! Those that share an operand are one already ([`crate::inline`]).

use super::{MdhSchedule, accesses_of, remark};
use crate::inline::choose;
use crate::inline::producer::Written;
use crate::inline::together::{Pair, Reduction};
use terrace_devices::DeviceKind;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpId};
use terrace_pass::PassCx;

impl MdhSchedule {
    /// Put reductions together; how many
    pub(super) fn together(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> u64 {
        let mut times = 0;
        if self.device.kind != DeviceKind::Grid || !self.switches.join || self.devices > 1 {
            return times;
        }
        let written = Written::of(unit);
        let all: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        for op in all.into_iter().rev() {
            // Those behind it that the model has declined.
            let mut declined: Vec<OpId> = Vec::new();
            while let Some(first) = Reduction::read(unit, op, &written) {
                let pair = first.partner(unit, &written, |pair| {
                    let (one, other) = (&pair.first, &pair.second);
                    !declined.contains(&other.op.id())
                        && choose::fit((unit, one.op, &one.view), (other.op, &other.view))
                });
                let Some(pair) = pair else { break };
                if self.one(cx, unit, &pair) {
                    times += 1;
                    break;
                }
                declined.push(pair.second.op.id());
            }
        }
        times
    }

    /// Put two reductions together, where the model holds that to be faster; a remark says so
    fn one(&self, cx: &mut PassCx<'_>, unit: &mut Ir, pair: &Pair) -> bool {
        let Some(made) = pair.build(unit) else { return false };
        let apart = self.time_of(cx, unit, pair.first.op) + self.time_of(cx, unit, pair.second.op);
        let time = self.time_of(cx, unit, made.op);
        if !apart.is_finite() || time >= apart {
            unit.erase(made.op.id());
            return false;
        }
        let said = format!(
            "it is computed together with `{}` over the same points: {time:.1} us in place of {apart:.1} us",
            pair.first.view.name.as_deref().unwrap_or("compute")
        );
        remark(cx, unit, pair.second.op, said);
        pair.replace(unit, made);
        true
    }

    /// Microseconds of a computation by itself, with its parts where it has some
    fn time_of(&self, cx: &PassCx<'_>, unit: &mut Ir, op: Compute) -> f64 {
        let Ok(view) = View::read(unit, op) else { return f64::INFINITY };
        let mut accesses = accesses_of(cx, unit, op, &view);
        accesses.updates = self.updates(unit, op, &view);
        self.alone(unit, op, &view, &accesses)
    }
}
