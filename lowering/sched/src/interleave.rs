//! Writes of lanes that fill groups of neighbors: vectors are interleaved by shuffles and stored whole.
//!
//! ```mlir
//! sched.for (%j in 16 by 1 : vector) {
//!   write %a, P[%i, %j, 0]
//!   write %b, P[%i, %j, 1]
//! }
//! // becomes: %a and %b interleaved, two stores of 16 elements
//! ```
//!
//! One by one, each lane of each write is a store.

use crate::emit::Emit;
use crate::indices::IndexExprs;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::Write;
use terrace_dialect_vector as vector;
use terrace_ir::{DYNAMIC, OpId, TypeKind, Value};
use terrace_schedule_model::nest::APART;
use terrace_support::affine::AffineExpr;

impl Emit<'_> {
    /// Store the groups that a write is one of, if there are some; the first of their writes does it for all
    pub fn write_in_group(&mut self, op: OpId, memory: Value, place: &IndexExprs) -> bool {
        let Some(number) = place.exprs.last().and_then(AffineExpr::as_constant) else { return false };
        if !place.is_group(number) || number < 0 || self.grid.is_some() {
            return false;
        }
        let mut first = op;
        for _ in 0..number.min(APART) {
            match self.ir.prev(first) {
                Some(before) => first = before,
                None => return false,
            }
        }
        let Some(values) = self.group_from(first, memory, place) else { return false };
        if first == op {
            self.write_group(values, memory, place);
        }
        true
    }

    /// What is written by the writes of a group, of which an op is the first one
    fn group_from(&mut self, first: OpId, memory: Value, place: &IndexExprs) -> Option<Vec<Value>> {
        let lanes = self.lanes.filter(|lanes| lanes.mask.is_none())?;
        let TypeKind::MemRef { shape, layout: None, .. } = self.ir.ty(memory).kind(&self.cx) else {
            return None;
        };
        let [.., columns, size] = shape[..] else { return None };
        if columns == DYNAMIC || !matches!(size, 2 | APART) || lanes.width % size != 0 {
            return None;
        }
        let buffer = Write::cast(self.ir, first)?.memref(self.ir);
        let (mut next, mut values) = (Some(first), Vec::new());
        for n in 0..size {
            let write = Write::cast(self.ir, next?)?;
            let at = write.access(self.ir);
            let other = self.place(&at.map, &at.values);
            let plain = write.operator(self.ir).is_none() && write.clip(self.ir).is_none();
            if !plain || write.memref(self.ir) != buffer || !other.is_group(n) || !other.shares_group(place) {
                return None;
            }
            let val = self.get(write.value(self.ir));
            values.push(val);
            next = self.ir.next(write.id());
        }
        Some(values.into_iter().map(|val| self.vector(val, lanes.width)).collect())
    }

    /// Store a group's vectors
    fn write_group(&mut self, values: Vec<Value>, memory: Value, place: &IndexExprs) {
        let size = values.len() as i64;
        let width = self.lanes.map_or(1, |lanes| lanes.width);
        let view = self.joined(memory);
        let mut indices = self.address(memory, place);
        indices.pop();
        let Some(column) = indices.pop() else { return };
        let (index, size) = (self.cx.common().index, self.index(size));
        let start = self.value(arith::MulI::DEF, &[column, size], index, &[]);
        for (n, value) in self.interleaved(values, width).into_iter().enumerate() {
            let mut at = indices.clone();
            let by = self.index(n as i64 * width);
            at.push(match n {
                0 => start,
                _ => self.value(arith::AddI::DEF, &[start, by], index, &[]),
            });
            vector::Store::build(&mut self.b(), value, view, &at);
        }
    }

    /// A buffer with its last two dimensions as one
    fn joined(&mut self, memory: Value) -> Value {
        let TypeKind::MemRef { shape, elem, space, .. } = self.ir.ty(memory).kind(&self.cx) else {
            return memory;
        };
        let (mut shape, elem, space) = (shape.to_vec(), *elem, *space);
        let last = shape.pop().unwrap_or(1);
        let groups: Vec<Vec<i64>> = (0..shape.len() as i64)
            .map(|dim| if dim + 1 == shape.len() as i64 { vec![dim, dim + 1] } else { vec![dim] })
            .collect();
        if let Some(columns) = shape.last_mut() {
            *columns *= last;
        }
        let ty = self.cx.ty(TypeKind::MemRef { shape: shape[..].into(), elem, layout: None, space });
        let number = |n: &i64| self.cx.int_attr((*n).into(), self.cx.common().i64);
        let group = |group: &Vec<i64>| self.cx.array_attr(&group.iter().map(number).collect::<Vec<_>>());
        let groups = self.cx.array_attr(&groups.iter().map(group).collect::<Vec<_>>());
        self.value(memref::CollapseShape::DEF, &[memory], ty, &[Some(groups)])
    }

    /// First elements of all vectors, then second ones, and so on, in as many vectors; their number is a power of two
    fn interleaved(&mut self, values: Vec<Value>, width: i64) -> Vec<Value> {
        if values.len() < 2 {
            return values;
        }
        let half = |start: usize| values.iter().copied().skip(start).step_by(2).collect();
        let (even, odd): (Vec<Value>, Vec<Value>) = (half(0), half(1));
        let (even, odd) = (self.interleaved(even, width), self.interleaved(odd, width));
        let mut all = Vec::new();
        for pair in even.into_iter().zip(odd) {
            for first in [0, width / 2] {
                let places: Vec<i64> = (0..width).map(|n| first + n / 2 + n % 2 * width).collect();
                let (ty, mask) = (self.ir.ty(pair.0), self.cx.i64_array(&places));
                all.push(self.value(vector::Shuffle::DEF, &[pair.0, pair.1], ty, &[Some(mask)]));
            }
        }
        all
    }
}

impl IndexExprs {
    /// Do lanes follow each other in the index before the last, which is this constant?
    fn is_group(&self, n: i64) -> bool {
        let [others @ .., columns, last] = &self.exprs[..] else { return false };
        self.opaque.is_empty()
            && *last == AffineExpr::Constant(n)
            && self.lanes_in(columns) == Some(1)
            && others.iter().all(|expr| self.lanes_in(expr) == Some(0))
    }

    /// Same place but for the last index?
    fn shares_group(&self, other: &IndexExprs) -> bool {
        let most = |place: &IndexExprs| place.exprs.len() - 1;
        self.variables() == other.variables() && self.exprs[..most(self)] == other.exprs[..most(other)]
    }
}
