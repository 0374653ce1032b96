//! Reads a condition on coordinates as a constant, or as remainders that must all be zero.
//!
//! Only integers that stay within their type are read, so a sum in IR is the sum of the numbers.

use std::cell::Cell;
use terrace_analysis::{Range, range_of};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_mdh::Index;
use terrace_dialect_mdh::view::View;
use terrace_ir::fold::constant_of;
use terrace_ir::{Ir, OpId, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineKind};

/// Deepest condition that is read: an op with several uses is read for each of them
const DEPTH: u32 = 12;

/// Values that are read for one body: far more than any text has, and few enough for a body of thousands of choices. Those that come
/// later are unknown
const MOST_VALUES: u32 = 20_000;

/// An expression, and a number above one that must divide it
pub type Remainder = (AffineExpr, i64);

/// The conditions of one body
pub struct Conditions<'a> {
    ir: &'a Ir,
    sizes: Vec<i64>,
    ranges: Vec<Range>,
    left: Cell<u32>,
}

/// `value predicate bound`, of signed numbers
struct Comparison {
    value: AffineExpr,
    predicate: CmpIPredicate,
    bound: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
    Xor,
}

impl<'a> Conditions<'a> {
    /// Of a computation; `None` if it has no points
    pub fn of(ir: &'a Ir, view: &View) -> Option<Conditions<'a>> {
        let sizes = view.sizes();
        let ranges = sizes.iter().map(|size| Range::below(*size)).collect::<Option<_>>()?;
        Some(Conditions { ir, sizes, ranges, left: Cell::new(MOST_VALUES) })
    }

    /// The value of a condition, if it is the same at every point
    pub fn decided(&self, condition: Value) -> Option<bool> {
        self.truth(condition, DEPTH)
    }

    /// The remainders that are all zero at exactly the points where a condition has this value; `None` for other conditions
    pub fn remainders(&self, condition: Value, wanted: bool) -> Option<Vec<Remainder>> {
        let mut all = Vec::new();
        self.divided(condition, wanted, DEPTH, &mut all)?;
        Some(all)
    }

    /// One value more
    fn spend(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    fn truth(&self, condition: Value, depth: u32) -> Option<bool> {
        self.spend()?;
        if let Some(attr) = constant_of(self.ir, condition) {
            return attr.as_i64(self.ir.cx()).map(|value| value != 0);
        }
        let op = self.ir.defining_op(condition)?;
        let depth = depth.checked_sub(1)?;
        let Some(connective) = Connective::of(self.ir, op) else {
            return self.comparison(op, depth)?.decided(&self.ranges);
        };
        let [a, b] = [0, 1].map(|n| self.truth(self.ir.operand(op, n), depth));
        match connective {
            Connective::Xor => Some(a? != b?),
            Connective::And if a == Some(false) || b == Some(false) => Some(false),
            Connective::Or if a == Some(true) || b == Some(true) => Some(true),
            _ => a.and(b),
        }
    }

    fn divided(&self, condition: Value, wanted: bool, depth: u32, all: &mut Vec<Remainder>) -> Option<()> {
        if let Some(known) = self.truth(condition, depth) {
            return (known == wanted).then_some(());
        }
        let op = self.ir.defining_op(condition)?;
        let depth = depth.checked_sub(1)?;
        let connective = Connective::of(self.ir, op);
        let Some(connective) = connective else {
            return self.comparison(op, depth)?.remainders(&self.ranges, wanted, all);
        };
        let [a, b] = [0, 1].map(|n| self.ir.operand(op, n));
        if connective == Connective::Xor || (connective == Connective::And) != wanted {
            // One of two would be enough: only what the other one leaves open is a list of remainders.
            let (open, known) = match self.truth(b, depth) {
                Some(known) => (a, known),
                None => (b, self.truth(a, depth)?),
            };
            let open_wanted = if connective == Connective::Xor { wanted != known } else { wanted };
            return self.divided(open, open_wanted, depth, all);
        }
        self.divided(a, wanted, depth, all)?;
        self.divided(b, wanted, depth, all)
    }

    fn comparison(&self, op: OpId, depth: u32) -> Option<Comparison> {
        use CmpIPredicate::{Eq, Ne};
        let compare = arith::CmpI::cast(self.ir, op)?;
        let (lhs, rhs) = (compare.lhs(self.ir), compare.rhs(self.ir));
        let mut predicate = compare.predicate(self.ir);
        let zero =
            |value: Value| constant_of(self.ir, value)?.as_i64(self.ir.cx()).filter(|value| *value == 0);
        let multiple = |value: Value, other: Value| zero(other).and_then(|_| self.remainder(value, depth));
        if matches!(predicate, Eq | Ne)
            && let Some(value) = multiple(lhs, rhs).or_else(|| multiple(rhs, lhs))
        {
            return Some(Comparison { value: value.within(&self.sizes), predicate, bound: 0 });
        }
        let (a, b) = (self.number(lhs, depth)?, self.number(rhs, depth)?);
        if predicate.is_unsigned() {
            predicate = signed(predicate).filter(|_| self.is_natural(&a) && self.is_natural(&b))?;
        }
        let (value, predicate, bound) = match (a.as_constant(), b.as_constant()) {
            (_, Some(bound)) => (a, predicate, bound),
            (Some(bound), _) => (b, predicate.swapped(), bound),
            // `y` and `(y floordiv n) * n`: their difference is a remainder, taken from `y`.
            _ => match AffineExpr::sub(b.clone(), a.clone()) {
                remainder if remainder.operands_of(AffineKind::Mod).is_some() => {
                    (remainder, predicate.swapped(), 0)
                }
                _ => (AffineExpr::sub(a, b), predicate, 0),
            },
        };
        let value = value.within(&self.sizes);
        let known = value
            .operands_of(AffineKind::Add)
            .and_then(|(value, known)| Some((value.clone(), known.as_constant()?)));
        Some(match known {
            Some((value, known)) => Comparison { value, predicate, bound: bound.checked_sub(known)? },
            None => Comparison { value, predicate, bound },
        })
    }

    /// A remainder up to its sign, of which only counts whether it is zero
    fn remainder(&self, value: Value, depth: u32) -> Option<AffineExpr> {
        let op = self.ir.defining_op(value).filter(|op| self.ir.is(*op, arith::RemSI::DEF))?;
        let of = self.number(self.ir.operand(op, 0), depth.checked_sub(1)?)?;
        let by = self.number(self.ir.operand(op, 1), 1)?.as_constant().filter(|by| *by > 0)?;
        Some(AffineExpr::modulo(of, by.into()))
    }

    /// An integer as an expression of coordinates
    fn number(&self, value: Value, depth: u32) -> Option<AffineExpr> {
        self.spend()?;
        let (ir, cx) = (self.ir, self.ir.cx());
        let bits = match ir.ty(value).kind(cx) {
            TypeKind::Index => 64,
            TypeKind::Int { width: width @ 2..=64, .. } => *width,
            _ => return None,
        };
        let expr = match constant_of(ir, value) {
            Some(attr) => attr.as_i64(cx)?.into(),
            None => self.computed(ir.defining_op(value)?, depth.checked_sub(1)?)?,
        };
        let range = range_of(&expr, &self.ranges)?;
        let end = 1i128 << (bits - 1);
        (i128::from(range.min()) >= -end && i128::from(range.max()) < end).then_some(expr)
    }

    /// Is it never below zero?
    fn is_natural(&self, expr: &AffineExpr) -> bool {
        range_of(expr, &self.ranges).is_some_and(|range| range.min() >= 0)
    }

    fn computed(&self, op: OpId, depth: u32) -> Option<AffineExpr> {
        let ir = self.ir;
        if let Some(index) = Index::cast(ir, op) {
            let dim = index.dim(ir).as_i64(ir.cx())?;
            return u32::try_from(dim)
                .ok()
                .filter(|dim| (*dim as usize) < self.sizes.len())
                .map(AffineExpr::Dim);
        }
        let is = |def| ir.is(op, def);
        let operand = |n: usize| self.number(ir.operands(op).nth(n)?, depth);
        if is(arith::IndexCast::DEF) {
            return operand(0);
        }
        let known = |expr: AffineExpr| expr.as_constant();
        let quotient = |kind, whole: bool| {
            let (of, by) = (operand(0)?, known(operand(1)?).filter(|by| *by > 0)?);
            (whole || self.is_natural(&of)).then(|| AffineExpr::binary(kind, of, by.into()))
        };
        if is(arith::AddI::DEF) {
            Some(AffineExpr::add(operand(0)?, operand(1)?))
        } else if is(arith::SubI::DEF) {
            Some(AffineExpr::sub(operand(0)?, operand(1)?))
        } else if is(arith::MulI::DEF) {
            let (a, b) = (operand(0)?, operand(1)?);
            (a.as_constant().is_some() || b.as_constant().is_some()).then(|| AffineExpr::mul(a, b))
        } else if is(arith::FloorDivSI::DEF) {
            quotient(AffineKind::FloorDiv, true)
        } else if is(arith::DivSI::DEF) || is(arith::DivUI::DEF) {
            quotient(AffineKind::FloorDiv, false)
        } else if is(arith::RemSI::DEF) || is(arith::RemUI::DEF) {
            quotient(AffineKind::Mod, false)
        } else if is(arith::AndI::DEF) {
            let by = known(operand(1)?)?.checked_add(1).filter(|by| by.count_ones() == 1 && *by > 0)?;
            Some(AffineExpr::modulo(operand(0)?, by.into()))
        } else {
            None
        }
    }
}

/// The same order of numbers that are not negative
fn signed(predicate: CmpIPredicate) -> Option<CmpIPredicate> {
    use CmpIPredicate::{Sge, Sgt, Sle, Slt};
    [Slt, Sle, Sgt, Sge].into_iter().find(|signed| signed.unsigned() == predicate)
}

impl Connective {
    fn of(ir: &Ir, op: OpId) -> Option<Connective> {
        let one_bit = ir.num_results(op) == 1 && ir.ty(ir.result(op, 0)) == ir.cx().common().i1;
        let known = [
            (arith::AndI::DEF, Connective::And),
            (arith::OrI::DEF, Connective::Or),
            (arith::XOrI::DEF, Connective::Xor),
        ];
        known.into_iter().find(|(def, _)| one_bit && ir.is(op, def)).map(|(_, own)| own)
    }
}

impl Comparison {
    /// Its value, if it is the same at every point
    fn decided(&self, ranges: &[Range]) -> Option<bool> {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
        let range = range_of(&self.value, ranges)?;
        let holds = |value: i64| self.predicate.holds(value.cmp(&self.bound), value.cmp(&self.bound));
        match self.predicate {
            Eq | Ne if !range.contains(self.bound) => Some(self.predicate == Ne),
            Eq | Ne => range.as_constant().map(|_| self.predicate == Eq),
            Slt | Sle | Sgt | Sge => Some(holds(range.min())).filter(|first| *first == holds(range.max())),
            _ => None,
        }
    }

    /// The remainders that are zero exactly where it has this value
    fn remainders(&self, ranges: &[Range], wanted: bool, all: &mut Vec<Remainder>) -> Option<()> {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
        let range = range_of(&self.value, ranges)?;
        let (first, last) = (range.min(), range.max());
        let at = match if wanted { self.predicate } else { self.predicate.inverse() } {
            Eq => self.bound,
            // One of two values.
            Ne if range.count() == 2 && self.bound == first => last,
            Ne if range.count() == 2 && self.bound == last => first,
            Slt if self.bound == first.checked_add(1)? => first,
            Sle if self.bound == first => first,
            Sgt if self.bound == last.checked_sub(1)? => last,
            Sge if self.bound == last => last,
            _ => return None,
        };
        if at == 0 {
            return self::remainders(&self.value, all);
        }
        let (of, by) = self.value.operands_of(AffineKind::Mod)?;
        let by = by.as_constant().filter(|by| *by > 1 && (0..*by).contains(&at))?;
        add((AffineExpr::sub(of.clone(), at.into()), by), all);
        Some(())
    }
}

/// The terms of a sum of remainders by more than one: it is zero exactly where each of them is
pub fn remainders(expr: &AffineExpr, terms: &mut Vec<Remainder>) -> Option<()> {
    if let Some((left, right)) = expr.operands_of(AffineKind::Add) {
        remainders(left, terms)?;
        return remainders(right, terms);
    }
    let (left, right) = expr.operands_of(AffineKind::Mod)?;
    add((left.clone(), right.as_constant().filter(|by| *by > 1)?), terms);
    Some(())
}

/// One remainder more; the same one twice states no more than once
pub fn add(one: Remainder, all: &mut Vec<Remainder>) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// The sum of remainders
pub fn sum(terms: &[Remainder]) -> Option<AffineExpr> {
    let each = terms.iter().map(|(of, by)| AffineExpr::modulo(of.clone(), (*by).into()));
    each.reduce(AffineExpr::add)
}
