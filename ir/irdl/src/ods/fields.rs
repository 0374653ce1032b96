//! Operands, results, attributes and defaults of ODS.

use super::Import;
use super::records::Record;
use crate::constraint::{Graph, NodeId, Rule};
use crate::description::{Attribute, Constant, Form, Only, Plain, Value};
use crate::predicate;
use terrace_ir::{Arity, EnumDef};

/// Wrappers of constraints in each other, at most
const WRAPPERS: usize = 20;

/// What an argument of an op is
pub enum Field {
    Value(Value),
    Attr(Attribute),
    /// Nothing that is in the IR
    Nothing,
    /// Something that only C++ code can read
    Other(String),
}

impl Import<'_> {
    /// An argument or result by its record
    pub fn field(&mut self, op: &str, mut record: Record<'_>, name: &str) -> Field {
        if record.is_a("OpVariable")
            && let Some(inner) = record.def("constraint")
        {
            record = inner;
        }
        if record.is_a("TypeConstraint") {
            return self.value(op, record, name);
        }
        if record.is_a("DerivedAttr") {
            return Field::Nothing;
        }
        if record.is_a("AttrConstraint") {
            return Field::Attr(self.attribute(op, record, name));
        }
        if record.is_a("PropConstraint") || record.is_a("Property") {
            return Field::Attr(self.property(op, record, name));
        }
        Field::Other(format!("`{name}` is of a kind that is not known: `{}`", record.name))
    }

    fn value(&mut self, op: &str, record: Record<'_>, name: &str) -> Field {
        if record.is_a("VariadicOfVariadic") {
            return Field::Other(format!("`{name}` is a list of lists of values"));
        }
        let arity = match (record.is_a("Variadic"), record.is_a("Optional")) {
            (true, _) => Arity::Variadic,
            (_, true) => Arity::Optional,
            _ => Arity::One,
        };
        let base = record.def("baseType").filter(|_| arity != Arity::One).unwrap_or(record);
        let (node, what) = self.constraint(op, base, name);
        let of = self.types.get(base.name).cloned();
        Field::Value(Value { name: name.to_string(), arity, node, what, only: self.only(base), of })
    }

    /// The node and the words of a constraint on types or attributes
    pub fn constraint(&mut self, op: &str, record: Record<'_>, name: &str) -> (NodeId, String) {
        let words = |graph: &Graph, node| {
            record.some_text("summary").map_or_else(|| graph.describe(node), str::to_string)
        };
        // Anonymous records are those of one constraint too: a name means one thing in a dump.
        if let Some(&node) = self.nodes.get(record.name) {
            let what = words(&self.out.graph, node);
            self.unknown(op, node, name, &what);
            return (node, what);
        }
        let node = match record.predicate() {
            Some(text) => predicate::read(&mut self.out.graph, &self.classes, &text),
            None => self.out.graph.add(Rule::Unknown(record.name.to_string()), false),
        };
        self.nodes.insert(record.name.to_string(), node);
        let what = words(&self.out.graph, node);
        self.unknown(op, node, name, &what);
        (node, what)
    }

    fn unknown(&mut self, op: &str, node: NodeId, name: &str, what: &str) {
        if self.out.graph.has_unknown(node) {
            self.out.leave("predicates in C++", op, format!("of `{name}`: {what}"));
        }
    }

    /// The type that a buildable constraint always has
    fn only(&self, record: Record<'_>) -> Option<Only> {
        let call = record.some_text("builderCall")?;
        if let Some(own) = self.types.get(record.name) {
            return Some(Only::Own(own.clone()));
        }
        plain_of_call(call).map(Only::Plain)
    }

    fn attribute(&mut self, op: &str, record: Record<'_>, name: &str) -> Attribute {
        let mut base = record;
        let (mut optional, mut default) = (record.flag("isOptional"), None);
        let (mut constrained, mut stored) = (record, true);
        for _ in 0..WRAPPERS {
            optional |= base.is_a("OptionalAttr");
            stored &= !base.is_a("DefaultValuedOptionalAttr");
            if default.is_none() {
                default = base.some_text("defaultValue");
            }
            if !base.is_a("OptionalAttr")
                && !base.is_a("DefaultValuedAttr")
                && !base.is_a("DefaultValuedOptionalAttr")
            {
                constrained = if constrained.name == record.name { base } else { constrained };
            }
            match base.def("baseAttr") {
                Some(inner) => base = inner,
                None => break,
            }
        }
        let (node, what) = self.constraint(op, constrained, name);
        let mut form = self.form(base);
        optional |= matches!(form, Form::Unit) || base.flag("isOptional");
        // A type after a string is the op's, not the string's.
        if base.is_a("StringBasedAttr") && matches!(form, Form::Full) {
            form = Form::Bare(Plain::None);
        }
        let text = default.filter(|_| stored && !matches!(form, Form::Unit));
        let constant = text.and_then(|text| self.default(base, form, text));
        if let (Some(text), None) = (text, &constant) {
            self.out.leave("defaults in C++", op, format!("of `{name}`: {text}"));
        }
        // What has a default that is not known may be left out all the same.
        optional |= default.is_some() && constant.is_none();
        Attribute { name: name.to_string(), node, what, form, optional, default: constant }
    }

    /// A property that is no attribute in C++: in text it is one
    fn property(&mut self, op: &str, record: Record<'_>, name: &str) -> Attribute {
        let mut base = record;
        for _ in 0..WRAPPERS {
            match base.def("baseProperty").or_else(|| base.def("baseProp")) {
                Some(inner) => base = inner,
                None => break,
            }
        }
        let (form, default) = match base.name {
            "UnitProp" | "UnitProperty" => (Form::Unit, None),
            "BoolProp" => (Form::Bare(Plain::Int(1)), None),
            "I32Prop" => (Form::Bare(Plain::Int(32)), None),
            "I64Prop" => (Form::Bare(Plain::Int(64)), None),
            _ => (Form::Full, None),
        };
        self.out.leave("properties in C++", op, format!("`{name}`: {}", record.text("summary")));
        let optional = matches!(form, Form::Unit) || record.some_text("defaultValue").is_some();
        let node = self.any();
        Attribute { name: name.to_string(), node, what: "any attribute".to_string(), form, optional, default }
    }

    /// How formats spell an attribute
    pub fn form(&mut self, base: Record<'_>) -> Form {
        if base.name == "SymbolNameAttr" {
            return Form::SymbolName;
        }
        if base.is_a("EnumAttr") && base.is_a("AttrDef") {
            return match self.enum_attr(base) {
                Some(def) => Form::Enum(def, base.text("assemblyFormat").contains('<')),
                None => Form::Full,
            };
        }
        let width = base.def("valueType").and_then(|ty| plain_of_call(ty.text("builderCall")));
        if base.is_a("EnumAttrInfo") {
            return match (self.enumeration(base, base.text("className"), ","), width) {
                (Some(def), Some(Plain::Int(width @ (32 | 64)))) => Form::IntEnum(def, width),
                _ => Form::Full,
            };
        }
        if base.is_a("TypeAttrBase") {
            return Form::Type;
        }
        let storage = predicate::normal(base.text("storageType"));
        let list = match storage.as_str() {
            "UnitAttr" => return Form::Unit,
            "DenseBoolArrayAttr" => Some(Plain::Int(1)),
            "DenseI8ArrayAttr" => Some(Plain::Int(8)),
            "DenseI16ArrayAttr" => Some(Plain::Int(16)),
            "DenseI32ArrayAttr" => Some(Plain::Int(32)),
            "DenseI64ArrayAttr" => Some(Plain::Int(64)),
            "DenseF32ArrayAttr" => Some(Plain::Float(terrace_ir::FloatKind::F32)),
            "DenseF64ArrayAttr" => Some(Plain::Float(terrace_ir::FloatKind::F64)),
            _ => None,
        };
        if let Some(of) = list {
            return Form::List(of);
        }
        if let Some(&n) = self.attrs.get(base.name) {
            return Form::Own(n);
        }
        match width {
            Some(Plain::None) | None => Form::Full,
            Some(of) => Form::Bare(of),
        }
    }

    fn default(&mut self, base: Record<'_>, form: Form, text: &str) -> Option<Constant> {
        let text = text.trim();
        match form {
            Form::Enum(def, _) => {
                enum_value(base.def("enum")?, text, def).map(|value| Constant::Enum(def, value))
            }
            Form::IntEnum(def, width) => {
                let value = enum_value(base, text, def)?;
                Some(Constant::Int(i128::from(value), Plain::Int(width)))
            }
            Form::Bare(of @ Plain::Int(1)) => match text {
                "true" | "1" => Some(Constant::Int(1, of)),
                "false" | "0" => Some(Constant::Int(0, of)),
                _ => None,
            },
            Form::Bare(of @ (Plain::Int(_) | Plain::Index)) => {
                text.parse().ok().map(|value| Constant::Int(value, of))
            }
            Form::List(of) => {
                let inner = text.strip_prefix('{')?.strip_suffix('}')?.trim();
                let items: Result<Vec<i64>, _> = match (inner, of) {
                    ("", _) => Ok(Vec::new()),
                    // Elements that are floats would be their bits.
                    (_, Plain::Float(_)) => return None,
                    _ => inner.split(',').map(|item| item.trim().parse()).collect(),
                };
                items.ok().map(|items| Constant::DenseArray(of, items))
            }
            Form::Full if base.is_a("ArrayAttrBase") || base.name == "ArrayAttr" => {
                (text == "{}").then_some(Constant::EmptyArray)
            }
            Form::Bare(Plain::None) if base.is_a("StringBasedAttr") => {
                let inner = text.trim_matches('\\').strip_prefix('"')?.strip_suffix('"')?;
                Some(Constant::Str(inner.trim_end_matches('\\').to_string()))
            }
            _ => None,
        }
    }

    /// The node that accepts anything
    pub fn any(&mut self) -> NodeId {
        self.out.graph.add(Rule::Any, false)
    }
}

/// `::ns::Enum::Case` as the value of its case
fn enum_value(info: Record<'_>, text: &str, def: &'static EnumDef) -> Option<u64> {
    let case = text.rsplit("::").next()?;
    let symbol = |record: &Record<'_>| record.text("symbol") == case || record.text("str") == case;
    let record = info.defs("enumerants").into_iter().find(symbol)?;
    def.value(record.text("str"))
}

/// The type that a builder makes: `$_builder.getI32Type()`
pub fn plain_of_call(call: &str) -> Option<Plain> {
    let call = call.trim().strip_prefix("$_builder.get")?;
    let (name, argument) = call.split_once('(')?;
    let argument = argument.strip_suffix(')')?;
    if name == "IntegerType" {
        let width = argument.parse().ok().filter(|width| (1..1 << 24).contains(width))?;
        return Some(Plain::Int(width));
    }
    if !argument.is_empty() {
        return None;
    }
    Some(match name {
        "IndexType" => Plain::Index,
        "NoneType" => Plain::None,
        _ => {
            let kind = name.strip_suffix("Type")?;
            match kind.strip_prefix('I').and_then(|width| width.parse().ok()) {
                Some(width) => Plain::Int(width),
                None => Plain::Float(match kind.strip_prefix("Float") {
                    Some(rest) => format!("f{rest}").parse().ok()?,
                    None => kind.to_lowercase().parse().ok()?,
                }),
            }
        }
    })
}
