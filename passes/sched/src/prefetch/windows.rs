//! Rows of a large buffer that a window moves over.
//!
//! Where several accesses of one buffer are shifted against each other along other axes than the lanes', an iteration finds
//! most of its rows in a cache and waits for the others, with too much other work for the processor to look that far ahead by
//! itself. So of the rows that the iteration before has not read, neither of the next loop around nor of the one around that, some
//! lines ahead are prefetched (`sched.ahead`): by as few of the reads as name them all, and by one more twice as far ahead. Of rows of few lines whole ones are
//! prefetched, some iterations of the next loop before.
//!
//! Where vectors are as long as a line, reads that are shifted along the lanes touch two lines each: they are marked, so that rows
//! are handed on from iteration to iteration (`sched.carried`).

use super::group::{Group, Member};
use super::{around, streams};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{AHEAD, CARRIED, Combination, Copy, For, Level, LoopInfo, Read, Write};
use terrace_ir::{Ir, OpId, TypeKind};
use terrace_support::affine::AffineExpr;

/// Bytes of a buffer that comes from memory
const LARGE: i64 = 16 << 20;

/// Bytes of a row ahead: with less memory is not there in time, with much more the first cache does not hold it
const BYTES: i64 = 512;

/// Bytes of rows that are prefetched while they are read: of shorter ones the last lines would be too many
const ROW: i64 = 8 * BYTES;

/// Most copies of a read by unrolled loops
const COPIES: usize = 256;

/// Mark reads of windows; how many loops ask
pub(crate) fn windows(ir: &mut Ir) -> u64 {
    let mut groups: Vec<Group> = Vec::new();
    let reads: Vec<Read> = ir.walk().filter_map(|op| Read::cast(ir, op)).collect();
    for read in reads {
        let Some((inner, outer, width, places)) = places(ir, read) else { continue };
        let (memref, at) = (read.memref(ir), read.access(ir));
        let member = Member { op: read.0, at, places };
        match groups.iter_mut().find(|group| group.memref == memref && group.inner.op == inner.op) {
            Some(group) => group.members.push(member),
            None => groups.push(Group { memref, inner, outer, width, members: vec![member] }),
        }
    }
    let mut count = 0;
    for group in groups {
        if !alike(&group) || written(ir, &group) {
            continue;
        }
        for op in carried(ir, &group) {
            let unit = ir.cx().common().unit;
            ir.set_discardable(op, CARRIED, Some(unit));
        }
        // Somebody has said what to ask for.
        if group.members.iter().any(|member| ir.discardable(member.op, AHEAD).is_some()) {
            continue;
        }
        let marks = marks(ir, &group).unwrap_or_else(|| streams::marks(ir, &group));
        count += u64::from(!marks.is_empty());
        for (op, wish) in marks {
            let attr = ir.cx().i64_array(&wish);
            ir.set_discardable(op, AHEAD, Some(attr));
        }
    }
    count
}

/// The innermost loop in order around a read of lanes out of a large buffer, those around it, and the constant part of where its
/// copies are
fn places(ir: &Ir, read: Read) -> Option<(LoopInfo, Vec<LoopInfo>, i64, Vec<Vec<i64>>)> {
    let cx = ir.cx();
    let ty = ir.ty(read.memref(ir));
    let TypeKind::MemRef { shape, elem, layout: None, .. } = ty.kind(cx) else { return None };
    let bytes = i64::from(elem.bit_width(cx)?.div_ceil(8));
    shape.iter().try_fold(bytes, |all, size| all.checked_mul(*size)).filter(|all| *all >= LARGE)?;
    if read.padding(ir).is_some() {
        return None;
    }
    let at = read.access(ir);
    let (last, others) = at.map.results.split_last()?;
    let last = last.as_linear()?;
    let mut places = vec![others.iter().map(|expr| Some(expr.as_linear()?.constant)).collect::<Option<_>>()?];
    let (mut width, mut loops) = (0, Vec::new());
    for block in around(ir, read.0)? {
        let Some(info) = ir.block_parent(block).and_then(|op| For::cast(ir, op)).and_then(|op| op.info(ir))
        else {
            break;
        };
        let number = at.values.iter().position(|value| *value == info.iv);
        match info.level {
            _ if info.trip() <= 1 => {}
            Level::Seq => loops.push(info),
            // What is further out does not say which loops are the innermost.
            _ if !loops.is_empty() => {}
            Level::Vector if number.is_some_and(|n| last.dim(n) == 1) => width = info.trip(),
            Level::Vector => return None,
            Level::Unroll => {
                let Some(n) = number else { continue };
                let step: Vec<i64> =
                    others.iter().map(|expr| expr.as_linear().map_or(0, |linear| linear.dim(n))).collect();
                let copies = usize::try_from(info.trip()).ok()?;
                if step.iter().any(|step| *step != 0) {
                    places.len().checked_mul(copies).filter(|all| *all <= COPIES)?;
                    let moved = |place: &Vec<i64>| {
                        let (place, step, tile) = (place.clone(), step.clone(), info.tile);
                        (0..copies as i64).map(move |round| {
                            let add =
                                |(at, step): (&i64, &i64)| at.wrapping_add(step.wrapping_mul(tile * round));
                            place.iter().zip(&step).map(add).collect::<Vec<i64>>()
                        })
                    };
                    places = places.iter().flat_map(moved).collect();
                }
            }
            _ => return None,
        }
    }
    let mut loops = loops.into_iter();
    let (inner, outer) = (loops.next()?, loops.collect());
    let along = at.values.iter().position(|value| *value == inner.iv)?;
    (width > 0 && last.dim(along) == 1).then_some((inner, outer, width, places))
}

/// Do all reads of a group move in the same way?
fn alike(group: &Group) -> bool {
    let Some(first) = group.members.first().map(|member| &member.at) else { return false };
    group.members.iter().all(|member| {
        let pairs = member.at.map.results.iter().zip(&first.map.results);
        let mut pairs = pairs.map(|(a, b)| a.as_linear().zip(b.as_linear()));
        let all = first.values.len();
        member.at.values == first.values
            && pairs.all(|pair| pair.is_some_and(|(a, b)| (0..all).all(|n| a.dim(n) == b.dim(n))))
    })
}

/// Reads of lanes that are shifted against each other by less than a vector, where nearly each of them touches two lines
fn carried(ir: &Ir, group: &Group) -> Vec<OpId> {
    let bytes =
        ir.ty(group.memref).scalar(ir.cx()).bit_width(ir.cx()).map_or(0, |bits| i64::from(bits.div_ceil(8)));
    let start = |member: &Member| {
        member.at.map.results.last().and_then(AffineExpr::as_linear).map(|last| last.constant)
    };
    let starts: Vec<Option<i64>> = group.members.iter().map(start).collect();
    let near = |a: &Option<i64>, b: &Option<i64>| {
        a.zip(*b).is_some_and(|(a, b)| a != b && a.abs_diff(b) <= group.width.unsigned_abs())
    };
    let some = starts.iter().any(|a| starts.iter().any(|b| near(a, b)));
    let fits = group.width * bytes == super::LINE
        && group.inner.tile == group.width
        && group.inner.kind == Combination::Cc;
    if some && fits { group.members.iter().map(|member| member.op).collect() } else { Vec::new() }
}

/// How an iteration of a loop moves an access: along all axes but the lanes'
struct Round {
    /// Number of the loop's variable among the values
    number: usize,
    step: Vec<i64>,
}

impl Round {
    fn of(at: &Access, last: &AffineExpr, others: &[AffineExpr], info: &LoopInfo) -> Option<Round> {
        let number = at.values.iter().position(|value| *value == info.iv)?;
        let step =
            |expr: &AffineExpr| expr.as_linear().map(|linear| linear.dim(number).wrapping_mul(info.tile));
        if step(last)? != 0 {
            return None;
        }
        Some(Round { number, step: others.iter().map(step).collect::<Option<_>>()? })
    }
}

/// Which reads of a group ask, and for what
fn marks(ir: &Ir, group: &Group) -> Option<Vec<(OpId, [i64; 2])>> {
    let first = &group.members.first()?.at;
    let (last, others) = first.map.results.split_last()?;
    let next = group.outer.first()?;
    let around = Round::of(first, last, others, next)?;
    let beyond = group.outer.get(1).and_then(|info| Round::of(first, last, others, info));
    let bytes = i64::from(ir.ty(group.memref).scalar(ir.cx()).bit_width(ir.cx())?.div_ceil(8)).max(1);
    let row = group.inner.trip().saturating_mul(group.inner.tile).saturating_mul(bytes).max(1);
    let mut all: Vec<Vec<i64>> = group.members.iter().flat_map(|member| member.places.clone()).collect();
    all.sort();
    all.dedup();
    // Without the axes along which the next loop goes, what the loop around that has read is told by the others.
    let outline = |place: &Vec<i64>| -> Vec<i64> {
        place.iter().zip(&around.step).filter(|(_, step)| **step == 0).map(|(at, _)| *at).collect()
    };
    let outlines: Vec<Vec<i64>> = all.iter().map(outline).collect();
    let old: Vec<Vec<i64>> = match &beyond {
        Some(beyond) => {
            let far = outline(&beyond.step);
            let moved = |place: &Vec<i64>| -> Vec<i64> {
                place.iter().zip(&far).map(|(a, b)| a.wrapping_add(*b)).collect()
            };
            let known =
                |place: &&Vec<i64>| far.iter().any(|far| *far != 0) && outlines.contains(&moved(place));
            outlines.iter().filter(known).cloned().collect()
        }
        None => Vec::new(),
    };
    let short = row < ROW && !old.is_empty();
    let known = |place: &Vec<i64>| {
        let moved: Vec<i64> = place.iter().zip(&around.step).map(|(a, b)| a.wrapping_add(*b)).collect();
        old.contains(&outline(place)) || !short && all.binary_search(&moved).is_ok()
    };
    let named = |place: &Vec<i64>| if short { outline(place) } else { place.clone() };
    let mut new: Vec<Vec<i64>> = all.iter().filter(|place| !known(place)).map(named).collect();
    if new.len() == all.len() {
        return None;
    }
    let (along, far) = if row >= ROW {
        let tile = group.inner.tile.max(1);
        let along = first.values.iter().position(|value| *value == group.inner.iv)?;
        (along as i64, super::ceil(BYTES / bytes, tile) * tile)
    } else {
        (around.number as i64, super::ceil(BYTES, row).checked_mul(next.tile)?)
    };
    let all = new.clone();
    let mut marks: Vec<(OpId, [i64; 2])> = Vec::new();
    let best = |new: &[Vec<i64>], marks: &[(OpId, [i64; 2])]| {
        let names =
            |member: &Member| member.places.iter().filter(|place| new.contains(&named(place))).count();
        let worth = |member: &&Member| names(member) > 0 && names(member) * 2 >= member.places.len();
        let others = |member: &&Member| marks.iter().all(|(op, _)| *op != member.op);
        group.members.iter().filter(others).filter(worth).rev().max_by_key(|member| names(member))
    };
    // Those first that name the most, as long as half of their copies ask for something new.
    while let Some(member) = best(&new, &marks) {
        marks.push((member.op, [along, far]));
        let places: Vec<Vec<i64>> = member.places.iter().map(named).collect();
        new.retain(|place| !places.contains(place));
    }
    // Another one asks before: what the first cache has lost until then is in the second.
    if let Some(member) = best(&all, &marks).filter(|_| !marks.is_empty()) {
        marks.push((member.op, [along, far.checked_mul(2)?]));
    }
    Some(marks)
}

/// Does something in the nest write the buffer?
fn written(ir: &Ir, group: &Group) -> bool {
    let Some(nest) = around(ir, group.inner.op.0).and_then(|all| {
        let mut loops = all
            .into_iter()
            .filter_map(|block| ir.block_parent(block))
            .filter(|op| For::cast(ir, *op).is_some());
        loops.next_back()
    }) else {
        return true;
    };
    let inside = ir.value_block(group.memref).and_then(|block| ir.block_parent(block));
    inside.is_some_and(|home| home == nest || ir.is_inside(home, nest))
        || ir.walk_below(nest).any(|op| {
            Write::cast(ir, op).is_some_and(|write| write.memref(ir) == group.memref)
                || Copy::cast(ir, op).is_some_and(|copy| copy.dst(ir) == group.memref)
        })
}
