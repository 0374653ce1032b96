//! Register tiles: rows times vectors, by the loads that each multiply-add costs and the area that tiles overshoot.

use terrace_devices::{Costs, Device};
use terrace_schedule_cost::{issue, latency};

/// Rows and vectors of a register tile
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Rows
    pub rows: i64,
    /// Vectors of a row
    pub vectors: i64,
    /// Lanes of a vector
    pub lanes: i64,
}

impl Tile {
    /// Elements of a row
    pub fn width(self) -> i64 {
        self.vectors * self.lanes
    }
}

/// Cycles by which times differ that are equal but for rounding
const EQUAL: f64 = 5e-10;

/// Most vectors of a row
pub(super) const VECTORS: i64 = 4;

/// What a register tile is for
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Demand {
    /// Rows
    pub rows: i64,
    /// Columns
    pub columns: i64,
    /// Lanes of a vector
    pub lanes: i64,
    /// Most rows: more would fall into one set of a cache
    pub most: i64,
    /// Columns are computed in whole tiles, beyond the end
    pub pads: bool,
    /// Rows of an operand that moves with rows and lanes, beyond the tile's own: it is no broadcast, and its vectors stay
    pub window: Option<i64>,
    /// Rows share what they broadcast with taps of a window, which are copies of a body: it stays in registers
    pub shared: Option<Shared>,
    /// A tile is turned when it is written: columns become rows of the output
    pub turned: Option<Turned>,
    /// Lanes of an operand are shuffled out of longer loads, which take registers for a moment
    pub shuffled: bool,
}

/// Elements of a window that copies of a body broadcast to rows
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shared {
    /// Between neighboring rows
    pub apart: i64,
    /// Between neighboring taps
    pub step: i64,
    /// Copies
    pub taps: i64,
}

impl Shared {
    /// Are there sums enough that a copy does not wait for those of the one before?
    fn pays(costs: &Costs, sums: i64) -> bool {
        let sums = sums as f64;
        let begun = issue::cycles(&costs.instructions, sums, 0.0, 0.0);
        begun > latency::cycles(&costs.instructions, sums, sums)
    }

    /// Distinct elements of so many rows and all taps
    pub fn count(self, rows: i64) -> i64 {
        let row = |n: i64| {
            (0..self.taps)
                .map(move |tap| n.saturating_mul(self.apart).saturating_add(tap.saturating_mul(self.step)))
        };
        let mut all: Vec<i64> = (0..rows).flat_map(row).collect();
        all.sort_unstable();
        all.dedup();
        all.len() as i64
    }
}

/// How a tile is written whose columns become rows of the output
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Turned {
    /// Steps of the reduction that a tile is written after
    pub steps: f64,
    /// Side of the largest squares whose rows and columns change places in registers (`scf-transpose-copies`)
    pub side: i64,
    /// Rows of the output whose lines the first cache holds at once
    pub held: i64,
}

impl Turned {
    /// Least side of a square
    const SIDE: i64 = 4;

    /// Cycles of a step with what writing a tile adds to each. A column is a row of each square, then of squares of half of the side, then
    /// single elements. Where the first cache does not hold the lines of all columns, each store finds its line gone. Such stores
    /// go on while the next tile is computed, one after the other
    fn with_writing(self, costs: &Costs, step: f64, height: i64, columns: i64) -> f64 {
        let (mut stores, mut left, mut side) = (0, height, self.side.min(columns));
        while side >= Turned::SIDE {
            stores += left / side;
            left %= side;
            side /= 2;
        }
        let each = (stores + left) as f64 * columns as f64 / self.steps.max(1.0);
        let missed = if columns > self.held { each * costs.caches.missed_store } else { 0.0 };
        step.max(missed) + issue::cycles(&costs.instructions, 0.0, 0.0, each)
    }
}

impl Demand {
    /// Registers: accumulators, a row of vectors, a broadcast or all that rows share; or a window's vectors
    fn registers(&self, height: i64, vectors: i64) -> i64 {
        let operands = match (self.window, self.shared) {
            (Some(more), _) => (height + more) * vectors + 1,
            (None, Some(shared)) => vectors + shared.count(height),
            (None, None) => vectors + 1,
        };
        height * vectors + operands
    }

    /// Cycles of a step of the reduction: until all multiply-adds have begun, or until a sum is there, or until each vector is there
    /// from the second cache; and something for each load
    pub fn time(&self, costs: &Costs, height: i64, vectors: i64) -> f64 {
        let (of, tiles) = (&costs.instructions, &costs.tiles);
        let issue = |operations: i64| issue::cycles(of, operations as f64, 0.0, 0.0);
        let sums = (height * vectors) as f64;
        let busy = issue(height * vectors).max(latency::cycles(of, sums, sums));
        if self.window.is_some() {
            return busy.max(issue(height * vectors + vectors));
        }
        let broadcasts = match self.shared {
            Some(shared) => shared.count(height) as f64 / shared.taps.max(1) as f64,
            None => height as f64,
        };
        busy.max(tiles.panel_vector * vectors as f64) + tiles.load * (broadcasts + vectors as f64)
    }

    /// All tiles of a size, the rest of the rows in a tile of its own
    fn cost(&self, costs: &Costs, height: i64, vectors: i64, lanes: i64) -> f64 {
        let time = |height: i64, vectors: i64| {
            let step = self.time(costs, height, vectors);
            self.turned.map_or(step, |turned| turned.with_writing(costs, step, height, vectors * lanes))
        };
        let column = |vectors: i64| {
            let rest = self.rows % height;
            let whole = (self.rows / height) as f64 * time(height, vectors);
            // Another body, another loop.
            if rest > 0 { whole + time(rest, vectors) + costs.tiles.remainder } else { whole }
        };
        let (width, rest) = (vectors * lanes, self.columns % (vectors * lanes));
        let whole = (self.columns / width) as f64 * column(vectors);
        match rest {
            0 => whole,
            _ if self.pads => whole + column(vectors),
            _ => {
                (whole + column((rest as u64).div_ceil(lanes as u64) as i64)) * costs.tiles.remaining_columns
            }
        }
    }
}

/// Tiles by the time that they take, least first
pub fn choices(device: &Device, demand: &Demand) -> Vec<Tile> {
    let lanes = demand.lanes;
    let mut all: Vec<(f64, Tile)> = Vec::new();
    for vectors in 1..=VECTORS {
        for height in 1..=demand.rows.min(demand.most).min(device.registers) {
            let spare = device.costs.tiles.spare as i64;
            // A window, and what rows share, are counted to the last.
            let spare = match demand.window.is_some() || demand.shared.is_some() {
                true => spare.min(1),
                false if demand.shuffled => spare.max(2),
                false => spare,
            };
            let fits = demand.registers(height, vectors) <= device.registers - spare;
            if !fits && (height, vectors) != (1, 1) || vectors * lanes >= demand.columns + lanes {
                continue;
            }
            if demand.shared.is_some() && !Shared::pays(&device.costs, height * vectors) {
                continue;
            }
            let cost = demand.cost(&device.costs, height, vectors, lanes);
            // Of what differs by rounding only, the one that was there first.
            let at = all.partition_point(|(other, _)| *other <= cost + EQUAL);
            all.insert(at, (cost, Tile { rows: height, vectors, lanes }));
        }
    }
    all.into_iter().map(|(_, tile)| tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(rows: i64, columns: i64) -> Demand {
        Demand {
            rows,
            columns,
            lanes: 16,
            most: 11,
            pads: false,
            window: None,
            shared: None,
            turned: None,
            shuffled: false,
        }
    }

    fn tile(demand: Demand) -> (i64, i64) {
        let device = Device::find("x86-64-v4").expect("built in");
        let tile = choices(&device, &demand).into_iter().next().expect("there are lanes");
        (tile.rows, tile.width())
    }

    /// Where panels are slow, tiles have as many rows as they may
    #[test]
    fn tiles_follow_the_device_file() {
        let mut device = Device::find("x86-64-v4").expect("built in");
        device.costs.tiles.panel_vector = 40.0;
        let high = choices(&device, &demand(4096, 4096)).into_iter().next().expect("there are lanes");
        assert_eq!(high.rows, 11, "{high:?}");
    }

    /// Columns that become rows of the output are written in whole squares, and few of them where their lines share a set
    #[test]
    fn turned_tiles_are_whole_squares() {
        let turned = |held: i64| {
            let turned = Some(Turned { steps: 147.0, side: 16, held });
            tile(Demand { turned, ..demand(224, 64) })
        };
        let (rows, columns) = turned(12);
        assert!(rows % 4 == 0 && columns <= 32, "{rows} by {columns}");
        assert_eq!(turned(i64::MAX).0 % 4, 0);
        assert_ne!(tile(demand(224, 64)).0 % 4, 0);
    }

    /// A window of three taps: the vectors of two more rows stay in registers
    #[test]
    fn windows_take_registers() {
        let tile = tile(Demand { window: Some(2), ..demand(112, 32) });
        assert!(tile.0 * tile.1 / 16 + (tile.0 + 2) * tile.1 / 16 < 32, "{tile:?}");
    }

    /// Six rows and three taps share eight elements, which stay in registers with the sums and a row of vectors
    #[test]
    fn rows_share_elements_of_a_window() {
        let shared = |apart, step, taps| Shared { apart, step, taps };
        assert_eq!(shared(1, 1, 3).count(6), 8);
        assert_eq!(shared(2, 1, 3).count(4), 9);
        assert_eq!(shared(1, 2, 3).count(4), 8);
        assert_eq!(shared(3, 1, 3).count(4), 12);
        let shared = shared(1, 1, 3);
        for (rows, columns) in [(112, 192), (28, 512), (14, 1024), (15, 131)] {
            let (height, width) =
                tile(Demand { shared: Some(shared), most: i64::MAX, ..demand(rows, columns) });
            let vectors = width / 16;
            assert!(height * vectors + shared.count(height) + vectors < 32, "{height} by {width}");
            assert!(height * vectors > 8, "{height} by {width}");
        }
    }

    /// Of 16 registers, few are left for sums next to what rows share
    #[test]
    fn few_registers_have_no_room_for_windows() {
        let device = Device::find("x86-64-v3").expect("built in");
        let shared = Some(Shared { apart: 1, step: 1, taps: 3 });
        let found = choices(&device, &Demand { shared, lanes: 8, ..demand(112, 192) });
        assert!(found.is_empty(), "{found:?}");
    }

    /// Twelve sums, two vectors and a broadcast in 16 registers
    #[test]
    fn registers_suffice() {
        for (name, most) in [("x86-64-v3", 15), ("openmp", 14)] {
            let device = Device::find(name).expect("built in");
            for rows in [1, 2, 7, 100] {
                let tile = choices(&device, &demand(rows, 1000)).into_iter().next().expect("there are lanes");
                assert!(tile.rows * tile.vectors + tile.vectors < most, "{name} {rows}: {tile:?}");
            }
        }
    }
}
