//! Rules for dependent reductions from outside: permissions, switches, reasons, and launches of programs that JAX has printed.

use std::path::Path;
use std::process::{Command, Output};

fn run(name: &str, text: &str, args: &[&str]) -> Output {
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.dependent.{name}", std::process::id()));
    std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).arg(&file).args(args).output();
    let _ = std::fs::remove_file(file);
    out.expect("cargo built the tool")
}

fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// A sum of exponentials of differences from a maximum
fn program(attributes: &str) -> String {
    format!(
        "func.func @f(%X: tensor<5x37xf32>) -> tensor<5xf32> {attributes} {{
  %m = mdh.compute (i in 5, j in 37 pw max) ins(%a = %X[i, j]) outs([i]) {{
    mdh.yield %a : f32
  }} : (tensor<5x37xf32>) -> tensor<5xf32>
  %s = mdh.compute (i in 5, j in 37 pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {{
    %d = arith.subf %a, %c : f32
    %t = math.exp %d : f32
    mdh.yield %t : f32
  }} : (tensor<5x37xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %s : tensor<5xf32>
}}"
    )
}

const PERMITTED: &str = "attributes {mdh.approximate = [\"online_softmax\"]}";
const JOINT: &str = "pw @online_softmax_f32";

#[test]
fn permissions_switches_and_reasons() {
    let table: &[(&str, &[&str], &str)] = &[
        (PERMITTED, &["--pipeline=mdh-dependent"], JOINT),
        ("", &["--pipeline=mdh-dependent{approximate=online_softmax}"], JOINT),
        ("", &["--pipeline=to-host", "--explain-miss=online_softmax"], "no permission"),
        (PERMITTED, &["--pipeline=mdh-dependent", "--disable-rule=online_softmax"], "pw add"),
        (
            PERMITTED,
            &["--pipeline=mdh-dependent", "--disable-rule=online_softmax", "--explain-miss=online_softmax"],
            "it is switched off",
        ),
        (
            PERMITTED,
            &["--pipeline=mdh-dependent", "--disable-rule=online_softmax", "--explain-miss=welford"],
            "is folded by another operator",
        ),
        (PERMITTED, &["--pipeline=mdh-dependent", "--explain-miss=welfort"], "did you mean `welford`?"),
        ("", &["--pipeline=mdh-dependent{approximate=softmax}"], "E0676"),
        (
            "attributes {mdh.approximate = [\"welfort\"]}",
            &["--pipeline=mdh-dependent"],
            "did you mean `welford`?",
        ),
        ("attributes {mdh.approximate}", &["--pipeline=mdh-dependent"], "is a list of names of rules"),
        (PERMITTED, &["--list-rules"], "one_pass_norm"),
    ];
    for (attributes, args, wanted) in table {
        let found = said(&run("table", &program(attributes), args));
        assert!(found.contains(wanted), "{attributes} {args:?} should say `{wanted}`, but:\n{found}");
    }
    let without = said(&run("without", &program(""), &["--pipeline=mdh-dependent"]));
    assert!(without.contains("pw add") && !without.contains("online"), "{without}");
}

/// On the sum itself: a permission for it alone
#[test]
fn permission_of_one_sum() {
    let text = program("").replace(
        "outs([i]) {\n    %d",
        "outs([i]) attributes {mdh.approximate = [\"online_softmax\"]} {\n    %d",
    );
    let found = said(&run("sum", &text, &["--pipeline=mdh-dependent"]));
    assert!(found.contains(JOINT), "{found}");
}

/// `invariant` states every bracket, so nothing is joined, also where the bracket is written already
#[test]
fn never_under_invariant() {
    let text = program(PERMITTED).replace("pw add", "pw add invariant");
    let found =
        said(&run("invariant", &text, &["--pipeline=mdh-dependent", "--explain-miss=online_softmax"]));
    assert!(found.contains("its order is `invariant`") && !found.contains(JOINT), "{found}");
    let level = "--pipeline=func.func(mdh-fix-bits{level=invariant}),mdh-dependent";
    let found = said(&run("level", &program(PERMITTED), &[level, "--explain-miss=online_softmax"]));
    assert!(found.contains("its order is stated") && !found.contains(JOINT), "{found}");
    // Sums of squares have brackets, and keep them.
    let squares = program("attributes {mdh.approximate = [\"welford\", \"one_pass_norm\"]}")
        .replace("pw max", "pw add")
        .replace("math.exp %d", "arith.mulf %d, %d");
    let found = said(&run("squares", &squares, &[level, "--explain-miss=welford"]));
    assert!(found.contains("its order is stated") && !found.contains("@welford"), "{found}");
}

/// A program that JAX has printed, with permission
fn of_jax(name: &str) -> String {
    let file = format!("../../test-files/frontends/stablehlo/{name}.mlir");
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("it is there");
    let permission = "attributes {mdh.approximate = [\"online_softmax\", \"welford\"]} {";
    let lines = text.lines().map(|line| {
        let main = line.strip_suffix('{').filter(|line| line.contains("func.func public @main"));
        main.map_or(line.to_string(), |line| format!("{line}{permission}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How often rules find something in programs that JAX has printed
#[test]
fn programs_of_jax() {
    let table = [
        ("attention", 1),
        ("attention_gradient", 1),
        ("batch_norm", 1),
        ("cross_entropy", 1),
        ("cross_entropy_one_hot", 1),
        ("decode_step", 1),
        ("feed_forward", 1),
        ("group_norm", 1),
        ("layer_norm", 1),
        ("mixture_of_experts", 1),
        ("mlp", 1),
        ("resnet_block", 2),
        ("softmaxes", 4),
        ("statistics", 2),
        ("training_step", 1),
    ];
    let down = "--pipeline=func.func(bind-sizes),stablehlo-to-mdh,linalg-operators,func.func(linalg-to-mdh),mdh-dependent";
    for (name, count) in table {
        let found = said(&run(&format!("found-{name}"), &of_jax(name), &[down, "--stats"]));
        let of_rule = |line: &str| {
            let (times, rule) = line.trim().split_once(' ')?;
            rule.trim().starts_with("mdh-dependent: rule ").then(|| times.parse::<u32>().ok())?
        };
        assert_eq!(found.lines().filter_map(of_rule).sum::<u32>(), count, "{name}\n{found}");
    }
}

/// Launches of programs that JAX has printed, for CUDA: with joint reductions, and without
#[test]
fn launches_of_programs_of_jax() {
    let table = [
        ("softmaxes", 4, 5),
        ("layer_norm", 1, 1),
        ("batch_norm", 1, 1),
        ("group_norm", 1, 1),
        ("statistics", 3, 4),
    ];
    for (name, joint, apart) in table {
        let launches = |args: &[&str]| {
            let all = [&["--pipeline=to-cuda"], args].concat();
            said(&run(name, &of_jax(name), &all)).matches("gpu.launch_func").count()
        };
        let off = ["--disable-rule=online_softmax", "--disable-rule=welford"];
        assert_eq!((launches(&[]), launches(&off)), (joint, apart), "{name}");
    }
}
