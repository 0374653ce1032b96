//! The files of `test-files/`, one test each.

fn main() -> std::process::ExitCode {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test-files");
    terrace_filetest::main(template::tool(), &folder, std::env::args().skip(1).collect())
}
