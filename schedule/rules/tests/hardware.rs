//! HW: loops fit the sizes of their kernel, and kernels the device.

use crate::small::{Build, X, Y, Z, accepts, int, refuses, rule};
use terrace_devices::Level;
use terrace_devices::Level::{Block, Cluster, Device, Global, Lane, Pe, Seq, Task, Thread, Vector, Warp};
use terrace_schedule_model::nest::{Launch, Nest};
use terrace_schedule_rules::{Cx, HW, Limits, Truth, broken, truth_of};

/// One loop in a kernel
fn one(grid: [i64; 3], block: [i64; 3], trip: i64, level: Level) -> Nest {
    let mut b = Build::kernel(grid, block);
    b.each(trip, level);
    b.done()
}

#[test]
fn blocks_are_as_many_as_the_grid_has() {
    accepts(&one([4, 1, 1], [1, 1, 1], 4, Block(X)));
    for trip in [1, 3, 5] {
        refuses(
            &one([4, 1, 1], [1, 1, 1], trip, Block(X)),
            &format!(
                "HW: loop 0: {trip} iterations at level 'block.x', but the kernel has 4 blocks in its grid (kernel 0: the kernel)"
            ),
        );
    }
}

#[test]
fn each_axis_has_its_own_size() {
    accepts(&one([1, 4, 1], [1, 1, 1], 4, Block(Y)));
    refuses(
        &one([4, 1, 1], [1, 1, 1], 4, Block(Y)),
        "HW: loop 0: 4 iterations at level 'block.y', but the kernel has 1 blocks in its grid (kernel 0: the kernel)",
    );
    accepts(&one([1, 1, 1], [1, 1, 7], 7, Thread(Z)));
}

#[test]
fn threads_may_be_fewer_than_the_block_has() {
    accepts(&one([1, 1, 1], [8, 1, 1], 8, Thread(X)));
    accepts(&one([1, 1, 1], [8, 1, 1], 5, Thread(X)));
    refuses(
        &one([1, 1, 1], [8, 1, 1], 9, Thread(X)),
        "HW: loop 0: 9 iterations at level 'thread.x', but the kernel has 8 threads in a block (kernel 0: the kernel)",
    );
}

#[test]
fn global_loops_have_the_threads_of_all_blocks() {
    accepts(&one([3, 1, 1], [5, 1, 1], 15, Global(X)));
    accepts(&one([3, 1, 1], [5, 1, 1], 11, Global(X)));
    refuses(
        &one([3, 1, 1], [5, 1, 1], 16, Global(X)),
        "HW: loop 0: 16 iterations at level 'global.x', but the kernel has 15 threads in its grid (kernel 0: the kernel)",
    );
}

#[test]
fn levels_of_a_grid_need_a_kernel() {
    for level in [Block(X), Thread(Y), Global(Z), Warp(X), Cluster(X)] {
        let mut b = Build::host();
        b.each(2, level);
        refuses(
            &b.done(),
            &format!("HW: loop 0: level '{level}' is part of a grid, and there is no kernel around"),
        );
        let mut b = Build::host();
        b.each(1, level);
        accepts(&b.done());
    }
}

#[test]
fn levels_of_a_host_do_not_stand_in_a_kernel() {
    for level in [Task, Pe, Device(X)] {
        refuses(
            &one([1, 1, 1], [1, 1, 1], 2, level),
            &format!("HW: loop 0: level '{level}' is not part of a grid, and stands inside of a kernel"),
        );
        accepts(&one([1, 1, 1], [1, 1, 1], 1, level));
    }
    accepts(&one([1, 1, 1], [1, 1, 1], 2, Seq));
    accepts(&one([1, 1, 1], [1, 1, 1], 4, Vector));
}

/// Warps and lanes in a block
fn warps(block: [i64; 3], subgroup: i64, warps: i64, lanes: i64) -> Nest {
    let mut b = Build::kernel([1, 1, 1], block);
    b.launch().subgroup = subgroup;
    b.each(warps, Warp(X));
    b.each(lanes, Lane(X));
    b.done()
}

#[test]
fn lanes_fit_a_warp() {
    accepts(&warps([64, 1, 1], 32, 2, 32));
    accepts(&warps([64, 1, 1], 32, 2, 17));
    refuses(
        &warps([64, 1, 1], 32, 1, 33),
        "HW: loop 1: 33 iterations at level 'lane', but a warp of the kernel has 32 threads (kernel 0: the kernel)",
    );
    // The kernel says how wide its warps are.
    accepts(&warps([64, 1, 1], 64, 1, 33));
}

#[test]
fn warps_fit_a_block_over_all_axes() {
    accepts(&warps([8, 8, 1], 32, 2, 32));
    refuses(
        &warps([95, 1, 1], 32, 3, 32),
        "HW: loop 0: 3 iterations at level 'warp' need 96 threads, but a block has 95 (kernel 0: the kernel)",
    );
}

#[test]
fn lanes_of_several_loops_count_together() {
    let build = |y: i64| {
        let mut b = Build::kernel([1, 1, 1], [32, 1, 1]);
        b.each(1, Warp(X));
        b.each(8, Lane(X));
        b.each(y, Lane(Y));
        b.done()
    };
    let of = |nest: &Nest| truth_of(&Cx::new(nest), &HW);
    assert_eq!(of(&build(4)), Truth::True);
    assert_eq!(of(&build(5)), Truth::False);
}

/// A loop over clusters, and one over the blocks of each
fn clustered(clusters: i64, blocks: i64) -> Nest {
    let mut b = Build::kernel([12, 1, 1], [1, 1, 1]);
    b.launch().cluster = [3, 1, 1];
    b.each(clusters, Cluster(X));
    b.each(blocks, Block(X));
    b.done()
}

#[test]
fn clusters_and_their_blocks_make_up_the_grid() {
    accepts(&clustered(4, 3));
    refuses(
        &clustered(4, 2),
        "HW: loop 1: 2 iterations at level 'block.x', but the kernel has 3 blocks in a cluster (kernel 0: the kernel)",
    );
    refuses(
        &clustered(6, 3),
        "HW: loop 0: 6 iterations at level 'cluster.x', but the kernel has 4 clusters in its grid (kernel 0: the kernel)",
    );
}

/// A kernel that does something
fn sized(grid: [i64; 3], block: [i64; 3]) -> Nest {
    let mut b = Build::kernel(grid, block);
    let buffer = b.argument(&[1]);
    b.read(buffer, &[int(0)]);
    b.done()
}

#[test]
fn a_block_has_at_most_1024_threads() {
    accepts(&sized([1, 1, 1], [1024, 1, 1]));
    accepts(&sized([1, 1, 1], [32, 16, 2]));
    refuses(
        &sized([1, 1, 1], [32, 11, 3]),
        "HW: kernel 0: a block has 1056 threads, and no device has more than 1024",
    );
}

#[test]
fn a_device_limits_each_axis() {
    let limits = Limits { block_max: [64, 8, 4], grid_max: [100, 10, 1], ..Limits::ANY };
    let refusal = |grid, block| {
        let nest = sized(grid, block);
        broken(&Cx::new(&nest).within(limits), &HW).map(|reason| reason.text)
    };
    assert_eq!(refusal([100, 10, 1], [64, 8, 2]), None);
    let most = "and the device has at most";
    assert_eq!(refusal([1, 1, 1], [65, 1, 1]), Some(format!("a block has 65 threads along x, {most} 64")));
    assert_eq!(refusal([1, 1, 1], [1, 9, 1]), Some(format!("a block has 9 threads along y, {most} 8")));
    assert_eq!(refusal([1, 11, 1], [1, 1, 1]), Some(format!("a grid has 11 blocks along y, {most} 10")));
    assert_eq!(refusal([1, 1, 2], [1, 1, 1]), Some(format!("a grid has 2 blocks along z, {most} 1")));
}

#[test]
fn kernels_that_do_nothing_are_not_asked_for_their_size() {
    accepts(&one([1, 1, 1], [2048, 1, 1], 4, Seq));
}

#[test]
fn sizes_that_follow_from_loops_fit_them() {
    let mut b = Build::host();
    b.each(5, Block(X));
    b.each(7, Thread(X));
    let buffer = b.argument(&[1]);
    b.read(buffer, &[int(0)]);
    let mut nest = b.done();
    assert_eq!(truth_of(&Cx::new(&nest), &HW), Truth::False);
    nest.infer_launch();
    assert_eq!(truth_of(&Cx::new(&nest), &HW), Truth::True);
    let small = Limits { block_threads: 6, ..Limits::ANY };
    let reason = broken(&Cx::new(&nest).within(small), &HW).expect("too many");
    assert_eq!(reason.text, "a block has 7 threads, and no device has more than 6");
}

#[test]
fn kernels_have_their_sizes_each_for_itself() {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    b.each(4, Block(X));
    b.end();
    let mut b = b.and_kernel([2, 1, 1], [1, 1, 1]);
    b.each(4, Block(X));
    refuses(
        &b.done(),
        "HW: loop 1: 4 iterations at level 'block.x', but the kernel has 2 blocks in its grid (kernel 1: the kernel)",
    );
}

#[test]
fn an_open_level_is_refused_where_its_trip_fits_no_choice() {
    let mut b = Build::kernel([4, 1, 1], [8, 1, 1]);
    b.open(6, "m");
    let nest = b.done();
    let of = |levels: &[Level]| rule(&nest, "HW", &[levels]);
    assert_eq!(of(&[Thread(X), Seq]), Truth::True);
    assert_eq!(of(&[Task, Pe]), Truth::False);
    // None of these fits, each for a reason of its own: the evaluator leaves it open.
    assert_eq!(of(&[Block(X), Task]), Truth::Open);
    assert_eq!(of(&[Block(X), Thread(X)]), Truth::Open);
}

#[test]
fn sizes_of_a_kernel_are_read_by_axis() {
    let launch = Launch { inferred: false, grid: [2, 3, 4], block: [5, 6, 7], cluster: [1; 3], subgroup: 32 };
    assert_eq!(launch.threads(), 210);
    assert_eq!([X, Y, Z].map(|axis| launch.grid(axis)), [2, 3, 4]);
    assert_eq!([X, Y, Z].map(|axis| launch.block(axis)), [5, 6, 7]);
}
