//! Fusion: one pattern in place of two, and no array in between.

use crate::rule::{Done, array_rules};
use crate::site::{Fun, Site};
use terrace_dialect_array::levels::MapLevel;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::{self as array, Fold, Map, Reduce, Tuple, Unzip, Zip};
use terrace_dialect_sched::{Level, Operator};
use terrace_ir::{OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "fuse":
    /// One map of both functions.
    MAP_FUSION "mapFusion" () Some(Map::DEF),
        "map f (map g x) => map (f . g) x", ["one_use", "same_level"] => map_fusion;
    /// The same where the inner maps are zipped.
    MAP_FUSION_IN_ZIP "mapFusionInZip" () Some(Map::DEF),
        "map f (zip (map g x) y) => map (a, b -> f (g a) b) (zip x y)", ["one_use", "same_level"] => map_fusion_in_zip;
    /// Contributions of what a map gives.
    REDUCE_MAP_FUSION "reduceMapFusion" () Some(Reduce::DEF),
        "reduce + init z g (map h x) => reduce + init z (g . h) x", ["one_use", "same_level"] => reduce_map_fusion;
    /// A fold of what a map gives: reduceSeq with mapSeq in LIFT.
    FOLD_MAP_FUSION "foldMapFusion" () Some(Fold::DEF),
        "fold init z f (map g x) => fold init z (acc, a -> f acc (g a)) x", ["one_use", "sequential"] => fold_map_fusion;
    /// Two reductions of equally long arrays in one, with an operator for each.
    ZIP_REDUCE_FUSION "zipReduceFusion" () Some(array::Tuple::DEF),
        "tuple (reduce + f a) (reduce * g b) => reduce +, * (a, b -> f a, g b) (zip a b)",
        ["one_use", "equal sizes", "same order"] => zip_reduce_fusion;
    /// Components of a tuple in sight.
    FUSE_ZIP_TUPLE "fuseZipTuple" () Some(array::Zip::DEF),
        "zip (get 0 (tuple a b)) (get 1 (tuple a b)) => zip a b", [] => fuse_zip_tuple;
    /// Two maps over equally long arrays in one.
    TUPLE_MAP "tupleMap" () Some(array::Tuple::DEF),
        "tuple (map f a) (map g b) => tuple (unzip (map (a, b -> f a, g b) (zip a b)))",
        ["one_use", "same_level", "equal sizes"] => tuple_map;
}

fn map_fusion(s: &mut Site<'_, '_>) -> Done {
    let (outer, between) = (s.op, s.x());
    let inner = s.from(between, Map::DEF)?;
    s.one_use(between)?;
    s.same_level(outer, inner)?;
    let (f, g, x) = (s.fun(outer)?, s.fun(inner)?, Map(inner).x(s.ir()));
    let fused = s.map_like(outer, x, &mut |s, a| {
        let b = s.inline(g, a)?;
        s.inline(f, &b)
    })?;
    s.done(fused)
}

/// What is zipped: an array as it is, or the function over an array
type Part = (Value, Option<Fun>);

fn map_fusion_in_zip(s: &mut Site<'_, '_>) -> Done {
    let (root, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let zip = s.from(x, array::Zip::DEF)?;
    s.one_use(x)?;
    let zipped: Vec<Value> = s.ir().operands(zip).collect();
    let mut parts: Vec<Part> = Vec::new();
    let mut refused = Miss("no zipped array comes from a map");
    for value in zipped {
        let inner = s.ir().defining_op(value).filter(|op| s.ir().is(*op, Map::DEF));
        let part = match inner {
            Some(inner) => s.one_use(value).and_then(|()| s.same_level(root, inner)).map(|()| inner),
            None => Err(refused),
        };
        match part {
            Ok(inner) => parts.push((Map(inner).x(s.ir()), Some(s.fun(inner)?))),
            Err(miss) => {
                refused = miss;
                parts.push((value, None));
            }
        }
    }
    if parts.iter().all(|(_, fun)| fun.is_none()) {
        return Err(refused);
    }
    let arrays: Vec<Value> = parts.iter().map(|(value, _)| *value).collect();
    let zipped = s.zip(&arrays)?;
    let fused = s.map_like(root, zipped, &mut |s, args| {
        let given = each(s, &parts, args)?;
        s.inline(f, &given)
    })?;
    s.done(fused)
}

/// The functions of parts on the elements of a zip
fn each(s: &mut Site<'_, '_>, parts: &[Part], args: &[Value]) -> Result<Vec<Value>, Miss> {
    let mut given = Vec::new();
    for ((_, fun), arg) in parts.iter().zip(args) {
        given.push(match fun {
            None => *arg,
            Some(fun) => {
                let apart = s.apart(*arg)?;
                let yields = s.inline(*fun, &apart)?;
                s.pack(&yields)?
            }
        });
    }
    Ok(given)
}

fn reduce_map_fusion(s: &mut Site<'_, '_>) -> Done {
    let (root, between) = (s.op, s.x());
    let inner = s.from(between, Map::DEF)?;
    s.one_use(between)?;
    if s.ir().attr(inner, "level").is_some() {
        s.same_level(root, inner)?;
    }
    let (g, h, x) = (s.fun(root)?, s.fun(inner)?, Map(inner).x(s.ir()));
    let init = s.ir().operands(root).nth(1);
    let fused = s.reduce_like(root, init, x, &mut |s, a| {
        let b = s.inline(h, a)?;
        s.inline(g, &b)
    })?;
    s.done(fused)
}

fn fold_map_fusion(s: &mut Site<'_, '_>) -> Done {
    let (root, between, init) = (s.op, s.x(), s.ir().operand(s.op, 1));
    let inner = s.from(between, Map::DEF)?;
    s.one_use(between)?;
    let level = s.ir().attr(inner, "level");
    let seq = Some(MapLevel::Level(Level::Seq));
    let sequential = level.is_none_or(|level| MapLevel::of(s.cx(), level) == seq);
    s.require("sequential", sequential, |_| "the map is done by several".to_string())?;
    let (f, g, x) = (s.fun(root)?, s.fun(inner)?, Map(inner).x(s.ir()));
    let count = s.params(g).len();
    let fused = s.pattern(Pattern::Fold, &[x, init], &[], &mut |s, args| {
        let (acc, a) = args.split_at(args.len() - count);
        let b = s.inline(g, a)?;
        s.inline(f, &[acc, &b].concat())
    })?;
    s.done(fused)
}

/// The ops that the operands of the root come from, each used nowhere else
fn producers(s: &mut Site<'_, '_>, def: &'static terrace_ir::OpDef) -> Result<Vec<OpId>, Miss> {
    let parts: Vec<Value> = s.ir().operands(s.op).collect();
    let mut all = Vec::new();
    for part in parts {
        let op = s.from(part, def)?;
        s.one_use(part)?;
        all.push(op);
    }
    Ok(all)
}

/// Arrays that are equally long
fn equally_long(s: &mut Site<'_, '_>, xs: &[Value]) -> Result<(), Miss> {
    let first = s.len(*xs.first().or_miss("nothing to zip")?)?;
    for x in &xs[1..] {
        let size = s.len(*x)?;
        s.equal("equal sizes", &first, &size)?;
    }
    Ok(())
}

fn zip_reduce_fusion(s: &mut Site<'_, '_>) -> Done {
    let all = producers(s, Reduce::DEF)?;
    let xs: Vec<Value> = all.iter().map(|op| s.ir().operand(*op, 0)).collect();
    equally_long(s, &xs)?;
    let first = *all.first().or_miss("an empty tuple")?;
    let order = s.ir().attr(first, "order");
    let same = all.iter().all(|op| s.ir().attr(*op, "order") == order);
    s.require("same order", same, |_| "the reductions promise different orders".to_string())?;
    let mut operators = Vec::new();
    let mut inits = Vec::new();
    for op in &all {
        match s.operators(*op).as_slice() {
            [Operator::Builtin(builtin)] if s.yields(s.fun(*op)?).len() == 1 => {
                operators.push(Operator::Builtin(*builtin).to_attr(s.cx()));
            }
            _ => return Err(Miss("only one known operator for each can be one of several")),
        }
        if let Some(init) = s.ir().operands(*op).nth(1) {
            let same = s.ir().ty(init) == s.ir().ty(s.ir().result(*op, 0));
            same.or_miss("a number as start value of arrays")?;
            inits.push(init);
        }
    }
    (inits.is_empty() || inits.len() == all.len()).or_miss("only some have a start value")?;
    let zipped = s.zip(&xs)?;
    let init = if inits.is_empty() { None } else { Some(s.pack(&inits)?) };
    let operators = s.cx().array_attr(&operators);
    let attrs = [("operators", Some(operators)), ("order", order), ("level", s.ir().attr(first, "level"))];
    let operands: Vec<Value> = [zipped].into_iter().chain(init).collect();
    let funs: Vec<Fun> = all.iter().map(|op| s.fun(*op)).collect::<Result<_, _>>()?;
    let fused = s.pattern(Pattern::Reduce, &operands, &attrs, &mut |s, args| tupled(s, &funs, args))?;
    s.done(fused)
}

/// Each function on its own component
fn tupled(s: &mut Site<'_, '_>, funs: &[Fun], args: &[Value]) -> Result<Vec<Value>, Miss> {
    let mut all = Vec::new();
    for (fun, arg) in funs.iter().zip(args) {
        let apart = s.apart(*arg)?;
        let yields = s.inline(*fun, &apart)?;
        all.push(s.pack(&yields)?);
    }
    Ok(all)
}

fn fuse_zip_tuple(s: &mut Site<'_, '_>) -> Done {
    let mut parts = Vec::new();
    let all: Vec<Value> = s.ir().operands(s.op).collect();
    for part in all {
        let get = s.from(part, array::Get::DEF)?;
        let (whole, k) = (array::Get(get).x(s.ir()), s.nat(get, "component")?);
        let tuple = s.from(whole, array::Tuple::DEF)?;
        let component = k.as_constant().and_then(|k| s.ir().operands(tuple).nth(usize::try_from(k).ok()?));
        parts.push(component.or_miss("no such component")?);
    }
    let zipped = s.view(Zip::DEF, &parts, &[])?;
    s.done(zipped)
}

fn tuple_map(s: &mut Site<'_, '_>) -> Done {
    let all = producers(s, Map::DEF)?;
    let first = *all.first().or_miss("an empty tuple")?;
    for other in &all[1..] {
        s.same_level(first, *other)?;
    }
    let xs: Vec<Value> = all.iter().map(|op| s.ir().operand(*op, 0)).collect();
    equally_long(s, &xs)?;
    let funs: Vec<Fun> = all.iter().map(|op| s.fun(*op)).collect::<Result<_, _>>()?;
    let zipped = s.zip(&xs)?;
    let fused = s.map_like(first, zipped, &mut |s, args| tupled(s, &funs, args))?;
    let apart = s.views(Unzip::DEF, &[fused], &[])?;
    let tuple = s.view(Tuple::DEF, &apart, &[])?;
    s.done(tuple)
}
