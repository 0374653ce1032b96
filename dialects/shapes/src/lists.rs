//! Lists in square brackets that formats of this dialect share: positions and numbers.

use terrace_diag::Reported;
use terrace_ir::{Attr, DYNAMIC, Value};
use terrace_text::{Delim, OpParser, OpPrinter, Unresolved};

/// `[1, %i]`: the operands and the numbers, [`DYNAMIC`] where an operand stands
pub fn parse_positions(p: &mut OpParser<'_, '_>) -> Result<(Vec<Unresolved>, Attr), Reported> {
    parse_mixed(p, Delim::Square)
}

/// The same between other delimiters
pub fn parse_mixed(p: &mut OpParser<'_, '_>, delim: Delim) -> Result<(Vec<Unresolved>, Attr), Reported> {
    let (mut dynamic, mut fixed) = (Vec::new(), Vec::new());
    p.list(delim, |p| {
        match p.operand_opt()? {
            Some(operand) => {
                dynamic.push(operand);
                fixed.push(DYNAMIC);
            }
            None => fixed.push(p.int64()?),
        }
        Ok(())
    })?;
    Ok((dynamic, p.cx().i64_array(&fixed)))
}

/// The same as text
pub fn print_positions(p: &mut OpPrinter<'_>, dynamic: &[Value], fixed: &[i64]) {
    p.text("[");
    print_mixed(p, dynamic, fixed);
    p.text("]");
}

/// The same without brackets
pub fn print_mixed(p: &mut OpPrinter<'_>, dynamic: &[Value], fixed: &[i64]) {
    let mut dynamic = dynamic.iter();
    for (n, &position) in fixed.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        match if position == DYNAMIC { dynamic.next() } else { None } {
            Some(&value) => p.operand(value),
            None => p.int(position.into()),
        }
    }
}

/// `[1, 2]` as `array<i64: 1, 2>`
pub fn parse_numbers(p: &mut OpParser<'_, '_>) -> Result<Attr, Reported> {
    let mut numbers = Vec::new();
    p.list(Delim::Square, |p| {
        numbers.push(p.int64()?);
        Ok(())
    })?;
    Ok(p.cx().i64_array(&numbers))
}
