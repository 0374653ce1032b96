//! What the lanes of a warp access together, by their addresses.

use super::occupancy::WARP;

/// Banks of shared memory, of four bytes each
const BANKS: usize = 32;

/// Bytes of a bank's word
const WORD: i64 = 4;

/// Bytes of a sector of device memory
pub const SECTOR: i64 = 32;

/// Bytes of a line of device memory
pub const LINE: i64 = 128;

/// Addresses in bytes, one per lane; none of a lane that does not access
pub type Lanes = [Option<i64>; WARP as usize];

/// Passes of one request through shared memory
///
/// Lanes with 8 or 16 bytes each go in two or four groups. A group takes as many passes as its fullest bank has distinct words;
/// a word that several lanes load counts once.
pub fn wavefronts(lanes: &Lanes, bytes: i64) -> i64 {
    let groups = ((bytes / WORD).max(1) as usize).min(lanes.len());
    lanes.chunks(lanes.len() / groups).map(|group| passes(group, bytes)).sum()
}

fn passes(group: &[Option<i64>], bytes: i64) -> i64 {
    let mut words: Vec<i64> = Vec::new();
    for first in group.iter().flatten() {
        let last = (first + bytes - 1).div_euclid(WORD);
        words.extend(first.div_euclid(WORD)..=last);
    }
    words.sort_unstable();
    words.dedup();
    let mut banks = [0i64; BANKS];
    words.iter().for_each(|word| banks[word.rem_euclid(BANKS as i64) as usize] += 1);
    banks.into_iter().max().unwrap_or(0)
}

/// Distinct sectors of one request to device memory
pub fn sectors(lanes: &Lanes, bytes: i64) -> i64 {
    distinct(lanes, bytes, SECTOR)
}

/// Distinct lines of one request to device memory
pub fn lines(lanes: &Lanes, bytes: i64) -> i64 {
    distinct(lanes, bytes, LINE)
}

fn distinct(lanes: &Lanes, bytes: i64, unit: i64) -> i64 {
    let spans = lanes
        .iter()
        .flatten()
        .flat_map(|first| first.div_euclid(unit)..=(first + bytes - 1).div_euclid(unit));
    let mut all: Vec<i64> = spans.collect();
    all.sort_unstable();
    all.dedup();
    all.len() as i64
}
