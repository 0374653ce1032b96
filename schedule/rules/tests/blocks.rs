//! GRID: blocks do nothing again, and do not wait for each other.

use crate::small::{Build, X, Y, accepts, int, refuses, sum, var};
use terrace_devices::Level::{Block, Cluster, Global, Seq, Thread};
use terrace_devices::{Level, Space};
use terrace_schedule_model::nest::{LoopId, Nest};
use terrace_schedule_rules::{Cx, GRID, Truth, exchanges, truth_of};
use terrace_support::affine::AffineExpr;

#[test]
fn a_write_stands_in_a_loop_over_blocks_of_each_axis() {
    let build = |around: &[Level]| {
        let mut b = Build::kernel([3, 2, 1], [1, 1, 1]);
        let c = b.argument(&[3, 2]);
        let ids: Vec<LoopId> =
            around.iter().map(|level| b.each(if *level == Block(X) { 3 } else { 2 }, *level)).collect();
        let at: Vec<AffineExpr> = (0..2).map(|n| ids.get(n).map_or(int(0), |id| var(*id))).collect();
        b.write(c, &at);
        b.done()
    };
    accepts(&build(&[Block(X), Block(Y)]));
    refuses(
        &build(&[Block(X)]),
        "GRID: access 0: each of the 2 blocks along y does this again (kernel 0: the kernel)",
    );
    refuses(
        &build(&[]),
        "GRID: access 0: each of the 3 blocks along x does this again (kernel 0: the kernel)",
    );
}

#[test]
fn an_axis_with_one_block_needs_no_loop() {
    let mut b = Build::kernel([1, 1, 1], [4, 1, 1]);
    let c = b.argument(&[4]);
    let i = b.each(4, Thread(X));
    b.write(c, &[var(i)]);
    accepts(&b.done());
}

#[test]
fn a_global_loop_is_one_over_blocks() {
    let mut b = Build::kernel([4, 1, 1], [2, 1, 1]);
    let c = b.argument(&[8]);
    let i = b.each(8, Global(X));
    b.write(c, &[var(i)]);
    accepts(&b.done());
}

#[test]
fn a_loop_over_clusters_is_one_over_blocks_where_a_cluster_is_one_block() {
    let build = |size: i64, trip: i64| {
        let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
        b.launch().cluster = [size, 1, 1];
        let c = b.argument(&[4]);
        let i = b.each(trip, Cluster(X));
        b.write(c, &[var(i)]);
        b.done()
    };
    accepts(&build(1, 4));
    refuses(
        &build(2, 2),
        "GRID: access 0: each of the 4 blocks along x does this again (kernel 0: the kernel)",
    );
}

#[test]
fn every_block_may_read_and_fill_what_is_its_own() {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let a = b.argument(&[1]);
    let tile = b.made(Space::Shared, &[1], None);
    b.read(a, &[int(0)]);
    b.write(tile, &[int(0)]);
    accepts(&b.done());
}

/// Neither loop says `nowait`
const JOINED: [bool; 2] = [false; 2];

/// Blocks write, and blocks of a second loop read where `index` says
fn two_loops(index: impl Fn(LoopId) -> AffineExpr, nowait: [bool; 2]) -> Nest {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let c = b.argument(&[8]);
    let out = b.argument(&[4]);
    let i = b.each(4, Block(X));
    b.at(i).nowait = nowait[0];
    b.write(c, &[var(i)]);
    b.end();
    let j = b.each(4, Block(X));
    b.at(j).nowait = nowait[1];
    b.read(c, &[index(j)]);
    b.write(out, &[var(j)]);
    b.done()
}

#[test]
fn a_block_may_read_what_it_wrote_itself() {
    accepts(&two_loops(var, JOINED));
}

#[test]
fn a_block_does_not_read_what_another_one_writes() {
    let text = "GRID: access 1: a block along x reads here what another one writes, and blocks of a kernel cannot wait for each other (access 0: the other access, kernel 0: the kernel)";
    refuses(&two_loops(|j| sum(&[var(j), int(1)]), JOINED), text);
    refuses(&two_loops(|_| int(0), JOINED), text);
    refuses(&two_loops(|j| AffineExpr::sub(int(3), var(j)), JOINED), text);
}

#[test]
fn elements_that_nobody_writes_are_read_by_all() {
    accepts(&two_loops(|j| sum(&[var(j), int(4)]), JOINED));
}

#[test]
fn two_kernels_may_exchange_everything() {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let c = b.argument(&[4]);
    let i = b.each(4, Block(X));
    b.write(c, &[var(i)]);
    b.end();
    let mut b = b.and_kernel([4, 1, 1], [1, 1, 1]);
    let j = b.each(4, Block(X));
    b.read(c, &[AffineExpr::sub(int(3), var(j))]);
    accepts(&b.done());
}

/// Rounds around blocks, each of which reads a neighbour's element of the round before and writes its own
fn rounds(reads: i64) -> Nest {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let c = b.argument(&[8]);
    b.each(3, Seq);
    let i = b.each(4, Block(X));
    b.read(c, &[sum(&[var(i), int(reads)])]);
    b.write(c, &[var(i)]);
    b.done()
}

#[test]
fn rounds_around_blocks_keep_to_their_own() {
    let of = |reads| truth_of(&Cx::new(&rounds(reads)), &GRID);
    assert_eq!(of(0), Truth::True);
    assert_eq!(of(4), Truth::True);
    refuses(
        &rounds(1),
        "GRID: loop 1: blocks start again in each round of a loop around them, and read what blocks of the round before wrote (access 0: the other access, loop 0: the loop around, kernel 0: the kernel)",
    );
}

#[test]
fn blocks_that_merge_by_one_operator_may_come_in_any_order() {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let add = b.operator("add", |own| own.exact = true);
    let c = b.argument(&[1]);
    for _ in 0..2 {
        let i = b.each(4, Block(X));
        b.merges(i, add, 0);
        b.merge(c, add, &[int(0)]);
        b.end();
    }
    accepts(&b.done());
}

#[test]
fn pairs_that_blocks_may_exchange_are_listed() {
    let nest = two_loops(|j| sum(&[var(j), int(1)]), JOINED);
    let cx = Cx::new(&nest);
    let decided = cx.completion().expect("decided");
    assert_eq!(exchanges(&decided, &|_| true).len(), 1);
    assert!(exchanges(&decided, &|_| false).is_empty());
}

#[test]
fn a_join_that_is_left_out_is_one_that_nobody_needs() {
    let of = |nest: Nest| truth_of(&Cx::new(&nest), &GRID);
    for nowait in [[true, false], [false, true], [true, true]] {
        assert_eq!(of(two_loops(var, nowait)), Truth::True, "{nowait:?}");
        // The word is a claim: blocks that would have to wait are refused as without it.
        assert_eq!(of(two_loops(|j| sum(&[var(j), int(1)]), nowait)), Truth::False, "{nowait:?}");
    }
}
