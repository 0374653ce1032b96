//! The checks of a test file, written from the output of its runs.

use crate::document::Document;
use crate::reports::edits;
use lsp_types::{CodeAction, CodeActionKind, Position, Range, TextEdit, WorkspaceEdit};
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

/// The edit of the action; the error is why there is none
pub fn written(document: &Document, tool: Tool) -> Result<WorkspaceEdit, String> {
    let name = document.name();
    let new =
        terrace_filetest::written(tool, &name, &document.text).map_err(|failure| failure.to_string())?;
    let edit = TextEdit { range: document.range(0, document.text.len()), new_text: new };
    Ok(edits(document, vec![edit]))
}
