//! What may be registered together: each name once, under the name of the dialect that registers it.
//!
//! `dialect!` asks the constant functions while it is compiled; a new context is checked for all of its dialects.

use crate::codes;
use crate::context::Context;
use crate::ir::Dialect;
use std::sync::Arc;
use terrace_diag::Diagnostic;
use terrace_support::HashMap;

impl Context {
    /// A context with these dialects
    ///
    /// # Panics
    ///
    /// If they cannot be registered together; [`Context::try_new`] says why instead.
    pub fn new(dialects: &[&'static Dialect]) -> Arc<Context> {
        Context::try_new(dialects).unwrap_or_else(|error| panic!("{}", error.message))
    }

    /// A context with these dialects, or what is registered twice or under another's name (E0116)
    pub fn try_new(dialects: &[&'static Dialect]) -> Result<Arc<Context>, Box<Diagnostic>> {
        check(dialects)?;
        let cx = Context::of(dialects);
        check_defaults(&cx)?;
        Ok(Arc::new(cx))
    }
}

/// Is this `dialect.…`?
pub const fn belongs(name: &str, dialect: &str) -> bool {
    let (name, dialect) = (name.as_bytes(), dialect.as_bytes());
    if name.len() <= dialect.len() + 1 || name[dialect.len()] != b'.' {
        return false;
    }
    let mut n = 0;
    while n < dialect.len() {
        if name[n] != dialect[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// Does the name of this number stand before it, too?
pub const fn repeated(names: &[&str], at: usize) -> bool {
    let mut n = 0;
    while n < at {
        if equal(names[n].as_bytes(), names[at].as_bytes()) {
            return true;
        }
        n += 1;
    }
    false
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = a.len();
    while n > 0 {
        n -= 1;
        if a[n] != b[n] {
            return false;
        }
    }
    true
}

/// Names of one kind with the dialect that has each
#[derive(Default)]
struct Names {
    seen: HashMap<&'static str, &'static str>,
}

impl Names {
    fn add(&mut self, what: &str, name: &'static str, dialect: &'static str, errors: &mut Vec<String>) {
        if !belongs(name, dialect) {
            let wanted = format!("a name of dialect `{dialect}` is `{dialect}.…`");
            errors.push(format!("dialect `{dialect}` registers {what} `{name}`: {wanted}"));
        }
        self.once(what, name, dialect, errors);
    }

    fn once(&mut self, what: &str, name: &'static str, dialect: &'static str, errors: &mut Vec<String>) {
        if let Some(first) = self.seen.insert(name, dialect) {
            let by = if first == dialect {
                format!("twice by dialect `{dialect}`")
            } else {
                format!("by dialects `{first}` and `{dialect}`")
            };
            errors.push(format!("{what} `{name}` is registered {by}"));
        }
    }
}

fn error(errors: Vec<String>) -> Result<(), Box<Diagnostic>> {
    let mut errors = errors.into_iter();
    let Some(first) = errors.next() else { return Ok(()) };
    Err(Box::new(errors.fold(Diagnostic::error(&codes::REGISTRATION, first), Diagnostic::note)))
}

/// Can these dialects be registered in one context?
fn check(dialects: &[&'static Dialect]) -> Result<(), Box<Diagnostic>> {
    let mut errors = Vec::new();
    let (mut ops, mut types, mut attrs) = (Names::default(), Names::default(), Names::default());
    let mut codes = Names::default();
    for (n, dialect) in dialects.iter().enumerate() {
        let name = dialect.name;
        if let Some(other) = dialects[..n].iter().find(|other| other.name == name) {
            let how = if other == dialect { "twice" } else { "twice, with other contents" };
            errors.push(format!("dialect `{name}` is registered {how}"));
            continue;
        }
        dialect.ops.iter().for_each(|def| ops.add("op", def.name, name, &mut errors));
        dialect.types.iter().for_each(|def| types.add("type", def.name, name, &mut errors));
        dialect.attrs.iter().for_each(|def| attrs.add("attribute", def.name, name, &mut errors));
        dialect.enums.iter().for_each(|def| attrs.add("enumeration", def.name, name, &mut errors));
        dialect.codes.iter().for_each(|code| codes.once("code", code.id, name, &mut errors));
    }
    error(errors)
}

/// Are the defaults of attributes such as their ops accept?
fn check_defaults(cx: &Context) -> Result<(), Box<Diagnostic>> {
    let mut errors = Vec::new();
    for def in cx.dialects().iter().flat_map(|dialect| dialect.ops) {
        for spec in def.attrs {
            let Some(attr) = spec.default.map(|default| default(cx)) else { continue };
            if !(spec.attr.test)(cx, attr) {
                let (text, what) = (crate::show::attr_text(cx, attr), spec.attr.what);
                errors.push(format!(
                    "op `{}`: the default of attribute `{}` is `{text}`, and it must be {what}",
                    def.name, spec.name
                ));
            }
        }
    }
    error(errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_the_dialect_before_the_dot() {
        assert!(belongs("money.add", "money") && belongs("gpu.async.token", "gpu"));
        assert!(
            !belongs("money.", "money") && !belongs("moneybag.add", "money") && !belongs("money", "money")
        );
    }

    #[test]
    fn a_name_that_stands_before_is_repeated() {
        let names = ["a.x", "a.y", "a.x"];
        assert!(repeated(&names, 2) && !repeated(&names, 1) && !repeated(&names, 0));
    }
}
