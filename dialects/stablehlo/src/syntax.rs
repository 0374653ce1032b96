//! Text of the ops that no declarative format covers. Upstream's is in `AssemblyFormat.cpp` of StableHLO.

use super::*;
use terrace_diag::Reported;
use terrace_ir::{Attr, Context, Type, TypeKind, Value};
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, Unresolved};

type Done = Result<(), Reported>;

/// Types of operands and one result: of a function type, or the same for all
fn read_same(p: &mut OpParser<'_, '_>, count: usize) -> Result<(Vec<Type>, Type), Reported> {
    p.punct(":")?;
    let at = p.here();
    let ty = p.ty()?;
    let Some((inputs, results)) = ty.as_function(p.cx()) else { return Ok((vec![ty; count], ty)) };
    if inputs.len() != count {
        let message = format!("{count} operands present, but expected {}", inputs.len());
        return Err(p.error_in(at, message));
    }
    match results {
        &[result] => Ok((inputs.to_vec(), result)),
        _ => Err(p.error_in(at, "expected single output")),
    }
}

/// `%a, %b {attrs} : type`
fn parse_same(p: &mut OpParser<'_, '_>, count: usize) -> Done {
    let mut operands = Vec::with_capacity(count);
    for n in 0..count {
        if n > 0 {
            p.punct(",")?;
        }
        operands.push(p.operand()?);
    }
    p.attr_dict()?;
    finish_same(p, &operands)
}

fn finish_same(p: &mut OpParser<'_, '_>, operands: &[Unresolved]) -> Done {
    let (types, result) = read_same(p, operands.len())?;
    p.resolve_all(operands, &types)?;
    p.add_result(result);
    Ok(())
}

fn print_same(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    p.text(" ");
    p.operands(ir.operands(op));
    p.attr_dict(&[]);
    print_same_types(p);
}

fn print_same_types(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    p.text(" : ");
    let result = ir.ty(ir.result(op, 0));
    if ir.operands(op).all(|value| ir.ty(value) == result) {
        p.ty(result);
    } else {
        p.functional_type();
    }
}

macro_rules! same_types {
    ($count:literal: $($name:ident)*) => {$(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Done {
                parse_same(p, $count)
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                print_same(p);
            }
        }
    )*};
}

same_types! { 1: Abs Cbrt Ceil Convert Cosine CountLeadingZeros Exponential ExponentialMinusOne Floor Imag Log LogPlusOne
Logistic Negate Not PopulationCount Real RoundNearestAfz RoundNearestEven Rsqrt Sign Sine Sqrt Tan Tanh
UniformDequantize UniformQuantize }
same_types! { 2: Add And Atan2 Divide Maximum Minimum Multiply Or Power Remainder ShiftLeft ShiftRightArithmetic
ShiftRightLogical Subtract Xor }
same_types! { 3: Clamp }

impl CustomAsm for ReducePrecision {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operand = p.operand()?;
        p.punct(",")?;
        p.keyword("format")?;
        p.punct("=")?;
        let at = p.here();
        let word = p.any_keyword_opt().unwrap_or("");
        let bits = word.strip_prefix('e').and_then(|rest| rest.split_once('m'));
        let bits = bits.and_then(|(e, m)| Some((e.parse::<u16>().ok()?, m.parse::<u16>().ok()?)));
        let Some((exponent, mantissa)) = bits else {
            return Err(p.error_in(at, format!("expected exponent mantissa in format e#m#, saw {word}")));
        };
        for (name, bits) in [("exponent_bits", exponent), ("mantissa_bits", mantissa)] {
            let attr = p.cx().int_attr(bits.into(), p.cx().common().i32);
            p.set_attr(name, attr);
        }
        p.attr_dict()?;
        finish_same(p, &[operand])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" ");
        p.operand(self.operand(ir));
        for (word, bits) in [(", format = e", self.exponent_bits(ir)), ("m", self.mantissa_bits(ir))] {
            p.text(word);
            p.int(bits.as_int(cx).map_or(0, |(value, _)| value));
        }
        p.attr_dict(&["exponent_bits", "mantissa_bits"]);
        print_same_types(p);
    }
}

impl CustomAsm for Cholesky {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operand = p.operand()?;
        if p.punct_opt(",") {
            p.keyword("lower")?;
            p.punct("=")?;
            let attr = p.attr()?;
            p.set_attr("lower", attr);
        }
        p.attr_dict()?;
        finish_same(p, &[operand])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.a(ir));
        if self.lower(ir) != p.cx().bool_attr(false) {
            p.text(", lower = true");
        }
        p.attr_dict(&["lower"]);
        print_same_types(p);
    }
}

impl CustomAsm for Reverse {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operand = p.operand()?;
        p.punct(",")?;
        p.keyword("dims")?;
        p.punct("=")?;
        read_list(p, "dimensions")?;
        p.attr_dict()?;
        finish_same(p, &[operand])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.operand(ir));
        p.text(", dims = ");
        print_list(p, self.dimensions(ir));
        p.attr_dict(&["dimensions"]);
        print_same_types(p);
    }
}

impl CustomAsm for Select {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = p.operands(Delim::None)?;
        p.attr_dict()?;
        p.punct(":")?;
        let at = p.here();
        let types = p.types_list()?;
        let (inputs, result) = match types[..] {
            [pred, ty] => (vec![pred, ty, ty], ty),
            [ty] => match ty.as_function(p.cx()) {
                Some((inputs, &[result])) => (inputs.to_vec(), result),
                _ => return Err(p.error_in(at, "expected functional type or list of two types")),
            },
            _ => return Err(p.error_in(at, "expected functional type or list of two types")),
        };
        p.resolve_all(&operands, &inputs)?;
        p.add_result(result);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.attr_dict(&[]);
        p.text(" : ");
        let result = ir.ty(self.result(ir));
        if ir.ty(self.on_true(ir)) != result || ir.ty(self.on_false(ir)) != result {
            return p.functional_type();
        }
        p.types([ir.ty(self.pred(ir)), result]);
    }
}

/// The tensor of the parts of complex numbers
pub(crate) fn parts_of(cx: &Context, ty: Type) -> Option<Type> {
    match ty.element(cx)?.kind(cx) {
        TypeKind::Complex(part) => Some(ty.with_element(cx, *part)),
        _ => None,
    }
}

impl CustomAsm for Complex {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = p.operands(Delim::None)?;
        p.attr_dict()?;
        p.punct(":")?;
        let at = p.here();
        let ty = p.ty()?;
        let (inputs, result) = match (ty.as_function(p.cx()), parts_of(p.cx(), ty)) {
            (Some((inputs, &[result])), _) => (inputs.to_vec(), result),
            (_, Some(part)) => (vec![part; 2], ty),
            _ => return Err(p.error_in(at, "expected tensor with complex element type")),
        };
        p.resolve_all(&operands, &inputs)?;
        p.add_result(result);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.attr_dict(&[]);
        p.text(" : ");
        let result = ir.ty(self.result(ir));
        let part = parts_of(p.cx(), result);
        if ir.operands(self.0).all(|value| Some(ir.ty(value)) == part) {
            p.ty(result);
        } else {
            p.functional_type();
        }
    }
}

impl CustomAsm for Constant {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        p.attr_dict()?;
        let at = p.here();
        let value = p.attr()?;
        let Some(ty) = value.ty(p.cx()) else {
            return Err(p.error_in(at, "expected elements with a type: `dense<…> : tensor<…>`"));
        };
        p.set_attr("value", value);
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.attr_dict(&["value"]);
        p.text(" ");
        p.attr(self.value(ir));
    }
}

/// Operands, each before a comma
fn operands_with_commas(p: &mut OpParser<'_, '_>) -> Result<Vec<Unresolved>, Reported> {
    let mut operands = Vec::new();
    while let Some(operand) = p.operand_opt()? {
        operands.push(operand);
        p.punct(",")?;
    }
    Ok(operands)
}

fn finish_function(p: &mut OpParser<'_, '_>, operands: &[Unresolved]) -> Done {
    p.attr_dict()?;
    p.punct(":")?;
    let (inputs, results) = p.function_type()?;
    p.resolve_all(operands, &inputs)?;
    p.add_results(&results);
    Ok(())
}

fn print_function(p: &mut OpPrinter<'_>, elide: &[&str]) {
    p.attr_dict(elide);
    p.text(" : ");
    p.functional_type();
}

fn print_list(p: &mut OpPrinter<'_>, attr: Attr) {
    p.text("[");
    let cx = p.cx();
    for (n, number) in attr.as_dense_array(cx).unwrap_or(&[]).iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.int((*number).into());
    }
    p.text("]");
}

/// `word = [1, 2]` into an attribute
fn read_list(p: &mut OpParser<'_, '_>, name: &str) -> Done {
    let numbers = fields::sizes(p, Delim::Square)?;
    let attr = p.cx().i64_array(&numbers);
    p.set_attr(name, attr);
    Ok(())
}

impl CustomAsm for Concatenate {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = operands_with_commas(p)?;
        p.keyword("dim")?;
        p.punct("=")?;
        let i64 = p.cx().common().i64;
        let dim = p.attr_of(i64)?;
        p.set_attr("dimension", dim);
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.text(", dim = ");
        p.int(self.dimension(ir).as_int(cx).map_or(0, |(value, _)| value));
        print_function(p, &["dimension"]);
    }
}

impl CustomAsm for DynamicSlice {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = operands_with_commas(p)?;
        p.keyword("sizes")?;
        p.punct("=")?;
        read_list(p, "slice_sizes")?;
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.text(", sizes = ");
        print_list(p, self.slice_sizes(ir));
        print_function(p, &["slice_sizes"]);
    }
}

impl CustomAsm for Slice {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operand = p.operand()?;
        let mut lists = [Vec::new(), Vec::new(), Vec::new()];
        p.list(Delim::Square, |p| {
            lists[0].push(p.int64()?);
            p.punct(":")?;
            lists[1].push(p.int64()?);
            lists[2].push(if p.punct_opt(":") { p.int64()? } else { 1 });
            Ok(())
        })?;
        for (name, list) in ["start_indices", "limit_indices", "strides"].into_iter().zip(&lists) {
            let attr = p.cx().i64_array(list);
            p.set_attr(name, attr);
        }
        finish_function(p, &[operand])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" ");
        p.operand(self.operand(ir));
        p.text(" [");
        let (starts, limits) =
            (attrs::list(cx, self.start_indices(ir)), attrs::list(cx, self.limit_indices(ir)));
        let strides = attrs::list(cx, self.strides(ir));
        for (n, ((start, limit), stride)) in starts.iter().zip(limits).zip(strides).enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.int((*start).into());
            p.text(":");
            p.int((*limit).into());
            if *stride != 1 {
                p.text(":");
                p.int((*stride).into());
            }
        }
        p.text("]");
        print_function(p, &["start_indices", "limit_indices", "strides"]);
    }
}

/// `precision = [DEFAULT, DEFAULT]`
fn read_precision(p: &mut OpParser<'_, '_>) -> Done {
    p.keyword("precision")?;
    p.punct("=")?;
    let mut all = Vec::new();
    p.list(Delim::Square, |p| {
        all.push(p.attr_in_form(terrace_ir::AttrForm::Enum(Precision::DEF))?);
        Ok(())
    })?;
    let all = p.cx().array_attr(&all);
    p.set_attr("precision_config", all);
    Ok(())
}

fn print_precision(p: &mut OpPrinter<'_>, config: Option<Attr>) {
    let Some(config) = config else { return };
    p.text(", precision = [");
    let cx = p.cx();
    for (n, attr) in config.as_array(cx).unwrap_or(&[]).iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.text(Precision::of(cx, *attr).map_or("DEFAULT", Precision::word));
    }
    p.text("]");
}

fn two_operands(p: &mut OpParser<'_, '_>) -> Result<[Unresolved; 2], Reported> {
    let lhs = p.operand()?;
    p.punct(",")?;
    Ok([lhs, p.operand()?])
}

impl CustomAsm for Dot {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = two_operands(p)?;
        if p.punct_opt(",") {
            read_precision(p)?;
        }
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        print_precision(p, self.precision_config(ir));
        print_function(p, &["precision_config"]);
    }
}

impl CustomAsm for DotGeneral {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = two_operands(p)?;
        p.punct(",")?;
        let mut lists = [const { Vec::new() }; 4];
        if p.keyword_opt("batching_dims") {
            [lists[0], lists[1]] = read_pair(p)?;
            p.punct(",")?;
        }
        p.keyword("contracting_dims")?;
        [lists[2], lists[3]] = read_pair(p)?;
        let [a, b, c, d] = lists.map(|list| p.cx().i64_array(&list));
        let numbers = DotDimensionNumbers::get(p.cx(), a, b, c, d);
        p.set_attr("dot_dimension_numbers", numbers);
        let mut more = p.punct_opt(",");
        if more && !p.keyword_opt("algorithm") {
            read_precision(p)?;
            more = p.punct_opt(",");
            if more {
                p.keyword("algorithm")?;
            }
        }
        if more {
            p.punct("=")?;
            let params = fields::read_all(p, fields::ALGORITHM)?;
            let kind = terrace_ir::AttrKind::Dialect { def: DotAlgorithm::DEF, params: params.into() };
            let algorithm = p.cx().attr(kind);
            p.set_attr("algorithm", algorithm);
        }
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" ");
        p.operands(ir.operands(self.0));
        if let Some(dims) = DotDimensionNumbers::cast(cx, self.dot_dimension_numbers(ir)) {
            let [a, b] = [dims.lhs_batching_dimensions(cx), dims.rhs_batching_dimensions(cx)];
            if !attrs::list(cx, a).is_empty() || !attrs::list(cx, b).is_empty() {
                print_pair(p, ", batching_dims = ", a, b);
            }
            let [a, b] = [dims.lhs_contracting_dimensions(cx), dims.rhs_contracting_dimensions(cx)];
            print_pair(p, ", contracting_dims = ", a, b);
        }
        print_precision(p, self.precision_config(ir));
        if let Some(terrace_ir::AttrKind::Dialect { params, .. }) =
            self.algorithm(ir).map(|attr| attr.kind(cx))
        {
            p.text(", algorithm = ");
            let mut w = terrace_ir::show::Shower::new(cx);
            fields::spell_all(&mut w, fields::ALGORITHM, params);
            p.text(&w.out);
        }
        print_function(p, &["dot_dimension_numbers", "precision_config", "algorithm"]);
    }
}

/// `= [0] x [1]`
fn read_pair(p: &mut OpParser<'_, '_>) -> Result<[Vec<i64>; 2], Reported> {
    p.punct("=")?;
    let lhs = fields::sizes(p, Delim::Square)?;
    p.keyword("x")?;
    Ok([lhs, fields::sizes(p, Delim::Square)?])
}

fn print_pair(p: &mut OpPrinter<'_>, words: &str, lhs: Attr, rhs: Attr) {
    p.text(words);
    print_list(p, lhs);
    p.text(" x ");
    print_list(p, rhs);
}

impl CustomAsm for Convolution {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = p.operands(Delim::Paren)?;
        p.keyword("dim_numbers")?;
        p.punct("=")?;
        let at = p.here();
        let params = windows::read_dimensions(p)?;
        if let Err(wrong) = windows::verify_dimensions(p.cx(), &params) {
            return Err(p.error_in(at, wrong.to_string()));
        }
        let kind = terrace_ir::AttrKind::Dialect { def: ConvDimensionNumbers::DEF, params: params.into() };
        let numbers = p.cx().attr(kind);
        p.set_attr("dimension_numbers", numbers);
        p.punct(",")?;
        p.keyword("window")?;
        p.punct("=")?;
        p.punct("{")?;
        windows::read_window(p)?;
        p.punct("}")?;
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text("(");
        p.operands(ir.operands(self.0));
        p.text(") dim_numbers = ");
        if let terrace_ir::AttrKind::Dialect { params, .. } = self.dimension_numbers(ir).kind(cx) {
            let mut text = String::new();
            windows::spell_dimensions(cx, params, &mut text);
            p.text(&text);
        }
        p.text(", window = {");
        windows::print_window(p);
        p.text("}");
        let elide = [
            "dimension_numbers",
            "window_strides",
            "padding",
            "lhs_dilation",
            "rhs_dilation",
            "window_reversal",
        ];
        print_function(p, &elide);
    }
}

impl CustomAsm for Tuple {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = p.operands(Delim::None)?;
        p.attr_dict()?;
        p.punct(":")?;
        let at = p.here();
        let ty = p.ty()?;
        let TypeKind::Tuple(types) = ty.kind(p.cx()) else {
            return Err(p.error_in(at, "expected tuple type"));
        };
        p.resolve_all(&operands, types)?;
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(if ir.num_operands(self.0) > 0 { " " } else { "" });
        p.operands(ir.operands(self.0));
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl CustomAsm for AfterAll {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let operands = p.operands(Delim::None)?;
        p.attr_dict()?;
        finish_same(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(if ir.num_operands(self.0) > 0 { " " } else { "" });
        p.operands(ir.operands(self.0));
        p.attr_dict(&[]);
        print_same_types(p);
    }
}

impl CustomAsm for OptimizationBarrier {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        p.attr_dict()?;
        if p.punct_opt("(") {
            return p.punct(")");
        }
        let operands = p.operands(Delim::None)?;
        let types = p.colon_types()?;
        p.resolve_all(&operands, &types)?;
        p.add_results(&types);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.attr_dict(&[]);
        if ir.num_operands(self.0) == 0 {
            return p.text(" ()");
        }
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.text(" : ");
        p.types(ir.operands(self.0).map(|value| ir.ty(value)));
    }
}

impl CustomAsm for CustomCall {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let name = p.symbol_name()?;
        let name = p.cx().str_attr(p.cx().str(name));
        p.set_attr("call_target_name", name);
        let operands = p.operands(Delim::Paren)?;
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" ");
        if let Some(name) = self.call_target_name(ir).as_str_id(cx) {
            p.symbol(name);
        }
        p.text("(");
        p.operands(ir.operands(self.0));
        p.text(")");
        print_function(p, &["call_target_name"]);
    }
}

impl CustomAsm for Composite {
    fn parse(p: &mut OpParser<'_, '_>) -> Done {
        let text = p.string()?;
        let name = p.cx().str_attr(&text);
        p.set_attr("name", name);
        let operands = p.operands(Delim::None)?;
        p.list(Delim::OptionalParen, |p| p.region(&[]))?;
        finish_function(p, &operands)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" ");
        p.string(self.name(ir).as_str(cx).unwrap_or(""));
        p.text(if ir.num_operands(self.0) > 0 { " " } else { "" });
        p.operands(ir.operands(self.0));
        let regions: Vec<_> = ir.regions(self.0).collect();
        for (n, region) in regions.iter().enumerate() {
            p.text(if n > 0 { ", " } else { " (" });
            p.region(*region, true, true);
        }
        p.text(if regions.is_empty() { "" } else { ")" });
        print_function(p, &["name"]);
    }
}

/// Values that a region's arguments begin with
pub(super) fn print_bindings(p: &mut OpPrinter<'_>, args: &[Value], values: impl Iterator<Item = Value>) {
    p.text("(");
    for (n, (arg, value)) in args.iter().zip(values).enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.operand(*arg);
        p.text(" = ");
        p.operand(value);
    }
    p.text(")");
}
