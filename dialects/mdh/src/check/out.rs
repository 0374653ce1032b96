//! M-OUT: every place of an output belongs to one point of the kept dimensions.

use super::Check;
use super::bounds::range;
use crate::codes;
use terrace_diag::Reported;
use terrace_support::affine::{AffineExpr, AffineMap, Linear};
use terrace_support::{HashMap, gcd};

/// Points enumerated where no proof is found
const POINTS: i64 = 1 << 16;

pub fn check(c: &Check<'_>) -> Result<(), Reported> {
    let sizes = c.view.sizes();
    let kept: Vec<usize> =
        (0..sizes.len()).filter(|n| c.view.dims[*n].kind.kept() && sizes[*n] > 1).collect();
    for (n, out) in c.view.outputs.iter().enumerate() {
        let own = out.init.as_ref().and_then(|(_, own)| own.as_ref());
        for map in out.maps.iter().chain(own) {
            for (dim, info) in c.view.dims.iter().enumerate() {
                if !info.kind.kept() && map.results.iter().any(|e| e.uses_dim(dim as u32)) {
                    let message = format!(
                        "M-OUT: output {} depends on `{}`, which is combined away (pw); make `{}` cc, or take it out of the \
                         index function",
                        n + 1,
                        info.name,
                        info.name
                    );
                    return c.fail(&codes::OUT, message);
                }
            }
        }
        for map in &out.maps {
            if proved(map, &kept, &sizes) {
                continue;
            }
            if let Some(missing) =
                kept.iter().find(|dim| !map.results.iter().any(|e| e.uses_dim(**dim as u32)))
            {
                let name = &c.view.dims[*missing].name;
                let message = format!(
                    "M-OUT: `{name}` is kept, but output {} does not depend on it: its {} points would write the same places; \
                     make `{name}` pw, or index by it",
                    n + 1,
                    sizes[*missing]
                );
                return c.fail(&codes::OUT, message);
            }
            match clash(&[map], &kept, &sizes) {
                Search::None => {}
                Search::Pair(a, b, at) => return twice(c, n, &kept, &a, &b, &at),
                Search::TooBig => {
                    let message = format!(
                        "M-OUT: it can't be shown that the points of output {} write different places; use index functions \
                         whose factors are larger than the range of what is below them",
                        n + 1
                    );
                    return c.fail(&codes::OUT, message);
                }
            }
        }
        for (a, first) in out.maps.iter().enumerate() {
            for second in &out.maps[a + 1..] {
                if apart(first, second, &sizes) {
                    continue;
                }
                match clash(&[first, second], &kept, &sizes) {
                    Search::None => {}
                    Search::Pair(x, y, at) => return twice(c, n, &kept, &x, &y, &at),
                    Search::TooBig => {
                        let message = format!(
                            "M-OUT: it can't be shown that the accesses of output {} are disjoint",
                            n + 1
                        );
                        return c.fail(&codes::OUT, message);
                    }
                }
            }
        }
    }
    Ok(())
}

fn twice(c: &Check<'_>, n: usize, kept: &[usize], a: &[i64], b: &[i64], at: &[i64]) -> Result<(), Reported> {
    let list = |all: &[i64]| all.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let names: Vec<&str> = kept.iter().map(|dim| c.view.dims[*dim].name.as_str()).collect();
    let message = format!(
        "M-OUT: points ({}) and ({}) of ({}) both write output {} at [{}]; combine one of the dimensions (pw), or write \
         each value once",
        list(a),
        list(b),
        names.join(", "),
        n + 1,
        list(at)
    );
    c.fail(&codes::OUT, message)
}

/// Do the index functions determine every kept coordinate? Row by row: of what is not determined yet, each factor must
/// be larger than the range of the smaller ones.
fn proved(map: &AffineMap, kept: &[usize], sizes: &[i64]) -> bool {
    let mut open: Vec<usize> = kept.to_vec();
    let rows: Vec<Linear> = map.results.iter().filter_map(AffineExpr::as_linear).collect();
    loop {
        let before = open.len();
        for row in &rows {
            let mut terms: Vec<(u64, usize)> =
                open.iter().map(|dim| (row.dim(*dim).unsigned_abs(), *dim)).filter(|(f, _)| *f > 0).collect();
            terms.sort_unstable();
            let mut reach = 0u64;
            let regular = terms.iter().all(|(factor, dim)| {
                let fits = *factor > reach;
                reach =
                    reach.saturating_add(factor.saturating_mul(sizes[*dim].unsigned_abs().saturating_sub(1)));
                fits
            });
            if regular {
                open.retain(|dim| !terms.iter().any(|(_, other)| other == dim));
            }
        }
        if open.is_empty() {
            return true;
        }
        if open.len() == before {
            return false;
        }
    }
}

/// Do two accesses differ in one dimension, by range or by remainder?
fn apart(a: &AffineMap, b: &AffineMap, sizes: &[i64]) -> bool {
    a.results.iter().zip(&b.results).any(|(x, y)| {
        if let (Some((l1, h1)), Some((l2, h2))) = (range(x, sizes), range(y, sizes))
            && (h1 < l2 || h2 < l1)
        {
            return true;
        }
        let (Some(x), Some(y)) = (x.as_linear(), y.as_linear()) else { return false };
        let divisor = x.dims.iter().chain(&y.dims).fold(0, |all, factor| gcd(all, factor.unsigned_abs()));
        let apart = x.constant.abs_diff(y.constant);
        divisor > 0 && !apart.is_multiple_of(divisor)
    })
}

enum Search {
    None,
    Pair(Vec<i64>, Vec<i64>, Vec<i64>),
    TooBig,
}

/// Try all points of the kept dimensions
fn clash(maps: &[&AffineMap], kept: &[usize], sizes: &[i64]) -> Search {
    let total = kept.iter().try_fold(1i64, |all, dim| all.checked_mul(sizes[*dim]));
    // A pair of a corner of a large box is a witness all the same; that there is none proves nothing then.
    let whole = total.is_some_and(|total| total <= POINTS);
    let side = match kept.len() {
        0 => 1,
        n => (POINTS as f64).powf(1.0 / n as f64) as i64,
    };
    let extents: Vec<i64> =
        kept.iter().map(|dim| if whole { sizes[*dim] } else { sizes[*dim].min(side.max(2)) }).collect();
    let count: i64 = extents.iter().product();
    let mut seen: HashMap<Vec<i64>, Vec<i64>> = HashMap::default();
    for map in maps {
        for n in 0..count.min(POINTS) {
            let mut left = n;
            let mut at = vec![0; kept.len()];
            for (x, size) in at.iter_mut().zip(&extents).rev() {
                *x = left % size;
                left /= size;
            }
            let mut point = vec![0; sizes.len()];
            for (dim, x) in kept.iter().zip(&at) {
                point[*dim] = *x;
            }
            let Some(place) = map.eval(&point, &[]) else { return Search::TooBig };
            if let Some(other) = seen.insert(place.clone(), at.clone()) {
                return Search::Pair(other, at, place);
            }
        }
    }
    if whole { Search::None } else { Search::TooBig }
}
