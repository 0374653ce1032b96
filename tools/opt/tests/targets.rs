//! The list of back ends fits together: words, pipelines, devices, forms of output.

use std::collections::BTreeSet;
use std::process::Command;
use terrace_devices::{Device, MatrixUnit};
use terrace_diag::{Diags, Sources, render_all};
use terrace_opt::REGISTRY;
use terrace_pass::Pipeline;
use terrace_targets::{TARGETS, emissions};

#[test]
fn words_are_unique() {
    let words: Vec<&str> = TARGETS.iter().map(|target| target.name()).collect();
    assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len(), "{words:?}");
    let forms: Vec<&str> = emissions().map(|emission| emission.name).collect();
    assert_eq!(forms.iter().collect::<BTreeSet<_>>().len(), forms.len(), "{forms:?}");
    for target in TARGETS {
        assert_eq!(terrace_targets::find(target.name()).map(|found| found.name()), Some(target.name()));
        assert!(!target.help().is_empty() && !target.help().ends_with('.'), "{}", target.name());
    }
}

/// The first one is what the others are compared with
#[test]
fn the_reference_takes_every_level() {
    assert_eq!(TARGETS[0].name(), "interp");
    assert!(TARGETS[0].missing().is_none());
    // What its pipeline leaves as it is, whatever the level: here of buffers and loops.
    let text = "func.func @f(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %A[%c0] : memref<4xf32>
  memref.store %a, %A[%c0] : memref<4xf32>
  return
}\n";
    let args = [format!("--pipeline={}", TARGETS[0].pipeline().expect("it has one"))];
    let done =
        |args: &[String]| terrace_opt::run_on(terrace_opt::Tool::OPT, args, "f.mlir", text).expect("right");
    assert_eq!(done(&args).out, done(&[]).out);
    assert!(TARGETS.iter().all(|target| target.pipeline().is_some()));
}

#[test]
fn pipelines_and_devices_are_there() {
    let named: Vec<&str> = REGISTRY.pipelines().map(|named| named.name).collect();
    for target in TARGETS {
        let of_forms = target.emissions().iter().map(|emission| emission.pipeline);
        for pipeline in target.pipeline().into_iter().chain(of_forms) {
            assert!(named.contains(&pipeline), "{}: {pipeline}", target.name());
        }
        assert!(terrace_devices::Device::find(target.device()).is_ok(), "{}", target.name());
    }
}

#[test]
fn each_pipeline_parses() {
    for named in REGISTRY.pipelines() {
        let (sources, mut diags) = (Sources::new(), Diags::default());
        let parse = |text: &str, diags: &mut Diags| Pipeline::parse(text, &REGISTRY, &sources, diags);
        // Some work on a module, some on a function.
        if parse(named.name, &mut diags).is_err() {
            let inside = format!("func.func({})", named.name);
            let why = render_all(diags.iter(), &sources, false);
            assert!(why.contains(&format!("write `{inside}`")), "{}: {why}", named.name);
            assert!(parse(&inside, &mut Diags::default()).is_ok(), "{inside}");
        }
    }
}

/// A product of bytes that the device's matrix unit multiplies, and the number of ops for it in what an invocation prints
fn contractions(args: &[&str]) -> usize {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let device = folder.join("units.toml");
    let mut of =
        Device { matrix_units: MatrixUnit::ALL.to_vec(), ..Device::find("x86-64-v4").expect("built in") };
    // A product that is small enough for a test is slower on the unit else.
    of.costs.instructions.operations = 0.01;
    std::fs::write(&device, of.text("a processor with matrix units")).expect("a folder for files of tests");
    let input = folder.join(format!("{}.units.tensor", args.len()));
    std::fs::write(&input, "A : i8 [64, 256];  B : i8 [256, 64];\nC[i, j] = sum{k} A[i, k] * B[k, j];\n")
        .expect("a folder for files of tests");
    let schedule = format!("mdh-schedule{{target={}}}", device.display());
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt"))
        .arg(&input)
        .arg(format!("--pipeline=func.func(tensors-to-memory,{schedule},mdh-to-sched,sched-contract)"))
        .args(args)
        .output()
        .expect("cargo built the tool");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).matches("sched.contract").count()
}

/// Code for another processor does not count on the units of the device that schedules are for
#[test]
fn a_processor_without_units_has_schedules_without_them() {
    assert_eq!(contractions(&[]), 1);
    assert_eq!(contractions(&["--target-cpu=native"]), 1);
    assert_eq!(contractions(&["--target-cpu=graniterapids"]), 1);
    assert_eq!(contractions(&["--target-cpu=cooperlake", "--target-features=+amx-tile,+amx-int8"]), 1);
    // Dot products in lanes are units of their own.
    for cpu in ["cascadelake", "cooperlake", "znver4"] {
        assert_eq!(contractions(&[&format!("--target-cpu={cpu}")]), 1, "{cpu}");
    }
    for cpu in ["ivybridge", "x86-64-v2"] {
        assert_eq!(contractions(&[&format!("--target-cpu={cpu}")]), 0, "{cpu}");
    }
    let without = "--target-features=-amx-int8,-avx512vnni,-avxvnni,-avx2";
    assert_eq!(contractions(&["--target-cpu=graniterapids", without]), 0);
    // This processor, without features that it may have.
    assert_eq!(contractions(&[without]), 0);
}

/// What is chosen for another processor is legal there, and is lowered here
#[test]
fn programs_of_jax_for_other_processors() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/stablehlo");
    let named = REGISTRY.pipelines().find(|named| named.name == "to-host").expect("it is in the list");
    assert!(named.text.contains("mdh-schedule)") || named.text.contains(",mdh-schedule,"), "{}", named.text);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        // The two with ops that no back end has; `terrace-run`'s tests hold the list.
        if path.extension().is_none_or(|end| end != "mlir") || ["fourier", "sorted_rows"].contains(&name) {
            continue;
        }
        for target in ["x86-64-v2", "x86-64-v3"] {
            let pipeline =
                named.text.replace(",mdh-schedule,", &format!(",mdh-schedule{{target={target}}},"));
            let said = Command::new(env!("CARGO_BIN_EXE_terrace-opt"))
                .arg(&path)
                .arg(format!("--pipeline={pipeline}"))
                .output()
                .expect("cargo built the tool");
            assert!(said.status.success(), "{target}: {}", String::from_utf8_lossy(&said.stderr));
        }
        count += 1;
    }
    assert_eq!(count, 58);
}
