//! Schedules to look at: a picture, a page, a table; each reads back to the same schedule (mdh.md §6; paper, §5.7).
//!
//! One document ([`document::Document`]) and five forms of its tokens. Nothing here knows what a schedule means: lowering
//! says so, for the nest and the table of a page.

mod args;
pub mod document;
mod page;
pub mod picture;
pub mod reading;
pub mod traffic;
pub mod tree;

use args::{Args, Form};
use clap::Parser;
use document::Document;
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Span, render_all};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{Draft, SCHEDULE};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir, OpId};
use terrace_opt::{Tool, codes};
use terrace_pass::{Instrument, Pipeline};
use terrace_text::{ParseOptions, PrintOptions};

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let cx = Context::new(&(tool.dialects)());
    let mut diags = Diags::default();
    let written = run(tool, &args, &cx, &mut diags).and_then(|text| match text {
        Some(text) => terrace_opt::write_output(args.output.as_deref(), text.as_bytes()),
        None => Ok(()),
    });
    if let Err(error) = written {
        let _ = diags.emit(error);
    }
    eprint!("{}", render_all(diags.iter(), cx.sources(), false));
    ExitCode::from(u8::from(diags.has_errors()))
}

/// What is to be written; `None` if messages say why not
fn run(tool: Tool, args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<Option<String>, Diagnostic> {
    let content = terrace_opt::read_input(&args.file)?;
    let source = cx.sources().add(if args.file == "-" { "<stdin>" } else { &args.file }, content);
    let Some(mut ir) = terrace_text::parse(cx, source, &ParseOptions::default(), diags) else {
        return Ok(None);
    };
    if !diags.has_errors() {
        diags.append(verify(&ir, 1));
    }
    if diags.has_errors() {
        return Ok(None);
    }
    let choose = format!("func.func(mdh-schedule{{target={}}})", args.target);
    if args.apply.is_none() && lower(tool, &mut ir, &choose, diags).is_none() {
        return Ok(None);
    }
    let (_, unit, op) = find(&ir, args.compute.as_deref())?;
    let mut document = Document::of(unit, op).map_err(fail)?;
    document.target = Some(args.target.clone());
    if let Some(file) = &args.apply {
        document.draft = read(cx, file, &document)?;
        if let Some(error) = document.draft.resolve().err().filter(|_| document.draft.holes().is_empty()) {
            return Err(fail(error.message));
        }
        document.target = None;
        put(&mut ir, args.compute.as_deref(), &document.draft)?;
    }
    let form = args.to.unwrap_or(if args.apply.is_some() { Form::Mlir } else { Form::Svg });
    Ok(Some(match form {
        Form::Svg => picture::draw(&document),
        Form::Text => document.draft.to_string(),
        Form::Json => format!("{:#}\n", tree::write(&document)),
        Form::Toml => toml::to_string(&tree::write(&document)).map_err(|error| fail(error.to_string()))?,
        Form::Mlir => print(&ir),
        Form::Html | Form::Traffic => {
            if lower(tool, &mut ir, "func.func(mdh-to-sched)", diags).is_none() {
                return Ok(None);
            }
            let table = traffic::table(&traffic::of(&ir));
            if form == Form::Traffic {
                return Ok(Some(table));
            }
            let title = format!("Schedule of {}", document.compute);
            page::write(&title, &picture::draw(&document), &print(&ir), &table)
        }
    }))
}

fn fail(why: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&codes::SCHEDULE, why.into())
}

/// The computation of this name, or the only one: the ops whose units lead to it, its unit, itself
fn find<'a>(ir: &'a Ir, name: Option<&str>) -> Result<(Vec<OpId>, &'a Ir, Compute), Diagnostic> {
    let mut names = Vec::new();
    let mut found = Vec::new();
    let mut pending = vec![(Vec::new(), ir)];
    while let Some((path, unit)) = pending.pop() {
        for op in unit.walk() {
            if let Some(child) = unit.child(op) {
                pending.push(([path.as_slice(), &[op]].concat(), child));
            } else if let Some(op) = Compute::cast(unit, op) {
                let own = op.name(unit).and_then(|attr| attr.as_str(unit.cx())).unwrap_or("compute");
                names.push(format!("`{own}`"));
                if name.is_none_or(|name| name == own) {
                    found.push((path.clone(), unit, op));
                }
            }
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 if names.is_empty() => Err(fail("there is no `mdh.compute` in the file")),
        0 => Err(fail(format!("no computation has this name; there are {}", names.join(", ")))),
        _ => Err(fail(format!("which computation? Say --compute=NAME; there are {}", names.join(", ")))),
    }
}

/// A schedule from a file, by what is in it
fn read(cx: &Context, file: &str, document: &Document) -> Result<Draft, Diagnostic> {
    let text = terrace_opt::read_input(file)?;
    let start = text.trim_start();
    if text.contains("<svg") {
        return reading::read(&text, document).map_err(fail);
    }
    if start.starts_with('{') {
        let tree =
            serde_json::from_str(&text).map_err(|error| fail(format!("`{file}` is no JSON: {error}")))?;
        return tree::read(&tree, document).map_err(fail);
    }
    if text.contains("document =") || text.contains("[[step]]") {
        let tree = toml::from_str(&text).map_err(|error| fail(format!("`{file}` is no TOML: {error}")))?;
        return tree::read(&tree, document).map_err(fail);
    }
    let source = cx.sources().add(file, text.clone());
    Draft::read(&text).map_err(|error| {
        let span = Span::new(source, error.at.start as u32, error.at.end as u32);
        fail(error.message).at(span)
    })
}

/// Put a schedule beside the computation
fn put(ir: &mut Ir, name: Option<&str>, draft: &Draft) -> Result<(), Diagnostic> {
    let (at, op) = find(ir, name).map(|(path, _, op)| (path, op))?;
    let attr = draft.to_attr(ir.cx());
    let mut unit = ir;
    for op in at {
        unit = unit.child_mut(op).ok_or_else(|| fail("the computation stands in no unit of its own"))?;
    }
    unit.set_attr(op.id(), SCHEDULE, Some(attr));
    Ok(())
}

/// Run a pipeline and verify; `None` if that failed with messages
fn lower(tool: Tool, ir: &mut Ir, text: &str, diags: &mut Diags) -> Option<()> {
    let pipeline = Pipeline::parse(text, &tool.registry, ir.cx_arc().clone().sources(), diags).ok()?;
    let (report, result) = terrace_pass::run(ir, &pipeline, &Instrument::quiet(print));
    diags.append(report.diags);
    result.ok()?;
    diags.append(verify(ir, 1));
    (!diags.has_errors()).then_some(())
}

fn print(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}
