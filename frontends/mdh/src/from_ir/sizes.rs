//! Sizes that are known at run time, as MDH text has them: parameters with a bound, and dimensions that end there.

use super::names::Names;
use super::results::argument;
use super::{Done, unsaid};
use crate::syntax::{Expr, ExprKind};
use terrace_diag::Span;
use terrace_dialect_mdh::view::{Condition, Input, View};
use terrace_ir::{Ir, Value};
use terrace_support::affine::AffineExpr;

/// The sizes of a computation
pub(super) struct Open {
    /// Names with bounds
    sizes: Vec<(String, i64)>,
    values: Vec<Value>,
    /// Where each dimension ends
    ends: Vec<Option<usize>>,
    /// The other conditions; sizes are dimensions behind the others
    pub(super) others: Vec<Condition>,
}

impl Open {
    pub(super) fn of(unit: &Ir, view: &View, names: &mut Names, place: Option<Span>) -> Done<Open> {
        let values = view.extents.iter().map(|extent| extent.value).collect();
        let mut made =
            Open { sizes: Vec::new(), values, ends: vec![None; view.dims.len()], others: Vec::new() };
        for extent in &view.extents {
            let arg = argument(unit, extent.value).filter(|arg| unit.ty(*arg).is_index(unit.cx()));
            let Some(arg) = arg else {
                let accepted =
                    "sizes of type `index` that the function takes, as MDH text and tensor text make them";
                return Err(unsaid(place, "an extent is computed from other numbers", accepted));
            };
            let name = names.fresh(&unit.value_name(arg).unwrap_or("n").to_uppercase());
            made.sizes.push((name, extent.most));
        }
        for one in &view.conditions {
            match (&one.low, &one.expr, &one.high) {
                (None, AffineExpr::Dim(dim), AffineExpr::Symbol(size))
                    if made.ends(*dim as usize, *size as usize, view) =>
                {
                    made.ends[*dim as usize] = Some(*size as usize);
                }
                _ => made.others.extend(spelled(one, view)),
            }
        }
        Ok(made)
    }

    /// Does a dimension end there, and is its size the bound?
    fn ends(&self, dim: usize, size: usize, view: &View) -> bool {
        let most = self.sizes.get(size).map(|(_, most)| *most);
        self.ends.get(dim) == Some(&None) && most == view.dims.get(dim).map(|dim| dim.size)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.sizes.iter().map(|(name, _)| name)
    }

    /// The size that an input is as a value
    pub(super) fn value(&self, input: &Input) -> Option<&String> {
        let n = self.values.iter().position(|value| *value == input.value)?;
        self.names().nth(n).filter(|_| input.map.is_none())
    }

    /// The size at which a dimension ends
    pub(super) fn end(&self, dim: usize) -> Option<&String> {
        self.names().nth((*self.ends.get(dim)?)?)
    }

    pub(super) fn bounds(&self, at: Span) -> Vec<(String, Expr)> {
        let bound = |most: i64| Expr { span: at, kind: ExprKind::Int(most) };
        self.sizes.iter().map(|(name, most)| (name.clone(), bound(*most))).collect()
    }
}

/// The condition with dimensions for sizes
fn spelled(one: &Condition, view: &View) -> Option<Condition> {
    let rank = view.dims.len() as u32;
    let sizes: Vec<AffineExpr> = (0..view.extents.len() as u32).map(|n| AffineExpr::Dim(rank + n)).collect();
    let of = |e: &AffineExpr| e.replace(&[], &sizes);
    let low = match &one.low {
        Some(low) => Some(of(low)?),
        None => None,
    };
    Some(Condition { low, expr: of(&one.expr)?, high: of(&one.high)? })
}
