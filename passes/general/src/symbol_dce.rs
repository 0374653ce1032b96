//! Remove private symbols that nothing refers to, directly or through other dead symbols.

use terrace_diag::Reported;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, AttrKind, Context, Ir, OpId, OpKind, Str};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Erase private symbols that nothing refers to
///
/// Starts from public symbols and from everything that is no symbol, and follows references. Symbols are compared
/// by name over the whole tree, so that a nested symbol of the same name keeps the other one alive.
#[pass("symbol-dce", scope = tree, stats("symbols erased"))]
pub struct SymbolDce;

impl Pass for SymbolDce {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut live: HashSet<Str> = HashSet::default();
        let slots: Vec<OpId> = symbols_of(unit).collect();
        let mut pending: Vec<OpId> = Vec::new();
        let mut waiting: Vec<OpId> = Vec::new();
        for op in slots {
            if is_private(unit, op) { waiting.push(op) } else { pending.push(op) }
        }
        // What is not a symbol itself refers too: ops directly in the table's block.
        for op in unit.walk().collect::<Vec<_>>() {
            if symbol_name(unit, op).is_none() && unit.kind(op) != OpKind::SLOT {
                references(unit, op, &mut live);
            }
        }
        loop {
            for op in pending.drain(..) {
                tree_references(unit, op, &mut live);
            }
            let (now, later): (Vec<OpId>, Vec<OpId>) = waiting
                .iter()
                .partition(|op| symbol_name(unit, **op).is_some_and(|name| live.contains(&name)));
            waiting = later;
            if now.is_empty() {
                break;
            }
            pending = now;
        }
        cx.count("symbols erased", waiting.len() as u64);
        cx.set_changed(!waiting.is_empty());
        for op in waiting {
            unit.erase(op);
        }
        Ok(())
    }
}

/// Every name that something in a tree refers to
pub fn referred(unit: &Ir) -> HashSet<Str> {
    let mut names = HashSet::default();
    for op in unit.walk() {
        tree_references(unit, op, &mut names);
    }
    names
}

fn symbols_of(unit: &Ir) -> impl Iterator<Item = OpId> + '_ {
    let regions = unit.regions(unit.root());
    regions
        .flat_map(|region| unit.blocks(region))
        .flat_map(|block| unit.block_ops(block))
        .filter(|op| symbol_name(unit, *op).is_some())
}

fn is_private(unit: &Ir, op: OpId) -> bool {
    let (ir, op) = unit.child(op).map_or((unit, op), |child| (child, child.root()));
    ir.attr(op, "sym_visibility").and_then(|attr| attr.as_str(ir.cx())) == Some("private")
}

/// References of an op (or of the unit behind a slot) with everything inside
fn tree_references(unit: &Ir, op: OpId, live: &mut HashSet<Str>) {
    let mut units: Vec<&Ir> = Vec::new();
    match unit.child(op) {
        Some(child) => units.push(child),
        None => {
            references(unit, op, live);
            unit.walk_below(op).for_each(|inner| references(unit, inner, live));
        }
    }
    while let Some(ir) = units.pop() {
        references(ir, ir.root(), live);
        for inner in ir.walk() {
            match ir.child(inner) {
                Some(child) => units.push(child),
                None => references(ir, inner, live),
            }
        }
    }
}

fn references(ir: &Ir, op: OpId, live: &mut HashSet<Str>) {
    let cx = ir.cx();
    match ir.kind(op) {
        OpKind::UNREGISTERED => attr_references(cx, ir.raw_properties(op), live),
        OpKind::SLOT => {}
        _ => (0..ir.def(op).attrs.len()).for_each(|slot| attr_references(cx, ir.slot(op, slot), live)),
    }
    attr_references(cx, ir.dict(op), live);
}

fn attr_references(cx: &Context, attr: Option<Attr>, live: &mut HashSet<Str>) {
    let mut pending: Vec<Attr> = attr.into_iter().collect();
    while let Some(attr) = pending.pop() {
        match attr.kind(cx) {
            AttrKind::Symbol { root, nested } => {
                live.insert(*root);
                live.extend(nested.iter().copied());
            }
            AttrKind::Array(items) => pending.extend(items),
            AttrKind::Dict(entries) => pending.extend(entries.iter().map(|(_, value)| *value)),
            AttrKind::Dialect { params, .. } => pending.extend(params),
            _ => {}
        }
    }
}
