//! Where a unit is in its module, while it is taken out to be worked on: for IR that is printed with the module around it,
//! and for files that are named after the ops around it.
//!
//! Keeps a copy of the module as it was after the last step.

use std::collections::HashMap;
use std::path::PathBuf;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId};

/// A copy of the module, with the number of files of each op
pub struct Scope {
    root: Box<Ir>,
    counts: HashMap<PathBuf, usize>,
}

impl Scope {
    /// Of a module before the run
    pub fn new(root: &Ir) -> Scope {
        Scope { root: root.clone_unit(), counts: HashMap::new() }
    }

    /// The module as it is by now
    pub fn module(&self) -> &Ir {
        &self.root
    }

    /// Take over what a step has changed in a unit; `path` is the slots from the module down to it
    pub fn update(&mut self, unit: &Ir, path: &[OpId]) {
        let Some((last, around)) = path.split_last() else {
            self.root = unit.clone_unit();
            return;
        };
        let mut parent = &mut *self.root;
        for slot in around {
            match parent.child_mut(*slot) {
                Some(child) => parent = child,
                None => return,
            }
        }
        if parent.take_child(*last).is_some() {
            parent.put_child(*last, unit.clone_unit());
        }
    }

    /// The file for the next text of a unit: folders of the ops around it and its own, then `N_N_pass.mlir`
    pub fn file(&mut self, path: &[OpId], pass: &str) -> PathBuf {
        let mut names: Vec<String> = vec![folder(&self.root)];
        let mut ir = &*self.root;
        for slot in path {
            let Some(child) = ir.child(*slot) else { break };
            names.push(folder(child));
            ir = child;
        }
        let mut place = PathBuf::new();
        let mut numbers = String::new();
        let last = names.len() - 1;
        for (n, name) in names.iter().enumerate() {
            place.push(name);
            let known = self.counts.get(&place).copied();
            let count = if n == last { known.map_or(0, |count| count + 1) } else { known.unwrap_or(0) };
            self.counts.insert(place.clone(), count);
            numbers.push_str(&format!("{count}_"));
        }
        place.join(format!("{numbers}{pass}.mlir"))
    }
}

/// `builtin_module_top`: an op's name and symbol as a folder
fn folder(unit: &Ir) -> String {
    let op = unit.op_name(unit.root()).replace('.', "_");
    let symbol = symbol_name(unit, unit.root()).map_or("no-symbol-name", |name| unit.cx().str(name));
    // A symbol may be any text; a folder may not lead elsewhere.
    format!("{op}_{}", symbol.replace(['/', '\\'], "_"))
}
