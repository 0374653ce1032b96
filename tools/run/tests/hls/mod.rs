//! Code for FPGAs: the values of designs against the interpreter, and what the text does against what the model says of it.

mod headers;
mod text;

use crate::common;
use terrace_diag::Diags;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_opt::{Tool, run_on};
use terrace_schedule_fpga::{Design, Estimate, Fpga, Rounds};
use terrace_search_primitives::design::{Chosen, judge, tiled};
use terrace_text::ParseOptions;
use text::{Function, Loop, Node};

/// A computation of the tests
pub struct Case {
    pub name: &'static str,
    /// Dimensions with their sizes and kinds, inputs, result
    head: &'static str,
    /// Shapes of the two operands and of the result
    shapes: [&'static str; 3],
}

const GEMM: Case = Case {
    name: "gemm",
    head: "(i in 24, j in 36, k in 20 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])",
    shapes: ["24x20", "20x36", "24x36"],
};

const CASES: [Case; 9] = [
    GEMM,
    Case {
        name: "gemm_prime",
        head: "(i in 7, j in 13, k in 11 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])",
        shapes: ["7x11", "11x13", "7x13"],
    },
    Case {
        name: "gemv",
        head: "(i in 24, k in 35 pw add) ins(%a = %A[i, k], %b = %B[k]) outs([i])",
        shapes: ["24x35", "35", "24"],
    },
    Case {
        name: "c1d",
        head: "(f in 6, x in 8, c in 4 pw add, r in 3 pw add) ins(%a = %A[c, 2 * x + r], %b = %B[f, c, r]) outs([f, x])",
        shapes: ["4x17", "6x4x3", "6x8"],
    },
    Case {
        name: "c2d",
        head: "(n in 1, f in 6, y in 8, x in 9, c in 4 pw add, r in 3 pw add, s in 3 pw add) \
               ins(%a = %A[n, c, y + r, x + s], %b = %B[f, c, r, s]) outs([n, f, y, x])",
        shapes: ["1x4x10x11", "6x4x3x3", "1x6x8x9"],
    },
    Case {
        name: "c2d_stride",
        head: "(f in 4, y in 5, x in 5, c in 3 pw add, r in 3 pw add, s in 3 pw add) \
               ins(%a = %A[c, 2 * y + r, 2 * x + s], %b = %B[f, c, r, s]) outs([f, y, x])",
        shapes: ["3x11x11", "4x3x3x3", "4x5x5"],
    },
    Case {
        name: "c2d_prime",
        head: "(f in 7, y in 5, x in 7, c in 5 pw add, r in 3 pw add, s in 3 pw add) \
               ins(%a = %A[c, y + r, x + s], %b = %B[f, c, r, s]) outs([f, y, x])",
        shapes: ["5x7x9", "7x5x3x3", "7x5x7"],
    },
    Case {
        name: "depthwise",
        head: "(c in 6, y in 4, x in 4, r in 3 pw add, s in 3 pw add) \
               ins(%a = %A[c, 2 * y + r, 2 * x + s], %b = %B[c, r, s]) outs([c, y, x])",
        shapes: ["6x9x9", "6x3x3", "6x4x4"],
    },
    // A table of products: nothing is folded.
    Case {
        name: "outer",
        head: "(i in 12, j in 10) ins(%a = %A[i], %b = %B[j]) outs([i, j])",
        shapes: ["12", "10", "12x10"],
    },
];

/// Types of operands and result, and the product
const TYPES: [(&str, &str, &str); 3] = [
    ("f32", "f32", "%p = arith.mulf %a, %b : f32"),
    (
        "i8",
        "i32",
        "%x = arith.extsi %a : i8 to i32\n    %y = arith.extsi %b : i8 to i32\n    %p = arith.muli %x, %y : i32",
    ),
    ("i32", "i32", "%p = arith.muli %a, %b : i32"),
];

impl Case {
    pub fn program(&self, (input, output, body): (&str, &str, &str)) -> String {
        let [a, b, c] = self.shapes;
        let (a, b, c) =
            (format!("tensor<{a}x{input}>"), format!("tensor<{b}x{input}>"), format!("tensor<{c}x{output}>"));
        format!(
            "func.func @f(%A: {a}, %B: {b}) -> {c} {{\n  %C = mdh.compute {} {{\n    {body}\n    mdh.yield %p : {output}\n  }} \
             : ({a}, {b}) -> {c}\n  return %C : {c}\n}}\n",
            self.head
        )
    }
}

/// Put a text through the tool
pub fn opt(text: &str, args: &[&str]) -> String {
    let args: Vec<String> = args.iter().map(|arg| String::from(*arg)).collect();
    let done = run_on(Tool::OPT, &args, "x.mlir", text).expect("the arguments are right");
    assert!(!done.failed, "{}\n{text}", done.messages);
    String::from_utf8(done.out.unwrap_or_default()).expect("text")
}

/// The program with a design of these numbers
pub fn designed(program: &str, chosen: &Chosen) -> String {
    let Design { pipelines, lanes, banks } = chosen.design;
    let tiles: Vec<String> = chosen.tiles.iter().map(i64::to_string).collect();
    let pass =
        format!("mdh-design{{tiles={} lanes={lanes} banks={banks} pipelines={pipelines}}}", tiles.join("x"));
    opt(program, &[&format!("--pipeline=func.func({pass})")])
}

/// Some designs of a program, with their rounds and what the model says of them
fn designs(program: &str) -> Vec<(Chosen, Rounds, Estimate)> {
    let cx = Tool::OPT.context().expect("all go together");
    let source = cx.sources().add("x.mlir", program.to_owned());
    let module = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut Diags::default());
    let module = module.expect("it is right");
    let slot = module.walk().find(|op| module.child(*op).is_some()).expect("a function");
    let unit = module.child(slot).expect("a function");
    let op = unit.walk().find_map(|op| Compute::cast(unit, op)).expect("a computation");
    let computation = View::read(unit, op).expect("verified").computation(unit, op);
    let own = tiled(&computation).expect("a design fits");
    let device = Fpga::vu9p();
    let sizes: Vec<i64> = own.kept().into_iter().map(|dim| own.extents[dim].size).collect();
    let parts = |by: i64| -> Vec<i64> {
        sizes.iter().map(|size| if size % by == 0 { size / by } else { *size }).collect()
    };
    let ones = vec![1; sizes.len()];
    let last: Vec<i64> =
        sizes.iter().enumerate().map(|(n, size)| if n + 1 == sizes.len() { *size } else { 1 }).collect();
    let mut all = Vec::new();
    for (tiles, wide, banks, many) in [
        (&ones, false, 1, false),
        (&parts(2), false, 1, true),
        (&last, true, 2, true),
        (&parts(3), true, 64, false),
        (&sizes, true, 1, false),
    ] {
        let rounds = own.rounds(tiles).expect("tiles divide");
        let smallest = |whole: i64| (2..=whole).find(|n| whole % n == 0).unwrap_or(1);
        let lanes = if wide { own.lanes_of(tiles) } else { 1 };
        let pipelines = if many { smallest(rounds.along) } else { 1 };
        let chosen = Chosen { tiles: tiles.clone(), design: Design { pipelines, lanes, banks } };
        let estimate = judge(&device, &own, &chosen).expect("small designs fit");
        all.push((chosen, rounds, estimate));
    }
    all
}

/// D26: every design of every computation has the values of the computation, with floats and integers
fn values(ty: (&str, &str, &str)) {
    let Some(list) = common::backends::hardware(&format!("hls-{}", ty.0)) else { return };
    for (n, case) in CASES.iter().enumerate() {
        let program = case.program(ty);
        let all = designs(&program);
        // Each type has other designs of a computation, which take a compiler's time; over all types each is run.
        let first = TYPES.iter().position(|own| own.0 == ty.0).unwrap_or(0) + n;
        for (chosen, ..) in all.iter().cycle().skip(first).step_by(3).take(2) {
            let text = designed(&program, chosen);
            let test = format!("hls-{}-{}", case.name, ty.0);
            common::backends::agree_on(list, &test, &text, &["--in=A=random:1", "--in=B=random:2"], "C");
        }
    }
}

#[test]
fn d26_floats_have_the_values_of_the_computation() {
    values(TYPES[0]);
}

#[test]
fn d26_bytes_have_the_values_of_the_computation() {
    values(TYPES[1]);
}

#[test]
fn d26_integers_have_the_values_of_the_computation() {
    values(TYPES[2]);
}

/// Parts of arrays on the chip: written next to each other, then read
const JOINED: &str = "\
func.func @f(%A: tensor<8x4xf32>, %B: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %S = tensor.concat dim(1) %A, %B : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %C = mdh.compute (i in 8, j in 8) ins(%s = %S[i, j]) outs([i, j]) {
    %d = arith.addf %s, %s : f32
    mdh.yield %d : f32
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %C : tensor<8x8xf32>
}
";

/// An array that is read and written through views with other strides
const VIEWED: &str = "\
func.func @f(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %C: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1, 1>} : memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %a = memref.load %A[%i, %j] : memref<8x8xf32>
      memref.store %a, %t[%i, %j] : memref<8x8xf32>
    }
  }
  %v = memref.subview %t[1, 1] [4, 4] [1, 2] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 2], offset: 9>>
  %w = memref.transpose %t (d0, d1) -> (d1, d0) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  %k = memref.collapse_shape %t [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %v[%i, %j] : memref<4x4xf32, strided<[8, 2], offset: 9>>
      %y = memref.load %w[%j, %i] : memref<8x8xf32, strided<[1, 8]>>
      %z = arith.addf %x, %y : f32
      %n = arith.muli %i, %c8 : index
      %m = arith.addi %n, %j : index
      memref.store %z, %k[%m] : memref<64xf32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %a = memref.load %t[%i, %j] : memref<8x8xf32>
      %b = memref.load %B[%i, %j] : memref<8x8xf32>
      %d = arith.addf %a, %b : f32
      memref.store %d, %C[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
";

#[test]
fn views_of_arrays_have_their_strides() {
    let Some(list) = common::backends::hardware("hls-views") else { return };
    for (name, text) in [("joined", JOINED), ("viewed", VIEWED)] {
        let test = format!("hls-{name}");
        common::backends::agree_on(list, &test, text, &["--in=A=random:1", "--in=B=random:2"], "C");
    }
}

/// What a text does, counted in its loops
struct Counted {
    top: Function,
    read: Option<Function>,
    compute: Function,
    write: Function,
}

fn counted(case: &str, text: &str) -> Counted {
    let all = text::functions(text);
    let find = |name: &str| all.iter().find(|own| own.name == name).cloned();
    Counted {
        top: find("f").unwrap_or_else(|| panic!("{case}:\n{text}")),
        read: find("f_read"),
        compute: find("f_compute").or_else(|| find("f_write")).unwrap_or_else(|| panic!("{case}:\n{text}")),
        write: find("f_write").unwrap_or_else(|| panic!("{case}:\n{text}")),
    }
}

/// The loop of rounds, and how many pipelines are next to each other
fn rounds(top: &Function) -> (i64, i64, Option<Loop>) {
    let mut body = &top.body;
    let (mut pipelines, mut count) = (1, 1);
    loop {
        let Some(one) = body.iter().find_map(|node| match node {
            Node::Loop(one) => Some(one),
            _ => None,
        }) else {
            return (pipelines, count, None);
        };
        if one.has("UNROLL") {
            pipelines *= one.trips;
        } else {
            count *= one.trips;
            return (pipelines, count, Some(one.clone()));
        }
        body = &one.body;
    }
}

/// D7, D12, D26: what the model says of a design is what the text does: rounds, bytes, steps, copies, banks, interval
#[test]
fn d7_d12_d26_the_text_does_what_the_model_says() {
    for case in &CASES {
        for ty in [TYPES[0], TYPES[1]] {
            let program = case.program(ty);
            for (chosen, rounds_of, estimate) in designs(&program) {
                // What copies one element is no loop, and no stage of its own.
                let one = |tile: &terrace_schedule_fpga::Tile, elem: &str| {
                    tile.bytes == if elem.ends_with('8') { 1 } else { 4 }
                };
                if rounds_of.reads.iter().any(|tile| one(tile, ty.0)) || one(&rounds_of.writes, ty.1) {
                    continue;
                }
                let what = format!("{} {} {chosen:?}", case.name, ty.0);
                let text = opt(&designed(&program, &chosen), &["--pipeline=to-hls", "--emit=hls"]);
                check(&what, &text, (&chosen, &rounds_of, &estimate), ty);
            }
        }
    }
}

fn check(
    what: &str,
    text: &str,
    (chosen, rounds_of, estimate): (&Chosen, &Rounds, &Estimate),
    ty: (&str, &str, &str),
) {
    let Counted { top, read, compute, write } = counted(what, text);
    let bytes = |ty: &str| if ty.ends_with('8') { 1 } else { 4 };
    let folds = compute.name == "f_compute";
    let (pipelines, count, around) = rounds(&top);
    assert_eq!((pipelines, count), (chosen.design.pipelines, estimate.rounds), "{what}:\n{text}");
    if let Some(around) = &around {
        assert!(around.has("DATAFLOW") || count == 1, "{what}:\n{text}");
    }
    // Stages are called in order, once.
    let body = around.as_ref().map_or(&top.body, |around| &around.body);
    let calls = text::functions(text).iter().filter(|own| own.name.starts_with("f_")).count();
    let called: Vec<&String> = match around.is_some() || pipelines == 1 {
        true => body
            .iter()
            .filter_map(|node| if let Node::Call(name) = node { Some(name) } else { None })
            .collect(),
        false => Vec::new(),
    };
    assert!(called.is_empty() || called.len() == calls, "{what}: {called:?}\n{text}");
    // Arrays have the tiles and banks.
    let arrays = text::arrays(&top.body);
    let tiles: Vec<_> = rounds_of.reads.iter().chain(folds.then_some(&rounds_of.writes)).collect();
    assert_eq!(arrays.len(), tiles.len(), "{what}:\n{text}");
    for (n, (array, tile)) in arrays.iter().zip(&tiles).enumerate() {
        let elem = if n < rounds_of.reads.len() { bytes(ty.0) } else { bytes(ty.1) };
        assert_eq!(array.dims.iter().product::<i64>() * elem, tile.bytes, "{what}: {array:?}");
        let banks = if tile.lanes { chosen.design.banks.min(chosen.design.lanes) } else { 1 };
        assert_eq!(array.banks.iter().product::<i64>(), banks, "{what}: {array:?}\n{text}");
    }
    // Bytes of the stages.
    let read = read.expect("something is read");
    let wanted: i64 = rounds_of.reads.iter().map(|tile| tile.bytes / bytes(ty.0)).sum();
    assert_eq!(text::stores(&read.body), wanted, "{what}:\n{text}");
    assert_eq!(text::stores(&write.body), rounds_of.writes.bytes / bytes(ty.1), "{what}:\n{text}");
    // Zeros, then the pipeline that the model speaks of.
    // A sum whose terms are all added in one step begins in a register, though the model counts its zero.
    let zeros = if estimate.steps > rounds_of.sums { rounds_of.sums } else { 0 };
    let wanted = if folds { zeros + estimate.steps } else { rounds_of.macs };
    assert_eq!(text::stores(&compute.body), wanted, "{what}:\n{text}");
    let found = text::pipelines(&compute.body);
    let Some((main, steps, copies)) = found.last().filter(|_| estimate.steps > 1) else { return };
    assert_eq!((*steps, *copies), (estimate.steps, chosen.design.lanes), "{what}:\n{text}");
    if folds {
        assert_eq!(main.interval(), Some(estimate.interval), "{what}:\n{text}");
    }
}

/// The top function is connected: memory by a port of its own for each buffer, all else by registers
#[test]
fn buffers_are_ports() {
    let text = opt(&GEMM.program(TYPES[0]), &["--pipeline=to-hls", "--emit=hls"]);
    let all = text::functions(&text);
    let top = all.iter().find(|own| own.name == "f").expect("the top function");
    for (n, name) in ["A", "B", "C"].into_iter().enumerate() {
        for wanted in [
            format!("INTERFACE m_axi port={name} offset=slave bundle=gmem{n}"),
            format!("INTERFACE s_axilite port={name}"),
        ] {
            assert!(top.pragmas.contains(&wanted), "{wanted}:\n{text}");
        }
    }
    assert!(top.pragmas.contains(&"INTERFACE s_axilite port=return".into()), "{text}");
    assert!(text.contains("extern \"C\" void f("), "{text}");
}

/// What has no design is refused, by its numbers, or for want of room; what hardware has not is named
#[test]
fn what_an_fpga_cannot_do_is_refused() {
    let refused = |text: &str, pipeline: &str, why: &str| {
        let args = [format!("--pipeline={pipeline}"), "--emit=hls".into()];
        let done = run_on(Tool::OPT, &args, "x.mlir", text).expect("the arguments are right");
        assert!(done.failed && done.messages.contains(why), "{why}: {}", done.messages);
    };
    let gemm = GEMM.program(TYPES[0]);
    let with = |numbers: &str| format!("func.func(mdh-design{{{numbers}}})");
    refused(&gemm, &with("tiles=5x9 lanes=1 banks=1 pipelines=1"), "E0679");
    refused(&gemm, &with("tiles=8x9 lanes=3 banks=1 pipelines=1"), "the number of lanes is 3");
    refused(&gemm, &with("tiles=8x9 lanes=1 banks=1 pipelines=5"), "the number of pipelines is 5");
    refused(&gemm, &with("tiles=8 lanes=1"), "the number of tiles is 1, of kept dimensions 2");
    refused(&gemm, &with("tiles=8x9 lanes=3"), "lanes or pipelines do not divide");
    refused(&gemm, &with("tiles=8by9"), "auto, or numbers with `x` between them");
    refused(&gemm, &with("device=abacus"), "there is no FPGA `abacus`");
    let vector = "func.func @f(%m: memref<8xf32>) {\n  %c0 = arith.constant 0 : index\n  %v = vector.load %m[%c0] : memref<8xf32>, \
                  vector<8xf32>\n  %w = arith.addf %v, %v : vector<8xf32>\n  vector.store %w, %m[%c0] : memref<8xf32>, vector<8xf32>\n  \
                  return\n}\n";
    refused(vector, "to-hls", "hardware has no vectors");
    let heap = "func.func @f(%n: index, %m: memref<f32>) {\n  %t = memref.alloc(%n) : memref<?xf32>\n  %c0 = arith.constant 0 : index\n  \
                %x = memref.load %t[%c0] : memref<?xf32>\n  memref.store %x, %m[] : memref<f32>\n  return\n}\n";
    refused(heap, "to-hls", "hardware has no heap");
}
