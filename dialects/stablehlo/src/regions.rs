//! Text of `reduce` and `while`: their regions' arguments stand in front.

use super::*;
use terrace_diag::{Reported, Span};
use terrace_ir::{Ir, OpId, Traits, Type, Value};
use terrace_text::names::NameSink;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, SuggestNames, Unresolved};

type Done = Result<(), Reported>;

/// `across dimensions = [0] {attrs} : (types) -> types`: the types
fn read_dimensions(p: &mut OpParser<'_, '_>) -> Result<(Vec<Type>, Vec<Type>), Reported> {
    p.keyword("across")?;
    p.keyword("dimensions")?;
    p.punct("=")?;
    let dims = fields::sizes(p, Delim::Square)?;
    let dims = p.cx().i64_array(&dims);
    p.set_attr("dimensions", dims);
    p.attr_dict()?;
    p.punct(":")?;
    p.function_type()
}

/// The op behind `applies`: one of two operands that may be swapped, of this dialect
fn read_applied(p: &mut OpParser<'_, '_>) -> Result<terrace_ir::OpKind, Reported> {
    let at: Span = p.here();
    let mut name = String::new();
    while let Some(word) = p.any_keyword_opt() {
        name.push_str(word);
        if !p.punct_opt(".") {
            break;
        }
        name.push('.');
    }
    let cx = p.cx();
    let found = cx.kind_by_name(&name).filter(|kind| is_applicable(cx.def(*kind)));
    found.ok_or_else(|| {
        let message = format!(
            "expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single result; `{name}` is not"
        );
        p.error_in(at, message)
    })
}

fn is_applicable(def: &terrace_ir::OpDef) -> bool {
    def.name.starts_with("stablehlo.")
        && def.traits.has(Traits::Commutative)
        && def.operands.len() == 2
        && def.results.len() == 1
}

impl CustomAsm for Reduce {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let (mut inputs, mut inits) = (Vec::new(), Vec::new());
        loop {
            p.punct("(")?;
            inputs.push(p.operand()?);
            p.keyword("init")?;
            p.punct(":")?;
            inits.push(p.operand()?);
            p.punct(")")?;
            if !p.punct_opt(",") {
                break;
            }
        }
        inputs.extend(inits);
        if p.keyword_opt("applies") {
            let kind = read_applied(p)?;
            let at = p.here();
            let (types, results) = read_dimensions(p)?;
            let Some(first) = types.first() else {
                return Err(p.error_in(at, "input types missing in reduce-op function type"));
            };
            let scalar = p.cx().tensor(&[], first.scalar(p.cx()));
            p.resolve_all(&inputs, &types)?;
            p.add_results(&results);
            p.region_made(&[scalar, scalar], |b, args| {
                let op = b.insert(&terrace_ir::NewOp {
                    operands: args,
                    results: &[scalar],
                    ..terrace_ir::NewOp::new(kind)
                });
                let value = b.read().result(op, 0);
                Return::build(b, &[value]);
            });
            return Ok(());
        }
        let (types, results) = read_dimensions(p)?;
        p.keyword("reducer")?;
        let (mut args, mut others) = (Vec::new(), Vec::new());
        while p.punct_opt("(") {
            args.push(read_arg(p)?);
            p.punct(",")?;
            others.push(read_arg(p)?);
            p.punct(")")?;
        }
        args.extend(others);
        p.resolve_all(&inputs, &types)?;
        p.add_results(&results);
        p.region(&args)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        let (inputs, inits) = (self.inputs(ir), self.init_values(ir));
        for (n, (input, init)) in inputs.iter().zip(&inits).enumerate() {
            p.text(if n > 0 { ", (" } else { "(" });
            p.operand(*input);
            p.text(" init: ");
            p.operand(*init);
            p.text(")");
        }
        let applied = applied(ir, self);
        if let Some(op) = applied {
            p.text(" applies ");
            p.text(ir.op_name(op));
        }
        p.text(" across dimensions = [");
        for (n, dim) in attrs::list(cx, self.dimensions(ir)).iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.int((*dim).into());
        }
        p.text("]");
        p.attr_dict(&["dimensions"]);
        p.text(" : ");
        p.functional_type();
        if applied.is_some() {
            return;
        }
        p.newline();
        p.text(" reducer");
        let args = ir.entry(self.body(ir)).map_or(&[][..], |entry| ir.block_args(entry));
        for (a, b) in args.iter().zip(args.get(inputs.len()..).unwrap_or(&[])) {
            p.text("(");
            p.block_arg_with_type(*a);
            p.arg_loc(*a);
            p.text(", ");
            p.block_arg_with_type(*b);
            p.arg_loc(*b);
            p.text(") ");
        }
        p.text(" ");
        p.region(self.body(ir), false, true);
    }
}

/// `%a: type loc(…)`
fn read_arg(p: &mut OpParser<'_, '_>) -> Result<(Unresolved, Type), Reported> {
    let arg = p.operand()?;
    p.punct(":")?;
    let ty = p.ty()?;
    p.arg_loc(&arg)?;
    Ok((arg, ty))
}

/// The only op of a reduction's body, if the short text says all of it
pub fn applied(ir: &Ir, reduce: Reduce) -> Option<OpId> {
    let block = ir.entry(reduce.body(ir))?;
    let ops: Vec<OpId> = ir.block_ops(block).take(3).collect();
    let &[op, end] = &ops[..] else { return None };
    if !is_applicable(ir.def(op)) || !ir.is(end, Return::DEF) || ir.dict(op).is_some() {
        return None;
    }
    let elem = ir.ty(*reduce.inputs(ir).first()?).scalar(ir.cx());
    let scalar = ir.cx().tensor(&[], elem);
    let args: &[Value] = ir.block_args(block);
    let forwarded = ir.operands(op).eq(args.iter().copied()) && ir.operands(end).eq(ir.results(op));
    let typed = ir.operands(op).chain(ir.results(op)).all(|value| ir.ty(value) == scalar);
    (forwarded && typed).then_some(op)
}

impl CustomAsm for While {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let (mut names, mut inits) = (Vec::new(), Vec::new());
        p.list(Delim::Paren, |p| {
            names.push(p.operand()?);
            p.punct("=")?;
            inits.push(p.operand()?);
            Ok(())
        })?;
        let types = if inits.is_empty() { Vec::new() } else { p.colon_types()? };
        p.resolve_all(&inits, &types)?;
        p.add_results(&types);
        p.attr_dict_with_keyword()?;
        let args: Vec<(Unresolved, Type)> = names.into_iter().zip(types).collect();
        p.keyword("cond")?;
        p.region(&args)?;
        p.keyword("do")?;
        p.region(&args)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let args = ir.entry(self.body(ir)).map_or(&[][..], |entry| ir.block_args(entry));
        syntax::print_bindings(p, args, ir.operands(self.0));
        if ir.num_operands(self.0) > 0 {
            p.text(" : ");
            p.types(ir.operands(self.0).map(|value| ir.ty(value)));
        }
        p.attr_dict_with_keyword(&[]);
        p.newline();
        p.text("cond ");
        p.region(self.cond(ir), false, true);
        p.text(" do ");
        p.region(self.body(ir), false, true);
    }
}

impl SuggestNames for While {
    fn names(self, ir: &Ir, name: &mut NameSink<'_>) {
        for region in ir.regions(self.0) {
            let args = ir.entry(region).map_or(&[][..], |entry| ir.block_args(entry));
            args.iter().for_each(|arg| name(*arg, "iterArg"));
        }
    }
}

impl SuggestNames for Constant {
    fn names(self, ir: &Ir, name: &mut NameSink<'_>) {
        let value = self.output(ir);
        let int = ir.ty(value).scalar(ir.cx()).is_int(ir.cx());
        name(value, if int { "c" } else { "cst" });
    }
}
