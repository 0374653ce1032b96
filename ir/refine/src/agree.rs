//! Refinement of values.

use terrace_interp::RtValue;

/// Does `after` refine `before`? Poison may become any value, a NaN any other NaN; all other values must be equal
///
/// Views of memory agree with each other here: what they hold is compared as contents.
pub fn agrees(before: &RtValue, after: &RtValue) -> bool {
    match (before, after) {
        (RtValue::Poison, _) => true,
        (RtValue::Float { kind, .. }, RtValue::Float { kind: other, .. }) if kind == other => {
            let nan = |value: &RtValue| value.as_f64().is_some_and(f64::is_nan);
            before == after || nan(before) && nan(after)
        }
        (RtValue::Vector(a), RtValue::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| agrees(a, b))
        }
        (RtValue::MemRef(_), RtValue::MemRef(_)) => true,
        _ => before == after,
    }
}
