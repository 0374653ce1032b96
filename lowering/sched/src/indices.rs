//! Index expressions: what an access means at the place where it stands, simplified and written as arithmetic.
//!
//! Terms of a sum are added outermost loop first and constants last, so that what does not change in a loop can move out
//! of it and what is left is a small step from the loop's own variable.

use crate::emit::{Emit, Val};
use terrace_analysis::{Range, coefficient_of, divides, range_of, simplify_with_ranges};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_vector as vector;
use terrace_ir::Value;
use terrace_schedule_model::nest::APART;
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// Expressions over new values, with what is known of them
#[derive(Clone)]
pub(crate) struct IndexExprs {
    pub exprs: Vec<AffineExpr>,
    dims: Vec<Value>,
    ranges: Vec<Range>,
    /// The dimension that stands for the lane's number
    lane: Option<u32>,
    /// A value that differs from lane to lane and is not a sum of the lane's number: which, by dimension
    pub opaque: Vec<(u32, Value)>,
}

impl IndexExprs {
    /// Is it proved that an expression is always a multiple of a number?
    pub fn is_multiple(&self, expr: &AffineExpr, of: i64) -> bool {
        divides(of, expr, &self.ranges)
    }

    pub fn range(&self, expr: &AffineExpr) -> Range {
        range_of(expr, &self.ranges).unwrap_or(Range::ALL)
    }

    /// Values of the dimensions, and what is known of them
    pub fn variables(&self) -> (Vec<Value>, Vec<Range>) {
        (self.dims.clone(), self.ranges.clone())
    }

    /// How often the lane's number is in the expression: `None` if it is not a plain term
    pub fn lanes_in(&self, expr: &AffineExpr) -> Option<i64> {
        match self.lane {
            Some(lane) if expr.uses_dim(lane) => coefficient_of(expr, lane),
            _ => Some(0),
        }
    }

    /// Does it mean the same place in every lane?
    pub fn is_uniform(&self) -> bool {
        self.opaque.is_empty() && self.exprs.iter().all(|expr| self.lanes_in(expr) == Some(0))
    }

    /// Do lanes follow each other in the last index, and in no other?
    pub fn is_contiguous(&self) -> bool {
        let Some((last, others)) = self.exprs.split_last() else { return false };
        self.opaque.is_empty()
            && self.lanes_in(last) == Some(1)
            && others.iter().all(|expr| self.lanes_in(expr) == Some(0))
    }

    /// Elements of a row that neighbouring lanes are apart, where they follow each other in the last index and in no other, with
    /// few elements between them
    pub fn apart(&self) -> Option<i64> {
        let (last, others) = self.exprs.split_last()?;
        let row = self.opaque.is_empty() && others.iter().all(|expr| self.lanes_in(expr) == Some(0));
        self.lanes_in(last).filter(|apart| row && (2..=APART).contains(apart))
    }

    /// The expressions for lane 0 of the vector: what a contiguous access starts at
    pub fn at_lane(&self, lane: i64) -> Vec<AffineExpr> {
        self.exprs.iter().map(|expr| self.with_lane(expr, lane)).collect()
    }

    fn with_lane(&self, expr: &AffineExpr, lane: i64) -> AffineExpr {
        let Some(dim) = self.lane else { return expr.clone() };
        let replaced = expr.map_leaves(&mut |leaf| match leaf {
            AffineExpr::Dim(n) if *n == dim => AffineExpr::Constant(lane),
            other => other.clone(),
        });
        let replaced = replaced.unwrap_or_else(|| expr.clone());
        simplify_with_ranges(&replaced, &self.ranges)
    }
}

impl Emit<'_> {
    /// What a map means here
    pub fn place(&mut self, map: &AffineMap, values: &[Value]) -> IndexExprs {
        let mut place = IndexExprs {
            exprs: Vec::new(),
            dims: Vec::new(),
            ranges: Vec::new(),
            lane: None,
            opaque: Vec::new(),
        };
        let mut leaves = Vec::with_capacity(values.len());
        for value in values {
            let leaf = match self.get(*value) {
                Val::Const(value) => AffineExpr::Constant(value),
                Val::One(new) => match self.range(new).as_constant() {
                    Some(value) => AffineExpr::Constant(value),
                    None => {
                        let range = self.range(new);
                        place.dim(new, range)
                    }
                },
                Val::Lane(tile) => {
                    let width = self.lanes.map_or(1, |lanes| lanes.width);
                    let lane = match place.lane {
                        Some(lane) => AffineExpr::Dim(lane),
                        None => {
                            let dim = place.dim(*value, Range::below(width).unwrap_or(Range::ALL));
                            place.lane = Some(place.dims.len() as u32 - 1);
                            dim
                        }
                    };
                    AffineExpr::mul(lane, AffineExpr::Constant(tile))
                }
                Val::Many(new) => {
                    let dim = place.dim(new, Range::ALL);
                    place.opaque.push((place.dims.len() as u32 - 1, new));
                    dim
                }
            };
            leaves.push(leaf);
        }
        for expr in &map.results {
            let expr = expr.replace(&leaves, &[]).unwrap_or_else(|| expr.clone());
            let expr = simplify_with_ranges(&expr, &place.ranges);
            place.exprs.push(expr);
        }
        place
    }

    /// One lane of a place: no lane number and no vectors in it any more
    pub fn lane_of(&mut self, place: &IndexExprs, lane: i64) -> IndexExprs {
        let mut one = IndexExprs {
            exprs: place.at_lane(lane),
            dims: place.dims.clone(),
            ranges: place.ranges.clone(),
            lane: None,
            opaque: Vec::new(),
        };
        for (dim, vector) in &place.opaque {
            one.dims[*dim as usize] = self.extract(*vector, lane);
        }
        one
    }

    /// Write an expression of a place as arithmetic
    pub fn affine(&mut self, place: &IndexExprs, expr: &AffineExpr) -> Value {
        if let AffineExpr::Constant(value) = expr {
            return self.index(*value);
        }
        let index = self.cx.common().index;
        let range = place.range(expr);
        let value = match expr {
            AffineExpr::Dim(n) => return place.dims[*n as usize],
            AffineExpr::Symbol(_) | AffineExpr::Constant(_) => return self.index(0),
            AffineExpr::Binary(_) => match expr.as_binary() {
                Some((AffineKind::Add, ..)) => self.sum(place, expr),
                Some((AffineKind::Mul, a, b)) => {
                    let (a, b) = (self.affine(place, a), self.affine(place, b));
                    self.value(arith::MulI::DEF, &[a, b], index, &[])
                }
                Some((kind, a, b)) => {
                    let positive = place.range(a).min() >= 0;
                    let (a, b) = (self.affine(place, a), self.affine(place, b));
                    self.divide(kind, a, b, positive)
                }
                None => return self.index(0),
            },
        };
        self.declare_as(value, range, self.depth_in(place, expr));
        value
    }

    fn declare_as(&mut self, value: Value, range: Range, depth: u32) {
        let back = std::mem::replace(&mut self.depth, depth);
        self.declare(value, Some(range));
        self.depth = back;
    }

    fn divide(&mut self, kind: AffineKind, a: Value, b: Value, positive: bool) -> Value {
        let index = self.cx.common().index;
        let def = match (kind, positive) {
            (AffineKind::FloorDiv, true) => arith::DivUI::DEF,
            (AffineKind::FloorDiv, false) => arith::FloorDivSI::DEF,
            (AffineKind::CeilDiv, true) => arith::CeilDivUI::DEF,
            (AffineKind::CeilDiv, false) => arith::CeilDivSI::DEF,
            (_, true) => arith::RemUI::DEF,
            (_, false) => {
                // a mod b = a - b * floor(a / b)
                let quotient = self.value(arith::FloorDivSI::DEF, &[a, b], index, &[]);
                let below = self.value(arith::MulI::DEF, &[quotient, b], index, &[]);
                return self.value(arith::SubI::DEF, &[a, below], index, &[]);
            }
        };
        self.value(def, &[a, b], index, &[])
    }

    /// Depth of the innermost loop in an expression; constants come last
    fn depth_in(&self, place: &IndexExprs, expr: &AffineExpr) -> u32 {
        let mut depth = 0;
        expr.any_leaf(&mut |leaf| {
            if let AffineExpr::Dim(n) = leaf {
                depth = depth.max(self.depth_of(place.dims[*n as usize]));
            }
            false
        });
        depth
    }

    fn sum(&mut self, place: &IndexExprs, expr: &AffineExpr) -> Value {
        let index = self.cx.common().index;
        let (mut terms, mut open) = (Vec::new(), vec![expr]);
        while let Some(expr) = open.pop() {
            match expr.operands_of(AffineKind::Add) {
                Some((a, b)) => open.extend([b, a]),
                None => terms.push(expr),
            }
        }
        terms.sort_by_key(|term| (term.as_constant().is_some(), self.depth_in(place, term)));
        // A term that is added starts, if there is one of least depth.
        let factor = |term: &AffineExpr| match term.operands_of(AffineKind::Mul) {
            Some((_, b)) => b.as_constant().unwrap_or(1),
            None => 1,
        };
        if let Some(first) = terms.iter().position(|term| factor(term) >= 0) {
            let term = terms.remove(first);
            terms.insert(0, term);
        }
        let mut sum: Option<Value> = None;
        for term in terms {
            let negated = match (sum, term.operands_of(AffineKind::Mul)) {
                (Some(_), Some((a, b))) if b.as_constant() == Some(-1) => Some(a),
                _ => None,
            };
            let value = self.affine(place, negated.unwrap_or(term));
            sum = Some(match sum {
                None => value,
                Some(sum) => {
                    let def = if negated.is_some() { arith::SubI::DEF } else { arith::AddI::DEF };
                    let (range, depth) = (Range::ALL, self.depth_of(sum).max(self.depth_of(value)));
                    let sum = self.value(def, &[sum, value], index, &[]);
                    self.declare_as(sum, range, depth);
                    sum
                }
            });
        }
        sum.unwrap_or_else(|| self.index(0))
    }

    /// The indices of a place where lanes do not matter, or of lane 0
    pub fn indices(&mut self, place: &IndexExprs) -> Vec<Value> {
        let start = place.at_lane(0);
        start.iter().map(|expr| self.affine(place, expr)).collect()
    }

    /// Whether all indices are inside of a shape: nothing to check, a condition, or one mask per lane
    pub fn inside(&mut self, place: &IndexExprs, shape: &[i64]) -> Inside {
        let mut all = Inside::default();
        for (expr, size) in place.exprs.iter().zip(shape) {
            if self.is_within(place, expr, [0, size.saturating_sub(1)]) {
                continue;
            }
            let (least, most) = (self.least(place, expr), self.most_of(place, expr));
            let (low, high) = (least < 0, most >= *size);
            if least >= *size || most < 0 {
                all.condition = Some(self.constant(self.cx.bool_attr(false)));
                return all;
            }
            let apart = place.lanes_in(expr).unwrap_or(1);
            let first = &place.with_lane(expr, 0);
            if apart == 0 {
                let value = self.affine(place, first);
                let size = self.index(*size);
                let holds = match (low, high) {
                    // Read as unsigned, what is below zero is large.
                    (true, true) => self.compare(CmpIPredicate::Ult, value, size),
                    (false, true) => self.compare(CmpIPredicate::Slt, value, size),
                    _ => {
                        let zero = self.index(0);
                        self.compare(CmpIPredicate::Sge, value, zero)
                    }
                };
                all.condition = self.both(all.condition, Some(holds));
                continue;
            }
            // Lane l is at first + apart · l.
            let width = self.lanes.map_or(1, |lanes| lanes.width);
            let lanes = |elements: AffineExpr| AffineExpr::ceil_div(elements, apart.max(1).into());
            if high {
                let left = AffineExpr::sub(AffineExpr::Constant(*size), first.clone());
                let count = self.affine(place, &lanes(left));
                let mask = self.first_lanes(count, width);
                all.mask = self.both(all.mask, Some(mask));
            }
            if low {
                let missing = self.affine(place, &lanes(AffineExpr::negated(first.clone())));
                let mask = self.first_lanes(missing, width);
                let ones = self.splat(self.cx.bool_attr(true), width);
                let ty = self.ir.ty(mask);
                let mask = self.value(arith::XOrI::DEF, &[mask, ones], ty, &[]);
                all.mask = self.both(all.mask, Some(mask));
            }
        }
        all
    }

    /// The first `count` lanes
    pub fn first_lanes(&mut self, count: Value, width: i64) -> Value {
        let ty = self.cx.vector(&[width], self.cx.common().i1);
        self.value(vector::CreateMask::DEF, &[count], ty, &[])
    }
}

impl IndexExprs {
    fn dim(&mut self, value: Value, range: Range) -> AffineExpr {
        let n = self.dims.iter().position(|other| *other == value).unwrap_or_else(|| {
            self.dims.push(value);
            self.ranges.push(range);
            self.dims.len() - 1
        });
        AffineExpr::Dim(n as u32)
    }
}

/// What has to hold so that an access stays inside
#[derive(Clone, Copy, Default)]
pub(crate) struct Inside {
    /// For all lanes together
    pub condition: Option<Value>,
    /// Per lane
    pub mask: Option<Value>,
}
