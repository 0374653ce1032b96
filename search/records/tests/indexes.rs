//! The derived index: whatever becomes of it, look-ups find the same.

use crate::common::{record, seconds, store, wanted, write};
use std::fs;
use terrace_search_records::{Relaxed, Store};

const INDEX: &str = "index.redb";

/// A store whose index is on disk, and closed
fn indexed() -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, store) = store();
    let some: Vec<_> = (1..400).map(|n| record("a", "here", f64::from(n))).collect();
    write(&store, &some);
    assert_eq!(seconds(&store, "a").len(), 100);
    (folder, store.folder().to_path_buf())
}

fn found(folder: &std::path::Path) -> Vec<f64> {
    seconds(&Store::open(folder).expect("it is a store"), "a")
}

#[test]
fn a_damaged_index_is_made_anew() {
    let (_folder, place) = indexed();
    let file = place.join(INDEX);
    let good = fs::read(&file).expect("there is an index");
    let expected = found(&place);
    let damages: [fn(&mut Vec<u8>); 6] = [
        |bytes| bytes.clear(),
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes.truncate(17),
        |bytes| bytes.fill(0),
        |bytes| bytes.fill(0xa5),
        |bytes| bytes[4096..].iter_mut().step_by(97).for_each(|byte| *byte ^= 0x55),
    ];
    for (n, damage) in damages.iter().enumerate() {
        let mut bytes = good.clone();
        damage(&mut bytes);
        fs::write(&file, bytes).expect("it can be written");
        assert_eq!(found(&place), expected, "damage {n}");
        assert_eq!(found(&place), expected, "damage {n}, once more");
    }
    fs::remove_file(&file).expect("it is there");
    assert_eq!(found(&place), expected);
    assert!(file.exists());
    // What has come since is in it after the next look-up: a process that only reads finds it there.
    let bytes = |file: &std::path::Path| fs::read(file).expect("it is there");
    let before = bytes(&file);
    write(&Store::open(&place).expect("it is a store"), &[record("a", "here", 0.75)]);
    assert_eq!(found(&place)[0], 0.75);
    assert_ne!(bytes(&file), before, "it is brought up to date");
    let after = bytes(&file);
    assert_eq!(found(&place)[0], 0.75);
    assert_eq!(bytes(&file), after, "there is nothing to add");
    fs::remove_file(&file).expect("it is there");
    let expected = found(&place);
    // A folder in its place cannot be replaced.
    fs::remove_file(&file).expect("it is there");
    fs::create_dir(&file).expect("it can be made");
    assert_eq!(found(&place), expected);
}

#[test]
fn an_index_of_segments_that_are_gone_is_made_anew() {
    let (_folder, place) = indexed();
    let store = Store::open(&place).expect("it is a store");
    let (name, _) = store.segments().expect("it can be read").remove(0);
    write(&store, &[record("a", "here", 0.5)]);
    assert_eq!(found(&place)[0], 0.5);
    fs::remove_file(place.join(name)).expect("it is there");
    assert_eq!(found(&place), [0.5]);
    write(&store, &[record("a", "here", 0.25)]);
    assert_eq!(found(&place), [0.25, 0.5]);
}

#[test]
fn what_is_newer_than_an_index_that_is_held_is_found() {
    let (_folder, place) = indexed();
    let holder = Store::open(&place).expect("it is a store");
    assert_eq!(seconds(&holder, "a")[0], 1.0);
    write(&holder, &[record("a", "here", 0.5)]);
    // The holder's process keeps the file; a second look reads it, and the rest of the segments.
    let second = Store::open(&place).expect("it is a store");
    assert_eq!(seconds(&second, "a")[0], 0.5);
    let answer = second.look_up(&wanted("b"), Relaxed::default(), 9).expect("it can be read");
    assert_eq!(answer.found, []);
    drop(holder);
    assert_eq!(found(&place)[0], 0.5);
}

/// Root may write everywhere: there the folder is as any other
#[test]
fn a_folder_that_may_only_be_read_is_enough_to_look_up() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, place) = indexed();
    fs::remove_file(place.join(INDEX)).expect("it is there");
    let mode = |mode| fs::set_permissions(&place, fs::Permissions::from_mode(mode)).expect("it is ours");
    mode(0o555);
    let all = found(&place);
    let refused = Store::open(&place).expect("it is a store").check_writable();
    mode(0o755);
    assert_eq!(all[0], 1.0);
    let is_root = refused.is_ok();
    assert!(is_root || refused.is_err_and(|why| why.to_string().starts_with("cannot write ")));
}
