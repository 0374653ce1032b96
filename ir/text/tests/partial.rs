//! Texts with mistakes: the IR that is left, what is verified of it, and what stands where.

use crate::random_text::text_of;
use crate::toy::{context, lenient};
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId};
use terrace_ir::Context;
use terrace_support::Random;
use terrace_text::{Partial, Places, parse, parse_partial};

fn read(text: &str) -> (Arc<Context>, Partial, Vec<Diagnostic>) {
    let cx = context();
    let source = cx.sources().add("t.mlir", text);
    let mut diags = Diags::default();
    let partial = parse_partial(&cx, source, &lenient(), &mut diags).expect("`builtin.module` is registered");
    (cx, partial, diags.into_vec())
}

fn places(text: &str) -> Places {
    read(text).1.places
}

/// Lines of the messages of the parser and of the verifier
fn lines(text: &str) -> (Vec<u32>, Vec<u32>) {
    let (cx, partial, parsed) = read(text);
    let line = |d: &Diagnostic| d.span.map_or(0, |span| cx.sources().line_col(span.source, span.start).0);
    let verified = partial.verify().into_vec();
    (parsed.iter().map(line).collect(), verified.iter().map(line).collect())
}

/// Where the `n`th occurrence of a text is
fn at(text: &str, part: &str, n: usize) -> u32 {
    text.match_indices(part).nth(n).expect("it occurs").0 as u32
}

#[test]
fn mistakes_of_one_function_are_all_reported_by_parser_and_verifier() {
    let text = "func.func @f(%c: i1) {
  %a = toy.ad %c, %c : i1
  toy.branch %a, ^one, ^two
^one:
  %b = toy.add %a, %c : i1
  toy.once {
    \"toy.yield\"(%b) : (i1) -> ()
  }
  %x = \"toy.add\"(%c) : (i1) -> i1
  func.retrun
^two:
  %d = toy.add %c, %c : i2
  \"toy.constant\"() : () -> ()
}";
    let (parsed, verified) = lines(text);
    assert_eq!(parsed, [2, 10, 12]);
    // The last one has neither its result nor its value.
    assert_eq!(verified, [7, 9, 13, 13]);
}

#[test]
fn what_follows_from_a_mistake_is_not_reported() {
    // The value is used in the text before and behind; the verifier sees no terminator in the last block.
    let text = "func.func @f(%c: i1) {
  toy.branch %c, ^bb2, ^bb2
^bb1:
  \"t.a\"(%x) : (i1) -> ()
  func.retrun
^bb2:
  %x = toy.ad %c, %c : i1
  \"t.b\"(%x) : (i8) -> ()
  toy.branch %x, ^bb1, ^bb1
}
func.func @g() {
  \"toy.constant\"() : () -> ()
  func.return
}";
    assert_eq!(lines(text), (vec![5, 7], vec![12]));
}

#[test]
fn units_with_loose_names_are_not_verified() {
    let text = "func.func @f() {
  \"toy.constant\"() : () -> ()
  \"t.a\"(%no) : (i1) -> ()
  \"t.b\"()[^no] : () -> ()
}
func.func @g() {
  \"toy.constant\"() : () -> ()
  func.return
}";
    assert_eq!(lines(text), (vec![4, 3], vec![7]));
}

#[test]
fn uses_lead_to_definitions_whatever_comes_first() {
    let text = "func.func @f(%c: i1) {
  toy.branch %c, ^b, ^b
^a:
  \"t.a\"(%x#1, %c) : (i2, i1) -> ()
  \"t.a\"(%x#0, %x#1) : (i1, i2) -> ()
  func.return
^b:
  %x:2 = \"t.b\"() : () -> (i1, i2)
  \"t.c\"(%x#1) [^a] : (i2) -> ()
}";
    let places = places(text);
    let def = at(text, "%x", 3);
    assert_eq!(at(text, "%x:2", 0), def);
    let of_x: Vec<u32> = places.uses.iter().filter(|link| link.def == def).map(|link| link.at).collect();
    assert_eq!(of_x, [0, 1, 2, 4].map(|n| at(text, "%x", n)));
    let value = places.value(def).expect("it is defined");
    assert_eq!(places.types_of(value).len(), 2);
    let branches: Vec<(u32, u32)> = places.branches.iter().map(|link| (link.at, link.def)).collect();
    let (a, b) = (at(text, "^a:", 0), at(text, "^b:", 0));
    assert_eq!(branches, [(at(text, "^b", 0), b), (at(text, "^b", 1), b), (at(text, "^a", 1), a)]);
    assert_eq!(places.blocks, [a, b]);
}

#[test]
fn ops_that_are_wrong_have_names_and_uses_all_the_same() {
    let text = "func.func @f(%c: i1) {
  %x = toy.add %c, %c : i1x
  \"t.a\"(%x) : (i1) -> ()
  func.return
}";
    let places = places(text);
    let c = at(text, "%c", 0);
    let uses: Vec<(u32, u32)> = places.uses.iter().map(|link| (link.at, link.def)).collect();
    let x = at(text, "%x", 0);
    assert_eq!(uses, [(at(text, "%c", 1), c), (at(text, "%c", 2), c), (at(text, "%x", 1), x)]);
    let wrong = &places.ops[places.op_at(x).expect("an op")];
    assert!(wrong.failed && wrong.kind.is_some());
    assert_eq!(&text[wrong.name as usize..][..7], "toy.add");
    assert_eq!(text[wrong.start as usize..wrong.end as usize].trim_end(), "%x = toy.add %c, %c : i1x");
    assert!(places.has_failed(0) && places.ops[1].parent == Some(0));
}

#[test]
fn symbols_types_aliases_and_attributes_have_places() {
    let text = "#m = #toy.mode<fast>
!p = !toy.pair<i1, i2>
func.func @f(%c: !p) {
  \"t.a\"(%c) {of = @g::@h, m = #m} : (!p) -> ()
  func.return
}";
    let places = places(text);
    let symbols: Vec<&str> = places.symbols.iter().map(|s| &text[s.at as usize..s.end as usize]).collect();
    assert_eq!(symbols, ["@f", "@g", "@h"]);
    assert_eq!(places.symbols[2].outer, Some(places.symbols[1].at));
    assert_eq!([0, 1, 2].map(|n| places.symbols[n].op), [Some(0), None, None]);
    assert_eq!(places.aliases, [0, at(text, "!p", 0)]);
    let uses: Vec<(u32, u32)> = places.alias_uses.iter().map(|link| (link.at, link.def)).collect();
    let p = at(text, "!p", 0);
    assert_eq!(uses, [(at(text, "!p", 1), p), (at(text, "#m", 1), 0), (at(text, "!p", 2), p)]);
    assert_eq!(places.attrs, [at(text, "of =", 0), at(text, "m = #m}", 0)]);
    let pair = places.type_at(at(text, "!toy.pair", 0) + 3).expect("a type");
    assert_eq!(&text[pair.start as usize..pair.end as usize], "!toy.pair<i1, i2>");
    let inner = places.type_at(at(text, "i2", 0)).expect("a type");
    assert_eq!(&text[inner.start as usize..inner.end as usize], "i2");
}

/// Definitions of symbols: the text of each place, the name, and the line of the op
fn definitions(text: &str) -> Vec<(String, String, usize)> {
    let (cx, partial, _) = read(text);
    let places = &partial.places;
    let show = |symbol: &terrace_text::places::SymbolPlace| {
        let line = |op: u32| text[..places.ops[op as usize].start as usize].matches('\n').count() + 1;
        let (name, place) = (cx.str(symbol.name), &text[symbol.at as usize..symbol.end as usize]);
        Some((place.to_string(), name.to_string(), line(symbol.op?)))
    };
    places.symbols.iter().filter_map(show).collect()
}

#[test]
fn definitions_of_symbols_are_known_in_every_form() {
    let text = r#"func.func @"a b"() attributes {of = @other, note = {sym_name = "no"}}
"func.func"() <{function_type = () -> (), sym_name = "q\22\\"}> ({}) {note = {sym_name = "no"}} : () -> ()
"builtin.module"() ({
  "func.func"() ({}) {of = @inner, sym_name = "inner", function_type = () -> ()} : () -> ()
}) {note = @behind, sym_name = "behind"} : () -> ()
"t.a"() {sym_name = "unregistered"} : () -> ()
#name = "alias"
"func.func"() <{function_type = () -> (), sym_name = #name}> ({}) : () -> ()
"#;
    let found = definitions(text);
    let found: Vec<(&str, &str, usize)> =
        found.iter().map(|(place, name, line)| (place.as_str(), name.as_str(), *line)).collect();
    // In order of the text; the name of a module in generic form stands behind what is inside.
    let want =
        [("@\"a b\"", "a b", 1), ("q\\22\\\\", "q\"\\", 2), ("inner", "inner", 4), ("behind", "behind", 3)];
    assert_eq!(found, want);
}

/// Time to read and verify a text
fn time(text: &str) -> f64 {
    let start = std::time::Instant::now();
    let (_, partial, _) = read(text);
    let _ = partial.verify();
    start.elapsed().as_secs_f64()
}

/// Read texts of two sizes: one that is 8 times as long takes no more than 24 times as long
fn grows_in_line(make: impl Fn(usize) -> String) {
    let (short, long) = (make(8000), make(64_000));
    let least = (0..3).map(|_| time(&short)).fold(f64::MAX, f64::min);
    // A quadratic part would be 64 times as long; what else the machine does may disturb one measurement.
    let ratio = (0..3).map(|_| time(&long) / least).find(|ratio| *ratio < 24.0);
    assert!(ratio.is_some(), "{least} s for the short text");
}

#[test]
fn scopes_end_in_time_that_does_not_depend_on_those_around() {
    // Names that the file defines at its end, and functions before that.
    grows_in_line(|count| {
        let each = |show: &dyn Fn(usize) -> String| (0..count).map(show).collect::<String>();
        each(&|n| format!("\"t.a\"(%x{n}) : (i1) -> ()\n"))
            + &each(&|n| format!("func.func @f{n}() {{\n  func.return\n}}\n"))
            + &each(&|n| format!("%x{n} = \"t.b\"() : () -> i1\n"))
    });
}

#[test]
fn wrong_ops_are_read_in_time_that_does_not_depend_on_those_before() {
    grows_in_line(|count| (0..count).map(|n| format!("%x{n} = toy.ad %a : i1\n")).collect());
}

#[test]
fn notes_cost_less_than_reading() {
    let mut text = "func.func @f(%a: i32) -> i32 {\n  %0 = toy.add %a, %a : i32\n".to_string();
    text.extend((1..20_000).map(|n| format!("  %{n} = toy.add %{}, %a : i32\n", n - 1)));
    text += "  return %19999 : i32\n}\n";
    let cx = context();
    let time = |read: &dyn Fn(SourceId, &mut Diags) -> bool| {
        let source = cx.sources().add("t.mlir", text.as_str());
        let start = std::time::Instant::now();
        assert!(read(source, &mut Diags::default()));
        start.elapsed().as_secs_f64()
    };
    let plain = || time(&|source, diags| parse(&cx, source, &lenient(), diags).is_some());
    let noted = || time(&|source, diags| parse_partial(&cx, source, &lenient(), diags).is_some());
    let pairs: Vec<(f64, f64)> = (0..15).map(|_| (plain(), noted())).collect();
    let least = |times: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(times).fold(f64::MAX, f64::min);
    let ratio = least(&|pair| pair.1) / least(&|pair| pair.0);
    println!("with notes {ratio:.2} of the time without");
    assert!(ratio < 2.0, "{ratio}");
}

#[test]
fn names_of_unknown_ops_are_compared_with_others_for_a_while_only() {
    let text: String = (0..200).map(|n| format!("toy.ad{n}\n")).collect();
    let (_, _, found) = read(&("toy.ad\n".repeat(100) + &text));
    let helped = found.iter().filter(|error| !error.help.is_empty()).count();
    // One search is for all that are spelled alike.
    assert_eq!((found.len(), helped), (300, 100 + 31));
}

/// The name that begins here, with its sigil
fn name(text: &str, at: u32) -> &str {
    let rest = &text[at as usize..];
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    let len = rest[1..].find(|c| !word(c)).map_or(rest.len(), |n| n + 1);
    &rest[..len]
}

#[test]
fn random_texts_with_random_mistakes() {
    let (mut wrong, mut links, mut verified) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut text = text_of(seed);
        for _ in 0..random.below(4) {
            let mut from = random.below(text.len() as u64) as usize;
            let mut to = (from + random.below(6) as usize).min(text.len());
            while !text.is_char_boundary(from) {
                from -= 1;
            }
            while !text.is_char_boundary(to) {
                to += 1;
            }
            let with = ["", "}", "{", "%", "^b", "\"", ")", "\n"][random.below(8) as usize];
            text.replace_range(from..to, with);
        }
        let (cx, partial, diags) = read(&text);
        // What is reported is what reading without notes reports.
        let source = cx.sources().add("again.mlir", text.clone());
        let mut again = Diags::default();
        let whole = parse(&cx, source, &lenient(), &mut again);
        let text_of = |d: &Diagnostic| (d.span.map(|span| (span.start, span.end)), d.headline());
        let again: Vec<_> = again.iter().map(text_of).collect();
        assert_eq!(diags.iter().map(text_of).collect::<Vec<_>>(), again, "{text}");
        wrong += usize::from(whole.is_none());
        verified += partial.verify().errors();
        let places = &partial.places;
        for link in places.uses.iter().chain(&places.branches) {
            assert_eq!(name(&text, link.at), name(&text, link.def), "{text}");
        }
        links += places.uses.len();
        for op in &places.ops {
            assert!(op.start <= op.name && op.name <= op.end && op.end as usize <= text.len(), "{text}");
        }
        assert!(places.ops.is_sorted_by_key(|op| op.start), "{text}");
    }
    assert!(wrong > 100 && links > 1000, "{wrong} {links} {verified}");
}
