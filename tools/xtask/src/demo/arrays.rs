//! Arrays of numbers in files, as numpy writes them

use crate::Fallible;
use std::fs;
use std::path::Path;

/// An f32 matrix of numbers in [-1, 1), the same everywhere for a seed
pub fn write(path: &Path, shape: [usize; 2], seed: u64) -> Fallible {
    let dict = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", shape[0], shape[1]);
    let padding = (64 - (10 + dict.len() + 1) % 64) % 64;
    let header = format!("{dict}{}\n", " ".repeat(padding));
    let length = u16::try_from(header.len()).map_err(|_| "a header of .npy is too long")?;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for _ in 0..shape[0] * shape[1] {
        // splitmix64
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let high = (z >> 40) as f32;
        bytes.extend((high / (1u64 << 23) as f32 - 1.0).to_le_bytes());
    }
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}
