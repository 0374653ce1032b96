//! Reading the blocks of a device's file that say what things cost.
//!
//! A block is whole or not there at all: one that stands has all of its keys, so that measured numbers are never mixed with
//! guesses unnoticed.

use crate::costs::{
    Caches, Code, Costs, Grid, GridLatency, Instructions, Key, MatrixTiles, Occupancy, RegisterTiles, Source,
    Threads,
};
use crate::keys::{Keys, Read, mistake};
use crate::{DeviceKind, Memory};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// All blocks of a device, of a file that has those of its kind only
pub(crate) fn costs(keys: &Keys<'_, '_>, kind: DeviceKind, memories: &[Memory]) -> Read<Costs> {
    let (own, other) = match kind {
        DeviceKind::Host => (Costs::HOST, Costs::GRID),
        DeviceKind::Grid => (Costs::GRID, Costs::HOST),
    };
    if let Some((name, at)) = other.iter().find_map(|name| Some((name, keys.place(name)?))) {
        let (what, blocks) = (if kind == DeviceKind::Host { "host" } else { "grid" }, own.join(", "));
        return mistake(at, format!("a {what} has no `{name}`; it has {blocks}"));
    }
    let costs = Costs {
        instructions: match Block::of(keys, Instructions::NAME, Instructions::KEYS)? {
            Some(block) => Instructions::read(block.source()?, |key| block.number(key))?,
            None => Instructions::default(),
        },
        caches: match Block::of(keys, Caches::NAME, Caches::KEYS)? {
            Some(block) => caches(&block)?,
            None => Caches::default(),
        },
        tiles: match Block::of(keys, RegisterTiles::NAME, RegisterTiles::KEYS)? {
            Some(block) => RegisterTiles::read(block.source()?, |key| block.number(key))?,
            None => RegisterTiles::default(),
        },
        matrix: match Block::of(keys, MatrixTiles::NAME, MatrixTiles::KEYS)? {
            Some(block) => MatrixTiles::read(block.source()?, |key| block.number(key))?,
            None => MatrixTiles::default(),
        },
        code: match Block::of(keys, Code::NAME, Code::KEYS)? {
            Some(block) => Code::read(block.source()?, |key| block.number(key))?,
            None => Code::default(),
        },
        threads: match Block::of(keys, Threads::NAME, Threads::KEYS)? {
            Some(block) => Threads::read(block.source()?, |key| block.number(key))?,
            None => Threads::default(),
        },
        occupancy: match Block::of(keys, Occupancy::NAME, Occupancy::KEYS)? {
            Some(block) => Occupancy::read(block.source()?, |key| block.number(key))?,
            None => Occupancy::default(),
        },
        grid: match Block::of(keys, Grid::NAME, Grid::KEYS)? {
            Some(block) => Grid::read(block.source()?, |key| block.number(key))?,
            None => Grid::default(),
        },
        latency: match Block::of(keys, GridLatency::NAME, GridLatency::KEYS)? {
            Some(block) => GridLatency::read(block.source()?, |key| block.number(key))?,
            None => GridLatency::default(),
        },
    };
    if let (Some(at), Some(first)) = (keys.place("caches"), memories.first())
        && costs.caches.line > first.bytes as f64
    {
        return mistake(
            at,
            format!(
                "`line.bytes` = {} is more than `bytes` = {} of `{}` in `memory`",
                costs.caches.line, first.bytes, first.region
            ),
        );
    }
    Ok(costs)
}

fn caches(block: &Block<'_, '_>) -> Read<Caches> {
    let all = Caches::read(block.source()?, |key| block.number(key))?;
    if all.line.fract() != 0.0 || !(all.line as u64).is_power_of_two() {
        return mistake(
            block.place("line.bytes"),
            format!("`caches.line.bytes` = {} is no power of two", all.line),
        );
    }
    // Nearer memory is faster, and all cores get at least what one gets.
    let rates = [
        ("from_memory.bytes_per_cycle", all.from_memory, "from_L3.bytes_per_cycle", all.from_l3),
        ("from_L3.bytes_per_cycle", all.from_l3, "from_L2.bytes_per_cycle", all.from_l2),
        (
            "from_memory.bytes_per_cycle",
            all.from_memory,
            "from_memory_all_cores.bytes_per_cycle",
            all.from_memory_all,
        ),
    ];
    match rates.into_iter().find(|(_, less, _, more)| less > more) {
        Some((slow, less, fast, more)) => {
            mistake(block.place(slow), format!("`{slow}` = {less} is more than `{fast}` = {more}"))
        }
        None => Ok(all),
    }
}

/// A block that stands in the file
struct Block<'a, 'i> {
    name: &'static str,
    table: &'a DeTable<'i>,
    at: Range<usize>,
}

impl<'a, 'i> Block<'a, 'i> {
    fn of(keys: &Keys<'a, 'i>, name: &'static str, known: &[Key]) -> Read<Option<Block<'a, 'i>>> {
        let Some(value) = keys.get(name) else { return Ok(None) };
        let at = keys.place(name).unwrap_or_else(|| value.span());
        let Some(table) = value.get_ref().as_table() else {
            return mistake(value.span(), format!("`{name}` is a table: [{name}]"));
        };
        for (key, value) in table {
            let of = |inner: &str| format!("{}.{inner}", key.get_ref());
            let found = |word: &str| known.iter().any(|key| key.word == word);
            let wrong = match value.get_ref().as_table() {
                _ if *key.get_ref() == "source" => None,
                Some(inner) => {
                    inner.keys().find(|unit| !found(&of(unit.get_ref()))).map(|unit| of(unit.get_ref()))
                }
                None => Some(key.get_ref().to_string()),
            };
            if let Some(wrong) = wrong {
                let all: Vec<&str> =
                    std::iter::once("source").chain(known.iter().map(|key| key.word)).collect();
                return mistake(
                    key.span(),
                    format!("`{wrong}` is not known in `{name}`; there are {}", all.join(", ")),
                );
            }
        }
        Ok(Some(Block { name, table, at }))
    }

    fn source(&self) -> Read<Source> {
        source(self.name, self.at.clone(), self.table.get("source"))
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
        let (name, unit) = key.split_once('.')?;
        self.table.get(name)?.get_ref().as_table()?.get(unit)
    }

    fn place(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(self.at.clone(), Spanned::span)
    }

    fn number(&self, key: &Key) -> Read<f64> {
        let (block, Key { word, least, most }) = (self.name, key);
        let Some(value) = self.get(word) else {
            return mistake(
                self.at.clone(),
                format!("`{block}.{word}` is missing: a number from {least} to {most}"),
            );
        };
        let number = match value.get_ref() {
            DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
            DeValue::Float(n) => n.as_str().parse().ok(),
            _ => None,
        };
        match number.filter(|n| (*least..=*most).contains(n)) {
            Some(number) => Ok(number),
            None => mistake(value.span(), format!("`{block}.{word}` is no number from {least} to {most}")),
        }
    }
}

/// Where the numbers of a block come from
pub(crate) fn source(name: &str, at: Range<usize>, value: Option<&Spanned<DeValue<'_>>>) -> Read<Source> {
    let words = "\"assumed\", \"vendor\" or \"calibrated 2026-11-30\"";
    let Some(value) = value else {
        return mistake(at, format!("`source` of `{name}` is missing: {words}"));
    };
    match value.get_ref().as_str() {
        Some("assumed") => Ok(Source::Assumed),
        Some("vendor") => Ok(Source::Vendor),
        Some(text) if text.strip_prefix("calibrated ").is_some_and(is_date) => {
            Ok(Source::Calibrated(text["calibrated ".len()..].to_owned()))
        }
        _ => mistake(value.span(), format!("`source` of `{name}` is {words}")),
    }
}

/// A day, as 2026-11-30
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &&str, digits: usize, most: u32| {
        part.len() == digits && part.parse().is_ok_and(|n: u32| (1..=most).contains(&n))
    };
    matches!(&parts[..], [year, month, day] if number(year, 4, 9999) && number(month, 2, 12) && number(day, 2, 31))
}
