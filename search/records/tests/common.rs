//! Records to test with.

use terrace_search_records::record::FORM;
use terrace_search_records::{About, Hash, Id, Record, Relaxed, Store, Wanted};

/// A folder that is deleted in the end, and a store in it
pub fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::create(folder.path().join("store")).expect("a store");
    (folder, store)
}

/// A record of a program on a machine
pub fn record(program: &str, machine: &str, seconds: f64) -> Record {
    Record {
        form: FORM,
        program: Hash::of(program),
        target: Hash::of("target"),
        compiler: Hash::of("compiler"),
        machine: Hash::of(machine),
        schedule: vec![format!("1: (8,^) (^ ; ^) (THR.x,^)")],
        seconds,
        chosen: 1.0,
        about: About { computation: program.into(), ..About::default() },
        unix: 1_800_000_000,
    }
}

/// What finds the records of a program on the machine `here`
pub fn wanted(program: &str) -> Wanted {
    Wanted {
        program: Hash::of(program),
        target: Hash::of("target"),
        compiler: Hash::of("compiler"),
        machine: Hash::of("here"),
    }
}

/// Seconds of the records that are found
pub fn seconds(store: &Store, program: &str) -> Vec<f64> {
    let answer = store.look_up(&wanted(program), Relaxed::default(), 100).expect("the store can be read");
    assert_eq!(answer.unreadable, Vec::<String>::new());
    answer.found.iter().map(|found| found.record.seconds).collect()
}

/// Ids of all records, in their order
pub fn ids(store: &Store) -> Vec<Id> {
    store.contents().expect("the store can be read").records.into_keys().collect()
}

/// Write records into a segment of their own
pub fn write(store: &Store, records: &[Record]) {
    store.write(records).expect("it can be written");
}
