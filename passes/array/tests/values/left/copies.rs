//! Copies as maps, and names: left sides.

use super::{Rows, any};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("copyAsMaps", |g| {
        if g.r.coin() {
            let n = g.size(5);
            let x = any(g, n);
            return (placed(g, &x), vec!["copy".into()]);
        }
        let (v, parts, rows) = (g.size(4), g.size(3), g.size(3));
        let elem = g.scalar();
        let x = g.array(rows, &Ty::array(v * parts, &elem));
        (placed(g, &x), vec!["copy".into(), v.to_string()])
    }),
    ("unroll", |g| {
        let n = g.size(5);
        let (operator, ty) = g.operator();
        let (x, init) = (any(g, n), g.init(&ty, true));
        (g.reduce_to(operator, &init, &x, &ty), vec![g.below(2).to_string()])
    }),
    ("rename", |g| {
        let n = g.size(5);
        let (x, to) = (any(g, n), g.ty(1));
        (g.map_to(&x, &to), vec!["another".into()])
    }),
];

fn placed(g: &mut Gen, x: &Val) -> Val {
    g.view("place \"local\"", x, x.ty.clone())
}
