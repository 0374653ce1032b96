//! The twelve sub-graphs of Table 2 of the paper on reductions, as one list: ops that are fused, launches for CUDA, and the remarks that
//! say what was done. And the three matrix products of Table 1, by value, with blocks along k.

use crate::common;

use std::fmt::Write;
use std::path::Path;
use terrace_opt::{Tool, run_on};

fn graph(number: usize) -> (String, String) {
    let name = format!("table_2_{number:02}.info");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/composite");
    let text = std::fs::read_to_string(folder.join(&name)).expect("the sub-graph is there");
    (name, text)
}

fn tool(name: &str, text: &str, args: &[&str]) -> (String, String) {
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let finished = run_on(Tool::OPT, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}:\n{}", finished.messages);
    (String::from_utf8(finished.out.expect("it did not fail")).expect("it is text"), finished.messages)
}

/// The list of one model, end to end: each sub-graph is read, fused, and becomes kernels
#[test]
fn of_table_2() {
    let (mut table, mut all) = (String::new(), (0, 0));
    for number in 1..=12 {
        let (name, text) = graph(number);
        let (lowered, said) = tool(&name, &text, &["--pipeline=to-cuda"]);
        // Every op has a list of inputs, and the graph has one.
        let (ops, launches) =
            (text.matches("\"input_desc\"").count() - 1, lowered.matches("gpu.launch_func").count());
        assert_eq!(launches, 1, "{name}:\n{said}");
        all = (all.0 + ops, all.1 + launches);
        let _ = writeln!(table, "{number}: operators {ops}, launches {launches}");
        for line in said.lines().filter_map(|line| line.strip_prefix("remark: ")) {
            let _ = writeln!(table, "    {line}");
        }
    }
    let _ = writeln!(table, "all: operators {}, launches {}", all.0, all.1);
    insta::assert_snapshot!("table_2", table);
}

/// Rows, columns and products of Table 1, and how many blocks share the sum of an element
const TABLE_1: [([i64; 3], i64); 3] = [([128, 32, 64], 2), ([128, 32, 1024], 16), ([1024, 512, 1024], 16)];

/// A product whose blocks meet by a mechanism; whole numbers, so that every order has the same bits
fn product([m, n, k]: [i64; 3], blocks: i64, via: &str) -> String {
    let part = k / blocks;
    let text = unscheduled([m, n, k]);
    let schedule = format!(
        "outs([i, j]) attributes {{mdh.schedule = [
  \"1: (8,16,{part}) (^,^ ; ^) (BLK.z,BLK.y,BLK.x({via}))\",
  \"2: (1,1,^) (^,^ ; ^) (THR.y,THR.x,^)\",
  \"3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\"]}}"
    );
    text.replace("outs([i, j])", &schedule)
}

/// The same, its schedule left to the target
fn unscheduled([m, n, k]: [i64; 3]) -> String {
    format!(
        "func.func @f(%A: tensor<{m}x{k}xi32>, %B: tensor<{k}x{n}xi32>) -> tensor<{m}x{n}xi32> {{
  %c = mdh.compute (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  }} : (tensor<{m}x{k}xi32>, tensor<{k}x{n}xi32>) -> tensor<{m}x{n}xi32>
  return %c : tensor<{m}x{n}xi32>
}}"
    )
}

#[test]
fn products_of_table_1_with_blocks_along_k() {
    let here = common::backends::with_devices("products");
    let compared = ["host", "opencl"].into_iter().all(|name| here.split(',').any(|other| other == name));
    for (number, (sizes, blocks)) in TABLE_1.into_iter().enumerate() {
        let [m, n, _] = sizes;
        let wanted = compared.then(|| result(&unscheduled(sizes), "host"));
        // The third has half a billion products: once is enough.
        for via in ["atomic", "last", "kernel"].into_iter().take(if number == 2 { 1 } else { 3 }) {
            let name = format!("product-{number}-{via}");
            let text = product(sizes, blocks, via);
            let scheduled =
                tool(&name, &text, &["--pipeline=func.func(mdh-schedule{target=cuda},mdh-to-sched)"]).0;
            let grid = format!("grid [{blocks}, {}, {}]", n / 16, m / 8);
            assert!(scheduled.contains(&grid), "{grid}:\n{scheduled}");
            // Atomic updates need a start in memory, which is a launch too.
            let launches = tool(&name, &text, &["--pipeline=to-cuda"]).0.matches("gpu.launch_func").count();
            assert!(launches == 2 || launches == 1 && via == "last", "{name}: {launches} launches");
            if let Some(wanted) = &wanted {
                assert!(result(&text, "opencl") == *wanted, "{name}: another value");
            }
        }
    }
}

/// The file of the result
fn result(text: &str, on: &str) -> Vec<u8> {
    let file = common::place(&format!("{on}.npy"));
    let out = format!("--out=c={}", file.display());
    let on = format!("--on={on}");
    common::stdout(&common::run("product", text, &["--in=A=random:1", "--in=B=random:2", &on, &out]));
    let bytes = std::fs::read(&file).expect("the tool wrote it");
    let _ = std::fs::remove_file(file);
    bytes
}
