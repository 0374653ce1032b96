//! Which records a look-up finds, in which order, and what it states of others.

use crate::common::{record, seconds, store, wanted, write};
use terrace_search_records::{Hash, Record, Relaxed};

const ANY_MACHINE: Relaxed = Relaxed { machine: true, compiler: false };
const ANY_COMPILER: Relaxed = Relaxed { machine: false, compiler: true };

#[test]
fn the_fastest_is_first() {
    let (_folder, store) = store();
    write(&store, &[record("a", "here", 0.3), record("b", "here", 0.01)]);
    write(&store, &[record("a", "here", 0.1), record("a", "here", 0.2)]);
    assert_eq!(seconds(&store, "a"), [0.1, 0.2, 0.3]);
    assert_eq!(seconds(&store, "b"), [0.01]);
    let best = store.look_up(&wanted("a"), Relaxed::default(), 1).expect("it can be read");
    assert_eq!(best.found.len(), 1);
    assert_eq!(best.found[0].record, record("a", "here", 0.1));
}

#[test]
fn each_hash_can_keep_a_record_from_being_taken() {
    let (_folder, store) = store();
    let one = record("a", "here", 0.1);
    let none = store.look_up(&wanted("a"), Relaxed::default(), 8).expect("it can be read");
    assert!(!none.other_target && !none.other_compiler && !none.other_machine);
    write(&store, &[Record { target: Hash::of("another"), ..one.clone() }]);
    let answer = store.look_up(&wanted("a"), ANY_MACHINE, 8).expect("it can be read");
    assert_eq!((answer.found.len(), answer.other_target), (0, true));
    write(&store, &[Record { compiler: Hash::of("another"), ..one.clone() }]);
    let answer = store.look_up(&wanted("a"), ANY_MACHINE, 8).expect("it can be read");
    assert_eq!((answer.found.len(), answer.other_compiler, answer.other_machine), (0, true, false));
    write(&store, &[Record { machine: Hash::of("another"), ..one.clone() }]);
    let answer = store.look_up(&wanted("a"), Relaxed::default(), 8).expect("it can be read");
    assert_eq!((answer.found.len(), answer.other_machine), (0, true));
    for (relaxed, found) in
        [(ANY_MACHINE, 1), (ANY_COMPILER, 1), (Relaxed { machine: true, compiler: true }, 2)]
    {
        let answer = store.look_up(&wanted("a"), relaxed, 8).expect("it can be read");
        assert_eq!(answer.found.len(), found, "{relaxed:?}");
    }
}

#[test]
fn records_of_this_machine_come_before_faster_ones_of_others() {
    let (_folder, store) = store();
    write(&store, &[record("a", "there", 0.001), record("a", "here", 0.5), record("a", "elsewhere", 0.002)]);
    let answer = store.look_up(&wanted("a"), ANY_MACHINE, 8).expect("it can be read");
    let all: Vec<f64> = answer.found.iter().map(|found| found.record.seconds).collect();
    assert_eq!(all, [0.5, 0.001, 0.002]);
}

/// Against a list that is filtered and sorted
#[test]
fn random_stores_give_what_a_list_gives() {
    let mut random = terrace_support::Random::new(7);
    let mut draw = |most: u64| random.below(most as usize) as u64;
    for _ in 0..20 {
        let (_folder, store) = store();
        let mut all: Vec<Record> = Vec::new();
        for _ in 0..draw(6) {
            let some: Vec<Record> = (0..draw(12))
                .map(|_| {
                    let machine = ["here", "there"][draw(2) as usize];
                    record(["a", "b", "c"][draw(3) as usize], machine, (1 + draw(9)) as f64 * 0.125)
                })
                .collect();
            write(&store, &some);
            all.extend(some);
            for program in ["a", "b", "c"] {
                let own = |one: &&Record| one.about.computation == program && one.machine == Hash::of("here");
                let mut expected: Vec<f64> = all.iter().filter(own).map(|one| one.seconds).collect();
                expected.sort_by(f64::total_cmp);
                // Equal texts are one record.
                expected.dedup();
                assert_eq!(seconds(&store, program), expected);
            }
        }
    }
}
