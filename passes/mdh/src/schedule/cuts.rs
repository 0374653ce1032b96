//! Reductions in parts that several blocks compute.

use super::MdhSchedule;
use crate::grid::fill;
use crate::{last_block, mechanism, parts};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{SIZES, STRUCTURES};
use terrace_schedule_choose::grid;
use terrace_schedule_choose::grid::blocks::{self, Form, Stride};
use terrace_schedule_choose::loops::ceil;
use terrace_schedule_model::Schedule;

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

impl MdhSchedule {
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
        let first = self.among(&plain, None).schedule();
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
        let launched = second.as_ref().map_or(f64::INFINITY, |choice| choice.rank());
        // The last block takes a ticket: two fences and an update, in place of a launch.
        let latency = &self.device.costs.latency;
        let ticket = 3.0 * latency.staged / (self.device.costs.grid.clock * 1e3);
        let views = [both.first, both.second].map(|one| View::read(unit, one).ok());
        let in_block = match (&views, &second, &of_parts) {
            ([Some(first), Some(view)], Some(choice), Some(schedule)) if self.lasts() => {
                let time = |own: &Schedule| self.time(unit, both.second, own);
                last_block::best(view, choice, (first, schedule), time)
            }
            _ => None,
        };
        let in_block = in_block.map_or(f64::INFINITY, |(_, time)| time - latency.launch + ticket);
        both.discard(unit);
        Some(Parts { cut, schedule, time: first + launched.min(in_block), last: in_block < launched })
    }
}
