//! Values of threads merged in shared memory, by a tree: what lowerings of reductions emit.
//!
//! Each thread stores its value at its number in the block, and rounds merge values at a distance. Where the operator commutes, the first
//! distance is the greatest power of two below the number of members, which folds the remainder onto it, and each further one is half of
//! the one before (sequential addressing): the members that work are the first ones, next to each other. Other operators merge neighbours, at
//! distances 1, 2, 4, …, which keeps the order of the values. All read what the first member of their group has. Barriers separate rounds;
//! a user of the buffer puts one before it uses it again. All threads of the block must come.

use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_gpu::Barrier;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::{Builder, InsertPoint, NewOp, OpDef, Type, Value};

/// Who emits at a place
pub trait Emits {
    /// A builder at the current place
    fn b(&mut self) -> Builder<'_>;
    /// The current place
    fn at(&mut self) -> &mut InsertPoint;
    /// An index constant
    fn number(&mut self, value: i64) -> Value;
}

/// Emits `a ⊕ b` of tuples
pub type Merge<'m, E> = dyn Fn(&mut E, &[Value], &[Value]) -> Vec<Value> + 'm;

/// Threads whose values are merged
#[derive(Clone, Copy)]
pub struct Group {
    /// Number of the thread in its block
    pub here: Value,
    /// Number of the thread in its group
    pub id: Value,
    /// Threads from one member to the next
    pub stride: i64,
    /// Members
    pub count: Count,
    /// Does the operator commute?
    pub commutes: bool,
    /// Whether the thread's group is whole, where some are not: their values are not used
    pub whole: Option<Value>,
}

/// How many members a group has
#[derive(Clone, Copy)]
pub enum Count {
    /// A number that is known, and whether there are threads with greater numbers
    Known(i64, bool),
    /// A value of at most this
    Value(Value, i64),
}

fn value<E: Emits>(e: &mut E, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
    let mut b = e.b();
    let kind = b.kind(def);
    let op = b.insert(&NewOp { operands, results: &[ty], ..NewOp::new(kind) });
    b.read().result(op, 0)
}

fn compare<E: Emits>(e: &mut E, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
    let mut builder = e.b();
    let op = arith::CmpI::build(&mut builder, a, b, predicate);
    op.result(builder.read())
}

/// A tree in one buffer
struct Tree<'m, E> {
    group: Group,
    types: Vec<Type>,
    /// One for each component
    buffers: &'m [Value],
    merge: &'m Merge<'m, E>,
}

/// The greatest power of two below a number of members; 0 for one of them
pub fn half(count: i64) -> i64 {
    match count {
        2.. => 1 << (63 - (count - 1).leading_zeros()),
        _ => 0,
    }
}

/// What all members of a thread's group have given, merged; a buffer for each component
pub fn shared_tree<E: Emits>(
    e: &mut E,
    group: Group,
    given: &[Value],
    buffers: &[Value],
    merge: &Merge<'_, E>,
) -> Vec<Value> {
    let b = e.b();
    let types = given.iter().map(|value| b.read().ty(*value)).collect();
    let index = b.cx().common().index;
    let tree = Tree { group, types, buffers, merge };
    tree.store(e, given);
    Barrier::build(&mut e.b());
    match group.count {
        Count::Known(count, _) if group.commutes => {
            let mut distance = half(count);
            while distance > 0 {
                tree.sequential_round(e, count, distance);
                distance /= 2;
            }
        }
        Count::Known(count, _) => {
            let mut distance = 1;
            while distance < count {
                tree.round(e, distance);
                distance *= 2;
            }
        }
        Count::Value(count, most) => tree.rounds_of(e, count, most),
    }
    let first = match group.stride {
        1 if group.here == group.id => e.number(0),
        stride => {
            let stride = e.number(stride);
            let own = value(e, arith::MulI::DEF, &[group.id, stride], index);
            value(e, arith::SubI::DEF, &[group.here, own], index)
        }
    };
    tree.load(e, first)
}

/// A condition, and another if there is one
fn both<E: Emits>(e: &mut E, condition: Value, other: Option<Value>) -> Value {
    let Some(other) = other else { return condition };
    let bit = e.b().cx().common().i1;
    value(e, arith::AndI::DEF, &[condition, other], bit)
}

impl<E: Emits> Tree<'_, E> {
    /// A tuple to this thread's place
    fn store(&self, e: &mut E, tuple: &[Value]) {
        for (value, buffer) in tuple.iter().zip(self.buffers) {
            memref::Store::build(&mut e.b(), *value, *buffer, &[self.group.here]);
        }
    }

    /// The tuple of a thread
    fn load(&self, e: &mut E, at: Value) -> Vec<Value> {
        let components = self.buffers.iter().zip(&self.types);
        components.map(|(buffer, ty)| value(e, memref::Load::DEF, &[*buffer, at], *ty)).collect()
    }

    /// Rounds as a loop: the number of members is a value
    fn rounds_of(&self, e: &mut E, count: Value, most: i64) {
        let group = self.group;
        let index = e.b().cx().common().index;
        let rounds = i64::from(64 - (most.max(1) - 1).leading_zeros());
        let (zero, one, rounds) = (e.number(0), e.number(1), e.number(rounds));
        let farthest = e.number(half(most));
        let mut b = e.b();
        let kind = b.kind(scf::For::DEF);
        let rounds = b.insert(&NewOp { operands: &[zero, rounds, one], regions: 1, ..NewOp::new(kind) });
        let region = b.read().region(rounds, 0);
        let body = b.ir().append_block(region);
        let round = b.ir().add_block_arg(body, index);
        let back = std::mem::replace(e.at(), InsertPoint::End(body));
        let (distance, first) = if group.commutes {
            let distance = value(e, arith::ShRUI::DEF, &[farthest, round], index);
            (distance, compare(e, CmpIPredicate::Slt, group.id, distance))
        } else {
            let distance = value(e, arith::ShLI::DEF, &[one, round], index);
            let width = value(e, arith::ShLI::DEF, &[distance, one], index);
            let rest = value(e, arith::RemUI::DEF, &[group.id, width], index);
            (distance, compare(e, CmpIPredicate::Eq, rest, zero))
        };
        let next = value(e, arith::AddI::DEF, &[group.id, distance], index);
        let there = compare(e, CmpIPredicate::Slt, next, count);
        let bit = e.b().cx().common().i1;
        let works = value(e, arith::AndI::DEF, &[first, there], bit);
        let works = both(e, works, group.whole);
        let step = match group.stride {
            1 => distance,
            stride => {
                let stride = e.number(stride);
                value(e, arith::MulI::DEF, &[distance, stride], index)
            }
        };
        self.merge(e, works, step);
        scf::Yield::build(&mut e.b(), &[]);
        *e.at() = back;
    }

    /// The first members, each with the one at a distance that is known; behind them there are at most as many
    fn sequential_round(&self, e: &mut E, count: i64, distance: i64) {
        let group = self.group;
        let members = e.number(distance.min(count - distance));
        let works = compare(e, CmpIPredicate::Slt, group.id, members);
        let works = both(e, works, group.whole);
        let step = e.number(distance * group.stride);
        self.merge(e, works, step);
    }

    /// Neighbours at a distance that is known
    fn round(&self, e: &mut E, distance: i64) {
        let group = self.group;
        let Count::Known(count, others) = group.count else { return };
        let (width, zero) = (e.number(2 * distance), e.number(0));
        let (index, bit) = (e.b().cx().common().index, e.b().cx().common().i1);
        let rest = value(e, arith::RemUI::DEF, &[group.id, width], index);
        let mut works = compare(e, CmpIPredicate::Eq, rest, zero);
        if others || count % (2 * distance) != 0 {
            let last = e.number(count - distance);
            let partner = compare(e, CmpIPredicate::Slt, group.id, last);
            works = value(e, arith::AndI::DEF, &[works, partner], bit);
        }
        let works = both(e, works, group.whole);
        let step = e.number(distance * group.stride);
        self.merge(e, works, step);
    }

    /// Those that work merge what is so many threads further on; then all wait
    fn merge(&self, e: &mut E, works: Value, step: Value) {
        let group = self.group;
        let index = e.b().cx().common().index;
        let mut b = e.b();
        let kind = b.kind(scf::If::DEF);
        let branch = b.insert(&NewOp { operands: &[works], regions: 2, ..NewOp::new(kind) });
        let region = b.read().region(branch, 0);
        let then = b.ir().append_block(region);
        let back = std::mem::replace(e.at(), InsertPoint::End(then));
        let there = value(e, arith::AddI::DEF, &[group.here, step], index);
        let (left, right) = (self.load(e, group.here), self.load(e, there));
        let both = (self.merge)(e, &left, &right);
        self.store(e, &both);
        scf::Yield::build(&mut e.b(), &[]);
        *e.at() = back;
        Barrier::build(&mut e.b());
    }
}
