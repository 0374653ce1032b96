//! Which results may be computed where they are read, and whether that saves operations.
//!
//! Costs are counts of operations, as in [`crate::hoist`]: points times operations of a body. Nothing here knows a device.

use crate::access::strides;
use crate::hoist::BETWEEN;
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_dialect_memref as memref;
use terrace_ir::{Ir, OpId, Traits, Value};
use terrace_support::affine::AffineExpr;

/// Operations that a division or a root counts as
const DIVISION: u128 = 8;

/// Operations that a function of a library counts as
const CALL: u128 = 20;

/// Most operations of a body into which others are inlined
const LONGEST: u128 = 400;

/// A computation without reductions
pub struct Producer {
    /// The op
    pub op: Compute,
    /// Its dimensions and inputs
    pub view: View,
    /// Where each dimension is in the shape of the result
    pub place: Vec<usize>,
    /// Computations that read the result, in order
    pub readers: Vec<Reader>,
}

/// A computation that reads the result
pub struct Reader {
    /// The op
    pub op: Compute,
    /// Its dimensions and inputs
    pub view: View,
    /// Inputs that are the result
    pub inputs: Vec<usize>,
}

impl Producer {
    /// The computation as one whose readers may compute its result; `None` for other forms
    pub fn read(ir: &Ir, op: Compute) -> Option<Producer> {
        let view = plain(ir, op)?;
        let [out] = view.outputs.as_slice() else { return None };
        let ([map], None) = (out.maps.as_slice(), &out.init) else { return None };
        let keeps = |dim: &terrace_dialect_mdh::view::Dim| dim.kind == CombineKind::Cc && dim.size > 0;
        if !view.conditions.is_empty() || !view.dims.iter().all(keeps) || !map.is_permutation() {
            return None;
        }
        let place = map.results.iter().map(dim_of).collect::<Option<Vec<usize>>>()?;
        let place =
            (0..place.len()).map(|dim| place.iter().position(|at| *at == dim)).collect::<Option<_>>()?;
        let mut producer = Producer { op, view, place, readers: Vec::new() };
        producer.readers = producer.find_readers(ir)?;
        (producer.keeps_rows(ir) && !producer.view.inputs.iter().any(|input| may_change(ir, input.value)))
            .then_some(producer)
    }

    /// All that use the result, if these are computations that can take it in
    fn find_readers(&self, ir: &Ir) -> Option<Vec<Reader>> {
        let result = ir.result(self.op.id(), 0);
        let mut users: Vec<OpId> = ir.uses(result).map(|(user, _)| user).collect();
        if users.is_empty() || users.iter().any(|user| ir.block(*user) != ir.block(self.op.id())) {
            return None;
        }
        users.sort_by(|a, b| {
            if ir.is_before(*a, *b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
        });
        users.dedup();
        let indices: Vec<usize> = indices(ir, self.op);
        users
            .into_iter()
            .map(|user| {
                let op = Compute::cast(ir, user)?;
                let view = plain(ir, op)?;
                let builtin = |dim: &terrace_dialect_mdh::view::Dim| match &dim.kind {
                    CombineKind::Cc => true,
                    CombineKind::Pw(operators, _) => {
                        operators.iter().all(|op| matches!(op, Operator::Builtin(_)))
                    }
                    CombineKind::Ps(_) => false,
                };
                let starts = view
                    .outputs
                    .iter()
                    .any(|out| out.init.as_ref().is_some_and(|(value, _)| *value == result));
                if starts || view.outputs.len() != 1 || !view.dims.iter().all(builtin) {
                    return None;
                }
                let inputs: Vec<usize> =
                    (0..view.inputs.len()).filter(|n| view.inputs[*n].value == result).collect();
                for input in inputs.iter().map(|n| &view.inputs[*n]) {
                    let map =
                        input.map.as_ref().filter(|_| input.other.is_none() && input.guard.is_none())?;
                    // A coordinate as a value needs a dimension of the reader that it is.
                    if indices.iter().any(|dim| dim_of(&map.results[self.place[*dim]]).is_none()) {
                        return None;
                    }
                }
                (ir.uses(result).filter(|(other, _)| *other == user).count() == inputs.len())
                    .then_some(Reader { op, view, inputs })
            })
            .collect()
    }

    /// Does each input move by whole rows: is what is contiguous in the result contiguous or constant in it?
    ///
    /// Transpositions have schedules of their own, which a reduction that reads across rows would lose.
    fn keeps_rows(&self, ir: &Ir) -> bool {
        let Some(last) = self.place.iter().position(|at| at + 1 == self.place.len()) else { return true };
        self.view.inputs.iter().all(|input| match &input.map {
            Some(map) => {
                let (strides, _) = strides(ir, ir.ty(input.value), map, self.view.dims.len());
                matches!(strides[last], Some(0 | 1))
            }
            None => true,
        })
    }

    /// Are there fewer operations where the readers compute the result?
    pub fn pays(&self, ir: &Ir) -> bool {
        let elements = points(&self.view);
        let own = operations(ir, self.op);
        // Loads in place of the one of the result: inputs that are constant along rows are loaded once for a row.
        let loads = self.view.inputs.iter().filter(|input| {
            let moves = |dim: usize| {
                input.map.as_ref().is_some_and(|map| map.results.iter().any(|expr| expr.uses_dim(dim as u32)))
            };
            (0..self.view.dims.len()).all(moves)
        });
        let loads = (loads.count() as u128).saturating_sub(1);
        let before = elements.saturating_mul(own + BETWEEN);
        let mut after = 0u128;
        for reader in &self.readers {
            let read = reader.inputs.len() as u128;
            after = after.saturating_add(points(&reader.view).saturating_mul((own + loads) * read));
            if operations(ir, reader.op) + own * read > LONGEST {
                return false;
            }
        }
        after < before
    }

    /// For a remark
    pub fn said(&self, ir: &Ir) -> String {
        let name = |op: Compute, view: &View| match (&view.name, ir.value_name(ir.result(op.id(), 0))) {
            (Some(name), _) => format!("'{name}'"),
            (None, Some(name)) => format!("%{name}"),
            (None, None) => "a computation".to_string(),
        };
        let readers: Vec<String> = self.readers.iter().map(|reader| name(reader.op, &reader.view)).collect();
        let reads = if readers.len() == 1 { "reads" } else { "read" };
        format!("{} is computed where {} {reads} it", name(self.op, &self.view), readers.join(" and "))
    }
}

/// A computation without a schedule or other attributes
fn plain(ir: &Ir, op: Compute) -> Option<View> {
    let attributes = ir.dict(op.id()).and_then(|dict| dict.as_dict(ir.cx())).unwrap_or(&[]);
    attributes.is_empty().then(|| View::read(ir, op).ok()).flatten()
}

/// The dimension that an expression is
pub fn dim_of(expr: &AffineExpr) -> Option<usize> {
    match expr {
        AffineExpr::Dim(dim) => Some(*dim as usize),
        _ => None,
    }
}

/// Dimensions whose coordinates a body takes as values
fn indices(ir: &Ir, op: Compute) -> Vec<usize> {
    ir.walk_below(op.id())
        .filter_map(|op| Index::cast(ir, op)?.dim(ir).as_int(ir.cx()))
        .filter_map(|(dim, _)| usize::try_from(dim).ok())
        .collect()
}

/// Is it the content of a buffer that the function also writes?
fn may_change(ir: &Ir, value: Value) -> bool {
    let Some(read) = ir.defining_op(value).and_then(|op| ToTensor::cast(ir, op)) else { return false };
    let root = memref::root(ir, read.buffer(ir));
    ir.walk().any(|op| match MaterializeInDestination::cast(ir, op) {
        Some(end) => memref::root(ir, end.dest(ir)) == root,
        None => {
            let reads = ToTensor::cast(ir, op).is_some() || ir.has(op, Traits::ViewLike);
            !reads && ir.operands(op).any(|operand| memref::root(ir, operand) == root)
        }
    })
}

fn points(view: &View) -> u128 {
    view.dims.iter().fold(1, |all: u128, dim| all.saturating_mul(dim.size.max(0) as u128))
}

/// Operations of a body
fn operations(ir: &Ir, op: Compute) -> u128 {
    let each = |op: OpId| {
        let traits = ir.def(op).traits;
        match () {
            () if ir.is_any(op, &[arith::Constant::DEF, Index::DEF, Yield::DEF]) => 0,
            () if traits.has(Traits::Divides) => DIVISION,
            () if traits.has(Traits::LibraryCall) => CALL,
            () => 1,
        }
    };
    ir.walk_below(op.id()).map(each).sum()
}
