//! What structured ops mean: the points in row order, each reading the outputs as the points before left them.
//!
//! State: the number of the point, then the elements of all outputs that are tensors; memory is read and written as it is.
//! Sizes must be in the types.

use super::no_form::NoForm;
use super::{Form, Index, Yield};
use std::fmt;
use std::rc::Rc;
use terrace_dialect_shapes::elements;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes, room};
use terrace_ir::{DYNAMIC, Ir, OpId, TypeKind, Value};
use terrace_support::affine::AffineMap;

/// Most elements of all outputs together
const ELEMENTS: i64 = 1 << 24;

struct Operand {
    value: Value,
    /// Sizes; nothing for scalars
    shape: Option<Vec<i64>>,
    /// It is a memref
    memory: bool,
    /// The body looks at its elements
    read: bool,
    map: AffineMap,
}

struct Plan {
    operands: Vec<Operand>,
    inputs: usize,
    sizes: Vec<i64>,
}

/// Why the interpreter cannot run an op
enum Unplanned {
    Form(NoForm),
    OpenSize,
    TooLarge,
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplanned::Form(why) => why.fmt(f),
            Unplanned::OpenSize => f.write_str("a size is in no type: the interpreter does not know it"),
            Unplanned::TooLarge => f.write_str("too many elements for the interpreter"),
        }
    }
}

impl Plan {
    fn of(ir: &Ir, op: OpId) -> Result<Plan, Unplanned> {
        let form = Form::of(ir, op).map_err(Unplanned::Form)?;
        let sizes = form.extents(ir);
        let mut operands = Vec::new();
        let args = ir.entry(ir.region(op, 0)).map_or(&[][..], |entry| ir.block_args(entry));
        for (n, (value, map)) in form.operands.iter().enumerate() {
            let shape = ir.ty(*value).shape(ir.cx()).map(<[i64]>::to_vec);
            if shape.as_ref().is_some_and(|shape| shape.contains(&DYNAMIC)) || sizes.contains(&DYNAMIC) {
                return Err(Unplanned::OpenSize);
            }
            let memory = matches!(ir.ty(*value).kind(ir.cx()), TypeKind::MemRef { .. });
            let read = args.get(n).is_some_and(|arg| ir.is_used(*arg));
            operands.push(Operand { value: *value, shape, memory, read, map: map.clone() });
        }
        let elements: i64 = operands[form.inputs..]
            .iter()
            .try_fold(0i64, |all, out| all.checked_add(out.count()?))
            .unwrap_or(i64::MAX);
        let points = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        if elements > ELEMENTS || points.is_none() {
            return Err(Unplanned::TooLarge);
        }
        Ok(Plan { operands, inputs: form.inputs, sizes })
    }

    fn points(&self) -> i64 {
        self.sizes.iter().product()
    }

    fn point(&self, mut n: i64) -> Vec<i64> {
        let mut point = vec![0; self.sizes.len()];
        for (at, size) in point.iter_mut().zip(&self.sizes).rev() {
            *at = n % size;
            n /= size;
        }
        point
    }

    fn outs(&self) -> &[Operand] {
        &self.operands[self.inputs..]
    }
}

impl Operand {
    fn count(&self) -> Option<i64> {
        self.shape.iter().flatten().try_fold(1i64, |all, size| all.checked_mul(*size))
    }

    /// Elements that the state holds
    fn len(&self) -> usize {
        if self.memory { 0 } else { self.count().unwrap_or(0) as usize }
    }

    fn index(&self, point: &[i64]) -> Result<Vec<i64>, Trap> {
        let index = self.map.eval(point, &[]);
        index.ok_or_else(|| Trap::new(&codes::BOUNDS, "an index function overflows"))
    }

    fn at(&self, point: &[i64]) -> Result<usize, Trap> {
        let shape = self.shape.as_deref().unwrap_or(&[]);
        let index = self.index(point)?;
        let mut at = 0;
        for (i, size) in index.iter().zip(shape) {
            if !(0..*size).contains(i) {
                return Err(Trap::new(&codes::BOUNDS, "an index function leaves its operand"));
            }
            at = at * *size as usize + *i as usize;
        }
        Ok(at)
    }
}

fn plan(m: &Machine<'_>) -> Result<Rc<Result<Plan, Unplanned>>, Trap> {
    let plan = m.decoded(Plan::of);
    match &*plan {
        Ok(_) => Ok(plan),
        Err(why) => Err(Trap::new(&codes::UNSUPPORTED, why)),
    }
}

/// The op starts
pub fn start(m: &mut Machine<'_>) -> Step {
    let begun = plan(m).and_then(|plan| {
        let mut state = vec![RtValue::index(0)];
        if let Ok(plan) = &*plan {
            for out in plan.outs() {
                room(i64::try_from(out.len()).ok())?;
                state.extend(elements(&m.value(out.value), out.len()));
            }
        }
        *m.state() = state;
        Ok(())
    });
    begun.and_then(|()| go(m)).into()
}

fn go(m: &mut Machine<'_>) -> Result<Step, Trap> {
    let found = plan(m)?;
    let Ok(plan) = &*found else { return Ok(Step::Next) };
    let n = m.state().first().and_then(RtValue::as_i64).unwrap_or(0);
    if n >= plan.points() {
        let mut state = std::mem::take(m.state()).into_iter().skip(1);
        let results = plan
            .outs()
            .iter()
            .filter(|out| !out.memory)
            .map(|out| RtValue::Vector(state.by_ref().take(out.len()).collect()))
            .collect();
        m.set_results(results);
        return Ok(Step::Next);
    }
    let point = plan.point(n);
    let mut args = Vec::new();
    let mut first = 1;
    for (k, operand) in plan.operands.iter().enumerate() {
        if operand.shape.is_none() {
            args.push(m.value(operand.value));
            continue;
        }
        if !operand.read {
            args.push(RtValue::Poison);
            first += if k < plan.inputs { 0 } else { operand.len() };
            continue;
        }
        if operand.memory {
            let index = operand.index(&point)?;
            args.push(m.load(operand.value, &index)?);
            continue;
        }
        let at = operand.at(&point)?;
        args.push(if k < plan.inputs {
            match m.value(operand.value) {
                RtValue::Vector(all) => all.get(at).cloned().unwrap_or(RtValue::Poison),
                _ => RtValue::Poison,
            }
        } else {
            let value = m.state()[first + at].clone();
            first += operand.len();
            value
        });
    }
    let region = m.ir().region(m.op(), 0);
    Ok(Step::Enter { region, args })
}

/// The body has yielded
pub fn resumed(m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
    let done = plan(m).and_then(|found| {
        let Ok(plan) = &*found else { return Ok(()) };
        let n = m.state().first().and_then(RtValue::as_i64).unwrap_or(0);
        let point = plan.point(n);
        let mut first = 1;
        for (out, value) in plan.outs().iter().zip(values) {
            if out.memory {
                let index = out.index(&point)?;
                m.store(out.value, &index, value)?;
                continue;
            }
            let at = out.at(&point)?;
            m.state()[first + at] = value;
            first += out.len();
        }
        m.state()[0] = RtValue::index(n + 1);
        Ok(())
    });
    done.and_then(|()| go(m)).into()
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for Index {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let found = m.decoded(|ir, op| {
            let sizes =
                ir.parent(op).and_then(|parent| Form::of(ir, parent).ok()).map(|form| form.extents(ir));
            let dim = Index::cast(ir, op).and_then(|index| index.dim(ir).as_i64(ir.cx()));
            (sizes.unwrap_or_default(), dim.and_then(|dim| usize::try_from(dim).ok()))
        });
        let (sizes, dim) = &*found;
        let mut n = m.outer_state().first().and_then(RtValue::as_i64).unwrap_or(0);
        let Some(dim) = dim.filter(|dim| *dim < sizes.len()) else {
            return Step::Trap(Trap::new(&codes::INVALID, "no such iterator"));
        };
        for size in &sizes[dim + 1..] {
            n /= size.max(&1);
        }
        m.set_result(0, RtValue::index(n % sizes[dim].max(1)));
        Step::Next
    }
}
