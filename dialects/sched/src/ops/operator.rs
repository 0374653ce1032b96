//! `sched.operator`: what a function declares of itself as a combine operator.
//!
//! `func.func private @f(f32, f32) -> f32 attributes {sched.operator = {associative, commutative, identity = 0.0 : f32}}`

use crate::combine::{Algebra, Operator};
use crate::{Copy, For, Write};
use std::sync::Arc;
use terrace_diag::Reported;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, Context, Ir, OpId, VerifyCx, codes};
use terrace_support::HashMap;

/// Name of the attribute
pub const NAME: &str = "sched.operator";

/// Words that may stand in the dictionary
const WORDS: [&str; 5] = ["associative", "commutative", "exact", "counted", "identity"];

/// What a function says of itself
pub fn declared(ir: &Ir, function: OpId) -> Option<Algebra> {
    read(ir.cx(), ir.discardable(function, NAME)?)
}

/// The neutral element that a function declares, one attribute for each of its components
pub fn identity_of_components(ir: &Ir, function: OpId) -> Option<Vec<Attr>> {
    let cx = ir.cx();
    let entries = ir.discardable(function, NAME)?.as_dict(cx)?;
    let (_, attr) = entries.iter().find(|(name, _)| cx.str(*name) == "identity")?;
    Some(attr.as_array(cx).map_or_else(|| vec![*attr], <[Attr]>::to_vec))
}

/// What a function that is known by its attributes says of itself
pub fn of_dict(cx: &Context, dict: Attr) -> Option<Algebra> {
    let entry = dict.as_dict(cx)?.iter().find(|(key, _)| cx.str(*key) == NAME)?;
    read(cx, entry.1)
}

/// The algebra of each function that a unit merges with, by name
pub fn all_declared(ir: &Ir, symbols: &Symbols, scope: ScopeId) -> HashMap<Arc<str>, Algebra> {
    let mut known = HashMap::default();
    let operators = ir.walk().flat_map(|op| match For::cast(ir, op) {
        Some(inner) => inner.operators(ir),
        None => Write::cast(ir, op)
            .and_then(|write| write.operator(ir))
            .or_else(|| Copy::cast(ir, op).and_then(|copy| copy.operator(ir)))
            .into_iter()
            .collect(),
    });
    for operator in operators {
        let Operator::Function(name) = operator else { continue };
        let symbol = symbols.lookup(scope, ir.cx().intern(&name), &[]);
        if let Some(algebra) = symbol.and_then(|symbol| of_dict(ir.cx(), symbol.dict?)) {
            known.insert(name, algebra);
        }
    }
    known
}

/// The attribute decoded
pub fn read(cx: &Context, attr: Attr) -> Option<Algebra> {
    let entries = attr.as_dict(cx)?;
    let find = |word: &str| entries.iter().find(|(name, _)| cx.str(*name) == word).map(|(_, attr)| *attr);
    Some(Algebra {
        associative: find("associative").is_some(),
        commutative: find("commutative").is_some(),
        exact: find("exact").is_some(),
        identity: find("identity"),
    })
}

/// Check the attribute where it stands
pub fn verify(v: &VerifyCx<'_>, op: OpId, name: &str, attr: Attr) -> Result<(), Reported> {
    if name != NAME {
        return Ok(());
    }
    let cx = v.ir.cx();
    let Some(entries) = attr.as_dict(cx) else {
        return v.fail(
            op,
            &codes::OP_RULE,
            "attribute 'sched.operator' must be a dictionary of associative, commutative, exact, counted, identity",
        );
    };
    for (word, value) in entries {
        let word = cx.str(*word);
        if !WORDS.contains(&word) {
            let near = terrace_diag::nearest(word, WORDS.iter().copied());
            let error = v.error(op, &codes::OP_RULE, format!("attribute 'sched.operator' has no '{word}'"));
            let error = match near {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("it knows associative, commutative, exact, counted, identity"),
            };
            return Err(v.emit(error));
        }
        if word != "identity" && *value != cx.common().unit {
            return v.fail(op, &codes::OP_RULE, format!("'{word}' of 'sched.operator' takes no value"));
        }
    }
    Ok(())
}
