//! Random kernels: what has no race gives the same in every order of the threads, what has one traps in every order.

use std::fmt::Write;
use terrace_diag::Diags;
use terrace_interp::{Interpreter, Options, Order, RtValue, Trap, codes};
use terrace_ir::Context;

/// Threads of a block, and elements of each buffer
const THREADS: u64 = 6;

struct Kernels {
    state: u64,
    next: usize,
    text: String,
}

impl Kernels {
    fn below(&mut self, n: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % n
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// An index: mostly one that each thread has for itself
    fn index(&mut self) -> String {
        match self.below(12) {
            0 => "%c0".into(),
            1 | 2 => {
                let (sum, at) = (self.fresh(), self.fresh());
                let by = 1 + self.below(THREADS - 1);
                self.line(&format!("{sum} = arith.addi %tx, %c{by} : index"));
                self.line(&format!("{at} = arith.remui {sum}, %c{THREADS} : index"));
                at
            }
            3 => {
                let at = self.fresh();
                self.line(&format!("{at} = arith.subi %last, %tx : index"));
                at
            }
            _ => "%tx".into(),
        }
    }

    fn value(&mut self) -> String {
        let value = self.fresh();
        match self.below(3) {
            0 => {
                let (at, from) = (self.index(), ["%m", "%w"][self.below(2) as usize]);
                let ty = if from == "%m" { "memref<6xi32>" } else { "memref<6xi32, #wg>" };
                self.line(&format!("{value} = memref.load {from}[{at}] : {ty}"));
            }
            1 => self.line(&format!("{value} = arith.index_cast %tx : index to i32")),
            _ => {
                let number = self.below(100);
                self.line(&format!("{value} = arith.constant {number} : i32"));
            }
        }
        value
    }

    fn op(&mut self, depth: u64, uniform: bool) {
        match self.below(10) {
            0 if uniform => self.line("gpu.barrier"),
            1 if uniform => self.line("gpu.barrier"),
            2 if depth > 0 => {
                let (holds, limit) = (self.fresh(), self.below(THREADS));
                self.line(&format!("{holds} = arith.cmpi ult, %tx, %c{limit} : index"));
                self.line(&format!("scf.if {holds} {{"));
                self.ops(depth - 1, false);
                self.line("}");
            }
            3 if depth > 0 => {
                let at = self.fresh();
                self.line(&format!("scf.for {at} = %c0 to %c2 step %c1 {{"));
                self.ops(depth - 1, uniform);
                self.line("}");
            }
            4 => {
                let (value, at, old) = (self.value(), self.index(), self.fresh());
                self.line(&format!(
                    "{old} = memref.atomic_rmw addi {value}, %w[{at}] : (i32, memref<6xi32, #wg>) -> i32"
                ));
            }
            5 if uniform => {
                let (value, sum, at) = (self.value(), self.fresh(), self.index());
                self.line(&format!("{sum} = gpu.all_reduce add {value} {{"));
                self.line("} : (i32) -> i32");
                self.line(&format!("memref.store {sum}, %w[{at}] : memref<6xi32, #wg>"));
            }
            6 | 7 => {
                let (value, at) = (self.value(), self.index());
                self.line(&format!("memref.store {value}, %m[{at}] : memref<6xi32>"));
            }
            _ => {
                let (value, at) = (self.value(), self.index());
                self.line(&format!("memref.store {value}, %w[{at}] : memref<6xi32, #wg>"));
            }
        }
    }

    fn ops(&mut self, depth: u64, uniform: bool) {
        for _ in 0..1 + self.below(4) {
            self.op(depth, uniform);
        }
    }

    /// A function whose result is what the kernel has left at an index
    fn text(seed: u64) -> String {
        let mut all = Kernels { state: seed, next: 0, text: String::new() };
        all.text.push_str("#wg = #gpu.address_space<workgroup>\nfunc.func @f(%at: index) -> i32 {\n");
        for n in 0..=THREADS {
            all.line(&format!("%c{n} = arith.constant {n} : index"));
        }
        all.line("%zero = arith.constant 0 : i32");
        all.line("%last = arith.constant 5 : index");
        all.line("%m = memref.alloc() : memref<6xi32>");
        all.line("scf.for %i = %c0 to %c6 step %c1 { memref.store %zero, %m[%i] : memref<6xi32> }");
        all.line("gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)");
        all.line("threads(%tx, %ty, %tz) in (%sx = %c6, %sy = %c1, %sz = %c1) workgroup(%w : memref<6xi32, #wg>) {");
        all.line("memref.store %zero, %w[%tx] : memref<6xi32, #wg>");
        all.line("gpu.barrier");
        all.ops(2, true);
        all.line("gpu.barrier");
        all.line("%own = memref.load %w[%tx] : memref<6xi32, #wg>");
        all.line("%sum = memref.atomic_rmw addi %own, %m[%tx] : (i32, memref<6xi32>) -> i32");
        all.line("gpu.terminator\n}");
        all.line("%r = memref.load %m[%at] : memref<6xi32>");
        all.line("return %r : i32\n}");
        all.text
    }
}

fn run(text: &str, order: Order) -> Result<Vec<RtValue>, Trap> {
    let cx = Context::new(&[
        &terrace_dialect_builtin::BUILTIN,
        &terrace_dialect_arith::ARITH,
        &terrace_dialect_func::FUNC,
        &terrace_dialect_gpu::GPU,
        &terrace_dialect_memref::MEMREF,
        &terrace_dialect_scf::SCF,
    ]);
    let source = cx.sources().add("f", text.to_string());
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    let ir = ir.unwrap_or_else(|| panic!("{shown}\n{text}"));
    assert!(!diags.has_errors(), "{shown}\n{text}");
    let mut interpreter = Interpreter::new(&ir, Options { order, subgroup: 4, ..Options::default() });
    let mut all = Vec::new();
    for at in 0..THREADS {
        all.extend(interpreter.call("f", vec![RtValue::index(at as i64)])?);
    }
    Ok(all)
}

#[test]
fn orders_agree_where_there_is_no_race() {
    let (mut clean, mut races) = (0, 0);
    for seed in 0..400 {
        let text = Kernels::text(seed);
        let forward = run(&text, Order::Forward);
        for order in [Order::Reverse, Order::Seed(seed)] {
            match (&forward, run(&text, order)) {
                (Ok(a), Ok(b)) => assert_eq!(*a, b, "seed {seed}, {order:?}\n{text}"),
                (Err(a), Err(b)) => {
                    assert_eq!(a.code.id, codes::RACE.id, "seed {seed}: {}\n{text}", a.message);
                    assert_eq!(b.code.id, codes::RACE.id, "seed {seed}: {}\n{text}", b.message);
                }
                (a, b) => panic!("seed {seed}, {order:?}: {a:?} {b:?}\n{text}"),
            }
        }
        if forward.is_ok() { clean += 1 } else { races += 1 }
    }
    assert!(clean > 50 && races > 50, "{clean} {races}");
}
