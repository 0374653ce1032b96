//! A statement as a computation.

use super::extents::{Access, Read, Sub, collect, did_you_mean, read_numbers, reads_elements};
use super::{Done, Fold, Id, Reader, Statement, places};
use crate::codes;
use crate::index::{affine, conditions, scalar};
use crate::model::{Bin, Computation, Dim, Elem, Function, Input, Kind, Op, Output, Scalar, type_join};
use crate::syntax::{Expr, ExprKind, Words};
use std::collections::BTreeMap;
use terrace_dialect_mdh::view::Order;
use terrace_support::affine::AffineExpr;

/// What the scalar function of a statement may read
struct Scope<'a> {
    ids: &'a [Id],
    constants: &'a BTreeMap<String, i64>,
    inputs: &'a [Input],
    elems: &'a [Elem],
    shapes: &'a BTreeMap<String, Vec<i64>>,
}

impl Scope<'_> {
    fn affine(&self, e: &Expr) -> Option<AffineExpr> {
        affine(e, &|name| {
            let dim = self.ids.iter().position(|id| id.name == name).map(|n| AffineExpr::Dim(n as u32));
            dim.or_else(|| self.constants.get(name).map(|value| AffineExpr::from(*value)))
        })
    }

    /// A part of the right side that is no arithmetic
    fn leaf(&self, e: &Expr) -> Result<Option<Scalar>, String> {
        match &e.kind {
            ExprKind::Name(name) => {
                let dim = self.ids.iter().position(|id| id.name == *name).map(Scalar::Index);
                Ok(dim.or(self.constants.get(name).map(|value| Scalar::Int(*value))))
            }
            ExprKind::Access(tensor, subs, other) => {
                let map: Option<Vec<AffineExpr>> = subs.iter().map(|sub| self.affine(sub)).collect();
                let Some(map) = map else { return self.element(tensor, subs, *other).map(Some) };
                let n = self.inputs.iter().position(|input| {
                    !input.whole && input.tensor == *tensor && input.map == map && input.other == *other
                });
                Ok(n.map(Scalar::Arg))
            }
            _ => Ok(None),
        }
    }

    /// An element at places that are computed
    fn element(&self, tensor: &str, subs: &[Expr], other: Option<f64>) -> Result<Scalar, String> {
        let n = self.inputs.iter().position(|input| input.whole && input.tensor == tensor);
        let n = n.ok_or_else(|| format!("{tensor} cannot be read here"))?;
        let mut all = Vec::new();
        for sub in subs {
            let place = scalar(sub, &mut |e| self.leaf(e)).map_err(|(_, why)| why)?;
            if let Some(elem) = type_join(&place, self.elems).filter(|elem| elem.is_float()) {
                let text = elem.text();
                return Err(format!("a subscript of {tensor} is {text}; `i32(…)` makes an integer of it"));
            }
            all.push(Scalar::Cast(Elem::Index, Box::new(place)));
        }
        let Some(other) = other else { return Ok(Scalar::Element(n, all)) };
        let op = |op, a: &Scalar, b: Scalar| Scalar::Op(op, Box::new(a.clone()), Box::new(b));
        let other = Scalar::Cast(self.elems[n], Box::new(Scalar::Float(other)));
        let shape = self.shapes.get(tensor).map_or(&[][..], Vec::as_slice);
        if shape.contains(&0) {
            return Ok(other);
        }
        // What is read is inside anyhow; whether it is taken is another question.
        let (mut inside, mut nearest) = (None, Vec::new());
        for (place, size) in all.iter().zip(shape) {
            let low = op(Bin::Ge, place, Scalar::Int(0));
            let both = op(Bin::And, &low, op(Bin::Lt, place, Scalar::Int(*size)));
            inside = Some(match inside {
                Some(before) => op(Bin::And, &before, both),
                None => both,
            });
            let low = op(Bin::Max, place, Scalar::Int(0));
            nearest.push(op(Bin::Min, &low, Scalar::Int(size - 1)));
        }
        let element = Scalar::Element(n, nearest);
        Ok(match inside {
            Some(inside) => Scalar::Select(Box::new(inside), Box::new(element), Box::new(other)),
            None => element,
        })
    }
}

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
        let left = one.outs[0].ids.len();
        let shapes = match self.functions.last().map(Function::shapes) {
            Some(Ok(shapes)) => shapes,
            _ => BTreeMap::new(),
        };
        // What the right side has besides.
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
            if self.constants.contains_key(&id) || ids.iter().any(|other| other.name == id) {
                continue;
            }
            if one.reduction.over.is_some() {
                let message = format!("{id} is neither on the left nor reduced over");
                return Err(w.error(&codes::E_NAME, at, message));
            }
            ids.push(Id { name: id, size: None, span: at });
        }
        let (mut inputs, mut elems, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for access in accesses {
            let scope =
                Scope { ids: &ids, constants: &self.constants, inputs: &[], elems: &[], shapes: &shapes };
            let (input, read) = self.access(w, &scope, access)?;
            if !inputs.contains(&input) {
                elems.push(self.elem(&input.tensor));
                inputs.push(input);
            }
            reads.push(read);
        }
        let sizes = self.extents(w, &ids, &reads)?;
        let scope =
            Scope { ids: &ids, constants: &self.constants, inputs: &inputs, elems: &elems, shapes: &shapes };
        let mut all = Vec::new();
        for e in &one.wheres {
            match conditions(e, &|name| {
                scope.affine(&Expr { span: e.span, kind: ExprKind::Name(name.to_string()) })
            }) {
                Some(found) => all.extend(found),
                None => return Err(w.error(&codes::E_INDEX, e.span, "a condition compares sums of indices")),
            }
        }
        let mut body = Vec::new();
        for e in &one.values {
            match scalar(e, &mut |e| scope.leaf(e)) {
                Ok(value) => body.push(value),
                Err((e, why)) => {
                    let code = if why.contains("subscript") { &codes::E_INDEX } else { &codes::E_NAME };
                    return Err(w.error(code, e.span, why));
                }
            }
        }
        let (ops, hidden) = self.operators(w, &one, &mut body, &elems, &ids[left..], &sizes[left..], left)?;
        let dims: Vec<Dim> = ids
            .iter()
            .zip(&sizes)
            .enumerate()
            .map(|(n, (id, size))| {
                let prefix = one.reduction.prefixes.iter().any(|other| other.name == id.name);
                let kind = match () {
                    () if prefix => Kind::Ps(ops.clone()),
                    () if n < left => Kind::Cc,
                    () => Kind::Pw(ops.clone(), Order::Fixed),
                };
                Dim { name: id.name.clone(), size: *size, kind }
            })
            .collect();
        let reduced = ids.len() > left;
        let mut outputs = Vec::new();
        if let Some(name) = hidden {
            let map = (0..left).map(|n| AffineExpr::Dim(n as u32)).collect();
            outputs.push(Output { tensor: name, maps: vec![map], init: None, inner: true });
        }
        for (n, out) in one.outs.iter().enumerate() {
            let place = |id: &Id| ids.iter().position(|other| other.name == id.name).unwrap_or(0);
            let map: Vec<AffineExpr> = out.ids.iter().map(|id| AffineExpr::Dim(place(id) as u32)).collect();
            let mut init = None;
            if one.adds && shapes.contains_key(&out.name) {
                if reduced {
                    init = Some((out.name.clone(), None));
                } else {
                    // Nothing is folded: the old element is one more input.
                    let tensor = out.name.clone();
                    inputs.push(Input { tensor, map: map.clone(), other: None, guard: None, whole: false });
                    let old = Box::new(Scalar::Arg(inputs.len() - 1));
                    let value = std::mem::replace(&mut body[n], Scalar::Int(0));
                    body[n] = Scalar::Op(Bin::Add, old, Box::new(value));
                }
            }
            outputs.push(Output { tensor: out.name.clone(), maps: vec![map], init, inner: false });
        }
        let first = &one.outs[0];
        let function = self.function();
        let title = if function.name == "main" { first.name.to_lowercase() } else { function.name.clone() };
        let made = Computation {
            name: title,
            dims,
            inputs,
            outputs,
            conditions: all,
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
        self.function().computations.push(made);
        Ok(())
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
                return Err(w.error(&codes::E_INDEX, sub.span, message));
            }
            all.push(Sub { e, bare: matches!(sub.kind, ExprKind::Name(_)) });
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
        let read = Read { tensor, shape: shape.clone(), subs: all, other: other.is_some(), span };
        Ok((input, read))
    }

    /// Operators of what is folded, types of the outputs, and the name of an output that only the operator wants
    #[allow(clippy::too_many_arguments)]
    fn operators(
        &mut self,
        w: &mut Words<'_>,
        one: &Statement,
        body: &mut Vec<Scalar>,
        elems: &[Elem],
        over: &[Id],
        sizes: &[i64],
        left: usize,
    ) -> Done<(Vec<Op>, Option<String>)> {
        let at = one.reduction.span;
        let declared: Vec<Option<Elem>> = {
            let function = self.function();
            one.outs.iter().map(|out| function.elem(&out.name)).collect()
        };
        let plain = |value: &Scalar| if fraction(value) { Elem::Float(32) } else { Elem::Int(32) };
        let own = |value: &Scalar| type_join(value, elems).unwrap_or(plain(value));
        let (ops, found, hidden) = match &one.reduction.fold {
            Fold::By(ops) => {
                let named: Vec<Option<&[Elem]>> = ops
                    .iter()
                    .map(|op| match op {
                        Op::Builtin(_) => None,
                        Op::Named(name) => {
                            let found = self.program.operators.iter().find(|one| one.name == *name);
                            found.map(|one| one.elems.as_slice())
                        }
                    })
                    .collect();
                let outputs = one.outs.len();
                let (all, types): (Vec<Op>, Vec<Option<Elem>>) = match (ops.as_slice(), named.as_slice()) {
                    ([only], [Some(types)]) if types.len() == outputs && outputs > 1 => {
                        (vec![only.clone()], types.iter().copied().map(Some).collect())
                    }
                    ([only], [types]) => {
                        let first = types.and_then(|types| types.first().copied());
                        (vec![only.clone(); outputs], vec![first; outputs])
                    }
                    (ops, named) if ops.len() == outputs => (
                        ops.to_vec(),
                        named.iter().map(|types| types.and_then(|types| types.first().copied())).collect(),
                    ),
                    (ops, _) => {
                        let message = format!("{} operators for {outputs} tensors", ops.len());
                        return Err(w.error(&codes::E_RANK, at, message));
                    }
                };
                if let Some(types) = named
                    .iter()
                    .flatten()
                    .find(|types| types.len() > 1 && all.len() > 1 || types.len() > outputs)
                {
                    let message =
                        format!("an operator on {} values at once, for {outputs} tensors", types.len());
                    return Err(w.error(&codes::E_RANK, at, message));
                }
                let found: Vec<Elem> =
                    types.into_iter().zip(body.iter()).map(|(ty, value)| ty.unwrap_or(own(value))).collect();
                (all, found, None)
            }
            Fold::Place { greatest } => {
                if one.adds || one.outs.len() > 2 {
                    let message = "the place of the greatest or least value starts from nothing, and is one tensor, or two with the value";
                    let help = Some("`v[i], p[i] = argmax{j} X[i, j]`, or `p[i] = …`".to_string());
                    return Err(w.error_with_help(&codes::E_RANK, at, message, help));
                }
                let prefix = |id: &Id| one.reduction.prefixes.iter().position(|other| other.name == id.name);
                let running = one.outs[0].ids.iter().position(|id| prefix(id).is_some());
                let along: Vec<(usize, i64)> = match running {
                    Some(n) => vec![(n, 0)],
                    None => sizes.iter().enumerate().map(|(n, size)| (left + n, *size)).collect(),
                };
                let several = running.is_some() && !sizes.is_empty() || one.reduction.prefixes.len() > 1;
                if along.is_empty() || several || sizes.contains(&0) {
                    let message = match over.iter().zip(sizes).find(|(_, size)| **size == 0) {
                        Some((id, _)) => format!("of nothing: {} has no values", id.name),
                        None if several => "so far along one index, or of what is reduced over".to_string(),
                        None => "of one value: nothing is reduced over".to_string(),
                    };
                    let help = Some("`p[i] = argmax{j} X[i, j]`, where j has one value or more".to_string());
                    return Err(w.error_with_help(&codes::E_EXTENT, at, &message, help));
                }
                let count = sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size));
                let value = (one.outs.len() == 2).then(|| declared[0]).flatten().unwrap_or(own(&body[0]));
                let wide = if places::holds(Elem::Int(32), count) { Elem::Int(32) } else { Elem::Int(64) };
                let place = declared.last().copied().flatten().unwrap_or(wide);
                if !places::holds(place, count) {
                    let message = format!("{} holds no places up to {}", place.text(), count - 1);
                    return Err(w.error(&codes::E_EXTENT, one.outs[one.outs.len() - 1].span, message));
                }
                let at_point = along.iter().fold(None, |before: Option<Scalar>, (n, size)| {
                    let own = Scalar::Index(*n);
                    Some(match before {
                        Some(before) => {
                            let row = Scalar::Op(Bin::Mul, Box::new(before), Box::new(Scalar::Int(*size)));
                            Scalar::Op(Bin::Add, Box::new(row), Box::new(own))
                        }
                        None => own,
                    })
                });
                body.extend(at_point);
                let name = places::name(*greatest, value, place);
                if !self.program.operators.iter().any(|operator| operator.name == name) {
                    let made = places::operator(*greatest, value, place, at.start);
                    self.program.operators.push(made);
                }
                let hidden = (one.outs.len() == 1).then(|| format!("{}.value", one.outs[0].name));
                (vec![Op::Named(name)], vec![value, place], hidden)
            }
        };
        let function = self.function();
        let names = hidden.iter().chain(one.outs.iter().map(|out| &out.name));
        for (name, elem) in names.zip(found) {
            if function.elem(name).is_none() {
                function.tensors.push((name.clone(), elem, None));
            }
        }
        Ok((ops, hidden))
    }
}

/// Is there a number with a point?
fn fraction(e: &Scalar) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match e {
            Scalar::Float(_) => return true,
            Scalar::Arg(_) | Scalar::Index(_) | Scalar::Int(_) => {}
            Scalar::Neg(a) | Scalar::Cast(_, a) => stack.push(a),
            Scalar::Op(_, a, b) => stack.extend([&**a, &**b]),
            Scalar::Call(_, all) | Scalar::Element(_, all) => stack.extend(all),
            Scalar::Select(a, b, c) => stack.extend([&**a, &**b, &**c]),
        }
    }
    false
}
