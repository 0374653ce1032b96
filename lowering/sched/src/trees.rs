//! Values of threads merged within a block: by exchanges of lanes, in shared memory, or by both.
//!
//! Neighbours are merged first, in the order of iterations, so that the operator need not commute. Lanes exchange words of
//! 32 and 64 bits in whole warps, and what is narrower as such words; everything else goes through shared memory. All members of a group get the result, also
//! those that have no iteration.

use crate::emit::Emit;
use crate::state::{Grid, Seat};
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_gpu as gpu;
use terrace_dialect_sched::{Level, LoopInfo, Mechanism, Operator};
use terrace_ir::{Builder, InsertPoint, NewOp, Type, TypeKind, Value};
use terrace_lowering_upstream::gpu_tree::{self, Count, Emits, Group};

/// Lanes of the narrowest warp that exchanges words
const LANES: i64 = 32;

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
            let part = if lanes || (span <= warp && warp % span == 0) { seat.size } else { warp };
            let inside = lanes || part == seat.size;
            let rows = seat.stride == 1 && seat.size % warp == 0;
            if inside || rows {
                let small = Seat { size: part, ..seat };
                let tuple = self.shuffle_tree(f, tuple, small, trip, &words);
                if inside {
                    return tuple;
                }
                // One value per warp is left, which all its lanes have.
                let (by, index) = (self.index(warp), self.cx.common().index);
                let id = self.value(arith::DivUI::DEF, &[seat.id, by], index, &[]);
                let size = seat.size / warp;
                self.declare(id, Range::below(size));
                if size <= 1 {
                    return tuple;
                }
                let warps = Seat { id, size, stride: warp };
                return self.shared_tree(f, &tuple, warps, (trip + warp - 1) / warp, false);
            }
        }
        self.shared_tree(f, tuple, seat, trip, lanes)
    }

    /// The type as which lanes exchange values of a type, if they can here
    fn word(&self, ty: Type) -> Option<Type> {
        let grid = self.grid.as_ref()?;
        let common = self.cx.common();
        let word = if ty == common.index { common.i64 } else { ty };
        let whole = grid.threads() % grid.subgroup.max(LANES) == 0;
        let word = match (word.kind(&self.cx), word.bit_width(&self.cx)?) {
            (TypeKind::Int { .. } | TypeKind::Float(_), 32 | 64) => word,
            (TypeKind::Int { .. }, 1 | 8 | 16) | (TypeKind::Float(_), 16) => common.i32,
            _ => return None,
        };
        whole.then_some(word)
    }

    /// A value as a word: what is narrower is extended by zeros
    fn word_of(&mut self, value: Value, word: Type) -> Value {
        let ty = self.ir.ty(value);
        if ty == word {
            return value;
        }
        if ty == self.cx.common().index {
            return self.value(arith::IndexCast::DEF, &[value], word, &[]);
        }
        let bits = ty.bit_width(&self.cx).filter(|_| ty.is_float(&self.cx));
        let number = match bits {
            Some(bits) => self.value(arith::Bitcast::DEF, &[value], self.cx.int(bits), &[]),
            None => value,
        };
        self.value(arith::ExtUI::DEF, &[number], word, &[])
    }

    /// A value of a type out of the word that it was made
    fn of_word(&mut self, value: Value, ty: Type) -> Value {
        if ty == self.ir.ty(value) {
            return value;
        }
        if ty == self.cx.common().index {
            return self.value(arith::IndexCast::DEF, &[value], ty, &[]);
        }
        match ty.bit_width(&self.cx).filter(|_| ty.is_float(&self.cx)) {
            Some(bits) => {
                let number = self.value(arith::TruncI::DEF, &[value], self.cx.int(bits), &[]);
                self.value(arith::Bitcast::DEF, &[number], ty, &[])
            }
            None => self.value(arith::TruncI::DEF, &[value], ty, &[]),
        }
    }

    /// A value of the lane that an offset gives
    fn shuffle(&mut self, mode: gpu::ShuffleMode, value: Value, offset: Value, word: Type) -> Value {
        let (ty, common) = (self.ir.ty(value), self.cx.common());
        let (i1, i32) = (common.i1, common.i32);
        let given = self.word_of(value, word);
        let warp = self.grid.as_ref().map_or(LANES, |grid| grid.subgroup.max(LANES));
        let width = self.constant(self.cx.int_attr(warp.into(), i32));
        let mode = mode.attr(&self.cx);
        let mut b = self.b();
        let kind = b.kind(gpu::Shuffle::DEF);
        let op = b.insert(&NewOp {
            operands: &[given, offset, width],
            results: &[word, i1],
            slots: &[Some(mode)],
            ..NewOp::new(kind)
        });
        if let Some(grid) = &mut self.grid {
            grid.exchanges += 1;
        }
        let got = self.ir.result(op, 0);
        self.of_word(got, ty)
    }

    /// Values of `trip` members of a group that lies in one warp; `seat.size` members are there
    fn shuffle_tree(
        &mut self,
        f: &Operator,
        tuple: &[Value],
        seat: Seat,
        trip: i64,
        words: &[Type],
    ) -> Vec<Value> {
        let (common, mut tuple) = (*self.cx.common(), tuple.to_vec());
        let exchange = |e: &mut Self, mode: gpu::ShuffleMode, tuple: &[Value], offset: Value| {
            let components = tuple.iter().zip(words);
            components.map(|(value, word)| e.shuffle(mode, *value, offset, *word)).collect::<Vec<Value>>()
        };
        let offset = |e: &mut Self, distance: i64| {
            let attr = e.cx.int_attr((distance * seat.stride).into(), common.i32);
            e.constant(attr)
        };
        // Of more than one warp: each has its part of the iterations.
        let within = self.range(seat.id).max() < seat.size;
        let full = if within { trip == seat.size } else { trip % seat.size == 0 };
        let commutes = self.commutes(f);
        if full && commutes && seat.size & (seat.size - 1) == 0 {
            let mut distance = 1;
            while distance < seat.size {
                let step = offset(self, distance);
                let other = exchange(self, gpu::ShuffleMode::Xor, &tuple, step);
                tuple = self.merge_tuples(f, &tuple, &other);
                distance *= 2;
            }
            return tuple;
        }
        let mut id = seat.id;
        if !within {
            let size = self.index(seat.size);
            id = self.value(arith::RemUI::DEF, &[id, size], common.index, &[]);
            self.declare(id, Range::below(seat.size));
        }
        let mut distance = 1;
        while distance < seat.size.min(trip) {
            let step = offset(self, distance);
            let other = exchange(self, gpu::ShuffleMode::Down, &tuple, step);
            let (zero, width) = (self.index(0), self.index(2 * distance));
            let rest = self.value(arith::RemUI::DEF, &[id, width], common.index, &[]);
            let mut works = self.compare(CmpIPredicate::Eq, rest, zero);
            if !full || seat.size % (2 * distance) != 0 {
                // The partner is there, and in the same group.
                let last = self.index(trip - distance);
                let partner = self.compare(CmpIPredicate::Slt, seat.id, last);
                works = self.both(Some(works), Some(partner)).unwrap_or(works);
            }
            tuple = self.merge_if(f, works, &tuple, &other);
            distance *= 2;
        }
        // All read the first one's.
        let lane = self.hardware_lane();
        let stride = self.index(seat.stride);
        let own = self.value(arith::MulI::DEF, &[id, stride], common.index, &[]);
        let first = self.value(arith::SubI::DEF, &[lane, own], common.index, &[]);
        let first = self.value(arith::IndexCast::DEF, &[first], common.i32, &[]);
        exchange(self, gpu::ShuffleMode::Idx, &tuple, first)
    }

    /// `a ⊕ b` where it holds, else `a`
    fn merge_if(&mut self, f: &Operator, works: Value, a: &[Value], b: &[Value]) -> Vec<Value> {
        if let (Operator::Builtin(_), [a], [b]) = (f, a, b) {
            let both = self.merge(f, *a, *b, None);
            return vec![self.value(arith::Select::DEF, &[works, both, *a], self.ir.ty(*a), &[])];
        }
        // A function is not called on what no iteration has given.
        let types: Vec<Type> = a.iter().map(|value| self.ir.ty(*value)).collect();
        let done = self.choose(works, &types, &mut |e| Ok(e.merge_tuples(f, a, b)), &mut |_| Ok(a.to_vec()));
        done.unwrap_or_else(|_| a.to_vec())
    }

    /// Number of this thread among those that exchange words
    fn hardware_lane(&mut self) -> Value {
        let (threads, warp) =
            self.grid.as_ref().map_or((1, LANES), |grid| (grid.threads(), grid.subgroup.max(LANES)));
        let linear = self.linear_id();
        if threads <= warp {
            return linear;
        }
        let (by, index) = (self.index(warp), self.cx.common().index);
        let lane = self.value(arith::RemUI::DEF, &[linear, by], index, &[]);
        self.declare(lane, Range::below(warp));
        lane
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
        let space = gpu::AddressSpace::Workgroup.attr(&self.cx);
        let shape = [threads];
        let mut buffers = Vec::with_capacity(tuple.len());
        for value in tuple {
            let (elem, shape) = (self.ir.ty(*value), shape[..].into());
            let ty = self.cx.ty(TypeKind::MemRef { shape, elem, layout: None, space: Some(space) });
            let Some(buffer) = self.block_buffer(ty) else { return tuple.to_vec() };
            buffers.push(buffer);
        }
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
        let group = Group { here, id: seat.id, stride: seat.stride, count, whole };
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
