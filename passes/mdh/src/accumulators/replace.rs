//! The computations that stand in place of the one as written.

use super::form::{Form, kind};
use crate::elements::each;
use crate::parts;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::{Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Builder, Ir, Type, Value};

/// Conversions of start values, the reduction, and conversions of its results
pub fn replace(ir: &mut Ir, op: Compute, view: &View, forms: &[Form]) -> Result<(), &'static str> {
    let results: Vec<Value> = ir.results(op.id()).collect();
    let elements: Vec<Type> = results.iter().map(|value| ir.ty(*value).scalar(ir.cx())).collect();
    let types: Vec<Vec<Type>> = forms.iter().zip(&elements).map(|(form, ty)| form.types(ir, *ty)).collect();
    let known =
        |value: Value| ir.ty(value).shape(ir.cx()).is_some_and(|shape| shape.iter().all(|size| *size >= 0));
    if !results.iter().all(|value| known(*value)) {
        return Err("an extent of a result is not known; `bind-sizes` gives it");
    }
    let schedule = ir.discardable(op.id(), SCHEDULE).is_some();
    if schedule && types.iter().any(|own| own.len() > 1) {
        return Err(
            "it has a schedule, which is not one of several results; run `mdh-accumulators` and give one to the reduction that it writes",
        );
    }
    let sums = reduction(ir, op, view, forms, &types).ok_or("its body is not known")?;
    let mut numbers = ir.results(sums.id()).collect::<Vec<Value>>().into_iter();
    let empty = view.may_be_empty();
    for (((form, own), result), element) in forms.iter().zip(&types).zip(&results).zip(&elements) {
        let own: Vec<Value> = numbers.by_ref().take(own.len()).collect();
        let value = match form {
            Form::Plain(_) => own[0],
            _ => {
                let name = format!("{}_rounded", view.name.as_deref().unwrap_or("reduction"));
                let join = |b: &mut Builder<'_>, args: &[Value]| vec![form.join(b, args, *element, empty)];
                let made = each(ir, op, name, &own, &[*element], join).ok_or("a result is not known")?;
                ir.result(made.id(), 0)
            }
        };
        ir.replace_all_uses(*result, value);
    }
    ir.erase(op.id());
    Ok(())
}

/// The reduction itself, of the numbers that terms are
fn reduction(ir: &mut Ir, op: Compute, view: &View, forms: &[Form], types: &[Vec<Type>]) -> Option<Compute> {
    let mut made = view.clone();
    for dim in &mut made.dims {
        dim.kind = kind(forms, &dim.kind);
    }
    made.outputs = Vec::new();
    for ((out, form), own) in view.outputs.iter().zip(forms).zip(types) {
        let starts: Vec<Option<Value>> = match &out.init {
            None => vec![None; own.len()],
            Some((value, _)) if matches!(form, Form::Plain(_)) => vec![Some(*value)],
            Some((value, _)) => {
                let name = format!("{}_start", view.name.as_deref().unwrap_or("reduction"));
                let start = each(ir, op, name, &[*value], own, |b, args| form.split(b, args[0]))?;
                ir.results(start.id()).map(Some).collect()
            }
        };
        let own_map = out.init.as_ref().and_then(|(_, map)| map.clone());
        made.outputs.extend(starts.into_iter().map(|start| Output {
            maps: out.maps.clone(),
            init: start.map(|start| (start, own_map.clone())),
        }));
    }
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let end = ir.last_op(body)?;
    let terms: Vec<Value> = ir.operands(end).collect();
    ir.erase(end);
    let mut b = Builder::at_end(ir, body);
    let mut yields = Vec::new();
    let mut terms = terms.into_iter();
    for ((out, form), own) in view.outputs.iter().zip(forms).zip(types) {
        // All accesses of the first number, then of the next one.
        let split: Vec<Vec<Value>> =
            terms.by_ref().take(out.maps.len()).map(|term| form.split(&mut b, term)).collect();
        yields.extend((0..own.len()).flat_map(|n| split.iter().map(move |one| one[n])));
    }
    Yield::build(&mut b, &yields);
    let mut all = Vec::new();
    for (result, own) in ir.results(op.id()).zip(types) {
        let shape = ir.ty(result).shape(ir.cx())?;
        all.extend(own.iter().map(|ty| ir.cx().tensor(shape, *ty)));
    }
    let dict = ir.dict(op.id());
    let reduction = made.build(&mut Builder::before(ir, op.id()), &all, body);
    ir.set_dict(reduction.id(), dict);
    Some(reduction)
}
