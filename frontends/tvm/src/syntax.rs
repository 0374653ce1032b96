//! Text to statements: the part of Python that scripts are written in.
//!
//! tree-sitter reads Python; here its nodes become a small tree of assignments and expressions. Invariant: every node knows its
//! bytes. What is Python but no script (loops, functions, classes) is refused by name.

use crate::ScriptError;
use crate::refusal::{Code, Refusal};
use std::ops::Range;
use tree_sitter::{Node, Parser};

/// An expression and where it stands
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub kind: ExprForm,
    pub at: Range<usize>,
}

/// Forms of expressions
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprForm {
    Int(i64),
    Str(String),
    Name(String),
    /// `True`, `False`, `None`
    Word(String),
    Attr(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    /// Callee, arguments with their keywords
    Call(Box<Expr>, Vec<(Option<String>, Expr)>),
    /// Tuples and lists
    Many(Vec<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    /// Names and body
    Lambda(Vec<String>, Box<Expr>),
}

/// A statement: names that get a value, in order; none for a bare expression
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stmt {
    pub targets: Vec<(String, Range<usize>)>,
    /// Are the names the parts of a tuple?
    pub unpack: bool,
    pub value: Expr,
}

type Done<T> = Result<T, ScriptError>;

/// Brackets inside of each other
const NESTING: usize = 100;

pub(crate) fn fail<T>(at: Range<usize>, refusal: Refusal) -> Done<T> {
    Err(ScriptError { at, refusal })
}

/// Statements of a script
pub(crate) fn parse(text: &str) -> Done<Vec<Stmt>> {
    let mut parser = Parser::new();
    let known = parser.set_language(&tree_sitter_python::LANGUAGE.into()).is_ok();
    let Some(tree) = parser.parse(text, None).filter(|_| known) else {
        return fail(0..0, Code::Syntax.because("the script cannot be parsed"));
    };
    let reader = Reader { text };
    reader.well_formed(tree.root_node())?;
    let mut all = Vec::new();
    for node in named(tree.root_node()) {
        reader.statement(node, &mut all)?;
    }
    Ok(all)
}

/// Children that matter: no comments
fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn slice(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The first place that is no Python, if there is one
    fn well_formed(&self, root: Node<'_>) -> Done<()> {
        if !root.has_error() {
            return Ok(());
        }
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if node.is_missing() {
                let at = node.start_byte();
                return fail(at..at, Code::Syntax.because(format!("expected `{}`", node.kind())));
            }
            if node.is_error() {
                let line = self.slice(node).lines().next().unwrap_or("").trim_end();
                let at = node.start_byte()..node.start_byte() + line.len();
                return fail(at, Code::Syntax.because(format!("unexpected `{line}`")));
            }
            let mut cursor = node.walk();
            let children: Vec<Node<'_>> =
                node.children(&mut cursor).filter(|node| node.has_error()).collect();
            stack.extend(children.into_iter().rev());
        }
        fail(root.byte_range(), Code::Syntax.because("this is no Python"))
    }

    fn statement(&self, node: Node<'_>, all: &mut Vec<Stmt>) -> Done<()> {
        match node.kind() {
            "import_statement" | "import_from_statement" | "pass_statement" => Ok(()),
            "expression_statement" => {
                for node in named(node) {
                    let stmt = match node.kind() {
                        "assignment" => self.assignment(node)?,
                        "string" => continue,
                        _ => Stmt { targets: Vec::new(), unpack: false, value: self.expr(node, 0)? },
                    };
                    all.push(stmt);
                }
                Ok(())
            }
            _ => {
                let line = self.slice(node).lines().next().unwrap_or("");
                let at = node.start_byte()..node.start_byte() + line.len();
                let word = line.split_whitespace().next().unwrap_or("");
                fail(
                    at,
                    Code::Syntax
                        .because(format!("`{word}` in a script, which is a list of assignments and calls")),
                )
            }
        }
    }

    fn assignment(&self, node: Node<'_>) -> Done<Stmt> {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return fail(node.byte_range(), Code::Syntax.because("an assignment has a name and a value"));
        };
        let unpack = matches!(left.kind(), "pattern_list" | "tuple_pattern" | "list_pattern");
        let names = if unpack { named(left) } else { vec![left] };
        let mut targets = Vec::new();
        for name in names {
            if name.kind() != "identifier" {
                let refusal =
                    Code::Syntax.because(format!("`{}` gets a value; only names do", self.slice(name)));
                return fail(name.byte_range(), refusal);
            }
            targets.push((self.slice(name).to_owned(), name.byte_range()));
        }
        Ok(Stmt { targets, unpack, value: self.expr(right, 0)? })
    }

    fn expr(&self, node: Node<'_>, depth: usize) -> Done<Expr> {
        if depth > NESTING {
            return fail(node.byte_range(), Code::Syntax.because(format!("nested deeper than {NESTING}")));
        }
        let field = |name: &str| match node.child_by_field_name(name) {
            Some(child) => self.expr(child, depth + 1).map(Box::new),
            None => fail(node.byte_range(), Code::Syntax.because("something is missing here")),
        };
        let all =
            || named(node).into_iter().map(|child| self.expr(child, depth + 1)).collect::<Done<Vec<_>>>();
        let text = self.slice(node);
        let kind = match node.kind() {
            "integer" => match text.replace('_', "").parse() {
                Ok(number) => ExprForm::Int(number),
                Err(_) => {
                    return fail(
                        node.byte_range(),
                        Code::Syntax.because(format!("`{text}` is no number of ours")),
                    );
                }
            },
            "string" => ExprForm::Str(
                named(node)
                    .into_iter()
                    .filter(|part| part.kind() == "string_content")
                    .map(|part| self.slice(part))
                    .collect(),
            ),
            "identifier" => ExprForm::Name(text.to_owned()),
            "true" | "false" | "none" => ExprForm::Word(text.to_owned()),
            "attribute" => {
                let name = node.child_by_field_name("attribute").map_or("", |name| self.slice(name));
                ExprForm::Attr(field("object")?, name.to_owned())
            }
            "subscript" => ExprForm::Index(field("value")?, field("subscript")?),
            "tuple" | "list" | "expression_list" => ExprForm::Many(all()?),
            "parenthesized_expression" => match all()?.pop() {
                Some(inner) => return Ok(inner),
                None => ExprForm::Many(Vec::new()),
            },
            "unary_operator" => match (text.starts_with('-'), *field("argument")?) {
                (true, Expr { kind: ExprForm::Int(number), .. }) => ExprForm::Int(number.saturating_neg()),
                _ => return fail(node.byte_range(), Code::Syntax.because(format!("`{text}` is no number"))),
            },
            "binary_operator" => {
                let operator = node.child_by_field_name("operator").map_or("", |node| self.slice(node));
                ExprForm::Binary(operator.to_owned(), field("left")?, field("right")?)
            }
            "lambda" => {
                let names = node.child_by_field_name("parameters").map_or(Vec::new(), named);
                let names = names.into_iter().map(|name| self.slice(name).to_owned()).collect();
                ExprForm::Lambda(names, field("body")?)
            }
            "call" => {
                let mut args = Vec::new();
                for arg in node.child_by_field_name("arguments").map_or(Vec::new(), named) {
                    match (arg.child_by_field_name("name"), arg.child_by_field_name("value")) {
                        (Some(name), Some(value)) if arg.kind() == "keyword_argument" => {
                            args.push((Some(self.slice(name).to_owned()), self.expr(value, depth + 1)?));
                        }
                        _ => args.push((None, self.expr(arg, depth + 1)?)),
                    }
                }
                ExprForm::Call(field("function")?, args)
            }
            _ => {
                let first = text.lines().next().unwrap_or("");
                let at = node.start_byte()..node.start_byte() + first.len();
                return fail(at, Code::Syntax.because(format!("`{first}` has no meaning in a script")));
            }
        };
        Ok(Expr { kind, at: node.byte_range() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (Range<usize>, String) {
        let error = parse(text).expect_err("no script");
        (error.at, error.refusal.to_string())
    }

    #[test]
    fn statements_have_names_and_places() {
        let all = parse("# tiles\ni1, i2 = s[C].split(i, factor=8)\ns[C].unroll(i2)\n").expect("a script");
        assert_eq!(all[0].targets, [("i1".to_owned(), 8..10), ("i2".to_owned(), 12..14)]);
        assert!(all[0].unpack && all[1].targets.is_empty());
        let ExprForm::Call(callee, args) = &all[0].value.kind else { panic!("a call") };
        assert!(matches!(&callee.kind, ExprForm::Attr(_, name) if name == "split"));
        assert_eq!(args[1].0.as_deref(), Some("factor"));
        assert_eq!(args[1].1.kind, ExprForm::Int(8));
    }

    #[test]
    fn what_is_no_script_is_refused_at_its_place() {
        assert_eq!(wrong("x = (1").1, "T-SYNTAX: unexpected `x = (1`");
        assert_eq!(
            wrong("for i in x:\n  pass\n"),
            (0..11, "T-SYNTAX: `for` in a script, which is a list of assignments and calls".into())
        );
        assert_eq!(wrong("a.b = 1").1, "T-SYNTAX: `a.b` gets a value; only names do");
        assert_eq!(wrong("x = [i for i in y]").1, "T-SYNTAX: `[i for i in y]` has no meaning in a script");
        assert!(parse(&format!("x = {}1{}", "(".repeat(5000), ")".repeat(5000))).is_err());
    }
}
