//! Where ops are built: values of tensors, constants, broadcasting.

use crate::graph::Tensor;
use crate::{Wrong, codes};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use terrace_frontend_graph::End;
use terrace_ir::{BlockId, FloatKind, Ir, Name, Sign, Type, TypeKind, Value};

/// Types of elements by their names in the format
const TYPES: &[(&str, TypeKind)] = &[
    ("float16", TypeKind::Float(FloatKind::F16)),
    ("bfloat16", TypeKind::Float(FloatKind::BF16)),
    ("float32", TypeKind::Float(FloatKind::F32)),
    ("float64", TypeKind::Float(FloatKind::F64)),
    ("bool", TypeKind::Int { width: 1, sign: Sign::Signless }),
    ("int8", TypeKind::Int { width: 8, sign: Sign::Signless }),
    ("int16", TypeKind::Int { width: 16, sign: Sign::Signless }),
    ("int32", TypeKind::Int { width: 32, sign: Sign::Signless }),
    ("int64", TypeKind::Int { width: 64, sign: Sign::Signless }),
    ("uint8", TypeKind::Int { width: 8, sign: Sign::Unsigned }),
    ("uint16", TypeKind::Int { width: 16, sign: Sign::Unsigned }),
    ("uint32", TypeKind::Int { width: 32, sign: Sign::Unsigned }),
    ("uint64", TypeKind::Int { width: 64, sign: Sign::Unsigned }),
];

/// Where ops go, and what tensors are
pub(crate) struct Emit<'a> {
    end: End<'a>,
    values: BTreeMap<String, Value>,
    /// Inputs with new content
    pub assigned: Vec<(String, Value)>,
}

impl<'a> Deref for Emit<'a> {
    type Target = End<'a>;

    fn deref(&self) -> &End<'a> {
        &self.end
    }
}

impl<'a> DerefMut for Emit<'a> {
    fn deref_mut(&mut self) -> &mut End<'a> {
        &mut self.end
    }
}

impl<'a> Emit<'a> {
    /// At the end of a block
    pub fn new(ir: &'a mut Ir, block: BlockId) -> Emit<'a> {
        Emit { end: End::new(ir, block), values: BTreeMap::new(), assigned: Vec::new() }
    }

    /// The type of a tensor
    pub fn ty(&self, tensor: &Tensor<'_>) -> Result<Type, Wrong> {
        let cx = self.ir.cx();
        match TYPES.iter().find(|(name, _)| *name == tensor.elem) {
            Some((_, kind)) => Ok(cx.tensor(&tensor.shape, cx.ty(kind.clone()))),
            None => {
                let message = format!("type `{}` is not known", tensor.elem);
                let mut wrong = Wrong::new(tensor.at, &codes::SHAPE, message);
                let names = TYPES.iter().map(|(name, _)| *name);
                wrong.near = terrace_diag::nearest(&tensor.elem, names);
                Err(wrong)
            }
        }
    }

    /// A tensor has this value
    pub fn define(&mut self, tensor: &Tensor<'_>, value: Value) {
        if self.ir.value_name(value).is_none() {
            let name = Name::Str(self.ir.cx().intern(&tensor.name));
            self.ir.set_value_name(value, name);
        }
        self.values.insert(tensor.name.clone(), value);
    }

    /// The value of a tensor where it is read: of the type that it has there
    pub fn read(&mut self, tensor: &Tensor<'_>) -> Result<Value, Wrong> {
        let ty = self.ty(tensor)?;
        if let Some(node) = tensor.value {
            let number = node.number().ok_or_else(|| node.wrong("expected a number"))?;
            return self.splat(number, ty).ok_or_else(|| node.wrong("the number does not fit its type"));
        }
        let Some(value) = self.values.get(&tensor.name).copied() else {
            let message = format!("tensor `{}` is missing", tensor.name);
            return Err(Wrong::new(tensor.at, &codes::TENSOR, message));
        };
        let made = self.ir.ty(value);
        if made != ty {
            let text = |ty| terrace_ir::show::type_text(self.ir.cx(), ty);
            let message =
                format!("tensor `{}` is {} here, and {} where it is made", tensor.name, text(ty), text(made));
            return Err(Wrong::new(tensor.at, &codes::SHAPE, message));
        }
        Ok(value)
    }

    /// The value in a shape: broadcast as in numpy, one element to all
    pub fn fit(&mut self, value: Value, shape: &[i64], at: u32) -> Result<Value, Wrong> {
        self.end.fit(value, shape).ok_or_else(|| {
            let from = self.end.shape(value);
            let message = format!("an operand of shape {from:?} cannot be broadcast to {shape:?}");
            Wrong::new(at, &codes::SHAPE, message)
        })
    }
}
