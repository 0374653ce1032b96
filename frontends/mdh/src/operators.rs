//! Operators that an author defines in text, and types by name.
//!
//! `NAME < type,… > ( a,… ) := expr | (expr,…) : associative, commutative, exact, identity c,…`; MDH text and tensor expressions have
//! the same form. What is declared is not checked here.

use crate::codes;
use crate::index::scalar;
use crate::model::{Elem, OperatorFn, Scalar};
use crate::syntax::{Expr, ExprKind, Words};
use std::collections::BTreeMap;
use terrace_diag::{Reported, Span};

type Done<T> = Result<T, Reported>;

/// Types by name, with parameters put in
pub(crate) fn elem(w: &mut Words<'_>, with: &BTreeMap<String, String>, name: &str, span: Span) -> Done<Elem> {
    let known = with.get(name).map_or(name, String::as_str);
    match Elem::parse(known) {
        Some(elem) => Ok(elem),
        None => {
            let help = Some(format!("say which: `with {name} = f32;`, or `--set {name}=f32`"));
            Err(w.error_with_help(&codes::D_TYPE, span, &format!("{known} is no type known here"), help))
        }
    }
}

/// An operator behind the word `op`
pub(crate) fn operator(w: &mut Words<'_>) -> Done<OperatorFn> {
    let (name, span) = w.name("the operator's name")?;
    let elems = w.list("<", ">", |w| {
        let (name, span) = w.name("a type")?;
        elem(w, &BTreeMap::new(), &name, span)
    })?;
    let params = w.list("(", ")", |w| w.name("a parameter").map(|(name, _)| name))?;
    if params.len() != 2 * elems.len() {
        let message =
            format!("{} types need {} parameters, not {}", elems.len(), 2 * elems.len(), params.len());
        return Err(w.error(&codes::D_ARITY, span, message));
    }
    w.expect(":=")?;
    let body = w.expr()?;
    let parts = match body.kind {
        ExprKind::Tuple(all) => all,
        _ => vec![body],
    };
    if parts.len() != elems.len() {
        let message = format!("{} types, but {} values", elems.len(), parts.len());
        return Err(w.error(&codes::D_ARITY, span, message));
    }
    let mut body = Vec::new();
    for part in &parts {
        let mut leaf = |e: &Expr| match &e.kind {
            ExprKind::Name(name) => Ok(params.iter().position(|param| param == name).map(Scalar::Arg)),
            _ => Ok(None),
        };
        match scalar(part, &mut leaf) {
            Ok(found) => body.push(found),
            Err(wrong) => return Err(w.error(&codes::D_NAME, wrong.at, wrong.why)),
        }
    }
    let mut made = OperatorFn {
        name,
        elems,
        params,
        body,
        associative: false,
        commutative: false,
        exact: false,
        identity: Vec::new(),
        offset: span.start,
    };
    w.expect(":")?;
    loop {
        let at = w.span();
        let (word, _) = w.name("associative, commutative, exact or identity")?;
        match word.as_str() {
            "associative" => made.associative = true,
            "commutative" => made.commutative = true,
            "exact" => made.exact = true,
            "identity" => {
                for n in 0..made.elems.len() {
                    if n > 0 {
                        w.expect(",")?;
                    }
                    made.identity.push(w.number()?);
                }
            }
            other => {
                return Err(w.error(&codes::D_NAME, at, format!("`{other}` is no property of an operator")));
            }
        }
        if !w.eat(",") {
            return Ok(made);
        }
    }
}
