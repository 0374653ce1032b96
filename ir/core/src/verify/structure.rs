//! Each op against its table, in one walk.

use super::VerifyCx;
use crate::attrs::{Attr, Str};
use crate::codes;
use crate::context::OpKind;
use crate::defs::{Arity, OpDef, Slot, TypeRel, ValueSpec};
use crate::ir::{BlockId, Ir, OpId, WalkStep, Walker};
use crate::traits::Traits;
use crate::types::Type;
use terrace_diag::Reported;

type Checked = Result<(), Reported>;

pub(super) fn check(v: &VerifyCx<'_>) {
    // An op's own rule may look at what is inside, so it runs after the inside has been checked, if that was right; and at
    // the op around, which is looked at first.
    let ir = v.ir;
    let errors = || v.errors();
    let mut opened: Vec<usize> = Vec::new();
    let mut around = Around { op: None, holds: true };
    let mut seen = Seen::default();
    for step in Walker::new(ir, ir.root()) {
        match step {
            WalkStep::Enter(op) if ir.num_regions(op) > 0 => opened.push(errors()),
            WalkStep::Enter(_) => {}
            WalkStep::Leave(op) => {
                let whole = ir.num_regions(op) == 0 || opened.pop() == Some(errors());
                let _ = op_checks(v, op, whole, &mut around, &mut seen);
            }
        }
    }
}

/// Whether the op around has the properties that its table wants, remembered for the next op
struct Around {
    op: Option<OpId>,
    holds: bool,
}

impl Around {
    fn holds(&mut self, ir: &Ir, op: OpId) -> bool {
        let parent = ir.parent(op);
        if self.op != parent {
            self.op = parent;
            self.holds = parent.is_none_or(|parent| has_properties(ir, parent));
        }
        self.holds
    }
}

/// Types of ops that were found right: in a program most ops are like others
struct Seen([Option<(OpKind, u16, Types)>; KINDS_SEEN]);

/// Types of at most so many operands and results
const TYPES: usize = 5;

type Types = [Option<Type>; TYPES];

const KINDS_SEEN: usize = 64;

impl Default for Seen {
    fn default() -> Self {
        Seen([None; KINDS_SEEN])
    }
}

impl Seen {
    /// Check the types of an op, unless one of its kind had the same
    fn types(&mut self, v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
        let (ir, kind) = (v.ir, v.ir.kind(op));
        let (operands, results) = (ir.operands(op), ir.results(op));
        let by_attr = |relation: &TypeRel| matches!(relation, TypeRel::TypeOfAttr { .. });
        let (count, facts) = (operands.len() as u16, ir.cx().facts(kind));
        let varying = facts.operand_segments || facts.result_segments;
        if operands.len() + results.len() > TYPES || varying || def.relations.iter().any(by_attr) {
            return types(v, op, def);
        }
        let mut key = Types::default();
        for (at, value) in key.iter_mut().zip(operands.chain(results)) {
            *at = Some(ir.ty(value));
        }
        let slot =
            &mut self.0[(kind.0 as usize ^ key[0].map_or(0, Type::index).wrapping_mul(5)) % KINDS_SEEN];
        if *slot != Some((kind, count, key)) {
            types(v, op, def)?;
            *slot = Some((kind, count, key));
        }
        Ok(())
    }
}

/// Are all properties there that must be, and of the right kind?
fn has_properties(ir: &Ir, op: OpId) -> bool {
    if matches!(ir.kind(op), OpKind::SLOT | OpKind::UNREGISTERED) {
        return true;
    }
    ir.def(op).attrs.iter().enumerate().all(|(n, spec)| match ir.slot(op, n) {
        Some(attr) => (spec.attr.test)(ir.cx(), attr),
        None => spec.optional || spec.default.is_some(),
    })
}

fn op_checks(v: &VerifyCx<'_>, op: OpId, whole: bool, around: &mut Around, seen: &mut Seen) -> Checked {
    let ir = v.ir;
    match ir.kind(op) {
        OpKind::SLOT => return slot_parent(v, op),
        OpKind::UNREGISTERED => return regions_end_well(v, op, None),
        _ => {}
    }
    let def = ir.def(op);
    if def.traits.has(Traits::Terminator) && ir.next(op).is_some() {
        return v.fail(op, &codes::TERMINATOR, "must be the last op of its block");
    }
    if def.traits.has(Traits::Symbol)
        && let Some(parent) = ir.parent(op)
    {
        in_a_table(v, op, def, parent)?;
    }
    if ir.cx().facts(ir.kind(op)).simple {
        // The frequent case: every field is one value, nothing inside, nowhere to go.
        if ir.num_operands(op) != def.operands.len() || ir.num_results(op) != def.results.len() {
            count(v, op, def.operands, ir.num_operands(op), None, "operand")?;
            count(v, op, def.results, ir.num_results(op), None, "result")?;
        }
        attributes(v, op, def)?;
        seen.types(v, op, def)?;
        parent(v, op, def)?;
        if has_rules(def) && around.holds(ir, op) {
            own_rules(v, op, def)?;
        }
        return dialect_attributes(v, op);
    }
    let counts = [
        count(v, op, def.operands, ir.num_operands(op), ir.operand_segments(op), "operand"),
        count(v, op, def.results, ir.num_results(op), ir.result_segments(op), "result"),
        shape(v, op, def),
        regions_end_well(v, op, Some(def)),
    ];
    let attrs = attributes(v, op, def);
    for checked in counts {
        checked?;
    }
    attrs?;
    seen.types(v, op, def)?;
    branch(v, op, def)?;
    parent(v, op, def)?;
    if has_rules(def) && whole && around.holds(ir, op) {
        own_rules(v, op, def)?;
    }
    dialect_attributes(v, op)
}

fn has_rules(def: &OpDef) -> bool {
    def.verify.is_some() || !def.own_traits.is_empty()
}

/// Rules of the traits that dialects define, then the op's
fn own_rules(v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
    def.own_traits.iter().try_for_each(|one| (one.verify)(v, op))?;
    def.verify.map_or(Ok(()), |verify| verify(v, op))
}

fn count(
    v: &VerifyCx<'_>,
    op: OpId,
    specs: &[ValueSpec],
    have: usize,
    segments: Option<&[u32]>,
    what: &str,
) -> Checked {
    if let Some(sizes) = segments {
        let sum: usize = sizes.iter().map(|size| *size as usize).sum();
        if sum != have {
            return v.fail(op, &codes::COUNT, format!("has {have} {what}s, its {what} segments say {sum}"));
        }
        for (spec, &size) in specs.iter().zip(sizes) {
            let ok = match spec.arity {
                Arity::One => size == 1,
                Arity::Optional => size <= 1,
                Arity::Variadic => true,
            };
            if !ok {
                let name = spec.name;
                return v.fail(op, &codes::COUNT, format!("{what} `{name}` has {size} values"));
            }
        }
        return Ok(());
    }
    let min = specs.iter().filter(|spec| spec.arity == Arity::One).count();
    let max = match specs.iter().find(|spec| spec.arity != Arity::One).map(|spec| spec.arity) {
        None => Some(min),
        Some(Arity::Optional) => Some(min + 1),
        Some(_) => None,
    };
    if have >= min && max.is_none_or(|max| have <= max) {
        return Ok(());
    }
    let wants = match max {
        Some(max) if max == min => format!("{min}"),
        Some(max) => format!("{min} or {max}"),
        None => format!("at least {min}"),
    };
    let plural = if wants == "1" { "" } else { "s" };
    v.fail(op, &codes::COUNT, format!("expected {wants} {what}{plural}, but found {have}"))
}

/// Numbers of regions and successors
fn shape(v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
    let (have, want) = (v.ir.num_regions(op), def.regions.len());
    let variadic = def.regions.last().is_some_and(|spec| spec.variadic);
    if have != want && !(variadic && have + 1 >= want) {
        return v.fail(op, &codes::COUNT, format!("expected {want} regions, but found {have}"));
    }
    let (have, want) = (v.ir.num_successors(op), def.successors.len());
    let variadic = def.successors.last().is_some_and(|spec| spec.variadic);
    if have != want && !(variadic && have + 1 >= want) {
        return v.fail(op, &codes::COUNT, format!("expected {want} successors, but found {have}"));
    }
    Ok(())
}

fn regions_end_well(v: &VerifyCx<'_>, op: OpId, def: Option<&OpDef>) -> Checked {
    let ir = v.ir;
    for (n, region) in ir.regions(op).enumerate() {
        let spec = def.and_then(|def| def.regions.get(n).or(def.regions.last()));
        let Some(entry) = ir.entry(region) else {
            if let Some(spec) = spec.filter(|spec| !spec.may_be_empty) {
                return v.fail(op, &codes::REGION, format!("region `{}` needs a block", spec.name));
            }
            continue;
        };
        let single = def.is_some_and(|def| def.traits.has(Traits::SingleBlock));
        if (single || spec.is_some_and(|spec| spec.single_block)) && ir.single_block(region).is_none() {
            let name = spec.map_or("", |spec| spec.name);
            return v.fail(op, &codes::REGION, format!("region `{name}` must have one block only"));
        }
        let _ = entry;
        for block in ir.blocks(region) {
            block_ends_well(v, op, def, block)?;
        }
    }
    Ok(())
}

fn block_ends_well(v: &VerifyCx<'_>, op: OpId, def: Option<&OpDef>, block: BlockId) -> Checked {
    let ir = v.ir;
    let needs = def.is_some_and(|def| !def.traits.has(Traits::NoTerminator));
    let Some(last) = ir.last_op(block) else {
        if needs {
            return v.fail(op, &codes::TERMINATOR, "has an empty block: expect at least a terminator");
        }
        return Ok(());
    };
    let ends = ir.has(last, Traits::Terminator);
    if needs && !ends && ir.kind(last) != OpKind::UNREGISTERED {
        let error = v.error(last, &codes::TERMINATOR, "ends its block but is no terminator");
        return Err(v.emit(match def.and_then(|def| def.implicit_terminator) {
            Some(name) => error.help(format!("end the block with `{name}`")),
            None => error,
        }));
    }
    if let (Some(def), true) = (def, ends)
        && let Some(wanted) = def.implicit_terminator
        && ir.op_name(last) != wanted
    {
        let error = v.error(last, &codes::TERMINATOR, format!("cannot end a region of '{}'", def.name));
        return Err(v.emit(error.help(format!("the terminator here is `{wanted}`"))));
    }
    Ok(())
}

fn attributes(v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
    let cx = v.ir.cx();
    for (slot, spec) in def.attrs.iter().enumerate() {
        match v.ir.slot(op, slot) {
            None if !spec.optional && spec.default.is_none() => {
                return v.fail(op, &codes::ATTR_MISSING, format!("requires attribute '{}'", spec.name));
            }
            Some(attr) if !(spec.attr.test)(cx, attr) => {
                let (name, what) = (spec.name, spec.attr.what);
                let text = crate::show::attr_text(cx, attr);
                let message = format!("attribute '{name}' failed to satisfy constraint: {what}");
                return Err(v.emit(v.error(op, &codes::ATTR, message).note(format!("it is {text}"))));
            }
            _ => {}
        }
    }
    Ok(())
}

fn types(v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
    let (ir, cx) = (v.ir, v.ir.cx());
    let fail = |what: &str, n: usize, spec: &ValueSpec, ty: Type| {
        let message = format!("{what} #{n} must be {}, but got '{}'", spec.ty.what, v.show(ty));
        v.fail(op, &codes::TYPE, message)
    };
    for (field, spec) in def.operands.iter().enumerate() {
        for n in ir.operand_range(op, field) {
            let ty = ir.ty(ir.operand(op, n));
            if !(spec.ty.test)(cx, ty) {
                return fail("operand", n, spec, ty);
            }
        }
    }
    for (field, spec) in def.results.iter().enumerate() {
        for n in ir.result_range(op, field) {
            let ty = ir.ty(ir.result(op, n));
            if !(spec.ty.test)(cx, ty) {
                return fail("result", n, spec, ty);
            }
        }
    }
    def.relations.iter().try_for_each(|relation| related(v, op, def, relation))
}

/// Types of the values of a field
fn slot_types(ir: &Ir, op: OpId, slot: Slot) -> impl Iterator<Item = Type> + '_ {
    let (range, operand) = match slot {
        Slot::Operand(field) => (ir.operand_range(op, field as usize), true),
        Slot::Result(field) => (ir.result_range(op, field as usize), false),
    };
    range.map(move |n| ir.ty(if operand { ir.operand(op, n) } else { ir.result(op, n) }))
}

fn slot_name(def: &OpDef, slot: Slot) -> &'static str {
    match slot {
        Slot::Operand(field) => def.operands[field as usize].name,
        Slot::Result(field) => def.results[field as usize].name,
    }
}

fn related(v: &VerifyCx<'_>, op: OpId, def: &OpDef, relation: &TypeRel) -> Checked {
    let (ir, cx) = (v.ir, v.ir.cx());
    let first = |slot| slot_types(ir, op, slot).next();
    let differ = |a: Slot, b: Slot, rule: String, x: Type, y: Type| {
        let (a, b) = (slot_name(def, a), slot_name(def, b));
        let error = v.error(op, &codes::TYPES_DIFFER, format!("{rule} `{a}` and `{b}`"));
        Err(v.emit(error.note(format!("`{a}` has type {}, `{b}` has type {}", v.show(x), v.show(y)))))
    };
    match *relation {
        TypeRel::Same(slots) => {
            let mut seen: Option<(Slot, Type)> = None;
            for &slot in slots {
                for ty in slot_types(ir, op, slot) {
                    match seen {
                        Some((other, first)) if first != ty => {
                            return differ(other, slot, "requires the same type for".into(), first, ty);
                        }
                        Some(_) => {}
                        None => seen = Some((slot, ty)),
                    }
                }
            }
            Ok(())
        }
        TypeRel::BoolLike { from, to } => match (first(from), first(to)) {
            (Some(a), Some(b)) if a.with_element(cx, cx.common().i1) != b => {
                differ(from, to, "requires i1 of the same shape for".into(), a, b)
            }
            _ => Ok(()),
        },
        TypeRel::ElementOf { from, to } => match (first(from), first(to)) {
            (Some(a), Some(b)) if a.element(cx).is_some_and(|elem| elem != b) => {
                differ(from, to, "requires the element type of the first for the second of".into(), a, b)
            }
            _ => Ok(()),
        },
        TypeRel::By { from, to, make } => match (first(from), first(to)) {
            (Some(a), Some(b)) if make(cx, a).is_some_and(|wanted| wanted != b) => {
                differ(from, to, "requires types that belong together for".into(), a, b)
            }
            _ => Ok(()),
        },
        TypeRel::TypeOfAttr { attr, to } => {
            let ty = ir.slot(op, attr as usize).and_then(|attr| attr.ty(cx));
            match (ty, first(to)) {
                (Some(a), Some(b)) if a != b => {
                    let (name, to) = (def.attrs[attr as usize].name, slot_name(def, to));
                    let message = format!("attribute '{name}' and `{to}` must have the same type");
                    let note = format!("'{name}' has type {}, `{to}` has type {}", v.show(a), v.show(b));
                    Err(v.emit(v.error(op, &codes::TYPES_DIFFER, message).note(note)))
                }
                _ => Ok(()),
            }
        }
        TypeRel::SameShape(a, b) => match (first(a), first(b)) {
            (Some(x), Some(y))
                if x.with_element(cx, cx.common().i1) != y.with_element(cx, cx.common().i1) =>
            {
                differ(a, b, "requires the same shape for".into(), x, y)
            }
            _ => Ok(()),
        },
        TypeRel::SameElement(a, b) => match (first(a), first(b)) {
            (Some(x), Some(y)) if x.scalar(cx) != y.scalar(cx) => {
                differ(a, b, "requires the same element type for".into(), x, y)
            }
            _ => Ok(()),
        },
    }
}

/// Successor operands against the arguments of their blocks
fn branch(v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
    let ir = v.ir;
    for (n, block) in ir.successors(op).enumerate() {
        if ir.block_region(block) != ir.block(op).and_then(|block| ir.block_region(block)) {
            return v.fail(op, &codes::BRANCH, format!("successor #{n} is a block of another region"));
        }
        let Some(field) = def.successors.get(n).and_then(|spec| spec.operands) else { continue };
        let passed = ir.operand_range(op, field as usize);
        let args = ir.block_args(block);
        if passed.len() != args.len() {
            let message =
                format!("passes {} values to successor #{n}, which takes {}", passed.len(), args.len());
            return v.fail(op, &codes::BRANCH, message);
        }
        for (at, (value, &arg)) in passed.map(|n| ir.operand(op, n)).zip(args).enumerate() {
            if ir.ty(value) != ir.ty(arg) {
                let (a, b) = (v.show(ir.ty(value)), v.show(ir.ty(arg)));
                let message = format!("type mismatch for argument #{at} of successor #{n}: '{a}' vs '{b}'");
                return v.fail(op, &codes::BRANCH, message);
            }
        }
    }
    Ok(())
}

fn parent(v: &VerifyCx<'_>, op: OpId, def: &OpDef) -> Checked {
    if def.parents.is_empty() || op == v.ir.root() {
        return Ok(());
    }
    let Some(parent) = v.ir.parent(op) else { return Ok(()) };
    allowed_parent(v, op, def.parents, v.ir.op_name(parent))
}

/// The parents rule of a unit's own op, which is in the parent's arena a slot
fn slot_parent(v: &VerifyCx<'_>, slot: OpId) -> Checked {
    let (Some(unit), Some(parent)) = (v.ir.child(slot), v.ir.parent(slot)) else { return Ok(()) };
    let def = unit.def(unit.root());
    if def.parents.is_empty() {
        in_a_table(v, slot, def, parent)
    } else {
        allowed_parent(v, slot, def.parents, v.ir.op_name(parent))
    }
}

/// A symbol stands directly in a table of symbols, or nothing could name it
fn in_a_table(v: &VerifyCx<'_>, op: OpId, def: &OpDef, parent: OpId) -> Checked {
    let unknown = v.ir.kind(parent) == OpKind::UNREGISTERED;
    if !def.traits.has(Traits::Symbol) || unknown || v.ir.has(parent, Traits::SymbolTable) {
        return Ok(());
    }
    v.fail(op, &codes::PARENT, "symbol's parent must have the SymbolTable trait")
}

fn allowed_parent(v: &VerifyCx<'_>, op: OpId, parents: &[&str], found: &str) -> Checked {
    if parents.contains(&found) {
        return Ok(());
    }
    let names: Vec<String> = parents.iter().map(|name| format!("'{name}'")).collect();
    v.fail(
        op,
        &codes::PARENT,
        format!("expects parent op {}, but is inside of '{found}'", names.join(" or ")),
    )
}

fn dialect_attributes(v: &VerifyCx<'_>, op: OpId) -> Checked {
    let cx = v.ir.cx();
    let entries: &[(Str, Attr)] = match v.ir.dict(op) {
        None => return Ok(()),
        Some(dict) => dict.as_dict(cx).unwrap_or(&[]),
    };
    for &(name, attr) in entries {
        let name = cx.str(name);
        let dialect = name.split_once('.').and_then(|(dialect, _)| cx.dialect(dialect));
        if let Some(verify) = dialect.and_then(|dialect| dialect.verify_attr) {
            verify(v, op, name, attr)?;
        }
    }
    Ok(())
}
