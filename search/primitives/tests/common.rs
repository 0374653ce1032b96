//! Layouts of small computations.

use terrace_schedule_model::Schedule;
use terrace_search_primitives::{Fixed, Layout, Loop, Parts};
use terrace_search_schedules::Refusal;

/// Sixteen lanes, a register tile of 256 elements
pub const HOST: Fixed = Fixed::Host { lanes: 16, registers: 256 };
/// Blocks of 64 threads
pub const GRID: Fixed = Fixed::Grid { threads: 64 };

pub fn any(_: &Schedule) -> Result<(), Refusal> {
    Ok(())
}

/// `i`, `j` and the loops that fold behind them, of which `j` may have lanes
pub fn loops(spatial: &[i64], reduce: &[i64]) -> Vec<Loop> {
    let names = "ijuvklmn".chars();
    let kept = spatial.iter().map(|trip| (*trip, false));
    let all = kept.chain(reduce.iter().map(|trip| (*trip, true)));
    let one = |((trip, reduce), name): ((i64, bool), char)| Loop {
        name: name.to_string(),
        trip,
        reduce,
        lanes: name == 'j',
    };
    let mut loops: Vec<Loop> = all.zip(names).map(one).collect();
    let first = spatial.len();
    loops.iter_mut().skip(first).zip("klmn".chars()).for_each(|(one, name)| one.name = name.to_string());
    loops
}

pub fn layout(spatial: &[i64], reduce: &[i64], parts: Parts, fixed: Fixed) -> Layout {
    Layout::new(loops(spatial, reduce), parts, fixed, 2, 1).expect("it has loops")
}
