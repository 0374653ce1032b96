//! `memref`: other shapes of the same elements, what a descriptor holds, hints, scopes of stack memory.

use crate::abi::constants;
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Form, MemForm, Spaces};
use crate::memory;
use crate::memref::{each_one, free, made};
use crate::parts::{Parts, part};
use crate::raw::{IntPred, Opcode, V};
use crate::runtime::take;
use terrace_dialect_memref as memref;
use terrace_ir::{DYNAMIC, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    AllocaScope any, scope;
    AllocaScopeReturn any, |_, _| {};
    AssumeAlignment any, assume_alignment;
    CollapseShape any, collapse;
    DistinctObjects any, |e, op| {
        let all: Vec<Parts> = e.ir.operands(op).map(|value| e.get(value)).collect();
        for (n, parts) in all.into_iter().enumerate() {
            e.set_result(op, n, parts);
        }
    };
    ExpandShape any, expand;
    ExtractStridedMetadata any, metadata;
    MemorySpaceCast any, space_cast;
    Prefetch any, prefetch;
    Rank any, |e, op| {
        let rank = e.mem_of(memref::Rank(op).memref(e.ir)).rank();
        e.set_result(op, 0, vec![e.ll.const_i64(rank as i64)]);
    };
    Realloc host, realloc;
    Reshape reshape_check, reshape;
    Transpose any, transpose;
    View any, view;
};

fn host(c: &Check<'_>, op: OpId) -> Checked {
    if c.spaces != Spaces::Host {
        return Err("does not exist on the device".into());
    }
    c.mem(memref::Realloc(op).source(c.ir))?;
    Ok(())
}

/// Set the only result, a memref
fn set(e: &mut Emitter<'_>, op: OpId, parts: Vec<V>) {
    let form = e.form_of(e.ir.result(op, 0));
    let parts = constants(e, &form, parts);
    e.set_result(op, 0, parts);
}

/// The ops of the region here; stack memory of unknown size goes when they are done
fn scope(e: &mut Emitter<'_>, op: OpId) {
    let pointer = [e.ll.ptr(0)];
    let saved = e.ll.intrinsic("llvm.stacksave", &pointer, &[]);
    let body = e.ir.entry(memref::AllocaScope(op).body(e.ir)).expect("the verifier wants a block there");
    let mut last = None;
    for op in e.ir.block_ops(body) {
        e.op(op);
        last = Some(op);
    }
    e.ll.intrinsic("llvm.stackrestore", &pointer, &[saved]);
    let values: Vec<Parts> =
        last.map(|op| e.ir.operands(op).map(|value| e.get(value)).collect()).unwrap_or_default();
    for (n, parts) in values.into_iter().enumerate() {
        e.set_result(op, n, parts);
    }
}

fn assume_alignment(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::AssumeAlignment(op);
    let source = op_.memref(e.ir);
    let (mem, parts) = (e.mem_of(source), e.get(source));
    let at = memory::address(e, &mem, &parts, &[]);
    let align = op_.alignment(e.ir).as_i64(e.cx()).unwrap_or(1);
    e.ll.assume_aligned(at, e.ll.const_i64(align));
    e.set_result(op, 0, parts);
}

fn collapse(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::CollapseShape(op);
    let source = op_.src(e.ir);
    let (mem, parts) = (e.mem_of(source), e.get(source));
    let (sizes, strides) = (memory::sizes(&mem, &parts), memory::strides(&mem, &parts));
    let one = e.ll.const_i64(1);
    let (mut new_sizes, mut new_strides) = (Vec::new(), Vec::new());
    for group in op_.groups(e.ir) {
        let dims: Vec<usize> = group.iter().map(|dim| *dim as usize).collect();
        new_sizes.push(dims.iter().fold(one, |all, dim| e.ll.mul_index(all, sizes[*dim])));
        // The stride of the innermost dimension that is longer than one.
        let mut stride = dims.last().map_or(one, |dim| strides[*dim]);
        for dim in dims {
            stride = match mem.shape[dim] {
                1 => stride,
                DYNAMIC => {
                    let longer = e.ll.icmp(IntPred::LLVMIntNE, sizes[dim], one);
                    e.ll.select(longer, strides[dim], stride)
                }
                _ => strides[dim],
            };
        }
        new_strides.push(stride);
    }
    set(e, op, [&parts[..part::SIZES], &new_sizes, &new_strides].concat());
}

fn expand(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::ExpandShape(op);
    let source = op_.src(e.ir);
    let (mem, parts) = (e.mem_of(source), e.get(source));
    let mut dynamic = op_.output_shape(e.ir).into_iter();
    let sizes: Vec<V> = op_
        .sizes(e.ir)
        .iter()
        .map(|size| match *size {
            DYNAMIC => dynamic.next().map_or_else(|| e.ll.const_i64(0), |value| e.one(value)),
            size => e.ll.const_i64(size),
        })
        .collect();
    let mut strides = vec![e.ll.const_i64(1); sizes.len()];
    for (group, stride) in op_.groups(e.ir).iter().zip(memory::strides(&mem, &parts)) {
        let mut inner = *stride;
        for dim in group.iter().rev().map(|dim| *dim as usize) {
            strides[dim] = inner;
            inner = e.ll.mul_index(inner, sizes[dim]);
        }
    }
    set(e, op, [&parts[..part::SIZES], &sizes, &strides].concat());
}

fn metadata(e: &mut Emitter<'_>, op: OpId) {
    let parts = e.get(memref::ExtractStridedMetadata(op).source(e.ir));
    let base = [&parts[..part::OFFSET], &[e.ll.const_i64(0)]].concat();
    e.set_result(op, 0, base);
    for (n, number) in parts[part::OFFSET..].iter().enumerate() {
        e.set_result(op, n + 1, vec![*number]);
    }
}

fn space_cast(e: &mut Emitter<'_>, op: OpId) {
    let source = memref::MemorySpaceCast(op).source(e.ir);
    let (from, to) = (e.mem_of(source), e.mem_of(e.ir.result(op, 0)));
    let mut parts = e.get(source).to_vec();
    if from.space != to.space {
        for pointer in &mut parts[..part::OFFSET] {
            *pointer = e.ll.cast(Opcode::LLVMAddrSpaceCast, *pointer, e.ll.ptr(to.space));
        }
    }
    set(e, op, parts);
}

fn prefetch(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::Prefetch(op);
    let base = op_.memref(e.ir);
    let (mem, parts) = (e.mem_of(base), e.get(base));
    // What is prefetched may lie behind the end.
    let at = memory::address_of(e, &mem, &parts, &each_one(e, &op_.indices(e.ir)), false);
    let number = |attr: terrace_ir::Attr| {
        let value = attr.as_int(e.cx()).map_or(0, |(value, _)| value as i64);
        e.ll.const_int(e.ll.int(32), value)
    };
    let (write, locality) = (number(op_.is_write(e.ir)), number(op_.locality(e.ir)));
    let data = op_.is_data(e.ir).as_int(e.cx()).is_none_or(|(value, _)| value != 0);
    let data = e.ll.const_int(e.ll.int(32), data.into());
    e.ll.intrinsic("llvm.prefetch", &[e.ll.type_of(at)], &[at, write, locality, data]);
}

/// A new block, what fits of the old one copied
fn realloc(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::Realloc(op);
    let source = op_.source(e.ir);
    let (old, parts) = (e.mem_of(source), e.get(source));
    let new = e.mem_of(e.ir.result(op, 0));
    let size = op_.size(e.ir).map_or_else(|| e.ll.const_i64(new.shape[0]), |size| e.one(size));
    let elem = e.ll.const_i64(new.elem_bytes() as i64);
    let (wanted, had) = (e.ll.mul_index(size, elem), e.ll.mul_index(memory::sizes(&old, &parts)[0], elem));
    let block = take(e.ll, wanted);
    let count = e.ll.intrinsic("llvm.umin", &[e.ll.i64()], &[wanted, had]);
    let pointer = e.ll.ptr(0);
    let no = e.ll.const_int(e.ll.int(1), 0);
    let from = parts[part::ALIGNED];
    e.ll.intrinsic("llvm.memcpy", &[pointer, pointer, e.ll.i64()], &[block, from, count, no]);
    free(e, &old, &parts);
    let parts = made(e, &new, block, block, vec![size]);
    e.set_result(op, 0, parts);
}

fn reshape_check(c: &Check<'_>, op: OpId) -> Checked {
    if c.mem(c.ir.result(op, 0))?.offset == 0 && c.mem(memref::Reshape(op).source(c.ir))?.offset == 0 {
        return Ok(());
    }
    Err("takes and gives buffers that start at their first element".into())
}

/// Sizes from memory, rows after rows
fn reshape(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::Reshape(op);
    let (source, shape) = (op_.source(e.ir), op_.shape(e.ir));
    let (list, list_parts) = (e.mem_of(shape), e.get(shape));
    let parts = e.get(source);
    let to = e.mem_of(e.ir.result(op, 0));
    let Form::Scalar(elem) = *list.elem else { return };
    let access = memory::Access { align: elem.bytes(), nontemporal: false };
    let size = |n: usize| {
        let at = memory::address(e, &list, &list_parts, &[e.ll.const_i64(n as i64)]);
        let size = memory::read(e, elem, None, at, access);
        if elem.bits() > 64 {
            return e.ll.cast(Opcode::LLVMTrunc, size, e.ll.i64());
        }
        e.ll.cast_if(Opcode::LLVMSExt, size, e.ll.i64())
    };
    let sizes: Vec<V> = (0..to.rank()).map(size).collect();
    let parts = made(e, &to, parts[part::ALLOCATED], parts[part::ALIGNED], sizes);
    e.set_result(op, 0, parts);
}

fn transpose(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::Transpose(op);
    let source = op_.source(e.ir);
    let (mem, parts) = (e.mem_of(source), e.get(source));
    let order = op_.order(e.ir).unwrap_or_default();
    let pick = |list: &[V]| order.iter().filter_map(|dim| list.get(*dim).copied()).collect::<Vec<V>>();
    let (sizes, strides) = (pick(memory::sizes(&mem, &parts)), pick(memory::strides(&mem, &parts)));
    set(e, op, [&parts[..part::SIZES], &sizes, &strides].concat());
}

/// Bytes read as elements of another type
fn view(e: &mut Emitter<'_>, op: OpId) {
    let op_ = memref::View(op);
    let source = op_.source(e.ir);
    let (mem, parts): (MemForm, Parts) = (e.mem_of(source), e.get(source));
    let start = memory::address(e, &mem, &parts, &[e.one(op_.byte_shift(e.ir))]);
    let to = e.mem_of(e.ir.result(op, 0));
    let mut dynamic = op_.sizes(e.ir).into_iter();
    let sizes = to.shape.iter().map(|size| match *size {
        DYNAMIC => dynamic.next().map_or_else(|| e.ll.const_i64(0), |value| e.one(value)),
        size => e.ll.const_i64(size),
    });
    let sizes: Vec<V> = sizes.collect();
    let parts = made(e, &to, parts[part::ALLOCATED], start, sizes);
    e.set_result(op, 0, parts);
}
