//! Finding one's way in a nest: what stands around, inside, and between.

use terrace_devices::Level::{Block, Seq, Task, Thread, Vector};
use terrace_devices::{Axis, Level, Mechanism, Per, Space};
use terrace_schedule_model::nest::{Around, Buffer, Combine, Hole, Launch, Loop, LoopId, Made, Nest, Open};
use terrace_schedule_model::nest_arena::{Arena, Id};
use terrace_schedule_model::nest_combine::{Combination, Order, Tail};
use terrace_schedule_model::nest_decided::{Decided, Values, is_spread, trip};

/// Loops by depth, dimension, extent, tile and level, in the order of the text
fn nest(loops: &[(usize, i64, i64, i64, Level)]) -> Nest {
    let mut nest = Nest::default();
    for (n, (depth, dim, extent, tile, level)) in loops.iter().enumerate() {
        let outer = (0..n).rev().find(|m| loops[*m].0 < *depth).map(LoopId::new);
        let end = (n + 1..loops.len()).find(|m| loops[*m].0 <= *depth).unwrap_or(loops.len());
        nest.loops.push(Loop {
            around: Around { inside: outer, ..Around::default() },
            end: end as u32,
            dim: Some(*dim),
            extent: Open::Is(*extent),
            tile: Open::Is(*tile),
            level: Open::Is(*level),
            merged: Open::Is(false),
            combine: Combine {
                kind: Combination::Cc,
                order: Order::Fixed,
                mechanism: Mechanism::Auto,
                results: 0,
                operators: Vec::new(),
            },
            from: None,
            limit: None,
            tail: None,
            stages: None,
            nowait: false,
            step: None,
        });
    }
    nest
}

/// 0 { 1 { 2 } 3 } 4
fn tree() -> Nest {
    let loops = [
        (0, 0, 16, 4, Task),
        (1, 1, 8, 1, Seq),
        (2, 0, 4, 1, Vector),
        (1, 0, 4, 2, Seq),
        (0, 0, 16, 16, Seq),
    ];
    nest(&loops)
}

fn numbers(ids: impl IntoIterator<Item = LoopId>) -> Vec<usize> {
    ids.into_iter().map(Id::index).collect()
}

fn id(n: usize) -> LoopId {
    LoopId::new(n)
}

#[test]
fn loops_around_come_inner_ones_first() {
    let nest = tree();
    assert_eq!(numbers(nest.outside(id(2))), [1, 0]);
    assert_eq!(numbers(nest.around(Some(id(2)))), [2, 1, 0]);
    assert_eq!(numbers(nest.around(None)), [0; 0]);
    assert_eq!((nest.parent(id(3)), nest.parent(id(4))), (Some(id(0)), None));
}

#[test]
fn loops_inside_follow_without_a_gap() {
    let nest = tree();
    assert_eq!(numbers(nest.inside(id(0))), [1, 2, 3]);
    assert_eq!(numbers(nest.inside(id(1))), [2]);
    assert_eq!(numbers(nest.inside(id(4))), [0; 0]);
    for (a, b, inside) in [(2, 0, true), (0, 0, true), (3, 1, false), (4, 0, false), (0, 2, false)] {
        assert_eq!(nest.is_in(Some(id(a)), id(b)), inside, "{a} in {b}");
    }
    assert!(!nest.is_in(None, id(0)));
}

#[test]
fn what_two_places_have_around_them() {
    let nest = tree();
    assert_eq!(numbers(nest.common(Some(id(2)), Some(id(3)))), [0]);
    assert_eq!(numbers(nest.common(Some(id(2)), Some(id(1)))), [1, 0]);
    assert_eq!(numbers(nest.common(Some(id(2)), Some(id(4)))), [0; 0]);
    assert_eq!(numbers(nest.between(Some(id(2)), Some(id(0)))), [1, 2]);
    assert_eq!(numbers(nest.between(Some(id(2)), None)), [0, 1, 2]);
}

#[test]
fn chains_are_of_one_dimension_and_one_path() {
    let nest = tree();
    // 3 stands inside of 0 as 2 does: from 0 both are on a path.
    assert_eq!(numbers(nest.chain(id(0))), [0, 2, 3]);
    assert_eq!(numbers(nest.chain(id(2))), [0, 2]);
    assert_eq!(numbers(nest.chain(id(1))), [1]);
    assert_eq!(numbers(nest.chain(id(4))), [4]);
}

#[test]
fn trips_are_rounded_up() {
    for (extent, tile, count) in [
        (16, 4, 4),
        (17, 4, 5),
        (1, 1, 1),
        (3, 8, 1),
        (0, 4, 0),
        (-3, 1, 0),
        (5, 0, 0),
        (5, -1, 0),
        (i64::MAX, 1, i64::MAX),
    ] {
        assert_eq!(trip(extent, tile), count, "{extent} by {tile}");
    }
}

#[test]
fn values_are_those_of_decided_nests() {
    let mut nest = tree();
    let values = Values::of(&nest).expect("decided");
    let own = Decided::new(&nest, &values);
    assert_eq!([0, 1, 2, 3, 4].map(|n| own.trip(id(n))), [4, 8, 4, 2, 1]);
    assert!(own.is_parallel(id(0)) && own.is_parallel(id(2)));
    assert!(!own.is_parallel(id(1)) && !own.is_parallel(id(4)));
    let range = own.range(id(0));
    assert_eq!((range.min(), range.max()), (0, 12));
    let hole = nest.holes.push(Hole { name: "m".into(), structural: false });
    nest.loops[id(1)].level = Open::Hole(hole);
    assert_eq!(Values::of(&nest), None);
    let filled = Values::complete(&nest, |_| Some(Task)).expect("sizes are known");
    assert_eq!(Decided::new(&nest, &filled).level(id(1)), Task);
    nest.loops[id(0)].tile = Open::Hole(hole);
    assert_eq!(Values::complete(&nest, |_| Some(Task)), None);
    assert!(!nest.is_decided() && !nest.has_open_structure());
    nest.holes[hole].structural = true;
    assert!(nest.has_open_structure());
}

#[test]
fn another_level_may_be_tried() {
    let nest = tree();
    let mut values = Values::of(&nest).expect("decided");
    values.set_level(id(0), Block(Axis::X));
    let own = Decided::new(&nest, &values);
    assert_eq!((own.level(id(0)), nest.loops[id(0)].level.known()), (Block(Axis::X), Some(Task)));
}

fn made(
    nest: &mut Nest,
    inside: Option<usize>,
    per: Option<Per>,
    space: Space,
) -> terrace_schedule_model::nest::BufferId {
    let around = Around { inside: inside.map(id), ..Around::default() };
    let made = Made { around, per, place: 0, there: Open::Is(true), step: None };
    nest.buffers.push(Buffer {
        space,
        named: None,
        shape: vec![4, 3],
        bytes: 8,
        made: Some(made),
        part: None,
    })
}

#[test]
fn buffers_are_shared_by_loops_outside_of_which_they_are_made() {
    let mut nest = nest(&[(0, 0, 4, 1, Block(Axis::X)), (1, 0, 4, 1, Thread(Axis::X)), (2, 0, 4, 1, Seq)]);
    let outer = made(&mut nest, Some(0), None, Space::Shared);
    let inner = made(&mut nest, Some(1), None, Space::Private);
    let together = made(&mut nest, Some(1), Some(Per::Block), Space::Shared);
    let values = Values::of(&nest).expect("decided");
    let own = Decided::new(&nest, &values);
    let between = |buffer| numbers(own.between_uses(buffer, Some(id(2))));
    assert_eq!(between(outer), [2, 1]);
    assert_eq!(between(inner), [2]);
    // One for all threads of the block, though it stands inside of their loop.
    assert_eq!(between(together), [2, 1]);
    let owner = |buffer| own.owner(own.buffers[buffer].made.as_ref().expect("made"));
    assert_eq!([outer, inner, together].map(owner), [Some(id(0)), Some(id(1)), Some(id(0))]);
}

#[test]
fn sizes_of_buffers_are_bytes() {
    let mut nest = Nest::default();
    let id = made(&mut nest, None, None, Space::Shared);
    assert_eq!(nest.buffers[id].size(), 96);
    assert!(nest.buffers[id].is_own_of_block() && !nest.buffers[id].is_private());
    nest.buffers[id].shape = vec![4, -1];
    assert_eq!(nest.buffers[id].size(), i64::MAX);
    nest.buffers[id].shape = vec![i64::MAX, 3];
    assert_eq!(nest.buffers[id].size(), i64::MAX);
    nest.buffers[id].shape = Vec::new();
    assert_eq!(nest.buffers[id].size(), 8);
    nest.buffers[id].made = None;
    assert!(!nest.buffers[id].is_own_of_block());
}

#[test]
fn threads_are_spread_over_a_block_and_blocks_are_not() {
    for level in Level::ALL {
        let wanted = matches!(level, Thread(_) | Level::Warp(_) | Level::Lane(_) | Level::Global(_));
        assert_eq!(is_spread(level), wanted, "{level}");
    }
}

#[test]
fn a_kernel_that_follows_from_the_loops_is_around_all() {
    let mut nest = tree();
    made(&mut nest, Some(1), None, Space::Shared);
    nest.infer_launch();
    assert_eq!(nest.launches.len(), 1);
    assert!(nest.loops.iter().all(|own| own.around.launch.is_some()));
    assert!(nest.made().all(|(_, _, own)| own.around.launch.is_some()));
    assert!(nest.launch_of(id(0)).is_some_and(|launch| launch.inferred && launch.grid == [0; 3]));
    let before = nest.clone();
    nest.infer_launch();
    assert_eq!(nest, before);
    let said = Launch { inferred: false, grid: [1; 3], block: [2, 3, 5], cluster: [1; 3], subgroup: 32 };
    assert_eq!(said.threads(), 30);
}

#[test]
fn arenas_count_in_order() {
    let mut all: Arena<LoopId, &str> = Arena::default();
    assert!(all.is_empty());
    let ids: Vec<LoopId> = ["a", "b", "c"].into_iter().map(|own| all.push(own)).collect();
    assert_eq!((all.len(), numbers(all.ids())), (3, vec![0, 1, 2]));
    assert_eq!(all[ids[1]], "b");
    all[ids[1]] = "x";
    assert_eq!(all.iter().copied().collect::<String>(), "axc");
    assert_eq!(
        all.entries().rev().map(|(id, own)| format!("{}{own}", id.index())).collect::<String>(),
        "2c1x0a"
    );
    assert!(ids.is_sorted());
}

#[test]
fn words_of_loops_read_back() {
    for word in Combination::WORDS {
        assert_eq!(word.parse::<Combination>().expect("a word").to_string(), *word);
    }
    for word in Order::WORDS {
        assert_eq!(word.parse::<Order>().expect("a word").to_string(), *word);
    }
    for word in Tail::WORDS {
        assert_eq!(word.parse::<Tail>().expect("a word").to_string(), *word);
    }
    assert!("pW".parse::<Combination>().is_err() && "".parse::<Order>().is_err());
    assert_eq!((Combination::default(), Order::default()), (Combination::Cc, Order::Fixed));
}
