//! The table: what each op means as a formula, or why it has none.

use crate::encode::Encodings;
use crate::{arith, casts, choices, division};
use std::sync::LazyLock;
use terrace_dialect_func as func;
use terrace_ir::{Dialect, OpDef};
use terrace_lowering_table::{Gap, Table};

static GAPS: &[Gap] = &[
    gap("affine", &[], MEMORY, "lower it first: `lower-affine`"),
    gap("arith", &[], "computes with floats, which proofs do not cover", ""),
    gap("bufferization", &[], MEMORY, ""),
    gap("builtin", &[], "is not part of a function's body", ""),
    gap("cf", &[], BRANCHES, ""),
    gap(
        "func",
        &[func::Call::DEF, func::CallIndirect::DEF, func::Constant::DEF],
        "calls another function",
        "inline it first: `inline`",
    ),
    gap("func", &[func::Func::DEF, func::Return::DEF], "is a function of its own, or the end of one", ""),
    gap("gpu", &[], "is parallel, which proofs do not cover", ""),
    gap("linalg", &[], MEMORY, ""),
    gap("llvm", &[], MEMORY, ""),
    gap("math", &[], "has no formula yet", ""),
    gap("memref", &[], MEMORY, ""),
    gap("scf", &[], "is a loop, which proofs do not cover", ""),
    gap("tensor", &[], "computes with tensors, which proofs do not cover", ""),
    gap("ub", &[], BRANCHES, ""),
    gap("vector", &[], "computes with vectors, which proofs do not cover", ""),
];

const MEMORY: &str = "uses memory, which proofs do not cover";
const BRANCHES: &str = "is a branch between blocks, which proofs do not cover";

const fn gap(
    dialect: &'static str,
    ops: &'static [&'static OpDef],
    why: &'static str,
    help: &'static str,
) -> Gap {
    Gap { dialect, ops, why, help }
}

/// What is wrong with the table, given all ops that it should know: one line each
pub fn faults(dialects: &[&Dialect]) -> Vec<String> {
    table().faults(dialects)
}

/// The table
pub(crate) fn table() -> &'static Encodings {
    static TABLE: LazyLock<Encodings> = LazyLock::new(|| {
        Table::new(&[arith::OPS, casts::OPS, choices::OPS, choices::REGIONS, division::OPS], &[GAPS])
    });
    &TABLE
}
