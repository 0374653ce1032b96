//! Symmetric results: whether both triangles are computed, or one is copied.

use super::{MdhSchedule, remark};
use crate::codes;
use std::rc::Rc;
use terrace_devices::DeviceKind;
use terrace_diag::Reported;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::symmetric::{self, SYMMETRIC};
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{Choice, STRUCTURES};
use terrace_schedule_model::Rule;

/// Which triangles of a symmetric result are computed
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Triangles {
    Both,
    /// What is estimated to be faster
    Faster,
    /// The author says so, and names rows and columns
    One([usize; 2]),
}

impl MdhSchedule {
    /// Which triangles of a symmetric result are to be computed: what stands next to the computation goes before the pass's option.
    /// It is removed, so that the whole is estimated first; an error where the result is not as symmetric
    pub(super) fn triangles(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
    ) -> Result<Triangles, Reported> {
        let found = match symmetric::stated(unit, op, view) {
            Err(why) => {
                return cx.fail(unit, op.id(), &codes::SCHEDULE, Rule::Symmetric.broken(why.to_string()));
            }
            Ok(found) => found,
        };
        let stated = unit.discardable(op.id(), SYMMETRIC).is_some();
        let Some(pair) = found else {
            let whole = stated || !self.switches.symmetric || self.device.kind == DeviceKind::Grid;
            return Ok(if whole { Triangles::Both } else { Triangles::Faster });
        };
        unit.set_attr(op.id(), SYMMETRIC, None);
        if self.device.kind == DeviceKind::Grid {
            remark(cx, unit, op, "all of a symmetric result is computed: grids copy no tiles of it".into());
            return Ok(Triangles::Both);
        }
        Ok(Triangles::One(pair))
    }

    /// The choice with tiles below the diagonal of a symmetric result as copies, where the model holds that to be faster, or where the
    /// author says so; a remark names the dimensions
    pub(super) fn symmetric(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        accesses: &mut Accesses,
        whole: Rc<Choice>,
        triangles: Triangles,
    ) -> Rc<Choice> {
        let found = match triangles {
            Triangles::Both => None,
            Triangles::Faster => symmetric::find(unit, op, view),
            Triangles::One(pair) => Some(pair),
        };
        let Some([rows, columns]) = found else { return whole };
        let named = unit.cx().i64_array(&[rows as i64, columns as i64]);
        unit.set_attr(op.id(), SYMMETRIC, Some(named));
        let half = Accesses { symmetric: found, ..accesses.clone() };
        let choice = self.among(&half, view.computed(unit, op).as_ref());
        let refused = choice.candidates.first().is_none_or(|winner| winner.refused.is_some());
        let slower = triangles == Triangles::Faster && choice.rank() * STRUCTURES > whole.rank();
        let [rows, columns] = [rows, columns].map(|dim| view.dims[dim].name.as_str());
        if refused || slower {
            unit.set_attr(op.id(), SYMMETRIC, None);
            if triangles != Triangles::Faster {
                let said = format!(
                    "all is computed, though symmetric in {rows} and {columns}: no schedule with copies is legal"
                );
                remark(cx, unit, op, said);
            }
            return whole;
        }
        *accesses = half;
        let said = format!("symmetric in {rows} and {columns}: tiles below the diagonal are copies");
        remark(cx, unit, op, said);
        choice
    }
}
