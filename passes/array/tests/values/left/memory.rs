//! Places: left sides.

use super::{Rows, any, plain};
use crate::random::{Gen, Val};

pub const ROWS: Rows = &[
    ("toPrivate", |g| plain(made(g))),
    ("toLocal", |g| plain(made(g))),
    ("toGlobal", |g| plain(made(g))),
    ("introduceReuse", |g| {
        let n = g.size(5);
        let (x, to) = (any(g, n), g.ty(1));
        let space = *g.r.pick(&[&"private", &"local", &"global"]);
        let mut args = vec![space.to_string()];
        if g.r.coin() {
            args.push("transposed".into());
        }
        (g.map_to(&x, &to), args)
    }),
    ("introduceReuseOf", |g| {
        let n = g.size(5);
        let (a, b) = (any(g, n), any(g, n));
        let x = g.zip(&[a, b]);
        let root = match g.r.coin() {
            true => {
                let to = g.ty(1);
                g.map_to(&x, &to)
            }
            false => {
                let (operator, ty) = g.operator();
                g.reduce_to(operator, "", &x, &ty)
            }
        };
        let space = *g.r.pick(&[&"private", &"local", &"global"]);
        (root, vec![g.below(2).to_string(), space.to_string()])
    }),
    ("placePlace", |g| {
        let x = made(g);
        let first = g.view("place \"local\"", &x, x.ty.clone());
        plain(g.view("place \"local\"", &first, x.ty))
    }),
];

fn made(g: &mut Gen) -> Val {
    let n = g.size(5);
    let (x, to) = (any(g, n), g.ty(1));
    match g.below(3) {
        0 => g.map_to(&x, &to),
        1 => {
            let (operator, ty) = g.operator();
            g.reduce_to(operator, "", &x, &ty)
        }
        _ => g.split(1, &x),
    }
}
