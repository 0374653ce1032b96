//! Forms of output.
//!
//! Text of IR is printed here, and C, OpenCL C and CUDA C by the library that makes them. What needs LLVM is asked of the worker `terrace-native`, which is started for it.

use crate::args::Args;
use crate::codes;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Context, Effects, Ir, OpId, Traits};
use terrace_lowering_c::{Flavor, Options};
use terrace_native_client::{EmitKind, EmitOptions, Worker};
use terrace_text::PrintOptions;

/// Forms of output with what each is
pub const FORMS: &[(&str, &str)] = &[
    ("mlir", "MLIR text"),
    ("generic", "MLIR text in generic form"),
    ("mdh", "MDH text of functions that are one computation each"),
    ("llvm", "LLVM IR"),
    ("asm", "assembly of the CPU"),
    ("obj", "an object file for the linker"),
    ("shared", "a library that programs load, with the runtime in it"),
    ("ptx", "PTX of the device modules"),
    ("opencl", "OpenCL C of the device modules"),
    ("cuda", "CUDA C of the device modules"),
    ("openmp", "C with OpenMP of the host functions"),
    ("header", "a C header of the host functions"),
    ("memory", "no program: the buffers of each function and their bytes"),
];

/// What stands between the outputs of two cases
pub(crate) fn separator(form: &str) -> &'static [u8] {
    match form {
        "llvm" => b"; -----\n",
        "asm" => b"# -----\n",
        _ => b"// -----\n",
    }
}

/// Text or code of a verified module
pub(crate) fn emit(args: &Args, ir: &Ir, out: &mut Vec<u8>) -> Result<(), Vec<Diagnostic>> {
    let options = PrintOptions {
        generic: args.emit == "generic",
        debuginfo: args.print_debuginfo,
        threads: args.threads.into(),
        ..PrintOptions::default()
    };
    match (args.emit.as_str(), EmitKind::from_name(&args.emit)) {
        ("mlir" | "generic", _) => terrace_text::print_to(ir, &options, out).map_err(|error| {
            vec![Diagnostic::error(&codes::WRITE, format!("cannot write the output: {error}"))]
        }),
        ("memory", _) => {
            out.extend(crate::memory::report(ir)?.into_bytes());
            Ok(())
        }
        ("mdh", _) => {
            let mut diags = Diags::default();
            let text = terrace_frontend_mdh::from_ir::text(ir, &mut diags);
            out.extend(text.map(String::into_bytes).ok_or_else(|| diags.into_vec())?);
            Ok(())
        }
        ("shared", _) => {
            out.extend(crate::link::shared(&code(args, ir, EmitKind::Obj)?)?);
            Ok(())
        }
        ("header", _) => {
            let mut diags = Diags::default();
            let text = terrace_lowering_c::header(ir, &mut diags);
            out.extend(text.map(String::into_bytes).ok_or_else(|| diags.into_vec())?);
            Ok(())
        }
        (_, Some(kind)) => {
            out.extend(code(args, ir, kind)?);
            Ok(())
        }
        (form, None) if Flavor::from_name(form).is_some() => {
            let flavor = Flavor::from_name(form).unwrap_or(Flavor::OpenMp);
            let mut diags = Diags::default();
            let printed = terrace_lowering_c::print(ir, flavor, &Options::default(), &mut diags);
            out.extend(printed.map(|printed| printed.text.into_bytes()).ok_or_else(|| diags.into_vec())?);
            Ok(())
        }
        (form, None) => {
            let message = format!("this build of the tool has no back end for `{form}`");
            Err(vec![Diagnostic::error(&codes::EMIT, message).help("`--help` lists the forms there are")])
        }
    }
}

/// The text that a worker makes code of: a module without ops that say something and do nothing, such as the space that a
/// search was given; they may be of dialects that a worker does not know
pub fn worker_text(ir: &Ir) -> String {
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

/// What the worker makes of a module
fn code(args: &Args, ir: &Ir, kind: EmitKind) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let module = worker_text(ir);
    let options = EmitOptions {
        opt_level: args.opt_level,
        cpu: args.target_cpu.clone(),
        features: args.target_features.clone(),
    };
    let mut worker = Worker::start().map_err(|error| vec![error])?;
    let made = worker.emit(&module, kind, &options);
    if made.is_ok() && (args.target_cpu.is_some() || args.target_features.is_some()) {
        worker.finish().map_err(|error| vec![error])?;
    }
    made.map_err(|errors| {
        errors.into_iter().map(|error| advised(error, kind, &args.pipeline, ir.cx())).collect()
    })
}

/// What is not lowered yet: the pipeline that does it, or, where that has run or knows nothing of it, the dialect that is left
fn advised(mut error: Diagnostic, kind: EmitKind, run: &str, cx: &Context) -> Diagnostic {
    let pipeline = if kind == EmitKind::Ptx { "to-ptx" } else { "to-host" };
    let unlowered = terrace_native_client::codes::UNSUPPORTED_OP.id;
    if error.code.is_none_or(|code| code.id != unlowered) {
        return error;
    }
    let name = error.message.split('`').nth(1).unwrap_or("").to_string();
    let Some(dialect) = cx.kind_by_name(&name).and_then(|op| cx.dialect_of(op)) else { return error };
    let ran = run.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == pipeline);
    if !crate::all_dialects().contains(&dialect) {
        error.help.clear();
        let when = if ran {
            format!("is left after `{pipeline}`")
        } else {
            format!("is none that `{pipeline}` lowers")
        };
        return error
            .help(format!("dialect `{}` {when}: a pass of yours has to lower it before", dialect.name));
    }
    if ran {
        error.help.clear();
        return error.help(format!(
            "`{name}` is left after `{pipeline}`: a pass has to put other ops in its place before"
        ));
    }
    if error.help.is_empty() { error.help(format!("lower it first: --pipeline={pipeline}")) } else { error }
}
