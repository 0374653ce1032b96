//! Input languages other than MLIR.

use std::sync::Arc;
use terrace_diag::{Diags, SourceId};
use terrace_ir::{Context, Ir};

/// Reads a text into a module; nothing if that failed with messages. Names with values are constants from outside
pub type Read = fn(&Arc<Context>, SourceId, &[(String, String)], &mut Diags) -> Option<Ir>;

/// A language that is no MLIR
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its name
    pub name: &'static str,
    /// What file names end with, without the dot
    pub extension: &'static str,
    /// Its front end
    pub read: Read,
}

/// The languages of the features that are on
pub const LANGUAGES: &[Language] = &[
    #[cfg(feature = "c")]
    Language { name: "c", extension: "c", read: terrace_frontend_c::read },
    #[cfg(feature = "graphs")]
    Language { name: "composite", extension: "info", read: terrace_frontend_composite::read },
    #[cfg(feature = "graphs")]
    Language { name: "composite", extension: "json", read: terrace_frontend_composite::read },
    #[cfg(feature = "mdh")]
    Language { name: "mdh", extension: "mdh", read: terrace_frontend_mdh::text::read },
    #[cfg(feature = "mdh")]
    Language { name: "tensor", extension: "tensor", read: terrace_frontend_mdh::tensor::read },
];

/// The language that the ending of a file's name says; nothing for MLIR
pub(crate) fn language_of(file: &str) -> Option<&'static Language> {
    let (_, ending) = file.rsplit_once('.')?;
    LANGUAGES.iter().find(|language| language.extension == ending)
}
