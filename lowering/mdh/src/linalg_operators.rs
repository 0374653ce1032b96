//! Reductions that combine several values at once, such as the largest element and its place: how they combine becomes a function.
//!
//! ```mlir
//! ^bb0(%in: f32, %k: i32, %out: f32, %at: i32):   // what depends on %out and %at goes to @f_combine
//!   %r:2 = func.call @f_combine(%out, %at, %in, %k) : (f32, i32, f32, i32) -> (f32, i32)
//!   linalg.yield %r#0, %r#1 : f32, i32
//! ```
//!
//! Operators that are associative may be taken in any bracketing, but nothing is declared here. So it is decided (`choices`), for
//! bodies that only compare and choose; what is not seen to be associative declares nothing, and is folded in the order of the source.

pub(crate) mod choices;

use crate::linalg_fold::fold_of;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_linalg::{self as linalg, Form};
use terrace_dialect_mdh::operator::DECLARED;
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{BlockId, Builder, Ir, OpId, OpKind, Str, Traits, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// How reductions of `linalg` combine several values at once becomes functions
///
/// Whether one that only compares and chooses is associative is decided by trying every order that its operands can be in. The function
/// says of itself what was found (`sched.operator`), and `linalg-to-mdh` takes it as the operator; one that is not associative, or of
/// which nothing is known, in the order of the source.
#[pass("linalg-operators", scope = tree, stats("operators outlined"))]
pub struct LinalgOperators;

impl Pass for LinalgOperators {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        // Units with functions in them, with a list: they nest.
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += outline_all(table);
            }
            pending.extend(table.children_mut());
        }
        cx.count("operators outlined", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

fn outline_all(table: &mut Ir) -> u64 {
    let is_func = |child: &Ir| func::Func::cast(child, child.root()).is_some();
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_func)).collect();
    let mut count = 0;
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let name = symbol_name(&function, function.root())
            .map_or(String::new(), |name| format!("{}_combine", function.cx().str(name)));
        let structured =
            |op: &OpId| [linalg::Generic::DEF, linalg::Reduce::DEF].iter().any(|def| function.is(*op, def));
        let ops: Vec<OpId> = function.walk().filter(structured).collect();
        for op in ops {
            let Some(found) = Combination::of(&function, op) else { continue };
            let cx = function.cx_arc().clone();
            let taken: HashSet<Str> = table.walk().filter_map(|op| symbol_name(table, op)).collect();
            let mut names = std::iter::once(name.clone()).chain((0..).map(|n| format!("{name}_{n}")));
            let Some(name) = names.find(|name| !taken.contains(&cx.intern(name))) else { continue };
            let own = table.adopt(Box::new(found.function(&function, &name)));
            table.insert_before(slot, own);
            let known = if found.chooses { choices::declared(table, &name, &found.types) } else { None };
            let declared = known.unwrap_or(cx.common().empty_dict);
            if let Some(mut child) = table.take_child(own) {
                let root = child.root();
                child.set_discardable(root, DECLARED, Some(declared));
                table.put_child(own, child);
            }
            found.call(&mut function, &name);
            count += 1;
        }
        table.put_child(slot, function);
    }
    count
}

/// How a body combines what its outputs were with something new
struct Combination {
    end: OpId,
    outs: Vec<Value>,
    types: Vec<Type>,
    /// What depends on the outputs, in order
    ops: Vec<OpId>,
    /// What is new, for each output
    parts: Vec<Value>,
    results: Vec<Value>,
    /// Does it only compare and choose?
    chooses: bool,
}

impl Combination {
    /// Of a reduction that has no operators with names
    fn of(ir: &Ir, op: OpId) -> Option<Combination> {
        let form = Form::of(ir, op).ok().filter(|form| form.reduces.contains(&true))?;
        let entry = ir.entry(ir.region(op, 0))?;
        let outs = ir.block_args(entry).get(form.inputs..)?.to_vec();
        let end = ir.last_op(entry).filter(|end| linalg::Yield::cast(ir, *end).is_some())?;
        let results: Vec<Value> = ir.operands(end).collect();
        let named = |(result, out): (&Value, &Value)| fold_of(ir, entry, *result, *out).is_ok();
        if results.len() != outs.len() || results.iter().zip(&outs).all(named) {
            return None;
        }
        let mut hang: HashSet<Value> = outs.iter().copied().collect();
        let mut ops = Vec::new();
        for inner in ir.block_ops(entry).filter(|inner| *inner != end) {
            if ir.operands(inner).any(|value| hang.contains(&value)) {
                let single = |value: Value| ir.ty(value).shape(ir.cx()).is_none();
                let plain = ir.has(inner, Traits::Elementwise) && ir.num_regions(inner) == 0;
                if !plain || !ir.operands(inner).chain(ir.results(inner)).all(single) {
                    return None;
                }
                hang.extend(ir.results(inner));
                ops.push(inner);
            }
        }
        let types: Vec<Type> = outs.iter().map(|out| ir.ty(*out)).collect();
        let given = ops.iter().flat_map(|op| ir.operands(*op)).chain(results.iter().copied());
        let mut new: Vec<Value> = Vec::new();
        let mut chooses = ops.iter().all(|op| choices::is_choice(ir, *op));
        for value in given.filter(|value| !hang.contains(value)) {
            if is_constant(ir, value) {
                chooses &= ir.ty(value) == ir.cx().common().i1;
            } else if !new.contains(&value) {
                new.push(value);
            }
        }
        let parts = pair(ir, &ops, &outs, new)?;
        Some(Combination { end, outs, types, ops, parts, results, chooses })
    }

    /// The function: two tuples to one
    fn function(&self, from: &Ir, name: &str) -> Ir {
        let cx = from.cx_arc();
        let kind = cx.kind_of(func::Func::DEF).unwrap_or(OpKind::UNREGISTERED);
        let mut ir = Ir::new_unit(cx, kind, 1, from.loc(self.end));
        ir.set_source(from.source());
        let root = ir.root();
        let twice: Vec<Type> = self.types.iter().chain(&self.types).copied().collect();
        for (key, attr) in [
            ("sym_name", cx.str_attr(name)),
            ("function_type", cx.type_attr(cx.function(&twice, &self.types))),
            ("sym_visibility", cx.str_attr("private")),
        ] {
            ir.set_attr(root, key, Some(attr));
        }
        let region = ir.region(root, 0);
        let entry = ir.append_block(region);
        let mut map = ValueMap::default();
        for value in self.outs.iter().chain(&self.parts) {
            let arg = ir.add_block_arg(entry, from.ty(*value));
            map.insert(*value, arg);
        }
        for op in &self.ops {
            for value in from.operands(*op) {
                self.constant(from, &mut ir, entry, value, &mut map);
            }
            let copy = ir.clone_op(Some(from), *op, &mut map);
            ir.append(entry, copy);
        }
        for value in &self.results {
            self.constant(from, &mut ir, entry, *value, &mut map);
        }
        let results: Vec<Value> =
            self.results.iter().map(|value| map.get(*value).unwrap_or(*value)).collect();
        func::Return::build(&mut Builder::at_end(&mut ir, entry), &results);
        ir
    }

    /// A constant of the body, made in the function
    fn constant(&self, from: &Ir, ir: &mut Ir, entry: BlockId, value: Value, map: &mut ValueMap) {
        if map.get(value).is_none()
            && let Some(maker) = from.defining_op(value).filter(|_| is_constant(from, value))
        {
            let copy = ir.clone_op(Some(from), maker, map);
            ir.append(entry, copy);
        }
    }

    /// Call it in place of what it does
    fn call(&self, ir: &mut Ir, name: &str) {
        let args: Vec<Value> = self.outs.iter().chain(&self.parts).copied().collect();
        let callee = ir.cx().symbol_attr(name);
        let loc = ir.loc(self.end);
        let mut b = Builder::before(ir, self.end);
        b.set_loc(loc);
        let call = func::Call::build(&mut b, &args, callee, &self.types).id();
        let results: Vec<Value> = ir.results(call).collect();
        ir.set_operands(self.end, &results, &[]);
        for op in self.ops.iter().rev() {
            if ir.is_unused(*op) {
                ir.erase(*op);
            }
        }
    }
}

fn is_constant(ir: &Ir, value: Value) -> bool {
    ir.defining_op(value).is_some_and(|op| arith::Constant::cast(ir, op).is_some())
}

/// Which new value belongs to which output: the alternative of a choice with an output, else by type
fn pair(ir: &Ir, ops: &[OpId], outs: &[Value], mut new: Vec<Value>) -> Option<Vec<Value>> {
    let mut parts: Vec<Option<Value>> = vec![None; outs.len()];
    for op in ops {
        let all: Vec<Value> = ir.operands(*op).collect();
        let sides = if ir.is(*op, arith::Select::DEF) { &all[1..] } else { &all[..] };
        for (n, out) in outs.iter().enumerate() {
            let part = sides.iter().find(|value| new.contains(value) && ir.ty(**value) == ir.ty(*out));
            if let Some(part) = part.filter(|_| sides.contains(out) && parts[n].is_none()) {
                parts[n] = Some(*part);
                new.retain(|value| value != part);
            }
        }
    }
    let known: Vec<Value> = parts.iter().flatten().chain(&new).copied().collect();
    for (part, out) in parts.iter_mut().zip(outs) {
        if part.is_none() {
            let fits = |value: &&Value| ir.ty(**value) == ir.ty(*out);
            *part = new.iter().find(fits).copied();
            new.retain(|value| Some(*value) != *part);
            // Nothing is new for it: what stands there is not looked at.
            *part = part.or_else(|| known.iter().find(fits).copied());
        }
    }
    parts.into_iter().collect::<Option<Vec<Value>>>().filter(|_| new.is_empty())
}
