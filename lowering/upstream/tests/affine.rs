//! Affine functions at random: their values stay when they become canonical, and when nothing of `affine` is left.
//!
//! Maps, loops with carried values, conditions, memory. What traps or is poison before may be anything after. The numbers
//! come from a fixed seed.

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_affine as affine;
use terrace_dialect_upstream::ALL;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_lowering_upstream::lower_affine;
use terrace_rewrite::Greedy;
use terrace_rewrite::canonicalize::CanonicalRules;
use terrace_support::Random;

/// A function in the making: values that may be dimensions, and those that may be symbols too
struct Making<'a> {
    random: &'a mut Random,
    text: String,
    dims: Vec<String>,
    symbols: Vec<String>,
    /// Indices that are neither
    others: Vec<String>,
    count: usize,
}

impl Making<'_> {
    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn expr(&mut self, dims: usize, symbols: usize, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return match self.random.below(3) {
                0 if dims > 0 => format!("d{}", self.random.below(dims)),
                1 if symbols > 0 => format!("s{}", self.random.below(symbols)),
                _ => format!("{}", self.random.below(14) as i64 - 5),
            };
        }
        let a = self.expr(dims, symbols, depth - 1);
        let positive = 1 + self.random.below(6);
        match self.random.below(6) {
            0 | 1 => format!("({a}) + ({})", self.expr(dims, symbols, depth - 1)),
            2 => format!("({a}) * {}", self.random.below(9) as i64 - 4),
            3 => format!("({a}) floordiv {positive}"),
            4 => format!("({a}) ceildiv {positive}"),
            _ => format!("({a}) mod {positive}"),
        }
    }

    fn operands(&mut self, dims: usize, symbols: usize) -> String {
        let all: Vec<String> = self.dims.iter().chain(&self.symbols).cloned().collect();
        let dims: Vec<String> = (0..dims).map(|_| all[self.random.below(all.len())].clone()).collect();
        let symbols: Vec<String> =
            (0..symbols).map(|_| self.symbols[self.random.below(self.symbols.len())].clone()).collect();
        format!("({})[{}]", dims.join(", "), symbols.join(", "))
    }

    /// A map with so many results and its operands
    fn map(&mut self, results: usize) -> String {
        let (dims, symbols) = (self.random.below(3), self.random.below(3));
        let exprs: Vec<String> = (0..results).map(|_| self.expr(dims, symbols, 3)).collect();
        let names = |letter: &str, count: usize| -> String {
            (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join(", ")
        };
        let head = format!("({})[{}]", names("d", dims), names("s", symbols));
        let operands = self.operands(dims, symbols);
        format!("affine_map<{head} -> ({})>{operands}", exprs.join(", "))
    }

    fn set(&mut self) -> String {
        let (dims, symbols) = (1 + self.random.below(2), self.random.below(2));
        let count = 1 + self.random.below(2);
        let constraints: Vec<String> = (0..count)
            .map(|_| {
                let sign = if self.random.below(4) == 0 { "==" } else { ">=" };
                format!("{} {sign} 0", self.expr(dims, symbols, 2))
            })
            .collect();
        let names = |letter: &str, count: usize| -> String {
            (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join(", ")
        };
        let head = format!("({})[{}]", names("d", dims), names("s", symbols));
        let operands = self.operands(dims, symbols);
        format!("affine_set<{head} : ({})>{operands}", constraints.join(", "))
    }

    /// Ops at one level; gives an index that the level computes
    fn body(&mut self, depth: usize, steps: usize) -> String {
        let (dims, symbols, others) = (self.dims.len(), self.symbols.len(), self.others.len());
        for _ in 0..steps {
            self.step(depth);
        }
        let all: Vec<String> = self.others.iter().chain(&self.dims).chain(&self.symbols).cloned().collect();
        let result = all[self.random.below(all.len())].clone();
        self.dims.truncate(dims);
        self.symbols.truncate(symbols);
        self.others.truncate(others);
        result
    }

    fn step(&mut self, depth: usize) {
        let name = self.name();
        match self.random.below(if depth < 4 { 9 } else { 6 }) {
            0 | 1 => {
                let map = self.map(1);
                self.line(depth, &format!("{name} = affine.apply {map}"));
                self.dims.push(name);
            }
            2 => {
                let word = ["min", "max"][self.random.below(2)];
                let count = 1 + self.random.below(3);
                let map = self.map(count);
                self.line(depth, &format!("{name} = affine.{word} {map}"));
                self.others.push(name);
            }
            3 => {
                let at = self.operand();
                let other = self.name();
                self.line(
                    depth,
                    &format!("{name}, {other} = affine.delinearize_index {at} into (3) : index, index"),
                );
                let back = self.name();
                self.line(
                    depth,
                    &format!("{back} = affine.linearize_index [{name}, {other}] by (3) : index"),
                );
                self.dims.extend([name, other, back]);
            }
            4 => {
                let (i, j) = (self.operand(), self.operand());
                self.line(
                    depth,
                    &format!("{name} = affine.load %m[{i} mod 4, {j} mod 8] : memref<4x8xindex>"),
                );
                self.others.push(name);
            }
            5 => {
                let (i, j) = (self.operand(), self.operand());
                let value = self.others.last().cloned().unwrap_or_else(|| "%a".into());
                self.line(depth, &format!("affine.store {value}, %m[({i} + {j}) mod 4, {j} floordiv 8 mod 8] : memref<4x8xindex>"));
            }
            6 => {
                let set = self.set();
                self.line(depth, &format!("{name} = affine.if {set} -> index {{"));
                for branch in 0..2 {
                    let steps = self.random.below(3);
                    let value = self.body(depth + 1, steps);
                    self.line(depth + 1, &format!("affine.yield {value} : index"));
                    self.line(depth, if branch == 0 { "} else {" } else { "}" });
                }
                self.others.push(name);
            }
            _ => {
                let (low, high) = match self.random.below(3) {
                    0 => (self.random.below(5).to_string(), self.random.below(8).to_string()),
                    1 => ("0".into(), self.symbols[self.random.below(self.symbols.len())].clone()),
                    _ => {
                        let low = self.map(1);
                        // Not too far, or the loops run for ever.
                        (format!("max {low}"), "min affine_map<() -> (6, 7)>()".into())
                    }
                };
                let step = 1 + self.random.below(3);
                let (iv, carried) = (self.name(), self.name());
                let init = self.operand();
                self.line(depth, &format!("{name} = affine.for {iv} = {low} to {high} step {step} iter_args({carried} = {init}) -> (index) {{"));
                let (dims, others) = (self.dims.len(), self.others.len());
                self.dims.push(iv);
                self.others.push(carried);
                let steps = 1 + self.random.below(3);
                let value = self.body(depth + 1, steps);
                self.dims.truncate(dims);
                self.others.truncate(others);
                self.line(depth + 1, &format!("affine.yield {value} : index"));
                self.line(depth, "}");
                self.others.push(name);
            }
        }
    }

    fn operand(&mut self) -> String {
        let all: Vec<String> = self.dims.iter().chain(&self.symbols).cloned().collect();
        all[self.random.below(all.len())].clone()
    }
}

fn function(random: &mut Random) -> String {
    let args = ["%a", "%b"].map(String::from).to_vec();
    let mut making =
        Making { random, text: String::new(), dims: Vec::new(), symbols: args, others: Vec::new(), count: 0 };
    making.line(1, "%c5 = arith.constant 5 : index");
    making.line(1, "%zero = arith.constant dense<3> : vector<4x8xindex>");
    making.line(1, "%c0 = arith.constant 0 : index");
    making.line(1, "%m = memref.alloc() : memref<4x8xindex>");
    making.line(1, "vector.store %zero, %m[%c0, %c0] : memref<4x8xindex>, vector<4x8xindex>");
    making.symbols.push("%c5".into());
    let steps = 3 + making.random.below(5);
    let value = making.body(1, steps);
    format!(
        "func.func @f(%a: index, %b: index) -> (index, index) {{\n{}  %last = affine.load %m[1, 2] : memref<4x8xindex>\n  return {value}, %last : index, index\n}}\n",
        making.text
    )
}

fn run(ir: &Ir, args: &[RtValue]) -> Option<Vec<RtValue>> {
    Interpreter::new(ir, Options::default()).call("f", args.to_vec()).ok()
}

/// The module after a change of each function, verified and as text
fn changed(before: &Ir, change: impl Fn(&mut Ir), story: &str) -> (Box<Ir>, String) {
    let mut after = before.clone_unit();
    let functions: Vec<&mut Ir> = after.children_mut().collect();
    functions.into_iter().for_each(change);
    let mut text = String::new();
    terrace_text::print(&after, &Default::default(), &mut text);
    let errors = verify(&after, 1);
    let messages = terrace_diag::render_all(errors.iter(), before.cx().sources(), false);
    assert!(!errors.has_errors(), "{messages}\n{story}\n{text}");
    (after, text)
}

#[test]
fn canonical_and_lowered_functions_give_the_same_values() {
    let mut random = Random::new(0xFEDC_BA98_7654_3211);
    let mut compared = 0;
    let applied = std::cell::RefCell::new(std::collections::BTreeSet::new());
    for round in 0..500 {
        let text = function(&mut random);
        let cx: Arc<Context> = Context::new(ALL);
        let source = cx.sources().add("affine.mlir", text.clone());
        let mut diags = Diags::default();
        let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
        let messages = terrace_diag::render_all(diags.iter(), cx.sources(), false);
        let before = ir.filter(|_| !diags.has_errors()).unwrap_or_else(|| panic!("{messages}\n{text}"));
        let errors = verify(&before, 1);
        let messages = terrace_diag::render_all(errors.iter(), cx.sources(), false);
        assert!(!errors.has_errors(), "{messages}\n{text}");
        let canonical = |ir: &mut Ir| {
            let outcome = Greedy::canonical(&cx, &[]).run(ir);
            assert!(outcome.diverged.is_none(), "round {round} does not end\n{text}");
            applied.borrow_mut().extend(outcome.applied.into_keys());
        };
        let all = [
            changed(&before, canonical, &text),
            changed(&before, lower_affine::lower_all, &text),
            changed(
                &before,
                |ir| {
                    canonical(ir);
                    lower_affine::lower_all(ir);
                    canonical(ir);
                },
                &text,
            ),
        ];
        assert!(
            !all[1].1.contains("affine.") && !all[2].1.contains("affine."),
            "round {round}: {}",
            all[1].1
        );
        for _ in 0..4 {
            let args = [0, 1].map(|_| RtValue::index(random.below(24) as i64 - 8));
            let Some(wanted) = run(&before, &args) else { continue };
            for (after, shown) in &all {
                let given = run(after, &args)
                    .unwrap_or_else(|| panic!("round {round} traps on {args:?}\n{text}\n{shown}"));
                let same = wanted.iter().zip(&given).all(|(a, b)| *a == RtValue::Poison || a == b);
                assert!(same, "round {round} on {args:?}: {wanted:?} became {given:?}\n{text}\n{shown}");
            }
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} runs decide something");
    let rules = affine::AFFINE.ops.iter().filter_map(|op| op.interface::<CanonicalRules>());
    let names: Vec<&str> = rules.flat_map(|rules| (rules.0)()).map(|rule| rule.name()).collect();
    // In `test-files/dialects/affine/canonicalize.mlir`, or the same code as those of loads and stores.
    let vectors =
        ["vector_load_normal_form", "vector_store_normal_form", "prefetch_normal_form", "affine_for_empty"];
    let applied = applied.into_inner();
    let missed: Vec<&&str> =
        names.iter().filter(|name| !applied.contains(*name) && !vectors.contains(name)).collect();
    assert!(missed.is_empty(), "never applied: {missed:?}");
}
