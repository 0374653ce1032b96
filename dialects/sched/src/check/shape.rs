//! STEP, COVER, TAIL: loops of one dimension fit together.

use super::formula::{Formula, Term};
use super::nest::{LoopId, Nest};
use super::{Claim, Rule};
use crate::codes;
use crate::ops::Tail;
use terrace_analysis::{Range, less_or_equal};
use terrace_support::affine::AffineExpr;

pub(super) const STEP: Rule = Rule { name: "STEP", code: &codes::STEP, claims: step };
pub(super) const COVER: Rule = Rule { name: "COVER", code: &codes::COVER, claims: cover };
pub(super) const TAIL: Rule = Rule { name: "TAIL", code: &codes::TAIL, claims: tail };

fn step(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for (id, each) in nest.loops.iter().enumerate() {
        let Some((layer, label)) = each.info.step else { continue };
        for other in nest.outside(id) {
            let Some((other_layer, other_label)) = nest.info(other).step else { continue };
            let pairs = (layer == other_layer) == (label == other_label);
            out.push(Claim {
                formula: Formula::Fact(pairs),
                op: each.info.op.0,
                reason: format!(
                    "step {layer} at {label} stands inside of step {other_layer} at {other_label}: a layer has one label"
                ),
                others: vec![(nest.info(other).op.0, "the other step")],
                help: "give each layer a label of its own",
            });
            let twice =
                layer == other_layer && each.info.dim.is_some() && each.info.dim == nest.info(other).dim;
            out.push(Claim {
                formula: Formula::Fact(!twice),
                op: each.info.op.0,
                reason: format!("layer {layer} has two loops of dimension {}", each.info.dim.unwrap_or(0)),
                others: vec![(nest.info(other).op.0, "the other loop")],
                help: "a layer tiles each dimension once: use another layer",
            });
        }
        // Loops of one label follow each other without another label between them.
        let apart = nest
            .outside(id)
            .skip_while(|other| nest.info(*other).step.is_some_and(|step| step.1 == label))
            .any(|other| nest.info(other).step.is_some_and(|step| step.1 == label));
        out.push(Claim {
            formula: Formula::Fact(!apart),
            op: each.info.op.0,
            reason: format!("loops of label {label} are apart: another step stands between them"),
            others: Vec::new(),
            help: "",
        });
    }
}

fn cover(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        let info = nest.info(id);
        let Some(dim) = info.dim else { continue };
        let chain = nest.chain(id);
        let whole = chain.iter().map(|other| nest.info(*other).extent).max().unwrap_or(0);
        let mut ways = vec![Formula::Equal(Term::Extent(id), Term::Int(whole))];
        ways.extend(
            chain
                .iter()
                .filter(|other| **other != id)
                .map(|other| Formula::Equal(Term::Extent(id), Term::Tile(*other))),
        );
        let tiles: Vec<String> = chain
            .iter()
            .filter(|other| **other != id)
            .map(|other| nest.info(*other).tile.to_string())
            .collect();
        out.push(Claim {
            formula: Formula::Or(ways),
            op: info.op.0,
            reason: format!(
                "extent {} of dimension {dim} is neither the dimension's {whole} nor a tile of it on this path ({})",
                info.extent,
                if tiles.is_empty() { "there is none".into() } else { tiles.join(", ") }
            ),
            others: Vec::new(),
            help: "the extent of an inner loop is the tile of an outer one",
        });
        let mut walked: Vec<Formula> = vec![Formula::Equal(Term::Tile(id), Term::Int(1))];
        walked.extend(
            chain
                .iter()
                .filter(|other| **other != id)
                .map(|other| Formula::Equal(Term::Tile(id), Term::Extent(*other))),
        );
        // A copy may walk it, or what a copy became: an index is this loop's variable and another's that goes so far.
        let copied = nest.accesses.iter().filter(|access| nest.is_in(access.inside, id)).any(|access| {
            let own = access.domain.len();
            let loops = access.at.values.iter().map(|value| {
                let other = nest.loop_of(*value).map(|other| nest.info(other));
                other.filter(|other| other.dim.is_none()).map(|other| other.extent)
            });
            let sizes: Vec<Option<i64>> = access.domain.iter().copied().map(Some).chain(loops).collect();
            let walks = |expr: &AffineExpr| {
                let mut dims = (0..sizes.len()).filter(|n| sizes[*n] == Some(info.tile));
                dims.any(|n| expr.uses_dim(n as u32))
            };
            let at = access.at.values.iter().position(|value| *value == info.iv);
            access.at.map.results.iter().any(|expr| match at {
                Some(at) => expr.uses_dim((own + at) as u32) && walks(expr),
                // One iteration adds nothing to an index, and may be left out of it.
                None => info.trip() <= 1 && walks(expr),
            })
        });
        walked.push(Formula::Fact(copied));
        // Loops of the same dimension in other branches below.
        let below = (0..nest.loops.len()).any(|other| {
            nest.is_in(Some(other), id)
                && nest.info(other).dim == Some(dim)
                && nest.info(other).extent == info.tile
        });
        walked.push(Formula::Fact(below));
        out.push(Claim {
            formula: Formula::Or(walked),
            op: info.op.0,
            reason: format!("tile {} of dimension {dim} is walked by no loop and no copy inside", info.tile),
            others: Vec::new(),
            help: "add a loop of that extent, or make the tile 1",
        });
    }
}

/// Loops of the chain from `id` on that stand on the path to a leaf, from large tiles to small ones
///
/// Those of one iteration add nothing to a coordinate, and are left out unless they have a limit.
fn links(nest: &Nest<'_>, id: LoopId, leaf: LoopId) -> Vec<LoopId> {
    let info = nest.info(id);
    let mut chain: Vec<LoopId> = nest
        .around(Some(leaf))
        .filter(|other| *other != id && nest.info(*other).dim == info.dim)
        .filter(|other| nest.info(*other).extent <= info.tile)
        .filter(|other| nest.info(*other).trip() > 1 || nest.info(*other).limit.is_some())
        .collect();
    chain.sort_by_key(|other| std::cmp::Reverse(nest.info(*other).extent));
    chain.insert(0, id);
    chain
}

fn tail(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        let info = nest.info(id);
        if info.dim.is_none() || info.tile <= 0 || info.extent % info.tile == 0 {
            continue;
        }
        let exact = Formula::Equal(Term::rest(Term::Extent(id), Term::Tile(id)), Term::Int(0));
        // Each path through the loop ends somewhere.
        let same = |other: &LoopId| nest.info(*other).dim == info.dim;
        let leaves: Vec<LoopId> = (0..nest.loops.len())
            .filter(same)
            .filter(|other| nest.is_in(Some(*other), id))
            .filter(|other| {
                !(0..nest.loops.len())
                    .any(|inner| inner != *other && nest.is_in(Some(inner), *other) && same(&inner))
            })
            .collect();
        let cut = leaves.iter().all(|leaf| cuts(nest, id, *leaf));
        let safe = overshoot_is_harmless(nest, id);
        let pad = info.tail == Some(Tail::Pad) && safe;
        out.push(Claim {
            formula: Formula::Or(vec![exact, Formula::Fact(cut || pad)]),
            op: info.op.0,
            reason: match info.tail {
                Some(Tail::Pad) => format!(
                    "tile {} does not divide {}, and not every access inside is padded, clipped or in bounds",
                    info.tile, info.extent
                ),
                _ => format!("tile {} does not divide {}, and nothing cuts off the rest", info.tile, info.extent),
            },
            others: Vec::new(),
            help: "give the innermost loop of the dimension `limit EXTENT - %outer`, or say `tail pad` with `else` and `clip`",
        });
    }
}

/// Does a limit keep the sum of the chain from `id` on below its extent, on the path to a leaf?
///
/// Take a member `m` of the chain whose tile divides the extent and every tile before it (the first such one asks for least):
/// up to there all variables are multiples of that tile, so that tiles of `m` are cut off as a whole. The limit is that of
/// the loop which stands innermost among the members up to `m`; what follows walks through whole tiles and needs none.
fn cuts(nest: &Nest<'_>, id: LoopId, leaf: LoopId) -> bool {
    let chain = links(nest, id, leaf);
    let extent = nest.info(id).extent;
    let divides = |tile: i64, of: i64| tile > 0 && of % tile == 0;
    let ends = (0..chain.len()).filter(|n| {
        let tile = nest.info(chain[*n]).tile;
        divides(tile, extent) && chain[..=*n].iter().all(|other| divides(tile, nest.info(*other).tile))
    });
    let innermost = |members: &[LoopId]| members.iter().copied().max_by_key(|id| nest.outside(*id).count());
    for end in ends {
        let members = &chain[..=end];
        if innermost(members).is_some_and(|holder| stays_below(nest, holder, members, extent, 0)) {
            return true;
        }
    }
    // Or a loop around all smaller tiles lets only whole tiles happen.
    (1..=chain.len()).any(|n| {
        let members = &chain[..n];
        let last = members[n - 1];
        innermost(members) == Some(last) && stays_below(nest, last, members, extent, nest.info(last).tile - 1)
    })
}

/// `limit + more ≤ extent − Σ variables of the other members`
fn stays_below(nest: &Nest<'_>, holder: LoopId, members: &[LoopId], extent: i64, more: i64) -> bool {
    let Some(limit) = &nest.info(holder).limit else { return false };
    let mut dims: Vec<_> = limit.values.clone();
    let mut ranges: Vec<Range> =
        dims.iter().map(|value| nest.loop_of(*value).map_or(Range::ALL, |id| nest.range(id))).collect();
    let mut rest = AffineExpr::Constant(extent);
    for other in members.iter().filter(|other| **other != holder) {
        let variable = nest.info(*other).iv;
        let position = dims.iter().position(|value| *value == variable).unwrap_or_else(|| {
            dims.push(variable);
            ranges.push(nest.range(*other));
            dims.len() - 1
        });
        rest = AffineExpr::sub(rest, AffineExpr::Dim(position as u32));
    }
    let below = |bound: &AffineExpr| {
        less_or_equal(&AffineExpr::add(bound.clone(), AffineExpr::Constant(more)), &rest, &ranges)
    };
    limit.map.results.iter().any(below)
}

/// Is every access that hangs on the chain in bounds for all values, or padded or clipped?
fn overshoot_is_harmless(nest: &Nest<'_>, id: LoopId) -> bool {
    let extent = nest.info(id).extent;
    let chain: Vec<LoopId> = nest
        .chain(id)
        .into_iter()
        .filter(|other| *other == id || nest.info(*other).extent < extent)
        .collect();
    nest.accesses.iter().filter(|access| nest.is_in(access.inside, id)).all(|access| {
        if access.guarded {
            return true;
        }
        let hangs =
            access.at.values.iter().any(|value| nest.loop_of(*value).is_some_and(|id| chain.contains(&id)));
        !hangs || in_bounds(nest, access)
    })
}

/// Are all indices inside of the memref, whatever the loops' limits?
pub(super) fn in_bounds(nest: &Nest<'_>, access: &super::nest::AccessNode) -> bool {
    let mut ranges: Vec<Range> =
        access.domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0))).collect();
    ranges.extend(
        access.at.values.iter().map(|value| nest.loop_of(*value).map_or(Range::ALL, |id| nest.range(id))),
    );
    let Some(shape) = nest.ir.ty(access.memref).shape(nest.ir.cx()) else { return false };
    access.at.map.results.iter().zip(shape).all(|(expr, size)| {
        terrace_analysis::range_of(expr, &ranges).is_some_and(|range| range.min() >= 0 && range.max() < *size)
    })
}
