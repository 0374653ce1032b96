//! Cycle by cycle in Verilator.

use crate::{driver, verilog};
use std::process::Command;
use terrace_diag::Diagnostic;
use terrace_lowering_calyx::Printed;
use terrace_native_client::Turn;
use terrace_runtime_buffers::Buffer;
use terrace_target_api::program::{failed, output};
use terrace_target_api::{Array, Cycles, Form, Job, Outcome, SlotId, display, worker};

/// Is there no simulator?
pub(crate) fn missing() -> bool {
    let there = Command::new("verilator").arg("--version").output();
    !there.is_ok_and(|out| out.status.success())
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
    verilog::write(folder.path(), "driver.cpp", &driver::text(printed, job.signature, &given)).map_err(late)?;
    let mut build = folder.command("verilator");
    build.current_dir(folder.path()).env("TMPDIR", folder.path());
    build.args(["--cc", "--exe", "--build", "-O3", "-Wno-fatal", "-Wno-WIDTH", "-Wno-UNOPTFLAT"]);
    build.args(["--top-module", "main", "-CFLAGS", "-O1", "-o", "simulate", "main.sv", "driver.cpp"]);
    let out = output(&mut build, "Verilator", job.limits.build, Vec::new()).map_err(late)?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        let said: Vec<&str> = said.lines().take(20).collect();
        return Err(vec![failed("Verilator refuses the hardware".into()).note(said.join("\n"))]);
    }
    let _held = job.workers.turn().map(Turn::take);
    let mut command = folder.command(folder.path().join("obj_dir/simulate"));
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
    let [total, computing, reading, writing, _passing] = *words.as_slice() else { return None };
    let cycles = Cycles { total, computing, reading, writing };
    // Cycles at the clock of the device's description; all runs are alike.
    let times_ns = job.bench.map_or(Vec::new(), |runs| vec![cycles.ns(); runs as usize]);
    Some(Outcome { arrays, times_ns, cycles: Some(cycles), ..Outcome::default() })
}
