//! Diagnostics as text for a terminal, in the form of rustc's.
//!
//! The drawing is `annotate-snippets`'; here is what it lacks. Only a window of the source around each place is
//! handed over, borrowed, so that a line of 100 MB costs what a short one does. Line and column in the headings are
//! those of the whole file: they go in as marks and are put in place afterward, because the drawing would count
//! columns from the window's edge. Control characters of any text are shown, never sent to the terminal.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str,
};

use crate::{Diagnostic, Severity, SourceId, Sources, Span};

/// Bytes shown before and after a place when its line goes on.
const MARGIN: usize = 512;
/// A place longer than this is drawn as its first line.
const LONGEST: usize = 4096;
/// Places of one source that lie nearer than this share an excerpt.
const GAP: usize = 16 * 1024;
/// Further places, and notes with a place, that are drawn; the rest is counted.
const MOST: usize = 50;
/// Encloses the number of a heading until it is put in place; cleaned texts don't hold it.
const MARK: char = '\u{F8FF}';

/// One diagnostic as text, ending with a newline
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::INFO.with_name("remark"),
    };
    let title = level.primary_title(clean(&diagnostic.message));
    let title = match diagnostic.code {
        Some(code) => title.id(code.id),
        None => title,
    };

    let mut headings = Vec::new();
    let primary = diagnostic.span.map(|span| Highlight::new(sources, span, &diagnostic.label, true));
    let further = diagnostic.labels.iter().take(MOST);
    let further = further.map(|label| Highlight::new(sources, label.span, &label.text, false));
    let mut group = Group::with_title(title);
    for excerpt in excerpts(primary.into_iter().chain(further).collect()) {
        group = group.element(excerpt.snippet(sources, &mut headings));
    }
    for note in diagnostic.notes.iter().filter(|note| note.span.is_none()) {
        group = group.element(Level::NOTE.message(clean(&note.text)));
    }
    let placed = || diagnostic.notes.iter().filter_map(|note| Some((note.span?, &note.text)));
    let hidden = diagnostic.labels.len().saturating_sub(MOST) + placed().count().saturating_sub(MOST);
    if hidden > 0 {
        group = group.element(Level::NOTE.message(format!("{hidden} further places not shown")));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(clean(help)));
    }

    let mut report = vec![group];
    for (span, text) in placed().take(MOST) {
        let mut group = Group::with_title(Level::NOTE.secondary_title(clean(text)));
        for excerpt in excerpts(vec![Highlight::new(sources, span, "", true)]) {
            group = group.element(excerpt.snippet(sources, &mut headings));
        }
        report.push(group);
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let drawn = renderer.render(&report);
    let mut text = String::with_capacity(drawn.len());
    let placeless = diagnostic.span.is_none() && diagnostic.labels.is_empty();
    // The drawing leaves an empty line for a source between the message and its notes, also where there is none.
    let gap = diagnostic.message.lines().count().max(1);
    for (number, line) in put_headings(&drawn, &headings).lines().enumerate() {
        if placeless && number == gap && without_color(line).trim() == "|" {
            continue;
        }
        text.push_str(line.trim_end_matches(' '));
        text.push('\n');
    }
    text
}

/// A line without the sequences that color it
fn without_color(line: &str) -> String {
    let mut pieces = line.split('\u{1b}');
    let mut text = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        text.push_str(piece.split_once('m').map_or("", |(_, rest)| rest));
    }
    text
}

/// Several diagnostics as text, an empty line between them
///
/// A refusal of several ops at one position of the source is reported once.
pub fn render_all<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    sources: &Sources,
    color: bool,
) -> String {
    let mut all: Vec<String> = diagnostics.into_iter().map(|d| render(d, sources, color)).collect();
    all.dedup();
    all.join("\n")
}

/// `text` with control characters made visible and without our mark
fn clean(text: &str) -> String {
    normalize_untrusted_str(text).replace(MARK, "\u{FFFD}")
}

/// A place, and the window of the source to show it in
struct Highlight<'a> {
    source: SourceId,
    /// Where it begins; what the heading names
    at: u32,
    /// What is underlined, within `window`
    range: Range<usize>,
    window: Range<usize>,
    label: &'a str,
    primary: bool,
}

impl<'a> Highlight<'a> {
    fn new(sources: &Sources, span: Span, label: &'a str, primary: bool) -> Self {
        let text = sources.text(span.source);
        let start = text.floor_char_boundary(span.start as usize);
        let mut end = text.floor_char_boundary(span.end as usize).max(start);
        if end - start > LONGEST {
            end = text.floor_char_boundary(start + LONGEST);
            end = text[start..end].find('\n').map_or(end, |newline| start + newline);
        }

        let low = text.floor_char_boundary(start.saturating_sub(MARGIN));
        let low = text[low..start].rfind('\n').map_or(low, |newline| low + newline + 1);
        let high = text.floor_char_boundary(end + MARGIN);
        let high = text[end..high].find('\n').map_or(high, |newline| end + newline);
        let high = if text[end..high].ends_with('\r') { high - 1 } else { high };
        Highlight {
            source: span.source,
            at: span.start,
            range: start..end,
            window: low..high,
            label,
            primary,
        }
    }
}

/// Places that are drawn together
struct Excerpt<'a> {
    window: Range<usize>,
    places: Vec<Highlight<'a>>,
}

/// Gather places into excerpts: the one with the primary place first, the others in order of position
fn excerpts(mut places: Vec<Highlight<'_>>) -> Vec<Excerpt<'_>> {
    places.sort_by_key(|place| (place.source, place.window.start));
    let mut excerpts: Vec<Excerpt<'_>> = Vec::new();
    for place in places {
        let near = excerpts.last_mut().filter(|excerpt| {
            excerpt.places[0].source == place.source && place.window.start <= excerpt.window.end + GAP
        });
        match near {
            Some(excerpt) => {
                excerpt.window.end = excerpt.window.end.max(place.window.end);
                excerpt.places.push(place);
            }
            None => excerpts.push(Excerpt { window: place.window.clone(), places: vec![place] }),
        }
    }
    excerpts.sort_by_key(|excerpt| !excerpt.places.iter().any(|place| place.primary));
    excerpts
}

impl<'a> Excerpt<'a> {
    fn snippet<'s>(self, sources: &'s Sources, headings: &mut Vec<String>) -> Snippet<'s, Annotation<'s>> {
        let first = self.places.iter().find(|place| place.primary).unwrap_or(&self.places[0]);
        let (line, col) = sources.line_col(first.source, first.at);
        let mark = format!("{MARK}{}{MARK}", headings.len());
        headings.push(format!("{}:{line}:{col}", clean(sources.name(first.source))));

        let (text, shift) = (&sources.text(first.source)[self.window.clone()], self.window.start);
        let (line_start, _) = sources.line_col(first.source, shift as u32);
        let snippet = Snippet::source(text).path(mark).line_start(line_start as usize);
        snippet.annotations(self.places.into_iter().map(|place| {
            let kind = if place.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!place.label.is_empty()).then(|| clean(place.label));
            kind.span(place.range.start - shift..place.range.end - shift).label(label)
        }))
    }
}

/// Replace each mark, and the line and column drawn after it, by its heading
fn put_headings(drawn: &str, headings: &[String]) -> String {
    let mut text = String::with_capacity(drawn.len());
    let mut pieces = drawn.split(MARK);
    text.push_str(pieces.next().unwrap_or_default());
    while let (Some(number), Some(rest)) = (pieces.next(), pieces.next()) {
        let heading = number.parse().ok().and_then(|n: usize| headings.get(n));
        let _ = write!(text, "{}", heading.map_or("", |heading| heading));
        text.push_str(rest.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    text
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
