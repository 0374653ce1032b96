//! Forms of output.
//!
//! Text of IR is printed here. Code and dialects of C are forms of back ends, which have them in tables ([`Emission`]).

use crate::args::Args;
use crate::codes;
use crate::forms::find;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Context, Ir};
use terrace_target_api::EmitOptions;
use terrace_text::PrintOptions;

/// How IR is printed as text
pub(crate) fn print_options(args: &Args) -> PrintOptions {
    PrintOptions {
        generic: args.emit == "generic",
        debuginfo: args.print_debuginfo,
        threads: args.threads.into(),
        ..PrintOptions::default()
    }
}

/// Text or code of a verified module
pub(crate) fn emit(args: &Args, ir: &Ir, out: &mut Vec<u8>) -> Result<(), Vec<Diagnostic>> {
    let options = print_options(args);
    match (args.emit.as_str(), find(&args.emit)) {
        (_, Some(emission)) => {
            let options = EmitOptions {
                opt_level: args.opt_level,
                cpu: args.target_cpu.clone(),
                features: args.target_features.clone(),
            };
            let advise = |error| advised(error, emission.pipeline, &args.pipeline, ir.cx());
            let made = (emission.make)(ir, &options);
            out.extend(made.map_err(|errors| errors.into_iter().map(advise).collect::<Vec<_>>())?);
            Ok(())
        }
        ("bytecode", _) => {
            let bytes = terrace_bytecode::write(ir, terrace_bytecode::WriteOptions::default());
            out.extend(bytes.map_err(|error| vec![*error])?);
            Ok(())
        }
        ("memory", _) => {
            out.extend(crate::memory::report(ir)?.into_bytes());
            Ok(())
        }
        ("graph" | "graph-json", _) => {
            out.extend(crate::graph::report(ir, args.emit == "graph-json")?.into_bytes());
            Ok(())
        }
        ("mdh", _) => {
            let mut diags = Diags::default();
            let text = terrace_frontend_mdh::from_ir::text(ir, &mut diags);
            out.extend(text.map(String::into_bytes).ok_or_else(|| diags.into_vec())?);
            Ok(())
        }
        _ => terrace_text::print_to(ir, &options, out).map_err(|error| {
            vec![Diagnostic::error(&codes::WRITE, format!("cannot write the output: {error}"))]
        }),
    }
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
