//! `cf`: branches, and assertions that end the program.

use crate::check::any;
use crate::emit::{Emitter, Lowering};
use terrace_dialect_cf as cf;
use terrace_ir::{BlockId, OpId};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { cf:
    Assert any, assert;
    Br any, br;
    CondBr any, cond_br;
    Switch any, switch;
};

/// Loops that hold vectors, also in loops inside of them, have their shape: unrolling them again gains nothing (measured), may
/// spill, and doubles the time that code takes to make
const HINTS: [&str; 1] = ["llvm.loop.unroll.disable"];

fn br(e: &mut Emitter<'_>, op: OpId) {
    let br = cf::Br(op);
    let to = br.dest(e.ir);
    let target = e.pass(to, &br.dest_operands(e.ir));
    let branch = e.ll.br(target);
    if e.flow.is_back(to) && e.has_vectors(to, op) {
        e.ll.set_loop_metadata(branch, &HINTS);
    }
}

fn cond_br(e: &mut Emitter<'_>, op: OpId) {
    let br = cf::CondBr(op);
    let (yes, no) = (br.true_dest(e.ir), br.false_dest(e.ir));
    let (yes_values, no_values) = (br.true_operands(e.ir), br.false_operands(e.ir));
    let condition = e.one(br.condition(e.ir));
    let first = e.pass(yes, &yes_values);
    // A phi takes one value from each predecessor: two ways with different values to one block part before it.
    let second = if yes == no && yes_values != no_values {
        let here = e.ll.block();
        let between = e.ll.append_block(e.function, "");
        e.ll.at_end(between);
        let target = e.pass(no, &no_values);
        e.ll.br(target);
        e.ll.at_end(here);
        between
    } else {
        e.pass(no, &no_values)
    };
    let branch = e.ll.cond_br(condition, first, second);
    let shaped = |to: BlockId| e.flow.is_back(to) && e.has_vectors(to, op);
    if shaped(yes) || shaped(no) {
        e.ll.set_loop_metadata(branch, &HINTS);
    }
}

/// Each way gets a block of its own, as two ways may give one block different values
fn switch(e: &mut Emitter<'_>, op: OpId) {
    let switch = cf::Switch(op);
    let flag = e.one(switch.flag(e.ir));
    let here = e.ll.block();
    let way = |e: &mut Emitter<'_>, way: &cf::Way| {
        let between = e.ll.append_block(e.function, "");
        e.ll.at_end(between);
        let target = e.pass(way.block, &way.values);
        e.ll.br(target);
        between
    };
    let default = way(e, &switch.default_way(e.ir));
    let ty = e.ll.type_of(flag);
    let mut cases = Vec::new();
    for (value, to) in switch.cases(e.ir) {
        cases.push((e.ll.const_wide(ty, value as i128), way(e, &to)));
    }
    e.ll.at_end(here);
    e.ll.switch(flag, default, &cases);
}

/// Go on if the condition holds, else trap
fn assert(e: &mut Emitter<'_>, op: OpId) {
    let condition = e.one(cf::Assert(op).arg(e.ir));
    let (stop, next) = (e.ll.append_block(e.function, ""), e.ll.append_block(e.function, ""));
    e.ll.cond_br(condition, next, stop);
    e.ll.at_end(stop);
    e.ll.intrinsic("llvm.trap", &[], &[]);
    e.ll.unreachable();
    e.ll.at_end(next);
}
