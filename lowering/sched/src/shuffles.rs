//! Values of lanes merged by exchanges within a warp.
//!
//! Lanes exchange words of 32 and 64 bits in whole warps, and what is narrower as such words. Where the operator commutes the lanes that other
//! distances leave over are folded first, then lanes exchange values at half the distance each time; other operators merge neighbours.

use crate::emit::Emit;
use crate::state::Seat;
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_gpu as gpu;
use terrace_dialect_sched::Operator;
use terrace_ir::{NewOp, Type, TypeKind, Value};
use terrace_lowering_upstream::gpu_tree::half;

/// Lanes of the narrowest warp that exchanges words
pub(crate) const LANES: i64 = 32;

/// Which lanes of a group need what all have given
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    All,
    First,
}

/// A group of lanes of one warp, or of several that each have a part of the iterations
struct Members<'a> {
    f: &'a Operator,
    seat: Seat,
    /// Number of the lane in its warp's part of the group
    id: Value,
    /// Iterations of the whole group
    trip: i64,
    /// The type as which each component is exchanged
    words: &'a [Type],
}

impl Emit<'_> {
    /// Values of `trip` members of a group that lies in one warp; `seat.size` members are there
    pub fn shuffle_tree(
        &mut self,
        f: &Operator,
        tuple: &[Value],
        (seat, trip): (Seat, i64),
        words: &[Type],
        needs: Needs,
    ) -> Vec<Value> {
        // Of more than one warp: each has its part of the iterations.
        let within = self.range(seat.id).max() < seat.size;
        let full = if within { trip == seat.size } else { trip % seat.size == 0 };
        let commutes = self.commutes(f);
        let mut id = seat.id;
        let power = |number: i64| number & (number - 1) == 0;
        let exchanges = commutes && power(seat.size) && power(seat.stride);
        if !(full && exchanges) {
            id = self.modulo(id, seat.size);
        }
        let lanes = Members { f, seat, id, trip, words };
        let tuple = if full && exchanges {
            return self.exchanges(&lanes, tuple.to_vec(), seat.size / 2);
        } else if commutes {
            let first = half(seat.size.min(trip));
            let tuple = self.fold_far(&lanes, tuple.to_vec(), first);
            // The lanes below that distance all have values of iterations, if these are one warp's.
            match within && exchanges {
                true => self.exchanges(&lanes, tuple, first / 2),
                false => self.fold_all(&lanes, tuple, first / 2),
            }
        } else {
            self.neighbours(&lanes, tuple.to_vec(), full)
        };
        if needs == Needs::First {
            return tuple;
        }
        let lane = self.hardware_lane();
        let (stride, common) = (self.index(seat.stride), *self.cx.common());
        let own = self.value(arith::MulI::DEF, &[id, stride], common.index, &[]);
        let first = self.value(arith::SubI::DEF, &[lane, own], common.index, &[]);
        let first = self.value(arith::IndexCast::DEF, &[first], common.i32, &[]);
        self.received(&lanes, gpu::ShuffleMode::Idx, &tuple, first)
    }

    /// All lanes of a power of two have what they all have given
    fn exchanges(&mut self, lanes: &Members<'_>, mut tuple: Vec<Value>, mut distance: i64) -> Vec<Value> {
        while distance > 0 {
            let other = self.at_distance(lanes, gpu::ShuffleMode::Xor, &tuple, distance);
            tuple = self.merge_tuples(lanes.f, &tuple, &other);
            distance /= 2;
        }
        tuple
    }

    /// The lanes below a distance, each with the one that far away, if that has an iteration
    fn fold_far(&mut self, lanes: &Members<'_>, tuple: Vec<Value>, distance: i64) -> Vec<Value> {
        if distance == 0 {
            return tuple;
        }
        let other = self.at_distance(lanes, gpu::ShuffleMode::Down, &tuple, distance);
        let (size, there) = (lanes.seat.size, lanes.trip - distance);
        let whole = lanes.id == lanes.seat.id;
        let near = distance.min(size - distance).min(if whole { there } else { size });
        let near = self.index(near);
        let mut works = self.compare(CmpIPredicate::Slt, lanes.id, near);
        if !whole {
            let there = self.index(there);
            let there = self.compare(CmpIPredicate::Slt, lanes.seat.id, there);
            works = self.both(Some(works), Some(there)).unwrap_or(works);
        }
        self.merge_if(lanes.f, works, &tuple, &other)
    }

    fn fold_all(&mut self, lanes: &Members<'_>, mut tuple: Vec<Value>, mut distance: i64) -> Vec<Value> {
        while distance > 0 {
            tuple = self.fold_far(lanes, tuple, distance);
            distance /= 2;
        }
        tuple
    }

    /// The first lane has what all have given, in their order
    fn neighbours(&mut self, lanes: &Members<'_>, mut tuple: Vec<Value>, full: bool) -> Vec<Value> {
        let (seat, index) = (lanes.seat, self.cx.common().index);
        let mut distance = 1;
        while distance < seat.size.min(lanes.trip) {
            let other = self.at_distance(lanes, gpu::ShuffleMode::Down, &tuple, distance);
            let (zero, width) = (self.index(0), self.index(2 * distance));
            let rest = self.value(arith::RemUI::DEF, &[lanes.id, width], index, &[]);
            let mut works = self.compare(CmpIPredicate::Eq, rest, zero);
            if !full || seat.size % (2 * distance) != 0 {
                // The partner is there, and in the same group.
                let last = self.index(lanes.trip - distance);
                let partner = self.compare(CmpIPredicate::Slt, seat.id, last);
                works = self.both(Some(works), Some(partner)).unwrap_or(works);
            }
            tuple = self.merge_if(lanes.f, works, &tuple, &other);
            distance *= 2;
        }
        tuple
    }

    fn at_distance(
        &mut self,
        lanes: &Members<'_>,
        mode: gpu::ShuffleMode,
        tuple: &[Value],
        distance: i64,
    ) -> Vec<Value> {
        let attr = self.cx.int_attr((distance * lanes.seat.stride).into(), self.cx.common().i32);
        let offset = self.constant(attr);
        self.received(lanes, mode, tuple, offset)
    }

    fn received(
        &mut self,
        lanes: &Members<'_>,
        mode: gpu::ShuffleMode,
        tuple: &[Value],
        offset: Value,
    ) -> Vec<Value> {
        let components = tuple.iter().zip(lanes.words);
        components.map(|(value, word)| self.shuffle(mode, *value, offset, *word)).collect()
    }

    /// The type as which lanes exchange values of a type, if they can here
    pub fn word(&self, ty: Type) -> Option<Type> {
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

    /// A number modulo a size; itself where it is smaller
    pub fn modulo(&mut self, number: Value, size: i64) -> Value {
        if self.range(number).max() < size {
            return number;
        }
        let by = self.index(size);
        let rest = self.value(arith::RemUI::DEF, &[number, by], self.cx.common().index, &[]);
        self.declare(rest, Range::below(size));
        rest
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
}
