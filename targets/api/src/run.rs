//! Running a job on a back end: lowered for it, under the signature that lowering gives.

use crate::data::Input;
use crate::job::{Failed, Job, Outcome};
use crate::lower::lower_with;
use crate::signature::{self, Form, Signature, SlotId};
use crate::{Target, codes, interp, stages};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Effects, Ir, Traits};
use terrace_native_client::Turn;

/// Run on a back end: lowered for it, under the signature that lowering gives
pub fn run(target: &dyn Target, job: &Job<'_>) -> Result<Outcome, Failed> {
    Lowered::of(target, job)?.run(target, job)
}

/// A program lowered for a back end, to run as often as one likes
pub struct Lowered {
    /// Nothing for a back end that takes every level
    made: Option<(Box<Ir>, Signature)>,
    /// Functions that were run before it
    done: usize,
}

impl Lowered {
    /// Lower the program of a job; its inputs are not looked at
    pub fn of(target: &dyn Target, job: &Job<'_>) -> Result<Lowered, Failed> {
        let made = target.pipeline().map(|pipeline| lowered(job, pipeline)).transpose()?;
        Ok(Lowered { made, done: stages::count(job) })
    }

    /// Run it on the inputs of a job of the same program
    pub fn run(&self, target: &dyn Target, job: &Job<'_>) -> Result<Outcome, Failed> {
        let Some((ir, signature)) = &self.made else { return mapped(job, |job| in_turn(target, job)) };
        let job = Job { ir, signature, ..*job };
        // What is idle needs no device.
        if target.launches_kernels() && idle(ir, signature)? {
            return mapped(&job, interp::run);
        }
        let Some(all) = stages::prepare(target, &job, self.done)? else {
            return mapped(&job, |job| in_turn(target, job));
        };
        let job = Job { source: &all.source, inputs: &all.inputs, ..job };
        let mut outcome = mapped(&job, |job| in_turn(target, job))?;
        outcome.prepared = Some(all.prepared);
        outcome.arrays.retain_mut(|array| {
            if let SlotId::Param(n) = array.slot {
                let Some(origin) = all.origins[n] else { return false };
                array.slot = SlotId::Param(origin);
            }
            true
        });
        Ok(outcome)
    }
}

/// Back ends that know when a program is compiled take their turn then, others before all that they do
pub(crate) fn in_turn(target: &dyn Target, job: &Job<'_>) -> Result<Outcome, Failed> {
    let _held = job.workers.turn().filter(|_| !target.keeps_limits()).map(Turn::take);
    target.run(job)
}

/// Is nothing left to do, as for arrays without elements? Then there is no kernel either
fn idle(ir: &Ir, signature: &Signature) -> Result<bool, Failed> {
    let (unit, _) = signature::find(ir, Some(&signature.entry))?;
    let all = unit.walk_below(unit.root()).collect::<Vec<_>>();
    let works = |op| {
        let effects = unit.effects(op);
        let memory = effects != Effects::ALLOC && effects != Effects::NONE;
        memory && !unit.has(op, Traits::Terminator)
    };
    Ok(!all.into_iter().any(works))
}

/// The program after a named pipeline, and what its entry function takes now
fn lowered(job: &Job<'_>, pipeline: &str) -> Result<(Box<Ir>, Signature), Failed> {
    let mut ir = job.ir.clone_unit();
    let mut diags = Diags::default();
    let start = std::time::Instant::now();
    let done = lower_with(job.registry, &mut ir, pipeline, (job.threads, job.scheduling), &mut diags);
    let time = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    job.lowering_ns.set(job.lowering_ns.get().saturating_add(time));
    if done.is_none() {
        return Err(Failed(diags.into_vec()));
    }
    let (unit, entry) = signature::find(&ir, Some(&job.signature.entry))?;
    let signature = Signature::of(unit, entry)?;
    Ok((ir, signature))
}

/// Run under a signature that lowering may have changed: tensors became memory, and results memory arguments behind the others
///
/// Arguments keep their order. Tensor results of the source stand behind them, in order; its other results stay results.
fn mapped(job: &Job<'_>, run: impl FnOnce(&Job<'_>) -> Result<Outcome, Failed>) -> Result<Outcome, Failed> {
    let (source, signature) = (job.source, job.signature);
    let changed = || {
        let message = format!("lowering has changed the arguments of @{} in an unknown way", source.entry);
        Diagnostic::error(&codes::RUN_TYPE, message)
    };
    let extra = signature.params.len().checked_sub(source.params.len()).ok_or_else(changed)?;
    let as_argument: Vec<usize> = match extra {
        0 => Vec::new(),
        _ => (0..source.results.len())
            .filter(|n| matches!(source.results[*n].form, Form::Value | Form::Array))
            .collect(),
    };
    let as_result: Vec<usize> = (0..source.results.len()).filter(|n| !as_argument.contains(n)).collect();
    if as_argument.len() != extra || as_result.len() != signature.results.len() {
        return Err(changed().into());
    }
    let mut inputs = job.inputs.to_vec();
    for (n, slot) in as_argument.iter().zip(&signature.params[source.params.len()..]) {
        let shape = source.results[*n].static_shape().or_else(|| slot.static_shape()).ok_or_else(|| {
            Diagnostic::error(&codes::RUN_TYPE, format!("the type of result {n} leaves sizes open"))
        })?;
        inputs.push(Input::Undefined(slot.elem, shape));
    }
    let mut outcome = run(&Job { inputs: &inputs, ..*job })?;
    let first = source.params.len();
    let mut overwritten = Vec::new();
    outcome.arrays.retain_mut(|array| {
        array.slot = match array.slot {
            SlotId::Result(n) => SlotId::Result(as_result[n]),
            SlotId::Param(n) if n >= first => SlotId::Result(as_argument[n - first]),
            // A tensor of the source is a value: its memory is not observed afterwards, and is what it was.
            SlotId::Param(n) if source.params[n].form != Form::MemRef => {
                let before = match &inputs[n] {
                    Input::Given(before) => before.bytes(),
                    Input::Undefined(..) => array.buffer.bytes(),
                };
                if array.undefined.is_empty() && before != array.buffer.bytes() {
                    overwritten.push(source.name_of(SlotId::Param(n)));
                }
                return false;
            }
            SlotId::Param(n) => SlotId::Param(n),
        };
        array.name = source.name_of(array.slot);
        true
    });
    outcome.overwritten = overwritten;
    outcome.arrays.sort_by_key(|array| match array.slot {
        SlotId::Result(n) => (0, n),
        SlotId::Param(n) => (1, n),
    });
    Ok(outcome)
}
