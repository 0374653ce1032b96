//! The name at a cursor: what it stands for, where that is defined and used, and what it may be called instead.

use crate::document::View;
use crate::symbols::{Definition, has};
use terrace_ir::Traits;
use terrace_text::Places;
use terrace_text::places::Link;

/// What a name stands for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `%value`
    Value,
    /// `^block`
    Block,
    /// `@symbol`
    Symbol,
    /// `#alias`, `!alias`
    Alias,
}

/// A name at a cursor
#[derive(Clone, Debug)]
pub struct Found {
    /// What it stands for
    pub kind: Kind,
    /// Where it is, sigil and all
    pub here: (usize, usize),
    /// Where it is defined
    pub def: (usize, usize),
    /// All places of it, in order of the text
    pub all: Vec<(usize, usize)>,
}

/// The name at the cursor, if it stands for something
pub fn find(view: &View<'_>) -> Option<Found> {
    let places = &view.partial.places;
    let values = || places.values.iter().map(|value| value.at);
    linked(view, Kind::Value, values().collect(), &places.uses)
        .or_else(|| linked(view, Kind::Block, places.blocks.clone(), &places.branches))
        .or_else(|| symbol(view))
        .or_else(|| linked(view, Kind::Alias, places.aliases.clone(), &places.alias_uses))
}

fn linked(view: &View<'_>, kind: Kind, defs: Vec<u32>, uses: &[Link]) -> Option<Found> {
    let at = view.at as u32;
    let around = |start: u32| view.at <= end_of(view.text, start as usize);
    let last = |count: usize| count.checked_sub(1);
    let used = last(uses.partition_point(|link| link.at <= at)).map(|n| uses[n]);
    let defined = last(defs.partition_point(|def| *def <= at)).map(|n| defs[n]);
    let (here, def) = match (used.filter(|link| around(link.at)), defined.filter(|def| around(*def))) {
        // Where one ends and the other begins, the later one is meant.
        (Some(link), Some(def)) if def > link.at => (def, def),
        (Some(link), _) => (link.at, link.def),
        (None, Some(def)) => (def, def),
        (None, None) => return None,
    };
    let span = |start: u32| (start as usize, end_of(view.text, start as usize));
    let mut all: Vec<u32> = uses.iter().filter(|link| link.def == def).map(|link| link.at).collect();
    all.push(def);
    all.sort_unstable();
    Some(Found { kind, here: span(here), def: span(def), all: all.into_iter().map(span).collect() })
}

/// Behind the name with a sigil that begins here
pub fn end_of(text: &str, start: usize) -> usize {
    let dash = !matches!(text.as_bytes().get(start), Some(b'#' | b'!'));
    let rest = text.get(start + 1..).unwrap_or("");
    let number = rest.starts_with(|c: char| c.is_ascii_digit());
    let is_name = |c: char| {
        c.is_ascii_digit()
            || !number && (c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '.') || c == '-' && dash)
    };
    start + 1 + rest.find(|c| !is_name(c)).unwrap_or(rest.len())
}

/// The definition of the symbol whose name is at the cursor, and where that name is
pub fn symbol_at<'a>(view: &View<'a>) -> Option<(&'a Definition, (usize, usize))> {
    let places = &view.partial.places;
    let tables = view.case.tables(view.cx)?;
    let before = places.symbols.partition_point(|symbol| symbol.at as usize <= view.at);
    let place = before.checked_sub(1).map(|n| &places.symbols[n]);
    if let Some(place) = place.filter(|symbol| view.at <= symbol.end as usize) {
        let def = tables.resolve(view.cx, places, view.text, place)?;
        return Some((def, (place.at as usize, place.end as usize)));
    }
    let before = tables.defs.partition_point(|def| def.start <= view.at);
    let def = before.checked_sub(1).map(|n| &tables.defs[n])?;
    (view.at <= def.end).then_some((def, (def.start, def.end)))
}

fn symbol(view: &View<'_>) -> Option<Found> {
    let (def, here) = symbol_at(view)?;
    let places = &view.partial.places;
    let tables = view.case.tables(view.cx)?;
    let means = |symbol: &&terrace_text::places::SymbolPlace| {
        tables.resolve(view.cx, places, view.text, symbol).is_some_and(|found| found.start == def.start)
    };
    let uses = places.symbols.iter().filter(means);
    let mut all: Vec<(usize, usize)> = uses.map(|symbol| (symbol.at as usize, symbol.end as usize)).collect();
    all.push((def.start, def.end));
    all.sort_unstable();
    all.dedup();
    Some(Found { kind: Kind::Symbol, here, def: (def.start, def.end), all })
}

/// What each place of a name says under another one; the error is why it cannot be called so
pub fn renamed(view: &View<'_>, found: &Found, name: &str) -> Result<Vec<((usize, usize), String)>, String> {
    let sigil = view.text[found.def.0..].chars().next().unwrap_or(' ');
    let bare = name.strip_prefix(sigil).filter(|_| "%^@#!".contains(sigil)).unwrap_or(name);
    let bare = if found.kind == Kind::Symbol { bare.trim_start_matches('@') } else { bare };
    if found.kind != Kind::Symbol && !is_name(bare, found.kind) {
        return Err(format!(
            "`{name}` is no name: expected letters, digits, `_`, `$`, `.` and `-`, or a number"
        ));
    }
    if found.kind == Kind::Symbol && (bare.is_empty() || bare.contains(['"', '\\', '\n'])) {
        return Err(format!("`{name}` is no name of a symbol"));
    }
    if let Some(other) = taken(view, found, bare) {
        let line = view.range(other, other).start.line + 1;
        return Err(format!("`{sigil}{bare}` is defined already, on line {line}"));
    }
    let write = |&(start, end): &(usize, usize)| {
        let text = match (found.kind, view.text.as_bytes()[start]) {
            (Kind::Symbol, b'@') if is_word(bare) => format!("@{bare}"),
            (Kind::Symbol, b'@') => format!("@\"{bare}\""),
            (Kind::Symbol, _) => bare.to_string(),
            (_, sigil) => format!("{}{bare}", sigil as char),
        };
        ((start, end), text)
    };
    Ok(found.all.iter().map(write).collect())
}

fn is_name(text: &str, kind: Kind) -> bool {
    let alias = kind == Kind::Alias;
    let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let rest =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || matches!(c, '.' | '-') && !alias;
    let begins =
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || "$.-".contains(c) && !alias);
    number && !alias || begins && text.chars().all(rest)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

/// Where something else has this name, if both would be in one scope
fn taken(view: &View<'_>, found: &Found, bare: &str) -> Option<usize> {
    let places = &view.partial.places;
    let same = |start: usize| &view.text[start + 1..end_of(view.text, start)] == bare;
    let other = |at: &u32| *at as usize != found.def.0 && same(*at as usize);
    let scope = |at: usize| isolated(view, places, at);
    match found.kind {
        Kind::Value => {
            let mine = scope(found.def.0);
            let defs = places.values.iter().map(|value| value.at).filter(other);
            defs.map(|at| at as usize).find(|at| scope(*at) == mine)
        }
        Kind::Block => {
            let mine = places.op_at(found.def.0 as u32);
            places
                .blocks
                .iter()
                .copied()
                .filter(other)
                .find(|at| places.op_at(*at) == mine)
                .map(|at| at as usize)
        }
        Kind::Alias => {
            let sigil = view.text.as_bytes()[found.def.0];
            let of_kind = |at: &u32| view.text.as_bytes()[*at as usize] == sigil;
            places.aliases.iter().copied().filter(of_kind).find(other).map(|at| at as usize)
        }
        Kind::Symbol => {
            let tables = view.case.tables(view.cx)?;
            let def = tables.defs.iter().find(|def| def.start == found.def.0)?;
            tables.find(def.table, bare).filter(|twin| twin.start != def.start).map(|twin| twin.start)
        }
    }
}

/// The innermost op around an offset that uses nothing from outside
fn isolated(view: &View<'_>, places: &Places, at: usize) -> Option<usize> {
    let mut next = places.op_at(at as u32);
    // The results of an op are around it, its arguments inside.
    if let Some(index) = next.filter(|index| at < places.ops[*index].name as usize) {
        next = places.ops[index].parent.map(|parent| parent as usize);
    }
    while let Some(index) = next {
        if has(view.cx, places.ops[index].kind, Traits::IsolatedFromAbove) {
            return Some(index);
        }
        next = places.ops[index].parent.map(|parent| parent as usize);
    }
    None
}
