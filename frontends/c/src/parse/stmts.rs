//! Statements, functions, and other items of a file.

use super::pragma::{self, Pragma};
use super::{At, Done, Reader, named};
use crate::ast::{Directive, Elem, Expr, ExprKind, For, Function, Object, Operator, Stmt, StmtKind, While};
use crate::codes;
use crate::consts;
use terrace_diag::Span;
use tree_sitter::Node;

impl Reader<'_> {
    /// Everything of a file
    pub(super) fn top(&mut self, root: Node<'_>) {
        let mut operator: Option<Operator> = None;
        let mut stack: Vec<Node<'_>> = named(root);
        stack.reverse();
        while let Some(node) = stack.pop() {
            // What went wrong has been said; the rest may have its own mistakes.
            let done = self.item(node, &mut operator);
            if let Ok(Some(mut inside)) = done {
                inside.reverse();
                stack.extend(inside);
            }
        }
        if let Some(span) = operator.and_then(|operator| operator.span) {
            let _ = self.error(
                &codes::PRAGMA,
                span,
                "C-PRAGMA: an operator's directive stands right above its function",
            );
        }
    }

    fn item<'t>(&mut self, node: Node<'t>, operator: &mut Option<Operator>) -> Done<Option<Vec<Node<'t>>>> {
        if let Some(inside) = self.chosen(node)? {
            return Ok(Some(inside));
        }
        let span = self.span(node);
        match node.kind() {
            "preproc_call" if self.field(node, "directive") == "#pragma" => match self.pragma(node)? {
                Some(Pragma::Operator(found)) => *operator = Some(found),
                Some(Pragma::Compute(directive)) => {
                    let message = "C-PRAGMA: `#pragma mdh(…)` stands right above a `for` loop";
                    return self.fail(&codes::PRAGMA, directive.span, message);
                }
                None => {}
            },
            "function_definition" => {
                let operator = operator.take();
                let function = self.function(node, operator)?;
                self.file.functions.push(function);
            }
            "declaration" => self.global(node)?,
            "struct_specifier" => {
                self.structure(node)?;
            }
            "enum_specifier" => {
                self.elem(node)?;
            }
            "type_definition" => self.alias(node)?,
            ";" | "expression_statement" if self.slice(node) == ";" => {}
            "linkage_specification" => {
                return Ok(Some(node.child_by_field_name("body").map_or(Vec::new(), named)));
            }
            "union_specifier" => return self.fail(&codes::TYPE, span, "C-TYPE: unions have no place here"),
            _ if self.preproc(node)? => {}
            other => {
                let message = format!("C-SYNTAX: {} outside of a function", other.replace('_', " "));
                return self.fail(&codes::SYNTAX, span, message);
            }
        }
        Ok(None)
    }

    /// Constants; prototypes say nothing that the function itself does not say
    fn global(&mut self, node: Node<'_>) -> Done<()> {
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in &declarators {
            if self.declarator(*declarator)?.function.is_some() {
                return Ok(());
            }
        }
        if declarators.is_empty() {
            self.base_type(node)?;
            return Ok(());
        }
        let external = named(node)
            .iter()
            .any(|child| child.kind() == "storage_class_specifier" && self.slice(*child) == "extern");
        for mut object in self.objects(node)? {
            if external {
                let message =
                    format!("C-TYPE: {} is defined elsewhere; pass it to the function", object.name);
                return self.fail(&codes::TYPE, object.span, message);
            }
            // Numbers computed from numbers.
            if object.dims.is_empty()
                && let (Some(init), Elem::Float(_)) = (&mut object.init, object.elem)
                && let Some(value) = consts::real(init, &self.file.constants)
            {
                init.kind = ExprKind::Float(consts::rounded(value, object.elem), object.elem);
            }
            match object {
                Object { constant: true, dims, init: Some(value), name, elem, .. } if dims.is_empty() => {
                    let mut value = self.folded(value);
                    // The declared type, where it is another one than that of the number.
                    if let (ExprKind::Int(_, own), Elem::Int { .. }) = (&value.kind, elem)
                        && *own != elem
                    {
                        let span = value.span;
                        value = Expr { span, kind: ExprKind::Cast(elem, Box::new(value)) };
                    }
                    self.file.constants.push((name, value));
                }
                object => self.file.variables.push(object),
            }
        }
        Ok(())
    }

    fn function(&mut self, node: Node<'_>, operator: Option<Operator>) -> Done<Function> {
        let span = self.span(node);
        let (result, _) = self.base_type(node)?;
        let local = named(node).iter().any(|child| {
            child.kind() == "storage_class_specifier" && matches!(self.slice(*child), "static" | "inline")
        });
        let Some(declarator) = node.child_by_field_name("declarator") else {
            return self.fail(&codes::SYNTAX, span, "C-SYNTAX: a name is missing");
        };
        // Sizes of parameters may be parameters.
        self.params = parameter_names(self, declarator);
        let found = self.declarator(declarator)?;
        let (Some(name), Some(list)) = (found.name, found.function) else {
            return self.fail(&codes::SYNTAX, span, "C-SYNTAX: a function needs a name and parameters");
        };
        let mut params = Vec::new();
        for param in list.child_by_field_name("parameters").map_or(Vec::new(), named) {
            if self.slice(param) == "void" {
                continue;
            }
            if param.kind() != "parameter_declaration" {
                let at = self.span(param);
                return self.fail(&codes::TYPE, at, "C-TYPE: parameters have types and names");
            }
            params.extend(self.objects(param)?);
        }
        let (name, at) = (self.slice(name).to_string(), self.span(name));
        let body = match node.child_by_field_name("body") {
            Some(body) => self.block(body)?,
            None => Vec::new(),
        };
        self.params.clear();
        Ok(Function { name, span: at, local, result, params, body, operator })
    }

    /// Statements between braces
    fn block(&mut self, node: Node<'_>) -> Done<Vec<Stmt>> {
        let mut nodes = named(node);
        nodes.reverse();
        let mut all = Vec::new();
        let mut directive: Option<Directive> = None;
        while let Some(node) = nodes.pop() {
            if let Some(mut inside) = self.chosen(node)? {
                inside.reverse();
                nodes.extend(inside);
                continue;
            }
            if node.kind() == "preproc_call" && self.field(node, "directive") == "#pragma" {
                match self.pragma(node)? {
                    Some(Pragma::Compute(found)) => directive = Some(*found),
                    Some(Pragma::Operator(found)) => {
                        let message = "C-PRAGMA: an operator's directive stands above its function";
                        let span = found.span.unwrap_or(self.span(node));
                        return self.fail(&codes::PRAGMA, span, message);
                    }
                    None => {}
                }
                continue;
            }
            if self.preproc(node)? {
                continue;
            }
            let own = directive.take();
            let misplaced = own.as_ref().filter(|_| node.kind() != "for_statement").map(|own| own.span);
            if let Some(span) = misplaced {
                let message = "C-PRAGMA: `#pragma mdh(…)` stands right above a `for` loop";
                return self.fail(&codes::PRAGMA, span, message);
            }
            if let Some(stmt) = self.stmt(node, own)? {
                all.push(stmt);
            }
        }
        if let Some(own) = directive {
            let message = "C-PRAGMA: `#pragma mdh(…)` stands right above a `for` loop";
            return self.fail(&codes::PRAGMA, own.span, message);
        }
        Ok(all)
    }

    fn stmt(&mut self, node: Node<'_>, directive: Option<Directive>) -> Done<Option<Stmt>> {
        let span = self.span(node);
        self.deeper(span, |r| r.stmt_here(node, directive))
    }

    fn stmt_here(&mut self, node: Node<'_>, directive: Option<Directive>) -> Done<Option<Stmt>> {
        let span = self.span(node);
        let kind = match node.kind() {
            "compound_statement" => StmtKind::Block(self.block(node)?),
            "expression_statement" => match named(node).first().copied() {
                Some(inner) if self.discards(inner) => return Ok(None),
                Some(inner) => {
                    let mut all = self.several(inner)?;
                    match (all.len(), all.pop()) {
                        (1, Some(only)) => only.kind,
                        (_, only) => StmtKind::Block(all.into_iter().chain(only).collect()),
                    }
                }
                None => return Ok(None),
            },
            "declaration" => StmtKind::Decl(self.objects(node)?),
            "return_statement" => {
                StmtKind::Return(named(node).first().map(|value| self.expr(*value)).transpose()?)
            }
            "if_statement" => self.condition_stmt(node)?,
            "for_statement" => self.for_stmt(node, directive)?,
            "break_statement" => StmtKind::Break,
            "continue_statement" => StmtKind::Continue,
            "while_statement" | "do_statement" => self.while_stmt(node)?,
            "switch_statement" | "goto_statement" | "labeled_statement" | "case_statement" => {
                return self.refused_jump(node);
            }
            other => {
                let message = format!("C-SYNTAX: {} has no place here", other.replace('_', " "));
                return self.fail(&codes::SYNTAX, span, message);
            }
        };
        Ok(Some(Stmt { span, kind }))
    }

    /// `(void)x`: how a program says that it does not use a variable
    fn discards(&self, node: Node<'_>) -> bool {
        let part = |name| node.child_by_field_name(name);
        node.kind() == "cast_expression"
            && part("type").is_some_and(|ty| self.slice(ty) == "void")
            && part("value").is_some_and(|value| value.kind() == "identifier")
    }

    fn condition_stmt(&mut self, node: Node<'_>) -> Done<StmtKind> {
        let Some(test) = node.child_by_field_name("condition") else {
            let span = self.span(node);
            return self.fail(&codes::SYNTAX, span, "C-SYNTAX: a condition is missing");
        };
        let test = self.expr(test)?;
        let yes = self.body(node.child_by_field_name("consequence"))?;
        let no = match node.child_by_field_name("alternative") {
            Some(clause) => self.body(named(clause).into_iter().next())?,
            None => Vec::new(),
        };
        Ok(StmtKind::If(test, yes, no))
    }

    /// The span from the start of a loop to a byte, without blanks in front of it
    fn head(&self, node: Node<'_>, end: usize) -> Span {
        let end = self.text[node.start_byte()..end].trim_end().len() + node.start_byte();
        self.bytes(node.start_byte(), end)
    }

    fn for_stmt(&mut self, node: Node<'_>, directive: Option<Directive>) -> Done<StmtKind> {
        let span = self.span(node);
        let body = node.child_by_field_name("body");
        let head = self.head(node, body.map_or(node.end_byte(), |body| body.start_byte()));
        let init = node.child_by_field_name("initializer").map(|init| self.for_init(init)).transpose()?;
        let init = init.flatten();
        let test = node.child_by_field_name("condition").map(|part| self.expr(part)).transpose()?;
        let update = node.child_by_field_name("update");
        if let Some(update) = update.filter(|update| update.kind() == "comma_expression") {
            // With several variables the trip count is unknown.
            let step = self.several(update)?;
            let body = self.body(body)?;
            let made = While { head, test, body, step, first: false };
            let mut all: Vec<Stmt> = init.into_iter().collect();
            all.push(Stmt { span, kind: StmtKind::While(Box::new(made)) });
            return Ok(StmtKind::Block(all));
        }
        let step = update.map(|part| self.expr(part)).transpose()?;
        let body = self.body(body)?;
        Ok(StmtKind::For(Box::new(For { head, init, test, step, body, directive })))
    }

    fn for_init(&mut self, init: Node<'_>) -> Done<Option<Stmt>> {
        let span = self.span(init);
        if init.kind() == "declaration" {
            return Ok(Some(Stmt { span, kind: StmtKind::Decl(self.objects(init)?) }));
        }
        let mut all = self.several(init)?;
        Ok(match all.len() {
            1 => all.pop(),
            _ => Some(Stmt { span, kind: StmtKind::Block(all) }),
        })
    }

    fn while_stmt(&mut self, node: Node<'_>) -> Done<StmtKind> {
        let first = node.kind() == "do_statement";
        let body = node.child_by_field_name("body");
        let end = body.filter(|_| !first).map_or(node.start_byte() + 2, |body| body.start_byte());
        let head = self.head(node, end);
        let test = node.child_by_field_name("condition").map(|test| self.expr(test)).transpose()?;
        let body = self.body(body)?;
        Ok(StmtKind::While(Box::new(While { head, test, body, step: Vec::new(), first })))
    }

    fn refused_jump<T>(&mut self, node: Node<'_>) -> Done<T> {
        let word = match node.kind() {
            "labeled_statement" => "a label",
            other => other.trim_end_matches("_statement"),
        };
        let first = self.text[node.byte_range()].find(['(', '{', ';', ':', ' ']).unwrap_or(1);
        let span = self.bytes(node.start_byte(), node.start_byte() + first);
        let message = format!(
            "C-FLOW: `{word}` has no place here; use `for`, `while`, `if`, `break`, `continue` and `return`"
        );
        self.fail(&codes::FLOW, span, message)
    }

    /// `a = 1, b = 2` and `a = b = 0`: one statement for each assignment, in their order
    fn several(&mut self, node: Node<'_>) -> Done<Vec<Stmt>> {
        let (mut parts, mut all) = (vec![node], Vec::new());
        while let Some(part) = parts.pop() {
            if part.kind() == "comma_expression" {
                parts.extend(part.child_by_field_name("right"));
                parts.extend(part.child_by_field_name("left"));
                continue;
            }
            let mut e = self.expr(part)?;
            let mut chain = Vec::new();
            // The last one is first: each gets what the one behind it got.
            while let ExprKind::Assign(op, target, value) = e.kind {
                let (value, inner) = match value.kind {
                    ExprKind::Assign(_, ref next, _) => (next.clone(), Some(*value)),
                    _ => (value, None),
                };
                let (span, kind) = (e.span, ExprKind::Assign(op, target, value));
                chain.push(Stmt { span, kind: StmtKind::Expr(Expr { span, kind }) });
                match inner {
                    Some(inner) => e = inner,
                    None => break,
                }
                if !matches!(e.kind, ExprKind::Assign(..)) {
                    break;
                }
            }
            match chain.is_empty() {
                true => all.push(Stmt { span: self.span(part), kind: StmtKind::Expr(self.expr(part)?) }),
                false => all.extend(chain.into_iter().rev()),
            }
        }
        Ok(all)
    }

    fn body(&mut self, node: Option<Node<'_>>) -> Done<Vec<Stmt>> {
        match node {
            Some(node) if node.kind() == "compound_statement" => self.block(node),
            Some(node) => Ok(self.stmt(node, None)?.into_iter().collect()),
            None => Ok(Vec::new()),
        }
    }

    /// A `#pragma`; nothing if it is none of ours
    fn pragma(&mut self, node: Node<'_>) -> Done<Option<Pragma>> {
        let Some(arg) = node.child_by_field_name("argument") else { return Ok(None) };
        // Continuation lines keep every byte at its place.
        let text = self.slice(arg).replace("\\\n", "  ").replace('\n', " ");
        let shift = match self.at {
            At::Shift(by) => arg.start_byte() as i64 + by,
            At::Spelled { .. } => return Ok(None),
        };
        if !text.trim_start().starts_with("mdh") {
            return Ok(None);
        }
        let span: Span = self.bytes(node.start_byte(), arg.start_byte() + text.trim_end().len());
        pragma::parse(self, &text, shift, span)
    }
}

fn parameter_names(reader: &Reader<'_>, declarator: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let mut stack = vec![declarator];
    while let Some(node) = stack.pop() {
        if node.kind() == "parameter_declaration" {
            let mut at = node.child_by_field_name("declarator");
            while let Some(inner) = at {
                if inner.kind() == "identifier" {
                    names.push(reader.slice(inner).to_string());
                }
                at = inner.child_by_field_name("declarator");
            }
        } else {
            stack.extend(named(node));
        }
    }
    names
}
