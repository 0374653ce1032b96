//! How control goes through the regions of this dialect's ops, and which values variables of loops take.

use super::{For, If, Parallel};
use terrace_dataflow::flow::Known;
use terrace_dataflow::{Counted, From, Ints, RegionFlow, To, Way};
use terrace_ir::{Ir, OpId};

/// The points of a box, each for itself
fn apart(from: From) -> Vec<Way> {
    match from {
        From::Op => vec![Way::bare(To::Region(0)), Way::bare(To::After)],
        From::End(..) => vec![Way::bare(To::After)],
    }
}

/// How often does a loop run: never, once, several times? Unless that is open
fn trips(ir: &Ir, op: For) -> Option<u8> {
    let (low, high) = (op.constant_bound(ir, false)?, op.constant_bound(ir, true)?);
    Some(match low.checked_add(op.step_size(ir)) {
        _ if low >= high => 0,
        Some(next) if next < high => 2,
        _ => 1,
    })
}

impl RegionFlow for For {
    fn ways(ir: &Ir, op: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        let trips = trips(ir, For(op));
        let (given, left) = match from {
            From::Op => (ir.operand_range(op, 2), trips),
            From::End(_, end) => (0..ir.num_operands(end), trips.and_then(|trips| trips.checked_sub(1))),
        };
        let again = Way { to: To::Region(0), given: given.clone(), first: 1 };
        let after = Way { to: To::After, given, first: 0 };
        match (left, from) {
            (Some(0), _) => vec![after],
            (Some(_), From::Op) => vec![again],
            _ => vec![again, after],
        }
    }
}

impl Counted for For {
    fn counters(ir: &Ir, op: OpId, _: &[Option<Ints>]) -> Vec<Option<Ints>> {
        let least = For(op).constant_bound(ir, false).unwrap_or(i64::MIN);
        let last = For(op).constant_bound(ir, true).unwrap_or(i64::MAX).checked_sub(1);
        vec![last.filter(|last| least <= *last).map(|last| Ints::from_signed(64, least.into(), last.into()))]
    }
}

impl RegionFlow for If {
    fn ways(ir: &Ir, op: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        match from {
            From::End(_, end) => vec![Way { to: To::After, given: 0..ir.num_operands(end), first: 0 }],
            From::Op => {
                let otherwise = match ir.entry(If(op).else_region(ir)) {
                    Some(_) => To::Region(1),
                    None => To::After,
                };
                vec![Way::bare(To::Region(0)), Way::bare(otherwise)]
            }
        }
    }

    fn once(_: &Ir, _: OpId, _: usize) -> bool {
        true
    }
}

impl RegionFlow for Parallel {
    fn ways(_: &Ir, _: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        apart(from)
    }
}
