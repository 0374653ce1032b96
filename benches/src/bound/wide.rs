//! Sums, copies and multiplications by vectors of this processor's widest kind.

use std::arch::x86_64::*;

macro_rules! kernels {
    ($name:ident, $feature:literal, $lanes:literal, $zero:ident, $load:ident, $store:ident, $stream:ident, $add:ident, $fma:ident) => {
        pub mod $name {
            use super::*;

            pub const LANES: usize = $lanes;

            /// # Safety
            /// The processor has the feature; `n` elements are there.
            #[target_feature(enable = $feature)]
            pub unsafe fn sum<const PARTS: usize>(from: *const f32, n: usize) -> f32 {
                let mut sums = [[$zero(); PARTS]; 4];
                let (mut at, part) = (0, n / PARTS);
                while at + 4 * $lanes <= part {
                    for (k, sums) in sums.iter_mut().enumerate() {
                        for (p, sum) in sums.iter_mut().enumerate() {
                            // SAFETY: below `n`.
                            let value = unsafe { $load(from.add(p * part + at + k * $lanes)) };
                            *sum = $add(*sum, value);
                        }
                    }
                    at += 4 * $lanes;
                }
                let sums = sums.into_iter().flatten();
                let all = sums.fold($zero(), |a, b| $add(a, b));
                let mut out = [0f32; $lanes];
                // SAFETY: as long as a vector.
                unsafe { $store(out.as_mut_ptr(), all) };
                out[0]
            }

            /// # Safety
            /// The processor has the feature; `n` elements are there in both, which lie at vectors.
            #[target_feature(enable = $feature)]
            pub unsafe fn copy<const PARTS: usize>(from: *const f32, to: *mut f32, n: usize, past: bool) {
                let (mut at, part) = (0, n / PARTS / $lanes * $lanes);
                while at < part {
                    for p in 0..PARTS {
                        let at = p * part + at;
                        // SAFETY: below `n`; starts of memory and steps are multiples of a vector.
                        unsafe {
                            let value = $load(from.add(at));
                            if past { $stream(to.add(at), value) } else { $store(to.add(at), value) }
                        }
                    }
                    at += $lanes;
                }
                _mm_sfence();
            }

            /// # Safety
            /// The processor has the feature.
            #[target_feature(enable = $feature)]
            pub unsafe fn multiply_add(rounds: u64) -> f32 {
                let mut sums = [$zero(); 12];
                // Numbers, not zeros: these would take less power.
                let halves = std::hint::black_box([0.5f32; $lanes]);
                // SAFETY: as long as a vector.
                let half = unsafe { $load(halves.as_ptr()) };
                for _ in 0..rounds {
                    for sum in &mut sums {
                        *sum = $fma(*sum, half, half);
                    }
                }
                let all = sums.into_iter().fold($zero(), |a, b| $add(a, b));
                let mut out = [0f32; $lanes];
                // SAFETY: as long as a vector.
                unsafe { $store(out.as_mut_ptr(), all) };
                out[0]
            }
        }
    };
}

kernels!(
    v512,
    "avx512f",
    16,
    _mm512_setzero_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_stream_ps,
    _mm512_add_ps,
    _mm512_fmadd_ps
);
kernels!(
    v256,
    "avx2,fma",
    8,
    _mm256_setzero_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_stream_ps,
    _mm256_add_ps,
    _mm256_fmadd_ps
);

/// Lanes of the widest vectors that there are kernels for
pub fn lanes() -> usize {
    if std::is_x86_feature_detected!("avx512f") {
        v512::LANES
    } else if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
        v256::LANES
    } else {
        1
    }
}
