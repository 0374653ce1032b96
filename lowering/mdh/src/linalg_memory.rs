//! `linalg` in memory as `linalg` on values: operands are the contents of buffers, results are written where they belong.
//!
//! A computation on values reads all before it writes. So what an op in memory reads of a buffer that it writes must be, at each
//! point, the very element that the point writes; other overlaps are refused. Different arguments and different allocations are
//! taken to be different memory. What only fills an output of the next op is its start value, and is not stored.

use crate::no_form::{NoForm, Rule};
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_linalg::{self as linalg, Form};
use terrace_dialect_memref as memref;
use terrace_ir::{Builder, Ir, OpId, Parts, Traits, Type, TypeKind, Value};

fn in_memory(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), TypeKind::MemRef { .. })
}

/// Is it an op of `linalg` in memory?
pub fn is_on_memory(ir: &Ir, op: OpId) -> bool {
    ir.is_of(op, &linalg::LINALG) && ir.operands(op).any(|value| in_memory(ir, value))
}

/// What is read of a buffer that is written must be the element that is written
fn overlaps(ir: &Ir, form: &Form) -> Result<(), NoForm> {
    let outs = form.outs();
    for (n, (out, to)) in outs.iter().enumerate() {
        let memory = memref::root(ir, *out);
        if outs[..n].iter().any(|(other, _)| memref::root(ir, *other) == memory) {
            return Err(Rule::Alias.because(format!("output {n} is in the same buffer as another output")));
        }
        for (k, (value, from)) in form.ins().iter().enumerate() {
            if !in_memory(ir, *value) || memref::root(ir, *value) != memory {
                continue;
            }
            if value != out {
                return Err(Rule::Alias.because(format!(
                    "input {k} and output {n} are parts of one buffer: whether they overlap is not looked at; copy the input before"
                )));
            }
            if from != to || form.reduces.contains(&true) {
                return Err(Rule::Alias.because(format!(
                    "input {k} is output {n}, and points read elements that other points write; copy the input before"
                )));
            }
        }
    }
    Ok(())
}

fn tensor_of(ir: &Ir, value: Value) -> Type {
    let (cx, ty) = (ir.cx(), ir.ty(value));
    cx.tensor(ty.shape(cx).unwrap_or(&[]), ty.scalar(cx))
}

/// The fill right before an op that fills this buffer; between them nothing touches memory but other fills
fn filled_before(ir: &Ir, op: OpId, buffer: Value) -> Option<linalg::Fill> {
    let memory = memref::root(ir, buffer);
    if ir.operands(op).filter(|value| in_memory(ir, *value) && memref::root(ir, *value) == memory).count() > 1
    {
        return None;
    }
    let mut at = ir.prev(op);
    while let Some(before) = at {
        if let Some(fill) = linalg::Fill::cast(ir, before) {
            let (scalar, to) = (fill.inputs(ir)[0], fill.outputs(ir)[0]);
            if to == buffer && ir.ty(scalar) == ir.ty(buffer).scalar(ir.cx()) {
                return Some(fill);
            }
            if memref::root(ir, to) == memory {
                return None;
            }
        } else if !ir.has(before, Traits::Pure)
            && !ir.is(before, memref::Alloc::DEF)
            && !ir.is(before, memref::Alloca::DEF)
        {
            return None;
        }
        at = ir.prev(before);
    }
    None
}

/// Make it an op on values
pub fn to_values(ir: &mut Ir, op: OpId) -> Result<(), NoForm> {
    let form = Form::of(ir, op).map_err(|why| Rule::Body.because(why))?;
    overlaps(ir, &form)?;
    let outs: Vec<Value> = form.outs().iter().map(|(value, _)| *value).collect();
    let loc = ir.loc(op);
    let unit = ir.cx().common().unit;
    let mut known: Vec<(Value, Value)> = Vec::new();
    let mut operands: Vec<Value> = Vec::new();
    let all: Vec<Value> = ir.operands(op).collect();
    let fills: Vec<Option<linalg::Fill>> = all
        .iter()
        .enumerate()
        .map(|(n, value)| if n < form.inputs { None } else { filled_before(ir, op, *value) })
        .collect();
    for (value, fill) in all.into_iter().zip(fills) {
        if !in_memory(ir, value) {
            operands.push(value);
            continue;
        }
        let ty = tensor_of(ir, value);
        if let Some(fill) = fill {
            let scalar = fill.inputs(ir)[0];
            let start = filled(ir, op, scalar, ty);
            ir.erase(fill.id());
            operands.push(start);
            continue;
        }
        let found = known.iter().find(|(other, _)| *other == value).map(|(_, tensor)| *tensor);
        operands.push(match found {
            Some(tensor) => tensor,
            None => {
                let mut b = Builder::before(ir, op);
                b.set_loc(loc);
                let tensor = ToTensor::build(&mut b, value, ty);
                tensor.set_restrict(ir, Some(unit));
                let tensor = tensor.result(ir);
                if let Some(name) = ir.value_name(value) {
                    let name = terrace_ir::Name::Str(ir.cx().intern(&format!("{name}.t")));
                    ir.set_value_name(tensor, name);
                }
                known.push((value, tensor));
                tensor
            }
        });
    }
    let results: Vec<Type> = outs.iter().map(|out| tensor_of(ir, *out)).collect();
    let parts = Parts { operands, results, ..ir.parts(op) };
    let made = ir.remake(op, &parts);
    for (n, out) in outs.into_iter().enumerate() {
        let result = ir.result(made, n);
        let mut b = Builder::before(ir, op);
        b.set_loc(loc);
        let end = MaterializeInDestination::build(&mut b, result, out, None);
        end.set_restrict(ir, Some(unit));
        end.set_writable(ir, Some(unit));
    }
    ir.erase(op);
    Ok(())
}

/// A tensor of one value
fn filled(ir: &mut Ir, op: OpId, scalar: Value, ty: Type) -> Value {
    use terrace_dialect_linalg::{Fill, Yield};
    use terrace_dialect_tensor::Empty;
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let empty = Empty::build(&mut b, &[], ty).result(b.read());
    let fill = Fill::build(&mut b, &[scalar], &[empty], &[ty]);
    let region = fill.body(ir);
    let block = ir.append_block(region);
    let elem = ty.scalar(ir.cx());
    let kind = ir.ty(scalar);
    let value = ir.add_block_arg(block, kind);
    ir.add_block_arg(block, elem);
    Yield::build(&mut Builder::at_end(ir, block), &[value]);
    fill.results(ir)[0]
}
