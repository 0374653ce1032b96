//! Remove symbols that nothing refers to, directly or through other dead symbols, and that nothing outside can see.

use terrace_diag::Reported;
use terrace_ir::references::{Reference, references, references_below};
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId, Str, Traits};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::{HashMap, HashSet};

/// Erase private symbols that nothing refers to
///
/// Starts from public symbols and from everything that is no symbol, and follows references, also into tables inside. A
/// symbol with the visibility `nested` counts as private where nothing outside of the tree refers into its table. Symbols
/// are compared by name over the whole tree, so that a nested symbol of the same name keeps the other one alive.
#[pass("symbol-dce", scope = tree, stats("symbols erased"))]
pub struct SymbolDce;

impl Pass for SymbolDce {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let hidden = cx.outermost || visibility(unit, unit.root()) == Some("private");
        let dead = Search::of(unit, hidden).dead();
        cx.count("symbols erased", dead.len() as u64);
        cx.set_changed(!dead.is_empty());
        // From the last to the first: a path leads through nothing that has been erased.
        for (path, op) in dead.into_iter().rev() {
            let table = path.into_iter().try_fold(&mut *unit, |table, slot| table.child_mut(slot));
            if let Some(table) = table {
                table.erase(op);
            }
        }
        Ok(())
    }
}

/// A table of symbols that is alive
struct Table<'a> {
    unit: &'a Ir,
    /// Slots that lead to it from the root
    path: Vec<OpId>,
    /// Nothing outside of the tree refers to what is nested in it
    hidden: bool,
}

/// What is alive, found from the root on; linear in references
struct Search<'a> {
    tables: Vec<Table<'a>>,
    /// Ops that are alive, whose references are still to be read: number of the table, and the op
    pending: Vec<(usize, OpId)>,
    /// Symbols that may go, by the table and in order
    private: Vec<(usize, OpId, Str)>,
    /// Those of them that nothing alive refers to so far
    waiting: HashMap<Str, Vec<(usize, OpId)>>,
    live: HashSet<Str>,
}

impl<'a> Search<'a> {
    fn of(unit: &'a Ir, hidden: bool) -> Search<'a> {
        let (tables, pending, private) = (Vec::new(), Vec::new(), Vec::new());
        let mut search =
            Search { tables, pending, private, waiting: HashMap::default(), live: HashSet::default() };
        search.enter(Table { unit, path: Vec::new(), hidden });
        while let Some((n, op)) = search.pending.pop() {
            search.read(n, op);
        }
        search
    }

    /// A table is alive, and with it all that does not go
    fn enter(&mut self, table: Table<'a>) {
        let (n, unit, hidden) = (self.tables.len(), table.unit, table.hidden);
        self.tables.push(table);
        references(unit, unit.root(), |reference| self.meet(reference));
        for region in unit.regions(unit.root()) {
            for op in unit.blocks(region).flat_map(|block| unit.block_ops(block)) {
                let (ir, at) = unit.child(op).map_or((unit, op), |child| (child, child.root()));
                let may_go = match visibility(ir, at) {
                    Some("private") => true,
                    Some("nested") => hidden,
                    _ => false,
                };
                match symbol_name(unit, op).filter(|_| may_go) {
                    Some(name) => {
                        self.private.push((n, op, name));
                        match self.live.contains(&name) {
                            true => self.pending.push((n, op)),
                            false => self.waiting.entry(name).or_default().push((n, op)),
                        }
                    }
                    None => self.pending.push((n, op)),
                }
            }
        }
    }

    /// An op is alive, and what it refers to
    fn read(&mut self, n: usize, op: OpId) {
        let Table { unit, path, hidden } = &self.tables[n];
        let unit = *unit;
        match unit.child(op).filter(|child| child.has(child.root(), Traits::SymbolTable)) {
            Some(inner) => {
                let named = symbol_name(unit, op).is_some();
                let private = visibility(inner, inner.root()) == Some("private");
                let hidden = *hidden || !named || private;
                let path = path.iter().copied().chain([op]).collect();
                self.enter(Table { unit: inner, path, hidden });
            }
            None => references_below(unit, op, |reference| self.meet(reference)),
        }
    }

    fn meet(&mut self, reference: Reference<'_>) {
        for name in reference.names() {
            if self.live.insert(name) {
                self.pending.extend(self.waiting.remove(&name).into_iter().flatten());
            }
        }
    }

    /// The symbols that go, each with the slots that lead to its table
    fn dead(self) -> Vec<(Vec<OpId>, OpId)> {
        let dead = self.private.iter().filter(|(.., name)| self.waiting.contains_key(name));
        dead.map(|(n, op, _)| (self.tables[*n].path.clone(), *op)).collect()
    }
}

fn visibility(ir: &Ir, op: OpId) -> Option<&str> {
    ir.attr(op, "sym_visibility")?.as_str(ir.cx())
}
