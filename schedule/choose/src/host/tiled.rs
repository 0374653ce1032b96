//! Register tiles on processors: rows and vectors in registers, panels of what moves with the lanes, blocks of the reduction by cache.

mod reduction;
mod taps;
pub(super) mod turned;
mod windows;

use crate::access::{Access, Accesses};
use crate::generator::Proposals;
use crate::host::panels::{self, BRIEF, PANEL_USES, SELDOM, panel, uses};
use crate::host::register::{self, Demand, Tile};
use crate::host::streams;
use crate::host::threads::{Parts, Work, thousandths};
use crate::host::tiled::taps::Taps;
use crate::loops::{ceil, lanes_tail, order, vector_lanes, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_cost::issue;
use terrace_schedule_model::{Schedule, Tail};

/// Steps of a reduction after which taking up a tile's sums again costs nothing
const STEPS: i64 = 256;

/// Blocks of a part of a reduction that outweigh joining its sums
const PART_BLOCKS: i64 = 4;

/// Bytes in order that are worth reading from memory
const STRETCH: i64 = 512;

/// Rows whose broadcasts must share a line to be neighbors
const ROWS_OF_A_LINE: i64 = 4;

/// Most coordinates whose copies of a tile's body decide conditions
const TAPS: i64 = 16;

/// Most multiply-adds of a body without loops
const BODY: i64 = 1024;

/// Most multiply-adds of a body without loops that computes a part of one row
const BRIEF_BODY: i64 = 128;

/// Tiles of each choice of lanes that are ranked: what the time of a tile alone leaves open
const TILES: usize = 3;

/// The same where rows share what they broadcast: registers leave few
const TILES_WITH_TAPS: usize = 2;

/// Schedules with register tiles: for each choice of lanes the tile that takes least time, then others, and other panels
pub(crate) fn propose(a: &Accesses, device: &Device, to: &mut Proposals) {
    let usual: Vec<Roles> = Roles::of(a, device).collect();
    // Lanes that read neighbors, all of which are there.
    let clear = usual.iter().any(|roles| roles.strided.is_empty() && !a.conditioned[roles.lanes]);
    let all = usual.into_iter().chain(turned::roles(a, device));
    // Rows that share what they broadcast come first: they load less than the model tells apart.
    let both = |roles: Roles| {
        let taps = taps::of(a, &roles).map(Some).into_iter().chain([None]);
        taps.map(|taps| Kernel::all(a, device, &roles, taps)).collect::<Vec<_>>()
    };
    let all: Vec<Vec<Kernel<'_>>> = all.flat_map(both).collect();
    for kernel in all.iter().filter_map(|kernels| kernels.first()) {
        to.add(kernel.of_one_row().and_then(|kernel| in_order(&kernel)));
    }
    for turn in 0..TILES {
        for kernel in all.iter().filter_map(|kernels| kernels.get(turn)) {
            let Some(block) = Block::of(kernel) else { continue };
            let packings = kernel.packings(&block);
            let usual = packings.first().map_or(0, Vec::len);
            for (n, packed) in packings.into_iter().enumerate() {
                // What copies less is another structure. What copies more than pays must be clearly better, and so must what turns
                // tiles and operands where other lanes need neither: a turned tile has no place for what follows it.
                let turns = clear
                    && kernel.roles.turned
                    && kernel.reads_apart()
                    && (a.followed || kernel.taps.is_none() || kernel.half_empty());
                let base = turn == 0 && (n == 0 || packed.len() < usual) && !turns;
                let task = Task::of(kernel, &packed);
                let shared = block.of_all_tasks(kernel, &task).filter(|_| packed.is_empty());
                let mut tiling =
                    Tiling { kernel, block: &block, packed, task, broadcasts: Vec::new(), masks: Vec::new() };
                // Masks that stay for many steps come first: lines that are read again are near.
                let mut propose = |tiling: &Tiling<'_>| {
                    let masks = tiling.masks();
                    let outside = (!masks.is_empty()).then(|| Tiling { masks, ..tiling.clone() });
                    for tiling in outside.iter().chain([tiling]) {
                        match base {
                            true => to.add([tiling.schedule()]),
                            false => to.vary(tiling.schedule()),
                        }
                    }
                };
                let broadcasts = kernel.broadcasts();
                if !broadcasts.iter().any(|n| kernel.clashes(*n)) {
                    if let Some(block) = &shared {
                        propose(&Tiling { block, ..tiling.clone() });
                    }
                    propose(&tiling);
                    if let Some((block, task)) = block.of_parts(kernel).filter(|_| base) {
                        propose(&Tiling { block: &block, task, ..tiling.clone() });
                    }
                }
                if !broadcasts.is_empty() {
                    tiling.broadcasts = broadcasts;
                    propose(&tiling);
                }
            }
        }
    }
}

/// Rows of the result one after another, where the first cache holds panels of all columns
fn in_order(kernel: &Kernel<'_>) -> Option<Schedule> {
    let Kernel { a, device, roles, tile, .. } = kernel;
    let block = Block::of(kernel).filter(|block| block.depth == a.sizes[block.longest])?;
    let packed = kernel.packings(&block).into_iter().find(|packed| packed.len() == kernel.moving.len())?;
    let panels = block.column.saturating_mul(kernel.tiles() * tile.width());
    let task = Task::of(kernel, &packed);
    let outer = roles.outer.iter().all(|dim| task.outer.is_some_and(|(split, _)| split == *dim));
    let threads = if worth_threads(a, device) && task.outer.is_none() { device.units } else { 1 };
    let task = Task { columns: kernel.tiles(), rows: ceil(kernel.rows, threads), ..task };
    let tiling = Tiling { kernel, block: &block, packed, task, broadcasts: Vec::new(), masks: Vec::new() };
    (outer && panels <= device.bytes(Region::L1) && tiling.along_rows()).then(|| tiling.schedule())
}

/// A few rows at a time over all columns, where neither rows nor panels are used again
pub(crate) fn columns(a: &Accesses, device: &Device) -> Vec<Schedule> {
    let kernel =
        Roles::of(a, device).next().and_then(|roles| Kernel::all(a, device, &roles, None).into_iter().next());
    match kernel.filter(|kernel| kernel.roles.rows.is_none() && a.reorders) {
        Some(Kernel { roles, tile, .. }) => streams::down(a, device, (roles.lanes, &roles.reduced), tile),
        None => Vec::new(),
    }
}

/// What a register tile is made for
#[derive(Clone)]
struct Roles {
    /// Kept: lanes
    lanes: usize,
    /// The output is not contiguous along the lanes: it is turned when a tile is written
    turned: bool,
    /// Kept: rows, along which what moves with the lanes is used again
    rows: Option<usize>,
    /// Kept, none of the two
    outer: Vec<usize>,
    /// Reduced
    reduced: Vec<usize>,
    /// Inputs to be copied into panels: lanes cannot read them where they lie
    strided: Vec<usize>,
}

impl Roles {
    /// Dimensions by role, for each along which the outputs are contiguous; the longest first
    fn of(a: &Accesses, device: &Device) -> impl Iterator<Item = Roles> {
        let free = |dim: usize| a.kept[dim] && (!a.conditioned[dim] || masked(a, dim));
        let contiguous = |dim: usize| a.outputs.iter().all(|out| out.strides[dim] == Some(1));
        let mut all = a.dims(|dim| a.tiles && free(dim) && contiguous(dim));
        all.sort_by_key(|dim| std::cmp::Reverse(a.sizes[*dim]));
        all.into_iter().flat_map(|lanes| Roles::along(a, device, lanes, false))
    }

    /// Of the other dimensions, where lanes run along this one: for each choice of rows
    fn along(a: &Accesses, device: &Device, lanes: usize, turned: bool) -> Vec<Roles> {
        let reduced = a.dims(|dim| a.reduced[dim]);
        let moving = moving(a, lanes);
        if reduced.is_empty() || moving.is_empty() {
            return Vec::new();
        }
        let rows = rows(a, device, lanes, &moving);
        let strided: Vec<usize> = moving.into_iter().filter(|n| !a.inputs[*n].has_lanes(lanes)).collect();
        let often = |n: usize| uses(a, n, lanes) >= 2 * PANEL_USES || windows::again(a, &a.inputs[n]);
        let copied = |n: &usize| panel(a, *n, lanes, 1, false).is_some() && often(*n);
        if !strided.iter().all(copied) {
            return Vec::new();
        }
        let with = |rows: Option<usize>| {
            let outer = a.dims(|dim| a.kept[dim] && dim != lanes && Some(dim) != rows);
            Roles { lanes, turned, rows, outer, reduced: reduced.clone(), strided: strided.clone() }
        };
        rows.into_iter().map(with).collect()
    }
}

/// Inputs that move with the lanes
fn moving(a: &Accesses, lanes: usize) -> Vec<usize> {
    (0..a.inputs.len()).filter(|n| a.inputs[*n].uses(lanes)).collect()
}

/// Dimensions for the rows: some input that moves with the lanes is used again along them. Those along which broadcasts are neighbours come
/// first, where the first cache does not hold these and steps of the longest reduction find no neighbours
fn rows(a: &Accesses, device: &Device, lanes: usize, moving: &[usize]) -> Vec<Option<usize>> {
    let again = |dim: usize| moving.iter().any(|n| !a.inputs[*n].uses(dim));
    // Rows may be conditioned where that is decided row by row, or for few of them, which are pieces of their own.
    let mostly = |dim: usize| a.kept[dim] && (a.inner[dim] * 2 >= a.sizes[dim] || decided(a, dim));
    let can = a.dims(|dim| dim != lanes && mostly(dim) && again(dim));
    let few = |dim: usize| a.sizes[dim] < 4;
    // Rows that are close in the output, of those that are not too few.
    let near = |dim: &&usize| (few(**dim), a.outputs[0].strides[**dim].unwrap_or(i64::MAX));
    let close = can.iter().min_by_key(near).copied();
    let longest = a.dims(|dim| a.reduced[dim]).into_iter().max_by_key(|dim| a.sizes[*dim]);
    let large = |n: &usize| !moving.contains(n) && a.footprint(*n) > device.bytes(Region::L1);
    let scattered = |n: &usize| longest.is_none_or(|dim| a.inputs[*n].strides[dim] != Some(1));
    let broadcasts: Vec<usize> = (0..a.inputs.len()).filter(|n| large(n) && scattered(n)).collect();
    // Several rows find theirs in one line.
    let line = device.costs.caches.line as i64;
    let close_by = |input: &Access, dim: usize| {
        input.strides[dim].is_some_and(|by| by > 0 && by.saturating_mul(input.bytes) <= line / ROWS_OF_A_LINE)
    };
    let neighbours = |dim: usize| broadcasts.iter().any(|n| close_by(&a.inputs[*n], dim));
    let next_to_it = can.iter().copied().find(|dim| Some(*dim) != close && !few(*dim) && neighbours(*dim));
    next_to_it.into_iter().map(Some).chain([close]).collect()
}

/// Are conditions on a kept dimension decided by unrolling?
fn decided(a: &Accesses, dim: usize) -> bool {
    a.conditioned[dim] && (2..=TAPS).contains(&a.taps[dim])
}

/// May lanes mask what conditions on a dimension leave out, which is little?
fn masked(a: &Accesses, dim: usize) -> bool {
    a.conditioned[dim] && a.masks[dim] && a.inner[dim] * 2 >= a.sizes[dim]
}

/// Rows of a tile that a few sets of the first cache hold, where rows are a multiple of half its span apart
fn most_rows(a: &Accesses, device: &Device, roles: &Roles) -> i64 {
    let Some(rows) = roles.rows else { return 1 };
    let ways = device.ways(Region::L1).max(2);
    let span = (device.bytes(Region::L1) / ways).max(1);
    let clash = a.inputs.iter().any(|input| {
        !input.uses(roles.lanes)
            && input.strides[rows].is_some_and(|stride| stride != 0 && stride * input.bytes % (span / 2) == 0)
    });
    if clash { ways - 1 } else { i64::MAX }
}

/// The tile in registers, and what it computes
struct Kernel<'a> {
    a: &'a Accesses,
    device: &'a Device,
    roles: Roles,
    /// Inputs that move with the lanes
    moving: Vec<usize>,
    /// Rows, where an input moves with them and with the lanes
    window: Option<usize>,
    /// Coordinates along the rows that have whole tiles
    rows: i64,
    /// Coordinates along the lanes
    columns: i64,
    /// A window whose taps are copies of the body, so that rows share what they broadcast
    taps: Option<Taps>,
    tile: Tile,
}

impl<'a> Kernel<'a> {
    /// What a tile waits for lines that tasks of neighboring columns write too, in each step of the reduction of so many thousandths of
    /// cycles: a line for each row. Stores go on while the next tile is computed. And the number of tiles behind which no lines are shared:
    /// none where rows of the result are no whole lines. Processors bring lines in pairs
    fn shared_lines(&self, step: i64) -> (i64, Option<i64>) {
        let Kernel { a, device, roles, tile, .. } = self;
        let caches = &device.costs.caches;
        let begins_within = |out: &Access| {
            let line = (caches.line as i64 / out.bytes.max(1)).max(1);
            let apart = |dim: &usize| *dim != roles.lanes && a.sizes[*dim] > 1;
            let rows = a.dims(|dim| a.kept[dim]);
            out.strides[roles.lanes] == Some(1)
                && rows
                    .iter()
                    .filter(|dim| apart(dim))
                    .any(|dim| out.strides[*dim].is_none_or(|by| by % line != 0))
        };
        let steps: i64 =
            a.dims(|dim| a.reduced[dim]).iter().fold(1, |all, dim| all.saturating_mul(a.sizes[*dim]));
        let waits = thousandths(tile.rows as f64 * caches.missed_store / steps.max(1) as f64) - step;
        let pair = 2 * caches.line as i64;
        let whole = |tiles: &i64| {
            let bytes = tiles * tile.width();
            a.outputs.iter().all(|out| bytes * out.bytes % pair == 0)
        };
        let tiles = (1..=pair).find(whole).filter(|_| !a.outputs.iter().any(begins_within));
        (waits.max(0), tiles)
    }

    /// What reading memory in short runs costs a tile in each step of the reduction, in thousandths of cycles: of what tiles read where it lies, and
    /// the last cache does not hold
    fn far_columns(&self, packed: &[usize]) -> i64 {
        let read = self.moving.iter().filter(|n| !packed.contains(n) && self.far(**n));
        let bytes: i64 = read.map(|n| self.a.inputs[*n].bytes * self.tile.width()).sum();
        thousandths(bytes as f64 / self.device.costs.caches.from_memory)
    }

    /// Does an input that moves with the lanes have no neighbors along them?
    fn reads_apart(&self) -> bool {
        self.moving.iter().any(|n| self.a.inputs[*n].strides[self.roles.lanes] != Some(1))
    }

    /// Are vectors along the columns less than three quarters full? These cost more than the model says
    fn half_empty(&self) -> bool {
        4 * self.columns < 3 * ceil(self.columns, self.tile.lanes) * self.tile.lanes
    }

    /// With each tile that registers hold, the fastest first
    fn all(a: &'a Accesses, device: &'a Device, roles: &Roles, taps: Option<Taps>) -> Vec<Kernel<'a>> {
        let (lanes, columns) = (roles.lanes, a.sizes[roles.lanes]);
        let rows = roles.rows.map_or(1, |dim| if decided(a, dim) { a.sizes[dim] } else { a.inner[dim] });
        let moving = moving(a, lanes);
        let window = roles.rows.filter(|rows| moving.iter().any(|n| a.inputs[*n].uses(*rows)));
        let Some(width) = vector_lanes(a, device, lanes) else { return Vec::new() };
        let demand = Demand {
            rows,
            columns,
            lanes: width,
            most: most_rows(a, device, roles),
            pads: a.harmless && a.fills && moving.iter().any(|n| uses(a, *n, lanes) >= 8 * PANEL_USES),
            window: window.map(|dim| if decided(a, dim) { a.taps[dim] - 1 } else { 0 }),
            turned: roles.turned.then(|| turned::written(a, device, roles)).flatten(),
            shared: taps.map(|taps| taps.shared),
            shuffled: moving
                .iter()
                .any(|n| a.inputs[*n].strides[lanes] != Some(1) && !roles.strided.contains(n)),
        };
        let with = |tile: Tile| {
            let (roles, moving) = (roles.clone(), moving.clone());
            Kernel { a, device, roles, moving, window, rows, columns, taps, tile }
        };
        let most = if taps.is_some() { TILES_WITH_TAPS } else { TILES };
        register::choices(device, &demand).into_iter().take(most).map(with).collect()
    }

    /// With tiles of one row, where rows of the result are long and each panel is used for all of them. A processor that writes whole lines
    /// one after the other does not read them first
    fn of_one_row(&self) -> Option<Kernel<'a>> {
        let Kernel { a, device, ref roles, ref moving, window, rows, columns, tile, .. } = *self;
        let vectors = register::VECTORS.min(columns / tile.lanes);
        let used = roles.rows.is_some_and(|dim| moving.iter().all(|n| !a.inputs[*n].uses(dim)));
        let kernel = || Kernel {
            a,
            device,
            roles: roles.clone(),
            moving: moving.clone(),
            window,
            rows,
            columns,
            taps: None,
            tile: Tile { rows: 1, vectors, ..tile },
        };
        (used && vectors > 0 && !roles.turned && tile.rows > 1).then(kernel)
    }

    /// Is an input too large for the last cache to keep?
    fn far(&self, input: usize) -> bool {
        self.a.footprint(input) > self.device.bytes(Region::L3) / 2
    }

    /// Is an input too large for the second cache to keep?
    fn passes(&self, input: usize) -> bool {
        self.a.footprint(input) > self.device.bytes(Region::L2)
    }

    /// Tiles along the lanes
    fn tiles(&self) -> i64 {
        ceil(self.columns, self.tile.width())
    }

    /// Tiles along the rows
    fn row_tiles(&self) -> i64 {
        ceil(self.rows, self.tile.rows)
    }

    /// Tiles and outer coordinates that use a panel of an input
    fn panel_uses(&self, input: usize) -> i64 {
        let (a, roles) = (self.a, &self.roles);
        let tiles = match roles.rows {
            Some(rows) if !a.inputs[input].uses(rows) => self.row_tiles(),
            _ => 1,
        };
        let unmoved = roles.outer.iter().filter(|dim| !a.inputs[input].uses(**dim));
        let outside: i64 = unmoved.map(|dim| a.sizes[*dim]).product();
        tiles * outside.max(1)
    }

    /// Inputs that rows broadcast from lines far apart in each step of the reduction, and that a copy by tiles of rows puts side by side
    fn broadcasts(&self) -> Vec<usize> {
        let Kernel { a, device, roles, moving, tile, .. } = self;
        let longest = roles.reduced.iter().copied().max_by_key(|dim| a.sizes[*dim]);
        let (Some(rows), Some(longest)) = (roles.rows.filter(|rows| !a.conditioned[*rows]), longest) else {
            return Vec::new();
        };
        let apart = |n: &usize| {
            let input = &a.inputs[*n];
            let alone = roles.outer.iter().all(|dim| !input.uses(*dim));
            let far = input.strides[longest].is_some_and(|stride| stride > 1);
            !moving.contains(n) && input.uses(rows) && input.uses(longest) && alone && far
        };
        let can = |n: &usize| {
            a.footprint(*n) > device.bytes(Region::L1) && panel(a, *n, rows, tile.rows, true).is_some()
        };
        (0..a.inputs.len()).filter(|n| tile.rows > 1 && apart(n) && can(n)).collect()
    }

    /// Do steps of the longest reduction find an input in a few sets of the first cache? Estimates do not know sets
    fn clashes(&self, input: usize) -> bool {
        let (bytes, ways) = (self.device.bytes(Region::L1), self.device.ways(Region::L1).max(2));
        let longest = self.roles.reduced.iter().copied().max_by_key(|dim| self.a.sizes[*dim]);
        let stride = longest.and_then(|dim| self.a.inputs[input].strides[dim]).unwrap_or(0);
        stride != 0 && stride * self.a.inputs[input].bytes % ((bytes / ways).max(2) / 2) == 0
    }

    /// Inputs that are copied into panels: those that are used often enough, then none or all. What lanes cannot read where it
    /// lies is always copied; nothing is proposed where it cannot be
    fn packings(&self, block: &Block) -> Vec<Vec<usize>> {
        let (a, roles, width) = (self.a, &self.roles, self.tile.width());
        let exact = self.columns % width == 0;
        let allowed = exact || a.harmless && a.fills;
        let depth = |dim: usize| if dim == block.longest { block.depth } else { a.sizes[dim] };
        let rows_of: Vec<(usize, i64)> = roles.reduced.iter().map(|dim| (*dim, depth(*dim))).collect();
        let pays = |n: usize| {
            let often = self.panel_uses(n) >= PANEL_USES && self.columns > width;
            let seldom = exact && self.window.is_none() && uses(a, n, roles.lanes) < SELDOM;
            often && !(seldom && panels::stays(a, self.device, n, &rows_of, width))
        };
        let can = |n: usize| allowed && panel(a, n, roles.lanes, width, true).is_some();
        if !roles.strided.iter().all(|n| can(*n)) {
            return Vec::new();
        }
        let copied = |pays: &dyn Fn(usize) -> bool| {
            let wanted = |n: &usize| roles.strided.contains(n) || can(*n) && pays(*n);
            self.moving.iter().copied().filter(wanted).collect::<Vec<usize>>()
        };
        let mut all = vec![copied(&pays), copied(&|_| false), copied(&|_| true)];
        all.dedup();
        all
    }
}

/// A block of the reduction: all of it, if a panel of the lanes' operands takes half of the second cache
struct Block {
    /// The dimension that blocks divide: the longest
    longest: usize,
    /// Coordinates of a block along it
    depth: i64,
    /// Bytes of a column of a panel
    column: i64,
    /// Bytes of the second cache for panels
    budget: i64,
    /// All tasks compute a block before the next one begins
    outside: bool,
}

impl Block {
    fn of(kernel: &Kernel<'_>) -> Option<Block> {
        let Kernel { a, device, roles, moving, .. } = kernel;
        let longest = roles.reduced.iter().copied().max_by_key(|dim| a.sizes[*dim])?;
        let others: i64 =
            roles.reduced.iter().filter(|dim| **dim != longest).map(|dim| a.sizes[*dim]).product();
        let others = others.max(1);
        // A block that is used for few rows is soon followed by the next, which is fetched meanwhile: both lie in the cache.
        let brief = moving.iter().any(|n| kernel.far(*n) && uses(a, *n, roles.lanes) < BRIEF);
        let budget = device.bytes(Region::L2) * if brief { 3 } else { 6 } / 10;
        // Of an operand that the last cache does not hold several panels at once, so that long stretches of it are read.
        let stretch = if moving.iter().any(|n| kernel.far(*n)) { STRETCH } else { 0 };
        let width = kernel.tile.width();
        let abreast = (stretch / (width * a.widest())).clamp(1, kernel.tiles());
        let most = (budget / (width * abreast * a.widest() * others)).max(STEPS / others).max(8);
        let depth = if a.sizes[longest] <= most || !a.reorders {
            a.sizes[longest]
        } else {
            let blocks = ceil(a.sizes[longest], most);
            ceil(ceil(a.sizes[longest], blocks), 8) * 8
        };
        // Panels of an input that passes through the second cache take less of it: what they are copied from lies there as well.
        let passes = moving.iter().any(|n| kernel.passes(*n) && uses(a, *n, roles.lanes) < BRIEF);
        let budget = if passes { budget.min(device.bytes(Region::L2) * 3 / 10) } else { budget };
        Some(Block { longest, depth, column: depth * others * a.widest(), budget, outside: false })
    }

    /// Blocks outside of tasks, where the second cache holds those of all operands for many steps: each element is fetched once then, and not by
    /// each task anew. For one reduced dimension, along which operands are longer than that cache
    fn of_all_tasks(&self, kernel: &Kernel<'_>, task: &Task) -> Option<Block> {
        let Kernel { a, device, roles, .. } = kernel;
        let several = task.columns < kernel.tiles() || roles.rows.is_some() && task.rows < kernel.rows;
        if !several || task.outer.is_some() || roles.reduced.len() > 1 || self.depth == a.sizes[self.longest]
        {
            return None;
        }
        let step: i64 = (0..a.inputs.len()).map(|n| a.footprint(n) / a.sizes[self.longest].max(1)).sum();
        let most = device.bytes(Region::L2) * 6 / 10 / step.max(1);
        let blocks = ceil(a.sizes[self.longest], most.max(1));
        let depth = ceil(ceil(a.sizes[self.longest], blocks), 8) * 8;
        (most >= STEPS && blocks > 1).then(|| Block {
            depth,
            column: depth * a.widest(),
            outside: true,
            ..*self
        })
    }
}

impl Block {
    /// Parts of a long reduction, one for each task, whose sums are joined: no element is fetched or copied by two tasks then. Where the second
    /// cache holds all sums; blocks are short, so that the first cache holds a panel
    fn of_parts(&self, kernel: &Kernel<'_>) -> Option<(Block, Task)> {
        let Kernel { a, device, roles, tile, .. } = kernel;
        let sums =
            a.dims(|dim| a.kept[dim]).iter().fold(a.widest(), |all, dim| all.saturating_mul(a.sizes[*dim]));
        let part = ceil(ceil(a.sizes[self.longest], device.units), 8) * 8;
        let others = self.column / (self.depth * a.widest()).max(1);
        let depth = ceil((STEPS / others.max(1)).max(1), 8) * 8;
        let long = part >= PART_BLOCKS * depth;
        let alone = roles.outer.iter().all(|dim| a.sizes[*dim] == 1);
        let free = a.reorders && !a.conditioned[self.longest];
        // One thread has one part, in blocks all the same.
        let pays = device.units == 1 || worth_threads(a, device);
        (pays && long && alone && free && sums <= device.bytes(Region::L2) / 4).then(|| {
            let block = Block { depth, column: depth * others * a.widest(), ..*self };
            let task = Task {
                outer: None,
                part: (device.units > 1).then_some((self.longest, part)),
                columns: kernel.tiles(),
                rows: kernel.row_tiles() * tile.rows,
            };
            (block, task)
        })
    }
}

/// What a thread computes
#[derive(Clone)]
struct Task {
    /// The outer dimension that threads divide, and a thread's coordinates along it
    outer: Option<(usize, i64)>,
    /// The reduced dimension that threads divide, and a thread's coordinates along it
    part: Option<(usize, i64)>,
    /// Tiles along the lanes
    columns: i64,
    /// Rows, in whole tiles
    rows: i64,
}

impl Task {
    /// Over an outer dimension, whole tiles of columns, and of rows
    fn of(kernel: &Kernel<'_>, packed: &[usize]) -> Task {
        let Kernel { a, device, roles, tile, .. } = kernel;
        let (tiles, row_tiles) = (kernel.tiles(), kernel.row_tiles());
        let outer = roles.outer.iter().copied().max_by_key(|dim| a.sizes[*dim]);
        let mut parts = Parts { outer: 1, columns: 1, rows: 1 };
        if worth_threads(a, device) {
            let moves = outer.is_some_and(|dim| packed.iter().any(|n| a.inputs[*n].uses(dim)));
            let step = thousandths(issue::cycles(
                &device.costs.instructions,
                (tile.rows * tile.vectors) as f64,
                0.0,
                0.0,
            ));
            let (shared, apart) = kernel.shared_lines(step);
            let work = Work {
                outer: outer.map_or(1, |dim| a.sizes[dim]),
                columns: tiles,
                rows: row_tiles,
                step,
                panel: match packed.is_empty() {
                    true => 0,
                    false => thousandths(tile.width() as f64 * device.costs.tiles.panel_element),
                },
                shared,
                apart,
                far: kernel.far_columns(packed),
                run: (device.costs.caches.short_run as i64 / (tile.width() * a.widest()).max(1)).max(1),
                moves,
            };
            parts = work.split(device.units);
            // A task of one tile whose end is a limit would leave the tile's length open, and its sums in no registers.
            if ceil(row_tiles, parts.rows) == 1 && parts.rows > 1 && kernel.rows % tile.rows != 0 {
                parts = Work { rows: 1, ..work }.split(device.units);
                parts.rows = 1;
            }
        }
        if parts.columns > 1 && a.symmetric.is_some_and(|[_, columns]| columns == roles.lanes) {
            // Tiles of columns have rows down to the diagonal: threads fetch the next one when they are done.
            parts.columns = tiles;
        }
        let divided = outer.filter(|_| parts.outer > 1);
        Task {
            outer: divided.map(|dim| (dim, ceil(a.sizes[dim], parts.outer))),
            part: None,
            columns: ceil(tiles, parts.columns),
            rows: ceil(row_tiles, parts.rows) * tile.rows,
        }
    }
}

/// All that is decided; steps are written from it, from the threads to the lanes
#[derive(Clone)]
struct Tiling<'a> {
    kernel: &'a Kernel<'a>,
    block: &'a Block,
    /// Inputs with panels
    packed: Vec<usize>,
    task: Task,
    /// Inputs whose broadcasts are copied, once per thread
    broadcasts: Vec<usize>,
    /// Reduced dimensions outside of all others, since masks of lanes follow from them
    masks: Vec<usize>,
}

impl Tiling<'_> {
    fn schedule(&self) -> Schedule {
        let a = self.kernel.a;
        let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
        let (with, without): (Vec<usize>, Vec<usize>) = self
            .kernel
            .roles
            .outer
            .iter()
            .partition(|dim| self.packed.iter().any(|n| a.inputs[*n].uses(**dim)));
        if self.block.outside {
            steps.step(|step| {
                step.tile(self.block.longest, self.block.depth, Layer::For, Some(Tail::Limit));
            });
        }
        self.threads(&mut steps);
        self.panels(&mut steps, &with);
        self.rows(&mut steps, &without);
        self.registers(&mut steps);
        self.reduction(&mut steps);
        self.unrolled(&mut steps);
        a.groups.merge(steps.finish(&order(a)))
    }

    /// What happens where the lanes' tiles do not divide
    fn tail(&self) -> Tail {
        if self.packed.is_empty() { Tail::Peel } else { Tail::Pad }
    }

    fn threads(&self, steps: &mut Steps) {
        let Kernel { a, roles, tile, .. } = self.kernel;
        let tail = if self.packed.is_empty() { Tail::Limit } else { Tail::Pad };
        steps.step(|step| {
            if let Some((dim, size)) = self.task.outer {
                step.tile(dim, size, Layer::Thr, Some(Tail::Limit));
            }
            if let Some((dim, size)) = self.task.part {
                step.tile(dim, size, Layer::Thr, Some(Tail::Limit));
            }
            step.tile(roles.lanes, self.task.columns * tile.width(), Layer::Thr, Some(tail));
            if let Some(rows) = roles.rows {
                step.tile(rows, self.task.rows, Layer::Thr, Some(Tail::Limit));
                for n in &self.broadcasts {
                    if let Some(place) = panel(a, *n, rows, tile.rows, true) {
                        step.input(a.inputs[*n].group, place);
                    }
                }
            }
        });
    }

    /// Outer dimensions that panels move with, then panels of a block
    fn panels(&self, steps: &mut Steps, with: &[usize]) {
        let Kernel { a, roles, columns, tile, .. } = self.kernel;
        let windows = self.windows();
        let blocks = if windows.is_empty() { self.abreast() } else { 1 };
        let (width, tiles) = (tile.width(), self.task.columns);
        steps.step(|step| {
            for dim in with.iter().filter(|dim| windows.iter().all(|(other, _)| other != *dim)) {
                step.tile(*dim, 1, Layer::For, None);
            }
            for (dim, size) in &windows {
                step.tile(*dim, *size, Layer::For, Some(Tail::Limit));
            }
            if !self.packed.is_empty() {
                step.tile(roles.lanes, blocks * width, Layer::For, Some(self.tail()));
            }
            step.tile(self.block.longest, self.block.depth, Layer::For, Some(Tail::Limit));
            for n in &self.packed {
                let several = tiles > 1 || blocks > 1 || *columns > width;
                if let Some(place) = panel(a, *n, roles.lanes, width, several) {
                    step.input(a.inputs[*n].group, place);
                }
            }
        });
    }

    /// Panels of a block at a time: as the second cache holds, or twice of it where what moves with rows only is read from memory
    /// for each block anew
    fn abreast(&self) -> i64 {
        let Kernel { a, device, moving, tile, .. } = self.kernel;
        let again = (0..a.inputs.len()).any(|n| !moving.contains(&n) && self.kernel.far(n));
        let divided = self.block.depth < a.sizes[self.block.longest];
        let bytes = if again && divided { 2 * device.bytes(Region::L2) } else { self.block.budget };
        let most = (bytes / self.block.column.max(1) / tile.width()).max(1);
        let tiles = self.task.columns;
        (1..=tiles.min(most)).rev().find(|n| tiles % n == 0).unwrap_or(1)
    }

    /// Other outer dimensions, then rows of a block
    fn rows(&self, steps: &mut Steps, without: &[usize]) {
        let Kernel { device, roles, tile, .. } = self.kernel;
        let high = (device.bytes(Region::L2) / 4 / self.block.column.max(1) / tile.rows).max(1) * tile.rows;
        steps.step(|step| {
            let blocked = self.windows().into_iter().map(|(dim, _)| dim);
            for dim in blocked.filter(|dim| Some(*dim) != roles.rows).chain(without.iter().copied()) {
                step.tile(dim, 1, Layer::For, None);
            }
            if let Some(rows) = roles.rows.filter(|_| high * 2 <= self.task.rows) {
                step.tile(rows, high, Layer::For, Some(Tail::Limit));
            }
        });
    }

    /// Are tiles visited along rows of the result? Where the first cache holds all panels, nothing is gained by using one for all rows, and
    /// a result beyond the second cache is written in the order of memory
    fn along_rows(&self) -> bool {
        let Kernel { a, device, roles, tile, .. } = self.kernel;
        let panels = self.block.column.saturating_mul(self.task.columns * tile.width());
        let result =
            a.dims(|dim| a.kept[dim]).iter().fold(a.widest(), |all, dim| all.saturating_mul(a.sizes[*dim]));
        !self.packed.is_empty()
            && !roles.turned
            && self.task.columns > 1
            && panels <= device.bytes(Region::L1) / if tile.rows == 1 { 1 } else { 2 }
            && result > device.bytes(Region::L2)
    }

    /// The tile in registers
    fn registers(&self, steps: &mut Steps) {
        let Kernel { a, roles, tile, .. } = self.kernel;
        let along_rows = self.along_rows();
        steps.step(|step| {
            if let Some(rows) = roles.rows.filter(|_| along_rows) {
                step.tile(rows, tile.rows, Layer::For, Some(Tail::Peel));
            }
            step.tile(roles.lanes, tile.width(), Layer::For, Some(self.tail()));
            if let Some(rows) = roles.rows.filter(|_| !along_rows) {
                step.tile(rows, tile.rows, Layer::For, Some(Tail::Peel));
            }
            for out in 0..a.outs {
                match roles.turned {
                    true => step.output_as(out, turned::place(&a.outputs[out], roles.lanes)),
                    false => step.output(out, Region::Reg),
                };
            }
        });
    }

    /// Rows and vectors of the tile, then the lanes
    fn unrolled(&self, steps: &mut Steps) {
        let Kernel { a, device, roles, tile, .. } = self.kernel;
        steps.step(|step| {
            if let Some(rows) = roles.rows {
                step.tile(rows, 1, Layer::Unr, None);
            }
            step.tile(roles.lanes, tile.lanes, Layer::Unr, Some(self.tail()));
        });
        let tail = match self.tail() {
            Tail::Pad => None,
            _ => lanes_tail(a, device, roles.lanes, tile.lanes),
        };
        steps.step(|step| {
            step.tile(roles.lanes, 1, Layer::Vec, tail);
        });
    }
}
