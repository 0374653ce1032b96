//! Parallel loops in tiles: a loop over tiles, and one over the points of each.

use terrace_diag::Reported;
use terrace_dialect_affine::Min;
use terrace_dialect_arith::{AddI, AndI, CmpI, CmpIPredicate, Constant, MulI};
use terrace_dialect_scf::{If, Parallel, Reduce, Yield};
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Builder, Ir, Value};
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Tile the innermost parallel loops that reduce nothing
///
/// Dimensions beyond the given sizes get tiles of one. Where a tile may stick out, the inner loop ends early
/// (`affine.min`), or with `no-min-max-bounds` its body asks.
#[pass("scf-parallel-loop-tiling", stats("loops tiled"))]
pub struct ScfParallelLoopTiling {
    /// sizes of tiles, from the first dimension on
    #[option]
    parallel_loop_tile_sizes: TileSizes,
    /// inner loops of constant size, with a condition in them
    #[option]
    no_min_max_bounds: bool,
}

/// Sizes of tiles, each at least one
pub struct TileSizes(Vec<i64>);

impl OptionValue for TileSizes {
    const KIND: OptionKind = OptionKind::List;
    const DEFAULT: &'static str = "";
    const WANTS: &'static str = "integers of at least 1";

    fn parse(text: &str) -> Option<TileSizes> {
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(|word| word.parse().ok().filter(|size| *size > 0)).collect::<Option<_>>().map(TileSizes)
    }
}

impl Pass for ScfParallelLoopTiling {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<Parallel> = unit.walk().filter_map(|op| Parallel::cast(unit, op)).collect();
        let holds = |each: &Parallel| unit.walk_below(each.0).any(|op| Parallel::cast(unit, op).is_some());
        let tiled: Vec<Parallel> =
            loops.into_iter().filter(|each| !holds(each) && unit.num_results(each.0) == 0).collect();
        let count = tiled.len() as u64;
        for each in tiled {
            tile(unit, each, &self.parallel_loop_tile_sizes.0, self.no_min_max_bounds);
        }
        cx.count("loops tiled", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

fn number(ir: &Ir, value: Value) -> Option<i64> {
    constant_of(ir, value)?.as_i64(ir.cx())
}

fn constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    Constant::build(b, attr).result(b.read())
}

/// One dimension of a loop
#[derive(Clone, Copy)]
struct Dim {
    lower: Value,
    upper: Value,
    step: Value,
    /// Points of a tile along it
    size: i64,
    /// From tile to tile
    stride: Value,
}

/// Are there as many points as whole tiles have?
fn is_whole(ir: &Ir, dim: &Dim) -> bool {
    let bounds = [dim.lower, dim.upper, dim.step].map(|value| number(ir, value).map(i128::from));
    let [Some(lower), Some(upper), Some(step)] = bounds else { return false };
    let points = if upper > lower { (upper - lower + step - 1) / step } else { 0 };
    step > 0 && points % i128::from(dim.size) == 0
}

fn tile(ir: &mut Ir, each: Parallel, sizes: &[i64], ask: bool) -> Option<()> {
    let (lowers, uppers, steps) = (each.lower(ir), each.upper(ir), each.steps(ir));
    let rank = steps.len();
    let body = ir.entry(each.region(ir))?;
    let end = ir.last_op(body)?;
    let loc = ir.loc(each.0);
    let mut b = Builder::before(ir, each.0);
    let zero = constant(&mut b, 0);
    let size = |n: usize| sizes.get(n).copied().unwrap_or(1);
    let numbers: Vec<Value> = (0..rank).map(|n| constant(&mut b, size(n))).collect();
    let strides: Vec<Value> = numbers
        .iter()
        .zip(&steps)
        .map(|(size, step)| MulI::build(&mut b, *step, *size).result(b.read()))
        .collect();
    let dims: Vec<Dim> = (0..rank)
        .map(|n| Dim {
            lower: lowers[n],
            upper: uppers[n],
            step: steps[n],
            size: size(n),
            stride: strides[n],
        })
        .collect();
    let outer = Parallel::build(&mut b, &lowers, &uppers, &strides, &[], &[]);
    let dict = ir.dict(each.0);
    ir.set_dict(outer.0, dict);
    let (tiles, firsts) = open(ir, outer, rank);
    let whole: Vec<bool> = dims.iter().map(|dim| is_whole(ir, dim)).collect();
    let mut b = Builder::at_end(ir, tiles);
    b.set_loc(loc);
    let mut ends = Vec::new();
    for ((dim, first), whole) in dims.iter().zip(&firsts).zip(&whole) {
        if *whole || ask {
            ends.push(dim.stride);
            continue;
        }
        let left = AffineExpr::add(AffineExpr::Dim(1), AffineExpr::negated(AffineExpr::Dim(2)));
        let map = AffineMap { dims: 3, symbols: 0, results: vec![AffineExpr::Dim(0), left] };
        let map = b.cx().map_attr(map);
        ends.push(Min::build(&mut b, &[dim.stride, dim.upper, *first], map).result(b.read()));
    }
    let inner = Parallel::build(&mut b, &vec![zero; rank], &ends, &steps, &[], &[]);
    Reduce::build(&mut b, &[], 0);
    let (points, offsets) = open(ir, inner, rank);
    let old: Vec<Value> = ir.block_args(body).to_vec();
    let mut b = Builder::at_end(ir, points);
    b.set_loc(loc);
    let places: Vec<Value> = offsets
        .iter()
        .zip(&firsts)
        .map(|(at, first)| AddI::build(&mut b, *at, *first).result(b.read()))
        .collect();
    let inside = if ask && whole.contains(&false) {
        let condition = within(&mut b, &dims, &offsets, &firsts);
        let made = If::build(&mut b, condition, &[]);
        let then = ir.append_block(made.then_region(ir));
        Yield::build(&mut Builder::at_end(ir, then), &[]);
        ir.last_op(then)
    } else {
        None
    };
    let mut b = Builder::at_end(ir, points);
    b.set_loc(loc);
    Reduce::build(&mut b, &[], 0);
    let before = inside.or_else(|| ir.last_op(points))?;
    ir.erase(end);
    for op in ir.block_ops(body).collect::<Vec<_>>() {
        ir.detach(op);
        ir.insert_before(before, op);
    }
    for (old, new) in old.into_iter().zip(places) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(each.0);
    Some(())
}

/// Give a new loop its block; that and the variables
fn open(ir: &mut Ir, new: Parallel, rank: usize) -> (BlockId, Vec<Value>) {
    let block = ir.append_block(new.region(ir));
    let index = ir.cx().common().index;
    (block, (0..rank).map(|_| ir.add_block_arg(block, index)).collect())
}

/// Is a point of a tile one of the loop?
fn within(b: &mut Builder<'_>, dims: &[Dim], offsets: &[Value], firsts: &[Value]) -> Value {
    let yes = b.cx().common().true_;
    let mut all = Constant::build(b, yes).result(b.read());
    for ((dim, at), first) in dims.iter().zip(offsets).zip(firsts) {
        // The offset is in the loop's own steps already.
        let place = AddI::build(b, *at, *first).result(b.read());
        let signed = number(b.read(), dim.lower).is_none_or(|lower| lower < 0);
        let predicate = if signed { CmpIPredicate::Slt } else { CmpIPredicate::Ult };
        let below = CmpI::build(b, place, dim.upper, predicate).result(b.read());
        all = AndI::build(b, all, below).result(b.read());
    }
    all
}
