//! Each feature: what it shows, and where it shows nothing.

use crate::client::{Client, at, edited, slice};
use serde_json::{Value, json};

const TEXT: &str = "// test: opt --pipeline=\"func.func(cse,canonicalize)\"
#map = affine_map<(d0) -> (d0)>
!buffer = memref<4xf32>
memref.global \"private\" @table : memref<4xf32> = dense<1.0>
func.func private @callee(i32) -> i32
func.func @f(%x: i32, %m: !buffer) -> i32 {
  %two:2 = \"my.pair\"(%x) {note = #map} : (i32) -> (i32, f32)
  %t = memref.get_global @table : memref<4xf32>
  %zero = arith.constant 0 : index
  %e = memref.load %m[%zero] : !buffer
  %c = arith.cmpi slt, %two#0, %x : i32
  cf.cond_br %c, ^yes(%x : i32), ^no
^yes(%y: i32):
  %called = func.call @callee(%y) : (i32) -> i32
  return %called : i32
^no:
  %sum = arith.addi %x, %two#0 overflow<nsw> : i32
  return %sum : i32
}
module @inner {
  func.func @callee(%q: f32) -> f32 {
    return %q : f32
  }
  func.func @user(%x: f32) -> f32 {
    %r = call @callee(%x) : (f32) -> f32
    return %r : f32
  }
}
";

fn opened(text: &str) -> Client {
    let mut client = Client::with(text);
    assert_eq!(client.diagnostics(), Vec::<String>::new());
    client
}

fn hover(client: &mut Client, part: &str, n: usize, behind: usize) -> (String, String) {
    let answer = client.request("textDocument/hover", at(TEXT, part, n, behind));
    let text = answer["contents"]["value"].as_str().unwrap_or("nothing").to_string();
    let range = if answer.is_null() { String::new() } else { slice(TEXT, &answer["range"]).to_string() };
    (range, text)
}

#[test]
fn hover_knows_values_ops_symbols_types_attributes_and_passes() {
    let mut client = opened(TEXT);
    let mut shown = |part: &str, n: usize, behind: usize| hover(&mut client, part, n, behind);
    let (range, text) = shown("%two#0", 0, 2);
    assert_eq!(range, "%two");
    assert!(text.contains("%two#0 : i32") && text.contains("\"my.pair\"(%x)"), "{text}");
    let (_, text) = shown("%two:2", 0, 1);
    assert!(text.contains("%two:2 : i32, f32"), "{text}");
    let (_, text) = shown("%y)", 0, 1);
    assert!(text.contains("%y : i32") && text.contains("an argument"), "{text}");
    let (range, text) = shown("arith.addi", 0, 8);
    assert_eq!(range, "arith.addi");
    assert!(text.starts_with("**arith.addi**") && text.len() > 60, "{text}");
    let (range, text) = shown("\"my.pair\"", 0, 4);
    assert_eq!(range, "my.pair");
    assert!(text.contains("`my` is not registered"), "{text}");
    let (_, text) = shown("@callee(%y)", 0, 2);
    assert!(text.contains("func.func private @callee(i32) -> i32"), "{text}");
    let (_, text) = shown("@callee(%x)", 0, 2);
    assert!(text.contains("func.func @callee(%q: f32) -> f32"), "{text}");
    let (_, text) = shown("!buffer", 1, 2);
    assert!(text.contains("!buffer = memref<4xf32>"), "{text}");
    let (_, text) = shown("f32>", 1, 1);
    assert!(text.contains("f32"), "{text}");
    let (_, text) = shown("^no", 0, 1);
    assert!(text.contains("^no:"), "{text}");
    let (range, text) = shown("canonicalize", 0, 3);
    assert_eq!(range, "canonicalize");
    assert!(text.starts_with("**canonicalize**"), "{text}");
    assert_eq!(shown("  return %sum", 0, 1).1, "nothing");
}

#[test]
fn definitions_and_references() {
    let mut client = opened(TEXT);
    // The part, and what its definition is, with what is behind it.
    for (part, n, def) in [
        ("%x)", 0, "%x: i32, %m"),
        ("%two#0", 1, "%two:2"),
        ("@table :", 1, "@table : memref<4xf32> = dense"),
        ("@callee(%y)", 0, "@callee(i32)"),
        ("@callee(%x)", 0, "@callee(%q: f32)"),
        ("^yes(%x", 0, "^yes(%y"),
        ("#map}", 0, "#map = affine"),
        ("!buffer", 2, "!buffer = memref"),
        ("%sum =", 0, "%sum ="),
    ] {
        let answer = client.request("textDocument/definition", at(TEXT, part, n, 1));
        let start = crate::client::offset(TEXT, &answer["range"]["start"]);
        assert!(TEXT[start..].starts_with(def), "{part}: {}", &TEXT[start..start + 20]);
    }
    let mut count = |part: &str, n: usize, declaration: bool| {
        let mut params = at(TEXT, part, n, 1);
        params["context"] = json!({"includeDeclaration": declaration});
        client.request("textDocument/references", params).as_array().map_or(0, Vec::len)
    };
    assert_eq!(count("%x: i32", 0, true), 5);
    assert_eq!(count("%x: i32", 0, false), 4);
    assert_eq!(count("@callee", 0, true), 2);
    assert_eq!(count("@callee(%q", 0, false), 1);
    assert_eq!(count("^no", 1, true), 2);
    assert_eq!(count("arith.addi", 0, true), 0);
    let marks = client.request("textDocument/documentHighlight", at(TEXT, "%two", 0, 2));
    assert_eq!(marks.as_array().map_or(0, Vec::len), 3);
}

#[test]
fn outline_has_symbols_in_each_other() {
    let mut client = opened(TEXT);
    let params = json!({"textDocument": {"uri": "file:///t.mlir"}});
    let tree = client.request("textDocument/documentSymbol", params);
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().cloned().unwrap_or_default();
        list.iter().map(|symbol| symbol["name"].as_str().unwrap_or("").to_string()).collect()
    };
    assert_eq!(names(&tree), ["table", "callee", "f", "inner"]);
    assert_eq!(names(&tree[3]["children"]), ["callee", "user"]);
    assert_eq!(tree[2]["kind"], 12);
    assert_eq!(slice(TEXT, &tree[2]["selectionRange"]), "@f");
    assert!(slice(TEXT, &tree[2]["range"]).ends_with("return %sum : i32\n}"));
}

fn renamed(client: &mut Client, part: &str, n: usize, new: &str) -> Result<String, String> {
    let mut params = at(TEXT, part, n, 1);
    let place = client.request("textDocument/prepareRename", params.clone());
    assert!(place["placeholder"].is_string(), "{part}: {place}");
    params["newName"] = json!(new);
    let id = client.ask("textDocument/rename", params);
    let answer = client.answer(id);
    match answer["error"]["message"].as_str() {
        Some(why) => Err(why.to_string()),
        None => Ok(edited(TEXT, &answer["result"]["changes"]["file:///t.mlir"])),
    }
}

#[test]
fn rename_changes_all_places_and_refuses_what_would_clash() {
    let mut client = opened(TEXT);
    let mut rename = |part: &str, n: usize, new: &str| renamed(&mut client, part, n, new);
    // Each is renamed at a use or at its definition; the new text means the same.
    let whole = |old: &str, new: &str| TEXT.replace(old, new);
    assert_eq!(rename("%two#0", 0, "pair"), Ok(whole("%two", "%pair")));
    assert_eq!(rename("^no", 0, "^otherwise"), Ok(whole("^no", "^otherwise")));
    assert_eq!(rename("@table", 0, "the table"), Ok(whole("@table", "@\"the table\"")));
    assert_eq!(rename("#map}", 0, "identity"), Ok(whole("#map", "#identity")));
    assert_eq!(rename("!buffer", 1, "!b"), Ok(whole("!buffer", "!b")));
    // Only the one of the file, not the one of the module inside.
    let outer = rename("@callee(%y)", 0, "@other").expect("free");
    assert_eq!(outer.matches("@other").count(), 2);
    assert_eq!(outer.matches("@callee").count(), 2);
    // As an editor shows the old name.
    assert_eq!(rename("@table", 0, "@\"a b\""), Ok(whole("@table", "@\"a b\"")));
    assert_eq!(rename("@table", 0, "@@at"), Ok(whole("@table", "@\"@at\"")));
    // Two functions may use one name.
    assert!(rename("%q", 0, "x").is_ok());
    for (part, n, new, why) in [
        ("%c,", 0, "x", "`%x` is defined already, on line 6"),
        ("%x: i32", 0, "sum", "`%sum` is defined already, on line 17"),
        ("^yes", 0, "no", "`^no` is defined already, on line 16"),
        ("@f(", 0, "table", "`@table` is defined already, on line 4"),
        ("%sum", 0, "a b", "`a b` is no name here: expected a number, or letters, digits"),
        ("%sum", 0, "", "`` is no name"),
        ("%sum", 0, "@x", "`@x` is no name"),
        ("#map}", 0, "a-b", "expected letters, digits, `_` and `$`, of which the first is a letter or `_`"),
        ("#map}", 0, "!b", "`!b` is no name"),
        ("@f(", 0, "\"", "expected a text without quotes, backslashes and control characters"),
        ("@f(", 0, "@", "`@` is no name"),
        ("@f(", 0, "a\u{1}b\nc", "`a\\u{1}b\\nc` is no name"),
        ("@f(", 0, "a\\b", "is no name"),
    ] {
        let refused = rename(part, n, new).expect_err(part);
        assert!(refused.contains(why), "{refused}");
    }
    let mut params = at(TEXT, "arith.addi", 0, 1);
    assert_eq!(client.request("textDocument/prepareRename", params.clone()), Value::Null);
    params["newName"] = json!("x");
    assert!(client.refused("textDocument/rename", params).1.contains("no name that is defined here"));
}

/// Symbols in generic form, with escapes, and with references before the name
const SYMBOLS: &str = r#"func.func private @"a\22b"()
"func.func"() <{sym_name = "plain", function_type = () -> (), sym_visibility = "private"}> ({}) {of = @other} : () -> ()
"builtin.module"() ({
  "func.func"() ({}) {note = {sym_name = "no"}, sym_name = "other", function_type = () -> (), sym_visibility = "private"} : () -> ()
}) {of = @plain, sym_name = "behind"} : () -> ()
func.func @user() attributes {all = [@"a\22b", @plain, @behind::@other, @"\61\22b"]} {
  return
}
"#;

#[test]
fn symbols_are_known_in_every_form() {
    let mut client = opened(SYMBOLS);
    // A reference, and its definition with what is behind it.
    for (part, n, def) in [
        ("@\"a\\22b\"", 1, "@\"a\\22b\"()"),
        ("@\"\\61\\22b\"", 0, "@\"a\\22b\"()"),
        ("@plain", 1, "plain\", function_type"),
        ("@behind", 0, "behind\"} : () -> ()"),
        ("@other", 1, "other\", function_type"),
    ] {
        let answer = client.request("textDocument/definition", at(SYMBOLS, part, n, 2));
        let start = crate::client::offset(SYMBOLS, &answer["range"]["start"]);
        assert!(SYMBOLS[start..].starts_with(def), "{part}: {}", &SYMBOLS[start..]);
    }
    // The file has no `@other`.
    assert_eq!(client.request("textDocument/definition", at(SYMBOLS, "@other", 0, 2)), Value::Null);
    let mut rename = |part: &str, behind: usize, new: &str| {
        let mut params = at(SYMBOLS, part, 0, behind);
        params["newName"] = json!(new);
        let edits = client.request("textDocument/rename", params);
        edited(SYMBOLS, &edits["changes"]["file:///t.mlir"])
    };
    let want = SYMBOLS.replace("\"plain\"", "\"a name\"").replace("@plain", "@\"a name\"");
    assert_eq!(rename("@plain", 1, "a name"), want);
    let want = SYMBOLS.replace("@\"a\\22b\"", "@ab").replace("@\"\\61\\22b\"", "@ab");
    assert_eq!(rename("@\"a", 2, "ab"), want);
    let want = SYMBOLS.replace("\"behind\"", "\"m\"").replace("@behind", "@m");
    assert_eq!(rename("behind\"}", 0, "@m"), want);
    let params = json!({"textDocument": {"uri": "file:///t.mlir"}});
    let tree = client.request("textDocument/documentSymbol", params);
    let names: Vec<&str> =
        tree.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["a\"b", "plain", "behind", "user"]);
    assert_eq!(tree[2]["children"][0]["name"], "other");
}

/// Labels of what may stand in place of `|`
fn labels(text: &str) -> Vec<String> {
    let cursor = text.find('|').expect("a cursor");
    let text = text.replacen('|', "", 1);
    let mut client = Client::with(&text);
    let params = json!({
        "textDocument": {"uri": "file:///t.mlir"}, "position": crate::client::position(&text, cursor),
    });
    let list = client.request("textDocument/completion", params);
    let items = list["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|item| item["label"].as_str().unwrap_or("").to_string()).collect()
}

#[test]
fn completion_knows_what_may_stand_where() {
    let with = |line: &str| {
        format!(
            "#m = affine_map<() -> ()>\nfunc.func @f(%arg: i32) {{\n  %one = arith.constant 1 : i32\n  \
             cf.br ^next\n^next:\n  {line}\n  %late = arith.constant 1 : i32\n  return\n}}\nfunc.func @g(%other: i32) {{\n  return\n}}\n"
        )
    };
    let has = |line: &str, want: &[&str], not: &[&str]| {
        let found = labels(&with(line));
        for label in want {
            assert!(found.iter().any(|other| other == label), "{line}: no {label} in {found:?}");
        }
        for label in not {
            assert!(!found.iter().any(|other| other == label), "{line}: {label}");
        }
    };
    has("ari|", &["arith.addi"], &["scf.for"]);
    has("%s = arith.|", &["arith.addi", "arith.muli"], &["scf.for"]);
    has("%s = arith.addi %|", &["%arg", "%one"], &["%late", "%other", "%s"]);
    has("func.call @|", &["@f", "@g"], &[]);
    has("cf.br ^|", &["^next"], &[]);
    has("\"a.b\"() {x = #|", &["#m", "#arith.fastmath"], &[]);
    has("%s = memref.alloc() {|", &["alignment"], &["arith.addi"]);
    has("%s = memref.alloc() : |", &["memref", "i32"], &[]);
    has("// test: opt --pipeline=\"func.func(can|", &["canonicalize", "cse"], &["arith.addi"]);
    has("// test: opt --pipeline=canonicalize{|", &["disable="], &["cse"]);
    has("// ch|", &["check:", "test: round-trip"], &["arith.addi"]);
    has("// a sentence about %|", &[], &["%arg"]);
}

#[test]
fn completion_gives_some_of_many_and_says_so() {
    let count = 2000;
    let ops: String = (0..count).map(|n| format!("  %value{n} = arith.constant {n} : i32\n")).collect();
    let list = |typed: &str| {
        let text = format!("func.func @f() {{\n{ops}  %s = arith.addi %{typed}\n  return\n}}\n");
        let mut client = Client::with(&text);
        let at = crate::client::nth(&text, "arith.addi %", 0) + "arith.addi %".len() + typed.len();
        let position = crate::client::position(&text, at);
        let params = json!({"textDocument": {"uri": "file:///t.mlir"}, "position": position});
        let answer = client.request("textDocument/completion", params);
        let items = answer["items"].as_array().cloned().unwrap_or_default();
        let labels: Vec<String> =
            items.iter().map(|item| item["label"].as_str().unwrap_or("").to_string()).collect();
        (labels, answer["isIncomplete"] == true)
    };
    let (labels, incomplete) = list("");
    // The nearest ones.
    let nearest: Vec<String> = (count - 500..count).rev().map(|n| format!("%value{n}")).collect();
    assert!(incomplete && labels == nearest, "{labels:?}");
    // Those that have what is typed, wherever they are.
    let (labels, incomplete) = list("vaL77");
    assert!(incomplete && labels.iter().any(|label| label == "%value77"), "{labels:?}");
    assert!(!labels.iter().any(|label| label == "%value1999"), "{labels:?}");
}

#[test]
fn completion_brings_documentation_when_it_is_wanted() {
    let mut client = Client::with("scf.f\n");
    let params = json!({"textDocument": {"uri": "file:///t.mlir"}, "position": {"line": 0, "character": 5}});
    let list = client.request("textDocument/completion", params);
    let items = list["items"].as_array().expect("items");
    let item = items.iter().find(|item| item["label"] == "scf.for").expect("an op").clone();
    assert!(item.get("documentation").is_none() && item["detail"].as_str().is_some());
    let whole = client.request("completionItem/resolve", item);
    assert!(whole["documentation"]["value"].as_str().is_some_and(|docs| docs.contains("scf.for")), "{whole}");
}

#[test]
fn fixes_of_pipelines_values_and_strings() {
    let text = "// test: opt --pipeline=\"func.func(canonicalise)\"
func.func @f(%value: i32) {
  %a = arith.addi %valeu, %value : i32
  %b = \"arith.adid\"(%a, %a) : (i32, i32) -> i32
  %c = \"toy.unknown\"(%a) : (i32) -> i32
  toy.custom %a
  return
}
";
    let mut client = Client::with(text);
    let params = client.heard("textDocument/publishDiagnostics");
    let severities: Vec<(u64, u64)> = params["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|d| (d["range"]["start"]["line"].as_u64().unwrap_or(0) + 1, d["severity"].as_u64().unwrap_or(0)))
        .collect();
    // What is only not known here is a warning.
    assert_eq!(severities, [(4, 1), (6, 2), (3, 1), (1, 2)]);
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params =
        json!({"textDocument": {"uri": "file:///t.mlir"}, "range": all, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params.clone());
    let mut new = text.to_string();
    for action in actions.as_array().expect("a list") {
        // They are in other lines, so each can be made after the other.
        new = edited(&new, &action["edit"]["changes"]["file:///t.mlir"]);
    }
    let want = text.replace("canonicalise", "canonicalize").replace("valeu", "value").replace("adid", "addi");
    assert_eq!(new, want);
    let mut other = params;
    other["context"]["only"] = json!(["refactor"]);
    assert_eq!(client.request("textDocument/codeAction", other), json!([]));
}

#[test]
fn formatting_keeps_what_the_printer_would_lose() {
    let text = "module {
    func.func @a(%x : i32)->i32{
  %y = arith.addi   %x,%x : i32
  return %y:i32
    }
    func.func @b(%x : i32)->i32{
  return   %x:i32 // as it is
    }
}
";
    let mut client = Client::with(text);
    let params =
        json!({"textDocument": {"uri": "file:///t.mlir"}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = client.request("textDocument/formatting", params.clone());
    let want = "module {
    func.func @a(%x: i32) -> i32 {
      %y = arith.addi %x, %x : i32
      return %y : i32
    }
    func.func @b(%x : i32)->i32{
  return   %x:i32 // as it is
    }
}
";
    assert_eq!(edited(text, &edits), want);
    assert!(
        client.heard("window/logMessage")["message"]
            .as_str()
            .is_some_and(|m| m.starts_with("1 of the units"))
    );
    let mut wrong = text.to_string();
    client.edit(&mut wrong, "arith.addi", 0, "arith.nothing");
    assert!(client.refused("textDocument/formatting", params).1.contains("with mistakes"));
}

#[test]
fn other_languages_have_diagnostics() {
    let mut client = Client::ready();
    for (uri, language, text, line) in [
        ("file:///a.tensor", "tensor", "C[i, j] = A[i, k] * nothing(B[k, j])\n", 1),
        ("file:///a.mdh", "mdh", "nonsense\n", 2),
        ("file:///a.c", "c", "void f(int n) {\n  n = ;\n}\n", 2),
    ] {
        client.open(uri, language, text);
        let found = client.diagnostics();
        assert!(
            found.first().is_some_and(|first| first.starts_with(&format!("{line}: "))),
            "{uri}: {found:?}"
        );
    }
}

#[test]
fn cases_of_a_file_are_read_on_their_own_and_may_expect_messages() {
    let text = "// test: opt --split-input-file --verify-diagnostics
func.func @f() {
  // expected-error @+1 {{unknown op}}
  nothing.here
  return
}
// -----
func.func @f() {
  %x = arith.adid %x : i32
  return
}
";
    let mut client = Client::with(text);
    let params = client.heard("textDocument/publishDiagnostics");
    let list = params["diagnostics"].as_array().expect("a list");
    let lines: Vec<(Option<u64>, Option<u64>)> =
        list.iter().map(|d| (d["range"]["start"]["line"].as_u64(), d["severity"].as_u64())).collect();
    assert_eq!(lines, [(Some(3), Some(4)), (Some(8), Some(1))], "{params}");
    let answer = client.request("textDocument/hover", at(text, "%x", 0, 1));
    assert!(answer["contents"]["value"].as_str().is_some_and(|t| t.contains("of an op that is wrong")));
}

#[test]
fn each_expectation_is_for_one_message() {
    let text = "// test: opt --verify-diagnostics
func.func @f() {
  // expected-error @+1 {{is used and never defined}}
  %x = arith.addi %a, %b : i32
  return
}
";
    let mut client = Client::with(text);
    let params = client.heard("textDocument/publishDiagnostics");
    let severities: Vec<Option<u64>> =
        params["diagnostics"].as_array().expect("a list").iter().map(|d| d["severity"].as_u64()).collect();
    assert_eq!(severities, [Some(4), Some(1)], "{params}");
}

#[test]
fn columns_are_bytes_where_both_want_that() {
    let mut client = Client::start();
    let hello = json!({"processId": null, "rootUri": null,
        "capabilities": {"general": {"positionEncodings": ["utf-8", "utf-16"]}}});
    let answer = client.request("initialize", hello);
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    client.open("file:///t.mlir", "mlir", "\"💧.a\"() : () -> ()  \"nope\n");
    let params = client.heard("textDocument/publishDiagnostics");
    let column = &params["diagnostics"][0]["range"]["start"]["character"];
    assert_eq!(*column, 23, "{params}");
}

#[test]
fn checks_of_a_test_file_are_written_when_that_is_chosen() {
    let text = "// test: opt --pipeline=cse
func.func @f(%x: i32) -> i32 {
  return %x : i32
}
";
    let checks = [
        "check: module {",
        "next: func.func @f(%x: i32) -> i32 {",
        "next: return %x : i32",
        "next: }",
        "next: }",
    ];
    let checks: String = checks.iter().map(|line| format!("// {line}\n")).collect();
    let want = format!("{text}\n{checks}");
    let start = json!({"line": 0, "character": 3});
    let params = json!({"textDocument": {"uri": "file:///t.mlir"}, "range": {"start": start, "end": start},
        "context": {"diagnostics": []}});
    // A client that takes edits at once: runs are made when a person asks, not whenever the cursor moves.
    let mut client = Client::with(text);
    assert_eq!(client.request("textDocument/codeAction", params.clone()), json!([]));
    for (name, value) in [("triggerKind", json!(1)), ("only", json!(["source"]))] {
        let mut asked = params.clone();
        asked["context"][name] = value;
        let actions = client.request("textDocument/codeAction", asked);
        assert_eq!(edited(text, &actions[0]["edit"]["changes"]["file:///t.mlir"]), want);
    }
    // One that asks again.
    let mut client = Client::start();
    let mut hello = crate::client::hello();
    hello["capabilities"]["textDocument"]["codeAction"] = json!({"resolveSupport": {"properties": ["edit"]}});
    client.request("initialize", hello);
    client.open("file:///t.mlir", "mlir", text);
    let actions = client.request("textDocument/codeAction", params.clone());
    assert!(actions[0]["edit"].is_null() && actions[0]["kind"] == "source.terrace.checks", "{actions}");
    let whole = client.request("codeAction/resolve", actions[0].clone());
    assert_eq!(edited(text, &whole["edit"]["changes"]["file:///t.mlir"]), want);
    // Elsewhere, and where the run fails, there is none.
    let mut elsewhere = params;
    elsewhere["range"]["start"]["line"] = json!(2);
    elsewhere["range"]["end"]["line"] = json!(2);
    assert_eq!(client.request("textDocument/codeAction", elsewhere), json!([]));
    let mut wrong = text.to_string();
    client.edit(&mut wrong, "%x : i32", 0, "%y : i32");
    assert!(client.refused("codeAction/resolve", actions[0].clone()).1.contains("the run failed"));
}

/// A test file whose runs take a while
fn slow() -> (Client, Value, String) {
    let text = format!("{}func.func @f() {{\n  return\n}}\n", "// test: opt --pipeline=cse\n".repeat(200));
    let mut client = Client::start();
    let mut hello = crate::client::hello();
    hello["capabilities"]["textDocument"]["codeAction"] = json!({"resolveSupport": {"properties": ["edit"]}});
    client.request("initialize", hello);
    client.open("file:///t.mlir", "mlir", &text);
    let start = json!({"line": 0, "character": 3});
    let params = json!({"textDocument": {"uri": "file:///t.mlir"}, "range": {"start": start, "end": start},
        "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params);
    (client, actions[0].clone(), text)
}

#[test]
fn the_server_answers_while_runs_are_made() {
    let (mut client, action, mut text) = slow();
    let id = client.ask("codeAction/resolve", action.clone());
    // If the runs had to end first, their answer would come before this one, and not be found below.
    let answer = client.request("textDocument/hover", at(&text, "func.func", 0, 1));
    assert!(answer["contents"]["value"].is_string(), "{answer}");
    assert!(client.refused("codeAction/resolve", action).1.contains("ask again when they have ended"));
    // The edit would be one of another text.
    client.edit(&mut text, "@f", 0, "@g");
    assert_eq!(client.answer(id)["error"]["code"], -32801);
}

#[test]
fn runs_can_be_taken_back() {
    let (mut client, action, _) = slow();
    let id = client.ask("codeAction/resolve", action);
    // Behind this answer the request is at work.
    client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": "file:///t.mlir"}}));
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
}

#[test]
fn diagnostics_come_though_requests_never_pause() {
    let text = "func.func @f() {\n  nothing.here\n}\n";
    let mut client = Client::with(text);
    let start = std::time::Instant::now();
    while !client.has_heard("textDocument/publishDiagnostics") {
        client.request("textDocument/hover", at(text, "func.func", 0, 1));
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(start.elapsed().as_secs() < 20, "no diagnostics");
    }
}

#[test]
fn directives_that_are_none_are_reported() {
    let mut client = Client::with("// test: run this\nfunc.func @f() {\n  return\n}\n  // check:\n");
    assert_eq!(client.diagnostics(), ["1: a test is `opt …` or `round-trip`"]);
    let mut client = Client::with("// test: opt\nfunc.func @f() {\n  return\n}\n  // check:\n");
    assert_eq!(client.diagnostics(), ["5: `check:` expects nothing"]);
}
