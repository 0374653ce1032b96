//! The pass: tensors become buffers, computations become loop nests.
//!
//! A function's tensor arguments become memref arguments; its tensor results become memref arguments behind them, the
//! destinations, distinct from all others; attributes of a result go with it. A result of a computation that is returned
//! lives in its destination, another one in a buffer of its own. Functions with tensors must not be called yet.
//!
//! Functions written for memory keep their signature: `bufferization.to_tensor` gives a value the buffer it is of, and
//! `bufferization.materialize_in_destination` right behind a computation makes its result live in that buffer, unless an input
//! is read from there.
//!
//! Arguments in another shape, and results that get theirs in the end, are views of their buffers ([`views`]).

use crate::codes;
use crate::epilogue;
use crate::extents;
use crate::nest::Nest;
use crate::placed;
use crate::prologue as stored;
use crate::scalar::{self, Yields};
use crate::tensors_to_memory::in_block;
use crate::views;
use std::fmt;
use terrace_devices::Layer;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_func::{Func, Return};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::epilogue::EPILOGUE;
use terrace_dialect_mdh::prologue::{self, PROLOGUE};
use terrace_dialect_mdh::scatter::{self, SCATTER, Scatter};
use terrace_dialect_mdh::schedule::{self, Broken, GRID, Rule, SCHEDULE, Schedule, ScheduleError};
use terrace_dialect_mdh::symmetric;
use terrace_dialect_mdh::view::{CombineKind, Input, Output, View};
use terrace_dialect_memref as memref;
use terrace_dialect_sched as sched;
use terrace_dialect_tensor as tensor;
use terrace_ir::attrs::DenseData;
use terrace_ir::{Attr, AttrKind, BlockId, Builder, Ir, Name, OpDef, OpId, Traits, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_schedule_model::apply;
use terrace_support::HashMap;

/// Computations on values become scheduled loops on buffers
///
/// Applies the schedule of a computation (`mdh.schedule`); without one a dimension is a sequential loop.
/// Tensor arguments become memrefs, tensor results become destination arguments behind them.
#[pass("mdh-to-sched", anchor = "func.func", stats("computations lowered"))]
pub struct MdhToSched;

/// Longest dimension: sums and products of a few sizes fit a number
const MOST: i64 = 1 << 40;

impl Pass for MdhToSched {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let Some(func) = Func::cast(unit, unit.root()) else { return Ok(()) };
        let ops: Vec<OpId> = unit.walk_below(unit.root()).collect();
        let computes: Vec<Compute> = ops.iter().filter_map(|op| Compute::cast(unit, *op)).collect();
        let (inputs, results) = func.types(unit);
        let (inputs, results) = (inputs.to_vec(), results.to_vec());
        let signature = inputs.iter().chain(&results).any(|ty| is_tensor(unit, *ty));
        let boundary = ops.iter().any(|op| ToTensor::cast(unit, *op).is_some());
        if computes.is_empty() && !signature && !boundary {
            cx.set_changed(false);
            return Ok(());
        }
        check(cx, unit, &ops)?;
        let mut edge = Edge { buffer: HashMap::default(), dest: HashMap::default() };
        edge.signature(unit, func, &inputs, &results);
        views::of_buffers(unit, &ops, &mut edge.buffer, &edge.dest);
        edge.destinations(unit, &ops);
        views::of_arguments(unit, &ops, &mut edge.buffer);
        views::of_destinations(unit, &ops, &mut edge.buffer, &mut edge.dest);
        for op in &ops {
            if let Some(constant) = arith::Constant::cast(unit, *op) {
                edge.splat(cx, unit, constant)?;
            } else if let Some(op) = ToTensor::cast(unit, *op) {
                edge.buffer.insert(op.result(unit), op.buffer(unit));
            }
        }
        let mut behind = None;
        for compute in &computes {
            if behind.take() != Some(compute.id()) {
                behind = edge.computes(cx, unit, *compute)?;
            }
        }
        edge.returns(unit, &ops);
        for op in &ops {
            let Some(op) = MaterializeInDestination::cast(unit, *op) else { continue };
            let (from, to) = (op.source(unit), op.dest(unit));
            let source = edge.buffer.get(&from).copied().unwrap_or(from);
            if source != to {
                copy(&mut Builder::before(unit, op.id()), source, to);
            }
            unit.erase(op.id());
        }
        for op in ops.iter().rev().filter(|op| unit.is_alive(**op)).copied().collect::<Vec<_>>() {
            let op = &op;
            let tensor = unit.results(*op).any(|value| is_tensor(unit, unit.ty(value)));
            let inner = unit.parent(*op).is_some_and(|parent| Compute::cast(unit, parent).is_some());
            let moved = sched::Alloc::cast(unit, *op).is_some() && unit.is_unused(*op);
            if tensor && !inner || moved {
                unit.erase(*op);
            }
        }
        cx.count("computations lowered", computes.len() as u64);
        Ok(())
    }
}

fn is_tensor(ir: &Ir, ty: Type) -> bool {
    matches!(ty.kind(ir.cx()), TypeKind::Tensor { .. })
}

fn memref_of(ir: &Ir, ty: Type) -> Type {
    match ty.kind(ir.cx()) {
        TypeKind::Tensor { shape, elem, .. } => ir.cx().memref(shape, *elem),
        _ => ty,
    }
}

/// Ops on whole tensors that have a form on buffers
const ON_TENSORS: &[&OpDef] = &[
    Compute::DEF,
    Return::DEF,
    ToTensor::DEF,
    MaterializeInDestination::DEF,
    arith::Constant::DEF,
    tensor::CollapseShape::DEF,
    tensor::ExpandShape::DEF,
];

/// Every op that touches tensors has a form on buffers
fn check(cx: &mut PassCx<'_>, ir: &Ir, ops: &[OpId]) -> Result<(), Reported> {
    for &op in ops {
        // Elements of whole tensors, at places that a body computes.
        let inner = ir.parent(op).is_some_and(|parent| Compute::cast(ir, parent).is_some());
        if inner && ir.is(op, tensor::Extract::DEF) {
            continue;
        }
        let mut values = ir.operands(op).chain(ir.results(op));
        if !values.any(|value| is_tensor(ir, ir.ty(value))) {
            continue;
        }
        if !ir.is_any(op, ON_TENSORS) || !in_order(ir, op) || !views::is_view(ir, op) {
            let message = format!("'{}' on tensors has no form on buffers yet", ir.op_name(op));
            return cx.fail(ir, op, &codes::NO_BUFFER, message);
        }
        // Buffers end with their block.
        let elsewhere = |result| {
            is_tensor(ir, ir.ty(result))
                && ir
                    .block(op)
                    .is_some_and(|block| ir.uses(result).any(|(user, _)| in_block(ir, user, block).is_none()))
        };
        if !ir.is(op, arith::Constant::DEF) && ir.results(op).any(elsewhere) {
            let message =
                format!("a tensor of '{}' is used in another block of the function", ir.op_name(op));
            return cx.fail(ir, op, &codes::NO_BUFFER, message);
        }
        if let Some(tensor) = ToTensor::cast(ir, op)
            && let Some(writer) = overwritten(ir, tensor)
        {
            let message = "the buffer may be written before the last use of its content as a value";
            let message = format!("{message}: by '{}'", ir.op_name(writer));
            return cx.fail(ir, op, &codes::NO_BUFFER, message);
        }
    }
    Ok(())
}

/// Is the op in the function's block, or in loops and conditions that run one after the other?
fn in_order(ir: &Ir, op: OpId) -> bool {
    let mut at = ir.parent(op);
    while let Some(parent) = at.filter(|parent| *parent != ir.root()) {
        if !ir.has(parent, Traits::Sequential.and(Traits::SingleBlock)) {
            return false;
        }
        at = ir.parent(parent);
    }
    true
}

/// What may write the buffer between this op and the last use of its result
fn overwritten(ir: &Ir, tensor: ToTensor) -> Option<OpId> {
    let alone = tensor.restrict(ir).is_some();
    before_last_use(ir, tensor.id(), tensor.result(ir), |op| writes(ir, op, tensor.buffer(ir), alone))
}

/// The first op behind another one that does something, and the value is used in it or behind it
fn before_last_use(ir: &Ir, from: OpId, value: Value, does: impl Fn(OpId) -> bool) -> Option<OpId> {
    let block = ir.block(from)?;
    let users = ir.uses(value).filter_map(|(user, _)| in_block(ir, user, block));
    let users = users.filter(|user| ir.is_before(from, *user));
    let users: Vec<OpId> = users.collect();
    let (mut left, mut found) = (users.len(), None);
    let mut at = ir.next(from);
    while let Some(op) = at.filter(|_| left > 0) {
        let uses = users.iter().filter(|user| **user == op).count();
        left -= uses;
        // In a loop, what does it may come before the use.
        let own = does(op);
        if uses > 0 && (found.is_some() || own && ir.num_regions(op) > 0 && Compute::cast(ir, op).is_none()) {
            return found.or(Some(op));
        }
        found = found.or(Some(op).filter(|_| own));
        at = ir.next(op);
    }
    None
}

/// May an op, or one in it, write a buffer? `alone`: no other buffer sees its memory
fn writes(ir: &Ir, op: OpId, buffer: Value, alone: bool) -> bool {
    std::iter::once(op).chain(ir.walk_below(op)).any(|op| {
        if let Some(end) = MaterializeInDestination::cast(ir, op) {
            let alone = alone && end.restrict(ir).is_some();
            return if alone {
                end.dest(ir) == buffer
            } else {
                memref::root(ir, end.dest(ir)) == memref::root(ir, buffer)
            };
        }
        if let Some(store) = memref::Store::cast(ir, op) {
            return memref::root(ir, store.memref(ir)) == memref::root(ir, buffer);
        }
        // Of an op with regions, what they hold counts.
        !ir.has(op, Traits::RecursiveEffects) && !ir.effects(op).is_removable()
    })
}

/// May a result be written to a buffer while the computation goes on?
///
/// Start values are read at the place where the result goes, before it does; and so is what a point reads, where there are no
/// reductions, at the very place that it writes.
fn in_place(ir: &Ir, maker: Compute, result: Value, dest: Value) -> bool {
    let read = |value: Value| ir.defining_op(value).and_then(|op| ToTensor::cast(ir, op));
    let holds = |value: Value| read(value).is_some_and(|tensor| tensor.buffer(ir) == dest);
    // Another view of the same memory, unless it is said to be another part.
    let meets = |value: Value| {
        read(value).is_some_and(|tensor| {
            let from = tensor.buffer(ir);
            from != dest && tensor.restrict(ir).is_none() && memref::root(ir, from) == memref::root(ir, dest)
        })
    };
    if ir.operands(maker.id()).any(meets) {
        return false;
    }
    if !ir.operands(maker.id()).any(holds) {
        return true;
    }
    let Ok(view) = View::read(ir, maker) else { return false };
    let Some(own) = ir.results(maker.id()).position(|other| other == result) else { return false };
    let [place] = view.outputs[own].maps.as_slice() else { return false };
    let alone = view.dims.iter().all(|dim| dim.kind == CombineKind::Cc);
    let input = |input: &Input| !holds(input.value) || alone && input.map.as_ref() == Some(place);
    let start = |(n, out): (usize, &Output)| match &out.init {
        Some((value, map)) if holds(*value) => n == own && map.is_none(),
        _ => true,
    };
    view.inputs.iter().all(input) && view.outputs.iter().enumerate().all(start)
}

/// Why a schedule is not applied
enum Unfit {
    /// Its text is wrong
    Text(ScheduleError),
    /// It does not fit the computation
    Computation(Broken),
}

impl From<ScheduleError> for Unfit {
    fn from(error: ScheduleError) -> Unfit {
        Unfit::Text(error)
    }
}

impl From<Broken> for Unfit {
    fn from(broken: Broken) -> Unfit {
        Unfit::Computation(broken)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Text(error) => error.fmt(f),
            Unfit::Computation(broken) => broken.fmt(f),
        }
    }
}

/// Why a computation has no nest, as long as it is written so
fn without_nest(view: &View) -> Option<String> {
    if view.dims.iter().any(|dim| dim.size > MOST) {
        return Some(format!("an extent beyond {MOST} has no loop nest"));
    }
    view.has_accumulators().then(|| "accumulators are not written out; run `mdh-accumulators` first".into())
}

/// The schedule of a computation, where names of buffers are its own
fn given(ir: &Ir, op: Compute, view: &View, attr: Attr) -> Result<Schedule, ScheduleError> {
    let draft = schedule::open(ir.cx(), attr)?;
    let ins: Vec<Option<&str>> = view.buffers().into_iter().map(|value| ir.value_name(value)).collect();
    let outs: Vec<Option<&str>> = ir.results(op.id()).map(|value| ir.value_name(value)).collect();
    draft.names_fit(&ins, &view.groups_of_reads(), &outs)?;
    draft.decided()
}

/// A buffer of the function's block that is returned in the end is the destination itself
fn fill_at_once(ir: &mut Ir, entry: BlockId, value: Value, dest: Value) {
    let read = ir.defining_op(value).and_then(|op| ToTensor::cast(ir, op));
    let Some(buffer) = read.map(|read| read.buffer(ir)) else { return };
    let alloc = ir.defining_op(buffer).and_then(|op| sched::Alloc::cast(ir, op));
    if alloc.is_some_and(|alloc| ir.block(alloc.id()) == Some(entry)) && ir.ty(buffer) == ir.ty(dest) {
        ir.replace_all_uses(buffer, dest);
    }
}

struct Edge {
    /// What stands for a tensor
    buffer: HashMap<Value, Value>,
    /// Where a returned tensor is to be
    dest: HashMap<Value, Value>,
}

impl Edge {
    fn signature(&mut self, ir: &mut Ir, func: Func, inputs: &[Type], results: &[Type]) {
        let mut types: Vec<Type> = inputs.iter().map(|ty| memref_of(ir, *ty)).collect();
        types.extend(results.iter().filter(|ty| is_tensor(ir, **ty)).map(|ty| memref_of(ir, *ty)));
        let scalars: Vec<Type> = results.iter().filter(|ty| !is_tensor(ir, **ty)).copied().collect();
        let ty = ir.cx().function(&types, &scalars);
        let ty = ir.cx().type_attr(ty);
        self.attributes(ir, func, inputs, results);
        func.set_function_type(ir, ty);
        let Some(entry) = ir.entry(func.body(ir)) else { return };
        let end = ir.last_op(entry).filter(|op| Return::cast(ir, *op).is_some());
        let returned: Vec<Value> = end.map_or(Vec::new(), |end| ir.operands(end).collect());
        let args = ir.block_args(entry).to_vec();
        for (arg, ty) in args.iter().zip(&types) {
            if ir.ty(*arg) != *ty {
                // The tensor stays as a stand-in until nothing uses it.
                self.buffer.insert(*arg, *arg);
            }
        }
        let mut at = inputs.len();
        for (n, result) in results.iter().enumerate() {
            if !is_tensor(ir, *result) {
                continue;
            }
            let dest = ir.add_block_arg(entry, types[at]);
            at += 1;
            let name = returned.get(n).and_then(|value| ir.value_name(*value)).unwrap_or("out");
            let name = Name::Str(ir.cx().intern(name));
            ir.set_value_name(dest, name);
            if let Some(value) = returned.get(n) {
                fill_at_once(ir, entry, *value, dest);
            }
            if let Some(value) = returned.get(n) {
                self.dest.entry(*value).or_insert(dest);
            }
        }
        for (arg, ty) in args.iter().zip(&types) {
            ir.set_type(*arg, *ty);
        }
    }

    /// Results that are at once the content of a buffer live in it, unless the computation reads other elements of it
    fn destinations(&mut self, ir: &Ir, ops: &[OpId]) {
        for op in ops.iter().filter_map(|op| MaterializeInDestination::cast(ir, *op)) {
            let (value, dest) = (op.source(ir), op.dest(ir));
            let Some(maker) = ir.defining_op(value).and_then(|op| Compute::cast(ir, op)) else { continue };
            let mut between = Some(maker.id());
            while let Some(at) = between.and_then(|at| ir.next(at)) {
                between =
                    Some(at).filter(|at| MaterializeInDestination::cast(ir, *at).is_some() && *at != op.id());
                let alone = op.restrict(ir).is_some();
                let stays =
                    || before_last_use(ir, op.id(), value, |at| writes(ir, at, dest, alone)).is_none();
                if at == op.id() && in_place(ir, maker, value, dest) && stays() {
                    self.dest.entry(value).or_insert(dest);
                }
            }
        }
    }

    /// Attributes of results go with them; a destination is distinct from all other arguments
    fn attributes(&mut self, ir: &mut Ir, func: Func, inputs: &[Type], results: &[Type]) {
        let cx = ir.cx();
        let empty = cx.common().empty_dict;
        let list = |attr: Option<Attr>, len: usize| {
            let mut all = attr.and_then(|attr| attr.as_array(cx)).map_or(Vec::new(), <[Attr]>::to_vec);
            all.resize(len, empty);
            all
        };
        let mut args = list(func.arg_attrs(ir), inputs.len());
        let mut rest = Vec::new();
        for (attrs, ty) in list(func.res_attrs(ir), results.len()).into_iter().zip(results) {
            if is_tensor(ir, *ty) {
                args.push(terrace_dialect_builtin::marks::alone(cx, attrs))
            } else {
                rest.push(attrs)
            }
        }
        let array = |all: &[Attr]| all.iter().any(|one| *one != empty).then(|| cx.array_attr(all));
        let (args, rest) = (array(&args), array(&rest));
        func.set_arg_attrs(ir, args);
        func.set_res_attrs(ir, rest);
    }

    /// A constant tensor of one value: a buffer filled with it
    fn splat(&mut self, cx: &mut PassCx<'_>, ir: &mut Ir, op: arith::Constant) -> Result<(), Reported> {
        let value = op.result(ir);
        if !is_tensor(ir, ir.ty(value)) {
            return Ok(());
        }
        let Some(scalar) = splat_of(ir, op.value(ir)) else {
            let message = "a constant tensor of different elements has no form on buffers yet";
            return cx.fail(ir, op.id(), &codes::NO_BUFFER, message);
        };
        let ty = memref_of(ir, ir.ty(value));
        let dest = self.place(ir, op.id(), value, ty);
        let mut b = Builder::before(ir, op.id());
        let scalar = scalar::constant(&mut b, scalar);
        copy(&mut b, scalar, dest);
        Ok(())
    }

    /// The buffer of a result: where it is returned to, or one of its own; the same each time
    fn place(&mut self, ir: &mut Ir, op: OpId, value: Value, ty: Type) -> Value {
        if let Some(known) = self.buffer.get(&value) {
            return *known;
        }
        let dest = match self.dest.get(&value) {
            Some(dest) => *dest,
            None => {
                let mut b = Builder::before(ir, op);
                let alloc = sched::Alloc::build(&mut b, ty);
                let memref = alloc.memref(ir);
                if let Some(name) = ir.value_name(value) {
                    let name = Name::Str(ir.cx().intern(name));
                    ir.set_value_name(memref, name);
                }
                memref
            }
        };
        self.buffer.insert(value, dest);
        dest
    }

    /// The buffer of a computation's result, there before an op
    fn own(&mut self, ir: &mut Ir, before: OpId, value: Value) -> Value {
        let ty = memref_of(ir, ir.ty(value));
        self.place(ir, before, value, ty)
    }

    fn compute(&mut self, cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute) -> Result<(), Reported> {
        let view = match View::read(ir, op) {
            Ok(view) => view,
            Err(why) => return cx.fail(ir, op.id(), &codes::NO_NEST, why),
        };
        if let Some(message) = without_nest(&view) {
            return cx.fail(ir, op.id(), &codes::NO_NEST, message);
        }
        extents::checked(ir, op, &view);
        let computation = view.computation(ir, op);
        let schedule = match ir.discardable(op.id(), SCHEDULE) {
            Some(attr) => given(ir, op, &view, attr),
            None => Ok(apply::naive(&computation)),
        };
        let mut grid = ir.discardable(op.id(), GRID).is_some();
        // Where there are no points there is nothing to spread; what a kernel would fill, a kernel still fills.
        let empty = view.dims.iter().any(|dim| dim.size == 0);
        let schedule = match schedule {
            Ok(schedule) if empty => {
                let mut cores = schedule.steps.iter().flat_map(|step| step.cores.iter().flatten());
                grid |= cores.any(|core| matches!(core.layer, Layer::Blk | Layer::Wrp));
                Ok(apply::naive(&computation))
            }
            schedule => schedule,
        };
        let plan = schedule.map_err(Unfit::from).and_then(|schedule| {
            let plan = apply::plan(&computation, &schedule, grid)?;
            if computation.in_order {
                apply::check_order(&plan, &computation, &schedule)?;
            }
            Ok(plan)
        });
        let found = plan.and_then(|mut plan| {
            symmetric::stated(ir, op, &view).map_err(|why| Rule::Symmetric.broken(why.to_string()))?;
            let scatter = scatter(ir, op, &view).map(|found| found.filter(|_| !empty))?;
            if let Some(scatter) = &scatter {
                let picks: Vec<usize> = scatter.picks.iter().map(|pick| pick.dim).collect();
                plan.pick(&computation, &picks)?;
            }
            Ok((plan, scatter))
        });
        let (plan, scatter) = match found {
            Ok(found) => found,
            Err(why) => return cx.fail(ir, op.id(), &codes::SCHEDULE, why),
        };
        let results: Vec<Value> = ir.results(op.id()).collect();
        let elements: Vec<Type> = results.iter().map(|value| ir.ty(*value).scalar(ir.cx())).collect();
        let yields = Yields::of(ir.cx(), &view, &elements, cx.symbols, cx.scope);
        let Some(mut yields) = yields else {
            return cx.fail(ir, op.id(), &codes::NO_NEST, "operators do not fit the outputs");
        };
        if let Some(scatter) = &scatter {
            yields.identity = scatter.starts.iter().copied().map(Some).collect();
        }
        if ir.discardable(op.id(), EPILOGUE).is_some() && self.epilogue(ir, op, (&view, &plan.past)) {
            return Ok(());
        }
        let standing = |value: &Value| self.buffer.get(value).copied().unwrap_or(*value);
        let inputs: Vec<Value> = view.inputs.iter().map(|input| standing(&input.value)).collect();
        let starts: Vec<Option<Value>> =
            view.outputs.iter().map(|out| out.init.as_ref().map(|(value, _)| standing(value))).collect();
        let dests: Vec<Value> = results.iter().map(|value| self.own(ir, op.id(), *value)).collect();
        let done = Nest::new(ir, &view, &computation, &plan, &yields, op, inputs, dests, starts, scatter)
            .and_then(|mut nest| nest.generate(op.id()));
        match done {
            Ok(()) => Ok(()),
            // What a rule of schedules says is the author's to change.
            Err(why) if why.rule.is_some() => cx.fail(ir, op.id(), &codes::SCHEDULE, why.to_string()),
            Err(why) => cx.fail(ir, op.id(), &codes::NO_NEST, format!("no loop nest yet: {why}")),
        }
    }

    /// A computation, and before it the one behind if its nest may have places for this one; that one is given
    fn computes(&mut self, cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute) -> Result<Option<OpId>, Reported> {
        let marked = ir.discardable(op.id(), PROLOGUE).is_some();
        let view = View::read(ir, op).ok().filter(|_| marked);
        let found = view.and_then(|view| prologue::find(ir, op, &view).map(|found| (view, found.reader)));
        let Some((view, reader)) = found else {
            self.compute(cx, ir, op)?;
            return Ok(None);
        };
        let results: Vec<Value> = ir.results(op.id()).collect();
        let dests: Vec<Value> = results.iter().map(|value| self.own(ir, op.id(), *value)).collect();
        if !placed::follows(ir, op, reader, &self.buffer) {
            self.compute(cx, ir, op)?;
            return Ok(None);
        }
        self.compute(cx, ir, reader)?;
        match stored::places(ir, op, &view, &self.buffer, &dests) {
            Some(stored) => stored.build(ir, &dests),
            None => self.compute(cx, ir, op)?,
        }
        Ok(Some(reader.id()))
    }

    /// Do an element-wise computation where the nest in front has what it reads; false if there is no place for it
    fn epilogue(&mut self, ir: &mut Ir, op: Compute, of: (&View, &[i64])) -> bool {
        let results: Vec<Value> = ir.results(op.id()).collect();
        let known: Vec<Option<Value>> = results.iter().map(|value| self.dest.get(value).copied()).collect();
        let Some(joined) = epilogue::places(ir, op, of, &self.buffer, &known) else { return false };
        let dests: Vec<Value> = results.iter().map(|value| self.own(ir, joined.first, *value)).collect();
        joined.build(ir, &dests);
        true
    }

    /// What is returned is in its destination; scalars are still returned
    fn returns(&mut self, ir: &mut Ir, ops: &[OpId]) {
        let Some(end) = ops.iter().copied().find(|op| Return::cast(ir, *op).is_some()) else { return };
        let Some(entry) = ir.block(end) else { return };
        let values: Vec<Value> = ir.operands(end).collect();
        let tensor = |ir: &Ir, value: Value| self.buffer.contains_key(&value) || is_tensor(ir, ir.ty(value));
        let tensors: Vec<Value> = values.iter().copied().filter(|value| tensor(ir, *value)).collect();
        let scalars: Vec<Value> = values.iter().copied().filter(|value| !tensor(ir, *value)).collect();
        let args = ir.block_args(entry).to_vec();
        let dests = &args[args.len() - tensors.len()..];
        for (value, dest) in tensors.iter().zip(dests) {
            let source = self.buffer.get(value).copied().unwrap_or(*value);
            if source != *dest {
                copy(&mut Builder::before(ir, end), source, *dest);
            }
        }
        ir.set_operands(end, &scalars, &[]);
    }
}

/// The dimensions that a schedule visits only where points hit them: asked again here, whoever said so
fn scatter(ir: &Ir, op: Compute, view: &View) -> Result<Option<Scatter>, Broken> {
    let Some(attr) = ir.discardable(op.id(), SCATTER) else { return Ok(None) };
    let asked = attr.as_dense_array(ir.cx()).unwrap_or(&[]);
    let found = scatter::find(ir, op, view).map_err(|why| Rule::Scatter.broken(why.to_string()))?;
    let mut found = found.ok_or_else(|| {
        Rule::Scatter.broken("the body compares nothing with the index of a kept dimension")
    })?;
    found.picks.retain(|pick| asked.contains(&(pick.dim as i64)));
    if found.picks.len() != asked.len() {
        return Err(Rule::Scatter.broken("a dimension is named that no comparison picks"));
    }
    Ok((!asked.is_empty()).then_some(found))
}

/// All elements of a buffer, from a buffer or from a value
fn copy(b: &mut Builder<'_>, from: Value, to: Value) {
    sched::CopySpec::whole(b.read(), from, to).build(b);
}

/// The one element of a constant tensor
fn splat_of(ir: &Ir, attr: Attr) -> Option<Attr> {
    let cx = ir.cx();
    let AttrKind::Dense { ty, data: DenseData::Splat(bytes) } = attr.kind(cx) else { return None };
    let elem = ty.scalar(cx);
    let bits = bytes.iter().take(8).rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    if elem.is_float(cx) {
        return Some(cx.float_attr(bits, elem));
    }
    (bytes.len() <= 8).then(|| cx.int_attr(bits.into(), elem))
}
