//! The whole corpus of reductions as CUDA C: NVRTC and `ptxas` take every kernel for two generations, nothing is spilled, a reduction
//! of several launches has a remark that says why, and rows that allow it are read 128 bits at a time.
//!
//! No device is needed. The corpus is in two halves, which run side by side.

use crate::common::installed;
use crate::corpus::{self, Entry};
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};

/// Ampere, Hopper
const ARCHS: [&str; 2] = ["80", "90"];

/// Of a hundred reductions so many are one launch, and of a hundred with rows that allow it so many have loads of 128 bits, at least
const ONE_LAUNCH: usize = 100;
const WIDE: usize = 80;

/// Reductions in one text: each start of NVRTC costs as much as several kernels
const BATCH: usize = 20;

fn tool(name: &str, text: &str, args: &[&str]) -> (String, String) {
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let finished = run_on(Tool::OPT, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}: {}\n{text}", finished.messages);
    (String::from_utf8(finished.out.expect("it did not fail")).expect("it is text"), finished.messages)
}

/// A reduction as a function of its own, its computation named after it
fn function(name: &str, entry: &Entry) -> String {
    let (text, _) = tool("reduction.tensor", &entry.text(), &[]);
    let body = text.trim().strip_prefix("module {").and_then(|text| text.strip_suffix('}'));
    let renamed =
        |text: &str| text.replace("@main(", &format!("@{name}(")).replace("\"y\" ", &format!("\"{name}\" "));
    renamed(body.expect("tensor text becomes a module"))
}

/// Launches of the function with this name, in the text of what it became
fn launches(lowered: &str, name: &str) -> usize {
    let start =
        lowered.find(&format!("func.func @{name}(")).unwrap_or_else(|| panic!("{name} is there:\n{lowered}"));
    let body = &lowered[start..];
    body[..body.find("return").unwrap_or(body.len())].matches("gpu.launch_func").count()
}

/// Elements that are side by side and all reduced: a whole number of 128 bits, and enough for a warp
fn has_wide_rows(entry: &Entry) -> bool {
    let reduced = |axis: &usize| entry.axes.contains(axis) || entry.shape[*axis] == 1;
    let run: u64 = (0..entry.shape.len()).rev().take_while(reduced).map(|axis| entry.shape[axis]).product();
    let bytes = if entry.elem == "f16" { 2 } else { 4 };
    run >= 128 && (run * bytes).is_multiple_of(16)
}

/// What was counted
#[derive(Default)]
struct Tally {
    entries: usize,
    one_launch: usize,
    wide_rows: usize,
    wide: usize,
}

fn check(file: &str, entries: &[Entry], tally: &mut Tally) {
    let names: Vec<String> = (0..entries.len()).map(|n| format!("r{n}_")).collect();
    let program: String = names.iter().zip(entries).map(|(name, entry)| function(name, entry)).collect();
    let (lowered, said) = tool(file, &program, &["--pipeline=to-cuda"]);
    for (name, entry) in names.iter().zip(entries) {
        let launches = launches(&lowered, name);
        tally.entries += 1;
        tally.one_launch += usize::from(launches == 1);
        if launches > 1 {
            println!("{launches} launches: {entry}");
        }
        let of_this = |part: &&str| part.contains(&format!("\"{name}\""));
        assert!(launches > 0, "{entry}");
        assert!(
            launches == 1 || said.split("remark: ").any(|part| of_this(&part)),
            "{entry}: {launches} launches\n{said}"
        );
    }
    let (source, _) = tool(file, &lowered, &["--emit=cuda"]);
    let (Some(folder), Some(ptxas)) = (installed("nvrtc_dir"), installed("ptxas")) else {
        return println!("skipped: the compilers of NVIDIA on {file} (needs nvidia)");
    };
    let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
    for arch in ARCHS {
        let ptx = nvrtc_compile(&source, &format!("compute_{arch}"), flags, Some(&folder));
        let ptx = ptx.unwrap_or_else(|error| panic!("{error}\n{source}"));
        let report = ptxas_check(&ptxas, &ptx.text, &format!("sm_{arch}"));
        let report = report.unwrap_or_else(|error| panic!("{error}\n{}", ptx.text));
        assert_eq!(report.kernels.len(), lowered.matches("gpu.func").count(), "{source}");
        assert_eq!(report.spills(), 0, "sm_{arch}: {source}");
        for (name, entry) in names.iter().zip(entries).filter(|(_, entry)| has_wide_rows(entry)) {
            let kernels = ptx.text.split(".entry ").skip(1).filter(|part| part.starts_with(name.as_str()));
            let wide =
                kernels.flat_map(str::lines).any(|line| line.contains("ld.global") && line.contains(".v4."));
            tally.wide_rows += 1;
            tally.wide += usize::from(wide);
            if !wide {
                println!("no loads of 128 bits on sm_{arch}: {entry}");
            }
        }
    }
}

fn half(which: usize) {
    let all = corpus::all().expect("the table is well formed");
    let entries: Vec<Entry> = all.into_iter().skip(which).step_by(2).collect();
    assert_eq!(entries.len(), 209);
    let mut tally = Tally::default();
    for (number, batch) in entries.chunks(BATCH).enumerate() {
        check(&format!("corpus-{which}-{number}"), batch, &mut tally);
    }
    let Tally { entries, one_launch, wide_rows, wide } = tally;
    println!("one launch: {one_launch} of {entries}; loads of 128 bits: {wide} of {wide_rows}");
    assert!(one_launch * 100 >= ONE_LAUNCH * entries, "{one_launch} of {entries}");
    assert!(wide * 100 >= WIDE * wide_rows, "{wide} of {wide_rows}");
}

#[test]
fn nvidia_takes_the_first_half() {
    half(0);
}

#[test]
fn nvidia_takes_the_second_half() {
    half(1);
}

/// Sums of `f32` of Table 4: all of 16,226,304 elements, and rows of three matrices
const TABLE_4: [&str; 4] = ["16226304@0", "1024x131072@1", "131072x1024@1", "1048576x512@1"];

#[test]
fn nvidia_takes_the_shapes_of_table_4() {
    let entries: Vec<Entry> =
        TABLE_4.iter().map(|shape| Entry::read("sum", "f32", shape).expect("a shape")).collect();
    let mut tally = Tally::default();
    check("table-4", &entries, &mut tally);
    assert_eq!(tally.one_launch, TABLE_4.len());
    assert_eq!(tally.wide, tally.wide_rows, "all rows are read 128 bits at a time");
}
