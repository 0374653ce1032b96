//! What single maps and pairs on a path decide of the rules of whole kernels: as constraints, they keep the search small.
//!
//! A size that one map makes too large is too large whatever the others do.

use crate::codes;
use crate::joint::{Sizes, product};
use crate::kernels::Held;
use crate::legality::pairs;
use crate::levels::{MapLevel, MapLevels};
use crate::rules::{Given, Tag};
use crate::tree::{Space, Tree};
use terrace_devices::Levels;
use terrace_schedule_rules::Limits;
use terrace_search_solver::Formula;

fn given(rule: &'static str, formula: Formula, about: Vec<usize>, reason: String) -> Given {
    Given { rule, kind: rule, tag: Tag::Beyond, formula, about, reason }
}

impl Sizes {
    /// The part of HW and CAP that single maps and pairs on a path decide
    pub fn constraints(
        &self,
        tree: &Tree,
        limits: &Limits,
        domain: &dyn Fn(usize) -> MapLevels,
    ) -> Vec<Given> {
        let mut out = Vec::new();
        for n in 0..tree.loops.len() {
            out.extend(self.too_long(tree, n, limits, domain(n)));
            out.extend(tree.outer(n).filter_map(|outer| self.too_long_together(tree, outer, n)));
        }
        if let Some(most) = self.kernels.most(Space::Local) {
            for held in self.kernels.held.iter().filter(|held| held.space == Space::Local) {
                out.extend(too_large(tree, held, most));
                let own = held.owners.iter().copied();
                out.extend(own.filter_map(|n| self.too_large_each(tree, held, most, n, domain(n))));
            }
        }
        out
    }

    /// Grid and block that a map alone needs at a level
    fn alone(&self, n: usize, value: MapLevel) -> ([i64; 3], [i64; 3]) {
        let (mut grid, mut block) = ([1; 3], [1; 3]);
        if let Some((axis, threads, blocks)) = self.said[n].asks(value, self.trips[n]) {
            (grid[axis], block[axis]) = (blocks, threads);
        }
        (grid, block)
    }

    /// Threads along its axis that a map alone needs at a level
    fn threads(&self, n: usize, value: MapLevel) -> i64 {
        self.said[n].asks(value, self.trips[n]).map_or(1, |(_, threads, _)| threads)
    }

    /// Levels at which a map alone is longer than the device allows
    fn too_long(&self, tree: &Tree, n: usize, limits: &Limits, domain: MapLevels) -> Option<Given> {
        let fits = |value: MapLevel| {
            let launch = self.alone(n, value);
            self.kernels.bounds.iter().all(|bound| product(&bound.sizes, launch) <= bound.most)
        };
        let good = domain.filter(fits);
        (good.len() < domain.len()).then(|| {
            let reason = format!(
                "{} has {} iterations, and a block at most {} threads, a grid {} blocks along x and {} along y",
                tree.loops[n].name,
                self.trips[n],
                limits.block_threads,
                limits.grid_max[0],
                limits.grid_max[1]
            );
            given("HW", codes::is_in(n, good), vec![n], reason)
        })
    }

    /// Levels at which two maps over threads, one in the other, are more than a block has
    fn too_long_together(&self, tree: &Tree, outer: usize, n: usize) -> Option<Given> {
        let most = self.kernels.most_threads();
        let levels = MapLevels::from(Levels::THREAD);
        let threads = |a: MapLevel, b: MapLevel| self.threads(outer, a).saturating_mul(self.threads(n, b));
        let bad = pairs(levels, levels, |a, b| threads(a, b) > most);
        if bad.is_empty() {
            return None;
        }
        let pairs =
            levels.iter().flat_map(|a| levels.iter().map(move |b| (a, b))).map(|(a, b)| threads(a, b));
        let reason = format!(
            "{} and {} have {} iterations together, and a block has at most {most} threads",
            tree.loops[outer].name,
            tree.loops[n].name,
            pairs.max().unwrap_or(1)
        );
        let pairs =
            bad.into_iter().map(|(a, b)| Formula::and([codes::is_in(outer, a), codes::is_in(n, b)]).not());
        Some(given("HW", Formula::and(pairs), vec![outer, n], reason))
    }

    /// Levels of an owner at which the buffers of its threads are more than a block's memory holds
    fn too_large_each(
        &self,
        tree: &Tree,
        held: &Held,
        most: i64,
        n: usize,
        domain: MapLevels,
    ) -> Option<Given> {
        let fits = |value: MapLevel| held.bytes.saturating_mul(self.threads(n, value)) <= most;
        let good = domain.filter(fits);
        (good.len() < domain.len()).then(|| {
            let reason = format!(
                "each thread of {} would have {} bytes of local memory, and a block has {most}",
                tree.loops[n].name, held.bytes
            );
            given("CAP", codes::is_in(n, good), vec![n], reason)
        })
    }
}

/// A buffer that is larger than the memory of a block
fn too_large(tree: &Tree, held: &Held, most: i64) -> Option<Given> {
    (held.bytes > most).then(|| {
        let reason = format!("a buffer of {} bytes, and a block's memory has {most}", held.bytes);
        given("CAP", Formula::Known(false), vec![tree.root(held.owners[0])], reason)
    })
}
