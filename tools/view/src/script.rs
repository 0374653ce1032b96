//! Scripts in the manner of `tvm.te` as one more form of a schedule.

use crate::document::Document;
use crate::error::ViewError;
use terrace_dialect_mdh::schedule::OpenSchedule;
use terrace_frontend_tvm::{Code, Computation, Dim, Input, NoScript, Note, Refusal, ScriptError};

/// Is a text such a script, by its file's name or by what is in it?
pub fn is_script(file: &str, text: &str) -> bool {
    let words = ["create_schedule(", ".cache_read(", ".cache_write(", ".compute_at(", ".split("];
    file.ends_with(".py") || words.iter().any(|word| text.contains(word))
}

/// What the script says, and what it says in vain
pub fn read(text: &str, document: &Document) -> Result<(OpenSchedule, Vec<Note>), ScriptError> {
    let computation = computation(document).map_err(|refusal| ScriptError { at: 0..0, refusal })?;
    let reading = terrace_frontend_tvm::read(text, &computation)?;
    Ok((OpenSchedule::from(&reading.schedule), reading.notes))
}

/// The document's schedule as a script
pub fn write(document: &Document) -> Result<String, ViewError> {
    let schedule = document.draft.decided()?;
    let computation = computation(document).map_err(NoScript::from)?;
    Ok(terrace_frontend_tvm::write(&schedule, &computation)?)
}

fn computation(document: &Document) -> Result<Computation, Refusal> {
    if let Some(dim) = document.dims.iter().find(|dim| dim.operator.starts_with("++prefix")) {
        let why = format!("prefixes (dimension {}) have no axis in scripts", dim.name);
        return Err(Code::Word.because(why));
    }
    let dims = document.dims.iter().map(|dim| Dim { name: dim.name.clone(), size: dim.size, kept: dim.kept });
    let ins = document.ins.iter().map(|input| Input { name: input.name.clone(), rank: input.rank });
    Ok(Computation {
        name: document.compute.clone(),
        dims: dims.collect(),
        ins: ins.collect(),
        outs: document.outs.iter().map(|out| out.name.clone()).collect(),
        axes: document.axes.clone(),
    })
}
