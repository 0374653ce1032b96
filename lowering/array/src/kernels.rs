//! Launches: each outermost nest with loops at levels of a grid goes into a kernel of its own.
//!
//! Grid and block are the trips of its loops. A `global` loop has no size of a block: one is chosen where the program says none.

use crate::codes;
use crate::lower::{Done, Stop};
use terrace_dialect_func::Func;
use terrace_dialect_sched::{Alloc, For, Kernel, Level};
use terrace_ir::{BlockId, Builder, Ir, OpId, TypeKind};

/// Threads of a block along each axis where a loop at level `global` says nothing
pub const GLOBAL: [i64; 3] = [64, 4, 1];

/// Put kernels around nests; gives their number. `blocks`: threads of a block that `global` loops are for
pub(crate) fn wrap(ir: &mut Ir, entry: BlockId, blocks: &[(OpId, i64)]) -> Done<u64> {
    let tops: Vec<OpId> = ir.block_ops(entry).filter(|op| For::cast(ir, *op).is_some()).collect();
    let name = Func::cast(ir, ir.root())
        .map(|func| func.sym_name(ir))
        .and_then(|name| name.as_str(ir.cx()))
        .unwrap_or("kernel")
        .to_string();
    let mut count = 0;
    for top in tops {
        let Some((grid, block)) = sizes(ir, top, blocks)? else { continue };
        let own = if count == 0 { name.clone() } else { format!("{name}_{count}") };
        let kernel = Kernel::make(&mut Builder::before(ir, top), &own, grid, block);
        let body = kernel.body(ir);
        if let Some(inside) = ir.entry(body) {
            ir.detach(top);
            ir.append(inside, top);
        }
        count += 1;
    }
    Ok(count)
}

/// Grid and block of a nest, if it has loops for one
fn sizes(ir: &Ir, top: OpId, blocks: &[(OpId, i64)]) -> Done<Option<([i64; 3], [i64; 3])>> {
    let (mut grid, mut block) = ([1; 3], [1; 3]);
    // Memory of blocks and threads is a kernel's, if it be one thread.
    let mut any = ir.walk_below(top).any(|op| {
        let ty = Alloc::cast(ir, op).map(|alloc| ir.ty(alloc.memref(ir)));
        let space = ty.and_then(|ty| match ty.kind(ir.cx()) {
            TypeKind::MemRef { space, .. } => *space,
            _ => None,
        });
        space.is_some_and(|space| space.as_str(ir.cx()).is_none())
    });
    let mut loops: Vec<For> = vec![For(top)];
    loops.extend(ir.walk_below(top).filter_map(|op| For::cast(ir, op)));
    for each in loops {
        let Some(info) = each.info(ir) else { continue };
        let trip = info.trip().max(1);
        let (level, axis) = match (info.level, info.level.axis()) {
            (level, Some(axis)) => (level, axis.number()),
            _ => continue,
        };
        match level {
            Level::Block(_) => grid[axis] = trip.max(grid[axis]),
            Level::Thread(_) => block[axis] = trip.max(block[axis]),
            Level::Global(_) => {
                let said = blocks.iter().find(|(op, _)| *op == each.id()).map(|(_, threads)| *threads);
                let own = trip.min(said.unwrap_or(GLOBAL[axis]));
                block[axis] = own.max(block[axis]);
                grid[axis] = ((trip + own - 1) / own).max(grid[axis]);
            }
            Level::Lane(_) | Level::Warp(_) | Level::Cluster(_) => {
                return Err(Stop {
                    op: each.id(),
                    code: &codes::LEVEL,
                    message: format!("is at level '{level}', whose hardware sizes nobody says here"),
                    help: "use block and thread levels".into(),
                    also: None,
                });
            }
            _ => continue,
        }
        any = true;
    }
    Ok(any.then_some((grid, block)))
}
