//! What moves trials to where they are measured, and answers back.

use crate::{Answer, Trial};
use std::fmt;
use std::time::Duration;

/// What moves trials: it decides neither what is measured nor when, and looks into no line but for its `id`
///
/// It repairs itself: workers that break are replaced, a server that is gone is started or reached again, and trials that were under way
/// then are given once more. So an answer may come twice. [`Down`] is its last word.
pub trait Executor {
    /// Take a trial; its answer comes later
    fn submit(&mut self, trial: &Trial) -> Result<(), Down>;

    /// Answers that have come, in any order; where there is none, wait for one, so long at most
    fn poll(&mut self, wait: Duration) -> Result<Vec<Answer>, Down>;

    /// What went wrong with parts of it, while others measured
    fn troubles(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why no trial is measured any more
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Down {
    /// What should measure is none, now and later
    Never(String),
    /// It was not reached for so long
    Gone(Duration, String),
}

impl fmt::Display for Down {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Down::Never(why) => f.write_str(why),
            Down::Gone(time, why) => {
                write!(f, "nothing could be measured for {} s: {why}", time.as_secs_f64().round())
            }
        }
    }
}

impl std::error::Error for Down {}
