//! What is to be run, and what a run gave.

use crate::args::Backend;
use crate::data::{Array, Input};
use crate::interp;
use crate::signature::{Form, Place, Signature};
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_opt::codes;

/// A program at some level with the content of its arguments
pub(crate) struct Job<'a> {
    pub ir: &'a Ir,
    /// Of the file as its author wrote it: names and positions on the command line mean this
    pub source: &'a Signature,
    /// Of `ir`
    pub signature: &'a Signature,
    pub inputs: &'a [Input],
    /// Measure so many runs
    pub bench: Option<u32>,
    pub fuel: u64,
}

/// What a run gave
#[derive(Default, Debug)]
pub(crate) struct Outcome {
    /// In terms of the source signature: results first, then memory arguments
    pub arrays: Vec<Array>,
    pub times_ns: Vec<u64>,
}

/// Run on a back end
pub(crate) fn run(job: &Job<'_>, backend: Backend) -> Result<Outcome, Diagnostic> {
    match backend {
        Backend::Interp => {
            lowered(job, job.signature, |signature, inputs| interp::run(job, signature, inputs))
        }
        other => {
            let message = format!("this build of the tool cannot run on `{}`", other.name());
            Err(Diagnostic::error(&codes::BACKEND, message).help("`--on=interp` is there"))
        }
    }
}

/// Run under a signature that lowering may have changed: tensors became memory, and results memory arguments behind the others
///
/// Arguments keep their order. Tensor results of the source stand behind them, in order; its other results stay results.
fn lowered(
    job: &Job<'_>,
    signature: &Signature,
    run: impl FnOnce(&Signature, &[Input]) -> Result<Outcome, Diagnostic>,
) -> Result<Outcome, Diagnostic> {
    let source = job.source;
    let changed = || {
        let message = format!("lowering has changed the arguments of @{} in an unknown way", source.entry);
        Diagnostic::error(&codes::RUN_TYPE, message)
    };
    let extra = signature.params.len().checked_sub(source.params.len()).ok_or_else(changed)?;
    let as_argument: Vec<usize> = match extra {
        0 => Vec::new(),
        _ => (0..source.results.len()).filter(|n| source.results[*n].form == Form::Value).collect(),
    };
    let as_result: Vec<usize> = (0..source.results.len()).filter(|n| !as_argument.contains(n)).collect();
    if as_argument.len() != extra || as_result.len() != signature.results.len() {
        return Err(changed());
    }
    let mut inputs = job.inputs.to_vec();
    for (n, slot) in as_argument.iter().zip(&signature.params[source.params.len()..]) {
        let shape = source.results[*n].static_shape().or_else(|| slot.static_shape()).ok_or_else(|| {
            Diagnostic::error(&codes::RUN_TYPE, format!("the type of result {n} leaves sizes open"))
        })?;
        inputs.push(Input::Undefined(slot.elem, shape));
    }
    let mut outcome = run(signature, &inputs)?;
    let first = source.params.len();
    outcome.arrays.retain_mut(|array| {
        array.place = match array.place {
            Place::Result(n) => Place::Result(as_result[n]),
            Place::Param(n) if n >= first => Place::Result(as_argument[n - first]),
            // A tensor of the source is a value: what became of its memory is nobody's business.
            Place::Param(n) if source.params[n].form != Form::MemRef => return false,
            Place::Param(n) => Place::Param(n),
        };
        array.name = source.name_of(array.place);
        true
    });
    outcome.arrays.sort_by_key(|array| match array.place {
        Place::Result(n) => (0, n),
        Place::Param(n) => (1, n),
    });
    Ok(outcome)
}
