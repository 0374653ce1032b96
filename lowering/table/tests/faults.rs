//! Rows twice, ops with a row and a gap, ops with neither.

use terrace_dialect_cf as cf;
use terrace_dialect_ub as ub;
use terrace_lowering_table::{Gap, Row, Table, rows};

type Line = Row<(), &'static str>;

static ROWS: &[Line] = rows! { cf:
    Br (), "br";
    Switch (), "switch";
};
static AGAIN: &[Line] = rows! { cf: Br (), "br again"; };
static GAPS: &[Gap] = &[
    Gap { dialect: "cf", ops: &[cf::Assert::DEF], why: "it stops", help: "" },
    Gap { dialect: "ub", ops: &[], why: "all of it", help: "" },
];
static WRONG: &[Gap] = &[Gap { dialect: "ub", ops: &[cf::Switch::DEF], why: "", help: "" }];

#[test]
fn a_whole_table_has_no_faults() {
    let rest: &[Line] = rows! { cf: CondBr (), "cond_br"; };
    let table = Table::new(&[ROWS, rest], &[GAPS]);
    assert_eq!(table.faults(&[&cf::CF, &ub::UB]), Vec::<String>::new());
    assert_eq!(table.row(cf::Switch::DEF).map(|row| row.emit), Some("switch"));
    assert!(table.row(ub::Poison::DEF).is_none());
}

#[test]
fn faults_are_named() {
    let table = Table::new(&[ROWS, AGAIN], &[GAPS, WRONG]);
    assert_eq!(
        table.faults(&[&cf::CF, &ub::UB]),
        [
            "cf.br has two rows",
            "cf.cond_br has neither a row nor a gap",
            "cf.switch has a row and a gap",
            "cf.switch is no op of ub",
        ]
    );
}
