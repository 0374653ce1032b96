//! RACE: iterations of a loop that may run at the same time do not disturb each other.

use crate::evaluate::Cx;
use crate::formula::Formula;
use crate::question::Question;
use crate::{Claims, Reason, Rule, Subject};
use terrace_analysis::{Across, Clash, Range, may_conflict_where};
use terrace_devices::{Level, Per};
use terrace_schedule_model::nest::{Access, AccessId, Bound, Index, LoopId, Use};
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::Decided;
use terrace_schedule_model::nest_parts::Place;
use terrace_support::HashSet;
use terrace_support::affine::{AffineExpr, AffineMap};

pub(crate) const RACE: Rule = Rule { name: "RACE", claims: race };

fn race(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, own) in cx.nest.loops.entries() {
        let several = cx.trip(id).is_none_or(|trip| trip > 1) && own.combine.kind != Combination::Ordered;
        out.claim(Formula::Known(several), &|| Formula::Query(Question::NoRace(id)), &|| {
            race_of(cx, id).unwrap_or_else(|| Reason::of_accesses("two iterations meet"))
        });
    }
    for (id, access) in cx.nest.accesses.entries().filter(|(_, access)| !access.reads()) {
        let several = elements(access) > 1;
        out.claim(Formula::Known(several), &|| Formula::Query(Question::OwnPlaces(id)), &|| Reason {
            about: Subject::Access(id),
            text: match cx.completion().and_then(|nest| of_copy(&nest, id)) {
                Some(Clash::Unknown) => {
                    "two elements of the copy go perhaps to the same place: it could not be shown that they do not".into()
                }
                _ => "two elements of the copy go to the same place".into(),
            },
            others: Vec::new(),
            help: "give each element a place of its own; what is merged needs a loop that says so",
        });
    }
}

/// How iterations of a loop disturb each other, with one choice of what is open
pub fn race_of(cx: &Cx<'_>, id: LoopId) -> Option<Reason> {
    let nest = cx.completion()?;
    Some(of_loop(&nest, id)?.reason(cx, &nest))
}

fn elements(access: &Access) -> i64 {
    access.domain.iter().fold(1i64, |all, size| all.saturating_mul(*size))
}

/// Two elements of a copy with one destination: their order is not defined
pub(crate) fn of_copy(nest: &Decided<'_>, id: AccessId) -> Option<Clash> {
    let access = &nest.accesses[id];
    if elements(access) <= 1 {
        return None;
    }
    let mut ranges: Vec<Range> = Decided::domain(access).collect();
    let mut across = vec![Across::Differ; ranges.len()];
    for index in &access.over {
        ranges.push(nest.range_of(*index));
        across.push(Across::Same);
    }
    let places = &access.map.results;
    // What is clipped goes nowhere.
    let shape = &nest.buffer_of(access).shape;
    let inside: Vec<AffineExpr> = match access.guarded {
        false => Vec::new(),
        true => (places.iter().zip(shape).filter(|(_, size)| **size >= 0))
            .flat_map(|(at, size)| [at.clone(), AffineExpr::sub(AffineExpr::Constant(size - 1), at.clone())])
            .collect(),
    };
    let clash = may_conflict_where(places, places, [&inside, &inside], &ranges, &across)?;
    let unknown = clash == Clash::Unknown;
    let harmless = unknown && (access.per.is_none() || counted(&access.map, &access.domain));
    (!harmless).then_some(clash)
}

/// Most elements of a copy whose places are counted one by one
const MOST_COUNTED: i64 = 1 << 14;

/// Does each element go to a place of its own, where that depends on the copy's variables alone? What groups of bits are exchanged
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

/// Two accesses that iterations of a loop make to one element
pub(crate) struct Race {
    id: LoopId,
    first: AccessId,
    second: AccessId,
    clash: Clash,
}

/// How iterations of a loop disturb each other
pub(crate) fn of_loop(nest: &Decided<'_>, id: LoopId) -> Option<Race> {
    let own = &nest.get(id).combine;
    if nest.trip(id) <= 1 || own.kind == Combination::Ordered {
        return None;
    }
    let inside: Vec<(AccessId, &Access)> = nest
        .nest
        .accesses
        .entries()
        .filter(|(_, access)| nest.is_in(access.around.inside, id))
        .filter(|(_, access)| nest.is_shared_across(access.buffer, id) && !runs_once(nest, access, id))
        .collect();
    let merged = |a: &Access, b: &Access| match (a.does, b.does) {
        (Use::Merge(f), Use::Merge(g)) => {
            own.kind == Combination::Pw
                && nest.is_same_operator(f, g)
                && own.operators.iter().any(|operator| nest.is_same_operator(*operator, f))
        }
        _ => false,
    };
    let parallel = nest.level(id).is_parallel();
    for (n, (first, a)) in inside.iter().enumerate() {
        for (second, b) in &inside[n..] {
            if !nest.share_memory(a, b) || (a.reads() && b.reads()) || merged(a, b) {
                continue;
            }
            if !same_epoch(nest, a, b, id) {
                continue;
            }
            // Sequential loops are refused only for a conflict that is certain.
            let certain = |clash: &Clash| *clash != Clash::Unknown && !cut(nest, a, b);
            if let Some(clash) = clash(nest, a, b, id).filter(|clash| parallel || certain(clash)) {
                return Some(Race { id, first: *first, second: *second, clash });
            }
        }
    }
    None
}

/// Does a loop around skip iterations, so that a conflict may never happen?
fn cut(nest: &Decided<'_>, a: &Access, b: &Access) -> bool {
    let limited = |access: &Access| nest.around(access.around.inside).any(|id| nest.loops[id].is_cut());
    a.guarded || b.guarded || limited(a) || limited(b)
}

/// A collective copy runs once for the threads of its owner, not in each
fn runs_once(nest: &Decided<'_>, access: &Access, id: LoopId) -> bool {
    let level = nest.level(id);
    access.per.is_some_and(|per| level.rank().is_some_and(|rank| rank < per.rank()))
}

/// Places inside of a loop where all of its iterations meet: threads of a block, lanes of a warp; blocks never do
fn meetings(nest: &Decided<'_>, id: LoopId) -> impl Iterator<Item = (u32, Option<LoopId>)> {
    let level = nest.level(id);
    let all = nest.meetings.iter().filter(move |meeting| {
        level.is_thread_like()
            && (meeting.per != Some(Per::Warp) || matches!(level, Level::Lane(_)))
            && nest.is_in(meeting.around.inside, id)
    });
    all.map(|meeting| (meeting.place, meeting.around.inside))
}

/// Loops inside of `id` around both accesses in which its iterations meet in every round
fn rounds(nest: &Decided<'_>, a: &Access, b: &Access, id: LoopId) -> Vec<LoopId> {
    nest.around(a.around.inside)
        .take_while(|other| *other != id)
        .filter(|other| nest.is_in(b.around.inside, *other))
        .filter(|other| meetings(nest, id).any(|(_, inside)| nest.is_in(inside, *other)))
        .collect()
}

/// May both happen without a point between them where all threads meet?
fn same_epoch(nest: &Decided<'_>, a: &Access, b: &Access, id: LoopId) -> bool {
    if !nest.level(id).is_thread_like() {
        return true;
    }
    let (low, high) = (a.place.min(b.place), a.place.max(b.place));
    if !meetings(nest, id).any(|(at, _)| low < at && at < high) {
        return true;
    }
    // The later one, then the earlier one in the next round.
    rounds(nest, a, b, id).first().is_some_and(|round| {
        let (first, last) = meetings(nest, id)
            .filter(|(_, inside)| nest.is_in(*inside, *round))
            .fold((u32::MAX, 0), |(first, last), (at, _)| (first.min(at), last.max(at)));
        low < first && high > last
    })
}

/// Where they meet in two iterations of the loop
fn clash(nest: &Decided<'_>, a: &Access, b: &Access, id: LoopId) -> Option<Clash> {
    let Some([at_a, at_b]) = nest.places(a, b) else { return Some(Clash::Unknown) };
    let mut dims = Variables { nest, id, known: Vec::new(), ranges: Vec::new(), across: Vec::new() };
    let kept = rounds(nest, a, b, id);
    let meets = meetings(nest, id).any(|(at, _)| a.place.min(b.place) < at && at < a.place.max(b.place));
    let kept: &[LoopId] = if meets { &[] } else { &kept };
    let one = dims.side((a, &at_a), b, kept, 0);
    let other = dims.side((b, &at_b), a, kept, 1);
    let first = dims.bounds(a, b, kept, 0);
    let second = dims.bounds(b, a, kept, 1);
    if !dims.across.contains(&Across::Differ) {
        // Neither uses the variable: every two iterations do the same.
        dims.known.push((None, 2));
        dims.ranges.push(nest.range(id));
        dims.across.push(Across::Differ);
    }
    may_conflict_where(&one, &other, [&first, &second], &dims.ranges, &dims.across)
}

/// Variables of both accesses: common ones once, others once per side
struct Variables<'a> {
    nest: &'a Decided<'a>,
    /// The loop whose iterations these are
    id: LoopId,
    known: Vec<(Option<Index>, u8)>,
    ranges: Vec<Range>,
    across: Vec<Across>,
}

impl Variables<'_> {
    fn dim(&mut self, key: (Option<Index>, u8), range: Range, across: Across) -> AffineExpr {
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
        (access, place): (&Access, &Place),
        other: &Access,
        kept: &[LoopId],
        side: u8,
    ) -> Vec<AffineExpr> {
        let mut leaves: Vec<AffineExpr> =
            Decided::domain(access).map(|range| self.dim((None, side), range, Across::Free)).collect();
        for index in &place.over {
            leaves.push(self.leaf(other, kept, side, *index));
        }
        if let Some(width) = Range::below(place.width).filter(|_| place.width > 1) {
            leaves.push(self.dim((None, side), width, Across::Free));
        }
        let replace = |expr: &AffineExpr| expr.replace(&leaves, &[]).unwrap_or_else(|| expr.clone());
        place.at.iter().map(replace).collect()
    }

    /// What is at least 0 where the access is made: bounds of the loops around it
    fn bounds(&mut self, access: &Access, other: &Access, kept: &[LoopId], side: u8) -> Vec<AffineExpr> {
        let (mut all, nest) = (Vec::new(), self.nest);
        for around in nest.around(access.around.inside) {
            let own = nest.get(around);
            if !own.is_cut() {
                continue;
            }
            let variable = self.leaf(other, kept, side, Index::Loop(around));
            let mut side_of = |bound: &Bound| {
                let (results, over) = nest.written_out(&bound.map.results, 0, &bound.over);
                let leaves: Vec<AffineExpr> =
                    over.iter().map(|index| self.leaf(other, kept, side, *index)).collect();
                results.iter().map(|e| e.replace(&leaves, &[])).collect::<Option<Vec<_>>>()
            };
            for low in own.from.iter().filter_map(&mut side_of).flatten() {
                all.push(AffineExpr::sub(variable.clone(), low));
            }
            for high in own.limit.iter().filter_map(&mut side_of).flatten() {
                all.push(AffineExpr::sub(AffineExpr::sub(high, variable.clone()), AffineExpr::Constant(1)));
            }
        }
        all
    }

    /// The variable that stands for a value in one of the two iterations
    fn leaf(&mut self, other: &Access, kept: &[LoopId], side: u8, index: Index) -> AffineExpr {
        let nest = self.nest;
        let (key, across) = match index {
            Index::Loop(own) => {
                let across = if own == self.id {
                    Across::Differ
                } else if !nest.is_in(Some(own), self.id) || kept.contains(&own) {
                    Across::Same
                } else {
                    Across::Free
                };
                (if nest.is_in(other.around.inside, own) { 2 } else { side }, across)
            }
            Index::Opaque(value) => match nest.is_in(nest.opaque[value].around.inside, self.id) {
                true => (side, Across::Free),
                false => (2, Across::Same),
            },
        };
        self.dim((Some(index), key), nest.range_of(index), across)
    }
}

impl Race {
    fn reason(&self, cx: &Cx<'_>, nest: &Decided<'_>) -> Reason {
        let (a, b) = (&nest.accesses[self.first], &nest.accesses[self.second]);
        let verb = |does: Use| match does {
            Use::Read => "reads",
            Use::Write => "writes",
            Use::Merge(_) => "merges into",
        };
        let how = match self.clash {
            Clash::At { .. } => "the same element",
            Clash::Unknown => "perhaps the same element: it could not be shown that indices differ",
        };
        let kind = match nest.loops[self.id].combine.kind {
            Combination::Pw => "'pw'",
            _ => "'cc'",
        };
        let mut others = vec![(Subject::Loop(self.id), "the loop whose iterations these are")];
        if a.place != b.place {
            others.push((Subject::Access(self.second), "the other access"));
        }
        let merges = matches!(a.does, Use::Merge(_)) && nest.does_same(a, b);
        Reason {
            about: Subject::Access(self.first),
            text: format!(
                "two iterations of a {kind} loop at level '{}' meet: one {}, another {} {how}",
                cx.level(self.id),
                verb(a.does),
                verb(b.does)
            ),
            others,
            help: if merges {
                "say `pw` and the operator on that loop: then its iterations may merge into one element"
            } else if nest.level(self.id).is_parallel() {
                "give each iteration its own element, or make the loop sequential and `ordered`"
            } else {
                "say `ordered` on that loop if each iteration builds on the one before"
            },
        }
    }
}
