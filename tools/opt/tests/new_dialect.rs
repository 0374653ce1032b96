//! `--new-dialect`: what is written, under which names, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of this test's own
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    folder
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("tests run in the repository")
}

fn run(folder: &Path, args: &[&str]) -> Output {
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).current_dir(folder).args(args).output();
    out.expect("cargo built the tool")
}

/// The files below a folder with their texts
fn files(folder: &Path) -> BTreeMap<String, String> {
    let (mut found, mut pending) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(at) = pending.pop() {
        for entry in fs::read_dir(&at).expect("it is a folder") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("it is below").to_string_lossy().replace('\\', "/");
            found.insert(name, fs::read_to_string(&path).expect("it is text"));
        }
    }
    found
}

/// The crate's tests are those of `examples/template`, which run with the workspace's
#[test]
fn the_example_is_what_is_written() {
    let (scratch, root) = (scratch("same"), root());
    let out = run(&root, &["--new-dialect=template", "--in", &scratch.join("made").to_string_lossy()]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let mut made = files(&scratch.join("made"));
    let manifest = made.get_mut("Cargo.toml").expect("a crate has a manifest");
    let paths = format!("path = \"{}/", root.display());
    assert_eq!(manifest.matches(&paths).count(), 3, "{manifest}");
    *manifest = manifest.replace(&paths, "path = \"../../");
    assert_eq!(made, files(&root.join("examples/template")));
    let left = fs::read_dir(&scratch).expect("it is a folder").count();
    assert_eq!(left, 1, "only the crate is left");
    fs::remove_dir_all(scratch).expect("made here");
}

#[test]
fn the_name_is_everywhere() {
    let scratch = scratch("name");
    let out = run(&scratch, &["--new-dialect=my_money"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(said.contains("cd my_money && cargo test"), "{said}");
    let made = files(&scratch.join("my_money"));
    assert!(made.values().all(|text| !text.contains("template")));
    assert!(
        made["Cargo.toml"].contains("name = \"my_money\"")
            && made["Cargo.toml"].contains("name = \"my-money-opt\"")
    );
    assert!(
        made["src/lib.rs"].contains("#[op(\"my_money.twice\"")
            && made["src/lib.rs"].contains("\"my-money-to-arith\"")
    );
    assert!(made["test-files/ops.mlir"].contains("= my_money.twice %a"));
    fs::remove_dir_all(scratch).expect("made here");
}

#[test]
fn an_empty_folder_is_taken() {
    let scratch = scratch("empty");
    fs::create_dir(scratch.join("here")).expect("it is ours");
    let root = root();
    let args = ["--new-dialect=money", "--in=here", "--terrace", &root.to_string_lossy()];
    assert!(run(&scratch, &args).status.success());
    assert!(scratch.join("here/src/lib.rs").is_file());
    fs::remove_dir_all(scratch).expect("made here");
}

#[test]
fn refusals_write_nothing() {
    let scratch = scratch("refused");
    fs::create_dir(scratch.join("full")).expect("it is ours");
    fs::write(scratch.join("full/note"), "mine").expect("it is ours");
    let before = files(&scratch);
    let table: &[(&[&str], &str, &str)] = &[
        (&["--new-dialect=Money"], "`Money` is no name for a dialect", "`my_dialect`"),
        (&["--new-dialect=2d"], "`2d` is no name for a dialect", "small letters"),
        (&["--new-dialect=a-b"], "`a-b` is no name for a dialect", "`_`"),
        (&["--new-dialect=../x"], "is no name for a dialect", ""),
        (&["--new-dialect="], "`` is no name for a dialect", ""),
        (&["--new-dialect=match"], "a crate cannot be called `match`", "`my_match`"),
        (&["--new-dialect=terrace_x"], "a crate cannot be called `terrace_x`", ""),
        (&["--new-dialect=arith"], "there is a dialect `arith`", "--list-dialects"),
        (&["--new-dialect=money", "--in=full"], "the folder `full` is not empty", "--in=FOLDER"),
        (&["--new-dialect=money", "--in=full/note"], "`full/note` cannot be a folder", "--in=FOLDER"),
        (&["--new-dialect=money", "--in=none/money"], "the folder `none` is not there", "make it first"),
        (
            &["--new-dialect=money", "--terrace=full"],
            "`full` is no checkout of Terrace",
            "tools/terrace/Cargo.toml",
        ),
    ];
    for (args, message, help) in table {
        let out = run(&scratch, args);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains("E0417") && said.contains(message) && said.contains(help), "{args:?}: {said}");
        assert_eq!(files(&scratch), before, "{args:?}");
    }
    // A folder alone says nothing.
    assert_eq!(run(&scratch, &["--in=x"]).status.code(), Some(2));
    fs::remove_dir_all(scratch).expect("made here");
}
