//! `cfg`: functions that are chains of `cf.cond_br` diamonds with block arguments.
//!
//! A diamond computes a condition, one value on each side, and joins them in a block argument. Of the
//! diamonds 10 % branch on a constant, 10 % pass a value straight to the join on one side, and 10 %
//! have sides that compute nothing; a third of the ops in the sides repeats one before the branch.

use super::random::Random;
use super::text::{Binary, Text};

const ARGS: [&str; 4] = ["i32"; 4];
const DIAMONDS: u32 = 16;
const KINDS: [Binary; 6] = [
    Binary::overflowing("arith.addi"),
    Binary::overflowing("arith.subi"),
    Binary::overflowing("arith.muli"),
    Binary::plain("arith.andi"),
    Binary::plain("arith.ori"),
    Binary::plain("arith.xori"),
];

/// Functions until there are `ops` ops
pub fn cfg(text: &mut Text, random: &mut Random, ops: u64) {
    let mut number = 0;
    while text.ops() < ops && !text.failed() {
        function(text, random, number);
        number += 1;
    }
}

fn function(text: &mut Text, random: &mut Random, number: u64) {
    let mut values = text.begin_function("cfg", number, &ARGS, &["i32"]);
    values.push(text.constant_i32(0));
    values.push(text.constant_i32(3));
    let constant = text.constant_true();
    let mut block = 0;
    let mut joined = values[0];
    for _ in 0..DIAMONDS {
        let shared = (random.choose(&KINDS), joined, random.choose(&values));
        let before = text.binary(shared.0, shared.1, shared.2, "i32");
        values.push(before);
        let shape = random.below(10);
        let other = random.choose(&values);
        let condition = text.less_than(before, other, "i32");
        let condition = if shape == 0 { constant } else { condition };
        let (left, right, join) = (block + 1, block + 2, block + 3);
        let side = |text: &mut Text, random: &mut Random| {
            if shape == 2 {
                return random.choose(&values);
            }
            let (kind, a, b) = match random.below(3) {
                0 => shared,
                _ => (random.choose(&KINDS), before, random.choose(&values)),
            };
            let first = text.binary(kind, a, b, "i32");
            text.binary(random.choose(&KINDS), first, random.choose(&values), "i32")
        };
        joined = if shape == 1 {
            // One side is the edge itself: block + 2 is the join.
            text.branch_on(condition, (left, None), (right, Some(before)));
            text.begin_block(left, false, &[block]);
            let value = side(text, random);
            text.branch(right, Some(value));
            block = right;
            text.begin_block(right, true, &[left - 1, left])
        } else {
            text.branch_on(condition, (left, None), (right, None));
            for number in [left, right] {
                text.begin_block(number, false, &[block]);
                let value = side(text, random);
                text.branch(join, Some(value));
            }
            block = join;
            text.begin_block(join, true, &[left, right])
        }
        .expect("a join has an argument");
        values.push(joined);
    }
    text.end_function(&[joined], &["i32"]);
}
