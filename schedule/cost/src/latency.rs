//! Chains of sums, each of which needs the one before.

use terrace_devices::costs::Instructions;

/// Cycles of an iteration that merges values into sums, so many one after the other into each
pub(crate) fn waiting(of: &Instructions, chains: f64, depth: f64) -> f64 {
    if chains > 0.0 { of.fma_latency * depth } else { 0.0 }
}

/// Cycles of an iteration with so many operations in so many chains next to each other
pub fn cycles(of: &Instructions, operations: f64, chains: f64) -> f64 {
    if chains > 0.0 { of.fma_latency * (operations / chains).min(1.0) } else { 0.0 }
}
