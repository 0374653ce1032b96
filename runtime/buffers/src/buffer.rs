//! Dense row-major arrays in host memory

use crate::aligned::{AlignedBytes, Plain};
use crate::error::BufferError;
use crate::{ElemType, bf16_to_f64, f16_to_f64, f64_to_bf16, f64_to_f16, f64_to_f32};
use std::fmt;

/// A dense row-major array: element type, shape, and bytes aligned to 64
///
/// Rank 0 is one element; a dimension of 0 makes the array empty. Numbers are stored with the
/// host's byte order.
#[derive(Clone)]
pub struct Buffer {
    elem: ElemType,
    shape: Vec<u64>,
    len: usize,
    data: AlignedBytes,
}

/// A Rust number type that can view the elements of a buffer
///
/// `i1` is seen as `u8` (0 or 1), `f16` and `bf16` as their bits in `u16`.
pub trait Scalar: Plain {
    /// Whether elements of type `elem` are seen as `Self`
    fn views(elem: ElemType) -> bool;
}

macro_rules! scalars {
    ($($t:ty: $($elem:ident)|+;)*) => { $(
        impl Scalar for $t {
            fn views(elem: ElemType) -> bool {
                matches!(elem, $(ElemType::$elem)|+)
            }
        }
    )* };
}
scalars! {
    u8: I1 | I8;
    i8: I8;
    u16: I16 | F16 | BF16;
    i16: I16;
    u32: I32;
    i32: I32;
    u64: I64 | Index;
    i64: I64 | Index;
    f32: F32;
    f64: F64;
}

/// One element, widened without loss
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Integer, sign extended (`i1` is 0 or 1)
    Int(i64),
    /// Float of any width
    Float(f64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(v) => write!(f, "{v}"),
            Self::Float(v) if v.abs() >= 1e16 || (*v != 0.0 && v.abs() < 1e-5) => write!(f, "{v:e}"),
            Self::Float(v) => write!(f, "{v}"),
        }
    }
}

impl Buffer {
    /// An array of zeros
    pub fn zeros(elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        let too_large = || BufferError::TooLarge { elem, shape: shape.to_vec() };
        let len = count(shape).ok_or_else(too_large)?;
        let bytes =
            len.checked_mul(elem.size() as u64).filter(|&b| b <= i64::MAX as u64).ok_or_else(too_large)?;
        let data = usize::try_from(bytes).ok().and_then(AlignedBytes::zeroed).ok_or_else(too_large)?;
        Ok(Buffer { elem, shape: shape.to_vec(), len: len as usize, data })
    }

    /// An array with these elements, in row-major order
    pub fn from_slice<T: Scalar>(elem: ElemType, shape: &[u64], values: &[T]) -> Result<Buffer, BufferError> {
        if !T::views(elem) {
            return Err(BufferError::Type {
                from: "the slice".into(),
                found: std::any::type_name::<T>().into(),
                expected: elem,
            });
        }
        let needed = count(shape).unwrap_or(u64::MAX);
        if needed != values.len() as u64 {
            return Err(BufferError::Length { needed, given: values.len() as u64 });
        }
        let mut buffer = Buffer::zeros(elem, shape)?;
        buffer.data.cast_mut::<T>().copy_from_slice(values);
        if elem == ElemType::I1 {
            check_truth_values(buffer.data.bytes())?;
        }
        Ok(buffer)
    }

    /// The element type
    pub fn elem(&self) -> ElemType {
        self.elem
    }

    /// Extents, outermost first
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Number of elements
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element at all
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Row-major strides, in elements
    pub fn strides(&self) -> Vec<u64> {
        row_major_strides(&self.shape)
    }

    /// All bytes, in the host's byte order
    pub fn bytes(&self) -> &[u8] {
        self.data.bytes()
    }

    /// All bytes, for writing; an `i1` byte must stay 0 or 1
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.data.bytes_mut()
    }

    /// The elements as `T`, or `None` where `T` is not the view of this element type
    pub fn view<T: Scalar>(&self) -> Option<&[T]> {
        T::views(self.elem).then(|| self.data.cast())
    }

    /// The elements as `T`, for writing
    pub fn view_mut<T: Scalar>(&mut self) -> Option<&mut [T]> {
        T::views(self.elem).then(|| self.data.cast_mut())
    }

    /// The element at a row-major position, or `None` past the end
    pub fn get(&self, linear: usize) -> Option<Value> {
        Some(match self.elem {
            ElemType::I1 => Value::Int(i64::from(*self.data.cast::<u8>().get(linear)?)),
            ElemType::I8 => Value::Int(i64::from(*self.data.cast::<i8>().get(linear)?)),
            ElemType::I16 => Value::Int(i64::from(*self.data.cast::<i16>().get(linear)?)),
            ElemType::I32 => Value::Int(i64::from(*self.data.cast::<i32>().get(linear)?)),
            ElemType::I64 | ElemType::Index => Value::Int(*self.data.cast::<i64>().get(linear)?),
            ElemType::F16 => Value::Float(f16_to_f64(*self.data.cast::<u16>().get(linear)?)),
            ElemType::BF16 => Value::Float(bf16_to_f64(*self.data.cast::<u16>().get(linear)?)),
            ElemType::F32 => Value::Float(f64::from(*self.data.cast::<f32>().get(linear)?)),
            ElemType::F64 => Value::Float(*self.data.cast::<f64>().get(linear)?),
        })
    }

    /// Write the element at a row-major position; `false` past the end
    ///
    /// Integers keep their low bits (`i1`: the lowest), floats are rounded to nearest. A value of
    /// the other kind is converted as Rust's `as` does.
    pub fn set(&mut self, linear: usize, value: Value) -> bool {
        if linear >= self.len {
            return false;
        }
        let (int, float) = match value {
            Value::Int(v) => (v, v as f64),
            Value::Float(v) => (v as i64, v),
        };
        match self.elem {
            ElemType::I1 => self.data.cast_mut::<u8>()[linear] = int as u8 & 1,
            ElemType::I8 => self.data.cast_mut::<i8>()[linear] = int as i8,
            ElemType::I16 => self.data.cast_mut::<i16>()[linear] = int as i16,
            ElemType::I32 => self.data.cast_mut::<i32>()[linear] = int as i32,
            ElemType::I64 | ElemType::Index => self.data.cast_mut::<i64>()[linear] = int,
            ElemType::F16 => self.data.cast_mut::<u16>()[linear] = f64_to_f16(float),
            ElemType::BF16 => self.data.cast_mut::<u16>()[linear] = f64_to_bf16(float),
            ElemType::F32 => self.data.cast_mut::<f32>()[linear] = f64_to_f32(float),
            ElemType::F64 => self.data.cast_mut::<f64>()[linear] = float,
        }
        true
    }

    /// Multi-dimensional index of a row-major position
    pub fn index_of(&self, linear: usize) -> Vec<u64> {
        let mut rest = linear as u64;
        let mut index = vec![0; self.shape.len()];
        for (i, &extent) in index.iter_mut().zip(&self.shape).rev() {
            if extent > 0 {
                *i = rest % extent;
                rest /= extent;
            }
        }
        index
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} {})", self.elem, crate::error::Dims(&self.shape))
    }
}

/// Number of elements of a shape, or `None` past 64 bits
pub(crate) fn count(shape: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d))
}

/// Row-major strides of a shape in elements; they stop growing where they would overflow
pub(crate) fn row_major_strides(shape: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for d in (1..shape.len()).rev() {
        strides[d - 1] = u64::saturating_mul(strides[d], shape[d]);
    }
    strides
}

/// Every byte of an `i1` array is 0 or 1; generated code relies on it
pub(crate) fn check_truth_values(bytes: &[u8]) -> Result<(), BufferError> {
    match bytes.iter().find(|&&b| b > 1) {
        None => Ok(()),
        Some(b) => Err(BufferError::Value { value: b.to_string(), elem: ElemType::I1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_then_get() {
        for elem in ElemType::ALL {
            let mut b = Buffer::zeros(elem, &[3]).expect("small");
            assert!(b.set(1, Value::Int(1)));
            let one = if elem.is_float() { Value::Float(1.0) } else { Value::Int(1) };
            assert_eq!(b.get(1), Some(one), "{elem}");
            assert_eq!(b.get(3), None);
            assert!(!b.set(3, Value::Int(1)));
        }
    }

    #[test]
    fn views_only_fit_their_type() {
        let b = Buffer::from_slice(ElemType::F32, &[2], &[1.0f32, 2.0]).expect("right length");
        assert_eq!(b.view::<f32>(), Some(&[1.0, 2.0][..]));
        assert!(b.view::<i32>().is_none());
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        let e = Buffer::zeros(ElemType::F64, &[1 << 40, 1 << 40]).expect_err("too large");
        assert_eq!(e.to_string(), "an array of 1099511627776x1099511627776xf64 does not fit in memory");
        assert!(Buffer::zeros(ElemType::F64, &[1 << 61]).is_err());
        assert!(Buffer::zeros(ElemType::F64, &[u64::MAX, 0]).expect("empty").is_empty());
    }

    #[test]
    fn lengths_must_agree() {
        let e = Buffer::from_slice(ElemType::I8, &[2, 2], &[1i8, 2, 3]).expect_err("one short");
        assert_eq!(e.to_string(), "the shape has 4 elements, but 3 are given");
    }

    #[test]
    fn truth_values_are_zero_or_one() {
        assert!(Buffer::from_slice(ElemType::I1, &[2], &[0u8, 2]).is_err());
    }

    #[test]
    fn linear_positions_unfold_row_major() {
        let b = Buffer::zeros(ElemType::I8, &[2, 3, 4]).expect("small");
        assert_eq!(b.index_of(23), [1, 2, 3]);
        assert_eq!(b.strides(), [12, 4, 1]);
    }
}
