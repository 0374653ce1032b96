//! Text of hardware, and what is refused.

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_upstream::ALL;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Context, Ir};
use terrace_text::ParseOptions;

/// The text of `@f`, or why there is none
fn print(text: &str) -> Result<String, String> {
    let cx: Arc<Context> = Context::new(ALL);
    let source = cx.sources().add("in.mlir", text);
    let mut diags = Diags::default();
    let table: Option<Ir> = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    assert!(!diags.has_errors(), "{shown}\n{text}");
    let table = table.expect("no errors");
    let is_f = |unit: &&Ir| symbol_name(unit, unit.root()).is_some_and(|name| cx.str(name) == "f");
    let function = table.walk().filter_map(|op| table.child(op)).find(is_f).expect("it has @f");
    match terrace_lowering_calyx::print(&table, function) {
        Ok(printed) => Ok(printed.text),
        Err(error) => Err(terrace_diag::render_all([&error], cx.sources(), false)),
    }
}

fn refused(text: &str, why: &str) {
    let error = print(text).expect_err(why);
    assert!(error.contains("E0561") && error.contains(why), "{why}: {error}");
}

/// A function with numbers that loops have
fn function(args: &str, body: &str) -> String {
    format!(
        "func.func @f({args}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
{body}  return
}}
"
    )
}

/// What a port gets, and how many cycles after the begin of the iteration its guard is set
fn driven<'a>(text: &'a str, port: &str) -> (usize, &'a str) {
    let find = |port: &str| text.lines().find_map(|line| line.trim().strip_prefix(&format!("{port} = ")));
    let whole = find(port).unwrap_or_else(|| panic!("{port}: {text}"));
    let (guard, value) = whole.split_once(" ? ").expect("it has a guard");
    let (mut cycles, mut guard) = (0, guard);
    while let Some(register) = guard.strip_suffix(".out").filter(|name| name.starts_with("reg_")) {
        let before = find(&format!("{register}.in")).unwrap_or_else(|| panic!("{register}: {text}"));
        guard = before.trim_end_matches(';');
        cycles += 1;
    }
    assert!(guard.starts_with("issue_"), "{guard}");
    (cycles, value)
}

#[test]
fn a_register_changes_after_it_was_read() {
    let text = function(
        "%A: memref<8xi32>, %C: memref<8xi32>",
        "  %zero = arith.constant 0 : i32
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%before = %zero) -> (i32) {
    %x = memref.load %A[%i] : memref<8xi32>
    %d = arith.muli %x, %x : i32
    %y = arith.addi %before, %d : i32
    memref.store %y, %C[%i] : memref<8xi32>
    scf.yield %x : i32
  }
",
    );
    let text = print(&text).expect("it has hardware");
    // The sum has no register behind it: it takes `sum_0` in the cycle of the store.
    let (stored, _) = driven(&text, "m1_0_en");
    assert_eq!(stored, 5, "{text}");
    assert_eq!(driven(&text, "sum_0.write_en").0, stored, "{text}");
}

#[test]
fn a_product_of_numbers_that_do_not_change_is_waited_for() {
    let text = function(
        "%C: memref<8xi16>, %a: i16, %b: i16",
        "  scf.for %i = %c0 to %c8 step %c1 {
    %p = arith.muli %a, %b : i16
    memref.store %p, %C[%i] : memref<8xi16>
  }
",
    );
    let text = print(&text).expect("it has hardware");
    assert_eq!(driven(&text, "m0_0_en").0, 4, "{text}");
}

/// A number of 8 bits with a sign may be negative, also where the index that it comes from is not
#[test]
fn bounds_end_where_a_sign_begins() {
    let text = function(
        "%C: memref<200xi32>",
        "  %c200 = arith.constant 200 : index
  %three = arith.constant 3 : i32
  scf.for %i = %c0 to %c200 step %c1 {
    %n = arith.index_cast %i : index to i8
    %w = arith.extsi %n : i8 to i32
    %q = arith.divui %w, %three : i32
    memref.store %q, %C[%i] : memref<200xi32>
  }
",
    );
    let text = print(&text).expect("it has hardware");
    assert!(text.contains(" = terrace_quotient(32, 3);"), "{text}");
}

/// Half of any index has 63 bits, and one more for the sign
#[test]
fn quotients_of_any_index_are_compared_in_all_bits() {
    let program = |by: i64| {
        let body = format!(
            "  %by = arith.constant {by} : index
  %one = arith.constant 1 : i32
  %q = arith.divui %n, %by : index
  %is = arith.cmpi eq, %q, %c1 : index
  scf.if %is {{
    memref.store %one, %C[%c0] : memref<8xi32>
  }}
"
        );
        function("%C: memref<8xi32>, %n: index", &body)
    };
    for by in [1, 2] {
        let text = print(&program(by)).expect("it has hardware");
        assert!(text.contains(" = std_eq(64);"), "{text}");
    }
    refused(&program(1 << 31), "divides by a value");
}

#[test]
fn functions_of_several_blocks_are_refused_where_they_are_called() {
    let text = function("%A: memref<8xi32>", "  func.call @g(%A) : (memref<8xi32>) -> ()\n");
    let callee = "func.func private @g(%A: memref<8xi32>) {
  cf.br ^next
^next:
  return
}
";
    refused(&(text + callee), "calls a function that is no single block");
}

#[test]
fn strides_are_refused() {
    let loads = |ty: &str| {
        let body = format!("  %a = memref.load %A[%c0] : {ty}\n  memref.store %a, %A[%c1] : {ty}\n");
        function(&format!("%A: {ty}"), &body)
    };
    assert!(print(&loads("memref<8xi32>")).is_ok());
    refused(&loads("memref<8xi32, strided<[2]>>"), "which is no memory in row-major layout");
}

#[test]
fn pipelines_have_arrays_of_their_own() {
    let outside = "  %t = memref.alloca() : memref<8xi32>\n";
    let pipelines = |before: &str, inside: &str| {
        let body = format!(
            "{before}  %c2 = arith.constant 2 : index
  scf.parallel (%p) = (%c0) to (%c2) step (%c1) {{
{inside}    scf.for %i = %c0 to %c8 step %c1 {{
      %a = memref.load %A[%i] : memref<8xi32>
      memref.store %a, %t[%i] : memref<8xi32>
    }}
    scf.reduce
  }}
"
        );
        function("%A: memref<8xi32>", &body)
    };
    refused(&pipelines(outside, ""), "accesses an array whose ports several pipelines would share");
    assert!(print(&pipelines("", outside)).is_ok());
}

/// Stages that run at once have no port in common
#[test]
fn stages_that_share_memory_take_turns() {
    let program = |second: &str| {
        let body = format!(
            "  scf.for %r = %c0 to %c8 step %c1 {{
    func.call @g(%A, %r) : (memref<8xi32>, index) -> ()
    func.call @g({second}, %r) : (memref<8xi32>, index) -> ()
  }} {{terrace.dataflow}}
"
        );
        let callee = "func.func private @g(%A: memref<8xi32>, %r: index) {
  %a = memref.load %A[%r] : memref<8xi32>
  memref.store %a, %A[%r] : memref<8xi32>
  return
}
";
        function("%A: memref<8xi32>, %B: memref<8xi32>", &body) + callee
    };
    assert!(print(&program("%B")).expect("it has hardware").contains("par {"));
    assert!(!print(&program("%A")).expect("it has hardware").contains("par {"));
}

#[test]
fn what_is_too_large_is_refused() {
    let body = "  %t = memref.alloca() {terrace.partition = array<i64: 5000>} : memref<5000xi32>
  %a = memref.load %A[%c0] : memref<8xi32>
  memref.store %a, %t[%c0] : memref<5000xi32>
";
    refused(&function("%A: memref<8xi32>", body), "has too many banks");
    let body = "  %m = arith.constant 1099511627776 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.load %A[%c0] : memref<8xi32>
      memref.store %a, %A[%c1] : memref<8xi32>
    }
  }
";
    refused(&function("%A: memref<8xi32>", body), "has more than 2^40 iterations");
    let nested: String = (1..=12)
        .map(|n| {
            let call = format!("  func.call @g{}(%A) : (memref<8xi32>) -> ()\n", n + 1);
            let call = if n == 12 { String::new() } else { call.repeat(4) };
            format!("func.func private @g{n}(%A: memref<8xi32>) {{\n{call}  return\n}}\n")
        })
        .collect();
    let calls = function("%A: memref<8xi32>", "  func.call @g1(%A) : (memref<8xi32>) -> ()\n");
    refused(&(calls + &nested), "is one call too many");
    let body = "  %m = arith.constant 2097152 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %m step %c1 {
    } {terrace.unroll}
    %a = memref.load %A[%i] : memref<8xi32>
    memref.store %a, %A[%i] : memref<8xi32>
  }
";
    refused(&function("%A: memref<8xi32>", body), "too many copies");
}

#[test]
fn what_does_nothing_is_refused() {
    refused(&function("%A: memref<8xi32>", ""), "does nothing");
}
