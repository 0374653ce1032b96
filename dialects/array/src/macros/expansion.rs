//! What each macro stands for, in patterns of one dimension.

use super::Macro;
use crate::make::{Body, Make, at_depth, size_of, view};
use crate::nat_text::nat_of;
use crate::patterns::Pattern;
use crate::views::View;
use terrace_analysis::nat::Nat;
use terrace_dialect_sched::Builtin;
use terrace_ir::{Attr, Context, Type, TypeKind};

/// Most dimensions of a macro
pub(crate) const MAX_DEPTH: i64 = 16;

/// Properties of a macro
pub(crate) struct Properties<'a> {
    pub cx: &'a Context,
    pub attr: &'a dyn Fn(&str) -> Option<Attr>,
}

impl Properties<'_> {
    fn nat(&self, name: &str) -> Result<Nat, String> {
        let attr = (self.attr)(name).and_then(|attr| nat_of(self.cx, attr));
        attr.ok_or_else(|| format!("SIZE: attribute '{name}' is no size"))
    }

    fn nats(&self, name: &str) -> Result<Vec<Nat>, String> {
        let items = (self.attr)(name).and_then(|attr| attr.as_array(self.cx)).unwrap_or(&[]);
        let nats: Option<Vec<Nat>> = items.iter().map(|item| nat_of(self.cx, *item)).collect();
        match nats {
            Some(nats) if !nats.is_empty() && nats.len() as i64 <= MAX_DEPTH => Ok(nats),
            _ => Err(format!("SIZE: attribute '{name}' must be a list of 1 to {MAX_DEPTH} sizes")),
        }
    }

    fn depth(&self) -> Result<usize, String> {
        let depth = self.nat("depth")?.as_constant().filter(|depth| (1..=MAX_DEPTH).contains(depth));
        let depth = depth.and_then(|depth| usize::try_from(depth).ok());
        depth.ok_or_else(|| format!("TYPE: works on 1 to {MAX_DEPTH} dimensions"))
    }

    fn levels(&self, depth: usize) -> Result<Vec<Attr>, String> {
        let levels = (self.attr)("levels").and_then(|attr| attr.as_array(self.cx)).unwrap_or(&[]);
        if levels.is_empty() || levels.len() == depth {
            return Ok(levels.to_vec());
        }
        Err(format!("TYPE: {} levels for {depth} dimensions", levels.len()))
    }

    /// Those of these properties that are there
    fn some(&self, names: &[&'static str]) -> Vec<(&'static str, Attr)> {
        names.iter().filter_map(|name| Some((*name, (self.attr)(name)?))).collect()
    }
}

fn large(error: terrace_analysis::nat::NatError) -> String {
    format!("SIZE: {error}")
}

/// What the macro gives; `body` is its function, if it has one
pub(crate) fn expand<M: Make>(
    m: &mut M,
    which: Macro,
    xs: &[M::V],
    p: &Properties<'_>,
    body: Body<'_, M>,
) -> Result<M::V, String> {
    let cx = p.cx;
    let first = xs.first().ok_or("TYPE: an operand is missing")?;
    match which {
        Macro::ZipNd => zip_nd(m, cx, p.depth()?, xs),
        Macro::JoinNd => {
            let mut x = first.clone();
            for _ in 1..p.depth()? {
                x = view(m, cx, View::Join, &x, &[])?;
            }
            Ok(x)
        }
        Macro::TransposeNd => transpose_nd(m, p, first),
        Macro::SplitNd => {
            let sizes = p.nats("sizes")?;
            tiled(m, cx, first, sizes.len(), &mut |m, d, x| {
                view(m, cx, View::Split, x, &[("size", &sizes[d])])
            })
        }
        Macro::SlideNd => {
            let (sizes, steps) = (p.nats("sizes")?, p.nats("steps")?);
            if sizes.len() != steps.len() {
                return Err(format!("TYPE: {} sizes and {} steps", sizes.len(), steps.len()));
            }
            tiled(m, cx, first, sizes.len(), &mut |m, d, x| {
                let mut attrs = p.some(&["strict"]);
                attrs.push(("size", crate::nat_text::nat_attr(cx, &sizes[d])));
                attrs.push(("step", crate::nat_text::nat_attr(cx, &steps[d])));
                m.view(cx, View::Slide, std::slice::from_ref(x), &attrs)
            })
        }
        Macro::PadNd => {
            let (lows, highs) = sides(p)?;
            let mut x = first.clone();
            // The innermost dimension first.
            for d in (0..lows.len()).rev() {
                let mut attrs = p.some(&["mode"]);
                attrs.push(("low", crate::nat_text::nat_attr(cx, &lows[d])));
                attrs.push(("high", crate::nat_text::nat_attr(cx, &highs[d])));
                x = at_depth(m, cx, d, &x, &mut |m, x| {
                    let all: Vec<M::V> = std::iter::once(x.clone()).chain(xs[1..].iter().cloned()).collect();
                    m.view(cx, View::Pad, &all, &attrs)
                })?;
            }
            Ok(x)
        }
        Macro::CropNd => {
            let (lows, highs) = sides(p)?;
            let mut x = first.clone();
            for d in (0..lows.len()).rev() {
                x = at_depth(m, cx, d, &x, &mut |m, x| crop(m, cx, x, &lows[d], &highs[d]))?;
            }
            Ok(x)
        }
        Macro::Crop => crop(m, cx, first, &p.nat("low")?, &p.nat("high")?),
        Macro::Take => {
            view(m, cx, View::Slice, first, &[("offset", &Nat::from(0)), ("size", &p.nat("size")?)])
        }
        Macro::Drop => crop(m, cx, first, &p.nat("size")?, &Nat::from(0)),
        Macro::MapNd => {
            let depth = p.depth()?;
            let levels = p.levels(depth)?;
            map_nd(m, cx, depth, first, &levels, body)
        }
        Macro::Map2 => {
            let zipped = m.view(cx, View::Zip, xs, &[])?;
            m.pattern(cx, Pattern::Map, &[zipped], &p.some(&["level"]), body)
        }
        Macro::ReduceNd => {
            let mut operands = xs.to_vec();
            for _ in 1..p.depth()? {
                operands[0] = view(m, cx, View::Join, &operands[0], &[])?;
            }
            m.pattern(cx, Pattern::Reduce, &operands, &p.some(&["operators", "order", "level"]), body)
        }
        Macro::Dot => {
            let zipped = m.view(cx, View::Zip, &xs[..xs.len().min(2)], &[])?;
            let add = cx.array_attr(&[cx.str_attr(&Builtin::Add.to_string())]);
            let mut attrs = p.some(&["order", "level"]);
            attrs.push(("operators", add));
            let operands: Vec<M::V> = std::iter::once(zipped).chain(xs.get(2).cloned()).collect();
            m.pattern(cx, Pattern::Reduce, &operands, &attrs, &mut |m, args| match args {
                [a, b] => Ok(vec![m.product(cx, a, b)?]),
                _ => Err("TYPE: multiplies two arrays of numbers".into()),
            })
        }
        Macro::Let => {
            let placed = m.view(cx, View::Place, xs, &p.some(&["space"]))?;
            let ty = m.ty(&placed);
            let parts = match ty.kind(cx) {
                TypeKind::Tuple(types) => components(m, cx, &placed, types)?,
                _ => vec![placed],
            };
            let results = body(m, &parts)?;
            match results.as_slice() {
                [] => Err("TYPE: the function ends without `array.yield`".into()),
                [only] => Ok(only.clone()),
                several => m.view(cx, View::Tuple, several, &[]),
            }
        }
    }
}

fn components<M: Make>(m: &mut M, cx: &Context, x: &M::V, types: &[Type]) -> Result<Vec<M::V>, String> {
    let get = |n: usize| view(m, cx, View::Get, x, &[("component", &Nat::from(n as i64))]);
    (0..types.len()).map(get).collect()
}

fn sides(p: &Properties<'_>) -> Result<(Vec<Nat>, Vec<Nat>), String> {
    let (lows, highs) = (p.nats("lows")?, p.nats("highs")?);
    if lows.len() == highs.len() {
        return Ok((lows, highs));
    }
    Err(format!("TYPE: {} sizes before and {} behind", lows.len(), highs.len()))
}

fn crop<M: Make>(m: &mut M, cx: &Context, x: &M::V, low: &Nat, high: &Nat) -> Result<M::V, String> {
    let size = size_of(m, cx, x)?.minus(low).and_then(|size| size.minus(high)).map_err(large)?;
    view(m, cx, View::Slice, x, &[("offset", low), ("size", &size)])
}

fn zip_nd<M: Make>(m: &mut M, cx: &Context, depth: usize, xs: &[M::V]) -> Result<M::V, String> {
    let zipped = m.view(cx, View::Zip, xs, &[])?;
    if depth == 1 {
        return Ok(zipped);
    }
    m.pattern(cx, Pattern::Map, &[zipped], &[], &mut |m, args| {
        if args.len() != xs.len() {
            return Err("TYPE: needs arrays of arrays, not of tuples".into());
        }
        Ok(vec![zip_nd(m, cx, depth - 1, args)?])
    })
}

fn map_nd<M: Make>(
    m: &mut M,
    cx: &Context,
    depth: usize,
    x: &M::V,
    levels: &[Attr],
    body: Body<'_, M>,
) -> Result<M::V, String> {
    let level: Vec<(&str, Attr)> = levels.first().map(|level| ("level", *level)).into_iter().collect();
    if depth == 1 {
        return m.pattern(cx, Pattern::Map, std::slice::from_ref(x), &level, body);
    }
    let inner = levels.get(1..).unwrap_or(&[]);
    m.pattern(cx, Pattern::Map, std::slice::from_ref(x), &level, &mut |m, args| match args {
        [x] => Ok(vec![map_nd(m, cx, depth - 1, x, inner, body)?]),
        _ => Err("TYPE: needs an array of arrays, not of tuples".into()),
    })
}

/// A step of a macro on the dimension of this number
type Cut<'f, M> = &'f mut dyn FnMut(&mut M, usize, &<M as Make>::V) -> Result<<M as Make>::V, String>;

/// Every dimension in parts: first all numbers of parts, then all sizes of parts
///
/// In two dimensions `map transpose ∘ cut₁ ∘ map cut₂`.
fn tiled<M: Make>(m: &mut M, cx: &Context, x: &M::V, count: usize, cut: Cut<'_, M>) -> Result<M::V, String> {
    let mut x = x.clone();
    for d in (0..count).rev() {
        // Of the dimensions behind there are two each now, `count - 1 - d` numbers of parts first.
        x = at_depth(m, cx, d, &x, &mut |m, x| {
            let mut x = cut(m, d, x)?;
            for behind in 1..count - d {
                x = at_depth(m, cx, behind, &x, &mut |m, x| view(m, cx, View::Transpose, x, &[]))?;
            }
            Ok(x)
        })?;
    }
    Ok(x)
}

/// Dimension `n` of the result is that of number `permutation[n]`: neighbors are exchanged until it is so
fn transpose_nd<M: Make>(m: &mut M, p: &Properties<'_>, x: &M::V) -> Result<M::V, String> {
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
        return Err("TYPE: a permutation has each dimension once, counted from 0".into());
    }
    let mut have: Vec<i64> = (0..wanted.len() as i64).collect();
    let mut x = x.clone();
    for (n, dimension) in wanted.iter().enumerate() {
        let Some(mut at) = have.iter().position(|other| other == dimension) else { continue };
        while at > n {
            at -= 1;
            have.swap(at, at + 1);
            x = at_depth(m, cx, at, &x, &mut |m, x| view(m, cx, View::Transpose, x, &[]))?;
        }
    }
    Ok(x)
}
