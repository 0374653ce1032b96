//! The preprocessor: `#define`, `#if`, `#pragma`; what is included is known by name and not read.

use super::{At, Done, EXPANDED, Macro, Reader, named};
use crate::ast::{BinaryOp, Elem, Expr, ExprKind, UnaryOp};
use crate::codes;
use crate::consts;
use terrace_diag::Span;
use tree_sitter::Node;

/// Headers whose names are known
const HEADERS: &[&str] = &[
    "<math.h>",
    "<stdint.h>",
    "<stddef.h>",
    "<stdbool.h>",
    "<stdlib.h>",
    "<float.h>",
    "<limits.h>",
    "<tgmath.h>",
];

impl Reader<'_> {
    /// A directive that defines, includes or says nothing to us; `true` if it was one
    pub(super) fn preproc(&mut self, node: Node<'_>) -> Done<bool> {
        let span = self.span(node);
        match node.kind() {
            "preproc_def" | "preproc_function_def" => {
                let name = self.field(node, "name");
                let text = self.field(node, "value");
                let params = node.child_by_field_name("parameters");
                let params = params
                    .map(|node| named(node).into_iter().map(|param| self.slice(param).to_string()).collect());
                self.define(name, params, &text);
            }
            "preproc_include" => {
                let path = self.field(node, "path");
                if !HEADERS.contains(&path.as_str()) {
                    let message =
                        format!("C-SYNTAX: {path} is not read here; known headers: {}", HEADERS.join(" "));
                    return self.fail(&codes::SYNTAX, span, message);
                }
            }
            "preproc_call" => match self.field(node, "directive").as_str() {
                "#undef" => {
                    let name = self.field(node, "argument").trim().to_string();
                    self.macros.remove(&name);
                }
                "#error" => {
                    let message = format!("C-SYNTAX: #error {}", self.field(node, "argument").trim());
                    return self.fail(&codes::SYNTAX, span, message);
                }
                _ => {}
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Nodes of the branch that holds; nothing if the node is no condition
    pub(super) fn chosen<'t>(&mut self, node: Node<'t>) -> Done<Option<Vec<Node<'t>>>> {
        let mut node = node;
        if !matches!(node.kind(), "preproc_if" | "preproc_ifdef") {
            return Ok(None);
        }
        loop {
            let holds = match node.kind() {
                "preproc_else" => true,
                "preproc_ifdef" | "preproc_elifdef" => {
                    let known = self.defined(&self.field(node, "name"));
                    let word = self.slice(node).trim_start_matches(['#', ' ']);
                    known != word.starts_with("ifndef")
                }
                _ => match node.child_by_field_name("condition") {
                    Some(condition) => self.condition(condition)?,
                    None => false,
                },
            };
            let skip = ["name", "condition", "alternative"].map(|field| node.child_by_field_name(field));
            if holds {
                let inside = named(node).into_iter().filter(|child| !skip.contains(&Some(*child))).collect();
                return Ok(Some(inside));
            }
            match node.child_by_field_name("alternative") {
                Some(next) => node = next,
                None => return Ok(Some(Vec::new())),
            }
        }
    }

    fn defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || self.sets.contains_key(name)
    }

    fn condition(&mut self, node: Node<'_>) -> Done<bool> {
        let span = self.span(node);
        let value = self.condition_expr(node)?;
        match consts::fold(&value, &|_| Some(0)) {
            Some(value) => Ok(value != 0),
            None => self.fail(&codes::SYNTAX, span, "C-SYNTAX: the condition is no constant"),
        }
    }

    /// An expression in which `defined(X)` has a meaning
    fn condition_expr(&mut self, node: Node<'_>) -> Done<Expr> {
        let span = self.span(node);
        let inner = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "preproc_defined" => {
                let name = named(node).first().map_or(String::new(), |name| self.slice(*name).to_string());
                Ok(Expr { span, kind: ExprKind::Int(self.defined(&name).into(), Elem::INT) })
            }
            "binary_expression" => {
                let op = BinaryOp::parse(&self.field(node, "operator"));
                let (Some(left), Some(right), Some(op)) = (inner("left"), inner("right"), op) else {
                    return self.expr(node);
                };
                let left = self.deeper(span, |r| r.condition_expr(left))?;
                let right = self.deeper(span, |r| r.condition_expr(right))?;
                Ok(Expr { span, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) })
            }
            "unary_expression" if self.field(node, "operator") == "!" => {
                let Some(argument) = inner("argument") else { return self.expr(node) };
                let argument = self.deeper(span, |r| r.condition_expr(argument))?;
                Ok(Expr { span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(argument)) })
            }
            "parenthesized_expression" => match named(node).first().copied() {
                Some(inner) => self.deeper(span, |r| r.condition_expr(inner)),
                None => self.expr(node),
            },
            _ => self.expr(node),
        }
    }

    pub(super) fn field(&self, node: Node<'_>, name: &str) -> String {
        node.child_by_field_name(name).map_or(String::new(), |child| self.slice(child).to_string())
    }

    fn define(&mut self, name: String, params: Option<Vec<String>>, text: &str) {
        // Values from outside win.
        if !self.sets.contains_key(&name) {
            let text = text.split("//").next().unwrap_or("").replace("\\\n", " ").trim().to_string();
            self.macros.insert(name, Macro { params, text });
        }
    }

    /// What a name stands for if it is a macro without parameters
    pub(super) fn macro_value(&mut self, name: &str, span: Span) -> Done<Option<Expr>> {
        // Parameters keep their name: the function knows their value.
        if let Some(value) = self.sets.get(name)
            && !self.params.iter().any(|param| param == name)
        {
            return Ok(Some(Expr { span, kind: ExprKind::Int((*value).into(), Elem::INT) }));
        }
        let Some(found) = self.macros.get(name).filter(|found| found.params.is_none()).cloned() else {
            return Ok(None);
        };
        self.macro_body(name, &found, span).map(Some)
    }

    /// A call of a macro with parameters
    pub(super) fn macro_call(&mut self, name: &str, args: &[Expr], span: Span) -> Done<Option<Expr>> {
        let Some(found) = self.macros.get(name).filter(|found| found.params.is_some()).cloned() else {
            return Ok(None);
        };
        let params = found.params.clone().unwrap_or_default();
        let sizes: Vec<usize> = args
            .iter()
            .map(|arg| {
                let mut size = 0;
                arg.walk(&mut |_| size += 1);
                size
            })
            .collect();
        if params.len() != args.len() {
            let message =
                format!("C-SYNTAX: macro {name} takes {} arguments, not {}", params.len(), args.len());
            return self.fail(&codes::SYNTAX, span, message);
        }
        let body = self.macro_body(name, &found, span)?;
        // What an argument is stands wherever its name does.
        let mut size = 0usize;
        body.walk(&mut |e| {
            let arg = match &e.kind {
                ExprKind::Name(name) => params.iter().position(|param| param == name),
                _ => None,
            };
            size = size.saturating_add(arg.map_or(1, |n| sizes[n]));
        });
        self.expands(name, size, span)?;
        Ok(Some(substituted(body, &params, args)))
    }

    /// Count what a macro gives, against those that double each other
    fn expands(&mut self, name: &str, size: usize, span: Span) -> Done<()> {
        self.expanded = self.expanded.saturating_add(size);
        match self.expanded > EXPANDED {
            true => {
                let message = format!(
                    "C-SYNTAX: with macro {name}, macros of this file stand for more than {EXPANDED} expressions"
                );
                self.fail(&codes::SYNTAX, span, message)
            }
            false => Ok(()),
        }
    }

    fn macro_body(&mut self, name: &str, found: &Macro, span: Span) -> Done<Expr> {
        if found.text.is_empty() {
            return self.fail(&codes::SYNTAX, span, format!("C-SYNTAX: macro {name} stands for nothing"));
        }
        // Its words alone, before those of the macros in it; too many are not looked at.
        self.expands(name, 1 + found.text.len() / 8, span)?;
        // A macro does not stand for itself again.
        let own = self.macros.remove(name);
        let value = self.deeper(span, |r| r.expression_at(&found.text, At::Place(span)));
        if let Some(own) = own {
            self.macros.insert(name.to_string(), own);
        }
        value
    }
}

/// Names replaced by expressions
fn substituted(mut e: Expr, params: &[String], args: &[Expr]) -> Expr {
    let go = |e: Box<Expr>| Box::new(substituted(*e, params, args));
    let each = |all: Vec<Expr>| all.into_iter().map(|e| substituted(e, params, args)).collect();
    e.kind = match e.kind {
        ExprKind::Name(name) => match params.iter().position(|param| *param == name) {
            Some(n) => return args[n].clone(),
            None => ExprKind::Name(name),
        },
        ExprKind::Index(a, b) => ExprKind::Index(go(a), go(b)),
        ExprKind::Deref(a) => ExprKind::Deref(go(a)),
        ExprKind::Field(a, f) => ExprKind::Field(go(a), f),
        ExprKind::Unary(op, a) => ExprKind::Unary(op, go(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(op, go(a), go(b)),
        ExprKind::Cond(a, b, c) => ExprKind::Cond(go(a), go(b), go(c)),
        ExprKind::Cast(t, a) => ExprKind::Cast(t, go(a)),
        ExprKind::Assign(op, a, b) => ExprKind::Assign(op, go(a), go(b)),
        ExprKind::Step(a, by) => ExprKind::Step(go(a), by),
        ExprKind::Call(f, all) => ExprKind::Call(f, each(all)),
        ExprKind::List(t, all) => ExprKind::List(t, each(all)),
        other => other,
    };
    e
}
