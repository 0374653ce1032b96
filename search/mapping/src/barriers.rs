//! What is wrong with a mapping whose threads do not all come to where they wait for each other.
//!
//! Whether they do is a sum ([`crate::demand`]); here the pairs of accesses that make it fail are named, each with a map that
//! leaves threads out.

use crate::demand::{Demands, Rules};
use crate::joint::{AXES, Broken, Kernel};
use crate::sites::Pair;
use terrace_devices::Levels;

impl Kernel<'_> {
    /// Barriers that not all threads reach
    pub(crate) fn barriers(&self, out: &mut Vec<Broken>) {
        let all = self.sizes.sites.pairs.iter().enumerate();
        let own = all.filter(|(_, pair)| self.tree.root(pair.place) == self.root);
        // Where all loops run for all threads equally, nothing has to be asked.
        let uneven = own.filter_map(|(n, pair)| {
            Some((n, pair, self.around(pair.place).find(|around| self.is_uneven(*around))?))
        });
        let uneven: Vec<(usize, &Pair, usize)> = uneven.collect();
        let all_come = || Demands::new(self.tree, self.sizes, Rules::SYNC).holds_in(self.root, self.values);
        if uneven.is_empty() || all_come() {
            return;
        }
        for (n, pair, uneven) in uneven {
            let alone = Demands::waiting_at(self.tree, self.sizes, Rules::SYNC, &|own| own == n);
            if alone.holds_in(self.root, self.values) {
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
