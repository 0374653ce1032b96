//! Arguments and results of a function as buffers: what they are called, and how they are accessed.
//!
//! Results are returned, or written to arguments that are memory, or, as a number, to a variable that is returned.

use super::index::affine;
use super::names::{Names, elem, identifier};
use super::results::{Given, argument, walk};
use super::{Done, unsaid};
use crate::model::{self, Elem};
use crate::text::{Access, Buffer};
use std::collections::BTreeMap;
use terrace_diag::{SourceId, Span};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{Input, Other, View};
use terrace_ir::attrs::dict_get;
use terrace_ir::{Ir, TypeKind, Value, ValueDef};
use terrace_support::affine::AffineExpr;

/// The computation of a function with what it reads and writes
pub(super) struct Buffers<'a> {
    unit: &'a Ir,
    pub(super) op: Compute,
    pub(super) view: View,
    /// Inputs by the argument that each access reads; the name
    inputs: Vec<(Value, String)>,
    /// Each output's name, and that of its start values
    outputs: Vec<(String, Option<String>)>,
}

impl<'a> Buffers<'a> {
    pub(super) fn of(unit: &'a Ir) -> Done<Buffers<'a>> {
        let (cx, root) = (unit.cx(), unit.root());
        let symbol = unit.attr(root, "sym_name").and_then(|name| name.as_str(cx)).unwrap_or("");
        let none = || {
            let what = format!("`{symbol}` is no computation");
            unsaid(
                unit.span(root),
                what,
                "a function of one `mdh.compute`: in C, loops that are one, over arrays that are `restrict`",
            )
        };
        let entry = unit.entry(unit.region(root, 0)).ok_or_else(none)?;
        if !unit.walk().any(|op| Compute::cast(unit, op).is_some()) {
            return Err(none());
        }
        let (op, given) = walk(unit, entry)?.ok_or_else(none)?;
        let view = View::read(unit, op)
            .map_err(|why| unsaid(unit.span(op.id()), why.to_string(), "a computation that verifies"))?;
        let mut made = Buffers { unit, op, view, inputs: Vec::new(), outputs: Vec::new() };
        made.name(&given)?;
        Ok(made)
    }

    /// Names of all buffers: those of arguments, and of results where they have some
    fn name(&mut self, given: &[Given]) -> Done<()> {
        let (unit, place) = (self.unit, self.unit.span(self.op.id()));
        let mut names = Names::default();
        for input in &self.view.inputs {
            let Some(arg) = argument(unit, input.value) else {
                return Err(unsaid(
                    place,
                    "an input is no argument of the function",
                    "arrays that the function takes",
                ));
            };
            if self.is_size(input) {
                continue;
            }
            if input.map.is_none() {
                let wish = unit.value_name(arg).unwrap_or("an input");
                let (what, accepted) = match unit.ty(arg).element(unit.cx()) {
                    Some(_) => (
                        format!("`{wish}` is read at places that depend on data"),
                        "elements of arrays, at sums of multiples of coordinates",
                    ),
                    None => (
                        format!("`{wish}` is a number from outside"),
                        "elements of arrays: an array of one element, for a number",
                    ),
                };
                return Err(unsaid(place, what, accepted));
            }
            if matches!(input.other, Some(Other::Value(_))) {
                return Err(unsaid(
                    place,
                    "a number from outside stands for elements outside",
                    "`else` and a constant",
                ));
            }
            if !self.inputs.iter().any(|(known, _)| *known == arg) {
                let name = names.fresh(&wish(unit, arg));
                self.inputs.push((arg, name));
            }
        }
        let mut starts: Vec<(Value, String)> = Vec::new();
        for (n, out) in self.view.outputs.iter().enumerate() {
            let (target, wish) = match &given[n] {
                Given::Memory(target) => (Some(*target), wish(unit, *target)),
                Given::Returned(wish) => (None, wish.clone()),
            };
            let read = |names: &[(Value, String)], arg: Value| {
                names.iter().find(|(known, _)| *known == arg).map(|(_, name)| name.clone())
            };
            let mut start = None;
            if let Some((value, _)) = &out.init {
                let Some(arg) = argument(unit, *value) else {
                    let accepted = "start values that are an array which the function takes";
                    return Err(unsaid(place, "start values are no argument of the function", accepted));
                };
                let known = read(&self.inputs, arg).or_else(|| read(&starts, arg));
                let spelled = self::wish(unit, arg);
                // What is written over is one buffer.
                let own = known.is_none() && identifier(&spelled) == identifier(&wish);
                let name = known.unwrap_or_else(|| names.fresh(&spelled));
                starts.push((arg, name.clone()));
                if own {
                    self.outputs.push((name.clone(), Some(name)));
                    continue;
                }
                start = Some(name);
            }
            let known =
                target.is_some_and(|arg| read(&self.inputs, arg).or_else(|| read(&starts, arg)).is_some());
            let name = names.fresh(&if known { format!("{wish}_out") } else { wish });
            self.outputs.push((name, start));
        }
        Ok(())
    }

    /// Is it a size that is known at run time, as a value?
    fn is_size(&self, input: &Input) -> bool {
        input.map.is_none() && self.view.extents.iter().any(|extent| extent.value == input.value)
    }

    /// Types of elements of outputs and inputs
    pub(super) fn types(&self) -> (Vec<String>, Vec<String>) {
        let text = |value: Value| {
            terrace_ir::show::type_text(self.unit.cx(), self.unit.ty(value).scalar(self.unit.cx()))
        };
        let outs = (0..self.view.outputs.len()).map(|n| text(self.unit.result(self.op.id(), n))).collect();
        (outs, self.inputs.iter().map(|(arg, _)| text(*arg)).collect())
    }

    /// Buffers of outputs and inputs, and which input each access is: those of one buffer stand together
    pub(super) fn texts(
        &self,
        ids: &[String],
        source: SourceId,
    ) -> Done<(Vec<Buffer>, Vec<Buffer>, Vec<usize>)> {
        let (unit, span) = (self.unit, Span::point(source, 0));
        let place = unit.span(self.op.id());
        let sums = || {
            unsaid(
                place,
                "an index function rounds upwards",
                "sums of multiples of coordinates, their quotients and remainders",
            )
        };
        let access = |index: &[AffineExpr]| -> Done<Access> {
            let index: Option<Vec<_>> = index.iter().map(|e| affine(e, ids, span)).collect();
            Ok(Access { ids: ids.to_vec(), index: index.ok_or_else(sums)?, other: None, guard: None, span })
        };
        let declared = self.declared()?;
        let sizes = |name: &str| {
            declared.get(name).map(|shape| {
                let size = |n: &i64| crate::syntax::Expr { span, kind: crate::syntax::ExprKind::Int(*n) };
                shape.iter().map(size).collect::<Vec<_>>()
            })
        };
        let mut outs = Vec::new();
        for (out, (name, start)) in self.view.outputs.iter().zip(&self.outputs) {
            let accesses = out.maps.iter().map(|map| access(&map.results)).collect::<Done<Vec<_>>>()?;
            let into = match (start, &out.init) {
                (Some(start), Some((_, own))) => {
                    let own = own.as_ref().filter(|own| out.maps[0] != **own);
                    Some((start.clone(), own.map(|own| access(&own.results)).transpose()?))
                }
                _ => None,
            };
            outs.push(Buffer { name: name.clone(), shape: sizes(name), accesses, into, span });
        }
        let (mut inps, mut order) = (Vec::new(), Vec::new());
        for (arg, name) in &self.inputs {
            let mut accesses = Vec::new();
            for (n, input) in self.view.inputs.iter().enumerate() {
                let Some(map) = input.map.as_ref().filter(|_| argument(unit, input.value) == Some(*arg))
                else {
                    continue;
                };
                order.push(n);
                let other = match input.other {
                    Some(Other::Constant(attr)) => match super::scalar::float(unit.cx(), attr)
                        .or_else(|| attr.as_i64(unit.cx()).map(|n| n as f64))
                    {
                        Some(value) => Some(value),
                        None => {
                            return Err(unsaid(
                                place,
                                "what stands for elements outside is no number",
                                "`else` and a constant",
                            ));
                        }
                    },
                    _ => None,
                };
                let guard =
                    input.guard.as_ref().map(|e| affine(e, ids, span).ok_or_else(sums)).transpose()?;
                accesses.push(Access { other, guard, ..access(&map.results)? });
            }
            inps.push(Buffer { name: name.clone(), shape: sizes(name), accesses, into: None, span });
        }
        // Sizes come behind what is read.
        for extent in &self.view.extents {
            let values = self.view.inputs.iter().enumerate();
            order.extend(
                values.filter(|(_, one)| self.is_size(one) && one.value == extent.value).map(|(n, _)| n),
            );
        }
        Ok((outs, inps, order))
    }

    /// Accesses of inputs as the model has them
    fn reads(&self) -> Vec<model::Input> {
        let unit = self.unit;
        self.view
            .inputs
            .iter()
            .filter(|input| !self.is_size(input))
            .map(|input| model::Input {
                tensor: argument(unit, input.value)
                    .and_then(|arg| self.inputs.iter().find(|(known, _)| *known == arg))
                    .map_or_else(String::new, |(_, name)| name.clone()),
                map: input.map.as_ref().map_or_else(Vec::new, |map| map.results.clone()),
                other: input.other.map(|_| 0.0),
                guard: None,
                whole: false,
            })
            .collect()
    }

    /// Shapes that accesses alone do not tell
    fn declared(&self) -> Done<BTreeMap<String, Vec<i64>>> {
        let (unit, cx, place) = (self.unit, self.unit.cx(), self.unit.span(self.op.id()));
        let mut all: Vec<(String, Elem, Vec<i64>)> = Vec::new();
        let results = (0..self.outputs.len()).map(|n| unit.result(self.op.id(), n));
        let values = self.inputs.iter().map(|(arg, name)| (*arg, name));
        for (value, name) in values.chain(results.zip(self.outputs.iter().map(|(name, _)| name))) {
            let shape = match unit.ty(value).kind(cx) {
                TypeKind::Tensor { shape, encoding: None, .. } | TypeKind::MemRef { shape, .. } => {
                    Some(shape)
                }
                _ => None,
            };
            let elem = elem(cx, unit.ty(value).scalar(cx));
            let (Some(shape), Some(elem)) = (shape.filter(|shape| shape.iter().all(|n| *n >= 0)), elem)
            else {
                let what = format!("`{name}` is {}", terrace_ir::show::type_text(cx, unit.ty(value)));
                return Err(unsaid(
                    place,
                    what,
                    "arrays whose sizes are numbers, of f16 bf16 f32 f64 i1 i8 i16 i32 i64 index",
                ));
            };
            all.push((name.clone(), elem, shape.to_vec()));
        }
        // The model says what would follow; with an `else` at each access nothing does.
        let inputs = self.reads();
        let open = |name: &str| {
            inputs.iter().filter(|input| input.tensor == name).all(|input| input.other.is_some())
        };
        let tensors = all.iter().map(|(name, elem, shape)| {
            let input = self.inputs.iter().any(|(_, known)| known == name);
            (name.clone(), *elem, (input && open(name)).then(|| shape.clone()))
        });
        let tensors = tensors.collect();
        let dims = self.view.dims.iter().map(|dim| model::Dim {
            name: String::new(),
            size: dim.size,
            kind: model::DimCombine::Cc,
        });
        let outputs = self.view.outputs.iter().zip(&self.outputs).map(|(out, (name, start))| model::Output {
            tensor: name.clone(),
            maps: out.maps.iter().map(|map| map.results.clone()).collect(),
            init: start
                .clone()
                .zip(out.init.as_ref())
                .map(|(start, (_, own))| (start, own.as_ref().map(|own| own.results.clone()))),
            inner: false,
        });
        let one = model::Computation {
            name: String::new(),
            dims: dims.collect(),
            outputs: outputs.collect(),
            inputs: inputs.clone(),
            conditions: self.view.conditions.clone(),
            body: Vec::new(),
            schedule: None,
            offset: 0,
        };
        let function = model::Function {
            name: String::new(),
            sizes: Vec::new(),
            tensors,
            below: Default::default(),
            computations: vec![one],
            offset: 0,
        };
        let follow = function.shapes().unwrap_or_default();
        let input = |name: &String| self.inputs.iter().any(|(_, known)| known == name);
        Ok(all
            .into_iter()
            .filter(|(name, _, shape)| follow.get(name) != Some(shape) || input(name) && open(name))
            .map(|(name, _, shape)| (name, shape))
            .collect())
    }
}

/// What the author calls an argument or a variable
fn wish(unit: &Ir, value: Value) -> String {
    let (cx, root) = (unit.cx(), unit.root());
    let given = match unit.value_def(value) {
        Some(ValueDef::Arg(_, n)) => {
            unit.attr(root, "arg_attrs").and_then(|all| all.as_array(cx)?.get(n as usize)?.as_dict(cx))
        }
        _ => None,
    };
    let given = given.and_then(|dict| dict_get(cx, dict, "terrace.name")?.as_str(cx));
    given.or_else(|| unit.value_name(value)).unwrap_or("x").to_string()
}
