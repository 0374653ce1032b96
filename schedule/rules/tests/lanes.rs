//! VEC: lanes are one element or neighbours, and run straight code.

use crate::small::{Build, X, accepts, int, own, refuses, rule, sum, times, var};
use terrace_devices::Level::{Lane, Seq, Task, Thread, Unroll, Vector};
use terrace_devices::{Level, Per, Space};
use terrace_schedule_model::nest::{APART, LoopId, Nest};
use terrace_schedule_rules::Truth;
use terrace_support::affine::AffineExpr;

/// A row of lanes over an array of 4 rows of 16
fn row(index: impl Fn(LoopId, LoopId) -> [AffineExpr; 2]) -> Nest {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[4, 16]);
    let i = b.each(4, Seq);
    let l = b.each(4, Vector);
    let at = index(i, l);
    b.read(c, &at);
    b.done()
}

const GAPS: &str =
    "VEC: access 0: lanes are neither one element nor neighbours in memory (loop 1: the vector loop)";

#[test]
fn lanes_are_neighbours_in_the_last_dimension() {
    accepts(&row(|i, l| [var(i), var(l)]));
    accepts(&row(|i, l| [var(i), sum(&[var(l), int(5)])]));
    accepts(&row(|i, l| [int(0), sum(&[times(4, var(i)), var(l)])]));
    refuses(&row(|i, l| [var(l), var(i)]), GAPS);
    refuses(&row(|i, l| [var(i), AffineExpr::sub(int(3), var(l))]), GAPS);
}

/// Reads of a row, with a few elements between those of neighbouring lanes
#[test]
fn lanes_that_read_may_be_a_few_elements_apart() {
    let build = |apart: i64, write: bool, row: bool| {
        let mut b = Build::host();
        let c = b.memory(Space::Main, &[4, 16]);
        let l = b.each(4, Vector);
        let at = if row { [int(0), times(apart, var(l))] } else { [times(apart, var(l)), int(0)] };
        match write {
            true => b.write(c, &at),
            false => b.read(c, &at),
        };
        b.done()
    };
    let gaps = GAPS.replace("loop 1", "loop 0");
    for apart in [2, 3, APART] {
        accepts(&build(apart, false, true));
        refuses(&build(apart, true, true), &gaps);
        refuses(&build(apart, false, false), &gaps);
    }
    refuses(&build(APART + 1, false, true), &gaps);
}

/// Writes of lanes into groups of neighbors, one write for each element of a group
#[test]
fn lanes_fill_groups_together() {
    let build = |size: i64, filled: &[i64], write: bool| {
        let mut b = Build::host();
        let c = b.memory(Space::Main, &[4, 4, size]);
        let i = b.each(4, Seq);
        let l = b.each(4, Vector);
        for n in filled {
            let at = [var(i), var(l), int(*n)];
            match write {
                true => b.write(c, &at),
                false => b.read(c, &at),
            };
        }
        b.done()
    };
    accepts(&build(2, &[0, 1], true));
    accepts(&build(4, &[0, 1, 2, 3], true));
    refuses(&build(2, &[0], true), GAPS);
    refuses(&build(2, &[1], true), GAPS);
    refuses(&build(2, &[0, 0], true), GAPS);
    refuses(&build(4, &[0, 1, 2], true), GAPS);
    refuses(&build(2, &[0, 1], false), GAPS);
    let wide: Vec<i64> = (0..=APART).collect();
    refuses(&build(APART + 1, &wide, true), GAPS);
}

#[test]
fn lanes_may_be_one_element() {
    accepts(&row(|i, _| [var(i), int(0)]));
    accepts(&row(|i, l| [var(i), AffineExpr::floor_div(var(l), int(4))]));
}

#[test]
fn quotients_and_remainders_are_constant_over_whole_groups() {
    // 4 l' + l divided by 4 is l': the lanes do not leave their group.
    let group = |i, l| sum(&[times(4, var(i)), var(l)]);
    accepts(&row(|i, l| {
        [AffineExpr::floor_div(group(i, l), int(4)), AffineExpr::modulo(group(i, l), int(4))]
    }));
    refuses(
        &row(|i, l| [AffineExpr::floor_div(group(i, l), int(3)), AffineExpr::modulo(group(i, l), int(3))]),
        GAPS,
    );
}

#[test]
fn rows_of_one_element_make_the_dimension_before_the_last() {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[8, 1]);
    let l = b.each(8, Vector);
    b.read(c, &[var(l), int(0)]);
    accepts(&b.done());
}

#[test]
fn lanes_over_tiles_are_further_apart() {
    let build = |tile: i64, index: fn(LoopId) -> AffineExpr| {
        let mut b = Build::host();
        let c = b.memory(Space::Main, &[16]);
        let l = b.each(8, Vector);
        b.at(l).tile = terrace_schedule_model::nest::Open::Is(tile);
        b.read(c, &[index(l)]);
        b.done()
    };
    accepts(&build(1, var));
    let text = GAPS.replace("loop 1", "loop 0");
    accepts(&build(2, var));
    refuses(&build(2, |l| times(3, var(l))), &text);
    accepts(&build(8, var));
}

#[test]
fn one_lane_may_do_anything() {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[4, 4]);
    let l = b.each(1, Vector);
    b.read(c, &[var(l), int(0)]);
    b.each(4, Task);
    assert_eq!(rule(&b.done(), "VEC", &[&[], &[]]), Truth::True);
}

#[test]
fn loops_inside_of_lanes_are_in_order() {
    let build = |level: Level| {
        let mut b = Build::host();
        b.each(4, Vector);
        b.each(2, level);
        b.done()
    };
    accepts(&build(Seq));
    accepts(&build(Unroll));
    let of = |level: Level| rule(&build(level), "VEC", &[&[], &[]]);
    assert_eq!(of(Vector), Truth::False);
    assert_eq!(of(Thread(X)), Truth::False);
    assert_eq!(of(Lane(X)), Truth::False);
}

#[test]
fn nothing_is_done_together_inside_of_lanes() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    let a = b.argument(&[4]);
    let t = b.made(Space::Shared, &[4], None);
    b.each(4, Vector);
    b.copy(&[4], (a, &[own(0)]), (t, &[own(0)]), Some(Per::Block));
    refuses(
        &b.done(),
        "VEC: access 1: is run by a block together, inside of a vector loop (loop 0: the vector loop)",
    );
}

#[test]
fn an_open_level_may_be_a_vector_where_lanes_fit() {
    let build = |turned: bool| {
        let mut b = Build::host();
        let c = b.memory(Space::Main, &[4, 4]);
        let l = b.open(4, "m");
        let at = if turned { [var(l), int(0)] } else { [int(0), var(l)] };
        b.read(c, &at);
        b.done()
    };
    let of = |turned, levels: &[Level]| rule(&build(turned), "VEC", &[levels]);
    assert_eq!(of(false, &[Seq, Vector]), Truth::True);
    assert_eq!(of(true, &[Seq, Vector]), Truth::Open);
    assert_eq!(of(true, &[Vector]), Truth::False);
    assert_eq!(of(true, &[Seq, Task]), Truth::True);
}
