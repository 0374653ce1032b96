//! Affine expressions over the names of dimensions.
//!
//! A factor stands before its name (`2 * i`), as authors write it; reading takes either side.

use std::fmt::Write;
use terrace_diag::Reported;
use terrace_support::affine::{AffineExpr, AffineKind, MAX_DEPTH};
use terrace_text::{OpParser, Unresolved};

/// Parentheses inside of each other
const NESTING: u32 = 200;

/// Read a sum
pub fn parse(p: &mut OpParser<'_, '_>, names: &[String]) -> Result<AffineExpr, Reported> {
    parse_over(p, names, &[])
}

/// Read a sum that may have values from outside as symbols
pub fn parse_over(
    p: &mut OpParser<'_, '_>,
    names: &[String],
    symbols: &[Unresolved],
) -> Result<AffineExpr, Reported> {
    sum(p, Names { dims: names, symbols }, 0)
}

/// What names stand for
#[derive(Clone, Copy)]
struct Names<'a> {
    dims: &'a [String],
    symbols: &'a [Unresolved],
}

fn sum(p: &mut OpParser<'_, '_>, names: Names<'_>, depth: u32) -> Result<AffineExpr, Reported> {
    let mut expr = product(p, names, depth)?;
    loop {
        expr = if p.punct_opt("+") {
            AffineExpr::add(expr, product(p, names, depth)?)
        } else if p.punct_opt("-") {
            AffineExpr::sub(expr, product(p, names, depth)?)
        } else {
            return Ok(expr);
        };
        if expr.depth() > MAX_DEPTH {
            return Err(p.error("the expression is too deep"));
        }
    }
}

fn product(p: &mut OpParser<'_, '_>, names: Names<'_>, depth: u32) -> Result<AffineExpr, Reported> {
    let mut expr = leaf(p, names, depth)?;
    loop {
        let kind = if p.punct_opt("*") {
            AffineKind::Mul
        } else if p.keyword_opt("floordiv") {
            AffineKind::FloorDiv
        } else if p.keyword_opt("mod") {
            AffineKind::Mod
        } else {
            return Ok(expr);
        };
        let right = leaf(p, names, depth)?;
        let constant = right.as_constant();
        let (left, right) = match (kind, expr.as_constant(), constant) {
            (AffineKind::Mul, Some(_), None) => (right, expr),
            (AffineKind::Mul, _, Some(_)) => (expr, right),
            (AffineKind::Mul, None, None) => {
                return Err(p.error("index functions are affine: one factor of a product must be a number"));
            }
            (_, _, Some(by)) if by > 0 => (expr, right),
            _ => return Err(p.error("`floordiv` and `mod` take a positive number on the right")),
        };
        expr = AffineExpr::binary(kind, left, right);
        if expr.depth() > MAX_DEPTH {
            return Err(p.error("the expression is too deep"));
        }
    }
}

fn leaf(p: &mut OpParser<'_, '_>, names: Names<'_>, depth: u32) -> Result<AffineExpr, Reported> {
    if depth > NESTING {
        return Err(p.error("the expression is too deep"));
    }
    if p.punct_opt("(") {
        let inner = sum(p, names, depth + 1)?;
        p.punct(")")?;
        return Ok(inner);
    }
    if let Some(value) = p.int_opt()? {
        return match i64::try_from(value) {
            Ok(value) => Ok(value.into()),
            Err(_) => Err(p.error("the number does not fit 64 bits")),
        };
    }
    if p.punct_opt("-") {
        return Ok(AffineExpr::negated(leaf(p, names, depth + 1)?));
    }
    if let Some(n) = names.dims.iter().position(|name| p.keyword_opt(name)) {
        return Ok(AffineExpr::Dim(n as u32));
    }
    if let Some(value) = p.operand_opt()? {
        return match names.symbols.iter().position(|symbol| symbol.is_same(&value)) {
            Some(n) => Ok(AffineExpr::Symbol(n as u32)),
            None => {
                Err(p.error("only `where` mentions values, those that `extents(%n <= 4096)` gives a bound"))
            }
        };
    }
    Err(p.error(format!("expected a dimension ({}) or a number", names.dims.join(", "))))
}

/// Text of an expression, dimensions by name
pub fn text(expr: &AffineExpr, names: &[String]) -> String {
    text_over(expr, names, &[])
}

/// Text of an expression, dimensions and symbols by name
pub fn text_over(expr: &AffineExpr, names: &[String], symbols: &[String]) -> String {
    let mut out = String::new();
    write(expr, (names, symbols), false, &mut out);
    out
}

fn write(expr: &AffineExpr, names: (&[String], &[String]), tight: bool, out: &mut String) {
    let (kind, left, right) = match expr {
        AffineExpr::Dim(n) => {
            return match names.0.get(*n as usize) {
                Some(name) => out.push_str(name),
                None => push(out, format_args!("d{n}")),
            };
        }
        AffineExpr::Symbol(n) => {
            return match names.1.get(*n as usize) {
                Some(name) => out.push_str(name),
                None => push(out, format_args!("s{n}")),
            };
        }
        AffineExpr::Constant(c) => return push(out, format_args!("{c}")),
        AffineExpr::Binary(b) => (b.kind(), b.lhs(), b.rhs()),
    };
    if tight {
        out.push('(');
    }
    match kind {
        AffineKind::Add => {
            write(left, names, false, out);
            match negative(right) {
                Some((factor, inner)) => {
                    out.push_str(" - ");
                    if let Some(inner) = inner {
                        if factor != 1 {
                            push(out, format_args!("{factor} * "));
                        }
                        write(inner, names, true, out);
                    } else {
                        push(out, format_args!("{factor}"));
                    }
                }
                None => {
                    out.push_str(" + ");
                    write(right, names, false, out);
                }
            }
        }
        AffineKind::Mul => match right.as_constant() {
            Some(-1) => {
                out.push('-');
                write(left, names, true, out);
            }
            _ => {
                write(right, names, true, out);
                out.push_str(" * ");
                write(left, names, true, out);
            }
        },
        _ => {
            write(left, names, true, out);
            out.push_str(match kind {
                AffineKind::Mod => " mod ",
                AffineKind::CeilDiv => " ceildiv ",
                _ => " floordiv ",
            });
            write(right, names, true, out);
        }
    }
    if tight {
        out.push(')');
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
}

/// |c| and x of a term c·x or c with c < 0
fn negative(expr: &AffineExpr) -> Option<(u64, Option<&AffineExpr>)> {
    if let Some(value) = expr.as_constant() {
        return (value < 0).then(|| (value.unsigned_abs(), None));
    }
    let (inner, factor) = expr.operands_of(AffineKind::Mul)?;
    let factor = factor.as_constant().filter(|factor| *factor < 0)?;
    Some((factor.unsigned_abs(), Some(inner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_stand_first() {
        let names = ["i".to_string(), "j".to_string()];
        let (i, j) = (AffineExpr::Dim(0), AffineExpr::Dim(1));
        let e = AffineExpr::mul(i.clone(), 2.into()) - AffineExpr::mul(j, 3.into()) - 1.into();
        assert_eq!(text(&e, &names), "2 * i - 3 * j - 1");
        let e = AffineExpr::modulo(i + 1.into(), 4.into());
        assert_eq!(text(&e, &names), "(i + 1) mod 4");
    }
}
