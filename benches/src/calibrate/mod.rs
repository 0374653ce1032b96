//! `terrace-benches calibrate`: this processor's own numbers, measured and written as a device's file.
//!
//! Each number of the model is measured by a small program that goes through our own pipeline and runs as users' programs do
//! ([`programs`]). Sizes are the system's. All programs run in rounds, so that each is seen at the beginning and at the end: what takes
//! another time then, is disturbed, and nothing is written ([`series`]). The file has the names of [`terrace_devices::named`].
//!
//! The block `code` stays as it is: it says what compilers make of loops, in which no program of ours shows one number alone. It was fitted to
//! measured schedules (decision 39).
//!
//! Cycles are those of a chain of additions of integers, one each. Where wide vectors slow the clock down, their cycles count as more.

mod fit;
mod probes;
mod programs;
mod refusal;
mod series;
pub(crate) mod system;

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use terrace_devices::costs::{Caches, Code, Instructions, Key, RegisterTiles, Threads};
use terrace_devices::{Costs, Device, named};

use crate::contest::median_in;
use crate::process::Complaint;
use crate::{Done, machine, opt};
use fit::Fit;
use probes::Probe;
use programs::{Program, Shape};
use refusal::Refusal;
use series::{Part, Times};
use system::{Load, System};

/// Share of all processors that other programs may use, in percent
const BUSY: f64 = 5.0;

/// Share of all processors that a hypervisor may give to others, in percent
const STOLEN: f64 = 2.0;

/// How long it is looked whether the machine is busy before it begins
const LOOK: Duration = Duration::from_millis(500);

#[derive(clap::Args)]
pub struct Options {
    /// The file: a path that ends in `.toml`, or a name, which `--target=NAME` finds then
    #[arg(long, value_name = "FILE", default_value = "my-machine")]
    out: String,
    /// Three rounds in place of nine: rough figures
    #[arg(long)]
    quick: bool,
    /// The tool that runs programs: a name or a path
    #[arg(long, default_value = "terrace-run")]
    terrace: String,
}

/// Measures, shows a table, writes the file
pub fn run(options: &Options) -> Done {
    let tool = opt::find(&options.terrace).ok_or_else(|| format!("`{}` was not found", options.terrace))?;
    let file = place(&options.out)?;
    let system = System::read()?;
    if 2 * system.beyond() > system.free {
        return Err(Refusal::Memory { needed: 2 * system.beyond(), free: system.free }.into());
    }
    let before = Load::now()?;
    std::thread::sleep(LOOK);
    undisturbed(before)?;
    let host = Device { units: system.cores, ..Device::host() };
    let shape = Shape::of(&host);
    let start = Load::now()?;
    let times = measure(options, &tool, &shape, &system)?;
    let date = date(SystemTime::now());
    let fit = Fit { times: &times, system: &system, shape, date: &date };
    let device = fit.device(&host, Part::All);
    show(&times, &fit, &host, &device);
    undisturbed(start)?;
    times.steady()?;
    fit.sizes()?;
    write(&file, &device)?;
    say!("written: {}; use it as `--target={}`", file.display(), options.out);
    Ok(())
}

/// Where the file comes to lie
fn place(out: &str) -> Result<PathBuf, Refusal> {
    if out.ends_with(".toml") {
        return Ok(out.into());
    }
    let free = Some(out).filter(|out| !Device::names().contains(out));
    free.and_then(named::path).ok_or_else(|| Refusal::Name { name: out.into() })
}

/// An error if something else has run since
fn undisturbed(since: Load) -> Result<(), Refusal> {
    let (percent, stolen) = Load::now()?.since(since);
    match () {
        () if percent > BUSY => Err(Refusal::Busy { percent, most: BUSY }),
        () if stolen > STOLEN => Err(Refusal::Stolen { percent: stolen, most: STOLEN }),
        () => Ok(()),
    }
}

/// Runs everything in rounds
fn measure(options: &Options, tool: &Path, shape: &Shape, system: &System) -> Result<Times, Refusal> {
    let plan = probes::plan(shape, system);
    let rounds = if options.quick { 3 } else { 9 };
    let folder = std::env::temp_dir().join(format!("terrace-calibrate-{}", std::process::id()));
    let unwritable = |why: std::io::Error| Refusal::Unwritable {
        file: folder.display().to_string(),
        why: why.to_string(),
    };
    fs::create_dir_all(&folder).map_err(unwritable)?;
    let bar = progress(plan.len() * rounds);
    let mut times = Times { rounds, ..Times::default() };
    let outcome = (0..rounds).try_for_each(|round| {
        plan.iter().enumerate().try_for_each(|(number, probe)| {
            bar.set_message(probe.to_string());
            bar.inc(1);
            // Of the rounds of a third, slow ones take part in the middle one.
            if probe.is_slow() && round % (rounds / 3) != rounds / 6 {
                return Ok(());
            }
            let program = probe.program(shape, system);
            let file = folder.join(format!("{number}.mlir"));
            if !file.is_file() {
                fs::write(&file, &program.text).map_err(unwritable)?;
            }
            let runs = if matches!(probe, Probe::Memory(_) | Probe::Runs) { 7 } else { 101 };
            let failed = |why| Refusal::Failed { what: probe.to_string(), why };
            let ns = time(tool, &file, &program, runs).map_err(failed)?;
            times.add(*probe, round, ns / program.count);
            Ok(())
        })
    });
    bar.finish_and_clear();
    fs::remove_dir_all(&folder).map_err(unwritable)?;
    outcome.map(|()| times)
}

/// On a terminal a line that moves, else one line
fn progress(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        eprintln!("measuring: {steps} runs …");
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{elapsed} {wide_bar} {pos}/{len} {msg}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is a constant and was tried"))
}

/// The median time of a run, in nanoseconds
fn time(tool: &Path, file: &Path, program: &Program, runs: u32) -> Result<f64, Complaint> {
    let mut command = Command::new(tool);
    command.arg(file).args([
        "--on=host",
        &format!("--bench={runs}"),
        &format!("--threads={}", program.threads),
    ]);
    command.args(program.arguments.iter().map(|(name, value)| format!("--in={name}={value}")));
    let output = command.stdin(Stdio::null()).output().map_err(|error| Complaint(error.to_string()))?;
    if !output.status.success() {
        return Err(Complaint(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    median_in(&text).filter(|ns| *ns > 0.0).ok_or_else(|| Complaint("the tool printed no time".to_owned()))
}

/// Facts, and each number next to the one that is built in
fn show(times: &Times, fit: &Fit<'_>, host: &Device, device: &Device) {
    let mut facts = machine::Facts::gather();
    facts.add("clock", format!("{:.2} GHz", 1.0 / times.ns(Probe::Clock, Part::All)));
    facts.add("built in", host.name.clone());
    say!("{}", facts.markdown());
    say!("| key | built in | measured | spread |\n|---|---:|---:|---:|");
    let built_in = |number: usize| host.memories.get(number).map_or(0, |memory| memory.bytes);
    say!("| units | {} | {} | – |", Device::host().units, device.units);
    for (number, memory) in device.memories.iter().enumerate() {
        say!("| {} bytes | {} | {} | – |", memory.region, built_in(number), memory.bytes);
    }
    let thirds = Part::THIRDS.map(|part| numbers(&fit.device(host, part).costs));
    for (number, ((block, key, old), (_, _, new))) in
        numbers(&host.costs).into_iter().zip(numbers(&device.costs)).enumerate()
    {
        let parts = thirds.each_ref().map(|third| third[number].2);
        let spread = parts.into_iter().fold(f64::MIN, f64::max) - parts.into_iter().fold(f64::MAX, f64::min);
        let spread = if new > 0.0 { format!("{:.1} %", 100.0 * spread / new) } else { format!("{spread}") };
        say!("| {block}.{} | {old} | {new} | {spread} |", key.word);
    }
    say!("");
}

/// All numbers of a host in the order of its file, each with its block
fn numbers(costs: &Costs) -> Vec<(&'static str, Key, f64)> {
    let block = |name, keys: &[Key], values: Vec<f64>| -> Vec<(&'static str, Key, f64)> {
        keys.iter().zip(values).map(|(key, value)| (name, *key, value)).collect()
    };
    [
        block(Instructions::NAME, Instructions::KEYS, costs.instructions.values()),
        block(Caches::NAME, Caches::KEYS, costs.caches.values()),
        block(RegisterTiles::NAME, RegisterTiles::KEYS, costs.tiles.values()),
        block(Code::NAME, Code::KEYS, costs.code.values()),
        block(Threads::NAME, Threads::KEYS, costs.threads.values()),
    ]
    .concat()
}

/// Writes what reads again
fn write(file: &Path, device: &Device) -> Result<(), Refusal> {
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let text = device.text(&format!(
        "{}, {} cores, by `cargo xtask calibrate`",
        terrace_devices::machine::processor(),
        device.units
    ));
    Device::parse(&name, &text).map_err(Refusal::Number)?;
    let unwritable =
        |why: std::io::Error| Refusal::Unwritable { file: file.display().to_string(), why: why.to_string() };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(unwritable)?;
    }
    fs::write(file, text).map_err(unwritable)
}

/// The day, as 2026-11-30
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // Years begin in March, so that a leap day is the last of its year; eras have 400 years.
    let days = (seconds / 86_400) as i64 + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + later)
}

#[cfg(test)]
mod tests;
