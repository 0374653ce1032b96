//! Calls of machine code.
//!
//! The worker `terrace-native` holds LLVM, compiles and runs: what a wrong program does to its memory ends the worker, not the
//! caller. Values go there and back as copies.

use crate::{Module, REGISTRY, Report};
use std::cell::Cell;
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_runtime_buffers::{Buffer, BufferError, ElemType, Scalar};
use terrace_target_api::{
    Failed, Form, Input, Job, Limits, Lowered, Scheduling, Signature, Slot, SlotId, Workers, codes, find,
};

/// A module that is called as machine code of this CPU
pub struct Jit {
    ir: Box<Ir>,
    workers: Workers,
    limits: Limits,
}

/// A function of it
pub struct Function<'a> {
    jit: &'a Jit,
    source: Signature,
    lowered: Lowered,
}

/// Compile for this CPU
///
/// The worker `terrace-native` does it. It is looked for at `$TERRACE_NATIVE`, in the folder of the running program, and in the
/// folder above that. Where it is not there, the error is E0722, which says how it is built.
pub fn jit(module: &Module) -> Result<Jit, Report> {
    terrace_native_client::client::find().map_err(Report::plain_one)?;
    Ok(Jit { ir: module.clone_unit(), workers: Workers::default(), limits: Limits::default() })
}

impl Jit {
    /// Neither compiling nor a call takes longer; beyond it the error is E0724
    pub fn time_limit(self, limit: Duration) -> Jit {
        Jit { limits: Limits::each(limit), ..self }
    }

    /// Lower a function, from whatever level it is at
    pub fn function(&self, name: &str) -> Result<Function<'_>, Report> {
        let found = find(&self.ir, Some(name)).and_then(|(unit, entry)| Signature::of(unit, entry));
        let source = found.map_err(|error| self.report([error]))?;
        let lowered = self.with_job(&source, &[], |job| Lowered::of(&terrace_target_host::TARGET, job))?;
        Ok(Function { jit: self, source, lowered })
    }

    fn with_job<R>(
        &self,
        source: &Signature,
        inputs: &[Input],
        run: impl FnOnce(&Job<'_>) -> Result<R, Failed>,
    ) -> Result<R, Report> {
        let job = Job {
            registry: &REGISTRY,
            ir: &self.ir,
            source,
            signature: source,
            inputs,
            bench: None,
            stop_ns: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            scheduling: &Scheduling::default(),
            fuel: terrace_interp::Options::default().fuel,
            limits: self.limits,
            workers: &self.workers,
            order: terrace_interp::Order::Forward,
            subgroup: 32,
            lowering_ns: &Cell::new(0),
        };
        run(&job).map_err(|Failed(errors)| self.report(errors))
    }

    fn report(&self, errors: impl IntoIterator<Item = Diagnostic>) -> Report {
        Report::new(errors, self.ir.cx().sources())
    }
}

impl Function<'_> {
    /// Call it; gives the results, numbers as arrays of rank 0, and fills the slices that it may write to
    ///
    /// After an error no slice is written. Each call compiles.
    pub fn call(&self, args: &mut [Arg<'_>]) -> Result<Vec<Buffer>, Report> {
        let inputs = self.inputs(args).map_err(Report::plain_one)?;
        let outcome = self
            .jit
            .with_job(&self.source, &inputs, |job| self.lowered.run(&terrace_target_host::TARGET, job))?;
        let mut results = Vec::new();
        let mut written: Vec<(usize, Buffer)> = Vec::new();
        for array in outcome.arrays {
            match array.slot {
                SlotId::Result(_) => results.push(array.buffer),
                SlotId::Param(n) => written.push((n, array.buffer)),
            }
        }
        for (n, buffer) in &written {
            let before = match &inputs[*n] {
                Input::Given(before) => before.bytes(),
                Input::Undefined(..) => continue,
            };
            if !args[*n].is_mutable() && before != buffer.bytes() {
                let message = format!("@{} writes to {}", self.source.entry, self.name_of(*n));
                let error = Diagnostic::error(&codes::ARGUMENT, message);
                return Err(Report::plain_one(error.help("give it with `Arg::slice_mut`")));
            }
        }
        for (n, buffer) in &written {
            args[*n].fill(buffer);
        }
        Ok(results)
    }

    fn inputs(&self, args: &[Arg<'_>]) -> Result<Vec<Input>, Diagnostic> {
        let params = &self.source.params;
        if params.len() != args.len() {
            let name = &self.source.entry;
            let message = format!("@{name} takes {} arguments, and {} are given", params.len(), args.len());
            return Err(Diagnostic::error(&codes::ARGUMENT, message));
        }
        let each = params.iter().zip(args).enumerate();
        each.map(|(n, (slot, arg))| arg.input(slot, &self.name_of(n))).collect()
    }

    fn name_of(&self, n: usize) -> String {
        format!("argument `{}`", self.source.name_of(SlotId::Param(n)))
    }
}

/// An argument of a compiled function: a number, or elements that are copied there, and back
///
/// Numbers of Rust are arguments with `.into()`. `i1` is seen as `u8`, `f16` and `bf16` as their bits in `u16`.
pub struct Arg<'a> {
    memory: Box<dyn Elements + 'a>,
    /// Sizes, where the elements are more than a row
    shape: Option<Vec<u64>>,
}

impl<'a> Arg<'a> {
    /// A number
    pub fn number<T: Scalar + 'a>(number: T) -> Arg<'a> {
        Arg { memory: Box::new(Number(number)), shape: Some(Vec::new()) }
    }

    /// A number
    pub fn f32(number: f32) -> Arg<'a> {
        Arg::number(number)
    }

    /// A number
    pub fn f64(number: f64) -> Arg<'a> {
        Arg::number(number)
    }

    /// A number
    pub fn i32(number: i32) -> Arg<'a> {
        Arg::number(number)
    }

    /// A number, `index` too
    pub fn i64(number: i64) -> Arg<'a> {
        Arg::number(number)
    }

    /// Elements, row by row
    pub fn slice<T: Scalar>(elements: &'a [T]) -> Arg<'a> {
        Arg { memory: Box::new(Shared(elements)), shape: None }
    }

    /// Elements that the function may write
    pub fn slice_mut<T: Scalar>(elements: &'a mut [T]) -> Arg<'a> {
        Arg { memory: Box::new(Mutable(elements)), shape: None }
    }

    /// The elements with these sizes, for a type that leaves several open
    pub fn shaped(self, sizes: &[u64]) -> Arg<'a> {
        Arg { shape: Some(sizes.to_vec()), ..self }
    }

    fn is_mutable(&self) -> bool {
        self.memory.is_mutable()
    }

    fn fill(&mut self, from: &Buffer) {
        self.memory.fill(from);
    }

    /// Content of a slot
    fn input(&self, slot: &Slot, name: &str) -> Result<Input, Diagnostic> {
        let text = |why: String| Diagnostic::error(&codes::DATA, format!("{name} {why}"));
        let number = self.shape.as_ref().is_some_and(Vec::is_empty);
        if number != (slot.form == Form::Scalar) {
            return Err(match number {
                true => text("is no number: it has elements".into()).help("give them with `Arg::slice`"),
                false => text("is a number, and elements are given".into()).help("give it with `.into()`"),
            });
        }
        let given = self.memory.len();
        let shape = self.shape.clone().or_else(|| match &slot.shape[..] {
            [_] => Some(vec![given]),
            _ => slot.static_shape(),
        });
        let shape = shape.ok_or_else(|| {
            text("has a type that leaves sizes open".into()).help("give them with `Arg::shaped`")
        })?;
        if !slot.accepts(&shape) {
            let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
            return Err(text(format!("has another shape than {}, which is given", sizes.join("x"))));
        }
        let made = self.memory.make(slot.elem, &shape);
        made.map(Input::Given).map_err(|error| text(format!("has elements of type {}: {error}", slot.elem)))
    }
}

impl<'a, T: Scalar + 'a> From<T> for Arg<'a> {
    fn from(number: T) -> Arg<'a> {
        Arg::number(number)
    }
}

/// Elements of a type that only their owner knows
trait Elements {
    fn len(&self) -> u64;
    fn make(&self, elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError>;
    fn is_mutable(&self) -> bool {
        false
    }
    fn fill(&mut self, _: &Buffer) {}
}

struct Number<T>(T);
struct Shared<'a, T>(&'a [T]);
struct Mutable<'a, T>(&'a mut [T]);

impl<T: Scalar> Elements for Number<T> {
    fn len(&self) -> u64 {
        1
    }

    fn make(&self, elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        Buffer::from_slice(elem, shape, std::slice::from_ref(&self.0))
    }
}

impl<T: Scalar> Elements for Shared<'_, T> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn make(&self, elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        Buffer::from_slice(elem, shape, self.0)
    }
}

impl<T: Scalar> Elements for Mutable<'_, T> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn make(&self, elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        Buffer::from_slice(elem, shape, self.0)
    }

    fn is_mutable(&self) -> bool {
        true
    }

    fn fill(&mut self, from: &Buffer) {
        // Of the same type and length: it began as these elements.
        if let Some(view) = from.view::<T>().filter(|view| view.len() == self.0.len()) {
            self.0.copy_from_slice(view);
        }
    }
}
