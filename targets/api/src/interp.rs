//! Running in the reference interpreter.

use crate::data::{Array, from_memory, from_rt, to_rt};
use crate::job::{Failed, Job, Outcome};
use crate::signature::{Form, SlotId, display};
use std::time::Instant;
use terrace_diag::Diagnostic;
use terrace_interp::{Device, Interpreter, Options, RtValue};
use terrace_native_client::protocol::is_slow;

/// Run a function on these arguments
pub fn run(job: &Job<'_>) -> Result<Outcome, Failed> {
    let mut outcome = Outcome::default();
    for _ in 0..job.bench.unwrap_or(1) {
        let (arrays, ns) = once(job, None)?;
        outcome = Outcome { arrays, times_ns: [outcome.times_ns, vec![ns]].concat(), ..outcome };
        if is_slow(&outcome.times_ns, job.stop_ns) {
            break;
        }
    }
    Ok(outcome)
}

/// Run once, with kernels handed to a device
pub fn run_with(job: &Job<'_>, device: Box<dyn Device>) -> Result<Outcome, Failed> {
    let (arrays, _) = once(job, Some(device))?;
    Ok(Outcome { arrays, ..Outcome::default() })
}

fn once(job: &Job<'_>, device: Option<Box<dyn Device>>) -> Result<(Vec<Array>, u64), Diagnostic> {
    let signature = job.signature;
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
    for (slot, input) in signature.params.iter().zip(job.inputs) {
        args.push(to_rt(interpreter.memory(), slot.form, input).map_err(|trap| trap.diagnostic())?);
    }
    let start = Instant::now();
    let results = interpreter.call(&signature.entry, args.clone()).map_err(|trap| trap.diagnostic())?;
    let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut arrays = Vec::new();
    let mut push = |name: String, slot, (buffer, undefined)| {
        arrays.push(Array { name, slot, buffer, undefined });
    };
    for (n, (slot, value)) in signature.results.iter().zip(&results).enumerate() {
        let name = display(&signature.results, n);
        let found = match value {
            RtValue::MemRef(view) => from_memory(interpreter.memory(), view, slot.elem)?,
            value => from_rt(value, slot.elem, slot.static_shape())?,
        };
        push(name, SlotId::Result(n), found);
    }
    for (n, (slot, value)) in signature.params.iter().zip(&args).enumerate() {
        if let (Form::MemRef, RtValue::MemRef(view)) = (slot.form, value) {
            let found = from_memory(interpreter.memory(), view, slot.elem)?;
            push(display(&signature.params, n), SlotId::Param(n), found);
        }
    }
    Ok((arrays, ns))
}
