//! Decorated Python functions, both forms: the same IR as MDH text. Run by a real `python3`; skipped by name without one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_frontend_mdh::text;
use terrace_ir::Context;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The package's program on a file; nothing if there is no `python3` of version 3.10 or later
fn python(test: &str, file: &Path) -> Option<Output> {
    let test_version =
        Command::new("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status();
    if !test_version.is_ok_and(|status| status.success()) {
        println!("skipped: {test} (needs python3 of 3.10 or later)");
        return None;
    }
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .args(["-m", "terrace_mdh"])
        .arg(file)
        .env("PYTHONPATH", root().join("frontends/mdh/python"));
    Some(command.output().expect("it ran a moment ago"))
}

/// The IR of a text
fn ir(name: &str, source: &str, sets: &[(String, String)]) -> String {
    let cx: Arc<Context> = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let mut diags = Diags::default();
    let id = cx.sources().add(name, source);
    let module = text::read(&cx, id, sets, &mut diags);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let mut out = String::new();
    terrace_text::print(&module, &Default::default(), &mut out);
    out
}

fn function<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!("  func.func @{name}(")).unwrap_or_else(|| panic!("no {name} in\n{text}"));
    let rest = &text[start..];
    &rest[..rest.find("\n  }\n").expect("functions end")]
}

/// Each computation of a Python file is the one of the text file, at its sizes
fn same(test: &str, file: &str, studies: &[(&str, &str, &str)]) {
    let Some(said) = python(test, &root().join("test-files/frontends/python").join(file)) else { return };
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let found = ir(file, &String::from_utf8_lossy(&said.stdout), &[]);
    for (name, text, sets) in studies {
        let path = root().join("test-files/programs/mdh").join(text);
        let source = std::fs::read_to_string(path).expect("the file is there");
        let set = |set: &str| set.split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
        let sets: Vec<(String, String)> = sets.split_whitespace().filter_map(set).collect();
        assert_eq!(function(&found, name), function(&ir(text, &source, &sets), name));
    }
}

#[test]
fn nests_of_loops() {
    let studies = [
        ("dot", "dot.mdh", "N=37"),
        ("matvec", "matvec.mdh", "I=9 K=7"),
        ("matmul", "matmul.mdh", "I=4 J=5 K=6"),
        ("jacobi1d", "jacobi1d.mdh", "N=11"),
        ("histogram", "histogram.mdh", "E=29 B=4"),
        ("gen_histogram", "gen_histogram.mdh", "E=23 B=5"),
        ("sum_max", "map_reduce.mdh", "N=19"),
        ("scan", "scan.mdh", "N=13"),
        ("mbbs", "scan.mdh", "I=6 J=5"),
    ];
    same("nests_of_loops", "loops.py", &studies);
}

#[test]
fn views_and_scalar_functions() {
    let studies = [
        ("dot", "dot.mdh", "N=37"),
        ("matvec", "matvec.mdh", "I=9 K=7"),
        ("matmul", "matmul.mdh", "I=4 J=5 K=6"),
        ("jacobi1d", "jacobi1d.mdh", "N=11"),
        ("sum_max", "map_reduce.mdh", "N=19"),
        ("mbbs", "scan.mdh", "I=6 J=5"),
        ("prl", "prl.mdh", "I=5 J=8"),
    ];
    same("views_and_scalar_functions", "views.py", &studies);
}

#[test]
fn mistakes_have_a_place() {
    let loops = |kinds: &str, body: &str| {
        format!(
            "from terrace_mdh import *\nN = 4\n@mdh(out(y=Buffer[f32]), inp(x=Buffer[f32]), combine_ops({kinds}))\ndef f(y, x):\n{body}"
        )
    };
    let one = |line: &str| loops("cc", &format!("    for i in range(N):\n        {line}\n"));
    let cases = [
        (one("y[i] = x[x[i]]"), ":6:18: an index function depends on loop variables alone, not on data"),
        (one("y[i] = z[i]"), ":6:16: z is not in inp(…)"),
        (one("y[i] = w * x[i]"), ":6:16: w is no dimension, no number and nothing assigned before"),
        (one("y[i] = sinh(x[i])"), "this function is not known in a computation"),
        (one("x[i] = y[i]"), ":6:9: x is not in out(…)"),
        (one("y[i] = y[i]"), ":6:16: an output is not read"),
        (one("while x[i]: pass"), ":6:9: a body assigns to outputs and to names of its own"),
        (
            loops("cc, pw(add)", "    for i in range(N):\n        y[i] = x[i]\n"),
            ": 1 dimensions, 2 operators",
        ),
        (
            loops("cc", "    for i in range(M):\n        y[i] = x[i]\n"),
            ":5:20: not known here: name 'M' is not defined",
        ),
        (
            loops(
                "cc, cc",
                "    for i in range(N):\n        for j in range(i):\n            y[i, j] = x[i]\n",
            ),
            "the bound depends on an outer loop",
        ),
        (
            loops(
                "cc, cc",
                "    for i in range(N):\n        t = 1\n        for j in range(N):\n            y[i, j] = x[i]\n",
            ),
            ":6:9: not perfect",
        ),
        (loops("cc", "    for i in range(N):\n        t = x[i]\n"), "nothing is written to y"),
        (loops("pw(max)", "    for i in (1, 2):\n        y[()] = x[i]\n"), "a loop is `for i in range(N)`"),
        (loops("pw(7)", "    pass\n"), "7 is no operator"),
        (
            "from terrace_mdh import *\n@mdh()\ndef f():\n    return 3\n".into(),
            "expected `return out_view[…](…), md_hom[…](…), inp_view[…](…)`",
        ),
    ];
    for (n, (source, wanted)) in cases.iter().enumerate() {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{n}.py", std::process::id()));
        std::fs::write(&file, source).expect("temporary files can be written");
        let said = python("mistakes_have_a_place", &file);
        let _ = std::fs::remove_file(&file);
        let Some(said) = said else { return };
        let message = String::from_utf8_lossy(&said.stderr);
        assert!(!said.status.success() && message.starts_with("error: "), "{source}\n{message}");
        assert!(message.contains(wanted), "{source}\n{message}");
    }
}
