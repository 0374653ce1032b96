//! Places of a large buffer that a tile of registers is merged into when its reduction is over.
//!
//! A tile would wait for each of them then, with nothing else to do. So the reduction's innermost loops ask for a line in each of
//! their iterations.

use super::{Lines, around, innermost, start};
use terrace_dialect_sched::access::Dims;
use terrace_dialect_sched::{Copy, For, LoopInfo};
use terrace_dialect_sched::{Space, space};
use terrace_ir::{Ir, OpId};
use terrace_support::affine::AffineExpr;

/// Bytes of a buffer that the second cache does not hold
const FAR: i64 = 1 << 20;

/// Ask for the places that tiles of registers are merged into; how many loops do
pub(crate) fn sums(ir: &mut Ir) -> u64 {
    let copies: Vec<Copy> = ir.walk().filter_map(|op| Copy::cast(ir, op)).collect();
    let mut count = 0;
    for copy in copies {
        let Some((lines, nests)) = tile(ir, copy) else { continue };
        for nest in nests {
            for info in innermost(ir, nest) {
                count += u64::from(ask(ir, &lines, &info).is_some());
            }
        }
    }
    count
}

/// Where a tile of registers is merged into, and the loops that fill it
fn tile(ir: &Ir, copy: Copy) -> Option<(Lines, Vec<OpId>)> {
    let src = copy.src(ir);
    copy.operator(ir)?;
    copy.from(ir)?;
    around(ir, copy.0)?;
    if space::of(ir.cx(), ir.ty(src)) != Space::Private {
        return None;
    }
    let lines = Lines::of(ir, copy.dst(ir), copy.to(ir), &copy.sizes(ir), FAR)?;
    let alloc = ir.defining_op(src)?;
    let (mut nests, mut at) = (Vec::new(), ir.prev(copy.0));
    while let Some(op) = at.filter(|op| *op != alloc) {
        nests.extend(For::cast(ir, op).map(|nest| nest.0));
        at = ir.prev(op);
    }
    Some((lines, nests))
}

/// Each iteration of a loop asks for a line; `None` if it has fewer iterations than there are lines
fn ask(ir: &mut Ir, lines: &Lines, info: &LoopInfo) -> Option<()> {
    let start = start(ir, info)?;
    let rounds = u64::try_from(info.trip() / lines.count().max(1)).ok().filter(|rounds| *rounds > 0)?;
    // The same line as many times as a shift counts.
    let each = info.tile.checked_mul(1 << rounds.ilog2())?;
    let mut dims = Dims::default();
    let number = AffineExpr::floor_div(dims.value(info.iv), each.into());
    lines.ask(ir, start, (number, dims), &|dims, value| dims.value(value), (true, 3))
}
