//! The pass `mdh-dependent`: a reduction and one that depends on it become one joint reduction, where that is permitted.
//!
//! Brackets and formulas are other ones than those of the text, so values differ within a bound that each rule states. A rule is applied only where
//! the function, or the sum itself, has its name in `mdh.approximate`.
//!
//! - [`rules`]: the rules; [`operators`]: their joint operators;
//! - [`pair`]: two reductions, one of which depends on the other; [`terms`]: what they fold, however it is spelled;
//! - [`slope`]: forms of terms; [`twins`]: equal reductions;
//! - [`joint`], [`narrow`], [`emit`]: the computations that are built.

mod emit;
mod joint;
mod narrow;
mod operators;
mod pair;
pub mod rules;
mod slope;
mod terms;
mod twins;

use crate::approximate::{known, permits};
use crate::inline::producer::Written;
use operators::Operators;
pub(crate) use operators::constant;
use pair::Facts;
use rules::{ALL, DependentRule};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_func as func;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::APPROXIMATE;
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_ir::{Ir, OpId, Str, Traits};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Make one joint reduction of two, one of which depends on the other
///
/// A maximum and a sum of exponentials of differences from it (`online_softmax`), a sum and a sum of squared differences from its mean
/// (`welford`, `one_pass_norm`) read their elements twice. Each rule replaces them with one reduction and a computation for each result. Values are not
/// those of the text, within a bound that the rule states. So rules are applied only where `mdh.approximate` of the function or of the sum
/// names them. Equal reductions of such a function are computed once.
#[pass(
    "mdh-dependent",
    scope = tree,
    stats("rule online_softmax", "rule welford", "rule one_pass_norm", "equal reductions joined")
)]
pub struct MdhDependent {
    /// rules that every function permits, as if its `mdh.approximate` named them
    #[option]
    approximate: Vec<String>,
}

impl Pass for MdhDependent {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        for name in &self.approximate {
            known(name).map_err(|error| cx.emit(error))?;
        }
        let mut changed = false;
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                changed |= self.table(cx, table)?;
            }
            pending.extend(table.children_mut());
        }
        cx.set_changed(changed);
        Ok(())
    }
}

impl MdhDependent {
    /// All functions of a table
    fn table(&self, cx: &mut PassCx<'_>, table: &mut Ir) -> Result<bool, Reported> {
        let is_func = |child: &Ir| func::Func::cast(child, child.root()).is_some();
        let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_func)).collect();
        let (mut operators, mut changed) = (Operators::default(), false);
        let mut taken: Option<HashSet<Str>> = None;
        for slot in slots {
            let asks = table.child(slot).is_some_and(|function| self.asks(cx, function));
            if !asks {
                continue;
            }
            let taken = taken.get_or_insert_with(|| operators::names(table));
            let Some(mut function) = table.take_child(slot) else { continue };
            let result = self.function(cx, &mut function, &mut operators, taken);
            table.put_child(slot, function);
            operators.place(table, slot);
            changed |= result?;
        }
        Ok(changed)
    }

    /// Does a function permit anything, or is it to be explained why a rule does not apply?
    fn asks(&self, cx: &PassCx<'_>, function: &Ir) -> bool {
        let explained = cx.explain_miss.is_some_and(|name| ALL.iter().any(|rule| rule.name == name));
        !self.approximate.is_empty()
            || explained
            || function.discardable(function.root(), APPROXIMATE).is_some()
            || reductions(function).iter().any(|op| function.discardable(op.id(), APPROXIMATE).is_some())
    }

    fn function(
        &self,
        cx: &mut PassCx<'_>,
        ir: &mut Ir,
        operators: &mut Operators,
        taken: &HashSet<Str>,
    ) -> Result<bool, Reported> {
        let own = permits(ir, ir.root()).map_err(|error| cx.emit(error))?;
        let own = own.into_iter().chain(self.approximate.iter().map(|name| ir.cx().intern(name)));
        // Forms are permitted by name, too, and are no rules of this pass.
        let is_rule = |name: &Str| ALL.iter().any(|rule| rule.name == ir.cx().str(*name));
        let own: Vec<Str> = own.filter(is_rule).collect();
        let mut changed = false;
        if !own.is_empty() {
            let written = Written::of(ir);
            let joined = twins::join(ir, &written, &reductions(ir));
            cx.count("equal reductions joined", joined);
            changed |= joined > 0;
        }
        let mut facts = Facts { written: Written::of(ir), done: Vec::new() };
        for op in reductions(ir) {
            let mut permitted = permits(ir, op.id()).map_err(|error| cx.emit(error))?;
            permitted.extend(&own);
            for rule in ALL {
                let put = |found: rules::Found, ir: &mut Ir, facts: &mut Facts| {
                    found.apply(ir, facts, operators, taken)
                };
                if apply(cx, ir, (op, rule), &mut facts, &permitted, put) {
                    changed = true;
                    break;
                }
            }
        }
        if changed {
            erase_unused(ir);
        }
        Ok(changed)
    }
}

/// Apply a rule to a sum; a remark says that it was applied, or why not where that is wanted
fn apply(
    cx: &mut PassCx<'_>,
    ir: &mut Ir,
    (op, rule): (Compute, &DependentRule),
    facts: &mut Facts,
    permitted: &[Str],
    put: impl FnOnce(rules::Found, &mut Ir, &mut Facts) -> Option<()>,
) -> bool {
    let name = rule.name;
    let explained = cx.explain_miss == Some(name);
    let allowed = permitted.iter().any(|other| ir.cx().str(*other) == name);
    let enabled = cx.disabled_rules.iter().all(|other| other != name);
    if !(explained || allowed && enabled) {
        return false;
    }
    let span = ir.span(op.id());
    let why = match (rule.find)(ir, facts, op) {
        Err(miss) => miss.0,
        Ok(_) if !allowed => "no permission: `mdh.approximate` of the function or the sum does not name it",
        Ok(_) if !enabled => "it is switched off",
        Ok(found) => match put(found, ir, facts) {
            Some(()) => {
                cx.count(&format!("rule {name}"), 1);
                let said = format!(
                    "rule `{name}`: one reduction in place of two that depend on each other; {}",
                    rule.bound
                );
                let _ = cx.emit(Diagnostic::remark(None, said).at(span));
                return true;
            }
            None => "its terms have no form as a computation for each result",
        },
    };
    if explained {
        let said = format!("rule `{name}` does not apply to '{}': {why}", ir.op_name(op.id()));
        let _ = cx.emit(Diagnostic::remark(None, said).at(span));
    }
    false
}

/// What only the sums have read is gone with them
fn erase_unused(ir: &mut Ir) {
    let all: Vec<Compute> = ir.walk().filter_map(|op| Compute::cast(ir, op)).collect();
    for op in all.into_iter().rev() {
        if ir.is_unused(op.id()) {
            ir.erase(op.id());
        }
    }
}

/// Computations that fold
fn reductions(ir: &Ir) -> Vec<Compute> {
    let folds = |op: &Compute| {
        View::read(ir, *op)
            .is_ok_and(|view| view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..))))
    };
    ir.walk().filter_map(|op| Compute::cast(ir, op)).filter(folds).collect()
}
