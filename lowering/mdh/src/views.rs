//! Tensors in other shapes that are views of buffers: arguments before all computations, results behind theirs.

use terrace_dialect_bufferization::ToTensor;
use terrace_dialect_func::Return;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_memref as memref;
use terrace_dialect_sched as sched;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Attr, Builder, Ir, OpId, TypeKind, Value};
use terrace_support::HashMap;

/// Has an op a form on buffers, if it is a reshape? An argument of the function is collapsed, or a result that is returned is expanded; sizes are numbers
pub(crate) fn is_view(ir: &Ir, op: OpId) -> bool {
    let sized =
        |value: Value| ir.ty(value).shape(ir.cx()).is_some_and(|shape| shape.iter().all(|size| *size >= 0));
    if let Some(op) = tensor::CollapseShape::cast(ir, op) {
        return is_argument(ir, op.src(ir)) && sized(op.src(ir));
    }
    let Some(op) = tensor::ExpandShape::cast(ir, op) else { return true };
    let maker = ir.defining_op(op.src(ir)).filter(|maker| ir.is(*maker, Compute::DEF));
    (maker.is_some() || returned_once(ir, op).is_some())
        && ir.has_one_use(op.src(ir))
        && sized(op.result(ir))
        && ir.uses(op.result(ir)).all(|(user, _)| ir.is(user, Return::DEF))
}

/// The buffer whose content a reshape expands, where it is one that the function makes and returns once, and nothing else
pub(crate) fn returned_once(ir: &Ir, op: tensor::ExpandShape) -> Option<sched::Alloc> {
    let read = ir.defining_op(op.src(ir)).and_then(|op| ToTensor::cast(ir, op))?;
    let alloc = ir.defining_op(read.buffer(ir)).and_then(|op| sched::Alloc::cast(ir, op))?;
    let inside = [op.id(), alloc.id()].iter().all(|op| ir.parent(*op) == Some(ir.root()));
    (inside && ir.has_one_use(op.result(ir))).then_some(alloc)
}

/// Buffers whose content is returned in another shape are the destination in theirs
pub(crate) fn of_buffers(
    ir: &mut Ir,
    ops: &[OpId],
    buffers: &mut HashMap<Value, Value>,
    dest: &HashMap<Value, Value>,
) {
    for op in ops.iter().filter_map(|op| tensor::ExpandShape::cast(ir, *op)).collect::<Vec<_>>() {
        let Some((alloc, buffer)) = returned_once(ir, op).zip(dest.get(&op.result(ir)).copied()) else {
            continue;
        };
        let (groups, shape) =
            (op.reassociation(ir), ir.ty(op.src(ir)).shape(ir.cx()).unwrap_or(&[]).to_vec());
        let (old, result) = (alloc.memref(ir), op.result(ir));
        let view = collapsed(&mut Builder::before(ir, alloc.id()), buffer, groups, &shape);
        ir.copy_value_name(old, view);
        ir.replace_all_uses(old, view);
        buffers.insert(result, buffer);
    }
}

/// Is it the view of a computation that has its schedule? Others may become part of what reads them
pub(crate) fn of_schedules(ir: &Ir, op: OpId) -> bool {
    let scheduled = |op: OpId| ir.is(op, Compute::DEF) && ir.discardable(op, SCHEDULE).is_some();
    let neighbors = match tensor::CollapseShape::cast(ir, op) {
        Some(op) => ir.uses(op.result(ir)).all(|(user, _)| scheduled(user)),
        None => tensor::ExpandShape::cast(ir, op).is_some_and(|op| {
            ir.defining_op(op.src(ir)).is_some_and(scheduled) || returned_once(ir, op).is_some()
        }),
    };
    neighbors && is_view(ir, op)
}

fn is_argument(ir: &Ir, value: Value) -> bool {
    let entry = ir.entry(ir.region(ir.root(), 0));
    entry.is_some_and(|entry| ir.block_args(entry).contains(&value))
}

/// A buffer with dimensions joined
fn collapsed(b: &mut Builder<'_>, buffer: Value, groups: Attr, shape: &[i64]) -> Value {
    let of = b.read().ty(buffer);
    let ty = match of.kind(b.cx()) {
        TypeKind::MemRef { elem, layout: None, space, .. } => {
            b.cx().ty(TypeKind::MemRef { shape: shape.into(), elem: *elem, layout: None, space: *space })
        }
        _ => b.cx().memref(shape, of.element(b.cx()).unwrap_or(of)),
    };
    memref::CollapseShape::build(b, buffer, groups, ty).result(b.read())
}

/// Arguments in other shapes, at their places
pub(crate) fn of_arguments(ir: &mut Ir, ops: &[OpId], buffers: &mut HashMap<Value, Value>) {
    for op in ops.iter().filter_map(|op| tensor::CollapseShape::cast(ir, *op)).collect::<Vec<_>>() {
        let (from, result) = (op.src(ir), op.result(ir));
        let buffer = buffers.get(&from).copied().unwrap_or(from);
        let (groups, shape) = (op.reassociation(ir), ir.ty(result).shape(ir.cx()).unwrap_or(&[]).to_vec());
        let view = collapsed(&mut Builder::before(ir, op.id()), buffer, groups, &shape);
        ir.copy_value_name(result, view);
        buffers.insert(result, view);
    }
}

/// Destinations in the shapes of what computations give
pub(crate) fn of_destinations(
    ir: &mut Ir,
    ops: &[OpId],
    buffers: &mut HashMap<Value, Value>,
    dest: &mut HashMap<Value, Value>,
) {
    for op in ops.iter().filter_map(|op| tensor::ExpandShape::cast(ir, *op)).collect::<Vec<_>>() {
        let (from, result) = (op.src(ir), op.result(ir));
        let maker = ir.defining_op(from).filter(|maker| ir.is(*maker, Compute::DEF));
        let (Some(maker), Some(buffer)) = (maker, dest.get(&result).copied()) else { continue };
        let (groups, shape) = (op.reassociation(ir), ir.ty(from).shape(ir.cx()).unwrap_or(&[]).to_vec());
        let view = collapsed(&mut Builder::before(ir, maker), buffer, groups, &shape);
        ir.copy_value_name(from, view);
        dest.insert(from, view);
        buffers.insert(result, buffer);
    }
}
