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
        // A loop of one iteration may leave its tile to copies.
        let copied = nest
            .accesses
            .iter()
            .filter(|access| nest.is_in(access.inside, id))
            .any(|access| access.domain.contains(&info.tile));
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

/// Loops of the chain from `id` on, from large tiles to small ones
fn links(nest: &Nest<'_>, id: LoopId) -> Vec<LoopId> {
    let extent = nest.info(id).extent;
    let mut chain: Vec<LoopId> = nest
        .chain(id)
        .into_iter()
        .filter(|other| *other == id || nest.info(*other).extent < extent)
        .collect();
    chain.sort_by_key(|other| std::cmp::Reverse(nest.info(*other).extent));
    chain
}

fn tail(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        let info = nest.info(id);
        if info.dim.is_none() || info.tile <= 0 || info.extent % info.tile == 0 {
            continue;
        }
        let exact = Formula::Equal(Term::rest(Term::Extent(id), Term::Tile(id)), Term::Int(0));
        // Each path through the loop ends somewhere; the last loop of the dimension on it cuts off.
        let own_path = |other: LoopId| nest.is_in(Some(other), id);
        let leaves: Vec<LoopId> = (0..nest.loops.len())
            .filter(|other| nest.info(*other).dim == info.dim && own_path(*other))
            .filter(|other| {
                !(0..nest.loops.len()).any(|inner| {
                    inner != *other && nest.is_in(Some(inner), *other) && nest.info(inner).dim == info.dim
                })
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

/// Does the loop's limit keep the sum of its chain below the extent of `id`?
fn cuts(nest: &Nest<'_>, id: LoopId, leaf: LoopId) -> bool {
    // Any loop on the path between may carry the limit, as long as those inside of it are exact parts of its tile.
    let path: Vec<LoopId> = nest
        .around(Some(leaf))
        .take_while(|other| *other != id)
        .chain(std::iter::once(id))
        .filter(|other| nest.info(*other).dim == nest.info(id).dim)
        .collect();
    path.iter().any(|holder| limit_holds(nest, id, *holder, leaf))
}

fn limit_holds(nest: &Nest<'_>, id: LoopId, holder: LoopId, leaf: LoopId) -> bool {
    let Some(limit) = &nest.info(holder).limit else { return false };
    let Some(bound) = limit.map.results.first() else { return false };
    let extent = nest.info(id).extent;
    let chain = links(nest, id);
    // Members of the chain on the path to the leaf, without the holder.
    let others: Vec<LoopId> =
        chain.into_iter().filter(|other| *other != holder && nest.is_in(Some(leaf), *other)).collect();
    let mut dims: Vec<_> = limit.values.clone();
    let mut ranges: Vec<Range> =
        dims.iter().map(|value| nest.loop_of(*value).map_or(Range::ALL, |id| nest.range(id))).collect();
    let mut rest = AffineExpr::Constant(extent);
    for other in others {
        let variable = nest.info(other).iv;
        let inner = nest.is_in(Some(other), holder) && other != holder;
        let position = dims.iter().position(|value| *value == variable).unwrap_or_else(|| {
            dims.push(variable);
            ranges.push(nest.range(other));
            dims.len() - 1
        });
        if inner {
            // Inner parts walk through the holder's tile, which then must be cut off in whole.
            continue;
        }
        rest = AffineExpr::sub(rest, AffineExpr::Dim(position as u32));
    }
    // Loops inside walk the whole tile: it must not be cut off in the middle.
    let (tile, walked) = (
        nest.info(holder).tile,
        nest.around(Some(leaf)).any(|other| {
            other != holder && nest.is_in(Some(other), holder) && nest.info(other).dim == nest.info(id).dim
        }),
    );
    let exact_inside = !walked || (tile > 0 && extent % tile == 0);
    // Or only whole tiles happen.
    let whole = AffineExpr::add(bound.clone(), AffineExpr::Constant(tile - 1));
    exact_inside && less_or_equal(bound, &rest, &ranges) || less_or_equal(&whole, &rest, &ranges)
}

/// Is every access that hangs on the chain in bounds for all values, or padded or clipped?
fn overshoot_is_harmless(nest: &Nest<'_>, id: LoopId) -> bool {
    let chain = links(nest, id);
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
