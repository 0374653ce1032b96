//! `--emit=graph` and `--emit=graph-json`: the mini-graph of each function (FlexTensor, ASPLOS 2020, §4.1).

use terrace_diag::Diagnostic;
use terrace_dialect_func::Func;
use terrace_ir::Ir;
use terrace_search_graphs::{Graph, text};

/// The graphs of all functions with computations
pub(crate) fn report(ir: &Ir, json: bool) -> Result<String, Vec<Diagnostic>> {
    let (mut out, mut errors) = (String::new(), Vec::new());
    for function in ir.walk().filter_map(|op| ir.child(op)) {
        if !function.is(function.root(), Func::DEF) {
            continue;
        }
        match Graph::read(function) {
            Ok(graph) if graph.nodes.is_empty() => {}
            Ok(graph) => {
                let object = graph.to_json();
                out.push_str(&if json { format!("{object}\n") } else { text(&object) });
            }
            Err(why) => errors.push(wrong(why.to_string())),
        }
    }
    if out.is_empty() && errors.is_empty() {
        let help =
            "`--pipeline` makes computations of other ops: `func.func(linalg-to-mdh)`, `stablehlo-to-mdh`";
        errors.push(wrong("no function has an `mdh.compute`: there is no graph".into()).help(help));
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

fn wrong(message: String) -> Diagnostic {
    Diagnostic::error(&terrace_target_api::codes::EMIT, message)
}
