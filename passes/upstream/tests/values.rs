//! Random functions on buffers of odd sizes: what a pass makes of them computes the same.
//!
//! The writer knows the size behind each `?`, so that every access and every structured op fits; the text does not say it.
//! The interpreter runs structured ops only with sizes in types, so each function is written twice: with loops in their
//! place, which is what it means, and with the ops.

use std::fmt::Write;
use terrace_dialect_test::Harness;
use terrace_dialect_test::values::{element, fill, interpreter, read, shown};
use terrace_interp::RtValue;
use terrace_ir::Ir;
use terrace_pass::Registry;
use terrace_support::Random;

const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL],
    registry: Registry { passes: &[terrace_passes_upstream::PASSES], pipelines: &[] },
};

/// Sizes of buffers: nothing that a vector or a tile divides
const SIZES: [i64; 6] = [1, 2, 3, 5, 7, 11];

/// A buffer of the function, with its sizes
#[derive(Clone)]
struct Matrix {
    name: String,
    sizes: [i64; 2],
}

struct Writer {
    random: Random,
    text: String,
    matrices: Vec<Matrix>,
    /// Values of type `index` with what they are
    numbers: Vec<(String, i64)>,
    names: usize,
    /// Loops in place of structured ops
    loops: bool,
}

impl Writer {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn matrix(&mut self) -> Matrix {
        self.matrices[self.random.below(self.matrices.len())].clone()
    }

    fn number(&mut self) -> (String, i64) {
        self.numbers[self.random.below(self.numbers.len())].clone()
    }

    /// A value that is this size: one that is there, or a constant
    fn size(&mut self, size: i64) -> String {
        let known: Vec<String> =
            self.numbers.iter().filter(|(_, number)| *number == size).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.random.below(4usize) > 0 {
            return known[self.random.below(known.len())].clone();
        }
        let name = self.name();
        self.line(&format!("{name} = arith.constant {size} : index"));
        self.numbers.push((name.clone(), size));
        name
    }

    fn dim(&mut self) {
        let matrix = self.matrix();
        let axis = self.random.below(2usize);
        let (at, name) = (self.name(), self.name());
        self.line(&format!("{at} = arith.constant {axis} : index"));
        self.line(&format!("{name} = memref.dim {}, {at} : memref<?x?xi32>", matrix.name));
        self.numbers.push((name, matrix.sizes[axis]));
    }

    fn arithmetic(&mut self) {
        let ((a, x), (b, y)) = (self.number(), self.number());
        let all = [
            ("addi", Some(x + y)),
            ("subi", Some(x - y)),
            ("muli", Some(x * y)),
            ("divsi", (y != 0).then(|| x / y)),
            ("divui", (x >= 0 && y > 0).then(|| x / y)),
            (
                "ceildivsi",
                (y != 0)
                    .then(|| x.div_euclid(y) + i64::from(x.rem_euclid(y) != 0))
                    .filter(|_| x >= 0 && y > 0),
            ),
            ("ceildivui", (x >= 0 && y > 0).then(|| (x + y - 1) / y)),
            ("floordivsi", (y > 0).then(|| x.div_euclid(y))),
            ("remsi", (y != 0).then(|| x % y)),
            ("remui", (x >= 0 && y > 0).then(|| x % y)),
            ("minsi", Some(x.min(y))),
            ("maxsi", Some(x.max(y))),
        ];
        let (op, result) = all[self.random.below(all.len())];
        let Some(result) = result.filter(|result| result.abs() < 1 << 20) else { return };
        let name = self.name();
        self.line(&format!("{name} = arith.{op} {a}, {b} : index"));
        self.numbers.push((name, result));
    }

    fn alloc(&mut self, sizes: [i64; 2]) -> Matrix {
        let of = sizes.map(|size| self.size(size));
        let (name, filling) = (self.name(), self.name());
        self.line(&format!("{name} = memref.alloc({}, {}) : memref<?x?xi32>", of[0], of[1]));
        let value = self.random.below(9usize);
        self.line(&format!("{filling} = arith.constant {value} : i32"));
        let op = format!("linalg.fill ins({filling} : i32) outs({name} : memref<?x?xi32>)");
        self.structured(
            &[("%i", sizes[0]), ("%j", sizes[1])],
            &op,
            &[format!("memref.store {filling}, {name}[%i, %j] : memref<?x?xi32>")],
        );
        let matrix = Matrix { name, sizes };
        self.matrices.push(matrix.clone());
        matrix
    }

    /// A matrix of these sizes, new if there is none
    fn of_sizes(&mut self, sizes: [i64; 2]) -> Matrix {
        let found = self.matrices.iter().find(|matrix| matrix.sizes == sizes).cloned();
        match found {
            Some(found) if self.random.coin() => found,
            _ => self.alloc(sizes),
        }
    }

    /// A structured op, or loops with a body
    fn structured(&mut self, loops: &[(&str, i64)], op: &str, body: &[String]) {
        let (zero, one) = (self.size(0), self.size(1));
        let ends: Vec<String> = loops.iter().map(|(_, size)| self.size(*size)).collect();
        if !self.loops {
            self.line(op);
            return;
        }
        for ((name, _), end) in loops.iter().zip(ends) {
            self.line(&format!("scf.for {name} = {zero} to {end} step {one} {{"));
        }
        body.iter().for_each(|line| self.line(line));
        self.line(&"}".repeat(loops.len()));
    }

    fn product(&mut self) {
        let (a, b) = (self.matrix(), self.matrix());
        let b = if b.sizes[0] == a.sizes[1] { b } else { self.of_sizes([a.sizes[1], b.sizes[1]]) };
        let c = self.alloc([a.sizes[0], b.sizes[1]]);
        let m = "memref<?x?xi32>";
        let op = format!("linalg.matmul ins({}, {} : {m}, {m}) outs({} : {m})", a.name, b.name, c.name);
        let body = [
            format!("%x = memref.load {}[%i, %k] : {m}", a.name),
            format!("%y = memref.load {}[%k, %j] : {m}", b.name),
            format!("%z = memref.load {}[%i, %j] : {m}", c.name),
            "%p = arith.muli %x, %y : i32".to_string(),
            "%s = arith.addi %z, %p : i32".to_string(),
            format!("memref.store %s, {}[%i, %j] : {m}", c.name),
        ];
        let loops = [("%i", a.sizes[0]), ("%j", b.sizes[1]), ("%k", a.sizes[1])];
        self.structured(&loops, &op, &body);
    }

    fn pointwise(&mut self) {
        let a = self.matrix();
        let turned = self.random.coin();
        let sizes = if turned { [a.sizes[1], a.sizes[0]] } else { a.sizes };
        let out = self.alloc(sizes);
        let map = if turned { "(i, j) -> (j, i)" } else { "(i, j) -> (i, j)" };
        let m = "memref<?x?xi32>";
        let op = format!(
            "linalg.generic {{indexing_maps = [affine_map<{map}>, affine_map<(i, j) -> (i, j)>], \
             iterator_types = [\"parallel\", \"parallel\"]}} ins({} : {m}) outs({} : {m}) {{\n\
             ^bb0(%x: i32, %y: i32):\n  %z = arith.subi %y, %x : i32\n  linalg.yield %z : i32\n}}",
            a.name, out.name
        );
        let body = [
            format!("%x = memref.load {}[{}] : {m}", a.name, if turned { "%j, %i" } else { "%i, %j" }),
            format!("%y = memref.load {}[%i, %j] : {m}", out.name),
            "%z = arith.subi %y, %x : i32".to_string(),
            format!("memref.store %z, {}[%i, %j] : {m}", out.name),
        ];
        self.structured(&[("%i", sizes[0]), ("%j", sizes[1])], &op, &body);
    }

    /// Add up the rows of a matrix in a loop that carries the sum
    fn sums(&mut self) {
        let a = self.matrix();
        let out = self.alloc([a.sizes[0], 1]);
        let (zero, one) = (self.size(0), self.size(1));
        let (rows, columns) = (self.size(a.sizes[0]), self.size(a.sizes[1]));
        let start = self.name();
        self.line(&format!("{start} = arith.constant 0 : i32"));
        self.line(&format!("scf.for %i = {zero} to {rows} step {one} {{"));
        self.line(&format!(
            "  %s = scf.for %j = {zero} to {columns} step {one} iter_args(%t = {start}) -> (i32) {{"
        ));
        self.line(&format!("    %x = memref.load {}[%i, %j] : memref<?x?xi32>", a.name));
        self.line("    %p = arith.muli %x, %x : i32");
        self.line("    %u = arith.addi %t, %p : i32");
        self.line("    scf.yield %u : i32\n    }");
        self.line(&format!("  memref.store %s, {}[%i, {zero}] : memref<?x?xi32>", out.name));
        self.line("}");
    }

    fn copy(&mut self) {
        let from = self.matrix();
        let to = self.of_sizes(from.sizes);
        if to.name != from.name {
            self.line(&format!(
                "memref.copy {}, {} : memref<?x?xi32> to memref<?x?xi32>",
                from.name, to.name
            ));
        }
    }
}

/// The function `@f` on three buffers and a number; sizes of the buffers and the number
fn program(seed: u64, loops: bool) -> (String, Vec<[i64; 2]>, i64) {
    let mut random = Random::new(seed);
    let sizes: Vec<[i64; 2]> = (0..3).map(|_| [random.pick(&SIZES), random.pick(&SIZES)]).collect();
    let n = random.pick(&SIZES);
    let matrices =
        sizes.iter().enumerate().map(|(at, sizes)| Matrix { name: format!("%a{at}"), sizes: *sizes });
    let matrices = matrices.collect();
    let numbers = vec![("%n".to_string(), n)];
    let mut writer = Writer { random, text: String::new(), matrices, numbers, names: 0, loops };
    for _ in 0..4 + writer.random.below(8usize) {
        match writer.random.below(8usize) {
            0 | 1 => writer.dim(),
            2 | 3 => writer.arithmetic(),
            4 => writer.product(),
            5 => writer.pointwise(),
            6 => writer.sums(),
            _ => writer.copy(),
        }
    }
    // What was computed shows in the first argument: each buffer adds its sum to one element.
    let all = writer.matrices.clone();
    for matrix in &all[3..] {
        let (zero, one) = (writer.size(0), writer.size(1));
        let [rows, columns] = matrix.sizes.map(|size| writer.size(size));
        writer.line(&format!("scf.for %i = {zero} to {rows} step {one} {{"));
        writer.line(&format!("  scf.for %j = {zero} to {columns} step {one} {{"));
        writer.line(&format!("    %x = memref.load {}[%i, %j] : memref<?x?xi32>", matrix.name));
        writer.line(&format!("    %o = memref.load %a0[{zero}, {zero}] : memref<?x?xi32>"));
        writer.line("    %k = arith.constant 31 : i32");
        writer.line("    %m = arith.muli %o, %k : i32");
        writer.line("    %q = arith.addi %m, %x : i32");
        writer.line(&format!("    memref.store %q, %a0[{zero}, {zero}] : memref<?x?xi32>"));
        writer.line("  }\n  }");
    }
    let args = (0..3).map(|at| format!("%a{at}: memref<?x?xi32>")).collect::<Vec<_>>().join(", ");
    let text =
        format!("func.func @f({args}, %n: index) -> index {{\n{}  return %n : index\n}}\n", writer.text);
    (text, sizes, n)
}

/// What the function leaves in its arguments
fn run(ir: &Ir, sizes: &[[i64; 2]], n: i64) -> Result<Vec<Vec<Option<f64>>>, String> {
    let (cx, mut machine) = (ir.cx(), interpreter(ir));
    let mut views = Vec::new();
    for (seed, sizes) in sizes.iter().enumerate() {
        let values: Vec<RtValue> =
            (0..sizes[0] * sizes[1]).map(|at| element(cx, cx.common().i32, at as usize, seed)).collect();
        views.push(fill(&mut machine, sizes, &values));
    }
    let args = views.iter().cloned().map(RtValue::MemRef).chain([RtValue::index(n)]).collect();
    machine.call("f", args).map_err(|trap| trap.message)?;
    Ok(views.iter().zip(sizes).map(|(view, sizes)| read(&mut machine, sizes, view)).collect())
}

fn parse(text: &str, seed: u64) -> Box<Ir> {
    HARNESS.parse(text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"))
}

#[test]
fn passes_keep_what_random_functions_compute() {
    let mut structured = 0;
    for seed in 0..150 {
        let (text, sizes, n) = program(seed, true);
        let wanted =
            run(&parse(&text, seed), &sizes, n).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let given: Vec<String> =
            sizes.iter().enumerate().map(|(at, [rows, columns])| format!("a{at}={rows}x{columns}")).collect();
        let all = format!("bind-sizes{{sizes={},n={n}}}", given.join(","));
        // Some sizes only: the others stay open.
        let some = format!("bind-sizes{{sizes={}}}", given[(seed % 3) as usize]);
        for passes in [&all, &some, "scf-peel-first", &format!("{all},scf-peel-first")] {
            let mut ir = parse(&text, seed);
            let pipeline = format!("builtin.module(func.func({passes}),disjoint-arguments)");
            HARNESS
                .run(&mut ir, &pipeline)
                .unwrap_or_else(|why| panic!("seed {seed}: {passes}: {why}\n{text}"));
            let found =
                run(&ir, &sizes, n).unwrap_or_else(|why| panic!("seed {seed}: {passes}: {why}\n{text}"));
            assert_eq!(found, wanted, "seed {seed}: {passes}\n{text}");
        }
        let (text, ..) = program(seed, false);
        let mut ir = parse(&text, seed);
        let pipeline = format!("builtin.module(func.func({all}),disjoint-arguments)");
        HARNESS.run(&mut ir, &pipeline).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        // A size that follows from a division of negative numbers stays open.
        if !shown(&ir).contains("memref<?") {
            let found = run(&ir, &sizes, n).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            assert_eq!(found, wanted, "seed {seed}\n{text}");
            structured += 1;
        }
    }
    assert!(structured > 100, "{structured}");
}
