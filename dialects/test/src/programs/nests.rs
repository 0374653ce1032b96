//! Structured code on indices, nested at random: loops, conditions, reductions, regions, buffers.

use std::fmt::Write;
use terrace_support::Random;

/// What a program is for
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Any pass: branches inside of regions, anything inside of parallel loops
    Closed,
    /// Printing as C: structured alone, and little inside of parallel loops
    Function,
    /// The same on a device: no memory from the heap
    Kernel,
}

/// Makes a program
struct Maker {
    random: Random,
    text: String,
    next: usize,
    form: Form,
    /// Inside of a parallel loop nothing that others see is written
    parallel: bool,
}

impl Maker {
    fn new(seed: u64, form: Form) -> Maker {
        Maker { random: Random::new(seed), text: String::new(), next: 0, form, parallel: false }
    }
}

/// A file with `func.func @f(index, index) -> index`, which makes the buffers that it reads and writes
pub fn closed(seed: u64) -> String {
    let mut all = Maker::new(seed, Form::Closed);
    all.line("func.func @f(%a: index, %b: index) -> index {");
    all.constants();
    all.line(
        "%m = memref.alloc(%c4) : memref<?xi32>\n%t = memref.alloc() : memref<4x3xf32>\nscf.for %row = %c0 to %c4 step %c1 {\n%filled = \
         arith.index_cast %row : index to i32\nmemref.store %filled, %m[%row] : memref<?xi32>\nscf.for %column = %c0 to %c3 step %c1 \
         {\nmemref.store %half, %t[%row, %column] : memref<4x3xf32>\n}\n}",
    );
    let (result, _) = all.body();
    all.line(&format!("return {result} : index\n}}"));
    all.text
}

/// A function of this seed: `func.func @<name>(index, index, memref<?xi32>, memref<4x3xf32>) -> (index, f32)`
pub fn function(name: &str, seed: u64) -> String {
    let mut all = Maker::new(seed, Form::Function);
    all.line(&format!(
        "func.func @{name}(%a: index, %b: index, %m: memref<?xi32>, %t: memref<4x3xf32>) -> (index, f32) {{"
    ));
    all.constants();
    let (result, float) = all.body();
    all.line(&format!("return {result}, {float} : index, f32\n}}"));
    all.text
}

/// The same as a kernel that writes its results: arguments as above, then `memref<1xindex>` and `memref<1xf32>`
pub fn kernel(name: &str, seed: u64) -> String {
    let mut all = Maker::new(seed, Form::Kernel);
    all.line(&format!(
        "gpu.func @{name}(%a: index, %b: index, %m: memref<?xi32>, %t: memref<4x3xf32>, %ri: memref<1xindex>, %rf: memref<1xf32>) kernel {{"
    ));
    all.constants();
    let (result, float) = all.body();
    all.line(&format!(
        "memref.store {result}, %ri[%c0] : memref<1xindex>\nmemref.store {float}, %rf[%c0] : memref<1xf32>\ngpu.return\n}}"
    ));
    all.text
}

impl Maker {
    fn constants(&mut self) {
        for n in 0..5 {
            self.line(&format!("%c{n} = arith.constant {n} : index"));
        }
        self.line("%zero = arith.constant 0 : i32\n%half = arith.constant 0.5 : f32");
    }

    /// Ops that make an index and a float
    fn body(&mut self) -> (String, String) {
        let mut pool = ["%a", "%b", "%c0", "%c3"].map(String::from).to_vec();
        if self.form == Form::Kernel {
            self.line("%tid = gpu.thread_id x\n%dim = gpu.block_dim x\n%old = memref.load %m[%c1] : memref<?xi32>\n%wide = arith.index_cast %old : i32 to index");
            pool.extend(["%tid", "%dim", "%wide"].map(String::from));
        }
        self.ops(&mut pool, 3);
        let result = self.sum(&pool);
        let float = self.float(&pool);
        (result, float)
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        // Names that C has for something else, and such that it cannot have.
        match self.next % 7 {
            0 => format!("%int.{}", self.next),
            1 => format!("%{}", self.next + 1000),
            _ => format!("%v{}", self.next),
        }
    }

    fn pick(&mut self, pool: &[String]) -> String {
        // Late values more often: what an op gives is used.
        let n = self.below(pool.len()).max(self.below(pool.len()));
        pool[n].clone()
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    /// A value made from several of the pool
    fn sum(&mut self, pool: &[String]) -> String {
        let (x, y, z) = (self.pick(pool), self.pick(pool), self.pick(pool));
        let (s, t) = (self.fresh(), self.fresh());
        let op = ["muli", "xori", "subi", "maxsi", "minui", "minsi", "andi", "shrsi", "divsi", "remsi"]
            [self.below(10)];
        // By a number that is neither zero nor too much.
        let y = match op {
            "shrsi" | "divsi" | "remsi" => ["%c1", "%c2", "%c3"][self.below(3)].to_string(),
            _ => y,
        };
        self.line(&format!("{s} = arith.{op} {x}, {y} : index\n{t} = arith.addi {s}, {z} : index"));
        t
    }

    fn float(&mut self, pool: &[String]) -> String {
        let (x, y) = (self.pick(pool), self.place(pool, 4));
        let (a, b, c, d) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(&format!(
            "{a} = arith.index_cast {x} : index to i32\n{b} = arith.sitofp {a} : i32 to f32\n{c} = memref.load %t[{y}, %c1] : memref<4x3xf32>\n{d} = arith.mulf {b}, {c} : f32"
        ));
        d
    }

    /// An index below `n`
    fn place(&mut self, pool: &[String], n: usize) -> String {
        let (x, r) = (self.pick(pool), self.fresh());
        self.line(&format!("{r} = arith.remui {x}, %c{n} : index"));
        r
    }

    fn condition(&mut self, pool: &[String]) -> String {
        let (x, y, c) = (self.pick(pool), self.pick(pool), self.fresh());
        let kind = ["slt", "eq", "ne", "ult"][self.below(4)];
        self.line(&format!("{c} = arith.cmpi {kind}, {x}, {y} : index"));
        c
    }

    fn ops(&mut self, pool: &mut Vec<String>, depth: usize) {
        for _ in 0..1 + self.below(3) {
            let kind = if depth == 0 { 6 } else { self.below(8) };
            let made = match kind {
                0 => self.looped(pool, depth),
                1 => self.conditional(pool, depth),
                2 => self.repeated(pool, depth),
                3 => self.parallel(pool, depth),
                4 => self.region(pool, depth),
                5 => self.quiet(pool, depth),
                7 if !self.parallel => self.memory(pool),
                _ => self.sum(pool),
            };
            pool.push(made);
        }
    }

    fn inner(&mut self, pool: &[String], more: &[&String], depth: usize) -> String {
        let mut inner: Vec<String> = pool.iter().chain(more.iter().copied()).cloned().collect();
        self.ops(&mut inner, depth - 1);
        self.sum(&inner)
    }

    fn looped(&mut self, pool: &[String], depth: usize) -> String {
        let (r, i, x, y) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (low, high, step) = (self.below(3), 1 + self.below(4), 1 + self.below(2));
        let (first, second) = (self.pick(pool), self.pick(pool));
        self.line(&format!(
            "{r}:2 = scf.for {i} = %c{low} to %c{high} step %c{step} iter_args({x} = {first}, {y} = {second}) -> (index, index) {{"
        ));
        let given = self.inner(pool, &[&i, &x, &y], depth);
        self.line(&format!("scf.yield {y}, {given} : index, index\n}}"));
        format!("{r}#{}", self.below(2))
    }

    fn conditional(&mut self, pool: &[String], depth: usize) -> String {
        let c = self.condition(pool);
        let r = self.fresh();
        self.line(&format!("{r} = scf.if {c} -> (index) {{"));
        let yes = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {yes} : index\n}} else {{"));
        let no = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {no} : index\n}}"));
        r
    }

    fn repeated(&mut self, pool: &[String], depth: usize) -> String {
        let (r, n, x) = (self.fresh(), self.fresh(), self.fresh());
        let (m, y, c) = (self.fresh(), self.fresh(), self.fresh());
        let first = self.pick(pool);
        let times = self.below(3);
        self.line(&format!(
            "{r}:2 = scf.while ({n} = %c0, {x} = {first}) : (index, index) -> (index, index) {{"
        ));
        let plain = self.below(2) == 0;
        let given = if plain { x.clone() } else { self.inner(pool, &[&n, &x], depth) };
        let next = self.fresh();
        self.line(&format!(
            "{next} = arith.addi {n}, %c1 : index\n{c} = arith.cmpi ult, {n}, %c{times} : index\nscf.condition({c}) {next}, {given} : index, index\n}} do {{\n^bb0({m}: index, {y}: index):"
        ));
        let given = if self.below(2) == 0 { y.clone() } else { self.inner(pool, &[&m, &y], depth) };
        self.line(&format!("scf.yield {m}, {given} : index, index\n}}"));
        format!("{r}#1")
    }

    /// A reduction; its body must not write memory that others see
    fn parallel(&mut self, pool: &[String], depth: usize) -> String {
        let (r, i, j) = (self.fresh(), self.fresh(), self.fresh());
        let (first, high, wide) = (self.pick(pool), self.below(5), 1 + self.below(4));
        self.line(&format!(
            "{r}:2 = scf.parallel ({i}, {j}) = (%c0, %c1) to (%c{high}, %c{wide}) step (%c1, %c2) init ({first}, %half) -> (index, f32) {{"
        ));
        let mut inner = [pool, &[i.clone(), j.clone()]].concat();
        if self.form == Form::Closed {
            let around = std::mem::replace(&mut self.parallel, true);
            self.ops(&mut inner, depth - 1);
            self.parallel = around;
        }
        for _ in 0..self.below(3) {
            let made = if depth > 1 && self.below(2) == 0 { self.quiet(&inner, 1) } else { self.sum(&inner) };
            inner.push(made);
        }
        let given = self.sum(&inner);
        let part = self.float(&inner);
        let (x, y, z) = (self.fresh(), self.fresh(), self.fresh());
        let op = ["addi", "muli", "subi"][self.below(3)];
        self.line(&format!(
            "scf.reduce({given}, {part} : index, f32) {{\n^bb0({x}: index, {y}: index):\n{z} = arith.{op} {x}, {y} : index\nscf.reduce.return {z} : index\n}}, {{\n^bb0({x}: f32, {y}: f32):\n{z} = arith.addf {x}, {y} : f32\nscf.reduce.return {z} : f32\n}}\n}}"
        ));
        format!("{r}#0")
    }

    fn region(&mut self, pool: &[String], depth: usize) -> String {
        if self.form == Form::Closed {
            return self.branching_region(pool, depth);
        }
        let r = self.fresh();
        self.line(&format!("{r} = scf.execute_region -> index {{"));
        let given = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {given} : index\n}}"));
        r
    }

    /// A region of several blocks
    fn branching_region(&mut self, pool: &[String], depth: usize) -> String {
        let c = self.condition(pool);
        let (r, n) = (self.fresh(), self.next);
        self.line(&format!("{r} = scf.execute_region -> index {{\ncf.cond_br {c}, ^a{n}, ^b{n}\n^a{n}:"));
        let yes = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {yes} : index\n^b{n}:"));
        let no = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {no} : index\n}}"));
        r
    }

    /// Writes to the function's buffers and reads from them
    fn memory(&mut self, pool: &[String]) -> String {
        let (x, at, other, n) = (self.pick(pool), self.place(pool, 4), self.place(pool, 3), self.fresh());
        let (old, new, r, f) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(&format!(
            "{n} = memref.dim %m, %c0 : memref<?xi32>\n{old} = memref.load %m[{at}] : memref<?xi32>\n{new} = arith.index_cast {x} : index to i32\nmemref.store {new}, %m[{at}] : memref<?xi32>\n{f} = arith.sitofp {old} : i32 to f32\nmemref.store {f}, %t[%c2, {other}] : memref<4x3xf32>"
        ));
        self.line(&format!("{r} = arith.index_castui {old} : i32 to index"));
        if self.below(2) == 0 { n } else { r }
    }

    /// A condition and a loop without results, over memory of their own
    fn quiet(&mut self, pool: &[String], depth: usize) -> String {
        let (m, r, i, old, new) = (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let first = self.pick(pool);
        let (kind, free) =
            if self.below(2) == 0 && self.form != Form::Kernel { ("alloc", true) } else { ("alloca", false) };
        self.line(&format!(
            "{m} = memref.{kind}() : memref<index>\nmemref.store {first}, {m}[] : memref<index>\nscf.for {i} = %c0 to %c3 step %c1 {{"
        ));
        let c = self.condition(&[pool, std::slice::from_ref(&i)].concat());
        self.line(&format!("scf.if {c} {{"));
        let inner = [pool, std::slice::from_ref(&i)].concat();
        let given = if depth > 1 { self.inner(pool, &[&i], depth) } else { self.sum(&inner) };
        self.line(&format!(
            "{old} = memref.load {m}[] : memref<index>\n{new} = arith.subi {given}, {old} : index\nmemref.store {new}, {m}[] : memref<index>\n}}\n}}\n{r} = memref.load {m}[] : memref<index>"
        ));
        if free {
            self.line(&format!("memref.dealloc {m} : memref<index>"));
        }
        r
    }
}
