//! The checks of a test file, written from the output of its runs.
//!
//! Runs may take long, so they are made on a thread of their own, from a copy of the text.

use crate::document::Document;
use crate::reports::edits;
use lsp_types::{CodeAction, CodeActionKind, Position, Range, TextEdit, Uri, WorkspaceEdit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use terrace_opt::Tool;

/// The kind of action that writes them
pub const CHECKS: &str = "source.terrace.checks";

/// The action, offered on the lines of tests and checks; its edit is made when it is chosen
pub fn offered(document: &Document, wanted: Range) -> Option<CodeAction> {
    let start = document.offset(Position { character: 0, ..wanted.start });
    let line = document.text[start..].lines().next().unwrap_or("");
    let (_, comment) = line.split_once("//")?;
    let (key, _) = comment.trim_start().split_once(':')?;
    let is_one = matches!(key, "test" | "check" | "next") && terrace_filetest::is_test(&document.text);
    is_one.then(|| CodeAction {
        title: "write `check:` lines from the output".into(),
        kind: Some(CodeActionKind::from(CHECKS)),
        data: Some(document.uri.as_str().into()),
        ..CodeAction::default()
    })
}

/// The runs of a test file, and the answer that waits for them
pub struct Run {
    /// The document
    pub uri: Uri,
    name: String,
    /// What it said when the runs were requested
    text: String,
    /// The action that gets the edit
    action: CodeAction,
    /// The answer is a list: these actions, and that one if the runs succeed
    others: Option<Vec<CodeAction>>,
}

/// The end of runs: the new text, or why there is none
pub type Written = Result<String, String>;

impl Run {
    /// Runs for an action, and other actions if the answer is a list
    pub fn new(document: &Document, action: CodeAction, others: Option<Vec<CodeAction>>) -> Run {
        let (name, text) = (document.name(), document.text.clone());
        Run { uri: document.uri.clone(), name, text, action, others }
    }

    /// Make the runs
    pub fn work(&self, tool: Tool) -> Written {
        let written = || terrace_filetest::written(tool, &self.name, &self.text);
        match catch_unwind(AssertUnwindSafe(written)) {
            Ok(written) => written.map_err(|failure| failure.to_string()),
            Err(_) => Err("the run failed by a mistake of the tool".into()),
        }
    }

    /// The document is what it was when the runs were requested
    pub fn is_of(&self, document: &Document) -> bool {
        document.text == self.text
    }

    /// The answer: one action or a list of them; the error is why there is no edit
    pub fn answer(self, document: &Document, written: Written) -> Result<serde_json::Value, String> {
        let edit = written.map(|new_text| self.edit(document, new_text));
        let action = edit.map(|edit| CodeAction { edit: Some(edit), ..self.action });
        let answer = match self.others {
            Some(others) => serde_json::to_value(others.into_iter().chain(action.ok()).collect::<Vec<_>>()),
            None => serde_json::to_value(action?),
        };
        answer.map_err(|error| error.to_string())
    }

    fn edit(&self, document: &Document, new_text: String) -> WorkspaceEdit {
        let range = document.range(0, document.text.len());
        edits(document, vec![TextEdit { range, new_text }])
    }
}
