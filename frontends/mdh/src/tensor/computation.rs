//! A statement as a computation.

use super::extents::{Access, Read, Sub, collect, did_you_mean, read_numbers, reads_elements};
use super::folds::Folding;
use super::scope::Scope;
use super::{Done, Id, Reader, Statement};
use crate::codes;
use crate::model::{Bin, Computation, Dim, DimCombine, Elem, Function, Input, Op, Output, Scalar, ends};
use crate::syntax::{ExprKind, Words};
use std::collections::BTreeMap;
use terrace_dialect_mdh::view::Order;
use terrace_support::affine::AffineExpr;

/// Shapes of tensors by name
type Shapes = BTreeMap<String, Vec<i64>>;

impl Reader {
    /// The indices of a statement: those of the left side, then what is reduced over
    fn indices(&self, w: &mut Words<'_>, one: &Statement) -> Done<Vec<Id>> {
        let first = &one.outs[0];
        let mut ids = first.ids.clone();
        for out in &one.outs {
            for (n, id) in out.ids.iter().enumerate() {
                if out.ids[..n].iter().any(|other| other.name == id.name) {
                    let message = format!("{} is there twice on the left", id.name);
                    return Err(w.error(&codes::E_RANK, id.span, message));
                }
                match ids.iter_mut().find(|other| other.name == id.name) {
                    Some(known) => known.size = known.size.or(id.size),
                    None => {
                        let message = format!("{} has no index {}: {} has", first.name, id.name, out.name);
                        let help = Some("tensors of one statement have the same indices".to_string());
                        return Err(w.error_with_help(&codes::E_RANK, id.span, &message, help));
                    }
                }
            }
            if let Some(id) = ids.iter().find(|id| !out.ids.iter().any(|other| other.name == id.name)) {
                let message = format!("{} has no index {}: {} has", out.name, id.name, first.name);
                let help = Some("tensors of one statement have the same indices".to_string());
                return Err(w.error_with_help(&codes::E_RANK, out.span, &message, help));
            }
        }
        for id in one.reduction.over.iter().flatten() {
            if ids.iter().any(|other| other.name == id.name) {
                let message = format!("{} is on the left or reduced over already", id.name);
                return Err(w.error(&codes::E_NAME, id.span, message));
            }
            ids.push(id.clone());
        }
        Ok(ids)
    }

    pub(super) fn computation(&mut self, w: &mut Words<'_>, mut one: Statement) -> Done<()> {
        let mut ids = self.indices(w, &one)?;
        self.no_sizes(w, &ids)?;
        let left = one.outs[0].ids.len();
        let shapes = match self.functions.last().map(Function::shapes) {
            Some(Ok(shapes)) => shapes,
            _ => Shapes::new(),
        };
        let accesses = self.right_side(w, &mut one, &mut ids, &shapes)?;
        let (mut inputs, elems, reads) = self.inputs(w, &ids, &shapes, accesses)?;
        let counts = self.extents(w, &ids, &reads)?;
        self.no_open_prefixes(w, &one, &ids, &counts)?;
        let sizes: Vec<i64> = counts.iter().map(|count| count.most).collect();
        if let (Some((_, at)), true) = (one.order, ids.len() == left) {
            return Err(w.error(&codes::E_RANK, at, "no index is reduced over, so nothing has an order"));
        }
        let scope = Scope {
            ids: &ids,
            constants: &self.constants,
            sizes: self.sizes(),
            inputs: &inputs,
            elems: &elems,
            shapes: &shapes,
        };
        let conditions = ends(&counts).chain(scope.conditions(w, &one.wheres)?).collect();
        let mut body = scope.body(w, &one.values)?;
        let folding = Folding { one: &one, elems: &elems, over: &ids[left..], sizes: &sizes[left..], left };
        let (ops, hidden, wide) = self.operators(w, &folding, &mut body)?;
        let dims = dims(&one, &ids, &sizes, &ops);
        let before: Vec<bool> =
            one.outs.iter().map(|out| one.adds && shapes.contains_key(&out.name)).collect();
        let title = match self.function().name.as_str() {
            "main" => one.outs[0].name.to_lowercase(),
            name => name.to_owned(),
        };
        let replaced = wide.is_some() || ids.len() == left;
        self.results_end(w, &one.outs, &ids, &counts, &before, replaced)?;
        let results = wide.as_ref().map(|wide| {
            let sums = wide.targets(&one.outs);
            std::mem::replace(&mut one.outs, sums)
        });
        let outputs = outputs(&one, &ids, &shapes, hidden, &mut inputs, &mut body);
        let first = &one.outs[0];
        let made = Computation {
            name: title,
            dims,
            inputs,
            outputs,
            conditions,
            body,
            schedule: one.schedule.as_ref().map(|(draft, _)| draft.clone()),
            offset: first.span.start,
        };
        self.inside(w, &made, &reads)?;
        if let Some((draft, place)) = &one.schedule
            && let Err(error) = made.check_schedule(draft)
        {
            return Err(crate::text::wrong_steps(w, *place, &error));
        }
        let rounding = wide.zip(results).map(|(wide, results)| wide.rounding(&results, &made, &before));
        self.function().computations.extend([Some(made), rounding].into_iter().flatten());
        Ok(())
    }

    /// The accesses of the right side; indices that only it has come to the others
    fn right_side(
        &self,
        w: &mut Words<'_>,
        one: &mut Statement,
        ids: &mut Vec<Id>,
        shapes: &Shapes,
    ) -> Done<Vec<Access>> {
        let mut accesses: Vec<Access> = Vec::new();
        let mut found = Vec::new();
        for e in &mut one.values {
            let is_number = |name: &str| {
                let known = ids.iter().any(|id| id.name == name) || self.constants.contains_key(name);
                !known && shapes.get(name).is_some_and(Vec::is_empty)
            };
            read_numbers(e, &is_number);
            collect(e, &mut accesses, &mut found);
        }
        for (id, at) in found {
            let number = self.constants.contains_key(&id) || self.size_named(&id).is_some();
            if number || ids.iter().any(|other| other.name == id) {
                continue;
            }
            if one.reduction.over.is_some() {
                let message = format!("{id} is neither on the left nor reduced over");
                return Err(w.error(&codes::E_NAME, at, message));
            }
            ids.push(Id { name: id, size: None, span: at });
        }
        Ok(accesses)
    }

    /// Different accesses as inputs, with their types, and what each says of extents
    fn inputs(
        &self,
        w: &mut Words<'_>,
        ids: &[Id],
        shapes: &Shapes,
        accesses: Vec<Access>,
    ) -> Done<(Vec<Input>, Vec<Elem>, Vec<Read>)> {
        let (mut inputs, mut elems, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        let (constants, sizes) = (&self.constants, self.sizes());
        let scope = Scope { ids, constants, sizes, inputs: &[], elems: &[], shapes };
        for access in accesses {
            let (input, read) = self.access(w, &scope, access)?;
            if !inputs.contains(&input) {
                elems.push(self.elem(&input.tensor));
                inputs.push(input);
            }
            reads.push(read);
        }
        Ok((inputs, elems, reads))
    }

    /// Element type of a tensor of the function in progress
    fn elem(&self, name: &str) -> Elem {
        self.functions.last().and_then(|function| function.elem(name)).unwrap_or(Elem::Float(32))
    }

    /// An access as an input, and what it says of extents
    fn access(
        &self,
        w: &mut Words<'_>,
        scope: &Scope<'_>,
        (tensor, subs, other, span): Access,
    ) -> Done<(Input, Read)> {
        let Some(shape) = scope.shapes.get(&tensor) else {
            let help = did_you_mean(&tensor, scope.shapes.keys().map(String::as_str));
            let message = format!("tensor {tensor} is not declared: `{tensor} : f32 [sizes];`");
            return Err(w.error_with_help(&codes::E_NAME, span, &message, help));
        };
        if shape.len() != subs.len() {
            let message = format!("{tensor} has {} dimensions, not {}", shape.len(), subs.len());
            return Err(w.error(&codes::E_RANK, span, message));
        }
        let mut all = Vec::new();
        for sub in &subs {
            let e = scope.affine(sub);
            if e.is_none() && !reads_elements(sub) {
                let message = format!("this subscript of {tensor} is not affine in indices");
                let help = self.open_in(sub);
                return Err(w.error_with_help(&codes::E_INDEX, sub.span, &message, help));
            }
            let computed = e.is_none().then(|| sub.clone());
            all.push(Sub { e, bare: matches!(sub.kind, ExprKind::Name(_)), computed });
        }
        let map: Option<Vec<AffineExpr>> = all.iter().map(|sub| sub.e.clone()).collect();
        let whole = map.is_none();
        let input = Input {
            tensor: tensor.clone(),
            map: map.unwrap_or_default(),
            other: other.filter(|_| !whole),
            guard: None,
            whole,
        };
        let counts = self.counts_of(&tensor, shape);
        let read = Read { tensor, counts, subs: all, other: other.is_some(), span };
        Ok((input, read))
    }
}

fn dims(one: &Statement, ids: &[Id], sizes: &[i64], ops: &[Op]) -> Vec<Dim> {
    let left = one.outs[0].ids.len();
    let order = one.order.map_or(Order::Fixed, |(order, _)| order);
    let dim = |(n, (id, size)): (usize, (&Id, &i64))| {
        let prefix = one.reduction.prefixes.iter().any(|other| other.name == id.name);
        let kind = match () {
            () if prefix => DimCombine::Ps(ops.to_vec()),
            () if n < left => DimCombine::Cc,
            () => DimCombine::Pw(ops.to_vec(), order),
        };
        Dim { name: id.name.clone(), size: *size, kind }
    };
    ids.iter().zip(sizes).enumerate().map(dim).collect()
}

/// The outputs, a hidden one first; where `+=` folds nothing the old element becomes an input
fn outputs(
    one: &Statement,
    ids: &[Id],
    shapes: &Shapes,
    hidden: Option<String>,
    inputs: &mut Vec<Input>,
    body: &mut [Scalar],
) -> Vec<Output> {
    let left = one.outs[0].ids.len();
    let mut outputs = Vec::new();
    if let Some(name) = hidden {
        let map = (0..left).map(|n| AffineExpr::Dim(n as u32)).collect();
        outputs.push(Output { tensor: name, maps: vec![map], init: None, inner: true });
    }
    for (out, value) in one.outs.iter().zip(body) {
        let place = |id: &Id| ids.iter().position(|other| other.name == id.name).unwrap_or(0);
        let map: Vec<AffineExpr> = out.ids.iter().map(|id| AffineExpr::Dim(place(id) as u32)).collect();
        let adds = one.adds && shapes.contains_key(&out.name);
        let folded = ids.len() > left;
        if adds && !folded {
            let (tensor, map) = (out.name.clone(), map.clone());
            inputs.push(Input { tensor, map, other: None, guard: None, whole: false });
            let old = Box::new(Scalar::Arg(inputs.len() - 1));
            let new = std::mem::replace(value, Scalar::Int(0));
            *value = Scalar::Op(Bin::Add, old, Box::new(new));
        }
        let init = (adds && folded).then(|| (out.name.clone(), None));
        outputs.push(Output { tensor: out.name.clone(), maps: vec![map], init, inner: false });
    }
    outputs
}
