//! Loops over devices: each iteration chooses its device, its launches wait for none of the others', and the host waits behind the loop.
//!
//! ```mlir
//! scf.for %d = %c0 to %c64 step %c16 { gpu.launch_func @m::@k … } {terrace.devices}
//! // becomes
//! %none = gpu.wait async
//! %all = scf.for %d = … iter_args(%before = %none) -> (!gpu.async.token) {
//!   gpu.set_default_device %number
//!   %t = gpu.launch_func async @m::@k …
//!   %both = gpu.wait async [%before, %t]
//!   scf.yield %both
//! }
//! gpu.wait [%all]
//! gpu.set_default_device %c0
//! ```
//!
//! `sched-to-scf` marks such loops (`terrace.devices`); nested ones become one loop first, so that each of their iterations has a
//! device. That their iterations do not disturb each other is what the level says. A loop in
//! which anything but launches has an effect stays as it is: launches one after the other.

use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::DEVICES;
use terrace_dialect_gpu::{AsyncToken, LaunchFunc, LaunchParts, SetDefaultDevice, Wait};
use terrace_dialect_scf as scf;
use terrace_ir::{Builder, Ir, NewOp, OpId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Launches in loops over devices run at the same time, each on its device
///
/// Run after `gpu-kernel-outlining`, on the host's functions.
#[pass("gpu-launch-on-devices", stats("loops over devices"))]
pub struct GpuLaunchOnDevices;

impl Pass for GpuLaunchOnDevices {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let marked = |op: &OpId| unit.discardable(*op, DEVICES).is_some();
        let loops: Vec<OpId> = unit.walk().filter(marked).collect();
        cx.set_changed(!loops.is_empty());
        for mut op in loops {
            if !unit.is_alive(op) {
                continue;
            }
            while let Some(inner) = nested(unit, op) {
                op = collapse(unit, op, inner);
            }
            unit.set_discardable(op, DEVICES, None);
            if launches_only(unit, op) {
                cx.count("loops over devices", 1);
                convert(unit, op);
            }
        }
        Ok(())
    }
}

/// The loop over devices that is all of this one's body but values, with bounds from outside
fn nested(ir: &Ir, op: OpId) -> Option<OpId> {
    let block = ir.single_block(ir.region(op, 0)).filter(|_| ir.is(op, scf::For::DEF))?;
    let inner = ir.block_ops(block).find(|inner| ir.is(*inner, scf::For::DEF))?;
    let plain = |other: OpId| is_value(ir, other) || ir.is(other, scf::Yield::DEF);
    let alone = ir.block_ops(block).all(|other| other == inner || plain(other));
    let outside = |n: usize| ir.value_block(ir.operand(inner, n)) != Some(block);
    let marked = ir.discardable(inner, DEVICES).is_some();
    let none = ir.num_results(op) == 0 && ir.num_results(inner) == 0;
    (marked && alone && none && (0..3).all(outside)).then_some(inner)
}

/// First value, end and step of a loop
fn bounds(ir: &Ir, op: scf::For) -> [Value; 3] {
    [op.lower_bound(ir), op.upper_bound(ir), op.step(ir)]
}

/// Two nested loops as one over the pairs of their iterations
fn collapse(ir: &mut Ir, outer: OpId, inner: OpId) -> OpId {
    let cx = ir.cx_arc().clone();
    let index = cx.common().index;
    let loc = ir.loc(outer);
    let [a, b] = [outer, inner].map(|op| bounds(ir, scf::For(op)));
    let [body, inside] =
        [outer, inner].map(|op| ir.single_block(ir.region(op, 0)).expect("looked at before"));
    let [iv, own] = [body, inside].map(|block| ir.block_args(block)[0]);
    let mut at = Builder::before(ir, outer);
    at.set_loc(loc);
    let [zero, one] = [0, 1].map(|n| {
        let attr = cx.int_attr(n, index);
        arith::Constant::build(&mut at, attr).result(at.read())
    });
    let [n, m] = [a, b].map(|[lower, upper, step]| {
        let length = arith::SubI::build(&mut at, upper, lower).result(at.read());
        arith::CeilDivUI::build(&mut at, length, step).result(at.read())
    });
    let all = arith::MulI::build(&mut at, n, m).result(at.read());
    let kind = at.kind(scf::For::DEF);
    let new = at.insert(&NewOp {
        operands: &[zero, all, one],
        segments: &[1, 1, 1, 0],
        regions: 1,
        ..NewOp::new(kind)
    });
    let region = ir.region(new, 0);
    let block = ir.append_block(region);
    let number = ir.add_block_arg(block, index);
    let mut at = Builder::at_end(ir, block);
    at.set_loc(loc);
    let numbers = [
        arith::DivUI::build(&mut at, number, m).result(at.read()),
        arith::RemUI::build(&mut at, number, m).result(at.read()),
    ];
    let values = [(a, numbers[0]), (b, numbers[1])].map(|([lower, _, step], number)| {
        let offset = arith::MulI::build(&mut at, number, step).result(at.read());
        arith::AddI::build(&mut at, lower, offset).result(at.read())
    });
    for (old, value) in [iv, own].into_iter().zip(values) {
        ir.copy_value_name(old, value);
        ir.replace_all_uses(old, value);
    }
    for from in [body, inside] {
        let moved = |op: &OpId| *op != inner && (from == inside || !ir.is(*op, scf::Yield::DEF));
        let ops: Vec<OpId> = ir.block_ops(from).filter(moved).collect();
        for op in ops {
            ir.detach(op);
            ir.append(block, op);
        }
    }
    ir.set_discardable(new, DEVICES, Some(cx.common().unit));
    ir.erase(outer);
    new
}

/// Does an op but compute values? Divisions are among them, by the counts of loops
fn is_value(ir: &Ir, op: OpId) -> bool {
    ir.has(op, Traits::Pure) || ir.is(op, arith::DivUI::DEF) || ir.is(op, arith::RemUI::DEF)
}

/// A loop without results in which only launches have effects, one at least, and none has a token yet
fn launches_only(ir: &Ir, op: OpId) -> bool {
    let Some(block) = ir.single_block(ir.region(op, 0)).filter(|_| ir.is(op, scf::For::DEF)) else {
        return false;
    };
    let mut launches = 0;
    let plain = |op: OpId| match LaunchFunc::cast(ir, op) {
        Some(launch) => launch.async_token(ir).is_none() && launch.async_dependencies(ir).is_empty(),
        None => is_value(ir, op) || ir.is(op, scf::Yield::DEF),
    };
    let good = ir.block_ops(block).all(|op| {
        launches += usize::from(ir.is(op, LaunchFunc::DEF));
        plain(op)
    });
    good && launches > 0 && ir.num_results(op) == 0
}

fn convert(ir: &mut Ir, op: OpId) {
    let cx = ir.cx_arc().clone();
    let token = AsyncToken::get(&cx);
    let index = cx.common().index;
    let [lower, upper, step] = bounds(ir, scf::For(op));
    let old = ir.single_block(ir.region(op, 0)).expect("looked at before");
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let none = Wait::build(&mut b, &[], Some(token)).async_token(b.read()).expect("asked for");
    let kind = b.kind(scf::For::DEF);
    let new = b.insert(&NewOp {
        operands: &[lower, upper, step, none],
        segments: &[1, 1, 1, 1],
        results: &[token],
        regions: 1,
        ..NewOp::new(kind)
    });
    let region = ir.region(new, 0);
    let block = ir.append_block(region);
    let iv = ir.add_block_arg(block, index);
    let before = ir.add_block_arg(block, token);
    let mut b = Builder::at_end(ir, block);
    b.set_loc(loc);
    let from = arith::SubI::build(&mut b, iv, lower).result(b.read());
    let number = arith::DivUI::build(&mut b, from, step).result(b.read());
    let number = arith::IndexCast::build(&mut b, number, cx.common().i32).out(b.read());
    SetDefaultDevice::build(&mut b, number);
    let old_iv = ir.block_args(old)[0];
    ir.copy_value_name(old_iv, iv);
    ir.replace_all_uses(old_iv, iv);
    let mut last: Option<Value> = None;
    while let Some(first) = ir.first_op(old) {
        if ir.is(first, scf::Yield::DEF) {
            break;
        }
        ir.detach(first);
        ir.append(block, first);
        if let Some(launch) = LaunchFunc::cast(ir, first) {
            last = Some(with_token(ir, launch, last));
        }
    }
    let mut b = Builder::at_end(ir, block);
    b.set_loc(loc);
    let all: Vec<Value> = std::iter::once(before).chain(last).collect();
    let both = Wait::build(&mut b, &all, Some(token)).async_token(b.read()).expect("asked for");
    scf::Yield::build(&mut b, &[both]);
    let done = ir.result(new, 0);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    Wait::build(&mut b, &[done], None);
    let zero = cx.int_attr(0, cx.common().i32);
    let zero = arith::Constant::build(&mut b, zero).result(b.read());
    SetDefaultDevice::build(&mut b, zero);
    ir.erase(op);
}

/// The same launch with a token, behind the one before it in its iteration
fn with_token(ir: &mut Ir, launch: LaunchFunc, before: Option<Value>) -> Value {
    let token = Some(AsyncToken::get(ir.cx()));
    let parts = LaunchParts { dependencies: before.into_iter().collect(), token, ..launch.parts(ir) };
    let loc = ir.loc(launch.id());
    let mut b = Builder::before(ir, launch.id());
    b.set_loc(loc);
    let new = LaunchFunc::of(&mut b, &parts);
    let made = new.async_token(ir).expect("asked for");
    ir.erase(launch.id());
    made
}
