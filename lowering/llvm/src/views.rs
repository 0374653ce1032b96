//! `memref`: parts and other readings of buffers, buffers of the module, atomic updates.

use crate::abi::constants;
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, MemForm};
use crate::memory;
use crate::memref::each_one;
use crate::parts::part;
use crate::raw::{Opcode, Rmw, V};
use terrace_dialect_memref::{self as memref, AtomicRmwKind};
use terrace_ir::{DYNAMIC, Ir, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    AtomicRmw atomic_check, atomic;
    AtomicYield any, |_, _| {};
    GenericAtomicRmw atomic_check, generic;
    GetGlobal any, get_global;
    ReinterpretCast any, reinterpret;
    SubView subview_check, subview;
};

/// The three static lists of both kinds of view
fn lists(ir: &Ir, op: OpId) -> [&[i64]; 3] {
    ["static_offsets", "static_sizes", "static_strides"]
        .map(|name| ir.attr(op, name).and_then(|attr| attr.as_dense_array(ir.cx())).unwrap_or(&[]))
}

/// The same as values, dynamic ones from operands
fn numbers(e: &Emitter<'_>, op: OpId) -> [Vec<V>; 3] {
    let fixed = lists(e.ir, op);
    [0, 1, 2].map(|n| {
        let mut dynamic = e.ir.operand_field(op, n + 1).into_iter();
        let one = |number: &i64| match *number {
            DYNAMIC => dynamic.next().map_or_else(|| e.ll.const_i64(0), |value| e.one(value)),
            number => e.ll.const_i64(number),
        };
        fixed[n].iter().map(one).collect()
    })
}

/// Dimensions of the whole view that the result keeps: others have static size 1
fn kept(source: &MemForm, lists: [&[i64]; 3], result: &MemForm) -> Option<Vec<bool>> {
    let [_, sizes, steps] = lists;
    let stride = |n: usize| match (source.strides[n], steps[n]) {
        (0, _) | (_, 0) => 0,
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_mul(b).unwrap_or(DYNAMIC),
    };
    let mut at = 0;
    let mut kept = Vec::with_capacity(sizes.len());
    for (n, size) in sizes.iter().enumerate() {
        let same = result.shape.get(at) == Some(size) && result.strides.get(at) == Some(&stride(n));
        if !same && *size != 1 {
            return None;
        }
        at += usize::from(same);
        kept.push(same);
    }
    (at == result.rank()).then_some(kept)
}

fn subview_check(c: &Check<'_>, op: OpId) -> Checked {
    let (source, result) = (c.mem(memref::SubView(op).source(c.ir))?, c.mem(c.ir.result(op, 0))?);
    kept(&source, lists(c.ir, op), &result).map(|_| ()).ok_or_else(|| "has a result that is no part".into())
}

fn subview(e: &mut Emitter<'_>, op: OpId) {
    let source = memref::SubView(op).source(e.ir);
    let (mem, parts) = (e.mem_of(source), e.get(source));
    let result = e.mem_of(e.ir.result(op, 0));
    let kept = kept(&mem, lists(e.ir, op), &result).expect("the coverage check has found the dimensions");
    let [offsets, sizes, steps] = numbers(e, op);
    let strides = memory::strides(&mem, &parts);
    let start = offsets
        .iter()
        .zip(strides)
        .fold(parts[part::OFFSET], |sum, (at, stride)| e.ll.add_index(sum, e.ll.mul_index(*at, *stride)));
    let steps: Vec<V> =
        steps.iter().zip(strides).map(|(step, stride)| e.ll.mul_index(*step, *stride)).collect();
    let pick =
        |all: &[V]| all.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(v, _)| *v).collect::<Vec<V>>();
    let view = [&parts[..part::OFFSET], &[start], &pick(&sizes)[..], &pick(&steps)[..]].concat();
    let view = constants(e, &Form::MemRef(result), view);
    e.set_result(op, 0, view);
}

fn reinterpret(e: &mut Emitter<'_>, op: OpId) {
    let parts = e.get(memref::ReinterpretCast(op).source(e.ir));
    let form = e.form_of(e.ir.result(op, 0));
    let [offset, sizes, strides] = numbers(e, op);
    let view = [&parts[..part::OFFSET], &offset[..], &sizes[..], &strides[..]].concat();
    let view = constants(e, &form, view);
    e.set_result(op, 0, view);
}

/// A buffer of the module: it was not allocated, which a null pointer says
fn get_global(e: &mut Emitter<'_>, op: OpId) {
    let result = e.ir.result(op, 0);
    let mem = e.mem_of(result);
    let name =
        e.ir.attr(op, "name")
            .and_then(|attr| attr.as_symbol(e.cx()))
            .map_or("", |(name, _)| e.cx().str(name));
    let null = e.ll.zero(e.ll.ptr(mem.space));
    let at = e.program.globals.get(name).copied().unwrap_or(null);
    let at = e.ll.cast_if(Opcode::LLVMAddrSpaceCast, at, e.ll.ptr(mem.space));
    let known = e.static_parts(&Form::MemRef(mem));
    let zero = e.ll.const_i64(0);
    let parts: Vec<V> = [null, at]
        .into_iter()
        .chain(known[part::OFFSET..].iter().map(|known| known.unwrap_or(zero)))
        .collect();
    e.set_result(op, 0, parts);
}

/// The instruction; none for products
fn instruction(kind: AtomicRmwKind) -> Option<Rmw> {
    use Rmw::*;
    Some(match kind {
        AtomicRmwKind::AddF => LLVMAtomicRMWBinOpFAdd,
        AtomicRmwKind::AddI => LLVMAtomicRMWBinOpAdd,
        AtomicRmwKind::AndI => LLVMAtomicRMWBinOpAnd,
        AtomicRmwKind::Assign => LLVMAtomicRMWBinOpXchg,
        AtomicRmwKind::MaximumF => LLVMAtomicRMWBinOpFMaximum,
        AtomicRmwKind::MaxNumF => LLVMAtomicRMWBinOpFMax,
        AtomicRmwKind::MaxS => LLVMAtomicRMWBinOpMax,
        AtomicRmwKind::MaxU => LLVMAtomicRMWBinOpUMax,
        AtomicRmwKind::MinimumF => LLVMAtomicRMWBinOpFMinimum,
        AtomicRmwKind::MinNumF => LLVMAtomicRMWBinOpFMin,
        AtomicRmwKind::MinS => LLVMAtomicRMWBinOpMin,
        AtomicRmwKind::MinU => LLVMAtomicRMWBinOpUMin,
        AtomicRmwKind::OrI => LLVMAtomicRMWBinOpOr,
        AtomicRmwKind::XOrI => LLVMAtomicRMWBinOpXor,
        AtomicRmwKind::MulF | AtomicRmwKind::MulI => return None,
    })
}

fn atomic_check(c: &Check<'_>, op: OpId) -> Checked {
    match c.form(c.ir.result(op, 0))? {
        Form::Scalar(elem) if elem.fills_bytes() && elem.bytes() <= 8 => Ok(()),
        _ => Err("updates numbers of 8, 16, 32 and 64 bits only".into()),
    }
}

fn atomic(e: &mut Emitter<'_>, op: OpId) {
    let rmw = memref::AtomicRmw(op);
    let (base, value) = (rmw.memref(e.ir), rmw.value(e.ir));
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, &rmw.indices(e.ir)));
    let (elem, value) = (e.elem_of(value), e.one(value));
    let kind = rmw.kind(e.ir);
    let old = match instruction(kind) {
        Some(instruction) => e.ll.atomic_rmw(instruction, at, value, e.scope(&mem)),
        None => exchange(e, elem, at, &mem, |e, old| {
            let opcode = if kind == AtomicRmwKind::MulF {
                crate::raw::Opcode::LLVMFMul
            } else {
                crate::raw::Opcode::LLVMMul
            };
            e.ll.bin(opcode, old, value)
        }),
    };
    e.set_result(op, 0, vec![old]);
}

/// The region computes what is written from what was there
fn generic(e: &mut Emitter<'_>, op: OpId) {
    let rmw = memref::GenericAtomicRmw(op);
    let base = rmw.memref(e.ir);
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, &rmw.indices(e.ir)));
    let elem = e.elem_of(rmw.result(e.ir));
    let body = e.ir.entry(rmw.atomic_body(e.ir)).expect("the verifier wants a block there");
    let old = exchange(e, elem, at, &mem, |e, old| {
        e.set(e.ir.block_args(body)[0], vec![old]);
        let mut last = None;
        for op in e.ir.block_ops(body) {
            e.op(op);
            last = Some(op);
        }
        last.map_or(old, |op| e.one(memref::AtomicYield(op).result(e.ir)))
    });
    e.set_result(op, 0, vec![old]);
}

/// Compare and exchange until no other thread came between; gives the element before
fn exchange(
    e: &mut Emitter<'_>,
    elem: Elem,
    at: V,
    mem: &MemForm,
    new: impl FnOnce(&mut Emitter<'_>, V) -> V,
) -> V {
    use crate::raw::Opcode::LLVMBitCast;
    let ll = e.ll;
    let (bits, own) = (ll.int(elem.bits()), e.elem_type(elem));
    let first = ll.load(bits, at, elem.bytes());
    ll.set_monotonic(first);
    let before = ll.block();
    let (again, done) = (ll.append_block(e.function, ""), ll.append_block(e.function, ""));
    ll.br(again);
    ll.at_end(again);
    let old = ll.phi(bits);
    ll.add_incoming(old, first, before);
    let before = e.ll.cast_if(LLVMBitCast, old, own);
    let value = new(e, before);
    let pair = ll.cmpxchg(at, old, e.ll.cast_if(LLVMBitCast, value, bits), e.scope(mem));
    ll.add_incoming(old, ll.extract_value(pair, 0), ll.block());
    ll.cond_br(ll.extract_value(pair, 1), done, again);
    ll.at_end(done);
    e.ll.cast_if(LLVMBitCast, old, own)
}
