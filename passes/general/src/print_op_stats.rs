//! How many ops of each kind there are, for people or as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;
use terrace_diag::Reported;
use terrace_ir::{Ir, OpId, OpKind};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Print the number of ops of each kind, by name
///
/// On standard error. Changes nothing.
#[pass("print-op-stats", scope = tree)]
pub struct PrintOpStats {
    /// print JSON
    #[option]
    json: bool,
}

impl Pass for PrintOpStats {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let counts = count(unit);
        cx.print(if self.json { json(&counts) } else { table(&counts) });
        cx.set_changed(false);
        Ok(())
    }
}

fn count(root: &Ir) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut add = |ir: &Ir, op: OpId| match counts.get_mut(ir.op_name(op)) {
        Some(count) => *count += 1,
        None => {
            counts.insert(ir.op_name(op).to_string(), 1);
        }
    };
    let mut units = vec![root];
    while let Some(ir) = units.pop() {
        add(ir, ir.root());
        for op in ir.walk() {
            match ir.child(op) {
                Some(child) => units.push(child),
                None if ir.kind(op) != OpKind::SLOT => add(ir, op),
                None => {}
            }
        }
    }
    counts
}

/// Dialects to the right, names to the left of their dot
fn table(counts: &BTreeMap<String, u64>) -> String {
    let split = |name: &'_ str| -> (usize, usize) {
        name.find('.')
            .filter(|at| at + 1 < name.len())
            .map_or((0, name.len()), |at| (at, name.len() - at - 1))
    };
    let width =
        |part: fn((usize, usize)) -> usize| counts.keys().map(|name| part(split(name))).max().unwrap_or(0);
    let (dialects, names) = (width(|parts| parts.0), width(|parts| parts.1));
    let mut out = String::from("Operations encountered:\n-----------------------\n");
    for (name, count) in counts {
        let (dialect, rest) = split(name);
        let before = if dialect == 0 { dialects + 3 } else { dialects + 2 - dialect };
        let _ = writeln!(out, "{:before$}{name}{:after$} , {count}", "", "", after = names - rest);
    }
    out
}

fn json(counts: &BTreeMap<String, u64>) -> String {
    let rows: Vec<String> = counts.iter().map(|(name, count)| format!("  \"{name}\" : {count}")).collect();
    match rows.is_empty() {
        true => "{\n}\n".into(),
        false => format!("{{\n{}\n}}\n", rows.join(",\n")),
    }
}
