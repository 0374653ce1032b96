//! `gpu` inside of device functions: where a thread is, barriers, shuffles, reductions of a subgroup.

use crate::check::Check;
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, Spaces};
use crate::parts::Parts;
use crate::raw::{IntPred, Linkage, Opcode, V};
use crate::vector::{combine, is_float, lane};
use terrace_dialect_gpu::{self as gpu, BroadcastType, Dimension, ShuffleMode};
use terrace_ir::{Ir, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { gpu:
    Barrier device, |e, _| barrier(e);
    BlockDim device, |e, op| place(e, op, "ntid");
    BlockId device, |e, op| place(e, op, "ctaid");
    DynamicSharedMemory nvptx, dynamic_memory;
    Func device, |_, _| {};
    GlobalId device, global_id;
    GridDim device, |e, op| place(e, op, "nctaid");
    LaneId nvptx, |e, op| { let id = lane_id(e); index(e, op, id); };
    NumSubgroups nvptx, subgroups;
    Return device, return_;
    Rotate shuffle_check, rotate;
    Shuffle shuffle_check, shuffle;
    SubgroupBroadcast broadcast_check, broadcast;
    SubgroupId nvptx, |e, op| { let id = subgroup_id(e); index(e, op, id); };
    SubgroupReduce reduce_check, reduce;
    ThreadId device, |e, op| place(e, op, "tid");
    SubgroupSize nvptx, |e, op| { let size = e.ll.const_int(e.ll.int(32), WARP); index(e, op, size); };
};

/// Lanes of a subgroup
const WARP: i64 = 32;

pub(crate) fn device(c: &Check<'_>, _: OpId) -> Checked {
    match c.spaces {
        Spaces::Nvptx | Spaces::Spirv => Ok(()),
        Spaces::Host => Err("is for device functions".into()),
    }
}

/// What only PTX has: subgroups of a known size, memory whose size the launch says
pub(crate) fn nvptx(c: &Check<'_>, op: OpId) -> Checked {
    match c.spaces {
        Spaces::Spirv => Err("is not in the SPIR-V that this back end makes".into()),
        Spaces::Nvptx | Spaces::Host => device(c, op),
    }
}

fn barrier(e: &Emitter<'_>) {
    let (ll, i32) = (e.ll, e.ll.int(32));
    if e.spaces() == Spaces::Spirv {
        // Local and global memory.
        let function = ll.declare("_Z7barrierj", ll.void(), &[i32]);
        ll.known_attr(function.value, None, "convergent", 0);
        ll.call(function, &[ll.const_int(i32, 3)]);
    } else {
        ll.intrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", &[], &[ll.const_int(i32, 0)]);
    }
}

/// What OpenCL calls a special register
const REGISTERS: [(&str, &str); 4] = [
    ("tid", "_Z12get_local_idj"),
    ("ctaid", "_Z12get_group_idj"),
    ("ntid", "_Z14get_local_sizej"),
    ("nctaid", "_Z14get_num_groupsj"),
];

/// A special register, as 32 bits
fn register(e: &Emitter<'_>, name: &str) -> V {
    if e.spaces() == Spaces::Spirv {
        let (of, axis) = name.split_once('.').unwrap_or((name, "x"));
        let called = REGISTERS.iter().find(|(register, _)| *register == of).map_or("", |(_, called)| called);
        let (i32, axis) = (e.ll.int(32), AXES.iter().position(|other| *other == axis).unwrap_or(0));
        let function = e.ll.declare(called, e.ll.i64(), &[i32]);
        let value = e.ll.call(function, &[e.ll.const_int(i32, axis as i64)]);
        return e.ll.cast(Opcode::LLVMTrunc, value, i32);
    }
    e.ll.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), &[], &[])
}

/// Set the result of type `index` to a number of 32 bits that is not negative
fn index(e: &mut Emitter<'_>, op: OpId, value: V) {
    let wide = e.ll.set_nneg(e.ll.cast(Opcode::LLVMZExt, value, e.ll.i64()));
    e.set_result(op, 0, vec![wide]);
}

fn dimension(ir: &Ir, op: OpId) -> usize {
    let dim = ir.attr(op, "dimension").and_then(|attr| Dimension::of(ir.cx(), attr));
    dim.unwrap_or(Dimension::X) as usize
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// What the function says of the size of blocks or grids
pub(crate) fn known(ir: &Ir, name: &str) -> Option<Vec<i64>> {
    ir.attr(ir.root(), name)?.as_dense_array(ir.cx()).map(<[i64]>::to_vec)
}

/// Block size or grid size that the function knows, or the register
fn extent(e: &Emitter<'_>, register_name: &str, dim: usize) -> V {
    let hint = if register_name == "ntid" { "known_block_size" } else { "known_grid_size" };
    match known(e.ir, hint).and_then(|sizes| sizes.get(dim).copied()) {
        Some(size) => e.ll.const_int(e.ll.int(32), size),
        None => register(e, &format!("{register_name}.{}", AXES[dim])),
    }
}

fn place(e: &mut Emitter<'_>, op: OpId, name: &str) {
    let dim = dimension(e.ir, op);
    let value = match name {
        "ntid" | "nctaid" => extent(e, name, dim),
        _ => register(e, &format!("{name}.{}", AXES[dim])),
    };
    index(e, op, value);
}

fn global_id(e: &mut Emitter<'_>, op: OpId) {
    let dim = dimension(e.ir, op);
    let ll = e.ll;
    let wide = |value: V| ll.set_nneg(ll.cast(Opcode::LLVMZExt, value, ll.i64()));
    let block = wide(register(e, &format!("ctaid.{}", AXES[dim])));
    let size = wide(extent(e, "ntid", dim));
    let thread = wide(register(e, &format!("tid.{}", AXES[dim])));
    let start = ll.set_wrap(ll.mul(block, size), true, true);
    let id = ll.set_wrap(ll.add(start, thread), true, true);
    e.set_result(op, 0, vec![id]);
}

fn lane_id(e: &Emitter<'_>) -> V {
    register(e, "laneid")
}

/// Number of the thread in its block, x fastest
fn flat(e: &Emitter<'_>) -> V {
    let ll = e.ll;
    let [x, y, z] = AXES.map(|axis| register(e, &format!("tid.{axis}")));
    let inner = ll.add(ll.mul(z, extent(e, "ntid", 1)), y);
    ll.add(ll.mul(inner, extent(e, "ntid", 0)), x)
}

fn subgroup_id(e: &Emitter<'_>) -> V {
    e.ll.bin(Opcode::LLVMLShr, flat(e), e.ll.const_int(e.ll.int(32), 5))
}

fn subgroups(e: &mut Emitter<'_>, op: OpId) {
    let ll = e.ll;
    let threads = (1..3).fold(extent(e, "ntid", 0), |all, dim| ll.mul(all, extent(e, "ntid", dim)));
    let up = ll.add(threads, ll.const_int(ll.int(32), WARP - 1));
    let count = ll.bin(Opcode::LLVMLShr, up, ll.const_int(ll.int(32), 5));
    index(e, op, count);
}

/// Memory of the block whose size the launch says: an array without a length
fn dynamic_memory(e: &mut Emitter<'_>, op: OpId) {
    const NAME: &str = "__terrace_dynamic_shared";
    let ll = e.ll;
    let global = ll.get_global(NAME).unwrap_or_else(|| {
        let made = ll.add_global(NAME, ll.array(ll.int(8), 0), 3);
        ll.set_linkage(made, Linkage::LLVMExternalLinkage);
        ll.set_alignment(made, 16);
        made
    });
    let bytes = register(e, "dynamic_smem_size");
    let bytes = ll.cast(Opcode::LLVMZExt, bytes, ll.i64());
    let parts = vec![global, global, ll.const_i64(0), bytes, ll.const_i64(1)];
    let form = e.form_of(e.ir.result(op, 0));
    let parts = crate::abi::constants(e, &form, parts);
    e.set_result(op, 0, parts);
}

fn return_(e: &mut Emitter<'_>, op: OpId) {
    let forms: Vec<Form> = e.ir.operands(op).map(|value| e.form_of(value)).collect();
    let values: Vec<Parts> = e.ir.operands(op).map(|value| e.get(value)).collect();
    let value = crate::abi::to_result(e.ll, &forms, &values);
    e.ll.ret(value);
}

fn shuffle_check(c: &Check<'_>, op: OpId) -> Checked {
    nvptx(c, op)?;
    let elem = match c.form(c.ir.result(op, 0))? {
        Form::Scalar(elem) => elem,
        Form::Vector(vector) => vector.elem,
        _ => return Err("exchanges numbers only".into()),
    };
    if elem.bits() > 64 {
        return Err("exchanges at most 64 bits".into());
    }
    let width = gpu::Shuffle::cast(c.ir, op).map(|shuffle| shuffle.width(c.ir));
    let width = width.and_then(|width| terrace_ir::fold::constant_of(c.ir, width));
    match width.and_then(|width| width.as_i64(c.cx())) {
        Some(width) if !(1..=WARP).contains(&width) => {
            Err(format!("exchanges among {width} lanes, but there are {WARP}").into())
        }
        _ => Ok(()),
    }
}

fn broadcast_check(c: &Check<'_>, op: OpId) -> Checked {
    shuffle_check(c, op)?;
    if gpu::SubgroupBroadcast(op).broadcast_type(c.ir) == BroadcastType::SpecificLane {
        Ok(())
    } else {
        Err("gives a specific lane's value only".into())
    }
}

fn number(e: &Emitter<'_>, value: i64) -> V {
    e.ll.const_int(e.ll.int(32), value)
}

/// Exchange one word of 32 bits; gives the word and whether the lane was there
fn exchange_word(e: &Emitter<'_>, mode: &str, mask: V, word: V, offset: V, clamp: V) -> (V, V) {
    let name = format!("llvm.nvvm.shfl.sync.{mode}.i32p");
    let pair = e.ll.intrinsic(&name, &[], &[mask, word, offset, clamp]);
    (e.ll.extract_value(pair, 0), e.ll.extract_value(pair, 1))
}

/// Exchange a scalar of up to 64 bits as words
fn exchange(e: &Emitter<'_>, elem: Elem, value: V, word: impl Fn(V) -> (V, V)) -> (V, V) {
    let ll = e.ll;
    let (bits, i32, i64) = (elem.bits(), ll.int(32), ll.i64());
    let own = e.elem_type(elem);
    let as_bits = e.ll.cast_if(Opcode::LLVMBitCast, value, ll.int(bits));
    if bits <= 32 {
        let wide = e.ll.cast_if(Opcode::LLVMZExt, as_bits, i32);
        let (got, there) = word(wide);
        let narrow = e.ll.cast_if(Opcode::LLVMTrunc, got, ll.int(bits));
        return (e.ll.cast_if(Opcode::LLVMBitCast, narrow, own), there);
    }
    let wide = e.ll.cast_if(Opcode::LLVMZExt, as_bits, i64);
    let low = ll.cast(Opcode::LLVMTrunc, wide, i32);
    let high = ll.cast(Opcode::LLVMTrunc, ll.bin(Opcode::LLVMLShr, wide, ll.const_i64(32)), i32);
    let ((low, there), (high, _)) = (word(low), word(high));
    let (low, high) = (ll.cast(Opcode::LLVMZExt, low, i64), ll.cast(Opcode::LLVMZExt, high, i64));
    let joined = ll.bin(Opcode::LLVMOr, low, ll.bin(Opcode::LLVMShl, high, ll.const_i64(32)));
    let narrow = e.ll.cast_if(Opcode::LLVMTrunc, joined, ll.int(bits));
    (e.ll.cast_if(Opcode::LLVMBitCast, narrow, own), there)
}

/// The same for a scalar or each lane of a row
fn exchange_part(e: &Emitter<'_>, elem: Elem, part: V, word: impl Fn(V) -> (V, V)) -> (V, V) {
    let Some(lanes) = e.ll.lanes(e.ll.type_of(part)) else { return exchange(e, elem, part, word) };
    let mut row = e.ll.poison(e.ll.type_of(part));
    let mut there = e.ll.const_int(e.ll.int(1), 1);
    for n in 0..i64::from(lanes) {
        let (got, is) = exchange(e, elem, lane(e, part, n), &word);
        row = e.ll.insert_element(row, got, e.ll.const_i64(n));
        there = is;
    }
    (row, there)
}

/// The lanes that take part: the first `width` ones
fn members(e: &Emitter<'_>, width: V) -> V {
    let by = e.ll.sub(number(e, WARP), width);
    e.ll.bin(Opcode::LLVMLShr, number(e, -1), by)
}

fn shuffle(e: &mut Emitter<'_>, op: OpId) {
    let op_ = gpu::Shuffle(op);
    let mode = match op_.mode(e.ir) {
        ShuffleMode::Xor => "bfly",
        mode => mode.word(),
    };
    let (value, offset, width) = (op_.value(e.ir), e.one(op_.offset(e.ir)), e.one(op_.width(e.ir)));
    let mask = members(e, width);
    // The bound is the lowest lane for `up`, the highest for others.
    let clamp = if mode == "up" { number(e, 0) } else { e.ll.sub(width, number(e, 1)) };
    let (elem, part) = (e.elem_of(value), e.one(value));
    let (got, there) = exchange_part(e, elem, part, |word| exchange_word(e, mode, mask, word, offset, clamp));
    e.set_result(op, 0, vec![got]);
    e.set_result(op, 1, vec![there]);
}

/// Lane `(own + offset) % width`, by index
fn rotate(e: &mut Emitter<'_>, op: OpId) {
    let op_ = gpu::Rotate(op);
    let int = |attr: terrace_ir::Attr| attr.as_i64(e.cx()).unwrap_or(1);
    let (offset, width) = (int(op_.offset(e.ir)), int(op_.width(e.ir)));
    let own = lane_id(e);
    let next = e.ll.add(own, number(e, offset));
    let from = e.ll.bin(Opcode::LLVMAnd, next, number(e, width - 1));
    let value = op_.value(e.ir);
    let (elem, part) = (e.elem_of(value), e.one(value));
    let mask = members(e, number(e, width));
    let (got, _) =
        exchange_part(e, elem, part, |word| exchange_word(e, "idx", mask, word, from, number(e, width - 1)));
    let there = e.ll.icmp(IntPred::LLVMIntULT, own, number(e, width));
    e.set_result(op, 0, vec![got]);
    e.set_result(op, 1, vec![there]);
}

fn broadcast(e: &mut Emitter<'_>, op: OpId) {
    let op_ = gpu::SubgroupBroadcast(op);
    let value = op_.src(e.ir);
    let from = op_.lane(e.ir).map_or_else(|| number(e, 0), |lane| e.one(lane));
    let elem = e.elem_of(value);
    let all = number(e, -1);
    let parts: Vec<V> = e
        .get(value)
        .iter()
        .map(|part| {
            let word = |word: V| exchange_word(e, "idx", all, word, from, number(e, WARP - 1));
            exchange_part(e, elem, *part, word).0
        })
        .collect();
    e.set_result(op, 0, parts);
}

fn cluster(ir: &Ir, op: OpId) -> (i64, i64) {
    let int = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_i64(ir.cx()));
    let stride = int("cluster_stride").unwrap_or(1);
    (int("cluster_size").unwrap_or(WARP / stride.max(1)), stride)
}

fn reduce_check(c: &Check<'_>, op: OpId) -> Checked {
    shuffle_check(c, op)?;
    let (size, stride) = cluster(c.ir, op);
    let power = |n: i64| n > 0 && n & (n - 1) == 0;
    if power(size) && power(stride) && size * stride <= WARP {
        return Ok(());
    }
    Err(format!("reduces clusters of a power of two up to {WARP} lanes only").into())
}

/// Pairs of lanes at doubling distances: after each step twice as many have been combined
fn reduce(e: &mut Emitter<'_>, op: OpId) {
    let value = gpu::SubgroupReduce(op).value(e.ir);
    let elem = e.elem_of(value);
    let how = combine(gpu::SubgroupReduce(op).operator(e.ir).word(), is_float(elem));
    let (size, stride) = cluster(e.ir, op);
    let all = number(e, -1);
    let mut part = e.one(value);
    let mut distance = stride;
    while distance < size * stride {
        let word = |word: V| exchange_word(e, "bfly", all, word, number(e, distance), number(e, WARP - 1));
        let (other, _) = exchange_part(e, elem, part, word);
        part = how.two(e, part, other, 0);
        distance *= 2;
    }
    e.set_result(op, 0, vec![part]);
}
