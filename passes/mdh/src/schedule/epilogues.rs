//! Which element-wise computations are done in the nest in front.

use super::MdhSchedule;
use terrace_devices::DeviceKind;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::epilogue::{self, EPILOGUE};
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_ir::{Ir, OpId};

/// Computations that have a schedule
pub(super) fn scheduled(ir: &Ir) -> Vec<OpId> {
    let has = |op: &OpId| Compute::cast(ir, *op).is_some() && ir.discardable(*op, SCHEDULE).is_some();
    ir.walk().filter(has).collect()
}

impl MdhSchedule {
    /// Mark element-wise computations of the reduction in front whose schedule was chosen here; one that the author gave stands
    pub(super) fn epilogues(&self, ir: &mut Ir, given: &[OpId]) {
        if !self.switches.epilogues || self.device.kind != DeviceKind::Host {
            return;
        }
        let computes: Vec<Compute> = ir.walk().filter_map(|op| Compute::cast(ir, op)).collect();
        for op in computes {
            let chosen = ir.discardable(op.id(), SCHEDULE).is_some() && !given.contains(&op.id());
            let Some(view) = View::read(ir, op).ok().filter(|_| chosen) else { continue };
            let reduces = |maker: Compute| {
                let view = View::read(ir, maker);
                view.is_ok_and(|view| view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..))))
            };
            if epilogue::find(ir, &view).is_some_and(|found| reduces(found.maker)) {
                let mark = ir.cx().common().unit;
                ir.set_discardable(op.id(), EPILOGUE, Some(mark));
            }
        }
    }
}
