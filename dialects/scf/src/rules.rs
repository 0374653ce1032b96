//! What rules of `scf` share, and those of `for`: how often it runs, what it carries.

use super::{ExecuteRegion, For, Yield};
use terrace_dialect_cf::Br;
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, OpDef, OpId, Parts, Traits, Value};
use terrace_rewrite::{Canonicalize, FnRule, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_support::HashMap;

/// Put the ops of a block in place of `op`; its terminator's operands are the results
pub(super) fn inline(rw: &mut Rewriter<'_>, op: OpId, block: BlockId, args: &[Value]) {
    let last = rw.ir().last_op(block).expect("verified blocks end with a terminator");
    rw.inline_block(block, op, args);
    let values: Vec<Value> = rw.ir().operands(last).collect();
    rw.erase(last);
    rw.replace(op, &values);
}

/// Replace the op by one with these operands and only some of its results; the regions move to the new op
///
/// The results that go have no users any more; whatever ends the regions fits already.
pub(super) fn with_results(
    rw: &mut Rewriter<'_>,
    op: OpId,
    operands: &[Value],
    segments: &[u32],
    keep: &[bool],
) -> OpId {
    let ir = rw.ir();
    let olds: Vec<Value> = ir.results(op).zip(keep).filter(|(_, keep)| **keep).map(|(old, _)| old).collect();
    let parts = Parts {
        operands: operands.to_vec(),
        segments: segments.to_vec(),
        results: olds.iter().map(|old| ir.ty(*old)).collect(),
        ..ir.parts(op)
    };
    let made = rw.insert_before(op, &parts.as_new());
    rw.edit(|ir| {
        let regions: Vec<_> = ir.regions(op).zip(ir.regions(made)).collect();
        regions.into_iter().for_each(|(from, to)| ir.move_blocks(from, to));
    });
    for (n, old) in olds.into_iter().enumerate() {
        let new = rw.ir().result(made, n);
        rw.replace_all_uses(old, new);
    }
    rw.erase(op);
    made
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

/// What becomes of a carried value
#[derive(Clone, Copy, PartialEq)]
enum Carried {
    Kept,
    /// It is never read
    Unused,
    /// It is what it is at the start
    Is(Value),
    /// It is the one with this number
    Same(usize),
}

/// Carried values that do not change, are never read, or equal another one are removed
struct ForCarried;

impl Pattern for ForCarried {
    const NAME: &'static str = "for_carried";
    const ROOT: Option<&'static OpDef> = Some(For::DEF);
    type Found = (BlockId, OpId, Vec<Carried>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let inits = For(op).inits(ir);
        (!inits.is_empty()).or_miss("nothing is carried")?;
        let block = ir.entry(For(op).region(ir)).or_miss("the loop has no body")?;
        let end = ir.last_op(block).or_miss("the body is empty")?;
        Yield::cast(ir, end).or_miss("the body does not end with a yield")?;
        let args = &ir.block_args(block)[1..];
        let pair = |n: usize| (inits[n], ir.operand(end, n));
        // As a rule few: a map only where there are many.
        let mut first: HashMap<(Value, Value), usize> = HashMap::default();
        let mut earlier = |n: usize, key: (Value, Value)| {
            if args.len() <= 8 {
                return (0..n).find(|other| pair(*other) == key).unwrap_or(n);
            }
            *first.entry(key).or_insert(n)
        };
        let mut carried = Vec::with_capacity(inits.len());
        for (n, &arg) in args.iter().enumerate() {
            let (init, given) = pair(n);
            let result = ir.result(op, n);
            let earlier = earlier(n, (init, given));
            carried.push(if given == arg || given == init {
                Carried::Is(init)
            } else if !ir.is_used(result) && !ir.is_used(arg) {
                Carried::Unused
            } else if earlier < n && carried[earlier] == Carried::Kept {
                Carried::Same(earlier)
            } else {
                Carried::Kept
            });
        }
        carried
            .iter()
            .any(|each| *each != Carried::Kept)
            .or_miss("every carried value is read and changes")?;
        Ok((block, end, carried))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (block, end, carried): Self::Found) {
        for (n, each) in carried.iter().enumerate() {
            let (arg, result) = (rw.ir().block_args(block)[n + 1], rw.ir().result(op, n));
            let (inside, outside) = match *each {
                Carried::Is(value) => (value, value),
                Carried::Same(other) => (rw.ir().block_args(block)[other + 1], rw.ir().result(op, other)),
                Carried::Kept | Carried::Unused => continue,
            };
            rw.replace_all_uses(arg, inside);
            rw.replace_all_uses(result, outside);
        }
        let keep: Vec<bool> = carried.iter().map(|each| *each == Carried::Kept).collect();
        // Read afresh: values may have been replaced just now.
        let ir = rw.ir();
        let given: Vec<Value> = kept(ir.operands(end), &keep);
        let inits: Vec<Value> = kept(ir.operands(op).skip(3), &keep);
        let operands: Vec<Value> = ir.operands(op).take(3).chain(inits.iter().copied()).collect();
        rw.set_operands(end, &given, &[]);
        rw.edit(|ir| {
            for n in (0..keep.len()).rev().filter(|n| !keep[*n]) {
                ir.remove_block_arg(block, n + 1);
            }
        });
        with_results(rw, op, &operands, &[1, 1, 1, inits.len() as u32], &keep);
    }
}

fn kept<T>(all: impl Iterator<Item = T>, keep: &[bool]) -> Vec<T> {
    all.zip(keep).filter(|(_, keep)| **keep).map(|(each, _)| each).collect()
}

impl Canonicalize for For {
    const RULES: &'static [&'static dyn Rule] = &[&ForZero, &ForOne, &ForCarried];
}

/// A region of one block is its ops
static REGION_ONE_BLOCK: FnRule<BlockId> = FnRule {
    name: "execute_region_one_block",
    root: Some(ExecuteRegion::DEF),
    find: |ir, op| {
        ExecuteRegion(op).no_inline(ir).is_none().or_miss("the op says that it stays")?;
        let block = ir.single_block(ExecuteRegion(op).region(ir)).or_miss("there are several blocks")?;
        let end = ir.last_op(block).or_miss("the block is empty")?;
        Yield::cast(ir, end).or_miss("the block does not end with a yield")?;
        Ok(block)
    },
    put: |rw, op, block| inline(rw, op, block, &[]),
};

/// Where blocks may stand, a region is its blocks
static REGION_BLOCKS: FnRule<()> = FnRule {
    name: "execute_region_blocks",
    root: Some(ExecuteRegion::DEF),
    find: |ir, op| {
        ExecuteRegion(op).no_inline(ir).is_none().or_miss("the op says that it stays")?;
        let parent = ir.parent(op).or_miss("the op is in no block")?;
        let blocks = ir.has(parent, Traits::FunctionLike) || ir.is(parent, ExecuteRegion::DEF);
        blocks.or_miss("blocks may not stand around the op")?;
        ir.entry(ExecuteRegion(op).region(ir)).or_miss("there is no block")?;
        Ok(())
    },
    put: |rw, op, ()| {
        let region = ExecuteRegion(op).region(rw.ir());
        let blocks: Vec<BlockId> = rw.ir().blocks(region).collect();
        let before = rw.ir().block(op).expect("matched: the op is in a block");
        let rest = rw.edit(|ir| {
            let rest = ir.split_block(op).expect("matched: the op is in a block");
            let mut at = before;
            for &block in &blocks {
                ir.detach_block(block);
                ir.place_block_after(at, block);
                at = block;
            }
            rest
        });
        for n in 0..rw.ir().num_results(op) {
            let old = rw.ir().result(op, n);
            let ty = rw.ir().ty(old);
            let new = rw.edit(|ir| ir.add_block_arg(rest, ty));
            let name = rw.ir().value_name(old).map(|name| rw.ir().cx().intern(name));
            if let Some(name) = name {
                rw.edit(|ir| ir.set_value_name(new, terrace_ir::Name::Str(name)));
            }
            rw.replace_all_uses(old, new);
        }
        for block in blocks.iter().copied() {
            let end = rw.ir().last_op(block).filter(|end| rw.ir().is(*end, Yield::DEF));
            if let Some(end) = end {
                let values: Vec<Value> = rw.ir().operands(end).collect();
                rw.build_before(end, |b| Br::build(b, &values, rest));
                rw.erase(end);
            }
        }
        let first = blocks.first().copied();
        rw.build_at_end(before, |b| first.map(|first| Br::build(b, &[], first)));
        rw.erase(op);
    },
};

/// Unused results are removed
static REGION_UNUSED: FnRule<Vec<bool>> = FnRule {
    name: "execute_region_unused_results",
    root: Some(ExecuteRegion::DEF),
    find: |ir, op| {
        let keep: Vec<bool> = ir.results(op).map(|result| ir.is_used(result)).collect();
        keep.contains(&false).or_miss("every result is used")?;
        Ok(keep)
    },
    put: |rw, op, keep| {
        let region = ExecuteRegion(op).region(rw.ir());
        let ends: Vec<OpId> = {
            let ir = rw.ir();
            let ends = ir.blocks(region).filter_map(|block| ir.last_op(block));
            ends.filter(|end| ir.is(*end, Yield::DEF)).collect()
        };
        for end in ends {
            let values = kept(rw.ir().operands(end), &keep);
            rw.set_operands(end, &values, &[]);
        }
        with_results(rw, op, &[], &[], &keep);
    },
};

impl Canonicalize for ExecuteRegion {
    const RULES: &'static [&'static dyn Rule] = &[&REGION_ONE_BLOCK, &REGION_BLOCKS, &REGION_UNUSED];
}
