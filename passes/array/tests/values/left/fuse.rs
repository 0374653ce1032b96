//! One pattern in place of two: left sides.

use super::{Rows, any, plain};
use crate::random::{Gen, Ty, Val};

fn level(g: &mut Gen) -> &'static str {
    g.r.pick(&["", ": seq", ": thread.x", ": global.x"])
}

pub const ROWS: Rows = &[
    ("mapFusion", |g| {
        let n = g.below(6);
        let (x, level) = (any(g, n), level(g));
        let (between, to) = (g.ty(2), g.ty(2));
        let y = map_at(g, level, &x, &between);
        plain(map_at(g, level, &y, &to))
    }),
    ("mapFusionInZip", |g| {
        let (n, level) = (g.size(5), level(g));
        let all: Vec<Val> = (0..2 + g.below(2))
            .map(|k| {
                let x = any(g, n);
                let to = g.ty(1);
                if k == 0 || g.r.coin() { map_at(g, level, &x, &to) } else { x }
            })
            .collect();
        let x = g.zip(&all);
        let to = g.ty(1);
        plain(map_at(g, level, &x, &to))
    }),
    ("reduceMapFusion", |g| {
        let n = g.size(6);
        let (x, to) = (any(g, n), g.ty(1));
        let y = g.map_to(&x, &to);
        let (operator, ty) = g.operator();
        let init = g.init(&ty, false);
        plain(g.reduce_to(operator, &init, &y, &ty))
    }),
    ("foldMapFusion", |g| {
        let n = g.below(6);
        let (x, to, acc) = (any(g, n), g.ty(1), g.ty(1));
        let from = g.scope.clone();
        let init = g.expr(&from, &acc);
        let y = g.map_to(&x, &to);
        plain(g.fold(&init, &y, &mut |g, args| {
            let args = args.to_vec();
            acc.parts().iter().map(|part| g.expr(&args, part)).collect()
        }))
    }),
    ("zipReduceFusion", |g| {
        let n = g.size(5);
        let (count, always) = (2 + g.below(2), g.r.coin());
        let all: Vec<Val> = (0..count)
            .map(|_| {
                let x = any(g, n);
                let (operator, ty) = g.commutative();
                let init = if always { g.init(&ty, true) } else { String::new() };
                g.reduce_to(operator, &init, &x, &ty)
            })
            .collect();
        plain(g.tuple(&all))
    }),
    ("fuseZipTuple", |g| {
        let n = g.size(5);
        let all = [any(g, n), any(g, n)];
        let t = g.tuple(&all);
        let parts: Vec<Val> = (0..2)
            .map(|_| {
                let k = g.below(2);
                g.view(&format!("get {k}"), &t, all[k].ty.clone())
            })
            .collect();
        plain(g.zip(&parts))
    }),
    ("tupleMap", |g| {
        let (n, level) = (g.size(5), level(g));
        let all: Vec<Val> = (0..2 + g.below(2))
            .map(|_| {
                let x = any(g, n);
                let to = g.ty(1);
                map_at(g, level, &x, &to)
            })
            .collect();
        plain(g.tuple(&all))
    }),
];

pub fn map_at(g: &mut Gen, level: &str, x: &Val, to: &Ty) -> Val {
    let sight = g.scope.clone();
    let to = to.clone();
    g.map(level, x, &mut |g, args| {
        let from = [args, &sight].concat();
        to.parts().iter().map(|part| g.expr(&from, part)).collect()
    })
}
