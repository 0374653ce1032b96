//! Damaged input is refused or read as something else, without a panic.

use crate::context;
use terrace_diag::Diags;

const INDEX: &str = include_str!("dumps/index.json");

/// Numbers that look random and are the same each time
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn load(text: &str) {
    if let Ok(loaded) = terrace_irdl::from_ods(text, terrace_dialect_upstream::ALL) {
        context(&loaded);
    }
}

#[test]
fn other_json_is_refused() {
    for (text, part) in [
        ("", "no JSON"),
        ("{\"a\": [1, 2", "no JSON"),
        ("[1, 2]", "no dump of records"),
        ("{\"name\": \"x\"}", "no dump of records"),
        ("{\"!instanceof\": {}}", "defines no dialect"),
        ("{\"!instanceof\": {\"Dialect\": [\"D\"]}, \"D\": {\"name\": \"a b\"}}", "no name of a dialect"),
    ] {
        let error = terrace_irdl::from_ods(text, &[]).err().expect("no dump");
        assert!(error.message.contains(part), "{text}: {}", error.message);
    }
}

/// Predicates that are part of themselves
#[test]
fn circles_end() {
    let text = r#"{"!instanceof": {"Dialect": ["D"], "Op": ["O"]}, "D": {"name": "d"},
      "O": {"opName": "o", "opDialect": {"def": "D"}, "arguments": {"args": [[{"def": "T"}, "a"], [{"def": "A"}, "b"]]},
        "traits": [{"def": "L"}]},
      "T": {"!superclasses": ["TypeConstraint"], "predicate": {"def": "P"}},
      "A": {"!superclasses": ["AttrConstraint", "OptionalAttr"], "baseAttr": {"def": "A"}, "predicate": {"def": "P"}},
      "L": {"!superclasses": ["TraitList"], "traits": [{"def": "L"}, {"def": "L"}]},
      "PredCombinerAnd": {},
      "P": {"!superclasses": ["CombinedPred"], "kind": {"def": "PredCombinerAnd"}, "children": [{"def": "P"}, {"def": "P"}]}}"#;
    load(text);
}

/// Words and records changed for others of the same file, and pieces left out
#[test]
fn mutants_do_not_panic() {
    let mut numbers = Numbers(1);
    let words: Vec<&str> = INDEX.split('"').collect();
    for _ in 0..300 {
        let mut mutant: Vec<&str> = words.clone();
        for _ in 0..1 + numbers.below(8) {
            let (to, from) = (numbers.below(words.len()), numbers.below(words.len()));
            // Words stand at odd places, punctuation between them at even ones.
            if to % 2 == from % 2 {
                mutant[to] = words[from];
            }
        }
        load(&mutant.join("\""));
    }
    for _ in 0..50 {
        let end = numbers.below(INDEX.len());
        load(INDEX.get(..end).unwrap_or_default());
    }
}

#[test]
fn mutants_of_irdl_do_not_panic() {
    let text = "irdl.dialect @d { irdl.type @t { %0 = irdl.any irdl.parameters(a: %0) } irdl.operation @o { %1 = irdl.is i32 \
        %2 = irdl.parametric @t < %1 > %3 = irdl.any_of( %1 , %2 ) %4 = irdl.c_pred \"!($_self.isF32() && (true || isa<T>($_self)))\" \
        irdl.operands( a: %3 , b: variadic %4 ) irdl.attributes { \"x\" = %1 } } }";
    let words: Vec<&str> = text.split(' ').collect();
    let mut numbers = Numbers(2);
    for _ in 0..1000 {
        let mut mutant = words.clone();
        for _ in 0..1 + numbers.below(4) {
            let (to, from) = (numbers.below(words.len()), numbers.below(words.len()));
            mutant[to] = words[from];
        }
        let mut diags = Diags::default();
        let loaded =
            terrace_irdl::from_irdl("d.mlir", mutant.join(" "), terrace_dialect_upstream::ALL, &mut diags);
        if let Ok((_, Some(loaded))) = loaded {
            context(&loaded);
        }
    }
}
