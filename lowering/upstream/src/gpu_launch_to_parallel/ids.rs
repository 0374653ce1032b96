//! Where a thread is, as numbers: ids and sizes that ops ask for become those of the loops.

use super::{Refused, exchanges};
use terrace_dialect_arith as arith;
use terrace_dialect_gpu as gpu;
use terrace_ir::{BlockId, Builder, Ir, OpDef, OpId, Value};

/// Ids and sizes by axis: x, y, z
pub(super) struct GridIds {
    pub(super) blocks: [Value; 3],
    /// Arguments of the launched region: each piece has its own
    pub(super) threads: [Value; 3],
    pub(super) grid: [Value; 3],
    pub(super) sizes: [Value; 3],
    /// Threads of a subgroup
    pub(super) subgroup: u64,
}

/// Ops that say where a thread is
const HERE: [&OpDef; 9] = [
    gpu::BlockDim::DEF,
    gpu::BlockId::DEF,
    gpu::GlobalId::DEF,
    gpu::GridDim::DEF,
    gpu::LaneId::DEF,
    gpu::NumSubgroups::DEF,
    gpu::SubgroupId::DEF,
    gpu::SubgroupSize::DEF,
    gpu::ThreadId::DEF,
];

/// An op of the dialect that has no meaning outside of a device, and that nothing here gives one
pub(super) fn unknown(ir: &Ir, launch: OpId) -> Option<Refused> {
    let known = |op: OpId| {
        let def = ir.def(op);
        def.dialect() != gpu::GPU.name
            || HERE.iter().any(|here| std::ptr::eq(*here, def))
            // What prints stays as it is.
            || [gpu::Barrier::DEF, gpu::Printf::DEF, gpu::Terminator::DEF].iter().any(|known| std::ptr::eq(*known, def))
            || exchanges(ir, op)
    };
    let op = ir.walk_below(launch).find(|op| ir.child(*op).is_none() && !known(*op))?;
    let why = match ir.is(op, gpu::AllReduce::DEF) {
        true => {
            "has no counterpart on the host: `gpu-all-reduce-to-shared` makes shared memory and barriers of it"
        }
        false => "has no counterpart on the host",
    };
    Some((op, why.to_string()))
}

/// Replace ops that say where a thread is
pub(super) fn lower(ir: &mut Ir, block: BlockId, place: &GridIds) {
    let parent = ir.block_parent(block).expect("the block is in a loop");
    let found: Vec<OpId> =
        ir.walk_below(parent).filter(|op| HERE.iter().any(|def| ir.is(*op, def))).collect();
    for op in found {
        let axis = ir
            .attr(op, "dimension")
            .and_then(|attr| gpu::Dimension::of(ir.cx(), attr))
            .unwrap_or(gpu::Dimension::X) as usize;
        let is = |def| ir.is(op, def);
        let value = if is(gpu::BlockDim::DEF) {
            place.sizes[axis]
        } else if is(gpu::BlockId::DEF) {
            place.blocks[axis]
        } else if is(gpu::GridDim::DEF) {
            place.grid[axis]
        } else if is(gpu::ThreadId::DEF) {
            place.threads[axis]
        } else {
            computed(ir, op, axis, place)
        };
        let result = ir.result(op, 0);
        ir.replace_all_uses(result, value);
        ir.erase(op);
    }
}

fn computed(ir: &mut Ir, op: OpId, axis: usize, place: &GridIds) -> Value {
    let (global, lane, group, groups) = (
        ir.is(op, gpu::GlobalId::DEF),
        ir.is(op, gpu::LaneId::DEF),
        ir.is(op, gpu::SubgroupId::DEF),
        ir.is(op, gpu::NumSubgroups::DEF),
    );
    let mut b = Builder::before(ir, op);
    if global {
        let before = arith::MulI::build(&mut b, place.blocks[axis], place.sizes[axis]).result(b.read());
        return arith::AddI::build(&mut b, before, place.threads[axis]).result(b.read());
    }
    let lanes = super::index(&mut b, place.subgroup as i64);
    if lane {
        let number = number(&mut b, place.threads, place.sizes);
        arith::RemUI::build(&mut b, number, lanes).result(b.read())
    } else if group {
        let number = number(&mut b, place.threads, place.sizes);
        arith::DivUI::build(&mut b, number, lanes).result(b.read())
    } else if groups {
        let [x, y, z] = place.sizes;
        let rows = arith::MulI::build(&mut b, z, y).result(b.read());
        let count = arith::MulI::build(&mut b, rows, x).result(b.read());
        arith::CeilDivUI::build(&mut b, count, lanes).result(b.read())
    } else {
        lanes
    }
}

/// Number of a thread in its block, x fastest
pub(super) fn number(b: &mut Builder<'_>, [x, y, z]: [Value; 3], [sx, sy, _]: [Value; 3]) -> Value {
    let planes = arith::MulI::build(b, z, sy).result(b.read());
    let row = arith::AddI::build(b, planes, y).result(b.read());
    let rows = arith::MulI::build(b, row, sx).result(b.read());
    arith::AddI::build(b, rows, x).result(b.read())
}
