//! Symbol tables of a tree of units, read once so that units can be worked on in parallel.
//!
//! Only symbols cross between units. What a user of a symbol needs to know of it (kind, type, where) is copied out here.

use super::{Context, Ir, OpId};
use crate::handles::{Attr, OpKind, Str};
use crate::traits::Traits;
use std::sync::atomic::{AtomicBool, Ordering};
use terrace_diag::Span;
use terrace_support::HashMap;

/// A defined symbol
#[derive(Clone, Debug)]
pub struct SymbolDef {
    /// Name
    pub name: Str,
    /// Kind of the defining op
    pub kind: OpKind,
    /// `function_type` or `type` of the defining op
    pub ty: Option<Attr>,
    /// Discardable attributes of the defining op
    pub dict: Option<Attr>,
    /// `sym_visibility = "private"`
    pub private: bool,
    /// No body: a declaration
    pub is_declaration: bool,
    /// Where it is defined
    pub span: Option<Span>,
    /// Its own table, if it is one
    pub table: Option<ScopeId>,
}

/// A symbol table among those of a tree
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeId(u32);

#[derive(Default)]
struct Scope {
    parent: Option<ScopeId>,
    dict: Option<Attr>,
    by_name: HashMap<Str, usize>,
    defs: Vec<SymbolDef>,
    clashes: Vec<(usize, Option<Span>)>,
}

/// All symbol tables of a tree of units
#[derive(Default)]
pub struct Symbols {
    scopes: Vec<Scope>,
    /// Of tables that are not known yet: has anybody asked?
    unread: Option<AtomicBool>,
}

/// Name under which an op (or the unit behind a slot) is known
pub fn symbol_name(ir: &Ir, op: OpId) -> Option<Str> {
    let (ir, op) = unit_of(ir, op);
    if !ir.has(op, Traits::Symbol) {
        return None;
    }
    ir.attr(op, "sym_name")?.as_str_id(ir.cx())
}

fn unit_of(ir: &Ir, op: OpId) -> (&Ir, OpId) {
    match ir.child(op) {
        Some(unit) => (unit, unit.root()),
        None => (ir, op),
    }
}

/// Is the symbol (or that of the unit behind a slot) seen only inside of its table?
pub fn is_private(ir: &Ir, op: OpId) -> bool {
    let (ir, op) = unit_of(ir, op);
    ir.attr(op, "sym_visibility").and_then(|attr| attr.as_str(ir.cx())) == Some("private")
}

impl Symbols {
    /// Read all tables below a unit; the first scope is that of the root (an empty one if it is no symbol table)
    pub fn read(root: &Ir) -> Symbols {
        let scope = Scope { dict: root.dict(root.root()), ..Scope::default() };
        let mut symbols = Symbols { scopes: vec![scope], unread: None };
        let mut pending = vec![(root, ScopeId(0))];
        while let Some((ir, scope)) = pending.pop() {
            for region in ir.regions(ir.root()) {
                for block in ir.blocks(region) {
                    for op in ir.block_ops(block) {
                        let (unit, at) = unit_of(ir, op);
                        let nested = unit.has(at, Traits::SymbolTable).then(|| {
                            let dict = unit.dict(at);
                            symbols.scopes.push(Scope { parent: Some(scope), dict, ..Scope::default() });
                            ScopeId(symbols.scopes.len() as u32 - 1)
                        });
                        if let Some(nested) = nested {
                            pending.push((unit, nested));
                        }
                        symbols.scopes[scope.0 as usize].define(unit, at, nested);
                    }
                }
            }
        }
        symbols
    }

    /// Tables of a tree that has not been read as a whole: they answer that there is nothing, and note that they were asked
    pub fn unread() -> Symbols {
        Symbols { scopes: vec![Scope::default()], unread: Some(AtomicBool::new(false)) }
    }

    /// Has an answer been wrong, perhaps, since nothing was read?
    pub fn was_missed(&self) -> bool {
        self.unread.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }

    fn asked(&self) {
        if let Some(asked) = &self.unread {
            asked.store(true, Ordering::Relaxed);
        }
    }

    /// Scope of the root
    pub fn root(&self) -> ScopeId {
        ScopeId(0)
    }

    /// Find a symbol reference from inside a scope: the root name outward, the nested ones inward
    pub fn lookup(&self, from: ScopeId, root: Str, nested: &[Str]) -> Option<&SymbolDef> {
        self.asked();
        let mut at = Some(from);
        let mut found = loop {
            let scope = &self.scopes[at?.0 as usize];
            if let Some(&index) = scope.by_name.get(&root) {
                break &scope.defs[index];
            }
            at = scope.parent;
        };
        for name in nested {
            let scope = &self.scopes[found.table?.0 as usize];
            found = &scope.defs[*scope.by_name.get(name)?];
        }
        Some(found)
    }

    /// A discardable attribute of the op whose table this is
    pub fn table_attr(&self, cx: &Context, scope: ScopeId, name: &str) -> Option<Attr> {
        self.asked();
        self.scopes[scope.0 as usize].dict?.entry(cx, name)
    }

    /// Symbols of a scope in order of definition
    pub fn defs(&self, scope: ScopeId) -> &[SymbolDef] {
        self.asked();
        &self.scopes[scope.0 as usize].defs
    }

    /// Definitions whose name was taken already: the first one and the place of the second
    pub fn clashes(&self, scope: ScopeId) -> impl Iterator<Item = (&SymbolDef, Option<Span>)> {
        self.asked();
        let scope = &self.scopes[scope.0 as usize];
        scope.clashes.iter().map(|(first, span)| (&scope.defs[*first], *span))
    }

    /// The scope that a named child of `scope` opens
    pub fn child_scope(&self, scope: ScopeId, unit: &Ir) -> ScopeId {
        symbol_name(unit, unit.root())
            .and_then(|name| self.scopes[scope.0 as usize].by_name.get(&name))
            .and_then(|&index| self.scopes[scope.0 as usize].defs[index].table)
            .unwrap_or(scope)
    }
}

impl Scope {
    fn define(&mut self, ir: &Ir, op: OpId, table: Option<ScopeId>) {
        let Some(name) = symbol_name(ir, op) else { return };
        let span = ir.span(op);
        if let Some(&first) = self.by_name.get(&name) {
            self.clashes.push((first, span));
            return;
        }
        let private = is_private(ir, op);
        let ty = ir.attr(op, "function_type").or_else(|| ir.attr(op, "type"));
        let is_declaration = ir.regions(op).all(|region| ir.entry(region).is_none());
        self.by_name.insert(name, self.defs.len());
        let dict = ir.dict(op);
        self.defs.push(SymbolDef { name, kind: ir.kind(op), ty, dict, private, is_declaration, span, table });
    }
}
