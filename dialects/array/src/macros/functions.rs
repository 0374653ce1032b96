//! Functions over several dimensions or arrays, sums of products, and values that are placed once.

use super::layouts::joined;
use super::properties::Properties;
use super::text::{parse_levels, parse_start, print_start};
use super::{ShortForm, first, short_forms};
use crate::layout::{Operand, print_operands, values};
use crate::levels::{ArrayLevelAttr, level, print_word};
use crate::make::{Body, Make, view};
use crate::misfit::Misfit;
use crate::nat_text::IndexNatAttr;
use crate::patterns::text::{operators, print_operators};
use crate::patterns::{Pattern, verify_operators};
use crate::syntax::{print_nat, set_nat, value};
use crate::types::AnyArray;
use crate::views::{Get, Place, Tuple, Zip, private};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_dialect_sched::{Builtin, OperatorsAttr, OrderAttr};
use terrace_ir::expand::Expand;
use terrace_ir::rules::{AnyAttr, AnyType};
use terrace_ir::{Attr, AttrForm, Context, Ir, Type, TypeKind, Verify, VerifyCx, attr_rules};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter, OtherNames};

attr_rules! {
    /// A level for each dimension
    LevelsAttr "list of levels", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| {
            all.iter().all(|level| (ArrayLevelAttr::RULE.test)(cx, *level))
        });
}

short_forms!(MapNd Map2 ReduceNd Dot Let);

/// The function of each element of several dimensions; a level for each dimension, or none
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> !array.of<@n x @m x f32> {
///   %y = array.map_nd 2 %x : block.x, thread.x as %a {
///     %0 = arith.addf %a, %a : f32
///     array.yield %0
///   }
///   return %y : !array.of<@n x @m x f32>
/// }
/// ```
#[op(
    "array.map_nd",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, OtherNames, Expand, ShortForm),
    hooks(verify)
)]
pub struct MapNd {
    x: AnyArray,
    #[attr]
    depth: IndexNatAttr,
    #[attr(optional)]
    levels: LevelsAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

impl ShortForm for MapNd {
    const FUNCTION: bool = true;

    fn expand<M: Make>(
        m: &mut M,
        xs: &[M::V],
        p: &Properties<'_>,
        body: Body<'_, M>,
    ) -> Result<M::V, Misfit> {
        let depth = p.depth()?;
        let levels = p.levels(depth)?;
        map_nd(m, p.cx, depth, first(xs)?, &levels, body)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "depth")?;
        let x = value(p)?;
        parse_levels(p)?;
        Ok(vec![x])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "depth");
        print_operands(p);
        let ir = p.ir();
        let levels = ir.attr(self.0, "levels").and_then(|attr| attr.as_array(ir.cx())).unwrap_or(&[]);
        for (n, level) in levels.iter().enumerate() {
            p.text(if n == 0 { " : " } else { ", " });
            match level.as_str(ir.cx()) {
                Some(word) => p.text(word),
                None => p.attr(*level),
            }
        }
    }
}

fn map_nd<M: Make>(
    m: &mut M,
    cx: &Context,
    depth: usize,
    x: &M::V,
    levels: &[Attr],
    body: Body<'_, M>,
) -> Result<M::V, Misfit> {
    let level: Vec<(&str, Attr)> = levels.first().map(|level| ("level", *level)).into_iter().collect();
    if depth == 1 {
        return m.pattern(cx, Pattern::Map, std::slice::from_ref(x), &level, body);
    }
    let inner = levels.get(1..).unwrap_or(&[]);
    m.pattern(cx, Pattern::Map, std::slice::from_ref(x), &level, &mut |m, args| match args {
        [x] => Ok(vec![map_nd(m, cx, depth - 1, x, inner, body)?]),
        _ => Err(Misfit::ty("needs an array of arrays, not of tuples")),
    })
}

/// The function of the elements of two arrays, or more
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %z = array.map2 %x, %y as %a, %b {
///     %0 = arith.addf %a, %b : f32
///     array.yield %0
///   }
///   return %z : !array.of<@n x f32>
/// }
/// ```
#[op(
    "array.map2",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, Expand, ShortForm),
    hooks(verify)
)]
pub struct Map2 {
    xs: Variadic<AnyArray>,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

impl ShortForm for Map2 {
    const FUNCTION: bool = true;

    fn expand<M: Make>(
        m: &mut M,
        xs: &[M::V],
        p: &Properties<'_>,
        body: Body<'_, M>,
    ) -> Result<M::V, Misfit> {
        let zipped = m.view(p.cx, Zip::DEF, xs, &[])?;
        m.pattern(p.cx, Pattern::Map, &[zipped], &p.some(&["level"]), body)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        let all = values(p)?;
        level(p)?;
        Ok(all)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_operands(p);
        print_word(p, " : ", "level");
    }
}

/// The contributions of all elements of several dimensions combined
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> f32 {
///   %s = array.reduce_nd 2 add %x as %a {
///     array.yield %a
///   }
///   return %s : f32
/// }
/// ```
#[op(
    "array.reduce_nd",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, Expand, ShortForm),
    hooks(verify)
)]
pub struct ReduceNd {
    x: AnyArray,
    init: Optional<AnyType>,
    #[attr]
    depth: IndexNatAttr,
    #[attr]
    operators: OperatorsAttr,
    #[attr(optional)]
    order: OrderAttr,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

impl ShortForm for ReduceNd {
    const FUNCTION: bool = true;

    fn check(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        verify_operators(v, self.0)
    }

    fn expand<M: Make>(
        m: &mut M,
        xs: &[M::V],
        p: &Properties<'_>,
        body: Body<'_, M>,
    ) -> Result<M::V, Misfit> {
        let mut operands = xs.to_vec();
        operands[0] = joined(m, p, first(xs)?)?;
        m.pattern(p.cx, Pattern::Reduce, &operands, &p.some(&["operators", "order", "level"]), body)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "depth")?;
        operators(p)?;
        let init = parse_start(p)?;
        let x = value(p)?;
        Ok([x].into_iter().chain(init).collect())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "depth");
        print_operators(p);
        print_start(p, 1);
    }
}

/// The sum of products of the elements of two arrays
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>) -> f32 {
///   %z = arith.constant 0.0 : f32
///   %s = array.dot init %z : seq %x, %y
///   return %s : f32
/// }
/// ```
#[op("array.dot", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct Dot {
    x: AnyArray,
    y: AnyArray,
    init: Optional<AnyType>,
    #[attr(optional)]
    order: OrderAttr,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for Dot {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        let cx = p.cx;
        let zipped = m.view(cx, Zip::DEF, &xs[..xs.len().min(2)], &[])?;
        let add = cx.array_attr(&[cx.str_attr(&Builtin::Add.to_string())]);
        let mut attrs = p.some(&["order", "level"]);
        attrs.push(("operators", add));
        let operands: Vec<M::V> = std::iter::once(zipped).chain(xs.get(2).cloned()).collect();
        m.pattern(cx, Pattern::Reduce, &operands, &attrs, &mut |m, args| match args {
            [a, b] => Ok(vec![m.product(cx, a, b)?]),
            _ => Err(Misfit::ty("multiplies two arrays of numbers")),
        })
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        let init = parse_start(p)?;
        let x = value(p)?;
        p.punct(",")?;
        let y = value(p)?;
        Ok([x, y].into_iter().chain(init).collect())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_start(p, 2);
    }
}

/// A value put into memory once and used in a function: private memory unless a space is named
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@m x f32>) -> !array.of<@n x @m x f32> {
///   %z = array.map %x as %a {
///     %0 = array.let %a as %p {
///       %1 = array.map %y as %b {
///         %2 = arith.mulf %p, %b : f32
///         array.yield %2
///       }
///       array.yield %1
///     }
///     array.yield %0
///   }
///   return %z : !array.of<@n x @m x f32>
/// }
/// ```
#[op(
    "array.let",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, Expand, ShortForm),
    hooks(verify)
)]
pub struct Let {
    x: AnyType,
    #[attr(default = private)]
    space: AnyAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

impl ShortForm for Let {
    const FUNCTION: bool = true;

    fn expand<M: Make>(
        m: &mut M,
        xs: &[M::V],
        p: &Properties<'_>,
        body: Body<'_, M>,
    ) -> Result<M::V, Misfit> {
        let cx = p.cx;
        let placed = m.view(cx, Place::DEF, xs, &p.some(&["space"]))?;
        let ty = m.ty(&placed);
        let parts = match ty.kind(cx) {
            TypeKind::Tuple(types) => components(m, cx, &placed, types)?,
            _ => vec![placed],
        };
        let results = body(m, &parts)?;
        match results.as_slice() {
            [] => Err(Misfit::ty("the function ends without `array.yield`")),
            [only] => Ok(only.clone()),
            several => m.view(cx, Tuple::DEF, several, &[]),
        }
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        if p.at_punct("#") || p.at_punct("\"") {
            let space = p.attr()?;
            p.set_attr("space", space);
        }
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let space = ir.attr(self.0, "space").filter(|space| *space != private(ir.cx()));
        if let Some(space) = space {
            p.text(" ");
            p.attr(space);
        }
        print_operands(p);
    }
}

fn components<M: Make>(m: &mut M, cx: &Context, x: &M::V, types: &[Type]) -> Result<Vec<M::V>, Misfit> {
    let get = |n: usize| view(m, cx, Get::DEF, x, &[("component", &Nat::from(n as i64))]);
    (0..types.len()).map(get).collect()
}
