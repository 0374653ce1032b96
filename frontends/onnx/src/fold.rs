//! Nodes on small lists of integers that are known: what exporters put around shapes.

use crate::call::Call;
use crate::emit::Tensor;
use crate::types::Elem;
use crate::wrong::Done;

/// Elements of what is folded at most
const MOST: usize = 1024;

/// The result of a node whose inputs are all known integers; nothing if it is no such node
pub(crate) fn fold(c: &Call<'_, '_>) -> Done<Option<Tensor>> {
    // Of all lists together: a node may have one of them many times.
    let (mut lists, mut count) = (Vec::new(), 0);
    for input in &c.inputs {
        let known = input.as_ref().and_then(|tensor| tensor.known());
        let Some(known) = known.filter(|known| known.elem == Elem::INT64) else {
            return Ok(None);
        };
        count += known.count();
        if count > MOST {
            return Ok(None);
        }
        let Some(ints) = known.ints() else { return Ok(None) };
        lists.push((known.shape.clone(), ints));
    }
    let Some((shape, first)) = lists.first() else { return Ok(None) };
    let op = c.op();
    let found = match (op.as_str(), &lists[..]) {
        ("Add" | "Sub" | "Mul" | "Div", [a, b]) => arithmetic(&op, a, b),
        ("Concat", _) if lists.iter().all(|(shape, _)| shape.len() == 1) => {
            c.axis(c.int("axis", 0)?, 1)?;
            let all: Vec<i64> = lists.iter().flat_map(|(_, ints)| ints.iter().copied()).collect();
            Some((vec![all.len() as i64], all))
        }
        ("Gather", [_, (places, at)]) if shape.len() == 1 => {
            c.axis(c.int("axis", 0)?, 1)?;
            let size = first.len() as i64;
            let place = |at: &i64| first.get(usize::try_from(if *at < 0 { at + size } else { *at }).ok()?);
            let found: Option<Vec<i64>> = at.iter().map(|at| place(at).copied()).collect();
            found.map(|found| (places.clone(), found))
        }
        ("Slice", _) if shape.len() == 1 && lists.len() >= 3 => slice(c, &lists)?,
        ("Cast", [_]) if c.int("to", 0)? == i64::from(Elem::INT64.number()) => {
            Some((shape.clone(), first.clone()))
        }
        ("ReduceProd", _) if shape.len() == 1 => {
            let said = match lists.get(1) {
                Some((_, axes)) => axes.clone(),
                None => c.ints("axes")?.unwrap_or_default(),
            };
            if c.axes(&said, 1)?.is_empty() && c.int("noop_with_empty_axes", 0)? != 0 {
                return Ok(Some(c.known(shape.clone(), first)));
            }
            let all = first.iter().try_fold(1i64, |all, one| all.checked_mul(*one));
            let shape = if c.int("keepdims", 1)? == 0 { Vec::new() } else { vec![1] };
            all.map(|all| (shape, vec![all]))
        }
        _ => None,
    };
    Ok(found.filter(|(_, ints)| ints.len() <= MOST).map(|(shape, ints)| c.known(shape, &ints)))
}

type List = (Vec<i64>, Vec<i64>);

/// Element by element, or with one number for all
fn arithmetic(op: &str, a: &List, b: &List) -> Option<List> {
    let one = |list: &List| list.1.len() == 1 && list.0.len() <= 1;
    let shape = match () {
        () if a.0 == b.0 => &a.0,
        () if one(b) && !a.0.is_empty() => &a.0,
        () if one(a) && !b.0.is_empty() => &b.0,
        () => return None,
    };
    let count = a.1.len().max(b.1.len());
    let at = |list: &List, n: usize| list.1.get(if list.1.len() == 1 { 0 } else { n }).copied();
    let number = |n: usize| {
        let (a, b) = (at(a, n)?, at(b, n)?);
        match op {
            "Add" => a.checked_add(b),
            "Sub" => a.checked_sub(b),
            "Mul" => a.checked_mul(b),
            _ => a.checked_div(b),
        }
    };
    if a.1.is_empty() || b.1.is_empty() {
        return None;
    }
    Some((shape.clone(), (0..count).map(number).collect::<Option<Vec<i64>>>()?))
}

/// Of a list, forwards
fn slice(c: &Call<'_, '_>, lists: &[List]) -> Done<Option<List>> {
    let size = lists[0].1.len() as i64;
    let number = |n: usize, default: i64| match lists.get(n) {
        Some((_, ints)) if ints.len() == 1 => Some(ints[0]),
        Some(_) => None,
        None => Some(default),
    };
    let (Some(start), Some(end), Some(axis), Some(step)) =
        (number(1, 0), number(2, 0), number(3, 0), number(4, 1))
    else {
        return Ok(None);
    };
    c.axis(axis, 1)?;
    if step < 1 {
        return Ok(None);
    }
    let place = |at: i64| (if at < 0 { at.saturating_add(size) } else { at }).clamp(0, size) as usize;
    let (start, end) = (place(start), place(end));
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    let part: Vec<i64> = lists[0].1[start..end.max(start)].iter().step_by(step).copied().collect();
    Ok(Some((vec![part.len() as i64], part)))
}
