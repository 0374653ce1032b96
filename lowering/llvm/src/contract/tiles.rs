//! Sums of products in the tile registers of AMX.
//!
//! A tile register has 16 rows of 64 bytes. One instruction multiplies a tile of the left panel with one of the right panel, whose
//! rows are groups of 4 bytes per column, and adds to a tile of 32-bit sums. Groups that a last tile lacks are zeros, in a
//! copy on the stack. Linux grants tile registers to a process on request: a function requests them when it starts, and computes
//! in lanes where that is refused.

use super::Job;
use crate::emit::Emitter;
use crate::form::Elem;
use crate::raw::{Linkage, Opcode, V};
use terrace_devices::MatrixUnit;

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

/// The instruction on tiles that computes it, if the processor has one and the panels are laid out for it
pub(super) fn product(e: &Emitter<'_>, job: &Job) -> Option<&'static str> {
    let units = job.units(e);
    let name = match job.unsigned {
        _ if units.contains(&MatrixUnit::AmxBf16) => "llvm.x86.tdpbf16ps.internal",
        unsigned if units.contains(&MatrixUnit::AmxInt8) => match unsigned {
            [false, false] => "llvm.x86.tdpbssd.internal",
            [false, true] => "llvm.x86.tdpbsud.internal",
            [true, false] => "llvm.x86.tdpbusd.internal",
            [true, true] => "llvm.x86.tdpbuud.internal",
        },
        _ => return None,
    };
    let linux = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    let (sizes, bytes) = (job.sizes, i64::from(job.from.bytes()));
    let laid_out = sizes.group.map(|group| group * bytes) == [ROW_BYTES, 4];
    let whole = sizes.m % ROWS == 0 && sizes.n % ROWS == 0;
    let products = (sizes.k * bytes).div_euclid(ROW_BYTES) * (sizes.m / ROWS) * (sizes.n / ROWS);
    (linux && laid_out && whole && products <= MOST_PRODUCTS).then_some(name)
}

/// Request tile registers of the system: 0 if they are granted
pub(super) fn request(e: &Emitter<'_>) -> V {
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
pub(super) fn emit(e: &Emitter<'_>, job: &Job, product: &str) {
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
