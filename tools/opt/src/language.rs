//! Input languages: MLIR text, and what front ends read.

use std::sync::Arc;
use terrace_diag::{Diags, SourceId};
use terrace_ir::{Context, Ir};
use terrace_text::ParseOptions;

/// Reads a text into a module; nothing if that failed with messages. Names with values are constants from outside
pub type Read = fn(&Arc<Context>, SourceId, &[(String, i64)], &mut Diags) -> Option<Ir>;

/// A language that is no MLIR
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// As `--input` names it
    pub name: &'static str,
    /// What file names end with, without the dot
    pub extension: &'static str,
    /// Its front end
    pub read: Read,
}

/// The languages of this repository
pub const LANGUAGES: &[Language] = &[Language { name: "c", extension: "c", read: terrace_frontend_c::read }];

/// Names for `--input`
pub(crate) const NAMES: &[&str] = &["mlir", "c"];

/// Read a text in the language that is asked for, or that its file name says, MLIR if none does
pub fn read(
    cx: &Arc<Context>,
    source: SourceId,
    input: Option<&str>,
    sets: &[(String, i64)],
    options: &ParseOptions,
    diags: &mut Diags,
) -> Option<Ir> {
    let name = cx.sources().name(source).to_string();
    let language = LANGUAGES.iter().find(|language| match input {
        Some(input) => language.name == input,
        None => name.rsplit_once('.').is_some_and(|(_, end)| end == language.extension),
    });
    match language {
        Some(language) => (language.read)(cx, source, sets, diags),
        None => terrace_text::parse(cx, source, options, diags),
    }
}

/// `NAME=VALUE` of `--set`
pub fn set(text: &str) -> Result<(String, i64), String> {
    let found =
        text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
    match found {
        Some((name, value)) if !name.is_empty() => Ok((name.to_string(), value)),
        _ => Err("expected NAME=NUMBER, such as `N=1024`".into()),
    }
}
