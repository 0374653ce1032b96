//! What hangs on sizes: threads of a block, blocks of a grid, bytes of memory, per device (HW and CAP).
//!
//! Where a size alone decides, or two loops of one path, it is a constraint like the others, so that counts and draws know it.
//! What joins branches (the longest loop at a level anywhere in a kernel, all buffers together) is asked of whole mappings.

use crate::codes;
use crate::rules::{Given, Tag};
use crate::tree::{Space, Tree};
use terrace_devices::Device;
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
    /// Of a device with a grid
    pub fn of(device: &Device) -> Option<Limits> {
        (device.kind == terrace_devices::Kind::Grid).then(|| Limits {
            block_threads: device.block_threads,
            block_max: device.block_max,
            grid_max: device.grid_max,
            local_bytes: device.bytes("SM"),
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
    /// The device
    pub limits: Limits,
}

/// A rule that a whole mapping breaks
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// HW or CAP
    pub rule: &'static str,
    /// With the numbers
    pub reason: String,
    /// The maps that make it so
    pub about: Vec<usize>,
}

/// Threads along an axis that a loop at this level asks of a block, and blocks of the grid
fn asks(value: i64, trip: i64) -> Option<(usize, i64, i64)> {
    let axis = usize::try_from(value % 10).ok().filter(|axis| *axis < 3)?;
    let trip = trip.max(1);
    match value / 10 {
        1 => Some((axis, trip, 1)),
        2 => Some((axis, 1, trip)),
        3 => {
            let own = trip.min(terrace_lowering_array::GLOBAL[axis]);
            Some((axis, own, (trip + own - 1) / own))
        }
        _ => None,
    }
}

impl Sizes {
    /// Iterations of a map's loop, with those of maps that are one loop with it
    fn trip(&self, tree: &Tree, n: usize, values: &[i64]) -> i64 {
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

    /// Grid and block of the kernel of an outermost map
    pub fn launch(&self, tree: &Tree, root: usize, values: &[i64]) -> ([i64; 3], [i64; 3]) {
        let (mut grid, mut block) = ([1; 3], [1; 3]);
        for n in (0..tree.loops.len()).filter(|n| tree.root(*n) == root) {
            if let Some((axis, threads, blocks)) = asks(values[n], self.trip(tree, n, values)) {
                block[axis] = threads.max(block[axis]);
                grid[axis] = blocks.max(grid[axis]);
            }
        }
        (grid, block)
    }

    /// What a whole mapping asks too much of
    pub fn broken(&self, tree: &Tree, values: &[i64]) -> Vec<Broken> {
        let mut out = Vec::new();
        let limits = &self.limits;
        for root in (0..tree.loops.len()).filter(|n| tree.loops[*n].parent.is_none()) {
            let own: Vec<usize> = (0..tree.loops.len()).filter(|n| tree.root(*n) == root).collect();
            let (grid, block) = self.launch(tree, root, values);
            let threads = block.iter().fold(1i64, |all, size| all.saturating_mul(*size));
            let at = |tens: &[i64]| {
                own.iter().copied().filter(|n| tens.contains(&(values[*n] / 10))).collect::<Vec<_>>()
            };
            if threads > limits.block_threads {
                let reason = format!(
                    "a block of {} x {} x {} has {threads} threads, and the device has at most {}",
                    block[0], block[1], block[2], limits.block_threads
                );
                out.push(Broken { rule: "HW", reason, about: at(&[1, 3]) });
            }
            for axis in 0..3 {
                let name = ["x", "y", "z"][axis];
                for (asked, most, what) in [
                    (block[axis], limits.block_max[axis], "threads of a block"),
                    (grid[axis], limits.grid_max[axis], "blocks"),
                ] {
                    if asked > most {
                        let reason =
                            format!("{asked} {what} along {name}, and the device has at most {most}");
                        out.push(Broken { rule: "HW", reason, about: at(&[1, 2, 3]) });
                    }
                }
            }
            for (space, most, what) in [
                (Space::Local, limits.local_bytes, "a block's"),
                (Space::Private, limits.private_bytes, "a thread's"),
            ] {
                let held = self.held.iter().filter(|held| held.root == root && held.space == space);
                let copies = |held: &Held| {
                    let each = held.owners.iter().any(|n| matches!(values[*n] / 10, 1 | 3));
                    if space == Space::Local && each { threads } else { 1 }
                };
                let bytes =
                    held.fold(0i64, |sum, held| sum.saturating_add(held.bytes.saturating_mul(copies(held))));
                if most > 0 && bytes > most {
                    let reason = format!("{what} memory holds {bytes} bytes, and the device has {most}");
                    out.push(Broken { rule: "CAP", reason, about: at(&[1, 3]) });
                }
            }
        }
        out
    }

    /// The part of it that single maps and pairs on a path decide
    pub fn constraints(&self, tree: &Tree, domain: &dyn Fn(usize) -> Vec<i64>) -> Vec<Given> {
        let mut out = Vec::new();
        let limits = &self.limits;
        let mut give = |rule, formula, about, reason| {
            out.push(Given { rule, kind: rule, tag: Tag::Beyond, formula, about, reason });
        };
        for n in 0..tree.loops.len() {
            let name = &tree.loops[n].name;
            let trip = self.trips[n];
            let fits = |value: &i64| {
                asks(*value, trip).is_none_or(|(axis, threads, blocks)| {
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
                let product = trip.max(1).saturating_mul(self.trips[outer].max(1));
                if product <= limits.block_threads {
                    continue;
                }
                let threads = |n: usize| Formula::is_in(Var(n as u32), [10, 11, 12]);
                let reason = format!(
                    "{} and {name} have {product} iterations together, and a block has at most {} threads",
                    tree.loops[outer].name, limits.block_threads
                );
                give("HW", Formula::and([threads(outer), threads(n)]).not(), vec![outer, n], reason);
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
                    let threads = asks(*value, self.trips[*owner]).map_or(1, |(_, threads, _)| threads);
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
    /// Too many threads or blocks
    pub threads: u64,
    /// Too much memory
    pub memory: u64,
}

impl Tally {
    /// Count a mapping
    pub fn add(&mut self, broken: &[Broken]) {
        match broken {
            [] => self.valid += 1,
            all if all.iter().any(|each| each.rule == "CAP") => self.memory += 1,
            _ => self.threads += 1,
        }
    }
}
