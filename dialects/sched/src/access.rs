//! Accesses: a map over loop variables and, in copies, over the variables of the domain.

use terrace_diag::Reported;
use terrace_ir::{Context, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// A map and the values of its dimensions after the first `own`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// From dimensions to indices
    pub map: AffineMap,
    /// Values of the dimensions, after those of the domain
    pub values: Vec<Value>,
}

/// Builds expressions over values, numbering dimensions in order of first use, as text does
#[derive(Clone, Debug, Default)]
pub struct Dims {
    /// Dimensions that stand for no value: a copy's domain
    pub own: u32,
    /// Values so far
    pub values: Vec<Value>,
}

impl Dims {
    /// With so many dimensions for a domain
    pub fn with_domain(own: usize) -> Dims {
        Dims { own: own as u32, values: Vec::new() }
    }

    /// The dimension of a value
    pub fn value(&mut self, value: Value) -> AffineExpr {
        let n = self.values.iter().position(|other| *other == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        AffineExpr::Dim(self.own + n as u32)
    }

    /// The sum of values
    pub fn sum(&mut self, values: &[Value]) -> AffineExpr {
        values.iter().fold(AffineExpr::Constant(0), |sum, value| AffineExpr::add(sum, self.value(*value)))
    }

    /// The access with these results
    pub fn access(self, results: Vec<AffineExpr>) -> Option<Access> {
        let map = AffineMap::new(self.own + self.values.len() as u32, 0, results)?;
        Some(Access { map, values: self.values })
    }
}

/// `[e, …]`, with values to resolve later
pub(crate) struct Parsed {
    map: AffineMap,
    values: Vec<Unresolved>,
}

impl Parsed {
    pub fn map_attr(&self, cx: &Context) -> terrace_ir::Attr {
        cx.map_attr(self.map.clone())
    }

    /// Append the values as one operand field
    pub fn resolve(&self, p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        resolve(p, &self.values)
    }
}

fn resolve(p: &mut OpParser<'_, '_>, values: &[Unresolved]) -> Result<(), Reported> {
    let index = p.cx().common().index;
    p.resolve_all(values, &vec![index; values.len()])?;
    p.segment();
    Ok(())
}

/// `[e, …]`
pub(crate) fn parse(p: &mut OpParser<'_, '_>, names: &[Unresolved]) -> Result<Parsed, Reported> {
    let open = p.affine_exprs_over(names)?;
    Ok(Parsed { map: open.map, values: open.values })
}

/// `e`
pub(crate) fn parse_one(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
    let open = p.affine_expr_over(&[])?;
    Ok(Parsed { map: open.map, values: open.values })
}

/// The values of a bound that may be absent, as one operand field
pub(crate) fn resolve_opt(p: &mut OpParser<'_, '_>, bound: &Option<Parsed>) -> Result<(), Reported> {
    match bound {
        Some(bound) => bound.resolve(p),
        None => resolve(p, &[]),
    }
}

/// `[e, …]`
pub(crate) fn print(p: &mut OpPrinter<'_>, names: &[String], map: &AffineMap, values: &[Value]) {
    p.text("[");
    for (n, expr) in map.results.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.affine_expr_over(expr, names, values);
    }
    p.text("]");
}

/// What is wrong with a map for a memref of this type; `own` dimensions stand for no operand
pub(crate) fn mistake(
    cx: &Context,
    map: &AffineMap,
    own: usize,
    values: usize,
    memref: Type,
) -> Option<String> {
    let rank = memref.shape(cx)?.len();
    if map.symbols != 0 {
        return Some("a map without symbols is needed: indices are sums of loop variables".into());
    }
    if map.dims as usize != own + values {
        return Some(format!("the map has {} dimensions, but there are {} for it", map.dims, own + values));
    }
    if map.results.len() != rank {
        return Some(format!(
            "{} indices are given, but the memref has {rank} dimensions",
            map.results.len()
        ));
    }
    None
}
