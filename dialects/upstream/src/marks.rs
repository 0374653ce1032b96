//! Attributes of ours that passes leave on upstream's ops for those below: each name in one place.
//!
//! All are discardable: without them a program means the same, and who does not know them may drop them.

/// Of a call of `f(begin, end, …)`: `[begin, end)` may be cut into any pieces, and these run in any order or at once
pub const PARALLEL: &str = "terrace.parallel";

/// Of a parallel loop and of a call: iterations that a thread takes at a time, as it goes; without it they are dealt out evenly
/// before
pub const GRAIN: &str = "terrace.grain";

/// Of a function: the device it is for, by name; `mdh-schedule` schedules for it, code is made for that processor
pub const TARGET: &str = "terrace.target";

/// Of a function: those that may stand for it, best first
pub const VERSIONS: &str = "terrace.versions";

/// Of a loop: each iteration is for another device
pub const DEVICES: &str = "terrace.devices";

/// Of an argument or a launch: the name that its author gave it or the kernel
pub const NAME: &str = "terrace.name";
