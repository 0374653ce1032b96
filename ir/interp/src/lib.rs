//! The reference interpreter: says what a program means, slowly and with every check.
//!
//! Each op brings its meaning as the interface [`Interpret`]; an op without it traps with its name. A [`Machine`] keeps an
//! explicit stack of calls and, in each, of entered regions: an op with regions is a small state machine that runs at
//! entry (`interpret`) and again each time a region it entered yields (`resume`). Nothing recurses in Rust.
//!
//! Poison is a value; using it where a decision is made (branch, loop bound, address, divisor) traps. Memory checks
//! bounds, lifetime and initialization. Results are deterministic: NaNs made by arithmetic are the positive quiet one.
//!
//! Parallel loops, blocks and threads are *teams* ([`team`]): their members take turns in a fixed order (or another one,
//! [`Order`]), can wait for each other, and traps where two of them use memory without an order between.
//!
//! Asynchronous work ([`Machine::begin_work`]) runs immediately, and is checked as if it ran concurrently with the host.
//!
//! Kernels can be handed to a [`Device`] instead.
//!
//! Not here: real threads, integers beyond 128 bits, floats beyond 64.

pub mod codes;
pub mod combine;
mod device;
mod fences;
mod lists;
mod machine;
mod memory;
mod races;
mod tasks;
pub mod team;
pub mod text;
mod trap;
mod value;

pub use device::{Device, KernelLaunch};
pub use machine::{
    Binary, GlobalTable, Interpret, InterpretTable, Interpreter, Machine, Options, PlaceGlobal, Quick, Step,
    TeamMember, Ternary, Unary, launches_of,
};
pub use memory::{Memory, Space};
pub use team::{Exchange, Level, Order, Sync, TeamSpec};
pub use text::ReadValue;
pub use trap::{Fault, Trap};
pub use value::{InBytes, MemRef, Own, OwnValue, RtValue, Scalar, room};
