//! Functions: parameters, results, calls.
//!
//! Buffers are passed in the plain way: a pointer to the first element and what the type leaves open. The first result, if
//! it is a number and the only one, is returned; others are written through pointers, buffers among them as descriptors.
//! Kernels take the offset of a buffer as well, since whoever launches them cannot move the pointer.

use crate::buffer::{Dim, Shape, Space, View, described_view};
use crate::codes;
use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::frame::Returns;
use crate::names::identifier;
use crate::refusal::{Done, Refused};
use crate::signature::{Param, Part};
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_builtin::marks::{NAME, NOALIAS, READONLY};
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::{OpDef, OpId, Type, TypeKind, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { func:
    Call any, |e, op| e.call(func::Call(op));
    Return any, |e, op| e.return_op(op);
};

/// Bytes that a buffer of a kernel is aligned to, where vectors rely on it
const WIDEST: usize = 16;

/// Ops that read the buffer that is their first operand, and nothing else
static READS: &[&OpDef] = &[
    memref::Copy::DEF,
    memref::Dim::DEF,
    memref::ExtractAlignedPointerAsIndex::DEF,
    memref::Load::DEF,
    vector::Load::DEF,
    vector::MaskedLoad::DEF,
    vector::TransferRead::DEF,
];

/// Ops whose result is another view of their first operand
static VIEWS: &[&OpDef] = &[memref::Cast::DEF, memref::ReinterpretCast::DEF, memref::SubView::DEF];

impl Emit<'_> {
    /// Is the memory behind this value only read?
    fn only_read(&self, value: Value) -> bool {
        let mut all = vec![value];
        while let Some(value) = all.pop() {
            for (user, n) in self.ir.uses(value) {
                let one_of = |list: &[&'static OpDef]| n == 0 && list.iter().any(|def| self.ir.is(user, def));
                if one_of(VIEWS) {
                    all.push(self.ir.result(user, 0));
                } else if !one_of(READS) {
                    return false;
                }
            }
        }
        true
    }

    /// Name of an argument: what its author says
    fn argument_name(&self, value: Value, attrs: Option<&str>, n: usize) -> String {
        let given = attrs.and_then(identifier);
        let given = given.or_else(|| self.ir.value_name(value).and_then(identifier));
        given.unwrap_or_else(|| format!("arg{n}"))
    }

    /// Take the arguments of the function: its C parameters, and what they are
    pub fn arguments(&mut self, op: OpId, args: &[Value], kernel: bool) -> Done<(Vec<String>, Vec<Param>)> {
        let (mut texts, mut params) = (Vec::new(), Vec::new());
        let attrs = self.ir.attr(op, "arg_attrs");
        for (n, &arg) in args.iter().enumerate() {
            let attrs = attrs.and_then(|attrs| attrs.as_array(self.ir.cx())).and_then(|attrs| attrs.get(n));
            let said = |name: &str| {
                let entries = attrs.and_then(|dict| dict.as_dict(self.ir.cx())).unwrap_or(&[]);
                entries.iter().find(|(key, _)| self.ir.cx().str(*key) == name).map(|(_, attr)| *attr)
            };
            let alone = said(NOALIAS).is_some();
            let read = said(READONLY).is_some();
            let given = said(NAME).and_then(|name| name.as_str(self.ir.cx()));
            let wanted = self.argument_name(arg, given, n);
            let ty = self.ir.ty(arg);
            if !matches!(ty.kind(self.ir.cx()), TypeKind::MemRef { .. }) {
                let c_type = match kernel {
                    true => self.scalar(op, ty).map(|scalar| self.lang.stored(scalar).to_string())?,
                    false => self.c_type(op, ty)?,
                };
                let name = self.text.names.fresh(&wanted);
                texts.push(format!("{c_type} {name}"));
                if let Some(ty) = Scalar::of(self.ir.cx(), ty.scalar(self.ir.cx())) {
                    params.push(Param { arg: n, part: Part::Value, ty, name: name.clone() });
                }
                let e = match Scalar::of(self.ir.cx(), ty) {
                    Some(ty) if kernel && self.lang.stored(ty) != self.lang.scalar(ty) => {
                        Expr::binary("!=", prec::EQUAL, &Expr::atom(name), &Expr::atom("0"))
                    }
                    _ => Expr::atom(name),
                };
                self.values.set(arg, Val::Expr(e));
                continue;
            }
            let shape = self.shape(op, ty)?;
            let before = texts.len();
            let mut view =
                self.buffer_argument((arg, n, alone, read), &wanted, &shape, kernel, &mut texts, &mut params);
            if self.banks_of_argument(attrs, &shape).is_some() {
                let dims: String =
                    shape.sizes.iter().flatten().map(|size| format!("[{}]", size.max(&1))).collect();
                let word = if view.constant { "const " } else { "" };
                texts.truncate(before);
                texts.push(format!("{word}{} {}{dims}", self.lang.stored(shape.elem), view.pointer));
                view.array = true;
                self.frame.arrays = true;
            }
            self.values.set(arg, Val::View(view));
        }
        Ok((texts, params))
    }

    /// A buffer: the value, its number, whether no other pointer reaches its memory, whether it is declared read-only
    fn buffer_argument(
        &mut self,
        (arg, n, alone, read): (Value, usize, bool, bool),
        wanted: &str,
        shape: &Shape,
        kernel: bool,
        texts: &mut Vec<String>,
        params: &mut Vec<Param>,
    ) -> View {
        let name = self.text.names.fresh(wanted);
        let space = match shape.space {
            Some(space) if !self.lang.is_host() => space,
            _ => Space::Global,
        };
        let constant = (read || self.only_read(arg)) && space != Space::Constant;
        let word = if constant { "const " } else { "" };
        let elem = self.lang.stored(shape.elem);
        let alone = if alone { self.lang.restrict() } else { "" };
        texts.push(format!("{}{word}{elem} *{alone}{name}", self.lang.space(space)));
        params.push(Param { arg: n, part: Part::Pointer, ty: shape.elem, name: name.clone() });
        let int = self.lang.scalar(Scalar::Int(64));
        let mut open = |known: Option<i64>, part: Part, suffix: String| match known {
            Some(known) => Dim::Const(known),
            None => {
                let name = self.text.names.fresh(&format!("{name}_{suffix}"));
                texts.push(format!("{int} {name}"));
                params.push(Param { arg: n, part, ty: Scalar::Int(64), name: name.clone() });
                Dim::Var(name)
            }
        };
        let offset = match kernel {
            true => open(shape.offset, Part::Offset, "offset".into()),
            false => Dim::Const(0),
        };
        let sizes: Vec<Dim> = shape
            .sizes
            .iter()
            .enumerate()
            .map(|(n, s)| open(*s, Part::Size(n), format!("size{n}")))
            .collect();
        let strides = if shape.identity {
            None
        } else {
            let strides = shape.strides.iter().enumerate();
            Some(strides.map(|(n, s)| open(*s, Part::Stride(n), format!("stride{n}"))).collect())
        };
        // Products of sizes are written down at the start of the body.
        let strides =
            strides.unwrap_or_else(|| shape.strides.iter().map(|s| Dim::Const(s.unwrap_or(0))).collect());
        View {
            pointer: name.clone(),
            allocated: name,
            offset,
            sizes,
            strides,
            elem: shape.elem,
            space,
            constant,
            array: false,
        }
    }

    /// Strides of arguments that follow from their sizes, as the first lines of the body
    pub fn argument_strides(&mut self, op: OpId, args: &[Value]) -> Done {
        for &arg in args {
            let ty = self.ir.ty(arg);
            let Some(shape) = Shape::of(self.ir.cx(), ty) else { continue };
            if !shape.identity || shape.strides.iter().all(Option::is_some) {
                continue;
            }
            let mut view = self.values.view(arg)?;
            let used = self.ir.uses(arg).any(|(user, _)| !self.ir.is(user, memref::Dim::DEF));
            if used {
                view.strides = self.row_strides(&view.pointer.clone(), &view.sizes.clone());
            }
            self.values.set(arg, Val::View(view));
        }
        let _ = op;
        Ok(())
    }

    /// C parameters for the results that are written through pointers
    pub fn out_parameters(&mut self, op: OpId, results: &[Type]) -> Done<Vec<String>> {
        if results.is_empty() {
            return Ok(Vec::new());
        }
        if let [one] = results
            && !matches!(one.kind(self.ir.cx()), TypeKind::MemRef { .. })
        {
            self.c_type(op, *one)?;
            self.frame.returns = Returns::Value;
            return Ok(Vec::new());
        }
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        for (n, ty) in results.iter().enumerate() {
            let c_type = self.result_type(op, *ty)?;
            let name = self.text.names.fresh(&format!("result{n}"));
            texts.push(format!("{c_type} *{name}"));
            names.push(name);
        }
        self.frame.returns = Returns::Out(names);
        Ok(texts)
    }

    /// Type of a result in memory
    pub fn result_type(&mut self, op: OpId, ty: Type) -> Done<String> {
        if !matches!(ty.kind(self.ir.cx()), TypeKind::MemRef { .. }) {
            return self.c_type(op, ty);
        }
        if !self.lang.is_host() {
            let message = "returns a buffer from device code";
            return self.refuse(op, &codes::TYPE, message, "buffers are arguments there");
        }
        let shape = self.shape(op, ty)?;
        Ok(self.helpers.descriptor(&shape))
    }

    /// Write a buffer's descriptor to a place
    fn describe(&mut self, place: &str, view: &View) {
        self.text.line(&format!("{place}allocated = {};", view.allocated));
        self.text.line(&format!("{place}aligned = {};", view.pointer));
        self.text.line(&format!("{place}offset = {};", view.offset.expr().text));
        for (n, size) in view.sizes.iter().enumerate() {
            self.text.line(&format!("{place}sizes[{n}] = {};", size.expr().text));
        }
        for (n, stride) in view.strides.iter().enumerate() {
            self.text.line(&format!("{place}strides[{n}] = {};", stride.expr().text));
        }
    }

    /// `func.return`, `gpu.return`
    pub fn return_op(&mut self, op: OpId) -> Done {
        let values: Vec<Value> = self.ir.operands(op).collect();
        match self.frame.returns.clone() {
            Returns::Nothing => {}
            Returns::Value => {
                if let Some(&value) = values.first() {
                    let e = self.values.expr(value);
                    self.text.line(&format!("return {};", e.text));
                }
            }
            Returns::Out(names) => {
                for (value, name) in values.iter().zip(names) {
                    if matches!(self.ir.ty(*value).kind(self.ir.cx()), TypeKind::MemRef { .. }) {
                        let view = self.values.view(*value)?;
                        let view = self.flat(view);
                        self.describe(&format!("{name}->"), &view);
                    } else {
                        let e = self.values.expr(*value);
                        self.flush();
                        self.text.line(&format!("*{name} = {};", e.text));
                    }
                }
            }
        }
        Ok(())
    }

    /// Pointer to the first element of a buffer
    fn start(&mut self, view: &View) -> String {
        match &view.offset {
            Dim::Const(0) => view.pointer.clone(),
            Dim::Const(n) => format!("{} + {n}", view.pointer),
            Dim::Var(name) => format!("{} + {name}", view.pointer),
        }
    }

    /// The C arguments that pass a value; where the parameter is no array, an array goes as a pointer
    fn pass(&mut self, op: OpId, value: Value, array: bool, args: &mut Vec<String>) -> Done {
        let ty = self.ir.ty(value);
        if !matches!(ty.kind(self.ir.cx()), TypeKind::MemRef { .. }) {
            let e = self.values.expr(value);
            args.push(e.text);
            return Ok(());
        }
        let (mut view, shape) = (self.values.view(value)?, self.shape(op, ty)?);
        if !array {
            view = self.flat(view);
        }
        args.push(self.start(&view));
        let sizes = view.sizes.iter().zip(&shape.sizes);
        args.extend(sizes.filter(|(_, known)| known.is_none()).map(|(size, _)| size.expr().text));
        if !shape.identity {
            let strides = view.strides.iter().zip(&shape.strides);
            args.extend(strides.filter(|(_, known)| known.is_none()).map(|(stride, _)| stride.expr().text));
        }
        Ok(())
    }

    /// The C argument that passes a value to a function that takes descriptors
    fn pass_described(&mut self, op: OpId, value: Value, args: &mut Vec<String>) -> Done {
        let ty = self.ir.ty(value);
        if !matches!(ty.kind(self.ir.cx()), TypeKind::MemRef { .. }) {
            let e = self.values.expr(value);
            args.push(e.text);
            return Ok(());
        }
        let (view, shape) = (self.values.view(value)?, self.shape(op, ty)?);
        let view = self.flat(view);
        let c_type = self.helpers.descriptor(&shape);
        let name = self.text.names.fresh(&format!("{}_buffer", view.pointer.replace(['.', '>', '-'], "_")));
        self.text.line(&format!("{c_type} {name};"));
        self.describe(&format!("{name}."), &view);
        args.push(format!("&{name}"));
        Ok(())
    }

    /// `func.call`
    fn call(&mut self, call: func::Call) -> Done {
        let (ir, op) = (self.ir, call.id());
        let callee = call.callee(ir).as_symbol(self.ir.cx());
        let callee = callee.and_then(|(root, _)| self.functions.get(self.ir.cx().str(root)).cloned());
        let Some(callee) = callee else {
            return self.no_op(op, "it calls a function that is not part of the text", "");
        };
        let described = callee.by_descriptor(self.ir.cx());
        let values: Vec<Value> = ir.operands(op).collect();
        let results: Vec<Value> = ir.results(op).collect();
        let mut args = Vec::new();
        for (n, value) in values.into_iter().enumerate() {
            if described {
                self.pass_described(op, value, &mut args)?;
            } else {
                self.pass(op, value, callee.arrays.contains(&n), &mut args)?;
            }
        }
        self.flush();
        if results.is_empty() {
            self.text.line(&format!("{}({});", callee.name, args.join(", ")));
            return Ok(());
        }
        if let [result] = results[..]
            && !matches!(ir.ty(result).kind(self.ir.cx()), TypeKind::MemRef { .. })
        {
            let c_type = self.c_type(op, ir.ty(result))?;
            let call = format!("{}({})", callee.name, args.join(", "));
            if !ir.is_used(result) {
                self.text.line(&format!("{call};"));
                return Ok(());
            }
            let name = self.name(result);
            self.text.line(&format!("{c_type} {name} = {call};"));
            self.values.set(result, Val::Expr(Expr::atom(name)));
            return Ok(());
        }
        let mut names = Vec::new();
        for &result in &results {
            let c_type = self.result_type(op, ir.ty(result))?;
            let name = self.name(result);
            if !described || results.len() == 1 {
                self.text.line(&format!("{c_type} {name};"));
            }
            names.push((c_type, name));
        }
        match (described, &names[..]) {
            (false, _) => {
                args.extend(names.iter().map(|(_, name)| format!("&{name}")));
                self.text.line(&format!("{}({});", callee.name, args.join(", ")));
            }
            (true, [(_, name)]) => {
                args.insert(0, format!("&{name}"));
                self.text.line(&format!("{}({});", callee.name, args.join(", ")));
            }
            (true, _) => {
                let fields = names.iter().enumerate().map(|(n, (c_type, _))| format!("{c_type} r{n}; "));
                let (fields, whole) = (fields.collect::<String>(), self.text.names.fresh("results"));
                self.text.line(&format!("struct {{ {fields}}} {whole};"));
                args.insert(0, format!("&{whole}"));
                self.text.line(&format!("{}({});", callee.name, args.join(", ")));
                for (n, (_, name)) in names.iter_mut().enumerate() {
                    *name = format!("{whole}.r{n}");
                }
            }
        }
        for (result, (_, name)) in results.into_iter().zip(names) {
            let val = match Shape::of(self.ir.cx(), ir.ty(result)) {
                Some(shape) => Val::View(described_view(&name, &shape)),
                None => Val::Expr(Expr::atom(name)),
            };
            self.values.set(result, val);
        }
        Ok(())
    }

    /// Does a vector access of a buffer rely on its alignment?
    fn accessed_by_vectors(&self, buffer: Value) -> bool {
        let stated = |op: OpId| {
            let load = vector::Load::cast(self.ir, op).and_then(|load| load.alignment(self.ir));
            load.or_else(|| vector::Store::cast(self.ir, op).and_then(|store| store.alignment(self.ir)))
        };
        self.ir.uses(buffer).any(|(user, _)| stated(user).is_some())
    }

    /// Buffers that a kernel begins with
    pub fn attributions(&mut self, op: OpId, args: &[Value], space: Space) -> Done {
        for &arg in args {
            let shape = self.shape(op, self.ir.ty(arg))?;
            let Some(count) = shape.count().filter(|_| shape.identity) else {
                self.no_op::<()>(op, "a buffer of its own has no fixed size", "")?;
                return Err(Refused);
            };
            let name = self.name(arg);
            let elem = self.lang.stored(shape.elem);
            let words = if space == Space::Workgroup { self.lang.workgroup_variable() } else { "" };
            let aligned = match self.accessed_by_vectors(arg) {
                true => self.lang.array_alignment(WIDEST),
                false => String::new(),
            };
            self.text.line(&format!("{words}{aligned}{elem} {name}[{}];", count.max(1)));
            let dims = |known: &[Option<i64>]| known.iter().map(|n| Dim::Const(n.unwrap_or(0))).collect();
            let view = View {
                pointer: name.clone(),
                allocated: name,
                offset: Dim::Const(0),
                sizes: dims(&shape.sizes),
                strides: dims(&shape.strides),
                elem: shape.elem,
                space,
                constant: false,
                array: false,
            };
            self.values.set(arg, Val::View(view));
        }
        Ok(())
    }
}
