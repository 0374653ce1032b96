//! A schedule that was chosen, written out as text and given, is the same program below.
//!
//! Every computation of the papers and of the benches, for every device: attributes next to a schedule follow from it.

use crate::common;

use common::{HARNESS, lower};
use std::path::Path;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, OpenSchedule, SCHEDULE};
use terrace_ir::{Ir, OpId};
use terrace_text::PrintOptions;

fn print(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

/// Units of functions, by the ops that hold them
fn units(ir: &Ir) -> Vec<OpId> {
    ir.walk().filter(|op| ir.child(*op).is_some()).collect()
}

/// Schedules of all computations as text; attributes of theirs go
fn take(ir: &mut Ir) -> Vec<String> {
    let mut texts = Vec::new();
    for holder in units(ir) {
        let unit = ir.child_mut(holder).expect("a unit");
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        for op in computes {
            let text = unit.discardable(op.id(), SCHEDULE).map(|attr| {
                schedule::open(unit.cx(), attr).expect("a schedule that was chosen reads").to_string()
            });
            texts.push(text.unwrap_or_default());
            for name in [SCHEDULE, "mdh.rolled", "mdh.scatter"] {
                unit.set_attr(op.id(), name, None);
            }
        }
    }
    texts
}

/// Attach schedules to the computations, as an author would
fn give(ir: &mut Ir, texts: &[String]) {
    let mut texts = texts.iter();
    for holder in units(ir) {
        let unit = ir.child_mut(holder).expect("a unit");
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        for op in computes {
            let text = texts.next().expect("as many as there were");
            let attr = (!text.is_empty())
                .then(|| schedule::to_attr(unit.cx(), &OpenSchedule::read(text).expect("reads").steps));
            unit.set_attr(op.id(), SCHEDULE, attr);
        }
    }
}

/// Number of schedules that came back
fn come_back(name: &str, text: &str) -> usize {
    let mut count = 0;
    for target in ["x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"] {
        let choose = format!("func.func(mdh-schedule{{target={target}}})");
        let mut chosen = HARNESS.parse(text).unwrap_or_else(|why| panic!("{name}: {why}"));
        lower(&mut chosen, &format!("func.func(mdh-operators),{choose}"), text);
        // Both from the text, so that values have the same names.
        let printed = print(&chosen);
        let again = || HARNESS.parse(&printed).unwrap_or_else(|why| panic!("{name}: {why}"));
        let mut given = again();
        chosen = again();
        let texts = take(&mut given);
        give(&mut given, &texts);
        lower(&mut given, &choose, text);
        let down = "func.func(mdh-to-sched,sched-fuse)";
        lower(&mut chosen, down, text);
        lower(&mut given, down, text);
        assert_eq!(print(&given), print(&chosen), "{name} on {target}: {}", texts.join("\n"));
        count += texts.iter().filter(|text| !text.is_empty()).count();
    }
    count
}

fn root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn chosen_schedules_of_the_case_studies_come_back() {
    let mut count = 0;
    for entry in std::fs::read_dir(root("test-files/programs/mdh")).expect("the programs") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("").to_owned();
        if name.ends_with(".mlir") && !name.ends_with(".linalg.mlir") {
            count += come_back(&name, &std::fs::read_to_string(&path).expect("text"));
        }
    }
    assert!(count >= 5 * 15, "{count}");
}

/// A layer with edges, products of several shapes, outputs that no cache holds, histograms, chains of computations
#[test]
fn chosen_schedules_of_the_benches_come_back() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("bmm", &[("B", "1"), ("M", "1024"), ("N", "1024"), ("K", "1024")]),
        ("bmm", &[("B", "1"), ("M", "4096"), ("N", "4096"), ("K", "4096")]),
        ("bmm", &[("B", "1"), ("M", "16"), ("N", "1000"), ("K", "2048")]),
        ("bmm", &[("B", "16"), ("M", "10"), ("N", "500"), ("K", "64")]),
        (
            "conv",
            &[
                ("N", "1"),
                ("H", "224"),
                ("C", "3"),
                ("K", "64"),
                ("R", "7"),
                ("P", "3"),
                ("T", "2"),
                ("O", "112"),
            ],
        ),
        (
            "conv",
            &[
                ("N", "1"),
                ("H", "56"),
                ("C", "128"),
                ("K", "256"),
                ("R", "3"),
                ("P", "1"),
                ("T", "1"),
                ("O", "56"),
            ],
        ),
        (
            "depthwise",
            &[("N", "1"), ("H", "112"), ("C", "64"), ("R", "3"), ("P", "1"), ("T", "2"), ("O", "56")],
        ),
        ("softmax", &[("M", "1280"), ("N", "21128")]),
        ("fused", &[("I", "512"), ("J", "512"), ("K", "512")]),
        ("gauss", &[("H", "4098"), ("O", "4096"), ("I", "4098"), ("M", "4097")]),
        ("dot", &[("N", "16777216")]),
        ("gemv", &[("M", "4096"), ("N", "4096")]),
        ("sum_all", &[("M", "4096"), ("N", "4096")]),
        ("sum_rows", &[("M", "4096"), ("N", "4096")]),
        ("sum_columns", &[("M", "4096"), ("N", "4096")]),
        ("jacobi2d", &[("H", "4098"), ("O", "4096")]),
        ("jacobi3d", &[("H", "514"), ("O", "512")]),
        (
            "contraction",
            &[
                ("a", "24"),
                ("b", "16"),
                ("c", "16"),
                ("d", "16"),
                ("e", "24"),
                ("f", "16"),
                ("g", "24"),
                ("X", "g, d, a, b"),
                ("Y", "e, f, g, c"),
                ("Z", "a, b, c, d, e, f"),
                ("XS", "24x16x24x16"),
                ("YS", "24x16x24x16"),
                ("ZS", "24x16x16x16x24x16"),
            ],
        ),
        ("histogram", &[("N", "16777216"), ("B", "256")]),
        ("scan", &[("N", "16777216")]),
        ("mbbs", &[("M", "4096"), ("N", "4096")]),
        ("prl", &[("M", "1024"), ("N", "65536")]),
    ];
    let mut count = 0;
    for (name, sizes) in cases {
        let file = root(&format!("benches/programs/{name}.mlir.in"));
        let template = std::fs::read_to_string(&file).expect("the bench's program");
        let text =
            sizes.iter().fold(template, |text, (name, size)| text.replace(&format!("{{{name}}}"), size));
        count += come_back(name, &text);
    }
    assert!(count >= 5 * cases.len(), "{count}");
}
