//! What a function is beside its computation: nothing but the way of results to where they go.

use super::buffers::argument;
use super::{Done, unsaid};
use terrace_dialect_mdh::Compute;
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
        (unit.op_name(op) == "memref.alloca" && unit.num_operands(op) == 0).then_some(op)
    };
    for op in unit.block_ops(entry) {
        let other = |what: String| {
            let accepted = "one computation of arrays that the function takes, and nothing beside it";
            unsaid(unit.span(op), what, accepted)
        };
        let mut fits = match unit.op_name(op) {
            "mdh.compute" if found.is_some() => {
                return Err(other("a function is one definition, and this is its second computation".into()));
            }
            "mdh.compute" => {
                let given = (0..unit.num_results(op)).map(|_| None).collect();
                found = Compute::cast(unit, op).map(|op| (op, given));
                true
            }
            "arith.constant" | "memref.alloca" => true,
            "bufferization.to_tensor" => argument(unit, unit.result(op, 0)).is_some(),
            // A variable before it is overwritten
            "memref.store" => found.is_none() && variable(unit.operand(op, 1)).is_some(),
            "memref.load" => written(unit, &found, unit.operand(op, 0)).is_some(),
            _ => false,
        };
        match (unit.op_name(op), &mut found) {
            ("bufferization.materialize_in_destination", Some((one, given)))
                if unit.num_operands(op) == 2 =>
            {
                let (value, target) = (unit.operand(op, 0), unit.operand(op, 1));
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
            ("func.return", Some(_)) => {
                for (k, value) in unit.operands(op).enumerate() {
                    let loaded = unit.defining_op(value).filter(|op| unit.op_name(*op) == "memref.load");
                    let n = match loaded {
                        Some(load) => written(unit, &found, unit.operand(load, 0)),
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
            ("func.return", None) => fits = true,
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
    found.as_ref().filter(|_| unit.op_name(op) == "memref.alloca")?.1.iter().position(holds)
}

fn result(unit: &Ir, op: OpId, value: Value) -> Option<usize> {
    unit.results(op).position(|known| known == value)
}
