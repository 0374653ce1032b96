//! Running on this CPU, in a worker: the one that holds LLVM, or the one that holds upstream MLIR.

use crate::data::{Array, Input, bits, data_error, set_bits};
use crate::job::{Failed, Job, Outcome};
use crate::signature::{Form, Place, Signature, Slot, display};
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_native_client::{Arg, EmitOptions, RunRequest, Worker};
use terrace_opt::codes;
use terrace_runtime_buffers::Buffer;

/// Run a lowered program on these arguments
pub(crate) fn run(
    job: &Job<'_>,
    mut worker: Worker,
    ir: &Ir,
    signature: &Signature,
    inputs: &[Input],
) -> Result<Outcome, Failed> {
    let mut args = Vec::new();
    for (n, (slot, input)) in signature.params.iter().zip(inputs).enumerate() {
        args.push(argument(slot, &display(&signature.params, n), input)?);
    }
    let module = terrace_opt::worker_text(ir);
    let request = RunRequest {
        entry: signature.entry.clone(),
        args,
        bench: None,
        threads: u32::try_from(job.threads).ok(),
        options: EmitOptions::default(),
    };
    // Results are those of one call on the inputs as they were given; repeated calls only give times.
    let reply = worker.run(&module, &request).map_err(advised)?;
    let mut times_ns = Vec::new();
    if job.bench.is_some() {
        times_ns =
            worker.run(&module, &RunRequest { bench: job.bench, ..request }).map_err(advised)?.times_ns;
    }
    let results = signature.results.iter().zip(&reply.results).enumerate();
    let results =
        results.map(|(n, (slot, arg))| (slot, display(&signature.results, n), Place::Result(n), arg));
    let params = signature.params.iter().zip(&reply.args).enumerate();
    let params = params.filter(|(_, (slot, _))| slot.form == Form::MemRef);
    let params = params.map(|(n, (slot, arg))| (slot, display(&signature.params, n), Place::Param(n), arg));
    let mut arrays = Vec::new();
    for (slot, name, place, arg) in results.chain(params) {
        arrays.push(Array { name, place, buffer: buffer(slot, arg)?, undefined: Vec::new() });
    }
    Ok(Outcome { arrays, times_ns, ..Outcome::default() })
}

/// With what there is to do about it
pub(crate) fn advised(errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let late = terrace_native_client::codes::WORKER_TIMEOUT.id;
    let advise = |error: Diagnostic| match error.code {
        Some(code) if code.id == late => error.help("`--time-limit=SECONDS` gives it more"),
        _ => error,
    };
    errors.into_iter().map(advise).collect()
}

fn argument(slot: &Slot, name: &str, input: &Input) -> Result<Arg, Diagnostic> {
    let start = input.start()?;
    let elem = slot.elem.name().to_string();
    match slot.form {
        Form::Scalar => Ok(Arg::Scalar { elem, bits: bits(&start, 0) }),
        Form::MemRef => {
            Ok(Arg::Buffer { shape: start.shape().to_vec(), elem, bytes: start.bytes().to_vec() })
        }
        Form::Value | Form::Array => {
            let message = format!("argument `{name}` is a tensor or vector still after lowering");
            Err(Diagnostic::error(&codes::RUN_TYPE, message))
        }
    }
}

fn buffer(slot: &Slot, arg: &Arg) -> Result<Buffer, Diagnostic> {
    match arg {
        Arg::Scalar { bits, .. } => {
            let mut buffer = Buffer::zeros(slot.elem, &[]).map_err(|error| data_error(&error))?;
            set_bits(&mut buffer, 0, *bits);
            Ok(buffer)
        }
        Arg::Buffer { shape, bytes, .. } => {
            let mut buffer = Buffer::zeros(slot.elem, shape).map_err(|error| data_error(&error))?;
            if buffer.bytes().len() != bytes.len() {
                let message = "the worker gave an array of another size";
                return Err(Diagnostic::error(&codes::DATA, message));
            }
            buffer.bytes_mut().copy_from_slice(bytes);
            Ok(buffer)
        }
    }
}
