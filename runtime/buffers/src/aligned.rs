//! Bytes that start at a 64-byte boundary
//!
//! Generated code may use aligned vector accesses on a whole cache line, which `Vec<u8>` does not
//! promise. The storage is a `Vec` of cache lines seen as bytes; it never grows.
#![allow(unsafe_code)]

/// One cache line
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A fixed number of bytes, zero at first, aligned to 64
#[derive(Clone)]
pub(crate) struct AlignedBytes {
    lines: Vec<Line>,
    len: usize,
}

impl AlignedBytes {
    /// `len` zero bytes, or `None` where memory does not suffice
    pub fn zeroed(len: usize) -> Option<AlignedBytes> {
        let count = len.div_ceil(64);
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).ok()?;
        lines.resize(count, Line([0; 64]));
        Some(AlignedBytes { lines, len })
    }

    /// All bytes
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `lines` owns at least `len` initialised bytes without padding (`Line` is an array
        // of bytes whose size is its alignment), and `u8` has no alignment or validity demands.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }

    /// All bytes, for writing
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; `&mut self` makes the view unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }

    /// The bytes as elements of `T`; a rest shorter than one element is left out
    pub fn cast<T: Plain>(&self) -> &[T] {
        // SAFETY: the start is aligned to 64 ≥ align_of::<T>(), the length stays within `len`, and
        // every bit pattern is a `T` (contract of `Plain`).
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len / size_of::<T>()) }
    }

    /// The bytes as elements of `T`, for writing
    pub fn cast_mut<T: Plain>(&mut self) -> &mut [T] {
        // SAFETY: as in `cast`; `&mut self` makes the view unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len / size_of::<T>()) }
    }
}

/// Number types for which every bit pattern is a value
///
/// # Safety
/// No padding, no invalid pattern, size not 0, alignment at most 64.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($t:ty)*) => { $(
        // SAFETY: primitive numbers have no padding and no invalid bit patterns.
        unsafe impl Plain for $t {}
    )* };
}
plain! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_is_aligned_and_zero() {
        for len in [0, 1, 63, 64, 65, 1000] {
            let b = AlignedBytes::zeroed(len).expect("small");
            assert_eq!(b.bytes().as_ptr() as usize % 64, 0);
            assert_eq!(b.bytes(), vec![0u8; len]);
        }
    }

    #[test]
    fn impossible_size_is_refused() {
        assert!(AlignedBytes::zeroed(usize::MAX / 2).is_none());
    }
}
