//! What is known of a text: its cases, read as far as they can be, and what is wrong with them.
//!
//! A text is read as a whole after each change; of a context nothing is ever freed, so it is given up for a new one when the texts
//! that it has seen are many times the last one.

use crate::symbols::Tables;
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, split_input};
use terrace_ir::Context;
use terrace_ir::verify::verify;
use terrace_opt::Tool;
use terrace_opt::language::{LANGUAGES, Language};
use terrace_text::{ParseOptions, Partial, parse_partial};

/// A context may hold texts of so many bytes, or a few times the last one.
const TEXTS: usize = 16 << 20;
const TIMES: usize = 4;

/// A case: what is between the lines `// -----`, or the whole text
pub struct Case {
    /// Its first byte in the text
    pub start: usize,
    /// Behind its last byte
    pub end: usize,
    /// As a source of the context, offsets are within the case
    pub source: SourceId,
    /// Of MLIR text, what was read
    pub partial: Option<Partial>,
    /// What is wrong
    pub diags: Vec<Diagnostic>,
    tables: OnceCell<Tables>,
}

impl Case {
    /// Its symbols, read when they are wanted
    pub fn tables(&self, cx: &Context) -> Option<&Tables> {
        let places = &self.partial.as_ref()?.places;
        Some(self.tables.get_or_init(|| Tables::read(cx, places)))
    }
}

/// What is known of a text
pub struct Analysis {
    /// Where its types and sources are
    pub cx: Arc<Context>,
    /// Its cases in order, never none
    pub cases: Vec<Case>,
}

impl Analysis {
    /// The case around an offset
    pub fn case_at(&self, offset: usize) -> &Case {
        let before = self.cases.partition_point(|case| case.start <= offset);
        &self.cases[before.saturating_sub(1)]
    }
}

/// Reads one document again and again
#[derive(Default)]
pub struct Reader {
    cx: Option<Arc<Context>>,
    /// Bytes of texts in the context
    seen: usize,
}

impl Reader {
    /// Read a text; the error is what cannot be registered together
    pub fn read(
        &mut self,
        tool: Tool,
        name: &str,
        language: Option<&'static Language>,
        text: &str,
    ) -> Result<Analysis, Box<Diagnostic>> {
        if self.seen > TEXTS.max(TIMES * text.len()) {
            (self.cx, self.seen) = (None, 0);
        }
        let cx = match &self.cx {
            Some(cx) => cx.clone(),
            None => self.cx.insert(tool.context()?).clone(),
        };
        self.seen += text.len();
        let whole = cx.sources().add(name, text);
        let split = text.contains("split-input-file");
        let ranges = if split { split_input(text) } else { std::iter::once(0..text.len()).collect() };
        let read = || -> Vec<Case> {
            let ranges = ranges.into_iter();
            ranges
                .map(|range| {
                    let source = cx.sources().add_chunk(whole, range.clone());
                    let (partial, diags) = match language {
                        Some(language) => (None, read_other(&cx, source, language)),
                        None => read_mlir(&cx, source),
                    };
                    let (start, end) = (range.start, range.end);
                    Case { start, end, source, partial, diags: diags.into_vec(), tables: OnceCell::new() }
                })
                .collect()
        };
        let cases = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
            // Whatever state it was in is not used again.
            self.cx = None;
            let error = Diagnostic::error(
                &terrace_opt::codes::READ,
                "this text cannot be read: a mistake of the server",
            );
            let (diags, tables) = (vec![error], OnceCell::new());
            vec![Case { start: 0, end: text.len(), source: whole, partial: None, diags, tables }]
        });
        Ok(Analysis { cx, cases })
    }
}

fn read_mlir(cx: &Arc<Context>, source: SourceId) -> (Option<Partial>, Diags) {
    let mut diags = Diags::default();
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let partial = parse_partial(cx, source, &options, &mut diags);
    if let Some(partial) = &partial {
        diags.append(partial.verify());
    }
    (partial, diags)
}

fn read_other(cx: &Arc<Context>, source: SourceId, language: &Language) -> Diags {
    let mut diags = Diags::default();
    if let Some(ir) = (language.read)(cx, source, &[], &mut diags) {
        diags.append(verify(&ir, 1));
    }
    diags
}

/// The language of a document by its editor's name for it and its file's; none for MLIR text
pub fn language_of(id: &str, path: &str) -> Option<&'static Language> {
    let by_id = LANGUAGES.iter().find(|language| language.name == id);
    by_id.or_else(|| {
        let (_, ending) = path.rsplit_once('.')?;
        // A file of JSON may be anything.
        LANGUAGES.iter().find(|language| language.name != "composite" && language.extension == ending)
    })
}
