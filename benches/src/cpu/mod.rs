//! `terrace-benches cpu`: generated code against the libraries that people use, on this processor.
//!
//! Contenders alternate in blocks ([`crate::contest`]). At a block's end it is measured what the processor
//! can do at most ([`crate::bound`]): multiply-adds, or a stream of as many bytes as the case has to move.

pub(crate) mod cases;
mod table;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Done;

use crate::contest::{self, Limit, Program, Subject, Timed};
use cases::Case;
use table::Row;

/// Options of `cpu`
#[derive(clap::Args)]
#[group(id = "times")]
pub struct Options {
    /// Rows: matmul, vgg, yolo, resnet, mobilenet, softmax, fused, gauss, dot, stream, ccsdt, prl, histogram, scan, mbbs; or a
    /// part of a case's name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// List the cases, run none
    #[arg(long)]
    list: bool,
    /// Write the programs to this folder, run none
    #[arg(long)]
    programs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) contest: contest::Options,
}

impl Subject for Case {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn request(&self) -> Value {
        self.request()
    }

    fn program(&self, folder: &Path) -> Done<Program> {
        let file = folder.join("program.mlir");
        let text = self.program();
        std::fs::write(&file, &text).map_err(|e| format!("{}: {e}", file.display()))?;
        let outputs = (0..text.matches("terrace.name = \"out").count())
            .map(|n| if n == 0 { "out".to_owned() } else { format!("out{n}") })
            .collect();
        Ok(Program { file, arguments: vec!["--entry=@main".into()], outputs })
    }

    fn limit(&self) -> Option<Limit> {
        contest::limit(self.demand())
    }

    fn line(&self, timed: &Timed) -> String {
        Row { case: self, timed }.markdown()
    }

    fn json(&self, timed: &Timed) -> Value {
        Row { case: self, timed }.json()
    }
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| case.named_by(&options.only)).collect();
    if cases.is_empty() {
        return Err(format!("no case is named by `{}`; --list shows them", options.only.join(",")).into());
    }
    if options.list {
        cases.iter().for_each(|case| say!("{}: {}", case.row, case.name));
        return Ok(());
    }
    if let Some(folder) = &options.programs {
        return write_programs(&cases, folder);
    }
    contest::run(&options.contest, &cases, table::header)?.finish(&options.contest, &cases)
}

pub(crate) fn write_programs(cases: &[Case], folder: &Path) -> Done {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (n, case) in cases.iter().enumerate() {
        let path = folder.join(format!("{n:02}-{}.mlir", case.kind));
        let text = format!("// {}\n{}", case.name, case.program());
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        say!("{} {}", path.display(), case.name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_names_pick_cases() {
        let picked =
            |only: &str| cases::all().iter().filter(|case| case.named_by(&[only.to_owned()])).count();
        assert_eq!(picked("vgg"), 9);
        assert_eq!(picked("ccsdt"), 9);
        assert_eq!(picked("C13"), 1);
        assert_eq!(picked("nothing"), 0);
    }
}
