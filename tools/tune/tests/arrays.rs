//! Searches of array programs from the command line, on the interpreter, so that they need no vendor library.

use crate::search::killed;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Rows of a tile each: the tile is open, and divides the size, as types say; so are the levels of both maps
const PROGRAM: &str = "\
func.func @sums(%x: !array.of<@n x @m x f32>) -> !array.of<@n x f32> {
  %z = arith.constant 0.0 : f32
  %t = array.split @t %x
  %y = array.map \"A\" %t as %rows {
    %b = array.map \"B\" %rows as %row {
      %s = array.reduce add init %z %row as %e {
        %e2 = arith.mulf %e, %e : f32
        array.yield %e2
      }
      array.yield %s
    }
    array.yield %b
  }
  %o = array.join %y
  return %o : !array.of<@n x f32>
}

tune.space @tiles for @sums {
  tune.size @n
  tune.param @t in 1 to 16
}
";

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arrays.{name}"))
}

fn scratch(name: &str, content: &str) -> String {
    std::fs::write(place(name), content).expect("the test's folder can be written");
    place(name).to_str().expect("UTF-8").to_owned()
}

/// A place where no file is
fn fresh(name: &str) -> String {
    let file = scratch(name, "");
    std::fs::remove_file(&file).expect("just written");
    file
}

fn tune(args: &[&str]) -> Output {
    let tool = Path::new(env!("CARGO_BIN_EXE_terrace-tune"));
    assert!(
        tool.with_file_name("terrace-run").is_file(),
        "terrace-run is built first: cargo build -p terrace-run"
    );
    Command::new(tool).args(args).args(["--on=interp", "--bench=1"]).output().expect("the tool runs")
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

const SIZES: [&str; 3] = ["--set=n=12", "--set=m=5", "--target=openmp"];

fn search(file: &str, rest: &[&str]) -> (String, String) {
    let args: Vec<&str> = [file].iter().chain(&SIZES).chain(rest).copied().collect();
    let output = tune(&args);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{out}{err}");
    (out, err)
}

fn lines(log: &str) -> Vec<serde_json::Value> {
    killed(log).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn all_points_of_numbers_and_levels_are_measured() {
    let file = scratch("all.mlir", PROGRAM);
    let (dry, _) = search(&file, &["--space=@tiles", "--dry-run", "--budget=1000"]);
    // Tiles that divide 12; a task outside or inside, with its neighbor fused or sequential, or none.
    assert!(dry.starts_with("@t: 6 points\nlevels of 2 maps: 4 mappings"), "{dry}");
    assert!(dry.contains("24 different points drawn"), "{dry}");
    let (log, best) = (fresh("all.jsonl"), fresh("all-best.mlir"));
    let log_arg = format!("--log={log}");
    let (out, _) = search(&file, &["--technique=exhaustive", "--budget=100", &log_arg, "-o", &best]);
    assert!(out.contains("24 points: 24 ran\n"), "{out}");
    let log = lines(&log);
    assert_eq!(log[0]["names"], serde_json::json!(["t", "m.A", "m.B"]));
    assert_eq!((&log[0]["setting"]["on"], &log[0]["least"]), (&"interp".into(), &(4 * (12 * 5 + 12)).into()));
    for entry in &log[1..] {
        assert_eq!(entry["bytes"], 288, "{entry}");
        assert!(entry["stages"]["lowering"].as_f64() > Some(0.0) && entry["seconds"].as_f64() > Some(0.0));
    }
    let best = std::fs::read_to_string(best).expect("the program is there");
    assert!(best.contains("array.map \"A\" %") && !best.contains("tune."), "{best}");
}

/// What a log says but for times
fn timeless(log: &str) -> Vec<(serde_json::Value, serde_json::Value, serde_json::Value)> {
    let entry = |entry: &serde_json::Value| {
        (entry["point"].clone(), entry["rejected"].clone(), entry["bytes"].clone())
    };
    lines(log).iter().map(entry).collect()
}

#[test]
fn equal_seeds_give_equal_logs() {
    let file = scratch("seeds.mlir", PROGRAM);
    for technique in ["random", "reject", "manual"] {
        let runs: Vec<_> = [("a", "3"), ("b", "3"), ("c", "4")]
            .into_iter()
            .map(|(name, seed)| {
                let log = fresh(&format!("seed-{technique}-{name}.jsonl"));
                let args = [
                    format!("--log={log}"),
                    format!("--seed={seed}"),
                    format!("--technique={technique}"),
                    "--budget=6".into(),
                ];
                search(&file, &args.each_ref().map(String::as_str));
                timeless(&log)
            })
            .collect();
        assert_eq!(runs[0], runs[1], "{technique}");
        assert_ne!(runs[0], runs[2], "{technique}");
    }
}

#[test]
fn a_search_goes_on_where_its_log_ends() {
    let file = scratch("go-on.mlir", PROGRAM);
    let log = fresh("go-on.jsonl");
    let log_arg = format!("--log={log}");
    search(&file, &["--technique=random", "--budget=5", &log_arg]);
    let whole = std::fs::read_to_string(&log).expect("the log is there");
    std::fs::write(&log, &whole[..whole.len() - 9]).expect("can be written");
    let (out, _) = search(&file, &["--technique=random", "--budget=9", &log_arg, "--resume"]);
    assert!(out.contains("9 points: 9 ran"), "{out}");
    let mut points: Vec<String> = lines(&log)[1..].iter().map(|entry| entry["point"].to_string()).collect();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points.len(), 9, "each point once");
    // Other sizes are another search.
    let args = [&file, "--set=n=24", "--set=m=5", "--target=openmp", "--budget=9", &log_arg, "--resume"];
    let (_, err) = text(&tune(&args));
    assert!(err.contains("is the log of another search"), "{err}");
}

#[test]
fn without_a_solver_most_draws_are_refused_and_counted() {
    let file = scratch("reject.mlir", PROGRAM);
    let log = fresh("reject.jsonl");
    let (out, _) = search(&file, &["--technique=reject", "--budget=8", &format!("--log={log}")]);
    assert!(out.contains("8 points: 8 ran; accepted: numbers ") && out.contains(", levels "), "{out}");
    assert!(out.contains("refused most by: "), "{out}");
    let rejected: u64 = lines(&log)[1..].iter().filter_map(|entry| entry["rejected"].as_u64()).sum();
    assert!(rejected > 8, "6 tiles of 16 divide 12, and few levels are right");
}

#[test]
fn levels_by_hand_are_kept() {
    let file = scratch("manual.mlir", PROGRAM);
    let best = fresh("manual-best.mlir");
    search(&file, &["--technique=manual", "--fix=A=task", "--fix=t=3", "--budget=1", "-o", &best]);
    let best = std::fs::read_to_string(best).expect("the program is there");
    assert!(best.contains("array.split 3 ") && best.contains("array.map \"A\" %t : task as"), "{best}");
    assert!(best.contains("array.map \"B\" %rows as"), "{best}");
}

#[test]
fn what_is_chosen_without_measuring_fills_the_device() {
    let file = scratch("choose.mlir", PROGRAM);
    let log = fresh("choose.jsonl");
    let args = ["--set=n=4096", "--set=m=5", "--target=openmp", "--budget=1"];
    let run = |log: &str| {
        let log = format!("--log={log}");
        let output = tune(&[&[&*file], &args[..], &[&log]].concat());
        text(&output).0
    };
    let out = run(&log);
    // Four cores; tiles of a row of 4,096: any tile of at most 16 leaves work for all.
    assert!(out.starts_with("chosen without measuring: 100 % of the cores have work"), "{out}");
    let first = lines(&log)[1]["point"].clone();
    assert!(first[1]["level"] == "task" || first[2]["level"] == "task", "{first}");
    assert!(out.contains(&format!("t={}", first[0].as_i64().expect("a number"))), "{out}");
    let again = fresh("choose-again.jsonl");
    run(&again);
    assert_eq!(lines(&again)[1]["point"], first);
}

#[test]
fn strategies_are_tuned_like_sizes() {
    let text = "\
func.func @sum(%x: !array.of<24 x f32>) -> !array.of<1 x f32> {
  %z = arith.constant 0.0 : f32
  %one = array.split 24 %x
  %o = array.map \"all\" %one : seq as %r {
    %sum = array.reduce add init %z %r as %a {
      array.yield %a
    }
    array.yield %sum
  }
  return %o : !array.of<1 x f32>
}
tune.space @parts for @sum {
  tune.param @p divides 24
}
";
    let file = scratch("strategy.mlir", text);
    let best = fresh("strategy-best.mlir");
    let strategy = "--pipeline=func.func(array-rewrite{strategy=\"at(sum) splitReduce(@p, parts)\"})";
    let args =
        ["--levels=written", strategy, "--technique=exhaustive", "--budget=20", "--fix=p=6", "-o", &best];
    let (out, _) = search(&file, &args);
    assert!(out.contains("1 points: 1 ran"), "{out}");
    let best = std::fs::read_to_string(best).expect("the program is there");
    assert!(best.contains("array.split 6 ") && best.contains("array.map \"parts\""), "{best}");
}

#[test]
fn mistakes_are_told() {
    let file = scratch("wrong.mlir", PROGRAM);
    let none = scratch("wrong-none.mlir", &PROGRAM.replace("in 1 to 16", "in {5, 7, 8}"));
    let fixed = scratch("wrong-fixed.mlir", &PROGRAM.replace("array.split @t", "array.split 5"));
    let closed = PROGRAM[..PROGRAM.find("tune.space").expect("it has one")]
        .replace("@t ", "4 ")
        .replace(" %t as", " %t : task as")
        .replace(" %rows as", " %rows : seq as");
    let closed = scratch("wrong-closed.mlir", &closed);
    let device = scratch("wrong.toml", "kind = \"host\"\nlevels = [\"seq\", \"thread.w\"]\n");
    let device = format!("--target={device}");
    let mdh = scratch(
        "wrong-mdh.mlir",
        "func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> { return %a : tensor<4xi32> }",
    );
    let cases: [(&str, &[&str], &[&str]); 14] = [
        (&file, &["--space=@tile"], &["there is no `tune.space @tile`; there are @tiles"]),
        (&closed, &["--space=@tiles"], &["there is no `tune.space @tiles`; the file has none"]),
        (&closed, &[], &["nothing is open in the program"]),
        (
            &none,
            &[],
            &[
                "no point satisfies all constraints; these 1 contradict each other",
                "split [type]: @t divides 12, size of parts",
            ],
        ),
        (&file, &["--fix=t=5"], &["these 2 contradict each other", "fix [user]: @t is to be 5"]),
        (&fixed, &[], &["SIZE", "5 must divide @n, which leaves 2 with @n = 12"]),
        (&file, &["--fix=C=task"], &["there is no parameter or map `C`; there are @t, A, B"]),
        (&file, &["--fix=A=block.x"], &["A cannot be block.x; it is one of seq, task"]),
        (&file, &["--fix=A=tasks"], &["`tasks` is no level"]),
        (&file, &["--entry=@sum"], &["there is no function @sum on arrays"]),
        (&file, &["--tags=printd"], &["`printd` is no tag; did you mean `printed`?"]),
        (&file, &["--free=size"], &["--free are for computations of `mdh`"]),
        (&file, &["--forms"], &["--free are for computations of `mdh`"]),
        (&mdh, &["--space=@tiles"], &["the file holds no array program"]),
    ];
    for (file, args, messages) in cases {
        let all: Vec<&str> = [file].iter().chain(&SIZES).chain(args).copied().collect();
        let output = tune(&all);
        let err = text(&output).1;
        assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
        for message in messages {
            assert!(err.contains(message), "{args:?}: {message}\n{err}");
        }
    }
    let output = tune(&[&file, "--set=n=12", "--set=m=5", &device]);
    let err = text(&output).1;
    assert!(output.status.code() == Some(1) && err.contains("thread.w"), "{err}");
    let output = tune(&[&file, "--set=n=12"]);
    let err = text(&output).1;
    assert!(err.contains("@m has no number, and is no parameter of a space"), "{err}");
    let output = tune(&[&file, "--set=m=4"]);
    assert!(text(&output).1.contains("@n has no value"), "{}", text(&output).1);
}

#[test]
fn a_log_survives_candidates_that_never_end() {
    let file = scratch("slow.mlir", PROGRAM);
    let log = fresh("slow.jsonl");
    let log_arg = format!("--log={log}");
    // Each takes a good part of a second.
    let sizes = ["--set=n=12", "--set=m=60000", "--target=openmp"];
    let args = ["--budget=3", "--technique=random", "--timeout=1ms", &log_arg];
    let all: Vec<&str> = [&*file].iter().chain(&sizes).chain(&args).copied().collect();
    let output = tune(&all);
    let (out, err) = text(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("3 points: 3 timeout") && err.contains("no candidate ran"), "{out}{err}");
    let log = lines(&log);
    assert_eq!(log.len(), 4);
    assert!(log[1..].iter().all(|entry| entry["failed"] == "timeout" && entry["seconds"].is_null()));
}

#[test]
fn a_convolution_is_measured_with_its_borders() {
    let conv = include_str!("../../../test-files/programs/conv_search.mlir");
    let file = scratch("conv.mlir", conv);
    // Plain loops over the same layer are what is right.
    let plain = include_str!("../../../test-files/programs/layer.mlir").replace("@layer", "@conv");
    let reference = format!("--reference={}", scratch("plain.mlir", &plain));
    let log = fresh("conv.jsonl");
    let sizes = ["H=5", "W=5", "C=4", "M=2", "K=3", "p=1", "O=2", "s=1"].map(|size| format!("--set={size}"));
    let log_arg = format!("--log={log}");
    let mut args: Vec<&str> = vec![&file, "--target=openmp", "--budget=4", "--technique=random", &reference];
    args.extend(sizes.iter().map(String::as_str));
    args.extend(["--fix=r=1", "--fix=theta=5", &log_arg]);
    let (out, err) = text(&tune(&args));
    assert!(out.contains("4 points: 4 ran"), "{out}{err}");
    let least = 4 * (5 * 5 * 4 + 2 * 9 * 4 + 2 + 5 * 5 * 2);
    let log = lines(&log);
    assert_eq!(log[0]["least"], least);
    // The input with its border is memory, and time.
    let padded = 4 * (5 + 2 + 1) * (5 + 2 + 1) * 4;
    assert!(log[1..].iter().all(|entry| entry["bytes"].as_u64() > Some(least + padded)));
}

/// Pictures of the documentation are those of its logs
#[test]
fn figures_are_drawn_from_their_logs() {
    for layer in [19, 21] {
        let logs = ["solver", "rejection", "manual"].map(|name| format!("layer{layer}-{name}"));
        for figure in ["time", "expectancy"] {
            is_drawn(&logs, &[figure], &format!("layer{layer}-{figure}"));
        }
    }
    is_drawn(&["layer2".into()], &["memory", "--within=27MB"], "layer2-memory");
}

/// A picture is what these logs give, with a figure's name and more options
fn is_drawn(logs: &[String], options: &[&str], picture: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures/searches");
    let logs: Vec<String> =
        logs.iter().map(|log| folder.join(format!("{log}.jsonl")).display().to_string()).collect();
    let drawn = Command::new(env!("CARGO_BIN_EXE_terrace-tune"))
        .args([format!("--plot={}", logs.join(",")), format!("--figure={}", options[0])])
        .args(&options[1..])
        .output()
        .expect("the tool runs");
    let (out, err) = text(&drawn);
    assert!(drawn.status.success(), "{err}");
    let kept = folder.join(format!("{picture}.svg"));
    if std::env::var_os("TERRACE_BLESS").is_some() {
        std::fs::write(&kept, &out).expect("can be written");
    }
    let kept = std::fs::read_to_string(&kept).expect("the picture is there");
    assert!(out == kept, "{picture}: draw it again, TERRACE_BLESS=1");
}
