//! The operators: one row each, with what each takes and what it becomes.

mod activations;
mod constants;
mod convolutions;
mod elementwise;
mod gathers;
mod moves;
mod norms;
mod pools;
mod products;
mod reductions;
mod scaled;
mod shapes;
mod windows;

use crate::call::Call;
use crate::emit::{Emit, Tensor};
use crate::graph::{Node, OPSETS};
use crate::listing::operator;
use crate::wrong::{Done, Wrong};
use crate::{attributes, codes, fold};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

type Emitter = fn(&mut Call<'_, '_>) -> Done<Vec<Tensor>>;

/// A row: an operator's name, how many inputs it has, the attributes that it may have, and what it becomes
struct Row {
    name: &'static str,
    inputs: RangeInclusive<usize>,
    attrs: &'static [&'static str],
    emit: Emitter,
}

const MANY: usize = 1 << 20;

/// Rows of one file
macro_rules! rows {
    ($($name:literal $count:expr, $attrs:expr, $emit:expr;)*) => {
        &[$(crate::ops::Row { name: $name, inputs: $count, attrs: &$attrs, emit: $emit }),*]
    };
}
use rows;

const TABLES: &[&[Row]] = &[
    activations::ROWS,
    constants::ROWS,
    convolutions::ROWS,
    elementwise::ROWS,
    gathers::ROWS,
    moves::ROWS,
    norms::ROWS,
    pools::ROWS,
    products::ROWS,
    reductions::ROWS,
    shapes::ROWS,
];

fn find(node: &Node<'_>) -> Option<&'static Row> {
    let name = operator(node.proto);
    TABLES.iter().flat_map(|table| table.iter()).find(|row| row.name == name)
}

/// Operators that are not known, all of them at once
pub(crate) fn all_known(nodes: &[Node<'_>]) -> Done<()> {
    let mut unknown: BTreeMap<String, Vec<&Node<'_>>> = BTreeMap::new();
    for node in nodes.iter().filter(|node| find(node).is_none()) {
        unknown.entry(operator(node.proto)).or_default().push(node);
    }
    let Some(first) = unknown.values().next().and_then(|nodes| nodes.first()) else { return Ok(()) };
    let names: Vec<String> = unknown.keys().map(|name| format!("`{name}`")).collect();
    let message = match names.len() {
        1 => format!("operator {} is not known", names[0]),
        count => format!("{count} operators are not known: {}", names.join(", ")),
    };
    let mut wrong = Wrong::new(&codes::OPERATOR, message).at(first.at);
    for (name, nodes) in &unknown {
        let place = match nodes.len() {
            1 => format!("`{name}` in node `{}`", nodes[0].label),
            count => format!("`{name}` in {count} nodes, the first is `{}`", nodes[0].label),
        };
        wrong.notes.push(place);
    }
    let near = unknown.keys().filter_map(|name| {
        let known = TABLES.iter().flat_map(|table| table.iter()).map(|row| row.name);
        Some(format!("`{}` in place of `{name}`", terrace_diag::nearest(name, known)?))
    });
    let near: Vec<String> = near.collect();
    Err(if near.is_empty() { wrong } else { wrong.help(format!("did you mean {}?", near.join(", "))) })
}

/// The ops of a node, and what its outputs are
pub(crate) fn emit(e: &mut Emit<'_>, node: &Node<'_>) -> Done<()> {
    let (name, proto) = (operator(node.proto), node.proto);
    let shape =
        |message: String| Wrong::new(&codes::SHAPE, format!("node `{}`: {message}", node.label)).at(node.at);
    let Some(row) = find(node) else {
        return Err(Wrong::new(&codes::OPERATOR, format!("operator `{name}` is not known")).at(node.at));
    };
    let given = proto.input.len();
    if !row.inputs.contains(&given) {
        let (low, high) = (*row.inputs.start(), *row.inputs.end());
        let wanted = match high {
            MANY => format!("{low} inputs or more"),
            high if high == low => format!("{low} inputs"),
            high => format!("{low} to {high} inputs"),
        };
        return Err(shape(format!("`{name}` has {wanted}, found {given}")));
    }
    attributes::check(node, row.attrs)?;
    debug_assert!(OPSETS.contains(&e.version), "it was checked when the graph was read");
    // No name: it is left out.
    let given = |name: &String| e.tensor(name).filter(|_| !name.is_empty()).cloned();
    let inputs = proto.input.iter().map(given).collect();
    let mut call = Call { e: &mut *e, node, inputs };
    let made = match fold::fold(&call)? {
        Some(known) => vec![known],
        None => (row.emit)(&mut call)?,
    };
    let inputs = call.inputs;
    e.passed_on(&inputs, &made);
    let wanted = proto.output.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
    if wanted > made.len() {
        let output = &proto.output[wanted - 1];
        let message = format!("output {} (`{output}`) of `{name}` has no form here", wanted - 1);
        return Err(shape(message));
    }
    for (name, tensor) in proto.output.iter().zip(made).filter(|(name, _)| !name.is_empty()) {
        e.define(name, tensor);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::TABLES;

    #[test]
    fn every_operator_has_one_row_in_order() {
        for table in TABLES {
            assert!(table.windows(2).all(|two| two[0].name < two[1].name), "{}", table[0].name);
        }
        let mut names: Vec<&str> = TABLES.iter().flat_map(|table| table.iter()).map(|row| row.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
