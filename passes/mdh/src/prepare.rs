//! The pass `mdh-prepare`: what depends on constant arguments alone is computed by a function of its own, once for all calls.
//!
//! ```mlir
//! func.func @f(%x, %w {terrace.constant}) { %v = mdh.compute … ins(%w …); %y = mdh.compute … ins(%x …, %v …); return %y }
//! // becomes
//! func.func @f(%x, %w_prepared {terrace.constant}) attributes {terrace.prepared_by = [@f_prepare]} { %y = mdh.compute … ins(%x …, %w_prepared …); return %y }
//! func.func @f_prepare(%w) attributes {terrace.takes = array<i64: 1>, terrace.gives = array<i64: 0, -1>} { %v = mdh.compute … ins(%w …); return %v }
//! ```
//!
//! An argument is constant because its author says so (`terrace.constant`). What is moved has no effects and one block around it, so that
//! values are the same. Who calls `@f` calls `@f_prepare` before, and again when an argument changes; `terrace-run` does.

use terrace_diag::Reported;
use terrace_dialect_builtin::marks::{self, CONSTANT, GIVES, NAME, PREPARED_BY, TAKES, VERSIONS};
use terrace_dialect_func::{Func, Return};
use terrace_ir::ir::ValueMap;
use terrace_ir::references::referred;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, BlockId, Builder, Ir, Name, OpId, OpKind, Traits, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// What depends on constant arguments alone is computed by `@NAME_prepare`, once for all calls
///
/// Arguments with `terrace.constant` are the same in every call. Ops without effects that read only these, and what follows from them,
/// move to a function of their own; its results are new arguments, and arguments that nothing else reads are gone. `terrace.takes` and
/// `terrace.gives` say how the lists of arguments belong together. A function that is called from another, or that has versions, stays as it is.
#[pass("mdh-prepare", scope = tree, stats("values prepared"))]
pub struct MdhPrepare;

impl Pass for MdhPrepare {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let has_constants = |child: &Ir| {
            let args = Func::cast(child, child.root()).and_then(|func| child.entry(func.body(child)));
            args.is_some_and(|body| child.block_args(body).iter().any(|arg| is_constant(child, *arg)))
        };
        let slots: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some_and(has_constants)).collect();
        let mut taken: HashSet<String> = unit
            .walk()
            .filter_map(|op| symbol_name(unit, op))
            .map(|name| unit.cx().str(name).to_string())
            .collect();
        let called = if slots.is_empty() { HashSet::default() } else { referred(unit) };
        let mut prepared = 0;
        for slot in slots {
            let Some(mut function) = unit.take_child(slot) else { continue };
            // Whoever calls it may get a version, which takes the arguments as they are.
            let versions = function.discardable(function.root(), VERSIONS).is_some();
            let alone = !versions
                && symbol_name(&function, function.root()).is_some_and(|name| !called.contains(&name));
            let made = alone.then(|| prepare(&mut function, &mut taken, &mut prepared)).flatten();
            unit.put_child(slot, function);
            if let Some(made) = made {
                let new = unit.adopt(Box::new(made));
                unit.insert_after(slot, new);
            }
        }
        cx.count("values prepared", prepared);
        cx.set_changed(prepared > 0);
        Ok(())
    }
}

fn is_constant(ir: &Ir, value: Value) -> bool {
    marks::of_argument(ir, value, CONSTANT).is_some()
}

/// What is computed before: ops in their order, and the values that others read
struct Moved {
    ops: Vec<OpId>,
    gives: Vec<Value>,
}

/// Ops of the block that follow from constant arguments alone, with the constants of the program that they read
fn moved(ir: &Ir, body: BlockId) -> Moved {
    let args = ir.block_args(body).iter().copied();
    let mut known: HashSet<Value> = args.filter(|arg| is_constant(ir, *arg)).collect();
    let (mut own, mut literals): (HashSet<OpId>, HashSet<OpId>) = (HashSet::default(), HashSet::default());
    // One without elements is nothing to prepare.
    let tensor = |value: Value| match ir.ty(value).kind(ir.cx()) {
        TypeKind::Tensor { shape, .. } => shape.iter().all(|size| *size > 0),
        _ => false,
    };
    for op in ir.block_ops(body) {
        if !ir.has(op, Traits::Pure) || ir.has(op, Traits::Terminator) || ir.num_results(op) == 0 {
            continue;
        }
        let literal = |value: Value| ir.defining_op(value).is_some_and(|made| literals.contains(&made));
        let reads = |value: Value| known.contains(&value);
        if ir.num_operands(op) == 0 && ir.num_regions(op) == 0 {
            literals.insert(op);
        } else if ir.operands(op).any(reads)
            && ir.operands(op).all(|value| reads(value) || literal(value))
            && ir.results(op).all(tensor)
        {
            known.extend(ir.results(op));
            own.insert(op);
        }
    }
    let used =
        |op: OpId| ir.results(op).flat_map(|value| ir.uses(value)).any(|(user, _)| own.contains(&user));
    let wanted = |op: &OpId| own.contains(op) || literals.contains(op) && used(*op);
    let ops: Vec<OpId> = ir.block_ops(body).filter(wanted).collect();
    let leaves = |value: &Value| ir.uses(*value).any(|(user, _)| !own.contains(&user));
    let made = ops.iter().copied().filter(|op| own.contains(op)).flat_map(|op| ir.results(op));
    let gives = made.filter(leaves).collect();
    Moved { ops, gives }
}

/// Take out what follows from constant arguments; the function that computes it
fn prepare(ir: &mut Ir, taken: &mut HashSet<String>, prepared: &mut u64) -> Option<Ir> {
    let func = Func::cast(ir, ir.root())?;
    let body = ir.single_block(func.body(ir))?;
    let Moved { ops, gives } = moved(ir, body);
    if gives.is_empty() {
        return None;
    }
    let name = free_name(ir, taken);
    let args = ir.block_args(body).to_vec();
    let read = |arg: &Value| ir.uses(*arg).any(|(user, _)| ops.contains(&user));
    let takes: Vec<usize> = (0..args.len()).filter(|n| read(&args[*n])).collect();
    let mut made = function(ir, &name, &takes.iter().map(|n| args[*n]).collect::<Vec<_>>(), &ops, &gives);
    let stay = replace(ir, func, body, (&takes, &ops, &gives));
    let cx = ir.cx_arc().clone();
    let list: Vec<i64> = takes.iter().map(|n| *n as i64).collect();
    let after: Vec<i64> =
        stay.iter().map(|n| *n as i64).chain((0..gives.len()).map(|n| -1 - n as i64)).collect();
    let root = made.root();
    made.set_discardable(root, TAKES, Some(cx.i64_array(&list)));
    made.set_discardable(root, GIVES, Some(cx.i64_array(&after)));
    let mut stages =
        ir.discardable(ir.root(), PREPARED_BY).and_then(|all| all.as_array(&cx)).unwrap_or(&[]).to_vec();
    stages.push(cx.symbol_attr(&name));
    let stages = cx.array_attr(&stages);
    ir.set_discardable(ir.root(), PREPARED_BY, Some(stages));
    *prepared += gives.len() as u64;
    Some(made)
}

/// `NAME_prepare`, or that with a number
fn free_name(ir: &Ir, taken: &mut HashSet<String>) -> String {
    let base = symbol_name(ir, ir.root()).map_or("", |name| ir.cx().str(name));
    let mut name = format!("{base}_prepare");
    let mut n = 0;
    while !taken.insert(name.clone()) {
        name = format!("{base}_prepare_{n}");
        n += 1;
    }
    name
}

/// The function that computes values from arguments
fn function(from: &Ir, name: &str, args: &[Value], ops: &[OpId], gives: &[Value]) -> Ir {
    let cx = from.cx_arc();
    let kind = cx.kind_of(Func::DEF).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(cx, kind, 1, from.loc(from.root()));
    ir.set_source(from.source());
    let types = |values: &[Value]| values.iter().map(|value| from.ty(*value)).collect::<Vec<Type>>();
    let ty = cx.type_attr(cx.function(&types(args), &types(gives)));
    ir.set_attr(ir.root(), "sym_name", Some(cx.str_attr(name)));
    ir.set_attr(ir.root(), "function_type", Some(ty));
    let region = ir.region(ir.root(), 0);
    let entry = ir.append_block(region);
    let mut map = ValueMap::default();
    for arg in args {
        let new = ir.add_block_arg(entry, from.ty(*arg));
        if let Some(name) = from.value_name(*arg) {
            ir.set_value_name(new, Name::Str(cx.intern(name)));
        }
        map.insert(*arg, new);
    }
    for op in ops {
        let copy = ir.clone_op(Some(from), *op, &mut map);
        ir.append(entry, copy);
    }
    let results: Vec<Value> = gives.iter().filter_map(|value| map.get(*value)).collect();
    Return::build(&mut Builder::at_end(&mut ir, entry), &results);
    ir
}

/// Prepared values are arguments behind the others; the positions of those that stay
fn replace(
    ir: &mut Ir,
    func: Func,
    body: BlockId,
    (takes, ops, gives): (&[usize], &[OpId], &[Value]),
) -> Vec<usize> {
    let cx = ir.cx_arc().clone();
    let (inputs, results) = func.types(ir);
    let (mut inputs, results) = (inputs.to_vec(), results.to_vec());
    let mut attrs = func.arg_attrs(ir).and_then(|all| all.as_array(&cx)).unwrap_or(&[]).to_vec();
    attrs.resize(inputs.len(), cx.common().empty_dict);
    let mut names: HashSet<String> =
        ir.block_args(body).iter().filter_map(|arg| ir.value_name(*arg)).map(String::from).collect();
    for value in gives {
        let source =
            ir.defining_op(*value).and_then(|op| ir.operands(op).find_map(|value| ir.value_name(value)));
        let base = format!("{}_prepared", source.unwrap_or("argument"));
        let others = (2..).map(|n| format!("{base}.{n}"));
        let name =
            std::iter::once(base.clone()).chain(others).find(|name| !names.contains(name)).unwrap_or(base);
        names.insert(name.clone());
        let new = ir.add_block_arg(body, ir.ty(*value));
        ir.set_value_name(new, Name::Str(cx.intern(&name)));
        inputs.push(ir.ty(*value));
        attrs.push(
            cx.dict_attr(vec![
                (cx.intern(CONSTANT), cx.common().unit),
                (cx.intern(NAME), cx.str_attr(&name)),
            ]),
        );
        ir.replace_all_uses(*value, new);
    }
    for op in ops.iter().rev() {
        if ir.is_unused(*op) {
            ir.erase(*op);
        }
    }
    let gone: Vec<usize> =
        takes.iter().copied().filter(|n| ir.uses(ir.block_args(body)[*n]).next().is_none()).collect();
    for n in gone.iter().rev() {
        ir.remove_block_arg(body, *n);
        inputs.remove(*n);
        attrs.remove(*n);
    }
    func.set_function_type(ir, cx.type_attr(cx.function(&inputs, &results)));
    let attrs: Attr = cx.array_attr(&attrs);
    func.set_arg_attrs(ir, Some(attrs));
    let old = inputs.len() - gives.len() + gone.len();
    (0..old).filter(|n| !gone.contains(n)).collect()
}
