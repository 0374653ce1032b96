//! C++ for high-level synthesis: what its tools read as hardware, and any C++ compiler as a program.

use super::{
    AtomicCall, AtomicElement, AtomicExchange, AtomicUpdate, GlobalFacts, Language, Narrowing, OpenMp,
    VectorAccess,
};
use crate::buffer::Space;
use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_lowering_table::Gap;

/// The language of FPGAs
#[derive(Debug)]
pub(crate) struct Hls;

static GAPS: &[Gap] = &[
    Gap { dialect: "gpu", ops: &[], why: "", help: "device code is printed as `opencl` or `cuda`" },
    Gap {
        dialect: "vector",
        ops: &[],
        why: "hardware has no vectors: copies of a loop's body run at once",
        help: "a schedule for FPGAs has UNR in place of VEC",
    },
];

/// Words of C++ and names of the tools' headers, besides those of C
const WORDS: &str = "ap_int ap_uint ap_fixed ap_ufixed hls stream";

impl Language for Hls {
    fn name(&self) -> &'static str {
        "hls"
    }

    fn compile_flags(&self) -> &'static [&'static str] {
        &["-std=c++17", "-ffp-contract=off", "-Wno-unknown-pragmas"]
    }

    fn is_host(&self) -> bool {
        true
    }

    fn is_hardware(&self) -> bool {
        true
    }

    fn gaps(&self) -> &'static [Gap] {
        GAPS
    }

    fn words(&self) -> &'static str {
        WORDS
    }

    fn device(&self) -> &'static str {
        OpenMp.device()
    }

    fn scalar(&self, ty: Scalar) -> &'static str {
        OpenMp.scalar(ty)
    }

    fn unsigned(&self, ty: Scalar) -> &'static str {
        OpenMp.unsigned(ty)
    }

    fn widens(&self, ty: Scalar) -> bool {
        OpenMp.widens(ty)
    }

    fn linkage(&self) -> &'static str {
        OpenMp.linkage()
    }

    fn exported(&self) -> &'static str {
        "extern \"C\" "
    }

    fn function_words(&self, _kernel: bool, visible: bool, _block: Option<[i64; 3]>) -> String {
        if visible { self.exported().into() } else { "static ".into() }
    }

    fn global_words(&self, global: GlobalFacts) -> Option<&'static str> {
        // A constant of a C++ module is its own unless it says otherwise.
        OpenMp.global_words(global)
    }

    fn restrict(&self) -> &'static str {
        "__restrict__ "
    }

    fn reinterpreting(&self, from: Scalar, to: Scalar) -> Option<String> {
        OpenMp.reinterpreting(from, to)
    }

    fn fast_fma(&self, ty: Scalar) -> Option<&'static str> {
        OpenMp.fast_fma(ty)
    }

    fn widening(&self, ty: Scalar) -> &'static str {
        OpenMp.widening(ty)
    }

    fn narrowing(&self, ty: Scalar, from_double: bool) -> Narrowing {
        OpenMp.narrowing(ty, from_double)
    }

    fn has(&self, _vector: &Vector) -> bool {
        false
    }

    fn known_lane(&self, name: &str, number: u32) -> Option<String> {
        OpenMp.known_lane(name, number)
    }

    fn vector_literal(&self, vector: &Vector, c_type: &str, lanes: &str) -> String {
        OpenMp.vector_literal(vector, c_type, lanes)
    }

    fn vector_access(&self, _vector: &Vector) -> VectorAccess {
        VectorAccess::Lanes
    }

    fn atomic_call(
        &self,
        update: AtomicUpdate,
        ty: Scalar,
        space: Space,
        place: &str,
        value: &str,
    ) -> Option<AtomicCall> {
        OpenMp.atomic_call(update, ty, space, place, value)
    }

    fn atomic_exchange(&self, element: &AtomicElement<'_>) -> AtomicExchange {
        OpenMp.atomic_exchange(element)
    }

    fn printed_long(&self) -> Option<&'static str> {
        OpenMp.printed_long()
    }
}
