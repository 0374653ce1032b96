//! Views past maps and each other: left sides.

use super::interchange::all_elements;
use super::{Rows, any, plain, product, rows, with};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("slidePromotion", |g| {
        let (n, s, more, cols) = (g.size(3), g.size(2), g.below(4), g.size(3));
        let (k, elem) = (g.size(3), g.ty(1));
        let x = g.array(n + more, &Ty::array(cols, &Ty::array(k, &elem)));
        let joined = g.map("", &x, &mut |g, rows| vec![g.join(&rows[0])]);
        plain(g.slide(n, s, &joined))
    }),
    ("slideSwap", |g| {
        let (n, s, more) = (g.size(3), g.size(2), g.below(4));
        let (m, k) = product(g);
        let elem = g.ty(1);
        let x = g.array(n + more, &Ty::array(m * k, &elem));
        let kind = g.below(3);
        let y = g.map("", &x, &mut |g, row| {
            vec![match kind {
                0 => g.slide(m, 1, &row[0]),
                1 => g.split(m, &row[0]),
                _ => {
                    let parts = g.split(m, &row[0]);
                    g.transpose(&parts)
                }
            }]
        });
        plain(g.slide(n, s, &y))
    }),
    ("joinSwap", |g| {
        let x = rows(g);
        let y = all_elements(g, &x);
        plain(g.join(&y))
    }),
    ("splitSwap", |g| {
        let (a, b) = product(g);
        let (x, to) = (any(g, a * b), g.ty(1));
        let y = g.map_to(&x, &to);
        plain(g.split(a, &y))
    }),
    ("transposeSwap", |g| {
        let x = rows(g);
        let y = all_elements(g, &x);
        plain(g.transpose(&y))
    }),
    ("slideTransposeSwap", |g| {
        let (n, s, more, a) = (g.size(3), g.size(2), g.below(4), g.size(4));
        let elem = g.ty(1);
        let x = g.array(a, &Ty::array(n + more, &elem));
        let t = g.transpose(&x);
        plain(g.slide(n, s, &t))
    }),
    ("transposeMapJoin", |g| {
        let (a, (b, c), elem) = (g.size(3), product(g), g.ty(1));
        let x = g.array(a, &Ty::array(b, &Ty::array(c, &elem)));
        let y = g.map("", &x, &mut |g, rows| vec![g.join(&rows[0])]);
        plain(g.transpose(&y))
    }),
    ("mapSplitTranspose", |g| {
        let ((a, n), b, elem) = (product(g), g.size(4), g.ty(1));
        let x = g.array(a * n, &Ty::array(b, &elem));
        let t = g.transpose(&x);
        plain(g.map("", &t, &mut |g, column| vec![g.split(n, &column[0])]))
    }),
    ("splitTranspose", |g| {
        let ((b, n), a, elem) = (product(g), g.size(4), g.ty(1));
        let x = g.array(a, &Ty::array(b * n, &elem));
        let t = g.transpose(&x);
        plain(g.split(n, &t))
    }),
    ("splitIntoZip", |g| {
        let (a, b) = product(g);
        let all = some(g, &mut |g| any(g, a * b));
        let x = g.zip(&all);
        plain(g.split(a, &x))
    }),
    ("reorderIntoZip", |g| {
        let (a, b) = product(g);
        let all = some(g, &mut |g| any(g, a * b));
        let x = g.zip(&all);
        plain(g.view(&format!("reorder strided {a}"), &x, x.ty.clone()))
    }),
    ("joinFromZip", |g| {
        let (a, b) = product(g);
        let all = some(g, &mut |g| {
            let elem = g.ty(1);
            let x = g.array(a, &Ty::array(b, &elem));
            g.join(&x)
        });
        plain(g.zip(&all))
    }),
    ("reorderBothSides", |g| {
        let (a, b) = product(g);
        let (x, to) = (any(g, a * b), g.ty(1));
        with(g.map_to(&x, &to), &[a])
    }),
    ("reorderIsTransposedSplit", |g| {
        let (a, b) = product(g);
        let x = any(g, a * b);
        plain(g.view(&format!("reorder strided {a}"), &x, x.ty.clone()))
    }),
];

fn some(g: &mut Gen, make: &mut dyn FnMut(&mut Gen) -> Val) -> Vec<Val> {
    (0..2 + g.below(2)).map(|_| make(g)).collect()
}
