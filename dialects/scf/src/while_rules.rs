//! Rules of `while`: carried values that do not change or are never read, and what the condition says inside.

use super::{Condition, While};
use terrace_dialect_arith as arith;
use terrace_ir::{Ir, NewOp, OpDef, OpId, Type, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_support::HashMap;

/// The two blocks of a loop and what ends them
struct Parts {
    /// Arguments of the first block
    before: Vec<Value>,
    /// Arguments of the second block
    after: Vec<Value>,
    condition: OpId,
    /// What the first block passes on
    passed: Vec<Value>,
    /// What the second block gives back
    yielded: Vec<Value>,
    last: OpId,
}

fn parts(ir: &Ir, op: OpId) -> Result<Parts, Miss> {
    let entry = |region| ir.entry(region).or_miss("a region is empty");
    let (before, after) = (entry(While(op).before(ir))?, entry(While(op).after(ir))?);
    let condition = ir.last_op(before).or_miss("a block is empty")?;
    let last = ir.last_op(after).or_miss("a block is empty")?;
    Condition::cast(ir, condition).or_miss("the first block does not end in a condition")?;
    Ok(Parts {
        before: ir.block_args(before).to_vec(),
        after: ir.block_args(after).to_vec(),
        condition,
        passed: Condition(condition).args(ir),
        yielded: ir.operands(last).collect(),
        last,
    })
}

/// What becomes of a carried value
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    /// It is never read
    Dropped,
    /// Another value is the same
    Is(Value),
    /// The same as the kept one of this number
    Same(usize),
}

fn any_gone(fates: &[Fate]) -> bool {
    fates.iter().any(|fate| *fate != Fate::Kept)
}

fn kept<T: Copy>(all: &[T], fates: &[Fate]) -> Vec<T> {
    all.iter().zip(fates).filter(|(_, fate)| **fate == Fate::Kept).map(|(each, _)| *each).collect()
}

/// Make the loop anew with the kept operands and results only
fn rebuild(rw: &mut Rewriter<'_>, op: OpId, parts: &Parts, args: &[Fate], results: &[Fate]) {
    for (&arg, fate) in parts.before.iter().zip(args) {
        match fate {
            Fate::Is(value) => rw.replace_all_uses(arg, *value),
            Fate::Same(n) => rw.replace_all_uses(arg, parts.before[*n]),
            Fate::Kept | Fate::Dropped => {}
        }
    }
    for (n, (&arg, fate)) in parts.after.iter().zip(results).enumerate() {
        let result = rw.ir().result(op, n);
        match fate {
            Fate::Is(value) => {
                rw.replace_all_uses(arg, *value);
                rw.replace_all_uses(result, *value);
            }
            Fate::Same(n) => {
                rw.replace_all_uses(arg, parts.after[*n]);
                let other = rw.ir().result(op, *n);
                rw.replace_all_uses(result, other);
            }
            Fate::Kept | Fate::Dropped => {}
        }
    }
    // Operands are read afresh: they may have been replaced just now.
    let ir = rw.ir();
    let passed: Vec<Value> = kept(&ir.operands(parts.condition).skip(1).collect::<Vec<_>>(), results);
    let condition: Vec<Value> = ir.operands(parts.condition).take(1).chain(passed).collect();
    let yielded = kept(&ir.operands(parts.last).collect::<Vec<_>>(), args);
    rw.set_operands(parts.condition, &condition, &[]);
    rw.set_operands(parts.last, &yielded, &[]);
    let ir = rw.ir();
    let operands = kept(&ir.operands(op).collect::<Vec<_>>(), args);
    let olds: Vec<Value> = ir.results(op).collect();
    let types: Vec<Type> = kept(&olds, results).into_iter().map(|value| ir.ty(value)).collect();
    let new = NewOp {
        operands: &operands,
        results: &types,
        dict: ir.dict(op),
        regions: 2,
        loc: ir.loc(op),
        ..NewOp::new(ir.kind(op))
    };
    let from = (While(op).before(ir), While(op).after(ir));
    let made = rw.insert_before(op, &new);
    rw.edit(|ir| {
        let to = (While(made).before(ir), While(made).after(ir));
        ir.move_blocks(from.0, to.0);
        ir.move_blocks(from.1, to.1);
        for (region, fates) in [(to.0, args), (to.1, results)] {
            let Some(block) = ir.entry(region) else { continue };
            for n in (0..fates.len()).rev().filter(|n| fates[*n] != Fate::Kept) {
                ir.remove_block_arg(block, n);
            }
        }
    });
    let news: Vec<Value> = rw.ir().results(made).collect();
    for (old, new) in kept(&olds, results).into_iter().zip(news) {
        rw.replace_all_uses(old, new);
    }
    rw.erase(op);
}

/// Carried values that never change or are never read are removed
struct WhileArgs;

impl Pattern for WhileArgs {
    const NAME: &'static str = "while_invariant_args";
    const ROOT: Option<&'static OpDef> = Some(While::DEF);
    type Found = (Parts, Vec<Fate>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let parts = parts(ir, op)?;
        let inits = While(op).inits(ir);
        let place: HashMap<Value, usize> = parts.after.iter().enumerate().map(|(n, arg)| (*arg, n)).collect();
        let fate = |n: usize| {
            let (arg, init, back) = (parts.before[n], inits[n], parts.yielded[n]);
            if !ir.is_used(arg) {
                return Fate::Dropped;
            }
            let round = place.get(&back).is_some_and(|at| parts.passed[*at] == arg);
            if back == init || round { Fate::Is(init) } else { Fate::Kept }
        };
        let fates: Vec<Fate> = (0..inits.len()).map(fate).collect();
        any_gone(&fates).or_miss("every carried value changes and is read")?;
        Ok((parts, fates))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (parts, args): Self::Found) {
        let results = vec![Fate::Kept; parts.after.len()];
        rebuild(rw, op, &parts, &args, &results);
    }
}

/// What comes from outside of the loop, comes twice or is not read needs no passing on
struct WhileResults;

impl Pattern for WhileResults {
    const NAME: &'static str = "while_invariant_results";
    const ROOT: Option<&'static OpDef> = Some(While::DEF);
    type Found = (Parts, Vec<Fate>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let parts = parts(ir, op)?;
        let home = ir.block(parts.condition);
        let mut first: HashMap<Value, usize> = HashMap::default();
        let mut fates = Vec::with_capacity(parts.passed.len());
        for (n, &value) in parts.passed.iter().enumerate() {
            let read = ir.is_used(parts.after[n]) || ir.is_used(ir.result(op, n));
            fates.push(if !read {
                Fate::Dropped
            } else if ir.value_block(value) != home {
                Fate::Is(value)
            } else {
                match *first.entry(value).or_insert(n) {
                    same if same != n => Fate::Same(same),
                    _ => Fate::Kept,
                }
            });
        }
        any_gone(&fates).or_miss("every result is of its own and read")?;
        Ok((parts, fates))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (parts, results): Self::Found) {
        let args = vec![Fate::Kept; parts.before.len()];
        rebuild(rw, op, &parts, &args, &results);
    }
}

/// The condition passed on is true in the second region and false behind the loop
struct WhileTruth;

impl Pattern for WhileTruth {
    const NAME: &'static str = "while_condition_truth";
    const ROOT: Option<&'static OpDef> = Some(While::DEF);
    type Found = Vec<(Value, bool)>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let parts = parts(ir, op)?;
        let condition = Condition(parts.condition).condition(ir);
        let mut found = Vec::new();
        for n in (0..parts.passed.len()).filter(|n| parts.passed[*n] == condition) {
            found.extend([(parts.after[n], true), (ir.result(op, n), false)]);
        }
        found.retain(|(value, _)| ir.is_used(*value));
        ir.cx().kind_of(arith::Constant::DEF).or_miss("there are no constants")?;
        (!found.is_empty()).or_miss("the condition is not passed on")?;
        Ok(found)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, found: Self::Found) {
        for (value, truth) in found {
            replace_by_truth(rw, op, value, truth);
        }
        rw.touch(op);
    }
}

fn replace_by_truth(rw: &mut Rewriter<'_>, op: OpId, value: Value, truth: bool) {
    let cx = rw.ir().cx();
    let (attr, ty) = (cx.bool_attr(truth), cx.common().i1);
    let kind = cx.kind_of(arith::Constant::DEF).expect("matched above");
    if let Some(constant) = rw.constant(op, attr, ty, kind) {
        rw.replace_all_uses(value, constant);
    }
}

/// The comparison that is the condition, made again in the second region, holds there
struct WhileCompare;

impl Pattern for WhileCompare {
    const NAME: &'static str = "while_same_comparison";
    const ROOT: Option<&'static OpDef> = Some(While::DEF);
    type Found = Vec<(Value, bool)>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let parts = parts(ir, op)?;
        let compare = ir.defining_op(Condition(parts.condition).condition(ir));
        let compare = compare.and_then(|op| arith::CmpI::cast(ir, op)).or_miss("the condition is no cmpi")?;
        let holds = compare.predicate(ir);
        let mut found = Vec::new();
        for (&passed, &arg) in parts.passed.iter().zip(&parts.after) {
            for side in [0, 1] {
                if passed != ir.operand(compare.id(), side) {
                    continue;
                }
                for (user, at) in ir.uses(arg) {
                    let Some(other) = arith::CmpI::cast(ir, user).filter(|_| at == side) else { continue };
                    if ir.operand(user, 1 - side) != ir.operand(compare.id(), 1 - side) {
                        continue;
                    }
                    let again = other.predicate(ir);
                    if again == holds || again == holds.inverse() {
                        found.push((other.result(ir), again == holds));
                    }
                }
            }
        }
        found.retain(|(value, _)| ir.is_used(*value));
        (!found.is_empty()).or_miss("the second region does not compare the same")?;
        Ok(found)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, found: Self::Found) {
        for (value, truth) in found {
            replace_by_truth(rw, op, value, truth);
            if let Some(compare) = rw.ir().defining_op(value) {
                rw.touch(compare);
            }
        }
        rw.touch(op);
    }
}

impl Canonicalize for While {
    const RULES: &'static [&'static dyn Rule] = &[&WhileTruth, &WhileCompare, &WhileResults, &WhileArgs];
}
