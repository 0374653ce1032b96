//! Constants in every lane, arithmetic of indices, casts that may be none: short sequences of instructions.

use crate::form::Elem;
use crate::parts::elem_type;
use crate::raw::{Llvm, Opcode, T, V};

impl Llvm {
    /// An integer constant in every lane of a part's type
    pub(crate) fn int_const(&self, ty: T, value: i128) -> V {
        match self.lanes(ty) {
            None => self.const_wide(ty, value),
            Some(lanes) => {
                let zero = self.zero(ty);
                let scalar = self.extract_element(zero, self.const_i64(0));
                let one = self.const_wide(self.type_of(scalar), value);
                self.const_vector(&vec![one; lanes as usize])
            }
        }
    }

    /// A float constant in every lane of a part's type
    pub(crate) fn real_const(&self, ty: T, value: f64) -> V {
        match self.lanes(ty) {
            None => self.const_real(ty, value),
            Some(lanes) => {
                let scalar = self.extract_element(self.zero(ty), self.const_i64(0));
                let one = self.const_real(self.type_of(scalar), value);
                self.const_vector(&vec![one; lanes as usize])
            }
        }
    }

    /// `a * b` of indices that do not overflow
    pub(crate) fn mul_index(&self, a: V, b: V) -> V {
        match (self.as_const(a), self.as_const(b)) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.set_wrap(self.mul(a, b), true, false),
        }
    }

    /// `a + b` of indices that do not overflow
    pub(crate) fn add_index(&self, a: V, b: V) -> V {
        match (self.as_const(a), self.as_const(b)) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.set_wrap(self.add(a, b), true, false),
        }
    }

    /// A cast of parts that keeps the value where types agree
    pub(crate) fn cast_if(&self, op: Opcode, value: V, to: T) -> V {
        if self.type_of(value) == to { value } else { self.cast(op, value, to) }
    }
}

/// A scalar constant from its bits
pub(crate) fn const_bits(ll: &Llvm, elem: Elem, bits: u128) -> V {
    let int = ll.const_wide(ll.int(elem.bits()), bits as i128);
    match elem {
        Elem::Int(_) => int,
        Elem::Float(_) => ll.const_bitcast(int, elem_type(ll, elem)),
    }
}

pub(crate) fn from_bytes(raw: &[u8]) -> u128 {
    let mut wide = [0; 16];
    let count = raw.len().min(16);
    wide[..count].copy_from_slice(&raw[..count]);
    u128::from_le_bytes(wide)
}
