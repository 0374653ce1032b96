//! What loops cost by themselves: their own instructions, and the length of their bodies.

/// Cycles of a loop's own bookkeeping in each iteration
pub(crate) const LOOP: f64 = 1.0;

/// Instructions of one body from which on compiling and fetching them is what takes time
const LONG: f64 = 2_000.0;

/// How many times as long a body of so many instructions takes
pub(crate) fn length(instructions: f64) -> f64 {
    (instructions / LONG).max(1.0).powi(2)
}
