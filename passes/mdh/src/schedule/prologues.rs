//! Which element-wise computations are done in the nest behind, and stored there.

use super::MdhSchedule;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::epilogue::EPILOGUE;
use terrace_dialect_mdh::prologue::{self, PROLOGUE};
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::affine::{AffineExpr, in_rows};

impl MdhSchedule {
    /// Mark element-wise computations of which the reduction behind reads each element once, where their schedules were chosen here
    pub(super) fn prologues(&self, ir: &mut Ir, given: &[OpId], joined: &[OpId]) {
        let chosen = |op: Compute| !given.contains(&op.id()) && !joined.contains(&op.id());
        let computes: Vec<Compute> = ir.walk().filter_map(|op| Compute::cast(ir, op)).collect();
        for op in computes {
            let there = ir.discardable(op.id(), EPILOGUE).is_some();
            let reader = self.reader(ir, op).filter(|_| !there);
            if reader.is_some_and(|reader| chosen(op) && chosen(reader)) {
                let mark = ir.cx().common().unit;
                ir.set_discardable(op.id(), PROLOGUE, Some(mark));
            }
        }
    }

    /// The reduction that may do an element-wise computation where it reads the elements of that
    pub(super) fn reader(&self, ir: &Ir, op: Compute) -> Option<Compute> {
        let view = View::read(ir, op).ok().filter(|_| self.switches.prologues)?;
        let found = prologue::find(ir, op, &view)?;
        // It is done in the nest in front, if there.
        if self.maker(ir, op).is_some() {
            return None;
        }
        let last = *found.dims.last()?;
        let reads = View::read(ir, found.reader).ok()?;
        // In the order of the source points follow each other.
        let reduces = reads.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..)))
            && !reads.in_order(ir, found.reader);
        // Neighbors in a row of the result are neighbors in all that is read, or one element.
        let in_rows =
            view.inputs.iter().filter_map(|input| input.map.as_ref()).all(|map| in_rows(&map.results, last));
        let outs = view.outputs.iter().flat_map(|out| &out.maps);
        let same = outs.into_iter().all(|map| map.results.last() == Some(&AffineExpr::Dim(last as u32)));
        (reduces && in_rows && same).then_some(found.reader)
    }

    /// Does a reduction do a computation in front where it reads that?
    pub(super) fn stores(&self, ir: &Ir, reader: Compute) -> bool {
        let makers = ir.operands(reader.id()).filter_map(|value| Compute::cast(ir, ir.defining_op(value)?));
        makers.into_iter().any(|maker| self.reader(ir, maker) == Some(reader))
    }

    /// Microseconds of a reduction that takes so many: it computes what it stores, so that this is no launch and is not read again
    pub(super) fn storing(&self, ir: &Ir, reader: Compute, alone: f64) -> f64 {
        if !self.stores(ir, reader) {
            return alone;
        }
        let made = |value: &Value| {
            let maker = ir.defining_op(*value).and_then(|op| Compute::cast(ir, op));
            maker.is_some_and(|maker| self.reader(ir, maker) == Some(reader))
        };
        let read: i64 = ir.operands(reader.id()).filter(made).map(|value| bytes(ir, value)).sum();
        let reading = read as f64 / (self.device.costs.grid.memory * 1e6);
        (alone - self.device.costs.latency.launch - reading).max(0.0)
    }
}

/// Bytes of a tensor
pub(super) fn bytes(ir: &Ir, value: Value) -> i64 {
    let width = i64::from(ir.ty(value).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(0));
    let shape = ir.ty(value).shape(ir.cx()).unwrap_or(&[]);
    shape.iter().fold(width / 8, |all, size| all.saturating_mul(*size))
}
