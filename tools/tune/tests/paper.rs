//! What the paper says of generated schedules: without the directive no reduction is parallel in any of them (§2), and what is
//! found for CUDA with nothing given is six steps that compile (§5.6).

use crate::search::{fresh, killed, scratch, text, tune};
use std::path::{Path, PathBuf};

/// A product in C, with or without the directive
fn product(directive: &str) -> String {
    format!(
        "void f(float C[restrict 8][4], const float A[restrict 8][6], const float B[restrict 6][4]) {{\n{directive}\
         for (int i = 0; i < 8; ++i) for (int j = 0; j < 4; ++j) for (int k = 0; k < 6; ++k) C[i][j] += A[i][k] * B[k][j];\n}}\n"
    )
}

/// Cores of the reduced dimension in all schedules that a search of a product has made
fn cores(name: &str, directive: &str, target: &str) -> Vec<String> {
    let program = scratch(&format!("{name}-{target}.c"), &product(directive));
    // Who runs which dimension is open, in each of two steps.
    let open = scratch(
        &format!("{name}-{target}.txt"),
        "1: (4,4,2) (^,^ ; ^) (?,FOR.2,?)\n2: (1,1,1) (^,^ ; ^) (?,FOR.2,?)\n",
    );
    let log = fresh(&format!("{name}-{target}.jsonl"));
    let output = tune(&[
        &program,
        &format!("--schedule={open}"),
        &format!("--target={target}"),
        "--technique=random",
        // What is drawn, whatever it is estimated to take.
        "--prune=1",
        "--budget=16",
        "--bench=1",
        &format!("--log={log}"),
    ]);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{err}");
    assert!(out.contains(" ran"), "{out}");
    let log = killed(&log);
    let mut lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let words = |value: &serde_json::Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(|word| word.as_str().map(String::from)).collect()
    };
    let names = words(&lines.next().expect("a first line")["names"]);
    let mut found = Vec::new();
    for line in lines {
        let point = line["point"].as_array().expect("an array");
        let of_k = names.iter().zip(point).filter(|(name, _)| name.ends_with(".core.3"));
        found.extend(of_k.map(|(_, core)| core["core"].as_str().expect("a core").to_owned()));
    }
    found
}

#[test]
fn without_the_directive_no_schedule_that_is_made_splits_the_reduction() {
    let alone = |core: &String| core.starts_with("FOR") || core.starts_with("UNR");
    for target in ["openmp", "cuda"] {
        let found = cores("no-directive", "", target);
        assert!(found.len() >= 16 && found.iter().all(alone), "{target}: {found:?}");
        let found = cores("directive", "#pragma mdh( C[i][j] : ++ , ++ , + )\n", target);
        assert!(!found.iter().all(alone), "{target}: nothing is parallel with the directive: {found:?}");
    }
}

/// A place that the set-up has found
fn place(key: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let table: toml::Table = std::fs::read_to_string(file).ok()?.parse().ok()?;
    let value = table.get("paths").and_then(|paths| paths.get(key))?;
    value.as_str().map(PathBuf::from).filter(|path| path.exists())
}

#[test]
fn what_is_found_for_cuda_has_six_steps_and_compiles() {
    let program = scratch(
        "cuda-auto.mlir",
        "func.func @mm(%A: tensor<8x6xi32>, %B: tensor<6x4xi32>) -> tensor<8x4xi32> {
  %C = mdh.compute \"mm\" (i in 8, j in 4, k in 6 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<8x6xi32>, tensor<6x4xi32>) -> tensor<8x4xi32>
  return %C : tensor<8x4xi32>
}
",
    );
    let best = fresh("cuda-best.mlir");
    let output = tune(&[
        &program,
        "--auto",
        "--target=cuda",
        "--technique=random",
        "--budget=6",
        "--bench=1",
        "-o",
        &best,
    ]);
    let (out, err) = text(&output);
    assert!(output.status.success() && out.starts_with("6 points: 6 ran"), "{out}{err}");
    let found = std::fs::read_to_string(&best).expect("the best is written");
    let steps = found.split("mdh.schedule = [\"").nth(1).and_then(|rest| rest.split("\"]").next());
    let steps = steps.unwrap_or_else(|| panic!("no schedule: {found}"));
    assert_eq!(steps.matches(": (").count(), 6, "{steps}");
    let args = ["--pipeline=to-cuda".to_string(), "--emit=cuda".to_string()];
    let tool = terrace_opt::Tool::OPT;
    let finished = terrace_opt::run_on(tool, &args, "best.mlir", &found).expect("the arguments are right");
    assert!(!finished.failed, "{}", finished.messages);
    let source = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
    assert!(source.contains("__global__"), "{source}");
    let Some(folder) = place("nvrtc_dir") else {
        println!("skipped: what_is_found_for_cuda_has_six_steps_and_compiles by NVRTC (needs nvidia)");
        return;
    };
    let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
    let ptx = terrace_runtime_cuda::nvrtc_compile(&source, "compute_90", flags, Some(&folder));
    let ptx = ptx.unwrap_or_else(|error| panic!("{error}\n{source}"));
    assert!(ptx.text.contains(".entry"));
}
