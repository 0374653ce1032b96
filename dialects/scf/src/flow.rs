//! How control goes through the regions of this dialect's ops, and which values variables of loops take.

use super::{ExecuteRegion, For, Forall, If, IndexSwitch, Parallel, While};
use terrace_dataflow::flow::Known;
use terrace_dataflow::{Counted, From, Ints, RegionFlow, To, Way};
use terrace_ir::{DYNAMIC, Ir, OpId};

/// All that the last op of a block has, to what follows the op around
fn yields(ir: &Ir, end: OpId) -> Way {
    Way { to: To::After, given: 0..ir.num_operands(end), first: 0 }
}

/// The points of a box, each for itself
fn apart(from: From) -> Vec<Way> {
    match from {
        From::Op => vec![Way::bare(To::Region(0)), Way::bare(To::After)],
        From::End(..) => vec![Way::bare(To::After)],
    }
}

impl RegionFlow for For {
    fn ways(ir: &Ir, op: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        let given = match from {
            From::Op => ir.operand_range(op, 3),
            From::End(_, end) => 0..ir.num_operands(end),
        };
        vec![
            Way { to: To::Region(0), given: given.clone(), first: 1 },
            Way { to: To::After, given, first: 0 },
        ]
    }
}

impl Counted for For {
    fn counters(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Ints>> {
        let &[Some(low), Some(high), ..] = operands else { return Vec::new() };
        let unsigned = For(op).unsigned(ir).is_some();
        vec![between(low, high, unsigned)]
    }
}

/// From the least lower bound to below the greatest upper bound
fn between(low: Ints, high: Ints, unsigned: bool) -> Option<Ints> {
    let read = |range: Ints| if unsigned { range.unsigned() } else { range.signed() };
    let (least, last) = (read(low).0, read(high).1 - 1);
    // If it is never entered, nothing is known.
    (least <= last).then(|| match unsigned {
        true => Ints::from_unsigned(low.width(), least, last),
        false => Ints::from_signed(low.width(), least, last),
    })
}

impl RegionFlow for While {
    fn ways(ir: &Ir, op: OpId, from: From, known: Known<'_>) -> Vec<Way> {
        match from {
            From::Op => vec![Way { to: To::Region(0), given: 0..ir.num_operands(op), first: 0 }],
            From::End(0, end) => {
                let given = 1..ir.num_operands(end).max(1);
                let again = Way { to: To::Region(1), given: given.clone(), first: 0 };
                let after = Way { to: To::After, given, first: 0 };
                match known(0).and_then(|attr| attr.as_int(ir.cx())) {
                    Some((0, _)) => vec![after],
                    Some(_) => vec![again],
                    None => vec![again, after],
                }
            }
            From::End(_, end) => vec![Way { to: To::Region(0), given: 0..ir.num_operands(end), first: 0 }],
        }
    }
}

impl RegionFlow for Parallel {
    fn ways(_: &Ir, _: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        apart(from)
    }
}

impl Counted for Parallel {
    fn counters(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Ints>> {
        let range = |field| ir.operand_range(op, field).map(|n| operands.get(n).copied().flatten());
        range(0).zip(range(1)).map(|(low, high)| between(low?, high?, false)).collect()
    }
}

impl RegionFlow for Forall {
    fn ways(_: &Ir, _: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        apart(from)
    }
}

impl Counted for Forall {
    fn counters(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Ints>> {
        let bounds = |fixed: terrace_ir::Attr, field: usize| {
            let mut dynamic = ir.operand_range(op, field).map(|n| operands.get(n).copied().flatten());
            let fixed = fixed.as_dense_array(ir.cx()).unwrap_or(&[]).to_vec();
            let one = |number: i64| match number {
                DYNAMIC => dynamic.next().flatten(),
                number => Some(Ints::one(64, number.into())),
            };
            fixed.into_iter().map(one).collect::<Vec<_>>()
        };
        let this = Forall(op);
        let (low, high) = (bounds(this.static_lower_bound(ir), 0), bounds(this.static_upper_bound(ir), 1));
        low.into_iter().zip(high).map(|(low, high)| between(low?, high?, false)).collect()
    }
}

impl RegionFlow for If {
    fn ways(ir: &Ir, op: OpId, from: From, known: Known<'_>) -> Vec<Way> {
        if let From::End(_, end) = from {
            return vec![yields(ir, end)];
        }
        let otherwise = match ir.entry(If(op).else_region(ir)) {
            Some(_) => Way::bare(To::Region(1)),
            None => Way::bare(To::After),
        };
        match known(0).and_then(|attr| attr.as_int(ir.cx())) {
            Some((0, _)) => vec![otherwise],
            Some(_) => vec![Way::bare(To::Region(0))],
            None => vec![Way::bare(To::Region(0)), otherwise],
        }
    }

    fn once(_: &Ir, _: OpId, _: usize) -> bool {
        true
    }
}

impl RegionFlow for ExecuteRegion {
    fn ways(ir: &Ir, _: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        match from {
            From::Op => vec![Way::bare(To::Region(0))],
            From::End(_, end) => vec![yields(ir, end)],
        }
    }
}

impl RegionFlow for IndexSwitch {
    fn ways(ir: &Ir, op: OpId, from: From, known: Known<'_>) -> Vec<Way> {
        if let From::End(_, end) = from {
            return vec![yields(ir, end)];
        }
        let cases = IndexSwitch(op).cases(ir);
        let cases = cases.as_dense_array(ir.cx()).unwrap_or(&[]);
        let all = || (0..ir.num_regions(op)).map(|n| Way::bare(To::Region(n))).collect();
        let Some((index, _)) = known(0).and_then(|attr| attr.as_int(ir.cx())) else { return all() };
        let case = cases.iter().position(|case| i128::from(*case) == index);
        // The first region is the default.
        vec![Way::bare(To::Region(case.map_or(0, |case| case + 1)))]
    }

    fn once(_: &Ir, _: OpId, _: usize) -> bool {
        true
    }
}
