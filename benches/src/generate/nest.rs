//! `nest`: functions of one 4-deep `scf.for` nest with loads, stores and index arithmetic.
//!
//! Bounds are dynamic, so no loop folds away. Of the index arithmetic 20 % repeats an earlier op of the same
//! loop and 10 % are identities; every index is used by a load or a store, so most ops stay.
//! Indices are not kept in bounds: these programs are read and rewritten, never run.

use super::random::Random;
use super::text::{Binary, Text, Value};

const MEMREF: &str = "memref<?x?xf32>";
const ARGS: [&str; 5] = [MEMREF, MEMREF, MEMREF, "index", "index"];
const DEPTH: usize = 4;
/// Groups of address arithmetic, loads and a store in the innermost loop
const GROUPS: usize = 8;

const ADD: Binary = Binary::overflowing("arith.addi");
const MUL: Binary = Binary::overflowing("arith.muli");
const SUB: Binary = Binary::overflowing("arith.subi");
const ADD_F: Binary = Binary::float("arith.addf");
const MUL_F: Binary = Binary::float("arith.mulf");

/// Functions until there are `ops` ops
pub fn nest(text: &mut Text, random: &mut Random, ops: u64) {
    let mut number = 0;
    while text.ops() < ops && !text.failed() {
        function(text, random, number);
        number += 1;
    }
}

fn function(text: &mut Text, random: &mut Random, number: u64) {
    let args = text.begin_function("nest", number, &ARGS, &[]);
    let constants: Vec<Value> = [0, 1, 2, 4].map(|c| text.constant_index(c)).to_vec();
    let mut scope = Scope { values: args[3..].to_vec(), recent: vec![], constants };
    for depth in 0..DEPTH {
        let from = scope.constants[0];
        let (to, step) = (args[3 + depth % 2], random.choose(&scope.constants[1..]));
        scope.recent.clear();
        let variable = text.begin_for(from, to, step);
        scope.values.push(variable);
        if depth + 1 < DEPTH {
            let offset = scope.arithmetic(text, random, variable);
            scope.values.push(offset);
        }
    }
    for _ in 0..GROUPS {
        group(text, random, &mut scope, &args);
    }
    for _ in 0..DEPTH {
        text.end_for();
    }
    text.end_function(&[], &[]);
}

/// `C[i, j] = A[k, l] * B[i, l] + C[i, j]`, with the addresses computed on the spot
fn group(text: &mut Text, random: &mut Random, scope: &mut Scope, args: &[Value]) {
    let mut address = [scope.constants[0]; 4];
    for slot in &mut address {
        let base = random.choose(&scope.values);
        let scaled = scope.arithmetic(text, random, base);
        *slot = scope.arithmetic(text, random, scaled);
    }
    let [i, j, k, l] = address;
    let left = text.load(args[0], &[k, l], MEMREF);
    let right = text.load(args[1], &[i, l], MEMREF);
    let old = text.load(args[2], &[i, j], MEMREF);
    let product = text.binary(MUL_F, left, right, "f32");
    let sum = text.binary(ADD_F, product, old, "f32");
    text.store(sum, args[2], &[i, j], MEMREF);
}

struct Scope {
    values: Vec<Value>,
    recent: Vec<(Binary, Value, Value)>,
    constants: Vec<Value>,
}

impl Scope {
    fn arithmetic(&mut self, text: &mut Text, random: &mut Random, base: Value) -> Value {
        let (kind, left, right) = match random.below(100) {
            0..20 if !self.recent.is_empty() => random.choose(&self.recent),
            20..25 => (ADD, base, self.constants[0]),
            25..30 => (MUL, base, self.constants[1]),
            30..50 => (MUL, base, random.choose(&self.constants[2..])),
            _ => (random.choose(&[ADD, ADD, SUB]), base, random.choose(&self.values)),
        };
        self.recent.push((kind, left, right));
        text.binary(kind, left, right, "index")
    }
}
