//! What is to be run, and what a run gave.

use crate::args::Backend;
use crate::data::{Array, Input};
use crate::signature::{self, Form, Place, Signature};
use crate::{device, interp, openmp, worker};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Effects, Ir, Traits};
use terrace_lowering_c::Flavor;
use terrace_native_client::Worker;
use terrace_opt::{Tool, codes};

/// A program at some level with the content of its arguments
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub tool: Tool,
    pub ir: &'a Ir,
    /// Of the file as its author wrote it: names and positions on the command line mean this
    pub source: &'a Signature,
    /// Of `ir`
    pub signature: &'a Signature,
    pub inputs: &'a [Input],
    /// Measure so many runs
    pub bench: Option<u32>,
    pub threads: usize,
    pub fuel: u64,
    /// Longest time of a program in another process
    pub limit: std::time::Duration,
    /// How the interpreter orders what is parallel
    pub order: terrace_interp::Order,
    /// Threads of a subgroup in the interpreter
    pub subgroup: u64,
    /// Nanoseconds that lowering took so far
    pub lowering_ns: &'a std::cell::Cell<u64>,
}

/// What a run gave
#[derive(Default, Debug)]
pub(crate) struct Outcome {
    /// In terms of the source signature: results first, then memory arguments
    pub arrays: Vec<Array>,
    pub times_ns: Vec<u64>,
    /// Of each measured run the kernels in the order of their launches, with the device's time of each: they add up to the run's
    pub launches: Vec<Vec<(String, u64)>>,
}

/// Why there is no outcome
#[derive(Debug)]
pub(crate) struct Failed(pub Vec<Diagnostic>);

impl From<Diagnostic> for Failed {
    fn from(error: Diagnostic) -> Failed {
        Failed(vec![error])
    }
}

impl From<Vec<Diagnostic>> for Failed {
    fn from(errors: Vec<Diagnostic>) -> Failed {
        Failed(errors)
    }
}

/// Run on a back end
pub(crate) fn run(job: &Job<'_>, backend: Backend) -> Result<Outcome, Failed> {
    match backend {
        Backend::Interp => {
            mapped(job, job.signature, |signature, inputs| Ok(interp::run(job, signature, inputs)?))
        }
        Backend::Host => {
            let (ir, signature) = lower(job, "to-host")?;
            mapped(job, &signature, |signature, inputs| {
                worker::run(job, Worker::start()?.within(job.limit), &ir, signature, inputs)
            })
        }
        Backend::Mlir => {
            let (mut ir, mut signature) = lower(job, "to-mlir")?;
            signature.entry = crate::names::make_local(&mut ir, &signature.entry);
            mapped(job, &signature, |signature, inputs| {
                worker::run(job, Worker::start_upstream()?.within(job.limit), &ir, signature, inputs)
            })
        }
        Backend::Ptx => {
            let (ir, signature) = lower(job, "to-ptx")?;
            if idle(&ir, &signature)? {
                return without_device(job, &ir, &signature);
            }
            let start = |several| device::cuda::Cuda::start_ptx(&ir, several);
            mapped(job, &signature, |signature, inputs| {
                device::run(job, &ir, signature, inputs, device::ptx::signatures(&ir), start)
            })
        }
        Backend::Openmp => {
            let (ir, signature) = lower(job, "to-openmp-native")?;
            mapped(job, &signature, |signature, inputs| openmp::run(job, &ir, signature, inputs))
        }
        Backend::Opencl => {
            let (ir, signature) = lower(job, "to-opencl")?;
            if idle(&ir, &signature)? {
                return without_device(job, &ir, &signature);
            }
            let printed = device::print(&ir, Flavor::OpenCl)?;
            let start = |several| device::opencl::OpenCl::start(&printed.text, several);
            mapped(job, &signature, |signature, inputs| {
                device::run(job, &ir, signature, inputs, printed.signatures.clone(), start)
            })
        }
        Backend::Cuda => {
            let (ir, signature) = lower(job, "to-cuda")?;
            if idle(&ir, &signature)? {
                return without_device(job, &ir, &signature);
            }
            let printed = device::print(&ir, Flavor::Cuda)?;
            let start = |several| device::cuda::Cuda::start(&printed.text, several);
            mapped(job, &signature, |signature, inputs| {
                device::run(job, &ir, signature, inputs, printed.signatures.clone(), start)
            })
        }
    }
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

/// What is idle needs no device
fn without_device(job: &Job<'_>, ir: &Ir, signature: &Signature) -> Result<Outcome, Failed> {
    let job = Job { ir, ..*job };
    mapped(&job, signature, |signature, inputs| Ok(interp::run(&job, signature, inputs)?))
}

/// The program after a named pipeline, and what its entry function takes now
fn lower(job: &Job<'_>, pipeline: &str) -> Result<(Box<Ir>, Signature), Failed> {
    let mut ir = job.ir.clone_unit();
    let mut diags = Diags::default();
    let start = std::time::Instant::now();
    let done = crate::lower(job.tool, &mut ir, pipeline, job.threads, &mut diags);
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
fn mapped(
    job: &Job<'_>,
    signature: &Signature,
    run: impl FnOnce(&Signature, &[Input]) -> Result<Outcome, Failed>,
) -> Result<Outcome, Failed> {
    let source = job.source;
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
