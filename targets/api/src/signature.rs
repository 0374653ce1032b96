//! What an entry function takes and gives, by name.
//!
//! A name is the `terrace.name` attribute, else the printed name (of a result: of the value returned), else the position.
//! Two slots of one name are distinguished by position only.

use crate::codes;
use terrace_diag::Diagnostic;
use terrace_dialect_builtin::marks;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, DYNAMIC, FloatKind, Ir, Traits, Type, TypeKind};
use terrace_runtime_buffers::ElemType;

/// How a slot holds its elements
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One number
    Scalar,
    /// A tensor or vector: a value
    Value,
    /// A functional array: a value of values
    Array,
    /// Memory
    MemRef,
}

/// An argument or a result
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its name, if it has one
    pub name: Option<String>,
    /// How it holds its elements
    pub form: Form,
    /// Type of its elements
    pub elem: ElemType,
    /// `DYNAMIC` where the type leaves a size open
    pub shape: Vec<i64>,
    /// Its type in the IR
    pub ty: Type,
    /// Its elements are integers from 0 to below this number
    pub below: Option<i64>,
    /// None of its elements is infinite or NaN
    pub finite: bool,
}

/// Arguments and results of a function
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Name of the function
    pub entry: String,
    /// Its arguments
    pub params: Vec<Slot>,
    /// Its results
    pub results: Vec<Slot>,
}

/// The unit of the entry function: the one named, else the only one that is public and has a body
pub fn find<'a>(root: &'a Ir, entry: Option<&str>) -> Result<(&'a Ir, String), Diagnostic> {
    let mut functions: Vec<(&Ir, String)> = Vec::new();
    for region in root.regions(root.root()) {
        for op in root.blocks(region).flat_map(|block| root.block_ops(block)) {
            let Some(unit) = root.child(op).filter(|unit| unit.has(unit.root(), Traits::FunctionLike)) else {
                continue;
            };
            if let Some(name) = symbol_name(unit, unit.root()) {
                functions.push((unit, unit.cx().str(name).to_string()));
            }
        }
    }
    let has_body = |unit: &Ir| unit.regions(unit.root()).any(|region| unit.entry(region).is_some());
    if let Some(entry) = entry {
        let wanted = entry.strip_prefix('@').unwrap_or(entry);
        let names: Vec<&str> = functions.iter().map(|(_, name)| name.as_str()).collect();
        let close = terrace_diag::nearest(wanted, names.iter().copied());
        let known = format!("there are @{}", names.join(", @"));
        return match functions.iter().position(|(_, name)| name == wanted) {
            Some(at) if has_body(functions[at].0) => Ok(functions.swap_remove(at)),
            Some(_) => Err(Diagnostic::error(&codes::ENTRY, format!("function @{wanted} has no body"))),
            None => {
                let error = Diagnostic::error(&codes::ENTRY, format!("there is no function @{wanted}"));
                Err(match close {
                    Some(close) => error.help(format!("did you mean @{close}?")),
                    None if names.is_empty() => error,
                    None => error.help(known),
                })
            }
        };
    }
    let private = |unit: &Ir| {
        unit.attr(unit.root(), "sym_visibility").and_then(|attr| attr.as_str(unit.cx())) == Some("private")
    };
    functions.retain(|(unit, _)| has_body(unit) && !private(unit));
    match functions.len() {
        1 => Ok(functions.remove(0)),
        0 => Err(Diagnostic::error(&codes::ENTRY, "the file has no public function with a body")),
        _ => {
            let names: Vec<String> = functions.iter().map(|(_, name)| format!("@{name}")).collect();
            let error = Diagnostic::error(&codes::ENTRY, "the file has several public functions");
            Err(error.help(format!("choose one with --entry: {}", names.join(", "))))
        }
    }
}

impl Signature {
    /// Of a function
    pub fn of(unit: &Ir, entry: String) -> Result<Signature, Diagnostic> {
        let cx = unit.cx();
        let op = unit.root();
        let ty = unit.attr(op, "function_type").and_then(|attr| attr.as_type(cx));
        let Some((inputs, outputs)) = ty.and_then(|ty| ty.as_function(cx)) else {
            return Err(Diagnostic::error(&codes::ENTRY, format!("@{entry} has no function type")));
        };
        let body = unit.regions(op).next().and_then(|body| unit.entry(body));
        let args = body.map(|body| unit.block_args(body)).unwrap_or_default();
        let mark = |list: &str, n: usize, mark: &str| -> Option<Attr> {
            let dict: Attr = *unit.attr(op, list)?.as_array(cx)?.get(n)?;
            terrace_ir::attrs::dict_get(cx, dict.as_dict(cx)?, mark)
        };
        let given = |list: &str, n: usize| -> Option<String> {
            Some(mark(list, n, marks::NAME)?.as_str(cx)?.to_string())
        };
        let mut params = Vec::new();
        for (n, ty) in inputs.iter().enumerate() {
            let printed = || args.get(n).and_then(|arg| unit.value_name(*arg)).map(String::from);
            let slot = slot(unit, given("arg_attrs", n).or_else(printed), *ty, &format!("argument {n}"))?;
            let below =
                mark("arg_attrs", n, marks::BELOW).and_then(|bound| i64::try_from(bound.as_int(cx)?.0).ok());
            // Of no number at all nothing could be given.
            let below = below.filter(|below| *below > 0);
            let finite = mark("arg_attrs", n, marks::FINITE).is_some();
            params.push(Slot { below, finite, ..slot });
        }
        let returned = body.and_then(|_| {
            let region = unit.regions(op).next()?;
            unit.last_op(unit.single_block(region)?)
        });
        let mut results = Vec::new();
        for (n, ty) in outputs.iter().enumerate() {
            let value = returned.filter(|op| n < unit.num_operands(*op)).map(|op| unit.operand(op, n));
            let printed = || value.and_then(|value| unit.value_name(value)).map(String::from);
            results.push(slot(unit, given("res_attrs", n).or_else(printed), *ty, &format!("result {n}"))?);
        }
        Ok(Signature { entry, params, results })
    }

    /// The argument that a name or a position means
    pub fn param(&self, name: &str) -> Result<usize, Diagnostic> {
        self.among(name, &self.params).ok_or_else(|| self.unknown(name, "argument", &[&self.params]))
    }

    /// The result, else the argument that a name or a position means
    pub fn output(&self, name: &str) -> Result<SlotId, Diagnostic> {
        let result = self.among(name, &self.results).map(SlotId::Result);
        let found = result.or_else(|| self.among(name, &self.params).map(SlotId::Param));
        let found =
            found.ok_or_else(|| self.unknown(name, "result or argument", &[&self.results, &self.params]))?;
        match found {
            SlotId::Param(n) if self.params[n].form != Form::MemRef => {
                let message = format!("argument `{name}` is a value: it cannot be written");
                Err(Diagnostic::error(&codes::ARGUMENT, message))
            }
            found => Ok(found),
        }
    }

    /// Name of a slot for messages
    pub fn name_of(&self, slot: SlotId) -> String {
        match slot {
            SlotId::Param(n) => display(&self.params, n),
            SlotId::Result(n) => display(&self.results, n),
        }
    }

    fn among(&self, name: &str, slots: &[Slot]) -> Option<usize> {
        let bare = name.strip_prefix('%').unwrap_or(name);
        let mut named = (0..slots.len()).filter(|n| slots[*n].name.as_deref() == Some(bare));
        match (named.next(), named.next()) {
            (Some(n), None) => Some(n),
            _ => bare.parse().ok().filter(|n| *n < slots.len()),
        }
    }

    fn unknown(&self, name: &str, what: &str, lists: &[&Vec<Slot>]) -> Diagnostic {
        let error = Diagnostic::error(&codes::ARGUMENT, format!("@{} has no {what} `{name}`", self.entry));
        let names: Vec<String> =
            lists.iter().flat_map(|list| (0..list.len()).map(|n| display(list, n))).collect();
        match names.is_empty() {
            true => error,
            false => error.help(format!("it has {}", names.join(", "))),
        }
    }
}

/// An argument or a result, by position
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotId {
    /// This argument
    Param(usize),
    /// This result
    Result(usize),
}

/// Name of a slot for messages
pub fn display(slots: &[Slot], n: usize) -> String {
    slots[n].name.clone().unwrap_or_else(|| n.to_string())
}

fn slot(unit: &Ir, name: Option<String>, ty: Type, what: &str) -> Result<Slot, Diagnostic> {
    let cx = unit.cx();
    let refuse = |why: &str| {
        let text = terrace_ir::show::type_text(cx, ty);
        Diagnostic::error(&codes::RUN_TYPE, format!("{what} has type {text}: {why}"))
    };
    if let Some((shape, inside)) = crate::arrays::shape(unit, ty) {
        let elem = elem_type(unit, inside)
            .ok_or_else(|| refuse("arrays of numbers and vectors can be given and taken"))?;
        return Ok(Slot { name, form: Form::Array, elem, shape, ty, below: None, finite: false });
    }
    let (form, shape) = match ty.kind(cx) {
        TypeKind::Tensor { shape, .. } => (Form::Value, shape.to_vec()),
        TypeKind::Vector { shape, scalable: 0, .. } => (Form::Value, shape.to_vec()),
        TypeKind::MemRef { shape, layout: None, .. } => (Form::MemRef, shape.to_vec()),
        TypeKind::MemRef { .. } => return Err(refuse("arrays are given in row-major layout only")),
        TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_) => (Form::Scalar, Vec::new()),
        _ => return Err(refuse("numbers, tensors, vectors and memrefs can be given and taken")),
    };
    let elem = elem_type(unit, ty.scalar(cx)).ok_or_else(|| refuse("arrays hold no such elements"))?;
    Ok(Slot { name, form, elem, shape, ty, below: None, finite: false })
}

fn elem_type(unit: &Ir, ty: Type) -> Option<ElemType> {
    match ty.kind(unit.cx()) {
        TypeKind::Index => Some(ElemType::Index),
        TypeKind::Int { width, .. } => ElemType::from_name(&format!("i{width}")),
        TypeKind::Float(FloatKind::BF16) => Some(ElemType::BF16),
        TypeKind::Float(FloatKind::F16) => Some(ElemType::F16),
        TypeKind::Float(FloatKind::F32) => Some(ElemType::F32),
        TypeKind::Float(FloatKind::F64) => Some(ElemType::F64),
        _ => None,
    }
}

impl Slot {
    /// Do these sizes fit the type?
    pub fn accepts(&self, shape: &[u64]) -> bool {
        shape.len() == self.shape.len()
            && shape
                .iter()
                .zip(&self.shape)
                .all(|(have, want)| *want == DYNAMIC || i64::try_from(*have) == Ok(*want))
    }

    /// Sizes, if the type knows them all
    pub fn static_shape(&self) -> Option<Vec<u64>> {
        self.shape.iter().map(|size| u64::try_from(*size).ok()).collect()
    }
}
