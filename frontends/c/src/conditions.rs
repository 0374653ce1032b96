//! Conditions as bounds on sums over loop variables.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind};
use crate::bindings::Bindings;
use crate::computation::Bound;
use crate::heads::Head;
use crate::lowering::Lowering;
use terrace_support::affine::AffineExpr;

impl Bindings<'_> {
    /// A condition as bounds on sums over loop variables, and the parts that are none
    pub fn bounds<'e>(&self, test: &'e Expr, found: &mut Vec<Bound>, rest: &mut Vec<&'e Expr>) {
        let mut stack = vec![test];
        while let Some(e) = stack.pop() {
            if let ExprKind::Binary(BinaryOp::LogAnd, a, b) = &e.kind {
                stack.extend([&**b, &**a]);
                continue;
            }
            match self.bound(e) {
                Some(bound) => {
                    let same = found.iter_mut().find(|other| {
                        other.expr == bound.expr
                            && (other.low.is_none() || bound.low.is_none())
                            && (other.high.is_none() || bound.high.is_none())
                    });
                    match same {
                        Some(other) => {
                            other.low = other.low.take().or(bound.low);
                            other.high = other.high.take().or(bound.high);
                        }
                        None => found.push(bound),
                    }
                }
                None => rest.push(e),
            }
        }
    }

    fn bound(&self, e: &Expr) -> Option<Bound> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return None };
        let (a, b) = (self.simple(&self.affine(a)?), self.simple(&self.affine(b)?));
        let next = |e: AffineExpr| AffineExpr::add(e, 1.into());
        // The side with loop variables is what is compared.
        let swap = a.as_constant().is_some();
        let op = op.swapped().filter(|_| swap).unwrap_or(*op);
        let (expr, other) = if swap { (b, a) } else { (a, b) };
        let (low, high) = match op {
            BinaryOp::Lt => (None, Some(other)),
            BinaryOp::Le => (None, Some(next(other))),
            BinaryOp::Gt => (Some(next(other)), None),
            BinaryOp::Ge => (Some(other), None),
            BinaryOp::Eq => (Some(other.clone()), Some(next(other))),
            _ => return None,
        };
        Some(Bound { low, expr, high })
    }

    /// A range that is cut by the loops around it: the box, and what holds inside (a triangle, for one)
    pub fn cut(&self, head: &Head<'_>) -> Option<((i64, i64, i64), Bound)> {
        let (start, end) = (self.affine(head.start)?, self.affine(head.test.0)?);
        let end = match head.test.1 {
            BinaryOp::Lt => end,
            BinaryOp::Le => end + 1.into(),
            _ => return None,
        };
        let ((low, _), (least, high)) = (self.range(&start)?, self.range(&end)?);
        // What is unsigned wraps below 0 in C.
        let unsigned = |elem: Elem| matches!(elem, Elem::Int { signed: false, .. });
        let wraps = head.elem.is_none_or(unsigned) || self.ivs.iter().any(|iv| unsigned(iv.elem));
        if head.step != 1 || wraps && (low < 0 || least < 0) {
            return None;
        }
        let own = AffineExpr::Dim(self.ivs.len() as u32) + low.into();
        let bound = Bound {
            low: start.as_constant().is_none().then_some(start),
            expr: own,
            high: end.as_constant().is_none().then_some(end),
        };
        Some(((low, 1, high.checked_sub(low)?.max(0)), bound))
    }
}

impl Lowering<'_> {
    /// Code made from here on matters only where a test holds, or fails; undone by [`Lowering::forget`]
    pub fn assume(&mut self, test: &Expr, holds: bool) -> usize {
        let depth = self.body.as_ref().map_or(0, |body| body.known.len());
        if self.body.is_none() {
            return depth;
        }
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        self.names.bounds(test, &mut found, &mut rest);
        let mut facts: Vec<AffineExpr> = found.iter().flat_map(Bound::at_least_zero).collect();
        if !holds {
            // Only the opposite of one comparison is one.
            facts = match (facts.as_slice(), rest.is_empty()) {
                ([only], true) => vec![AffineExpr::sub((-1).into(), only.clone())],
                _ => Vec::new(),
            };
        }
        if let Some(body) = &mut self.body {
            body.known.extend(facts);
        }
        depth
    }

    /// Undo [`Lowering::assume`]
    pub fn forget(&mut self, depth: usize) {
        if let Some(body) = &mut self.body {
            body.known.truncate(depth);
        }
    }
}
