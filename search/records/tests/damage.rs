//! Files that are not as they were written, and folders that are no stores.

use crate::common::{record, seconds, store, wanted, write};
use std::fs;
use terrace_search_records::{Hash, Relaxed, Store, StoreError};

/// A line with this text as its record
pub fn framed(text: &str) -> String {
    format!("{{\"length\":{},\"id\":\"{}\",\"record\":{text}}}", text.len(), Hash::of(text))
}

/// A store of three records in one segment, and its file
fn three() -> (tempfile::TempDir, Store, std::path::PathBuf) {
    let (folder, store) = store();
    write(&store, &[record("a", "here", 0.1), record("a", "here", 0.2), record("a", "here", 0.3)]);
    let (name, _) = store.segments().expect("it can be read").remove(0);
    let file = store.folder().join(name);
    (folder, store, file)
}

/// What a store that is opened anew says and finds
fn said(store: &Store) -> (Vec<String>, Vec<f64>) {
    let store = Store::open(store.folder()).expect("it is a store");
    let contents = store.contents().expect("it can be read");
    let faults = contents.faults.iter().map(ToString::to_string).collect();
    (faults, seconds(&store, "a"))
}

#[test]
fn a_torn_last_line_is_dropped_and_the_store_goes_on() {
    let (_folder, store, file) = three();
    let whole = fs::read(&file).expect("it is there");
    for cut in [1, 2, 100] {
        fs::write(&file, &whole[..whole.len() - cut]).expect("it can be written");
        let (faults, found) = said(&store);
        assert_eq!(found, [0.1, 0.2], "{cut}");
        let name = file.file_name().expect("it has one").to_string_lossy().into_owned();
        assert_eq!(faults, [format!("`{name}`, line 3: cut off, and left out")]);
    }
    // A writer that was only slow ends its line.
    fs::write(&file, &whole).expect("it can be written");
    assert_eq!(said(&store), (vec![], vec![0.1, 0.2, 0.3]));
}

#[test]
fn a_damaged_line_is_skipped_and_named() {
    for (n, wanted) in [(0, [0.2, 0.3]), (1, [0.1, 0.3]), (2, [0.1, 0.2])] {
        let (_folder, store, file) = three();
        let text = fs::read_to_string(&file).expect("it is there");
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines[n] = lines[n].replace("THR.x", "THR.y");
        fs::write(&file, lines.join("\n") + "\n").expect("it can be written");
        let (faults, found) = said(&store);
        assert_eq!(found, wanted);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].ends_with(&format!(", line {}: its checksum is wrong", n + 1)), "{faults:?}");
        let answer =
            store.look_up(&crate::common::wanted("a"), Relaxed::default(), 9).expect("it can be read");
        assert_eq!(answer.damaged.iter().map(|(_, lines)| lines).sum::<u64>(), 1);
    }
}

#[test]
fn whatever_is_in_a_segment_leaves_the_others_readable() {
    let (_folder, store, _) = three();
    let long = vec![b'x'; 3 << 20];
    let good = framed(&serde_json::to_string(&record("a", "here", 0.4)).expect("it is JSON"));
    let newer = framed("{\"form\":2,\"speed\":[1]}");
    let pieces: [&[u8]; 10] = [
        b"\0\0\0",
        b"",
        b"{}",
        b"[1, 2]",
        &[0xff, 0xfe],
        &long,
        good.as_bytes(),
        newer.as_bytes(),
        b"{\"length\":5",
        b"\r",
    ];
    fs::write(store.folder().join("foreign.jsonl"), pieces.map(|piece| [piece, b"\n"].concat()).concat())
        .expect("it can be written");
    fs::create_dir(store.folder().join("folder.jsonl")).expect("it can be made");
    fs::write(store.folder().join("notes.txt"), "no segment").expect("it can be written");
    let (faults, found) = said(&store);
    assert_eq!(found, [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(faults.len(), 9, "{faults:?}");
    assert!(
        faults.iter().any(|fault| fault.ends_with("line 8: it has form 2; this tool reads form 1")),
        "{faults:?}"
    );
    assert!(faults.iter().any(|fault| fault.ends_with("line 6: it has more than 1024 KiB")), "{faults:?}");
}

/// Every byte of a segment changed, the other records stay
#[test]
fn one_changed_byte_costs_one_record_or_two() {
    let (_folder, store, file) = three();
    let whole = fs::read(&file).expect("it is there");
    for n in (0..whole.len()).step_by(7) {
        let mut other = whole.clone();
        other[n] ^= 4;
        fs::write(&file, other).expect("it can be written");
        let left = store.contents().expect("it can be read").records.len();
        // A line break that is gone joins two lines.
        assert!((1..=2).contains(&left), "byte {n}: {left}");
    }
}

#[test]
fn folders_that_are_no_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let none = place("none");
    assert_eq!(Store::open(&none).err(), Some(StoreError::Missing(none.clone())));
    assert!(!none.exists(), "looking makes nothing");
    fs::create_dir(place("full")).expect("it can be made");
    fs::write(place("full").join("thesis.txt"), "all of it").expect("it can be written");
    for refused in [Store::open(place("full")), Store::create(place("full"))] {
        assert_eq!(refused.err(), Some(StoreError::NotAStore(place("full"))));
    }
    assert_eq!(fs::read_dir(place("full")).expect("it is there").count(), 1, "nothing is written there");
    fs::write(place("file"), "").expect("it can be written");
    assert!(matches!(Store::create(place("file")).err(), Some(StoreError::NotAStore(_))));
    for (name, text) in
        [("newer", "{\"store\":\"terrace-records/2\"}"), ("odd", "{\"store\":7}"), ("empty", "")]
    {
        fs::create_dir(place(name)).expect("it can be made");
        fs::write(place(name).join("terrace-records.json"), text).expect("it can be written");
        let error = Store::create(place(name)).err().expect("it is none");
        match name {
            "newer" => assert!(
                error.to_string().ends_with("form `terrace-records/2`; this tool reads `terrace-records/1`")
            ),
            _ => assert_eq!(error, StoreError::NotAStore(place(name))),
        }
    }
    fs::create_dir(place("fresh")).expect("it can be made");
    assert!(Store::create(place("fresh")).is_ok() && Store::open(place("fresh")).is_ok());
    assert!(Store::create(place("a/b/c")).is_ok());
}

#[test]
fn a_record_that_a_segment_has_lost_is_named() {
    let (_folder, store, file) = three();
    assert_eq!(seconds(&store, "a"), [0.1, 0.2, 0.3]);
    let text = fs::read_to_string(&file).expect("it is there");
    // As many bytes as before: nothing shows that something has changed.
    fs::write(&file, text.replace("THR", "BLK")).expect("it can be written");
    let answer = store.look_up(&wanted("a"), Relaxed::default(), 9).expect("it can be read");
    assert_eq!((answer.found.len(), answer.unreadable.len()), (0, 3));
    assert!(answer.unreadable[0].ends_with("its checksum is wrong"), "{:?}", answer.unreadable);
}
