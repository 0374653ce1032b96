//! Rules that upstream's canonicalization has for this dialect.

use super::{AllReduce, Barrier, Launch, Memcpy, SubgroupReduce, Wait};
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Effects, Ir, OpDef, OpId, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};

/// A barrier right before another does nothing
struct BarrierTwice;

impl Pattern for BarrierTwice {
    const NAME: &'static str = "gpu_barrier_twice";
    const ROOT: Option<&'static OpDef> = Some(Barrier::DEF);
    type Found = ();

    fn matches(&self, ir: &Ir, op: OpId) -> Result<(), Miss> {
        let next = ir.next(op).or_miss("nothing follows")?;
        Barrier::cast(ir, next).map(|_| ()).or_miss("no barrier follows")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (): ()) {
        rw.erase(op);
    }
}

/// An id along a dimension of size 1 is 0
struct IdOfOne;

impl Pattern for IdOfOne {
    const NAME: &'static str = "gpu_launch_id_of_one";
    const ROOT: Option<&'static OpDef> = Some(Launch::DEF);
    type Found = Vec<Value>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Vec<Value>, Miss> {
        let launch = Launch(op);
        let entry = ir.entry(launch.body(ir)).or_miss("there is no body")?;
        let is_one = |value: Value| {
            constant_of(ir, value).and_then(|attr| attr.as_int(ir.cx())).is_some_and(|(value, _)| value == 1)
        };
        let ids: Vec<Value> = launch
            .grid(ir)
            .into_iter()
            .chain(launch.block(ir))
            .zip(ir.block_args(entry))
            .filter(|(size, id)| is_one(*size) && ir.is_used(**id))
            .map(|(_, id)| *id)
            .collect();
        (!ids.is_empty()).or_miss("no size is 1, or its id is not used")?;
        Ok(ids)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, ids: Vec<Value>) {
        let (cx, index) = (rw.ir().cx_arc().clone(), rw.ir().cx().common().index);
        let zero = cx
            .kind_of(terrace_dialect_arith::Constant::DEF)
            .and_then(|like| rw.constant(op, cx.index_attr(0), index, like));
        if let Some(zero) = zero {
            for id in ids {
                rw.replace_all_uses(id, zero);
            }
        }
    }
}

fn uniform_place(ir: &Ir, op: OpId, uniform: Option<Attr>) -> Result<(), Miss> {
    uniform.is_none().or_miss("it is uniform")?;
    let parent = ir.parent(op).or_miss("it is nowhere")?;
    let launch = Launch::cast(ir, parent).or_miss("it is not right in the body of `gpu.launch`")?;
    (ir.block(op) == ir.entry(launch.body(ir))).or_miss("it is not in the first block")
}

/// Right in the body of `launch` all threads come by: reductions there are uniform
macro_rules! uniform {
    ($($rule:ident $name:literal $op:ident;)*) => {$(
        struct $rule;

        impl Pattern for $rule {
            const NAME: &'static str = $name;
            const ROOT: Option<&'static OpDef> = Some($op::DEF);
            type Found = ();

            fn matches(&self, ir: &Ir, op: OpId) -> Result<(), Miss> {
                uniform_place(ir, op, $op(op).uniform(ir))
            }

            fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (): ()) {
                let unit = rw.ir().cx().common().unit;
                let slot = $op::DEF.attr_slot("uniform").expect("the op has this attribute");
                rw.set_slot(op, slot, Some(unit));
            }
        }

        impl Canonicalize for $op {
            const RULES: &'static [&'static dyn Rule] = &[&$rule];
        }
    )*};
}

uniform! {
    UniformAllReduce "gpu_all_reduce_uniform" AllReduce;
    UniformSubgroupReduce "gpu_subgroup_reduce_uniform" SubgroupReduce;
}

/// A copy to memory that is never read
struct CopyToNobody;

impl Pattern for CopyToNobody {
    const NAME: &'static str = "gpu_copy_to_nobody";
    const ROOT: Option<&'static OpDef> = Some(Memcpy::DEF);
    type Found = Vec<Value>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Vec<Value>, Miss> {
        let copy = Memcpy(op);
        let dst = copy.dst(ir);
        let alloc = ir.defining_op(dst).or_miss("the destination is an argument")?;
        (ir.effects(alloc) == Effects::ALLOC).or_miss("the destination is not allocated here")?;
        let only_freed = ir.uses(dst).all(|(user, _)| user == op || ir.effects(user) == Effects::FREE);
        only_freed.or_miss("the destination has other uses")?;
        let (dependencies, token) = (copy.async_dependencies(ir), copy.async_token(ir));
        (dependencies.len() <= 1 && dependencies.is_empty() == token.is_none())
            .or_miss("its token stands for something else than its dependency")?;
        Ok(dependencies)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, dependencies: Vec<Value>) {
        rw.replace(op, &dependencies);
    }
}

/// A wait that waits for nothing, or whose token is not used
struct WaitForNothing;

impl Pattern for WaitForNothing {
    const NAME: &'static str = "gpu_wait_for_nothing";
    const ROOT: Option<&'static OpDef> = Some(Wait::DEF);
    type Found = ();

    fn matches(&self, ir: &Ir, op: OpId) -> Result<(), Miss> {
        let wait = Wait(op);
        match wait.async_token(ir) {
            None => wait.async_dependencies(ir).is_empty().or_miss("it waits for something"),
            Some(token) => (!ir.is_used(token)).or_miss("its token is used"),
        }
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (): ()) {
        rw.erase(op);
    }
}

/// A token that waits for one other
struct WaitForOne;

impl Pattern for WaitForOne {
    const NAME: &'static str = "gpu_wait_for_one";
    const ROOT: Option<&'static OpDef> = Some(Wait::DEF);
    type Found = Value;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Value, Miss> {
        Wait(op).async_token(ir).or_miss("it gives no token")?;
        match Wait(op).async_dependencies(ir)[..] {
            [one] => Ok(one),
            _ => Err(Miss("it does not stand for one token")),
        }
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, one: Value) {
        rw.replace(op, &[one]);
    }
}

/// Tokens of waits for nothing need not be waited for
struct WaitForDone;

impl Pattern for WaitForDone {
    const NAME: &'static str = "gpu_wait_for_done";
    const ROOT: Option<&'static OpDef> = Some(Wait::DEF);
    type Found = Vec<Value>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Vec<Value>, Miss> {
        let all = Wait(op).async_dependencies(ir);
        let done = |token: &Value| {
            ir.defining_op(*token)
                .and_then(|op| Wait::cast(ir, op))
                .is_some_and(|wait| wait.async_dependencies(ir).is_empty())
        };
        let left: Vec<Value> = all.iter().copied().filter(|token| !done(token)).collect();
        (left.len() < all.len()).or_miss("each token stands for work")?;
        Ok(left)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, left: Vec<Value>) {
        rw.set_operands(op, &left, &[]);
    }
}

impl Canonicalize for Barrier {
    const RULES: &'static [&'static dyn Rule] = &[&BarrierTwice];
}

impl Canonicalize for Launch {
    const RULES: &'static [&'static dyn Rule] = &[&IdOfOne];
}

impl Canonicalize for Memcpy {
    const RULES: &'static [&'static dyn Rule] = &[&CopyToNobody];
}

impl Canonicalize for Wait {
    const RULES: &'static [&'static dyn Rule] = &[&WaitForNothing, &WaitForDone, &WaitForOne];
}
