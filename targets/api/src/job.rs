//! What is to be run, and what a run gave.

use crate::data::{Array, Input};
use crate::scheduling::Scheduling;
use crate::signature::Signature;
use crate::stages::Prepared;
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_native_client::{Limits, Workers};
use terrace_pass::Registry;

/// A program at some level with the content of its arguments
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Passes and named pipelines
    pub registry: &'a Registry,
    /// The program
    pub ir: &'a Ir,
    /// Of the file as its author wrote it: names and positions on the command line mean this
    pub source: &'a Signature,
    /// Of `ir`
    pub signature: &'a Signature,
    /// Content of the arguments
    pub inputs: &'a [Input],
    /// Measure so many runs
    pub bench: Option<u32>,
    /// Fewer, once it is clear that the program takes longer than so many nanoseconds
    pub stop_ns: Option<u64>,
    /// Threads of passes and of the program
    pub threads: usize,
    /// What the caller states of schedules
    pub scheduling: &'a Scheduling,
    /// Ops that the interpreter may run
    pub fuel: u64,
    /// Longest times of compiling and running in another process
    pub limits: Limits,
    /// Workers that serve this run
    pub workers: &'a Workers,
    /// How the interpreter orders what is parallel
    pub order: terrace_interp::Order,
    /// Threads of a subgroup in the interpreter
    pub subgroup: u64,
    /// Nanoseconds that lowering took so far
    pub lowering_ns: &'a std::cell::Cell<u64>,
}

/// What a run gave
#[derive(Default, Debug)]
pub struct Outcome {
    /// In terms of the source signature: results first, then memory arguments
    pub arrays: Vec<Array>,
    /// One per measured run
    pub times_ns: Vec<u64>,
    /// Of each measured run the kernels in the order of their launches, with the device's time of each: they add up to the run's
    pub launches: Vec<Vec<(String, u64)>>,
    /// What hardware took, where it is simulated
    pub cycles: Option<Cycles>,
    /// What preparing arguments took, where functions do that once for all calls
    pub prepared: Option<Prepared>,
    /// Arguments that are values of the source, and that the program wrote into
    pub overwritten: Vec<String>,
}

/// Cycles of hardware
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycles {
    /// From start to end
    pub total: u64,
    /// Of these, such in which arrays on the chip are computed on
    pub computing: u64,
    /// Such in which main memory is read into arrays
    pub reading: u64,
    /// Such in which arrays are written to main memory
    pub writing: u64,
    /// Such in which a loop takes from main memory and gives to it
    pub passing: u64,
}

/// Why there is no outcome
#[derive(Debug)]
pub struct Failed(pub Vec<Diagnostic>);

impl From<Diagnostic> for Failed {
    fn from(error: Diagnostic) -> Failed {
        Failed(vec![error])
    }
}

impl From<Vec<Diagnostic>> for Failed {
    fn from(errors: Vec<Diagnostic>) -> Failed {
        Failed(errors)
    }
}
