//! Tensors whose elements are known: initializers, constants, and what follows from them.

use crate::types::Elem;
use bytes::Bytes;
use terrace_ir::TypeKind;
use terrace_ir::show::{round_to_bits, value_of_bits};

/// A tensor with its elements
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    /// As the model names it; of constants that were made here what they are for
    pub name: String,
    pub elem: Elem,
    pub shape: Vec<i64>,
    /// Little-endian, row by row; truth values one byte each
    pub data: Bytes,
}

/// Elements that are printed in the program at most
const FEW: usize = 16;

impl Literal {
    /// Numbers as a list
    pub fn of_ints(name: &str, numbers: &[i64]) -> Literal {
        Literal::shaped_ints(name, vec![numbers.len() as i64], numbers)
    }

    /// 64-bit integers in a shape
    pub fn shaped_ints(name: &str, shape: Vec<i64>, numbers: &[i64]) -> Literal {
        let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Literal { name: name.into(), elem: Elem::INT64, shape, data: data.into() }
    }

    /// Floats of a type as a list; nothing if it does not have them
    pub fn of_floats(name: String, elem: Elem, numbers: &[f64]) -> Option<Literal> {
        let TypeKind::Float(kind) = *elem.kind() else { return None };
        let mut data = Vec::with_capacity(numbers.len() * elem.bytes());
        for number in numbers {
            let bits = round_to_bits(*number, kind)?;
            data.extend_from_slice(&bits.to_le_bytes()[..elem.bytes()]);
        }
        Some(Literal { name, elem, shape: vec![numbers.len() as i64], data: data.into() })
    }

    pub fn count(&self) -> usize {
        self.data.len() / self.elem.bytes()
    }

    /// One number for all elements
    fn is_splat(&self) -> bool {
        let one = self.elem.bytes();
        self.data.len() >= one && self.data.chunks(one).all(|chunk| *chunk == self.data[..one])
    }

    /// Does it belong into the program's text?
    pub fn is_short(&self) -> bool {
        self.count() <= FEW || self.is_splat()
    }

    fn bits(&self) -> impl Iterator<Item = u64> + '_ {
        self.data.chunks(self.elem.bytes()).map(|chunk| {
            let mut all = [0; 8];
            all[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(all)
        })
    }

    /// Its elements, if they are integers of 64 bits or fewer, or truth values
    pub fn ints(&self) -> Option<Vec<i64>> {
        let TypeKind::Int { .. } = self.elem.kind() else { return None };
        let width = 8 * self.elem.bytes() as u32;
        let number = |bits: u64| match self.elem.is_unsigned() {
            true => i64::try_from(bits).ok(),
            false => Some((bits as i64) << (64 - width) >> (64 - width)),
        };
        self.bits().map(number).collect()
    }

    /// Its elements, if they are floats
    pub fn floats(&self) -> Option<Vec<f64>> {
        let TypeKind::Float(kind) = *self.elem.kind() else { return None };
        self.bits().map(|bits| value_of_bits(bits, kind)).collect()
    }

    /// Floats, and none of them is infinite or NaN
    pub fn is_finite(&self) -> bool {
        let TypeKind::Float(kind) = *self.elem.kind() else { return false };
        self.bits().all(|bits| value_of_bits(bits, kind).is_some_and(f64::is_finite))
    }

    /// The same elements in another shape
    pub fn reshaped(&self, shape: &[i64]) -> Literal {
        Literal { shape: shape.to_vec(), ..self.clone() }
    }
}
