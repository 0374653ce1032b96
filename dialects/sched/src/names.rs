//! Names of a copy's domain variables: as written, unless a value of that name is used next to them.

use terrace_ir::{Ir, Value};

/// Names to print: the given ones, others where they would hide a value or each other
pub(crate) fn distinct(ir: &Ir, given: &[&str], count: usize, values: &[Value]) -> Vec<String> {
    // A value's printed name is its author's, perhaps with `_N` behind.
    let hides = |name: &str| {
        values.iter().any(|value| ir.value_name(*value).is_some_and(|other| name.starts_with(other)))
    };
    let mut names: Vec<String> = Vec::with_capacity(count);
    for n in 0..count {
        let mut name = given.get(n).map_or_else(|| format!("d{n}"), ToString::to_string);
        while hides(&name) || names.contains(&name) || name.starts_with(|first: char| first.is_ascii_digit())
        {
            name.insert_str(0, "d_");
        }
        names.push(name);
    }
    names
}
