//! Tuples of few results on processors: parts of the reduction are tasks, and a second computation joins them.
//!
//! Where operators are on single values, tasks merge into parts of the result's memory. Tuples meet as values, with no kept dimension inside
//! of the loop over tasks, so parts of columns are a dimension of their own.
//!
//! That is for fewer results than cores: where each core has a result, it reads rows in order and has lanes for tuples, while parts are
//! reduced one element after the other. 31 to 1000 columns took 6 to 10 times as long in parts.

use super::{MdhSchedule, accesses_of, computed_of};
use crate::parts::Cut;
use terrace_devices::DeviceKind;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{Choice, STRUCTURES};
use terrace_schedule_choose::loops::{ceil, worth_threads};

/// Parts do not depend on the number of threads: so many, which any number of threads shares evenly enough
const PARTS: i64 = 64;

/// Least points of a part and a result: what joins parts reads each of them once
const LEAST: i64 = 256;

impl MdhSchedule {
    /// Parts and what joins them, where the model holds both to be clearly faster than the reduction as a whole
    pub(super) fn tall(
        &self,
        cx: &PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        accesses: &Accesses,
        whole: &Choice,
    ) -> Option<[Compute; 2]> {
        let kept = accesses.dims(|dim| accesses.kept[dim]);
        let plain = accesses.prefixes.iter().chain(&accesses.conditioned).all(|one| !one);
        let fits =
            self.device.kind == DeviceKind::Host && !accesses.single && accesses.tuples && accesses.meets;
        let results = kept.iter().fold(1i64, |all, dim| all.saturating_mul(accesses.sizes[*dim]));
        let idle = results < self.device.units;
        if !fits || !plain || kept.is_empty() || !idle || !worth_threads(accesses, &self.device) {
            return None;
        }
        // The outermost reduced dimension: parts stay in order.
        let dim = accesses.dims(|dim| accesses.reduced[dim]).first().copied()?;
        let parts = PARTS.min(accesses.sizes[dim] / LEAST);
        if parts < 2 {
            return None;
        }
        let cut = Cut::before(unit, op, view, dim, ceil(accesses.sizes[dim], parts))?;
        let time = |one: Compute| {
            let view = View::read(unit, one).ok()?;
            let (accesses, computed) = (accesses_of(cx, unit, one, &view), computed_of(cx, unit, one, &view));
            Some(self.among(&accesses, computed.as_ref()).rank())
        };
        let both =
            time(cut.first).zip(time(cut.second)).map_or(f64::INFINITY, |(first, second)| first + second);
        if both * STRUCTURES < whole.rank() {
            return Some(cut.replace(unit, op));
        }
        cut.discard(unit);
        None
    }
}
