//! The parallel loop: `parallel`.
//!
//! Bounds of all dimensions are one map; groups say how many of its results each dimension has, of which the greatest
//! (lower) or least (upper) counts. The map's operands are those of the lower bounds, then those of the upper ones.

use super::parts::{arity, print_exprs, resolve};
use super::valid;
use terrace_diag::Reported;
use terrace_dialect_memref::AtomicRmwKind;
use terrace_ir::rules::{AffineMapAttr, AnyType, Index};
use terrace_ir::{Attr, AttrForm, AttrKind, Context, DenseData, Ir, Type, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, Unresolved};

fn ints<'a>(cx: &'a Context, attr: Attr) -> Option<impl Iterator<Item = Option<i64>> + 'a> {
    Some(attr.as_array(cx)?.iter().map(|item| match item.as_int(cx) {
        Some((value, ty)) if ty == cx.common().i64 => i64::try_from(value).ok(),
        _ => None,
    }))
}

terrace_ir::attr_rules! {
    /// Kinds of reductions
    Reductions "Reduction ops", AttrForm::Full,
        |cx, attr| ints(cx, attr).is_some_and(|mut all| all.all(|kind| kind.is_some_and(|kind| (0..16).contains(&kind))));
    /// `[1, 2]`
    I64Array "64-bit integer array attribute", AttrForm::Full,
        |cx, attr| ints(cx, attr).is_some_and(|mut all| all.all(|value| value.is_some()));
    /// `dense<[1, 2]> : tensor<2xi32>`
    I32Elements "32-bit signless integer elements attribute", AttrForm::Full, |cx, attr| matches!(attr.kind(cx),
        AttrKind::Dense { ty, .. } if ty.scalar(cx) == cx.common().i32);
}

/// Run the body for each point of a box, in any order, and reduce what it gives
///
/// ```mlir
/// func.func @f(%m: memref<100x100xf32>, %n: index, %x: f32) -> f32 {
///   affine.parallel (%i, %j) = (0, max(%n, 4)) to (%n, min(%n + 8, 100)) step (2, 1) {
///     affine.store %x, %m[%i, %j] : memref<100x100xf32>
///   }
///   %r = affine.parallel (%i) = (0) to (100) reduce ("addf") -> (f32) {
///     %y = affine.load %m[%i, %i] : memref<100x100xf32>
///     affine.yield %y : f32
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "affine.parallel",
    traits(
        SingleBlock,
        LoopLike,
        RecursiveEffects,
        RecursivelySpeculatable,
        AllocationScope,
        terrace_dataflow::PlacedIndices
    ),
    interfaces(CustomAsm, terrace_interp::Interpret, terrace_dataflow::RegionFlow),
    hooks(verify),
    implicit_terminator = "affine.yield"
)]
pub struct Parallel {
    #[attr]
    reductions: Reductions,
    #[attr(name = "lowerBoundsMap")]
    lower_map: AffineMapAttr,
    #[attr(name = "lowerBoundsGroups")]
    lower_groups: I32Elements,
    #[attr(name = "upperBoundsMap")]
    upper_map: AffineMapAttr,
    #[attr(name = "upperBoundsGroups")]
    upper_groups: I32Elements,
    #[attr]
    steps: I64Array,
    operands: Variadic<Index>,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

/// Elements of a dense constant of `i32`
fn dense_i32(cx: &Context, attr: Attr) -> Vec<usize> {
    let number = |raw: &[u8]| match raw.try_into() {
        Ok(bytes) => usize::try_from(i32::from_le_bytes(bytes)).unwrap_or(0),
        Err(_) => 0,
    };
    match attr.kind(cx) {
        AttrKind::Dense { data: DenseData::Raw(raw), .. } => raw.chunks(4).map(number).collect(),
        AttrKind::Dense { ty, data: DenseData::Splat(one) } => {
            let count = ty.num_elements(cx).and_then(|count| usize::try_from(count).ok());
            vec![number(one); count.filter(|count| *count <= 1 << 16).unwrap_or(0)]
        }
        _ => Vec::new(),
    }
}

fn dense_of(cx: &Context, groups: &[usize]) -> Attr {
    let ty = cx.tensor(&[groups.len() as i64], cx.common().i32);
    let bytes = |count: &usize| (*count as i32).to_le_bytes();
    let data = match groups {
        [first, rest @ ..] if rest.iter().all(|count| count == first) => {
            DenseData::Splat(bytes(first).into())
        }
        _ => DenseData::Raw(groups.iter().flat_map(bytes).collect()),
    };
    cx.attr(AttrKind::Dense { ty, data })
}

/// The bounds of one side
pub struct Bounds<'a> {
    /// All expressions
    pub map: &'a AffineMap,
    /// How many of them each dimension has
    pub groups: Vec<usize>,
    /// The map's operands
    pub operands: Vec<Value>,
}

impl Bounds<'_> {
    /// Ranges of the results of each dimension
    pub fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut start = 0usize;
        self.groups.iter().map(move |count| {
            let range = start..start.saturating_add(*count);
            start = range.end;
            range
        })
    }
}

impl Parallel {
    /// Lower or upper bounds
    pub fn bounds(self, ir: &Ir, upper: bool) -> Option<Bounds<'_>> {
        let cx = ir.cx();
        let (lower_dims, lower_symbols) = arity(cx, self.lower_map(ir))?;
        let operands = self.operands(ir);
        let (low, high) = operands.split_at_checked(lower_dims + lower_symbols)?;
        let (map, groups, operands) = if upper {
            (self.upper_map(ir), self.upper_groups(ir), high)
        } else {
            (self.lower_map(ir), self.lower_groups(ir), low)
        };
        let map = map.as_affine_map(cx)?;
        Some(Bounds { map, groups: dense_i32(cx, groups), operands: operands.to_vec() })
    }

    /// Distances of neighbours
    pub fn step_sizes(self, ir: &Ir) -> Vec<i64> {
        ints(ir.cx(), self.steps(ir)).map_or(Vec::new(), |all| all.flatten().collect())
    }

    /// Kinds of the reductions
    pub fn kinds(self, ir: &Ir) -> Vec<AtomicRmwKind> {
        let kind = |kind: Option<i64>| AtomicRmwKind::from_value(u64::try_from(kind?).ok()?);
        ints(ir.cx(), self.reductions(ir)).map_or(Vec::new(), |all| all.filter_map(kind).collect())
    }
}

/// A list of bounds while it is read: operands of all of them together, each once
#[derive(Default)]
struct Reading {
    dims: Vec<Unresolved>,
    symbols: Vec<Unresolved>,
    results: Vec<AffineExpr>,
    groups: Vec<usize>,
}

impl Reading {
    fn add(&mut self, p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let at = p.here();
        let several = ["min", "max"].iter().any(|word| p.keyword_opt(word));
        let (map, dims, symbols) =
            if several { p.affine_map_of_ssa_ids_in_parens()? } else { p.affine_expr_of_ssa_ids()? };
        let place = |all: &mut Vec<Unresolved>, new: Unresolved| {
            let same = |old: &Unresolved| old.is_same(&new);
            all.iter().take(4096).position(same).unwrap_or_else(|| {
                all.push(new);
                all.len() - 1
            }) as u32
        };
        let dims: Vec<AffineExpr> =
            dims.into_iter().map(|new| AffineExpr::Dim(place(&mut self.dims, new))).collect();
        let symbols: Vec<AffineExpr> =
            symbols.into_iter().map(|new| AffineExpr::Symbol(place(&mut self.symbols, new))).collect();
        let Some(map) = map.as_affine_map(p.cx()) else { return Err(p.error_in(at, "expected expressions")) };
        for expr in &map.results {
            match expr.replace(&dims, &symbols) {
                Some(expr) => self.results.push(expr),
                None => return Err(p.error_in(at, "the expression is too large")),
            }
        }
        self.groups.push(map.results.len());
        Ok(())
    }

    fn finish(self, p: &mut OpParser<'_, '_>, names: [&str; 2]) -> Result<Vec<Unresolved>, Reported> {
        let cx = p.cx();
        let map = AffineMap::new(self.dims.len() as u32, self.symbols.len() as u32, self.results);
        let Some(map) = map else { return Err(p.error("expected expressions")) };
        p.set_attr(names[0], cx.map_attr(map));
        p.set_attr(names[1], dense_of(cx, &self.groups));
        Ok(self.dims.into_iter().chain(self.symbols).collect())
    }
}

fn parse_bounds(p: &mut OpParser<'_, '_>, names: [&str; 2]) -> Result<(usize, Vec<Unresolved>), Reported> {
    let mut reading = Reading::default();
    p.list(Delim::Paren, |p| reading.add(p))?;
    let count = reading.groups.len();
    Ok((count, reading.finish(p, names)?))
}

impl CustomAsm for Parallel {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let cx = p.cx();
        let (index, i64_ty) = (cx.common().index, cx.common().i64);
        let at = p.here();
        let ivs = p.operands(Delim::Paren)?;
        p.punct("=")?;
        let (lower, mut operands) = parse_bounds(p, ["lowerBoundsMap", "lowerBoundsGroups"])?;
        p.keyword("to")?;
        let (upper, high) = parse_bounds(p, ["upperBoundsMap", "upperBoundsGroups"])?;
        operands.extend(high);
        if lower != ivs.len() || upper != ivs.len() {
            let message =
                format!("{} induction variables, but {lower} lower and {upper} upper bounds", ivs.len());
            return Err(p.error_in(at, message));
        }
        let mut steps = vec![cx.int_attr(1, i64_ty); ivs.len()];
        if p.keyword_opt("step") {
            steps.clear();
            p.list(Delim::Paren, |p| {
                steps.push(cx.int_attr(p.int64()?.into(), i64_ty));
                Ok(())
            })?;
        }
        let mut kinds = Vec::new();
        if p.keyword_opt("reduce") {
            p.list(Delim::Paren, |p| {
                let at = p.here();
                let name = p.string()?;
                match AtomicRmwKind::from_word(&name) {
                    Some(kind) => kinds.push(kind.attr(cx)),
                    None => return Err(p.error_in(at, format!("invalid reduction value: \"{name}\""))),
                }
                Ok(())
            })?;
        }
        p.set_attr("steps", cx.array_attr(&steps));
        p.set_attr("reductions", cx.array_attr(&kinds));
        let results = p.arrow_types_opt()?;
        resolve(p, &operands)?;
        p.add_results(&results);
        let args: Vec<(Unresolved, Type)> = ivs.into_iter().map(|iv| (iv, index)).collect();
        p.region(&args)?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let ivs = ir.entry(self.region(ir)).map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        p.text(" (");
        p.operands(ivs);
        for (upper, before, word) in [(false, ") = (", "max("), (true, ") to (", "min(")] {
            p.text(before);
            let Some(bounds) = self.bounds(ir, upper) else { continue };
            for (n, range) in bounds.ranges().enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                let several = range.len() != 1;
                p.text(if several { word } else { "" });
                print_exprs(p, bounds.map, &bounds.operands, range);
                p.text(if several { ")" } else { "" });
            }
        }
        p.text(")");
        let steps = self.step_sizes(ir);
        if steps.iter().any(|step| *step != 1) {
            p.text(" step (");
            for (n, step) in steps.into_iter().enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                p.int(step.into());
            }
            p.text(")");
        }
        let results = ir.num_results(self.0) > 0;
        if results {
            p.text(" reduce (");
            for (n, kind) in self.kinds(ir).into_iter().enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                p.string(kind.word());
            }
            p.text(") -> (");
            p.types(ir.results(self.0).map(|value| ir.ty(value)));
            p.text(")");
        }
        p.text(" ");
        p.region(self.region(ir), false, results);
        p.attr_dict(&[
            "reductions",
            "lowerBoundsMap",
            "lowerBoundsGroups",
            "upperBoundsMap",
            "upperBoundsGroups",
            "steps",
        ]);
    }
}

impl Verify for Parallel {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let steps = self.step_sizes(ir);
        let given = self.operands(ir).len();
        let needed: usize = [self.lower_map(ir), self.upper_map(ir)]
            .iter()
            .filter_map(|map| arity(cx, *map))
            .map(|(a, b)| a + b)
            .sum();
        let Some(entry) = ir.entry(self.region(ir)) else { return Ok(()) };
        let args = ir.block_args(entry);
        if given != needed {
            return fail("the number of operands must be that of the dimensions and symbols of both maps");
        }
        let (Some(lower), Some(upper)) = (self.bounds(ir, false), self.bounds(ir, true)) else {
            return Ok(());
        };
        let counts = [args.len(), lower.groups.len(), upper.groups.len(), steps.len()];
        if counts.iter().any(|count| *count != counts[0]) {
            let message = format!(
                "the number of region arguments ({}) and the number of map groups for lower ({}) and upper bound ({}), and \
                 the number of steps ({}) must all match",
                counts[0], counts[1], counts[2], counts[3]
            );
            return fail(&message);
        }
        if args.iter().any(|arg| !ir.ty(*arg).is_index(cx)) {
            return fail("expects region arguments of type index");
        }
        for (bounds, which) in [(&lower, "lower"), (&upper, "upper")] {
            let expected = bounds.groups.iter().fold(0usize, |all, count| all.saturating_add(*count));
            if bounds.groups.contains(&0) {
                return fail("expected lower and upper bound map to have at least one result per dimension");
            }
            if expected != bounds.map.results.len() {
                return fail(&format!("expected {which} bounds map to have {expected} results"));
            }
        }
        if steps.iter().any(|step| *step <= 0) {
            return fail("expected steps to be positive");
        }
        let kinds = self.kinds(ir).len();
        if kinds != ir.num_results(self.0) {
            return fail("a reduction must be specified for each output");
        }
        for (kind, result) in self.kinds(ir).into_iter().zip(ir.results(self.0)) {
            let ty = ir.ty(result);
            let fits = match kind.needs_float() {
                Some(true) => ty.is_float(cx),
                Some(false) => ty.is_int(cx) || ty.is_index(cx),
                None => true,
            };
            if !fits {
                return fail("invalid attribute");
            }
        }
        valid::check(v, self.0, lower.map.dims as usize, &lower.operands)?;
        valid::check(v, self.0, upper.map.dims as usize, &upper.operands)
    }
}
