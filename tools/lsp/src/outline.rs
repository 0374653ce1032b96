//! The outline of a document: what its symbols are, and what is inside of which.

use crate::document::View;
use crate::symbols::{Definition, has};
use lsp_types::{DocumentSymbol, Location, SymbolInformation, SymbolKind};
use terrace_ir::Traits;

/// Symbols are in each other so deep at most; those inside of the last one are next to each other
const DEPTH: usize = 32;

/// The symbols of a case, in order of the text, those inside of one below it
pub fn tree(view: &View<'_>) -> Vec<DocumentSymbol> {
    let mut roots = Vec::new();
    // Those that are open: index of the op, and what was gathered.
    let mut open: Vec<(usize, DocumentSymbol)> = Vec::new();
    let Some(tables) = view.case.tables(view.cx) else { return roots };
    for def in &tables.defs {
        let ops = &view.partial.places.ops;
        while let Some((_, done)) = open.pop_if(|(op, _)| ops[*op].end <= ops[def.op].start) {
            close(&mut roots, &mut open, done);
        }
        let depth = open.len();
        let symbol = symbol(view, def);
        match open.last_mut().filter(|_| depth >= DEPTH) {
            Some((_, around)) => around.children.get_or_insert_default().push(symbol),
            None => open.push((def.op, symbol)),
        }
    }
    while let Some((_, done)) = open.pop() {
        close(&mut roots, &mut open, done);
    }
    roots
}

fn close(roots: &mut Vec<DocumentSymbol>, open: &mut [(usize, DocumentSymbol)], done: DocumentSymbol) {
    match open.last_mut() {
        Some((_, around)) => around.children.get_or_insert_default().push(done),
        None => roots.push(done),
    }
}

fn symbol(view: &View<'_>, def: &Definition) -> DocumentSymbol {
    let op = &view.partial.places.ops[def.op];
    let kind = match () {
        () if has(view.cx, op.kind, Traits::FunctionLike) => SymbolKind::FUNCTION,
        () if has(view.cx, op.kind, Traits::SymbolTable) => SymbolKind::MODULE,
        () => SymbolKind::VARIABLE,
    };
    let name = view.cx.str(def.name);
    let end = op.start as usize + view.text[op.start as usize..op.end as usize].trim_end().len();
    #[allow(deprecated)] // a field that has no other way to be left out
    DocumentSymbol {
        name: if name.is_empty() { "(no name)".into() } else { name.to_string() },
        detail: op.kind.map(|kind| view.cx.def(kind).name.to_string()),
        kind,
        tags: None,
        deprecated: None,
        range: view.range(op.start as usize, end.max(def.end)),
        selection_range: view.range(def.start, def.end),
        children: None,
    }
}

/// The same as a list, for clients that know no trees
pub fn list(view: &View<'_>) -> Vec<SymbolInformation> {
    let mut flat = Vec::new();
    let mut pending: Vec<(Option<String>, DocumentSymbol)> =
        tree(view).into_iter().rev().map(|symbol| (None, symbol)).collect();
    while let Some((around, symbol)) = pending.pop() {
        let inside = symbol.children.into_iter().flatten().rev();
        pending.extend(inside.map(|inner| (Some(symbol.name.clone()), inner)));
        #[allow(deprecated)] // a field that has no other way to be left out
        flat.push(SymbolInformation {
            name: symbol.name,
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: Location { uri: view.document.uri.clone(), range: symbol.selection_range },
            container_name: around,
        });
    }
    flat
}
