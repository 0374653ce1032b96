//! CUDA C++, as NVRTC takes it without headers.

use super::{
    AtomicCall, AtomicElement, AtomicExchange, AtomicUpdate, DotProduct, GlobalFacts, Language, Narrowing,
    ThreadId, VectorAccess,
};
use crate::buffer::Space;
use crate::expr::Expr;
use crate::types::Scalar;
use crate::vector_type::Vector;

/// The sum of halves that `cuda_fp16.h` has, which NVRTC takes no headers for
const ADD_F16: &str = "\
static __device__ inline unsigned short terrace_atomic_add_f16(unsigned short *at, unsigned short value) {
  unsigned short old;
  asm volatile(\"atom.add.noftz.f16 %0, [%1], %2;\" : \"=h\"(old) : \"l\"(at), \"h\"(value) : \"memory\");
  return old;
}";

#[derive(Debug)]
pub(super) struct Cuda;

impl Language for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn compile_flags(&self) -> &'static [&'static str] {
        &["--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"]
    }

    fn has_subgroups(&self) -> bool {
        true
    }

    fn scalar(&self, ty: Scalar) -> &'static str {
        match ty {
            Scalar::Bool => "bool",
            Scalar::Int(8) => "signed char",
            Scalar::Int(16) => "short",
            Scalar::Int(32) => "int",
            Scalar::Int(_) => "long long",
            Scalar::F16 | Scalar::Bf16 => "unsigned short",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    fn unsigned(&self, ty: Scalar) -> &'static str {
        match ty.bytes() {
            1 => "unsigned char",
            2 => "unsigned short",
            4 => "unsigned int",
            _ => "unsigned long long",
        }
    }

    fn soft(&self, ty: Scalar) -> bool {
        matches!(ty, Scalar::Bf16 | Scalar::F16)
    }

    fn linkage(&self) -> &'static str {
        "static __device__ inline "
    }

    fn function_words(&self, kernel: bool, _visible: bool, block: Option<[i64; 3]>) -> String {
        match block {
            _ if !kernel => "static __device__ ".to_string(),
            Some([x, y, z]) => {
                let threads = x.saturating_mul(y).saturating_mul(z);
                format!("extern \"C\" __global__ __launch_bounds__({threads})\n")
            }
            None => "extern \"C\" __global__ ".to_string(),
        }
    }

    fn global_words(&self, global: GlobalFacts) -> Option<&'static str> {
        match global.constant && global.has_elements {
            _ if !global.defined => None,
            true => Some("static __constant__ "),
            false => Some("static __device__ "),
        }
    }

    fn restrict(&self) -> &'static str {
        "__restrict__ "
    }

    fn workgroup_variable(&self) -> &'static str {
        "__shared__ "
    }

    fn unroll(&self) -> Option<&'static str> {
        Some("#pragma unroll")
    }

    fn has_float_macros(&self) -> bool {
        false
    }

    fn reinterpreting(&self, from: Scalar, to: Scalar) -> Option<String> {
        let function = match (from, to) {
            (Scalar::Int(32), Scalar::F32) => "__int_as_float",
            (Scalar::Int(64), Scalar::F64) => "__longlong_as_double",
            (Scalar::F32, _) => "__float_as_int",
            _ => "__double_as_longlong",
        };
        Some(function.to_string())
    }

    fn fast_fma(&self, _ty: Scalar) -> Option<&'static str> {
        None
    }

    fn high_product(&self, x: &Expr, y: &Expr, ty: Scalar, signed: bool) -> Option<Expr> {
        let function = if signed { "__mul64hi" } else { "__umul64hi" };
        (ty.width() == 64).then(|| Expr::call(function, &[x, y]))
    }

    fn widening(&self, ty: Scalar) -> &'static str {
        match ty {
            Scalar::F16 => "  float r;\n  asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"(x));\n  return r;",
            _ => "  return __uint_as_float((unsigned int)x << 16);",
        }
    }

    fn narrowing(&self, ty: Scalar, from_double: bool) -> Narrowing {
        match (ty, from_double) {
            (Scalar::F16, false) => Narrowing::Body(
                "  unsigned short r;\n  asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(r) : \"f\"(x));\n  return r;",
            ),
            (Scalar::F16, true) => Narrowing::Body(
                "  unsigned short r;\n  asm(\"cvt.rn.f16.f64 %0, %1;\" : \"=h\"(r) : \"d\"(x));\n  return r;",
            ),
            (_, false) => Narrowing::Bits { read: "  unsigned int wide = __float_as_uint(x);", write: "" },
            (_, true) => Narrowing::Bits {
                read: "  unsigned int wide = __float_as_uint(near);",
                write: "near = __uint_as_float(wide);",
            },
        }
    }

    fn has(&self, _vector: &Vector) -> bool {
        false
    }

    fn known_lane(&self, _name: &str, _number: u32) -> Option<String> {
        None
    }

    fn vector_literal(&self, _vector: &Vector, c_type: &str, lanes: &str) -> String {
        format!("{c_type}{{{{{lanes}}}}}")
    }

    fn vector_access(&self, _vector: &Vector) -> VectorAccess {
        VectorAccess::Lanes
    }

    fn word_of(&self, bytes: usize) -> Option<&'static str> {
        match bytes {
            8 => Some("uint2"),
            16 => Some("uint4"),
            _ => None,
        }
    }

    fn array_alignment(&self, bytes: usize) -> String {
        format!("__align__({bytes}) ")
    }

    fn dot_product(&self) -> DotProduct {
        DotProduct::Bytes
    }

    fn barrier(&self, _shares_memory: bool) -> &'static str {
        "__syncthreads();"
    }

    fn fence(&self) -> Option<&'static str> {
        Some("__threadfence();")
    }

    fn thread_id(&self, id: ThreadId, axis: &str, _dim: usize) -> String {
        match id {
            ThreadId::Thread => format!("threadIdx.{axis}"),
            ThreadId::Block => format!("blockIdx.{axis}"),
            ThreadId::BlockSize => format!("blockDim.{axis}"),
            ThreadId::GridSize => format!("gridDim.{axis}"),
            ThreadId::Global => {
                format!("(long long)blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}")
            }
        }
    }

    fn atomic_call(
        &self,
        update: AtomicUpdate,
        ty: Scalar,
        _space: Space,
        place: &str,
        value: &str,
    ) -> Option<AtomicCall> {
        let call = |text: String| Some(AtomicCall { text, needs: None });
        let name = match update.name {
            "addf" if ty == Scalar::F16 => {
                return Some(AtomicCall {
                    text: format!("terrace_atomic_add_f16(&{place}, {value})"),
                    needs: Some(ADD_F16),
                });
            }
            "addf" if self.soft(ty) => return None,
            "addf" => return call(format!("atomicAdd(&{place}, {value})")),
            _ if !matches!(ty, Scalar::Int(_)) => return None,
            "xchg" => "atomicExch".to_string(),
            name => format!("atomic{}{}", name[..1].to_uppercase(), &name[1..]),
        };
        let compares = matches!(update.name, "max" | "min");
        if ty.width() == 64 && !compares || update.unsigned {
            return call(format!("{name}(({} *)&{place}, {value})", self.unsigned(ty)));
        }
        call(format!("{name}(&{place}, {value})"))
    }

    fn atomic_exchange(&self, element: &AtomicElement<'_>) -> AtomicExchange {
        let AtomicElement { ty, place, old, next, done, .. } = *element;
        let (c_type, bits) = (self.scalar(ty), self.unsigned(ty));
        let target = match place.strip_prefix('*') {
            Some(name) => format!("({bits} *){name}"),
            None => format!("({bits} *)&{place}"),
        };
        let to_bits = |text: &str| match ty {
            Scalar::F32 => format!("__float_as_uint({text})"),
            Scalar::F64 => format!("({bits})__double_as_longlong({text})"),
            _ => format!("({bits}){text}"),
        };
        let seen = match ty {
            Scalar::F32 => "__uint_as_float(seen)".to_string(),
            Scalar::F64 => "__longlong_as_double((long long)seen)".to_string(),
            _ => format!("({c_type})seen"),
        };
        let (was, is) = (to_bits(old), to_bits(next));
        let lines = format!(
            "{bits} seen = atomicCAS({target}, {was}, {is});\nif (seen == {was}) {done}\n{old} = {seen};"
        );
        let pointer = place.strip_prefix('*').map_or(format!("&{place}"), String::from);
        AtomicExchange {
            read: format!("*(volatile {c_type} *)({pointer})"),
            reader: None,
            lines,
            needs: None,
        }
    }
}
