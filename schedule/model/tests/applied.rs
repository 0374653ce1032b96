//! Schedules applied to computations, and the loops walked: each element is read once for each point, and none is left out.

use crate::small::{At, FOLDED, computation, copy, product, schedule};
use std::collections::BTreeMap;
use terrace_schedule_model::apply::{Extras, apply, naive};
use terrace_schedule_model::computation::{Computation, DimKind};
use terrace_schedule_model::nest::{Access, Bound, Index, LoopId, Nest};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Tail;
use terrace_schedule_model::{Decided, Schedule};
use terrace_support::Random;

/// Values of the variables of the loops around an access, in every iteration
fn rounds(nest: &Nest, access: &Access) -> Vec<BTreeMap<LoopId, i64>> {
    let mut path: Vec<LoopId> = nest.around(access.around.inside).collect();
    path.reverse();
    let mut all = vec![BTreeMap::new()];
    for id in path {
        let own = &nest.loops[id];
        let (end, tile) = (own.extent.known().expect("decided"), own.tile.known().expect("decided"));
        let of = |bound: &Bound, at: &BTreeMap<LoopId, i64>| -> Vec<i64> {
            let dims: Vec<i64> =
                bound.over.iter().map(|index| at[&index.as_loop().expect("a loop")]).collect();
            bound.map.eval(&dims, &[]).expect("small")
        };
        let mut next = Vec::new();
        for at in &all {
            let low = own.from.iter().flat_map(|bound| of(bound, at)).max().unwrap_or(0);
            let high = own.limit.iter().flat_map(|bound| of(bound, at)).min().unwrap_or(i64::MAX);
            for i in (0..end).step_by(tile as usize).filter(|i| *i >= low && *i < high) {
                let mut inner = at.clone();
                inner.insert(id, i);
                next.push(inner);
            }
        }
        all = next;
    }
    all
}

/// How often each element of the first buffer is read
fn reads(nest: &Nest, c: &Computation) -> BTreeMap<Vec<i64>, usize> {
    let mut counts = BTreeMap::new();
    let shape = &c.buffers[0].shape;
    let first = nest.buffers.entries().find(|(_, own)| own.made.is_none()).map(|(id, _)| id);
    for access in nest.accesses.iter().filter(|access| Some(access.buffer) == first && access.reads()) {
        // Lowering reads neutral elements where tiles are padded.
        let padded = nest.around(access.around.inside).any(|id| nest.loops[id].tail == Some(Tail::Pad));
        for at in rounds(nest, access) {
            let of = |index: &Index| at[&index.as_loop().expect("a loop")];
            let dims: Vec<i64> = access.over.iter().map(of).collect();
            let place = access.map.eval(&dims, &[]).expect("small");
            let inside = place.iter().zip(shape).all(|(i, size)| (0..*size).contains(i));
            assert!(inside || padded, "{place:?} is outside of {shape:?}");
            if inside {
                *counts.entry(place).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// Each element as often as there are points that differ in other dimensions only
#[track_caller]
fn walks_all(c: &Computation, schedule: &Schedule<Decided>, times: usize) {
    let nest = apply(c, schedule, &Extras::default()).expect("legal");
    let counts = reads(&nest, c);
    let elements: i64 = c.buffers[0].shape.iter().product();
    assert_eq!(counts.len() as i64, elements);
    assert!(counts.values().all(|count| *count == times), "{counts:?}");
}

#[test]
fn what_is_left_out_is_one_loop_for_each_dimension() {
    let c = product(3, 5, 7);
    assert_eq!(naive(&c).steps.len(), 1);
    walks_all(&c, &naive(&c), 5);
    walks_all(&copy(7, 1), &naive(&copy(7, 1)), 1);
}

#[test]
fn tiles_of_odd_sizes_walk_each_point_once() {
    for tail in ["limit", "peel", "pad"] {
        let text = format!(
            "(4~{tail},3~{tail},2~{tail}) (^,^ ; ^) (FOR.1,FOR.2,FOR.3) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"
        );
        walks_all(&product(7, 5, 3), &schedule(&text), 5);
        walks_all(&product(1, 3, 2), &schedule(&text.replace("(4", "(1").replace("2~", "1~")), 3);
    }
}

#[test]
fn positions_in_code_do_not_change_what_is_walked() {
    for [a, b, c] in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        let text = format!(
            "{a}: (6~limit,2) (^ ; ^) (FOR.1,FOR.2) {b}: (3,2) (^ ; ^) (FOR.2,FOR.1) {c}: (1,1) (^ ; ^) (FOR.1,FOR.2)"
        );
        walks_all(&copy(13, 4), &schedule(&text), 1);
    }
}

/// S[i, j] = sum of A[i, j, k]
fn volume(i: i64, j: i64, k: i64) -> Computation {
    let dims = [("i", i, DimKind::Kept), ("j", j, DimKind::Kept), ("k", k, FOLDED)];
    let (i, j, k): (At, At, At) = ((&[(0, 1)], 0), (&[(1, 1)], 0), (&[(2, 1)], 0));
    computation(&dims, &[&[i, j, k]], &[i, j])
}

/// A random schedule of loops in order: sizes, tails, labels, numbers
fn random_schedule(random: &mut Random, c: &Computation) -> String {
    let steps = 1 + random.below(3usize);
    let mut labels: Vec<usize> = (1..=steps).collect();
    for n in (1..steps).rev() {
        labels.swap(n, random.below(n + 1));
    }
    let mut above = c.extents();
    let mut text = String::new();
    for (n, label) in labels.iter().enumerate() {
        let sizes: Vec<String> = above
            .iter_mut()
            .map(|above| {
                let size = if n + 1 == steps { 1 } else { 1 + random.below(*above) };
                let divides = *above % size == 0;
                *above = size;
                let tail = random.pick(&["limit", "peel", "pad"]);
                if divides { size.to_string() } else { format!("{size}~{tail}") }
            })
            .collect();
        let mut numbers: Vec<usize> = (1..=above.len()).collect();
        for n in (1..numbers.len()).rev() {
            numbers.swap(n, random.below(n + 1));
        }
        let cores: Vec<String> =
            numbers.iter().map(|n| format!("{}.{n}", random.pick(&["FOR", "FOR", "UNR"]))).collect();
        let ins = vec!["^"; c.buffers.len()].join(",");
        text += &format!("{label}: ({}) ({ins} ; ^) ({})\n", sizes.join(","), cores.join(","));
    }
    text
}

#[test]
fn random_schedules_that_apply_walk_each_point_once() {
    let mut random = Random::new(31);
    let mut applied = 0;
    for round in 0..800 {
        let size = |random: &mut Random| 1 + random.below(11i64);
        let c = match random.below(2) {
            0 => copy(size(&mut random), size(&mut random)),
            _ => volume(size(&mut random), size(&mut random), 1 + random.below(4i64)),
        };
        let text = random_schedule(&mut random, &c);
        let Ok(nest) = apply(&c, &schedule(&text), &Extras::default()) else { continue };
        applied += 1;
        let counts = reads(&nest, &c);
        let elements: i64 = c.buffers[0].shape.iter().product();
        assert_eq!(counts.len() as i64, elements, "{round}: {:?}\n{text}", c.extents());
        assert!(counts.values().all(|own| *own == 1), "{round}: {:?}\n{text}{counts:?}", c.extents());
    }
    assert!(applied > 400, "{applied}");
}

#[test]
fn overlapping_windows_read_each_of_their_elements() {
    // A[2 p + r]: elements of a window of 3 by steps of 2.
    let dims = [("p", 5, DimKind::Kept), ("r", 3, FOLDED)];
    let c = computation(&dims, &[&[(&[(0, 2), (1, 1)], 0)]], &[(&[(0, 1)], 0)]);
    let nest =
        apply(&c, &schedule("(2~limit,^) (^ ; ^) (FOR.1,^) (1,1) (^ ; ^) (FOR.1,FOR.2)"), &Extras::default());
    let counts: Vec<usize> = reads(&nest.expect("legal"), &c).into_values().collect();
    // Every second element is in two windows, but for both ends.
    assert_eq!(counts, [1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1]);
}

#[test]
fn buffers_hold_what_is_read_inside() {
    let c = product(12, 8, 10);
    let text = "(4,8,^) (L2,^ ; ^) (FOR.1,FOR.2,^) (^,^,5) (^,L1[2,1] ; ^) (^,^,FOR.1) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)";
    let nest = apply(&c, &schedule(text), &Extras::default()).expect("legal");
    let shapes: Vec<&[i64]> =
        nest.buffers.iter().filter(|own| own.made.is_some()).map(|own| own.shape.as_slice()).collect();
    // Rows of A for four i and all k; B transposed for five k and all j.
    assert_eq!(shapes, [&[4, 10][..], &[8, 5][..]]);
    assert_eq!(nest.buffers.iter().filter(|own| own.made.is_none()).count(), 2);
}

#[test]
fn panels_are_dimensions_of_their_own() {
    let c = product(4, 8, 6);
    let text = "(^,^,^) (^,L2[2/4,1,2%4] ; ^) (^,^,^) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)";
    let nest = apply(&c, &schedule(text), &Extras::default()).expect("legal");
    let made = nest.buffers.iter().find(|own| own.made.is_some()).expect("a buffer");
    assert_eq!(made.shape, [2, 6, 4]);
}

#[test]
fn loops_stand_in_the_order_of_labels_axes_and_numbers() {
    let c = product(8, 8, 8);
    let dims = |text: &str| -> Vec<(i64, i64)> {
        let nest = apply(&c, &schedule(text), &Extras::default()).expect("legal");
        nest.loops.iter().map(|own| (own.dim.expect("one"), own.extent.known().expect("decided"))).collect()
    };
    assert_eq!(dims("(1,1,1) (^,^ ; ^) (FOR.3,FOR.1,FOR.2)"), [(1, 8), (2, 8), (0, 8)]);
    // Parallel axes x, y, z come before numbers.
    assert_eq!(dims("(1,1,1) (^,^ ; ^) (FOR.1,THR.y,THR.x(partials))"), [(2, 8), (1, 8), (0, 8)]);
    // The second step stands outside.
    assert_eq!(
        dims("2: (4,^,^) (^,^ ; ^) (FOR.1,^,^) 1: (1,1,1) (^,^ ; ^) (FOR.3,FOR.1,FOR.2)")
            .into_iter()
            .filter(|(dim, _)| *dim == 0)
            .collect::<Vec<_>>(),
        [(0, 4), (0, 8)]
    );
}

#[test]
fn loops_of_a_nest_stand_before_what_is_inside() {
    let c = product(8, 8, 8);
    let nest = apply(&c, &naive(&c), &Extras::default()).expect("legal");
    for (id, own) in nest.loops.entries() {
        assert!(own.around.inside.is_none_or(|outer| outer < id));
        assert!(own.end as usize > id.index());
    }
}
