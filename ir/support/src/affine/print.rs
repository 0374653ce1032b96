//! The text of expressions, maps and sets, as upstream prints it.

use std::fmt::{self, Display, Formatter, Write};

use super::{AffineExpr, AffineKind, AffineMap, IntegerSet};

/// Whether the surroundings bind tighter than a sum
#[derive(Clone, Copy, PartialEq)]
enum Around {
    Weak,
    Strong,
}

/// Writes a dimension or symbol
type Leaf<'a> = &'a mut dyn FnMut(&AffineExpr, &mut dyn Write) -> fmt::Result;

impl Display for AffineExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_with(f, &mut |leaf, f| match leaf {
            AffineExpr::Symbol(n) => write!(f, "s{n}"),
            AffineExpr::Dim(n) => write!(f, "d{n}"),
            _ => Ok(()),
        })
    }
}

impl fmt::Debug for AffineExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl AffineExpr {
    /// The text with dimensions and symbols written by `leaf`
    pub fn write_with(&self, f: &mut dyn Write, leaf: Leaf<'_>) -> fmt::Result {
        print(self, Around::Weak, f, leaf)
    }
}

fn print(expr: &AffineExpr, around: Around, f: &mut dyn Write, leaf: Leaf<'_>) -> fmt::Result {
    let (kind, lhs, rhs) = match expr {
        AffineExpr::Dim(_) | AffineExpr::Symbol(_) => return leaf(expr, f),
        AffineExpr::Constant(c) => return write!(f, "{c}"),
        AffineExpr::Binary(b) => (b.kind(), b.lhs(), b.rhs()),
    };
    if around == Around::Strong {
        f.write_char('(')?;
    }
    match kind {
        AffineKind::Add => print_sum(lhs, rhs, f, leaf)?,
        AffineKind::Mul if rhs.as_constant() == Some(-1) => {
            f.write_char('-')?;
            print(lhs, Around::Strong, f, leaf)?;
        }
        _ => {
            print(lhs, Around::Strong, f, leaf)?;
            f.write_str(match kind {
                AffineKind::Mul => " * ",
                AffineKind::Mod => " mod ",
                AffineKind::FloorDiv => " floordiv ",
                _ => " ceildiv ",
            })?;
            print(rhs, Around::Strong, f, leaf)?;
        }
    }
    if around == Around::Strong {
        f.write_char(')')?;
    }
    Ok(())
}

/// A sum, or a difference where the right side carries a negative factor
fn print_sum(lhs: &AffineExpr, rhs: &AffineExpr, f: &mut dyn Write, leaf: Leaf<'_>) -> fmt::Result {
    print(lhs, Around::Weak, f, leaf)?;
    if let Some((x, c)) = rhs.operands_of(AffineKind::Mul)
        && let Some(c) = c.as_constant().filter(|c| *c < 0)
    {
        f.write_str(" - ")?;
        if c != -1 {
            print(x, Around::Strong, f, leaf)?;
            return write!(f, " * {}", c.unsigned_abs());
        }
        let is_sum = x.operands_of(AffineKind::Add).is_some();
        return print(x, if is_sum { Around::Strong } else { Around::Weak }, f, leaf);
    }
    if let Some(c) = rhs.as_constant().filter(|c| *c < 0) {
        return write!(f, " - {}", c.unsigned_abs());
    }
    f.write_str(" + ")?;
    print(rhs, Around::Weak, f, leaf)
}

/// `(d0, d1)[s0]`
fn print_arity(dims: u32, symbols: u32, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('(')?;
    for n in 0..dims {
        write!(f, "{}d{n}", if n == 0 { "" } else { ", " })?;
    }
    f.write_char(')')?;
    if symbols > 0 {
        f.write_char('[')?;
        for n in 0..symbols {
            write!(f, "{}s{n}", if n == 0 { "" } else { ", " })?;
        }
        f.write_char(']')?;
    }
    Ok(())
}

impl Display for AffineMap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print_arity(self.dims, self.symbols, f)?;
        f.write_str(" -> (")?;
        for (n, result) in self.results.iter().enumerate() {
            write!(f, "{}{result}", if n == 0 { "" } else { ", " })?;
        }
        f.write_char(')')
    }
}

impl Display for IntegerSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print_arity(self.dims, self.symbols, f)?;
        f.write_str(" : (")?;
        for (n, (expr, equality)) in self.constraints.iter().enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            write!(f, "{comma}{expr} {} 0", if *equality { "==" } else { ">=" })?;
        }
        f.write_char(')')
    }
}
