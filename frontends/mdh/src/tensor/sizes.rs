//! Sizes: numbers, constants, and numbers that are known at run time below a bound, `n : size <= 4096;`.
//!
//! A dimension that is declared with such a size has room for the bound. An index that runs over it ends where the size says, and so
//! do the results that keep the index.

use super::extents::{Read, collect};
use super::{Done, Id, Reader, Statement, Target};
use crate::codes;
use crate::index::affine;
use crate::model::{Count, Function, MOST, Size};
use crate::syntax::{Expr, ExprKind, Words};
use terrace_diag::Span;
use terrace_support::affine::AffineExpr;

impl Reader {
    /// Sizes of the function in progress
    pub(super) fn sizes(&self) -> &[Size] {
        self.functions.last().map_or(&[], |function: &Function| &function.sizes)
    }

    /// Which size of the function in progress has this name?
    pub(super) fn size_named(&self, name: &str) -> Option<usize> {
        self.sizes().iter().position(|size| size.name == *name)
    }

    /// A number of coordinates
    pub(super) fn size(&self, w: &mut Words<'_>, e: &Expr) -> Done<Count> {
        if let ExprKind::Name(name) = &e.kind
            && let Some(n) = self.size_named(name)
        {
            return Ok(Count { most: self.sizes()[n].most, open: Some(n) });
        }
        let mut open = None;
        let value = affine(e, &|name| {
            if self.size_named(name).is_some() {
                return Some(AffineExpr::Symbol(0));
            }
            self.constant(name)
        });
        if let Some(e) = &value
            && e.arity().1 > 0
        {
            open = self.sizes().first();
        }
        match value.and_then(|e| e.as_constant()).filter(|size| *size >= 0) {
            Some(size) => Ok(Count::of(size)),
            None => {
                let help = match (&e.kind, open) {
                    (_, Some(size)) => {
                        Some(format!("a size that is known at run time stands alone: `{}`", size.name))
                    }
                    (ExprKind::Name(name), None) => Some(format!(
                        "`let {name} = 16;`, or `--set {name}=16`; or `{name} : size <= 4096;` for a number that is known at run time"
                    )),
                    _ => None,
                };
                Err(w.error_with_help(&codes::E_NAME, e.span, "this size is not known", help))
            }
        }
    }

    /// `: size <= bound`, of which the name and `: size` have been read
    pub(super) fn open_size(&mut self, w: &mut Words<'_>, name: String, span: Span) -> Done<()> {
        if !w.eat("<=") {
            let help =
                Some(format!("`{name} : size <= 4096;`, or `let {name} = 16;` for a number that is known"));
            let message =
                format!("{name} has no bound: schedules and arrays have room for the greatest number");
            return Err(w.error_with_help(&codes::E_EXTENT, span, &message, help));
        }
        let e = w.expr()?;
        let bound = self.size(w, &e)?;
        if bound.open.is_some() || !(1..=MOST).contains(&bound.most) {
            let message = format!("{} is no bound of {name}", bound.text(self.sizes()));
            let help = Some("a bound is a number from 1 to 2^40".to_string());
            return Err(w.error_with_help(&codes::E_EXTENT, e.span, &message, help));
        }
        if self.fixed.contains(&name) {
            let given = self.constants.get(&name).copied().unwrap_or(0);
            if !(0..=bound.most).contains(&given) {
                let message = format!("{name} is {given}, from outside; it is from 0 to {}", bound.most);
                return Err(w.error(&codes::E_EXTENT, span, message));
            }
            return Ok(());
        }
        if self.constants.contains_key(&name) {
            return Err(w.error(&codes::E_NAME, span, format!("{name} is declared twice")));
        }
        self.is_new(w, &name, span)?;
        self.function().sizes.push(Size { name, most: bound.most });
        Ok(())
    }

    /// Neither a tensor nor a size of the function in progress has this name
    pub(super) fn is_new(&mut self, w: &mut Words<'_>, name: &str, span: Span) -> Done<()> {
        match self.function().elem(name).is_some() || self.size_named(name).is_some() {
            true => Err(w.error(&codes::E_NAME, span, format!("{name} is declared twice"))),
            false => Ok(()),
        }
    }

    /// An index is no size
    pub(super) fn no_sizes(&self, w: &mut Words<'_>, ids: &[Id]) -> Done<()> {
        match ids.iter().find(|id| self.size_named(&id.name).is_some()) {
            Some(id) => {
                let message = format!("{} is a size: an index has another name", id.name);
                Err(w.error(&codes::E_NAME, id.span, message))
            }
            None => Ok(()),
        }
    }

    /// Numbers of coordinates of the dimensions of a tensor
    pub(super) fn counts_of(&self, tensor: &str, shape: &[i64]) -> Vec<Count> {
        let known = self.counts.get(tensor).filter(|counts| counts.len() == shape.len());
        known.cloned().unwrap_or_else(|| shape.iter().copied().map(Count::of).collect())
    }

    /// The size that a subscript has, as help: index functions are sums of indices
    pub(super) fn open_in(&self, sub: &Expr) -> Option<String> {
        let (mut accesses, mut names) = (Vec::new(), Vec::new());
        collect(sub, &mut accesses, &mut names);
        let (name, _) = names.into_iter().find(|(name, _)| self.size_named(name).is_some())?;
        Some(format!("{name} is known at run time: it may be in values, behind `in` and in `where`"))
    }

    /// Results end where their indices do; where there were elements before that are kept, they stay
    pub(super) fn results_end(
        &mut self,
        w: &mut Words<'_>,
        outs: &[Target],
        ids: &[Id],
        counts: &[Count],
        before: &[bool],
        replaced: bool,
    ) -> Done<()> {
        for (out, before) in outs.iter().zip(before) {
            let of = |id: &Id| {
                ids.iter().position(|other| other.name == id.name).map_or(Count::of(0), |n| counts[n])
            };
            let new: Vec<Count> = out.ids.iter().map(of).collect();
            let old = self.counts.get(&out.name).filter(|_| *before).cloned().unwrap_or_default();
            for (n, (new, old)) in new.iter().zip(&old).enumerate() {
                if !new.fits(*old) && old.open.is_some() {
                    let (name, old) = (&out.name, old.text(self.sizes()));
                    let message = format!(
                        "{name} dim {} ends at {old}, but {} is up to {}",
                        n + 1,
                        out.ids[n].name,
                        new.text(self.sizes())
                    );
                    let help = Some(format!("`{} in {old}`", out.ids[n].name));
                    return Err(w.error_with_help(&codes::E_EXTENT, out.span, &message, help));
                }
            }
            if replaced || !before {
                self.counts.insert(out.name.clone(), new);
            }
        }
        Ok(())
    }

    /// Prefixes are of dimensions whose sizes are numbers
    pub(super) fn no_open_prefixes(
        &self,
        w: &mut Words<'_>,
        one: &Statement,
        ids: &[Id],
        counts: &[Count],
    ) -> Done<()> {
        for id in &one.reduction.prefixes {
            let count = ids.iter().zip(counts).find(|(other, _)| other.name == id.name);
            if let Some((_, count)) = count.filter(|(_, count)| count.open.is_some()) {
                let (name, size) = (&id.name, count.text(self.sizes()));
                let message =
                    format!("{name} ends at {size}, which is known at run time, and has no prefixes");
                let help =
                    Some(format!("prefixes along `{name} in {}`, of an array with this size", count.most));
                return Err(w.error_with_help(&codes::E_EXTENT, id.span, &message, help));
            }
        }
        Ok(())
    }

    /// What ends at run time is read by an index alone: nothing else is cut there
    pub(super) fn ends_alone(&self, w: &mut Words<'_>, reads: &[Read]) -> Done<()> {
        for read in reads {
            for (n, (sub, count)) in read.subs.iter().zip(&read.counts).enumerate() {
                let alone = sub.bare && matches!(sub.e, Some(AffineExpr::Dim(_)));
                if count.open.is_none() || sub.e.is_none() && !read.other || alone && !read.other {
                    continue;
                }
                let (tensor, size) = (&read.tensor, count.text(self.sizes()));
                let message = format!("{tensor} dim {} ends at {size}, which is known at run time", n + 1);
                let help = format!(
                    "an index alone reads it, without `else`; for other subscripts declare {} there, and write `i in {size}`",
                    count.most
                );
                return Err(w.error_with_help(&codes::E_EXTENT, read.span, &message, Some(help)));
            }
        }
        Ok(())
    }
}
