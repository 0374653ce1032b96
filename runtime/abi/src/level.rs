//! Which level of x86-64 this processor has: functions in several versions ask it.
//!
//! Levels as the psABI of x86-64 defines them, by the extensions that vectors and sums need. The answer is kept by the
//! standard library, so that a call costs a few loads.

#![allow(unsafe_code)]

/// 4: AVX-512 (F, BW, CD, DQ, VL); 3: AVX2 with FMA, BMI and F16C; 2: SSE4.2; 1: less; 0: another architecture
// SAFETY: nothing else in the project has a symbol of this name.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_cpu_level() -> i64 {
    level()
}

#[cfg(target_arch = "x86_64")]
fn level() -> i64 {
    use std::is_x86_feature_detected as has;
    let second = has!("sse4.2") && has!("ssse3") && has!("popcnt") && has!("cmpxchg16b");
    let third = has!("avx2")
        && has!("fma")
        && has!("f16c")
        && has!("bmi1")
        && has!("bmi2")
        && has!("lzcnt")
        && has!("movbe");
    let fourth =
        has!("avx512f") && has!("avx512bw") && has!("avx512cd") && has!("avx512dq") && has!("avx512vl");
    // Each level has what the ones below it have.
    1 + [second, third, fourth].iter().take_while(|has| **has).count() as i64
}

#[cfg(not(target_arch = "x86_64"))]
fn level() -> i64 {
    0
}
