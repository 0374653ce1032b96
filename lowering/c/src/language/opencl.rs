//! OpenCL C 1.2.

use super::{
    AtomicCall, AtomicElement, AtomicExchange, AtomicUpdate, DotProduct, GlobalFacts, Language, Narrowing,
    ThreadId, VectorAccess,
};
use crate::buffer::Space;
use crate::expr::{Expr, prec};
use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_dialect_gpu as gpu;
use terrace_lowering_table::Gap;

/// Exchanges 16 bits in global memory if they still are the old ones; returns those that were there. Devices are little-endian.
const EXCHANGE_HALF: &str = "\
ushort terrace_exchange_half(volatile __global ushort *at, ushort was, ushort is) {
  volatile __global uint *word = (volatile __global uint *)((size_t)at & ~(size_t)3);
  uint shift = ((size_t)at & 2) * 8;
  uint old = *word;
  for (;;) {
    ushort seen = (ushort)(old >> shift);
    if (seen != was) return seen;
    uint next = old & ~(0xffffu << shift) | (uint)is << shift;
    uint there = atomic_cmpxchg(word, old, next);
    if (there == old) return was;
    old = there;
  }
}";

/// The same in local memory
const EXCHANGE_HALF_LOCAL: &str = "\
ushort terrace_exchange_half_local(volatile __local ushort *at, ushort was, ushort is) {
  volatile __local uint *word = (volatile __local uint *)((size_t)at & ~(size_t)3);
  uint shift = ((size_t)at & 2) * 8;
  uint old = *word;
  for (;;) {
    ushort seen = (ushort)(old >> shift);
    if (seen != was) return seen;
    uint next = old & ~(0xffffu << shift) | (uint)is << shift;
    uint there = atomic_cmpxchg(word, old, next);
    if (there == old) return was;
    old = there;
  }
}";

#[derive(Debug)]
pub(super) struct OpenCl;

static GAPS: &[Gap] = &[
    Gap {
        dialect: "gpu",
        ops: &[gpu::DynamicSharedMemory::DEF],
        why: "OpenCL C has no workgroup memory whose size a launch says",
        help: "give the buffer a fixed size, or print CUDA C",
    },
    Gap {
        dialect: "gpu",
        ops: &[gpu::LaneId::DEF, gpu::NumSubgroups::DEF, gpu::SubgroupId::DEF, gpu::SubgroupSize::DEF],
        why: "OpenCL C 1.2 has no subgroups",
        help: "choose a schedule without subgroups, or print CUDA C",
    },
    Gap {
        dialect: "gpu",
        ops: &[gpu::Rotate::DEF, gpu::SubgroupBroadcast::DEF, gpu::SubgroupReduce::DEF],
        why: "OpenCL C 1.2 has no subgroups",
        help: "combine through workgroup memory and `gpu.barrier`, or print CUDA C",
    },
    Gap {
        dialect: "gpu",
        ops: &[gpu::Shuffle::DEF],
        why: "OpenCL C 1.2 has no shuffles",
        help: "exchange through workgroup memory, or print CUDA C",
    },
];

impl OpenCl {
    /// Bits of a float or of an integer as the other one's
    fn as_type(&self, ty: Scalar, to: &str, text: &str) -> String {
        if ty.is_float() { format!("as_{to}({text})") } else { format!("({to}){text}") }
    }

    /// An element of 16 bits in the word of 32 bits that contains it: OpenCL C exchanges no less
    fn exchange_half(&self, element: &AtomicElement<'_>) -> AtomicExchange {
        let AtomicElement { ty, space, place, old, next, done } = *element;
        let c_type = self.scalar(ty);
        let target = match place.strip_prefix('*') {
            Some(name) => format!("(volatile {}ushort *){name}", self.space(space)),
            None => self.cast_pointer(space, "ushort", place),
        };
        let bits = |text: &str| {
            if ty == Scalar::F16 { format!("as_ushort({text})") } else { format!("(ushort){text}") }
        };
        let own = |text: &str| {
            if ty == Scalar::F16 { format!("as_half({text})") } else { format!("({c_type}){text}") }
        };
        let (was, is) = (bits(old), bits(next));
        let (function, needs) = match space {
            Space::Workgroup => ("terrace_exchange_half_local", EXCHANGE_HALF_LOCAL),
            _ => ("terrace_exchange_half", EXCHANGE_HALF),
        };
        let lines = format!(
            "ushort seen = {function}({target}, {was}, {is});\nif (seen == {was}) {done}\n{old} = {};",
            own("seen")
        );
        AtomicExchange { read: own(&format!("*({target})")), reader: None, lines, needs: Some(needs) }
    }
}

impl Language for OpenCl {
    fn name(&self) -> &'static str {
        "opencl"
    }

    fn compile_flags(&self) -> &'static [&'static str] {
        &["-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt"]
    }

    fn gaps(&self) -> &'static [Gap] {
        GAPS
    }

    fn extensions(&self) -> &'static [(&'static str, &'static str)] {
        &[("double", "cl_khr_fp64"), ("half", "cl_khr_fp16")]
    }

    fn contraction_off(&self) -> Option<&'static str> {
        // Compilers of OpenCL C contract by themselves, and they have no option that forbids it.
        Some("#pragma OPENCL FP_CONTRACT OFF\n")
    }

    fn scalar(&self, ty: Scalar) -> &'static str {
        match ty {
            Scalar::Bool => "bool",
            Scalar::Int(8) => "char",
            Scalar::Int(16) => "short",
            Scalar::Int(32) => "int",
            Scalar::Int(_) => "long",
            Scalar::F16 => "half",
            Scalar::Bf16 => "ushort",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    fn stored(&self, ty: Scalar) -> &'static str {
        if ty == Scalar::Bool { "uchar" } else { self.scalar(ty) }
    }

    fn unsigned(&self, ty: Scalar) -> &'static str {
        match ty.bytes() {
            1 => "uchar",
            2 => "ushort",
            4 => "uint",
            _ => "ulong",
        }
    }

    fn linkage(&self) -> &'static str {
        ""
    }

    fn function_words(&self, kernel: bool, _visible: bool, block: Option<[i64; 3]>) -> String {
        match block {
            _ if !kernel => String::new(),
            Some([x, y, z]) => format!("__kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))\n"),
            None => "__kernel ".to_string(),
        }
    }

    fn global_words(&self, global: GlobalFacts) -> Option<&'static str> {
        (global.constant && global.has_elements).then_some("__constant ")
    }

    fn global_space(&self) -> Space {
        Space::Constant
    }

    fn space(&self, space: Space) -> &'static str {
        match space {
            Space::Global => "__global ",
            Space::Workgroup => "__local ",
            Space::Constant => "__constant ",
            Space::Private => "",
        }
    }

    fn space_suffix(&self, space: Space) -> &'static str {
        match space {
            Space::Global => "",
            Space::Workgroup => "_local",
            Space::Private => "_private",
            Space::Constant => "_constant",
        }
    }

    fn workgroup_variable(&self) -> &'static str {
        "__local "
    }

    fn long_suffix(&self) -> &'static str {
        "L"
    }

    fn not_finite(&self, value: f64, _suffix: &str) -> String {
        match value {
            value if value.is_nan() => "NAN".to_string(),
            _ => if value > 0.0 { "INFINITY" } else { "-INFINITY" }.to_string(),
        }
    }

    fn reinterpreting(&self, _from: Scalar, to: Scalar) -> Option<String> {
        Some(format!("as_{}", self.scalar(to)))
    }

    fn overloads_math(&self) -> bool {
        true
    }

    fn fast_fma(&self, ty: Scalar) -> Option<&'static str> {
        Some(if ty == Scalar::F32 { "FP_FAST_FMAF" } else { "FP_FAST_FMA" })
    }

    fn bit_count(&self, mnemonic: &str) -> Option<&'static str> {
        match mnemonic {
            "ctlz" => Some("clz"),
            "ctpop" => Some("popcount"),
            _ => None,
        }
    }

    fn wraps_shifts(&self, ty: Scalar) -> bool {
        ty.width() >= 32
    }

    fn high_product(&self, x: &Expr, y: &Expr, ty: Scalar, signed: bool) -> Option<Expr> {
        let part = if signed { self.scalar(ty) } else { self.unsigned(ty) };
        Some(Expr::call("mul_hi", &[&Expr::cast(part, x), &Expr::cast(part, y)]))
    }

    fn widening(&self, _ty: Scalar) -> &'static str {
        "  return as_float((uint)x << 16);"
    }

    fn narrowing(&self, _ty: Scalar, from_double: bool) -> Narrowing {
        match from_double {
            false => Narrowing::Bits { read: "  uint wide = as_uint(x);", write: "" },
            true => Narrowing::Bits { read: "  uint wide = as_uint(near);", write: "near = as_float(wide);" },
        }
    }

    fn has(&self, vector: &Vector) -> bool {
        matches!(vector.lanes(), 2 | 4 | 8 | 16)
    }

    fn known_lane(&self, name: &str, number: u32) -> Option<String> {
        Some(format!("{name}.s{number:x}"))
    }

    fn vector_name(&self, vector: &Vector) -> Option<String> {
        Some(format!("{}{}", self.lane_type(vector), vector.lanes()))
    }

    fn splat(&self, vector: &Vector, c_type: &str, e: &Expr) -> Option<Expr> {
        let text = format!("({c_type})({})", e.text);
        self.has(vector).then(|| Expr::new(text, prec::UNARY).with(&[e]))
    }

    fn vector_literal(&self, vector: &Vector, c_type: &str, lanes: &str) -> String {
        match self.has(vector) {
            true => format!("({c_type})({lanes})"),
            false => format!("({c_type}){{{{{lanes}}}}}"),
        }
    }

    fn vector_access(&self, vector: &Vector) -> VectorAccess {
        if self.has(vector) { VectorAccess::Functions } else { VectorAccess::Lanes }
    }

    fn array_alignment(&self, bytes: usize) -> String {
        format!("__attribute__((aligned({bytes}))) ")
    }

    fn dot_product(&self) -> DotProduct {
        DotProduct::Floats
    }

    fn barrier(&self, shares_memory: bool) -> &'static str {
        match shares_memory {
            true => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
            false => "barrier(CLK_GLOBAL_MEM_FENCE);",
        }
    }

    fn thread_id(&self, id: ThreadId, _axis: &str, dim: usize) -> String {
        let function = match id {
            ThreadId::Thread => "get_local_id",
            ThreadId::Block => "get_group_id",
            ThreadId::BlockSize => "get_local_size",
            ThreadId::GridSize => "get_num_groups",
            ThreadId::Global => "get_global_id",
        };
        format!("{function}({dim})")
    }

    fn volatile(&self) -> &'static str {
        "volatile "
    }

    fn atomic_call(
        &self,
        update: AtomicUpdate,
        ty: Scalar,
        space: Space,
        place: &str,
        value: &str,
    ) -> Option<AtomicCall> {
        if !matches!(ty, Scalar::Int(_)) {
            return None;
        }
        let wide = ty.width() == 64;
        let needs = match update.name {
            _ if !wide => None,
            "add" | "xchg" => Some("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable"),
            _ => Some("#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable"),
        };
        let c_type = if update.unsigned { self.unsigned(ty) } else { self.scalar(ty) };
        let prefix = if wide { "atom" } else { "atomic" };
        let text = format!("{prefix}_{}({}, {value})", update.name, self.cast_pointer(space, c_type, place));
        Some(AtomicCall { text, needs })
    }

    fn atomic_exchange(&self, element: &AtomicElement<'_>) -> AtomicExchange {
        let AtomicElement { ty, space, place, old, next, done } = *element;
        if ty.bytes() == 2 {
            return self.exchange_half(element);
        }
        let (c_type, bits) = (self.scalar(ty), self.unsigned(ty));
        let wide = ty.width() == 64;
        let prefix = if wide { "atom" } else { "atomic" };
        let target = match place.strip_prefix('*') {
            Some(name) => format!("(volatile {}{bits} *){name}", self.space(space)),
            None => self.cast_pointer(space, bits, place),
        };
        let (was, is) = (self.as_type(ty, bits, old), self.as_type(ty, bits, next));
        let seen = self.as_type(ty, c_type, "seen");
        let lines = format!(
            "{bits} seen = {prefix}_cmpxchg({target}, {was}, {is});\nif (seen == {was}) {done}\n{old} = {seen};"
        );
        AtomicExchange {
            read: self.as_type(ty, c_type, &format!("{prefix}_add({target}, 0)")),
            reader: None,
            lines,
            needs: wide.then_some("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable"),
        }
    }

    fn printf_long(&self) -> &'static str {
        "l"
    }

    fn unreachable(&self) -> Option<&'static str> {
        None
    }
}
