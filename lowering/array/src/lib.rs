//! The edge `array` → `sched`: functional patterns become scheduled loops on buffers.
//!
//! - [`array_to_sched`]: the pass and [`lower`]; signatures and destinations;
//! - [`place`]: memory for what has none;
//! - `lower`: state, scopes, index variables, loops; `layout`: paths into values and the buffers that hold them;
//! - `views`: arithmetic on indices, for the index maps of layout ops; `boxes`: copies; `destination`: where values go; `reads`, `writes`: the two translations that call each other;
//! - [`memory`]: bytes of a program's buffers; [`unfold`]: what windows would hold, written out;
//! - `folds`: loops that combine; `places`: memory; `scalars`: bodies, index arithmetic; `kernels`: launches around nests;
//! - `rounds`: loops in strips of as many as a block has threads;
//! - `strips`: loops over joined rows are nests;
//! - `offsets`: loops count elements and know their dimension.
//!
//! Nothing is fused and no memory is invented: a computed value is placed, returned, or read once by its one user.

pub mod array_to_sched;
mod boxes;
mod chains;
pub mod codes;
mod destination;
mod folds;
mod kernels;
mod layout;
mod lower;
pub mod memory;
mod offsets;
pub mod place;
mod places;
mod reads;
mod rounds;
mod scalars;
mod strips;
pub mod unfold;
mod views;
mod writes;

pub use array_to_sched::{Lowered, lower};
pub use kernels::GLOBAL;
pub use reads::is_layout;
pub use rounds::at_once;
pub use writes::sole_map;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[array_to_sched::ArrayToSched::INFO];
