//! Searches from the command line, on the interpreter, so that they need no vendor library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const PROGRAM: &str = "\
func.func @mm(%A: tensor<8x6xi32>, %B: tensor<6x4xi32>) -> tensor<8x4xi32> {
  %C = mdh.compute \"mm\" (i in 8, j in 4, k in 6 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<8x6xi32>, tensor<6x4xi32>) -> tensor<8x4xi32>
  return %C : tensor<8x4xi32>
}
";

/// Two sizes open: 4 × 4 divisors of 8 and 6, and which of them may be what
pub(crate) const OPEN: &str = "\
1: (?,4,?) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)   // tiles
2: (1,1,1) (^,^ ; ^) (FOR.2,FOR.1,FOR.3)
";

pub(crate) fn scratch(name: &str, content: &str) -> String {
    let place: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&place, content).expect("the test's folder can be written");
    place.to_str().expect("UTF-8").to_owned()
}

/// A place where no file is
pub(crate) fn fresh(name: &str) -> String {
    let place = scratch(name, "");
    std::fs::remove_file(&place).expect("just written");
    place
}

pub(crate) fn tune(args: &[&str]) -> Output {
    // How many points are slow enough to be stopped depends on the machine.
    let stop = if args.iter().any(|arg| arg.starts_with("--stop=")) { None } else { Some("--stop=never") };
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
    command.args(args).args(stop).arg("--on=interp").output().expect("the tool runs")
}

pub(crate) fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The lines of a log but for its end: as one of a search that was killed
pub(crate) fn killed(log: &str) -> String {
    let text = std::fs::read_to_string(log).expect("it is there");
    text.lines().filter(|line| !line.starts_with("{\"end\"")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn an_exhaustive_search_measures_every_point_and_writes_the_best() {
    let (program, open) = (scratch("all.mlir", PROGRAM), scratch("all.txt", OPEN));
    let (log, best) = (fresh("all.jsonl"), fresh("best.mlir"));
    let log_arg = format!("--log={log}");
    let schedule = format!("--schedule={open}");
    let output =
        tune(&[&program, &schedule, "--technique=exhaustive", "--budget=100", &log_arg, "-o", &best]);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{err}");
    assert!(out.starts_with("16 points: 16 ran\n"), "{out}");
    let log = std::fs::read_to_string(log).expect("the log is there");
    // A head, the points, an end.
    assert_eq!(log.lines().count(), 18);
    assert!(
        log.contains("\"log\":\"terrace-tune/4\",\"names\":[\"step.1.size.1\",\"step.1.size.3\"]"),
        "{log}"
    );
    let best = std::fs::read_to_string(best).expect("the program is there");
    assert!(best.contains("mdh.schedule = [\"1: (") && !best.contains('?'), "{best}");
}

#[test]
fn empty_and_closed_spaces_say_why() {
    let program = scratch("empty.mlir", PROGRAM);
    for (name, steps, message) in [
        ("closed", "1: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)", "nothing is open in the schedule"),
        ("empty", "1: ({5},1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)", "S-EMPTY: no schedule is left"),
        ("rank", "1: (?,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)", "S-ARITY: step 1 has 2 sizes"),
        (
            "layers",
            "1: (1,1,1) (^,^ ; ^) ({BLK.x},FOR.2,FOR.3)",
            "S-EMPTY: no schedule is left; refused: S-LAYER 1",
        ),
        (
            "axes",
            "1: (1,1,1) (^,^ ; ^) ({THR.q},FOR.2,FOR.3)",
            "step 1: S-AXIS: `THR.q`: the axis is x, y or z",
        ),
    ] {
        let schedule = format!("--schedule={}", scratch(&format!("{name}.txt"), steps));
        let output = tune(&[&program, &schedule, "--budget=1"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(text(&output).1.contains(message), "{name}: {}", text(&output).1);
    }
}

/// The same empty space, whatever the form of the computation
#[test]
fn empty_spaces_of_every_form() {
    let c = "void f(float C[restrict 4][5], const float A[4][6], const float B[6][5]) {
#pragma mdh( C[i][j] : ++ , ++ , + ) schedule( 1: (de/re)-comp( {7},1,1 )( ^,^ ; ^ )( FOR.1,FOR.2,FOR.3 ) )
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 6; ++k)
        C[i][j] += A[i][k] * B[k][j];
}
";
    let mdh = "f := out_view<f32>( C: (i,j,k)->(i,j) ) o md_hom<4,5,6>( *, (++,++,+) )
  o inp_view<f32,f32>( A: (i,j,k)->(i,k), B: (i,j,k)->(k,j) )\n";
    let tensor = "fn f; A : f32 [4, 6]; B : f32 [6, 5]; C[i,j] = A[i,k] * B[k,j];\n";
    let steps = scratch("forms.txt", "1: ({7},1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)");
    let schedule = format!("--schedule={steps}");
    for (file, source, beside) in [("f.c", c, true), ("f.mdh", mdh, false), ("f.tensor", tensor, false)] {
        let program = scratch(file, source);
        let mut args = vec![program.as_str(), "--budget=1"];
        if !beside {
            args.push(&schedule);
        }
        let output = tune(&args);
        assert_eq!(output.status.code(), Some(1), "{file}");
        assert!(text(&output).1.contains("S-EMPTY: no schedule is left"), "{file}: {}", text(&output).1);
    }
}

#[test]
fn candidates_that_take_too_long_are_given_up() {
    let (program, open) = (scratch("slow.mlir", PROGRAM), scratch("slow.txt", OPEN));
    let schedule = format!("--schedule={open}");
    let output = tune(&[&program, &schedule, "--budget=1", "--timeout=1ms", "--bench=100000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).1.contains("timeout: no answer within"), "{}", text(&output).1);
}

/// Whatever is drawn from a schedule in which everything is open: the interpreter finds no race, and the values are right
#[test]
fn all_open_schedules_that_are_drawn_are_right() {
    let program = scratch("auto.mlir", PROGRAM);
    for target in ["openmp", "x86-64-v4"] {
        let log = fresh(&format!("auto-{target}.jsonl"));
        let (device, log_arg) = (format!("--target={target}"), format!("--log={log}"));
        let output =
            tune(&[&program, "--auto", &device, "--technique=random", "--budget=12", &log_arg, "--bench=1"]);
        let (out, err) = text(&output);
        assert!(
            out.starts_with("12 points: 12 ran"),
            "{target}: {out}{err}{}",
            std::fs::read_to_string(log).unwrap_or_default()
        );
    }
}

/// A log as a search of array programs writes it
pub(crate) fn log(name: &str, points: &[(&str, u64)]) -> String {
    let mut text = String::from(
        "{\"log\":\"terrace-tune/1\",\"space\":\"0\",\"names\":[\"t\"],\"technique\":\"random\",\"seed\":1,\"flops\":1000000,\"least\":500000}\n",
    );
    for (n, (seconds, bytes)) in points.iter().enumerate() {
        let n = n + 1;
        text += &format!(
            "{{\"n\":{n},\"point\":[\"{n}\"],\"at\":{n}.0,\"seconds\":{seconds},\"bytes\":{bytes}}}\n"
        );
    }
    scratch(name, &text)
}

#[test]
fn sets_tables_and_pictures_are_made_of_logs_alone() {
    let (a, b) =
        (log("a.jsonl", &[("0.001", 900_000), ("0.002", 600_000)]), log("b.jsonl", &[("0.002", 1_000_000)]));
    let tool = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_terrace-tune")).args(args).output().expect("it runs");
        let (out, err) = text(&output);
        assert!(output.status.success(), "{err}");
        out
    };
    let set = tool(&[&format!("--pareto={a},{b}"), "--within=0.7MB"]);
    assert!(set.starts_with("3 points ran; 2 are not beaten"), "{set}");
    assert!(set.contains("best within 0.7 MB:\n    0.6 MB  2.000 ms (0.5 GFLOP/s)  point 2 of a"), "{set}");
    let table = tool(&[&format!("--report=5={a},12/14={b}"), "--form=markdown"]);
    assert!(table.contains("| 14 | 0.5 | 2.000 | 1.0 | 2.00 | 1 of 1 |"), "{table}");
    // Three layers of 1 MFLOP in 5 ms.
    assert!(table.contains("| all | 0.6 | 5.000 |"), "{table}");
    for figure in ["tries", "time", "expectancy", "memory"] {
        let picture = tool(&[&format!("--plot={a},{b}"), &format!("--figure={figure}")]);
        assert!(picture.starts_with("<svg"), "{figure}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_search() {
    let program = scratch("unwritable.mlir", PROGRAM);
    let output = tune(&[&program, "--auto", "--budget=1h", "-o", "/no/such/folder/best.mlir"]);
    let (_, err) = text(&output);
    assert!(!output.status.success() && err.contains("cannot write `/no/such/folder/best.mlir`"), "{err}");
}

/// A log of hours does not end as a program or a picture
#[test]
fn the_output_is_not_the_log() {
    let program = scratch("places.mlir", PROGRAM);
    let log = fresh("places.jsonl");
    let other = log.replace("/places.jsonl", "/./places.jsonl");
    let refused = tune(&[&program, "--free=size", &format!("--log={log}"), "-o", &other]);
    assert!(text(&refused).1.contains("is the log, `-o` would overwrite it"), "{}", text(&refused).1);
    assert!(!std::path::Path::new(&log).exists());
    let log = scratch("drawn.jsonl", "{}\n");
    for question in ["--plot", "--pareto", "--report=1"] {
        let refused = tune(&[&format!("{question}={log}"), "-o", &log]);
        assert!(text(&refused).1.contains("is the log"), "{}", text(&refused).1);
    }
    assert_eq!(std::fs::read_to_string(&log).expect("it is there"), "{}\n");
}

/// Ctrl-C ends a search, not what it has found
#[test]
#[cfg(unix)]
fn who_interrupts_has_the_best_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    let program = scratch("interrupted.mlir", PROGRAM);
    let (log, best) = (fresh("interrupted.jsonl"), fresh("interrupted-best.mlir"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrace-tune"))
        .args([
            &program,
            "--free=size,core",
            "--on=interp",
            "--budget=1h",
            &format!("--log={log}"),
            "-o",
            &best,
        ])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the tool runs");
    let points = || std::fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    while points() < 4 && child.try_wait().expect("it is ours").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(id, Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output).0);
    assert!(text(&output).0.contains(" ran"), "{}", text(&output).0);
    let best = std::fs::read_to_string(best).expect("the best one is there");
    assert!(best.contains("mdh.schedule"), "{best}");
}

/// Drawing points takes part in the time of a search
#[test]
fn a_search_without_points_ends_in_time() {
    let program = scratch("clock.mlir", PROGRAM);
    let start = std::time::Instant::now();
    let output = tune(&[&program, "--auto", "--target=cuda", "--budget=1ms"]);
    let (out, err) = text(&output);
    assert!(!output.status.success() && start.elapsed().as_secs() < 60, "{out}{err}");
    assert!(err.contains("the search ended before a point was found"), "{err}");
}

/// A schedule that is given is searched as it is, also where the one chosen without measuring is two computations
#[test]
fn a_given_schedule_comes_before_the_chosen_one() {
    let long = PROGRAM.replace("8x6", "16x2048").replace("6x4", "2048x40").replace("8x4", "16x40");
    let long = long.replace("i in 8, j in 4, k in 6", "i in 16, j in 40, k in 2048");
    let program = scratch("long.mlir", &long);
    let open = "\
1: (?,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)
2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)
3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)
";
    let schedule = format!("--schedule={}", scratch("long.txt", open));
    let output = tune(&[&program, &schedule, "--target=cuda", "--dry-run"]);
    let (out, err) = text(&output);
    assert!(output.status.success() && out.contains("1 open fields; step.1.size.1 is one of"), "{out}{err}");
    // Nothing given: fields of the chosen schedule, of the computation that is most of the work.
    let output = tune(&[&program, "--free=size", "--target=cuda", "--dry-run"]);
    let (out, err) = text(&output);
    assert!(output.status.success() && out.contains("open fields"), "{out}{err}");
}

/// Fields are opened of the schedule for the threads that candidates have: one thread has no tasks
#[test]
fn the_chosen_schedule_is_for_the_threads_of_candidates() {
    let long = PROGRAM.replace("8x6", "512x480").replace("6x4", "480x256").replace("8x4", "512x256");
    let long = long.replace("i in 8, j in 4, k in 6", "i in 512, j in 256, k in 480");
    let program = scratch("threads.mlir", &long);
    let drawn = |threads: &str| {
        let flags = [&program, threads, "--free=size", "--target=x86-64-v4", "--dry-run", "--budget=1"];
        let (out, err) = text(&tune(&flags));
        assert!(out.contains("open fields"), "{threads}: {out}{err}");
        out
    };
    assert!(drawn("--threads=4").contains("THR") && !drawn("--threads=1").contains("THR"));
}

/// Points are made, not filtered: of the paper's matrix product with every field open, ten refusals a point would be many
#[test]
fn all_open_spaces_refuse_little() {
    let long = PROGRAM
        .replace("i32", "f32")
        .replace("muli", "mulf")
        .replace("i in 8, j in 4, k in 6", "i in 16, j in 1000, k in 2048");
    let long = long.replace("8x6", "16x2048").replace("6x4", "2048x1000").replace("8x4", "16x1000");
    let program = scratch("open.mlir", &long);
    for target in ["cuda", "opencl", "host"] {
        let target = format!("--target={target}");
        let (out, err) = text(&tune(&[&program, "--auto", &target, "--dry-run", "--budget=30", "--seed=5"]));
        let refused =
            out.lines().find_map(|line| line.strip_prefix("whole schedules refused while drawing these: "));
        let refused = refused.unwrap_or_else(|| panic!("{target}: {out}{err}"));
        let numbers = refused.split([' ', ',']).filter_map(|word| word.parse::<usize>().ok());
        assert!(numbers.sum::<usize>() <= 10 * 30, "{target}: {refused}");
    }
}

/// D1: nothing is given but the computation, and what is drawn is right; the dry run shows vectors, primitives and a bound
#[test]
fn spaces_follow_from_the_loops_alone() {
    let program = scratch("primitives.mlir", PROGRAM);
    for target in ["x86-64-v3", "cuda"] {
        let target = format!("--target={target}");
        let dry = tune(&[&program, "--primitives", &target, "--dry-run", "--budget=2"]);
        let (out, err) = text(&dry);
        assert!(dry.status.success(), "{err}");
        assert!(out.contains("open fields; split.i.1 is one of 1 2 4 8\nat most "), "{out}");
        assert!(
            out.contains("\nsplit i into [") && out.contains("\nreorder ") && out.contains(": (^,^,"),
            "{out}"
        );
        let args = [
            program.as_str(),
            "--primitives=3/2",
            &target,
            "--technique=evolve",
            "--from-nothing",
            "--prune=1",
        ];
        let found = tune(&[&args[..], &["--budget=14", "--bench=1"]].concat());
        let (out, err) = text(&found);
        assert!(found.status.success() && out.starts_with("14 points: 14 ran\n"), "{out}{err}");
    }
    for (wrong, why) in [
        ("--primitives=5/3", "a loop is split into 1 to 4 parts, not 5"),
        ("--primitives=all", "`all` is no numbers of parts"),
    ] {
        let refused = tune(&[&program, wrong]);
        assert_eq!(refused.status.code(), Some(2), "{wrong}");
        assert!(text(&refused).1.contains(why), "{}", text(&refused).1);
    }
    let both = tune(&[&program, "--primitives", "--auto"]);
    assert_eq!(both.status.code(), Some(2));
}
