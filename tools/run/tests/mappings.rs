//! Mappings drawn from all valid ones of a convolution in four kernels, as OpenCL C on a simulated device that finds races.

mod common;

use common::{command, place, stdout};
use std::path::Path;
use terrace_runtime_opencl::oclgrind;

const LAYER: &str = include_str!("../../../test-files/programs/mapped_layer.mlir");

const ARGS: [&str; 3] = ["--in=in=random:1", "--in=w=random:2", "--in=bias=random:3"];

/// Of one strategy the mapping with a seed: nothing found, and the values of the interpreter
fn clean(strategy: &str, seed: u64) -> Result<(), String> {
    let test = format!("grind-{}-{seed}", strategy.split('(').next().unwrap_or(""));
    let pipeline = format!(
        "--pipeline=func.func(array-expand,array-rewrite{{strategy=\"{strategy}\"}},array-map{{device=mali-g72 seed={seed}}})"
    );
    let log = place(&format!("{test}.log"));
    // All elements are compared with what the interpreter gives for the same mapping, itself compared with the patterns in
    // `search/mapping/tests/convolution.rs`.
    let args: Vec<&str> = ARGS.into_iter().chain([pipeline.as_str(), "--compare=interp,opencl"]).collect();
    let report = oclgrind::run_child(command(&test, LAYER, &args), Path::new(oclgrind::LIBRARY), &log);
    let report = report.map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(place(&format!("{test}.mlir")));
    if let Some(first) = report.findings.first() {
        return Err(format!("{strategy} seed {seed}: {}", first.text));
    }
    if report.output.status.code() != Some(0) || !stdout(&report.output).contains("all 140 elements agree") {
        let said = String::from_utf8_lossy(&report.output.stderr).into_owned();
        return Err(format!(
            "{strategy} seed {seed}: {}{said}",
            String::from_utf8_lossy(&report.output.stdout)
        ));
    }
    Ok(())
}

fn all_clean(strategy: &str, seeds: std::ops::Range<u64>) {
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: mappings of {strategy} under oclgrind (needs oclgrind)");
        return;
    }
    let bad: Vec<String> = seeds.clone().filter_map(|seed| clean(strategy, seed).err()).collect();
    assert!(bad.is_empty(), "{} of {}:\n{}", bad.len(), seeds.count(), bad.join("\n"));
}

#[test]
fn drawn_mappings_have_no_races() {
    all_clean("convMid(3, 1, 2, 2, 4, 2)", 101..103);
    all_clean("convBlocked(3, 1, 2, 2, 4, 2)", 101..102);
}

#[test]
#[ignore = "minutes: fifty mappings under oclgrind; run with --ignored"]
fn fifty_drawn_mappings_have_no_races() {
    all_clean("convMid(3, 1, 2, 2, 4, 2)", 1..26);
    all_clean("convBlocked(3, 1, 2, 2, 4, 2)", 1..26);
}
