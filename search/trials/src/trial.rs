//! A requested measurement.

use crate::VERSION;
use crate::read::Wrong;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A requested measurement
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The form of the line
    pub trial: u32,
    /// Comes back in the answer
    pub id: String,
    /// The choices, for readers; the program has them in it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<String>,
    /// The program, as text
    pub program: String,
    /// How it runs
    pub call: Call,
    /// How often and how long
    #[serde(default)]
    pub policy: Policy,
    /// What has the right results; without one they are not compared
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
}

/// How a program runs: its function, its data, the back end
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Name of the function
    pub entry: String,
    /// The back end
    pub on: String,
    /// Seed of the data of each parameter
    pub seeds: Vec<u64>,
    /// Positions of what the function gives
    pub results: Vec<usize>,
    /// Threads, where they are limited
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u16>,
    /// Passes before the back end's own
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<String>,
    /// Operations on numbers of one run, where the program does not show them
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops: Option<u64>,
}

/// How often and how long a program runs; limits count on the worker, from the start of each part
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Measured runs
    pub runs: u32,
    /// Seconds for its compilation
    pub build_s: f64,
    /// Seconds for all of its runs together
    pub run_s: f64,
    /// Fewer runs once each of them took more nanoseconds than that: then it is too slow to be of interest
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_ns: Option<u64>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { runs: 5, build_s: 10.0, run_s: 10.0, stop_ns: None }
    }
}

/// A program whose results are right
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The program, as text
    pub program: String,
    /// How it runs
    pub call: Call,
    /// Seconds for its compilation, and as many for its run
    pub seconds: f64,
}

impl Trial {
    /// From a line; of one that is wrong its `id`, where it has one
    pub fn read(line: &str) -> Result<Trial, (Option<String>, Wrong)> {
        let value: Value =
            serde_json::from_str(line).map_err(|why| (None, Wrong::NoJson(why.to_string())))?;
        let id = value["id"].as_str().map(String::from);
        let version = value["trial"].as_u64().filter(|version| *version != u64::from(VERSION));
        if let Some(version) = version {
            return Err((id, Wrong::Version(version)));
        }
        let trial: Trial =
            serde_json::from_value(value).map_err(|why| (id.clone(), Wrong::NoTrial(why.to_string())))?;
        match trial.check() {
            Ok(()) => Ok(trial),
            Err(wrong) => Err((id, wrong)),
        }
    }

    fn check(&self) -> Result<(), Wrong> {
        let Policy { runs, build_s, run_s, .. } = self.policy;
        let reference = self.reference.as_ref().map(|one| ("seconds", one.seconds));
        let limits = [("build_s", build_s), ("run_s", run_s)].into_iter().chain(reference);
        match { limits }.find(|(_, seconds)| !(0.0..1e9).contains(seconds)) {
            Some((name, seconds)) => Err(Wrong::NoTime(name, seconds)),
            None if runs == 0 => Err(Wrong::NoRuns),
            None => Ok(()),
        }
    }

    /// As a line
    pub fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"trial":2,"id":"a","program":"","call":{"entry":"f","on":"interp","seeds":[],"results":[]},"policy":{"runs":5,"build_s":1,"run_s":2}}"#;

    fn why(line: &str) -> (Option<String>, String) {
        Trial::read(line).map_err(|(id, wrong)| (id, wrong.to_string())).expect_err("it is no trial")
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said() {
        let good = Trial::read(GOOD).expect("a trial");
        assert_eq!(good.policy, Policy { runs: 5, build_s: 1.0, run_s: 2.0, stop_ns: None });
        let line = good.line().expect("it can be written");
        assert_eq!(Trial::read(&line).ok(), Some(good));
        assert!(why("{").1.starts_with("no JSON: "));
        let (id, reason) = why(&GOOD.replace("\"trial\":2", "\"trial\":7"));
        let said = "a line of version 7; this tool reads version 2";
        assert_eq!((id.as_deref(), reason.as_str()), (Some("a"), said));
        assert!(why(&GOOD.replace("\"policy\"", "\"polity\"")).1.contains("unknown field `polity`"));
        assert!(why(&GOOD.replace("\"build_s\"", "\"build\"")).1.contains("unknown field `build`"));
        assert!(why(&GOOD.replace("\"seeds\":[]", "\"seeds\":[-1]")).1.starts_with("no trial: "));
        assert!(why(&GOOD.replace("\"run_s\":2", "\"run_s\":-2")).1.contains("`run_s` is -2"));
        assert!(why(&GOOD.replace("\"runs\":5", "\"runs\":0")).1.contains("`runs` is 0"));
        assert!(why(&GOOD.replace("\"trial\":2,", "")).1.contains("missing field `trial`"));
    }
}
