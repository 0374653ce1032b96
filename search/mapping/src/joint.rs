//! What hangs on sizes: threads of a block, blocks of a grid, bytes of memory, per device, and barriers that all threads reach.
//!
//! Where a size alone decides, or two loops of one path, it is a constraint like the others. What joins branches (the longest
//! loop at a level anywhere in a kernel, all buffers together) is a sum over branches ([`crate::demand`]) for counts and
//! draws; here the same is asked of one mapping, with the numbers.

use crate::codes;
use crate::rules::{Given, Tag};
use crate::sites::{Maker, Run, Sites};
use crate::tree::{Space, Tree};
use terrace_devices::{Device, Region};
use terrace_search_solver::{Formula, Var};

/// What a device has
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most threads of a block
    pub block_threads: i64,
    /// Most of them along x, y, z
    pub block_max: [i64; 3],
    /// Most blocks along x, y, z
    pub grid_max: [i64; 3],
    /// Memory of a block; 0: not known
    pub local_bytes: i64,
    /// Memory of a thread; 0: not known
    pub private_bytes: i64,
}

impl Limits {
    /// Of any device with a grid: what the verifier asks
    pub fn any() -> Limits {
        Limits {
            block_threads: terrace_schedule_rules::MOST_THREADS,
            block_max: [i64::MAX; 3],
            grid_max: [i64::MAX; 3],
            local_bytes: terrace_schedule_rules::MOST_SHARED,
            private_bytes: 0,
        }
    }

    /// Of a device with a grid
    pub fn of(device: &Device) -> Option<Limits> {
        (device.kind == terrace_devices::Kind::Grid).then(|| Limits {
            block_threads: device.block_threads,
            block_max: device.block_max,
            grid_max: device.grid_max,
            local_bytes: device.bytes(Region::Sm),
            private_bytes: device.private_bytes,
        })
    }
}

/// A buffer of a kernel with its size
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// Its memory
    pub space: Space,
    /// Bytes of one
    pub bytes: i64,
    /// Maps around, each of whose iterations has one
    pub owners: Vec<usize>,
    /// The outermost map around
    pub root: usize,
}

/// Sizes of a function whose symbols have numbers
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Iterations of each map
    pub trips: Vec<i64>,
    /// Buffers of kernels
    pub held: Vec<Held>,
    /// The device; none without a grid
    pub limits: Option<Limits>,
    /// Accesses of kernels
    pub sites: Sites,
    /// What the program says of the blocks of each map
    pub said: Vec<Said>,
}

/// Threads of a block and blocks of a grid along x, y, z that a program says; 0: as many as the longest loops have iterations
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// Threads of a block
    pub block: [i64; 3],
    /// Blocks of a grid
    pub grid: [i64; 3],
}

impl Said {
    /// Iterations of a strip, of a map with so many at a level; 0 if it does not go round
    pub fn strip(&self, value: i64, trip: i64) -> i64 {
        let level = codes::level(value).filter(|_| matches!(value / 10, 1..=3));
        let by = level.and_then(|level| terrace_lowering_array::at_once(level, self.block, self.grid));
        by.filter(|by| trip > *by).unwrap_or(0)
    }

    /// The strips that a map with so many iterations may have, whatever its level; 0 is none
    pub fn strips(&self, trip: i64) -> Vec<i64> {
        let threads = [10, 11, 12, 30, 31, 32].into_iter();
        let mut all: Vec<i64> = threads.map(|value| self.strip(value, trip)).collect();
        all.push(0);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Threads along an axis that a loop at this level asks of a block, and blocks of the grid
    pub(crate) fn asks(&self, value: i64, trip: i64) -> Option<(usize, i64, i64)> {
        let axis = usize::try_from(value % 10).ok().filter(|axis| *axis < 3)?;
        let trip = match self.strip(value, trip) {
            0 => trip.max(1),
            by => by,
        };
        match value / 10 {
            1 => Some((axis, trip, 1)),
            2 => Some((axis, 1, trip)),
            3 => {
                let wide = match self.block[axis] {
                    0 => terrace_lowering_array::GLOBAL[axis],
                    said => said,
                };
                let own = trip.min(wide);
                Some((axis, own, (trip + own - 1) / own))
            }
            _ => None,
        }
    }
}

/// A rule that a whole mapping breaks
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// HW, GRID, SYNC or CAP
    pub rule: &'static str,
    /// With the numbers
    pub reason: String,
    /// The maps that make it so
    pub about: Vec<usize>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn product(sizes: [i64; 3]) -> i64 {
    sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size))
}

impl Sizes {
    /// Iterations of a map's loop, with those of maps that are one loop with it
    pub fn trip(&self, tree: &Tree, n: usize, values: &[i64]) -> i64 {
        let mut trip = self.trips[n];
        let mut last = n;
        while let Some(inner) = (last + 1..tree.loops.len()).find(|m| tree.loops[*m].parent == Some(last)) {
            if values[inner] != codes::FUSED {
                break;
            }
            trip = trip.saturating_mul(self.trips[inner].max(1));
            last = inner;
        }
        trip
    }

    /// What the map's loop asks of block and grid along its axis
    fn asks(&self, tree: &Tree, n: usize, values: &[i64]) -> Option<(usize, i64, i64)> {
        self.said[n].asks(values[n], self.trip(tree, n, values))
    }

    /// Iterations that run at once, or one after the other at a level that is not parallel: those of a strip
    fn at_once(&self, tree: &Tree, n: usize, values: &[i64]) -> i64 {
        let trip = self.trip(tree, n, values);
        match self.said[n].strip(values[n], trip) {
            0 => trip,
            by => by,
        }
    }

    /// Grid and block of the kernel of an outermost map
    pub fn launch(&self, tree: &Tree, root: usize, values: &[i64]) -> ([i64; 3], [i64; 3]) {
        let (mut grid, mut block) = ([1; 3], [1; 3]);
        for n in (0..tree.loops.len()).filter(|n| tree.root(*n) == root) {
            if let Some((axis, threads, blocks)) = self.asks(tree, n, values) {
                block[axis] = threads.max(block[axis]);
                grid[axis] = blocks.max(grid[axis]);
            }
        }
        (grid, block)
    }

    /// What a whole mapping asks too much of
    pub fn broken(&self, tree: &Tree, values: &[i64]) -> Vec<Broken> {
        let mut out = Vec::new();
        for root in (0..tree.loops.len()).filter(|n| tree.loops[*n].parent.is_none()) {
            let own: Vec<usize> = (0..tree.loops.len()).filter(|n| tree.root(*n) == root).collect();
            let (grid, block) = self.launch(tree, root, values);
            self.blocks(tree, values, &own, grid, &mut out);
            self.barriers(tree, values, root, (grid, block), &mut out);
            if let Some(limits) = &self.limits {
                self.hardware(values, &own, limits, (grid, block), &mut out);
                self.memory(tree, values, root, limits, block, &mut out);
            }
        }
        out
    }

    fn hardware(
        &self,
        values: &[i64],
        own: &[usize],
        limits: &Limits,
        (grid, block): ([i64; 3], [i64; 3]),
        out: &mut Vec<Broken>,
    ) {
        let at = |tens: &[i64]| {
            own.iter().copied().filter(|n| tens.contains(&(values[*n] / 10))).collect::<Vec<_>>()
        };
        let threads = product(block);
        if threads > limits.block_threads {
            let reason = format!(
                "a block of {} x {} x {} has {threads} threads, and the device has at most {}",
                block[0], block[1], block[2], limits.block_threads
            );
            out.push(Broken { rule: "HW", reason, about: at(&[1, 3]) });
        }
        for axis in 0..3 {
            let name = AXES[axis];
            for (asked, most, what) in [
                (block[axis], limits.block_max[axis], "threads of a block"),
                (grid[axis], limits.grid_max[axis], "blocks"),
            ] {
                if asked > most {
                    let reason = format!("{asked} {what} along {name}, and the device has at most {most}");
                    out.push(Broken { rule: "HW", reason, about: at(&[1, 2, 3]) });
                }
            }
        }
    }

    fn memory(
        &self,
        tree: &Tree,
        values: &[i64],
        root: usize,
        limits: &Limits,
        block: [i64; 3],
        out: &mut Vec<Broken>,
    ) {
        for (space, most, what) in [
            (Space::Local, limits.local_bytes, "a block's"),
            (Space::Private, limits.private_bytes, "a thread's"),
        ] {
            let held: Vec<&Held> =
                self.held.iter().filter(|held| held.root == root && held.space == space).collect();
            let mut about: Vec<usize> = Vec::new();
            let mut bytes = 0i64;
            for each in held {
                let owners = each.owners.iter().copied();
                let each_thread: Vec<usize> = owners
                    .filter(|n| matches!(values[*n] / 10, 1 | 3) && self.at_once(tree, *n, values) > 1)
                    .collect();
                // Threads that differ along other axes only are in one iteration, and share its buffer.
                let along = |axis: &usize| each_thread.iter().any(|n| values[*n] % 10 == *axis as i64);
                let copies = match space {
                    Space::Local => {
                        (0..3).filter(along).fold(1i64, |all, axis| all.saturating_mul(block[axis]))
                    }
                    _ => 1,
                };
                about.extend(if each_thread.is_empty() { each.owners.first().copied() } else { None });
                about.extend(each_thread);
                bytes = bytes.saturating_add(each.bytes.saturating_mul(copies));
            }
            if most > 0 && bytes > most {
                about.sort_unstable();
                about.dedup();
                let reason = format!("{what} memory holds {bytes} bytes, and the device has {most}");
                out.push(Broken { rule: "CAP", reason, about });
            }
        }
    }

    /// Block loops of one axis are all as long as the grid, and what blocks share no block writes that does not run over it
    fn blocks(&self, tree: &Tree, values: &[i64], own: &[usize], grid: [i64; 3], out: &mut Vec<Broken>) {
        for axis in 0..3 {
            let name = AXES[axis];
            for n in own.iter().copied().filter(|n| values[*n] == 20 + axis as i64) {
                let trip = self.at_once(tree, n, values);
                if trip != grid[axis] {
                    let longest = own.iter().copied().find(|other| {
                        self.asks(tree, *other, values)
                            .is_some_and(|(at, _, blocks)| at == axis && blocks == grid[axis])
                    });
                    let reason = format!(
                        "{} has {trip} iterations over blocks along {name}, and the grid has {}",
                        tree.loops[n].name, grid[axis]
                    );
                    out.push(Broken {
                        rule: "HW",
                        reason,
                        about: std::iter::once(n).chain(longest).collect(),
                    });
                }
            }
            let over = |n: &usize| [20 + axis as i64, 30 + axis as i64].contains(&values[*n]);
            let bare = self
                .sites
                .spots
                .iter()
                .filter(|spot| spot.wide && own.contains(&spot.at))
                .find(|spot| !std::iter::once(spot.at).chain(tree.outer(spot.at)).any(|n| over(&n)));
            if let Some(spot) = bare.filter(|_| grid[axis] > 1) {
                let reason = format!(
                    "each of the {} blocks along {name} would do all of {} again",
                    grid[axis], tree.loops[spot.at].name
                );
                let about = std::iter::once(spot.at).chain(own.iter().copied().filter(over)).collect();
                out.push(Broken { rule: "GRID", reason, about });
            }
        }
    }

    /// The maps that are one loop with a map: the outermost, and how many are fused with it
    fn run_of(&self, tree: &Tree, n: usize, values: &[i64]) -> Run {
        let mut top = n;
        while values[top] == codes::FUSED {
            let Some(outer) = tree.loops[top].parent else { break };
            top = outer;
        }
        let mut length = 0;
        while values.get(top + length + 1) == Some(&codes::FUSED) {
            length += 1;
        }
        (top, length)
    }

    fn barriers(
        &self,
        tree: &Tree,
        values: &[i64],
        root: usize,
        (grid, block): ([i64; 3], [i64; 3]),
        out: &mut Vec<Broken>,
    ) {
        let spread = |n: usize| matches!(values[n] / 10, 1 | 3);
        let around = |n: usize| std::iter::once(n).chain(tree.outer(n));
        let maker = |spot: usize, axis: usize| {
            let at = self.sites.spots[spot].at;
            let on = |n: &usize| spread(*n) && values[*n] % 10 == axis as i64;
            let mut own: Vec<usize> = around(at).filter(on).collect();
            own.reverse();
            match own.into_iter().max_by_key(|n| self.at_once(tree, *n, values) > 1) {
                Some(n) => {
                    let by = self.said[n].strip(values[n], self.trip(tree, n, values));
                    Maker::Run(self.run_of(tree, n, values), by)
                }
                None => {
                    let alone = around(at).any(|n| spread(n) && !tree.nested(n).any(spread));
                    if alone || self.sites.spots[spot].writes { Maker::First } else { Maker::Any }
                }
            }
        };
        for pair in self.sites.pairs.iter().filter(|pair| tree.root(pair.place) == root) {
            let place = self.run_of(tree, pair.place, values).0;
            if pair.round && values[place] != 0 {
                continue;
            }
            let Some(uneven) = around(place).find(|n| {
                let (trip, once) = (self.trip(tree, *n, values), self.at_once(tree, *n, values));
                self.asks(tree, *n, values).is_some_and(|(axis, _, _)| match values[*n] / 10 {
                    1 => once != block[axis] || trip % once.max(1) != 0,
                    3 => once != grid[axis].saturating_mul(block[axis]) || trip % once.max(1) != 0,
                    _ => false,
                })
            }) else {
                continue;
            };
            let waits = (0..3)
                .any(|axis| block[axis] > 1 && pair.meets(maker(pair.first, axis), maker(pair.second, axis)));
            if !waits {
                continue;
            }
            let axis = (values[uneven] % 10) as usize;
            let threads =
                if values[uneven] / 10 == 3 { grid[axis].saturating_mul(block[axis]) } else { block[axis] };
            let name = &tree.loops[uneven].name;
            let (trip, once) = (self.trip(tree, uneven, values), self.at_once(tree, uneven, values));
            let [first, second] = [pair.first, pair.second].map(|spot| &self.sites.spots[spot]);
            let reason = match trip % once.max(1) {
                0 if once == trip => format!(
                    "threads wait for each other inside of {name}, which has {trip} iterations for {threads} threads along {}",
                    AXES[axis]
                ),
                0 => format!(
                    "threads wait for each other inside of {name}, whose {trip} iterations go round in strips of {once}, for {threads} threads along {}",
                    AXES[axis]
                ),
                rest => format!(
                    "{name} has {trip} iterations for {once} threads along {}: {} of these have none in the last round, while {} waits for what other threads of {} {}",
                    AXES[axis],
                    once - rest,
                    tree.loops[second.at].name,
                    tree.loops[first.at].name,
                    if first.writes { "write" } else { "still read" },
                ),
            };
            let mut about = vec![uneven, self.sites.spots[pair.first].at, self.sites.spots[pair.second].at];
            let longest = (0..tree.loops.len()).find(|n| {
                tree.root(*n) == root
                    && self
                        .asks(tree, *n, values)
                        .is_some_and(|(at, threads, _)| at == axis && threads == block[axis])
            });
            about.extend(longest);
            let mut seen = Vec::new();
            about.retain(|n| {
                !seen.contains(n) && {
                    seen.push(*n);
                    true
                }
            });
            let broken = Broken { rule: "SYNC", reason, about };
            if !out.iter().any(|other| other.rule == "SYNC" && other.reason == broken.reason) {
                out.push(broken);
            }
        }
    }

    /// The part of it that single maps and pairs on a path decide
    pub fn constraints(&self, tree: &Tree, domain: &dyn Fn(usize) -> Vec<i64>) -> Vec<Given> {
        let mut out = Vec::new();
        let Some(limits) = &self.limits else { return out };
        let mut give = |rule, formula, about, reason| {
            out.push(Given { rule, kind: rule, tag: Tag::Beyond, formula, about, reason });
        };
        for n in 0..tree.loops.len() {
            let name = &tree.loops[n].name;
            let trip = self.trips[n];
            let asks = |n: usize, value: i64| self.said[n].asks(value, self.trips[n]);
            let fits = |value: &i64| {
                asks(n, *value).is_none_or(|(axis, threads, blocks)| {
                    threads <= limits.block_max[axis]
                        && threads <= limits.block_threads
                        && blocks <= limits.grid_max[axis]
                })
            };
            let good: Vec<i64> = domain(n).into_iter().filter(fits).collect();
            if good.len() < domain(n).len() {
                let reason = format!(
                    "{name} has {trip} iterations, and a block at most {} threads, a grid {} blocks along x and {} along y",
                    limits.block_threads, limits.grid_max[0], limits.grid_max[1]
                );
                give("HW", Formula::is_in(Var(n as u32), good), vec![n], reason);
            }
            for outer in tree.outer(n) {
                let threads = |n: usize, value: i64| asks(n, value).map_or(1, |(_, threads, _)| threads);
                let mut bad: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
                for a in 10..=12 {
                    let many =
                        |b: &i64| threads(outer, a).saturating_mul(threads(n, *b)) > limits.block_threads;
                    let wrong: Vec<i64> = (10..=12).filter(many).collect();
                    match bad.iter_mut().find(|(_, other)| *other == wrong) {
                        _ if wrong.is_empty() => {}
                        Some((firsts, _)) => firsts.push(a),
                        None => bad.push((vec![a], wrong)),
                    }
                }
                if bad.is_empty() {
                    continue;
                }
                let most = (10..=12).flat_map(|a| (10..=12).map(move |b| (a, b)));
                let most = most.map(|(a, b)| threads(outer, a).saturating_mul(threads(n, b))).max();
                let reason = format!(
                    "{} and {name} have {} iterations together, and a block has at most {} threads",
                    tree.loops[outer].name,
                    most.unwrap_or(1),
                    limits.block_threads
                );
                let pairs = bad.into_iter().map(|(a, b)| {
                    let level = |n: usize, values| Formula::is_in(Var(n as u32), values);
                    Formula::and([level(outer, a), level(n, b)]).not()
                });
                give("HW", Formula::and(pairs), vec![outer, n], reason);
            }
        }
        for held in self.held.iter().filter(|held| held.space == Space::Local && limits.local_bytes > 0) {
            let most = limits.local_bytes;
            if held.bytes > most {
                let reason = format!("a buffer of {} bytes, and a block's memory has {most}", held.bytes);
                give("CAP", Formula::Known(false), vec![held.root], reason);
            }
            for owner in &held.owners {
                let each = |value: &i64| {
                    let threads = self.said[*owner].asks(*value, self.trips[*owner]);
                    let threads = threads.map_or(1, |(_, threads, _)| threads);
                    held.bytes.saturating_mul(threads) <= most
                };
                let good: Vec<i64> = domain(*owner).into_iter().filter(each).collect();
                if good.len() < domain(*owner).len() {
                    let reason = format!(
                        "each thread of {} would have {} bytes of local memory, and a block has {most}",
                        tree.loops[*owner].name, held.bytes
                    );
                    give("CAP", Formula::is_in(Var(*owner as u32), good), vec![*owner], reason);
                }
            }
        }
        out
    }
}

/// Where whole mappings fail, in numbers (§5.3 of the paper)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Valid
    pub valid: u64,
    /// Too many threads or blocks, or blocks of different numbers
    pub threads: u64,
    /// Threads would wait for some that do not come
    pub sync: u64,
    /// Too much memory
    pub memory: u64,
}

impl Tally {
    /// Count a mapping, by the first of: threads, barriers, memory
    pub fn add(&mut self, broken: &[Broken]) {
        let has = |rules: &[&str]| broken.iter().any(|each| rules.contains(&each.rule));
        if broken.is_empty() {
            self.valid += 1;
        } else if has(&["HW", "GRID"]) {
            self.threads += 1;
        } else if has(&["SYNC"]) {
            self.sync += 1;
        } else {
            self.memory += 1;
        }
    }

    /// All that were counted
    pub fn total(&self) -> u64 {
        self.valid + self.threads + self.sync + self.memory
    }
}
