//! Instructions by what a cycle can do.

use crate::bodies::Operations;
use terrace_devices::costs::Instructions;

/// Instructions in simple ones that begin meanwhile
pub(crate) fn operations(of: &Instructions, all: &Operations) -> f64 {
    f64::from(all.simple + all.merges + all.yields)
        + f64::from(all.divisions) * of.division
        + f64::from(all.calls) * of.call
}

/// Cycles until so many operations on vectors, loads and stores have begun
pub fn cycles(of: &Instructions, operations: f64, loads: f64, stores: f64) -> f64 {
    (operations / of.operations).max(loads / of.loads).max(stores / of.stores)
}
