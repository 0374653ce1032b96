//! What is wrong with a document, as its editor shows it, and the fixes that the messages suggest.

use crate::analysis::{Analysis, Case};
use crate::document::Document;
use crate::pipelines;
use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic as Report, DiagnosticRelatedInformation, DiagnosticSeverity,
    Location, NumberOrString, Position, Range, TextEdit, WorkspaceEdit,
};
use std::collections::HashMap;
use terrace_diag::{Diagnostic, Severity, Span, expected, nearest};
use terrace_filetest::Failure;
use terrace_pass::Registry;

/// Messages of a document that are shown at most
const MOST: usize = 500;
/// Further places of a message that are shown at most
const FURTHER: usize = 20;

/// All messages about a document
pub fn all(document: &Document, registry: &Registry) -> Vec<Report> {
    let Some(analysis) = document.analysis() else { return Vec::new() };
    let expects = document.text.contains("verify-diagnostics");
    let mut reports = Vec::new();
    for case in &analysis.cases {
        let shown = &case.diags[..case.diags.len().min(MOST - reports.len())];
        let expected = if expects { are_expected(analysis, case, shown) } else { Vec::new() };
        for (n, diagnostic) in shown.iter().enumerate() {
            let mut report = report(document, analysis, case, diagnostic);
            if expected.get(n) == Some(&true) {
                report.severity = Some(DiagnosticSeverity::HINT);
                report.message = format!("expected here: {}", report.message);
            }
            reports.push(report);
        }
    }
    for ((start, end), diagnostic) in pipelines::check(&document.text, registry, MOST) {
        // A pipeline may be for another tool, which has other passes.
        let severity = Some(DiagnosticSeverity::WARNING);
        reports.push(Report { severity, ..plain(document.range(start, end), &diagnostic) });
    }
    if let Some(failure) = terrace_filetest::mistake(&document.text) {
        reports.push(directive(document, &failure));
    }
    reports.truncate(MOST);
    reports
}

/// A directive of a test file that is none
fn directive(document: &Document, failure: &Failure) -> Report {
    let line = failure.line.unwrap_or(1).saturating_sub(1) as u32;
    let start = document.offset(Position { line, character: 0 });
    let end = document.offset(Position { line, character: u32::MAX });
    let blanks = document.text[start..end].len() - document.text[start..end].trim_start().len();
    Report {
        range: document.range(start + blanks, end),
        // In a file of another project it may be a comment like any other.
        severity: Some(DiagnosticSeverity::WARNING),
        source: Some("terrace-filetest".into()),
        message: failure.why().to_string(),
        ..Report::default()
    }
}

/// Which of these messages the comments of the case expect
fn are_expected(analysis: &Analysis, case: &Case, shown: &[Diagnostic]) -> Vec<bool> {
    let failures = expected::check(case.source, analysis.cx.sources(), shown).err().unwrap_or_default();
    let unexpected =
        |failure: &&Diagnostic| failure.code.is_some_and(|code| code.id == expected::codes::UNEXPECTED.id);
    // In order of the messages, each with the message's place and text.
    let mut failures = failures.iter().filter(unexpected).peekable();
    let is_about = |failure: &Diagnostic, diagnostic: &Diagnostic| {
        failure.span == diagnostic.span && failure.message.ends_with(&diagnostic.headline())
    };
    shown
        .iter()
        .map(|diagnostic| failures.next_if(|failure| is_about(failure, diagnostic)).is_none())
        .collect()
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Remark => DiagnosticSeverity::INFORMATION,
    }
}

fn plain(range: Range, diagnostic: &Diagnostic) -> Report {
    let mut message = diagnostic.message.clone();
    if !diagnostic.label.is_empty() {
        message += &format!("\n{}", diagnostic.label);
    }
    for note in diagnostic.notes.iter().filter(|note| note.span.is_none()).take(FURTHER) {
        message += &format!("\nnote: {}", note.text);
    }
    for help in diagnostic.help.iter().take(FURTHER) {
        message += &format!("\nhelp: {help}");
    }
    Report {
        range,
        severity: Some(severity(diagnostic.severity)),
        code: diagnostic.code.map(|code| NumberOrString::String(code.id.into())),
        source: Some("terrace".into()),
        message,
        ..Report::default()
    }
}

fn report(document: &Document, analysis: &Analysis, case: &Case, diagnostic: &Diagnostic) -> Report {
    let labels = diagnostic.labels.iter().map(|label| (label.span, &label.text));
    let notes = diagnostic.notes.iter().filter_map(|note| Some((note.span?, &note.text)));
    let further = labels.chain(notes).take(FURTHER).map(|(span, text)| DiagnosticRelatedInformation {
        location: Location { uri: document.uri.clone(), range: document.range_of(case, Some(span)) },
        message: if text.is_empty() { "here".into() } else { text.clone() },
    });
    let further: Vec<DiagnosticRelatedInformation> = further.collect();
    let mut report = plain(document.range_of(case, diagnostic.span), diagnostic);
    if is_of_unknown_dialect(analysis, case, diagnostic) {
        report.severity = Some(DiagnosticSeverity::WARNING);
    }
    report.related_information = Some(further).filter(|further| !further.is_empty());
    report
}

/// Is the message only that an op's dialect is not known here?
fn is_of_unknown_dialect(analysis: &Analysis, case: &Case, diagnostic: &Diagnostic) -> bool {
    let unknown = diagnostic.code.is_some_and(|code| code.id == terrace_text::codes::UNKNOWN_OP.id);
    let Some(span) = diagnostic.span.filter(|span| unknown && span.source == case.source) else {
        return false;
    };
    let name = analysis.cx.sources().slice(span).trim_matches('"');
    let dialect = name.split_once('.').map(|(dialect, _)| dialect);
    dialect.is_some_and(|dialect| analysis.cx.dialect(dialect).is_none()) && diagnostic.help.is_empty()
}

/// What messages within a range suggest
pub fn fixes(document: &Document, registry: &Registry, wanted: Range) -> Vec<CodeAction> {
    let Some(analysis) = document.analysis() else { return Vec::new() };
    let touches = |range: Range| range.start <= wanted.end && wanted.start <= range.end;
    let mut actions = Vec::new();
    for case in &analysis.cases {
        for diagnostic in case.diags.iter().take(MOST) {
            let Some(Span { start, end, .. }) = diagnostic.span.filter(|span| span.source == case.source)
            else {
                continue;
            };
            let (start, end) = (case.start + start as usize, case.start + end as usize);
            if touches(document.range(start, end)) {
                let report = report(document, analysis, case, diagnostic);
                actions.extend(fix(document, (start, end), diagnostic, report));
            }
        }
    }
    for ((start, end), diagnostic) in pipelines::check(&document.text, registry, MOST) {
        let range = document.range(start, end);
        if touches(range) {
            actions.extend(fix(document, (start, end), &diagnostic, plain(range, &diagnostic)));
        }
    }
    actions
}

/// Write what was meant, if the message says that
fn fix(
    document: &Document,
    (start, end): (usize, usize),
    diagnostic: &Diagnostic,
    report: Report,
) -> Option<CodeAction> {
    let meant = diagnostic.help.iter().find_map(|help| {
        let word = help.strip_prefix("did you mean `")?;
        word.strip_suffix("`?")
    })?;
    let written = document.text.get(start..end)?;
    let quotes = written.len() > 1 && written.starts_with('"') && written.ends_with('"');
    let (start, end) = if quotes { (start + 1, end - 1) } else { (start, end) };
    // The place may be that of more than the word.
    nearest(&document.text[start..end], [meant])?;
    let edit = TextEdit { range: document.range(start, end), new_text: meant.to_string() };
    Some(CodeAction {
        title: format!("write `{meant}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![report]),
        edit: Some(edits(document, vec![edit])),
        is_preferred: Some(true),
        ..CodeAction::default()
    })
}

/// Edits of a document
#[allow(clippy::mutable_key_type)] // the protocol's own table
pub fn edits(document: &Document, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let changes = HashMap::from([(document.uri.clone(), edits)]);
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
