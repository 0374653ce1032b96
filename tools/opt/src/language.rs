//! Input languages: MLIR text, and what front ends read.

use crate::beyond::{Model, Weight};
use std::fmt;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId};
use terrace_ir::{Context, Ir};
use terrace_text::ParseOptions;

pub use terrace::{LANGUAGES, Language, Read};

/// Reads the bytes of a file into a module, as [`Read`] does a text; the first text is the file's name
pub type ReadBytes = fn(&Arc<Context>, &str, Vec<u8>, &[(String, String)], &mut Diags) -> Option<Model>;

/// A language whose files are no text
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    /// As `--input` names it
    pub name: &'static str,
    /// What file names end with, without the dot
    pub extension: &'static str,
    /// Its front end
    pub read: ReadBytes,
}

/// Languages whose files are no text
pub const BINARIES: &[Binary] = crate::beyond::BINARIES;

/// What a file holds
#[derive(Clone, Debug)]
pub enum Content {
    /// A text
    Text(String),
    /// MLIR's bytecode, whatever the file's name
    Bytecode(Vec<u8>),
    /// Bytes for the front end of a language
    Bytes(&'static Binary, Vec<u8>),
}

/// A program that was read
pub struct Program {
    /// The module
    pub ir: Ir,
    /// Elements of arguments that the file has
    pub weights: Vec<Weight>,
}

/// Names for `--input`
pub fn names() -> Vec<&'static str> {
    let texts = LANGUAGES.iter().map(|language| language.name);
    let mut names: Vec<&str> = texts.chain(BINARIES.iter().map(|binary| binary.name)).collect();
    names.sort_unstable();
    names.dedup();
    names.insert(0, "mlir");
    names
}

/// Endings of files that people may hand over, and that are read as MLIR text all the same
const OTHERS: &[&str] = &["cc", "cl", "cpp", "cu", "h", "html", "ll", "md", "py", "rs", "svg", "toml", "txt"];

/// Read a text in the requested language, or that of its file name; the default is MLIR
pub fn read(
    cx: &Arc<Context>,
    source: SourceId,
    input: Option<&str>,
    sets: &[(String, String)],
    options: &ParseOptions,
    diags: &mut Diags,
) -> Option<Ir> {
    let name = cx.sources().name(source).to_string();
    let language = of_text(&name, input);
    if language.is_some() {
        unused(cx.sources().text(source), sets, &name, diags);
    }
    match language {
        Some(language) => (language.read)(cx, source, sets, diags),
        None => {
            let read = terrace_text::parse(cx, source, options, diags);
            let other = name.rsplit_once('.').is_some_and(|(_, ending)| OTHERS.contains(&ending));
            if diags.has_errors() && input.is_none() && other {
                let message =
                    format!("`{name}` was read as MLIR text: its name says no language that is known here");
                let _ = diags
                    .emit(Diagnostic::remark(None, message).help("`--input` says which language it is in"));
            }
            read
        }
    }
}

/// The language that a text is in, by the requested language or by the file's name; `None` for MLIR
pub(crate) fn of_text(file: &str, input: Option<&str>) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| match input {
        Some(input) => language.name == input,
        None => file.rsplit_once('.').is_some_and(|(_, end)| end == language.extension),
    })
}

/// The language of bytes that a file is in, by the requested language or by its name
pub(crate) fn binary(file: &str, input: Option<&str>) -> Option<&'static Binary> {
    BINARIES.iter().find(|binary| match input {
        Some(input) => binary.name == input,
        None => file.rsplit_once('.').is_some_and(|(_, end)| end == binary.extension),
    })
}

/// Read what a file holds: a text as [`read`], bytes in the language that they are for
pub fn load(
    cx: &Arc<Context>,
    name: &str,
    content: Content,
    input: Option<&str>,
    sets: &[(String, String)],
    options: &ParseOptions,
    diags: &mut Diags,
) -> Option<Program> {
    match content {
        Content::Text(text) => {
            let source = cx.sources().add(name, text);
            let ir = read(cx, source, input, sets, options, diags)?;
            Some(Program { ir, weights: Vec::new() })
        }
        Content::Bytecode(bytes) => {
            let options = terrace_bytecode::ReadOptions { allow_unregistered: options.allow_unregistered };
            let ir = terrace_bytecode::read(cx, name, &bytes, options, diags)?;
            Some(Program { ir, weights: Vec::new() })
        }
        Content::Bytes(binary, bytes) => {
            let Model { ir, source, weights } = (binary.read)(cx, name, bytes, sets, diags)?;
            unused(cx.sources().text(source), sets, name, diags);
            Some(Program { ir, weights })
        }
    }
}

/// Constants from outside that the text has no word for: a slip of the pen, most likely
fn unused(text: &str, sets: &[(String, String)], file: &str, diags: &mut Diags) {
    if sets.is_empty() {
        return;
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let words: std::collections::BTreeSet<&str> = text.split(|c| !word(c)).collect();
    for (name, _) in sets.iter().filter(|(name, _)| !words.contains(name.as_str())) {
        let message = format!("`--set {name}=…` says nothing here: `{file}` has no such name");
        let remark = Diagnostic::remark(None, message);
        let near = terrace_diag::nearest(name, words.iter().copied());
        let _ = diags.emit(match near {
            Some(near) => remark.help(format!("did you mean `{near}`?")),
            None => remark,
        });
    }
}

/// A text that is no `NAME=VALUE`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSetting;

impl fmt::Display for NoSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected NAME=VALUE, such as `N=1024`")
    }
}

impl std::error::Error for NoSetting {}

/// `NAME=VALUE` of `--set`: sizes are numbers, type parameters of MDH text are types
pub fn set(text: &str) -> Result<(String, String), NoSetting> {
    match text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.into(), value.into())),
        _ => Err(NoSetting),
    }
}
