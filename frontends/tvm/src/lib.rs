//! Schedule scripts in the manner of `tvm.te` (`create_schedule`, `split`, `reorder`, `bind`, `cache_read`, `compute_at`, …) as
//! (de/re)-composition steps, and steps as such a script (paper: Rasch and others, CC 2023, Listings 3 and 5).
//!
//! ```text
//! text ── syntax (tree-sitter) ──► statements ── eval ──► stages with axes ── nest ──► loops and buffers ── steps ──► Schedule
//!                                                                  script ◄── loops and buffers ◄── nest ◄── Schedule
//! ```
//!
//! A script says loops one by one, steps say them level by level; both say the same where tiles are boxes and where a buffer
//! stands at a loop. What one side has no words for is refused with a code of its own:
//!
//! | code | when |
//! |---|---|
//! | T-SYNTAX | the text is no Python, or more than assignments and calls |
//! | T-NAME | a name stands for nothing, or for something else |
//! | T-CALL | a primitive is not known, or its arguments do not fit |
//! | T-ORDER | primitives in an order that `tvm.te` refuses too |
//! | T-AXIS | an axis is of another stage, is gone, or is named twice |
//! | T-FUSE | a fused loop is cut across its parts: no tile is a box |
//! | T-BIND | an axis of the grid is taken, or there is none of the name |
//! | T-AT | a tile is computed where it does not fit |
//! | T-LABEL | loops in an order that no axis of a script can have |
//! | T-REDUCE | a reduction stands around the buffer of its results |
//! //! | T-WORD | a word of a step that scripts lack |
//!
//! `rfactor` is who runs the axis: threads whose values meet in shared memory, tasks with partial results, blocks with a second
//! kernel. `tensorize` takes loops by the names of what lanes do, `fma_6x16` and `dot_16`. `pragma(x, "whole_tiles")` is ours:
//! tiles that overshoot are filled up (`~pad`); so is `pragma(x, "one_partial_vector")`: what remains of a dimension is one vector (`~mask`).
//!
//! **Not done here.** What a schedule means, and whether it fits its device, is the business of whoever carries it out. Of a
//! copy into a buffer only its place and layout are read: who copies is decided by lowering, and a note says so.

pub mod codes;
mod computation;
mod eval;
mod nest;
mod primitives;
mod refusal;
mod script;
mod stage;
mod steps;
mod syntax;
mod values;

pub use refusal::{Code, NoScript, Refusal};

use std::fmt;
use std::ops::Range;
use terrace_dialect_mdh::schedule::Schedule;

/// A dimension of the computation
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Name
    pub name: String,
    /// Extent
    pub size: i64,
    /// Is it a dimension of the result? Otherwise it is reduced
    pub kept: bool,
}

/// An input buffer
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Name
    pub name: String,
    /// Number of its dimensions
    pub rank: usize,
}

/// What scripts are about
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Computation {
    /// Name
    pub name: String,
    /// Dimensions
    pub dims: Vec<Dim>,
    /// Input buffers in order of first access
    pub ins: Vec<Input>,
    /// Names of outputs
    pub outs: Vec<String>,
    /// Kept dimensions in the order of the first output's axes
    pub axes: Vec<usize>,
}

/// What is wrong, and where
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// Bytes of the script
    pub at: Range<usize>,
    /// What is wrong, and what would be accepted
    pub refusal: Refusal,
}

impl std::error::Error for ScriptError {}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

/// What a script says
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The steps
    pub schedule: Schedule,
    /// What has no place in steps
    pub notes: Vec<Note>,
}

/// What was read and has no place in steps
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Bytes of the script
    pub at: Range<usize>,
    /// What was read
    pub text: String,
}

/// A name as Python takes it
fn ident(name: &str) -> String {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    let mut text: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    if KEYWORDS.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// The steps that a script says for a computation
pub fn read(text: &str, computation: &Computation) -> Result<Reading, ScriptError> {
    let program = syntax::parse(text)?;
    let mut world = eval::run(&program, computation)?;
    let nest = stage::nest(&mut world, computation)?;
    let schedule = steps::of(nest, computation)?;
    Ok(Reading { schedule, notes: world.notes })
}

/// The script that says these steps
pub fn write(schedule: &Schedule, computation: &Computation) -> Result<String, NoScript> {
    let nest = nest::of(schedule, computation)?;
    Ok(script::write(nest, computation)?)
}
