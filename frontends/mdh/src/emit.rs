//! A program as IR: one `func.func` on tensors per function.

use crate::cursor::Cursor;
use crate::model::{Computation, DimCombine, Elem, Function, ModelError, Op, OperatorFn, Program};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, Span};
use terrace_dialect_builtin as builtin;
use terrace_dialect_builtin::marks::BELOW;
use terrace_dialect_func as func;
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::operator::{Builtin, DECLARED, Operator};
use terrace_dialect_mdh::schedule::{self, SCHEDULE};
use terrace_dialect_mdh::view::{CombineKind, Condition, Dim, Extent, Input, Other, Output, View};
use terrace_ir::{Attr, BlockId, Builder, Context, Ir, Loc, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A text as a module, by what reads its language and says what does not fit; nothing if that failed with messages
pub(crate) fn read(
    cx: &Arc<Context>,
    source: SourceId,
    diags: &mut Diags,
    program: impl FnOnce(&str, &mut Diags) -> Option<Program>,
    wrong: impl FnOnce(String) -> Diagnostic,
) -> Option<Ir> {
    crate::syntax::with_room(|| {
        let before = diags.errors();
        let program = program(cx.sources().text(source), diags)?;
        if diags.errors() > before {
            return None;
        }
        match program.module(cx, Some(source)) {
            Ok(module) => Some(module),
            Err((at, why)) => {
                let _ = diags.emit(wrong(why.to_string()).at(Span::point(source, at)));
                None
            }
        }
    })
}

impl Program {
    /// The program as a module; the error says what does not fit, at a byte of the source
    ///
    /// The context must know upstream's dialects and `mdh`; the result still has to be verified.
    pub fn module(&self, cx: &Arc<Context>, source: Option<SourceId>) -> Result<Ir, (u32, ModelError)> {
        let kind = cx.kind_of(builtin::Module::DEF).expect("upstream's dialects are registered");
        let mut module = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
        module.set_source(source);
        let region = module.region(module.root(), 0);
        let block = module.append_block(region);
        let mut units = Vec::new();
        for function in &self.functions {
            units.push(self.function(cx, source, function)?);
        }
        for operator in &self.operators {
            units.push(operator_unit(cx, source, operator));
        }
        for unit in units {
            let op = module.adopt(Box::new(unit));
            module.append(block, op);
        }
        Ok(module)
    }

    fn function(
        &self,
        cx: &Arc<Context>,
        source: Option<SourceId>,
        function: &Function,
    ) -> Result<Ir, (u32, ModelError)> {
        let shapes = function.shapes().map_err(|why| (function.offset, why))?;
        let used = function.used_sizes().map_err(|why| (function.offset, why))?;
        let mut unit = new_unit(cx, source, &function.name, function.offset);
        let root = unit.root();
        let region = unit.region(root, 0);
        let block = unit.append_block(region);
        let mut emit = Cursor { ir: &mut unit, block, loc: Loc::offset(function.offset), sizes: Vec::new() };
        let ty = |emit: &Cursor<'_>, name: &str| {
            let elem = function.elem(name).unwrap_or(Elem::Float(32));
            let elem = emit.ty(elem);
            emit.ir.cx().tensor(shapes.get(name).map_or(&[][..], Vec::as_slice), elem)
        };
        let written = |name: &str| {
            function.computations.iter().position(|one| one.outputs.iter().any(|out| out.tensor == name))
        };
        let reads: Vec<(usize, &String)> = function
            .computations
            .iter()
            .enumerate()
            .flat_map(|(n, one)| {
                let inits = one.outputs.iter().filter_map(|out| out.init.as_ref().map(|(name, _)| name));
                one.inputs.iter().map(|input| &input.tensor).chain(inits).map(move |name| (n, name))
            })
            .collect();
        let mut values: BTreeMap<String, Value> = BTreeMap::new();
        let (mut inputs, mut promises) = (Vec::new(), Vec::new());
        for (size, used) in function.sizes.iter().zip(used) {
            let value = used.then(|| emit.argument(&size.name, cx.common().index));
            inputs.extend(value.map(|value| emit.ir.ty(value)));
            promises.extend(value.map(|_| None));
            emit.sizes.push(value);
        }
        for (name, ..) in &function.tensors {
            let first = reads.iter().filter(|(_, read)| *read == name).map(|(n, _)| *n).min();
            let argument = first.is_some_and(|first| written(name).is_none_or(|writer| first <= writer));
            if argument {
                let ty = ty(&emit, name);
                let value = emit.argument(name, ty);
                inputs.push(ty);
                promises.push(function.below.get(name));
                values.insert(name.clone(), value);
            }
        }
        let mut results: Vec<String> = Vec::new();
        for (n, one) in function.computations.iter().enumerate() {
            emit.loc = Loc::offset(one.offset);
            emit.computation(function, one, &shapes, &mut values).map_err(|why| (one.offset, why))?;
            for out in &one.outputs {
                let later = reads.iter().any(|(reader, name)| *reader > n && **name == out.tensor);
                if !later && !out.inner && !results.contains(&out.tensor) {
                    results.push(out.tensor.clone());
                }
            }
        }
        let operands: Vec<Value> = results.iter().filter_map(|name| values.get(name).copied()).collect();
        let types: Vec<Type> = operands.iter().map(|value| emit.ir.ty(*value)).collect();
        func::Return::build(&mut emit.b(), &operands);
        let names: Vec<Attr> = results
            .iter()
            .map(|name| cx.dict_attr(vec![(cx.intern("terrace.name"), cx.str_attr(name))]))
            .collect();
        let function_type = cx.type_attr(cx.function(&inputs, &types));
        unit.set_attr(root, "function_type", Some(function_type));
        unit.set_attr(root, "res_attrs", Some(cx.array_attr(&names)));
        if promises.iter().any(Option::is_some) {
            let entry = |bound: &i64| (cx.intern(BELOW), cx.int_attr((*bound).into(), cx.common().i64));
            let dicts: Vec<Attr> =
                promises.iter().map(|bound| cx.dict_attr(bound.map(entry).into_iter().collect())).collect();
            unit.set_attr(root, "arg_attrs", Some(cx.array_attr(&dicts)));
        }
        Ok(unit)
    }
}

fn new_unit(cx: &Arc<Context>, source: Option<SourceId>, name: &str, offset: u32) -> Ir {
    let kind = cx.kind_of(func::Func::DEF).expect("upstream's dialects are registered");
    let mut unit = Ir::new_unit(cx, kind, 1, Loc::offset(offset));
    unit.set_source(source);
    let root = unit.root();
    let name = cx.str_attr(name);
    unit.set_attr(root, "sym_name", Some(name));
    unit
}

fn operator_unit(cx: &Arc<Context>, source: Option<SourceId>, operator: &OperatorFn) -> Ir {
    let mut unit = new_unit(cx, source, &operator.name, operator.offset);
    let root = unit.root();
    let region = unit.region(root, 0);
    let block = unit.append_block(region);
    let mut emit = Cursor { ir: &mut unit, block, loc: Loc::offset(operator.offset), sizes: Vec::new() };
    let elems: Vec<Elem> = operator.elems.iter().chain(&operator.elems).copied().collect();
    let types: Vec<Type> = elems.iter().map(|elem| emit.ty(*elem)).collect();
    let args: Vec<(Value, Elem)> = types
        .iter()
        .zip(&operator.params)
        .zip(&elems)
        .map(|((ty, name), elem)| {
            let value = emit.ir.add_block_arg(block, *ty);
            emit.name(value, name);
            (value, *elem)
        })
        .collect();
    let values: Vec<Value> =
        operator.body.iter().zip(&operator.elems).map(|(e, elem)| emit.scalar_as(e, &args, *elem)).collect();
    func::Return::build(&mut emit.b(), &values);
    let mut entries = Vec::new();
    let words = [
        ("associative", operator.associative),
        ("commutative", operator.commutative),
        ("exact", operator.exact),
    ];
    for (word, holds) in words {
        if holds {
            entries.push((cx.intern(word), cx.common().unit));
        }
    }
    if !operator.identity.is_empty() {
        let all: Vec<Attr> = operator
            .identity
            .iter()
            .zip(&operator.elems)
            .map(|(value, elem)| emit.number(*value, *elem))
            .collect();
        entries.push((cx.intern("identity"), cx.array_attr(&all)));
    }
    let results = types[..operator.elems.len()].to_vec();
    let function_type = cx.type_attr(cx.function(&types, &results));
    unit.set_attr(root, "function_type", Some(function_type));
    unit.set_attr(root, "sym_visibility", Some(cx.str_attr("private")));
    unit.set_discardable(root, DECLARED, Some(cx.dict_attr(entries)));
    unit
}

impl Cursor<'_> {
    /// One more argument of the function
    fn argument(&mut self, name: &str, ty: Type) -> Value {
        let value = self.ir.add_block_arg(self.block, ty);
        self.name(value, name);
        value
    }

    /// Sizes that the body has as values become its arguments; returns those outside of it
    fn sizes_inside(
        &mut self,
        function: &Function,
        one: &Computation,
        body: BlockId,
        inputs: &mut Vec<Input>,
    ) -> Vec<Option<Value>> {
        let outer = self.sizes.clone();
        for n in one.values() {
            let Some(value) = outer.get(n).copied().flatten() else { continue };
            let arg = self.ir.add_block_arg(body, self.ir.ty(value));
            self.name(arg, &function.sizes[n].name);
            self.sizes[n] = Some(arg);
            inputs.push(Input { value, map: None, other: None, guard: None });
        }
        outer
    }

    /// Conditions with what their symbols stand for
    fn conditions(&self, function: &Function, one: &Computation) -> Option<(Vec<Condition>, Vec<Extent>)> {
        let (mut symbols, mut extents) = (Vec::new(), Vec::new());
        for (n, size) in function.sizes.iter().enumerate() {
            symbols.push(AffineExpr::Symbol(extents.len() as u32));
            if one.extents().contains(&n) {
                extents.push(Extent { value: self.sizes.get(n).copied().flatten()?, most: size.most });
            }
        }
        let number = |e: &AffineExpr| e.replace(&[], &symbols);
        let condition = |one: &Condition| {
            let low = match &one.low {
                Some(low) => Some(number(low)?),
                None => None,
            };
            Some(Condition { low, expr: number(&one.expr)?, high: number(&one.high)? })
        };
        Some((one.conditions.iter().map(condition).collect::<Option<_>>()?, extents))
    }

    fn computation(
        &mut self,
        function: &Function,
        one: &Computation,
        shapes: &BTreeMap<String, Vec<i64>>,
        values: &mut BTreeMap<String, Value>,
    ) -> Result<(), ModelError> {
        let rank = one.dims.len();
        let map = |all: &[AffineExpr]| {
            AffineMap::new(rank as u32, 0, all.to_vec()).ok_or(ModelError::IndexFunction)
        };
        let body = self.ir.create_block();
        let mut args = Vec::new();
        let mut inputs = Vec::new();
        for (n, input) in one.inputs.iter().enumerate() {
            let elem =
                function.elem(&input.tensor).ok_or_else(|| ModelError::Undeclared(input.tensor.clone()))?;
            let Some(value) = values.get(&input.tensor).copied() else {
                return Err(ModelError::ReadFirst(input.tensor.clone()));
            };
            let ty = if input.whole { self.ir.ty(value) } else { self.ty(elem) };
            let arg = self.ir.add_block_arg(body, ty);
            let before = one.inputs[..n].iter().filter(|other| other.tensor == input.tensor).count();
            let lower = input.tensor.to_lowercase();
            let lower = if lower == input.tensor { format!("{lower}.e") } else { lower };
            self.name(arg, &if before == 0 { lower } else { format!("{lower}{before}") });
            args.push((arg, elem));
            let other = input.other.map(|value| Other::Constant(self.number(value, elem)));
            let index = if input.whole { None } else { Some(map(&input.map)?) };
            inputs.push(Input { value, map: index, other, guard: input.guard.clone() });
        }
        let outer = self.sizes_inside(function, one, body, &mut inputs);
        let (mut outputs, mut results, mut elems) = (Vec::new(), Vec::new(), Vec::new());
        for out in &one.outputs {
            let elem =
                function.elem(&out.tensor).ok_or_else(|| ModelError::Undeclared(out.tensor.clone()))?;
            let maps = out.maps.iter().map(|one| map(one)).collect::<Result<Vec<_>, _>>()?;
            elems.extend(std::iter::repeat_n(elem, maps.len()));
            let init = match &out.init {
                Some((name, own)) => {
                    let Some(value) = values.get(name).copied() else {
                        return Err(ModelError::ReadFirst(name.clone()));
                    };
                    let own = own.as_ref().map(|own| map(own)).transpose()?;
                    Some((value, own))
                }
                None => None,
            };
            outputs.push(Output { maps, init });
            let elem = self.ty(elem);
            results.push(self.ir.cx().tensor(shapes.get(&out.tensor).map_or(&[][..], Vec::as_slice), elem));
        }
        let outside = std::mem::replace(&mut self.block, body);
        let yields: Vec<Value> =
            one.body.iter().zip(&elems).map(|(e, elem)| self.scalar_as(e, &args, *elem)).collect();
        mdh::Yield::build(&mut self.b(), &yields);
        self.block = outside;
        self.sizes = outer;
        let dims = self.dims(function, one);
        let name = Some(one.name.clone()).filter(|name| !name.is_empty());
        let (conditions, extents) = self.conditions(function, one).ok_or(ModelError::IndexFunction)?;
        let view = View { name, dims, inputs, outputs, conditions, extents };
        let mut b = Builder::at_end(self.ir, self.block);
        b.set_loc(self.loc);
        let op = view.build(&mut b, &results, body);
        if let Some(draft) = &one.schedule {
            let attr = schedule::to_attr(self.ir.cx(), &draft.steps);
            self.ir.set_discardable(op.id(), SCHEDULE, Some(attr));
        }
        for (n, out) in one.outputs.iter().enumerate() {
            let result = self.ir.result(op.id(), n);
            self.name(result, &out.tensor);
            values.insert(out.tensor.clone(), result);
        }
        Ok(())
    }

    fn dims(&self, function: &Function, one: &Computation) -> Vec<Dim> {
        let kinds = one.dims.iter().map(|dim| self.kind(&dim.kind, function, one));
        let dims = one.dims.iter().zip(kinds);
        dims.map(|(dim, kind)| Dim { name: dim.name.clone(), size: dim.size, kind }).collect()
    }

    /// How a dimension of a computation is combined; of truths `max` is `or`
    fn kind(&self, kind: &DimCombine, function: &Function, one: &Computation) -> CombineKind {
        let elem = |n: usize| one.outputs.get(n).and_then(|out| function.elem(&out.tensor));
        let truth = |n: usize| elem(n) == Some(Elem::Int(1));
        let ops = |ops: &[Op]| -> Vec<Operator> {
            ops.iter()
                .enumerate()
                .map(|(n, op)| match op {
                    Op::Builtin(Builtin::Min) if truth(n) => Operator::Builtin(Builtin::And),
                    Op::Builtin(Builtin::Max) if truth(n) => Operator::Builtin(Builtin::Or),
                    Op::Builtin(op) => Operator::Builtin(*op),
                    Op::Named(name) => Operator::Func(self.ir.cx().intern(name)),
                })
                .collect()
        };
        match kind {
            DimCombine::Cc => CombineKind::Cc,
            DimCombine::Pw(all, order) => CombineKind::Pw(ops(all), *order),
            DimCombine::Ps(all) => CombineKind::Ps(ops(all)),
        }
    }
}
