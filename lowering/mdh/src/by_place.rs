//! Operators that choose by order become ones that choose by place.
//!
//! The argmax of JAX takes the left one of two tuples that are no numbers, so it does not commute. But its tuples have places, and the left one
//! is always that of the lesser place: an operator that first puts its operands in the order of their places gives the same, and in any
//! order. Lanes and threads may then take elements that are neighbors in memory.
//!
//! ```mlir
//! func.func private @f_by_place(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) {
//!   %in_order = arith.cmpi sle, %i, %j : i32
//!   // @f of (%a, %i), (%b, %j) in this order or the other
//! ```
//!
//! That it commutes for tuples of different places, and is associative, is decided by trying all orders of operands ([`choices`]). The
//! sign of a zero may then come from another element than in order, so results that are floats and show it must be unused.
//!
//! [`choices`]: crate::linalg_operators::choices

use crate::linalg_operators::choices::{Trials, is_choice};
use terrace_diag::Reported;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_func as func;
use terrace_dialect_mdh::operator::{DECLARED, Operator, declared};
use terrace_dialect_mdh::view::{CombineKind, Order, View, kind_attr};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, Builder, Ir, OpId, OpKind, Str, Traits, Type, Value, ValueDef};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Operators that choose by order become ones that choose by place
///
/// Where a component of a tuple is the coordinate of the only reduced dimension, an operator that is associative and has a neutral element, but does
/// not commute, is replaced by one that puts its operands in the order of their places first, if trying all orders shows that
/// this one commutes. Computations with start values keep theirs unless the first place is known to be at most 0.
#[pass("mdh-operators-by-place", scope = tree, stats("operators by place"))]
pub struct OperatorsByPlace;

impl Pass for OperatorsByPlace {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += replace_all(table);
            }
            pending.extend(table.children_mut());
        }
        cx.count("operators by place", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

fn replace_all(table: &mut Ir) -> u64 {
    let is_func = |child: &Ir| func::Func::cast(child, child.root()).is_some();
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_func)).collect();
    let mut count = 0;
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let ops: Vec<Compute> = function.walk().filter_map(|op| Compute::cast(&function, op)).collect();
        for op in ops {
            let Some(found) = Places::of(&function, op) else { continue };
            if let Some(name) = found.operator(table, slot) {
                found.replace(&mut function, op, name);
                count += 1;
            }
        }
        table.put_child(slot, function);
    }
    count
}

/// A reduction of tuples, one component of which is the place
struct Places {
    view: View,
    name: Str,
    /// The component
    place: usize,
    types: Vec<Type>,
    /// Per component: is its result used?
    used: Vec<bool>,
}

impl Places {
    fn of(ir: &Ir, op: Compute) -> Option<Places> {
        let cx = ir.cx();
        let view = View::read(ir, op).ok()?;
        let groups = view.groups()?;
        let [group] = groups.as_slice() else { return None };
        let Operator::Func(name) = group.operator else { return None };
        let mut reduced = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind != CombineKind::Cc);
        let (dim, None) = (reduced.next()?, reduced.next()) else { return None };
        let any_order = matches!(view.dims[dim].kind, CombineKind::Pw(_, Order::Fixed | Order::Free));
        if !any_order || group.len < 2 || view.outputs.iter().any(|out| out.maps.len() != 1) {
            return None;
        }
        let end = ir.entry(op.body(ir)).and_then(|body| ir.last_op(body))?;
        let yielded: Vec<Value> = Yield::cast(ir, end)?.values(ir);
        let place = yielded.iter().position(|value| coordinate(ir, *value) == Some(dim))?;
        let types: Vec<Type> = yielded.iter().map(|value| ir.ty(*value)).collect();
        let fits = types[place]
            .bit_width(cx)
            .is_none_or(|width| width >= 64 || view.dims[dim].size <= 1i64 << width.saturating_sub(2));
        let starts = view.outputs.iter().any(|out| out.init.is_some());
        let first = || view.outputs[place].init.as_ref().and_then(|(value, _)| constant(ir, *value));
        if !fits || starts && first().is_none_or(|first| first > 0) {
            return None;
        }
        let used = ir.results(op.id()).map(|result| ir.uses(result).next().is_some()).collect();
        Some(Places { view, name, place, types, used })
    }

    /// The operator by place, made in front of the function that uses it if it is not there yet
    fn operator(&self, table: &mut Ir, before: OpId) -> Option<Str> {
        let cx = table.cx_arc().clone();
        let name = cx.str(self.name);
        let made = cx.intern(&format!("{name}_by_place"));
        let find = |table: &Ir, name: Str| table.walk().find(|op| symbol_name(table, *op) == Some(name));
        let own = table.child(find(table, self.name)?)?;
        let said = declared(&cx, own.dict(own.root()))?;
        if !said.associative || said.commutative || !chooses(own) {
            return None;
        }
        let identity = said.identity?;
        if find(table, made).is_none() {
            let function = self.function(own, cx.str(made))?;
            let slot = table.adopt(Box::new(function));
            table.insert_before(before, slot);
            let trials = Trials::of(table, cx.str(made), &self.types);
            if trials.is_none_or(|trials| !trials.commutes_by(self.place, &self.used)) {
                table.erase(slot);
                return None;
            }
            let unit = cx.common().unit;
            let words = ["associative", "commutative", "exact"].map(|word| (cx.intern(word), unit));
            let words: Vec<(Str, Attr)> =
                words.into_iter().chain([(cx.intern("identity"), cx.array_attr(&identity))]).collect();
            let mut child = table.take_child(slot)?;
            let root = child.root();
            child.set_discardable(root, DECLARED, Some(cx.dict_attr(words)));
            table.put_child(slot, child);
        }
        Some(made)
    }

    /// The same operator of both tuples in the order of their places
    fn function(&self, from: &Ir, name: &str) -> Option<Ir> {
        let cx = from.cx_arc();
        let kind = cx.kind_of(func::Func::DEF).unwrap_or(OpKind::UNREGISTERED);
        let mut ir = Ir::new_unit(cx, kind, 1, from.loc(from.root()));
        ir.set_source(from.source());
        let (root, twice) = (ir.root(), [&self.types[..], &self.types[..]].concat());
        for (key, attr) in [
            ("sym_name", cx.str_attr(name)),
            ("function_type", cx.type_attr(cx.function(&twice, &self.types))),
            ("sym_visibility", cx.str_attr("private")),
        ] {
            ir.set_attr(root, key, Some(attr));
        }
        let region = ir.region(root, 0);
        let entry = ir.append_block(region);
        let args: Vec<Value> = twice.iter().map(|ty| ir.add_block_arg(entry, *ty)).collect();
        let (left, right) = args.split_at(self.types.len());
        let mut b = Builder::at_end(&mut ir, entry);
        let in_order = arith::CmpI::build(&mut b, left[self.place], right[self.place], CmpIPredicate::Sle);
        let in_order = in_order.result(b.read());
        let mut choose = |a: Value, b_: Value| {
            let chosen = arith::Select::build(&mut b, in_order, a, b_);
            chosen.result(b.read())
        };
        let first: Vec<Value> = left.iter().zip(right).map(|(a, b)| choose(*a, *b)).collect();
        let second: Vec<Value> = left.iter().zip(right).map(|(a, b)| choose(*b, *a)).collect();
        let body = from.regions(from.root()).next().and_then(|body| from.entry(body))?;
        let mut map = ValueMap::default();
        for (arg, value) in from.block_args(body).to_vec().into_iter().zip(first.into_iter().chain(second)) {
            map.insert(arg, value);
        }
        for op in from.block_ops(body) {
            let copy = ir.clone_op(Some(from), op, &mut map);
            ir.append(entry, copy);
        }
        Some(ir)
    }

    fn replace(&self, ir: &mut Ir, op: Compute, name: Str) {
        let cx = ir.cx_arc().clone();
        let kinds: Vec<Attr> = self
            .view
            .dims
            .iter()
            .map(|dim| match &dim.kind {
                CombineKind::Pw(_, order) => {
                    kind_attr(&cx, &CombineKind::Pw(vec![Operator::Func(name)], *order))
                }
                kind => kind_attr(&cx, kind),
            })
            .collect();
        op.set_combine(ir, cx.array_attr(&kinds));
    }
}

/// One block of ops that compare and choose, with no constants but flags
fn chooses(function: &Ir) -> bool {
    let Some(body) = function.regions(function.root()).next() else { return false };
    let Some(entry) = function.entry(body).filter(|_| function.blocks(body).count() == 1) else {
        return false;
    };
    function.block_ops(entry).all(|op| {
        let flag = || function.results(op).all(|value| function.ty(value) == function.cx().common().i1);
        let constant = arith::Constant::cast(function, op).is_some() && flag();
        constant || function.is(op, func::Return::DEF) || is_choice(function, op)
    })
}

/// The dimension whose coordinate a value is
fn coordinate(ir: &Ir, value: Value) -> Option<usize> {
    let op = ir.defining_op(value)?;
    if let Some(cast) = arith::IndexCast::cast(ir, op) {
        return coordinate(ir, ir.operand(cast.id(), 0));
    }
    usize::try_from(Index::cast(ir, op)?.dim(ir).as_i64(ir.cx())?).ok()
}

/// The number that all elements of a tensor are, which a computation copies from a constant
fn constant(ir: &Ir, value: Value) -> Option<i64> {
    if let Some(attr) = terrace_ir::fold::constant_of(ir, value) {
        return attr.as_i64(ir.cx());
    }
    let op = Compute::cast(ir, ir.defining_op(value)?)?;
    let body = ir.entry(op.body(ir))?;
    let end = Yield::cast(ir, ir.last_op(body)?)?;
    let result = ir.results(op.id()).position(|result| result == value)?;
    let given = *end.values(ir).get(result)?;
    match ir.value_def(given)? {
        ValueDef::Arg(block, n) if block == body => constant(ir, *op.ins(ir).get(n as usize)?),
        _ => constant(ir, given),
    }
}
