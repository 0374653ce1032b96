//! A handwritten dialect, so that these tests need no other crate: modules, functions, a few ops.
#![allow(dead_code)] // each test binary uses a part

use std::sync::Arc;
use terrace_diag::{Diags, Reported};
use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::defs::{AttrSpec, EnumDef, OpDef, ParamSpec, RegionSpec, SuccessorSpec, TypeDef, ValueSpec};
use terrace_ir::rules::{self, AttrRule, TypeRule};
use terrace_ir::{
    Arity, AttrConstraint, AttrForm, Context, Dialect, Ir, OpId, Slot, Traits, TypeConstraint, TypeRel,
};
use terrace_text::{CustomAsm, OpParser, OpPrinter, ParseOptions, PrintOptions, parse, print};

static ANY: TypeConstraint = rules::AnyType::RULE;
static I1: TypeConstraint = rules::I1::RULE;
static ANY_ATTR: AttrConstraint = rules::AnyAttr::RULE;
static NAME: AttrConstraint = rules::SymbolName::RULE;
static UNIT: AttrConstraint = rules::UnitAttr::RULE;
static TYPED: AttrConstraint = rules::TypedAttr::RULE;
static TYPE: AttrConstraint = rules::TypeAttr::RULE;
static MODE: AttrConstraint =
    AttrConstraint { what: "mode", test: |_, _| true, form: AttrForm::Enum(&MODES) };
static MODES: EnumDef =
    EnumDef { name: "toy.mode", cases: &[("off", 0), ("fast", 1), ("safe", 2)], flags: true, separator: "," };

const fn op(name: &'static str) -> OpDef {
    OpDef::named(name)
}

const fn value(name: &'static str, arity: Arity) -> ValueSpec {
    ValueSpec { name, arity, ty: &ANY }
}

const fn attr(name: &'static str, attr: &'static AttrConstraint, optional: bool) -> AttrSpec {
    AttrSpec { name, attr, optional, default: None }
}

const fn region(name: &'static str, single_block: bool, may_be_empty: bool) -> RegionSpec {
    RegionSpec { name, variadic: false, single_block, may_be_empty }
}

const UNIT_TRAITS: Traits = Traits::Unit.and(Traits::IsolatedFromAbove).and(Traits::Symbol);

static MODULE: OpDef = OpDef {
    attrs: &[attr("sym_name", &NAME, true)],
    regions: &[region("body", true, false)],
    traits: UNIT_TRAITS.and(Traits::SymbolTable).and(Traits::NoTerminator),
    asm: &[
        Asm::Optional { anchor: Anchor::Attr(0), then: &[Asm::Attr(0)], otherwise: &[] },
        Asm::AttrDictWithKeyword,
        Asm::Region(0),
    ],
    ..op("builtin.module")
};

static FUNC: OpDef = OpDef {
    attrs: &[attr("sym_name", &NAME, false), attr("function_type", &TYPE, false)],
    regions: &[region("body", false, true)],
    traits: UNIT_TRAITS.and(Traits::FunctionLike),
    interfaces: &[Func::ENTRY],
    ..op("func.func")
};

static RETURN: OpDef = OpDef {
    operands: &[value("operands", Arity::Variadic)],
    traits: Traits::Terminator,
    asm: &[
        Asm::AttrDict,
        Asm::Optional {
            anchor: Anchor::Operand(0),
            then: &[Asm::Operand(0), Asm::Lit(":"), Asm::OperandType(0)],
            otherwise: &[],
        },
    ],
    ..op("func.return")
};

static ADD: OpDef = OpDef {
    operands: &[value("lhs", Arity::One), value("rhs", Arity::One)],
    results: &[value("sum", Arity::One)],
    attrs: &[AttrSpec {
        name: "mode",
        attr: &MODE,
        optional: false,
        default: Some(&|cx| cx.enum_attr(&MODES, 0)),
    }],
    relations: &[TypeRel::Same(&[Slot::Operand(0), Slot::Operand(1), Slot::Result(0)])],
    asm: &[
        Asm::Operand(0),
        Asm::Lit(","),
        Asm::Operand(1),
        Asm::Optional {
            anchor: Anchor::Attr(0),
            then: &[Asm::Lit("mode"), Asm::Lit("<"), Asm::Attr(0), Asm::Lit(">")],
            otherwise: &[],
        },
        Asm::AttrDict,
        Asm::Lit(":"),
        Asm::ResultType(0),
    ],
    ..op("toy.add")
};

static CONSTANT: OpDef = OpDef {
    results: &[value("value", Arity::One)],
    attrs: &[attr("value", &TYPED, false)],
    relations: &[TypeRel::TypeOfAttr { attr: 0, to: Slot::Result(0) }],
    asm: &[Asm::AttrDict, Asm::Attr(0)],
    ..op("toy.constant")
};

static BRANCH: OpDef = OpDef {
    operands: &[
        ValueSpec { name: "condition", arity: Arity::One, ty: &I1 },
        value("a", Arity::Variadic),
        value("b", Arity::Variadic),
    ],
    successors: &[
        SuccessorSpec { name: "yes", variadic: false, operands: Some(1) },
        SuccessorSpec { name: "no", variadic: false, operands: Some(2) },
    ],
    traits: Traits::Terminator,
    asm: &[
        Asm::Operand(0),
        Asm::Lit(","),
        Asm::Successor(0),
        Asm::Optional {
            anchor: Anchor::Operand(1),
            then: &[Asm::Lit("("), Asm::Operand(1), Asm::Lit(":"), Asm::OperandType(1), Asm::Lit(")")],
            otherwise: &[],
        },
        Asm::Lit(","),
        Asm::Successor(1),
        Asm::Optional {
            anchor: Anchor::Operand(2),
            then: &[Asm::Lit("("), Asm::Operand(2), Asm::Lit(":"), Asm::OperandType(2), Asm::Lit(")")],
            otherwise: &[],
        },
        Asm::AttrDict,
    ],
    ..op("toy.branch")
};

static YIELD: OpDef = OpDef { traits: Traits::Terminator, asm: &[Asm::AttrDict], ..op("toy.yield") };

static ONCE: OpDef = OpDef {
    attrs: &[attr("quiet", &UNIT, true), attr("note", &ANY_ATTR, true)],
    regions: &[region("body", true, false)],
    implicit_terminator: Some("toy.yield"),
    asm: &[
        Asm::Optional { anchor: Anchor::Attr(0), then: &[Asm::Lit("quiet"), Asm::Attr(0)], otherwise: &[] },
        Asm::Region(0),
        Asm::AttrDict,
    ],
    ..op("toy.once")
};

static PAIR: TypeDef = TypeDef {
    name: "toy.pair",
    docs: "",
    params: &[ParamSpec { name: "first", attr: &TYPE }, ParamSpec { name: "second", attr: &TYPE }],
    verify: Some(&|_, params| {
        if params[0] == params[1] { Err("the two must differ".into()) } else { Ok(()) }
    }),
    interfaces: &[],
};

static BUILTIN: Dialect = dialect("builtin", &[&MODULE], &[], &[]);
static FUNCS: Dialect = dialect("func", &[&FUNC, &RETURN], &[], &[]);
static TOY: Dialect = dialect("toy", &[&ADD, &BRANCH, &CONSTANT, &ONCE, &YIELD], &[&PAIR], &[&MODES]);

const fn dialect(
    name: &'static str,
    ops: &'static [&'static OpDef],
    types: &'static [&'static TypeDef],
    enums: &'static [&'static EnumDef],
) -> Dialect {
    Dialect {
        name,
        docs: "",
        ops,
        types,
        attrs: &[],
        enums,
        codes: &[],
        interfaces: &[],
        materialize: None,
        verify_attr: None,
    }
}

struct Func;

impl From<OpId> for Func {
    fn from(_: OpId) -> Self {
        Func
    }
}

impl CustomAsm for Func {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        p.own_symbol()?;
        let signature = p.signature()?;
        let inputs: Vec<_> = signature.args.iter().map(|arg| arg.ty).collect();
        let results: Vec<_> = signature.results.iter().map(|result| result.0).collect();
        p.set_attr("function_type", p.cx().type_attr(p.cx().function(&inputs, &results)));
        p.attr_dict_with_keyword()?;
        let args: Vec<_> = signature.args.iter().filter_map(|arg| Some((arg.name?, arg.ty))).collect();
        p.region_opt(&args)?;
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, op) = (p.ir(), p.op());
        p.text(" ");
        if let Some(name) = ir.attr(op, "sym_name").and_then(|name| name.as_str_id(ir.cx())) {
            p.symbol(name);
        }
        p.text("(");
        let body = ir.region(op, 0);
        for (n, arg) in ir.entry(body).map_or(&[][..], |entry| ir.block_args(entry)).iter().enumerate() {
            if n > 0 {
                p.text(", ");
            }
            p.block_arg_with_type(*arg);
        }
        p.text(") ");
        p.region(body, false, true);
    }
}

pub fn context() -> Arc<Context> {
    Context::new(&[&BUILTIN, &FUNCS, &TOY])
}

/// Parse; the module and the errors as `line:col code message`
pub fn parse_with(text: &str, options: &ParseOptions) -> (Option<Ir>, Vec<String>) {
    let cx = context();
    let source = cx.sources().add("t.mlir", text);
    let mut diags = Diags::default();
    let ir = parse(&cx, source, options, &mut diags);
    let show = |d: &terrace_diag::Diagnostic| {
        let (line, col) = d.span.map_or((0, 0), |span| cx.sources().line_col(source, span.start));
        let help = if d.help.is_empty() { String::new() } else { format!(" ({})", d.help.join("; ")) };
        format!("{line}:{col} {}{help}", d.headline())
    };
    (ir, diags.iter().map(show).collect())
}

pub fn lenient() -> ParseOptions {
    ParseOptions { allow_unregistered: true, ..ParseOptions::default() }
}

pub fn errors(text: &str) -> Vec<String> {
    parse_with(text, &lenient()).1
}

/// Parse and print in generic form
pub fn generic(text: &str) -> String {
    printed(text, &PrintOptions { generic: true, ..PrintOptions::default() })
}

pub fn printed(text: &str, options: &PrintOptions) -> String {
    let (ir, errors) = parse_with(text, &lenient());
    let mut out = String::new();
    match ir {
        Some(ir) => print(&ir, options, &mut out),
        None => panic!("{text}\n{}", errors.join("\n")),
    }
    out
}
