//! Text of the ops, as upstream writes it.

use super::{ExpandShape, ExtractSlice, FromElements, InsertSlice, Pad, Splat};
use terrace_diag::Reported;
use terrace_dialect_shapes::lists::{parse_positions, print_positions};
use terrace_dialect_shapes::reassociation::{parse_expand, print_expand};
use terrace_dialect_shapes::slices;
use terrace_ir::{Attr, Type, Value};
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, Unresolved};

type Done<T> = Result<T, Reported>;

fn list<'a>(p: &OpPrinter<'a>, attr: Option<Attr>) -> &'a [i64] {
    attr.and_then(|attr| attr.as_dense_array(p.cx())).unwrap_or(&[])
}

/// Operands of type `index`, and the end of their field
fn resolve(p: &mut OpParser<'_, '_>, values: &[Unresolved]) -> Done<()> {
    let index = p.cx().common().index;
    values.iter().try_for_each(|value| p.resolve(value, index))?;
    p.segment();
    Ok(())
}

impl CustomAsm for ExtractSlice {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        slices::parse_op(p, [&[], &[], &[]])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        slices::print_op(p, ["", " ", " "]);
    }
}

/// `%part into %whole[…] […] […] : type into type`; gives the type of the whole
pub(super) fn parse_insertion(p: &mut OpParser<'_, '_>) -> Done<Type> {
    let source = p.operand()?;
    p.keyword("into")?;
    let dest = p.operand()?;
    let lists = slices::parse(p, [&[], &[], &[]])?;
    let from = p.colon_type()?;
    p.keyword("into")?;
    let to = p.ty()?;
    p.resolve(&source, from)?;
    p.segment();
    p.resolve(&dest, to)?;
    p.segment();
    slices::resolve(p, &lists)?;
    Ok(to)
}

/// The same as text
pub(super) fn print_insertion(p: &mut OpPrinter<'_>, source: Value, dest: Value) {
    let ir = p.ir();
    p.text(" ");
    p.operand(source);
    p.text(" into ");
    p.operand(dest);
    slices::print(p, 2, ["", " ", " "]);
    p.text(" : ");
    p.ty(ir.ty(source));
    p.text(" into ");
    p.ty(ir.ty(dest));
}

impl CustomAsm for InsertSlice {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let to = parse_insertion(p)?;
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (source, dest) = (self.source(p.ir()), self.dest(p.ir()));
        print_insertion(p, source, dest);
    }
}

impl CustomAsm for Pad {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let source = p.operand()?;
        if p.keyword_opt("nofold") {
            let unit = p.cx().attr(terrace_ir::AttrKind::Unit);
            p.set_attr("nofold", unit);
        }
        let mut lists = Vec::new();
        for (word, name) in [("low", "static_low"), ("high", "static_high")] {
            p.keyword(word)?;
            let (values, numbers) = parse_positions(p)?;
            p.set_attr(name, numbers);
            lists.push(values);
        }
        p.region(&[])?;
        p.attr_dict()?;
        let from = p.colon_type()?;
        p.keyword("to")?;
        let to = p.ty()?;
        p.resolve(&source, from)?;
        p.segment();
        lists.iter().try_for_each(|values| resolve(p, values))?;
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        if self.nofold(ir).is_some() {
            p.text(" nofold");
        }
        p.text(" low");
        let numbers = list(p, Some(self.static_low(ir)));
        print_positions(p, &self.low(ir), numbers);
        p.text(" high");
        let numbers = list(p, Some(self.static_high(ir)));
        print_positions(p, &self.high(ir), numbers);
        p.text(" ");
        p.region(self.region(ir), true, true);
        p.attr_dict(&["nofold", "static_low", "static_high"]);
        p.text(" : ");
        p.ty(ir.ty(self.source(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl CustomAsm for ExpandShape {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        parse_expand(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_expand(p);
    }
}

impl CustomAsm for FromElements {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let mut elements = Vec::new();
        while let Some(element) = p.operand_opt()? {
            elements.push(element);
            if !p.punct_opt(",") {
                break;
            }
        }
        p.attr_dict()?;
        let to = p.colon_type()?;
        let elem = to.scalar(p.cx());
        elements.iter().try_for_each(|element| p.resolve(element, elem))?;
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let elements = self.elements(ir);
        p.text(if elements.is_empty() { "" } else { " " });
        p.operands(elements);
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl CustomAsm for Splat {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let input = p.operand()?;
        let sizes = if p.at_punct("[") { p.operands(Delim::Square)? } else { Vec::new() };
        p.attr_dict()?;
        let to = p.colon_type()?;
        let elem = to.scalar(p.cx());
        p.resolve(&input, elem)?;
        let index = p.cx().common().index;
        sizes.iter().try_for_each(|size| p.resolve(size, index))?;
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.input(ir));
        let sizes: Vec<Value> = self.dynamic_sizes(ir);
        if !sizes.is_empty() {
            p.text("[");
            p.operands(sizes);
            p.text("]");
        }
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.aggregate(ir)));
    }
}
