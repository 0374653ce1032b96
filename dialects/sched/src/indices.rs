//! Indices as affine expressions: what `arith` and `affine` compute of loop variables, as far as it is affine.
//!
//! Sums, differences, multiples, and quotients and remainders by positive constants are read through. Where `arith` rounds
//! towards zero and affine expressions round down, the dividend must be known not to be negative. Everything else stays a
//! value. Long chains of ops are cut: at most [`MOST_OPS`] are read for an index, at most [`DEEPEST`] of them one in another.
//!
//! **Invariant:** two expressions that differ as integers differ as values. Sums and products of `arith` wrap around at 2^64, so what
//! two iterations write differs as integers and may yet be one element. They are read where ranges show that the result does not
//! leave 64 bits, or `overflow<nsw>` promises it. Between ops that wrap, only the end must fit: `(n + i) - n` is `i`. `n + i` is read, too,
//! whatever `n` is, and so is `m + i`, where `m` is a product of outer values that may wrap around.

use terrace_analysis::{Range, range_of};
use terrace_dialect_affine as affine;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::OverflowFlags;
use terrace_ir::fold::constant_of;
use terrace_ir::{Ir, OpDef, OpId, Type, Value, ValueDef};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Ops that are read for one index
const MOST_OPS: usize = 128;

/// Ops that are read one in another
const DEEPEST: usize = 32;

/// Expressions over values
pub(crate) struct Indices<'a> {
    ir: &'a Ir,
    /// Which numbers a value may be
    range: &'a dyn Fn(Value) -> Range,
    /// Dimensions in front of those of the values
    own: u32,
    /// What dimensions stand for
    values: Vec<Value>,
    /// How many ops may still be read
    ops: usize,
    /// Are products read that may wrap around?
    products: bool,
}

/// What is known of an index is less than that: the difference of two is far from 2^64
const KNOWN: i128 = 1 << 62;

impl<'a> Indices<'a> {
    /// Expressions whose first dimensions, `own` many, are others
    pub fn new(ir: &'a Ir, range: &'a dyn Fn(Value) -> Range, own: u32) -> Indices<'a> {
        Indices { ir, range, own, values: Vec::new(), ops: 0, products: true }
    }

    /// What the dimensions of all expressions stand for, behind those in front
    pub fn values(self) -> Vec<Value> {
        self.values
    }

    /// An index as an expression of other values; at worst it is itself one of them
    pub fn expr(&mut self, value: Value) -> AffineExpr {
        let known = self.values.len();
        for products in [true, false] {
            (self.ops, self.products) = (MOST_OPS, products);
            let read = self.modular(value, 0);
            if read.equal || self.differs(&read.expr) {
                return read.expr;
            }
            self.values.truncate(known);
        }
        self.itself(value)
    }

    /// Does an expression that wraps around differ wherever its integers do?
    ///
    /// What is not known in it occurs once. So it falls out of the difference of two, or is in it twice or once: then the difference can be any
    /// number, or any even one, as integers and modulo 2^64. The rest of the difference is less than 2^63.
    fn differs(&self, expr: &AffineExpr) -> bool {
        let Some(linear) = expr.as_linear().filter(|linear| linear.symbols.is_empty()) else { return false };
        let (mut least, mut most) = (i128::from(linear.constant), i128::from(linear.constant));
        for (n, factor) in linear.dims.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            let value = n.checked_sub(self.own as usize).and_then(|n| self.values.get(n));
            let range = value.map_or(Range::ALL, |value| (self.range)(*value));
            if range == Range::ALL {
                if factor.unsigned_abs() != 1 {
                    return false;
                }
                continue;
            }
            let ends = [range.min(), range.max()].map(|end| i128::from(end) * i128::from(*factor));
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        -KNOWN < least && most < KNOWN
    }

    /// An expression that is equal to the value
    fn of(&mut self, value: Value, depth: usize) -> AffineExpr {
        let known = self.values.len();
        let read = self.modular(value, depth);
        if read.equal {
            return read.expr;
        }
        self.values.truncate(known);
        self.itself(value)
    }

    /// An expression that is equal to the value, or differs from it by a multiple of 2^64
    fn modular(&mut self, value: Value, depth: usize) -> Modular {
        if let Some(number) = constant_of(self.ir, value).and_then(|attr| attr.as_i64(self.ir.cx())) {
            return Modular::equal(AffineExpr::Constant(number));
        }
        if let Some(ValueDef::Result(op, n)) = self.ir.value_def(value)
            && depth < DEEPEST
            && self.ops > 0
            && self.is_wide(self.ir.ty(value))
        {
            self.ops -= 1;
            let known = self.values.len();
            match self.computed(op, n as usize, depth + 1) {
                Some(read) => return read,
                None => self.values.truncate(known),
            }
        }
        Modular::equal(self.itself(value))
    }

    /// The dimension that stands for a value
    fn itself(&mut self, value: Value) -> AffineExpr {
        let n = self.values.iter().position(|known| *known == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        AffineExpr::Dim(self.own + n as u32)
    }

    /// Numbers of fewer bits than an address may wrap around
    fn is_wide(&self, ty: Type) -> bool {
        let common = self.ir.cx().common();
        ty == common.index || ty == common.i64
    }

    fn computed(&mut self, op: OpId, result: usize, depth: usize) -> Option<Modular> {
        let ir = self.ir;
        if ir.is_any(op, &[arith::AddI::DEF, arith::SubI::DEF, arith::MulI::DEF, arith::ShLI::DEF]) {
            return self.wrapping(op, depth);
        }
        if ir.is_any(op, &[arith::IndexCast::DEF, arith::IndexCastUI::DEF]) {
            let from = ir.operand(op, 0);
            return self.is_wide(ir.ty(from)).then(|| self.modular(from, depth));
        }
        self.not_wrapping(op, result, depth).map(Modular::equal)
    }

    /// Sums, differences and multiples
    fn wrapping(&mut self, op: OpId, depth: usize) -> Option<Modular> {
        let ir = self.ir;
        let flags = ir.attr(op, "overflowFlags").and_then(|attr| OverflowFlags::of(ir.cx(), attr));
        let promised = flags.is_some_and(|flags| flags.has(OverflowFlags::NSW));
        let [a, b] = [0, 1].map(|n| match ir.operand(op, n) {
            value if promised => self.of(value, depth),
            value => self.modular(value, depth).expr,
        });
        let expr = if ir.is(op, arith::AddI::DEF) {
            AffineExpr::add(a, b)
        } else if ir.is(op, arith::SubI::DEF) {
            AffineExpr::sub(a, b)
        } else if ir.is(op, arith::MulI::DEF) {
            a.as_constant().or(b.as_constant())?;
            AffineExpr::mul(a, b)
        } else {
            let by = b.as_constant().filter(|by| (0..=32).contains(by))?;
            AffineExpr::mul(a, AffineExpr::Constant(1 << by))
        };
        let equal = promised || self.range_of(&expr).is_some();
        let product = ir.is_any(op, &[arith::MulI::DEF, arith::ShLI::DEF]);
        (equal || self.products || !product).then_some(Modular { expr, equal })
    }

    fn not_wrapping(&mut self, op: OpId, result: usize, depth: usize) -> Option<AffineExpr> {
        let ir = self.ir;
        if let Some(apply) = affine::Apply::cast(ir, op) {
            let (cx, operands) = (ir.cx(), apply.operands(ir));
            let map = apply.map(ir).as_affine_map(cx)?;
            return self.applied(map, &operands, depth);
        }
        if let Some(each) = affine::LinearizeIndex::cast(ir, op) {
            let sizes = known(each.sizes(ir))?;
            let parts: Vec<AffineExpr> =
                each.multi_index(ir).into_iter().map(|part| self.of(part, depth)).collect();
            let sizes = affine::inner(&sizes, parts.len());
            let mut parts = parts.into_iter();
            let first = parts.next()?;
            return Some(parts.zip(sizes).fold(first, |all, (part, size)| {
                AffineExpr::add(AffineExpr::mul(all, AffineExpr::Constant(size)), part)
            }));
        }
        if let Some(each) = affine::DelinearizeIndex::cast(ir, op) {
            let sizes = affine::inner(&known(each.sizes(ir))?, ir.num_results(op));
            let whole = self.of(each.linear_index(ir), depth);
            let inner = sizes.get(result..)?.iter().try_fold(1i64, |all, size| all.checked_mul(*size))?;
            let part = AffineExpr::floor_div(whole, AffineExpr::Constant(inner));
            return Some(match result.checked_sub(1) {
                None => part,
                Some(own) => AffineExpr::modulo(part, AffineExpr::Constant(*sizes.get(own)?)),
            });
        }
        self.quotient(op, depth)
    }

    /// A map on operands, where the result is affine again
    fn applied(&mut self, map: &AffineMap, operands: &[Value], depth: usize) -> Option<AffineExpr> {
        let all: Vec<AffineExpr> = operands.iter().map(|operand| self.of(*operand, depth)).collect();
        let (dims, symbols) = all.split_at_checked(map.dims as usize)?;
        map.results.first()?.replace(dims, symbols).filter(AffineExpr::is_pure_affine)
    }

    /// Quotients and remainders by positive numbers
    fn quotient(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        const KNOWN: [&OpDef; 7] = [
            arith::FloorDivSI::DEF,
            arith::CeilDivSI::DEF,
            arith::DivSI::DEF,
            arith::DivUI::DEF,
            arith::CeilDivUI::DEF,
            arith::RemSI::DEF,
            arith::RemUI::DEF,
        ];
        let ir = self.ir;
        if !ir.is_any(op, &KNOWN) {
            return None;
        }
        let is = |def| ir.is(op, def);
        let [a, b] = [0, 1].map(|n| self.of(ir.operand(op, n), depth));
        let by = b.as_constant().filter(|by| *by > 0).map(AffineExpr::Constant)?;
        if is(arith::FloorDivSI::DEF) {
            return Some(AffineExpr::floor_div(a, by));
        }
        if is(arith::CeilDivSI::DEF) {
            return Some(AffineExpr::ceil_div(a, by));
        }
        self.is_natural(&a).then(|| {
            if ir.is_any(op, &[arith::DivSI::DEF, arith::DivUI::DEF]) {
                AffineExpr::floor_div(a, by)
            } else if is(arith::CeilDivUI::DEF) {
                AffineExpr::ceil_div(a, by)
            } else {
                AffineExpr::modulo(a, by)
            }
        })
    }

    /// Is an expression known not to be negative?
    fn is_natural(&self, expr: &AffineExpr) -> bool {
        self.range_of(expr).is_some_and(|range| range.min() >= 0)
    }

    /// Numbers that an expression may be, if none of them leaves 64 bits
    fn range_of(&self, expr: &AffineExpr) -> Option<Range> {
        let front = std::iter::repeat_n(Range::ALL, self.own as usize);
        let ranges: Vec<Range> = front.chain(self.values.iter().map(|value| (self.range)(*value))).collect();
        range_of(expr, &ranges[..])
    }
}

/// What is read of a value
struct Modular {
    expr: AffineExpr,
    /// Equal to the value, not only up to a multiple of 2^64
    equal: bool,
}

impl Modular {
    fn equal(expr: AffineExpr) -> Modular {
        Modular { expr, equal: true }
    }
}

/// Sizes that are all numbers
fn known(sizes: &[i64]) -> Option<Vec<i64>> {
    sizes.iter().all(|size| *size > 0).then(|| sizes.to_vec())
}
