//! Tensors that go from one computation to another through a buffer, as C's arrays do.

use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_memref::{Alloc, Alloca, Dealloc};
use terrace_ir::{Ir, OpId, Value};

/// A buffer of one block that is read and written as a whole alone
fn is_whole(unit: &Ir, buffer: Value) -> bool {
    let mut block = None;
    unit.uses(buffer).all(|(user, _)| {
        let known = unit.is_any(user, &[ToTensor::DEF, MaterializeInDestination::DEF, Dealloc::DEF]);
        known && *block.get_or_insert(unit.block(user)) == unit.block(user)
    })
}

/// The tensor that was put into a buffer before it is read there as a whole; `None` where nothing shows which it is
pub(crate) fn held(unit: &Ir, read: OpId) -> Option<Value> {
    let buffer = ToTensor::cast(unit, read)?.buffer(unit);
    if !is_whole(unit, buffer) {
        return None;
    }
    let before = unit.block_ops(unit.block(read)?).take_while(|op| *op != read);
    let writes = before.filter_map(|op| MaterializeInDestination::cast(unit, op));
    writes.filter(|write| write.dest(unit) == buffer).last().map(|write| write.source(unit))
}

/// What reads a tensor that this op puts into a buffer of the function's own; `None` where more than that may see it
pub(crate) fn readers(unit: &Ir, write: OpId) -> Option<Vec<Value>> {
    let write = MaterializeInDestination::cast(unit, write)?;
    let buffer = write.dest(unit);
    let own = unit.defining_op(buffer).is_some_and(|op| unit.is_any(op, &[Alloc::DEF, Alloca::DEF]));
    if !own || !is_whole(unit, buffer) {
        return None;
    }
    let reads = unit.uses(buffer).filter_map(|(user, _)| ToTensor::cast(unit, user));
    let of_this = reads.filter(|read| held(unit, read.id()) == Some(write.source(unit)));
    Some(of_this.map(|read| read.result(unit)).collect())
}

/// The buffer that a tensor is put into
pub(crate) fn buffer_of(unit: &Ir, tensor: Value) -> Option<Value> {
    let writes = unit.uses(tensor).filter_map(|(user, _)| MaterializeInDestination::cast(unit, user));
    writes.filter(|write| write.source(unit) == tensor).map(|write| write.dest(unit)).next()
}
