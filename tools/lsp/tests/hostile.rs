//! What no editor should do: the server says what is wrong and goes on, or ends with a reason.

use crate::client::{Client, at, hello};
use serde_json::{Value, json};

#[test]
fn streams_that_break_off_end_the_server_with_a_reason() {
    for (bytes, why) in [
        (&b"Content-Len"[..], "a header line ends with"),
        (b"Content-Length: 40\r\n\r\n{\"jsonrpc\":", "ends after 11"),
        (b"Content-Length: 1e9\r\n\r\n", "`1e9` is no length of a message"),
        (b"Content-Length: 99999999999999999999\r\n\r\n", "is no length of a message"),
        (b"\xff\xfe\x00\r\n\r\n", "is no header"),
        (b"\r\n", "a message without `Content-Length`"),
    ] {
        let mut client = Client::ready();
        client.raw(bytes);
        let (status, said) = client.wait();
        assert_eq!(status.code(), Some(1));
        assert!(said.starts_with("terrace-lsp: ") && said.contains(why), "{said}");
    }
}

#[test]
fn ends_without_good_bye_are_failures() {
    let mut client = Client::ready();
    assert_eq!(client.wait().0.code(), Some(1));
    let mut client = Client::ready();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait().0.code(), Some(1));
    let mut client = Client::start();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait().0.code(), Some(1));
}

#[test]
fn messages_out_of_order_are_refused() {
    let mut client = Client::start();
    let here = json!({"textDocument": {"uri": "file:///t.mlir"}, "position": {"line": 0, "character": 0}});
    assert_eq!(
        client.refused("textDocument/hover", here.clone()),
        (-32002, "`initialize` comes first".into())
    );
    // Documents before hello are not opened.
    client.open("file:///t.mlir", "mlir", "");
    client.request("initialize", hello());
    assert_eq!(client.refused("initialize", hello()).0, -32600);
    let (code, why) = client.refused("textDocument/hover", here.clone());
    assert_eq!((code, why.as_str()), (-32602, "`file:///t.mlir` is not open"));
    client.request("shutdown", Value::Null);
    assert_eq!(client.refused("textDocument/hover", here).0, -32600);
    assert_eq!(client.refused("shutdown", Value::Null).0, -32600);
    client.notify("exit", Value::Null);
    assert!(client.wait().0.success());
}

#[test]
fn what_is_no_message_or_unknown_is_said_and_forgotten() {
    let mut client = Client::with("func.func @f() {\n  return\n}\n");
    let heard = |client: &mut Client, what: &str| {
        let message = client.heard("window/logMessage")["message"].as_str().unwrap_or("").to_string();
        assert!(message.contains(what), "{message}");
    };
    client.raw(b"Content-Length: 7\r\n\r\n{\"a\": }");
    heard(&mut client, "no message");
    client.raw(b"Content-Length: 2\r\n\r\n[]");
    heard(&mut client, "no message");
    assert_eq!(client.refused("workspace/noSuchThing", json!({})).0, -32601);
    assert_eq!(client.refused("textDocument/hover", json!({"position": 3})).0, -32602);
    assert_eq!(client.refused("textDocument/hover", Value::Null).0, -32602);
    client.notify("$/noSuchThing", json!([1, 2]));
    client.notify("textDocument/didOpen", json!({"textDocument": 7}));
    heard(&mut client, "textDocument/didOpen");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": "file:///other"}}));
    heard(&mut client, "`file:///other` is not open");
    let change = json!({"textDocument": {"uri": "file:///other", "version": 2}, "contentChanges": []});
    client.notify("textDocument/didChange", change);
    heard(&mut client, "`file:///other` is not open");
    client.send(&json!({"jsonrpc": "2.0", "id": 77, "result": null}));
    assert!(client.finish().success());
}

#[test]
fn edits_out_of_order_are_not_made() {
    let mut text = "func.func @f() {\n  return\n}\n".to_string();
    let mut client = Client::with(&text);
    client.edit(&mut text, "@f", 0, "@g");
    let start = json!({"line": 0, "character": 0});
    for (version, range, why) in [
        (2, json!({"start": start, "end": start}), "version 2 of `file:///t.mlir` comes after version 2"),
        (1, json!({"start": start, "end": start}), "version 1 of"),
        (3, json!({"start": {"line": 1, "character": 0}, "end": start}), "ends before it begins"),
    ] {
        client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": "file:///t.mlir", "version": version},
                "contentChanges": [{"range": range, "text": "garbage"}],
            }),
        );
        let message = client.heard("window/logMessage")["message"].as_str().unwrap_or("").to_string();
        assert!(message.contains(why), "{message}");
    }
    // The text is what it was.
    let tree =
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": "file:///t.mlir"}}));
    assert_eq!(tree[0]["name"], "g");
    client.edit(&mut text, "@g", 0, "@h");
    let tree =
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": "file:///t.mlir"}}));
    assert_eq!(tree[0]["name"], "h");
}

#[test]
fn a_message_may_have_many_changes() {
    // Two megabytes; each change would take milliseconds if the lines of the whole text were found again.
    let lines = 50_000;
    let text = "// a comment of about forty bytes, →→→→→\n".repeat(lines);
    let mut client = Client::with(&(text + "func.func @f() {\n  return\n}\n"));
    client.heard("textDocument/publishDiagnostics");
    // From the last line to the first, as editors send them; the last change is at the end again.
    let place = |line: usize, character: usize| json!({"line": line, "character": character});
    let mut changes: Vec<Value> = (0..lines)
        .rev()
        .map(|line| json!({"range": {"start": place(line, 3), "end": place(line, 4)}, "text": "é\n// "}))
        .collect();
    let name = json!({"start": place(2 * lines, 11), "end": place(2 * lines, 12)});
    changes.push(json!({"range": name, "text": "g"}));
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "file:///t.mlir", "version": 2}, "contentChanges": changes}),
    );
    let params = json!({"textDocument": {"uri": "file:///t.mlir"}});
    let tree = client.request("textDocument/documentSymbol", params);
    assert_eq!((&tree[0]["name"], &tree[0]["range"]["start"]["line"]), (&json!("g"), &json!(2 * lines)));
}

#[test]
fn requests_that_are_taken_back_are_not_worked_on() {
    let mut client = Client::with("");
    // One stream of bytes, so that the message that takes it back is there when the request's turn comes.
    let body = |value: Value| {
        let text = value.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    let mut all = String::new();
    for id in 100..140 {
        let here =
            json!({"textDocument": {"uri": "file:///t.mlir"}, "position": {"line": 0, "character": 0}});
        all +=
            &body(json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/completion", "params": here}));
    }
    for id in 100..140 {
        all += &body(json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}));
    }
    client.raw(all.as_bytes());
    let answers: Vec<Value> = (100..140).map(|id| client.answer(id)).collect();
    let cancelled = answers.iter().filter(|answer| answer["error"]["code"] == -32800).count();
    // Those before the server had read on have their answers.
    assert!(cancelled > 0 && answers.iter().all(|a| a["error"].is_null() || a["error"]["code"] == -32800));
}

#[test]
fn positions_outside_and_texts_that_are_none() {
    let mut client = Client::ready();
    for text in [
        "",
        "\u{feff}",
        "{{{{",
        "}}}}",
        "\"",
        "%",
        "^",
        "@",
        "#",
        "!",
        "%x = ",
        "func.func @f(",
        "func.func @f() {\n  %x:2 = \"a.b\"() : () -> (i32\n",
        "func.func @f(%x: i32) {\n  ^",
        "#a = #a\n!b = !b\n\"x\"() {a = #a} : () -> !b",
        "\"a\"() ({\n^a:\n  \"b\"()[^a, ^b] : () -> ()\n^a:\n}) : () -> ()",
        "// test: opt --pipeline=\"\n// pipeline='{\n// pipeline=",
        "\0\u{1}💧\r\r\n\r%💧",
        &"module @m {\n".repeat(5000),
        &format!("{}{}", "module @m {\n".repeat(5000), "}\n".repeat(5000)),
        &"(".repeat(5000),
        &format!("%x = \"a.b\"() : () -> {}i32", "tuple<".repeat(5000)),
    ] {
        client.open("file:///t.mlir", "mlir", text);
        client.heard("textDocument/publishDiagnostics");
        for line in [0, 1, 2, 7, u32::MAX] {
            for character in [0, 1, 2, 5, 14, u32::MAX] {
                let here = json!({
                    "textDocument": {"uri": "file:///t.mlir"}, "position": {"line": line, "character": character},
                });
                let mut with = here.clone();
                with["context"] = json!({"includeDeclaration": true});
                client.request("textDocument/hover", here.clone());
                client.request("textDocument/definition", here.clone());
                client.request("textDocument/references", with);
                client.request("textDocument/completion", here.clone());
                client.request("textDocument/prepareRename", here);
            }
        }
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": "file:///t.mlir"}}));
    }
    assert!(client.finish().success());
}

#[test]
fn a_long_text_with_requests_at_every_place() {
    // Every prefix of a program: somebody types it.
    let text = "#m = affine_map<(d0) -> (d0)>
func.func @f(%x: i32, %m: memref<4xf32, #m>) -> i32 {
  %two:2 = \"my.pair\"(%x) {note = @f::@g} : (i32) -> (i32, f32)
  cf.br ^next(%two#0 : i32)
^next(%y: i32):
  return %y : i32
}
";
    let mut client = Client::ready();
    for end in (0..text.len()).step_by(3) {
        let typed = &text[..end];
        client.open("file:///t.mlir", "mlir", typed);
        let here = json!({
            "textDocument": {"uri": "file:///t.mlir"}, "position": crate::client::position(typed, end),
        });
        client.request("textDocument/completion", here.clone());
        client.request("textDocument/hover", here.clone());
        client.request("textDocument/definition", here);
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": "file:///t.mlir"}}));
    }
    client.open("file:///t.mlir", "mlir", text);
    let answer = client.request("textDocument/definition", at(text, "%y :", 0, 1));
    assert_eq!(answer["range"]["start"]["line"], 4);
}
