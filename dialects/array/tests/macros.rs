//! Patterns of several dimensions against what they mean, index by index, at random sizes.

use crate::common;

use common::{Tensor, int};
use terrace_support::Random;

fn size(random: &mut Random, low: usize, high: usize) -> usize {
    low + random.below(high + 1 - low)
}

fn sizes(random: &mut Random, count: usize, low: usize, high: usize) -> Vec<usize> {
    (0..count).map(|_| size(random, low, high)).collect()
}

/// `!array.of<3 x 4 x i32>`
fn of(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(|size| format!("{size} x ")).collect();
    format!("!array.of<{}i32>", sizes.concat())
}

fn list<T: ToString>(all: &[T]) -> String {
    format!("[{}]", all.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

/// Run one op on an array and compare
fn check(op: &str, input: &Tensor, want: &Tensor) {
    let (from, to) = (of(&input.shape), of(&want.shape));
    let text = format!(
        "func.func @f(%x: {from}, %z: i32) -> {to} {{\n  %0 = array.{op} %x\n  return %0 : {to}\n}}\n"
    );
    assert_eq!(common::run(&text, "f", vec![input.value(&int), int(99)]), want.value(&int), "{text}");
}

#[test]
fn windows_of_several_dimensions() {
    let mut random = Random::new(21);
    for n in 0..40 {
        let rank = 1 + n % 3;
        let shape = sizes(&mut random, rank, 3, 6);
        let (sizes, steps) = (sizes(&mut random, rank, 1, 3), sizes(&mut random, rank, 1, 3));
        let input = Tensor::random(&shape, &mut random);
        let counts: Vec<usize> = (0..rank).map(|d| (shape[d] - sizes[d]) / steps[d] + 1).collect();
        let want = Tensor::made(&[counts, sizes.clone()].concat(), |at| {
            input.at(&(0..rank).map(|d| at[d] * steps[d] + at[rank + d]).collect::<Vec<_>>())
        });
        check(&format!("slide_nd {} by {}", list(&sizes), list(&steps)), &input, &want);
    }
}

#[test]
fn tiles_of_several_dimensions() {
    let mut random = Random::new(22);
    for n in 0..30 {
        let rank = 1 + n % 3;
        let (counts, sizes) = (sizes(&mut random, rank, 1, 3), sizes(&mut random, rank, 1, 3));
        let shape: Vec<usize> = counts.iter().zip(&sizes).map(|(count, size)| count * size).collect();
        let input = Tensor::random(&shape, &mut random);
        let want = Tensor::made(&[counts, sizes.clone()].concat(), |at| {
            input.at(&(0..rank).map(|d| at[d] * sizes[d] + at[rank + d]).collect::<Vec<_>>())
        });
        check(&format!("split_nd {}", list(&sizes)), &input, &want);
    }
}

#[test]
fn borders_of_several_dimensions() {
    let mut random = Random::new(23);
    for n in 0..60 {
        let (rank, mode) = (1 + n % 3, ["value %z", "clamp", "wrap", "mirror"][n % 4]);
        let shape = sizes(&mut random, rank, 3, 4);
        let sides: Vec<(usize, usize)> =
            (0..rank).map(|_| (size(&mut random, 0, 2), size(&mut random, 0, 2))).collect();
        let input = Tensor::random(&shape, &mut random);
        let large: Vec<usize> = (0..rank).map(|d| shape[d] + sides[d].0 + sides[d].1).collect();
        let want = Tensor::made(&large, |at| {
            let mut from = Vec::new();
            for d in 0..rank {
                let (i, size) = (at[d] as i64 - sides[d].0 as i64, shape[d] as i64);
                from.push(match mode {
                    "clamp" => i.clamp(0, size - 1),
                    "wrap" => i.rem_euclid(size),
                    "mirror" if i < 0 => -i,
                    "mirror" if i >= size => 2 * (size - 1) - i,
                    _ if (0..size).contains(&i) => i,
                    _ => return 99,
                });
            }
            input.at(&from.iter().map(|i| *i as usize).collect::<Vec<_>>())
        });
        let sides: Vec<String> = sides.iter().map(|(low, high)| format!("({low}, {high})")).collect();
        check(&format!("pad_nd {} {mode}", list(&sides)), &input, &want);
        // And off again.
        check(&format!("crop_nd {}", list(&sides)), &want, &input);
    }
}

#[test]
fn dimensions_in_any_order() {
    let mut random = Random::new(24);
    let orders: &[&[usize]] =
        &[&[0], &[1, 0], &[2, 0, 1], &[1, 2, 0], &[2, 1, 0], &[3, 1, 0, 2], &[2, 0, 3, 1]];
    for order in orders {
        let shape = sizes(&mut random, order.len(), 1, 4);
        let input = Tensor::random(&shape, &mut random);
        let turned: Vec<usize> = order.iter().map(|d| shape[*d]).collect();
        let want = Tensor::made(&turned, |at| {
            let mut from = vec![0; order.len()];
            order.iter().zip(at).for_each(|(d, i)| from[*d] = *i);
            input.at(&from)
        });
        check(&format!("transpose_nd {}", list(order)), &input, &want);
    }
}

#[test]
fn several_dimensions_in_one() {
    let mut random = Random::new(25);
    for rank in 1..=4 {
        let shape = sizes(&mut random, rank, 1, 4);
        let input = Tensor::random(&shape, &mut random);
        let want = Tensor { shape: vec![shape.iter().product()], data: input.data.clone() };
        check(&format!("join_nd {rank}"), &input, &want);
    }
}
