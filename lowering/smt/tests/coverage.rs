//! Every op of upstream's dialects has a formula, or a reason why not.

#[test]
fn every_op_has_a_row_or_a_gap() {
    assert_eq!(terrace_lowering_smt::faults(terrace_dialect_upstream::ALL), Vec::<String>::new());
}
