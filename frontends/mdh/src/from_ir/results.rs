//! What a function is beside its computation: nothing but the way of results to where they go.

use super::buffers::argument;
use super::{Done, unsaid};
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_func as func;
use terrace_dialect_mdh::Compute;
use terrace_dialect_memref as memref;
use terrace_ir::attrs::dict_get;
use terrace_ir::{BlockId, Ir, OpId, Value, ValueDef};

/// Where a result goes
pub(super) enum Given {
    /// An argument, or a variable
    Memory(Value),
    /// The function's result, by its name
    Returned(String),
}

/// The only computation of a function, and where its results go; what else the function does is refused
pub(super) fn walk(unit: &Ir, entry: BlockId) -> Done<Option<(Compute, Vec<Given>)>> {
    let (cx, root) = (unit.cx(), unit.root());
    let mut found: Option<(Compute, Vec<Option<Given>>)> = None;
    let mut last = 0;
    let variable = |value: Value| {
        let op = unit.defining_op(value)?;
        memref::Alloca::cast(unit, op).filter(|_| unit.num_operands(op) == 0).map(|_| op)
    };
    for op in unit.block_ops(entry) {
        let other = |what: String| {
            let accepted = "one computation of arrays that the function takes, and nothing beside it";
            unsaid(unit.span(op), what, accepted)
        };
        let mut fits = if let Some(compute) = Compute::cast(unit, op) {
            if found.is_some() {
                return Err(other("a function is one definition, and this is its second computation".into()));
            }
            found = Some((compute, (0..unit.num_results(op)).map(|_| None).collect()));
            true
        } else if let Some(tensor) = ToTensor::cast(unit, op) {
            argument(unit, tensor.result(unit)).is_some()
        } else if let Some(store) = memref::Store::cast(unit, op) {
            // A variable before it is overwritten
            found.is_none() && variable(store.memref(unit)).is_some()
        } else if let Some(load) = memref::Load::cast(unit, op) {
            written(unit, &found, load.memref(unit)).is_some()
        } else {
            unit.is(op, arith::Constant::DEF) || unit.is(op, memref::Alloca::DEF)
        };
        let moved = MaterializeInDestination::cast(unit, op);
        match (moved, &mut found) {
            (Some(moved), Some((one, given))) => {
                let (value, target) = (moved.source(unit), moved.dest(unit));
                let memory = variable(target).is_some()
                    || matches!(unit.value_def(target), Some(ValueDef::Arg(block, _)) if block == entry);
                let twice =
                    given.iter().flatten().any(|one| matches!(one, Given::Memory(known) if *known == target));
                if let Some(n) = result(unit, one.id(), value)
                    && memory
                    && !twice
                    && given[n].is_none()
                {
                    given[n] = Some(Given::Memory(target));
                    fits = true;
                }
            }
            (_, Some(_)) if unit.is(op, func::Return::DEF) => {
                for (k, value) in unit.operands(op).enumerate() {
                    let loaded = unit.defining_op(value).and_then(|op| memref::Load::cast(unit, op));
                    let n = match loaded {
                        Some(load) => written(unit, &found, load.memref(unit)),
                        None => found.as_ref().and_then(|(one, _)| result(unit, one.id(), value)),
                    };
                    let Some((_, given)) = &mut found else { break };
                    let Some(n) = n.filter(|n| *n >= last && (loaded.is_some() || given[*n].is_none()))
                    else {
                        return Err(other(
                            "what is returned is not the computation's results in their order".into(),
                        ));
                    };
                    last = n + 1;
                    if loaded.is_none() {
                        let name = unit
                            .attr(root, "res_attrs")
                            .and_then(|all| all.as_array(cx)?.get(k)?.as_dict(cx));
                        let name = name.and_then(|dict| dict_get(cx, dict, "terrace.name")?.as_str(cx));
                        let name = name.or_else(|| unit.value_name(value)).unwrap_or("y");
                        given[n] = Some(Given::Returned(name.to_string()));
                    }
                }
                fits = true;
            }
            (_, None) if unit.is(op, func::Return::DEF) => fits = true,
            _ => {}
        }
        if !fits {
            return Err(other(format!("`{}` stands beside the computation", unit.op_name(op))));
        }
    }
    let Some((one, given)) = found else { return Ok(None) };
    let given: Option<Vec<Given>> = given.into_iter().collect();
    match given {
        Some(given) => Ok(Some((one, given))),
        None => Err(unsaid(
            unit.span(one.id()),
            "a result goes nowhere",
            "results that are returned or written to arguments",
        )),
    }
}

/// The number of the result that a variable holds
fn written(unit: &Ir, found: &Option<(Compute, Vec<Option<Given>>)>, memory: Value) -> Option<usize> {
    let op = unit.defining_op(memory)?;
    let holds = |one: &Option<Given>| matches!(one, Some(Given::Memory(known)) if *known == memory);
    found.as_ref().filter(|_| unit.is(op, memref::Alloca::DEF))?.1.iter().position(holds)
}

fn result(unit: &Ir, op: OpId, value: Value) -> Option<usize> {
    unit.results(op).position(|known| known == value)
}
