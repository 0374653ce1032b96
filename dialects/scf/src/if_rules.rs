//! Rules of `if`: results that need no branch, what the condition says inside, conditions in and after each other.

use super::rules::{inline, with_results};
use super::{If, Yield};
use terrace_dialect_arith as arith;
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, NewOp, OpDef, OpId, RegionId, Type, Value};
use terrace_rewrite::{Canonicalize, FnRule, Miss, OrMiss, Pattern, Rewriter, Rule};

/// What the two regions give
fn yields(ir: &Ir, op: OpId) -> Option<[OpId; 2]> {
    let end = |region| ir.last_op(ir.entry(region)?).filter(|end| ir.is(*end, Yield::DEF));
    Some([end(If(op).then_region(ir))?, end(If(op).else_region(ir))?])
}

/// `if` on a constant is the region it takes
struct IfConst;

impl Pattern for IfConst {
    const NAME: &'static str = "if_const";
    const ROOT: Option<&'static OpDef> = Some(If::DEF);
    type Found = Option<BlockId>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let constant = constant_of(ir, If(op).condition(ir)).or_miss("condition is not a constant")?;
        let (value, _) = constant.as_int(ir.cx()).or_miss("condition is not an integer constant")?;
        let region = if value != 0 { If(op).then_region(ir) } else { If(op).else_region(ir) };
        Ok(ir.entry(region))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, block: Self::Found) {
        match block {
            Some(block) => inline(rw, op, block, &[]),
            None => rw.erase(op),
        }
    }
}

/// An else that does nothing is none
struct IfEmpty;

impl Pattern for IfEmpty {
    const NAME: &'static str = "if_empty_else";
    const ROOT: Option<&'static OpDef> = Some(If::DEF);
    type Found = BlockId;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        (ir.num_results(op) == 0).or_miss("the op has results")?;
        let block = ir.entry(If(op).else_region(ir)).or_miss("there is no else")?;
        let first = ir.first_op(block).or_miss("the block is empty")?;
        Yield::cast(ir, first).or_miss("the else does something")?;
        Ok(block)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, block: Self::Found) {
        rw.edit(|ir| ir.erase_block(block));
        rw.touch(op);
    }
}

/// What becomes of a result
#[derive(Clone, Copy)]
enum Fate {
    Kept,
    Unused,
    /// Both regions give values from outside
    Choice(Value, Value),
}

/// Unused results are removed; those that are one of two values from outside are a `select`
struct IfResults;

impl Pattern for IfResults {
    const NAME: &'static str = "if_result_to_select";
    const ROOT: Option<&'static OpDef> = Some(If::DEF);
    type Found = ([OpId; 2], Vec<Fate>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        (ir.num_results(op) > 0).or_miss("the op has no results")?;
        let ends = yields(ir, op).or_miss("a region gives nothing")?;
        // A region has one block: what its end sees and does not stand there is from outside.
        let is_outside = |value: Value, end: OpId| ir.value_block(value) != ir.block(end);
        let fates: Vec<Fate> = ir
            .results(op)
            .enumerate()
            .map(|(n, result)| {
                let [yes, no] = ends.map(|end| ir.operand(end, n));
                if !ir.is_used(result) {
                    Fate::Unused
                } else if is_outside(yes, ends[0]) && is_outside(no, ends[1]) {
                    Fate::Choice(yes, no)
                } else {
                    Fate::Kept
                }
            })
            .collect();
        let any = fates.iter().any(|fate| !matches!(fate, Fate::Kept));
        any.or_miss("every result is used and made inside")?;
        Ok((ends, fates))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (ends, fates): Self::Found) {
        let condition = If(op).condition(rw.ir());
        let keep: Vec<bool> = fates.iter().map(|fate| matches!(fate, Fate::Kept)).collect();
        for (n, fate) in fates.iter().enumerate() {
            let Fate::Choice(yes, no) = *fate else { continue };
            let value = if yes == no {
                yes
            } else {
                rw.build_before(op, |b| arith::Select::build(b, condition, yes, no).result(b.read()))
            };
            let old = rw.ir().result(op, n);
            rw.replace_all_uses(old, value);
        }
        for end in ends {
            let values: Vec<Value> = kept(rw.ir().operands(end), &keep);
            rw.set_operands(end, &values, &[]);
        }
        with_results(rw, op, &[condition], &[], &keep);
    }
}

fn kept<T>(all: impl Iterator<Item = T>, keep: &[bool]) -> Vec<T> {
    all.zip(keep).filter(|(_, keep)| **keep).map(|(each, _)| each).collect()
}

/// `x` of `x ^ true`
fn inverted(ir: &Ir, value: Value) -> Option<Value> {
    let op = ir.defining_op(value).filter(|op| ir.is(*op, arith::XOrI::DEF))?;
    let (bit, _) = constant_of(ir, ir.operand(op, 1))?.as_int(ir.cx())?;
    (bit != 0).then(|| ir.operand(op, 0))
}

/// An inverted condition exchanges the regions
static IF_NOT: FnRule<Value> = FnRule {
    name: "if_of_not",
    root: Some(If::DEF),
    find: |ir, op| {
        ir.entry(If(op).else_region(ir)).or_miss("there is no else")?;
        inverted(ir, If(op).condition(ir)).or_miss("the condition is no inversion")
    },
    put: |rw, op, condition| {
        let regions = [If(op).then_region(rw.ir()), If(op).else_region(rw.ir())];
        rw.edit(|ir| {
            let [yes, no] = regions.map(|region| ir.blocks(region).collect::<Vec<_>>());
            yes.iter().chain(&no).for_each(|block| ir.detach_block(*block));
            no.iter().for_each(|block| ir.place_block(regions[0], *block));
            yes.iter().for_each(|block| ir.place_block(regions[1], *block));
        });
        rw.set_operand(op, 0, condition);
    },
};

/// Uses of the condition to look at, and how far they may be inside: finding them all may cost the square of the size
const USES: usize = 64;
const LEVELS: usize = 8;

/// Inside, the condition is known
static IF_CONDITION: FnRule<Vec<(OpId, usize, bool)>> = FnRule {
    name: "if_condition_truth",
    root: Some(If::DEF),
    find: |ir, op| {
        let condition = If(op).condition(ir);
        let regions = [If(op).then_region(ir), If(op).else_region(ir)];
        let known = |user: OpId| {
            let mut at = user;
            for _ in 0..LEVELS {
                let region = ir.block_region(ir.block(at)?)?;
                if region == regions[0] {
                    return Some(true);
                } else if region == regions[1] {
                    return Some(false);
                }
                at = ir.region_parent(region);
            }
            None
        };
        let uses: Vec<(OpId, usize, bool)> = ir
            .uses(condition)
            .take(USES)
            .filter(|(user, _)| *user != op)
            .filter_map(|(user, n)| Some((user, n, known(user)?)))
            .collect();
        (!uses.is_empty()).or_miss("the condition is not used inside")?;
        Ok(uses)
    },
    put: |rw, op, uses| {
        for (user, n, value) in uses {
            let (attr, ty) = (rw.ir().cx().bool_attr(value), rw.ir().cx().common().i1);
            let like = rw.ir().kind(op);
            if let Some(constant) = rw.constant(op, attr, ty, like) {
                rw.set_operand(user, n, constant);
            }
        }
    },
};

/// The only op of a block before its terminator
fn only_op(ir: &Ir, block: BlockId) -> Option<(OpId, OpId)> {
    let (first, last) = (ir.first_op(block)?, ir.last_op(block)?);
    (ir.next(first) == Some(last)).then_some((first, last))
}

/// What a region gives that does nothing else
fn gives(ir: &Ir, region: RegionId) -> Option<Vec<Value>> {
    let Some(block) = ir.entry(region) else { return Some(Vec::new()) };
    let end = ir.first_op(block).filter(|first| Some(*first) == ir.last_op(block))?;
    Some(ir.operands(end).collect())
}

/// A condition that is all of another one's region, with the same else: both at once
static IF_IF: FnRule<(OpId, OpId)> = FnRule {
    name: "if_of_if",
    root: Some(If::DEF),
    find: |ir, op| {
        let block = ir.entry(If(op).then_region(ir)).or_miss("the region is empty")?;
        let (inner, end) = only_op(ir, block).or_miss("there is more than one op inside")?;
        If::cast(ir, inner).or_miss("the op inside is no condition")?;
        let same = ir.operands(end).eq(ir.results(inner));
        same.or_miss("the values are not those of the condition inside")?;
        let outer_else = gives(ir, If(op).else_region(ir)).or_miss("the else does something")?;
        let inner_else = gives(ir, If(inner).else_region(ir)).or_miss("the else inside does something")?;
        (outer_else == inner_else).or_miss("the elses give different values")?;
        Ok((inner, end))
    },
    put: |rw, op, (inner, end)| {
        let (a, b) = (If(op).condition(rw.ir()), If(inner).condition(rw.ir()));
        let both = rw.build_before(op, |builder| arith::AndI::build(builder, a, b).result(builder.read()));
        let block =
            rw.ir().entry(If(inner).then_region(rw.ir())).expect("verified: the first region has a block");
        let last = rw.ir().last_op(block).expect("verified blocks end with a terminator");
        rw.inline_block(block, inner, &[]);
        let values: Vec<Value> = rw.ir().operands(last).collect();
        rw.erase(last);
        rw.set_operands(end, &values, &[]);
        rw.erase(inner);
        rw.set_operand(op, 0, both);
    },
};

/// Two conditions in a row on the same value are one
struct IfThenIf;

impl Pattern for IfThenIf {
    const NAME: &'static str = "if_after_if";
    const ROOT: Option<&'static OpDef> = Some(If::DEF);
    /// The one before, and whether it asks for the opposite
    type Found = (OpId, bool);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let before =
            ir.prev(op).filter(|prev| ir.is(*prev, If::DEF)).or_miss("no condition stands before")?;
        let (a, b) = (If(before).condition(ir), If(op).condition(ir));
        if a == b {
            return Ok((before, false));
        }
        let opposite = inverted(ir, a) == Some(b) || inverted(ir, b) == Some(a);
        opposite.or_miss("the conditions differ")?;
        Ok((before, true))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (before, opposite): Self::Found) {
        let ir = rw.ir();
        let regions = |op: OpId| [If(op).then_region(ir), If(op).else_region(ir)];
        let (firsts, mut seconds) = (regions(before), regions(op));
        if opposite {
            seconds.reverse();
        }
        let types: Vec<Type> = ir.results(before).chain(ir.results(op)).map(|result| ir.ty(result)).collect();
        let condition = If(before).condition(ir);
        let kind = ir.kind(op);
        let new = NewOp { operands: &[condition], results: &types, regions: 2, ..NewOp::new(kind) };
        let made = rw.insert_before(op, &new);
        let targets = regions_of(rw.ir(), made);
        for n in 0..2 {
            join(rw, [before, op], [firsts[n], seconds[n]], targets[n]);
        }
        let count = rw.ir().num_results(before);
        for (at, old) in [(0, before), (count, op)] {
            for n in 0..rw.ir().num_results(old) {
                let (value, new) = (rw.ir().result(old, n), rw.ir().result(made, at + n));
                rw.replace_all_uses(value, new);
            }
        }
        rw.erase(op);
        rw.erase(before);
    }
}

fn regions_of(ir: &Ir, op: OpId) -> [RegionId; 2] {
    [If(op).then_region(ir), If(op).else_region(ir)]
}

/// Put the blocks of two regions, one after the other, into a third
fn join(rw: &mut Rewriter<'_>, ops: [OpId; 2], from: [RegionId; 2], to: RegionId) {
    let blocks = from.map(|region| rw.ir().entry(region));
    let Some(block) = blocks[0].or(blocks[1]) else { return };
    let mut values = Vec::new();
    let end = rw.ir().last_op(block).expect("verified blocks end with a terminator");
    if let [Some(first), Some(second)] = blocks {
        // Inside, the results of the first are what this region gives.
        let given: Vec<Value> = rw.ir().operands(end).collect();
        for (n, value) in given.iter().enumerate() {
            let result = rw.ir().result(ops[0], n);
            let uses: Vec<(OpId, usize)> =
                rw.ir().uses(result).filter(|(user, _)| in_region(rw.ir(), *user, from[1])).collect();
            for (user, at) in uses {
                rw.set_operand(user, at, *value);
            }
        }
        values.extend(given);
        let last = rw.ir().last_op(second).expect("verified blocks end with a terminator");
        values.extend(rw.ir().operands(last));
        rw.erase(end);
        rw.edit(|ir| {
            if let Some(op) = ir.first_op(second) {
                ir.move_tail(op, first);
            }
        });
        rw.set_operands(last, &values, &[]);
    }
    rw.edit(|ir| {
        ir.detach_block(block);
        ir.place_block(to, block);
    });
}

fn in_region(ir: &Ir, op: OpId, region: RegionId) -> bool {
    let mut at = Some(op);
    while let Some(op) = at {
        let here = ir.block(op).and_then(|block| ir.block_region(block));
        if here == Some(region) {
            return true;
        }
        at = here.map(|here| ir.region_parent(here)).filter(|parent| *parent != op);
    }
    false
}

impl Canonicalize for If {
    const RULES: &'static [&'static dyn Rule] =
        &[&IfConst, &IfEmpty, &IfThenIf, &IfResults, &IF_NOT, &IF_CONDITION, &IF_IF];
}
