//! Printing and parsing again gives the same text, in custom and generic form.

use terrace_opt::{Tool, run_on};

/// Check a text that is valid IR; `args` are the run's own (dialect flags)
pub(crate) fn check(tool: Tool, name: &str, text: &str, flags: &[String]) -> Result<(), String> {
    for form in ["mlir", "generic"] {
        let mut args = flags.to_vec();
        args.push(format!("--emit={form}"));
        let first = print(tool, name, text, &args)?;
        let second = print(tool, name, &first, &args)
            .map_err(|why| format!("the {form} form does not parse: {why}\n{first}"))?;
        if first != second {
            return Err(format!("the {form} form changes when printed again:\n{first}\n---- then\n{second}"));
        }
        // Through the generic form and back to the custom one.
        let mut back = flags.to_vec();
        back.push("--emit=mlir".into());
        let there = print(tool, name, &first, &back)?;
        let direct = print(tool, name, text, &back)?;
        if form == "mlir" && there != direct {
            return Err(format!("custom form differs after a round trip:\n{direct}\n---- then\n{there}"));
        }
    }
    Ok(())
}

fn print(tool: Tool, name: &str, text: &str, args: &[String]) -> Result<String, String> {
    let finished = run_on(tool, args, name, text)?;
    match finished.out {
        Some(out) if !finished.failed => String::from_utf8(out).map_err(|_| "the output is not UTF-8".into()),
        _ => Err(finished.messages),
    }
}
