//! The text of `--pass-pipeline`: `builtin.module(func.func(cse,canonicalize{top-down=false}))`.
//!
//! Messages are those of MLIR's parser, with the same line and caret.

use super::given::{self, BadOptions};
use super::pipeline::{Named, Nest, Node, Use};
use terrace_pass::Registry;

/// Pipelines nest to this depth
const DEEPEST: usize = 64;

/// What is wrong with a pipeline
pub struct BadPipeline {
    /// What LLVM's option parser says, with the program's name before it
    pub llvm: Option<String>,
    /// The error, which has no place in the input
    pub error: String,
}

impl From<String> for BadPipeline {
    fn from(error: String) -> BadPipeline {
        BadPipeline { llvm: None, error }
    }
}

/// Read a pipeline
pub fn parse(text: &str, registry: &Registry) -> Result<Nest, BadPipeline> {
    let wrapped = text.trim().strip_suffix(')').and_then(|text| text.split_once('('));
    let Some((anchor, inner)) = wrapped else {
        let error =
            "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'";
        return Err(error.to_string().into());
    };
    let mut parser = Parser { text: inner, at: 0, last: 0, registry };
    let steps = parser.steps(anchor.trim(), 0)?;
    match parser.peek() {
        None => {}
        Some(')') => {
            let message =
                "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline";
            return Err(parser.error(parser.at, message));
        }
        Some(_) => return Err(parser.error(parser.at, "expected ',' after parsing pipeline")),
    }
    Ok(Nest { anchor: anchor.trim().to_string(), steps })
}

/// The steps of a text without an anchor, such as an option of a pass has
pub fn parse_steps(text: &str, anchor: &str, registry: &Registry) -> Result<Vec<Node>, BadPipeline> {
    Parser { text, at: 0, last: 0, registry }.steps(anchor, 0)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Where the last name begins
    last: usize,
    registry: &'a Registry,
}

impl<'a> Parser<'a> {
    fn error(&self, at: usize, message: &str) -> BadPipeline {
        let column = self.text[..at].chars().count();
        let (line, caret) = (self.text, " ".repeat(column));
        let error = format!(
            "MLIR Textual PassPipeline Parser:1:{}: error: {message}\n{line}\n{caret}^\n",
            column + 1
        );
        error.into()
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, letter: char) -> bool {
        let found = self.peek() == Some(letter);
        if found {
            self.at += letter.len_utf8();
        }
        found
    }

    fn steps(&mut self, anchor: &str, depth: usize) -> Result<Vec<Node>, BadPipeline> {
        let mut steps = Vec::new();
        if matches!(self.peek(), None | Some(')')) {
            return Ok(steps);
        }
        loop {
            let start = self.at;
            self.last = start;
            let rest = &self.text[start..];
            let name = &rest[..rest.find([',', '(', ')', '{']).unwrap_or(rest.len())];
            self.at += name.len();
            let leading = name.len() - name.trim_start().len();
            let (start, name) = (start + leading, name.trim());
            if self.peek() == Some('(') {
                self.at += 1;
                if depth >= DEEPEST {
                    let message = format!("pipelines nest to a depth of {DEEPEST}");
                    return Err(self.error(start, &message));
                }
                let inner = self.steps(name, depth + 1)?;
                match self.peek() {
                    Some(')') => self.at += 1,
                    None => {
                        let message = "encountered unbalanced parentheses while parsing pipeline";
                        return Err(self.error(self.last, message));
                    }
                    Some(_) => return Err(self.error(self.at, "expected ',' after parsing pipeline")),
                }
                steps.push(Node::Nest(Nest { anchor: name.to_string(), steps: inner }));
            } else {
                steps.push(Node::Pass(self.pass(start, name, anchor)?));
            }
            let gap = self.text[self.at..].len() - self.text[self.at..].trim_start().len();
            self.at += gap;
            if !self.eat(',') {
                return Ok(steps);
            }
        }
    }

    fn pass(&mut self, start: usize, name: &str, anchor: &str) -> Result<Use, BadPipeline> {
        let written = match self.peek() {
            Some('{') => self.braces()?,
            _ => "",
        };
        let Some(pass) = Named::find(name, self.registry) else {
            let message = format!("'{name}' does not refer to a registered pass or pass pipeline");
            return Err(self.error(start, &message));
        };
        let failed = format!("\nfailed to add `{name}` with options `{written}`\n");
        let given = given::options(pass, written)
            .map_err(|BadOptions { llvm, error }| BadPipeline { llvm, error: format!("{error}{failed}") })?;
        if let Some(op) = pass.op().filter(|op| *op != anchor) {
            let class = pass.class();
            return Err(BadPipeline::from(format!(
                "Can't add pass '{class}' restricted to '{op}' on a PassManager intended to run on '{anchor}', did \
                 you intend to nest?{failed}"
            )));
        }
        Ok(Use { pass, given })
    }

    /// What stands between braces, at the opening one
    fn braces(&mut self) -> Result<&'a str, BadPipeline> {
        let open = self.at;
        let mut depth = 0usize;
        for (at, letter) in self.text[open..].char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = open + at + 1;
                return Ok(&self.text[open + 1..open + at]);
            }
        }
        Err(self.error(open, "missing closing '}' while processing pass options"))
    }
}
