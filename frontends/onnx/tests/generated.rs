//! The messages of the format are what `prost` makes of ONNX's own file.

use std::path::Path;

#[test]
fn messages_are_those_of_the_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto");
    let set = protox::compile(["onnx.proto"], [&folder]).expect("ONNX's file compiles");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("onnx-proto-{}", std::process::id()));
    std::fs::create_dir_all(&out).expect("the folder for temporary files of tests can be written");
    let mut config = prost_build::Config::new();
    // Weights stay where they are in the file; comments are the format's own, for its own readers.
    config.bytes(["."]).disable_comments(["."]).out_dir(&out);
    config.compile_fds(set).expect("it becomes Rust");
    let made = std::fs::read_to_string(out.join("onnx.rs")).expect("it was written");
    let _ = std::fs::remove_dir_all(&out);
    let there = folder.join("onnx.rs");
    if std::env::var_os("TERRACE_BLESS").is_some_and(|value| !value.is_empty()) {
        std::fs::write(&there, &made).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(there).expect("the file is there");
    assert!(kept == made, "`proto/onnx.rs` is not what `prost` makes: run this test with TERRACE_BLESS=1");
}
