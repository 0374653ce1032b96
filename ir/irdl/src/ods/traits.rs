//! Traits of ODS: what the framework knows, relations between types, and what is left to C++ code.

use super::Import;
use super::records::Record;
use crate::description::{Op, Relation};
use crate::predicate;
use terrace_asm_format::{FieldRef, Fields};
use terrace_ir::{Arity, Effects, Traits};

/// Traits that are one of the framework's
const SAME: &[(&str, Traits)] = &[
    ("IsCommutative", Traits::Commutative),
    ("Elementwise", Traits::Elementwise),
    ("IsTerminator", Traits::Terminator),
    ("IsIsolatedFromAbove", Traits::IsolatedFromAbove),
    ("SymbolTable", Traits::SymbolTable),
    ("ReturnLike", Traits::ReturnLike),
    ("NoTerminator", Traits::NoTerminator),
    ("SingleBlock", Traits::SingleBlock),
    ("HasOnlyGraphRegion", Traits::GraphRegion),
    ("AffineScope", Traits::AffineScope),
    ("AutomaticAllocationScope", Traits::AllocationScope),
    ("HasRecursiveMemoryEffects", Traits::RecursiveEffects),
    ("IsIdempotent", Traits::Idempotent),
    ("IsInvolution", Traits::Involution),
    ("SymbolOpInterface::Trait", Traits::Symbol),
];

/// Traits that say nothing that the tables or the text do not say
const NOTHING: &[&str] = &[
    "AttrSizedOperandSegments",
    "AttrSizedResultSegments",
    "Scalarizable",
    "Vectorizable",
    "Tensorizable",
    "OneResult",
    "ZeroOperands",
    "ZeroResults",
    "ZeroRegions",
    "OneRegion",
    "ZeroSuccessors",
    "OpInvariants",
    "ConstantLike",
    "MemoryEffectOpInterface::Trait",
    "ConditionallySpeculatable::Trait",
    "OpAsmOpInterface::Trait",
    "AlwaysSpeculatableImplTrait",
    "InferTypeOpAdaptor",
    "InferTypeOpInterface::Trait",
    "BytecodeOpInterface::Trait",
];

impl Import<'_> {
    /// All traits of an op; lists of traits are opened
    pub fn traits(&mut self, record: Record<'_>, op: &mut Op) {
        let mut pending: Vec<Record<'_>> = record.defs("traits");
        pending.reverse();
        let (mut free, mut speculatable, mut steps) = (false, false, 0);
        while let Some(one) = pending.pop() {
            steps += 1;
            if steps > 1000 {
                break;
            }
            if one.is_a("TraitList") {
                pending.extend(one.defs("traits").into_iter().rev());
                continue;
            }
            let effects = one
                .is_a("MemoryEffects")
                .then(|| one.defs("effects").into_iter().filter_map(effect).collect::<Vec<_>>());
            match effects {
                Some(list) if list.is_empty() => free = true,
                Some(list) => op.effects = list.iter().fold(Effects::NONE, |all, one| all.and(*one)),
                None => {}
            }
            speculatable |=
                one.name == "AlwaysSpeculatable" || one.text("trait") == "AlwaysSpeculatableImplTrait";
            self.one_trait(one, op);
        }
        if free {
            op.effects = Effects::NONE;
            op.traits = op.traits.and(if speculatable { Traits::Pure } else { Traits::NoEffect });
        }
        let constant = op.attrs.len() == 1 && op.attrs[0].name == "value";
        if constant && record.defs("traits").iter().any(|one| one.text("trait") == "ConstantLike") {
            op.traits = op.traits.and(Traits::ConstantLike);
        }
    }

    fn one_trait(&mut self, one: Record<'_>, op: &mut Op) {
        if one.is_a("PredOpTrait") {
            return self.predicate_trait(one, op);
        }
        let name = predicate::normal(one.text("trait"));
        let name = name.trim_start_matches("::").trim_start_matches("OpTrait::");
        if let Some((_, known)) = SAME.iter().find(|(other, _)| *other == name) {
            op.traits = op.traits.and(*known);
            return;
        }
        let inside = |prefix: &str| name.strip_prefix(prefix)?.strip_suffix(">::Impl");
        if let Some(classes) = inside("HasParent<") {
            op.parents = classes.split(',').filter_map(|class| self.op_of_class(class.trim())).collect();
            return;
        }
        if let Some(class) = inside("SingleBlockImplicitTerminator<") {
            op.traits = op.traits.and(Traits::SingleBlock);
            op.implicit_terminator = self.op_of_class(class);
            return;
        }
        let operands = || (0..op.operands.len()).map(FieldRef::Operand);
        let results = || (0..op.results.len()).map(FieldRef::Result);
        let all: Vec<FieldRef> = operands().chain(results()).collect();
        match name {
            "SameOperandsAndResultType" => op.relations.push(Relation::Same(all)),
            "SameTypeOperands" => op.relations.push(Relation::Same(operands().collect())),
            "SameOperandsShape" => {
                op.relations.extend(pairs(Relation::SameShape, &operands().collect::<Vec<_>>()))
            }
            "SameOperandsAndResultShape" => op.relations.extend(pairs(Relation::SameShape, &all)),
            "SameOperandsElementType" => {
                op.relations.extend(pairs(Relation::SameElement, &operands().collect::<Vec<_>>()));
            }
            "SameOperandsAndResultElementType" => op.relations.extend(pairs(Relation::SameElement, &all)),
            "FirstAttrDerivedResultType" if !op.results.is_empty() => {
                op.relations.push(Relation::OfAttr(FieldRef::Attr(0), FieldRef::Result(0)));
            }
            _ if NOTHING.contains(&name) => {}
            _ if one.is_a("InterfaceTrait")
                || one.is_a("Interface")
                || name.ends_with("Interface::Trait") =>
            {
                self.out.leave("interfaces", &op.name, name);
            }
            _ => {
                let name = if name.is_empty() { one.name } else { name };
                self.out.leave("traits in C++", &op.name, name);
            }
        }
    }

    /// Relations that are written as predicates
    fn predicate_trait(&mut self, one: Record<'_>, op: &mut Op) {
        let place = |name: &str| op.find(name);
        let values: Option<Vec<FieldRef>> = one.texts("values").into_iter().map(place).collect();
        let values = values.filter(|values| values.len() > 1);
        let only_values = |places: &[FieldRef]| {
            places.iter().all(|place| matches!(place, FieldRef::Operand(_) | FieldRef::Result(_)))
        };
        let relations = match values.filter(|values| only_values(values)) {
            Some(values) if one.is_a("AllTypesMatch") => vec![Relation::Same(values)],
            Some(values) if one.is_a("AllShapesMatch") => pairs(Relation::SameShape, &values),
            Some(values) if one.is_a("AllElementTypesMatch") => pairs(Relation::SameElement, &values),
            _ if one.is_a("TypesMatchWith") => {
                transformed(op, one.text("lhs"), one.text("rhs"), one.text("transformer"))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        };
        if relations.is_empty() {
            self.out.leave("traits in C++", &op.name, one.text("summary"));
        }
        op.relations.extend(relations);
    }

    /// Full name of the op of a C++ class
    fn op_of_class(&self, class: &str) -> Option<String> {
        let class = class.rsplit("::").next()?;
        self.ops.get(class).cloned()
    }
}

/// A relation of each field with the next one
fn pairs(make: fn(FieldRef, FieldRef) -> Relation, places: &[FieldRef]) -> Vec<Relation> {
    places.windows(2).map(|pair| make(pair[0], pair[1])).collect()
}

/// A type that follows from another by C++ code of a common form
fn transformed(op: &Op, lhs: &str, rhs: &str, code: &str) -> Option<Relation> {
    let (from, to) = (op.find(lhs)?, op.find(rhs)?);
    let code = predicate::normal(code);
    if let FieldRef::Attr(_) = from {
        return (code == "$_self").then_some(Relation::OfAttr(from, to));
    }
    let variadic = |place: FieldRef| match place {
        FieldRef::Operand(n) => op.operands[n].arity != Arity::One,
        FieldRef::Result(n) => op.results[n].arity != Arity::One,
        _ => true,
    };
    if variadic(from) || variadic(to) {
        return None;
    }
    match code.as_str() {
        "$_self" => Some(Relation::Same(vec![from, to])),
        "getI1SameShape($_self)" | "::getI1SameShape($_self)" => Some(Relation::BoolLike(from, to)),
        "getElementTypeOrSelf($_self)" => Some(Relation::ElementOrSelf(from, to)),
        _ => {
            let class = code.strip_prefix("cast<")?.strip_suffix(">($_self).getElementType()")?;
            let shaped =
                ["ComplexType", "ShapedType", "VectorType", "TensorType", "RankedTensorType", "MemRefType"];
            shaped.contains(&class).then_some(Relation::Element(from, to))
        }
    }
}

/// Effects that an operand or result is decorated with: `Arg<AnyMemRef, "", [MemRead]>`
pub fn decorated(record: Record<'_>) -> Option<Effects> {
    let list: Vec<Effects> = record.defs("decorators").into_iter().filter_map(effect).collect();
    list.into_iter().reduce(Effects::and)
}

fn effect(record: Record<'_>) -> Option<Effects> {
    Some(match record.some_text("effect")?.rsplit("::").next() {
        Some("Read") => Effects::READ,
        Some("Write") => Effects::WRITE,
        Some("Allocate") => Effects::ALLOC,
        Some("Free") => Effects::FREE,
        _ => Effects::UNKNOWN,
    })
}
