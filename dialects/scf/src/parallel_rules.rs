//! Rules of `parallel`: dimensions of no or one iteration, loops that are all of another one's body.

use super::rules::with_results;
use super::{Parallel, Reduce};
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, NewOp, OpId, Value};
use terrace_rewrite::{Canonicalize, FnRule, OrMiss, Rewriter, Rule};
use terrace_support::HashSet;

struct Bounds {
    lower: Vec<Value>,
    upper: Vec<Value>,
    steps: Vec<Value>,
}

impl Bounds {
    fn of(ir: &Ir, op: OpId) -> Bounds {
        let op = Parallel(op);
        Bounds { lower: op.lower(ir), upper: op.upper(ir), steps: op.steps(ir) }
    }

    fn trips(&self, ir: &Ir, n: usize) -> Option<i64> {
        let known = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
        if self.lower[n] == self.upper[n] {
            return Some(0);
        }
        let (low, high, step) = (known(self.lower[n])?, known(self.upper[n])?, known(self.steps[n])?);
        let distance = u64::try_from(i128::from(high).saturating_sub(low.into()).max(0)).ok()?;
        i64::try_from(distance.div_ceil(u64::try_from(step).ok().filter(|step| *step > 0)?)).ok()
    }

    fn operands(&self, inits: &[Value]) -> (Vec<Value>, [u32; 4]) {
        let rank = self.steps.len() as u32;
        let all = [&self.lower[..], &self.upper, &self.steps, inits].concat();
        (all, [rank, rank, rank, inits.len() as u32])
    }
}

fn body(ir: &Ir, op: OpId) -> Option<(BlockId, OpId)> {
    let block = ir.entry(Parallel(op).region(ir))?;
    Some((block, ir.last_op(block).filter(|end| ir.is(*end, Reduce::DEF))?))
}

/// No iteration: what is reduced is what it starts with
static PARALLEL_ZERO: FnRule<Vec<Value>> = FnRule {
    name: "parallel_zero_trips",
    root: Some(Parallel::DEF),
    find: |ir, op| {
        let bounds = Bounds::of(ir, op);
        let zero = (0..bounds.steps.len()).any(|n| bounds.trips(ir, n) == Some(0));
        zero.or_miss("no dimension is empty")?;
        Ok(Parallel(op).inits(ir))
    },
    put: |rw, op, inits| rw.replace(op, &inits),
};

/// A dimension of one iteration needs no loop; if all are, the loop is its body
static PARALLEL_ONE: FnRule<Vec<bool>> = FnRule {
    name: "parallel_one_trip",
    root: Some(Parallel::DEF),
    find: |ir, op| {
        body(ir, op).or_miss("the loop has no body")?;
        ir.dict(op).is_none().or_miss("attributes may speak of single dimensions")?;
        let bounds = Bounds::of(ir, op);
        let keep: Vec<bool> = (0..bounds.steps.len()).map(|n| bounds.trips(ir, n) != Some(1)).collect();
        keep.contains(&false).or_miss("every dimension has several iterations")?;
        Ok(keep)
    },
    put: |rw, op, keep| {
        let bounds = Bounds::of(rw.ir(), op);
        let Some((block, reduce)) = body(rw.ir(), op) else { return };
        for n in (0..keep.len()).filter(|n| !keep[*n]) {
            let iv = rw.ir().block_args(block)[n];
            rw.replace_all_uses(iv, bounds.lower[n]);
        }
        if !keep.contains(&true) {
            inline_once(rw, op, block, reduce);
            return;
        }
        rw.edit(|ir| {
            for n in (0..keep.len()).rev().filter(|n| !keep[*n]) {
                ir.remove_block_arg(block, n);
            }
        });
        let only =
            |all: &[Value]| all.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(each, _)| *each).collect();
        let left =
            Bounds { lower: only(&bounds.lower), upper: only(&bounds.upper), steps: only(&bounds.steps) };
        let (operands, segments) = left.operands(&Parallel(op).inits(rw.ir()));
        let results = vec![true; rw.ir().num_results(op)];
        with_results(rw, op, &operands, &segments, &results);
    },
};

/// Put the body in place of the loop, and the reductions of what it gives with the initial values after it
fn inline_once(rw: &mut Rewriter<'_>, op: OpId, block: BlockId, reduce: OpId) {
    let inits = Parallel(op).inits(rw.ir());
    let ivs = rw.ir().block_args(block).to_vec();
    rw.inline_block(block, op, &ivs);
    let given: Vec<Value> = rw.ir().operands(reduce).collect();
    let regions = Reduce(reduce).reductions(rw.ir());
    let mut values = Vec::with_capacity(given.len());
    for ((region, value), init) in regions.into_iter().zip(given).zip(inits) {
        let Some(block) = rw.ir().entry(region) else { continue };
        let Some(end) = rw.ir().last_op(block) else { continue };
        rw.inline_block(block, op, &[init, value]);
        values.push(rw.ir().operand(end, 0));
        rw.erase(end);
    }
    rw.erase(reduce);
    rw.replace(op, &values);
}

/// A loop that is all of another one's body, with bounds from outside: one loop of both's dimensions
static PARALLEL_NESTED: FnRule<OpId> = FnRule {
    name: "parallel_of_parallel",
    root: Some(Parallel::DEF),
    find: |ir, op| {
        (ir.num_results(op) == 0).or_miss("the loop reduces")?;
        let (block, end) = body(ir, op).or_miss("the loop has no body")?;
        let inner =
            ir.first_op(block).filter(|inner| ir.is(*inner, Parallel::DEF)).or_miss("no loop inside")?;
        (ir.next(inner) == Some(end)).or_miss("there is more inside")?;
        (ir.num_results(inner) == 0).or_miss("the loop inside reduces")?;
        let plain = ir.dict(op).is_none() && ir.dict(inner).is_none();
        plain.or_miss("attributes may speak of single dimensions")?;
        let ivs: HashSet<Value> = ir.block_args(block).iter().copied().collect();
        (!ir.operands(inner).any(|value| ivs.contains(&value)))
            .or_miss("the bounds inside depend on the loop")?;
        Ok(inner)
    },
    put: |rw, op, inner| {
        let (outside, inside) = (Bounds::of(rw.ir(), op), Bounds::of(rw.ir(), inner));
        let Some((outer_block, _)) = body(rw.ir(), op) else { return };
        let Some((block, _)) = body(rw.ir(), inner) else { return };
        let both = Bounds {
            lower: [outside.lower, inside.lower].concat(),
            upper: [outside.upper, inside.upper].concat(),
            steps: [outside.steps, inside.steps].concat(),
        };
        let (operands, segments) = both.operands(&[]);
        let ir = rw.ir();
        let new = NewOp {
            operands: &operands,
            segments: &segments,
            regions: 1,
            loc: ir.loc(op),
            ..NewOp::new(ir.kind(op))
        };
        let old: Vec<Value> = [ir.block_args(outer_block), ir.block_args(block)].concat();
        let made = rw.insert_before(op, &new);
        let (target, ivs) = rw.edit(|ir| {
            let region = ir.region(made, 0);
            let target = ir.append_block(region);
            let ivs: Vec<Value> = old.iter().map(|iv| ir.add_block_arg(target, ir.ty(*iv))).collect();
            (target, ivs)
        });
        for (old, new) in old.into_iter().zip(ivs) {
            let name = rw.ir().value_name(old).map(|name| rw.ir().cx().intern(name));
            if let Some(name) = name {
                rw.edit(|ir| ir.set_value_name(new, terrace_ir::Name::Str(name)));
            }
            rw.replace_all_uses(old, new);
        }
        rw.edit(|ir| {
            if let Some(first) = ir.first_op(block) {
                ir.move_tail(first, target);
            }
        });
        rw.erase(op);
    },
};

impl Canonicalize for Parallel {
    const RULES: &'static [&'static dyn Rule] = &[&PARALLEL_ZERO, &PARALLEL_ONE, &PARALLEL_NESTED];
}
