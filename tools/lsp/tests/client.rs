//! A client: starts the server and speaks with it over pipes.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than anything takes
const PATIENCE: Duration = Duration::from_secs(60);

/// A server at work, and what it has said
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// Notifications that no test has looked at yet
    pending: VecDeque<Value>,
    next: i32,
    version: i32,
}

impl Client {
    /// Start the server and nothing more
    pub fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_terrace-lsp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (to, output) = channel();
        let mut from = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            while let Some(message) = read(&mut from) {
                if to.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Client { child, input, output, pending: VecDeque::new(), next: 0, version: 0 }
    }

    /// Start the server and say hello as an editor that knows everything
    pub fn ready() -> Client {
        let mut client = Client::start();
        let answer = client.request("initialize", hello());
        assert!(answer["capabilities"]["hoverProvider"].as_bool().unwrap_or(false), "{answer}");
        client.notify("initialized", json!({}));
        client
    }

    /// A server that has read a document
    pub fn with(text: &str) -> Client {
        let mut client = Client::ready();
        client.open("file:///t.mlir", "mlir", text);
        client
    }

    /// Bytes as they are
    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        // A server that has given up does not listen.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// The server hears no more
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Send a request; its number
    pub fn ask(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn receive(&mut self) -> Value {
        self.output.recv_timeout(PATIENCE).expect("the server answers")
    }

    /// The whole answer to a request
    pub fn answer(&mut self, id: i32) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.pending.push_back(message);
        }
    }

    /// Request and result
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Request and the error that it has for an answer: its code and message
    pub fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        let error = &answer["error"];
        (error["code"].as_i64().unwrap_or(0), error["message"].as_str().unwrap_or("no error").to_string())
    }

    /// Parameters of the next notification of this kind
    pub fn heard(&mut self, method: &str) -> Value {
        let at = self.pending.iter().position(|message| message["method"] == method);
        if let Some(message) = at.and_then(|at| self.pending.remove(at)) {
            return message["params"].clone();
        }
        loop {
            let message = self.receive();
            if message["method"] == method {
                return message["params"].clone();
            }
            self.pending.push_back(message);
        }
    }

    /// Has a notification of this kind come in the meantime?
    pub fn has_heard(&self, method: &str) -> bool {
        self.pending.iter().any(|message| message["method"] == method)
    }

    pub fn open(&mut self, uri: &str, language: &str, text: &str) {
        self.version = 1;
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Replace the `n`th occurrence of a part of the text, in the text and in the document
    pub fn edit(&mut self, text: &mut String, part: &str, n: usize, new: &str) {
        let start = nth(text, part, n);
        let range = json!({"start": position(text, start), "end": position(text, start + part.len())});
        text.replace_range(start..start + part.len(), new);
        self.version += 1;
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": "file:///t.mlir", "version": self.version},
                "contentChanges": [{"range": range, "text": new}],
            }),
        );
    }

    /// The messages about the document, as `line: message` with lines from 1
    pub fn diagnostics(&mut self) -> Vec<String> {
        let params = self.heard("textDocument/publishDiagnostics");
        let list = params["diagnostics"].as_array().expect("a list");
        let show = |d: &Value| {
            let line = d["range"]["start"]["line"].as_u64().unwrap_or(0) + 1;
            format!("{line}: {}", d["message"].as_str().unwrap_or("").lines().next().unwrap_or(""))
        };
        list.iter().map(show).collect()
    }

    /// Say good-bye; how the server ends
    pub fn finish(mut self) -> ExitStatus {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.wait().0
    }

    /// How the server ends, and what it says on standard error
    pub fn wait(&mut self) -> (ExitStatus, String) {
        self.close_input();
        let status = self.child.wait().expect("it ends");
        let mut said = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.read_to_string(&mut said);
        }
        (status, said)
    }

    /// Processor time of the server so far
    pub fn worked(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // Behind the program's name in parentheses; Linux counts in hundredths of a second.
        let (_, fields) = stat.rsplit_once(')')?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0));
        Some(Duration::from_millis(ticks.sum::<u64>() * 10))
    }

    /// Bytes of memory that the server has now
    pub fn memory(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// What an editor says first
pub fn hello() -> Value {
    json!({"processId": null, "rootUri": null, "capabilities": {
        "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}},
    }})
}

/// Where the `n`th occurrence of a text begins
pub fn nth(text: &str, part: &str, n: usize) -> usize {
    text.match_indices(part).nth(n).unwrap_or_else(|| panic!("`{part}` occurs {n} times")).0
}

/// An offset as line and column in UTF-16
pub fn position(text: &str, offset: usize) -> Value {
    let line = text[..offset].matches('\n').count();
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let column: usize = text[start..offset].chars().map(char::len_utf16).sum();
    json!({"line": line, "character": column})
}

/// Parameters of a request about the `n`th occurrence of a text, so many bytes behind its beginning
pub fn at(text: &str, part: &str, n: usize, behind: usize) -> Value {
    let position = position(text, nth(text, part, n) + behind);
    json!({"textDocument": {"uri": "file:///t.mlir"}, "position": position})
}

/// The text of a range
pub fn slice<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[offset(text, &range["start"])..offset(text, &range["end"])]
}

/// The offset of a position
pub fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().expect("a line") as usize;
    let start = if line == 0 { 0 } else { nth(text, "\n", line - 1) + 1 };
    let mut left = position["character"].as_u64().expect("a column") as usize;
    let mut at = start;
    for c in text[start..].chars() {
        if left == 0 {
            break;
        }
        left -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

/// A text with the edits of one document made
pub fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list of edits")
        .iter()
        .map(|edit| {
            let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
            (offset(text, start), offset(text, end), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_string();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}
