//! Schedules to look at: a picture, a page, a table; each reads back to the same schedule (paper, §5.7).
//!
//! One document ([`document::Document`]) and five forms of its tokens; scripts of `tvm.te` are a sixth where they can say it. Nothing here knows what a schedule means: lowering
//! says so, for the nest and the table of a page.

mod args;
pub mod captions;
pub mod cuts;
pub mod document;
mod error;
pub mod nest;
mod page;
pub mod parameters;
pub mod picture;
pub mod program;
pub mod reading;
pub mod script;
pub mod sheet;
pub mod traffic;
pub mod tree;

pub use error::{Code, ViewError};

use args::{Args, Form};
use document::Document;
use nest::Nest;
use program::{Program, fail, read_schedule};
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Context;
use terrace_opt::Tool;

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    tool.drive(|args: &Args, cx, diags| match run(tool, args, cx, diags)? {
        Some(text) => terrace_opt::write_output(args.output.as_deref(), text.as_bytes()),
        None => Ok(()),
    })
}

/// What is to be written; `None` if messages say why not
fn run(tool: Tool, args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<Option<String>, Diagnostic> {
    let form = form(args)?;
    let Some(mut program) = Program::load(cx, &args.file, args.compute.as_deref(), &args.set, diags)? else {
        return Ok(None);
    };
    let target = args.target.as_deref().unwrap_or("host");
    // What is shown can be edited and applied again: it is of the computation as written.
    let choose = format!("func.func(mdh-schedule{{target={target} collapse=false}})");
    // A schedule that is there may be for any device, if none is named.
    // A name that is not there may be of a part that the choice makes.
    let open = match program.document() {
        Ok(document) => document.draft.steps.is_empty() || args.target.is_some(),
        Err(error) if args.compute.is_none() || args.apply.is_some() => return Err(error),
        Err(_) => true,
    };
    if args.apply.is_none() && open && program.lower(tool, &choose, diags).is_none() {
        return Ok(None);
    }
    let mut document = program.document()?;
    match &args.apply {
        None => document.target = open.then(|| target.to_owned()),
        Some(file) => {
            document.draft = read_schedule(cx, file, &document, diags)?;
            if let Some(error) = document.draft.decided().err().filter(|_| document.draft.is_decided()) {
                return Err(fail(error));
            }
            program = program.with(&document.draft)?;
        }
    }
    Ok(Some(match form {
        // A picture has the nest's bytes where there is a nest; where not, it says what the tokens do.
        Form::Svg => {
            let nest = nest(tool, &mut program, &document, &mut Diags::default());
            picture::draw(&document, nest.ok().flatten().as_ref())
        }
        Form::Text => document.draft.to_string(),
        Form::Json => format!("{:#}\n", tree::write(&document)),
        Form::Toml => toml::to_string(&tree::write(&document)).map_err(fail)?,
        Form::Tvm => script::write(&document).map_err(fail)?,
        Form::Mlir => program.print(),
        Form::Parameters => {
            let schedule = document.draft.decided().map_err(fail)?;
            parameters::text(&document, &schedule)
        }
        Form::Html if !document.draft.is_decided() => page::write(&document, None),
        Form::Html | Form::Traffic => {
            let Some(nest) = nest(tool, &mut program, &document, diags)? else { return Ok(None) };
            match form {
                Form::Traffic => traffic::table(&nest.traffic.buffers),
                _ => page::write(&document, Some(&nest)),
            }
        }
    }))
}

/// The loops that the schedule becomes; `None` if messages say why there are none
fn nest(
    tool: Tool,
    program: &mut Program,
    document: &Document,
    diags: &mut Diags,
) -> Result<Option<Nest>, Diagnostic> {
    let (unit, op) = program.find()?;
    let at = unit.loc(op.id());
    let function = program.function().map(|(name, ..)| name).unwrap_or_default();
    if program.lower(tool, "func.func(mdh-to-sched)", diags).is_none() {
        return Ok(None);
    }
    // Other functions of the file have schedules of their own.
    Ok(Some(Nest::read(program.unit(&function).unwrap_or(program.ir()), at, document)))
}

/// The requested form, or that of the output's name
fn form(args: &Args) -> Result<Form, Diagnostic> {
    let named = args.output.as_deref().and_then(Form::of_file);
    let usual = if args.apply.is_some() { Form::Mlir } else { Form::Svg };
    match (args.to, named) {
        (Some(form), _) | (None, Some(Ok(form))) => Ok(form),
        (None, None) => Ok(usual),
        (None, Some(Err(why))) => {
            Err(fail(format!("what is to be written? {why}")).help("say it: --to=FORM"))
        }
    }
}
