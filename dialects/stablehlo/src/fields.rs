//! Text of attributes that are named fields: `<name = value, …>`.

use terrace_diag::Reported;
use terrace_ir::show::{Shower, push_int};
use terrace_ir::{Attr, DYNAMIC};
use terrace_text::{Delim, OpParser};

/// A field: its name and what it holds
#[derive(Clone, Copy)]
pub enum Field {
    /// `[1, 2]`
    List(&'static str),
    /// `1`
    Number(&'static str),
    /// `f32`
    Type(&'static str),
    /// `true`
    Bool(&'static str),
}

/// Fields of a product's algorithm
pub const ALGORITHM: &[Field] = &[
    Field::Type("lhs_precision_type"),
    Field::Type("rhs_precision_type"),
    Field::Type("accumulation_type"),
    Field::Number("lhs_component_count"),
    Field::Number("rhs_component_count"),
    Field::Number("num_primitive_operations"),
    Field::Bool("allow_imprecise_accumulation"),
];
/// Fields of a custom call's alias
pub const ALIAS: &[Field] = &[
    Field::List("output_tuple_indices"),
    Field::Number("operand_index"),
    Field::List("operand_tuple_indices"),
];
/// Fields of a channel
pub const CHANNEL: &[Field] = &[Field::Number("handle"), Field::Number("type")];
/// Fields of a convolution's dimensions in the form that is checked by the verifier alone
pub const CONVOLUTION: &[Field] = &[
    Field::Number("input_batch_dimension"),
    Field::Number("input_feature_dimension"),
    Field::List("input_spatial_dimensions"),
    Field::Number("kernel_input_feature_dimension"),
    Field::Number("kernel_output_feature_dimension"),
    Field::List("kernel_spatial_dimensions"),
    Field::Number("output_batch_dimension"),
    Field::Number("output_feature_dimension"),
    Field::List("output_spatial_dimensions"),
];

impl Field {
    fn name(self) -> &'static str {
        match self {
            Field::List(name) | Field::Number(name) | Field::Type(name) | Field::Bool(name) => name,
        }
    }

    fn read(self, p: &mut OpParser<'_, '_>) -> Result<Attr, Reported> {
        match self {
            Field::List(_) => {
                let all = sizes(p, Delim::Square)?;
                Ok(p.cx().i64_array(&all))
            }
            Field::Number(_) => {
                let number = p.int64()?;
                Ok(number_attr(p, number))
            }
            Field::Type(_) => {
                let ty = p.ty()?;
                Ok(p.cx().type_attr(ty))
            }
            Field::Bool(_) => {
                let word = p.one_of(&["false", "true"])?;
                Ok(p.cx().bool_attr(word == 1))
            }
        }
    }

    /// The value of a field that is left out
    fn absent(self, p: &OpParser<'_, '_>) -> Attr {
        match self {
            Field::List(_) => p.cx().i64_array(&[]),
            _ => number_attr(p, 0),
        }
    }

    fn spell(self, w: &mut Shower<'_>, attr: Attr) {
        w.out.push_str(self.name());
        w.out.push_str(" = ");
        let cx = w.cx;
        match (self, attr.as_int(cx)) {
            (Field::List(_), _) => {
                w.out.push('[');
                for (n, number) in attr.as_dense_array(cx).unwrap_or(&[]).iter().enumerate() {
                    w.out.push_str(if n > 0 { ", " } else { "" });
                    size(w, *number);
                }
                w.out.push(']');
            }
            (Field::Bool(_), Some((value, _))) => w.out.push_str(if value == 0 { "false" } else { "true" }),
            (Field::Number(_), Some((value, _))) => push_int(&mut w.out, value),
            _ => w.attr(attr),
        }
    }
}

fn number_attr(p: &OpParser<'_, '_>, number: i64) -> Attr {
    p.cx().int_attr(number.into(), p.cx().common().i64)
}

/// A size, `?` where it is not known
pub fn size(w: &mut Shower<'_>, size: i64) {
    if size == DYNAMIC {
        w.out.push('?');
    } else {
        push_int(&mut w.out, size.into());
    }
}

/// Sizes between delimiters
pub fn sizes(p: &mut OpParser<'_, '_>, delim: Delim) -> Result<Vec<i64>, Reported> {
    let mut all = Vec::new();
    p.list(delim, |p| {
        all.push(if p.punct_opt("?") { DYNAMIC } else { p.int64()? });
        Ok(())
    })?;
    Ok(all)
}

/// Print the fields that are neither empty nor zero
pub fn spell(w: &mut Shower<'_>, fields: &[Field], params: &[Attr]) {
    w.out.push('<');
    let mut any = false;
    for (field, param) in fields.iter().zip(params) {
        let cx = w.cx;
        let empty = param.as_dense_array(cx).is_some_and(<[i64]>::is_empty) || param.as_i64(cx) == Some(0);
        if !empty {
            w.out.push_str(if any { ", " } else { "" });
            any = true;
            field.spell(w, *param);
        }
    }
    w.out.push('>');
}

/// Print all fields
pub fn spell_all(w: &mut Shower<'_>, fields: &[Field], params: &[Attr]) {
    w.out.push('<');
    for (n, (field, param)) in fields.iter().zip(params).enumerate() {
        w.out.push_str(if n > 0 { ", " } else { "" });
        field.spell(w, *param);
    }
    w.out.push('>');
}

/// Fields in any order, those that are left out empty
pub fn read(p: &mut OpParser<'_, '_>, fields: &[Field]) -> Result<Vec<Attr>, Reported> {
    p.punct("<")?;
    read_rest(p, fields)
}

/// The same behind the bracket
pub fn read_rest(p: &mut OpParser<'_, '_>, fields: &[Field]) -> Result<Vec<Attr>, Reported> {
    let words: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    let mut found = vec![None; fields.len()];
    while !p.punct_opt(">") {
        let at = p.here();
        let n = p.one_of(&words)?;
        if found[n].is_some() {
            return Err(p.error_in(at, format!("duplicated `{}` entry", words[n])));
        }
        p.punct("=")?;
        found[n] = Some(fields[n].read(p)?);
        if !p.punct_opt(",") {
            p.punct(">")?;
            break;
        }
    }
    Ok(fields.iter().zip(found).map(|(field, attr)| attr.unwrap_or_else(|| field.absent(p))).collect())
}

/// All fields in order
pub fn read_all(p: &mut OpParser<'_, '_>, fields: &[Field]) -> Result<Vec<Attr>, Reported> {
    p.punct("<")?;
    let mut found = Vec::new();
    for (n, field) in fields.iter().enumerate() {
        if n > 0 {
            p.punct(",")?;
        }
        p.keyword(field.name())?;
        p.punct("=")?;
        found.push(field.read(p)?);
    }
    p.punct(">")?;
    Ok(found)
}

/// `<atol = 1.0, ulps = 2, mode = …>`: what is zero is left out, the mode is not
pub fn spell_accuracy(w: &mut Shower<'_>, params: &[Attr]) {
    let &[atol, rtol, ulps, mode] = params else { return };
    let cx = w.cx;
    w.out.push('<');
    for (name, attr) in [("atol", atol), ("rtol", rtol)] {
        if attr.as_float(cx).is_some_and(|(bits, _)| f64::from_bits(bits) != 0.0) {
            w.out.push_str(name);
            w.out.push_str(" = ");
            w.attr_value(attr);
            w.out.push_str(", ");
        }
    }
    if ulps.as_i64(cx) != Some(0) {
        Field::Number("ulps").spell(w, ulps);
        w.out.push_str(", ");
    }
    w.out.push_str("mode = ");
    w.attr(mode);
    w.out.push('>');
}

/// The same, read
pub fn read_accuracy(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
    let f64 = p.cx().common().f64;
    let zero = p.cx().float_attr(0, f64);
    let mut found = [zero, zero, number_attr(p, 0)];
    p.punct("<")?;
    for (n, name) in ["atol", "rtol", "ulps"].into_iter().enumerate() {
        if p.keyword_opt(name) {
            p.punct("=")?;
            found[n] = if n < 2 { p.attr_of(f64)? } else { Field::Number(name).read(p)? };
            p.punct(",")?;
        }
    }
    p.keyword("mode")?;
    p.punct("=")?;
    let mode = p.attr()?;
    p.punct(">")?;
    Ok([&found[..], &[mode]].concat())
}
