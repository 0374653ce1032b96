//! How the right side is folded: operators, types of the outputs, and `argmax` as an operator on values and places

use super::{Done, Fold, Id, Reader, Statement, places};
use crate::codes;
use crate::model::{Bin, Elem, Op, Scalar, type_join};
use crate::syntax::Words;

/// A statement with what is folded in it
pub(super) struct Folding<'a> {
    pub one: &'a Statement,
    /// Types of the inputs
    pub elems: &'a [Elem],
    /// Indices that are reduced over, and their sizes
    pub over: &'a [Id],
    pub sizes: &'a [i64],
    /// Number of indices on the left, which come first
    pub left: usize,
}

/// Operators, the type of each output, and the name of an output that only the operator needs
type Folded = (Vec<Op>, Vec<Elem>, Option<String>);

/// Sums of a statement that are wider than its results
pub(super) struct Wide {
    /// Type of each sum
    pub sums: Vec<Elem>,
    /// Operators of the statement
    pub ops: Vec<Op>,
}

impl Folding<'_> {
    /// The type that a value has by itself
    fn own(&self, value: &Scalar) -> Elem {
        let plain = if fraction(value) { Elem::Float(32) } else { Elem::Int(32) };
        type_join(value, self.elems).unwrap_or(plain)
    }

    /// Indices along which places are counted, with their sizes: the running one, or all that are reduced over
    fn along(&self, w: &mut Words<'_>) -> Done<Vec<(usize, i64)>> {
        let (one, sizes) = (self.one, self.sizes);
        let prefix = |id: &Id| one.reduction.prefixes.iter().any(|other| other.name == id.name);
        let running = one.outs[0].ids.iter().position(prefix);
        let along: Vec<(usize, i64)> = match running {
            Some(n) => vec![(n, 0)],
            None => sizes.iter().enumerate().map(|(n, size)| (self.left + n, *size)).collect(),
        };
        let several = running.is_some() && !sizes.is_empty() || one.reduction.prefixes.len() > 1;
        if !along.is_empty() && !several && !sizes.contains(&0) {
            return Ok(along);
        }
        let message = match self.over.iter().zip(sizes).find(|(_, size)| **size == 0) {
            Some((id, _)) => format!("of nothing: {} has no values", id.name),
            None if several => "so far along one index, or of what is reduced over".to_string(),
            None => "of one value: nothing is reduced over".to_string(),
        };
        let help = Some("`p[i] = argmax{j} X[i, j]`, where j has one value or more".to_string());
        Err(w.error_with_help(&codes::E_EXTENT, one.reduction.span, &message, help))
    }
}

impl Reader {
    /// Operators of what is folded, the name of an output that only the operator needs, sums that are wider than their
    /// results; declares the outputs
    pub(super) fn operators(
        &mut self,
        w: &mut Words<'_>,
        folding: &Folding<'_>,
        body: &mut Vec<Scalar>,
    ) -> Done<(Vec<Op>, Option<String>, Option<Wide>)> {
        let (ops, mut found, hidden) = match &folding.one.reduction.fold {
            Fold::By(ops) => self.given(w, folding, ops, body)?,
            Fold::Place { greatest } => self.place(w, folding, *greatest, body)?,
        };
        let wide = self.sums(folding, &ops, &mut found, body);
        let function = self.function();
        let sums = wide.iter().flat_map(|wide| wide.targets(&folding.one.outs).into_iter().zip(&wide.sums));
        for (target, elem) in sums {
            if function.elem(&target.name).is_none() {
                function.tensors.push((target.name, *elem, None));
            }
        }
        let names = hidden.iter().chain(folding.one.outs.iter().map(|out| &out.name));
        for (name, elem) in names.zip(found) {
            if function.elem(name).is_none() {
                function.tensors.push((name.clone(), elem, None));
            }
        }
        Ok((ops, hidden, wide))
    }

    /// The operators of the statement: one for all outputs, or one for each
    fn given(&self, w: &mut Words<'_>, folding: &Folding<'_>, ops: &[Op], body: &[Scalar]) -> Done<Folded> {
        let at = folding.one.reduction.span;
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
        let outputs = folding.one.outs.len();
        let first = |types: &Option<&[Elem]>| types.and_then(|types| types.first().copied());
        let (all, types): (Vec<Op>, Vec<Option<Elem>>) = match (ops, named.as_slice()) {
            ([only], [Some(types)]) if types.len() == outputs && outputs > 1 => {
                (vec![only.clone()], types.iter().copied().map(Some).collect())
            }
            ([only], [types]) => (vec![only.clone(); outputs], vec![first(types); outputs]),
            (ops, named) if ops.len() == outputs => (ops.to_vec(), named.iter().map(first).collect()),
            (ops, _) => {
                let message = format!("{} operators for {outputs} tensors", ops.len());
                return Err(w.error(&codes::E_RANK, at, message));
            }
        };
        let joint = |types: &&&[Elem]| types.len() > 1 && all.len() > 1 || types.len() > outputs;
        if let Some(types) = named.iter().flatten().find(joint) {
            let message = format!("an operator on {} values at once, for {outputs} tensors", types.len());
            return Err(w.error(&codes::E_RANK, at, message));
        }
        let types = types.into_iter().zip(body);
        let found = types.map(|(ty, value)| ty.unwrap_or_else(|| folding.own(value))).collect();
        Ok((all, found, None))
    }

    /// `argmax` or `argmin`: the place becomes a second value, the operator one of the program
    fn place(
        &mut self,
        w: &mut Words<'_>,
        folding: &Folding<'_>,
        greatest: bool,
        body: &mut Vec<Scalar>,
    ) -> Done<Folded> {
        let (one, at) = (folding.one, folding.one.reduction.span);
        if one.adds || one.outs.len() > 2 {
            let message = "the place of the greatest or least value starts from nothing, and is one tensor, or two with the value";
            let help = Some("`v[i], p[i] = argmax{j} X[i, j]`, or `p[i] = …`".to_string());
            return Err(w.error_with_help(&codes::E_RANK, at, message, help));
        }
        let along = folding.along(w)?;
        let function = self.function();
        let declared: Vec<Option<Elem>> = one.outs.iter().map(|out| function.elem(&out.name)).collect();
        let count = folding.sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size));
        let given = (one.outs.len() == 2).then(|| declared[0]).flatten();
        let value = given.unwrap_or_else(|| folding.own(&body[0]));
        let wide = if places::holds(Elem::Int(32), count) { Elem::Int(32) } else { Elem::Int(64) };
        let place = declared.last().copied().flatten().unwrap_or(wide);
        if !places::holds(place, count) {
            let message = format!("{} holds no places up to {}", place.text(), count - 1);
            return Err(w.error(&codes::E_EXTENT, one.outs[one.outs.len() - 1].span, message));
        }
        let number = |before: Scalar, (n, size): &(usize, i64)| {
            let row = Scalar::Op(Bin::Mul, Box::new(before), Box::new(Scalar::Int(*size)));
            Scalar::Op(Bin::Add, Box::new(row), Box::new(Scalar::Index(*n)))
        };
        let at_point = along.split_first();
        body.extend(at_point.map(|((n, _), others)| others.iter().fold(Scalar::Index(*n), number)));
        let name = places::name(greatest, value, place);
        if !self.program.operators.iter().any(|operator| operator.name == name) {
            self.program.operators.push(places::operator(greatest, value, place, at.start));
        }
        let hidden = (one.outs.len() == 1).then(|| format!("{}.value", one.outs[0].name));
        Ok((vec![Op::Named(name)], vec![value, place], hidden))
    }
}

/// Is there a number with a point?
fn fraction(e: &Scalar) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match e {
            Scalar::Float(_) => return true,
            _ => stack.extend(e.parts()),
        }
    }
    false
}
