//! HOME, MEM and CAP: buffers are where there is memory, shared by those who can share it, and small enough.

use crate::small::{Build, X, Y, accepts, int, own, refuses, rule, var};
use terrace_devices::Level::{Block, Global, Lane, Seq, Task, Thread, Unroll, Vector, Warp};
use terrace_devices::{Level, Per, Space};
use terrace_schedule_model::nest::Nest;
use terrace_schedule_rules::{CAP, Cx, Limits, STRICTLY_HOME, Truth, broken, truth_of};

/// A buffer in or out of a kernel
fn home(space: Space, kernel: bool, name: Option<&str>) -> Nest {
    let mut b = if kernel { Build::kernel([1, 1, 1], [1, 1, 1]) } else { Build::host() };
    let id = b.made(space, &[4], None);
    b.buffer(id).named = name.map(Into::into);
    b.done()
}

#[test]
fn memory_of_blocks_and_threads_is_part_of_a_kernel() {
    for (space, name) in [
        (Space::Shared, "a block's shared memory"),
        (Space::Cluster, "a cluster's memory"),
        (Space::Private, "registers"),
    ] {
        accepts(&home(space, true, None));
        refuses(
            &home(space, false, None),
            &format!("HOME: buffer 0: {name} cannot be made outside of a kernel"),
        );
    }
    // Registers of a host have a name.
    accepts(&home(Space::Private, false, Some("reg")));
}

#[test]
fn memory_of_a_device_is_made_outside() {
    for (space, name) in
        [(Space::Device, "device memory"), (Space::Main, "main memory"), (Space::Chip, "on-chip memory")]
    {
        accepts(&home(space, false, None));
        refuses(
            &home(space, true, None),
            &format!("HOME: buffer 0: {name} cannot be made inside of a kernel"),
        );
    }
}

/// A buffer, a loop of four between it and its use
fn used(space: Space, kernel: bool, level: Level) -> Nest {
    let mut b = if kernel { Build::kernel([4, 1, 1], [128, 1, 1]) } else { Build::host() };
    let t = b.made(space, &[4], None);
    b.buffer(t).named = Some("reg".into());
    let i = b.each(4, level);
    b.write(t, &[var(i)]);
    b.done()
}

#[test]
fn levels_share_what_the_table_says() {
    let levels = [Seq, Unroll, Vector, Lane(X), Thread(X), Warp(X), Block(X), Global(X), Task];
    for (space, kernel, sharers) in [
        (Space::Private, true, &levels[..3]),
        (Space::Shared, true, &levels[..6]),
        (Space::Cluster, true, &levels[..8]),
    ] {
        for level in levels {
            let own = rule(&used(space, kernel, level), "MEM", &[&[]]);
            assert_eq!(own == Truth::True, sharers.contains(&level), "{level} of {space:?}");
        }
    }
    for level in [Seq, Unroll, Vector, Task] {
        assert_eq!(rule(&used(Space::Main, false, level), "MEM", &[&[]]), Truth::True, "{level}");
    }
}

#[test]
fn registers_are_made_inside_of_the_threads() {
    refuses(
        &used(Space::Private, true, Thread(X)),
        "MEM: access 0: iterations at level 'thread.x' cannot share registers (loop 0: the loop between the buffer and its use, buffer 0: the buffer)",
    );
    let mut b = Build::kernel([1, 1, 1], [4, 1, 1]);
    b.each(4, Thread(X));
    let t = b.made(Space::Private, &[2], None);
    let i = b.each(2, Seq);
    b.write(t, &[var(i)]);
    accepts(&b.done());
}

#[test]
fn one_iteration_shares_with_itself() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    let t = b.made(Space::Private, &[1], None);
    let i = b.each(1, Thread(X));
    b.write(t, &[var(i)]);
    accepts(&b.done());
}

#[test]
fn blocks_do_not_share_a_blocks_memory() {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let t = b.made(Space::Shared, &[4], None);
    let i = b.each(4, Block(X));
    b.write(t, &[var(i)]);
    refuses(
        &b.done(),
        "MEM: access 0: iterations at level 'block.x' cannot share a block's shared memory (loop 0: the loop between the buffer and its use, buffer 0: the buffer)",
    );
}

#[test]
fn arguments_in_device_memory_are_no_tasks() {
    let build = |space: Space| {
        let mut b = Build::host();
        let c = b.memory(space, &[4]);
        let i = b.each(4, Task);
        b.write(c, &[var(i)]);
        b.done()
    };
    accepts(&build(Space::Main));
    refuses(
        &build(Space::Device),
        "MEM: access 0: iterations at level 'task' cannot share device memory (loop 0: the loop between the buffer and its use)",
    );
}

#[test]
fn one_per_block_is_shared_by_its_threads_though_it_stands_inside() {
    let build = |per: Option<Per>, space: Space| {
        let mut b = Build::kernel([4, 1, 1], [4, 1, 1]);
        b.each(4, Block(X));
        let i = b.each(4, Thread(X));
        let t = b.made(space, &[4], per);
        b.write(t, &[var(i)]);
        b.done()
    };
    assert_eq!(rule(&build(Some(Per::Block), Space::Shared), "MEM", &[&[], &[]]), Truth::True);
    assert_eq!(rule(&build(None, Space::Private), "MEM", &[&[], &[]]), Truth::True);
    assert_eq!(rule(&build(Some(Per::Block), Space::Private), "MEM", &[&[], &[]]), Truth::False);
}

/// A block's threads copy an argument together into a buffer that is made in or out of their loop
fn together(space: Space, inside: bool, per: Option<Per>) -> Nest {
    let mut b = Build::kernel([1, 1, 1], [4, 1, 1]);
    let a = b.argument(&[8]);
    let outer = (!inside).then(|| b.made(space, &[8], None));
    b.each(4, Thread(X));
    let t = outer.unwrap_or_else(|| b.made(space, &[8], per));
    b.copy(&[8], (a, &[own(0)]), (t, &[own(0)]), Some(Per::Block));
    b.done()
}

#[test]
fn what_threads_do_together_they_do_to_one_buffer() {
    accepts(&together(Space::Shared, false, None));
    accepts(&together(Space::Shared, true, Some(Per::Block)));
    refuses(
        &together(Space::Shared, true, None),
        "MEM: access 1: is done together, but each iteration at level 'thread.x' has a buffer of its own (loop 0: the loop that owns the buffer, buffer 1: the buffer)",
    );
}

#[test]
fn registers_are_not_filled_together() {
    refuses(
        &together(Space::Private, false, None),
        "MEM: access 1: is done together, but each thread has a buffer of its own (buffer 1: the buffer)",
    );
}

/// A kernel with a buffer of so many elements in a block's memory
fn shared(elements: i64, bytes: i64) -> Nest {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    let t = b.made(Space::Shared, &[elements], None);
    b.buffer(t).bytes = bytes;
    b.done()
}

#[test]
fn a_blocks_memory_is_at_most_what_any_device_has() {
    accepts(&shared(58112, 4));
    accepts(&shared(232_448, 1));
    accepts(&shared(29056, 8));
    refuses(
        &shared(58113, 4),
        "CAP: buffer 0: a block's shared memory holds 232452 bytes (232452 of them here), and no device has more than 232448 (kernel 0: the kernel)",
    );
}

fn over(nest: &Nest, limits: Limits) -> Option<String> {
    broken(&Cx::new(nest).within(limits), &CAP).map(|reason| reason.text)
}

#[test]
fn buffers_of_a_kernel_count_together_and_the_largest_is_named() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    b.made(Space::Shared, &[3], None);
    b.made(Space::Shared, &[5, 2], None);
    b.made(Space::Private, &[100], None);
    let nest = b.done();
    assert_eq!(over(&nest, Limits { local_bytes: 52, ..Limits::ANY }), None);
    let small = Limits { local_bytes: 51, ..Limits::ANY };
    let reason = broken(&Cx::new(&nest).within(small), &CAP).expect("too much");
    assert_eq!(
        reason.text,
        "a block's shared memory holds 52 bytes (40 of them here), and no device has more than 51"
    );
    assert!(format!("{:?}", reason.about).contains('1'));
}

#[test]
fn buffers_of_other_kernels_are_other_memory() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    b.made(Space::Shared, &[10], None);
    let mut b = b.and_kernel([1, 1, 1], [1, 1, 1]);
    b.made(Space::Shared, &[10], None);
    assert_eq!(over(&b.done(), Limits { local_bytes: 40, ..Limits::ANY }), None);
}

#[test]
fn each_thread_that_makes_a_buffer_needs_its_own() {
    let build = |level: Level, per: Option<Per>| {
        let mut b = Build::kernel([4, 1, 1], [8, 1, 1]);
        b.each(if level == Block(X) { 4 } else { 8 }, level);
        b.made(Space::Shared, &[2], per);
        b.done()
    };
    let most = |bytes| Limits { local_bytes: bytes, ..Limits::ANY };
    assert_eq!(over(&build(Thread(X), None), most(64)), None);
    let text = "a block's shared memory holds 64 bytes (64 of them here), and no device has more than 63";
    assert_eq!(over(&build(Thread(X), None), most(63)).as_deref(), Some(text));
    // One for all threads, and one per block.
    assert_eq!(over(&build(Block(X), None), most(8)), None);
    assert_eq!(over(&build(Seq, None), most(8)), None);
}

#[test]
fn rounds_in_flight_have_a_buffer_each() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    let k = b.each(16, Seq);
    b.at(k).stages = Some(3);
    b.made(Space::Shared, &[4], None);
    let nest = b.done();
    assert_eq!(over(&nest, Limits { local_bytes: 48, ..Limits::ANY }), None);
    let text = "a block's shared memory holds 48 bytes (48 of them here), and no device has more than 47";
    assert_eq!(over(&nest, Limits { local_bytes: 47, ..Limits::ANY }).as_deref(), Some(text));
}

#[test]
fn registers_are_limited_where_the_device_says_so() {
    let mut b = Build::kernel([1, 1, 1], [8, 1, 1]);
    b.each(8, Thread(X));
    b.made(Space::Private, &[16], None);
    let nest = b.done();
    assert_eq!(over(&nest, Limits::ANY), None);
    assert_eq!(over(&nest, Limits { private_bytes: 64, ..Limits::ANY }), None);
    let text = "a thread's private memory holds 64 bytes (64 of them here), and no device has more than 60";
    assert_eq!(over(&nest, Limits { private_bytes: 60, ..Limits::ANY }).as_deref(), Some(text));
}

#[test]
fn sizes_that_are_not_known_are_too_large() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    b.made(Space::Shared, &[-1, 2], None);
    assert_eq!(rule(&b.done(), "CAP", &[]), Truth::False);
}

#[test]
fn searches_want_a_block_around_shared_memory_and_threads_inside() {
    let build = |levels: &[Level]| {
        let mut b = Build::kernel([2, 2, 1], [2, 2, 1]);
        levels.iter().for_each(|level| {
            b.each(2, *level);
        });
        b.made(Space::Shared, &[4], None);
        b.done()
    };
    let of = |levels: &[Level]| truth_of(&Cx::new(&build(levels)), &STRICTLY_HOME);
    assert_eq!(of(&[Block(X)]), Truth::True);
    assert_eq!(of(&[Block(X), Block(Y), Seq]), Truth::True);
    // The verifier takes these: one block, and a buffer for each thread.
    assert_eq!(of(&[]), Truth::False);
    assert_eq!(of(&[Seq]), Truth::False);
    assert_eq!(of(&[Block(X), Thread(X)]), Truth::False);
    assert_eq!(of(&[Global(X)]), Truth::False);
}

#[test]
fn an_open_level_may_decide_who_shares() {
    let mut b = Build::kernel([1, 1, 1], [4, 1, 1]);
    let t = b.made(Space::Private, &[4], None);
    b.open(4, "m");
    b.write(t, &[int(0)]);
    let nest = b.done();
    let of = |levels: &[Level]| rule(&nest, "MEM", &[levels]);
    assert_eq!(of(&[Seq, Unroll, Vector]), Truth::True);
    assert_eq!(of(&[Thread(X), Thread(Y)]), Truth::False);
    assert_eq!(of(&[Seq, Thread(X)]), Truth::Open);
}
