//! What a function does apart from its computation: nothing but moving results to where they go.

use super::{Done, unsaid};
use terrace_diag::Diagnostic;
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

/// The only computation of a function, and where its results go; anything else in the function is refused
pub(super) fn walk(unit: &Ir, entry: BlockId) -> Done<Option<(Compute, Vec<Given>)>> {
    let mut walk = Walk { unit, entry, found: None, returned: 0 };
    for op in unit.block_ops(entry) {
        if !walk.step(op)? {
            return Err(walk.other(op, format!("`{}` stands next to the computation", unit.op_name(op))));
        }
    }
    let Some((one, given)) = walk.found else { return Ok(None) };
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

/// A function up to an op
struct Walk<'a> {
    unit: &'a Ir,
    entry: BlockId,
    /// The computation, and where each result goes as far as known
    found: Option<(Compute, Vec<Option<Given>>)>,
    /// The first result that may be returned next
    returned: usize,
}

impl Walk<'_> {
    /// Take in one more op; false if a definition has no place for it
    fn step(&mut self, op: OpId) -> Done<bool> {
        let unit = self.unit;
        if let Some(compute) = Compute::cast(unit, op) {
            if self.found.is_some() {
                let what = "a function is one definition, and this is its second computation";
                return Err(self.other(op, what.into()));
            }
            self.found = Some((compute, (0..unit.num_results(op)).map(|_| None).collect()));
            return Ok(true);
        }
        if let Some(moved) = MaterializeInDestination::cast(unit, op) {
            return Ok(self.moved(moved));
        }
        if unit.is(op, func::Return::DEF) {
            self.returns(op)?;
            return Ok(true);
        }
        Ok(if let Some(tensor) = ToTensor::cast(unit, op) {
            argument(unit, tensor.result(unit)).is_some()
        } else if let Some(store) = memref::Store::cast(unit, op) {
            // A variable before it is overwritten
            self.found.is_none() && self.is_variable(store.memref(unit))
        } else if let Some(load) = memref::Load::cast(unit, op) {
            self.written(load.memref(unit)).is_some()
        } else {
            unit.is(op, arith::Constant::DEF) || unit.is(op, memref::Alloca::DEF)
        })
    }

    /// A result that goes to memory; false if it is none, or its memory has one already
    fn moved(&mut self, moved: MaterializeInDestination) -> bool {
        let (unit, entry) = (self.unit, self.entry);
        let (value, target) = (moved.source(unit), moved.dest(unit));
        let argument = matches!(unit.value_def(target), Some(ValueDef::Arg(block, _)) if block == entry);
        let memory = argument || self.is_variable(target);
        let Some((one, given)) = &mut self.found else { return false };
        let holds = |one: &Given| matches!(one, Given::Memory(known) if *known == target);
        let twice = given.iter().flatten().any(holds);
        match result(unit, one.id(), value) {
            Some(n) if memory && !twice && given[n].is_none() => {
                given[n] = Some(Given::Memory(target));
                true
            }
            _ => false,
        }
    }

    /// Results that are returned, in their order, as values or out of variables
    fn returns(&mut self, op: OpId) -> Done<()> {
        let unit = self.unit;
        for (k, value) in unit.operands(op).enumerate() {
            let loaded = unit.defining_op(value).and_then(|op| memref::Load::cast(unit, op));
            let n = match loaded {
                Some(load) => self.written(load.memref(unit)),
                None => self.found.as_ref().and_then(|(one, _)| result(unit, one.id(), value)),
            };
            let Some((_, given)) = &mut self.found else { break };
            let next = self.returned;
            let Some(n) = n.filter(|n| *n >= next && (loaded.is_some() || given[*n].is_none())) else {
                let what = "what is returned is not the computation's results in their order";
                return Err(self.other(op, what.into()));
            };
            self.returned = n + 1;
            if loaded.is_none() {
                given[n] = Some(Given::Returned(returned_name(unit, k, value)));
            }
        }
        Ok(())
    }

    /// Memory of one number that the function has for itself
    fn is_variable(&self, value: Value) -> bool {
        let op = self.unit.defining_op(value).filter(|op| self.unit.is(*op, memref::Alloca::DEF));
        op.is_some_and(|op| self.unit.num_operands(op) == 0)
    }

    /// The number of the result that a variable holds
    fn written(&self, memory: Value) -> Option<usize> {
        let op = self.unit.defining_op(memory)?;
        let holds = |one: &Option<Given>| matches!(one, Some(Given::Memory(known)) if *known == memory);
        let (_, given) = self.found.as_ref().filter(|_| self.unit.is(op, memref::Alloca::DEF))?;
        given.iter().position(holds)
    }

    fn other(&self, op: OpId, what: String) -> Box<Diagnostic> {
        let accepted = "one computation of arrays that the function takes, and nothing else";
        unsaid(self.unit.span(op), what, accepted)
    }
}

/// What the function calls its k-th result
fn returned_name(unit: &Ir, k: usize, value: Value) -> String {
    let cx = unit.cx();
    let dict = unit.attr(unit.root(), "res_attrs").and_then(|all| all.as_array(cx)?.get(k)?.as_dict(cx));
    let name = dict.and_then(|dict| dict_get(cx, dict, "terrace.name")?.as_str(cx));
    name.or_else(|| unit.value_name(value)).unwrap_or("y").to_string()
}

fn result(unit: &Ir, op: OpId, value: Value) -> Option<usize> {
    unit.results(op).position(|known| known == value)
}

/// The argument that a tensor is, or is the contents of
pub(super) fn argument(unit: &Ir, value: Value) -> Option<Value> {
    let entry = unit.entry(unit.region(unit.root(), 0));
    let value = match unit.defining_op(value) {
        Some(op) => ToTensor::cast(unit, op).map_or(value, |tensor| tensor.buffer(unit)),
        None => value,
    };
    matches!(unit.value_def(value), Some(ValueDef::Arg(block, _)) if Some(block) == entry).then_some(value)
}
