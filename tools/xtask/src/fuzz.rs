//! `cargo xtask fuzz`: run the fuzz targets for a while
//!
//! They are built by the stable compiler with LLVM's coverage counters and linked with libFuzzer, which comes with a
//! crate and wants a C++ compiler. Starts from the corpus in `fuzz/corpus`, the test files case by case, and the examples
//! in the documentation of ops; what is found on the way is kept under `target/fuzz`. A finding is written to
//! `fuzz/artifacts` and is an error.

use crate::progress::Step;
use crate::workspace::Workspace;
use crate::{Fallible, process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The targets, by name
const TARGETS: &[&str] = &[
    "parse",
    "round-trip",
    "passes",
    "pipeline",
    "front-ends",
    "graphs",
    "models",
    "schedules",
    "files",
    "tools",
    "values",
];

/// Counters for each edge and each comparison, as `cargo fuzz` asks for them
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// `cargo xtask fuzz [target] [--seconds=N]`
pub fn command(ws: &Workspace, target: Option<&str>, seconds: u32) -> Fallible {
    let targets: Vec<&str> =
        TARGETS.iter().copied().filter(|name| target.is_none_or(|wanted| wanted == *name)).collect();
    if targets.is_empty() {
        return Err(format!("no such target; there are {}", TARGETS.join(", ")));
    }
    if !["c++", "g++", "clang++"].into_iter().any(process::in_path) {
        say!("skipped: fuzz (needs a C++ compiler)");
        return Ok(());
    }
    let fuzzer = Fuzzer::build(ws)?;
    fuzzer.gather()?;
    let mut failed = Vec::new();
    for target in targets {
        if let Err(why) = fuzzer.run(target, seconds) {
            say!("{why}");
            failed.push(target);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("findings in {}", failed.join(", "))) }
}

struct Fuzzer<'a> {
    ws: &'a Workspace,
    programs: PathBuf,
    /// Dictionary and seeds, made anew
    material: PathBuf,
}

impl Fuzzer<'_> {
    fn build(ws: &Workspace) -> Fallible<Fuzzer<'_>> {
        let folder = ws.target.join("fuzz");
        let version = process::text(Command::new("rustc").arg("-vV"))?;
        let host =
            version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc -vV names no host")?;
        let mut cargo = process::cargo(&ws.root.join("fuzz"));
        // With a target given, build scripts and macros stay without counters.
        cargo
            .env("RUSTFLAGS", FLAGS)
            .args(["build", "--release", "--target", host, "--target-dir"])
            .arg(&folder);
        process::run(&mut cargo)?;
        Ok(Fuzzer { ws, programs: folder.join(host).join("release"), material: folder.join("material") })
    }

    /// Dictionary and seeds
    fn gather(&self) -> Fallible {
        let seeds = self.material.join("seeds");
        let fail = |error: std::io::Error| format!("{}: {error}", self.material.display());
        if self.material.exists() {
            fs::remove_dir_all(&self.material).map_err(fail)?;
        }
        fs::create_dir_all(&seeds).map_err(fail)?;
        let mut dictionary = Command::new(self.programs.join("parse"));
        process::text(dictionary.env("TERRACE_FUZZ_MATERIAL", &self.material))?;
        let mut folders = vec![self.ws.root.join("test-files")];
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
                let path = entry.map_err(fail)?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let bytes = fs::read(&path).unwrap_or_default();
                let Ok(text) = String::from_utf8(bytes) else {
                    // Files that are no text are seeds as they are.
                    let file = seeds.join(format!("file-{count}"));
                    fs::copy(&path, file).map_err(fail)?;
                    count += 1;
                    continue;
                };
                for case in text.split("// -----\n").filter(|case| case.len() < 4096) {
                    fs::write(seeds.join(format!("file-{count}")), case).map_err(fail)?;
                    count += 1;
                }
            }
        }
        Ok(())
    }

    fn run(&self, target: &str, seconds: u32) -> Fallible {
        let found = self.ws.target.join("fuzz/corpus").join(target);
        let artifacts = self.ws.root.join("fuzz/artifacts");
        for folder in [&found, &artifacts] {
            fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let kept = self.ws.root.join("fuzz/corpus").join(target);
        let mut command = Command::new(self.programs.join(target));
        command.current_dir(&self.ws.root);
        command.arg(format!("-max_total_time={seconds}"));
        command.args([
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-max_len=4096",
            "-print_final_stats=1",
            "-verbosity=1",
        ]);
        command.arg(format!("-dict={}", self.material.join("dictionary").display()));
        command.arg(format!("-artifact_prefix={}/{target}-", artifacts.display()));
        command.arg(&found);
        let seeds = self.material.join("seeds");
        let others: [&Path; 2] = [&kept, &seeds];
        command.args(
            others.into_iter().filter(|folder| folder.is_dir() && (target != "pipeline" || *folder == kept)),
        );

        let step = Step::start(&format!("fuzz {target}"));
        step.now(&format!("{seconds} s"));
        let output = process::capture(&mut command);
        step.end(&output.as_ref().map(|_| ()).map_err(|_| ()));
        let output = output?;
        let said = String::from_utf8_lossy(&output.stderr);
        let statistic = |name: &str| {
            let line = said.lines().find(|line| line.starts_with(&format!("stat::{name}:")));
            line.and_then(|line| line.split_whitespace().last()).unwrap_or("?").to_owned()
        };
        let coverage = said.lines().rev().find_map(|line| line.split("cov: ").nth(1)?.split(' ').next());
        say!(
            "fuzz {target}: {} runs, {} per second, {} edges, {} MB at most",
            statistic("number_of_executed_units"),
            statistic("average_exec_per_sec"),
            coverage.unwrap_or("?"),
            statistic("peak_rss_mb"),
        );
        if output.status.success() {
            return Ok(());
        }
        let lines: Vec<&str> = said.lines().collect();
        let start =
            lines.iter().position(|line| line.contains("panicked") || line.contains("ERROR")).unwrap_or(0);
        let shown: Vec<&str> = lines[start..].iter().copied().take(40).collect();
        Err(format!("fuzz {target}: a finding, kept in fuzz/artifacts\n{}", shown.join("\n")))
    }
}
