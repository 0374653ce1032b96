//! Bodies of innermost affine loops, several times in a row.
//!
//! ```mlir
//! affine.for %i = 0 to 10 { f(%i) }
//! // becomes, by a factor of 4,
//! affine.for %i = 0 to 8 step 4 { f(%i) f(%i + 1) f(%i + 2) f(%i + 3) }
//! affine.for %i = 8 to 10 { f(%i) }
//! ```
//!
//! A loop that runs once becomes its body. Loops whose number of iterations is not known stay: the bound at which the rest
//! begins lies below the loop's own where the loop does not run at all.

use terrace_diag::Reported;
use terrace_dialect_affine::{Apply, For, Yield};
use terrace_dialect_arith::Constant;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Builder, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Repeat the bodies of innermost affine loops
///
/// By `unroll-factor`; what is left over is a loop of its own. Loops with bounds that are not constant stay, and so
/// does one whose body would have more than a million ops.
#[pass("affine-loop-unroll", stats("loops unrolled"))]
pub struct AffineLoopUnroll {
    /// unroll the loop of what is left over as well, and loops of fewer iterations than the factor
    #[option]
    cleanup_unroll: bool,
    /// how often a body is repeated; -1 for as often as the loop runs
    #[option(default = 4)]
    unroll_factor: Factor,
    /// with a factor of -1 and more than 1: unroll loops of at most so many iterations, also those with loops inside
    #[option(default = 1)]
    unroll_full_threshold: u64,
    /// how often to unroll what is innermost then
    #[option(default = 1)]
    unroll_num_reps: u64,
    /// unroll loops of fewer iterations than the factor, too
    #[option]
    unroll_up_to_factor: bool,
}

/// How often a body is repeated: a number, or as often as the loop runs
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Factor {
    /// So often
    Times(i64),
    /// As often as the loop runs
    All,
}

impl OptionValue for Factor {
    const KIND: OptionKind = OptionKind::Int;
    const DEFAULT: &'static str = "4";
    const WANTS: &'static str = "an integer of at least 1, or -1";

    fn parse(text: &str) -> Option<Factor> {
        match text.parse().ok()? {
            -1 => Some(Factor::All),
            factor => Some(Factor::Times(factor)).filter(|_| factor > 0),
        }
    }
}

/// Most ops of a body
const MOST: i128 = 1_000_000;

impl Pass for AffineLoopUnroll {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        if self.unroll_factor == Factor::All && self.unroll_full_threshold > 1 {
            for each in loops(unit) {
                let trips = trips(unit, each).filter(|trips| *trips <= self.unroll_full_threshold.into());
                count += u64::from(trips.is_some_and(|trips| unroll(unit, each, trips, true)));
            }
        } else {
            for _ in 0..self.unroll_num_reps {
                let inner: Vec<For> =
                    loops(unit).into_iter().filter(|each| is_innermost(unit, *each)).collect();
                let done = inner.into_iter().filter(|each| self.by_factor(unit, *each)).count() as u64;
                count += done;
                if done == 0 {
                    break;
                }
            }
        }
        cx.count("loops unrolled", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

impl AffineLoopUnroll {
    fn by_factor(&self, ir: &mut Ir, each: For) -> bool {
        let Some(trips) = trips(ir, each) else { return false };
        let factor = match self.unroll_factor {
            Factor::All => trips,
            Factor::Times(factor) => factor.into(),
        };
        let few = self.unroll_up_to_factor || self.cleanup_unroll;
        let factor = if few { factor.min(trips) } else { factor };
        factor <= trips && unroll(ir, each, factor, self.cleanup_unroll)
    }
}

fn loops(ir: &Ir) -> Vec<For> {
    ir.walk_post(ir.root()).filter_map(|op| For::cast(ir, op)).collect()
}

fn is_innermost(ir: &Ir, each: For) -> bool {
    ir.walk_below(each.0).all(|op| For::cast(ir, op).is_none())
}

/// How often a loop runs, if its bounds are constants and it has something to do
fn trips(ir: &Ir, each: For) -> Option<i128> {
    let (lower, upper) = (each.constant_bound(ir, false)?, each.constant_bound(ir, true)?);
    let plain = each.lower(ir).is_empty() && each.upper(ir).is_empty();
    let body = ir.entry(each.region(ir))?;
    let idle = ir.first_op(body) == ir.last_op(body);
    let (lower, upper, step) = (i128::from(lower), i128::from(upper), i128::from(each.step_size(ir)));
    (plain && !idle && step > 0 && lower < upper).then(|| (upper - lower + step - 1) / step)
}

/// Repeat the body of a loop of constant bounds; false if nothing was done
fn unroll(ir: &mut Ir, each: For, factor: i128, all: bool) -> bool {
    let Some(count) = trips(ir, each) else { return false };
    let ops = ir.walk_below(each.0).count() as i128;
    let (lower, step) = (each.constant_bound(ir, false).unwrap_or(0), each.step_size(ir));
    let main = count / factor * factor;
    let middle = i64::try_from(i128::from(lower) + main * i128::from(step));
    let stride = i64::try_from(i128::from(step) * factor);
    let (Ok(middle), Ok(stride)) = (middle, stride) else { return false };
    if factor.saturating_mul(ops) > MOST || factor == 1 && count > 1 {
        return false;
    }
    let rest = (main < count).then(|| rest_of(ir, each, middle));
    repeat(ir, each, factor, step);
    let stride = ir.cx().index_attr(stride);
    ir.set_attr(each.0, "step", Some(stride));
    if rest.is_some() {
        set_bound(ir, each, "upperBoundMap", middle);
    }
    if main == factor {
        promote(ir, each, lower);
    }
    if let Some(rest) = rest {
        let left = count - main;
        if left == 1 || all {
            unroll(ir, rest, left, false);
        }
    }
    true
}

fn set_bound(ir: &mut Ir, each: For, name: &str, value: i64) {
    let map = AffineMap { dims: 0, symbols: 0, results: vec![AffineExpr::Constant(value)] };
    let map = ir.cx().map_attr(map);
    ir.set_attr(each.0, name, Some(map));
}

/// A copy of the loop after it, from that value on, which goes on with its results
fn rest_of(ir: &mut Ir, each: For, from: i64) -> For {
    let results: Vec<Value> = ir.results(each.0).collect();
    let copy = ir.clone_op(None, each.0, &mut ValueMap::default());
    ir.insert_after(each.0, copy);
    for (old, new) in results.iter().zip(ir.results(copy).collect::<Vec<_>>()) {
        ir.replace_all_uses(*old, new);
    }
    let copy = For(copy);
    set_bound(ir, copy, "lowerBoundMap", from);
    let operands: Vec<Value> =
        copy.lower(ir).into_iter().chain(copy.upper(ir)).chain(results.iter().copied()).collect();
    let segments = [copy.lower(ir).len() as u32, copy.upper(ir).len() as u32, results.len() as u32];
    ir.set_operands(copy.0, &operands, &segments);
    copy
}

/// Copies of the body behind it, each for the next value of the variable
fn repeat(ir: &mut Ir, each: For, factor: i128, step: i64) {
    let Some(body) = ir.entry(each.region(ir)) else { return };
    let Some(end) = ir.last_op(body) else { return };
    let args = ir.block_args(body).to_vec();
    let ops: Vec<OpId> = ir.block_ops(body).filter(|op| *op != end).collect();
    let mut carried: Vec<Value> = ir.operands(end).collect();
    let yielded = carried.clone();
    for n in 1..factor {
        let mut map = ValueMap::default();
        for (arg, value) in args[1..].iter().zip(&carried) {
            map.insert(*arg, *value);
        }
        if ir.is_used(args[0]) {
            let offset = i64::try_from(n * i128::from(step)).unwrap_or(i64::MAX);
            let next = AffineExpr::add(AffineExpr::Dim(0), AffineExpr::Constant(offset));
            let mut b = Builder::before(ir, end);
            let next = b.cx().map_attr(AffineMap { dims: 1, symbols: 0, results: vec![next] });
            let next = Apply::build(&mut b, &[args[0]], next).result(b.read());
            map.insert(args[0], next);
        }
        for &op in &ops {
            let copy = ir.clone_op(None, op, &mut map);
            ir.insert_before(end, copy);
        }
        carried = yielded.iter().map(|value| map.get(*value).unwrap_or(*value)).collect();
    }
    ir.set_operands(end, &carried, &[]);
}

/// The body in the place of a loop that runs once
fn promote(ir: &mut Ir, each: For, lower: i64) -> Option<()> {
    let body = ir.entry(each.region(ir))?;
    let end = ir.last_op(body).filter(|end| Yield::cast(ir, *end).is_some())?;
    let (args, inits) = (ir.block_args(body).to_vec(), each.inits(ir));
    if ir.is_used(args[0]) {
        let entry = ir.entry(ir.regions(ir.root()).next()?)?;
        let mut b = Builder::at_start(ir, entry);
        let attr = b.cx().index_attr(lower);
        let variable = Constant::build(&mut b, attr).result(b.read());
        ir.replace_all_uses(args[0], variable);
    }
    for (arg, init) in args[1..].iter().zip(inits) {
        ir.replace_all_uses(*arg, init);
    }
    for (old, new) in ir.results(each.0).zip(ir.operands(end)).collect::<Vec<_>>() {
        ir.replace_all_uses(old, new);
    }
    ir.erase(end);
    for op in ir.block_ops(body).collect::<Vec<_>>() {
        ir.detach(op);
        ir.insert_before(each.0, op);
    }
    ir.erase(each.0);
    Some(())
}
