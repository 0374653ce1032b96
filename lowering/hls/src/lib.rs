//! What text for high-level synthesis needs of a program: the three stages of an FPGA's pipelines (paper: Zheng and others, FlexTensor,
//! ASPLOS 2020, Figure 4c).
//!
//! - [`prepare`]: on scheduled loops. Loops that are unrolled stay loops, copies move an element at a time, tiles are arrays on the chip.
//! - [`stages`]: rounds of a tile become one loop over calls of three functions, which read, compute and write.
//! - [`pipeline`]: banks of arrays and the interval of each innermost loop, for a device.
//!
//! All that they find is in attributes (`terrace_dialect_builtin::marks`), which `lowering/c` prints as pragmas. Values do not depend on
//! them. **Invariant:** stages and intervals are derived from the loops and accesses that are there, not from what made them.

pub mod codes;
mod memory;
mod outline;
pub mod pipeline;
pub mod prepare;
mod rounds;
pub mod stages;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[&pipeline::INFO, prepare::HlsPrepare::INFO, stages::HlsStages::INFO];
