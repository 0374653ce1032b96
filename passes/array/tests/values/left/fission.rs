//! Two maps in place of one: left sides.

use super::{Rows, any};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("mapFission", |g| {
        let n = g.below(6);
        let (x, between, to) = (any(g, n), g.ty(1), g.ty(1));
        let sight = g.scope.clone();
        let root = g.map("", &x, &mut |g, args| {
            let from = [args, &sight].concat();
            let made = named(g, &from, &between);
            to.parts().iter().map(|part| new(g, std::slice::from_ref(&made), part)).collect()
        });
        (root, vec!["cut".into()])
    }),
    ("mapFissionZip", |g| {
        let n = g.below(6);
        let (x, between, to) = (any(g, n), g.ty(1), g.ty(1));
        let sight = g.scope.clone();
        let root = g.map("", &x, &mut |g, args| {
            let from = [args, &sight].concat();
            let made = named(g, &from, &between);
            let all = [&[made], args].concat();
            to.parts().iter().map(|part| new(g, &all, part)).collect()
        });
        (root, vec!["cut".into()])
    }),
    ("extractFromMap", |g| {
        let n = g.size(5);
        let (x, between, to) = (any(g, n), g.ty(1), g.ty(1));
        let sight = g.scope.clone();
        let root = g.map("", &x, &mut |g, args| {
            let made = named(g, &sight, &between);
            let from = [&[made], args].concat();
            to.parts().iter().map(|part| new(g, &from, part)).collect()
        });
        let args = if g.r.coin() { vec![] } else { vec!["cut".into()] };
        (root, args)
    }),
];

/// A value that an op makes
fn new(g: &mut Gen, from: &[Val], ty: &Ty) -> Val {
    g.expr(from, ty)
}

/// A new value called `cut`
fn named(g: &mut Gen, from: &[Val], ty: &Ty) -> Val {
    let value = new(g, from, ty);
    crate::random::rename(g, value, "%cut")
}
