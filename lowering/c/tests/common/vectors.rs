//! Random straight programs over vectors, as text.

use std::fmt::Write;
use terrace_support::Random;

const INT: [&str; 10] = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui", "maxui", "minsi"];
const FLOAT: [&str; 8] = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"];

struct Maker {
    random: Random,
    text: String,
    next: usize,
    /// Values of each type
    pools: Vec<(String, Vec<String>)>,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn pick(&mut self, ty: &str) -> String {
        let at = self.pools.iter().position(|(other, _)| other == ty).expect("every type has a value");
        let count = self.pools[at].1.len();
        let n = self.below(count).max(self.below(count));
        self.pools[at].1[n].clone()
    }

    fn put(&mut self, ty: &str, value: String) {
        match self.pools.iter_mut().find(|(other, _)| other == ty) {
            Some((_, pool)) => pool.push(value),
            None => self.pools.push((ty.to_string(), vec![value])),
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn op(&mut self, lanes: usize) {
        let (int, float) = (format!("vector<{lanes}xi32>"), format!("vector<{lanes}xf32>"));
        let (mask, byte) = (format!("vector<{lanes}xi1>"), format!("vector<{lanes}xi8>"));
        let r = self.fresh();
        let (ty, text) = match self.below(20) {
            0..=2 => {
                let (op, a, b) = (INT[self.below(INT.len())], self.pick(&int), self.pick(&int));
                (int.clone(), format!("arith.{op} {a}, {b} : {int}"))
            }
            3..=5 => {
                let (op, a, b) = (FLOAT[self.below(FLOAT.len())], self.pick(&float), self.pick(&float));
                (float.clone(), format!("arith.{op} {a}, {b} : {float}"))
            }
            6 => {
                let (a, b, c) = (self.pick(&float), self.pick(&float), self.pick(&float));
                (float.clone(), format!("vector.fma {a}, {b}, {c} : {float}"))
            }
            7 => {
                let (a, b) = (self.pick(&int), self.pick(&int));
                let kind = ["eq", "slt", "ule", "sgt"][self.below(4)];
                (mask.clone(), format!("arith.cmpi {kind}, {a}, {b} : {int}"))
            }
            8 => {
                let (a, b) = (self.pick(&float), self.pick(&float));
                let kind = ["oeq", "ult", "ord", "uno", "oge"][self.below(5)];
                (mask.clone(), format!("arith.cmpf {kind}, {a}, {b} : {float}"))
            }
            9 => {
                let (m, a, b) = (self.pick(&mask), self.pick(&float), self.pick(&float));
                (float.clone(), format!("arith.select {m}, {a}, {b} : {mask}, {float}"))
            }
            10 => {
                let (m, at) = (self.pick(&mask), self.below(3));
                let pass = self.pick(&float);
                (
                    float.clone(),
                    format!(
                        "vector.maskedload %m[%c{at}], {m}, {pass} : memref<?xf32>, {mask}, {float} into {float}"
                    ),
                )
            }
            11 => {
                let at = self.below(3);
                (float.clone(), format!("vector.load %m[%c{at}] : memref<?xf32>, {float}"))
            }
            12 => {
                let a = self.pick(&int);
                (byte, format!("arith.trunci {a} : {int} to vector<{lanes}xi8>"))
            }
            13 => {
                let a = self.pick(&byte);
                let op = ["extsi", "extui"][self.below(2)];
                (int.clone(), format!("arith.{op} {a} : {byte} to {int}"))
            }
            14 => {
                let (a, b) = (self.pick(&mask), self.pick(&mask));
                let op = ["andi", "ori", "xori"][self.below(3)];
                (mask.clone(), format!("arith.{op} {a}, {b} : {mask}"))
            }
            16 => {
                let (m, i, pass) = (self.pick(&mask), self.pick("steps"), self.pick(&float));
                (
                    float.clone(),
                    format!(
                        "vector.gather %m[%c1] [{i}], {m}, {pass} : memref<?xf32>, {int}, {mask}, {float} into {float}"
                    ),
                )
            }
            17 => {
                let a: Vec<String> = (0..lanes).map(|_| self.pick("f32")).collect();
                (float.clone(), format!("vector.from_elements {} : {float}", a.join(", ")))
            }
            15 => {
                let (a, n) = (self.pick("f32"), self.below(lanes));
                let into = self.pick(&float);
                (float.clone(), format!("vector.insert {a}, {into} [{n}] : f32 into {float}"))
            }
            _ => {
                let (a, b) = (self.pick(&float), self.pick(&float));
                let order: Vec<String> = (0..lanes).map(|_| self.below(2 * lanes).to_string()).collect();
                (float.clone(), format!("vector.shuffle {a}, {b} [{}] : {float}, {float}", order.join(", ")))
            }
        };
        self.line(&format!("{r} = {text}"));
        self.put(&ty, r);
        if self.below(3) == 0 {
            let (r, kind) = (self.fresh(), ["add", "mul", "minsi", "maxui", "and", "xor"][self.below(6)]);
            let a = self.pick(&int);
            self.line(&format!("{r} = vector.reduction <{kind}>, {a} : {int} into i32"));
            self.put("i32", r);
            let (r, kind) = (self.fresh(), ["add", "maximumf", "minnumf"][self.below(3)]);
            let (a, acc) = (self.pick(&float), self.pick("f32"));
            self.line(&format!("{r} = vector.reduction <{kind}>, {a}, {acc} : {float} into f32"));
            self.put("f32", r);
        }
        if self.below(6) == 0 {
            let (value, m, at) = (self.pick(&float), self.pick(&mask), self.below(3));
            let masked = self.below(2);
            self.line(&match masked {
                0 => format!("vector.store {value}, %m[%c{at}] : memref<?xf32>, {float}"),
                _ => format!("vector.maskedstore %m[%c{at}], {m}, {value} : memref<?xf32>, {mask}, {float}"),
            });
        }
    }
}

/// `func.func @<name>(%x: i32, %f: f32, %n: index, %m: memref<?xf32>) -> (i32, f32)` of this seed
pub fn text(name: &str, seed: u64) -> String {
    let mut all = Maker { random: Random::new(seed), text: String::new(), next: 0, pools: Vec::new() };
    let lanes = [2, 4, 8, 16, 3, 14][all.below(6)];
    all.line(&format!("func.func @{name}(%x: i32, %f: f32, %n: index, %m: memref<?xf32>) -> (i32, f32) {{"));
    for n in 0..3 {
        all.line(&format!("%c{n} = arith.constant {n} : index"));
    }
    let (int, float) = (format!("vector<{lanes}xi32>"), format!("vector<{lanes}xf32>"));
    all.line(&format!(
        "%ints = vector.broadcast %x : i32 to {int}\n%steps = vector.step : vector<{lanes}xindex>"
    ));
    all.line(&format!("%lanes = arith.index_cast %steps : vector<{lanes}xindex> to {int}"));
    all.line(&format!(
        "%more = arith.addi %ints, %lanes : {int}\n%floats = arith.sitofp %more : {int} to {float}"
    ));
    all.line(&format!("%mask = vector.create_mask %n : vector<{lanes}xi1>"));
    all.line(&format!("%half = arith.constant dense<0.5> : {float}\n%bytes = arith.trunci %more : {int} to vector<{lanes}xi8>"));
    for (ty, value) in [
        ("steps", "%lanes"),
        ("i32", "%x"),
        ("f32", "%f"),
        (int.as_str(), "%more"),
        (int.as_str(), "%lanes"),
        (float.as_str(), "%floats"),
        (float.as_str(), "%half"),
    ] {
        all.put(ty, value.into());
    }
    all.put(&format!("vector<{lanes}xi1>"), "%mask".into());
    all.put(&format!("vector<{lanes}xi8>"), "%bytes".into());
    for _ in 0..20 {
        all.op(lanes);
    }
    let (a, b) = (all.pick(&int), all.pick(&float));
    all.line(&format!(
        "%sum = vector.reduction <add>, {a} : {int} into i32\n%all = vector.reduction <add>, {b} : {float} into f32\nvector.store {b}, %m[%c0] : memref<?xf32>, {float}"
    ));
    let (x, y) = (all.pick("i32"), all.pick("f32"));
    all.line(&format!(
        "%r = arith.addi %sum, {x} : i32\n%s = arith.addf %all, {y} : f32\nreturn %r, %s : i32, f32\n}}"
    ));
    all.text
}
