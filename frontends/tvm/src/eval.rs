//! What the statements of a script do: names get values, primitives change stages.

use crate::primitives;
use crate::refusal::{Code, Refusal};
use crate::stage::{Role, Stage, World};
use crate::syntax::{Expr, ExprForm, Stmt, fail};
use crate::values::{Args, Done, Script, Value};
use crate::{Computation, ident};
use std::collections::BTreeMap;
use std::ops::Range;

/// A script with its names
struct Eval<'a> {
    script: Script<'a>,
    names: BTreeMap<String, Value>,
    /// Declarations so far: placeholders, reduced axes
    declared: (usize, usize),
}

/// Run a script
pub(crate) fn run(program: &[Stmt], of: &Computation) -> Done<World> {
    let mut output = Stage::new(&of.outs.first().cloned().unwrap_or_default(), Role::Result, "", 0..0);
    let reduced = (0..of.dims.len()).filter(|dim| !of.dims[*dim].kept);
    for dim in of.axes.iter().copied().chain(reduced) {
        output.root(dim, &of.dims[dim].name, 0..0);
    }
    let mut world = World { stages: vec![output], results: vec![0], grid: false, notes: Vec::new() };
    let mut names = BTreeMap::new();
    for module in ["te", "tvm", "topi", "tir"] {
        names.insert(module.to_owned(), Value::Module(module.to_owned()));
    }
    for name in ["s", "sch"] {
        names.insert(name.to_owned(), Value::Schedule);
    }
    for (n, dim) in of.dims.iter().enumerate() {
        names.insert(ident(&dim.name), Value::Dim(n));
    }
    names.insert(ident(&of.name), Value::Tensor(0));
    for (n, input) in of.ins.iter().enumerate() {
        world.stages.push(Stage::new(&input.name, Role::Given(n), "", 0..0));
        names.insert(ident(&input.name), Value::Tensor(world.stages.len() - 1));
    }
    for out in &of.outs {
        names.insert(ident(out), Value::Tensor(0));
    }
    let mut eval = Eval { script: Script { of, world }, names, declared: (0, 0) };
    for stmt in program {
        eval.statement(stmt)?;
    }
    Ok(eval.script.world)
}

impl Eval<'_> {
    fn statement(&mut self, stmt: &Stmt) -> Done<()> {
        if let Some(value) = self.declaration(stmt)? {
            for (name, _) in &stmt.targets {
                self.names.insert(name.clone(), value.clone());
            }
            return Ok(());
        }
        let value = self.expr(&stmt.value)?;
        if !stmt.unpack {
            for (name, at) in &stmt.targets {
                self.name_it(&value, name, at);
                self.names.insert(name.clone(), value.clone());
            }
            return Ok(());
        }
        let parts = match value {
            Value::Many(parts) => parts,
            // The results of a computation share their stages.
            Value::Tensor(_) if stmt.targets.len() == self.script.of.outs.len() => {
                vec![value; stmt.targets.len()]
            }
            other => vec![other],
        };
        if parts.len() != stmt.targets.len() {
            let refusal =
                Code::Call.because(format!("{} names for {} values", stmt.targets.len(), parts.len()));
            return fail(stmt.value.at.clone(), refusal);
        }
        for ((name, at), part) in stmt.targets.iter().zip(parts) {
            self.name_it(&part, name, at);
            self.names.insert(name.clone(), part);
        }
        Ok(())
    }

    /// Messages speak of axes and stages by the names that the script gives them
    fn name_it(&mut self, value: &Value, name: &str, at: &Range<usize>) {
        match *value {
            Value::Axis(stage, axis) => {
                let axis = &mut self.script.world.stages[stage].axes[axis];
                name.clone_into(&mut axis.name);
                axis.at = at.clone();
            }
            Value::Tensor(stage)
                if matches!(self.script.world.stages[stage].role, Role::Copy(_) | Role::Result) =>
            {
                name.clone_into(&mut self.script.world.stages[stage].name);
            }
            _ => {}
        }
    }

    /// `A = te.placeholder(…)` and the like: the computation is known, the name is one of its own
    fn declaration(&mut self, stmt: &Stmt) -> Done<Option<Value>> {
        let ([(name, at)], ExprForm::Call(callee, _)) = (stmt.targets.as_slice(), &stmt.value.kind) else {
            return Ok(None);
        };
        let ExprForm::Attr(_, word) = &callee.kind else { return Ok(None) };
        let missing = |what: &str| {
            fail(
                at.clone(),
                Code::Name.because(format!(
                    "`{name}` is {what} that the computation `{}` has not",
                    self.script.of.name
                )),
            )
        };
        Ok(Some(match word.as_str() {
            "placeholder" => {
                let known = self.script.of.ins.iter().position(|input| input.name == *name);
                let n = known.unwrap_or(self.declared.0);
                self.declared.0 += 1;
                if n >= self.script.of.ins.len() {
                    return missing("an input");
                }
                Value::Tensor(n + 1)
            }
            "reduce_axis" => {
                let reduced: Vec<usize> =
                    (0..self.script.of.dims.len()).filter(|dim| !self.script.of.dims[*dim].kept).collect();
                let named = reduced.iter().copied().find(|dim| self.script.of.dims[*dim].name == *name);
                let dim = named.or(reduced.get(self.declared.1).copied());
                self.declared.1 += 1;
                match dim {
                    Some(dim) => Value::Dim(dim),
                    None => return missing("a reduced axis"),
                }
            }
            "compute" => Value::Tensor(0),
            _ => return Ok(None),
        }))
    }

    fn expr(&mut self, expr: &Expr) -> Done<Value> {
        let at = || expr.at.clone();
        Ok(match &expr.kind {
            ExprForm::Int(number) => Value::Int(*number),
            ExprForm::Str(text) => Value::Str(text.clone()),
            ExprForm::Word(_) => Value::Word,
            ExprForm::Lambda(names, body) => Value::Lambda(names.clone(), body.clone()),
            ExprForm::Name(name) => match self.names.get(name) {
                Some(value) => value.clone(),
                None => return fail(at(), self.unknown(name)),
            },
            ExprForm::Many(all) => {
                Value::Many(all.iter().map(|one| self.expr(one)).collect::<Done<Vec<_>>>()?)
            }
            ExprForm::Attr(object, name) => {
                let value = self.expr(object)?;
                self.attribute(value, name, at())?
            }
            ExprForm::Index(object, index) => {
                let (value, index) = (self.expr(object)?, self.expr(index)?);
                match self.element(value, &index) {
                    Ok(element) => element,
                    Err(refusal) => return fail(at(), refusal),
                }
            }
            ExprForm::Binary(operator, left, right) => {
                match (operator.as_str(), self.expr(left)?, self.expr(right)?) {
                    ("+", Value::Many(a), Value::Many(b)) => Value::Many([a, b].concat()),
                    (operator, Value::Int(a), Value::Int(b)) => {
                        let number = match operator {
                            "+" => a.checked_add(b),
                            "-" => a.checked_sub(b),
                            "*" => a.checked_mul(b),
                            "//" if b > 0 => Some(a.div_euclid(b)),
                            "%" if b > 0 => Some(a.rem_euclid(b)),
                            _ => None,
                        };
                        match number {
                            Some(number) => Value::Int(number),
                            None => {
                                return fail(
                                    at(),
                                    Code::Call.because(format!("`{operator}` of these numbers")),
                                );
                            }
                        }
                    }
                    (_, a, b) => {
                        return fail(
                            at(),
                            Code::Call.because(format!("`{operator}` of {} and {}", a.what(), b.what())),
                        );
                    }
                }
            }
            ExprForm::Call(callee, args) => return self.call(callee, args, at()),
        })
    }

    /// `value[index]`: a stage of the schedule, or one of several
    fn element(&self, value: Value, index: &Value) -> Result<Value, Refusal> {
        match (&value, index) {
            (Value::Schedule, Value::Tensor(stage) | Value::Op(stage)) => {
                let of = &self.script.world.stages[*stage];
                if let Role::Given(_) = of.role {
                    return Err(Code::Call.because(format!("`{}` is an input: it has no loops", of.name)));
                }
                Ok(Value::Stage(*stage))
            }
            (Value::Many(all), Value::Int(n)) => {
                let place = if *n < 0 { *n + all.len() as i64 } else { *n };
                let found = usize::try_from(place).ok().and_then(|n| all.get(n)).cloned();
                let none = || Code::Name.because(format!("there is no number {n}; there are {}", all.len()));
                found.ok_or_else(none)
            }
            (Value::Tensor(_), Value::Int(0)) => Ok(value),
            _ => Err(Code::Call.because(format!("{} of {}", index.what(), value.what()))),
        }
    }

    fn unknown(&self, name: &str) -> Refusal {
        let near: Vec<&str> =
            self.names.keys().map(String::as_str).filter(|known| distance(known, name) <= 1).collect();
        match near.first() {
            Some(near) => Code::Name.because(format!("nothing is called `{name}`; `{near}` is")),
            None => Code::Name.because(format!("nothing is called `{name}`")),
        }
    }

    fn attribute(&mut self, value: Value, name: &str, at: Range<usize>) -> Done<Value> {
        Ok(match (&value, name) {
            (Value::Tensor(stage) | Value::Stage(stage), "op") => Value::Op(*stage),
            (Value::Op(stage), "axis") => {
                let stage = *stage;
                let own = &self.script.world.stages[stage];
                let kept = |dim: usize| own.role != Role::Result || self.script.of.dims[dim].kept;
                let axes = own.roots.iter().filter(|(dim, _)| kept(*dim));
                // The part that a stage of `rfactor` computes stands in front.
                let axes = own.units.iter().chain(axes);
                Value::Many(axes.map(|(_, axis)| Value::Axis(stage, *axis)).collect())
            }
            (Value::Op(stage), "reduce_axis") => {
                let own = &self.script.world.stages[*stage];
                if own.role != Role::Result {
                    return fail(
                        at,
                        Code::Name.because(format!("`{}` is a copy: it has no reduced axis", own.name)),
                    );
                }
                if let Some(axes) = &own.reduced {
                    let axes = axes.iter().map(|axis| Value::Axis(*stage, *axis));
                    return Ok(Value::Many(axes.collect()));
                }
                // Of a stage that gave away what computes, these are the axes that it had.
                let all =
                    (0..self.script.of.dims.len()).filter(|dim| !self.script.of.dims[*dim].kept).map(|dim| {
                        let root = own.roots.iter().find(|(own, _)| *own == dim);
                        root.map_or(Value::Dim(dim), |(_, axis)| Value::Axis(*stage, *axis))
                    });
                Value::Many(all.collect())
            }
            (Value::Module(_), name) => Value::Module(name.to_owned()),
            _ => return fail(at, Code::Name.because(format!("{} has no `{name}`", value.what()))),
        })
    }

    fn call(&mut self, callee: &Expr, args: &[(Option<String>, Expr)], at: Range<usize>) -> Done<Value> {
        let mut given = Args { positional: Vec::new(), keywords: Vec::new(), at: at.clone() };
        for (name, arg) in args {
            let value = self.expr(arg)?;
            match name {
                Some(name) => given.keywords.push((name.clone(), value, arg.at.clone())),
                None => given.positional.push((value, arg.at.clone())),
            }
        }
        match &callee.kind {
            ExprForm::Name(name) if matches!(name.as_str(), "tuple" | "list") => {
                let (value, at) = given.take(0, "", "of what?")?;
                match value {
                    Value::Many(_) => Ok(value),
                    other => fail(at, Code::Call.because(format!("{} is no list", other.what()))),
                }
            }
            ExprForm::Name(name) => fail(
                callee.at.clone(),
                Code::Call.because(format!("there is no function `{name}` in scripts")),
            ),
            ExprForm::Attr(object, name) => {
                let value = self.expr(object)?;
                match value {
                    Value::Module(_) => self.module(name, given, callee.at.clone()),
                    Value::Op(stage) if name == "output" => Ok(Value::Tensor(stage)),
                    Value::Schedule => primitives::of_schedule(&mut self.script, name, given),
                    Value::Stage(stage) => primitives::of_stage(&mut self.script, stage, name, given),
                    other => fail(at, Code::Call.because(format!("{} has no `{name}`", other.what()))),
                }
            }
            _ => fail(callee.at.clone(), Code::Call.because("this cannot be called")),
        }
    }

    fn module(&mut self, name: &str, mut args: Args, at: Range<usize>) -> Done<Value> {
        match name {
            "create_schedule" => Ok(Value::Schedule),
            "thread_axis" => {
                // `thread_axis("threadIdx.x")`, `thread_axis((0, 8), "vthread")`
                let tag = args
                    .positional
                    .drain(..)
                    .map(|(value, _)| value)
                    .chain(args.keywords.drain(..).map(|(_, value, _)| value))
                    .find_map(|value| match value {
                        Value::Str(text) => Some(text),
                        _ => None,
                    });
                match tag {
                    Some(tag) => Ok(Value::Thread(tag)),
                    None => {
                        fail(at, Code::Call.because("`thread_axis` takes a tag, such as \"threadIdx.x\""))
                    }
                }
            }
            _ => fail(at, Code::Call.because(format!("there is no function `{name}` in scripts"))),
        }
    }
}

/// Letters that differ, are missing or are too much; counted up to 2
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a.len(), b.len()) {
        (0, n) | (n, 0) => n.min(2),
        (n, m) if n == m => usize::from(a[1..] != b[1..]) + 1,
        (n, m) if n == m + 1 => usize::from(a[1..] != *b) + 1,
        (n, m) if n + 1 == m => usize::from(*a != b[1..]) + 1,
        _ => 2,
    }
}
