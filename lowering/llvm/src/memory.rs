//! Where elements of memrefs lie, and how scalars and rows of vectors move.
//!
//! An address is the aligned pointer, then one step per dimension: what does not change in a loop is so an instruction of
//! its own, which LLVM hoists. Every partial sum is the address of an element (indices not yet added are zero), so each step
//! stays inside of the object. Constants that are added to indices come last and all at once: addresses that differ by them
//! only, those of an unrolled tile, share everything else. Integers that do not fill their bytes, such as `i1`, lie zero-extended.

use crate::emit::Emitter;
use crate::form::{Elem, Form, MemForm, Spaces, VectorForm};
use crate::moves;
use crate::parts::part;
use crate::raw::{IntPred, Opcode, T, V};
use terrace_ir::DYNAMIC;

/// Sizes of a memref's parts
pub(crate) fn sizes<'a>(mem: &MemForm, parts: &'a [V]) -> &'a [V] {
    &parts[part::SIZES..part::SIZES + mem.rank()]
}

/// Strides of a memref's parts
pub(crate) fn strides<'a>(mem: &MemForm, parts: &'a [V]) -> &'a [V] {
    &parts[part::SIZES + mem.rank()..part::SIZES + 2 * mem.rank()]
}

/// What an address counts in
fn unit(e: &Emitter<'_>, mem: &MemForm) -> T {
    match *mem.elem {
        Form::Scalar(elem @ Elem::Float(_)) => e.elem_type(elem),
        Form::Scalar(elem) => e.ll.int(8 * elem.bytes()),
        _ => e.ll.array(e.ll.int(8), mem.elem_bytes()),
    }
}

/// Address of an element
pub(crate) fn address(e: &Emitter<'_>, mem: &MemForm, parts: &[V], indices: &[V]) -> V {
    address_of(e, mem, parts, indices, true)
}

/// The same; `inside` says whether the indices are known to be those of an element
pub(crate) fn address_of(e: &Emitter<'_>, mem: &MemForm, parts: &[V], indices: &[V], inside: bool) -> V {
    let unit = unit(e, mem);
    let mut at = parts[part::ALIGNED];
    let offset = parts[part::OFFSET];
    match e.ll.as_const(offset) {
        Some(0) => {}
        Some(n) if n > 0 => at = e.ll.gep_forward(unit, at, offset),
        _ => at = e.ll.gep(unit, at, offset),
    }
    let (mut rest, mut inside) = (0i64, inside);
    for (n, (&index, &stride)) in indices.iter().zip(strides(mem, parts)).enumerate() {
        let known = e.ll.as_const(stride);
        let split = e.ll.plus_constant(index).zip(known).and_then(|((index, plus), stride)| {
            let all = plus.checked_mul(stride).and_then(|by| rest.checked_add(by))?;
            Some((index, all))
        });
        let index = match split {
            Some((index, all)) => {
                rest = all;
                // What is left may be the index of no element.
                inside = false;
                index
            }
            None => index,
        };
        at = step(e, unit, at, (index, stride), mem.strides[n], inside);
    }
    if rest == 0 { at } else { e.ll.gep_anywhere(unit, at, e.ll.const_i64(rest)) }
}

/// One dimension's step; `known` is the stride as the type has it
fn step(e: &Emitter<'_>, unit: T, at: V, (index, stride): (V, V), known: i64, inside: bool) -> V {
    if e.ll.as_const(index) == Some(0) || e.ll.as_const(stride) == Some(0) {
        return at;
    }
    // Indices of accesses are never negative; a stride may be.
    let forward = inside && known != DYNAMIC && known > 0;
    let by = match (e.ll.as_const(index), e.ll.as_const(stride)) {
        (Some(1), _) => stride,
        (_, Some(1)) => index,
        _ => e.ll.set_wrap(e.ll.mul(index, stride), true, forward),
    };
    match (forward, inside) {
        (true, _) => e.ll.gep_forward(unit, at, by),
        (_, true) => e.ll.gep(unit, at, by),
        _ => e.ll.gep_anywhere(unit, at, by),
    }
}

/// Type of a row, or of a scalar where there are no lanes, as it lies in memory
fn stored_type(e: &Emitter<'_>, elem: Elem, lanes: Option<u32>) -> T {
    let one = if elem.fills_bytes() { e.elem_type(elem) } else { e.ll.int(8 * elem.bytes()) };
    moves::moved_as(e.ll, e.spaces(), lanes.map_or(one, |lanes| e.ll.vector(one, lanes)))
}

fn value_type(e: &Emitter<'_>, elem: Elem, lanes: Option<u32>) -> T {
    let one = e.elem_type(elem);
    lanes.map_or(one, |lanes| e.ll.vector(one, lanes))
}

/// A value as it lies in memory
pub(crate) fn to_stored(e: &Emitter<'_>, elem: Elem, lanes: Option<u32>, value: V) -> V {
    if elem.fills_bytes() {
        return moves::typed(e.ll, value, stored_type(e, elem, lanes));
    }
    e.ll.cast(Opcode::LLVMZExt, value, stored_type(e, elem, lanes))
}

/// The value of what lies in memory
pub(crate) fn from_stored(e: &Emitter<'_>, elem: Elem, lanes: Option<u32>, value: V) -> V {
    if elem.fills_bytes() {
        return moves::typed(e.ll, value, value_type(e, elem, lanes));
    }
    e.ll.cast(Opcode::LLVMTrunc, value, value_type(e, elem, lanes))
}

/// How an access is made
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// Alignment in bytes
    pub(crate) align: u32,
    pub(crate) nontemporal: bool,
}

impl Access {
    /// Of an op that may have `alignment` and `nontemporal`
    pub(crate) fn of(e: &Emitter<'_>, op: terrace_ir::OpId, elem: Elem) -> Access {
        let said = e.ir.attr(op, "alignment").and_then(|attr| attr.as_i64(e.cx())).unwrap_or(0);
        let said = u32::try_from(said).unwrap_or(0).min(1 << 20);
        let nontemporal = e.ir.attr(op, "nontemporal").and_then(|attr| attr.as_int(e.cx()));
        Access {
            align: elem.bytes().max(said),
            nontemporal: nontemporal.is_some_and(|(value, _)| value != 0),
        }
    }
}

impl Access {
    /// Non-temporal instructions need alignment; LLVM would cut others into scalars
    fn past_caches(self, elem: Elem, lanes: Option<u32>) -> bool {
        self.nontemporal && self.align >= (elem.bytes() * lanes.unwrap_or(1)).next_power_of_two().min(64)
    }
}

/// Read a scalar, or a row of so many lanes
pub(crate) fn read(e: &Emitter<'_>, elem: Elem, lanes: Option<u32>, at: V, access: Access) -> V {
    if let Some(lanes) = lanes.filter(|lanes| is_partial(e, elem, *lanes)) {
        let (mask, other) = first_lanes(e, elem, lanes);
        let row = read_masked(e, elem, at, mask, other, access.align);
        return e.ll.shuffle(row, row, &(0..i64::from(lanes)).collect::<Vec<_>>());
    }
    let raw = e.ll.load(stored_type(e, elem, lanes), at, access.align);
    if access.past_caches(elem, lanes) {
        e.ll.set_nontemporal(raw);
    }
    from_stored(e, elem, lanes, raw)
}

/// Is a row of so many lanes one access under a mask? LLVM splits it into powers of two, and shuffles these together
fn is_partial(e: &Emitter<'_>, elem: Elem, lanes: u32) -> bool {
    lanes.count_ones() > 1 && matches!(elem.bytes(), 4 | 8) && e.has_feature("avx512vl")
}

/// The mask of so many lanes in a vector of a whole power of two, and what the other lanes may be
fn first_lanes(e: &Emitter<'_>, elem: Elem, lanes: u32) -> (V, V) {
    let (all, bit) = (lanes.next_power_of_two(), e.ll.int(1));
    let bits: Vec<V> = (0..all).map(|n| e.ll.const_int(bit, i64::from(n < lanes))).collect();
    (e.ll.const_vector(&bits), e.ll.poison(e.ll.vector(e.elem_type(elem), all)))
}

/// Least bytes of a row that is one non-temporal access
const PIECE: u32 = 32;

/// Write a scalar, or a row of so many lanes
///
/// Where the alignment of a row for non-temporal accesses is unknown, the address is tested.
pub(crate) fn write(e: &Emitter<'_>, elem: Elem, lanes: Option<u32>, value: V, at: V, access: Access) {
    let value = to_stored(e, elem, lanes, value);
    let bytes = elem.bytes() * lanes.unwrap_or(1);
    let asked = access.nontemporal
        && !access.past_caches(elem, lanes)
        && e.spaces() == Spaces::Host
        && bytes.is_power_of_two()
        && (PIECE..=64).contains(&bytes);
    if !asked {
        let store = e.ll.store(value, at, access.align);
        if access.past_caches(elem, lanes) {
            e.ll.set_nontemporal(store);
        }
        return;
    }
    let (i64, done) = (e.ll.int(64), e.ll.append_block(e.function, ""));
    let address = e.ll.cast(Opcode::LLVMPtrToInt, at, i64);
    // The whole row, else pieces of it: LLVM cuts a row that is aligned to less than its length.
    let mut align = bytes;
    while align >= PIECE {
        let (yes, no) = (e.ll.append_block(e.function, ""), e.ll.append_block(e.function, ""));
        let rest = e.ll.bin(Opcode::LLVMAnd, address, e.ll.const_int(i64, i64::from(align) - 1));
        e.ll.cond_br(e.ll.icmp(IntPred::LLVMIntEQ, rest, e.ll.const_int(i64, 0)), yes, no);
        e.ll.at_end(yes);
        e.ll.set_nontemporal(e.ll.store(value, at, align));
        e.ll.br(done);
        e.ll.at_end(no);
        align /= 2;
    }
    e.ll.store(value, at, access.align);
    e.ll.br(done);
    e.ll.at_end(done);
}

/// Read a row under a mask
pub(crate) fn read_masked(e: &Emitter<'_>, elem: Elem, at: V, mask: V, other: V, align: u32) -> V {
    let lanes = e.ll.lanes(e.ll.type_of(other));
    let ty = stored_type(e, elem, lanes);
    let other = to_stored(e, elem, lanes, other);
    let raw = e.ll.intrinsic("llvm.masked.load", &[ty, e.ll.type_of(at)], &[at, mask, other]);
    e.ll.set_arg_alignment(raw, 0, align);
    from_stored(e, elem, lanes, raw)
}

/// Write a row under a mask
pub(crate) fn write_masked(e: &Emitter<'_>, elem: Elem, value: V, at: V, mask: V, align: u32) {
    let lanes = e.ll.lanes(e.ll.type_of(value));
    let value = to_stored(e, elem, lanes, value);
    let call = e.ll.intrinsic(
        "llvm.masked.store",
        &[stored_type(e, elem, lanes), e.ll.type_of(at)],
        &[value, at, mask],
    );
    e.ll.set_arg_alignment(call, 1, align);
}

/// Indices of the n-th row of a vector whose dimensions are the last of memory
pub(crate) fn row_indices(e: &Emitter<'_>, vector: &VectorForm, indices: &[V], row: usize) -> Vec<V> {
    let mut all = indices.to_vec();
    let lead = vector.shape.len().saturating_sub(1);
    let first = all.len() - vector.shape.len();
    let mut rest = row as i64;
    for n in (0..lead).rev() {
        let at = rest % vector.shape[n];
        rest /= vector.shape[n];
        all[first + n] = e.ll.add_index(all[first + n], e.ll.const_i64(at));
    }
    all
}

/// Addresses of the rows of a vector whose first element lies at these indices; `inside` says whether all of them are accessed
pub(crate) fn rows(
    e: &Emitter<'_>,
    mem: &MemForm,
    parts: &[V],
    vector: &VectorForm,
    indices: &[V],
    inside: bool,
) -> Vec<V> {
    let row = |n| address_of(e, mem, parts, &row_indices(e, vector, indices, n), inside);
    (0..vector.parts()).map(row).collect()
}

/// Addresses of lanes at a stride
fn lane_places(e: &Emitter<'_>, mem: &MemForm, lanes: u32, (at, stride): (V, V)) -> V {
    let steps: Vec<V> = (0..lanes).map(|n| e.ll.const_i64(n.into())).collect();
    let steps = e.ll.mul(e.ll.const_vector(&steps), e.ll.splat(stride, lanes));
    e.ll.gep_anywhere(unit(e, mem), at, steps)
}

/// Addresses at indices along the last dimension
pub(crate) fn places_along(e: &Emitter<'_>, mem: &MemForm, parts: &[V], at: V, indices: V) -> V {
    let stride = strides(mem, parts).last().copied();
    let steps = match stride.map(|stride| (stride, e.ll.as_const(stride))) {
        None | Some((_, Some(1))) => indices,
        Some((stride, _)) => {
            let lanes = e.ll.lanes(e.ll.type_of(indices)).unwrap_or(1);
            e.ll.mul(indices, e.ll.splat(stride, lanes))
        }
    };
    e.ll.gep_anywhere(unit(e, mem), at, steps)
}

/// Read lanes at a stride under a mask
pub(crate) fn gather(e: &Emitter<'_>, mem: &MemForm, elem: Elem, place: (V, V), mask: V, other: V) -> V {
    let lanes = e.ll.lanes(e.ll.type_of(other));
    let places = lane_places(e, mem, lanes.unwrap_or(1), place);
    gather_at(e, elem, places, mask, other, elem.bytes())
}

/// Read lanes at these addresses under a mask
pub(crate) fn gather_at(e: &Emitter<'_>, elem: Elem, places: V, mask: V, other: V, align: u32) -> V {
    let lanes = e.ll.lanes(e.ll.type_of(other));
    let other = to_stored(e, elem, lanes, other);
    let types = [stored_type(e, elem, lanes), e.ll.type_of(places)];
    let raw = e.ll.intrinsic("llvm.masked.gather", &types, &[places, mask, other]);
    e.ll.set_arg_alignment(raw, 0, align);
    from_stored(e, elem, lanes, raw)
}

/// Write lanes at a stride under a mask
pub(crate) fn scatter(e: &Emitter<'_>, mem: &MemForm, elem: Elem, place: (V, V), mask: V, value: V) {
    let lanes = e.ll.lanes(e.ll.type_of(value));
    let places = lane_places(e, mem, lanes.unwrap_or(1), place);
    scatter_at(e, elem, places, mask, value, elem.bytes());
}

/// Write lanes at these addresses under a mask
pub(crate) fn scatter_at(e: &Emitter<'_>, elem: Elem, places: V, mask: V, value: V, align: u32) {
    let lanes = e.ll.lanes(e.ll.type_of(value));
    let value = to_stored(e, elem, lanes, value);
    let types = [stored_type(e, elem, lanes), e.ll.type_of(places)];
    let call = e.ll.intrinsic("llvm.masked.scatter", &types, &[value, places, mask]);
    e.ll.set_arg_alignment(call, 1, align);
}
