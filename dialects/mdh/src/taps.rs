//! Taps of windows: reduced dimensions that conditions mention together with rows.

/// Attribute next to a schedule: dimensions whose unrolled loops are copies only where that decides a condition, at edges;
/// elsewhere they are loops in order
///
/// Copies of taps side by side read the same elements for neighboring rows, which are then kept, and run out of registers.
pub const ROLLED: &str = "mdh.rolled";
