//! Printing and parsing again gives the same text, in custom and generic form.

use crate::failure::{Failure, Kind};
use terrace_opt::{Tool, run_on};

/// Check a text that is valid IR; `args` are the run's own (dialect flags)
pub(crate) fn check(tool: Tool, own: &str, text: &str, flags: &[String]) -> Result<(), Failure> {
    for form in ["mlir", "generic"] {
        let mut args = flags.to_vec();
        args.push(format!("--emit={form}"));
        let first = print(tool, own, text, &args)?;
        // Whatever the text was written in, what was printed is MLIR.
        let name = "printed.mlir";
        args.retain(|arg| !arg.starts_with("--input=") && !arg.starts_with("--set="));
        let second = print(tool, name, &first, &args)
            .map_err(|why| changed(format!("the {form} form does not parse: {why}\n{first}")))?;
        if first != second {
            let why = format!("the {form} form changes when printed again:\n{first}\n---- then\n{second}");
            return Err(changed(why));
        }
        // Through the generic form and back to the custom one.
        if form == "generic" {
            args.retain(|arg| !arg.starts_with("--emit="));
            args.push("--emit=mlir".into());
            let there = print(tool, name, &first, &args)?;
            let mut direct = flags.to_vec();
            direct.push("--emit=mlir".into());
            let direct = print(tool, own, text, &direct)?;
            if there != direct {
                let why = format!("custom form differs after a round trip:\n{direct}\n---- then\n{there}");
                return Err(changed(why));
            }
        }
    }
    Ok(())
}

fn changed(why: String) -> Failure {
    Kind::RoundTrip.because(why)
}

fn print(tool: Tool, name: &str, text: &str, args: &[String]) -> Result<String, Failure> {
    let finished = run_on(tool, args, name, text).map_err(|misuse| Kind::Run.because(misuse.to_string()))?;
    match finished.out {
        Some(out) if !finished.failed => {
            String::from_utf8(out).map_err(|_| Kind::Run.because("the output is not UTF-8"))
        }
        _ => Err(Kind::Run.because(finished.messages)),
    }
}
