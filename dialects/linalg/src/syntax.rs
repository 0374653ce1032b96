//! Text of the ops, as upstream writes it.

use super::spec::{Body, Spec};
use super::{Broadcast, Contract, Fill, Generic, IteratorType, Map, Reduce, Transpose, bodies};
use terrace_diag::Reported;
use terrace_dialect_shapes::lists::parse_numbers;
use terrace_ir::{Arity, Attr, Ir, OpId, RegionId, Str, Type, TypeKind, Value};
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

/// `ins(…) outs(…)`; both lists of types, and the first operand, which messages point at
fn groups(p: &mut OpParser<'_, '_>, segments: bool) -> Done<(Vec<Type>, Vec<Type>, Unresolved)> {
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
    match ins.into_iter().chain(outs).next() {
        Some(first) => Ok((in_types, out_types, first)),
        None => Err(p.error("expected operands in `ins` or `outs`")),
    }
}

/// What outputs in memory hold is no result
fn add_tensors(p: &mut OpParser<'_, '_>, outs: &[Type]) {
    let cx = p.cx();
    let tensors: Vec<Type> =
        outs.iter().copied().filter(|ty| !matches!(ty.kind(cx), TypeKind::MemRef { .. })).collect();
    p.add_results(&tensors);
}

fn elements(p: &OpParser<'_, '_>, ins: &[Type], outs: &[Type]) -> Vec<Type> {
    ins.iter().chain(outs).map(|ty| ty.scalar(p.cx())).collect()
}

/// Named ops as their specifications say
pub fn parse_spec(p: &mut OpParser<'_, '_>, spec: &Spec) -> Done<()> {
    parse_named(p, spec.body, spec.maps.len() - 1)
}

/// Ops with lists of operands: `[indexing_maps = […]] {…} ins(…) outs(…) -> t`
fn parse_named(p: &mut OpParser<'_, '_>, body: Body, wanted: usize) -> Done<()> {
    if p.keyword_opt("indexing_maps") {
        p.punct("=")?;
        let maps = p.attr()?;
        p.set_attr("indexing_maps", maps);
    }
    p.attr_dict()?;
    let (ins, outs, first) = groups(p, true)?;
    let results = p.arrow_types_opt()?;
    p.add_results(&results);
    if (ins.len(), outs.len()) != (wanted, 1) {
        return Err(p.error_at(&first, format!("expected {wanted} inputs and 1 output")));
    }
    made_region(p, body, &ins, &outs, &first)
}

/// The region of an op that is written without one
fn made_region(
    p: &mut OpParser<'_, '_>,
    body: Body,
    ins: &[Type],
    outs: &[Type],
    first: &Unresolved,
) -> Done<()> {
    let args = elements(p, ins, outs);
    if let Err(why) = bodies::fits(p.cx(), body, &args) {
        return Err(p.error_at(first, why.to_string()));
    }
    p.region_made(&args, |b, args| bodies::write(b, body, args));
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
    let maps =
        ir.attr(op, "indexing_maps").filter(|maps| maps.as_array(p.cx()).is_some_and(|all| !all.is_empty()));
    if let Some(maps) = maps.filter(|maps| own_maps(ir, op) != Some(*maps)) {
        p.text(" indexing_maps = ");
        p.attr(maps);
    }
    p.attr_dict(&["indexing_maps"]);
    print_group(p, "ins", &ir.operand_field(op, 0));
    print_group(p, "outs", &ir.operand_field(op, 1));
    print_results(p);
}

/// The maps that the op has anyway
fn own_maps(ir: &Ir, op: OpId) -> Option<Attr> {
    Some(Spec::of(ir.def(op))?.maps_attr(ir.cx()))
}

impl CustomAsm for Fill {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        parse_named(p, Body::Copy, 1)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_named(p);
    }
}

impl CustomAsm for Contract {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        parse_named(p, Body::Product, 2)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_named(p);
    }
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
                            let each = item.as_str(cx).and_then(IteratorType::from_word);
                            each.map(|each| each.attr(cx)).or(Some(*item))
                        })
                        .collect();
                    cx.array_attr(&words.unwrap_or_default())
                }
                None => attr,
            };
            p.set_attr(&name, attr);
        }
        groups(p, true)?;
        if p.keyword_opt("attrs") {
            p.punct("=")?;
            p.attr_dict()?;
        }
        p.region(&[])?;
        let results = p.arrow_types_opt()?;
        p.add_results(&results);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" {");
        if let Some(doc) = self.doc(ir) {
            p.text("doc = ");
            p.attr(doc);
            p.text(", ");
        }
        p.text("indexing_maps = ");
        p.attr(self.indexing_maps(ir));
        p.text(", iterator_types = [");
        for (n, item) in self.iterator_types(ir).as_array(cx).unwrap_or(&[]).iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.string(IteratorType::of(cx, *item).map_or("parallel", IteratorType::word));
        }
        p.text("]");
        if let Some(call) = self.library_call(ir) {
            p.text(", library_call = ");
            p.attr(call);
        }
        p.text("}");
        print_group(p, "ins", &self.inputs(ir));
        print_group(p, "outs", &self.outputs(ir));
        let known = ["doc", "indexing_maps", "iterator_types", "library_call"];
        if ir.dict(p.op()).and_then(|dict| dict.as_dict(cx)).is_some_and(|all| !all.is_empty()) {
            p.text(" attrs = ");
            p.attr_dict(&known);
        }
        p.text(" ");
        p.region(self.body(ir), true, true);
        print_results(p);
    }
}

/// `ins(%a : t) outs(%o : t) WORD = [1, 0]`
fn parse_list(p: &mut OpParser<'_, '_>, word: &str) -> Done<()> {
    let (ins, outs, first) = groups(p, false)?;
    p.keyword(word)?;
    p.punct("=")?;
    let numbers = parse_numbers(p)?;
    p.set_attr(word, numbers);
    if ins.len() != 1 || outs.len() != 1 {
        return Err(p.error_at(&first, "expected one input and one output"));
    }
    add_tensors(p, &outs);
    p.attr_dict()?;
    made_region(p, Body::Copy, &ins, &outs, &first)
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
        parse_list(p, "permutation")
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_group(p, "ins", &[self.input(ir)]);
        print_group(p, "outs", &[self.init(ir)]);
        print_numbers(p, "permutation", self.permutation(ir));
        p.attr_dict(&["permutation"]);
    }
}

impl CustomAsm for Broadcast {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        parse_list(p, "dimensions")
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_group(p, "ins", &[self.input(ir)]);
        print_group(p, "outs", &[self.init(ir)]);
        print_numbers(p, "dimensions", self.dimensions(ir));
        p.attr_dict(&["dimensions"]);
    }
}

/// `{ arith.addf {…} }`: the op of a body of one op
fn short_opt(p: &mut OpParser<'_, '_>) -> Done<Option<(String, Vec<(Str, Attr)>)>> {
    if !p.punct_opt("{") {
        return Ok(None);
    }
    let name = match p.any_keyword_opt() {
        Some(name) => name.to_string(),
        None => return Err(p.error("expected the name of an op")),
    };
    let cx = p.cx();
    let attrs = match p.at_punct("{") {
        true => p.dictionary()?.as_dict(cx).unwrap_or(&[]).to_vec(),
        false => Vec::new(),
    };
    p.punct("}")?;
    let def = cx.kind_by_name(&name).map(|kind| cx.def(kind));
    let plain = def.is_some_and(|def| {
        def.regions.is_empty()
            && def.successors.is_empty()
            && def.results.len() == 1
            && def.operands.iter().chain(def.results).all(|spec| spec.arity == Arity::One)
    });
    if !plain {
        return Err(p.error(format!("'{name}' is no op with one result that is known here")));
    }
    Ok(Some((name, attrs)))
}

fn payload_region(
    p: &mut OpParser<'_, '_>,
    short: &(String, Vec<(Str, Attr)>),
    args: &[Type],
    picked: &[usize],
    first: &Unresolved,
) -> Done<()> {
    let (name, attrs) = short;
    let wanted = p.cx().kind_by_name(name).map_or(0, |kind| p.cx().def(kind).operands.len());
    if wanted != picked.len() {
        return Err(
            p.error_at(first, format!("'{name}' has {wanted} operands, but the body {}", picked.len()))
        );
    }
    let Some(ty) = args.last().copied() else { return Err(p.error("expected an output")) };
    p.region_made(args, |b, args| {
        let operands: Vec<Value> = picked.iter().map(|n| args[*n]).collect();
        bodies::payload(b, name, attrs, &operands, ty);
    });
    Ok(())
}

/// The region of the short form if there was one, else `(%a: f32) {…}`
fn body_region(
    p: &mut OpParser<'_, '_>,
    short: Option<(String, Vec<(Str, Attr)>)>,
    args: &[Type],
    picked: &[usize],
    first: &Unresolved,
) -> Done<()> {
    match short {
        Some(short) => payload_region(p, &short, args, picked, first),
        None => {
            let args = arguments(p)?;
            p.region(&args)
        }
    }
}

fn arguments(p: &mut OpParser<'_, '_>) -> Done<Vec<(Unresolved, Type)>> {
    p.punct("(")?;
    let mut args = Vec::new();
    while !p.at_punct(")") {
        let arg = p.operand()?;
        args.push((arg, p.colon_type()?));
        if !p.punct_opt(",") {
            break;
        }
    }
    p.punct(")")?;
    Ok(args)
}

/// The one op of a body whose operands are these arguments in order, if that is all of it
fn payload_of(ir: &Ir, region: RegionId, picked: impl Fn(&[Value]) -> Vec<Value>) -> Option<OpId> {
    let entry = ir.entry(region)?;
    let ops: Vec<OpId> = ir.block_ops(entry).take(3).collect();
    let [one, end] = ops.as_slice() else { return None };
    let wanted = picked(ir.block_args(entry));
    let fits = !wanted.is_empty()
        && ir.operands(*one).eq(wanted)
        && ir.operands(*end).eq(ir.results(*one))
        && ir.regions(*one).next().is_none();
    fits.then_some(*one)
}

fn print_payload(p: &mut OpPrinter<'_>, one: OpId) {
    let (ir, cx) = (p.ir(), p.cx());
    p.text(" { ");
    p.text(ir.op_name(one));
    let def = ir.def(one);
    let mut all: Vec<(&str, Attr)> = def
        .attrs
        .iter()
        .enumerate()
        .filter_map(|(slot, spec)| Some((spec.name, ir.slot(one, slot)?)))
        .filter(|(_, attr)| !bodies::says_nothing(cx, *attr))
        .collect();
    let dict = ir.dict(one).and_then(|dict| dict.as_dict(cx)).unwrap_or(&[]);
    all.extend(dict.iter().map(|(name, attr)| (cx.str(*name), *attr)));
    all.sort_by_key(|(name, _)| *name);
    for (n, (name, attr)) in all.iter().enumerate() {
        p.text(if n > 0 { ", " } else { " {" });
        p.text(name);
        p.text(" = ");
        p.attr(*attr);
    }
    p.text(if all.is_empty() { " }" } else { "} }" });
}

/// On the line of the op, where upstream begins a new one
fn print_arguments(p: &mut OpPrinter<'_>, region: RegionId) {
    let ir = p.ir();
    p.further_in(|p| {
        p.text("(");
        let args = ir.entry(region).map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        for (n, arg) in args.into_iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.block_arg_with_type(arg);
        }
        p.text(") ");
        p.region(region, false, true);
    });
}

impl CustomAsm for Reduce {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let short = short_opt(p)?;
        let (ins, outs, first) = groups(p, false)?;
        p.keyword("dimensions")?;
        p.punct("=")?;
        let numbers = parse_numbers(p)?;
        p.set_attr("dimensions", numbers);
        p.attr_dict()?;
        let args = elements(p, &ins, &outs);
        // What was folded so far comes first.
        let picked: Vec<usize> = (ins.len()..args.len()).chain(0..ins.len()).collect();
        body_region(p, short, &args, &picked, &first)?;
        add_tensors(p, &outs);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let tensors = self.tensors(ir);
        let (ins, outs) = tensors.split_at(tensors.len() / 2);
        let first = |args: &[Value]| match args.split_last() {
            Some((out, rest)) => std::iter::once(*out).chain(rest.iter().copied()).collect(),
            None => Vec::new(),
        };
        let one = if outs.len() == 1 { payload_of(ir, self.body(ir), first) } else { None };
        if let Some(one) = one {
            print_payload(p, one);
        }
        print_group(p, "ins", ins);
        print_group(p, "outs", outs);
        print_numbers(p, "dimensions", self.dimensions(ir));
        p.attr_dict(&["dimensions"]);
        if one.is_none() {
            print_arguments(p, self.body(ir));
        }
    }
}

impl CustomAsm for Map {
    fn parse(p: &mut OpParser<'_, '_>) -> Done<()> {
        let short = short_opt(p)?;
        let (ins, outs, first) = groups(p, false)?;
        p.attr_dict()?;
        let args = elements(p, &ins, &outs);
        let picked: Vec<usize> = (0..ins.len()).collect();
        body_region(p, short, &args, &picked, &first)?;
        add_tensors(p, &outs);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let inputs = self.inputs(ir);
        let count = inputs.len();
        let one = payload_of(ir, self.mapper(ir), |args| args[..count.min(args.len())].to_vec());
        if let Some(one) = one {
            print_payload(p, one);
        }
        print_group(p, "ins", &inputs);
        print_group(p, "outs", &[self.init(ir)]);
        p.attr_dict(&[]);
        if one.is_none() {
            print_arguments(p, self.mapper(ir));
        }
    }
}
