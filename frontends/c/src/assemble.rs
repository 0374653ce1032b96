//! The computation in its function: values of buffers in front, buffers of values behind.

use crate::ast::{Directive, Elem, ExprKind, For};
use crate::bindings::Slot;
use crate::codes;
use crate::computation::{First, Out, Plan, Source, index_map};
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use terrace_diag::Span;
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_mdh::schedule::{self, OpenSchedule, SCHEDULE};
use terrace_dialect_mdh::view::{Condition, Extent, Input, Other, Output, View};
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

impl Lowering<'_> {
    /// The computation in its function
    pub fn assemble(&mut self, nest: &For, plan: Plan) -> Done<()> {
        let directive = nest.directive.as_ref();
        let schedule = match directive.and_then(|directive| directive.schedule.as_ref()) {
            Some((text, span)) => Some(self.schedule(text, *span)?),
            None => None,
        };
        let Some(body) = self.body.take() else { return Ok(()) };
        self.emit.set_loc(directive.map_or(nest.head, |directive| directive.span));
        let rank = self.names.ivs.len();
        let mut tensors: Vec<(Value, Value)> = Vec::new();
        let mut inputs = Vec::new();
        for input in &body.inputs {
            let value = match &input.source {
                Source::Scalar(value) => *value,
                Source::Cell(name) => self.cell_value(name),
                Source::Array(n, field) => {
                    let memref = self.names.arrays[*n].fields[*field];
                    self.tensor(memref, &mut tensors)
                }
            };
            let map = input.map.as_ref().and_then(|map| index_map(rank, map));
            inputs.push(Input { value, map, other: input.other.map(Other::Constant), guard: None });
        }
        let (mut outputs, mut results, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for (out, first) in &plan.outs {
            let (memref, ty) = self.target(out);
            let init = match first {
                First::Nothing => None,
                First::Old => Some((self.tensor(memref, &mut tensors), None)),
                First::Constant(attr) => {
                    let scalar = self.emit.ir.cx().tensor(&[], self.emit.stored(out.elem));
                    match self.emit.ir.cx().splat_attr(scalar, *attr) {
                        Some(attr) => {
                            let value = self.emit.constant_value(attr);
                            Some((value, index_map(rank, &[])))
                        }
                        None => None,
                    }
                }
                First::Element(Source::Array(n, field), subs) => {
                    let memref = self.names.arrays[*n].fields[*field];
                    Some((self.tensor(memref, &mut tensors), index_map(rank, subs)))
                }
                First::Element(..) => None,
            };
            let maps: Vec<AffineMap> = out.maps.iter().filter_map(|map| index_map(rank, map)).collect();
            outputs.push(Output { maps, init });
            results.push(ty);
            targets.push((memref, out.place.name.clone()));
        }
        let mut conditions: Vec<Condition> =
            body.conditions.iter().map(|bound| condition(bound.clone())).collect();
        let extents = self.ends(&mut conditions)?;
        let name = directive.and_then(|directive| directive.name.clone());
        let name = name.or_else(|| self.calls.within.first().cloned());
        let view = View { name, dims: plan.dims, inputs, outputs, conditions, extents };
        self.aliases(&view, &plan.outs, &body.inputs, directive);
        let op = view.build(&mut self.emit.b(), &results, body.block);
        if let Some(schedule) = schedule {
            self.emit.ir.set_discardable(op.id(), SCHEDULE, Some(schedule));
        }
        for (n, (memref, _)) in targets.iter().enumerate() {
            let result = self.emit.ir.result(op.id(), n);
            let unit = self.emit.ir.cx().common().unit;
            let write = MaterializeInDestination::build(&mut self.emit.b(), result, *memref, None);
            write.set_restrict(self.emit.ir, Some(unit));
            write.set_writable(self.emit.ir, Some(unit));
        }
        for (_, name) in &targets {
            if let Some(Slot::Cell(cell)) = self.names.slot_mut(name) {
                cell.known = None;
            }
        }
        Ok(())
    }

    /// Sizes that are known at run time, with the conditions that loops end there
    fn ends(&mut self, conditions: &mut Vec<Condition>) -> Done<Vec<Extent>> {
        let mut extents: Vec<Extent> = Vec::new();
        let mut known: Vec<String> = Vec::new();
        for (iv, size, most) in std::mem::take(&mut self.nest.ends) {
            let ExprKind::Name(name) = &size.kind else { continue };
            let n = match known.iter().position(|other| other == name) {
                Some(n) => n,
                None => {
                    let value = self.as_index(&size)?;
                    // A loop to a number below 0 does not run.
                    let zero = self.emit.index(0);
                    let index = self.emit.ir.cx().common().index;
                    let value = self.emit.op(arith::MaxSI::DEF, &[value, zero], index);
                    self.emit.name(value, name);
                    known.push(name.clone());
                    extents.push(Extent { value, most });
                    known.len() - 1
                }
            };
            let (expr, high) = (AffineExpr::Dim(iv as u32), AffineExpr::Symbol(n as u32));
            conditions.push(Condition { low: None, expr, high });
        }
        Ok(extents)
    }

    /// Steps of a schedule as the attribute; their meaning is checked where they are applied
    fn schedule(&self, text: &str, span: Span) -> Done<Attr> {
        let read = OpenSchedule::read(text).and_then(|draft| match draft.is_decided() {
            true => draft.decided().map(|_| draft),
            false => Ok(draft),
        });
        let refused = |at: &std::ops::Range<usize>, message: String| {
            let at = Span::new(span.source, span.start + at.start as u32, span.start + at.end as u32);
            refuse(&codes::PRAGMA, at, format!("C-PRAGMA: {message}"))
        };
        let draft = match read {
            Ok(draft) => draft,
            Err(error) => return refused(&error.at, error.to_string()),
        };
        for step in &draft.steps {
            let sizes = (step.sizes.len(), step.sizes.first().map(|size| size.at.clone()));
            let cores = (step.cores.len(), step.cores.first().map(|core| core.at.clone()));
            for (what, (found, first)) in [("sizes", sizes), ("cores", cores)] {
                if found != self.names.ivs.len() {
                    let at = first.unwrap_or(0..text.len());
                    let message = format!("S-ARITY: {} dimensions, {found} {what}", self.names.ivs.len());
                    return refused(&at, message);
                }
            }
        }
        Ok(schedule::to_attr(self.emit.ir.cx(), &draft.steps))
    }

    fn target(&self, out: &Out) -> (Value, Type) {
        let elem = self.emit.stored(out.elem);
        match (self.names.array(&out.place), self.names.lookup(&out.place.name)) {
            (Some(array), _) => (array.fields[out.field], self.emit.ir.cx().tensor(&array.dims, elem)),
            (None, Some(Slot::Cell(cell))) => (cell.memref, self.emit.ir.cx().tensor(&[], elem)),
            // Outputs are arrays or numbers in memory.
            (None, _) => (out.values[0], self.emit.ir.cx().tensor(&[], elem)),
        }
    }

    pub fn tensor(&mut self, memref: Value, known: &mut Vec<(Value, Value)>) -> Value {
        if let Some((_, tensor)) = known.iter().find(|(other, _)| *other == memref) {
            return *tensor;
        }
        let ty = self.emit.ir.ty(memref);
        let cx = self.emit.ir.cx();
        let ty = cx.tensor(ty.shape(cx).unwrap_or(&[]), ty.element(cx).unwrap_or(cx.common().f32));
        let unit = cx.common().unit;
        let to_tensor = ToTensor::build(&mut self.emit.b(), memref, ty);
        to_tensor.set_restrict(self.emit.ir, Some(unit));
        let tensor = to_tensor.result(self.emit.ir);
        // Later nests read the array again: each tensor has a name of its own.
        let before =
            self.emit.ir.uses(memref).filter(|usage| self.emit.ir.is(usage.0, ToTensor::DEF)).count();
        if let Some(name) = self.emit.ir.value_name(memref) {
            let name = if before > 1 { format!("{name}.t{}", before - 1) } else { format!("{name}.t") };
            self.emit.name(tensor, &name);
        }
        known.push((memref, tensor));
        tensor
    }

    fn cell_value(&mut self, name: &str) -> Value {
        match self.names.lookup(name).cloned() {
            Some(Slot::Cell(cell)) => {
                let ty = self.emit.stored(cell.elem);
                self.emit.op(memref::Load::DEF, &[cell.memref], ty)
            }
            _ => self.emit.zero(Elem::INT),
        }
    }

    /// Pointers that must not overlap for the computation to mean what the loops mean
    fn aliases(
        &mut self,
        _: &View,
        outs: &[(Out, First)],
        inputs: &[crate::computation::Input],
        directive: Option<&Directive>,
    ) {
        if let Some(directive) = directive {
            self.overlaps.disjoint.push(directive.disjoint.iter().map(|(name, _)| name.clone()).collect());
        }
        let used = outs.iter().filter_map(|(out, _)| Some(self.names.arrays[out.place.array?].root));
        let read = inputs.iter().filter_map(|input| match input.source {
            Source::Array(n, _) => Some(self.names.arrays[n].root),
            _ => None,
        });
        let all: Vec<usize> = used.clone().chain(read).collect();
        let written: Vec<usize> = used.collect();
        self.overlaps.between(&self.names, &written, &all);
    }
}

fn condition(bound: crate::computation::Bound) -> Condition {
    match bound {
        crate::computation::Bound { low, expr, high: Some(high) } => Condition { low, expr, high },
        // e >= low: low - 1 < e.
        crate::computation::Bound { low, expr, high: None } => {
            let low = low.unwrap_or(0.into());
            Condition { low: None, expr: AffineExpr::sub(low, 1.into()), high: expr }
        }
    }
}
