//! Values of threads merged within a block: by exchanges of lanes, in shared memory, or by both.
//!
//! Whole warps exchange values among their lanes ([`shuffles`](crate::shuffles)): first those of each warp, then, behind one barrier, one value for
//! each warp. Everything else is a tree in shared memory. All members of a group get the result, also those that have no iteration.

use crate::emit::Emit;
use crate::shuffles::{LANES, Needs};
use crate::state::{Grid, Seat};
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::{Level, LoopInfo, Mechanism, Operator};
use terrace_ir::{Builder, InsertPoint, Type, TypeKind, Value};
use terrace_lowering_upstream::gpu_tree::{self, Count, Emits, Group};

impl Emit<'_> {
    /// What a loop's iterations give, merged: by the mechanism it says, or its level's
    pub fn meet(&mut self, info: &LoopInfo, f: &Operator, tuple: &[Value], seat: Seat) -> Vec<Value> {
        if seat.size <= 1 {
            return tuple.to_vec();
        }
        let lanes = matches!(info.level, Level::Lane(_));
        let shuffle = match info.via {
            Mechanism::Shuffle => lanes || matches!(info.level, Level::Thread(_)),
            Mechanism::Auto => lanes,
            _ => false,
        };
        let trip = info.trip();
        let words: Option<Vec<Type>> = tuple.iter().map(|value| self.word(self.ir.ty(*value))).collect();
        if let Some(words) = words.filter(|_| shuffle) {
            let warp = self.grid.as_ref().map_or(1, |grid| grid.subgroup);
            let span = seat.stride.saturating_mul(seat.size);
            let inside = lanes || (span <= warp && warp % span == 0);
            let part = if inside { seat.size } else { warp };
            let rows = seat.stride == 1 && seat.size % warp == 0;
            if inside || rows {
                let small = Seat { size: part, ..seat };
                let needs = if inside { Needs::All } else { Needs::First };
                let tuple = self.shuffle_tree(f, tuple, (small, trip), &words, needs);
                if inside || seat.size <= warp {
                    return tuple;
                }
                return self.warps_tree(f, &tuple, (seat, trip), &words);
            }
        }
        self.shared_tree(f, tuple, seat, trip, lanes)
    }

    /// What the first lanes of a group's warps have, merged: they leave it in shared memory, and each warp's lanes exchange it
    fn warps_tree(
        &mut self,
        f: &Operator,
        tuple: &[Value],
        (seat, trip): (Seat, i64),
        words: &[Type],
    ) -> Vec<Value> {
        let (threads, warp) =
            self.grid.as_ref().map_or((1, 1), |grid| (grid.threads(), grid.subgroup.max(1)));
        let (size, count) = (seat.size / warp, (trip + warp - 1) / warp);
        let seats = (size as u64).next_power_of_two() as i64;
        if warp < LANES || seats > warp {
            // Lanes of a warp are too few to have one value for each.
            let id = self.warp_of_group(seat, warp);
            let stride = Seat { id, size, stride: warp };
            return self.shared_tree(f, tuple, stride, count, false);
        }
        let Some(buffers) = self.tree_buffers(tuple, threads / warp) else { return tuple.to_vec() };
        self.barrier_between_rounds();
        let (lane, number, index) = (self.lane_number(), self.warp_number(), self.cx.common().index);
        let zero = self.index(0);
        let first = self.compare(CmpIPredicate::Eq, lane, zero);
        let mut store = |e: &mut Self| {
            for (value, buffer) in tuple.iter().zip(&buffers) {
                memref::Store::build(&mut e.b(), *value, *buffer, &[number]);
            }
            Ok(Vec::new())
        };
        let _ = self.choose(first, &[], &mut store, &mut |_| Ok(Vec::new()));
        gpu::Barrier::build(&mut self.b());
        let id = self.modulo(lane, seats);
        let member = match count < seats {
            true => {
                let last = self.index(count - 1);
                self.value(arith::MinUI::DEF, &[id, last], index, &[])
            }
            false => id,
        };
        let place = match threads / warp == size {
            true => member,
            false => {
                let own = self.warp_of_group(seat, warp);
                let before = self.value(arith::SubI::DEF, &[number, own], index, &[]);
                self.value(arith::AddI::DEF, &[before, member], index, &[])
            }
        };
        let all: Vec<Value> = buffers
            .iter()
            .zip(tuple)
            .map(|(buffer, value)| {
                let ty = self.ir.ty(*value);
                self.value(memref::Load::DEF, &[*buffer, place], ty, &[])
            })
            .collect();
        self.passed_barriers();
        let lanes = Seat { id, size: seats, stride: 1 };
        self.shuffle_tree(f, &all, (lanes, count), words, Needs::All)
    }

    /// Number of this thread's warp among those of its group
    fn warp_of_group(&mut self, seat: Seat, warp: i64) -> Value {
        let (by, index) = (self.index(warp), self.cx.common().index);
        let id = self.value(arith::DivUI::DEF, &[seat.id, by], index, &[]);
        self.declare(id, Range::below(seat.size / warp));
        id
    }

    /// A buffer of the block for each component
    fn tree_buffers(&mut self, tuple: &[Value], elements: i64) -> Option<Vec<Value>> {
        let space = gpu::AddressSpace::Workgroup.attr(&self.cx);
        let buffer = |value: &Value| {
            let (elem, shape) = (self.ir.ty(*value), [elements][..].into());
            let ty = self.cx.ty(TypeKind::MemRef { shape, elem, layout: None, space: Some(space) });
            self.block_buffer(ty)
        };
        tuple.iter().map(buffer).collect()
    }

    /// The same in shared memory: any group, all threads of the block come
    fn shared_tree(
        &mut self,
        f: &Operator,
        tuple: &[Value],
        seat: Seat,
        trip: i64,
        lanes: bool,
    ) -> Vec<Value> {
        let Some(threads) = self.grid.as_ref().map(Grid::threads) else { return tuple.to_vec() };
        let Some(buffers) = self.tree_buffers(tuple, threads) else { return tuple.to_vec() };
        self.barrier_between_rounds();
        let here = self.linear_id();
        let others = trip < seat.size;
        // Of lanes that fill no group, partners would be another warp's, or absent.
        let (number, all) = match lanes {
            true => (self.lane_number(), self.grid.as_ref().map_or(1, |grid| grid.subgroup)),
            false => (here, threads),
        };
        let span = seat.stride.saturating_mul(seat.size).max(1);
        let whole = (all % span != 0).then(|| {
            let last = self.index(all / span * span);
            self.compare(CmpIPredicate::Slt, number, last)
        });
        let count = Count::Known(trip, others);
        let commutes = self.commutes(f);
        let group = Group { here, id: seat.id, stride: seat.stride, count, commutes, whole };
        let merge = |e: &mut Emit<'_>, a: &[Value], b: &[Value]| e.merge_tuples(f, a, b);
        let merged = gpu_tree::shared_tree(self, group, tuple, &buffers, &merge);
        self.passed_barriers();
        merged
    }
}

impl Emits for Emit<'_> {
    fn b(&mut self) -> Builder<'_> {
        self.b()
    }

    fn at(&mut self) -> &mut InsertPoint {
        &mut self.at
    }

    fn number(&mut self, value: i64) -> Value {
        self.index(value)
    }
}
