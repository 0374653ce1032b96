//! Functions that calls can be followed to, and those among them whose callers are all known.

use crate::tree::Tree;
use terrace_ir::references::references;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{AttrKind, Ir, OpId, Str, Traits};
use terrace_support::{HashMap, HashSet};

/// The functions of a tree, by name and table
pub struct Functions {
    by_name: HashMap<(usize, Str), usize>,
    has_body: Vec<bool>,
    closed: Vec<bool>,
}

impl Functions {
    /// Read a tree
    pub fn of(tree: &Tree<'_>) -> Functions {
        let mut referred: HashSet<Str> = HashSet::default();
        for n in 0..tree.len() {
            let ir = tree.get(n);
            uncalled(ir, ir.root(), &mut referred);
            ir.walk().for_each(|op| uncalled(ir, op, &mut referred));
        }
        let none = vec![false; tree.len()];
        let mut functions = Functions { by_name: HashMap::default(), has_body: none.clone(), closed: none };
        for n in 1..tree.len() {
            let Some((parent, slot)) = tree.slot(n) else { continue };
            let (ir, around) = (tree.get(n), tree.get(parent));
            if around.parent(slot) != Some(around.root()) || !around.has(around.root(), Traits::SymbolTable) {
                continue;
            }
            let Some(name) = symbol_name(ir, ir.root()) else { continue };
            functions.by_name.insert((parent, name), n);
            let visibility = ir.attr(ir.root(), "sym_visibility").and_then(|attr| attr.as_str(ir.cx()));
            let has_body = ir.regions(ir.root()).next().is_some_and(|region| ir.entry(region).is_some());
            let hidden = match visibility {
                Some("private") => true,
                Some("nested") => parent == 0 && tree.outermost,
                _ => false,
            };
            functions.has_body[n] = has_body && ir.has(ir.root(), Traits::FunctionLike);
            functions.closed[n] = hidden && functions.has_body[n] && !referred.contains(&name);
        }
        // A call that does not fit its callee is one that nothing is known of.
        for n in 0..tree.len() {
            for op in tree.get(n).walk() {
                if let Some(found) = functions.named(tree, n, op)
                    && !fits(tree.get(found), tree.get(n), op)
                {
                    functions.closed[found] = false;
                }
            }
        }
        functions
    }

    /// Is the unit a function with a body?
    pub fn has_body(&self, n: usize) -> bool {
        self.has_body[n]
    }

    /// Is the unit a private function to which nothing refers but calls?
    pub fn is_closed(&self, n: usize) -> bool {
        self.closed[n]
    }

    /// The function that an op calls, if it is one of the tree with a body and takes these operands
    pub fn callee(&self, tree: &Tree<'_>, n: usize, op: OpId) -> Option<usize> {
        let found = self.named(tree, n, op).filter(|found| self.has_body[*found])?;
        fits(tree.get(found), tree.get(n), op).then_some(found)
    }

    /// The unit of the name that an op calls
    fn named(&self, tree: &Tree<'_>, n: usize, op: OpId) -> Option<usize> {
        let name = callee(tree.get(n), op)?;
        let mut at = Some(n);
        loop {
            let here = at?;
            if let Some(found) = self.by_name.get(&(here, name)) {
                return Some(*found);
            }
            at = tree.slot(here).map(|(parent, _)| parent);
        }
    }
}

/// Does a call have an operand for each argument, and nothing else?
fn fits(function: &Ir, ir: &Ir, call: OpId) -> bool {
    let entry = function.regions(function.root()).next().and_then(|region| function.entry(region));
    entry.is_none_or(|entry| function.block_args(entry).len() == ir.num_operands(call))
}

/// The name of the function that an op calls
pub fn callee(ir: &Ir, op: OpId) -> Option<Str> {
    if !ir.has(op, Traits::CallLike) {
        return None;
    }
    match ir.attr(op, "callee")?.kind(ir.cx()) {
        AttrKind::Symbol { root, nested } if nested.is_empty() => Some(*root),
        _ => None,
    }
}

/// Names that an op refers to other than by calling them
fn uncalled(ir: &Ir, op: OpId, names: &mut HashSet<Str>) {
    let callee = callee(ir, op).and_then(|_| ir.def(op).attr_slot("callee"));
    references(ir, op, |reference| {
        if callee.is_none() || reference.slot != callee {
            names.extend(reference.names());
        }
    });
}
