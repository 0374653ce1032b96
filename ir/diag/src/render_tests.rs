//! Tests of the renderer

use super::*;

crate::codes! {
    /// For the tests here.
    TYPES: "E0103" Verifier "operand types differ";
}

/// Render an error at `start..end` of `text`
fn check(text: &str, start: u32, end: u32, label: &str) -> String {
    let sources = Sources::new();
    let id = sources.add("a.mlir", text);
    render(&Diagnostic::error(ALL[0], "no").at(Span::new(id, start, end)).label(label), &sources, false)
}

#[test]
fn has_the_form_of_the_style_guide() {
    let sources = Sources::new();
    let id = sources.add("product.mlir", "\n  %c = arith.addi %a, %b : i32\n");
    let diagnostic = Diagnostic::error(&TYPES, "operands `lhs` and `rhs` must have the same type")
        .at(Span::new(id, 8, 18))
        .label("`lhs` is i32, `rhs` is i64")
        .note("a note")
        .help("convert with `arith.extsi` or `arith.trunci`");
    let expected = "\
error[E0103]: operands `lhs` and `rhs` must have the same type
 --> product.mlir:2:8
  |
2 |   %c = arith.addi %a, %b : i32
  |        ^^^^^^^^^^ `lhs` is i32, `rhs` is i64
  |
  = note: a note
  = help: convert with `arith.extsi` or `arith.trunci`
";
    assert_eq!(render(&diagnostic, &sources, false), expected);
}

#[test]
fn without_a_place() {
    let sources = Sources::new();
    let text =
        render_all(&[Diagnostic::remark(None, "r"), Diagnostic::warning(&TYPES, "w")], &sources, false);
    assert_eq!(text, "remark: r\n\nwarning[E0103]: w\n");
}

#[test]
fn what_is_the_same_is_said_once() {
    let sources = Sources::new();
    let [one, other] = ["one", "other"].map(|text| Diagnostic::warning(&TYPES, text));
    let text = render_all(&[one.clone(), one.clone(), other, one], &sources, false);
    assert_eq!(text, "warning[E0103]: one\n\nwarning[E0103]: other\n\nwarning[E0103]: one\n");
}

#[test]
fn notes_without_a_place_follow_the_message() {
    let sources = Sources::new();
    let diagnostic = Diagnostic::error(&TYPES, "m").note("n").help("h");
    assert_eq!(render(&diagnostic, &sources, false), "error[E0103]: m\n = note: n\n = help: h\n");
    let colored = render(&diagnostic, &sources, true);
    assert_eq!(colored.lines().count(), 3, "{colored:?}");
}

#[test]
fn placed_note_is_a_section_of_its_own() {
    let sources = Sources::new();
    let (a, b) = (sources.add("a.mlir", "use\n"), sources.add("b.mlir", "x\ndef\n"));
    let diagnostic =
        Diagnostic::error(&TYPES, "m").at(Span::new(a, 0, 3)).note_at(Span::new(b, 2, 5), "here");
    let expected = "\
error[E0103]: m
 --> a.mlir:1:1
  |
1 | use
  | ^^^
  |
note: here
 --> b.mlir:2:1
  |
2 | def
  | ^^^
";
    assert_eq!(render(&diagnostic, &sources, false), expected);
}

#[test]
fn near_places_share_an_excerpt() {
    let sources = Sources::new();
    let id = sources.add("a", "def\n2\n3\n4\nuse\n");
    let diagnostic = Diagnostic::error(&TYPES, "m")
        .at(Span::new(id, 10, 13))
        .label("used")
        .also(Span::new(id, 0, 3), "defined");
    let expected = "\
error[E0103]: m
 --> a:5:1
  |
1 | def
  | --- defined
...
5 | use
  | ^^^ used
";
    assert_eq!(render(&diagnostic, &sources, false), expected);
}

#[test]
fn far_places_and_other_sources_come_after_the_primary() {
    let sources = Sources::new();
    let text = format!("def\n{}use\n", "filler\n".repeat(10_000));
    let at = text.len() as u32 - 4;
    let (id, other) = (sources.add("a", text), sources.add("b", "xx\n"));
    let diagnostic = Diagnostic::error(&TYPES, "m")
        .at(Span::new(id, at, at + 3))
        .also(Span::new(other, 1, 2), "other")
        .also(Span::new(id, 0, 3), "defined");
    let expected = "\
error[E0103]: m
     --> a:10002:1
      |
10002 | use
      | ^^^
      |
     ::: a:1:1
      |
    1 | def
      | --- defined
      |
     ::: b:1:2
      |
    1 | xx
      |  - other
";
    assert_eq!(render(&diagnostic, &sources, false), expected);
}

#[test]
fn line_of_100_mb() {
    let mut text = "x".repeat(100 << 20);
    text.replace_range(60 << 20..(60 << 20) + 3, "BAD");
    let shown = check(&text, 60 << 20, (60 << 20) + 3, "here");
    assert!(shown.contains(&format!("a.mlir:1:{}\n", (60 << 20) + 1)), "{shown}");
    assert!(shown.contains("BAD") && shown.contains("^^^ here") && shown.contains("..."), "{shown}");
    assert!(shown.len() < 1000, "{}", shown.len());
    // The whole line as a place
    assert!(check(&text, 0, 100 << 20, "all").len() < 20_000);
}

#[test]
fn place_over_many_lines_is_drawn_short() {
    let text = "some line\n".repeat(100_000);
    let shown = check(&text, 10, 900_000, "region");
    assert!(shown.contains("a.mlir:2:1") && shown.contains("^^^^^^^^^ region"), "{shown}");
    let shown = check("a {\n  b\n}\n", 2, 9, "region");
    assert!(shown.contains("|_^ region"), "{shown}");
}

#[test]
fn carriage_returns_are_not_shown() {
    let expected = "error[E0103]: no\n --> a.mlir:2:1\n  |\n2 | two\n  | ^^^\n";
    assert_eq!(check("one\r\ntwo\r\n", 5, 8, ""), expected);
}

#[test]
fn tabs_and_wide_characters_keep_carets_in_place() {
    let expected = "error[E0103]: no\n --> a.mlir:1:4\n  |\n1 |     é→x\n  |       ^\n";
    assert_eq!(check("\té→x", 6, 7, ""), expected);
    // Within a character
    assert!(check("é", 1, 1, "").contains("a.mlir:1:1"));
}

#[test]
fn ends_of_files() {
    let expected = "error[E0103]: no\n --> a.mlir:1:3\n  |\n1 | ab\n  |   ^ end\n";
    assert_eq!(check("ab", 2, 2, "end"), expected);
    assert!(check("ab\n", 3, 3, "").contains("a.mlir:2:1"));
    assert!(check("", 0, 0, "empty").contains("a.mlir:1:1"));
    assert!(check("ab", 90, 99, "").contains("a.mlir:1:3"));
}

#[test]
fn every_span_of_a_nasty_text_renders() {
    let text = "\n\r\n\t\u{1b}[31mé→\u{F8FF}😀e\u{301}\r\r\n\n \u{200b}x\0";
    for start in 0..=text.len() as u32 + 2 {
        for end in start..=text.len() as u32 + 2 {
            let shown = check(text, start, end, text);
            assert!(!shown.contains(['\u{1b}', MARK, '\0']), "{shown}");
        }
    }
}

#[test]
fn messages_cannot_drive_the_terminal() {
    let sources = Sources::new();
    let id = sources.add("\u{1b}[2Jname", "x");
    let bad = "\u{1b}[31m \u{F8FF}0\u{F8FF}";
    let diagnostic = Diagnostic::error(&TYPES, bad)
        .at(Span::point(id, 0))
        .label(bad)
        .note(bad)
        .note_at(Span::point(id, 0), bad);
    assert!(!render(&diagnostic.help(bad), &sources, false).contains(['\u{1b}', MARK]));
}

#[test]
fn floods_of_labels_are_counted() {
    let sources = Sources::new();
    let id = sources.add("a", "x\n".repeat(1000));
    let mut diagnostic = Diagnostic::error(&TYPES, "m").at(Span::new(id, 0, 1));
    for i in 0..200 {
        diagnostic = diagnostic.also(Span::new(id, 2 * i, 2 * i + 1), "l").note_at(Span::new(id, 0, 1), "n");
    }
    assert!(render(&diagnostic, &sources, false).contains("= note: 300 further places not shown"));
}

#[test]
fn chunks_show_the_lines_of_the_file() {
    let sources = Sources::new();
    let file = sources.add("f", "a\n// -----\nbad\n");
    let chunk = sources.add_chunk(file, 11..15);
    let shown = render(&Diagnostic::error(&TYPES, "m").at(Span::new(chunk, 0, 3)), &sources, false);
    assert!(shown.contains("f:3:1\n") && shown.contains("3 | bad"), "{shown}");
}

#[test]
fn color_keeps_the_text() {
    let sources = Sources::new();
    let id = sources.add("a.mlir", "bad");
    let shown = render(&Diagnostic::error(&TYPES, "m").at(Span::new(id, 0, 3)), &sources, true);
    assert!(shown.contains('\u{1b}') && shown.contains("a.mlir:1:1"), "{shown}");
}
