//! Floats that a device computes in a wider type, since it has no arithmetic of theirs.

use terrace_devices::Device;
use terrace_dialect_arith::{Constant, Select};
use terrace_dialect_mdh::view::View;
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::{FloatKind, Ir, OpId, Type, TypeKind};

/// Types of floats that computations of a function calculate in and the device does not, each with the first op that does and what is
/// to be said of it
pub fn found(ir: &Ir, computes: &[Compute], device: &Device) -> Vec<(OpId, String)> {
    let mut all: Vec<(FloatKind, OpId)> = Vec::new();
    for compute in computes {
        let sums = View::read(ir, *compute)
            .is_ok_and(|view| view.dims.iter().any(|dim| !dim.kind.operators().is_empty()));
        let results = ir
            .results(compute.id())
            .filter(|_| sums)
            .map(|value| (ir.ty(value).scalar(ir.cx()), compute.id()));
        let body = ir.walk_below(compute.id()).filter_map(|op| Some((arithmetic(ir, op)?, op)));
        for (ty, op) in body.chain(results) {
            let TypeKind::Float(kind) = ty.kind(ir.cx()) else { continue };
            if all.iter().all(|(other, _)| other != kind) {
                all.push((*kind, op));
            }
        }
    }
    all.into_iter().filter_map(|(kind, op)| Some((op, said(kind, device)?))).collect()
}

/// The type that an op calculates in: moving, choosing and converting is none
fn arithmetic(ir: &Ir, op: OpId) -> Option<Type> {
    if ir.is_any(op, &[Constant::DEF, Select::DEF, Index::DEF, Yield::DEF]) {
        return None;
    }
    let ty = ir.ty(ir.results(op).next()?);
    ir.operands(op).next().filter(|operand| ir.ty(*operand) == ty).map(|_| ty)
}

fn said(kind: FloatKind, device: &Device) -> Option<String> {
    let how = match kind {
        FloatKind::F32 | FloatKind::F64 => return None,
        _ if device.narrow_floats.iter().any(|word| word == kind.word()) => return None,
        FloatKind::F80 | FloatKind::F128 => "by functions of a library",
        _ => "in f32 and rounded after each operation",
    };
    Some(format!("{} is computed {how}: `{}` has no arithmetic of it", kind.word(), device.name))
}
