//! The parameters of a function as a `tune.space` (pass `array-space`), with the constraints that its types and its hardware
//! ask for (GPGPU'20 §5.2). No user writes them down.
//!
//! A record is what must hold, the parameters in it, and the op that asks. From types: `split` and `as_vector` cut evenly,
//! strict windows cover everything (the rest of the division is zero: trap F5), windows fit, exact quotients are whole. From
//! hardware: threads of a block in each dimension and together, memory of all buffers, the largest buffer.
//!
//! What the values of a parameter are is the experimenter's: a `tune.param` in a space for the function that is there already.
//! For those that have none the divisors of what they divide are taken, for lanes the device's vectors. Parameters that are
//! in no condition stay as they are.

use crate::rules::Tag;
use crate::tree::Tree;
use std::collections::BTreeSet;
use std::fmt;
use terrace_analysis::nat::{Nat, NatError};
use terrace_devices::{Device, Level};
use terrace_dialect_array::obligations;
use terrace_dialect_array::size::{Relation, Verdict, bound};
use terrace_dialect_array::types::{flatten, split_type};
use terrace_dialect_array::{AsVector, Place, Slide};
use terrace_dialect_func::{Func, Return};
use terrace_dialect_tune::{
    Compare, Constraint, Derived, Domain, Formula as Statement, Param, Size, Space, Value as Choice,
};
use terrace_ir::{Builder, Ir, Loc, NewOp, OpId, Type, TypeKind};

/// What must hold, and who asks
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The op that asks, as LIFT calls it, or what of the device
    pub rule: String,
    /// Where it comes from
    pub tag: Tag,
    /// What must hold
    pub statement: Statement,
    /// The parameters in it: they depend on each other
    pub parameters: Vec<String>,
    /// What it is about
    pub reason: String,
    /// Where
    pub loc: Loc,
}

/// Limits that device files do not say
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Buffers {
    /// Bytes of all together
    pub total: Option<i64>,
    /// Bytes of the largest
    pub largest: Option<i64>,
}

/// Conditions without exact quotients
struct Conditions {
    /// Denominators that are known to be positive
    positive: Vec<Nat>,
}

impl Conditions {
    /// Numerator and denominator, the latter positive where that is known
    fn quotient(&self, nat: &Nat) -> Result<(Nat, Nat), NatError> {
        let (over, under) = nat.fraction()?;
        // Denominators have the sign of their normal form, sizes are divided by positive ones.
        let flipped = Nat::from(0).minus(&under)?;
        match self.positive.contains(&flipped) {
            true => Ok((Nat::from(0).minus(&over)?, flipped)),
            false => Ok((over, under)),
        }
    }

    /// Statements that say `a` stands so to `b`: their quotients are whole, and the relation of whole numbers
    fn relation(&self, compare: Compare, a: &Nat, b: &Nat) -> Result<Vec<Statement>, NatError> {
        let ((over_a, under_a), (over_b, under_b)) = (self.quotient(a)?, self.quotient(b)?);
        let mut all = Vec::new();
        for (over, under) in [(&over_a, &under_a), (&over_b, &under_b)] {
            if under.as_constant() != Some(1) {
                all.push(Statement::Compare(Compare::Divides, under.clone(), over.clone()));
            }
        }
        all.push(if under_a == under_b && compare == Compare::Divides {
            // Parts of the same size: these stand to each other as the wholes do.
            Statement::Compare(compare, over_a, over_b)
        } else {
            let value = |nat: &Nat, over: &Nat, under: &Nat| match under.as_constant() {
                Some(1) => Ok(nat.clone()),
                _ => over.floor_div(under),
            };
            Statement::Compare(compare, value(a, &over_a, &under_a)?, value(b, &over_b, &under_b)?)
        });
        all.dedup();
        Ok(all)
    }
}

/// How LIFT calls the op
fn lift(ir: &Ir, op: OpId) -> String {
    if AsVector::cast(ir, op).is_some() {
        return "asVector".into();
    }
    if Slide::cast(ir, op).is_some() && ir.attr(op, "strict").is_some() {
        return "slideStrict".into();
    }
    ir.op_name(op).trim_start_matches("array.").into()
}

/// What the types of a function ask of sizes that are open
pub fn of_types(ir: &Ir) -> Result<Vec<Record>, NatError> {
    let mut all = Vec::new();
    for op in ir.walk() {
        for (open, verdict) in obligations::of_op(ir, op) {
            let inner = |nat: &Nat| nat.names().iter().any(|name| name.starts_with('$'));
            if verdict == Verdict::Undecided && !inner(&open.a) && !inner(&open.b) {
                all.push((op, open));
            }
        }
    }
    let least = |a: &Nat| a.as_constant().is_some_and(|least| least >= 1);
    let known = bound(ir);
    let put = |nat: &Nat| nat.substitute(&|name: &str| known.get(name).map(|value| Nat::from(*value)));
    let mut positive = Vec::new();
    for (_, open) in all.iter().filter(|(_, open)| open.relation == Relation::AtMost && least(&open.a)) {
        positive.push(put(&open.b)?);
    }
    let conditions = Conditions { positive };
    let mut records: Vec<Record> = Vec::new();
    let mut add = |op: OpId, statement: Statement, reason: String| {
        let parameters: Vec<String> = statement.names().into_iter().collect();
        if records.iter().all(|other| other.statement != statement) {
            let (rule, loc) = (lift(ir, op), ir.loc(op));
            records.push(Record { rule, tag: Tag::Type, statement, parameters, reason, loc });
        }
    };
    for (op, open) in all {
        let compare = match open.relation {
            Relation::AtMost => Compare::Le,
            Relation::Divides => Compare::Divides,
            Relation::Equal => Compare::Eq,
        };
        for statement in conditions.relation(compare, &put(&open.a)?, &put(&open.b)?)? {
            add(op, statement, open.what.to_string());
        }
    }
    Ok(records)
}

/// Bytes of a value of a type, as a size
fn bytes(ir: &Ir, ty: Type) -> Result<Option<Nat>, NatError> {
    let (dims, elem) = flatten(ir.cx(), ty);
    let bits = match elem.kind(ir.cx()) {
        TypeKind::Tuple(_) => return Ok(None),
        TypeKind::Index => 64,
        _ => match (elem.bit_width(ir.cx()), elem.num_elements(ir.cx()), elem.element(ir.cx())) {
            (Some(bits), ..) => bits,
            (None, Some(count), Some(inner)) => {
                let lanes = u32::try_from(count).unwrap_or(1);
                inner.bit_width(ir.cx()).unwrap_or(0).saturating_mul(lanes)
            }
            _ => return Ok(None),
        },
    };
    let one = Nat::from(i64::from(bits.div_ceil(8)));
    dims.iter().try_fold(one, |all, dim| all.times(dim)).map(Some)
}

/// What a device asks: threads of blocks where maps have levels, memory of arguments, results and places
pub fn of_hardware(ir: &Ir, device: &Device, buffers: Buffers) -> Result<Vec<Record>, NatError> {
    let known = bound(ir);
    let put = |nat: &Nat| nat.substitute(&|name: &str| known.get(name).map(|value| Nat::from(*value)));
    let conditions = Conditions { positive: Vec::new() };
    let mut records: Vec<Record> = Vec::new();
    let mut add = |rule: &str, nat: &Nat, limit: i64, reason: &str, loc: Loc| -> Result<(), NatError> {
        let value = put(nat)?;
        if value.as_constant().is_some_and(|value| value <= limit) {
            return Ok(());
        }
        // That quotients are whole is for types to say.
        let all = conditions.relation(Compare::Le, &value, &Nat::from(limit))?;
        let Some(statement) = all.into_iter().next_back() else { return Ok(()) };
        let parameters: Vec<String> = statement.names().into_iter().collect();
        if records.iter().all(|other| other.statement != statement) {
            let (rule, reason) = (rule.to_string(), reason.to_string());
            records.push(Record { rule, tag: Tag::Beyond, statement, parameters, reason, loc });
        }
        Ok(())
    };
    // Threads of each path: the product of its maps at threads.
    let tree = Tree::of(ir);
    for (n, each) in tree.loops.iter().enumerate() {
        let mut sizes: [Option<Nat>; 3] = [None, None, None];
        for at in std::iter::successors(Some(n), |at| tree.loops[*at].parent) {
            let level = ir.attr(tree.loops[at].op, "level").and_then(|level| level.as_str(ir.cx()));
            if let Some(Ok(Level::Thread(axis))) = level.map(str::parse) {
                sizes[axis.number()] = Some(tree.loops[at].size.clone());
            }
        }
        let loc = ir.loc(each.op);
        let mut all = Nat::from(1);
        for (size, limit) in sizes.iter().zip(device.block_max) {
            let Some(size) = size else { continue };
            add("threads", size, limit, "threads of a block in one dimension", loc)?;
            all = all.times(size)?;
        }
        if sizes.iter().any(Option::is_some) && device.block_threads > 0 {
            add("block", &all, device.block_threads, "threads of a block", loc)?;
        }
    }
    let mut held: Vec<(Nat, Loc)> = Vec::new();
    if let Some(func) = Func::cast(ir, ir.root()) {
        let (inputs, outputs) = func.types(ir);
        let loc = ir.loc(ir.root());
        for ty in inputs.iter().chain(outputs).filter(|ty| split_type(ir.cx(), **ty).is_some()) {
            held.extend(bytes(ir, *ty)?.map(|size| (size, loc)));
        }
        for op in ir.entry(func.body(ir)).into_iter().flat_map(|entry| ir.block_ops(entry)) {
            if Place::cast(ir, op).is_some() && !ir.uses(ir.result(op, 0)).any(|(user, _)| returns(ir, user))
            {
                held.extend(bytes(ir, ir.ty(ir.result(op, 0)))?.map(|size| (size, ir.loc(op))));
            }
        }
    }
    if let Some(limit) = buffers.total {
        let sum = held.iter().try_fold(Nat::from(0), |sum, (size, _)| sum.plus(size))?;
        add("memory", &sum, limit, "bytes of all buffers", ir.loc(ir.root()))?;
    }
    if let Some(limit) = buffers.largest {
        for (size, loc) in &held {
            add("buffer", size, limit, "bytes of one buffer", *loc)?;
        }
    }
    Ok(records)
}

/// What is returned has been counted as a result
fn returns(ir: &Ir, op: OpId) -> bool {
    Return::cast(ir, op).is_some()
}

/// Values of a parameter to which the user gave none: divisors of what it divides, lanes of the device
fn domain_of(name: &str, records: &[Record], device: &Device, placed: &BTreeSet<String>) -> Option<Domain> {
    let own = Nat::symbol(name);
    let asks = |record: &&Record| matches!(&record.statement, Statement::Compare(_, a, _) if *a == own);
    let mut lanes: Vec<i64> = vec![1];
    if records.iter().filter(asks).any(|record| record.rule == "asVector") {
        lanes.extend(device.vector_widths.iter().copied().filter(|lanes| *lanes > 1));
        return Some(Domain::Values(lanes.into_iter().map(Choice::Int).collect()));
    }
    records.iter().find_map(|record| match &record.statement {
        Statement::Compare(Compare::Divides, a, b) if *a == own => {
            b.names().iter().all(|other| placed.contains(other)).then(|| Domain::Divisors(b.clone()))
        }
        _ => None,
    })
}

/// Names that are given in a space
fn given(module: &Ir, space: Space) -> (BTreeSet<String>, Option<terrace_ir::BlockId>) {
    let mut names = BTreeSet::new();
    let body = module.entry(space.body(module));
    let cx = module.cx();
    for op in body.into_iter().flat_map(|body| module.block_ops(body)) {
        let name = Param::cast(module, op).map(|op| op.name(module));
        let name = name.or_else(|| Size::cast(module, op).map(|op| op.name(module)));
        let name = name.or_else(|| Derived::cast(module, op).map(|op| op.name(module)));
        names.extend(name.and_then(|name| name.as_str(cx)).map(str::to_string));
    }
    (names, body)
}

/// Why the records of a function have no space
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritten {
    /// It could not be made
    Space,
    /// It has no body
    Body,
    /// No type says what values these parameters may have
    Values(Vec<String>),
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritten::Space => f.write_str("a space could not be made"),
            Unwritten::Body => f.write_str("a space has no body"),
            Unwritten::Values(names) => {
                let all: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
                let which = if names.len() == 1 { "it" } else { "them" };
                write!(
                    f,
                    "no type says what values {} may have: write `tune.param` for {which} into a space for the function",
                    all.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for Unwritten {}

/// Write the records into the space for a function, which is made if there is none; how many there are
pub fn write(
    module: &mut Ir,
    function: OpId,
    name: &str,
    device: (&Device, &str),
    records: &[Record],
) -> Result<(), Unwritten> {
    let own = |module: &Ir, op: OpId| {
        let space = Space::cast(module, op)?;
        (space.of(module)?.as_str(module.cx()) == Some(name)).then_some(space)
    };
    let found = module.walk().find_map(|op| own(module, op));
    let space = match found {
        Some(space) => space,
        None => {
            let mut b = Builder::after(module, function);
            let cx = b.read().cx_arc().clone();
            let kind = b.kind(Space::DEF);
            let slots = [&format!("{name}_space"), name, device.1].map(|text| Some(cx.str_attr(text)));
            let op = b.insert(&NewOp { slots: &slots, regions: 1, ..NewOp::new(kind) });
            let region = b.ir().region(op, 0);
            b.ir().append_block(region);
            Space::cast(b.read(), op).ok_or(Unwritten::Space)?
        }
    };
    let (mut placed, body) = given(module, space);
    let body = body.or_else(|| module.entry(space.body(module))).ok_or(Unwritten::Body)?;
    let cx = module.cx_arc().clone();
    let mut open: BTreeSet<String> = records.iter().flat_map(|record| record.parameters.clone()).collect();
    open.retain(|name| !placed.contains(name));
    // One after the other: what a parameter divides may be a product of others.
    while !open.is_empty() {
        let next = open.iter().find_map(|name| {
            domain_of(name, records, device.0, &placed).map(|domain| (name.clone(), domain))
        });
        let Some((name, domain)) = next else {
            return Err(Unwritten::Values(open.into_iter().collect()));
        };
        let mut b = Builder::at_end(module, body);
        Param::build(&mut b, cx.str_attr(&name), domain.to_attr(&cx));
        open.remove(&name);
        placed.insert(name);
    }
    for record in records {
        let mut b = Builder::at_end(module, body);
        b.set_loc(record.loc);
        let (rule, tag) = (cx.str_attr(&record.rule), cx.str_attr(record.tag.word()));
        let constraint = Constraint::build(&mut b, rule, tag, record.statement.to_attr(&cx));
        constraint.set_reason(b.ir(), Some(cx.str_attr(&record.reason)));
    }
    Ok(())
}
