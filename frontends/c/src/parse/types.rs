//! Types, declarations of variables, structures and enumerations.

use super::{Done, Reader, named};
use crate::ast::{Elem, Expr, ExprKind, Object, Struct};
use crate::codes;
use terrace_diag::Span;
use tree_sitter::Node;

/// Words of types with what they are
const NAMED: &[(&str, Elem)] = &[
    ("int8_t", Elem::Int { bits: 8, signed: true }),
    ("int16_t", Elem::Int { bits: 16, signed: true }),
    ("int32_t", Elem::INT),
    ("int64_t", Elem::Int { bits: 64, signed: true }),
    ("uint8_t", Elem::Int { bits: 8, signed: false }),
    ("uint16_t", Elem::Int { bits: 16, signed: false }),
    ("uint32_t", Elem::Int { bits: 32, signed: false }),
    ("uint64_t", Elem::Int { bits: 64, signed: false }),
    ("size_t", Elem::Int { bits: 64, signed: false }),
    ("ptrdiff_t", Elem::Int { bits: 64, signed: true }),
    ("intptr_t", Elem::Int { bits: 64, signed: true }),
    ("uintptr_t", Elem::Int { bits: 64, signed: false }),
    ("bool", Elem::Bool),
    ("_Bool", Elem::Bool),
    ("float", Elem::Float(32)),
    ("double", Elem::Float(64)),
    ("_Float16", Elem::Float(16)),
    ("char", Elem::Int { bits: 8, signed: true }),
    ("int", Elem::INT),
];

/// What a declarator adds to a type
pub(super) struct Declarator<'t> {
    pub name: Option<Node<'t>>,
    pub dims: Vec<Option<Expr>>,
    pub restrict: bool,
    pub function: Option<Node<'t>>,
    pub init: Option<Node<'t>>,
}

impl Reader<'_> {
    /// The type in front of declarators, and whether it is `const`; nothing is `void`
    pub(super) fn base_type(&mut self, node: Node<'_>) -> Done<(Option<Elem>, bool)> {
        let mut constant = false;
        for child in named(node).into_iter().filter(|child| child.kind() == "type_qualifier") {
            match self.slice(child) {
                "const" => constant = true,
                "volatile" | "_Atomic" => {
                    let message = format!("C-TYPE: `{}` has no place in a computation", self.slice(child));
                    let span = self.span(child);
                    return self.fail(&codes::TYPE, span, message);
                }
                _ => {}
            }
        }
        let Some(ty) = node.child_by_field_name("type") else {
            let span = self.span(node);
            return self.fail(&codes::TYPE, span, "C-TYPE: a type is missing");
        };
        Ok((self.elem(ty)?, constant))
    }

    /// A type without declarators; nothing is `void`
    pub(super) fn elem(&mut self, node: Node<'_>) -> Done<Option<Elem>> {
        let span = self.span(node);
        let text = match node.kind() {
            "primitive_type" | "type_identifier" | "sized_type_specifier" => match self.replaced(node)? {
                Some((text, _)) => text,
                None => self.slice(node).to_string(),
            },
            "struct_specifier" => return self.structure(node).map(|n| Some(Elem::Struct(n))),
            "enum_specifier" => {
                self.enumeration(node)?;
                return Ok(Some(Elem::INT));
            }
            other => {
                let what = other.trim_end_matches("_specifier");
                return self.fail(&codes::TYPE, span, format!("C-TYPE: {what} types have no place here"));
            }
        };
        if text == "void" {
            return Ok(None);
        }
        if let Some(found) = self.types.get(&text) {
            return Ok(Some(*found));
        }
        if let Some((_, elem)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(Some(*elem));
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = |word: &str| words.iter().filter(|other| **other == word).count();
        let known = ["unsigned", "signed", "long", "short", "int", "char"];
        if words.iter().all(|word| known.contains(word)) {
            let bits = match () {
                () if count("char") > 0 => 8,
                () if count("short") > 0 => 16,
                () if count("long") > 0 => 64,
                () => 32,
            };
            return Ok(Some(Elem::Int { bits, signed: count("unsigned") == 0 }));
        }
        if let Some(n) = self.file.structs.iter().position(|one| one.name == text) {
            return Ok(Some(Elem::Struct(n)));
        }
        self.fail(&codes::TYPE, span, format!("C-TYPE: `{text}` is no type known here"))
    }

    /// `struct S { … }` or `struct S`
    pub(super) fn structure(&mut self, node: Node<'_>) -> Done<usize> {
        let span = self.span(node);
        let name = self.field(node, "name");
        let Some(body) = node.child_by_field_name("body") else {
            return match self.file.structs.iter().position(|one| one.name == name) {
                Some(n) => Ok(n),
                None => self.fail(&codes::TYPE, span, format!("C-TYPE: struct {name} has no fields here")),
            };
        };
        let mut fields: Vec<(String, Elem)> = Vec::new();
        for field in named(body) {
            let at = self.span(field);
            if field.kind() != "field_declaration" {
                return self.fail(&codes::TYPE, at, "C-TYPE: a structure here has fields only");
            }
            if named(field).iter().any(|child| child.kind() == "bitfield_clause") {
                return self.fail(&codes::TYPE, at, "C-TYPE: bit-fields have no address of their own");
            }
            let (elem, _) = self.base_type(field)?;
            let mut cursor = field.walk();
            for declarator in field.children_by_field_name("declarator", &mut cursor) {
                let name = self.slice(declarator).to_string();
                match elem {
                    Some(elem @ (Elem::Bool | Elem::Int { .. } | Elem::Float(_)))
                        if declarator.kind() == "field_identifier" =>
                    {
                        fields.push((name, elem));
                    }
                    _ => return self.fail(&codes::TYPE, at, format!("C-TYPE: field {name} is not a number")),
                }
            }
        }
        if fields.is_empty() {
            return self.fail(&codes::TYPE, span, "C-TYPE: a structure without fields");
        }
        self.file.structs.push(Struct { name, fields });
        Ok(self.file.structs.len() - 1)
    }

    /// A constant as its number, so that constants that use others are looked up once
    pub(super) fn folded(&self, mut value: Expr) -> Expr {
        let known = |name: &str| {
            let found = self.file.constants.iter().rev().find(|(other, _)| other == name)?;
            crate::consts::fold(&found.1, &|_| None)
        };
        if let Some(number) = crate::consts::fold(&value, &known) {
            let bits = if i32::try_from(number).is_ok() { 32 } else { 64 };
            value.kind = ExprKind::Int(number, Elem::Int { bits, signed: true });
        }
        value
    }

    fn enumeration(&mut self, node: Node<'_>) -> Done<()> {
        let Some(body) = node.child_by_field_name("body") else { return Ok(()) };
        let mut before: Option<String> = None;
        for item in named(body).into_iter().filter(|item| item.kind() == "enumerator") {
            let span = self.span(item);
            let name = self.field(item, "name");
            let value = match (item.child_by_field_name("value"), &before) {
                (Some(value), _) => self.expr(value)?,
                (None, None) => Expr { span, kind: ExprKind::Int(0, Elem::INT) },
                (None, Some(before)) => {
                    let one = Expr { span, kind: ExprKind::Int(1, Elem::INT) };
                    let before = Expr { span, kind: ExprKind::Name(before.clone()) };
                    Expr {
                        span,
                        kind: ExprKind::Binary(crate::ast::BinaryOp::Add, Box::new(before), Box::new(one)),
                    }
                }
            };
            let value = self.folded(value);
            self.file.constants.push((name.clone(), value));
            before = Some(name);
        }
        Ok(())
    }

    /// A declarator: name, sizes, pointers
    pub(super) fn declarator<'t>(&mut self, node: Node<'t>) -> Done<Declarator<'t>> {
        let mut found =
            Declarator { name: None, dims: Vec::new(), restrict: false, function: None, init: None };
        let mut pointers = 0;
        let mut at = Some(node);
        // Outer declarators bind last: sizes come from right to left.
        while let Some(node) = at {
            let span = self.span(node);
            at = node.child_by_field_name("declarator");
            match node.kind() {
                "identifier" | "type_identifier" | "field_identifier" => found.name = Some(node),
                "init_declarator" => found.init = node.child_by_field_name("value"),
                "array_declarator" | "abstract_array_declarator" => {
                    let size = match node.child_by_field_name("size") {
                        Some(size) if size.kind() != "*" => Some(self.expr(size)?),
                        _ => None,
                    };
                    found.dims.insert(0, size);
                    found.restrict |= self.qualifiers(node)?;
                }
                "pointer_declarator" | "abstract_pointer_declarator" => {
                    pointers += 1;
                    found.restrict |= self.qualifiers(node)?;
                }
                "function_declarator" => found.function = Some(node),
                "parenthesized_declarator" | "abstract_parenthesized_declarator" => {
                    at = named(node).into_iter().next();
                }
                other => {
                    let message = format!("C-TYPE: `{}` has no place here ({other})", self.slice(node));
                    return self.fail(&codes::TYPE, span, message);
                }
            }
        }
        if pointers > 1 || pointers > 0 && found.function.is_some() {
            let span = self.span(node);
            return self.fail(&codes::TYPE, span, "C-TYPE: pointers to pointers have no place here");
        }
        if pointers == 1 {
            found.dims.insert(0, None);
        }
        if found.dims.iter().skip(1).any(Option::is_none) {
            let span = self.span(node);
            return self.fail(&codes::TYPE, span, "C-TYPE: only the first size may be left open");
        }
        Ok(found)
    }

    fn qualifiers(&mut self, node: Node<'_>) -> Done<bool> {
        let mut restrict = false;
        for child in named(node).into_iter().filter(|child| child.kind() == "type_qualifier") {
            match self.slice(child) {
                "restrict" | "__restrict__" | "__restrict" => restrict = true,
                "volatile" => {
                    let span = self.span(child);
                    return self.fail(&codes::TYPE, span, "C-TYPE: `volatile` has no place in a computation");
                }
                _ => {}
            }
        }
        Ok(restrict)
    }

    /// Variables of a declaration or a parameter
    pub(super) fn objects(&mut self, node: Node<'_>) -> Done<Vec<Object>> {
        let span = self.span(node);
        let (elem, constant) = self.base_type(node)?;
        let fixed = named(node)
            .iter()
            .any(|child| child.kind() == "storage_class_specifier" && self.slice(*child) == "static");
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        let mut all = Vec::new();
        for declarator in declarators {
            let found = self.declarator(declarator)?;
            let Some(name) = found.name else {
                return self.fail(&codes::SYNTAX, span, "C-SYNTAX: a name is missing");
            };
            let Some(elem) = elem else {
                return self.fail(&codes::TYPE, span, "C-TYPE: `void` is no type of a variable");
            };
            let init = match found.init {
                Some(init) => Some(self.expr(init)?),
                None => None,
            };
            let (text, span) = (self.slice(name).to_string(), self.span(name));
            all.push(Object {
                name: text,
                span,
                elem,
                dims: found.dims,
                restrict: found.restrict,
                constant,
                fixed,
                init,
            });
        }
        Ok(all)
    }

    /// `typedef T name;`
    pub(super) fn alias(&mut self, node: Node<'_>) -> Done<()> {
        let span = self.span(node);
        let (elem, _) = self.base_type(node)?;
        let mut cursor = node.walk();
        let names: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for name in names {
            match (elem, name.kind()) {
                (Some(elem), "type_identifier" | "primitive_type") => {
                    let name = self.slice(name).to_string();
                    self.types.insert(name, elem);
                }
                _ => return self.fail(&codes::TYPE, span, "C-TYPE: only names for numbers and structures"),
            }
        }
        Ok(())
    }

    /// The type in a cast
    pub(super) fn cast_type(&mut self, node: Node<'_>) -> Done<Elem> {
        let span: Span = self.span(node);
        if node.child_by_field_name("declarator").is_some() {
            return self.fail(&codes::TYPE, span, "C-TYPE: no casts to pointers");
        }
        match self.base_type(node)? {
            (Some(elem), _) => Ok(elem),
            (None, _) => self.fail(&codes::TYPE, span, "C-TYPE: `void` has no value"),
        }
    }
}
