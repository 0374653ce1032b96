//! The pass: arrays become buffers, patterns become loop nests.
//!
//! An array argument becomes a memref argument, one for each number of its elements where these are tuples; array results
//! become memref arguments behind all others, the destinations, distinct from each other; attributes of a result go with it.
//! Numbers stay arguments and results. What is returned is computed in its destination. Functions on arrays must not be
//! called any more.

use crate::codes;
use crate::destination::Dst;
use crate::kernels;
use crate::layout::{Memory, Path};
use crate::lower::{Binding, Done, Lower, Stop};
use crate::offsets;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_array::size::{BIND, bound};
use terrace_dialect_array::threads::{BLOCK, GRID};
use terrace_dialect_array::types::split_type;
use terrace_dialect_array::{ARRAY, Map, layout};
use terrace_dialect_func::{Call, Func, Return};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, BlockId, InsertPoint, Ir, Name, OpId, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Functional patterns become scheduled loops on buffers
///
/// Layout ops become index expressions, maps and reductions loops at their levels, places buffers. Array arguments become
/// memrefs, array results destination arguments behind them. Sizes must be numbers (`array-bind`), and each computed value
/// placed, returned, or read once. Loops at levels of a grid are put into kernels.
#[pass("array-to-sched", anchor = "func.func", stats("functions lowered", "kernels"))]
pub struct ArrayToSched;

impl Pass for ArrayToSched {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        match lower(unit, cx.symbols, cx.scope) {
            Ok(None) => cx.set_changed(false),
            Ok(Some(lowered)) => {
                for warning in lowered.warnings {
                    let _ = cx.emit(warning);
                }
                cx.count("functions lowered", 1);
                cx.count("kernels", lowered.kernels);
            }
            Err(error) => return Err(cx.emit(error)),
        }
        Ok(())
    }
}

/// What a lowering did
pub struct Lowered {
    /// Launches that were made
    pub kernels: u64,
    /// What was dropped
    pub warnings: Vec<Diagnostic>,
}

/// Lower a function in place; `None` if it has nothing to do with arrays
///
/// The unit is that of the function. Levels that are not decided yet (`level @m`) are kept on the loops. On an error the
/// function is left half lowered: lower a copy to go on with the original.
pub fn lower(unit: &mut Ir, symbols: &Symbols, scope: ScopeId) -> Result<Option<Lowered>, Diagnostic> {
    attempt(unit, symbols, scope).map_err(|stop| report(unit, stop))
}

/// The same, with the op that it stops at
pub(crate) fn attempt(unit: &mut Ir, symbols: &Symbols, scope: ScopeId) -> Done<Option<Lowered>> {
    let Some(func) = Func::cast(unit, unit.root()) else { return Ok(None) };
    let (inputs, results) = func.types(unit);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    let any = unit.walk_below(unit.root()).any(|op| is_ours(unit, op));
    if !any && !inputs.iter().chain(&results).any(|ty| holds_array(unit, *ty)) {
        return Ok(None);
    }
    let Some(entry) = unit.entry(func.body(unit)) else {
        return Ok(None);
    };
    run(unit, symbols, scope, func, entry, (&inputs, &results)).map(Some)
}

/// An op of the dialect, or a layout op of another one
fn is_ours(ir: &Ir, op: OpId) -> bool {
    ir.def(op).dialect() == ARRAY.name || layout::is_layout(ir, op)
}

fn report(unit: &Ir, stop: Stop) -> Diagnostic {
    let mut error = terrace_ir::verify::op_error(unit, stop.op, stop.code, stop.message);
    if let Some((op, text)) = stop.also {
        error = error.note_at(unit.span(op), text);
    }
    if stop.help.is_empty() { error } else { error.help(stop.help) }
}

fn holds_array(ir: &Ir, ty: Type) -> bool {
    match ty.kind(ir.cx()) {
        TypeKind::Tuple(types) => types.iter().any(|ty| holds_array(ir, *ty)),
        _ => split_type(ir.cx(), ty).is_some(),
    }
}

fn run(
    unit: &mut Ir,
    symbols: &Symbols,
    scope: ScopeId,
    func: Func,
    entry: BlockId,
    (inputs, results): (&[Type], &[Type]),
) -> Done<Lowered> {
    let end = only_end(unit, func, entry)?;
    let olds: Vec<OpId> = unit.block_ops(entry).filter(|op| *op != end).collect();
    let known = bound(unit);
    let mut lower = Lower::new(unit, symbols, scope, InsertPoint::Before(end), entry, known);
    let returned: Vec<Value> = lower.ir.operands(end).collect();
    drop_levels(&mut lower);
    let params = Params::of(&mut lower, entry, inputs, &returned, results)?;
    lower.block(entry, &returned)?;
    let numbers = deliver(&mut lower, end, &returned, &params.dests)?;
    let warnings = std::mem::take(&mut lower.warnings);
    let sums = std::mem::take(&mut lower.sums);
    let blocks = std::mem::take(&mut lower.blocks);
    unit.set_operands(end, &numbers, &[]);
    erase_lowered(unit, &olds);
    signature(unit, func, entry, &params);
    for name in [BIND, BLOCK, GRID] {
        unit.set_discardable(unit.root(), name, None);
    }
    offsets::rewrite(unit, entry, &sums);
    let kernels = kernels::wrap(unit, entry, &blocks)?;
    Ok(Lowered { kernels, warnings })
}

/// What to do about an op of another dialect
const OURS: &str = "only ops of `array`, and layout ops of other dialects, have loops";

/// The return of a function of one block, where nothing but ops on arrays takes arrays
fn only_end(unit: &Ir, func: Func, entry: BlockId) -> Done<OpId> {
    let stop = |op: OpId, message: &str, help: &str| {
        Err(Stop { op, code: &codes::NO_LOOP, message: message.into(), help: help.into(), also: None })
    };
    let end = unit.last_op(entry).filter(|op| Return::cast(unit, *op).is_some());
    let Some(end) = end.filter(|_| unit.single_block(func.body(unit)).is_some()) else {
        return stop(
            unit.root(),
            "works on arrays in several blocks",
            "branches between arrays have no form as loops",
        );
    };
    for op in unit.walk_below(unit.root()).filter(|op| *op != end) {
        if is_ours(unit, op) {
            match unit.parent(op).filter(|parent| *parent != unit.root() && !is_ours(unit, *parent)) {
                Some(parent) => return stop(parent, "has ops on arrays inside and is no op of them", OURS),
                None => continue,
            }
        }
        let called = Call::cast(unit, op).is_some();
        let results = unit.results(op).filter(|_| called);
        if !unit.operands(op).chain(results).any(|value| holds_array(unit, unit.ty(value))) {
            continue;
        }
        if called {
            return stop(op, "gives arrays to a function", "put the function's body here: `array-inline`");
        }
        return stop(op, "takes arrays and is no op of them", OURS);
    }
    Ok(end)
}

/// Copy to its destination each result that was not computed there; the results that are numbers
fn deliver(
    lower: &mut Lower<'_>,
    end: OpId,
    returned: &[Value],
    dests: &[Option<Arc<Memory>>],
) -> Done<Vec<Value>> {
    let mut numbers = Vec::new();
    lower.enter(end);
    for (value, dest) in returned.iter().zip(dests) {
        let Some(memory) = dest else {
            numbers.push(lower.read(*value, Path::default())?);
            continue;
        };
        let there = matches!(lower.binding(*value), Some(Binding::Memory(own)) if Arc::ptr_eq(own, memory));
        if !there {
            lower.write(*value, Path::default(), &Dst::new(memory.clone()))?;
        }
    }
    Ok(numbers)
}

/// Erase the patterns, and what only they used
fn erase_lowered(unit: &mut Ir, olds: &[OpId]) {
    let cx = unit.cx_arc().clone();
    for op in olds.iter().rev() {
        let is_vector = |value| matches!(unit.ty(value).kind(&cx), TypeKind::Vector { .. });
        let vector = unit.results(*op).any(is_vector);
        let dead = unit.results(*op).all(|value| !unit.is_used(value)) && unit.num_results(*op) > 0;
        if is_ours(unit, *op) || dead && (vector || unit.has(*op, terrace_ir::Traits::Pure)) {
            unit.erase(*op);
        }
    }
}

/// Maps that only change the layout are views: they have no iterations
fn drop_levels(lower: &mut Lower<'_>) {
    let maps: Vec<OpId> = lower.ir.walk_below(lower.ir.root()).collect();
    for op in maps {
        let Some(level) =
            lower.level(op).filter(|_| Map::cast(lower.ir, op).is_some() && lower.is_layout(op))
        else {
            continue;
        };
        if let Some(word) = level.as_str(&lower.cx) {
            let message =
                format!("level '{word}' is dropped: this map only changes the layout and has no iterations");
            let warning = Diagnostic::warning(&codes::LEVEL, message);
            lower.warnings.push(warning.at(lower.ir.span(op)).help("leave the level out"));
        }
        lower.ir.set_attr(op, "level", None);
    }
}

/// Parameters of the function on buffers
#[derive(Default)]
struct Params {
    /// Type, old argument it stands for, its new value if it has one
    args: Vec<(Type, Option<usize>, Option<Value>)>,
    /// Old result and destination
    results: Vec<(usize, Value)>,
    /// Old results that are numbers
    numbers: Vec<(usize, Type)>,
    /// Per old result: where it goes, if it is no number
    dests: Vec<Option<Arc<Memory>>>,
}

impl Params {
    /// Buffers for arguments and results, and the bindings of arguments
    ///
    /// Buffers come after the old arguments until nothing uses these.
    fn of(
        lower: &mut Lower<'_>,
        entry: BlockId,
        inputs: &[Type],
        returned: &[Value],
        results: &[Type],
    ) -> Done<Params> {
        let mut params = Params::default();
        let args = lower.ir.block_args(entry).to_vec();
        for (n, (arg, ty)) in args.iter().zip(inputs).enumerate() {
            if is_number(lower, *ty) {
                params.args.push((*ty, Some(n), None));
                continue;
            }
            let name = lower.ir.value_name(*arg).unwrap_or("arg").to_string();
            let memory = arguments(lower, entry, *ty, &name)?;
            let buffers = memory.buffers.iter().map(|buffer| (lower.ir.ty(*buffer), Some(n), Some(*buffer)));
            params.args.extend(buffers);
            lower.bind(*arg, Binding::Memory(Arc::new(memory)));
        }
        for (n, (value, ty)) in returned.iter().zip(results).enumerate() {
            if is_number(lower, *ty) {
                params.numbers.push((n, *ty));
                params.dests.push(None);
                continue;
            }
            let name = lower.ir.value_name(*value).unwrap_or("out").to_string();
            let memory = Arc::new(arguments(lower, entry, *ty, &name)?);
            params.results.extend(memory.buffers.iter().map(|buffer| (n, *buffer)));
            lower.dests.entry(*value).or_default().push(memory.clone());
            params.dests.push(Some(memory));
        }
        Ok(params)
    }
}

/// One number: it stays an argument or a result
fn is_number(lower: &Lower<'_>, ty: Type) -> bool {
    lower.is_numbers(ty) && !matches!(ty.kind(&lower.cx), TypeKind::Tuple(_))
}

/// Buffers for a type as new arguments
fn arguments(lower: &mut Lower<'_>, entry: BlockId, ty: Type, name: &str) -> Done<Memory> {
    let leaves = lower.leaves(ty)?;
    let mut buffers = Vec::new();
    for leaf in &leaves {
        let ty = lower.cx.memref(&leaf.shape, leaf.elem);
        let buffer = lower.ir.add_block_arg(entry, ty);
        let name = Name::Str(lower.cx.intern(name));
        lower.ir.set_value_name(buffer, name);
        buffers.push(buffer);
    }
    Ok(Memory { leaves, buffers, device: true, own: Vec::new() })
}

/// The function's new type, arguments and their attributes
fn signature(ir: &mut Ir, func: Func, entry: BlockId, params: &Params) {
    let cx = ir.cx_arc().clone();
    let empty = cx.common().empty_dict;
    let list = |attr: Option<Attr>, n: usize| {
        let all = attr.and_then(|attr| attr.as_array(&cx)).unwrap_or(&[]);
        all.get(n).copied().unwrap_or(empty)
    };
    let (arg_attrs, res_attrs) = (func.arg_attrs(ir), func.res_attrs(ir));
    // All arguments anew, in order: old numbers move behind the buffers too.
    let args = ir.block_args(entry).to_vec();
    let mut attrs = Vec::new();
    let mut types = Vec::new();
    let mut order: Vec<(Value, Type)> = Vec::new();
    for (ty, old, new) in &params.args {
        let old = old.unwrap_or(0);
        attrs.push(list(arg_attrs, old));
        order.push((new.unwrap_or(args[old]), *ty));
    }
    for (old, buffer) in &params.results {
        attrs.push(terrace_dialect_builtin::marks::alone(&cx, list(res_attrs, *old)));
        order.push((*buffer, ir.ty(*buffer)));
    }
    for (value, ty) in order {
        types.push(ty);
        let name = ir.value_name(value).map(String::from);
        let fresh = ir.add_block_arg(entry, ty);
        if let Some(name) = name {
            let name = Name::Str(cx.intern(&name));
            ir.set_value_name(fresh, name);
        }
        ir.set_arg_loc(fresh, ir.arg_loc(value));
        ir.replace_all_uses(value, fresh);
    }
    for _ in 0..args.len() {
        ir.remove_block_arg(entry, 0);
    }
    let kept: Vec<Attr> = params.numbers.iter().map(|(n, _)| list(res_attrs, *n)).collect();
    let array = |all: &[Attr]| all.iter().any(|one| *one != empty).then(|| cx.array_attr(all));
    let (new_args, new_results) = (array(&attrs), array(&kept));
    func.set_arg_attrs(ir, new_args);
    func.set_res_attrs(ir, new_results);
    let outs: Vec<Type> = params.numbers.iter().map(|(_, ty)| *ty).collect();
    let ty = cx.function(&types, &outs);
    let ty = cx.type_attr(ty);
    func.set_function_type(ir, ty);
}
