//! Iterations: left sides.

use super::{Rows, any, plain, with};
use crate::random::{Gen, Ty, Val};

pub const ROWS: Rows = &[
    ("iterateId", |g| plain(iterate(g, 0))),
    ("iterate1", |g| plain(iterate(g, 1))),
    ("iterateSplit", |g| {
        let times = g.below(4);
        let root = iterate(g, times);
        let a = g.below(times + 1);
        with(root, &[a])
    }),
];

/// So many steps of a function of arrays of any size
fn iterate(g: &mut Gen, times: usize) -> Val {
    let kind = g.below(3);
    let factor = 1 + g.below(2);
    let n = g.size(2) * factor.pow(times as u32);
    let x = if kind == 0 { g.array(n, &Ty::I32) } else { any(g, n) };
    let name = g.fresh();
    let elem = x.ty.elem().clone();
    let end = match kind {
        0 => n / factor.pow(times as u32),
        _ => n,
    };
    g.line(format!("{name} = array.iterate {times} init {} as ($l) %array {{", x.name));
    match kind {
        // The sum of neighbors.
        0 => {
            g.line(format!("%parts = array.split {factor} %array"));
            g.line("%sums = array.map %parts as %part {");
            g.line("%sum = array.reduce add %part as %p { array.yield %p }");
            g.line("array.yield %sum");
            g.line("}");
            g.line("array.yield %sums");
        }
        // Each element by a function of numbers.
        1 => {
            let array = Val { name: "%array".into(), ty: Ty::array(usize::MAX, &elem) };
            let mapped = g.map("", &array, &mut |g, args| {
                let args = args.to_vec();
                elem.parts().iter().map(|part| g.expr(&args, part)).collect()
            });
            g.line(format!("array.yield {}", mapped.name));
        }
        _ => {
            g.line("%whole = array.split $l %array");
            g.line("%again = array.join %whole");
            g.line("array.yield %again");
        }
    }
    g.line("}");
    Val { name, ty: Ty::array(end, &elem) }
}
