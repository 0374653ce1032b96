//! Types of sums and products: f16 and bf16 are summed in f32, integers below 32 bits in i32.
//!
//! The narrow elements that a term reads are converted to the type of the sum, so that no product is rounded or wraps. A result
//! that is narrower than its sum is a second computation, which rounds once. `sum<T>` states another type.

use super::folds::{Folding, Wide};
use super::{Reader, Target};
use crate::model::{Bin, Computation, Dim, DimCombine, Elem, Input, Op, Output, Scalar, type_join};
use terrace_dialect_mdh::extents::is_open;
use terrace_dialect_mdh::operator::Builtin;
use terrace_dialect_mdh::view::{Condition, Order};
use terrace_support::affine::AffineExpr;

/// The type that a narrow type is summed in
fn wider(elem: Elem) -> Option<Elem> {
    match elem {
        Elem::Float(16) | Elem::Bf16 => Some(Elem::Float(32)),
        Elem::Int(2..=31) => Some(Elem::Int(32)),
        _ => None,
    }
}

/// Name of the tensor that holds the sums of another one
fn name(out: &str) -> String {
    format!("{out}.sum")
}

impl Reader {
    /// Decide the types of the sums of a statement, convert what their terms read, and correct the types of the results
    ///
    /// The answer is there if a result is narrower than its sum.
    pub(super) fn sums(
        &self,
        folding: &Folding<'_>,
        ops: &[Op],
        results: &mut [Elem],
        body: &mut [Scalar],
    ) -> Option<Wide> {
        let reduction = &folding.one.reduction;
        let folds = !folding.over.is_empty() || !reduction.prefixes.is_empty();
        let builtin = ops.iter().all(|op| matches!(op, Op::Builtin(_)));
        if !folds || !builtin || ops.len() != results.len() {
            return None;
        }
        let mut sums = results.to_vec();
        for (n, (op, out)) in ops.iter().zip(&folding.one.outs).enumerate() {
            let given = reduction.types.get(n).or(reduction.types.first()).copied().flatten();
            let declared = self.functions.last().and_then(|function| function.elem(&out.name));
            let own = results[n];
            let adds = matches!(op, Op::Builtin(Builtin::Add | Builtin::Mul));
            let default = if adds && !own.is_float() { wider(own).unwrap_or(own) } else { own };
            results[n] = declared.or(given).unwrap_or(default);
            sums[n] = results[n];
            // An exact sum is of the terms as written, and rounded to the result.
            let exact = folding.one.order.is_some_and(|(order, _)| order == Order::Exact);
            if adds && !(exact && results[n].is_float()) {
                sums[n] = given.or(wider(results[n])).unwrap_or(results[n]);
                convert_reads(&mut body[n], folding.elems, sums[n], given.is_some());
            }
        }
        (sums != results).then(|| Wide { sums, ops: ops.to_vec() })
    }
}

/// Convert the narrow elements that a term reads; with a stated type all that are narrower. Conversions by name stay.
fn convert_reads(e: &mut Scalar, elems: &[Elem], sum: Elem, stated: bool) {
    match e {
        Scalar::Arg(_) | Scalar::Element(..) => {
            let Some(own) = type_join(e, elems) else { return };
            let same_kind = own.is_float() == sum.is_float() && own != Elem::Index && sum != Elem::Index;
            let narrow = wider(own).is_some() || stated && own != Elem::Int(1);
            let to = match same_kind {
                true => (narrow && own.bits() < sum.bits()).then_some(sum),
                false => wider(own),
            };
            if let Some(to) = to {
                let read = std::mem::replace(e, Scalar::Int(0));
                *e = Scalar::Cast(to, Box::new(read));
            }
        }
        Scalar::Cast(..) | Scalar::Index(_) | Scalar::Size(_) | Scalar::Int(_) | Scalar::Float(_) => {}
        Scalar::Neg(a) => convert_reads(a, elems, sum, stated),
        Scalar::Op(_, a, b) => {
            convert_reads(a, elems, sum, stated);
            convert_reads(b, elems, sum, stated);
        }
        Scalar::Call(_, all) => all.iter_mut().for_each(|a| convert_reads(a, elems, sum, stated)),
        Scalar::Select(test, a, b) => {
            for part in [test, a, b] {
                convert_reads(part, elems, sum, stated);
            }
        }
    }
}

impl Wide {
    /// Where the sums go: a tensor of their own for each result
    pub(super) fn targets(&self, outs: &[Target]) -> Vec<Target> {
        let own = |out: &Target| Target { name: name(&out.name), span: out.span, ids: out.ids.clone() };
        outs.iter().map(own).collect()
    }

    /// The computation that converts the sums to the results, and combines them with what `+=` finds there
    pub(super) fn rounding(&self, outs: &[Target], sums: &Computation, before: &[bool]) -> Computation {
        let left = outs[0].ids.len();
        let dims: Vec<Dim> =
            sums.dims[..left].iter().map(|dim| Dim { kind: DimCombine::Cc, ..dim.clone() }).collect();
        let (mut inputs, mut outputs, mut body) = (Vec::new(), Vec::new(), Vec::new());
        for (n, out) in outs.iter().enumerate() {
            let map: Vec<AffineExpr> = sums.outputs[n].maps[0].clone();
            let read =
                |tensor: String| Input { tensor, map: map.clone(), other: None, guard: None, whole: false };
            inputs.push(read(name(&out.name)));
            let mut value = Scalar::Arg(inputs.len() - 1);
            if before[n] {
                inputs.push(read(out.name.clone()));
                let old = Scalar::Cast(self.sums[n], Box::new(Scalar::Arg(inputs.len() - 1)));
                value = Scalar::Op(self.operation(n), Box::new(old), Box::new(value));
            }
            body.push(value);
            outputs.push(Output { tensor: out.name.clone(), maps: vec![map], init: None, inner: false });
        }
        let name = format!("{}_rounded", sums.name);
        // Where kept dimensions end, the results end too.
        let kept = |one: &&Condition| matches!(one.expr, AffineExpr::Dim(dim) if (dim as usize) < left);
        let ends = sums.conditions.iter().filter(|one| is_open(&one.high)).filter(kept);
        let (conditions, offset) = (ends.cloned().collect(), sums.offset);
        Computation { name, dims, inputs, outputs, conditions, body, schedule: None, offset }
    }

    /// What the operator of a result does with two values
    fn operation(&self, n: usize) -> Bin {
        match self.ops[n] {
            Op::Builtin(Builtin::Mul) => Bin::Mul,
            Op::Builtin(Builtin::Min) => Bin::Min,
            Op::Builtin(Builtin::Max) => Bin::Max,
            Op::Builtin(Builtin::And) => Bin::And,
            Op::Builtin(Builtin::Or) => Bin::Or,
            Op::Builtin(Builtin::Xor) => Bin::Xor,
            _ => Bin::Add,
        }
    }
}
