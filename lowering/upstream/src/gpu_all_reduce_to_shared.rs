//! `gpu.all_reduce` becomes a tree in the block's shared memory.
//!
//! The tree is [`gpu_tree`](crate::gpu_tree)'s, which `sched-to-scf` emits too. It has ten rounds, since no device has more than 1024 threads
//! in a block. Built-in operators commute; a function need not, so that it merges neighbours. A barrier stands behind it, before the buffer is used again.

use crate::codes;
use crate::gpu_tree::{Count, Emits, Group, shared_tree};
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_gpu as gpu;
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, InsertPoint, Ir, NewOp, OpDef, OpId, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Values of all threads of a block are merged in its shared memory
///
/// In kernels (`gpu.func`) and launched regions (`gpu.launch`) without private attributions. Blocks of at most 1024 threads.
#[pass("gpu-all-reduce-to-shared", stats("reductions lowered"))]
pub struct GpuAllReduceToShared;

/// Most threads of a block on any device
const THREADS: i64 = 1024;

impl Pass for GpuAllReduceToShared {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<OpId> = unit.walk().filter(|op| gpu::AllReduce::cast(unit, *op).is_some()).collect();
        for op in &found {
            if !lower(unit, gpu::AllReduce(*op)) {
                let message = "needs a buffer of the block: inside of 'gpu.func' or 'gpu.launch', without private attributions, \
                               and with an operator of one block";
                return cx.fail(unit, *op, &codes::NO_BLOCK_BUFFER, message);
            }
        }
        cx.count("reductions lowered", found.len() as u64);
        cx.set_changed(!found.is_empty());
        Ok(())
    }
}

/// A new buffer of the kernel around
fn buffer(ir: &mut Ir, op: OpId, elem: Type) -> Option<Value> {
    let mut around = ir.parent(op);
    while let Some(owner) = around {
        let private = match (gpu::Func::cast(ir, owner), gpu::Launch::cast(ir, owner)) {
            (Some(kernel), _) => !kernel.private_attributions(ir).is_empty(),
            (_, Some(launch)) => !launch.private_attributions(ir).is_empty(),
            _ => {
                around = ir.parent(owner);
                continue;
            }
        };
        let entry = ir.entry(ir.region(owner, 0)).filter(|_| !private)?;
        let cx = ir.cx_arc().clone();
        let space = gpu::AddressSpace::Workgroup.attr(&cx);
        let shape = [THREADS];
        let ty = cx.ty(TypeKind::MemRef { shape: shape[..].into(), elem, layout: None, space: Some(space) });
        let count = ir.discardable(owner, "workgroup_attributions").and_then(|attr| attr.as_i64(&cx));
        let count = cx.int_attr((count.unwrap_or(0) + 1).into(), cx.common().i64);
        ir.set_discardable(owner, "workgroup_attributions", Some(count));
        return Some(ir.add_block_arg(entry, ty));
    }
    None
}

struct Emit<'a> {
    ir: &'a mut Ir,
    at: InsertPoint,
    like: OpId,
}

impl Emit<'_> {
    fn b(&mut self) -> Builder<'_> {
        let loc = self.ir.loc(self.like);
        let mut b = Builder::before(self.ir, self.like);
        b.set_insert_point(self.at);
        b.set_loc(loc);
        b
    }

    fn value(&mut self, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
        let mut b = self.b();
        let kind = b.kind(def);
        let op = b.insert(&NewOp { operands, results: &[ty], ..NewOp::new(kind) });
        self.ir.result(op, 0)
    }

    fn index(&mut self, value: i64) -> Value {
        let attr = self.ir.cx().index_attr(value);
        let op = arith::Constant::build(&mut self.b(), attr);
        op.result(self.ir)
    }

    /// Number of the thread in its block, and threads of the block
    fn thread(&mut self) -> (Value, Value) {
        let cx = self.ir.cx_arc().clone();
        let index = cx.common().index;
        let mut all: Option<(Value, Value)> = None;
        // z first: number = x + sizes.x * (y + sizes.y * z)
        for dim in [gpu::Dimension::Z, gpu::Dimension::Y, gpu::Dimension::X] {
            let id = gpu::ThreadId::build(&mut self.b(), dim);
            let id = id.result(self.ir);
            let size = gpu::BlockDim::build(&mut self.b(), dim);
            let size = size.result(self.ir);
            all = Some(match all {
                None => (id, size),
                Some((number, count)) => {
                    let scaled = self.value(arith::MulI::DEF, &[number, size], index);
                    let number = self.value(arith::AddI::DEF, &[scaled, id], index);
                    (number, self.value(arith::MulI::DEF, &[count, size], index))
                }
            });
        }
        all.expect("there are three axes")
    }

    /// `a ⊕ b`
    fn merge(&mut self, op: gpu::AllReduce, a: Value, b: Value) -> Value {
        let ty = self.ir.ty(a);
        if let Some(body) = self.ir.entry(op.body(self.ir)) {
            return self.inlined(body, a, b);
        }
        let cx = self.ir.cx_arc().clone();
        let kind = op.operator(self.ir).unwrap_or(gpu::AllReduceOperation::Add);
        let def =
            arith::scalar_op(kind.into(), ty.is_float(&cx)).expect("verified: the operator fits the type");
        self.value(def, &[a, b], ty)
    }

    /// The op's own function of two values
    fn inlined(&mut self, body: BlockId, a: Value, b: Value) -> Value {
        let mut map = ValueMap::default();
        for (arg, value) in self.ir.block_args(body).to_vec().into_iter().zip([a, b]) {
            map.insert(arg, value);
        }
        let ops: Vec<OpId> = self.ir.block_ops(body).collect();
        let Some((end, rest)) = ops.split_last() else { return a };
        for op in rest {
            let copy = self.ir.clone_op(None, *op, &mut map);
            self.b().place(copy);
        }
        let given = self.ir.operand(*end, 0);
        map.get(given).unwrap_or(given)
    }
}

impl Emits for Emit<'_> {
    fn b(&mut self) -> Builder<'_> {
        self.b()
    }

    fn at(&mut self) -> &mut InsertPoint {
        &mut self.at
    }

    fn number(&mut self, value: i64) -> Value {
        self.index(value)
    }
}

fn lower(ir: &mut Ir, op: gpu::AllReduce) -> bool {
    let value = op.value(ir);
    let ty = ir.ty(value);
    // A function of several blocks would need blocks here.
    if ir.blocks(op.body(ir)).count() > 1 {
        return false;
    }
    let Some(buffer) = buffer(ir, op.0, ty) else { return false };
    let mut e = Emit { ir, at: InsertPoint::Before(op.0), like: op.0 };
    let (number, count) = e.thread();
    let commutes = e.ir.entry(op.body(e.ir)).is_none();
    let count = Count::Value(count, THREADS);
    let group = Group { here: number, id: number, stride: 1, count, commutes, whole: None };
    let merge = |e: &mut Emit<'_>, a: &[Value], b: &[Value]| vec![e.merge(op, a[0], b[0])];
    let all = shared_tree(&mut e, group, &[value], &[buffer], &merge);
    gpu::Barrier::build(&mut e.b());
    let old = op.result(e.ir);
    e.ir.replace_all_uses(old, all[0]);
    e.ir.erase(op.0);
    true
}
