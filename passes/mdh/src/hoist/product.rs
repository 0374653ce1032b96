//! The body of a reduction as a product of factors.

use super::computed::{self, Computed, Set, members};
use terrace_dialect_arith as arith;
use terrace_dialect_arith::{FastMathFlags, OverflowFlags};
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_dialect_sched::Builtin;
use terrace_ir::{Attr, Context, Ir, OpDef, OpId, Type, Value};
use terrace_support::HashMap;

/// Most factors of a product that is looked at: subsets of them are tried
const MOST: usize = 8;

/// What is multiplied
pub struct Factor {
    /// The value in the body
    pub value: Value,
    /// How the body computes it
    pub computed: Computed,
}

/// A product that is reduced
pub struct Product {
    /// What is reduced
    pub root: Value,
    /// The op that multiplies
    pub times: &'static OpDef,
    /// Its element type
    pub ty: Type,
    /// Factors from left to right
    pub factors: Vec<Factor>,
    /// Products within the product: their factors, and the value
    pub parts: Vec<(Set, Value)>,
    /// Fast-math flags that all products have
    pub fastmath: Option<Attr>,
    /// Dimensions that are reduced
    pub reduced: Set,
}

impl Product {
    /// The product that a computation of one output reduces; `None` for other forms
    pub fn read(ir: &Ir, op: Compute, view: &View) -> Option<Product> {
        let [out] = view.outputs.as_slice() else { return None };
        let fits = out.maps.len() == 1
            && view.dims.len() < Set::BITS as usize
            && view.conditions.is_empty()
            && view.dims.iter().all(|dim| dim.size > 0 && !matches!(dim.kind, CombineKind::Ps(_)));
        let plus = view.dims.iter().find_map(|dim| dim.kind.operators().first());
        let (true, Some(Operator::Builtin(plus))) = (fits, plus) else { return None };
        let body = ir.entry(op.body(ir))?;
        let root = Yield::cast(ir, ir.last_op(body)?)?.values(ir).into_iter().next()?;
        let computed = computed::values(ir, op, view)?;
        let ty = ir.ty(root);
        let times = ir.def(ir.defining_op(root)?);
        if !distributes(*plus, times, ty.is_float(ir.cx())) {
            return None;
        }
        let reduced = (0..view.dims.len()).filter(|n| !view.dims[*n].kind.kept()).map(|n| 1 << n).sum();
        let mut product =
            Product { root, times, ty, factors: Vec::new(), parts: Vec::new(), fastmath: None, reduced };
        product.collect(ir, &computed, root)?;
        let flags: Vec<Option<Attr>> =
            product.parts.iter().map(|(_, value)| ir.attr(ir.defining_op(*value)?, "fastmath")).collect();
        product.fastmath =
            flags.first().copied().flatten().filter(|_| flags.windows(2).all(|two| two[0] == two[1]));
        Some(product)
    }

    /// The factors of a value, which become those of the product; gives their set
    fn collect(&mut self, ir: &Ir, computed: &HashMap<Value, Computed>, value: Value) -> Option<Set> {
        let multiplies = |op: &OpId| {
            ir.is(*op, self.times) && (value == self.root || ir.has_one_use(value)) && never_wraps(ir, *op)
        };
        let Some(op) = ir.defining_op(value).filter(multiplies) else {
            self.factors.push(Factor { value, computed: computed.get(&value).copied()? });
            return (self.factors.len() <= MOST).then(|| 1 << (self.factors.len() - 1));
        };
        let mut set = 0;
        for operand in ir.operands(op).collect::<Vec<Value>>() {
            set |= self.collect(ir, computed, operand)?;
        }
        self.parts.push((set, value));
        Some(set)
    }

    /// Dimensions in which some factors vary
    pub fn dims(&self, factors: Set) -> Set {
        members(factors).fold(0, |all, n| all | self.factors[n].computed.dims)
    }

    /// Operations that some factors are computed with
    pub fn work(&self, factors: Set) -> u128 {
        members(factors).fold(0, |all, n| all.saturating_add(self.factors[n].computed.work))
    }

    /// The value of the body that is the product of these factors, or the one of them that there is
    pub fn part(&self, factors: Set) -> Option<Value> {
        if factors.count_ones() == 1 {
            return self.factors.get(factors.trailing_zeros() as usize).map(|factor| factor.value);
        }
        self.parts.iter().find(|(set, _)| *set == factors).map(|(_, value)| *value)
    }

    /// All factors
    pub fn all(&self) -> Set {
        (1 << self.factors.len()) - 1
    }

    /// Do flags permit to multiply in another order?
    pub fn reassociates(&self, cx: &Context) -> bool {
        let flags = self.fastmath.and_then(|attr| FastMathFlags::of(cx, attr));
        flags.is_some_and(|flags| flags.has(FastMathFlags::REASSOC))
    }
}

/// Does an op distribute over an operator: is `a × (b + c)` always `(a × b) + (a × c)`, up to the rounding of sums?
///
/// Of floats `minnumf` and `maxnumf` are none: they take the number where the other is NaN. Sums of floats are none within minima and maxima:
/// `∞ − ∞` of one element is lost.
fn distributes(plus: Builtin, times: &'static OpDef, float: bool) -> bool {
    let is = |all: &[&'static OpDef]| all.iter().any(|def| std::ptr::eq(*def, times));
    match (plus, float) {
        (Builtin::Add, true) => is(&[arith::MulF::DEF]),
        (Builtin::Min, true) => is(&[arith::MaximumF::DEF]),
        (Builtin::Max, true) => is(&[arith::MinimumF::DEF]),
        (_, true) | (Builtin::Mul, false) => false,
        (Builtin::Add, false) => is(&[arith::MulI::DEF]),
        (Builtin::Or | Builtin::Xor, false) => is(&[arith::AndI::DEF]),
        (Builtin::And, false) => is(&[arith::OrI::DEF]),
        (Builtin::Min, false) => is(&[arith::MaxSI::DEF, arith::AddI::DEF]),
        (Builtin::Max, false) => is(&[arith::MinSI::DEF, arith::AddI::DEF]),
        (Builtin::MinU | Builtin::MaxU, false) => {
            is(&[if plus == Builtin::MinU { arith::MaxUI::DEF } else { arith::MinUI::DEF }])
        }
    }
}

/// A sum within a minimum or maximum is one of integers that do not wrap; other products may
fn never_wraps(ir: &Ir, op: OpId) -> bool {
    arith::AddI::cast(ir, op).is_none_or(|sum| sum.overflow(ir).has(OverflowFlags::NSW))
}
