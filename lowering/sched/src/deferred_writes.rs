//! Copies of a loop's body read first and write last.
//!
//! Iterations of a `cc` loop touch different places or only read, so that one of them may write after all others have read. Then
//! what several copies read is read once, which a compiler could not see behind stores into memory that may be the same. Within an
//! iteration nothing changes its order: bodies that read after they have written stay as they are, as do those with too many
//! values to be kept until all is read.

use crate::emit::Emit;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::{Combination, For, Level, LoopInfo, Read, Write};
use terrace_dialect_vector as vector;
use terrace_ir::{InsertPoint, Ir, OpId, Traits};

/// Most values that wait to be written: half of the registers that a large processor has
const WAITING: i64 = 16;

impl Emit<'_> {
    /// Where copies of a body begin, if they may write last
    pub fn writes_last(&self, info: &LoopInfo) -> Option<Option<OpId>> {
        let fits = self.grid.is_none() && info.kind == Combination::Cc && info.trip() > 1;
        (fits && waiting(self.ir, info).is_some_and(|waiting| waiting <= WAITING)).then(|| self.before())
    }

    /// The op before those that are written next
    pub fn before(&self) -> Option<OpId> {
        match self.at {
            InsertPoint::Before(op) => self.ir.prev(op),
            InsertPoint::End(block) => self.ir.last_op(block),
        }
    }

    /// Move what has been written since to here, in its order
    pub fn move_writes(&mut self, since: Option<OpId>) {
        let (block, last) = match self.at {
            InsertPoint::Before(op) => (self.ir.block(op), self.ir.prev(op)),
            InsertPoint::End(block) => (Some(block), self.ir.last_op(block)),
        };
        let (Some(block), Some(last)) = (block, last) else { return };
        let mut next = since.map_or(self.ir.first_op(block), |op| self.ir.next(op));
        let mut writes = Vec::new();
        while let Some(op) = next {
            let ir = &*self.ir;
            if ir.is(op, memref::Store::DEF)
                || ir.is(op, vector::Store::DEF)
                || ir.is(op, vector::MaskedStore::DEF)
            {
                writes.push(op);
            } else if !(reads(ir, op) || ir.has(op, Traits::Pure)) || ir.num_regions(op) > 0 {
                return;
            }
            next = if op == last { None } else { ir.next(op) };
        }
        for op in writes {
            self.ir.detach(op);
            self.b().place(op);
        }
    }
}

/// Does an op only read, or ask for what will be read?
pub(crate) fn reads(ir: &Ir, op: OpId) -> bool {
    ir.is(op, memref::Load::DEF)
        || ir.is(op, vector::Load::DEF)
        || ir.is(op, vector::MaskedLoad::DEF)
        || ir.is(op, memref::Prefetch::DEF)
}

/// Number of writes of all copies, if there is nothing but reads, scalars and then writes in a nest of copies and lanes
fn waiting(ir: &Ir, info: &LoopInfo) -> Option<i64> {
    let mut count = if info.level == Level::Unroll { info.trip() } else { 1 };
    let (mut body, mut all) = (ir.entry(info.op.body(ir))?, 0i64);
    loop {
        let mut inner = None;
        for op in ir.block_ops(body) {
            if let Some(nest) = For::cast(ir, op) {
                // A nest is all there is.
                let nest = nest
                    .info(ir)
                    .filter(|nest| nest.kind == Combination::Cc && ir.first_op(body) == Some(op))?;
                match nest.level {
                    Level::Unroll => count = count.checked_mul(nest.trip())?,
                    Level::Vector => {}
                    _ if nest.trip() == 1 => {}
                    _ => return None,
                }
                inner = ir.entry(nest.op.body(ir));
            } else if let Some(write) = Write::cast(ir, op) {
                if inner.is_some() || write.operator(ir).is_some() {
                    return None;
                }
                all += 1;
            } else if Read::cast(ir, op).is_some() {
                if all > 0 || inner.is_some() {
                    return None;
                }
            } else if !ir.has(op, Traits::Pure) && !ir.has(op, Traits::Terminator) || ir.num_regions(op) > 0 {
                return None;
            }
        }
        match inner {
            Some(next) => body = next,
            None => return all.checked_mul(count).filter(|all| *all > 0),
        }
    }
}
