//! `sched-decide`: what a schedule leaves open gets its values, by substitution.
//!
//! What may be open, and which values it may have, is stated once: `terrace_dialect_sched::open`. Here a value is put in. What
//! changes the nest shows that it may: loops change places unless one carries values, a limit would stand outside of what
//! it depends on, or contributions would come in an order that their operator forbids; a buffer goes if one copy sets it and nothing
//! writes what that reads. The verifier checks the result.

use terrace_diag::Reported;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::open::{self, perfect_run};
use terrace_dialect_sched::{
    Alloc, Combination, Copy, CopySpec, For, Level, LoopInfo, Operator, Order, Read, Write, codes, operator,
};
use terrace_ir::{Attr, Builder, Ir, NewOp, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_schedule_model::Decision;
use terrace_support::affine::AffineExpr;

/// Give open parameters of schedules their values
///
/// `values=m=thread.x,p=1.0.2,b=0`: a level by its word, an order of loops by their numbers from outside (`1.0.2`: the second
/// one goes outside), a buffer by 0 or 1. Parameters that are not named stay open.
#[pass("sched-decide", stats("levels decided", "runs reordered", "buffers removed"))]
pub struct SchedDecide {
    /// Names and values, with commas between
    #[option]
    values: Vec<String>,
}

/// Why a value is refused
struct No {
    op: OpId,
    message: String,
}

fn no<T>(op: OpId, message: impl Into<String>) -> Result<T, No> {
    Err(No { op, message: message.into() })
}

impl Pass for SchedDecide {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let declared = operator::all_declared(unit, cx.symbols, cx.scope);
        let commutes = |f: &Operator| match f {
            Operator::Builtin(_) => true,
            Operator::Function(name) => declared.get(name).is_some_and(|algebra| algebra.commutative),
        };
        let (mut levels, mut runs, mut buffers) = (0, 0, 0);
        let done = (|| {
            let open = open::open(unit).or_else(|two| no(two.op, two.to_string()))?;
            // Orders last: loops that change places are other ops.
            let mut chosen = Vec::new();
            for each in &open {
                let Some(text) = self.value(&each.name) else { continue };
                match each.parse(text) {
                    Ok(choice) => chosen.push((each, choice)),
                    Err(error) => return no(each.ops[0], error.to_string()),
                }
            }
            for (each, choice) in &chosen {
                match choice {
                    Decision::Level(level) => {
                        let attr = (*level != Level::Seq).then(|| unit.cx().str_attr(&level.to_string()));
                        for each in each.ops.iter().filter_map(|op| For::cast(unit, *op)).collect::<Vec<_>>()
                        {
                            each.set_level(unit, attr);
                            levels += 1;
                        }
                    }
                    Decision::There(there) => buffers += buffer(unit, &each.ops, *there)?,
                    _ => {}
                }
            }
            for (each, choice) in &chosen {
                let Decision::Order(order) = choice else { continue };
                for op in each.ops.iter().copied().filter(|op| unit.is_alive(*op)).collect::<Vec<_>>() {
                    let Some(top) = For::cast(unit, op) else { continue };
                    let run = perfect_run(unit, top);
                    top.set_perm(unit, None);
                    may_reorder(unit, &run, order, &commutes)?;
                    if order.iter().copied().ne(0..run.len()) {
                        reorder(unit, &run, order);
                    }
                    runs += 1;
                }
            }
            Ok(())
        })();
        cx.count("levels decided", levels);
        cx.count("runs reordered", runs);
        cx.count("buffers removed", buffers);
        cx.set_changed(levels + runs + buffers > 0);
        match done {
            Ok(()) => Ok(()),
            Err(No { op, message }) => cx.fail(unit, op, &codes::DECISION, message),
        }
    }
}

impl SchedDecide {
    /// The value of a parameter
    fn value(&self, name: &str) -> Option<&str> {
        let pairs = self.values.iter().filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find_map(|(key, value)| (key == name).then_some(value))
    }
}

/// A buffer and its copies with it, or without; gives how many are left out
fn buffer(ir: &mut Ir, ops: &[OpId], there: bool) -> Result<u64, No> {
    let mut count = 0;
    for op in ops {
        if !ir.is_alive(*op) {
            continue;
        }
        match (Alloc::cast(ir, *op), Copy::cast(ir, *op)) {
            (Some(alloc), _) if there => alloc.set_when(ir, None),
            (Some(alloc), _) => {
                remove(ir, alloc)?;
                count += 1;
            }
            (_, Some(copy)) if there => copy.set_when(ir, None),
            _ => {}
        }
    }
    Ok(count)
}

fn may_reorder(
    ir: &Ir,
    run: &[LoopInfo],
    order: &[usize],
    commutes: &dyn Fn(&Operator) -> bool,
) -> Result<(), No> {
    for (place, n) in order.iter().enumerate() {
        let info = &run[*n];
        let moved = place != *n;
        if moved && (ir.num_results(info.op.0) > 0 || !matches!(info.kind, Combination::Cc | Combination::Pw))
        {
            return no(info.op.0, "gives or carries values, and stays where it is");
        }
        for outer in &order[place + 1..] {
            let variable = run[*outer].iv;
            let mut values = info.limit.iter().chain(&info.from).flat_map(|bound| &bound.values);
            if values.any(|value| *value == variable) {
                return no(info.op.0, "has a bound that depends on a loop which would stand inside of it");
            }
            // Now before one that it stood inside of.
            let passed = &run[*outer];
            if outer > n {
                continue;
            }
            if !matches!(passed.kind, Combination::Cc | Combination::Pw) || ir.num_results(passed.op.0) > 0 {
                return no(passed.op.0, "gives or carries values, and stays where it is");
            }
            let merges = info.kind == Combination::Pw && passed.kind == Combination::Pw;
            let ordered = info.order == Order::Source || passed.order == Order::Source;
            if merges && (ordered || !info.ops.iter().chain(&passed.ops).all(commutes)) {
                return no(
                    info.op.0,
                    "would merge in another order, which its operator or its order word forbids",
                );
            }
        }
    }
    Ok(())
}

/// Put the loops of a run in another order
fn reorder(ir: &mut Ir, run: &[LoopInfo], order: &[usize]) {
    let (top, Some(last)) = (run[0].op.0, run.last()) else { return };
    let mut at: Option<terrace_ir::BlockId> = None;
    let mut variables: Vec<(Value, Value)> = Vec::new();
    for n in order {
        let old = &run[*n];
        let op = old.op.0;
        let loc = ir.loc(op);
        let slots: Vec<Option<Attr>> = (0..ir.def(op).attrs.len()).map(|slot| ir.slot(op, slot)).collect();
        let rename =
            |value: Value| variables.iter().find(|(from, _)| *from == value).map_or(value, |(_, to)| *to);
        let operands: Vec<Value> = ir.operands(op).map(rename).collect();
        let segments: Vec<u32> = ir.operand_segments(op).map(<[u32]>::to_vec).unwrap_or_default();
        let mut b = match at {
            None => Builder::before(ir, top),
            Some(block) => Builder::at_end(ir, block),
        };
        b.set_loc(loc);
        let kind = b.kind(For::DEF);
        let made = b.insert(&NewOp {
            operands: &operands,
            segments: &segments,
            slots: &slots,
            regions: 1,
            ..NewOp::new(kind)
        });
        if let Some(block) = at {
            terrace_dialect_sched::Yield::build(&mut Builder::at_end(ir, block), &[]);
        }
        let region = ir.region(made, 0);
        let block = ir.append_block(region);
        let index = ir.cx().common().index;
        let variable = ir.add_block_arg(block, index);
        if let Some(name) = ir.value_name(old.iv) {
            let name = terrace_ir::Name::Str(ir.cx().intern(name));
            ir.set_value_name(variable, name);
        }
        variables.push((old.iv, variable));
        at = Some(block);
    }
    let (Some(block), Some(first)) = (at, ir.entry(last.op.body(ir)).and_then(|body| ir.first_op(body)))
    else {
        return;
    };
    ir.move_tail(first, block);
    for (old, new) in variables {
        ir.replace_all_uses(old, new);
    }
    ir.erase(top);
}

/// Where what a buffer holds comes from: the copy that sets it, seen from the buffer
struct Origin {
    copy: Copy,
    src: Value,
    from: Option<Access>,
    padding: Option<Value>,
    /// The variable of the copy that is index n of the buffer
    inverse: Vec<usize>,
}

impl Origin {
    /// The only op that sets the buffer, if it is a plain copy next to it
    fn of(ir: &Ir, alloc: Alloc, users: &[OpId]) -> Result<Origin, No> {
        let mut writers = users.iter().copied().filter(|op| sets(ir, *op, alloc.memref(ir)));
        let only = match (writers.next(), writers.next()) {
            (Some(op), None) => Copy::cast(ir, op)
                .filter(|copy| copy.operator(ir).is_none() && ir.block(op) == ir.block(alloc.0)),
            _ => None,
        };
        let Some(copy) = only else {
            return no(alloc.0, "cannot be left out: exactly one other copy has to set it");
        };
        let (src, from) = (copy.src(ir), copy.from(ir));
        let root = std::iter::successors(ir.parent(alloc.0), |op| ir.parent(*op)).last();
        let around = ir.block(alloc.0).and_then(|block| ir.block_parent(block)).or(root);
        let changes = |around: OpId| ir.walk_below(around).any(|op| sets(ir, op, src));
        if from.is_some() && around.is_some_and(changes) {
            return no(alloc.0, "cannot be left out: what its copy reads is written where it is used");
        }
        let (rank, to) = (copy.sizes(ir).len(), copy.to(ir));
        let variable = |n: usize| to.map.results.iter().position(|expr| *expr == AffineExpr::Dim(n as u32));
        let inverse: Option<Vec<usize>> = (0..rank).map(variable).collect();
        let Some(inverse) = inverse.filter(|_| to.map.results.len() == rank) else {
            return no(
                copy.0,
                "sets its buffer at places that are no plain variables: the buffer cannot be left out",
            );
        };
        Ok(Origin { copy, src, from, padding: copy.padding(ir), inverse })
    }

    /// The place in the source that the copy brings to a place in the buffer
    fn through(&self, at: &Access, own: usize) -> Option<Access> {
        let from = self.from.as_ref()?;
        let mut dims = Dims { own: own as u32, values: at.values.clone() };
        let mut leaves: Vec<AffineExpr> =
            self.inverse.iter().map(|n| at.map.results.get(*n).cloned()).collect::<Option<_>>()?;
        leaves.extend(from.values.iter().map(|value| dims.value(*value)));
        let all =
            from.map.results.iter().map(|expr| expr.replace(&leaves, &[])).collect::<Option<Vec<_>>>()?;
        dims.access(all)
    }

    /// Let an op that reads the buffer read the source
    fn redirect(&self, ir: &mut Ir, op: OpId) -> Result<(), No> {
        let loc = ir.loc(op);
        let given = match (Read::cast(ir, op), Copy::cast(ir, op)) {
            (Some(read), _) => read.padding(ir),
            (_, Some(reader)) => reader.padding(ir),
            _ => return no(op, "uses a buffer that is left out, and does not read it"),
        };
        if given.is_some() {
            return no(op, "pads what it reads of a buffer that is left out");
        }
        let mut b = Builder::before(ir, op);
        b.set_loc(loc);
        if let Some(read) = Read::cast(b.read(), op) {
            let old = read.result(b.read());
            let new = match self.through(&read.access(b.read()), 0) {
                Some(at) => Read::make(&mut b, self.src, &at, self.padding).result(b.read()),
                None => self.src,
            };
            ir.replace_all_uses(old, new);
        } else if let Some(reader) = Copy::cast(b.read(), op) {
            let ir = b.read();
            let domain = reader.sizes(ir);
            let from = reader.from(ir).and_then(|at| self.through(&at, domain.len()));
            let names = reader.names(ir).and_then(|attr| attr.as_array(ir.cx())).unwrap_or(&[]);
            let names = names.iter().filter_map(|name| name.as_str(ir.cx())).map(String::from).collect();
            let linear = reader.is_linear(ir);
            let (src, padding) = (self.src, self.padding);
            let spec = CopySpec { domain, names, src, from, padding, ..CopySpec::of(ir, reader) };
            let (step, by) = (reader.step(ir), reader.by(ir));
            let made = spec.build(&mut b);
            made.set_step(b.ir(), step);
            if linear {
                made.set_by(b.ir(), by);
            }
        }
        Ok(())
    }
}

/// Does an op change a buffer?
fn sets(ir: &Ir, op: OpId, buffer: Value) -> bool {
    Copy::cast(ir, op).is_some_and(|copy| copy.dst(ir) == buffer)
        || Write::cast(ir, op).is_some_and(|write| write.memref(ir) == buffer)
}

/// Let reads of a buffer read what its only copy brings
fn remove(ir: &mut Ir, alloc: Alloc) -> Result<(), No> {
    let buffer = alloc.memref(ir);
    let users: Vec<OpId> = ir.walk().filter(|op| ir.operands(*op).any(|value| value == buffer)).collect();
    let origin = Origin::of(ir, alloc, &users)?;
    for op in users.into_iter().filter(|op| *op != origin.copy.0) {
        origin.redirect(ir, op)?;
        ir.erase(op);
    }
    ir.erase(origin.copy.0);
    ir.erase(alloc.0);
    Ok(())
}
