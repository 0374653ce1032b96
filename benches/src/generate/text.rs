//! Writes ops as MLIR text, pretty or generic, one pass, to a file of any size.
//!
//! Invariant: pretty text is what upstream's printer would print for the same module (names, indentation,
//! comments on predecessors; only the blank line at its end is left out), so a round trip can be compared byte
//! for byte. Generic text differs from upstream's in names alone: upstream numbers those through the whole
//! module, here each function starts anew. Upstream numbers a block fully before the regions in it: callers put no op with a result
//! behind a loop. Memory does not depend on the size of the file.
//! Knows just the ops that the generators use; builds no IR.

use std::io::{self, Write};

/// How the text is spelled
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each op's own syntax
    Pretty,
    /// The syntax that all ops share
    Generic,
}

/// An SSA value, which is a name and nothing else
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// `%argN`
    Arg(u32),
    /// `%N`
    Number(u32),
    /// `%cN_i32`
    I32(i32),
    /// `%cN`
    Index(i32),
    /// `%true`
    True,
}

/// A kind of binary op: its name and what the generic form carries next to operands
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Dialect and name
    pub name: &'static str,
    properties: &'static str,
}

impl Binary {
    /// An op without properties
    pub const fn plain(name: &'static str) -> Self {
        Self { name, properties: "" }
    }

    /// An integer op with overflow flags, all off
    pub const fn overflowing(name: &'static str) -> Self {
        Self { name, properties: " <{overflowFlags = #arith.overflow<none>}>" }
    }

    /// A floating-point op with fast-math flags, all off
    pub const fn float(name: &'static str) -> Self {
        Self { name, properties: " <{fastmath = #arith.fastmath<none>}>" }
    }
}

/// Text on its way to a file
pub struct Text {
    to: Box<dyn Write>,
    buffer: Vec<u8>,
    form: Form,
    indent: usize,
    numbers: u32,
    args: u32,
    scopes: Vec<(u32, u32)>,
    ops: u64,
    bytes: u64,
    failed: Option<io::Error>,
}

const FLUSH_AT: usize = 1 << 16;

impl Text {
    /// Starts a module
    pub fn new(to: Box<dyn Write>, form: Form) -> Self {
        let mut text = Self {
            to,
            buffer: Vec::with_capacity(FLUSH_AT + 4096),
            form,
            indent: 0,
            numbers: 0,
            args: 0,
            scopes: Vec::new(),
            ops: 0,
            bytes: 0,
            failed: None,
        };
        text.start();
        text.put(if form == Form::Pretty { "module {" } else { "\"builtin.module\"() ({" });
        text.end();
        text.ops = 1;
        text.indent = 1;
        text
    }

    /// Ops so far, the module, elided terminators and all
    pub fn ops(&self) -> u64 {
        self.ops
    }

    /// Whether a write has failed; what comes after is dropped, and `finish` says why
    pub fn failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Ends the module; its ops and bytes
    pub fn finish(mut self) -> io::Result<(u64, u64)> {
        self.indent = 0;
        self.close(" : () -> ()");
        self.flush();
        match self.failed {
            Some(error) => Err(error),
            None => self.to.flush().map(|()| (self.ops, self.bytes)),
        }
    }

    /// Starts a function `@{prefix}{number}`; its arguments
    pub fn begin_function(
        &mut self,
        prefix: &str,
        number: u64,
        args: &[&str],
        results: &[&str],
    ) -> Vec<Value> {
        self.numbers = 0;
        self.args = args.len() as u32;
        self.ops += 1;
        let values: Vec<Value> = (0..self.args).map(Value::Arg).collect();
        self.start();
        if self.form == Form::Pretty {
            self.put("func.func @");
            self.put(prefix);
            self.decimal(number);
            self.put("(");
            self.typed(&values, args);
            self.put(")");
            self.result_types(" -> ", results, false);
            self.put(" {");
            self.end();
        } else {
            self.put("\"func.func\"() <{function_type = (");
            self.put(&args.join(", "));
            self.put(") -> ");
            self.result_types("", results, true);
            self.put(", sym_name = \"");
            self.put(prefix);
            self.decimal(number);
            self.put("\"}> ({");
            self.end();
            self.start();
            self.put("^bb0(");
            self.typed(&values, args);
            self.put("):");
            self.end();
        }
        self.indent += 1;
        values
    }

    /// Returns `values` and ends the function
    pub fn end_function(&mut self, values: &[Value], types: &[&str]) {
        self.ops += 1;
        self.start();
        if self.form == Form::Pretty {
            self.put("return");
            if !values.is_empty() {
                self.put(" ");
                self.list(values);
                self.put(" : ");
                self.put(&types.join(", "));
            }
        } else {
            self.operands("func.return", values);
            self.signature(types, "()");
        }
        self.end();
        self.indent -= 1;
        self.close(" : () -> ()");
    }

    /// `arith.constant` of type `i32`
    pub fn constant_i32(&mut self, constant: i32) -> Value {
        self.constant(Value::I32(constant), i64::from(constant), "i32")
    }

    /// `arith.constant` of type `index`
    pub fn constant_index(&mut self, constant: i32) -> Value {
        self.constant(Value::Index(constant), i64::from(constant), "index")
    }

    /// `arith.constant true`
    pub fn constant_true(&mut self) -> Value {
        self.constant(Value::True, 1, "i1")
    }

    fn constant(&mut self, pretty: Value, constant: i64, ty: &str) -> Value {
        let value = if self.form == Form::Pretty { pretty } else { self.number() };
        self.ops += 1;
        self.start();
        self.value(value);
        self.put(if self.form == Form::Pretty {
            " = arith.constant "
        } else {
            " = \"arith.constant\"() <{value = "
        });
        if ty == "i1" {
            self.put("true");
        } else {
            if constant < 0 {
                self.put("-");
            }
            self.decimal(constant.unsigned_abs());
            self.put(" : ");
            self.put(ty);
        }
        if self.form == Form::Generic {
            self.put("}>");
            self.signature(&[], ty);
        }
        self.end();
        value
    }

    /// `kind` on two values of type `ty`
    pub fn binary(&mut self, kind: Binary, left: Value, right: Value, ty: &str) -> Value {
        let value = self.result();
        if self.form == Form::Pretty {
            self.put(kind.name);
            self.put(" ");
            self.list(&[left, right]);
            self.put(" : ");
            self.put(ty);
        } else {
            self.operands(kind.name, &[left, right]);
            self.put(kind.properties);
            self.signature(&[ty, ty], ty);
        }
        self.end();
        value
    }

    /// `arith.cmpi slt`
    pub fn less_than(&mut self, left: Value, right: Value, ty: &str) -> Value {
        let value = self.result();
        if self.form == Form::Pretty {
            self.put("arith.cmpi slt, ");
            self.list(&[left, right]);
            self.put(" : ");
            self.put(ty);
        } else {
            self.operands("arith.cmpi", &[left, right]);
            self.put(" <{predicate = 2 : i64}>");
            self.signature(&[ty, ty], "i1");
        }
        self.end();
        value
    }

    /// `memref.load` of an `f32`
    pub fn load(&mut self, memref: Value, indices: &[Value], ty: &str) -> Value {
        let value = self.result();
        if self.form == Form::Pretty {
            self.put("memref.load ");
            self.access(memref, indices, ty);
        } else {
            self.operands("memref.load", &joined(&[memref], indices));
            self.signature(&joined(&[ty], &vec!["index"; indices.len()]), "f32");
        }
        self.end();
        value
    }

    /// `memref.store` of an `f32`
    pub fn store(&mut self, stored: Value, memref: Value, indices: &[Value], ty: &str) {
        self.ops += 1;
        self.start();
        if self.form == Form::Pretty {
            self.put("memref.store ");
            self.value(stored);
            self.put(", ");
            self.access(memref, indices, ty);
        } else {
            self.operands("memref.store", &joined(&[stored, memref], indices));
            self.signature(&joined(&["f32", ty], &vec!["index"; indices.len()]), "()");
        }
        self.end();
    }

    /// Starts an `scf.for`; its induction variable
    pub fn begin_for(&mut self, from: Value, to: Value, step: Value) -> Value {
        self.ops += 2; // and its yield
        self.scopes.push((self.numbers, self.args));
        let variable = Value::Arg(self.args);
        self.args += 1;
        self.start();
        if self.form == Form::Pretty {
            self.put("scf.for ");
            self.value(variable);
            for (word, value) in [(" = ", from), (" to ", to), (" step ", step)] {
                self.put(word);
                self.value(value);
            }
            self.put(" {");
            self.end();
        } else {
            self.operands("scf.for", &[from, to, step]);
            self.put(" ({");
            self.end();
            self.start();
            self.put("^bb0(");
            self.typed(&[variable], &["index"]);
            self.put("):");
            self.end();
        }
        self.indent += 1;
        variable
    }

    /// Ends the innermost loop; the numbers used in it are free again
    pub fn end_for(&mut self) {
        if self.form == Form::Generic {
            self.start();
            self.put("\"scf.yield\"() : () -> ()");
            self.end();
        }
        (self.numbers, self.args) = self.scopes.pop().expect("every loop is begun before it is ended");
        self.indent -= 1;
        self.close(" : (index, index, index) -> ()");
    }

    /// `cf.br` with at most one value of type `i32`
    pub fn branch(&mut self, block: u32, value: Option<Value>) {
        self.ops += 1;
        self.start();
        if self.form == Form::Pretty {
            self.put("cf.br ");
            self.successor(block, value);
        } else {
            self.operands("cf.br", value.as_slice());
            self.put("[^bb");
            self.decimal(u64::from(block));
            self.put("]");
            self.signature(&vec!["i32"; value.iter().len()], "()");
        }
        self.end();
    }

    /// `cf.cond_br`, each side with at most one value of type `i32`
    pub fn branch_on(&mut self, condition: Value, yes: (u32, Option<Value>), no: (u32, Option<Value>)) {
        self.ops += 1;
        self.start();
        if self.form == Form::Pretty {
            self.put("cf.cond_br ");
            self.value(condition);
            for (block, value) in [yes, no] {
                self.put(", ");
                self.successor(block, value);
            }
        } else {
            let values: Vec<Value> = [Some(condition), yes.1, no.1].into_iter().flatten().collect();
            self.operands("cf.cond_br", &values);
            self.put("[^bb");
            self.decimal(u64::from(yes.0));
            self.put(", ^bb");
            self.decimal(u64::from(no.0));
            self.put("] <{operandSegmentSizes = array<i32: 1, ");
            self.decimal(yes.1.iter().len() as u64);
            self.put(", ");
            self.decimal(no.1.iter().len() as u64);
            self.put(">}>");
            let mut types = vec!["i1"];
            types.resize(values.len(), "i32");
            self.signature(&types, "()");
        }
        self.end();
    }

    /// Starts block `number`, with an argument of type `i32` where `arg` says so
    pub fn begin_block(&mut self, number: u32, arg: bool, predecessors: &[u32]) -> Option<Value> {
        self.indent -= 1;
        self.start();
        self.put("^bb");
        self.decimal(u64::from(number));
        let value = arg.then(|| self.number());
        if let Some(value) = value {
            self.put("(");
            self.typed(&[value], &["i32"]);
            self.put(")");
        }
        self.put(":  // ");
        if let [only] = predecessors {
            self.put("pred: ^bb");
            self.decimal(u64::from(*only));
        } else {
            self.decimal(predecessors.len() as u64);
            self.put(" preds: ");
            for (i, &block) in predecessors.iter().enumerate() {
                self.put(if i == 0 { "^bb" } else { ", ^bb" });
                self.decimal(u64::from(block));
            }
        }
        self.end();
        self.indent += 1;
        value
    }

    fn number(&mut self) -> Value {
        self.numbers += 1;
        Value::Number(self.numbers - 1)
    }

    fn result(&mut self) -> Value {
        self.ops += 1;
        let value = self.number();
        self.start();
        self.value(value);
        self.put(" = ");
        value
    }

    fn operands(&mut self, name: &str, values: &[Value]) {
        self.put("\"");
        self.put(name);
        self.put("\"(");
        self.list(values);
        self.put(")");
    }

    fn signature(&mut self, from: &[&str], to: &str) {
        self.put(" : (");
        for (i, ty) in from.iter().enumerate() {
            self.put(if i == 0 { "" } else { ", " });
            self.put(ty);
        }
        self.put(") -> ");
        self.put(to);
    }

    fn result_types(&mut self, arrow: &str, types: &[&str], even_if_none: bool) {
        if types.is_empty() && !even_if_none {
            return;
        }
        self.put(arrow);
        match types {
            [only] => self.put(only),
            _ => {
                self.put("(");
                self.put(&types.join(", "));
                self.put(")");
            }
        }
    }

    fn access(&mut self, memref: Value, indices: &[Value], ty: &str) {
        self.value(memref);
        self.put("[");
        self.list(indices);
        self.put("] : ");
        self.put(ty);
    }

    fn successor(&mut self, block: u32, value: Option<Value>) {
        self.put("^bb");
        self.decimal(u64::from(block));
        if let Some(value) = value {
            self.put("(");
            self.value(value);
            self.put(" : i32)");
        }
    }

    fn typed(&mut self, values: &[Value], types: &[&str]) {
        for (i, (&value, ty)) in values.iter().zip(types).enumerate() {
            self.put(if i == 0 { "" } else { ", " });
            self.value(value);
            self.put(": ");
            self.put(ty);
        }
    }

    fn list(&mut self, values: &[Value]) {
        for (i, &value) in values.iter().enumerate() {
            self.put(if i == 0 { "" } else { ", " });
            self.value(value);
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Arg(n) => {
                self.put("%arg");
                self.decimal(u64::from(n));
            }
            Value::Number(n) => {
                self.put("%");
                self.decimal(u64::from(n));
            }
            Value::I32(n) | Value::Index(n) => {
                self.put(if n < 0 { "%c-" } else { "%c" });
                self.decimal(u64::from(n.unsigned_abs()));
                self.put(if matches!(value, Value::I32(_)) { "_i32" } else { "" });
            }
            Value::True => self.put("%true"),
        }
    }

    fn close(&mut self, generic: &str) {
        self.start();
        if self.form == Form::Pretty {
            self.put("}");
        } else {
            self.put("})");
            self.put(generic);
        }
        self.end();
    }

    fn start(&mut self) {
        self.buffer.resize(self.buffer.len() + 2 * self.indent, b' ');
    }

    fn end(&mut self) {
        self.put("\n");
        if self.buffer.len() >= FLUSH_AT {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.bytes += self.buffer.len() as u64;
        if self.failed.is_none() {
            self.failed = self.to.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }

    fn put(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    fn decimal(&mut self, mut number: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.buffer.extend_from_slice(&digits[at..]);
    }
}

fn joined<T: Copy>(first: &[T], then: &[T]) -> Vec<T> {
    [first, then].concat()
}
