//! The log of a search: one line of JSON for what was searched, then one per point.
//!
//! A log says all that a search learnt, so that one that was interrupted goes on, and figures are drawn from logs alone. Lines
//! are written whole; a last line that was cut off is dropped when the log is read.

mod course;
mod end;
mod setting;

pub use course::Course;
pub use end::{Against, Best, End, Refused};
pub use setting::{Difference, Setting};

use crate::choices;
use crate::trial::{Feedback, Origin};
use serde_json::{Value, json};
use std::fmt;
use terrace_schedule_model::Point;

/// Forms of logs
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Version {
    /// Choices are texts, whose types only the space knows; read for figures, no longer written
    One,
    /// Choices say what they are; a log of this version states neither machine nor compiler, and of a point's times the median alone
    Two,
    /// The head states the setting, a point all of its times; how points follow from those before is not what it is now
    Three,
    /// The head states how points follow from those before, a point where it comes from
    #[default]
    Four,
}

impl Version {
    const WORDS: [(&'static str, Version); 4] = [
        ("terrace-tune/1", Version::One),
        ("terrace-tune/2", Version::Two),
        ("terrace-tune/3", Version::Three),
        ("terrace-tune/4", Version::Four),
    ];
    const NEWEST: &'static str = Version::WORDS[Version::WORDS.len() - 1].0;

    /// Its number
    pub fn number(self) -> u8 {
        match self {
            Version::One => 1,
            Version::Two => 2,
            Version::Three => 3,
            Version::Four => 4,
        }
    }
}

/// What was searched
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Header {
    /// The form of the log
    pub version: Version,
    /// Fingerprint of the space and the program: a log of another space is not gone on with
    pub space: String,
    /// Names of the parameters
    pub names: Vec<String>,
    /// Word of the technique
    pub technique: String,
    /// Seed
    pub seed: u64,
    /// How points follow from those before; the default in logs before version 4
    pub course: Course,
    /// Where and how candidates ran; back end and threads alone in logs of versions 1 and 2
    pub setting: Setting,
    /// Operations on numbers of one run, where they are known
    pub flops: Option<u64>,
    /// Bytes of arguments and results: no candidate holds less
    pub least: Option<u64>,
    /// The text whose open fields the parameters are
    pub draft: Option<String>,
    /// What the user has to say: machine, commit
    pub note: Option<String>,
    /// The command line that began it
    pub command: Vec<String>,
}

/// Seconds of the stages of a candidate, from the choice to its last run
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Stages {
    /// Choosing numbers, putting them into the program, rewriting it
    pub rewriting: f64,
    /// Constraints of its mapping, and choosing one
    pub solving: f64,
    /// From the mapped program to what a back end takes
    pub lowering: f64,
    /// The back end's compiler, and all else of the run's process
    pub compiling: f64,
    /// All runs together
    pub running: f64,
}

/// The kind of a point that was not measured, since the process that was to do it failed: nothing is known of it
pub const LOST: &str = "lost";

/// How a point fared
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Ran, with right values
    Ran {
        /// Seconds, the median of the runs
        seconds: f64,
    },
    /// Ran, with right values, and was stopped after its first runs, since each of them was far from the best
    Stopped {
        /// Seconds, the median of these runs: it takes about that long, and nothing finer is known
        seconds: f64,
    },
    /// Not measured, or not to be trusted: `refused`, `wrong`, `crashed`, `timeout`, `lost`
    Failed {
        /// Which of them
        kind: String,
        /// Why
        reason: String,
    },
}

/// A point and how it fared
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Position in the log, from 1
    pub number: usize,
    /// The choices
    pub point: Point,
    /// Where it comes from
    pub origin: Origin,
    /// How it fared
    pub outcome: Outcome,
    /// Seconds since the search began
    pub at: f64,
    /// Bytes in main or device memory that the candidate holds, where they are known
    pub bytes: Option<u64>,
    /// How long it was thought to take, in a unit of the estimate's own
    pub estimate: Option<f64>,
    /// Where the time went, where it is known
    pub stages: Option<Stages>,
    /// Nanoseconds of each run, in their order; empty where nothing ran and in older logs
    pub times: Vec<u64>,
    /// Those of a second measurement, which a point gets that seems far better than all before; its cost is the worse of both
    pub again: Vec<u64>,
    /// Those of the schedule chosen without measuring, where it was measured again at this point of the search: how the machine
    /// changes meanwhile. No time is scaled by it
    pub anchor: Vec<u64>,
    /// Draws that constraints refused since the point before, for searchers that do not look ahead
    pub rejected: u64,
}

impl Stages {
    /// With their words
    pub fn words(&self) -> [(&'static str, f64); 5] {
        let Stages { rewriting, solving, lowering, compiling, running } = *self;
        [
            ("rewriting", rewriting),
            ("solving", solving),
            ("lowering", lowering),
            ("compiling", compiling),
            ("running", running),
        ]
    }

    fn read(value: &Value) -> Option<Stages> {
        let word = |word: &str| value[word].as_f64();
        Some(Stages {
            rewriting: word("rewriting")?,
            solving: word("solving")?,
            lowering: word("lowering")?,
            compiling: word("compiling")?,
            running: word("running")?,
        })
    }
}

impl Header {
    /// As a line of the newest version
    pub fn line(&self) -> String {
        let Header { version: _, space, names, technique, seed, course, setting, .. } = self;
        let Header { flops, least, draft, note, command, .. } = self;
        let mut line = json!({
            "log": Version::NEWEST, "space": space, "names": names, "technique": technique, "seed": seed,
            "course": course.write(), "setting": setting.write(),
        });
        for (name, number) in [("flops", flops), ("least", least)] {
            if let Some(number) = number {
                line[name] = json!(number);
            }
        }
        for (name, text) in [("draft", draft), ("note", note)] {
            if let Some(text) = text {
                line[name] = json!(text);
            }
        }
        if !command.is_empty() {
            line["command"] = json!(command);
        }
        format!("{line}\n")
    }
}

impl Entry {
    /// A point that was tried, with nothing else known of it
    pub fn new(number: usize, point: Point, outcome: Outcome, at: f64) -> Entry {
        Entry {
            number,
            point,
            origin: Origin::Drawn,
            outcome,
            at,
            bytes: None,
            estimate: None,
            stages: None,
            times: Vec::new(),
            again: Vec::new(),
            anchor: Vec::new(),
            rejected: 0,
        }
    }

    /// As a technique learns it
    pub fn feedback(&self) -> Feedback {
        match &self.outcome {
            // Of a point that was stopped it is known that it takes at least about that long.
            Outcome::Ran { seconds } | Outcome::Stopped { seconds } => Feedback::Cost(*seconds),
            Outcome::Failed { kind, .. } if kind == LOST => Feedback::Lost,
            Outcome::Failed { .. } => Feedback::Bad,
        }
    }

    /// As a line
    pub fn line(&self) -> String {
        let mut line = json!({"n": self.number, "point": choices::write_point(&self.point), "at": self.at});
        match self.origin {
            Origin::Start => line["start"] = json!(true),
            Origin::Drawn => {}
            Origin::Changed(from) => line["from"] = json!(from),
            Origin::Moved { from, direction } => {
                (line["from"], line["direction"]) = (json!(from), json!(direction));
            }
        }
        if let Some(bytes) = self.bytes {
            line["bytes"] = json!(bytes);
        }
        if let Some(estimate) = self.estimate {
            line["estimate"] = json!(estimate.round());
        }
        if let Some(stages) = &self.stages {
            let micro = |seconds: f64| (seconds * 1e6).round() / 1e6;
            line["stages"] = stages.words().into_iter().map(|(word, time)| (word, micro(time))).collect();
        }
        for (word, times) in [("times", &self.times), ("again", &self.again), ("anchor", &self.anchor)] {
            if !times.is_empty() {
                line[word] = json!(times);
            }
        }
        if self.rejected > 0 {
            line["rejected"] = json!(self.rejected);
        }
        match &self.outcome {
            Outcome::Ran { seconds } => line["seconds"] = json!(seconds),
            Outcome::Stopped { seconds } => {
                (line["seconds"], line["stopped"]) = (json!(seconds), json!(true));
            }
            Outcome::Failed { kind, reason } => {
                line["failed"] = json!(kind);
                line["reason"] = json!(reason);
            }
        }
        format!("{line}\n")
    }

    /// What it costs, if it ran to the end
    pub fn cost(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Ran { seconds } => Some(seconds),
            Outcome::Stopped { .. } | Outcome::Failed { .. } => None,
        }
    }
}

/// Why a text is no log
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogError {
    /// Nothing is there
    Empty,
    /// The first line is no header
    Header,
    /// This line is no entry; the header is line 1
    Entry(usize),
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Empty => f.write_str("the log is empty"),
            LogError::Header => f.write_str("line 1 is not the head of a log of version 1, 2, 3 or 4"),
            LogError::Entry(line) => write!(f, "line {line} is no entry of this log"),
        }
    }
}

impl std::error::Error for LogError {}

/// Read a log; only the last line may be cut off. Ends are no entries: [`ending`] reads the last
pub fn read(text: &str) -> Result<(Header, Vec<Entry>), LogError> {
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or(LogError::Empty)?;
    let header = header(first).ok_or(LogError::Header)?;
    let whole = text.ends_with('\n');
    let last = text.lines().count();
    let mut entries = Vec::new();
    for (n, line) in lines {
        match entry(line).filter(|entry| entry.point.len() == header.names.len()) {
            Some(entry) => entries.push(entry),
            None if n + 1 == last && !whole => {}
            None if End::read(line).is_some() => {}
            None => return Err(LogError::Entry(n + 1)),
        }
    }
    Ok((header, entries))
}

/// How the search of a log ended; `None` if it was killed, or goes on
pub fn ending(text: &str) -> Option<End> {
    text.lines().last().and_then(End::read)
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|one| one.as_str().map(String::from)).collect()
}

fn header(line: &str) -> Option<Header> {
    let value: Value = serde_json::from_str(line).ok()?;
    let word = value["log"].as_str()?;
    let (_, version) = Version::WORDS.into_iter().find(|(own, _)| *own == word)?;
    let setting = match version {
        Version::One | Version::Two => Setting {
            on: value["on"].as_str().unwrap_or_default().into(),
            threads: value["threads"].as_u64().and_then(|threads| threads.try_into().ok()),
            ..Setting::default()
        },
        Version::Three | Version::Four => Setting::read(&value["setting"])?,
    };
    Some(Header {
        version,
        space: value["space"].as_str()?.into(),
        names: strings(&value["names"])?,
        technique: value["technique"].as_str()?.into(),
        seed: value["seed"].as_u64()?,
        course: match version {
            Version::Four => Course::read(&value["course"])?,
            _ => Course::default(),
        },
        setting,
        flops: value["flops"].as_u64().filter(|flops| *flops > 0),
        least: value["least"].as_u64(),
        draft: value["draft"].as_str().map(String::from),
        note: value["note"].as_str().map(String::from),
        command: strings(&value["command"]).unwrap_or_default(),
    })
}

fn origin(value: &Value) -> Option<Origin> {
    let number = |name: &str| match &value[name] {
        Value::Null => Some(None),
        other => other.as_u64().map(Some),
    };
    Some(match (number("from")?, number("direction")?, value["start"].as_bool()) {
        (None, None, Some(true)) => Origin::Start,
        (None, None, _) => Origin::Drawn,
        (Some(from), None, _) => Origin::Changed(from),
        (Some(from), Some(direction), _) => Origin::Moved { from, direction: direction.try_into().ok()? },
        (None, Some(_), _) => return None,
    })
}

/// A list of times, empty where there is none
fn nanoseconds(value: &Value) -> Option<Vec<u64>> {
    match value {
        Value::Null => Some(Vec::new()),
        times => times.as_array()?.iter().map(Value::as_u64).collect(),
    }
}

fn entry(line: &str) -> Option<Entry> {
    let value: Value = serde_json::from_str(line).ok()?;
    let outcome = match value["seconds"].as_f64() {
        Some(seconds) if value["stopped"] == json!(true) => Outcome::Stopped { seconds },
        Some(seconds) => Outcome::Ran { seconds },
        None => Outcome::Failed {
            kind: value["failed"].as_str()?.into(),
            reason: value["reason"].as_str().unwrap_or_default().into(),
        },
    };
    Some(Entry {
        number: usize::try_from(value["n"].as_u64()?).ok()?,
        point: choices::read_point(&value["point"])?,
        origin: origin(&value)?,
        outcome,
        at: value["at"].as_f64()?,
        bytes: value["bytes"].as_u64(),
        estimate: value["estimate"].as_f64(),
        stages: Stages::read(&value["stages"]),
        times: nanoseconds(&value["times"])?,
        again: nanoseconds(&value["again"])?,
        anchor: nanoseconds(&value["anchor"])?,
        rejected: value["rejected"].as_u64().unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_devices::{Axis, Layer};
    use terrace_schedule_model::{Core, Decision};

    fn sample() -> (Header, Vec<Entry>) {
        let header = Header {
            version: Version::Four,
            space: "00ff".into(),
            names: vec!["a".into(), "b".into()],
            technique: "random".into(),
            seed: 4,
            course: course::tests::sample(),
            setting: setting::tests::sample(),
            flops: Some(1 << 40),
            least: Some(4096),
            draft: Some("1: (?) (^ ; ^) (FOR.1)\n".into()),
            note: Some("a quiet machine".into()),
            command: vec!["terrace-tune".into(), "a b.mlir".into()],
        };
        let point = Point::from_iter([8.into(), Decision::Core(Core::along(Layer::Thr, Axis::X))]);
        let failed =
            Outcome::Failed { kind: "timeout".into(), reason: "no answer in 10 s\n\"stuck\"".into() };
        let ran = Outcome::Ran { seconds: 0.25 };
        let stages = Stages { rewriting: 0.25, solving: 0.5, lowering: 0.125, compiling: 2.0, running: 0.75 };
        let entries = vec![
            Entry {
                bytes: Some(8192),
                estimate: Some(7e6),
                stages: Some(stages),
                times: vec![250_000_000, 240_000_000, 260_000_000],
                again: vec![230_000_000, 250_000_000, 250_000_000],
                anchor: vec![300_000_000],
                ..Entry::new(1, point.clone(), ran, 0.5)
            },
            Entry {
                rejected: 7,
                origin: Origin::Moved { from: 1, direction: 9 },
                ..Entry::new(2, point.clone(), failed, 11.0)
            },
            Entry {
                times: vec![900_000_000],
                ..Entry::new(3, point, Outcome::Stopped { seconds: 0.9 }, 12.0)
            },
        ];
        (header, entries)
    }

    fn text() -> String {
        let (header, entries) = sample();
        header.line() + &entries.iter().map(Entry::line).collect::<String>()
    }

    #[test]
    fn logs_come_back() {
        assert_eq!(read(&text()), Ok(sample()));
    }

    #[test]
    fn a_log_of_version_1_is_read() {
        let log = include_str!("../../../../docs/figures/searches/layer2.jsonl");
        let (header, entries) = read(log).expect("a log");
        assert_eq!((header.version, header.names.len(), entries.len()), (Version::One, 10, 343));
        assert_eq!(
            Point::named(&entries[0].point, &header.names, " "),
            "h=1 q=8 o=8 v=4 m.blocks=seq m.panels=seq m.Y=task m.X=fused m.pixels=seq m.lanes=fused"
        );
        assert_eq!(entries[0].cost(), Some(0.05386763));
    }

    #[test]
    fn what_older_logs_lack_is_unknown() {
        let text = "{\"log\":\"terrace-tune/1\",\"space\":\"00\",\"names\":[],\"technique\":\"random\",\"seed\":1}\n\
                    {\"n\":1,\"point\":[],\"at\":0.5,\"seconds\":1.0}\n";
        let (header, entries) = read(text).expect("a log");
        assert_eq!((header.version, header.setting, header.flops), (Version::One, Setting::default(), None));
        assert_eq!(entries, [Entry::new(1, Point::default(), Outcome::Ran { seconds: 1.0 }, 0.5)]);
    }

    #[test]
    fn a_log_of_version_2_says_its_back_end_and_threads() {
        let text = "{\"log\":\"terrace-tune/2\",\"space\":\"00\",\"names\":[],\"technique\":\"random\",\"seed\":1,\
                    \"on\":\"host\",\"threads\":1}\n";
        let (header, _) = read(text).expect("a log");
        assert_eq!(header.version.number(), 2);
        assert_eq!(header.setting, Setting { on: "host".into(), threads: Some(1), ..Setting::default() });
    }

    #[test]
    fn a_cut_off_last_line_is_dropped() {
        let text = text();
        let (_, entries) = read(&text[..text.len() - 5]).expect("the rest is whole");
        assert_eq!(entries.len(), 2);
    }

    /// Of several ends the last one counts, where no point follows
    #[test]
    fn a_log_says_how_its_search_ended() {
        let end = end::tests::sample();
        let text = text();
        let (head, rest) = text.split_once('\n').expect("a head");
        let both = format!("{head}\n{}{rest}{}", End::default().line(), end.line());
        assert_eq!(read(&both), Ok(sample()));
        assert_eq!(ending(&both), Some(end.clone()));
        assert_eq!(ending(&text), None);
        assert_eq!(ending(&both[..both.len() - 5]), None);
        let goes_on = format!("{head}\n{}{rest}", end.line());
        assert_eq!((read(&goes_on), ending(&goes_on)), (Ok(sample()), None));
    }

    #[test]
    fn other_damage_is_named() {
        assert_eq!(read(""), Err(LogError::Empty));
        assert_eq!(read("{}\n"), Err(LogError::Header));
        let damaged = text().replacen("\"n\":1", "\"m\":1", 1);
        assert_eq!(read(&damaged), Err(LogError::Entry(2)));
    }
}
