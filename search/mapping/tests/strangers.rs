//! What is valid lowers, and gives the values: programs as a user writes them who knows patterns and no levels. Maps in maps,
//! one after the other, reductions of maps, windows, padding, tiles, rows and columns exchanged, places at random, some levels
//! written. All mappings that the constraints accept are lowered, verified and compared with the patterns.

use crate::by_value;
use crate::common;

use by_value::{DOWN, FIRST, as_it_is, lower, on_buffers, types};
use common::{context, function};
use std::fmt::Write as _;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::{Options, Problem, explain, function};
use terrace_support::Random;

/// Most elements of an array
const MOST: i64 = 240;

struct Writer {
    r: Random,
    body: String,
    next: usize,
    maps: usize,
    indent: usize,
    /// Levels may be written
    levels: bool,
}

type Array = (String, Vec<i64>);

fn type_of(shape: &[i64]) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size} x ")).collect();
    format!("!array.of<{sizes}i32>")
}

impl Writer {
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

    /// Bring it into another form, or not
    fn layout(&mut self, (x, shape): &Array) -> Array {
        let (n, rest) = (shape[0], shape[1..].to_vec());
        let with = |first: &[i64]| [first, rest.as_slice()].concat();
        let (text, new) = match self.r.below(9) {
            0 if n % 2 == 0 && n > 2 => (format!("array.split 2 {x}"), with(&[n / 2, 2])),
            1 if shape.len() >= 2 => (format!("array.join {x}"), [&[n * rest[0]], &rest[1..]].concat()),
            2 | 3 if shape.len() >= 2 => {
                (format!("array.transpose {x}"), [&[rest[0], n], &rest[1..]].concat())
            }
            4 if n >= 2 => {
                let (size, step) = (2 + self.r.below((n - 1).min(2)), 1 + self.r.below(2));
                (format!("array.slide {size} by {step} {x}"), with(&[(n - size) / step + 1, size]))
            }
            5 => {
                let mode = self.r.pick(&["value %s", "clamp", "wrap"]);
                (format!("array.pad 1, 1 {mode} {x}"), with(&[n + 2]))
            }
            6 if n > 1 => (format!("array.slice 1, {} {x}", n - 1), with(&[n - 1])),
            7 => (format!("array.reorder by {} - $i inverse {} - $i {x}", n - 1, n - 1), shape.clone()),
            _ => return (x.clone(), shape.clone()),
        };
        if new.len() > 3 || new.iter().product::<i64>() > MOST {
            return (x.clone(), shape.clone());
        }
        (self.op(&text), new)
    }

    fn placed(&mut self, (x, shape): Array, often: i64) -> Array {
        if shape.is_empty() || self.r.below(10) >= often {
            return (x, shape);
        }
        let word = self.r.pick(&["toLocal", "toLocal", "toPrivate", "toGlobal"]);
        (self.op(&format!("array.{word} {x}")), shape)
    }

    /// A map over the outermost dimension; what it does with an element is up to `inside`
    fn map(
        &mut self,
        (x, shape): &Array,
        level: bool,
        inside: &mut dyn FnMut(&mut Writer, Array) -> Array,
    ) -> Array {
        let (out, arg) = (self.name(), format!("%e{}", self.next));
        let label = format!("M{}", self.maps);
        self.maps += 1;
        let level = if level && self.levels && self.r.below(4) == 0 {
            self.r.pick(&[" : block.x", " : thread.x", " : block.y", " : seq", " : global.x"])
        } else {
            ""
        };
        self.line(&format!("{out} = array.map \"{label}\" {x}{level} as {arg} {{"));
        self.indent += 1;
        let (inner, inner_shape) = inside(self, (arg, shape[1..].to_vec()));
        self.line(&format!("array.yield {inner}"));
        self.indent -= 1;
        self.line("}");
        (out, [&[shape[0]], inner_shape.as_slice()].concat())
    }

    fn number(&mut self, x: &str) -> String {
        let op = self.r.pick(&["addi", "muli", "subi", "maxsi"]);
        let other = if self.r.below(4) == 0 { x.to_string() } else { "%s".to_string() };
        self.op(&format!("arith.{op} {x}, {other} : i32"))
    }

    fn reduce(&mut self, (x, shape): &Array) -> Array {
        let operator = self.r.pick(&["add", "max"]);
        let init = self.r.pick(&["", "", " init %s"]);
        let (out, arg) = (self.name(), format!("%a{}", self.next));
        self.line(&format!("{out} = array.reduce {operator}{init} {x} as {arg} {{"));
        self.indent += 1;
        let value = match shape.len() == 1 && self.r.coin() {
            true => self.number(&arg),
            false => arg,
        };
        self.line(&format!("array.yield {value}"));
        self.indent -= 1;
        self.line("}");
        (out, shape[1..].to_vec())
    }

    /// Something computed of an array
    fn compute(&mut self, x: Array, depth: usize) -> Array {
        if x.1.is_empty() {
            let number = self.number(&x.0);
            return (number, Vec::new());
        }
        let x = if self.r.below(3) == 0 { self.layout(&x) } else { x };
        let level = depth > 0 || self.r.coin();
        let mut found = self.map(&x, level, &mut |w, element| w.compute(element, depth + 1));
        for _ in 0..2 {
            if self.maps >= 5 || found.1.is_empty() || self.r.below(3) == 0 {
                break;
            }
            found = self.placed(found, 6);
            if self.r.coin() {
                found = self.layout(&found);
            }
            found = match self.r.below(6) {
                0 | 1 if depth > 0 => {
                    let found = self.reduce(&found);
                    return found;
                }
                2 => {
                    let other = self.op(&format!("array.zip {}, {}", x.0, x.0));
                    let (out, arg) = (self.name(), self.next);
                    if x.1.len() == 1 {
                        self.line(&format!(
                            "{out} = array.map \"M{}\" {other} as %l{arg}, %r{arg} {{",
                            self.maps
                        ));
                        self.maps += 1;
                        self.line(&format!("  %m{arg} = arith.muli %l{arg}, %r{arg} : i32"));
                        self.line(&format!("  array.yield %m{arg}"));
                        self.line("}");
                        (out, x.1.clone())
                    } else {
                        found
                    }
                }
                _ => self.map(&found, true, &mut |w, element| w.compute(element, depth + 1)),
            };
        }
        found
    }
}

/// A program
pub fn program(seed: u64) -> String {
    let mut r = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        r.below(2);
    }
    let rank = 1 + r.below(3) as usize;
    let start: Vec<i64> = (0..rank).map(|_| [2, 3, 4, 5, 6][r.below(5) as usize]).collect();
    let levels = r.below(3) == 0;
    let mut w = Writer { r, body: String::new(), next: 0, maps: 0, indent: 1, levels };
    let mut x: Array = ("%x".to_string(), start.clone());
    if w.r.coin() {
        x = w.layout(&x);
    }
    x = w.compute(x, 0);
    if w.r.below(3) == 0 && !x.1.is_empty() {
        x = w.placed(x, 10);
        x = w.layout(&x);
    }
    let result = if x.1.is_empty() { "i32".to_string() } else { type_of(&x.1) };
    format!(
        "func.func @f(%x: {}, %s: i32) -> {result} {{\n{}  return {} : {result}\n}}\n",
        type_of(&start),
        w.body,
        x.0
    )
}

fn problem(ir: &Ir) -> Result<Problem, String> {
    let unit = function(ir);
    let symbols = Symbols::read(ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let (problem, missing) = function::problem(unit, &symbols, scope, Options::default());
    match missing {
        Some(why) => Err(why.message),
        None => Ok(problem),
    }
}

/// How many mappings were run; an error is one that is not right
pub fn one(text: &str, most: usize) -> Result<usize, String> {
    let cx = context();
    let mut ir = common::parse(&cx, text);
    lower(&mut ir, "func.func(array-bind)")?;
    let source = types(&ir, "f");
    let wanted = as_it_is(&ir, "f").map_err(|why| format!("as it is: {why}"))?;
    // As the message of a program that lacks a place says.
    if problem(&ir).is_err() {
        lower(&mut ir, "func.func(array-place)")?;
    }
    let problem = problem(&ir).map_err(|why| format!("placed, and still {why}"))?;
    let (space, valid) = problem.spaces().map_err(|why| why.to_string())?;
    let valid = valid.map_err(|why| why.to_string())?;
    let all: Vec<usize> = (0..problem.tree.loops.len()).collect();
    let step = (valid.count().iter_u64_digits().next().unwrap_or(0) as usize / most).max(1);
    let _ = space;
    let mut count = 0;
    for values in valid.iter().step_by(step) {
        let said = || explain::mapping_text(&problem, &all, &values);
        if !problem.holds(&values) || !problem.broken(&values).is_empty() {
            return Err(format!("{}: counted, and not valid", said()));
        }
        let mut mapped = ir.clone_unit();
        let slot = mapped.walk().find(|op| mapped.child(*op).is_some()).ok_or("no function")?;
        function::apply(mapped.child_mut(slot).ok_or("no function")?, &problem.tree, &values);
        for step in [FIRST, DOWN] {
            lower(&mut mapped, step).map_err(|why| format!("{}: {step}: {why}", said()))?;
            let diags = terrace_ir::verify::verify(&mapped, 1);
            if diags.has_errors() {
                let why = terrace_diag::render_all(diags.iter(), mapped.cx().sources(), false);
                return Err(format!("{}: {step}: {why}", said()));
            }
            let found =
                on_buffers(&mapped, "f", &source).map_err(|why| format!("{}: {step}: {why}", said()))?;
            if let Some(what) = terrace_dialect_test::values::difference(&wanted, &found) {
                return Err(format!("{}: {step}: {what}", said()));
            }
        }
        count += 1;
    }
    Ok(count)
}

fn all(seeds: std::ops::RangeInclusive<u64>, most: usize) {
    let (mut run, mut empty, mut bad) = (0, 0, Vec::new());
    for seed in seeds {
        let text = program(seed);
        match std::panic::catch_unwind(|| one(&text, most)) {
            Ok(Ok(0)) => empty += 1,
            Ok(Ok(count)) => run += count,
            Ok(Err(why)) => bad.push(format!("seed {seed}: {why}\n{text}")),
            Err(_) => bad.push(format!("seed {seed}: a panic\n{text}")),
        }
    }
    println!("{run} mappings run, {empty} programs without one");
    assert!(bad.is_empty(), "{} programs:\n{}", bad.len(), bad[..bad.len().min(8)].join("\n"));
}

#[test]
fn what_is_valid_lowers_and_is_right() {
    let last = std::env::var("TERRACE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let first = std::env::var("TERRACE_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    all(first..=last, 6);
}
