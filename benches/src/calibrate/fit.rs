//! Numbers of a device's file from times: what the model would have to say for the times that were measured.

use terrace_devices::costs::{Caches, Instructions, RegisterTiles, Source, Threads};
use terrace_devices::{Costs, Device};

use super::probes::{self, BLOCK, EIGHTHS, FUNCTIONS, LONG, Probe, RUN, SPILLS, Tiles};
use super::programs::Shape;
use super::refusal::Refusal;
use super::series::{Part, Times};
use super::system::System;

/// What the numbers are read from
pub struct Fit<'a> {
    /// Times
    pub times: &'a Times,
    /// Sizes
    pub system: &'a System,
    /// Vectors and registers
    pub shape: Shape,
    /// Day of the measurement
    pub date: &'a str,
}

/// How much longer than from half of a cache reading takes until the cache does not hold what is read
const HELD: f64 = 1.25;

/// Cycles in which a long body is longer than it should be
const LONGER: f64 = 1.1;

impl Fit<'_> {
    /// The device with these numbers in place of its own; what compilers make of loops is not measured, and stays assumed
    pub fn device(&self, device: &Device, part: Part) -> Device {
        let instructions = self.instructions(part);
        // What is not measured stays as it is.
        let tiles = RegisterTiles { spare: device.costs.tiles.spare, ..self.tiles(&instructions, part) };
        let caches = Caches { missed_store: device.costs.caches.missed_store, ..self.caches(part) };
        let costs = Costs {
            caches,
            tiles,
            threads: Threads { source: self.source(), fork: significant(self.cycles(Probe::Forks, part)) },
            instructions,
            ..device.costs.clone()
        };
        Device { units: self.shape.units, memories: self.system.caches.clone(), costs, ..device.clone() }
    }

    fn source(&self) -> Source {
        Source::Calibrated(self.date.to_owned())
    }

    fn cycles(&self, probe: Probe, part: Part) -> f64 {
        self.times.cycles(probe, part)
    }

    fn instructions(&self, part: Part) -> Instructions {
        let cycles = |probe| self.cycles(probe, part);
        let operations = 1.0 / cycles(Probe::Peak);
        let loads = 1.0 / cycles(Probe::Loads);
        // The addition of each result is no part of the function.
        let functions = FUNCTIONS.map(|name| cycles(Probe::Function(name)) * operations - 1.0);
        let trips = Shape::TRIPS as f64;
        let body = trips / (trips + 1.0) * 8.0 / operations;
        Instructions {
            source: self.source(),
            operations: significant(operations),
            loads: significant(loads),
            stores: significant(1.0 / cycles(Probe::Stores)),
            fma_latency: significant(cycles(Probe::Latency)),
            division: significant(mean(&[Probe::Divisions, Probe::Roots].map(cycles)) * operations),
            call: significant(mean(&functions)),
            spill: significant(self.spill(loads, part)),
            iteration: significant((cycles(Probe::Loops) - body).max(0.0)),
            long_body: significant(self.long_body(part)),
        }
    }

    /// Loads that take as long as what a step with more values than registers takes beyond its operations: the least number is the one by
    /// which no tile is too slow
    fn spill(&self, loads: f64, part: Part) -> f64 {
        let each = SPILLS.map(|more| {
            let longer = self.cycles(Probe::Spills(more), part) - self.cycles(Probe::Peak, part);
            longer.max(0.0) * self.shape.sums(more) as f64 * loads / more as f64
        });
        each.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The model has the time of a long body grow by the square
    fn long_body(&self, part: Part) -> f64 {
        let peak = self.cycles(Probe::Peak, part);
        let slower = |length: &i64| {
            let ratio = self.cycles(Probe::Long(*length), part) / peak;
            (ratio > LONGER).then(|| *length as f64 / ratio.sqrt())
        };
        LONG.iter().find_map(slower).unwrap_or(LONG[LONG.len() - 1] as f64)
    }

    /// The model adds what each cache takes, so that a rate is of the time by which one is slower than the one before
    fn caches(&self, part: Part) -> Caches {
        let cycles = |probe| self.cycles(probe, part);
        let half = |cache| cycles(Probe::Reads(self.system.bytes(cache) / 2));
        let (first, second) = (half(0), half(1));
        let third = cycles(Probe::Reads(self.system.within_third()));
        let (one, all) = (cycles(Probe::Memory(1)), cycles(Probe::Memory(self.shape.units)));
        let rate = |slow: f64, fast: f64| 1.0 / (slow - fast).max(slow / 100.0);
        let from_l2 = rate(second, first);
        let from_l3 = rate(third, second).min(from_l2);
        let from_memory = rate(one, third).min(from_l3);
        let from_memory_all = rate(all, third / self.shape.units as f64).max(from_memory);
        Caches {
            source: self.source(),
            line: self.system.line as f64,
            usable: self.usable(part),
            from_l2: significant(from_l2),
            from_l3: significant(from_l3),
            from_memory: significant(from_memory),
            from_memory_all: significant(from_memory_all),
            // No probe measures it.
            missed_store: Caches::default().missed_store,
            // The model has a run take longer by as many times as this number is longer than the run.
            short_run: significant(RUN as f64 * ((cycles(Probe::Runs) - one) * from_memory).clamp(0.0, 1.0)),
        }
    }

    /// Cycles for a byte, by eighths of a cache
    fn sweep(&self, cache: usize, part: Part) -> impl Iterator<Item = (i64, f64)> {
        let bytes = self.system.bytes(cache);
        EIGHTHS
            .into_iter()
            .map(move |eighths| (eighths, self.cycles(Probe::Reads(bytes * eighths / 8), part)))
    }

    /// Percent of the second cache that are as fast as half of it
    fn usable(&self, part: Part) -> f64 {
        let half = self.cycles(Probe::Reads(self.system.bytes(1) / 2), part);
        let held =
            self.sweep(1, part).take_while(|(eighths, cycles)| *eighths <= 8 && *cycles <= HELD * half);
        held.last().map_or(50.0, |(eighths, _)| eighths as f64 * 12.5)
    }

    /// An error if a cache is not as large as the system says
    pub fn sizes(&self) -> Result<(), Refusal> {
        for (cache, memory) in self.system.caches.iter().take(2).enumerate() {
            let times: Vec<(i64, f64)> = self.sweep(cache, Part::All).collect();
            let (Some((_, inside)), Some((_, outside))) = (times.first(), times.last()) else { continue };
            let held = times.iter().take_while(|(_, cycles)| *cycles < (inside * outside).sqrt());
            let eighths = held.last().map_or(0, |(eighths, _)| *eighths);
            // Where both are as fast, nothing says where one ends.
            let distinct = outside / inside > HELD;
            if distinct && !(6..=12).contains(&eighths) {
                let (fitted, system) = (memory.bytes * eighths / 8, memory.bytes);
                return Err(Refusal::Size { cache: memory.region.to_string(), fitted, system });
            }
        }
        Ok(())
    }

    fn tiles(&self, of: &Instructions, part: Part) -> RegisterTiles {
        let cycles = |tiles, steps| self.cycles(Probe::Tiles(tiles, steps), part);
        let tile = self.shape.tile();
        let (rows, vectors) = (tile.rows as f64, tile.vectors as f64);
        let near = cycles(Tiles::Whole, probes::near(&self.shape, self.system));
        let load = ((near - rows * vectors / of.operations) / (rows + vectors)).max(0.0);
        let far = cycles(Tiles::Rows, probes::far(&self.shape, self.system));
        let panel_vector = ((far - load * (2.0 + vectors)) / vectors).max(0.0);
        let [whole, rows, columns, with_rows, with_columns] =
            [Tiles::Whole, Tiles::Rows, Tiles::Columns, Tiles::WithRows, Tiles::WithColumns]
                .map(|tiles| cycles(tiles, BLOCK));
        RegisterTiles {
            source: self.source(),
            panel_vector: significant(panel_vector),
            load: significant(load),
            remainder: significant((with_rows - whole - rows).max(0.0)),
            remaining_columns: significant((with_columns / (whole + columns)).max(1.0)),
            panel_element: significant(self.cycles(Probe::Panel, part)),
            spare: RegisterTiles::default().spare,
        }
    }
}

/// The geometric mean
fn mean(numbers: &[f64]) -> f64 {
    crate::stats::geometric_mean(numbers.iter().copied()).unwrap_or(0.0)
}

/// Three digits, which is more than a repetition keeps
fn significant(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}
