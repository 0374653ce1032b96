//! Which factors of a product go first, by counts of operations.
//!
//! A multiplication and the sum of its result count as one operation. A result between two computations is stored and read again, which counts
//! per element. Extents count as far as they give numbers of points; nothing here knows a device.

use super::computed::{Set, members};
use super::product::Product;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{FloatKind, Ir, TypeKind};

/// Operations that an element between two computations costs: a store, a load, and their share of loops
const BETWEEN: u128 = 4;

/// Operations that one more computation costs: its loops
const MORE: u128 = 256;

/// A product in two
pub struct Division {
    /// Factors that go first
    pub first: Set,
    /// Dimensions that are reduced with them
    pub reduced: Set,
    /// Does it compute the same products as the body, in the same order?
    pub same: bool,
    before: u128,
    after: u128,
}

/// Why the best division may not be taken
pub struct Refusal {
    /// The reason
    pub why: &'static str,
    /// Operations
    pub saves: u128,
}

impl Division {
    /// The division with the fewest operations, if these are fewer than without; the error says what stands against it
    pub fn best(ir: &Ir, op: Compute, view: &View, p: &Product) -> Result<Option<Division>, Refusal> {
        let all: Set = (1 << view.dims.len()) - 1;
        let each = per_point(p.factors.len() as u32, true).saturating_add(p.work(p.all()));
        let before = points(view, all).saturating_mul(each);
        let obstacle = obstacle(ir, op, view, p);
        let reassociates = p.reassociates(ir.cx());
        let (mut best, mut refused): (Option<Division>, Option<Division>) = (None, None);
        for first in 1..p.all() {
            let Some(one) = Division::of(view, p, first, before) else { continue };
            let allowed = one.same || obstacle.is_none() || reassociates && one.reduced == 0;
            let place = if allowed { &mut best } else { &mut refused };
            if one.after < place.as_ref().map_or(before, |other| other.after) {
                *place = Some(one);
            }
        }
        match (best, refused, obstacle) {
            (None, Some(refused), Some(why)) => Err(Refusal { why, saves: before - refused.after }),
            (best, ..) => Ok(best),
        }
    }

    /// With these factors first; `None` if that makes no sense
    fn of(view: &View, p: &Product, first: Set, before: u128) -> Option<Division> {
        let others = p.all() & !first;
        let used = p.dims(first);
        let reduced = p.reduced & used & !p.dims(others);
        if first.count_ones() == 1 && reduced == 0 && !apart(p, first) {
            return None;
        }
        // Start values join the reduction, which must be there.
        let remains = ((1 << view.dims.len()) - 1) & !reduced;
        if view.outputs[0].init.is_some() && p.reduced & remains == 0 {
            return None;
        }
        let between = points(view, used & !reduced);
        let inner = per_point(first.count_ones(), reduced != 0).saturating_add(p.work(first));
        let inner = points(view, used).saturating_mul(inner);
        let outer = per_point(others.count_ones() + 1, true).saturating_add(p.work(others));
        let outer = points(view, remains).saturating_mul(outer);
        let after =
            [inner, outer, between.saturating_mul(BETWEEN), MORE].into_iter().fold(0, u128::saturating_add);
        let same = reduced == 0 && p.part(first).is_some();
        Some(Division { first, reduced, same, before, after })
    }

    /// For a remark
    pub fn said(&self, ir: &Ir, view: &View, p: &Product) -> String {
        let name =
            |n: usize| ir.value_name(p.factors[n].value).map_or(format!("factor {}", n + 1), String::from);
        let names = |set: Set| members(set).map(name).collect::<Vec<String>>().join(", ");
        let counts = format!("{} operations in place of {}", self.after, self.before);
        if self.reduced == 0 {
            let what = if self.first.count_ones() == 1 { "" } else { "the product of " };
            return format!("{what}{} is taken first: {counts}", names(self.first));
        }
        let dims: Vec<&str> = members(self.reduced).map(|dim| view.dims[dim].name.as_str()).collect();
        let others = names(p.all() & !self.first);
        format!("{others} taken out of the reduction over {}: {counts}", dims.join(", "))
    }
}

/// Can a factor go first alone? If it is computed, and not of a window, whose points are more than its elements
fn apart(p: &Product, factor: Set) -> bool {
    let computed = members(factor).map(|n| p.factors[n].computed);
    computed.into_iter().all(|computed| computed.work > 0 && computed.per_element)
}

/// Multiplications and sums at a point of a computation with so many factors
fn per_point(factors: u32, reduces: bool) -> u128 {
    let products = u128::from(factors.saturating_sub(1));
    products.max(u128::from(reduces))
}

fn points(view: &View, dims: Set) -> u128 {
    members(dims).fold(1, |all: u128, dim| all.saturating_mul(view.dims[dim].size.max(0) as u128))
}

/// What stands against rounding otherwise than the text does
fn obstacle(ir: &Ir, op: Compute, view: &View, p: &Product) -> Option<&'static str> {
    let TypeKind::Float(kind) = p.ty.kind(ir.cx()) else { return None };
    let rounds = std::ptr::eq(p.times, terrace_dialect_arith::MulF::DEF);
    let wide = matches!(
        kind,
        FloatKind::BF16
            | FloatKind::TF32
            | FloatKind::F32
            | FloatKind::F64
            | FloatKind::F80
            | FloatKind::F128
    );
    match rounds {
        false => None,
        true if view.in_order(ir, op) => Some("its order is that of the source"),
        true if !wide => Some("sums without the factor may exceed the range of the type"),
        true => None,
    }
}
