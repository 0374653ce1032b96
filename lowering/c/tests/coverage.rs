//! Which ops have a spelling: each one's example is printed, and each has a row or a reason why not.

use crate::common;

use common::{context, parse, print};
use terrace_lowering_c::{Flavor, table_faults};

/// An op without a row and without a reason was forgotten
#[test]
fn every_op_has_a_row_or_a_gap() {
    for flavor in [Flavor::OpenMp, Flavor::OpenCl, Flavor::Cuda, Flavor::Hls] {
        assert_eq!(table_faults(flavor, terrace_dialect_upstream::ALL), Vec::<String>::new(), "{flavor:?}");
    }
}

#[test]
fn examples() {
    let cx = context();
    let (mut refused, mut all) = (Vec::new(), 0);
    // Kernels have flavors of their own; the others are lowered before.
    let dialects = ["gpu", "affine", "linalg", "tensor", "bufferization"];
    for dialect in terrace_dialect_upstream::ALL.iter().filter(|dialect| !dialects.contains(&dialect.name)) {
        for def in dialect.ops {
            let Some((_, rest)) = def.docs.split_once("```mlir\n") else { continue };
            let Some((example, _)) = rest.split_once("```") else { continue };
            all += 1;
            if print(&parse(&cx, example), Flavor::OpenMp).is_err() {
                refused.push(def.name);
            }
        }
    }
    println!("refused: {}", refused.join(" "));
    assert!(refused.len() * 4 < all, "{} of {all} refused: {}", refused.len(), refused.join(" "));
}

/// Whatever is in the files of the repository, in whatever language: text or an error, never a panic
#[test]
fn nothing_panics() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files");
    let mut pending = vec![root];
    let mut tried = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("it is a folder");
            pending.extend(entries.map(|entry| entry.expect("it can be read").path()));
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for part in text.split("// -----") {
            let Some((_, ir)) = common::parse_quietly(part) else { continue };
            for flavor in [Flavor::OpenMp, Flavor::OpenCl, Flavor::Cuda, Flavor::Hls] {
                tried += usize::from(print(&ir, flavor).is_ok());
            }
        }
    }
    assert!(tried > 20, "only {tried} texts");
}
