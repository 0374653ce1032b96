//! Random programs as text: values by type, functions of a few ops, the left side of a rule in a context.

use std::collections::BTreeSet;
use std::fmt::Write;
use terrace_support::Random;

/// Types of values
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    I32,
    F32,
    Vector(usize, Box<Ty>),
    Array(usize, Box<Ty>),
    Tuple(Vec<Ty>),
}

impl Ty {
    pub fn array(n: usize, elem: &Ty) -> Ty {
        Ty::Array(n, Box::new(elem.clone()))
    }

    pub fn text(&self) -> String {
        match self {
            Ty::I32 => "i32".into(),
            Ty::F32 => "f32".into(),
            Ty::Vector(v, elem) => format!("vector<{v}x{}>", elem.text()),
            Ty::Tuple(parts) => {
                format!("tuple<{}>", parts.iter().map(Ty::text).collect::<Vec<_>>().join(", "))
            }
            Ty::Array(n, elem) => {
                let (mut sizes, mut elem) = (format!("{n}"), &**elem);
                while let Ty::Array(n, inner) = elem {
                    let _ = write!(sizes, " x {n}");
                    elem = inner;
                }
                format!("!array.of<{sizes} x {}>", elem.text())
            }
        }
    }

    pub fn parts(&self) -> Vec<Ty> {
        match self {
            Ty::Tuple(parts) => parts.clone(),
            other => vec![other.clone()],
        }
    }

    pub fn together(parts: &[Ty]) -> Ty {
        if let [one] = parts { one.clone() } else { Ty::Tuple(parts.to_vec()) }
    }

    pub fn elem(&self) -> &Ty {
        match self {
            Ty::Array(_, elem) => elem,
            _ => panic!("no array: {self:?}"),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Ty::Array(n, _) => *n,
            _ => panic!("no array: {self:?}"),
        }
    }
}

/// A value by name
#[derive(Clone, PartialEq, Debug)]
pub struct Val {
    pub name: String,
    pub ty: Ty,
}

/// Fills a function
pub type Body<'b> = &'b mut dyn FnMut(&mut Gen, &[Val]) -> Vec<Val>;

/// Makes a program
pub struct Gen {
    pub r: Random,
    count: usize,
    /// Lines of the function so far
    pub lines: Vec<String>,
    /// Arguments of the function
    pub inputs: Vec<Val>,
    /// What may be used where the next line goes
    pub scope: Vec<Val>,
}

/// Two by two matrices
pub fn matrix() -> Ty {
    Ty::Tuple(vec![Ty::I32; 4])
}

/// Operators that are functions: products of matrices, and the left one of two; associative, not commutative
pub const PRELUDE: &str = "
func.func private @product(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32) -> (i32, i32, i32, i32) attributes {sched.operator = {associative, exact}} {
  %0 = arith.muli %a, %e : i32
  %1 = arith.muli %b, %g : i32
  %2 = arith.addi %0, %1 : i32
  %3 = arith.muli %a, %f : i32
  %4 = arith.muli %b, %h : i32
  %5 = arith.addi %3, %4 : i32
  %6 = arith.muli %c, %e : i32
  %7 = arith.muli %d, %g : i32
  %8 = arith.addi %6, %7 : i32
  %9 = arith.muli %c, %f : i32
  %10 = arith.muli %d, %h : i32
  %11 = arith.addi %9, %10 : i32
  return %2, %5, %8, %11 : i32, i32, i32, i32
}
func.func private @left(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, exact}} {
  return %a : i32
}
func.func private @rows(%a: !array.of<3 x i32>, %b: !array.of<3 x i32>) -> !array.of<3 x i32> attributes {sched.operator = {associative, exact}} {
  return %a : !array.of<3 x i32>
}
func.func private @least(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, commutative, exact}} {
  %0 = arith.minsi %a, %b : i32
  return %0 : i32
}
";

impl Gen {
    pub fn new(seed: u64) -> Gen {
        Gen { r: Random::new(seed), count: 0, lines: Vec::new(), inputs: Vec::new(), scope: Vec::new() }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.r.below(n)
    }

    /// 1…n
    pub fn size(&mut self, n: usize) -> usize {
        1 + self.r.below(n)
    }

    pub fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    pub fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// A value that a line defines
    pub fn put(&mut self, text: impl AsRef<str>, ty: Ty) -> Val {
        let name = self.fresh();
        self.line(format!("{name} = {}", text.as_ref()));
        Val { name, ty }
    }

    /// An argument of the function
    pub fn input(&mut self, ty: &Ty) -> Val {
        let name = format!("%in{}", self.inputs.len());
        let value = Val { name, ty: ty.clone() };
        self.inputs.push(value.clone());
        value
    }

    /// An array of something small
    pub fn array(&mut self, n: usize, elem: &Ty) -> Val {
        self.input(&Ty::array(n, elem))
    }

    pub fn scalar(&mut self) -> Ty {
        if self.r.coin() { Ty::I32 } else { Ty::F32 }
    }

    /// Numbers, tuples, arrays of at most this depth
    pub fn ty(&mut self, depth: usize) -> Ty {
        match self.r.below(if depth == 0 { 3 } else { 6 }) {
            0..=2 => self.scalar(),
            3 => {
                let parts = vec![self.scalar(), self.ty(depth - 1)];
                Ty::Tuple(parts)
            }
            _ => {
                let n = self.size(3);
                let elem = self.ty(depth - 1);
                Ty::array(n, &elem)
            }
        }
    }

    fn constant(&mut self, ty: &Ty) -> Val {
        let number = self.r.below(7) as i64 - 3;
        match ty {
            Ty::F32 => self.put(format!("arith.constant {number}.0 : f32"), Ty::F32),
            _ => self.put(format!("arith.constant {number} : i32"), Ty::I32),
        }
    }

    /// Numbers in sight, also as components
    fn scalars(&mut self, from: &[Val], ty: &Ty) -> Vec<Val> {
        let mut found = Vec::new();
        for value in from {
            match &value.ty {
                own if own == ty => found.push(value.clone()),
                Ty::Tuple(parts) => {
                    if let Some(k) = parts.iter().position(|part| part == ty) {
                        let (name, part) = (value.name.clone(), parts[k].clone());
                        found.push(self.put(format!("array.get {k} {name}"), part));
                    }
                }
                Ty::Array(n, elem) if **elem == *ty && *n > 0 => {
                    let i = self.r.below(*n);
                    let at = self.put(format!("arith.constant {i} : index"), Ty::I32);
                    found.push(self.put(format!("array.at {}[{}]", value.name, at.name), ty.clone()));
                }
                _ => {}
            }
        }
        found
    }

    /// A random value of a type from others, by some ops; the first of `from` is used if it can be
    pub fn expr(&mut self, from: &[Val], ty: &Ty) -> Val {
        match ty {
            Ty::I32 | Ty::F32 => {
                let seen = self.scalars(from, ty);
                let mut acc = match seen.first() {
                    Some(first) => first.clone(),
                    None => self.constant(ty),
                };
                let float = *ty == Ty::F32;
                for n in 0..self.size(3) {
                    let other = match seen.len() {
                        0 => self.constant(ty),
                        len => match self.r.below(len + 1) {
                            k if k < len => seen[k].clone(),
                            _ => self.constant(ty),
                        },
                    };
                    let ops: &[&str] = match (float, n) {
                        (true, 0) => &["arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"],
                        (true, _) => &["arith.addf", "arith.subf", "arith.minimumf"],
                        _ => &["arith.addi", "arith.muli", "arith.subi", "arith.minsi", "arith.xori"],
                    };
                    let op = self.r.pick(ops);
                    acc = self.put(format!("{op} {}, {} : {}", acc.name, other.name, ty.text()), ty.clone());
                }
                acc
            }
            Ty::Vector(_, elem) => {
                let one = from.iter().find(|value| value.ty == *ty).expect("a vector in sight").clone();
                let op = if **elem == Ty::F32 { "arith.addf" } else { "arith.muli" };
                self.put(format!("{op} {}, {} : {}", one.name, one.name, ty.text()), ty.clone())
            }
            Ty::Tuple(parts) => {
                let all: Vec<String> = parts.iter().map(|part| self.expr(from, part).name).collect();
                self.put(format!("array.tuple {}", all.join(", ")), ty.clone())
            }
            Ty::Array(n, elem) => {
                let arrays: Vec<Val> = from
                    .iter()
                    .filter(|value| matches!(&value.ty, Ty::Array(m, _) if m == n))
                    .cloned()
                    .collect();
                let elem = (**elem).clone();
                let others: Vec<Val> = from.to_vec();
                match arrays.first() {
                    Some(x) => {
                        let x = x.clone();
                        self.map("", &x, &mut |g, args| {
                            let sight = [args, &others].concat();
                            elem.parts().iter().map(|part| g.expr(&sight, part)).collect()
                        })
                    }
                    None => {
                        let name = self.fresh();
                        self.line(format!("{name} = array.generate {n} as %i{} {{", self.count));
                        let yields: Vec<Val> =
                            elem.parts().iter().map(|part| self.expr(&others, part)).collect();
                        self.end(&yields);
                        Val { name, ty: ty.clone() }
                    }
                }
            }
        }
    }

    fn end(&mut self, yields: &[Val]) {
        let names: Vec<&str> = yields.iter().map(|value| value.name.as_str()).collect();
        self.line(format!("array.yield {}", names.join(", ")));
        self.line("}");
    }

    fn params(&mut self, ty: &Ty) -> (Vec<Val>, String) {
        let all: Vec<Val> = ty.parts().into_iter().map(|ty| Val { name: self.fresh(), ty }).collect();
        let text = all.iter().map(|value| value.name.clone()).collect::<Vec<_>>().join(", ");
        (all, text)
    }

    /// `map f x`; `level` with its colon or empty
    pub fn map(&mut self, level: &str, x: &Val, body: Body<'_>) -> Val {
        let (params, text) = self.params(x.ty.elem());
        let name = self.fresh();
        self.line(format!("{name} = array.map {} {level} as {text} {{", x.name));
        let yields = body(self, &params);
        self.end(&yields);
        let parts: Vec<Ty> = yields.iter().map(|value| value.ty.clone()).collect();
        Val { name, ty: Ty::array(x.ty.len(), &Ty::together(&parts)) }
    }

    /// `map f x` of a random function that gives this type; it may use what is in sight
    pub fn map_to(&mut self, x: &Val, to: &Ty) -> Val {
        let sight = self.scope.clone();
        let to = to.clone();
        self.map("", x, &mut |g, args| {
            let from = [args, &sight].concat();
            to.parts().iter().map(|part| g.expr(&from, part)).collect()
        })
    }

    /// `reduce ⊕ init z g x`, with words between operator and array
    pub fn reduce(&mut self, operators: &str, words: &str, x: &Val, body: Body<'_>) -> Val {
        let (params, text) = self.params(x.ty.elem());
        let name = self.fresh();
        self.line(format!("{name} = array.reduce {operators} {words} {} as {text} {{", x.name));
        let yields = body(self, &params);
        self.end(&yields);
        let parts: Vec<Ty> = yields.iter().map(|value| value.ty.clone()).collect();
        Val { name, ty: Ty::together(&parts) }
    }

    /// The same of a random function
    pub fn reduce_to(&mut self, operators: &str, words: &str, x: &Val, to: &Ty) -> Val {
        let sight = self.scope.clone();
        let to = to.clone();
        self.reduce(operators, words, x, &mut |g, args| {
            let from = [args, &sight].concat();
            to.parts().iter().map(|part| g.expr(&from, part)).collect()
        })
    }

    /// `fold init z f x`
    pub fn fold(&mut self, init: &Val, x: &Val, body: Body<'_>) -> Val {
        let (mut params, mut text) = self.params(&init.ty);
        let (more, rest) = self.params(x.ty.elem());
        params.extend(more);
        text = format!("{text}, {rest}");
        let name = self.fresh();
        self.line(format!("{name} = array.fold init {} {} as {text} {{", init.name, x.name));
        let yields = body(self, &params);
        self.end(&yields);
        Val { name, ty: init.ty.clone() }
    }

    /// An operator, and the type of what it combines
    pub fn operator(&mut self) -> (&'static str, Ty) {
        match self.r.below(10) {
            0 => ("add", Ty::I32),
            1 => ("mul", Ty::I32),
            2 => ("xor", Ty::I32),
            3 => ("min", Ty::I32),
            4 => ("add", Ty::F32),
            5 => ("max", Ty::F32),
            6 | 7 => ("@product", matrix()),
            8 => ("@left", Ty::I32),
            _ => {
                let elem = self.scalar();
                let n = self.size(3);
                ("add", Ty::array(n, &elem))
            }
        }
    }

    /// One that is known and commutes
    pub fn commutative(&mut self) -> (&'static str, Ty) {
        loop {
            let (operator, ty) = self.operator();
            if !operator.starts_with('@') {
                return (operator, ty);
            }
        }
    }

    /// Words of a start value, sometimes
    pub fn init(&mut self, ty: &Ty, always: bool) -> String {
        if !always && self.r.coin() {
            return String::new();
        }
        let from = self.scope.clone();
        let value = self.expr(&from, ty);
        format!("init {}", value.name)
    }

    /// A layout op of one array
    pub fn view(&mut self, op: &str, x: &Val, ty: Ty) -> Val {
        self.put(format!("array.{op} {}", x.name), ty)
    }

    pub fn split(&mut self, m: usize, x: &Val) -> Val {
        let ty = Ty::array(x.ty.len() / m, &Ty::array(m, x.ty.elem()));
        self.view(&format!("split {m}"), x, ty)
    }

    pub fn join(&mut self, x: &Val) -> Val {
        let ty = Ty::array(x.ty.len() * x.ty.elem().len(), x.ty.elem().elem());
        self.view("join", x, ty)
    }

    pub fn transpose(&mut self, x: &Val) -> Val {
        let ty = Ty::array(x.ty.elem().len(), &Ty::array(x.ty.len(), x.ty.elem().elem()));
        self.view("transpose", x, ty)
    }

    pub fn slide(&mut self, n: usize, s: usize, x: &Val) -> Val {
        let ty = Ty::array((x.ty.len() - n) / s + 1, &Ty::array(n, x.ty.elem()));
        self.view(&format!("slide {n} by {s}"), x, ty)
    }

    pub fn zip(&mut self, xs: &[Val]) -> Val {
        let parts: Vec<Ty> = xs.iter().map(|x| x.ty.elem().clone()).collect();
        let names: Vec<&str> = xs.iter().map(|x| x.name.as_str()).collect();
        self.put(format!("array.zip {}", names.join(", ")), Ty::array(xs[0].ty.len(), &Ty::Tuple(parts)))
    }

    pub fn tuple(&mut self, xs: &[Val]) -> Val {
        let parts: Vec<Ty> = xs.iter().map(|x| x.ty.clone()).collect();
        let names: Vec<&str> = xs.iter().map(|x| x.name.as_str()).collect();
        self.put(format!("array.tuple {}", names.join(", ")), Ty::Tuple(parts))
    }
}

/// A program whose op called `root` is the left side of a rule
pub struct Program {
    pub text: String,
    pub inputs: Vec<Val>,
}

/// What stands for a rule's left side: its value, and values for the rule's parameters
pub type Left = fn(&mut Gen) -> (Val, Vec<String>);

/// The left side of a rule in a random context
pub fn program(seed: u64, left: Left) -> (Program, Vec<String>) {
    let mut g = Gen::new(seed);
    // Something to be captured.
    for ty in [Ty::I32, Ty::F32] {
        let value = g.input(&ty);
        g.scope.push(value);
    }
    let nested = g.below(3) == 0;
    let (result, args) = if nested {
        let (n, elem) = (g.size(3), g.ty(1));
        let outer = g.array(n, &elem);
        let mut args = Vec::new();
        let result = g.map("", &outer, &mut |g, params| {
            g.scope.extend(params.to_vec());
            let (root, values) = left(g);
            args = values;
            let root = named(g, root);
            vec![after(g, root)]
        });
        (result, args)
    } else {
        let (root, args) = left(&mut g);
        let root = named(&mut g, root);
        (after(&mut g, root), args)
    };
    let inputs: Vec<String> =
        g.inputs.iter().map(|value| format!("{}: {}", value.name, value.ty.text())).collect();
    let ty = result.ty.text();
    let text = format!(
        "{PRELUDE}func.func @f({}) -> {ty} {{\n{}\nreturn {} : {ty}\n}}\n",
        inputs.join(", "),
        g.lines.join("\n"),
        result.name
    );
    (Program { text, inputs: g.inputs }, args)
}

/// Call the value that one of the last lines defines `root`
fn named(g: &mut Gen, root: Val) -> Val {
    rename(g, root, "%root")
}

/// A fresh name for a value
pub fn rename(g: &mut Gen, mut value: Val, name: &str) -> Val {
    let defines = |line: &String| {
        let rest = line.strip_prefix(&value.name);
        rest.is_some_and(|rest| rest.starts_with(" = ") || rest.starts_with(", "))
    };
    let at = g.lines.iter().rposition(defines).expect("defined by a line");
    g.lines[at] = format!("{name}{}", &g.lines[at][value.name.len()..]);
    value.name = name.into();
    value
}

/// Something that uses it, or not
fn after(g: &mut Gen, root: Val) -> Val {
    let Ty::Array(n, elem) = root.ty.clone() else { return root };
    match g.below(4) {
        0 => {
            let divisors: Vec<usize> = (1..=n.max(1)).filter(|d| n % d == 0).collect();
            let m = divisors[g.below(divisors.len())];
            let parts = g.split(m, &root);
            g.join(&parts)
        }
        1 => g.map_to(&root, &elem),
        2 if n > 0 => {
            let other = g.array(n, &Ty::I32);
            g.zip(&[root, other])
        }
        _ => root,
    }
}

/// The same program with a symbol for each size in a type, which the function binds to its number
pub fn with_symbols(text: &str) -> String {
    let (mut out, mut rest, mut sizes) = (String::new(), text, BTreeSet::new());
    while let Some(at) = rest.find("!array.of<") {
        let (before, types) = rest.split_at(at + "!array.of<".len());
        out.push_str(before);
        rest = types;
        while let Some((size, behind)) =
            rest.split_once(" x ").filter(|(size, _)| size.parse::<i64>().is_ok())
        {
            let _ = write!(out, "@s{size} x ");
            sizes.insert(size.to_string());
            rest = behind;
        }
    }
    out.push_str(rest);
    let bound: Vec<String> = sizes.iter().map(|size| format!("s{size} = {size}")).collect();
    // What is returned has another form of its sizes, as a rule.
    let (head, last) = out.rsplit_once("\nreturn ").expect("returns something");
    let (value, ty) = last.trim_end_matches("\n}\n").split_once(" : ").expect("with its type");
    let cast = format!("{head}\n%returned = array.cast {value} to {ty}\nreturn %returned : {ty}\n}}\n");
    let (start, function) = cast.split_once("func.func @f(").expect("is there");
    let (signature, body) = function.split_once(" {\n").expect("has a body");
    format!("{start}func.func @f({signature} attributes {{array.bind = {{{}}}}} {{\n{body}", bound.join(", "))
}
