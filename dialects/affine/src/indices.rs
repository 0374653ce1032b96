//! One index from several and back: `linearize_index delinearize_index`.

use terrace_diag::Reported;
use terrace_dialect_shapes::lists;
use terrace_ir::rules::{DenseI64Array, Index};
use terrace_ir::{Attr, AttrForm, Context, DYNAMIC, Ir, OpId, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter};

terrace_ir::attr_rules! {
    /// Present or not; `false` is absent too
    Flag "unit property", AttrForm::Unit,
        |cx, attr| attr == cx.common().unit || attr.as_int(cx).is_some_and(|(_, ty)| ty == cx.common().i1);
}

fn absent(cx: &Context) -> Attr {
    cx.bool_attr(false)
}

/// The parts of an index, which counts a box of a given basis row by row
///
/// The first size may be left out: nothing bounds the first part then.
///
/// ```mlir
/// func.func @f(%i: index, %n: index) -> (index, index, index) {
///   %a, %b, %c = affine.delinearize_index %i into (16, %n, 224) : index, index, index
///   return %a, %b, %c : index, index, index
/// }
/// ```
#[op(
    "affine.delinearize_index",
    traits(Pure, terrace_dataflow::PlacedIndices),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct DelinearizeIndex {
    linear_index: Index,
    dynamic_basis: Variadic<Index>,
    #[attr]
    static_basis: DenseI64Array,
    #[result]
    multi_index: Variadic<Index>,
}

/// The index of a point in a box of a given basis, counted row by row
///
/// `disjoint` promises that each index is below its size.
///
/// ```mlir
/// func.func @f(%i: index, %j: index, %n: index) -> index {
///   %r = affine.linearize_index disjoint [%i, %j] by (%n, 3) : index
///   return %r : index
/// }
/// ```
#[op(
    "affine.linearize_index",
    traits(Pure, terrace_dataflow::PlacedIndices),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct LinearizeIndex {
    multi_index: Variadic<Index>,
    dynamic_basis: Variadic<Index>,
    #[attr]
    static_basis: DenseI64Array,
    #[attr(default = absent)]
    disjoint: Flag,
    #[result]
    linear_index: Index,
}

impl DelinearizeIndex {
    /// Sizes; [`DYNAMIC`] where the next operand is the size
    pub fn sizes(self, ir: &Ir) -> &[i64] {
        self.static_basis(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

impl LinearizeIndex {
    /// Sizes; [`DYNAMIC`] where the next operand is the size
    pub fn sizes(self, ir: &Ir) -> &[i64] {
        self.static_basis(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }

    /// Is each index promised to be below its size?
    pub fn is_disjoint(self, ir: &Ir) -> bool {
        self.disjoint(ir) != absent(ir.cx())
    }
}

impl CustomAsm for DelinearizeIndex {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let index = p.cx().common().index;
        let linear = p.operand()?;
        p.keyword("into")?;
        let (dynamic, sizes) = lists::parse_mixed(p, Delim::Paren)?;
        p.attr_dict()?;
        let types = p.colon_types()?;
        p.resolve(&linear, index)?;
        dynamic.iter().try_for_each(|each| p.resolve(each, index))?;
        p.set_attr("static_basis", sizes);
        p.add_results(&types);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.linear_index(ir));
        p.text(" into (");
        lists::print_mixed(p, &self.dynamic_basis(ir), self.sizes(ir));
        p.text(")");
        p.attr_dict(&["static_basis"]);
        p.text(" : ");
        p.types(ir.results(self.0).map(|value| ir.ty(value)));
    }
}

impl CustomAsm for LinearizeIndex {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let cx = p.cx();
        let index = cx.common().index;
        if p.keyword_opt("disjoint") {
            p.set_attr("disjoint", cx.common().unit);
        }
        let parts = p.operands(Delim::Square)?;
        p.keyword("by")?;
        let (dynamic, sizes) = lists::parse_mixed(p, Delim::Paren)?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        parts.iter().try_for_each(|each| p.resolve(each, index))?;
        p.segment();
        dynamic.iter().try_for_each(|each| p.resolve(each, index))?;
        p.segment();
        p.set_attr("static_basis", sizes);
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(if self.is_disjoint(ir) { " disjoint [" } else { " [" });
        p.operands(self.multi_index(ir));
        p.text("] by (");
        lists::print_mixed(p, &self.dynamic_basis(ir), self.sizes(ir));
        p.text(")");
        p.attr_dict(&["static_basis", "disjoint"]);
        p.text(" : ");
        p.ty(ir.ty(self.linear_index(ir)));
    }
}

fn check(v: &VerifyCx<'_>, op: OpId, sizes: &[i64], dynamic: usize) -> Result<(), Reported> {
    let count = sizes.iter().filter(|size| **size == DYNAMIC).count();
    if count != dynamic {
        let message = "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this \
             can only happen due to an incorrect fold/rewrite";
        return v.fail(op, &codes::OP_RULE, message);
    }
    if sizes.iter().any(|size| *size != DYNAMIC && *size <= 0) {
        return v.fail(op, &codes::OP_RULE, "no basis element may be statically non-positive");
    }
    Ok(())
}

impl Verify for DelinearizeIndex {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let (sizes, results) = (self.sizes(ir), ir.num_results(self.0));
        if sizes.len() != results && sizes.len() + 1 != results {
            let message = format!(
                "should return an index for each basis element and up to one extra index, but it has {results} results and \
                 {} basis elements",
                sizes.len()
            );
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        check(v, self.0, sizes, self.dynamic_basis(ir).len())
    }
}

impl Verify for LinearizeIndex {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let (sizes, parts) = (self.sizes(ir), self.multi_index(ir).len());
        if sizes.len() != parts && sizes.len() + 1 != parts {
            let message = "should be passed a basis element for each index except possibly the first";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        check(v, self.0, sizes, self.dynamic_basis(ir).len())
    }
}

/// The sizes with their operands
pub fn mixed(sizes: &[i64], dynamic: &[Value]) -> Vec<Result<i64, Value>> {
    let mut dynamic = dynamic.iter();
    sizes
        .iter()
        .map(|size| match if *size == DYNAMIC { dynamic.next() } else { None } {
            Some(value) => Err(*value),
            None => Ok(*size),
        })
        .collect()
}

/// Parts of an index; `None` if a size is not positive
///
/// `sizes` are all but that of the first part.
pub fn delinearize(index: i64, sizes: &[i64]) -> Option<Vec<i64>> {
    let mut parts = vec![0; sizes.len() + 1];
    let mut rest = index;
    for (n, &size) in sizes.iter().enumerate().rev() {
        if size <= 0 {
            return None;
        }
        parts[n + 1] = rest.rem_euclid(size);
        rest = rest.div_euclid(size);
    }
    parts[0] = rest;
    Some(parts)
}

/// The index of parts; `None` beyond 64 bits
///
/// `sizes` are all but that of the first part.
pub fn linearize(parts: &[i64], sizes: &[i64]) -> Option<i64> {
    let mut sum = *parts.first()?;
    for (part, size) in parts.iter().skip(1).zip(sizes) {
        sum = sum.checked_mul(*size)?.checked_add(*part)?;
    }
    Some(sum)
}

/// The last of the sizes: those that count
pub fn inner<T: Clone>(sizes: &[T], parts: usize) -> Vec<T> {
    sizes[(sizes.len() + 1).saturating_sub(parts).min(sizes.len())..].to_vec()
}

mod fold {
    use super::{DelinearizeIndex, LinearizeIndex, delinearize, inner, linearize, mixed};
    use terrace_ir::fold::{FoldResult, constant_of};
    use terrace_ir::{Fold, FoldCx, Folded, Value};

    fn number(cx: &FoldCx<'_>, value: Value) -> Option<i64> {
        constant_of(cx.ir, value)?.as_i64(cx.cx())
    }

    fn sizes(cx: &FoldCx<'_>, sizes: &[i64], dynamic: &[Value], parts: usize) -> Option<Vec<i64>> {
        let all = inner(&mixed(sizes, dynamic), parts);
        all.into_iter().map(|size| size.or_else(|value| number(cx, value).ok_or(())).ok()).collect()
    }

    impl Fold for DelinearizeIndex {
        fn fold(self, cx: &FoldCx<'_>) -> Folded {
            let ir = cx.ir;
            let count = ir.num_results(self.0);
            if count == 1 {
                return match self.sizes(ir).is_empty() {
                    true => Folded::value(self.linear_index(ir)),
                    false => Folded::No,
                };
            }
            let parts = || {
                let sizes = sizes(cx, self.sizes(ir), &self.dynamic_basis(ir), count)?;
                delinearize(number(cx, self.linear_index(ir))?, &sizes)
            };
            match parts() {
                Some(parts) => {
                    let attr = |part: i64| FoldResult::Attr(cx.cx().index_attr(part));
                    Folded::Many(parts.into_iter().map(attr).collect())
                }
                None => Folded::No,
            }
        }
    }

    impl Fold for LinearizeIndex {
        fn fold(self, cx: &FoldCx<'_>) -> Folded {
            let ir = cx.ir;
            let parts = self.multi_index(ir);
            if let [only] = parts[..] {
                return Folded::value(only);
            }
            if parts.is_empty() {
                return Folded::attr(cx.cx().index_attr(0));
            }
            let value = || {
                let sizes = sizes(cx, self.sizes(ir), &self.dynamic_basis(ir), parts.len())?;
                let parts: Option<Vec<i64>> = parts.iter().map(|part| number(cx, *part)).collect();
                linearize(&parts?, &sizes)
            };
            Folded::maybe(value().map(|value| cx.cx().index_attr(value)))
        }
    }
}
