//! Programs are read, changed by passes, interpreted and printed.

use terrace::{Context, Value};

const POWER: &str = "
func.func @power(%x: i64, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %same = arith.addi %x, %zero : i64
  %start = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %r = scf.for %i = %start to %end step %step iter_args(%p = %one) -> (i64) {
    %q = arith.muli %p, %same : i64
    scf.yield %q : i64
  }
  return %r : i64
}
";

#[test]
fn passes_keep_what_a_program_means() {
    let cx = Context::standard();
    let mut module = terrace::parse(&cx, "power.mlir", POWER).expect("it is right");
    let call = [Value::from(3i64), 4i64.into()];
    assert_eq!(terrace::interp(&module).call("power", &call).expect("it runs"), [81i64.into()]);
    let remarks = terrace::passes("func.func(canonicalize,cse)").expect("there are both").run(&mut module);
    assert!(remarks.expect("it verifies").is_empty());
    let text = module.to_string();
    assert!(!text.contains("arith.addi") && text.contains("scf.for"), "{text}");
    assert_eq!(terrace::interp(&module).call("power", &call).expect("it runs"), [81i64.into()]);
    // What is printed can be read again.
    let again = terrace::parse(&cx, "again.mlir", text.as_str()).expect("it was printed");
    assert_eq!(again.to_string(), text);
}

#[test]
fn threads_change_nothing() {
    let cx = Context::standard();
    let texts = [1, 4].map(|threads| {
        let mut module = terrace::parse(&cx, "power.mlir", POWER).expect("it is right");
        let passes = terrace::passes("func.func(canonicalize),convert-scf-to-cf").expect("there are both");
        passes.threads(threads).run(&mut module).expect("it verifies");
        module.to_string()
    });
    assert!(texts[0].contains("cf.cond_br"), "{}", texts[0]);
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn memory_lasts_from_call_to_call() {
    let cx = Context::standard();
    let text = "
        func.func @add(%m: memref<2x3xf32>, %v: vector<3xf32>) {
          %one = arith.constant 1 : index
          %zero = arith.constant 0 : index
          %row = vector.load %m[%one, %zero] : memref<2x3xf32>, vector<3xf32>
          %sum = arith.addf %row, %v : vector<3xf32>
          vector.store %sum, %m[%one, %zero] : memref<2x3xf32>, vector<3xf32>
          return
        }";
    let module = terrace::parse(&cx, "add.mlir", text).expect("it is right");
    let mut interp = terrace::interp(&module);
    let memory = interp.buffer(&[2, 3], &[0f32, 1., 2., 3., 4., 5.]).expect("it fits");
    for _ in 0..2 {
        interp.call("add", &[memory.clone(), vec![10f32, 20., 30.].into()]).expect("it runs");
    }
    let wanted: Vec<Value> = [0f32, 1., 2., 23., 44., 65.].map(Value::from).to_vec();
    assert_eq!(interp.elements(&memory).expect("it is there"), wanted);
}
