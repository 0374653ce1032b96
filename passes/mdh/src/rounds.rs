//! Parts that are taken in rounds: a reduced dimension that a schedule tiles before blocks share it, as two dimensions.
//!
//! With a grid stride, each round of all blocks is a tile, and a block has a piece of each. With `k = T·round + k'` the rounds are a dimension of
//! their own, blocks share `k'` from its first tile on, and parts are those of [`parts`]. Contributions change their order, so operators must commute.

use crate::parts;
use terrace_devices::Mechanism;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::schedule::{Broken, Rule, Schedule, Size};
use terrace_dialect_mdh::view::{Condition, Dim, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation in which rounds are a dimension, before the one as written
pub(crate) struct Rounds {
    /// The computation
    pub op: Compute,
    /// What it is
    pub view: View,
    /// Its schedule
    pub schedule: Schedule,
}

/// Write rounds as a dimension, as often as the dimension is tiled before the step in which blocks share it; the error names the rule. `commutes`: may
/// contributions be taken in any order?
pub(crate) fn before(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    schedule: &Schedule,
    (dim, step): (usize, usize),
    (via, commutes): (Mechanism, bool),
) -> Result<Rounds, Broken> {
    let tiled: Vec<usize> = (0..step).filter(|n| schedule.steps[*n].sizes[dim].value.is_some()).collect();
    let broken = |n: usize, why: &str| {
        Rule::Atomic.broken(format!(
            "({via}) of dimension {} in step {}, which step {} tiles before; {why}",
            dim + 1,
            step + 1,
            n + 1
        ))
    };
    let first = tiled.first().copied().unwrap_or(0);
    if !commutes {
        return Err(broken(
            first,
            "blocks would take contributions in rounds, and the operator does not commute: share the first tile",
        ));
    }
    let spread = |n: &&usize| schedule.steps[**n].cores[dim].is_some_and(|core| !core.layer.is_sequential());
    if let Some(n) = tiled.iter().find(spread) {
        return Err(broken(*n, "rounds of blocks are sequential: tile with FOR, or share the first tile"));
    }
    let (mut made, mut steps) = (view.clone(), schedule.clone());
    let mut cuts = Vec::new();
    for (round, n) in tiled.into_iter().enumerate() {
        let tile = schedule.steps[n].sizes[dim].value.unwrap_or(1);
        let at = dim + round;
        let cut = (at, tile);
        let Some(next) = in_rounds(&made, cut) else {
            return Err(broken(n, "its subscripts are too deep for a dimension of rounds"));
        };
        made = next;
        steps = scheduled(&steps, n, at);
        cuts.push(cut);
    }
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    let body = parts::copied_body(ir, op, |b, each| Some(coordinate(b, Index::cast(b.read(), each)?, &cuts)));
    let Some(body) = body else { return Err(broken(first, "its body is not known")) };
    let new = made.build(&mut Builder::before(ir, op.id()), &types, body);
    match View::read(ir, new) {
        Ok(view) => Ok(Rounds { op: new, view, schedule: steps }),
        Err(_) => {
            ir.erase(new.id());
            Err(broken(first, "it has no form with a dimension of rounds"))
        }
    }
}

/// The same points: a dimension as rounds, and what is in one behind them
fn in_rounds(view: &View, (dim, tile): (usize, i64)) -> Option<View> {
    let size = view.dims[dim].size;
    let rounds = (size.max(0) as u64).div_ceil(tile.max(1) as u64) as i64;
    let taken = |name: &String| view.dims.iter().any(|dim| dim.name == *name);
    let names = (1..).map(|n| format!("round{}", "_".repeat(n - 1)));
    let name = names.into_iter().find(|name| !taken(name))?;
    let mut made = view.clone();
    made.dims[dim].size = tile;
    made.dims.insert(dim, Dim { name, size: rounds, kind: view.dims[dim].kind.clone() });
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|n| {
            let at = |n: usize| AffineExpr::Dim(n as u32);
            match n.cmp(&dim) {
                std::cmp::Ordering::Less => at(n),
                std::cmp::Ordering::Equal => AffineExpr::add(AffineExpr::mul(at(n), tile.into()), at(n + 1)),
                std::cmp::Ordering::Greater => at(n + 1),
            }
        })
        .collect();
    let rank = made.dims.len() as u32;
    let moved = |expr: &AffineExpr| expr.replace(&coords, &[]);
    let moved_map = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
        AffineMap::new(rank, 0, results?)
    };
    for input in &mut made.inputs {
        if let Some(map) = &mut input.map {
            *map = moved_map(map)?;
        }
        if let Some(guard) = &mut input.guard {
            *guard = moved(guard)?;
        }
    }
    for out in &mut made.outputs {
        for map in out.maps.iter_mut().chain(out.init.iter_mut().filter_map(|(_, map)| map.as_mut())) {
            *map = moved_map(map)?;
        }
    }
    for condition in &mut made.conditions {
        if let Some(low) = &mut condition.low {
            *low = moved(low)?;
        }
        (condition.expr, condition.high) = (moved(&condition.expr)?, moved(&condition.high)?);
    }
    if rounds.checked_mul(tile)? > size {
        made.conditions.push(Condition { low: None, expr: coords[dim].clone(), high: size.into() });
    }
    Some(made)
}

/// The schedule with a dimension of rounds, which a step runs one after the other
fn scheduled(schedule: &Schedule, step: usize, dim: usize) -> Schedule {
    let mut made = schedule.clone();
    for (n, own) in made.steps.iter_mut().enumerate() {
        let nothing = Size { value: None, tail: None };
        let (size, core) = match n == step {
            true => {
                own.sizes[dim] = nothing;
                (Size { value: Some(1), tail: None }, own.cores[dim].take())
            }
            false => (nothing, None),
        };
        own.sizes.insert(dim, size);
        own.cores.insert(dim, core);
    }
    made
}

/// The coordinate that an `mdh.index` meant before
fn coordinate(b: &mut Builder<'_>, index: Index, cuts: &[(usize, i64)]) -> Value {
    let was = index.dim(b.read()).as_i64(b.cx()).and_then(|was| usize::try_from(was).ok()).unwrap_or(0);
    let Some((first, _)) = cuts.first() else { return parts::index(b, was) };
    if was != *first {
        return parts::index(b, if was > *first { was + cuts.len() } else { was });
    }
    let within = parts::index(b, was + cuts.len());
    cuts.iter().fold(within, |sum, (dim, tile)| {
        let (round, tile) = (parts::index(b, *dim), parts::index_constant(b, *tile));
        let before = arith::MulI::build(b, round, tile).result(b.read());
        arith::AddI::build(b, before, sum).result(b.read())
    })
}
