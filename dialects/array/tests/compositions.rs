//! Chains of layout ops against loops over indices: nested layouts at any depth, odd and prime sizes, sizes that are symbols.

use crate::common;

use common::{Tensor, int};
use terrace_support::Random;

/// The value of padding
const OUTSIDE: i64 = 99;

/// From an index into the result to one into the operand; `None` where padding is
type Map = Box<dyn Fn(&[usize]) -> Option<Vec<usize>>>;

/// A layout op of an array: its text, the shape of its result, and where each element comes from
struct Step {
    text: String,
    shape: Vec<usize>,
    map: Map,
}

fn step(text: impl Into<String>, shape: &[&[usize]], map: Map) -> Step {
    Step { text: text.into(), shape: shape.concat(), map }
}

/// An op that only changes the first index
fn first(
    text: String,
    size: usize,
    others: &[usize],
    map: impl Fn(usize) -> Option<usize> + 'static,
) -> Step {
    let map = move |at: &[usize]| Some([&[map(at[0])?], &at[1..]].concat());
    step(text, &[&[size], others], Box::new(map))
}

fn padded(mode: &str, i: i64, n: i64) -> Option<usize> {
    let at = match mode {
        "clamp" => i.max(0).min(n - 1),
        "wrap" => i.rem_euclid(n),
        "mirror" => {
            // Back and forth between the first and the last element.
            let (mut at, mut forward) = (0, true);
            for _ in 0..i.unsigned_abs() {
                forward = if at == n - 1 { false } else { at == 0 || forward };
                at += if n == 1 {
                    0
                } else if forward {
                    1
                } else {
                    -1
                };
            }
            at
        }
        _ => i,
    };
    usize::try_from(at).ok().filter(|at| (*at as i64) < n)
}

fn divisor(random: &mut Random, n: usize) -> usize {
    let all: Vec<usize> = (1..=n).filter(|d| n.is_multiple_of(*d)).collect();
    all[random.below(all.len())]
}

/// A random op that fits the shape
fn choose(random: &mut Random, shape: &[usize]) -> Step {
    let (n, others) = (shape[0], &shape[1..]);
    match random.below(11) {
        0 => {
            let m = divisor(random, n);
            let map = move |at: &[usize]| Some([&[at[0] * m + at[1]], &at[2..]].concat());
            step(format!("array.split {m}"), &[&[n / m, m], others], Box::new(map))
        }
        1 if !others.is_empty() => {
            let m = others[0];
            let map = move |at: &[usize]| Some([&[at[0] / m, at[0] % m], &at[1..]].concat());
            step("array.join", &[&[n * m], &others[1..]], Box::new(map))
        }
        2 | 3 if !others.is_empty() => {
            let map = |at: &[usize]| Some([&[at[1], at[0]], &at[2..]].concat());
            step("array.transpose", &[&[others[0], n], &others[1..]], Box::new(map))
        }
        4 | 5 => {
            let (size, by) = (1 + random.below(n.min(4)), 1 + random.below(3));
            let map = move |at: &[usize]| Some([&[at[0] * by + at[1]], &at[2..]].concat());
            step(
                format!("array.slide {size} by {by}"),
                &[&[(n - size) / by + 1, size], others],
                Box::new(map),
            )
        }
        6 | 7 => {
            let mode = random.pick(&["value", "clamp", "wrap", "mirror"]);
            let most = if mode == "mirror" { n as i64 - 1 } else { 3 };
            let (low, high) = (random.below(5i64).min(most + 1) - 1, random.below(5i64).min(most + 1) - 1);
            if n as i64 + low + high < 1 {
                return first("array.slice 0, 1".into(), 1, others, Some);
            }
            let value = if mode == "value" { " %z" } else { "" };
            let size = (n as i64 + low + high) as usize;
            let text = format!("array.pad {low}, {high} {mode}{value}");
            first(text, size, others, move |i| padded(mode, i as i64 - low, n as i64))
        }
        8 => {
            let offset = random.below(n);
            let size = 1 + random.below(n - offset);
            first(format!("array.slice {offset}, {size}"), size, others, move |i| Some(i + offset))
        }
        9 => {
            let s = divisor(random, n);
            let part = n / s;
            first(format!("array.reorder strided {s}"), n, others, move |i| Some(i / part + s * (i % part)))
        }
        _ => {
            let last = n - 1;
            first(format!("array.reorder by {last} - $i inverse {last} - $i"), n, others, move |i| {
                Some(last - i)
            })
        }
    }
}

/// A chain of ops as a text, with what it computes
struct Chain {
    body: String,
    names: usize,
}

impl Chain {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// The op on each array at this depth
    fn apply(&mut self, op: &str, x: &str, depth: usize) -> String {
        let result = self.name();
        if depth == 0 {
            self.body += &format!("{result} = {op} {x}\n");
            return result;
        }
        let element = self.name();
        self.body += &format!("{result} = array.map {x} as {element} {{\n");
        let inner = self.apply(op, &element, depth - 1);
        self.body += &format!("array.yield {inner}\n}}\n");
        result
    }
}

fn of(sizes: &[String]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| format!("{size} x ")).collect();
    format!("!array.of<{}i32>", sizes.concat())
}

/// A random chain on a random array, with symbols for sizes or without
fn check(seed: u64, symbolic: bool) {
    let mut random = Random::new(seed);
    let rank = 1 + random.below(3usize);
    let shape: Vec<usize> = (0..rank).map(|_| random.pick(&[1, 2, 3, 5, 6, 7, 9, 11, 13])).collect();
    let input = Tensor::random(&shape, &mut random);
    let (mut chain, mut value, mut want) =
        (Chain { body: String::new(), names: 0 }, "%x".to_string(), input.clone());
    for _ in 0..1 + random.below(6) {
        let depth = random.below(want.shape.len().min(3));
        let next = choose(&mut random, &want.shape[depth..]);
        let shape = [&want.shape[..depth], &next.shape].concat();
        if shape.len() > 6 || shape.iter().product::<usize>() > 3000 {
            break;
        }
        value = chain.apply(&next.text, &value, depth);
        want = Tensor::made(&shape, |at| match (next.map)(&at[depth..]) {
            Some(inner) => want.at(&[&at[..depth], &inner].concat()),
            None => OUTSIDE,
        });
    }
    let names = ["@a", "@b", "@c"].map(String::from);
    let numbers = |shape: &[usize]| shape.iter().map(usize::to_string).collect::<Vec<_>>();
    let from = if symbolic { of(&names[..rank]) } else { of(&numbers(&input.shape)) };
    let to = of(&numbers(&want.shape));
    let text = format!(
        "func.func @f(%x: {from}, %z: i32) -> {to} {{\n{}%0 = array.cast {value} to {to}\nreturn %0 : {to}\n}}\n",
        chain.body
    );
    let found = common::run(&text, "f", vec![input.value(&int), int(OUTSIDE)]);
    assert_eq!(found, want.value(&int), "seed {seed}, {:?}\n{text}", input.shape);
}

#[test]
fn chains_of_layout_ops() {
    (1..150).for_each(|seed| check(seed, false));
}

#[test]
fn chains_of_layout_ops_over_symbols() {
    (1000..1150).for_each(|seed| check(seed, true));
}
