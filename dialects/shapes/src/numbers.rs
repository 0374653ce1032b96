//! Arithmetic on numbers of which some are known at run time only ([`DYNAMIC`]).

use terrace_ir::DYNAMIC;

/// Product where unknown times zero is zero
pub fn times(a: i64, b: i64) -> i64 {
    match (a, b) {
        (0, _) | (_, 0) => 0,
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        // Beyond 64 bits no memory reaches; unknown is never wrong.
        _ => a.checked_mul(b).unwrap_or(DYNAMIC),
    }
}

/// Sum with unknown numbers
pub fn plus(a: i64, b: i64) -> i64 {
    match (a, b) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        _ => a.checked_add(b).unwrap_or(DYNAMIC),
    }
}
