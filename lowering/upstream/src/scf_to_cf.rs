//! Structured control flow to blocks and branches, as upstream's `convert-scf-to-cf`.
//!
//! | op | blocks |
//! |---|---|
//! | `for` | condition (induction variable, carried values), body, rest |
//! | `while` | before, after, rest; one block less when after only hands on what it is given |
//! | `if` | then, else, rest (results) |
//! | `index_switch` | one for each case, default, rest (results); the value as `i64` |
//! | `execute_region` | its own, rest (results) |
//! | `parallel`, `forall` on memory | as the nest of `for` of [`super::parallel_to_for`] |
//!
//! Outer ops go first and, in one block, later ones: so each op moves at most once when its block is split and once when
//! its body becomes a block of its own, and the whole is linear. No recursion. Induction variables and carried values keep
//! their names; values that become arguments of the block after an op take the names of its results.
//!
//! Upstream's `index_switch` looks at the low 32 bits of the value only; here all count.
//! A loop whose induction variable would leave its type ends at `scf` level and wraps here, as upstream's.

use crate::codes;
use crate::parallel_to_for::parallel_to_for;
use crate::scf_forall_to_parallel::convert_all;
use terrace_diag::Reported;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_arith::{AddI, CmpI, IndexCast};
use terrace_dialect_cf::{Br, CondBr, Switch, Way};
use terrace_dialect_scf::{self as scf, Condition, ExecuteRegion, For, If, IndexSwitch, Parallel, While};
use terrace_ir::{BlockId, Builder, Ir, Loc, OpId, RegionId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Structured loops and conditions become blocks and branches
///
/// Lowers scf.for, if, while, parallel, index_switch and execute_region, with upstream's meaning. Parallel loops run in one
/// order: outline them before, with `scf-parallel-to-calls`, to keep them parallel.
#[pass("convert-scf-to-cf", aliases("scf-to-cf"), stats("ops lowered"))]
pub struct ScfToCf;

impl Pass for ScfToCf {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let converted = convert_all(unit);
        let mut found: Vec<OpId> = unit.walk_post(unit.root()).filter(|op| lowers(unit, *op)).collect();
        for &op in &found {
            if let Some(around) = unit.parent(op).filter(|around| holds_one_block(unit, *around)) {
                let message = format!(
                    "cannot become blocks here: '{}' around it holds exactly one block",
                    unit.op_name(around)
                );
                return cx.fail(unit, op, &codes::ONE_BLOCK, message);
            }
        }
        cx.count("ops lowered", found.len() as u64);
        cx.set_changed(converted > 0 || !found.is_empty());
        while let Some(op) = found.pop() {
            lower(unit, op);
        }
        Ok(())
    }
}

fn lowers(ir: &Ir, op: OpId) -> bool {
    [For::DEF, If::DEF, While::DEF, Parallel::DEF, IndexSwitch::DEF, ExecuteRegion::DEF]
        .iter()
        .any(|def| ir.is(op, def))
}

/// Is it an op with one block that stays?
fn holds_one_block(ir: &Ir, op: OpId) -> bool {
    let def = ir.def(op);
    let inlined = lowers(ir, op) || ir.is(op, scf::Reduce::DEF);
    !inlined && (def.traits.has(Traits::SingleBlock) || def.regions.iter().any(|region| region.single_block))
}

fn lower(ir: &mut Ir, op: OpId) {
    if For::cast(ir, op).is_some() {
        lower_for(ir, For(op));
    } else if If::cast(ir, op).is_some() {
        lower_if(ir, If(op));
    } else if While::cast(ir, op).is_some() {
        lower_while(ir, While(op));
    } else if ExecuteRegion::cast(ir, op).is_some() {
        lower_execute_region(ir, ExecuteRegion(op));
    } else if IndexSwitch::cast(ir, op).is_some() {
        lower_index_switch(ir, IndexSwitch(op));
    } else if Parallel::cast(ir, op).is_some() {
        for level in parallel_to_for(ir, op) {
            lower_for(ir, For(level));
        }
    }
}

/// The pieces around an op that is being taken apart
struct Site {
    /// Block that ends before the op
    before: BlockId,
    /// Block that starts with the op: to become what follows it
    rest: BlockId,
    loc: Loc,
}

/// Cut the block before the op
fn cut(ir: &mut Ir, op: OpId) -> Site {
    let before = ir.block(op).expect("ops that a walk gives are in blocks");
    let rest = ir.split_block(op).expect("the op is in a block");
    Site { before, rest, loc: ir.loc(op) }
}

/// Move the blocks of a region between `before` and what follows; gives the first and the last
fn unfold(ir: &mut Ir, region: RegionId, before: BlockId) -> Option<(BlockId, BlockId)> {
    let blocks: Vec<BlockId> = ir.blocks(region).collect();
    let mut at = before;
    for &block in &blocks {
        ir.detach_block(block);
        ir.place_block_after(at, block);
        at = block;
    }
    Some((*blocks.first()?, at))
}

/// End a block with a jump
fn jump(ir: &mut Ir, from: BlockId, to: BlockId, values: &[Value], loc: Loc) {
    let mut b = Builder::at_end(ir, from);
    b.set_loc(loc);
    Br::build(&mut b, values, to);
}

/// End a block with a branch
fn branch(ir: &mut Ir, from: BlockId, condition: Value, ways: [(BlockId, &[Value]); 2], loc: Loc) {
    let mut b = Builder::at_end(ir, from);
    b.set_loc(loc);
    let [(yes, yes_values), (no, no_values)] = ways;
    CondBr::build(&mut b, condition, yes_values, no_values, yes, no);
}

/// Take a block's terminator away; gives its operands and location
fn open_end(ir: &mut Ir, block: BlockId) -> Option<(Vec<Value>, Loc)> {
    let end = ir.last_op(block)?;
    let (values, loc) = (ir.operands(end).collect(), ir.loc(end));
    ir.erase(end);
    Some((values, loc))
}

/// Let the results of `op` be these values, and erase it
fn replace(ir: &mut Ir, op: OpId, values: &[Value]) {
    for (old, &new) in ir.results(op).zip(values) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
}

/// Arguments of the block that starts with `op`, for its results
fn results_as_args(ir: &mut Ir, op: OpId, rest: BlockId) -> Vec<Value> {
    ir.results(op).map(|result| ir.add_block_arg(rest, ir.ty(result))).collect()
}

fn lower_for(ir: &mut Ir, op: For) {
    let (lower, upper, step) = (op.lower_bound(ir), op.upper_bound(ir), op.step(ir));
    let (inits, unsigned) = (op.inits(ir), op.unsigned(ir).is_some());
    let Site { before, rest, loc } = cut(ir, op.id());
    let Some((head, _)) = unfold(ir, op.region(ir), before) else { return };
    let body = ir.create_block();
    ir.place_block_after(head, body);
    if let Some(first) = ir.first_op(head) {
        ir.move_tail(first, body);
    }
    let start: Vec<Value> = [lower].into_iter().chain(inits).collect();
    jump(ir, before, head, &start, loc);

    let (iv, carried) = {
        let args = ir.block_args(head);
        (args[0], args[1..].to_vec())
    };
    let mut b = Builder::at_end(ir, head);
    b.set_loc(loc);
    let predicate = if unsigned { CmpIPredicate::Ult } else { CmpIPredicate::Slt };
    let runs = CmpI::build(&mut b, iv, upper, predicate);
    let runs = runs.result(ir);
    branch(ir, head, runs, [(body, &[]), (rest, &[])], loc);

    if let Some((values, end_loc)) = open_end(ir, body) {
        let mut b = Builder::at_end(ir, body);
        b.set_loc(loc);
        let next = AddI::build(&mut b, iv, step).result(ir);
        let values: Vec<Value> = [next].into_iter().chain(values).collect();
        jump(ir, body, head, &values, end_loc);
    }
    replace(ir, op.id(), &carried);
}

fn lower_if(ir: &mut Ir, op: If) {
    let condition = op.condition(ir);
    let Site { before, rest, loc } = cut(ir, op.id());
    let args = results_as_args(ir, op.id(), rest);
    let mut ways = [rest; 2];
    let mut at = before;
    for (way, region) in ways.iter_mut().zip([op.then_region(ir), op.else_region(ir)]) {
        let Some((first, last)) = unfold(ir, region, at) else { continue };
        if let Some((values, loc)) = open_end(ir, last) {
            jump(ir, last, rest, &values, loc);
        }
        (*way, at) = (first, last);
    }
    branch(ir, before, condition, [(ways[0], &[]), (ways[1], &[])], loc);
    replace(ir, op.id(), &args);
}

/// Does the second region of a loop only hand on what it is given?
fn hands_on(ir: &Ir, op: While) -> bool {
    let Some(block) = ir.single_block(op.after(ir)) else { return false };
    let only = ir.first_op(block).filter(|first| ir.last_op(block) == Some(*first));
    only.is_some_and(|end| ir.operands(end).eq(ir.block_args(block).iter().copied()))
}

fn lower_while(ir: &mut Ir, op: While) {
    let inits = op.inits(ir);
    let Site { before, rest, loc } = cut(ir, op.id());
    let short = hands_on(ir, op);
    let Some((head, head_end)) = unfold(ir, op.before(ir), before) else { return };
    jump(ir, before, head, &inits, loc);
    let again = if short { None } else { unfold(ir, op.after(ir), head_end) };
    if let Some((_, last)) = again
        && let Some((values, loc)) = open_end(ir, last)
    {
        jump(ir, last, head, &values, loc);
    }
    let condition = ir.last_op(head_end).and_then(|end| Condition::cast(ir, end));
    let condition = condition.expect("verified: the first region ends with a condition");
    let (runs, values, end_loc) = (condition.condition(ir), condition.args(ir), ir.loc(condition.id()));
    ir.erase(condition.id());
    let body = again.map_or(head, |(first, _)| first);
    branch(ir, head_end, runs, [(body, &values), (rest, &[])], end_loc);
    replace(ir, op.id(), &values);
}

fn lower_execute_region(ir: &mut Ir, op: ExecuteRegion) {
    let Site { before, rest, loc } = cut(ir, op.id());
    let args = results_as_args(ir, op.id(), rest);
    let blocks: Vec<BlockId> = ir.blocks(op.region(ir)).collect();
    let Some((first, _)) = unfold(ir, op.region(ir), before) else { return };
    for block in blocks {
        let end = ir.last_op(block).filter(|end| ir.is(*end, scf::Yield::DEF));
        if end.is_some()
            && let Some((values, loc)) = open_end(ir, block)
        {
            jump(ir, block, rest, &values, loc);
        }
    }
    jump(ir, before, first, &[], loc);
    replace(ir, op.id(), &args);
}

fn lower_index_switch(ir: &mut Ir, op: IndexSwitch) {
    let arg = op.arg(ir);
    let values = op.cases(ir).as_dense_array(ir.cx()).unwrap_or(&[]).to_vec();
    let Site { before, rest, loc } = cut(ir, op.id());
    let args = results_as_args(ir, op.id(), rest);
    let mut at = before;
    let mut ways = Vec::new();
    for region in op.case_regions(ir).into_iter().chain([op.default_region(ir)]) {
        let Some((first, last)) = unfold(ir, region, at) else { return };
        if let Some((values, loc)) = open_end(ir, last) {
            jump(ir, last, rest, &values, loc);
        }
        ways.push(Way { block: first, values: Vec::new() });
        at = last;
    }
    let default = ways.pop().expect("the default was pushed last");
    let cases: Vec<(u128, Way)> =
        values.into_iter().map(|value| u128::from(value as u64)).zip(ways).collect();
    let mut b = Builder::at_end(ir, before);
    b.set_loc(loc);
    let i64 = b.cx().common().i64;
    let flag = IndexCast::build(&mut b, arg, i64);
    let flag = flag.out(b.read());
    Switch::with_cases(&mut b, flag, &default, &cases);
    replace(ir, op.id(), &args);
}
