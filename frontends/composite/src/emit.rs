//! Where ops are built: values of tensors, constants, broadcasting.

use crate::graph::Tensor;
use crate::{Wrong, codes};
use std::collections::BTreeMap;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::show::round_to_bits;
use terrace_ir::{BlockId, Builder, FloatKind, Ir, Loc, Name, NewOp, OpDef, Sign, Type, TypeKind, Value};

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
    pub ir: &'a mut Ir,
    block: BlockId,
    loc: Loc,
    values: BTreeMap<String, Value>,
    /// Inputs with new content
    pub assigned: Vec<(String, Value)>,
}

impl<'a> Emit<'a> {
    /// At the end of a block
    pub fn new(ir: &'a mut Ir, block: BlockId) -> Emit<'a> {
        Emit { ir, block, loc: Loc::offset(0), values: BTreeMap::new(), assigned: Vec::new() }
    }

    /// Ops to come belong to this byte of the text
    pub fn go_to(&mut self, at: u32) {
        self.loc = Loc::offset(at);
    }

    /// A builder at the end of the function
    pub fn b(&mut self) -> Builder<'_> {
        let mut b = Builder::at_end(self.ir, self.block);
        b.set_loc(self.loc);
        b
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

    /// A constant of one number; nothing if the type does not have it
    pub fn splat(&mut self, number: f64, ty: Type) -> Option<Value> {
        let cx = self.ir.cx();
        let elem = ty.scalar(cx);
        let one = match *elem.kind(cx) {
            TypeKind::Float(kind) => cx.float_attr(round_to_bits(number, kind)?, elem),
            TypeKind::Int { width, sign } => {
                let (low, high) = match sign == Sign::Unsigned || width == 1 {
                    true => (0, (1i128 << width) - 1),
                    false => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
                };
                let whole = Some(number as i128).filter(|whole| *whole as f64 == number)?;
                // Limits of 64 bits are rounded up as floats.
                cx.int_attr(
                    if whole == high + 1 {
                        high
                    } else {
                        Some(whole).filter(|n| (low..=high).contains(n))?
                    },
                    elem,
                )
            }
            _ => return None,
        };
        let attr = cx.splat_attr(ty, one)?;
        let op = stablehlo::Constant::build(&mut self.b(), attr);
        Some(op.output(self.ir))
    }

    /// The value of an op without attributes
    pub fn value(&mut self, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
        let mut b = self.b();
        let kind = b.kind(def);
        let op = b.insert(&NewOp { operands, results: &[ty], ..NewOp::new(kind) });
        b.read().result(op, 0)
    }

    /// The value in a shape: broadcast as in numpy, one element to all
    pub fn fit(&mut self, value: Value, shape: &[i64], at: u32) -> Result<Value, Wrong> {
        let ty = self.ir.ty(value);
        let cx = self.ir.cx();
        let from = ty.shape(cx).unwrap_or(&[]).to_vec();
        if from == shape {
            return Ok(value);
        }
        let elem = ty.scalar(cx);
        let to = cx.tensor(shape, elem);
        if from.iter().all(|size| *size == 1) {
            let scalar = cx.tensor(&[], elem);
            let value =
                if from.is_empty() { value } else { self.value(stablehlo::Reshape::DEF, &[value], scalar) };
            return Ok(self.broadcast(value, &[], to));
        }
        let new = shape.len().checked_sub(from.len());
        let fits = |new: usize| from.iter().zip(&shape[new..]).all(|(a, b)| *a == 1 || a == b);
        let Some(new) = new.filter(|new| fits(*new)) else {
            let message = format!("an operand of shape {from:?} cannot be broadcast to {shape:?}");
            return Err(Wrong::new(at, &codes::SHAPE, message));
        };
        let dims: Vec<i64> = (new as i64..shape.len() as i64).collect();
        Ok(self.broadcast(value, &dims, to))
    }

    fn broadcast(&mut self, value: Value, dims: &[i64], to: Type) -> Value {
        let dims = self.ir.cx().i64_array(dims);
        let op = stablehlo::BroadcastInDim::build(&mut self.b(), value, dims, to);
        op.result(self.ir)
    }
}
