//! Proofs that passes keep what functions mean, for all arguments (`--prove`).
//!
//! Each function that a pass changes is compared with what it was, as formulas. What the solver refutes is a call, which the
//! interpreter then confirms and the rest of this crate explains.

use crate::proofs::{Change, Proofs};
use crate::report::text;
use crate::search::Levels;
use std::collections::BTreeMap;
use terrace_ir::{Ir, Traits, symbols};
use terrace_lowering_smt::{Solver, Verdict, refines};
use terrace_refine::Call;

/// The functions of a module, by name
fn units(module: &Ir) -> BTreeMap<String, &Ir> {
    let mut found = BTreeMap::new();
    for op in module.walk() {
        let Some(unit) = module.child(op) else { continue };
        if unit.has(unit.root(), Traits::FunctionLike)
            && let Some(name) = symbols::symbol_name(unit, unit.root())
        {
            found.insert(unit.cx().str(name).to_owned(), unit);
        }
    }
    found
}

/// Compare all functions before and after each pass
///
/// A function that a pass removes or adds has nothing to be compared with. Private ones are compared as well: what is
/// proven of each holds of their callers.
pub fn prove(levels: &Levels, solver: &mut Solver) -> Proofs {
    let mut proofs = Proofs { solver: solver.name.clone(), ..Proofs::default() };
    for (pass, pair) in levels.all.windows(2).enumerate() {
        let (before, after) = (units(&pair[0].module), units(&pair[1].module));
        for (name, new) in after {
            let Some(old) = before.get(&name).filter(|old| text(old) != text(new)) else { continue };
            let change = Change { pass, function: name };
            match refines(solver, old, new) {
                Ok(Verdict::Proven) => proofs.proven.push(change),
                Ok(Verdict::Refuted(args)) => {
                    let call = Call::of(&change.function, &args);
                    proofs.refuted.push((change, call));
                }
                Ok(Verdict::Unknown(why)) => proofs.open.push((change, why)),
                Err(why) => proofs.open.push((change, why.to_string())),
            }
        }
    }
    proofs
}
