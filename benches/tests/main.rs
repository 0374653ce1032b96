//! The program as its users call it

use std::io::Read;
use std::process::{Command, Stdio};

/// `terrace-benches … | head` ends when it has said all, without a panic
#[test]
fn a_reader_may_have_seen_enough() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../test-files/frontends/composite");
    let lists: [&[&str]; 6] = [
        &["graphs", "--list", "--folder", folder],
        &["reductions", "--list"],
        &["cpu", "--list"],
        &["shapes", "--list"],
        &["operators", "--list"],
        &["--help"],
    ];
    for args in lists {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-benches"));
        command
            .args(args)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().expect("it is a pipe").read_to_string(&mut said).expect("it is text");
        let status = child.wait().expect("it ends");
        assert!(status.success() && said.is_empty(), "{args:?}: {status}\n{said}");
    }
}
