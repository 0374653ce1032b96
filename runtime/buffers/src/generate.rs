//! Data made from a rule: `random:SEED`, `iota`, `fill:V`
//!
//! **Random data.** Element number `i` (row-major, from 0) of seed `s` is a function of `s` and `i`
//! alone; arithmetic is modulo 2^64:
//!
//! ```text
//! mix(z):  z ^= z >> 30;  z *= 0xBF58476D1CE4E5B9
//!          z ^= z >> 27;  z *= 0x94D049BB133111EB
//!          z ^= z >> 31
//! bits(s, i) = mix(mix(s) + (i + 1) * 0x9E3779B97F4A7C15)
//! ```
//!
//! that is, the i-th output of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) started at `mix(s)`;
//! the first `mix` keeps neighboring seeds from sharing a sequence. An element is then
//!
//! - float with a significand of p bits (bf16 8, f16 11, f32 24, f64 53): with `n` the upper p bits
//!   of `bits`, the number (n − 2^(p−1)) / 2^(p−1), which is exact in the type: uniform on a grid of
//!   2^p points in [−1, 1);
//! - integer of 8 bits and more: ((upper 32 bits of `bits`) × 17 >> 32) − 8, in −8…8;
//! - `i1`: the uppermost bit.
//!
//! The same seed gives every type the same picture: a narrower float is the wider one rounded down
//! to its grid.
//!
//! **Iota.** Element `i` is `i`: integers keep the low bits, floats round to nearest.

use crate::buffer::{Buffer, Value};
use crate::error::BufferError;
use crate::{ElemType, f64_to_bf16, f64_to_f16};

/// The 64 random bits of element `index` under `seed`
pub fn random_bits(seed: u64, index: u64) -> u64 {
    mix(mix(seed).wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Buffer {
    /// Random data, the same bytes everywhere: floats in [−1, 1), integers in −8…8
    pub fn random(elem: ElemType, shape: &[u64], seed: u64) -> Result<Buffer, BufferError> {
        let mut buffer = Buffer::zeros(elem, shape)?;
        let bits = (0..).map(|i| random_bits(seed, i));
        match elem {
            ElemType::I1 => put::<u8>(&mut buffer, bits.map(|b| (b >> 63) as u8)),
            ElemType::I8 => put::<i8>(&mut buffer, bits.map(|b| small(b) as i8)),
            ElemType::I16 => put::<i16>(&mut buffer, bits.map(|b| small(b) as i16)),
            ElemType::I32 => put::<i32>(&mut buffer, bits.map(|b| small(b) as i32)),
            ElemType::I64 | ElemType::Index => put::<i64>(&mut buffer, bits.map(small)),
            ElemType::F16 => put::<u16>(&mut buffer, bits.map(|b| f64_to_f16(unit(b, elem.precision())))),
            ElemType::BF16 => put::<u16>(&mut buffer, bits.map(|b| f64_to_bf16(unit(b, elem.precision())))),
            ElemType::F32 => put::<f32>(&mut buffer, bits.map(|b| unit(b, elem.precision()) as f32)),
            ElemType::F64 => put::<f64>(&mut buffer, bits.map(|b| unit(b, elem.precision()))),
        }
        Ok(buffer)
    }

    /// 0, 1, 2, … in row-major order
    pub fn iota(elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        let mut buffer = Buffer::zeros(elem, shape)?;
        for i in 0..buffer.len() {
            buffer.set(i, Value::Int(i as i64));
        }
        Ok(buffer)
    }

    /// The same value everywhere
    ///
    /// Integers must fit, read as signed or unsigned; floats are rounded to nearest.
    pub fn filled(elem: ElemType, shape: &[u64], value: &str) -> Result<Buffer, BufferError> {
        let value = parse_value(elem, value)?;
        let mut buffer = Buffer::zeros(elem, shape)?;
        for i in 0..buffer.len() {
            buffer.set(i, value);
        }
        Ok(buffer)
    }
}

/// Write the head of an endless sequence into all elements
fn put<T: crate::Scalar>(buffer: &mut Buffer, values: impl Iterator<Item = T>) {
    let Some(elements) = buffer.view_mut::<T>() else { return };
    for (element, value) in elements.iter_mut().zip(values) {
        *element = value;
    }
}

/// −8…8
fn small(bits: u64) -> i64 {
    (((bits >> 32) * 17) >> 32) as i64 - 8
}

/// [−1, 1) on a grid of 2^`precision` points
fn unit(bits: u64, precision: u32) -> f64 {
    let half = 1i64 << (precision - 1);
    ((bits >> (64 - precision)) as i64 - half) as f64 / half as f64
}

/// Read one value of `elem` as a user writes it
pub(crate) fn parse_value(elem: ElemType, text: &str) -> Result<Value, BufferError> {
    let bad = || BufferError::Value { value: text.into(), elem };
    if elem.is_float() {
        // Rust's grammar for floats also has `inf`, `infinity` and `nan`.
        return text.parse().map(Value::Float).map_err(|_| bad());
    }
    let value: i128 = match text {
        "true" if elem == ElemType::I1 => 1,
        "false" if elem == ElemType::I1 => 0,
        _ => text.parse().map_err(|_| bad())?,
    };
    let bits = elem.int_bits();
    if value < -(1i128 << (bits - 1)) || value >= 1i128 << bits {
        return Err(bad());
    }
    Ok(Value::Int(value as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published sequence: SplitMix64 from state 0 starts with these outputs
    #[test]
    fn bits_are_splitmix64() {
        // mix(0) = 0, so seed 0 is the plain generator.
        assert_eq!(random_bits(0, 0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random_bits(0, 1), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(random_bits(0, 2), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn bytes_are_frozen() {
        let f = Buffer::random(ElemType::F32, &[4], 1).expect("small");
        let i = Buffer::random(ElemType::I8, &[8], 1).expect("small");
        let f: Vec<u32> = f.view::<f32>().expect("f32").iter().map(|v| v.to_bits()).collect();
        assert_eq!((f, i.view::<i8>().expect("i8").to_vec()), (FROZEN_F32.to_vec(), FROZEN_I8.to_vec()));
    }
    const FROZEN_F32: [u32; 4] = [1056947712, 3196234576, 3187460624, 1063813628];
    const FROZEN_I8: [i8; 8] = [4, -2, -1, 8, -5, 2, -1, -5];

    #[test]
    fn floats_stay_in_range_and_narrow_ones_round_down() {
        let wide = Buffer::random(ElemType::F64, &[5000], 7).expect("small");
        for elem in [ElemType::F16, ElemType::BF16, ElemType::F32] {
            let narrow = Buffer::random(elem, &[5000], 7).expect("small");
            let step = 2f64.powi(1 - elem.precision() as i32);
            for i in 0..5000 {
                let (Some(Value::Float(w)), Some(Value::Float(n))) = (wide.get(i), narrow.get(i)) else {
                    panic!("float types hold floats")
                };
                assert!((-1.0..1.0).contains(&n));
                assert_eq!(n, (w / step).floor() * step);
            }
        }
    }

    #[test]
    fn integers_reach_both_ends() {
        let b = Buffer::random(ElemType::I64, &[2000], 3).expect("small");
        let v = b.view::<i64>().expect("i64");
        assert_eq!((v.iter().min(), v.iter().max()), (Some(&-8), Some(&8)));
    }

    #[test]
    fn truth_values_are_random_too() {
        let b = Buffer::random(ElemType::I1, &[100], 3).expect("small");
        let ones = b.bytes().iter().filter(|&&v| v == 1).count();
        assert!(b.bytes().iter().all(|&v| v <= 1) && (30..70).contains(&ones));
    }

    #[test]
    fn iota_counts() {
        let b = Buffer::iota(ElemType::F16, &[2, 2]).expect("small");
        assert_eq!(b.get(3), Some(Value::Float(3.0)));
    }

    #[test]
    fn fill_accepts_both_readings_of_an_integer() {
        assert_eq!(Buffer::filled(ElemType::I8, &[1], "255").expect("fits").get(0), Some(Value::Int(-1)));
        assert_eq!(Buffer::filled(ElemType::I8, &[1], "-128").expect("fits").get(0), Some(Value::Int(-128)));
        assert_eq!(Buffer::filled(ElemType::I1, &[1], "true").expect("fits").get(0), Some(Value::Int(1)));
        let e = Buffer::filled(ElemType::I8, &[1], "256").expect_err("too wide");
        assert_eq!(e.to_string(), "the value 256 does not fit in i8");
        assert!(Buffer::filled(ElemType::I32, &[1], "1.5").is_err());
    }

    #[test]
    fn fill_rounds_floats() {
        assert_eq!(
            Buffer::filled(ElemType::F32, &[1], "0.1").expect("fits").view::<f32>(),
            Some(&[0.1f32][..])
        );
        assert_eq!(
            Buffer::filled(ElemType::F64, &[1], "-inf").expect("fits").get(0),
            Some(Value::Float(f64::NEG_INFINITY))
        );
    }
}
