//! Functions that prepare the arguments of another once for all calls, run before it.

use crate::data::{Array, Input};
use crate::job::{Failed, Job, Outcome};
use crate::run::in_turn;
use crate::signature::{self, Form, Signature, SlotId};
use crate::{Target, codes};
use terrace_diag::Diagnostic;
use terrace_dialect_builtin::marks::{GIVES, PREPARED_BY, TAKES};
use terrace_ir::Ir;

/// What preparing took
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Prepared {
    /// Bytes of the arguments that were made
    pub bytes: u64,
    /// Nanoseconds of all functions that made them
    pub ns: u64,
}

/// Arguments behind all stages
pub(crate) struct Arguments {
    /// Of the entry function, in its source's terms
    pub source: Signature,
    /// Content of its arguments
    pub inputs: Vec<Input>,
    /// Where each argument was at first, if it was there
    pub origins: Vec<Option<usize>>,
    pub prepared: Prepared,
}

/// How many functions prepare the arguments of the entry function: those of a program as it is given were run before
pub(crate) fn count(job: &Job<'_>) -> usize {
    signature::find(job.ir, Some(&job.signature.entry)).map_or(0, |(unit, _)| names(unit).len())
}

/// What prepares the arguments of a function, in the order in which it runs
fn names(unit: &Ir) -> Vec<&str> {
    let cx = unit.cx();
    let stages = unit.discardable(unit.root(), PREPARED_BY).and_then(|all| all.as_array(cx)).unwrap_or(&[]);
    stages.iter().filter_map(|stage| Some(cx.str(stage.as_symbol(cx)?.0))).collect()
}

/// Runs what prepares the arguments of the entry function, behind those that are done; nothing if nothing does
pub(crate) fn prepare(target: &dyn Target, job: &Job<'_>, done: usize) -> Result<Option<Arguments>, Failed> {
    let (unit, _) = signature::find(job.ir, Some(&job.signature.entry))?;
    let names: Vec<&str> = names(unit).into_iter().skip(done).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let origins = (0..job.inputs.len()).map(Some).collect();
    let (mut source, inputs) = (job.source.clone(), job.inputs.to_vec());
    // An argument without a name is named by its place in this list, also in the next one.
    for (n, slot) in source.params.iter_mut().enumerate() {
        slot.name = Some(job.source.name_of(SlotId::Param(n)));
    }
    let mut all = Arguments { source, inputs, origins, prepared: Prepared::default() };
    for name in names {
        stage(target, job, name, &mut all)?;
    }
    let made = all.inputs.iter().zip(&all.origins).filter(|(_, origin)| origin.is_none());
    all.prepared.bytes = made.map(|(input, _)| bytes(input)).sum();
    Ok(Some(all))
}

fn bytes(input: &Input) -> u64 {
    match input {
        Input::Given(buffer) => buffer.bytes().len() as u64,
        Input::Undefined(elem, shape) => elem.size() as u64 * shape.iter().product::<u64>(),
    }
}

/// Runs one function, and puts what it gives into the list
fn stage(target: &dyn Target, job: &Job<'_>, name: &str, all: &mut Arguments) -> Result<(), Failed> {
    let wrong = |why: &str| {
        Failed(vec![Diagnostic::error(&codes::RUN_TYPE, format!("@{name} prepares arguments, but {why}"))])
    };
    let (unit, entry) = signature::find(job.ir, Some(name))?;
    let list = |mark: &str| {
        let list = unit.discardable(unit.root(), mark).and_then(|list| list.as_dense_array(unit.cx()));
        list.ok_or_else(|| wrong(&format!("`{mark}` does not say which")))
    };
    let (takes, gives) = (list(TAKES)?, list(GIVES)?);
    let signature = Signature::of(unit, entry)?;
    let mut inputs = Vec::new();
    for n in takes {
        let input = usize::try_from(*n).ok().and_then(|n| all.inputs.get(n));
        inputs.push(input.ok_or_else(|| wrong("takes one that is not there"))?.clone());
    }
    for slot in signature.params.iter().skip(takes.len()) {
        let shape = slot.static_shape().filter(|_| slot.form == Form::MemRef);
        inputs.push(Input::Undefined(slot.elem, shape.ok_or_else(|| wrong("gives one of another form"))?));
    }
    let stage = Job { source: &signature, signature: &signature, inputs: &inputs, bench: Some(1), ..*job };
    let outcome: Outcome = in_turn(target, &stage)?;
    all.prepared.ns += outcome.times_ns.first().copied().unwrap_or(0);
    let made = |n: usize| outcome.arrays.iter().find(|array| array.slot == SlotId::Param(takes.len() + n));
    let (mut params, mut values, mut origins) = (Vec::new(), Vec::new(), Vec::new());
    for n in gives {
        if let Ok(n) = usize::try_from(*n) {
            // What is behind the list is memory of results.
            let Some((slot, input)) = all.source.params.get(n).zip(all.inputs.get(n)) else { continue };
            params.push(slot.clone());
            values.push(input.clone());
            origins.push(all.origins[n]);
        } else {
            let n = usize::try_from(-1 - *n).unwrap_or(usize::MAX);
            let place = takes.len().saturating_add(n);
            let slot = signature.params.get(place).ok_or_else(|| wrong("has no such result"))?;
            let Array { buffer, .. } = made(n).ok_or_else(|| wrong("gave no array"))?;
            params.push(crate::signature::Slot { form: Form::Value, ..slot.clone() });
            values.push(Input::Given(buffer.clone()));
            origins.push(None);
        }
    }
    all.source.params = params;
    (all.inputs, all.origins) = (values, origins);
    Ok(())
}
