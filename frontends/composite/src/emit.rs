//! A sub-graph as a module of one function.

use crate::graph::{Graph, Op, Tensor};
use crate::{Wrong, codes, ops};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::SourceId;
use terrace_dialect_builtin as builtin;
use terrace_dialect_func as func;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::show::round_to_bits;
use terrace_ir::{
    Attr, BlockId, Builder, Context, FloatKind, Ir, Loc, Name, NewOp, OpDef, Sign, Type, TypeKind, Value,
};

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

/// The module of a graph
pub(crate) fn module(cx: &Arc<Context>, source: SourceId, graph: &Graph<'_>) -> Result<Ir, Wrong> {
    let kind = |def: &'static OpDef| {
        let message = "the dialects `builtin`, `func` and `stablehlo` are not registered";
        cx.kind_of(def).ok_or_else(|| Wrong::new(0, &codes::SYNTAX, message))
    };
    kind(stablehlo::Add::DEF)?;
    let mut module = Ir::new_unit(cx, kind(builtin::Module::DEF)?, 1, Loc::UNKNOWN);
    module.set_source(Some(source));
    let region = module.region(module.root(), 0);
    let block = module.append_block(region);
    let mut unit = Ir::new_unit(cx, kind(func::Func::DEF)?, 1, Loc::offset(0));
    unit.set_source(Some(source));
    function(&mut unit, graph)?;
    let op = module.adopt(Box::new(unit));
    module.append(block, op);
    Ok(module)
}

fn function(unit: &mut Ir, graph: &Graph<'_>) -> Result<(), Wrong> {
    let root = unit.root();
    let region = unit.region(root, 0);
    let block = unit.append_block(region);
    let mut emit =
        Emit { ir: unit, block, loc: Loc::offset(0), values: BTreeMap::new(), assigned: Vec::new() };
    let mut inputs = Vec::new();
    for tensor in &graph.inputs {
        let ty = emit.ty(tensor)?;
        let value = emit.ir.add_block_arg(block, ty);
        emit.define(tensor, value);
        inputs.push(ty);
    }
    for op in &graph.ops {
        emit.loc = Loc::offset(op.at);
        emit.op(op)?;
    }
    let mut results = Vec::new();
    for tensor in &graph.outputs {
        results.push((emit.read(tensor)?, "terrace.name", tensor.name.clone()));
    }
    for (name, value) in std::mem::take(&mut emit.assigned) {
        results.push((value, "composite.assigns", name));
    }
    let operands: Vec<Value> = results.iter().map(|(value, ..)| *value).collect();
    let types: Vec<Type> = operands.iter().map(|value| emit.ir.ty(*value)).collect();
    func::Return::build(&mut emit.b(), &operands);
    let cx = emit.ir.cx();
    let entry =
        |(_, key, name): &(Value, &str, String)| cx.dict_attr(vec![(cx.intern(key), cx.str_attr(name))]);
    let res_attrs = cx.array_attr(&results.iter().map(entry).collect::<Vec<Attr>>());
    let function_type = cx.type_attr(cx.function(&inputs, &types));
    let name = cx.str_attr(if graph.name.is_empty() { "main" } else { &graph.name });
    let words: Vec<(String, Attr)> =
        graph.words.iter().map(|(name, word)| (format!("composite.{name}"), cx.str_attr(word))).collect();
    unit.set_attr(root, "sym_name", Some(name));
    unit.set_attr(root, "function_type", Some(function_type));
    unit.set_attr(root, "res_attrs", Some(res_attrs));
    for (name, word) in words {
        unit.set_discardable(root, &name, Some(word));
    }
    Ok(())
}

impl Emit<'_> {
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

    fn op(&mut self, op: &Op<'_>) -> Result<(), Wrong> {
        let Some(row) = ops::TABLE.iter().find(|row| row.name == op.name) else {
            let mut wrong = Wrong::new(op.at, &codes::OP, format!("op `{}` is not known", op.name));
            let names = ops::TABLE.iter().map(|row| row.name);
            wrong.near = terrace_diag::nearest(&op.name, names);
            return Err(wrong);
        };
        let given = op.inputs.len();
        if !row.inputs.contains(&given) || op.outputs.len() != 1 {
            let (low, high) = (row.inputs.start(), row.inputs.end());
            let wanted = if low == high { low.to_string() } else { format!("{low} or more") };
            let message = format!(
                "`{}` has {wanted} inputs and one output, found {given} and {}",
                op.name,
                op.outputs.len()
            );
            return Err(Wrong::new(op.at, &codes::OP, message));
        }
        let value = (row.emit)(self, op)?;
        self.define(&op.outputs[0], value);
        Ok(())
    }
}
