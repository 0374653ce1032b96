//! Reductions in parts: left sides.

use super::{Rows, any, plain, product, rows, with};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("splitReduce", |g| {
        let (a, b) = product(g);
        let x = any(g, a * b);
        let (operator, ty) = g.operator();
        with(random(g, operator, &x, &ty), &[a])
    }),
    ("splitReduceStrided", |g| {
        let (a, b) = product(g);
        let x = any(g, a * b);
        let (operator, ty) = g.commutative();
        with(random(g, operator, &x, &ty), &[a])
    }),
    ("coalesce", |g| {
        let (a, b) = product(g);
        let x = any(g, a * b);
        let (operator, ty) = g.commutative();
        let args: &[usize] = if g.r.coin() { &[a] } else { &[a, g.below(2)] };
        with(random(g, operator, &x, &ty), args)
    }),
    ("reduceFlatten", |g| {
        let x = rows(g);
        let (operator, ty) = g.operator();
        let sight = g.scope.clone();
        let parts = g.map("", &x, &mut |g, row| {
            vec![g.reduce(operator, "", &row[0], &mut |g, args| {
                let from = [args, &sight].concat();
                ty.parts().iter().map(|part| g.expr(&from, part)).collect()
            })]
        });
        // A function gets the components of what the parts are.
        let init = g.init(&ty, false);
        plain(g.reduce(operator, &init, &parts, &mut |_, args| args.to_vec()))
    }),
    ("reduceLayout", |g| {
        let n = g.below(5);
        let ((a, b), x) = (product(g), any(g, n));
        let (operator, ty, init) = super::interchange::number(g);
        let (other, sight) = (any(g, a * b), g.scope.clone());
        plain(g.reduce(operator, &init, &x, &mut |g, args| {
            let from = [args, &sight].concat();
            let row = g.map("", &other, &mut |g, elem| {
                let from = [elem, &from].concat();
                vec![g.expr(&from, &ty)]
            });
            let parts = g.split(b, &row);
            vec![match g.below(4) {
                0 => parts,
                1 => g.transpose(&parts),
                2 => g.slide(1, 2, &row),
                _ => g.map("", &parts, &mut |g, part| vec![g.split(1, &part[0])]),
            }]
        }))
    }),
    ("initOut", |g| {
        let n = g.size(5);
        let x = any(g, n);
        let (operator, ty) = g.operator();
        let init = g.init(&ty, true);
        plain(g.reduce_to(operator, &init, &x, &ty))
    }),
    ("foldToReduce", |g| {
        let n = g.below(6);
        let x = any(g, n);
        let count = g.size(2);
        let ops: Vec<(&str, Ty)> = (0..count)
            .map(|_| {
                let ty = g.scalar();
                let op = match ty {
                    Ty::F32 => g.r.pick(&["arith.addf", "arith.maximumf"]),
                    _ => g.r.pick(&["arith.addi", "arith.muli", "arith.minsi", "arith.xori"]),
                };
                (op, ty)
            })
            .collect();
        let types: Vec<Ty> = ops.iter().map(|(_, ty)| ty.clone()).collect();
        let from = g.scope.clone();
        let init = g.expr(&from, &Ty::together(&types));
        plain(g.fold(&init, &x, &mut |g, args| {
            let (acc, elems) = args.split_at(count);
            let (acc, elems) = (acc.to_vec(), elems.to_vec());
            ops.iter()
                .zip(&acc)
                .map(|((op, ty), acc)| {
                    let given = g.expr(&elems, ty);
                    let (a, b) = if g.r.coin() { (acc, &given) } else { (&given, acc) };
                    g.put(format!("{op} {}, {} : {}", a.name, b.name, ty.text()), ty.clone())
                })
                .collect()
        }))
    }),
    ("reduceToFold", |g| {
        let n = g.size(5);
        let x = any(g, n);
        let ty = g.scalar();
        let operator =
            if ty == Ty::F32 { g.r.pick(&["add", "max"]) } else { g.r.pick(&["add", "mul", "xor"]) };
        plain(random(g, operator, &x, &ty))
    }),
];

/// A reduction by an operator of a random function, with or without a start value
pub fn random(g: &mut Gen, operator: &str, x: &Val, ty: &Ty) -> Val {
    let mut words = g.init(ty, false);
    words += g.r.pick(&["", " free", " fixed", " : seq"]);
    g.reduce_to(operator, &words, x, ty)
}
