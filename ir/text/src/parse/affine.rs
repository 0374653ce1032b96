//! Affine maps, sets and expressions.

use super::names::Unresolved;
use super::state::{Parse, Parser};
use crate::codes;
use crate::lex::is_letter;
use terrace_diag::{Diagnostic, Span};
use terrace_ir::{Attr, AttrKind};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap, IntegerSet, MAX_DEPTH};

/// What names mean in an expression
pub(crate) enum Ids<'a> {
    /// Declared dimensions and symbols
    Named { dims: Vec<&'a str>, symbols: Vec<&'a str> },
    /// Values: dimensions, and symbols in `symbol(%s)`
    Values { dims: Vec<Unresolved>, symbols: Vec<Unresolved> },
}

/// A map over names of an op's own (its first dimensions) and values
pub struct OpenMap {
    /// The map
    pub map: AffineMap,
    /// Values of the dimensions after the names
    pub values: Vec<Unresolved>,
}

impl<'a> Parser<'a> {
    /// `affine_map<…>` or `affine_set<…>`
    pub fn affine_attr(&mut self, map: bool) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'<')?;
        let attr = self.affine_body(map)?;
        self.expect(b'>')?;
        Ok(attr)
    }

    /// `(d0, d1)[s0] -> (…)` or `(d0) : (…)`
    pub fn affine_body(&mut self, map: bool) -> Parse<Attr> {
        let span = self.here();
        let mut ids = Ids::Named { dims: Vec::new(), symbols: Vec::new() };
        self.expect(b'(')?;
        self.affine_names(&mut ids, b')', false)?;
        if self.lx.eat(b'[') {
            self.affine_names(&mut ids, b']', true)?;
        }
        let (num_dims, num_symbols) = match &ids {
            Ids::Named { dims, symbols } => (dims.len() as u32, symbols.len() as u32),
            Ids::Values { .. } => (0, 0),
        };
        if map {
            self.expect_punct("->")?;
            self.expect(b'(')?;
            let mut results = Vec::new();
            if self.lx.peek() != b')' {
                loop {
                    results.push(self.affine_expr(&mut ids)?);
                    if !self.lx.eat(b',') {
                        break;
                    }
                }
            }
            self.expect(b')')?;
            return match AffineMap::new(num_dims, num_symbols, results) {
                Some(map) => Ok(self.cx.map_attr(map)),
                None => self.fail_at(&codes::ATTRIBUTE, span, "the map uses more than it declares"),
            };
        }
        self.expect(b':')?;
        self.expect(b'(')?;
        let mut constraints = Vec::new();
        if self.lx.peek() != b')' {
            loop {
                let left = self.affine_expr(&mut ids)?;
                let equality = if self.lx.eat_punct("==") {
                    true
                } else if self.lx.eat_punct(">=") {
                    false
                } else if self.lx.eat_punct("<=") {
                    let right = self.affine_expr(&mut ids)?;
                    constraints.push((AffineExpr::sub(right, left), false));
                    if !self.lx.eat(b',') {
                        break;
                    }
                    continue;
                } else {
                    return self.expected("`==`, `>=` or `<=`");
                };
                let right = self.affine_expr(&mut ids)?;
                constraints.push((AffineExpr::sub(left, right), equality));
                if !self.lx.eat(b',') {
                    break;
                }
            }
        }
        self.expect(b')')?;
        match IntegerSet::new(num_dims, num_symbols, constraints) {
            Some(set) => Ok(self.cx.attr(AttrKind::IntegerSet(set))),
            None => self.fail_at(&codes::ATTRIBUTE, span, "the set uses more than it declares"),
        }
    }

    fn affine_names(&mut self, ids: &mut Ids<'a>, close: u8, symbol: bool) -> Parse<()> {
        if self.lx.eat(close) {
            return Ok(());
        }
        loop {
            let span = self.here();
            let Some(name) = self.lx.word() else { return self.expected("a name of a dimension or symbol") };
            if let Ids::Named { dims, symbols } = ids {
                // A million dimensions would make this quadratic; no program has them.
                if dims.len() + symbols.len() >= 4096 {
                    return self.fail_at(&codes::TOO_DEEP, span, "more than 4096 dimensions and symbols");
                }
                if dims.contains(&name) || symbols.contains(&name) {
                    return self.fail_at(&codes::ATTRIBUTE, span, format!("`{name}` is declared twice"));
                }
                if symbol { symbols.push(name) } else { dims.push(name) }
            }
            if !self.lx.eat(b',') {
                return self.expect(close);
            }
        }
    }

    /// A sum
    pub fn affine_expr(&mut self, ids: &mut Ids<'a>) -> Parse<AffineExpr> {
        self.nested(|p| {
            let span = p.here();
            let mut sum = p.affine_product(ids)?;
            loop {
                let kind = match p.lx.peek() {
                    b'+' => true,
                    b'-' if p.lx.at(1) != b'>' => false,
                    _ => return Ok(sum),
                };
                p.lx.bump(1);
                let term = p.affine_product(ids)?;
                sum = if kind { AffineExpr::add(sum, term) } else { AffineExpr::sub(sum, term) };
                p.affine_depth(&sum, span)?;
            }
        })
    }

    fn affine_depth(&mut self, expr: &AffineExpr, span: Span) -> Parse<()> {
        if expr.depth() > MAX_DEPTH {
            return self.fail_at(
                &codes::TOO_DEEP,
                span,
                format!("affine expression more than {MAX_DEPTH} deep"),
            );
        }
        Ok(())
    }

    fn affine_product(&mut self, ids: &mut Ids<'a>) -> Parse<AffineExpr> {
        let span = self.here();
        let mut product = self.affine_leaf(ids)?;
        loop {
            let at = self.here();
            let kind = if self.lx.eat(b'*') {
                AffineKind::Mul
            } else if self.lx.eat_word("floordiv") {
                AffineKind::FloorDiv
            } else if self.lx.eat_word("ceildiv") {
                AffineKind::CeilDiv
            } else if self.lx.eat_word("mod") {
                AffineKind::Mod
            } else {
                return Ok(product);
            };
            let factor = self.affine_leaf(ids)?;
            let linear = factor.is_symbolic_or_constant()
                || kind == AffineKind::Mul && product.is_symbolic_or_constant();
            if !linear {
                let message = match kind {
                    AffineKind::Mul => "one factor must be a constant or of symbols only",
                    _ => "the divisor must be a constant or of symbols only",
                };
                return self.fail_at(&codes::ATTRIBUTE, at, format!("non-affine expression: {message}"));
            }
            if kind != AffineKind::Mul && factor.as_constant().is_some_and(|value| value == 0) {
                return self.fail_at(&codes::ATTRIBUTE, at, "division by zero");
            }
            product = AffineExpr::binary(kind, product, factor);
            self.affine_depth(&product, span)?;
        }
    }

    fn affine_leaf(&mut self, ids: &mut Ids<'a>) -> Parse<AffineExpr> {
        let span = self.here();
        match self.lx.peek() {
            b'(' => {
                self.lx.eat(b'(');
                let inner = self.affine_expr(ids)?;
                self.expect(b')')?;
                Ok(inner)
            }
            b'-' => {
                self.lx.bump(1);
                let inner = self.nested(|p| p.affine_leaf(ids))?;
                let negated = AffineExpr::negated(inner);
                self.affine_depth(&negated, span)?;
                Ok(negated)
            }
            b'0'..=b'9' => Ok(AffineExpr::Constant(self.int64()?)),
            b'%' => self.affine_value(ids, false),
            byte if is_letter(byte) => {
                let word = self.lx.peek_word();
                if word == "symbol" && self.lx.at(6) == b'(' && matches!(ids, Ids::Values { .. }) {
                    self.lx.bump(6);
                    self.expect(b'(')?;
                    let value = self.affine_value(ids, true)?;
                    self.expect(b')')?;
                    return Ok(value);
                }
                if let Ids::Named { dims, symbols } = ids {
                    let position =
                        |list: &[&str]| list.iter().position(|name| *name == word).map(|n| n as u32);
                    if let Some(n) = position(dims) {
                        self.lx.bump(word.len());
                        return Ok(AffineExpr::Dim(n));
                    }
                    if let Some(n) = position(symbols) {
                        self.lx.bump(word.len());
                        return Ok(AffineExpr::Symbol(n));
                    }
                    let message = format!("`{word}` is no dimension or symbol of this map");
                    let mut error = Diagnostic::error(&codes::ATTRIBUTE, message).at(span);
                    let names = dims.iter().chain(symbols.iter()).copied();
                    let near = self.may_search().then(|| terrace_diag::nearest(word, names)).flatten();
                    if let Some(near) = near {
                        error = error.help(format!("did you mean `{near}`?"));
                    }
                    return Err(self.emit(error));
                }
                self.expected("an affine expression")
            }
            _ => self.expected("an affine expression"),
        }
    }

    fn affine_value(&mut self, ids: &mut Ids<'a>, symbol: bool) -> Parse<AffineExpr> {
        let Ids::Values { dims, symbols } = ids else {
            return self.expected("a name of a dimension or symbol");
        };
        let value = self.operand()?;
        let list = if symbol { symbols } else { dims };
        let same = |other: &Unresolved| other.key == value.key && other.number == value.number;
        let n = list.iter().take(4096).position(same).unwrap_or_else(|| {
            list.push(value);
            list.len() - 1
        }) as u32;
        Ok(if symbol { AffineExpr::Symbol(n) } else { AffineExpr::Dim(n) })
    }

    /// `[expr, …]` over values: the map and the operands of its dimensions and symbols
    pub fn affine_map_of_values(
        &mut self,
        open: u8,
        close: u8,
    ) -> Parse<(AffineMap, Vec<Unresolved>, Vec<Unresolved>)> {
        let span = self.here();
        self.expect(open)?;
        let mut ids = Ids::Values { dims: Vec::new(), symbols: Vec::new() };
        let mut results = Vec::new();
        if self.lx.peek() != close {
            loop {
                results.push(self.affine_expr(&mut ids)?);
                if !self.lx.eat(b',') {
                    break;
                }
            }
        }
        self.expect(close)?;
        self.map_of_values(ids, results, span)
    }

    /// The same of one expression without brackets
    pub fn affine_expr_of_values(&mut self) -> Parse<(AffineMap, Vec<Unresolved>, Vec<Unresolved>)> {
        let span = self.here();
        let mut ids = Ids::Values { dims: Vec::new(), symbols: Vec::new() };
        let expr = self.affine_expr(&mut ids)?;
        self.map_of_values(ids, vec![expr], span)
    }

    fn map_of_values(
        &mut self,
        ids: Ids<'a>,
        results: Vec<AffineExpr>,
        span: Span,
    ) -> Parse<(AffineMap, Vec<Unresolved>, Vec<Unresolved>)> {
        let Ids::Values { dims, symbols } = ids else { return self.expected("values") };
        match AffineMap::new(dims.len() as u32, symbols.len() as u32, results) {
            Some(map) => Ok((map, dims, symbols)),
            None => self.fail_at(&codes::ATTRIBUTE, span, "the map uses more than it declares"),
        }
    }

    /// One expression over names of an op's own and values
    pub fn open_expr(&mut self, names: &[Unresolved]) -> Parse<OpenMap> {
        let span = self.here();
        let mut ids = Ids::Values { dims: names.to_vec(), symbols: Vec::new() };
        let expr = self.affine_expr(&mut ids)?;
        self.open_map(ids, names.len(), vec![expr], span)
    }

    /// `[expr, …]` over names of an op's own and values
    pub fn open_exprs(&mut self, names: &[Unresolved]) -> Parse<OpenMap> {
        let span = self.here();
        self.expect(b'[')?;
        let mut ids = Ids::Values { dims: names.to_vec(), symbols: Vec::new() };
        let mut results = Vec::new();
        if self.lx.peek() != b']' {
            loop {
                results.push(self.affine_expr(&mut ids)?);
                if !self.lx.eat(b',') {
                    break;
                }
            }
        }
        self.expect(b']')?;
        self.open_map(ids, names.len(), results, span)
    }

    fn open_map(
        &mut self,
        ids: Ids<'a>,
        names: usize,
        results: Vec<AffineExpr>,
        span: Span,
    ) -> Parse<OpenMap> {
        let Ids::Values { dims, symbols } = ids else { return self.expected("values") };
        if !symbols.is_empty() {
            return self.fail_at(&codes::ATTRIBUTE, span, "`symbol(…)` is not allowed here");
        }
        match AffineMap::new(dims.len() as u32, 0, results) {
            Some(map) => Ok(OpenMap { map, values: dims[names..].to_vec() }),
            None => self.fail_at(&codes::ATTRIBUTE, span, "the map uses more than it declares"),
        }
    }
}
