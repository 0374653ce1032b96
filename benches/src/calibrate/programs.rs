//! Small programs whose times say one thing each: loops over vectors as text, which our own pipeline lowers.
//!
//! All are written for the vectors and registers of one device. A program repeats what it measures so often that a call takes tens of
//! microseconds at least, and what it computes is used, so that nothing is removed.

use terrace_devices::Device;

/// A program and what a run of it does
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text
    pub text: String,
    /// Arguments, all filled with one number
    pub arguments: &'static [(&'static str, &'static str)],
    /// How often a run does what is measured
    pub count: f64,
    /// Threads that it has
    pub threads: i64,
}

const DATA: &[(&str, &str)] = &[("x", "fill:0.5"), ("out", "fill:0")];

/// Times that an inner loop is repeated, at least
const STEPS: i64 = 100_000;

/// Next to each other, so that none waits for the one before
const CHAINS: i64 = 12;

/// What programs are written for
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Numbers of 32 bits in a vector
    pub lanes: i64,
    /// Vector registers
    pub registers: i64,
    /// Threads of the machine
    pub units: i64,
}

/// Text that grows, in one function
struct Text {
    body: String,
    lanes: i64,
    /// Elements of `%x`
    data: i64,
    /// Names that were given
    names: usize,
}

impl Text {
    fn new(shape: &Shape, data: i64) -> Text {
        Text { body: String::new(), lanes: shape.lanes, data, names: 0 }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.body += line.as_ref();
        self.body.push('\n');
    }

    /// A new value
    fn let_(&mut self, value: impl AsRef<str>) -> String {
        self.names += 1;
        let name = format!("%v{}", self.names);
        self.line(format!("{name} = {}", value.as_ref()));
        name
    }

    fn vector(&self) -> String {
        format!("vector<{}xf32>", self.lanes)
    }

    fn index(&mut self, number: i64) -> String {
        self.let_(format!("arith.constant {number} : index"))
    }

    /// `base` and a number
    fn plus(&mut self, base: &str, number: i64) -> String {
        let number = self.index(number);
        self.let_(format!("arith.addi {base}, {number} : index"))
    }

    /// `base` times a number
    fn times(&mut self, base: &str, number: i64) -> String {
        let number = self.index(number);
        self.let_(format!("arith.muli {base}, {number} : index"))
    }

    fn load(&mut self, at: &str) -> String {
        self.let_(format!("vector.load %x[{at}] : memref<{}xf32>, {}", self.data, self.vector()))
    }

    /// The first vectors of the data, each of its own, so that no chain is another's copy
    fn starts(&mut self, number: i64) -> Vec<String> {
        let load = |n: i64| {
            let at = self.index(n * self.lanes);
            self.load(&at)
        };
        (0..number).map(load).collect()
    }

    fn store(&mut self, value: &str, at: &str) {
        self.line(format!("vector.store {value}, %x[{at}] : memref<{}xf32>, {}", self.data, self.vector()));
    }

    fn broadcast(&mut self, at: &str) -> String {
        let value = self.let_(format!("memref.load %x[{at}] : memref<{}xf32>", self.data));
        self.let_(format!("vector.broadcast {value} : f32 to {}", self.vector()))
    }

    fn fma(&mut self, a: &str, b: &str, c: &str) -> String {
        self.let_(format!("vector.fma {a}, {b}, {c} : {}", self.vector()))
    }

    fn add(&mut self, a: &str, b: &str) -> String {
        self.let_(format!("arith.addf {a}, {b} : {}", self.vector()))
    }

    /// A loop that hands values from one iteration to the next; what they are at its end
    fn carry(
        &mut self,
        (end, step): (i64, i64),
        start: &[String],
        body: impl FnOnce(&mut Text, &str, &[String]) -> Vec<String>,
    ) -> Vec<String> {
        let (zero, end, step) = (self.index(0), self.index(end), self.index(step));
        self.names += 1;
        let own = self.names;
        let carried: Vec<String> = (0..start.len()).map(|n| format!("%c{own}_{n}")).collect();
        let pairs: Vec<String> =
            carried.iter().zip(start).map(|(own, start)| format!("{own} = {start}")).collect();
        let types = vec![self.vector(); start.len()].join(", ");
        let at = format!("%i{own}");
        let results = if start.is_empty() { String::new() } else { format!("%r{own}:{} = ", start.len()) };
        let hands = if start.is_empty() {
            String::new()
        } else {
            format!(" iter_args({}) -> ({types})", pairs.join(", "))
        };
        self.line(format!("{results}scf.for {at} = {zero} to {end} step {step}{hands} {{"));
        let values = body(self, &at, &carried);
        if !values.is_empty() {
            self.line(format!("scf.yield {} : {types}", values.join(", ")));
        }
        self.line("}");
        (0..start.len()).map(|n| format!("%r{own}#{n}")).collect()
    }

    /// The sum of vectors is the result
    fn finish(mut self, values: &[String], count: f64) -> Program {
        let zero = self.index(0);
        self.keep(values, &zero);
        let text = format!(
            "func.func @main(%x: memref<{}xf32>, %out: memref<{}xf32>) {{\n{}return\n}}\n",
            self.data, OUT, self.body
        );
        Program { text, arguments: DATA, count, threads: 1 }
    }

    /// Keeps the sum of vectors in `%out`
    fn keep(&mut self, values: &[String], at: &str) {
        let mut values = values.iter();
        let Some(first) = values.next() else { return };
        let sum = values.fold(first.clone(), |sum, value| self.add(&sum, value));
        let ty = self.vector();
        self.line(format!("vector.store {sum}, %out[{at}] : memref<{OUT}xf32>, {ty}"));
    }
}

/// Elements of `%out`: a few lines for each thread
const OUT: i64 = 1 << 16;

impl Shape {
    /// Bytes of a vector
    pub fn vector_bytes(&self) -> i64 {
        self.lanes * 4
    }

    /// Sums of a step that has so many values more than registers: next to them a vector, and a register that the model keeps free
    pub fn sums(&self, more: i64) -> i64 {
        self.registers + more - 2
    }

    /// A register tile as large as registers permit, as `register.rs` chooses it for large products
    pub fn tile(&self) -> Tile {
        let vectors = if self.registers >= 32 { 4 } else { 2 };
        Tile { rows: ((self.registers - 3 - vectors) / vectors).max(1), vectors }
    }

    /// Of a device
    pub fn of(device: &Device) -> Shape {
        Shape {
            lanes: (device.vector_bytes / 4).max(2),
            registers: device.registers.max(8),
            units: device.units.max(1),
        }
    }

    /// Additions of integers, each of which needs the one before: a cycle each
    pub fn clock(&self) -> Program {
        let steps = STEPS;
        let text = format!(
            "func.func @main(%x: memref<2xi64>) {{\n\
             %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%n = arith.constant {steps} : index\n\
             %a = memref.load %x[%c0] : memref<2xi64>\n%b = memref.load %x[%c1] : memref<2xi64>\n\
             %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (i64, i64) {{\n\
             %s = arith.addi %p, %q : i64\n%t = arith.addi %q, %s : i64\n\
             %u = arith.addi %s, %t : i64\n%v = arith.addi %t, %u : i64\n\
             scf.yield %u, %v : i64, i64\n}}\n\
             memref.store %r#0, %x[%c0] : memref<2xi64>\nmemref.store %r#1, %x[%c1] : memref<2xi64>\nreturn\n}}\n"
        );
        Program { text, arguments: &[("x", "fill:1")], count: 4.0 * steps as f64, threads: 1 }
    }

    fn chains(&self, of: i64, steps: i64, body: impl Fn(&mut Text, &str, &str) -> String) -> Program {
        let mut text = Text::new(self, of * self.lanes);
        let start = text.starts(of);
        let x = start[0].clone();
        let sums = text
            .carry((steps, 1), &start, |text, _, sums| sums.iter().map(|sum| body(text, sum, &x)).collect());
        text.finish(&sums, (of * steps) as f64)
    }

    /// Multiply-adds in so many chains; counted each
    pub fn multiply_adds(&self, chains: i64) -> Program {
        self.chains(chains, STEPS, |text, sum, x| text.fma(sum, x, x))
    }

    /// Multiply-adds next to each other
    pub fn peak(&self) -> Program {
        self.multiply_adds(CHAINS)
    }

    /// Divisions
    pub fn divisions(&self) -> Program {
        self.chains(8, STEPS / 8, |text, sum, x| {
            text.let_(format!("arith.divf {x}, {sum} : {}", text.vector()))
        })
    }

    /// Roots
    pub fn roots(&self) -> Program {
        self.chains(8, STEPS / 8, |text, sum, _| text.let_(format!("math.sqrt {sum} : {}", text.vector())))
    }

    /// A function of vectors that do not depend on each other
    pub fn function(&self, name: &str) -> Program {
        let (data, repeats) = (64 * self.lanes, STEPS / 1000);
        let mut text = Text::new(self, data);
        let zero = text.index(0);
        let start = [text.load(&zero)];
        let sum = text.carry((repeats, 1), &start, |text, _, sum| {
            text.carry((data, text.lanes), sum, |text, at, sum| {
                let x = text.load(at);
                let value = text.let_(format!("math.{name} {x} : {}", text.vector()));
                vec![text.add(&sum[0], &value)]
            })
        });
        text.finish(&sum, (repeats * 64) as f64)
    }

    /// Loads from so few bytes that the first cache has them
    pub fn loads(&self, bytes: i64) -> Program {
        let (data, repeats) = (bytes / 4, STEPS / 400);
        let mut text = Text::new(self, data);
        let start = text.starts(8);
        let sums = text.carry((repeats, 1), &start, |text, _, sums| {
            text.carry((data, 16 * text.lanes), sums, |text, at, sums| {
                let one = |text: &mut Text, n: usize| {
                    let at = text.plus(at, n as i64 * text.lanes);
                    text.load(&at)
                };
                let pair = |(n, sum): (usize, &String)| {
                    let (a, b) = (one(text, 2 * n), one(text, 2 * n + 1));
                    text.fma(&a, &b, sum)
                };
                sums.iter().enumerate().map(pair).collect()
            })
        });
        text.finish(&sums, (repeats * data / self.lanes) as f64)
    }

    /// Stores to so few bytes that the first cache has them
    pub fn stores(&self, bytes: i64) -> Program {
        let (data, repeats) = (bytes / 4, STEPS / 400);
        let mut text = Text::new(self, data);
        let zero = text.index(0);
        let x = text.load(&zero);
        text.carry((repeats, 1), &[], |text, _, _| {
            text.carry((data, 8 * text.lanes), &[], |text, at, _| {
                for n in 0..8 {
                    let at = text.plus(at, n * text.lanes);
                    text.store(&x, &at);
                }
                vec![]
            })
        });
        text.finish(&[x], (repeats * data / self.lanes) as f64)
    }

    /// A loop of so few iterations in another: [`Self::LOOPS`] for each of the outer; the multiply-adds are counted
    pub fn loops(&self) -> Program {
        let steps = STEPS / 4;
        let mut text = Text::new(self, 8 * self.lanes);
        let start = text.starts(8);
        let (zero, x) = (text.index(0), start[0].clone());
        // The trip count is read, so that no copies of the body are made.
        let number = text.let_(format!("memref.load %x[{zero}] : memref<{}xf32>", text.data));
        let number = text.let_(format!("arith.fptosi {number} : f32 to i64"));
        let number = text.let_(format!("arith.index_cast {number} : i64 to index"));
        let number = text.plus(&number, Self::TRIPS);
        let sums = text.carry((steps, 1), &start, |text, _, sums| {
            let (one, own) = (text.index(1), text.names);
            let carried: Vec<String> = (0..8).map(|n| format!("%k{own}_{n}")).collect();
            let pairs: Vec<String> =
                carried.iter().zip(sums).map(|(own, sum)| format!("{own} = {sum}")).collect();
            let types = vec![text.vector(); 8].join(", ");
            text.line(format!(
                "%q{own}:8 = scf.for %j{own} = {zero} to {number} step {one} iter_args({}) -> ({types}) {{",
                pairs.join(", ")
            ));
            let values: Vec<String> = carried.iter().map(|sum| text.fma(sum, &x, &x)).collect();
            text.line(format!("scf.yield {} : {types}\n}}", values.join(", ")));
            (0..8).map(|n| format!("%q{own}#{n}")).collect()
        });
        text.finish(&sums, (steps * (Self::TRIPS + 1)) as f64)
    }

    /// Iterations of the inner loop of [`Self::loops`], each with eight multiply-adds
    pub const TRIPS: i64 = 4;

    /// A body of so many multiply-adds
    pub fn long(&self, length: i64) -> Program {
        let steps = (STEPS * 4 / length).max(8);
        let mut text = Text::new(self, CHAINS * self.lanes);
        let start = text.starts(CHAINS);
        let x = start[0].clone();
        let sums = text.carry((steps, 1), &start, |text, _, sums| {
            let mut sums = sums.to_vec();
            for n in 0..length {
                let at = (n % CHAINS) as usize;
                sums[at] = text.fma(&sums[at], &x, &x);
            }
            sums
        });
        text.finish(&sums, (steps * length) as f64)
    }

    /// Sums of all of so many bytes; counted in bytes
    pub fn reads(&self, bytes: i64) -> Program {
        let step = 8 * self.lanes;
        let data = (bytes / 4).max(step) / step * step;
        let repeats = (STEPS * 16 / data).max(1);
        let mut text = Text::new(self, data);
        let start = text.starts(8);
        let sums = text.carry((repeats, 1), &start, |text, _, sums| {
            text.carry((data, step), sums, |text, at, sums| text.read_step(at, sums))
        });
        text.finish(&sums, (repeats * data * 4) as f64)
    }

    /// Sums of all of so many bytes in memory by all threads, in order or in runs of so many bytes; counted in bytes. The first run of the
    /// program, which is not counted, writes them.
    pub fn reads_memory(&self, bytes: i64, threads: i64, run: Option<i64>) -> Program {
        let step = 8 * self.lanes;
        // Each pass over all rows reads a run of each.
        let run = run.map(|run| (run / 4 / step).max(1) * step);
        let row = run.map_or(step, |run| run * Self::RUNS);
        let part = (bytes / 4 / threads / row).max(1) * row;
        let mut text = Text::new(self, part * threads);
        let (zero, one, all) = (text.index(0), text.index(1), text.index(threads));
        text.line(format!("%x = memref.get_global @data : memref<{}xf32>", text.data));
        text.line(format!("%state = memref.load %first[{zero}] : memref<1xf32>"));
        text.line("%nothing = arith.constant 0.0 : f32\n%something = arith.constant 1.0 : f32");
        text.line("%fresh = arith.cmpf oeq, %state, %nothing : f32\nscf.if %fresh {");
        text.line(format!("%half = arith.constant dense<0.5> : {}", text.vector()));
        text.line(format!("scf.parallel (%t) = ({zero}) to ({all}) step ({one}) {{"));
        let base = text.times("%t", part);
        text.carry((part, text.lanes), &[], |text, at, _| {
            let at = text.let_(format!("arith.addi {base}, {at} : index"));
            text.store("%half", &at);
            vec![]
        });
        text.line("scf.reduce\n}");
        text.line(format!("memref.store %something, %first[{zero}] : memref<1xf32>\n}}"));
        text.line(format!("scf.parallel (%t) = ({zero}) to ({all}) step ({one}) {{"));
        let base = text.times("%t", part);
        let start = vec![text.load(&base); 8];
        let read = |text: &mut Text, (from, end): (&str, i64), sums: &[String]| {
            text.carry((end, step), sums, |text, at, sums| {
                let at = text.let_(format!("arith.addi {from}, {at} : index"));
                text.read_step(&at, sums)
            })
        };
        let sums = match run {
            None => read(&mut text, (&base, part), &start),
            Some(run) => text.carry((row, run), &start, |text, at, sums| {
                let first = text.let_(format!("arith.addi {base}, {at} : index"));
                text.carry((part, row), sums, |text, at, sums| {
                    let from = text.let_(format!("arith.addi {first}, {at} : index"));
                    read(text, (&from, run), sums)
                })
            }),
        };
        let at = text.times("%t", 64);
        text.keep(&sums, &at);
        text.line("scf.reduce\n}");
        let program = format!(
            "memref.global @data : memref<{}xf32> = uninitialized\n\
             func.func @main(%first: memref<1xf32>, %out: memref<{OUT}xf32>) {{\n{}return\n}}\n",
            text.data, text.body
        );
        let arguments = &[("first", "fill:0"), ("out", "fill:0")];
        Program { text: program, arguments, count: (part * threads * 4) as f64, threads }
    }

    /// Runs of a row of [`Self::reads_memory`]
    const RUNS: i64 = 4;

    /// Register tiles one below the other, of the same columns: a block of a product, as many times as `repeats`; counted in steps of
    /// the reduction
    pub fn tiles(&self, tiles: &[Tile], steps: i64) -> Program {
        let width = tiles.iter().map(|tile| tile.vectors).max().unwrap_or(1) * self.lanes;
        let rows: i64 = tiles.iter().map(|tile| tile.rows).sum();
        let repeats = (STEPS / 4 / steps / rows.max(1)).max(2);
        let mut text = Text::new(self, steps * width + rows * steps);
        let zero = text.let_(format!("arith.constant dense<0.0> : {}", text.vector()));
        text.carry((repeats, 1), &[], |text, _, _| {
            let mut above = 0;
            for tile in tiles {
                let start = vec![zero.clone(); (tile.rows * tile.vectors) as usize];
                let first = steps * width + above * steps;
                let sums = text.carry((steps, 1), &start, |text, k, sums| {
                    let panel = text.times(k, width);
                    let vectors: Vec<String> = (0..tile.vectors)
                        .map(|n| {
                            let at = text.plus(&panel, n * text.lanes);
                            text.load(&at)
                        })
                        .collect();
                    let mut next = Vec::new();
                    for (row, sums) in sums.chunks(tile.vectors as usize).enumerate() {
                        let at = text.plus(k, first + row as i64 * steps);
                        let a = text.broadcast(&at);
                        next.extend(sums.iter().zip(&vectors).map(|(sum, b)| text.fma(&a, b, sum)));
                    }
                    next
                });
                for (n, sum) in sums.iter().enumerate() {
                    let (at, ty) =
                        (text.index((above * tile.vectors + n as i64) * text.lanes), text.vector());
                    text.line(format!("vector.store {sum}, %out[{at}] : memref<{OUT}xf32>, {ty}"));
                }
                above += tile.rows;
            }
            vec![]
        });
        text.finish(&[], (repeats * steps) as f64)
    }

    /// Rows of a matrix that are copied into a panel of so many vectors; counted in elements
    pub fn panel(&self, vectors: i64, steps: i64, panels: i64) -> Program {
        let width = vectors * self.lanes;
        let row = width * panels;
        let mut text = Text::new(self, row * steps + width * steps);
        text.carry((panels, 1), &[], |text, p, _| {
            let left = text.times(p, width);
            text.carry((steps, 1), &[], |text, k, _| {
                let (from, to) = (text.times(k, row), text.times(k, width));
                let from = text.let_(format!("arith.addi {from}, {left} : index"));
                for n in 0..vectors {
                    let at = text.plus(&from, n * text.lanes);
                    let value = text.load(&at);
                    let at = text.plus(&to, row * steps + n * text.lanes);
                    text.store(&value, &at);
                }
                vec![]
            });
            vec![]
        });
        text.finish(&[], (width * steps * panels) as f64)
    }

    /// Tasks that do next to nothing; counted in forks
    pub fn forks(&self) -> Program {
        let steps = STEPS / 100;
        let mut text = Text::new(self, self.units.max(1) * 16);
        let (zero, one, all) = (text.index(0), text.index(1), text.index(self.units));
        let value = text.let_("arith.constant 1.0 : f32");
        text.carry((steps, 1), &[], |text, _, _| {
            text.line(format!("scf.parallel (%t) = ({zero}) to ({all}) step ({one}) {{"));
            let at = text.times("%t", 16);
            text.line(format!("memref.store {value}, %x[{at}] : memref<{}xf32>\nscf.reduce\n}}", text.data));
            vec![]
        });
        Program { threads: self.units, ..text.finish(&[], steps as f64) }
    }
}

impl Text {
    /// Eight vectors from a place on, each into its sum
    fn read_step(&mut self, at: &str, sums: &[String]) -> Vec<String> {
        let mut next = Vec::new();
        for (n, sum) in sums.iter().enumerate() {
            let at = self.plus(at, n as i64 * self.lanes);
            let value = self.load(&at);
            next.push(self.add(sum, &value));
        }
        next
    }
}

/// Rows and vectors of a register tile
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Rows
    pub rows: i64,
    /// Vectors of a row
    pub vectors: i64,
}
