//! Mappings as text.

use crate::codes;
use crate::levels::{MapLevel, Mapping};
use crate::problem::Problem;
use std::fmt;

/// Why text is no mapping of a problem
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMapping {
    /// An item without `=`
    Item(String),
    /// A name of no map
    Map {
        /// The name
        name: String,
        /// Those of the maps
        known: Vec<String>,
    },
    /// A word for no level
    Level(String),
}

impl fmt::Display for NoMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMapping::Item(item) => write!(f, "`{item}` is no `MAP=LEVEL`"),
            NoMapping::Map { name, known } => {
                write!(f, "there is no map `{name}`; there are {}", known.join(", "))
            }
            NoMapping::Level(word) => write!(
                f,
                "`{word}` is no level: a word as `thread.x`, a number of 0, 1, 10 … 12, 20 … 22, 30 … 32, or S, V, L0, W0, G0"
            ),
        }
    }
}

impl std::error::Error for NoMapping {}

/// `A=31,B=global.x`, for all maps of a problem; a map that is not named is sequential
pub fn parse_mapping(problem: &Problem, items: &[String]) -> Result<Mapping, NoMapping> {
    let mut values: Mapping = problem.decided.iter().map(|value| value.unwrap_or(MapLevel::SEQ)).collect();
    for item in items {
        let (name, word) = item.split_once('=').ok_or_else(|| NoMapping::Item(item.clone()))?;
        let (name, word) = (name.trim(), word.trim());
        let Some(n) = problem.tree.find(name) else {
            let known = problem.tree.loops.iter().map(|each| each.name.clone()).collect();
            return Err(NoMapping::Map { name: name.into(), known });
        };
        values[n] = codes::parse(word).ok_or_else(|| NoMapping::Level(word.into()))?;
    }
    Ok(values)
}
