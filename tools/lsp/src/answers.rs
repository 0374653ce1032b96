//! Requests about documents, and their answers.

use crate::checks::{Run, Written};
use crate::document::{Document, View};
use crate::{checks, completion, format, hover, names, outline, reports};
use lsp_server::ErrorCode;
use lsp_types::request as r;
use lsp_types::request::Request as _;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionTriggerKind, CompletionItem, CompletionList,
    CompletionParams, CompletionResponse, DocumentFormattingParams, DocumentHighlight,
    DocumentHighlightParams, DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionParams,
    GotoDefinitionResponse, HoverParams, Location, MessageType, PrepareRenameResponse, ReferenceParams,
    RenameParams, TextDocumentPositionParams, TextEdit, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use terrace_opt::Tool;

/// A request that has an error for an answer
pub struct Failed {
    /// Which kind
    pub code: ErrorCode,
    /// Why, and what would do
    pub message: String,
}

impl Failed {
    /// An error of this kind
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failed {
        Failed { code, message: message.into() }
    }
}

/// What a request has for an answer
pub enum Reply {
    /// The answer
    Now(Value),
    /// It comes when these runs have been made
    Run(Box<Run>),
}

type Answer = Result<Reply, Failed>;

/// Open documents, and what is known of their client
pub struct Desk {
    /// What is known of dialects and passes
    pub tool: Tool,
    /// Documents by name
    pub documents: BTreeMap<Uri, Document>,
    /// The client knows outlines that are trees
    pub trees: bool,
    /// The client gets edits of actions when they are chosen
    pub edits_later: bool,
    /// Messages for the client's log
    pub log: Vec<(MessageType, String)>,
}

fn params<P: DeserializeOwned>(method: &str, params: Value) -> Result<P, Failed> {
    let wrong = |error| Failed::new(ErrorCode::InvalidParams, format!("`{method}`: {error}"));
    serde_json::from_value(params).map_err(wrong)
}

fn value(answer: impl Serialize) -> Answer {
    let wrong = |error: serde_json::Error| Failed::new(ErrorCode::InternalError, error.to_string());
    serde_json::to_value(answer).map(Reply::Now).map_err(wrong)
}

impl Desk {
    /// Answer a request
    pub fn answer(&mut self, method: &str, given: Value) -> Answer {
        match method {
            r::HoverRequest::METHOD => self.hover(params(method, given)?),
            r::GotoDefinition::METHOD => self.definition(params(method, given)?),
            r::References::METHOD => self.references(params(method, given)?),
            r::DocumentHighlightRequest::METHOD => self.highlights(params(method, given)?),
            r::DocumentSymbolRequest::METHOD => self.outline(params(method, given)?),
            r::PrepareRenameRequest::METHOD => self.prepare_rename(params(method, given)?),
            r::Rename::METHOD => self.rename(params(method, given)?),
            r::Completion::METHOD => self.completion(params(method, given)?),
            r::ResolveCompletionItem::METHOD => self.resolve(params(method, given)?),
            r::CodeActionRequest::METHOD => self.actions(params(method, given)?),
            r::CodeActionResolveRequest::METHOD => self.resolve_action(params(method, given)?),
            r::Formatting::METHOD => self.format(params(method, given)?),
            _ => Err(Failed::new(ErrorCode::MethodNotFound, format!("there is no method `{method}` here"))),
        }
    }

    /// A document, read
    fn document(&mut self, uri: &Uri) -> Result<&Document, Failed> {
        let not_open = || Failed::new(ErrorCode::InvalidParams, format!("`{}` is not open", uri.as_str()));
        let document = self.documents.get_mut(uri).ok_or_else(not_open)?;
        let wrong =
            |error: Box<terrace_diag::Diagnostic>| Failed::new(ErrorCode::InternalError, error.message);
        document.refresh(self.tool).map_err(wrong)?;
        Ok(document)
    }

    fn view(&mut self, at: &TextDocumentPositionParams) -> Result<Option<View<'_>>, Failed> {
        Ok(self.document(&at.text_document.uri)?.view(at.position))
    }

    fn hover(&mut self, params: HoverParams) -> Answer {
        let registry = self.tool.registry;
        let view = self.view(&params.text_document_position_params)?;
        value(view.and_then(|view| hover::hover(&view, &registry)))
    }

    fn definition(&mut self, params: GotoDefinitionParams) -> Answer {
        let Some(view) = self.view(&params.text_document_position_params)? else {
            return Ok(Reply::Now(Value::Null));
        };
        let location = |range: (usize, usize)| {
            let uri = view.document.uri.clone();
            GotoDefinitionResponse::Scalar(Location { uri, range: view.range(range.0, range.1) })
        };
        value(names::find(&view).map(|found| location(found.def)))
    }

    fn references(&mut self, params: ReferenceParams) -> Answer {
        let Some(view) = self.view(&params.text_document_position)? else {
            return Ok(Reply::Now(Value::Null));
        };
        let Some(found) = names::find(&view) else { return Ok(Reply::Now(Value::Null)) };
        let wanted = |range: &&(usize, usize)| params.context.include_declaration || **range != found.def;
        let uri = || view.document.uri.clone();
        let location = |range: &(usize, usize)| Location { uri: uri(), range: view.range(range.0, range.1) };
        value(found.all.iter().filter(wanted).map(location).collect::<Vec<_>>())
    }

    fn highlights(&mut self, params: DocumentHighlightParams) -> Answer {
        let Some(view) = self.view(&params.text_document_position_params)? else {
            return Ok(Reply::Now(Value::Null));
        };
        let Some(found) = names::find(&view) else { return Ok(Reply::Now(Value::Null)) };
        let highlight =
            |range: &(usize, usize)| DocumentHighlight { range: view.range(range.0, range.1), kind: None };
        value(found.all.iter().map(highlight).collect::<Vec<_>>())
    }

    fn outline(&mut self, params: DocumentSymbolParams) -> Answer {
        let trees = self.trees;
        let document = self.document(&params.text_document.uri)?;
        let cases = document.analysis().map_or(&[][..], |analysis| &analysis.cases);
        let views: Vec<View<'_>> = cases
            .iter()
            .filter_map(|case| document.view(document.range(case.start, case.start).start))
            .collect();
        value(if trees {
            DocumentSymbolResponse::Nested(views.iter().flat_map(outline::tree).collect())
        } else {
            DocumentSymbolResponse::Flat(views.iter().flat_map(outline::list).collect())
        })
    }

    fn prepare_rename(&mut self, params: TextDocumentPositionParams) -> Answer {
        let Some(view) = self.view(&params)? else { return Ok(Reply::Now(Value::Null)) };
        value(names::find(&view).map(|found| PrepareRenameResponse::RangeWithPlaceholder {
            range: view.range(found.here.0, found.here.1),
            placeholder: view.text[found.here.0..found.here.1].to_string(),
        }))
    }

    fn rename(&mut self, params: RenameParams) -> Answer {
        let nothing = || Failed::new(ErrorCode::RequestFailed, "there is no name that is defined here");
        let view = self.view(&params.text_document_position)?.ok_or_else(nothing)?;
        let found = names::find(&view).ok_or_else(nothing)?;
        let new = names::renamed(&view, &found, params.new_name.trim())
            .map_err(|why| Failed::new(ErrorCode::RequestFailed, why))?;
        let edit = |((start, end), new_text)| TextEdit { range: view.range(start, end), new_text };
        value(reports::edits(view.document, new.into_iter().map(edit).collect()))
    }

    fn completion(&mut self, params: CompletionParams) -> Answer {
        let registry = self.tool.registry;
        let view = self.view(&params.text_document_position)?;
        let list = view.map_or_else(CompletionList::default, |view| completion::complete(&view, &registry));
        value(CompletionResponse::List(list))
    }

    fn resolve(&mut self, item: CompletionItem) -> Answer {
        let cx = self.documents.values().find_map(|document| document.analysis());
        value(match cx {
            Some(analysis) => completion::resolve(&analysis.cx, item),
            None => item,
        })
    }

    fn actions(&mut self, params: CodeActionParams) -> Answer {
        let registry = self.tool.registry;
        let later = self.edits_later;
        let document = self.document(&params.text_document.uri)?;
        let only = params.context.only.as_ref();
        let wanted = |action: &CodeAction| {
            let kind = action.kind.as_ref().map_or("", CodeActionKind::as_str);
            only.is_none_or(|only| only.iter().any(|only| kind.starts_with(only.as_str())))
        };
        let fixes = reports::fixes(document, &registry, params.range);
        let mut actions: Vec<CodeAction> = fixes.into_iter().filter(wanted).collect();
        // Clients ask for actions whenever the cursor moves. A client that takes edits at once gets this action only when
        // the user asks for it.
        let invoked = params.context.trigger_kind == Some(CodeActionTriggerKind::INVOKED);
        let asked = later || only.is_some() || invoked;
        let checks = checks::offered(document, params.range).filter(|action| asked && wanted(action));
        match checks {
            Some(action) if !later => {
                return Ok(Reply::Run(Box::new(Run::new(document, action, Some(actions)))));
            }
            checks => actions.extend(checks),
        }
        value(actions)
    }

    /// The edit of an action that was offered without one
    fn resolve_action(&mut self, action: CodeAction) -> Answer {
        let uri = action.data.as_ref().and_then(|data| data.as_str()).and_then(|uri| uri.parse::<Uri>().ok());
        let unknown = || Failed::new(ErrorCode::InvalidParams, "an action that was not offered here");
        let document = self.document(&uri.ok_or_else(unknown)?)?;
        Ok(Reply::Run(Box::new(Run::new(document, action, None))))
    }

    /// The answer to a request whose runs have been made
    pub fn finish(&mut self, run: Run, written: Written) -> Result<Value, Failed> {
        let changed =
            || Failed::new(ErrorCode::ContentModified, "the text has changed while its runs were made");
        let document = self.documents.get(&run.uri).filter(|document| run.is_of(document));
        let answer = run.answer(document.ok_or_else(changed)?, written);
        answer.map_err(|why| Failed::new(ErrorCode::RequestFailed, why))
    }

    fn format(&mut self, params: DocumentFormattingParams) -> Answer {
        let tool = self.tool;
        let document = self.document(&params.text_document.uri)?;
        let formatted =
            format::format(document, tool).map_err(|why| Failed::new(ErrorCode::RequestFailed, why))?;
        if formatted.kept > 0 {
            let count = formatted.kept;
            let message = format!(
                "{count} of the units have comments, locations or aliases, which the printer would lose: not formatted"
            );
            self.log.push((MessageType::INFO, message));
        }
        value(formatted.edits)
    }
}
