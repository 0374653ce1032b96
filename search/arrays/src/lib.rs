//! The joint space of an array program: numbers of a `tune.space` first, then a level for each open map.
//!
//! - [`listed`]: solutions of the numbers, by groups, so that each choice leads to a point;
//! - [`program`]: the program, what stays open in it, and its form with numbers put in;
//! - [`mapping`]: the levels that the bound program may have, from `search/mapping`'s constraints;
//! - [`space`]: both as one space to explore; [`choose`]: the point that fills a device, without measuring. The time of a point
//!   on a processor is estimated by `schedule/cost`.
//!
//! Numbers are chosen from the solutions of their constraints, the written ones and those of the program's types; the program is
//! bound with them; levels are chosen from the diagram of the mapping problem of that. So points are made, not filtered, but for
//! what joins branches of a nest (threads of a block). What is measured, and how, is the tool's business.

pub mod choose;
pub mod listed;
pub mod mapping;
pub mod program;
pub mod space;

pub use program::{Levels, Program, Setup};
pub use space::{ArraySpace, Rejections};
