//! `gpu.launch` on the host: blocks are a parallel loop, and threads are one between each two places where they wait.
//!
//! ```mlir
//! gpu.launch blocks(…) threads(%t …) { a(%t); gpu.barrier; b(%t) }
//! // becomes
//! scf.parallel (blocks) { scf.parallel (%t …) { a(%t) } scf.parallel (%t …) { b(%t) } }
//! ```
//!
//! Made to check kernels where there is no device, not to be fast: what a thread keeps across a barrier goes to memory.
//! `ids` makes places of threads ordinary numbers, `split` cuts the code where threads wait, `cross` brings values from one
//! piece to another, `host` makes device memory host memory.

mod cross;
mod host;
mod ids;
mod split;

use crate::codes;
use split::Splitter;
use terrace_diag::Reported;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_gpu::{self as gpu, Launch};
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Launched regions become parallel loops on the host, split where threads wait
///
/// Blocks are a `scf.parallel`; the threads of a block are one for each piece of the body between barriers, shuffles, and
/// loops and conditions that hold such. What a thread needs in a later piece is computed again if that takes a few ops,
/// else kept in a buffer with an element per thread; so is memory of a thread. Loops and conditions around a barrier are
/// taken once per block: that all threads agree is asserted where it is not plain. Device memory becomes host memory, and
/// what was asynchronous happens in order.
#[pass("gpu-launch-to-parallel", stats("launches converted"))]
pub struct GpuLaunchToParallel {
    /// threads of a subgroup
    #[option(default = 32)]
    subgroup: u64,
}

/// At which op it cannot be done, and why
type Refused = (OpId, String);

impl Pass for GpuLaunchToParallel {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<OpId> = unit.walk().filter(|op| host::converts(unit, *op)).collect();
        cx.set_changed(!found.is_empty());
        // Users of tokens before what gives them.
        for op in found.into_iter().rev() {
            let done = match Launch::cast(unit, op) {
                Some(launch) => {
                    cx.count("launches converted", 1);
                    convert(unit, launch, self.subgroup.max(1))
                }
                None => host::convert(unit, op),
            };
            if let Err((op, why)) = done {
                return cx.fail(unit, op, &codes::NOT_ON_HOST, why);
            }
        }
        Ok(())
    }
}

/// A number before the next op
fn index(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    arith::Constant::build(b, attr).result(b.read())
}

fn compare(b: &mut Builder<'_>, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
    arith::CmpI::build(b, x, y, predicate).result(b.read())
}

/// A parallel loop from zero by one over sizes, outermost first; its body ends, and is otherwise empty
fn parallel(b: &mut Builder<'_>, sizes: &[Value]) -> BlockId {
    let (zero, one, rank) = (index(b, 0), index(b, 1), sizes.len());
    let operands = [vec![zero; rank], sizes.to_vec(), vec![one; rank]].concat();
    let kind = b.kind(scf::Parallel::DEF);
    let segments = [rank as u32, rank as u32, rank as u32, 0];
    let op = b.insert(&NewOp { operands: &operands, segments: &segments, regions: 1, ..NewOp::new(kind) });
    let (ty, loc) = (b.cx().common().index, b.loc());
    let ir = b.ir();
    let region = ir.region(op, 0);
    let block = ir.append_block(region);
    for _ in sizes {
        ir.add_block_arg(block, ty);
    }
    let mut inner = Builder::at_end(ir, block);
    inner.set_loc(loc);
    scf::Reduce::build(&mut inner, &[], 0);
    block
}

fn convert(ir: &mut Ir, launch: Launch, subgroup: u64) -> Result<(), Refused> {
    let op = launch.id();
    let Some(body) = ir.single_block(launch.body(ir)) else {
        return Err((
            op,
            "has several blocks: structured control flow can be split where threads wait".into(),
        ));
    };
    if let Some(token) = launch.async_token(ir).filter(|token| ir.is_used(*token)) {
        return Err((op, host::token_is_used(ir, token)));
    }
    if let Some(refused) = ids::unknown(ir, op) {
        return Err(refused);
    }
    let (grid, sizes) = (launch.grid(ir), launch.block(ir));
    let clusters = launch.cluster(ir);
    let (workgroup, private) =
        (launch.workgroup_attributions(ir).to_vec(), launch.private_attributions(ir).to_vec());
    let args = ir.block_args(body).to_vec();

    let mut b = Builder::before(ir, op);
    let block = parallel(&mut b, &[grid[2], grid[1], grid[0]]);
    let end = ir.last_op(block).expect("it ends");
    let mut b = Builder::before(ir, end);
    let rows = arith::MulI::build(&mut b, sizes[2], sizes[1]).result(b.read());
    let count = arith::MulI::build(&mut b, rows, sizes[0]).result(b.read());
    let ids: Vec<Value> = ir.block_args(block).iter().rev().copied().collect();

    // The body stands in the loop; its arguments are what they stand for, but those of threads.
    while let Some(first) = ir.first_op(body) {
        ir.detach(first);
        match ir.is(first, gpu::Terminator::DEF) {
            true => ir.erase(first),
            false => ir.insert_before(end, first),
        }
    }
    let place = ids::GridIds {
        blocks: [ids[0], ids[1], ids[2]],
        threads: [args[3], args[4], args[5]],
        grid,
        sizes,
        subgroup,
    };
    let blocks = args[..3].iter().copied().zip(place.blocks);
    let known =
        blocks.chain(args[6..9].iter().copied().zip(grid)).chain(args[9..12].iter().copied().zip(sizes));
    for (old, new) in known.collect::<Vec<_>>() {
        ir.replace_all_uses(old, new);
    }
    if let Some(clusters) = clusters {
        for axis in 0..3 {
            let mut b = Builder::before(ir, ir.next(ir.defining_op(count).expect("an op")).expect("the end"));
            let id = arith::DivUI::build(&mut b, place.blocks[axis], clusters[axis]).result(b.read());
            ir.replace_all_uses(args[12 + axis], id);
            ir.replace_all_uses(args[15 + axis], clusters[axis]);
        }
    }
    let owned = buffers(ir, end, count, &workgroup, &private);
    ids::lower(ir, block, &place);
    let mut split = Splitter::new(ir, &place, count, owned);
    split.body(block)?;
    split.finish(end);
    ir.erase(op);
    Ok(())
}

/// Buffers of the block, to be freed at its end; those of a thread are its own memory, as if the body had allocated it
fn buffers(ir: &mut Ir, end: OpId, count: Value, workgroup: &[Value], private: &[Value]) -> Vec<Value> {
    let def = ir.defining_op(count).expect("an op");
    let first = ir.next(def).unwrap_or(end);
    let mut owned = Vec::new();
    for arg in workgroup {
        let ty = ir.ty(*arg);
        let mut b = Builder::before(ir, first);
        let buffer = memref::Alloc::build(&mut b, &[], &[], ty).memref(b.read());
        ir.copy_value_name(*arg, buffer);
        ir.replace_all_uses(*arg, buffer);
        owned.push(buffer);
    }
    for arg in private {
        let ty = ir.ty(*arg);
        let mut b = Builder::before(ir, first);
        let buffer = memref::Alloca::build(&mut b, &[], &[], ty).memref(b.read());
        ir.copy_value_name(*arg, buffer);
        ir.replace_all_uses(*arg, buffer);
    }
    owned
}

/// Does it always give the same, and do nothing else?
fn is_pure(ir: &Ir, op: OpId) -> bool {
    ir.has(op, Traits::Pure) && ir.num_regions(op) == 0 && ir.num_results(op) > 0 && !exchanges(ir, op)
}

/// Do threads of a subgroup show each other a value?
fn exchanges(ir: &Ir, op: OpId) -> bool {
    [gpu::Shuffle::DEF, gpu::Rotate::DEF].iter().any(|def| ir.is(op, def))
}
