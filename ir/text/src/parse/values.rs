//! Uses and definitions of SSA values, and names of blocks.

use super::names::{Key, Named, Prefixes, Unresolved};
use super::state::{Forward, NamedBlock, Parse, Parser};
use crate::codes;
use terrace_diag::Diagnostic;
use terrace_ir::{Attr, BlockId, Name, NewOp, OpKind, Type, Value};

impl<'a> Parser<'a> {
    /// `%name` and nothing more
    #[inline]
    pub fn value_name(&mut self) -> Parse<Key> {
        match self.number_as_name() {
            Some((key, len)) => {
                self.lx.bump(1 + len);
                Ok(key)
            }
            None => self.any_value_name(),
        }
    }

    /// Key and length of `%12`: nearly all names in what printers write
    #[inline]
    fn number_as_name(&self) -> Option<(Key, usize)> {
        let [b'%', name @ ..] = &self.lx.src[self.lx.pos.min(self.lx.end)..self.lx.end] else { return None };
        let (mut len, mut number) = (0, 0u32);
        while let Some(digit) = name.get(len).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
        {
            if len == 8 {
                return None;
            }
            number = number * 10 + u32::from(digit);
            len += 1;
        }
        let canonical = len == 1 || len > 1 && name[0] != b'0';
        canonical.then(|| (Key::dense(Prefixes::NONE, number), len))
    }

    fn any_value_name(&mut self) -> Parse<Key> {
        let at = self.lx.pos;
        let len = if self.lx.peek() == b'%' { self.lx.suffix_len(1) } else { 0 };
        if len == 0 {
            return self.expected("a value `%name`");
        }
        let key = self.prefixes.key(&self.lx.src[at + 1..], len, at as u32 + 1);
        self.lx.bump(1 + len);
        Ok(key)
    }

    /// `%name` or `%name#1`
    pub fn operand(&mut self) -> Parse<Unresolved> {
        let at = self.lx.pos as u32;
        let key = self.value_name()?;
        let number = self.result_number()?;
        let read = Unresolved { at, key, number };
        self.note_read(read);
        Ok(read)
    }

    /// The same onto the stack of operands: every op comes by here, and a result through memory would cost a tenth
    #[inline]
    pub fn push_operand(&mut self) -> Parse<()> {
        let at = self.lx.pos as u32;
        let key = self.value_name()?;
        let number = self.result_number()?;
        let read = Unresolved { at, key, number };
        self.parts.unresolved.push(read);
        self.note_read(read);
        Ok(())
    }

    /// `#1` right after a name, else 0
    #[inline]
    fn result_number(&mut self) -> Parse<u32> {
        let follows = self.lx.peek() == b'#' && self.lx.last == self.lx.pos && self.lx.at(1).is_ascii_digit();
        if follows { self.take_result_number() } else { Ok(0) }
    }

    fn take_result_number(&mut self) -> Parse<u32> {
        let digits = self.lx.run(1, |byte| byte.is_ascii_digit());
        match self.lx.slice(self.lx.pos + 1, self.lx.pos + digits).parse::<u16>() {
            Ok(value) => {
                self.lx.bump(digits);
                Ok(u32::from(value))
            }
            Err(_) => self.fail(&codes::OVERFLOW, "an op has at most 65535 results"),
        }
    }

    /// A value that stands in for one that is missing
    fn placeholder(&mut self, ty: Type) -> Value {
        let name = Attr::from_raw(self.cx.intern("forward reference").raw());
        let op = self.ir.create(&NewOp {
            results: &[ty],
            slots: &[name, None],
            ..NewOp::new(OpKind::UNREGISTERED)
        });
        self.ir.result(op, 0)
    }

    /// The value of a use, which must have this type
    #[inline]
    pub fn resolve(&mut self, operand: &Unresolved, ty: Type) -> Parse<Value> {
        match self.scope.names.get(self.lx.src, operand.key) {
            Named::Values(first, count, def) => {
                if operand.number >= count {
                    return self.no_such_result(operand, count, def);
                }
                self.note_use(operand.at, def);
                let value = Value::new(first.index() + operand.number as usize);
                let have = self.ir.ty(value);
                if have != ty { self.type_differs(operand, have, ty, def) } else { Ok(value) }
            }
            Named::Poisoned(def) => {
                self.note_use(operand.at, def);
                let value = self.placeholder(ty);
                self.stand_in_value(value, def);
                Ok(value)
            }
            Named::Forward(head) => self.forward(operand, ty, Some(head)),
            Named::Nothing => self.forward(operand, ty, None),
        }
    }

    /// Type of the value a name stands for, if that is known yet
    pub fn type_of_use(&self, operand: &Unresolved) -> Option<Type> {
        match self.scope.names.get(self.lx.src, operand.key) {
            Named::Values(first, count, _) if operand.number < count => {
                Some(self.ir.ty(Value::new(first.index() + operand.number as usize)))
            }
            _ => None,
        }
    }

    #[cold]
    fn no_such_result(&mut self, operand: &Unresolved, count: u32, def: u32) -> Parse<Value> {
        let message = format!("result number {} of {count}, counted from 0", operand.number);
        let (span, def) = (self.name_span(operand.at), self.name_span(def));
        Err(self.emit(Diagnostic::error(&codes::COUNT, message).at(span).note_at(def, "defined here")))
    }

    #[cold]
    fn type_differs(&mut self, operand: &Unresolved, have: Type, want: Type, def: u32) -> Parse<Value> {
        let (span, def) = (self.name_span(operand.at), self.name_span(def));
        let name = self.lx.slice(span.start as usize, span.end as usize);
        let message = format!("`{name}` has type {}, used here as {}", self.show(have), self.show(want));
        Err(self.emit(Diagnostic::error(&codes::VALUE_TYPE, message).at(span).note_at(def, "defined here")))
    }

    #[cold]
    fn forward(&mut self, operand: &Unresolved, ty: Type, head: Option<u32>) -> Parse<Value> {
        let first = head.unwrap_or(self.scope.forwards.len() as u32);
        self.note_forward(operand.at, first);
        // All references to one name are chained from the first one, which also names the chain.
        if let Some(&index) = self.scope.forward_by_number.get(&(first, operand.number)) {
            let (placeholder, at) = {
                let forward = &self.scope.forwards[index as usize];
                (forward.placeholder, forward.at)
            };
            let have = self.ir.ty(placeholder);
            return if have == ty { Ok(placeholder) } else { self.type_differs(operand, have, ty, at) };
        }
        let placeholder = self.placeholder(ty);
        let index = self.scope.forwards.len() as u32;
        let next = head.and_then(|head| self.scope.forwards[head as usize].next.replace(index));
        self.scope.forwards.push(Forward {
            key: operand.key,
            number: operand.number,
            at: operand.at,
            placeholder,
            next,
            resolved: false,
        });
        self.scope.forward_by_number.insert((first, operand.number), index);
        if head.is_none() {
            self.scope.names.set(self.lx.src, operand.key, Named::Forward(first));
        }
        Ok(placeholder)
    }

    /// Define a name as these values
    #[inline]
    pub fn define(&mut self, key: Key, at: u32, first: Value, count: u32) -> Parse<()> {
        let numeric = self.lx.src.get(at as usize + 1).is_some_and(u8::is_ascii_digit);
        if !numeric {
            self.ir.set_value_name(first, Name::Offset(at));
        }
        self.note_def(at, first, count);
        match self.scope.names.get(self.lx.src, key) {
            Named::Nothing | Named::Poisoned(_) => {}
            Named::Values(_, _, old) => return self.redefined(at, old),
            Named::Forward(head) => self.resolve_forwards(head, at, first, count)?,
        }
        self.scope.names.define(self.lx.src, key, Named::Values(first, count, at));
        Ok(())
    }

    #[cold]
    fn redefined(&mut self, at: u32, old: u32) -> Parse<()> {
        let (span, old) = (self.name_span(at), self.name_span(old));
        let name = self.lx.slice(span.start as usize, span.end as usize);
        let error = Diagnostic::error(&codes::REDEFINED_VALUE, format!("`{name}` is defined twice"));
        Err(self.emit(error.at(span).note_at(old, "first defined here")))
    }

    #[cold]
    fn resolve_forwards(&mut self, head: u32, at: u32, first: Value, count: u32) -> Parse<()> {
        self.note_forward_def(head, at);
        let mut result = Ok(());
        let mut next = Some(head);
        while let Some(index) = next {
            let forward = &mut self.scope.forwards[index as usize];
            forward.resolved = true;
            next = forward.next;
            let (number, used, placeholder, key) =
                (forward.number, forward.at, forward.placeholder, forward.key);
            let operand = Unresolved { at: used, key, number };
            if number >= count {
                result = self.no_such_result(&operand, count, at).map(|_| ());
                continue;
            }
            let real = Value::new(first.index() + number as usize);
            let (have, want) = (self.ir.ty(real), self.ir.ty(placeholder));
            if have != want {
                result = self.type_differs(&operand, have, want, at).map(|_| ());
                continue;
            }
            self.ir.replace_all_uses(placeholder, real);
            if let Some(op) = self.ir.defining_op(placeholder) {
                self.ir.erase(op);
            }
        }
        result
    }

    /// Report what was used and never defined in the scope that ends, and empty it
    pub fn close_scope(&mut self) {
        self.note_scope_end();
        let forwards = std::mem::take(&mut self.scope.forwards);
        self.scope.forward_by_number.clear();
        let mut open: Vec<&Forward> = forwards.iter().filter(|forward| !forward.resolved).collect();
        open.sort_by_key(|forward| forward.at);
        for forward in open {
            let span = self.name_span(forward.at);
            let name = self.lx.slice(span.start as usize, span.end as usize);
            let mut error =
                Diagnostic::error(&codes::UNDEFINED_VALUE, format!("`{name}` is used and never defined"))
                    .at(span);
            if self.may_search() {
                error = match self.near_value(name, forward.at) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error,
                };
            }
            let _ = self.emit(error);
        }
        for forward in &forwards {
            self.scope.names.set(self.lx.src, forward.key, Named::Nothing);
        }
        self.scope.names.forget(self.lx.src, 0);
    }

    /// The nearest name of a value in the text before and after a use, as far as is reasonable to look
    fn near_value(&self, name: &str, at: u32) -> Option<String> {
        let window = 8192;
        let mut start = (at as usize).saturating_sub(window);
        let mut end = (at as usize + window).min(self.lx.src.len());
        while !self.lx.text.is_char_boundary(start) {
            start += 1;
        }
        while !self.lx.text.is_char_boundary(end) {
            end -= 1;
        }
        let text = self.lx.slice(start, end);
        let is_name = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '$' | '.' | '-');
        let names = text.match_indices('%').filter_map(|(n, _)| {
            let rest = &text[n + 1..];
            let len = rest.find(|ch| !is_name(ch)).unwrap_or(rest.len());
            let after = rest[len..].trim_start();
            let defines = after.starts_with('=') || after.starts_with(':') || after.starts_with(',');
            (len > 0 && defines).then(|| &text[n..n + 1 + len])
        });
        terrace_diag::nearest(name, names)
    }

    /// `^name`, not looked up
    pub fn block_name(&mut self) -> Parse<(&'a [u8], u32)> {
        let at = self.lx.pos;
        let len = if self.lx.peek() == b'^' { self.lx.suffix_len(1) } else { 0 };
        if len == 0 {
            return self.expected("a block `^name`");
        }
        self.lx.bump(1 + len);
        Ok((&self.lx.src[at + 1..at + 1 + len], at as u32))
    }

    /// The block a branch goes to
    pub fn successor(&mut self) -> Parse<BlockId> {
        let (name, at) = self.block_name()?;
        let Some(labels) = self.labels.last_mut() else {
            return self.fail(&codes::UNDEFINED_BLOCK, "a block is named where there are none");
        };
        let ir = &mut self.ir;
        let new = || NamedBlock { block: ir.create_block(), defined: false, at };
        let block = labels.entry(name).or_insert_with(new).block;
        self.note_branch(at, block);
        Ok(block)
    }

    /// The block that a label begins
    pub fn define_block(&mut self, name: &'a [u8], at: u32) -> Parse<BlockId> {
        let Some(labels) = self.labels.last_mut() else {
            return self.fail(&codes::UNDEFINED_BLOCK, "a block outside of a region");
        };
        let block = match labels.get_mut(name) {
            Some(named) if named.defined => {
                let old = named.at;
                let text = String::from_utf8_lossy(name).into_owned();
                let (span, old) = (self.name_span(at), self.name_span(old));
                let error =
                    Diagnostic::error(&codes::REDEFINED_BLOCK, format!("block `^{text}` is defined twice"));
                return Err(self.emit(error.at(span).note_at(old, "first defined here")));
            }
            Some(named) => {
                (named.defined, named.at) = (true, at);
                named.block
            }
            None => {
                let block = self.ir.create_block();
                labels.insert(name, NamedBlock { block, defined: true, at });
                block
            }
        };
        self.note_label(at);
        let plain = name.strip_prefix(b"bb").unwrap_or(name).iter().all(u8::is_ascii_digit);
        if !plain {
            self.ir.set_block_name(block, Name::Offset(at));
        }
        Ok(block)
    }

    /// Report branches to blocks that the region does not have
    pub fn close_labels(&mut self) {
        let Some(labels) = self.labels.pop() else { return };
        self.note_labels(&labels);
        if labels.is_empty() {
            return;
        }
        // Sorted by place below.
        #[allow(clippy::iter_over_hash_type)]
        let mut open: Vec<(u32, &[u8])> = labels
            .iter()
            .filter(|(_, named)| !named.defined)
            .map(|(name, named)| (named.at, *name))
            .collect();
        open.sort_unstable();
        for (at, name) in open {
            let text = String::from_utf8_lossy(name).into_owned();
            let span = self.name_span(at);
            let mut error =
                Diagnostic::error(&codes::UNDEFINED_BLOCK, format!("block `^{text}` is not defined"))
                    .at(span);
            if self.may_search() {
                // Ties are broken by spelling, so the order of the table has no effect.
                #[allow(clippy::iter_over_hash_type)]
                let names = labels.iter().filter(|(_, named)| named.defined).take(10_000);
                let names = names.filter_map(|(name, _)| std::str::from_utf8(name).ok());
                if let Some(near) = terrace_diag::nearest(&text, names) {
                    error = error.help(format!("did you mean `^{near}`?"));
                }
            }
            let _ = self.emit(error);
        }
    }
}
