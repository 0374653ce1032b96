//! Writing a device's file.

use crate::atomics::{Element, Support, Update, Updated};
use crate::costs::{
    Caches, Code, Grid, GridLatency, Instructions, Key, MatrixTiles, Occupancy, RegisterTiles, Source,
    Threads,
};
use crate::read::GRID_MAX;
use crate::read_atomics::ATOMICS;
use crate::{Device, DeviceKind, Level};
use std::fmt::Write;

impl Device {
    /// Its file's text: reading it gives this device again
    pub fn text(&self, description: &str) -> String {
        let mut out = format!("description = {}\n", quoted(description));
        let kind = if self.kind == DeviceKind::Host { "host" } else { "grid" };
        let _ = write!(
            out,
            "kind = {}\nunits = {}\nvector_bytes = {}\nregisters = {}\n",
            quoted(kind),
            self.units,
            self.vector_bytes,
            self.registers
        );
        out += "memory = [\n";
        for memory in &self.memories {
            let (region, bytes, ways) = (memory.region.to_string(), memory.bytes, memory.ways);
            let _ = write!(out, "  {{ region = {}, bytes = {bytes}, ways = {ways}", quoted(&region));
            let _ = match memory.opt_in {
                more if more != bytes => write!(out, ", opt_in = {more}"),
                _ => Ok(()),
            };
            out += " },\n";
        }
        out += "]\n";
        let launch = (self.block_threads, self.block_max, self.grid_max, self.warp);
        if launch != (1, [1; 3], GRID_MAX, 1) {
            let _ = write!(
                out,
                "block_threads = {}\nblock_max = {:?}\ngrid_max = {:?}\nwarp = {}\n",
                self.block_threads, self.block_max, self.grid_max, self.warp
            );
        }
        let fused = self.fused.then(|| "fused".to_owned());
        let levels = self.levels.iter().filter(|level| *level != Level::Mma).map(|level| level.to_string());
        let (first, others): (Vec<String>, Vec<String>) = levels.partition(|word| word == "seq");
        let levels: Vec<String> = first.into_iter().chain(fused).chain(others).collect();
        let _ = write!(
            out,
            "levels = {levels:?}\nbarriers = {:?}\nvector_widths = {:?}\npartial_vectors = {}\nprivate_bytes = {}\n",
            self.barriers, self.vector_widths, self.partial_vectors, self.private_bytes
        );
        if self.fences {
            out += "fences = true\n";
        }
        if !self.matrix_units.is_empty() {
            let words: Vec<&str> = self.matrix_units.iter().map(|unit| unit.word()).collect();
            let _ = writeln!(out, "matrix_units = {words:?}");
        }
        if !self.narrow_floats.is_empty() {
            let _ = writeln!(out, "narrow_floats = {:?}", self.narrow_floats);
        }
        self.tables(&mut out);
        self.blocks(&mut out);
        out
    }

    /// Atomic updates: a row is one word where all operators have the same
    fn tables(&self, out: &mut String) {
        if self.atomics.source == Source::Missing {
            return;
        }
        let _ = write!(out, "\n[{ATOMICS}]\nsource = {}\n", quoted(&self.atomics.source.to_string()));
        for memory in Updated::of(self.kind) {
            let of = |element: Element| {
                element.updates().map(move |update| (update, self.atomics.of(*memory, update, element)))
            };
            let there = |element: &&Element| of(**element).any(|(_, how)| how != Support::None);
            let rows: Vec<&Element> = Element::ALL.iter().filter(there).collect();
            if rows.is_empty() {
                continue;
            }
            let _ = write!(out, "\n[{ATOMICS}.{memory}]\n");
            for element in rows {
                let words: Vec<(Update, Support)> = of(*element).collect();
                if words.iter().all(|(_, how)| *how == words[0].1) {
                    let _ = writeln!(out, "{element} = \"{}\"", words[0].1);
                    continue;
                }
                let all: Vec<String> =
                    words.iter().map(|(update, how)| format!("{update} = \"{how}\"")).collect();
                let _ = writeln!(out, "{element} = {{ {} }}", all.join(", "));
            }
        }
    }

    /// What things cost
    fn blocks(&self, out: &mut String) {
        let costs = &self.costs;
        if self.kind == DeviceKind::Grid {
            let of = &costs.occupancy;
            block(out, Occupancy::NAME, &of.source, Occupancy::KEYS, &of.values());
            let of = &costs.grid;
            block(out, Grid::NAME, &of.source, Grid::KEYS, &of.values());
            let of = &costs.latency;
            return block(out, GridLatency::NAME, &of.source, GridLatency::KEYS, &of.values());
        }
        let of = &costs.instructions;
        block(out, Instructions::NAME, &of.source, Instructions::KEYS, &of.values());
        let of = &costs.caches;
        block(out, Caches::NAME, &of.source, Caches::KEYS, &of.values());
        let of = &costs.tiles;
        block(out, RegisterTiles::NAME, &of.source, RegisterTiles::KEYS, &of.values());
        let of = &costs.matrix;
        block(out, MatrixTiles::NAME, &of.source, MatrixTiles::KEYS, &of.values());
        let of = &costs.code;
        block(out, Code::NAME, &of.source, Code::KEYS, &of.values());
        let of = &costs.threads;
        block(out, Threads::NAME, &of.source, Threads::KEYS, &of.values());
    }
}

/// What the file does not have is not written either
fn block(out: &mut String, name: &str, source: &Source, keys: &[Key], values: &[f64]) {
    if *source == Source::Missing {
        return;
    }
    let _ = write!(out, "\n[{name}]\nsource = {}\n", quoted(&source.to_string()));
    for (key, value) in keys.iter().zip(values) {
        let _ = writeln!(out, "{} = {value}", key.word);
    }
}

/// As TOML's basic strings have it
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_the_same() {
        for name in Device::names() {
            let device = Device::find(name).expect("built in");
            let text = device.text("a \"quoted\" \\ line\nand another");
            let again = Device::parse(&device.name, &text).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(again, device, "{text}");
        }
    }

    /// A host has no blocks of threads, but its file may have their keys
    #[test]
    fn unusual_files_read_the_same() {
        let texts = [
            "kind = \"host\"\nunits = 1\nregisters = 1\nwarp = 4\ngrid_max = [1, 2, 3]",
            "kind = \"grid\"\nunits = 1\nregisters = 1",
            "kind = \"host\"\nunits = 1\nregisters = 1\nlevels = [\"unroll\", \"fused\", \"seq\"]\nvector_widths = [2, 2]",
        ];
        for text in texts {
            let device = Device::parse("own", text).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(Device::parse("own", &device.text("")), Ok(device), "{text}");
        }
    }

    #[test]
    fn measured_numbers_keep_their_source() {
        let mut device = Device::host();
        device.costs.threads = Threads { source: Source::Calibrated("2026-11-30".into()), fork: 1234.5 };
        let text = device.text("x");
        assert!(
            text.ends_with("[threads]\nsource = \"calibrated 2026-11-30\"\nfork.cycles = 1234.5\n"),
            "{text}"
        );
        assert_eq!(Device::parse(&device.name, &text), Ok(device));
    }
}
