//! Mappings as text.

use crate::codes;
use crate::levels::{MapLevel, Mapping};
use crate::problem::Problem;

/// `A=31,B=global.x`, for all maps of a problem; a map that is not named is sequential
pub fn parse_mapping(problem: &Problem, items: &[String]) -> Result<Mapping, String> {
    let mut values: Mapping = problem.decided.iter().map(|value| value.unwrap_or(MapLevel::SEQ)).collect();
    for item in items {
        let (name, word) = item.split_once('=').ok_or_else(|| format!("`{item}` is no `MAP=LEVEL`"))?;
        let (name, word) = (name.trim(), word.trim());
        let Some(n) = problem.tree.find(name) else {
            let names: Vec<&str> = problem.tree.loops.iter().map(|each| each.name.as_str()).collect();
            return Err(format!("there is no map `{name}`; there are {}", names.join(", ")));
        };
        values[n] = codes::parse(word).ok_or_else(|| {
            format!("`{word}` is no level: a word as `thread.x`, a number of 0, 1, 10 … 12, 20 … 22, 30 … 32, or S, V, L0, W0, G0")
        })?;
    }
    Ok(values)
}
