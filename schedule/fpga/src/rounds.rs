//! A computation in rounds: how much each reads, computes and writes.

use crate::misfit::Misfit;
use crate::tiled::{Array, Extent, Tiled};

/// What a round holds of a buffer
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Its bytes
    pub bytes: i64,
    /// Has each lane an element of its own?
    pub lanes: bool,
}

/// What one round does, and how many there are
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// How many
    pub count: i64,
    /// Of these, along the dimension that pipelines share
    pub along: i64,
    /// What is read, of each buffer
    pub reads: Vec<Tile>,
    /// What is written
    pub writes: Tile,
    /// Products with their additions
    pub macs: i64,
    /// Sums that do not depend on each other, and can be in a pipeline at once
    pub sums: i64,
}

/// A convolution of images, its border included in the extents of the input
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution {
    /// Images
    pub batch: i64,
    /// Channels of the input
    pub channels: i64,
    /// Rows of the input
    pub height: i64,
    /// Its columns
    pub width: i64,
    /// Channels of the result
    pub filters: i64,
    /// Rows and columns of the window
    pub window: i64,
    /// Places from window to window
    pub stride: i64,
    /// Bytes of an element
    pub bytes: i64,
}

impl Convolution {
    /// Is every number from 1 to 2^24?
    fn check(&self) -> Result<(), Misfit> {
        let all = [
            self.batch,
            self.channels,
            self.height,
            self.width,
            self.filters,
            self.window,
            self.stride,
            self.bytes,
        ];
        match all.into_iter().find(|number| !(1..=1 << 24).contains(number)) {
            Some(wrong) => Err(Misfit::Extent(wrong)),
            None => Ok(()),
        }
    }

    /// Rows and columns of the result that so much of the input gives; none if a number is out of bounds
    fn results(&self, extent: i64) -> i64 {
        if extent < self.window || self.check().is_err() {
            0
        } else {
            (extent - self.window) / self.stride + 1
        }
    }

    /// Extents of the result
    pub fn extents(&self) -> [i64; 2] {
        [self.results(self.height), self.results(self.width)]
    }

    /// The computation over its dimensions: image, filter, row, column; channel, row and column of the window
    pub fn tiled(&self) -> Tiled {
        let [rows, columns] = self.extents();
        let sizes = [
            ("image", self.batch, false),
            ("filter", self.filters, false),
            ("rows", rows, false),
            ("columns", columns, false),
            ("channel", self.channels, true),
            ("window.rows", self.window, true),
            ("window.columns", self.window, true),
        ];
        let extents = sizes.map(|(name, size, reduced)| Extent { name: name.into(), size, reduced });
        let of = |subscripts: &[&[(usize, i64)]]| Array {
            subscripts: subscripts.iter().map(|terms| terms.to_vec()).collect(),
            bytes: self.bytes,
        };
        let image = of(&[&[(0, 1)], &[(4, 1)], &[(2, self.stride), (5, 1)], &[(3, self.stride), (6, 1)]]);
        let filter = of(&[&[(1, 1)], &[(4, 1)], &[(5, 1)], &[(6, 1)]]);
        let result = of(&[&[(0, 1)], &[(1, 1)], &[(2, 1)], &[(3, 1)]]);
        Tiled { extents: extents.into(), reads: vec![image, filter], writes: result }
    }

    /// Rows or columns of the input that so many of the result take
    pub fn needs(&self, results: i64) -> i64 {
        results.saturating_sub(1).saturating_mul(self.stride).saturating_add(self.window)
    }

    /// Rounds of one filter on so many rows and columns of the input (the primitive `buffer`), all channels of them
    pub fn rounds(&self, rows: i64, columns: i64) -> Result<Rounds, Misfit> {
        self.check()?;
        let fits = |held: i64, whole: i64| (self.window..=whole).contains(&held);
        if !fits(rows, self.height) || !fits(columns, self.width) {
            return Err(Misfit::Buffer {
                rows,
                columns,
                window: self.window,
                height: self.height,
                width: self.width,
            });
        }
        let [height, width] = self.extents();
        let (own_rows, own_columns) = (self.results(rows), self.results(columns));
        let tiles = ((height + own_rows - 1) / own_rows) * ((width + own_columns - 1) / own_columns);
        let weights = self.channels.checked_mul(self.window * self.window);
        let product = |factors: &[i64]| factors.iter().try_fold(1i64, |all, factor| all.checked_mul(*factor));
        let sums = own_rows * own_columns;
        let found = || {
            let weights = weights?;
            Some(Rounds {
                count: product(&[self.batch, tiles, self.filters])?,
                along: self.filters,
                reads: vec![
                    Tile { bytes: product(&[self.channels, rows, columns, self.bytes])?, lanes: true },
                    Tile { bytes: product(&[weights, self.bytes])?, lanes: true },
                ],
                writes: Tile { bytes: product(&[sums, self.bytes])?, lanes: false },
                macs: product(&[sums, weights])?,
                sums,
            })
        };
        found().ok_or(Misfit::TooLarge)
    }
}
