//! The pass `mdh-schedule`: every computation without a schedule gets one for a device.

use crate::access::Accesses;
use crate::codes;
use crate::mechanism::{self, Change};
use crate::{fits, grid, host, operators, parts, prefixes};
use terrace_devices::{Device, Kind};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::scatter::{self, SCATTER, Scatter};
use terrace_dialect_mdh::schedule::{NONTEMPORAL, SCHEDULE, Schedule};
use terrace_dialect_mdh::taps::ROLLED;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpId, Value};
use terrace_pass::pass::OptionKind;
use terrace_pass::{OptionSpec, Pass, PassCx, PassInfo, Scope};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-schedule",
    aliases: &[],
    summary: "Give computations a schedule for a device",
    docs: "Chooses (de/re)-composition steps from how inputs and outputs move with each dimension and from the device's \
           file: threads, blocks for caches, panels, register tiles, lanes. They stand beside the computation as \
           `mdh.schedule`, to be read, changed, and carried out by `mdh-to-sched`. A schedule that is there stays; but where its \
           blocks split a reduction, it is settled how they meet: by atomics, or by a second computation. On processors, \
           dimensions whose coordinate each point names by comparing with it are visited there only (`mdh.scatter`), and prefixes \
           of reductions become two computations; remarks say so.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[OptionSpec {
        name: "target",
        kind: OptionKind::Text,
        default: "host",
        docs: "device: host, x86-64-v4, x86-64-v3, openmp, opencl, cuda",
    }],
    stats: &["schedules chosen"],
    make: |options| {
        let device = Device::find(&options.text(&INFO, "target"))?;
        Ok(Box::new(MdhSchedule { device }))
    },
};

/// Longest dimension that gets a schedule: sums and products of a few sizes fit a number
const MOST: i64 = 1 << 40;

struct MdhSchedule {
    device: Device,
}

impl Pass for MdhSchedule {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let mut chosen = 0;
        let mut pending: Vec<Compute> = computes.into_iter().rev().collect();
        while let Some(op) = pending.pop() {
            let given = unit.discardable(op.id(), SCHEDULE);
            let given = given.map(|attr| Schedule::from_attr(unit.cx(), attr));
            if matches!(given, Some(Err(_))) {
                // What does not say a schedule is told where it is carried out.
                continue;
            }
            let view = match View::read(unit, op) {
                Ok(view) => view,
                Err(why) => return cx.fail(unit, op.id(), &codes::VIEW, why),
            };
            if view.dims.iter().any(|dim| dim.size > MOST) {
                continue;
            }
            if let Some(Ok(given)) = given {
                if let Err(why) = fits::fits(&given, &view, &self.device) {
                    return cx.fail(unit, op.id(), &codes::SCHEDULE, why);
                }
                match mechanism::settle(unit, op, &view, &given) {
                    Err(why) => return cx.fail(unit, op.id(), &codes::SCHEDULE, why),
                    Ok(Change::None) => {}
                    Ok(Change::Chosen(schedule, said)) => {
                        remark(cx, unit, op, said);
                        let attr = schedule.to_attr(unit.cx());
                        set(unit, op.id(), attr);
                        chosen += 1;
                    }
                    Ok(Change::Split(first, schedule, second, said)) => {
                        if let Some(said) = said {
                            remark(cx, unit, second, said);
                        }
                        let attr = schedule.to_attr(unit.cx());
                        set(unit, first.id(), attr);
                        pending.push(second);
                        chosen += 1;
                    }
                }
                continue;
            }
            let mut accesses = Accesses::of(unit, op, &view);
            accesses.tuples = view.groups().is_some_and(|groups| {
                groups.iter().all(|group| match group.operator {
                    Operator::Builtin(_) => true,
                    Operator::Func(name) => operators::on_lanes(unit.cx(), cx.symbols, cx.scope, name),
                })
            });
            let mut scattered = None;
            if self.device.kind == Kind::Host {
                match scatter::find(unit, op, &view) {
                    Ok(found) => scattered = found.and_then(|found| crate::scatter::worth(found, &view)),
                    Err(why) => remark(cx, unit, op, format!("all coordinates are compared: {why}")),
                }
                if let Some([first, second]) = prefixes::split(unit, op, &view, &accesses) {
                    remark(cx, unit, second, prefixes::SAID.into());
                    pending.extend([second, first]);
                    chosen += 1;
                    continue;
                }
            }
            if let Some(found) = &scattered {
                remark(cx, unit, op, said(&view, found));
                let dims: Vec<i64> = found.picks.iter().map(|pick| pick.dim as i64).collect();
                let attr = unit.cx().i64_array(&dims);
                unit.set_attr(op.id(), SCATTER, Some(attr));
            }
            let schedule = match self.device.kind {
                Kind::Host => match &scattered {
                    Some(found) => crate::scatter::schedule(&accesses, &self.device, found),
                    None => host::schedule(&accesses, &self.device),
                },
                Kind::Grid => {
                    if grid::in_parts(&accesses)
                        && let Some([first, second]) = parts::split(unit, op, &view)
                    {
                        pending.extend([second, first]);
                        chosen += 1;
                        continue;
                    }
                    grid::schedule(&accesses, &self.device)
                }
            };
            if schedule.steps.is_empty() {
                continue;
            }
            let attr = schedule.to_attr(unit.cx());
            set(unit, op.id(), attr);
            if self.device.kind == Kind::Host {
                let rolled = taps(&accesses, &schedule);
                let attr = (!rolled.is_empty()).then(|| unit.cx().i64_array(&rolled));
                unit.set_attr(op.id(), ROLLED, attr);
                let past = past_caches(unit, op, self.device.bytes("L3"));
                let attr = (!past.is_empty()).then(|| unit.cx().i64_array(&past));
                unit.set_attr(op.id(), NONTEMPORAL, attr);
            }
            chosen += 1;
        }
        cx.count("schedules chosen", chosen);
        cx.set_changed(chosen > 0);
        Ok(())
    }
}

/// Unrolled taps of windows: copies pay only where they decide a condition
fn taps(a: &Accesses, schedule: &Schedule) -> Vec<i64> {
    let unrolled = |dim: usize| {
        schedule.steps.iter().any(|step| step.cores[dim].as_ref().is_some_and(|core| core.layer == "UNR"))
    };
    a.dims(|dim| a.reduced[dim] && a.conditioned[dim] && unrolled(dim))
        .into_iter()
        .map(|dim| dim as i64)
        .collect()
}

/// What is told where points go to the places that they name
fn said(view: &View, found: &Scatter) -> String {
    let names: Vec<String> =
        found.picks.iter().map(|pick| format!("`{}`", view.dims[pick.dim].name)).collect();
    let places = found.picks.iter().fold(1i64, |all, pick| all.saturating_mul(view.dims[pick.dim].size));
    format!(
        "each point goes to the one coordinate of {} that it names, in place of {places} comparisons: what misses is neutral",
        names.join(", ")
    )
}

fn remark(cx: &mut PassCx<'_>, ir: &Ir, op: Compute, said: String) {
    let _ = cx.emit(Diagnostic::remark(None, said).at(ir.span(op.id())));
}

/// Outputs that the last cache does not hold and nothing here reads again
fn past_caches(ir: &Ir, op: Compute, cache: i64) -> Vec<i64> {
    let large = |value: Value| {
        let cx = ir.cx();
        let bytes = i64::from(ir.ty(value).scalar(cx).bit_width(cx).unwrap_or(0) / 8);
        let shape = ir.ty(value).shape(cx).unwrap_or(&[]);
        shape.iter().fold(bytes, |all, size| all.saturating_mul(*size)) > cache
    };
    let returned = |value: Value| ir.uses(value).all(|user| ir.op_name(user.0) == "func.return");
    let results = ir.results(op.id()).enumerate();
    results.filter(|(_, value)| large(*value) && returned(*value)).map(|(n, _)| n as i64).collect()
}

fn set(ir: &mut Ir, op: OpId, attr: terrace_ir::Attr) {
    ir.set_attr(op, SCHEDULE, Some(attr));
}
