//! What may be an operand of a map: a dimension or a symbol.
//!
//! A symbol does not change inside of the innermost op around that is an affine scope: it is defined at the scope's top or
//! outside, or computed without effects from symbols and constants. Dimensions are symbols, variables of affine loops, and
//! what `affine.apply` makes of them.

use super::{Apply, DelinearizeIndex, For, LinearizeIndex, Parallel};
use terrace_diag::Reported;
use terrace_dialect_memref as memref;
use terrace_ir::verify::is_complete;
use terrace_ir::{DYNAMIC, Ir, OpId, RegionId, Traits, TypeKind, Value, VerifyCx, codes};

/// The region of the innermost affine scope around an op
pub fn scope(ir: &Ir, op: OpId) -> Option<RegionId> {
    let mut op = op;
    loop {
        let region = ir.block_region(ir.block(op)?)?;
        let parent = ir.region_parent(region);
        if ir.has(parent, Traits::AffineScope) {
            return Some(region);
        }
        op = parent;
    }
}

/// Is the value defined at the top of the scope or outside of it?
fn is_top(ir: &Ir, value: Value, scope: Option<RegionId>) -> bool {
    let Some(region) = ir.value_block(value).and_then(|block| ir.block_region(block)) else { return false };
    let Some(scope) = scope else { return true };
    let (mut at, mut op) = (Some(scope), ir.region_parent(scope));
    while let Some(outer) = at {
        if outer == region {
            return true;
        }
        if ir.has(op, Traits::IsolatedFromAbove) {
            return false;
        }
        at = ir.block(op).and_then(|block| ir.block_region(block));
        op = at.map_or(op, |region| ir.region_parent(region));
    }
    false
}

/// Is the size of this memory known where the scope begins?
fn is_dim_symbol(ir: &Ir, dim: memref::Dim, scope: Option<RegionId>) -> bool {
    let source = dim.source(ir);
    if is_top(ir, source, scope) {
        return true;
    }
    let index = terrace_ir::fold::constant_of(ir, dim.index(ir)).and_then(|attr| attr.as_i64(ir.cx()));
    let size = index.and_then(|n| ir.ty(source).shape(ir.cx())?.get(usize::try_from(n).ok()?).copied());
    size.is_some_and(|size| size != DYNAMIC)
}

/// May the value be a symbol of an op in this scope?
pub fn is_symbol(ir: &Ir, value: Value, scope: Option<RegionId>) -> bool {
    leaves_hold(ir, value, |ir, value, op| {
        if is_top(ir, value, scope) {
            return Some(true);
        }
        let op = op?;
        if ir.has(op, Traits::ConstantLike) {
            return Some(true);
        }
        if let Some(dim) = memref::Dim::cast(ir, op).filter(|_| is_complete(ir, op)) {
            return Some(is_dim_symbol(ir, dim, scope));
        }
        if ir.has(op, Traits::Pure) && ir.num_regions(op) == 0 { None } else { Some(false) }
    })
}

/// May the value be a dimension of an op in this scope?
pub fn is_dim(ir: &Ir, value: Value, scope: Option<RegionId>) -> bool {
    leaves_hold(ir, value, |ir, value, op| {
        if is_symbol(ir, value, scope) {
            return Some(true);
        }
        let Some(op) = op else {
            let around = ir.value_block(value).and_then(|block| ir.block_parent(block))?;
            return Some(For::cast(ir, around).is_some() || Parallel::cast(ir, around).is_some());
        };
        let passes = Apply::cast(ir, op).is_some()
            || DelinearizeIndex::cast(ir, op).is_some()
            || LinearizeIndex::cast(ir, op).is_some();
        if passes { None } else { Some(false) }
    })
}

/// Does a rule hold for a value, or for all operands of its op where the rule asks for them (`None`)?
fn leaves_hold(ir: &Ir, value: Value, rule: impl Fn(&Ir, Value, Option<OpId>) -> Option<bool>) -> bool {
    let (mut pending, mut seen) = (vec![value], terrace_support::HashSet::default());
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        let index = matches!(ir.ty(value).kind(ir.cx()), TypeKind::Index) || seen.len() > 1;
        let op = ir.defining_op(value);
        match (index, rule(ir, value, op), op) {
            (false, ..) | (_, Some(false), _) | (_, None, None) => return false,
            (_, Some(true), _) => {}
            (_, None, Some(op)) => pending.extend(ir.operands(op)),
        }
    }
    true
}

/// Operands of a map or set: dimensions, then symbols
pub fn check(v: &VerifyCx<'_>, op: OpId, dims: usize, operands: &[Value]) -> Result<(), Reported> {
    let scope = scope(v.ir, op);
    for (n, &value) in operands.iter().enumerate() {
        if n < dims && !is_dim(v.ir, value, scope) {
            return v.fail(op, &codes::OP_RULE, "operand cannot be used as a dimension id");
        }
        if n >= dims && !is_symbol(v.ir, value, scope) {
            return v.fail(op, &codes::OP_RULE, "operand cannot be used as a symbol");
        }
    }
    Ok(())
}

/// The numbers of a map's operands
pub fn check_count(
    v: &VerifyCx<'_>,
    op: OpId,
    attr: terrace_ir::Attr,
    operands: usize,
    message: &str,
) -> Result<(), Reported> {
    match super::parts::arity(v.ir.cx(), attr) {
        Some((dims, symbols)) if dims + symbols != operands => v.fail(op, &codes::OP_RULE, message),
        _ => Ok(()),
    }
}
