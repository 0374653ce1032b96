//! Reading the tables of atomic updates.
//!
//! A row that is there names every operator of its type, so that a forgotten one is not refused in silence. A memory without a
//! table, and a type without a row, have no updates; a file without tables has what the verifier permits.

use crate::DeviceKind;
use crate::atomics::{Atomics, Element, Support, Update, Updated};
use crate::keys::{Keys, Mistake, Read, mistake};
use crate::read_costs;
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// The key of the tables
pub(crate) const ATOMICS: &str = "atomics";

/// A row of a table, for what contradicts it
struct Row {
    element: Element,
    /// Where an operator has no update by the file
    none: Option<(Update, Range<usize>)>,
    /// An operator that is compared and exchanged
    cas: Option<Update>,
}

/// The tables of a device
pub(crate) fn atomics(keys: &Keys<'_, '_>, kind: DeviceKind) -> Read<Atomics> {
    let Some(value) = keys.get(ATOMICS) else { return Ok(Atomics::default()) };
    let memories = Updated::of(kind);
    let known: Vec<&str> = std::iter::once("source").chain(memories.iter().map(|own| own.word())).collect();
    let own = table(value, ATOMICS, &known)?;
    let mut all = Atomics::none(read_costs::source(ATOMICS, value.span(), own.get("source"))?);
    for memory in memories {
        let Some(value) = own.get(memory.word()) else { continue };
        let rows = table(value, &format!("{ATOMICS}.{memory}"), Element::WORDS)?;
        let mut read = Vec::new();
        for element in Element::ALL {
            let Some(value) = rows.get(element.word()) else { continue };
            read.push(row(value, *element, |update, how| all.set(*memory, update, *element, how))?);
        }
        if let Some(wrong) = contradiction(&read) {
            return Err(wrong);
        }
    }
    Ok(all)
}

/// A row: one word for all operators, or a word for each
fn row(value: &Spanned<DeValue<'_>>, element: Element, mut set: impl FnMut(Update, Support)) -> Read<Row> {
    let mut read = Row { element, none: None, cas: None };
    let mut one = |update: Update, how: Support, at: Range<usize>| {
        match how {
            Support::None => read.none = Some((update, at)),
            Support::Cas => read.cas = Some(update),
            Support::Native => {}
        }
        set(update, how);
    };
    if let Some(word) = value.get_ref().as_str() {
        let how = support(word, value.span())?;
        element.updates().for_each(|update| one(update, how, value.span()));
        return Ok(read);
    }
    let known: Vec<&str> = element.updates().map(Update::word).collect();
    let words = table(value, element.word(), &known)?;
    for update in element.updates() {
        let Some((word, at)) = words.text(update.word())? else {
            return mistake(value.span(), format!("`{update}` of `{element}` is missing: {}", choices()));
        };
        one(update, support(word, at.clone())?, at);
    }
    Ok(read)
}

fn table<'a, 'i>(value: &'a Spanned<DeValue<'i>>, name: &str, known: &[&str]) -> Read<Keys<'a, 'i>> {
    match value.get_ref().as_table() {
        Some(table) => Keys::new(table, value.span(), known),
        None => mistake(value.span(), format!("`{name}` is a table of {}", known.join(", "))),
    }
}

fn support(word: &str, at: Range<usize>) -> Read<Support> {
    word.parse().or_else(|()| mistake(at, format!("`{word}` is not one of {}", choices())))
}

fn choices() -> String {
    Support::WORDS.join(", ")
}

/// What compares and exchanges so many bits updates them by every operator
fn contradiction(rows: &[Row]) -> Option<Mistake> {
    rows.iter().find_map(|row| {
        let (update, at) = row.none.clone()?;
        let bits = row.element.bits();
        let same = rows.iter().filter(|other| other.element.bits() == bits);
        let (other, cas) = same.filter_map(|other| Some((other, other.cas?))).next()?;
        let what = format!(
            "`{update}` of `{}` is none, but `{cas}` of `{}` is cas: what compares and exchanges {bits} bits has every operator",
            row.element, other.element
        );
        Some(Mistake { at, what })
    })
}
