//! What a run starts ends with it, however that ends, and its files go; nothing is waited for without limit.
#![cfg(target_os = "linux")]

use crate::common::{backends::here, command, place, refused, run};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// It never ends
const ENDLESS: &str = "\
func.func @main(%A: memref<4xi32> {terrace.name = \"A\"}) {
  %t = arith.constant true
  %c0 = arith.constant 0 : index
  scf.while : () -> () {
    scf.condition(%t)
  } do {
    %v = memref.load %A[%c0] : memref<4xi32>
    memref.store %v, %A[%c0] : memref<4xi32>
    scf.yield
  }
  return
}
";

/// The processes that have this folder as theirs for temporary files: all that a run has started, and the run
fn alive(folder: &Path) -> Vec<String> {
    let mark = format!("TMPDIR={}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("Linux has it").flatten() {
        let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
        let environment = String::from_utf8_lossy(&read("environ")).into_owned();
        if environment.split('\0').any(|word| word.starts_with(&mark)) {
            found.push(String::from_utf8_lossy(&read("comm")).trim().to_owned());
        }
    }
    found
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Start an endless run whose temporary files lie in a folder of its own
fn start(test: &str, args: &[&str], more: &[(&str, &Path)]) -> (Child, PathBuf) {
    let folder = place(&format!("{test}.tmp"));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    let mut command = command(test, ENDLESS, args);
    command.env("TMPDIR", &folder).envs(more.iter().copied());
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    (child.expect("cargo built the tool"), folder)
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([&format!("-{name}"), &id]).status();
    assert!(status.expect("there is `kill`").success());
}

/// It dies of this signal, and nothing is left
fn ends(test: &str, args: &[&str], more: &[(&str, &Path)], program: &str, signal_name: &str) {
    let (mut child, folder) = start(test, args, more);
    wait_until(&format!("{test}: {program} runs"), || alive(&folder).iter().any(|name| name == program));
    signal(&child, signal_name);
    child.wait().expect("it is ours");
    wait_until(&format!("{test}: all processes end: {:?}", alive(&folder)), || alive(&folder).is_empty());
    wait_until(&format!("{test}: all files go"), || files(&folder) == 0);
    std::fs::remove_dir_all(folder).expect("made here");
    let _ = std::fs::remove_file(place(&format!("{test}.mlir")));
}

#[test]
fn a_worker_ends_with_its_tool() {
    let list = here("a_worker_ends_with_its_tool");
    for (backend, program) in [("host", "terrace-native"), ("mlir", "terrace-upstream")] {
        for name in ["KILL", "INT"] {
            if list.contains(backend) {
                ends(
                    &format!("{backend}-{name}"),
                    &[&format!("--on={backend}")],
                    &[],
                    &program[..15.min(program.len())],
                    name,
                );
            }
        }
    }
}

#[test]
fn a_compiled_program_ends_with_its_tool() {
    if !here("a_compiled_program_ends_with_its_tool").contains("openmp") {
        return;
    }
    for name in ["KILL", "INT", "TERM"] {
        ends(&format!("program-{name}"), &["--on=openmp"], &[], "program", name);
    }
}

/// A compiler that has started others and written files
#[test]
fn a_compiler_ends_with_its_tool() {
    use std::os::unix::fs::PermissionsExt;
    let compiler = place("cc");
    let text = "#!/bin/sh\necho text > ${TMPDIR:-/tmp}/left-over.s\nsleep 1000 &\nsleep 1001\n";
    std::fs::write(&compiler, text).expect("the folder for temporary files of tests can be written");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    for name in ["KILL", "INT"] {
        ends(&format!("compiler-{name}"), &["--on=openmp"], &[("CC", &compiler)], "sleep", name);
    }
    std::fs::remove_file(compiler).expect("made here");
}

#[test]
fn a_program_has_a_time_limit() {
    for backend in here("a_program_has_a_time_limit").split(',').skip(1) {
        let out = run(&format!("limit-{backend}"), ENDLESS, &[&format!("--on={backend}"), "--time-limit=2"]);
        refused(&out, 1, "error[E0724]: ");
        refused(&out, 1, "`--time-limit=SECONDS` gives it more");
    }
}
