//! What lanes of a subgroup exchange in CUDA C: reductions, broadcasts, rotations; and memory whose size a launch says.
//!
//! Shuffles name all 32 lanes, so the block must be known to have whole subgroups.

use crate::Flavor;
use crate::emit::{Done, Emit, Val};
use crate::expr::{Expr, prec};
use crate::memref::{Dim, Space, View};
use crate::types::Scalar;
use terrace_dialect_upstream::gpu::SubgroupReduce;
use terrace_ir::{OpId, Value};

/// Lanes of a subgroup
const LANES: i128 = 32;

impl Emit<'_> {
    /// Report what cannot exchange lanes; the type of what is exchanged
    fn exchanges(&mut self, op: OpId, value: Value) -> Done<Scalar> {
        if self.flavor != Flavor::Cuda {
            let help = "combine through workgroup memory and `gpu.barrier`, or print CUDA C";
            return self.no_op(op, "OpenCL C 1.2 has no subgroups", help);
        }
        let ir = self.ir;
        let size =
            ir.attr(ir.root(), "known_block_size").and_then(|attr| crate::arith::integers(self.cx, attr));
        let whole = size.is_some_and(|size| size.iter().product::<i128>() % LANES == 0);
        if !whole {
            let help = "`known_block_size` with a multiple of 32 threads";
            return self.no_op(op, "the subgroups of the block may not be whole", help);
        }
        let ty = self.scalar_of(op, value)?;
        if ty.width() < 32 {
            return self.no_op(op, "lanes exchange 32 or 64 bits", "extend the value first");
        }
        Ok(ty)
    }

    pub(crate) fn subgroup_reduce(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (value, result) = (ir.operand(op, 0), ir.result(op, 0));
        let ty = self.exchanges(op, value)?;
        let kind = SubgroupReduce(op).operator(ir).word();
        let Some(combined) = self.combined(kind, ty) else { return self.unknown(op) };
        let number =
            |name: &str, other: i64| ir.attr(op, name).and_then(|attr| attr.as_i64(self.cx)).unwrap_or(other);
        let stride = number("cluster_stride", 1).max(1);
        let size = number("cluster_size", 32 / stride).max(1);
        let (low, end) = (stride, stride.saturating_mul(size));
        let c_type = self.flavor.scalar(ty);
        let body = format!(
            "  #pragma unroll\n  for (int lane = {low}; lane < {end}; lane *= 2) {{\n    {c_type} other = __shfl_xor_sync(0xffffffff, v, lane);\n    v = {};\n  }}\n  return v;",
            combined.replace("$a", "v").replace("$b", "other")
        );
        let params = [format!("{c_type} v")];
        let wanted = format!("subgroup_{kind}_{}_{}", ty.suffix(), size);
        let function = self.vector_helper(&wanted, c_type, &params, &body);
        let e = self.expr(value);
        self.flush();
        // All lanes take part, whoever uses the result.
        self.bind_now(result, Expr::call(&function, &[&e]));
        Ok(())
    }

    pub(crate) fn broadcast_lane(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (value, result) = (ir.operand(op, 0), ir.result(op, 0));
        self.exchanges(op, value)?;
        let lane = ir.operand_field(op, 1).first().copied();
        let lane = lane.map_or(Expr::atom("0"), |lane| self.expr(lane));
        let e = self.expr(value);
        self.bind_now(result, Expr::call("__shfl_sync", &[&Expr::atom("0xffffffff"), &e, &lane]));
        Ok(())
    }

    pub(crate) fn rotate_lanes(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (value, result, valid) = (ir.operand(op, 0), ir.result(op, 0), ir.result(op, 1));
        self.exchanges(op, value)?;
        let number = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_i64(self.cx)).unwrap_or(1);
        let (offset, width) = (number("offset"), number("width").max(1));
        let lane = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32";
        let lane = self.variable("int", "lane", &Expr::new(lane, prec::PRODUCT)).text;
        let from = Expr::atom(format!("({lane} + {offset}) % {width}"));
        let e = self.expr(value);
        self.bind_now(result, Expr::call("__shfl_sync", &[&Expr::atom("0xffffffff"), &e, &from]));
        if ir.is_used(valid) {
            self.bind_now(valid, Expr::new(format!("{lane} < {width}"), prec::ORDER));
        }
        Ok(())
    }

    pub(crate) fn dynamic_memory(&mut self, op: OpId) -> Done {
        if self.flavor != Flavor::Cuda {
            let help = "give the buffer a fixed size, or print CUDA C";
            return self.no_op(op, "OpenCL C has no workgroup memory whose size a launch says", help);
        }
        let result = self.ir.result(op, 0);
        let shape = self.shape(op, self.ir.ty(result))?;
        let pointer = "terrace_dynamic".to_string();
        self.helpers.declare(&pointer, format!("extern __shared__ __align__(16) signed char {pointer}[];"));
        // Parts at fixed places need not know how large the whole is.
        let placed = self.ir.uses(result).all(|(user, _)| self.ir.op_name(user) == "memref.view");
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
        };
        self.set(result, Val::View(view));
        Ok(())
    }

    /// A variable for the bytes that the launch says
    fn dynamic_size(&mut self) -> Dim {
        let body = "static __device__ inline long long terrace_dynamic_size() {\n  unsigned int bytes;\n  asm(\"mov.u32 %0, %dynamic_smem_size;\" : \"=r\"(bytes));\n  return bytes;\n}";
        self.helpers.declare("terrace_dynamic_size", body.to_string());
        let size = self.names.fresh("dynamic_bytes");
        self.line(&format!("long long {size} = terrace_dynamic_size();"));
        Dim::Var(size)
    }
}
