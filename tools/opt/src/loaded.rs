//! Dialects that the command line loads: `--dialect`, `--irdl-file`.

use crate::{Tool, input, rendered, say};
use terrace_diag::{Diagnostic, Diags, Sources, render_all};
use terrace_ir::Dialect;
use terrace_irdl::Loaded;

/// Options that load dialects
#[derive(clap::Args, Clone, Debug, Default)]
pub struct DialectArgs {
    /// Load the dialects of a C++ project: what `llvm-tblgen --dump-json` prints of its ODS (repeatable)
    #[arg(long, value_name = "FILE")]
    pub dialect: Vec<String>,
    /// Load the dialects that a file defines in IRDL (repeatable)
    #[arg(long, value_name = "FILE")]
    pub irdl_file: Vec<String>,
    /// List what is not checked of loaded dialects because it is C++ code
    #[arg(long)]
    pub dialect_details: bool,
}

impl DialectArgs {
    /// The tool with the dialects of all files, and warnings about them; or messages that say why not
    pub fn load(&self, tool: Tool) -> Result<(Tool, String), String> {
        let (mut known, mut messages) = (tool.all_dialects(), String::new());
        if self.dialect.is_empty() && self.irdl_file.is_empty() {
            return Ok((tool, messages));
        }
        let before = known.len();
        for file in &self.dialect {
            let text = input::read(file).map_err(|error| alone(&error))?;
            let named = |error: Box<Diagnostic>| {
                let message = format!("`{file}`: {}", error.message);
                alone(&Diagnostic { message, ..*error })
            };
            let loaded = terrace_irdl::from_ods(&text, &known).map_err(named)?;
            self.add(loaded, &mut known, &mut messages);
        }
        for file in &self.irdl_file {
            let text = input::read(file).map_err(|error| alone(&error))?;
            let mut diags = Diags::default();
            let (cx, loaded) =
                terrace_irdl::from_irdl(file, text, &known, &mut diags).map_err(|error| alone(&error))?;
            let Some(loaded) = loaded else { return Err(rendered(&cx, &diags, false)) };
            self.add(loaded, &mut known, &mut messages);
        }
        let loaded = [tool.loaded, &known[before..]].concat().leak();
        Ok((Tool { loaded, ..tool }, messages))
    }

    fn add(&self, loaded: Vec<Loaded>, known: &mut Vec<&'static Dialect>, messages: &mut String) {
        for one in loaded {
            if let Some(warning) = terrace_irdl::warning(&one, self.dialect_details) {
                messages.push_str(&alone(&warning));
            }
            known.push(one.dialect);
        }
    }

    /// The tool with the dialects; warnings are shown, and where there is an error, too, it is shown
    pub fn loaded(&self, tool: Tool) -> Option<Tool> {
        match self.load(tool) {
            Ok((tool, warnings)) => {
                say(&warnings);
                Some(tool)
            }
            Err(messages) => {
                say(&messages);
                None
            }
        }
    }
}

fn alone(diagnostic: &Diagnostic) -> String {
    render_all(std::iter::once(diagnostic), &Sources::new(), false)
}
