//! What can be wrong with logs that a report reads, and with words of the command line.

use std::fmt;
use terrace_diag::Diagnostic;
use terrace_search_explore::log::LogError;

/// Why there is no report
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoReport {
    /// A file is no log
    Log(String, LogError),
    /// No logs are given
    NoLogs,
    /// No point of any log ran
    NothingRan,
    /// No point of this log ran
    NotRan(String),
    /// So many points ran, and none says how much memory it holds
    NoMemory(usize),
    /// The picture cannot be drawn
    Drawing(String),
}

impl fmt::Display for NoReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoReport::Log(file, why) => write!(f, "`{file}`: {why}"),
            NoReport::NoLogs => f.write_str("no logs"),
            NoReport::NothingRan => f.write_str("no point of these logs ran"),
            NoReport::NotRan(log) => write!(f, "no point of `{log}` ran"),
            NoReport::NoMemory(n) => write!(f, "these logs do not say how much memory their {n} points hold"),
            NoReport::Drawing(why) => write!(f, "cannot draw: {why}"),
        }
    }
}

/// A word of the command line that is none of its kind
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoWord {
    /// No time
    Time(String),
    /// No number of bytes
    Bytes(String),
    /// No technique
    Technique,
    /// No factor after which a point is stopped
    Stop(String),
    /// No weight of fast points
    Gamma(String),
    /// No command
    Command,
    /// No computation and how often it counts
    Weight(String),
}

impl fmt::Display for NoWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoWord::Time(text) => write!(f, "`{text}` is no time; write 500ms, 90s, 3m or 1h"),
            NoWord::Bytes(text) => write!(f, "`{text}` is no number of bytes; write 13MB, 512KiB or 1GB"),
            NoWord::Stop(text) => {
                write!(f, "`{text}` is neither a factor from 1 on, such as 1.5, nor `never`")
            }
            NoWord::Gamma(text) => write!(f, "`{text}` is no number from 0 to 1000000"),
            NoWord::Command => f.write_str("the command is empty"),
            NoWord::Weight(text) => write!(f, "`{text}` is no NAME=N with a number N above 0"),
            NoWord::Technique => {
                f.write_str("it is exhaustive, random, anneal, p-method, q-method, reject or manual")
            }
        }
    }
}

impl std::error::Error for NoWord {}

/// What a search needs of the machine and does not have
pub(crate) fn environment(why: String) -> Diagnostic {
    Diagnostic::error(&terrace_target_api::codes::BACKEND, why)
}
