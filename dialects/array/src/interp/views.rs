//! Layout of arrays by value.

use super::patterns::filled;
use super::{ELEMENTS, binding, bounds, list, make, number, unbound};
use crate::nat_text::nat_of;
use crate::shape;
use crate::size::{Obligation, Verdict, value_of};
use crate::views::View;
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_interp::{Machine, RtValue, Step, Trap, codes as traps};

/// Index in a padded array, to one of the array; `None` for a padding value
fn padded(mode: &str, i: i64, n: i64) -> Option<i64> {
    match mode {
        "clamp" => Some(i.clamp(0, n - 1)),
        "wrap" => Some(i.rem_euclid(n)),
        // Mirrored at the first and last elements, which are not repeated.
        "mirror" if n > 1 => {
            let i = i.rem_euclid(2 * (n - 1));
            Some(i.min(2 * (n - 1) - i))
        }
        "mirror" => Some(0),
        _ => (0..n).contains(&i).then_some(i),
    }
}

fn size(n: i64) -> Result<usize, Trap> {
    match usize::try_from(n) {
        Ok(size) if n <= ELEMENTS => Ok(size),
        _ => Err(bounds(format!("an array of {n} elements"))),
    }
}

fn chunks(all: &[RtValue], part: usize) -> Vec<RtValue> {
    all.chunks(part.max(1)).map(|part| make(part.to_vec())).collect()
}

fn join(all: &[RtValue]) -> Result<Vec<RtValue>, Trap> {
    let parts: Vec<Arc<[RtValue]>> = all.iter().map(list).collect::<Result<_, _>>()?;
    // Parts may be shared: few values can be many elements.
    let count = parts.iter().fold(0i64, |count, part| count.saturating_add(part.len() as i64));
    let mut joined = Vec::with_capacity(size(count)?);
    for part in &parts {
        joined.extend(part.iter().cloned());
    }
    Ok(joined)
}

/// Rows to columns; an array without rows has as many columns as its type says
fn transpose(all: &[RtValue], columns: usize) -> Result<Vec<RtValue>, Trap> {
    let rows: Vec<Arc<[RtValue]>> = all.iter().map(list).collect::<Result<_, _>>()?;
    let ragged = || bounds("rows of different sizes");
    (0..columns)
        .map(|column| {
            let all: Option<Vec<RtValue>> = rows.iter().map(|row| row.get(column).cloned()).collect();
            all.map(make).ok_or_else(ragged)
        })
        .collect()
}

fn index(value: &RtValue, n: usize) -> Result<usize, Trap> {
    if *value == RtValue::Poison {
        return Err(Trap::new(&traps::POISON, "the index is poison"));
    }
    let at = value.as_i64().unwrap_or(-1);
    let inside = usize::try_from(at).ok().filter(|at| *at < n);
    inside.ok_or_else(|| bounds(format!("index {at} in an array of {n} elements")))
}

/// A function of the index, at so many of them, inside of `n` elements
fn indices(m: &Machine<'_>, name: &str, count: i64, n: usize) -> Result<Vec<usize>, Trap> {
    let (ir, op) = (m.ir(), m.op());
    let nat = ir.attr(op, name).and_then(|attr| nat_of(m.cx(), attr));
    let nat = nat.ok_or_else(|| Trap::new(&traps::INVALID, "an attribute is no size"))?;
    let mut known = binding(m)?;
    size(count)?;
    (0..count)
        .map(|i| {
            known.insert(shape::INDEX.into(), i);
            let at = value_of(&nat, &known).map_err(unbound)?;
            index(&RtValue::index(at), n)
        })
        .collect()
}

pub(crate) fn run(m: &mut Machine<'_>, view: View) -> Result<Step, Trap> {
    let (ir, op, cx) = (m.ir(), m.op(), m.cx());
    let values = m.operands();
    // What the types prove is not asked again.
    let open = m.decoded(|ir, op| {
        let asked = |obligation: &Obligation| obligation.decide(&BTreeMap::new()) != Verdict::Proved;
        shape::of_op(ir, view, op)
            .map(|shape| shape.obligations.into_iter().filter(asked).collect::<Vec<_>>())
    });
    let open = open.as_ref().as_ref().map_err(|why| Trap::new(&traps::INVALID, why.clone()))?;
    for obligation in open {
        let of_index = |nat: &Nat| nat.names().iter().any(|name| name == shape::INDEX);
        if matches!(view, View::Reorder | View::Gather)
            && (of_index(&obligation.a) || of_index(&obligation.b))
        {
            // These hold or fail at each index, below.
            continue;
        }
        let (a, b) = (number(m, &obligation.a)?, number(m, &obligation.b)?);
        if !obligation.holds(a, b) {
            let (what, left, right) = (obligation.what, &obligation.a, &obligation.b);
            return Err(unbound(format!("{what}: {left} = {a} and {right} = {b} do not fit")));
        }
    }
    let nat = |m: &Machine<'_>, name: &str| -> Result<i64, Trap> {
        let nat = ir.attr(op, name).and_then(|attr| nat_of(cx, attr));
        number(m, &nat.ok_or_else(|| Trap::new(&traps::INVALID, "an attribute is no size"))?)
    };
    let first = |n: usize| list(&values[n]);
    let result = match view {
        View::Split => make(chunks(&first(0)?, size(nat(m, "size")?)?)),
        View::Join | View::AsScalar => make(join(&first(0)?)?),
        View::Transpose => {
            let columns = crate::types::split_type(cx, ir.ty(ir.result(op, 0)));
            let (columns, _) = columns.ok_or_else(|| Trap::new(&traps::INVALID, "the result is no array"))?;
            make(transpose(&first(0)?, size(number(m, &columns)?)?)?)
        }
        View::Slide => {
            let (all, width, step) = (first(0)?, size(nat(m, "size")?)?, size(nat(m, "step")?)?);
            let last =
                all.len().checked_sub(width).ok_or_else(|| bounds("a window larger than its array"))?;
            let step = step.max(1);
            size((last / step + 1).saturating_mul(width.max(1)) as i64)?;
            let windows = (0..=last).step_by(step).map(|at| make(all[at..at + width].to_vec()));
            make(windows.collect())
        }
        View::Pad => {
            let (all, low, high) = (first(0)?, nat(m, "low")?, nat(m, "high")?);
            let mode = ir.attr(op, "mode").and_then(|attr| attr.as_str(cx)).unwrap_or("value");
            let n = all.len() as i64;
            let count = n.checked_add(low).and_then(|n| n.checked_add(high));
            let count = size(count.ok_or_else(|| bounds("a padding too large"))?)?;
            let value = match (crate::types::split_type(cx, ir.ty(ir.result(op, 0))), values.get(1)) {
                (Some((_, elem)), Some(value)) if ir.ty(ir.operand(op, 1)) != elem => {
                    filled(m, elem, &|_| Some(value.clone()), 0)?
                }
                (_, value) => value.cloned().unwrap_or(RtValue::Poison),
            };
            let pad = |i: usize| {
                let inside =
                    padded(mode, i as i64 - low, n).and_then(|at| all.get(usize::try_from(at).ok()?));
                inside.unwrap_or(&value).clone()
            };
            make((0..count).map(pad).collect())
        }
        View::Slice => {
            let (all, offset, count) = (first(0)?, size(nat(m, "offset")?)?, size(nat(m, "size")?)?);
            let part = all.get(offset..offset + count).ok_or_else(|| bounds("a slice leaves its array"))?;
            make(part.to_vec())
        }
        View::Reorder if ir.attr(op, "stride").is_none() => {
            let all = first(0)?;
            let from = indices(m, "index", all.len() as i64, all.len())?;
            let mut seen = vec![false; all.len()];
            if from.iter().any(|at| std::mem::replace(&mut seen[*at], true)) {
                return Err(bounds("an order has an element twice"));
            }
            make(from.into_iter().map(|at| all[at].clone()).collect())
        }
        View::Reorder => {
            let (all, stride) = (first(0)?, size(nat(m, "stride")?)?.max(1));
            let part = all.len() / stride;
            let from = (0..all.len()).map(|i| i / part + stride * (i % part));
            make(from.map(|at| all.get(at).cloned().unwrap_or(RtValue::Poison)).collect())
        }
        View::Gather if values.len() == 1 => {
            let all = first(0)?;
            let count = nat(m, "size")?;
            make(indices(m, "index", count, all.len())?.into_iter().map(|at| all[at].clone()).collect())
        }
        View::Gather => {
            let (all, indices) = (first(0)?, first(1)?);
            let found = indices.iter().map(|at| Ok(all[index(at, all.len())?].clone()));
            make(found.collect::<Result<_, Trap>>()?)
        }
        View::Scatter => {
            let (all, indices, mut into) = (first(0)?, first(1)?, first(2)?.to_vec());
            let mut taken = vec![false; into.len()];
            for (value, at) in all.iter().zip(indices.iter()) {
                let at = index(at, into.len())?;
                if std::mem::replace(&mut taken[at], true) {
                    return Err(bounds(format!("two elements are scattered to index {at}")));
                }
                into[at] = value.clone();
            }
            make(into)
        }
        View::Zip => {
            let lists: Vec<Arc<[RtValue]>> = values.iter().map(list).collect::<Result<_, _>>()?;
            let count = lists.first().map_or(0, |list| list.len());
            if lists.iter().any(|list| list.len() != count) {
                return Err(unbound("zipped arrays have different sizes"));
            }
            make((0..count).map(|n| make(lists.iter().map(|list| list[n].clone()).collect())).collect())
        }
        View::Unzip => {
            let columns = transpose(&first(0)?, ir.num_results(op))?;
            m.set_results(columns);
            return Ok(Step::Next);
        }
        View::Concat => make(join(&values)?),
        View::At => {
            let all = first(0)?;
            all[index(&values[1], all.len())?].clone()
        }
        View::Single => make(vec![values[0].clone()]),
        View::Tuple => make(values),
        View::Get => {
            let (all, n) = (first(0)?, size(nat(m, "component")?)?);
            all.get(n).cloned().ok_or_else(|| bounds("no such component"))?
        }
        View::AsVector => make(chunks(&first(0)?, size(nat(m, "lanes")?)?)),
        View::Place | View::Cast => values[0].clone(),
    };
    m.set_result(0, result);
    Ok(Step::Next)
}
