//! e^x for rows of f32 on the host: LLVM would call the C library for each lane.
//!
//! x = n·ln 2 + r with |r| ≤ ln 2 / 2, where n is found by adding a number that leaves no bits for fractions; e^r is a
//! polynomial of degree 6 (interpolated at Chebyshev's points); 2^n is two factors, so that subnormal results are made too.
//! At most 0.91 units in the last place off where the result is normal. NaN stays; what is too large or too small for f32 gives
//! infinity or zero.

use crate::emit::Emitter;
use crate::raw::{Opcode, RealPred, V};

/// (e^r − 1 − r) / r², highest power first
const POLYNOMIAL: [f32; 5] = [0.001392655, 0.008_363_472, 0.04166655, 0.16666575, 0.5];
/// ln 2 in two parts: products of the first with small integers are exact
const LN2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
/// 1.5 · 2²³: sums with it are rounded to integers, which are their low bits
const ROUND: f32 = 12_582_912.0;
/// Results are infinity above
const TOP: f32 = 88.722_84;
/// Results are zero below
const BOTTOM: f32 = -103.972_08;

/// e to each lane
pub(crate) fn row(e: &Emitter<'_>, x: V) -> V {
    let ll = e.ll;
    let ty = ll.type_of(x);
    let ints = ll.vector(ll.int(32), ll.lanes(ty).unwrap_or(1));
    let real = |value: f32| e.real_const(ty, value.into());
    let int = |value: i128| e.int_const(ints, value);
    let fma = |a: V, b: V, c: V| ll.intrinsic("llvm.fma", &[ty], &[a, b, c]);
    let op = |opcode: Opcode, a: V, b: V| ll.bin(opcode, a, b);

    let rounded = fma(x, real(std::f32::consts::LOG2_E), real(ROUND));
    let n = op(Opcode::LLVMFSub, rounded, real(ROUND));
    let r = LN2.iter().fold(x, |r, part| fma(n, real(-part), r));
    let first = real(POLYNOMIAL[0]);
    let sum = POLYNOMIAL[1..].iter().chain(&[1.0, 1.0]).fold(first, |sum, c| fma(sum, r, real(*c)));

    let bits = ll.cast(Opcode::LLVMBitCast, rounded, ints);
    let n = ll.sub(bits, int(i128::from(ROUND.to_bits())));
    let half = op(Opcode::LLVMAShr, n, int(1));
    let power = |n: V| {
        let exponent = op(Opcode::LLVMShl, ll.add(n, int(127)), int(23));
        ll.cast(Opcode::LLVMBitCast, exponent, ty)
    };
    let scaled = op(Opcode::LLVMFMul, sum, power(half));
    let scaled = op(Opcode::LLVMFMul, scaled, power(ll.sub(n, half)));
    let above = ll.fcmp(RealPred::LLVMRealOGT, x, real(TOP));
    let below = ll.fcmp(RealPred::LLVMRealOLT, x, real(BOTTOM));
    let scaled = ll.select(above, real(f32::INFINITY), scaled);
    ll.select(below, real(0.0), scaled)
}
