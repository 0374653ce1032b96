//! `vector`: masks, memory under masks, transfers.
//!
//! A transfer is row by row. A row along neighbours in memory is one load or store, under a mask where not all of it is
//! promised to lie inside; any other row gathers or scatters.

use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{MemForm, VectorForm};
use crate::memory::{self, Access};
use crate::memref::each_one;
use crate::raw::{IntPred, Opcode, V};
use crate::vector::{access_check, lane, row_at, row_point};
use terrace_dialect_vector as vector;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::{Checked, rows};
use terrace_support::affine::AffineExpr;

pub(crate) static OPS: &[Lowering] = rows! { vector:
    ConstantMask any, constant_mask;
    CreateMask any, create_mask;
    MaskedLoad access_check, masked_load;
    MaskedStore access_check, masked_store;
    TransferRead transfer_check, transfer_read;
    TransferWrite transfer_check, transfer_write;
};

/// Lanes whose number is less than a bound, which may be anything
fn below(e: &Emitter<'_>, lanes: u32, bound: V) -> V {
    compare_lanes(e, lanes, bound, IntPred::LLVMIntULT)
}

fn compare_lanes(e: &Emitter<'_>, lanes: u32, bound: V, pred: IntPred) -> V {
    let ll = e.ll;
    let (zero, most, i32) = (ll.const_i64(0), ll.const_i64(lanes.into()), ll.int(32));
    // Lane numbers fit 32 bits when the bound is brought among them.
    let bound = match ll.as_const(bound) {
        Some(n) => ll.const_int(i32, n.clamp(0, lanes.into())),
        None => {
            let positive = ll.intrinsic("llvm.smax", &[ll.i64()], &[bound, zero]);
            let near = ll.intrinsic("llvm.smin", &[ll.i64()], &[positive, most]);
            ll.cast(Opcode::LLVMTrunc, near, i32)
        }
    };
    let numbers: Vec<V> = (0..lanes).map(|n| ll.const_int(i32, n.into())).collect();
    ll.icmp(pred, ll.const_vector(&numbers), ll.splat(bound, lanes))
}

fn none_set(e: &Emitter<'_>, lanes: u32) -> V {
    e.ll.zero(e.ll.vector(e.ll.int(1), lanes))
}

/// Both masks; a missing one is all set
fn both(e: &Emitter<'_>, a: Option<V>, b: Option<V>) -> Option<V> {
    match (a, b) {
        (Some(a), Some(b)) => Some(e.ll.bin(Opcode::LLVMAnd, a, b)),
        (one, None) | (None, one) => one,
    }
}

/// Rows of a mask that is set below these bounds
fn mask_rows(e: &Emitter<'_>, form: &VectorForm, bounds: &[V]) -> Vec<V> {
    let lanes = form.lanes();
    let row = bounds.last().map_or_else(|| none_set(e, lanes), |bound| below(e, lanes, *bound));
    let one = |n: usize| {
        let point = row_point(&form.shape, n);
        let conditions = point
            .iter()
            .zip(bounds)
            .map(|(at, bound)| Some(e.ll.icmp(IntPred::LLVMIntSLT, e.ll.const_i64(*at), *bound)));
        match conditions.fold(None, |all, one| both(e, all, one)) {
            None => row,
            Some(condition) => e.ll.select(condition, row, none_set(e, lanes)),
        }
    };
    (0..form.parts()).map(one).collect()
}

fn create_mask(e: &mut Emitter<'_>, op: OpId) {
    let form = e.vector_of(e.ir.result(op, 0));
    let bounds: Vec<V> = e.ir.operands(op).map(|value| e.one(value)).collect();
    let rows = mask_rows(e, &form, &bounds);
    e.set_result(op, 0, rows);
}

fn constant_mask(e: &mut Emitter<'_>, op: OpId) {
    let form = e.vector_of(e.ir.result(op, 0));
    let bounds: Vec<V> = vector::ConstantMask(op).bounds(e.ir).iter().map(|n| e.ll.const_i64(*n)).collect();
    let rows = mask_rows(e, &form, &bounds);
    e.set_result(op, 0, rows);
}

fn masked_load(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::MaskedLoad(op);
    let (base, other) = (op_.base(e.ir), op_.pass_thru(e.ir));
    let vector = e.vector_of(other);
    let (mem, parts, indices) = (e.mem_of(base), e.get(base), each_one(e, &op_.indices(e.ir)));
    let align = Access::of(e, op, vector.elem).align;
    let (masks, others) = (e.get(op_.mask(e.ir)), e.get(other));
    // Where lanes are off, the row may begin outside of the buffer.
    let rows = memory::rows(e, &mem, &parts, &vector, &indices, false);
    let read = |(n, at): (usize, V)| memory::read_masked(e, vector.elem, at, masks[n], others[n], align);
    let rows: Vec<V> = rows.into_iter().enumerate().map(read).collect();
    e.set_result(op, 0, rows);
}

fn masked_store(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::MaskedStore(op);
    let (base, value) = (op_.base(e.ir), op_.value_to_store(e.ir));
    let vector = e.vector_of(value);
    let (mem, parts, indices) = (e.mem_of(base), e.get(base), each_one(e, &op_.indices(e.ir)));
    let align = Access::of(e, op, vector.elem).align;
    let (masks, values) = (e.get(op_.mask(e.ir)), e.get(value));
    for (n, at) in memory::rows(e, &mem, &parts, &vector, &indices, false).into_iter().enumerate() {
        memory::write_masked(e, vector.elem, values[n], at, masks[n], align);
    }
}

fn transfer_check(c: &Check<'_>, op: OpId) -> Checked {
    access_check(c, op)?;
    let map = c.ir.attr(op, "permutation_map").and_then(|attr| attr.as_affine_map(c.cx()));
    map.map(|_| ()).ok_or_else(|| "has no map".into())
}

/// One transfer, taken apart
struct Transfer {
    mem: MemForm,
    parts: Vec<V>,
    start: Vec<V>,
    vector: VectorForm,
    /// Dimension of memory for each of the vector; `None` where it repeats
    along: Vec<Option<usize>>,
    promised: Vec<bool>,
    mask: Option<(VectorForm, Vec<V>)>,
}

/// A row of it
struct Row {
    at: V,
    mask: Option<V>,
    /// Stride of the lanes in elements; `None` where they are neighbours
    stride: Option<V>,
}

impl Transfer {
    fn new(
        e: &Emitter<'_>,
        op: OpId,
        base: Value,
        indices: &[Value],
        vector: Value,
        mask: Option<Value>,
    ) -> Transfer {
        let along = e.ir.attr(op, "permutation_map").and_then(|attr| attr.as_affine_map(e.cx()));
        let along = along.map_or(Vec::new(), |map| {
            let dim = |result: &AffineExpr| match result {
                AffineExpr::Dim(n) => Some(*n as usize),
                _ => None,
            };
            map.results.iter().map(dim).collect()
        });
        let promised = e.ir.attr(op, "in_bounds").and_then(|attr| attr.as_array(e.cx())).unwrap_or(&[]);
        let promised = promised.iter().map(|item| item.as_int(e.cx()).is_some_and(|(value, _)| value != 0));
        Transfer {
            mem: e.mem_of(base),
            parts: e.get(base).to_vec(),
            start: each_one(e, indices),
            vector: e.vector_of(vector),
            along,
            promised: promised.collect(),
            mask: mask.map(|mask| (e.vector_of(mask), e.get(mask).to_vec())),
        }
    }

    /// Does a dimension of the vector need a look whether it lies inside?
    fn is_open(&self, n: usize) -> bool {
        self.along[n].is_some() && self.promised.get(n) != Some(&true)
    }

    fn row(&self, e: &Emitter<'_>, n: usize) -> Row {
        let ll = e.ll;
        let sizes = memory::sizes(&self.mem, &self.parts);
        let point = row_point(&self.vector.shape, n);
        let mut at = self.start.clone();
        let mut inside = None;
        for (k, along) in self.along.iter().enumerate().take(point.len()) {
            let Some(dim) = *along else { continue };
            at[dim] = e.ll.add_index(at[dim], ll.const_i64(point[k]));
            if self.is_open(k) {
                // Unsigned: what is negative is large.
                inside = both(e, inside, Some(ll.icmp(IntPred::LLVMIntULT, at[dim], sizes[dim])));
            }
        }
        let lanes = self.vector.lanes();
        let last = self.vector.shape.len().checked_sub(1);
        let last_dim = last.and_then(|last| self.along[last]);
        let mut mask = None;
        if let (Some(last), Some(dim)) = (last, last_dim)
            && self.is_open(last)
        {
            let rest = ll.sub(sizes[dim], at[dim]);
            let before = ll.sub(ll.const_i64(0), at[dim]);
            let low = compare_lanes(e, lanes, before, IntPred::LLVMIntUGE);
            mask = both(e, Some(below(e, lanes, rest)), Some(low));
        }
        let around = e.under.as_ref().map(|under| (&under.form, &under.mask[..]));
        let own = self.mask.as_ref().map(|(form, rows)| (form, &rows[..]));
        for one in [own, around].into_iter().flatten() {
            mask = both(e, mask, Some(self.mask_of(e, one, &point, last_dim.is_some())));
        }
        if let Some(inside) = inside {
            let row = mask.unwrap_or_else(|| ll.all_ones(ll.vector(ll.int(1), lanes)));
            mask = Some(ll.select(inside, row, none_set(e, lanes)));
        }
        let open = (0..self.along.len()).any(|n| self.is_open(n));
        let place = memory::address_of(e, &self.mem, &self.parts, &at, !open);
        let stride = match last_dim {
            Some(dim) if self.mem.strides[dim] == 1 => None,
            Some(dim) => Some(memory::strides(&self.mem, &self.parts)[dim]),
            None => Some(ll.const_i64(0)),
        };
        // A single lane has no neighbours.
        Row { at: place, mask, stride: stride.filter(|_| lanes > 1) }
    }

    /// A mask's lanes for a row: its dimensions are those of memory, in order
    fn mask_of(&self, e: &Emitter<'_>, (form, rows): (&VectorForm, &[V]), point: &[i64], moves: bool) -> V {
        let mut used: Vec<(usize, usize)> =
            self.along.iter().enumerate().filter_map(|(n, dim)| Some(((*dim)?, n))).collect();
        used.sort_unstable();
        let last = self.vector.shape.len().saturating_sub(1);
        let at = |lane: i64| -> Vec<i64> {
            used.iter().map(|(_, n)| if *n == last { lane } else { point[*n] }).collect()
        };
        let bit = |lane_number: i64| {
            let point = at(lane_number);
            let lead = point.len().saturating_sub(1);
            lane(e, rows[row_at(&form.shape, &point[..lead])], point.last().copied().unwrap_or(0))
        };
        let lanes = self.vector.lanes();
        if !moves {
            return e.ll.splat(bit(0), lanes);
        }
        if used.last().map(|(_, n)| *n) == Some(last) {
            let point = at(0);
            return rows[row_at(&form.shape, &point[..point.len() - 1])];
        }
        let poison = e.ll.poison(e.ll.vector(e.ll.int(1), lanes));
        (0..i64::from(lanes)).fold(poison, |row, n| e.ll.insert_element(row, bit(n), e.ll.const_i64(n)))
    }
}

fn transfer_read(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::TransferRead(op);
    let result = op_.vector(e.ir);
    let transfer = Transfer::new(e, op, op_.base(e.ir), &op_.indices(e.ir), result, op_.mask(e.ir));
    let (elem, lanes) = (transfer.vector.elem, transfer.vector.lanes());
    let padding = e.ll.splat(e.one(op_.padding(e.ir)), lanes);
    let access = Access { align: elem.bytes(), nontemporal: false };
    let rows: Vec<V> = (0..transfer.vector.parts())
        .map(|n| {
            let row = transfer.row(e, n);
            let through = e.under.as_ref().and_then(|under| under.through.as_ref());
            let padding = through.map_or(padding, |through| through[n]);
            match (row.stride, row.mask) {
                (None, None) => memory::read(e, elem, Some(lanes), row.at, access),
                (None, Some(mask)) => memory::read_masked(e, elem, row.at, mask, padding, elem.bytes()),
                (Some(stride), None) if e.ll.as_const(stride) == Some(0) => {
                    e.ll.splat(memory::read(e, elem, None, row.at, access), lanes)
                }
                (Some(stride), mask) => {
                    let mask = mask.unwrap_or_else(|| e.ll.all_ones(e.ll.vector(e.ll.int(1), lanes)));
                    memory::gather(e, &transfer.mem, elem, (row.at, stride), mask, padding)
                }
            }
        })
        .collect();
    e.set_result(op, 0, rows);
}

fn transfer_write(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::TransferWrite(op);
    let value = op_.value_to_store(e.ir);
    let transfer = Transfer::new(e, op, op_.base(e.ir), &op_.indices(e.ir), value, op_.mask(e.ir));
    let (elem, lanes) = (transfer.vector.elem, transfer.vector.lanes());
    let access = Access { align: elem.bytes(), nontemporal: false };
    for (n, part) in e.get(value).iter().enumerate() {
        let row = transfer.row(e, n);
        match (row.stride, row.mask) {
            (None, None) => memory::write(e, elem, Some(lanes), *part, row.at, access),
            (None, Some(mask)) => memory::write_masked(e, elem, *part, row.at, mask, elem.bytes()),
            (Some(stride), mask) => {
                let mask = mask.unwrap_or_else(|| e.ll.all_ones(e.ll.vector(e.ll.int(1), lanes)));
                memory::scatter(e, &transfer.mem, elem, (row.at, stride), mask, *part);
            }
        }
    }
}
