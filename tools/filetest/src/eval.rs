//! Values of functions before and after the runs: `// eval: @f(7, -1) == 7`.
//!
//! A run that must trap: `== trap`, `== trap E0301`, or `== trap E0301 "division"` with a part of the message or of a note.
//! The input must give exactly what is written. An output must give the same, but that a poison value may have become
//! any value. What an output no longer has (its function was removed) is an error too.

use crate::failure::{Failure, Kind};
use terrace_diag::{Diags, render_all};
use terrace_interp::text::{parse_value, results_text, split};
use terrace_interp::{Interpreter, Options, Order, RtValue, Trap};
use terrace_ir::{Context, Ir};
use terrace_opt::Tool;
use terrace_text::ParseOptions;

/// One `eval:` line
#[derive(Clone, Debug)]
pub(crate) struct Eval {
    pub line: usize,
    pub text: String,
}

/// Check all lines on a text; `refined` says that poison may have become something
pub(crate) fn check(
    tool: Tool,
    name: &str,
    text: &str,
    evals: &[Eval],
    refined: bool,
) -> Result<(), Failure> {
    if evals.is_empty() {
        return Ok(());
    }
    let cx = Context::new(&(tool.dialects)());
    let source = cx.sources().add(name, text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_opt::language::read(&cx, source, None, &[], &ParseOptions::default(), &mut diags);
    let Some(ir) = parsed.filter(|_| !diags.has_errors()) else {
        return Err(wrong(render_all(diags.iter(), cx.sources(), false)));
    };
    let written_out = terrace_ir::expand::expanded(&ir);
    let ir = written_out.as_deref().unwrap_or(&ir);
    for eval in evals {
        one(&cx, ir, &eval.text, refined).map_err(|why| {
            let place = if refined { "after the run" } else { "in the input" };
            why.within(format_args!("{place}, `{}`", eval.text)).at(eval.line)
        })?;
    }
    Ok(())
}

fn wrong(why: impl Into<String>) -> Failure {
    Kind::Values.because(why)
}

fn one(cx: &Context, ir: &Ir, text: &str, refined: bool) -> Result<(), Failure> {
    let shape = || wrong("an evaluation is `@f(7, -1) == 7`");
    let (call, wanted) = text.split_once("==").ok_or_else(shape)?;
    let (name, args) =
        call.trim().strip_prefix('@').and_then(|call| call.split_once('(')).ok_or_else(shape)?;
    let args = split(args.trim_end().strip_suffix(')').ok_or_else(shape)?);
    let wanted = wanted.trim();
    let mut interpreter = Interpreter::new(ir, Options::default());
    let unit = interpreter.function(name).ok_or_else(|| wrong(format!("there is no function @{name}")))?;
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
    if inputs.len() != args.len() {
        return Err(wrong(format!("@{name} takes {} arguments", inputs.len())));
    }
    let args = args.iter().zip(inputs).map(|(arg, ty)| {
        parse_value(cx, arg, *ty).ok_or_else(|| wrong(format!("`{arg}` is no value of the argument's type")))
    });
    let args: Vec<RtValue> = args.collect::<Result<_, _>>()?;
    let found = interpreter.call(name, args.clone());
    if let Some(code) = wanted.strip_prefix("trap") {
        let (code, part) = code.trim().split_once(' ').unwrap_or((code.trim(), ""));
        let part = part.trim().trim_matches('"');
        let says = |trap: &Trap| {
            let notes = trap.notes.iter().map(|(_, note)| note.as_str());
            std::iter::once(trap.message.as_str()).chain(notes).any(|text| text.contains(part))
        };
        return match found {
            Err(trap) if (code.is_empty() || trap.code.id == code) && says(&trap) => Ok(()),
            Err(trap) => {
                let notes = trap.notes.iter().map(|(_, note)| format!("; {note}"));
                let notes: String = notes.collect();
                Err(wrong(format!("it traps with {}: {}{notes}", trap.code.id, trap.message)))
            }
            Ok(values) => Err(wrong(format!("it gives {}", results_text(&values)))),
        };
    }
    let found = found.map_err(|trap| wrong(format!("it traps with {}: {}", trap.code.id, trap.message)))?;
    let several = wanted.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    let parts = split(several.unwrap_or(wanted));
    if parts.len() != results.len() || parts.len() != found.len() {
        return Err(wrong(format!("it gives {} values: {}", found.len(), results_text(&found))));
    }
    // Runs of many steps are run once.
    if interpreter.steps() <= 100_000 {
        let slow = Options { quick: false, ..Options::default() };
        let again = Interpreter::new(ir, slow).call(name, args.clone());
        if !again.is_ok_and(|again| found.iter().zip(&again).all(|(a, b)| agrees(a, b, false))) {
            return Err(wrong("quick paths of the interpreter give something else"));
        }
    }
    // Parallel parts must give the same in every order of their members; what traps does not, since it may trap elsewhere.
    let in_any_order = interpreter.had_teams() && interpreter.steps() <= 1_000_000;
    for order in [Order::Reverse, Order::Seed(1)].into_iter().filter(|_| in_any_order) {
        let again = Interpreter::new(ir, Options { order, ..Options::default() }).call(name, args.clone());
        let again = again.map_err(|trap| wrong(format!("in another order it traps: {}", trap.message)))?;
        let same = found.iter().zip(&again).all(|(a, b)| agrees(a, b, false));
        if !same {
            return Err(wrong(format!("in another order it gives {}", results_text(&again))));
        }
    }
    for ((part, ty), value) in parts.iter().zip(results).zip(&found) {
        let wanted =
            parse_value(cx, part, *ty).ok_or_else(|| wrong(format!("`{part}` is no value of its type")))?;
        if !agrees(&wanted, value, refined) {
            return Err(wrong(format!("it gives {}", results_text(&found))));
        }
    }
    Ok(())
}

fn agrees(wanted: &RtValue, found: &RtValue, refined: bool) -> bool {
    match (wanted, found) {
        (RtValue::Poison, _) if refined => true,
        (RtValue::Vector(a), RtValue::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| agrees(a, b, refined))
        }
        _ => wanted == found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "func.func @f(%a: i8, %b: i8) -> (i8, i8) {\n  %c = arith.addi %a, %b overflow<nsw> : i8\n  \
                        %d = arith.divsi %a, %b : i8\n  return %c, %d : i8, i8\n}\n";

    fn checked(text: &str, refined: bool) -> Result<(), Failure> {
        check(Tool::OPT, "test.mlir", TEXT, &[Eval { line: 1, text: text.into() }], refined)
    }

    #[test]
    fn values_are_compared() {
        assert_eq!(checked("@f(7, 2) == (9, 3)", false), Ok(()));
        assert!(checked("@f(7, 2) == (9, 4)", false).is_err());
        assert!(checked("@g(7, 2) == (9, 3)", false).is_err());
        assert!(checked("@f(7) == (9, 3)", false).is_err());
    }

    #[test]
    fn traps_are_compared() {
        assert_eq!(checked("@f(7, 0) == trap E0301", false), Ok(()));
        assert!(checked("@f(7, 0) == trap E0302", false).is_err());
        assert!(checked("@f(7, 1) == trap", false).is_err());
    }

    #[test]
    fn poison_may_become_a_value() {
        assert_eq!(checked("@f(127, 1) == (poison, 127)", false), Ok(()));
        assert!(checked("@f(126, 1) == (poison, 126)", false).is_err());
        assert_eq!(checked("@f(126, 1) == (poison, 126)", true), Ok(()));
    }
}
