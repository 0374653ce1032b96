//! RACE: iterations that may run at the same time do not disturb each other.

use crate::small::{Build, X, Y, accepts, int, own, refuses, sum, times, var};
use terrace_devices::Level::{Block, Global, Seq, Task, Thread, Vector};
use terrace_devices::{Level, Per, Space};
use terrace_schedule_model::nest::{BufferId, LoopId, Nest};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_rules::{Cx, race_of};
use terrace_support::affine::AffineExpr;

/// A loop of tasks over an array of 16
fn tasks(body: impl Fn(&mut Build, BufferId, LoopId)) -> Nest {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[16]);
    let i = b.each(8, Task);
    body(&mut b, c, i);
    b.done()
}

const SAME: &str = "RACE: access 0: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element (loop 0: the loop whose iterations these are)";

#[test]
fn each_iteration_writes_its_own_element() {
    accepts(&tasks(|b, c, i| {
        b.write(c, &[var(i)]);
    }));
    accepts(&tasks(|b, c, i| {
        b.write(c, &[times(2, var(i))]);
    }));
    accepts(&tasks(|b, c, i| {
        b.write(c, &[AffineExpr::sub(int(15), var(i))]);
    }));
    refuses(
        &tasks(|b, c, _| {
            b.write(c, &[int(3)]);
        }),
        SAME,
    );
    refuses(
        &tasks(|b, c, i| {
            b.write(c, &[AffineExpr::floor_div(var(i), int(2))]);
        }),
        SAME,
    );
    refuses(
        &tasks(|b, c, i| {
            b.write(c, &[AffineExpr::modulo(var(i), int(7))]);
        }),
        SAME,
    );
    accepts(&tasks(|b, c, i| {
        b.write(c, &[AffineExpr::modulo(var(i), int(8))]);
    }));
}

#[test]
fn all_may_read_one_element() {
    accepts(&tasks(|b, c, _| {
        b.read(c, &[int(0)]);
    }));
}

#[test]
fn none_reads_what_another_one_writes() {
    let shifted = |by: i64| {
        tasks(move |b, c, i| {
            b.read(c, &[sum(&[var(i), int(by)])]);
            b.write(c, &[var(i)]);
        })
    };
    accepts(&shifted(0));
    // Nobody writes from 8 on.
    accepts(&shifted(8));
    let text = "RACE: access 0: two iterations of a 'cc' loop at level 'task' meet: one reads, another writes the same element (loop 0: the loop whose iterations these are, access 1: the other access)";
    refuses(&shifted(1), text);
    refuses(&shifted(7), text);
}

#[test]
fn another_buffer_is_other_memory() {
    let mut b = Build::host();
    let (x, y) = (b.memory(Space::Main, &[16]), b.memory(Space::Main, &[16]));
    let i = b.each(8, Task);
    b.read(x, &[sum(&[var(i), int(1)])]);
    b.write(y, &[var(i)]);
    accepts(&b.done());
}

#[test]
fn one_iteration_meets_nobody() {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[1]);
    b.each(1, Task);
    b.write(c, &[int(0)]);
    accepts(&b.done());
}

#[test]
fn what_each_iteration_makes_is_its_own() {
    let mut b = Build::host();
    b.each(8, Task);
    let t = b.made(Space::Main, &[1], None);
    b.write(t, &[int(0)]);
    b.read(t, &[int(0)]);
    accepts(&b.done());
}

/// A loop in order that builds on the element before
fn recurrence(kind: Combination) -> Nest {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[16]);
    let i = b.each(8, Seq);
    b.at(i).combine.kind = kind;
    b.read(c, &[var(i)]);
    b.write(c, &[sum(&[var(i), int(1)])]);
    b.done()
}

#[test]
fn a_loop_that_builds_on_the_iteration_before_says_so() {
    accepts(&recurrence(Combination::Ordered));
    refuses(
        &recurrence(Combination::Cc),
        "RACE: access 0: two iterations of a 'cc' loop at level 'seq' meet: one reads, another writes the same element (loop 0: the loop whose iterations these are, access 1: the other access)",
    );
}

#[test]
fn the_help_depends_on_who_runs_the_loop() {
    let help = |nest: Nest| race_of(&Cx::new(&nest), LoopId::new(0)).expect("a race").help;
    let own = "give each iteration its own element, or make the loop sequential and `ordered`";
    let nest = tasks(|b, c, _| {
        b.write(c, &[int(3)]);
    });
    assert_eq!(help(nest), own);
    let before = "say `ordered` on that loop if each iteration builds on the one before";
    assert_eq!(help(recurrence(Combination::Cc)), before);
    let nest = tasks(|b, c, _| {
        let add = b.add();
        b.merge(c, add, &[int(0)]);
    });
    let pw = "say `pw` and the operator on that loop: then its iterations may merge into one element";
    assert_eq!(help(nest), pw);
}

/// Loops in order are refused only for what is certain to meet
#[test]
fn conflicts_that_may_not_happen_concern_parallel_loops_only() {
    let build = |level: Level| {
        let mut b = if level == Seq { Build::host() } else { Build::kernel([1; 3], [8, 1, 1]) };
        let c = b.argument(&[16]);
        let i = b.each(8, level);
        b.limit(i, int(1));
        b.write(c, &[int(0)]);
        let _ = i;
        b.done()
    };
    accepts(&build(Seq));
    accepts(&build(Thread(X)));
}

#[test]
fn bounds_keep_iterations_apart() {
    // i < 4 writes i, all of them read from 4 on.
    let build = |limit: i64| {
        let mut b = Build::host();
        let c = b.memory(Space::Main, &[16]);
        let i = b.each(8, Task);
        b.limit(i, int(limit));
        b.write(c, &[var(i)]);
        b.read(c, &[sum(&[var(i), int(4)])]);
        b.done()
    };
    accepts(&build(4));
    refuses(
        &build(5),
        "RACE: access 0: two iterations of a 'cc' loop at level 'task' meet: one writes, another reads the same element (loop 0: the loop whose iterations these are, access 1: the other access)",
    );
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[16]);
    let i = b.each(8, Task);
    b.from(i, int(7));
    b.write(c, &[int(0)]);
    accepts(&b.done());
}

/// Two operators merge into one element
fn merged(ours: &str, theirs: &str, pw: bool) -> Nest {
    let mut b = Build::host();
    let (f, g) = (b.operator(ours, |own| own.exact = true), b.operator(theirs, |own| own.exact = true));
    let c = b.memory(Space::Main, &[1]);
    let i = b.each(8, Task);
    if pw {
        b.merges(i, f, 0);
    }
    b.merge(c, f, &[int(0)]);
    b.merge(c, g, &[int(0)]);
    b.done()
}

#[test]
fn iterations_merge_by_the_operator_of_their_loop() {
    accepts(&merged("add", "add", true));
    refuses(
        &merged("add", "max", true),
        "RACE: access 0: two iterations of a 'pw' loop at level 'task' meet: one merges into, another merges into the same element (loop 0: the loop whose iterations these are, access 1: the other access)",
    );
    refuses(
        &merged("add", "add", false),
        "RACE: access 0: two iterations of a 'cc' loop at level 'task' meet: one merges into, another merges into the same element (loop 0: the loop whose iterations these are)",
    );
}

#[test]
fn what_is_merged_is_not_read_by_others() {
    let mut b = Build::host();
    let add = b.operator("add", |own| own.exact = true);
    let c = b.memory(Space::Main, &[1]);
    let i = b.each(8, Task);
    b.merges(i, add, 0);
    b.merge(c, add, &[int(0)]);
    b.read(c, &[int(0)]);
    refuses(
        &b.done(),
        "RACE: access 0: two iterations of a 'pw' loop at level 'task' meet: one merges into, another reads the same element (loop 0: the loop whose iterations these are, access 1: the other access)",
    );
}

#[test]
fn inner_loops_meet_over_all_of_their_iterations() {
    let build = |stride: i64| {
        let mut b = Build::host();
        let c = b.memory(Space::Main, &[64]);
        let i = b.each(4, Task);
        let j = b.each(5, Seq);
        b.write(c, &[sum(&[times(stride, var(i)), var(j)])]);
        b.done()
    };
    accepts(&build(5));
    accepts(&build(7));
    refuses(&build(4), SAME);
}

#[test]
fn a_value_that_nobody_knows_may_be_any() {
    let mut b = Build::host();
    let c = b.memory(Space::Main, &[16]);
    b.each(8, Task);
    let at = b.value();
    let access = b.write(c, &[AffineExpr::Dim(0)]);
    b.access(access).over = vec![at];
    refuses(
        &b.done(),
        "RACE: access 0: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element (loop 0: the loop whose iterations these are)",
    );
}

#[test]
fn threads_wait_where_they_copy_together() {
    // Each thread writes its element, all copy, then each reads its neighbour's.
    let build = |meet: bool| {
        let mut b = Build::kernel([1, 1, 1], [8, 1, 1]);
        let a = b.argument(&[8]);
        let t = b.made(Space::Shared, &[9], None);
        let u = b.made(Space::Shared, &[8], None);
        let i = b.each(8, Thread(X));
        b.write(t, &[var(i)]);
        b.copy(&[8], (a, &[own(0)]), (u, &[own(0)]), meet.then_some(Per::Block));
        b.read(t, &[sum(&[var(i), int(1)])]);
        b.done()
    };
    accepts(&build(true));
    refuses(
        &build(false),
        "RACE: access 0: two iterations of a 'cc' loop at level 'thread.x' meet: one writes, another reads the same element (loop 2: the loop whose iterations these are, access 3: the other access)"
            .replace("loop 2", "loop 0")
            .as_str(),
    );
}

#[test]
fn blocks_never_wait_for_each_other() {
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let c = b.argument(&[8]);
    let i = b.each(4, Block(X));
    b.write(c, &[var(i)]);
    b.read(c, &[sum(&[var(i), int(1)])]);
    refuses(
        &b.done(),
        "RACE: access 0: two iterations of a 'cc' loop at level 'block.x' meet: one writes, another reads the same element (loop 0: the loop whose iterations these are, access 1: the other access)",
    );
}

#[test]
fn what_a_block_does_together_is_done_once_for_its_threads() {
    let mut b = Build::kernel([1, 1, 1], [8, 4, 1]);
    let a = b.argument(&[8]);
    let t = b.made(Space::Shared, &[8], None);
    b.each(8, Thread(X));
    b.each(4, Thread(Y));
    b.copy(&[8], (a, &[own(0)]), (t, &[own(0)]), Some(Per::Block));
    accepts(&b.done());
}

/// A copy whose elements go where `to` says
fn copied(domain: &[i64], to: &[AffineExpr], guarded: bool, per: Option<Per>) -> Nest {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    let a = b.argument(&[64]);
    let t = b.made(Space::Shared, &vec![64; to.len()], None);
    let write = b.copy(domain, (a, &[own(0)]), (t, to), per);
    b.access(write).guarded = guarded;
    b.done()
}

#[test]
fn elements_of_a_copy_go_to_places_of_their_own() {
    accepts(&copied(&[8], &[own(0)], false, None));
    accepts(&copied(&[4, 5], &[sum(&[times(5, own(0)), own(1)])], false, None));
    accepts(&copied(&[4, 5], &[own(1), own(0)], false, None));
    let text = "RACE: access 1: two elements of the copy go to the same place";
    refuses(&copied(&[8], &[int(0)], false, None), text);
    refuses(&copied(&[4, 5], &[sum(&[times(4, own(0)), own(1)])], false, None), text);
    refuses(&copied(&[4, 5], &[own(0)], false, None), text);
    accepts(&copied(&[1], &[int(0)], false, None));
    accepts(&copied(&[0, 9], &[int(0)], false, None));
}

#[test]
fn what_a_copy_clips_goes_nowhere() {
    // 0, 40 and 80: of these only two are inside of 64.
    accepts(&copied(&[3], &[times(40, own(0))], true, None));
    // 0, 70 and 0 again: two of them are inside.
    let back = AffineExpr::mul(AffineExpr::modulo(own(0), int(2)), int(70));
    let text = "RACE: access 1: two elements of the copy go to the same place";
    refuses(&copied(&[3], std::slice::from_ref(&back), true, None), text);
    accepts(&copied(&[2], &[back], true, None));
}

#[test]
fn exchanged_groups_are_looked_at_one_by_one() {
    // Bits of one variable exclusive or those of another: no sum of multiples.
    let bit = |n: u32, of: i64| AffineExpr::modulo(AffineExpr::floor_div(own(n), int(of)), int(2));
    let turned = |of| times(of, AffineExpr::modulo(sum(&[bit(0, of), bit(1, of)]), int(2)));
    let to = [own(0), sum(&[turned(1), turned(2), turned(4)])];
    accepts(&copied(&[8, 8], &to, false, Some(Per::Block)));
    accepts(&copied(&[7, 5], &to, false, Some(Per::Block)));
    let lost = [own(0), sum(&[turned(1), turned(4)])];
    let nest = copied(&[8, 8], &lost, false, Some(Per::Block));
    refuses(&nest, "RACE: access 1: two elements of the copy go to the same place");
}

#[test]
fn lanes_and_threads_of_the_grid_keep_apart_as_well() {
    for (level, grid) in [(Vector, [1, 1, 1]), (Global(X), [2, 1, 1])] {
        let mut b = Build::kernel(grid, [4, 1, 1]);
        let c = b.argument(&[8]);
        let i = b.each(8, level);
        b.write(c, &[AffineExpr::floor_div(var(i), int(2))]);
        let text = format!(
            "RACE: access 0: two iterations of a 'cc' loop at level '{level}' meet: one writes, another writes the same element (loop 0: the loop whose iterations these are)"
        );
        refuses(&b.done(), &text);
    }
}
