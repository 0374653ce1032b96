//! Schedules as attributes of computations.
//!
//! A computation carries its schedule as the discardable attribute `mdh.schedule`: an array of strings, one step each. What a
//! schedule is, and its text, is the model's ([`terrace_schedule_model`]); here it becomes an attribute and comes back.

use std::fmt::Display;
use terrace_ir::{Attr, Context};
pub use terrace_schedule_model::{
    Core, CoreAt, Draft, DraftError, DraftStep, Facts, Memory, Part, Placement, Schedule, Size, Step, Tail,
    Token, Words, spoken,
};

/// Name of the attribute
pub const SCHEDULE: &str = "mdh.schedule";

/// Discardable attribute of a computation: threads of a warp on the device that its schedule is for; 32 if it is not there
pub const SUBGROUP: &str = "mdh.subgroup";

/// Discardable attribute of a computation: its schedule is for a device with a grid. A schedule with blocks, warps or a block's
/// memory says so by itself; one of threads only is one block there, and tasks elsewhere
pub const GRID: &str = "mdh.grid";

/// The tokens of a schedule's attribute; the error names the step
pub fn tokens(cx: &Context, attr: Attr) -> Result<Draft, String> {
    const FORM: &str = "a schedule is an array of strings, one per step";
    let items = attr.as_array(cx).ok_or(FORM)?;
    let steps: Option<Vec<&str>> = items.iter().map(|item| item.as_str(cx)).collect();
    Draft::read_steps(steps.ok_or(FORM)?)
}

/// The schedule of an attribute; the error says what is wrong in which step
pub fn decided(cx: &Context, attr: Attr) -> Result<Schedule, String> {
    tokens(cx, attr)?.resolve().map_err(|error| error.message)
}

/// Steps, decided or not, as an attribute
pub fn to_attr<S: Display>(cx: &Context, steps: &[S]) -> Attr {
    let items: Vec<Attr> = steps.iter().map(|step| cx.str_attr(&step.to_string())).collect();
    cx.array_attr(&items)
}
