//! Snapshots: what is compared, what is refused, and that those of this repository all have a test.

use crate::common::TOOL;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_filetest::{assert_ir_snapshot, check_snapshots};

#[test]
fn of_this_repository() {
    check_snapshots(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .unwrap_or_else(|why| panic!("{why}"));
}

const FILE: &str = "\
// test: opt --pipeline=\"func.func(canonicalize,cse)\"
// snapshot: after=canonicalize
// snapshot:
func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
";

/// A package of its own with one test file
struct Package(PathBuf);

impl Package {
    fn new(name: &str) -> Package {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("test-files")).expect("the folder for temporary files can be written");
        let package = Package(folder);
        package.write("Cargo.toml", "[package]\nname = \"p\"\n\n[workspace]\n");
        package.write("test-files/f.mlir", FILE);
        package
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be written");
        fs::write(path, text).expect("it can be written");
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join("test-files/snapshots").join(name)).ok()
    }

    /// The runner on the package's files: whether it passes, and what it prints
    fn run(&self, update: &str) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-filetest"));
        command.arg(self.0.join("test-files")).env("INSTA_UPDATE", update).env_remove("INSTA_FORCE_PASS");
        let out = command.output().expect("cargo built the tool");
        let said =
            format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        (out.status.success(), said)
    }

    #[track_caller]
    fn refused(&self, part: &str) {
        let why = check_snapshots(&self.0).expect_err("a snapshot has no test");
        assert!(why.to_string().contains(part), "{why}");
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_new_one_waits_for_review() {
    let package = Package::new("waits");
    assert!(!package.run("no").0);
    assert!(package.read("f@mlir.snap.new").is_none(), "INSTA_UPDATE=no writes nothing");
    // Both are written, though the first fails.
    assert!(!package.run("new").0);
    let new = package.read("f@mlir.snap.new").expect("it waits");
    assert!(new.contains("source: test-files/f.mlir\n") && new.contains("return %a : i32"), "{new}");
    assert!(package.read("f@canonicalize.snap.new").is_some());
    package.refused("test-files/snapshots/f@mlir.snap.new: not reviewed");
    let (passed, said) = package.run("no");
    assert!(!passed && said.contains("f@canonicalize.snap.new: not reviewed"), "{said}");
}

#[test]
fn one_that_differs_fails() {
    let package = Package::new("differs");
    assert!(package.run("always").0 && package.run("no").0);
    let kept = package.read("f@mlir.snap").expect("it was written");
    assert!(kept.contains("source: test-files/f.mlir\ninput_file: test-files/f.mlir\n"), "{kept}");
    assert_eq!(check_snapshots(&package.0), Ok(()));
    package.write("test-files/snapshots/f@mlir.snap", &kept.replace("return %a", "return %b"));
    let (passed, said) = package.run("no");
    assert!(!passed && said.contains("line 3: snapshot assertion for 'f@mlir' failed"), "{said}");
}

#[test]
fn one_without_a_test_is_refused() {
    let package = Package::new("orphan");
    assert!(package.run("always").0);
    package.write("test-files/f.mlir", &FILE.replace("// snapshot: after=canonicalize\n", ""));
    package.refused("f@canonicalize.snap: `");
    let (passed, said) = package.run("no");
    assert!(!passed && said.contains("has no such snapshot"), "{said}");
    fs::remove_file(package.0.join("test-files/f.mlir")).expect("it is there");
    package.refused("is not there; delete it");
}

#[test]
fn those_of_rust_tests_too() {
    let package = Package::new("rust");
    let snap = |source: &str| format!("---\nsource: {source}\n---\ntext\n");
    package.write("tests/a.rs", "fn one() {\n    insta::assert_snapshot!(\"named\", x);\n}\n");
    for name in ["a__one", "a__one-2", "a__named"] {
        package.write(&format!("tests/snapshots/{name}.snap"), &snap("tests/a.rs"));
    }
    assert_eq!(check_snapshots(&package.0), Ok(()));
    package.write("tests/snapshots/a__two.snap", &snap("tests/a.rs"));
    package.refused("a__two.snap: `");
    package.write("tests/snapshots/a__two.snap", &snap("tests/b.rs"));
    package.refused("tests/b.rs` is not there");
    package.write("tests/snapshots/a__two.snap", "text");
    package.refused("no snapshot of insta");
    fs::remove_file(package.0.join("tests/snapshots/a__two.snap")).expect("it is there");
    package.write("tests/.a.rs.pending-snap", "{}");
    package.refused("tests/.a.rs.pending-snap: not reviewed");
}

#[test]
fn a_pass_that_is_not_run() {
    let package = Package::new("pass");
    package.write("test-files/f.mlir", &FILE.replace("after=canonicalize", "after=dce"));
    let (passed, said) = package.run("always");
    assert!(!passed && said.contains("line 2: no pass `dce` was run"), "{said}");
}

const ADD: &str = "func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
";

#[test]
fn after_a_pipeline() {
    assert_ir_snapshot!("canonicalize", ADD);
    assert_ir_snapshot!(TOOL, "func.func(canonicalize)", ADD, @"
    module {
      func.func @f(%a: i32) -> i32 {
        return %a : i32
      }
    }
    ");
}

#[test]
fn of_a_unit() {
    let cx = terrace_ir::Context::new(&terrace_opt::all_dialects());
    let source = cx.sources().add("f.mlir", ADD.to_string());
    let mut diags = terrace_diag::Diags::default();
    let ir = terrace_opt::language::read(&cx, source, None, &[], &Default::default(), &mut diags);
    assert_ir_snapshot!(ir.expect("it parses"), @"
    module {
      func.func @f(%a: i32) -> i32 {
        %zero = arith.constant 0 : i32
        %b = arith.addi %a, %zero : i32
        return %b : i32
      }
    }
    ");
}
