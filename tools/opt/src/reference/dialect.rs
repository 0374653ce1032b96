//! The page of a dialect: what the framework knows of each op.

use super::{cell, first_line, syntax, unindented};
use terrace_interp::InterpretTable;
use terrace_ir::defs::{AttrSpec, RegionSpec, SuccessorSpec, ValueSpec};
use terrace_ir::{Arity, Context, Dialect, Effects, OpDef, Traits, TypeRel};
use terrace_text::CustomAsmTable;

/// Ops, types, attributes and enumerations
pub(super) fn page(dialect: &'static Dialect) -> String {
    let cx = Context::new(&[dialect]);
    let mut out = format!("# `{}`\n\n{}\n", dialect.name, unindented(dialect.docs));
    out.push_str("\n| Op | What |\n|---|---|\n");
    for def in dialect.ops {
        out.push_str(&format!(
            "| [`{}`](#{}) | {} |\n",
            def.name,
            anchor(def.name),
            cell(first_line(def.summary))
        ));
    }
    for def in dialect.ops {
        op(&cx, def, &mut out);
    }
    let types = dialect.types.iter().map(|def| ("!", def.name, def.docs, def.params));
    let attrs = dialect.attrs.iter().map(|def| ("#", def.name, def.docs, def.params));
    for (sigil, name, docs, params) in types.chain(attrs) {
        out.push_str(&format!("\n## `{sigil}{name}`\n\n{}\n", unindented(docs)));
        if !params.is_empty() {
            out.push_str("\n| Parameter | What |\n|---|---|\n");
            for param in params {
                out.push_str(&format!("| `{}` | {} |\n", param.name, cell(param.attr.what)));
            }
        }
    }
    for def in dialect.enums {
        let names: Vec<String> =
            def.cases.iter().map(|(name, value)| format!("`{name}` ({value})")).collect();
        let how = if def.flags { "Any of" } else { "One of" };
        out.push_str(&format!("\n## `#{}`\n\n{how} {}.\n", def.name, names.join(", ")));
    }
    out
}

fn anchor(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '_' || *c == '-').collect()
}

fn op(cx: &Context, def: &'static OpDef, out: &mut String) {
    out.push_str(&format!("\n## `{}`\n\n{}\n", def.name, unindented(def.docs)));
    let custom = def.interface::<CustomAsmTable>().is_some();
    match (def.asm.is_empty(), custom) {
        (false, _) => out.push_str(&format!("\nSyntax:\n\n```text\n{} {}\n```\n", def.name, syntax::of(def))),
        (true, true) => out.push_str("\nSyntax of its own, as in the example.\n"),
        (true, false) => out.push_str("\nGeneric syntax only.\n"),
    }
    values("Operand", def.operands, out);
    values("Result", def.results, out);
    attributes(cx, def.attrs, out);
    regions(def.regions, out);
    successors(def, out);
    facts(def, out);
}

fn values(what: &str, specs: &[ValueSpec], out: &mut String) {
    if specs.is_empty() {
        return;
    }
    out.push_str(&format!("\n| {what} | Type |\n|---|---|\n"));
    for spec in specs {
        let count = match spec.arity {
            Arity::One => "",
            Arity::Optional => "optional ",
            Arity::Variadic => "any number of ",
        };
        out.push_str(&format!("| `{}` | {count}{} |\n", spec.name, cell(spec.ty.what)));
    }
}

fn attributes(cx: &Context, specs: &[AttrSpec], out: &mut String) {
    if specs.is_empty() {
        return;
    }
    out.push_str("\n| Attribute | Kind | If absent |\n|---|---|---|\n");
    for spec in specs {
        let absent = match (spec.default, spec.optional) {
            (Some(default), _) => format!("`{}`", terrace_ir::show::attr_text(cx, default(cx))),
            (None, true) => "optional".into(),
            (None, false) => "required".into(),
        };
        out.push_str(&format!("| `{}` | {} | {} |\n", spec.name, cell(spec.attr.what), cell(&absent)));
    }
}

fn regions(specs: &[RegionSpec], out: &mut String) {
    if specs.is_empty() {
        return;
    }
    out.push_str("\n| Region | What |\n|---|---|\n");
    for spec in specs {
        let mut words = Vec::new();
        words.extend(spec.variadic.then_some("any number"));
        words.push(if spec.single_block { "one block" } else { "any blocks" });
        words.extend(spec.may_be_empty.then_some("may be empty"));
        out.push_str(&format!("| `{}` | {} |\n", spec.name, words.join(", ")));
    }
}

fn successors(def: &OpDef, out: &mut String) {
    if def.successors.is_empty() {
        return;
    }
    out.push_str("\n| Successor | Gets |\n|---|---|\n");
    let row = |spec: &SuccessorSpec| {
        let gets = spec.operands.and_then(|n| def.operands.get(usize::from(n)));
        let gets = gets.map_or("no values".into(), |operand| format!("`{}`", operand.name));
        format!("| `{}` | {}{gets} |\n", spec.name, if spec.variadic { "any number; " } else { "" })
    };
    out.extend(def.successors.iter().map(row));
}

/// Traits, relations, effects, and what is handwritten
fn facts(def: &OpDef, out: &mut String) {
    let mut lines = Vec::new();
    let traits: Vec<String> = Traits::NAMES
        .iter()
        .filter(|(_, bit)| def.traits.has(*bit))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if !traits.is_empty() {
        lines.push(format!("Traits: {}", traits.join(", ")));
    }
    if let Some(terminator) = def.implicit_terminator {
        lines.push(format!("An absent terminator stands for `{terminator}`"));
    }
    if !def.parents.is_empty() {
        let names: Vec<String> = def.parents.iter().map(|name| format!("`{name}`")).collect();
        lines.push(format!("Directly inside {} only", names.join(", ")));
    }
    lines.extend(def.relations.iter().map(|relation| self::relation(def, relation)));
    lines.push(format!("Memory: {}", effects(def)));
    let mut has = Vec::new();
    has.extend((def.verify.is_some()).then_some("rules of its own in the verifier"));
    has.extend((def.fold.is_some()).then_some("folds"));
    has.extend((def.infer.is_some()).then_some("infers result types"));
    has.extend((def.interface::<InterpretTable>().is_some()).then_some("runs in the interpreter"));
    if !has.is_empty() {
        lines.push(format!("Has: {}", has.join(", ")));
    }
    out.push('\n');
    for line in lines {
        out.push_str(&format!("- {line}\n"));
    }
}

fn relation(def: &OpDef, relation: &TypeRel) -> String {
    use terrace_ir::defs::Slot;
    let name = |slot: &Slot| match slot {
        Slot::Operand(n) => {
            def.operands.get(usize::from(*n)).map_or("?".into(), |spec| format!("`{}`", spec.name))
        }
        Slot::Result(n) => {
            def.results.get(usize::from(*n)).map_or("?".into(), |spec| format!("`{}`", spec.name))
        }
    };
    match relation {
        TypeRel::Same(slots) => {
            let names: Vec<String> = slots.iter().map(name).collect();
            format!("Of one type: {}", names.join(", "))
        }
        TypeRel::BoolLike { from, to } => format!("{} is `i1` in the shape of {}", name(to), name(from)),
        TypeRel::ElementOf { from, to } => format!("{} is the element type of {}", name(to), name(from)),
        TypeRel::TypeOfAttr { attr, to } => {
            let attr = def.attrs.get(usize::from(*attr)).map_or("?", |spec| spec.name);
            format!("{} has the type of the attribute `{attr}`", name(to))
        }
        TypeRel::By { from, to, .. } => {
            format!("The type of {} follows from that of {}", name(to), name(from))
        }
        TypeRel::SameShape(a, b) => format!("Of one shape: {}, {}", name(a), name(b)),
        TypeRel::SameElement(a, b) => format!("Of one element type: {}, {}", name(a), name(b)),
    }
}

fn effects(def: &OpDef) -> String {
    if def.effects_of.is_some() {
        return "depends on the op".into();
    }
    if def.traits.has(Traits::RecursiveEffects) {
        return "what the ops inside do".into();
    }
    if def.effects == Effects::NONE {
        return "no effect".into();
    }
    if def.effects == Effects::UNKNOWN {
        return "anything".into();
    }
    let kinds = [
        (Effects::READ, "reads"),
        (Effects::WRITE, "writes"),
        (Effects::ALLOC, "allocates"),
        (Effects::FREE, "frees"),
    ];
    let words: Vec<&str> =
        kinds.iter().filter(|(bit, _)| def.effects.has(*bit)).map(|(_, word)| *word).collect();
    words.join(", ")
}
