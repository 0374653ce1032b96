//! Text of layout ops: sizes first, then operands, without types.

use super::{Layout, shape};
use crate::misfit::Misfit;
use crate::syntax::{print_values, refuse, value};
use terrace_diag::Reported;
use terrace_ir::{OpDef, Type, Value};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// An operand and its type
pub type Operand = (Unresolved, Type);

/// Operands in order, and the type of the result where the text states it
pub struct Parsed {
    /// Operands in order
    pub operands: Vec<Operand>,
    /// The type of the result, if it is written
    pub result: Option<Type>,
}

impl From<Vec<Operand>> for Parsed {
    fn from(operands: Vec<Operand>) -> Parsed {
        Parsed { operands, result: None }
    }
}

/// The text between the op's name and its attribute dictionary, by default one operand or several
pub trait LayoutText: Layout {
    /// Read properties and operands
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        Ok(vec![value(p)?].into())
    }

    /// Write them
    fn print(self, p: &mut OpPrinter<'_>) {
        print_operands(p);
    }
}

/// ` %x, %y`
pub fn print_operands(p: &mut OpPrinter<'_>) {
    let operands: Vec<Value> = p.ir().operands(p.op()).collect();
    p.text(" ");
    print_values(p, &operands);
}

/// `%x, %y, …`
pub fn values(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported> {
    let mut all = vec![value(p)?];
    while p.punct_opt(",") {
        all.push(value(p)?);
    }
    Ok(all)
}

/// Resolve operands and add results
pub(crate) fn finish(
    p: &mut OpParser<'_, '_>,
    operands: &[Operand],
    results: Result<Vec<Type>, Misfit>,
) -> Result<(), Reported> {
    let results = results.map_err(|why| refuse(p, &operands[0].0, &why))?;
    for (value, ty) in operands {
        p.resolve(value, *ty)?;
    }
    p.add_results(&results);
    Ok(())
}

/// The parser of every layout op with this text
pub fn parse<L: LayoutText>(p: &mut OpParser<'_, '_>, def: &OpDef) -> Result<(), Reported> {
    let Parsed { operands, result } = L::parse(p)?;
    p.attr_dict()?;
    let results = match result {
        Some(ty) => Ok(vec![ty]),
        None => {
            let types: Vec<Type> = operands.iter().map(|(_, ty)| *ty).collect();
            shape(p.cx(), def, &types, &|name| p.get_attr(name)).map(|shape| shape.results)
        }
    };
    finish(p, &operands, results)
}

/// The printer of every layout op with this text
pub fn print<L: LayoutText>(op: L, p: &mut OpPrinter<'_>) {
    op.print(p);
    let names: Vec<&str> = p.ir().def(p.op()).attrs.iter().map(|spec| spec.name).collect();
    p.attr_dict(&names);
}
