//! Values that have no register: they go out and in again with every use.

use terrace_devices::Device;

/// Loads that sums and vectors take that have no register
pub(crate) fn loads(sums: f64, vectors: f64, device: &Device) -> f64 {
    let registers = sums + vectors + 1.0;
    (registers - device.registers.max(8) as f64).max(0.0) * device.costs.instructions.spill
}
