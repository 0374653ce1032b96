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
        let def = tables.resolve(places, place)?;
        return Some((def, (place.at as usize, place.end as usize)));
    }
    None
}

fn symbol(view: &View<'_>) -> Option<Found> {
    let (def, here) = symbol_at(view)?;
    let places = &view.partial.places;
    let tables = view.case.tables(view.cx)?;
    let means = |symbol: &&terrace_text::places::SymbolPlace| {
        symbol.name == def.name && tables.resolve(places, symbol).is_some_and(|found| found.op == def.op)
    };
    // The definition is one of them.
    let named = places.symbols.iter().filter(means);
    let all = named.map(|symbol| (symbol.at as usize, symbol.end as usize)).collect();
    Some(Found { kind: Kind::Symbol, here, def: (def.start, def.end), all })
}

/// What each place of a name says under another one; the error is why it cannot be called so
///
/// The new name may have its sigil, and a symbol's may have quotes, as an editor shows the old one.
pub fn renamed(view: &View<'_>, found: &Found, name: &str) -> Result<Vec<((usize, usize), String)>, String> {
    let sigil = match found.kind {
        Kind::Value => '%',
        Kind::Block => '^',
        Kind::Symbol => '@',
        Kind::Alias if view.text[found.def.0..].starts_with('!') => '!',
        Kind::Alias => '#',
    };
    let bare = name.strip_prefix(sigil).unwrap_or(name);
    let quoted = bare.strip_prefix('"').and_then(|bare| bare.strip_suffix('"'));
    let bare = quoted.filter(|_| found.kind == Kind::Symbol).unwrap_or(bare);
    if !is_name(bare, found.kind) {
        let wanted = match found.kind {
            Kind::Value | Kind::Block => {
                "a number, or letters, digits, `_`, `$`, `.` and `-`, of which the first is no digit"
            }
            Kind::Alias => "letters, digits, `_` and `$`, of which the first is a letter or `_`",
            Kind::Symbol => "a text without quotes, backslashes and control characters",
        };
        return Err(format!("`{}` is no name here: expected {wanted}", shown(name)));
    }
    if let Some(other) = taken(view, found, bare) {
        let line = view.range(other, other).start.line + 1;
        return Err(format!("`{sigil}{bare}` is defined already, on line {line}"));
    }
    let write = |&(start, end): &(usize, usize)| {
        let at = view.text.as_bytes().get(start);
        // In a dictionary the name is between quotes.
        let in_quotes = found.kind == Kind::Symbol && at != Some(&b'@');
        let text = match found.kind {
            Kind::Symbol if in_quotes => bare.to_string(),
            Kind::Symbol => symbol_text(bare),
            _ => format!("{sigil}{bare}"),
        };
        ((start, end), text)
    };
    Ok(found.all.iter().map(write).collect())
}

/// A text in a message: not too long, and nothing in it that is not seen
fn shown(text: &str) -> String {
    let seen = |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    text.chars().take(60).map(seen).collect()
}

/// A reference to a symbol of this name
pub fn symbol_text(name: &str) -> String {
    if is_word(name) {
        return format!("@{name}");
    }
    let written = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_ascii_control() => format!("\\{:02X}", c as u32),
        c => c.to_string(),
    };
    format!("@\"{}\"", name.chars().map(written).collect::<String>())
}

fn is_name(text: &str, kind: Kind) -> bool {
    let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let spelled = |begins: &str, goes_on: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || begins.contains(c))
            && text.chars().all(|c| c.is_ascii_alphanumeric() || goes_on.contains(c))
    };
    match kind {
        Kind::Value | Kind::Block => number || spelled("_$.-", "_$.-"),
        Kind::Alias => spelled("_", "_$"),
        Kind::Symbol => {
            !text.is_empty() && !text.contains(|c: char| c.is_control() || matches!(c, '"' | '\\'))
        }
    }
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
            let twin = tables.find(def.table, view.cx.intern(bare))?;
            (twin.op != def.op).then_some(twin.start)
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
