//! Random copies that exchange rows and columns: several variables that go through neighbors become one, with the same values.

use crate::common;

use common::{parse, run_pipeline, shown};
use terrace_support::Random;

/// Places of a tensor's dimensions by variables, and its shape
fn place(order: &[usize], sizes: &[i64], offset: &[i64]) -> (String, String) {
    let index = |n: &usize| match offset[*n] {
        0 => format!("%d{n}"),
        by => format!("%d{n} + {by}"),
    };
    let extent = |n: &usize| (sizes[*n] + offset[*n]).to_string();
    let places: Vec<String> = order.iter().map(index).collect();
    let shape: Vec<String> = order.iter().map(extent).collect();
    (places.join(", "), shape.join("x"))
}

#[test]
fn values_of_copies() {
    let (mut merged, mut whole) = (0, 0);
    for seed in 1..=200u64 {
        let mut r = Random::new(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25) | 1);
        let rank = 3 + r.below(2) as usize;
        let sizes: Vec<i64> = (0..rank).map(|_| 1 + r.below(5)).collect();
        let mut from: Vec<usize> = (0..rank).collect();
        let mut to = from.clone();
        // Mostly one dimension goes from one end to the other, as in panels.
        match r.below(3) {
            0 => r.shuffle(&mut to),
            1 => to.rotate_left(1),
            _ => from.rotate_left(1),
        }
        // What is read may be a part.
        let offset: Vec<i64> = (0..rank).map(|_| if r.below(6) == 0 { 1 + r.below(2) } else { 0 }).collect();
        let none = vec![0; rank];
        let ((read, a), (written, b)) = (place(&from, &sizes, &offset), place(&to, &sizes, &none));
        let names: Vec<String> = (0..rank).map(|n| format!("%d{n}")).collect();
        let domain: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let count = |sizes: &mut dyn Iterator<Item = i64>| sizes.product::<i64>();
        let all = count(&mut sizes.iter().copied());
        let held = count(&mut sizes.iter().zip(&offset).map(|(size, by)| size + by));
        let back: Vec<String> = to.iter().map(|n| format!("%d{n}")).collect();
        let flat = to.iter().fold("0".to_owned(), |at, n| format!("({at}) * {} + %d{n}", sizes[*n]));
        let groups: Vec<String> = (0..rank).map(|n| n.to_string()).collect();
        let shape: Vec<String> = from.iter().map(|n| (sizes[*n] + offset[*n]).to_string()).collect();
        let text = format!(
            "func.func @f(%A: memref<{held}xi32>, %w: memref<1xi32>, %out: memref<{all}xi32>) {{
  %T = memref.expand_shape %A [[{groups}]] output_shape [{outer}] : memref<{held}xi32> into memref<{a}xi32>
  %P = sched.alloc : memref<{b}xi32>
  sched.copy ({names}) in ({domain}) %T[{read}] to %P[{written}] : memref<{a}xi32> to memref<{b}xi32>
  sched.copy ({names}) in ({domain}) %P[{back}] to %out[{flat}] : memref<{b}xi32> to memref<{all}xi32>
  return
}}
",
            groups = groups.join(", "),
            outer = shape.join(", "),
            names = names.join(", "),
            domain = domain.join(", "),
            back = back.join(", "),
        );
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let given = [(0..held).collect::<Vec<i64>>(), vec![0]];
        let wanted = common::lines(&ir, &given, all, &text, "before");
        run_pipeline(&mut ir, "sched-legalize", &text);
        let found = shown(&ir).contains("memref.collapse_shape");
        (merged, whole) = (merged + usize::from(found), whole + usize::from(!found));
        assert_eq!(common::lines(&ir, &given, all, &text, "legal"), wanted, "legal\n{}\n{text}", shown(&ir));
        run_pipeline(&mut ir, "sched-to-scf", &text);
        assert_eq!(common::lines(&ir, &given, all, &text, "scf"), wanted, "scf\n{text}");
    }
    assert!(merged > 40 && whole > 40, "{merged} {whole}");
}
