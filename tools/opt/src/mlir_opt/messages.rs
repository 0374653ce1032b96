//! Messages as MLIR prints them: `file:line:col: error: …`, the line of the source, a caret, notes.

use super::request::Request;
use std::fmt::Write;
use terrace_diag::{Diagnostic, Severity, Sources, Span};
use terrace_ir::{Ir, OpId};
use terrace_text::{Elements, PrintOptions, op_text_with};

/// Elements of attributes that messages show
const MOST_ELEMENTS: usize = 16;

/// Messages as text; those about an op of `ir` show it
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, ir: Option<&Ir>, request: &Request) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        one(&mut out, diagnostic, sources, ir.filter(|_| request.op_in_messages), request.notes);
    }
    out
}

fn one(out: &mut String, diagnostic: &Diagnostic, sources: &Sources, ir: Option<&Ir>, notes: bool) {
    let own = diagnostic.span;
    line(out, sources, own, diagnostic.severity.name(), &diagnostic.message, true);
    if !notes {
        return;
    }
    let mut note = |span: Option<Span>, text: &str| {
        let span = span.or(own);
        let place = |span: Option<Span>| span.map(|span| (span.source, span.start));
        line(out, sources, span, "note", text, place(span) != place(own));
    };
    if let Some(text) = ir.zip(own).and_then(|(ir, span)| current_op(ir, span, diagnostic.severity)) {
        note(None, &text);
    }
    if !diagnostic.label.is_empty() {
        note(None, &diagnostic.label);
    }
    for label in diagnostic.labels.iter().filter(|label| !label.text.is_empty()) {
        note(Some(label.span), &label.text);
    }
    for one in &diagnostic.notes {
        note(one.span, &one.text);
    }
    for help in &diagnostic.help {
        note(None, help);
    }
}

fn line(out: &mut String, sources: &Sources, span: Option<Span>, kind: &str, text: &str, source: bool) {
    let Some(span) = span else {
        let _ = writeln!(out, "<unknown>:0: {kind}: {text}");
        return;
    };
    let (line, column) = sources.line_col(span.source, span.start);
    let name = sources.name(span.source);
    let _ = writeln!(out, "{name}:{line}:{column}: {kind}: {text}");
    if source {
        excerpt(out, sources, span, underlined(text));
    }
}

/// How many characters a message is about: one that misses an expected text underlines as many
fn underlined(message: &str) -> usize {
    let text = message.strip_prefix("expected ").and_then(|rest| rest.strip_suffix("\" was not produced"));
    let text = text.and_then(|rest| rest.split_once('"'));
    text.map_or(1, |(_, text)| text.chars().count().max(1))
}

/// The line of the source with a caret below; a very long line is not shown
fn excerpt(out: &mut String, sources: &Sources, span: Span, underlined: usize) {
    const LONGEST: usize = 4096;
    let text = sources.text(span.source);
    let at = text.floor_char_boundary(span.start as usize);
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    if end - start > LONGEST {
        return;
    }
    let blanks = |text: &str| text.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect::<String>();
    let tildes = "~".repeat(underlined.min(text[at..end].chars().count()).saturating_sub(1));
    let _ =
        writeln!(out, "{}\n{}^{tildes}", text[start..end].trim_end_matches('\r'), blanks(&text[start..at]));
}

/// `see current operation: …` of the op at a place
fn current_op(ir: &Ir, span: Span, severity: Severity) -> Option<String> {
    let (unit, op) = op_at(ir, span)?;
    let options = PrintOptions {
        generic: severity == Severity::Error,
        unique_ids: severity == Severity::Error,
        names: false,
        predecessors: true,
        elements: Elements { elide_beyond: Some(MOST_ELEMENTS), ..Elements::default() },
        ..PrintOptions::default()
    };
    let text = op_text_with(unit, op, &options);
    let gap = if text.contains('\n') { "\n" } else { "" };
    Some(format!("see current operation: {gap}{text}"))
}

fn op_at(ir: &Ir, span: Span) -> Option<(&Ir, OpId)> {
    let mut units = vec![ir];
    while let Some(unit) = units.pop() {
        for op in std::iter::once(unit.root()).chain(unit.walk()) {
            if op != unit.root()
                && let Some(child) = unit.child(op)
            {
                units.push(child);
            } else if unit
                .span(op)
                .is_some_and(|found| (found.source, found.start) == (span.source, span.start))
            {
                return Some((unit, op));
            }
        }
    }
    None
}
