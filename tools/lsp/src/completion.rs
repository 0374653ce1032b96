//! What may stand at a cursor.

use crate::document::View;
use crate::hover::docs_of_op;
use crate::names::{end_of, symbol_text};
use crate::pipelines;
use crate::symbols::has;
use lsp_types::{
    CompletionItem, CompletionItemKind as Kind, CompletionList, CompletionTextEdit, Documentation,
    MarkupContent, MarkupKind, Range, TextEdit,
};
use terrace_ir::show::type_text;
use terrace_ir::{AttrSpec, Context, OpKind, Traits};
use terrace_pass::Registry;

/// First words of comments that mean something in test files
const DIRECTIVES: &[(&str, &str)] = &[
    ("test: opt ", "run the tool on this file"),
    ("test: round-trip", "the file only has to come back"),
    ("check: ", "a line of the output has this text"),
    ("next: ", "the next line of the output has this text"),
    ("not: ", "no line up to the next match has this text"),
    ("rule: ", "these rules must have been applied"),
    ("snapshot:", "the whole output is kept in a file"),
    ("eval: ", "the interpreter gives this value"),
    ("expected-error @+1 {{", "an error is reported on this line"),
];

const TYPES: &[&str] = &["index", "i1", "i8", "i32", "i64", "f16", "bf16", "f32", "f64", "none"];
const SHAPED: &[&str] = &["memref", "tensor", "vector", "tuple", "complex"];

/// Items of one answer at most
const MOST: usize = 500;

/// What may stand at the cursor
///
/// Of many things those that have what is typed are given; the list is then incomplete, and the client asks again.
pub fn complete(view: &View<'_>, registry: &Registry) -> CompletionList {
    let mut items = Items { typed: None, list: Vec::new(), more: false };
    gather(view, registry, &mut items);
    if items.more {
        let before = &view.text[..view.at];
        let word = before.chars().rev().take_while(|c| is_word(*c)).count();
        items = Items {
            typed: Some(before[view.at - word..].to_ascii_lowercase()),
            list: Vec::new(),
            more: false,
        };
        gather(view, registry, &mut items);
        items.more = true;
    }
    // Clients sort by label where nothing else is said.
    CompletionList { is_incomplete: items.more, items: items.list }
}

/// Items that are being gathered
struct Items {
    /// What an item has to have, in small letters
    typed: Option<String>,
    list: Vec<CompletionItem>,
    /// There are more than may be given
    more: bool,
}

impl Items {
    /// One more item, if there is room
    fn offer(&mut self, label: &str, make: impl FnOnce() -> CompletionItem) {
        let wanted = |typed: &String| typed.is_empty() || has_letters(label, typed);
        if self.more || !self.typed.as_ref().is_none_or(wanted) {
            return;
        }
        self.more = self.list.len() >= MOST;
        if !self.more {
            self.list.push(make());
        }
    }

    fn offer_plain(&mut self, label: &str, kind: Kind, detail: &str, range: Range) {
        self.offer(label, || item(label, kind, detail, range));
    }
}

/// Has the label these letters in this order? Editors match like that
fn has_letters(label: &str, typed: &str) -> bool {
    let mut letters = label.chars().map(|c| c.to_ascii_lowercase());
    typed.chars().all(|c| letters.any(|letter| letter == c))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_$.-".contains(c)
}

fn gather(view: &View<'_>, registry: &Registry, items: &mut Items) {
    let line = view.text[..view.at].rfind('\n').map_or(0, |end| end + 1);
    let before = &view.text[line..view.at];
    if let Some(comment) = before.find("//") {
        return in_comment(view, line + comment + 2, registry, items);
    }
    let word = before.chars().rev().take_while(|c| is_word(*c)).count();
    let start = view.at - word;
    let sigil = view.text[..start].chars().next_back().filter(|c| "%@^#!".contains(*c));
    let range = view.range(start - usize::from(sigil.is_some()), view.at);
    match sigil {
        Some('%') => values(view, range, items),
        Some('@') => symbols(view, range, items),
        Some('^') => blocks(view, range, items),
        Some(sigil) => aliases(view, sigil, range, items),
        None => words(view, start, range, items),
    }
}

fn item(label: &str, kind: Kind, detail: &str, range: Range) -> CompletionItem {
    let edit = CompletionTextEdit::Edit(TextEdit { range, new_text: label.to_string() });
    CompletionItem {
        label: label.trim_end().to_string(),
        kind: Some(kind),
        detail: Some(detail.to_string()).filter(|detail| !detail.is_empty()),
        text_edit: Some(edit),
        ..CompletionItem::default()
    }
}

fn in_comment(view: &View<'_>, start: usize, registry: &Registry, items: &mut Items) {
    if let Some((start, words)) = pipelines::complete(view.text, view.at, registry) {
        let range = view.range(start, view.at);
        return words.iter().for_each(|(word, what)| items.offer_plain(word, Kind::FUNCTION, what, range));
    }
    let text = &view.text[start..view.at];
    let word = text.trim_start();
    if !word.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
        return;
    }
    let range = view.range(view.at - word.len(), view.at);
    DIRECTIVES.iter().for_each(|(word, what)| items.offer_plain(word, Kind::KEYWORD, what, range));
}

/// Ops around the cursor, innermost first, up to one that uses nothing from outside
fn around(view: &View<'_>) -> Vec<Option<u32>> {
    let places = &view.partial.places;
    let mut all = Vec::new();
    let mut next = places.op_at(view.at as u32).map(|op| op as u32);
    loop {
        all.push(next);
        let Some(index) = next else { return all };
        let op = &places.ops[index as usize];
        if has(view.cx, op.kind, Traits::IsolatedFromAbove) {
            return all;
        }
        next = op.parent;
    }
}

fn values(view: &View<'_>, range: Range, items: &mut Items) {
    let places = &view.partial.places;
    let around = around(view);
    let before = places.values.partition_point(|value| (value.at as usize) + 1 < view.at);
    // The last definition is the nearest.
    for (n, value) in places.values[..before].iter().rev().enumerate() {
        if items.more {
            return;
        }
        let at = value.at as usize;
        let op = places.op_at(value.at);
        // A result belongs to what is around its op, an argument to its op.
        let owner = match op.map(|op| &places.ops[op]) {
            // An op does not use its own results.
            Some(of) if value.at < of.name && view.at as u32 <= of.end => continue,
            Some(of) if value.at < of.name => of.parent,
            _ => op.map(|op| op as u32),
        };
        if around.contains(&owner) {
            let name = &view.text[at..end_of(view.text, at)];
            items.offer(name, || {
                let types = places.types_of(value).iter().map(|ty| type_text(view.cx, *ty));
                let detail = types.collect::<Vec<String>>().join(", ");
                let sort_text = Some(format!("{n:09}"));
                CompletionItem { sort_text, ..item(name, Kind::VARIABLE, &detail, range) }
            });
        }
    }
}

fn symbols(view: &View<'_>, range: Range, items: &mut Items) {
    let Some(tables) = view.case.tables(view.cx) else { return };
    for def in tables.visible(&view.partial.places, view.at as u32) {
        let kind = view.partial.places.ops[def.op].kind;
        let detail = kind.map_or("", |kind| view.cx.def(kind).name);
        let name = view.cx.str(def.name);
        items.offer(name, || item(&symbol_text(name), Kind::FUNCTION, detail, range));
    }
}

fn blocks(view: &View<'_>, range: Range, items: &mut Items) {
    let places = &view.partial.places;
    let around = around(view);
    for at in &places.blocks {
        if around.contains(&places.op_at(*at).map(|op| op as u32)) {
            let name = &view.text[*at as usize..end_of(view.text, *at as usize)];
            items.offer_plain(name, Kind::REFERENCE, "", range);
        }
    }
}

fn aliases(view: &View<'_>, sigil: char, range: Range, items: &mut Items) {
    let places = &view.partial.places;
    let names = places.aliases.iter().map(|at| &view.text[*at as usize..end_of(view.text, *at as usize)]);
    for name in names.filter(|name| name.starts_with(sigil)) {
        items.offer_plain(name, Kind::CONSTANT, "alias", range);
    }
    for dialect in view.cx.dialects() {
        let types = dialect.types.iter().map(|def| def.name);
        let attrs = dialect.attrs.iter().map(|def| def.name).chain(dialect.enums.iter().map(|def| def.name));
        let names: Vec<&str> = if sigil == '!' { types.collect() } else { attrs.collect() };
        for name in names {
            items.offer_plain(&format!("{sigil}{name}"), Kind::STRUCT, "", range);
        }
    }
}

/// Names of ops, attributes or types, by what is before the word
fn words(view: &View<'_>, start: usize, range: Range, items: &mut Items) {
    let line = view.text[..start].rfind('\n').map_or(0, |end| end + 1);
    let before = view.text[line..start].trim();
    let names_results = before.starts_with('%') && before.ends_with('=');
    let opens_region = before.ends_with('{') && !before.ends_with("<{");
    let begins = before.is_empty() || names_results || before.ends_with(':') && before.starts_with('^');
    let attrs = attributes(view, start);
    if !attrs.is_empty() {
        attrs.iter().for_each(|spec| items.offer_plain(spec.name, Kind::PROPERTY, spec.attr.what, range));
    } else if begins || opens_region || before.ends_with('}') {
        ops(view.cx, &view.text[start..view.at], range, items);
    } else if before.ends_with([':', '<', '(', ',', 'x']) || before.ends_with("->") {
        TYPES.iter().for_each(|word| items.offer_plain(word, Kind::TYPE_PARAMETER, "", range));
        SHAPED.iter().for_each(|word| items.offer_plain(word, Kind::STRUCT, "", range));
    }
}

fn ops(cx: &Context, prefix: &str, range: Range, items: &mut Items) {
    let dialect = prefix.split_once('.').map(|(dialect, _)| dialect);
    let wanted = |name: &&str| dialect.is_none_or(|dialect| name.split('.').next() == Some(dialect));
    for name in cx.op_names().filter(wanted) {
        items.offer(name, || {
            let summary = cx.kind_by_name(name).map_or("", |kind| cx.def(kind).summary.trim());
            CompletionItem { data: Some(name.into()), ..item(name, Kind::FUNCTION, summary, range) }
        });
    }
}

/// The op's attributes, if the cursor is behind an open brace of a dictionary
fn attributes(view: &View<'_>, start: usize) -> Vec<&'static AttrSpec> {
    let places = &view.partial.places;
    let before = places.ops.partition_point(|op| op.start as usize <= start);
    // An op in progress may end before its dictionary does.
    let Some(op) = before.checked_sub(1).map(|n| &places.ops[n]) else { return Vec::new() };
    let Some(kind) = op.kind.filter(|kind| *kind != OpKind::UNREGISTERED) else { return Vec::new() };
    let Some(text) = view.text.get(op.name as usize..start) else { return Vec::new() };
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' => open.push(at),
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    let Some(&brace) = open.last() else { return Vec::new() };
    let inside = text[brace + 1..].trim();
    let def = view.cx.def(kind);
    let has_region = !def.regions.is_empty()
        && !text[..brace].ends_with('<')
        && !text[..brace].trim_end().ends_with("attributes");
    if has_region || !(inside.is_empty() || inside.ends_with(',')) {
        return Vec::new();
    }
    let given =
        |name: &str| inside.split(',').any(|entry| entry.split('=').next().map(str::trim) == Some(name));
    def.attrs.iter().filter(|spec| !given(spec.name)).collect()
}

/// An item with its documentation
pub fn resolve(cx: &Context, mut item: CompletionItem) -> CompletionItem {
    let name = item.data.as_ref().and_then(|data| data.as_str());
    if let Some(kind) = name.and_then(|name| cx.kind_by_name(name)) {
        let value = docs_of_op(cx.def(kind));
        item.documentation =
            Some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    }
    item
}
