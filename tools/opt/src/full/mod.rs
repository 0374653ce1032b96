//! What the tool has with the feature `full`: every back end's forms of output, schedules and records, front ends for bytes, and
//! the reference pages.
//!
//! `plain.rs` has the same names without it, for a tool that is built in a minute.

mod graph;
mod memory;
mod records;

pub use records::RecordArgs;
pub use terrace_frontend_onnx::{Model, Weight};
pub(crate) use terrace_target_api::codes;

use crate::args::Args;
use crate::language::Binary;
use terrace_devices::MatrixUnit;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Context, Ir};
use terrace_pass::{OptionError, Pipeline};
use terrace_passes_mdh::codes::CHOICE;
use terrace_rewrite::Rule;
use terrace_target_api::{Emission, EmitOptions, Family, Scheduling};

/// Languages of this repository whose files are no text
pub(crate) const BINARIES: &[Binary] =
    &[Binary { name: "onnx", extension: "onnx", read: terrace_frontend_onnx::read }];

/// Forms that are no back end's, besides text and bytecode
const OWN: &[&str] = &["mdh", "graph", "graph-json", "memory"];

/// Words for these forms of output, and for those of back ends
pub(crate) fn forms() -> Vec<&'static str> {
    OWN.iter().copied().chain(terrace_targets::emissions().map(|emission| emission.name)).collect()
}

/// What `--help` says of these forms
pub(crate) fn help_of_forms() -> String {
    let of = |family: Family| {
        let names = terrace_targets::emissions().filter(|emission| emission.family == family);
        names.map(|emission| format!("`{}`", emission.name)).collect::<Vec<_>>().join(", ")
    };
    let own: Vec<String> = OWN.iter().map(|name| format!("`{name}`")).collect();
    format!(
        ", {} for the IR; code as {}; C as {}; hardware as {}",
        own.join(", "),
        of(Family::Code),
        of(Family::C),
        of(Family::Hardware)
    )
}

fn find(form: &str) -> Option<&'static Emission> {
    terrace_targets::emissions().find(|emission| emission.name == form)
}

/// What begins a comment in a back end's form; nothing in it for a form without comments
pub(crate) fn comment(form: &str) -> Option<Option<&'static str>> {
    find(form).map(|emission| emission.comment)
}

/// The component that this machine lacks for a form of output
pub(crate) fn missing(form: &str) -> Option<&'static str> {
    find(form).and_then(|emission| (emission.missing)())
}

/// Output in one of these forms; nothing for another
pub(crate) fn emit(args: &Args, ir: &Ir, out: &mut Vec<u8>) -> Option<Result<(), Vec<Diagnostic>>> {
    let text = match (args.emit.as_str(), find(&args.emit)) {
        (_, Some(emission)) => code(args, ir, emission),
        ("memory", _) => memory::report(ir).map(String::into_bytes),
        ("graph" | "graph-json", _) => graph::report(ir, args.emit == "graph-json").map(String::into_bytes),
        ("mdh", _) => {
            let mut diags = Diags::default();
            let text = terrace_frontend_mdh::from_ir::text(ir, &mut diags);
            text.map(String::into_bytes).ok_or_else(|| diags.into_vec())
        }
        _ => return None,
    };
    Some(text.map(|bytes| out.extend(bytes)))
}

fn code(args: &Args, ir: &Ir, emission: &Emission) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let options = EmitOptions {
        opt_level: args.opt_level,
        cpu: args.target_cpu.clone(),
        features: args.target_features.clone(),
    };
    let advise = |error| advised(error, emission.pipeline, &args.pipeline, ir.cx());
    (emission.make)(ir, &options).map_err(|errors| errors.into_iter().map(advise).collect())
}

/// What is not lowered yet: the pipeline that does it, or, where that has run or knows nothing of it, the dialect that is left
fn advised(mut error: Diagnostic, pipeline: &str, run: &str, cx: &Context) -> Diagnostic {
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

/// Set what the command line states of schedules
pub(crate) fn schedule(args: &Args, device: Option<&str>, pipeline: &mut Pipeline) -> Result<(), Diagnostic> {
    args.records.check()?;
    let fail = |why: OptionError| Diagnostic::error(&terrace_pass::codes::OPTION, why.to_string());
    let units = lacking_units(args);
    for (option, value) in [("target", device), ("matrix-units", units.as_deref())] {
        let Some(value) = value else { continue };
        for pass in ["mdh-apply-records", "mdh-schedule"] {
            pipeline.set(pass, option, value).map_err(fail)?;
        }
    }
    let records = args.records.of(args.units);
    let wanted = records.is_some();
    let steps = Scheduling { units: args.units, records }.set(pipeline).map_err(fail)?;
    if wanted && steps == 0 {
        let why = OptionError::because("`--records` wants a pipeline with `mdh-apply-records`");
        return Err(
            fail(why).help("the named pipelines have it: `--pipeline=to-host`; `--list-passes` shows them")
        );
    }
    Ok(())
}

/// Units for narrow types of the processor that code is requested for, where it lacks some: schedules for this machine may count
/// on its own
fn lacking_units(args: &Args) -> Option<String> {
    let features = args.target_features.as_deref().unwrap_or("");
    let units = MatrixUnit::compiled_for(args.target_cpu.as_deref(), features);
    (units != MatrixUnit::ALL).then(|| MatrixUnit::words(&units))
}

/// The pipeline up to the pass that chooses schedules
pub(crate) fn scheduling() -> String {
    format!("{})", terrace_target_api::scheduled!("host", ""))
}

/// Does a message explain the choice of a schedule?
pub(crate) fn is_choice(message: &Diagnostic) -> bool {
    message.code == Some(&CHOICE)
}

/// Rules of the library, which no op brings along
pub(crate) fn library() -> Vec<&'static dyn Rule> {
    terrace_passes_array::LIBRARY.rules.iter().copied().flatten().copied().collect()
}

/// Rules for dependent reductions, with their laws
pub(crate) fn dependent() -> Vec<(&'static str, &'static str)> {
    terrace_passes_mdh::dependent::rules::ALL.iter().map(|rule| (rule.name, rule.law)).collect()
}
