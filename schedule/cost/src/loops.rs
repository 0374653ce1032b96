//! The length of bodies.

use terrace_devices::costs::Instructions;

/// How many times as long a body of so many instructions takes
pub(crate) fn length(of: &Instructions, instructions: f64) -> f64 {
    (instructions / of.long_body).max(1.0).powi(2)
}
