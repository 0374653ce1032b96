//! STEP, COVER, TAIL: loops of one dimension fit together.

use crate::evaluate::Cx;
use crate::formula::{Formula, Term};
use crate::question::Question;
use crate::{Claims, Reason, Rule, Subject};
use terrace_analysis::{Range, coefficient_of, less_or_equal, range_of};
use terrace_schedule_model::nest::{Access, Bound, Index, LoopId};
use terrace_schedule_model::nest_combine::Tail;
use terrace_schedule_model::nest_decided::Decided;
use terrace_support::affine::AffineExpr;

pub(crate) const STEP: Rule = Rule { name: "STEP", claims: step };
pub(crate) const COVER: Rule = Rule { name: "COVER", claims: cover };
pub(crate) const TAIL: Rule = Rule { name: "TAIL", claims: tail };

fn step(cx: &Cx<'_>, out: &mut dyn Claims) {
    let nest = cx.nest;
    let step_of = |id: LoopId| nest.loops[id].step;
    for (id, own) in nest.loops.entries() {
        let Some((layer, label)) = own.step else { continue };
        for other in nest.outside(id) {
            let Some((other_layer, other_label)) = step_of(other) else { continue };
            let apart = (layer == other_layer) != (label == other_label);
            out.claim(Formula::Known(apart), &|| Formula::Known(false), &|| Reason {
                about: Subject::Loop(id),
                text: format!(
                    "step {layer} at {label} stands inside of step {other_layer} at {other_label}: a layer has one label"
                ),
                others: vec![(Subject::Loop(other), "the other step")],
                help: "give each layer a label of its own",
            });
            let twice = layer == other_layer && own.dim.is_some() && own.dim == nest.loops[other].dim;
            out.claim(Formula::Known(twice), &|| Formula::Known(false), &|| Reason {
                about: Subject::Loop(id),
                text: format!("layer {layer} has two loops of dimension {}", own.dim.unwrap_or(0)),
                others: vec![(Subject::Loop(other), "the other loop")],
                help: "a layer tiles each dimension once: use another layer",
            });
        }
        // Loops of one label follow each other without another label between them.
        let same = |other: &LoopId| step_of(*other).is_some_and(|step| step.1 == label);
        let apart = nest.outside(id).skip_while(same).any(|other| same(&other));
        out.claim(Formula::Known(apart), &|| Formula::Known(false), &|| Reason {
            about: Subject::Loop(id),
            text: format!("loops of label {label} are apart: another step stands between them"),
            others: Vec::new(),
            help: "",
        });
    }
}

fn cover(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, own) in cx.nest.loops.entries() {
        let Some(dim) = own.dim else { continue };
        let chain = cx.nest.chain(id);
        let others = || chain.iter().copied().filter(|other| *other != id);
        let number = |term: Term| cx.number(&term).unwrap_or(0);
        let extent = || {
            let largest = others().map(|other| Formula::at_most(Term::Extent(other), Term::Extent(id)));
            let tile = others().map(|other| Formula::equal(Term::Extent(id), Term::Tile(other)));
            Formula::any(std::iter::once(Formula::all(largest)).chain(tile))
        };
        out.claim(Formula::Known(true), &extent, &|| {
            let whole = chain.iter().map(|other| number(Term::Extent(*other))).max().unwrap_or(0);
            let tiles: Vec<String> = others().map(|other| number(Term::Tile(other)).to_string()).collect();
            Reason {
                about: Subject::Loop(id),
                text: format!(
                    "extent {} of dimension {dim} is neither the dimension's {whole} nor a tile of it on this path ({})",
                    number(Term::Extent(id)),
                    if tiles.is_empty() { "there is none".into() } else { tiles.join(", ") }
                ),
                others: Vec::new(),
                help: "the extent of an inner loop is the tile of an outer one",
            }
        });
        let walked = || {
            let all = others().map(|other| Formula::equal(Term::Tile(id), Term::Extent(other)));
            let one = Formula::equal(Term::Tile(id), Term::Int(1));
            Formula::any([one].into_iter().chain(all).chain([Formula::Query(Question::Walked(id))]))
        };
        out.claim(Formula::Known(true), &walked, &|| Reason {
            about: Subject::Loop(id),
            text: format!(
                "tile {} of dimension {dim} is walked by no loop and no copy inside",
                number(Term::Tile(id))
            ),
            others: Vec::new(),
            help: "add a loop of that extent, or make the tile 1",
        });
    }
}

/// Does a copy walk the loop's tile, or what a copy became: an index is this loop's variable and another's that goes so far?
pub(crate) fn is_walked(nest: &Decided<'_>, id: LoopId) -> bool {
    let run = nest.run(id);
    nest.accesses.iter().filter(|access| nest.is_in(access.around.inside, id)).any(|access| {
        let loops = access.over.iter().map(|index| {
            let other = index.as_loop().filter(|other| nest.loops[*other].dim.is_none());
            other.map(|other| nest.run(other).extent)
        });
        let sizes: Vec<Option<i64>> = access.domain.iter().copied().map(Some).chain(loops).collect();
        let walks = |expr: &AffineExpr| {
            let mut dims = (0..sizes.len()).filter(|n| sizes[*n] == Some(run.tile));
            dims.any(|n| expr.uses_dim(n as u32))
        };
        let at = access.dim_of(id);
        access.map.results.iter().any(|expr| match at {
            Some(at) => expr.uses_dim(at as u32) && walks(expr),
            // One iteration adds nothing to an index, and may be left out of it.
            None => run.trip <= 1 && walks(expr),
        })
    })
}

fn tail(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, own) in cx.nest.loops.entries().filter(|(_, own)| own.dim.is_some()) {
        let divides = || Formula::equal(Term::remainder(Term::Extent(id), Term::Tile(id)), Term::Int(0));
        let then = || Formula::any([divides(), Formula::Query(Question::CutOff(id))]);
        out.claim(Formula::less(Term::Int(0), Term::Tile(id)), &then, &|| {
            let number = |term: Term| cx.number(&term).unwrap_or(0);
            let (tile, extent) = (number(Term::Tile(id)), number(Term::Extent(id)));
            Reason {
                about: Subject::Loop(id),
                text: match own.tail {
                    Some(Tail::Pad) => format!(
                        "tile {tile} does not divide {extent}, and not every access inside is padded, clipped or in bounds"
                    ),
                    _ => format!("tile {tile} does not divide {extent}, and nothing cuts off the rest"),
                },
                others: Vec::new(),
                help: "give the innermost loop of the dimension `limit EXTENT - %outer`, or say `tail pad` with `else` and `clip`",
            }
        });
    }
}

/// Is what the loop's tiles go beyond its extent cut off on each path to a leaf, or harmless?
pub(crate) fn is_cut_off(nest: &Decided<'_>, id: LoopId) -> bool {
    let own = nest.get(id);
    let same = |other: &LoopId| nest.loops[*other].dim == own.dim;
    let leaf = |leaf: &LoopId| !nest.inside(*leaf).any(|inner| same(&inner));
    let mut leaves = std::iter::once(id).chain(nest.inside(id)).filter(same).filter(leaf);
    leaves.all(|leaf| cuts(nest, id, leaf)) || own.tail == Some(Tail::Pad) && overshoot_is_harmless(nest, id)
}

/// Loops of the chain from `id` on that stand on the path to a leaf, from large tiles to small ones
///
/// Those of one iteration add nothing to a coordinate, and are left out unless they have a limit.
fn links(nest: &Decided<'_>, id: LoopId, leaf: LoopId) -> Vec<LoopId> {
    let (own, tile) = (nest.get(id), nest.run(id).tile);
    let mut chain: Vec<LoopId> = nest
        .around(Some(leaf))
        .filter(|other| *other != id && nest.loops[*other].dim == own.dim)
        .filter(|other| nest.run(*other).extent <= tile)
        .filter(|other| nest.trip(*other) > 1 || nest.loops[*other].limit.is_some())
        .collect();
    chain.sort_by_key(|other| std::cmp::Reverse(nest.run(*other).extent));
    chain.insert(0, id);
    chain
}

/// Does a limit keep the sum of the chain from `id` on below its extent, on the path to a leaf?
///
/// Take a member `m` of the chain whose tile divides the extent and every tile before it (the first such one needs least):
/// up to there all variables are multiples of that tile, so that tiles of `m` are cut off as a whole. The limit is that of
/// the loop which stands innermost among the members up to `m`; what follows walks through whole tiles and needs none.
fn cuts(nest: &Decided<'_>, id: LoopId, leaf: LoopId) -> bool {
    let chain = links(nest, id, leaf);
    let extent = nest.run(id).extent;
    let divides = |tile: i64, of: i64| tile > 0 && of % tile == 0;
    let ends = (0..chain.len()).filter(|n| {
        let tile = nest.run(chain[*n]).tile;
        divides(tile, extent) && chain[..=*n].iter().all(|other| divides(tile, nest.run(*other).tile))
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
        innermost(members) == Some(last) && stays_below(nest, last, members, extent, nest.run(last).tile - 1)
    })
}

/// `limit + more ≤ extent − Σ variables of the other members`
fn stays_below(nest: &Decided<'_>, holder: LoopId, members: &[LoopId], extent: i64, more: i64) -> bool {
    let Some(limit) = &nest.get(holder).limit else { return false };
    let mut dims: Vec<Index> = limit.over.clone();
    let range = |index: &Index| index.as_loop().map_or(Range::ALL, |id| nest.range(id));
    let mut ranges: Vec<Range> = dims.iter().map(range).collect();
    let mut remaining = AffineExpr::Constant(extent);
    for other in members.iter().filter(|other| **other != holder) {
        let variable = Index::Loop(*other);
        let position = dims.iter().position(|index| *index == variable).unwrap_or_else(|| {
            dims.push(variable);
            ranges.push(nest.range(*other));
            dims.len() - 1
        });
        remaining = AffineExpr::sub(remaining, AffineExpr::Dim(position as u32));
    }
    let below = |bound: &AffineExpr| {
        less_or_equal(&AffineExpr::add(bound.clone(), AffineExpr::Constant(more)), &remaining, &ranges)
    };
    limit.map.results.iter().any(below)
}

/// Is every access that depends on the chain in bounds for all values, or padded or clipped?
fn overshoot_is_harmless(nest: &Decided<'_>, id: LoopId) -> bool {
    let extent = nest.run(id).extent;
    let mut chain = nest.chain(id);
    chain.retain(|other| *other == id || nest.run(*other).extent < extent);
    nest.accesses.iter().filter(|access| nest.is_in(access.around.inside, id)).all(|access| {
        let depends = chain.iter().any(|id| access.follows(*id));
        access.guarded || !depends || in_bounds(nest, access)
    })
}

/// Are all indices inside of the memory? By the extents of loops, or where one of them begins and ends
fn in_bounds(nest: &Decided<'_>, access: &Access) -> bool {
    let mut at = Placed { over: access.over.clone(), ranges: nest.ranges(access), own: access.domain.len() };
    let ends: Vec<(u32, [Vec<AffineExpr>; 2])> = nest
        .around(access.around.inside)
        .filter(|id| nest.get(*id).is_cut())
        .filter_map(|id| {
            let variable = at.over.iter().position(|index| *index == Index::Loop(id))? + at.own;
            let info = nest.get(id);
            let [from, limit] = [&info.from, &info.limit].map(|bound| at.bounds(nest, bound.as_ref()));
            Some((variable as u32, [from, limit]))
        })
        .collect();
    access.map.results.iter().zip(&nest.buffer_of(access).shape).all(|(expr, size)| {
        let range = range_of(expr, &at.ranges).unwrap_or(Range::ALL);
        // Where a variable is its least or its greatest, if the index grows with it.
        let reaches = |side: usize, fits: &dyn Fn(&AffineExpr) -> bool| {
            ends.iter().any(|(variable, ends)| {
                let grows = coefficient_of(expr, *variable).is_some_and(|factor| factor > 0);
                grows
                    && ends[side]
                        .iter()
                        .filter_map(|end| at.with(expr, *variable, end))
                        .any(|expr| fits(&expr))
            })
        };
        let first = range.min() >= 0 || reaches(0, &|expr| less_or_equal(&0.into(), expr, &at.ranges));
        let last = || reaches(1, &|expr| less_or_equal(expr, &AffineExpr::Constant(*size), &at.ranges));
        first && (range.max() < *size || last())
    })
}

/// Dimensions of an access, and what is known of them
struct Placed {
    over: Vec<Index>,
    ranges: Vec<Range>,
    /// Dimensions of a copy's domain, in front
    own: usize,
}

impl Placed {
    /// A bound of a loop over these dimensions; those that it needs are added
    fn bounds(&mut self, nest: &Decided<'_>, bound: Option<&Bound>) -> Vec<AffineExpr> {
        let Some(bound) = bound else { return Vec::new() };
        let mut leaves = Vec::new();
        for index in &bound.over {
            let at = self.over.iter().position(|other| other == index).unwrap_or_else(|| {
                self.over.push(*index);
                self.ranges.push(index.as_loop().map_or(Range::ALL, |id| nest.range(id)));
                self.over.len() - 1
            });
            leaves.push(AffineExpr::Dim((self.own + at) as u32));
        }
        bound.map.results.iter().filter_map(|expr| expr.replace(&leaves, &[])).collect()
    }

    /// An expression where a variable is something else
    fn with(&self, expr: &AffineExpr, variable: u32, value: &AffineExpr) -> Option<AffineExpr> {
        let place = |dim: u32| if dim == variable { value.clone() } else { AffineExpr::Dim(dim) };
        let leaves: Vec<AffineExpr> = (0..self.ranges.len() as u32).map(place).collect();
        expr.replace(&leaves, &[])
    }
}
