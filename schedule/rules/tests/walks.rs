//! COVER and TAIL against a walk: what they accept visits each coordinate of a dimension once, and none beyond.

use crate::small::{Build, int, sum, times, var};
use terrace_devices::Level;
use terrace_schedule_model::nest::{Index, LoopId, Nest};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_rules::{Cx, Truth, truth};
use terrace_support::Random;

/// How often each coordinate is visited; coordinates beyond the dimension behind it
fn visits(nest: &Nest, extent: i64) -> Vec<usize> {
    let mut counts = vec![0; extent as usize + 64];
    let mut pending = vec![Vec::new()];
    while let Some(at) = pending.pop() {
        let Some(own) = nest.loops.iter().nth(at.len()) else {
            counts[at.iter().sum::<i64>() as usize] += 1;
            continue;
        };
        let (end, tile) = (own.extent.known().expect("decided"), own.tile.known().expect("decided"));
        let limit = own.limit.as_ref().map(|bound| {
            let of = |index: &Index| at[index.as_loop().expect("a loop").index()];
            let dims: Vec<i64> = bound.over.iter().map(of).collect();
            bound.map.eval(&dims, &[]).expect("small")[0]
        });
        let mut i = 0;
        while i < end && limit.is_none_or(|limit| i < limit) {
            pending.push(at.iter().copied().chain([i]).collect());
            i += tile;
        }
    }
    counts
}

/// A chain of random sizes in a random order; the last loop, or a random one, has the limit that all of them need
fn random_chain(random: &mut Random, holder_is_last: bool) -> (Nest, i64) {
    let extent = 1 + random.below(40i64);
    let mut sizes = vec![extent];
    for _ in 0..random.below(3usize) {
        let above = sizes[sizes.len() - 1];
        // Tiles that divide, and tiles that do not.
        sizes.push(if random.coin() { 1 + random.below(above) } else { (1 + above / 2).min(above) });
    }
    sizes.push(1);
    let mut order: Vec<usize> = (0..sizes.len() - 1).collect();
    for n in (1..order.len()).rev() {
        order.swap(n, random.below(n + 1));
    }
    let mut b = Build::host();
    let ids: Vec<LoopId> = order.iter().map(|n| b.tiles(0, sizes[*n], sizes[n + 1], Level::Seq)).collect();
    let holder = if holder_is_last { ids.len() - 1 } else { random.below(ids.len()) };
    if holder_is_last || random.coin() {
        let others = ids[..holder].iter().map(|id| times(-1, var(*id)));
        b.limit(ids[holder], sum(&others.chain([int(extent)]).collect::<Vec<_>>()));
    }
    (b.done(), extent)
}

#[test]
fn what_is_accepted_visits_each_coordinate_once() {
    let mut random = Random::new(11);
    let mut accepted = 0;
    for round in 0..4000 {
        let (nest, extent) = random_chain(&mut random, false);
        let counts = visits(&nest, extent);
        let right = counts.iter().enumerate().all(|(n, count)| *count == usize::from((n as i64) < extent));
        if truth(&Cx::new(&nest)) == Truth::True {
            accepted += 1;
            assert!(right, "{round}: {counts:?}\n{nest:#?}");
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn one_inexact_link_with_the_limit_on_the_last_loop_is_accepted() {
    let mut random = Random::new(12);
    for round in 0..1000 {
        let extent = 2 + random.below(60i64);
        let tile = 1 + random.below(extent);
        for turned in [false, true] {
            let mut loops = [(extent, tile), (tile, 1)];
            if turned {
                loops.reverse();
            }
            let mut b = Build::host();
            let ids = loops.map(|(extent, tile)| b.tiles(0, extent, tile, Level::Seq));
            b.limit(ids[1], sum(&[int(extent), times(-1, var(ids[0]))]));
            assert_eq!(truth(&Cx::new(&b.done())), Truth::True, "{round}: {loops:?}");
        }
    }
}

#[test]
fn limits_on_the_last_loop_are_seldom_too_little() {
    // Several inexact links may need a limit on each; with one on the last loop alone the walk decides.
    let mut random = Random::new(13);
    let (mut right, mut accepted) = (0, 0);
    for _ in 0..2000 {
        let (nest, extent) = random_chain(&mut random, true);
        let counts = visits(&nest, extent);
        let once = counts.iter().enumerate().all(|(n, count)| *count == usize::from((n as i64) < extent));
        right += usize::from(once);
        accepted += usize::from(truth(&Cx::new(&nest)) == Truth::True);
    }
    assert!(accepted <= right, "{accepted} of {right}");
    assert!(accepted * 10 >= right * 9, "{accepted} of {right}");
}
