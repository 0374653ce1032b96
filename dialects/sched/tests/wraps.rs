//! Subscripts that wrap around at 2^64: what meets in an element is refused, also where no two of its integers are equal.

use crate::views::said;
use terrace_support::Random;

/// Iterations of the loop of tasks
const TASKS: i64 = 8;
/// Elements of the memory
const ALL: i64 = 64;

const OPS: [&str; 9] = ["addi", "subi", "muli", "shli", "floordivsi", "ceildivsi", "divsi", "remsi", "remui"];

/// What an op of `arith` gives, modulo 2^64
fn value(op: &str, a: i64, b: i64) -> i64 {
    let floor = a.div_euclid(b.max(1));
    match op {
        "addi" => a.wrapping_add(b),
        "subi" => a.wrapping_sub(b),
        "muli" => a.wrapping_mul(b),
        "shli" => a.wrapping_shl(b as u32),
        "floordivsi" => floor,
        "ceildivsi" => floor + i64::from(a.rem_euclid(b) != 0),
        "divsi" => a / b,
        "remsi" => a % b,
        _ => (a as u64 % b as u64) as i64,
    }
}

/// Ops with the numbers on their right sides
fn chain(r: &mut Random) -> Vec<(&'static str, i64)> {
    let one = |r: &mut Random| {
        let op = OPS[r.below(OPS.len() as u64) as usize];
        let high = r.below(4) < 3;
        let number = match op {
            "shli" => 1 + r.below(32) as i64,
            "addi" | "subi" if high => [i64::MIN, i64::MAX, i64::MAX / 3][r.below(3) as usize],
            _ if high => (1 + r.below(3) as i64) << (58 + r.below(4)),
            _ => 1 + r.below(5) as i64,
        };
        (op, number)
    };
    let ops = 1 + r.below(5);
    (0..ops).map(|_| one(r)).collect()
}

#[test]
fn what_meets_by_wrapping_around_is_refused() {
    let mut r = Random::new(5);
    let (mut met, mut accepted, mut refused) = (0, 0, 0);
    while met < 200 || accepted < 200 {
        let ops = chain(&mut r);
        let of = |i: i64| ops.iter().fold(i, |a, (op, b)| value(op, a, *b));
        let all: Vec<i64> = (0..TASKS).map(of).collect();
        let (least, most) = (all.iter().min().expect("some"), all.iter().max().expect("some"));
        if most.checked_sub(*least).is_none_or(|width| width >= ALL) {
            continue;
        }
        let meet = all.iter().enumerate().any(|(n, at)| all[..n].contains(at));
        if meet && met >= 400 {
            continue;
        }
        let mut text = "    %v0 = arith.addi %i, %zero : index\n".to_string();
        for (n, (op, number)) in ops.iter().chain([&("subi", *least)]).enumerate() {
            text += &format!("    %c{n} = arith.constant {number} : index\n");
            text += &format!("    %v{} = arith.{op} %v{n}, %c{n} : index\n", n + 1);
        }
        let text = format!(
            "func.func @f(%A: memref<{ALL}xf32>, %x: f32) {{
  %zero = arith.constant 0 : index
  sched.for (%i in {TASKS} by 1 dim 0 : task) {{
{text}    sched.write %x, %A[%v{}] : memref<{ALL}xf32>
  }}
  return
}}",
            ops.len() + 1
        );
        let said = said(&text);
        let race = said.iter().any(|said| said.starts_with("E0657"));
        assert!(race || said.is_empty(), "{said:?}\n{text}");
        assert!(race || !meet, "{all:?}\n{text}");
        met += u32::from(meet);
        accepted += u32::from(!race);
        refused += u32::from(race && !meet);
    }
    println!("{met} meet, {accepted} are accepted, {refused} are refused that do not meet");
}

/// What is reported of a loop of tasks in a loop of rows, where each iteration writes one element
fn of_an_element(ops: &str) -> Vec<String> {
    said(&format!(
        "func.func @f(%A: memref<?xf32>, %x: f32, %n: index, %m: index) {{
  sched.for (%row in 8 by 1 dim 0 ordered) {{
    sched.for (%i in 8 by 1 dim 1 : task) {{
      sched.for (%j in 4 by 1 dim 2 ordered) {{
{ops}
        sched.write %x, %A[%at] : memref<?xf32>
      }}
    }}
  }}
  return
}}"
    ))
}

#[test]
fn values_are_the_same_in_all_iterations_if_what_they_are_computed_of_is() {
    for (product, index) in [
        ("%p = arith.muli %n, %m : index", "%at = arith.addi %p, %e : index"),
        ("%p = arith.muli %n, %row : index", "%at = arith.subi %e, %p : index"),
        (
            "%q = arith.muli %n, %row : index\n%p = arith.xori %q, %m : index",
            "%at = arith.addi %p, %e : index",
        ),
        (
            "%q = arith.cmpi slt, %n, %row : index\n%p = arith.select %q, %n, %m : index",
            "%at = arith.addi %p, %e : index",
        ),
    ] {
        let element =
            "%c4 = arith.constant 4 : index\n%f = arith.muli %i, %c4 : index\n%e = arith.addi %f, %j : index";
        assert_eq!(of_an_element(&[product, element, index].join("\n")), [""; 0], "{product}");
    }
    for product in [
        "%p = arith.muli %n, %i : index",
        "%q = arith.muli %n, %m : index\n%p = arith.muli %q, %i : index",
        "%q = arith.muli %n, %m : index\n%r = arith.xori %q, %j : index\n%p = arith.muli %r, %i : index",
        "%q = arith.cmpi slt, %n, %i : index\n%p = arith.select %q, %n, %m : index",
    ] {
        let said = of_an_element(&format!("{product}\n%at = arith.addi %p, %i : index"));
        assert!(said.iter().any(|said| said.starts_with("E0657")), "{said:?}\n{product}");
    }
}
