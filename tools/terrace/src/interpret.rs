//! Calls in the reference interpreter.

use crate::{Module, Report, Value};
use terrace_diag::{Diagnostic, nearest};
use terrace_interp::{Fault, Interpreter, Options, Trap, codes};
use terrace_ir::{Context, FloatKind, Ir, Type, TypeKind};

/// A module that is interpreted, with its memory, which lasts from call to call
pub struct Interp<'a> {
    inner: Interpreter<'a>,
    module: &'a Module,
}

/// Interpret a module: what it gives is what the program means
pub fn interp(module: &Module) -> Interp<'_> {
    Interp::with(module, Options::default())
}

impl<'a> Interp<'a> {
    /// With other limits than the default ones
    pub fn with(module: &'a Module, options: Options) -> Interp<'a> {
        Interp { inner: Interpreter::new(module, options), module }
    }

    /// Call a function; `index` is 64 bits wide, tensors and vectors are lists
    ///
    /// A trap is an error that points at the op.
    pub fn call(&mut self, name: &str, args: &[Value]) -> Result<Vec<Value>, Report> {
        let unit = self.inner.function(name).ok_or_else(|| self.unknown(name))?;
        check(unit, name, args).map_err(Report::plain_one)?;
        self.inner.call(name, args.to_vec()).map_err(|trap| self.trapped(&trap))
    }

    /// Memory of these sizes with these elements, row by row, as an argument for calls
    pub fn buffer<T: Clone + Into<Value>>(&mut self, sizes: &[i64], elements: &[T]) -> Result<Value, Report> {
        let wanted = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size).filter(|_| *size >= 0));
        if wanted != i64::try_from(elements.len()).ok() {
            let message = format!("memory of sizes {sizes:?} does not hold {} elements", elements.len());
            return Err(Report::plain_one(Diagnostic::error(&codes::ARGUMENTS, message)));
        }
        let memory = self.inner.memory();
        let made = memory.alloc(sizes).and_then(|view| {
            memory.set_elements(&view, elements.iter().cloned().map(Into::into).enumerate())?;
            Ok(view)
        });
        made.map(Value::MemRef).map_err(|fault| self.trapped(&fault.into()))
    }

    /// The elements of memory or of a list, row by row; poison where nothing was written
    pub fn elements(&mut self, value: &Value) -> Result<Vec<Value>, Report> {
        match value {
            Value::MemRef(view) => {
                let count = view.sizes.iter().product::<i64>().max(0);
                let memory = self.inner.memory();
                let load = |n: i64| match memory.load(view, &index_of(n, &view.sizes)) {
                    Err(Fault::Uninitialized) => Ok(Value::Poison),
                    other => other,
                };
                let all: Result<_, Fault> = (0..count).map(load).collect();
                all.map_err(|fault| self.trapped(&fault.into()))
            }
            Value::Vector(all) => Ok(all.to_vec()),
            other => Ok(vec![other.clone()]),
        }
    }

    fn trapped(&self, trap: &Trap) -> Report {
        Report::new([trap.diagnostic()], self.module.cx().sources())
    }

    fn unknown(&self, name: &str) -> Report {
        let error = Diagnostic::error(&codes::CALLEE, format!("there is no function @{name}"));
        let names: Vec<&str> = crate::module::functions(self.module).map(|(name, _)| name).collect();
        let close = nearest(name, names.iter().copied());
        Report::plain_one(match close {
            Some(close) => error.help(format!("did you mean @{close}?")),
            None if names.is_empty() => error.help("the module has no functions"),
            None => error.help(format!("there are @{}", names.join(", @"))),
        })
    }
}

/// The index of an element in memory of these sizes, by its number
fn index_of(n: i64, sizes: &[i64]) -> Vec<i64> {
    let mut rest = n;
    let mut index: Vec<i64> = sizes.iter().rev().map(|size| (rest % size, rest /= size).0).collect();
    index.reverse();
    index
}

/// Do arguments fit the type of a function?
fn check(unit: &Ir, name: &str, args: &[Value]) -> Result<(), Diagnostic> {
    let cx = unit.cx();
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let Some((inputs, _)) = ty.and_then(|ty| ty.as_function(cx)) else { return Ok(()) };
    let wrong = |message: String| Diagnostic::error(&codes::ARGUMENTS, message);
    if inputs.len() != args.len() {
        let message = format!("@{name} takes {} arguments, and {} are given", inputs.len(), args.len());
        return Err(wrong(message));
    }
    for (n, (ty, arg)) in inputs.iter().zip(args).enumerate() {
        if !fits(cx, *ty, arg) {
            let (text, given) = (terrace_ir::show::type_text(cx, *ty), describe(cx, arg));
            let error = wrong(format!("argument {n} of @{name} has type {text}, and {given} is given"));
            return Err(match accepted(cx, *ty) {
                Some(help) => error.help(help),
                None => error,
            });
        }
    }
    Ok(())
}

fn fits(cx: &Context, ty: Type, value: &Value) -> bool {
    match (ty.kind(cx), value) {
        (_, Value::Poison) => true,
        (TypeKind::Int { width, .. }, Value::Int { width: given, .. }) => width == given,
        (TypeKind::Index, Value::Int { width, .. }) => *width == 64,
        (TypeKind::Float(kind), Value::Float { kind: given, .. }) => kind == given,
        (TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_), _) => false,
        (TypeKind::Tensor { .. } | TypeKind::Vector { .. }, given) => {
            let Value::Vector(all) = given else { return false };
            let count = ty.shape(cx).filter(|shape| shape.iter().all(|size| *size >= 0));
            let count = count.map(|shape| shape.iter().product::<i64>());
            let elem = ty.scalar(cx);
            count.is_none_or(|count| i64::try_from(all.len()) == Ok(count))
                && all.iter().all(|one| fits(cx, elem, one))
        }
        (TypeKind::MemRef { .. }, given) => matches!(given, Value::MemRef(_)),
        _ => true,
    }
}

/// What a value is, for messages
fn describe(cx: &Context, value: &Value) -> String {
    match value {
        Value::Int { width, .. } => format!("an i{width}"),
        Value::Float { kind, .. } => format!("an {}", float_name(cx, *kind)),
        Value::Vector(all) => format!("a list of {}", all.len()),
        Value::MemRef(_) => "memory".into(),
        other => terrace_interp::text::value_text(other),
    }
}

fn float_name(cx: &Context, kind: FloatKind) -> String {
    terrace_ir::show::type_text(cx, cx.ty(TypeKind::Float(kind)))
}

/// How a value of a type is written in Rust
fn accepted(cx: &Context, ty: Type) -> Option<String> {
    Some(match ty.kind(cx) {
        TypeKind::Int { width, .. } => match width {
            1 => "write `true.into()`".into(),
            8 | 16 | 32 | 64 => format!("write `7i{width}.into()`"),
            _ => format!("write `Value::int(7, {width})`"),
        },
        TypeKind::Index => "write `7i64.into()`".into(),
        TypeKind::Float(kind) => match &*float_name(cx, *kind) {
            name @ ("f32" | "f64") => format!("write `1.5{name}.into()`"),
            _ => "write `Value::float(bits, kind)`".into(),
        },
        TypeKind::Tensor { .. } | TypeKind::Vector { .. } => {
            "write a `Vec` of its elements and `.into()`".into()
        }
        TypeKind::MemRef { .. } => "make it with `Interp::buffer`".into(),
        _ => return None,
    })
}
