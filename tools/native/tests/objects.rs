//! Objects and libraries: C calls what was written in C as its author declared it, and nothing comes in between.

use crate::common::worker;
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_diag::{Diags, render_all};
use terrace_ir::{Context, Ir};
use terrace_native_client::{EmitKind, EmitOptions};
use terrace_pass::{Instrument, Pipeline};
use terrace_text::PrintOptions;

/// Functions as people write them; three are called like functions of the C library
const PROGRAM: &str = "\
#include <stdbool.h>
struct point { float x; float y; };
struct mixed { char tag; double w; int n; };
void step(int n, float *x) { for (int i = 0; i < n; i++) x[i] = x[i] * 0.5f + 1.0f; }
void prefix(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }
void add(float a[7][13], const float b[7][13]) {
  for (int i = 0; i < 7; i++) for (int j = 0; j < 13; j++) a[i][j] += b[i][j];
}
void shift(float *x, float *y) { for (int i = 0; i < 1009; i++) y[i] = x[i] + 1.0f; }
double total(const double *x) { double s = 0; for (int i = 0; i < 101; i++) s += x[i]; return s; }
bool any(int n, const int *x) { bool r = false; for (int i = 0; i < n; i++) if (x[i] > 3) r = true; return r; }
void move(struct point *p) { for (int i = 0; i < 5; i++) p[i].x += p[i].y; }
void weigh(struct mixed *m) { for (int i = 0; i < 5; i++) m[i].w = m[i].w * m[i].n; }
short small(signed char c, unsigned short u) { return c + u; }
void select(float *x) { for (int i = 0; i < 3; i++) x[i] = -x[i]; }
void cols(float (*a)[3]) { for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) a[i][j] = i * 10 + j; }
static void hidden(float *x) { for (int i = 0; i < 3; i++) x[i] = 0; }
";

/// Calls all of them and prints what they did; `#include` of the header is put in front
const MAIN: &str = "\
#include <stdio.h>
static void show(const float *x, int n) { for (int i = 0; i < n; i++) printf(\"%g \", x[i]); printf(\"\\n\"); }
int main(void) {
  float x[11], y[11], a[7][13], b[7][13], q[12];
  static float z[1010], v[1010];
  double d[101];
  int k[4] = {1, 2, 3, 4};
  for (int i = 0; i < 11; i++) x[i] = i;
  step(11, x), show(x, 11);
  prefix(11, x, y), show(y, 11);
  prefix(10, x, x + 1), show(x, 11);
  for (int i = 0; i < 91; i++) a[i / 13][i % 13] = i, b[i / 13][i % 13] = 1 - i * i;
  add(a, b), show(a[0], 91), add(a, a), show(a[0], 91);
  shift(z, z + 1), show(z, 1010), shift(z, v), show(v, 1010);
  for (int i = 0; i < 101; i++) d[i] = i * 0.25;
  printf(\"%g %d %d\\n\", total(d), any(3, k), any(4, k));
  struct point p[5];
  for (int i = 0; i < 5; i++) p[i].x = i, p[i].y = 3 * i;
  move(p), show(&p[0].x, 10);
  struct mixed m[5];
  for (int i = 0; i < 5; i++) m[i].w = 1.5, m[i].n = i;
  weigh(m);
  for (int i = 0; i < 5; i++) printf(\"%g \", m[i].w);
  printf(\"%d\\n\", small(-3, 40000));
  select(x), show(x, 11), cols((float (*)[3])q), show(q, 12);
  return 0;
}
";

/// A program in a language after a named pipeline
fn lowered(name: &str, text: &str, pipeline: &str) -> (std::sync::Arc<Context>, Ir) {
    let cx = Context::new(&terrace_opt::all_dialects());
    let source = cx.sources().add(name, text);
    let mut diags = Diags::default();
    let ir = terrace_opt::language::read(&cx, source, None, &[], &Default::default(), &mut diags);
    let mut ir = ir.unwrap_or_else(|| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let pipeline =
        Pipeline::parse(pipeline, &terrace_opt::REGISTRY, cx.sources(), &mut diags).expect("a pipeline");
    let (report, result) = terrace_pass::run(&mut ir, &pipeline, &Instrument::quiet(|_| String::new()));
    assert!(result.is_ok(), "{}", render_all(report.diags.iter(), cx.sources(), false));
    (cx, ir)
}

fn object(name: &str, text: &str) -> Vec<u8> {
    let (_cx, ir) = lowered(name, text, "to-host");
    let mut module = String::new();
    terrace_text::print(&ir, &PrintOptions::default(), &mut module);
    worker().emit(&module, EmitKind::Obj, &EmitOptions::default()).expect("an object")
}

fn header(name: &str, text: &str, pipeline: &str) -> String {
    let (_cx, ir) = lowered(name, text, pipeline);
    terrace_lowering_c::header(&ir, &mut Diags::default()).expect("a header")
}

/// A folder for a test; nothing where there is no C compiler
fn folder(test: &str) -> Option<PathBuf> {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: {test} (needs cc)");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    Some(folder)
}

/// The runtime as a static library, which cargo leaves next to the folder of this program
fn runtime() -> String {
    let exe = std::env::current_exe().expect("a program");
    let folder = exe.ancestors().nth(2).expect("target/debug");
    let library = folder.join("libterrace_runtime_abi.a");
    assert!(library.is_file(), "the runtime is built first: cargo build -p terrace-runtime-abi");
    library.to_string_lossy().into_owned()
}

fn cc(folder: &Path, args: &[&str]) {
    let out = Command::new("cc").current_dir(folder).args(args).output().expect("it starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

fn output(folder: &Path, program: &str) -> String {
    let out = Command::new(folder.join(program)).output().expect("it starts");
    assert!(out.status.success(), "{program}: {}", out.status);
    String::from_utf8(out.stdout).expect("text")
}

#[test]
fn c_keeps_its_declarations() {
    let Some(folder) = folder("c_keeps_its_declarations") else { return };
    let write =
        |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("it can be written");
    write("program.c", PROGRAM.as_bytes());
    write("program.o", &object("program.c", PROGRAM));
    write("program.h", header("program.c", PROGRAM, "").as_bytes());
    write("main.c", format!("#include \"program.h\"\n{MAIN}").as_bytes());
    let (_cx, ir) = lowered("program.c", PROGRAM, "to-openmp");
    let flavor = terrace_lowering_c::Flavor::OpenMp;
    let printed = terrace_lowering_c::print(&ir, flavor, &Default::default(), &mut Diags::default());
    write("printed.c", printed.expect("it is printed").text.as_bytes());
    cc(&folder, &["main.c", "program.c", "-o", "by-author"]);
    // Loops in it run on the runtime's threads.
    let mut by_object = vec!["main.c", "program.o", "-o", "by-object"];
    let runtime = runtime();
    by_object.extend([runtime.as_str(), "-lpthread", "-ldl", "-lm"]);
    cc(&folder, &by_object);
    cc(&folder, &["main.c", "printed.c", "-fopenmp", "-std=gnu11", "-ffp-contract=off", "-o", "by-text"]);
    let wanted = output(&folder, "by-author");
    assert_eq!(output(&folder, "by-object"), wanted);
    assert_eq!(output(&folder, "by-text"), wanted);
    std::fs::remove_dir_all(folder).expect("made here");
}

#[test]
fn nothing_but_the_author_s_functions_is_seen() {
    let object = object("program.c", PROGRAM);
    let text = String::from_utf8_lossy(&object).into_owned();
    let names: Vec<&str> =
        text.split('\0').filter(|name| name.contains("prefix") || name.contains("hidden")).collect();
    assert!(names.contains(&"prefix"), "{names:?}");
    assert!(names.iter().all(|name| !name.starts_with("_mlir_ciface_")), "{names:?}");
    let header = header("program.c", PROGRAM, "");
    assert!(
        !header.contains("hidden") && header.contains("void prefix(int n, const float *x, float *y);"),
        "{header}"
    );
}

#[test]
fn structures_by_value_are_refused() {
    let text = "struct c { float re; float im; };\n\
        struct c product(struct c a, struct c b) {\n  \
          return (struct c){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};\n}\n";
    let (_cx, ir) = lowered("by_value.c", text, "to-host");
    let mut module = String::new();
    terrace_text::print(&ir, &PrintOptions::default(), &mut module);
    let errors = worker().emit(&module, EmitKind::Obj, &EmitOptions::default()).expect_err("refused");
    assert_eq!(errors[0].code.map(|code| code.id), Some("E0721"));
    assert_eq!(errors[0].message, "`product` takes a structure by value, which code for C cannot have yet");

    // In C text they are what they are in C.
    let Some(folder) = folder("structures_by_value") else { return };
    let (_cx, ir) = lowered("by_value.c", text, "to-openmp");
    let flavor = terrace_lowering_c::Flavor::OpenMp;
    let printed = terrace_lowering_c::print(&ir, flavor, &Default::default(), &mut Diags::default());
    std::fs::write(folder.join("printed.c"), printed.expect("it is printed").text)
        .expect("it can be written");
    let main = "struct c { float re; float im; };
        struct c product(struct c a, struct c b);
        int main(void) {
          struct c a = {1, 2}, b = {3, 4};
          a = product(a, b);
          return !(a.re == -5 && a.im == 10);
        }";
    std::fs::write(folder.join("main.c"), main).expect("it can be written");
    cc(&folder, &["main.c", "printed.c", "-fopenmp", "-std=gnu11", "-o", "main"]);
    output(&folder, "main");
    std::fs::remove_dir_all(folder).expect("made here");
}

/// A library's own calls are not taken over by a program that has a function of the same name
#[test]
fn calls_stay_in_the_library() {
    let Some(folder) = folder("calls_stay_in_the_library") else { return };
    let text = "func.func @step(%m: memref<3xf32>) attributes {no_inline} {
      %c1 = arith.constant 1 : index
      %x = arith.constant 7.0 : f32
      memref.store %x, %m[%c1] : memref<3xf32>
      return
    }
    func.func @run(%m: memref<3xf32>) {
      func.call @step(%m) : (memref<3xf32>) -> ()
      return
    }";
    let main = "#include \"library.h\"
      int step(void) { return 1; }
      int main(void) {
        float x[3] = {1, 2, 3};
        struct buffer_f32_1d m = {x, x, 0, {3}, {1}};
        _mlir_ciface_run(&m);
        return !(x[1] == 7);
      }";
    // Without LLVM's middle end, which would put the function in place of its call.
    let plain = EmitOptions { opt_level: 0, ..EmitOptions::default() };
    let bytes = worker().emit(text, EmitKind::Obj, &plain).expect("an object");
    std::fs::write(folder.join("library.o"), bytes).expect("it can be written");
    std::fs::write(folder.join("library.h"), header("library.mlir", text, "")).expect("it can be written");
    std::fs::write(folder.join("main.c"), main).expect("it can be written");
    cc(&folder, &["-shared", "library.o", "-o", "library.so"]);
    cc(&folder, &["-rdynamic", "main.c", "-L.", "-l:library.so", "-Wl,-rpath,$ORIGIN", "-o", "main"]);
    output(&folder, "main");
    std::fs::remove_dir_all(folder).expect("made here");
}
