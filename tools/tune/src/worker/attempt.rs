//! One trial in the process that measures: run, and compared with what has the right results.

use super::watch::Watch;
use crate::call;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use terrace_diag::{Diagnostic, Severity};
use terrace_native_client::{Limits, Turn, Workers, codes};
use terrace_opt::Tool;
use terrace_run::{Misused, Ran, Request, run_on};
use terrace_runtime_buffers::{Buffer, Tolerance, Value, compare};
use terrace_search_explore::fingerprint;
use terrace_search_trials::{Answer, Call, Policy, Reference, Spent, Status, Trial};

/// References whose results are kept in memory
const KNOWN: usize = 8;

/// Time for passes, data and comparison around programs of back ends that keep their limits themselves
const OTHERS: Duration = Duration::from_secs(60);

/// How a program fails
type Failure = (Status, String);

/// What runs trials
pub(crate) struct Attempts {
    tool: Tool,
    workers: Workers,
    /// Where results of references are kept for the next process
    results: Option<PathBuf>,
    /// What tells this build of the compiler from others
    build: String,
    known: HashMap<String, Vec<Buffer>>,
    /// In the order in which they came
    order: VecDeque<String>,
}

impl Attempts {
    pub(crate) fn new(tool: Tool, results: Option<PathBuf>, turn: Option<Turn>) -> Attempts {
        let (known, order) = (HashMap::new(), VecDeque::new());
        Attempts { tool, workers: Workers::in_turn(turn), results, build: build(), known, order }
    }

    /// What became of a trial; the watch ends the process where a part of it takes too long here
    pub(crate) fn answer(&mut self, trial: &Trial, watch: &Watch) -> Answer {
        let seconds = Duration::from_secs_f64;
        if let Some(reference) = &trial.reference {
            let limit = seconds(2.0 * reference.seconds) + others(&reference.call);
            watch.begin(&trial.id, Status::Reference, limit);
        }
        let id = Some(trial.id.clone());
        // What has the right results by definition need not run twice.
        let own =
            trial.reference.as_ref().filter(|one| one.program == trial.program && one.call == trial.call);
        let expected = match (&trial.reference, own) {
            (Some(reference), None) => match self.expected(reference) {
                Ok(expected) => Some(expected),
                Err((status, why)) => {
                    return Answer::failed(id, Status::Reference, format!("{}: {why}", status.word()));
                }
            },
            _ => None,
        };
        let limit = seconds(trial.policy.build_s + trial.policy.run_s) + others(&trial.call);
        watch.begin(&trial.id, Status::Timeout, limit);
        let wants = trial.reference.is_some();
        let (start, waited) = (Instant::now(), watch.waited());
        let ran = match self.run(&trial.program, &trial.call, trial.policy, wants) {
            Ok(ran) => ran,
            Err((status, why)) => return Answer::failed(id, status, why),
        };
        let spent = start.elapsed().saturating_sub(watch.waited().saturating_sub(waited));
        let wall = u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX);
        let differ = expected.as_ref().and_then(|key| differences(&ran.arrays, self.known.get(key)?));
        let status = match &differ {
            Some(_) => Status::Wrong,
            None if (ran.times_ns.len() as u64) < u64::from(trial.policy.runs) => Status::Stopped,
            None => Status::Ran,
        };
        if let (Some(reference), None) = (own, &differ) {
            let key = self.key(reference);
            self.keep(key, ran.arrays);
        }
        let sum: u64 = ran.times_ns.iter().fold(0, |sum, time| sum.saturating_add(*time));
        let lower = ran.lowering_ns;
        let stages_ns = Spent { lower, run: sum, build: wall.saturating_sub(lower).saturating_sub(sum) };
        let failed = Answer::failed(id, status, String::new());
        Answer { reason: differ, times_ns: ran.times_ns, stages_ns, flops: ran.flops, ..failed }
    }

    fn run(&self, program: &str, call: &Call, policy: Policy, wants: bool) -> Result<Ran, Failure> {
        let mut args = call::words(call);
        args.push(format!("--bench={}", policy.runs));
        let outputs: Vec<String> = call.results.iter().map(usize::to_string).collect();
        let limits = Limits {
            build: Duration::from_secs_f64(policy.build_s),
            run: Duration::from_secs_f64(policy.run_s),
        };
        let request = Request {
            text: program,
            name: "candidate.mlir",
            args: &args,
            outputs: if wants { &outputs } else { &[] },
            limits,
            stop_ns: policy.stop_ns,
        };
        let ran = run_on(self.tool, &request, &self.workers).map_err(failure)?;
        match (ran.overwritten.first(), ran.times_ns.iter().all(|time| *time > 0)) {
            (Some(name), _) => {
                Err((Status::Wrong, format!("the program wrote into argument `{name}`, which it only reads")))
            }
            (None, true) if !ran.times_ns.is_empty() => Ok(ran),
            _ => Err((Status::Crashed, "the run took no time".into())),
        }
    }

    /// What results of a reference are kept under: they are those of one build of the compiler
    fn key(&self, reference: &Reference) -> String {
        fingerprint(&format!("{}\n{}", self.build, serde_json::to_string(reference).unwrap_or_default()))
    }

    /// Where the results of a reference are, which runs once
    fn expected(&mut self, reference: &Reference) -> Result<String, Failure> {
        let key = self.key(reference);
        if !self.known.contains_key(&key) {
            let arrays = match self.load(&key, reference.call.results.len()) {
                Some(arrays) => arrays,
                None => {
                    let seconds = reference.seconds;
                    let policy = Policy { runs: 1, build_s: seconds, run_s: seconds, stop_ns: None };
                    self.run(&reference.program, &reference.call, policy, true)?.arrays
                }
            };
            self.keep(key.clone(), arrays);
        }
        Ok(key)
    }

    /// Keep results, for the next process as well
    fn keep(&mut self, key: String, arrays: Vec<Buffer>) {
        if let Some(folder) = &self.results {
            // It is there as a whole or not at all; where that fails the reference runs again.
            let (place, part) = (folder.join(&key), folder.join(format!("{key}.{}", std::process::id())));
            let write =
                |(n, array): (usize, &Buffer)| array.write_npy(&part.join(format!("{n}.npy"))).is_ok();
            if !place.exists() && std::fs::create_dir_all(&part).is_ok() {
                let whole = arrays.iter().enumerate().all(write);
                if !whole || std::fs::rename(&part, &place).is_err() {
                    let _ = std::fs::remove_dir_all(&part);
                }
            }
        }
        if self.known.insert(key.clone(), arrays).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > KNOWN
            && let Some(first) = self.order.pop_front()
        {
            self.known.remove(&first);
        }
    }

    /// What an earlier process has kept
    fn load(&self, key: &str, results: usize) -> Option<Vec<Buffer>> {
        let place = self.results.as_ref()?.join(key);
        if !place.is_dir() {
            return None;
        }
        (0..results).map(|n| Buffer::read_npy(&place.join(format!("{n}.npy"))).ok()).collect()
    }
}

/// Time beyond its limits that a program has here
fn others(call: &Call) -> Duration {
    let keeps = terrace_targets::find(&call.on).is_some_and(|on| on.keeps_limits());
    if keeps { OTHERS } else { Duration::ZERO }
}

/// The programs that compile and run, as far as a look at their files tells; another build gives other last digits
fn build() -> String {
    let programs = std::env::current_exe().into_iter().chain(terrace_native_client::client::find());
    let about = |program: PathBuf| {
        let file = std::fs::metadata(&program).ok();
        format!("{program:?} {:?}", file.map(|file| (file.len(), file.modified().ok())))
    };
    format!("{} {}", env!("CARGO_PKG_VERSION"), programs.map(about).collect::<Vec<_>>().join(" "))
}

/// Why results are not the expected ones
fn differences(found: &[Buffer], expected: &[Buffer]) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("{} results, the reference has {}", found.len(), expected.len()));
    }
    found.iter().zip(expected).enumerate().find_map(|(n, (found, expected))| {
        match compare(found, expected, tolerance(expected)) {
            Ok(same) if same.agrees() => None,
            Ok(other) => {
                Some(format!("result {n}: {} of {} elements differ", other.mismatches, other.elements))
            }
            Err(error) => Some(error.to_string()),
        }
    })
}

/// Schedules may bracket sums as they like; what else they do shows in the leading digits
fn tolerance(expected: &Buffer) -> Tolerance<'static> {
    let largest = (0..expected.len()).filter_map(|n| expected.get(n)).map(|value| match value {
        Value::Int(value) => (value as f64).abs(),
        Value::Float(value) => value.abs(),
    });
    let largest = largest.filter(|value| value.is_finite()).fold(0.0, f64::max);
    let digits = match expected.elem().to_string().as_str() {
        "f64" => 1e-9,
        "f32" => 1e-4,
        "f16" | "bf16" => 0.05,
        _ => 0.0,
    };
    Tolerance::Scalar { abs: largest * digits, rel: digits }
}

/// What a diagnosed end is: programs that die or take too long in a worker are no refusals
fn failure(misused: Misused) -> Failure {
    let Misused::Failed(errors) = misused else { return (Status::Refused, misused.to_string()) };
    let Some(error) = errors.into_iter().find(|error| error.severity == Severity::Error) else {
        return (Status::Refused, "it failed without a message".into());
    };
    let Diagnostic { code, message, .. } = error;
    let kinds = [
        (&codes::WORKER_DIED, Status::Crashed),
        (&codes::PROTOCOL, Status::Crashed),
        (&codes::WORKER_TIMEOUT, Status::Timeout),
        (&codes::STRAY, Status::Wrong),
    ];
    let Some(code) = code else { return (Status::Refused, message) };
    let found = kinds.iter().find(|(own, _)| own.id == code.id);
    (found.map_or(Status::Refused, |(_, status)| *status), format!("error[{}]: {message}", code.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_runtime_buffers::ElemType;

    #[test]
    fn results_are_compared_in_leading_digits() {
        let buffer = |values: &[f32]| Buffer::from_slice(ElemType::F32, &[2], values).expect("small");
        let expected = [buffer(&[1.0, 1000.0])];
        assert_eq!(differences(&[buffer(&[1.01, 1000.0])], &expected), None);
        let other = differences(&[buffer(&[2.0, 1000.0])], &expected);
        assert_eq!(other.as_deref(), Some("result 0: 1 of 2 elements differ"));
        assert_eq!(differences(&[], &expected).as_deref(), Some("0 results, the reference has 1"));
    }

    #[test]
    fn errors_of_workers_are_no_refusals() {
        let status = |code| failure(Misused::Failed(vec![Diagnostic::error(code, "it")])).0;
        assert_eq!(status(&codes::WORKER_DIED), Status::Crashed);
        assert_eq!(status(&codes::WORKER_TIMEOUT), Status::Timeout);
        assert_eq!(status(&codes::STRAY), Status::Wrong);
        assert_eq!(status(&codes::ENTRY), Status::Refused);
        assert_eq!(failure(Misused::Failed(Vec::new())).0, Status::Refused);
    }
}
