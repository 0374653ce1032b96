//! The pass `tensors-to-memory`: tensors that control flow carries, and those that are filled part by part, live in memory.
//!
//! ```mlir
//! %r = scf.for %i = %0 to %n step %1 iter_args(%x = %a) -> (tensor<4xf32>) { …; scf.yield %y : tensor<4xf32> }
//! // becomes
//! %b = sched.alloc : memref<4xf32>
//! bufferization.materialize_in_destination %a in writable %b
//! scf.for %i = %0 to %n step %1 { %x = bufferization.to_tensor %b; …; bufferization.materialize_in_destination %y in writable %b }
//! %r = bufferization.to_tensor %b
//! ```
//!
//! Such a buffer is the *home* of values, one after the other. A home is written where its old value is no longer read (`homes`
//! proves that); else the new value gets a home of its own, and the old one is copied. So filling an array in a loop, or joining
//! parts to a whole, copies nothing twice. Every use of a value with a home reads the home right before it. Functions without such
//! ops stay as they are. Not here: which buffer a computation has (the edge `mdh` → `sched`), loops that run in parallel.

mod homes;
mod rebuild;

use crate::codes;
use crate::no_form::NoForm;
use crate::tensors::Done;
use homes::Homes;
use terrace_diag::Reported;
use terrace_dialect_bufferization::ToTensor;
use terrace_dialect_mdh::Compute;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_dialect_tensor as tensor;
use terrace_ir::{BlockId, Builder, Ir, OpDef, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Tensors that loops and conditions carry, and those that are put together part by part, live in memory
///
/// `scf.for`, `scf.while`, `scf.if`, `scf.index_switch`, `tensor.insert_slice`, `tensor.insert`, `tensor.from_elements` and
/// `tensor.extract` on tensors become reads and writes of buffers; nothing is copied where the old value is not needed any more.
#[pass("tensors-to-memory", anchor = "func.func", stats("buffers made"))]
pub struct TensorsToMemory;

impl Pass for TensorsToMemory {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let body = |ir: &Ir, op| ir.parent(op).is_some_and(|parent| Compute::cast(ir, parent).is_some());
        let ops: Vec<OpId> = unit.walk().filter(|op| is_step(unit, *op) && !body(unit, *op)).collect();
        if ops.is_empty() {
            cx.set_changed(false);
            return Ok(());
        }
        // Which value is read last is known of blocks that stand in each other.
        let root = unit.root();
        if unit.regions(root).any(|region| unit.blocks(region).count() > 1) {
            let message =
                format!("'{}' in a function of several blocks has no form on buffers", unit.op_name(ops[0]));
            return cx.fail(unit, ops[0], &codes::NO_BUFFER, message);
        }
        match to_memory(unit, &ops) {
            Ok(made) => cx.count("buffers made", made),
            Err((op, why)) => return cx.fail(unit, op, &codes::NO_BUFFER, why),
        }
        Ok(())
    }
}

/// Parts that are put into tensors (`tensor.insert_slice`) are made where these live, as the pass does it. The ops are in the order of the text, in
/// a function of one block; false where one of them has no form on memory
pub fn parts_in_place(unit: &mut Ir, ops: &[OpId]) -> bool {
    to_memory(unit, ops).is_ok()
}

/// These ops on memory, in the order of the text; how many buffers were made, or the op that has no form there and why
fn to_memory(unit: &mut Ir, ops: &[OpId]) -> Result<u64, (OpId, NoForm)> {
    let mut steps = Steps { homes: Homes::default(), whiles: Vec::new() };
    steps.sink(unit, ops);
    for &op in ops {
        steps.step(unit, op).map_err(|why| (op, why))?;
    }
    steps.homes.read_at_uses(unit);
    for &op in ops.iter().rev() {
        rebuild::without_tensors(unit, op);
    }
    let empty: Vec<OpId> = unit.walk().filter(|op| tensor::Empty::cast(unit, *op).is_some()).collect();
    for op in empty.into_iter().filter(|op| unit.is_unused(*op)).collect::<Vec<_>>() {
        unit.erase(op);
    }
    Ok(steps.homes.made)
}

/// Does it carry tensors, or put something into one?
fn is_step(ir: &Ir, op: OpId) -> bool {
    let tensors = || ir.operands(op).chain(ir.results(op)).any(|value| homes::is_tensor(ir, value));
    let alone = || ir.parent(op).is_some_and(|parent| !ir.is(parent, scf::ExecuteRegion::DEF));
    of_table(PARTS, ir, op).is_some() || of_table(CARRIERS, ir, op).is_some() && tensors() && alone()
}

/// What an op with tensors becomes
type Step = fn(&mut Steps, &mut Ir, OpId) -> Done<()>;

/// Ops that read or write a part of a tensor
const PARTS: &[(&OpDef, Step)] = &[
    (tensor::InsertSlice::DEF, Steps::put_part),
    (tensor::Insert::DEF, Steps::put_element),
    (tensor::FromElements::DEF, Steps::elements),
    (tensor::Extract::DEF, Steps::take),
];

/// Control flow that may carry tensors
const CARRIERS: &[(&OpDef, Step)] = &[
    (scf::For::DEF, Steps::for_loop),
    (scf::While::DEF, Steps::while_loop),
    (scf::Condition::DEF, Steps::condition),
    (scf::If::DEF, Steps::branches),
    (scf::IndexSwitch::DEF, Steps::branches),
    (scf::Yield::DEF, Steps::ends),
];

fn of_table(table: &[(&'static OpDef, Step)], ir: &Ir, op: OpId) -> Option<Step> {
    table.iter().find(|(def, _)| ir.is(op, def)).map(|(_, step)| *step)
}

struct Steps {
    homes: Homes,
    /// What loops were given, of loops whose condition is to come
    whiles: Vec<(OpId, Vec<Option<Value>>)>,
}

impl Steps {
    /// Computations that make a part, and nothing else uses, go right before the op that puts the part into its place
    fn sink(&self, ir: &mut Ir, ops: &[OpId]) {
        // Moved over a write, what reads memory would read something else; constants are never written.
        let constant = |value| ir.defining_op(value).is_some_and(|op| ir.is(op, memref::GetGlobal::DEF));
        let reads = |op| ToTensor::cast(ir, op).is_some_and(|read| !constant(read.buffer(ir)));
        if ir.walk().any(reads) {
            return;
        }
        for &op in ops {
            let Some(slice) = tensor::InsertSlice::cast(ir, op) else { continue };
            let source = slice.source(ir);
            let maker = ir.defining_op(source).filter(|maker| Compute::cast(ir, *maker).is_some());
            if let Some(maker) = maker
                && ir.block(maker) == ir.block(op)
                && ir.num_results(maker) == 1
                && ir.has_one_use(source)
            {
                ir.detach(maker);
                ir.insert_before(op, maker);
            }
        }
    }

    fn step(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let step = of_table(PARTS, ir, op).or_else(|| of_table(CARRIERS, ir, op));
        step.map_or(Ok(()), |step| step(self, ir, op))
    }

    fn for_loop(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let op = scf::For(op);
        let body = ir.entry(op.region(ir)).ok_or("the loop has no body")?;
        let homes = self.carried(ir, op.id(), &op.inits(ir))?;
        let args = ir.block_args(body)[1..].to_vec();
        let results: Vec<Value> = ir.results(op.id()).collect();
        for ((home, arg), result) in homes.iter().zip(args).zip(results) {
            if let Some(home) = home {
                self.homes.lives(arg, *home);
                self.homes.lives(result, *home);
            }
        }
        Ok(())
    }

    fn while_loop(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let op = scf::While(op);
        let before = ir.entry(op.before(ir)).ok_or("the loop has no condition")?;
        let homes = self.carried(ir, op.id(), &op.inits(ir))?;
        let args = ir.block_args(before).to_vec();
        for (home, arg) in homes.iter().zip(args) {
            if let Some(home) = home {
                self.homes.lives(arg, *home);
            }
        }
        self.whiles.push((op.id(), homes));
        Ok(())
    }

    /// Results of a condition or a switch, which each branch writes
    fn branches(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        for result in ir.results(op).filter(|value| homes::is_tensor(ir, *value)).collect::<Vec<_>>() {
            let home = self.homes.alloc(ir, op, result)?;
            self.homes.lives(result, home);
        }
        Ok(())
    }

    /// Homes of what a loop is given, filled
    fn carried(&mut self, ir: &mut Ir, op: OpId, inits: &[Value]) -> Done<Vec<Option<Value>>> {
        let mut all = Vec::new();
        for init in inits {
            all.push(match homes::is_tensor(ir, *init) {
                true => Some(self.homes.writable(ir, op, *init, *init)?),
                false => None,
            });
        }
        Ok(all)
    }

    /// What the body of a loop starts with, and what the loop gives in the end
    fn condition(&mut self, ir: &mut Ir, end: OpId) -> Done<()> {
        let end = scf::Condition(end);
        let around = ir.parent(end.id()).and_then(|op| scf::While::cast(ir, op));
        let around = around.ok_or("a condition without a loop")?;
        let after = ir.entry(around.after(ir)).ok_or("the loop has no body")?;
        let carried = self.whiles.iter().rfind(|(op, _)| *op == around.id());
        let carried = carried.map_or(Vec::new(), |(_, homes)| homes.clone());
        let given: Vec<Value> = end.args(ir);
        let args = ir.block_args(after).to_vec();
        let results: Vec<Value> = ir.results(around.id()).collect();
        for ((value, arg), result) in given.into_iter().zip(args).zip(results) {
            if !homes::is_tensor(ir, value) {
                continue;
            }
            // What is carried is there until the body writes what comes next.
            let home = self.homes.of(value).filter(|home| carried.contains(&Some(*home)));
            let home = match home {
                Some(home) => home,
                None => {
                    let home = self.homes.alloc(ir, around.id(), result)?;
                    self.homes.fill(ir, end.id(), value, home);
                    home
                }
            };
            self.homes.lives(arg, home);
            self.homes.lives(result, home);
        }
        Ok(())
    }

    /// What a body gives goes to where its loop or condition has it
    fn ends(&mut self, ir: &mut Ir, end: OpId) -> Done<()> {
        let around = ir.parent(end).ok_or("an end without a loop")?;
        let block = ir.block(end).ok_or("an end in no block")?;
        let values: Vec<Value> = ir.operands(end).collect();
        let to: Vec<Option<Value>> = if scf::For::cast(ir, around).is_some() {
            ir.block_args(block)[1..].iter().map(|arg| self.homes.of(*arg)).collect()
        } else if scf::While::cast(ir, around).is_some() {
            let found = self.whiles.iter().rfind(|(op, _)| *op == around);
            found.map_or(Vec::new(), |(_, homes)| homes.clone())
        } else {
            ir.results(around).map(|result| self.homes.of(result)).collect()
        };
        let mut moves: Vec<(Value, Value)> = Vec::new();
        for (value, home) in values.into_iter().zip(&to) {
            let Some(home) = *home else { continue };
            let from = self.homes.of(value);
            if from == Some(home) {
                continue;
            }
            // What another one of these is about to overwrite is put aside.
            let lost = from.is_some_and(|from| to.contains(&Some(from)));
            let value = if lost { self.homes.aside(ir, end, value)? } else { value };
            moves.push((value, home));
        }
        for (value, home) in moves {
            let at = self.homes.earliest(ir, end, block, value, home);
            self.homes.fill_after(ir, at, end, value, home);
        }
        Ok(())
    }

    fn put_part(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let op = tensor::InsertSlice(op);
        let (source, dest, result) = (op.source(ir), op.dest(ir), op.result(ir));
        // Right before what makes the part, so that it is made in its place.
        let maker = ir.defining_op(source).filter(|maker| {
            Compute::cast(ir, *maker).is_some() && ir.next(*maker) == Some(op.id()) && ir.has_one_use(source)
        });
        let at = maker.unwrap_or(op.id());
        let home = self.homes.writable_at(ir, at, op.id(), dest, result)?;
        let part = homes::part(ir, at, op, home)?;
        self.homes.fill(ir, op.id(), source, part);
        self.homes.lives(result, home);
        Ok(())
    }

    fn put_element(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let op = tensor::Insert(op);
        let home = self.homes.writable(ir, op.id(), op.dest(ir), op.result(ir))?;
        let (scalar, places) = (op.scalar(ir), op.indices(ir));
        store(ir, op.id(), scalar, home, &places);
        self.homes.lives(op.result(ir), home);
        Ok(())
    }

    fn elements(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let op = tensor::FromElements(op);
        let result = op.result(ir);
        let sizes = ir.ty(result).shape(ir.cx()).unwrap_or(&[]).to_vec();
        let home = self.homes.alloc(ir, op.id(), result)?;
        for (n, element) in op.elements(ir).into_iter().enumerate() {
            let mut rest = n as i64;
            let mut places = Vec::new();
            for size in sizes.iter().rev() {
                places.push(homes::index(ir, op.id(), rest % (*size).max(1)));
                rest /= (*size).max(1);
            }
            places.reverse();
            store(ir, op.id(), element, home, &places);
        }
        self.homes.lives(result, home);
        Ok(())
    }

    /// An element as a number
    fn take(&mut self, ir: &mut Ir, op: OpId) -> Done<()> {
        let op = tensor::Extract(op);
        let (tensor, result) = (op.tensor(ir), op.result(ir));
        let mut places = op.indices(ir);
        let home = match self.homes.of(tensor).or_else(|| self.homes.of_computed(ir, tensor)) {
            Some(home) => home,
            None => {
                // One element of what is no buffer of ours.
                let one = homes::element(ir, op.id(), tensor, &places);
                places.clear();
                self.homes.of_computed(ir, one).ok_or("an element has no form on buffers yet")?
            }
        };
        let loc = ir.loc(op.id());
        let mut b = Builder::before(ir, op.id());
        b.set_loc(loc);
        let load = memref::Load::build(&mut b, home, &places).result(b.read());
        ir.replace_all_uses(result, load);
        Ok(())
    }
}

fn store(ir: &mut Ir, at: OpId, scalar: Value, home: Value, places: &[Value]) {
    let loc = ir.loc(at);
    let mut b = Builder::before(ir, at);
    b.set_loc(loc);
    memref::Store::build(&mut b, scalar, home, places);
}

/// The block that an op is in, or the op around it that is
pub(crate) fn in_block(ir: &Ir, mut op: OpId, block: BlockId) -> Option<OpId> {
    while ir.block(op) != Some(block) {
        op = ir.parent(op)?;
    }
    Some(op)
}
