//! Fission: two maps in place of one, and what does not depend on the element before both.

use crate::rule::{Done, array_rules};
use crate::rules::outside::may_trap;
use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_array::Map;
use terrace_ir::fold::constant_of;
use terrace_ir::{OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "fission":
    /// Two maps, where the rest of the function needs nothing but one value: that of the name given, else what the last op
    /// works on.
    MAP_FISSION "mapFission" ("value?", "rest?") Some(Map::DEF),
        "map (a -> f (g a)) x => map f (map g x)", ["independent"] => map_fission;
    /// The same, where the rest needs the element too.
    MAP_FISSION_ZIP "mapFissionZip" ("value?", "rest?") Some(Map::DEF),
        "map (a -> f a (g a)) x => map f (zip x (map g x))", [] => map_fission_zip;
    /// What does not depend on the element, once: all of it, or the value of the name given.
    EXTRACT_FROM_MAP "extractFromMap" ("value?") Some(Map::DEF),
        "map (a -> f a g) x => let g outside, map (a -> f a g) x", ["total or elements"] => extract;
}

/// The value of the name that the first parameter gives, in the function's own block
fn named(s: &Site<'_, '_>, f: Fun, name: &str) -> Option<Value> {
    let name = name.trim_start_matches('%');
    let ir = s.ir();
    ir.block_ops(f.block).flat_map(|op| ir.results(op).collect::<Vec<_>>()).find(|value| {
        let own = || ir.attr(ir.defining_op(*value)?, "name")?.as_str(ir.cx());
        ir.value_name(*value) == Some(name) || own() == Some(name)
    })
}

/// Where the function is cut
fn cut(s: &mut Site<'_, '_>, f: Fun) -> Result<Value, Miss> {
    if let Some(name) = s.args.first().cloned() {
        return match named(s, f, &name) {
            Some(value) => Ok(value),
            None => s.miss("no value of this name in the function", name),
        };
    }
    let last = s.yields(f).first().copied().filter(|value| s.inside(*value, f));
    let last = last.and_then(|value| s.ir().defining_op(value)).or_miss("the function does nothing")?;
    let made =
        s.ir().operands(last).find(|value| s.inside(*value, f) && s.ir().defining_op(*value).is_some());
    made.or_miss("the function is one op")
}

/// The map of what comes first: it keeps name and level
fn first_of(s: &mut Site<'_, '_>, f: Fun, value: Value) -> Result<Value, Miss> {
    let (map, x) = (s.op, s.x());
    s.map_like(map, x, &mut |s, a| s.copy(f, a, &[], &[value]))
}

fn map_fission(s: &mut Site<'_, '_>) -> Done {
    let (map, f) = (s.op, s.fun(s.op)?);
    let value = cut(s, f)?;
    let (wanted, params) = (s.yields(f), s.params(f));
    let rest = s.needed(f, &wanted, &[(value, value)]);
    let uses = |op: &OpId| {
        let below = s.ir().walk_below(*op).flat_map(|inner| s.ir().operands(inner).collect::<Vec<_>>());
        below.chain(s.ir().operands(*op)).any(|used| params.contains(&used))
    };
    let needs = rest.iter().any(uses) || wanted.iter().any(|value| params.contains(value));
    s.require("independent", !needs, |_| "the rest needs the element too: mapFissionZip".to_string())?;
    let (first, rest) = (first_of(s, f, value)?, s.word(1).unwrap_or(""));
    let second = s.map_rest(map, rest, first, &mut |s, parts| {
        let whole = s.pack(parts)?;
        // Not used: what would use them has been refused.
        let params = s.params(f);
        s.inline_with(f, &params, &[(value, whole)])
    })?;
    s.done(second)
}

fn map_fission_zip(s: &mut Site<'_, '_>) -> Done {
    let (map, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let value = cut(s, f)?;
    let (first, rest) = (first_of(s, f, value)?, s.word(1).unwrap_or(""));
    let zipped = s.zip(&[x, first])?;
    let second = s.map_rest(map, rest, zipped, &mut |s, args| {
        let (elem, made) = (args[0], args[1]);
        let params = s.apart(elem)?;
        s.inline_with(f, &params, &[(value, made)])
    })?;
    s.done(second)
}

fn extract(s: &mut Site<'_, '_>) -> Done {
    let (map, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let only = match s.args.first().cloned() {
        Some(name) => Some(named(s, f, &name).or_miss("no value of this name in the function")?),
        None => None,
    };
    let ir = s.ir();
    let mut fixed: Vec<OpId> = Vec::new();
    for op in ir.block_ops(f.block) {
        let below = ir.walk_below(op).flat_map(|inner| ir.operands(inner).collect::<Vec<_>>());
        let mut used = below.chain(ir.operands(op));
        let apart = used.all(|value| {
            let made = || ir.defining_op(value).is_some_and(|by| fixed.contains(&by) || ir.is_inside(by, op));
            let own = || {
                let block = ir.value_block(value).and_then(|block| ir.block_parent(block));
                block.is_some_and(|around| around == op || ir.is_inside(around, op))
            };
            !s.inside(value, f) || made() || own()
        });
        if apart && Some(op) != ir.last_op(f.block) {
            fixed.push(op);
        }
    }
    // Constants may stay where they are.
    let worth = |value: &Value| constant_of(ir, *value).is_none() && only.is_none_or(|only| only == *value);
    let values: Vec<Value> =
        fixed.iter().flat_map(|op| ir.results(*op).collect::<Vec<_>>()).filter(worth).collect();
    (!values.is_empty()).or_miss("everything depends on the element")?;
    let traps = |op: OpId| may_trap(ir, op) || ir.walk_below(op).any(|inner| may_trap(ir, inner));
    // Without elements it did not run.
    if fixed.iter().any(|op| traps(*op) || !s.meets(*op)) {
        let size = s.len(x)?;
        s.at_most("total or elements", &Nat::from(1), &size)?;
    }
    let params = s.params(f);
    let outside = s.copy(f, &params, &[], &values)?;
    let instead: Vec<(Value, Value)> = values.into_iter().zip(outside).collect();
    let done = s.map_like(map, x, &mut |s, a| s.inline_with(f, a, &instead))?;
    s.done(done)
}
