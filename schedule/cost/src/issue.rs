//! Instructions by what a cycle can do.

use crate::bodies::Operations;
use terrace_devices::costs::Instructions;

/// Instructions that begin like a sum
pub(crate) fn simple(all: &Operations) -> f64 {
    f64::from(all.simple + all.merges + all.yields)
}

/// A division of so many bytes in simple instructions that begin meanwhile: units for them take a long vector in parts
pub(crate) fn division(of: &Instructions, bytes: f64, vector: f64) -> f64 {
    of.division * (bytes.max(LEAST) / vector).min(1.0)
}

/// Bytes that a unit for divisions takes at once: shorter vectors and single elements take as long
const LEAST: f64 = 16.0;

/// Cycles until so many operations on vectors, loads and stores have begun
pub fn cycles(of: &Instructions, operations: f64, loads: f64, stores: f64) -> f64 {
    (operations / of.operations).max(loads / of.loads).max(stores / of.stores)
}
