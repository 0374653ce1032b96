//! Logs that are there already: gone on with where nothing that times depend on has changed, or read for points to begin with.

use crate::args::Args;
use crate::elsewhere;
use crate::errors::environment;
use crate::stop::Stop;
use crate::written::Written;
use serde_json::Value;
use std::fs::{OpenOptions, TryLockError};
use std::io::ErrorKind;
use terrace_devices::Device;
use terrace_devices::machine::Machine;
use terrace_diag::Diagnostic;
use terrace_opt::codes;
use terrace_schedule_model::Point;
use terrace_search_explore::log::{self, Entry, Header, Setting, Version};
use terrace_search_explore::{Space, check, fingerprint, fingerprint_of_files};
use terrace_search_trials::About;
use terrace_view::program::fail;

/// Points of an older log that are measured first, at most
const STARTS: usize = 8;

/// Where and how candidates run
pub(crate) fn setting(args: &Args, runs: u32, stop: &Stop) -> Result<Setting, Diagnostic> {
    let target = args.target.as_deref().unwrap_or("host");
    let device = Device::find(target).map_err(fail)?;
    let (machine, version, build) = where_measured(args, stop)?;
    Ok(Setting {
        on: args.on.clone(),
        target: target.into(),
        numbers: fingerprint(&device.text("")),
        threads: args.threads,
        runs: Some(runs),
        drawn: Some(args.prune),
        machine,
        version,
        build,
    })
}

/// Machine, version and build of the compiler where candidates run
fn where_measured(args: &Args, stop: &Stop) -> Result<(Machine, String, String), Diagnostic> {
    if !args.farm.is_elsewhere() {
        return own();
    }
    let About { machine, compiler } = elsewhere::about(args, stop)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let cores = machine["cores"].as_u64().and_then(|cores| cores.try_into().ok()).unwrap_or_default();
    let (processor, features) = (text(&machine["processor"]), text(&machine["features"]));
    Ok((Machine { processor, cores, features }, text(&compiler["version"]), text(&compiler["build"])))
}

/// This machine and this compiler, as workers elsewhere state theirs
pub(crate) fn here() -> Result<About, Diagnostic> {
    let (machine, version, build) = own()?;
    let setting = Setting { machine, version, build, ..Setting::default() }.write();
    Ok(About { machine: setting["machine"].clone(), compiler: setting["compiler"].clone() })
}

fn own() -> Result<(Machine, String, String), Diagnostic> {
    let here = Machine::here();
    // Of a tool without the worker the interpreter is left, and other compilers of the machine.
    let worker = terrace_native_client::client::find().ok();
    let own = std::env::current_exe()
        .map_err(|error| environment(format!("this program is not found: {error}")))?;
    let programs = std::iter::once(own).chain(worker);
    let build = fingerprint_of_files(programs)
        .map_err(|error| environment(format!("the tools cannot be read: {error}")))?;
    let machine = Machine { features: fingerprint(&here.features), ..here };
    Ok((machine, env!("CARGO_PKG_VERSION").into(), build))
}

/// What a log says so far; `None` if there is none to go on with. The points that its search began with are those of the header
/// from now on
pub(crate) fn resume(args: &Args, header: &mut Header) -> Result<Option<Vec<Entry>>, Diagnostic> {
    let Some(file) = args.log.as_deref().filter(|file| args.resume && std::path::Path::new(file).exists())
    else {
        return Ok(None);
    };
    let (found, entries) = read(file)?;
    if found.version != header.version {
        let (number, lacks) = match found.version {
            Version::One => (1, "what its choices are"),
            Version::Two => (2, "on which machine its times were taken"),
            Version::Three | Version::Four => (3, "how its points follow from those before"),
        };
        return Err(fail(format!("`{file}` is a log of version {number}, which does not say {lacks}"))
            .help("figures can be drawn from it; give the new log another name"));
    }
    if found.space != header.space || found.names != header.names {
        let error =
            fail(format!("`{file}` is the log of another search: {} is not {}", found.space, header.space));
        return Err(error.help("another program, schedule or set of open fields; give the log another name"));
    }
    let mut all: Vec<String> = Vec::new();
    if found.technique != header.technique {
        all.push(format!("technique: {} then, {} now", found.technique, header.technique));
    }
    if found.seed != header.seed {
        all.push(format!("seed: {} then, {} now", found.seed, header.seed));
    }
    all.extend(found.course.differences(&header.course).iter().map(ToString::to_string));
    all.extend(found.setting.differences(&header.setting).iter().map(ToString::to_string));
    if all.is_empty() {
        header.course = found.course;
        return Ok(Some(entries));
    }
    let mut error = fail(format!("`{file}` cannot be resumed: its times and these are not of one search"));
    for one in all {
        error = error.note(one);
    }
    Err(error.help(format!("begin with its best points: --starts={file} and another --log")))
}

/// The best points of an older log, as far as the space has them: they are measured first
pub(crate) fn starts(args: &Args, space: &dyn Space) -> Result<Vec<Point>, Diagnostic> {
    let Some(file) = &args.starts else { return Ok(Vec::new()) };
    let (found, entries) = read(file)?;
    if found.version == Version::One {
        let error = fail(format!("`{file}` is a log of version 1, which does not say what its choices are"));
        return Err(error.help("name a log of a newer terrace-tune"));
    }
    let names = space.names();
    if found.names != names {
        let error = fail(format!("`{file}` is about other choices: {}", found.names.join(" ")));
        return Err(error.help(format!("the choices of this search are {}", names.join(" "))));
    }
    let mut ran: Vec<(&Entry, f64)> =
        entries.iter().filter_map(|entry| Some((entry, entry.cost()?))).collect();
    ran.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut points: Vec<Point> = Vec::new();
    let mut left = None;
    for (entry, _) in ran {
        match check(space, &entry.point) {
            _ if points.contains(&entry.point) => {}
            Ok(()) => points.push(entry.point.clone()),
            Err(why) => left = Some(why),
        }
        if points.len() == STARTS {
            break;
        }
    }
    match (points.is_empty(), left) {
        (true, Some(why)) => Err(fail(format!("no point of `{file}` is one of this search: {why}"))),
        (true, None) => Err(fail(format!("no point of `{file}` ran"))),
        (false, _) => Ok(points),
    }
}

/// The whole lines of a log: what comes behind them is cut off where the log is gone on with
pub(crate) fn read(file: &str) -> Result<(Header, Vec<Entry>), Diagnostic> {
    let text = terrace_opt::read_input(file)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    log::read(&text[..whole]).map_err(|why| fail(format!("`{file}`: {why}")))
}

/// The log to write to; its head and what is kept of it are there
pub(crate) fn open(args: &Args, header: &Header) -> Result<Option<Written>, Diagnostic> {
    let Some(file) = &args.log else { return Ok(None) };
    let fail =
        |error: std::io::Error| Diagnostic::error(&codes::WRITE, format!("cannot write `{file}`: {error}"));
    let path = std::path::Path::new(file);
    let mut how = OpenOptions::new();
    how.write(true).truncate(false).create(args.resume).create_new(!args.resume);
    let log = how.open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let error = Diagnostic::error(&codes::WRITE, format!("`{file}` is there already"));
            error.help("go on with it: --resume; or give another name")
        }
        _ => fail(error),
    })?;
    if let Err(TryLockError::WouldBlock) = log.try_lock() {
        let error = Diagnostic::error(&codes::WRITE, format!("another search writes `{file}`"));
        return Err(error.help("wait for its end, or give another name"));
    }
    let kept = terrace_support::read::text(path).map_err(fail)?;
    // A last line that was cut off would join the next one.
    let whole = kept.rfind('\n').map_or(0, |end| end + 1);
    log.set_len(whole as u64).map_err(fail)?;
    let mut log = Written::new(log).map_err(fail)?;
    if whole == 0 {
        log.line(&header.line()).map_err(fail)?;
    }
    Ok(Some(log))
}
