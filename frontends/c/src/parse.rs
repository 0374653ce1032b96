//! From text to the tree: tree-sitter's nodes, with macros and conditions of the preprocessor worked off.

mod exprs;
mod limits;
mod macros;
mod pragma;
mod preproc;
mod stmts;
mod tokens;
mod types;

use crate::ast::{Expr, File};
use crate::codes;
use std::collections::BTreeMap;
use std::rc::Rc;
use terrace_diag::{Code, Diagnostic, Diags, Reported, SourceId, Span};
use tree_sitter::{Node, Parser, Tree};

pub(crate) type Done<T> = Result<T, Reported>;

/// Parentheses, statements and macros inside of each other
const NESTING: u32 = 200;

/// Tokens that macros may stand for in a file
pub(crate) const EXPANDED: usize = 400_000;

/// What parsing knows
pub(crate) struct Reader<'a> {
    pub(crate) source: SourceId,
    /// The text that nodes are of
    pub(crate) text: String,
    pub(crate) diags: &'a mut Diags,
    pub(crate) file: File,
    pub(crate) macros: BTreeMap<String, Rc<macros::Macro>>,
    /// Values from outside, which win over the file's own
    pub(crate) sets: BTreeMap<String, i64>,
    /// `typedef`s
    pub(crate) types: BTreeMap<String, crate::ast::Elem>,
    /// How nodes get their spans
    pub(crate) at: At,
    pub(crate) depth: u32,
    /// Tokens that macros have given
    pub(crate) expanded: usize,
    /// Names of the parameters of the function in progress
    pub(crate) params: Vec<String>,
}

/// How bytes of the text become spans
pub(crate) enum At {
    /// They are moved by this much
    Shift(i64),
    /// The text has tokens from several places
    Spelled {
        /// Where the first of them begins in the text
        from: usize,
        /// Where each begins behind the first, and its place
        spans: Rc<[(usize, Span)]>,
    },
}

/// Parse a file; nothing if that failed with messages
pub(crate) fn file(
    source: SourceId,
    text: &str,
    sets: &[(String, i64)],
    diags: &mut Diags,
) -> Option<(File, BTreeMap<String, i64>)> {
    let sets: BTreeMap<String, i64> = sets.iter().cloned().collect();
    let mut reader = Reader {
        source,
        text: text.to_string(),
        diags,
        file: File::default(),
        macros: BTreeMap::new(),
        sets,
        types: BTreeMap::new(),
        at: At::Shift(0),
        depth: 0,
        expanded: 0,
        params: Vec::new(),
    };
    if let Some(at) = complex(text) {
        let span = Span::new(source, at.start as u32, at.end as u32);
        let message = "C-TYPE: complex numbers have no type here";
        let help = "an array of `struct { double re, im; }` lies in memory as one of `double complex` does; write what is \
                    done with its parts";
        let _ = reader.diags.emit(Diagnostic::error(&codes::TYPE, message).at(span).help(help));
        return None;
    }
    let Some(tree) = tree(text) else {
        let _ = reader.fail::<()>(&codes::SYNTAX, Span::point(source, 0), "the file cannot be parsed");
        return None;
    };
    let before = reader.diags.errors();
    reader.syntax(tree.root_node());
    if reader.diags.errors() == before {
        reader.top(tree.root_node());
    }
    let ok = reader.diags.errors() == before;
    let Reader { file, sets, .. } = reader;
    ok.then_some((file, sets))
}

/// Where a file speaks of complex numbers: `<complex.h>`, `_Complex`, `double complex`; not in comments and strings
fn complex(text: &str) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut before) = (0, "");
    while at < bytes.len() {
        let rest = &text[at..];
        let skip =
            |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |n| from + n + end.len());
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        at += match bytes[at] {
            b'/' if rest.starts_with("//") => skip("\n", 2),
            b'/' if rest.starts_with("/*") => skip("*/", 2),
            b'"' => skip("\"", 1),
            b'<' if rest.starts_with("<complex.h>") => return Some(at..at + 11),
            _ if word == 0 => {
                if !bytes[at].is_ascii_whitespace() {
                    before = "";
                }
                rest.chars().next().map_or(1, char::len_utf8)
            }
            _ => {
                let own = &rest[..word];
                let number = |word: &str| matches!(word, "float" | "double");
                if own == "_Complex"
                    || own == "complex" && number(before)
                    || before == "complex" && number(own)
                {
                    return Some(at..at + word);
                }
                before = own;
                word
            }
        };
    }
    None
}

fn tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
    parser.parse(text, None)
}

/// Children that matter: no comments
pub(crate) fn named<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

impl Reader<'_> {
    pub(crate) fn span(&self, node: Node<'_>) -> Span {
        self.bytes(node.start_byte(), node.end_byte())
    }

    fn bytes(&self, start: usize, end: usize) -> Span {
        match &self.at {
            At::Spelled { from, spans } => {
                let last = |within: usize| spans.partition_point(|(at, _)| at + from < within).max(1) - 1;
                match (spans.get(last(start + 1)), spans.get(last(end))) {
                    (Some((_, a)), Some((_, b))) => {
                        Span::new(self.source, a.start.min(b.start), a.end.max(b.end))
                    }
                    _ => Span::point(self.source, 0),
                }
            }
            At::Shift(by) => {
                let move_to = |at: usize| (at as i64 + by).max(0) as u32;
                Span::new(self.source, move_to(start), move_to(end))
            }
        }
    }

    pub(crate) fn slice(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.diags.emit(Diagnostic::error(code, message).at(span))
    }

    pub(crate) fn fail<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Done<T> {
        Err(self.error(code, span, message))
    }

    /// Go one level deeper
    pub(crate) fn deeper<T>(&mut self, span: Span, act: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        if self.depth >= NESTING {
            return self.fail(&codes::SYNTAX, span, format!("C-SYNTAX: nested deeper than {NESTING}"));
        }
        self.depth += 1;
        let done = crate::with_room(|| act(self));
        self.depth -= 1;
        done
    }

    /// Report what tree-sitter could not read
    fn syntax(&mut self, root: Node<'_>) {
        if !root.has_error() {
            return;
        }
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if node.is_missing() {
                let span = self.bytes(node.start_byte(), node.start_byte());
                let message = format!("C-SYNTAX: expected `{}`", node.kind());
                let _ = self.error(&codes::SYNTAX, span, message);
            } else if node.is_error() {
                let text = self.slice(node).lines().next().unwrap_or("").trim().to_string();
                let message = match text.is_empty() {
                    true => "C-SYNTAX: this is not C".to_string(),
                    false => format!("C-SYNTAX: unexpected `{text}`"),
                };
                let first = self.slice(node).lines().next().map_or(0, str::len);
                let span = self.bytes(node.start_byte(), node.start_byte() + first);
                let diagnostic = Diagnostic::error(&codes::SYNTAX, message).at(span);
                let expected = expected(node);
                let diagnostic = match expected.is_empty() {
                    true => diagnostic,
                    false => diagnostic.help(format!("expected one of {}", expected.join(" "))),
                };
                let _ = self.diags.emit(diagnostic);
            } else if node.has_error() {
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                stack.extend(children.into_iter().rev());
            }
        }
        if self.diags.errors() == 0 {
            let _ = self.error(&codes::SYNTAX, self.span(root), "C-SYNTAX: this is not C");
        }
    }

    /// An expression that stands alone in a text, which is what a span of the file stands for
    pub(crate) fn expression_at(&mut self, text: &str, at: At, span: Span) -> Done<Expr> {
        const HEAD: &str = "int x = (";
        let whole = format!("{HEAD}{text});");
        let tree = tree(&whole).filter(|tree| !tree.root_node().has_error());
        let declaration = tree.as_ref().and_then(|tree| named(tree.root_node()).into_iter().next());
        let value = declaration
            .and_then(|node| node.child_by_field_name("declarator"))
            .and_then(|node| node.child_by_field_name("value"));
        // The text must not close the parentheses around it.
        let own = HEAD.len() - 1..whole.len() - 1;
        let value =
            value.filter(|node| node.kind() == "parenthesized_expression" && node.byte_range() == own);
        let Some(value) = value else {
            let text: String = text.trim().chars().take(200).collect();
            return self.fail(&codes::SYNTAX, span, format!("C-SYNTAX: `{text}` is no expression"));
        };
        let at = match at {
            At::Shift(by) => At::Shift(by - HEAD.len() as i64),
            At::Spelled { from, spans } => At::Spelled { from: from + HEAD.len(), spans },
        };
        let before = (std::mem::replace(&mut self.text, whole), std::mem::replace(&mut self.at, at));
        let found = self.expr(value);
        (self.text, self.at) = before;
        found
    }
}

/// Words that could stand where an error begins: punctuation and keywords, a few
fn expected(node: Node<'_>) -> Vec<String> {
    let language: tree_sitter::Language = tree_sitter_c::LANGUAGE.into();
    let state = node.child(0).map_or(node.parse_state(), |child| child.parse_state());
    let Some(mut words) = language.lookahead_iterator(state) else { return Vec::new() };
    let mut all: Vec<String> = words
        .iter_names()
        .filter(|name| {
            !name.is_empty() && name.len() <= 8 && !name.contains('_') && *name != "end" && *name != "ERROR"
        })
        .map(|name| format!("`{}`", name.trim()))
        .collect();
    all.sort();
    all.dedup();
    if all.len() > 12 { Vec::new() } else { all }
}
