//! How threads divide what register tiles compute: an outer dimension, whole tiles of columns, and of rows.

use crate::loops::ceil;

/// What threads may divide, in whole tiles, with the time that one takes for a step of the reduction
pub(crate) struct Work {
    pub(crate) outer: i64,
    pub(crate) columns: i64,
    pub(crate) rows: i64,
    /// Thousandths of cycles of a tile
    pub(crate) step: i64,
    /// Thousandths of cycles of the elements that a column of tiles copies
    pub(crate) panel: i64,
    /// Thousandths of cycles that a tile waits at the end of a part of the columns, for lines that it shares with the next part
    pub(crate) shared: i64,
    /// Tiles of columns behind which lines are not shared, if there are such
    pub(crate) apart: Option<i64>,
    /// Thousandths of cycles that a step of a tile takes longer where parts of the columns are short runs of memory
    pub(crate) far: i64,
    /// Tiles of such a run
    pub(crate) run: i64,
    /// Are panels others for each outer coordinate?
    pub(crate) moves: bool,
}

/// Number of parts
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    pub(crate) outer: i64,
    pub(crate) columns: i64,
    pub(crate) rows: i64,
}

/// Cycles as a number that sums keep whole
pub(crate) fn thousandths(cycles: f64) -> i64 {
    (cycles * 1000.0).round() as i64
}

impl Work {
    /// Parts for the threads: least time of the slowest
    pub(crate) fn split(&self, threads: i64) -> Parts {
        let divisors = |n: i64| (1..=n).rev().filter(move |parts| n % parts == 0);
        let mut best: Option<(i64, Parts)> = None;
        for columns in divisors(threads) {
            for outer in divisors(threads / columns) {
                let parts = Parts { outer, columns, rows: threads / columns / outer };
                let (far, wide) = (ceil(self.outer, parts.outer), ceil(self.columns, parts.columns));
                let tiles = far.saturating_mul(wide).saturating_mul(ceil(self.rows, parts.rows));
                let copies = wide.saturating_mul(if self.moves { far } else { 1 });
                let shares = columns > 1 && self.apart.is_none_or(|apart| wide % apart != 0);
                let ends = if shares { tiles / wide.max(1) } else { 0 };
                let time = tiles.saturating_mul(self.step).saturating_add(copies.saturating_mul(self.panel));
                let time = time.saturating_add(ends.saturating_mul(self.shared));
                let short = if columns > 1 { tiles / wide.max(1) * wide.min(self.run) } else { 0 };
                let time = time.saturating_add(short.saturating_mul(self.far));
                if best.is_none_or(|(least, _)| time < least) {
                    best = Some((time, parts));
                }
            }
        }
        best.map_or(Parts { outer: 1, columns: 1, rows: 1 }, |(_, parts)| parts)
    }
}
