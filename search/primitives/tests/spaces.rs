//! Spaces: their order, size, limits and neighbours.

use crate::common::{GRID, HOST, any, layout};
use std::collections::HashSet;
use terrace_devices::Layer;
use terrace_schedule_model::{Decision, Point, Schedule};
use terrace_search_explore::{Directions, Space, Walk, check, factorizations, sample};
use terrace_search_primitives::{Parts, PrimitiveSpace, Size, decode};
use terrace_search_schedules::{OfSchedules, Refusal};
use terrace_support::Random;

/// D9: splits, the order, fused loops, then the rest
#[test]
fn choices_are_enumerated_in_the_papers_order() {
    let space = PrimitiveSpace::new(layout(&[8, 4], &[6], Parts { spatial: 2, reduce: 2 }, HOST), &any);
    let names = space.names();
    let wanted = [
        "split.i.1",
        "split.j.1",
        "split.k.1",
        "reorder.1",
        "reorder.2",
        "reorder.3",
        "reorder.4",
        "reorder.5",
        "reorder.6",
        "fuse",
        "unroll.1",
        "unroll.2",
        "unroll.3",
        "unroll.4",
        "unroll.5",
        "unroll.6",
        "cache.1",
    ];
    assert_eq!(names, wanted);
}

/// D15: a size that is counted is stated as exact, and a bound is none
#[test]
fn sizes_are_counted_or_are_bounds() {
    let small = PrimitiveSpace::new(layout(&[6], &[], Parts { spatial: 2, reduce: 1 }, HOST), &any);
    let walked: Vec<Point> = Walk::new(&small).collect();
    assert_eq!(walked.iter().collect::<HashSet<_>>().len(), walked.len());
    // Four splits. One or both loops are fused. With one, the inner one may be unrolled only where it does not repeat: never here.
    assert_eq!(small.size(), Size::Exactly(walked.len()));
    assert!(walked.len() as f64 <= small.bound(), "{} of {}", walked.len(), small.bound());
    let large = PrimitiveSpace::new(layout(&[1024, 1024], &[1024], Parts::ARTIFACT, HOST), &any);
    let Size::AtMost(bound) = large.size() else { panic!("{}", large.size()) };
    // Splits alone are those of the paper's artifact; orders are interleavings of 4, 4 and 3 parts.
    let splits = factorizations(1024, 4).powi(2) * factorizations(1024, 3);
    assert_eq!(splits, 5_398_536.0);
    assert_eq!(bound, splits * 11_550.0 * 4.0 * 2f64.powi(12));
    assert_eq!(large.size().to_string(), "at most 1.02e15");
    for (layout, what) in [
        (layout(&[4, 2], &[2], Parts { spatial: 2, reduce: 1 }, HOST), "host"),
        (layout(&[4, 2], &[2], Parts { spatial: 3, reduce: 1 }, GRID), "grid"),
    ] {
        let space = PrimitiveSpace::new(layout, &any);
        let counted = Walk::new(&space).count();
        assert!(counted > 10 && counted as f64 <= space.bound(), "{what}: {counted} of {}", space.bound());
    }
}

/// D11, F12: a loop is split as often as it has factors
#[test]
fn splits_divide() {
    for (extent, four, three) in [(1024, 286, 66), (56, 80, 30), (7, 4, 3), (997, 4, 3)] {
        for (parts, count) in [(4, four), (3, three)] {
            let space =
                PrimitiveSpace::new(layout(&[extent], &[], Parts { spatial: parts, reduce: 1 }, HOST), &any);
            let splits: HashSet<Vec<Decision>> = {
                // Walk the sizes of tiles alone.
                let mut all = vec![Vec::new()];
                for _ in 1..parts {
                    all = all
                        .into_iter()
                        .flat_map(|own: Vec<Decision>| {
                            let next = space.values(&own);
                            next.into_iter().map(move |value| [own.clone(), vec![value]].concat())
                        })
                        .collect();
                }
                all.into_iter().collect()
            };
            assert_eq!(splits.len(), count, "{extent} in {parts}");
        }
    }
}

fn layers(schedule: &Schedule, layer: Layer) -> Vec<(usize, usize)> {
    let of = |step: &terrace_schedule_model::Step| {
        let dim = step.cores.iter().position(|core| core.is_some_and(|core| core.layer == layer))?;
        Some((step.label, dim))
    };
    let mut all: Vec<(usize, usize)> = schedule.steps.iter().filter_map(of).collect();
    all.sort_unstable();
    all
}

/// D10, D12: what is fixed holds for every point: outermost loops are parallel, four at most, none of them folds; the innermost that
/// repeats is a vector; blocks are outermost, then threads, no more than a block may have
#[test]
fn what_a_target_fixes_holds_for_every_point() {
    let host = PrimitiveSpace::new(layout(&[8, 16], &[6], Parts::ARTIFACT, HOST), &any);
    let grid = PrimitiveSpace::new(layout(&[32, 64, 4, 9], &[12], Parts::ARTIFACT, GRID), &any);
    let mut rng = Random::new(3);
    let mut vectors = 0;
    for _ in 0..300 {
        let point = sample(&host, &mut rng).expect("there are points");
        let schedule = decode(host.layout(), &host.vector(&point).expect("whole")).expect("it is one");
        let tasks = layers(&schedule, Layer::Thr);
        assert!((1..=4).contains(&tasks.len()));
        assert!(tasks.iter().enumerate().all(|(n, (label, dim))| *label == n + 1 && *dim < 2), "{tasks:?}");
        let lanes = layers(&schedule, Layer::Vec);
        vectors += lanes.len();
        assert!(lanes.iter().all(|(_, dim)| *dim == 1), "{lanes:?}");

        let point = sample(&grid, &mut rng).expect("there are points");
        let vector = grid.vector(&point).expect("whole");
        let schedule = decode(grid.layout(), &vector).expect("it is one");
        let labels = |layer| layers(&schedule, layer).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        // The three longest loops have blocks and threads.
        assert_eq!((labels(Layer::Blk), labels(Layer::Thr)), (vec![1, 2, 3], vec![4, 5, 6]));
        let threads: i64 = [0, 1, 3].map(|dim| factor(&vector, dim, 2)).iter().product();
        assert!(threads <= 64, "{threads}");
        let inputs = schedule.steps.iter().flat_map(|step| &step.ins).flatten().count();
        let outputs = schedule.steps.iter().flat_map(|step| &step.outs).flatten().count();
        assert_eq!((inputs, outputs), (2, 1), "inputs are in the block's memory, results in registers");
    }
    assert!(vectors > 20, "{vectors} of 300 have lanes");
}

/// D12: where the threads' part is the last one of its loop, and so has no tile, a block has no more of them either
#[test]
fn last_parts_have_no_more_threads_than_a_block() {
    let layout = layout(&[32, 64, 4], &[12], Parts { spatial: 3, reduce: 2 }, GRID);
    let space = PrimitiveSpace::new(layout, &any);
    let (mut rng, mut most) = (Random::new(3), 0);
    for _ in 0..300 {
        let point = sample(&space, &mut rng).expect("there are points");
        let vector = space.vector(&point).expect("whole");
        let threads: i64 = (0..3).map(|dim| factor(&vector, dim, 2)).product();
        assert!(threads <= 64, "{threads}");
        most = most.max(threads);
    }
    assert_eq!(most, 64, "a block may be full");
}

fn factor(vector: &terrace_search_primitives::Vector, dim: usize, part: usize) -> i64 {
    match &vector.0[dim] {
        terrace_search_primitives::Value::Factors(all) => all[part],
        other => panic!("{other}"),
    }
}

/// D13, D14: neighbours are points, differ in one coordinate, and lead back
#[test]
fn neighbours_are_symmetric() {
    for fixed in [HOST, GRID] {
        let space = PrimitiveSpace::new(layout(&[4, 6], &[6], Parts { spatial: 3, reduce: 2 }, fixed), &any);
        let directions = Directions::of(&space);
        let neighbours = |point: &Point| -> Vec<Point> {
            (0..directions.len()).filter_map(|n| directions.neighbour(&space, point, n)).collect()
        };
        let mut rng = Random::new(11);
        let mut moves = 0;
        for _ in 0..6 {
            let point = sample(&space, &mut rng).expect("there are points");
            for other in neighbours(&point) {
                moves += 1;
                assert!(check(&space, &other).is_ok());
                assert!(neighbours(&other).contains(&point), "{point:?} {other:?}");
                let [own, moved] = [&point, &other].map(|point| space.vector(point).expect("whole"));
                let differ = own.0.iter().zip(&moved.0).filter(|(a, b)| a != b).count();
                assert_eq!(differ, 1, "{own} {moved}");
            }
        }
        assert!(moves > 60, "{moves} moves of 6 points");
    }
}

/// The rules have the last word, and are counted; a space where nothing is legal is empty
#[test]
fn rules_have_the_last_word() {
    let few = |schedule: &Schedule| match layers(schedule, Layer::Thr).len() {
        1 => Ok(()),
        n => Err(Refusal::of(format!("S-TEST: {n} loops are parallel"))),
    };
    let layout = layout(&[8, 4], &[6], Parts { spatial: 2, reduce: 2 }, HOST);
    let space = PrimitiveSpace::new(layout.clone(), &few);
    let mut rng = Random::new(1);
    for _ in 0..20 {
        let point = sample(&space, &mut rng).expect("there are points");
        assert_eq!(space.fill(&point).decided().map(|own| layers(&own, Layer::Thr).len()), Ok(1));
        assert_eq!(OfSchedules::point(&space, &space.fill(&point)), Some(point));
    }
    assert!(space.refusals().count("S-TEST") > 0);
    let none = |_: &Schedule| Err(Refusal::of("S-TEST: never"));
    let none = PrimitiveSpace::new(layout, &none);
    assert_eq!(sample(&none, &mut rng), None);
}
