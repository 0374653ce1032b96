//! Layout of several dimensions, and parts cut out of an array.

use super::properties::{MAX_DEPTH, Properties};
use super::text::{parse_sides, parse_sizes, print_sizes};
use super::{ShortForm, first, short_forms};
use crate::layout::{Operand, print_operands, values};
use crate::make::{Body, Make, at_depth, size_of, view};
use crate::misfit::Misfit;
use crate::nat_text::{IndexNatAttr, NatAttr, NatsAttr, nat_attr};
use crate::patterns::Pattern;
use crate::syntax::{print_nat, print_value, set_nat, value};
use crate::types::AnyArray;
use crate::views::{Join, PADS, Pad, PadAttr, Slice, Slide, Split, Transpose, Zip};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_ir::expand::Expand;
use terrace_ir::rules::{AnyType, DenseI64Array, UnitAttr};
use terrace_ir::{Context, Ir, Verify, VerifyCx};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, OtherNames};

short_forms!(ZipNd JoinNd TransposeNd SplitNd SlideNd PadNd CropNd Crop Take Drop);

/// Arrays in several dimensions as one of tuples
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x 4 x f32>, %y: !array.of<@n x 4 x index>) -> !array.of<@n x 4 x tuple<f32, index>> {
///   %z = array.zip_nd 2 %x, %y
///   return %z : !array.of<@n x 4 x tuple<f32, index>>
/// }
/// ```
#[op("array.zip_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand, ShortForm), hooks(verify))]
pub struct ZipNd {
    xs: Variadic<AnyArray>,
    #[attr]
    depth: IndexNatAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for ZipNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        zip_nd(m, p.cx, p.depth()?, xs)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "depth")?;
        values(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "depth");
        print_operands(p);
    }
}

fn zip_nd<M: Make>(m: &mut M, cx: &Context, depth: usize, xs: &[M::V]) -> Result<M::V, Misfit> {
    let zipped = m.view(cx, Zip::DEF, xs, &[])?;
    if depth == 1 {
        return Ok(zipped);
    }
    m.pattern(cx, Pattern::Map, &[zipped], &[], &mut |m, args| {
        if args.len() != xs.len() {
            return Err(Misfit::ty("needs arrays of arrays, not of tuples"));
        }
        Ok(vec![zip_nd(m, cx, depth - 1, args)?])
    })
}

/// The elements of several dimensions in one
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x 3 x f32>) -> !array.of<3 * @m * @n x f32> {
///   %y = array.join_nd 3 %x
///   return %y : !array.of<3 * @m * @n x f32>
/// }
/// ```
#[op("array.join_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand, ShortForm), hooks(verify))]
pub struct JoinNd {
    x: AnyArray,
    #[attr]
    depth: IndexNatAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for JoinNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        joined(m, p, first(xs)?)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "depth")?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "depth");
        print_operands(p);
    }
}

/// The elements of so many dimensions in one
pub(super) fn joined<M: Make>(m: &mut M, p: &Properties<'_>, x: &M::V) -> Result<M::V, Misfit> {
    let mut x = x.clone();
    for _ in 1..p.depth()? {
        x = view(m, p.cx, Join::DEF, &x, &[])?;
    }
    Ok(x)
}

/// The dimensions in another order: dimension `n` of the result is that of the `n`-th number
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x 3 x f32>) -> !array.of<3 x @n x @m x f32> {
///   %y = array.transpose_nd [2, 0, 1] %x
///   return %y : !array.of<3 x @n x @m x f32>
/// }
/// ```
#[op("array.transpose_nd", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct TransposeNd {
    x: AnyArray,
    #[attr]
    permutation: DenseI64Array,
    #[result]
    result: AnyType,
}

impl ShortForm for TransposeNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        transpose_nd(m, p, first(xs)?)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        let mut all = Vec::new();
        p.list(Delim::Square, |p| {
            all.push(p.int64()?);
            Ok(())
        })?;
        let all = p.cx().i64_array(&all);
        p.set_attr("permutation", all);
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let all = ir.attr(self.0, "permutation").and_then(|attr| attr.as_dense_array(ir.cx())).unwrap_or(&[]);
        let all: Vec<String> = all.iter().map(i64::to_string).collect();
        p.text(&format!(" [{}]", all.join(", ")));
        print_operands(p);
    }
}

/// Dimension `n` of the result is that of number `permutation[n]`: neighbors are exchanged until it is so
fn transpose_nd<M: Make>(m: &mut M, p: &Properties<'_>, x: &M::V) -> Result<M::V, Misfit> {
    let cx = p.cx;
    let wanted: Vec<i64> = (p.attr)("permutation")
        .and_then(|attr| attr.as_dense_array(cx))
        .map_or(Vec::new(), |all| all.to_vec());
    let mut sorted = wanted.clone();
    sorted.sort_unstable();
    if wanted.is_empty()
        || wanted.len() as i64 > MAX_DEPTH
        || !sorted.iter().copied().eq(0..wanted.len() as i64)
    {
        return Err(Misfit::ty("a permutation has each dimension once, counted from 0"));
    }
    let mut have: Vec<i64> = (0..wanted.len() as i64).collect();
    let mut x = x.clone();
    for (n, dimension) in wanted.iter().enumerate() {
        let Some(mut at) = have.iter().position(|other| other == dimension) else { continue };
        while at > n {
            at -= 1;
            have.swap(at, at + 1);
            x = at_depth(m, cx, at, &x, &mut |m, x| view(m, cx, Transpose::DEF, x, &[]))?;
        }
    }
    Ok(x)
}

/// Tiles: every dimension in parts, first all numbers of parts, then all sizes
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> !array.of<@n / 2 x @m / 4 x 2 x 4 x f32> {
///   %y = array.split_nd [2, 4] %x
///   return %y : !array.of<@n / 2 x @m / 4 x 2 x 4 x f32>
/// }
/// ```
#[op("array.split_nd", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct SplitNd {
    x: AnyArray,
    #[attr]
    sizes: NatsAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for SplitNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        let (cx, sizes) = (p.cx, p.nats("sizes")?);
        tiled(m, cx, first(xs)?, sizes.len(), &mut |m, d, x| {
            view(m, cx, Split::DEF, x, &[("size", &sizes[d])])
        })
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        parse_sizes(p, "sizes")?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_sizes(p, &["sizes"]);
        print_operands(p);
    }
}

/// Windows in several dimensions
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> !array.of<@n - 2 x @m - 2 x 3 x 3 x f32> {
///   %y = array.slide_nd [3, 3] by [1, 1] %x
///   return %y : !array.of<@n - 2 x @m - 2 x 3 x 3 x f32>
/// }
/// ```
#[op("array.slide_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand, ShortForm), hooks(verify))]
pub struct SlideNd {
    x: AnyArray,
    #[attr]
    sizes: NatsAttr,
    #[attr]
    steps: NatsAttr,
    #[attr(optional)]
    strict: UnitAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for SlideNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        let (cx, sizes, steps) = (p.cx, p.nats("sizes")?, p.nats("steps")?);
        if sizes.len() != steps.len() {
            return Err(Misfit::ty(format!("{} sizes and {} steps", sizes.len(), steps.len())));
        }
        tiled(m, cx, first(xs)?, sizes.len(), &mut |m, d, x| {
            let mut attrs = p.some(&["strict"]);
            attrs.push(("size", nat_attr(cx, &sizes[d])));
            attrs.push(("step", nat_attr(cx, &steps[d])));
            m.view(cx, Slide::DEF, std::slice::from_ref(x), &attrs)
        })
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        if p.keyword_opt("strict") {
            let unit = p.cx().common().unit;
            p.set_attr("strict", unit);
        }
        parse_sizes(p, "sizes")?;
        p.keyword("by")?;
        parse_sizes(p, "steps")?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        p.text(if self.strict(p.ir()).is_some() { " strict" } else { "" });
        print_sizes(p, &["sizes"]);
        p.text(" by");
        print_sizes(p, &["steps"]);
        print_operands(p);
    }
}

/// A step of a macro on the dimension of this number
type Cut<'f, M> = &'f mut dyn FnMut(&mut M, usize, &<M as Make>::V) -> Result<<M as Make>::V, Misfit>;

/// Every dimension in parts: first all numbers of parts, then all sizes of parts
///
/// In two dimensions `map transpose ∘ cut₁ ∘ map cut₂`.
fn tiled<M: Make>(m: &mut M, cx: &Context, x: &M::V, count: usize, cut: Cut<'_, M>) -> Result<M::V, Misfit> {
    let mut x = x.clone();
    for d in (0..count).rev() {
        // Of the dimensions behind there are two each now, `count - 1 - d` numbers of parts first.
        x = at_depth(m, cx, d, &x, &mut |m, x| {
            let mut x = cut(m, d, x)?;
            for behind in 1..count - d {
                x = at_depth(m, cx, behind, &x, &mut |m, x| view(m, cx, Transpose::DEF, x, &[]))?;
            }
            Ok(x)
        })?;
    }
    Ok(x)
}

/// Borders in several dimensions
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>, %z: f32) -> !array.of<@n + 2 x @m + 1 x f32> {
///   %y = array.pad_nd [(1, 1), (0, 1)] value %z %x
///   return %y : !array.of<@n + 2 x @m + 1 x f32>
/// }
/// ```
#[op("array.pad_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand, ShortForm), hooks(verify))]
pub struct PadNd {
    x: AnyArray,
    value: Optional<AnyType>,
    #[attr]
    lows: NatsAttr,
    #[attr]
    highs: NatsAttr,
    #[attr]
    mode: PadAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for PadNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        let (cx, (lows, highs)) = (p.cx, p.sides()?);
        let mut x = first(xs)?.clone();
        // The innermost dimension first.
        for d in (0..lows.len()).rev() {
            let mut attrs = p.some(&["mode"]);
            attrs.push(("low", nat_attr(cx, &lows[d])));
            attrs.push(("high", nat_attr(cx, &highs[d])));
            x = at_depth(m, cx, d, &x, &mut |m, x| {
                let all: Vec<M::V> = std::iter::once(x.clone()).chain(xs[1..].iter().cloned()).collect();
                m.view(cx, Pad::DEF, &all, &attrs)
            })?;
        }
        Ok(x)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        parse_sides(p)?;
        let mode = p.one_of(PADS)?;
        let word = p.cx().str_attr(PADS[mode]);
        p.set_attr("mode", word);
        let padding = if mode == 0 { Some(value(p)?) } else { None };
        let x = value(p)?;
        Ok([x].into_iter().chain(padding).collect())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_sizes(p, &["lows", "highs"]);
        p.text(" ");
        p.text(ir.attr(self.0, "mode").and_then(|attr| attr.as_str(ir.cx())).unwrap_or(""));
        if ir.num_operands(self.0) > 1 {
            p.text(" ");
            print_value(p, ir.operand(self.0, 1));
        }
        p.text(" ");
        print_value(p, self.x(ir));
    }
}

/// So many elements less before and behind, in several dimensions
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 2 x @m + 1 x f32>) -> !array.of<@n x @m x f32> {
///   %y = array.crop_nd [(1, 1), (0, 1)] %x
///   return %y : !array.of<@n x @m x f32>
/// }
/// ```
#[op("array.crop_nd", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct CropNd {
    x: AnyArray,
    #[attr]
    lows: NatsAttr,
    #[attr]
    highs: NatsAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for CropNd {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        let (cx, (lows, highs)) = (p.cx, p.sides()?);
        let mut x = first(xs)?.clone();
        for d in (0..lows.len()).rev() {
            x = at_depth(m, cx, d, &x, &mut |m, x| cropped(m, cx, x, &lows[d], &highs[d]))?;
        }
        Ok(x)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        parse_sides(p)?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_sizes(p, &["lows", "highs"]);
        print_operands(p);
    }
}

/// So many elements less before and behind
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 3 x f32>) -> !array.of<@n x f32> {
///   %y = array.crop 1, 2 %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.crop", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct Crop {
    x: AnyArray,
    #[attr]
    low: NatAttr,
    #[attr]
    high: NatAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for Crop {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        cropped(m, p.cx, first(xs)?, &p.nat("low")?, &p.nat("high")?)
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "low")?;
        p.punct(",")?;
        set_nat(p, "high")?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "low");
        p.text(",");
        print_nat(p, "high");
        print_operands(p);
    }
}

/// Without so many elements before and behind
fn cropped<M: Make>(m: &mut M, cx: &Context, x: &M::V, low: &Nat, high: &Nat) -> Result<M::V, Misfit> {
    let size = size_of(m, cx, x)?.minus(low).and_then(|size| size.minus(high))?;
    view(m, cx, Slice::DEF, x, &[("offset", low), ("size", &size)])
}

/// The first elements
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 3 x f32>) -> !array.of<3 x f32> {
///   %y = array.take 3 %x
///   return %y : !array.of<3 x f32>
/// }
/// ```
#[op("array.take", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct Take {
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for Take {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        view(m, p.cx, Slice::DEF, first(xs)?, &[("offset", &Nat::from(0)), ("size", &p.nat("size")?)])
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "size")?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "size");
        print_operands(p);
    }
}

/// All but the first elements
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 3 x f32>) -> !array.of<@n x f32> {
///   %y = array.drop 3 %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.drop", traits(Pure), interfaces(CustomAsm, Expand, ShortForm), hooks(verify))]
pub struct Drop {
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

impl ShortForm for Drop {
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, _: Body<'_, M>) -> Result<M::V, Misfit> {
        cropped(m, p.cx, first(xs)?, &p.nat("size")?, &Nat::from(0))
    }

    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
        set_nat(p, "size")?;
        Ok(vec![value(p)?])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "size");
        print_operands(p);
    }
}
