//! Sums over windows and kernels, over parts of their channels: a macro rule, the composition of rules on one dimension.
//!
//! `parts m x` cuts the innermost dimension of `x` into parts of `m` and brings the parts outermost: of one dimension `split m x`,
//! of more `transpose (map (parts m) x)`. Windows of a part are the part of the windows (`splitSwap`, `slideTransposeSwap`), a
//! reduction of joined rows is one of parts of their columns (`splitReduceStrided`, row by row), and a reduction of all pairs of
//! windows and kernels is a map of reductions turned inside out (`mapReduceInterchangeZip`, three times). No step between is
//! anything that one wants to see.

use crate::rule::Done;
use crate::rules::interchange::{components, lifts};
use crate::rules::stencil::{slide_2d, windows};
use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_array::{self as array, Map, Reduce};
use terrace_dialect_gpu::AddressSpace;
use terrace_ir::{OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

/// What a reduction's operand is joined from
#[derive(Clone, Copy)]
enum Part {
    Window,
    Kernel,
}

/// `map (map (w -> map (k -> reduce …) ks)) …`
struct Nest {
    rows: OpId,
    columns: OpId,
    kernels: OpId,
    reduce: OpId,
    g: Fun,
    /// Joined windows and kernels in the order of the zip, with their names; else they are called `xs` and `ys`
    parts: Vec<(Part, Option<String>)>,
    ks: Value,
    init: Option<Value>,
    /// The start value is one of each kernel
    each: bool,
}

/// The map that is all a function does; what it works on stands outside, or is the argument
fn inner_map(s: &mut Site<'_, '_>, f: Fun) -> Result<OpId, Miss> {
    let result = s.yielded(f)?;
    s.inside(result, f).or_miss("the inner map stands outside")?;
    s.from(result, Map::DEF)
}

/// What is joined twice
fn joined_twice(s: &mut Site<'_, '_>, value: Value) -> Result<Value, Miss> {
    let outer = s.from(value, array::Join::DEF)?;
    let inner = array::Join(outer).x(s.ir());
    let inner = s.from(inner, array::Join::DEF)?;
    Ok(array::Join(inner).x(s.ir()))
}

fn nest(s: &mut Site<'_, '_>) -> Result<Nest, Miss> {
    let rows = s.op;
    let in_rows = s.fun(rows)?;
    let columns = s.only(in_rows, Map::DEF)?;
    let in_columns = s.fun(columns)?;
    let window = s.param(in_columns)?;
    let kernels = inner_map(s, in_columns)?;
    let all = s.ir().operand(kernels, 0);
    s.independent(all, in_rows)?;
    let in_kernels = s.fun(kernels)?;
    let given = s.params(in_kernels);
    // Kernels alone, or zipped with what else there is of each, as its start value.
    let arrays = if given.len() > 1 { components(s, all)? } else { vec![all] };
    let sum = s.yielded(in_kernels)?;
    let reduce = s.from(sum, Reduce::DEF)?;
    s.closed(reduce, in_rows)?;
    let init = s.ir().operands(reduce).nth(1);
    let each = init.is_some_and(|init| s.inside(init, in_kernels));
    if let Some(init) = init.filter(|_| !each) {
        s.independent(init, in_rows)?;
    }
    let zip = Reduce(reduce).x(s.ir());
    let zip = s.from(zip, array::Zip::DEF)?;
    let (mut parts, mut kernel) = (Vec::new(), None);
    for value in s.ir().operands(zip).collect::<Vec<_>>() {
        let of = joined_twice(s, value)?;
        let part = match given.iter().position(|one| *one == of) {
            Some(n) if kernel.is_none_or(|other| other == n) => {
                kernel = Some(n);
                Part::Kernel
            }
            None if of == window => Part::Window,
            _ => return Err(Miss("what is zipped is no window and no kernel")),
        };
        parts.push((part, s.ir().value_name(value).map(str::to_string)));
    }
    let g = s.fun(reduce)?;
    let number = s.yields(g).iter().all(|value| s.is_scalar(s.ir().ty(*value)));
    number.or_miss("what is combined is no number")?;
    let ks = kernel.and_then(|n| arrays.get(n).copied()).or_miss("no kernel is zipped")?;
    Ok(Nest { rows, columns, kernels, reduce, g, parts, ks, init, each })
}

/// Number of elements in the innermost of so many dimensions
fn innermost(s: &Site<'_, '_>, x: Value, dims: usize) -> Result<Nat, Miss> {
    let mut ty = s.ir().ty(x);
    for _ in 1..dims {
        (_, ty) =
            terrace_dialect_array::types::split_type(s.cx(), ty).or_miss("there are fewer dimensions")?;
    }
    let (size, _) =
        terrace_dialect_array::types::split_type(s.cx(), ty).or_miss("there are fewer dimensions")?;
    Ok(size)
}

/// `parts m x`, of so many dimensions
fn parts(s: &mut Site<'_, '_>, m: &Nat, x: Value, dims: usize) -> Result<Value, Miss> {
    if dims == 1 {
        return s.split(m, x);
    }
    let inside = s.map_whole(x, &mut |s, row| parts(s, m, row, dims - 1))?;
    s.transpose(inside)
}

/// Start values of all sums, as maps like those over windows and kernels
fn starts(s: &mut Site<'_, '_>, nest: &Nest, init: Value) -> Result<Value, Miss> {
    let (x, ks) = (s.x(), s.ir().operand(nest.kernels, 0));
    let (in_rows, in_kernels) = (s.fun(nest.rows)?, s.fun(nest.kernels)?);
    let name = s.word(2).unwrap_or("");
    let register = AddressSpace::Private.attr(s.cx());
    s.map_rest(nest.rows, name, x, &mut |s, line| {
        let line = line[0];
        Ok(vec![s.map_rest(nest.columns, "", line, &mut |s, _| {
            Ok(vec![s.map_rest(nest.kernels, "", ks, &mut |s, kernel| {
                let of = s.copy(in_kernels, kernel, &[], &[init])?[0];
                s.independent(of, in_rows)?;
                // A number that is written makes a loop of the maps: what only lays out is none.
                Ok(vec![if name.is_empty() { of } else { s.place(register, of)? }])
            })?])
        })?])
    })
}

/// The sum of sums of parts
pub(super) fn sum_of_parts(s: &mut Site<'_, '_>) -> Done {
    let (x, m) = (s.x(), s.arg(0)?);
    let nest = nest(s)?;
    let Nest { rows, columns, kernels, reduce, g, parts: zipped, ks, .. } = &nest;
    let (rows, columns, kernels, reduce, g, ks) = (*rows, *columns, *kernels, *reduce, *g, *ks);
    let (high, wide, of) = windows(s, x)?;
    lifts(s, reduce)?;
    s.reorderable(reduce)?;
    s.identities(reduce)?;
    let channels = innermost(s, of, 3)?;
    s.divides("parts divide the channels", &m, &channels)?;
    s.implied();
    let all = [parts(s, &m, of, 3)?, parts(s, &m, ks, 4)?];
    let all = s.zip(&all)?;
    let init = match nest.init {
        Some(init) if nest.each || s.word(2).is_some() => Some(starts(s, &nest, init)?),
        init => init,
    };
    let sum = s.ir().result(reduce, 0);
    let sum = s.ir().value_name(sum).map(str::to_string);
    let done = s.reduce_like(reduce, init, all, &mut |s, part| {
        let (strip, ks) = (part[0], part[1]);
        let inside = slide_2d(s, &high, &wide, strip)?;
        let sums = s.map_like(rows, inside, &mut |s, line| {
            let line = line[0];
            Ok(vec![s.map_like(columns, line, &mut |s, window| {
                let window = window[0];
                Ok(vec![s.map_like(kernels, ks, &mut |s, kernel| {
                    let mut joined = Vec::new();
                    for (part, name) in zipped {
                        let (of, called) = match part {
                            Part::Window => (window, "xs"),
                            Part::Kernel => (kernel[0], "ys"),
                        };
                        let rows = s.join(of)?;
                        let all = s.join(rows)?;
                        s.call(all, name.as_deref().unwrap_or(called));
                        joined.push(all);
                    }
                    let zip = s.zip(&joined)?;
                    let part = s.reduce_like(reduce, None, zip, &mut |s, a| s.inline(g, a))?;
                    if let Some(name) = &sum {
                        s.call(part, name);
                    }
                    Ok(vec![part])
                })?])
            })?])
        })?;
        Ok(vec![sums])
    })?;
    if let Some(name) = s.word(1) {
        s.call(done, name);
    }
    s.done(done)
}
