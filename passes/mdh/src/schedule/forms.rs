//! Other forms of a computation, which are ranked against the one that is written: fewer dimensions, or one for each run; operands in another
//! layout, or converted before; results whose neighbors are computed apart.

use super::{MdhSchedule, Moves, remark};
use crate::collapse::{Collapsed, Place};
use crate::moved::Moved;
use crate::parts::Several;
use crate::remaining::Remaining;
use crate::runs::Runs;
use crate::{converted, interleaved, last_block};
use terrace_devices::{Layer, Region};
use terrace_diag::Diagnostic;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::symmetric::SYMMETRIC;
use terrace_dialect_mdh::view::{Order, View};
use terrace_ir::Ir;
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{Choice, SIZES, STRUCTURES};
use terrace_schedule_choose::host;
use terrace_schedule_choose::loops::{brief, ceil};

/// By how much the estimate of a form must be less whose work has mostly the structure as written
pub(super) const ALIKE: f64 = 1.02;

/// Part of a row's columns that idle lanes of its last vector are at least: one in so many
const IDLE: i64 = 16;

/// Lines of a row that outweigh its ends
const LINES: f64 = 16.0;

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
    /// form, if it is clearly faster, and the one as written has no tiles made for its short last dimension that fill their vectors
    pub(super) fn collapsed(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        written: &Choice,
    ) -> Option<Compute> {
        if !self.switches.collapse {
            return None;
        }
        let other = Collapsed::before(unit, op, view, Place::Alone)?;
        let one = View::read(unit, other.op).ok();
        let short = written.candidates.first().is_some_and(|one| one.proposal.generator == host::SHORT_LANES);
        let most = match (other.product || other.once, short) {
            (true, _) => written.rank() * STRUCTURES,
            // Vectors that are half empty cost more than the model says: their stores go element by element.
            (false, true) if half_empty(unit, op, self.device.vector_bytes) => written.rank() / STRUCTURES,
            (false, true) => 0.0,
            (false, false) if half_empty(unit, op, self.device.vector_bytes) => written.rank(),
            (false, false) => written.rank() / SIZES,
        };
        if one.is_none() || self.rank(unit, other.op) > most {
            other.discard(unit);
            return None;
        }
        Some(self.in_its_place(cx, unit, (op, view), other))
    }

    /// The same on a grid, where neighbors are one if the model does not hold that to be slower: threads have longer rows, and loops fewer
    /// levels. Each input's elements are used once, so that no tile of the form as written is lost
    pub(super) fn collapsed_on_grid(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
    ) -> Option<Compute> {
        if !self.switches.collapse || last_block::is_marked(unit, op) {
            return None;
        }
        let other = Collapsed::before(unit, op, view, Place::Alone)?;
        // Where it is faster as a whole, so are its parts.
        let rank = self.rank(unit, other.op);
        let faster = rank <= self.rank(unit, op);
        if !other.once || rank.is_infinite() || !faster && self.best(unit, other.op) > self.best(unit, op) {
            other.discard(unit);
            return None;
        }
        Some(self.in_its_place(cx, unit, (op, view), other))
    }

    /// Put a collapsed form in place of the one as written, with a remark
    fn in_its_place(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        other: Collapsed,
    ) -> Compute {
        let one = View::read(unit, other.op).ok();
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
        made
    }

    /// What takes the place of a computation on any device: dimensions for its runs, or a copy of what it reads in another layout
    pub(super) fn other_form(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        collapsed: bool,
    ) -> Option<Vec<Compute>> {
        let by_runs = if collapsed { None } else { self.by_runs(unit, op, view) };
        match by_runs {
            Some(one) => Some(vec![one]),
            None => self.moved(cx, unit, op, view).or_else(|| self.turned(cx, unit, op, view)),
        }
    }

    /// The computation with a dimension for each run that its subscripts find by quotients and remainders, or for each of the tensors' that
    /// views made one, where the model holds that to be faster
    fn by_runs(&self, unit: &mut Ir, op: Compute, view: &View) -> Option<Compute> {
        let other = Runs::before(unit, op, view).or_else(|| Runs::of_views(unit, op, view))?;
        let (made, found, written) = (other.op, self.rank(unit, other.op), self.rank(unit, op));
        if found.is_infinite() || found * STRUCTURES >= written {
            other.discard(unit);
            return None;
        }
        other.replace(unit, op);
        Some(made)
    }

    /// A copy of an operand whose kept and reduced dimensions are interleaved, and all that read it so, where the model holds that to be
    /// faster; a remark says so
    fn moved(&self, cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute, view: &View) -> Option<Vec<Compute>> {
        if self.moves == Moves::Never || view.order(Order::Invariant).is_some() {
            return None;
        }
        let other = Moved::before(unit, op, view)?;
        let (mut written, mut made) = (0.0, self.best(unit, other.copy));
        for (old, new) in &other.readers {
            written += self.best(unit, *old);
            made += self.best(unit, *new);
        }
        let faster = written.is_finite() && made * STRUCTURES < written;
        if self.moves == Moves::Faster && !faster {
            other.discard(unit);
            return None;
        }
        let said = format!(
            "`{}` is copied with its reduced dimensions behind the kept ones: {} of its readers have rows in order",
            other.name,
            other.readers.len()
        );
        remark(cx, unit, op, said);
        Some(other.replace(unit))
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
        let other = converted::before(unit, op, view)?;
        let said = format!("converted once for each element: {}", other.names.join(", "));
        self.several_if_faster(cx, unit, op, other, written, said)
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
        let other = interleaved::before(unit, op, view)?;
        let said = format!("neighbors along {} are computed apart and interleaved", other.names.join(", "));
        self.several_if_faster(cx, unit, op, other, written, said)
    }

    /// Columns that whole vectors leave over as a computation of their own, where the model holds both to be faster; a remark says so. Most of the work
    /// has the structure that it has as written, so that the model need not tell structures apart
    pub(super) fn remaining(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        accesses: &Accesses,
        written: &Choice,
    ) -> Option<Vec<Compute>> {
        let lanes = self.device.vector_bytes / accesses.widest().max(1);
        if !written.rank().is_finite() || brief(accesses, &self.device) {
            return None;
        }
        let other = Remaining::before(unit, op, view, lanes)?;
        // One computation is simpler to tune, and what a long row leaves over is little of it.
        let extent = view.dims.iter().find(|dim| dim.name == other.name).map_or(0, |dim| dim.size);
        if lanes - other.columns < extent / IDLE {
            other.discard(unit);
            return None;
        }
        // Not by a choice of sizes alone, which may differ between the two.
        let sound = written.candidates.iter().filter(|one| one.refused.is_none());
        let least = sound.map(|one| one.rank).fold(written.rank(), f64::min);
        let lines = self.shared_lines(accesses);
        let faster = self.are_faster(unit, &other.all, |rank| (rank + lines) * ALIKE >= least);
        if !faster || other.all.last().is_some_and(|rest| self.has_lanes_across(unit, *rest)) {
            other.discard(unit);
            return None;
        }
        let said = format!("{} of {} are computed apart: vectors leave them over", other.columns, other.name);
        remark(cx, unit, op, said);
        Some(other.replace(unit, op))
    }

    /// Does a computation of a few columns choose lanes along another dimension of its result? In memory rows of the whole result lie between them
    fn has_lanes_across(&self, unit: &Ir, op: Compute) -> bool {
        let (Ok(view), Some(choice)) = (View::read(unit, op), self.choice(unit, op)) else { return true };
        let last = view.outputs.first().and_then(|out| out.maps.first()?.result_dims()?.last().copied());
        let across = |dim: &usize| view.dims[*dim].kind.kept() && Some(*dim as u32) != last;
        let steps = choice.schedule().map_or(Vec::new(), |schedule| schedule.steps);
        let has_lanes = |dim: usize| {
            steps.iter().any(|step| step.cores[dim].as_ref().is_some_and(|core| core.layer == Layer::Vec))
        };
        (0..view.dims.len()).filter(across).any(has_lanes)
    }

    /// Cycles for lines of a result that two computations write in part, side by side in each row: they are read and written once more, from where
    /// the result lies. Of one that no cache holds, whole rows are: as one, they are written past all caches
    fn shared_lines(&self, accesses: &Accesses) -> f64 {
        let Some(out) = accesses.outputs.first() else { return 0.0 };
        let caches = &self.device.costs.caches;
        let kept = accesses.dims(|dim| accesses.kept[dim]);
        let extent = |dim: &usize| accesses.sizes[*dim] as f64;
        let row: f64 = kept.iter().filter(|dim| out.strides[**dim] == Some(1)).map(extent).product();
        let all: f64 = kept.iter().map(extent).product();
        let bytes = all * out.bytes as f64;
        let (rate, lines) = match () {
            _ if bytes <= self.device.bytes(Region::L2) as f64 => (caches.from_l2, 1.0),
            _ if bytes <= self.device.bytes(Region::L3) as f64 => (caches.from_l3, 1.0),
            _ => (caches.from_memory, (row * out.bytes as f64 / caches.line).ceil().min(LINES)),
        };
        2.0 * lines * caches.line * all / row.max(1.0) / rate
    }

    /// Are computations not too slow together? The rank that is tested grows with each, so that the others need no choice once it is too large
    fn are_faster(&self, unit: &Ir, all: &[Compute], too_slow: impl Fn(f64) -> bool) -> bool {
        let mut rank = 0.0;
        all.iter().all(|one| {
            rank += self.rank(unit, *one);
            !too_slow(rank)
        })
    }

    /// Several computations in place of the one as written where they are clearly faster together, with a remark
    fn several_if_faster(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        other: Several,
        written: &Choice,
        said: String,
    ) -> Option<Vec<Compute>> {
        let most = written.rank();
        if !most.is_finite() || !self.are_faster(unit, &other.all, |rank| rank * STRUCTURES > most) {
            other.discard(unit);
            return None;
        }
        remark(cx, unit, op, said);
        Some(other.replace(unit, op))
    }
}
