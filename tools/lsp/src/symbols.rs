//! Symbols of a text: which op defines one, and which definition a reference means.

use terrace_ir::{Context, OpKind, Traits};
use terrace_support::HashMap;
use terrace_text::Places;
use terrace_text::places::{OpPlace, SymbolPlace};

/// A symbol's definition
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name, without `@` and quotes
    pub name: String,
    /// The op that defines it, as an index into the places
    pub op: usize,
    /// Where the name is: `@name`, or in generic form the text between the quotes
    pub start: usize,
    /// Behind it
    pub end: usize,
    /// The op whose table it is in; none for that of the file
    pub table: Option<usize>,
}

/// The symbol tables of a text
#[derive(Debug, Default)]
pub struct Tables {
    /// All definitions, in order of the text
    pub defs: Vec<Definition>,
    by_name: HashMap<(Option<usize>, String), usize>,
}

/// Bytes of an op's head that are searched for its name in generic form
const HEAD: usize = 4096;

impl Tables {
    /// Read the tables
    pub fn read(cx: &Context, places: &Places, text: &str) -> Tables {
        let mut tables = Tables::default();
        for (n, op) in places.ops.iter().enumerate() {
            if !has(cx, op.kind, Traits::Symbol) {
                continue;
            }
            let table = enclosing(cx, places, op.parent);
            let generic = text[op.name as usize..].starts_with('"');
            let place = if generic { in_generic_form(text, op) } else { in_own_form(places, n, op) };
            let Some((start, end)) = place else { continue };
            let name = plain(&text[start..end]);
            let def = Definition { name: name.clone(), op: n, start, end, table };
            tables.by_name.entry((table, name)).or_insert(tables.defs.len());
            tables.defs.push(def);
        }
        tables
    }

    /// The definition that a name in a text means
    pub fn resolve(
        &self,
        cx: &Context,
        places: &Places,
        text: &str,
        symbol: &SymbolPlace,
    ) -> Option<&Definition> {
        if let Ok(index) = self.defs.binary_search_by_key(&(symbol.at as usize), |def| def.start) {
            return Some(&self.defs[index]);
        }
        let name = plain(&text[symbol.at as usize..symbol.end as usize]);
        // The names before, from the outermost one.
        let mut path = vec![name];
        let mut outer = symbol.outer;
        while let Some(at) = outer {
            let before = places.symbols.binary_search_by_key(&at, |symbol| symbol.at).ok()?;
            let before = &places.symbols[before];
            path.push(plain(&text[before.at as usize..before.end as usize]));
            outer = before.outer;
        }
        let first = path.pop()?;
        let mut table = enclosing(cx, places, places.op_at(symbol.at).map(|op| op as u32));
        let mut found = loop {
            if let Some(found) = self.find(table, &first) {
                break found;
            }
            table = enclosing(cx, places, places.ops[table?].parent);
        };
        while let Some(name) = path.pop() {
            found = self.find(Some(found.op), &name)?;
        }
        Some(found)
    }

    /// A symbol of a table
    pub fn find(&self, table: Option<usize>, name: &str) -> Option<&Definition> {
        self.by_name.get(&(table, name.to_string())).map(|index| &self.defs[*index])
    }

    /// The symbols that a reference from here may name, innermost table first
    pub fn visible(&self, cx: &Context, places: &Places, at: u32) -> Vec<&Definition> {
        let mut all = Vec::new();
        let mut table = enclosing(cx, places, places.op_at(at).map(|op| op as u32));
        loop {
            all.extend(self.defs.iter().filter(|def| def.table == table));
            let Some(op) = table else { return all };
            table = enclosing(cx, places, places.ops[op].parent);
        }
    }
}

/// Has the op this trait?
pub fn has(cx: &Context, kind: Option<OpKind>, wanted: Traits) -> bool {
    kind.is_some_and(|kind| cx.def(kind).traits.has(wanted))
}

/// The symbol table that this op, or the innermost around it, has
fn enclosing(cx: &Context, places: &Places, op: Option<u32>) -> Option<usize> {
    let mut next = op;
    while let Some(index) = next {
        let op = &places.ops[index as usize];
        if has(cx, op.kind, Traits::SymbolTable) {
            return Some(index as usize);
        }
        next = op.parent;
    }
    None
}

/// The first name that the op itself writes
fn in_own_form(places: &Places, index: usize, op: &OpPlace) -> Option<(usize, usize)> {
    let first = places.symbols.partition_point(|symbol| symbol.at < op.name);
    let inner = places.ops.get(index + 1).map_or(u32::MAX, |next| next.start);
    let symbol = places.symbols.get(first).filter(|symbol| symbol.at < op.end.min(inner))?;
    Some((symbol.at as usize, symbol.end as usize))
}

/// What `sym_name = "…"` says
fn in_generic_form(text: &str, op: &OpPlace) -> Option<(usize, usize)> {
    let start = op.name as usize;
    let end = text.floor_char_boundary((start + HEAD).min(op.end as usize));
    let head = text.get(start..end)?;
    let at = head.find("sym_name")? + "sym_name".len();
    let rest = head[at..].trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    let start = start + (head.len() - rest.len());
    Some((start, start + rest.find('"')?))
}

/// A name without `@` and quotes
pub fn plain(text: &str) -> String {
    text.trim_start_matches('@').trim_matches('"').to_string()
}
