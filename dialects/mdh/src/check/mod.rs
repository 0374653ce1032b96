//! The rules of computations: codes M-… of the design, each with both sides of what does not fit and a fix.

mod body;
mod bounds;
mod combine;
mod extents;
mod left_out;
mod out;
mod shape;

pub use bounds::range;

use crate::codes;
use crate::compute::Compute;
use crate::view::View;
use terrace_diag::Reported;
use terrace_ir::{Value, Verify, VerifyCx};
use terrace_support::affine::AffineExpr;

/// Most points of a space, and greatest value of an index function: products with sizes of elements, tiles and
/// registers still fit 64 bits, so that passes need not check each of theirs
const MOST: i64 = 1 << 48;

/// Can passes calculate with all values of an expression over a box of extents? Then index functions and conditions may have it
pub fn is_bounded(expr: &AffineExpr, sizes: &[i64]) -> bool {
    range(expr, sizes).is_some_and(|(low, high)| -MOST <= low && high <= MOST)
}

impl Verify for Compute {
    /// All rules, the simple ones first: later ones rely on them
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let view = match View::read(v.ir, self) {
            Ok(view) => view,
            Err(why) => return v.fail(self.0, &codes::FORM, why),
        };
        let check = Check { op: self, v, view: &view };
        check.form()?;
        extents::check(&check)?;
        check.limits()?;
        check.conditions()?;
        combine::check(&check)?;
        body::check(&check)?;
        shape::check(&check)?;
        out::check(&check)
    }
}

/// A computation under check
struct Check<'a> {
    op: Compute,
    v: &'a VerifyCx<'a>,
    view: &'a View,
}

impl Check<'_> {
    fn fail<T>(&self, code: terrace_diag::Code, message: String) -> Result<T, Reported> {
        self.v.fail(self.op.0, code, message)
    }

    /// `%A` as its author wrote it, or what it is
    fn name(&self, value: Value, otherwise: &str) -> String {
        self.v.ir.value_name(value).map_or_else(|| otherwise.to_string(), String::from)
    }

    /// Names of dimensions: bare words, each once
    fn form(&self) -> Result<(), Reported> {
        let names = self.view.names();
        for (n, name) in names.iter().enumerate() {
            let bare = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'));
            if !bare || names[..n].contains(name) {
                return self
                    .fail(&codes::FORM, format!("`{name}` is no name for a dimension, or is there twice"));
            }
        }
        if names.len() > 64 {
            return self.fail(&codes::FORM, "more than 64 dimensions".into());
        }
        if self.view.outputs.is_empty() {
            return self.fail(&codes::FORM, "there is no output".into());
        }
        let ir = self.v.ir;
        for input in &self.view.inputs {
            let tensor = ir.ty(input.value).shape(ir.cx()).is_some();
            let name = self.name(input.value, "an input");
            if input.map.is_some() && !tensor {
                return self.fail(&codes::FORM, format!("{name} is a scalar and takes no index functions"));
            }
            if input.map.is_none() && (input.other.is_some() || input.guard.is_some()) {
                return self
                    .fail(&codes::FORM, format!("{name} has no index functions, so no `else` and no `if`"));
            }
            if input.guard.is_some() && input.other.is_none() {
                return self.fail(&codes::FORM, format!("{name} has an `if`, so it needs an `else`"));
            }
        }
        Ok(())
    }

    /// What passes and edges calculate with stays within numbers that they can hold: points, and index functions
    fn limits(&self) -> Result<(), Reported> {
        let sizes = self.view.sizes();
        if let Some(dim) = self.view.dims.iter().find(|dim| dim.size < 0) {
            return self.fail(&codes::FORM, format!("`{}` has {} points", dim.name, dim.size));
        }
        if sizes.contains(&0) {
            return Ok(());
        }
        let points = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        if points.is_none_or(|points| points > MOST) {
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            let message = format!("{} points are too many: 2^48 at most", sizes.join(" × "));
            return self.fail(&codes::LIMIT, message);
        }
        let (ir, op) = (self.v.ir, self.op.0);
        let starts = self.view.outputs.iter().filter_map(|out| out.init.as_ref().map(|(value, _)| *value));
        for value in ir.operands(op).chain(ir.results(op)).chain(starts) {
            let shape = ir.ty(value).shape(ir.cx()).unwrap_or(&[]);
            let elements = shape.iter().try_fold(1i64, |all, size| all.checked_mul((*size).max(1)));
            if elements.is_none_or(|elements| elements > MOST) {
                let message = format!("{} has too many elements: 2^48 at most", self.v.show(ir.ty(value)));
                return self.fail(&codes::LIMIT, message);
            }
        }
        let inputs = self.view.inputs.iter().flat_map(|input| {
            input.map.iter().flat_map(|map| map.results.iter()).chain(input.guard.iter()).cloned()
        });
        let outputs = self.view.outputs.iter().flat_map(|out| {
            let starts = out.init.iter().filter_map(|(_, map)| map.as_ref());
            out.maps.iter().chain(starts).flat_map(|map| map.results.iter()).cloned()
        });
        let conditions = self.view.conditions.iter().flat_map(crate::view::Condition::at_least_zero);
        let ends = |bound: AffineExpr| {
            let ends = [self.view.at_most(&bound), self.view.at_least(&bound)];
            ends.map(|end| end.unwrap_or_else(|| bound.clone()))
        };
        let conditions = conditions.flat_map(ends);
        for expr in inputs.chain(outputs).chain(conditions) {
            if !is_bounded(&expr, &sizes) {
                let text = crate::syntax::expr_text(&expr, &self.view.names());
                let message = format!(
                    "`{text}` has no bounds that can be calculated with: divisors are positive constants, and values lie \
                     between -2^48 and 2^48"
                );
                return self.fail(&codes::LIMIT, message);
            }
        }
        Ok(())
    }

    /// Is a condition that the places of all outputs end where the results do? What is left out of prefixes then is behind them
    fn only_ends(&self, bound: &AffineExpr, dim: usize) -> bool {
        let (ir, cx) = (self.v.ir, self.v.ir.cx());
        let behind = bound.as_linear().is_some_and(|linear| linear.dim(dim) < 0);
        behind
            && self.view.outputs.iter().enumerate().all(|(n, out)| {
                let shape = ir.ty(ir.result(self.op.0, n)).shape(cx).unwrap_or(&[]);
                let ends = |(expr, size): (&AffineExpr, &i64)| {
                    AffineExpr::sub((size - 1).into(), expr.clone()).as_linear() == bound.as_linear()
                };
                out.maps.iter().all(|map| map.results.iter().zip(shape).any(ends))
            })
    }

    /// M-WHERE
    fn conditions(&self) -> Result<(), Reported> {
        for condition in &self.view.conditions {
            for (n, dim) in self.view.dims.iter().enumerate() {
                let prefixes = matches!(dim.kind, crate::view::CombineKind::Ps(_));
                let bounds = condition.at_least_zero();
                let mut uses = bounds.iter().filter(|bound| bound.uses_dim(n as u32));
                if prefixes && !uses.all(|bound| self.only_ends(bound, n)) {
                    let message = format!(
                        "M-WHERE: `where` mentions `{}`, a `ps` dimension, and does more than keep places inside of the results; \
                         take the prefixes in a computation of their own",
                        dim.name
                    );
                    return self.fail(&codes::WHERE, message);
                }
            }
        }
        Ok(())
    }
}
