//! An open document: its text, where its lines are, and what is known of it.

use crate::analysis::{Analysis, Case, Reader, language_of};
use crate::change::Changing;
use crate::lines::{Encoding, Lines};
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use std::time::Instant;
use terrace_diag::{Diagnostic, Span};
use terrace_ir::Context;
use terrace_opt::Tool;
use terrace_opt::language::Language;
use terrace_text::Partial;

/// A text that is open in the editor
pub struct Document {
    /// Its name for the client
    pub uri: Uri,
    /// Its version
    pub version: i32,
    /// Its language; none for MLIR text
    pub language: Option<&'static Language>,
    /// What it says now
    pub text: String,
    /// Where its lines are
    pub lines: Lines,
    /// What columns count
    pub encoding: Encoding,
    /// When the first change was made whose diagnostics have not been sent
    pub unpublished: Option<Instant>,
    analysis: Option<Analysis>,
    reader: Reader,
}

/// Why changes were not made
pub enum Refused {
    /// Their version is not after this one
    Order(i32),
    /// A range ends before it begins
    Range,
}

impl Document {
    /// A document as it is opened
    pub fn new(uri: Uri, id: &str, version: i32, text: String, encoding: Encoding) -> Document {
        let language = language_of(id, uri.path().as_str());
        let lines = Lines::new(&text);
        Document {
            uri,
            version,
            language,
            text,
            lines,
            encoding,
            unpublished: Some(Instant::now()),
            analysis: None,
            reader: Reader::default(),
        }
    }

    /// Make changes one after the other, all or none
    pub fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Result<(), Refused> {
        if version <= self.version {
            return Err(Refused::Order(self.version));
        }
        let backwards = |range: Range| range.end < range.start;
        if changes.iter().any(|change| change.range.is_some_and(backwards)) {
            return Err(Refused::Range);
        }
        let (text, lines) = (std::mem::take(&mut self.text), std::mem::take(&mut self.lines));
        let mut changing = Changing::new(text, lines, self.encoding);
        for TextDocumentContentChangeEvent { range, text, .. } in changes {
            match range {
                Some(range) => changing.replace(range, &text),
                None => {
                    let lines = Lines::new(&text);
                    changing = Changing::new(text, lines, self.encoding);
                }
            }
        }
        (self.text, self.lines) = changing.finish();
        self.version = version;
        self.unpublished.get_or_insert_with(Instant::now);
        self.analysis = None;
        Ok(())
    }

    /// The name of its file
    pub fn name(&self) -> String {
        let path = self.uri.path().as_str();
        path.rsplit('/').next().unwrap_or(path).to_string()
    }

    /// Read the text if it has changed; the error is what cannot be registered together
    pub fn refresh(&mut self, tool: Tool) -> Result<(), Box<Diagnostic>> {
        if self.analysis.is_none() {
            let name = self.name();
            self.analysis = Some(self.reader.read(tool, &name, self.language, &self.text)?);
        }
        Ok(())
    }

    /// What is known of the text, after [`refresh`](Document::refresh)
    pub fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }

    /// The offset of a position
    pub fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position, self.encoding)
    }

    /// The range of two offsets
    pub fn range(&self, start: usize, end: usize) -> Range {
        self.lines.range(&self.text, start, end, self.encoding)
    }

    /// The place of a span of a case; that of the whole text is its beginning
    pub fn range_of(&self, case: &Case, span: Option<Span>) -> Range {
        match span.filter(|span| span.source == case.source) {
            Some(span) => self.range(case.start + span.start as usize, case.start + span.end as usize),
            None => self.range(case.start, case.start),
        }
    }

    /// A look at the case around a position; none where it is no MLIR text
    pub fn view(&self, position: Position) -> Option<View<'_>> {
        let analysis = self.analysis()?;
        let offset = self.offset(position);
        let case = analysis.case_at(offset);
        let partial = case.partial.as_ref()?;
        let text = &self.text[case.start..case.end];
        let at = (offset - case.start).min(text.len());
        Some(View { document: self, cx: &analysis.cx, case, partial, text, at })
    }
}

/// A case with a cursor in it
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The document
    pub document: &'a Document,
    /// Where types are
    pub cx: &'a Context,
    /// The case
    pub case: &'a Case,
    /// What was read of it
    pub partial: &'a Partial,
    /// Its text
    pub text: &'a str,
    /// The cursor, an offset in it
    pub at: usize,
}

impl View<'_> {
    /// The range of two offsets in the case
    pub fn range(&self, start: usize, end: usize) -> Range {
        self.document.range(self.case.start + start, self.case.start + end)
    }
}
