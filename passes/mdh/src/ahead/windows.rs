//! Rows of a large buffer that a window moves over.
//!
//! Where several accesses of one buffer are shifted against each other along other axes than the lanes', an iteration finds
//! most of its rows in a cache and waits for the others, with too much to do beside that the processor would look that far ahead by
//! itself. So of the rows that the iteration before has not read, some lines ahead are asked for (`sched.ahead`): by as few of the
//! reads as name them all. A row of few lines is asked for as a whole, an iteration of the next loop before.

use super::around;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{AHEAD, Copy, For, Level, LoopInfo, Read, Write};
use terrace_ir::{Ir, OpId, TypeKind, Value};

/// Bytes of a buffer that comes from memory
const LARGE: i64 = 16 << 20;

/// Bytes of a row ahead: with less memory is not there in time, with much more the first cache does not hold it
const BYTES: i64 = 1024;

/// Bytes of rows that are asked for while they are read: of shorter ones the last lines would be too many
const ROW: i64 = 4 * BYTES;

/// Most copies of a read by unrolled loops
const COPIES: usize = 256;

/// A read of lanes, and where its copies are along all axes but the lanes'
struct Member {
    op: OpId,
    at: Access,
    places: Vec<Vec<i64>>,
}

/// The loops around reads of one buffer, and these
struct Group {
    memref: Value,
    inner: LoopInfo,
    outer: LoopInfo,
    members: Vec<Member>,
}

/// Mark reads of windows; how many loops ask
pub(crate) fn windows(ir: &mut Ir) -> u64 {
    let mut groups: Vec<Group> = Vec::new();
    let reads: Vec<Read> = ir.walk().filter_map(|op| Read::cast(ir, op)).collect();
    for read in reads {
        let Some((inner, outer, places)) = places(ir, read) else { continue };
        let (memref, at) = (read.memref(ir), read.access(ir));
        let member = Member { op: read.0, at, places };
        match groups.iter_mut().find(|group| group.memref == memref && group.inner.op == inner.op) {
            Some(group) => group.members.push(member),
            None => groups.push(Group { memref, inner, outer, members: vec![member] }),
        }
    }
    let mut count = 0;
    for group in groups {
        let marks = marks(ir, &group).unwrap_or_default();
        count += u64::from(!marks.is_empty());
        for (op, wish) in marks {
            let attr = ir.cx().i64_array(&wish);
            ir.set_discardable(op, AHEAD, Some(attr));
        }
    }
    count
}

/// The two innermost loops in order around a read of lanes out of a large buffer, and the constant part of where its copies are
fn places(ir: &Ir, read: Read) -> Option<(LoopInfo, LoopInfo, Vec<Vec<i64>>)> {
    let cx = ir.cx();
    let ty = ir.ty(read.memref(ir));
    let TypeKind::MemRef { shape, elem, layout: None, .. } = ty.kind(cx) else { return None };
    let bytes = i64::from(elem.bit_width(cx)?.div_ceil(8));
    shape.iter().try_fold(bytes, |all, size| all.checked_mul(*size)).filter(|all| *all >= LARGE)?;
    if ir.discardable(read.0, AHEAD).is_some() || read.padding(ir).is_some() {
        return None;
    }
    let at = read.access(ir);
    let (last, others) = at.map.results.split_last()?;
    let last = last.as_linear()?;
    let mut places = vec![others.iter().map(|expr| Some(expr.as_linear()?.constant)).collect::<Option<_>>()?];
    let (mut lanes, mut loops) = (false, Vec::new());
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
            Level::Vector => lanes = number.is_some_and(|n| last.dim(n) == 1),
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
    let (inner, outer) = (loops.next()?, loops.next()?);
    let along = at.values.iter().position(|value| *value == inner.iv)?;
    (lanes && last.dim(along) == 1).then_some((inner, outer, places))
}

/// Which reads of a group ask, and for what
fn marks(ir: &Ir, group: &Group) -> Option<Vec<(OpId, [i64; 2])>> {
    let first = &group.members.first()?.at;
    let same = |member: &Member| {
        let (a, b) = (&member.at, first);
        a.values == b.values
            && a.map.results.iter().zip(&b.map.results).all(|(a, b)| {
                a.as_linear()
                    .zip(b.as_linear())
                    .is_some_and(|(a, b)| (0..first.values.len()).all(|n| a.dim(n) == b.dim(n)))
            })
    };
    if !group.members.iter().all(same) || written(ir, group) {
        return None;
    }
    let moving = first.values.iter().position(|value| *value == group.outer.iv)?;
    let (last, others) = first.map.results.split_last()?;
    let step =
        |expr: &terrace_support::affine::AffineExpr| expr.as_linear().map_or(0, |linear| linear.dim(moving));
    if step(last) != 0 {
        return None;
    }
    let far: Vec<i64> = others.iter().map(|expr| step(expr).wrapping_mul(group.outer.tile)).collect();
    let mut all: Vec<&Vec<i64>> = group.members.iter().flat_map(|member| &member.places).collect();
    all.sort();
    all.dedup();
    let known = |place: &&Vec<i64>| {
        let next: Vec<i64> = place.iter().zip(&far).map(|(at, far)| at.wrapping_add(*far)).collect();
        all.binary_search(&&next).is_ok()
    };
    let mut new: Vec<&Vec<i64>> = all.iter().copied().filter(|place| !known(place)).collect();
    if new.len() == all.len() {
        return None;
    }
    let bytes = i64::from(ir.ty(group.memref).scalar(ir.cx()).bit_width(ir.cx())?.div_ceil(8)).max(1);
    let row = group.inner.trip().saturating_mul(group.inner.tile).saturating_mul(bytes);
    let wish = if row >= ROW {
        let tile = group.inner.tile.max(1);
        let along = first.values.iter().position(|value| *value == group.inner.iv)?;
        [along as i64, crate::host::ceil(BYTES / bytes, tile) * tile]
    } else {
        [moving as i64, group.outer.tile]
    };
    let mut marks = Vec::new();
    // Those first that name the most, as long as half of their copies ask for something new.
    while !new.is_empty() {
        let names = |member: &Member| member.places.iter().filter(|place| new.contains(place)).count();
        let best = group.members.iter().rev().max_by_key(|member| names(member))?;
        if names(best) * 2 < best.places.len() {
            break;
        }
        marks.push((best.op, wish));
        new.retain(|place| !best.places.contains(place));
    }
    Some(marks)
}

/// Does something in the nest write the buffer?
fn written(ir: &Ir, group: &Group) -> bool {
    let Some(nest) = around(ir, group.inner.op.0).and_then(|all| {
        let loops = all
            .into_iter()
            .filter_map(|block| ir.block_parent(block))
            .filter(|op| For::cast(ir, *op).is_some());
        loops.last()
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
