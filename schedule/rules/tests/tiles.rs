//! STEP, COVER and TAIL: the smallest nests that they accept and refuse.

use crate::small::{Build, accepts, int, own, refuses, sum, times, var};
use terrace_devices::Level::{Seq, Task};
use terrace_schedule_model::nest::{LoopId, Nest};
use terrace_schedule_model::nest_combine::Tail;
use terrace_support::affine::AffineExpr;

/// Loops of dimensions, each with layer and label, one inside of the other
fn stepped(loops: &[(i64, Option<(i64, i64)>)]) -> Nest {
    let mut b = Build::host();
    for (dim, step) in loops {
        let id = b.tiles(*dim, 4, 1, Seq);
        b.at(id).step = *step;
    }
    b.done()
}

#[test]
fn layers_and_labels_are_pairs() {
    accepts(&stepped(&[(0, Some((1, 1))), (1, Some((1, 1)))]));
    accepts(&stepped(&[(0, Some((2, 1))), (1, Some((1, 2)))]));
    refuses(
        &stepped(&[(0, Some((1, 1))), (1, Some((2, 1)))]),
        "STEP: loop 1: step 2 at 1 stands inside of step 1 at 1: a layer has one label (loop 0: the other step)",
    );
    refuses(
        &stepped(&[(0, Some((1, 1))), (1, Some((1, 2)))]),
        "STEP: loop 1: step 1 at 2 stands inside of step 1 at 1: a layer has one label (loop 0: the other step)",
    );
}

#[test]
fn loops_that_say_no_step_have_none_to_fit() {
    accepts(&stepped(&[(0, None), (1, None)]));
    accepts(&stepped(&[(0, Some((1, 1))), (1, None), (2, Some((2, 2)))]));
}

#[test]
fn a_layer_has_each_dimension_once() {
    refuses(
        &stepped(&[(3, Some((1, 1))), (3, Some((1, 1)))]),
        "STEP: loop 1: layer 1 has two loops of dimension 3 (loop 0: the other loop)",
    );
}

#[test]
fn loops_of_a_label_follow_each_other() {
    let apart = [(0, Some((1, 1))), (1, Some((2, 2))), (2, Some((1, 1)))];
    let text = "STEP: loop 2: loops of label 1 are apart: another step stands between them";
    refuses(&stepped(&apart), text);
    let nothing = [(0, Some((1, 1))), (1, None), (2, Some((1, 1)))];
    refuses(&stepped(&nothing), text);
}

#[test]
fn steps_of_nests_one_after_the_other_do_not_meet() {
    let mut b = Build::host();
    for _ in 0..2 {
        let id = b.tiles(0, 4, 1, Seq);
        b.at(id).step = Some((1, 1));
        b.end();
    }
    accepts(&b.done());
}

/// Loops of one dimension, outermost first: extent and tile
fn chain(loops: &[(i64, i64)]) -> (Build, Vec<LoopId>) {
    let mut b = Build::host();
    let ids = loops.iter().map(|(extent, tile)| b.tiles(0, *extent, *tile, Seq)).collect();
    (b, ids)
}

fn covered(loops: &[(i64, i64)]) -> Nest {
    chain(loops).0.done()
}

#[test]
fn extents_are_the_dimension_or_a_tile() {
    accepts(&covered(&[(16, 8), (8, 1)]));
    accepts(&covered(&[(16, 8), (8, 2), (2, 1)]));
    refuses(
        &covered(&[(16, 8), (8, 1), (4, 1)]),
        "COVER: loop 2: extent 4 of dimension 0 is neither the dimension's 16 nor a tile of it on this path (8, 1)",
    );
}

#[test]
fn chains_may_stand_in_any_order() {
    accepts(&covered(&[(8, 1), (16, 8)]));
    accepts(&covered(&[(2, 1), (16, 8), (8, 2)]));
}

#[test]
fn one_sized_and_empty_dimensions_are_covered() {
    accepts(&covered(&[(1, 1)]));
    accepts(&covered(&[(1, 1), (1, 1)]));
    accepts(&covered(&[(0, 1)]));
}

#[test]
fn every_tile_is_walked() {
    refuses(
        &covered(&[(16, 8)]),
        "COVER: loop 0: tile 8 of dimension 0 is walked by no loop and no copy inside",
    );
    refuses(
        &covered(&[(16, 8), (8, 4)]),
        "COVER: loop 1: tile 4 of dimension 0 is walked by no loop and no copy inside",
    );
    refuses(
        &covered(&[(16, 8), (4, 1)]),
        "COVER: loop 0: tile 8 of dimension 0 is walked by no loop and no copy inside",
    );
}

/// A loop over tiles of 8, and a copy over so many elements of each
fn copied(extent: i64, elements: i64, index: impl Fn(LoopId) -> AffineExpr) -> Nest {
    let (mut b, ids) = chain(&[(extent, 8)]);
    let from = b.argument(&[extent]);
    let to = b.argument(&[extent]);
    let at = [index(ids[0])];
    b.copy(&[elements], (from, &at), (to, &at), None);
    b.done()
}

#[test]
fn a_copy_walks_the_tile_that_it_goes_through() {
    accepts(&copied(16, 8, |id| sum(&[var(id), own(0)])));
    let text = "COVER: loop 0: tile 8 of dimension 0 is walked by no loop and no copy inside";
    refuses(&copied(16, 4, |id| sum(&[var(id), own(0)])), text);
    refuses(&copied(16, 8, |_| own(0)), text);
    // One iteration adds nothing, and may be left out of the index.
    accepts(&copied(8, 8, |_| own(0)));
}

#[test]
fn dimensions_are_covered_each_for_itself() {
    let mut b = Build::host();
    b.tiles(0, 16, 4, Seq);
    b.tiles(1, 4, 1, Seq);
    refuses(&b.done(), "COVER: loop 0: tile 4 of dimension 0 is walked by no loop and no copy inside");
}

/// What stands on other paths walks nothing here
#[test]
fn only_loops_on_the_path_count() {
    let mut b = Build::host();
    b.tiles(0, 8, 4, Seq);
    b.end();
    b.tiles(0, 4, 1, Seq);
    refuses(&b.done(), "COVER: loop 0: tile 4 of dimension 0 is walked by no loop and no copy inside");
}

/// A chain with a limit on one loop: a bound less the variables of others
fn limited(loops: &[(i64, i64)], holder: usize, bound: i64, others: &[usize]) -> Nest {
    let (mut b, ids) = chain(loops);
    let all = others.iter().map(|n| times(-1, var(ids[*n])));
    let bound = sum(&all.chain([int(bound)]).collect::<Vec<_>>());
    b.limit(ids[holder], bound);
    b.done()
}

const NO_TAIL: &str = "TAIL: loop 0: tile 4 does not divide 10, and nothing cuts off the rest";

#[test]
fn a_tile_that_does_not_divide_needs_a_limit() {
    refuses(&covered(&[(10, 4), (4, 1)]), NO_TAIL);
    accepts(&limited(&[(10, 4), (4, 1)], 1, 10, &[0]));
}

#[test]
fn the_limit_is_that_of_the_dimension() {
    refuses(&limited(&[(10, 4), (4, 1)], 1, 11, &[0]), NO_TAIL);
    // Less happens than could: that is for the author to say.
    accepts(&limited(&[(10, 4), (4, 1)], 1, 9, &[0]));
    // One that forgets the loop around lets the last tile run on.
    refuses(&limited(&[(10, 4), (4, 1)], 1, 10, &[]), NO_TAIL);
}

#[test]
fn the_limit_stands_on_the_loop_that_is_placed_last() {
    accepts(&limited(&[(4, 1), (10, 4)], 1, 10, &[0]));
    let text = "TAIL: loop 1: tile 4 does not divide 10, and nothing cuts off the rest";
    refuses(&covered(&[(4, 1), (10, 4)]), text);
    refuses(&limited(&[(4, 1), (10, 4)], 1, 10, &[]), text);
}

#[test]
fn an_inexact_link_of_three_is_cut_by_the_sum_of_all() {
    let loops = [(24, 10), (10, 5), (5, 1)];
    accepts(&limited(&loops, 2, 24, &[0, 1]));
    let text = "TAIL: loop 0: tile 10 does not divide 24, and nothing cuts off the rest";
    refuses(&limited(&loops, 2, 24, &[0]), text);
    // Tiles of 5 that begin below 24 may end beyond.
    refuses(&limited(&loops, 1, 24, &[0]), text);
}

#[test]
fn whole_inner_tiles_need_no_limit_of_their_own() {
    accepts(&limited(&[(192, 128), (128, 64), (64, 1)], 1, 192, &[0]));
    // 5 divides neither 12 nor the tiles of 10 up to there.
    let text = "TAIL: loop 0: tile 10 does not divide 12, and nothing cuts off the rest";
    refuses(&limited(&[(12, 10), (10, 5), (5, 1)], 1, 12, &[0]), text);
}

#[test]
fn a_limit_that_lets_only_whole_tiles_happen_cuts_them_off() {
    // i1 ≤ 24 - 5 + 1 - i0 less one: what begins is inside of the dimension as a whole.
    let loops = [(24, 10), (10, 5), (5, 1)];
    accepts(&limited(&loops, 1, 20, &[0]));
    let text = "TAIL: loop 0: tile 10 does not divide 24, and nothing cuts off the rest";
    refuses(&limited(&loops, 1, 21, &[0]), text);
}

/// 10 elements by padded tiles of 4, and an access inside
fn padded(size: i64, guarded: bool, tail: Option<Tail>) -> Nest {
    let (mut b, ids) = chain(&[(10, 4), (4, 1)]);
    b.at(ids[0]).tail = tail;
    let buffer = b.argument(&[size]);
    let access = b.write(buffer, &[sum(&[var(ids[0]), var(ids[1])])]);
    b.access(access).guarded = guarded;
    b.done()
}

#[test]
fn padded_tiles_harm_nothing_outside() {
    let text = "TAIL: loop 0: tile 4 does not divide 10, and not every access inside is padded, clipped or in bounds";
    accepts(&padded(10, true, Some(Tail::Pad)));
    refuses(&padded(10, false, Some(Tail::Pad)), text);
    // Room for the whole last tile is as good, one element less is not.
    accepts(&padded(12, false, Some(Tail::Pad)));
    refuses(&padded(11, false, Some(Tail::Pad)), text);
}

#[test]
fn other_words_for_tails_do_not_cut_by_themselves() {
    for tail in [None, Some(Tail::Mask), Some(Tail::Peel)] {
        refuses(&padded(10, true, tail), NO_TAIL);
    }
}

#[test]
fn padded_tiles_do_not_concern_accesses_of_other_dimensions() {
    let (mut b, ids) = chain(&[(10, 4), (4, 1)]);
    b.at(ids[0]).tail = Some(Tail::Pad);
    let buffer = b.argument(&[3]);
    b.read(buffer, &[int(2)]);
    accepts(&b.done());
}

#[test]
fn inner_links_of_padded_tiles_divide() {
    let (mut b, ids) = chain(&[(10, 4), (4, 3), (3, 1)]);
    b.at(ids[0]).tail = Some(Tail::Pad);
    let text = "TAIL: loop 1: tile 3 does not divide 4, and nothing cuts off the rest";
    refuses(&b.done(), text);
}

#[test]
fn each_path_inside_is_cut_off() {
    let build = |second: bool| {
        let (mut b, ids) = chain(&[(10, 4)]);
        for cut in [true, second] {
            let id = b.tiles(0, 4, 1, Task);
            if cut {
                b.limit(id, sum(&[int(10), times(-1, var(ids[0]))]));
            }
            b.end();
        }
        b.done()
    };
    accepts(&build(true));
    refuses(&build(false), NO_TAIL);
}
