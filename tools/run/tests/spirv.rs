//! SPIR-V: kernels by value against the interpreter, on a device that takes it; what it lacks is refused.

use crate::common;

use common::{refused, run, stdout};

/// Is there a device? Says so if not
fn here(test: &str) -> bool {
    let missing = terrace_targets::find("spirv").expect("it is in the list").missing();
    if let Some(component) = missing {
        println!("skipped: {test} on spirv (needs {component})");
    }
    missing.is_none()
}

/// SPIR-V and the interpreter agree on this output
fn agree(test: &str, text: &str, args: &[&str], output: &str) {
    if !here(test) {
        return;
    }
    let args: Vec<&str> = args.iter().copied().chain(["--compare=interp,spirv"]).collect();
    let shown = stdout(&run(test, text, &args));
    assert!(shown.contains(&format!("spirv and interp: {output}: all ")), "{test}:\n{shown}");
}

/// A kernel of one block, with this body; `%m` has 8 elements
fn kernel(elem: &str, body: &str) -> String {
    format!(
        "\
func.func @f(%m: memref<8x{elem}>) {{
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%a, %b, %c) in (%g = %c1, %h = %c1, %k = %c1) threads(%x, %y, %z) in (%p = %c8, %q = %c1, %r = %c1) {{
{body}
    gpu.terminator
  }}
  return
}}
"
    )
}

#[test]
fn functions_of_floats() {
    for name in ["sin", "exp", "erf", "tanh", "log1p", "sqrt", "rsqrt", "floor", "roundeven", "cbrt"] {
        for elem in ["f32", "f64"] {
            let body = format!(
                "    %v = memref.load %m[%x] : memref<8x{elem}>\n    %w = math.{name} %v : {elem}\n    \
                 memref.store %w, %m[%x] : memref<8x{elem}>"
            );
            let args = ["--in=m=random:1", "--tolerance=1e-6,1e-6"];
            agree(&format!("function-{name}-{elem}"), &kernel(elem, &body), &args, "m");
        }
    }
}

#[test]
fn atomics_of_all_threads() {
    for (kind, elem) in [("addi", "i32"), ("maxs", "i32"), ("addf", "f32"), ("addi", "i64")] {
        let body = format!(
            "    %c0 = arith.constant 0 : index\n    %v = memref.load %m[%x] : memref<8x{elem}>\n    gpu.barrier\n    \
             %w = memref.atomic_rmw {kind} %v, %m[%c0] : ({elem}, memref<8x{elem}>) -> {elem}"
        );
        agree(&format!("atomic-{kind}-{elem}"), &kernel(elem, &body), &["--in=m=iota"], "m");
    }
}

#[test]
fn memory_of_a_block_and_barriers() {
    let text = "\
func.func @f(%m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%a, %b, %c) in (%g = %c1, %h = %c1, %k = %c1) threads(%x, %y, %z) in (%p = %c8, %q = %c1, %r = %c1) workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) {
    %c7 = arith.constant 7 : index
    %v = memref.load %m[%x] : memref<8xf32>
    memref.store %v, %s[%x] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %t = arith.subi %c7, %x : index
    %w = memref.load %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %w, %m[%x] : memref<8xf32>
    gpu.terminator
  }
  return
}
";
    agree("block", text, &["--in=m=iota"], "m");
}

#[test]
fn what_spirv_lacks_is_refused() {
    if !here("refusals") {
        return;
    }
    let body = "    %l = gpu.lane_id\n    %i = arith.index_cast %l : index to i32\n    memref.store %i, %m[%x] : memref<8xi32>";
    let out = run("lane", &kernel("i32", body), &["--on=spirv"]);
    refused(&out, 1, "E0720");
}
