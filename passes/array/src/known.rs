//! What is known of sizes where a rule applies.
//!
//! In addition to the values that the function binds: every op that runs before the root has met its own conditions, else the
//! program has trapped, and then anything may happen. So its obligations are hypotheses.

use std::collections::BTreeMap;
use terrace_analysis::nat::{Claim, Facts, Nat, Proof};
use terrace_analysis::range::Range;
use terrace_dialect_array::Map;
use terrace_dialect_array::obligations::conditions;
use terrace_dialect_array::size::{Obligation, Relation, Verdict, bound};
use terrace_dialect_array::types::{flatten, split_type};
use terrace_ir::{Ir, OpId};

/// Most ops whose conditions are used
const ASKED: usize = 256;

/// Hypotheses at an op
pub struct Known {
    bound: BTreeMap<String, i64>,
    met: Vec<Obligation>,
}

impl Known {
    /// What is known where `op` stands
    pub fn at(ir: &Ir, op: OpId) -> Known {
        let mut known = Known { bound: bound(ir), met: Vec::new() };
        let (mut at, mut asked) = (Some(op), 0);
        while let Some(inner) = at {
            let mut before = Some(inner);
            while let Some(op) = before.filter(|_| asked < ASKED) {
                asked += 1;
                before = ir.prev(op);
                known.met.extend(conditions(ir, op));
            }
            at = ir.parent(inner).filter(|outer| *outer != ir.root());
            // The function of an element runs if there is one.
            if let Some(map) = at.and_then(|outer| Map::cast(ir, outer))
                && let Some((size, _)) = split_type(ir.cx(), ir.ty(map.x(ir)))
            {
                let one = Nat::from(1);
                known.met.push(Obligation { relation: Relation::AtMost, a: one, b: size, what: "size" });
            }
        }
        known
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        for met in self.met.iter().filter(|met| met.relation == Relation::AtMost) {
            let (Some(least), [name]) = (met.a.as_constant(), &met.b.names()[..]) else { continue };
            let plain = met.b == Nat::symbol(name) || name.starts_with('$');
            if let Some(range) = Range::new(least.max(0), i64::MAX).filter(|_| plain && least > 0) {
                facts.set(name, range);
            }
        }
        facts
    }

    /// Is it so?
    pub fn decide(&self, asked: &Obligation) -> Verdict {
        match asked.decide(&self.bound) {
            Verdict::Undecided if self.follows(asked) => Verdict::Proved,
            verdict => verdict,
        }
    }

    fn put(&self, nat: &Nat) -> Nat {
        let value = |name: &str| self.bound.get(name).map(|value| Nat::from(*value));
        nat.substitute(&value).unwrap_or_else(|_| nat.clone())
    }

    fn follows(&self, asked: &Obligation) -> bool {
        let facts = self.facts();
        let proved = |claim: Claim<'_>| facts.prove(claim) == Proof::Yes;
        let (a, b) = (self.put(&asked.a), self.put(&asked.b));
        let whole = match asked.relation {
            Relation::AtMost => proved(Claim::AtMost(&a, &b)),
            Relation::Equal => proved(Claim::Equal(&a, &b)),
            Relation::Divides => proved(Claim::Divides(&a, &b)),
        };
        let same = |met: &&Obligation| met.relation == asked.relation;
        whole
            || self.met.iter().filter(same).any(|met| {
                let (c, d) = (self.put(&met.a), self.put(&met.b));
                let implied = || match asked.relation {
                    // c ≤ d, and a ≤ b is at least as wide.
                    Relation::AtMost => {
                        let slack = d.minus(&c).and_then(|slack| b.minus(&a)?.minus(&slack)).ok()?;
                        Some(proved(Claim::AtMost(&Nat::from(0), &slack)))
                    }
                    // c ∣ d with a ∣ c·k: what is left of b after multiples of d has to be divisible too.
                    Relation::Divides => {
                        let rest = b.minus(&d).ok()?;
                        let times = b.exact_div(&d).ok()?;
                        Some(a == c && (proved(Claim::Divides(&a, &rest)) || times.as_constant().is_some()))
                    }
                    Relation::Equal => Some((a == c && b == d) || (a == d && b == c)),
                };
                implied() == Some(true)
            })
    }

    /// Sizes of all dimensions of a value's type, for messages
    pub fn sizes(ir: &Ir, value: terrace_ir::Value) -> Vec<Nat> {
        flatten(ir.cx(), ir.ty(value)).0
    }
}
