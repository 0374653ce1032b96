//! Mapping parallelism by constraints: one variable per map, rules from the program, all valid mappings. Its passes are in `passes/mapping`.
//!
//! - [`tree`]: the nest of maps with its buffers (Table 3); [`levels`]: what a map may be; [`codes`]: the same as numbers (Table 2);
//! - [`rules`]: the paper's eight rules; [`legality`]: those of `sched`'s verifier, on the schedule that the function lowers to;
//! - [`function`]: the problem of a function, lowered with its levels open;
//! - [`kernels`]: what the rules of whole kernels compare; [`sites`]: accesses between which threads may wait;
//! - [`joint`] and `barriers`: one mapping against these rules; [`demand`]: the same as sums over branches, for counts;
//!   [`whole`]: as sizes and statements of a printed space; `alone`: what single maps decide of them;
//! - [`infer`]: the constraints of types and hardware, as a space;
//! - [`numbers`]: spaces of numbers;
//! - [`mappings`]: sets of mappings, counted and drawn from; [`statistics`]: what refuses how many;
//! - [`text`]: mappings as text;
//! - [`problem`]: all of them as a model, with filters by tag; [`explain`]: what is wrong with a mapping, and what would be right.

mod alone;
mod barriers;
pub mod codes;
pub mod demand;
pub mod emit;
pub mod errors;
pub mod explain;
pub mod function;
pub mod infer;
pub mod joint;
pub mod kernels;
pub mod legality;
pub mod levels;
pub mod mappings;
pub mod numbers;
pub mod problem;
pub mod rules;
pub mod sites;
pub mod statistics;
pub mod text;
pub mod tree;
pub mod whole;

pub use levels::{MapLevel, MapLevels, Mapping};
pub use mappings::Mappings;
pub use problem::{Join, Options, Problem};
pub use rules::{Given, Tag};
pub use terrace_schedule_rules::Limits;
pub use tree::{Tree, Uses};
