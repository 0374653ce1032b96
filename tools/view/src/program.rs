//! A program with one computation in sight: load it, look at the computation, attach schedules to it.

use crate::document::{Buffer, Document};
use crate::{reading, script, tree};
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Span};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::scatter::SCATTER;
use terrace_dialect_mdh::schedule::{self, OpenSchedule, SCHEDULE};
use terrace_dialect_mdh::taps::ROLLED;
use terrace_ir::symbols::symbol_name;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir, OpId, TypeKind};
use terrace_opt::{Tool, codes};
use terrace_pass::{Instrument, Pipeline};
use terrace_text::PrintOptions;

/// A program and the name of the computation that is meant
pub struct Program {
    ir: Box<Ir>,
    compute: Option<String>,
}

impl Program {
    /// Read in the language that the file's name says, with these sizes and types from outside; verify. `None` if that failed with
    /// messages
    pub fn load(
        cx: &Arc<Context>,
        file: &str,
        compute: Option<&str>,
        sets: &[(String, String)],
        diags: &mut Diags,
    ) -> Result<Option<Program>, Diagnostic> {
        let content = terrace_opt::read_program(file, None)?;
        let name = if file == "-" { "<stdin>" } else { file };
        let Some(read) = terrace_opt::language::load(
            cx,
            name,
            content,
            None,
            sets,
            &terrace_text::ParseOptions::default(),
            diags,
        ) else {
            return Ok(None);
        };
        let ir = read.ir;
        if !diags.has_errors() {
            diags.append(verify(&ir, 1));
        }
        let program = Program { ir: Box::new(ir), compute: compute.map(String::from) };
        Ok(Some(program).filter(|_| !diags.has_errors()))
    }

    /// The whole module
    pub fn ir(&self) -> &Ir {
        &self.ir
    }

    /// Names of all computations, in the order of the text
    pub fn computations(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut units = VecDeque::from([&*self.ir]);
        while let Some(unit) = units.pop_front() {
            for op in unit.walk() {
                units.extend(unit.child(op));
                if let Some(op) = Compute::cast(unit, op) {
                    let own = op.name(unit).and_then(|attr| attr.as_str(unit.cx()));
                    names.push(own.unwrap_or("compute").to_owned());
                }
            }
        }
        names
    }

    /// The unit of the computation, and the computation; refused if the name does not tell which
    pub fn find(&self) -> Result<(&Ir, Compute), Diagnostic> {
        self.path().map(|(_, unit, op)| (unit, op))
    }

    /// What there is to see of the computation
    pub fn document(&self) -> Result<Document, Diagnostic> {
        let (unit, op) = self.find()?;
        Document::of(unit, op).map_err(fail)
    }

    /// With another schedule
    pub fn with(&self, draft: &OpenSchedule) -> Result<Program, Diagnostic> {
        self.put(Some(draft))
    }

    fn put(&self, draft: Option<&OpenSchedule>) -> Result<Program, Diagnostic> {
        let (path, _, op) = self.path()?;
        let mut ir = self.ir.clone_unit();
        let attr = draft.map(|draft| schedule::to_attr(ir.cx(), &draft.steps));
        let mut unit: &mut Ir = &mut ir;
        for op in path {
            unit = unit.child_mut(op).ok_or_else(|| fail("the computation stands in no unit of its own"))?;
        }
        unit.set_attr(op.id(), SCHEDULE, attr);
        // What followed from the schedule before; an empty one is the author's "not here".
        for name in [ROLLED, SCATTER] {
            let dims = unit.discardable(op.id(), name).and_then(|attr| attr.as_dense_array(unit.cx()));
            if dims.is_some_and(|dims| !dims.is_empty()) {
                unit.set_attr(op.id(), name, None);
            }
        }
        Ok(Program { ir, compute: self.compute.clone() })
    }

    /// Without the schedule attached to the computation
    pub fn without_schedule(&self) -> Result<Program, Diagnostic> {
        self.put(None)
    }

    /// The function of the computation: its name, how many arguments it takes, and the positions of what it gives: of its results,
    /// else of its arguments in memory
    pub fn function(&self) -> Result<(String, usize, Vec<usize>), Diagnostic> {
        let (unit, _) = self.find()?;
        let cx = unit.cx();
        let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
        let name = symbol_name(unit, unit.root()).map(|name| cx.str(name).to_string());
        let (Some(name), Some(TypeKind::Function { inputs, results })) = (name, ty.map(|ty| ty.kind(cx)))
        else {
            return Err(fail("the computation stands in no function"));
        };
        let memory = |n: &usize| matches!(inputs[*n].kind(cx), TypeKind::MemRef { .. });
        let outputs = match results.len() {
            0 => (0..inputs.len()).filter(memory).collect(),
            n => (0..n).collect(),
        };
        Ok((name, inputs.len(), outputs))
    }

    /// The function of a name
    pub fn unit(&self, name: &str) -> Option<&Ir> {
        let mut pending = vec![&*self.ir];
        while let Some(unit) = pending.pop() {
            let own = symbol_name(unit, unit.root()).map(|name| unit.cx().str(name));
            if own.is_some_and(|own| own == name) {
                return Some(unit);
            }
            pending.extend(unit.walk().filter_map(|op| unit.child(op)));
        }
        None
    }

    /// Run a pipeline and verify; `None` if that failed with messages
    pub fn lower(&mut self, tool: Tool, text: &str, diags: &mut Diags) -> Option<()> {
        let sources = self.ir.cx_arc().clone();
        let pipeline = Pipeline::parse(text, &tool.registry, sources.sources(), diags).ok()?;
        let (report, result) = terrace_pass::run(&mut self.ir, &pipeline, &Instrument::quiet(print));
        diags.append(report.diags);
        result.ok()?;
        diags.append(verify(&self.ir, 1));
        (!diags.has_errors()).then_some(())
    }

    /// Where several computations might be meant: the one with the most points, the first of several; by its name
    pub fn at_largest(&self) -> Program {
        let mut largest: Option<(i64, String)> = None;
        let mut pending = vec![&*self.ir];
        while let Some(unit) = pending.pop() {
            for op in unit.walk() {
                pending.extend(unit.child(op));
                let Some(op) = Compute::cast(unit, op) else { continue };
                let Some(name) = op.name(unit).and_then(|attr| attr.as_str(unit.cx())) else { continue };
                let Ok(document) = Document::of(unit, op) else { continue };
                let points = document.dims.iter().fold(1i64, |all, dim| all.saturating_mul(dim.size));
                if largest.as_ref().is_none_or(|(most, _)| points > *most) {
                    largest = Some((points, name.to_owned()));
                }
            }
        }
        let compute = match (&self.compute, self.find()) {
            (known, Ok(_)) => known.clone(),
            (known, Err(_)) => largest.map(|(_, name)| name).or_else(|| known.clone()),
        };
        Program { ir: self.ir.clone_unit(), compute }
    }

    /// As text
    pub fn print(&self) -> String {
        print(&self.ir)
    }

    /// The ops whose units lead to the computation, its unit, itself
    fn path(&self) -> Result<(Vec<OpId>, &Ir, Compute), Diagnostic> {
        let mut names = Vec::new();
        let mut found = Vec::new();
        let mut pending = vec![(Vec::new(), &*self.ir)];
        while let Some((path, unit)) = pending.pop() {
            for op in unit.walk() {
                if let Some(child) = unit.child(op) {
                    pending.push(([path.as_slice(), &[op]].concat(), child));
                } else if let Some(op) = Compute::cast(unit, op) {
                    let own = op.name(unit).and_then(|attr| attr.as_str(unit.cx())).unwrap_or("compute");
                    names.push(format!("`{own}`"));
                    if self.compute.as_deref().is_none_or(|name| name == own) {
                        found.push((path.clone(), unit, op));
                    }
                }
            }
        }
        let known = || names.join(", ");
        match found.len() {
            1 => Ok(found.remove(0)),
            0 if names.is_empty() => Err(fail("there is no `mdh.compute` in the file")
                .help("schedules are of these; `terrace-opt --pipeline='func.func(linalg-to-mdh)'` makes them of linalg ops")),
            0 => Err(fail(format!("no computation has this name; there are {}", known()))),
            _ => Err(fail(format!("which computation? Say --compute=NAME; there are {}", known()))),
        }
    }
}

/// An error about a schedule
pub fn fail(why: impl fmt::Display) -> Diagnostic {
    Diagnostic::error(&codes::SCHEDULE, why.to_string())
}

/// A schedule from a file, by what is in it: picture, page, JSON, TOML, text, script
pub fn read_schedule(
    cx: &Context,
    file: &str,
    document: &Document,
    diags: &mut Diags,
) -> Result<OpenSchedule, Diagnostic> {
    let text = terrace_opt::read_input(file)?;
    if text.contains("<svg") {
        return reading::read(&text, document).map_err(fail);
    }
    if text.trim_start().starts_with('{') {
        let tree = serde_json::from_str(&text);
        let tree = tree.map_err(|error| fail(format!("`{file}` is no JSON: {error}")))?;
        return tree::read(&tree, document).map_err(fail);
    }
    if text.contains("document =") || text.contains("[[step]]") {
        let tree = toml::from_str(&text).map_err(|error| fail(format!("`{file}` is no TOML: {error}")))?;
        return tree::read(&tree, document).map_err(fail);
    }
    let source = cx.sources().add(file, text.clone());
    if script::is_script(file, &text) {
        let span = |at: &Range<usize>| Span::new(source, at.start as u32, at.end as u32);
        let found = script::read(&text, document);
        let (draft, notes) = found.map_err(|error| fail(&error).at(span(&error.at)))?;
        for note in notes {
            let _ = diags.emit(Diagnostic::remark(None, note.text).at(span(&note.at)));
        }
        return Ok(draft);
    }
    let names = |buffers: &[Buffer]| buffers.iter().map(|buffer| buffer.name.clone()).collect::<Vec<_>>();
    let (ins, outs) = (names(&document.ins), names(&document.outs));
    let (ins, outs): (Vec<_>, Vec<_>) = (
        ins.iter().map(|name| Some(name.as_str())).collect(),
        outs.iter().map(|name| Some(name.as_str())).collect(),
    );
    let draft = OpenSchedule::read(&text);
    let draft = draft.and_then(|draft| draft.names_fit(&ins, &document.groups, &outs).map(|()| draft));
    draft.map_err(|error| {
        let span = Span::new(source, error.at.start as u32, error.at.end as u32);
        fail(error.to_string()).at(span)
    })
}

/// A unit as text
pub fn print(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}
