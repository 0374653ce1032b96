//! What sizes follow from those of the arguments.

use super::{DIMS, Done, MAKERS, list_of, sizes_of};
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization as bufferization;
use terrace_dialect_linalg::{Form, form::is_structured};
use terrace_dialect_memref as memref;
use terrace_dialect_tensor as tensor;
use terrace_ir::{DYNAMIC, Ir, OpDef, OpId, Value};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// Ops whose result has the sizes of their operand
const SAME: [&OpDef; 3] = [tensor::Cast::DEF, memref::Cast::DEF, bufferization::ToTensor::DEF];

/// Ops whose operands have the same sizes
const COPIES: [&OpDef; 2] = [bufferization::MaterializeInDestination::DEF, memref::Copy::DEF];

/// Arithmetic on two numbers; of division only what all roundings agree on
const ARITHMETIC: [(&OpDef, fn(i64, i64) -> Option<i64>); 12] = [
    (arith::AddI::DEF, i64::checked_add),
    (arith::SubI::DEF, i64::checked_sub),
    (arith::MulI::DEF, i64::checked_mul),
    (arith::DivUI::DEF, quotient),
    (arith::DivSI::DEF, quotient),
    (arith::FloorDivSI::DEF, quotient),
    (arith::CeilDivUI::DEF, quotient_up),
    (arith::CeilDivSI::DEF, quotient_up),
    (arith::RemUI::DEF, remainder),
    (arith::RemSI::DEF, remainder),
    (arith::MinSI::DEF, |a, b| Some(a.min(b))),
    (arith::MaxSI::DEF, |a, b| Some(a.max(b))),
];

fn quotient(a: i64, b: i64) -> Option<i64> {
    (a >= 0 && b > 0).then(|| a / b)
}

fn quotient_up(a: i64, b: i64) -> Option<i64> {
    (a >= 0 && b > 0).then(|| a / b + i64::from(a % b != 0))
}

fn remainder(a: i64, b: i64) -> Option<i64> {
    (a >= 0 && b > 0).then(|| a % b)
}

/// What is known of values
pub(super) struct Facts<'a> {
    ir: &'a Ir,
    shapes: HashMap<Value, Vec<i64>>,
    numbers: HashMap<Value, i64>,
    news: bool,
}

/// Sizes of values with shapes, and values that are numbers
type Known = (HashMap<Value, Vec<i64>>, HashMap<Value, i64>);

impl<'a> Facts<'a> {
    /// What follows from the sizes of arguments
    pub(super) fn of(ir: &'a Ir, given: &[(Value, Vec<i64>)], ops: &[OpId]) -> Done<Known> {
        let mut facts = Facts { ir, shapes: HashMap::default(), numbers: HashMap::default(), news: true };
        for (arg, sizes) in given {
            if ir.ty(*arg).shape(ir.cx()).is_some() {
                facts.learn(ir.root(), *arg, sizes)?;
            } else if let [number] = sizes.as_slice() {
                facts.number(*arg, *number);
            }
        }
        facts.news = true;
        while facts.news {
            facts.news = false;
            for op in ops {
                facts.op(*op)?;
            }
        }
        Ok((facts.shapes, facts.numbers))
    }

    fn shape(&self, value: Value) -> Option<Vec<i64>> {
        let own = || self.ir.ty(value).shape(self.ir.cx()).map(<[i64]>::to_vec);
        self.shapes.get(&value).cloned().or_else(own)
    }

    fn number(&mut self, value: Value, number: i64) {
        if number != DYNAMIC && self.numbers.insert(value, number).is_none() {
            self.news = true;
        }
    }

    /// A value has these sizes, as far as they are known
    fn learn(&mut self, op: OpId, value: Value, sizes: &[i64]) -> Done<()> {
        let Some(mut known) = self.shape(value) else { return Ok(()) };
        let name = self.ir.value_name(value).map_or("a value".into(), |name| format!("%{name}"));
        if known.len() != sizes.len() {
            return Err((op, format!("SIZE: {name} has {} dimensions, not {}", known.len(), sizes.len())));
        }
        let mut new = false;
        for (n, (known, size)) in known.iter_mut().zip(sizes).enumerate() {
            match (*known, *size) {
                (_, DYNAMIC) => {}
                (DYNAMIC, size) => {
                    *known = size;
                    new = true;
                }
                (a, b) if a == b => {}
                (a, b) => return Err((op, format!("SIZE: dimension {n} of {name} is {a}, and here {b}"))),
            }
        }
        if new {
            self.shapes.insert(value, known);
            self.news = true;
        }
        Ok(())
    }

    fn same(&mut self, op: OpId, a: Value, b: Value) -> Done<()> {
        if let (Some(from), Some(to)) = (self.shape(a), self.shape(b)) {
            self.learn(op, b, &from)?;
            self.learn(op, a, &to)?;
        }
        Ok(())
    }

    fn op(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        if let Some(constant) = arith::Constant::cast(ir, op) {
            if let Some(number) = constant.value(ir).as_i64(ir.cx()) {
                self.number(ir.result(op, 0), number);
            }
        } else if ir.is_any(op, &DIMS) {
            let n = self.numbers.get(&ir.operand(op, 1)).and_then(|n| usize::try_from(*n).ok());
            let shape = self.shape(ir.operand(op, 0));
            if let Some(size) = n.and_then(|n| shape?.get(n).copied()) {
                self.number(ir.result(op, 0), size);
            }
        } else if ir.is_any(op, &MAKERS) {
            self.maker(op)?;
        } else if ir.is_any(op, &SAME) {
            self.same(op, ir.operand(op, 0), ir.result(op, 0))?;
        } else if ir.is_any(op, &COPIES) {
            self.same(op, ir.operand(op, 0), ir.operand(op, 1))?;
        } else if let Some(slice) = tensor::InsertSlice::cast(ir, op) {
            self.same(op, slice.dest(ir), slice.result(ir))?;
        } else if ir.is(op, tensor::ExtractSlice::DEF) {
            self.slice(op)?;
        } else if ir.is(op, tensor::Pad::DEF) {
            self.pad(op)?;
        } else if is_structured(ir.def(op)) {
            self.structured(op)?;
        } else if let Some(number) = self.arithmetic(op) {
            self.number(ir.result(op, 0), number);
        }
        Ok(())
    }

    /// The sizes that operands give are those of the result
    fn maker(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let mut sizes = sizes_of(ir, op).into_iter();
        let mut known = |size: i64| match size {
            DYNAMIC => sizes.next().and_then(|value| self.numbers.get(&value).copied()).unwrap_or(DYNAMIC),
            size => size,
        };
        let shape = ir.ty(result).shape(ir.cx()).unwrap_or(&[]);
        let shape: Vec<i64> = shape.iter().map(|size| known(*size)).collect();
        self.learn(op, result, &shape)
    }

    fn slice(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        let mut sizes = self.mixed(op, "static_sizes", 2);
        let result = ir.result(op, 0);
        let rank = ir.ty(result).shape(ir.cx()).map_or(0, <[i64]>::len);
        if rank != sizes.len() {
            // A part may have fewer dimensions: not those of one place.
            let literal = list_of(ir, op, "static_sizes");
            sizes = sizes.iter().zip(literal).filter(|(_, size)| *size != 1).map(|(n, _)| *n).collect();
        }
        if rank == sizes.len() { self.learn(op, result, &sizes) } else { Ok(()) }
    }

    fn pad(&mut self, op: OpId) -> Done<()> {
        let (low, high) = (self.mixed(op, "static_low", 1), self.mixed(op, "static_high", 2));
        let inner = self.shape(tensor::Pad(op).source(self.ir)).unwrap_or_default();
        let sizes = inner.iter().zip(low).zip(high).map(|((size, low), high)| {
            match [*size, low, high].contains(&DYNAMIC) {
                true => DYNAMIC,
                false => size.saturating_add(low).saturating_add(high),
            }
        });
        self.learn(op, self.ir.result(op, 0), &sizes.collect::<Vec<i64>>())
    }

    /// A list of numbers some of which are operands
    fn mixed(&self, op: OpId, name: &str, field: usize) -> Vec<i64> {
        let mut given = self.ir.operand_field(op, field).into_iter();
        let number = |n: i64| match n {
            DYNAMIC => given.next().and_then(|value| self.numbers.get(&value).copied()).unwrap_or(DYNAMIC),
            n => n,
        };
        list_of(self.ir, op, name).into_iter().map(number).collect()
    }

    fn arithmetic(&self, op: OpId) -> Option<i64> {
        let number = |n: usize| self.numbers.get(&self.ir.operand(op, n)).copied();
        if self.ir.is(op, arith::IndexCast::DEF) {
            return number(0);
        }
        let (_, rule) = ARITHMETIC.iter().find(|(def, _)| self.ir.is(op, def))?;
        rule(number(0)?, number(1)?)
    }

    /// One trip count per iterator; results have the sizes of outputs
    fn structured(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        let Ok(form) = Form::of(ir, op) else { return Ok(()) };
        let mut trips = vec![DYNAMIC; form.reduces.len()];
        for (value, map) in &form.operands {
            let Some(shape) = self.shape(*value) else { continue };
            for (e, size) in map.results.iter().zip(shape) {
                if let AffineExpr::Dim(n) = e
                    && let Some(slot) = trips.get_mut(*n as usize).filter(|slot| **slot == DYNAMIC)
                {
                    *slot = size;
                }
            }
        }
        for (value, map) in &form.operands {
            if self.shape(*value).is_none() {
                continue;
            }
            let sizes: Vec<i64> = map
                .results
                .iter()
                .map(|e| match e {
                    AffineExpr::Dim(n) => trips.get(*n as usize).copied().unwrap_or(DYNAMIC),
                    _ => DYNAMIC,
                })
                .collect();
            self.learn(op, *value, &sizes)?;
        }
        for (result, (out, _)) in ir.results(op).zip(form.outs()) {
            self.same(op, *out, result)?;
        }
        Ok(())
    }
}
