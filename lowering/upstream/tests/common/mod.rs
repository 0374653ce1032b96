//! Random structured programs as text, and running a pass on them.

#![allow(dead_code)]

use std::fmt::Write;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_upstream::ALL;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_support::Random;

/// Passes of this crate
pub const REGISTRY: Registry = Registry { passes: &[terrace_lowering_upstream::PASSES], pipelines: &[] };

/// Parse a unit
pub fn parse(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("f", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    ir.unwrap_or_else(|| panic!("{shown}\n{text}"))
}

/// Parse and run a pipeline on it, verified after each pass
pub fn transformed(cx: &Arc<Context>, text: &str, pipeline: &str) -> Ir {
    let mut ir = parse(cx, text);
    let mut diags = Diags::default();
    let parsed =
        Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags).expect("the pipeline is right");
    let (report, result) = terrace_pass::run(
        &mut ir,
        &parsed,
        &Instrument { verify_each: true, ..Instrument::quiet(|_| String::new()) },
    );
    let shown = terrace_diag::render_all(report.diags.iter(), cx.sources(), false);
    assert!(result.is_ok(), "{shown}\n{text}");
    ir
}

/// A context with upstream's dialects
pub fn context() -> Arc<Context> {
    Context::new(ALL)
}

/// Makes `func.func @f(%a: index, %b: index) -> index` with structured ops nested at random
pub struct Programs {
    random: Random,
    text: String,
    next: usize,
}

impl Programs {
    /// From a seed
    pub fn text(seed: u64) -> String {
        let mut all = Programs { random: Random::new(seed), text: String::new(), next: 0 };
        all.text.push_str("func.func @f(%a: index, %b: index) -> index {\n");
        for n in 0..4 {
            let _ = writeln!(all.text, "  %c{n} = arith.constant {n} : index");
        }
        let mut pool = ["%a", "%b", "%c0", "%c3"].map(String::from).to_vec();
        all.ops(&mut pool, 3);
        let result = all.sum(&pool);
        let _ = writeln!(all.text, "  return {result} : index\n}}");
        all.text
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn pick(&mut self, pool: &[String]) -> String {
        // Late values more often: what an op gives is used.
        let n = self.below(pool.len()).max(self.below(pool.len()));
        pool[n].clone()
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    /// A value made from several of the pool
    fn sum(&mut self, pool: &[String]) -> String {
        let (x, y, z) = (self.pick(pool), self.pick(pool), self.pick(pool));
        let (s, t) = (self.fresh(), self.fresh());
        self.line(&format!("{s} = arith.muli {x}, {y} : index\n{t} = arith.addi {s}, {z} : index"));
        t
    }

    fn condition(&mut self, pool: &[String]) -> String {
        let (x, y, c) = (self.pick(pool), self.pick(pool), self.fresh());
        let kind = ["slt", "eq", "ne", "ult"][self.below(4)];
        self.line(&format!("{c} = arith.cmpi {kind}, {x}, {y} : index"));
        c
    }

    fn ops(&mut self, pool: &mut Vec<String>, depth: usize) {
        for _ in 0..1 + self.below(3) {
            let kind = if depth == 0 { 6 } else { self.below(7) };
            let made = match kind {
                0 => self.looped(pool, depth),
                1 => self.conditional(pool, depth),
                2 => self.repeated(pool, depth),
                3 => self.parallel(pool, depth),
                4 => self.region(pool, depth),
                5 => self.quiet(pool, depth),
                _ => Some(self.sum(pool)),
            };
            pool.extend(made);
        }
    }

    fn inner(&mut self, pool: &[String], more: &[&String], depth: usize) -> String {
        let mut inner: Vec<String> = pool.iter().chain(more.iter().copied()).cloned().collect();
        self.ops(&mut inner, depth - 1);
        self.sum(&inner)
    }

    fn looped(&mut self, pool: &[String], depth: usize) -> Option<String> {
        let (r, i, x, y) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (low, high, step) = (self.below(3), 1 + self.below(3), 1 + self.below(2));
        let (first, second) = (self.pick(pool), self.pick(pool));
        self.line(&format!(
            "{r}:2 = scf.for {i} = %c{low} to %c{high} step %c{step} iter_args({x} = {first}, {y} = {second}) -> (index, index) {{"
        ));
        let given = self.inner(pool, &[&i, &x, &y], depth);
        self.line(&format!("scf.yield {y}, {given} : index, index\n}}"));
        Some(format!("{r}#{}", self.below(2)))
    }

    fn conditional(&mut self, pool: &[String], depth: usize) -> Option<String> {
        let c = self.condition(pool);
        let r = self.fresh();
        self.line(&format!("{r} = scf.if {c} -> (index) {{"));
        let yes = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {yes} : index\n}} else {{"));
        let no = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {no} : index\n}}"));
        Some(r)
    }

    fn repeated(&mut self, pool: &[String], depth: usize) -> Option<String> {
        let (r, n, x, m, y, c) =
            (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let first = self.pick(pool);
        let times = self.below(3);
        self.line(&format!(
            "{r}:2 = scf.while ({n} = %c0, {x} = {first}) : (index, index) -> (index, index) {{"
        ));
        let plain = self.below(2) == 0;
        let given = if plain { x.clone() } else { self.inner(pool, &[&n, &x], depth) };
        let next = self.fresh();
        self.line(&format!(
            "{next} = arith.addi {n}, %c1 : index\n{c} = arith.cmpi ult, {n}, %c{times} : index\nscf.condition({c}) {next}, {given} : index, index\n}} do {{\n^bb0({m}: index, {y}: index):"
        ));
        let given = if self.below(2) == 0 { y.clone() } else { self.inner(pool, &[&m, &y], depth) };
        self.line(&format!("scf.yield {m}, {given} : index, index\n}}"));
        Some(format!("{r}#1"))
    }

    fn parallel(&mut self, pool: &[String], depth: usize) -> Option<String> {
        let (r, i, j) = (self.fresh(), self.fresh(), self.fresh());
        let (first, high, wide) = (self.pick(pool), self.below(4), 1 + self.below(3));
        self.line(&format!(
            "{r} = scf.parallel ({i}, {j}) = (%c0, %c1) to (%c{high}, %c{wide}) step (%c1, %c2) init ({first}) -> index {{"
        ));
        let given = self.inner(pool, &[&i, &j], depth);
        let (x, y, z) = (self.fresh(), self.fresh(), self.fresh());
        let op = ["addi", "muli", "xori"][self.below(3)];
        self.line(&format!(
            "scf.reduce({given} : index) {{\n^bb0({x}: index, {y}: index):\n{z} = arith.{op} {x}, {y} : index\nscf.reduce.return {z} : index\n}}\n}}"
        ));
        Some(r)
    }

    fn region(&mut self, pool: &[String], depth: usize) -> Option<String> {
        let c = self.condition(pool);
        let (r, n) = (self.fresh(), self.next);
        self.line(&format!("{r} = scf.execute_region -> index {{\ncf.cond_br {c}, ^a{n}, ^b{n}\n^a{n}:"));
        let yes = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {yes} : index\n^b{n}:"));
        let no = self.inner(pool, &[], depth);
        self.line(&format!("scf.yield {no} : index\n}}"));
        Some(r)
    }

    /// A condition and a loop without results, over memory
    fn quiet(&mut self, pool: &[String], depth: usize) -> Option<String> {
        let (m, r, i, old, new) = (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let first = self.pick(pool);
        self.line(&format!(
            "{m} = memref.alloc() : memref<index>\nmemref.store {first}, {m}[] : memref<index>\nscf.for {i} = %c0 to %c3 step %c1 {{"
        ));
        let c = self.condition(&[pool, std::slice::from_ref(&i)].concat());
        self.line(&format!("scf.if {c} {{"));
        let given = self.inner(pool, &[&i], depth);
        self.line(&format!(
            "{old} = memref.load {m}[] : memref<index>\n{new} = arith.subi {given}, {old} : index\nmemref.store {new}, {m}[] : memref<index>\n}}\n}}\n{r} = memref.load {m}[] : memref<index>"
        ));
        Some(r)
    }
}
