//! `--tolerance=auto`: how far rounding may take each element.
//!
//! The bound is (n+2)·eps·Σ|terms|. Both numbers come out of the program itself, run on the reference back end twice more
//! in another reading of its float ops:
//!
//! - *magnitudes*: inputs and constants by their absolute value, differences become sums. What comes out is Σ|terms|.
//! - *terms*: inputs and constants are 1, sums and differences add, and so do products and quotients, since relative errors
//!   of factors add. Everything else takes the larger of its operands. What comes out is n, the number of terms and factors.
//!
//! An upper bound for sums of products, which is what reductions are; a bound of the right size elsewhere. Comparisons of floats
//! may go the other way in these readings, so a program whose control flow depends on floats needs a tolerance of its own.
//! Operators of reductions (`pw mul`) are read in the same way as ops.

use crate::agree::Bounds;
use terrace_diag::Diags;
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_mdh as mdh;
use terrace_dialect_sched as sched;
use terrace_dialect_vector as vector;
use terrace_ir::{
    Attr, AttrKind, Context, DenseData, FloatKind, Ir, NewOp, OpDef, OpId, Type, TypeKind, Value as Ssa,
};
use terrace_runtime_buffers::{Buffer, ElemType, Value, f64_to_bf16, f64_to_f16};
use terrace_target_api::{Array, Failed, Input, Job, Target, lower};

/// Another reading of float ops
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Magnitudes,
    Terms,
}

/// Bounds for every element of these outputs of a run
pub(crate) fn bounds(job: &Job<'_>, reference: &dyn Target, expected: &[Array]) -> Result<Bounds, Failed> {
    let elements = of_elements(job);
    let job = &Job { ir: elements.as_deref().unwrap_or(job.ir), ..*job };
    let magnitudes = shadow(job, reference, Reading::Magnitudes)?;
    let terms = shadow(job, reference, Reading::Terms)?;
    let eps = coarsest(job.ir);
    let number = |array: Option<&Array>, at: usize| match array.and_then(|array| array.buffer.get(at)) {
        Some(Value::Float(value)) if value.is_finite() => value.abs(),
        _ => 0.0,
    };
    let list = |n: usize, array: &Array| {
        let eps = eps.max(epsilon(array.buffer.elem()));
        let bound = |at: usize| {
            let sum = number(magnitudes.get(n), at).max(number(Some(array), at));
            (number(terms.get(n), at) + 2.0) * eps * sum
        };
        (0..array.buffer.len()).map(bound).collect()
    };
    Ok(Bounds::Each(expected.iter().enumerate().map(|(n, array)| list(n, array)).collect()))
}

/// A graph of tensors as computations, whose ops on elements have rules; `None` where the program does not become one
fn of_elements(job: &Job<'_>) -> Option<Box<Ir>> {
    let mut ir = job.ir.clone_unit();
    lower(job.registry, &mut ir, "stablehlo-to-mdh", job.threads, &mut Diags::default()).map(|()| ir)
}

/// Distance of 1 and the next number
fn epsilon(elem: ElemType) -> f64 {
    match elem {
        ElemType::BF16 => 2f64.powi(-7),
        ElemType::F16 => 2f64.powi(-10),
        ElemType::F32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

/// Of the coarsest format that something is computed in
fn coarsest(root: &Ir) -> f64 {
    let mut eps = f64::EPSILON;
    let mut pending = vec![root];
    while let Some(unit) = pending.pop() {
        let cx = unit.cx();
        for op in unit.walk() {
            pending.extend(unit.child(op));
            if rule(unit, op).is_none() || unit.is(op, arith::Constant::DEF) {
                continue;
            }
            for result in unit.results(op) {
                if let TypeKind::Float(kind) = unit.ty(result).scalar(cx).kind(cx) {
                    let elem = ElemType::from_name(kind.word());
                    eps = elem.map_or(eps, |elem| eps.max(epsilon(elem)));
                }
            }
        }
    }
    eps
}

fn shadow(job: &Job<'_>, reference: &dyn Target, reading: Reading) -> Result<Vec<Array>, Failed> {
    let mut ir = job.ir.clone_unit();
    let mut pending: Vec<&mut Ir> = vec![&mut ir];
    while let Some(unit) = pending.pop() {
        reread(unit, reading);
        pending.extend(unit.children_mut());
    }
    let inputs: Vec<Input> = job.inputs.iter().map(|input| input_of(input, reading)).collect();
    let job = Job { ir: &ir, inputs: &inputs, bench: None, fuel: job.fuel.min(1 << 34), ..*job };
    let outcome = terrace_target_api::run(reference, &job).map_err(|Failed(errors)| {
        Failed(errors.into_iter().map(|error| error.help("give the bound: --tolerance=ABS,REL")).collect())
    })?;
    Ok(outcome.arrays)
}

fn input_of(input: &Input, reading: Reading) -> Input {
    let Input::Given(buffer) = input else { return input.clone() };
    let mut buffer: Buffer = buffer.clone();
    for n in 0..buffer.len() {
        if let Some(Value::Float(value)) = buffer.get(n) {
            buffer.set(n, Value::Float(reading.of(value)));
        }
    }
    Input::Given(buffer)
}

impl Reading {
    fn of(self, value: f64) -> f64 {
        match self {
            Reading::Magnitudes => value.abs(),
            Reading::Terms => 1.0,
        }
    }
}

/// What becomes of a float op
#[derive(Clone, Copy)]
enum Rule {
    Keep,
    /// Such an op on the same operands
    Become(&'static OpDef),
    /// Its first operand
    First,
    /// The absolute value of what it gives
    Abs,
    Constant,
    SumOfThree,
}

const LARGER: Rule = Rule::Become(arith::MaximumF::DEF);
const SUM: Rule = Rule::Become(arith::AddF::DEF);

/// What becomes of ops that compute floats, in the two readings
const RULES: &[(&[&OpDef], Rule, Rule)] = &[
    (&[arith::Constant::DEF], Rule::Constant, Rule::Constant),
    (&[arith::AddF::DEF], Rule::Keep, Rule::Keep),
    (&[arith::SubF::DEF], SUM, SUM),
    (&[arith::MulF::DEF, arith::DivF::DEF], Rule::Keep, SUM),
    (&[arith::RemF::DEF, math::PowF::DEF, math::Atan2::DEF], Rule::Keep, LARGER),
    (&[arith::MinimumF::DEF, arith::MinNumF::DEF], LARGER, LARGER),
    (&[arith::NegF::DEF, math::AbsF::DEF], Rule::First, Rule::First),
    (&[arith::SIToFP::DEF, arith::UIToFP::DEF], Rule::Abs, Rule::Constant),
    (&[math::Fma::DEF, vector::Fma::DEF], Rule::Keep, Rule::SumOfThree),
    (
        &[
            math::Sqrt::DEF,
            math::Rsqrt::DEF,
            math::Cbrt::DEF,
            math::Exp::DEF,
            math::Exp2::DEF,
            math::ExpM1::DEF,
            math::Sin::DEF,
            math::Sinh::DEF,
            math::Tan::DEF,
            math::Tanh::DEF,
            math::Atan::DEF,
            math::Asinh::DEF,
            math::Erf::DEF,
            math::Floor::DEF,
            math::Ceil::DEF,
            math::Round::DEF,
            math::RoundEven::DEF,
            math::Trunc::DEF,
        ],
        Rule::Keep,
        Rule::First,
    ),
    (
        &[math::Log::DEF, math::Log2::DEF, math::Log10::DEF, math::Log1p::DEF, math::Cos::DEF],
        Rule::Abs,
        Rule::First,
    ),
];

/// In the two readings; `None` for an op that computes no floats
fn rule(ir: &Ir, op: OpId) -> Option<(Rule, Rule)> {
    RULES.iter().find(|(defs, ..)| ir.is_any(op, defs)).map(|(_, magnitudes, terms)| (*magnitudes, *terms))
}

fn reread(ir: &mut Ir, reading: Reading) {
    let ops: Vec<OpId> = ir.walk().collect();
    for op in ops {
        reread_operators(ir, op, reading);
        let Some((magnitudes, terms)) = rule(ir, op) else { continue };
        if ir.num_results(op) != 1 {
            continue;
        }
        let result = ir.result(op, 0);
        let ty = ir.ty(result);
        if !ty.scalar(ir.cx()).is_float(ir.cx()) {
            continue;
        }
        let operand = |n: usize| ir.operand(op, n);
        let new = match if reading == Reading::Magnitudes { magnitudes } else { terms } {
            Rule::Keep => continue,
            Rule::First => Some(operand(0)),
            Rule::Become(def) => {
                let operands: Vec<Ssa> = ir.operands(op).collect();
                before(ir, op, def, &operands, ty)
            }
            Rule::SumOfThree => {
                let (a, b, c) = (operand(0), operand(1), operand(2));
                let product = before(ir, op, arith::AddF::DEF, &[a, b], ty);
                product.and_then(|product| before(ir, op, arith::AddF::DEF, &[product, c], ty))
            }
            Rule::Abs => {
                let Some(kind) = ir.cx().kind_of(math::AbsF::DEF) else { continue };
                let abs = ir.create(&NewOp { results: &[ty], operands: &[result], ..NewOp::new(kind) });
                ir.insert_after(op, abs);
                let new = ir.result(abs, 0);
                ir.replace_all_uses(result, new);
                ir.set_operand(abs, 0, result);
                continue;
            }
            Rule::Constant => {
                let old = ir.attr(op, "value").filter(|_| ir.is(op, arith::Constant::DEF));
                constant(ir.cx(), old, ty, reading).and_then(|attr| {
                    let kind = ir.cx().kind_of(arith::Constant::DEF)?;
                    let new = ir.create(&NewOp { results: &[ty], slots: &[Some(attr)], ..NewOp::new(kind) });
                    ir.insert_before(op, new);
                    Some(ir.result(new, 0))
                })
            }
        };
        if let Some(new) = new {
            ir.replace_all_uses(result, new);
            ir.erase(op);
        }
    }
}

/// Properties of loops, writes and computations that hold operators of reductions
const OPERATORS: [&str; 2] = ["combine", "ops"];

fn reread_operators(ir: &mut Ir, op: OpId, reading: Reading) {
    if !ir.is_any(op, &[mdh::Compute::DEF, sched::For::DEF, sched::Write::DEF, sched::Copy::DEF]) {
        return;
    }
    // Of integers, a minimum may be a position.
    if ir.results(op).any(|result| !ir.ty(result).scalar(ir.cx()).is_float(ir.cx())) {
        return;
    }
    for name in OPERATORS {
        if let Some(old) = ir.attr(op, name) {
            let new = operators(ir.cx(), old, reading);
            ir.set_attr(op, name, Some(new));
        }
    }
}

fn operators(cx: &Context, attr: Attr, reading: Reading) -> Attr {
    if let Some(list) = attr.as_array(cx) {
        let list: Vec<Attr> = list.iter().map(|&attr| operators(cx, attr, reading)).collect();
        return cx.array_attr(&list);
    }
    match (attr.as_str(cx), reading) {
        (Some("min"), _) => cx.str_attr("max"),
        (Some("mul"), Reading::Terms) => cx.str_attr("add"),
        _ => attr,
    }
}

fn before(ir: &mut Ir, op: OpId, def: &'static OpDef, operands: &[Ssa], ty: Type) -> Option<Ssa> {
    let kind = ir.cx().kind_of(def)?;
    let new = ir.create(&NewOp { results: &[ty], operands, ..NewOp::new(kind) });
    ir.insert_before(op, new);
    Some(ir.result(new, 0))
}

/// The constant in the other reading
fn constant(cx: &Context, old: Option<Attr>, ty: Type, reading: Reading) -> Option<Attr> {
    let elem = ty.scalar(cx);
    let TypeKind::Float(kind) = elem.kind(cx) else { return None };
    if reading == Reading::Terms {
        let one = one(*kind)?;
        if elem == ty {
            return Some(cx.float_attr(one, ty));
        }
        let bytes = terrace_ir::show::elem_bytes(cx, elem);
        let data = DenseData::Splat(one.to_le_bytes().get(..bytes)?.into());
        return Some(cx.attr(AttrKind::Dense { ty, data }));
    }
    let sign = 1u64.checked_shl(kind.width().checked_sub(1)?)?;
    match old?.kind(cx) {
        AttrKind::Float { bits, ty } => Some(cx.float_attr(bits & !sign, *ty)),
        AttrKind::Dense { ty, data } => {
            let bytes = terrace_ir::show::elem_bytes(cx, elem);
            let clear = |raw: &[u8]| {
                let mut raw: Box<[u8]> = raw.into();
                // Little-endian: the sign is in the last byte of each element.
                raw.iter_mut().skip(bytes - 1).step_by(bytes).for_each(|byte| *byte &= 0x7F);
                raw
            };
            let data = match data {
                DenseData::Splat(raw) => DenseData::Splat(clear(raw)),
                DenseData::Raw(raw) => DenseData::Raw(clear(raw)),
                DenseData::Strs(_) => return None,
            };
            Some(cx.attr(AttrKind::Dense { ty: *ty, data }))
        }
        _ => None,
    }
}

fn one(kind: FloatKind) -> Option<u64> {
    match kind {
        FloatKind::F64 => Some(1f64.to_bits()),
        FloatKind::F32 => Some(1f32.to_bits().into()),
        FloatKind::F16 => Some(f64_to_f16(1.0).into()),
        FloatKind::BF16 => Some(f64_to_bf16(1.0).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use terrace_ir::Context;
    use terrace_target_api::{Limits, Scheduling, Signature, Workers};
    use terrace_text::ParseOptions;

    /// Bounds of the first output of a program
    fn bounds_of(text: &str, bindings: &[&str]) -> Vec<f64> {
        let cx = Context::new(&terrace_opt::all_dialects());
        let source = cx.sources().add("test", text);
        let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut Diags::default());
        let ir = parsed.expect("well formed");
        let (unit, entry) = terrace_target_api::find(&ir, None).expect("one function");
        let signature = Signature::of(unit, entry).expect("numbers");
        let bindings: Vec<_> = bindings.iter().map(|text| text.parse().expect("well formed")).collect();
        let inputs = data::inputs(&signature, &bindings, &[], &[]).expect("they fit");
        let job = Job {
            registry: &terrace_opt::REGISTRY,
            ir: &ir,
            source: &signature,
            signature: &signature,
            inputs: &inputs,
            bench: None,
            threads: 1,
            scheduling: &Scheduling::default(),
            fuel: 1 << 20,
            limits: Limits::default(),
            workers: &Workers::default(),
            stop_ns: None,
            order: terrace_interp::Order::Forward,
            subgroup: 32,
            lowering_ns: &std::cell::Cell::new(0),
        };
        let outcome = terrace_target_api::run(terrace_targets::TARGETS[0], &job).expect("it runs");
        match bounds(&job, terrace_targets::TARGETS[0], &outcome.arrays).expect("it runs") {
            Bounds::Each(lists) => lists.into_iter().next().expect("one output"),
            Bounds::Fixed { .. } => Vec::new(),
        }
    }

    #[test]
    fn of_a_dot_product_it_is_as_designed() {
        let text = "func.func @dot(%a: memref<4xf64>, %b: memref<4xf64>) -> f64 {
            %z = arith.constant 0.0 : f64
            %c0 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %c4 = arith.constant 4 : index
            %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> (f64) {
              %x = memref.load %a[%i] : memref<4xf64>
              %y = memref.load %b[%i] : memref<4xf64>
              %p = arith.mulf %x, %y : f64
              %t = arith.subf %s, %p : f64
              scf.yield %t : f64
            }
            return %s : f64
        }";
        // Four terms 0·-2, 1·-2, 2·-2, 3·-2 of two factors each, and the zero at the start.
        assert_eq!(bounds_of(text, &["a=iota", "b=fill:-2"]), [11.0 * f64::EPSILON * 12.0]);
    }

    #[test]
    fn cancellation_does_not_shrink_it() {
        let text = "func.func @f(%a: f32) -> f32 {
            %c = arith.constant -3.0 : f32
            %s = arith.addf %a, %c : f32
            return %s : f32
        }";
        assert_eq!(bounds_of(text, &["a=fill:3"]), [4.0 * f64::from(f32::EPSILON) * 6.0]);
    }

    #[test]
    fn errors_of_factors_add() {
        let text = "func.func @f(%a: tensor<5xf64>) -> tensor<f64> {
            %0 = mdh.compute (i in 5 pw mul) ins(%x = %a[i]) outs([]) {
              mdh.yield %x : f64
            } : (tensor<5xf64>) -> tensor<f64>
            return %0 : tensor<f64>
        }";
        assert_eq!(bounds_of(text, &["a=fill:-2"]), [7.0 * f64::EPSILON * 32.0]);
        let least = text.replace("pw mul", "pw min");
        assert_eq!(bounds_of(&least, &["a=fill:-2"]), [3.0 * f64::EPSILON * 2.0]);
    }

    /// A softmax of five ones: its exponentials, their sum, and a quotient
    #[test]
    fn graphs_of_tensors_are_read_by_their_elements() {
        let text = "func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> {
            %z = stablehlo.constant dense<0.0> : tensor<f32>
            %e = stablehlo.exponential %x : tensor<5xf32>
            %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
            %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<5xf32>
            %r = stablehlo.divide %e, %b : tensor<5xf32>
            return %r : tensor<5xf32>
        }";
        // Five terms below the quotient and one above it, of the same size: a fifth.
        let bounds = bounds_of(text, &["x=fill:1"]);
        let unit = f64::from(f32::EPSILON) / 5.0;
        assert!(bounds.iter().all(|bound| *bound >= 8.0 * unit && *bound < 10.0 * unit), "{bounds:?}");
    }

    #[test]
    fn the_coarsest_format_counts() {
        let text = "func.func @f(%a: f32) -> f64 {
            %s = arith.mulf %a, %a : f32
            %w = arith.extf %s : f32 to f64
            return %w : f64
        }";
        assert_eq!(bounds_of(text, &["a=fill:3"]), [4.0 * f64::from(f32::EPSILON) * 9.0]);
    }
}
