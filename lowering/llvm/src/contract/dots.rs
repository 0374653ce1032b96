//! Sums of products by dot products in lanes: each adds the products of two groups of 4 bytes to a sum of 32 bits.
//!
//! A block of rows and vectors of columns is in registers. Each step loads the vectors' groups of the right panel, and one group of
//! each row, for all lanes. The instruction on bytes multiplies unsigned ones with signed ones. Where both operands have a sign, or
//! none has, 128 is added to the right operand or taken from it (its highest bit is flipped). Sums then begin with 128 times the sum of
//! the row less or more. All of this is exact modulo 2^32, as the sums are.
//!
//! AVX2 has no such instruction. It multiplies signed words and adds neighbors' products; bytes are words once those at even and at odd places are
//! taken apart, with or without their signs.
//!
//! The instruction on `bf16` is inline assembly: functions lack its feature, since LLVM would convert with it and flush subnormals.

use super::Job;
use crate::emit::Emitter;
use crate::form::Elem;
use crate::raw::{IntPred, Opcode, T, V};
use terrace_devices::{MatrixUnit, Products};

/// Bytes of a group
const GROUP: i64 = MatrixUnit::GROUP_BYTES;
/// Steps that are written out in a loop
const STEPS: i64 = 4;

/// Are panels laid out for it, with whole vectors of columns?
pub(super) fn fit(job: &Job, unit: MatrixUnit) -> bool {
    let Some(lanes) = unit.lanes() else { return false };
    let [left, right] = job.sizes.group.map(|group| group * i64::from(job.from.bytes()));
    // Sums of rows are taken in whole vectors.
    right == GROUP && left % (GROUP * lanes) == 0 && job.sizes.n % lanes == 0
}

/// All sums, a block after the other
pub(super) fn emit(e: &Emitter<'_>, job: &Job, unit: MatrixUnit) {
    let Some(lanes) = unit.lanes() else { return };
    let products = if job.from.bytes() == 1 { Products::Bytes } else { Products::Words };
    let registers = unit.registers(products, if lanes == 16 { 32 } else { 16 });
    let dots = Dots { e, job, unit, lanes, left: job.sizes.group[0] * i64::from(job.from.bytes()) };
    let (rows, vectors) = (job.sizes.m, job.sizes.n / lanes);
    let block = MatrixUnit::block(rows, registers);
    for top in (0..rows).step_by(block as usize) {
        let own: Vec<i64> = (top..rows.min(top + block)).collect();
        let less = dots.corrections(&own);
        for first in (0..vectors).step_by(MatrixUnit::VECTORS as usize) {
            let columns: Vec<i64> = (first..vectors.min(first + MatrixUnit::VECTORS)).collect();
            dots.block(&own, &columns, &less);
        }
    }
}

struct Dots<'a, 'b> {
    e: &'a Emitter<'b>,
    job: &'a Job,
    unit: MatrixUnit,
    lanes: i64,
    /// Bytes of a group of the left panel
    left: i64,
}

impl Dots<'_, '_> {
    /// Groups of 4 bytes: of the sums, and of a group of the left panel
    fn groups(&self) -> [i64; 2] {
        [self.job.sizes.k * i64::from(self.job.from.bytes()) / GROUP, self.left / GROUP]
    }

    /// 32 bits in each lane
    fn words(&self) -> T {
        self.e.ll.vector(self.e.ll.int(32), self.lanes as u32)
    }

    /// Elements in each lane
    fn elems(&self) -> T {
        let bytes = self.job.from.bytes();
        self.e.ll.vector(self.e.ll.int(8 * bytes), (self.lanes * GROUP) as u32 / bytes)
    }

    fn sums(&self) -> T {
        self.e.ll.vector(self.e.elem_type(self.job.to), self.lanes as u32)
    }

    fn is_bytes(&self) -> bool {
        self.job.from.bytes() == 1
    }

    /// Has the right operand its highest bits flipped?
    fn flips(&self) -> bool {
        self.unit != MatrixUnit::Avx2Madd && self.is_bytes() && self.job.unsigned[0] == self.job.unsigned[1]
    }

    /// `sum` and the dot product of unsigned and of signed elements
    fn bytes(&self, sum: V, unsigned: V, signed: V) -> V {
        let name =
            if self.lanes == 16 { "llvm.x86.avx512.vpdpbusd.512" } else { "llvm.x86.avx512.vpdpbusd.256" };
        self.e.ll.intrinsic(name, &[], &[sum, unsigned, signed])
    }

    /// Words of bytes at even and at odd places
    fn apart(&self, bytes: V, unsigned: bool) -> [V; 2] {
        let ll = self.e.ll;
        let words = ll.vector(ll.int(16), 2 * self.lanes as u32);
        let (all, by) = (ll.cast(Opcode::LLVMBitCast, bytes, words), ll.int_const(words, 8));
        match unsigned {
            true => {
                [ll.bin(Opcode::LLVMAnd, all, ll.int_const(words, 0xff)), ll.bin(Opcode::LLVMLShr, all, by)]
            }
            false => {
                let even = ll.bin(Opcode::LLVMShl, all, by);
                [ll.bin(Opcode::LLVMAShr, even, by), ll.bin(Opcode::LLVMAShr, all, by)]
            }
        }
    }

    /// `sum` and the products of words, neighbors added
    fn words_added(&self, sum: V, left: V, right: V) -> V {
        let ll = self.e.ll;
        ll.add(sum, ll.intrinsic("llvm.x86.avx2.pmadd.wd", &[], &[left, right]))
    }

    /// `sum` and the dot products of groups
    fn dot(&self, sum: V, left: V, right: V) -> V {
        let ll = self.e.ll;
        if self.unit == MatrixUnit::Avx2Madd {
            if !self.is_bytes() {
                return self.words_added(sum, left, right);
            }
            let [unsigned, other] = self.job.unsigned;
            let (left, right) = (self.apart(left, unsigned), self.apart(right, other));
            return left
                .into_iter()
                .zip(right)
                .fold(sum, |sum, (left, right)| self.words_added(sum, left, right));
        }
        match (self.job.from, self.job.unsigned) {
            (Elem::Float(_), _) => {
                let args = [sum, left, right];
                ll.assembly("vdpbf16ps $3, $2, $0", "=v,0,v,v", ll.type_of(sum), &args)
            }
            (_, [unsigned, _]) if self.is_bytes() => match unsigned {
                true => self.bytes(sum, left, right),
                false => self.bytes(sum, right, left),
            },
            _ if self.lanes == 16 => ll.intrinsic("llvm.x86.avx512.vpdpwssd.512", &[], &[sum, left, right]),
            _ => ll.intrinsic("llvm.x86.avx512.vpdpwssd.256", &[], &[sum, left, right]),
        }
    }

    /// What sums of rows are to begin with less, if the right operand is flipped
    fn corrections(&self, rows: &[i64]) -> Vec<V> {
        if !self.flips() {
            return Vec::new();
        }
        let (e, ll, job) = (self.e, self.e.ll, self.job);
        let [all, each] = self.groups();
        let zeros = vec![ll.zero(self.words()); rows.len()];
        let ones = ll.int_const(self.elems(), 1);
        let add = |at: V, sums: Vec<V>, kept: i64| -> Vec<V> {
            let mut sums = sums;
            for (row, sum) in rows.iter().zip(&mut sums) {
                for first in (0..each.min(kept)).step_by(self.lanes as usize) {
                    let from = Job::bytes(e, at, row * self.left + first * GROUP);
                    let mut some = ll.load(self.words(), from, 1);
                    if kept - first < self.lanes {
                        let bit = |n: i64| ll.const_int(ll.int(32), if first + n < kept { -1 } else { 0 });
                        let mask = ll.const_vector(&(0..self.lanes).map(bit).collect::<Vec<_>>());
                        some = ll.bin(Opcode::LLVMAnd, some, mask);
                    }
                    let some = ll.cast(Opcode::LLVMBitCast, some, self.elems());
                    *sum = match job.unsigned[0] {
                        true => self.bytes(*sum, some, ones),
                        false => self.bytes(*sum, ones, some),
                    };
                }
            }
            sums
        };
        let step = job.sizes.across[0] * self.left;
        let place = |n: V| ll.gep(ll.int(8), job.lhs, ll.mul_index(n, ll.const_i64(step)));
        let mut sums = fold(e, all / each, zeros, |n, sums| add(place(n), sums, each));
        if all % each > 0 {
            sums = add(place(ll.const_i64(all / each)), sums, all % each);
        }
        let total = |sum: V| {
            let sum = ll.intrinsic("llvm.vector.reduce.add", &[self.words()], &[sum]);
            let scale = ll.const_int(ll.int(32), if job.unsigned[0] { -128 } else { 128 });
            ll.splat(ll.mul(sum, scale), self.lanes as u32)
        };
        sums.into_iter().map(total).collect()
    }

    fn block(&self, rows: &[i64], columns: &[i64], less: &[V]) {
        let (e, ll, job) = (self.e, self.e.ll, self.job);
        let at =
            |row: i64, column: i64| Job::bytes(e, job.acc, (row * job.sizes.n + column * self.lanes) * 4);
        let places: Vec<V> =
            rows.iter().flat_map(|row| columns.iter().map(move |column| at(*row, *column))).collect();
        let start = |(n, place): (usize, &V)| {
            let first = match job.overwrites {
                true => ll.zero(self.sums()),
                false => ll.load(self.sums(), *place, 4),
            };
            less.get(n / columns.len()).map_or(first, |less| ll.bin(Opcode::LLVMSub, first, *less))
        };
        let sums: Vec<V> = places.iter().enumerate().map(start).collect();
        let [all, each] = self.groups();
        let step = |n: V, sums: Vec<V>, groups: i64| {
            let lhs =
                ll.gep(ll.int(8), job.lhs, ll.mul_index(n, ll.const_i64(job.sizes.across[0] * self.left)));
            let rhs = ll.mul_index(n, ll.const_i64(each * job.sizes.across[1] * GROUP));
            let rhs = ll.gep(ll.int(8), job.rhs, rhs);
            let some = |n: V, sums: Vec<V>, count: i64| {
                let first = ll.mul_index(n, ll.const_i64(STEPS));
                (0..count).fold(sums, |sums, more| {
                    let group = ll.add_index(first, ll.const_i64(more));
                    self.group(lhs, rhs, group, (rows, columns), sums)
                })
            };
            let sums = fold(e, groups / STEPS, sums, |n, sums| some(n, sums, STEPS));
            some(ll.const_i64(groups / STEPS), sums, groups % STEPS)
        };
        let mut sums = fold(e, all / each, sums, |n, sums| step(n, sums, each));
        if all % each > 0 {
            sums = step(ll.const_i64(all / each), sums, all % each);
        }
        for (sum, place) in sums.into_iter().zip(places) {
            ll.store(sum, place, 4);
        }
    }

    /// One group of each row with one of each column
    fn group(&self, lhs: V, rhs: V, n: V, (rows, columns): (&[i64], &[i64]), mut sums: Vec<V>) -> Vec<V> {
        let (e, ll, job) = (self.e, self.e.ll, self.job);
        let lhs = ll.gep(ll.int(8), lhs, ll.mul_index(n, ll.const_i64(GROUP)));
        let rhs = ll.gep(ll.int(8), rhs, ll.mul_index(n, ll.const_i64(job.sizes.across[1] * GROUP)));
        let right = |column: &i64| {
            let some = ll.load(self.words(), Job::bytes(e, rhs, column * self.lanes * GROUP), 1);
            let some = ll.cast(Opcode::LLVMBitCast, some, self.elems());
            match self.flips() {
                true => ll.bin(Opcode::LLVMXor, some, ll.int_const(self.elems(), 0x80)),
                false => some,
            }
        };
        let right: Vec<V> = columns.iter().map(right).collect();
        for (row, sums) in rows.iter().zip(sums.chunks_mut(columns.len())) {
            let left = ll.load(ll.int(32), Job::bytes(e, lhs, row * self.left), 1);
            let left = ll.cast(Opcode::LLVMBitCast, ll.splat(left, self.lanes as u32), self.elems());
            for (sum, right) in sums.iter_mut().zip(&right) {
                *sum = self.dot(*sum, left, *right);
            }
        }
        sums
    }
}

/// A loop from 0 that carries values
fn fold(e: &Emitter<'_>, count: i64, values: Vec<V>, body: impl FnOnce(V, Vec<V>) -> Vec<V>) -> Vec<V> {
    let ll = e.ll;
    match count {
        0 => return values,
        1 => return body(ll.const_i64(0), values),
        _ => {}
    }
    let [inside, after] = [(); 2].map(|()| ll.append_block(e.function, ""));
    let before = ll.block();
    ll.br(inside);
    ll.at_end(inside);
    let n = ll.phi(ll.i64());
    let carried: Vec<V> = values.iter().map(|value| ll.phi(ll.type_of(*value))).collect();
    let next = body(n, carried.clone());
    let following = ll.add_index(n, ll.const_i64(1));
    let end = ll.block();
    ll.add_incoming(n, ll.const_i64(0), before);
    ll.add_incoming(n, following, end);
    for ((phi, first), next) in carried.iter().zip(&values).zip(&next) {
        ll.add_incoming(*phi, *first, before);
        ll.add_incoming(*phi, *next, end);
    }
    ll.cond_br(ll.icmp(IntPred::LLVMIntSLT, following, ll.const_i64(count)), inside, after);
    ll.at_end(after);
    next
}
