//! The reference interpreter: says what a program means, slowly and with every check.
//!
//! Each op brings its meaning as the interface [`Interpret`]; an op without it traps with its name. A [`Machine`] keeps an
//! explicit stack of calls and, in each, of entered regions: an op with regions is a small state machine that is asked at
//! entry (`interpret`) and again each time a region it entered yields (`resume`). Nothing recurses in Rust.
//!
//! Poison is a value; using it where a decision is made (branch, loop bound, address, divisor) traps. Memory checks
//! bounds, lifetime and initialization. Results are deterministic: NaNs made by arithmetic are the positive quiet one.
//!
//! Not here: speed, threads, devices, integers beyond 128 bits, floats beyond 64.

pub mod codes;
mod interface;
mod machine;
mod memory;
pub mod text;
mod value;

pub use interface::{Interpret, InterpretTable, Step};
pub use machine::{Interpreter, Machine, Options, Trap};
pub use memory::{Fault, Memory};
pub use value::{MemRef, RtValue};
