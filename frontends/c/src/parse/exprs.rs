//! Expressions.

use super::{Done, Reader, limits, named};
use crate::ast::{BinaryOp, Elem, Expr, ExprKind, UnaryOp};
use crate::codes;
use tree_sitter::Node;

impl Reader<'_> {
    /// A whole expression, whose macros are replaced before it is read
    pub(super) fn expr(&mut self, node: Node<'_>) -> Done<Expr> {
        // The values of a list are expressions, the list itself is none.
        if node.kind() != "initializer_list"
            && let Some((text, at)) = self.replaced(node)?
        {
            let span = self.span(node);
            return self.expression_at(&text, at, span);
        }
        self.operand(node)
    }

    /// An expression, or one inside of another
    fn operand(&mut self, node: Node<'_>) -> Done<Expr> {
        let span = self.span(node);
        self.deeper(span, |r| r.expr_here(node))
    }

    fn part(&mut self, node: Node<'_>, name: &str) -> Done<Box<Expr>> {
        match node.child_by_field_name(name) {
            Some(child) => self.operand(child).map(Box::new),
            None => {
                let span = self.span(node);
                self.fail(&codes::SYNTAX, span, "C-SYNTAX: an operand is missing")
            }
        }
    }

    fn expr_here(&mut self, node: Node<'_>) -> Done<Expr> {
        let span = self.span(node);
        let kind = match node.kind() {
            "number_literal" => return self.number(node),
            "char_literal" => self.character(node)?,
            "true" => ExprKind::Int(1, Elem::INT),
            "false" => ExprKind::Int(0, Elem::INT),
            "identifier" => return Ok(self.identifier(node)),
            "parenthesized_expression" => match named(node).first().copied() {
                Some(inner) => return self.operand(inner),
                None => return self.fail(&codes::SYNTAX, span, "C-SYNTAX: empty parentheses"),
            },
            "subscript_expression" => {
                let index = match node.child_by_field_name("index") {
                    Some(index) => index,
                    None => return self.fail(&codes::SYNTAX, span, "C-SYNTAX: a subscript is missing"),
                };
                ExprKind::Index(self.part(node, "argument")?, Box::new(self.operand(index)?))
            }
            "field_expression" => self.member(node)?,
            "pointer_expression" if self.field(node, "operator") == "*" => {
                ExprKind::Deref(self.part(node, "argument")?)
            }
            "pointer_expression" => return self.address(node),
            "unary_expression" => return self.unary(node),
            "binary_expression" => self.binary(node)?,
            "conditional_expression" => ExprKind::Cond(
                self.part(node, "condition")?,
                self.part(node, "consequence")?,
                self.part(node, "alternative")?,
            ),
            "cast_expression" => {
                let elem = self.type_of(node)?;
                ExprKind::Cast(elem, self.part(node, "value")?)
            }
            "assignment_expression" => {
                let text = self.field(node, "operator");
                let op = text.strip_suffix('=').and_then(BinaryOp::parse);
                ExprKind::Assign(op, self.part(node, "left")?, self.part(node, "right")?)
            }
            "update_expression" => {
                let by = if self.field(node, "operator") == "--" { -1 } else { 1 };
                ExprKind::Step(self.part(node, "argument")?, by)
            }
            "call_expression" => return self.call(node),
            "compound_literal_expression" => {
                let ty = self.type_of(node)?;
                let value = self.part(node, "value")?;
                match (ty, value.kind) {
                    (Elem::Struct(n), ExprKind::List(_, all)) => ExprKind::List(Some(n), all),
                    _ => return self.fail(&codes::TYPE, span, "C-TYPE: only structures have such literals"),
                }
            }
            "initializer_list" => self.list(node)?,
            "sizeof_expression" => self.size(node)?,
            "comma_expression" => {
                return self.fail(&codes::SYNTAX, span, "C-SYNTAX: one expression, not several with commas");
            }
            other => {
                let message = format!(
                    "C-SYNTAX: `{}` has no place here ({})",
                    self.slice(node),
                    other.replace('_', " ")
                );
                return self.fail(&codes::SYNTAX, span, message);
            }
        };
        Ok(Expr { span, kind })
    }

    fn character(&mut self, node: Node<'_>) -> Done<ExprKind> {
        let text = self.slice(node);
        let text = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        match text.and_then(character) {
            Some(value) => Ok(ExprKind::Int(value, Elem::INT)),
            None => {
                let span = self.span(node);
                self.fail(
                    &codes::SYNTAX,
                    span,
                    "C-SYNTAX: one character of ASCII, or an escape such as `\\n`",
                )
            }
        }
    }

    /// A value from outside, a constant of a known header, or a name
    fn identifier(&mut self, node: Node<'_>) -> Expr {
        let span = self.span(node);
        let name = self.slice(node).to_string();
        // Parameters keep their name: the function knows their value.
        let kind = match self.sets.get(&name).filter(|_| !self.params.contains(&name)) {
            Some(value) => ExprKind::Int((*value).into(), Elem::INT),
            None => limits::constant(&name).unwrap_or(ExprKind::Name(name)),
        };
        Expr { span, kind }
    }

    /// `s.f`, `p->f`
    fn member(&mut self, node: Node<'_>) -> Done<ExprKind> {
        let span = self.span(node);
        let object = self.part(node, "argument")?;
        let object = match self.field(node, "operator") == "->" {
            true => Box::new(Expr { span, kind: ExprKind::Deref(object) }),
            false => object,
        };
        Ok(ExprKind::Field(object, self.field(node, "field")))
    }

    /// `&a[i]` is `a + i`
    fn address(&mut self, node: Node<'_>) -> Done<Expr> {
        let span = self.span(node);
        match self.part(node, "argument")?.kind {
            ExprKind::Index(a, i) if matches!(i.kind, ExprKind::Int(0, _)) => Ok(*a),
            ExprKind::Index(a, i) => Ok(Expr { span, kind: ExprKind::Binary(BinaryOp::Add, a, i) }),
            ExprKind::Deref(p) => Ok(*p),
            _ => {
                let message = "C-TYPE: addresses are taken of elements only: `&a[i]`";
                self.fail(&codes::TYPE, span, message)
            }
        }
    }

    fn unary(&mut self, node: Node<'_>) -> Done<Expr> {
        let op = match self.field(node, "operator").as_str() {
            "-" => UnaryOp::Neg,
            "!" => UnaryOp::Not,
            "~" => UnaryOp::BitNot,
            _ => return self.part(node, "argument").map(|inner| *inner),
        };
        let inner = self.part(node, "argument")?;
        let kind = match (op, &inner.kind) {
            (UnaryOp::Neg, ExprKind::Int(value, elem @ Elem::Int { signed: true, .. })) => {
                ExprKind::Int(-value, *elem)
            }
            (UnaryOp::Neg, ExprKind::Float(value, elem)) => ExprKind::Float(-value, *elem),
            _ => ExprKind::Unary(op, inner),
        };
        Ok(Expr { span: self.span(node), kind })
    }

    fn binary(&mut self, node: Node<'_>) -> Done<ExprKind> {
        let text = self.field(node, "operator");
        let Some(op) = BinaryOp::parse(&text) else {
            let span = self.span(node);
            return self.fail(&codes::SYNTAX, span, format!("C-SYNTAX: `{text}` is no operator here"));
        };
        Ok(ExprKind::Binary(op, self.part(node, "left")?, self.part(node, "right")?))
    }

    /// `(T)(x)`, which reads as a call until it is known that `T` is a type
    fn cast_like_call<'t>(&self, node: Node<'t>) -> Option<(Elem, Node<'t>)> {
        let callee = node.child_by_field_name("function")?;
        let [name] = named(callee)[..] else { return None };
        let [value] = named(node.child_by_field_name("arguments")?)[..] else { return None };
        let known = callee.kind() == "parenthesized_expression" && name.kind() == "identifier";
        Some((*self.types.get(self.slice(name)).filter(|_| known)?, value))
    }

    /// A call of a function
    fn call(&mut self, node: Node<'_>) -> Done<Expr> {
        let span = self.span(node);
        if let Some((elem, value)) = self.cast_like_call(node) {
            let value = Box::new(self.operand(value)?);
            return Ok(Expr { span, kind: ExprKind::Cast(elem, value) });
        }
        let Some(callee) = node.child_by_field_name("function").filter(|n| n.kind() == "identifier") else {
            return self.fail(&codes::CALL, span, "C-CALL: only functions are called by their name");
        };
        let name = self.slice(callee).to_string();
        let list = node.child_by_field_name("arguments").map_or(Vec::new(), named);
        let mut args = Vec::new();
        for arg in list {
            args.push(self.operand(arg)?);
        }
        Ok(Expr { span, kind: ExprKind::Call(name, args) })
    }

    /// `{ a, … }`
    fn list(&mut self, node: Node<'_>) -> Done<ExprKind> {
        let mut all = Vec::new();
        for item in named(node) {
            if item.kind() == "initializer_pair" {
                let span = self.span(item);
                return self.fail(&codes::SYNTAX, span, "C-SYNTAX: values in order, without names");
            }
            all.push(self.expr(item)?);
        }
        Ok(ExprKind::List(None, all))
    }

    /// `sizeof(T)`
    fn size(&mut self, node: Node<'_>) -> Done<ExprKind> {
        let span = self.span(node);
        let elem = match node.child_by_field_name("type") {
            Some(ty) => self.cast_type(ty)?,
            None => return self.fail(&codes::SYNTAX, span, "C-SYNTAX: `sizeof` of a type only"),
        };
        let bytes = match elem {
            Elem::Bool => 1,
            Elem::Int { bits, .. } | Elem::Float(bits) => i128::from(bits / 8),
            Elem::Struct(_) => return self.fail(&codes::TYPE, span, "C-TYPE: `sizeof` of a number only"),
        };
        Ok(ExprKind::Int(bytes, Elem::Int { bits: 64, signed: false }))
    }

    /// The type that a cast or a literal names
    fn type_of(&mut self, node: Node<'_>) -> Done<Elem> {
        match node.child_by_field_name("type") {
            Some(ty) => self.cast_type(ty),
            None => {
                let span = self.span(node);
                self.fail(&codes::SYNTAX, span, "C-SYNTAX: a type is missing")
            }
        }
    }

    fn number(&mut self, node: Node<'_>) -> Done<Expr> {
        let span = self.span(node);
        let text = self.slice(node).replace('\'', "").to_ascii_lowercase();
        let hex = text.starts_with("0x");
        let float = !hex && text.contains(['.', 'e']) || hex && text.contains('p');
        let wrong = format!("C-SYNTAX: `{text}` is no number known here");
        if float {
            let (digits, elem) = match text.strip_suffix('f') {
                Some(digits) if !hex => (digits, Elem::Float(32)),
                _ => (text.as_str(), Elem::Float(64)),
            };
            return match digits.parse::<f64>() {
                Ok(value) => {
                    let value = if elem == Elem::Float(32) { f64::from(value as f32) } else { value };
                    Ok(Expr { span, kind: ExprKind::Float(value, elem) })
                }
                Err(_) => self.fail(&codes::SYNTAX, span, wrong),
            };
        }
        let digits = text.trim_end_matches(['u', 'l']);
        let suffix = &text[digits.len()..];
        let parsed = match digits {
            _ if hex => i128::from_str_radix(&digits[2..], 16),
            _ if digits.starts_with("0b") => i128::from_str_radix(&digits[2..], 2),
            _ if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(&digits[1..], 8),
            _ => digits.parse(),
        };
        let Some(value) = parsed.ok().filter(|value| *value <= u64::MAX.into()) else {
            return self.fail(&codes::SYNTAX, span, wrong);
        };
        let signed = !suffix.contains('u');
        let fits = |bits: u32| value < 1i128 << (bits - u32::from(signed));
        let bits = if suffix.contains('l') || !fits(32) { 64 } else { 32 };
        let elem = Elem::Int { bits, signed: signed && fits(bits) };
        // A sign belongs to the literal here: `-1u` wraps.
        Ok(Expr { span, kind: ExprKind::Int(elem.wrapped(value), elem) })
    }
}

/// The value of a character between quotes: itself, or an escape
fn character(text: &str) -> Option<i128> {
    let byte = |value: i128| (value < 256).then(|| Elem::Int { bits: 8, signed: true }.wrapped(value));
    let Some(escape) = text.strip_prefix('\\') else {
        let mut chars = text.chars();
        return match (chars.next(), chars.next()) {
            (Some(c), None) if c.is_ascii() => Some(c as i128),
            _ => None,
        };
    };
    Some(match escape {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => i128::from(escape.as_bytes()[0]),
        _ => match escape.strip_prefix('x') {
            Some(digits) if digits.len() <= 2 => byte(i128::from_str_radix(digits, 16).ok()?)?,
            None if escape.len() <= 3 => byte(i128::from_str_radix(escape, 8).ok()?)?,
            _ => return None,
        },
    })
}
