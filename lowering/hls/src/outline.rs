//! A stage as a function of its own.
//!
//! What it can compute itself, such as where its tile begins, it computes. So the body of a round has nothing but arrays and calls, the form
//! in which high-level synthesis lets stages overlap.

use crate::memory::{banks, is_array, is_free, of_argument};
use crate::stages::Stage;
use terrace_dialect_builtin::marks::PARTITION;
use terrace_dialect_func as func;
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{
    Attr, AttrKind, BlockId, Builder, Context, Ir, Name, OpId, OpKind, Str, Type, Value, ValueDef,
};
use terrace_support::HashSet;

/// A function that was made
pub(crate) struct Outlined {
    /// Its op in the table
    pub slot: OpId,
}

/// Make ops of a block a function behind `after`, and call it at the end of the block
pub(crate) fn outline(
    table: &mut Ir,
    function: &mut Ir,
    (stage, ops): (Stage, &[OpId]),
    block: BlockId,
    after: OpId,
) -> Outlined {
    let cx = function.cx_arc().clone();
    let host = symbol_name(function, function.root()).map_or("f", |name| cx.str(name));
    let name = fresh(table, &cx, &format!("{host}_{}", stage.word()));
    let needs = Needs::of(function, ops);
    let unit = build(function, ops, &needs, &name);
    let slot = table.adopt(Box::new(unit));
    table.insert_after(after, slot);
    let symbol = cx.attr(AttrKind::Symbol { root: cx.intern(&name), nested: [].into() });
    let loc = function.loc(ops[0]);
    let mut b = match function.last_op(block) {
        Some(end) => Builder::before(function, end),
        None => Builder::at_end(function, block),
    };
    b.set_loc(loc);
    func::Call::build(&mut b, &needs.captures, symbol, &[]);
    for op in ops.iter().rev() {
        function.erase(*op);
    }
    Outlined { slot }
}

fn fresh(table: &Ir, cx: &Context, wanted: &str) -> String {
    let taken: HashSet<Str> = table.walk().filter_map(|op| symbol_name(table, op)).collect();
    let free = |name: &String| !taken.contains(&cx.intern(name));
    let numbered = (1..).map(|n| format!("{wanted}_{n}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(free).unwrap_or_default()
}

/// What ops take from outside: values, and ops that are done again inside
struct Needs {
    captures: Vec<Value>,
    /// In order
    copies: Vec<OpId>,
}

impl Needs {
    fn of(ir: &Ir, ops: &[OpId]) -> Needs {
        let mut needs = Needs { captures: Vec::new(), copies: Vec::new() };
        let mut known: HashSet<Value> = HashSet::default();
        for op in ops.iter().flat_map(|op| std::iter::once(*op).chain(ir.walk_below(*op))) {
            known.extend(ir.results(op));
            let blocks = ir.regions(op).flat_map(|region| ir.blocks(region));
            blocks.for_each(|block| known.extend(ir.block_args(block)));
        }
        for op in ops.iter().flat_map(|op| std::iter::once(*op).chain(ir.walk_below(*op))) {
            for value in ir.operands(op) {
                needs.take(ir, value, &mut known);
            }
        }
        needs
    }

    /// A value from outside, with what it is computed from before it
    fn take(&mut self, ir: &Ir, value: Value, known: &mut HashSet<Value>) {
        // Each value with whether what it needs has been taken; chains of arithmetic are short, but not bounded.
        let mut pending = vec![(value, false)];
        while let Some((value, ready)) = pending.pop() {
            if known.contains(&value) {
                continue;
            }
            let made = ir.defining_op(value).filter(|op| is_free(ir, *op) && !is_array(ir, value));
            match made {
                Some(op) if ready => {
                    self.copies.push(op);
                    known.extend(ir.results(op));
                }
                Some(op) => {
                    pending.push((value, true));
                    pending.extend(ir.operands(op).map(|operand| (operand, false)));
                }
                None => {
                    self.captures.push(value);
                    known.insert(value);
                }
            }
        }
    }
}

/// The function
fn build(from: &Ir, ops: &[OpId], needs: &Needs, name: &str) -> Ir {
    let cx = from.cx();
    let loc = from.loc(ops[0]);
    let kind = cx.kind_of(func::Func::DEF).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(from.cx_arc(), kind, 1, loc);
    ir.set_source(from.source());
    let root = ir.root();
    let types: Vec<Type> = needs.captures.iter().map(|value| from.ty(*value)).collect();
    let attrs: Vec<Attr> = needs.captures.iter().map(|value| attributes(from, *value)).collect();
    for (key, attr) in [
        ("sym_name", cx.str_attr(name)),
        ("sym_visibility", cx.str_attr("private")),
        ("function_type", cx.type_attr(cx.function(&types, &[]))),
        ("arg_attrs", cx.array_attr(&attrs)),
    ] {
        ir.set_attr(root, key, Some(attr));
    }
    let region = ir.region(root, 0);
    let entry = ir.append_block(region);
    let mut map = ValueMap::default();
    for value in &needs.captures {
        let arg = ir.add_block_arg(entry, from.ty(*value));
        if let Some(name) = from.value_name(*value) {
            let name = Name::Str(cx.intern(name));
            ir.set_value_name(arg, name);
        }
        map.insert(*value, arg);
    }
    for op in needs.copies.iter().chain(ops) {
        let copy = ir.clone_op(Some(from), *op, &mut map);
        ir.append(entry, copy);
    }
    let mut b = Builder::at_end(&mut ir, entry);
    b.set_loc(loc);
    func::Return::build(&mut b, &[]);
    ir
}

/// What the function knows of an argument: of an array its banks, else what the function around knows
fn attributes(from: &Ir, value: Value) -> Attr {
    let cx = from.cx();
    let array = from.defining_op(value).filter(|_| is_array(from, value)).and_then(|op| banks(from, op));
    let nothing = || cx.dict_attr(Vec::new());
    match (array, from.value_def(value)) {
        (Some(banks), _) => {
            let banks = cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: banks.into() });
            cx.dict_attr(vec![(cx.intern(PARTITION), banks)])
        }
        (None, Some(ValueDef::Arg(block, n))) if from.block_parent(block) == Some(from.root()) => {
            of_argument(from, n as usize).unwrap_or_else(nothing)
        }
        _ => nothing(),
    }
}
