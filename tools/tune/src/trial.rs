//! Trials as lines: a line of JSON requests one measurement, and a line answers it.
//!
//! A line holds all that it needs, so that whatever moves lines between machines can spread a search. What an answer says of its
//! machine and compiler is what the head of a log says. Mistakes in a line are an answer too.

use crate::args::Args;
use crate::call::{Call, Reference};
use crate::errors::environment;
use crate::measure::Bench;
use crate::resume::setting;
use crate::search;
use crate::stop::Stop;
use crate::subject::Subject;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::path::Path;
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_runtime_buffers::Buffer;
use terrace_search_explore::log::{Outcome, Setting};
use terrace_search_explore::{Next, Proposal, fingerprint};

/// The form of lines
const VERSION: u32 = 1;

/// Bytes of a line, at most
const LONGEST: u64 = 16 << 20;

/// Runs of a candidate, where a line does not say
const RUNS: u32 = 5;

/// A requested measurement
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    /// The form of the line
    trial: u32,
    /// Comes back in the answer
    id: String,
    /// The choices, for readers; the program has them in it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    point: Option<String>,
    /// The program, as text
    program: String,
    /// How it runs
    call: Call,
    /// How often
    #[serde(default = "runs")]
    runs: u32,
    /// Seconds after which it is given up, its compilation included
    seconds: f64,
    /// What has the right results; without one they are not compared
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<Reference>,
}

fn runs() -> u32 {
    RUNS
}

impl Trial {
    fn read(line: &str) -> Result<Trial, (Option<String>, String)> {
        let value: Value = serde_json::from_str(line).map_err(|why| (None, format!("no JSON: {why}")))?;
        let id = value["id"].as_str().map(String::from);
        if let Some(version) = value["trial"].as_u64().filter(|version| *version != u64::from(VERSION)) {
            return Err((id, format!("a line of version {version}; this tool reads version {VERSION}")));
        }
        let trial: Trial =
            serde_json::from_value(value).map_err(|why| (id.clone(), format!("no trial: {why}")))?;
        let limits = std::iter::once(trial.seconds).chain(trial.reference.as_ref().map(|one| one.seconds));
        match limits.into_iter().find(|seconds| !(0.0..1e9).contains(seconds)) {
            Some(seconds) => Err((id, format!("no trial: `seconds` is {seconds}, and no time"))),
            None if trial.runs == 0 => Err((id, "no trial: `runs` is 0".into())),
            None => Ok(trial),
        }
    }
}

/// Trials of points that a search would draw, as lines; nothing is measured
pub(crate) fn lines(
    args: &Args,
    subject: &dyn Subject,
    bench: &Bench,
    reference: &Reference,
) -> Result<(), Diagnostic> {
    let mut explorer = search::unmeasured(args, subject.space())?;
    let search = fingerprint(&subject.identity());
    for number in 1..=search::shown(args.budget) {
        let Next::Measure(Proposal { point, .. }) = explorer.next_point() else { break };
        if bench.stop.now() {
            break;
        }
        // A search notes why such a point is refused, and goes on.
        let Ok(made) = subject.make(&point) else { continue };
        let trial = Trial {
            trial: VERSION,
            id: format!("{}:{number:06}", &search[..12]),
            point: Some(subject.show(&point)),
            program: made.text,
            call: bench.call.clone(),
            runs: bench.runs,
            seconds: bench.timeout.as_secs_f64(),
            reference: Some(reference.clone()),
        };
        let line = serde_json::to_string(&trial).map_err(|why| environment(why.to_string()))?;
        terrace_opt::write_output(None, format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

/// Answer every line of a file, or of standard input, in order
pub(crate) fn answer(args: &Args, file: Option<&str>, stop: &Stop) -> Result<(), Diagnostic> {
    let folder = search::folder()?;
    let mut worker =
        Worker { folder: folder.path(), stop, setting: setting(args, RUNS)?, known: HashMap::new() };
    let unreadable = |error: std::io::Error| {
        let name = file.unwrap_or("standard input");
        Diagnostic::error(&terrace_opt::codes::READ, format!("cannot read `{name}`: {error}"))
    };
    let mut input: Box<dyn BufRead> = match file.filter(|file| *file != "-") {
        Some(file) => Box::new(std::io::BufReader::new(std::fs::File::open(file).map_err(unreadable)?)),
        None => Box::new(std::io::stdin().lock()),
    };
    let mut wrong = 0;
    loop {
        let mut line = Vec::new();
        (&mut input).take(LONGEST).read_until(b'\n', &mut line).map_err(unreadable)?;
        if line.is_empty() || stop.interrupted() {
            break;
        }
        let read = match std::str::from_utf8(&line) {
            _ if line.len() as u64 == LONGEST && !line.ends_with(b"\n") => {
                Err((None, format!("a line has at most {} MiB", LONGEST >> 20)))
            }
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => Trial::read(line),
            Err(_) => Err((None, "no UTF-8".into())),
        };
        // The rest of a line that is too long is no line of its own.
        while !line.ends_with(b"\n") && line.len() as u64 == LONGEST {
            line.clear();
            (&mut input).take(LONGEST).read_until(b'\n', &mut line).map_err(unreadable)?;
        }
        wrong += u32::from(read.is_err());
        let answer = match read {
            Ok(trial) => worker.answer(&trial),
            Err((id, why)) => json!({"trial": VERSION, "id": id, "status": "garbage", "reason": why}),
        };
        if stop.interrupted() {
            break;
        }
        terrace_opt::write_output(None, format!("{answer}\n").as_bytes())?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(environment(format!("{wrong} of the lines are no trials; their answers say why"))),
    }
}

/// What answers trials
struct Worker<'a> {
    folder: &'a Path,
    stop: &'a Stop,
    /// This machine and compiler
    setting: Setting,
    /// Results of references, by fingerprint
    known: HashMap<String, Vec<Buffer>>,
}

impl Worker<'_> {
    fn answer(&mut self, trial: &Trial) -> Value {
        let mut answer = json!({"trial": VERSION, "id": trial.id});
        let setting = self.setting.write();
        (answer["machine"], answer["compiler"]) = (setting["machine"].clone(), setting["compiler"].clone());
        let expected = match &trial.reference {
            Some(reference) => self.results(reference),
            None => Ok(None),
        };
        let (outcome, spent, times) = match expected {
            Ok(expected) => self.bench(&trial.call, trial.runs, trial.seconds, expected).map_or_else(
                |error| (failed("crashed", error.message), Default::default(), Vec::new()),
                |bench| bench.outcome(&trial.program),
            ),
            Err(why) => (failed("reference", why), Default::default(), Vec::new()),
        };
        match outcome {
            Outcome::Ran { .. } => answer["status"] = json!("ran"),
            Outcome::Failed { kind, reason } => {
                (answer["status"], answer["reason"]) = (json!(kind), json!(reason));
            }
        }
        let nanos = |seconds: f64| json!((seconds * 1e9).round() as u64);
        answer["times_ns"] = json!(times);
        answer["stages_ns"] = json!({
            "lower": nanos(spent.lowering), "build": nanos(spent.rest), "run": nanos(spent.running),
        });
        answer
    }

    fn bench(
        &self,
        call: &Call,
        runs: u32,
        seconds: f64,
        expected: Option<Vec<Buffer>>,
    ) -> Result<Bench, Diagnostic> {
        let mut bench = Bench::new(call.clone(), runs, self.stop, self.folder)?;
        bench.timeout = Duration::from_secs_f64(seconds);
        match expected {
            Some(expected) => bench.expected = expected,
            // Nothing to compare with: results are not even fetched.
            None => bench.call.results.clear(),
        }
        Ok(bench)
    }

    /// Results of a reference, which runs once
    fn results(&mut self, reference: &Reference) -> Result<Option<Vec<Buffer>>, String> {
        let key = fingerprint(&serde_json::to_string(reference).map_err(|why| why.to_string())?);
        if !self.known.contains_key(&key) {
            let bench = self.bench(&reference.call, 1, reference.seconds, Some(Vec::new()));
            let run = bench.map_err(|error| error.message).and_then(|bench| {
                bench.run(&reference.program).map_err(|(kind, why)| format!("{kind}: {why}"))
            });
            // What failed may run at another time.
            self.known.insert(key.clone(), run?.results);
        }
        Ok(self.known.get(&key).cloned())
    }
}

fn failed(kind: &str, reason: String) -> Outcome {
    Outcome::Failed { kind: kind.into(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(line: &str) -> (Option<String>, String) {
        Trial::read(line).err().expect("it is no trial")
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said() {
        let good = r#"{"trial":1,"id":"a","program":"","call":{"entry":"f","on":"interp","seeds":[],"results":[]},"seconds":1}"#;
        assert_eq!(Trial::read(good).map(|trial| trial.runs).ok(), Some(RUNS));
        assert!(why("{").1.starts_with("no JSON: "));
        let (id, reason) = why(&good.replace("\"trial\":1", "\"trial\":7"));
        assert_eq!(
            (id.as_deref(), reason.as_str()),
            (Some("a"), "a line of version 7; this tool reads version 1")
        );
        assert!(why(&good.replace("\"seconds\"", "\"secs\"")).1.contains("unknown field `secs`"));
        assert!(why(&good.replace("\"seeds\":[]", "\"seeds\":[-1]")).1.starts_with("no trial: "));
        assert!(why(&good.replace("\"seconds\":1", "\"seconds\":-1")).1.contains("`seconds` is -1"));
        assert!(why(&good.replace("\"seconds\":1", "\"seconds\":1,\"runs\":0")).1.contains("`runs` is 0"));
        assert!(why(&good.replace("\"trial\":1,", "")).1.contains("missing field `trial`"));
    }
}
