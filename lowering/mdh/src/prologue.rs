//! Element-wise computations at the places where the nest behind reads their elements.
//!
//! A nest reads each element of the result once, at a point of its own ([`prologue`]). The body may stand there and store the element, if
//!
//! - no other point of the nest touches that element, and nothing is between both computations;
//! - none of the buffers that the body reads is one that the nest writes, and none that it writes is one that the nest touches.

use crate::placed::{Placed, between, in_kernel, lanes, top};
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::prologue;
use terrace_dialect_mdh::scatter::SCATTER;
use terrace_dialect_mdh::view::View;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Alloc, For, Kernel, Read};
use terrace_ir::{InsertPoint, Ir, OpId, Value};
use terrace_support::HashMap;

/// An element-wise computation that the nest behind has places for
pub(crate) struct Stored<'a> {
    body: Placed<'a>,
    reads: Vec<Read>,
    /// Number of the result that the nest reads
    result: usize,
    /// The nest's computation
    reader: OpId,
}

/// The places for a computation in the nest of the computation behind it, which stands already
pub(crate) fn places<'a>(
    ir: &Ir,
    op: mdh::Compute,
    view: &'a View,
    buffer: &HashMap<Value, Value>,
    dests: &[Value],
) -> Option<Stored<'a>> {
    let how = prologue::find(ir, op, view)?;
    let made = *buffer.get(&how.result)?;
    let inputs =
        view.inputs.iter().map(|input| buffer.get(&input.value).copied().unwrap_or(input.value)).collect();
    let dims = how.dims.iter().copied().map(Some).collect();
    let body = Placed { op, view, inputs, given: Vec::new(), dims, past: &[] };
    let reads: Vec<Read> = ir.uses(made).map(|(user, _)| place(ir, user)).collect::<Option<_>>()?;
    let block = ir.block(op.id())?;
    let inside = |read: &Read| {
        let Some(own) = top(ir, read.0, block) else { return false };
        let mut around = std::iter::successors(ir.parent(read.0), |op| ir.parent(*op));
        let loops = around.find(|op| For::cast(ir, *op).is_none() && Kernel::cast(ir, *op).is_none());
        loops == ir.parent(own) && ir.is_before(op.id(), own) && ir.is_before(own, how.reader.id())
    };
    let known: Vec<Option<Value>> = dests.iter().copied().map(Some).collect();
    // The reader's nest stands before the reader.
    let nests = between(ir, ir.next(op.id())?, how.reader.id());
    let apart = body.there(ir, block, op.id(), &[]) && body.apart(ir, &nests, made, &known);
    if reads.is_empty() || !reads.iter().all(inside) || !apart {
        return None;
    }
    let accesses: Vec<Access> = reads.iter().map(|read| read.access(ir)).collect();
    let mut count = 0;
    let in_rows = reads.iter().zip(&accesses).all(|(read, access)| {
        let own = lanes(ir, read.0, access);
        count += usize::from(!own.is_empty());
        own.len() < 2 && own.iter().all(|at| at.is_some_and(|at| body.in_rows(access, at)))
    });
    // A nest of its own has lanes; in a kernel threads are enough.
    let as_fast = count > 0 || reads.iter().all(|read| in_kernel(ir, read.0));
    // Points that are left out store nothing.
    let all =
        ir.discardable(how.reader.id(), SCATTER).is_none_or(|attr| attr.as_dense_array(ir.cx()) == Some(&[]));
    let result = ir.results(op.id()).position(|result| result == how.result)?;
    (in_rows && as_fast && all && body.can_be_said(accesses.iter())).then_some(Stored {
        body,
        reads,
        result,
        reader: how.reader.id(),
    })
}

/// A use of the result that reads an element at a point of a nest
fn place(ir: &Ir, user: OpId) -> Option<Read> {
    // What is padded is read outside, too.
    Read::cast(ir, user).filter(|read| read.padding(ir).is_none())
}

impl Stored<'_> {
    /// Put the body at all places; what nothing else reads is not stored
    pub fn build(self, ir: &mut Ir, dests: &[Value]) {
        for read in &self.reads {
            let access = read.access(ir);
            let leaves: Vec<Vec<Value>> = access.values.iter().map(|value| vec![*value]).collect();
            let at = InsertPoint::Before(read.0);
            let values = self.body.body(ir, at, (&access, &leaves), None, (dests, false));
            let Some(value) = values.and_then(|values| values.get(self.result).copied()) else { continue };
            let old = ir.result(read.0, 0);
            ir.replace_all_uses(old, value);
            ir.erase(read.0);
        }
        let results: Vec<Value> = ir.results(self.body.op.id()).collect();
        for (result, dest) in results.into_iter().zip(dests) {
            let own = ir.defining_op(*dest).filter(|op| Alloc::cast(ir, *op).is_some());
            if let Some(alloc) = own.filter(|_| ir.uses(result).all(|(user, _)| user == self.reader)) {
                let writes: Vec<OpId> = ir.uses(*dest).map(|(user, _)| user).collect();
                writes.into_iter().for_each(|write| ir.erase(write));
                ir.erase(alloc);
            }
        }
    }
}
