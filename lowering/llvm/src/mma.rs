//! `gpu.subgroup_mma_*`: matrices of 16 × 16 that the lanes of a subgroup hold together, on tensor cores.
//!
//! A matrix is the registers that one lane has of it: factors are eight pairs of f16, sums eight f32 or four pairs of f16.
//! Which element lies where only the hardware knows.

use crate::check::Check;
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, MatrixForm, Role};
use crate::gpu::device;
use crate::memory;
use crate::memref::each_one;
use crate::raw::{Opcode, V};
use terrace_dialect_gpu::{self as gpu, MmaElementwiseOp};
use terrace_ir::{FloatKind, OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { gpu:
    MmaCompute device, compute;
    MmaConstant device, |e, op| {
        let form = matrix(e, e.ir.result(op, 0));
        let value = e.one(gpu::MmaConstant(op).value(e.ir));
        let part = if form.in_pairs() { e.ll.splat(value, 2) } else { value };
        e.set_result(op, 0, vec![part; form.parts()]);
    };
    MmaElementwise element_wise_check, element_wise;
    MmaLoad memory_check, load;
    MmaStore memory_check, store;
};

fn matrix(e: &Emitter<'_>, value: Value) -> MatrixForm {
    match e.form_of(value) {
        Form::Matrix(form) => form,
        _ => unreachable!("the verifier wants a matrix here"),
    }
}

fn memory_check(c: &Check<'_>, op: OpId) -> Checked {
    device(c, op)?;
    let memory = c.ir.operands(op).find_map(|value| c.mem(value).ok()).ok_or("works on memrefs only")?;
    let stored = gpu::MmaStore::cast(c.ir, op).map(|store| store.src(c.ir));
    let value = stored.unwrap_or_else(|| c.ir.result(op, 0));
    let Form::Matrix(form) = c.form(value)? else { return Err("works on matrices only".into()) };
    if *memory.elem == Form::Scalar(Elem::Float(form.elem)) {
        return Ok(());
    }
    Err("reads and writes elements of the matrix's own type only".into())
}

fn element_wise_check(c: &Check<'_>, op: OpId) -> Checked {
    device(c, op)?;
    use MmaElementwiseOp::*;
    match gpu::MmaElementwise(op).kind(c.ir) {
        AddF | MulF | SubF | MaxF | MinF | DivF | NegateF => Ok(()),
        kind => Err(format!("has no `{}` on floats", kind.word()).into()),
    }
}

fn element_wise(e: &mut Emitter<'_>, op: OpId) {
    let kind = gpu::MmaElementwise(op).kind(e.ir);
    e.each(op, |e, v| {
        let ty = [e.ll.type_of(v[0])];
        match kind {
            MmaElementwiseOp::AddF => e.ll.bin(Opcode::LLVMFAdd, v[0], v[1]),
            MmaElementwiseOp::MulF => e.ll.bin(Opcode::LLVMFMul, v[0], v[1]),
            MmaElementwiseOp::SubF => e.ll.bin(Opcode::LLVMFSub, v[0], v[1]),
            MmaElementwiseOp::DivF => e.ll.bin(Opcode::LLVMFDiv, v[0], v[1]),
            MmaElementwiseOp::MaxF => e.ll.intrinsic("llvm.maximum", &ty, v),
            MmaElementwiseOp::MinF => e.ll.intrinsic("llvm.minimum", &ty, v),
            _ => e.ll.fneg(v[0]),
        }
    });
}

fn layout(transposed: bool) -> &'static str {
    if transposed { "col" } else { "row" }
}

fn elem_name(kind: FloatKind) -> &'static str {
    if kind == FloatKind::F16 { "f16" } else { "f32" }
}

/// Elements from one row to the next, 32 bits
fn lead(e: &Emitter<'_>, op: OpId) -> V {
    let lead = e.ir.attr(op, "leadDimension").and_then(|attr| attr.as_i64(e.cx())).unwrap_or(16);
    e.ll.const_int(e.ll.int(32), lead)
}

fn load(e: &mut Emitter<'_>, op: OpId) {
    let load = gpu::MmaLoad(op);
    let (base, form) = (load.src(e.ir), matrix(e, load.res(e.ir)));
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, &load.indices(e.ir)));
    let role = match form.role {
        Role::A => "a",
        Role::B => "b",
        Role::C => "c",
    };
    let (layout, elem) = (layout(load.transpose(e.ir).is_some()), elem_name(form.elem));
    let name = format!("llvm.nvvm.wmma.m16n16k16.load.{role}.{layout}.stride.{elem}");
    let all = e.ll.intrinsic(&name, &[e.ll.type_of(at)], &[at, lead(e, op)]);
    let parts: Vec<V> = (0..form.parts()).map(|n| e.ll.extract_value(all, n as u32)).collect();
    e.set_result(op, 0, parts);
}

fn store(e: &mut Emitter<'_>, op: OpId) {
    let store = gpu::MmaStore(op);
    let (base, value) = (store.dst(e.ir), store.src(e.ir));
    let form = matrix(e, value);
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, &store.indices(e.ir)));
    let (layout, elem) = (layout(store.transpose(e.ir).is_some()), elem_name(form.elem));
    let name = format!("llvm.nvvm.wmma.m16n16k16.store.d.{layout}.stride.{elem}");
    let mut args = vec![at];
    args.extend(e.get(value).iter());
    args.push(lead(e, op));
    e.ll.intrinsic(&name, &[e.ll.type_of(at)], &args);
}

fn compute(e: &mut Emitter<'_>, op: OpId) {
    let compute = gpu::MmaCompute(op);
    let sum = compute.c(e.ir);
    let form = matrix(e, sum);
    let (a, b) = (layout(compute.a_transpose(e.ir).is_some()), layout(compute.b_transpose(e.ir).is_some()));
    let elem = elem_name(form.elem);
    let name = format!("llvm.nvvm.wmma.m16n16k16.mma.{a}.{b}.{elem}.{elem}");
    let args: Vec<V> =
        [compute.a(e.ir), compute.b(e.ir), sum].iter().flat_map(|value| e.get(*value).to_vec()).collect();
    let all = e.ll.intrinsic(&name, &[], &args);
    let parts: Vec<V> = (0..form.parts()).map(|n| e.ll.extract_value(all, n as u32)).collect();
    e.set_result(op, 0, parts);
}
