//! Every op that upstream's definitions list is here; what is not says why.
//!
//! Reads the `.td` files of an installed MLIR 22; where there are none the test is skipped by name.

use std::collections::BTreeSet;
use std::path::Path;

/// Folders of upstream's headers and our dialects
const DIALECTS: &[(&str, &str)] = &[
    ("Affine", "affine"),
    ("Arith", "arith"),
    ("ControlFlow", "cf"),
    ("Func", "func"),
    ("GPU", "gpu"),
    ("Linalg", "linalg"),
    ("Math", "math"),
    ("MemRef", "memref"),
    ("SCF", "scf"),
    ("Tensor", "tensor"),
    ("UB", "ub"),
    ("Vector", "vector"),
];

/// Ops that are left out, and why
const LEFT_OUT: &[(&str, &str)] = &[
    ("linalg.elementwise", "named ops, `map` and `generic` say it"),
    ("linalg.fill_rng_2d", "random numbers of upstream's own making"),
    ("linalg.pack", "has no form of iterators and maps: a new layout of tiles"),
    ("linalg.softmax", "has no form of iterators and maps: several passes over its input"),
    ("linalg.unpack", "has no form of iterators and maps: a new layout of tiles"),
    (
        "linalg.winograd_filter_transform",
        "has no form of iterators and maps: transforms with constant matrices",
    ),
    (
        "linalg.winograd_input_transform",
        "has no form of iterators and maps: transforms with constant matrices",
    ),
    (
        "linalg.winograd_output_transform",
        "has no form of iterators and maps: transforms with constant matrices",
    ),
    ("tensor.bitcast", "no input that we read has it yet"),
    ("tensor.gather", "slices at places that are tensors; `extract` in a body says single elements"),
    ("tensor.generate", "`linalg.map` with `linalg.index` says it for static sizes"),
    ("tensor.rank", "types have ranks here: unranked tensors are no input"),
    ("tensor.reshape", "a shape that is a tensor"),
    ("tensor.scatter", "slices at places that are tensors"),
];

/// `def X : Something_Op<"mnemonic"`: mnemonics of the ops that a file defines
fn mnemonics(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in text.split("\ndef ").skip(1) {
        let Some((head, rest)) = part.split_once('<') else { continue };
        let Some((_, class)) = head.split_once(':') else { continue };
        let class = class.trim();
        let not_ops = ["Attr", "Interface", "Trait"];
        if !class.contains("Op") || not_ops.iter().any(|word| class.contains(word)) || class.contains(' ') {
            continue;
        }
        let name = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let is_mnemonic = |name: &&str| {
            let word = |c: char| c.is_ascii_alphanumeric() || "._".contains(c);
            name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(word)
        };
        found.extend(name.map(|(name, _)| name).filter(is_mnemonic));
    }
    found
}

#[test]
fn mnemonics_are_those_of_ops() {
    let text = "\ndef A : X_Op<\"add.x\", [Pure]> {}\ndef B :\n  X_Op<\n \"b\">\ndef C : I32EnumAttrCase<\"c\", 1>;\ndef D : X_Op<name>;";
    assert_eq!(mnemonics(text), ["add.x", "b"]);
}

#[test]
fn every_op_of_upstream_is_here() {
    let root = Path::new("/usr/lib/llvm-22/include/mlir/Dialect");
    if !root.is_dir() {
        println!("skipped: every_op_of_upstream_is_here (needs MLIR's headers)");
        return;
    }
    let ours: BTreeSet<&str> =
        terrace_dialect_upstream::ALL.iter().flat_map(|dialect| dialect.ops).map(|op| op.name).collect();
    let (mut missing, mut seen) = (Vec::new(), 0);
    for (folder, dialect) in DIALECTS {
        let folder = root.join(folder).join("IR");
        let mut files: Vec<_> = std::fs::read_dir(&folder).expect("the folder is there").flatten().collect();
        files.sort_by_key(|file| file.path());
        for file in files.iter().filter(|file| file.path().extension().is_some_and(|ext| ext == "td")) {
            let text = std::fs::read_to_string(file.path()).expect("headers are text");
            for name in mnemonics(&text) {
                seen += 1;
                let name = format!("{dialect}.{name}");
                if !ours.contains(&*name) && !LEFT_OUT.iter().any(|(left, _)| *left == name) {
                    missing.push(name);
                }
            }
        }
    }
    assert!(seen > 250, "only {seen} ops were found: the headers look different");
    assert!(
        missing.is_empty(),
        "{} of {seen} ops of upstream are missing: {}",
        missing.len(),
        missing.join(" ")
    );
}
