//! Index arithmetic: `apply min max`.

use super::parts::{parse_map, print_map, resolve};
use super::valid;
use terrace_diag::Reported;
use terrace_ir::rules::{AffineMapAttr, Index};
use terrace_ir::{Attr, Context, Fold, FoldCx, Folded, Ir, OpId, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// The value of an affine expression
///
/// ```mlir
/// func.func @f(%i: index, %n: index) -> index {
///   %r = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)>(%i)[%n]
///   return %r : index
/// }
/// ```
#[op(
    "affine.apply",
    traits(Pure, terrace_dataflow::PlacedIndices),
    hooks(fold, verify),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret)
)]
pub struct Apply {
    #[attr]
    map: AffineMapAttr,
    operands: Variadic<Index>,
    #[result]
    result: Index,
}

/// The least of several affine expressions
///
/// ```mlir
/// func.func @f(%i: index, %n: index) -> index {
///   %r = affine.min affine_map<(d0)[s0] -> (d0 + 512, s0, 1000)>(%i)[%n]
///   return %r : index
/// }
/// ```
#[op(
    "affine.min",
    traits(Pure, terrace_dataflow::PlacedIndices),
    hooks(fold, verify),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret)
)]
pub struct Min {
    #[attr]
    map: AffineMapAttr,
    operands: Variadic<Index>,
    #[result]
    result: Index,
}

/// The greatest of several affine expressions
///
/// ```mlir
/// func.func @f(%i: index) -> index {
///   %r = affine.max affine_map<(d0) -> (d0 + 512, 1000)>(%i)
///   return %r : index
/// }
/// ```
#[op(
    "affine.max",
    traits(Pure, terrace_dataflow::PlacedIndices),
    hooks(fold, verify),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret)
)]
pub struct Max {
    #[attr]
    map: AffineMapAttr,
    operands: Variadic<Index>,
    #[result]
    result: Index,
}

/// The map of an op's attribute; the verifier has seen that it is one
pub(super) fn map_of(cx: &Context, attr: Attr) -> Option<&AffineMap> {
    attr.as_affine_map(cx)
}

fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let (map, operands) = parse_map(p)?;
    p.set_attr("map", map);
    p.attr_dict()?;
    resolve(p, &operands)?;
    let index = p.cx().common().index;
    p.add_result(index);
    Ok(())
}

fn print(p: &mut OpPrinter<'_>, map: Attr, operands: &[Value]) {
    p.text(" ");
    print_map(p, map, operands);
    p.attr_dict(&["map"]);
}

macro_rules! with_syntax {
    ($($name:ident)*) => {$(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                parse(p)
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                let ir = p.ir();
                print(p, self.map(ir), &self.operands(ir));
            }
        }
    )*};
}

with_syntax!(Apply Max Min);

impl Verify for Apply {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (attr, operands) = (self.map(ir), self.operands(ir));
        let message = "operand count and affine map dimension and symbol count must match";
        valid::check_count(v, self.0, attr, operands.len(), message)?;
        let Some(map) = map_of(cx, attr) else { return Ok(()) };
        if map.results.len() != 1 {
            return v.fail(self.0, &codes::OP_RULE, "mapping must produce one value");
        }
        let symbols = &operands[map.dims as usize..];
        if symbols.is_empty() {
            return Ok(());
        }
        let scope = valid::scope(ir, self.0);
        let bad = |value: &Value| !valid::is_symbol(ir, *value, scope) && valid::is_dim(ir, *value, scope);
        if symbols.iter().any(bad) {
            return v.fail(self.0, &codes::OP_RULE, "dimensional operand cannot be used as a symbol");
        }
        Ok(())
    }
}

fn check_several(v: &VerifyCx<'_>, op: OpId, attr: Attr, operands: usize) -> Result<(), Reported> {
    let message = "operand count and affine map dimension and symbol count must match";
    valid::check_count(v, op, attr, operands, message)?;
    if map_of(v.ir.cx(), attr).is_some_and(|map| map.results.is_empty()) {
        return v.fail(op, &codes::OP_RULE, "affine map expect at least one result");
    }
    Ok(())
}

impl Verify for Min {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_several(v, self.0, self.map(v.ir), self.operands(v.ir).len())
    }
}

impl Verify for Max {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_several(v, self.0, self.map(v.ir), self.operands(v.ir).len())
    }
}

/// The operand that an expression is, if it is one alone
fn operand_of(map: &AffineMap, expr: &AffineExpr, operands: &[Value]) -> Option<Value> {
    match expr {
        AffineExpr::Dim(n) => operands.get(*n as usize).copied(),
        AffineExpr::Symbol(n) => operands.get(map.dims as usize + *n as usize).copied(),
        _ => None,
    }
}

/// The results at constant operands; operands that no result uses may be anything
fn constants(cx: &FoldCx<'_>, map: &AffineMap, operands: &[Value]) -> Option<Vec<i64>> {
    let mut values = Vec::with_capacity(operands.len());
    for (n, _) in operands.iter().enumerate() {
        let constant = cx.constant(n).and_then(|attr| attr.as_i64(cx.cx()));
        let n = n as u32;
        let used = || {
            map.results.iter().any(|expr| match n.checked_sub(map.dims) {
                Some(symbol) => expr.uses_symbol(symbol),
                None => expr.uses_dim(n),
            })
        };
        values.push(match constant {
            Some(value) => value,
            None if used() => return None,
            None => 0,
        });
    }
    let (dims, symbols) = values.split_at_checked(map.dims as usize)?;
    map.eval(dims, symbols)
}

/// The value of a constant, or the only operand that a map passes on
fn fold(cx: &FoldCx<'_>, map: Attr, operands: &[Value], join: impl Fn(i64, i64) -> i64) -> Folded {
    let context = cx.cx();
    let Some(map) = map_of(context, map) else { return Folded::No };
    if operands
        .iter()
        .enumerate()
        .any(|(n, _)| cx.constant(n).is_some_and(|attr| terrace_dialect_ub::is_poison(context, attr)))
    {
        return Folded::attr(terrace_dialect_ub::poison(context));
    }
    if let [only] = map.results.as_slice()
        && let Some(value) = operand_of(map, only, operands)
    {
        return Folded::value(value);
    }
    let value = constants(cx, map, operands).and_then(|values| values.into_iter().reduce(join));
    Folded::maybe(value.map(|value| context.index_attr(value)))
}

impl Fold for Apply {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        fold(cx, self.map(cx.ir), &self.operands(cx.ir), |a, _| a)
    }
}

impl Fold for Min {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        fold(cx, self.map(cx.ir), &self.operands(cx.ir), i64::min)
    }
}

impl Fold for Max {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        fold(cx, self.map(cx.ir), &self.operands(cx.ir), i64::max)
    }
}

impl Apply {
    /// `affine.apply` of an expression over dimensions and symbols, before what `b` points at
    pub fn of(b: &mut terrace_ir::Builder<'_>, map: AffineMap, operands: &[Value]) -> Apply {
        let attr = b.cx().map_attr(map);
        Apply::build(b, operands, attr)
    }

    /// The map
    pub fn affine_map(self, ir: &Ir) -> Option<&AffineMap> {
        self.map(ir).as_affine_map(ir.cx())
    }
}
