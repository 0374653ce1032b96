//! Copies that exchange rows and columns and pad: loops over what lies in the source only.
//!
//! ```mlir
//! sched.copy (%r, %c) in (18, 16) %A[%c + %x, %y + %r - 1] else %z to %T[%r, %c]
//! // becomes loops over rows and columns
//! sched.for (%r in 18 by 1 limit 1 - %y, %c in 16 by 1) { … %z … }
//! sched.for (%r in 18 by 1 from 101 - %y, %c in 16 by 1) { … %z … }
//! sched.for (%r in 18 by 1 from 1 - %y limit 101 - %y, %c in 16 by 1) { … %A[%c + %x, %y + %r - 1] … }
//! ```
//!
//! Elements that no condition guards are squares of vectors in registers (`scf-transpose-copies`).

use terrace_analysis::{Range, range_of};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Copy, For, Tail};
use terrace_ir::{Ir, Value, ValueDef};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Fewest neighbors on either side that are worth an exchange
const LEAST: i64 = 4;

/// The first coordinate of a variable, and the one behind the last, where they are not those of its size: over the variables in front of it
/// and what the copy reads at
pub(super) type Ends = [Option<Access>; 2];

/// Per variable of the domain: where it lies in the source; none for other copies
pub(super) fn of(ir: &Ir, copy: Copy, sizes: &[i64]) -> Option<Vec<Ends>> {
    let (from, to) = (copy.from(ir)?, copy.to(ir));
    copy.padding(ir)?;
    // Where the remainder of a loop is peeled, nothing lies outside in its steady state.
    let peeled = from.values.iter().any(|value| is_peeled(ir, *value));
    let plain = copy.operator(ir).is_none() && copy.clip(ir).is_none() && !peeled;
    let shape = ir.ty(copy.src(ir)).shape(ir.cx())?;
    let read = neighbors(&from.map, shape, sizes)?;
    let written = neighbors(&to.map, ir.ty(copy.dst(ir)).shape(ir.cx())?, sizes)?;
    if !plain || read == written {
        return None;
    }
    let values = from.values.iter().map(|value| crate::prefetch::range(ir, *value).unwrap_or(Range::ALL));
    let ranges: Vec<Range> =
        sizes.iter().map(|size| Range::below(*size)).chain(values.map(Some)).collect::<Option<_>>()?;
    let mut all: Vec<Ends> = vec![[None, None]; sizes.len()];
    for (expr, size) in from.map.results.iter().zip(shape) {
        let range = range_of(expr, ranges.as_slice()).unwrap_or(Range::ALL);
        let outside = [range.min() < 0, range.max() >= *size];
        if outside == [false, false] {
            continue;
        }
        // The innermost one, whose ends follow from those around it.
        let n = (0..sizes.len()).rev().find(|n| expr.uses_dim(*n as u32))?;
        let whole = all[n].iter().all(Option::is_none);
        (whole && terrace_analysis::coefficient_of(expr, n as u32) == Some(1)).then_some(())?;
        let [from, limit] = ends(&from, (expr, n), *size)?;
        all[n] = [outside[0].then_some(from), outside[1].then_some(limit)];
    }
    all.iter().flatten().any(Option::is_some).then_some(all)
}

/// Is a value the variable of a loop whose remainder is peeled?
fn is_peeled(ir: &Ir, value: Value) -> bool {
    let owner = match ir.value_def(value) {
        Some(ValueDef::Arg(block, 0)) => ir.block_parent(block),
        _ => None,
    };
    let info = owner.and_then(|owner| For::cast(ir, owner)?.info(ir));
    info.is_some_and(|info| info.tail == Some(Tail::Peel))
}

/// Parts of the domain that lie outside of the source: before or behind the ends of one variable
pub(super) fn outside(all: &[Ends]) -> Vec<Vec<Ends>> {
    let with = |n: usize, ends: Ends| {
        let mut part: Vec<Ends> = vec![[None, None]; all.len()];
        part[n] = ends;
        part
    };
    let of = |(n, [from, limit]): (usize, &Ends)| {
        let before = from.clone().map(|from| with(n, [None, Some(from)]));
        let behind = limit.clone().map(|limit| with(n, [Some(limit), None]));
        [before, behind].into_iter().flatten().collect::<Vec<_>>()
    };
    all.iter().enumerate().flat_map(of).collect()
}

/// The variable along which elements are neighbors in memory, where there are some
pub(super) fn neighbors(map: &AffineMap, shape: &[i64], sizes: &[i64]) -> Option<usize> {
    // Dimensions of one element are no distance.
    let last = shape.iter().rposition(|size| *size != 1)?;
    let uses = |n: usize, dim: u32| map.results[n].uses_dim(dim);
    (0..sizes.len()).find(|n| {
        let dim = *n as u32;
        let mut others = (0..map.results.len()).filter(|axis| *axis != last);
        sizes[*n] >= LEAST
            && terrace_analysis::coefficient_of(&map.results[last], dim) == Some(1)
            && !others.any(|axis| uses(axis, dim))
    })
}

/// Of a variable that is added to something in an index of so many coordinates
fn ends(from: &Access, (expr, n): (&AffineExpr, usize), size: i64) -> Option<[Access; 2]> {
    let leaves: Vec<AffineExpr> = (0..from.map.dims)
        .map(|dim| match dim as usize == n {
            true => AffineExpr::Constant(0),
            false => AffineExpr::Dim(dim),
        })
        .collect();
    let before = AffineExpr::negated(expr.replace(&leaves, &[])?);
    let bound = |place: AffineExpr| {
        let map = AffineMap::new(from.map.dims, 0, vec![place])?;
        Some(Access { map, values: from.values.clone() })
    };
    Some([bound(before.clone())?, bound(AffineExpr::add(before, size.into()))?])
}
