//! Pairs that undo each other: left sides.

use super::{Rows, any, plain, rows};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("transposeTranspose", |g| {
        let x = rows(g);
        let t = g.transpose(&x);
        plain(g.transpose(&t))
    }),
    ("joinSplitId", |g| {
        let (a, b) = super::product(g);
        let x = any(g, a * b);
        let parts = g.split(a, &x);
        plain(g.join(&parts))
    }),
    ("splitJoinId", |g| {
        let x = rows(g);
        let joined = g.join(&x);
        let m = x.ty.elem().len();
        plain(g.split(m, &joined))
    }),
    ("asScalarAsVector", |g| {
        let x = numbers(g);
        let vectors = as_vector(g, &x);
        plain(g.view("as_scalar", &vectors, x.ty))
    }),
    ("asVectorAsScalar", |g| {
        let x = numbers(g);
        let vectors = as_vector(g, &x);
        let scalars = g.view("as_scalar", &vectors, x.ty);
        let Ty::Vector(v, _) = vectors.ty.elem() else { return plain(scalars) };
        plain(g.view(&format!("as_vector {v}"), &scalars, vectors.ty.clone()))
    }),
    ("zipUnzip", |g| {
        let n = g.size(5);
        let parts = vec![g.ty(1), g.ty(1)];
        let x = g.array(n, &Ty::Tuple(parts.clone()));
        let (a, b) = unzip(g, &x, &parts);
        plain(g.zip(&[a, b]))
    }),
    ("unzipZip", |g| {
        let n = g.size(5);
        let parts = vec![g.ty(1), g.ty(1)];
        let all: Vec<Val> = parts.iter().map(|part| g.array(n, part)).collect();
        let x = g.zip(&all);
        let (a, _) = unzip(g, &x, &parts);
        plain(a)
    }),
    ("padSlice", |g| {
        let (n, low, high) = (g.size(5), g.below(3), g.below(3));
        let x = any(g, n);
        let padded = pad(g, low, high, &x);
        plain(g.view(&format!("slice {low}, {n}"), &padded, x.ty))
    }),
    ("mapId", |g| {
        let n = g.size(5);
        let x = any(g, n);
        plain(g.map("", &x, &mut |_, args| args.to_vec()))
    }),
    ("removeDuplicateZipArg", |g| {
        let n = g.size(5);
        let x = duplicates(g, n);
        let to = g.ty(1);
        plain(g.map_to(&x, &to))
    }),
    ("removeDuplicateZipArgReduce", |g| {
        let n = g.size(5);
        let x = duplicates(g, n);
        let (operator, ty) = g.operator();
        let init = g.init(&ty, false);
        plain(g.reduce_to(operator, &init, &x, &ty))
    }),
    ("getTuple", |g| {
        let from = g.scope.clone();
        let all: Vec<Val> = (0..3)
            .map(|_| {
                let ty = g.ty(1);
                g.expr(&from, &ty)
            })
            .collect();
        let tuple = g.tuple(&all);
        let k = g.below(3);
        plain(g.view(&format!("get {k}"), &tuple, all[k].ty.clone()))
    }),
    ("tupleGet", |g| {
        let parts = vec![g.ty(1), g.ty(1)];
        let x = g.input(&Ty::Tuple(parts.clone()));
        let all: Vec<Val> =
            parts.iter().enumerate().map(|(k, part)| g.view(&format!("get {k}"), &x, part.clone())).collect();
        plain(g.tuple(&all))
    }),
    ("sliceAll", |g| {
        let n = g.size(5);
        let x = any(g, n);
        plain(g.view(&format!("slice 0, {n}"), &x, x.ty.clone()))
    }),
    ("castCast", |g| {
        let n = g.size(5);
        let x = any(g, n);
        let name = format!("array.cast {} to {}", x.name, x.ty.text());
        plain(g.put(name, x.ty.clone()))
    }),
];

pub fn unzip(g: &mut Gen, x: &Val, parts: &[Ty]) -> (Val, Val) {
    let (a, b) = (g.fresh(), g.fresh());
    g.line(format!("{a}, {b} = array.unzip {}", x.name));
    let n = x.ty.len();
    // The root is known by its first result.
    (Val { name: a, ty: Ty::array(n, &parts[0]) }, Val { name: b, ty: Ty::array(n, &parts[1]) })
}

pub fn pad(g: &mut Gen, low: usize, high: usize, x: &Val) -> Val {
    let ty = Ty::array(x.ty.len() + low + high, x.ty.elem());
    match g.below(3) {
        0 => g.view(&format!("pad {low}, {high} clamp"), x, ty),
        1 => g.view(&format!("pad {low}, {high} wrap"), x, ty),
        _ => {
            let from = g.scope.clone();
            let elem = x.ty.elem().clone();
            let value = g.expr(&from, &elem);
            g.view(&format!("pad {low}, {high} value {}", value.name), x, ty)
        }
    }
}

fn duplicates(g: &mut Gen, n: usize) -> Val {
    let (a, b) = (any(g, n), any(g, n));
    match g.below(3) {
        0 => g.zip(&[a.clone(), a]),
        1 => g.zip(&[a.clone(), b, a]),
        _ => g.zip(&[a.clone(), a.clone(), b, a]),
    }
}

fn numbers(g: &mut Gen) -> Val {
    let (a, v) = super::product(g);
    let elem = g.scalar();
    g.array(a * v, &elem)
}

fn as_vector(g: &mut Gen, x: &Val) -> Val {
    let n = x.ty.len();
    let divisors: Vec<usize> = (1..=n).filter(|v| n.is_multiple_of(*v)).collect();
    let v = divisors[g.below(divisors.len())];
    let vector = Ty::Vector(v, Box::new(x.ty.elem().clone()));
    g.view(&format!("as_vector {v}"), x, Ty::array(n / v, &vector))
}
