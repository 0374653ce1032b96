//! Products of tall operands: the whole nest takes a block of the reduction before the next one begins.

use crate::common::*;
use terrace_dialect_test::values::shown;

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

/// `C[i, j] = sum{k} A[k, i] * B[k, j]`
fn product([m, n, k]: [i64; 3]) -> String {
    format!(
        "func.func @f(%A: tensor<{k}x{m}xf32>, %B: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c = mdh.compute (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[k, i], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{k}x{m}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}"
    )
}

/// The first step of the schedule that is chosen
fn first_step(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, CHOOSE, text);
    let found = shown(&ir);
    let start = found.find("\"1: ").expect("there is a schedule");
    found[start + 1..].split('"').next().unwrap_or("").to_string()
}

#[test]
fn blocks_are_outside_of_tasks_where_operands_are_tall() {
    for sizes in [[61, 67, 10_007], [33, 61, 20_011]] {
        let step = first_step(&product(sizes));
        assert!(step.contains("FOR.1") && !step.contains("THR"), "{sizes:?}: {step}");
    }
    // One block holds these; and so few steps fit a block of these that sums would be taken up again too often.
    for sizes in [[61, 67, 1009], [1009, 1013, 10_007]] {
        let step = first_step(&product(sizes));
        assert!(step.contains("THR"), "{sizes:?}: {step}");
    }
}

/// The form of these schedules at sizes that nothing divides
#[test]
fn tasks_in_blocks_give_the_same_values() {
    let steps = [
        "1: (^,^,16~limit) (^,^ ; ^) (^,^,FOR.1)",
        "2: (20~limit,^,^) (^,^ ; ^) (THR.x,^,^)",
        "3: (5~peel,^,^) (^,^ ; REG) (FOR.1,^,^)",
        "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
        "5: (1,16~peel,^) (^,^ ; ^) (UNR.1,UNR.2,^)",
        "6: (^,1~mask,^) (^,^ ; ^) (^,VEC.x,^)",
    ];
    for sizes in [[43, 37, 53], [41, 17, 33], [23, 61, 19]] {
        let plain = product(sizes);
        let list: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
        let with = format!("outs([i, j]) attributes {{mdh.schedule = [{}]}} {{", list.join(", "));
        let text = plain.replace("outs([i, j]) {", &with);
        let wanted = as_it_is(&parse(&plain), "f");
        let mut ir = parse(&text);
        for step in ["func.func(mdh-to-sched)", DOWN] {
            lower(&mut ir, step, &text);
        }
        same(&wanted, &lowered(&ir, "f", &text, wanted.len()), &text);
    }
}
