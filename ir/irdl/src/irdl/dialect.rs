//! The ops of upstream's `irdl` dialect, with their syntax.
//!
//! Files of definitions are read in a context that has this dialect, and never printed: printing is not here.

use crate::codes;
use terrace_diag::Reported;
use terrace_ir::defs::{AttrConstraint, AttrForm, RegionSpec, TypeConstraint, TypeDef, ValueSpec};
use terrace_ir::interface::Interface;
use terrace_ir::{Arity, Attr, AttrSpec, Context, Dialect, OpDef, Traits, Type, TypeKind};
use terrace_text::{CustomAsmTable, Delim, OpParser};

static ATTRIBUTE: TypeDef =
    TypeDef { name: "irdl.attribute", docs: "", params: &[], verify: None, interfaces: &[] };
static REGION: TypeDef =
    TypeDef { name: "irdl.region", docs: "", params: &[], verify: None, interfaces: &[] };

fn attribute(cx: &Context) -> Type {
    cx.ty(TypeKind::Dialect { def: &ATTRIBUTE, params: [].into() })
}

fn region(cx: &Context) -> Type {
    cx.ty(TypeKind::Dialect { def: &REGION, params: [].into() })
}

static VALUE: TypeConstraint =
    TypeConstraint { what: "a constraint", test: |cx, ty| ty == attribute(cx), only: Some(&attribute) };
static REGION_VALUE: TypeConstraint =
    TypeConstraint { what: "a region", test: |cx, ty| ty == region(cx), only: Some(&region) };
static ANY: AttrConstraint =
    AttrConstraint { what: "any attribute", test: |_, _| true, form: AttrForm::Full };

const ARGS: ValueSpec = ValueSpec { name: "args", arity: Arity::Variadic, ty: &VALUE };
const REGIONS: ValueSpec = ValueSpec { name: "args", arity: Arity::Variadic, ty: &REGION_VALUE };
const OUTPUT: ValueSpec = ValueSpec { name: "output", arity: Arity::One, ty: &VALUE };
const REGION_OUTPUT: ValueSpec = ValueSpec { name: "output", arity: Arity::One, ty: &REGION_VALUE };
const BODY: RegionSpec = RegionSpec { name: "body", variadic: false, single_block: true, may_be_empty: true };

const fn attr(name: &'static str) -> AttrSpec {
    AttrSpec { name, attr: &ANY, optional: false, default: None }
}

const fn maybe(name: &'static str) -> AttrSpec {
    AttrSpec { name, attr: &ANY, optional: true, default: None }
}

macro_rules! ops {
    ($($ident:ident $name:literal $parse:path { $($field:ident: $value:expr),* };)*) => {
        $(
            /// Table of the op
            pub static $ident: OpDef = OpDef {
                interfaces: &[Interface::new(const { &CustomAsmTable { parse: $parse, print: |_, _| {} } })],
                $($field: $value,)*
                ..OpDef::named($name)
            };
        )*
        const ALL: &[&OpDef] = &[$(&$ident),*];
    };
}

ops! {
    ALL_OF "irdl.all_of" list { operands: &[ARGS], results: &[OUTPUT] };
    ANYTHING "irdl.any" nothing { results: &[OUTPUT] };
    ANY_OF "irdl.any_of" list { operands: &[ARGS], results: &[OUTPUT] };
    ATTRIBUTE_OP "irdl.attribute" scope { attrs: &[attr("sym_name")], regions: &[BODY], traits: SCOPE };
    ATTRIBUTES "irdl.attributes" attributes { operands: &[ARGS], attrs: &[attr("attributeValueNames")] };
    BASE "irdl.base" base { results: &[OUTPUT], attrs: &[maybe("base_ref"), maybe("base_name")] };
    C_PRED "irdl.c_pred" predicate { results: &[OUTPUT], attrs: &[attr("pred")] };
    DIALECT_OP "irdl.dialect" scope { attrs: &[attr("sym_name")], regions: &[BODY], traits: SCOPE };
    IS "irdl.is" is { results: &[OUTPUT], attrs: &[attr("expected")] };
    OPERANDS "irdl.operands" fields { operands: &[ARGS], attrs: &[attr("names"), attr("variadicity")] };
    OPERATION "irdl.operation" scope { attrs: &[attr("sym_name")], regions: &[BODY], traits: SCOPE };
    PARAMETERS "irdl.parameters" names { operands: &[ARGS], attrs: &[attr("names")] };
    PARAMETRIC "irdl.parametric" parametric { operands: &[ARGS], results: &[OUTPUT], attrs: &[attr("base_type")] };
    REGION_OP "irdl.region" region_op {
        operands: &[ARGS], results: &[REGION_OUTPUT],
        attrs: &[maybe("numberOfBlocks"), maybe("constrainedArguments")]
    };
    REGIONS_OP "irdl.regions" regions { operands: &[REGIONS], attrs: &[attr("names")] };
    RESULTS "irdl.results" fields { operands: &[ARGS], attrs: &[attr("names"), attr("variadicity")] };
    TYPE_OP "irdl.type" scope { attrs: &[attr("sym_name")], regions: &[BODY], traits: SCOPE };
}

const SCOPE: Traits = Traits::NoTerminator.and(Traits::SingleBlock);

/// The dialect
pub static IRDL: Dialect = Dialect {
    name: "irdl",
    docs: "",
    ops: ALL,
    types: &[&ATTRIBUTE, &REGION],
    attrs: &[],
    enums: &[],
    codes: codes::ALL,
    interfaces: &[],
    materialize: None,
    verify_attr: None,
};

type Read = Result<(), Reported>;

/// `@name { … }`
fn scope(p: &mut OpParser<'_, '_>) -> Read {
    p.own_symbol()?;
    p.attr_dict_with_keyword()?;
    p.region_opt(&[]).map(|_| ())
}

fn nothing(p: &mut OpParser<'_, '_>) -> Read {
    p.attr_dict()?;
    p.add_result(attribute(p.cx()));
    Ok(())
}

fn values(p: &mut OpParser<'_, '_>, delim: Delim) -> Read {
    let (cx, operands) = (p.cx(), p.operands(delim)?);
    operands.iter().try_for_each(|operand| p.resolve(operand, attribute(cx)))
}

/// `(%a, %b)`
fn list(p: &mut OpParser<'_, '_>) -> Read {
    values(p, Delim::Paren)?;
    nothing(p)
}

fn is(p: &mut OpParser<'_, '_>) -> Read {
    let expected = p.attr()?;
    p.set_attr("expected", expected);
    nothing(p)
}

/// `@type` or `"!dialect.type"`
fn base(p: &mut OpParser<'_, '_>) -> Read {
    if p.at_punct("@") {
        let reference = p.symbol_ref()?;
        p.set_attr("base_ref", reference);
    } else {
        let name = p.string()?;
        p.set_attr("base_name", p.cx().str_attr(&name));
    }
    nothing(p)
}

fn predicate(p: &mut OpParser<'_, '_>) -> Read {
    let code = p.string()?;
    p.set_attr("pred", p.cx().str_attr(&code));
    nothing(p)
}

/// `@type<%a, %b>`
fn parametric(p: &mut OpParser<'_, '_>) -> Read {
    let reference = p.symbol_ref()?;
    p.set_attr("base_type", reference);
    p.punct("<")?;
    values(p, Delim::None)?;
    p.punct(">")?;
    nothing(p)
}

/// `(a: %a, b: variadic %b)`
fn named(p: &mut OpParser<'_, '_>, ty: Type, variadicity: bool) -> Read {
    let cx = p.cx();
    let (mut names, mut arities, mut operands) = (Vec::new(), Vec::new(), Vec::new());
    p.list(Delim::Paren, |p| {
        let Some(name) = p.any_keyword_opt() else {
            return Err(p.error("expected a name: `name: %constraint`"));
        };
        names.push(cx.str_attr(name));
        p.punct(":")?;
        let words = ["single", "optional", "variadic"];
        let word = words.into_iter().find(|word| variadicity && p.keyword_opt(word)).unwrap_or("single");
        arities.push(cx.str_attr(word));
        operands.push(p.operand()?);
        Ok(())
    })?;
    operands.iter().try_for_each(|operand| p.resolve(operand, ty))?;
    p.set_attr("names", cx.array_attr(&names));
    if variadicity {
        p.set_attr("variadicity", cx.array_attr(&arities));
    }
    p.attr_dict()
}

fn fields(p: &mut OpParser<'_, '_>) -> Read {
    named(p, attribute(p.cx()), true)
}

fn names(p: &mut OpParser<'_, '_>) -> Read {
    named(p, attribute(p.cx()), false)
}

fn regions(p: &mut OpParser<'_, '_>) -> Read {
    named(p, region(p.cx()), false)
}

/// `{"a" = %a, "b" = %b}`
fn attributes(p: &mut OpParser<'_, '_>) -> Read {
    let cx = p.cx();
    let (mut names, mut operands) = (Vec::<Attr>::new(), Vec::new());
    p.punct("{")?;
    while !p.at_punct("}") {
        names.push(cx.str_attr(&p.string()?));
        p.punct("=")?;
        operands.push(p.operand()?);
        if !p.punct_opt(",") {
            break;
        }
    }
    p.punct("}")?;
    operands.iter().try_for_each(|operand| p.resolve(operand, attribute(cx)))?;
    p.set_attr("attributeValueNames", cx.array_attr(&names));
    p.attr_dict()
}

/// `(%a, %b) with size 3`, both of which may be left out
fn region_op(p: &mut OpParser<'_, '_>) -> Read {
    let cx = p.cx();
    if p.at_punct("(") {
        values(p, Delim::Paren)?;
        p.set_attr("constrainedArguments", cx.common().unit);
    }
    if p.keyword_opt("with") {
        p.keyword("size")?;
        let size = p.int()?;
        p.set_attr("numberOfBlocks", cx.int_attr(size, cx.common().i32));
    }
    p.attr_dict()?;
    p.add_result(region(cx));
    Ok(())
}
