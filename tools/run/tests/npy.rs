//! Arrays from files as numpy writes them, and from malformed files: the real binary.

use crate::common;

use common::{place, refused, run, stdout};
use std::fs;
use std::path::PathBuf;

const TEXT: &str = "\
func.func @twice(%x: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %v = memref.load %x[%i, %j] : memref<2x3xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i, %j] : memref<2x3xf32>
    }
  }
  return
}
";

const ASCENDING: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];

/// A file: magic and version, the header's length, the header padded as numpy does, the data
fn npy(dict: &str, data: &[u8]) -> Vec<u8> {
    let padding = (64 - (10 + dict.len() + 1) % 64) % 64;
    let header = format!("{dict}{}\n", " ".repeat(padding));
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn dict(descr: &str, fortran: bool, shape: &str) -> String {
    let order = if fortran { "True" } else { "False" };
    format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}")
}

fn little(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A file that is gone when the test is over
struct Given(PathBuf);

impl Given {
    fn new(test: &str, bytes: &[u8]) -> Given {
        let path = place(&format!("npy-{test}.npy"));
        fs::write(&path, bytes).expect("the folder for temporary files of tests can be written");
        Given(path)
    }

    fn arg(&self) -> String {
        format!("--in=x={}", self.0.display())
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[track_caller]
fn doubled(test: &str, bytes: &[u8]) {
    let file = Given::new(test, bytes);
    let shown = stdout(&run(&format!("npy-{test}"), TEXT, &[&file.arg()]));
    assert_eq!(shown, "x : 2x3xf32 = 0, 2, 4, 6, 8, 10\n");
}

#[track_caller]
fn fails(test: &str, bytes: &[u8], code: &str, words: &str) {
    let file = Given::new(test, bytes);
    let out = run(&format!("npy-{test}"), TEXT, &[&file.arg()]);
    refused(&out, 1, &format!("error[{code}]: argument `x`: "));
    refused(&out, 1, words);
    assert!(out.stdout.is_empty());
}

#[test]
fn what_numpy_writes_is_read() {
    doubled("plain", &npy(&dict("<f4", false, "(2, 3)"), &little(&ASCENDING)));
}

#[test]
fn fortran_order_is_read() {
    doubled("fortran", &npy(&dict("<f4", true, "(2, 3)"), &little(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])));
}

#[test]
fn big_endian_is_read() {
    let data: Vec<u8> = ASCENDING.iter().flat_map(|value| value.to_be_bytes()).collect();
    doubled("big-endian", &npy(&dict(">f4", false, "(2, 3)"), &data));
}

#[test]
fn other_letters_at_the_start() {
    fails("magic", b"\x93NUMPX\x01\x00\x10\x00", "E0413", "does not start with the letters");
    fails("text", b"1.0 2.0 3.0\n", "E0413", "does not start with the letters");
    fails("empty", b"", "E0413", "not a readable .npy file");
}

#[test]
fn every_truncation() {
    let whole = npy(&dict("<f4", false, "(2, 3)"), &little(&ASCENDING));
    for length in [1, 5, 6, 7, 8, 9, 10, 11, 40, whole.len() - 25, whole.len() - 24, whole.len() - 1] {
        fails(&format!("cut-{length}"), &whole[..length], "E0413", "not a readable .npy file");
    }
}

#[test]
fn more_data_than_the_header_says() {
    let data = little(&[0.0; 7]);
    fails("long", &npy(&dict("<f4", false, "(2, 3)"), &data), "E0413", "not a readable .npy file");
}

#[test]
fn an_unknown_version() {
    let mut bytes = npy(&dict("<f4", false, "(2, 3)"), &little(&ASCENDING));
    bytes[6] = 9;
    fails("version", &bytes, "E0413", "version");
}

#[test]
fn another_shape() {
    let data = little(&ASCENDING);
    fails("transposed", &npy(&dict("<f4", false, "(3, 2)"), &data), "E0408", "shape [3, 2], but [2, 3]");
    fails("flat", &npy(&dict("<f4", false, "(6,)"), &data), "E0408", "shape [6], but [2, 3]");
    fails("number", &npy(&dict("<f4", false, "()"), &data[..4]), "E0408", "shape [], but [2, 3]");
}

#[test]
fn other_elements() {
    for (test, descr, size) in [("f8", "<f8", 8), ("i4", "<i4", 4), ("b1", "|b1", 1)] {
        let bytes = npy(&dict(descr, false, "(2, 3)"), &vec![0; 6 * size]);
        fails(test, &bytes, "E0408", "but f32 is expected");
    }
    for (test, descr) in [("c8", "<c8"), ("object", "|O"), ("string", "<U4"), ("nonsense", "banana")] {
        let bytes = npy(&dict(descr, false, "(2, 3)"), &[0; 48]);
        fails(test, &bytes, "E0408", "but f32 is expected");
    }
    let records = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }";
    fails("records", &npy(records, &little(&ASCENDING)), "E0413", "records are not supported");
}

#[test]
fn headers_that_are_none() {
    for (n, header) in [
        "",
        "{",
        "{}",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1e9)}",
        "{'descr': '<f4', 'fortran_order': maybe, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} and more",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'evil': __import__('os')}",
        "\u{1}\u{2}\u{3}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 3)}",
    ]
    .into_iter()
    .enumerate()
    {
        fails(&format!("header-{n}"), &npy(header, &little(&ASCENDING)), "E0413", "not a readable .npy");
    }
    let mut bytes = npy("{}", &[]);
    let at = bytes.len() - 20;
    bytes[at] = 0xFF;
    fails("header-bytes", &bytes, "E0413", "not a readable .npy file");
}

#[test]
fn a_shape_that_no_memory_holds() {
    let open = TEXT
        .replace("%x: memref<2x3xf32>", "%x: memref<?x3xf32>")
        .replace("%x[%i, %j] : memref<2x3xf32>", "%x[%i, %j] : memref<?x3xf32>");
    for (n, shape) in ["(4611686018427387904, 3)", "(18446744073709551615, 3)"].into_iter().enumerate() {
        let file = Given::new(&format!("huge-{n}"), &npy(&dict("<f4", false, shape), &little(&ASCENDING)));
        let out = run(&format!("npy-huge-{n}"), &open, &[&file.arg()]);
        refused(&out, 1, "error[E04");
    }
}

#[test]
fn what_is_no_file() {
    refused(&run("npy-absent", TEXT, &["--in=x=/nonexistent/x.npy"]), 1, "error[E0401]");
    let folder = place("npy-folder.npy");
    fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    let out = run("npy-folder", TEXT, &[&format!("--in=x={}", folder.display())]);
    let _ = fs::remove_dir(&folder);
    refused(&out, 1, "error[E04");
}

#[test]
fn what_we_write_is_what_we_read() {
    let (first, second) = (place("npy-first.npy"), place("npy-second.npy"));
    stdout(&run("npy-write", TEXT, &["--in=x=iota", &format!("--out=x={}", first.display())]));
    let args = [format!("--in=x={}", first.display()), format!("--out=x={}", second.display())];
    stdout(&run("npy-again", TEXT, &[&args[0], &args[1]]));
    let found = fs::read(&second).expect("written");
    let _ = (fs::remove_file(&first), fs::remove_file(&second));
    let four: Vec<f32> = ASCENDING.iter().map(|value| 4.0 * value).collect();
    assert!(found.starts_with(b"\x93NUMPY\x01\x00"));
    assert!(found.ends_with(&little(&four)));
}

/// Structures of C with several types are one array of records: numbers, padding and all
#[test]
fn records_as_c_has_them() {
    let source = "struct p { short id; double w; char c; };\n\
        void f(struct p x[restrict 2], const double by[2]) {\n\
          for (int i = 0; i < 2; ++i) { x[i].w = x[i].id * by[i]; x[i].c += 1; }\n\
        }\n";
    let file = place("records.c");
    fs::write(&file, source).expect("the folder for temporary files of tests can be written");
    let dict = "{'descr': [('id', '<i2'), ('', '|V6'), ('w', '<f8'), ('c', '|i1'), ('', '|V7')], \
        'fortran_order': False, 'shape': (2,), }";
    let record = |id: i16, w: f64, c: i8| {
        let mut bytes = id.to_le_bytes().to_vec();
        bytes.extend([0; 6]);
        bytes.extend(w.to_le_bytes());
        bytes.push(c as u8);
        bytes.extend([0; 7]);
        bytes
    };
    let given = Given::new("records-in", &npy(dict, &[record(3, 0.0, 7), record(-2, 1.0, 8)].concat()));
    let left = place("records-out.npy");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(&file).arg(given.arg()).args(["--in=by=fill:1.5", "--in=x.c=iota"]);
    let twice = command.output().expect("cargo built the tool");
    assert!(String::from_utf8_lossy(&twice.stderr).contains("argument `x.c` is given twice"));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command
        .arg(&file)
        .arg(given.arg())
        .args(["--in=by=fill:1.5".into(), format!("--out=x={}", left.display())]);
    let said = command.output().expect("cargo built the tool");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let bytes = fs::read(&left).expect("it has written");
    assert_eq!(bytes[bytes.len() - 48..], [record(3, 4.5, 8), record(-2, -3.0, 9)].concat());
    let text = String::from_utf8_lossy(&bytes).to_string();
    assert!(
        text.contains("[('id', '<i2'), ('', '|V6'), ('w', '<f8'), ('c', '|i1'), ('', '|V7'), ]"),
        "{text}"
    );
    let _ = (fs::remove_file(&file), fs::remove_file(&left));
}
