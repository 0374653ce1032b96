//! NEST: which level may stand inside of which, from the table of levels.

use crate::small::{Build, X, Y, accepts, refuses, rule};
use terrace_devices::Level;
use terrace_devices::Level::{
    Block, Cluster, Device, Global, Lane, Mma, Seq, Task, Thread, Unroll, Vector, Warp,
};
use terrace_schedule_model::nest::Nest;
use terrace_schedule_rules::Truth;

/// Loops of two iterations, one inside of the other
fn nested(levels: &[Level]) -> Nest {
    let mut b = Build::host();
    levels.iter().for_each(|level| {
        b.each(2, *level);
    });
    b.done()
}

fn fits(levels: &[Level]) -> bool {
    rule(&nested(levels), "NEST", &vec![&[][..]; levels.len()]) == Truth::True
}

/// Rank in the table of levels; none for loops in order
fn rank(level: Level) -> Option<u8> {
    Some(match level {
        Device(_) => 7,
        Cluster(_) => 6,
        Block(_) | Global(_) | Task => 5,
        Thread(_) | Warp(_) => 3,
        Lane(_) | Mma => 2,
        Vector => 1,
        _ => return None,
    })
}

/// What the table says of two levels without others between
fn pair_is_legal(outer: Level, inner: Level) -> bool {
    let (Some(a), Some(b)) = (rank(outer), rank(inner)) else {
        // Lanes need a warp, and a loop in order is none.
        return !matches!(inner, Lane(_)) && !matches!(outer, Lane(_));
    };
    let lanes = !matches!(outer, Lane(_)) && (!matches!(inner, Lane(_)) || matches!(outer, Warp(_)));
    let same_axis = outer.axis().is_some() && outer.axis() == inner.axis();
    let spread = |one: Level, other: Level| {
        matches!(one, Global(_)) && matches!(other, Block(_) | Thread(_)) && same_axis
    };
    let counted =
        |one: Level, other: Level| matches!(one, Thread(_) | Global(_)) && matches!(other, Warp(_) | Lane(_));
    let family = |of: fn(&Level) -> bool| of(&outer) && of(&inner);
    let together = family(|own| matches!(own, Thread(_) | Warp(_) | Lane(_)))
        || family(|own| matches!(own, Block(_) | Global(_) | Cluster(_)))
        || family(|own| matches!(own, Device(_)));
    let order = a > b
        || a == b && together && !same_axis
        || outer == Task && inner == Task
        || outer == Mma && inner == Mma;
    order
        && lanes
        && !spread(outer, inner)
        && !spread(inner, outer)
        && !counted(outer, inner)
        && !counted(inner, outer)
}

#[test]
fn pairs_of_levels_follow_the_table() {
    for outer in Level::ALL {
        for inner in Level::ALL.into_iter().filter(|own| ![outer, *own].contains(&Level::Pe)) {
            let own = fits(&[outer, inner]);
            assert_eq!(own, pair_is_legal(outer, inner), "{inner} inside of {outer}");
        }
    }
}

#[test]
fn loops_of_one_iteration_stand_anywhere() {
    for outer in Level::ALL {
        for inner in Level::ALL {
            let mut b = Build::host();
            b.each(2, outer);
            b.each(1, inner);
            let nest = b.done();
            let alone = rule(&nested(&[outer]), "NEST", &[&[]]);
            assert_eq!(rule(&nest, "NEST", &[&[], &[]]), alone, "{inner} inside of {outer}");
        }
    }
}

#[test]
fn wider_levels_stand_outside() {
    let mut b = Build::kernel([2, 1, 1], [2, 1, 1]);
    b.each(2, Block(X));
    b.each(2, Thread(X));
    accepts(&b.done());
    let mut b = Build::kernel([2, 1, 1], [2, 1, 1]);
    b.each(2, Thread(X));
    b.each(2, Block(X));
    refuses(
        &b.done(),
        "NEST: loop 1: level 'block.x' cannot stand inside of level 'thread.x' (loop 0: the loop around)",
    );
}

#[test]
fn loops_in_order_may_stand_between_and_inside_of_all() {
    assert!(fits(&[Block(X), Seq, Thread(X), Unroll, Vector, Seq]));
    assert!(fits(&[Seq, Task, Seq, Vector]));
}

#[test]
fn an_axis_is_used_once() {
    assert!(fits(&[Thread(X), Thread(Y)]));
    refuses(
        &nested(&[Thread(X), Seq, Thread(X)]),
        "NEST: loop 2: level 'thread.x' cannot stand inside of level 'thread.x' (loop 0: the loop around)",
    );
}

#[test]
fn tasks_are_one_pool() {
    assert!(fits(&[Task, Task, Task]));
    refuses(
        &nested(&[Task, Seq, Task]),
        "NEST: loop 2: level 'task' cannot stand inside of level 'task' (loop 0: the loop around)",
    );
    // A loop of one iteration keeps them apart as little as none.
    let mut b = Build::host();
    b.each(2, Task);
    b.each(1, Seq);
    b.each(2, Task);
    accepts(&b.done());
}

#[test]
fn a_matrix_unit_is_three_loops_that_follow_each_other() {
    assert!(fits(&[Warp(X), Mma, Mma, Mma]));
    assert!(!fits(&[Mma, Seq, Mma]));
    assert!(!fits(&[Mma, Mma, Mma, Mma]));
}

#[test]
fn global_loops_spread_their_axis() {
    assert!(fits(&[Global(X), Thread(Y)]));
    refuses(
        &nested(&[Global(X), Thread(X)]),
        "NEST: loop 1: uses an axis that a 'global' loop spreads over blocks and threads already (loop 0: the loop around)",
    );
    assert!(!fits(&[Block(X), Global(X)]));
}

#[test]
fn threads_are_counted_by_axes_or_by_warps() {
    refuses(
        &nested(&[Thread(Y), Warp(X)]),
        "NEST: loop 1: level 'warp' stands inside of level 'thread.y', and threads of a block are counted in one way only (loop 0: the loop around)",
    );
    assert!(fits(&[Warp(X), Warp(Y), Lane(X)]));
    assert!(!fits(&[Global(Y), Warp(X)]));
}

#[test]
fn lanes_are_part_of_a_warp() {
    refuses(
        &nested(&[Block(X), Lane(X)]),
        "NEST: loop 1: lanes are part of a warp, and there is none around",
    );
    assert!(fits(&[Block(X), Warp(X), Lane(X)]));
    assert!(fits(&[Warp(X), Seq, Lane(Y)]));
}

#[test]
fn open_levels_are_refused_where_no_choice_fits() {
    let mut b = Build::host();
    b.each(2, Thread(X));
    b.open(2, "m");
    let nest = b.done();
    let of = |levels: &[Level]| rule(&nest, "NEST", &[&[], levels]);
    assert_eq!(of(&[Vector, Mma]), Truth::True);
    // Each of these fits, but not for one reason: the evaluator leaves it open.
    assert_eq!(of(&[Thread(Y), Vector]), Truth::Open);
    assert_eq!(of(&[Block(X), Block(Y), Task]), Truth::False);
    assert_eq!(of(&[Seq, Thread(X)]), Truth::Open);
    assert_eq!(of(&[Thread(X), Thread(Y)]), Truth::Open);
}
