//! Rules of `scf`: conditions and loops whose way is known.

use super::{For, If, Yield};
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, OpDef, OpId, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};

/// Put the ops of a block in place of `op`; its terminator's operands are the results
pub(super) fn inline(rw: &mut Rewriter<'_>, op: OpId, block: BlockId, args: &[Value]) {
    let last = rw.ir().last_op(block).expect("verified blocks end with a terminator");
    rw.inline_block(block, op, args);
    let values: Vec<Value> = rw.ir().operands(last).collect();
    rw.erase(last);
    rw.replace(op, &values);
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

fn trip(ir: &Ir, op: OpId) -> Result<i128, Miss> {
    let bound = |value: Value| {
        constant_of(ir, value)
            .and_then(|attr| attr.as_int(ir.cx()))
            .map(|(value, _)| value)
            .or_miss("a bound is not constant")
    };
    let loop_ = For(op);
    let (low, high, step) =
        (bound(loop_.lower_bound(ir))?, bound(loop_.upper_bound(ir))?, bound(loop_.step(ir))?);
    loop_.unsigned(ir).is_none().or_miss("the loop compares unsigned")?;
    (step > 0).or_miss("the step is not positive")?;
    Ok(if high <= low { 0 } else { (high - low + step - 1) / step })
}

/// A loop that never runs gives its initial values
struct ForZero;

impl Pattern for ForZero {
    const NAME: &'static str = "for_zero_trips";
    const ROOT: Option<&'static OpDef> = Some(For::DEF);
    type Found = Vec<Value>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let same = For(op).lower_bound(ir) == For(op).upper_bound(ir);
        (same || trip(ir, op)? == 0).or_miss("the loop runs")?;
        Ok(For(op).inits(ir))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, inits: Self::Found) {
        rw.replace(op, &inits);
    }
}

/// A loop that runs once is its body
struct ForOne;

impl Pattern for ForOne {
    const NAME: &'static str = "for_one_trip";
    const ROOT: Option<&'static OpDef> = Some(For::DEF);
    type Found = (BlockId, Vec<Value>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        (trip(ir, op)? == 1).or_miss("the loop does not run exactly once")?;
        let block = ir.entry(For(op).region(ir)).or_miss("the loop has no body")?;
        let args = [For(op).lower_bound(ir)].into_iter().chain(For(op).inits(ir)).collect();
        Ok((block, args))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (block, args): Self::Found) {
        inline(rw, op, block, &args);
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

    fn rewrite(&self, rw: &mut Rewriter<'_>, _: OpId, block: Self::Found) {
        rw.edit(|ir| ir.erase_block(block));
    }
}

impl Canonicalize for If {
    const RULES: &'static [&'static dyn Rule] = &[&IfConst, &IfEmpty];
}

impl Canonicalize for For {
    const RULES: &'static [&'static dyn Rule] = &[&ForZero, &ForOne];
}
