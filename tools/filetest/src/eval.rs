//! Values of functions before and after the runs: `// eval: @f(7, -1) == 7`.
//!
//! A run that must trap: `== trap`, `== trap E0301`, or `== trap E0301 "division"` with a part of the message or of a note.
//! Buffers are given as lists of their elements, row by row, with the sizes before if one is open: `@f([1, 2], 2x1[0, 0]) == 7
//! leaving [1, 3], 2x1[0, 0]` says what each holds afterwards.
//! The input must give exactly what is written. An output must give the same, but that a poison value may have become
//! any value. What an output no longer has (its function was removed) is an error too.

use crate::failure::{Failure, Kind};
use terrace_diag::{Diags, render_all};
use terrace_interp::text::{parse_value, split};
use terrace_interp::{Interpreter, Options, RtValue, Trap};
use terrace_ir::{Context, Ir, Type};
use terrace_opt::Tool;
use terrace_refine::{Arg, Call, Limits, Observation, Observations, Place, Seen, agrees, observe};
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
    options: &ParseOptions,
) -> Result<(), Failure> {
    if evals.is_empty() {
        return Ok(());
    }
    let cx = Context::new(&tool.all_dialects());
    let source = cx.sources().add(name, text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_opt::language::read(&cx, source, None, &[], options, &mut diags);
    let Some(ir) = parsed.filter(|_| !diags.has_errors()) else {
        return Err(wrong(render_all(diags.iter(), cx.sources(), false)));
    };
    let written_out = terrace_ir::expand::expanded(&ir);
    let ir = written_out.as_deref().unwrap_or(&ir);
    for eval in evals {
        one(&cx, ir, &eval.text, refined).map_err(|why| {
            let (kind, place) =
                if refined { (Kind::Changed, "after the run") } else { (Kind::Values, "in the input") };
            why.within(format_args!("{place}, `{}`", eval.text)).at(eval.line).of(kind)
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
    let args = args.trim_end().strip_suffix(')').ok_or_else(shape)?;
    let (wanted, left) = match wanted.split_once(" leaving ") {
        Some((wanted, left)) => (wanted.trim(), Some(left)),
        None => (wanted.trim(), None),
    };
    let unit = Interpreter::new(ir, Options::default())
        .function(name)
        .ok_or_else(|| wrong(format!("there is no function @{name}")))?;
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
    let call = Call::parse(cx, name, args, inputs).map_err(wrong)?;
    let seen = observe(ir, &call, Options::default());
    if let Some(code) = wanted.strip_prefix("trap") {
        return trapped(code, &seen);
    }
    let found = seen
        .end
        .as_ref()
        .map_err(|trap| wrong(format!("it traps with {}: {}", trap.code.id, trap.message)))?;
    let values: Vec<&Seen> =
        found.iter().filter(|(place, _)| matches!(place, Place::Result(_))).map(|(_, seen)| seen).collect();
    let several = wanted.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    let parts = split(several.unwrap_or(wanted));
    if parts.len() != results.len() || parts.len() != values.len() {
        return Err(wrong(format!("it gives {} values: {}", values.len(), shown(&values))));
    }
    same_in_other_ways(ir, &call, &seen)?;
    for ((part, ty), value) in parts.iter().zip(results).zip(&values) {
        let wanted =
            parse_value(cx, part, *ty).ok_or_else(|| wrong(format!("`{part}` is no value of its type")))?;
        let agree = match value {
            Seen::Value(value) => agree(&wanted, value, refined),
            // Poison may become a buffer, whatever it holds.
            Seen::Buffer(_) | Seen::Hidden => refined && wanted == RtValue::Poison,
        };
        if !agree {
            return Err(wrong(format!("it gives {}", shown(&values))));
        }
    }
    left.map_or(Ok(()), |left| buffers(cx, left, inputs, found, refined))
}

/// Compare what buffers hold afterwards, those of all arguments that are buffers
fn buffers(
    cx: &Context,
    left: &str,
    inputs: &[Type],
    found: &[(Place, Seen)],
    refined: bool,
) -> Result<(), Failure> {
    let parts = split(left);
    let found: Vec<(usize, &Seen)> = found
        .iter()
        .filter_map(|(place, seen)| match place {
            Place::Argument(n) => Some((*n, seen)),
            _ => None,
        })
        .collect();
    if parts.len() != found.len() {
        return Err(wrong(format!("{} arguments are buffers", found.len())));
    }
    for (part, (n, seen)) in parts.iter().zip(found) {
        let wanted = inputs.get(n).and_then(|ty| Arg::parse(cx, part, *ty));
        let Some(Arg::Buffer { sizes, elements }) = wanted else {
            return Err(wrong(format!("`{part}` is no list of the elements of its type")));
        };
        let agree = match seen {
            Seen::Buffer(contents) => {
                let unwritten = RtValue::Poison;
                let found = contents.elements.iter().map(|one| one.as_ref().unwrap_or(&unwritten));
                contents.sizes == sizes && elements.iter().zip(found).all(|(a, b)| agree(a, b, refined))
            }
            _ => false,
        };
        if !agree {
            return Err(wrong(format!("it leaves {seen} in argument {n}")));
        }
    }
    Ok(())
}

fn agree(wanted: &RtValue, found: &RtValue, refined: bool) -> bool {
    if refined { agrees(wanted, found) } else { wanted == found }
}

fn shown(values: &[&Seen]) -> String {
    match values {
        [value] => value.to_string(),
        _ => format!("({})", values.iter().map(|seen| seen.to_string()).collect::<Vec<_>>().join(", ")),
    }
}

/// Does it trap, with this code and this part of a message?
fn trapped(code: &str, seen: &Observation) -> Result<(), Failure> {
    let (code, part) = code.trim().split_once(' ').unwrap_or((code.trim(), ""));
    let part = part.trim().trim_matches('"');
    let says = |trap: &Trap| {
        let notes = trap.notes.iter().map(|(_, note)| note.as_str());
        std::iter::once(trap.message.as_str()).chain(notes).any(|text| text.contains(part))
    };
    match &seen.end {
        Err(trap) if (code.is_empty() || trap.code.id == code) && says(trap) => Ok(()),
        Err(trap) => {
            let notes = trap.notes.iter().map(|(_, note)| format!("; {note}"));
            let notes: String = notes.collect();
            Err(wrong(format!("it traps with {}: {}{notes}", trap.code.id, trap.message)))
        }
        Ok(found) => {
            let values = found.iter().filter(|(place, _)| matches!(place, Place::Result(_)));
            Err(wrong(format!("it gives {}", shown(&values.map(|(_, seen)| seen).collect::<Vec<_>>()))))
        }
    }
}

/// Without quick paths, and in other orders of parallel parts, it must do the same
fn same_in_other_ways(ir: &Ir, call: &Call, seen: &Observation) -> Result<(), Failure> {
    let found = seen.end.as_ref().ok();
    if seen.steps <= 100_000 {
        let again = observe(ir, call, Options { quick: false, ..Options::default() });
        if again.end.as_ref().ok() != found {
            return Err(wrong("quick paths of the interpreter give something else"));
        }
    }
    // Runs of many steps are run once. What traps need not do so in every order, since it may trap elsewhere.
    if seen.steps > 1_000_000 {
        return Ok(());
    }
    let all = Observations::with(seen.clone(), ir, call, &Limits::default());
    match all.order_dependent() {
        Some(how) => Err(wrong(format!("in another order of parallel parts {how}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "func.func @f(%a: i8, %b: i8) -> (i8, i8) {\n  %c = arith.addi %a, %b overflow<nsw> : i8\n  \
                        %d = arith.divsi %a, %b : i8\n  return %c, %d : i8, i8\n}\n";

    fn checked_of(program: &str, text: &str, refined: bool) -> Result<(), Failure> {
        let evals = [Eval { line: 1, text: text.into() }];
        check(Tool::OPT, "test.mlir", program, &evals, refined, &ParseOptions::default())
    }

    fn checked(text: &str, refined: bool) -> Result<(), Failure> {
        checked_of(TEXT, text, refined)
    }

    #[test]
    fn values_are_compared() {
        assert_eq!(checked("@f(7, 2) == (9, 3)", false), Ok(()));
        assert!(checked("@f(7, 2) == (9, 4)", false).is_err());
        assert!(checked("@g(7, 2) == (9, 3)", false).is_err());
        assert!(checked("@f(7) == (9, 3)", false).is_err());
    }

    #[test]
    fn buffers_are_compared() {
        const TEXT: &str = "func.func @f(%m: memref<2xi8>, %n: memref<?xi8>) {\n  %c1 = arith.constant 1 : index\n  \
                            %x = memref.load %m[%c1] : memref<2xi8>\n  memref.store %x, %n[%c1] : memref<?xi8>\n  return\n}\n";
        let checked = |text: &str| checked_of(TEXT, text, false);
        assert_eq!(checked("@f([1, 2], 3[0, 0, 0]) == () leaving [1, 2], 3[0, 2, 0]"), Ok(()));
        assert_eq!(checked("@f([1, 2], 3[0, 0, 0]) == ()"), Ok(()));
        assert_eq!(checked("@f([1, 2], 1[0]) == trap E0308"), Ok(()));
        assert!(checked("@f([1, 2], 3[0, 0, 0]) == () leaving [1, 2], 3[0, 0, 0]").is_err());
        assert!(checked("@f([1, 2], 3[0, 0, 0]) == () leaving [1, 2]").is_err());
        assert!(checked("@f([1], 3[0, 0, 0]) == ()").is_err());
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

    #[test]
    fn poison_may_become_a_buffer() {
        const TEXT: &str =
            "func.func @f(%m: memref<2xi8>) -> memref<2xi8> {\n  return %m : memref<2xi8>\n}\n";
        assert_eq!(checked_of(TEXT, "@f([1, 2]) == poison", true), Ok(()));
        assert!(checked_of(TEXT, "@f([1, 2]) == poison", false).is_err());
    }

    #[test]
    fn results_that_depend_on_the_order_are_refused() {
        const TEXT: &str = "func.func @f(%x: memref<4xf32>, %m: memref<1xf32>) {\n  %c0 = arith.constant 0 : index\n  \
                            %c1 = arith.constant 1 : index\n  %c4 = arith.constant 4 : index\n  \
                            scf.parallel (%i) = (%c0) to (%c4) step (%c1) {\n    \
                            %e = memref.load %x[%i] : memref<4xf32>\n    \
                            %r = memref.atomic_rmw addf %e, %m[%c0] : (f32, memref<1xf32>) -> f32\n    scf.reduce\n  }\n  \
                            return\n}\n";
        assert_eq!(checked_of(TEXT, "@f([1.0, 2.0, 3.0, 4.0], [0.0]) == ()", false), Ok(()));
        let failure =
            checked_of(TEXT, "@f([1.0e8, 1.0, -1.0e8, 1.0], [0.0]) == ()", false).expect_err("it depends");
        assert!(
            failure.why().contains("in another order of parallel parts argument 1, element 0, was"),
            "{failure}"
        );
    }
}
