//! Rewriting: rules with names, a greedy driver that must terminate, strategies as values.
//!
//! Matching reads (`&Ir`) and answers `Found` or a `Miss` with its reason; rewriting cannot fail. So a rule that says no
//! has changed nothing, by type. All mutation goes through [`Rewriter`], which keeps the driver's worklist.
//!
//! - [`rule`]: what a rule is; [`term`]: rules as data; [`canonicalize`]: the rules an op brings along.
//! - [`greedy`]: fold, remove dead ops, apply rules until nothing changes; constants are unique per isolated region.
//! - [`strategy`]: `seq`, `try`, `repeat`, `topdown`, `bottomup`, `somewhere` over named rules.
//! - [`library`]: rules and strategies by name, in addition to those of ops.
//! - [`regions`]: unreachable blocks and unused block arguments.

pub mod canonicalize;
pub mod codes;
mod constants;
pub mod dead;
pub mod greedy;
pub mod library;
mod regions;
pub mod rewriter;
pub mod rule;
pub mod strategy;
pub mod term;

pub use canonicalize::{Canonicalize, DialectRules};
pub use greedy::{Greedy, Outcome};
pub use rewriter::{Asks, Rewriter, SolePred};
pub use rule::{ArgError, BadValue, FnRule, Miss, OrMiss, Pattern, Rule, RuleSet, check_args};
