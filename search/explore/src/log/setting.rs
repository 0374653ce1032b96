//! Where and how candidates of a search ran: what a time depends on besides the point.
//!
//! Times of two settings are not comparable, so a log holds those of one alone.

use serde_json::{Value, json};
use std::fmt;
use terrace_devices::machine::Machine;

/// Where and how candidates ran; what a log does not say is empty, 0 or `None`
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Setting {
    /// The back end
    pub on: String,
    /// The device whose limits bounded the choices, by name
    pub target: String,
    /// Fingerprint of its numbers
    pub numbers: String,
    /// Threads that candidates had, where they were limited
    pub threads: Option<u16>,
    /// Runs of each candidate
    pub runs: Option<u32>,
    /// Points drawn for each that was measured
    pub drawn: Option<u16>,
    /// The machine; of its features the fingerprint
    pub machine: Machine,
    /// Version of the compiler
    pub version: String,
    /// Fingerprint of the programs that compile and run candidates
    pub build: String,
}

/// One thing that two settings differ in
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is
    pub what: &'static str,
    /// In the log
    pub then: String,
    /// Now
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { what, then, now } = self;
        write!(f, "{what}: {then} then, {now} now")
    }
}

impl Setting {
    /// As a member of a log's head
    pub fn write(&self) -> Value {
        let Setting { on, target, numbers, threads, runs, drawn, machine, version, build } = self;
        let Machine { processor, cores, features } = machine;
        let mut value = json!({
            "on": on,
            "target": {"name": target, "numbers": numbers},
            "machine": {"processor": processor, "cores": cores, "features": features},
            "compiler": {"version": version, "build": build},
        });
        for (name, number) in
            [("threads", threads.map(u32::from)), ("runs", *runs), ("drawn", drawn.map(u32::from))]
        {
            if let Some(number) = number {
                value[name] = json!(number);
            }
        }
        value
    }

    /// From the head of a log of version 3
    pub(super) fn read(value: &Value) -> Option<Setting> {
        let text = |value: &Value| value.as_str().map(String::from);
        let number = |name: &str| value[name].as_u64();
        let (target, machine, compiler) = (&value["target"], &value["machine"], &value["compiler"]);
        Some(Setting {
            on: text(&value["on"])?,
            target: text(&target["name"])?,
            numbers: text(&target["numbers"])?,
            threads: number("threads").and_then(|threads| threads.try_into().ok()),
            runs: number("runs").and_then(|runs| runs.try_into().ok()),
            drawn: number("drawn").and_then(|drawn| drawn.try_into().ok()),
            machine: Machine {
                processor: text(&machine["processor"])?,
                cores: machine["cores"].as_u64()?.try_into().ok()?,
                features: text(&machine["features"])?,
            },
            version: text(&compiler["version"])?,
            build: text(&compiler["build"])?,
        })
    }

    /// What differs from the setting of now, in the order of a log's head
    pub fn differences(&self, now: &Setting) -> Vec<Difference> {
        let number =
            |number: Option<u32>, none: &str| number.map_or(none.to_owned(), |number| number.to_string());
        let threads = |setting: &Setting| number(setting.threads.map(u32::from), "all");
        let runs = |setting: &Setting| number(setting.runs, "as many as the program has by default");
        let drawn = |setting: &Setting| number(setting.drawn.map(u32::from), "1");
        let text = |what, of: fn(&Setting) -> &str| (what, of(self).to_owned(), of(now).to_owned());
        let pairs = [
            text("back end", |setting| &setting.on),
            text("target", |setting| &setting.target),
            text("numbers of the target's file", |setting| &setting.numbers),
            ("threads", threads(self), threads(now)),
            ("runs of a candidate", runs(self), runs(now)),
            ("points drawn for each that is measured", drawn(self), drawn(now)),
            text("processor", |setting| &setting.machine.processor),
            ("cores", self.machine.cores.to_string(), now.machine.cores.to_string()),
            text("features of the processor", |setting| &setting.machine.features),
            text("version of the compiler", |setting| &setting.version),
            text("build of the compiler", |setting| &setting.build),
        ];
        pairs
            .into_iter()
            .filter(|(_, then, now)| then != now)
            .map(|(what, then, now)| Difference { what, then: short(then), now: short(now) })
            .collect()
    }
}

/// The beginning of a fingerprint is enough to see a difference
fn short(text: String) -> String {
    let is_print = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_print { text[..12].to_owned() } else { text }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::fingerprint;

    pub(in crate::log) fn sample() -> Setting {
        Setting {
            on: "opencl".into(),
            target: "cuda".into(),
            numbers: fingerprint("numbers"),
            threads: Some(2),
            runs: Some(5),
            drawn: Some(8),
            machine: Machine {
                processor: "Some Processor (family 6, model 207)".into(),
                cores: 2,
                features: fingerprint("fpu avx2"),
            },
            version: "0.1.0".into(),
            build: fingerprint("programs"),
        }
    }

    #[test]
    fn a_setting_comes_back_and_differs_from_itself_in_nothing() {
        let sample = sample();
        assert_eq!(Setting::read(&sample.write()), Some(sample.clone()));
        assert_eq!(sample.differences(&sample), []);
        let bare = Setting { threads: None, runs: None, drawn: None, ..sample };
        assert_eq!(Setting::read(&bare.write()), Some(bare));
    }

    #[test]
    fn each_difference_is_named_by_itself() {
        let then = sample();
        let machine = |machine: Machine| Setting { machine, ..sample() };
        let other = [
            (Setting { on: "host".into(), ..sample() }, "back end: opencl then, host now"),
            (Setting { target: "host".into(), ..sample() }, "target: cuda then, host now"),
            (Setting { numbers: fingerprint("others"), ..sample() }, "numbers of the target's file:"),
            (Setting { threads: None, ..sample() }, "threads: 2 then, all now"),
            (Setting { runs: Some(3), ..sample() }, "runs of a candidate: 5 then, 3 now"),
            (Setting { drawn: Some(1), ..sample() }, "points drawn for each that is measured: 8 then, 1 now"),
            (
                machine(Machine { processor: "Another".into(), ..sample().machine }),
                "processor: Some Processor (family 6, model 207) then, Another now",
            ),
            (machine(Machine { cores: 4, ..sample().machine }), "cores: 2 then, 4 now"),
            (machine(Machine { features: "sse".into(), ..sample().machine }), "features of the processor:"),
            (
                Setting { version: "0.2.0".into(), ..sample() },
                "version of the compiler: 0.1.0 then, 0.2.0 now",
            ),
            (Setting { build: "0".into(), ..sample() }, "build of the compiler:"),
        ];
        for (now, text) in other {
            let all = then.differences(&now);
            assert_eq!(all.len(), 1, "{text}: {all:?}");
            assert!(all[0].to_string().starts_with(text), "{}", all[0]);
        }
    }
}
