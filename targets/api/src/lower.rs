//! Pipelines: running one, and the part that back ends share.

use crate::scheduling::Scheduling;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Ir;
use terrace_ir::verify::verify;
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_text::PrintOptions;

/// From mathematics to schedules for a back end by its word, and a device, which is an option of passes: up to the pass that chooses them,
/// in a list that is still open
#[macro_export]
macro_rules! scheduled {
    ($on:tt, "") => {
        $crate::scheduled!(("{on=", $on, "}") (""))
    };
    ($on:tt, $device:tt) => {
        $crate::scheduled!(("{on=", $on, " ", $device, "}") ("{", $device, "}"))
    };
    (($($records:tt)*) ($($schedule:tt)*)) => {
        concat!(
            "func.func(bind-sizes),stablehlo-to-mdh,linalg-operators,tensor-constants-to-globals,func.func(linalg-to-mdh),mdh-apply-records",
            $($records)*,
            ",mdh-accumulators,func.func(mdh-fix-bits,mdh-phases),mdh-dependent,func.func(mdh-inline,tensors-to-memory),mdh-operators-by-place,func.func(mdh-operators),array-expand,array-inline,func.func(mdh-hoist,mdh-schedule",
            $($schedule)*
        )
    };
}

/// From mathematics to loops over memory, vectors and scalars, scheduled for a device; then what the back end adds
///
/// Each named pipeline is idempotent, so that it completes a file that is partly lowered already: its
/// steps do nothing where the level they lower from has gone.
#[macro_export]
macro_rules! loops {
    ($on:tt, $device:tt, $then:tt) => {
        $crate::loops!($on, $device, "", $then)
    };
    ($on:tt, $device:tt, $units:tt, $then:tt) => {
        $crate::loops!($on, $device, $units, "", $then)
    };
    ($on:tt, $device:tt, $units:tt, $vectors:tt, $then:tt) => {
        concat!(
            $crate::scheduled!($on, $device),
            "),mdh-prepare,func.func(mdh-to-sched),sched-pack-ahead{constant=true},func.func(sched-fuse,array-bind,array-place,array-to-sched,sched-skip-zeros,sched-hoist-invariants",
            $units,
            "),inline,sched-legalize,sched-to-scf,canonicalize,lower-affine,cse,promote-buffers",
            $vectors,
            ",canonicalize,cse,licm,expand-floats",
            $then
        )
    };
}

/// Run a pipeline and verify; `None` if that failed with messages
pub fn lower(registry: &Registry, ir: &mut Ir, text: &str, threads: usize, diags: &mut Diags) -> Option<()> {
    lower_with(registry, ir, text, (threads, &Scheduling::default()), diags)
}

/// The same with so many threads of passes, and what the caller states of schedules
pub fn lower_with(
    registry: &Registry,
    ir: &mut Ir,
    text: &str,
    (threads, scheduling): (usize, &Scheduling),
    diags: &mut Diags,
) -> Option<()> {
    let mut pipeline = Pipeline::parse(text, registry, ir.cx_arc().clone().sources(), diags).ok()?;
    if let Err(why) = scheduling.set(&mut pipeline) {
        let _ = diags.emit(Diagnostic::error(&terrace_pass::codes::OPTION, why.to_string()));
        return None;
    }
    if pipeline.steps.is_empty() {
        return Some(());
    }
    let instrument = Instrument {
        threads,
        ..Instrument::quiet(|ir| {
            let mut text = String::new();
            terrace_text::print(ir, &PrintOptions::default(), &mut text);
            text
        })
    };
    let (report, result) = terrace_pass::run(ir, &pipeline, &instrument);
    diags.append(report.diags);
    result.ok()?;
    diags.append(verify(ir, threads));
    (!diags.has_errors()).then_some(())
}

/// Does a function promise bits that do not depend on the machine? `mdh-fix-bits` and `mdh-accumulators` say so (`terrace.bits`)
pub fn bits_are_promised(ir: &Ir) -> bool {
    let mut pending = vec![ir];
    while let Some(unit) = pending.pop() {
        if unit.discardable(unit.root(), "terrace.bits").is_some() {
            return true;
        }
        pending.extend(unit.walk().filter_map(|op| unit.child(op)));
    }
    false
}
