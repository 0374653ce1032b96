//! Lanes: left sides.

use super::{Rows, product, with};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("vectorize", |g| {
        let (a, v) = product(g);
        let (x, to) = (numbers(g, a * v), g.scalar());
        let root = g.map_to(&x, &to);
        with(root, &[v])
    }),
    ("reduceVectorize", |g| reduction(g)),
    ("reduceByVectors", |g| reduction(g)),
];

fn reduction(g: &mut Gen) -> (Val, Vec<String>) {
    let (a, v) = product(g);
    let x = numbers(g, a * v);
    let (operator, ty) = loop {
        let (operator, ty) = g.commutative();
        if matches!(ty, Ty::I32 | Ty::F32) {
            break (operator, ty);
        }
    };
    let init = g.init(&ty, false);
    with(g.reduce_to(operator, &init, &x, &ty), &[v])
}

/// An array of numbers, or of tuples of them
fn numbers(g: &mut Gen, n: usize) -> Val {
    // What is in sight must be numbers too.
    g.scope.retain(|value| matches!(value.ty, Ty::I32 | Ty::F32));
    let (a, b) = (g.scalar(), g.scalar());
    match g.below(3) {
        0 => g.array(n, &a),
        1 => {
            let (x, y) = (g.array(n, &a), g.array(n, &b));
            g.zip(&[x, y])
        }
        _ => g.array(n, &Ty::Tuple(vec![a, b])),
    }
}
