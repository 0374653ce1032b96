//! The two listings of the paper (CC'22), as patterns and as the schedules that they are, and problems derived from them.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_sched::{For, Kernel};
use terrace_dialect_test::values::shown;
use terrace_dialect_tune::Space as TuneSpace;
use terrace_ir::symbols::Symbols;
use terrace_ir::{Context, Ir, OpId, VerifyCx};
use terrace_search_mapping::legality::MappedNest;
use terrace_search_mapping::numbers::Choices;
use terrace_search_mapping::{MapLevel, Mappings, Options, Problem, Tag, Tree, codes, emit};
use terrace_search_solver::Source;

/// `A{B{C}, D{E}}` with a local buffer in A
pub const LISTING_1: &str = r#"
func.func @two_nests(%in: !array.of<@I x @J x @K x i32>, %two: i32) -> !array.of<@I x @J x @K x i32> {
  %o = array.map "A" %in as %a {
    %b = array.map "B" %a as %r {
      %c = array.map "C" %r as %x {
        %0 = arith.addi %x, %two : i32
        array.yield %0
      }
      array.yield %c
    }
    %l = array.place #gpu.address_space<workgroup> %b
    %t = array.transpose %l
    %d = array.map "D" %t as %col {
      %e = array.map "E" %col as %x {
        %0 = arith.muli %x, %two : i32
        array.yield %0
      }
      array.yield %e
    }
    %u = array.transpose %d
    array.yield %u
  }
  return %o : !array.of<@I x @J x @K x i32>
}
"#;

/// The nest of listing 1 as a schedule; levels are left to variables
pub const SCHEDULE_1: &str = r#"
#dm = #gpu.address_space<global>
#sm = #gpu.address_space<workgroup>
func.func @two_nests(%in: memref<8x4x6xi32, #dm>, %out: memref<8x4x6xi32, #dm>) {
  sched.kernel @k grid [1, 1, 1] block [1, 1, 1] {
    sched.for (%a in 8 by 1 dim 0) {
      %buf = sched.alloc : memref<4x6xi32, #sm>
      sched.for (%b in 4 by 1 dim 1) {
        sched.for (%c in 6 by 1 dim 2) {
          %v = sched.read %in[%a, %b, %c] : memref<8x4x6xi32, #dm>
          sched.write %v, %buf[%b, %c] : memref<4x6xi32, #sm>
        }
      }
      sched.for (%d in 6 by 1 dim 2) {
        sched.for (%e in 4 by 1 dim 1) {
          %v = sched.read %buf[%e, %d] : memref<4x6xi32, #sm>
          sched.write %v, %out[%a, %e, %d] : memref<8x4x6xi32, #dm>
        }
      }
    }
  }
  return
}
"#;

/// `A{C{D}, B}`, with the result of D in a buffer of A or without one
pub fn listing_3(place: Option<&str>) -> String {
    let (before, used) = match place {
        Some(space) => (format!("%p = array.place #gpu.address_space<{space}> %6\n"), "%p"),
        None => (String::new(), "%6"),
    };
    format!(
        r#"
func.func @tiled(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> {{
  %0 = array.split @s0 %X
  %1 = array.map "A" %0 as %c {{
    %2 = array.split @s1 %c
    %3 = array.map "C" %2 as %d {{
      %4 = array.map "D" %d as %e {{
        %5 = arith.muli %e, %y : i32
        array.yield %5
      }}
      array.yield %4
    }}
    %6 = array.join %3
    {before}
    %7 = array.map "B" {used} as %e {{
      %8 = arith.addi %e, %z : i32
      array.yield %8
    }}
    array.yield %7
  }}
  %9 = array.join %1
  return %9 : !array.of<@n x i32>
}}
"#
    )
}

/// Listing 3 as a schedule, with the buffer in a space; device memory is made outside
pub fn schedule_3(space: &str) -> String {
    let (outside, inside, at) = match space {
        "global" => (", %buf: memref<64xi32, #sp>".to_string(), "", ("%a + ", 64)),
        _ => (String::new(), "%buf = sched.alloc : memref<16xi32, #sp>", ("", 16)),
    };
    let (base, size) = at;
    format!(
        r#"
#dm = #gpu.address_space<global>
#sp = #gpu.address_space<{space}>
func.func @tiled(%X: memref<64xi32, #dm>, %out: memref<64xi32, #dm>{outside}) {{
  sched.kernel @k grid [1, 1, 1] block [1, 1, 1] {{
    sched.for (%a in 64 by 16 dim 0) {{
      {inside}
      sched.for (%c in 16 by 4 dim 0) {{
        sched.for (%d in 4 by 1 dim 0) {{
          %v = sched.read %X[%a + %c + %d] : memref<64xi32, #dm>
          sched.write %v, %buf[{base}%c + %d] : memref<{size}xi32, #sp>
        }}
      }}
      sched.for (%b in 16 by 1 dim 0) {{
        %v = sched.read %buf[{base}%b] : memref<{size}xi32, #sp>
        sched.write %v, %out[%a + %b] : memref<64xi32, #dm>
      }}
    }}
  }}
  return
}}
"#
    )
}

pub fn context() -> Arc<Context> {
    let all = terrace_dialect_upstream::ALL.iter().chain(terrace_dialect_array::ALL);
    let all = all.chain(terrace_dialect_sched::ALL).chain(terrace_dialect_tune::ALL);
    Context::new(&all.copied().collect::<Vec<_>>())
}

pub fn parse(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("test", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    assert!(!diags.has_errors(), "{shown}");
    let ir = ir.expect("parsed");
    let diags = terrace_ir::verify::verify(&ir, 1);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    assert!(!diags.has_errors(), "{shown}");
    ir
}

/// The only function
pub fn function(ir: &Ir) -> &Ir {
    ir.walk().find_map(|op| ir.child(op)).expect("a function")
}

/// The problem of a listing with the rules of its schedule
pub fn problem(patterns: &str, schedule: Option<&str>, options: Options, strict: bool) -> Problem {
    let cx = context();
    let ir = parse(&cx, patterns);
    let tree = Tree::of(function(&ir));
    let mut problem = Problem::new(tree, options);
    if let Some(text) = schedule {
        let module = parse(&cx, text);
        let unit = function(&module);
        let symbols = Symbols::read(&module);
        let scope = symbols.child_scope(symbols.root(), unit);
        let v = VerifyCx::new(unit, &symbols, scope);
        let top = unit.walk().find(|op| Kernel::cast(unit, *op).is_some()).expect("a kernel");
        let loops: Vec<OpId> = unit.walk().filter(|op| For::cast(unit, *op).is_some()).collect();
        let variable = |op: OpId| loops.iter().position(|own| *own == op);
        let domain = |n: usize| problem.domain(n);
        let nest = MappedNest::read(&v, top, &variable, &domain);
        let given = nest.map_or(Vec::new(), |nest| nest.constraints(strict));
        problem.given.extend(given);
    }
    problem
}

pub fn tags(words: &[&str]) -> Vec<Tag> {
    words.iter().map(|word| Tag::from_word(word).expect("a tag")).collect()
}

pub fn count(problem: &Problem) -> u64 {
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    space.count().iter_u64_digits().next().unwrap_or(0)
}

/// A layer of whole numbers: height, width and channels; kernels; windows of k by k; one row around
pub fn layer([h, w, c]: [i64; 3], o: i64, k: i64) -> String {
    terrace_dialect_test::programs::layers::layer([h, w, c, o, k, 1, 1], "i32")
}

/// The space of a problem, printed and read again
pub fn printed(ir: &Ir, problem: &Problem) -> Choices {
    let mut module = ir.clone_unit();
    let slot = module.walk().find(|op| module.child(*op).is_some()).expect("a function");
    emit::space(&mut module, slot, problem, "f", "opencl").unwrap_or_else(|why| panic!("{why}"));
    let text = shown(&module);
    let again = parse(&context(), &text);
    assert_eq!(shown(&again), text);
    let space = again.walk().find_map(|op| TuneSpace::cast(&again, op)).expect("a space");
    Choices::of(&again, space, &BTreeMap::new()).unwrap_or_else(|why| panic!("{why}"))
}

/// Values of all parameters and sizes that follow, from those of the maps
pub fn point(choices: &Choices, values: &[MapLevel]) -> Vec<i64> {
    let mut all = Vec::new();
    let mut values = values.iter();
    for param in &choices.numbers.params {
        let value = match &param.source {
            Source::Derived(term) => {
                term.value(&|var| all.get(var.index()).copied()).ok().flatten().expect("a number")
            }
            _ => codes::number(*values.next().expect("a map")),
        };
        all.push(value);
    }
    all
}
