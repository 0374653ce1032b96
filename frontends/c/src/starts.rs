//! What results start from: nothing, the old contents, or what is set in front of the loops that add.

use crate::ast::{Directive, Elem, Expr, ExprKind, For, Stmt, StmtKind};
use crate::bindings::{Bindings, Slot};
use crate::codes;
use crate::computation::{First, Out, Source, Start};
use crate::emitter::Emitter;
use crate::lowering::Lowering;
use crate::operators::identity;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::Diagnostic;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::Dim;
use terrace_ir::Attr;

impl Bindings<'_> {
    /// Is the start one of this output?
    fn begins(&self, start: &Start, out: &Out) -> bool {
        match self.place(&start.target) {
            Ok(Some(place)) => {
                place.name == out.place.name
                    && place.array == out.place.array
                    && place.field.is_none_or(|field| field == out.field)
            }
            _ => false,
        }
    }

    /// A number that is written out
    fn literal(&self, e: &Expr) -> Option<Val> {
        match &e.kind {
            ExprKind::Float(value, elem) => Some(Val::Float(*value, *elem)),
            ExprKind::Cast(_, inner) => self.literal(inner),
            _ => self.constant(e).map(|value| Val::Int(value.into(), Elem::INT)),
        }
    }
}

impl Emitter<'_> {
    fn equal(&self, a: &Val, b: &Val, elem: Elem) -> bool {
        let (x, y) = (self.number(a, elem), self.number(b, elem));
        x.is_some() && x == y
    }
}

impl Lowering<'_> {
    /// What is set in front of loops is the start of one output each, or the nest is none
    ///
    /// Elements that it is read from must not be what the nest writes.
    pub fn starts_fit(&mut self, starts: &[Start], outs: &[Out]) -> Done<()> {
        for (n, start) in starts.iter().enumerate() {
            let mut mine = Vec::new();
            for out in outs {
                if self.names.begins(start, out) {
                    mine.push(out);
                }
            }
            let again = starts[..n].iter().any(|other| {
                outs.iter().any(|out| self.names.begins(other, out) && self.names.begins(start, out))
            });
            if mine.is_empty() || again {
                let message = "C-NEST: not perfect: what is set between loops is no output";
                return refuse(&codes::NEST, start.target.span, message);
            }
            if let Ok(Some(place)) = self.names.place(&start.value)
                && place.array.is_some()
                && outs.iter().any(|out| out.place.array == place.array)
            {
                let message = "C-NEST: not perfect: what the loops write is read between them";
                return refuse(&codes::NEST, start.value.span, message);
            }
        }
        Ok(())
    }

    /// What a result starts from
    pub fn first(
        &mut self,
        out: &Out,
        folds: bool,
        directive: Option<&Directive>,
        starts: &[Start],
        dims: &[Dim],
    ) -> Done<First> {
        let start = starts.iter().find(|start| self.names.begins(start, out));
        if !folds {
            if let Some(start) = start {
                let message =
                    format!("C-NEST: not perfect: {} is set between loops, and not added to", out.place.name);
                return refuse(&codes::NEST, start.target.span, message);
            }
            return Ok(if self.covers(out, folds) { First::Nothing } else { First::Old });
        }
        let builtin = dims.iter().flat_map(|dim| dim.kind.operators()).next().copied();
        let builtin = match builtin {
            Some(Operator::Builtin(builtin)) => Some(builtin),
            _ => None,
        };
        if let Some(start) = start {
            let place = self.names.place(&start.target)?;
            let inner = dims[start.depth..].iter().all(|dim| !dim.kind.kept());
            let outer = dims[..start.depth].iter().all(|dim| dim.kind.kept());
            let subs = match place {
                Some(place) if place.array.is_some() => self.subscripts(&place)?,
                _ => Vec::new(),
            };
            if !inner || !outer || !out.maps.contains(&subs) || out.maps.len() > 1 {
                let message =
                    format!("C-NEST: not perfect: {} is set more often than its sum begins", out.place.name);
                return refuse(&codes::NEST, start.target.span, message);
            }
            return self.start_value(out, start, builtin);
        }
        if !starts.is_empty() {
            let message = "C-NEST: not perfect: what is set between loops is no output";
            return refuse(&codes::NEST, starts[0].target.span, message);
        }
        if let Some(Slot::Cell(cell)) = self.names.lookup(&out.place.name).cloned() {
            let known = cell.known.as_ref().and_then(|e| self.names.literal(e));
            let neutral = builtin.map(|builtin| identity(builtin, out.elem));
            return Ok(match (known, neutral) {
                (Some(known), Some(neutral)) if self.emit.equal(&known, &neutral, out.elem) => First::Nothing,
                _ => First::Old,
            });
        }
        let inout = directive.is_none_or(|d| d.inout.iter().any(|(name, _)| *name == out.place.name));
        if inout {
            return Ok(First::Old);
        }
        if !self.covers(out, folds) {
            let message = format!(
                "C-OUT: only a part of {0} is written; say `inout({0})`, or add to all of it",
                out.place.name
            );
            return refuse(&codes::OUT, out.place.span, message);
        }
        self.keeps_outside(out, &First::Nothing)?;
        let remark = format!(
            "C-INIT: {0} starts from nothing, as in the directive's paper; `inout({0})` adds what it held before",
            out.place.name
        );
        let _ = self.diags.emit(Diagnostic::remark(&codes::INIT, remark).at(out.place.span));
        Ok(First::Nothing)
    }

    fn start_value(&mut self, out: &Out, start: &Start, builtin: Option<Builtin>) -> Done<First> {
        if let (ExprKind::List(_, all), Elem::Struct(n)) =
            (&start.value.kind, self.names.place_elem(&out.place))
        {
            let word = out.operator.clone().unwrap_or_default();
            let declared =
                self.names.file.functions.iter().find(|f| f.name == word).and_then(|f| f.operator.as_ref());
            let neutral = declared.map_or(Vec::new(), |operator| operator.identity.clone());
            let elems: Vec<Elem> = self.names.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
            let numbers = |all: &[Expr]| -> Option<Vec<Attr>> {
                all.iter()
                    .zip(&elems)
                    .map(|(e, elem)| self.emit.number(&self.names.literal(e)?, *elem))
                    .collect()
            };
            if let Some(values) = numbers(all).filter(|values| values.len() == elems.len()) {
                return Ok(match numbers(&neutral) == Some(values.clone()) {
                    true => First::Nothing,
                    false => First::Constant(values[out.field]),
                });
            }
        }
        if let Some(value) = self.names.literal(&start.value) {
            let neutral = builtin.map(|builtin| identity(builtin, out.elem));
            if neutral.is_some_and(|neutral| self.emit.equal(&value, &neutral, out.elem)) {
                return Ok(First::Nothing);
            }
            if let Some(attr) = self.emit.number(&value, out.elem.stored()) {
                return Ok(First::Constant(attr));
            }
        }
        if let Some(place) = self.names.place(&start.value)?
            && let Some(array) = place.array
            && self.names.place_elem(&place) == out.elem
        {
            let subs = self.subscripts(&place)?;
            return Ok(First::Element(Source::Array(array, place.field.unwrap_or(0)), subs));
        }
        let message = format!(
            "C-NEST: {} starts from something that is neither a constant nor an element",
            out.place.name
        );
        refuse(&codes::NEST, start.value.span, message)
    }

    /// Is every element of the array written?
    pub fn covers(&self, out: &Out, folds: bool) -> bool {
        let Some(array) = self.names.array(&out.place) else { return true };
        if array.dims.first() == Some(&crate::bindings::FAR) {
            return true;
        }
        if array.dims.contains(&terrace_ir::DYNAMIC) {
            return false;
        }
        let shape = array.dims.iter().map(|size| i128::from(*size)).product::<i128>();
        let uses = |n: usize| out.maps.iter().any(|map| map.iter().any(|e| e.uses_dim(n as u32)));
        let points: i128 = (0..self.names.ivs.len())
            .filter(|n| uses(*n))
            .map(|n| self.names.ivs[n].range.map_or(0, |(_, _, turns)| i128::from(turns)))
            .product();
        let conditioned = self.body.as_ref().is_some_and(|body| {
            body.conditions
                .iter()
                .any(|bound| (0..self.names.ivs.len()).any(|n| uses(n) && bound.expr.uses_dim(n as u32)))
        });
        let open = self.nest.ends.iter().any(|(n, ..)| uses(*n));
        let conditioned = conditioned || open;
        // Of a sum without terms there is a value too.
        points * out.maps.len() as i128 == shape && (folds || !conditioned)
    }
}

/// A nest without what is set between its loops, and nests that set it
pub fn apart(one: &For) -> (Vec<For>, For) {
    let mut levels: Vec<(&For, Vec<Stmt>)> = Vec::new();
    let mut at = one;
    let innermost = loop {
        let mut inside: &[Stmt] = &at.body;
        while let [Stmt { kind: StmtKind::Block(all), .. }] = inside {
            inside = all;
        }
        let next = inside.iter().position(|stmt| matches!(stmt.kind, StmtKind::For(_)));
        let starts = next.map_or(Vec::new(), |next| inside[..next].to_vec());
        levels.push((at, starts));
        match next.map(|next| &inside[next].kind) {
            Some(StmtKind::For(next)) => at = next,
            _ => break inside.to_vec(),
        }
    };
    let around = |levels: &[(&For, Vec<Stmt>)], body: Vec<Stmt>| {
        let mut body = body;
        for (level, _) in levels.iter().rev() {
            let made = For {
                head: level.head,
                init: level.init.clone(),
                test: level.test.clone(),
                step: level.step.clone(),
                body,
                directive: None,
            };
            body = vec![Stmt { span: level.head, kind: StmtKind::For(Box::new(made)) }];
        }
        match body.pop().map(|stmt| stmt.kind) {
            Some(StmtKind::For(one)) => *one,
            _ => one.clone(),
        }
    };
    let mut first = Vec::new();
    for (n, (_, starts)) in levels.iter().enumerate().filter(|(_, (_, starts))| !starts.is_empty()) {
        first.push(around(&levels[..=n], starts.clone()));
    }
    let mut rest = around(&levels, innermost);
    rest.directive = one.directive.clone();
    if let Some(directive) = &mut rest.directive {
        for stmt in levels.iter().flat_map(|(_, starts)| starts) {
            if let StmtKind::Expr(e) = &stmt.kind
                && let Some(name) = e.base().or(match &e.kind {
                    ExprKind::Assign(_, target, _) => target.base(),
                    _ => None,
                })
            {
                directive.inout.push((name.to_string(), stmt.span));
            }
        }
    }
    (first, rest)
}
