//! Diagnostics as text for a terminal, in the form of rustc's.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::{Diagnostic, Severity, Sources};

/// One diagnostic as text, ending with a newline
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::INFO.with_name("remark"),
    };
    let title = level.primary_title(diagnostic.message.as_str());
    let title = match diagnostic.code {
        Some(code) => title.id(code.id),
        None => title,
    };
    let mut group = annotate_snippets::Group::with_title(title);
    if let Some(span) = diagnostic.span {
        let range = span.start as usize..span.end as usize;
        let annotation = AnnotationKind::Primary.span(range).label(diagnostic.label.as_str());
        group = group.element(
            Snippet::source(sources.text(span.source)).path(sources.name(span.source)).annotation(annotation),
        );
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.text.as_str()));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group]) + "\n"
}

/// Several diagnostics as text, an empty line between them
pub fn render_all<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    sources: &Sources,
    color: bool,
) -> String {
    let all: Vec<String> = diagnostics.into_iter().map(|d| render(d, sources, color)).collect();
    all.join("\n")
}
