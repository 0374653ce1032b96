//! Which types need not be said: those that relations, attributes, `infer` or a rule with one type give.
//!
//! Whether a rule allows one type only is known to the compiler, not to a macro. The common ones are known here by name;
//! for others a constant assertion asks the compiler.

use crate::fields::{Arity, FieldRef, Fields, ValueField, plain};
use crate::format::{Piece, contains};
use crate::op::{Op, slot};
use crate::tokens::assertion;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, Result};

const ONLY: &[&str] = &["I1", "I8", "I32", "I64", "Index", "F32", "F64"];

struct Known {
    operands: Vec<bool>,
    results: Vec<bool>,
}

impl Known {
    fn of_rules(fields: &Fields) -> Known {
        let only = |field: &ValueField| has_only_type(&field.rule);
        Known {
            operands: fields.operands.iter().map(only).collect(),
            results: fields.results.iter().map(only).collect(),
        }
    }

    fn at(&mut self, place: FieldRef) -> Option<&mut bool> {
        match place {
            FieldRef::Operand(n) => self.operands.get_mut(n),
            FieldRef::Result(n) => self.results.get_mut(n),
            _ => None,
        }
    }

    fn has(&mut self, place: FieldRef) -> bool {
        self.at(place).is_some_and(|known| *known)
    }

    fn learn(&mut self, place: FieldRef) -> bool {
        self.at(place).is_some_and(|known| !std::mem::replace(known, true))
    }

    /// Follow the relations as far as they lead
    fn complete(&mut self, op: &Op) {
        let places: Vec<(String, Vec<FieldRef>)> = op
            .args
            .relations
            .iter()
            .map(|relation| {
                let fields = relation.fields.iter().filter_map(|ident| op.fields.find(&plain(ident)));
                (relation.kind.to_string(), fields.collect())
            })
            .collect();
        let mut news = true;
        while news {
            news = false;
            for (kind, places) in &places {
                match kind.as_str() {
                    "same" if places.iter().any(|place| self.has(*place)) => {
                        for place in places {
                            news |= self.learn(*place);
                        }
                    }
                    "type_of_attr" => news |= self.learn(places[1]),
                    "bool_like" | "element_of" if self.has(places[0]) => news |= self.learn(places[1]),
                    _ => {}
                }
            }
        }
    }
}

fn has_only_type(rule: &Path) -> bool {
    rule.segments.last().is_some_and(|last| ONLY.iter().any(|name| last.ident == name))
}

/// Does `build` find the types of all results by itself?
///
/// If not, it takes all of them: half a list would be easy to get wrong.
pub fn results(op: &Op) -> bool {
    let fields = &op.fields;
    let varying = fields.results.iter().filter(|field| field.arity != Arity::One).count();
    if op.hooks("infer") && varying <= 1 {
        return true;
    }
    let mut known = Known::of_rules(fields);
    for (known, field) in known.operands.iter_mut().zip(&fields.operands) {
        *known |= field.arity == Arity::One;
    }
    known.complete(op);
    // Of a field of varying number the type alone does not say how many.
    varying == 0 && known.results.iter().all(|known| *known)
}

/// Check that the custom syntax says or implies everything; what only the compiler knows becomes constant assertions
pub fn assertions(op: &Op) -> Result<TokenStream> {
    let Some(text) = &op.syntax else { return Ok(TokenStream::new()) };
    let fields = &op.fields;
    let has = |piece: &Piece| contains(&op.asm, &|other| other == piece);
    for (name, place) in fields.names() {
        let (there, what) = match place {
            FieldRef::Operand(n) => (has(&Piece::Operand(n)) || has(&Piece::Operands), "operand"),
            FieldRef::Region(n) => (has(&Piece::Region(n)), "region"),
            FieldRef::Successor(n) => (has(&Piece::Successor(n)), "successor"),
            // Attributes may stand in `attr-dict`.
            FieldRef::Attr(_) | FieldRef::Result(_) => continue,
        };
        if !there {
            return Err(syn::Error::new(
                text.span(),
                format!("the format leaves out {what} `{name}`: write `${name}`"),
            ));
        }
    }
    let mut known = Known::of_rules(fields);
    let (all_operands, all_results) =
        (has(&Piece::OperandTypes), has(&Piece::ResultTypes) || op.hooks("infer"));
    let all = has(&Piece::FunctionalType);
    for (n, known) in known.operands.iter_mut().enumerate() {
        *known |= all || all_operands || has(&Piece::OperandType(n));
    }
    for (n, known) in known.results.iter_mut().enumerate() {
        *known |= all || all_results || has(&Piece::ResultType(n));
    }
    known.complete(op);
    let operands = fields.operands.iter().enumerate().map(|(n, field)| (FieldRef::Operand(n), field));
    let results = fields.results.iter().enumerate().map(|(n, field)| (FieldRef::Result(n), field));
    let mut tokens = TokenStream::new();
    for (place, field) in operands.chain(results) {
        if known.has(place) {
            continue;
        }
        let name = plain(&field.ident);
        let message = format!(
            "the type of `{name}` is not in the format and nothing gives it: \
             write `type(${name})` or relate it to a field whose type is known"
        );
        let rules = same_as(op, place)?;
        let condition = quote!(#(<#rules as ::terrace_ir::rules::TypeRule>::RULE.only.is_some())||*);
        tokens.extend(assertion(&field.ident, &condition, &message));
    }
    Ok(tokens)
}

/// Rules of all fields that have the type of this one
fn same_as(op: &Op, place: FieldRef) -> Result<Vec<&Path>> {
    let mut places = vec![place];
    let mut next = 0;
    while let Some(&at) = places.get(next) {
        next += 1;
        for relation in op.args.relations.iter().filter(|relation| relation.kind == "same") {
            let others =
                relation.fields.iter().map(|ident| slot(ident, &op.fields)).collect::<Result<Vec<_>>>()?;
            if others.contains(&at) {
                for other in others {
                    if !places.contains(&other) {
                        places.push(other);
                    }
                }
            }
        }
    }
    let rule = |place: FieldRef| match place {
        FieldRef::Operand(n) => Some(&op.fields.operands[n].rule),
        FieldRef::Result(n) => Some(&op.fields.results[n].rule),
        _ => None,
    };
    Ok(places.into_iter().filter_map(rule).collect())
}
