//! Functions as units, and the file as a module.

use crate::ast::{Elem, ExprKind, File, Function, Object, declared, expressions};
use crate::codes;
use crate::computation::Joint;
use crate::lowering::Lowering;
use crate::reach::Hull;
use crate::refusal::Done;
use crate::value::Val;
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, Span};
use terrace_dialect_builtin as builtin;
use terrace_dialect_builtin::marks;
use terrace_dialect_func as func;
use terrace_dialect_func::Func;
use terrace_dialect_mdh::operator;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, Context, Ir, Loc, Type, Value};

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
    pub file: &'a File,
    pub sets: &'a BTreeMap<String, i64>,
}

/// All functions of a file; errors have been reported
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
        expressions(&other.body, &mut |e| {
            if let ExprKind::Call(name, _) = &e.kind {
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
            return crate::refusal::refuse(&codes::SYNTAX, object.span, "C-SYNTAX: no body");
        };
        let mut quiet = Diags::default();
        Lowering::new(&mut unit, block, object.span, self.file, self.sets, &mut quiet).content(object)
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
            return crate::refusal::refuse(&codes::SYNTAX, function.span, "C-SYNTAX: no body");
        };
        let mut lowering = Lowering::new(&mut unit, block, function.span, self.file, self.sets, diags);
        lowering.reach.known = hulls.clone();
        lowering.calls.within = vec![function.name.clone()];
        (lowering.enclosing.ordered, lowering.function.result) = (ordered, function.result);
        let inputs = lowering.parameters(function)?;
        lowering.globals(function)?;
        let mut names = declared(&function.body);
        names.extend(function.params.iter().map(|param| param.name.as_str()));
        names.sort_unstable();
        lowering.function.twice =
            names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].to_string()).collect();
        // What the whole file knows is read behind its end.
        lowering.enclosing.live = self.file.variables.iter().map(|object| object.name.clone()).collect();
        lowering.statements(&function.body, true)?;
        if !lowering.function.returned {
            if function.result.is_some() {
                let message = format!("C-FLOW: {} may end without a value", function.name);
                return crate::refusal::refuse(&codes::FLOW, function.span, message);
            }
            lowering.emit.op_id(func::Return::DEF, &[], &[]);
        }
        lowering.release();
        let declared = lowering.declared(function)?;
        let results: Vec<Type> = match function.result {
            Some(elem) => {
                lowering.names.field_elems(elem).iter().map(|(_, elem)| lowering.emit.ty(*elem)).collect()
            }
            None => Vec::new(),
        };
        let (found, overlaps, operators) = (lowering.reach.found, lowering.overlaps.pairs, lowering.joints);
        let (records, alone) = (lowering.function.records, lowering.function.alone);
        sign(&mut unit, &inputs, &results);
        crate::records::describe(&mut unit, inputs.len(), records, &alone);
        if function.local || name != function.name {
            let private = self.cx.str_attr("private");
            unit.set_attr(root, "sym_visibility", Some(private));
        }
        Ok(Made { unit, found, overlaps, operators, declared })
    }

    /// An operator: a function of numbers with what it declares
    pub fn operator(&self, function: &Function, diags: &mut Diags) -> Done<Ir> {
        let mut unit = self.unit(&function.name, function.span);
        let root = unit.root();
        let Some(block) = unit.entry(unit.region(root, 0)) else {
            return crate::refusal::refuse(&codes::SYNTAX, function.span, "C-SYNTAX: no body");
        };
        let mut lowering = Lowering::new(&mut unit, block, function.span, self.file, self.sets, diags);
        lowering.function.result = function.result;
        let mut inputs = Vec::new();
        let mut args = Vec::new();
        for param in &function.params {
            if !param.dims.is_empty() {
                let message = format!("C-OPER: operator {} takes an array", function.name);
                return crate::refusal::refuse(&codes::OPER, param.span, message);
            }
            let mut values = Vec::new();
            for (field, elem) in lowering.names.field_elems(param.elem) {
                let ty = lowering.emit.ty(elem);
                let value = lowering.emit.ir.add_block_arg(block, ty);
                let name =
                    if field.is_empty() { param.name.clone() } else { format!("{}.{field}", param.name) };
                lowering.emit.name(value, &name);
                inputs.push(ty);
                values.push(value);
            }
            args.push(match param.elem {
                Elem::Struct(n) => Val::Record(n, values),
                elem => Val::One(values[0], elem),
            });
        }
        let n = self.file.functions.iter().position(|other| other.name == function.name).unwrap_or(0);
        let result = lowering.inline(n, &args, function.span)?;
        let elem = result.elem();
        let values = match result {
            Val::Record(_, values) => values,
            value => vec![lowering.emit.to(&value, elem)],
        };
        let results: Vec<Type> = values.iter().map(|value| lowering.emit.ir.ty(*value)).collect();
        lowering.emit.op_id(func::Return::DEF, &values, &[]);
        let declared = match &function.operator {
            Some(operator) => lowering.declaration(operator, elem)?,
            None => self.cx.common().empty_dict,
        };
        sign(&mut unit, &inputs, &results);
        let private = self.cx.str_attr("private");
        unit.set_attr(root, "sym_visibility", Some(private));
        unit.set_discardable(root, operator::DECLARED, Some(declared));
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
        let mut lowering = Lowering::new(&mut unit, block, function.span, self.file, self.sets, &mut quiet);
        let args: Vec<Value> = inputs.iter().map(|ty| lowering.emit.ir.add_block_arg(block, *ty)).collect();
        for (arg, name) in args.iter().zip(&names) {
            if let Some(name) = name {
                lowering.emit.name(*arg, name);
            }
        }
        let memory = lowering.memory(function, &args);
        let Some(test) = lowering.emit.any_overlap(&made.overlaps, &memory) else { return unit };
        let values = lowering.emit.call_either(test, [ordered, disjoint], &args, &results);
        lowering.emit.op_id(func::Return::DEF, &values, &[]);
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

impl Lowering<'_> {
    /// Free what the function allocated, in front of its end
    fn release(&mut self) {
        let Some(end) = self.emit.ir.last_op(self.emit.block) else { return };
        for memref in std::mem::take(&mut self.function.frees) {
            let mut b = terrace_ir::Builder::before(self.emit.ir, end);
            memref::Dealloc::build(&mut b, memref);
        }
    }

    /// `{associative, …, identity = […]}`
    fn declaration(&mut self, operator: &crate::ast::Operator, elem: Elem) -> Done<Attr> {
        let unit = self.emit.ir.cx().common().unit;
        let mut entries = Vec::new();
        for (word, holds) in [
            ("associative", operator.associative),
            ("commutative", operator.commutative),
            ("exact", operator.exact),
        ] {
            if holds {
                entries.push((self.emit.ir.cx().intern(word), unit));
            }
        }
        if !operator.identity.is_empty() {
            let elems = self.names.field_elems(elem);
            if elems.len() != operator.identity.len() {
                let message = format!(
                    "C-OPER: {} values as identity of {} fields",
                    operator.identity.len(),
                    elems.len()
                );
                let span = operator.identity[0].span;
                return crate::refusal::refuse(&codes::OPER, span, message);
            }
            let mut all = Vec::new();
            for (e, (_, elem)) in operator.identity.iter().zip(&elems) {
                let value = self.expr(e)?;
                match self.emit.number(&value, *elem) {
                    Some(attr) => all.push(attr),
                    None => {
                        return crate::refusal::refuse(
                            &codes::OPER,
                            e.span,
                            "C-OPER: an identity is a constant",
                        );
                    }
                }
            }
            let all = self.emit.ir.cx().array_attr(&all);
            entries.push((self.emit.ir.cx().intern("identity"), all));
        }
        Ok(self.emit.ir.cx().dict_attr(entries))
    }
}
