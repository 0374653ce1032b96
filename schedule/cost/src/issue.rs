//! Instructions by what a cycle can do.

use crate::bodies::Operations;

/// Operations on vectors that begin in a cycle
const OPERATIONS: f64 = 2.0;

/// Loads that begin in a cycle, some of which wait
const LOADS: f64 = 1.5;

/// A division in sums that begin meanwhile
const DIVISION: f64 = 8.0;

/// A call of a function in sums that begin meanwhile
const CALL: f64 = 20.0;

/// Instructions in sums that begin meanwhile
pub(crate) fn operations(all: &Operations) -> f64 {
    f64::from(all.simple + all.merges + all.yields)
        + f64::from(all.divisions) * DIVISION
        + f64::from(all.calls) * CALL
}

/// Cycles until all have begun
pub(crate) fn cycles(operations: f64, loads: f64, stores: f64) -> f64 {
    (operations / OPERATIONS).max(loads / LOADS).max(stores)
}
