//! `promote-buffers` refines random programs of nested loops and conditions over small buffers.

use std::fmt::Write;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_test::{Refinement, refines};
use terrace_dialect_upstream::ALL;
use terrace_interp::RtValue;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_passes_general::promote_buffers::{self, Promoted};
use terrace_support::Random;
use terrace_text::{ParseOptions, parse};

struct Maker {
    random: Random,
    out: String,
    next: usize,
    /// Values of type i32 in scope
    pool: Vec<String>,
    /// Access buffers as vectors too
    vectors: bool,
}

impl Maker {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn any(&mut self) -> String {
        let n = self.random.below(self.pool.len() as u64) as usize;
        self.pool[n].clone()
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn condition(&mut self) -> String {
        let (c, a, b) = (self.name(), self.any(), self.any());
        self.line(&format!("{c} = arith.cmpi slt, {a}, {b} : i32"));
        c
    }

    fn block(&mut self, depth: usize) {
        let visible = self.pool.len();
        for _ in 0..2 + self.random.below(5) {
            self.statement(depth);
        }
        self.pool.truncate(visible);
    }

    /// Access a buffer as a vector, whole or under a mask
    fn vector(&mut self, buffer: u64, at: u64) {
        let (v, w, mask, x) = (self.name(), self.name(), self.name(), self.any());
        self.line(&format!("{mask} = vector.create_mask %c{at} : vector<3xi1>"));
        self.line(&format!("{w} = vector.broadcast {x} : i32 to vector<3xi32>"));
        let (place, types) = (format!("%m{buffer}[%c0]"), "memref<3xi32>, vector<3xi1>, vector<3xi32>");
        match self.random.below(4) {
            0 => self.line(&format!("{v} = vector.load {place} : memref<3xi32>, vector<3xi32>")),
            1 => {
                self.line(&format!(
                    "{v} = vector.maskedload {place}, {mask}, {w} : {types} into vector<3xi32>"
                ));
            }
            2 => return self.line(&format!("vector.store {w}, {place} : memref<3xi32>, vector<3xi32>")),
            _ => return self.line(&format!("vector.maskedstore {place}, {mask}, {w} : {types}")),
        }
        let e = self.name();
        self.line(&format!("{e} = vector.extract {v}[{}] : i32 from vector<3xi32>", self.next % 3));
        self.pool.push(e);
    }

    fn statement(&mut self, depth: usize) {
        let (buffer, at) = (self.random.below(2), self.random.below(3));
        if self.vectors && self.random.below(4) == 0 {
            return self.vector(buffer, at);
        }
        let kind = self.random.below(if depth > 0 { 10 } else { 6 });
        match kind {
            0..=1 => {
                let v = self.name();
                self.line(&format!("{v} = memref.load %m{buffer}[%c{at}] : memref<3xi32>"));
                self.pool.push(v);
            }
            2..=3 => {
                let v = self.any();
                self.line(&format!("memref.store {v}, %m{buffer}[%c{at}] : memref<3xi32>"));
            }
            4..=5 => {
                let (v, a, b) = (self.name(), self.any(), self.any());
                self.line(&format!("{v} = arith.addi {a}, {b} : i32"));
                self.pool.push(v);
            }
            6 => {
                let (r, i, c, init) = (self.name(), self.name(), self.name(), self.any());
                let bound = self.random.below(4);
                self.line(&format!(
                    "{r} = scf.for {i} = %c0 to %c{bound} step %c1 iter_args({c} = {init}) -> (i32) {{"
                ));
                self.pool.push(c);
                self.block(depth - 1);
                let last = self.any();
                self.line(&format!("scf.yield {last} : i32 }}"));
                self.pool.pop();
                self.pool.push(r);
            }
            7 => {
                let c = self.condition();
                self.line(&format!("scf.if {c} {{"));
                self.block(depth - 1);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            8 => {
                // A loop that counts in a buffer of its own, freed or not.
                let (m, v, w, c, b) = (self.name(), self.name(), self.name(), self.name(), self.name());
                let z = self.any();
                self.line(&format!(
                    "{m} = memref.alloc() : memref<i32> memref.store %three, {m}[] : memref<i32>"
                ));
                self.line(&format!("scf.while : () -> () {{ {b} = memref.load {m}[] : memref<i32>"));
                self.line(&format!("{c} = arith.cmpi sgt, {b}, %zero : i32"));
                self.block(0);
                self.line(&format!("scf.condition({c}) }} do {{ {v} = memref.load {m}[] : memref<i32>"));
                self.line(&format!("{w} = arith.subi {v}, %one : i32 memref.store {w}, {m}[] : memref<i32>"));
                self.line(&format!("memref.store {z}, %m0[%c0] : memref<3xi32>"));
                self.block(depth - 1);
                self.line("scf.yield }");
                self.line(&format!("memref.dealloc {m} : memref<i32>"));
            }
            _ => {
                let r = self.name();
                self.line(&format!("{r} = scf.execute_region -> i32 {{"));
                self.block(depth - 1);
                let last = self.any();
                self.line(&format!("scf.yield {last} : i32 }}"));
                self.pool.push(r);
            }
        }
    }
}

fn program(seed: u64) -> String {
    let pool = ["%x", "%y", "%one", "%three"].map(String::from).to_vec();
    let mut maker =
        Maker { random: Random::new(seed), out: String::new(), next: 0, pool, vectors: seed % 2 == 1 };
    maker.line("func.func @f(%x: i32, %y: i32) -> (i32, i32, i32, i32) {");
    for n in 0..4 {
        maker.line(&format!("%c{n} = arith.constant {n} : index"));
    }
    maker
        .line("%zero = arith.constant 0 : i32 %one = arith.constant 1 : i32 %three = arith.constant 3 : i32");
    for buffer in 0..2 {
        maker.line(&format!("%m{buffer} = memref.alloca() : memref<3xi32>"));
        for at in 0..3 {
            // Now and then an element is left as it is.
            if maker.random.below(12) > 0 {
                let v = maker.any();
                maker.line(&format!("memref.store {v}, %m{buffer}[%c{at}] : memref<3xi32>"));
            }
        }
    }
    maker.block(3);
    for n in 0..4 {
        let (buffer, at) = (n % 2, n / 2);
        maker.line(&format!("%r{n} = memref.load %m{buffer}[%c{at}] : memref<3xi32>"));
    }
    maker.line("return %r0, %r1, %r2, %r3 : i32, i32, i32, i32 }");
    maker.out
}

fn read(cx: &Arc<Context>, text: &str) -> Ir {
    let mut diags = Diags::default();
    let source = cx.sources().add("random.mlir", text);
    let ir = parse(cx, source, &ParseOptions::default(), &mut diags);
    ir.unwrap_or_else(|| panic!("the program does not parse: {:?}\n{text}", diags.as_slice()))
}

fn is_access(name: &str) -> bool {
    name.starts_with("memref.")
        || name.starts_with("vector.") && (name.ends_with("load") || name.ends_with("store"))
}

#[test]
fn promoting_refines() {
    let cx = Context::new(ALL);
    let (mut same, mut done) = (0, Promoted::default());
    for seed in 0..300 {
        let text = program(seed);
        let before = read(&cx, &text);
        let mut after = before.clone_unit();
        for unit in after.children_mut() {
            let promoted = promote_buffers::run(unit);
            done.slots += promoted.slots;
            done.carried += promoted.carried;
            let left = unit.walk().filter(|op| is_access(unit.op_name(*op))).count();
            assert_eq!(left, 0, "seed {seed}: memory is left");
        }
        assert!(!verify(&after, 1).has_errors(), "seed {seed}: the result is not valid");
        for (x, y) in [(0, 1), (-3, 2), (7, 7)] {
            let args = [RtValue::int(x, 32), RtValue::int(y, 32)];
            match refines(&before, &after, "f", &args) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => panic!("seed {seed}, arguments {x}, {y}: {why}\n{text}"),
            }
        }
    }
    assert!(same > 300, "only {same} runs decide something");
    assert!(done.slots > 1500 && done.carried > 300, "too little was done: {done:?}");
}
