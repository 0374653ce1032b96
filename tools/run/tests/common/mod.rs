//! Running the real binary on a text.

#![allow(dead_code)]

pub mod backends;
pub mod sass;
pub mod values;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A place for a file of a test; two tests at once never share one, since the runner names threads after tests
pub fn place(name: &str) -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("main").replace("::", ".");
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.{test}.{name}", std::process::id()))
}

/// A component that the set-up has found, by its key
pub fn installed(key: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let table: toml::Table = std::fs::read_to_string(file).ok()?.parse().ok()?;
    let value = table.get("paths").and_then(|paths| paths.get(key))?;
    value.as_str().map(PathBuf::from).filter(|path| path.exists())
}

/// The tool on a file with this text; the file stays
pub fn command(test: &str, text: &str, args: &[&str]) -> Command {
    let file = place(&format!("{test}.mlir"));
    std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(&file).args(args);
    command
}

/// Run the tool
pub fn run(test: &str, text: &str, args: &[&str]) -> Output {
    let out = command(test, text, args).output();
    let _ = std::fs::remove_file(place(&format!("{test}.mlir")));
    out.expect("cargo built the tool")
}

/// What it printed; it must have succeeded
pub fn stdout(out: &Output) -> String {
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// It was refused with this exit code, and the message has this text
pub fn refused(out: &Output, code: i32, text: &str) {
    let messages = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{messages}");
    assert!(messages.contains(text), "{messages}");
}

/// What an argument of bytes holds
pub struct Record {
    /// Names and types
    pub fields: Vec<(String, terrace_ir::Type)>,
    pub shape: Vec<u64>,
}

/// What a function's argument holds, if it is bytes of structures
pub fn record(unit: &terrace_ir::Ir, n: usize) -> Option<Record> {
    let cx = unit.cx();
    let all = unit.attr(unit.root(), "arg_attrs")?.as_array(cx)?;
    let get = |attr: terrace_ir::Attr, key: &str| terrace_ir::attrs::dict_get(cx, attr.as_dict(cx)?, key);
    let record = get(*all.get(n)?, "terrace.record")?;
    let names = get(record, "fields")?.as_array(cx)?.iter().map(|name| name.as_str(cx).map(String::from));
    let types = get(record, "types")?.as_array(cx)?.iter().map(|ty| ty.as_type(cx));
    let terrace_ir::AttrKind::DenseArray { values, .. } = get(record, "shape")?.kind(cx) else { return None };
    let fields = names.zip(types).map(|(name, ty)| Some((name?, ty?))).collect::<Option<Vec<_>>>()?;
    Some(Record { fields, shape: values.iter().map(|size| *size as u64).collect() })
}
