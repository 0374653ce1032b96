//! The expression tree: sharing, equality, order, facts kept per node, evaluation and substitution.
//!
//! Invariant: a binary node is only made by the smart constructors of `simplify`, so equal text means equal trees.
//! Each binary node keeps its hash, depth, tree size, largest known divisor and whether it uses a dimension, so these
//! questions cost O(1). Dropping uses an explicit stack; evaluation and substitution recurse to the tree's depth.

use crate::gcd;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Deepest expression that callers may build from input
pub const MAX_DEPTH: u32 = 1000;

/// Largest tree (nodes counted as often as they are reached) that substitution may make
pub const MAX_SIZE: u32 = 1 << 16;

/// The operation of a binary node
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AffineKind {
    /// Sum
    Add,
    /// Product; the right side is symbolic or constant in affine text
    Mul,
    /// Remainder with the sign of the divisor, `0 <= r < c` for positive divisors
    Mod,
    /// Quotient rounded towards minus infinity
    FloorDiv,
    /// Quotient rounded towards plus infinity
    CeilDiv,
}

/// An affine (or semi-affine) expression; cloning is cheap
#[derive(Clone)]
pub enum AffineExpr {
    /// The dimension `dN`
    Dim(u32),
    /// The symbol `sN`
    Symbol(u32),
    /// A constant
    Constant(i64),
    /// An operation on two expressions, made by the smart constructors only
    Binary(AffineBinary),
}

/// A shared operation on two expressions
#[derive(Clone)]
pub struct AffineBinary(Option<Arc<Node>>);

struct Node {
    kind: AffineKind,
    lhs: AffineExpr,
    rhs: AffineExpr,
    hash: u64,
    depth: u32,
    size: u32,
    divisor: u64,
    symbolic: bool,
}

impl AffineBinary {
    fn node(&self) -> &Arc<Node> {
        self.0.as_ref().expect("the node is only taken while dropping")
    }

    /// The operation
    pub fn kind(&self) -> AffineKind {
        self.node().kind
    }

    /// The left operand
    pub fn lhs(&self) -> &AffineExpr {
        &self.node().lhs
    }

    /// The right operand
    pub fn rhs(&self) -> &AffineExpr {
        &self.node().rhs
    }
}

impl Drop for AffineBinary {
    // A long chain must not overflow the stack: nodes whose last owner goes are taken apart one by one.
    fn drop(&mut self) {
        let Some(first) = self.0.take().and_then(Arc::into_inner) else { return };
        let mut stack = vec![first.lhs, first.rhs];
        while let Some(expr) = stack.pop() {
            if let AffineExpr::Binary(mut binary) = expr
                && let Some(node) = binary.0.take().and_then(Arc::into_inner)
            {
                stack.push(node.lhs);
                stack.push(node.rhs);
            }
        }
    }
}

impl AffineExpr {
    /// Node without simplification; for the smart constructors
    pub(super) fn raw(kind: AffineKind, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        let mix = |h: u64, x: u64| (h.rotate_left(23) ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = mix(mix(kind as u64 + 11, lhs.hash_value()), rhs.hash_value());
        let depth = lhs.depth().max(rhs.depth()).saturating_add(1);
        let size = lhs.size().saturating_add(rhs.size()).saturating_add(1);
        let (a, b) = (lhs.largest_known_divisor(), rhs.largest_known_divisor());
        let divisor = match kind {
            AffineKind::Mul => a.checked_mul(b).unwrap_or(a.max(b)),
            AffineKind::Add | AffineKind::Mod => gcd(a, b),
            AffineKind::FloorDiv | AffineKind::CeilDiv => 1,
        };
        let symbolic = lhs.is_symbolic_or_constant() && rhs.is_symbolic_or_constant();
        let node = Node { kind, lhs, rhs, hash, depth, size, divisor, symbolic };
        AffineExpr::Binary(AffineBinary(Some(Arc::new(node))))
    }

    fn hash_value(&self) -> u64 {
        match self {
            AffineExpr::Dim(n) => (1 << 32) | u64::from(*n),
            AffineExpr::Symbol(n) => (2 << 32) | u64::from(*n),
            AffineExpr::Constant(c) => (*c as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ (3 << 32),
            AffineExpr::Binary(b) => b.node().hash,
        }
    }

    /// The value, if this is a constant
    pub fn as_constant(&self) -> Option<i64> {
        match self {
            AffineExpr::Constant(c) => Some(*c),
            _ => None,
        }
    }

    /// Operation and operands, if this is a binary node
    pub fn as_binary(&self) -> Option<(AffineKind, &AffineExpr, &AffineExpr)> {
        match self {
            AffineExpr::Binary(b) => Some((b.kind(), b.lhs(), b.rhs())),
            _ => None,
        }
    }

    /// Operands, if this is a binary node of that kind
    pub fn operands_of(&self, kind: AffineKind) -> Option<(&AffineExpr, &AffineExpr)> {
        self.as_binary().filter(|(k, _, _)| *k == kind).map(|(_, l, r)| (l, r))
    }

    /// Levels of the tree; a leaf has 1
    pub fn depth(&self) -> u32 {
        if let AffineExpr::Binary(b) = self { b.node().depth } else { 1 }
    }

    /// Nodes of the tree, shared ones counted as often as they are reached
    pub fn size(&self) -> u32 {
        if let AffineExpr::Binary(b) = self { b.node().size } else { 1 }
    }

    /// Whether no dimension occurs
    pub fn is_symbolic_or_constant(&self) -> bool {
        match self {
            AffineExpr::Dim(_) => false,
            AffineExpr::Symbol(_) | AffineExpr::Constant(_) => true,
            AffineExpr::Binary(b) => b.node().symbolic,
        }
    }

    /// A number that divides every value of the expression (0 for the constant zero)
    pub fn largest_known_divisor(&self) -> u64 {
        match self {
            AffineExpr::Dim(_) | AffineExpr::Symbol(_) => 1,
            AffineExpr::Constant(c) => c.unsigned_abs(),
            AffineExpr::Binary(b) => b.node().divisor,
        }
    }

    /// Whether products, quotients and remainders all have a constant on their right
    pub fn is_pure_affine(&self) -> bool {
        match self.as_binary() {
            None => true,
            Some((AffineKind::Add, l, r)) => l.is_pure_affine() && r.is_pure_affine(),
            Some((_, l, r)) => l.is_pure_affine() && r.as_constant().is_some(),
        }
    }

    /// Whether `test` holds for some leaf
    pub fn any_leaf(&self, test: &mut dyn FnMut(&AffineExpr) -> bool) -> bool {
        match self.as_binary() {
            None => test(self),
            Some((_, l, r)) => l.any_leaf(test) || r.any_leaf(test),
        }
    }

    /// Whether dimension `position` occurs
    pub fn uses_dim(&self, position: u32) -> bool {
        self.any_leaf(&mut |leaf| matches!(leaf, AffineExpr::Dim(n) if *n == position))
    }

    /// Whether symbol `position` occurs
    pub fn uses_symbol(&self, position: u32) -> bool {
        self.any_leaf(&mut |leaf| matches!(leaf, AffineExpr::Symbol(n) if *n == position))
    }

    /// One more than the largest dimension and symbol that occur: the least arities of a map that holds this
    pub fn arity(&self) -> (u32, u32) {
        let mut arity = (0, 0);
        self.any_leaf(&mut |leaf| {
            match leaf {
                AffineExpr::Dim(n) => arity.0 = arity.0.max(n.saturating_add(1)),
                AffineExpr::Symbol(n) => arity.1 = arity.1.max(n.saturating_add(1)),
                _ => {}
            }
            false
        });
        arity
    }

    /// Value at a point; `None` for a missing coordinate, overflow, or a divisor that is not positive
    pub fn eval(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            AffineExpr::Dim(n) => dims.get(*n as usize).copied(),
            AffineExpr::Symbol(n) => symbols.get(*n as usize).copied(),
            AffineExpr::Constant(c) => Some(*c),
            AffineExpr::Binary(b) => {
                let (x, y) = (b.lhs().eval(dims, symbols)?, b.rhs().eval(dims, symbols)?);
                match b.kind() {
                    AffineKind::Add => x.checked_add(y),
                    AffineKind::Mul => x.checked_mul(y),
                    _ if y <= 0 => None,
                    AffineKind::Mod => Some(x.rem_euclid(y)),
                    AffineKind::FloorDiv => Some(x.div_euclid(y)),
                    AffineKind::CeilDiv => Some(ceil_div(x, y)?),
                }
            }
        }
    }

    /// Replaces dimensions and symbols, simplifying on the way; a position beyond its slice stays
    ///
    /// `None` when the result would exceed [`MAX_DEPTH`] or [`MAX_SIZE`].
    pub fn replace(&self, dims: &[AffineExpr], symbols: &[AffineExpr]) -> Option<AffineExpr> {
        self.map_leaves(&mut |leaf| match leaf {
            AffineExpr::Dim(n) => dims.get(*n as usize).unwrap_or(leaf).clone(),
            AffineExpr::Symbol(n) => symbols.get(*n as usize).unwrap_or(leaf).clone(),
            _ => leaf.clone(),
        })
    }

    /// Renumbers dimensions by adding `dim_shift` and symbols by adding `symbol_shift`
    ///
    /// `None` when a number would not fit or a limit is exceeded.
    pub fn shift(&self, dim_shift: u32, symbol_shift: u32) -> Option<AffineExpr> {
        let (dims, symbols) = self.arity();
        dims.checked_add(dim_shift)?;
        symbols.checked_add(symbol_shift)?;
        self.map_leaves(&mut |leaf| match leaf {
            AffineExpr::Dim(n) => AffineExpr::Dim(n + dim_shift),
            AffineExpr::Symbol(n) => AffineExpr::Symbol(n + symbol_shift),
            _ => leaf.clone(),
        })
    }

    /// Rebuilds the expression with every leaf mapped; `None` beyond [`MAX_DEPTH`] or [`MAX_SIZE`]
    pub fn map_leaves(&self, f: &mut dyn FnMut(&AffineExpr) -> AffineExpr) -> Option<AffineExpr> {
        let result = match self.as_binary() {
            None => f(self),
            Some((kind, l, r)) => {
                let (nl, nr) = (l.map_leaves(f)?, r.map_leaves(f)?);
                if nl == *l && nr == *r { self.clone() } else { AffineExpr::binary(kind, nl, nr) }
            }
        };
        (result.depth() <= MAX_DEPTH && result.size() <= MAX_SIZE).then_some(result)
    }
}

impl PartialEq for AffineExpr {
    fn eq(&self, other: &AffineExpr) -> bool {
        match (self, other) {
            (AffineExpr::Dim(a), AffineExpr::Dim(b)) | (AffineExpr::Symbol(a), AffineExpr::Symbol(b)) => {
                a == b
            }
            (AffineExpr::Constant(a), AffineExpr::Constant(b)) => a == b,
            (AffineExpr::Binary(a), AffineExpr::Binary(b)) => {
                let (a, b) = (a.node(), b.node());
                Arc::ptr_eq(a, b)
                    || (a.hash == b.hash
                        && a.size == b.size
                        && a.kind == b.kind
                        && a.lhs == b.lhs
                        && a.rhs == b.rhs)
            }
            _ => false,
        }
    }
}

impl Eq for AffineExpr {}

impl Hash for AffineExpr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash_value());
    }
}

impl PartialOrd for AffineExpr {
    fn partial_cmp(&self, other: &AffineExpr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AffineExpr {
    /// Structural: dimensions, symbols, constants, then operations by kind, left and right
    fn cmp(&self, other: &AffineExpr) -> Ordering {
        let rank = |e: &AffineExpr| match e {
            AffineExpr::Dim(_) => 0,
            AffineExpr::Symbol(_) => 1,
            AffineExpr::Constant(_) => 2,
            AffineExpr::Binary(_) => 3,
        };
        match (self, other) {
            (AffineExpr::Dim(a), AffineExpr::Dim(b)) | (AffineExpr::Symbol(a), AffineExpr::Symbol(b)) => {
                a.cmp(b)
            }
            (AffineExpr::Constant(a), AffineExpr::Constant(b)) => a.cmp(b),
            (AffineExpr::Binary(a), AffineExpr::Binary(b)) => {
                if Arc::ptr_eq(a.node(), b.node()) {
                    return Ordering::Equal;
                }
                let (a, b) = (a.node(), b.node());
                a.kind.cmp(&b.kind).then_with(|| a.lhs.cmp(&b.lhs)).then_with(|| a.rhs.cmp(&b.rhs))
            }
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

/// `ceil(x / y)` for any `y` but zero; `None` on overflow
pub(super) fn ceil_div(x: i64, y: i64) -> Option<i64> {
    let (q, r) = (x.checked_div(y)?, x.checked_rem(y)?);
    Some(if r != 0 && (r < 0) == (y < 0) { q + 1 } else { q })
}

/// `floor(x / y)` for any `y` but zero; `None` on overflow
pub(super) fn floor_div(x: i64, y: i64) -> Option<i64> {
    let (q, r) = (x.checked_div(y)?, x.checked_rem(y)?);
    Some(if r != 0 && (r < 0) != (y < 0) { q - 1 } else { q })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_drops_without_deep_recursion() {
        let mut e = AffineExpr::Dim(0);
        for i in 0..200_000u32 {
            e = AffineExpr::raw(AffineKind::Add, e, AffineExpr::Dim(i));
        }
        assert_eq!(e.depth(), 200_001);
        drop(e);
    }

    #[test]
    fn doubling_by_substitution_stops_at_the_size_limit() {
        let d = AffineExpr::Dim(0);
        let twice = AffineExpr::add(d.clone(), AffineExpr::floor_div(d.clone(), AffineExpr::Constant(3)));
        let mut e = d;
        let stopped = (0..64).any(|_| match twice.replace(&[e.clone()], &[]) {
            Some(next) => {
                e = next;
                false
            }
            None => true,
        });
        assert!(stopped);
    }

    #[test]
    fn rounding_follows_the_sign_of_the_divisor() {
        for x in -9..=9i64 {
            for y in [-4i64, -3, -1, 1, 3, 4] {
                assert_eq!(floor_div(x, y), Some((x as f64 / y as f64).floor() as i64));
                assert_eq!(ceil_div(x, y), Some((x as f64 / y as f64).ceil() as i64));
            }
        }
        assert_eq!(floor_div(i64::MIN, -1), None);
        assert_eq!(ceil_div(1, 0), None);
    }
}
