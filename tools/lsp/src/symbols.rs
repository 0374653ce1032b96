//! Symbols of a text: which op defines one, and which definition a reference means.
//!
//! The parser notes which name defines which op, in every syntax. Here the names are put into tables.

use terrace_ir::{Context, OpKind, Str, Traits};
use terrace_support::HashMap;
use terrace_text::Places;
use terrace_text::places::SymbolPlace;

/// A symbol's definition
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name, without `@`, quotes and escapes
    pub name: Str,
    /// The op that defines it, as an index into the places
    pub op: usize,
    /// Where the name is: `@name`, or the text between the quotes of `sym_name = "name"`
    pub start: usize,
    /// Behind it
    pub end: usize,
    /// The op whose table it is in; none for that of the file
    pub table: Option<usize>,
}

/// The symbol tables of a text
#[derive(Debug, Default)]
pub struct Tables {
    /// All definitions, in order of their ops
    pub defs: Vec<Definition>,
    by_name: HashMap<(Option<usize>, Str), usize>,
    /// Of each op the innermost table around it, or itself
    inside: Vec<Option<u32>>,
}

impl Tables {
    /// Read the tables
    pub fn read(cx: &Context, places: &Places) -> Tables {
        let mut tables = Tables::default();
        for (n, op) in places.ops.iter().enumerate() {
            let is_table = has(cx, op.kind, Traits::SymbolTable);
            // The ops around come first.
            let table = if is_table { Some(n as u32) } else { tables.table(op.parent) };
            tables.inside.push(table);
        }
        for symbol in &places.symbols {
            let Some(op) = symbol.op.map(|op| op as usize).filter(|op| *op < places.ops.len()) else {
                continue;
            };
            let table = tables.table(places.ops[op].parent).map(|table| table as usize);
            let (start, end) = (symbol.at as usize, symbol.end as usize);
            tables.defs.push(Definition { name: symbol.name, op, start, end, table });
        }
        // The name of an op in generic form may stand behind what is inside of the op.
        tables.defs.sort_by_key(|def| def.op);
        tables.defs.dedup_by_key(|def| def.op);
        for (n, def) in tables.defs.iter().enumerate() {
            tables.by_name.entry((def.table, def.name)).or_insert(n);
        }
        tables
    }

    /// The symbol table that this op, or the innermost around it, has
    fn table(&self, op: Option<u32>) -> Option<u32> {
        self.inside.get(op? as usize).copied().flatten()
    }

    /// The definition that an op is
    fn of_op(&self, op: usize) -> Option<&Definition> {
        self.defs.binary_search_by_key(&op, |def| def.op).ok().map(|index| &self.defs[index])
    }

    /// The tables around an offset, innermost first, the last one that of the file
    fn around(&self, places: &Places, at: u32) -> Vec<Option<usize>> {
        let mut all = Vec::new();
        let mut table = self.table(places.op_at(at).map(|op| op as u32));
        while let Some(op) = table {
            all.push(Some(op as usize));
            table = self.table(places.ops[op as usize].parent);
        }
        all.push(None);
        all
    }

    /// The definition that a name in a text means
    pub fn resolve(&self, places: &Places, symbol: &SymbolPlace) -> Option<&Definition> {
        if let Some(op) = symbol.op {
            return self.of_op(op as usize);
        }
        // The names before, from the outermost one.
        let mut path = vec![symbol.name];
        let mut outer = symbol.outer;
        while let Some(at) = outer {
            let before = places.symbols.binary_search_by_key(&at, |symbol| symbol.at).ok()?;
            let before = &places.symbols[before];
            path.push(before.name);
            outer = before.outer;
        }
        let first = path.pop()?;
        let tables = self.around(places, symbol.at);
        let mut found = tables.into_iter().find_map(|table| self.find(table, first))?;
        while let Some(name) = path.pop() {
            found = self.find(Some(found.op), name)?;
        }
        Some(found)
    }

    /// A symbol of a table
    pub fn find(&self, table: Option<usize>, name: Str) -> Option<&Definition> {
        self.by_name.get(&(table, name)).map(|index| &self.defs[*index])
    }

    /// The symbols that a reference from here may name, innermost table first
    pub fn visible(&self, places: &Places, at: u32) -> Vec<&Definition> {
        let tables = self.around(places, at);
        let ranks: HashMap<Option<usize>, usize> =
            tables.into_iter().enumerate().map(|(rank, table)| (table, rank)).collect();
        let ranked = self.defs.iter().filter_map(|def| Some((*ranks.get(&def.table)?, def)));
        let mut ranked: Vec<(usize, &Definition)> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, def)| def).collect()
    }
}

/// Has the op this trait?
pub fn has(cx: &Context, kind: Option<OpKind>, wanted: Traits) -> bool {
    kind.is_some_and(|kind| cx.def(kind).traits.has(wanted))
}
