//! In which order tensors between computations have their axes: the one that the model holds to be fastest for all that make and read them.
//!
//! Constant arguments are copied in the order in which they are visited, where their readers are faster so. The copy is not
//! counted, because it is done once for all calls (`mdh-prepare`).

use super::{MOST, MdhSchedule};
use crate::layouts::{self, Component, Orders, Reordered, Weights, free, is_once_for_all};
use std::collections::BTreeMap;
use terrace_devices::DeviceKind;
use terrace_diag::Diagnostic;
use terrace_dialect_builtin::marks;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, Type, Value};
use terrace_pass::PassCx;
use terrace_schedule_choose::choice::STRUCTURES;
use terrace_support::HashMap;

/// What computations of one form are ranked by: layers of networks repeat
type Known = BTreeMap<String, (f64, bool)>;

impl MdhSchedule {
    /// Choose orders of axes; how many tensors and arguments have another one
    pub(super) fn layouts(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> u64 {
        if !self.switches.layouts || self.device.kind != DeviceKind::Host {
            return 0;
        }
        let (mut known, mut changed) = (Known::new(), 0);
        let mut ranks: Vec<usize> = layouts::components(unit).iter().map(|one| one.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for rank in ranks {
            // A computation is in one of each rank at most, and another one where an order has changed.
            let all = layouts::components(unit).into_iter().filter(|one| one.rank == rank);
            for component in all {
                changed += self.component(cx, unit, &component, &mut known);
            }
        }
        let computes = unit.walk().filter_map(|op| Compute::cast(unit, op));
        let computes: Vec<Compute> = computes.filter(|op| reads_constants(unit, *op)).collect();
        for op in computes {
            if self.in_any_order(unit, op, &mut known).1
                && let Some(other) = Weights::before(unit, op)
            {
                other.replace(unit, op);
                changed += 1;
            }
        }
        changed
    }

    /// The fastest order for the tensors of a component; how many have another one than before
    fn component(&self, cx: &mut PassCx<'_>, unit: &mut Ir, component: &Component, known: &mut Known) -> u64 {
        let sized = |op: &Compute| free(unit, *op).is_some_and(|view| has_estimates(&view));
        if !component.computes.iter().all(sized) {
            return 0;
        }
        let written = self.all(unit, component.computes.iter().copied(), known);
        let mut best: Option<(f64, usize)> = None;
        for axis in 1..component.rank - 1 {
            let Some(made) = Reordered::before(unit, component, &last(unit, component, axis)) else {
                continue;
            };
            let time = self.all(unit, made.pairs.iter().map(|(_, made)| *made), known);
            made.discard(unit);
            if time * STRUCTURES < written && best.is_none_or(|(least, _)| time < least) {
                best = Some((time, axis));
            }
        }
        let Some((time, axis)) = best else { return 0 };
        let Some(made) = Reordered::before(unit, component, &last(unit, component, axis)) else { return 0 };
        let said = format!(
            "what {} computations hand over has axis {axis}, counted from 0, innermost: {time:.0} cycles in place of {written:.0}",
            component.computes.len()
        );
        if let Some(first) = component.computes.first() {
            let _ = cx.emit(Diagnostic::remark(None, said).at(unit.span(first.id())));
        }
        made.replace(unit);
        component.tensors.len() as u64
    }

    /// What computations are ranked by together
    fn all(&self, unit: &mut Ir, computes: impl Iterator<Item = Compute>, known: &mut Known) -> f64 {
        computes.map(|op| self.in_any_order(unit, op, known).0).sum()
    }

    /// What a computation is ranked by, and whether that is with constant arguments in another order
    fn in_any_order(&self, unit: &mut Ir, op: Compute, known: &mut Known) -> (f64, bool) {
        let Some(form) = form(unit, op) else { return (self.best(unit, op), false) };
        if let Some(found) = known.get(&form) {
            return *found;
        }
        let written = self.best(unit, op);
        let mut found = (written, false);
        if let Some(other) = Weights::before(unit, op) {
            let moved = self.best(unit, other.reader);
            other.discard(unit);
            if moved * STRUCTURES < written {
                found = (moved, true);
            }
        }
        known.insert(form, found);
        found
    }
}

/// Are its sizes such that sums and products of them fit a number?
fn has_estimates(view: &View) -> bool {
    view.dims.iter().all(|dim| dim.size <= MOST)
}

/// Are there constant arguments among what it reads, and estimates of it?
fn reads_constants(unit: &Ir, op: Compute) -> bool {
    let constant = |value: Value| marks::of_argument(unit, value, marks::CONSTANT).is_some();
    free(unit, op)
        .is_some_and(|view| has_estimates(&view) && view.inputs.iter().any(|input| constant(input.value)))
}

/// All tensors of a component with an axis moved behind the others
fn last(unit: &Ir, component: &Component, axis: usize) -> Orders {
    let order: Vec<usize> = (0..component.rank).filter(|one| *one != axis).chain([axis]).collect();
    let long = |value: &&Value| unit.ty(**value).shape(unit.cx()).is_some();
    component.tensors.iter().filter(long).map(|value| (*value, order.clone())).collect()
}

/// All that the rank of a computation follows from, as text; nothing if it is of no plain form
fn form(unit: &Ir, op: Compute) -> Option<String> {
    let view = free(unit, op)?;
    let dims: Vec<_> = view.dims.iter().map(|dim| (dim.size, &dim.kind)).collect();
    let ins: Vec<_> = view
        .inputs
        .iter()
        .map(|input| {
            let first = view.inputs.iter().position(|other| other.value == input.value);
            let constant = marks::of_argument(unit, input.value, marks::CONSTANT).is_some();
            (&input.map, input.other.is_some(), &input.guard, unit.ty(input.value), first, constant)
        })
        .collect();
    let outs: Vec<_> = view.outputs.iter().map(|out| &out.maps).collect();
    let types: Vec<_> = unit.results(op.id()).map(|value| unit.ty(value)).collect();
    let (body, once) = (body(unit, op), is_once_for_all(unit, op));
    Some(format!("{dims:?} {ins:?} {outs:?} {types:?} {:?} {body} {once}", view.conditions))
}

/// The ops of a body, each with what it reads
fn body(unit: &Ir, op: Compute) -> String {
    let mut places: HashMap<Value, usize> = HashMap::default();
    let add = |values: &[Value], places: &mut HashMap<Value, usize>| {
        for value in values {
            let place = places.len();
            places.insert(*value, place);
        }
    };
    let arguments = unit.entry(op.body(unit)).map_or(&[][..], |entry| unit.block_args(entry));
    add(arguments, &mut places);
    let mut ops = Vec::new();
    for inner in unit.walk_below(op.id()) {
        // What is computed outside of the body is itself.
        let read: Vec<Result<usize, Value>> =
            unit.operands(inner).map(|value| places.get(&value).copied().ok_or(value)).collect();
        let results: Vec<Value> = unit.results(inner).collect();
        let types: Vec<Type> = results.iter().map(|value| unit.ty(*value)).collect();
        ops.push((unit.op_name(inner), unit.dict(inner), read, types));
        add(&results, &mut places);
        for block in unit.regions(inner).flat_map(|region| unit.blocks(region)) {
            add(unit.block_args(block), &mut places);
        }
    }
    format!("{ops:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_dialect_test::Harness;
    use terrace_pass::Registry;

    const HARNESS: Harness = Harness {
        dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL],
        registry: Registry { passes: &[], pipelines: &[] },
    };

    #[test]
    fn a_form_says_what_its_ops_read() {
        let product = |name: &str, b: &str| {
            format!(
                "  %{name} = mdh.compute (i in 8) ins(%a = %X[i], %b = %Y[i]) outs([i]) {{
    %p = arith.mulf %a, %{b} : f32
    mdh.yield %p : f32
  }} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>\n"
            )
        };
        let all = [("r", "b"), ("s", "a"), ("t", "b")].map(|(name, b)| product(name, b)).concat();
        let text = format!(
            "func.func @f(%X: tensor<8xf32>, %Y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {{
{all}  return %r, %s, %t : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}}"
        );
        let ir = HARNESS.parse(&text).expect("it is valid");
        let unit = ir.walk().find_map(|op| ir.child(op)).expect("a function");
        let computes = unit.walk().filter_map(|op| Compute::cast(unit, op));
        let forms: Vec<String> = computes.map(|op| form(unit, op).expect("a plain form")).collect();
        assert_eq!(forms.len(), 3);
        assert_eq!(forms[0], forms[2]);
        assert_ne!(forms[0], forms[1]);
    }
}
