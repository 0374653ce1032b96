//! Tests of the checker of expectations

use super::*;

crate::codes! {
    /// For the tests here.
    TYPES: "E0103" Verifier "operand types differ";
}

type Make = fn(Span) -> Diagnostic;

/// Check diagnostics, each at the first place its word has in the text (nowhere if it has none)
fn check_words(text: &str, make: &[(&str, Make)]) -> Vec<String> {
    let sources = Sources::new();
    let id = sources.add("a.mlir", text);
    let emitted: Vec<_> = make
        .iter()
        .map(|(word, make)| make(Span::point(id, text.find(word).expect("the word is in the text") as u32)))
        .collect();
    let failures = check(id, &sources, &emitted).err().unwrap_or_default();
    failures
        .iter()
        .map(|d| format!("{}: {}", sources.line_col(id, d.span.map_or(0, |s| s.start)).0, d.message))
        .collect()
}

fn error(span: Span) -> Diagnostic {
    Diagnostic::error(&TYPES, "types differ").at(span)
}

fn warning(span: Span) -> Diagnostic {
    Diagnostic::warning(None, "careful").at(span)
}

fn noted(span: Span) -> Diagnostic {
    error(span).label("label").note("plain").note_at(Span::point(span.source, 0), "at the top").help("do so")
}

const NONE: [String; 0] = [];

#[test]
fn same_line_by_code_or_message() {
    assert_eq!(check_words("op // expected-error {{[E0103]: types}}", &[("op", error)]), NONE);
    assert_eq!(check_words("op // expected-error {{differ}}  \r\n", &[("op", error)]), NONE);
    assert_eq!(check_words("op // expected-warning{{careful}}", &[("op", warning)]), NONE);
}

#[test]
fn relative_lines() {
    assert_eq!(check_words("// expected-error@+2 {{types}}\n\nop", &[("op", error)]), NONE);
    assert_eq!(check_words("op\n\n// expected-error @-2{{types}}", &[("op", error)]), NONE);
}

#[test]
fn above_and_below_skip_over_expectations() {
    let text = "\
// expected-error @below {{types}}
// expected-warning @below {{careful}}
op
// expected-warning @above {{careful}}
// expected-error @above {{types}}";
    let twice = [("op", error as Make), ("op", warning), ("op", error), ("op", warning)];
    assert_eq!(check_words(text, &twice), NONE);
}

#[test]
fn unknown_is_without_a_place() {
    let nowhere = |_| Diagnostic::error(&TYPES, "types differ");
    assert_eq!(check_words("// expected-error @unknown {{types}}", &[("", nowhere)]), NONE);
    assert_eq!(check_words("// expected-error {{types}}", &[("", nowhere)]).len(), 2);
}

#[test]
fn each_is_met_once() {
    let text = "op // expected-error {{types}}";
    assert_eq!(
        check_words(text, &[("op", error), ("op", error)]),
        ["1: unexpected error[E0103]: types differ"]
    );
    assert_eq!(check_words(text, &[]), ["1: expected error \"types\" was not produced"]);
}

#[test]
fn kind_line_and_text_matter() {
    assert_eq!(check_words("op // expected-warning {{types}}", &[("op", error)]).len(), 2);
    assert_eq!(check_words("\nop\n// expected-error {{types}}", &[("op", error)]).len(), 2);
    let differs = check_words("op // expected-error {{other}}", &[("op", error)]);
    assert_eq!(
        differs,
        ["1: unexpected error[E0103]: types differ", "1: expected error \"other\" was not produced"]
    );
}

#[test]
fn the_longest_text_is_met_first() {
    let text = "// expected-error @+2 {{types}}\n// expected-error @+1 {{types differ}}\nop";
    let short = |span| Diagnostic::error(&TYPES, "types").at(span);
    assert_eq!(check_words(text, &[("op", error), ("op", short)]), NONE);
}

#[test]
fn regular_expressions_in_groups() {
    let text = "op // expected-error-re {{[E{{[0-9]+}}]: {{types|kinds}} d}}";
    assert_eq!(check_words(text, &[("op", error)]), NONE);
    assert_eq!(check_words("op // expected-error-re {{t.pes}}", &[("op", error)]).len(), 2);
}

#[test]
fn notes_are_checked_where_asked_for() {
    let text =
        "top // expected-note {{at the top}}\nop // expected-error {{types}}\n// expected-note@-1 {{plain}}
// expected-note@-2 {{label}}\n// expected-note@-3 {{do so}}";
    assert_eq!(check_words(text, &[("op // expected-e", noted)]), NONE);
    assert_eq!(check_words("op // expected-error {{types}}", &[("op", noted)]), NONE);
    let missing = check_words("op // expected-error {{types}}\n// expected-note {{gone}}", &[("op", noted)]);
    assert_eq!(missing, ["2: expected note \"gone\" was not produced"]);
}

#[test]
fn ill_written_expectations_are_errors() {
    for text in [
        "// expected-error {{open",
        "// expected-error {{closed}} then more",
        "// expected-error @1 {{x}}",
        "// expected-error @+ {{x}}",
        "// expected-error @+99999999999999999999 {{x}}",
        "// expected-error @over {{x}}",
        "// expected-error @above x",
        "// expected-error {{}",
        "// expected-error-re {{a {{b}}",
        "// expected-error-re {{a {{(}} b}}",
        "// expected-error-re {{a {{)(}} b}}",
    ] {
        assert_eq!(check_words(text, &[]), ["1: malformed expectation"], "{text}");
    }
}

#[test]
fn prose_is_no_expectation() {
    assert_eq!(check_words("// this is an expected-error, as is expected-errors", &[]), NONE);
}

#[test]
fn chunks_use_the_lines_of_the_file() {
    let sources = Sources::new();
    let text = "a // expected-error {{types}}\n// -----\nop // expected-error {{types}}\n";
    let file = sources.add("f", text);
    let chunks: Vec<_> = crate::split_input(text).into_iter().map(|r| sources.add_chunk(file, r)).collect();
    assert_eq!(check(chunks[1], &sources, &[error(Span::point(chunks[1], 0))]), Ok(()));
    // A span into the whole file is as good.
    let at = text.find("op").expect("it is there") as u32;
    assert_eq!(check(chunks[1], &sources, &[error(Span::point(file, at))]), Ok(()));
}

#[test]
fn other_files_are_not_expected() {
    let sources = Sources::new();
    let (a, b) = (sources.add("a", "op // expected-error {{types}}"), sources.add("b", "op"));
    assert_eq!(check(a, &sources, &[error(Span::point(b, 0))]).map_err(|f| f.len()), Err(2));
}

#[test]
fn codes_are_unique() {
    assert_eq!(crate::check_unique(&[codes::ALL]), Ok(()));
    assert_eq!(ALL.len(), 1);
}
