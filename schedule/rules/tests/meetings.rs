//! SYNC: where threads wait for each other, all of them come.

use crate::small::{Build, X, Y, accepts, int, own, refuses, sum, times, var};
use terrace_devices::Level::{Lane, Seq, Thread, Warp};
use terrace_devices::{Level, Per, Space};
use terrace_schedule_model::nest::{LoopId, Nest};

/// Threads, inside of whose loops a block copies together
fn together(block: [i64; 3], loops: &[(i64, Level)], change: impl Fn(&mut Build, &[LoopId])) -> Nest {
    let mut b = Build::kernel([1, 1, 1], block);
    let a = b.argument(&[8]);
    let ids: Vec<LoopId> = loops.iter().map(|(trip, level)| b.each(*trip, *level)).collect();
    change(&mut b, &ids);
    let t = b.made(Space::Shared, &[8], Some(Per::Block));
    b.copy(&[8], (a, &[own(0)]), (t, &[own(0)]), Some(Per::Block));
    b.done()
}

fn unchanged(_: &mut Build, _: &[LoopId]) {}

#[test]
fn all_threads_of_the_block_copy_together() {
    accepts(&together([4, 1, 1], &[(4, Thread(X))], unchanged));
    accepts(&together([4, 3, 1], &[(3, Thread(Y)), (4, Thread(X))], unchanged));
    // Threads that no loop runs over are there as well.
    accepts(&together([4, 3, 1], &[(4, Thread(X))], unchanged));
    refuses(
        &together([4, 1, 1], &[(3, Thread(X))], unchanged),
        "SYNC: access 1: all 4 threads of the block meet here along x, but the loop around has 3 (loop 0: the loop around)",
    );
}

#[test]
fn a_limit_leaves_threads_out() {
    refuses(
        &together([4, 1, 1], &[(4, Thread(X))], |b, ids| b.limit(ids[0], int(4))),
        "SYNC: access 1: all 4 threads of the block meet here along x, but the loop around has 4 and a limit (loop 0: the loop around)",
    );
    refuses(
        &together([4, 1, 1], &[(4, Thread(X))], |b, ids| b.from(ids[0], int(0))),
        "SYNC: access 1: all 4 threads of the block meet here along x, but the loop around has 4 (loop 0: the loop around)",
    );
}

#[test]
fn rounds_around_are_as_many_for_each_thread() {
    accepts(&together([4, 1, 1], &[(4, Thread(X)), (6, Seq)], unchanged));
    accepts(&together([4, 1, 1], &[(4, Thread(X)), (6, Seq)], |b, ids| b.limit(ids[1], int(5))));
    refuses(
        &together([4, 1, 1], &[(4, Thread(X)), (6, Seq)], |b, ids| {
            b.limit(ids[1], sum(&[int(6), times(-1, var(ids[0]))]));
        }),
        "SYNC: access 1: threads of the block meet here, but a loop around runs for some longer than for others (loop 1: the loop around)",
    );
    // The rounds of a loop around the threads are those of the block.
    accepts(&together([4, 1, 1], &[(3, Seq), (6, Seq), (4, Thread(X))], |b, ids| {
        b.limit(ids[1], sum(&[int(6), times(-1, var(ids[0]))]));
    }));
}

#[test]
fn threads_do_not_meet_in_a_condition() {
    refuses(
        &together([4, 1, 1], &[(4, Thread(X))], |b, ids| b.branch(&ids[..1])),
        "SYNC: access 1: threads of the block meet here, but only those come for which a condition holds (condition 0: the condition)",
    );
}

#[test]
fn warps_left_out_leave_the_block() {
    let warps = |limited: usize| {
        together([128, 1, 1], &[(4, Warp(X)), (32, Lane(X))], move |b, ids| b.limit(ids[limited], int(2)))
    };
    let text = |n| {
        format!(
            "SYNC: access 1: all threads of the block meet here, but the loop around leaves some out by a limit (loop {n}: the loop around)"
        )
    };
    refuses(&warps(0), &text(0));
    refuses(&warps(1), &text(1));
    accepts(&together([128, 1, 1], &[(4, Warp(X)), (32, Lane(X))], unchanged));
}

/// A loop over threads that merges a value, in another loop
fn value(around: (i64, Level), limit: bool, inner: Level) -> Nest {
    let mut b = Build::kernel([1, 1, 1], [4, 4, 1]);
    let add = b.add();
    let outer = b.each(around.0, around.1);
    if limit {
        b.limit(outer, int(2));
    }
    let id = b.each(4, inner);
    b.merges(id, add, 1);
    b.done()
}

#[test]
fn values_of_threads_meet_where_all_come() {
    accepts(&value((4, Thread(Y)), false, Thread(X)));
    accepts(&value((7, Seq), false, Thread(X)));
    refuses(
        &value((3, Thread(Y)), false, Thread(X)),
        "SYNC: loop 1: all 4 threads of the block meet here along y, but the loop around has 3 (loop 0: the loop around)",
    );
    refuses(
        &value((4, Thread(Y)), true, Thread(X)),
        "SYNC: loop 1: all 4 threads of the block meet here along y, but the loop around has 4 and a limit (loop 0: the loop around)",
    );
    // A loop in order merges without anybody else.
    accepts(&value((3, Thread(Y)), true, Seq));
}

/// Threads write a tile, then read it at `index`, in a loop around of `trip` threads along y
fn exchanged(trip: i64, index: impl Fn(LoopId) -> terrace_support::affine::AffineExpr) -> Nest {
    let mut b = Build::kernel([1, 1, 1], [8, 4, 1]);
    b.each(trip, Thread(Y));
    let t = b.made(Space::Shared, &[16], None);
    let out = b.made(Space::Shared, &[16], None);
    let i = b.each(8, Thread(X));
    b.write(t, &[var(i)]);
    b.end();
    let j = b.each(8, Thread(X));
    b.read(t, &[index(j)]);
    b.write(out, &[var(j)]);
    b.done()
}

#[test]
fn threads_that_give_each_other_something_are_all_there() {
    accepts(&exchanged(4, |j| sum(&[var(j), int(1)])));
    refuses(
        &exchanged(3, |j| sum(&[var(j), int(1)])),
        "SYNC: access 1: waits for other threads of the block, which has 4 along y, but the loop around has 3 (access 0: other threads do this before, loop 0: the loop around)",
    );
}

#[test]
fn a_thread_that_uses_what_it_wrote_waits_for_nobody() {
    accepts(&exchanged(3, var));
}

#[test]
fn what_the_first_tile_gives_to_all_in_a_condition_is_not_for_all() {
    let build = |loops: bool| {
        let mut b = Build::kernel([1, 1, 1], [8, 4, 1]);
        let y = b.each(4, Thread(Y));
        let t = b.made(Space::Shared, &[16], None);
        b.branch(if loops { std::slice::from_ref(&y) } else { &[] });
        let i = b.each(8, Thread(X));
        b.write(t, &[var(i)]);
        b.end();
        let j = b.each(8, Thread(X));
        b.read(t, &[sum(&[var(j), int(1)])]);
        b.done()
    };
    accepts(&build(false));
    refuses(
        &build(true),
        "SYNC: access 1: waits for other threads of the block, but only those come for which a condition holds (access 0: other threads do this before, condition 0: the condition)",
    );
}
