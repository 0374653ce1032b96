//! The pass `mdh-canonicalize-reductions`: every reduction has one of three forms, `all`, `x` (rows) or `y` (columns).
//!
//! Dimensions of one coordinate are left out, and contiguous neighbors become one (`collapse.rs`). Kept dimensions that are left become
//! one, and so do reduced ones: each is recovered by a quotient and a remainder. Points and their order stay.
//!
//! A processor's schedule does not need this pass: `mdh-schedule` compares the form without quotients with the one as written, and the model
//! decides (decision 0056).

use crate::collapse::{Collapsed, Place};
use crate::parts;
use terrace_devices::Device;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, Dim, Order, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_dialect_tensor::ExpandShape;
use terrace_ir::{Attr, Builder, Context, Ir, Type};
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_support::affine::{AffineExpr, AffineMap};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-canonicalize-reductions",
    aliases: &[],
    summary: "Give reductions one of three forms: all, rows or columns",
    docs: "Leaves out dimensions of one coordinate and takes contiguous neighbors as one, by views of tensors. What is left of the kept \
           dimensions becomes one, and what is left of the reduced ones: their coordinates are quotients and remainders. A remark states \
           the form, and the number of tile sizes and orders of loops before and after. An extent that is known at run time is outermost. Reductions with other conditions, guards, start \
           values or several results stay as they are.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[OptionSpec {
        name: "target",
        kind: OptionKind::Text,
        default: "host",
        docs: "device whose steps the remark counts with: host, x86-64-v4, openmp, opencl, cuda",
    }],
    stats: &["reductions rewritten"],
    make: |options| {
        let device = Device::find(&options.text(&INFO, "target")).map_err(OptionError::because)?;
        Ok(Box::new(Canonicalize { steps: steps(&device) }))
    },
};

struct Canonicalize {
    /// Steps of a schedule for the device
    steps: u32,
}

/// Steps of a schedule: one for each layer of cores and each region of memory, and on processors for registers, copies and lanes
fn steps(device: &Device) -> u32 {
    let (cores, regions) = terrace_search_schedules::auto::steps(device);
    (cores + regions) as u32
}

impl Pass for Canonicalize {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let all: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let mut rewritten = 0;
        for op in all {
            let Ok(written) = View::read(unit, op) else { continue };
            if !written.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..))) {
                continue;
            }
            let span = unit.span(op.id());
            let mut current = op;
            if let Some(runs) = Collapsed::before(unit, op, &written, Place::Anywhere) {
                current = runs.op;
                runs.replace(unit, op);
            }
            if let Ok(view) = View::read(unit, current)
                && let Some(made) = recovered(unit, current, &view)
            {
                current = made;
            }
            let Ok(view) = View::read(unit, current) else { continue };
            let Some(form) = form(unit, &view) else {
                if let Some(said) = not_outermost(&view) {
                    let _ = cx.emit(Diagnostic::remark(None, said).at(span));
                }
                continue;
            };
            if current != op {
                rewritten += 1;
            }
            let said = format!(
                "reduction of the form {form}: {}; {} sizes of tiles and orders of loops in {} steps, {} as written",
                extents(&view),
                points(&view, self.steps),
                self.steps,
                points(&written, self.steps)
            );
            let _ = cx.emit(Diagnostic::remark(None, said).at(span));
        }
        cx.count("reductions rewritten", rewritten);
        cx.set_changed(rewritten > 0);
        Ok(())
    }
}

/// Why a reduction with an extent that is known at run time has none of the forms
fn not_outermost(view: &View) -> Option<String> {
    let ends = view.ends().filter(|ends| !ends.is_empty())?;
    let name = ends.iter().map(|(dim, _)| format!("`{}`", view.dims[*dim].name)).collect::<Vec<_>>();
    Some(format!(
        "the extent of {} is known at run time only, and other dimensions are outside of it: the reduction stays as written",
        name.join(" and ")
    ))
}

/// `20 kept, 2000 reduced`
fn extents(view: &View) -> String {
    let of = |kept: bool| view.dims.iter().find(|dim| dim.kind.kept() == kept).map(|dim| dim.size);
    let words = [(of(true), "kept"), (of(false), "reduced")];
    let words = words.into_iter().filter_map(|(size, word)| Some(format!("{} {word}", size?)));
    words.collect::<Vec<_>>().join(", ")
}

/// The form of a reduction with at most one dimension of each kind: by what the largest input is contiguous along
fn form(ir: &Ir, view: &View) -> Option<&'static str> {
    let count = |kept: bool| view.dims.iter().filter(|dim| dim.kind.kept() == kept).count();
    match (count(true), count(false)) {
        (0, 1) => return Some("all"),
        (1, 1) => {}
        _ => return None,
    }
    let elements = |n: &usize| {
        let shape = ir.ty(view.inputs[*n].value).shape(ir.cx()).unwrap_or(&[]);
        shape.iter().fold(1i64, |all, extent| all.saturating_mul(*extent))
    };
    let largest = (0..view.inputs.len()).filter(|n| view.inputs[*n].map.is_some()).max_by_key(elements)?;
    let last = view.inputs[largest].map.as_ref()?.results.last()?;
    let reduced = view.dims.iter().position(|dim| !dim.kind.kept())?;
    Some(if last.uses_dim(reduced as u32) { "x" } else { "y" })
}

/// Tile sizes of all dimensions and orders of loops in so many steps: each step divides what the one before has left
fn points(view: &View, steps: u32) -> String {
    let sizes = view.dims.iter().map(|dim| chains(dim.size, steps)).sum::<f64>();
    let orders = (1..=view.dims.len()).map(|n| (n as f64).log10()).sum::<f64>() * f64::from(steps);
    let all = sizes + orders;
    if all < 6.0 { format!("{:.0}", 10f64.powf(all)) } else { format!("10^{all:.1}") }
}

/// The decimal logarithm of the number of ordered products of so many factors, and a remainder, that give an extent
fn chains(extent: i64, factors: u32) -> f64 {
    let (mut left, mut all, mut prime) = (extent.max(1), 0.0, 2);
    while left > 1 {
        if prime * prime > left {
            prime = left;
        }
        let mut power = 0;
        while left % prime == 0 {
            left /= prime;
            power += 1;
        }
        // So many ways to spread equal factors over the steps.
        all += (1..=power).map(|n| (f64::from(factors - 1 + n) / f64::from(n)).log10()).sum::<f64>();
        prime += 1;
    }
    all
}

/// Coordinates of dimensions of these extents, the outermost first, of their number in order
pub fn coordinates(number: AffineExpr, extents: &[i64]) -> Vec<AffineExpr> {
    let of = |n: usize| {
        let later: i64 = extents[n + 1..].iter().product();
        let quotient = AffineExpr::floor_div(number.clone(), later.into());
        if n == 0 { quotient } else { AffineExpr::modulo(quotient, extents[n].into()) }
    };
    (0..extents.len()).map(of).collect()
}

/// The computation with one kept and one reduced dimension, in place of one with more
fn recovered(ir: &mut Ir, op: Compute, view: &View) -> Option<Compute> {
    let [out] = view.outputs.as_slice() else { return None };
    let map = out.maps.first().filter(|_| out.maps.len() == 1 && out.init.is_none())?;
    let plain = |input: &terrace_dialect_mdh::view::Input| input.other.is_none() && input.guard.is_none();
    let (kept, mut reduced): (Vec<usize>, Vec<usize>) =
        (0..view.dims.len()).partition(|dim| view.dims[*dim].kind.kept());
    if kept.len() <= 1 && reduced.len() <= 1
        || !view.inputs.iter().all(plain)
        || ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF))
    {
        return None;
    }
    let kind = view.dims[*reduced.first()?].kind.clone();
    let CombineKind::Pw(_, order) = &kind else { return None };
    let one_kind = reduced.iter().all(|dim| view.dims[*dim].kind == kind);
    let cc = kept.iter().all(|dim| view.dims[*dim].kind == CombineKind::Cc);
    if !one_kind || !cc || matches!(order, Order::Tree | Order::Invariant | Order::Exact) {
        return None;
    }
    // Kept dimensions as the result has them, reduced ones as they are written: a fold in order stays one.
    let kept =
        if kept.len() > 1 { view.axes(0, ir.ty(ir.result(op.id(), 0)).shape(ir.cx())?)? } else { kept };
    reduced.sort_unstable();
    let ends = view.ends()?;
    if let Some(open) = reduced.iter().position(|dim| ends.iter().any(|(end, _)| end == dim)) {
        // What is known at run time is outermost: a quotient without a remainder.
        if open > 0 && (order.is_left_fold() || !commutes(&kind)) {
            return None;
        }
        reduced[..=open].rotate_right(1);
    }
    if kept.iter().skip(1).any(|dim| ends.iter().any(|(end, _)| end == dim)) {
        return None;
    }
    let groups = [(&kept, CombineKind::Cc, "i"), (&reduced, kind.clone(), "j")];
    let groups: Vec<_> = groups.into_iter().filter(|(dims, ..)| !dims.is_empty()).collect();
    let mut coords: Vec<AffineExpr> = vec![0.into(); view.dims.len()];
    let (mut dims, mut open) = (Vec::new(), Vec::new());
    for (n, (group, kind, name)) in groups.iter().enumerate() {
        let sizes: Vec<i64> = group.iter().map(|dim| view.dims[*dim].size).collect();
        let size = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size))?;
        let name = match group.as_slice() {
            [one] => view.dims[*one].name.clone(),
            _ => (*name).to_owned(),
        };
        dims.push(Dim { name, size, kind: kind.clone() });
        for (_, end) in ends.iter().filter(|(dim, _)| group.first() == Some(dim)) {
            let later: i64 = sizes[1..].iter().product();
            open.push((n, AffineExpr::mul(end.clone(), later.into())));
        }
        for (dim, at) in group.iter().zip(coordinates(AffineExpr::Dim(n as u32), &sizes)) {
            coords[*dim] = at;
        }
    }
    let rank = dims.len() as u32;
    let mut made = View { dims, ..view.clone() };
    made.set_ends(open);
    for input in &mut made.inputs {
        if let Some(map) = &mut input.map {
            let exprs: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            *map = AffineMap::new(rank, 0, exprs?)?;
        }
    }
    write(ir, op, made, (kept.len() > 1, map, &coords))
}

/// Do all operators of a fold commute?
fn commutes(kind: &CombineKind) -> bool {
    kind.operators().iter().all(|operator| matches!(operator, Operator::Builtin(_)))
}

/// Write the computation in its new form, and its result in the old shape
fn write(
    ir: &mut Ir,
    op: Compute,
    mut made: View,
    (one, map, coords): (bool, &AffineMap, &[AffineExpr]),
) -> Option<Compute> {
    let old = ir.result(op.id(), 0);
    let whole = ir.ty(old);
    let (rank, at) = (made.dims.len() as u32, AffineExpr::Dim(0));
    let exprs = match one {
        true => vec![at],
        false => map.results.iter().map(|expr| expr.replace(coords, &[])).collect::<Option<_>>()?,
    };
    made.outputs[0].maps = vec![AffineMap::new(rank, 0, exprs)?];
    let ty: Type = match one {
        true => ir.cx().tensor(&[made.dims[0].size], whole.scalar(ir.cx())),
        false => whole,
    };
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let compute = made.build(&mut Builder::before(ir, op.id()), &[ty], body);
    let value = ir.result(compute.id(), 0);
    // What gives the result another shape already is put together with what is needed here.
    let mut users = ir.uses(old).map(|(user, _)| user);
    let shaped = users.next().filter(|user| one && ir.is(*user, ExpandShape::DEF) && users.next().is_none());
    drop(users);
    let (from, before) = shaped.map_or((old, op.id()), |user| (ir.result(user, 0), user));
    let ty = ir.ty(from);
    let new = match (one, ty.shape(ir.cx()).map(<[i64]>::to_vec)) {
        (true, Some(shape)) => {
            let (groups, sizes) = (all_axes(ir.cx(), shape.len()), ir.cx().i64_array(&shape));
            let after = ExpandShape::build(&mut Builder::before(ir, before), value, &[], groups, sizes, ty);
            ir.result(after.id(), 0)
        }
        _ => value,
    };
    ir.copy_value_name(from, new);
    ir.replace_all_uses(from, new);
    if let Some(user) = shaped {
        ir.erase(user);
    }
    ir.erase(op.id());
    Some(compute)
}

/// All axes as one group
fn all_axes(cx: &Context, rank: usize) -> Attr {
    let numbers: Vec<Attr> = (0..rank).map(|n| cx.int_attr((n as i64).into(), cx.common().i64)).collect();
    cx.array_attr(&[cx.array_attr(&numbers)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formula 1 of the paper, without the outermost remainder: its figure 4
    #[test]
    fn coordinates_are_quotients_and_remainders() {
        let found = coordinates(AffineExpr::Dim(0), &[40, 10, 5]);
        let map = AffineMap::new(1, 0, found).expect("one dimension");
        assert_eq!(map.to_string(), "(d0) -> (d0 floordiv 50, (d0 floordiv 5) mod 10, d0 mod 5)");
    }

    #[test]
    fn each_point_has_one_number() {
        for extents in [&[7][..], &[1, 5], &[3, 1, 4], &[2, 3, 5, 7], &[1, 1], &[4, 2, 1, 3, 2, 2]] {
            let map = AffineMap::new(1, 0, coordinates(AffineExpr::Dim(0), extents)).expect("one dimension");
            for number in 0..extents.iter().product::<i64>() {
                let at = map.eval(&[number], &[]).expect("small numbers");
                assert!(at.iter().zip(extents).all(|(at, extent)| (0..*extent).contains(at)), "{extents:?}");
                let back = at.iter().zip(extents).fold(0, |all, (at, extent)| all * extent + at);
                assert_eq!(back, number, "{extents:?}");
            }
        }
    }

    #[test]
    fn factors_spread_over_steps() {
        // 12 = 2 · 2 · 3 over two factors: 1·12, 2·6, 3·4, 4·3, 6·2, 12·1.
        assert!((10f64.powf(chains(12, 2)) - 6.0).abs() < 1e-9);
        assert_eq!(chains(1, 5), 0.0);
    }
}
