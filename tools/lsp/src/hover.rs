//! What an editor shows of the thing at the cursor.

use crate::document::View;
use crate::names::{self, Kind};
use crate::pipelines;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use terrace_ir::OpKind;
use terrace_ir::show::type_text;
use terrace_pass::Registry;

/// Lines of code that are shown at most
const LINES: usize = 6;

/// Text about the thing at the cursor, with its range
pub fn hover(view: &View<'_>, registry: &Registry) -> Option<Hover> {
    let found = pipelines::hover(view.text, view.at, registry);
    let (range, text) = found
        .or_else(|| name(view))
        .or_else(|| op(view))
        .or_else(|| attribute(view))
        .or_else(|| word(view))
        .or_else(|| ty(view))?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(view.range(range.0, range.1)) })
}

type Shown = Option<((usize, usize), String)>;

fn code(text: &str) -> String {
    format!("```mlir\n{text}\n```")
}

/// The text of an op without what is inside of it
fn head(view: &View<'_>, index: usize) -> String {
    let op = &view.partial.places.ops[index];
    let text = view.text[op.start as usize..op.end as usize].trim_end();
    let inner = view.partial.places.ops.get(index + 1).map(|inner| inner.start as usize);
    let inner =
        inner.filter(|start| *start < op.end as usize).map_or(text.len(), |start| start - op.start as usize);
    let text = text[..inner.min(text.len())].trim_end().trim_end_matches('{').trim_end();
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let more = if text.lines().count() > LINES { "\n…" } else { "" };
    format!("{}{more}", lines.join("\n"))
}

fn name(view: &View<'_>) -> Shown {
    let found = names::find(view)?;
    let places = &view.partial.places;
    let name = &view.text[found.here.0..found.here.1];
    let around = places.op_at(found.def.0 as u32);
    let text = match found.kind {
        Kind::Value => {
            let value = places.value(found.def.0 as u32)?;
            let types = places.types_of(value);
            let shown: Vec<String> = types.iter().map(|ty| type_text(view.cx, *ty)).collect();
            let number = view.text[found.here.1..].strip_prefix('#').and_then(number);
            let one = number.and_then(|n| Some(format!("{name}#{n} : {}", shown.get(n)?)));
            let all = match &shown[..] {
                [] => format!("{name} : of an op that is wrong"),
                [one] => format!("{name} : {one}"),
                all => format!("{name}:{} : {}", all.len(), all.join(", ")),
            };
            let place = around.filter(|index| places.ops[*index].start as usize <= found.def.0);
            let is_result = place.is_some_and(|index| found.def.0 < places.ops[index].name as usize);
            let from = match place {
                Some(index) if is_result => code(&head(view, index)),
                Some(index) => format!("an argument in\n{}", code(&head(view, index))),
                None => String::new(),
            };
            format!("{}\n{from}", code(&one.unwrap_or(all)))
        }
        Kind::Block => code(view.text[found.def.0..].lines().next().unwrap_or("").trim_end()),
        Kind::Symbol => code(&head(view, around?)),
        Kind::Alias => code(view.text[found.def.0..].lines().next().unwrap_or("").trim_end()),
    };
    Some((found.here, text))
}

fn number(text: &str) -> Option<usize> {
    let len = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..len].parse().ok()
}

/// The words around a cursor, with dots; a `"` before is not among them
fn word_at(text: &str, at: usize) -> (usize, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let bytes = text.as_bytes();
    let before = bytes[..at].iter().rev().take_while(|byte| is_word(byte)).count();
    let after = bytes[at..].iter().take_while(|byte| is_word(byte)).count();
    (at - before, at + after)
}

fn op(view: &View<'_>) -> Shown {
    let places = &view.partial.places;
    let op = &places.ops[places.op_at(view.at as u32)?];
    let word = word_at(view.text, view.at);
    let quoted = view.text[op.name as usize..].starts_with('"');
    if word.0 != op.name as usize + usize::from(quoted) {
        return None;
    }
    let kind = op.kind.filter(|kind| *kind != OpKind::UNREGISTERED);
    let text = match kind {
        Some(kind) => docs_of_op(view.cx.def(kind)),
        None => {
            let name = &view.text[word.0..word.1];
            let dialect = name.split('.').next().unwrap_or(name);
            format!("`{name}`: the dialect `{dialect}` is not registered, so nothing is known of this op")
        }
    };
    Some((word, text))
}

/// Documentation of an op
pub fn docs_of_op(def: &terrace_ir::OpDef) -> String {
    format!("**{}**\n\n{}", def.name, outdented(def.docs))
}

/// Doc comments keep the blank behind their slashes
pub fn outdented(docs: &str) -> String {
    let lines: Vec<&str> = docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").trim().to_string()
}

fn attribute(view: &View<'_>) -> Shown {
    let places = &view.partial.places;
    let (start, end) = word_at(view.text, view.at);
    let at = start as u32;
    places.attrs.binary_search(&at).ok().or_else(|| places.attrs.binary_search(&at.checked_sub(1)?).ok())?;
    let op = &places.ops[places.op_at(at)?];
    let def = view.cx.def(op.kind.filter(|kind| *kind != OpKind::UNREGISTERED)?);
    let name = &view.text[start..end];
    let spec = def.attrs.iter().find(|spec| spec.name == name)?;
    let presence = match (spec.default, spec.optional) {
        (Some(default), _) => {
            let shown = terrace_ir::show::attr_text(view.cx, default(view.cx));
            format!("; `{shown}` if it is absent")
        }
        (None, true) => "; may be absent".to_string(),
        (None, false) => String::new(),
    };
    Some(((start, end), format!("attribute `{name}` of `{}`: {}{presence}", def.name, spec.attr.what)))
}

/// `!dialect.type`, `#dialect.attribute`
fn word(view: &View<'_>) -> Shown {
    let (start, end) = word_at(view.text, view.at);
    let name = &view.text[start..end];
    let docs = match view.text[..start].chars().next_back()? {
        '!' => view.cx.type_def(name)?.docs.to_string(),
        '#' => match view.cx.attr_def(name) {
            Some(def) => def.docs.to_string(),
            None => {
                let cases: Vec<String> =
                    view.cx.enum_def(name)?.cases.iter().map(|(case, _)| format!("`{case}`")).collect();
                format!("one of {}", cases.join(", "))
            }
        },
        _ => return None,
    };
    Some(((start - 1, end), format!("**{name}**\n\n{}", outdented(&docs))))
}

/// A type that is written in another way than it is printed, or nested
fn ty(view: &View<'_>) -> Shown {
    let place = view.partial.places.type_at(view.at as u32)?;
    let range = (place.start as usize, place.end as usize);
    Some((range, code(&type_text(view.cx, place.ty))))
}
