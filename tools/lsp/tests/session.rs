//! One session from hello to good-bye: a function is written, mended, renamed, formatted.

use crate::client::{Client, at, edited, hello};
use serde_json::{Value, json};

#[test]
fn from_hello_to_good_bye() {
    let mut client = Client::start();
    let answer = client.request("initialize", hello());
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["serverInfo"]["name"], "terrace-lsp");
    client.notify("initialized", json!({}));

    // Four mistakes in one function, of the parser and of the verifier.
    let mut text = "// 💧
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.adid %a, %b : i32
  %1 = arith.muli %0, %c : i32
  %2 = arith.constant 7 : i8
  %3 = arith.addi %2, %a : i32
  return %1 : i64
}
func.func @g() -> i32 {
  %c = arith.constant 1 : i32
  return
}
"
    .to_string();
    client.open("file:///t.mlir", "mlir", &text);
    let found = client.diagnostics();
    let lines: Vec<&str> = found.iter().filter_map(|message| message.split(':').next()).collect();
    assert_eq!(lines, ["3", "6", "7", "4", "11"], "{found:#?}");

    // The quick fix of the first.
    let here = at(&text, "adid", 0, 0);
    let range = json!({"start": here["position"], "end": here["position"]});
    let actions = client.request(
        "textDocument/codeAction",
        json!({"textDocument": here["textDocument"], "range": range, "context": {"diagnostics": []}}),
    );
    assert_eq!(actions[0]["title"], "write `arith.addi`");
    let fixed = edited(&text, &actions[0]["edit"]["changes"]["file:///t.mlir"]);
    assert_eq!(fixed.lines().nth(2), Some("  %0 = arith.addi %a, %b : i32"));

    client.edit(&mut text, "adid", 0, "addi");
    client.edit(&mut text, "%c : i32", 0, "%0 : i32");
    client.edit(&mut text, "7 : i8", 0, "7 : i32");
    client.edit(&mut text, "%1 : i64", 0, "%1 : i32");
    let mut found = client.diagnostics();
    while found.len() != 1 {
        // An edit before the last may have been looked at.
        found = client.diagnostics();
    }
    assert!(found[0].starts_with("11: "), "{found:?}");
    client.edit(&mut text, "  return\n", 0, "  return %c : i32\n");
    assert_eq!(client.diagnostics(), Vec::<String>::new());

    let mut params = at(&text, "%1 = ", 0, 1);
    params["newName"] = json!("product");
    let edits = client.request("textDocument/rename", params);
    let new = edited(&text, &edits["changes"]["file:///t.mlir"]);
    assert!(
        new.contains("%product = arith.muli %0, %0 : i32") && new.contains("return %product : i32"),
        "{new}"
    );

    client.edit(&mut text, "  %0 = arith.addi", 0, "      %0   =   arith.addi");
    let params =
        json!({"textDocument": {"uri": "file:///t.mlir"}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = client.request("textDocument/formatting", params);
    let new = edited(&text, &edits);
    assert!(new.contains("\n  %0 = arith.addi %a, %b : i32\n") && new.starts_with("// 💧\n"), "{new}");

    client.notify("textDocument/didClose", json!({"textDocument": {"uri": "file:///t.mlir"}}));
    loop {
        let params = client.heard("textDocument/publishDiagnostics");
        if params["version"] == Value::Null {
            assert_eq!(params["diagnostics"], json!([]));
            break;
        }
    }
    assert!(client.finish().success());
}
