//! Random programs on tensors with loops, conditions, parts at places that are values and single elements: before and after they
//! live in memory, and through LLVM.
//!
//! Values are whole numbers, so that all must give the same. What loops carry changes places, is yielded twice, is read after what
//! came of it has been written, and is written in pieces: whatever may be written in place must not be seen by who reads the old.

use crate::common;

use std::process::Command;
use terrace_support::Random;

struct Program {
    r: Random,
    text: String,
    next: u64,
    depth: usize,
}

impl Program {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth + 1);
        self.text += &format!("{indent}{text}\n");
    }

    fn pick(&mut self, pool: &[String]) -> String {
        // Later ones more often: what was made is used.
        let back = self.r.below(pool.len().min(4));
        let n = if self.r.coin() { pool.len() - 1 - back } else { self.r.below(pool.len()) };
        pool[n].clone()
    }

    /// A place for three elements
    fn place(&mut self, numbers: &[String]) -> String {
        let name = self.name();
        let number = self.pick(numbers);
        self.line(&format!("{name} = arith.remui {number}, %c4 : index"));
        name
    }

    fn elementwise(&mut self, pool: &mut Vec<String>) {
        let (a, b, e, y) = (self.pick(pool), self.pick(pool), self.name(), self.name());
        let op = self.r.pick(&["addi", "muli", "xori", "subi"]);
        self.line(&format!("{e} = tensor.empty() : tensor<6xi32>"));
        self.line(&format!(
            "{y} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\"]}} ins({a}, {b} : tensor<6xi32>, \
             tensor<6xi32>) outs({e} : tensor<6xi32>) {{"
        ));
        self.line("^bb0(%in.x: i32, %in.y: i32, %in.o: i32):");
        self.line(&format!("  %in.z = arith.{op} %in.x, %in.y : i32"));
        self.line("  linalg.yield %in.z : i32");
        self.line("} -> tensor<6xi32>");
        pool.push(y);
    }

    /// Reads other places than it writes
    fn turned(&mut self, pool: &mut Vec<String>) {
        let (a, e, y) = (self.pick(pool), self.name(), self.name());
        let by = self.r.pick(&[1, 5]);
        self.line(&format!("{e} = tensor.empty() : tensor<6xi32>"));
        self.line(&format!(
            "{y} = linalg.generic {{indexing_maps = [#id], iterator_types = [\"parallel\"]}} outs({e} : tensor<6xi32>) {{"
        ));
        self.line("^bb0(%in.o: i32):");
        self.line("  %in.i = linalg.index 0 : index");
        self.line(&format!("  %in.s = arith.constant {by} : index"));
        self.line("  %in.j = arith.addi %in.i, %in.s : index");
        self.line("  %in.n = arith.constant 6 : index");
        self.line("  %in.k = arith.remui %in.j, %in.n : index");
        self.line(&format!("  %in.z = tensor.extract {a}[%in.k] : tensor<6xi32>"));
        self.line("  linalg.yield %in.z : i32");
        self.line("} -> tensor<6xi32>");
        pool.push(y);
    }

    fn part(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let (a, b) = (self.pick(pool), self.pick(pool));
        let (from, to) = (self.place(numbers), self.place(numbers));
        let (p, y) = (self.name(), self.name());
        self.line(&format!(
            "{p} = tensor.extract_slice {a}[{from}] [3] [1] : tensor<6xi32> to tensor<3xi32>"
        ));
        let to = if self.r.below(4) == 0 { self.r.below(4u32).to_string() } else { to };
        self.line(&format!(
            "{y} = tensor.insert_slice {p} into {b}[{to}] [3] [1] : tensor<3xi32> into tensor<6xi32>"
        ));
        pool.push(y);
    }

    fn joined(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let (a, b) = (self.pick(pool), self.pick(pool));
        let from = self.place(numbers);
        let [p, q, e, x, y] = std::array::from_fn(|_| self.name());
        self.line(&format!(
            "{p} = tensor.extract_slice {a}[{from}] [3] [1] : tensor<6xi32> to tensor<3xi32>"
        ));
        self.line(&format!("{q} = tensor.extract_slice {b}[2] [3] [1] : tensor<6xi32> to tensor<3xi32>"));
        self.line(&format!("{e} = tensor.empty() : tensor<6xi32>"));
        self.line(&format!(
            "{x} = tensor.insert_slice {p} into {e}[3] [3] [1] : tensor<3xi32> into tensor<6xi32>"
        ));
        self.line(&format!(
            "{y} = tensor.insert_slice {q} into {x}[0] [3] [1] : tensor<3xi32> into tensor<6xi32>"
        ));
        pool.push(y);
    }

    fn element(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let (a, b) = (self.pick(pool), self.pick(pool));
        let (from, to) = (self.place(numbers), self.place(numbers));
        let (s, y) = (self.name(), self.name());
        self.line(&format!("{s} = tensor.extract {a}[{from}] : tensor<6xi32>"));
        self.line(&format!("{y} = tensor.insert {s} into {b}[{to}] : tensor<6xi32>"));
        pool.push(y);
    }

    fn elements(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let a = self.pick(pool);
        let from = self.place(numbers);
        let (s, y) = (self.name(), self.name());
        self.line(&format!("{s} = tensor.extract {a}[{from}] : tensor<6xi32>"));
        self.line(&format!("{y} = tensor.from_elements {s}, %k, {s}, %k, {s}, {s} : tensor<6xi32>"));
        pool.push(y);
    }

    /// What a body gives: of what there is, also what it began with, in another order, twice
    fn end(&mut self, pool: &[String], count: usize) -> String {
        (0..count).map(|_| self.pick(pool)).collect::<Vec<_>>().join(", ")
    }

    fn body(&mut self, pool: &[String], numbers: &[String]) -> Vec<String> {
        self.depth += 1;
        let mut inner = pool.to_vec();
        for _ in 0..1 + self.r.below(4usize) {
            self.step(&mut inner, numbers);
        }
        self.depth -= 1;
        inner
    }

    fn counted(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let count = 1 + self.r.below(3usize);
        let (i, r) = (self.name(), self.name());
        let args: Vec<String> = (0..count).map(|_| self.name()).collect();
        let inits: Vec<String> = args.iter().map(|arg| format!("{arg} = {}", self.pick(pool))).collect();
        let types = vec!["tensor<6xi32>"; count].join(", ");
        self.line(&format!(
            "{r}:{count} = scf.for {i} = %c0 to %n step %c1 iter_args({}) -> ({types}) {{",
            inits.join(", ")
        ));
        let inside: Vec<String> = pool.iter().cloned().chain(args).collect();
        let numbers: Vec<String> = numbers.iter().cloned().chain([i]).collect();
        let inner = self.body(&inside, &numbers);
        let end = self.end(&inner, count);
        self.line(&format!("  scf.yield {end} : {types}"));
        self.line("}");
        pool.extend((0..count).map(|n| format!("{r}#{n}")));
    }

    fn chosen(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let count = 1 + self.r.below(2usize);
        let a = self.pick(pool);
        let from = self.place(numbers);
        let [s, c, r] = std::array::from_fn(|_| self.name());
        let types = vec!["tensor<6xi32>"; count].join(", ");
        self.line(&format!("{s} = tensor.extract {a}[{from}] : tensor<6xi32>"));
        self.line(&format!("{c} = arith.cmpi slt, {s}, %k : i32"));
        self.line(&format!("{r}:{count} = scf.if {c} -> ({types}) {{"));
        for way in 0..2 {
            let inner = self.body(pool, numbers);
            let end = self.end(&inner, count);
            self.line(&format!("  scf.yield {end} : {types}"));
            self.line(if way == 0 { "} else {" } else { "}" });
        }
        pool.extend((0..count).map(|n| format!("{r}#{n}")));
    }

    fn until(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let [m, x, y, p, q, l, k, t, d, r] = std::array::from_fn(|_| self.name());
        let (a, b) = (self.pick(pool), self.pick(pool));
        self.line(&format!(
            "{r}:3 = scf.while ({m} = %c0, {x} = {a}, {y} = {b}) : (index, tensor<6xi32>, tensor<6xi32>) -> (index, tensor<6xi32>, \
             tensor<6xi32>) {{"
        ));
        let inside: Vec<String> = pool.iter().cloned().chain([x.clone(), y.clone()]).collect();
        let inner = if self.r.coin() { self.body(&inside, numbers) } else { inside };
        let given = self.end(&inner, 2);
        self.line(&format!("  {t} = arith.cmpi ult, {m}, %n : index"));
        self.line(&format!("  scf.condition({t}) {m}, {given} : index, tensor<6xi32>, tensor<6xi32>"));
        self.line("} do {");
        self.line(&format!("^bb0({k}: index, {p}: tensor<6xi32>, {q}: tensor<6xi32>):"));
        let inside: Vec<String> = pool.iter().cloned().chain([p, q]).collect();
        let more: Vec<String> = numbers.iter().cloned().chain([k.clone()]).collect();
        let inner = self.body(&inside, &more);
        let end = self.end(&inner, 2);
        self.line(&format!("  {l} = arith.addi {k}, %c1 : index"));
        self.line(&format!("  scf.yield {l}, {end} : index, tensor<6xi32>, tensor<6xi32>"));
        self.line("}");
        self.line(&format!("{d} = arith.addi {r}#0, %c1 : index"));
        pool.extend([format!("{r}#1"), format!("{r}#2")]);
    }

    fn step(&mut self, pool: &mut Vec<String>, numbers: &[String]) {
        let deep = self.depth >= 3;
        match self.r.below(if deep { 10u32 } else { 15 }) {
            0 | 1 => self.elementwise(pool),
            2 => self.turned(pool),
            3..=5 => self.part(pool, numbers),
            6 => self.joined(pool, numbers),
            7 | 8 => self.element(pool, numbers),
            9 => self.elements(pool, numbers),
            10 | 11 => self.counted(pool, numbers),
            12 => self.chosen(pool, numbers),
            _ => self.until(pool, numbers),
        }
    }
}

fn program(seed: u64) -> String {
    let text = "#id = affine_map<(d0) -> (d0)>\nfunc.func @main(%a: tensor<6xi32>, %b: tensor<6xi32>, %n: index) -> (tensor<6xi32>, \
                tensor<6xi32>) {\n";
    let r = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut made = Program { r, text: text.into(), next: 0, depth: 0 };
    for n in [0, 1, 4] {
        made.line(&format!("%c{n} = arith.constant {n} : index"));
    }
    made.line("%k = arith.constant 3 : i32");
    made.line("%z = arith.constant dense<7> : tensor<6xi32>");
    made.line("%w = arith.constant dense<[1, -2, 3, -4, 5, -6]> : tensor<6xi32>");
    let mut pool: Vec<String> = ["%z", "%w", "%a", "%b"].map(String::from).to_vec();
    let numbers = vec!["%n".to_string(), "%c1".to_string()];
    for _ in 0..2 + made.r.below(5usize) {
        made.step(&mut pool, &numbers);
    }
    let end = made.end(&pool, 2);
    made.line(&format!("return {end} : tensor<6xi32>, tensor<6xi32>"));
    made.text + "}\n"
}

/// What the tool writes
fn values(seed: u64, text: &str, on: &str, pipeline: &str) -> Result<Vec<u8>, String> {
    let file = common::place(&format!("steps.{seed}.mlir"));
    std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
    let outs = [0, 1].map(|n| common::place(&format!("steps.{seed}.{n}.npy")));
    let said = Command::new(env!("CARGO_BIN_EXE_terrace-run"))
        .arg(&file)
        .args(["--in=a=iota", "--in=b=random:3", "--in=n=fill:3"])
        .args([format!("--on={on}"), format!("--pipeline={pipeline}")])
        .args([0, 1].map(|n| format!("--out={n}={}", outs[n].display())))
        .output()
        .expect("cargo built the tool");
    let _ = std::fs::remove_file(file);
    let mut all = Vec::new();
    for out in outs {
        all.extend(std::fs::read(&out).unwrap_or_default());
        let _ = std::fs::remove_file(out);
    }
    if said.status.success() { Ok(all) } else { Err(String::from_utf8_lossy(&said.stderr).into_owned()) }
}

fn agree(seeds: std::ops::Range<u64>) {
    const LIVE: &str =
        "linalg-operators,tensor-constants-to-globals,func.func(linalg-to-mdh,mdh-inline,tensors-to-memory";
    let mut on = vec![("interp", format!("{LIVE})")), ("interp", format!("{LIVE},mdh-to-sched)"))];
    if common::backends::here("tensor_steps").contains("host") {
        on.push(("host", String::new()));
    }
    let mut decided = 0;
    for seed in seeds.clone() {
        let text = program(seed);
        let wanted = match values(seed, &text, "interp", "") {
            Ok(wanted) => wanted,
            // Nested loops may take too long there.
            Err(why) if why.contains("steps") => continue,
            Err(why) => panic!("{why}\n{text}"),
        };
        decided += 1;
        for (on, pipeline) in &on {
            match values(seed, &text, on, pipeline) {
                Ok(found) => {
                    assert!(found == wanted, "seed {seed}, on {on}, `{pipeline}`: other values\n{text}")
                }
                Err(why) => panic!("seed {seed}, on {on}, `{pipeline}`: {why}\n{text}"),
            }
        }
    }
    assert!(decided * 10 >= (seeds.end - seeds.start) * 9, "only {decided} programs run");
}

#[test]
fn random_programs() {
    agree(0..60);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs() {
    agree(1000..4000);
}
