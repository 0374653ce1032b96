//! Syntax that several ops share: a map with its operands, `(%dims)[%symbols]`; indices over values.

use terrace_diag::Reported;
use terrace_ir::{Attr, AttrKind, Context, Value};
use terrace_support::affine::AffineMap;
use terrace_text::{Delim, OpParser, OpPrinter, Unresolved};

/// Numbers of dimensions and symbols of a map or set
pub fn arity(cx: &Context, attr: Attr) -> Option<(usize, usize)> {
    match attr.kind(cx) {
        AttrKind::AffineMap(map) => Some((map.dims as usize, map.symbols as usize)),
        AttrKind::IntegerSet(set) => Some((set.dims as usize, set.symbols as usize)),
        _ => None,
    }
}

/// `#map(%i)[%n]`: the map or set, and its operands
pub fn parse_map(p: &mut OpParser<'_, '_>) -> Result<(Attr, Vec<Unresolved>), Reported> {
    let at = p.here();
    let attr = p.attr()?;
    let Some((dims, symbols)) = arity(p.cx(), attr) else {
        return Err(p.error_in(at, "expected an affine map or set"));
    };
    let operands = parse_operands(p, dims, symbols)?;
    Ok((attr, operands))
}

/// `(%i)[%n]`
pub fn parse_operands(
    p: &mut OpParser<'_, '_>,
    dims: usize,
    symbols: usize,
) -> Result<Vec<Unresolved>, Reported> {
    let at = p.here();
    let mut operands = p.operands(Delim::Paren)?;
    let given = operands.len();
    operands.extend(p.operands(Delim::OptionalSquare)?);
    if given != dims {
        return Err(p.error_in(at, "dimension operand count and affine map dimension count must match"));
    }
    if operands.len() != dims + symbols {
        return Err(p.error_in(at, "symbol operand count and affine map symbol count must match"));
    }
    Ok(operands)
}

/// Append all as operands of type index
pub fn resolve(p: &mut OpParser<'_, '_>, operands: &[Unresolved]) -> Result<(), Reported> {
    let index = p.cx().common().index;
    operands.iter().try_for_each(|operand| p.resolve(operand, index))
}

/// `#map(%i)[%n]`
pub fn print_map(p: &mut OpPrinter<'_>, attr: Attr, operands: &[Value]) {
    p.attr(attr);
    let dims = arity(p.cx(), attr).map_or(0, |(dims, _)| dims).min(operands.len());
    p.text("(");
    p.operands(operands[..dims].iter().copied());
    p.text(")");
    if operands.len() > dims {
        p.text("[");
        p.operands(operands[dims..].iter().copied());
        p.text("]");
    }
}

/// Expressions with commas between
pub fn print_exprs(
    p: &mut OpPrinter<'_>,
    map: &AffineMap,
    operands: &[Value],
    range: std::ops::Range<usize>,
) {
    let (dims, symbols) = operands.split_at((map.dims as usize).min(operands.len()));
    for (n, expr) in map.results.get(range).unwrap_or(&[]).iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.affine_expr_of_values(expr, dims, symbols);
    }
}

/// `[%i + 1, symbol(%n)]`
pub fn print_indices(p: &mut OpPrinter<'_>, map: Attr, operands: &[Value]) {
    p.text("[");
    if let Some(map) = map.as_affine_map(p.cx()) {
        print_exprs(p, map, operands, 0..map.results.len());
    }
    p.text("]");
}
