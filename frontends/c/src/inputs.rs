//! What the body of a computation reads: elements, whole arrays and numbers become its arguments.

use crate::ast::Elem;
use crate::codes;
use crate::computation::{Bound, Input, Source};
use crate::lowering::Lowering;
use crate::places::Lvalue;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::Span;
use terrace_dialect_arith as arith;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Attr, DYNAMIC, Value};
use terrace_support::affine::AffineExpr;

impl Lowering<'_> {
    /// A value from outside becomes an argument of the body
    pub fn captured(&mut self, name: &str, value: Val) -> Val {
        let depth = self.names.scopes.iter().rposition(|scope| scope.iter().any(|(other, _)| other == name));
        let outside = self.body.as_ref().is_some_and(|body| depth.is_some_and(|depth| depth < body.scopes));
        if !outside {
            return value;
        }
        match value {
            Val::One(v, elem) => {
                Val::One(self.argument(Source::Scalar(v), None, None, self.emit.ir.ty(v)), elem)
            }
            Val::Record(n, all) => {
                let all = all
                    .into_iter()
                    .map(|v| self.argument(Source::Scalar(v), None, None, self.emit.ir.ty(v)))
                    .collect();
                Val::Record(n, all)
            }
            other => other,
        }
    }

    fn argument(
        &mut self,
        source: Source,
        map: Option<Vec<AffineExpr>>,
        other: Option<Attr>,
        ty: terrace_ir::Type,
    ) -> Value {
        let span = terrace_diag::Span::point(terrace_diag::SourceId(0), 0);
        let Some(body) = &mut self.body else { return self.emit.index(0) };
        let same = |input: &&Input| input.source == source && input.map == map && input.other == other;
        if let Some(found) = body.inputs.iter().find(same) {
            return found.arg;
        }
        let arg = self.emit.ir.add_block_arg(body.block, ty);
        let name = match &source {
            Source::Array(n, field) => {
                let own = &self.names.arrays[*n].name;
                let lower = match self.names.arrays[*n].elem {
                    Elem::Struct(s) => {
                        format!("{own}.{}", self.names.file.structs[s].fields[*field].0).to_lowercase()
                    }
                    _ => own.to_lowercase(),
                };
                Some(if *own == own.to_lowercase() { format!("{lower}.e") } else { lower })
            }
            Source::Cell(name) => Some(format!("{name}.e")),
            Source::Scalar(value) => self.emit.ir.value_name(*value).map(|name| format!("{name}.e")),
        };
        let before = body.inputs.iter().filter(|input| input.source == source).count();
        body.inputs.push(Input { source, map, other, arg, span });
        if let Some(name) = name {
            let name = if before == 0 { name } else { format!("{name}{before}") };
            self.emit.name(arg, &name);
        }
        arg
    }

    /// An element as an argument of the body
    pub fn read_input(&mut self, place: &Lvalue) -> Done<Val> {
        let elem = self.names.place_elem(place);
        let Some(array) = place.array else {
            let source = Source::Cell(place.name.clone());
            let arg = self.argument(source, None, None, self.emit.stored(elem));
            self.note(arg, place.span);
            return Ok(self.emit.unstored(arg, elem));
        };
        let subs = match self.subscripts(place) {
            Err(why)
                if !self.nest.gather.contains(&place.name)
                    || why.code.is_none_or(|code| code.id != codes::INDEX.id) =>
            {
                return Err(why);
            }
            Err(_) => return self.gathered(place, array, elem),
            Ok(subs) => subs,
        };
        let other = self.outside(place, &subs)?;
        let read = |g: &mut Self, field: usize, elem: Elem| {
            let stored = g.emit.stored(elem);
            let other = other.then(|| g.emit.number(&Val::Int(0, Elem::INT), elem.stored())).flatten();
            let arg = g.argument(Source::Array(array, field), Some(subs.clone()), other, stored);
            g.note(arg, place.span);
            arg
        };
        if let Elem::Struct(n) = elem {
            let elems: Vec<Elem> = self.names.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
            let values = elems.iter().enumerate().map(|(field, elem)| {
                let arg = read(self, field, *elem);
                let value = self.emit.unstored(arg, *elem);
                self.emit.to(&value, *elem)
            });
            return Ok(Val::Record(n, values.collect()));
        }
        let arg = read(self, place.field.unwrap_or(0), elem);
        Ok(self.emit.unstored(arg, elem))
    }

    /// An element at a place that the body computes: the body is given the whole array
    fn gathered(&mut self, place: &Lvalue, array: usize, elem: Elem) -> Done<Val> {
        let shape = self.names.arrays[array].dims.clone();
        if self.names.arrays[array].open || shape.contains(&DYNAMIC) {
            let message =
                format!("C-INDEX: {0} is gathered from: declare its size, such as `{0}[N]`", place.name);
            return refuse(&codes::INDEX, place.span, message);
        }
        let mut indices = Vec::new();
        for sub in &place.subs {
            let value = self.expr(sub)?;
            let wide = match value.elem() {
                Elem::Int { signed, .. } => Elem::Int { bits: 64, signed },
                _ => Elem::Int { bits: 64, signed: true },
            };
            let value = self.emit.to(&value, wide);
            let index = self.emit.ir.cx().common().index;
            indices.push(self.emit.op(arith::IndexCast::DEF, &[value], index));
        }
        let read = |g: &mut Self, field: usize, elem: Elem| {
            let stored = g.emit.stored(elem);
            let whole = g.emit.ir.cx().tensor(&shape, stored);
            let arg = g.argument(Source::Array(array, field), None, None, whole);
            g.note(arg, place.span);
            let operands: Vec<Value> = std::iter::once(arg).chain(indices.iter().copied()).collect();
            let value = g.emit.op(tensor::Extract::DEF, &operands, stored);
            g.emit.unstored(value, elem)
        };
        let Elem::Struct(n) = elem else { return Ok(read(self, place.field.unwrap_or(0), elem)) };
        let elems: Vec<Elem> = self.names.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
        let mut values = Vec::new();
        for (field, elem) in elems.into_iter().enumerate() {
            let value = read(self, field, elem);
            values.push(self.emit.to(&value, elem));
        }
        Ok(Val::Record(n, values))
    }

    pub fn note(&mut self, arg: Value, span: Span) {
        if let Some(input) =
            self.body.as_mut().and_then(|body| body.inputs.iter_mut().find(|input| input.arg == arg))
        {
            input.span = span;
        }
    }

    /// Does the read leave its array where a condition excludes the use? An error where none does
    fn outside(&self, place: &Lvalue, subs: &[AffineExpr]) -> Done<bool> {
        let Some(array) = self.names.array(place) else { return Ok(false) };
        let Some(body) = &self.body else { return Ok(false) };
        let mut leaves = false;
        for (n, (sub, size)) in subs.iter().zip(&array.dims).enumerate() {
            let Some((low, high)) = self.names.range(sub) else { continue };
            let below = (low < 0).then(|| (sub.clone(), format!("from {low}")));
            let above = (high >= *size && *size != DYNAMIC && !(array.open && n == 0))
                .then(|| (AffineExpr::sub((*size - 1).into(), sub.clone()), format!("up to {high}")));
            for (bound, text) in below.into_iter().chain(above) {
                let implied = |fact: AffineExpr| {
                    let rest = AffineExpr::sub(bound.clone(), fact);
                    self.names.range(&rest).is_some_and(|(low, _)| low >= 0)
                };
                if body.conditions.iter().flat_map(Bound::at_least_zero).any(implied) {
                    continue;
                }
                if !body.known.iter().cloned().any(implied) {
                    let message =
                        format!("C-INDEX: {} dim {} is read {text}, declared {size}", place.name, n + 1);
                    return refuse(&codes::INDEX, place.span, message);
                }
                leaves = true;
            }
        }
        Ok(leaves)
    }
}
