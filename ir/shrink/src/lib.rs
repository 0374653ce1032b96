//! Smaller programs that keep a property: the reducer behind `terrace-reduce` and `terrace-why`.
//!
//! A candidate is an edit of a copied module, never of text, and is verified before it is judged. Edits go from coarse
//! to fine: units, bodies, runs of ops, regions, blocks, arguments and results, types, attributes, constants. One is
//! accepted if the [`Judge`] finds it interesting and it [weighs](Weight) less, so that a run ends by itself; at the end no
//! single edit is left that would be accepted. After each accepted edit dead ops go too.
//!
//! Several candidates are judged at once. The first interesting one in *order* is accepted, so that the result does not
//! depend on time or on the number of threads.
//!
//! Knows no dialect: what it needs is in the tables (traits, fields of successors, the constants that dialects make).

mod cache;
mod edit;
mod edits;
mod engine;
mod stand_in;
mod weight;

pub use cache::Cache;
pub use engine::{Options, Reduced, Refusal, Report, reduce};
pub use weight::Weight;

use terrace_ir::Ir;

/// What a judge says of a program
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It has the property
    Interesting,
    /// It does not have the property
    Uninteresting,
    /// Nothing is known, since it took too long: it is not accepted, and judged again in another run
    Unknown,
    /// The judge cannot go on: the run ends with what it has
    Stop,
}

/// Says whether a program has the property
pub trait Judge: Sync {
    /// Is it interesting? `text` is the module as text; it is valid
    fn judge(&self, module: &Ir, text: &str) -> Verdict;
}

impl<F: Fn(&Ir, &str) -> bool + Sync> Judge for F {
    fn judge(&self, module: &Ir, text: &str) -> Verdict {
        if self(module, text) { Verdict::Interesting } else { Verdict::Uninteresting }
    }
}
