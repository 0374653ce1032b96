//! Dialects that are loaded while a tool runs: from what `llvm-tblgen --dump-json` prints of ODS, and from IRDL.
//!
//! Both importers (`ods`, `irdl`) make a [`description::Description`]. `define` makes definitions from it, which parser,
//! printer, verifier and bytecode use like those of a crate. `constraint` checks types and attributes, `predicate` reads
//! C++ conditions of the common forms, `verify` is the one verifier of ops that were loaded.
//!
//! **Invariants:** no input panics. C++ code is never run; what only it knows is listed, and is not checked.
//! Definitions are leaked.

pub mod codes;
pub mod constraint;
mod define;
pub mod description;
mod format;
mod irdl;
mod made;
mod ods;
pub mod predicate;
mod report;
pub mod test;
mod verify;

pub use define::Loaded;
pub use report::warning;

use description::Description;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Context, Dialect};

/// Dialects of a dump of records (`llvm-tblgen --dump-json`) that are not among those that are known
///
/// # Errors
/// The text is no dump (E0040), or a dialect cannot be registered with the known ones (E0041).
pub fn from_ods(text: &str, known: &[&'static Dialect]) -> Result<Vec<Loaded>, Box<Diagnostic>> {
    finish(ods::read(text, known)?, known)
}

/// Dialects that a file defines in IRDL, and the context that has its text for messages
///
/// `None` if mistakes were reported. An error outright: dialects cannot be registered together.
pub fn from_irdl(
    name: &str,
    text: String,
    known: &[&'static Dialect],
    diags: &mut Diags,
) -> Result<(Arc<Context>, Option<Vec<Loaded>>), Box<Diagnostic>> {
    let (cx, found) = irdl::read(name, text, known, diags)?;
    let loaded = found.map(|list| finish(list, known)).transpose()?;
    Ok((cx, loaded))
}

/// Make definitions, if names are such that they can be registered
fn finish(list: Vec<Description>, known: &[&'static Dialect]) -> Result<Vec<Loaded>, Box<Diagnostic>> {
    for description in &list {
        check(description, known)?;
    }
    Ok(list.into_iter().map(define::define).collect())
}

fn check(description: &Description, known: &[&'static Dialect]) -> Result<(), Box<Diagnostic>> {
    let name = &description.name;
    let error = |message: String| Err(Box::new(Diagnostic::error(&codes::DIALECT, message)));
    if known.iter().any(|dialect| dialect.name == name) {
        return error(format!("dialect `{name}` is here already"));
    }
    if description.graph.too_deep() {
        return error(format!(
            "constraints of dialect `{name}` are nested deeper than {}",
            constraint::DEPTH
        ));
    }
    let ops = description.ops.iter().map(|op| op.name.as_str());
    let types = description.types.iter().map(|params| params.name.as_str());
    let enums =
        description.enums.iter().map(|def| def.name.split_once('.').map_or(def.name, |(_, name)| name));
    let attrs = description.attrs.iter().map(|params| params.name.as_str()).chain(enums);
    for (what, names) in
        [("op", ops.collect::<Vec<_>>()), ("type", types.collect()), ("attribute", attrs.collect())]
    {
        let mut seen = terrace_support::HashMap::default();
        if let Some(twice) = names.into_iter().find(|one| seen.insert(*one, ()).is_some()) {
            return error(format!("{what} `{name}.{twice}` is defined twice"));
        }
    }
    fields(description)
}

/// Names of fields are different, and few enough for the tables
fn fields(description: &Description) -> Result<(), Box<Diagnostic>> {
    for op in &description.ops {
        let values = op.operands.iter().chain(&op.results).map(|value| value.name.as_str());
        let attrs = op.attrs.iter().map(|attr| attr.name.as_str());
        let names: Vec<&str> = values.chain(attrs).collect();
        let mut seen = terrace_support::HashMap::default();
        let twice = names.iter().find(|one| !one.is_empty() && seen.insert(**one, ()).is_some());
        let message = match (twice, names.len() > 250) {
            (Some(twice), _) => format!("op `{}.{}` has two fields `{twice}`", description.name, op.name),
            (None, true) => format!("op `{}.{}` has more than 250 fields", description.name, op.name),
            _ => continue,
        };
        return Err(Box::new(Diagnostic::error(&codes::DIALECT, message)));
    }
    for params in description.types.iter().chain(&description.attrs) {
        if params.params.len() > 250 {
            let message = format!("`{}.{}` has more than 250 parameters", description.name, params.name);
            return Err(Box::new(Diagnostic::error(&codes::DIALECT, message)));
        }
    }
    Ok(())
}
