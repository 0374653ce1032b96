//! Register tiles: rows times vectors, by the loads that each multiply-add costs and the area that tiles overshoot.

use terrace_devices::Device;

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

/// Most vectors of a row
const VECTORS: i64 = 4;

/// The tile for so many rows and columns; `most` rows where more would fall into one set of a cache
pub fn choose(device: &Device, rows: i64, columns: i64, bytes: i64, most: i64) -> Option<Tile> {
    let mut lanes = device.vector_bytes / bytes.max(1);
    while lanes > columns && lanes > 1 {
        lanes /= 2;
    }
    if lanes < 2 {
        return None;
    }
    let whole = |size: i64, tile: i64| (size as f64 / tile as f64).ceil() * tile as f64 / size as f64;
    let mut best: Option<(f64, Tile)> = None;
    for vectors in 1..=VECTORS {
        for height in 1..=rows.min(most) {
            // Accumulators, a row's vectors, a broadcast; one register less than there are.
            if height * vectors + vectors + 1 > device.registers - 1 || vectors * lanes >= columns + lanes {
                continue;
            }
            let tile = Tile { rows: height, vectors, lanes };
            let loads = (height + vectors) as f64 / (height * vectors) as f64;
            let mut cost = loads * whole(rows, height) * whole(columns, tile.width());
            if rows % height == 0 && columns % tile.width() == 0 {
                cost *= 0.95;
            }
            if best.is_none_or(|(least, _)| cost < least - 1e-9) {
                best = Some((cost, tile));
            }
        }
    }
    best.map(|(_, tile)| tile)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(rows: i64, columns: i64) -> (i64, i64) {
        let device = Device::find("x86-64-v4").expect("built in");
        let tile = choose(&device, rows, columns, 4, 11).expect("there are lanes");
        (tile.rows, tile.width())
    }

    /// Measured winners of throw-away experiments
    #[test]
    fn tiles_that_were_measured_best_are_chosen() {
        assert_eq!(tile(1024, 1024), (6, 64));
        assert_eq!(tile(4096, 4096), (6, 64));
        assert_eq!(tile(32, 32), (8, 32));
    }

    #[test]
    fn registers_suffice() {
        for name in ["x86-64-v3", "openmp"] {
            let device = Device::find(name).expect("built in");
            for rows in [1, 2, 7, 100] {
                let tile = choose(&device, rows, 1000, 4, 11).expect("there are lanes");
                assert!(tile.rows * tile.vectors + tile.vectors + 1 < device.registers);
            }
        }
    }
}
