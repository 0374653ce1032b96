//! From the text of each row of `cpu` to its object, and where the time goes.
//!
//! Whole processes end at later and later forms of the same program; what a form takes longer than the one before is the time of
//! its stage. Runs of all forms of a program alternate, and differences are taken within a round.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use super::Options;
use crate::cpu::cases;
use crate::stats::Summary;
use crate::{Done, opt, process};

/// Stages, and the arguments of a process that ends after each
const STAGES: [(&str, &[&str]); 5] = [
    ("start", &["--version"]),
    ("read", &["--emit=mlir"]),
    ("passes", &["--pipeline=to-host", "--emit=mlir"]),
    ("LLVM IR", &["--pipeline=to-host", "--emit=llvm"]),
    ("code", &["--pipeline=to-host", "--emit=obj"]),
];

/// Prints the table
pub fn run(options: &Options) -> Done {
    let tool = opt::find(&options.terrace).ok_or_else(|| format!("there is no `{}`", options.terrace))?;
    let folder = std::env::temp_dir().join(format!("terrace-compile-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let done = table(options, &tool, &folder);
    std::fs::remove_dir_all(&folder)?;
    io::stdout().write_all(done?.as_bytes())?;
    Ok(())
}

fn table(options: &Options, tool: &Path, folder: &Path) -> Done<String> {
    let mut out = String::from("| program | text to object |");
    STAGES.iter().for_each(|(name, _)| {
        let _ = write!(out, " {name} |");
    });
    out.push_str("\n|---|--:|");
    out.push_str(&"--:|".repeat(STAGES.len()));
    out.push('\n');
    for case in cases::all() {
        let file = folder.join("program.mlir");
        std::fs::write(&file, case.program())?;
        let rounds: Vec<[f64; STAGES.len()]> =
            (0..options.runs.max(1)).map(|_| round(tool, &file, folder)).collect::<Done<_>>()?;
        let whole = Summary::of(rounds.iter().map(|round| round[STAGES.len() - 1])).median;
        let _ = write!(out, "| {} | {whole:.0} ms |", case.name);
        for stage in 0..STAGES.len() {
            let alone = |round: &[f64; STAGES.len()]| stage_of(round, stage);
            let _ = write!(out, " {:.1} |", Summary::of(rounds.iter().map(alone)).median);
        }
        out.push('\n');
    }
    Ok(out)
}

/// What a stage takes longer than the one before, in milliseconds
fn stage_of(round: &[f64], stage: usize) -> f64 {
    stage.checked_sub(1).map_or(round[stage], |before| round[stage] - round[before])
}

/// Milliseconds of a process to the end of each stage
fn round(tool: &Path, file: &Path, folder: &Path) -> Done<[f64; STAGES.len()]> {
    let mut times = [0.0; STAGES.len()];
    for (time, (_, arguments)) in times.iter_mut().zip(STAGES) {
        let mut command = Command::new(tool);
        command.arg(file).args(arguments).arg("-o").arg(folder.join("out"));
        *time = process::run(&mut command, &folder.join("messages"))?.wall.as_secs_f64() * 1e3;
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_add_up_to_the_whole() {
        let round = [4.0, 5.0, 15.0, 40.0, 70.0];
        let all: Vec<f64> = (0..round.len()).map(|stage| stage_of(&round, stage)).collect();
        assert_eq!(all, [4.0, 1.0, 10.0, 25.0, 30.0]);
    }
}
