//! Which ops have a spelling: each one's example is printed, and what is refused is listed here.

mod common;

use common::{context, parse, print};
use terrace_lowering_c::Flavor;

/// Refused as C: what is not structured, values of other types, what names memory in ways that C does not show
const REFUSED: &[&str] = &[
    "arith.scaling_extf",
    "arith.scaling_truncf",
    "builtin.module",
    "builtin.unrealized_conversion_cast",
    "cf.br",
    "cf.cond_br",
    "cf.switch",
    "func.call_indirect",
    "func.constant",
    "memref.dma_start",
    "memref.dma_wait",
    "memref.extract_aligned_pointer_as_index",
    "memref.global",
    "memref.rank",
    "memref.realloc",
    "memref.reinterpret_cast",
    "memref.reshape",
    "vector.store",
    "vector.transfer_write",
];

#[test]
fn examples() {
    let cx = context();
    let mut refused = Vec::new();
    let dialects = ["gpu", "affine"];
    for dialect in terrace_dialect_upstream::ALL.iter().filter(|dialect| !dialects.contains(&dialect.name)) {
        for def in dialect.ops {
            let Some((_, rest)) = def.docs.split_once("```mlir\n") else { continue };
            let Some((example, _)) = rest.split_once("```") else { continue };
            if print(&parse(&cx, example), Flavor::OpenMp).is_err() {
                refused.push(def.name);
            }
        }
    }
    refused.sort_unstable();
    assert_eq!(refused, REFUSED);
}
