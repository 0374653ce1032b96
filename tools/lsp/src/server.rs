//! The session: from the first message to the last.
//!
//! One thread reads messages, this one works on them in order. Changes come first: diagnostics are made when no message waits, and
//! a request that the client has taken back before its turn is not worked on. A panic in an answer costs that answer only.

use crate::answers::{Desk, Failed};
use crate::checks::CHECKS;
use crate::document::{Document, Refused};
use crate::lines::Encoding;
use crate::reports;
use crate::wire::{Received, send};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification as n;
use lsp_types::notification::Notification as _;
use lsp_types::request as r;
use lsp_types::request::Request as _;
use lsp_types::{
    CancelParams, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    HoverProviderCapability, InitializeParams, LogMessageParams, MessageType, NumberOrString, OneOf,
    PositionEncodingKind, PublishDiagnosticsParams, RenameOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;
use terrace_opt::Tool;

/// Diagnostics are made when the client has been silent for so long
const PAUSE: Duration = Duration::from_millis(30);

/// Where in its life a session is
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Waiting for `initialize`
    New,
    /// At work
    Open,
    /// Waiting for `exit`
    Shut,
}

/// How a session has ended
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// As the protocol wants it
    Well,
    /// Without `shutdown`, or without `exit`
    Early,
    /// What came in cannot be read any more
    Broken(String),
}

/// A session
pub struct Server<W: Write> {
    desk: Desk,
    out: W,
    stage: Stage,
    encoding: Encoding,
    queue: VecDeque<Received>,
}

impl<W: Write> Server<W> {
    /// A session that has not begun
    pub fn new(tool: Tool, out: W) -> Server<W> {
        let desk =
            Desk { tool, documents: BTreeMap::new(), trees: false, edits_later: false, log: Vec::new() };
        Server { desk, out, stage: Stage::New, encoding: Encoding::Utf16, queue: VecDeque::new() }
    }

    /// Work until the end; the error is that the client no longer listens
    pub fn run(&mut self, from: &Receiver<Received>) -> io::Result<Ended> {
        loop {
            self.queue.extend(from.try_iter());
            let next = match self.queue.pop_front() {
                Some(next) => next,
                None => match from.recv_timeout(PAUSE) {
                    Ok(next) => next,
                    Err(RecvTimeoutError::Timeout) => {
                        self.publish()?;
                        match from.recv() {
                            Ok(next) => next,
                            Err(_) => return Ok(Ended::Early),
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Early),
                },
            };
            match next {
                Received::Message(Message::Request(request)) => self.request(request)?,
                Received::Message(Message::Notification(notification)) => {
                    if notification.method == n::Exit::METHOD {
                        return Ok(if self.stage == Stage::Shut { Ended::Well } else { Ended::Early });
                    }
                    self.notification(notification)?;
                }
                // Nothing is asked of the client.
                Received::Message(Message::Response(_)) => {}
                Received::Malformed(why) => self.log(MessageType::ERROR, format!("no message: {why}"))?,
                Received::End(None) => return Ok(Ended::Early),
                Received::End(Some(why)) => return Ok(Ended::Broken(why)),
            }
            for message in std::mem::take(&mut self.desk.log) {
                self.log(MessageType::INFO, message)?;
            }
        }
    }

    fn send(&mut self, message: impl Into<Message>) -> io::Result<()> {
        send(&mut self.out, &message.into())
    }

    fn notify<N: n::Notification<Params: Serialize>>(&mut self, params: N::Params) -> io::Result<()> {
        self.send(Notification::new(N::METHOD.into(), params))
    }

    fn log(&mut self, typ: MessageType, message: String) -> io::Result<()> {
        self.notify::<n::LogMessage>(LogMessageParams { typ, message })
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params } = request;
        let answer = match (self.stage, method.as_str()) {
            (Stage::New, r::Initialize::METHOD) => self.initialize(params),
            (Stage::New, _) => Err(Failed::new(ErrorCode::ServerNotInitialized, "`initialize` comes first")),
            (_, r::Initialize::METHOD) => {
                Err(Failed::new(ErrorCode::InvalidRequest, "`initialize` comes once"))
            }
            (Stage::Shut, _) => {
                Err(Failed::new(ErrorCode::InvalidRequest, "after `shutdown` only `exit` comes"))
            }
            (_, r::Shutdown::METHOD) => {
                self.stage = Stage::Shut;
                Ok(serde_json::Value::Null)
            }
            _ if self.taken_back(&id) => {
                Err(Failed::new(ErrorCode::RequestCanceled, "the client has taken the request back"))
            }
            _ => {
                let desk = &mut self.desk;
                catch_unwind(AssertUnwindSafe(|| desk.answer(&method, params))).unwrap_or_else(|_| {
                    let message = format!("`{method}` failed by a mistake of the server");
                    Err(Failed::new(ErrorCode::InternalError, message))
                })
            }
        };
        self.send(match answer {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err(failed) => Response::new_err(id, failed.code as i32, failed.message),
        })
    }

    /// Does a message that waits take this request back?
    fn taken_back(&self, id: &RequestId) -> bool {
        self.queue.iter().any(|received| {
            let Received::Message(Message::Notification(notification)) = received else { return false };
            if notification.method != n::Cancel::METHOD {
                return false;
            }
            let params = serde_json::from_value::<CancelParams>(notification.params.clone());
            params.is_ok_and(|params| match params.id {
                NumberOrString::Number(number) => *id == RequestId::from(number),
                NumberOrString::String(text) => *id == RequestId::from(text),
            })
        })
    }

    fn initialize(&mut self, params: serde_json::Value) -> Result<serde_json::Value, Failed> {
        let params: InitializeParams = serde_json::from_value(params)
            .map_err(|error| Failed::new(ErrorCode::InvalidParams, format!("`initialize`: {error}")))?;
        let general = params.capabilities.general.unwrap_or_default();
        let encodings = general.position_encodings.unwrap_or_default();
        if encodings.contains(&PositionEncodingKind::UTF8) {
            self.encoding = Encoding::Utf8;
        }
        let documents = params.capabilities.text_document.unwrap_or_default();
        let outlines = documents.document_symbol.unwrap_or_default();
        self.desk.trees = outlines.hierarchical_document_symbol_support.unwrap_or(false);
        let actions = documents.code_action.unwrap_or_default().resolve_support;
        self.desk.edits_later = actions.is_some_and(|can| can.properties.iter().any(|name| name == "edit"));
        self.stage = Stage::Open;
        Ok(serde_json::json!({
            "capabilities": capabilities(self.encoding),
            "serverInfo": { "name": self.desk.tool.name, "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        if self.stage != Stage::Open {
            return Ok(());
        }
        let Notification { method, params } = notification;
        let done = match method.as_str() {
            n::DidOpenTextDocument::METHOD => read(params).map(|params| self.open(params)),
            n::DidChangeTextDocument::METHOD => read(params).and_then(|params| self.change(params)),
            n::DidCloseTextDocument::METHOD => match read(params) {
                Ok(params) => return self.close(params),
                Err(why) => Err(why),
            },
            // Others may be of use to other servers.
            _ => Ok(()),
        };
        match done {
            Ok(()) => Ok(()),
            Err(why) => self.log(MessageType::ERROR, format!("`{method}`: {why}")),
        }
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let document =
            Document::new(item.uri.clone(), &item.language_id, item.version, item.text, self.encoding);
        self.desk.documents.insert(item.uri, document);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) -> Result<(), String> {
        let uri = params.text_document.uri;
        let Some(document) = self.desk.documents.get_mut(&uri) else {
            return Err(format!("`{}` is not open", uri.as_str()));
        };
        let version = params.text_document.version;
        document.change(version, params.content_changes).map_err(|refused| match refused {
            Refused::Order(now) => format!(
                "version {version} of `{}` comes after version {now}: the change is not made; close the document and open it again",
                uri.as_str()
            ),
            Refused::Range => format!("a range in `{}` ends before it begins: the change is not made", uri.as_str()),
        })
    }

    fn close(&mut self, params: DidCloseTextDocumentParams) -> io::Result<()> {
        let uri = params.text_document.uri;
        if self.desk.documents.remove(&uri).is_none() {
            return self.log(MessageType::ERROR, format!("`{}` is not open", uri.as_str()));
        }
        self.notify::<n::PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics: Vec::new(),
            version: None,
        })
    }

    /// Send diagnostics of what has changed
    fn publish(&mut self) -> io::Result<()> {
        let (tool, registry) = (self.desk.tool, self.desk.tool.registry);
        let mut messages = Vec::new();
        for document in self.desk.documents.values_mut().filter(|document| !document.published) {
            document.published = true;
            let diagnostics = catch_unwind(AssertUnwindSafe(|| {
                document.refresh(tool).map(|()| reports::all(document, &registry))
            }));
            match diagnostics {
                Ok(Ok(diagnostics)) => messages.push(PublishDiagnosticsParams {
                    uri: document.uri.clone(),
                    version: Some(document.version),
                    diagnostics,
                }),
                Ok(Err(error)) => self.desk.log.push(error.message),
                Err(_) => self.desk.log.push("diagnostics failed by a mistake of the server".into()),
            }
        }
        for message in messages {
            self.notify::<n::PublishDiagnostics>(message)?;
        }
        Ok(())
    }
}

fn read<P: DeserializeOwned>(params: serde_json::Value) -> Result<P, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let words = |words: &[&str]| Some(words.iter().map(|word| word.to_string()).collect());
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true),
            trigger_characters: words(&[".", "%", "@", "^", "!", "#", "{", ",", "("]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::from(CHECKS)]),
            resolve_provider: Some(true),
            ..CodeActionOptions::default()
        })),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        ..ServerCapabilities::default()
    }
}
