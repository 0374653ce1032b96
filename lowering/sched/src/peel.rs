//! `tail peel`: a loop as up to three, of which the middle one needs no test.
//!
//! What cuts iterations off, the loop's own `limit` and extent, and `from` and `limit` of loops inside that depend on its
//! variable, does so only before some iteration and from some other on. These are affine in what stands outside: known
//! numbers, or values computed before the loop. In the middle part the conditions are *facts* that bounds and masks inside
//! are compared with ([`Emit::least`]). Each part is a copy of the body; a part of one iteration has a known variable.

use crate::emit::{Emit, Res, Val};
use crate::indices::IndexExprs;
use crate::state::Fact;
use terrace_analysis::{Range, range_of, simplify_with_ranges};
use terrace_dialect_arith as arith;
use terrace_dialect_sched::{Bound, For, LoopInfo};
use terrace_ir::{OpId, Value, ValueDef};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Has an expression a variable of another?
fn share(one: &AffineExpr, other: &AffineExpr) -> bool {
    one.any_leaf(&mut |leaf| matches!(leaf, AffineExpr::Dim(n) if other.uses_dim(*n)))
}

/// When iterations of a loop are cut by nothing
struct Cut {
    /// Over the old values of `values`: from here on, or before here
    at: AffineExpr,
    before: bool,
    /// At least 0 there, over `values` and then the loop's variable
    fact: AffineExpr,
    values: Vec<Value>,
}

impl Emit<'_> {
    /// A number that an expression is at least, by ranges and by one or two facts
    pub fn least(&self, place: &IndexExprs, expr: &AffineExpr) -> i64 {
        let mut best = place.range(expr).min();
        if self.facts.is_empty() || expr.as_constant().is_some() {
            return best;
        }
        let (mut dims, mut ranges) = place.variables();
        let mut known: Vec<AffineExpr> = Vec::new();
        for fact in &self.facts {
            let leaf = |(value, range): (&Value, &Range)| {
                let at = dims.iter().position(|other| other == value).unwrap_or_else(|| {
                    dims.push(*value);
                    ranges.push(*range);
                    dims.len() - 1
                });
                AffineExpr::Dim(at as u32)
            };
            let leaves: Vec<AffineExpr> = fact.dims.iter().zip(&fact.ranges).map(leaf).collect();
            known.extend(fact.expr.replace(&leaves, &[]));
        }
        // What has no variable in common with the rest is at least 0 and makes its least value no greater.
        let without = |expr: &AffineExpr, fact: &AffineExpr| {
            let rest = simplify_with_ranges(&AffineExpr::sub(expr.clone(), fact.clone()), &ranges);
            let least = range_of(&rest, &ranges).map_or(i64::MIN, |range| range.min());
            (rest, least)
        };
        for (n, fact) in known.iter().enumerate() {
            let (mut rest, first) = (None, share(expr, fact));
            if first {
                let (one, least) = without(expr, fact);
                (rest, best) = (Some(one), best.max(least));
            }
            for other in &known[n + 1..] {
                let joins = if first {
                    share(expr, other) || share(fact, other)
                } else {
                    share(expr, other) && share(fact, other)
                };
                if joins {
                    let rest = rest.get_or_insert_with(|| without(expr, fact).0);
                    best = best.max(without(rest, other).1);
                }
            }
        }
        best
    }

    /// Is an expression proved to be within these numbers? Ranges alone say so of most
    pub fn is_within(&self, place: &IndexExprs, expr: &AffineExpr, [first, last]: [i64; 2]) -> bool {
        let range = place.range(expr);
        (range.min() >= first || self.least(place, expr) >= first)
            && (range.max() <= last || self.most_of(place, expr) <= last)
    }

    /// A number that an expression is at most
    pub fn most_of(&self, place: &IndexExprs, expr: &AffineExpr) -> i64 {
        let ranges = place.range(expr).max();
        if self.facts.is_empty() || expr.as_constant().is_some() {
            return ranges;
        }
        let least = self.least(place, &AffineExpr::negated(expr.clone()));
        ranges.min(least.checked_neg().unwrap_or(i64::MAX))
    }

    /// What is known inside of the loop now being entered: iterations stay below its limit
    pub fn note(&mut self, expr: &AffineExpr, values: &[Value]) {
        let Some(map) = AffineMap::new(values.len() as u32, 0, vec![expr.clone()]) else { return };
        let place = self.place(&map, values);
        let uniform = place.is_uniform();
        let (dims, ranges) = place.variables();
        if let Some(expr) = place.exprs.into_iter().next().filter(|_| uniform) {
            self.facts.push(Fact { expr, dims, ranges });
        }
    }

    /// A sequential loop with `tail peel`: its parts one after the other; `None` if nothing is cut
    pub fn peeled(&mut self, info: &LoopInfo, accs: &[Vec<Value>]) -> Option<Res<Vec<Vec<Value>>>> {
        let cuts = self.cuts(info);
        if cuts.is_empty() {
            return None;
        }
        let (lower, upper) = self.bounds(info);
        let (mut start, mut end) = (lower, upper);
        for cut in &cuts {
            let Some(map) = AffineMap::new(cut.values.len() as u32, 0, vec![cut.at.clone()]) else {
                continue;
            };
            let place = self.place(&map, &cut.values);
            let Some(expr) = place.exprs.first().cloned() else { continue };
            // Rounded up to an iteration: the same iterations lie before it.
            let tile = AffineExpr::Constant(info.tile);
            let expr = AffineExpr::mul(AffineExpr::ceil_div(expr, tile.clone()), tile);
            let expr = simplify_with_ranges(&expr, &place.variables().1);
            let at = self.affine(&place, &expr);
            if cut.before {
                end = self.extreme(arith::MinSI::DEF, end, at);
            } else {
                start = self.extreme(arith::MaxSI::DEF, start, at);
            }
        }
        let start = self.extreme(arith::MinSI::DEF, start, upper);
        let end = self.extreme(arith::MaxSI::DEF, end, start);
        Some(self.parts(info, [lower, start, end, upper], &cuts, accs))
    }

    fn parts(
        &mut self,
        info: &LoopInfo,
        at: [Value; 4],
        cuts: &[Cut],
        accs: &[Vec<Value>],
    ) -> Res<Vec<Vec<Value>>> {
        let accs = self.part_of(info, [at[0], at[1]], &[], accs.to_vec())?;
        let accs = self.part_of(info, [at[1], at[2]], cuts, accs)?;
        let last = self.rest(info, cuts);
        self.part_of(info, [at[2], at[3]], &last, accs)
    }

    /// What holds in the last part where it is one tile of a known length: the limit less the variable is that
    fn rest(&mut self, info: &LoopInfo, cuts: &[Cut]) -> Vec<Cut> {
        let Some(limit) = info.limit.as_ref().filter(|_| info.extent % info.tile == 0) else {
            return Vec::new();
        };
        let [end] = limit.map.results.as_slice() else { return Vec::new() };
        let place = self.place(&limit.map, &limit.values);
        let Some(range) = place.exprs.first().map(|expr| place.range(expr)) else { return Vec::new() };
        // Wherever the tiles outside begin, the limit is as far behind a whole tile.
        let length = range.min().rem_euclid(info.tile);
        if length == 0 || range.step() % info.tile != 0 {
            return Vec::new();
        }
        // No other bound ends the middle part before the limit's own last tile.
        let own = AffineExpr::sub(end.clone(), AffineExpr::Constant(info.tile - 1));
        for cut in cuts.iter().filter(|cut| cut.before) {
            let mut values = cut.values.clone();
            let mut number = |value: &Value| {
                let at = values.iter().position(|other| other == value).unwrap_or_else(|| {
                    values.push(*value);
                    values.len() - 1
                });
                AffineExpr::Dim(at as u32)
            };
            let places: Vec<AffineExpr> = limit.values.iter().map(&mut number).collect();
            let room = own.replace(&places, &[]).map(|own| AffineExpr::sub(cut.at.clone(), own));
            let map = room.and_then(|room| AffineMap::new(values.len() as u32, 0, vec![room]));
            let place = map.map(|map| self.place(&map, &values));
            let later =
                |place: &IndexExprs| place.exprs.first().is_some_and(|room| self.least(place, room) >= 0);
            if !place.as_ref().is_some_and(later) {
                return Vec::new();
            }
        }
        let last = AffineExpr::sub(end.clone(), AffineExpr::Constant(length));
        let left = AffineExpr::sub(last, AffineExpr::Dim(limit.values.len() as u32));
        let fact = |fact| Cut { at: end.clone(), before: true, fact, values: limit.values.clone() };
        vec![fact(left.clone()), fact(AffineExpr::negated(left))]
    }

    /// Iterations between two values, where some facts hold
    fn part_of(
        &mut self,
        info: &LoopInfo,
        [from, to]: [Value; 2],
        cuts: &[Cut],
        accs: Vec<Vec<Value>>,
    ) -> Res<Vec<Vec<Value>>> {
        let (low, high) = (self.range(from), self.range(to));
        if from == to || high.max() <= low.min() {
            return Ok(accs);
        }
        let held = self.facts.len();
        let notes = |e: &mut Self| {
            for cut in cuts {
                let mut values = cut.values.clone();
                values.push(info.iv);
                e.note(&cut.fact, &values);
            }
        };
        let done = match (low.as_constant(), high.as_constant()) {
            (Some(low), Some(high)) if high - low <= info.tile => {
                self.bind(info.iv, Val::Const(low));
                notes(self);
                let done = self.step(info, accs);
                self.next_copy(info.op.0);
                done
            }
            _ => {
                let last = (high.max().saturating_sub(1)).div_euclid(info.tile).saturating_mul(info.tile);
                let whole = Self::variable_range(info);
                let first = low.min().max(0);
                let range = whole.and_then(|all| all.clip(first, last.max(first))).or(whole);
                self.for_between(info, [from, to], range, accs, &mut |e, accs| {
                    notes(e);
                    e.step(info, accs)
                })
            }
        };
        self.facts.truncate(held);
        done
    }

    /// The smaller or larger of two values, if ranges do not tell
    pub fn extreme(&mut self, def: &'static terrace_ir::OpDef, a: Value, b: Value) -> Value {
        let (x, y) = (self.range(a), self.range(b));
        let smaller = std::ptr::eq(def, arith::MinSI::DEF);
        if a == b || (smaller && x.max() <= y.min()) || (!smaller && x.min() >= y.max()) {
            return a;
        }
        if (smaller && y.max() <= x.min()) || (!smaller && y.min() >= x.max()) {
            return b;
        }
        let index = self.cx.common().index;
        let value = self.value(def, &[a, b], index, &[]);
        let pick = |p: i64, q: i64| if smaller { p.min(q) } else { p.max(q) };
        self.declare(value, Range::new(pick(x.min(), y.min()), pick(x.max(), y.max())));
        value
    }

    /// What may cut iterations of the loop, or parts of what is in them
    fn cuts(&self, info: &LoopInfo) -> Vec<Cut> {
        let mut all = Vec::new();
        if info.extent % info.tile != 0 {
            // iv + tile ≤ extent
            let room = AffineExpr::Constant(info.extent - info.tile);
            all.push(Cut {
                at: AffineExpr::Constant(info.extent - info.tile + 1),
                before: true,
                fact: AffineExpr::sub(room, AffineExpr::Dim(0)),
                values: Vec::new(),
            });
        }
        let limits = info.limit.iter().filter(|_| info.tile > 1);
        for (limit, expr) in limits.flat_map(|limit| limit.map.results.iter().map(move |expr| (limit, expr)))
        {
            let count = limit.values.len() as u32;
            let room = AffineExpr::sub(expr.clone(), AffineExpr::Constant(info.tile));
            all.push(Cut {
                at: AffineExpr::add(room.clone(), AffineExpr::Constant(1)),
                before: true,
                fact: AffineExpr::sub(room, AffineExpr::Dim(count)),
                values: limit.values.clone(),
            });
        }
        for op in self.ir.walk_below(info.op.0) {
            let Some(inner) = For::cast(self.ir, op).and_then(|inner| inner.info(self.ir)) else { continue };
            for (bound, upper) in [(&inner.limit, true), (&inner.from, false)] {
                let cuts =
                    bound.iter().flat_map(|bound| bound.map.results.iter().map(move |expr| (bound, expr)));
                let cuts: Vec<Option<Cut>> =
                    cuts.map(|(bound, expr)| self.cut_by(info, &inner, bound, expr, upper)).collect();
                for cut in cuts {
                    let known = |cut: &Cut| {
                        all.iter().any(|other: &Cut| {
                            other.at == cut.at
                                && other.before == cut.before
                                && other.values == cut.values
                                && other.fact == cut.fact
                        })
                    };
                    if let Some(cut) = cut.filter(|cut| !known(cut)) {
                        all.push(cut);
                    }
                }
            }
        }
        all
    }

    /// When an inner loop's bound cuts nothing, as far as that depends on this loop
    fn cut_by(
        &self,
        info: &LoopInfo,
        inner: &LoopInfo,
        bound: &Bound,
        expr: &AffineExpr,
        upper: bool,
    ) -> Option<Cut> {
        let linear = expr.as_linear()?;
        let last = (inner.trip() - 1).max(0) * inner.tile;
        // factor · iv + rest (+ what loops between add) is at least 0 where nothing is cut.
        let sign = if upper { 1 } else { -1 };
        let mut least = if upper { linear.constant - last - 1 } else { -linear.constant };
        let (mut factor, mut values, mut terms) = (0i64, Vec::new(), Vec::new());
        for (n, value) in bound.values.iter().enumerate() {
            let coefficient = linear.dim(n).checked_mul(sign)?;
            if coefficient == 0 {
                continue;
            }
            if *value == info.iv {
                factor += coefficient;
                continue;
            }
            match self.inside_loop(info.op.0, *value) {
                Some(Some(range)) => {
                    let range = range.times(coefficient)?;
                    least = least.checked_add(range.min())?;
                }
                Some(None) => return None,
                None => {
                    terms.push(AffineExpr::mul(
                        AffineExpr::Dim(values.len() as u32),
                        AffineExpr::Constant(coefficient),
                    ));
                    values.push(*value);
                }
            }
        }
        if factor == 0 {
            return None;
        }
        let rest = terms.into_iter().fold(AffineExpr::Constant(least), AffineExpr::add);
        let by = AffineExpr::Constant(factor.checked_abs()?);
        let own = AffineExpr::mul(AffineExpr::Dim(values.len() as u32), AffineExpr::Constant(factor));
        let fact = AffineExpr::add(own, rest.clone());
        Some(if factor < 0 {
            let at = AffineExpr::add(AffineExpr::floor_div(rest, by), AffineExpr::Constant(1));
            Cut { at, before: true, fact, values }
        } else {
            Cut { at: AffineExpr::ceil_div(AffineExpr::negated(rest), by), before: false, fact, values }
        })
    }

    /// Is the value made inside of an op? Then the range of its loop's variable, if it is one
    fn inside_loop(&self, op: OpId, value: Value) -> Option<Option<Range>> {
        let block = self.ir.value_block(value)?;
        let owner = self.ir.block_parent(block)?;
        if owner != op && !self.ir.is_inside(owner, op) {
            return None;
        }
        let variable = matches!(self.ir.value_def(value), Some(ValueDef::Arg(_, 0)));
        let info =
            For::cast(self.ir, owner).filter(|_| variable && owner != op).and_then(|each| each.info(self.ir));
        Some(info.and_then(|info| Self::variable_range(&info)))
    }
}
