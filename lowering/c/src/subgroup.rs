//! What lanes of a subgroup exchange in CUDA C: reductions, broadcasts, rotations; and memory whose size a launch says.
//!
//! Shuffles name all 32 lanes, so the block must be known to have whole subgroups.

use crate::buffer::{Dim, Space, View};
use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::literals::integers;
use crate::refusal::Done;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_gpu::{self as gpu, ShuffleMode};
use terrace_dialect_memref as memref;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { gpu:
    DynamicSharedMemory any, |e, op| e.dynamic_memory(gpu::DynamicSharedMemory(op));
    LaneId any, |e, op| e.subgroup_id(op, (0, 31), &format!("({THREAD}) % 32"));
    NumSubgroups any, |e, op| {
        e.subgroup_id(op, (1, 32), "(blockDim.x * blockDim.y * blockDim.z + 31) / 32")
    };
    Rotate |c, op| exchanges(c, gpu::Rotate(op).value(c.ir)), |e, op| e.rotate_lanes(gpu::Rotate(op));
    Shuffle any, |e, op| e.shuffle(gpu::Shuffle(op));
    SubgroupBroadcast |c, op| exchanges(c, gpu::SubgroupBroadcast(op).src(c.ir)), |e, op| {
        e.broadcast_lane(gpu::SubgroupBroadcast(op))
    };
    SubgroupId any, |e, op| e.subgroup_id(op, (0, 31), &format!("({THREAD}) / 32"));
    SubgroupReduce |c, op| exchanges(c, gpu::SubgroupReduce(op).value(c.ir)), |e, op| {
        e.subgroup_reduce(gpu::SubgroupReduce(op))
    };
    SubgroupSize any, |e, op| e.subgroup_id(op, (32, 32), "32");
};

/// Help where lanes cannot be combined
pub(crate) const COMBINE: &str = "combine through workgroup memory and `gpu.barrier`";

/// Number of the thread in its block
const THREAD: &str = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)";

/// Lanes of a subgroup
const LANES: i128 = 32;

/// Are subgroups whole, and is the value one that they exchange? A type that cannot be said is reported as such
fn exchanges(c: &Check<'_>, value: Value) -> Checked {
    let ir = c.ir;
    let size = ir.attr(ir.root(), "known_block_size").and_then(|attr| integers(c.cx(), attr));
    let whole = size.is_some_and(|size| size.iter().product::<i128>() % LANES == 0);
    if !whole {
        let help = "`known_block_size` with a multiple of 32 threads";
        return Err(Refusal::new("the subgroups of the block may not be whole", help));
    }
    if Scalar::of(c.cx(), ir.ty(value)).is_some_and(|ty| ty.width() < 32) {
        return Err(Refusal::new("lanes exchange 32 or 64 bits", "extend the value first"));
    }
    Ok(())
}

impl Emit<'_> {
    fn subgroup_id(&mut self, op: OpId, range: (i128, i128), text: &str) -> Done {
        let result = self.ir.result(op, 0);
        self.values.set_range(result, range);
        self.declare_id(result, self.mnemonic(op), text.to_string());
        Ok(())
    }

    /// A variable for the lane of this thread
    fn lane(&mut self) -> Expr {
        self.text.variable("int", "lane", &Expr::new(format!("({THREAD}) % 32"), prec::PRODUCT))
    }

    fn shuffle(&mut self, shuffle: gpu::Shuffle) -> Done {
        let (ir, op) = (self.ir, shuffle.id());
        let (result, valid) = (shuffle.shuffle_result(ir), shuffle.valid(ir));
        let ty = self.scalar_of(op, result)?;
        if ty.width() < 32 {
            return self.no_op(op, "shuffles exchange 32 or 64 bits", "extend the value first");
        }
        let mode = shuffle.mode(ir);
        let (value, offset, width) = (shuffle.value(ir), shuffle.offset(ir), shuffle.width(ir));
        let range = self.range(width);
        if range.0 == range.1 && !(1..=32).contains(&range.0) {
            let why = format!("it exchanges among {} lanes, and there are 32", range.0);
            return self.no_op(op, &why, "choose subgroups of 32 threads at most");
        }
        let value = self.values.expr(value);
        let (offset, width) = (self.leaf(offset), self.leaf(width));
        let function = match mode {
            ShuffleMode::Idx => "__shfl_sync".to_string(),
            mode => format!("__shfl_{}_sync", mode.word()),
        };
        let mask = match range {
            (low, high) if low == high && low < 32 && low > 0 => format!("0x{:x}", (1u64 << low) - 1),
            _ => "0xffffffff".to_string(),
        };
        let args = [&Expr::atom(mask), &value, &offset, &width];
        self.flush();
        self.bind_now(result, Expr::call(&function, &args));
        if ir.is_used(valid) {
            let lane = self.lane();
            let (offset, width) = (offset.at(prec::SUM), width.at(prec::SUM));
            let text = match mode {
                ShuffleMode::Xor => format!("({lane} ^ {offset}) < {width}", lane = lane.text),
                ShuffleMode::Up => format!("{} >= {offset}", lane.text),
                ShuffleMode::Down => format!("{} + {offset} < {width}", lane.text),
                ShuffleMode::Idx => format!("{offset} < {width}"),
            };
            self.bind_now(valid, Expr::new(text, prec::ORDER));
        }
        Ok(())
    }

    fn subgroup_reduce(&mut self, reduce: gpu::SubgroupReduce) -> Done {
        let (ir, op) = (self.ir, reduce.id());
        let (value, result) = (reduce.value(ir), reduce.result(ir));
        let ty = self.scalar_of(op, value)?;
        let kind = reduce.operator(ir).word();
        let Some(combined) = self.helpers.combined(kind, ty) else { return self.no_op(op, "", COMBINE) };
        let stride = reduce.cluster_stride(ir).as_i64(self.ir.cx()).unwrap_or(1).max(1);
        let size =
            reduce.cluster_size(ir).and_then(|size| size.as_i64(self.ir.cx())).unwrap_or(32 / stride).max(1);
        let (low, end) = (stride, stride.saturating_mul(size));
        let c_type = self.lang.scalar(ty);
        let body = format!(
            "  #pragma unroll\n  for (int lane = {low}; lane < {end}; lane *= 2) {{\n    {c_type} other = __shfl_xor_sync(0xffffffff, v, lane);\n    v = {};\n  }}\n  return v;",
            combined.replace("$a", "v").replace("$b", "other")
        );
        let params = [format!("{c_type} v")];
        let wanted = format!("subgroup_{kind}_{}_{}", ty.suffix(), size);
        let function = self.helpers.vector_helper(&wanted, c_type, &params, &body);
        let e = self.values.expr(value);
        self.flush();
        // All lanes take part, whoever uses the result.
        self.bind_now(result, Expr::call(&function, &[&e]));
        Ok(())
    }

    fn broadcast_lane(&mut self, broadcast: gpu::SubgroupBroadcast) -> Done {
        let (ir, op) = (self.ir, broadcast.id());
        let (value, result) = (broadcast.src(ir), broadcast.result(ir));
        self.scalar_of(op, value)?;
        let lane = broadcast.lane(ir).map_or(Expr::atom("0"), |lane| self.values.expr(lane));
        let e = self.values.expr(value);
        self.bind_now(result, Expr::call("__shfl_sync", &[&Expr::atom("0xffffffff"), &e, &lane]));
        Ok(())
    }

    fn rotate_lanes(&mut self, rotate: gpu::Rotate) -> Done {
        let ir = self.ir;
        let (value, result, valid) = (rotate.value(ir), rotate.rotate_result(ir), rotate.valid(ir));
        self.scalar_of(rotate.id(), value)?;
        let offset = rotate.offset(ir).as_i64(self.ir.cx()).unwrap_or(1);
        let width = rotate.width(ir).as_i64(self.ir.cx()).unwrap_or(1).max(1);
        let lane = self.lane().text;
        let from = Expr::atom(format!("({lane} + {offset}) % {width}"));
        let e = self.values.expr(value);
        self.bind_now(result, Expr::call("__shfl_sync", &[&Expr::atom("0xffffffff"), &e, &from]));
        if ir.is_used(valid) {
            self.bind_now(valid, Expr::new(format!("{lane} < {width}"), prec::ORDER));
        }
        Ok(())
    }

    fn dynamic_memory(&mut self, memory: gpu::DynamicSharedMemory) -> Done {
        let (op, result) = (memory.id(), memory.result_memref(self.ir));
        let shape = self.shape(op, self.ir.ty(result))?;
        let pointer = "terrace_dynamic".to_string();
        self.helpers.declare(&pointer, format!("extern __shared__ __align__(16) signed char {pointer}[];"));
        // Parts at fixed places need not know how large the whole is.
        let placed = self.ir.uses(result).all(|(user, _)| self.ir.is(user, memref::View::DEF));
        let whole = match placed {
            true => Dim::Const(0),
            false => self.dynamic_size(),
        };
        let view = View {
            allocated: pointer.clone(),
            pointer,
            offset: Dim::Const(0),
            sizes: vec![whole],
            strides: vec![Dim::Const(1)],
            elem: shape.elem,
            space: Space::Workgroup,
            constant: false,
            array: false,
        };
        self.values.set(result, Val::View(view));
        Ok(())
    }

    /// A variable for the bytes that the launch says
    fn dynamic_size(&mut self) -> Dim {
        let body = "static __device__ inline long long terrace_dynamic_size() {\n  unsigned int bytes;\n  asm(\"mov.u32 %0, %dynamic_smem_size;\" : \"=r\"(bytes));\n  return bytes;\n}";
        self.helpers.declare("terrace_dynamic_size", body.to_string());
        let size = self.text.names.fresh("dynamic_bytes");
        self.text.line(&format!("long long {size} = terrace_dynamic_size();"));
        Dim::Var(size)
    }
}
