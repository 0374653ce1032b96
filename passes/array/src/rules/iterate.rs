//! Iterations: none, one, and two in a row.

use crate::rule::{Done, array_rules};
use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::{Iterate, substitute};
use terrace_ir::Value;
use terrace_ir::ir::ValueMap;
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "iterate":
    /// No step.
    ITERATE_ID "iterateId" () Some(Iterate::DEF), "iterate 0 f x => x", ["no step"] => iterate_id;
    /// One step.
    ITERATE_ONE "iterate1" () Some(Iterate::DEF), "iterate 1 f x => f x", ["one step"] => iterate_one;
    /// The first `a` steps, then the others.
    ITERATE_SPLIT "iterateSplit" ("a") Some(Iterate::DEF),
        "iterate (a + b) f x => iterate b f (iterate a f x)", ["a steps there are"] => iterate_split;
}

fn iterate_id(s: &mut Site<'_, '_>) -> Done {
    let times = s.nat(s.op, "times")?;
    s.same("no step", &times, &Nat::from(0))?;
    s.done(s.x())
}

/// The function's ops copied here for an array of this size: what it yields
fn step(s: &mut Site<'_, '_>, f: Fun, x: Value, name: &str) -> Result<Value, Miss> {
    let size = s.len(x)?;
    let param = s.param(f)?;
    let ops: Vec<_> = s.ir().block_ops(f.block).collect();
    let mut map = ValueMap::default();
    map.insert(param, x);
    let name = format!("${name}");
    let sizes = |other: &str| (other == name).then(|| size.clone());
    let at = s.at;
    for op in &ops[..ops.len().saturating_sub(1)] {
        let copied = s.rw.edit(|ir| {
            let copy = ir.clone_op(None, *op, &mut map);
            match at {
                terrace_ir::InsertPoint::Before(next) => ir.insert_before(next, copy),
                terrace_ir::InsertPoint::End(block) => ir.append(block, copy),
            }
            substitute::in_op(ir, copy, &sizes)
        });
        if let Err(why) = copied {
            return s.miss("there is no such size", why.to_string());
        }
    }
    let result = s.yielded(f)?;
    Ok(map.get(result).unwrap_or(result))
}

fn iterate_one(s: &mut Site<'_, '_>) -> Done {
    let (times, x, f) = (s.nat(s.op, "times")?, s.x(), s.fun(s.op)?);
    s.same("one step", &times, &Nat::from(1))?;
    let bound =
        s.ir().attr(s.op, "bound").and_then(|attr| attr.as_str(s.cx())).or_miss("no name")?.to_string();
    let result = step(s, f, x, &bound)?;
    s.done(result)
}

fn iterate_split(s: &mut Site<'_, '_>) -> Done {
    let (root, x, a) = (s.op, s.x(), s.arg(0)?);
    let (times, f) = (s.nat(root, "times")?, s.fun(root)?);
    s.at_most("a steps there are", &a, &times)?;
    let rest = s.size(times.minus(&a))?;
    let bound = s.ir().attr(root, "bound");
    s.implied();
    let some = |s: &mut Site<'_, '_>, count: &Nat, x: Value| {
        let count = s.nat_attr(count);
        let attrs = [("times", Some(count)), ("bound", bound)];
        s.pattern(Pattern::Iterate, &[x], &attrs, &mut |s, args| s.inline(f, args))
    };
    let first = some(s, &a, x)?;
    let then = some(s, &rest, first)?;
    s.done(then)
}
