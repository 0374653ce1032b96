//! Long files and long sessions.

use crate::client::{Client, at};
use serde_json::{Value, json};

/// Functions of some ops each, of at least so many bytes
fn program(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    let mut function = 0;
    while text.len() < bytes {
        text += &format!("func.func @f{function}(%a: i32, %b: i32) -> i32 {{\n");
        text += "  %0 = arith.addi %a, %b : i32\n";
        for n in 1..200 {
            text += &format!("  %{n} = arith.muli %{}, %a : i32\n", n - 1);
        }
        text += "  return %199 : i32\n}\n";
        function += 1;
    }
    text
}

#[test]
fn a_file_of_50_megabytes() {
    let mut text = program(50 << 20);
    text += "func.func @last() {\n  return %nothing : i32\n}\n";
    let mut client = Client::with(&text);
    let params = client.heard("textDocument/publishDiagnostics");
    let list = params["diagnostics"].as_array().expect("a list");
    assert_eq!(list.len(), 1, "{params}");
    let answer = client.request("textDocument/hover", at(&text, "%nothing", 0, 1));
    assert_eq!(answer, Value::Null);
    let line = list[0]["range"]["start"]["line"].as_u64();
    assert_eq!(line, Some(text.matches('\n').count() as u64 - 2));
}

#[test]
fn changes_of_a_long_function_are_read_while_one_types() {
    let (ops, changes) = (100_000, 20);
    let mut text = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n".to_string();
    for n in 1..ops {
        text += &format!("  %{n} = arith.muli %{}, %a : i32\n", n - 1);
    }
    text += &format!("  return %{} : i32\n}}\n", ops - 1);
    let mut client = Client::with(&text);
    client.heard("textDocument/publishDiagnostics");
    let Some(before) = client.worked() else { return };
    let (muli, subi) = ("%50000 = arith.muli", "%50000 = arith.subi");
    for n in 0..changes {
        let (old, new) = if n % 2 == 0 { (muli, subi) } else { (subi, muli) };
        client.edit(&mut text, old, 0, new);
        assert_eq!(client.diagnostics(), Vec::<String>::new());
    }
    let each = client.worked().unwrap_or_default().saturating_sub(before) / changes;
    println!("{} bytes, {each:?} of processor time for each change", text.len());
    assert!(each.as_millis() < 1000, "{each:?}");
}

/// Edits of a long session; all that the issue names where the environment says so
fn edits() -> usize {
    if std::env::var_os("TERRACE_LSP_EDITS").is_some() { 10_000 } else { 800 }
}

#[test]
fn memory_is_bounded_however_long_one_types() {
    // Each state of the text is read, and has names and numbers that were never there before.
    let mut text = program(100_000);
    let mut client = Client::with(&text);
    client.heard("textDocument/publishDiagnostics");
    let symbols = json!({"textDocument": {"uri": "file:///t.mlir"}});
    let mut early = 0;
    let mut last = "%0 = arith.addi %a, %b : i32".to_string();
    for n in 0..edits() {
        let new = format!("%0 = \"my.op{n}\"(%a, %b) {{x = {n} : i64}} : (i32, i32) -> i32");
        client.edit(&mut text, &last, 0, &new);
        last = new;
        client.request("textDocument/documentSymbol", symbols.clone());
        // By now texts have been dropped once.
        if n == edits() / 2 {
            early = client.memory().unwrap_or(0);
        }
    }
    let late = client.memory().unwrap_or(0);
    // All texts together are several times this.
    assert!(late < early + (32 << 20), "{early} bytes half-way, {late} at the end");
    assert!(client.finish().success());
}

#[test]
fn memory_is_bounded_however_often_one_formats() {
    // Each time the new text is read, to see that it is the same program.
    let text = program(1 << 20).replacen("  %0 = arith.addi", "      %0 = arith.addi", 1);
    let mut client = Client::with(&text);
    client.heard("textDocument/publishDiagnostics");
    let params =
        json!({"textDocument": {"uri": "file:///t.mlir"}, "options": {"tabSize": 2, "insertSpaces": true}});
    let (times, mut early) = (40, 0);
    for n in 0..times {
        let edits = client.request("textDocument/formatting", params.clone());
        assert_eq!(edits.as_array().map_or(0, Vec::len), 1);
        if n == times / 4 {
            early = client.memory().unwrap_or(0);
        }
    }
    let late = client.memory().unwrap_or(0);
    // The texts that were read since are twice this.
    assert!(late < early + (15 << 20), "{early} bytes after a quarter, {late} at the end");
}
