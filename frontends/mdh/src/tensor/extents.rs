//! Extents of indices, from `in` and from the shapes of what is read.

use super::{Done, Id, Reader};
use crate::codes;
use crate::model::{Computation, Count, Size};
use crate::syntax::{Expr, ExprKind, Words};
use terrace_diag::{Span, nearest};
use terrace_support::affine::{AffineExpr, Linear};

/// A subscript
pub(super) struct Sub {
    /// Nothing if it is computed from elements
    pub e: Option<AffineExpr>,
    /// It is an index and nothing else: the index runs over the whole dimension
    pub bare: bool,
    /// As it is written, if it is computed from elements
    pub computed: Option<Expr>,
}

/// A read of a tensor
pub(super) struct Read {
    pub tensor: String,
    pub counts: Vec<Count>,
    pub subs: Vec<Sub>,
    /// Something stands for elements outside
    pub other: bool,
    pub span: Span,
}

impl Read {
    /// What gives an extent: a dimension of this tensor
    fn dim_is(&self, n: usize, sizes: &[Size]) -> String {
        format!("{} dim {} is {}", self.tensor, n + 1, self.counts[n].text(sizes))
    }

    /// Subscripts that are linear, by their numbers, with the sizes of the dimensions
    fn linear(&self) -> impl Iterator<Item = (usize, (Linear, i64))> {
        let subs = self.subs.iter().zip(&self.counts).enumerate();
        subs.filter_map(|(n, (sub, count))| Some((n, (sub.e.as_ref()?.as_linear()?, count.most))))
    }
}

impl Reader {
    /// Extents of ids: from `in`, from shapes where an id stands alone, then from shapes where all others are known
    ///
    /// An id with an `in` may leave a part of a dimension out.
    pub(super) fn extents(&self, w: &mut Words<'_>, ids: &[Id], reads: &[Read]) -> Done<Vec<Count>> {
        self.ends_alone(w, reads)?;
        let mut sizes = whole_dimensions(w, ids, reads, self.sizes())?;
        while solve(&mut sizes, reads, self.sizes()) {}
        keep_inside(&mut sizes, ids, reads);
        let mut all = Vec::new();
        for (id, size) in ids.iter().zip(sizes) {
            match size {
                Some(size) => all.push(size.count),
                None => {
                    let help = Some(format!("say it: `{} in 16`", id.name));
                    let message = format!("nothing gives the extent of {}", id.name);
                    return Err(w.error_with_help(&codes::E_EXTENT, id.span, &message, help));
                }
            }
        }
        Ok(all)
    }

    /// Index functions into tensors of which other subscripts are computed: nothing else checks these
    pub(super) fn inside(&self, w: &mut Words<'_>, one: &Computation, reads: &[Read]) -> Done<()> {
        if one.dims.iter().any(|dim| dim.size == 0) {
            return Ok(());
        }
        for read in reads.iter().filter(|read| !read.other && read.subs.iter().any(|sub| sub.e.is_none())) {
            for (n, (sub, count)) in read.subs.iter().zip(&read.counts).enumerate() {
                let size = i128::from(count.most);
                let (reach, verb) = match (&sub.e, &sub.computed) {
                    (Some(e), _) => {
                        let high =
                            one.reach(std::slice::from_ref(e), true).and_then(|high| high.first().copied());
                        let reach =
                            one.hull(e).zip(high).map(|((low, _), high)| (low.into(), i128::from(high) - 1));
                        (reach, "is")
                    }
                    (None, Some(e)) => (self.reach(one, e), "may be"),
                    (None, None) => (None, ""),
                };
                let Some((low, high)) = reach.filter(|(low, high)| *low < 0 || *high >= size) else {
                    continue;
                };
                let at = if low < 0 { low } else { high };
                let message = format!("{} dim {} {verb} read at {at}, but is {size}", read.tensor, n + 1);
                let help = Some("`T[…] else 0` reads outside".to_string());
                return Err(w.error_with_help(&codes::E_EXTENT, read.span, &message, help));
            }
        }
        Ok(())
    }
}

/// The extent of an id with what gives it
struct Extent {
    count: Count,
    from: String,
}

/// Extents that `in` gives, and shapes where an id stands alone
fn whole_dimensions(
    w: &mut Words<'_>,
    ids: &[Id],
    reads: &[Read],
    names: &[Size],
) -> Done<Vec<Option<Extent>>> {
    let given = |id: &Id| {
        let from = |count: Count| format!("`{} in {}`", id.name, count.text(names));
        id.size.map(|count| Extent { count, from: from(count) })
    };
    let mut sizes: Vec<Option<Extent>> = ids.iter().map(given).collect();
    for read in reads {
        for (n, (sub, count)) in read.subs.iter().zip(&read.counts).enumerate() {
            let (Some(AffineExpr::Dim(dim)), true) = (&sub.e, sub.bare) else { continue };
            let dim = *dim as usize;
            let (id, from) = (&ids[dim], read.dim_is(n, names));
            match &sizes[dim] {
                None => sizes[dim] = Some(Extent { count: *count, from }),
                Some(known)
                    if known.count != *count
                        && !read.other
                        && id.size.is_none_or(|given| !given.fits(*count)) =>
                {
                    let message = format!("extents of {} differ: {}, but {from}", id.name, known.from);
                    let help = part(id, known.count, *count, names);
                    return Err(w.error_with_help(&codes::E_EXTENT, read.span, &message, help));
                }
                Some(_) => {}
            }
        }
    }
    Ok(sizes)
}

/// An extent that fits both dimensions, if there is one
fn part(id: &Id, known: Count, count: Count, names: &[Size]) -> Option<String> {
    let least = [known, count].into_iter().find(|one| one.fits(known) && one.fits(count))?.text(names);
    Some(match id.size {
        Some(_) => format!("`T[…] else 0` reads beyond the end; `{} in {least}` does not", id.name),
        None => format!("`{} in {least}` takes a part of the larger one", id.name),
    })
}

/// Extents that follow where a subscript has one open id; false if none does
fn solve(sizes: &mut [Option<Extent>], reads: &[Read], names: &[Size]) -> bool {
    let mut changed = false;
    for read in reads.iter().filter(|read| !read.other) {
        for (n, (linear, size)) in read.linear() {
            let used: Vec<usize> = (0..sizes.len()).filter(|id| linear.dim(*id) != 0).collect();
            let open: Vec<usize> = used.iter().copied().filter(|id| sizes[*id].is_none()).collect();
            let [only] = open.as_slice() else { continue };
            if used.iter().any(|id| linear.dim(*id) < 0) {
                continue;
            }
            let reach = |id: &usize| {
                let known = sizes[*id].as_ref()?;
                Some(i128::from(linear.dim(*id)) * i128::from((known.count.most - 1).max(0)))
            };
            let others: i128 = used.iter().filter_map(reach).sum();
            let last = i128::from(size) - 1 - others - i128::from(linear.constant);
            let points = points(last, linear.dim(*only));
            sizes[*only] = Some(Extent { count: Count::of(points), from: read.dim_is(n, names) });
            changed = true;
        }
    }
    changed
}

/// Shifted reads of a tensor by one id leave fewer places: all of them must be inside
fn keep_inside(sizes: &mut [Option<Extent>], ids: &[Id], reads: &[Read]) {
    for read in reads.iter().filter(|read| !read.other) {
        for (_, (linear, size)) in read.linear() {
            let used: Vec<usize> = (0..ids.len()).filter(|id| linear.dim(*id) != 0).collect();
            let [only] = used.as_slice() else { continue };
            let by = linear.dim(*only);
            if by > 0
                && ids[*only].size.is_none()
                && let Some(known) = &mut sizes[*only]
                && known.count.open.is_none()
            {
                let last = i128::from(size) - 1 - i128::from(linear.constant);
                known.count.most = known.count.most.min(points(last, by));
            }
        }
    }
}

/// Points at multiples of `by` up to and with `last`
fn points(last: i128, by: i64) -> i64 {
    let points = if last < 0 { 0 } else { last / i128::from(by) + 1 };
    i64::try_from(points).unwrap_or(i64::MAX)
}

/// An access as it is written: tensor, subscripts, what stands for elements outside
pub(super) type Access = (String, Vec<Expr>, Option<f64>, Span);

/// Accesses, and names in subscripts and elsewhere, in order
pub(super) fn collect(e: &Expr, accesses: &mut Vec<Access>, names: &mut Vec<(String, Span)>) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => {}
            ExprKind::Name(name) => {
                if !names.iter().any(|(other, _)| other == name) {
                    names.push((name.clone(), e.span));
                }
            }
            ExprKind::Access(name, subs, other) => {
                accesses.push((name.clone(), subs.clone(), *other, e.span));
                stack.extend(subs.iter().rev());
            }
            ExprKind::Neg(a) | ExprKind::Iverson(a) => stack.push(a),
            ExprKind::Op(_, a, b) => stack.extend([&**b, &**a]),
            ExprKind::Cond(a, b, c) => stack.extend([&**c, &**b, &**a]),
            ExprKind::Call(_, all) | ExprKind::Tuple(all) => stack.extend(all.iter().rev()),
        }
    }
}

/// Names of tensors that are one number become reads of them
pub(super) fn read_numbers(e: &mut Expr, is_number: &dyn Fn(&str) -> bool) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        if let ExprKind::Name(name) = &e.kind
            && is_number(name)
        {
            e.kind = ExprKind::Access(name.clone(), Vec::new(), None);
        }
        match &mut e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Name(_) => {}
            ExprKind::Neg(a) | ExprKind::Iverson(a) => stack.push(a),
            ExprKind::Op(_, a, b) => stack.extend([&mut **b, &mut **a]),
            ExprKind::Cond(a, b, c) => stack.extend([&mut **c, &mut **b, &mut **a]),
            ExprKind::Access(_, all, _) | ExprKind::Call(_, all) | ExprKind::Tuple(all) => stack.extend(all),
        }
    }
}

/// Is an element of a tensor read in it?
pub(super) fn reads_elements(e: &Expr) -> bool {
    let (mut accesses, mut names) = (Vec::new(), Vec::new());
    collect(e, &mut accesses, &mut names);
    !accesses.is_empty()
}

/// The nearest of what is declared, as help
pub(super) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}
