//! Several processes with one store.

use crate::common::{ids, record, seconds, store};
use std::process::{Child, Command};
use terrace_search_records::Store;

const FOLDER: &str = "TERRACE_TEST_STORE";
const NUMBER: &str = "TERRACE_TEST_NUMBER";

/// Records that a process writes, each into a segment of its own, with look-ups in between
const EACH: u32 = 20;

/// What a process does that the test below starts; by itself it is the first one, in a store of its own
#[test]
fn a_process_writes_and_looks_up() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = std::env::var_os(FOLDER).map_or(own.path().to_path_buf(), Into::into);
    let number: u32 = std::env::var(NUMBER).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let program = format!("of {number}");
    for n in 1..=EACH {
        let store = Store::create(&folder).expect("a store");
        store.write(&[record(&program, "here", f64::from(n))]).expect("it can be written");
        assert_eq!(seconds(&store, &program).len(), n as usize, "what was written is found");
    }
}

fn start(folder: &std::path::Path, number: u32) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "writers::a_process_writes_and_looks_up"]);
    command.env(FOLDER, folder).env(NUMBER, number.to_string()).stdout(std::process::Stdio::null());
    command.spawn().expect("it starts")
}

#[test]
fn processes_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("store");
    let children: Vec<Child> = (0..3).map(|number| start(&place, number)).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let store = Store::open(&place).expect("it is a store");
    assert_eq!(ids(&store).len(), 3 * EACH as usize);
    assert_eq!(store.contents().expect("it can be read").faults, []);
    for number in 0..3 {
        assert_eq!(seconds(&store, &format!("of {number}")).len(), EACH as usize);
    }
}

#[test]
fn a_store_is_not_pruned_while_a_process_writes() {
    let (_folder, store) = store();
    store.write(&[record("a", "here", 0.5)]).expect("it can be written");
    let lock = std::fs::File::open(store.folder().join("lock")).expect("a writer has made it");
    lock.lock_shared().expect("it can be locked");
    let why = store.prune(1).expect_err("a writer holds it");
    assert!(why.to_string().starts_with("another process writes to "), "{why}");
    drop(lock);
    assert!(store.prune(1).is_ok());
}

const FULL: &str = "TERRACE_TEST_FULL";

/// In a process that may not write a byte, as on a full disk; by itself where there is room
#[test]
fn a_process_on_a_full_disk() {
    let Some(folder) = std::env::var_os(FULL) else {
        let (_own, own) = store();
        own.check_writable().expect("there is room");
        assert!(own.write(&[record("a", "here", 0.25)]).is_ok());
        return;
    };
    let store = Store::open(folder).expect("it is a store");
    let why = store.write(&[record("a", "here", 0.25)]).expect_err("there is no room");
    assert!(why.to_string().starts_with("cannot write `"), "{why}");
    assert_eq!(seconds(&store, "a"), [0.5], "what was there is there, without an index as well");
}

#[test]
fn a_full_disk_is_an_error_and_leaves_no_half_segment() {
    let (_folder, store) = store();
    store.write(&[record("a", "here", 0.5)]).expect("it can be written");
    let program = std::env::current_exe().expect("this program");
    // A limit of the size of files stands for the disk; the signal is ignored, so that writing fails.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --exact writers::a_process_on_a_full_disk";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).arg(program).env(FULL, store.folder());
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "{said}");
    assert_eq!(store.segments().expect("it can be read").len(), 1);
    assert_eq!(seconds(&store, "a"), [0.5]);
}
