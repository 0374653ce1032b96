//! Tiling: one array becomes parts, windows become windows of tiles.

use crate::rule::{ArrayRule, Done};
use crate::site::Site;
use terrace_dialect_array::Map;
use terrace_rewrite::Rule;

/// The set
pub const RULES: &[&dyn Rule] = &[&SPLIT_JOIN];

/// `map f x ⇒ join (map (map f) (split n x))`: parts of `n`, worked on one by one
pub static SPLIT_JOIN: ArrayRule = ArrayRule {
    name: "splitJoin",
    set: "tile",
    law: "map f x => join (map (map f) (split n x))",
    when: &["n divides the size"],
    parameters: &["n"],
    root: Map::DEF,
    apply: split_join,
};

fn split_join(s: &mut Site<'_, '_>) -> Done {
    let (map, x, n) = (s.op, s.x(), s.arg(0)?);
    let (f, size) = (s.fun(map)?, s.len(x)?);
    s.divides("n divides the size", &n, &size)?;
    let parts = s.split(&n, x)?;
    let done =
        s.map_like(map, parts, &mut |s, part| Ok(vec![s.map(part[0], &mut |s, a| s.inline(f, a))?]))?;
    let joined = s.join(done)?;
    s.done(joined)
}
