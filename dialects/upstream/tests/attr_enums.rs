//! Enums of attribute cases: words, numbers and attributes agree; predicates and kinds of combining mean what they say.

use std::cmp::Ordering;
use terrace_dialect_arith::{
    CmpFPredicate, CmpIPredicate, FastMathFlags, OverflowFlags, RoundingMode, identity, scalar_op,
};
use terrace_dialect_gpu as gpu;
use terrace_dialect_linalg as linalg;
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_interp::RtValue;
use terrace_interp::combine::{Combining, combine};
use terrace_ir::{Context, EnumDef};

/// One row per enum: table, and for each case the word, the number, the case of each, and the case of its attribute
macro_rules! agree {
    ($cx:ident $($name:ty)*) => {$(
        assert_eq!(<$name>::ALL.len(), <$name>::DEF.cases.len(), "{}", <$name>::DEF.name);
        for (case, (word, value)) in <$name>::ALL.iter().zip(<$name>::DEF.cases) {
            assert_eq!((case.word(), case.value()), (*word, *value));
            assert_eq!(<$name>::from_word(word), Some(*case));
            assert_eq!(<$name>::from_value(*value), Some(*case));
            assert_eq!(<$name>::of(&$cx, case.attr(&$cx)), Some(*case), "{word}");
        }
        assert_eq!(<$name>::from_word("no such word"), None);
        assert_eq!(<$name>::from_value(u64::MAX), None);
        assert_eq!(<$name>::of(&$cx, $cx.common().unit), None);
    )*};
}

fn context() -> std::sync::Arc<Context> {
    Context::new(terrace_dialect_upstream::ALL)
}

#[test]
fn words_numbers_and_attributes_agree() {
    let cx = context();
    agree!(cx CmpIPredicate CmpFPredicate RoundingMode memref::AtomicRmwKind linalg::IteratorType vector::CombiningKind
        vector::IteratorType vector::PrintPunctuation gpu::Dimension gpu::ShuffleMode gpu::AllReduceOperation
        gpu::BroadcastType gpu::MmaElementwiseOp gpu::AddressSpace gpu::TransposeMode gpu::PruneFlag gpu::SpGemmKind);
}

#[test]
fn an_integer_of_another_type_is_no_predicate() {
    let cx = context();
    assert_eq!(CmpIPredicate::of(&cx, cx.int_attr(1, cx.common().i32)), None);
    assert_eq!(CmpIPredicate::of(&cx, cx.int_attr(-1, cx.common().i64)), None);
    assert_eq!(CmpIPredicate::of(&cx, cx.int_attr(10, cx.common().i64)), None);
}

#[test]
fn flags_are_sets() {
    let cx = context();
    let both = OverflowFlags::NSW.and(OverflowFlags::NUW);
    assert!(
        both.has(OverflowFlags::NSW) && both.has_any(OverflowFlags::NUW) && !OverflowFlags::NSW.has(both)
    );
    assert!(OverflowFlags::NONE.is_empty() && OverflowFlags::of(&cx, OverflowFlags::none(&cx)).is_some());
    assert_eq!(OverflowFlags::of(&cx, both.attr(&cx)), Some(both));
    let bits: fn(&EnumDef, &str) -> Option<u64> = EnumDef::value;
    for (word, flag) in [("nnan", FastMathFlags::NNAN), ("contract", FastMathFlags::CONTRACT)] {
        assert_eq!(bits(FastMathFlags::DEF, word), Some(flag.bits()));
        assert!(FastMathFlags::FAST.has(flag));
    }
}

#[test]
fn integer_predicates_hold_as_their_words_say() {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    for predicate in CmpIPredicate::ALL {
        for (signed, unsigned) in all.into_iter().flat_map(|signed| all.map(|other| (signed, other))) {
            if signed.is_eq() != unsigned.is_eq() {
                continue;
            }
            let word = predicate.word();
            let order = if word.starts_with('u') { unsigned } else { signed };
            let wanted = match word.trim_start_matches(['s', 'u']) {
                "eq" => order.is_eq(),
                "ne" => order.is_ne(),
                "lt" => order.is_lt(),
                "le" => order.is_le(),
                "gt" => order.is_gt(),
                "ge" => order.is_ge(),
                other => panic!("{other}"),
            };
            assert_eq!(predicate.holds(signed, unsigned), wanted, "{word}");
            assert_eq!(predicate.inverse().holds(signed, unsigned), !wanted, "not {word}");
            assert_eq!(
                predicate.swapped().holds(signed.reverse(), unsigned.reverse()),
                wanted,
                "{word} swapped"
            );
            assert_eq!(predicate.unsigned().holds(unsigned, unsigned), predicate.holds(unsigned, unsigned));
        }
    }
}

#[test]
fn float_predicates_hold_as_their_words_say() {
    let numbers = [f64::NAN, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f64::INFINITY];
    for predicate in CmpFPredicate::ALL {
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            let unordered = a.is_nan() || b.is_nan();
            let wanted = match predicate.word() {
                "false" => false,
                "true" => true,
                "ord" => !unordered,
                "uno" => unordered,
                word => {
                    let holds = match &word[1..] {
                        "eq" => a == b,
                        "ne" => a != b,
                        "lt" => a < b,
                        "le" => a <= b,
                        "gt" => a > b,
                        "ge" => a >= b,
                        other => panic!("{other}"),
                    };
                    if unordered { word.starts_with('u') } else { holds }
                }
            };
            assert_eq!(predicate.holds(a, b), wanted, "{} {a} {b}", predicate.word());
        }
    }
}

#[test]
fn the_identity_changes_nothing() {
    let cx = context();
    for kind in vector::CombiningKind::ALL {
        let combining = Combining::from(*kind);
        assert_eq!(vector::CombiningKind::from(combining), *kind);
        for (ty, float) in [(cx.common().f32, true), (cx.common().i32, false)] {
            let Some(one) = identity(&cx, combining, ty) else {
                assert!(scalar_op(combining, float).is_none(), "{}", kind.word());
                continue;
            };
            assert!(scalar_op(combining, float).is_some(), "{}", kind.word());
            let one = RtValue::of_attr(&cx, one).expect("a number");
            let value = |n: i64| if float { RtValue::f32(n as f32) } else { RtValue::int(n.into(), 32) };
            for n in [-3, 1, 7] {
                let combined = combine(combining, &value(n), &one).expect("the kind fits the type");
                assert_eq!(combined, value(n), "{}", kind.word());
            }
        }
    }
}
