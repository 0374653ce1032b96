//! What passes ask of a unit more than once: dominance, and effects of ops with all inside.
//!
//! Both are computed where they are required and kept by the pass manager until a pass that does not preserve them changes
//! the unit. Handles mean what they meant: a pass that erases and makes ops, blocks or regions must not preserve them.

use std::sync::{Arc, Mutex, PoisonError};
use terrace_ir::dom::DomTree;
use terrace_ir::ir::{WalkStep, Walker};
use terrace_ir::{Effects, Ir, OpId, OpKind, RegionId, Traits};
use terrace_pass::Analysis;
use terrace_support::HashMap;

/// Which blocks dominate which, by region
///
/// Holds as long as no block comes or goes and no terminator leads elsewhere; ops may move and go.
#[derive(Default)]
pub struct Dominance {
    trees: Mutex<HashMap<RegionId, Arc<DomTree>>>,
}

impl Analysis for Dominance {
    fn compute(_: &Ir) -> Self {
        Dominance::default()
    }
}

impl Dominance {
    /// The tree of a region
    pub fn tree(&self, ir: &Ir, region: RegionId) -> Arc<DomTree> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(trees.entry(region).or_insert_with(|| Arc::new(DomTree::new(ir, region))))
    }
}

/// What ops with regions may do to memory, with everything inside
///
/// Each nest is walked once: asking at every level is linear. Stays an upper bound when ops go or move out of regions.
#[derive(Default)]
pub struct InnerEffects {
    by_op: Mutex<HashMap<OpId, Effects>>,
}

impl Analysis for InnerEffects {
    fn compute(_: &Ir) -> Self {
        InnerEffects::default()
    }
}

impl InnerEffects {
    /// Effects of an op, including those inside if it says that they are its own
    pub fn of(&self, ir: &Ir, op: OpId) -> Effects {
        if matches!(ir.kind(op), OpKind::UNREGISTERED | OpKind::SLOT) {
            return Effects::UNKNOWN;
        }
        if !ir.has(op, Traits::RecursiveEffects) {
            return ir.effects(op);
        }
        let mut by_op = self.by_op.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = by_op.get(&op) {
            return *known;
        }
        // Effects gathered so far, of each op around.
        let mut open: Vec<Effects> = Vec::new();
        for step in Walker::new(ir, op) {
            match step {
                WalkStep::Enter(_) => open.push(Effects::NONE),
                WalkStep::Leave(inner) => {
                    let inside = open.pop().unwrap_or(Effects::UNKNOWN);
                    let own = match ir.kind(inner) {
                        OpKind::UNREGISTERED | OpKind::SLOT => Effects::UNKNOWN,
                        _ if ir.has(inner, Traits::RecursiveEffects) || ir.has(inner, Traits::Terminator) => {
                            Effects::NONE
                        }
                        _ => ir.effects(inner),
                    };
                    let all = own.and(inside);
                    if ir.num_regions(inner) > 0 && ir.has(inner, Traits::RecursiveEffects) {
                        by_op.insert(inner, all);
                    }
                    match open.last_mut() {
                        Some(around) => *around = around.and(all),
                        None => return all,
                    }
                }
            }
        }
        Effects::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_dialect_upstream::ALL;
    use terrace_ir::Context;
    use terrace_rewrite::dead::effects_with_inside;

    #[test]
    fn effects_are_those_of_a_walk_of_each_op() {
        let cx = Context::new(ALL);
        for seed in 0..50 {
            let ir =
                terrace_dialect_test::generate(&cx, seed, &terrace_dialect_test::Options::default()).function;
            let effects = InnerEffects::compute(&ir);
            for op in ir.walk() {
                assert_eq!(
                    effects.of(&ir, op),
                    effects_with_inside(&ir, op),
                    "seed {seed}: {}",
                    ir.op_name(op)
                );
            }
        }
    }
}
