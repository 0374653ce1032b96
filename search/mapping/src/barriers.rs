//! SYNC of one mapping: where threads wait for each other, each loop around has an iteration for all of them in each round.
//!
//! Which accesses may need a barrier is known from the nest with open levels ([`crate::sites`]); here it is decided with the
//! levels of a mapping.

use crate::joint::{AXES, Broken, Kernel};
use crate::levels::{self, MapLevel};
use crate::sites::{Maker, Pair, Run};
use terrace_devices::Levels;

impl Kernel<'_> {
    /// Barriers that not all threads reach
    pub(crate) fn barriers(&self, out: &mut Vec<Broken>) {
        let sites = &self.sizes.sites;
        for pair in sites.pairs.iter().filter(|pair| self.tree.root(pair.place) == self.root) {
            let place = self.run_of(pair.place).0;
            if pair.round && self.values[place] != MapLevel::SEQ {
                continue;
            }
            let Some(uneven) = self.around(place).find(|n| self.is_uneven(*n)) else { continue };
            if !self.waits(pair) {
                continue;
            }
            let broken = Broken {
                rule: "SYNC",
                reason: self.reason(pair, uneven),
                about: self.takes_part(pair, uneven),
            };
            if !out.iter().any(|other| other.rule == "SYNC" && other.reason == broken.reason) {
                out.push(broken);
            }
        }
    }

    /// A map and those around it, inner ones first
    fn around(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(n).chain(self.tree.outer(n))
    }

    /// The maps that are one loop with a map: the outermost, and how many are fused with it
    fn run_of(&self, n: usize) -> Run {
        let mut top = n;
        while self.values[top] == MapLevel::Fused {
            let Some(outer) = self.tree.loops[top].parent else { break };
            top = outer;
        }
        let mut length = 0;
        while self.values.get(top + length + 1) == Some(&MapLevel::Fused) {
            length += 1;
        }
        (top, length)
    }

    fn is_spread(&self, n: usize) -> bool {
        self.is_at(n, levels::SPREAD)
    }

    /// Threads that a map's loop should have iterations for: those of the block, or of the whole grid
    fn threads(&self, n: usize) -> Option<i64> {
        let ((grid, block), axis) = (self.launch, self.values[n].axis()?);
        match self.is_at(n, Levels::GLOBAL) {
            true => Some(grid[axis].saturating_mul(block[axis])),
            false => Some(block[axis]).filter(|_| self.is_at(n, Levels::THREAD)),
        }
    }

    /// Some threads have no iteration of the map, at least in its last round
    fn is_uneven(&self, n: usize) -> bool {
        let (trip, once) = (self.trip(n), self.at_once(n));
        self.threads(n).is_some_and(|threads| once != threads || trip % once.max(1) != 0)
    }

    /// Who makes an access along an axis
    fn maker(&self, spot: usize, axis: usize) -> Maker {
        let spot = &self.sizes.sites.spots[spot];
        let on = |n: &usize| self.is_at(*n, levels::along(levels::SPREAD, axis));
        let mut own: Vec<usize> = self.around(spot.at).filter(on).collect();
        own.reverse();
        if let Some(n) = own.into_iter().max_by_key(|n| self.at_once(*n) > 1) {
            let by = self.sizes.said[n].strip(self.values[n], self.trip(n));
            return Maker::Run(self.run_of(n), by);
        }
        let innermost =
            |n: usize| self.is_spread(n) && !self.tree.nested(n).any(|inner| self.is_spread(inner));
        let alone = self.around(spot.at).any(innermost);
        if alone || spot.writes { Maker::First } else { Maker::Any }
    }

    /// Do threads wait at a pair?
    fn waits(&self, pair: &Pair) -> bool {
        let several = |axis: &usize| self.launch.1[*axis] > 1;
        let meets = |axis: usize| pair.meets(self.maker(pair.first, axis), self.maker(pair.second, axis));
        (0..3).filter(several).any(meets)
    }

    fn reason(&self, pair: &Pair, uneven: usize) -> String {
        let axis = AXES[self.values[uneven].axis().unwrap_or(0)];
        let (name, threads) = (&self.tree.loops[uneven].name, self.threads(uneven).unwrap_or(1));
        let (trip, once) = (self.trip(uneven), self.at_once(uneven));
        let [first, second] = [pair.first, pair.second].map(|spot| &self.sizes.sites.spots[spot]);
        match trip % once.max(1) {
            0 if once == trip => format!(
                "threads wait for each other inside of {name}, which has {trip} iterations for {threads} threads along {axis}"
            ),
            0 => format!(
                "threads wait for each other inside of {name}, whose {trip} iterations go round in strips of {once}, for {threads} threads along {axis}"
            ),
            remainder => format!(
                "{name} has {trip} iterations for {once} threads along {axis}: {} of these have none in the last round, while {} waits for what other threads of {} {}",
                once - remainder,
                self.tree.loops[second.at].name,
                self.tree.loops[first.at].name,
                if first.writes { "write" } else { "still read" },
            ),
        }
    }

    /// The maps that make a barrier uneven: the one that leaves threads out, those of the accesses, the longest
    fn takes_part(&self, pair: &Pair, uneven: usize) -> Vec<usize> {
        let spots = &self.sizes.sites.spots;
        let axis = self.values[uneven].axis().unwrap_or(0);
        let block = self.launch.1[axis];
        let longest =
            self.own().find(|n| self.asks(*n).is_some_and(|(at, threads, _)| at == axis && threads == block));
        let mut all = Vec::new();
        for n in [uneven, spots[pair.first].at, spots[pair.second].at].into_iter().chain(longest) {
            if !all.contains(&n) {
                all.push(n);
            }
        }
        all
    }
}
