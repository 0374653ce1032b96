//! The laws of merging, and what pruning keeps.

use crate::common::{ids, record, seconds, store, write};
use std::fs;
use terrace_search_records::{Merged, Pruned, Store};

/// A store of random records; some are in several of those that are drawn
fn drawn(random: &mut terrace_support::Random) -> (tempfile::TempDir, Store) {
    let (folder, store) = store();
    for _ in 0..random.below(4) {
        let some: Vec<_> = (0..random.below(5))
            .map(|_| record(["a", "b"][random.below(2)], "here", (1 + random.below(9)) as f64))
            .collect();
        write(&store, &some);
    }
    (folder, store)
}

/// A new store of these, merged one after the other
fn merged(stores: &[&Store]) -> (tempfile::TempDir, Store) {
    let (folder, all) = store();
    for one in stores {
        all.merge(one).expect("they can be merged");
    }
    (folder, all)
}

#[test]
fn merging_is_idempotent_commutative_and_associative() {
    let mut random = terrace_support::Random::new(3);
    for _ in 0..25 {
        let [a, b, c] = std::array::from_fn(|_| drawn(&mut random));
        let (a, b, c) = (&a.1, &b.1, &c.1);
        let sets = |stores: &[&Store]| {
            let (_folder, store) = merged(stores);
            ids(&store)
        };
        let mut union = [ids(a), ids(b), ids(c)].concat();
        union.sort();
        union.dedup();
        assert_eq!(sets(&[a, b, c]), union);
        assert_eq!(sets(&[c, a, b]), union);
        assert_eq!(sets(&[a, a, b, c, b]), union);
        let (_left, ab) = merged(&[a, b]);
        let (_right, bc) = merged(&[b, c]);
        assert_eq!(sets(&[&ab, c]), union);
        assert_eq!(sets(&[a, &bc]), union);
        let before = fs::read_dir(ab.folder()).expect("it is there").count();
        assert_eq!(ab.merge(&ab).expect("with itself").copied, 0);
        assert_eq!(fs::read_dir(ab.folder()).expect("it is there").count(), before);
    }
}

#[test]
fn segments_of_one_name_are_both_kept() {
    let ((_a, a), (_b, b)) = (store(), store());
    for (store, program) in [(&a, "a"), (&b, "b")] {
        write(store, &[record(program, "here", 0.5)]);
        let (name, _) = store.segments().expect("it can be read").remove(0);
        fs::rename(store.folder().join(name), store.folder().join("same.jsonl")).expect("it can be renamed");
    }
    assert_eq!(a.merge(&b), Ok(Merged { copied: 1, known: 0 }));
    assert_eq!(a.merge(&b), Ok(Merged { copied: 0, known: 1 }));
    assert_eq!((seconds(&a, "a").len(), seconds(&a, "b").len()), (1, 1));
}

#[test]
fn a_segment_that_has_grown_is_taken_again() {
    let ((_a, a), (_b, b)) = (store(), store());
    write(&a, &[record("a", "here", 0.5)]);
    b.merge(&a).expect("they can be merged");
    assert_eq!(seconds(&b, "a"), [0.5]);
    // Its writer goes on.
    let (name, _) = a.segments().expect("it can be read").remove(0);
    let (_c, c) = store();
    write(&c, &[record("a", "here", 0.25)]);
    let (other, _) = c.segments().expect("it can be read").remove(0);
    let more = fs::read(c.folder().join(other)).expect("it is there");
    let whole = [fs::read(a.folder().join(&name)).expect("it is there"), more].concat();
    fs::write(a.folder().join(&name), whole).expect("it can be written");
    assert_eq!(b.merge(&a), Ok(Merged { copied: 1, known: 0 }));
    assert_eq!(seconds(&b, "a"), [0.25, 0.5]);
    // The older one is a part of it.
    assert_eq!(b.merge(&a), Ok(Merged { copied: 0, known: 1 }));
}

#[test]
fn pruning_keeps_the_fastest_of_each_machine_and_what_is_newer() {
    let (_folder, store) = store();
    write(&store, &[record("a", "here", 0.3), record("a", "there", 0.9), record("b", "here", 0.7)]);
    write(&store, &[record("a", "here", 0.1), record("a", "here", 0.2), record("a", "here", 0.3)]);
    let newer = crate::damage::framed("{\"form\":9,\"speed\":1}");
    fs::write(store.folder().join("foreign.jsonl"), format!("{newer}\nnoise\n{newer}\ncut o"))
        .expect("it can be written");
    assert_eq!(seconds(&store, "a"), [0.1, 0.2, 0.3]);
    let pruned = store.prune(1).expect("it can be pruned");
    assert_eq!(pruned, Pruned { before: 5, after: 3, dropped: 2, newer: 1 });
    assert_eq!((seconds(&store, "a"), seconds(&store, "b")), (vec![0.1], vec![0.7]));
    let contents = store.contents().expect("it can be read");
    assert_eq!((contents.records.len(), contents.faults.len()), (3, 1), "{:?}", contents.faults);
    assert_eq!(store.prune(1), Ok(Pruned { before: 3, after: 3, dropped: 0, newer: 1 }));
}
