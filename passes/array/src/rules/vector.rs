//! Vectors: a function of numbers becomes one of vectors, lane by lane.

use crate::rule::{Done, array_rules};
use crate::rules::interchange::components;
use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_array::{AsScalar, AsVector, Map, Reduce, types};
use terrace_dialect_sched::{Builtin, Operator};
use terrace_dialect_vector::{Broadcast, CombiningKind, Reduction};
use terrace_ir::{NewOp, Traits, Type, TypeKind, Value};
use terrace_rewrite::{Miss, OrMiss};
use terrace_support::HashMap;

array_rules! { "vector":
    /// `v` elements at once; a function of several arguments takes them from zipped arrays.
    VECTORIZE "vectorize" ("v") Some(Map::DEF),
        "map f x => as_scalar (map (vec f) (as_vector v x))", ["lanes divide the size", "elementwise"] => vectorize;
    /// In lanes first, then across.
    REDUCE_VECTORIZE "reduceVectorize" ("v") Some(Reduce::DEF),
        "reduce + init z g x => reduction + (reduce + (vec g) (as_vector v x)), z",
        ["lanes divide the size", "elementwise", "commutative", "order"] => reduce_vectorize;
    /// Across the lanes of each vector first: neighbors, in their order.
    REDUCE_BY_VECTORS "reduceByVectors" ("v") Some(Reduce::DEF),
        "reduce + init z g x => reduce + init z (a -> reduction + (vec g a)) (as_vector v x)",
        ["lanes divide the size", "elementwise", "order"] => reduce_by_vectors;
}

/// The number of lanes
fn lanes(s: &mut Site<'_, '_>, x: Value) -> Result<Nat, Miss> {
    let (v, size) = (s.arg(0)?, s.len(x)?);
    s.divides("lanes divide the size", &v, &size)?;
    Ok(v)
}

fn vector_of(s: &mut Site<'_, '_>, ty: Type, v: &Nat) -> Result<Type, Miss> {
    let fits = s.is_scalar(ty);
    s.require("elementwise", fits, |_| "an element is no number".to_string())?;
    Ok(types::vector_of(s.cx(), v, ty))
}

/// The array in vectors, component by component
fn as_vectors(s: &mut Site<'_, '_>, x: Value, v: &Nat) -> Result<Value, Miss> {
    let (_, elem) = s.array(x)?;
    let tuple = matches!(elem.kind(s.cx()), TypeKind::Tuple(_));
    let all = if tuple { components(s, x)? } else { vec![x] };
    let lanes = s.nat_attr(v);
    let mut vectors = Vec::new();
    for x in all {
        let (_, elem) = s.array(x)?;
        vector_of(s, elem, v)?;
        vectors.push(s.view(AsVector::DEF, &[x], &[("lanes", Some(lanes))])?);
    }
    s.zip(&vectors)
}

/// The function at vectors of its types; what is the same for all elements is broadcast
fn lanewise(s: &mut Site<'_, '_>, f: Fun, args: &[Value], v: &Nat) -> Result<Vec<Value>, Miss> {
    let mut known: HashMap<Value, Value> = HashMap::default();
    for (param, arg) in s.params(f).into_iter().zip(args) {
        known.insert(param, *arg);
    }
    let ops: Vec<_> = s.ir().block_ops(f.block).collect();
    let end = s.ir().last_op(f.block);
    for op in ops {
        if Some(op) == end {
            break;
        }
        let operands: Vec<Value> = s.ir().operands(op).collect();
        let varies = operands.iter().any(|value| known.contains_key(value));
        let plain = s.ir().has(op, Traits::Elementwise) && s.ir().num_regions(op) == 0;
        if !varies {
            // The same for all elements: a number, as it is.
            let pure = s.ir().num_regions(op) == 0 && s.ir().effects(op).is_removable();
            s.require("elementwise", pure, |ir| ir.op_name(op).to_string())?;
            let copies = s.copy(f, &s.params(f), &[], &s.ir().results(op).collect::<Vec<_>>())?;
            for (old, new) in s.ir().results(op).collect::<Vec<_>>().into_iter().zip(copies) {
                let wide = broadcast(s, new, v)?;
                known.insert(old, wide);
            }
            continue;
        }
        s.require("elementwise", plain, |ir| ir.op_name(op).to_string())?;
        let mut wide = Vec::new();
        for value in operands {
            wide.push(match known.get(&value) {
                Some(value) => *value,
                None => broadcast(s, value, v)?,
            });
        }
        let results: Vec<Value> = s.ir().results(op).collect();
        let mut types = Vec::new();
        for result in &results {
            let ty = s.ir().ty(*result);
            types.push(vector_of(s, ty, v)?);
        }
        let slots: Vec<_> = (0..s.ir().def(op).attrs.len()).map(|slot| s.ir().slot(op, slot)).collect();
        let (kind, dict) = (s.ir().kind(op), s.ir().dict(op));
        let new = NewOp { operands: &wide, results: &types, slots: &slots, dict, ..NewOp::new(kind) };
        let new = s.insert(&new);
        for (n, old) in results.into_iter().enumerate() {
            let wide = s.ir().result(new, n);
            known.insert(old, wide);
        }
    }
    let yields = s.yields(f);
    let mut all = Vec::new();
    for value in yields {
        all.push(match known.get(&value) {
            Some(value) => *value,
            None => broadcast(s, value, v)?,
        });
    }
    Ok(all)
}

fn broadcast(s: &mut Site<'_, '_>, value: Value, v: &Nat) -> Result<Value, Miss> {
    let ty = s.ir().ty(value);
    let ty = vector_of(s, ty, v)?;
    s.op(Broadcast::DEF, &[value], ty)
}

fn vectorize(s: &mut Site<'_, '_>) -> Done {
    let (map, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let v = lanes(s, x)?;
    let result = s.yielded(f)?;
    let ty = s.ir().ty(result);
    vector_of(s, ty, &v)?;
    let vectors = as_vectors(s, x, &v)?;
    let wide = s.map_like(map, vectors, &mut |s, args| lanewise(s, f, args, &v))?;
    let done = s.view(AsScalar::DEF, &[wide], &[])?;
    s.done(done)
}

fn reduce_vectorize(s: &mut Site<'_, '_>) -> Done {
    let (root, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let v = lanes(s, x)?;
    s.reorderable(root)?;
    let one = s.operators(root);
    let builtin = known(&one)?;
    let result = s.yielded(f)?;
    let ty = s.ir().ty(result);
    vector_of(s, ty, &v)?;
    let init = s.ir().operands(root).nth(1);
    let vectors = as_vectors(s, x, &v)?;
    let wide = s.reduce_like(root, None, vectors, &mut |s, args| lanewise(s, f, args, &v))?;
    let result = across(s, builtin, wide, init, ty)?;
    s.done(result)
}

fn known(operators: &[Operator]) -> Result<Builtin, Miss> {
    match operators {
        [Operator::Builtin(builtin)] => Ok(*builtin),
        _ => Err(Miss("across lanes only by one known operator")),
    }
}

/// The lanes of a vector combined, behind a start value if there is one
fn across(
    s: &mut Site<'_, '_>,
    builtin: Builtin,
    wide: Value,
    init: Option<Value>,
    ty: Type,
) -> Result<Value, Miss> {
    let kind = CombiningKind::from(builtin.combining(ty.is_float(s.cx()))).attr(s.cx());
    let op = s.cx().kind_of(Reduction::DEF).or_miss("vectors are not registered")?;
    let slots: Vec<_> =
        s.cx().def(op).attrs.iter().map(|spec| (spec.name == "kind").then_some(kind)).collect();
    let operands: Vec<Value> = [wide].into_iter().chain(init).collect();
    let new = NewOp { operands: &operands, results: &[ty], slots: &slots, ..NewOp::new(op) };
    let across = s.insert(&new);
    Ok(s.ir().result(across, 0))
}

fn reduce_by_vectors(s: &mut Site<'_, '_>) -> Done {
    let (root, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let v = lanes(s, x)?;
    s.reassociable(root)?;
    let builtin = known(&s.operators(root))?;
    let result = s.yielded(f)?;
    let ty = s.ir().ty(result);
    vector_of(s, ty, &v)?;
    let init = s.ir().operands(root).nth(1);
    let vectors = as_vectors(s, x, &v)?;
    let result = s.reduce_like(root, init, vectors, &mut |s, args| {
        let wide = lanewise(s, f, args, &v)?;
        let wide = *wide.first().or_miss("the function yields nothing")?;
        Ok(vec![across(s, builtin, wide, None, ty)?])
    })?;
    s.done(result)
}
