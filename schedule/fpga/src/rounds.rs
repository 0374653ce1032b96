//! A computation in rounds: how much each reads, computes and writes.

use crate::misfit::Misfit;

/// What one round does, and how many there are
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// How many
    pub count: i64,
    /// Bytes that are read, of each buffer
    pub reads: [i64; 2],
    /// Bytes that are written
    pub writes: i64,
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
                reads: [
                    product(&[self.channels, rows, columns, self.bytes])?,
                    product(&[weights, self.bytes])?,
                ],
                writes: product(&[sums, self.bytes])?,
                macs: product(&[sums, weights])?,
                sums,
            })
        };
        found().ok_or(Misfit::TooLarge)
    }
}
