//! Where a walk through the loops of a plan stands, and what that says of coordinates and conditions.
//!
//! Variables are indices, not values: who writes loops, in IR or in a table, says which variable each loop has. The first values that are no
//! loops' are the numbers known at run time.

use super::cut::{Cut, cut};
use super::loops::{Item, Loop, Plan};
use crate::broken::{Broken, Rule};
use crate::computation::{Computation, DimKind};
use crate::nest::{Index, OpaqueId};
use crate::nest_arena::Id;
use crate::nest_combine::{Combination, Order, Tail as LoopTail};
use crate::values::Tail;
use terrace_analysis::Range;
use terrace_devices::{Level, Mechanism};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Of a rule, or of what has no form yet
pub type Done<T> = Result<T, Broken>;

/// Loops over a computation, and how they are walked through
#[derive(Clone, Debug)]
pub struct Geometry<'a> {
    /// The computation
    pub c: &'a Computation,
    /// Its loops
    pub plan: &'a Plan,
    /// Dimensions that are unrolled only where that decides a condition
    pub rolled: Vec<usize>,
    /// Dimensions that points visit only where they hit
    pub picks: Vec<usize>,
}

/// A placed loop's variable
#[derive(Clone, Debug)]
pub struct Iv {
    /// What stands for it
    pub index: Index,
    /// Which step by order of the schedule
    pub layer: usize,
    /// Who runs it
    pub level: Level,
    /// Extent of its loop
    pub extent: i64,
    /// Distance of two iterations
    pub tile: i64,
}

impl Iv {
    /// Its values
    pub fn range(&self) -> Range {
        let last = (self.extent - 1).max(0) / self.tile.max(1) * self.tile.max(1);
        Range::stepped(0, last, self.tile.max(1)).unwrap_or(Range::one(0))
    }
}

/// Where a walk stands
#[derive(Clone, Default, Debug)]
pub struct Position {
    /// Per dimension: where it starts
    pub offsets: Vec<i64>,
    /// Per dimension: the variables that are added to the start
    pub ivs: Vec<Vec<Iv>>,
    /// Per dimension: sizes by layer
    pub sizes: Vec<Vec<i64>>,
    /// Per dimension: where it is cut into pieces
    pub cuts: Vec<Option<Cut>>,
    /// Per dimension: the loop that is cut stands outside
    pub passed: Vec<bool>,
    /// Per dimension: it has been split where its conditions begin and end to hold
    pub split: Vec<bool>,
    /// Per dimension: first and last coordinate that can be reached
    pub reach: Vec<(i64, i64)>,
    /// Per dimension: its loops form no chain any more and do not name it
    pub unnamed: Vec<bool>,
    /// Conditions that hold here: guards and bounds of loops around
    pub taken: Vec<AffineExpr>,
}

/// A map, and what its dimensions after those of a domain stand for
#[derive(Clone, PartialEq, Debug)]
pub struct Over {
    /// From dimensions to indices
    pub map: AffineMap,
    /// Variables, in order of first use
    pub over: Vec<Index>,
}

/// Builds maps over variables, numbered in order of first use
#[derive(Clone, Debug, Default)]
pub struct Vars {
    /// Dimensions of a domain
    own: u32,
    /// Variables so far
    pub over: Vec<Index>,
}

impl Vars {
    /// With so many dimensions for a domain
    pub fn with_domain(own: usize) -> Vars {
        Vars { own: own as u32, over: Vec::new() }
    }

    /// The dimension of a variable
    pub fn of(&mut self, index: Index) -> AffineExpr {
        let n = self.over.iter().position(|other| *other == index).unwrap_or_else(|| {
            self.over.push(index);
            self.over.len() - 1
        });
        AffineExpr::Dim(self.own + n as u32)
    }

    /// The map with these results
    pub fn map(self, results: Vec<AffineExpr>) -> Option<Over> {
        let map = AffineMap::new(self.own + self.over.len() as u32, 0, results)?;
        Some(Over { map, over: self.over })
    }

    /// The same with the variables that are used, in order of use; without a domain
    pub fn compact(self, results: Vec<AffineExpr>) -> Option<Over> {
        let mut order = Vec::new();
        for expr in &results {
            expr.any_leaf(&mut |leaf| {
                if let AffineExpr::Dim(n) = leaf
                    && !order.contains(n)
                {
                    order.push(*n);
                }
                false
            });
        }
        let place: Vec<AffineExpr> = (0..self.over.len() as u32)
            .map(|n| AffineExpr::Dim(order.iter().position(|m| *m == n).unwrap_or(0) as u32))
            .collect();
        let results: Option<Vec<AffineExpr>> = results.iter().map(|expr| expr.replace(&place, &[])).collect();
        let map = AffineMap::new(order.len() as u32, 0, results?)?;
        Some(Over { map, over: order.iter().map(|n| self.over[*n as usize]).collect() })
    }
}

/// A loop as the plan says, with its bounds; what it combines is the matter of those who write it
#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    /// Extent
    pub extent: i64,
    /// Distance of two iterations
    pub tile: i64,
    /// Dimension, where the dimension's loops form a chain
    pub dim: Option<usize>,
    /// Who runs it
    pub level: Level,
    /// How its dimension is combined
    pub kind: Combination,
    /// In which order
    pub order: Order,
    /// How contributions are merged
    pub mechanism: Mechanism,
    /// What happens where the tile does not divide
    pub tail: Option<LoopTail>,
    /// First iterations that do not happen
    pub from: Option<Over>,
    /// Last iterations that do not happen
    pub limit: Option<Over>,
    /// Layer and label of the schedule's step
    pub step: Option<(i64, i64)>,
    /// Parts of the buffers that are filled right inside of it
    pub stages: Option<i64>,
}

impl Form {
    /// A loop that runs once
    pub fn once() -> Form {
        Form {
            extent: 1,
            tile: 1,
            dim: None,
            level: Level::Seq,
            kind: Combination::Cc,
            order: Order::Fixed,
            mechanism: Mechanism::Auto,
            tail: None,
            from: None,
            limit: None,
            step: None,
            stages: None,
        }
    }
}

impl Geometry<'_> {
    /// Outside of all loops
    pub fn outside(&self) -> Position {
        let (c, sizes) = (self.c, self.plan.sizes.clone());
        let dims = c.dims.len();
        let cuts: Vec<Option<Cut>> =
            sizes.iter().zip(&self.plan.tails).map(|(sizes, tails)| cut(sizes, tails)).collect();
        let unnamed =
            (0..dims).map(|dim| self.tail(dim) == Some(Tail::Peel) && cuts[dim].is_none()).collect();
        Position {
            offsets: vec![0; dims],
            ivs: vec![Vec::new(); dims],
            sizes,
            cuts,
            passed: vec![false; dims],
            split: vec![false; dims],
            reach: c.dims.iter().map(|dim| (0, dim.size - 1)).collect(),
            unnamed,
            taken: Vec::new(),
        }
    }

    /// Where the remainder of a dimension is peeled, larger tiles stand outside
    pub fn larger_tiles_outside(&self) -> Done<()> {
        for dim in (0..self.c.dims.len()).filter(|dim| self.tail(*dim) == Some(Tail::Peel)) {
            let loops = self.plan.items.iter().filter_map(|item| match item {
                Item::Loop(one) if one.dim == dim && self.plan.is_loop(one) => Some(one.layer),
                _ => None,
            });
            if !loops.is_sorted() {
                return Err(Rule::Div
                    .broken(format!("`~peel` of dimension {} needs its larger tiles outside", dim + 1)));
            }
        }
        Ok(())
    }

    /// Coordinates as sums of variables
    fn coords(&self, pos: &Position, vars: &mut Vars) -> Vec<AffineExpr> {
        (0..self.c.dims.len())
            .map(|dim| {
                let start = AffineExpr::Constant(pos.offsets[dim]);
                pos.ivs[dim].iter().fold(start, |sum, iv| AffineExpr::add(sum, vars.of(iv.index)))
            })
            .collect()
    }

    /// Index functions at the coordinates reached so far
    pub fn access(&self, pos: &Position, exprs: &[AffineExpr]) -> Done<Over> {
        let mut vars = Vars::default();
        let coords = self.coords(pos, &mut vars);
        let open = |n: usize| Index::Opaque(OpaqueId::new(n));
        let numbers: Vec<AffineExpr> = (0..self.c.extents.len()).map(|n| vars.of(open(n))).collect();
        let results: Option<Vec<AffineExpr>> =
            exprs.iter().map(|expr| expr.replace(&coords, &numbers)).collect();
        let access = results.and_then(|results| vars.compact(results));
        access.ok_or_else(|| "an index function is too deep".into())
    }

    /// One expression as a bound
    fn bound(&self, pos: &Position, expr: &AffineExpr) -> Done<Over> {
        self.access(pos, std::slice::from_ref(expr))
    }

    /// Layer and label of the last loop up to an item: what a condition behind it belongs to
    pub fn step(&self, n: usize) -> Option<(i64, i64)> {
        let last = self.plan.items[..=n].iter().rev().find_map(|item| match item {
            Item::Loop(one) => Some((one.layer as i64, one.label as i64)),
            _ => None,
        });
        last.filter(|_| self.plan.steps.len() > 1)
    }

    /// Is nothing to be done for a condition here: it holds, or has a place further in?
    pub fn passes(&self, n: usize, pos: &Position, bound: &AffineExpr) -> bool {
        let later = |item: &Item| match item {
            Item::Loop(one) => {
                bound.uses_dim(one.dim as u32) && Plan::trip(&pos.sizes[one.dim], one.layer) > 1
            }
            _ => false,
        };
        pos.taken.contains(bound) || self.always(pos, bound) || self.plan.items[n + 1..].iter().any(later)
    }

    /// `0 < bound + 1`
    pub fn open(&self, pos: &Position, bound: &AffineExpr) -> Done<Over> {
        self.bound(pos, &AffineExpr::add(bound.clone(), 1.into()))
    }

    /// A loop as the plan says, without bounds
    pub fn form(&self, one: &Loop, (extent, tile): (i64, i64)) -> Form {
        let (kind, order) = match self.c.dims[one.dim].kind {
            DimKind::Kept => (Combination::Cc, Order::Fixed),
            DimKind::Reduced(order) => (Combination::Pw, order),
            DimKind::Prefixes => (Combination::Ps, Order::Fixed),
        };
        Form {
            extent,
            tile,
            dim: Some(one.dim),
            level: one.level,
            kind,
            order,
            mechanism: if kind == Combination::Pw { one.via } else { Mechanism::Auto },
            tail: match self.plan.peeled[one.dim] == Some(one.layer) {
                true => Some(LoopTail::Peel),
                false => (self.padded(one.dim) && extent % tile.max(1) != 0).then_some(LoopTail::Pad),
            },
            from: None,
            limit: None,
            step: (self.plan.steps.len() > 1).then_some((one.layer as i64, one.label as i64)),
            stages: one.stages,
        }
    }

    /// The loop of a piece, with its bounds; conditions that became bounds are taken from here on
    pub fn bounded(&self, n: usize, one: &Loop, mut form: Form, pos: &mut Position) -> Done<Form> {
        if pos.unnamed[one.dim] {
            form.dim = None;
        }
        form = self.above_diagonal(one, form, pos)?;
        if form.level == Level::Unroll && self.rolled.contains(&one.dim) {
            // Copies that decide a condition are no loop any more.
            form.level = Level::Seq;
        }
        if form.tile != 1 || !matches!(form.level, Level::Seq | Level::Vector) {
            return Ok(form);
        }
        if form.level == Level::Vector {
            return self.masked(n, one, form, pos);
        }
        // Conditions right inside of a loop over single coordinates are its bounds where they are of its variable alone.
        for (at, item) in self.plan.items.iter().enumerate().skip(n + 1) {
            let Item::Guard(bound) = item else { break };
            if self.passes(at, pos, bound) {
                continue;
            }
            // The bound is `factor · variable + rest`, with the rest being what has been placed so far.
            let factor = bound.as_linear().map_or(0, |linear| linear.dim(one.dim));
            let divisor = || AffineExpr::Constant(factor.abs());
            if factor > 0 && form.from.is_none() {
                let least = AffineExpr::ceil_div(AffineExpr::negated(bound.clone()), divisor());
                form.from = Some(self.bound(pos, &least)?);
            } else if factor < 0 && form.limit.is_none() {
                let most = AffineExpr::floor_div(bound.clone(), divisor());
                form.limit = Some(self.open(pos, &most)?);
            } else {
                continue;
            }
            pos.taken.push(bound.clone());
        }
        Ok(form)
    }

    /// Conditions that are no bounds of the loop over prefixes right outside of them have no form
    pub fn behind_prefixes(&self, n: usize, pos: &Position) -> Done<()> {
        let guards = self.plan.items.iter().enumerate().skip(n + 1);
        let mut open = guards.filter_map(|(at, item)| match item {
            Item::Guard(bound) => Some(!self.passes(at, pos, bound)),
            _ => None,
        });
        match open.any(|open| open) && self.values_from() == n + 1 {
            true => Err(Rule::Order.broken(
                "a condition inside of prefixes, whose loop is not over single coordinates in order",
            )),
            false => Ok(()),
        }
    }

    /// Inside of a loop, whose variable is part of its dimension's coordinate
    pub fn enter(&self, one: &Loop, (extent, tile): (i64, i64), index: Index, pos: &mut Position) {
        pos.ivs[one.dim].push(Iv { index, layer: one.layer, level: one.level, extent, tile });
    }

    /// First of the items that give values: the innermost loops over reduced dimensions, with conditions among them
    pub fn values_from(&self) -> usize {
        let mut from = self.plan.items.len();
        // What goes to places that only values name meets in memory.
        if !self.picks.is_empty() {
            return from;
        }
        for (n, item) in self.plan.items.iter().enumerate().rev() {
            match item {
                Item::Loop(one) if !self.plan.is_loop(one) => {}
                // Blocks have no values together: what they contribute meets in memory.
                Item::Loop(one) if matches!(one.level, Level::Block(_)) => break,
                Item::Loop(one) if self.c.dims[one.dim].kind.is_reduced() => from = n,
                // Conditions inside of prefixes are bounds of their loop.
                Item::Loop(one) if self.c.dims[one.dim].kind == DimKind::Prefixes => {
                    from = from.min(n + 1);
                    break;
                }
                Item::Loop(_) => break,
                Item::Owner(layer) if self.plan.steps[layer - 1].outs.iter().any(Option::is_some) => break,
                Item::Owner(_) | Item::Guard(_) => {}
            }
        }
        // Sums of inner loops alone would be sums of parts: contributions go to memory one by one.
        match self.c.in_order && self.reduces_before(from) {
            true => self.plan.items.len(),
            false => from,
        }
    }

    /// Do loops over reduced dimensions stand outside of this item?
    pub fn reduces_before(&self, n: usize) -> bool {
        let reduced = |item: &Item| match item {
            Item::Loop(one) => self.c.dims[one.dim].kind.is_reduced() && self.plan.is_loop(one),
            _ => false,
        };
        self.plan.items[..n].iter().any(reduced)
    }
}
