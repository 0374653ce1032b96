//! The LLVM values of a value: how many there are, their types, and those that its type knows.

use crate::form::{Elem, Form};
use crate::raw::{Llvm, T, V};
use std::rc::Rc;
use terrace_ir::DYNAMIC;

/// LLVM values of one value
pub(crate) type Parts = Rc<[V]>;

/// Positions in the parts of a memref
pub(crate) mod part {
    pub(crate) const ALLOCATED: usize = 0;
    pub(crate) const ALIGNED: usize = 1;
    pub(crate) const OFFSET: usize = 2;
    pub(crate) const SIZES: usize = 3;
}

pub(crate) fn elem_type(ll: &Llvm, elem: Elem) -> T {
    match elem {
        Elem::Int(bits) => ll.int(bits),
        Elem::Float(kind) => ll.float(kind).expect("`form` admits formats that LLVM has"),
    }
}

pub(crate) fn part_types(ll: &Llvm, form: &Form) -> Vec<T> {
    match form {
        Form::Scalar(elem) => vec![elem_type(ll, *elem)],
        Form::Vector(vector) => {
            vec![ll.vector(elem_type(ll, vector.elem), vector.lanes()); vector.parts()]
        }
        Form::MemRef(mem) => {
            let mut types = vec![ll.ptr(mem.space); 2];
            types.extend(std::iter::repeat_n(ll.i64(), 1 + 2 * mem.rank()));
            types
        }
        Form::Matrix(matrix) => {
            let one = elem_type(ll, Elem::Float(matrix.elem));
            vec![if matrix.in_pairs() { ll.vector(one, 2) } else { one }; matrix.parts()]
        }
        Form::Function => vec![ll.ptr(0)],
    }
}

/// Parts that the type knows
pub(crate) fn static_parts(ll: &Llvm, form: &Form) -> Vec<Option<V>> {
    let count = match form {
        Form::MemRef(mem) => part::SIZES + 2 * mem.rank(),
        Form::Vector(vector) => vector.parts(),
        Form::Matrix(matrix) => matrix.parts(),
        _ => 1,
    };
    let mut parts = vec![None; count];
    if let Form::MemRef(mem) = form {
        let known =
            [mem.offset].into_iter().chain(mem.shape.iter().copied()).chain(mem.strides.iter().copied());
        for (n, value) in known.enumerate() {
            parts[part::OFFSET + n] = (value != DYNAMIC).then(|| ll.const_i64(value));
        }
    }
    parts
}
