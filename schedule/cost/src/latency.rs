//! Chains of sums, each of which needs the one before.

/// Cycles from a sum to the next that needs it
const LATENCY: f64 = 4.0;

/// Cycles of an iteration with so many operations in so many chains next to each other
pub(crate) fn cycles(operations: f64, chains: f64) -> f64 {
    if chains > 0.0 { LATENCY * (operations / chains).min(1.0) } else { 0.0 }
}
