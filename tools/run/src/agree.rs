//! Whether two runs agree.

use terrace_diag::Diagnostic;
use terrace_opt::codes;
use terrace_runtime_buffers::{Buffer, Tolerance, compare};
use terrace_target_api::Array;

/// How far each element may be off
pub(crate) enum Bounds {
    Fixed {
        abs: f64,
        rel: f64,
    },
    /// One list per array
    Each(Vec<Vec<f64>>),
}

/// What a comparison of all outputs found
pub(crate) struct Verdict {
    pub agrees: bool,
    /// One line per output
    pub lines: Vec<String>,
}

/// Compare what a back end gave with what another gave
///
/// An element that has no value in the reference may be anything.
pub(crate) fn compare_runs(
    actual: &[Array],
    expected: &[Array],
    bounds: &Bounds,
) -> Result<Verdict, Diagnostic> {
    let mut verdict = Verdict { agrees: actual.len() == expected.len(), lines: Vec::new() };
    for (n, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let tolerance = match bounds {
            Bounds::Fixed { abs, rel } => Tolerance::Scalar { abs: *abs, rel: *rel },
            Bounds::Each(lists) => Tolerance::PerElement(lists.get(n).map_or(&[], Vec::as_slice)),
        };
        let masked = without_undefined(&actual.buffer, &expected.buffer, &expected.undefined);
        let found = compare(&masked, &expected.buffer, tolerance)
            .map_err(|error| Diagnostic::error(&codes::DISAGREE, format!("`{}`: {error}", expected.name)))?;
        let missing = actual.undefined.iter().find(|at| expected.undefined.binary_search(at).is_err());
        let note = match expected.undefined.len() {
            0 => String::new(),
            count => format!(" ({count} of them have no value)"),
        };
        verdict.agrees &= found.agrees() && missing.is_none();
        // The worst element says nothing where there is no difference.
        let shown = match &found.worst {
            Some(worst) if found.agrees() && worst.difference == 0.0 => {
                format!("all {} elements agree, without any difference", found.elements)
            }
            _ => found.to_string(),
        };
        verdict.lines.push(format!("{}: {shown}{note}", expected.name));
        if let Some(at) = missing {
            verdict.lines.push(format!("{}: no value at {:?}", expected.name, actual.buffer.index_of(*at)));
        }
    }
    Ok(verdict)
}

/// `actual` with the elements that are not to be compared taken from `expected`
fn without_undefined(actual: &Buffer, expected: &Buffer, undefined: &[usize]) -> Buffer {
    let mut masked = actual.clone();
    for at in undefined {
        if let Some(value) = expected.get(*at) {
            masked.set(*at, value);
        }
    }
    masked
}
