//! `sched-prefetch`: loops prefetch what later iterations read or merge into.
//!
//! - [`joined_rows`]: what a chain of joined nests reads again in its next iteration (marked by `sched-fuse-loops`);
//! - `sums`: places of a large buffer that a tile of registers is merged into when its reduction is over;
//! - `panels`: the part of a large operand that is copied next;
//! - `windows`: rows of a large buffer that accesses which are shifted against each other come to;
//! - `streams`: what a reduction reads of a large buffer, one vector after the other.
//!
//! `sums` and `panels` ask from inside of the innermost loops in order, a line of a cache in each iteration or in one of several: all at
//! once they would take the few places that the first cache has for what is under way from what the loops read themselves.

mod group;
pub(crate) mod joined_rows;
mod panels;
mod streams;
mod sums;
mod windows;

use terrace_analysis::{Range, range_of, simplify_with_ranges};
use terrace_diag::Reported;
use terrace_dialect_affine as affine;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{For, Kernel, Level, LoopInfo};
use terrace_ir::{BlockId, Builder, Ir, OpId, TypeKind, Value, ValueDef};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Prefetch parts of large buffers before loops need them
///
/// Prefetched are the places that sums are merged into, the blocks that are copied next, the rows that a window comes to, and what a
/// reduction goes through in order.
#[pass("sched-prefetch", anchor = "func.func", stats("loops that prefetch"))]
pub struct SchedPrefetch;

impl Pass for SchedPrefetch {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops = sums::sums(unit) + panels::panels(unit) + windows::windows(unit);
        cx.count("loops that prefetch", loops);
        cx.set_changed(loops > 0);
        Ok(())
    }
}

/// Bytes of a cache's line
const LINE: i64 = 64;

/// Where a box of a buffer lies, and the lines that it consists of
struct Lines {
    memory: Value,
    /// Where an element is, by the box's variables and by values
    at: Access,
    /// Number of lines along each variable of the box, and how far apart they are
    along: Vec<(i64, i64)>,
}

impl Lines {
    /// Of a box of these sizes; `None` for less than a number of bytes in all, or where neighbors are not neighbors in memory
    fn of(ir: &Ir, memory: Value, at: Access, sizes: &[i64], least: i64) -> Option<Lines> {
        let cx = ir.cx();
        let TypeKind::MemRef { shape, elem, layout: None, .. } = ir.ty(memory).kind(cx) else { return None };
        let bytes = i64::from(elem.bit_width(cx)?.div_ceil(8)).max(1);
        shape.iter().try_fold(bytes, |all, size| all.checked_mul(*size)).filter(|all| *all > least)?;
        let (last, others) = at.map.results.split_last()?;
        let contiguous = (0..sizes.len()).find(|n| {
            let plain = last.as_linear().is_some_and(|linear| linear.dim(*n) == 1);
            sizes[*n] > 1 && plain && others.iter().all(|expr| !expr.uses_dim(*n as u32))
        })?;
        let apart = (LINE / bytes).max(1);
        let along = sizes.iter().enumerate().map(|(n, size)| match n == contiguous {
            true => (ceil(*size, apart), apart),
            false => ((*size).max(1), 1),
        });
        let along = along.collect();
        Some(Lines { memory, at, along })
    }

    fn count(&self) -> i64 {
        self.along.iter().fold(1, |all, (count, _)| all.saturating_mul(*count))
    }

    /// Ask for the line of a number, counted modulo their count, before an op; `moved` says where values are at that time, each
    /// one of those that it can have
    fn ask(
        &self,
        ir: &mut Ir,
        before: OpId,
        (number, mut dims): (AffineExpr, Dims),
        moved: &dyn Fn(&mut Dims, Value) -> AffineExpr,
        (writes, near): (bool, i128),
    ) -> Option<()> {
        let mut left = number;
        let mut leaves = vec![AffineExpr::Constant(0); self.along.len()];
        for (n, (size, apart)) in self.along.iter().enumerate().rev() {
            let here = AffineExpr::modulo(left.clone(), (*size).into());
            leaves[n] = AffineExpr::mul(here, (*apart).into());
            left = AffineExpr::floor_div(left, (*size).into());
        }
        leaves.extend(self.at.values.iter().map(|value| moved(&mut dims, *value)));
        let exprs: Vec<AffineExpr> =
            self.at.map.results.iter().map(|expr| expr.replace(&leaves, &[])).collect::<Option<_>>()?;
        let ranges: Vec<Range> = dims.values.iter().map(|value| range(ir, *value)).collect::<Option<_>>()?;
        // A value that moved is still one of those that it can have.
        let box_of = |(count, apart): &(i64, i64)| Range::stepped(0, (count - 1) * apart, *apart);
        let places =
            self.along.iter().map(box_of).chain(self.at.values.iter().map(|value| range(ir, *value)));
        let places: Vec<Range> = places.collect::<Option<_>>()?;
        let shape = ir.ty(self.memory).shape(ir.cx())?.to_vec();
        let mut maps = Vec::new();
        for ((expr, plain), size) in exprs.iter().zip(&self.at.map.results).zip(&shape) {
            let all = range_of(plain, places.as_slice())?;
            if all.min() < 0 {
                return None;
            }
            // Held inside of the buffer where it is not seen to be.
            let last = (all.max() >= *size).then(|| AffineExpr::Constant(size - 1));
            let simple = simplify_with_ranges(expr, ranges.as_slice());
            let results = std::iter::once(simple).chain(last).collect();
            maps.push(AffineMap::new(dims.values.len() as u32, 0, results)?);
        }
        let loc = ir.loc(before);
        let mut b = Builder::before(ir, before);
        b.set_loc(loc);
        let mut indices = Vec::new();
        for map in maps {
            let least = map.results.len() > 1;
            let map = b.cx().map_attr(map);
            indices.push(match least {
                true => affine::Min::build(&mut b, &dims.values, map).result(b.read()),
                false => affine::Apply::build(&mut b, &dims.values, map).result(b.read()),
            });
        }
        let cx = b.cx();
        let (writes, data) = (cx.bool_attr(writes), cx.bool_attr(true));
        let near = cx.int_attr(near, cx.common().i32);
        memref::Prefetch::build(&mut b, self.memory, &indices, writes, near, data);
        Some(())
    }
}

/// What values a loop's variable has
pub(crate) fn range(ir: &Ir, value: Value) -> Option<Range> {
    let ValueDef::Arg(block, 0) = ir.value_def(value)? else { return None };
    let info = For::cast(ir, ir.block_parent(block)?)?.info(ir)?;
    Range::stepped(0, (info.trip() - 1).max(0).checked_mul(info.tile)?, info.tile)
}

/// A loop in order with more than one iteration
fn in_order(ir: &Ir, op: OpId) -> Option<LoopInfo> {
    let info = For::cast(ir, op)?.info(ir)?;
    (info.level == Level::Seq && info.trip() > 1).then_some(info)
}

/// The loops in order of a nest that have none inside
fn innermost(ir: &Ir, nest: OpId) -> Vec<LoopInfo> {
    let all = std::iter::once(nest).chain(ir.walk_below(nest));
    let has_none = |op: OpId| ir.walk_below(op).all(|inner| in_order(ir, inner).is_none());
    all.filter(|op| has_none(*op)).filter_map(|op| in_order(ir, op)).collect()
}

/// The first op of a loop's body
fn start(ir: &Ir, info: &LoopInfo) -> Option<OpId> {
    ir.first_op(ir.entry(info.op.body(ir))?)
}

/// Blocks around an op, from the inside; `None` inside of a kernel
fn around(ir: &Ir, op: OpId) -> Option<Vec<BlockId>> {
    let (mut all, mut at) = (Vec::new(), op);
    while let Some(outer) = ir.parent(at) {
        if Kernel::cast(ir, outer).is_some() {
            return None;
        }
        all.extend(ir.block(at));
        at = outer;
    }
    Some(all)
}

fn ceil(a: i64, b: i64) -> i64 {
    (a.max(0) as u64).div_ceil(b.max(1) as u64) as i64
}
