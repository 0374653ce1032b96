//! `vector`: parts of vectors and elements one by one, elements anywhere in memory, contractions and running sums.

use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Form, VectorForm};
use crate::memory::{self, Access};
use crate::memref::each_one;
use crate::parts::{Parts, part};
use crate::raw::{Opcode, V};
use crate::vector::{access_check, combine, is_float, kind, lane, row_at, row_point};
use crate::vector_shape::from_elements;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, Context, OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { vector:
    BitCast any, |e, op| {
        let to = e.part_type(e.ir.result(op, 0));
        e.each(op, |e, v| e.ll.cast(Opcode::LLVMBitCast, v[0], to));
    };
    CompressStore packed_check, compress;
    Contract any, contract;
    Deinterleave any, deinterleave;
    ExpandLoad packed_check, expand;
    ExtractStridedSlice any, extract_slice;
    FromElements any, |e, op| {
        let to = e.vector_of(e.ir.result(op, 0));
        let all: Vec<V> = e.ir.operands(op).map(|value| e.one(value)).collect();
        let rows = from_elements(e, &to, all);
        e.set_result(op, 0, rows);
    };
    Gather access_check, gather;
    InsertStridedSlice any, insert_slice;
    Interleave any, |e, op| {
        let lanes = i64::from(e.vector_of(vector::Interleave(op).lhs(e.ir)).lanes());
        let places: Vec<i64> = (0..2 * lanes).map(|n| n / 2 + n % 2 * lanes).collect();
        e.each(op, |e, v| e.ll.shuffle(v[0], v[1], &places));
    };
    Scan any, scan;
    Scatter access_check, scatter;
    ToElements any, |e, op| {
        let source = vector::ToElements(op).source(e.ir);
        let from = e.vector_of(source);
        for (n, one) in elements(e, &from, &e.get(source)).into_iter().enumerate() {
            e.set_result(op, n, vec![one]);
        }
    };
    TypeCast type_cast_check, type_cast;
};

/// All elements in row order
fn elements(e: &Emitter<'_>, form: &VectorForm, parts: &[V]) -> Vec<V> {
    let lanes = i64::from(form.lanes());
    parts.iter().flat_map(|row| (0..lanes).map(|n| lane(e, *row, n)).collect::<Vec<V>>()).collect()
}

fn deinterleave(e: &mut Emitter<'_>, op: OpId) {
    let source = e.get(vector::Deinterleave(op).source(e.ir));
    let lanes = i64::from(e.vector_of(e.ir.result(op, 0)).lanes());
    for result in 0..2 {
        let places: Vec<i64> = (0..lanes).map(|n| 2 * n + result as i64).collect();
        let cut = |row: &V| e.ll.shuffle(*row, e.ll.poison(e.ll.type_of(*row)), &places);
        let rows: Vec<V> = source.iter().map(cut).collect();
        e.set_result(op, result, rows);
    }
}

fn numbers(cx: &Context, attr: Attr) -> Vec<i64> {
    let items = attr.as_array(cx).unwrap_or(&[]);
    items.iter().filter_map(|item| item.as_i64(cx)).collect()
}

fn extract_slice(e: &mut Emitter<'_>, op: OpId) {
    let slice = vector::ExtractStridedSlice(op);
    let (from, to) = (e.vector_of(slice.source(e.ir)), e.vector_of(slice.result(e.ir)));
    let parts = e.get(slice.source(e.ir));
    let offset = |n: usize| slice.part(e.ir).0.get(n).copied().unwrap_or(0);
    let last = from.shape.len() - 1;
    let places: Vec<i64> = (0..i64::from(to.lanes())).map(|n| offset(last) + n).collect();
    let row = |n: usize| {
        let point: Vec<i64> =
            row_point(&to.shape, n).iter().enumerate().map(|(n, at)| offset(n) + at).collect();
        let row = parts[row_at(&from.shape, &point)];
        if from.lanes() == to.lanes() {
            row
        } else {
            e.ll.shuffle(row, e.ll.poison(e.ll.type_of(row)), &places)
        }
    };
    let rows: Vec<V> = (0..to.parts()).map(row).collect();
    e.set_result(op, 0, rows);
}

fn insert_slice(e: &mut Emitter<'_>, op: OpId) {
    let slice = vector::InsertStridedSlice(op);
    let (value, dest) = (slice.value(e.ir), slice.dest(e.ir));
    let (from, to) = (e.vector_of(value), e.vector_of(dest));
    let offsets = numbers(e.cx(), slice.offsets(e.ir));
    let offset = |n: usize| offsets.get(n).copied().unwrap_or(0);
    let (lead, last) = (to.shape.len() - from.shape.len(), to.shape.len() - 1);
    let mut rows = e.get(dest).to_vec();
    for (n, part) in e.get(value).iter().enumerate() {
        let own = row_point(&from.shape, n);
        let point: Vec<i64> =
            (0..last).map(|n| offset(n) + n.checked_sub(lead).map_or(0, |n| own[n])).collect();
        let at = row_at(&to.shape, &point);
        rows[at] = (0..i64::from(from.lanes())).fold(rows[at], |row, n| {
            e.ll.insert_element(row, lane(e, *part, n), e.ll.const_i64(offset(last) + n))
        });
    }
    e.set_result(op, 0, rows);
}

/// Addresses of a row's elements: indices along the last dimension
fn places(e: &Emitter<'_>, base: Value, start: &[Value], indices: V) -> V {
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address_of(e, &mem, &parts, &each_one(e, start), false);
    let lanes = e.ll.lanes(e.ll.type_of(indices)).unwrap_or(1);
    let wide = e.ll.cast_if(Opcode::LLVMSExt, indices, e.ll.vector(e.ll.i64(), lanes));
    memory::places_along(e, &mem, &parts, at, wide)
}

fn gather(e: &mut Emitter<'_>, op: OpId) {
    let gather = vector::Gather(op);
    let form = e.vector_of(gather.result(e.ir));
    let align = Access::of(e, op, form.elem).align;
    let [indices, masks, others] =
        [gather.indices(e.ir), gather.mask(e.ir), gather.pass_thru(e.ir)].map(|value| e.get(value));
    let row = |n: usize| {
        let at = places(e, gather.base(e.ir), &gather.offsets(e.ir), indices[n]);
        let mask = match &e.under {
            Some(under) => e.ll.bin(Opcode::LLVMAnd, masks[n], under.mask[n]),
            None => masks[n],
        };
        memory::gather_at(e, form.elem, at, mask, others[n], align)
    };
    let rows: Vec<V> = (0..form.parts()).map(row).collect();
    e.set_result(op, 0, rows);
}

fn scatter(e: &mut Emitter<'_>, op: OpId) {
    let scatter = vector::Scatter(op);
    let value = scatter.value(e.ir);
    let form = e.vector_of(value);
    let align = Access::of(e, op, form.elem).align;
    let [indices, masks, values] =
        [scatter.indices(e.ir), scatter.mask(e.ir), value].map(|value| e.get(value));
    for n in 0..form.parts() {
        let at = places(e, scatter.base(e.ir), &scatter.offsets(e.ir), indices[n]);
        memory::scatter_at(e, form.elem, at, masks[n], values[n], align);
    }
}

fn packed_check(c: &Check<'_>, op: OpId) -> Checked {
    access_check(c, op)?;
    let (base, mask) = match vector::CompressStore::cast(c.ir, op) {
        Some(store) => (store.base(c.ir), store.mask(c.ir)),
        None => (vector::ExpandLoad(op).base(c.ir), vector::ExpandLoad(op).mask(c.ir)),
    };
    let unit = c.mem(base)?.strides.last().is_none_or(|stride| *stride == 1);
    let flat = matches!(c.form(mask), Ok(Form::Vector(vector)) if vector.shape.len() == 1 && vector.elem.bits() == 1);
    if unit && flat { Ok(()) } else { Err("works on vectors of one dimension along neighbours only".into()) }
}

fn expand(e: &mut Emitter<'_>, op: OpId) {
    let expand = vector::ExpandLoad(op);
    let base = expand.base(e.ir);
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address_of(e, &mem, &parts, &each_one(e, &expand.indices(e.ir)), false);
    let (mask, other) = (e.one(expand.mask(e.ir)), e.one(expand.pass_thru(e.ir)));
    let form = e.vector_of(expand.result(e.ir));
    let lanes = Some(form.lanes());
    let other = memory::to_stored(e, form.elem, lanes, other);
    let raw = e.ll.intrinsic("llvm.masked.expandload", &[e.ll.type_of(other)], &[at, mask, other]);
    let value = memory::from_stored(e, form.elem, lanes, raw);
    e.set_result(op, 0, vec![value]);
}

fn compress(e: &mut Emitter<'_>, op: OpId) {
    let compress = vector::CompressStore(op);
    let (base, value) = (compress.base(e.ir), compress.value(e.ir));
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address_of(e, &mem, &parts, &each_one(e, &compress.indices(e.ir)), false);
    let form = e.vector_of(value);
    let row = memory::to_stored(e, form.elem, Some(form.lanes()), e.one(value));
    let mask = e.one(compress.mask(e.ir));
    e.ll.intrinsic("llvm.masked.compressstore", &[e.ll.type_of(row)], &[row, at, mask]);
}

/// The next point of a space in row order; false after the last
fn advance(point: &mut [i64], sizes: &[i64]) -> bool {
    let Some(n) = (0..point.len()).rev().find(|n| point[*n] + 1 < sizes[*n]) else { return false };
    point[n] += 1;
    point[n + 1..].fill(0);
    true
}

/// Products of elements combined in row order of the space
///
/// Where the last dimension of the result is the last of one operand and none of the other's, whole rows are.
fn contract(e: &mut Emitter<'_>, op: OpId) {
    let contract = vector::Contract(op);
    let values = [contract.lhs(e.ir), contract.rhs(e.ir), contract.acc(e.ir)];
    let forms = values.map(|value| e.vector_of(value));
    let parts: [Parts; 3] = values.map(|value| e.get(value));
    let float = is_float(forms[2].elem);
    let how = combine(kind(e, op), float);
    let product = |e: &Emitter<'_>, a: V, b: V| {
        let opcode = if float { Opcode::LLVMFMul } else { Opcode::LLVMMul };
        e.ll.bin(opcode, a, b)
    };
    let dims: Vec<Vec<usize>> = contract
        .maps(e.ir)
        .iter()
        .map(|map| map.result_dims().unwrap_or_default().into_iter().map(|dim| dim as usize).collect())
        .collect();
    let (mut sizes, _) = contract.space(e.ir);
    let at =
        |which: usize, point: &[i64]| -> Vec<i64> { dims[which].iter().map(|dim| point[*dim]).collect() };
    let last = dims[2].last().copied();
    let rows_of = last.and_then(|last| {
        (0..2).find(|which| dims[*which].last() == Some(&last) && !dims[1 - which].contains(&last))
    });
    let is_vector = e.is_vector(values[2]);
    let mut point = vec![0; sizes.len()];
    let bits = e.under.as_ref().map(|under| elements(e, &under.form, &under.mask));
    if let (Some(rows), Some(last), None) = (rows_of, last, &bits) {
        let mut result = parts[2].to_vec();
        let lanes = forms[2].lanes();
        sizes[last] = 1;
        loop {
            let row = parts[rows][row_at(&forms[rows].shape, lead(&at(rows, &point)))];
            let other = at(1 - rows, &point);
            let one = lane(
                e,
                parts[1 - rows][row_at(&forms[1 - rows].shape, lead(&other))],
                other.last().copied().unwrap_or(0),
            );
            let to = row_at(&forms[2].shape, lead(&at(2, &point)));
            result[to] = how.two(e, result[to], product(e, row, e.ll.splat(one, lanes)), 0);
            if !advance(&mut point, &sizes) {
                break;
            }
        }
        return e.set_result(op, 0, result);
    }
    let all: Vec<Vec<V>> = [0, 1].map(|n| elements(e, &forms[n], &parts[n])).to_vec();
    let mut result = if is_vector { elements(e, &forms[2], &parts[2]) } else { parts[2].to_vec() };
    let flat = |which: usize, point: &[i64]| row_at(&forms[which].shape, &at(which, point));
    for n in 0.. {
        let to = flat(2, &point);
        let value = product(e, all[0][flat(0, &point)], all[1][flat(1, &point)]);
        let combined = how.two(e, result[to], value, 0);
        result[to] = bits.as_ref().map_or(combined, |bits| e.ll.select(bits[n], combined, result[to]));
        if !advance(&mut point, &sizes) {
            break;
        }
    }
    let rows = if is_vector { from_elements(e, &forms[2], result) } else { result };
    e.set_result(op, 0, rows);
}

fn lead(point: &[i64]) -> &[i64] {
    &point[..point.len().saturating_sub(1)]
}

/// Along one dimension each element combined with all before it
fn scan(e: &mut Emitter<'_>, op: OpId) {
    let scan = vector::Scan(op);
    let (source, initial) = (scan.source(e.ir), scan.initial_value(e.ir));
    let (form, first) = (e.vector_of(source), e.vector_of(initial));
    let how = combine(kind(e, op), is_float(form.elem));
    let (dim, inclusive) = (scan.dim(e.ir), scan.is_inclusive(e.ir));
    // Lines of elements; along any dimension but the last, of rows.
    let by_row = dim + 1 < form.shape.len();
    let (mut all, mut last) = if by_row {
        (e.get(source).to_vec(), e.get(initial).to_vec())
    } else {
        (elements(e, &form, &e.get(source)), elements(e, &first, &e.get(initial)))
    };
    let end = form.shape.len() - usize::from(by_row);
    let inner: usize = form.shape[dim + 1..end].iter().product::<i64>() as usize;
    let len = form.shape[dim] as usize;
    let values = all.clone();
    for (line, last) in last.iter_mut().enumerate() {
        let start = line / inner * inner * len + line % inner;
        let mut so_far = None;
        for n in 0..len {
            let at = start + n * inner;
            let after = match (so_far, inclusive, n) {
                (None, true, _) => values[at],
                (Some(before), true, _) => how.two(e, before, values[at], 0),
                (before, false, 0) => before.unwrap_or(*last),
                (before, false, _) => how.two(e, before.unwrap_or(*last), values[at - inner], 0),
            };
            all[at] = after;
            so_far = Some(after);
        }
        *last = so_far.unwrap_or(*last);
    }
    let (all, last) =
        if by_row { (all, last) } else { (from_elements(e, &form, all), from_elements(e, &first, last)) };
    e.set_result(op, 0, all);
    e.set_result(op, 1, last);
}

fn type_cast_check(c: &Check<'_>, op: OpId) -> Checked {
    let (from, to) = (c.mem(vector::TypeCast(op).memref(c.ir))?, c.mem(c.ir.result(op, 0))?);
    let whole = match &*to.elem {
        Form::Vector(vector) => vector.lanes().is_power_of_two() && vector.elem.fills_bytes(),
        _ => false,
    };
    if whole && from.is_row_major() && to.is_row_major() && matches!(*from.elem, Form::Scalar(_)) {
        return Ok(());
    }
    Err("needs rows whose length is a power of two, without gaps".into())
}

fn type_cast(e: &mut Emitter<'_>, op: OpId) {
    let parts = e.get(vector::TypeCast(op).memref(e.ir));
    let form = e.form_of(e.ir.result(op, 0));
    let known = e.static_parts(&form);
    let numbers = known[part::OFFSET..].iter().map(|known| known.unwrap_or_else(|| e.ll.const_i64(0)));
    let all: Vec<V> = parts[..part::OFFSET].iter().copied().chain(numbers).collect();
    e.set_result(op, 0, all);
}
