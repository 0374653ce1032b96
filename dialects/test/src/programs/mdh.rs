//! Chains of `mdh` computations: dimensions of all kinds, accesses that are moved, turned, strided, folded or outside, several
//! results, start values, guards, conditions, operators of the user.
//!
//! All sizes are small, so that an interpreter takes milliseconds; floats only on request.

use super::schedule;
use std::fmt::Write;
use terrace_support::Random;

/// What to draw from
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Elements may be floats
    pub floats: bool,
    /// Most computations in a function
    pub computations: usize,
    /// Most points of a computation
    pub points: i64,
    /// Prefixes and operators of the user too
    pub operators: bool,
    /// Elements of other types than `i32` too
    pub types: bool,
    /// Computations come with schedules
    pub schedules: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            floats: false,
            computations: 3,
            points: 3000,
            operators: true,
            types: true,
            schedules: false,
        }
    }
}

/// A tensor that a computation may read
#[derive(Clone)]
struct Tensor {
    name: String,
    shape: Vec<i64>,
    elem: &'static str,
}

impl Tensor {
    fn ty(&self) -> String {
        ty(&self.shape, self.elem)
    }
}

fn ty(shape: &[i64], elem: &str) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{elem}>")
}

struct Dim {
    size: i64,
    kept: bool,
    text: String,
}

/// An index expression, with the least and the greatest value that it has
struct Expr {
    text: String,
    least: i64,
    most: i64,
}

struct Maker<'r> {
    r: &'r mut Random,
    options: Options,
    arguments: Vec<Tensor>,
    tensors: Vec<Tensor>,
    scalars: Vec<(String, &'static str)>,
    body: String,
    functions: String,
    names: usize,
}

const SIZES: [i64; 16] = [1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 20];

/// A file with the function `@f`
pub fn program(r: &mut Random, options: &Options) -> String {
    let mut maker = Maker {
        r,
        options: *options,
        arguments: Vec::new(),
        tensors: Vec::new(),
        scalars: Vec::new(),
        body: String::new(),
        functions: String::new(),
        names: 0,
    };
    let count = 1 + maker.r.below(options.computations);
    let mut results: Vec<Tensor> = Vec::new();
    for n in 0..count {
        let made = maker.computation(n);
        maker.tensors.extend(made.iter().cloned());
        results.extend(made);
    }
    // The last computation's results are given back, others sometimes.
    let last = results.len().saturating_sub(2);
    let given: Vec<&Tensor> = results
        .iter()
        .enumerate()
        .filter(|(n, _)| *n >= last || maker.r.below(3) == 0)
        .map(|(_, t)| t)
        .collect();
    let mut params: Vec<String> = maker.arguments.iter().map(|t| format!("{}: {}", t.name, t.ty())).collect();
    params.extend(maker.scalars.iter().map(|(name, elem)| format!("{name}: {elem}")));
    let types: Vec<String> = given.iter().map(|t| t.ty()).collect();
    let values: Vec<&str> = given.iter().map(|t| t.name.as_str()).collect();
    format!(
        "{}func.func @f({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
        maker.functions,
        params.join(", "),
        types.join(", "),
        maker.body,
        values.join(", "),
        types.join(", "),
    )
}

impl Maker<'_> {
    fn fresh(&mut self, what: &str) -> String {
        self.names += 1;
        format!("%{what}{}", self.names)
    }

    fn elem(&mut self) -> &'static str {
        match (self.options.types, self.options.floats) {
            (false, false) => "i32",
            (false, true) => "f32",
            (true, false) => self.r.pick(&["i32", "i32", "i32", "i8", "i64", "i16"]),
            (true, true) => self.r.pick(&["i32", "f32", "f32", "f64", "i8", "i64", "f32"]),
        }
    }

    fn computation(&mut self, number: usize) -> Vec<Tensor> {
        let elem = self.elem();
        let outputs = self.r.pick(&[1, 1, 1, 1, 2]);
        let operator = self.operator(elem, outputs);
        let dims = self.dims(&operator);
        let names = |n: usize| ["i", "j", "k", "l", "m"][n];
        let mut text = String::new();
        let (mut operands, mut types) = (Vec::new(), Vec::new());
        let mut values: Vec<(String, &'static str)> = Vec::new();
        let mut read: Vec<Tensor> = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            let (access, tensor, value) = self.input(&dims);
            operands.push(format!("{value} = {access}"));
            types.push(tensor.ty());
            values.push((value, tensor.elem));
            if read.iter().all(|other| other.name != tensor.name) {
                read.push(tensor);
            }
        }
        if self.r.below(6) == 0 {
            let scalar = self.fresh("s");
            self.scalars.push((scalar.clone(), elem));
            let value = self.fresh("v");
            operands.push(format!("{value} = {scalar}"));
            types.push(elem.into());
            values.push((value, elem));
        }
        // Places: each kept dimension once.
        let mut outs = Vec::new();
        let mut made = Vec::new();
        let mut inits = Vec::new();
        let first = format!("%r{number}");
        let mut yields = Vec::new();
        for n in 0..outputs {
            let (place, shape, whole) = self.output(&dims);
            let mut place = place;
            let can_start = !operator.contains('@') || self.r.coin();
            if !whole || (can_start && self.r.below(4) == 0) {
                let argument = self.fresh("I");
                let tensor = Tensor { name: argument.clone(), shape: shape.clone(), elem };
                inits.push(tensor.ty());
                self.arguments.push(tensor);
                let _ = write!(place, " into {argument}");
            }
            outs.push(place);
            let name = if outputs == 1 { first.clone() } else { format!("{first}#{n}") };
            made.push(Tensor { name, shape, elem });
            yields.push(elem);
        }
        let conditions = self.conditions(&dims);
        let list: Vec<String> =
            dims.iter().enumerate().map(|(n, d)| format!("{} in {}{}", names(n), d.size, d.text)).collect();
        let attributes = self.schedule(&dims, &read, &made);
        let label = if self.r.below(3) == 0 { format!(" \"c{number}\"") } else { String::new() };
        let count = if outputs == 1 { String::new() } else { format!(":{outputs}") };
        let _ = writeln!(
            text,
            "  {first}{count} = mdh.compute{label} ({}){conditions} ins({}) outs({}){attributes} {{",
            list.join(", "),
            operands.join(", "),
            outs.join(", ")
        );
        let mut yielded = Vec::new();
        for _ in 0..outputs {
            yielded.push(self.expression(&mut text, &values, elem, dims.len()));
        }
        let results: Vec<String> = made.iter().map(Tensor::ty).collect();
        types.extend(inits);
        let results =
            if results.len() == 1 { results[0].clone() } else { format!("({})", results.join(", ")) };
        let _ = write!(
            text,
            "    mdh.yield {} : {}\n  }} : ({}) -> {results}\n",
            yielded.join(", "),
            yields.join(", "),
            types.join(", "),
        );
        self.body += &text;
        made
    }

    /// A schedule as an attribute, if the options want one
    fn schedule(&mut self, dims: &[Dim], read: &[Tensor], made: &[Tensor]) -> String {
        if !self.options.schedules {
            return String::new();
        }
        let shape = schedule::Shape {
            dims: dims.iter().map(|dim| (dim.size, dim.kept)).collect(),
            inputs: read.iter().map(|tensor| tensor.shape.len()).collect(),
            outputs: made.iter().map(|tensor| tensor.shape.len()).collect(),
        };
        format!(" attributes {{mdh.schedule = [{}]}}", schedule::schedule(self.r, &shape))
    }

    fn operator(&mut self, elem: &str, outputs: usize) -> String {
        let float = elem.starts_with('f');
        let simple: &[&str] = if float {
            &["add", "add", "max", "min"]
        } else {
            &["add", "add", "max", "min", "mul", "and", "or", "xor"]
        };
        let user = self.options.operators && !float && self.r.below(6) == 0;
        if user && outputs == 1 {
            let name = format!("@first_{elem}");
            if !self.functions.contains(&name) {
                let _ = write!(
                    self.functions,
                    "func.func private {name}(%a: {elem}, %b: {elem}) -> {elem} attributes {{sched.operator = {{associative, exact, identity = [0 : {elem}]}}}} {{
  %zero = arith.constant 0 : {elem}
  %none = arith.cmpi eq, %a, %zero : {elem}
  %r = arith.select %none, %b, %a : {elem}
  return %r : {elem}
}}
"
                );
            }
            return name;
        }
        if user && outputs == 2 {
            let name = format!("@compose_{elem}");
            if !self.functions.contains(&name) {
                let _ = write!(
                    self.functions,
                    "func.func private {name}(%a1: {elem}, %b1: {elem}, %a2: {elem}, %b2: {elem}) -> ({elem}, {elem}) attributes {{sched.operator = {{associative, exact, identity = [1 : {elem}, 0 : {elem}]}}}} {{
  %a = arith.muli %a1, %a2 : {elem}
  %t = arith.muli %a1, %b2 : {elem}
  %b = arith.addi %t, %b1 : {elem}
  return %a, %b : {elem}, {elem}
}}
"
                );
            }
            return name;
        }
        let one = self.r.pick(simple);
        match outputs {
            1 => one.into(),
            _ if self.r.coin() => format!("({one}, {})", self.r.pick(simple)),
            _ => format!("({one}, {one})"),
        }
    }

    fn dims(&mut self, operator: &str) -> Vec<Dim> {
        let count = 1 + self.r.below(4);
        let mut dims: Vec<Dim> = Vec::new();
        let mut points = 1;
        let mut ordered = 0;
        for _ in 0..count {
            let mut size = self.r.pick(&SIZES);
            while points * size > self.options.points {
                size = (size / 2).max(1);
            }
            points *= size;
            let kind = self.r.below(9);
            let alone = operator.contains('@');
            let (kept, text) = match kind {
                0 if self.options.operators && ordered == 0 => {
                    ordered += 1;
                    (true, format!(" ps {operator}"))
                }
                1..=4 if !(alone && ordered > 0) => {
                    ordered += 1;
                    (false, format!(" pw {operator}"))
                }
                _ => (true, String::new()),
            };
            dims.push(Dim { size, kept, text });
        }
        dims
    }

    /// An index of one or two dimensions
    fn index(&mut self, dims: &[Dim]) -> Expr {
        let name = |n: usize| ["i", "j", "k", "l", "m"][n];
        let a = self.r.below(dims.len());
        let b = self.r.below(dims.len());
        let (i, j) = (dims[a].size - 1, dims[b].size - 1);
        let (x, y) = (name(a), name(b));
        let plain = Expr { text: x.into(), least: 0, most: i };
        match self.r.below(16) {
            0 => {
                let c = self.r.below(4i64);
                Expr { text: format!("{x} + {c}"), least: c, most: i + c }
            }
            1 => Expr { text: format!("{i} - {x}"), least: 0, most: i },
            2 if a != b => Expr { text: format!("{x} + {y}"), least: 0, most: i + j },
            3 if a != b => {
                let s = 2 + self.r.below(2i64);
                Expr { text: format!("{s} * {x} + {y}"), least: 0, most: s * i + j }
            }
            4 => {
                let s = 2 + self.r.below(2i64);
                Expr { text: format!("{s} * {x}"), least: 0, most: s * i }
            }
            5 => {
                let s = 2 + self.r.below(3i64);
                Expr { text: format!("{x} floordiv {s}"), least: 0, most: i / s }
            }
            6 => {
                let s = 2 + self.r.below(3i64);
                Expr { text: format!("{x} mod {s}"), least: 0, most: i.min(s - 1) }
            }
            7 if a != b => Expr { text: format!("{x} - {y} + {j}"), least: 0, most: i + j },
            8 => {
                let c = self.r.below(3i64);
                Expr { text: c.to_string(), least: c, most: c }
            }
            _ => plain,
        }
    }

    fn input(&mut self, dims: &[Dim]) -> (String, Tensor, String) {
        let old = !self.tensors.is_empty() && self.r.below(3) > 0;
        let known = if old { self.r.choose(&self.tensors).cloned() } else { None };
        let value = self.fresh("v");
        let rank = known.as_ref().map_or_else(|| self.r.below(4usize), |tensor| tensor.shape.len());
        let (mut indices, mut outside) = (Vec::new(), false);
        let mut shape = Vec::new();
        for n in 0..rank {
            match &known {
                Some(tensor) => {
                    let size = tensor.shape[n];
                    let tried = (0..6).find_map(|_| {
                        let expr = self.index(dims);
                        let fits = expr.least >= 0 && expr.most < size;
                        let exact = expr.most + 1 == size;
                        (fits && (exact || self.r.coin())).then_some(expr)
                    });
                    let expr = match tried {
                        Some(expr) => expr,
                        None => self.index(dims),
                    };
                    outside |= expr.least < 0 || expr.most >= size;
                    indices.push(expr.text);
                }
                None => {
                    let mut expr = self.index(dims);
                    let mut size = expr.most + 1;
                    match self.r.below(12) {
                        0 => size += 1 + self.r.below(4i64),
                        1 => {
                            let by = 1 + self.r.below(2i64);
                            expr.text = format!("{} - {by}", expr.text);
                            outside = true;
                        }
                        2 if size > 1 => {
                            size -= 1;
                            outside = true;
                        }
                        _ => {}
                    }
                    shape.push(size);
                    indices.push(expr.text);
                }
            }
        }
        let tensor = match known {
            Some(tensor) => tensor,
            None => {
                let elem = self.elem();
                let tensor = Tensor { name: self.fresh("A"), shape, elem };
                self.arguments.push(tensor.clone());
                tensor
            }
        };
        let mut access = format!("{}[{}]", tensor.name, indices.join(", "));
        let guarded = self.r.below(14) == 0;
        if outside || guarded {
            let number = self.r.below(7i64) - 3;
            let number =
                if tensor.elem.starts_with('f') { format!("{number}.5") } else { number.to_string() };
            let _ = write!(access, " else {number}");
            if guarded {
                let expr = self.index(dims);
                let by = 1 + self.r.below(3i64);
                let _ = write!(access, " if ({}) mod {by} = 0", expr.text);
            }
        }
        (access, tensor, value)
    }

    fn condition(&mut self, dims: &[Dim]) -> String {
        let expr = self.index(dims);
        let middle = (expr.least + expr.most) / 2;
        match self.r.below(5) {
            0 => format!("{} < {}", expr.text, middle + 1),
            1 => format!("{middle} <= {} < {}", expr.text, expr.most + 1),
            2 => format!("({}) mod 2 = 0", expr.text),
            3 => format!("0 <= {} - 1 < {}", expr.text, middle + 2),
            _ => {
                let other = self.index(dims);
                format!("{} < {} + 1", expr.text, other.text)
            }
        }
    }

    fn conditions(&mut self, dims: &[Dim]) -> String {
        let reduced: Vec<usize> = (0..dims.len()).filter(|n| !dims[*n].kept).collect();
        if reduced.is_empty() || self.r.below(4) > 0 {
            return String::new();
        }
        let all: Vec<String> = (0..1 + self.r.below(2)).map(|_| self.condition(dims)).collect();
        format!(" where {}", all.join(", "))
    }

    /// Place of an output, its shape, and whether all of it is written
    fn output(&mut self, dims: &[Dim]) -> (String, Vec<i64>, bool) {
        let names = ["i", "j", "k", "l", "m"];
        let mut kept: Vec<usize> = (0..dims.len()).filter(|n| dims[*n].kept).collect();
        for n in (1..kept.len()).rev() {
            if self.r.coin() {
                kept.swap(n, self.r.below(n + 1));
            }
        }
        let (mut indices, mut shape, mut whole) = (Vec::new(), Vec::new(), true);
        let mut rest = kept.as_slice();
        while let Some((&dim, after)) = rest.split_first() {
            rest = after;
            let (name, size) = (names[dim], dims[dim].size);
            match self.r.below(14) {
                0 => {
                    indices.push(format!("{} - {name}", size - 1));
                    shape.push(size);
                }
                1 => {
                    indices.push(format!("{name} + 1"));
                    shape.push(size + 1 + self.r.below(2i64));
                    whole = false;
                }
                2 if size > 1 => {
                    indices.push(format!("2 * {name}"));
                    shape.push(2 * size - 1);
                    whole = false;
                }
                3 if !rest.is_empty() => {
                    // Two dimensions in one.
                    let other = rest[0];
                    rest = &rest[1..];
                    let inner = dims[other].size;
                    indices.push(format!("{inner} * {name} + {}", names[other]));
                    shape.push(inner * size);
                }
                4 => {
                    indices.push(name.into());
                    shape.push(size);
                    indices.push("0".into());
                    shape.push(1);
                }
                5 => {
                    let parts = 2 + self.r.below(2i64);
                    indices.push(format!("{name} floordiv {parts}"));
                    indices.push(format!("{name} mod {parts}"));
                    shape.push((size + parts - 1) / parts);
                    shape.push(parts.min(size));
                    whole &= size % parts == 0 || size < parts;
                }
                _ => {
                    indices.push(name.into());
                    shape.push(size);
                }
            }
        }
        (format!("[{}]", indices.join(", ")), shape, whole)
    }

    /// A value of this type; ops go to `text`
    fn expression(
        &mut self,
        text: &mut String,
        values: &[(String, &'static str)],
        elem: &'static str,
        dims: usize,
    ) -> String {
        let mut pool: Vec<String> = Vec::new();
        for (value, from) in values {
            let cast = self.cast(text, value, from, elem);
            pool.push(cast);
        }
        if self.r.below(4) == 0 {
            let index = self.fresh("x");
            let _ = writeln!(text, "    {index} = mdh.index {}", self.r.below(dims));
            let int = self.fresh("x");
            if elem.starts_with('f') {
                let _ = writeln!(text, "    {int} = arith.index_cast {index} : index to i32");
                let float = self.fresh("x");
                let _ = writeln!(text, "    {float} = arith.sitofp {int} : i32 to {elem}");
                pool.push(float);
            } else {
                let _ = writeln!(text, "    {int} = arith.index_cast {index} : index to {elem}");
                pool.push(int);
            }
        }
        let float = elem.starts_with('f');
        let mut current = pool[0].clone();
        for other in pool.iter().skip(1).cloned().collect::<Vec<_>>() {
            let op: &str = match float {
                true => {
                    self.r.pick(&["arith.mulf", "arith.mulf", "arith.addf", "arith.subf", "arith.maximumf"])
                }
                false => self.r.pick(&[
                    "arith.muli",
                    "arith.muli",
                    "arith.addi",
                    "arith.subi",
                    "arith.maxsi",
                    "arith.xori",
                    "arith.minui",
                    "select",
                ]),
            };
            let value = self.fresh("x");
            if op == "select" {
                let test = self.fresh("x");
                let kind = self.r.pick(&["slt", "eq", "uge"]);
                let _ = writeln!(text, "    {test} = arith.cmpi {kind}, {current}, {other} : {elem}");
                let _ = writeln!(text, "    {value} = arith.select {test}, {current}, {other} : {elem}");
            } else {
                let _ = writeln!(text, "    {value} = {op} {current}, {other} : {elem}");
            }
            current = value;
        }
        current
    }

    fn cast(&mut self, text: &mut String, value: &str, from: &str, to: &str) -> String {
        if from == to {
            return value.into();
        }
        let bits = |elem: &str| elem[1..].parse::<u32>().unwrap_or(32);
        let op = match (from.starts_with('f'), to.starts_with('f')) {
            (true, true) if bits(from) < bits(to) => "arith.extf",
            (true, true) => "arith.truncf",
            (true, false) => "arith.fptosi",
            (false, true) => "arith.sitofp",
            (false, false) if bits(from) < bits(to) => self.r.pick(&["arith.extsi", "arith.extui"]),
            (false, false) => "arith.trunci",
        };
        let cast = self.fresh("x");
        let _ = writeln!(text, "    {cast} = {op} {value} : {from} to {to}");
        cast
    }
}
