//! The rules an op brings along for `canonicalize`, as an interface of its definition.

use crate::rule::Rule;
use terrace_ir::interface::Interface;

/// Table behind [`Canonicalize`]
///
/// A function, since the rules name the op and the op's table names the rules.
pub struct CanonicalRules(pub fn() -> &'static [&'static dyn Rule]);

/// Rules of a dialect in addition to those of its ops, the entry `rules` of `dialect!`
///
/// `--list-rules`, `--disable-rule` and the passes that take rules by name know them; `canonicalize` does not apply them.
pub struct DialectRules(pub fn() -> &'static [&'static dyn Rule]);

/// `interfaces(terrace_rewrite::Canonicalize)`: rules that start from this op and make it simpler
///
/// Each must come closer to one normal form: fewer ops, or the same number nearer to it. Pipelines must be right without
/// them.
pub trait Canonicalize {
    /// The rules, tried in this order
    const RULES: &'static [&'static dyn Rule];
    /// Entry for the op's definition
    const ENTRY: Interface = Interface::new(const { &CanonicalRules(|| Self::RULES) });
}
