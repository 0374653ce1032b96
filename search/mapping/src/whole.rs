//! Rules of whole kernels in words of `tune`: sizes that follow from levels, and statements about these.
//!
//! What HW, GRID and CAP compare is read from the rules ([`crate::kernels`]); a space that is printed and read again has the
//! same points. Blocks and grids are sizes by cases (`@A.block.x`), who makes an access is a
//! number (`@s3.x`: 0 the first thread, 1 any, else the map's number and 2), and a place where threads wait is 0 or 1.

use crate::codes;
use crate::demand::Rules;
use crate::function::parameter;
use crate::joint::{AXES, Sizes};
use crate::kernels::{Bound, Capacity, Exact, Held, Size};
use crate::levels::{self, MapLevel, MapLevels};
use crate::problem::Problem;
use crate::rules::Tag;
use crate::sites::{Pair, Rounds};
use crate::tree::{Space, Tree};
use std::collections::BTreeMap;
use terrace_analysis::nat::{Nat, NatError};
use terrace_devices::{Axis, Level, Levels};
use terrace_dialect_tune::{Compare, Formula as Statement, Value};

/// A line of a space
#[derive(Clone, Debug)]
pub enum Line {
    /// A size that follows: by the first statement that holds, else the last
    Size(String, Vec<(Statement, Nat)>, Nat),
    /// What must hold
    Asked {
        /// HW, GRID, SYNC or CAP
        rule: &'static str,
        /// The statement
        formula: Statement,
        /// Maps that it is about
        about: Vec<usize>,
        /// Why
        reason: String,
    },
}

/// Everything that joins branches of a problem; the error is a size that is too large
pub fn lines(problem: &Problem) -> Result<Vec<Line>, NatError> {
    let Some(sizes) = problem.sizes.as_ref().filter(|_| problem.options.whole() != Rules::NONE) else {
        return Ok(Vec::new());
    };
    // What constraints on single maps leave.
    let mut domains: Vec<MapLevels> = (0..problem.tree.loops.len()).map(|n| problem.domain(n)).collect();
    for given in problem.given.iter().filter(|given| problem.options.holds(given.rule, given.tag)) {
        if let [var] = given.formula.scope()[..] {
            let own = &mut domains[var.index()];
            *own = codes::allowed(&given.formula, *own);
        }
    }
    let mut all = Lines {
        tree: &problem.tree,
        sizes,
        domains,
        trips: Vec::new(),
        block: BTreeMap::new(),
        grid: BTreeMap::new(),
        who: BTreeMap::new(),
        uneven: BTreeMap::new(),
        out: Vec::new(),
    };
    all.iterations()?;
    all.launches()?;
    all.memory()?;
    all.barriers()?;
    all.out.retain(|line| match line {
        Line::Asked { rule, .. } => problem.options.holds(rule, Tag::Beyond),
        Line::Size(..) => true,
    });
    Ok(all.out)
}

struct Lines<'a> {
    tree: &'a Tree,
    sizes: &'a Sizes,
    domains: Vec<MapLevels>,
    /// Iterations of each map, with those of maps that are one loop with it
    trips: Vec<Nat>,
    /// By kernel and axis
    block: BTreeMap<(usize, usize), Nat>,
    grid: BTreeMap<(usize, usize), Nat>,
    /// Who makes an access along an axis, where that depends on levels
    who: BTreeMap<(usize, usize), Nat>,
    uneven: BTreeMap<usize, Statement>,
    out: Vec<Line>,
}

fn and(all: impl IntoIterator<Item = Statement>) -> Statement {
    let mut out = Vec::new();
    for each in all {
        match each {
            Statement::Known(true) => {}
            Statement::Known(false) => return Statement::Known(false),
            Statement::And(inner) => out.extend(inner),
            other => out.push(other),
        }
    }
    match out.len() {
        0 => Statement::Known(true),
        1 => out.remove(0),
        _ => Statement::And(out),
    }
}

fn or(all: impl IntoIterator<Item = Statement>) -> Statement {
    let mut out = Vec::new();
    for each in all {
        match each {
            Statement::Known(false) => {}
            Statement::Known(true) => return Statement::Known(true),
            Statement::Or(inner) => inner.into_iter().for_each(|each| join(&mut out, each)),
            other => join(&mut out, other),
        }
    }
    match out.len() {
        0 => Statement::Known(false),
        1 => out.remove(0),
        _ => Statement::Or(out),
    }
}

/// One more alternative; other values of the same map go to those that are there
fn join(all: &mut Vec<Statement>, more: Statement) {
    if let Statement::Any(names, values) = &more {
        for own in all.iter_mut() {
            if let Statement::Any(before, known) = own
                && before == names
            {
                known.extend(
                    values.iter().filter(|value| !known.contains(value)).cloned().collect::<Vec<_>>(),
                );
                return;
            }
        }
    }
    if !all.contains(&more) {
        all.push(more);
    }
}

fn not(statement: Statement) -> Statement {
    match statement {
        Statement::Known(known) => Statement::Known(!known),
        Statement::Not(inner) => *inner,
        other => Statement::Not(Box::new(other)),
    }
}

fn compare(cmp: Compare, a: &Nat, b: &Nat) -> Statement {
    match (a.as_constant(), b.as_constant()) {
        (Some(a), Some(b)) => Statement::Known(match cmp {
            Compare::Eq => a == b,
            Compare::Ne => a != b,
            Compare::Le => a <= b,
            Compare::Lt => a < b,
            Compare::Ge => a >= b,
            Compare::Gt => a > b,
            Compare::Divides => a != 0 && b % a == 0,
        }),
        _ => Statement::Compare(cmp, a.clone(), b.clone()),
    }
}

fn least(a: &Nat, b: i64) -> Result<Nat, NatError> {
    match a.as_constant() {
        Some(a) => Ok(Nat::from(a.min(b))),
        None => Ok(Nat::min(&[a.clone(), Nat::from(b)])?.unwrap_or(Nat::from(b))),
    }
}

impl Lines<'_> {
    fn maps(&self) -> usize {
        self.tree.loops.len()
    }

    /// A map's name as part of others
    fn base(&self, n: usize) -> String {
        parameter(self.tree, n).trim_start_matches("m.").to_string()
    }

    fn size(&mut self, name: String, cases: Vec<(Statement, Nat)>, otherwise: Nat) -> Nat {
        let mut kept: Vec<(Statement, Nat)> = Vec::new();
        for (statement, size) in cases {
            match statement {
                Statement::Known(false) => {}
                Statement::Known(true) => return self.finish(name, kept, size),
                other => match kept.last_mut() {
                    Some((before, own)) if *own == size => *before = or([before.clone(), other]),
                    _ => kept.push((other, size)),
                },
            }
        }
        self.finish(name, kept, otherwise)
    }

    fn finish(&mut self, name: String, cases: Vec<(Statement, Nat)>, otherwise: Nat) -> Nat {
        if cases.iter().all(|(_, size)| *size == otherwise) {
            return otherwise;
        }
        self.out.push(Line::Size(name.clone(), cases, otherwise));
        Nat::symbol(&name)
    }

    fn ask(&mut self, rule: &'static str, formula: Statement, about: Vec<usize>, reason: String) {
        if formula != Statement::Known(true) {
            self.out.push(Line::Asked { rule, formula, about, reason });
        }
    }

    /// The map is one of these
    fn at(&self, n: usize, values: impl Into<MapLevels>) -> Statement {
        let (own, values) = (self.domains[n], values.into());
        let possible = own.filter(|value| values.contains(value));
        if possible.is_empty() {
            return Statement::Known(false);
        }
        if possible == own {
            return Statement::Known(true);
        }
        let words = possible.iter().map(|value| Value::Word(value.to_string())).collect();
        Statement::Any(vec![parameter(self.tree, n)], words)
    }

    /// One of the maps is at one of the levels
    fn any(&self, maps: &[usize], levels: Levels) -> Statement {
        or(maps.iter().map(|n| self.at(*n, levels)))
    }

    fn is_fused(&self, n: usize) -> Statement {
        self.at(n, MapLevel::Fused)
    }

    /// Levels of a map over threads along an axis, alone or by way of the grid
    fn spread(&self, n: usize, axis: usize) -> Levels {
        self.levels(n, levels::along(levels::SPREAD, axis))
    }

    /// Levels that a map may have, of some
    fn levels(&self, n: usize, levels: Levels) -> Levels {
        self.domains[n].levels.and(levels)
    }

    /// Maps of a kernel
    fn own(&self, root: usize) -> Vec<usize> {
        (root..self.maps()).filter(|n| self.tree.root(*n) == root).collect()
    }

    fn iterations(&mut self) -> Result<(), NatError> {
        let mut trips: Vec<Nat> = self.sizes.trips.iter().map(|trip| Nat::from((*trip).max(1))).collect();
        for n in (0..self.maps()).rev() {
            let inner = (n + 1..self.maps()).find(|m| self.tree.loops[*m].parent == Some(n));
            let Some(inner) = inner else { continue };
            let fused = self.is_fused(inner);
            if fused == Statement::Known(false) {
                continue;
            }
            let product = trips[n].times(&trips[inner])?;
            let name = format!("{}.trip", self.base(n));
            let own = trips[n].clone();
            trips[n] = self.size(name, vec![(fused, product)], own);
        }
        self.trips = trips;
        Ok(())
    }

    /// Iterations that run at once at a level; of a strip-mined loop, those of a strip
    fn once(&self, n: usize, level: Level) -> Result<Nat, NatError> {
        let said = self.sizes.said[n];
        match terrace_lowering_array::at_once(level, said.block, said.grid) {
            Some(by) => least(&self.trips[n], by),
            None => Ok(self.trips[n].clone()),
        }
    }

    /// Does each strip have all iterations?
    fn is_even(&self, n: usize, level: Level) -> Result<Statement, NatError> {
        let (once, trip) = (self.once(n, level)?, &self.trips[n]);
        match once == *trip {
            true => Ok(Statement::Known(true)),
            false => Ok(compare(Compare::Divides, &once, trip)),
        }
    }

    /// What a map at a level asks of a block and of a grid
    fn asks(&self, n: usize, level: Level) -> Result<(Nat, Nat), NatError> {
        let once = self.once(n, level)?;
        let one = Nat::from(1);
        Ok(match level {
            Level::Thread(_) => (once, one),
            Level::Block(_) => (one, once),
            _ => {
                let wide = self.sizes.said[n].wide(level.axis().map_or(0, Axis::number));
                (least(&once, wide)?, once.ceil_div(&Nat::from(wide))?)
            }
        })
    }

    /// The longest of what maps ask of a kernel along an axis
    fn longest(
        &mut self,
        name: String,
        short: &str,
        mut all: Vec<(usize, Statement, Nat)>,
    ) -> Result<Nat, NatError> {
        all.retain(|(_, _, size)| size.as_constant() != Some(1));
        let one = Nat::from(1);
        let known: Option<Vec<(i64, Statement)>> =
            all.iter().map(|(_, at, size)| Some((size.as_constant()?, at.clone()))).collect();
        if let Some(mut known) = known {
            known.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
            let cases = known.into_iter().filter(|(size, _)| *size > 1);
            return Ok(self.size(name, cases.map(|(size, at)| (at, Nat::from(size))).collect(), one));
        }
        let mut maps: Vec<usize> = all.iter().map(|(n, ..)| *n).collect();
        maps.dedup();
        let (mut most, last) = (one.clone(), maps.len().saturating_sub(1));
        for (step, n) in maps.into_iter().enumerate() {
            let own = all.iter().filter(|(m, ..)| *m == n).map(|(_, at, size)| (at.clone(), size.clone()));
            let own = own.collect();
            let base = self.base(n);
            let part = self.size(format!("{base}.{short}"), own, one.clone());
            if most == one {
                most = part;
                continue;
            }
            let longer = compare(Compare::Ge, &most, &part);
            let name = if step == last { name.clone() } else { format!("{name}.{step}") };
            most = self.size(name, vec![(longer, most)], part);
        }
        Ok(most)
    }

    fn launches(&mut self) -> Result<(), NatError> {
        let roots: Vec<usize> = (0..self.maps()).filter(|n| self.tree.loops[*n].parent.is_none()).collect();
        for root in roots {
            for axis in 0..3 {
                self.launch(root, axis)?;
            }
            self.bounds(root)?;
            for axis in 0..3 {
                self.exact(root, axis)?;
                self.covers(root, axis)?;
            }
        }
        Ok(())
    }

    /// Block and grid of a kernel along an axis: the longest of what its maps need
    fn launch(&mut self, root: usize, axis: usize) -> Result<(), NatError> {
        let (mut block, mut grid) = (Vec::new(), Vec::new());
        for n in self.own(root) {
            for level in self.levels(n, levels::along(levels::OF_KERNEL, axis)).iter() {
                let at = self.at(n, MapLevel::At(level));
                let (threads, blocks) = self.asks(n, level)?;
                if levels::SPREAD.contains(level) {
                    block.push((n, at.clone(), threads));
                }
                if levels::OVER_BLOCKS.contains(level) {
                    grid.push((n, at, blocks));
                }
            }
        }
        let (base, name) = (self.base(root), AXES[axis]);
        let block = self.longest(format!("{base}.block.{name}"), &format!("threads.{name}"), block)?;
        let grid = self.longest(format!("{base}.grid.{name}"), &format!("blocks.{name}"), grid)?;
        self.block.insert((root, axis), block);
        self.grid.insert((root, axis), grid);
        Ok(())
    }

    /// A size of a kernel
    fn size_of(&self, root: usize, size: Size) -> Nat {
        match size {
            Size::Threads(axis) => self.block[&(root, axis)].clone(),
            Size::Blocks(axis) => self.grid[&(root, axis)].clone(),
        }
    }

    /// HW: sizes fit the device
    fn bounds(&mut self, root: usize) -> Result<(), NatError> {
        let problem = self.sizes;
        for Bound { sizes, most } in &problem.kernels.bounds {
            let mut all = sizes.iter().map(|size| self.size_of(root, *size));
            let all = all.try_fold(Nat::from(1), |all, size| all.times(&size))?;
            let reason = match sizes[..] {
                [Size::Threads(axis)] => {
                    format!("threads along {}: the device has at most {most}", AXES[axis])
                }
                [Size::Blocks(axis)] => format!("blocks along {}: the device has at most {most}", AXES[axis]),
                _ => format!(
                    "the longest maps along each axis make the block of {}, which has at most {most} threads",
                    self.tree.loops[root].name
                ),
            };
            let fits = compare(Compare::Le, &all, &Nat::from(*most));
            self.ask("HW", fits, self.own(root), reason);
        }
        Ok(())
    }

    /// HW: loops at a level are as long as the kernel's size
    fn exact(&mut self, root: usize, axis: usize) -> Result<(), NatError> {
        let problem = self.sizes;
        for Exact { map, levels, size } in &problem.kernels.exact {
            let what = match size {
                Size::Blocks(own) if *own == axis => "block loops along {} are as long as the grid",
                Size::Threads(own) if *own == axis => "thread loops along {} are as long as the block",
                _ => continue,
            };
            if self.tree.root(*map) != root {
                continue;
            }
            for level in self.levels(*map, *levels).iter() {
                let full = compare(Compare::Eq, &self.once(*map, level)?, &self.size_of(root, *size));
                let formula = or([not(self.at(*map, MapLevel::At(level))), full]);
                self.ask("HW", formula, vec![*map], what.replace("{}", AXES[axis]));
            }
        }
        Ok(())
    }

    /// GRID: what blocks share is written under a loop over them
    fn covers(&mut self, root: usize, axis: usize) -> Result<(), NatError> {
        let grid = self.size_of(root, Size::Blocks(axis));
        let problem = self.sizes;
        let all = problem.kernels.covers.iter();
        for cover in all.filter(|cover| cover.axis == axis && self.tree.root(cover.at) == root) {
            let around: Vec<usize> = std::iter::once(cover.at).chain(self.tree.outer(cover.at)).collect();
            let over = self.any(&around, cover.levels);
            let one = compare(Compare::Le, &grid, &Nat::from(1));
            let reason = format!(
                "each of several blocks along {} would do {} again",
                AXES[axis], self.tree.loops[cover.at].name
            );
            self.ask("GRID", or([one, over]), around, reason);
        }
        Ok(())
    }

    /// At one of these levels, with more than one iteration at once
    fn several(&self, n: usize, levels: Levels, wanted: bool) -> Result<Statement, NatError> {
        let mut all = Vec::new();
        for level in self.levels(n, levels).iter() {
            let cmp = if wanted { Compare::Gt } else { Compare::Le };
            let at = self.at(n, MapLevel::At(level));
            all.push(and([at, compare(cmp, &self.once(n, level)?, &Nat::from(1))]));
        }
        Ok(or(all))
    }

    fn memory(&mut self) -> Result<(), NatError> {
        let problem = self.sizes;
        let held = &problem.kernels.held;
        let mut roots: Vec<usize> = held.iter().map(|held| self.tree.root(held.owners[0])).collect();
        roots.sort_unstable();
        roots.dedup();
        for root in roots {
            for Capacity { space, most } in &problem.kernels.capacities {
                let (mut sum, mut about) = (Nat::from(0), Vec::new());
                for (number, held) in held.iter().enumerate() {
                    if held.space == *space && self.tree.root(held.owners[0]) == root {
                        about.extend(held.owners.iter().copied());
                        sum = sum.plus(&self.bytes(number, held, root)?)?;
                    }
                }
                about.sort_unstable();
                about.dedup();
                let what = if *space == Space::Private { "a thread's" } else { "a block's" };
                let reason = format!("{what} memory holds {most} bytes");
                self.ask("CAP", compare(Compare::Le, &sum, &Nat::from(*most)), about, reason);
            }
        }
        Ok(())
    }

    /// Bytes of a buffer, with those of all threads that have one
    fn bytes(&mut self, number: usize, held: &Held, root: usize) -> Result<Nat, NatError> {
        let mut bytes = Nat::from(held.bytes);
        for (axis, levels) in held.copies.into_iter().enumerate() {
            let owned = held.owners.iter().map(|n| self.several(*n, levels, true));
            let owned = or(owned.collect::<Result<Vec<_>, _>>()?);
            let copies = self.block[&(root, axis)].clone();
            let name = format!("buffer{number}.copies.{}", AXES[axis]);
            bytes = bytes.times(&self.size(name, vec![(owned, copies)], Nat::from(1)))?;
        }
        Ok(bytes)
    }

    /// Not all threads have an iteration of the map in each round
    fn is_uneven(&mut self, n: usize) -> Result<Statement, NatError> {
        if let Some(known) = self.uneven.get(&n) {
            return Ok(known.clone());
        }
        let (mut wrong, root) = (Vec::new(), self.tree.root(n));
        for axis in 0..3 {
            for level in self.spread(n, axis).iter() {
                let mut all = self.block[&(root, axis)].clone();
                if Levels::GLOBAL.contains(level) {
                    all = all.times(&self.grid[&(root, axis)])?;
                }
                let full = and([compare(Compare::Eq, &self.once(n, level)?, &all), self.is_even(n, level)?]);
                wrong.push(and([self.at(n, MapLevel::At(level)), not(full)]));
            }
        }
        let name = format!("{}.uneven", self.base(n));
        let found = self.flag(name, or(wrong));
        self.uneven.insert(n, found.clone());
        Ok(found)
    }

    /// A statement under a name
    fn flag(&mut self, name: String, statement: Statement) -> Statement {
        match statement {
            known @ Statement::Known(_) => known,
            other => {
                let size = self.size(name, vec![(other, Nat::from(1))], Nat::from(0));
                compare(Compare::Eq, &size, &Nat::from(1))
            }
        }
    }

    fn barriers(&mut self) -> Result<(), NatError> {
        let sites = &self.sizes.sites;
        let mut places: Vec<(usize, bool)> =
            sites.pairs.iter().map(|pair| (pair.place, pair.round)).collect();
        places.sort_unstable();
        places.dedup();
        for (place, round) in places {
            let around: Vec<usize> = std::iter::once(place).chain(self.tree.outer(place)).collect();
            let mut uneven = Vec::new();
            for n in &around {
                uneven.push(self.is_uneven(*n)?);
            }
            let uneven = or(uneven);
            // A round is one of a loop that runs one after the other; a fused map's is that of the one around.
            let mut sequential = Statement::Known(!round);
            for n in around.iter().rev().filter(|_| round) {
                sequential = or([self.at(*n, MapLevel::SEQ), and([self.is_fused(*n), sequential])]);
            }
            let wrong = and([sequential, uneven]);
            if wrong == Statement::Known(false) {
                continue;
            }
            let mut waits = Vec::new();
            for pair in sites.pairs.iter().filter(|pair| pair.place == place && pair.round == round) {
                waits.push(self.waits(pair)?);
            }
            let name = format!("{}.{}", self.base(place), if round { "waits.again" } else { "waits" });
            let waits = self.flag(name, or(waits));
            let reason = format!(
                "where threads wait for each other in {}, loops around have an iteration for each of them in each round",
                self.tree.loops[place].name
            );
            self.ask("SYNC", not(and([waits, wrong])), around, reason);
        }
        Ok(())
    }

    /// Do threads wait at a pair?
    fn waits(&mut self, pair: &Pair) -> Result<Statement, NatError> {
        let root = self.tree.root(pair.place);
        let mut all = Vec::new();
        for axis in 0..3 {
            let several = compare(Compare::Gt, &self.block[&(root, axis)], &Nat::from(1));
            if several == Statement::Known(false) {
                continue;
            }
            all.push(and([several, self.meets(pair, axis)?]));
        }
        Ok(or(all))
    }

    /// May different threads along an axis be at one element?
    fn meets(&mut self, pair: &Pair, axis: usize) -> Result<Statement, NatError> {
        let place = std::iter::once(pair.place).chain(self.tree.outer(pair.place));
        let outside: Vec<usize> = place.filter(|n| !self.spread(*n, axis).is_empty()).collect();
        let mut sides = Vec::new();
        for (spot, runs) in [pair.first, pair.second].into_iter().zip(&pair.runs) {
            let who = self.who(spot, axis)?;
            let maker = |number: i64| compare(Compare::Eq, &who, &Nat::from(number));
            let mut makers = vec![maker(0), maker(1)];
            for run in runs {
                makers.push(and([maker(run.0.0 as i64 + 2), self.is_run(run, axis)]));
            }
            sides.push((or(outside.iter().map(|n| maker(*n as i64 + 2))), makers));
        }
        let [(out_first, first), (out_second, second)] = &sides[..] else {
            return Ok(Statement::Known(true));
        };
        let mut all = vec![
            and([out_first.clone(), not(out_second.clone())]),
            and([not(out_first.clone()), out_second.clone()]),
        ];
        for (a, row) in first.iter().zip(&pair.meets) {
            for (b, _) in second.iter().zip(row).filter(|(_, meets)| **meets) {
                all.push(and([a.clone(), b.clone()]));
            }
        }
        Ok(or(all))
    }

    /// Is the loop of a map this run of maps, in these strips?
    fn is_run(&self, ((top, length), by): &Rounds, axis: usize) -> Statement {
        let maps = *top..=*top + *length;
        let trip = maps.clone().fold(1i64, |all, n| all.saturating_mul(self.sizes.trips[n].max(1)));
        let all = self.spread(*top, axis);
        let fits = |level: &Level| self.sizes.said[*top].strip((*level).into(), trip) == *by;
        let fitting: Levels = all.iter().filter(fits).collect();
        let in_strips = match fitting == all {
            true => Statement::Known(!all.is_empty()),
            false => self.at(*top, fitting),
        };
        let inside = maps.clone().skip(1).map(|n| self.is_fused(n));
        let next = *top + *length + 1;
        let last = if next < self.maps() { not(self.is_fused(next)) } else { Statement::Known(true) };
        and(inside.chain([last, in_strips]))
    }

    /// Who makes an access along an axis
    fn who(&mut self, spot: usize, axis: usize) -> Result<Nat, NatError> {
        if let Some(known) = self.who.get(&(spot, axis)) {
            return Ok(known.clone());
        }
        let own = self.sizes.sites.spots[spot].clone();
        let around: Vec<usize> = std::iter::once(own.at).chain(self.tree.outer(own.at)).collect();
        let mut cases = Vec::new();
        let along = levels::along(levels::SPREAD, axis);
        for wanted in [true, false] {
            for n in &around {
                cases.push((self.several(*n, along, wanted)?, Nat::from(*n as i64 + 2)));
            }
        }
        let alone = around.iter().map(|n| {
            let inside: Vec<usize> = self.tree.nested(*n).collect();
            and([self.at(*n, levels::SPREAD), not(self.any(&inside, levels::SPREAD))])
        });
        let first = if own.writes { Statement::Known(true) } else { or(alone) };
        cases.push((first, Nat::from(0)));
        let found = self.size(format!("s{spot}.{}", AXES[axis]), cases, Nat::from(1));
        self.who.insert((spot, axis), found.clone());
        Ok(found)
    }
}
