//! Outside goes inside: left sides.

use super::{Rows, any, plain, rows};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("mapMapInterchange", |g| {
        let (n, m) = (g.below(5), g.below(5));
        let (x, y, to) = (any(g, n), any(g, m), g.ty(1));
        let sight = g.scope.clone();
        plain(g.map("", &x, &mut |g, a| {
            // Something of the outer element for all inner ones.
            let (a, ty) = (a.to_vec(), g.scalar());
            let before = g.expr(&a, &ty);
            vec![g.map("", &y, &mut |g, b| {
                let from = [b, std::slice::from_ref(&before), &a[..], &sight].concat();
                to.parts().iter().map(|part| g.expr(&from, part)).collect()
            })]
        }))
    }),
    ("mapMapInterchangeZip", |g| {
        let (n, m) = super::product(g);
        let (a, b, c, to) = (g.ty(1), g.ty(1), g.ty(1), g.ty(1));
        let (x, y) = (g.array(n, &Ty::array(m, &a)), g.array(n, &Ty::array(m, &b)));
        let other = g.array(m, &c);
        let both = g.r.coin();
        let all = if both { g.zip(&[x, y]) } else { x };
        plain(g.map("", &all, &mut |g, rows| {
            let mut parts = rows.to_vec();
            parts.insert(g.below(parts.len() + 1), other.clone());
            let zipped = g.zip(&parts);
            vec![g.map_to(&zipped, &to)]
        }))
    }),
    ("mapReduceInterchange", |g| {
        let x = rows(g);
        let (operator, ty, init) = number(g);
        plain(g.map("", &x, &mut |g, row| vec![g.reduce_to(operator, &init, &row[0], &ty)]))
    }),
    ("mapReduceInterchangeZip", |g| {
        let (n, m) = super::product(g);
        let (a, b, c) = (g.ty(1), g.ty(1), g.ty(1));
        let (x, y) = (g.array(n, &Ty::array(m, &a)), g.array(n, &Ty::array(m, &b)));
        let other = g.array(m, &c);
        let both = g.r.coin();
        let all = if both { g.zip(&[x, y]) } else { x };
        let (operator, ty, init) = number(g);
        plain(g.map("", &all, &mut |g, rows| {
            let mut parts = rows.to_vec();
            parts.insert(g.below(parts.len() + 1), other.clone());
            let zipped = g.zip(&parts);
            vec![g.reduce_to(operator, &init, &zipped, &ty)]
        }))
    }),
    ("reduceMapInterchange", |g| {
        let x = rows(g);
        let m = x.ty.elem().len();
        let (operator, ty, number) = number(g);
        let init = match g.below(3) {
            0 => String::new(),
            1 => number,
            _ => g.init(&Ty::array(m, &ty), true),
        };
        let sight = g.scope.clone();
        plain(g.reduce(operator, &init, &x, &mut |g, column| {
            vec![g.map("", &column[0], &mut |g, args| {
                let from = [args, &sight].concat();
                ty.parts().iter().map(|part| g.expr(&from, part)).collect()
            })]
        }))
    }),
    ("transposeBothSides", |g| {
        let x = rows(g);
        plain(all_elements(g, &x))
    }),
];

/// An operator on numbers, with a number as start value or none
pub(super) fn number(g: &mut Gen) -> (&'static str, Ty, String) {
    loop {
        let (operator, ty) = g.commutative();
        if matches!(ty, Ty::I32 | Ty::F32) {
            let init = g.init(&ty, false);
            return (operator, ty, init);
        }
    }
}

/// `map (map f) x`
pub fn all_elements(g: &mut Gen, x: &Val) -> Val {
    let (to, sight) = (g.ty(1), g.scope.clone());
    g.map("", x, &mut |g, row| {
        vec![g.map("", &row[0], &mut |g, args| {
            let from = [args, &sight].concat();
            to.parts().iter().map(|part| g.expr(&from, part)).collect()
        })]
    })
}
