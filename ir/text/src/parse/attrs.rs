//! Attributes, but for numbers, dense elements, affine maps and locations, which have files of their own.

use super::alias_table::Meaning;
use super::op_parser::{OpParser, OpState};
use super::state::{Parse, Parser};
use crate::codes;
use crate::lex::{is_letter, is_word, unescape};
use crate::{CustomParams, OtherSyntax};
use terrace_diag::{Diagnostic, Span};
use terrace_ir::asm::{ParamFormat, ParamPiece};
use terrace_ir::defs::ParamSpec;
use terrace_ir::interface::Interface;
use terrace_ir::{Attr, AttrForm, AttrKind, DYNAMIC, EnumDef, Str, Type};

const WORDS: &[&str] = &[
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "distinct",
    "false",
    "loc",
    "sparse",
    "strided",
    "true",
    "unit",
];

impl<'a> Parser<'a> {
    /// An attribute
    pub fn attr(&mut self) -> Parse<Attr> {
        self.nested(|p| p.attr_at(None))
    }

    /// An attribute whose type is known and not written
    pub fn attr_of(&mut self, ty: Type) -> Parse<Attr> {
        self.nested(|p| p.attr_at(Some(ty)))
    }

    fn attr_at(&mut self, ty: Option<Type>) -> Parse<Attr> {
        let byte = self.lx.peek();
        match byte {
            b'0'..=b'9' => self.number(ty),
            b'-' if self.lx.at(1) != b'>' => self.number(ty),
            b'"' => {
                let text = self.string()?;
                let text = self.cx.intern(&text);
                let ty = match ty {
                    None if self.lx.peek() == b':' && self.lx.at(1) != b':' => {
                        self.lx.eat(b':');
                        Some(self.ty()?)
                    }
                    other => other,
                };
                // Upstream's default type of a string is `none`.
                let ty = ty.filter(|ty| *ty != self.cx.common().none);
                Ok(self.cx.attr(AttrKind::Str { text, ty }))
            }
            b'@' => self.symbol_ref(),
            b'[' => {
                self.lx.eat(b'[');
                let mut items = Vec::new();
                if !self.lx.eat(b']') {
                    loop {
                        items.push(self.attr()?);
                        if !self.lx.eat(b',') {
                            break;
                        }
                    }
                    self.expect(b']')?;
                }
                Ok(self.cx.attr(AttrKind::Array(items.into())))
            }
            b'{' => self.dictionary(),
            b'#' => self.dialect_attr(ty),
            b'(' | b'!' => Ok(self.cx.type_attr(self.ty()?)),
            _ if is_letter(byte) => self.keyword_attr(ty),
            _ => self.expected("an attribute"),
        }
    }

    fn keyword_attr(&mut self, ty: Option<Type>) -> Parse<Attr> {
        let word = self.lx.peek_word();
        match word {
            "true" | "false" => {
                self.lx.bump(word.len());
                let i1 = self.cx.common().i1;
                let value = word == "true";
                // `true : i1` is allowed, any other type is not.
                if ty.is_none() && self.lx.peek() == b':' && self.lx.at(1) == b' ' {
                    let back = (self.lx.pos, self.lx.last);
                    self.lx.eat(b':');
                    if !self.lx.eat_word("i1") {
                        (self.lx.pos, self.lx.last) = back;
                    }
                }
                match ty {
                    Some(other) if other != i1 => self
                        .fail(&codes::ATTRIBUTE, format!("`{word}` is of type i1, not {}", self.show(other))),
                    _ => Ok(self.cx.bool_attr(value)),
                }
            }
            "unit" => {
                self.lx.bump(word.len());
                Ok(self.cx.common().unit)
            }
            "affine_map" | "affine_set" => self.affine_attr(word == "affine_map"),
            "dense" => self.dense(ty),
            "sparse" => self.sparse(ty),
            "dense_resource" => self.dense_resource(ty),
            "array" => self.dense_array(),
            "strided" => self.strided(),
            "distinct" => self.distinct(),
            "loc" => {
                self.lx.bump(word.len());
                self.location_parens()
            }
            _ if self.at_type() => Ok(self.cx.type_attr(self.ty()?)),
            _ => self.expected_word("an attribute", &mut WORDS.iter().copied()),
        }
    }

    /// Text of a type, for messages
    pub fn show(&self, ty: Type) -> String {
        terrace_ir::show::type_text(self.cx, ty)
    }

    /// A string literal's value
    pub fn string(&mut self) -> Parse<String> {
        if self.lx.peek() != b'"' {
            return self.expected("a string");
        }
        let Some(len) = self.lx.string_len() else {
            return self.fail(&codes::STRING, "the string does not end on its line");
        };
        let start = self.lx.pos;
        let inside = self.lx.slice(start + 1, start + len - 1);
        self.lx.bump(len);
        match unescape(inside) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(text),
                Err(_) => {
                    let span = self.span(start, start + len);
                    self.fail_at(&codes::STRING, span, "the string's bytes are not UTF-8")
                }
            },
            Err(at) => {
                let span = self.span(start + 1 + at, start + 2 + at);
                let error = Diagnostic::error(&codes::STRING, "unknown escape in the string").at(span);
                let help = "escapes are `\\\\`, `\\\"`, `\\n`, `\\t` and two hexadecimal digits";
                Err(self.emit(error.help(help)))
            }
        }
    }

    /// `@name`
    pub fn symbol_name(&mut self) -> Parse<Str> {
        self.symbol_part(None)
    }

    /// `@name`, behind another one in a nested reference
    fn symbol_part(&mut self, outer: Option<u32>) -> Parse<Str> {
        let at = self.lx.pos;
        if self.lx.peek() != b'@' {
            return self.expected("a symbol's name");
        }
        if self.lx.at(1) == b'"' {
            self.lx.pos += 1;
            let text = self.string()?;
            if text.is_empty() {
                return self.fail(&codes::STRING, "a symbol's name may not be empty");
            }
            let name = self.cx.intern(&text);
            self.note_symbol(at, name, outer);
            return Ok(name);
        }
        let len = self.lx.run(1, is_word);
        if len == 1 || !is_letter(self.lx.at(1)) {
            return self.expected("a symbol's name after `@`");
        }
        let name = self.intern_word(self.lx.pos + 1, len - 1);
        self.lx.bump(len);
        self.note_symbol(at, name, outer);
        Ok(name)
    }

    /// `@root::@nested`
    pub fn symbol_ref(&mut self) -> Parse<Attr> {
        let mut at = self.lx.pos as u32;
        let root = self.symbol_name()?;
        let mut nested = Vec::new();
        while self.lx.looking_at("::") {
            self.lx.bump(2);
            let outer = std::mem::replace(&mut at, self.lx.pos as u32);
            nested.push(self.symbol_part(Some(outer))?);
        }
        Ok(self.cx.attr(AttrKind::Symbol { root, nested: nested.into() }))
    }

    /// Name of an attribute: a word or a string
    pub fn attr_name(&mut self) -> Parse<Str> {
        self.note_attr();
        if self.lx.peek() == b'"' {
            let text = self.string()?;
            return Ok(self.cx.intern(&text));
        }
        let len = self.lx.word_len();
        if len == 0 {
            return self.expected("an attribute's name");
        }
        let name = self.intern_word(self.lx.pos, len);
        self.lx.bump(len);
        Ok(name)
    }

    /// Entries of `{a = 1, b}` onto the stack of named attributes
    ///
    /// Where places are noted, the result says which text is the value of `sym_name`, if that is a string.
    pub fn dict_entries(&mut self) -> Parse<Option<(u32, u32)>> {
        self.expect(b'{')?;
        let mut named = None;
        if self.lx.eat(b'}') {
            return Ok(named);
        }
        loop {
            let name = self.attr_name()?;
            let value = if self.lx.eat(b'=') {
                if self.record.is_some() && self.cx.str(name) == "sym_name" {
                    let at = self.lx.pos as u32 + 1;
                    let string = self.lx.string_len().filter(|_| self.lx.peek() == b'"');
                    named = string.map(|len| (at, at + len as u32 - 2));
                }
                self.attr()?
            } else {
                self.cx.common().unit
            };
            self.parts.dict.push((name, value));
            if !self.lx.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(named)
    }

    /// The dictionary of the entries above `mark`, which are taken; a name that comes twice is an error
    pub fn take_dict(&mut self, mark: usize, span: Span) -> Parse<Attr> {
        let mut entries: Vec<(Str, Attr)> = self.parts.dict.drain(mark..).collect();
        if entries.is_empty() {
            return Ok(self.cx.common().empty_dict);
        }
        entries.sort_by(|(a, _), (b, _)| self.cx.str(*a).cmp(self.cx.str(*b)));
        if let Some(twice) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let message = format!("attribute `{}` is given twice", self.cx.str(twice[0].0));
            return self.fail_at(&codes::ATTR_TWICE, span, message);
        }
        Ok(self.cx.attr(AttrKind::Dict(entries.into())))
    }

    /// `{a = 1, b}`
    pub fn dictionary(&mut self) -> Parse<Attr> {
        let (mark, span) = (self.parts.dict.len(), self.here());
        match self.dict_entries() {
            Ok(_) => self.take_dict(mark, span),
            Err(reported) => {
                self.parts.dict.truncate(mark);
                Err(reported)
            }
        }
    }

    fn dense_array(&mut self) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'<')?;
        let at = self.here();
        let elem = self.ty()?;
        let width = elem.bit_width(self.cx).unwrap_or(0);
        let is_float = elem.is_float(self.cx);
        if elem.is_index(self.cx) || !(is_float || elem.is_int(self.cx)) || width > 64 {
            let message = "elements of `array` are integers or floats of at most 64 bits";
            return self.fail_at(&codes::ATTRIBUTE, at, message);
        }
        let values = if self.lx.eat(b':') { self.array_elements(elem, b'>')? } else { Vec::new() };
        self.expect(b'>')?;
        Ok(self.cx.attr(AttrKind::DenseArray { elem, values: values.into() }))
    }

    fn array_elements(&mut self, elem: Type, end: u8) -> Parse<Vec<i64>> {
        let width = elem.bit_width(self.cx).unwrap_or(0);
        let mut values = Vec::new();
        while self.lx.peek() != end || !values.is_empty() {
            let value = self.attr_of(elem)?;
            values.push(match value.kind(self.cx) {
                AttrKind::Int { value, .. } if width == 1 => i64::from(*value != 0),
                AttrKind::Int { value, .. } => *value as i64,
                AttrKind::Float { bits, .. } => *bits as i64,
                _ => return self.fail(&codes::ATTRIBUTE, "elements of `array` are numbers"),
            });
            if !self.lx.eat(b',') {
                break;
            }
        }
        Ok(values)
    }

    fn stride(&mut self) -> Parse<i64> {
        if self.lx.eat(b'?') { Ok(DYNAMIC) } else { self.int64() }
    }

    /// An integer of 64 bits
    pub fn int64(&mut self) -> Parse<i64> {
        let span = self.here();
        let value = self.int()?;
        i64::try_from(value).or_else(|_| self.fail_at(&codes::OVERFLOW, span, "integer does not fit 64 bits"))
    }

    fn strided(&mut self) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'<')?;
        self.expect(b'[')?;
        let mut strides = Vec::new();
        if self.lx.peek() != b']' {
            loop {
                strides.push(self.stride()?);
                if !self.lx.eat(b',') {
                    break;
                }
            }
        }
        self.expect(b']')?;
        let mut offset = 0;
        if self.lx.eat(b',') {
            self.expect_word("offset")?;
            self.expect(b':')?;
            offset = self.stride()?;
        }
        self.expect(b'>')?;
        Ok(self.cx.attr(AttrKind::Strided { strides: strides.into(), offset }))
    }

    /// `dense_resource<key> : type`
    fn dense_resource(&mut self, ty: Option<Type>) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'<')?;
        let key = self.key()?;
        self.expect(b'>')?;
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(b':')?;
                let span = self.here();
                let ty = self.ty()?;
                if ty.shape(self.cx).is_none() {
                    let message = "`dense_resource` must have a shaped type";
                    return self.fail_at(&codes::ATTRIBUTE, span, message);
                }
                ty
            }
        };
        Ok(self.cx.attr(AttrKind::Resource { ty, key: self.cx.intern(&key) }))
    }

    fn distinct(&mut self) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'[')?;
        let span = self.here();
        let Ok(id) = u64::try_from(self.int()?) else {
            return self.fail_at(
                &codes::OVERFLOW,
                span,
                "the number of a distinct attribute has 64 bits, no sign",
            );
        };
        self.expect(b']')?;
        self.expect(b'<')?;
        let inner = if self.lx.peek() == b'>' { self.cx.common().unit } else { self.attr()? };
        self.expect(b'>')?;
        Ok(self.cx.attr(AttrKind::Distinct { id, inner }))
    }

    /// Names of an enumeration, in `<…>` or bare
    pub fn enum_value(&mut self, def: &'static EnumDef) -> Parse<u64> {
        let angle = self.lx.eat(b'<');
        let mut value = 0;
        loop {
            let span = self.here();
            let len = self.lx.run(0, is_word);
            let word = if self.lx.peek() == b'"' {
                self.cx.str(self.cx.intern(&self.string()?))
            } else {
                let word = self.lx.slice(self.lx.pos, self.lx.pos + len);
                if len > 0 && def.value(word).is_some() {
                    self.lx.bump(len);
                }
                word
            };
            let Some(bits) = def.value(word) else {
                let names: Vec<&str> = def.cases.iter().map(|(name, _)| *name).collect();
                let message = format!("expected one of {} for `{}`", names.join(", "), def.name);
                let mut error = Diagnostic::error(&codes::ATTRIBUTE, message).at(span);
                if let Some(near) = terrace_diag::nearest(word, names.iter().copied()) {
                    error = error.help(format!("did you mean `{near}`?"));
                }
                return Err(self.emit(error));
            };
            value |= bits;
            let more = def.flags && {
                let separator = if def.separator.trim() == "|" { b'|' } else { b',' };
                // Without angle brackets a comma may belong to the op's syntax.
                let next_is_case = angle || {
                    let blank = self.lx.run(1, |byte| byte == b' ');
                    let end = self.lx.run(blank, is_word);
                    def.value(self.lx.slice(self.lx.pos + blank, self.lx.pos + end)).is_some()
                };
                next_is_case && self.lx.eat(separator)
            };
            if !more {
                break;
            }
        }
        if angle {
            self.expect(b'>')?;
        }
        Ok(value)
    }

    /// An attribute in the spelling that its constraint gives it
    pub fn attr_in_form(&mut self, form: AttrForm) -> Parse<Attr> {
        match form {
            AttrForm::Full => self.attr(),
            AttrForm::Bare(ty) => {
                let ty = ty(self.cx);
                self.attr_of(ty)
            }
            AttrForm::Enum(def) => match self.lx.peek() {
                b'#' => self.attr(),
                _ => {
                    let value = self.enum_value(def)?;
                    Ok(self.cx.enum_attr(def, value))
                }
            },
            AttrForm::IntEnum(def, ty) => {
                let ty = ty(self.cx);
                if self.lx.peek().is_ascii_digit() || self.lx.peek() == b'-' {
                    return self.attr_of(ty);
                }
                let value = self.enum_value(def)?;
                Ok(self.cx.int_attr(i128::from(value), ty))
            }
            AttrForm::SymbolName => {
                let text = self.symbol_name()?;
                Ok(self.cx.attr(AttrKind::Str { text, ty: None }))
            }
            AttrForm::Type => Ok(self.cx.type_attr(self.ty()?)),
            AttrForm::Unit => Ok(self.cx.common().unit),
            AttrForm::List(elem) => {
                let elem = elem(self.cx);
                self.expect(b'[')?;
                let values = self.array_elements(elem, b']')?;
                self.expect(b']')?;
                Ok(self.cx.attr(AttrKind::DenseArray { elem, values: values.into() }))
            }
            AttrForm::Stripped(def) => {
                if self.lx.peek() == b'#' {
                    return self.attr();
                }
                let span = self.here();
                let params = self.params_of(def.interfaces, def.params)?;
                self.dialect_attr_of(def, params, span)
            }
        }
    }

    fn dialect_attr_of(
        &mut self,
        def: &'static terrace_ir::defs::AttrDef,
        params: Vec<Attr>,
        span: Span,
    ) -> Parse<Attr> {
        if let Some(Err(message)) = def.verify.map(|verify| verify(self.cx, &params)) {
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        Ok(self.cx.attr(AttrKind::Dialect { def, params: params.into() }))
    }

    /// Parameters of a dialect's type or attribute: its own syntax or `<a, b>`
    pub fn params_of(&mut self, interfaces: &[Interface], specs: &[ParamSpec]) -> Parse<Vec<Attr>> {
        let span = self.here();
        let params = match interfaces.iter().find_map(Interface::get::<CustomParams>) {
            Some(custom) => {
                let marks = self.parts.marks();
                let parsed =
                    (custom.parse)(&mut OpParser { state: OpState::detached(self.cx, marks), p: self });
                self.parts.reset(&marks);
                parsed?
            }
            None if let Some(format) = interfaces.iter().find_map(Interface::get::<ParamFormat>) => {
                self.params_in_format(format, specs)?
            }
            None => {
                let mut params = Vec::new();
                if (!specs.is_empty() || self.lx.peek() == b'<') && self.lx.eat(b'<') {
                    loop {
                        let form = specs.get(params.len()).map_or(AttrForm::Full, |spec| spec.attr.form);
                        params.push(self.param(form)?);
                        if let (AttrForm::Bare(ty), true) = (form, self.lx.peek() == b':') {
                            self.lx.eat(b':');
                            let (want, at) = (ty(self.cx), self.here());
                            if self.ty()? != want {
                                let message = format!("expected {}", self.show(want));
                                return self.fail_at(&codes::ATTRIBUTE, at, message);
                            }
                        }
                        if !self.lx.eat(b',') {
                            break;
                        }
                    }
                    self.expect(b'>')?;
                }
                params
            }
        };
        if params.len() != specs.len() {
            let message = format!("expected {} parameters, found {}", specs.len(), params.len());
            return self.fail_at(&codes::COUNT, span, message);
        }
        for (spec, &param) in specs.iter().zip(&params) {
            if !(spec.attr.test)(self.cx, param) {
                let message = format!("parameter `{}` must be {}", spec.name, spec.attr.what);
                return self.fail_at(&codes::ATTRIBUTE, span, message);
            }
        }
        Ok(params)
    }

    /// One parameter in its form
    fn param(&mut self, form: AttrForm) -> Parse<Attr> {
        match (form, self.lx.peek()) {
            (AttrForm::Unit | AttrForm::SymbolName, _) => self.attr(),
            (AttrForm::Bare(_), byte) if !byte.is_ascii_digit() && byte != b'-' => self.attr(),
            _ => self.attr_in_form(form),
        }
    }

    /// Parameters by a declarative format; what the format leaves out is the unit attribute
    fn params_in_format(&mut self, format: &ParamFormat, specs: &[ParamSpec]) -> Parse<Vec<Attr>> {
        let mut params = vec![self.cx.common().unit; specs.len()];
        for piece in format.0 {
            match *piece {
                ParamPiece::Lit(text) => self.literal_piece(text)?,
                ParamPiece::Param(n) => params[n as usize] = self.param(specs[n as usize].attr.form)?,
                ParamPiece::Items(n) => {
                    let mut items = Vec::new();
                    while items.is_empty() && self.lx.peek() != b'>' || !items.is_empty() && self.lx.eat(b',')
                    {
                        items.push(self.attr()?);
                    }
                    params[n as usize] = self.cx.array_attr(&items);
                }
                ParamPiece::Verbatim(n) => {
                    let text = self.balanced(0, 0)?;
                    params[n as usize] = self.cx.attr(AttrKind::Str { text, ty: None });
                }
            }
        }
        Ok(params)
    }

    fn dialect_attr(&mut self, ty: Option<Type>) -> Parse<Attr> {
        let len = self.lx.run(1, is_word);
        let name = self.lx.slice(self.lx.pos + 1, self.lx.pos + len);
        let span = self.here();
        if name.is_empty() {
            return self.expected("an attribute's name after `#`");
        }
        if !name.contains('.') && self.lx.at(len) != b'<' {
            return match self.alias(len)? {
                Meaning::Attr(attr) => Ok(attr),
                _ => self.fail_at(&codes::ALIAS, span, "this alias is no attribute"),
            };
        }
        let _ = ty;
        if let Some(attr) = self.registered_attr(name, len, false)? {
            return Ok(attr);
        }
        let dialect = name.split('.').next().unwrap_or(name);
        if let Some(registered) = self.cx.dialect(dialect) {
            if !name.contains('.')
                && let Some(word) = self.inner_name(len)
            {
                let full = format!("{dialect}.{word}");
                if let Some(attr) = self.registered_attr(&full, len, true)? {
                    return Ok(attr);
                }
            }
            if registered.interface::<OtherSyntax>().is_some() {
                let (dialect, text) = self.text_of_dialect(len, dialect)?;
                return Ok(self.cx.attr(AttrKind::Opaque { dialect, text }));
            }
            let message = format!("dialect `{dialect}` has no attribute `#{name}`");
            let mut error = Diagnostic::error(&codes::ATTRIBUTE, message).at(span);
            let names = registered.attrs.iter().map(|def| def.name);
            let names = names.chain(registered.enums.iter().map(|def| def.name));
            if let Some(near) = self.may_search().then(|| terrace_diag::nearest(name, names)).flatten() {
                error = error.help(format!("did you mean `#{near}`?"));
            }
            return Err(self.emit(error));
        }
        let (dialect, text) = self.opaque(len, dialect, "attribute")?;
        Ok(self.cx.attr(AttrKind::Opaque { dialect, text }))
    }

    /// `#dialect.name<…>`, or inside of `#dialect<name …>`
    fn registered_attr(&mut self, name: &str, len: usize, inner: bool) -> Parse<Option<Attr>> {
        let span = self.here();
        let (attr_def, enum_def) = (self.cx.attr_def(name), self.cx.enum_def(name));
        if attr_def.is_none() && enum_def.is_none() {
            return Ok(None);
        }
        if inner {
            self.lx.bump(len + 1);
            self.lx.word();
        } else {
            self.lx.bump(len);
        }
        let attr = if let Some(def) = attr_def {
            let params = self.params_of(def.interfaces, def.params)?;
            self.dialect_attr_of(def, params, span)?
        } else if let Some(def) = enum_def {
            let value = self.enum_value(def)?;
            self.cx.enum_attr(def, value)
        } else {
            return Ok(None);
        };
        if inner {
            self.expect(b'>')?;
        }
        Ok(Some(attr))
    }

    /// Text of a type or attribute of an unregistered dialect, byte for byte: `.name<…>` or `<…>`
    pub fn opaque(&mut self, len: usize, dialect: &str, what: &str) -> Parse<(Str, Str)> {
        if !self.options.allow_unregistered {
            let span = self.here();
            let error = Diagnostic::error(
                &codes::UNKNOWN_OP,
                format!("{what} of the dialect `{dialect}`, which is not registered"),
            );
            let help = "allow unregistered dialects to keep it as it is";
            return Err(self.emit(error.at(span).help(help)));
        }
        self.text_of_dialect(len, dialect)
    }

    /// The dialect's name and the text that follows it
    pub fn text_of_dialect(&mut self, len: usize, dialect: &str) -> Parse<(Str, Str)> {
        let text = self.balanced(len, 1 + dialect.len())?;
        Ok((self.cx.intern(dialect), text))
    }

    /// Text from `skip` bytes on, up to the bracket that closes the one after `len` bytes
    fn balanced(&mut self, len: usize, skip: usize) -> Parse<Str> {
        let start = self.lx.pos + skip;
        let mut n = len;
        if self.lx.at(n) == b'<' {
            let mut open: Vec<u8> = Vec::new();
            loop {
                let byte = self.lx.at(n);
                match byte {
                    b'<' => open.push(b'>'),
                    b'(' => open.push(b')'),
                    b'[' => open.push(b']'),
                    b'{' => open.push(b'}'),
                    b'-' if self.lx.at(n + 1) == b'>' => n += 1,
                    b'>' | b')' | b']' | b'}' => {
                        if open.pop() != Some(byte) {
                            self.lx.seek((self.lx.pos + n).min(self.lx.end));
                            return self.fail(&codes::EXPECTED, format!("unbalanced `{}`", byte as char));
                        }
                        if open.is_empty() {
                            n += 1;
                            break;
                        }
                    }
                    b'"' => {
                        n += 1;
                        while !matches!(self.lx.at(n), b'"' | b'\n') && self.lx.pos + n < self.lx.end {
                            n += if self.lx.at(n) == b'\\' { 2 } else { 1 };
                        }
                        if self.lx.at(n) != b'"' {
                            return self.fail(&codes::STRING, "a string in here does not end on its line");
                        }
                    }
                    0 if self.lx.pos + n >= self.lx.end => {
                        return self.fail(&codes::EXPECTED, "the brackets of this are not closed");
                    }
                    _ => {}
                }
                n += 1;
            }
        }
        let text = self.lx.slice(start, self.lx.pos + n);
        let text = self.cx.intern(text);
        self.lx.bump(n);
        Ok(text)
    }
}
