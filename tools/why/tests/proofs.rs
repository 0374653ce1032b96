//! Proofs of single applications: every rule and every fold of integers, on the functions of the test files, at several widths.
//!
//! `canonicalize` runs up to each number of applications; the function before and after one more is a question to the solver.
//! The functions come once as they stand, and once with `i32` replaced by other widths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use terrace_diag::Diags;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_lowering_smt::{Solver, Verdict, refines};
use terrace_opt::Tool;
use terrace_pass::Pipeline;
use terrace_text::ParseOptions;
use terrace_why::steps::{Pass, passes, run};
use terrace_why::text;

/// Folders whose functions are proven
const FOLDERS: &[&str] = &["dialects/arith", "dialects/scf"];

/// Widths that stand for `i32`
const WIDTHS: &[&str] = &["i32", "i4", "i8", "i64"];

/// Applications looked at in one module
const MOST: u64 = 1000;

/// Functions for rules that the test files apply only next to what has no formula
const MORE: &str = "
func.func @negative_right(%x: i32, %y: i32) -> i32 {
  %minus = arith.constant -1 : i32
  %p = arith.muli %x, %minus : i32
  %r = arith.addi %y, %p : i32
  return %r : i32
}
// -----
func.func @sum_only(%x: i32, %y: i32) -> i32 {
  %sum, %carry = arith.addui_extended %x, %y : i32, i1
  return %sum : i32
}
// -----
func.func @low_only(%x: i32, %y: i32) -> i32 {
  %low, %high = arith.mulsi_extended %x, %y : i32
  return %low : i32
}
// -----
func.func @bits(%x: i3, %y: i3) -> (i32, i32, i32, i32) {
  %a = arith.extui %x : i3 to i32
  %b = arith.extui %y : i3 to i32
  %c = arith.extsi %x : i3 to i32
  %d = arith.extsi %y : i3 to i32
  %r = arith.andi %a, %b : i32
  %s = arith.ori %a, %b : i32
  %t = arith.andi %c, %d : i32
  %u = arith.ori %c, %d : i32
  return %r, %s, %t, %u : i32, i32, i32, i32
}
// -----
func.func @wider(%x: i2) -> (i32, index, index) {
  %a = arith.extui %x : i2 to i3
  %r = arith.extui %a : i3 to i32
  %b = arith.extsi %x : i2 to i32
  %s = arith.index_cast %b : i32 to index
  %c = arith.extui %x : i2 to i32
  %t = arith.index_castui %c : i32 to index
  return %r, %s, %t : i32, index, index
}
// -----
func.func @masked(%c: i1, %x: i32, %y: i32, %z: i32) -> i32 {
  %m = arith.select %c, %x, %y : i32
  %s = arith.addi %m, %z : i32
  %r = arith.select %c, %s, %z : i32
  return %r : i32
}
";

/// Rules of `arith` without a proof, and why
const NOT_PROVEN: &[(&str, &str)] = &[
    ("divf_of_negf", "of floats; `files` and random programs compare their values"),
    ("mulf_of_negf", "of floats; `files` and random programs compare their values"),
    ("or_of_nan", "of floats; `files` and random programs compare their values"),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "mlir") {
            found.push(path);
        }
    }
    found.sort();
}

/// A valid module, if the text is one
fn parse(cx: &Arc<Context>, text: &str) -> Option<Ir> {
    let source = cx.sources().add("case.mlir", text);
    let mut diags = Diags::default();
    let module = terrace_text::parse(cx, source, &ParseOptions::default(), &mut diags)?;
    (!diags.has_errors() && !verify(&module, 1).has_errors()).then_some(module)
}

/// What was asked of each rule, by its name and the op it begins from
#[derive(Default)]
struct Asked {
    proven: BTreeMap<(String, String), BTreeSet<&'static str>>,
    refuted: Vec<String>,
    open: BTreeMap<(String, String), String>,
}

impl Asked {
    /// All applications of a pass on a module
    fn module(&mut self, module: &Ir, pass: &Pass, width: &'static str, solver: &mut Solver) {
        let total = run(module, pass, None).total().min(MOST);
        let mut before = module.clone_unit();
        for n in 1..=total {
            let ran = run(module, pass, Some(n));
            let Some(last) = ran.counted.iter().rev().find(|one| one.count > 0).and_then(|one| one.last)
            else {
                break;
            };
            let key = (last.what.to_owned(), last.op.to_owned());
            let pairs = before.walk().zip(ran.module.walk());
            for (old, new) in pairs {
                let (Some(old), Some(new)) = (before.child(old), ran.module.child(new)) else { continue };
                if text(old) == text(new) {
                    continue;
                }
                match refines(solver, old, new) {
                    Ok(Verdict::Proven) => _ = self.proven.entry(key.clone()).or_default().insert(width),
                    Ok(Verdict::Refuted(args)) => {
                        let both = text(old) + &text(new);
                        self.refuted.push(format!("{key:?} with {args:?}:\n{both}"));
                    }
                    Ok(Verdict::Unknown(why)) => _ = self.open.insert(key.clone(), why),
                    Err(why) => _ = self.open.entry(key.clone()).or_insert(why.to_string()),
                }
            }
            before = ran.module;
        }
    }
}

fn asked() -> Option<Asked> {
    let mut solver = match Solver::start(None, Duration::from_secs(20)) {
        Ok(solver) => solver,
        Err(_) => {
            println!("skipped: proofs::applications (needs smt)");
            return None;
        }
    };
    let cx = Context::new(&(Tool::OPT.dialects)());
    let mut diags = Diags::default();
    let pipeline = Pipeline::parse("canonicalize", &Tool::OPT.registry, cx.sources(), &mut diags);
    let pass = passes(&pipeline.expect("a pipeline")).remove(0);
    let mut paths = Vec::new();
    for folder in FOLDERS {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(folder), &mut paths);
    }
    let mut asked = Asked::default();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).expect("a test file is text"));
    for text in texts.chain([MORE.to_owned()]) {
        for case in text.split("// -----") {
            for width in WIDTHS {
                let other = case.replace("i32", width);
                if *width != "i32" && other == case {
                    continue;
                }
                if let Some(module) = parse(&cx, &other) {
                    asked.module(&module, &pass, width, &mut solver);
                }
            }
        }
    }
    Some(asked)
}

#[test]
fn applications() {
    let Some(asked) = asked() else { return };
    for (key, widths) in &asked.proven {
        println!("proven {key:?} {widths:?}");
    }
    for (key, why) in asked.open.iter().filter(|(key, _)| !asked.proven.contains_key(*key)) {
        println!("open {key:?}: {why}");
    }
    assert!(asked.refuted.is_empty(), "{}", asked.refuted.join("\n"));
    let cx = Context::new(&(Tool::OPT.dialects)());
    let of_arith =
        |rule: &&dyn terrace_rewrite::Rule| rule.root().is_some_and(|root| root.name.starts_with("arith."));
    let rules: BTreeSet<&str> = terrace_rewrite::strategy::known_rules(&cx)
        .iter()
        .filter(|rule| of_arith(rule))
        .map(|rule| rule.name())
        .collect();
    let proven: BTreeSet<&str> = asked.proven.keys().map(|(rule, _)| rule.as_str()).collect();
    let wanted: BTreeSet<&str> = rules.difference(&proven).copied().collect();
    let listed: BTreeSet<&str> = NOT_PROVEN.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(wanted, listed, "{} of {} rules of arith are proven", rules.len() - wanted.len(), rules.len());
}
