//! Functions as units, and the file as a module.

use crate::ast::{Elem, File, Function, Object};
use crate::codes;
use crate::emit::{Array, Cell, Done, Gen, Hull, Slot};
use crate::extremes::Joint;
use crate::places::FAR;
use crate::value::Val;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, Span};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_builtin::{self as builtin, marks};
use terrace_dialect_func::{self as func, Func};
use terrace_dialect_memref::{self as memref, ReinterpretCast};
use terrace_dialect_scf as scf;
use terrace_ir::{Attr, AttrKind, BlockId, Context, DYNAMIC, Ir, Loc, Type, TypeKind, Value};

/// What a round over a function gives
struct Made {
    unit: Ir,
    found: BTreeMap<String, Hull>,
    overlaps: Vec<(usize, usize)>,
    operators: Vec<Joint>,
    /// As its author declared it
    declared: Attr,
}

/// What stays the same over all rounds
pub struct Job<'a> {
    pub cx: &'a Arc<Context>,
    pub source: SourceId,
    file: &'a File,
    sets: &'a BTreeMap<String, i64>,
}

/// All functions of a file; those that went wrong have been told of
pub fn module(
    cx: &Arc<Context>,
    source: SourceId,
    file: &File,
    sets: &BTreeMap<String, i64>,
    diags: &mut Diags,
) -> Ir {
    let kind = cx.kind_of(builtin::Module::DEF).expect("upstream's dialects are registered");
    let mut module = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
    module.set_source(Some(source));
    let region = module.region(module.root(), 0);
    let block = module.append_block(region);
    let job = Job { cx, source, file, sets };
    let mut joints: Vec<Joint> = Vec::new();
    let mut units = Vec::new();
    for function in &file.functions {
        if function.operator.is_some() || helper(file, function) {
            continue;
        }
        match job.function(function, diags) {
            Ok((all, used)) => {
                units.extend(all);
                joints.extend(used);
            }
            Err(why) => {
                let _ = diags.emit(*why);
            }
        }
    }
    for function in file.functions.iter().filter(|function| function.operator.is_some()) {
        match job.operator(function, diags) {
            Ok(unit) => units.push(unit),
            Err(why) => {
                let _ = diags.emit(*why);
            }
        }
    }
    for (n, joint) in joints.iter().enumerate() {
        if !joints[..n].contains(joint) {
            units.push(job.joint(joint));
        }
    }
    for object in &file.variables {
        match job.content(object) {
            Ok((ty, content)) => crate::globals::define(&mut module, object, ty, content, true),
            Err(why) => {
                let _ = diags.emit(*why);
            }
        }
    }
    for unit in units {
        let op = module.adopt(Box::new(unit));
        module.append(block, op);
    }
    module
}

/// A function of numbers that others call: it is put in place of its calls
fn helper(file: &File, function: &Function) -> bool {
    if !function.params.iter().all(|param| param.dims.is_empty()) {
        return false;
    }
    let mut called = false;
    for other in &file.functions {
        crate::ast::expressions(&other.body, &mut |e| {
            if let crate::ast::ExprKind::Call(name, _) = &e.kind {
                called |= *name == function.name;
            }
        });
    }
    called
}

impl Job<'_> {
    /// A function; two of it and a choice where pointers may overlap
    fn function(&self, function: &Function, diags: &mut Diags) -> Done<(Vec<Ir>, Vec<Joint>)> {
        let open = function.params.iter().any(|param| param.dims.first().is_some_and(Option::is_none));
        let mut hulls = BTreeMap::new();
        if open {
            let mut quiet = Diags::default();
            hulls = self.round(function, false, &hulls, &function.name, &mut quiet)?.found;
        }
        let mut made = self.round(function, false, &hulls, &function.name, diags)?;
        if made.overlaps.is_empty() {
            declare(&mut made.unit, function, made.declared);
            return Ok((vec![made.unit], made.operators));
        }
        let mut quiet = Diags::default();
        let ordered = format!("{}_ordered", function.name);
        let disjoint = format!("{}_disjoint", function.name);
        let ordered_unit = self.round(function, true, &hulls, &ordered, &mut quiet)?;
        let made = self.round(function, false, &hulls, &disjoint, &mut quiet)?;
        let names: Vec<String> = made
            .overlaps
            .iter()
            .map(|(a, b)| {
                let [a, b] = [a, b].map(|n| array_name(self.file, function, *n));
                format!("{a} and {b}")
            })
            .collect();
        let message =
            format!("C-ALIAS: {} may overlap: checked when {} is called", names.join(", "), function.name);
        let remark = Diagnostic::remark(&codes::ALIAS, message).at(function.span);
        let _ =
            diags.emit(remark.help("`restrict`, or `disjoint(…)` in the directive, says that they don't"));
        let mut choice = self.choice(function, &made, &ordered, &disjoint);
        declare(&mut choice, function, made.declared);
        Ok((vec![choice, made.unit, ordered_unit.unit], made.operators))
    }

    /// What a variable of the file is, and what it holds first
    fn content(&self, object: &Object) -> Done<(Type, Attr)> {
        let mut unit = self.unit(&object.name, object.span);
        let Some(block) = unit.entry(unit.region(unit.root(), 0)) else {
            return crate::emit::refuse(&codes::SYNTAX, object.span, "C-SYNTAX: no body");
        };
        let mut quiet = Diags::default();
        Gen::new(&mut unit, block, object.span, self, &mut quiet).content(object)
    }

    pub fn unit(&self, name: &str, at: Span) -> Ir {
        let kind = self.cx.kind_of(func::Func::DEF).expect("upstream's dialects are registered");
        let mut ir = Ir::new_unit(self.cx, kind, 1, Loc::offset(at.start));
        ir.set_source(Some(self.source));
        let root = ir.root();
        let name = self.cx.str_attr(name);
        ir.set_attr(root, "sym_name", Some(name));
        let region = ir.region(root, 0);
        ir.append_block(region);
        ir
    }

    fn round(
        &self,
        function: &Function,
        ordered: bool,
        hulls: &BTreeMap<String, Hull>,
        name: &str,
        diags: &mut Diags,
    ) -> Done<Made> {
        let mut unit = self.unit(name, function.span);
        let root = unit.root();
        let Some(block) = unit.entry(unit.region(root, 0)) else {
            return crate::emit::refuse(&codes::SYNTAX, function.span, "C-SYNTAX: no body");
        };
        let mut generator = Gen::new(&mut unit, block, function.span, self, diags);
        generator.hulls = hulls.clone();
        generator.calls = vec![function.name.clone()];
        (generator.ordered, generator.result) = (ordered, function.result);
        let inputs = generator.parameters(function)?;
        generator.globals(function)?;
        let mut names = crate::ast::declared(&function.body);
        names.extend(function.params.iter().map(|param| param.name.as_str()));
        names.sort_unstable();
        generator.twice =
            names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].to_string()).collect();
        // What the whole file knows is read behind its end.
        generator.live = self.file.variables.iter().map(|object| object.name.clone()).collect();
        generator.statements(&function.body, true)?;
        if !generator.returned {
            if function.result.is_some() {
                let message = format!("C-FLOW: {} may end without a value", function.name);
                return crate::emit::refuse(&codes::FLOW, function.span, message);
            }
            generator.op_id(func::Return::DEF, &[], &[]);
        }
        generator.release();
        let declared = generator.declared(function)?;
        let results: Vec<Type> = match function.result {
            Some(elem) => generator.field_elems(elem).iter().map(|(_, elem)| generator.ty(*elem)).collect(),
            None => Vec::new(),
        };
        let (found, overlaps, operators) = (generator.found, generator.overlaps, generator.joints);
        let records = generator.records;
        sign(&mut unit, &inputs, &results);
        crate::records::describe(&mut unit, inputs.len(), records);
        if function.local || name != function.name {
            let private = self.cx.str_attr("private");
            unit.set_attr(root, "sym_visibility", Some(private));
        }
        Ok(Made { unit, found, overlaps, operators, declared })
    }

    /// An operator: a function of numbers with what it declares
    fn operator(&self, function: &Function, diags: &mut Diags) -> Done<Ir> {
        let mut unit = self.unit(&function.name, function.span);
        let root = unit.root();
        let Some(block) = unit.entry(unit.region(root, 0)) else {
            return crate::emit::refuse(&codes::SYNTAX, function.span, "C-SYNTAX: no body");
        };
        let mut generator = Gen::new(&mut unit, block, function.span, self, diags);
        generator.result = function.result;
        let mut inputs = Vec::new();
        let mut args = Vec::new();
        for param in &function.params {
            if !param.dims.is_empty() {
                let message = format!("C-OPER: operator {} takes an array", function.name);
                return crate::emit::refuse(&codes::OPER, param.span, message);
            }
            let mut values = Vec::new();
            for (field, elem) in generator.field_elems(param.elem) {
                let ty = generator.ty(elem);
                let value = generator.ir.add_block_arg(block, ty);
                let name =
                    if field.is_empty() { param.name.clone() } else { format!("{}.{field}", param.name) };
                generator.name(value, &name);
                inputs.push(ty);
                values.push(value);
            }
            args.push(match param.elem {
                Elem::Struct(n) => Val::Record(n, values),
                elem => Val::One(values[0], elem),
            });
        }
        let n = self.file.functions.iter().position(|other| other.name == function.name).unwrap_or(0);
        let result = generator.inline(n, &args, function.span)?;
        let elem = result.elem();
        let values = match result {
            Val::Record(_, values) => values,
            value => vec![generator.to(&value, elem)],
        };
        let results: Vec<Type> = values.iter().map(|value| generator.ir.ty(*value)).collect();
        generator.op_id(func::Return::DEF, &values, &[]);
        let declared = match &function.operator {
            Some(operator) => generator.declaration(operator, elem)?,
            None => self.cx.common().empty_dict,
        };
        sign(&mut unit, &inputs, &results);
        let private = self.cx.str_attr("private");
        unit.set_attr(root, "sym_visibility", Some(private));
        unit.set_discardable(root, "sched.operator", Some(declared));
        Ok(unit)
    }

    /// Looks at its arguments and calls one of two functions
    fn choice(&self, function: &Function, made: &Made, ordered: &str, disjoint: &str) -> Ir {
        let mut unit = self.unit(&function.name, function.span);
        let root = unit.root();
        let types = Func::cast(&made.unit, made.unit.root()).map(|func| func.types(&made.unit));
        let (inputs, results) = types.map_or((Vec::new(), Vec::new()), |(a, b)| (a.to_vec(), b.to_vec()));
        let old = made.unit.entry(made.unit.region(made.unit.root(), 0));
        let names: Vec<Option<String>> = old.map_or(Vec::new(), |old| {
            made.unit.block_args(old).iter().map(|arg| made.unit.value_name(*arg).map(String::from)).collect()
        });
        let region = unit.region(root, 0);
        let Some(block) = unit.entry(region) else { return unit };
        let mut quiet = Diags::default();
        let mut generator = Gen::new(&mut unit, block, function.span, self, &mut quiet);
        let args: Vec<Value> = inputs.iter().map(|ty| generator.ir.add_block_arg(block, *ty)).collect();
        for (arg, name) in args.iter().zip(&names) {
            if let Some(name) = name {
                generator.name(*arg, name);
            }
        }
        // First argument of each array.
        let mut at = 0;
        let (mut ranges, mut unbounded) = (Vec::new(), Vec::new());
        for param in &function.params {
            let apart = param.dims.is_empty();
            let count = if apart { generator.field_elems(param.elem).len() } else { 1 };
            match (param.dims.is_empty(), self.sets.get(&param.name), param.elem) {
                (true, Some(value), Elem::Int { .. }) => {
                    generator.declare(&param.name, Slot::Number(*value, param.elem));
                }
                (true, None, Elem::Int { .. }) => {
                    let value = Some(Val::One(args[at], param.elem));
                    generator.declare(&param.name, Slot::Temp { value, affine: None, elem: param.elem });
                }
                (true, ..) => {}
                (false, ..) => {
                    // What the author says of sizes holds, whatever the caller's descriptor says.
                    let sizes = generator.sizes(param).unwrap_or_default();
                    let dims: Vec<i64> = sizes.iter().map(|size| size.unwrap_or(DYNAMIC)).collect();
                    let later = sizes.contains(&Some(DYNAMIC));
                    let mut own = args[at..at + count].to_vec();
                    if later && let Ok(cast) = generator.as_declared(param, args[at], &dims) {
                        own[0] = cast;
                    }
                    unbounded.push(later && param.dims[0].is_none());
                    ranges.push(own);
                }
            }
            at += count;
        }
        for object in crate::globals::used(self.file, function) {
            if !object.dims.is_empty() {
                ranges.push(generator.global(object).map_or(Vec::new(), |(memref, _)| vec![memref]));
                unbounded.push(false);
            }
        }
        let mut overlap: Option<Value> = None;
        for (a, b) in &made.overlaps {
            for x in ranges[*a].clone() {
                for y in ranges[*b].clone() {
                    // Of rows whose number nobody says it is not known where they end.
                    let found = match unbounded[*a] || unbounded[*b] {
                        true => generator.to(&Val::Int(1, Elem::INT), Elem::Bool),
                        false => generator.overlap(x, y),
                    };
                    let bit = generator.ir.cx().int(1);
                    overlap = Some(match overlap {
                        Some(before) => generator.op(arith::OrI::DEF, &[before, found], bit),
                        None => found,
                    });
                }
            }
        }
        let Some(overlap) = overlap else { return unit };
        let op = generator.op_id(scf::If::DEF, &[overlap], &results);
        for (n, callee) in [ordered, disjoint].into_iter().enumerate() {
            let region = generator.ir.region(op, n);
            generator.block = generator.ir.append_block(region);
            let callee = generator.ir.cx().symbol_attr(callee);
            let call = func::Call::build(&mut generator.b(), &args, callee, &results);
            let values = call.results(generator.ir);
            generator.op_id(scf::Yield::DEF, &values, &[]);
        }
        generator.block = block;
        let values: Vec<Value> = generator.ir.results(op).collect();
        generator.op_id(func::Return::DEF, &values, &[]);
        sign(&mut unit, &inputs, &results);
        let described = made.unit.attr(made.unit.root(), "arg_attrs");
        unit.set_attr(root, "arg_attrs", described);
        unit
    }
}

/// The function's type
pub fn sign(unit: &mut Ir, inputs: &[Type], results: &[Type]) {
    let cx = unit.cx();
    let ty = cx.type_attr(cx.function(inputs, results));
    let root = unit.root();
    unit.set_attr(root, "function_type", Some(ty));
}

/// Say how the author declared a function, where others see it
fn declare(unit: &mut Ir, function: &Function, declared: Attr) {
    if !function.local {
        let root = unit.root();
        unit.set_discardable(root, marks::C, Some(declared));
    }
}

fn array_name<'f>(file: &'f File, function: &'f Function, n: usize) -> &'f str {
    let own = function.params.iter().chain(crate::globals::used(file, function));
    own.filter(|object| !object.dims.is_empty()).nth(n).map_or("", |object| &object.name)
}

impl<'a> Gen<'a> {
    pub fn new(ir: &'a mut Ir, block: BlockId, at: Span, job: &Job<'a>, diags: &'a mut Diags) -> Gen<'a> {
        Gen {
            ir,
            block,
            loc: Loc::offset(at.start),
            file: job.file,
            sets: job.sets,
            diags,
            scopes: vec![Vec::new()],
            arrays: Vec::new(),
            ivs: Vec::new(),
            gather: Vec::new(),
            cut: Vec::new(),
            hulls: BTreeMap::new(),
            found: BTreeMap::new(),
            body: None,
            calls: Vec::new(),
            inlined: 0,
            joints: Vec::new(),
            operators: Vec::new(),
            disjoint: Vec::new(),
            ordered: false,
            result: None,
            returned: false,
            frees: Vec::new(),
            branches: 0,
            overlaps: Vec::new(),
            split: false,
            around: Vec::new(),
            told: None,
            records: Vec::new(),
            live: BTreeSet::new(),
            made: 0,
            twice: BTreeSet::new(),
        }
    }

    /// Parameters as arguments of the entry block
    fn parameters(&mut self, function: &Function) -> Done<Vec<Type>> {
        let mut inputs = Vec::new();
        let changed = crate::ast::assigned(&function.body);
        // Sizes may be parameters that come later.
        for param in function.params.iter().filter(|param| param.dims.is_empty()) {
            if let (Some(value), Elem::Int { .. }) = (self.sets.get(&param.name), param.elem) {
                self.declare(&param.name, Slot::Number(*value, param.elem));
            }
        }
        for param in &function.params {
            self.set_loc(param.span);
            if param.dims.is_empty() {
                let mut values = Vec::new();
                for (field, elem) in self.field_elems(param.elem) {
                    let ty = self.ty(elem);
                    let value = self.ir.add_block_arg(self.block, ty);
                    let name =
                        if field.is_empty() { param.name.clone() } else { format!("{}.{field}", param.name) };
                    self.name(value, &name);
                    inputs.push(ty);
                    values.push(value);
                }
                if let Some(Slot::Number(..)) = self.lookup(&param.name) {
                    continue;
                }
                let value = match param.elem {
                    Elem::Struct(n) => Val::Record(n, values),
                    elem => Val::One(values[0], elem),
                };
                if changed.contains(&param.name) && !matches!(value, Val::Record(..)) {
                    let stored = self.stored(param.elem);
                    let ty = self.ir.cx().memref(&[], stored);
                    let memref = self.op(memref::Alloca::DEF, &[], ty);
                    let value = self.store_form(&value, param.elem);
                    self.op_id(memref::Store::DEF, &[value, memref], &[]);
                    self.declare(&param.name, Slot::Cell(Cell { memref, elem: param.elem, known: None }));
                    continue;
                }
                self.declare(&param.name, Slot::Temp { value: Some(value), affine: None, elem: param.elem });
                continue;
            }
            let sizes = self.sizes(param)?;
            let open = sizes[0].is_none();
            let first = match (sizes[0], self.hulls.get(&param.name)) {
                (Some(size), _) => size,
                (None, Some(Hull::Least(size))) => *size,
                (None, Some(Hull::Open)) => DYNAMIC,
                (None, None) => FAR,
            };
            let dims: Vec<i64> =
                std::iter::once(first).chain(sizes.iter().skip(1).flatten().copied()).collect();
            let (mut fields, ty) = self.buffer(param, &dims)?;
            inputs.push(ty);
            if !open && dims.contains(&DYNAMIC) || dims[1..].contains(&DYNAMIC) {
                fields = vec![self.as_declared(param, fields[0], &dims)?];
            }
            self.arrays.push(Array {
                name: param.name.clone(),
                elem: param.elem,
                dims,
                fields,
                param: true,
                global: false,
                restrict: param.restrict,
                open,
                root: self.arrays.len(),
            });
            let n = self.arrays.len() - 1;
            self.declare(&param.name, Slot::Array(n));
        }
        Ok(inputs)
    }

    /// A buffer with the sizes that its declaration computes: its rows lie behind each other
    fn as_declared(&mut self, param: &Object, memref: Value, dims: &[i64]) -> Done<Value> {
        if let Elem::Struct(_) = param.elem {
            let message =
                format!("C-BOUND: sizes of {}, an array of structures, must be numbers", param.name);
            return crate::emit::refuse(&codes::BOUND, param.span, message);
        }
        let index = self.ir.cx().common().index;
        let mut sizes = Vec::new();
        for (n, (dim, size)) in param.dims.iter().zip(dims).enumerate() {
            sizes.push(match (dim, *size) {
                (Some(e), DYNAMIC) => {
                    let value = self.expr(e)?;
                    self.number_only(&value, e.span)?;
                    let value = self.to(&value, Elem::Int { bits: 64, signed: true });
                    self.op(arith::IndexCast::DEF, &[value], index)
                }
                (_, DYNAMIC) => {
                    let n = self.index(n as i64);
                    self.op(memref::Dim::DEF, &[memref, n], index)
                }
                (_, size) => self.index(size),
            });
        }
        // Rows of known sizes have strides that are known.
        let (mut strides, mut known) = (Vec::new(), Vec::new());
        let (mut row, mut count) = (self.index(1), Some(1i64));
        for (value, size) in sizes.iter().zip(dims).rev() {
            strides.insert(0, row);
            known.insert(0, count.unwrap_or(DYNAMIC));
            row = self.op(arith::MulI::DEF, &[row, *value], index);
            count = count.filter(|_| *size != DYNAMIC).and_then(|count| count.checked_mul(*size));
        }
        let cx = self.ir.cx_arc().clone();
        let elem = self.stored(param.elem);
        let layout = cx.attr(AttrKind::Strided { strides: known.clone().into(), offset: 0 });
        let ty = cx.ty(TypeKind::MemRef { shape: dims.into(), elem, layout: Some(layout), space: None });
        let open = |values: &[Value], known: &[i64]| -> Vec<Value> {
            values
                .iter()
                .zip(known)
                .filter(|(_, known)| **known == DYNAMIC)
                .map(|(value, _)| *value)
                .collect()
        };
        let (sizes, strides) = (open(&sizes, dims), open(&strides, &known));
        let [at, all, steps] = [&[0][..], dims, &known]
            .map(|list| cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: list.into() }));
        let mut b = self.b();
        let made = ReinterpretCast::build(&mut b, memref, &[], &sizes, &strides, at, all, steps, ty)
            .result(b.read());
        self.name(made, &format!("{}.rows", param.name));
        Ok(made)
    }

    /// Free what the function allocated, in front of its end
    fn release(&mut self) {
        let Some(end) = self.ir.last_op(self.block) else { return };
        for memref in std::mem::take(&mut self.frees) {
            let mut b = terrace_ir::Builder::before(self.ir, end);
            memref::Dealloc::build(&mut b, memref);
        }
    }

    /// Do two buffers share bytes?
    fn overlap(&mut self, a: Value, b: Value) -> Value {
        let index = self.ir.cx().common().index;
        let mut ends = Vec::new();
        for memref in [a, b] {
            let start = self.op(memref::ExtractAlignedPointerAsIndex::DEF, &[memref], index);
            let ty = self.ir.ty(memref);
            let (shape, elem) = (ty.shape(self.ir.cx()).unwrap_or(&[]).to_vec(), ty.element(self.ir.cx()));
            let bytes = elem.and_then(|elem| elem.bit_width(self.ir.cx())).unwrap_or(8).div_ceil(8);
            let mut size = self.index(i64::from(bytes));
            for (n, extent) in shape.iter().enumerate() {
                let extent = match *extent {
                    DYNAMIC => {
                        let n = self.index(n as i64);
                        self.op(memref::Dim::DEF, &[memref, n], index)
                    }
                    extent => self.index(extent),
                };
                size = self.op(arith::MulI::DEF, &[size, extent], index);
            }
            let end = self.op(arith::AddI::DEF, &[start, size], index);
            ends.push((start, end));
        }
        let bit = self.ir.cx().int(1);
        let first = self.compare_ints(CmpIPredicate::Ult, ends[0].0, ends[1].1);
        let second = self.compare_ints(CmpIPredicate::Ult, ends[1].0, ends[0].1);
        self.op(arith::AndI::DEF, &[first, second], bit)
    }

    /// `{associative, …, identity = […]}`
    fn declaration(&mut self, operator: &crate::ast::Operator, elem: Elem) -> Done<Attr> {
        let unit = self.ir.cx().common().unit;
        let mut entries = Vec::new();
        for (word, holds) in [
            ("associative", operator.associative),
            ("commutative", operator.commutative),
            ("exact", operator.exact),
        ] {
            if holds {
                entries.push((self.ir.cx().intern(word), unit));
            }
        }
        if !operator.identity.is_empty() {
            let elems = self.field_elems(elem);
            if elems.len() != operator.identity.len() {
                let message = format!(
                    "C-OPER: {} values as identity of {} fields",
                    operator.identity.len(),
                    elems.len()
                );
                let span = operator.identity[0].span;
                return crate::emit::refuse(&codes::OPER, span, message);
            }
            let mut all = Vec::new();
            for (e, (_, elem)) in operator.identity.iter().zip(&elems) {
                let value = self.expr(e)?;
                match self.number(&value, *elem) {
                    Some(attr) => all.push(attr),
                    None => {
                        return crate::emit::refuse(
                            &codes::OPER,
                            e.span,
                            "C-OPER: an identity is a constant",
                        );
                    }
                }
            }
            let all = self.ir.cx().array_attr(&all);
            entries.push((self.ir.cx().intern("identity"), all));
        }
        Ok(self.ir.cx().dict_attr(entries))
    }
}
