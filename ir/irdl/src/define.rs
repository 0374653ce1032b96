//! Definitions from a description. They are leaked: a context keeps definitions for good.

use crate::constraint::Found;
use crate::description::{
    Attribute, Constant, Description, Form, Left, Only, Op, Params, Plain, Relation, Value,
};
use crate::made::{Made, leak, leak_all, leak_str};
use crate::verify::{OpRules, verify};
use crate::{constraint::Graph, description, format};
use terrace_asm_format::FieldRef;
use terrace_ir::asm::{ParamFormat, ParamPiece};
use terrace_ir::defs::{
    AttrConstraint, AttrDef, AttrForm, CheckParams, Make, ParamSpec, RegionSpec, SuccessorSpec,
    TypeConstraint, TypeDef, ValueSpec,
};
use terrace_ir::interface::Interface;
use terrace_ir::{Attr, AttrSpec, Context, Dialect, OpDef, Slot, Type, TypeKind, TypeRel};

/// A dialect that is loaded
pub struct Loaded {
    /// Its definitions
    pub dialect: &'static Dialect,
    /// What only C++ code knows of it
    pub left: Vec<Left>,
}

/// Make the definitions of a dialect
pub fn define(mut description: Description) -> Loaded {
    let name = leak_str(&description.name);
    let graph: &'static Graph = leak(std::mem::take(&mut description.graph));
    let mut made = Made { graph, types: Vec::new(), attrs: Vec::new() };
    // Forms refer to attributes by index, to those before them only.
    for params in &description.attrs {
        let (specs, verify, interfaces) = parameters(&made, params);
        let full = leak_str(&format!("{name}.{}", params.name));
        made.attrs.push(leak(AttrDef { name: full, docs: "", params: specs, verify, interfaces }));
    }
    for params in &description.types {
        let (specs, verify, interfaces) = parameters(&made, params);
        let full = leak_str(&format!("{name}.{}", params.name));
        made.types.push(leak(TypeDef { name: full, docs: "", params: specs, verify, interfaces }));
    }
    let mut ops: Vec<&'static OpDef> = Vec::new();
    for op in std::mem::take(&mut description.ops) {
        ops.push(leak(op_def(name, &made, op, &mut description)));
    }
    ops.sort_by_key(|def| def.name);
    let interfaces = match description.open {
        true => leak_all(vec![Interface::new(&terrace_text::OtherSyntax)]),
        false => &[],
    };
    let dialect = leak(Dialect {
        name,
        docs: "",
        ops: leak_all(ops),
        types: leak_all(made.types),
        attrs: leak_all(made.attrs),
        enums: leak_all(description.enums),
        codes: &[],
        interfaces,
        materialize: None,
        verify_attr: None,
    });
    Loaded { dialect, left: description.left }
}

fn parameters(
    made: &Made,
    params: &Params,
) -> (&'static [ParamSpec], Option<CheckParams>, &'static [Interface]) {
    let specs = params.params.iter().map(|param| ParamSpec {
        name: leak_str(&param.name),
        attr: leak(AttrConstraint { what: "any attribute", test: |_, _| true, form: form(made, param.form) }),
    });
    let specs = leak_all(specs.collect());
    let interfaces: &'static [Interface] = match &params.format {
        None => &[],
        Some(pieces) => {
            let pieces = pieces.iter().map(|piece| match piece {
                description::ParamPiece::Lit(text) => ParamPiece::Lit(leak_str(text)),
                description::ParamPiece::Param(n) => ParamPiece::Param(*n as u8),
                description::ParamPiece::Items(n) => ParamPiece::Items(*n as u8),
                description::ParamPiece::Verbatim(n) => ParamPiece::Verbatim(*n as u8),
            });
            leak_all(vec![Interface::new(leak(ParamFormat(leak_all(pieces.collect()))))])
        }
    };
    let (graph, nodes) = (made.graph, params.params.iter().map(|param| param.node).collect::<Vec<_>>());
    let names: Vec<String> = params.params.iter().map(|param| param.name.clone()).collect();
    let check = move |cx: &Context, values: &[Attr]| check_params(graph, &nodes, &names, cx, values);
    (specs, Some(leak(check)), interfaces)
}

fn check_params(
    graph: &Graph,
    nodes: &[usize],
    names: &[String],
    cx: &Context,
    values: &[Attr],
) -> Result<(), String> {
    for ((node, name), value) in nodes.iter().zip(names).zip(values) {
        if graph.accepts(cx, *node, *value) == Found::No {
            let (what, text) = (graph.describe(*node), terrace_ir::show::attr_text(cx, *value));
            return Err(format!("parameter `{name}` must be {what}, but is `{text}`"));
        }
    }
    let goals = nodes.iter().copied().zip(values.iter().copied()).collect();
    match graph.solve(cx, goals) {
        Found::No => Err("the parameters do not satisfy their constraints together".to_string()),
        _ => Ok(()),
    }
}

/// A builtin type
pub(crate) fn plain(cx: &Context, plain: Plain) -> Type {
    match plain {
        Plain::Int(width) => cx.int(width),
        Plain::Index => cx.common().index,
        Plain::Float(kind) => cx.ty(TypeKind::Float(kind)),
        Plain::None => cx.common().none,
    }
}

/// Functions without data, for forms of attributes: only some types occur there
fn maker(of: Plain) -> Option<fn(&Context) -> Type> {
    use terrace_ir::FloatKind as F;
    Some(match of {
        Plain::Int(1) => |cx| cx.common().i1,
        Plain::Int(8) => |cx| cx.common().i8,
        Plain::Int(16) => |cx| cx.common().i16,
        Plain::Int(32) => |cx| cx.common().i32,
        Plain::Int(64) => |cx| cx.common().i64,
        Plain::Index => |cx| cx.common().index,
        Plain::None => |cx| cx.common().none,
        Plain::Float(F::F16) => |cx| cx.common().f16,
        Plain::Float(F::F32) => |cx| cx.common().f32,
        Plain::Float(F::F64) => |cx| cx.common().f64,
        _ => return None,
    })
}

fn form(made: &Made, form: Form) -> AttrForm {
    match form {
        Form::Full => AttrForm::Full,
        Form::Bare(of) => maker(of).map_or(AttrForm::Full, AttrForm::Bare),
        Form::List(of) => maker(of).map_or(AttrForm::Full, AttrForm::List),
        Form::Enum(def, _) => AttrForm::Enum(def),
        Form::IntEnum(def, width) => {
            maker(Plain::Int(width)).map_or(AttrForm::Full, |make| AttrForm::IntEnum(def, make))
        }
        Form::SymbolName => AttrForm::SymbolName,
        Form::Type => AttrForm::Type,
        Form::Unit => AttrForm::Unit,
        Form::Own(n) => made.attrs.get(n).map_or(AttrForm::Full, |def| AttrForm::Stripped(def)),
    }
}

fn constant(default: Constant) -> Make<Attr> {
    leak(move |cx: &Context| match &default {
        Constant::Int(value, of) => cx.int_attr(*value, plain(cx, *of)),
        Constant::Str(text) => cx.str_attr(text),
        Constant::Enum(def, value) => cx.enum_attr(def, *value),
        Constant::EmptyArray => cx.array_attr(&[]),
        Constant::DenseArray(of, values) => {
            cx.attr(terrace_ir::AttrKind::DenseArray { elem: plain(cx, *of), values: values.clone().into() })
        }
        Constant::Unit => cx.common().unit,
    })
}

fn value(made: &Made, field: &Value) -> ValueSpec {
    let only: Option<Make<Type>> = match &field.only {
        None => None,
        Some(Only::Plain(of)) => {
            let of = *of;
            Some(leak(move |cx: &Context| plain(cx, of)))
        }
        Some(Only::Own(name)) => {
            let find = |def: &&&'static TypeDef| def.name.split_once('.').is_some_and(|(_, own)| own == name);
            made.types.iter().find(find).copied().map(|def| -> Make<Type> {
                leak(move |cx: &Context| cx.ty(TypeKind::Dialect { def, params: [].into() }))
            })
        }
    };
    let ty = leak(TypeConstraint { what: leak_str(&field.what), test: |_, _| true, only });
    ValueSpec { name: leak_str(&field.name), arity: field.arity, ty }
}

fn attribute(made: &Made, field: &Attribute) -> AttrSpec {
    let attr =
        leak(AttrConstraint { what: leak_str(&field.what), test: |_, _| true, form: form(made, field.form) });
    AttrSpec {
        name: leak_str(&field.name),
        attr,
        optional: field.optional,
        default: field.default.clone().map(constant),
    }
}

fn slot(place: FieldRef) -> Option<Slot> {
    match place {
        FieldRef::Operand(n) => Some(Slot::Operand(n as u8)),
        FieldRef::Result(n) => Some(Slot::Result(n as u8)),
        _ => None,
    }
}

fn element(cx: &Context, ty: Type) -> Option<Type> {
    match ty.kind(cx) {
        TypeKind::Complex(part) => Some(*part),
        _ => ty.element(cx),
    }
}

fn relation(relation: &Relation) -> Option<TypeRel> {
    Some(match relation {
        Relation::Same(places) => {
            TypeRel::Same(leak_all(places.iter().filter_map(|place| slot(*place)).collect()))
        }
        Relation::Element(from, to) => TypeRel::By { from: slot(*from)?, to: slot(*to)?, make: element },
        Relation::ElementOrSelf(from, to) => {
            TypeRel::By { from: slot(*from)?, to: slot(*to)?, make: |cx, ty| element(cx, ty).or(Some(ty)) }
        }
        Relation::BoolLike(from, to) => TypeRel::BoolLike { from: slot(*from)?, to: slot(*to)? },
        Relation::SameShape(a, b) => TypeRel::SameShape(slot(*a)?, slot(*b)?),
        Relation::SameElement(a, b) => TypeRel::SameElement(slot(*a)?, slot(*b)?),
        Relation::OfAttr(FieldRef::Attr(n), to) => TypeRel::TypeOfAttr { attr: *n as u8, to: slot(*to)? },
        Relation::OfAttr(..) => return None,
    })
}

fn op_def(dialect: &'static str, made: &Made, op: Op, description: &mut Description) -> OpDef {
    let full = leak_str(&format!("{dialect}.{}", op.name));
    let asm = match op.format.as_deref().map(|text| format::pieces(text, &op, made)) {
        None => &[][..],
        Some(Ok(pieces)) => leak_all(pieces),
        Some(Err(why)) => {
            description.leave("formats", &op.name, why);
            &[]
        }
    };
    let rules = OpRules {
        graph: made.graph,
        operands: op.operands.iter().map(|field| (field.node, field.what.clone())).collect(),
        results: op.results.iter().map(|field| (field.node, field.what.clone())).collect(),
        attrs: op.attrs.iter().map(|field| (field.node, field.what.clone())).collect(),
        discardable: op.discardable.clone(),
        regions: op.regions.iter().map(|region| (region.args.clone(), region.blocks)).collect(),
    };
    let regions = op.regions.iter().map(|region| RegionSpec {
        name: leak_str(&region.name),
        variadic: region.variadic,
        single_block: region.single_block,
        may_be_empty: region.may_be_empty,
    });
    let successors = op.successors.iter().map(|(name, variadic)| SuccessorSpec {
        name: leak_str(name),
        variadic: *variadic,
        operands: None,
    });
    OpDef {
        summary: leak_str(&op.summary),
        operands: leak_all(op.operands.iter().map(|field| value(made, field)).collect()),
        results: leak_all(op.results.iter().map(|field| value(made, field)).collect()),
        attrs: leak_all(op.attrs.iter().map(|field| attribute(made, field)).collect()),
        regions: leak_all(regions.collect()),
        successors: leak_all(successors.collect()),
        traits: op.traits,
        parents: leak_all(op.parents.iter().map(|name| leak_str(name)).collect()),
        implicit_terminator: op.implicit_terminator.as_deref().map(leak_str),
        relations: leak_all(op.relations.iter().filter_map(relation).collect()),
        asm,
        effects: op.effects,
        verify: Some(verify),
        interfaces: leak_all(vec![Interface::new(leak(rules))]),
        ..OpDef::named(full)
    }
}
