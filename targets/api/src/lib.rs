//! What a back end is: [`Target`]. A crate implements it, and the list in `terrace-targets` names the crate.
//!
//! Tools know back ends by this trait alone. What several back ends share is here too: running in the interpreter
//! ([`interp`]), as C in a program of its own ([`program`]), in a worker ([`worker`]), on devices ([`device`]); signatures and arrays; the common part of pipelines
//! ([`loops!`]).
//!
//! **Invariant:** no vendor library is linked here or in a back end's crate. A worker holds it, or it is opened at run time.

mod about;
mod arrays;
pub mod codes;
mod data;
pub mod device;
mod emission;
pub mod interp;
mod job;
mod lower;
pub mod program;
mod run;
mod scheduling;
mod scratch;
mod signature;
mod stages;
pub mod text;
pub mod worker;

pub use about::About;
pub use data::{Array, Input, bits, data_error, set_bits};
pub use emission::{Emission, Family};
pub use job::{Cycles, Failed, Job, Outcome};
pub use lower::{bits_are_promised, lower, lower_with};
pub use run::{Lowered, run};
pub use scheduling::{Records, Scheduling};
pub use scratch::Scratch;
pub use signature::{Form, Signature, Slot, SlotId, display, find};
pub use stages::Prepared;
pub use terrace_native_client::{EmitOptions, Holds, Limits, Workers};
pub use terrace_pass::NamedPipeline;

use std::ffi::OsString;
use std::fmt;

/// A back end
pub trait Target: Sync {
    /// What it is called, goes through and makes
    fn about(&self) -> About;

    /// Run a lowered program on its arguments; with [`Job::bench`] also measure it
    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed>;

    /// The component that this machine lacks for running, by the name that skipped tests give it
    fn missing(&self) -> Option<&'static str> {
        None
    }

    /// Variables that a process must have been started with to run here, and has not
    fn environment(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    /// Does it run programs in another process, and end that where it takes longer than [`Job::limits`] say?
    fn keeps_limits(&self) -> bool {
        false
    }

    /// Does it take any program? One that makes hardware takes what has fixed sizes
    fn takes_any(&self) -> bool {
        true
    }

    /// The word for it: in `--on` and `--compare`, in lists and messages
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// One line for `--help`
    fn help(&self) -> &'static str {
        self.about().help
    }

    /// The device that its pipeline schedules for, by the name of its description
    fn device(&self) -> &'static str {
        self.about().device
    }

    /// The named pipeline that takes a program of any level to what [`Target::run`] takes; `None` if it takes every level
    fn pipeline(&self) -> Option<&'static str> {
        self.about().pipeline
    }

    /// Runs kernels on a device, and the host's function in the interpreter
    fn launches_kernels(&self) -> bool {
        self.about().launches_kernels
    }

    /// The forms of output that it makes
    fn emissions(&self) -> &'static [Emission] {
        self.about().emissions
    }
}

impl fmt::Debug for dyn Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
