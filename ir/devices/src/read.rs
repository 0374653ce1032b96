//! Reading a device's file: every mistake with its line, what stands there, and what could stand there.

use crate::keys::{Keys, Mistake, Read, int, mistake};
use crate::read_atomics::{self, ATOMICS};
use crate::{Costs, Device, DeviceError, DeviceKind, Level, Levels, MatrixUnit, Memory, Region, read_costs};
use toml::Spanned;
use toml::de::DeTable;

/// The word of maps that are one loop with the map around, which is no level
const FUSED: &str = "fused";

/// Most blocks of a grid along x, y, z where a file says nothing
pub(crate) const GRID_MAX: [i64; 3] = [i32::MAX as i64, 65_535, 65_535];

/// Words of levels, as maps have them: loops of a matrix unit are made from marked tiles only
fn level_words() -> Vec<String> {
    let mut words = Level::words();
    words.retain(|word| word.parse() != Ok(Level::Mma));
    words.insert(1, FUSED.into());
    words
}

/// Words of what can wait for each other
const BARRIERS: &[&str] = &["subgroup", "block", "cluster", "grid"];

/// From a file's text; the error shows the line
pub fn parse(name: &str, text: &str) -> Result<Device, DeviceError> {
    let table = DeTable::parse(text).map_err(|error| Mistake {
        at: error.span().unwrap_or(0..0),
        what: error.message().lines().next().unwrap_or("malformed").to_string(),
    });
    table.and_then(|table| device(name, &table)).map_err(|wrong| show(name, text, wrong))
}

/// The message, then the line with a caret below
fn show(name: &str, text: &str, wrong: Mistake) -> DeviceError {
    let at = wrong.at.start.min(text.len());
    let begin = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let line = text[..begin].matches('\n').count() + 1;
    let shown = text[begin..].lines().next().unwrap_or("");
    let column = text[begin..at].chars().count();
    let rest = shown.chars().count().saturating_sub(column);
    let wide = text.get(wrong.at.clone()).map_or(1, |part| part.lines().next().unwrap_or("").chars().count());
    let carets = "^".repeat(wide.clamp(1, rest.max(1)));
    let (gutter, blank) = (line.to_string(), " ".repeat(line.to_string().len()));
    let excerpt = format!(
        "{blank}--> {name}.toml:{line}:{}\n{blank} |\n{gutter} | {shown}\n{blank} | {}{carets}",
        column + 1,
        " ".repeat(column)
    );
    DeviceError::Malformed { what: wrong.what, excerpt }
}

fn device(name: &str, table: &Spanned<DeTable<'_>>) -> Read<Device> {
    let mut known = vec![
        "description",
        "kind",
        "units",
        "vector_bytes",
        "registers",
        "memory",
        "block_threads",
        "block_max",
        "grid_max",
        "warp",
        "levels",
        "barriers",
        "fences",
        "vector_widths",
        "partial_vectors",
        "matrix_units",
        "narrow_floats",
        "private_bytes",
        ATOMICS,
    ];
    known.extend(Costs::HOST.iter().chain(Costs::GRID));
    let keys = Keys::new(table.get_ref(), 0..0, &known)?;
    let kind = match keys.text("kind")? {
        Some(("host", _)) => DeviceKind::Host,
        Some(("grid", _)) => DeviceKind::Grid,
        Some((_, at)) => return mistake(at, "`kind` is \"host\" or \"grid\""),
        None => return mistake(0..0, "`kind` is \"host\" or \"grid\""),
    };
    keys.text("description")?;
    let memories = memories(&keys)?;
    let costs = read_costs::costs(&keys, kind, &memories)?;
    let (levels, fused) = levels(&keys, kind)?;
    let block_threads = keys.int("block_threads", Some(1), 1)?;
    let triple = |key: &str, default: [i64; 3]| {
        let all = keys.list(key)?;
        let Some(first) = all.first() else { return Ok(default) };
        let [x, y, z] = all[..] else {
            return mistake(first.span(), format!("`{key}` has three numbers: x, y, z"));
        };
        Ok([int(x, key, 1)?, int(y, key, 1)?, int(z, key, 1)?])
    };
    let block_max = triple("block_max", [block_threads; 3])?;
    if let (Some(at), true) = (keys.get("block_max"), block_max.iter().any(|most| *most > block_threads)) {
        return mistake(at.span(), format!("a block has {block_threads} threads at most: `block_threads`"));
    }
    let widths = |key: &str| -> Read<Vec<i64>> {
        keys.list(key)?.into_iter().map(|value| int(value, key, 2)).collect()
    };
    Ok(Device {
        name: name.into(),
        kind,
        units: keys.int("units", None, 1)?,
        vector_bytes: keys.int("vector_bytes", Some(0), 0)?,
        registers: keys.int("registers", None, 1)?,
        memories,
        block_threads,
        block_max,
        grid_max: triple("grid_max", GRID_MAX)?,
        warp: keys.int("warp", Some(1), 1)?,
        levels,
        fused,
        barriers: keys.words("barriers", BARRIERS)?,
        fences: keys.flag("fences")?,
        vector_widths: widths("vector_widths")?,
        partial_vectors: keys.flag("partial_vectors")?,
        matrix_units: matrix_units(&keys, kind)?,
        narrow_floats: keys.words("narrow_floats", &["f16", "bf16"])?,
        private_bytes: keys.int("private_bytes", Some(0), 0)?,
        atomics: read_atomics::atomics(&keys, kind)?,
        costs,
    })
}

/// Matrix units of a processor; those of grids are not instructions of one thread
fn matrix_units(keys: &Keys<'_, '_>, kind: DeviceKind) -> Read<Vec<MatrixUnit>> {
    let known = MatrixUnit::ALL.iter().map(|unit| unit.word()).collect::<Vec<_>>();
    let words = keys.words("matrix_units", &known)?;
    match keys.place("matrix_units") {
        Some(at) if kind == DeviceKind::Grid => mistake(at, "a grid has no `matrix_units`"),
        _ => Ok(words.iter().filter_map(|word| word.parse().ok()).collect()),
    }
}

/// Caches, or a block's memory
fn memories(keys: &Keys<'_, '_>) -> Read<Vec<Memory>> {
    let mut memories: Vec<Memory> = Vec::new();
    for memory in keys.list("memory")? {
        let Some(own) = memory.get_ref().as_table() else {
            return mistake(
                memory.span(),
                "`memory` is a list of tables: { region = \"SM\", bytes = 32768 }",
            );
        };
        let own = Keys::new(own, memory.span(), &["region", "bytes", "ways", "opt_in"])?;
        let Some((region, at)) = own.text("region")? else {
            return mistake(memory.span(), "a memory has a `region`");
        };
        let Ok(region) = region.parse::<Region>() else {
            let known = Region::WORDS.map(|(word, _)| word).join(", ");
            return mistake(at, format!("`{region}` is not one of {known}"));
        };
        if memories.iter().any(|other| other.region == region) {
            return mistake(at, format!("there are two memories `{region}`"));
        }
        let bytes = own.int("bytes", None, 1)?;
        memories.push(Memory {
            region,
            bytes,
            ways: own.int("ways", Some(8), 1)?,
            opt_in: own.int("opt_in", Some(bytes), bytes)?,
        });
        if let Some((near, far)) = upside_down(&memories) {
            let what = format!(
                "`bytes` = {} of `{}` is more than `bytes` = {} of `{}`",
                near.bytes, near.region, far.bytes, far.region
            );
            return mistake(memory.span(), what);
        }
    }
    Ok(memories)
}

/// A cache that is larger than one further away
fn upside_down(memories: &[Memory]) -> Option<(&Memory, &Memory)> {
    let number = |memory: &Memory| match memory.region {
        Region::Cache(n) => Some(n),
        _ => None,
    };
    let further = |near: &Memory, far: &Memory| number(near).zip(number(far)).is_some_and(|(a, b)| a < b);
    memories.iter().find_map(|near| {
        let mut others = memories.iter();
        let far = others.find(|far| further(near, far) && near.bytes > far.bytes)?;
        Some((near, far))
    })
}

/// The levels of maps, and whether maps may be one loop
fn levels(keys: &Keys<'_, '_>, kind: DeviceKind) -> Read<(Levels, bool)> {
    let known = level_words();
    let words = keys.words("levels", &known.iter().map(String::as_str).collect::<Vec<_>>())?;
    if words.is_empty() {
        return Ok((default_levels(kind), true));
    }
    let levels: Levels = words.iter().filter_map(|word| word.parse::<Level>().ok()).collect();
    let of_grid = |word: &str| word.parse().is_ok_and(|level: Level| Levels::ON_GRID.contains(level));
    if let Some(wrong) = keys
        .list("levels")?
        .into_iter()
        .find(|level| kind == DeviceKind::Host && level.get_ref().as_str().is_some_and(of_grid))
    {
        return mistake(wrong.span(), "a host has no grid: its levels are seq, fused, unroll, vector, task");
    }
    if !levels.contains(Level::Seq) {
        return mistake(
            keys.get("levels").map_or(0..0, Spanned::span),
            "loops can always be `seq`: put it first",
        );
    }
    Ok((levels, words.iter().any(|word| word == FUSED)))
}

fn default_levels(kind: DeviceKind) -> Levels {
    let grid = Levels::THREAD.or(Levels::BLOCK).or(Levels::GLOBAL);
    match kind {
        DeviceKind::Host => Levels::TASK,
        DeviceKind::Grid => grid,
    }
    .with(Level::Seq)
}
