//! Running in the reference interpreter.

use crate::data::{Array, Input, from_memory, from_rt, to_rt};
use crate::job::{Job, Outcome};
use crate::signature::{Form, Place, Signature, display};
use std::time::Instant;
use terrace_diag::Diagnostic;
use terrace_interp::{Device, Interpreter, Options, RtValue};

/// Run a function on these arguments
pub(crate) fn run(job: &Job<'_>, signature: &Signature, inputs: &[Input]) -> Result<Outcome, Diagnostic> {
    let mut outcome = Outcome::default();
    for _ in 0..job.bench.unwrap_or(1) {
        let (arrays, ns) = once(job, signature, inputs, None)?;
        outcome = Outcome { arrays, times_ns: [outcome.times_ns, vec![ns]].concat(), ..outcome };
    }
    Ok(outcome)
}

/// Run once, with kernels handed to a device
pub(crate) fn run_with(
    job: &Job<'_>,
    signature: &Signature,
    inputs: &[Input],
    device: Box<dyn Device>,
) -> Result<Outcome, Diagnostic> {
    let (arrays, _) = once(job, signature, inputs, Some(device))?;
    Ok(Outcome { arrays, ..Outcome::default() })
}

fn once(
    job: &Job<'_>,
    signature: &Signature,
    inputs: &[Input],
    device: Option<Box<dyn Device>>,
) -> Result<(Vec<Array>, u64), Diagnostic> {
    let options = Options {
        fuel: job.fuel,
        elements: 1 << 28,
        order: job.order,
        subgroup: job.subgroup,
        ..Options::default()
    };
    let written_out = terrace_ir::expand::expanded(job.ir);
    let mut interpreter = Interpreter::new(written_out.as_deref().unwrap_or(job.ir), options);
    if let Some(device) = device {
        interpreter.set_device(device);
    }
    let mut args = Vec::new();
    for (slot, input) in signature.params.iter().zip(inputs) {
        args.push(to_rt(interpreter.memory(), slot.form, input).map_err(|trap| trap.diagnostic())?);
    }
    let start = Instant::now();
    let results = interpreter.call(&signature.entry, args.clone()).map_err(|trap| trap.diagnostic())?;
    let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut arrays = Vec::new();
    let mut push = |name: String, place, (buffer, undefined)| {
        arrays.push(Array { name, place, buffer, undefined });
    };
    for (n, (slot, value)) in signature.results.iter().zip(&results).enumerate() {
        let name = display(&signature.results, n);
        let found = match value {
            RtValue::MemRef(view) => from_memory(interpreter.memory(), view, slot.elem)?,
            value => from_rt(value, slot.elem, slot.static_shape())?,
        };
        push(name, Place::Result(n), found);
    }
    for (n, (slot, value)) in signature.params.iter().zip(&args).enumerate() {
        if let (Form::MemRef, RtValue::MemRef(view)) = (slot.form, value) {
            let found = from_memory(interpreter.memory(), view, slot.elem)?;
            push(display(&signature.params, n), Place::Param(n), found);
        }
    }
    Ok((arrays, ns))
}
