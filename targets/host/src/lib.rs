//! This CPU through LLVM, which the worker `terrace-native` holds.

mod link;

use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Ir;
use terrace_native_client::{EmitKind, Worker};
use terrace_target_api::{
    Emission, EmitOptions, Failed, Family, Job, NamedPipeline, Outcome, Target, loops, worker,
};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-host",
    text: loops!(
        "",
        ",scf-peel-first,gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,scf-parallel-to-calls,convert-scf-to-cf,canonicalize,cse"
    ),
    summary: "To blocks over scalars, vectors and memory: what the LLVM back end takes",
}];

/// The back end
pub struct Host;

/// Its entry in the list
pub const TARGET: Host = Host;

/// A form that LLVM makes
const fn code(
    name: &'static str,
    help: &'static str,
    ending: &'static str,
    comment: Option<&'static str>,
    make: fn(&Ir, &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>>,
) -> Emission {
    Emission {
        name,
        help,
        ending,
        family: Family::Code,
        comment,
        pipeline: "to-host",
        missing: worker::missing,
        make,
    }
}

const EMISSIONS: &[Emission] = &[
    code("llvm", "LLVM IR", "ll", Some(";"), |ir, how| worker::code(ir, EmitKind::Llvm, how)),
    code("asm", "assembly of the CPU", "s", Some("#"), |ir, how| worker::code(ir, EmitKind::Asm, how)),
    code("obj", "an object file for the linker", "o", None, object),
    code("shared", "a library that programs load, with the runtime in it", "so", None, |ir, how| {
        link::shared(&object(ir, how)?)
    }),
    Emission {
        name: "header",
        help: "a C header of the host functions",
        ending: "h",
        family: Family::C,
        comment: None,
        pipeline: "to-host",
        missing: || None,
        make: header,
    },
];

fn object(ir: &Ir, options: &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    worker::code(ir, EmitKind::Obj, options)
}

fn header(ir: &Ir, _: &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut diags = Diags::default();
    let text = terrace_lowering_c::header(ir, &mut diags);
    text.map(String::into_bytes).ok_or_else(|| diags.into_vec())
}

impl Target for Host {
    fn name(&self) -> &'static str {
        "host"
    }

    fn help(&self) -> &'static str {
        "This CPU, through LLVM"
    }

    fn pipeline(&self) -> Option<&'static str> {
        Some("to-host")
    }

    fn missing(&self) -> Option<&'static str> {
        worker::missing()
    }

    fn emissions(&self) -> &'static [Emission] {
        EMISSIONS
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        worker::run(job, Worker::start()?)
    }
}
