//! C11 with OpenMP pragmas and GNU extensions.

use super::{
    AtomicCall, AtomicElement, AtomicExchange, AtomicUpdate, GlobalFacts, Language, Narrowing, VectorAccess,
};
use crate::buffer::Space;
use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_lowering_table::Gap;

/// The language of the host
#[derive(Debug)]
pub(crate) struct OpenMp;

static GAPS: &[Gap] =
    &[Gap { dialect: "gpu", ops: &[], why: "", help: "device code is printed as `opencl` or `cuda`" }];

impl Language for OpenMp {
    fn name(&self) -> &'static str {
        "openmp"
    }

    fn compile_flags(&self) -> &'static [&'static str] {
        &["-std=gnu11", "-fopenmp", "-ffp-contract=off", "-Wno-psabi"]
    }

    fn is_host(&self) -> bool {
        true
    }

    fn gaps(&self) -> &'static [Gap] {
        GAPS
    }

    fn words(&self) -> &'static str {
        ""
    }

    fn scalar(&self, ty: Scalar) -> &'static str {
        match ty {
            Scalar::Bool => "bool",
            Scalar::Int(8) => "int8_t",
            Scalar::Int(16) => "int16_t",
            Scalar::Int(32) => "int32_t",
            Scalar::Int(_) => "int64_t",
            Scalar::F16 => "_Float16",
            Scalar::Bf16 => "uint16_t",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    fn unsigned(&self, ty: Scalar) -> &'static str {
        match ty.bytes() {
            1 => "uint8_t",
            2 => "uint16_t",
            4 => "uint32_t",
            _ => "uint64_t",
        }
    }

    fn widens(&self, ty: Scalar) -> bool {
        ty == Scalar::F16 || self.soft(ty)
    }

    fn linkage(&self) -> &'static str {
        "static inline "
    }

    fn inlined(&self) -> &'static str {
        "static inline __attribute__((always_inline)) "
    }

    fn function_words(&self, _kernel: bool, visible: bool, _block: Option<[i64; 3]>) -> String {
        if visible { String::new() } else { "static ".into() }
    }

    fn global_words(&self, global: GlobalFacts) -> Option<&'static str> {
        Some(match (global.defined, global.private, global.constant) {
            (false, ..) => "extern ",
            (_, true, true) => "static const ",
            (_, true, false) => "static ",
            (_, false, true) => "const ",
            (_, false, false) => "",
        })
    }

    fn alignment(&self, align: i64) -> String {
        format!("_Alignas({align}) ")
    }

    fn reinterpreting(&self, _from: Scalar, _to: Scalar) -> Option<String> {
        None
    }

    fn fast_fma(&self, _ty: Scalar) -> Option<&'static str> {
        Some("__FMA__")
    }

    fn widening(&self, _ty: Scalar) -> &'static str {
        "  uint32_t wide = (uint32_t)x << 16;\n  float r;\n  memcpy(&r, &wide, sizeof r);\n  return r;"
    }

    fn narrowing(&self, _ty: Scalar, from_double: bool) -> Narrowing {
        match from_double {
            false => {
                Narrowing::Bits { read: "  uint32_t wide;\n  memcpy(&wide, &x, sizeof wide);", write: "" }
            }
            true => Narrowing::Bits {
                read: "  uint32_t wide;\n  memcpy(&wide, &near, sizeof wide);",
                write: "memcpy(&near, &wide, sizeof near);",
            },
        }
    }

    fn has(&self, vector: &Vector) -> bool {
        let lanes = vector.lanes();
        lanes.is_power_of_two() && lanes > 1
    }

    fn known_lane(&self, name: &str, number: u32) -> Option<String> {
        Some(format!("{name}[{number}]"))
    }

    fn splat_body(&self, vector: &Vector, c_type: &str) -> Option<String> {
        // Operators take a number for a vector of it.
        let operator = if vector.elem.is_float() { '-' } else { '|' };
        Some(format!("  return x {operator} ({c_type}){{0}};"))
    }

    fn vector_literal(&self, vector: &Vector, c_type: &str, lanes: &str) -> String {
        match self.has(vector) {
            true => format!("({c_type}){{{lanes}}}"),
            false => format!("({c_type}){{{{{lanes}}}}}"),
        }
    }

    fn vector_access(&self, _vector: &Vector) -> VectorAccess {
        VectorAccess::Copy
    }

    fn fence(&self) -> Option<&'static str> {
        Some("__atomic_thread_fence(__ATOMIC_ACQ_REL);")
    }

    fn atomic_call(
        &self,
        update: AtomicUpdate,
        ty: Scalar,
        _space: Space,
        place: &str,
        value: &str,
    ) -> Option<AtomicCall> {
        let name = match update.name {
            _ if !matches!(ty, Scalar::Int(_)) => return None,
            name @ ("add" | "and" | "or" | "xor") => format!("__atomic_fetch_{name}"),
            "xchg" => "__atomic_exchange_n".to_string(),
            _ => return None,
        };
        Some(AtomicCall { text: format!("{name}(&{place}, {value}, __ATOMIC_RELAXED)"), needs: None })
    }

    fn atomic_exchange(&self, element: &AtomicElement<'_>) -> AtomicExchange {
        let AtomicElement { ty, place, old, next, done, .. } = *element;
        let c_type = self.scalar(ty);
        let body =
            format!("  {c_type} value;\n  __atomic_load(at, &value, __ATOMIC_RELAXED);\n  return value;");
        let target = place.strip_prefix('*').map_or(format!("&{place}"), String::from);
        let lines = format!(
            "if (__atomic_compare_exchange({target}, &{old}, &{next}, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {done}"
        );
        let reader = Some((format!("load_{}", ty.suffix()), format!("{c_type} *"), body));
        AtomicExchange { read: format!("({target})"), reader, lines, needs: None }
    }

    fn printed_long(&self) -> Option<&'static str> {
        Some("long long")
    }
}
