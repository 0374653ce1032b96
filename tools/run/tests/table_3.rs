//! The twelve operators of FlexTensor's Table 1 and the two of its section 6.4 (`benches/operators/flextensor.toml`), at small odd and prime
//! sizes, by value.
//!
//! Compiled code by the schedule that is chosen agrees with the interpreter, and the interpreter with numpy.

use crate::common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use toml::{Table, Value};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/operators")
}

fn table() -> Table {
    let file = folder().join("flextensor.toml");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.parse().expect("a table")
}

/// Lists of small sizes
fn small(entry: &Value) -> Vec<&str> {
    entry["small"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A program, called with sizes
fn run(name: &str, sizes: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(folder().join(format!("flextensor/{name}.tensor")));
    command.args(sizes.split_whitespace().map(|size| format!("--set={size}")));
    command
}

/// Declared tensors with the words behind their names, and the last one that is computed
fn tensors(name: &str) -> (Vec<(String, String)>, String) {
    let file = folder().join(format!("flextensor/{name}.tensor"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let code: String = text.lines().filter(|line| !line.starts_with("//")).collect();
    let declared = code.split(';').filter_map(|part| part.split_once(" : "));
    let declared = declared.filter(|(name, _)| name.trim().chars().all(char::is_alphanumeric));
    let declared = declared.map(|(name, words)| (name.trim().to_owned(), words.to_owned())).collect();
    let mut computed = code.split(';').filter(|part| part.contains('[') && part.contains(" = "));
    let last = computed.next_back().and_then(|part| part.split('[').next()).expect("something is computed");
    (declared, last.trim().to_owned())
}

#[track_caller]
fn agree(name: &str) {
    let table = table();
    let list = common::backends::with_devices(&format!("table_3-{name}"));
    for sizes in small(&table[name]) {
        let mut command = run(name, sizes);
        command.arg(format!("--compare={list}"));
        command.args(tensors(name).0.iter().map(|(name, _)| format!("--in={name}=random:1")));
        let shown = common::stdout(&command.output().expect("cargo built the tool"));
        for target in list.split(',').skip(1) {
            assert!(shown.contains(&format!("{target} and interp: ")), "{name} {sizes}:\n{shown}");
        }
    }
}

macro_rules! operators {
    ($($test:ident = $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                agree($name);
            }
        )*

        #[test]
        fn d2_d3_every_operator_is_compared() {
            let table = table();
            let names: Vec<&str> = table.keys().map(String::as_str).collect();
            let mut tested = vec![$($name),*];
            tested.sort_unstable();
            assert_eq!(names, tested);
        }
    };
}

operators! {
    d2_gmv_agrees = "gmv",
    d2_gmm_agrees = "gmm",
    d2_bil_agrees = "bil",
    d2_c1d_agrees = "c1d",
    d2_t1d_agrees = "t1d",
    d2_c2d_agrees = "c2d",
    d2_t2d_agrees = "t2d",
    d2_c3d_agrees = "c3d",
    d2_t3d_agrees = "t3d",
    d2_grp_agrees = "grp",
    d2_dep_agrees = "dep",
    d2_dil_agrees = "dil",
    d3_bcm_agrees = "bcm",
    d3_sho_agrees = "sho",
}

/// Draws inputs and computes a formula of the table from them; then compares an array with what that gave
const NUMPY: &str = r#"
import json, sys
import numpy as np
random, wanted = np.random.default_rng(1), None
for line in sys.stdin:
    ask = json.loads(line)
    if "formula" in ask:
        sizes, arrays = ask["sizes"], {}
        for name, kind, shape, below in ask["inputs"]:
            shape = eval(shape, dict(sizes))
            drawn = random.integers(0, eval(below, dict(sizes)), shape) if below else random.random(shape) * 2 - 1
            arrays[name] = drawn.astype({"f32": np.float32, "i32": np.int32}[kind])
            np.save(f"{ask['folder']}/{name}.npy", arrays[name])
        text = ask["formula"].strip()
        lines = text.splitlines() if "return " in text else [f"return {text}"]
        space = {"np": np, **sizes}
        exec(f"def formula({', '.join(arrays)}):\n" + "".join(f"    {line}\n" for line in lines), space)
        wide = [a.astype(np.float64) if a.dtype == np.float32 else a for a in arrays.values()]
        wanted = space["formula"](*wide)
        print("ready", flush=True)
    else:
        found = np.load(ask["file"])
        same = found.shape == wanted.shape and np.allclose(found, wanted, 1e-4, 1e-5)
        print("right" if same else f"{found.shape} {found.ravel()[:9]}, not {wanted.shape} {wanted.ravel()[:9]}", flush=True)
"#;

/// A Python with numpy that answers line by line
struct Numpy {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Numpy {
    /// One of those that may be here
    fn find() -> Option<Numpy> {
        let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/benches-venv/bin/python");
        let has = |python: &PathBuf| {
            let out = Command::new(python).args(["-c", "import numpy"]).stderr(Stdio::null()).status();
            out.is_ok_and(|status| status.success())
        };
        let python = [PathBuf::from("/usr/bin/python3"), "python3".into(), venv].into_iter().find(has)?;
        let mut command = Command::new(python);
        command.args(["-c", NUMPY]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it ran a moment ago");
        let to = child.stdin.take().expect("it is piped");
        let from = BufReader::new(child.stdout.take().expect("it is piped"));
        Some(Numpy { child, to, from })
    }

    fn ask(&mut self, question: &serde_json::Value) -> String {
        writeln!(self.to, "{question}").expect("it reads");
        let mut answer = String::new();
        self.from.read_line(&mut answer).expect("it answers");
        answer.trim().to_owned()
    }
}

impl Drop for Numpy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All sizes of a program: its own, and those that are set instead
fn sizes_of(name: &str, set: &str) -> serde_json::Map<String, serde_json::Value> {
    let file = folder().join(format!("flextensor/{name}.tensor"));
    let text = std::fs::read_to_string(file).expect("it was read before");
    let own = text.split(';').filter_map(|part| part.rsplit_once("let ")?.1.split_once(" = "));
    let own: Vec<(&str, &str)> = own.collect();
    let set = set.split_whitespace().filter_map(|word| word.split_once('='));
    let all = own.into_iter().chain(set);
    all.filter_map(|(name, value)| Some((name.to_owned(), value.trim().parse::<i64>().ok()?.into())))
        .collect()
}

#[test]
fn d2_d3_the_interpreter_gives_what_numpy_computes() {
    let Some(mut numpy) = Numpy::find() else {
        println!("skipped: d2_d3_the_interpreter_gives_what_numpy_computes (needs python3 with numpy)");
        return;
    };
    for (name, entry) in &table() {
        let (declared, result) = tensors(name);
        for (n, sizes) in small(entry).into_iter().enumerate() {
            let place = common::place(&format!("{name}.{n}"));
            std::fs::create_dir_all(&place).expect("the folder for temporary files of tests can be written");
            // `f32 [B, C] < 9`: what numpy needs of it.
            let input = |(name, words): &(String, String)| {
                let (kind, rest) = words.split_once(' ').expect("a type and sizes");
                let (shape, below) = rest.split_once(" < ").unwrap_or((rest, ""));
                serde_json::json!([name, kind, shape.replace('/', "//"), below])
            };
            let inputs: Vec<serde_json::Value> = declared.iter().map(input).collect();
            let answer = numpy.ask(&serde_json::json!({
                "folder": place, "inputs": inputs, "sizes": sizes_of(name, sizes),
                "formula": entry["formula"].as_str().expect("each operator has one"),
            }));
            assert_eq!(answer, "ready", "{name} {sizes}");
            let file = place.join("result.npy");
            let mut command = run(name, sizes);
            command.arg(format!("--out={result}={}", file.display()));
            let of = |name: &str| format!("--in={name}={}", place.join(format!("{name}.npy")).display());
            command.args(declared.iter().map(|(name, _)| of(name)));
            common::stdout(&command.output().expect("cargo built the tool"));
            let answer = numpy.ask(&serde_json::json!({ "file": file }));
            let _ = std::fs::remove_dir_all(&place);
            assert_eq!(answer, "right", "{name} {sizes}");
        }
    }
}

/// What an index outside of its bound says, and what is made inside
#[test]
fn d3_an_index_outside_of_its_bound_is_refused_before_anything_runs() {
    let text = "X : f32 [7, 3]; I : i32 [3] < 5; Y[x in 3, c] = X[x + I[c], c];";
    let file = common::place("bound.tensor");
    std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
    let call = |given: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
        command.arg(&file).args(["--in=X=iota", "--on=interp", &format!("--in=I={given}")]);
        command.output().expect("cargo built the tool")
    };
    common::refused(&call("fill:5"), 1, "argument `I`: element [0] is 5, not from 0 to 4");
    common::refused(&call("fill:-1"), 1, "argument `I`: element [0] is -1, not from 0 to 4");
    assert!(common::stdout(&call("fill:4")).contains("Y : 3x3xf32 = 12, 13, 14, 15, 16, 17, 18, 19, 20"));
    for made in ["random:1", "random:2", "iota"] {
        common::stdout(&call(made));
    }
    let _ = std::fs::remove_file(file);
}
