//! `memref`: parts and other readings of buffers, buffers of the module.

use crate::abi::constants;
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Form, MemForm};
use crate::memory;
use crate::parts::part;
use crate::raw::{Opcode, V};
use terrace_dialect_memref as memref;
use terrace_ir::{DYNAMIC, Ir, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
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
