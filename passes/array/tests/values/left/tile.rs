//! Parts, windows, paddings: left sides.

use super::interchange::{all_elements, number};
use super::simplify::pad;
use super::{Rows, any, plain, product, rows, with};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("splitJoin", |g| {
        let (a, b) = product(g);
        let x = any(g, a * b);
        let to = g.ty(1);
        with(g.map_to(&x, &to), &[a])
    }),
    ("joinSplit", |g| {
        let x = rows(g);
        let (to, sight) = (g.ty(1), g.scope.clone());
        plain(g.map("", &x, &mut |g, row| {
            vec![g.map("", &row[0], &mut |g, args| {
                let from = [args, &sight].concat();
                to.parts().iter().map(|part| g.expr(&from, part)).collect()
            })]
        }))
    }),
    ("slideTiling", |g| {
        let (n, s) = (g.size(5), g.size(3));
        // v = k·s, u = v + n − s, N = u + q·v.
        let (k, q) = (g.size(3), g.below(3));
        let v = k * s;
        let u = v + n - s.min(v + n);
        let total = u + q * v;
        let x = any(g, total);
        with(g.slide(n, s, &x), &[u, v])
    }),
    ("slideTilingStep", |g| {
        let (n, s, k, q) = (g.size(5), g.size(3), g.size(3), g.size(3));
        let rest = g.below(s);
        let x = any(g, n + (k * q - 1) * s + rest);
        with(g.slide(n, s, &x), &[k])
    }),
    ("padExtend", |g| {
        let (n, s, more, r) = (g.size(4), g.size(3), g.below(6), g.below(4));
        let x = maybe_padded(g, n + more);
        let windows = g.slide(n, s, &x);
        with(total_map(g, &windows), &[r])
    }),
    ("cropBack", |g| {
        let (n, r) = (g.size(6), g.below(4));
        let x = maybe_padded(g, n);
        with(total_map(g, &x), &[r])
    }),
    ("tileStencil2D", |g| {
        let (n, s) = (g.size(3), g.size(2));
        let (v, u) = tile_of(g, n, s);
        let (high, wide) = (u + g.below(3) * v, u + g.below(3) * v);
        let args = if n >= s && u == v + n - s && g.r.coin() { vec![u] } else { vec![u, v] };
        with(stencil(g, high, wide, n, s), &args)
    }),
    ("tileRows", |g| {
        let (n, s, k, q) = (g.size(3), g.size(2), g.size(3), g.size(3));
        let (high, wide) = (n + (k * q - 1) * s + g.below(s), n + g.below(4));
        with(stencil(g, high, wide, n, s), &[k])
    }),
    ("sumOfParts", |g| {
        let (n, s, m, parts) = (g.size(2), g.size(2), g.size(2), g.size(2));
        let (root, mut args) = with(pairs(g, n, s, m * parts, None), &[m]);
        if g.r.coin() {
            args.extend(["parts".to_string(), "starts".to_string()]);
        }
        (root, args)
    }),
    ("padExtend2D", |g| {
        let (n, s, r) = (g.size(3), g.size(2), g.below(4));
        let (high, wide) = (n + g.below(4), n + g.below(4));
        with(stencil(g, high, wide, n, s), &[r])
    }),
    ("tile2D", |g| {
        let ((a, n), (b, m), elem) = (product(g), product(g), g.ty(1));
        let x = g.array(a * n, &Ty::array(b * m, &elem));
        with(all_elements(g, &x), &[n, m])
    }),
    ("mapJoin", |g| {
        let x = rows(g);
        let (joined, to) = (g.join(&x), g.ty(1));
        plain(g.map_to(&joined, &to))
    }),
    ("sliceMap", |g| {
        let x = part(g);
        plain(total_map(g, &x))
    }),
    ("mapSlice", |g| {
        let n = g.size(6);
        let x = any(g, n);
        let to = g.ty(1);
        let y = g.map_to(&x, &to);
        plain(slice(g, &y))
    }),
];

/// Tiles that fit windows: v = k·s, u = v + n − s
fn tile_of(g: &mut Gen, n: usize, s: usize) -> (usize, usize) {
    let v = g.size(3) * s;
    (v, v + n - s)
}

/// A map of all windows of a matrix of numbers, which may be padded
pub fn stencil(g: &mut Gen, high: usize, wide: usize, n: usize, s: usize) -> Val {
    let elem = g.scalar();
    let mut x = g.array(high, &Ty::array(wide, &elem));
    if high > 1 && g.r.coin() {
        x = g.array(high - 1, &Ty::array(wide, &elem));
        let value = g.input(&elem);
        x = g.view(&format!("pad 1, 0 value {}", value.name), &x, Ty::array(high, &Ty::array(wide, &elem)));
    }
    let in_rows = g.map("", &x, &mut |g, row| vec![g.slide(n, s, &row[0])]);
    let both = g.slide(n, s, &in_rows);
    let windows = g.map("", &both, &mut |g, row| vec![g.transpose(&row[0])]);
    g.map("", &windows, &mut |g, row| {
        vec![g.map("", &row[0], &mut |g, window| {
            let all = g.join(&window[0]);
            vec![g.reduce("add", "", &all, &mut |g, a| {
                let from = a.to_vec();
                vec![g.expr(&from, &elem)]
            })]
        })]
    })
}

/// Reductions of all pairs of windows of `n` by `n`, `s` apart, and kernels; by an operator that commutes if none is given
pub fn pairs(g: &mut Gen, n: usize, s: usize, channels: usize, by: Option<(&str, &str, &Ty)>) -> Val {
    let commuting = number(g);
    let (operator, words, ty) = by.unwrap_or((commuting.0, &commuting.2, &commuting.1));
    let (high, wide, count) = (n + g.below(3), n + g.below(3), g.size(3));
    let elem = if by.is_some() { ty.clone() } else { g.scalar() };
    let x = g.array(high, &Ty::array(wide, &Ty::array(channels, &elem)));
    let kernels = g.array(count, &Ty::array(n, &Ty::array(n, &Ty::array(channels, &elem))));
    // A start value of each kernel.
    let own = by.is_none() && g.r.coin();
    let all = match own {
        true => {
            let bias = g.array(count, ty);
            g.zip(&[kernels, bias])
        }
        false => kernels,
    };
    let sight = g.scope.clone();
    let in_rows = g.map("", &x, &mut |g, row| vec![g.slide(n, s, &row[0])]);
    let both = g.slide(n, s, &in_rows);
    let windows = g.map("", &both, &mut |g, row| vec![g.transpose(&row[0])]);
    g.map("", &windows, &mut |g, row| {
        vec![g.map("", &row[0], &mut |g, window| {
            let window = window[0].clone();
            vec![g.map("", &all, &mut |g, given| {
                let joined = [&window, &given[0]].map(|of| {
                    let rows = g.join(of);
                    g.join(&rows)
                });
                let zipped = g.zip(&joined);
                let words = if own { format!("init {}", given[1].name) } else { words.to_string() };
                vec![g.reduce(operator, &words, &zipped, &mut |g, a| {
                    let from = [a, &sight].concat();
                    if by.is_some() { a[..1].to_vec() } else { vec![g.expr(&from, ty)] }
                })]
            })]
        })]
    })
}

fn slice(g: &mut Gen, x: &Val) -> Val {
    let n = x.ty.len();
    let o = g.below(n + 1);
    let k = g.below(n - o + 1);
    let ty = crate::random::Ty::array(k, x.ty.elem());
    g.view(&format!("slice {o}, {k}"), x, ty)
}

fn part(g: &mut Gen) -> Val {
    let n = g.size(6);
    let x = any(g, n);
    slice(g, &x)
}

/// A map whose function does nothing that may trap: no constants as indices of arrays of other lengths
fn total_map(g: &mut Gen, x: &Val) -> Val {
    let to = g.scalar();
    g.map("", x, &mut |g, args| {
        let from: Vec<Val> = args.iter().filter(|arg| arg.ty == to).cloned().collect();
        vec![g.expr(&from, &to)]
    })
}

fn maybe_padded(g: &mut Gen, n: usize) -> Val {
    if g.r.coin() || n < 2 {
        return any(g, n);
    }
    let low = g.below(n - 1);
    let high = g.below(n - 1 - low);
    let x = any(g, n - low - high);
    pad(g, low, high, &x)
}
