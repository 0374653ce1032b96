//! The part of a large operand that is copied next.
//!
//! Where a block of an operand that no cache holds is copied, used for few rows, and followed by the next, memory rests
//! while it is used. So the loops that use it ask for the next block: iterations of the loops around the innermost ones are
//! numbers of lines, as are these loops' own.

use super::{Lines, around, in_order, innermost, start};
use terrace_dialect_sched::access::Dims;
use terrace_dialect_sched::{Copy, For, LoopInfo};
use terrace_dialect_sched::{Space, space};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::affine::AffineExpr;

/// Bytes of an operand that comes from memory each time
pub(crate) const FAR: i64 = 16 << 20;

/// Iterations of innermost loops for each line: with fewer there is no time, with many more the copy is no matter
const ITERATIONS: std::ops::RangeInclusive<i64> = 2..=64;

/// Ask for the next block of what is copied; how many loops do
pub(crate) fn panels(ir: &mut Ir) -> u64 {
    let copies: Vec<Copy> = ir.walk().filter_map(|op| Copy::cast(ir, op)).collect();
    copies.into_iter().filter_map(|copy| block(ir, copy)).sum()
}

fn block(ir: &mut Ir, copy: Copy) -> Option<u64> {
    if copy.operator(ir).is_some() || space::of(ir.cx(), ir.ty(copy.dst(ir))) == Space::Private {
        return None;
    }
    // The loops that say which block it is.
    let mut loops = Vec::new();
    for block in around(ir, copy.0)? {
        let Some(info) = ir.block_parent(block).and_then(|op| in_order(ir, op)) else { break };
        loops.push(info);
    }
    let from = copy.from(ir)?;
    loops.retain(|info| from.values.contains(&info.iv));
    let lines = Lines::of(ir, copy.src(ir), from, &copy.sizes(ir), FAR)?;
    let inner = loops.first()?;
    let moved = |dims: &mut Dims, value: Value| {
        let mut round = |info: &LoopInfo| AffineExpr::floor_div(dims.value(info.iv), info.tile.into());
        let ahead = AffineExpr::add(round(inner), 1.into());
        let (info, sum) = match loops.iter().take(2).position(|info| info.iv == value) {
            Some(0) => (inner, ahead),
            // The inner one begins anew.
            Some(at) => {
                let over = AffineExpr::floor_div(ahead, inner.trip().into());
                (&loops[at], AffineExpr::add(round(&loops[at]), over))
            }
            None => return dims.value(value),
        };
        AffineExpr::mul(AffineExpr::modulo(sum, info.trip().into()), info.tile.into())
    };
    let user =
        std::iter::successors(ir.next(copy.0), |op| ir.next(*op)).find(|op| For::cast(ir, *op).is_some())?;
    let uses = Uses::of(ir, user)?;
    if !ITERATIONS.contains(&(uses.iterations / lines.count().max(1))) {
        return None;
    }
    // Iterations of an innermost loop that ask for one line.
    let each = 1i64 << (uses.numbers() / lines.count().max(1)).max(1).ilog2();
    let mut count = 0;
    for (n, leaf) in uses.leaves.iter().enumerate() {
        let Some(before) = start(ir, leaf) else { continue };
        let mut dims = Dims::default();
        let mut number = AffineExpr::Constant(0);
        for info in &uses.around {
            let at = AffineExpr::floor_div(dims.value(info.iv), info.tile.into());
            number = AffineExpr::add(AffineExpr::mul(number, info.trip().into()), at);
        }
        number = AffineExpr::mul(number, (uses.leaves.len() as i64).into());
        number = AffineExpr::add(number, (n as i64).into());
        number = AffineExpr::mul(number, (leaf.trip() / each).max(1).into());
        let own = AffineExpr::floor_div(dims.value(leaf.iv), leaf.tile.checked_mul(each)?.into());
        number = AffineExpr::add(number, own);
        count += u64::from(lines.ask(ir, before, (number, dims), &moved, (false, 2)).is_some());
    }
    Some(count)
}

/// The loops of what uses a block
struct Uses {
    /// Loops around all of the others, from the outside
    around: Vec<LoopInfo>,
    /// The innermost ones, of as many iterations each
    leaves: Vec<LoopInfo>,
    /// How often these do something in all
    iterations: i64,
}

impl Uses {
    fn of(ir: &Ir, nest: OpId) -> Option<Uses> {
        let leaves = innermost(ir, nest);
        let trip = leaves.first()?.trip();
        if leaves.iter().any(|leaf| leaf.trip() != trip) {
            return None;
        }
        let iterations = leaves.iter().fold(0i64, |all, leaf| {
            let outer = std::iter::successors(ir.parent(leaf.op.0), |op| ir.parent(*op));
            let inside = outer.take_while(|op| *op == nest || ir.is_inside(*op, nest));
            let loops = inside.filter_map(|op| in_order(ir, op));
            all.saturating_add(loops.fold(trip, |all, info| all.saturating_mul(info.trip())))
        });
        let mut around = vec![in_order(ir, nest)?];
        while let Some(body) = ir.entry(around.last()?.op.body(ir)) {
            let inner: Vec<LoopInfo> = ir.block_ops(body).filter_map(|op| in_order(ir, op)).collect();
            match inner.as_slice() {
                [one] if one.from.is_none() && one.limit.is_none() => around.push(one.clone()),
                _ => break,
            }
        }
        // An innermost loop counts its own iterations.
        around.retain(|info| leaves.iter().all(|leaf| leaf.op != info.op));
        Some(Uses { around, leaves, iterations })
    }

    /// How many numbers its loops tell apart
    fn numbers(&self) -> i64 {
        let leaves = self.leaves.iter().fold(0i64, |all, leaf| all.saturating_add(leaf.trip()));
        self.around.iter().fold(leaves, |all, info| all.saturating_mul(info.trip()))
    }
}
