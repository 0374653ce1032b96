//! `contract`: sums of products of two panels, as matrix units and dot product instructions compute them.

use super::*;
use terrace_ir::rules::{AnyMemRef, Index, UnitAttr};
use terrace_ir::{DYNAMIC, Ir, Type, TypeKind, Value, Verify, VerifyCx, codes};
use terrace_macros::op;

/// Add the products of two panels to a tile: `acc[m, n] += sum{k} lhs[…, k / a, r + m, k % a] * rhs[…, k / b, c + n, k % b]`
///
/// The panels have groups of a and b consecutive k innermost; k runs over what both have. Indices are those of dimensions in front, then
/// the first row or column. Dimensions of the tile in front of its last two have one element. Elements are converted to the type of
/// the sum first, integers with their sign, or without one where `lhs_unsigned` or `rhs_unsigned` states it. As in a `pw` loop the
/// order of adding is free. A tile of a matrix unit may flush subnormal floats to zero, and may add zeros: a sum of negative zeros
/// may be a positive one. With `free` instructions on lanes may do so, too. With `overwrite` the sums begin at zero, of either
/// sign for floats, whatever the tile held.
///
/// ```mlir
/// func.func @f(%A: memref<2x16x64xi8>, %B: memref<32x16x4xi8>, %C: memref<16x16xi32>) {
///   %z = arith.constant 0 : index
///   sched.contract %A[%z], %B[%z] into %C : memref<2x16x64xi8>, memref<32x16x4xi8> into memref<16x16xi32>
///   return
/// }
/// ```
#[op(
    "sched.contract",
    effects(read, write),
    relations(same_element(lhs, rhs)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm(
    "$lhs `[` $lhs_indices `]` `,` $rhs `[` $rhs_indices `]` `into` $acc attr-dict `:` type($lhs) `,` type($rhs) `into` type($acc)"
)]
pub struct Contract {
    lhs: AnyMemRef,
    lhs_indices: Variadic<Index>,
    rhs: AnyMemRef,
    rhs_indices: Variadic<Index>,
    acc: AnyMemRef,
    #[attr(optional)]
    overwrite: UnitAttr,
    #[attr(optional)]
    lhs_unsigned: UnitAttr,
    #[attr(optional)]
    rhs_unsigned: UnitAttr,
    #[attr(optional)]
    free: UnitAttr,
}

/// Sizes of a [`Contract`]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContractSizes {
    /// Rows of the tile
    pub m: i64,
    /// Columns of the tile
    pub n: i64,
    /// Length of the sums
    pub k: i64,
    /// Rows of the left panel and columns of the right one
    pub across: [i64; 2],
    /// Groups of the left and of the right panel
    pub groups: [i64; 2],
    /// Elements of a group
    pub group: [i64; 2],
}

impl Contract {
    /// The sizes, if the shapes fit
    pub fn sizes(self, ir: &Ir) -> Option<ContractSizes> {
        let shape = |value: Value| ir.ty(value).shape(ir.cx());
        let (lhs, rhs, acc) = (shape(self.lhs(ir))?, shape(self.rhs(ir))?, shape(self.acc(ir))?);
        let ([front @ .., groups, rows, group], [before @ .., others, columns, other], [ones @ .., m, n]) =
            (lhs, rhs, acc)
        else {
            return None;
        };
        let (groups, rows, group, others, columns, other) =
            (*groups, *rows, *group, *others, *columns, *other);
        let (m, n) = (*m, *n);
        let at = [self.lhs_indices(ir).len(), self.rhs_indices(ir).len()];
        if at != [front.len() + 1, before.len() + 1] || ones.iter().any(|size| *size != 1) {
            return None;
        }
        let known = [lhs, rhs, acc].iter().all(|shape| !shape.contains(&DYNAMIC));
        let k = groups.checked_mul(group)?.min(others.checked_mul(other)?);
        let (across, groups, group) = ([rows, columns], [groups, others], [group, other]);
        (known && m <= rows && n <= columns).then_some(ContractSizes { m, n, k, across, groups, group })
    }
}

/// Does a type hold all numbers of a narrower one?
fn widens(cx: &Context, from: Type, to: Type) -> bool {
    let bits = |ty: Type| ty.bit_width(cx).unwrap_or(0);
    let ints = [from, to].iter().all(|ty| matches!(ty.kind(cx), TypeKind::Int { .. }));
    let floats = from.is_float(cx) && (to == cx.common().f32 || to == cx.common().f64);
    (ints || floats) && (from == to || bits(from) < bits(to))
}

impl Verify for Contract {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let elem = |value: Value| ir.ty(value).scalar(cx);
        if self.sizes(ir).is_none() {
            let message = "expects static shapes […, k / a, m or more, a], […, k / b, n or more, b] and [1, …, m, n], with an index for each dimension in front and one for the first row or column";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if !widens(cx, elem(self.lhs(ir)), elem(self.acc(ir))) {
            let message = "expects sums of integers in one as wide, sums of floats in f32 or f64";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        let unsigned = self.lhs_unsigned(ir).is_some() || self.rhs_unsigned(ir).is_some();
        if unsigned && elem(self.acc(ir)).is_float(cx) {
            return v.fail(self.0, &codes::OP_RULE, "expects integers where an operand is unsigned");
        }
        Ok(())
    }
}
