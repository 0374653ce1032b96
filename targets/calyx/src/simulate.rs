//! Cycle by cycle in Verilator.

use crate::{driver, verilog};
use std::ffi::OsString;
use std::process::Command;
use terrace_diag::Diagnostic;
use terrace_lowering_calyx::Printed;
use terrace_native_client::Turn;
use terrace_runtime_buffers::Buffer;
use terrace_schedule_fpga::Fpga;
use terrace_target_api::program::{failed, first_lines, output};
use terrace_target_api::{Array, Cycles, Form, Job, Outcome, Scratch, SlotId, display, worker};

/// Is there no simulator?
pub(crate) fn missing() -> bool {
    let is_here = |program: OsString| {
        let there = Command::new(program).arg("--version").output();
        there.is_ok_and(|out| out.status.success())
    };
    !is_here("verilator".into()) || !is_here(compiler())
}

fn compiler() -> OsString {
    std::env::var_os("CXX").unwrap_or_else(|| "c++".into())
}

/// Run a job on its hardware
pub(crate) fn run(job: &Job<'_>, printed: &Printed) -> Result<Outcome, Vec<Diagnostic>> {
    let late = |error: Diagnostic| worker::advised(vec![error]);
    let mut given = Vec::new();
    for input in job.inputs {
        given.push(input.start().map_err(|error| vec![error])?);
    }
    let folder = verilog::scratch().map_err(late)?;
    verilog::compile(&folder, &printed.text, job.limits.build).map_err(late)?;
    verilog::write(folder.path(), "driver.cpp", &driver::text(printed, job.signature, &given))
        .map_err(late)?;
    build(&folder, job).map_err(late)?;
    let _held = job.workers.turn().map(Turn::take);
    let mut command = folder.command(folder.path().join("simulate"));
    let memory = job.signature.params.iter().map(|slot| slot.form == Form::MemRef);
    let sent = given.clone().into_iter().zip(memory);
    let sent = sent.filter_map(|(buffer, memory)| memory.then_some(buffer)).collect();
    let out = output(&mut command, "the simulation", job.limits.run, sent).map_err(late)?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr).trim().to_string();
        return Err(vec![failed(format!("the simulation died: {}", out.status)).note(said)]);
    }
    outcome(job, given, &out.stdout).ok_or_else(|| vec![failed("the simulation wrote too little".into())])
}

/// The simulation as a program: one file of C++, since headers take most of the time
fn build(folder: &Scratch, job: &Job<'_>) -> Result<(), Diagnostic> {
    let run = |command: &mut Command, what: &str| {
        command.current_dir(folder.path()).env("TMPDIR", folder.path());
        let out = output(command, what, job.limits.build, Vec::new())?;
        if out.status.success() {
            return Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned());
        }
        Err(failed(format!("{what} refuses the hardware")).note(first_lines(&out.stderr)))
    };
    let mut verilator = folder.command("verilator");
    verilator.args([
        "--cc",
        "-O3",
        "-Wno-fatal",
        "-Wno-WIDTH",
        "-Wno-UNOPTFLAT",
        "--top-module",
        "main",
        "main.sv",
    ]);
    run(&mut verilator, "Verilator")?;
    let root = run(folder.command("verilator").args(["--getenv", "VERILATOR_ROOT"]), "Verilator")?;
    let made = std::fs::read_dir(folder.path().join("obj_dir"));
    let made = made.map_err(|error| failed(format!("what Verilator has made cannot be read: {error}")))?;
    let names = made.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".cpp")).collect();
    names.sort();
    let parts = ["verilated.cpp", "verilated_threads.cpp"].map(String::from).into_iter();
    let parts = parts.chain(names).chain(["driver.cpp".into()]);
    let text: String = parts.map(|name| format!("#include \"{name}\"\n")).collect();
    verilog::write(folder.path(), "simulate.cpp", &text)?;
    let mut compiler = folder.command(compiler());
    compiler.args(["-O0", "-std=c++17", "-w", "-pthread", "-I.", "-Iobj_dir"]);
    compiler.arg(format!("-I{root}/include")).arg(format!("-I{root}/include/vltstd"));
    compiler.args(["COVERAGE", "SC", "TRACE", "TRACE_FST", "TRACE_VCD"].map(|what| format!("-DVM_{what}=0")));
    compiler.args(["-o", "simulate", "simulate.cpp"]);
    run(&mut compiler, "the C++ compiler").map(|_| ())
}

fn outcome(job: &Job<'_>, given: Vec<Buffer>, answer: &[u8]) -> Option<Outcome> {
    let mut rest = answer;
    let mut arrays = Vec::new();
    for (n, (slot, mut buffer)) in job.signature.params.iter().zip(given).enumerate() {
        if slot.form == Form::MemRef {
            let (front, behind) = rest.split_at_checked(buffer.bytes().len())?;
            buffer.bytes_mut().copy_from_slice(front);
            rest = behind;
            let name = display(&job.signature.params, n);
            arrays.push(Array { name, slot: SlotId::Param(n), buffer, undefined: Vec::new() });
        }
    }
    let words: Vec<u64> = rest
        .chunks_exact(8)
        .map(|word| word.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte)))
        .collect();
    let [total, computing, reading, writing, passing] = *words.as_slice() else { return None };
    let cycles = Cycles { total, computing, reading, writing, passing };
    // At the clock of the device that designs are for, which no tool has confirmed; all runs are alike.
    let ns = (total as f64 * 1e3 / Fpga::calyx().mhz).round() as u64;
    let times_ns = job.bench.map_or(Vec::new(), |runs| vec![ns; runs as usize]);
    Some(Outcome { arrays, times_ns, cycles: Some(cycles), ..Outcome::default() })
}
