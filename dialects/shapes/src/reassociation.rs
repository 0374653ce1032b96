//! Dimensions in groups, as ops that expand and collapse shapes have them.

use crate::lists::{parse_positions, print_positions};
use crate::numbers::times;
use terrace_diag::Reported;
use terrace_ir::{Attr, AttrForm, Context, DYNAMIC, OpId, VerifyCx, codes};
use terrace_text::{OpParser, OpPrinter};

/// Dimensions in groups
pub fn groups(cx: &Context, attr: Attr) -> Option<Vec<Vec<i64>>> {
    let group = |item: &Attr| item.as_array(cx)?.iter().map(|n| n.as_i64(cx)).collect();
    attr.as_array(cx)?.iter().map(group).collect()
}

terrace_ir::attr_rules! {
    /// `[[0, 1], [2]]`
    Reassociation "Array of 64-bit integer array attributes", AttrForm::Full, |cx, attr| groups(cx, attr).is_some();
}

/// `%x [[0, 1]] output_shape [%n, 4] : T into U`, of memrefs and of tensors
pub fn parse_expand(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let source = p.operand()?;
    let reassociation = p.attr()?;
    p.keyword("output_shape")?;
    let (dynamic, sizes) = parse_positions(p)?;
    p.attr_dict()?;
    let from = p.colon_type()?;
    p.keyword("into")?;
    let to = p.ty()?;
    p.set_attr("reassociation", reassociation);
    p.set_attr("static_output_shape", sizes);
    p.resolve(&source, from)?;
    let index = p.cx().common().index;
    dynamic.iter().try_for_each(|each| p.resolve(each, index))?;
    p.add_result(to);
    Ok(())
}

/// The same, printed
pub fn print_expand(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    let source = ir.operand(op, 0);
    p.text(" ");
    p.operand(source);
    p.text(" ");
    if let Some(reassociation) = ir.attr(op, "reassociation") {
        p.attr(reassociation);
    }
    p.text(" output_shape ");
    let sizes = ir.attr(op, "static_output_shape").and_then(|attr| attr.as_dense_array(p.cx()));
    print_positions(p, &ir.operand_field(op, 1), sizes.unwrap_or(&[]));
    p.attr_dict(&["reassociation", "static_output_shape"]);
    p.text(" : ");
    p.ty(ir.ty(source));
    p.text(" into ");
    p.ty(ir.ty(ir.result(op, 0)));
}

/// Groups must be of neighbors, one for each dimension of the smaller type, and hold all of the larger one
pub fn check_groups(
    v: &VerifyCx<'_>,
    op: OpId,
    groups: &[Vec<i64>],
    small: &[i64],
    large: &[i64],
) -> Result<(), Reported> {
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    if small.is_empty() {
        if !groups.is_empty() || large.iter().any(|size| *size != 1) {
            return fail("a type without dimensions stands for sizes of one only".into());
        }
        return Ok(());
    }
    if groups.len() != small.len() {
        let message = format!(
            "invalid number of reassociation groups: found {}, expected {}",
            groups.len(),
            small.len()
        );
        return fail(message);
    }
    let mut next = 0usize;
    for (n, group) in groups.iter().enumerate() {
        let mut size = 1;
        for &dim in group {
            if usize::try_from(dim) != Ok(next) {
                return fail("reassociation indices must be contiguous".into());
            }
            let Some(&each) = large.get(next) else {
                return fail(format!("index {next} is out of bounds"));
            };
            size = if each == DYNAMIC || size == DYNAMIC { DYNAMIC } else { times(size, each) };
            next += 1;
        }
        if group.is_empty() {
            return fail("reassociation indices must not be empty".into());
        }
        if (size == DYNAMIC) != (small[n] == DYNAMIC) {
            let message =
                format!("collapsed dim ({n}) must be dynamic if and only if reassociation group is dynamic");
            return fail(message);
        }
        if size != small[n] {
            let message =
                format!("collapsed dim size ({}) must equal reassociation group size ({size})", small[n]);
            return fail(message);
        }
    }
    if next != large.len() {
        return fail("expected reassociation indices of all dimensions of the expanded type".into());
    }
    Ok(())
}

/// The attribute of groups: which dimensions of the expanded type are one of the collapsed type
pub fn of_groups(cx: &Context, groups: &[Vec<i64>]) -> Attr {
    let number = |n: &i64| cx.int_attr((*n).into(), cx.common().i64);
    let group = |group: &Vec<i64>| cx.array_attr(&group.iter().map(number).collect::<Vec<Attr>>());
    cx.array_attr(&groups.iter().map(group).collect::<Vec<Attr>>())
}
