//! Every code of the workspace can be explained, and no two mean different things.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Codes as the sources spell them, with the file
fn spelled() -> BTreeMap<String, PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tops = ["ir", "dialects", "passes", "lowering", "search", "frontends", "runtime", "tools"];
    let mut folders: Vec<PathBuf> = tops.iter().map(|top| root.join(top)).collect();
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target" && name != "tests") {
                folders.push(path);
                continue;
            }
            if path.file_name().is_none_or(|name| name != "codes.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("sources are text");
            // As `codes!` wants them: pub NAME: "E0101" Fault "title";
            for line in text.lines().map(str::trim).filter(|line| line.starts_with("pub ")) {
                let Some((_, rest)) = line.split_once(": \"E") else { continue };
                if let (Some(digits), Some(true)) = (rest.get(..4), rest.get(4..5).map(|next| next == "\"")) {
                    let double = found.insert(format!("E{digits}"), path.clone());
                    assert_eq!(double, None, "E{digits} has two meanings; one is in {}", path.display());
                }
            }
        }
    }
    found
}

#[test]
fn each_is_registered_once() {
    let known = terrace_opt::all_codes();
    let spelled = spelled();
    assert!(spelled.len() > 50);
    for (code, path) in spelled {
        assert!(
            terrace_diag::find(&known, &code).is_some(),
            "{code} of {} is not registered",
            path.display()
        );
    }
}

#[test]
fn each_is_explained_by_the_tool() {
    for info in terrace_opt::all_codes().iter().flat_map(|list| list.iter()) {
        assert!(info.explanation().split_whitespace().count() >= 5, "{} explains nothing", info.id);
    }
    let explain = |code: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).arg(format!("--explain={code}")).output();
        out.expect("cargo built the tool")
    };
    let out = explain("E0405");
    assert_eq!(out.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&out.stdout).starts_with("E0405: cannot emit this form\n\n"));
    assert_eq!(explain("405").stdout, out.stdout, "the number alone is enough");
    let out = explain("E9999");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("no error code `E9999`"));
}
