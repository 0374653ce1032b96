//! Linear forms: one coefficient per dimension and symbol, and a constant.

use super::{AffineExpr, AffineKind};

/// `sum(dims[i] * di) + sum(symbols[i] * si) + constant`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// Coefficient of each dimension, up to the last that occurs
    pub dims: Vec<i64>,
    /// Coefficient of each symbol, up to the last that occurs
    pub symbols: Vec<i64>,
    /// The constant term
    pub constant: i64,
}

impl Linear {
    /// The coefficient of dimension `position`, zero where it does not occur
    pub fn dim(&self, position: usize) -> i64 {
        self.dims.get(position).copied().unwrap_or(0)
    }

    /// The coefficient of symbol `position`, zero where it does not occur
    pub fn symbol(&self, position: usize) -> i64 {
        self.symbols.get(position).copied().unwrap_or(0)
    }

    /// The expression of this form: dimensions, then symbols, then the constant
    pub fn to_expr(&self) -> AffineExpr {
        let term = |leaf, c: i64| AffineExpr::mul(leaf, c.into());
        let dims = (0u32..).zip(&self.dims).map(|(n, c)| term(AffineExpr::Dim(n), *c));
        let symbols = (0u32..).zip(&self.symbols).map(|(n, c)| term(AffineExpr::Symbol(n), *c));
        let sum = dims.chain(symbols).fold(AffineExpr::Constant(0), AffineExpr::add);
        sum + self.constant.into()
    }
}

/// Is an access with these subscripts constant along a dimension, or one element further in its row each time?
pub fn in_rows(subscripts: &[AffineExpr], dim: usize) -> bool {
    let last = subscripts.len().saturating_sub(1);
    subscripts.iter().enumerate().all(|(axis, expr)| match expr.as_linear().map(|expr| expr.dim(dim)) {
        Some(0) => true,
        Some(1) => axis == last,
        _ => false,
    })
}

impl AffineExpr {
    /// The coefficients, if the expression is a sum of constant multiples; `None` otherwise or on overflow
    ///
    /// Equal values need not mean equal trees (`d0 + d1 - d0` is not simplified); equal linear forms do.
    pub fn as_linear(&self) -> Option<Linear> {
        let (dims, symbols) = self.arity();
        // A map with a stray `d4000000000` must not make us allocate for it.
        if u64::from(dims) + u64::from(symbols) > 1 << 20 {
            return None;
        }
        let mut form =
            Linear { dims: vec![0; dims as usize], symbols: vec![0; symbols as usize], constant: 0 };
        accumulate(self, 1, &mut form)?;
        Some(form)
    }
}

fn accumulate(expr: &AffineExpr, factor: i64, form: &mut Linear) -> Option<()> {
    let slot = match expr {
        AffineExpr::Dim(n) => &mut form.dims[*n as usize],
        AffineExpr::Symbol(n) => &mut form.symbols[*n as usize],
        AffineExpr::Constant(c) => {
            form.constant = form.constant.checked_add(c.checked_mul(factor)?)?;
            return Some(());
        }
        AffineExpr::Binary(b) => {
            let c = b.rhs().as_constant();
            return match (b.kind(), c) {
                (AffineKind::Add, _) => {
                    accumulate(b.lhs(), factor, form)?;
                    accumulate(b.rhs(), factor, form)
                }
                (AffineKind::Mul, Some(c)) => accumulate(b.lhs(), factor.checked_mul(c)?, form),
                _ => None,
            };
        }
    };
    *slot = slot.checked_add(factor)?;
    Some(())
}
