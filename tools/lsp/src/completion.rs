//! What may stand at a cursor.

use crate::document::View;
use crate::hover::docs_of_op;
use crate::names::end_of;
use crate::pipelines;
use crate::symbols::has;
use lsp_types::{
    CompletionItem, CompletionItemKind as Kind, CompletionTextEdit, Documentation, MarkupContent, MarkupKind,
    Range, TextEdit,
};
use terrace_ir::show::type_text;
use terrace_ir::{Context, OpKind, Traits};
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

/// What may stand at the cursor
pub fn complete(view: &View<'_>, registry: &Registry) -> Vec<CompletionItem> {
    let line = view.text[..view.at].rfind('\n').map_or(0, |end| end + 1);
    let before = &view.text[line..view.at];
    if let Some(comment) = before.find("//") {
        return in_comment(view, line + comment + 2, registry);
    }
    let word = before.chars().rev().take_while(|c| c.is_ascii_alphanumeric() || "_$.-".contains(*c)).count();
    let start = view.at - word;
    let sigil = view.text[..start].chars().next_back().filter(|c| "%@^#!".contains(*c));
    let range = view.range(start - usize::from(sigil.is_some()), view.at);
    match sigil {
        Some('%') => values(view, range),
        Some('@') => symbols(view, range),
        Some('^') => blocks(view, range),
        Some(sigil) => aliases(view, sigil, range),
        None => words(view, start, range),
    }
}

fn item(label: &str, kind: Kind, detail: impl Into<String>, range: Range) -> CompletionItem {
    let edit = CompletionTextEdit::Edit(TextEdit { range, new_text: label.to_string() });
    CompletionItem {
        label: label.trim_end().to_string(),
        kind: Some(kind),
        detail: Some(detail.into()).filter(|detail| !detail.is_empty()),
        text_edit: Some(edit),
        ..CompletionItem::default()
    }
}

fn in_comment(view: &View<'_>, start: usize, registry: &Registry) -> Vec<CompletionItem> {
    if let Some((start, words)) = pipelines::complete(view.text, view.at, registry) {
        let range = view.range(start, view.at);
        return words.iter().map(|(word, what)| item(word, Kind::FUNCTION, what, range)).collect();
    }
    let text = &view.text[start..view.at];
    let word = text.trim_start();
    if !word.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
        return Vec::new();
    }
    let range = view.range(view.at - word.len(), view.at);
    DIRECTIVES.iter().map(|(word, what)| item(word, Kind::KEYWORD, *what, range)).collect()
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

fn values(view: &View<'_>, range: Range) -> Vec<CompletionItem> {
    let places = &view.partial.places;
    let around = around(view);
    let mut items = Vec::new();
    for value in &places.values {
        let at = value.at as usize;
        if at + 1 >= view.at {
            break;
        }
        let op = places.op_at(value.at);
        // A result belongs to what is around its op, an argument to its op.
        let owner = match op.map(|op| &places.ops[op]) {
            // An op does not use its own results.
            Some(of) if value.at < of.name && view.at as u32 <= of.end => continue,
            Some(of) if value.at < of.name => of.parent,
            _ => op.map(|op| op as u32),
        };
        if around.contains(&owner) {
            let types: Vec<String> =
                places.types_of(value).iter().map(|ty| type_text(view.cx, *ty)).collect();
            items.push(item(&view.text[at..end_of(view.text, at)], Kind::VARIABLE, types.join(", "), range));
        }
    }
    // The last definition is the nearest.
    for (n, item) in items.iter_mut().rev().enumerate() {
        item.sort_text = Some(format!("{n:06}"));
    }
    items
}

fn symbols(view: &View<'_>, range: Range) -> Vec<CompletionItem> {
    let Some(tables) = view.case.tables(view.cx) else { return Vec::new() };
    let visible = tables.visible(view.cx, &view.partial.places, view.at as u32);
    let show = |def: &&crate::symbols::Definition| {
        let kind = view.partial.places.ops[def.op].kind;
        let detail = kind.map_or("", |kind| view.cx.def(kind).name);
        item(&format!("@{}", def.name), Kind::FUNCTION, detail, range)
    };
    visible.iter().map(show).collect()
}

fn blocks(view: &View<'_>, range: Range) -> Vec<CompletionItem> {
    let places = &view.partial.places;
    let around = around(view);
    let near = places.blocks.iter().filter(|at| around.contains(&places.op_at(**at).map(|op| op as u32)));
    let name = |at: &u32| &view.text[*at as usize..end_of(view.text, *at as usize)];
    near.map(|at| item(name(at), Kind::REFERENCE, "", range)).collect()
}

fn aliases(view: &View<'_>, sigil: char, range: Range) -> Vec<CompletionItem> {
    let places = &view.partial.places;
    let names = places.aliases.iter().map(|at| &view.text[*at as usize..end_of(view.text, *at as usize)]);
    let own =
        names.filter(|name| name.starts_with(sigil)).map(|name| item(name, Kind::CONSTANT, "alias", range));
    let of_dialects = view.cx.dialects().iter().flat_map(|dialect| {
        let types = dialect.types.iter().map(|def| def.name);
        let attrs = dialect.attrs.iter().map(|def| def.name).chain(dialect.enums.iter().map(|def| def.name));
        let names: Vec<&str> = if sigil == '!' { types.collect() } else { attrs.collect() };
        names
    });
    own.chain(of_dialects.map(|name| item(&format!("{sigil}{name}"), Kind::STRUCT, "", range))).collect()
}

/// Names of ops, attributes or types, by what is before the word
fn words(view: &View<'_>, start: usize, range: Range) -> Vec<CompletionItem> {
    let line = view.text[..start].rfind('\n').map_or(0, |end| end + 1);
    let before = view.text[line..start].trim();
    let names_results = before.starts_with('%') && before.ends_with('=');
    let opens_region = before.ends_with('{') && !before.ends_with("<{");
    if before.is_empty() || names_results || before.ends_with(':') && before.starts_with('^') {
        let attrs = attributes(view, start, range);
        return if attrs.is_empty() { ops(view.cx, &view.text[start..view.at], range) } else { attrs };
    }
    let attrs = attributes(view, start, range);
    if !attrs.is_empty() {
        return attrs;
    }
    if opens_region || before.ends_with('}') {
        return ops(view.cx, &view.text[start..view.at], range);
    }
    if before.ends_with([':', '<', '(', ',', 'x']) || before.ends_with("->") {
        let plain = TYPES.iter().map(|word| item(word, Kind::TYPE_PARAMETER, "", range));
        return plain.chain(SHAPED.iter().map(|word| item(word, Kind::STRUCT, "", range))).collect();
    }
    Vec::new()
}

fn ops(cx: &Context, prefix: &str, range: Range) -> Vec<CompletionItem> {
    let dialect = prefix.split_once('.').map(|(dialect, _)| dialect);
    let wanted = |name: &&str| dialect.is_none_or(|dialect| name.split('.').next() == Some(dialect));
    let names = cx.op_names().filter(wanted);
    let show = |name| {
        let summary = cx.kind_by_name(name).map_or("", |kind| cx.def(kind).summary.trim());
        CompletionItem { data: Some(name.into()), ..item(name, Kind::FUNCTION, summary, range) }
    };
    names.map(show).collect()
}

/// The op's attributes, if the cursor is behind an open brace of a dictionary
fn attributes(view: &View<'_>, start: usize, range: Range) -> Vec<CompletionItem> {
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
    let specs = def.attrs.iter().filter(|spec| !given(spec.name));
    specs.map(|spec| item(spec.name, Kind::PROPERTY, spec.attr.what, range)).collect()
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
