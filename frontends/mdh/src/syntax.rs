//! Words and expressions that both text forms share.
//!
//! ```text
//! expr := cond          cond := or [? expr : expr]        or := and {|| and}      and := cmp {&& cmp}
//! cmp  := sum [(< | <= | > | >= | == | !=) sum {…}]       `a <= b < c` is two comparisons
//! sum  := term {(+|-) term}     term := unary {(*|/|%) unary}     unary := [-] primary
//! primary := NUMBER | NAME | NAME ( expr, … ) | NAME [ expr, … ] [else NUMBER] | ( expr {, expr} ) | [ expr ]
//! ```

use terrace_diag::{Code, Diagnostic, Diags, Reported, SourceId, Span};

/// A word of the text
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A name or keyword
    Name(String),
    /// A number as written
    Number(String),
    /// Anything between double quotes
    Text(String),
    /// Steps of a schedule: what stands in parentheses behind `schedule`
    Steps(String),
    /// An operator or a bracket
    Mark(&'static str),
    /// The end
    End,
}

/// Longest first
const MARKS: &[&str] = &[
    "++prefix-sum",
    ":=",
    "->",
    "<=",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    "+=",
    "++",
    "<",
    ">",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "|",
    "?",
    "&",
    "^",
    "@",
];

/// A text in progress
pub struct Words<'a> {
    source: SourceId,
    tokens: Vec<(Token, u32, u32)>,
    at: usize,
    diags: &'a mut Diags,
    code: Code,
    depth: u32,
    /// Operators of the expression being read
    operators: u32,
}

/// Parentheses inside of each other
const NESTING: u32 = 200;

/// Most operators of one expression: a chain of them is a tree as deep, and what comes after walks it
const OPERATORS: u32 = 1000;

/// Run with enough stack for what walks such a tree, in a build without optimizations too
pub(crate) fn with_room<T>(act: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(16 << 20, 32 << 20, act)
}

/// An expression
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Where
    pub span: Span,
    /// What
    pub kind: ExprKind,
}

/// An expression
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer
    Int(i64),
    /// A number with a point
    Float(f64),
    /// A name
    Name(String),
    /// `-e`
    Neg(Box<Expr>),
    /// Two operands by the operator's spelling
    Op(&'static str, Box<Expr>, Box<Expr>),
    /// `f(e, …)`
    Call(String, Vec<Expr>),
    /// `A[e, …] else c`
    Access(String, Vec<Expr>, Option<f64>),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[c]`: 1 where it holds, else 0
    Iverson(Box<Expr>),
}

/// Bytes of `( 1: … )`: parentheses around what begins as a step does
fn steps(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('(')?.trim_start();
    if !inner.starts_with(|c: char| c.is_ascii_digit() || "?{/".contains(c)) {
        return None;
    }
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

impl<'a> Words<'a> {
    /// Cut a text into words; nothing if a character belongs to none
    pub fn new(source: SourceId, text: &str, code: Code, diags: &'a mut Diags) -> Option<Words<'a>> {
        let mut tokens: Vec<(Token, u32, u32)> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &text[at..];
            let c = rest.chars().next().unwrap_or(' ');
            if c.is_whitespace() {
                at += c.len_utf8();
                continue;
            }
            if rest.starts_with("//") || rest.starts_with('#') {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            let start = at;
            let steps = matches!(tokens.last(), Some((Token::Name(name), ..)) if name == "schedule")
                .then(|| steps(rest))
                .flatten();
            let token = if let Some(len) = steps {
                at += len;
                Token::Steps(rest[1..len - 1].to_string())
            } else if c.is_ascii_alphabetic() || c == '_' {
                let len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                at += len;
                Token::Name(rest[..len].to_string())
            } else if c.is_ascii_digit() {
                let mut len = 0;
                let inside = rest.as_bytes();
                while len < inside.len()
                    && (inside[len].is_ascii_alphanumeric()
                        || inside[len] == b'.'
                        || matches!(inside[len], b'+' | b'-') && matches!(inside[len - 1], b'e' | b'E'))
                {
                    len += 1;
                }
                at += len;
                Token::Number(rest[..len].to_string())
            } else if let Some(inner) = rest.strip_prefix('"') {
                let len = inner.find('"').unwrap_or(inner.len());
                at += (len + 2).min(rest.len());
                Token::Text(inner[..len].to_string())
            } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                at += mark.len();
                Token::Mark(mark)
            } else {
                let span = Span::new(source, start as u32, (start + c.len_utf8()) as u32);
                let _ = diags.emit(Diagnostic::error(code, format!("`{c}` belongs to no word")).at(span));
                return None;
            };
            tokens.push((token, start as u32, at as u32));
        }
        let end = bytes.len() as u32;
        tokens.push((Token::End, end, end));
        Some(Words { source, tokens, at: 0, diags, code, depth: 0, operators: 0 })
    }

    /// The next word
    pub fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)].0
    }

    /// Where the next word is
    pub fn span(&self) -> Span {
        let (_, start, end) = self.tokens[self.at.min(self.tokens.len() - 1)];
        Span::new(self.source, start, end)
    }

    /// From a place up to the last word taken
    pub fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|n| self.tokens.get(n)).map_or(start.end, |token| token.2);
        Span::new(self.source, start.start, last.max(start.end))
    }

    /// Take the next word
    pub fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    /// Is this the next mark?
    pub fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(other) if *other == mark)
    }

    /// Is this the mark behind the next word?
    pub fn then_is(&self, mark: &str) -> bool {
        matches!(self.tokens.get(self.at + 1), Some((Token::Mark(other), ..)) if *other == mark)
    }

    /// Does a name with a type come, `NAME<TYPE>`, and this mark behind it?
    pub fn typed_then(&self, mark: &str) -> bool {
        let is = |n: usize, mark: &str| matches!(self.tokens.get(self.at + n), Some((Token::Mark(other), ..)) if *other == mark);
        let ty = matches!(self.tokens.get(self.at + 2), Some((Token::Name(_), ..)));
        ty && is(1, "<") && is(3, ">") && is(4, mark)
    }

    /// Does a group in parentheses come, of names and commas, and this mark behind it?
    pub fn group_then(&self, mark: &str) -> bool {
        let mut behind = self.tokens.iter().skip(self.at + 1).map(|(token, ..)| token);
        let end = behind.find(|token| !matches!(token, Token::Name(_) | Token::Mark("," | "<" | ">")));
        matches!(end, Some(Token::Mark(")")))
            && matches!(behind.next(), Some(Token::Mark(other)) if *other == mark)
    }

    /// Take a mark if it is next
    pub fn eat(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    /// Take a keyword if it is next
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(other) if other == word);
        self.at += usize::from(found);
        found
    }

    /// This mark must come
    pub fn expect(&mut self, mark: &str) -> Result<(), Reported> {
        match self.eat(mark) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{mark}`"))),
        }
    }

    /// This keyword must come
    pub fn expect_word(&mut self, word: &str) -> Result<(), Reported> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    /// Steps of a schedule must come; with the place of their text
    pub fn steps(&mut self) -> Result<(String, Span), Reported> {
        let span = self.span();
        match self.peek().clone() {
            Token::Steps(text) => {
                self.at += 1;
                Ok((text, Span::new(span.source, span.start + 1, span.end - 1)))
            }
            _ => Err(self.unexpected("`(` and steps, such as 1: (16,^) (^ ; ^) (THR.x,^)")),
        }
    }

    /// A name must come
    pub fn name(&mut self, what: &str) -> Result<(String, Span), Reported> {
        let span = self.span();
        match self.peek().clone() {
            Token::Name(name) => {
                self.at += 1;
                Ok((name, span))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Something else was expected
    pub fn unexpected(&mut self, what: &str) -> Reported {
        let found = match self.peek() {
            Token::Name(text) | Token::Number(text) => format!("`{text}`"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Steps(_) => "steps of a schedule".into(),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::End => "the end".into(),
        };
        let span = self.span();
        self.error(self.code, span, format!("expected {what}, not {found}"))
    }

    /// Report an error
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        let head = code.title.split(':').next().unwrap_or("");
        self.diags.emit(Diagnostic::error(code, format!("{head}: {}", message.into())).at(span))
    }

    /// Report an error that says what would be right
    pub fn error_with_help(
        &mut self,
        code: Code,
        span: Span,
        message: &str,
        help: Option<String>,
    ) -> Reported {
        let head = code.title.split(':').next().unwrap_or("");
        let diagnostic = Diagnostic::error(code, format!("{head}: {message}")).at(span);
        self.diags.emit(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        })
    }

    /// Entries with commas between, up to a closing mark
    pub fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Reported>,
    ) -> Result<Vec<T>, Reported> {
        self.expect(open)?;
        let mut all = Vec::new();
        while !self.eat(close) {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(item(self)?);
        }
        Ok(all)
    }

    /// An expression
    pub fn expr(&mut self) -> Result<Expr, Reported> {
        let start = self.span();
        if self.depth >= NESTING {
            return Err(self.error(self.code, start, "nested too deeply"));
        }
        if self.depth == 0 {
            self.operators = 0;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(256 << 10, 4 << 20, || self.conditional(start));
        self.depth -= 1;
        result
    }

    fn conditional(&mut self, start: Span) -> Result<Expr, Reported> {
        let test = self.binary(0)?;
        if !self.eat("?") {
            return Ok(test);
        }
        let yes = self.expr()?;
        self.expect(":")?;
        let no = self.expr()?;
        let kind = ExprKind::Cond(Box::new(test), Box::new(yes), Box::new(no));
        Ok(Expr { span: self.since(start), kind })
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Reported> {
        const LEVELS: [&[&str]; 5] =
            [&["||"], &["&&"], &["<=", ">=", "==", "!=", "<", ">"], &["+", "-"], &["*", "/", "%"]];
        let start = self.span();
        let Some(marks) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        let mut last: Option<Expr> = None;
        while let Some(mark) = marks.iter().find(|mark| self.is(mark)) {
            self.operators += 1;
            if self.operators > OPERATORS {
                let message = format!("an expression of more than {OPERATORS} operators");
                return Err(self.error(self.code, self.span(), message));
            }
            self.at += 1;
            let right = self.binary(level + 1)?;
            let span = self.since(start);
            let of = |a: Expr, b: Expr| Expr { span, kind: ExprKind::Op(mark, Box::new(a), Box::new(b)) };
            // `a <= b < c`
            left = match last.take().filter(|_| level == 2) {
                Some(middle) => {
                    let next = of(middle, right.clone());
                    Expr { span, kind: ExprKind::Op("&&", Box::new(left), Box::new(next)) }
                }
                None => of(left, right.clone()),
            };
            last = Some(right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Reported> {
        let start = self.span();
        if self.eat("-") {
            if self.depth >= NESTING {
                return Err(self.error(self.code, start, "nested too deeply"));
            }
            self.depth += 1;
            let inner = self.unary();
            self.depth -= 1;
            let inner = inner?;
            let kind = match inner.kind {
                ExprKind::Int(value) => ExprKind::Int(-value),
                ExprKind::Float(value) => ExprKind::Float(-value),
                _ => ExprKind::Neg(Box::new(inner)),
            };
            return Ok(Expr { span: self.since(start), kind });
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Expr, Reported> {
        let start = self.span();
        let kind = match self.take() {
            Token::Number(text) => match number(&text) {
                Some(kind) => kind,
                None => return Err(self.error(self.code, start, format!("`{text}` is no number"))),
            },
            Token::Name(name) if name == "inf" => ExprKind::Float(f64::INFINITY),
            Token::Name(name) if self.is("(") => ExprKind::Call(name, self.list("(", ")", Self::expr)?),
            Token::Name(name) if self.is("[") => {
                let subs = self.list("[", "]", Self::expr)?;
                let other = match self.eat_word("else") {
                    true => Some(self.number()?),
                    false => None,
                };
                ExprKind::Access(name, subs, other)
            }
            Token::Name(name) => ExprKind::Name(name),
            Token::Mark("(") => {
                self.at -= 1;
                let mut all = self.list("(", ")", Self::expr)?;
                match all.pop() {
                    Some(only) if all.is_empty() => return Ok(only),
                    Some(last) => {
                        all.push(last);
                        ExprKind::Tuple(all)
                    }
                    None => return Err(self.error(self.code, start, "empty parentheses")),
                }
            }
            Token::Mark("[") => {
                let inner = self.expr()?;
                self.expect("]")?;
                ExprKind::Iverson(Box::new(inner))
            }
            _ => {
                self.at -= 1;
                return Err(self.unexpected("an expression"));
            }
        };
        Ok(Expr { span: self.since(start), kind })
    }

    /// A number with its sign
    pub fn number(&mut self) -> Result<f64, Reported> {
        let negative = self.eat("-");
        let value = match self.peek().clone() {
            Token::Name(name) if name == "inf" => Some(f64::INFINITY),
            Token::Number(text) => number(&text).map(|kind| match kind {
                ExprKind::Int(value) => value as f64,
                ExprKind::Float(value) => value,
                _ => 0.0,
            }),
            _ => None,
        };
        match value {
            Some(value) => {
                self.at += 1;
                Ok(if negative { -value } else { value })
            }
            None => Err(self.unexpected("a number")),
        }
    }
}

fn number(text: &str) -> Option<ExprKind> {
    if let Ok(value) = text.parse::<i64>() {
        return Some(ExprKind::Int(value));
    }
    text.parse::<f64>().ok().filter(|_| !text.contains("inf") && !text.contains("nan")).map(ExprKind::Float)
}
