//! What the paper measures (Fig. 3): matrix products and convolutions of ResNet-50, VGG-16 and MobileNet, in training and in inference,
//! as computations with handwritten schedules, for a grid and for a processor.
//!
//! At small extents against the interpreter, exactly, and at the networks' own against the same computation without a
//! schedule. Ten columns; VGG-16's product is its last layer, and batches of convolutions in training are 2 in place of 16:
//! their blocks are the same.

use crate::common;

use common::backends::{here, with_devices};
use common::{place, run, stdout};
use terrace_runtime_buffers::{Buffer, Value};

/// A column of the figure
#[derive(Clone, Copy)]
enum Column {
    /// Rows, columns, depth
    Product([i64; 3]),
    /// Batch, rows and columns of the output, channels out, window, channels in, step
    Convolution([i64; 7]),
}

use Column::{Convolution, Product};

const COLUMNS: [(&str, Column); 10] = [
    ("resnet-training-mcc", Convolution([2, 112, 112, 64, 7, 3, 2])),
    ("resnet-training-matmul", Product([16, 1000, 2048])),
    ("resnet-inference-mcc", Convolution([1, 112, 112, 64, 7, 3, 2])),
    ("resnet-inference-matmul", Product([1, 1000, 2048])),
    ("vgg-training-mcc", Convolution([2, 224, 224, 64, 3, 3, 1])),
    ("vgg-training-matmul", Product([16, 1000, 4096])),
    ("vgg-inference-mcc", Convolution([1, 224, 224, 64, 3, 3, 1])),
    ("vgg-inference-matmul", Product([1, 1000, 4096])),
    ("mobilenet-training-mcc", Convolution([2, 112, 112, 32, 3, 3, 2])),
    ("mobilenet-inference-mcc", Convolution([1, 112, 112, 32, 3, 3, 2])),
];

/// The same with few points, of the same tiles
fn small(column: Column) -> Column {
    match column {
        Product([i, ..]) => Product([i, 40, 128]),
        Convolution([n, _, _, _, r, c, step]) => Convolution([n, 1, 16, 32, r.min(3), c, step]),
    }
}

impl Column {
    /// For blocks and threads: operands in tiles of shared memory, or a result in registers
    fn grid(self) -> Vec<String> {
        match self {
            // Listing 5, to the letter.
            Product([16, 1000, 2048]) => [
                "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)",
                "6: (4,^,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
                "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,THR.z)",
                "3: (^,^,256) (SM,SM ; ^) (FOR.2,FOR.3,FOR.1)",
                "4: (^,^,2) (^,^ ; ^) (FOR.2,FOR.3,FOR.1)",
                "5: (^,^,1) (^,^ ; ^) (FOR.2,FOR.3,FOR.1)",
            ]
            .map(String::from)
            .to_vec(),
            Product([i, ..]) => vec![
                format!("1: ({},20,^) (^,^ ; ^) (BLK.y,BLK.x,^)", i.min(4)),
                "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)".into(),
                "3: (^,^,64) (SM,SM[2,1] ; ^) (^,^,FOR.1)".into(),
                "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)".into(),
            ],
            Convolution(_) => [
                "1: (^,1,16,32,^,^,^) (^,^ ; ^) (^,BLK.y,BLK.x,BLK.z,^,^,^)",
                "2: (1,^,^,^,^,^,^) (^,^ ; ^) (FOR.1,^,^,^,^,^,^)",
                "3: (^,^,2,1,^,^,^) (^,^ ; RM) (^,^,THR.y,THR.x,^,^,^)",
                "4: (^,^,^,^,1,1,1) (^,^ ; ^) (^,^,^,^,FOR.1,FOR.2,FOR.3)",
                "5: (^,^,1,^,^,^,^) (^,^ ; ^) (^,^,UNR.1,^,^,^,^)",
            ]
            .map(String::from)
            .to_vec(),
        }
    }

    /// For threads, caches, registers and lanes; weights are packed so that lanes read them side by side
    fn processor(self) -> Vec<String> {
        let steps: &[&str] = match self {
            Product([1, ..]) => &[
                "1: (^,40,^) (^,^ ; ^) (^,THR.x,^)",
                "2: (^,^,^) (^,^ ; REG) (^,^,^)",
                "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
                "4: (1,8,^) (^,^ ; ^) (FOR.1,UNR.2,^)",
                "5: (^,1,^) (^,^ ; ^) (^,VEC.x,^)",
            ],
            Product(_) => &[
                "1: (^,40,^) (^,L2 ; ^) (^,THR.x,^)",
                "2: (4,^,^) (^,^ ; REG) (FOR.1,^,^)",
                "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
                "4: (1,8,^) (^,^ ; ^) (UNR.1,UNR.2,^)",
                "5: (^,1,^) (^,^ ; ^) (^,VEC.x,^)",
            ],
            Convolution(_) => &[
                "1: (^,^,^,^,^,^,^) (^,L2[2,3,4,1] ; ^) (^,^,^,^,^,^,^)",
                "2: (1,1,^,^,^,^,^) (^,^ ; ^) (FOR.1,THR.x,^,^,^,^,^)",
                "3: (^,^,4,32,^,^,^) (^,^ ; REG) (^,^,FOR.1,FOR.2,^,^,^)",
                "4: (^,^,^,^,1,1,1) (^,^ ; ^) (^,^,^,^,FOR.1,FOR.2,FOR.3)",
                "5: (^,^,1,16,^,^,^) (^,^ ; ^) (^,^,UNR.1,UNR.2,^,^,^)",
                "6: (^,^,^,1,^,^,^) (^,^ ; ^) (^,^,^,VEC.x,^,^,^)",
            ],
        };
        steps.iter().map(|step| (*step).to_string()).collect()
    }

    /// As a function, with a schedule or without
    fn text(self, elem: &str, steps: &[String]) -> String {
        let steps: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
        let schedule = match steps.is_empty() {
            true => String::new(),
            false => format!(" attributes {{mdh.schedule = [{}]}}", steps.join(", ")),
        };
        let (dims, reads, place, shapes) = match self {
            Product([i, j, k]) => (
                format!("i in {i}, j in {j}, k in {k} pw add"),
                ["i, k".to_string(), "k, j".to_string()],
                "i, j",
                [format!("{i}x{k}"), format!("{k}x{j}"), format!("{i}x{j}")],
            ),
            Convolution([n, p, q, k, r, c, step]) => (
                format!(
                    "n in {n}, p in {p}, q in {q}, k in {k}, r in {r} pw add, s in {r} pw add, c in {c} pw add"
                ),
                [format!("n, {step} * p + r, {step} * q + s, c"), "k, r, s, c".to_string()],
                "n, p, q, k",
                [
                    format!("{n}x{}x{}x{c}", step * (p - 1) + r, step * (q - 1) + r),
                    format!("{k}x{r}x{r}x{c}"),
                    format!("{n}x{p}x{q}x{k}"),
                ],
            ),
        };
        let f = if elem.starts_with('f') { 'f' } else { 'i' };
        let [a, b, c] = shapes.map(|shape| format!("tensor<{shape}x{elem}>"));
        format!(
            "func.func @f(%a: {a}, %b: {b}) -> {c} {{
  %c = mdh.compute \"f\" ({dims}) ins(%x = %a[{}], %y = %b[{}]) outs([{place}]){schedule} {{
    %p = arith.mul{f} %x, %y : {elem}
    mdh.yield %p : {elem}
  }} : ({a}, {b}) -> {c}
  return %c : {c}
}}",
            reads[0], reads[1]
        )
    }
}

const INPUTS: [&str; 2] = ["--in=a=random:1", "--in=b=random:2"];

/// Back ends that take a schedule for a grid, those for one of a processor
fn back_ends(test: &str) -> [String; 2] {
    let all = with_devices(test);
    [if all.contains("opencl") { "interp,opencl".into() } else { String::new() }, here(test)]
}

#[test]
fn schedules_of_every_column_mean_what_the_column_means() {
    for (name, column) in COLUMNS {
        let column = small(column);
        for (on, steps) in back_ends(name).into_iter().zip([column.grid(), column.processor()]) {
            if !on.is_empty() {
                let args = [INPUTS[0], INPUTS[1], &format!("--compare={on}")];
                let shown = stdout(&run(name, &column.text("i32", &steps), &args));
                assert!(!shown.contains("elements differ"), "{name}: {shown}");
            }
        }
    }
}

/// The result at the network's own extents
fn result(name: &str, text: &str, on: &str) -> Buffer {
    let file = place(&format!("{name}.npy"));
    let out = format!("--out=0={}", file.display());
    stdout(&run(name, text, &[INPUTS[0], INPUTS[1], &format!("--on={on}"), &out]));
    let found = Buffer::read_npy(&file).expect("the tool has written it");
    let _ = std::fs::remove_file(file);
    found
}

#[test]
fn networks_at_their_own_extents() {
    for (name, column) in COLUMNS {
        if name.contains("training-mcc") {
            continue;
        }
        let [grid, processor] = back_ends(name);
        if !processor.contains("host") {
            continue;
        }
        let wanted = result(name, &column.text("f32", &[]), "host");
        let mut ways = vec![("host", column.processor())];
        if !grid.is_empty() {
            ways.push(("opencl", column.grid()));
        }
        for (on, steps) in ways {
            let found = result(name, &column.text("f32", &steps), on);
            assert_eq!(found.len(), wanted.len(), "{name}");
            for n in 0..found.len() {
                let (Some(Value::Float(x)), Some(Value::Float(y))) = (found.get(n), wanted.get(n)) else {
                    panic!("{name}: no floats");
                };
                assert!((x - y).abs() <= 1e-3 * (1.0 + y.abs()), "{name} on {on}, {n}: {x} and {y}");
            }
        }
    }
}
