//! Expectations about diagnostics, written in the file they are about (`--verify-diagnostics` of MLIR).
//!
//! ```text
//! "op.bad"() : () -> ()  // expected-error {{[E0101]: text}}
//! // expected-note@-1 {{defined here}}           also @+N, @above, @below, @unknown
//! // expected-error-re @below {{needs {{[0-9]+}} operands}}
//! ```
//!
//! The kinds are `error`, `warning`, `remark` and `note`. The text is a part of `[CODE]: message` or, for `note`, of
//! a note, label or help. `-re` reads `{{…}}` within it as a regular expression. One expectation per line, its
//! closing braces at the line's end. `@above` and `@below` mean the nearest line without an expectation;
//! `@unknown` means a diagnostic without a place.
//!
//! As in MLIR, save that each expectation is met once and not often, that unexpected notes are no
//! error, and that an expectation MLIR would skip over as ill-written is one.

use std::fmt;

use regex_lite::Regex;

use crate::{Diagnostic, Severity, SourceId, Sources, Span};

/// Codes of failed expectations
pub mod codes {
    crate::codes! {
        /// A line says which diagnostic is expected, and none like it was emitted there.
        ///
        /// The text must be a part of the message, the line and severity must be the same. Each expectation stands for
        /// one diagnostic: write it twice if two are expected.
        ///
        /// Wrong, with `terrace-opt x.mlir --verify-diagnostics`:
        ///
        /// ```mlir
        /// // expected-error @+1 {{unknown op}}
        /// func.func @f() {
        ///   return
        /// }
        /// ```
        ///
        /// Right:
        ///
        /// ```mlir
        /// func.func @f() {
        ///   // expected-error @+1 {{is not registered}}
        ///   nothing.here
        /// }
        /// ```
        pub NOT_PRODUCED: "E0490" Input "expected diagnostic was not produced";
        /// A diagnostic was emitted that no expectation in the file foresees.
        ///
        /// Wrong, with `terrace-opt x.mlir --verify-diagnostics`:
        ///
        /// ```mlir
        /// func.func @f() -> i32 {
        ///   return %a : i32
        /// }
        /// ```
        ///
        /// Right:
        ///
        /// ```mlir
        /// func.func @f() -> i32 {
        ///   // expected-error @+1 {{%a}}
        ///   return %a : i32
        /// }
        /// ```
        pub UNEXPECTED: "E0491" Input "unexpected diagnostic";
        /// An expectation isn't written as `expected-error @+1 {{text}}`.
        ///
        /// The kind is one of `error`, `warning`, `remark`, `note`, with `-re` after it where the text holds
        /// regular expressions; the place is nothing or one of `@+N`, `@-N`, `@above`, `@below`, `@unknown`; the closing
        /// braces end the line.
        ///
        /// Wrong, with `terrace-opt x.mlir --verify-diagnostics`:
        ///
        /// ```mlir
        /// // expected-error @next {{nothing}}
        /// func.func @f() {
        ///   return
        /// }
        /// ```
        ///
        /// Right:
        ///
        /// ```mlir
        /// func.func @f() {
        ///   return
        /// }
        /// ```
        pub MALFORMED: "E0492" Input "malformed expectation";
    }
}

/// Compare what was emitted for `chunk` with the expectations written in it
///
/// Every expectation must be met once, and every error, warning and remark expected. The result says what differs:
/// ill-written expectations first, then what was unexpected in order of emission, then what was not produced.
pub fn check(chunk: SourceId, sources: &Sources, emitted: &[Diagnostic]) -> Result<(), Vec<Diagnostic>> {
    let (mut expectations, mut failures) = scan(chunk, sources);
    for diagnostic in emitted {
        let kind = ExpectedKind::Of(diagnostic.severity);
        let line = line_of(diagnostic.span, chunk, sources);
        let headline = diagnostic.headline();
        if !meet(&mut expectations, kind, line, &headline) {
            let near = expectations.iter().find(|e| !e.met && e.kind == kind && e.line == line);
            failures.push(unexpected(diagnostic, kind, &headline, near));
        }
        for (span, text) in sides(diagnostic) {
            meet(&mut expectations, ExpectedKind::Note, line_of(span, chunk, sources), text);
        }
    }
    let unmet = expectations.iter().filter(|e| !e.met);
    failures.extend(unmet.map(Expectation::not_produced));
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

/// What an `expected-note` can be met by
fn sides(diagnostic: &Diagnostic) -> impl Iterator<Item = (Option<Span>, &str)> {
    let own = diagnostic.span;
    let label = Some((own, diagnostic.label.as_str())).filter(|(_, text)| !text.is_empty());
    let labels = diagnostic.labels.iter().map(|label| (Some(label.span), label.text.as_str()));
    let notes = diagnostic.notes.iter().map(move |note| (note.span.or(own), note.text.as_str()));
    let help = diagnostic.help.iter().map(move |help| (own, help.as_str()));
    label.into_iter().chain(labels).chain(notes).chain(help)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpectedKind {
    Of(Severity),
    Note,
}

impl fmt::Display for ExpectedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExpectedKind::Of(severity) => severity.name(),
            ExpectedKind::Note => "note",
        })
    }
}

/// Line in the file that the chunk is of
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    At(i64),
    Unknown,
    /// In another file, where this one can't expect anything
    Elsewhere,
}

fn line_of(span: Option<Span>, chunk: SourceId, sources: &Sources) -> Line {
    match span {
        None => Line::Unknown,
        Some(span) if span.source == chunk || sources.name(span.source) == sources.name(chunk) => {
            Line::At(i64::from(sources.line_col(span.source, span.start).0))
        }
        Some(_) => Line::Elsewhere,
    }
}

struct Expectation {
    kind: ExpectedKind,
    line: Line,
    text: String,
    regex: Option<Regex>,
    /// Where it is written
    span: Span,
    met: bool,
}

impl Expectation {
    fn accepts(&self, message: &str) -> bool {
        match &self.regex {
            Some(regex) => regex.is_match(message),
            None => message.contains(&self.text),
        }
    }

    fn not_produced(&self) -> Diagnostic {
        let message = format!("expected {} \"{}\" was not produced", self.kind, self.text);
        let diagnostic = Diagnostic::error(&codes::NOT_PRODUCED, message).at(self.span);
        match self.line {
            Line::At(line) => diagnostic.label(format!("expected on line {line}")),
            Line::Unknown | Line::Elsewhere => diagnostic.label("expected without a place"),
        }
    }
}

/// Mark the expectation that `message` meets, the most specific if there are several
fn meet(expectations: &mut [Expectation], kind: ExpectedKind, line: Line, message: &str) -> bool {
    let open = expectations.iter_mut().filter(|e| !e.met && e.kind == kind && e.line == line);
    // The longest text first, so that "type" doesn't take the diagnostic that "type of `lhs`" is for.
    let mut fitting: Vec<_> = open.filter(|e| e.accepts(message)).collect();
    fitting.sort_by_key(|e| std::cmp::Reverse(e.text.len()));
    match fitting.first_mut() {
        Some(expectation) => {
            expectation.met = true;
            true
        }
        None => false,
    }
}

fn unexpected(
    diagnostic: &Diagnostic,
    kind: ExpectedKind,
    headline: &str,
    near: Option<&Expectation>,
) -> Diagnostic {
    let code = if diagnostic.code.is_some() { "" } else { ": " };
    let mut failure = Diagnostic::error(&codes::UNEXPECTED, format!("unexpected {kind}{code}{headline}"))
        .at(diagnostic.span)
        .label(diagnostic.label.clone());
    failure.labels.clone_from(&diagnostic.labels);
    failure.notes.clone_from(&diagnostic.notes);
    match near {
        Some(near) => {
            failure.note_at(near.span, "the text expected on this line is not a part of the message")
        }
        None => failure,
    }
}

/// All expectations in the chunk, and a diagnostic for each that is ill-written
fn scan(chunk: SourceId, sources: &Sources) -> (Vec<Expectation>, Vec<Diagnostic>) {
    let text = sources.text(chunk);
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    let (mut start, mut line) = (0, i64::from(sources.line_col(chunk, 0).0));
    // The last line without an expectation, and the expectations that wait for the next one
    let (mut above, mut below): (i64, Vec<usize>) = (line, Vec::new());
    for whole in text.split_inclusive('\n') {
        match designator(whole) {
            None => {
                above = line;
                for index in below.drain(..) {
                    let expectation: &mut Expectation = &mut found[index];
                    expectation.line = Line::At(line);
                }
            }
            Some((at, designator)) => {
                let end = start + whole.trim_end().len();
                let span = Span::new(chunk, (start + at) as u32, end as u32);
                let read = designator.and_then(|d| Ok((d.regex()?, d)));
                match read {
                    Ok((regex, Designator { kind, place, text, .. })) => {
                        let line = match place {
                            Anchor::Offset(offset) => Line::At(line.saturating_add(offset)),
                            Anchor::Above => Line::At(above),
                            Anchor::Below => {
                                below.push(found.len());
                                Line::At(line.saturating_add(1))
                            }
                            Anchor::Unknown => Line::Unknown,
                        };
                        found.push(Expectation {
                            kind,
                            line,
                            text: text.to_owned(),
                            regex,
                            span,
                            met: false,
                        });
                    }
                    Err(why) => failures.push(
                        Diagnostic::error(&codes::MALFORMED, "malformed expectation")
                            .at(span)
                            .label(why.to_string())
                            .help("write it as `expected-error @+1 {{text}}`, at the end of the line"),
                    ),
                }
            }
        }
        start += whole.len();
        line += 1;
    }
    (found, failures)
}

enum Anchor {
    Offset(i64),
    Above,
    Below,
    Unknown,
}

struct Designator<'a> {
    kind: ExpectedKind,
    place: Anchor,
    text: &'a str,
    is_regex: bool,
}

/// Why an expectation is not read
enum Malformed {
    NoText,
    NoEnd,
    Place,
    /// An offset beyond all lines
    Lines(String),
    Hole,
    /// What one of the holes has
    Group(String, regex_lite::Error),
    Regex(regex_lite::Error),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::NoText => f.write_str("`{{` expected after the place"),
            Malformed::NoEnd => f.write_str("`}}` expected at the end of the line"),
            Malformed::Place => {
                f.write_str("the place is one of `@+N`, `@-N`, `@above`, `@below`, `@unknown`")
            }
            Malformed::Lines(number) => write!(f, "`{number}` is no number of lines"),
            Malformed::Hole => f.write_str("`{{` without `}}` in the text"),
            Malformed::Group(group, error) => write!(f, "`{group}` is no regular expression: {error}"),
            Malformed::Regex(error) => write!(f, "not a regular expression: {error}"),
        }
    }
}

/// The expectation a line holds and where in the line it begins
fn designator(line: &str) -> Option<(usize, Result<Designator<'_>, Malformed>)> {
    let kinds = [
        ("error", ExpectedKind::Of(Severity::Error)),
        ("warning", ExpectedKind::Of(Severity::Warning)),
        ("remark", ExpectedKind::Of(Severity::Remark)),
        ("note", ExpectedKind::Note),
    ];
    line.match_indices("expected-").find_map(|(at, word)| {
        let rest = &line[at + word.len()..];
        let (kind, rest) = kinds.iter().find_map(|(name, kind)| Some((*kind, rest.strip_prefix(name)?)))?;
        let (is_regex, rest) = rest.strip_prefix("-re").map_or((false, rest), |rest| (true, rest));
        let rest = rest.trim();
        // Prose may speak of an `expected-error`; what has a place or a text is meant.
        if !rest.starts_with("{{") && !rest.starts_with('@') {
            return None;
        }
        let read = place(rest).and_then(|(place, rest)| {
            let text = rest.trim_start().strip_prefix("{{").ok_or(Malformed::NoText)?;
            let text = text.strip_suffix("}}").ok_or(Malformed::NoEnd)?;
            Ok(Designator { kind, place, text, is_regex })
        });
        Some((at, read))
    })
}

fn place(rest: &str) -> Result<(Anchor, &str), Malformed> {
    let Some(place) = rest.strip_prefix('@') else {
        return Ok((Anchor::Offset(0), rest));
    };
    for (name, place_of) in [("above", Anchor::Above), ("below", Anchor::Below), ("unknown", Anchor::Unknown)]
    {
        if let Some(rest) = place.strip_prefix(name) {
            return Ok((place_of, rest));
        }
    }
    let length = place.find(|c: char| !c.is_ascii_digit() && c != '+' && c != '-').unwrap_or(place.len());
    let (number, rest) = place.split_at(length);
    if !number.starts_with(['+', '-']) {
        return Err(Malformed::Place);
    }
    let offset = number.parse::<i32>().map_err(|_| Malformed::Lines(number.into()))?;
    Ok((Anchor::Offset(offset.into()), rest))
}

impl Designator<'_> {
    fn regex(&self) -> Result<Option<Regex>, Malformed> {
        if !self.is_regex {
            return Ok(None);
        }
        let (mut pattern, mut rest) = (String::new(), self.text);
        while let Some((literal, tail)) = rest.split_once("{{") {
            let (group, tail) = tail.split_once("}}").ok_or(Malformed::Hole)?;
            pattern.push_str(&regex_lite::escape(literal));
            // By itself first, so that an unbalanced `)` can't reach out of its group.
            Regex::new(group).map_err(|error| Malformed::Group(group.into(), error))?;
            pattern.push_str("(?:");
            pattern.push_str(group);
            pattern.push(')');
            rest = tail;
        }
        pattern.push_str(&regex_lite::escape(rest));
        Regex::new(&pattern).map(Some).map_err(Malformed::Regex)
    }
}

#[cfg(test)]
#[path = "expected_tests.rs"]
mod tests;
