//! Mappings drawn from all valid ones of a convolution in four kernels, as OpenCL C on a simulated device that finds races.

use crate::common;

use common::{command, place, stdout};
use std::path::Path;
use terrace_runtime_opencl::{Device, Preference, oclgrind};

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

/// Maps of more iterations than a block has threads, or a grid blocks: with a rest and without, with barriers and without
#[test]
fn maps_that_go_round_have_no_races() {
    let parts: Vec<&str> =
        include_str!("../../../test-files/lowering/array/rounds.mlir").split("// -----").collect();
    let grind = Path::new(oclgrind::LIBRARY).is_file();
    let device = Device::open(&Preference::Any).is_ok();
    for (name, args) in [
        ("straight", &["--in=x=random:1"][..]),
        ("even", &["--in=x=random:1"]),
        ("grid", &["--in=x=random:1", "--in=y=random:2"]),
    ] {
        let text = parts.iter().find(|part| part.contains(&format!("@{name}("))).expect("it is there");
        let args: Vec<&str> = args.iter().copied().chain(["--compare=interp,opencl"]).collect();
        if device {
            let shown = stdout(&common::run(name, text, &args));
            assert!(shown.contains("opencl and interp: o: all "), "{shown}");
        }
        if grind {
            let log = place(&format!("grind-{name}.log"));
            let report = oclgrind::run_child(command(name, text, &args), Path::new(oclgrind::LIBRARY), &log);
            let report = report.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(report.findings.first().map(|first| first.text.clone()), None, "{name}");
            assert_eq!(report.output.status.code(), Some(0), "{name}");
        }
    }
    for (there, what) in [(device, "pocl"), (grind, "oclgrind")] {
        if !there {
            println!("skipped: maps that go round (needs {what})");
        }
    }
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
