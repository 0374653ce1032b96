//! The pass `mdh-form`: another form of a convolution, by name.
//!
//! - [`structure`]: what a convolution is, whatever its dimensions are called;
//! - [`gemm`]: as a product of matrices, without a copy and with one;
//! - [`blocked`]: channels and filters in blocks;
//! - [`winograd`]: fewer products, by transformations whose [`matrices`] are constants;
//! - [`build`]: what these are put together from.

mod blocked;
mod build;
mod gemm;
pub mod matrices;
pub mod structure;
mod winograd;

use crate::approximate::{self, WINOGRAD};
use crate::codes;
use matrices::Matrices;
use structure::{Convolution, Why};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpId};
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};

terrace_support::words! {
    /// A form of a convolution
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Form {
        /// Taps and channels are one reduced dimension; nothing is copied
        #[default]
        ImplicitGemm = "implicit-gemm",
        /// Windows are copied, and the copy is an operand of a product of matrices
        Im2col = "im2col",
        /// Channels and filters in blocks of eight, whose elements are contiguous
        Nchwc8 = "nchwc-8",
        /// In blocks of sixteen
        Nchwc16 = "nchwc-16",
        /// F(2, 3) along each window; results are rounded in another way
        Winograd2 = "winograd-2",
        /// F(4, 3) along each window; results are rounded in another way
        Winograd4 = "winograd-4",
    }
}

impl OptionValue for Form {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = Form::ImplicitGemm.word();
    const WANTS: &'static str = "implicit-gemm, im2col, nchwc-8, nchwc-16, winograd-2 or winograd-4";
    fn parse(text: &str) -> Option<Form> {
        text.parse().ok()
    }
}

impl Form {
    /// The matrices of a form that rounds in another way
    fn matrices(self) -> Option<&'static Matrices> {
        match self {
            Form::Winograd2 => Some(&matrices::TWO),
            Form::Winograd4 => Some(&matrices::FOUR),
            _ => None,
        }
    }

    /// Put a computation of this form in place of one; the error says why there is none, and nothing has changed then. Returns the computation with
    /// most of the work
    fn apply(self, ir: &mut Ir, op: Compute, conv: &Convolution) -> Result<Compute, Why> {
        match self {
            Form::ImplicitGemm => gemm::implicit(ir, op, conv),
            Form::Im2col => gemm::copied(ir, op, conv),
            Form::Nchwc8 => blocked::blocked(ir, op, conv, 8),
            Form::Nchwc16 => blocked::blocked(ir, op, conv, 16),
            Form::Winograd2 => winograd::tiled(ir, op, conv, &matrices::TWO),
            Form::Winograd4 => winograd::tiled(ir, op, conv, &matrices::FOUR),
        }
    }
}

/// Give convolutions another form
///
/// A convolution is a sum of products in which one operand is read at `stride · y + dilation · r + shift`, along one dimension or more. Names and the
/// order of dimensions decide nothing; groups and batches stay. `implicit-gemm`: taps and channels are one reduced dimension, at whose
/// quotients and remainders the image is read. `im2col`: windows are copied, and the copy is multiplied. `nchwc-8`, `nchwc-16`: image,
/// weights and results have channels in blocks, by copies around the computation. `winograd-2`, `winograd-4`: F(2, 3) and F(4, 3) along each
/// window of three taps without stride. These round in another way, so `mdh.approximate` of the function or of the computation must name
/// `winograd`; a remark states the bound of errors. With a name, the computation of that name is meant, else all convolutions; where a form does not
/// apply, an error says why (E0678).
#[pass("mdh-form", anchor = "func.func", stats("convolutions in another form"))]
pub struct MdhForm {
    /// implicit-gemm, im2col, nchwc-8, nchwc-16, winograd-2 or winograd-4
    #[option]
    form: Form,
    /// name of the computation; empty: all convolutions
    #[option]
    compute: String,
    /// rules that every function permits, as if its `mdh.approximate` named them
    #[option]
    approximate: Vec<String>,
}

impl Pass for MdhForm {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        for name in &self.approximate {
            approximate::known(name).map_err(|error| cx.emit(error))?;
        }
        let all: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let named = |ir: &Ir, op: &Compute| {
            // One without a name is called so by the tools.
            let name = op.name(ir).and_then(|name| name.as_str(ir.cx())).unwrap_or("compute");
            name == self.compute
        };
        let mut meant: Vec<Compute> = match self.compute.is_empty() {
            true => all.iter().copied().filter(|op| Convolution::read(unit, *op).is_ok()).collect(),
            false => all.iter().copied().filter(|op| named(unit, op)).collect(),
        };
        if meant.is_empty() && self.compute.is_empty() {
            meant.extend(largest(unit, &all));
        }
        for op in &meant {
            self.rewrite(cx, unit, *op)?;
        }
        cx.count("convolutions in another form", meant.len() as u64);
        cx.set_changed(!meant.is_empty());
        Ok(())
    }
}

/// The reduction with most points, which is reported not to be a convolution where there is none
fn largest(ir: &Ir, all: &[Compute]) -> Option<Compute> {
    let points = |op: &&Compute| {
        let view = View::read(ir, **op).ok()?;
        let reduces = view.dims.iter().any(|dim| !dim.kind.kept());
        reduces.then(|| view.sizes().iter().fold(1i64, |all, size| all.saturating_mul(*size)))
    };
    all.iter().filter(|op| points(op).is_some()).max_by_key(points).copied()
}

impl MdhForm {
    fn rewrite(&self, cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute) -> Result<(), Reported> {
        let span = ir.span(op.id());
        if ir.discardable(op.id(), SCHEDULE).is_some() {
            return self.refuse(cx, ir, op.id(), "it has a schedule, which is one of the form as written");
        }
        let conv = match Convolution::read(ir, op) {
            Ok(conv) => conv,
            Err(why) => return self.refuse(cx, ir, op.id(), why),
        };
        if self.form.matrices().is_some() && !self.permits(ir, op).map_err(|error| cx.emit(error))? {
            let why = "results would be rounded in another way, which `mdh.approximate = [\"winograd\"]` of the function or of the \
                       computation permits";
            return self.refuse(cx, ir, op.id(), why);
        }
        if let Err(why) = self.form.apply(ir, op, &conv) {
            return self.refuse(cx, ir, op.id(), why);
        }
        let _ = cx.emit(Diagnostic::remark(None, self.said(&conv)).at(span));
        Ok(())
    }

    fn permits(&self, ir: &Ir, op: Compute) -> Result<bool, Diagnostic> {
        let all = [ir.root(), op.id()].map(|op| approximate::permits(ir, op));
        let mut stated = false;
        for names in all {
            stated |= names?.iter().any(|name| ir.cx().str(*name) == WINOGRAD);
        }
        Ok(stated || self.approximate.iter().any(|name| name == WINOGRAD))
    }

    fn refuse(&self, cx: &mut PassCx<'_>, ir: &Ir, op: OpId, why: &str) -> Result<(), Reported> {
        cx.fail(ir, op, &codes::FORM, format!("the computation has no form `{}`: {why}", self.form))
    }

    fn said(&self, conv: &Convolution) -> String {
        let form = self.form;
        let Some(matrices) = form.matrices() else { return format!("the convolution has the form `{form}`") };
        let channels = conv.channels.iter().fold(1i64, |all, dim| all.saturating_mul(conv.size(*dim)));
        let bound = matrices.bound(conv.windows.len(), channels);
        format!(
            "the convolution has the form `{form}`: errors are at most {bound:.0} ε times {channels} channels, the largest element and \
             the largest weight"
        )
    }
}
