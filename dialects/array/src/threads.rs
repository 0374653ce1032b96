//! How many threads a block has and how many blocks a grid, where a program says so: `array.block` and `array.grid`.
//!
//! Discardable attributes of a function, or of a map for that map and what is inside of it: up to three sizes, along x, y
//! and z, each a number or a symbol that gets one (`array.block = [16, "@ly"]`); 0 says nothing. A map over more elements at
//! a level of threads or blocks is strip-mined by that number.

use crate::codes;
use crate::misfit::Misfit;
use crate::nat_text::nat_of;
use crate::size::{NoValue, Sizes, value_of};
use std::collections::BTreeMap;
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_ir::{Attr, Context, Ir, OpId, VerifyCx};

/// Attribute with the threads of a block along x, y, z
pub const BLOCK: &str = "array.block";
/// Attribute with the blocks of a grid along x, y, z
pub const GRID: &str = "array.grid";

fn sizes(cx: &Context, attr: Attr) -> Option<Vec<Nat>> {
    let one = |attr: &Attr| match attr.as_i64(cx) {
        Some(value) => (value >= 0).then(|| Nat::from(value)),
        None => nat_of(cx, *attr),
    };
    let all = attr.as_array(cx)?.iter().map(one).collect::<Option<Vec<Nat>>>()?;
    (1..=3).contains(&all.len()).then_some(all)
}

/// The sizes of an op along x, y, z, its own or those of the innermost op around; 0 where there are none. The error is a size that is
/// no number yet
pub fn said(ir: &Ir, op: OpId, name: &str, known: &BTreeMap<String, i64>) -> Result<[i64; 3], NoValue> {
    let mut out = [0; 3];
    for at in std::iter::successors(Some(op), |op| ir.parent(*op)) {
        let Some(attr) = ir.discardable(at, name) else { continue };
        for (own, size) in out.iter_mut().zip(sizes(ir.cx(), attr).unwrap_or_default()) {
            if *own == 0 {
                *own = value_of(&size, known)?;
            }
        }
    }
    Ok(out)
}

/// Symbols in what an op says
pub(crate) fn names(ir: &Ir, op: OpId) -> Vec<String> {
    let found = [BLOCK, GRID].into_iter().filter_map(|name| ir.discardable(op, name));
    let sizes = found.filter_map(|attr| sizes(ir.cx(), attr)).flatten();
    sizes.flat_map(|size| size.names()).collect()
}

/// The attributes with other sizes, where that changes them
pub(crate) fn changed(ir: &Ir, op: OpId, put: Sizes<'_>) -> Result<Vec<(&'static str, Attr)>, Misfit> {
    let cx = ir.cx();
    let mut out = Vec::new();
    for name in [BLOCK, GRID] {
        let Some(old) = ir.discardable(op, name) else { continue };
        let mut all = Vec::new();
        for size in sizes(cx, old).unwrap_or_default() {
            let size =
                size.substitute(put).map_err(|error| Misfit::size(format!("attribute '{name}': {error}")))?;
            all.push(match size.as_constant() {
                Some(value) => cx.int_attr(value.into(), cx.common().i64),
                None => crate::nat_text::nat_attr(cx, &size),
            });
        }
        let new = cx.array_attr(&all);
        if new != old {
            out.push((name, new));
        }
    }
    Ok(out)
}

/// Check the attributes where they stand
pub(crate) fn verify(v: &VerifyCx<'_>, op: OpId, name: &str, attr: Attr) -> Result<(), Reported> {
    if ![BLOCK, GRID].contains(&name) || sizes(v.ir.cx(), attr).is_some() {
        return Ok(());
    }
    let message = format!(
        "BIND: attribute '{name}' must be one to three sizes along x, y, z, numbers from 0 or symbols, as in [16, \"@n\"]"
    );
    v.fail(op, &codes::BIND, message)
}
