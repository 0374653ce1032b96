//! Schedules as attributes of computations.
//!
//! A computation carries its schedule as the discardable attribute `mdh.schedule`: an array of strings, one step each. What a
//! schedule is, and its text, is the model's ([`terrace_schedule_model`]); here it becomes an attribute and comes back.

use std::fmt::Display;
use terrace_ir::{Attr, Context};
pub use terrace_schedule_model::groups::Groups;
pub use terrace_schedule_model::{
    AnyField, Broken, Core, CoreAt, Decision, Entry, EntryPlace, Facts, Field, InEntry, OpenSchedule,
    OpenStep, Part, Place, Placement, Rule, Schedule, ScheduleError, Size, Slot, Spelled, Step, Tail, Value,
    Word, Words, spoken,
};

/// Name of the attribute
pub const SCHEDULE: &str = "mdh.schedule";

/// Discardable attribute of a computation: threads of a warp on the device that its schedule is for; 32 if it is not there
pub const SUBGROUP: &str = "mdh.subgroup";

/// Discardable attribute of a computation: its schedule is for a device with a grid. A schedule with blocks, warps or a block's
/// memory says so by itself; one of threads only is one block there, and tasks elsewhere
pub const GRID: &str = "mdh.grid";

/// Discardable attribute of a computation: it is in one kernel with the computation in front of it, and what that hands to it stays in the
/// memory of a block where no other kernel reads it
pub const JOINS: &str = "mdh.joins";

/// The schedule of an attribute, any of whose fields may be open; the error names the step
pub fn open(cx: &Context, attr: Attr) -> Result<OpenSchedule, ScheduleError> {
    let items: Option<Vec<Attr>> = attr.as_array(cx).map(|items| items.to_vec());
    let steps =
        items.and_then(|items| items.iter().map(|item| item.as_str(cx)).collect::<Option<Vec<&str>>>());
    let form = || {
        let broken = Broken::unsupported("a schedule is an array of strings, one per step");
        ScheduleError { at: 0..0, step: None, broken }
    };
    OpenSchedule::read_steps(steps.ok_or_else(form)?)
}

/// The schedule of an attribute; the error says what is wrong in which step
pub fn decided(cx: &Context, attr: Attr) -> Result<Schedule, ScheduleError> {
    open(cx, attr)?.decided()
}

/// Steps, decided or not, as an attribute
pub fn to_attr<S: Display>(cx: &Context, steps: &[S]) -> Attr {
    let items: Vec<Attr> = steps.iter().map(|step| cx.str_attr(&step.to_string())).collect();
    cx.array_attr(&items)
}
