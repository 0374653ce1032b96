//! Other forms of a computation, which are ranked against the one that is written: fewer dimensions, operands that are converted before,
//! two kernels, copies for half of a symmetric result.

use super::{MdhSchedule, Moves, remark};
use crate::collapse::{Collapsed, Place};
use crate::grid::fill;
use crate::moved::Moved;
use crate::parts::Several;
use crate::runs::Runs;
use crate::{access, codes, converted, interleaved, last_block, mechanism, parts};
use terrace_devices::DeviceKind;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::symmetric::{self, SYMMETRIC};
use terrace_dialect_mdh::view::{Order, View};
use terrace_ir::Ir;
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{Choice, SIZES, STRUCTURES};
use terrace_schedule_choose::grid::blocks::{self, Form, Stride};
use terrace_schedule_choose::loops::{brief, ceil};
use terrace_schedule_choose::{grid, host};
use terrace_schedule_model::apply::Extras;
use terrace_schedule_model::{Rule, Schedule};

/// A reduction in parts that several blocks compute
pub(super) struct Parts {
    /// The dimension, and how many coordinates of it a part has
    pub cut: (usize, i64),
    /// The schedule of the parts, where they are to have this one
    pub schedule: Option<Schedule>,
    /// Microseconds of parts and what joins them
    pub time: f64,
    /// Does the last block join them?
    pub last: bool,
}

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
        if !self.switches.collapse {
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
        let written = access::read(unit, op, view);
        let written = self.alone(unit, op, view, &written);
        let other = Collapsed::before(unit, op, view, Place::Alone)?;
        let one = View::read(unit, other.op).ok().filter(|_| other.once);
        let rank = one.map_or(f64::INFINITY, |one| {
            let accesses = access::read(unit, other.op, &one);
            self.alone(unit, other.op, &one, &accesses)
        });
        if rank.is_infinite() || rank > written {
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
        match self.by_runs(unit, op, view).filter(|_| !collapsed) {
            Some(one) => Some(vec![one]),
            None => self.moved(cx, unit, op, view),
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
        let (mut written, mut made) = (0.0, self.rank(unit, other.copy));
        for (old, new) in &other.readers {
            written += self.rank(unit, *old);
            made += self.rank(unit, *new);
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
        let rank: f64 = other.all.iter().map(|one| self.rank(unit, *one)).sum();
        if !written.rank().is_finite() || rank * STRUCTURES > written.rank() {
            other.discard(unit);
            return None;
        }
        remark(cx, unit, op, said);
        Some(other.replace(unit, op))
    }

    /// The cut of a reduction that takes the shortest time, if that is shorter than the whole's, whose blocks may be `atomic`. The first is taken where the model does
    /// not tell it from others, or has no estimate
    pub(super) fn cut(
        &self,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        accesses: &Accesses,
        (whole, atomic): (f64, bool),
    ) -> Option<Parts> {
        if !self.switches.blocks {
            return None;
        }
        // Threads of the first that is proposed decide which parts are compared.
        let plain = Accesses { updates: false, ..accesses.clone() };
        let first = Choice::among(grid::GENERATORS, &plain, None, &self.device).schedule();
        let cuts = first.map_or(Vec::new(), |first| fill::cuts(accesses, &self.device, &first));
        let mut found: Option<Parts> = None;
        for cut in cuts {
            let Some(parts) = self.parts(unit, op, view, cut, None) else { continue };
            let parts = self.along_x(unit, op, view, accesses, &parts).unwrap_or(parts);
            let shorter = |best: f64| parts.time * SIZES < best;
            match &found {
                Some(first) if first.time.is_infinite() || !shorter(first.time) => {}
                _ => found = Some(parts),
            }
        }
        // Parts in memory that another kernel joins are worth nothing where blocks update the results in no more time.
        let known = |parts: &Parts| if atomic && !parts.last { 1.0 } else { STRUCTURES };
        found.filter(|parts| parts.time.is_infinite() || parts.time <= whole * known(parts))
    }

    /// As many parts with reduced tiles along block.x and reduced points along thread.x, where the model does not hold that to be slower
    fn along_x(
        &self,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        accesses: &Accesses,
        parts: &Parts,
    ) -> Option<Parts> {
        let blocks = ceil(view.dims[parts.cut.0].size, parts.cut.1);
        let mut best: Option<Parts> = None;
        for wide in [true, false] {
            let form = Form { blocks, threads: grid::LINE, wide, stride: Stride::Block, via: None };
            let Some(own) = blocks::blocks(accesses, &self.device, form) else { continue };
            let Some((cut, schedule)) = mechanism::as_parts(view, &own) else { continue };
            let Some(own) = self.parts(unit, op, view, cut, Some(schedule)) else { continue };
            if best.as_ref().is_none_or(|best| own.time < best.time) {
                best = Some(own);
            }
        }
        best.filter(|own| own.time.is_finite() && own.time <= parts.time * STRUCTURES)
    }

    /// A cut with its time: the parts with a schedule or with the best one, and what joins them
    fn parts(
        &self,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        cut: (usize, i64),
        schedule: Option<Schedule>,
    ) -> Option<Parts> {
        let both = parts::Cut::before(unit, op, view, cut.0, cut.1)?;
        let (first, of_parts) = match &schedule {
            None => match self.choice(unit, both.first) {
                Some(choice) => (choice.rank(), choice.schedule()),
                None => (f64::INFINITY, None),
            },
            Some(schedule) => (self.time(unit, both.first, schedule), Some(schedule.clone())),
        };
        let second = self.choice(unit, both.second);
        let launched = second.as_ref().map_or(f64::INFINITY, Choice::rank);
        // The last block takes a ticket: two fences and an update, in place of a launch.
        let latency = &self.device.costs.latency;
        let ticket = 3.0 * latency.staged / (self.device.costs.grid.clock * 1e3);
        let views = [both.first, both.second].map(|one| View::read(unit, one).ok());
        let in_block = match (&views, &second, &of_parts) {
            ([Some(first), Some(view)], Some(choice), Some(schedule)) if self.lasts() => {
                last_block::best(view, choice, (first, schedule))
            }
            _ => None,
        };
        let in_block = in_block.map_or(f64::INFINITY, |own| own.rank - latency.launch + ticket);
        both.discard(unit);
        Some(Parts { cut, schedule, time: first + launched.min(in_block), last: in_block < launched })
    }

    /// The time of a computation with a schedule; infinite without an estimate
    fn time(&self, unit: &Ir, op: Compute, schedule: &Schedule) -> f64 {
        let computed = View::read(unit, op).ok().and_then(|view| view.computed(unit, op));
        let kernel = computed.and_then(|own| own.on_grid(schedule, &Extras::default(), &self.device).ok()?);
        kernel.map_or(f64::INFINITY, |kernel| kernel.seconds * 1e6)
    }

    /// What a computation on a grid is ranked by: of the whole, or of its parts
    pub(super) fn alone(&self, unit: &mut Ir, op: Compute, view: &View, accesses: &Accesses) -> f64 {
        let whole = Choice::among(grid::GENERATORS, accesses, view.computed(unit, op).as_ref(), &self.device);
        let (rank, atomic) = (whole.rank(), whole.updates());
        self.cut(unit, op, view, accesses, (rank, atomic)).map_or(rank, |parts| parts.time.min(rank))
    }

    /// What the schedule that a computation would get is ranked by; infinite without an estimate
    fn rank(&self, unit: &Ir, op: Compute) -> f64 {
        self.choice(unit, op).map_or(f64::INFINITY, |choice| choice.rank())
    }

    fn choice(&self, unit: &Ir, op: Compute) -> Option<Choice> {
        let view = View::read(unit, op).ok()?;
        let (accesses, computed) = (access::read(unit, op, &view), view.computed(unit, op));
        let all = match self.device.kind {
            DeviceKind::Host => host::GENERATORS,
            DeviceKind::Grid => grid::GENERATORS,
        };
        Some(Choice::among(all, &accesses, computed.as_ref(), &self.device))
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
