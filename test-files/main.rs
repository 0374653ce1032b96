//! All files of `test-files/`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let tool = terrace_opt::Tool::OPT;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files");
    terrace_filetest::main(tool, &folder, std::env::args().skip(1).collect())
}
