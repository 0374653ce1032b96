//! `func`: calls and returns, and calls whose range may be run in pieces at once.

use crate::abi;
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::Form;
use crate::module::Function;
use crate::parts::Parts;
use crate::raw::{Callee, Linkage, Opcode, T, V};
use terrace_dialect_builtin::marks::{GRAIN, PARALLEL};
use terrace_dialect_func as func;
use terrace_ir::OpId;
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { func:
    Call call_check, call;
    CallIndirect any, call_indirect;
    Constant any, constant;
    Func any, |_, _| {};
    Return any, ret;
};

fn is_parallel(ir: &terrace_ir::Ir, op: OpId) -> bool {
    ir.discardable(op, PARALLEL).is_some()
}

fn call_check(c: &Check<'_>, op: OpId) -> Checked {
    if !is_parallel(c.ir, op) {
        return Ok(());
    }
    let index = c.cx().common().index;
    let range = c.ir.operands(op).take(2).filter(|value| c.ir.ty(*value) == index).count();
    if range < 2 || c.ir.num_results(op) > 0 {
        return Err(format!("with `{PARALLEL}` takes a range of `index` first and has no results").into());
    }
    Ok(())
}

fn forms(e: &Emitter<'_>, op: OpId, from: usize) -> (Vec<Form>, Vec<Form>) {
    let inputs = e.ir.operands(op).skip(from).map(|value| e.form_of(value)).collect();
    let results = e.ir.results(op).map(|value| e.form_of(value)).collect();
    (inputs, results)
}

fn arguments(e: &Emitter<'_>, op: OpId, from: usize, inputs: &[Form]) -> Vec<V> {
    let values = e.ir.operands(op).skip(from).map(|value| e.get(value));
    inputs.iter().zip(values).flat_map(|(form, parts)| abi::to_params(e.ll, form, &parts)).collect()
}

fn results(e: &mut Emitter<'_>, op: OpId, forms: &[Form], value: V) {
    for (n, parts) in abi::from_result(e, forms, value).into_iter().enumerate() {
        e.set_result(op, n, parts);
    }
}

fn call(e: &mut Emitter<'_>, op: OpId) {
    let program = e.program;
    let function = program.function(e.ir, op, "callee").expect("the verifier has found the callee");
    if is_parallel(e.ir, op) {
        return parallel(e, op, function);
    }
    let args = arguments(e, op, 0, &function.inputs);
    let value = e.ll.call(function.callee, &args);
    if function.defined {
        e.ll.call_attr(value, "nobuiltin");
    }
    results(e, op, &function.results, value);
}

fn call_indirect(e: &mut Emitter<'_>, op: OpId) {
    let (inputs, outputs) = forms(e, op, 1);
    let callee = Callee {
        value: e.one(func::CallIndirect(op).callee(e.ir)),
        ty: abi::function_type(e.ll, &inputs, &outputs),
    };
    let args = arguments(e, op, 1, &inputs);
    let value = e.ll.call(callee, &args);
    results(e, op, &outputs, value);
}

fn constant(e: &mut Emitter<'_>, op: OpId) {
    let function = e.program.function(e.ir, op, "value").expect("the verifier has found the function");
    e.set_result(op, 0, vec![function.callee.value]);
}

fn ret(e: &mut Emitter<'_>, op: OpId) {
    let forms: Vec<Form> = e.ir.operands(op).map(|value| e.form_of(value)).collect();
    let values: Vec<Parts> = e.ir.operands(op).map(|value| e.get(value)).collect();
    let value = abi::to_result(e.ll, &forms, &values);
    e.ll.ret(value);
}

/// Captures into a struct on the stack, `terrace_parallel_for` over 0..end-begin with a thunk that unpacks them
fn parallel(e: &mut Emitter<'_>, op: OpId, function: &Function) {
    let ll = e.ll;
    let args = arguments(e, op, 0, &function.inputs);
    let (begin, end) = (args[0], args[1]);
    // The begin travels too, unless it is the usual constant zero.
    let from_zero = ll.as_const(begin) == Some(0);
    let captures: Vec<V> = if from_zero { args[2..].to_vec() } else { [&[begin], &args[2..]].concat() };
    let types: Vec<T> = captures.iter().map(|value| ll.type_of(*value)).collect();
    let packed = ll.structure(&types);
    let thunk = thunk(e, function, packed, &types, from_zero);
    let slot = e.slot(packed);
    for (n, value) in captures.iter().enumerate() {
        ll.store(*value, ll.field(packed, slot, n as u32), 0);
    }
    let count = if from_zero { end } else { ll.sub(end, begin) };
    let (i64, ptr) = (ll.i64(), ll.ptr(0));
    let run = ll.declare("terrace_parallel_for", ll.void(), &[i64, i64, ptr, ptr]);
    // Nothing said: dealt out evenly before
    let grain = e.ir.discardable(op, GRAIN).and_then(|attr| attr.as_i64(e.cx())).unwrap_or(0);
    ll.call(run, &[count, ll.const_i64(grain.max(0)), thunk, slot]);
}

/// `void thunk(ptr captures, i64 begin, i64 end, i64 worker)`
fn thunk(e: &Emitter<'_>, function: &Function, packed: T, types: &[T], from_zero: bool) -> V {
    let ll = e.ll;
    let (i64, here) = (ll.i64(), ll.block());
    let ty = ll.function_type(ll.void(), &[ll.ptr(0), i64, i64, i64]);
    let name = format!("{}.piece", ll.name_of(function.callee.value));
    let made = ll.add_function(&name, ty);
    ll.set_linkage(made.value, Linkage::LLVMInternalLinkage);
    e.program.attribute(made, function.cpu.as_deref());
    ll.known_attr(made.value, Some(0), "noalias", 0);
    ll.at_end(ll.append_block(made.value, "entry"));
    let context = ll.param(made.value, 0);
    let field = |(n, ty): (usize, &T)| ll.load(*ty, ll.field(packed, context, n as u32), 0);
    let captures: Vec<V> = types.iter().enumerate().map(field).collect();
    let mut range = [ll.param(made.value, 1), ll.param(made.value, 2)];
    if !from_zero {
        range = range.map(|at| ll.bin(Opcode::LLVMAdd, at, captures[0]));
    }
    let args = [&range[..], &captures[usize::from(!from_zero)..]].concat();
    let call = ll.call(function.callee, &args);
    if function.defined {
        ll.call_attr(call, "nobuiltin");
    }
    ll.ret(None);
    ll.at_end(here);
    made.value
}
