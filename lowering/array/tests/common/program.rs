//! Random well-typed programs: chains of layout ops, maps at random levels, reductions, scans, places.

use std::fmt::Write;
use terrace_support::Random;

/// Most elements of an array
const MOST: i64 = 600;

struct Program {
    r: Random,
    body: String,
    next: usize,
    indent: usize,
    /// Levels of maps that compute, from the outside
    grid: bool,
}

type Array = (String, Vec<i64>);

fn type_of(shape: &[i64]) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size} x ")).collect();
    format!("!array.of<{sizes}i32>")
}

fn divisors(n: i64) -> Vec<i64> {
    (1..=n).filter(|d| n % d == 0).collect()
}

impl Program {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{}{text}", "  ".repeat(self.indent));
    }

    fn op(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }

    /// One layout op of the outermost dimensions
    fn layout(&mut self, (x, shape): &Array) -> Array {
        let (n, rest) = (shape[0], shape[1..].to_vec());
        let with = |first: &[i64], rest: &[i64]| [first, rest].concat();
        let choice = self.r.below(12);
        match choice {
            0 => {
                let all = divisors(n);
                let m = all[self.r.below(all.len() as i64) as usize];
                (self.op(&format!("array.split {m} {x}")), with(&[n / m, m], &rest))
            }
            1 | 2 if shape.len() >= 2 => {
                if self.r.coin() {
                    (self.op(&format!("array.join {x}")), with(&[n * rest[0]], &rest[1..]))
                } else {
                    (self.op(&format!("array.transpose {x}")), with(&[rest[0], n], &rest[1..]))
                }
            }
            3 => {
                let (size, step) = (1 + self.r.below(n.min(4)), 1 + self.r.below(3));
                let count = (n - size) / step + 1;
                (self.op(&format!("array.slide {size} by {step} {x}")), with(&[count, size], &rest))
            }
            4 | 5 => {
                let (low, high) = (self.r.below(4) - 1, self.r.below(4) - 1);
                let mode = self.r.pick(&["value %s", "value %s", "clamp", "wrap", "mirror"]);
                let most = low.max(high);
                if n + low + high <= 0 || mode == "mirror" && most >= n {
                    return (x.clone(), shape.clone());
                }
                (self.op(&format!("array.pad {low}, {high} {mode} {x}")), with(&[n + low + high], &rest))
            }
            6 => {
                let offset = self.r.below(n);
                let size = 1 + self.r.below(n - offset);
                (self.op(&format!("array.slice {offset}, {size} {x}")), with(&[size], &rest))
            }
            7 => {
                let all = divisors(n);
                let s = all[self.r.below(all.len() as i64) as usize];
                (self.op(&format!("array.reorder strided {s} {x}")), shape.clone())
            }
            8 => {
                let last = n - 1;
                (self.op(&format!("array.reorder by {last} - $i inverse {last} - $i {x}")), shape.clone())
            }
            9 => {
                let size = (n + 1) / 2;
                (
                    self.op(&format!("array.gather {x} by {} - 2 * $i size {size}", 2 * (size - 1))),
                    with(&[size], &rest),
                )
            }
            10 if shape.len() >= 2 => {
                // The same inside of each element.
                let out = self.name();
                self.next += 1;
                let arg = format!("%e{}", self.next);
                self.line(&format!("{out} = array.map {x} as {arg} {{"));
                self.indent += 1;
                let (inner, inner_shape) = self.layout(&(arg, rest));
                self.line(&format!("array.yield {inner}"));
                self.indent -= 1;
                self.line("}");
                (out, with(&[n], &inner_shape))
            }
            _ => (x.clone(), shape.clone()),
        }
    }

    /// A level for a map of this extent
    fn level(&mut self, depth: usize, innermost: bool, extent: i64) -> &'static str {
        if self.grid {
            return match depth {
                0 => " : block.x",
                1 => " : thread.x",
                _ => "",
            };
        }
        match self.r.below(6) {
            0 if depth == 0 => " : task",
            1 if depth > 0 => " : fused",
            2 if extent <= 6 => " : unroll",
            3 if innermost && extent <= 16 => " : vector",
            _ => "",
        }
    }

    /// A function of each number, or of the last dimension
    fn compute(&mut self, (x, shape): &Array, depth: usize) -> Array {
        let what = if shape.len() == 1 { self.r.below(6) } else { 0 };
        if shape.len() == 1 && depth > 0 && what == 1 {
            // The rest is folded.
            let (operator, init) = (self.r.pick(&["add", "max", "mul"]), self.r.pick(&["", "init %s "]));
            let arg = format!("%a{}", self.next);
            let out = self.name();
            self.line(&format!("{out} = array.reduce {operator} {init}{x} as {arg} {{"));
            self.line(&format!("  array.yield {arg}"));
            self.line("}");
            return (out, Vec::new());
        }
        if shape.len() == 1 && what == 2 || shape.len() == 2 && !self.grid && self.r.below(12) == 0 {
            let operator = self.r.pick(&["add", "max"]);
            let exclusive = self.r.pick(&["", " exclusive"]);
            let arg = format!("%a{}", self.next);
            let out = self.name();
            self.line(&format!("{out} = array.scan {operator}{exclusive} {x} as {arg} {{"));
            self.line(&format!("  array.yield {arg}"));
            self.line("}");
            return (out, shape.clone());
        }
        let level = self.level(depth, shape.len() == 1, shape[0]);
        let out = self.name();
        self.next += 1;
        let arg = format!("%e{}", self.next);
        self.line(&format!("{out} = array.map {x}{level} as {arg} {{"));
        self.indent += 1;
        let (inner, inner_shape) = if shape.len() == 1 {
            let op = self.r.pick(&["addi", "muli", "subi", "maxsi"]);
            let other = if self.r.coin() { "%s".to_string() } else { arg.clone() };
            (self.op(&format!("arith.{op} {arg}, {other} : i32")), Vec::new())
        } else {
            let mut element = (arg, shape[1..].to_vec());
            if self.r.below(4) == 0 {
                element = self.layout(&element);
            }
            if element.1.iter().product::<i64>() > MOST {
                element = (format!("%e{}", self.next), shape[1..].to_vec());
            }
            let mut found = self.compute(&element, depth + 1);
            if !found.1.is_empty() && self.r.below(5) == 0 {
                let space = if self.grid { "private" } else { "l1" };
                found.0 = self.op(&format!("array.place \"{space}\" {}", found.0));
            }
            found
        };
        self.line(&format!("array.yield {inner}"));
        self.indent -= 1;
        self.line("}");
        (out, [&[shape[0]], inner_shape.as_slice()].concat())
    }
}

/// A program, and whether it uses levels
pub fn program(seed: u64) -> String {
    let mut r = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        r.below(2);
    }
    let rank = 1 + r.below(3) as usize;
    let start: Vec<i64> = (0..rank).map(|_| [2, 3, 4, 6, 8][r.below(5) as usize]).collect();
    let grid = r.below(5) == 0;
    let mut p = Program { r, body: String::new(), next: 0, indent: 1, grid };
    let mut x: Array = ("%x".to_string(), start.clone());
    for _ in 0..1 + p.r.below(3) {
        for _ in 0..p.r.below(4) {
            let (mark, before) = (p.body.len(), x.clone());
            x = p.layout(&x);
            if x.1.iter().product::<i64>() > MOST {
                p.body.truncate(mark);
                x = before;
            }
        }
        match p.r.below(5) {
            0 if x.1.len() > 1 => {
                let (operator, arg) = (p.r.pick(&["add", "max"]), format!("%a{}", p.next));
                let out = p.name();
                p.line(&format!("{out} = array.reduce {operator} {} as {arg} {{", x.0));
                p.line(&format!("  array.yield {arg}"));
                p.line("}");
                x = (out, x.1[1..].to_vec());
            }
            1 => {
                let other = p.op(&format!("array.concat {}, {}", x.0, x.0));
                x = (other, [&[2 * x.1[0]], &x.1[1..]].concat());
                if x.1.iter().product::<i64>() <= MOST {
                    x = p.compute(&x, 0);
                }
            }
            _ => x = p.compute(&x, 0),
        }
        if p.r.coin() {
            let space = p.r.pick(&["global", "main"]);
            x.0 = p.op(&format!("array.place \"{space}\" {}", x.0));
        }
    }
    for _ in 0..p.r.below(3) {
        let (mark, before) = (p.body.len(), x.clone());
        x = p.layout(&x);
        if x.1.iter().product::<i64>() > MOST {
            p.body.truncate(mark);
            x = before;
        }
    }
    let result = if x.1.is_empty() { "i32".to_string() } else { type_of(&x.1) };
    format!(
        "func.func @f(%x: {}, %s: i32) -> {result} {{\n{}  return {} : {result}\n}}\n",
        type_of(&start),
        p.body,
        x.0
    )
}
