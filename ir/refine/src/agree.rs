//! When one value may stand for another.

use terrace_interp::RtValue;

/// May `after` stand where `before` stood? Poison may become anything, a NaN another NaN; all else stays as it is
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
