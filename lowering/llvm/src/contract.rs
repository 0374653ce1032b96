//! `sched.contract`: the tile registers of AMX where the processor has them, else loops over lanes.
//!
//! A tile register has 16 rows of 64 bytes. One instruction multiplies a tile of the left panel with one of the right panel, whose
//! rows are groups of 4 bytes per column, and adds to a tile of 32-bit sums. Groups that a last tile lacks are zeros, in a
//! copy on the stack. Linux grants tile registers to a process on request: a function requests them when it starts, and runs the
//! loops where that is refused.

use crate::check::Check;
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, Spaces};
use crate::memory;
use crate::raw::{IntPred, Linkage, Opcode, V};
use crate::versions;
use terrace_devices::MatrixUnit;
use terrace_dialect_sched::{self as sched, ContractSizes};
use terrace_ir::{FloatKind, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { sched: Contract check, contract; };

/// Rows of a tile register
const ROWS: i64 = 16;
/// Bytes of a row
const ROW_BYTES: i64 = 64;
/// Most products of tiles that one op is written out as
const MOST_PRODUCTS: i64 = 512;
/// Tiles of sums in each direction that are in registers together
const BLOCK: usize = 2;
/// Function of a module that requests tile registers
const REQUEST: &str = "request.tile.registers";

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
    let (row, column) = (e.one(op.row(e.ir)), e.one(op.column(e.ir)));
    let job = Job {
        sizes,
        lhs: place(lhs, &[zero, row, zero]),
        rhs: place(rhs, &[zero, column, zero]),
        acc: place(acc, &[zero, zero]),
        overwrites: op.overwrite(e.ir).is_some(),
        from,
        to,
    };
    let Some(product) = product(e, &job) else { return loops(e, &job) };
    let granted = e.in_entry(|e| e.ll.icmp(IntPred::LLVMIntEQ, request(e), e.ll.const_i64(0)));
    let [with, without, after] = [(); 3].map(|()| e.ll.append_block(e.function, ""));
    e.ll.cond_br(granted, with, without);
    e.ll.at_end(with);
    tiles(e, &job, product);
    e.ll.br(after);
    e.ll.at_end(without);
    loops(e, &job);
    e.ll.br(after);
    e.ll.at_end(after);
}

/// The instruction on tiles that computes it, if the processor has one and the panels are laid out for it
fn product(e: &Emitter<'_>, job: &Job) -> Option<&'static str> {
    let (unit, name) = match (job.from, job.to) {
        (Elem::Int(8), Elem::Int(32)) => (MatrixUnit::AmxInt8, "llvm.x86.tdpbssd.internal"),
        (Elem::Float(FloatKind::BF16), Elem::Float(FloatKind::F32)) => {
            (MatrixUnit::AmxBf16, "llvm.x86.tdpbf16ps.internal")
        }
        _ => return None,
    };
    let attribute = |key: &str| {
        let found = e.program.attributes.iter().find(|(other, _)| *other == key);
        found.map_or("", |(_, value)| value.as_str())
    };
    let has = MatrixUnit::of_processor(attribute("target-cpu"), attribute("target-features")).contains(&unit);
    let linux = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    let (sizes, bytes) = (job.sizes, i64::from(job.from.bytes()));
    let laid_out = sizes.group.map(|group| group * bytes) == [ROW_BYTES, 4];
    let whole = sizes.m % ROWS == 0 && sizes.n % ROWS == 0;
    let products = (sizes.k * bytes).div_euclid(ROW_BYTES) * (sizes.m / ROWS) * (sizes.n / ROWS);
    let own = versions::target(e.ir).is_none();
    (has && linux && own && laid_out && whole && products <= MOST_PRODUCTS).then_some(name)
}

/// Request tile registers of the system: 0 if they are granted
fn request(e: &Emitter<'_>) -> V {
    let (ll, i64) = (e.ll, e.ll.i64());
    let callee = ll.declare(REQUEST, i64, &[]);
    if !ll.has_body(callee.value) {
        let here = ll.block();
        ll.set_linkage(callee.value, Linkage::LLVMInternalLinkage);
        ll.at_end(ll.append_block(callee.value, ""));
        // arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
        let constraints = "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
        let args = [158, 0x1023, 18].map(|n| ll.const_i64(n));
        ll.ret(Some(ll.assembly("syscall", constraints, i64, &args)));
        ll.at_end(here);
    }
    ll.call(callee, &[])
}

/// Where a tile lies, and the bytes from row to row
#[derive(Clone, Copy)]
struct Tile {
    at: V,
    stride: i64,
}

impl Job {
    fn bytes(e: &Emitter<'_>, from: V, offset: i64) -> V {
        e.ll.gep(e.ll.int(8), from, e.ll.const_i64(offset))
    }

    /// Groups of k in the right panel from a step on, if they are less than a tile
    fn left(&self, step: i64) -> Option<i64> {
        let left = self.sizes.groups[1] - step * ROWS;
        (left < ROWS).then_some(left)
    }

    fn lhs_tile(&self, e: &Emitter<'_>, step: i64, row: usize) -> Tile {
        let at = Self::bytes(e, self.lhs, (step * self.sizes.across[0] + row as i64 * ROWS) * ROW_BYTES);
        match (self.left(step), self.to) {
            // Zeros of the other panel take away integers, but not what may be infinite.
            (Some(groups), Elem::Float(_)) => {
                let wide = e.ll.vector(e.ll.int(32), ROWS as u32);
                let bit = |n: i64| e.ll.const_int(e.ll.int(32), if n < groups { -1 } else { 0 });
                let kept = e.ll.const_vector(&(0..ROWS).map(bit).collect::<Vec<_>>());
                let row = |n: i64| {
                    let row = e.ll.load(wide, Self::bytes(e, at, n * ROW_BYTES), 1);
                    e.ll.bin(Opcode::LLVMAnd, row, kept)
                };
                on_stack(e, row)
            }
            _ => Tile { at, stride: ROW_BYTES },
        }
    }

    fn rhs_tile(&self, e: &Emitter<'_>, step: i64, column: usize) -> Tile {
        let stride = self.sizes.across[1] * 4;
        let at = Self::bytes(e, self.rhs, step * ROWS * stride + column as i64 * ROW_BYTES);
        let Some(groups) = self.left(step) else { return Tile { at, stride } };
        let wide = e.ll.vector(e.ll.int(32), ROWS as u32);
        on_stack(e, |n| match n < groups {
            true => e.ll.load(wide, Self::bytes(e, at, n * stride), 1),
            false => e.ll.zero(wide),
        })
    }

    fn acc_tile(&self, e: &Emitter<'_>, row: usize, column: usize) -> Tile {
        let stride = self.sizes.n * 4;
        let at = row as i64 * ROWS * stride + column as i64 * ROW_BYTES;
        Tile { at: Self::bytes(e, self.acc, at), stride }
    }
}

/// A tile of these rows on the stack
fn on_stack(e: &Emitter<'_>, row: impl Fn(i64) -> V) -> Tile {
    let wide = e.ll.vector(e.ll.int(32), ROWS as u32);
    let at = e.slot(e.ll.array(wide, ROWS as u64));
    for n in 0..ROWS {
        e.ll.store(row(n), Job::bytes(e, at, n * ROW_BYTES), ROW_BYTES as u32);
    }
    Tile { at, stride: ROW_BYTES }
}

/// Shape of every tile: rows, and bytes of a row
fn shape(e: &Emitter<'_>) -> [V; 2] {
    [ROWS, ROW_BYTES].map(|n| e.ll.const_int(e.ll.int(16), n))
}

fn load(e: &Emitter<'_>, tile: Tile) -> V {
    let [rows, bytes] = shape(e);
    let args = [rows, bytes, tile.at, e.ll.const_i64(tile.stride)];
    e.ll.intrinsic("llvm.x86.tileloadd64.internal", &[], &args)
}

/// All products of tiles, a block of sums after the other
fn tiles(e: &Emitter<'_>, job: &Job, product: &str) {
    let [rows, bytes] = shape(e);
    let (m, n) = ((job.sizes.m / ROWS) as usize, (job.sizes.n / ROWS) as usize);
    let steps = (job.sizes.k * i64::from(job.from.bytes()) + ROW_BYTES - 1) / ROW_BYTES;
    // What a last step lacks is copied once for all blocks.
    let lhs: Vec<Vec<Tile>> =
        (0..steps).map(|step| (0..m).map(|row| job.lhs_tile(e, step, row)).collect()).collect();
    let rhs: Vec<Vec<Tile>> =
        (0..steps).map(|step| (0..n).map(|column| job.rhs_tile(e, step, column)).collect()).collect();
    for top in (0..m).step_by(BLOCK) {
        for first in (0..n).step_by(BLOCK) {
            let block: Vec<(usize, usize)> = (top..m.min(top + BLOCK))
                .flat_map(|row| (first..n.min(first + BLOCK)).map(move |column| (row, column)))
                .collect();
            let places: Vec<Tile> =
                block.iter().map(|(row, column)| job.acc_tile(e, *row, *column)).collect();
            let start = |tile: &Tile| match job.overwrites {
                true => e.ll.intrinsic("llvm.x86.tilezero.internal", &[], &[rows, bytes]),
                false => load(e, *tile),
            };
            let mut sums: Vec<V> = places.iter().map(start).collect();
            for (lhs, rhs) in lhs.iter().zip(&rhs) {
                let a: Vec<V> = lhs[top..m.min(top + BLOCK)].iter().map(|tile| load(e, *tile)).collect();
                let b: Vec<V> = rhs[first..n.min(first + BLOCK)].iter().map(|tile| load(e, *tile)).collect();
                for (sum, (row, column)) in sums.iter_mut().zip(&block) {
                    let args = [rows, bytes, bytes, *sum, a[row - top], b[column - first]];
                    *sum = e.ll.intrinsic(product, &[], &args);
                }
            }
            for (sum, tile) in sums.into_iter().zip(places) {
                let args = [rows, bytes, tile.at, e.ll.const_i64(tile.stride), sum];
                e.ll.intrinsic("llvm.x86.tilestored64.internal", &[], &args);
            }
        }
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
    let [left, right] = [left, right].map(|value| match floats {
        true => crate::bf16::extended(e, value, wide),
        false => ll.cast_if(Opcode::LLVMSExt, value, wide),
    });
    match floats {
        true => ll.intrinsic("llvm.fmuladd", &[wide], &[left, right, sum]),
        false => ll.add(sum, ll.mul(left, right)),
    }
}
