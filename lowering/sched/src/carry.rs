//! Rows of lanes that are shifted against each other by less than a vector: read once, the others cut out of two neighbors.
//!
//! Where vectors are as long as a cache's line, nearly each shifted read touches two lines. So in a `cc` loop that goes along a row
//! vector by vector, what reads marked [`CARRIED`] read of one row is cut (`vector.shuffle`) out of two vectors: the first of
//! them, and the one that the next iteration begins with, which is handed on to it. The last iteration has no next one: it reads as
//! it is written. Iterations of a `cc` loop touch different places or only read, so that reading for the next one before this one
//! writes is not visible from outside; within an iteration reads must come first.

use crate::emit::{Emit, Res};
use crate::indices::IndexExprs;
use crate::state::{Shifted, Sum};
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_dialect_sched::{CARRIED, Combination, LoopInfo};
use terrace_dialect_vector as vector;
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, InsertPoint, OpId, Traits, Value, ValueDef};

/// Reads of one row: the constants that they start at are less than a vector apart
struct Row {
    first: OpId,
    least: i64,
    loads: Vec<(OpId, i64)>,
}

/// A loop that has just been written: two iterations or more, from one constant to another
struct Written {
    op: OpId,
    body: BlockId,
    iv: Value,
    lower: i64,
    upper: i64,
    tile: i64,
    /// Ops of its body, without the last one
    ops: Vec<OpId>,
}

impl Emit<'_> {
    /// Remember a read of lanes that is marked
    pub fn may_carry(&mut self, op: OpId, value: Value, memory: Value, place: &IndexExprs) {
        if self.ir.discardable(op, CARRIED).is_none() || self.grid.is_some() {
            return;
        }
        let Some(load) = self.ir.defining_op(value).filter(|load| self.ir.is(*load, vector::Load::DEF))
        else {
            return;
        };
        let (dims, _) = place.variables();
        let sum = |expr: &terrace_support::affine::AffineExpr| {
            let linear = expr.as_linear()?;
            let all = dims.iter().enumerate().map(|(n, value)| (*value, linear.dim(n)));
            Some((all.filter(|(_, factor)| *factor != 0).collect::<Sum>(), linear.constant))
        };
        let Some(mut at) = place.at_lane(0).iter().map(sum).collect::<Option<Vec<_>>>() else { return };
        let Some((_, constant)) = at.last_mut() else { return };
        let constant = std::mem::take(constant);
        self.shifted.push(Shifted { load, memory, at, constant });
    }

    /// Hand rows on from iteration to iteration of the loop that has just been written, whose reads were remembered since
    pub fn carry(&mut self, info: &LoopInfo, since: usize) -> Res<()> {
        let reads = self.shifted.split_off(since.min(self.shifted.len()));
        if info.kind != Combination::Cc || reads.is_empty() {
            return Ok(());
        }
        let Some(old) = self.written(info.tile.max(1)) else { return Ok(()) };
        let rows = self.rows(&reads, old.iv, old.tile, old.body);
        if rows.is_empty() {
            return Ok(());
        }
        let back = std::mem::replace(&mut self.at, InsertPoint::Before(old.op));
        let last = self.index(old.upper - old.tile);
        let given = self.last_iteration(&old, last, &rows);
        let start = self.index(old.lower);
        let inits: Vec<Value> = rows.iter().map(|row| self.row_at(row, (old.iv, start))).collect();
        let step = self.index(old.tile);
        let results = self.loop_over([start, last, step], &inits, &mut |e, new, args| {
            e.copy_name(old.iv, new);
            e.ir.replace_all_uses(old.iv, new);
            for op in &old.ops {
                e.ir.detach(*op);
                e.b().place(*op);
            }
            Ok(e.hand_on(&old.ops, &rows, (new, step), args))
        })?;
        for (given, result) in given.into_iter().zip(results) {
            let Some(given) = given else { continue };
            self.ir.replace_all_uses(given, result);
            if let Some(load) = self.ir.defining_op(given) {
                self.ir.erase(load);
            }
        }
        self.ir.erase(old.op);
        self.at = back;
        Ok(())
    }

    /// The loop before this place, if rows can be handed on in it
    fn written(&self, tile: i64) -> Option<Written> {
        let op = self.before()?;
        let around = scf::For::cast(self.ir, op)?;
        let lower = self.range(around.lower_bound(self.ir)).as_constant()?;
        let upper = self.range(around.upper_bound(self.ir)).as_constant()?;
        let body = self.ir.entry(around.region(self.ir))?;
        let iv = *self.ir.block_args(body).first()?;
        let plain =
            self.ir.num_results(op) == 0 && (upper - lower) % tile == 0 && (upper - lower) / tile >= 2;
        let ops = self.ir.block_ops(body).filter(|op| !self.ir.has(*op, Traits::Terminator)).collect();
        (plain && self.reads_first(body)).then_some(Written { op, body, iv, lower, upper, tile, ops })
    }

    /// The last iteration behind the loop, as it is; gives what it reads at the start of each row
    ///
    /// The loop hands that to it, so it is replaced when the loop is there. The place is then before the iteration.
    fn last_iteration(&mut self, old: &Written, last: Value, rows: &[Row]) -> Vec<Option<Value>> {
        let mut map = ValueMap::default();
        map.insert(old.iv, last);
        let mut first = None;
        for op in &old.ops {
            let copy = self.ir.clone_op(None, *op, &mut map);
            self.b().place(copy);
            first.get_or_insert(copy);
        }
        if let Some(first) = first {
            self.at = InsertPoint::Before(first);
        }
        rows.iter().map(|row| map.get(self.ir.result(row.first, 0))).collect()
    }

    /// Cut the reads among ops out of the vectors handed on and the ones behind them; these are handed on next
    fn hand_on(
        &mut self,
        ops: &[OpId],
        rows: &[Row],
        (iv, step): (Value, Value),
        given: &[Value],
    ) -> Vec<Value> {
        let Some(top) = ops.first() else { return given.to_vec() };
        let end = std::mem::replace(&mut self.at, InsertPoint::Before(*top));
        let index = self.cx.common().index;
        let next = self.value(arith::AddI::DEF, &[iv, step], index, &[]);
        let mut nexts = Vec::new();
        for (row, here) in rows.iter().zip(given) {
            let load = row.loads.iter().map(|(load, _)| *load).find(|load| ops.contains(load));
            let Some(load) = load else { continue };
            self.at = InsertPoint::Before(load);
            let after = self.row_at(row, (iv, next));
            nexts.push(after);
            for (load, constant) in &row.loads {
                self.at = InsertPoint::Before(*load);
                let value = self.ir.result(*load, 0);
                let cut = if *constant == row.least {
                    *here
                } else {
                    self.cut([*here, after], constant - row.least)
                };
                self.ir.replace_all_uses(value, cut);
            }
        }
        for (load, _) in rows.iter().flat_map(|row| &row.loads) {
            self.ir.erase(*load);
        }
        self.at = end;
        nexts
    }

    /// Is nothing read behind the first write, and nothing in it but ops without regions?
    fn reads_first(&self, body: BlockId) -> bool {
        let mut written = false;
        self.ir.block_ops(body).all(|op| {
            let ir = &*self.ir;
            let writes = ir.is(op, memref::Store::DEF)
                || ir.is(op, vector::Store::DEF)
                || ir.is(op, vector::MaskedStore::DEF);
            let reads = crate::deferred_writes::reads(ir, op);
            let known = writes || reads || ir.has(op, Traits::Pure) || ir.has(op, Traits::Terminator);
            let fine =
                known && ir.num_regions(op) == 0 && !(reads && written && !ir.is(op, memref::Prefetch::DEF));
            written |= writes;
            fine
        })
    }

    /// Reads by the row that they are of, where there is more than one place in it
    fn rows(&self, reads: &[Shifted], iv: Value, tile: i64, body: BlockId) -> Vec<Row> {
        let along = |read: &Shifted| {
            let (last, others) = read.at.split_last()?;
            let factor =
                |sum: &Sum| sum.iter().find(|(value, _)| *value == iv).map_or(0, |(_, factor)| *factor);
            let lanes = self.ir.ty(self.ir.result(read.load, 0)).num_elements(&self.cx)?;
            let one = lanes == tile && factor(&last.0) == 1 && others.iter().all(|(sum, _)| factor(sum) == 0);
            (one && self.ir.block(read.load) == Some(body)).then_some(())
        };
        let mut found: Vec<Vec<&Shifted>> = Vec::new();
        for read in reads.iter().filter(|read| along(read).is_some()) {
            match found.iter_mut().find(|row| row[0].memory == read.memory && row[0].at == read.at) {
                Some(row) => row.push(read),
                None => found.push(vec![read]),
            }
        }
        let mut rows = Vec::new();
        for row in found {
            let Some(first) = row.iter().min_by_key(|read| read.constant) else { continue };
            let most = row.iter().map(|read| read.constant).max().unwrap_or(first.constant);
            if most > first.constant && most - first.constant <= tile {
                let loads = row.iter().map(|read| (read.load, read.constant)).collect();
                rows.push(Row { first: first.load, least: first.constant, loads });
            }
        }
        rows
    }

    /// The first vector of a row where the loop's variable is another value, here
    fn row_at(&mut self, row: &Row, (iv, value): (Value, Value)) -> Value {
        let mut map = ValueMap::default();
        map.insert(iv, value);
        // What its indices are made of in the loop's body.
        let home = self.ir.block(row.first);
        let (mut pending, mut slice) = (vec![row.first], Vec::new());
        while let Some(op) = pending.pop() {
            if slice.contains(&op) {
                continue;
            }
            slice.push(op);
            for operand in self.ir.operands(op) {
                if let Some(ValueDef::Result(def, _)) = self.ir.value_def(operand)
                    && self.ir.block(def) == home
                {
                    pending.push(def);
                }
            }
        }
        let order: Vec<OpId> = home
            .map(|home| self.ir.block_ops(home).filter(|op| slice.contains(op)).collect())
            .unwrap_or_default();
        for op in order {
            let copy = self.ir.clone_op(None, op, &mut map);
            self.b().place(copy);
        }
        map.get(self.ir.result(row.first, 0)).unwrap_or(value)
    }

    /// A vector out of two neighbors
    fn cut(&mut self, [here, after]: [Value; 2], by: i64) -> Value {
        let ty = self.ir.ty(here);
        let lanes = ty.num_elements(&self.cx).unwrap_or(0);
        let places: Vec<i64> = (by..by + lanes).collect();
        let mask = self.cx.i64_array(&places);
        self.value(vector::Shuffle::DEF, &[here, after], ty, &[Some(mask)])
    }
}
