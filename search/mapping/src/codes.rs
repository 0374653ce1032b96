//! Table 2 of the paper: levels as numbers (0 sequential, 1 fused, 10 + d thread, 20 + d block, 30 + d global).
//!
//! They are the values that the solver chooses from, so that solutions have the paper's order and printed spaces its
//! arithmetic. Elsewhere a map has a [`MapLevel`]. Copies and lanes are a thread's own: their numbers are below 10, so that
//! the paper's rules take them for sequential. Other levels are from 40.

use crate::levels::{MapLevel, MapLevels, Mapping};
use std::cmp::Ordering;
use terrace_devices::{Axis, Level};
use terrace_search_solver::{Cmp, Formula, Term, Var};

/// The number of the paper's table
pub fn number(value: MapLevel) -> i64 {
    let MapLevel::At(level) = value else { return 1 };
    let axis = level.axis().map_or(0, |axis| axis.number() as i64);
    axis + match level {
        Level::Seq => 0,
        Level::Unroll => 2,
        Level::Vector => 3,
        Level::Thread(_) => 10,
        Level::Block(_) => 20,
        Level::Global(_) => 30,
        Level::Mma => 42,
        Level::Pe => 43,
        Level::Task => 50,
        Level::Lane(_) => 60,
        Level::Warp(_) => 70,
        Level::Cluster(_) => 80,
        Level::Device(_) => 90,
    }
}

/// In the order of Table 2, in which mappings are numbered
impl Ord for MapLevel {
    fn cmp(&self, other: &MapLevel) -> Ordering {
        number(*self).cmp(&number(*other))
    }
}

impl PartialOrd for MapLevel {
    fn partial_cmp(&self, other: &MapLevel) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What has the number
pub fn read(number: i64) -> Option<MapLevel> {
    let axis = |along: fn(Axis) -> Level| {
        Axis::ALL.get(usize::try_from(number % 10).ok()?).map(|axis| MapLevel::At(along(*axis)))
    };
    Some(match number {
        0 => MapLevel::SEQ,
        1 => MapLevel::Fused,
        2 => MapLevel::At(Level::Unroll),
        3 => MapLevel::At(Level::Vector),
        42 => MapLevel::At(Level::Mma),
        43 => MapLevel::At(Level::Pe),
        50 => MapLevel::At(Level::Task),
        10..20 => axis(Level::Thread)?,
        20..30 => axis(Level::Block)?,
        30..40 => axis(Level::Global)?,
        60..70 => axis(Level::Lane)?,
        70..80 => axis(Level::Warp)?,
        80..90 => axis(Level::Cluster)?,
        90..100 => axis(Level::Device)?,
        _ => return None,
    })
}

/// A word, a number of Table 2, or the paper's short form: `thread.x`, `fused`, `10`, `L0`, `W1`, `G2`, `S`
pub fn parse(text: &str) -> Option<MapLevel> {
    match text {
        "fused" | "F" => return Some(MapLevel::Fused),
        "S" => return Some(MapLevel::SEQ),
        "V" => return Some(MapLevel::At(Level::Vector)),
        _ => {}
    }
    if let Ok(level) = text.parse::<Level>() {
        return Some(MapLevel::At(level));
    }
    if let Ok(number) = text.parse::<i64>() {
        return read(number);
    }
    let short: [(&str, fn(Axis) -> Level); 3] =
        [("L", Level::Thread), ("W", Level::Block), ("G", Level::Global)];
    let (along, axis) = short
        .iter()
        .find_map(|(letter, along)| Some((along, text.strip_prefix(letter)?.parse::<usize>().ok()?)))?;
    Axis::ALL.get(axis).map(|axis| MapLevel::At(along(*axis)))
}

/// The solver's values
pub fn numbers(values: &[MapLevel]) -> Vec<i64> {
    values.iter().map(|value| number(*value)).collect()
}

/// A value that the solver has chosen
pub(crate) fn chosen(number: i64) -> MapLevel {
    read(number).expect("the solver chooses from numbers of levels")
}

/// A solution of the solver
pub(crate) fn solution(numbers: &[i64]) -> Mapping {
    numbers.iter().map(|number| chosen(*number)).collect()
}

/// A map is one of these
pub fn is_in(n: usize, values: impl Into<MapLevels>) -> Formula {
    any(&[n], values)
}

/// One of some maps is one of these
pub fn any(maps: &[usize], values: impl Into<MapLevels>) -> Formula {
    Formula::any(maps.iter().map(|n| Var(*n as u32)), values.into().iter().map(number))
}

/// Of some values of a map those that a statement about it does not refuse
pub fn allowed(formula: &Formula, values: MapLevels) -> MapLevels {
    values.filter(|value| formula.eval(&|_| Some(number(value))) != Some(false))
}

/// The class of a map's level: its number without the dimension
fn class(n: usize) -> Term {
    Term::from(Var(n as u32)).div(10)
}

/// A map's level is of a class before that of this one
pub fn is_before(n: usize, level: Level) -> Formula {
    Formula::cmp(Cmp::Lt, class(n), number(level.into()) / 10)
}

/// A map's level is of the class of this one
pub fn is_like(n: usize, level: Level) -> Formula {
    Formula::cmp(Cmp::Eq, class(n), number(level.into()) / 10)
}

/// Two maps are not the same
pub fn differ(a: usize, b: usize) -> Formula {
    Formula::cmp(Cmp::Ne, Var(a as u32), Var(b as u32))
}

/// The levels of two maps have the same dimension
pub fn same_dim(a: usize, b: usize) -> Formula {
    let dim = |n: usize| Term::from(Var(n as u32)).rem(10);
    Formula::cmp(Cmp::Eq, dim(a), dim(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_table_2() {
        let table =
            [(0, "seq"), (1, "fused"), (10, "thread.x"), (12, "thread.z"), (21, "block.y"), (32, "global.z")];
        for (own, text) in table {
            let value = parse(text).expect("a word");
            assert_eq!((number(value), value.to_string().as_str()), (own, text));
            assert_eq!(parse(&own.to_string()), Some(value));
        }
        let short = ["L0", "W1", "G2", "S", "F", "V"].map(|text| parse(text).map(number));
        assert_eq!(short, [10, 21, 32, 0, 1, 3].map(Some));
        assert_eq!([parse("L3"), parse("13"), parse("fast"), parse("-1"), parse("100")], [None; 5]);
    }

    #[test]
    fn every_level_has_a_number_of_its_own() {
        let all = MapLevels { levels: terrace_devices::Levels::ALL, fused: true };
        for value in all.iter() {
            assert_eq!(read(number(value)), Some(value));
        }
    }
}
