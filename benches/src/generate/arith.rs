//! Straight-line integer code: `wide` (many functions of 200 ops) and `giant` (the same in one block).
//!
//! Of the ops, 20 % repeat an earlier op, 10 % are identities (`x + 0`), 10 % have constants on both sides;
//! the rest take any two values before them. In `wide` four values leave a function; in `giant` a
//! chain at the end takes one in 130. So about a tenth stays alive, as in code that was inlined and specialized.

use super::random::Random;
use super::text::{Binary, Text, Value};

const ADD: Binary = Binary::overflowing("arith.addi");
const SUB: Binary = Binary::overflowing("arith.subi");
const MUL: Binary = Binary::overflowing("arith.muli");
const AND: Binary = Binary::plain("arith.andi");
const OR: Binary = Binary::plain("arith.ori");
const XOR: Binary = Binary::plain("arith.xori");
const SHL: Binary = Binary::overflowing("arith.shli");
const SHR_S: Binary = Binary::plain("arith.shrsi");
const SHR_U: Binary = Binary::plain("arith.shrui");

const KINDS: [Binary; 10] = [
    ADD,
    SUB,
    MUL,
    AND,
    OR,
    XOR,
    Binary::plain("arith.maxsi"),
    Binary::plain("arith.minsi"),
    Binary::plain("arith.maxui"),
    Binary::plain("arith.minui"),
];

/// Ops whose result is `x` where the right operand is the constant next to them
const IDENTITIES: [(Binary, i32); 9] =
    [(ADD, 0), (SUB, 0), (MUL, 1), (AND, -1), (OR, 0), (XOR, 0), (SHL, 0), (SHR_S, 0), (SHR_U, 0)];

const CONSTANTS: [i32; 8] = [0, 1, -1, 2, 3, 5, 7, 42];
const ARGS: [&str; 4] = ["i32"; 4];
const OPS_PER_FUNCTION: u64 = 200;
/// How far back a repeated op may lie: it has to be remembered
const MEMORY: usize = 200;
/// `giant` returns the sum of one value in so many
const KEPT_EACH: u32 = 130;

/// Functions until there are `ops` ops
pub fn wide(text: &mut Text, random: &mut Random, ops: u64) {
    let mut number = 0;
    while text.ops() < ops && !text.failed() {
        let mut body = Body::begin(text, number, &["i32"; 4]);
        for _ in CONSTANTS.len() as u64..OPS_PER_FUNCTION {
            body.step(text, random);
        }
        let last = body.last_four();
        text.end_function(&last, &["i32"; 4]);
        number += 1;
    }
}

/// One function with one block of `ops` ops
pub fn giant(text: &mut Text, random: &mut Random, ops: u64) {
    let mut body = Body::begin(text, 0, &["i32"]);
    let mut kept = vec![];
    while text.ops() + 1 + (kept.len() as u64) < ops && !text.failed() {
        body.step(text, random);
        if body.results.is_multiple_of(KEPT_EACH) {
            kept.push(body.last());
        }
    }
    let mut sum = body.last();
    for value in kept {
        sum = text.binary(XOR, sum, value, "i32");
    }
    text.end_function(&[sum], &["i32"]);
}

struct Body {
    first: u32,
    results: u32,
    recent: Vec<(Binary, Value, Value)>,
    constants: Vec<Value>,
}

impl Body {
    fn begin(text: &mut Text, number: u64, results: &[&str]) -> Self {
        text.begin_function("f", number, &ARGS, results);
        let constants: Vec<Value> = CONSTANTS.iter().map(|&c| text.constant_i32(c)).collect();
        let first = constants.iter().filter(|c| matches!(c, Value::Number(_))).count() as u32;
        Self { first, results: 0, recent: Vec::with_capacity(MEMORY), constants }
    }

    fn step(&mut self, text: &mut Text, random: &mut Random) {
        let (kind, left, right) = self.draw(random);
        text.binary(kind, left, right, "i32");
        let slot = self.results as usize % MEMORY;
        if slot < self.recent.len() {
            self.recent[slot] = (kind, left, right);
        } else {
            self.recent.push((kind, left, right));
        }
        self.results += 1;
    }

    fn draw(&self, random: &mut Random) -> (Binary, Value, Value) {
        match random.below(100) {
            0..20 if !self.recent.is_empty() => random.choose(&self.recent),
            20..30 => {
                let (kind, neutral) = random.choose(&IDENTITIES);
                (kind, self.any(random), self.constant(neutral))
            }
            30..40 => (random.choose(&KINDS), random.choose(&self.constants), random.choose(&self.constants)),
            _ => (random.choose(&KINDS), self.any(random), self.any(random)),
        }
    }

    fn any(&self, random: &mut Random) -> Value {
        let args = ARGS.len() as u32;
        match random.below(args + self.results) {
            n if n < args => Value::Arg(n),
            n => Value::Number(self.first + n - args),
        }
    }

    fn constant(&self, value: i32) -> Value {
        let at = CONSTANTS.iter().position(|&c| c == value).expect("identities use the listed constants");
        self.constants[at]
    }

    fn last_four(&self) -> [Value; 4] {
        let end = self.first + self.results;
        [4, 3, 2, 1].map(|back| Value::Number(end.saturating_sub(back)))
    }

    fn last(&self) -> Value {
        match self.results {
            0 => Value::Arg(0),
            n => Value::Number(self.first + n - 1),
        }
    }
}
