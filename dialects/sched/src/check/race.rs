//! RACE: iterations of a loop that may run at the same time do not disturb each other.

use super::formula::Formula;
use super::nest::{AccessNode, LoopId, Nest, Use};
use super::{Claim, Rule};
use crate::Bound;
use crate::codes;
use crate::combine::Kind;
use crate::ops::{Alloc, Copy};
use terrace_analysis::{Across, Clash, Range, may_conflict_where};
use terrace_devices::{Level, Per};
use terrace_ir::{OpId, Value};
use terrace_support::HashSet;
use terrace_support::affine::{AffineExpr, AffineMap};

pub(super) const RACE: Rule = Rule { name: "RACE", code: &codes::RACE, claims: race };

fn race(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        of_loop(nest, id, out);
    }
    for access in nest.accesses.iter().filter(|access| access.what != Use::Read) {
        of_copy(nest, access, out);
    }
}

/// A copy's elements go to places of their own: their order is nobody's business
fn of_copy(nest: &Nest<'_>, access: &AccessNode, out: &mut Vec<Claim>) {
    if access.domain.iter().fold(1i64, |all, size| all.saturating_mul(*size)) <= 1 {
        return;
    }
    let mut ranges: Vec<Range> =
        access.domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0))).collect();
    let mut across = vec![Across::Differ; ranges.len()];
    for value in &access.at.values {
        let own = nest.loop_of(*value).map(|own| nest.range(own));
        ranges.push(own.or_else(|| constant(nest, *value).map(Range::one)).unwrap_or(Range::ALL));
        across.push(Across::Same);
    }
    let places = &access.at.map.results;
    // What is clipped goes nowhere.
    let shape = nest.ir.ty(access.memref).shape(nest.ir.cx()).unwrap_or(&[]);
    let inside: Vec<AffineExpr> = match access.guarded {
        false => Vec::new(),
        true => (places.iter().zip(shape).filter(|(_, size)| **size >= 0))
            .flat_map(|(at, size)| [at.clone(), AffineExpr::sub(AffineExpr::Constant(size - 1), at.clone())])
            .collect(),
    };
    let clash = may_conflict_where(places, places, [&inside, &inside], &ranges, &across);
    let unknown = |clash: &Clash| *clash == Clash::Unknown;
    let Some(clash) = clash.filter(|clash| access.per.is_some() || !unknown(clash)) else { return };
    if unknown(&clash) && counted(&access.at.map, &access.domain) {
        return;
    }
    out.push(Claim {
        formula: Formula::Fact(false),
        op: access.op,
        reason: match clash {
            Clash::At { .. } => "two elements of the copy go to the same place".into(),
            Clash::Unknown => {
                "two elements of the copy go perhaps to the same place: it could not be shown that they do not"
                    .into()
            }
        },
        others: Vec::new(),
        help: "give each element a place of its own; what is merged needs a loop that says so",
    });
}

/// Most elements of a copy whose places are counted one by one
const MOST_COUNTED: i64 = 1 << 14;

/// Does each element go to a place of its own, where that hangs on the copy's variables alone? What groups of bits are exchanged
/// by is no sum of multiples, and a tile is small enough to look
fn counted(map: &AffineMap, domain: &[i64]) -> bool {
    let points = domain.iter().fold(1i64, |all, size| all.saturating_mul((*size).max(0)));
    if map.dims as usize != domain.len() || points > MOST_COUNTED {
        return false;
    }
    let mut seen = HashSet::default();
    let mut at = vec![0i64; domain.len()];
    for _ in 0..points {
        if !map.eval(&at, &[]).is_some_and(|place| seen.insert(place)) {
            return false;
        }
        for (index, size) in at.iter_mut().zip(domain).rev() {
            *index += 1;
            if *index < *size {
                break;
            }
            *index = 0;
        }
    }
    true
}

/// What the rule claims of one loop's iterations
pub fn of_loop(nest: &Nest<'_>, id: LoopId, out: &mut Vec<Claim>) {
    let info = nest.info(id);
    if info.trip() <= 1 || matches!(info.kind, Kind::Ordered) {
        return;
    }
    let inside: Vec<&AccessNode> = nest
        .accesses
        .iter()
        .filter(|access| nest.is_in(access.inside, id) && nest.is_shared_across(access.memref, id))
        .filter(|access| !runs_once(nest, access, id))
        .collect();
    for (n, a) in inside.iter().enumerate() {
        for b in &inside[n..] {
            if a.memref != b.memref || (a.what == Use::Read && b.what == Use::Read) {
                continue;
            }
            if let (Use::Merge(f), Use::Merge(g)) = (&a.what, &b.what)
                && f == g
                && info.kind == Kind::Pw
                && info.ops.contains(f)
            {
                continue;
            }
            if !same_epoch(nest, a, b, id) {
                continue;
            }
            let parallel = info.level.is_parallel();
            let clash = clash(nest, a, b, id);
            // Sequential loops are refused only for a conflict that is certain.
            let Some(found) =
                clash.filter(|clash| parallel || (*clash != Clash::Unknown && !cut(nest, a, b)))
            else {
                continue;
            };
            out.push(claim(nest, id, a, b, &found));
        }
    }
}

/// Does a loop around skip iterations, so that a conflict may never happen?
fn cut(nest: &Nest<'_>, a: &AccessNode, b: &AccessNode) -> bool {
    let limited = |access: &AccessNode| {
        nest.around(access.inside).any(|id| nest.info(id).limit.is_some() || nest.info(id).from.is_some())
    };
    a.guarded || b.guarded || limited(a) || limited(b)
}

/// A collective copy runs once for the threads of its owner, not in each
fn runs_once(nest: &Nest<'_>, access: &AccessNode, id: LoopId) -> bool {
    let level = nest.info(id).level;
    access.per.is_some_and(|per| level.rank().is_some_and(|rank| rank < per.rank()))
}

/// Places inside of a loop where all of its iterations meet: threads of a block, lanes of a warp; blocks never do
fn meetings(nest: &Nest<'_>, id: LoopId) -> impl Iterator<Item = (usize, Option<LoopId>)> {
    let level = nest.info(id).level;
    let all = nest.collectives.iter().filter(move |(_, inside, op)| {
        let owner = Copy::cast(nest.ir, *op).and_then(|copy| copy.owner(nest.ir));
        let owner = owner.or_else(|| Alloc::cast(nest.ir, *op).and_then(|alloc| alloc.owner(nest.ir)));
        level.is_thread_like()
            && (owner != Some(Per::Warp) || matches!(level, Level::Lane(_)))
            && nest.is_in(*inside, id)
    });
    all.map(|(at, inside, _)| (*at, *inside))
}

/// Loops inside of `id` around both accesses in which its iterations meet in every round
fn rounds(nest: &Nest<'_>, a: &AccessNode, b: &AccessNode, id: LoopId) -> Vec<LoopId> {
    nest.around(a.inside)
        .take_while(|other| *other != id)
        .filter(|other| nest.is_in(b.inside, *other))
        .filter(|other| meetings(nest, id).any(|(_, inside)| nest.is_in(inside, *other)))
        .collect()
}

/// May both happen without a point between them where all threads meet?
fn same_epoch(nest: &Nest<'_>, a: &AccessNode, b: &AccessNode, id: LoopId) -> bool {
    if !nest.info(id).level.is_thread_like() {
        return true;
    }
    let meets = |low: usize, high: usize| meetings(nest, id).any(|(at, _)| low < at && at < high);
    let (low, high) = (a.place.min(b.place), a.place.max(b.place));
    if !meets(low, high) {
        return true;
    }
    // The later one, then the earlier one in the next round.
    rounds(nest, a, b, id).first().is_some_and(|round| {
        let (first, last) = meetings(nest, id)
            .filter(|(_, inside)| nest.is_in(*inside, *round))
            .fold((usize::MAX, 0), |(first, last), (at, _)| (first.min(at), last.max(at)));
        low < first && high > last
    })
}

/// Where they meet in two iterations of the loop
fn clash(nest: &Nest<'_>, a: &AccessNode, b: &AccessNode, id: LoopId) -> Option<Clash> {
    let mut dims = Variables { known: Vec::new(), ranges: Vec::new(), across: Vec::new() };
    let kept = rounds(nest, a, b, id);
    let meets = meetings(nest, id).any(|(at, _)| a.place.min(b.place) < at && at < a.place.max(b.place));
    let kept: &[LoopId] = if meets { &[] } else { &kept };
    let one = dims.side(nest, a, b, id, kept, 0);
    let other = dims.side(nest, b, a, id, kept, 1);
    let first = dims.bounds(nest, a, b, id, kept, 0);
    let second = dims.bounds(nest, b, a, id, kept, 1);
    if !dims.across.contains(&Across::Differ) {
        // Neither uses the variable: every two iterations do the same.
        dims.known.push((None, 2));
        dims.ranges.push(nest.range(id));
        dims.across.push(Across::Differ);
    }
    may_conflict_where(&one, &other, [&first, &second], &dims.ranges, &dims.across)
}

/// Variables of both accesses: common ones once, others once per side
struct Variables {
    known: Vec<(Option<Value>, u8)>,
    ranges: Vec<Range>,
    across: Vec<Across>,
}

impl Variables {
    fn dim(&mut self, key: (Option<Value>, u8), range: Range, across: Across) -> AffineExpr {
        let found = if key.0.is_some() { self.known.iter().position(|known| *known == key) } else { None };
        let n = found.unwrap_or_else(|| {
            self.known.push(key);
            self.ranges.push(range);
            self.across.push(across);
            self.known.len() - 1
        });
        AffineExpr::Dim(n as u32)
    }

    fn side(
        &mut self,
        nest: &Nest<'_>,
        access: &AccessNode,
        other: &AccessNode,
        id: LoopId,
        kept: &[LoopId],
        side: u8,
    ) -> Vec<AffineExpr> {
        let mut leaves: Vec<AffineExpr> = Vec::new();
        for size in &access.domain {
            leaves.push(self.dim((None, side), Range::below(*size).unwrap_or(Range::one(0)), Across::Free));
        }
        for value in &access.at.values {
            leaves.push(self.leaf(nest, other, id, kept, side, *value));
        }
        let replace = |expr: &AffineExpr| expr.replace(&leaves, &[]).unwrap_or_else(|| expr.clone());
        access.at.map.results.iter().map(replace).collect()
    }

    /// What is at least 0 where the access is made: bounds of the loops around it
    fn bounds(
        &mut self,
        nest: &Nest<'_>,
        access: &AccessNode,
        other: &AccessNode,
        id: LoopId,
        kept: &[LoopId],
        side: u8,
    ) -> Vec<AffineExpr> {
        let mut all = Vec::new();
        for own in nest.around(access.inside) {
            let info = nest.info(own);
            if info.from.is_none() && info.limit.is_none() {
                continue;
            }
            let variable = self.leaf(nest, other, id, kept, side, info.iv);
            let mut side_of = |bound: &Bound| {
                let values = bound.values.iter();
                let leaves: Vec<AffineExpr> =
                    values.map(|value| self.leaf(nest, other, id, kept, side, *value)).collect();
                bound.map.results.iter().map(|e| e.replace(&leaves, &[])).collect::<Option<Vec<_>>>()
            };
            for low in info.from.iter().filter_map(&mut side_of).flatten() {
                all.push(AffineExpr::sub(variable.clone(), low));
            }
            for high in info.limit.iter().filter_map(&mut side_of).flatten() {
                all.push(AffineExpr::sub(AffineExpr::sub(high, variable.clone()), AffineExpr::Constant(1)));
            }
        }
        all
    }

    /// The variable that stands for a value in one of the two iterations
    fn leaf(
        &mut self,
        nest: &Nest<'_>,
        other: &AccessNode,
        id: LoopId,
        kept: &[LoopId],
        side: u8,
        value: Value,
    ) -> AffineExpr {
        if let Some(own) = nest.loop_of(value) {
            let across = if own == id {
                Across::Differ
            } else if !nest.is_in(Some(own), id) || kept.contains(&own) {
                Across::Same
            } else {
                Across::Free
            };
            let key = if nest.is_in(other.inside, own) { 2 } else { side };
            return self.dim((Some(value), key), nest.range(own), across);
        }
        let block = nest.ir.value_block(value).and_then(|block| nest.ir.block_parent(block));
        let inside = block.is_some_and(|around| nest.ir.is_inside(around, nest.info(id).op.0));
        let (key, across) = if inside { (side, Across::Free) } else { (2, Across::Same) };
        let range = constant(nest, value).map_or(Range::ALL, Range::one);
        self.dim((Some(value), key), range, across)
    }
}

fn constant(nest: &Nest<'_>, value: Value) -> Option<i64> {
    terrace_ir::fold::constant_of(nest.ir, value)?.as_i64(nest.ir.cx())
}

fn claim(nest: &Nest<'_>, id: LoopId, a: &AccessNode, b: &AccessNode, clash: &Clash) -> Claim {
    let info = nest.info(id);
    let verb = |what: &Use| match what {
        Use::Read => "reads",
        Use::Write => "writes",
        Use::Merge(_) => "merges into",
    };
    let how = match clash {
        Clash::At { .. } => "the same element",
        Clash::Unknown => "perhaps the same element: it could not be shown that indices differ",
    };
    let kind = if info.kind == Kind::Pw { "'pw'" } else { "'cc'" };
    let mut others: Vec<(OpId, &'static str)> = vec![(info.op.0, "the loop whose iterations these are")];
    if a.op != b.op {
        others.push((b.op, "the other access"));
    }
    let merges = matches!((&a.what, &b.what), (Use::Merge(f), Use::Merge(g)) if f == g);
    Claim {
        formula: Formula::Fact(false),
        op: a.op,
        reason: format!(
            "two iterations of a {kind} loop at level '{}' meet: one {}, another {} {how}",
            info.level,
            verb(&a.what),
            verb(&b.what)
        ),
        others,
        help: if merges {
            "say `pw` and the operator on that loop: then its iterations may merge into one element"
        } else if info.level.is_parallel() {
            "give each iteration its own element, or make the loop sequential and `ordered`"
        } else {
            "say `ordered` on that loop if each iteration builds on the one before"
        },
    }
}
