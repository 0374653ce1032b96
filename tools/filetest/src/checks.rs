//! For editors: what is wrong with a test file's directives, and its `check:` lines as the output would have them.

use crate::directives::{self, Run};
use crate::failure::{Failure, Kind};
use crate::matching::{self, normal};
use crate::{bless, runner};
use terrace_opt::Tool;

/// Lines of output that become `check:` and `next:` lines at most; more is a snapshot's work
const MOST: usize = 200;

/// What is wrong with the directives of a text; nothing if it has no `test:` line
pub fn mistake(text: &str) -> Option<Failure> {
    if is_test(text) { directives::read(text).err() } else { None }
}

/// Is it a test file?
pub fn is_test(text: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start().strip_prefix("//").is_some_and(|rest| rest.trim_start().starts_with("test:"))
    })
}

/// The text with `check:` and `next:` lines that its runs' output meets
///
/// Lines that are there are fitted, as `TERRACE_BLESS` does; a text without any gets them at its end, a line for each of the output.
pub fn written(tool: Tool, name: &str, text: &str) -> Result<String, Failure> {
    let found = directives::read(text)?;
    if found.runs.is_empty() {
        return Err(Kind::Directive.because("no `test: opt` line has output"));
    }
    if found.runs.iter().any(Run::expects_diagnostics) {
        return Err(Kind::Directive.because("a run with `--verify-diagnostics` has no output to check"));
    }
    let mut output = String::new();
    for run in &found.runs {
        runner::run(tool, name, text, run, &mut output, &mut String::new())?;
    }
    let new = if found.expectations.is_empty() {
        format!("{}{}", ended(text), checks(&output)?)
    } else {
        bless::fitted(text, &output, &found.expectations)
    };
    matching::check(&output, &directives::read(&new)?.expectations)?;
    Ok(new)
}

fn ended(text: &str) -> String {
    let end = if text.ends_with('\n') || text.is_empty() { "\n" } else { "\n\n" };
    format!("{text}{end}")
}

fn checks(output: &str) -> Result<String, Failure> {
    let lines: Vec<String> = output.lines().map(normal).collect();
    if lines.len() > MOST {
        let why = format!("the output has {} lines: write `// snapshot:` below the test", lines.len());
        return Err(Kind::Output.because(why));
    }
    let mut text = String::new();
    let mut adjacent = false;
    for line in lines {
        // What reads as a hole is no text to look for, and an empty line is none.
        if line.is_empty() || line.contains("{{") {
            adjacent = false;
            continue;
        }
        text += &format!("// {} {line}\n", if adjacent { "next:" } else { "check:" });
        adjacent = true;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// test: opt --pipeline=cse
func.func @f(%a: i32) -> i32 {
  %x = arith.muli %a, %a : i32
  %y = arith.muli %a, %a : i32
  %z = arith.addi %x, %y : i32
  return %z : i32
}
";

    #[test]
    fn checks_of_the_output_hold_and_are_fitted_when_it_changes() {
        let new = written(Tool::OPT, "t.mlir", TEXT).expect("it runs");
        assert!(new.starts_with(TEXT), "{new}");
        assert!(new.contains("\n// check: module {\n// next: func.func @f(%a: i32) -> i32 {\n"), "{new}");
        assert!(new.contains("// next: %z = arith.addi %x, %x : i32\n"), "{new}");
        let other = new.replacen("arith.addi", "arith.subi", 1);
        let fitted = written(Tool::OPT, "t.mlir", &other).expect("it runs");
        assert!(fitted.contains("// next: %z = arith.subi %x, %x : i32\n"), "{fitted}");
        assert_eq!(fitted.lines().count(), new.lines().count());
    }

    #[test]
    fn mistakes_and_texts_without_output() {
        assert_eq!(mistake("func.func @f()\n// check:\n"), None);
        assert_eq!(mistake(TEXT), None);
        let wrong = mistake("// test: opt\n// check:\n").expect("a mistake");
        assert_eq!((wrong.line, wrong.to_string().as_str()), (Some(2), "line 2: `check:` expects nothing"));
        assert!(written(Tool::OPT, "t.mlir", "// test: round-trip\n").is_err());
        assert!(written(Tool::OPT, "t.mlir", "// test: opt\nnonsense\n").is_err());
        assert!(written(Tool::OPT, "t.mlir", "// test: opt --verify-diagnostics\n").is_err());
    }
}
