//! Rules of whole kernels as sums over the graph of solutions: sizes are maxima over branches, bytes are sums.
//!
//! What HW, GRID and CAP compare is read from the rules ([`crate::kernels`]); here it is added up from below, so that counts
//! and draws know it. SYNC has a form of its own: a sum that carries the accesses that something later may wait for, and the
//! sizes that loops around a barrier need. For one mapping it is the same sum; `barriers` says what is wrong, and a test
//! compares it with the rule on what all mappings of small programs lower to.

use crate::codes;
use crate::joint::{Sizes, product};
use crate::kernels::{Exact, Size};
use crate::levels::{self, MapLevel};
use crate::sites::{Maker, Sites};
use crate::tree::{Space, Tree};
use terrace_devices::{Level, Levels};
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
    /// Only that threads that wait for each other all come
    pub const SYNC: Rules = Rules { sync: true, ..Rules::NONE };

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

/// Rules of whole kernels, in the order in which they are looked at
pub const WHOLE: [&str; 4] = ["HW", "GRID", "SYNC", "CAP"];

/// By places in [`WHOLE`]
pub fn rules_of(places: impl IntoIterator<Item = usize>) -> Rules {
    let mut rules = Rules::NONE;
    for place in places {
        match place {
            0 => rules.hw = true,
            1 => rules.grid = true,
            2 => rules.sync = true,
            _ => rules.cap = true,
        }
    }
    rules
}

/// What a rule of whole kernels says
pub fn about_whole(rule: &str) -> &'static str {
    match rule {
        "HW" => {
            "the longest loops along each axis make the block and the grid: they fit the device, and block loops are as long as the grid"
        }
        "GRID" => "what blocks share is written under a loop over them: no block does it again",
        "SYNC" => "where threads wait for each other, loops around have an iteration for each of them",
        _ => "all buffers of a kernel fit the memory of a block, and of a thread",
    }
}

/// An access that something later has to wait for
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Open {
    spot: u16,
    /// Who makes it along each axis, of the loops so far: the outermost map of a run, how many are one loop with it, and the
    /// iterations of a strip if it is strip-mined
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
    /// What they must be, where a loop decides it
    exact_block: [i64; 3],
    exact_grid: [i64; 3],
    /// What a block must be along an axis if it has threads along one of others
    maybe: Vec<(u8, u8, i64)>,
    /// Axes along which several blocks would do the same again
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
    /// Sizes that each map must have
    exact: Vec<Vec<&'a Exact>>,
    /// Of writes directly inside of each map, the axes along which blocks may do them again
    bare: Vec<u8>,
    /// Levels that keep blocks along an axis apart
    apart: [Levels; 3],
}

impl<'a> Demands<'a> {
    /// Of a problem's maps
    pub fn new(tree: &'a Tree, sizes: &'a Sizes, rules: Rules) -> Demands<'a> {
        Demands::waiting_at(tree, sizes, rules, &|_| true)
    }

    /// Of a problem's maps, where threads may wait for each other at some pairs of accesses only
    pub(crate) fn waiting_at(
        tree: &'a Tree,
        sizes: &'a Sizes,
        rules: Rules,
        pair: &dyn Fn(usize) -> bool,
    ) -> Demands<'a> {
        let maps = tree.loops.len();
        let mut all = Demands {
            tree,
            sizes,
            rules,
            depth: (0..maps).map(|n| tree.outer(n).count() as u32).collect(),
            spots: vec![Vec::new(); maps],
            pairs: vec![Vec::new(); maps],
            of_spot: vec![0; sizes.sites.spots.len()],
            exact: vec![Vec::new(); maps],
            bare: vec![0; maps],
            apart: [Levels::NONE; 3],
        };
        all.read_sites(pair);
        for exact in sizes.kernels.exact.iter().filter(|_| rules.hw) {
            all.exact[exact.map].push(exact);
        }
        for cover in sizes.kernels.covers.iter().filter(|_| rules.grid) {
            all.bare[cover.at] |= 1 << cover.axis;
            all.apart[cover.axis] = all.apart[cover.axis].or(cover.levels);
        }
        all
    }

    fn read_sites(&mut self, wanted: &dyn Fn(usize) -> bool) {
        if self.rules.sync {
            for (n, pair) in self.sizes.sites.pairs.iter().enumerate().filter(|(n, _)| wanted(*n)) {
                self.pairs[pair.place].push(n);
                for spot in [pair.first, pair.second] {
                    self.of_spot[spot] |= 1u64 << self.depth[pair.place].min(63);
                }
            }
        }
        for (n, spot) in self.sizes.sites.spots.iter().enumerate() {
            self.spots[spot.at].push(n);
        }
    }

    /// Does a mapping satisfy the rules?
    pub fn holds(&self, values: &[MapLevel]) -> bool {
        let mut roots = (0..self.tree.loops.len()).filter(|n| self.tree.loops[*n].parent.is_none());
        roots.all(|root| self.holds_in(root, values))
    }

    /// Does a mapping satisfy the rules in the kernel of an outermost map?
    pub(crate) fn holds_in(&self, root: usize, values: &[MapLevel]) -> bool {
        self.sum(root, values, 0).is_some()
    }

    /// What a map needs with all that is in it
    fn sum(&self, n: usize, values: &[MapLevel], marks: u64) -> Option<Demand> {
        let value = codes::number(values[n]);
        let inside = self.mark(n, value, marks);
        let mut below = self.none();
        for inner in (n + 1..values.len()).filter(|inner| self.tree.loops[*inner].parent == Some(n)) {
            below = self.both(&below, &self.sum(inner, values, inside)?)?;
        }
        self.of(n, value, &below, marks)
    }

    fn sites(&self) -> &Sites {
        &self.sizes.sites
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
        let (grid, block) = all.launch();
        let same = |exact: i64, size: i64| exact == 0 || exact == size;
        let several = |axes: u8, sizes: [i64; 3]| (0..3).any(|axis| axes >> axis & 1 == 1 && sizes[axis] > 1);
        let wrong =
            |(axes, axis, trip): &(u8, u8, i64)| several(*axes, block) && block[usize::from(*axis)] != *trip;
        let fits = (0..3)
            .all(|axis| same(all.exact_grid[axis], grid[axis]) && same(all.exact_block[axis], block[axis]))
            && !several(all.bare, grid)
            && !all.maybe.iter().any(wrong);
        fits.then(Demand::default)
    }

    /// Nothing that is too much already
    fn possible(&self, all: &Demand) -> bool {
        let kernels = &self.sizes.kernels;
        let holds = |space: Space, bytes: i64| kernels.most(space).is_none_or(|most| bytes <= most);
        let shorter = |axis: usize| all.exact_block[axis] == 0 || all.block[axis] <= all.exact_block[axis];
        let fits = || kernels.bounds.iter().all(|bound| product(&bound.sizes, all.launch()) <= bound.most);
        (0..3).all(shorter)
            && (!self.rules.hw || fits())
            && (!self.rules.cap
                || holds(Space::Local, local_bytes(all)) && holds(Space::Private, all.private))
    }

    /// Buffers that each iteration of a map makes
    fn hold(&self, n: usize, all: &mut Demand) {
        let own = |owners: &[usize]| owners.first() == Some(&n);
        for held in self.sizes.kernels.held.iter().filter(|held| self.rules.cap && own(&held.owners)) {
            let sum = if held.space == Space::Private { &mut all.private } else { &mut all.local[0] };
            *sum = sum.saturating_add(held.bytes);
        }
    }

    /// Accesses directly inside of a map
    fn touch(&self, n: usize, marks: u64, all: &mut Demand) {
        all.bare |= self.bare[n];
        for spot in &self.spots[n] {
            // Those that only matter here have to be known here too.
            if self.of_spot[*spot] & (1 << self.depth[n].min(63)) != 0 || self.matters(*spot, n, marks) {
                all.open.push(Open { spot: *spot as u16, who: [None; 3], alone: false });
            }
        }
        all.open.sort_unstable();
    }

    /// Threads that wait for each other in one iteration of a map, or from round to round
    fn wait(&self, n: usize, value: MapLevel, all: &mut Demand) {
        let (surely, axes) = self.waits(n, false, &all.open);
        all.waits |= surely;
        all.may_wait |= axes;
        if self.pairs[n].is_empty() && value != MapLevel::Fused && all.rounds == (false, 0) {
            return;
        }
        let (surely, axes) = self.waits(n, true, &all.open);
        let rounds = (all.rounds.0 | surely, all.rounds.1 | axes);
        all.rounds = (false, 0);
        if value == MapLevel::Fused {
            all.rounds = rounds;
        } else if value == MapLevel::SEQ {
            all.waits |= rounds.0;
            all.may_wait |= rounds.1;
        }
    }

    /// The sizes that a map's loop makes, and those that it needs
    fn size(&self, at: &Place, all: &mut Demand) -> Option<()> {
        let axis = at.axis;
        all.block[axis] = all.block[axis].max(at.threads);
        all.grid[axis] = all.grid[axis].max(at.blocks);
        for along in (0..3).filter(|along| self.apart[*along].contains(at.level)) {
            all.bare &= !(1 << along);
        }
        for exact in self.exact[at.n].iter().filter(|exact| exact.levels.contains(at.level)) {
            match exact.size {
                Size::Blocks(axis) => set(&mut all.exact_grid, axis, at.once())?,
                Size::Threads(axis) => set(&mut all.exact_block, axis, at.once())?,
            }
        }
        Some(())
    }

    /// A loop over threads: who has buffers and makes accesses, and who comes to the barriers inside
    fn spread(&self, at: &Place, all: &mut Demand) -> Option<()> {
        let (axis, own) = (at.axis, 1u8 << at.axis);
        if at.once() > 1 {
            let own = usize::from(own);
            for along in (0..8).filter(|along| along & own == 0) {
                let bytes = std::mem::take(&mut all.local[along]);
                all.local[along | own] = all.local[along | own].saturating_add(bytes);
            }
        }
        if !all.spread {
            // Only the first threads of other axes come here: none to wait for.
            all.may_wait = 0;
        }
        for open in &mut all.open {
            open.alone |= !all.spread;
            let keep = open.who[axis].is_some_and(|run| self.at_once(run) > 1 || at.once() <= 1);
            if !keep {
                open.who[axis] = Some((at.n as u16, at.length, at.by));
            }
        }
        all.spread = true;
        // All threads have an iteration in each round; of the whole grid those of all blocks.
        let full = at.trip % at.threads.saturating_mul(at.blocks) == 0;
        if all.waits {
            if !full {
                return None;
            }
            set(&mut all.exact_block, axis, at.threads)?;
            if matches!(at.level, Level::Global(_)) {
                set(&mut all.exact_grid, axis, at.blocks)?;
            }
        }
        all.may_wait &= !own;
        for maybe in &mut all.maybe {
            maybe.0 &= !own;
        }
        if all.may_wait != 0 && !all.waits {
            // As a size that no block has, where threads of the grid are left out.
            all.maybe.push((all.may_wait, axis as u8, if full { at.threads } else { -1 }));
        }
        all.maybe.retain(|(axes, ..)| *axes != 0);
        all.maybe.sort_unstable();
        all.maybe.dedup();
        Some(())
    }
}

/// A map at a level of a kernel
struct Place {
    n: usize,
    level: Level,
    axis: usize,
    threads: i64,
    blocks: i64,
    /// Iterations, with those of the maps that are one loop with it
    trip: i64,
    /// How many maps these are
    length: u8,
    /// Iterations of a strip; 0 if the loop is not strip-mined
    by: i64,
}

impl Place {
    /// Iterations that run at once
    fn once(&self) -> i64 {
        if self.by > 0 { self.by } else { self.trip }
    }
}

impl Demand {
    /// Grid and block so far
    fn launch(&self) -> ([i64; 3], [i64; 3]) {
        (self.grid.map(|size| size.max(1)), self.block.map(|size| size.max(1)))
    }
}

/// A size must be this one; nothing if it must be another
fn set(exact: &mut [i64; 3], axis: usize, size: i64) -> Option<()> {
    let mut own = [0; 3];
    own[axis] = size;
    *exact = agree(*exact, own)?;
    Some(())
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
        match codes::chosen(value).is_at(levels::SPREAD) {
            true => marks | 1 << self.depth[var].min(63),
            false => marks,
        }
    }

    fn of(&self, n: usize, value: i64, below: &Demand, marks: u64) -> Option<Demand> {
        let value = codes::chosen(value);
        let mut all = below.clone();
        let length = std::mem::take(&mut all.fused);
        let trip = self.sizes.trips[n].max(1).saturating_mul(std::mem::take(&mut all.fused_trip).max(1));
        self.hold(n, &mut all);
        self.touch(n, marks, &mut all);
        self.wait(n, value, &mut all);
        if value == MapLevel::Fused {
            (all.fused, all.fused_trip) = (length + 1, trip);
        }
        if let Some((axis, threads, blocks)) = self.sizes.said[n].asks(value, trip) {
            let (level, by) = (value.level()?, self.sizes.said[n].strip(value, trip));
            let at = Place { n, level, axis, threads, blocks, trip, length, by };
            self.size(&at, &mut all)?;
            if levels::SPREAD.contains(level) {
                self.spread(&at, &mut all)?;
            }
        }
        if marks == 0 {
            // No loop over threads around: nothing depends on it any more.
            (all.waits, all.may_wait, all.spread) = (false, 0, false);
        }
        all.open.retain(|open| self.matters(open.spot.into(), n, marks));
        if !self.possible(&all) {
            return None;
        }
        match self.tree.loops[n].parent {
            Some(_) => Some(all),
            None => self.launch(&all),
        }
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
