//! Levels as numbers: Table 2 of the paper (0 sequential, 1 fused, 10 + d thread, 20 + d block, 30 + d global).
//!
//! Copies and lanes are a thread's own: their numbers are below 10, so that the paper's rules take them for sequential.
//! Other levels are from 40.

use terrace_devices::{Axis, Device, Level, Levels};

/// The loop is one with the loop around
pub const FUSED: i64 = 1;

/// Lanes of a register
pub const VECTOR: i64 = 3;

/// The number of a level
pub fn code(level: Level) -> i64 {
    let axis = level.axis().map_or(0, |axis| axis.number() as i64);
    axis + match level {
        Level::Seq => 0,
        Level::Thread(_) => 10,
        Level::Block(_) => 20,
        Level::Global(_) => 30,
        Level::Unroll => 2,
        Level::Vector => VECTOR,
        Level::Mma => 42,
        Level::Pe => 43,
        Level::Task => 50,
        Level::Lane(_) => 60,
        Level::Warp(_) => 70,
        Level::Cluster(_) => 80,
        Level::Device(_) => 90,
    }
}

/// The level of a number; none for `fused` and numbers without a meaning
pub fn level(number: i64) -> Option<Level> {
    let axis = |tens: i64| Axis::ALL.get(usize::try_from(number - tens).ok()?).copied();
    Some(match number {
        0 => Level::Seq,
        2 => Level::Unroll,
        VECTOR => Level::Vector,
        42 => Level::Mma,
        43 => Level::Pe,
        50 => Level::Task,
        10..=12 => Level::Thread(axis(10)?),
        20..=22 => Level::Block(axis(20)?),
        30..=32 => Level::Global(axis(30)?),
        60..=62 => Level::Lane(axis(60)?),
        70..=72 => Level::Warp(axis(70)?),
        80..=82 => Level::Cluster(axis(80)?),
        90..=92 => Level::Device(axis(90)?),
        _ => return None,
    })
}

/// Threads of a block, also by way of the whole grid
pub const SPREAD: Levels = Levels::THREAD.or(Levels::GLOBAL);

/// Blocks of a grid, also by way of the whole grid
pub const OVER_BLOCKS: Levels = Levels::BLOCK.or(Levels::GLOBAL);

/// Iterations run at the same time on several units; lanes are part of one
pub const IN_PARALLEL: Levels = Levels::SEQUENTIAL.or(Levels::VECTOR).not();

/// What the sizes of a kernel follow from
pub const OF_KERNEL: Levels = SPREAD.or(Levels::BLOCK);

/// Is it the number of one of these levels? `fused` is none
pub fn is_at(number: i64, levels: Levels) -> bool {
    level(number).is_some_and(|level| levels.contains(level))
}

/// The place of a level's axis: 0 for x
pub fn axis(number: i64) -> Option<usize> {
    level(number)?.axis().map(Axis::number)
}

/// The numbers of some levels
pub fn all_of(levels: Levels) -> Vec<i64> {
    let mut all: Vec<i64> = levels.iter().map(code).collect();
    all.sort_unstable();
    all
}

/// Those of the levels that are along an axis
pub fn along(levels: Levels, axis: usize) -> Levels {
    levels.iter().filter(|level| level.axis().map(Axis::number) == Some(axis)).collect()
}

/// The levels that maps of these values have; `fused` is no level of its own
pub fn levels_of(values: &[i64]) -> Levels {
    values.iter().map(|value| level(*value).unwrap_or(Level::Seq)).collect()
}

/// The levels of a device's maps, `fused` after `seq`
pub fn of(device: &Device) -> Vec<i64> {
    let mut all: Vec<i64> = device.levels.iter().map(code).collect();
    if device.fused {
        all.insert(1, FUSED);
    }
    all
}

/// The word of a number, as text writes it behind `:` in a map
pub fn word(number: i64) -> String {
    match level(number) {
        Some(level) => level.to_string(),
        None if number == FUSED => "fused".into(),
        None => number.to_string(),
    }
}

/// A word, a number of Table 2, or the paper's short form: `thread.x`, `fused`, `10`, `L0`, `W1`, `G2`, `S`
pub fn parse(text: &str) -> Option<i64> {
    if text == "fused" || text == "F" {
        return Some(FUSED);
    }
    if text == "S" {
        return Some(0);
    }
    if text == "V" {
        return Some(VECTOR);
    }
    if let Ok(level) = text.parse::<Level>() {
        return Some(code(level));
    }
    if let Ok(number) = text.parse::<i64>() {
        return (number == FUSED || level(number).is_some()).then_some(number);
    }
    let tens = [("L", 10), ("W", 20), ("G", 30)];
    let (_, tens, axis) = tens
        .iter()
        .find_map(|(letter, tens)| Some((letter, tens, text.strip_prefix(letter)?.parse::<i64>().ok()?)))?;
    (0..3).contains(&axis).then_some(tens + axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_table_2() {
        let table =
            [(0, "seq"), (1, "fused"), (10, "thread.x"), (12, "thread.z"), (21, "block.y"), (32, "global.z")];
        for (number, text) in table {
            assert_eq!(word(number), text);
            assert_eq!(parse(text), Some(number));
            assert_eq!(parse(&number.to_string()), Some(number));
        }
        assert_eq!(
            [parse("L0"), parse("W1"), parse("G2"), parse("S")],
            [Some(10), Some(21), Some(32), Some(0)]
        );
        assert_eq!([parse("L3"), parse("13"), parse("fast"), parse("-1")], [None; 4]);
    }

    #[test]
    fn every_level_has_a_number_of_its_own() {
        for level in Level::ALL {
            assert_eq!(self::level(code(level)), Some(level));
        }
    }
}
