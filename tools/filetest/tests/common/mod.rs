//! Upstream's ops of tier 1, with their examples.
#![allow(dead_code)]

use terrace_ir::OpDef;
use terrace_opt::Tool;

/// The tool with everything there is
pub const TOOL: Tool = Tool::OPT;

/// Names of the ops of tier 1, as the reference lists them
pub fn tier1() -> Vec<String> {
    let list = include_str!("../../../opt/src/reference/upstream.txt");
    let lines = list.lines().filter_map(|line| line.split_once(" 1: "));
    lines.flat_map(|(dialect, names)| names.split(' ').map(move |name| format!("{dialect}.{name}"))).collect()
}

/// The definition of an op
pub fn definition(name: &str) -> &'static OpDef {
    let ops = terrace_opt::all_dialects().into_iter().flat_map(|dialect| dialect.ops);
    ops.copied().find(|op| op.name == name).expect("the op is registered")
}

/// The first example in the documentation of an op
pub fn example(name: &str) -> String {
    let text = definition(name).docs.split("```mlir\n").nth(1).and_then(|rest| rest.split_once("```"));
    text.expect("the op has an example").0.to_string()
}
