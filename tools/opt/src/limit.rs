//! Limits of applications, `--rewrite-limit`: what they name, and where a run has stopped.

use terrace_diag::Diagnostic;
use terrace_pass::{Counted, Pipeline, RewriteLimit, codes};

/// The error about a limit for a pass that the pipeline does not have
pub(crate) fn unknown_pass(limit: &RewriteLimit, pipeline: &Pipeline) -> Option<Diagnostic> {
    let RewriteLimit::Unit { pass, .. } = limit else { return None };
    let passes = pipeline.one_by_one().len();
    if *pass <= passes {
        return None;
    }
    let message = format!("`--rewrite-limit={limit}` names pass {pass}, and the pipeline has {passes}");
    let error = Diagnostic::error(&codes::OPTION, message);
    Some(match passes {
        0 => error.help("`--pipeline` says which passes run"),
        _ => error.help(format!("passes are numbered from 1 to {passes} in the order of the pipeline")),
    })
}

/// The error about a limit for a unit that the pass does not run on
pub(crate) fn unknown_unit(limit: &RewriteLimit, counted: &[Counted]) -> Option<Diagnostic> {
    let RewriteLimit::Unit { pass, unit, .. } = limit else { return None };
    let of_pass: Vec<&Counted> = counted.iter().filter(|one| one.pass == *pass).collect();
    if of_pass.iter().any(|one| one.unit == *unit) {
        return None;
    }
    let message = format!("`--rewrite-limit={limit}`: pass {pass} does not run on `{unit}`");
    let error = Diagnostic::error(&codes::OPTION, message);
    let near = terrace_diag::nearest(unit, of_pass.iter().map(|one| one.unit.as_str()));
    Some(match (near, &of_pass[..]) {
        (Some(near), _) => error.help(format!("did you mean `{near}`?")),
        (None, []) => error.help(format!("pass {pass} runs on no unit of this input")),
        (None, some) => {
            let units: Vec<String> = some.iter().take(UNITS).map(|one| format!("`{}`", one.unit)).collect();
            let more = if some.len() > UNITS { ", …" } else { "" };
            error.help(format!("`{}` runs on {}{more}", some[0].name, units.join(", ")))
        }
    })
}

/// Units named in a message
const UNITS: usize = 8;

/// Where a run with a limit has stopped
pub(crate) fn stopped(limit: &RewriteLimit, counted: &[Counted]) -> String {
    let total: u64 = counted.iter().map(|one| one.count).sum();
    let (reached, last) = match limit {
        RewriteLimit::Total(most) => (total == *most, counted.iter().rev().find(|one| one.count > 0)),
        RewriteLimit::Unit { pass, unit, count } => {
            let one = counted.iter().find(|one| one.pass == *pass && one.unit == *unit);
            (one.is_some_and(|one| one.count == *count), one.filter(|one| one.count > 0))
        }
    };
    match last {
        Some(last) if reached => format!("rewrite limit: stopped after {last}\n"),
        Some(last) => format!("rewrite limit: not reached; the last application was {last}\n"),
        None => "rewrite limit: no application was made\n".into(),
    }
}
