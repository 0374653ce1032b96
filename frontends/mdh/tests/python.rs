//! Decorated Python functions, both forms: the same IR as MDH text. Run by a real `python3`; skipped by name without one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_frontend_mdh::{tensor, text};
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
    let module = match name.ends_with(".tensor") {
        true => tensor::read(&cx, id, sets, &mut diags),
        false => text::read(&cx, id, sets, &mut diags),
    };
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

/// `gmv(M=7, K=5)` in the file makes the program of `gmv.tensor` at these sizes
#[test]
fn d1_d2_d3_the_operators_are_functions_of_tensors() {
    let file = root().join("test-files/frontends/python/operators.py");
    let Some(said) = python("d1_d2_d3_the_operators_are_functions_of_tensors", &file) else { return };
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let found = ir("operators.tensor", &String::from_utf8_lossy(&said.stdout), &[]);
    let source = std::fs::read_to_string(file).expect("the file is there");
    let calls = source.lines().filter_map(|line| line.strip_suffix(')')?.split_once('('));
    let mut compared = 0;
    for (name, arguments) in calls.filter(|(name, _)| name.chars().all(char::is_alphanumeric)) {
        let set = |set: &str| set.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let sets: Vec<(String, String)> = arguments.split(", ").filter_map(set).collect();
        let path = root().join(format!("benches/operators/flextensor/{name}.tensor"));
        let text = std::fs::read_to_string(path).expect("the operator is there");
        let wanted = ir(&format!("{name}.tensor"), &format!("fn {name};\n{text}"), &sets);
        assert_eq!(function(&found, name), function(&wanted, name));
        compared += 1;
    }
    assert_eq!(compared, 14);
}

/// The text of a function of tensors with this body, or the error
fn tensors(n: usize, parameters: &str, body: &str) -> Option<Result<String, String>> {
    let source = format!("from terrace_mdh import *\nN = 4\n@tensor\ndef f({parameters}):\n    {body}\n");
    let file =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-tensor-{n}.py", std::process::id()));
    std::fs::write(&file, source).expect("can be written");
    let said = python("functions of tensors", &file);
    let _ = std::fs::remove_file(file);
    let said = said?;
    let (text, error) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    Some(if said.status.success() { Ok(text.into_owned()) } else { Err(error.into_owned()) })
}

#[test]
fn statements_of_functions_of_tensors() {
    let cases = [
        ("X: f32[N, 3], a: f32", "y[i] = a * exp(X[i, j])", "y[i] = a * exp(X[i, j]);"),
        (
            "X: f32[N, 3]",
            "s[i], m[i] = sum[j](X[i, j], X[i, j] / 2)",
            "s[i], m[i] = sum{j} (X[i, j], X[i, j] / 2);",
        ),
        ("X: f32[N, 3]", "v[i], p[i] = argmax[j](X[i, j])", "v[i], p[i] = argmax{j} X[i, j];"),
        ("X: f32[N, N]", "y[i] = max[j](X[i, j], where=j <= i)", "y[i] = max{j} X[i, j] where j <= i;"),
        ("X: i8[N]", "y[i:2] = i32(X[2 * i + 1]) % N", "y[i in 2] = i32(X[(2 * i) + 1]) % 4;"),
        ("X: f32[N], y: f32[N]", "y[i] += -X[i] if i > 1 else 1.5", "y[i] += (i > 1) ? (-X[i]) : 1.5;"),
        ("X: f32[N]", "s = sum[i](X[i]); y[i] = X[i] - s", "s = sum{i} X[i];\ny[i] = X[i] - s;"),
        ("X: f32[9], I: i32[N] < 9", "y[i] = X[I[i]]", "I : i32 [4] < 9;\ny[i] = X[I[i]];"),
        ("X: f32[N]", "y[i:N] = otherwise(X[i - 1], -1)", "y[i in 4] = X[i - 1] else -1;"),
    ];
    for (n, (parameters, body, wanted)) in cases.into_iter().enumerate() {
        let Some(said) = tensors(n, parameters, body) else { return };
        let text = said.unwrap_or_else(|error| panic!("{body}: {error}"));
        assert!(text.contains(wanted), "{text}");
        ir("f.tensor", &text, &[]);
    }
}

#[test]
fn mistakes_in_functions_of_tensors_have_a_place() {
    let x = "X: f32[N]";
    let cases = [
        (x, "y[i] = X[i / 2]", ":5:14: a subscript divides by `//`"),
        (x, "y[i] = 1 + sum[j](X[j])", ":5:16: a reduction is the whole right side"),
        (x, "y[i] = sinc(X[i])", ":5:12: this function is not known in a computation"),
        (x, "for i in range(N): y[i] = X[i]", ":5:5: a function of tensors assigns"),
        (x, "y[i + 1] = X[i]", ":5:7: an index is a name, or `name:size`"),
        (x, "y[i:M] = X[i]", ":5:9: not known here: name 'M' is not defined"),
        (x, "y[i] = sum[j](X[j], start=1)", ":5:12: a reduction has values and `where=…`"),
        (x, "y.z = X[i]", ":5:5: computed is a tensor"),
        (x, "'nothing'", "nothing is computed"),
        ("X", "y[i] = X[i]", ":4:7: X has a type: `X: f32[16, 8]`"),
        ("X: f32[-1]", "y[i] = X[i]", ":4:7: -1 is no size"),
        (x, "y[i] = otherwise(X[i], X[i])", ":5:28: not known here"),
    ];
    for (n, (parameters, body, wanted)) in cases.into_iter().enumerate() {
        let Some(said) = tensors(100 + n, parameters, body) else { return };
        let error = said.expect_err(body);
        assert!(error.contains(wanted), "{body}: {error}");
    }
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
