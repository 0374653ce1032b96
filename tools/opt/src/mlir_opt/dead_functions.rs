//! Erases private functions that nothing refers to, as `inline` of MLIR does.

use terrace_diag::Reported;
use terrace_dialect_func::Func;
use terrace_ir::references::references_below;
use terrace_ir::symbols::{is_private, symbol_name};
use terrace_ir::{Ir, OpId, Str};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;

/// Erase private functions with a body that nothing refers to
///
/// Unlike `symbol-dce` it keeps every other symbol.
#[pass("dead-functions", scope = tree, stats("functions erased"))]
pub(crate) struct DeadFunctions;

impl Pass for DeadFunctions {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let dead = dead(unit);
        cx.count("functions erased", dead.len() as u64);
        cx.set_changed(!dead.is_empty());
        dead.into_iter().for_each(|op| unit.erase(op));
        Ok(())
    }
}

/// Functions whose references all come from functions that go themselves, the last referrer first
///
/// Counts references, so that a function which refers to itself stays.
fn dead(unit: &Ir) -> Vec<OpId> {
    let mut counts: HashMap<Str, usize> = HashMap::default();
    references_below(unit, unit.root(), |reference| {
        reference.names().for_each(|name| *counts.entry(name).or_default() += 1);
    });
    let functions = unit.walk().filter(|op| unit.child(*op).is_some_and(is_private_function));
    let functions: HashMap<Str, OpId> =
        functions.filter_map(|op| Some((symbol_name(unit, op)?, op))).collect();
    let unused = |name: &Str| !counts.contains_key(name);
    let mut dead: Vec<OpId> = unit
        .walk()
        .filter(|op| {
            symbol_name(unit, *op).is_some_and(|name| functions.get(&name) == Some(op) && unused(&name))
        })
        .collect();
    let mut at = 0;
    while let Some(&op) = dead.get(at) {
        references_below(unit, op, |reference| {
            for name in reference.names() {
                let left = counts.entry(name).or_default();
                *left = left.saturating_sub(1);
                if *left == 0 {
                    dead.extend(functions.get(&name));
                }
            }
        });
        at += 1;
    }
    dead
}

fn is_private_function(unit: &Ir) -> bool {
    let root = unit.root();
    is_private(unit, root) && unit.is(root, Func::DEF) && unit.walk().next().is_some()
}
