//! Refinement of programs: one definition for tests, fuzzing and tools.
//!
//! An [`Observation`] holds the visible effects of one call: the results, the contents of every buffer that is an argument
//! or a result and of every public global, or why the call stopped. An observation
//! *refines* one before it, [`compare`], if nothing defined has changed: where the first call traps, or gives poison, anything
//! may follow; all other values are equal bit for bit, except that all NaNs are equal. [`inputs`] generates calls. Parallel parts run in several orders: [`check_with`] compares each order with the same one, and decides
//! nothing where the earlier program depends on the order.
//!
//! Not here: tolerances for sums in another order, and output that is printed (the interpreter has no op that prints).

mod agree;
mod call;
mod compare;
pub mod functions;
pub mod inputs;
mod observe;
mod orders;

pub use agree::agrees;
pub use call::{Arg, Call};
pub use compare::{ORDER, Refinement, compare};
pub use functions::Function;
pub use observe::{Contents, Observation, Place, Seen, observe};
pub use orders::{Checked, Limits, Observations, check, check_with, refines};
