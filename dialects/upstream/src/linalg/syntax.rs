//! Text of the ops, as upstream writes it.

use super::{Broadcast, Generic, ITERATOR, Reduce, Transpose, Yield};
use crate::vector::lists::parse_numbers;
use terrace_diag::Reported;
use terrace_ir::{Attr, Builder, NewOp, Type, Value};
use terrace_text::{CustomAsm, OpParser, OpPrinter, Unresolved};

type Done<T> = Result<T, Reported>;

/// `ins(%a, %b : t, t)`
fn group(p: &mut OpParser<'_, '_>, word: &str) -> Done<(Vec<Unresolved>, Vec<Type>)> {
    if !p.keyword_opt(word) {
        return Ok((Vec::new(), Vec::new()));
    }
    p.punct("(")?;
    let mut operands = vec![p.operand()?];
    while p.punct_opt(",") {
        operands.push(p.operand()?);
    }
    p.punct(":")?;
    let mut types = vec![p.ty()?];
    while p.punct_opt(",") {
        types.push(p.ty()?);
    }
    p.punct(")")?;
    if operands.len() != types.len() {
        return Err(p.error(format!("{} operands, but {} types", operands.len(), types.len())));
    }
    Ok((operands, types))
}

/// `ins(…) outs(…)`; both lists of types
fn groups(p: &mut OpParser<'_, '_>, segments: bool) -> Done<(Vec<Type>, Vec<Type>)> {
    let (ins, in_types) = group(p, "ins")?;
    p.resolve_all(&ins, &in_types)?;
    if segments {
        p.segment();
    }
    let (outs, out_types) = group(p, "outs")?;
    p.resolve_all(&outs, &out_types)?;
    if segments {
        p.segment();
    }
    Ok((in_types, out_types))
}

fn elements(p: &OpParser<'_, '_>, ins: &[Type], outs: &[Type]) -> Vec<Type> {
    ins.iter().chain(outs).map(|ty| ty.scalar(p.cx())).collect()
}

/// An op of one result made by its name
fn op(b: &mut Builder<'_>, name: &str, operands: &[Value], ty: Type) -> Value {
    let kind = b.cx().kind_by_name(name).expect("dialects of one crate are registered together");
    let slots = vec![None; b.cx().def(kind).attrs.len()];
    let op = b.insert(&NewOp { operands, results: &[ty], slots: &slots, ..NewOp::new(kind) });
    b.read().result(op, 0)
}

/// A number as another type, as upstream's named ops convert: signed
fn converted(b: &mut Builder<'_>, value: Value, to: Type) -> Value {
    let from = b.read().ty(value);
    if from == to {
        return value;
    }
    let cx = b.cx();
    let bits = |ty: Type| ty.bit_width(cx).unwrap_or(64);
    let name = match (from.is_float(cx), to.is_float(cx)) {
        (true, true) if bits(from) < bits(to) => "arith.extf",
        (true, true) => "arith.truncf",
        (false, true) => "arith.sitofp",
        (true, false) => "arith.fptosi",
        (false, false) if bits(from) < bits(to) => "arith.extsi",
        (false, false) => "arith.trunci",
    };
    op(b, name, &[value], to)
}

/// The body that a named op means
fn body(b: &mut Builder<'_>, name: &str, args: &[Value]) {
    let value = match (name, args) {
        ("linalg.fill" | "linalg.transpose" | "linalg.broadcast", [x, out, ..]) => {
            let to = b.read().ty(*out);
            converted(b, *x, to)
        }
        (_, [x, y, sum]) => {
            let to = b.read().ty(*sum);
            let float = to.is_float(b.cx());
            let (x, y) = (converted(b, *x, to), converted(b, *y, to));
            let product = op(b, if float { "arith.mulf" } else { "arith.muli" }, &[x, y], to);
            op(b, if float { "arith.addf" } else { "arith.addi" }, &[*sum, product], to)
        }
        _ => return,
    };
    Yield::build(b, &[value]);
}

/// Named ops with lists of operands
pub fn parse_named(p: &mut OpParser<'_, '_>, name: &'static str) -> Done<()> {
    p.attr_dict()?;
    let (ins, outs) = groups(p, true)?;
    let results = p.arrow_types_opt()?;
    p.add_results(&results);
    let wanted = if name == "linalg.fill" { (1, 1) } else { (2, 1) };
    if (ins.len(), outs.len()) != wanted {
        return Err(p.error(format!("expected {} inputs and {} output", wanted.0, wanted.1)));
    }
    let args = elements(p, &ins, &outs);
    p.region_made(&args, |b, args| body(b, name, args));
    Ok(())
}

fn print_group(p: &mut OpPrinter<'_>, word: &str, values: &[Value]) {
    if values.is_empty() {
        return;
    }
    p.text(" ");
    p.text(word);
    p.text("(");
    p.operands(values.iter().copied());
    p.text(" : ");
    let ir = p.ir();
    for (n, value) in values.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.ty(ir.ty(*value));
    }
    p.text(")");
}

fn print_results(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    let types: Vec<Type> = ir.results(op).map(|value| ir.ty(value)).collect();
    if types.is_empty() {
        return;
    }
    p.text(if types.len() > 1 { " -> (" } else { " -> " });
    for (n, ty) in types.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.ty(*ty);
    }
    p.text(if types.len() > 1 { ")" } else { "" });
}

/// Named ops with lists of operands
pub fn print_named(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    let inherent: Vec<(&str, Attr)> =
        ["dilations", "strides"].into_iter().filter_map(|name| Some((name, ir.attr(op, name)?))).collect();
    for (n, (name, attr)) in inherent.iter().enumerate() {
        p.text(if n > 0 { ", " } else { " {" });
        p.text(name);
        p.text(" = ");
        p.attr(*attr);
    }
    p.text(if inherent.is_empty() { "" } else { "}" });
    print_group(p, "ins", &ir.operand_field(op, 0));
    print_group(p, "outs", &ir.operand_field(op, 1));
    print_results(p);
}

impl CustomAsm for Generic {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let dict = p.dictionary()?;
        let cx = p.cx();
        for (name, attr) in dict.as_dict(cx).unwrap_or(&[]).to_vec() {
            let name = cx.str(name).to_string();
            let attr = match attr.as_array(cx).filter(|_| name == "iterator_types") {
                Some(all) => {
                    let words: Option<Vec<Attr>> = all
                        .iter()
                        .map(|item| {
                            let word = item.as_str(cx);
                            let value = ITERATOR.cases.iter().find(|(name, _)| Some(*name) == word);
                            value.map(|(_, value)| cx.enum_attr(&ITERATOR, *value)).or(Some(*item))
                        })
                        .collect();
                    cx.array_attr(&words.unwrap_or_default())
                }
                None => attr,
            };
            p.set_attr(&name, attr);
        }
        groups(p, true)?;
        p.region(&[])?;
        let results = p.arrow_types_opt()?;
        p.add_results(&results);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" {indexing_maps = ");
        p.attr(self.indexing_maps(ir));
        p.text(", iterator_types = [");
        for (n, item) in self.iterator_types(ir).as_array(cx).unwrap_or(&[]).iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            let word = item.as_enum(cx, &ITERATOR).and_then(|value| ITERATOR.name_of(value));
            p.string(word.unwrap_or("parallel"));
        }
        p.text("]}");
        print_group(p, "ins", &self.inputs(ir));
        print_group(p, "outs", &self.outputs(ir));
        p.text(" ");
        p.region(self.body(ir), true, true);
        print_results(p);
    }
}

/// `ins(%a : t) outs(%o : t) WORD = [1, 0]`
fn parse_list(p: &mut OpParser<'_, '_>, name: &'static str, word: &str) -> Done<()> {
    let (ins, outs) = groups(p, false)?;
    p.keyword(word)?;
    p.punct("=")?;
    let numbers = parse_numbers(p)?;
    p.set_attr(word, numbers);
    if ins.len() != 1 || outs.len() != 1 {
        return Err(p.error("expected one input and one output"));
    }
    p.add_results(&outs);
    let args = elements(p, &ins, &outs);
    p.region_made(&args, |b, args| body(b, name, args));
    Ok(())
}

fn print_numbers(p: &mut OpPrinter<'_>, word: &str, attr: Attr) {
    p.text(" ");
    p.text(word);
    p.text(" = [");
    let cx = p.cx();
    for (n, number) in attr.as_dense_array(cx).unwrap_or(&[]).iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.int((*number).into());
    }
    p.text("]");
}

impl CustomAsm for Transpose {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        parse_list(p, "linalg.transpose", "permutation")
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_group(p, "ins", &[self.input(ir)]);
        print_group(p, "outs", &[self.init(ir)]);
        print_numbers(p, "permutation", self.permutation(ir));
    }
}

impl CustomAsm for Broadcast {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        parse_list(p, "linalg.broadcast", "dimensions")
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_group(p, "ins", &[self.input(ir)]);
        print_group(p, "outs", &[self.init(ir)]);
        print_numbers(p, "dimensions", self.dimensions(ir));
    }
}

impl CustomAsm for Reduce {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let (_, outs) = groups(p, false)?;
        p.keyword("dimensions")?;
        p.punct("=")?;
        let numbers = parse_numbers(p)?;
        p.set_attr("dimensions", numbers);
        p.punct("(")?;
        let mut args = Vec::new();
        loop {
            let arg = p.operand()?;
            args.push((arg, p.colon_type()?));
            if !p.punct_opt(",") {
                break;
            }
        }
        p.punct(")")?;
        p.region(&args)?;
        p.add_results(&outs);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let tensors = self.tensors(ir);
        let (ins, outs) = tensors.split_at(tensors.len() / 2);
        print_group(p, "ins", ins);
        print_group(p, "outs", outs);
        print_numbers(p, "dimensions", self.dimensions(ir));
        p.text(" (");
        let args = ir.entry(self.body(ir)).map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        for (n, arg) in args.into_iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.block_arg_with_type(arg);
        }
        p.text(") ");
        p.region(self.body(ir), false, true);
    }
}
