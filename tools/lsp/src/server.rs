//! The session: from the first message to the last.
//!
//! One thread reads messages, and this one handles them in order. Changes come first: diagnostics are made when no message
//! waits, or when they are overdue. A request that the client has cancelled before its turn is not handled. The runs of a test
//! file have a thread of their own, one at a time. A panic in an answer costs that answer only.

use crate::answers::{Desk, Failed, Reply};
use crate::capabilities::capabilities;
use crate::checks::{Run, Written};
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
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeParams, LogMessageParams, MessageType, NumberOrString, PositionEncodingKind,
    PublishDiagnosticsParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use terrace_opt::Tool;
use terrace_support::HashSet;

/// Diagnostics are made when the client has been silent for so long
const PAUSE: Duration = Duration::from_millis(30);
/// They are made this long after a change even if the client is never silent
const OVERDUE: Duration = Duration::from_millis(300);
/// Bytes of the stack of a thread for runs, as the first thread of a process has them
const STACK: usize = 8 << 20;

/// What a session works on
pub enum Event {
    /// Something from the client
    Received(Received),
    /// The runs in progress have ended
    Written(Written),
}

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
    queue: VecDeque<Event>,
    /// Requests that messages in the queue take back
    cancelled: HashSet<RequestId>,
    /// For the thread that makes runs
    to: Sender<Event>,
    /// The runs in progress, and the request that waits for them unless the client has taken it back
    running: Option<(Option<RequestId>, Arc<Run>)>,
}

impl<W: Write> Server<W> {
    /// A session that has not begun; events are also sent to it from here
    pub fn new(tool: Tool, out: W, to: Sender<Event>) -> Server<W> {
        let desk =
            Desk { tool, documents: BTreeMap::new(), trees: false, edits_later: false, log: Vec::new() };
        let (encoding, queue, cancelled) = (Encoding::Utf16, VecDeque::new(), HashSet::default());
        Server { desk, out, stage: Stage::New, encoding, queue, cancelled, to, running: None }
    }

    /// Work until the end; the error is that the client no longer listens
    pub fn run(&mut self, from: &Receiver<Event>) -> io::Result<Ended> {
        loop {
            for event in from.try_iter() {
                self.cancelled.extend(cancelled(&event));
                self.queue.push_back(event);
            }
            let next = match self.queue.pop_front() {
                Some(next) => next,
                None => match self.wait(from)? {
                    Some(next) => next,
                    None => return Ok(Ended::Early),
                },
            };
            if let Some(ended) = self.event(next)? {
                return Ok(ended);
            }
            if self.oldest().is_some_and(|(since, _)| since.elapsed() >= OVERDUE) {
                self.publish()?;
            }
            self.say()?;
        }
    }

    /// Work on an event; the result is that it ends the session
    fn event(&mut self, event: Event) -> io::Result<Option<Ended>> {
        match event {
            Event::Written(written) => self.written(written)?,
            Event::Received(Received::Message(Message::Request(request))) => self.request(request)?,
            Event::Received(Received::Message(Message::Notification(notification))) => {
                if notification.method == n::Exit::METHOD {
                    return Ok(Some(if self.stage == Stage::Shut { Ended::Well } else { Ended::Early }));
                }
                self.notification(notification)?;
            }
            // Nothing is asked of the client.
            Event::Received(Received::Message(Message::Response(_))) => {}
            Event::Received(Received::Malformed(why)) => {
                self.log(MessageType::ERROR, format!("no message: {why}"))?;
            }
            Event::Received(Received::End(None)) => return Ok(Some(Ended::Early)),
            Event::Received(Received::End(Some(why))) => return Ok(Some(Ended::Broken(why))),
        }
        Ok(None)
    }

    /// The next event; diagnostics are made while there is none
    fn wait(&mut self, from: &Receiver<Event>) -> io::Result<Option<Event>> {
        let mut pause = PAUSE;
        while self.oldest().is_some() {
            match from.recv_timeout(pause) {
                Ok(next) => return Ok(Some(next)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => self.publish()?,
            }
            // The client is silent. Each document is read on its own, so that a message has to wait for one only.
            pause = Duration::ZERO;
            self.say()?;
        }
        Ok(from.recv().ok())
    }

    /// Send what is to be logged
    fn say(&mut self) -> io::Result<()> {
        for (typ, message) in std::mem::take(&mut self.desk.log) {
            self.log(typ, message)?;
        }
        Ok(())
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
            _ if self.cancelled.contains(&id) => Err(taken_back()),
            _ => {
                let desk = &mut self.desk;
                let reply = catch_unwind(AssertUnwindSafe(|| desk.answer(&method, params)));
                match reply.unwrap_or_else(|_| Err(failed(&method))) {
                    Ok(Reply::Now(value)) => Ok(value),
                    Ok(Reply::Run(run)) => match self.start(&id, *run) {
                        Ok(()) => return Ok(()),
                        Err(failed) => Err(failed),
                    },
                    Err(failed) => Err(failed),
                }
            }
        };
        self.respond(id, answer)
    }

    fn respond(&mut self, id: RequestId, answer: Result<serde_json::Value, Failed>) -> io::Result<()> {
        self.send(match answer {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err(failed) => Response::new_err(id, failed.code as i32, failed.message),
        })
    }

    /// Begin runs on a thread of their own; the request is answered when they end
    fn start(&mut self, id: &RequestId, run: Run) -> Result<(), Failed> {
        if self.running.is_some() {
            let message = "the runs of a test file are being made: ask again when they have ended";
            return Err(Failed::new(ErrorCode::RequestFailed, message));
        }
        let run = Arc::new(run);
        let (tool, to, work) = (self.desk.tool, self.to.clone(), run.clone());
        let thread = std::thread::Builder::new().stack_size(STACK);
        let spawned = thread.spawn(move || {
            let written = work.work(tool);
            drop(work);
            // The session may have ended.
            let _ = to.send(Event::Written(written));
        });
        spawned.map_err(|error| Failed::new(ErrorCode::InternalError, error.to_string()))?;
        self.running = Some((Some(id.clone()), run));
        Ok(())
    }

    /// The runs in progress have ended
    fn written(&mut self, written: Written) -> io::Result<()> {
        let Some((id, run)) = self.running.take() else { return Ok(()) };
        let (Some(id), Some(run)) = (id, Arc::into_inner(run)) else { return Ok(()) };
        let desk = &mut self.desk;
        let answer = catch_unwind(AssertUnwindSafe(|| desk.finish(run, written)));
        self.respond(id, answer.unwrap_or_else(|_| Err(failed("codeAction/resolve"))))
    }

    /// The client takes a request back; of those before, only one that waits for runs is still to be answered
    fn cancel(&mut self, params: CancelParams) -> io::Result<()> {
        let id = id_of(params);
        self.cancelled.remove(&id);
        let waiting =
            self.running.as_mut().and_then(|(waiting, _)| waiting.take_if(|waiting| *waiting == id));
        match waiting {
            Some(id) => self.respond(id, Err(taken_back())),
            None => Ok(()),
        }
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
            n::Cancel::METHOD => match read(params) {
                Ok(params) => return self.cancel(params),
                Err(why) => Err(why),
            },
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

    /// The document with the oldest change whose diagnostics have not been sent
    fn oldest(&mut self) -> Option<(Instant, &mut Document)> {
        let documents = self.desk.documents.values_mut();
        let waiting = documents.filter_map(|document| Some((document.unpublished?, document)));
        waiting.min_by_key(|(since, _)| *since)
    }

    /// Send diagnostics of the document that has waited the longest
    fn publish(&mut self) -> io::Result<()> {
        let (tool, registry) = (self.desk.tool, self.desk.tool.registry);
        let Some((_, document)) = self.oldest() else { return Ok(()) };
        document.unpublished = None;
        let diagnostics = catch_unwind(AssertUnwindSafe(|| {
            document.refresh(tool).map(|()| reports::all(document, &registry))
        }));
        let (uri, version) = (document.uri.clone(), Some(document.version));
        let why = match diagnostics {
            Ok(Ok(diagnostics)) => {
                let params = PublishDiagnosticsParams { uri, version, diagnostics };
                return self.notify::<n::PublishDiagnostics>(params);
            }
            Ok(Err(error)) => error.message,
            Err(_) => "a mistake of the server".into(),
        };
        let message = format!("there are no diagnostics of `{}`: {why}", uri.as_str());
        self.log(MessageType::ERROR, message)
    }
}

fn failed(method: &str) -> Failed {
    Failed::new(ErrorCode::InternalError, format!("`{method}` failed by a mistake of the server"))
}

fn taken_back() -> Failed {
    Failed::new(ErrorCode::RequestCanceled, "the client has taken the request back")
}

fn read<P: DeserializeOwned>(params: serde_json::Value) -> Result<P, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

/// The request that a message takes back
fn cancelled(event: &Event) -> Option<RequestId> {
    let Event::Received(Received::Message(Message::Notification(notification))) = event else { return None };
    let is_cancel = notification.method == n::Cancel::METHOD;
    is_cancel.then(|| serde_json::from_value(notification.params.clone()).ok().map(id_of)).flatten()
}

fn id_of(params: CancelParams) -> RequestId {
    match params.id {
        NumberOrString::Number(number) => RequestId::from(number),
        NumberOrString::String(text) => RequestId::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Sends what is written
    struct Pipe(Sender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn twice() -> Vec<&'static terrace_ir::Dialect> {
        let all = (Tool::OPT.dialects)();
        all.iter().chain(&all).copied().collect()
    }

    #[test]
    fn diagnostics_that_cannot_be_made_are_logged_at_once() {
        let (to, from) = channel();
        let (out, said) = channel();
        // Dialects that cannot be registered together; the program itself would not have begun.
        let tool = Tool { dialects: twice, ..Tool::OPT };
        let mut server = Server::new(tool, Pipe(out), to.clone());
        let session = std::thread::spawn(move || server.run(&from).expect("it can write"));
        let item =
            serde_json::json!({"uri": "file:///t.mlir", "languageId": "mlir", "version": 1, "text": ""});
        let hello = Request::new(1.into(), "initialize".into(), serde_json::json!({"capabilities": {}}));
        let open = serde_json::json!({"textDocument": item});
        let open = Notification::new("textDocument/didOpen".into(), open);
        for message in [Message::Request(hello), Message::Notification(open)] {
            to.send(Event::Received(Received::Message(message))).expect("it listens");
        }
        // No further message comes.
        let mut text = String::new();
        while !text.contains("there are no diagnostics of `file:///t.mlir`") {
            let bytes = said.recv_timeout(Duration::from_secs(60)).expect("the log");
            text += &String::from_utf8(bytes).expect("text");
        }
        to.send(Event::Received(Received::End(None))).expect("it listens");
        assert_eq!(session.join().expect("no panic"), Ended::Early);
    }
}
