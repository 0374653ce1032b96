//! `memref`: allocation, scalar access, copies. Parts and other readings of buffers are in `views`.

use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, MemForm, Spaces};
use crate::memory::{self, Access};
use crate::parts::part;
use crate::raw::{IntPred, Opcode, V};
use crate::runtime::{BLOCK, give, take};
use terrace_dialect_memref as memref;
use terrace_ir::{DYNAMIC, OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    Alloc alloc_check, alloc;
    Alloca alloca_check, alloca;
    Cast any, cast;
    Copy copy_check, copy;
    Dealloc dealloc_check, dealloc;
    Dim any, dim;
    ExtractAlignedPointerAsIndex any, pointer;
    Load any, load;
    Store any, store;
};

/// Bytes of a buffer from which on it is not on the stack
const LARGE: i64 = 1 << 18;
/// Largest alignment that is supported
const MAX_ALIGN: i64 = 1 << 21;

fn made_check(c: &Check<'_>, op: OpId) -> Checked {
    if !c.mem(c.ir.result(op, 0))?.is_placed() {
        return Err("makes buffers whose strides are known only".into());
    }
    let align = c.ir.attr(op, "alignment").and_then(|attr| attr.as_i64(c.cx())).unwrap_or(1);
    if !(1..=MAX_ALIGN).contains(&align) || align & (align - 1) != 0 {
        return Err(format!("aligns to powers of two up to {MAX_ALIGN} only").into());
    }
    Ok(())
}

fn alloc_check(c: &Check<'_>, op: OpId) -> Checked {
    if c.spaces != Spaces::Host {
        return Err("does not exist on the device".into());
    }
    made_check(c, op)
}

fn alloca_check(c: &Check<'_>, op: OpId) -> Checked {
    made_check(c, op)
}

fn dealloc_check(c: &Check<'_>, op: OpId) -> Checked {
    if c.spaces != Spaces::Host {
        return Err("does not exist on the device".into());
    }
    if c.mem(memref::Dealloc(op).memref(c.ir))?.is_placed() {
        return Ok(());
    }
    Err("frees whole buffers only, whose strides are known".into())
}

/// Sizes of a new buffer, the dynamic ones from operands
fn made_sizes(e: &Emitter<'_>, mem: &MemForm, dynamic: &[Value]) -> Vec<V> {
    let mut dynamic = dynamic.iter();
    let known = |size: i64| e.ll.const_i64(size);
    let mut one = |size: &i64| match (*size, &mut dynamic) {
        (DYNAMIC, rest) => rest.next().map_or_else(|| known(0), |value| e.one(*value)),
        (size, _) => known(size),
    };
    mem.shape.iter().map(&mut one).collect()
}

/// Bytes of a buffer of these sizes
fn bytes(e: &Emitter<'_>, mem: &MemForm, sizes: &[V]) -> V {
    let elem = e.ll.const_i64(mem.elem_bytes() as i64);
    if mem.is_row_major() {
        return sizes.iter().fold(elem, |all, size| e.ll.mul_index(all, *size));
    }
    // Up to the last element.
    if !mem.shape.contains(&DYNAMIC) {
        let steps = mem.shape.iter().zip(&mem.strides).map(|(size, stride)| (size - 1).max(0) * stride);
        return e.ll.const_i64((mem.offset + steps.sum::<i64>() + 1) * mem.elem_bytes() as i64);
    }
    let one = e.ll.const_i64(1);
    let last = sizes.iter().zip(&mem.strides).fold(e.ll.const_i64(mem.offset), |sum, (size, stride)| {
        e.ll.add_index(sum, e.ll.mul_index(e.ll.sub(*size, one), e.ll.const_i64(*stride)))
    });
    let count = e.ll.intrinsic("llvm.smax", &[e.ll.i64()], &[e.ll.add_index(last, one), e.ll.const_i64(0)]);
    e.ll.mul_index(count, elem)
}

/// Parts of a new row-major buffer
pub(crate) fn made(e: &Emitter<'_>, mem: &MemForm, allocated: V, aligned: V, sizes: Vec<V>) -> Vec<V> {
    let mut strides = vec![e.ll.const_i64(1); mem.rank()];
    for n in (1..mem.rank()).rev() {
        strides[n - 1] = e.ll.mul_index(strides[n], sizes[n]);
    }
    let mut parts = vec![allocated, aligned, e.ll.const_i64(0)];
    parts.extend(sizes);
    parts.extend(strides);
    crate::abi::constants(e, &Form::MemRef(mem.clone()), parts)
}

fn alignment(e: &Emitter<'_>, op: OpId, least: u32) -> u32 {
    let said = e.ir.attr(op, "alignment").and_then(|attr| attr.as_i64(e.cx())).unwrap_or(1);
    u32::try_from(said).unwrap_or(1).max(least)
}

fn alloc(e: &mut Emitter<'_>, op: OpId) {
    let mem = e.mem_of(e.ir.result(op, 0));
    let sizes = made_sizes(e, &mem, &memref::Alloc(op).dynamic_sizes(e.ir));
    let bytes = bytes(e, &mem, &sizes);
    let align = alignment(e, op, BLOCK);
    let (allocated, aligned) = if align <= BLOCK {
        let block = take(e.ll, bytes);
        (block, block)
    } else {
        take_aligned(e, bytes, align)
    };
    let parts = made(e, &mem, allocated, aligned, sizes);
    e.set_result(op, 0, parts);
}

/// A block that is larger by the alignment; the buffer starts behind its first bytes, which hold the block's size
fn take_aligned(e: &Emitter<'_>, bytes: V, align: u32) -> (V, V) {
    let ll = e.ll;
    let total = ll.add(bytes, ll.const_i64(align.into()));
    let block = take(e.ll, total);
    ll.store(total, block, 8);
    // The first multiple of the alignment above the block's start; both are multiples of 64.
    let start = ll.cast(crate::raw::Opcode::LLVMPtrToInt, block, ll.i64());
    let past = ll.bin(crate::raw::Opcode::LLVMAnd, start, ll.const_i64(i64::from(align) - 1));
    let gap = ll.sub(ll.const_i64(align.into()), past);
    (block, ll.gep_forward(ll.int(8), block, gap))
}

fn dealloc(e: &mut Emitter<'_>, op: OpId) {
    let value = memref::Dealloc(op).memref(e.ir);
    free(e, &e.mem_of(value), &e.get(value));
}

/// Give a buffer back to the runtime
pub(crate) fn free(e: &Emitter<'_>, mem: &MemForm, parts: &[V]) {
    let bytes = bytes(e, mem, memory::sizes(mem, parts));
    let ll = e.ll;
    let (block, aligned) = (parts[part::ALLOCATED], parts[part::ALIGNED]);
    // A buffer behind its block's start was over-aligned: the size is in the block.
    let plain = ll.icmp(IntPred::LLVMIntEQ, block, aligned);
    let own = ll.load(ll.i64(), block, 8);
    let total = ll.select(plain, bytes, ll.freeze(own));
    give(e.ll, block, total);
}

fn alloca(e: &mut Emitter<'_>, op: OpId) {
    let mem = e.mem_of(e.ir.result(op, 0));
    let sizes = made_sizes(e, &mem, &memref::Alloca(op).dynamic_sizes(e.ir));
    let bytes = bytes(e, &mem, &sizes);
    let align = alignment(e, op, if e.spaces() == Spaces::Host { BLOCK } else { mem.elem.align() });
    let byte = e.ll.int(8);
    let slot = match e.ll.as_const(bytes) {
        // Threads have small stacks; what is large comes from the runtime and goes when the function returns.
        Some(count) if count > LARGE && e.spaces() == Spaces::Host && align <= BLOCK => {
            let block = e.in_entry(|e| take(e.ll, bytes));
            e.at_return.push((block, bytes));
            let parts = made(e, &mem, block, block, sizes);
            return e.set_result(op, 0, parts);
        }
        Some(count) => e.slot(e.ll.array(byte, count.max(1) as u64)),
        None => e.ll.array_alloca(byte, bytes),
    };
    e.ll.set_alignment(slot, align);
    let slot = e.ll.cast_if(Opcode::LLVMAddrSpaceCast, slot, e.ll.ptr(mem.space));
    let parts = made(e, &mem, slot, slot, sizes);
    e.set_result(op, 0, parts);
}

fn cast(e: &mut Emitter<'_>, op: OpId) {
    let form = e.form_of(e.ir.result(op, 0));
    let parts = crate::abi::constants(e, &form, e.get(memref::Cast(op).source(e.ir)).to_vec());
    e.set_result(op, 0, parts);
}

fn pointer(e: &mut Emitter<'_>, op: OpId) {
    let parts = e.get(memref::ExtractAlignedPointerAsIndex(op).source(e.ir));
    let address = e.ll.cast(Opcode::LLVMPtrToInt, parts[part::ALIGNED], e.ll.i64());
    e.set_result(op, 0, vec![address]);
}

fn dim(e: &mut Emitter<'_>, op: OpId) {
    let dim = memref::Dim(op);
    let source = dim.source(e.ir);
    let (mem, parts, at) = (e.mem_of(source), e.get(source), e.one(dim.index(e.ir)));
    let sizes = memory::sizes(&mem, &parts);
    let value = match e.ll.as_const(at).map(|n| usize::try_from(n).ok()) {
        Some(known) => known.and_then(|n| sizes.get(n).copied()).unwrap_or_else(|| e.ll.poison(e.ll.i64())),
        None => sizes.iter().enumerate().fold(e.ll.poison(e.ll.i64()), |other, (n, size)| {
            let here = e.ll.icmp(IntPred::LLVMIntEQ, at, e.ll.const_i64(n as i64));
            e.ll.select(here, *size, other)
        }),
    };
    e.set_result(op, 0, vec![value]);
}

/// Values of a list of operands
pub(crate) fn each_one(e: &Emitter<'_>, values: &[Value]) -> Vec<V> {
    values.iter().map(|value| e.one(*value)).collect()
}

fn elem_of(mem: &MemForm) -> Elem {
    match &*mem.elem {
        Form::Scalar(elem) => *elem,
        Form::Vector(vector) => vector.elem,
        _ => unreachable!("`form` admits scalars and vectors as elements"),
    }
}

/// Addresses of an element's parts: more than one if it is a vector of more than one row
pub(crate) fn elem_places(e: &Emitter<'_>, mem: &MemForm, at: V) -> Vec<(V, Option<u32>)> {
    match &*mem.elem {
        Form::Vector(vector) => {
            let row = e.ll.array(e.ll.int(8), mem.elem_bytes() / vector.parts() as u64);
            (0..vector.parts())
                .map(|n| (e.ll.gep(row, at, e.ll.const_i64(n as i64)), Some(vector.lanes())))
                .collect()
        }
        _ => vec![(at, None)],
    }
}

fn load(e: &mut Emitter<'_>, op: OpId) {
    let load = memref::Load(op);
    let parts = read_element(e, op, load.memref(e.ir), &load.indices(e.ir));
    e.set_result(op, 0, parts);
}

/// Read an element of a memref
pub(crate) fn read_element(e: &Emitter<'_>, op: OpId, base: Value, indices: &[Value]) -> Vec<V> {
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, indices));
    let elem = elem_of(&mem);
    let access = Access::of(e, op, elem);
    elem_places(e, &mem, at).into_iter().map(|(at, lanes)| memory::read(e, elem, lanes, at, access)).collect()
}

fn store(e: &mut Emitter<'_>, op: OpId) {
    let store = memref::Store(op);
    write_element(e, op, store.value(e.ir), store.memref(e.ir), &store.indices(e.ir));
}

/// Write an element of a memref
pub(crate) fn write_element(e: &Emitter<'_>, op: OpId, value: Value, base: Value, indices: &[Value]) {
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, indices));
    let elem = elem_of(&mem);
    let access = Access::of(e, op, elem);
    for ((at, lanes), part) in elem_places(e, &mem, at).into_iter().zip(e.get(value).iter()) {
        memory::write(e, elem, lanes, *part, at, access);
    }
}

fn copy_check(c: &Check<'_>, op: OpId) -> Checked {
    let copy = memref::Copy(op);
    c.mem(copy.source(c.ir))?;
    c.mem(copy.target(c.ir))?;
    Ok(())
}

/// Bytes as they lie where both are row by row, else a loop per dimension around what is
fn copy(e: &mut Emitter<'_>, op: OpId) {
    let (from, to) = (memref::Copy(op).source(e.ir), memref::Copy(op).target(e.ir));
    let (a, b) = (e.mem_of(from), e.mem_of(to));
    let (a_parts, b_parts) = (e.get(from), e.get(to));
    let sizes = memory::sizes(&a, &a_parts).to_vec();
    let looped = (0..a.rank()).find(|n| a.is_flat_from(*n) && b.is_flat_from(*n)).unwrap_or(a.rank());
    let index = e.ll.i64();
    let mut at = Vec::new();
    let mut open = Vec::new();
    for size in &sizes[..looped] {
        let before = e.ll.block();
        let (head, body, after) = (
            e.ll.append_block(e.function, ""),
            e.ll.append_block(e.function, ""),
            e.ll.append_block(e.function, ""),
        );
        e.ll.br(head);
        e.ll.at_end(head);
        let n = e.ll.phi(index);
        e.ll.add_incoming(n, e.ll.const_i64(0), before);
        e.ll.cond_br(e.ll.icmp(IntPred::LLVMIntSLT, n, *size), body, after);
        e.ll.at_end(body);
        at.push(n);
        open.push((head, n, after));
    }
    let zero = e.ll.const_i64(0);
    let place: Vec<V> = at.iter().copied().chain(std::iter::repeat_n(zero, a.rank() - looped)).collect();
    let source = memory::address(e, &a, &a_parts, &place);
    let target = memory::address(e, &b, &b_parts, &place);
    let elem = e.ll.const_i64(a.elem_bytes() as i64);
    let count = sizes[looped..].iter().fold(elem, |all, size| e.ll.mul_index(all, *size));
    let types = [e.ll.type_of(target), e.ll.type_of(source), index];
    let call =
        e.ll.intrinsic("llvm.memmove", &types, &[target, source, count, e.ll.const_int(e.ll.int(1), 0)]);
    e.ll.set_arg_alignment(call, 0, a.elem.align().min(BLOCK));
    e.ll.set_arg_alignment(call, 1, a.elem.align().min(BLOCK));
    while let Some((head, n, after)) = open.pop() {
        let next = e.ll.add_index(n, e.ll.const_i64(1));
        e.ll.add_incoming(n, next, e.ll.block());
        e.ll.br(head);
        e.ll.at_end(after);
    }
}
