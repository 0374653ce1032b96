//! What an op's own parser may call.

use super::affine::OpenMap;
use super::names::{Key, Named, Unresolved};
use super::state::{KindInfo, MAX_DEPTH, Marks, Parse, Parser, grow};
use crate::codes;
use crate::lex::is_letter;
use terrace_diag::{Code, Diagnostic, Reported, Span};
use terrace_ir::defs::{OpDef, RegionSpec};
use terrace_ir::{Attr, AttrKind, BlockId, Builder, Context, Loc, NewOp, OpKind, Str, Traits, Type, Value};

/// Delimiters around a list
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delim {
    /// None: the list may be empty
    None,
    /// `(…)`
    Paren,
    /// `(…)` or nothing at all
    OptionalParen,
    /// `[…]`
    Square,
    /// `[…]` or nothing at all
    OptionalSquare,
    /// `<…>`
    Angle,
}

/// An argument of a function-like op
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name; declarations have none
    pub name: Option<Unresolved>,
    /// Its type
    pub ty: Type,
    /// Its attributes, a dictionary
    pub attrs: Option<Attr>,
}

/// Arguments and results of a function-like op
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// Arguments
    pub args: Vec<Argument>,
    /// Result types with their attributes, a dictionary
    pub results: Vec<(Type, Option<Attr>)>,
}

/// An op in progress: what it is, and where its parts begin
#[derive(Clone, Copy)]
pub(crate) struct OpState {
    pub kind: OpKind,
    pub def: &'static OpDef,
    pub name_at: u32,
    pub marks: Marks,
    /// Where it will stand
    pub block: Option<BlockId>,
    pub unit: bool,
    pub info: KindInfo,
    pub raw_properties: Option<Attr>,
    /// Name of an unregistered op
    pub name: Option<Str>,
}

impl OpState {
    /// No op at all: for parsers of parameters
    pub fn detached(cx: &Context, marks: Marks) -> OpState {
        let kind = OpKind::UNREGISTERED;
        let def = cx.def(kind);
        let info = KindInfo::new(def);
        OpState {
            kind,
            def,
            name_at: 0,
            marks,
            block: None,
            unit: false,
            info,
            raw_properties: None,
            name: None,
        }
    }

    /// The field of the region that comes when the stack of regions has this length
    pub fn region_spec(&self, regions: usize) -> Option<&'static RegionSpec> {
        let n = regions.saturating_sub(self.marks.regions);
        self.def.regions.get(n).or_else(|| self.def.regions.last().filter(|spec| spec.variadic))
    }
}

/// Reads one op's custom syntax and gathers what the op is made from
pub struct OpParser<'p, 'a> {
    pub(crate) p: &'p mut Parser<'a>,
    pub(crate) state: OpState,
}

impl<'a> OpParser<'_, 'a> {
    /// The context
    pub fn cx(&self) -> &'a Context {
        self.p.cx
    }

    /// An error at the next token
    pub fn error(&mut self, message: impl Into<String>) -> Reported {
        self.error_in(self.p.here(), message)
    }

    /// Where the next token is, for [`OpParser::error_in`]
    pub fn here(&self) -> Span {
        self.p.here()
    }

    /// An error at what has been read already
    pub fn error_in(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.p.emit(Diagnostic::error(&codes::EXPECTED, message).at(span))
    }

    /// An error at an operand's name
    pub fn error_at(&mut self, operand: &Unresolved, message: impl Into<String>) -> Reported {
        self.error_in(self.p.name_span(operand.at), message)
    }

    /// An error with a code of the dialect, at an operand's name or at the next token
    pub fn error_with(
        &mut self,
        code: Code,
        at: Option<&Unresolved>,
        message: impl Into<String>,
    ) -> Reported {
        let span = at.map_or_else(|| self.p.here(), |operand| self.p.name_span(operand.at));
        self.p.emit(Diagnostic::error(code, message).at(span))
    }

    /// `%name` or `%name#1`
    pub fn operand(&mut self) -> Result<Unresolved, Reported> {
        self.p.operand()
    }

    /// The same if a `%` comes next
    pub fn operand_opt(&mut self) -> Result<Option<Unresolved>, Reported> {
        if self.p.lx.peek() == b'%' { self.operand().map(Some) } else { Ok(None) }
    }

    /// Operands separated by commas
    pub fn operands(&mut self, delim: Delim) -> Result<Vec<Unresolved>, Reported> {
        let mut list = Vec::new();
        self.list(delim, |p| {
            list.push(p.operand()?);
            Ok(())
        })?;
        Ok(list)
    }

    /// Anything separated by commas; without delimiters it is there if a `%` comes next
    pub fn list(
        &mut self,
        delim: Delim,
        mut item: impl FnMut(&mut Self) -> Result<(), Reported>,
    ) -> Result<(), Reported> {
        let (open, close) = match delim {
            Delim::None => (0, 0),
            Delim::Paren | Delim::OptionalParen => (b'(', b')'),
            Delim::Square | Delim::OptionalSquare => (b'[', b']'),
            Delim::Angle => (b'<', b'>'),
        };
        if delim == Delim::None {
            if self.p.lx.peek() != b'%' {
                return Ok(());
            }
        } else {
            let optional = matches!(delim, Delim::OptionalParen | Delim::OptionalSquare);
            if optional && self.p.lx.peek() != open {
                return Ok(());
            }
            self.p.expect(open)?;
            if self.p.lx.eat(close) {
                return Ok(());
            }
        }
        loop {
            item(self)?;
            if !self.p.lx.eat(b',') {
                break;
            }
        }
        if delim == Delim::None { Ok(()) } else { self.p.expect(close) }
    }

    /// Type of the value that a name stands for, if the value stands before in the text
    pub fn type_of(&self, operand: &Unresolved) -> Option<Type> {
        self.p.type_of_use(operand)
    }

    /// Types of the operands of the op that ends the region read last
    pub fn types_at_region_end(&self) -> Vec<Type> {
        let last = self.p.parts.regions.last().filter(|(_, count)| *count > 0);
        let block = last.and_then(|(first, count)| self.p.parts.blocks.get((first + count - 1) as usize));
        let end = block.and_then(|block| self.p.ir.last_op(*block));
        end.map_or(Vec::new(), |op| self.p.ir.operands(op).map(|value| self.p.ir.ty(value)).collect())
    }

    /// The op's name as it is spelled: one of its [`OtherNames`](crate::OtherNames), perhaps
    pub fn spelling(&self) -> &'a str {
        let text = &self.p.lx.text[self.state.name_at as usize..];
        let len = text.bytes().position(|byte| !(crate::lex::is_word(byte) || byte == b'.'));
        &text[..len.unwrap_or(text.len())]
    }

    /// An op that comes next, in custom syntax and with one result, put before this one; the result and its type
    pub fn nested_op(&mut self) -> Result<(Unresolved, Type), Reported> {
        let (at, span) = (self.p.lx.pos as u32, self.p.here());
        let Some(block) = self.state.block.filter(|_| is_letter(self.p.lx.peek())) else {
            return self.p.expected("an op");
        };
        let marks = self.p.parts.marks();
        let depth = self.p.depth;
        self.p.depth += 1;
        if self.p.depth > MAX_DEPTH {
            return self.p.fail_at(&codes::EXPECTED, span, "nested too deep");
        }
        let open = self.p.ops_open();
        self.p.note_op();
        let read = grow(|| self.p.custom_op(block, &marks));
        if read.is_ok() && self.p.ops_open() > open {
            self.p.note_end();
        }
        self.p.depth = depth;
        self.p.parts.reset(&marks);
        read?;
        let results: Vec<Value> =
            self.p.ir.last_op(block).map_or(Vec::new(), |op| self.p.ir.results(op).collect());
        let [value] = results[..] else {
            let message = format!("an op among operands has one result, this one has {}", results.len());
            return self.p.fail_at(&codes::COUNT, span, message);
        };
        let key = Key::unnamed(value);
        self.p.scope.names.define(self.p.lx.src, key, Named::Values(value, 1, at));
        Ok((Unresolved { at, key, number: 0 }, self.p.ir.ty(value)))
    }

    /// Types of the arguments and results of a function of this file; `None` if there is none of this name
    ///
    /// It may stand behind. Its text is read again when its turn comes.
    pub fn function_of_file(&mut self, name: &str) -> Result<Option<(Vec<Type>, Vec<Type>)>, Reported> {
        let text = self.p.lx.text;
        let functions = self.p.functions.get_or_insert_with(|| {
            let mut found = terrace_support::HashMap::default();
            for (at, _) in text.match_indices("func.func ") {
                let before = text[..at].rfind('\n').map_or(0, |end| end + 1);
                if !text[before..at].trim().is_empty() {
                    continue;
                }
                let line = &text[at..];
                let line = &line[..line.find('\n').unwrap_or(line.len())];
                let name = line.find('@').zip(line.find('(')).filter(|(name, open)| name < open);
                if let Some((name, open)) = name {
                    found.entry(&line[name + 1..open]).or_insert(at + open);
                }
            }
            found
        });
        let Some(&open) = functions.get(name) else { return Ok(None) };
        let (pos, last, braces, end) = (self.p.lx.pos, self.p.lx.last, self.p.lx.braces, self.p.lx.end);
        // Of a part of the file that is read on a thread, the function may stand outside.
        self.p.lx.end = text.len();
        self.p.lx.seek(open);
        let read = self.signature();
        self.p.lx.end = end;
        self.p.lx.seek(pos);
        (self.p.lx.last, self.p.lx.braces) = (last, braces);
        let read = read?;
        let args = read.args.iter().map(|arg| arg.ty).collect();
        Ok(Some((args, read.results.iter().map(|(ty, _)| *ty).collect())))
    }

    /// Append a region of one block with these arguments, whose ops are made here
    pub fn region_made(&mut self, args: &[Type], make: impl FnOnce(&mut Builder<'_>, &[Value])) {
        let first = self.p.parts.blocks.len() as u32;
        let block = self.p.ir.create_block();
        self.p.parts.blocks.push(block);
        let args: Vec<Value> = args.iter().map(|ty| self.p.ir.add_block_arg(block, *ty)).collect();
        let mut b = Builder::at_end(&mut self.p.ir, block);
        b.set_loc(Loc::offset(self.state.name_at));
        make(&mut b, &args);
        self.p.parts.regions.push((first, 1));
    }

    /// Append one operand to the op
    pub fn resolve(&mut self, operand: &Unresolved, ty: Type) -> Result<(), Reported> {
        if self.state.unit {
            let span = self.p.name_span(operand.at);
            return self.p.fail_at(&codes::UNIT_VALUES, span, "an op that is a unit takes no values");
        }
        let value = self.p.resolve(operand, ty)?;
        self.p.parts.operands.push(value);
        Ok(())
    }

    /// Append operands to the op
    pub fn resolve_all(&mut self, operands: &[Unresolved], types: &[Type]) -> Result<(), Reported> {
        if operands.len() != types.len() {
            let message = format!("{} operands, but {} types", operands.len(), types.len());
            return self.p.fail(&codes::COUNT, message);
        }
        operands.iter().zip(types).try_for_each(|(operand, ty)| self.resolve(operand, *ty))
    }

    /// The operands appended since the last call are one operand field (for ops with several fields of varying length)
    pub fn segment(&mut self) {
        let marks = self.state.marks;
        let parts = &mut self.p.parts;
        let done: u32 = parts.segments[marks.segments..].iter().sum();
        parts.segments.push((parts.operands.len() - marks.operands) as u32 - done);
    }

    /// A type
    pub fn ty(&mut self) -> Result<Type, Reported> {
        self.p.ty()
    }

    /// A type if one comes next
    pub fn ty_opt(&mut self) -> Result<Option<Type>, Reported> {
        if self.p.at_type() { self.ty().map(Some) } else { Ok(None) }
    }

    /// One or more types separated by commas
    pub fn types_list(&mut self) -> Result<Vec<Type>, Reported> {
        let mut types = Vec::new();
        self.p.type_list(&mut types)?;
        Ok(types)
    }

    /// `: type`
    pub fn colon_type(&mut self) -> Result<Type, Reported> {
        self.p.expect(b':')?;
        self.ty()
    }

    /// `: type, type`
    pub fn colon_types(&mut self) -> Result<Vec<Type>, Reported> {
        self.p.expect(b':')?;
        self.types_list()
    }

    /// `-> type` or `-> (type, …)` if an arrow comes next, else none
    pub fn arrow_types_opt(&mut self) -> Result<Vec<Type>, Reported> {
        let mut types = Vec::new();
        if self.p.lx.eat_punct("->") {
            self.p.result_types_into(&mut types)?;
        }
        Ok(types)
    }

    /// `(types) -> types`: inputs and results
    pub fn function_type(&mut self) -> Result<(Vec<Type>, Vec<Type>), Reported> {
        let (mut inputs, mut results) = (Vec::new(), Vec::new());
        self.p.function_type_into(&mut inputs, &mut results)?;
        Ok((inputs, results))
    }

    /// An attribute
    pub fn attr(&mut self) -> Result<Attr, Reported> {
        self.p.attr()
    }

    /// An attribute whose type, if it has one, is known and not written: `1` with `i32` gives `1 : i32`
    pub fn attr_of(&mut self, ty: Type) -> Result<Attr, Reported> {
        self.p.attr_of(ty)
    }

    /// An attribute in the spelling that its constraint gives it in declarative formats
    pub fn attr_in_form(&mut self, form: terrace_ir::AttrForm) -> Result<Attr, Reported> {
        self.p.attr_in_form(form)
    }

    /// An integer
    pub fn int(&mut self) -> Result<i128, Reported> {
        self.p.int()
    }

    /// An integer of 64 bits
    pub fn int64(&mut self) -> Result<i64, Reported> {
        self.p.int64()
    }

    /// An integer if one comes next
    pub fn int_opt(&mut self) -> Result<Option<i128>, Reported> {
        let byte = self.p.lx.peek();
        let number = byte.is_ascii_digit() || byte == b'-' && self.p.lx.at(1).is_ascii_digit();
        if number { self.int().map(Some) } else { Ok(None) }
    }

    /// `@name`
    pub fn symbol_name(&mut self) -> Result<Str, Reported> {
        self.p.symbol_name()
    }

    /// `@name` that the op defines, into its attribute `sym_name`
    ///
    /// A syntax that calls [`symbol_name`](OpParser::symbol_name) and `set_attr` instead hides the definition from editors.
    pub fn own_symbol(&mut self) -> Result<(), Reported> {
        let text = self.p.symbol_name()?;
        if self.state.def.traits.has(Traits::Symbol) {
            self.p.note_symbol_def();
        }
        let name = self.p.cx.attr(AttrKind::Str { text, ty: None });
        self.set_attr("sym_name", name);
        Ok(())
    }

    /// `@name` if an `@` comes next
    pub fn symbol_name_opt(&mut self) -> Result<Option<Str>, Reported> {
        if self.p.lx.peek() == b'@' { self.symbol_name().map(Some) } else { Ok(None) }
    }

    /// `@root::@nested`
    pub fn symbol_ref(&mut self) -> Result<Attr, Reported> {
        self.p.symbol_ref()
    }

    /// `"text"`
    pub fn string(&mut self) -> Result<String, Reported> {
        self.p.string()
    }

    /// Exactly this keyword
    pub fn keyword(&mut self, word: &str) -> Result<(), Reported> {
        self.p.expect_word(word)
    }

    /// This keyword if it comes next
    pub fn keyword_opt(&mut self, word: &str) -> bool {
        self.p.lx.eat_word(word)
    }

    /// Any keyword if one comes next
    pub fn any_keyword_opt(&mut self) -> Option<&'a str> {
        self.p.lx.word()
    }

    /// One of these keywords, as its index
    pub fn one_of(&mut self, words: &[&str]) -> Result<usize, Reported> {
        match words.iter().position(|word| self.p.lx.eat_word(word)) {
            Some(n) => Ok(n),
            None => {
                let list: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                let what = format!("one of {}", list.join(", "));
                self.p.expected_word(&what, &mut words.iter().copied())
            }
        }
    }

    /// Exactly this punctuation
    pub fn punct(&mut self, text: &str) -> Result<(), Reported> {
        self.p.expect_punct(text)
    }

    /// This punctuation if it comes next
    pub fn punct_opt(&mut self, text: &str) -> bool {
        self.p.lx.eat_punct(text)
    }

    /// Does this text come next? Consumes nothing
    pub fn at_punct(&self, text: &str) -> bool {
        self.p.lx.looking_at(text)
    }

    /// Attributes `{…}` if they come next: the op's own into their slots, others into its dictionary
    pub fn attr_dict(&mut self) -> Result<(), Reported> {
        if self.p.lx.peek() == b'{' { self.p.op_attrs(&self.state, false) } else { Ok(()) }
    }

    /// The same after the word `attributes`
    pub fn attr_dict_with_keyword(&mut self) -> Result<(), Reported> {
        if self.p.lx.eat_word("attributes") { self.p.op_attrs(&self.state, false) } else { Ok(()) }
    }

    /// A dictionary attribute `{…}` that is not the op's own
    pub fn dictionary(&mut self) -> Result<Attr, Reported> {
        self.p.dictionary()
    }

    /// Set an attribute of the op by name
    pub fn set_attr(&mut self, name: &str, attr: Attr) {
        match self.state.def.attr_slot(name) {
            Some(slot) => self.p.parts.slots[self.state.marks.slots + slot] = Some(attr),
            None => {
                let name = self.p.cx.intern(name);
                let mark = self.state.marks.dict;
                match self.p.parts.dict[mark..].iter_mut().find(|(old, _)| *old == name) {
                    Some((_, value)) => *value = attr,
                    None => self.p.parts.dict.push((name, attr)),
                }
            }
        }
    }

    /// An attribute of the op that has been set or parsed
    pub fn get_attr(&self, name: &str) -> Option<Attr> {
        match self.state.def.attr_slot(name) {
            Some(slot) => self.p.parts.slots[self.state.marks.slots + slot],
            None => {
                let entries = &self.p.parts.dict[self.state.marks.dict..];
                entries.iter().find(|(key, _)| self.p.cx.str(*key) == name).map(|(_, value)| *value)
            }
        }
    }

    /// Append one result
    pub fn add_result(&mut self, ty: Type) {
        self.p.parts.results.push(ty);
    }

    /// Append results
    pub fn add_results(&mut self, types: &[Type]) {
        self.p.parts.results.extend_from_slice(types);
    }

    /// The results appended since the last call are one result field
    pub fn result_segment(&mut self) {
        let marks = self.state.marks;
        let parts = &mut self.p.parts;
        let done: u32 = parts.result_segments[marks.result_segments..].iter().sum();
        parts.result_segments.push((parts.results.len() - marks.results) as u32 - done);
    }

    /// Number of results named to the left of the op
    pub fn num_result_names(&self) -> usize {
        self.p.parts.names[self.state.marks.names..].iter().map(|name| name.count as usize).sum()
    }

    /// `{…}` with these entry arguments; a terminator that the op's definition implies is added
    pub fn region(&mut self, args: &[(Unresolved, Type)]) -> Result<(), Reported> {
        self.p.region(&self.state, args, true)
    }

    /// The same if a brace comes next, else an empty region is appended
    pub fn region_opt(&mut self, args: &[(Unresolved, Type)]) -> Result<bool, Reported> {
        if self.p.lx.peek() == b'{' {
            self.region(args)?;
            return Ok(true);
        }
        self.empty_region();
        Ok(false)
    }

    /// End the region read last, if nothing ends it, with this op on the results of the last op in it
    pub fn end_region_with(&mut self, def: &'static OpDef) {
        let Some(&(first, count)) = self.p.parts.regions.last() else { return };
        let last = (first + count).checked_sub(1).filter(|_| count > 0);
        let Some(&block) = last.and_then(|n| self.p.parts.blocks.get(n as usize)) else { return };
        let end = self.p.ir.last_op(block);
        let ends = end.is_some_and(|op| self.p.ir.has(op, Traits::Terminator));
        let Some(kind) = self.p.cx.kind_of(def).filter(|_| !ends) else { return };
        let operands: Vec<Value> = end.map_or(Vec::new(), |op| self.p.ir.results(op).collect());
        let loc = Loc::offset(self.state.name_at);
        let op = self.p.ir.create(&NewOp { loc, operands: &operands, ..NewOp::new(kind) });
        self.p.ir.append(block, op);
    }

    /// Read what stands behind the braces that come next, then go back to them
    ///
    /// For syntaxes whose types stand behind a region that needs them. What is read must not append to the op: it is
    /// read again when its turn comes.
    pub fn peek_behind_braces<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Reported>) -> Parse<T> {
        let (pos, last, braces) = (self.p.lx.pos, self.p.lx.last, self.p.lx.braces);
        let mut depth = 0u32;
        loop {
            match self.p.lx.peek() {
                _ if self.p.lx.is_end() => return self.p.expected("`}`"),
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ if depth == 0 => return self.p.expected("`{`"),
                _ => {}
            }
            let len = self.p.lx.token_len().max(1);
            self.p.lx.bump(len);
            if depth == 0 {
                break;
            }
        }
        let found = read(self);
        self.p.lx.seek(pos);
        (self.p.lx.last, self.p.lx.braces) = (last, braces);
        found
    }

    /// Append a region without blocks
    pub fn empty_region(&mut self) {
        let start = self.p.parts.blocks.len() as u32;
        self.p.parts.regions.push((start, 0));
    }

    /// The region read last becomes the op's first: for syntaxes that write it behind the others
    pub fn last_region_first(&mut self) {
        let first = self.state.marks.regions;
        if let Some(regions) = self.p.parts.regions.get_mut(first..).filter(|regions| !regions.is_empty()) {
            regions.rotate_right(1);
        }
    }

    /// `^block`, appended to the op's successors
    pub fn successor(&mut self) -> Result<(), Reported> {
        let block = self.p.successor()?;
        self.p.parts.successors.push(block);
        Ok(())
    }

    /// `(%arg: type {attrs}, …) -> (type {attrs}, …)` of a function-like op
    pub fn signature(&mut self) -> Result<Signature, Reported> {
        let mut signature = Signature::default();
        self.list(Delim::Paren, |p| {
            let name = p.operand_opt()?;
            if let Some(name) = &name {
                p.p.expect(b':')?;
                if signature.args.last().is_some_and(|arg| arg.name.is_none()) {
                    return Err(p.error_at(name, "either all arguments have names or none"));
                }
            } else if signature.args.last().is_some_and(|arg| arg.name.is_some()) {
                return Err(p.error("either all arguments have names or none"));
            }
            let ty = p.ty()?;
            let attrs = if p.p.lx.peek() == b'{' { Some(p.p.dictionary()?) } else { None };
            let loc = p.loc()?;
            if let (Some(name), Some(loc)) = (&name, loc) {
                p.p.arg_locs.push((name.at, loc));
            }
            signature.args.push(Argument { name, ty, attrs });
            Ok(())
        })?;
        if self.p.lx.eat_punct("->") {
            if self.p.lx.peek() == b'(' {
                self.list(Delim::Paren, |p| {
                    let ty = p.ty()?;
                    let attrs = if p.p.lx.peek() == b'{' { Some(p.p.dictionary()?) } else { None };
                    signature.results.push((ty, attrs));
                    Ok(())
                })?;
            } else {
                let ty = self.ty()?;
                signature.results.push((ty, None));
            }
        }
        Ok(signature)
    }

    /// `4x?x`: sizes before the type of elements, [`DYNAMIC`](terrace_ir::DYNAMIC) for `?`
    pub fn shape(&mut self) -> Result<Vec<i64>, Reported> {
        self.p.shape()
    }

    /// `(d0, d1) -> (d1, d0)` without `affine_map<…>` around it
    pub fn affine_map_inline(&mut self) -> Result<Attr, Reported> {
        self.p.affine_body(true)
    }

    /// `expr, …` between square brackets over values and `symbol(%s)`: map, operands of its dimensions, of its symbols
    pub fn affine_map_of_ssa_ids(&mut self) -> Result<(Attr, Vec<Unresolved>, Vec<Unresolved>), Reported> {
        let (map, dims, symbols) = self.p.affine_map_of_values(b'[', b']')?;
        Ok((self.p.cx.map_attr(map), dims, symbols))
    }

    /// The same between parentheses, as in `affine.for %i = max(…)`-like bounds
    pub fn affine_map_of_ssa_ids_in_parens(
        &mut self,
    ) -> Result<(Attr, Vec<Unresolved>, Vec<Unresolved>), Reported> {
        let (map, dims, symbols) = self.p.affine_map_of_values(b'(', b')')?;
        Ok((self.p.cx.map_attr(map), dims, symbols))
    }

    /// One expression over values and `symbol(%s)`, without brackets
    pub fn affine_expr_of_ssa_ids(&mut self) -> Result<(Attr, Vec<Unresolved>, Vec<Unresolved>), Reported> {
        let (map, dims, symbols) = self.p.affine_expr_of_values()?;
        Ok((self.p.cx.map_attr(map), dims, symbols))
    }

    /// One affine expression over values; `names` are the op's own and come first among the map's dimensions
    pub fn affine_expr_over(&mut self, names: &[Unresolved]) -> Result<OpenMap, Reported> {
        self.p.open_expr(names)
    }

    /// `[expr, …]` over values; `names` are the op's own and come first among the map's dimensions
    pub fn affine_exprs_over(&mut self, names: &[Unresolved]) -> Result<OpenMap, Reported> {
        self.p.open_exprs(names)
    }

    /// Text of an operand's name without `%`
    pub fn name_text(&self, operand: &Unresolved) -> String {
        let span = self.p.name_span(operand.at);
        let text = self.p.lx.slice(span.start as usize, span.end as usize);
        text.trim_start_matches('%').to_string()
    }

    /// A region with these entry arguments and one op of this kind, whose syntax `parse` reads: for headers that stand
    /// for ops inside of each other
    pub fn region_of(
        &mut self,
        args: &[(Unresolved, Type)],
        def: &'static OpDef,
        parse: &mut dyn FnMut(&mut OpParser<'_, '_>) -> Result<(), Reported>,
    ) -> Result<(), Reported> {
        self.p.region_of(&self.state, args, def, parse)
    }

    /// `loc(…)` if it comes next
    pub fn loc(&mut self) -> Result<Option<Attr>, Reported> {
        self.p.trailing_loc()
    }

    /// `loc(…)` of an argument whose header was read by the op itself, if it comes next
    pub fn arg_loc(&mut self, arg: &Unresolved) -> Result<(), Reported> {
        if let Some(loc) = self.p.trailing_loc()? {
            self.p.arg_locs.push((arg.at, loc));
        }
        Ok(())
    }

    /// An op's part that must have a value
    pub fn require<T>(&mut self, part: Option<T>, what: &str) -> Parse<T> {
        match part {
            Some(part) => Ok(part),
            None => self.p.expected(what),
        }
    }
}
