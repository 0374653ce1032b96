//! What is searched, as far as the search goes: a space, and programs for its points.

use terrace_diag::Diagnostic;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::Refused;
use terrace_search_explore::{Space, fingerprint};
use terrace_search_records::Hash;

/// A candidate
pub(crate) struct Made {
    /// The program
    pub text: String,
    /// Bytes in main or device memory that it holds
    pub bytes: Option<u64>,
}

/// A computation and a schedule, as records have them
pub(crate) struct Kept {
    /// Hash of the computation
    pub program: Hash,
    /// The computation in words
    pub words: String,
    /// Steps of the schedule
    pub schedule: Vec<String>,
    /// Is it a computation of the file, and not one that `mdh-schedule` makes of that? Only such a one is looked up
    pub is_written: bool,
}

/// A program with something open in it
pub(crate) trait Subject {
    /// What may be chosen
    fn space(&self) -> &dyn Space;
    /// Text that tells this search from others
    fn identity(&self) -> String;
    /// Text whose open fields the choices are; `None` where they are open in the program itself
    fn draft(&self) -> Option<String> {
        None
    }
    /// Text that is the same for subjects that differ in names alone
    fn key(&self) -> String {
        fingerprint(&self.identity())
    }
    /// What it has in common with others whose rates tell of its own; `None` where nothing is known
    fn kind(&self) -> Option<String> {
        None
    }
    /// Nothing is open
    fn nothing(&self) -> Diagnostic;
    /// No point was found
    fn empty(&self) -> Diagnostic;
    /// Points that were drawn without measuring: the first of them, and how many there are
    fn dry(&self, points: &[Point], drawn: usize) -> String;
    /// Choices that were refused, for a sentence's end
    fn refusals(&self) -> String;
    /// The same by rule, with a message of each
    fn refused(&self) -> Vec<Refused>;
    /// Is a point known, so that the space is not empty?
    fn is_known(&self) -> bool {
        false
    }
    /// The program of a point; the error says why there is none
    fn make(&self, point: &[Decision]) -> Result<Made, Diagnostic>;
    /// A point as it is shown
    fn show(&self, point: &[Decision]) -> String;
    /// A point as records have it; `None` where records are of something else
    fn kept(&self, point: &[Decision]) -> Result<Option<Kept>, Diagnostic> {
        let _ = point;
        Ok(None)
    }
    /// How long a point may take, in units of its own; `None` if it is unknown
    fn estimate(&self, point: &[Decision]) -> Option<f64> {
        let _ = point;
        None
    }
    /// Seconds of rewriting and solving since the last call
    fn take_spent(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

/// The baseline that is measured with the candidates: the choice without measuring
pub(crate) struct Chosen {
    /// Its point, where it is one of the space
    pub point: Option<Point>,
    /// Its program
    pub text: String,
    /// Its time, where it has been measured
    pub seconds: Option<f64>,
}
