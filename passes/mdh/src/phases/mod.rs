//! The pass `mdh-phases`: windows over spaced elements, divided by the phase of what they compute.
//!
//! A transposed convolution reads an input whose elements are two or more places apart, with one constant between them. Which terms of its sums
//! meet an element depends on the place of the result modulo that distance, its phase. Each phase becomes a dense
//! computation of its own; terms with the constant are the same at all places of a phase, and are summed once.
//!
//! - [`seen`]: choices as guards, and what is read through borders;
//! - [`spaced`]: inputs of this form, by inserted slices or by guards;
//! - [`split`]: the computations of all phases, and when they are fewer operations.

mod seen;
mod spaced;
mod split;

use crate::inline::producer::Written;
use crate::parts;
use spaced::Spaced;
use split::Split;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Divide windows over spaced elements by the phase of their results
///
/// A reduction that reads every second place (or third, …) of an input, with one constant at the others, becomes a dense computation for each
/// remainder of its result's places, where that is fewer operations. The constant is known from a slice that is inserted with a stride into a filled tensor, or
/// from an input's guard `e mod n = 0`. A choice between an element and a constant on such a remainder counts as a guard. It may be in the
/// computation, or in one that forwards the elements, also through padding. Sums over the constant are computed once for each remainder, so infinite and undefined
/// elements keep their effect. Brackets of sums change, so order `source` of rounding operators stays, as do orders `tree`, `invariant` and `exact`, computations with a schedule,
/// conditions, start values, or coordinates as values. A remark states the number of phases.
#[pass("mdh-phases", anchor = "func.func", stats("windows divided"))]
pub struct MdhPhases;

impl Pass for MdhPhases {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let all: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let written = Written::of(unit);
        let mut divided = 0;
        for op in all {
            divided += u64::from(divide(cx, unit, op, &written).is_some());
        }
        cx.count("windows divided", divided);
        cx.set_changed(divided > 0);
        Ok(())
    }
}

/// Divide one computation where that pays
fn divide(cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute, written: &Written) -> Option<()> {
    if ir.discardable(op.id(), SCHEDULE).is_some() {
        return None;
    }
    let (span, reads) = (ir.span(op.id()), ir.operands(op.id()).collect());
    let view = View::read(ir, op).ok()?;
    // Windows fold.
    if view.dims.iter().all(|dim| dim.kind.kept()) {
        return None;
    }
    let guarded = seen::without_choices(ir, op, &view);
    let own = guarded.unwrap_or(op);
    let view = guarded.map_or(Some(view), |own| View::read(ir, own).ok())?;
    let mut views = seen::through_producers(ir, &view, written);
    views.insert(0, view);
    let split = views.iter().find_map(|view| {
        let spaced = Spaced::find(ir, view)?;
        Split::of(ir, own, view, spaced).filter(|split| split.pays(ir))
    });
    let Some(split) = split else {
        if let Some(guarded) = guarded {
            ir.erase(guarded.id());
        }
        return None;
    };
    if guarded.is_some() {
        parts::replace(ir, op, own);
    }
    let count = split.phases();
    if split.replace(ir).is_none() {
        return guarded.map(|_| ());
    }
    seen::erase_unused(ir, reads);
    let said = format!("the window is divided into {count} phases, since it meets spaced elements");
    let _ = cx.emit(Diagnostic::remark(None, said).at(span));
    Some(())
}
