//! Strategies: values over named rules that say where and how often to apply them.
//!
//! After ELEVATE: `seq`, `try`, `repeat`, `topdown`, `bottomup`, `somewhere`. A strategy fails with the reason of the rule
//! that did; it never leaves half of a rule behind, since rules don't.

use crate::rewriter::Rewriter;
use crate::rule::{Miss, OrMiss, Rule};
use terrace_ir::OpId;

/// How to apply rules
pub enum Strategy {
    /// One rule at this op
    Rule(&'static dyn Rule),
    /// All in order; fails with the first that fails
    Seq(Vec<Strategy>),
    /// The first that applies
    First(Vec<Strategy>),
    /// Once if it applies; never fails
    Try(Box<Strategy>),
    /// As often as it applies, at most this many times
    Repeat(Box<Strategy>, usize),
    /// At the first op below, in order of the text, where it applies
    Somewhere(Box<Strategy>),
    /// At every op below where it applies, outer ones first
    TopDown(Box<Strategy>),
    /// At every op below where it applies, inner ones first
    BottomUp(Box<Strategy>),
}

impl Strategy {
    /// Apply at or below an op
    pub fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        match self {
            Strategy::Rule(rule) => rule.apply(rw, op),
            Strategy::Seq(parts) => parts.iter().try_for_each(|part| {
                rw.ir().is_alive(op).or_miss("the op was replaced by the part before")?;
                part.apply(rw, op)
            }),
            Strategy::First(parts) => {
                let mut reason = Miss("no alternative");
                for part in parts {
                    match part.apply(rw, op) {
                        Ok(()) => return Ok(()),
                        Err(miss) => reason = miss,
                    }
                }
                Err(reason)
            }
            Strategy::Try(part) => {
                let _ = part.apply(rw, op);
                Ok(())
            }
            Strategy::Repeat(part, limit) => {
                let mut count = 0;
                while count < *limit && rw.ir().is_alive(op) && part.apply(rw, op).is_ok() {
                    count += 1;
                }
                Ok(())
            }
            Strategy::Somewhere(part) => {
                let mut reason = Miss("no op below");
                for inner in rw.ir().walk_below(op).collect::<Vec<_>>() {
                    match part.apply(rw, inner) {
                        Ok(()) => return Ok(()),
                        Err(miss) => reason = miss,
                    }
                }
                Err(reason)
            }
            Strategy::TopDown(part) => everywhere(rw, part, ops_below(rw, op, false)),
            Strategy::BottomUp(part) => everywhere(rw, part, ops_below(rw, op, true)),
        }
    }
}

fn ops_below(rw: &Rewriter<'_>, op: OpId, post: bool) -> Vec<OpId> {
    if post { rw.ir().walk_post(op).collect() } else { rw.ir().walk_below(op).collect() }
}

fn everywhere(rw: &mut Rewriter<'_>, part: &Strategy, ops: Vec<OpId>) -> Result<(), Miss> {
    let mut reason = Miss("no op below");
    let mut any = false;
    for op in ops {
        if !rw.ir().is_alive(op) {
            continue;
        }
        match part.apply(rw, op) {
            Ok(()) => any = true,
            Err(miss) => reason = miss,
        }
    }
    if any { Ok(()) } else { Err(reason) }
}
