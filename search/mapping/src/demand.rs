//! What a mapping asks of a kernel as a whole: rules that join branches, as sums over the graph of solutions.
//!
//! The longest loop of each level anywhere in a kernel makes the block and the grid; all buffers lie in one memory; a
//! barrier in one branch needs every thread that a loop around it leaves out because another branch is longer. These are
//! the verifier's HW, GRID, SYNC and CAP on kernels whose sizes follow from their loops. [`Demands`] says how they add up from
//! below, so that counts and draws know them; [`crate::joint`] says of one mapping what is wrong.

use crate::codes;
use crate::joint::{Limits, Sizes};
use crate::sites::{Maker, Sites};
use crate::tree::{Space, Tree};
use terrace_search_solver::Sums;

/// Which of the rules hold
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Rules {
    /// Threads and blocks that the device has; block loops are as long as the grid
    pub hw: bool,
    pub grid: bool,
    pub sync: bool,
    pub cap: bool,
}

impl Rules {
    /// All of them
    pub const ALL: Rules = Rules { hw: true, grid: true, sync: true, cap: true };
    /// None of them
    pub const NONE: Rules = Rules { hw: false, grid: false, sync: false, cap: false };

    /// Those of both
    pub fn and(self, other: Rules) -> Rules {
        Rules {
            hw: self.hw && other.hw,
            grid: self.grid && other.grid,
            sync: self.sync && other.sync,
            cap: self.cap && other.cap,
        }
    }
}

/// An access that something later has to wait for
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Open {
    spot: u16,
    /// Who makes it along each axis, of the loops so far: the outermost map of a run, how many are one loop with it, and the
    /// iterations of a strip if it goes round
    who: [Option<(u16, u8, i64)>; 3],
    /// Only by threads whose ids are 0 where no loop runs over them
    alone: bool,
}

/// What some branches ask for
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Demand {
    /// Maps that are one loop with the one around, and their iterations
    fused: u8,
    fused_trip: i64,
    /// Threads and blocks along each axis
    block: [i64; 3],
    grid: [i64; 3],
    /// What they must be, where that is said
    exact_block: [i64; 3],
    exact_grid: [i64; 3],
    /// What a block must be along an axis if it has threads along one of others
    maybe: Vec<(u8, u8, i64)>,
    /// Axes along which blocks would do the same again
    bare: u8,
    /// A loop over threads inside
    spread: bool,
    /// Threads wait inside; they do if there are several along one of these axes
    waits: bool,
    may_wait: u8,
    /// The same from round to round of a fused map
    rounds: (bool, u8),
    /// Bytes of a block, by the axes along which each thread has buffers of its own; of registers
    local: [i64; 8],
    private: i64,
    open: Vec<Open>,
}

/// How branches of a problem add up
pub struct Demands<'a> {
    tree: &'a Tree,
    sizes: &'a Sizes,
    rules: Rules,
    depth: Vec<u32>,
    /// Accesses directly inside of each map
    spots: Vec<Vec<usize>>,
    /// Pairs by the map that they wait in
    pairs: Vec<Vec<usize>>,
    /// Maps that an access waits for or in, by depth
    of_spot: Vec<u64>,
}

impl<'a> Demands<'a> {
    /// Of a problem's maps
    pub fn new(tree: &'a Tree, sizes: &'a Sizes, rules: Rules) -> Demands<'a> {
        let depth: Vec<u32> = (0..tree.loops.len()).map(|n| tree.outer(n).count() as u32).collect();
        let (mut spots, mut pairs) = (vec![Vec::new(); tree.loops.len()], vec![Vec::new(); tree.loops.len()]);
        let mut of_spot = vec![0; sizes.sites.spots.len()];
        if rules.sync {
            for (n, pair) in sizes.sites.pairs.iter().enumerate() {
                pairs[pair.place].push(n);
                for spot in [pair.first, pair.second] {
                    of_spot[spot] |= 1u64 << depth[pair.place].min(63);
                }
            }
        }
        for (n, spot) in sizes.sites.spots.iter().enumerate() {
            spots[spot.at].push(n);
        }
        Demands { tree, sizes, rules, depth, spots, pairs, of_spot }
    }

    fn sites(&self) -> &Sites {
        &self.sizes.sites
    }

    fn limits(&self) -> Option<&Limits> {
        self.sizes.limits.as_ref()
    }

    /// Does an access still matter: does a pair of it wait further out, in what may leave threads out?
    fn matters(&self, spot: usize, n: usize, marks: u64) -> bool {
        // Places at this depth and further in are settled, or another branch's.
        let outside = self.of_spot[spot] & ((1u64 << self.depth[n].min(63)) - 1);
        outside != 0 && marks & (u64::MAX >> outside.leading_zeros()) != 0
    }

    fn maker(&self, open: &Open, axis: usize) -> Maker {
        match open.who[axis] {
            Some((top, length, by)) => Maker::Run((top.into(), length.into()), by),
            None if open.alone || self.sites().spots[usize::from(open.spot)].writes => Maker::First,
            None => Maker::Any,
        }
    }

    /// Iterations that run at once
    fn at_once(&self, (top, length, by): (u16, u8, i64)) -> i64 {
        if by > 0 {
            return by;
        }
        let first = usize::from(top);
        let trips = &self.sizes.trips[first..=first + usize::from(length)];
        trips.iter().fold(1i64, |all, trip| all.saturating_mul((*trip).max(1)))
    }

    /// Threads that wait for each other directly inside of a map: surely, or if there are several along one of the axes
    fn waits(&self, n: usize, round: bool, open: &[Open]) -> (bool, u8) {
        let (mut surely, mut axes) = (false, 0);
        for pair in
            self.pairs[n].iter().map(|pair| &self.sites().pairs[*pair]).filter(|pair| pair.round == round)
        {
            let find = |spot: usize| open.iter().find(|open| usize::from(open.spot) == spot);
            let (Some(a), Some(b)) = (find(pair.first), find(pair.second)) else { continue };
            for axis in 0..3 {
                if !pair.meets(self.maker(a, axis), self.maker(b, axis)) {
                    continue;
                }
                let several = |open: &Open| open.who[axis].is_some_and(|run| self.at_once(run) > 1);
                match several(a) || several(b) {
                    true => surely = true,
                    false => axes |= 1 << axis,
                }
            }
        }
        (surely, axes)
    }

    /// A kernel with all that is in it
    fn launch(&self, all: &Demand) -> Option<Demand> {
        let same = |exact: i64, size: i64| exact == 0 || exact == size;
        let block = all.block.map(|size| size.max(1));
        let grid = all.grid.map(|size| size.max(1));
        let threads = block.iter().fold(1i64, |product, size| product.saturating_mul(*size));
        for axis in 0..3 {
            if self.rules.hw && !same(all.exact_grid[axis], grid[axis])
                || self.rules.sync && !same(all.exact_block[axis], block[axis])
                || self.rules.grid && all.bare >> axis & 1 == 1 && grid[axis] > 1
            {
                return None;
            }
        }
        let several = |axes: u8| (0..3).any(|axis| axes >> axis & 1 == 1 && block[axis] > 1);
        let wrong = |(axes, axis, trip): &(u8, u8, i64)| several(*axes) && block[usize::from(*axis)] != *trip;
        if self.rules.sync && all.maybe.iter().any(wrong) {
            return None;
        }
        let local = local_bytes(all);
        if let Some(limits) = self.limits()
            && (self.rules.hw && threads > limits.block_threads
                || self.rules.cap && limits.local_bytes > 0 && local > limits.local_bytes
                || self.rules.cap && limits.private_bytes > 0 && all.private > limits.private_bytes)
        {
            return None;
        }
        Some(Demand::default())
    }

    /// Nothing that is too much already
    fn possible(&self, all: &Demand) -> bool {
        if self.rules.sync
            && (0..3).any(|axis| all.exact_block[axis] != 0 && all.block[axis] > all.exact_block[axis])
        {
            return false;
        }
        let Some(limits) = self.limits() else { return true };
        let threads = all.block.iter().fold(1i64, |product, size| product.saturating_mul((*size).max(1)));
        let cap = |most: i64, bytes: i64| !self.rules.cap || most <= 0 || bytes <= most;
        let fits = threads <= limits.block_threads
            && (0..3).all(|axis| {
                all.block[axis] <= limits.block_max[axis] && all.grid[axis] <= limits.grid_max[axis]
            });
        (!self.rules.hw || fits)
            && cap(limits.local_bytes, local_bytes(all))
            && cap(limits.private_bytes, all.private)
    }
}

/// Bytes of a block: threads that differ along other axes only share a buffer
fn local_bytes(all: &Demand) -> i64 {
    let copies = |along: usize| {
        let axes = (0..3).filter(|axis| along >> axis & 1 == 1);
        axes.fold(1i64, |product, axis| product.saturating_mul(all.block[axis].max(1)))
    };
    (0..8).fold(0, |sum: i64, along| sum.saturating_add(all.local[along].saturating_mul(copies(along))))
}

/// Both, if they do not say different numbers
fn agree(a: [i64; 3], b: [i64; 3]) -> Option<[i64; 3]> {
    let mut out = a;
    for (own, other) in out.iter_mut().zip(b) {
        match (*own, other) {
            (0, other) => *own = other,
            (own, other) if other != 0 && own != other => return None,
            _ => {}
        }
    }
    Some(out)
}

fn max(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]
}

impl Sums for Demands<'_> {
    type Sum = Demand;

    fn none(&self) -> Demand {
        Demand::default()
    }

    fn mark(&self, var: usize, value: i64, marks: u64) -> u64 {
        match value / 10 {
            1 | 3 => marks | 1 << self.depth[var].min(63),
            _ => marks,
        }
    }

    fn of(&self, n: usize, value: i64, below: &Demand, marks: u64) -> Option<Demand> {
        let mut all = below.clone();
        let length = std::mem::take(&mut all.fused);
        let trip = self.sizes.trips[n].max(1).saturating_mul(std::mem::take(&mut all.fused_trip).max(1));
        for held in self.sizes.held.iter().filter(|held| self.rules.cap && held.owners.first() == Some(&n)) {
            match held.space {
                Space::Local => all.local[0] = all.local[0].saturating_add(held.bytes),
                Space::Private => all.private = all.private.saturating_add(held.bytes),
                _ => {}
            }
        }
        for spot in &self.spots[n] {
            if self.rules.grid && self.sites().spots[*spot].wide {
                all.bare = 0b111;
            }
            // Those that only matter here have to be known here too.
            if self.of_spot[*spot] & (1 << self.depth[n].min(63)) != 0 || self.matters(*spot, n, marks) {
                all.open.push(Open { spot: *spot as u16, who: [None; 3], alone: false });
            }
        }
        all.open.sort_unstable();
        let (surely, axes) = self.waits(n, false, &all.open);
        all.waits |= surely;
        all.may_wait |= axes;
        if !self.pairs[n].is_empty() || value == codes::FUSED || all.rounds != (false, 0) {
            let (surely, axes) = self.waits(n, true, &all.open);
            let rounds = (all.rounds.0 | surely, all.rounds.1 | axes);
            all.rounds = (false, 0);
            match value {
                codes::FUSED => all.rounds = rounds,
                0 => {
                    all.waits |= rounds.0;
                    all.may_wait |= rounds.1;
                }
                _ => {}
            }
        }
        if value == codes::FUSED {
            (all.fused, all.fused_trip) = (length + 1, trip);
        }
        if let Some((axis, threads, blocks)) = self.sizes.said[n].asks(value, trip) {
            let spread = value / 10 != 2;
            let by = self.sizes.said[n].strip(value, trip);
            let once = if by > 0 { by } else { trip };
            all.block[axis] = all.block[axis].max(threads);
            all.grid[axis] = all.grid[axis].max(blocks);
            if value / 10 != 1 {
                all.bare &= !(1 << axis);
            }
            if value / 10 == 2 {
                let mut exact = [0; 3];
                exact[axis] = blocks;
                all.exact_grid = agree(all.exact_grid, exact)?;
            }
            if spread {
                if once > 1 {
                    let own = 1 << axis;
                    for along in (0..8).filter(|along| along & own == 0) {
                        let bytes = std::mem::take(&mut all.local[along]);
                        all.local[along | own] = all.local[along | own].saturating_add(bytes);
                    }
                }
                if !all.spread {
                    // Only the first threads of other axes come here: nobody to wait for.
                    all.may_wait = 0;
                }
                for open in &mut all.open {
                    open.alone |= !all.spread;
                    let keep = open.who[axis].is_some_and(|run| self.at_once(run) > 1 || once <= 1);
                    if !keep {
                        open.who[axis] = Some((n as u16, length, by));
                    }
                }
                all.spread = true;
                let own = 1u8 << axis;
                // All threads have an iteration in each round; of the whole grid those of all blocks.
                let full = trip % threads.saturating_mul(blocks) == 0;
                if all.waits {
                    if !full {
                        return None;
                    }
                    let mut exact = [0; 3];
                    exact[axis] = threads;
                    all.exact_block = agree(all.exact_block, exact)?;
                    if value / 10 == 3 {
                        exact[axis] = blocks;
                        all.exact_grid = agree(all.exact_grid, exact)?;
                    }
                }
                all.may_wait &= !own;
                for maybe in &mut all.maybe {
                    maybe.0 &= !own;
                }
                if all.may_wait != 0 && !all.waits {
                    // As a size that no block has, where threads of the grid are left out.
                    all.maybe.push((all.may_wait, axis as u8, if full { threads } else { -1 }));
                }
                all.maybe.retain(|(axes, ..)| *axes != 0);
                all.maybe.sort_unstable();
                all.maybe.dedup();
            }
        }
        if marks == 0 {
            // No loop over threads around: nobody asks any more.
            (all.waits, all.may_wait, all.spread) = (false, 0, false);
        }
        all.open.retain(|open| self.matters(open.spot.into(), n, marks));
        if !self.possible(&all) {
            return None;
        }
        if self.tree.loops[n].parent.is_none() {
            return self.launch(&all);
        }
        Some(all)
    }

    fn both(&self, a: &Demand, b: &Demand) -> Option<Demand> {
        let mut open = a.open.clone();
        open.extend_from_slice(&b.open);
        open.sort_unstable();
        let mut maybe = a.maybe.clone();
        maybe.extend_from_slice(&b.maybe);
        maybe.sort_unstable();
        maybe.dedup();
        let all = Demand {
            fused: a.fused.max(b.fused),
            fused_trip: a.fused_trip.max(b.fused_trip),
            block: max(a.block, b.block),
            grid: max(a.grid, b.grid),
            exact_block: agree(a.exact_block, b.exact_block)?,
            exact_grid: agree(a.exact_grid, b.exact_grid)?,
            maybe,
            bare: a.bare | b.bare,
            spread: a.spread || b.spread,
            waits: a.waits || b.waits,
            may_wait: a.may_wait | b.may_wait,
            rounds: (a.rounds.0 || b.rounds.0, a.rounds.1 | b.rounds.1),
            local: std::array::from_fn(|along| a.local[along].saturating_add(b.local[along])),
            private: a.private.saturating_add(b.private),
            open,
        };
        self.possible(&all).then_some(all)
    }
}
