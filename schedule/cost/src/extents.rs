//! Bytes that accesses touch while loops run.

use crate::unrolled::{Transfer, Unrolled};
use terrace_analysis::{Range, range_of};
use terrace_schedule_model::nest::{Index, LoopId};

impl Unrolled<'_> {
    /// Bytes, in whole lines, that accesses of one buffer touch while all of these loops run, and copies of the body; the same while
    /// the second and later ones do, and so on; last of one iteration of all
    pub fn footprints(&self, group: &[&Transfer], run: &[LoopId]) -> Vec<f64> {
        let mut all = vec![0.0; run.len() + 1];
        let mut known: Option<f64> = None;
        for n in (0..=run.len()).rev() {
            // A loop that nothing here moves with changes nothing.
            let moves = run.get(n).is_none_or(|id| group.iter().any(|each| self.follows(each, *id)));
            if moves || known.is_none() {
                known = self.touched(group, &run[n..]);
            }
            all[n] = known.unwrap_or_else(|| {
                let trips = |each: &&Transfer| self.trips(&run[n..]) * self.trips(&each.place.flat);
                group.iter().map(trips).fold(0.0, f64::max) * self.costs().caches.line
            });
        }
        all
    }

    /// Bytes while these loops run; none where it is not known which places accesses find
    pub fn touched(&self, group: &[&Transfer], inner: &[LoopId]) -> Option<f64> {
        let line = self.costs().caches.line;
        let first = group.first()?;
        let nest = self.nest();
        let shape = &nest.buffer_of(self.node(first)).shape;
        let all = group.iter().map(|each| self.extents(each, inner)).reduce(|mut all, one| {
            all.iter_mut().zip(one).for_each(|(all, one)| all.join(one));
            all
        });
        let all = all.unwrap_or_default();
        let Some((last, others)) = all.split_last() else { return Some(line) };
        let most = |n: usize| shape.get(n).map_or(f64::INFINITY, |size| (*size).max(1) as f64);
        let rows: f64 = others.iter().enumerate().map(|(n, own)| own.count().min(most(n))).product();
        // Elements further apart than a line have one each; whole rows follow each other.
        let (width, row) = (last.count(), most(others.len()));
        let lines = |elements: f64| (elements * first.bytes / line).ceil();
        let bytes = match width >= row && last.runs == 1.0 {
            true => lines(rows * row) * line,
            false => rows * width.min(lines(last.span().min(row))).min(last.runs * lines(last.run)) * line,
        };
        bytes.is_finite().then_some(bytes)
    }

    /// Lines that an access finds while these of its loops run, and how they lie: runs of neighbors, so far apart
    pub fn lines(&self, each: &Transfer, inner: &[LoopId]) -> Option<Lines> {
        if !self.node(each).domain.is_empty() {
            return None;
        }
        let line = self.costs().caches.line as i64;
        let bytes = each.bytes as i64;
        let mut lines = Lines { apart: 0, rows: 1.0, run: each.bytes };
        let loops: Vec<LoopId> = inner.iter().chain(&each.place.flat).copied().collect();
        for id in loops {
            let stride = self.offset(each, id)?.checked_mul(bytes)?.abs();
            match stride {
                0 => {}
                _ if stride < line => lines.run += stride as f64 * (self.trips(&[id]) - 1.0),
                _ => {
                    lines.apart = gcd(lines.apart, stride);
                    lines.rows *= self.trips(&[id]);
                }
            }
        }
        lines.run = (lines.run / line as f64).ceil();
        Some(lines)
    }

    /// Elements of the last dimension between iterations of each of these loops, and its iterations; where there are no quotients
    fn strides(&self, each: &Transfer, loops: &[LoopId]) -> Option<Vec<(f64, f64)>> {
        let access = self.node(each);
        let last = access.map.results.last().filter(|_| access.domain.is_empty())?.as_linear()?;
        let one = |id: &LoopId| {
            let by = last.dim(access.dim_of(*id)?).checked_mul(self.nest().run(*id).tile)?;
            Some(((by as f64).abs(), self.trips(&[*id])))
        };
        Some(loops.iter().filter_map(one).filter(|(stride, _)| *stride > 0.0).collect())
    }

    /// Values of a loop's variable, on average where a bound cuts the last tile
    fn covered(&self, id: LoopId) -> Range {
        let tile = self.nest().run(id).tile.max(1);
        let last = (self.trips(&[id]).ceil() as i64 - 1).max(0).saturating_mul(tile);
        Range::stepped(0, last, tile).unwrap_or(Range::ALL)
    }

    /// Where an access is along each dimension of its buffer
    fn extents(&self, each: &Transfer, inner: &[LoopId]) -> Vec<Extent> {
        let access = self.node(each);
        let own = access.domain.iter().map(|size| Range::below((*size).max(1)).unwrap_or(Range::one(0)));
        let runs = |id: &LoopId| inner.contains(id) || each.place.flat.contains(id);
        let of_index = |index: &Index| match index.as_loop().filter(runs) {
            Some(id) => self.covered(id),
            None => Range::one(0),
        };
        let ranges: Vec<Range> = own.chain(access.over.iter().map(of_index)).collect();
        let mut all: Vec<Extent> =
            access.map.results.iter().map(|expr| Extent::of(range_of(expr, &ranges))).collect();
        let line = self.costs().caches.line / each.bytes;
        let loops: Vec<LoopId> = inner.iter().chain(&each.place.flat).copied().collect();
        if let (Some(last), Some(strides)) = (all.last_mut(), self.strides(each, &loops)) {
            (last.run, last.runs) = merged(strides, line);
            last.line = line;
        }
        all
    }
}

/// Elements that loops at these strides find one after the other, and how many times
fn merged(mut strides: Vec<(f64, f64)>, line: f64) -> (f64, f64) {
    strides.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut run, mut runs) = (1.0, 1.0);
    for (stride, trip) in strides {
        match stride <= f64::max(run, line) {
            true => run += stride * (trip - 1.0),
            false => runs *= trip,
        }
    }
    (run, runs)
}

/// Runs of lines
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lines {
    /// What divides the bytes between any two of them
    apart: i64,
    rows: f64,
    /// Lines of one
    run: f64,
}

impl Lines {
    /// Do they clash in a cache of so many sets and ways?
    pub fn clash(&self, line: i64, sets: i64, ways: i64) -> bool {
        if self.apart == 0 || self.apart % line != 0 {
            return false;
        }
        let apart = gcd(self.apart / line, sets);
        let found = (sets / apart) as f64 * self.run.min(apart as f64);
        self.rows * self.run > found * ways as f64
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Places along a dimension: from the least to the greatest, and how many of them
#[derive(Clone, Copy, PartialEq, Debug)]
struct Extent {
    least: f64,
    greatest: f64,
    count: f64,
    /// Elements that follow each other, or are in one line
    run: f64,
    /// How many times
    runs: f64,
    /// Elements of a line
    line: f64,
}

impl Extent {
    fn of(range: Option<Range>) -> Extent {
        let Some(range) = range else {
            let all = f64::INFINITY;
            return Extent { least: 0.0, greatest: all, count: all, run: all, runs: 1.0, line: 1.0 };
        };
        let (least, greatest) = (range.min() as f64, range.max() as f64);
        let count = range.count() as f64;
        Extent { least, greatest, count, run: greatest - least + 1.0, runs: 1.0, line: 1.0 }
    }

    fn span(&self) -> f64 {
        self.greatest - self.least + 1.0
    }

    fn count(&self) -> f64 {
        self.count.min(self.span())
    }

    /// Both; what is at the same places is there once
    fn join(&mut self, other: Extent) {
        if (self.least, self.greatest) != (other.least, other.greatest) {
            self.count += other.count;
            let apart = (self.least - other.least).abs();
            match apart <= self.run.max(other.run).max(self.line) {
                true => self.run = self.run.max(other.run) + apart,
                false => self.runs += other.runs,
            }
        }
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }
}
