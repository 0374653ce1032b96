//! Trees of threads on devices: values and races on OpenCL, what NVIDIA's compilers make of both forms.

use crate::common;

use common::{command, installed, place, run, stdout};
use std::path::Path;
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};
use terrace_runtime_opencl::{Device, Preference, oclgrind};

/// Rows reduced by an operator; a block for two of them, so many elements for each thread along a row
fn text(combine: &str, elem: &str, n: i64, each: i64, mechanism: &str) -> String {
    format!(
        "func.func @f(%A: tensor<4x{n}x{elem}>) -> tensor<4x{elem}> {{
  %c = mdh.compute (i in 4, j in {n} pw {combine}) ins(%a = %A[i, j]) outs([i]) attributes {{mdh.schedule = [
  \"1: (2,^) (^ ; ^) (BLK.x,^)\",
  \"2: (1,{each}~limit) (^ ; ^) (THR.y,THR.x({mechanism}))\",
  \"3: (1,1) (^ ; ^) (FOR.1,FOR.2)\"]}} {{
    mdh.yield %a : {elem}
  }} : (tensor<4x{n}x{elem}>) -> tensor<4x{elem}>
  return %c : tensor<4x{elem}>
}}"
    )
}

#[test]
fn opencl_gives_the_interpreters_values_without_races() {
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: opencl_gives_the_interpreters_values_without_races (there is no device)");
    }
    for (n, each, combine, elem) in [
        (37, 1, "add", "i32"),
        (64, 1, "max", "f32"),
        (129, 2, "xor", "i64"),
        (700, 3, "add", "i32"),
        (500, 1, "min", "f64"),
    ] {
        let name = format!("trees-{n}");
        let text = text(combine, elem, n, each, "shared");
        let shown = stdout(&run(&name, &text, &["--in=A=random:3", "--compare=interp,opencl"]));
        assert!(shown.contains("agree, without any difference"), "{name}:\n{shown}");
        if !Path::new(oclgrind::LIBRARY).is_file() {
            println!("skipped: races of {name} (needs oclgrind)");
            continue;
        }
        let log = place("log");
        let args = ["--on=opencl", "--in=A=random:3"];
        let report = oclgrind::run_child(command(&name, &text, &args), Path::new(oclgrind::LIBRARY), &log);
        let report = report.expect("oclgrind runs");
        assert!(report.findings.is_empty(), "{name}: {:?}\n{text}", report.findings);
    }
}

/// What a text is in CUDA C or PTX
fn emitted(text: &str, form: &str, cpu: &str) -> String {
    let args = [format!("--pipeline=to-{form}"), format!("--emit={form}"), format!("--target-cpu={cpu}")];
    let finished = run_on(Tool::OPT, &args, "trees", text).expect("the arguments are right");
    assert!(!finished.failed, "{}", finished.messages);
    String::from_utf8(finished.out.expect("it did not fail")).expect("it is text")
}

#[test]
fn compilers_of_nvidia_take_trees_with_few_barriers() {
    let (Some(folder), Some(ptxas)) = (installed("nvrtc_dir"), installed("ptxas")) else {
        return println!("skipped: compilers_of_nvidia_take_trees_with_few_barriers (needs nvidia)");
    };
    for (n, mechanism, barriers) in [(512, "shuffle", 1), (480, "shuffle", 1), (500, "shared", 10)] {
        let text = text("add", "f32", n, 1, mechanism);
        let source = emitted(&text, "cuda", "sm_90");
        assert_eq!(source.matches("__syncthreads()").count(), barriers, "{n}:\n{source}");
        assert_eq!(source.contains("__shfl"), mechanism == "shuffle", "{n}:\n{source}");
        assert!(!source.contains('%') || mechanism == "shuffle", "a remainder, {n}:\n{source}");
        for arch in ["80", "90"] {
            let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
            let ptx = nvrtc_compile(&source, &format!("compute_{arch}"), flags, Some(&folder));
            let ptx = ptx.unwrap_or_else(|error| panic!("{error}\n{source}"));
            assert_eq!(ptx.text.matches("bar.sync").count(), barriers, "{n}:\n{}", ptx.text);
            if terrace_native_client::client::find().is_ok() {
                let ptx = emitted(&text, "ptx", &format!("sm_{arch}"));
                let report = ptxas_check(&ptxas, &ptx, &format!("sm_{arch}"));
                assert_eq!(report.unwrap_or_else(|error| panic!("{error}\n{ptx}")).spills(), 0, "{n}");
            }
        }
    }
}
