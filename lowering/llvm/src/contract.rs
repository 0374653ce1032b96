//! `sched.contract`: the tile registers of AMX where the processor has them, else dot products in lanes, else loops over lanes.

mod dots;
mod tiles;

use crate::check::Check;
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, Spaces};
use crate::memory;
use crate::raw::{IntPred, Opcode, V};
use crate::versions;
use terrace_devices::{MatrixUnit, Products};
use terrace_dialect_sched::{self as sched, ContractSizes};
use terrace_ir::{FloatKind, OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { sched: Contract check, contract; };

fn check(c: &Check<'_>, op: OpId) -> Checked {
    if c.spaces != Spaces::Host {
        return Err("is for processors".into());
    }
    let op = sched::Contract(op);
    for value in [op.lhs(c.ir), op.rhs(c.ir), op.acc(c.ir)] {
        let mem = c.mem(value)?;
        let whole = matches!(*mem.elem, Form::Scalar(elem) if elem.fills_bytes());
        if !whole || !mem.is_row_major() {
            return Err("works on panels of scalars without gaps".into());
        }
    }
    Ok(())
}

/// A contraction with the addresses of its panels and its tile
struct Job {
    sizes: ContractSizes,
    lhs: V,
    rhs: V,
    acc: V,
    /// Sums begin at zero, not at what the tile holds
    overwrites: bool,
    from: Elem,
    to: Elem,
    /// Are elements of the left and of the right panel integers without a sign?
    unsigned: [bool; 2],
    /// Values may differ from run to run
    free: bool,
}

fn contract(e: &mut Emitter<'_>, op: OpId) {
    let op = sched::Contract(op);
    let Some(sizes) = op.sizes(e.ir) else { return };
    let zero = e.ll.const_i64(0);
    let place = |value, at: &[V]| memory::address(e, &e.mem_of(value), &e.get(value), at);
    let elem = |value| match *e.mem_of(value).elem {
        Form::Scalar(elem) => elem,
        _ => unreachable!("the coverage check wants scalars"),
    };
    let (lhs, rhs, acc) = (op.lhs(e.ir), op.rhs(e.ir), op.acc(e.ir));
    let (from, to) = (elem(lhs), elem(acc));
    // The first group from the first row or column on
    let first = |indices: Vec<Value>| -> Vec<V> {
        let mut at: Vec<V> = indices.into_iter().map(|index| e.one(index)).collect();
        at.insert(at.len().saturating_sub(1), zero);
        at.push(zero);
        at
    };
    let rank = e.ir.ty(acc).shape(e.cx()).map_or(2, <[i64]>::len);
    let job = Job {
        sizes,
        lhs: place(lhs, &first(op.lhs_indices(e.ir))),
        rhs: place(rhs, &first(op.rhs_indices(e.ir))),
        acc: place(acc, &vec![zero; rank]),
        overwrites: op.overwrite(e.ir).is_some(),
        from,
        to,
        unsigned: [op.lhs_unsigned(e.ir), op.rhs_unsigned(e.ir)].map(|it| it.is_some()),
        free: op.free(e.ir).is_some(),
    };
    let Some(product) = tiles::product(e, &job) else { return in_lanes(e, &job) };
    let granted = e.in_entry(|e| e.ll.icmp(IntPred::LLVMIntEQ, tiles::request(e), e.ll.const_i64(0)));
    let [with, without, after] = [(); 3].map(|()| e.ll.append_block(e.function, ""));
    e.ll.cond_br(granted, with, without);
    e.ll.at_end(with);
    tiles::emit(e, &job, product);
    e.ll.br(after);
    e.ll.at_end(without);
    in_lanes(e, &job);
    e.ll.br(after);
    e.ll.at_end(after);
}

/// Dot products, or products one by one
fn in_lanes(e: &Emitter<'_>, job: &Job) {
    match job.units(e).into_iter().find(|unit| dots::fit(job, *unit)) {
        Some(unit) => dots::emit(e, job, unit),
        None => loops(e, job),
    }
}

impl Job {
    /// Units of the processor for products of its types; a function for another processor has none
    fn units(&self, e: &Emitter<'_>) -> Vec<MatrixUnit> {
        let signed = self.unsigned == [false; 2];
        let products = match (self.from, self.to) {
            (Elem::Int(8), Elem::Int(32)) => Products::Bytes,
            (Elem::Int(16), Elem::Int(32)) if signed => Products::Words,
            (Elem::Float(FloatKind::BF16), Elem::Float(FloatKind::F32)) if self.free => Products::FreeBf16,
            (Elem::Float(FloatKind::BF16), Elem::Float(FloatKind::F32)) => Products::Bf16,
            _ => return Vec::new(),
        };
        let all = e.program.processor.units.iter().copied();
        all.filter(|unit| unit.adds(products) && versions::target(e.ir).is_none()).collect()
    }

    /// Address so many bytes on
    fn bytes(e: &Emitter<'_>, from: V, offset: i64) -> V {
        e.ll.gep(e.ll.int(8), from, e.ll.const_i64(offset))
    }
}

/// A loop from 0
fn counted(e: &Emitter<'_>, count: i64, body: impl FnOnce(V)) {
    let ll = e.ll;
    let [head, inside, after] = [(); 3].map(|()| ll.append_block(e.function, ""));
    let before = ll.block();
    ll.br(head);
    ll.at_end(head);
    let n = ll.phi(ll.i64());
    ll.add_incoming(n, ll.const_i64(0), before);
    ll.cond_br(ll.icmp(IntPred::LLVMIntSLT, n, ll.const_i64(count)), inside, after);
    ll.at_end(inside);
    body(n);
    ll.add_incoming(n, ll.add_index(n, ll.const_i64(1)), ll.block());
    ll.br(head);
    ll.at_end(after);
}

/// Rows, columns as lanes, and groups of k; each product widened
fn loops(e: &Emitter<'_>, job: &Job) {
    let (ll, sizes) = (e.ll, job.sizes);
    let lanes = [16, 8, 4, 2, 1].into_iter().find(|lanes| sizes.n % lanes == 0).unwrap_or(1);
    let (elem, wide) = (e.elem_type(job.from), ll.vector(e.elem_type(job.to), lanes as u32));
    let align = job.to.bytes();
    let [_, group] = sizes.group;
    counted(e, sizes.m, |row| {
        counted(e, sizes.n / lanes, |column| {
            let first = ll.mul_index(column, ll.const_i64(lanes));
            let place = ll.add_index(ll.mul_index(row, ll.const_i64(sizes.n)), first);
            let at = ll.gep(e.elem_type(job.to), job.acc, place);
            let sum = e.slot(wide);
            ll.store(if job.overwrites { ll.zero(wide) } else { ll.load(wide, at, align) }, sum, 0);
            let some = |g: V, count: i64| {
                let start = ll.add_index(ll.mul_index(g, ll.const_i64(sizes.across[1])), first);
                let start = ll.gep(elem, job.rhs, ll.mul_index(start, ll.const_i64(group)));
                let all = ll.load(ll.vector(elem, (lanes * group) as u32), start, job.from.bytes());
                for q in 0..count {
                    let places: Vec<i64> = (0..lanes).map(|lane| lane * group + q).collect();
                    let right = ll.shuffle(all, ll.poison(ll.type_of(all)), &places);
                    let k = ll.add_index(ll.mul_index(g, ll.const_i64(group)), ll.const_i64(q));
                    let left = ll.splat(ll.load(elem, left(e, job, row, k), job.from.bytes()), lanes as u32);
                    ll.store(add(e, job, ll.load(wide, sum, 0), left, right), sum, 0);
                }
            };
            counted(e, sizes.k / group, |g| some(g, group));
            if sizes.k % group > 0 {
                some(ll.const_i64(sizes.k / group), sizes.k % group);
            }
            ll.store(ll.load(wide, sum, 0), at, align);
        });
    });
}

/// Address of an element of the left panel
fn left(e: &Emitter<'_>, job: &Job, row: V, k: V) -> V {
    let (ll, group) = (e.ll, e.ll.const_i64(job.sizes.group[0]));
    let (outer, inner) = (ll.bin(Opcode::LLVMUDiv, k, group), ll.bin(Opcode::LLVMURem, k, group));
    let place = ll.add_index(ll.mul_index(outer, ll.const_i64(job.sizes.across[0])), row);
    ll.gep(e.elem_type(job.from), job.lhs, ll.add_index(ll.mul_index(place, group), inner))
}

/// `sum + left * right` in the type of the sum
fn add(e: &Emitter<'_>, job: &Job, sum: V, left: V, right: V) -> V {
    let (ll, wide) = (e.ll, e.ll.type_of(sum));
    let floats = matches!(job.to, Elem::Float(_));
    let [unsigned, other] = job.unsigned;
    let [left, right] =
        [(left, unsigned), (right, other)].map(|(value, unsigned)| match (floats, unsigned) {
            (true, _) => crate::bf16::extended(e, value, wide),
            (_, true) => ll.cast_if(Opcode::LLVMZExt, value, wide),
            (_, false) => ll.cast_if(Opcode::LLVMSExt, value, wide),
        });
    match floats {
        true => ll.intrinsic("llvm.fmuladd", &[wide], &[left, right, sum]),
        false => ll.add(sum, ll.mul(left, right)),
    }
}
