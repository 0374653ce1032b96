//! `sched-fill-in-tasks`: each task fills its own part of a buffer that tasks merge into.
//!
//! A fill in front of tasks runs on one thread, and what it leaves in that thread's caches the others have to fetch. It goes into
//! the tasks where all that they do with the buffer stays, along one axis, between a task's coordinate and the next one's. A part
//! that no cache holds is written past them.

use terrace_analysis::{Range, range_of};
use terrace_diag::Reported;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{Combination, Copy, CopySpec, For, Level, LoopInfo, NONTEMPORAL, Read, Write};
use terrace_ir::{Builder, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Bytes that the caches of one processor do not hold
const FAR: i64 = 4 << 20;

/// Move fills of buffers into the tasks that merge into them
///
/// Each task fills its own part, so that the part is in that task's caches. A part that no cache holds is written with
/// non-temporal stores.
#[pass("sched-fill-in-tasks", anchor = "func.func", stats("fills moved into tasks"))]
pub struct SchedFillInTasks;

impl Pass for SchedFillInTasks {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let moved = move_all(unit);
        cx.count("fills moved into tasks", moved);
        cx.set_changed(moved > 0);
        Ok(())
    }
}

fn move_all(ir: &mut Ir) -> u64 {
    let Some(region) = ir.regions(ir.root()).next() else { return 0 };
    let Some(block) = ir.entry(region) else { return 0 };
    let fills: Vec<Copy> = ir.block_ops(block).filter_map(|op| Copy::cast(ir, op)).collect();
    fills.into_iter().filter_map(|fill| move_one(ir, fill)).count() as u64
}

fn move_one(ir: &mut Ir, fill: Copy) -> Option<()> {
    let memory = fill.dst(ir);
    let shape = ir.ty(memory).shape(ir.cx())?.to_vec();
    let whole = fill.from(ir).is_none()
        && fill.operator(ir).is_none()
        && fill.clip(ir).is_none()
        && fill.sizes(ir) == shape
        && fill.to(ir).map == AffineMap::identity(shape.len() as u32);
    if !whole {
        return None;
    }
    // What comes next to it, and does anything with the buffer, is a nest of tasks.
    let mut at = ir.next(fill.0);
    let nest = loop {
        let op = at?;
        if touches(ir, op, memory) {
            break op;
        }
        at = ir.next(op);
    };
    let task = For::cast(ir, nest)?.info(ir)?;
    let plain =
        task.level == Level::Task && task.limit.is_none() && task.from.is_none() && task.tail.is_none();
    if !plain || task.trip() < 2 || task.extent % task.tile != 0 || merges_inside(ir, nest) {
        return None;
    }
    let axis =
        (0..shape.len()).find(|axis| shape[*axis] == task.extent && apart(ir, nest, memory, *axis, &task))?;
    let mut sizes = shape;
    sizes[axis] = task.tile;
    let mut dims = Dims::with_domain(sizes.len());
    let results = (0..sizes.len())
        .map(|n| match n == axis {
            true => AffineExpr::add(AffineExpr::Dim(n as u32), dims.value(task.iv)),
            false => AffineExpr::Dim(n as u32),
        })
        .collect();
    let to = dims.access(results)?;
    let elem = ir.ty(memory).scalar(ir.cx()).bit_width(ir.cx())?.div_ceil(8);
    let bytes = sizes.iter().fold(i64::from(elem), |all, size| all.saturating_mul(*size));
    let spec = CopySpec::new(sizes, (fill.src(ir), None), (memory, to));
    let first = ir.first_op(ir.entry(task.op.body(ir))?)?;
    let loc = ir.loc(fill.0);
    let mut b = Builder::before(ir, first);
    b.set_loc(loc);
    let copy = spec.build(&mut b);
    let past = (bytes > FAR).then(|| ir.cx().common().unit);
    ir.set_discardable(copy.0, NONTEMPORAL, past);
    ir.erase(fill.0);
    Some(())
}

/// Do tasks inside merge? They get parts of their own where all tasks follow each other with nothing between them
fn merges_inside(ir: &Ir, nest: OpId) -> bool {
    ir.walk_below(nest).any(|op| {
        let info = For::cast(ir, op).and_then(|inner| inner.info(ir));
        info.is_some_and(|info| info.level == Level::Task && info.kind == Combination::Pw && info.trip() > 1)
    })
}

fn touches(ir: &Ir, nest: OpId, memory: Value) -> bool {
    let uses = |op: OpId| ir.operands(op).any(|value| value == memory);
    uses(nest) || ir.walk_below(nest).any(uses)
}

/// Does all that a nest does with a buffer stay, along an axis, inside of the task's own tile?
fn apart(ir: &Ir, nest: OpId, memory: Value, axis: usize, task: &LoopInfo) -> bool {
    let inside = |access: &Access, sizes: &[i64]| {
        let own = access.map.dims as usize - access.values.len();
        let mut ranges: Vec<Option<Range>> = sizes[..own].iter().map(|size| Range::below(*size)).collect();
        // The task's coordinate is where the tile starts.
        ranges.extend(access.values.iter().map(|value| match *value == task.iv {
            true => Range::new(0, 0),
            false => crate::prefetch::range(ir, *value),
        }));
        let ranges: Option<Vec<Range>> = ranges.into_iter().collect();
        let (Some(expr), Some(ranges)) = (access.map.results.get(axis), ranges) else { return false };
        let at = access.values.iter().position(|value| *value == task.iv).map(|n| own + n);
        let starts = expr.as_linear().zip(at).is_some_and(|(linear, at)| linear.dim(at) == 1);
        starts
            && range_of(expr, ranges.as_slice())
                .is_some_and(|range| range.min() >= 0 && range.max() < task.tile)
    };
    ir.walk_below(nest).filter(|op| ir.operands(*op).any(|value| value == memory)).all(|op| {
        if let Some(copy) = Copy::cast(ir, op) {
            let from = copy.from(ir).filter(|_| copy.src(ir) == memory);
            let to = (copy.dst(ir) == memory).then(|| copy.to(ir));
            from.iter().chain(&to).all(|access| inside(access, &copy.sizes(ir)))
        } else if let Some(read) = Read::cast(ir, op) {
            inside(&read.access(ir), &[])
        } else if let Some(write) = Write::cast(ir, op) {
            write.value(ir) != memory && inside(&write.access(ir), &[])
        } else {
            false
        }
    })
}
