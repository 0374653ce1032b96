//! Code and runs by a worker: the one that holds LLVM, or the one that holds upstream MLIR.

use crate::codes;
use crate::data::{Array, Input, bits, data_error, set_bits};
use crate::job::{Failed, Job, Outcome};
use crate::signature::{Form, Slot, SlotId, display};
use terrace_diag::Diagnostic;
use terrace_ir::{Effects, Ir, OpId, Traits};
use terrace_native_client::{Arg, EmitKind, EmitOptions, Holds, RunRequest, Worker};
use terrace_runtime_buffers::Buffer;
use terrace_text::PrintOptions;

/// Run a lowered program by a worker that holds this
pub fn run(job: &Job<'_>, holds: Holds) -> Result<Outcome, Failed> {
    let signature = job.signature;
    let mut args = Vec::new();
    for (n, (slot, input)) in signature.params.iter().zip(job.inputs).enumerate() {
        args.push(argument(slot, &display(&signature.params, n), input)?);
    }
    let module = text(job.ir);
    let request = RunRequest {
        entry: signature.entry.clone(),
        args,
        bench: job.bench,
        stop_ns: job.stop_ns,
        waits: false,
        threads: u32::try_from(job.threads).ok(),
        options: EmitOptions::default(),
    };
    // Results are those of one call on the inputs as they were given; repeated calls only give times.
    let ask = |worker: &mut Worker| worker.run_in_turn(&module, &request, job.workers.turn());
    let reply = job.workers.ask(holds, job.limits, ask)?.map_err(advised)?;
    let results = signature.results.iter().zip(&reply.results).enumerate();
    let results =
        results.map(|(n, (slot, arg))| (slot, display(&signature.results, n), SlotId::Result(n), arg));
    let params = signature.params.iter().zip(&reply.args).enumerate();
    let params = params.filter(|(_, (slot, _))| slot.form == Form::MemRef);
    let params = params.map(|(n, (slot, arg))| (slot, display(&signature.params, n), SlotId::Param(n), arg));
    let mut arrays = Vec::new();
    for (slot, name, id, arg) in results.chain(params) {
        arrays.push(Array { name, slot: id, buffer: buffer(slot, arg)?, undefined: Vec::new() });
    }
    Ok(Outcome { arrays, times_ns: reply.times_ns, ..Outcome::default() })
}

/// The text that a worker makes code of: a module without ops that say something and do nothing, such as the space that a
/// search was given; they may be of dialects that a worker does not know
pub fn text(ir: &Ir) -> String {
    let ops =
        || ir.regions(ir.root()).flat_map(|region| ir.blocks(region)).flat_map(|block| ir.block_ops(block));
    let idle = |op: &OpId| {
        let plain = ir.child(*op).is_none() && ir.num_results(*op) == 0;
        plain && !ir.has(*op, Traits::Symbol) && ir.effects(*op) == Effects::NONE
    };
    let idle: Vec<OpId> = ops().filter(idle).collect();
    let mut text = String::new();
    if idle.is_empty() {
        terrace_text::print(ir, &PrintOptions::default(), &mut text);
    } else {
        let mut rest = ir.clone_unit();
        idle.into_iter().for_each(|op| rest.erase(op));
        terrace_text::print(&rest, &PrintOptions::default(), &mut text);
    }
    text
}

/// The component that this machine lacks: the worker that holds LLVM
pub fn missing() -> Option<&'static str> {
    terrace_native_client::client::find().is_err().then_some("llvm")
}

/// What the worker that holds LLVM makes of a module
pub fn code(ir: &Ir, kind: EmitKind, options: &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let module = text(ir);
    let mut worker = Worker::start().map_err(|error| vec![error])?;
    let made = worker.emit(&module, kind, options);
    if made.is_ok() && (options.cpu.is_some() || options.features.is_some()) {
        worker.finish().map_err(|error| vec![error])?;
    }
    made
}

/// With what there is to do about it
pub fn advised(errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
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
