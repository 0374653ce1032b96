//! What became of a trial, and what else a worker says.

use crate::VERSION;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a trial ended
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Ran, with right results
    Ran,
    /// Ran, with right results, and was so slow that it was stopped after its first runs
    Stopped,
    /// The compiler does not take it
    Refused,
    /// Other results than the reference has, or it wrote where it must not
    Wrong,
    /// It died
    Crashed,
    /// Its compilation or its runs took too long
    Timeout,
    /// What has the right results did not run
    Reference,
    /// The line is no trial, or the worker gave no answer that can be read
    Garbage,
    /// The worker gave no answer: nothing is known of the program
    Lost,
}

impl Status {
    /// Its word
    pub fn word(self) -> &'static str {
        match self {
            Status::Ran => "ran",
            Status::Stopped => "stopped",
            Status::Refused => "refused",
            Status::Wrong => "wrong",
            Status::Crashed => "crashed",
            Status::Timeout => "timeout",
            Status::Reference => "reference",
            Status::Garbage => "garbage",
            Status::Lost => "lost",
        }
    }
}

/// Nanoseconds of the parts of a trial
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spent {
    /// Passes
    pub lower: u64,
    /// All else: reading, the back end's compiler, moving and comparing data
    pub build: u64,
    /// All runs together
    pub run: u64,
}

/// The process that measured
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Served {
    /// Its number in the system
    pub process: u32,
    /// Trials that it has answered, with this one
    pub trials: u32,
    /// It ends with this answer
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
}

/// What became of a trial
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The form of the line
    pub trial: u32,
    /// That of the question, where it had one
    pub id: Option<String>,
    /// How it ended
    pub status: Status,
    /// Why, if it did not run
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Workers that tried it
    #[serde(default = "one")]
    pub attempt: u32,
    /// Nanoseconds of each run, in their order
    #[serde(default)]
    pub times_ns: Vec<u64>,
    /// Where the time went
    #[serde(default)]
    pub stages_ns: Spent,
    /// Operations on numbers of one run, where they are known
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops: Option<u64>,
    /// The process that measured
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<Served>,
    /// The machine, as in the head of a log
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Value>,
    /// The compiler, as in the head of a log
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<Value>,
}

fn one() -> u32 {
    1
}

impl Answer {
    /// Without times
    pub fn failed(id: Option<String>, status: Status, reason: impl Into<String>) -> Answer {
        Answer {
            trial: VERSION,
            id,
            status,
            reason: Some(reason.into()),
            attempt: 1,
            times_ns: Vec::new(),
            stages_ns: Spent::default(),
            flops: None,
            worker: None,
            machine: None,
            compiler: None,
        }
    }

    /// Median of the runs in seconds
    pub fn seconds(&self) -> Option<f64> {
        let mut times = self.times_ns.clone();
        times.sort_unstable();
        times.get(times.len() / 2).map(|nanos| *nanos as f64 / 1e9)
    }
}

/// A worker is ready
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// The form of lines that it reads and writes
    pub greeting: u32,
    /// Its number in the system
    pub process: u32,
    /// Where it is, if it was started to say so
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
}

/// What times depend on besides the trial, as in the head of a log
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The machine
    pub machine: Value,
    /// The compiler
    pub compiler: Value,
}

/// A worker is still busy
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beat {
    /// The trial's `id`
    pub beat: String,
}

/// What a worker says
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Said {
    /// The answer to a trial
    Answer(Box<Answer>),
    /// It is ready
    Greeting(Greeting),
    /// It is still busy
    Beat(Beat),
}

impl Said {
    /// From a line; `None` if it is none
    pub fn read(line: &str) -> Option<Said> {
        serde_json::from_str(line).ok()
    }

    /// As a line
    pub fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_comes_back() {
        let answer = Answer {
            times_ns: vec![5, 3, 4],
            worker: Some(Served { process: 7, trials: 2, ends: true }),
            ..Answer::failed(Some("a".into()), Status::Stopped, "slow")
        };
        assert_eq!(answer.seconds(), Some(4e-9));
        let about = About { machine: "a".into(), compiler: "b".into() };
        let all = [
            Said::Answer(Box::new(answer)),
            Said::Greeting(Greeting { greeting: VERSION, process: 7, about: None }),
            Said::Greeting(Greeting { greeting: VERSION, process: 7, about: Some(about) }),
            Said::Beat(Beat { beat: "a".into() }),
        ];
        for said in all {
            let line = said.line().expect("it can be written");
            assert_eq!(Said::read(&line), Some(said.clone()));
            assert_eq!(Said::read(&line.replacen('{', "{\"surprise\":1,", 1)), None, "{line}");
            assert_eq!(Said::read(&line[..line.len() / 2]), None, "{line}");
        }
    }

    #[test]
    fn each_status_is_its_word() {
        use Status::*;
        for status in [Ran, Stopped, Refused, Wrong, Crashed, Timeout, Reference, Garbage, Lost] {
            assert_eq!(serde_json::to_value(status).ok(), Some(Value::from(status.word())));
        }
    }
}
