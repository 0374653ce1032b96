//! `rotate`: lanes of a vector moved by a number that is known when the program runs.

use super::*;
use terrace_ir::rules::{AnyVector, Index};
use terrace_ir::{TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;

/// Lane i of a vector becomes lane i + by, and the last lanes become the first: `result[(i + by) mod lanes] = vector[i]`
///
/// ```mlir
/// func.func @f(%v: vector<8xf32>, %by: index) -> vector<8xf32> {
///   %r = sched.rotate %v by %by : vector<8xf32>
///   return %r : vector<8xf32>
/// }
/// ```
#[op(
    "sched.rotate",
    traits(Pure),
    relations(same(vector, result)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$vector `by` $by attr-dict `:` type($result)")]
pub struct Rotate {
    vector: AnyVector,
    by: Index,
    #[result]
    result: AnyVector,
}

impl Verify for Rotate {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ty = v.ir.ty(self.vector(v.ir));
        match ty.kind(v.ir.cx()) {
            TypeKind::Vector { shape, scalable: 0, .. } if shape.len() == 1 => Ok(()),
            _ => v.fail(
                self.0,
                &codes::OP_RULE,
                "expects a vector of one dimension with a known number of lanes",
            ),
        }
    }
}
