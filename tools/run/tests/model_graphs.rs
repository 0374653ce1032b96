//! Lists of whole models, end to end: each sub-graph of a network becomes kernels for CUDA, and has the interpreter's values on other back
//! ends at small sizes.

mod list;
mod small;

use crate::common;

use list::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::Command;
use terrace_opt::{Tool, run_on};

/// Kernels of a sub-graph in CUDA C, each of which is launched once, and why they are several
fn kernels(name: &str, graph: &Graph) -> (usize, BTreeSet<String>) {
    let args = ["--input=composite", "--pipeline=to-cuda", "--emit=cuda"].map(String::from);
    let finished = run_on(Tool::OPT, &args, name, &graph.json()).expect("the arguments are right");
    assert!(!finished.failed, "{name}: {graph:?}\n{}", finished.messages);
    let text = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
    let reason = |line: &str| {
        let why = line.split_once("it begins a kernel: ").map(|(_, why)| why);
        let parts = line
            .contains(" parts side by side")
            .then_some("the threads of all results do not fill the device");
        let why = why.or(parts)?;
        Some(why.split([';', ':']).next().unwrap_or(why).to_owned())
    };
    (text.matches("__global__").count(), finished.messages.lines().filter_map(reason).collect())
}

/// What becomes of a model's list, with the number of fused operators that Table 3 of the paper has for it
fn table(model: &str, of_paper: usize) -> String {
    let graphs = list::list(model);
    let (mut kernels_of, mut reasons) = (BTreeMap::new(), BTreeMap::new());
    let (mut files, mut operators, mut reductions, mut all) = (0, 0, 0, 0);
    for (n, graph) in graphs.iter().enumerate() {
        let (count, why) = kernels(&format!("{model}-{n}"), graph);
        assert!(count > 0, "{model}-{n}: no kernel");
        files += graph.count;
        operators += graph.count * graph.ops.len();
        let reduces = graph.ops.iter().any(|op| op.name.starts_with("Reduce") || op.name == "ElemAny");
        reductions += if reduces { graph.count } else { 0 };
        all += graph.count * count;
        *kernels_of.entry(count).or_insert(0) += graph.count;
        for why in why {
            *reasons.entry(why).or_insert(0) += graph.count;
        }
    }
    let mut text = format!(
        "{model}: {files} sub-graphs, {reductions} of them with reductions, {operators} operators (Table 3 counts {of_paper} fused operators), {all} kernels\n"
    );
    for (count, graphs) in kernels_of {
        let _ = writeln!(text, "    {count} kernels: {graphs} sub-graphs");
    }
    for (why, graphs) in reasons {
        let _ = writeln!(text, "    {graphs} sub-graphs: {why}");
    }
    text
}

#[test]
fn vgg16_becomes_kernels() {
    insta::assert_snapshot!("vgg16", table("vgg16", 39));
}

#[test]
fn mobilenet_v2_becomes_kernels() {
    insta::assert_snapshot!("mobilenet_v2", table("mobilenet_v2", 52));
}

#[test]
fn wide_deep_becomes_kernels() {
    insta::assert_snapshot!("wide_deep", table("wide_deep", 74));
}

#[test]
fn bert_base_becomes_kernels() {
    insta::assert_snapshot!("bert_base", table("bert_base", 304));
}

#[test]
fn transformer_becomes_kernels() {
    insta::assert_snapshot!("transformer", table("transformer", 746));
}

#[test]
fn gpt_becomes_kernels() {
    insta::assert_snapshot!("gpt", table("gpt", 409));
}

/// A sub-graph at small sizes by value
fn agrees(name: &str, graph: &Graph, list: &[&str]) {
    let file = common::place(&format!("{name}.info"));
    std::fs::write(&file, graph.json()).expect("the folder for temporary files of tests can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(&file).arg(format!("--compare={}", list.join(",")));
    command.args((0..graph.inputs.len()).map(|n| format!("--in=input_{n}=random:{}", n + 1)));
    let shown = common::stdout(&command.output().expect("cargo built the tool"));
    let _ = std::fs::remove_file(file);
    for other in &list[1..] {
        assert!(shown.contains(&format!("{other} and interp: ")), "{name} on {other}: {graph:?}\n{shown}");
    }
}

/// All sub-graphs of a model that have small sizes, each once: so many
fn by_value(model: &str, devices: bool, graphs: usize) {
    let here = common::backends::with_devices("model_graphs");
    let wanted: &[&str] = if devices { &["interp", "host", "opencl"] } else { &["interp", "host"] };
    let list: Vec<&str> =
        wanted.iter().copied().filter(|name| here.split(',').any(|other| other == *name)).collect();
    let mut seen: Vec<Graph> = Vec::new();
    for graph in list::list(model) {
        let Some(graph) = small::small(&graph) else { continue };
        let graph = Graph { count: 1, ..graph };
        if seen.contains(&graph) {
            continue;
        }
        // Devices of this machine may lack f16.
        let half = graph.tensors().any(|one| one.elem == "f16");
        let list: Vec<&str> = list.iter().copied().filter(|name| !half || *name != "opencl").collect();
        agrees(&format!("{model}-{}", seen.len()), &graph, &list);
        seen.push(graph);
    }
    assert_eq!(seen.len(), graphs, "{model}");
}

#[test]
fn vgg16_has_the_interpreters_values() {
    by_value("vgg16", true, 20);
}

#[test]
fn mobilenet_v2_has_the_interpreters_values() {
    by_value("mobilenet_v2", true, 16);
}

#[test]
fn wide_deep_has_the_interpreters_values() {
    by_value("wide_deep", false, 36);
}

#[test]
fn bert_base_has_the_interpreters_values() {
    by_value("bert_base", false, 102);
}

#[test]
fn transformer_has_the_interpreters_values() {
    by_value("transformer", false, 251);
}

#[test]
fn gpt_has_the_interpreters_values() {
    by_value("gpt", false, 33);
}
