//! Functions of structured code: numbers of many widths, branches, loops that end, buffers read and written in bounds,
//! vectors, calls.
//!
//! Divisions and shifts may be undefined, rarely. Everything else has a meaning on every input.

mod scalars;

use std::fmt::Write;
use terrace_support::Random;

/// What to draw from
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Statements at each level, about
    pub statements: usize,
    /// Levels of nesting
    pub depth: usize,
    /// Floats too
    pub floats: bool,
    /// Widths that no C type has: i7, i33, i128
    pub odd: bool,
    /// Vectors too
    pub vectors: bool,
    /// Only what is called by value: no loops, no buffers
    pub straight: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { statements: 7, depth: 3, floats: true, odd: true, vectors: true, straight: false }
    }
}

type Ty = &'static str;

struct Maker<'r> {
    r: &'r mut Random,
    options: Options,
    text: String,
    pool: Vec<(String, Ty)>,
    /// Buffers: name, sizes, element
    buffers: Vec<(String, Vec<i64>, Ty)>,
    names: usize,
    indent: usize,
    types: Vec<Ty>,
    vectors: Vec<Ty>,
    /// Inside of a parallel loop nothing is written
    pure: bool,
}

/// A file with the function `@f` on numbers and two buffers
pub fn program(r: &mut Random, options: &Options) -> String {
    function(r, options, "@f").0
}

/// The same, where `@f` makes and fills the buffers, and gives back elements of them after the other results
pub fn closed(r: &mut Random, options: &Options) -> String {
    let (inner, results) = function(r, &Options { straight: false, ..*options }, "private @g");
    let float = if options.floats { "f32" } else { "i8" };
    let mut text = format!("{inner}func.func @f({}) -> (", head(float));
    let mut all: Vec<Ty> = results.clone();
    all.extend(["i32", "i32", float, float]);
    let _ = writeln!(text, "{}) {{", all.join(", "));
    for n in 0..6 {
        let _ = writeln!(text, "  %c{n} = arith.constant {n} : index");
    }
    let _ =
        writeln!(text, "  %m = memref.alloc() : memref<6xi32>\n  %n = memref.alloc() : memref<4x5x{float}>");
    for i in 0..6 {
        let _ = writeln!(text, "  %m{i} = arith.constant {} : i32", r.below(9i64) - 4);
        let _ = writeln!(text, "  memref.store %m{i}, %m[%c{i}] : memref<6xi32>");
    }
    for (i, j) in (0..20).map(|n| (n / 5, n % 5)) {
        let number = r.below(9i64) - 4;
        let dot = if options.floats { ".5" } else { "" };
        let _ = writeln!(text, "  %n{i}_{j} = arith.constant {number}{dot} : {float}");
        let _ = writeln!(text, "  memref.store %n{i}_{j}, %n[%c{i}, %c{j}] : memref<4x5x{float}>");
    }
    let _ = writeln!(
        text,
        "  %r:{} = func.call @g(%a, %b, %c, %d, %e, %m, %n) : (i32, i64, index, {float}, i1, memref<6xi32>, memref<4x5x{float}>) -> ({})",
        results.len(),
        results.join(", ")
    );
    let mut values: Vec<String> = (0..results.len()).map(|n| format!("%r#{n}")).collect();
    for (name, at, ty) in [("x", "%c2", "6xi32"), ("y", "%c5", "6xi32")] {
        let _ = writeln!(text, "  %{name} = memref.load %m[{at}] : memref<{ty}>");
        values.push(format!("%{name}"));
    }
    for (name, at) in [("z", "%c1, %c3"), ("w", "%c0, %c0")] {
        let _ = writeln!(text, "  %{name} = memref.load %n[{at}] : memref<4x5x{float}>");
        values.push(format!("%{name}"));
    }
    let _ = writeln!(text, "  memref.dealloc %m : memref<6xi32>\n  memref.dealloc %n : memref<4x5x{float}>");
    let _ = writeln!(text, "  return {} : {}\n}}", values.join(", "), all.join(", "));
    text
}

const PARAMETERS: [(&str, Ty); 5] = [("a", "i32"), ("b", "i64"), ("c", "index"), ("d", ""), ("e", "i1")];

/// Parameters that are numbers; the fourth is of this type
fn head(float: &str) -> String {
    let one = |(name, ty): (&str, Ty)| format!("%{name}: {}", if ty.is_empty() { float } else { ty });
    PARAMETERS.map(one).join(", ")
}

fn function(r: &mut Random, options: &Options, name: &str) -> (String, Vec<Ty>) {
    let (types, vectors) = types(options);
    let mut m = Maker {
        r,
        options: *options,
        text: String::new(),
        pool: Vec::new(),
        buffers: Vec::new(),
        names: 0,
        indent: 1,
        types,
        vectors,
        pure: false,
    };
    let float = if options.floats { "f32" } else { "i8" };
    let mut head = head(float);
    for (name, ty) in PARAMETERS {
        m.pool.push((format!("%{name}"), if ty.is_empty() { float } else { ty }));
    }
    if !options.straight {
        let _ = write!(head, ", %m: memref<6xi32>, %n: memref<4x5x{float}>");
        m.buffers.push(("%m".into(), vec![6], "i32"));
        m.buffers.push(("%n".into(), vec![4, 5], float));
    }
    let depth = if options.straight { 0 } else { options.depth };
    m.block(depth, options.statements * 2);
    let results = m.returned(float);
    let names: Vec<&str> = results.iter().map(|v| v.0.as_str()).collect();
    let tys: Vec<&str> = results.iter().map(|v| v.1).collect();
    let text = format!(
        "func.func {name}({head}) -> ({}) {{\n{}  return {} : {}\n}}\n",
        tys.join(", "),
        m.text,
        names.join(", "),
        tys.join(", ")
    );
    (text, results.iter().map(|value| value.1).collect())
}

/// Types of scalars and of vectors
fn types(options: &Options) -> (Vec<Ty>, Vec<Ty>) {
    let mut types: Vec<Ty> = vec!["i1", "i8", "i16", "i32", "i32", "i64", "index", "index"];
    if options.odd {
        types.extend(["i7", "i33", "i128"]);
    }
    if options.floats {
        types.extend(["f32", "f64", "f32"]);
    }
    let vectors: Vec<Ty> = match (options.vectors, options.floats) {
        (false, _) => vec![],
        (true, false) => vec!["vector<4xi32>", "vector<3xi8>", "vector<2x4xi32>", "vector<8xi1>"],
        (true, true) => {
            vec![
                "vector<4xi32>",
                "vector<4xf32>",
                "vector<3xi8>",
                "vector<2x4xf32>",
                "vector<2xf64>",
                "vector<4xi1>",
            ]
        }
    };
    (types, vectors)
}

fn float(ty: &str) -> bool {
    let elem = element(ty);
    elem.starts_with('f') || elem.starts_with("bf")
}

fn element(ty: &str) -> &str {
    match ty.strip_prefix("vector<") {
        Some(rest) => rest
            .trim_end_matches('>')
            .rsplit('x')
            .next()
            .map_or(ty, |e| if e == "inde" { "index" } else { e }),
        None => ty,
    }
}

fn width(ty: &str) -> u32 {
    match element(ty) {
        "index" => 64,
        elem => elem[1..].parse().unwrap_or(32),
    }
}

impl Maker<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("%{}x", self.names).replace('%', "%v").trim_end_matches('x').to_owned()
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.indent));
    }

    fn define(&mut self, ty: Ty, right: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {right}"));
        self.pool.push((name.clone(), ty));
        name
    }

    fn of(&mut self, ty: Ty) -> String {
        let found: Vec<usize> = (0..self.pool.len()).filter(|n| self.pool[*n].1 == ty).collect();
        if found.is_empty() || self.r.below(6) == 0 {
            return self.constant(ty);
        }
        // Newer values are likelier.
        let at = self.r.below(found.len()).max(self.r.below(found.len()));
        self.pool[found[at]].0.clone()
    }

    fn literal(&mut self, ty: Ty) -> String {
        let elem = element(ty);
        if float(ty) {
            return self
                .r
                .pick(&[
                    "0.0",
                    "-0.0",
                    "1.0",
                    "-1.5",
                    "0.1",
                    "3.0e38",
                    "-2.5",
                    "7.0",
                    "0.5",
                    "1.0e-30",
                    "16777217.0",
                ])
                .into();
        }
        if elem == "i1" {
            return self.r.pick(&["true", "false"]).into();
        }
        let bits = width(ty).min(64);
        let least = -(1i128 << (bits - 1));
        match self.r.below(9) {
            0 => "0".into(),
            1 => "-1".into(),
            2 => least.to_string(),
            3 => (-least - 1).to_string(),
            4 => "1".into(),
            5 => (self.r.below(64i64) % (1i64 << (bits - 1).min(6))).to_string(),
            6 => (bits - 1).to_string(),
            7 => bits.min(if bits < 8 { 3 } else { 64 }).to_string(),
            _ => {
                let any = i128::from(self.r.next() as i64) % (-least);
                any.to_string()
            }
        }
    }

    fn constant(&mut self, ty: Ty) -> String {
        let value = self.literal(ty);
        if ty.starts_with("vector") {
            return self.define(ty, &format!("arith.constant dense<{value}> : {ty}"));
        }
        if ty == "i1" {
            return self.define(ty, &format!("arith.constant {value}"));
        }
        self.define(ty, &format!("arith.constant {value} : {ty}"))
    }

    fn any(&mut self) -> Ty {
        if !self.vectors.is_empty() && self.r.below(5) == 0 {
            let all = self.vectors.clone();
            return self.r.pick(&all);
        }
        let all = self.types.clone();
        self.r.pick(&all)
    }

    fn block(&mut self, depth: usize, count: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let choice = self.r.below(if self.options.straight { 10 } else { 20 });
        match choice {
            0..=6 => self.arith(),
            7 => self.convert(),
            8 => self.vector_op(),
            9 => self.math(),
            10 | 11 => self.load(),
            12 if !self.pure => self.store(),
            13 if !self.pure => self.alloc(),
            14..=15 if depth > 0 => self.branch(depth),
            16..=17 if depth > 0 => self.count(depth),
            18 if depth > 0 => self.repeat(depth),
            19 if depth > 0 => self.parallel_or_switch(depth),
            _ => self.arith(),
        }
    }

    /// What the function returns: a value of each common type, others as numbers, and some that are drawn
    fn returned(&mut self, float: Ty) -> Vec<(String, Ty)> {
        let mut results: Vec<(String, Ty)> = Vec::new();
        for ty in ["i32", "i64", "i1", float, "i8"] {
            if let Some(found) = self.pool.iter().rev().find(|value| value.1 == ty) {
                results.push(found.clone());
            }
        }
        self.other_results(&mut results);
        for _ in 0..3 {
            let plain: Vec<_> = self
                .pool
                .iter()
                .filter(|v| matches!(v.1, "i8" | "i16" | "i32" | "i64" | "f32" | "f64" | "i1"))
                .cloned()
                .collect();
            results.push(self.r.choose(&plain).cloned().unwrap_or_else(|| ("%a".into(), "i32")));
        }
        results
    }

    /// Results of types that callers do not take, as types that they do
    fn other_results(&mut self, results: &mut Vec<(String, Ty)>) {
        for ty in [
            "i7",
            "i33",
            "i128",
            "i16",
            "f64",
            "vector<4xi32>",
            "vector<2xf64>",
            "vector<4xf32>",
            "vector<2x4xi32>",
        ] {
            let Some((value, ty)) = self.pool.iter().rev().find(|value| value.1 == ty).cloned() else {
                continue;
            };
            let shown: (&str, Ty) = match ty {
                "i7" => ("arith.extsi", "i8"),
                "i33" => ("arith.extui", "i64"),
                "i128" => ("arith.trunci", "i64"),
                "i16" | "f64" => {
                    results.push((value, ty));
                    continue;
                }
                _ => {
                    let elem: Ty = if ty.contains("i32") {
                        "i32"
                    } else if ty.contains("f64") {
                        "f64"
                    } else {
                        "f32"
                    };
                    let at = if ty.contains("2x4") { "1, 3" } else { "1" };
                    let name = self.define(elem, &format!("vector.extract {value}[{at}] : {elem} from {ty}"));
                    results.push((name, elem));
                    continue;
                }
            };
            let name = self.define(shown.1, &format!("{} {value} : {ty} to {}", shown.0, shown.1));
            results.push((name, shown.1));
        }
    }

    fn vector_op(&mut self) {
        if self.vectors.is_empty() {
            return self.arith();
        }
        let all = self.vectors.clone();
        let ty = self.r.pick(&all);
        let elem: Ty =
            ["i1", "i8", "i32", "f32", "f64"].into_iter().find(|e| *e == element(ty)).unwrap_or("i32");
        let sizes: Vec<i64> =
            ty[7..].trim_end_matches('>').split('x').filter_map(|part| part.parse().ok()).collect();
        let v = self.of(ty);
        match self.r.below(6) {
            0 => {
                let s = self.of(elem);
                self.define(ty, &format!("vector.broadcast {s} : {elem} to {ty}"));
            }
            1 => {
                let at: Vec<String> = sizes.iter().map(|n| self.r.below(*n).to_string()).collect();
                self.define(elem, &format!("vector.extract {v}[{}] : {elem} from {ty}", at.join(", ")));
            }
            2 => {
                let at: Vec<String> = sizes.iter().map(|n| self.r.below(*n).to_string()).collect();
                let s = self.of(elem);
                self.define(ty, &format!("vector.insert {s}, {v} [{}] : {elem} into {ty}", at.join(", ")));
            }
            3 if sizes.len() == 1 && elem != "i1" => {
                let kind = match float(ty) {
                    true => self.r.pick(&["maxnumf", "minimumf"]),
                    false => self.r.pick(&["add", "mul", "xor", "maxsi", "minui", "or", "and"]),
                };
                self.define(elem, &format!("vector.reduction <{kind}>, {v} : {ty} into {elem}"));
            }
            4 if sizes.len() == 1 => {
                let w = self.of(ty);
                let at: Vec<String> = (0..sizes[0]).map(|_| self.r.below(2 * sizes[0]).to_string()).collect();
                self.define(ty, &format!("vector.shuffle {v}, {w} [{}] : {ty}, {ty}", at.join(", ")));
            }
            _ => self.select(ty),
        }
    }

    /// An index below a size
    fn place(&mut self, size: i64) -> String {
        if self.r.below(3) == 0 {
            let c = self.r.below(size);
            return self.define("index", &format!("arith.constant {c} : index"));
        }
        let any = self.of("index");
        let size = self.define("index", &format!("arith.constant {size} : index"));
        self.define("index", &format!("arith.remui {any}, {size} : index"))
    }

    fn buffer(&mut self) -> Option<(String, String, String, Ty)> {
        let (name, sizes, elem) = self.r.choose(&self.buffers).cloned()?;
        let at: Vec<String> = sizes.iter().map(|size| self.place(*size)).collect();
        let shape: String = sizes.iter().map(|size| format!("{size}x")).collect();
        Some((name, at.join(", "), format!("memref<{shape}{elem}>"), elem))
    }

    fn load(&mut self) {
        let Some((name, at, ty, elem)) = self.buffer() else { return };
        self.define(elem, &format!("memref.load {name}[{at}] : {ty}"));
    }

    fn store(&mut self) {
        let Some((name, at, ty, elem)) = self.buffer() else { return };
        let value = self.of(elem);
        self.line(&format!("memref.store {value}, {name}[{at}] : {ty}"));
    }

    fn alloc(&mut self) {
        let stored = |ty: &Ty| matches!(*ty, "i8" | "i32" | "f32" | "f64" | "i64");
        let all: Vec<Ty> = self.types.iter().copied().filter(stored).collect();
        let elem = self.r.pick(&all);
        let sizes: Vec<i64> = (0..self.r.below(3usize)).map(|_| self.r.pick(&[1, 2, 3, 4])).collect();
        let shape: String = sizes.iter().map(|size| format!("{size}x")).collect();
        let name = self.fresh();
        let how = self.r.pick(&["alloc", "alloca", "alloca"]);
        self.line(&format!("{name} = memref.{how}() : memref<{shape}{elem}>"));
        // All of it gets a value.
        let count: i64 = sizes.iter().product();
        let value = self.of(elem);
        for n in 0..count {
            let mut left = n;
            let mut at = Vec::new();
            for size in sizes.iter().rev() {
                at.push(self.define("index", &format!("arith.constant {} : index", left % size)));
                left /= size;
            }
            at.reverse();
            self.line(&format!("memref.store {value}, {name}[{}] : memref<{shape}{elem}>", at.join(", ")));
        }
        self.buffers.push((name, sizes, elem));
    }

    /// Statements of a region of its own; what it defined is out of sight again
    fn inside(&mut self, depth: usize, types: &[Ty], terminator: &str) {
        let (pool, buffers) = (self.pool.len(), self.buffers.len());
        self.indent += 1;
        let count = 1 + self.r.below(self.options.statements);
        self.block(depth - 1, count);
        if !self.pure && self.r.coin() {
            self.store();
        }
        let values: Vec<String> = types.iter().map(|ty| self.of(ty)).collect();
        if !types.is_empty() {
            self.line(&format!("{terminator} {} : {}", values.join(", "), types.join(", ")));
        }
        self.indent -= 1;
        self.pool.truncate(pool);
        self.buffers.truncate(buffers);
    }

    fn carried(&mut self) -> Vec<Ty> {
        (0..self.r.below(3usize)).map(|_| self.any()).collect()
    }

    fn results(&mut self, types: &[Ty]) -> (String, String) {
        let name = self.fresh();
        match types.len() {
            0 => (String::new(), name),
            1 => (format!("{name} = "), name),
            n => (format!("{name}:{n} = "), name),
        }
    }

    fn push_results(&mut self, name: &str, types: &[Ty]) {
        for (n, ty) in types.iter().enumerate() {
            let value = if types.len() == 1 { name.to_owned() } else { format!("{name}#{n}") };
            self.pool.push((value, ty));
        }
    }

    fn branch(&mut self, depth: usize) {
        let types = self.carried();
        let c = self.of("i1");
        let (left, name) = self.results(&types);
        let arrow = if types.is_empty() { String::new() } else { format!(" -> ({})", types.join(", ")) };
        self.line(&format!("{left}scf.if {c}{arrow} {{"));
        self.inside(depth, &types, "scf.yield");
        if !types.is_empty() || self.r.coin() {
            self.line("} else {");
            self.inside(depth, &types, "scf.yield");
        }
        self.line("}");
        self.push_results(&name, &types);
    }

    fn count(&mut self, depth: usize) {
        let types = self.carried();
        let ty = self.r.pick(&["index", "index", "index", "i32"]);
        let from = self.r.below(3i64);
        let lb = self.define(ty, &format!("arith.constant {from} : {ty}"));
        let ub = if self.r.coin() {
            let c = self.r.below(7i64);
            self.define(ty, &format!("arith.constant {c} : {ty}"))
        } else {
            let any = self.of(ty);
            let five = self.define(ty, &format!("arith.constant 6 : {ty}"));
            self.define(ty, &format!("arith.remui {any}, {five} : {ty}"))
        };
        let step = 1 + self.r.below(3i64);
        let step = self.define(ty, &format!("arith.constant {step} : {ty}"));
        let inits: Vec<String> = types.iter().map(|ty| self.of(ty)).collect();
        let (left, name) = self.results(&types);
        let i = self.fresh();
        let args: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let iter = match types.is_empty() {
            true => String::new(),
            false => {
                let pairs: Vec<String> = args.iter().zip(&inits).map(|(a, b)| format!("{a} = {b}")).collect();
                format!(" iter_args({}) -> ({})", pairs.join(", "), types.join(", "))
            }
        };
        let of = if ty == "index" { String::new() } else { format!(" : {ty}") };
        self.line(&format!("{left}scf.for {i} = {lb} to {ub} step {step}{iter}{of} {{"));
        let pool = self.pool.len();
        self.pool.push((i, ty));
        self.pool.extend(args.into_iter().zip(types.iter().copied()));
        self.inside(depth, &types, "scf.yield");
        self.pool.truncate(pool);
        self.line("}");
        self.push_results(&name, &types);
    }

    /// A `scf.while` that counts down
    fn repeat(&mut self, depth: usize) {
        let mut types = self.carried();
        types.insert(0, "i32");
        let start = self.r.below(5i64);
        let mut inits = vec![self.define("i32", &format!("arith.constant {start} : i32"))];
        for ty in &types[1..] {
            inits.push(self.of(ty));
        }
        let name = self.fresh();
        let n = types.len();
        let left = if n == 1 { format!("{name} = ") } else { format!("{name}:{n} = ") };
        let args: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let pairs: Vec<String> = args.iter().zip(&inits).map(|(a, b)| format!("{a} = {b}")).collect();
        let list = types.join(", ");
        self.line(&format!("{left}scf.while ({}) : ({list}) -> ({list}) {{", pairs.join(", ")));
        let (pool, buffers) = (self.pool.len(), self.buffers.len());
        self.pool.extend(args.iter().cloned().zip(types.iter().copied()));
        self.indent += 1;
        let count = self.r.below(3);
        self.block(depth - 1, count);
        let zero = self.define("i32", "arith.constant 0 : i32");
        let more = self.define("i1", &format!("arith.cmpi sgt, {}, {zero} : i32", args[0]));
        let passed: Vec<String> = types
            .iter()
            .enumerate()
            .map(|(n, ty)| if n == 0 { args[0].clone() } else { self.of(ty) })
            .collect();
        self.line(&format!("scf.condition({more}) {} : {list}", passed.join(", ")));
        self.indent -= 1;
        self.pool.truncate(pool);
        self.buffers.truncate(buffers);
        let args: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let heads: Vec<String> = args.iter().zip(&types).map(|(a, ty)| format!("{a}: {ty}")).collect();
        self.line("} do {");
        self.line(&format!("^bb0({}):", heads.join(", ")));
        self.pool.extend(args.iter().cloned().zip(types.iter().copied()));
        self.indent += 1;
        let count = 1 + self.r.below(4);
        self.block(depth - 1, count);
        let one = self.define("i32", "arith.constant 1 : i32");
        let less = self.define("i32", &format!("arith.subi {}, {one} : i32", args[0]));
        let passed: Vec<String> =
            types.iter().enumerate().map(|(n, ty)| if n == 0 { less.clone() } else { self.of(ty) }).collect();
        self.line(&format!("scf.yield {} : {list}", passed.join(", ")));
        self.indent -= 1;
        self.pool.truncate(pool);
        self.buffers.truncate(buffers);
        self.line("}");
        self.push_results(&name, &types);
    }

    fn parallel_or_switch(&mut self, depth: usize) {
        if self.r.coin() || self.pure {
            let types = self.carried();
            let on = self.of("index");
            let three = self.define("index", "arith.constant 3 : index");
            let on = self.define("index", &format!("arith.remui {on}, {three} : index"));
            let (left, name) = self.results(&types);
            let arrow = if types.is_empty() { String::new() } else { format!(" -> {}", types.join(", ")) };
            self.line(&format!("{left}scf.index_switch {on}{arrow}"));
            for case in ["case 0", "case 2", "default"] {
                self.line(&format!("{case} {{"));
                self.inside(depth, &types, "scf.yield");
                if types.is_empty() {
                    self.indent += 1;
                    self.line("scf.yield");
                    self.indent -= 1;
                }
                self.line("}");
            }
            self.push_results(&name, &types);
            return;
        }
        // A parallel loop with a sum; only its own elements are written.
        let size = 1 + self.r.below(6i64);
        let zero = self.define("index", "arith.constant 0 : index");
        let end = self.define("index", &format!("arith.constant {size} : index"));
        let one = self.define("index", "arith.constant 1 : index");
        let buffer = self.fresh();
        self.line(&format!("{buffer} = memref.alloc() : memref<{size}xi32>"));
        let init = self.of("i32");
        let (name, i) = (self.fresh(), self.fresh());
        self.line(&format!(
            "{name} = scf.parallel ({i}) = ({zero}) to ({end}) step ({one}) init ({init}) -> i32 {{"
        ));
        let (pool, buffers) = (self.pool.len(), self.buffers.len());
        self.pool.push((i.clone(), "index"));
        self.pure = true;
        self.indent += 1;
        let count = 1 + self.r.below(4);
        self.block(depth - 1, count);
        let (value, part) = (self.of("i32"), self.of("i32"));
        self.line(&format!("memref.store {value}, {buffer}[{i}] : memref<{size}xi32>"));
        self.line(&format!("scf.reduce({part} : i32) {{"));
        self.line("^bb0(%left: i32, %right: i32):");
        let op = self.r.pick(&["addi", "muli", "xori", "maxsi"]);
        self.line(&format!("  %both = arith.{op} %left, %right : i32"));
        self.line("  scf.reduce.return %both : i32");
        self.line("}");
        self.indent -= 1;
        self.pure = false;
        self.pool.truncate(pool);
        self.buffers.truncate(buffers);
        self.line("}");
        self.pool.push((name, "i32"));
        self.buffers.push((buffer, vec![size], "i32"));
    }
}
