//! Every rule that ops bring along fires in a test file that names it.
//!
//! A line `// rule: NAME` makes the runner see to it that the rule was applied in the runs of its file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use terrace_ir::Context;
use terrace_ir::context::OpKind;
use terrace_rewrite::canonicalize::CanonicalRules;

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            all.push(path);
        }
    }
}

#[test]
fn every_rule_has_a_file() {
    let cx = Context::new(&terrace_opt::all_dialects());
    let mut rules: BTreeSet<&str> = BTreeSet::new();
    for kind in 2..cx.num_kinds() {
        let def = cx.def(OpKind(kind as u16));
        let of_op = def.interface::<CanonicalRules>().map_or(&[][..], |rules| (rules.0)());
        rules.extend(of_op.iter().map(|rule| rule.name()));
    }
    assert!(rules.len() > 50);
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files"), &mut all);
    for file in all {
        let text = std::fs::read_to_string(&file).expect("readable");
        for line in text.lines().filter_map(|line| line.strip_prefix("// rule:")) {
            for name in line.split(',') {
                rules.remove(name.trim());
            }
        }
    }
    let left: Vec<&str> = rules.into_iter().collect();
    assert!(left.is_empty(), "no test file names these rules: {}", left.join(", "));
}
