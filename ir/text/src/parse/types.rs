//! Types.

use super::alias_table::Meaning;
use super::state::{Parse, Parser};
use crate::lex::{is_letter, is_word};
use crate::{OtherSyntax, codes};
use terrace_diag::{Diagnostic, Span};
use terrace_ir::defs::TypeDef;
use terrace_ir::valid;
use terrace_ir::{DYNAMIC, FloatKind, Sign, Type, TypeKind};

const NAMED: &[&str] = &["index", "none", "vector", "tensor", "memref", "tuple", "complex"];

impl<'a> Parser<'a> {
    /// Can a type begin here?
    pub fn at_type(&self) -> bool {
        match self.lx.peek() {
            b'(' | b'!' => true,
            byte if is_letter(byte) => {
                let word = self.lx.peek_word();
                NAMED.contains(&word) || int_type(word).is_some() || float_kind(word).is_some()
            }
            _ => false,
        }
    }

    /// A type
    #[inline]
    pub fn ty(&mut self) -> Parse<Type> {
        let start = self.lx.pos;
        let Some(len) = self.cacheable_len() else {
            let ty = self.nested(Self::ty_at)?;
            self.note_type(start, ty);
            return Ok(ty);
        };
        let may_be_cached = !self.in_alias_definition() && !self.notes_inside(start, len);
        if may_be_cached && let Some(ty) = self.cached_type(start, len) {
            self.lx.bump(len);
            self.note_type(start, ty);
            return Ok(ty);
        }
        let ty = self.nested(Self::ty_at)?;
        self.note_type(start, ty);
        if self.lx.last == start + len {
            self.cache_type(start, len, ty);
        }
        Ok(ty)
    }

    /// Length of the text if it is a word with plain parameters on this line
    #[inline]
    fn cacheable_len(&self) -> Option<usize> {
        let first = self.lx.peek();
        let mut n = if first == b'!' { self.lx.run(1, is_word) } else { self.lx.word_len() };
        if n < 2 {
            return None;
        }
        if self.lx.at(n) != b'<' {
            return Some(n);
        }
        let mut open = 0;
        loop {
            match self.lx.at(n) {
                b'<' => open += 1,
                b'>' if self.lx.at(n - 1) == b'-' => {}
                b'>' => {
                    open -= 1;
                    if open == 0 {
                        return Some(n + 1);
                    }
                }
                b'"' | b'\n' | b'{' | b'}' | b'/' | 0 => return None,
                _ => {}
            }
            n += 1;
            if n > 160 {
                return None;
            }
        }
    }

    fn ty_at(&mut self) -> Parse<Type> {
        match self.lx.peek() {
            b'(' => {
                let mut inputs = Vec::new();
                let mut results = Vec::new();
                self.function_type_into(&mut inputs, &mut results)?;
                Ok(self.cx.function(&inputs, &results))
            }
            b'!' => self.dialect_type(),
            byte if is_letter(byte) => self.builtin_type(),
            _ => self.expected("a type"),
        }
    }

    /// `(types) -> types`
    pub fn function_type_into(&mut self, inputs: &mut Vec<Type>, results: &mut Vec<Type>) -> Parse<()> {
        self.type_list_parens(inputs)?;
        self.expect_punct("->")?;
        self.result_types_into(results)
    }

    /// `type` or `(types)`
    pub fn result_types_into(&mut self, results: &mut Vec<Type>) -> Parse<()> {
        if self.lx.peek() == b'(' {
            self.type_list_parens(results)
        } else {
            results.push(self.ty()?);
            Ok(())
        }
    }

    /// `(types)`
    pub fn type_list_parens(&mut self, types: &mut Vec<Type>) -> Parse<()> {
        self.expect(b'(')?;
        if self.lx.eat(b')') {
            return Ok(());
        }
        self.type_list(types)?;
        self.expect(b')')
    }

    /// `type, type`
    pub fn type_list(&mut self, types: &mut Vec<Type>) -> Parse<()> {
        loop {
            types.push(self.ty()?);
            if !self.lx.eat(b',') {
                return Ok(());
            }
        }
    }

    fn builtin_type(&mut self) -> Parse<Type> {
        let word = self.lx.peek_word();
        let span = self.here();
        if let Some((sign, width)) = int_type(word) {
            return match width.filter(|width| (1..1 << 24).contains(width)) {
                Some(width) => {
                    self.lx.bump(word.len());
                    Ok(self.cx.ty(TypeKind::Int { width, sign }))
                }
                None => self.fail(&codes::TYPE, "integer types have 1 to 16777215 bits"),
            };
        }
        if let Some(kind) = float_kind(word) {
            self.lx.bump(word.len());
            return Ok(self.cx.ty(TypeKind::Float(kind)));
        }
        if !NAMED.contains(&word) {
            let mut error = Diagnostic::error(&codes::TYPE, format!("unknown type `{word}`")).at(span);
            let words = NAMED.iter().copied().chain(FloatKind::WORDS.iter().copied());
            if let Some(near) = terrace_diag::nearest(word, words) {
                error = error.help(format!("did you mean `{near}`?"));
            }
            return Err(self.emit(error));
        }
        self.lx.bump(word.len());
        match word {
            "index" => Ok(self.cx.common().index),
            "none" => Ok(self.cx.common().none),
            "tuple" => {
                self.expect(b'<')?;
                let mut items = Vec::new();
                if self.lx.peek() != b'>' {
                    self.type_list(&mut items)?;
                }
                self.expect(b'>')?;
                Ok(self.cx.ty(TypeKind::Tuple(items.into())))
            }
            "complex" => {
                self.expect(b'<')?;
                let at = self.here();
                let part = self.ty()?;
                self.expect(b'>')?;
                self.valid(at, valid::complex_part(self.cx, part))?;
                Ok(self.cx.ty(TypeKind::Complex(part)))
            }
            "vector" => self.vector_type(),
            "tensor" => self.tensor_type(),
            _ => self.memref_type(),
        }
    }

    /// A dimension's number and the `x` after it
    fn dimension(&mut self) -> Parse<i64> {
        let digits = self.lx.run(0, |byte| byte.is_ascii_digit());
        let text = self.lx.slice(self.lx.pos, self.lx.pos + digits);
        match text.parse::<i64>() {
            Ok(size) => {
                self.lx.bump(digits);
                Ok(size)
            }
            Err(_) if digits > 0 => self.fail(&codes::OVERFLOW, "dimension does not fit 64 bits"),
            Err(_) => self.expected("a dimension"),
        }
    }

    /// The `x` after a dimension; what follows it on the same word is a token of its own
    fn dimension_x(&mut self) -> Parse<()> {
        if self.lx.peek() != b'x' {
            return self.expected("`x` after the dimension");
        }
        self.lx.bump(1);
        Ok(())
    }

    /// `4x?x` up to the element type
    /// `4x?x` before an element type
    pub fn shape(&mut self) -> Parse<Vec<i64>> {
        let mut shape = Vec::new();
        loop {
            match self.lx.peek() {
                b'?' => {
                    self.lx.bump(1);
                    shape.push(DYNAMIC);
                }
                byte if byte.is_ascii_digit() => shape.push(self.dimension()?),
                _ => return Ok(shape),
            }
            self.dimension_x()?;
        }
    }

    fn vector_type(&mut self) -> Parse<Type> {
        self.expect(b'<')?;
        let (mut shape, mut scalable) = (Vec::new(), 0u64);
        loop {
            let at = self.here();
            let bracket = self.lx.eat(b'[');
            if !bracket && !self.lx.peek().is_ascii_digit() {
                if self.lx.peek() == b'?' {
                    return self.fail(&codes::TYPE, "dimensions of vectors are fixed numbers");
                }
                break;
            }
            let size = self.dimension()?;
            self.valid(at, valid::vector_size(size))?;
            if bracket {
                self.expect(b']')?;
                if shape.len() >= 64 {
                    return self.fail_at(&codes::TYPE, at, "only the first 64 dimensions may be scalable");
                }
                scalable |= 1 << shape.len();
            }
            shape.push(size);
            self.dimension_x()?;
        }
        let at = self.here();
        let elem = self.ty()?;
        self.expect(b'>')?;
        self.valid(at, valid::vector_element(self.cx, elem))?;
        Ok(self.cx.ty(TypeKind::Vector { shape: shape.into(), scalable, elem }))
    }

    fn element(&mut self, what: &str) -> Parse<Type> {
        let at = self.here();
        let elem = self.ty()?;
        self.valid(at, valid::element(self.cx, elem, what))?;
        Ok(elem)
    }

    /// What a check of a type's part says
    fn valid<T>(&mut self, at: Span, checked: Result<T, impl Into<String>>) -> Parse<T> {
        checked.or_else(|why| self.fail_at(&codes::TYPE, at, why.into()))
    }

    /// `*x` of an unranked type
    fn unranked(&mut self) -> Parse<bool> {
        if !self.lx.eat(b'*') {
            return Ok(false);
        }
        self.dimension_x()?;
        Ok(true)
    }

    fn tensor_type(&mut self) -> Parse<Type> {
        self.expect(b'<')?;
        if self.unranked()? {
            let elem = self.element("tensor")?;
            self.expect(b'>')?;
            return Ok(self.cx.ty(TypeKind::UnrankedTensor(elem)));
        }
        let shape = self.shape()?;
        let elem = self.element("tensor")?;
        let encoding = if self.lx.eat(b',') { Some(self.attr()?) } else { None };
        self.expect(b'>')?;
        Ok(self.cx.ty(TypeKind::Tensor { shape: shape.into(), elem, encoding }))
    }

    fn memref_type(&mut self) -> Parse<Type> {
        self.expect(b'<')?;
        if self.unranked()? {
            let elem = self.element("memref")?;
            let space = if self.lx.eat(b',') { self.space()? } else { None };
            self.expect(b'>')?;
            return Ok(self.cx.ty(TypeKind::UnrankedMemRef { elem, space }));
        }
        let shape = self.shape()?;
        let elem = self.element("memref")?;
        let (mut layout, mut space) = (None, None);
        let mut n = 0;
        while self.lx.eat(b',') {
            let at = self.here();
            let attr = self.attr()?;
            let is_layout = valid::is_layout(self.cx, attr);
            if is_layout && n == 0 {
                layout = self.valid(at, valid::layout(self.cx, attr, shape.len()))?;
            } else if n < 2 && !is_layout && space.is_none() {
                space = valid::space(self.cx, attr);
            } else {
                return self.fail_at(
                    &codes::TYPE,
                    at,
                    "a memref has at most one layout and one memory space",
                );
            }
            n += 1;
        }
        self.expect(b'>')?;
        Ok(self.cx.ty(TypeKind::MemRef { shape: shape.into(), elem, layout, space }))
    }

    fn space(&mut self) -> Parse<Option<terrace_ir::Attr>> {
        let attr = self.attr()?;
        Ok(valid::space(self.cx, attr))
    }

    fn dialect_type(&mut self) -> Parse<Type> {
        let len = self.lx.run(1, is_word);
        let name = self.lx.slice(self.lx.pos + 1, self.lx.pos + len);
        if name.is_empty() {
            return self.expected("a type's name after `!`");
        }
        if !name.contains('.') && self.lx.at(len) != b'<' {
            let at = self.here();
            return match self.alias(len)? {
                Meaning::Type(ty) => Ok(ty),
                _ => self.fail_at(&codes::ALIAS, at, "this alias is no type"),
            };
        }
        let span = self.here();
        if let Some(def) = self.cx.type_def(name) {
            self.lx.bump(len);
            return self.type_of_def(def, span);
        }
        let dialect = name.split('.').next().unwrap_or(name);
        let registered = self.cx.dialect(dialect);
        let open = registered.is_some_and(|dialect| dialect.interface::<OtherSyntax>().is_some());
        if let Some(registered) = registered {
            if !name.contains('.') {
                // `!dialect<name …>` is another spelling of `!dialect.name<…>`.
                let inner = self.inner_name(len);
                if let Some(def) = inner.and_then(|word| self.cx.type_def(&format!("{dialect}.{word}"))) {
                    self.lx.bump(len + 1);
                    self.lx.word();
                    let ty = self.type_of_def(def, span)?;
                    self.expect(b'>')?;
                    return Ok(ty);
                }
            }
            if open {
                let (dialect, text) = self.text_of_dialect(len, dialect)?;
                return Ok(self.cx.ty(TypeKind::Opaque { dialect, text }));
            }
            let mut error =
                Diagnostic::error(&codes::TYPE, format!("dialect `{dialect}` has no type `!{name}`"))
                    .at(span);
            let names = registered.types.iter().map(|def| def.name);
            if let Some(near) = self.may_search().then(|| terrace_diag::nearest(name, names)).flatten() {
                error = error.help(format!("did you mean `!{near}`?"));
            }
            return Err(self.emit(error));
        }
        let (dialect, text) = self.opaque(len, dialect, "type")?;
        Ok(self.cx.ty(TypeKind::Opaque { dialect, text }))
    }

    /// What follows the name of a type: its parameters
    pub fn type_of_def(&mut self, def: &'static TypeDef, span: Span) -> Parse<Type> {
        let params = self.params_of(def.interfaces, def.params)?;
        match def.verify.map(|verify| verify(self.cx, &params)) {
            Some(Err(message)) => self.fail_at(&codes::TYPE, span, message),
            _ => Ok(self.cx.ty(TypeKind::Dialect { def, params: params.into() })),
        }
    }

    /// The word after `<` that follows `len` bytes
    pub fn inner_name(&self, len: usize) -> Option<&'a str> {
        let start = self.lx.pos + len + 1;
        let word_end = self.lx.run(len + 1, is_word) + self.lx.pos;
        let word = self.lx.slice(start, word_end);
        (self.lx.at(len) == b'<' && !word.is_empty()).then_some(word)
    }
}

fn int_type(word: &str) -> Option<(Sign, Option<u32>)> {
    let (sign, digits) = match word.as_bytes() {
        [b'i', ..] => (Sign::Signless, &word[1..]),
        [b's', b'i', ..] => (Sign::Signed, &word[2..]),
        [b'u', b'i', ..] => (Sign::Unsigned, &word[2..]),
        _ => return None,
    };
    let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    numeric.then(|| (sign, digits.parse().ok()))
}

fn float_kind(word: &str) -> Option<FloatKind> {
    if !matches!(word.as_bytes().first(), Some(b'f' | b'b' | b't')) {
        return None;
    }
    word.parse().ok()
}
