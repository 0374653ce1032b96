//! Reductions that the last block joins: one launch, the same bits in every order of blocks, and each part of the protocol is needed.

use crate::common;

use common::{installed, run, stdout};
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};

/// Sums or others of a matrix's elements in parts of some rows; `last` or another mechanism
fn reduction([m, n]: [i64; 2], rows: i64, elem: &str, combine: &str, via: &str) -> String {
    format!(
        "func.func @f(%A: tensor<{m}x{n}x{elem}>) -> tensor<{elem}> {{
  %c = mdh.compute (i in {m} pw {combine}, j in {n} pw {combine}) ins(%a = %A[i, j]) outs([]) attributes {{mdh.schedule = [
  \"1: ({rows}~limit,^) (^ ; ^) (BLK.x({via}),^)\",
  \"3: (^,64~limit) (^ ; ^) (^,FOR.1)\",
  \"2: (^,1) (^ ; ^) (^,THR.x(shuffle))\",
  \"4: (1,1) (^ ; ^) (FOR.2,FOR.3)\"]}} {{
    mdh.yield %a : {elem}
  }} : (tensor<{m}x{n}x{elem}>) -> tensor<{elem}>
  return %c : tensor<{elem}>
}}"
    )
}

/// The same in rounds of all blocks: each has some rows of every round
fn in_rounds([m, n]: [i64; 2], [round, rows]: [i64; 2], elem: &str, combine: &str, via: &str) -> String {
    let text = reduction([m, n], rows, elem, combine, via);
    let steps = [
        format!("\"2: ({round}~limit,^) (^ ; ^) (FOR.1,^)\",\n  \"1: ({rows}~limit,^)"),
        "\"4: (^,64~limit)".into(),
        "\"3: (^,1) (^ ; ^) (^,THR.x(shuffle))".into(),
        "\"5: (1,1)".into(),
    ];
    let olds = [
        &format!("\"1: ({rows}~limit,^)"),
        "\"3: (^,64~limit)",
        "\"2: (^,1) (^ ; ^) (^,THR.x(shuffle))",
        "\"4: (1,1)",
    ];
    olds.into_iter().zip(steps).fold(text, |text, (old, new)| text.replace(old, &new))
}

/// Without a schedule
fn whole([m, n]: [i64; 2], order: &str) -> String {
    format!(
        "func.func @f(%A: tensor<{m}x{n}xf32>) -> tensor<f32> {{
  %c = mdh.compute (i in {m} pw add{order}, j in {n} pw add{order}) ins(%a = %A[i, j]) outs([]) {{
    mdh.yield %a : f32
  }} : (tensor<{m}x{n}xf32>) -> tensor<f32>
  return %c : tensor<f32>
}}"
    )
}

fn whole_of([m, n]: [i64; 2], elem: &str, combine: &str) -> String {
    whole([m, n], "").replace("f32", elem).replace(" add", &format!(" {combine}"))
}

/// To kernels, in as few passes as do it
const CUDA: &str = "func.func(mdh-schedule{target=cuda},mdh-to-sched,sched-legalize,sched-to-scf),canonicalize,gpu-last-block,gpu-kernel-outlining";

/// What the pipeline of a back end makes of a text, and what it says
fn lowered(name: &str, text: &str, pipeline: &str) -> (String, String) {
    let args = [format!("--pipeline={pipeline}")];
    let finished = run_on(Tool::OPT, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}:\n{}", finished.messages);
    let out = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
    (out, finished.messages)
}

fn launches(text: &str) -> usize {
    text.matches("gpu.launch_func").count()
}

/// The result in the interpreter, its blocks in an order
fn result(name: &str, text: &str, order: &str) -> String {
    let shown = stdout(&run(name, text, &["--on=interp", "--in=A=random:1", &format!("--order={order}")]));
    shown.lines().last().expect("there is a result").split(" = ").last().expect("it has a value").to_string()
}

/// All elements of the result in the interpreter, as the bytes of a file
fn elements(name: &str, text: &str, order: &str) -> Vec<u8> {
    let file = common::place("elements.npy");
    let out = format!("--out=out={}", file.display());
    stdout(&run(name, text, &["--on=interp", "--in=A=random:1", &format!("--order={order}"), &out]));
    let bytes = std::fs::read(&file).expect("the tool wrote it");
    let _ = std::fs::remove_file(file);
    bytes
}

#[test]
fn one_launch_has_the_values_of_two() {
    for (n, (sizes, rows, elem, combine)) in [
        ([37, 300], 4, "f32", "add"),
        ([37, 300], 4, "f32", "max"),
        ([8, 129], 3, "i32", "add"),
        ([131, 65], 2, "i32", "xor"),
        ([5, 67], 1, "f64", "add"),
        ([9, 70], 4, "i16", "minui"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("values-{n}");
        let [one, two] = ["last", "kernel"]
            .map(|via| lowered(&name, &reduction(sizes, rows, elem, combine, via), "to-cuda").0);
        assert_eq!([&one, &two].map(|text| launches(text)), [1, 2], "{name}:\n{one}");
        assert_eq!(result(&name, &one, "forward"), result(&name, &two, "forward"), "{name}");
    }
}

#[test]
fn rounds_of_all_blocks_are_joined_too() {
    for (n, (sizes, tiles, elem, combine)) in [
        ([37, 300], [12, 4], "f32", "add"),
        ([48, 129], [16, 4], "f32", "max"),
        ([31, 70], [10, 3], "i32", "add"),
        ([131, 65], [8, 2], "i32", "xor"),
        ([23, 67], [5, 1], "f64", "add"),
        ([29, 70], [6, 4], "i16", "minui"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("rounds-{n}");
        let text = in_rounds(sizes, tiles, elem, combine, "last");
        assert!(text.contains("FOR.1,^)\",\n  \"1:"), "{text}");
        let [one, two] = ["last", "kernel"]
            .map(|via| lowered(&name, &in_rounds(sizes, tiles, elem, combine, via), "to-cuda").0);
        assert_eq!([&one, &two].map(|text| launches(text)), [1, 2], "{name}:\n{one}");
        let first = result(&name, &one, "forward");
        assert_eq!(first, result(&name, &two, "forward"), "{name}");
        assert_eq!(first, result(&name, &one, "reverse"), "{name}");
        // Contributions are those of the mathematics; only sums of floats round in another order.
        let wanted = result(&name, &whole_of(sizes, elem, combine), "forward");
        let number = |text: &str| text.trim_matches(|c: char| !c.is_ascii_digit() && c != '-').parse::<f64>();
        match (number(&first), number(&wanted)) {
            (Ok(first), Ok(wanted)) if elem.starts_with('f') => {
                assert!((first - wanted).abs() <= 1e-3 * (1.0 + wanted.abs()), "{name}: {first}, {wanted}");
            }
            _ => assert_eq!(first, wanted, "{name}"),
        }
    }
}

/// One dimension, shared by blocks behind a tile of another kind
fn one_dimension(combine: &str, tile: &str) -> String {
    format!(
        "func.func @f(%A: tensor<370xf32>) -> tensor<f32> {{
  %c = mdh.compute (i in 370 pw {combine}) ins(%a = %A[i]) outs([]) attributes {{mdh.schedule = [
  \"2: (64~limit) (^ ; ^) ({tile})\",
  \"1: (16~limit) (^ ; ^) (BLK.x(last))\",
  \"3: (1) (^ ; ^) (FOR.2)\"]}} {{
    mdh.yield %a : f32
  }} : (tensor<370xf32>) -> tensor<f32>
  return %c : tensor<f32>
}}{FIRST}"
    )
}

#[test]
fn rounds_need_an_operator_that_commutes_and_sequential_tiles() {
    for (combine, tile, why) in [
        (
            "@first",
            "FOR.1",
            "dimension 1 in step 2, which step 1 tiles before; blocks would take contributions in rounds, and the operator does not commute",
        ),
        ("add", "THR.x", "rounds of blocks are sequential: tile with FOR"),
    ] {
        let text = one_dimension(combine, tile);
        let args = ["--pipeline=func.func(mdh-schedule{target=cuda})".to_string()];
        let finished = run_on(Tool::OPT, &args, "first", &text).expect("the arguments are right");
        assert!(
            finished.failed && finished.messages.contains(why),
            "{combine}, {tile}: {}",
            finished.messages
        );
    }
    let (one, _) = lowered("one", &one_dimension("max", "FOR.1"), "to-cuda");
    assert_eq!(launches(&one), 1, "{one}");
}

/// Keeps what is on the left, unless it is 0
const FIRST: &str = "
func.func @first(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, identity = [0.0 : f32]}} {
  %z = arith.constant 0.0 : f32
  %e = arith.cmpf oeq, %a, %z : f32
  %r = arith.select %e, %b, %a : f32
  return %r : f32
}
";

/// Rounded sums: a bracketing that depended on the order of blocks would show
#[test]
fn a_hundred_orders_of_blocks_give_one_pattern_of_bits() {
    let text = reduction([37, 300], 4, "f32", "add", "last");
    let (one, _) = lowered("orders", &text, "to-cuda");
    let first = result("orders", &one, "forward");
    assert_eq!(result("orders", &one, "reverse"), first);
    for seed in 0..98 {
        assert_eq!(result("orders", &one, &seed.to_string()), first, "seed {seed}");
    }
    // Atomic updates do depend on it, so that the test can fail.
    let free = reduction([37, 300], 4, "f32", "add free", "atomic");
    let (free, _) = lowered("free", &free, "to-cuda");
    let all: std::collections::BTreeSet<String> =
        (0..8).map(|seed| result("free", &free, &seed.to_string())).collect();
    assert!(all.len() > 1, "{all:?}");
}

/// The level `invariant`: the same, and the bits are those of the computation as written, which has no blocks
#[test]
fn a_hundred_orders_of_blocks_give_the_bits_of_the_bracket() {
    let text = whole([137, 301], " invariant");
    let (kernels, _) = lowered("bracket", &text, "to-cuda");
    assert!(kernels.contains("blocks in (%c1, %c3, %c1)"), "blocks have an order:\n{kernels}");
    let written =
        result("bracket-written", &lowered("bracket", &text, "func.func(mdh-fix-bits)").0, "forward");
    for order in
        ["forward".to_owned(), "reverse".to_owned()].into_iter().chain((0..98).map(|n: i32| n.to_string()))
    {
        assert_eq!(result("bracket", &kernels, &order), written, "{order}");
    }
    // The left fold has other bits, so the bracket can be seen.
    assert_ne!(result("fold", &whole([137, 301], " source"), "forward"), written);
}

/// Threads of a block write parts, the last block sums them: written out, so that every line of the protocol can be left out
const PROTOCOL: &str = "\
module attributes {gpu.container_module} {
  gpu.module @k {
    memref.global \"private\" @ticket : memref<1xi32> = dense<0>
    gpu.func @sum(%in: memref<24xi32>, %part: memref<24xi32>, %out: memref<1xi32>)
        workgroup(%flag : memref<1xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c24 = arith.constant 24 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %most = arith.constant 5 : i32
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %first = arith.cmpi eq, %t, %c0 : index
      %x = memref.load %in[%i] : memref<24xi32>
      memref.store %x, %part[%i] : memref<24xi32>
      gpu.barrier // before
      scf.if %first {
        %ticket = memref.get_global @ticket : memref<1xi32>
        llvm.fence syncscope(\"device\") acq_rel // release
        %n = memref.atomic_rmw addi %one, %ticket[%c0] : (i32, memref<1xi32>) -> i32
        llvm.fence syncscope(\"device\") acq_rel // acquire
        %l = arith.cmpi eq, %n, %most : i32
        %w = arith.extui %l : i1 to i32
        memref.store %w, %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
        scf.if %l {
          memref.atomic_rmw assign %zero, %ticket[%c0] : (i32, memref<1xi32>) -> i32 // reset
        }
      }
      gpu.barrier // behind
      %f = memref.load %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      %last = arith.cmpi ne, %f, %zero : i32
      %works = arith.andi %last, %first : i1
      scf.if %works {
        %all = scf.for %k = %c0 to %c24 step %c1 iter_args(%a = %zero) -> (i32) {
          %p = memref.load %part[%k] : memref<24xi32>
          %s = arith.addi %a, %p : i32
          scf.yield %s : i32
        }
        memref.store %all, %out[%c0] : memref<1xi32>
      }
      gpu.return
    }
  }
  func.func @f(%in: memref<24xi32>, %out: memref<1xi32>, %again: memref<1xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %part = memref.alloc() : memref<24xi32>
    gpu.launch_func @k::@sum blocks in (%c6, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%in : memref<24xi32>, %part : memref<24xi32>, %out : memref<1xi32>)
    gpu.launch_func @k::@sum blocks in (%c6, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%in : memref<24xi32>, %part : memref<24xi32>, %again : memref<1xi32>)
    memref.dealloc %part : memref<24xi32>
    return
  }
}
";

/// Both results of the protocol, or the message
fn both(name: &str, text: &str, order: &str) -> String {
    let out = run(name, text, &["--on=interp", "--in=in=iota", &format!("--order={order}")]);
    match out.status.success() {
        true => String::from_utf8_lossy(&out.stdout)
            .lines()
            .filter(|line| !line.starts_with("in"))
            .collect::<Vec<_>>()
            .join("; "),
        false => String::from_utf8_lossy(&out.stderr).lines().next().unwrap_or_default().to_string(),
    }
}

#[test]
fn every_line_of_the_protocol_is_needed() {
    let right = both("protocol", PROTOCOL, "forward");
    assert_eq!(right, "out : 1xi32 = 276; again : 1xi32 = 276");
    for order in ["reverse", "1", "2", "3", "4", "5"] {
        assert_eq!(both("protocol", PROTOCOL, order), right, "{order}");
    }
    let without = |word: &str| {
        let lines = PROTOCOL.lines().filter(|line| !line.contains(word));
        lines.collect::<Vec<_>>().join("\n")
    };
    for (name, text) in [
        ("release", without("// release")),
        ("acquire", without("// acquire")),
        ("before", without("// before")),
        ("behind", without("// behind")),
        ("reset", without("// reset")),
        ("count", PROTOCOL.replace("arith.constant 5 : i32", "arith.constant 4 : i32")),
        (
            "plain reset",
            PROTOCOL.replace(
                "memref.atomic_rmw assign %zero, %ticket[%c0] : (i32, memref<1xi32>) -> i32",
                "memref.store %one, %ticket[%c0] : memref<1xi32>",
            ),
        ),
    ] {
        assert_ne!(text, PROTOCOL, "{name}");
        let found = both(name, &text, "forward");
        let what = match name {
            "reset" | "plain reset" => found != right,
            _ => found.contains("E0315") || found.contains("E0309"),
        };
        assert!(what, "without {name}: {found}");
    }
}

#[test]
fn large_sums_of_few_results_are_one_launch() {
    for order in ["", " free"] {
        let text = whole([1024, 4096], order);
        let (one, said) = lowered("automatic", &text, "to-cuda");
        assert_eq!(launches(&one), 1, "{order}:\n{said}");
        assert!(said.contains("the last block joins them"), "{said}");
        let two = CUDA.replace("cuda}", "cuda last=false}");
        assert_eq!(launches(&lowered("ablation", &text, &two).0), 2, "{order}");
    }
}

/// Sums of columns, of rows and of several axes, their schedule left to the target: a ticket for each group of blocks
#[test]
fn each_group_of_blocks_has_a_last_one() {
    let sum = |name: &str, shape: &[i64], reduced: &[usize], elem: &str, combine: &str| {
        let types: Vec<String> = shape.iter().map(|size| format!("{size}x")).collect();
        let kept: Vec<usize> = (0..shape.len()).filter(|dim| !reduced.contains(dim)).collect();
        let of: String = kept.iter().map(|dim| types[*dim].as_str()).collect();
        let coords = |dims: &[usize]| dims.iter().map(|dim| format!("d{dim}")).collect::<Vec<_>>().join(", ");
        let dims: Vec<String> = (0..shape.len())
            .map(|dim| {
                let kind = if reduced.contains(&dim) { format!(" pw {combine}") } else { String::new() };
                format!("d{dim} in {}{kind}", shape[dim])
            })
            .collect();
        let (of, input) = (format!("tensor<{of}{elem}>"), format!("tensor<{}{elem}>", types.concat()));
        let (dims, all) = (dims.join(", "), coords(&(0..shape.len()).collect::<Vec<_>>()));
        let text = format!(
            "func.func @f(%A: {input}) -> {of} {{
  %c = mdh.compute ({dims}) ins(%a = %A[{all}]) outs([{}]) {{
    mdh.yield %a : {elem}
  }} : ({input}) -> {of}
  return %c : {of}
}}",
            coords(&kept)
        );
        (format!("groups-{name}"), text)
    };
    for (groups, (name, text)) in [
        (1, sum("few-columns", &[2111, 97], &[0], "f32", "add")),
        (1, sum("seven-columns", &[30_011, 7], &[0], "f32", "add")),
        (2, sum("columns", &[1511, 197], &[0], "f32", "add")),
        (3, sum("many-columns", &[2048, 257], &[0], "f32", "add")),
        (2, sum("maxima", &[3001, 140], &[0], "f16", "max")),
    ] {
        let (one, said) = lowered(&name, &text, "to-cuda");
        assert_eq!(launches(&one), 1, "{name}: {said}\n{one}");
        assert!(one.contains(&format!("_ticket : memref<{groups}xi32>")), "{name}:\n{one}");
        let two = lowered(&name, &text, &CUDA.replace("cuda}", "cuda last=false}")).0;
        assert_eq!(launches(&two), 2, "{name}:\n{two}");
        let wanted = elements(&name, &two, "forward");
        for order in ["forward", "reverse"] {
            assert!(elements(&name, &one, order) == wanted, "{name}, {order}: other values");
        }
    }
}

/// OpenCL 1.2 orders nothing between work-groups
#[test]
fn without_fences_a_second_kernel_joins_the_parts() {
    let text = reduction([37, 300], 4, "f32", "add", "last").replace("shuffle", "shared");
    let (two, said) = lowered("opencl", &text, "to-opencl");
    assert_eq!(launches(&two), 2);
    assert!(
        said.contains("orders nothing between blocks of a launch: a second kernel joins the parts"),
        "{said}"
    );
    let fence = "gpu.module @k {\n  gpu.func @f() kernel {\n    llvm.fence syncscope(\"device\") acq_rel\n    gpu.return\n  }\n}";
    let finished =
        run_on(Tool::OPT, &["--emit=opencl".to_string()], "fence", fence).expect("the arguments are right");
    assert!(finished.failed && finished.messages.contains("E0750"), "{}", finished.messages);
}

#[test]
fn compilers_of_nvidia_take_fences_and_tickets() {
    let text = reduction([37, 300], 4, "f32", "add", "last");
    let emit = |form: &str, cpu: &str| {
        let args = [format!("--pipeline=to-{form}"), format!("--emit={form}"), format!("--target-cpu={cpu}")];
        let finished = run_on(Tool::OPT, &args, "last", &text).expect("the arguments are right");
        assert!(!finished.failed, "{}", finished.messages);
        String::from_utf8(finished.out.expect("it did not fail")).expect("it is text")
    };
    let source = emit("cuda", "sm_90");
    assert_eq!(source.matches("__threadfence();").count(), 2, "{source}");
    let (Some(folder), Some(ptxas)) = (installed("nvrtc_dir"), installed("ptxas")) else {
        return println!("skipped: compilers_of_nvidia_take_fences_and_tickets (needs nvidia)");
    };
    for arch in ["80", "90"] {
        let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
        let ptx = nvrtc_compile(&source, &format!("compute_{arch}"), flags, Some(&folder));
        assert!(
            ptx.unwrap_or_else(|error| panic!("{error}\n{source}")).text.contains("atom.global.add"),
            "{arch}"
        );
        if terrace_native_client::client::find().is_ok() {
            let ptx = emit("ptx", &format!("sm_{arch}"));
            assert_eq!(ptx.matches("fence.acq_rel.gpu").count(), 2, "{ptx}");
            let report = ptxas_check(&ptxas, &ptx, &format!("sm_{arch}"));
            assert_eq!(report.unwrap_or_else(|error| panic!("{error}\n{ptx}")).spills(), 0);
        }
    }
}
