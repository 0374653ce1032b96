//! One mapping against the rules of whole kernels: the longest loop at a level anywhere in a kernel, all buffers together,
//! with the numbers. For counts and draws the same rules are sums over branches ([`crate::demand`]).

use crate::kernels::{Bound, Capacity, Exact, Kernels, Size};
use crate::levels::{self, MapLevel};
use crate::sites::Sites;
use crate::tree::{Space, Tree};
use terrace_devices::{Level, Levels};

/// Sizes of a function whose symbols have numbers
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Iterations of each map
    pub trips: Vec<i64>,
    /// What the rules ask of whole kernels
    pub kernels: Kernels,
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
    /// Iterations of a strip, of a map with so many at a level; 0 if it is not strip-mined
    pub fn strip(&self, value: MapLevel, trip: i64) -> i64 {
        let level = value.level().filter(|level| levels::OF_KERNEL.contains(*level));
        let by = level.and_then(|level| terrace_lowering_array::at_once(level, self.block, self.grid));
        by.filter(|by| trip > *by).unwrap_or(0)
    }

    /// The strips that a map with so many iterations may have, whatever its level; 0 is none
    pub fn strips(&self, trip: i64) -> Vec<i64> {
        let spread = levels::SPREAD.iter();
        let mut all: Vec<i64> = spread.map(|level| self.strip(level.into(), trip)).collect();
        all.push(0);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Threads of a block that a loop over the whole grid is divided into, along an axis
    pub(crate) fn wide(&self, axis: usize) -> i64 {
        match self.block[axis] {
            0 => terrace_lowering_array::GLOBAL[axis],
            said => said,
        }
    }

    /// Threads of a block and blocks of the grid along an axis that a loop at this level needs
    pub(crate) fn asks(&self, value: MapLevel, trip: i64) -> Option<(usize, i64, i64)> {
        let (level, axis) = (value.level()?, value.axis()?);
        let trip = match self.strip(value, trip) {
            0 => trip.max(1),
            by => by,
        };
        match level {
            Level::Thread(_) => Some((axis, trip, 1)),
            Level::Block(_) => Some((axis, 1, trip)),
            Level::Global(_) => {
                let own = trip.min(self.wide(axis));
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

pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// Grid and block of a kernel
pub(crate) type Launch = ([i64; 3], [i64; 3]);

/// A product of sizes
pub(crate) fn product(sizes: &[Size], (grid, block): Launch) -> i64 {
    let all = sizes.iter().map(|size| match size {
        Size::Threads(axis) => block[*axis],
        Size::Blocks(axis) => grid[*axis],
    });
    all.fold(1i64, |all, size| all.saturating_mul(size.max(1)))
}

impl Sizes {
    /// Iterations of a map's loop, with those of maps that are one loop with it
    pub fn trip(&self, tree: &Tree, n: usize, values: &[MapLevel]) -> i64 {
        let mut trip = self.trips[n];
        let mut last = n;
        while let Some(inner) = (last + 1..tree.loops.len()).find(|m| tree.loops[*m].parent == Some(last)) {
            if values[inner] != MapLevel::Fused {
                break;
            }
            trip = trip.saturating_mul(self.trips[inner].max(1));
            last = inner;
        }
        trip
    }

    /// What the map's loop needs of block and grid along its axis
    pub(crate) fn asks(&self, tree: &Tree, n: usize, values: &[MapLevel]) -> Option<(usize, i64, i64)> {
        self.said[n].asks(values[n], self.trip(tree, n, values))
    }

    /// Iterations that run at once, or one after the other at a level that is not parallel: those of a strip
    pub(crate) fn at_once(&self, tree: &Tree, n: usize, values: &[MapLevel]) -> i64 {
        let trip = self.trip(tree, n, values);
        match self.said[n].strip(values[n], trip) {
            0 => trip,
            by => by,
        }
    }

    /// Grid and block of the kernel of an outermost map
    pub fn launch(&self, tree: &Tree, root: usize, values: &[MapLevel]) -> ([i64; 3], [i64; 3]) {
        let (mut grid, mut block) = ([1; 3], [1; 3]);
        for n in (0..tree.loops.len()).filter(|n| tree.root(*n) == root) {
            if let Some((axis, threads, blocks)) = self.asks(tree, n, values) {
                block[axis] = threads.max(block[axis]);
                grid[axis] = blocks.max(grid[axis]);
            }
        }
        (grid, block)
    }

    /// The rules that a whole mapping breaks
    pub fn broken(&self, tree: &Tree, values: &[MapLevel]) -> Vec<Broken> {
        let mut out = Vec::new();
        for root in (0..tree.loops.len()).filter(|n| tree.loops[*n].parent.is_none()) {
            let own: Vec<usize> = (0..tree.loops.len()).filter(|n| tree.root(*n) == root).collect();
            let launch = self.launch(tree, root, values);
            let kernel = Kernel { sizes: self, tree, values, own, root, launch };
            for axis in 0..3 {
                kernel.exact(axis, &mut out);
                kernel.covers(axis, &mut out);
            }
            kernel.barriers(&mut out);
            kernel.bounds(&mut out);
            kernel.memory(&mut out);
        }
        out
    }
}

/// A kernel of a mapping
pub(crate) struct Kernel<'a> {
    pub(crate) sizes: &'a Sizes,
    pub(crate) tree: &'a Tree,
    pub(crate) values: &'a [MapLevel],
    /// Its maps
    own: Vec<usize>,
    /// The outermost of them
    pub(crate) root: usize,
    pub(crate) launch: Launch,
}

impl Kernel<'_> {
    /// Is the map at one of these levels?
    pub(crate) fn is_at(&self, n: usize, levels: Levels) -> bool {
        self.values[n].is_at(levels)
    }

    /// Its maps
    pub(crate) fn own(&self) -> impl Iterator<Item = usize> + '_ {
        self.own.iter().copied()
    }

    /// Maps of the kernel at some levels
    fn at(&self, levels: Levels) -> Vec<usize> {
        self.own().filter(|n| self.is_at(*n, levels)).collect()
    }

    /// Iterations of a map's loop
    pub(crate) fn trip(&self, n: usize) -> i64 {
        self.sizes.trip(self.tree, n, self.values)
    }

    /// Iterations that run at once
    pub(crate) fn at_once(&self, n: usize) -> i64 {
        self.sizes.at_once(self.tree, n, self.values)
    }

    /// What the map needs of block and grid along its axis
    pub(crate) fn asks(&self, n: usize) -> Option<(usize, i64, i64)> {
        self.sizes.asks(self.tree, n, self.values)
    }

    /// HW: sizes fit the device
    fn bounds(&self, out: &mut Vec<Broken>) {
        let (_, block) = self.launch;
        for Bound { sizes, most } in &self.sizes.kernels.bounds {
            let size = product(sizes, self.launch);
            if size <= *most {
                continue;
            }
            let along = |what: &str, axis: usize| {
                format!("{size} {what} along {}, and the device has at most {most}", AXES[axis])
            };
            let (reason, levels) = match sizes[..] {
                [Size::Threads(axis)] => (along("threads of a block", axis), levels::OF_KERNEL),
                [Size::Blocks(axis)] => (along("blocks", axis), levels::OF_KERNEL),
                _ => {
                    let reason = format!(
                        "a block of {} x {} x {} has {size} threads, and the device has at most {most}",
                        block[0], block[1], block[2]
                    );
                    (reason, levels::SPREAD)
                }
            };
            out.push(Broken { rule: "HW", reason, about: self.at(levels) });
        }
    }

    /// CAP: buffers fit their memory together
    fn memory(&self, out: &mut Vec<Broken>) {
        let (_, block) = self.launch;
        for Capacity { space, most } in &self.sizes.kernels.capacities {
            let mut about: Vec<usize> = Vec::new();
            let mut bytes = 0i64;
            let all = self.sizes.kernels.held.iter();
            for held in all.filter(|held| held.space == *space && self.tree.root(held.owners[0]) == self.root)
            {
                let several = |n: &usize| self.at_once(*n) > 1;
                let each_thread: Vec<usize> = held
                    .owners
                    .iter()
                    .copied()
                    .filter(several)
                    .filter(|n| held.is_copied(self.values[*n]))
                    .collect();
                // Threads that differ along other axes only are in one iteration, and share its buffer.
                let along = |axis: &usize| each_thread.iter().any(|n| self.is_at(*n, held.copies[*axis]));
                let copies = (0..3).filter(along).fold(1i64, |all, axis| all.saturating_mul(block[axis]));
                about.extend(held.owners.first().filter(|_| each_thread.is_empty()));
                about.extend(each_thread);
                bytes = bytes.saturating_add(held.bytes.saturating_mul(copies));
            }
            if bytes > *most {
                about.sort_unstable();
                about.dedup();
                let what = if *space == Space::Private { "a thread's" } else { "a block's" };
                let reason = format!("{what} memory holds {bytes} bytes, and the device has {most}");
                out.push(Broken { rule: "CAP", reason, about });
            }
        }
    }

    /// HW: loops at a level of one axis are all as long as the kernel's size
    fn exact(&self, axis: usize, out: &mut Vec<Broken>) {
        let (grid, block) = self.launch;
        for Exact { map, levels, size } in &self.sizes.kernels.exact {
            let (all, what, whole) = match size {
                Size::Blocks(own) if *own == axis => (grid[axis], "blocks", "grid"),
                Size::Threads(own) if *own == axis => (block[axis], "threads", "block"),
                _ => continue,
            };
            let n = *map;
            let trip = self.at_once(n);
            if !self.own.contains(map) || !self.is_at(n, *levels) || trip == all {
                continue;
            }
            let makes_it = |other: &usize| {
                self.asks(*other).is_some_and(|(at, threads, blocks)| {
                    at == axis && all == if what == "blocks" { blocks } else { threads }
                })
            };
            let longest = self.own().find(makes_it);
            let reason = format!(
                "{} has {trip} iterations over {what} along {}, and the {whole} has {all}",
                self.tree.loops[n].name, AXES[axis]
            );
            out.push(Broken { rule: "HW", reason, about: std::iter::once(n).chain(longest).collect() });
        }
    }

    /// GRID: what blocks share no block writes that does not run over it
    fn covers(&self, axis: usize, out: &mut Vec<Broken>) {
        let blocks = self.launch.0[axis];
        let mut all = self.sizes.kernels.covers.iter();
        let around = |n: usize| std::iter::once(n).chain(self.tree.outer(n));
        let bare = all.find(|cover| {
            cover.axis == axis
                && self.own.contains(&cover.at)
                && !around(cover.at).any(|n| self.is_at(n, cover.levels))
        });
        if let Some(cover) = bare.filter(|_| blocks > 1) {
            let reason = format!(
                "each of the {blocks} blocks along {} would do all of {} again",
                AXES[axis], self.tree.loops[cover.at].name
            );
            let about = std::iter::once(cover.at).chain(self.at(cover.levels)).collect();
            out.push(Broken { rule: "GRID", reason, about });
        }
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
