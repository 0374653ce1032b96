//! Formatting: each unit as the printer writes it.
//!
//! The printer drops comments, and writes neither locations nor aliases here. A unit that has any of them stays as it is, as
//! does everything outside of units. The new text is parsed again, and is offered only if it is the same program. It is parsed
//! in a new context, which is freed afterwards. In the document's context it would stay, and would not count against the limit.

use crate::document::Document;
use lsp_types::TextEdit;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_ir::{Context, Ir, Traits};
use terrace_opt::Tool;
use terrace_text::{ParseOptions, Partial, PrintOptions, op_text_with, parse};

/// What formatting gives
pub struct Formatted {
    /// What to change
    pub edits: Vec<TextEdit>,
    /// Units that have to stay as they are
    pub kept: usize,
}

/// Format a document; the error is why it cannot be
pub fn format(document: &Document, tool: Tool) -> Result<Formatted, String> {
    let analysis = document.analysis().ok_or("the document has not been read")?;
    let mut edits = Vec::new();
    let mut kept = 0;
    let mut again: Option<Arc<Context>> = None;
    for case in &analysis.cases {
        let Some(partial) = &case.partial else {
            return Err("only MLIR text can be formatted".into());
        };
        if !case.diags.is_empty() {
            return Err("a text with mistakes cannot be formatted".into());
        }
        let text = &document.text[case.start..case.end];
        let mut changed: Vec<((usize, usize), String)> = Vec::new();
        for (range, new) in units(partial, text) {
            match new {
                Some(new) if new != text[range.0..range.1] => changed.push((range, new)),
                Some(_) => {}
                None => kept += 1,
            }
        }
        if changed.is_empty() {
            continue;
        }
        let cx = match &again {
            Some(cx) => cx,
            None => again.insert(tool.context().map_err(|error| error.message)?),
        };
        if !is_same(cx, partial, with(text, &changed)) {
            return Err("the printed text would be another program: a mistake of the printer".into());
        }
        edits.extend(changed.into_iter().map(|((start, end), new_text)| TextEdit {
            range: document.range(case.start + start, case.start + end),
            new_text,
        }));
    }
    Ok(Formatted { edits, kept })
}

/// A text with these ranges of it changed, which are in order
fn with(text: &str, changed: &[((usize, usize), String)]) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut done = 0;
    for ((start, end), new) in changed {
        whole.push_str(&text[done..*start]);
        whole.push_str(new);
        done = *end;
    }
    whole + &text[done..]
}

/// The units that hold ops and no further units, with their new text; none where a unit stays
fn units(partial: &Partial, text: &str) -> Vec<((usize, usize), Option<String>)> {
    let places = &partial.places;
    let mut found = Vec::new();
    for (unit, op) in partial.units().unwrap_or_default() {
        let Some(op) = op.map(|op| &places.ops[op]).filter(|_| !unit.has_children()) else { continue };
        if op.kind != Some(unit.kind(unit.root())) || unit.has(unit.root(), Traits::SymbolTable) {
            continue;
        }
        let (start, end) = (op.start as usize, op.end as usize);
        let own = &text[start..end];
        let uses_aliases = {
            let first = places.alias_uses.partition_point(|link| link.at < op.start);
            places.alias_uses.get(first).is_some_and(|link| link.at < op.end)
        };
        let stays = own.contains("//") || own.contains("loc(") || uses_aliases;
        found.push(((start, end), (!stays).then(|| printed(unit, text, start))));
    }
    found
}

/// A unit's text, indented as it begins
fn printed(unit: &Ir, text: &str, start: usize) -> String {
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let indent: String = text[line..start].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let new = op_text_with(unit, unit.root(), &options);
    let lines: Vec<&str> = new.trim_end().lines().collect();
    lines.join(&format!("\n{indent}"))
}

fn is_same(cx: &Arc<Context>, partial: &Partial, text: String) -> bool {
    let source = cx.sources().add("formatted", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let again = parse(cx, source, &options, &mut Diags::default());
    let generic = |ir: &Ir| {
        let options = PrintOptions { generic: true, names: false, ..PrintOptions::default() };
        let mut text = String::new();
        terrace_text::print(ir, &options, &mut text);
        text
    };
    again.is_some_and(|again| generic(&again) == generic(&partial.ir))
}
