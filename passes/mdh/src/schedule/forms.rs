//! Other forms of a computation, which are ranked against the one that is written: fewer dimensions, operands that are converted before,
//! two kernels, copies for half of a symmetric result.

use super::{MdhSchedule, remark};
use crate::collapse::{Collapsed, Place};
use crate::converted::Converted;
use crate::grid::fill;
use crate::interleaved::Interleaved;
use crate::{access, codes, parts};
use terrace_devices::DeviceKind;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::symmetric::{self, SYMMETRIC};
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{Choice, SIZES, STRUCTURES};
use terrace_schedule_choose::loops::{brief, ceil};
use terrace_schedule_choose::{grid, host};
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

/// Are vectors along the result's last dimension less than three quarters full?
fn half_empty(ir: &Ir, op: Compute, vector_bytes: i64) -> bool {
    let ty = ir.ty(ir.result(op.id(), 0));
    let bits = i64::from(ty.scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(64)).max(1);
    let lanes = (vector_bytes * 8 / bits).max(1);
    let last = ty.shape(ir.cx()).and_then(|shape| shape.last()).copied().unwrap_or(1);
    4 * last < 3 * ceil(last, lanes) * lanes
}

impl MdhSchedule {
    /// The computation with fewer dimensions, where neighbors are one: a product, if the model does not hold that to be slower; another
    /// form, if it is clearly faster, and the one as written has no tiles made for its short last dimension
    pub(super) fn collapsed(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        written: &Choice,
    ) -> Option<Compute> {
        if !self.collapse {
            return None;
        }
        let other = Collapsed::before(unit, op, view, Place::Alone)?;
        let one = View::read(unit, other.op).ok();
        let short = written.candidates.first().is_some_and(|one| one.proposal.generator == host::SHORT_LANES);
        let most = match (other.product || other.once, short) {
            (true, _) => written.rank() * STRUCTURES,
            (false, true) => 0.0,
            // Vectors that are half empty cost more than the model says: their copies and stores go element by element.
            (false, false) if half_empty(unit, op, self.device.vector_bytes) => written.rank(),
            (false, false) => written.rank() / SIZES,
        };
        if one.is_none() || self.rank(unit, other.op) > most {
            other.discard(unit);
            return None;
        }
        let (span, made) = (unit.span(op.id()), other.op);
        other.replace(unit, op);
        let names: Vec<String> = one.into_iter().flat_map(|one| one.names()).collect();
        let ones = view.dims.iter().filter(|dim| dim.size == 1 && !names.contains(&dim.name));
        let said = match names.iter().any(|name| !view.names().contains(name)) {
            true => format!("neighboring dimensions are one: {}", names.join(", ")),
            false => {
                let ones: Vec<&str> = ones.map(|dim| dim.name.as_str()).collect();
                format!("dimensions of one coordinate are left out: {}", ones.join(", "))
            }
        };
        let _ = cx.emit(Diagnostic::remark(None, said).at(span));
        Some(made)
    }

    /// Conversions of inputs and the computation of what they give, where the model holds that to be faster; a remark says so
    pub(super) fn converted(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        accesses: &Accesses,
        written: &Choice,
    ) -> Option<Vec<Compute>> {
        // The tensors between take longer than the conversions of what is done soon. A stated symmetry would be lost.
        if brief(accesses, &self.device) || unit.discardable(op.id(), SYMMETRIC).is_some() {
            return None;
        }
        let other = Converted::before(unit, op, view)?;
        if !self.faster(unit, &other.all, written) {
            other.discard(unit);
            return None;
        }
        let said = format!("converted once for each element: {}", other.names.join(", "));
        remark(cx, unit, op, said);
        Some(other.replace(unit, op))
    }

    /// Results whose neighbors read the same elements computed apart, and put together, where the model holds that to be faster; a remark says so
    pub(super) fn interleaved(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        written: &Choice,
    ) -> Option<Vec<Compute>> {
        if unit.discardable(op.id(), SYMMETRIC).is_some() {
            return None;
        }
        let other = Interleaved::before(unit, op, view)?;
        if !self.faster(unit, &other.all, written) {
            other.discard(unit);
            return None;
        }
        let said = format!("neighbors along {} are computed apart and interleaved", other.names.join(", "));
        remark(cx, unit, op, said);
        Some(other.replace(unit, op))
    }

    /// Are several computations together clearly faster than the one as written?
    fn faster(&self, unit: &Ir, all: &[Compute], written: &Choice) -> bool {
        let rank: f64 = all.iter().map(|one| self.rank(unit, *one)).sum();
        written.rank().is_finite() && rank * STRUCTURES <= written.rank()
    }

    /// The cut of a reduction whose two kernels take the shortest time, if that is shorter than the whole's. The first is taken where
    /// the model does not tell it from others, or has no estimate
    pub(super) fn cut(
        &self,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        accesses: &Accesses,
        whole: f64,
    ) -> Option<((usize, i64), f64)> {
        // Threads of the first that is proposed decide which parts are compared.
        let first = Choice::among(grid::GENERATORS, accesses, None, &self.device).schedule();
        let cuts = first.map_or(Vec::new(), |first| fill::cuts(accesses, &self.device, &first));
        let mut found: Option<((usize, i64), f64)> = None;
        for (dim, step) in cuts {
            let Some(cut) = parts::Cut::before(unit, op, view, dim, step) else { continue };
            let time = [cut.first, cut.second].map(|part| self.rank(unit, part)).iter().sum::<f64>();
            cut.discard(unit);
            let shorter = |best: f64| time * SIZES < best;
            match found {
                Some((_, first)) if first.is_infinite() || !shorter(first) => {}
                _ => found = Some(((dim, step), time)),
            }
        }
        found.filter(|(_, time)| time.is_infinite() || *time <= whole * STRUCTURES)
    }

    /// What a computation on a grid is ranked by: of the whole, or of its parts
    pub(super) fn alone(&self, unit: &mut Ir, op: Compute, view: &View, accesses: &Accesses) -> f64 {
        let whole = self.rank(unit, op);
        self.cut(unit, op, view, accesses, whole).map_or(whole, |(_, time)| time.min(whole))
    }

    /// What the schedule that a computation would get is ranked by; infinite without an estimate
    fn rank(&self, unit: &Ir, op: Compute) -> f64 {
        let Ok(view) = View::read(unit, op) else { return f64::INFINITY };
        let (accesses, computed) = (access::read(unit, op, &view), view.computed(unit, op));
        let all = match self.device.kind {
            DeviceKind::Host => host::GENERATORS,
            DeviceKind::Grid => grid::GENERATORS,
        };
        Choice::among(all, &accesses, computed.as_ref(), &self.device).rank()
    }

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
            let whole = stated || !self.symmetric || self.device.kind == DeviceKind::Grid;
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
        whole: Choice,
        triangles: Triangles,
    ) -> Choice {
        let found = match triangles {
            Triangles::Both => None,
            Triangles::Faster => symmetric::find(unit, op, view),
            Triangles::One(pair) => Some(pair),
        };
        let Some([rows, columns]) = found else { return whole };
        let named = unit.cx().i64_array(&[rows as i64, columns as i64]);
        unit.set_attr(op.id(), SYMMETRIC, Some(named));
        let half = Accesses { symmetric: found, ..accesses.clone() };
        let choice = Choice::among(host::GENERATORS, &half, view.computed(unit, op).as_ref(), &self.device);
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
