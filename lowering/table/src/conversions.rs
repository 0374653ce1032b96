//! Conversions of floats that LLVM calls by name where the CPU has no instruction for them.
//!
//! A linker takes them from the compiler's library, of which older ones lack some; code that is compiled into this process is given
//! these. A half or bfloat comes and goes in the low bits of a float's register.

use std::ffi::CStr;
use terrace_ir::FloatKind;
use terrace_ir::show::{round_to_bits, value_of_bits};

/// Names, each with the function's address
pub const ALL: [(&CStr, fn() -> *const ()); 5] = [
    (c"__truncdfbf2", || f64_to_bf16 as *const ()),
    (c"__truncsfbf2", || f32_to_bf16 as *const ()),
    (c"__truncdfhf2", || f64_to_f16 as *const ()),
    (c"__truncsfhf2", || f32_to_f16 as *const ()),
    (c"__extendhfsf2", || f16_to_f32 as *const ()),
];

fn narrow(value: f64, kind: FloatKind) -> f32 {
    f32::from_bits(round_to_bits(value, kind).unwrap_or(0) as u32)
}

extern "C" fn f64_to_bf16(value: f64) -> f32 {
    narrow(value, FloatKind::BF16)
}

extern "C" fn f32_to_bf16(value: f32) -> f32 {
    narrow(value.into(), FloatKind::BF16)
}

extern "C" fn f64_to_f16(value: f64) -> f32 {
    narrow(value, FloatKind::F16)
}

extern "C" fn f32_to_f16(value: f32) -> f32 {
    narrow(value.into(), FloatKind::F16)
}

extern "C" fn f16_to_f32(value: f32) -> f32 {
    value_of_bits((value.to_bits() & 0xffff).into(), FloatKind::F16).unwrap_or(f64::NAN) as f32
}
