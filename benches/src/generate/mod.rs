//! Test files of any size: deterministic by seed, linear in time, constant in memory.
//!
//! Each kind stresses one thing: `wide` many small functions, `nest` regions, `giant` one block with nothing
//! to split between threads, `cfg` blocks and edges. The pretty and the generic file of one kind, size and
//! seed hold the same module. The count of ops exceeds the requested one by less than one function.

mod arith;
mod cfg;
mod nest;
mod random;
mod text;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;

pub use text::Form;

/// What a generated file contains
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// Functions of 200 straight-line arithmetic ops
    Wide,
    /// 4-deep loop nests with loads, stores and index arithmetic
    Nest,
    /// One function with one block of arithmetic
    Giant,
    /// Diamonds of conditional branches with block arguments
    Cfg,
}

impl Workload {
    /// All kinds, in the order of the tables
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Wide, Self::Nest, Self::Giant, Self::Cfg];

    /// As on the command line
    pub fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Nest => "nest",
            Self::Giant => "giant",
            Self::Cfg => "cfg",
        }
    }
}

/// Which file
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// What it contains
    pub kind: Workload,
    /// At least so many ops
    pub ops: u64,
    /// Equal seeds give equal files
    pub seed: u64,
    /// Pretty or generic
    pub form: Form,
}

/// What was written
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Ops, with the module and the terminators that the pretty form leaves out
    pub ops: u64,
    /// Length of the text
    pub bytes: u64,
}

/// Writes the file that `recipe` describes to `to`
pub fn generate(recipe: Recipe, to: Box<dyn Write>) -> io::Result<Size> {
    let mut text = text::Text::new(to, recipe.form);
    let mut random = random::Random::new(recipe.seed);
    let body = match recipe.kind {
        Workload::Wide => arith::wide,
        Workload::Nest => nest::nest,
        Workload::Giant => arith::giant,
        Workload::Cfg => cfg::cfg,
    };
    body(&mut text, &mut random, recipe.ops);
    text.finish().map(|(ops, bytes)| Size { ops, bytes })
}

/// Writes the file that `recipe` describes to `path`
pub fn generate_file(recipe: Recipe, path: &Path) -> io::Result<Size> {
    generate(recipe, Box::new(File::create(path)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn text(kind: Workload, form: Form, seed: u64) -> (String, Size) {
        let path = std::env::temp_dir().join(format!(
            "terrace-generate-{}-{}-{form:?}-{seed}-{:?}.mlir",
            std::process::id(),
            kind.name(),
            std::thread::current().id()
        ));
        let size =
            generate_file(Recipe { kind, ops: 1500, seed, form }, &path).expect("temporary files work");
        let text = std::fs::read_to_string(&path).expect("it was just written");
        std::fs::remove_file(&path).expect("it is ours");
        (text, size)
    }

    #[test]
    fn equal_recipes_give_equal_bytes() {
        for kind in Workload::ALL {
            assert_eq!(text(kind, Form::Pretty, 3), text(kind, Form::Pretty, 3));
            assert_ne!(text(kind, Form::Pretty, 3).0, text(kind, Form::Pretty, 4).0);
        }
    }

    #[test]
    fn both_forms_hold_the_same_ops() {
        for kind in Workload::ALL {
            let (pretty, generic) = (text(kind, Form::Pretty, 1), text(kind, Form::Generic, 1));
            assert_eq!(pretty.1.ops, generic.1.ops);
            assert!(pretty.1.ops >= 1500 && pretty.1.ops < 1800, "{}: {}", kind.name(), pretty.1.ops);
            assert_eq!(generic.1.bytes, generic.0.len() as u64);
        }
    }

    #[test]
    fn upstream_accepts_each_file_and_prints_it_back() {
        if Command::new("mlir-opt-22").arg("--version").output().is_err() {
            eprintln!("skipped: mlir-opt-22 is not installed");
            return;
        }
        for kind in Workload::ALL {
            for form in [Form::Pretty, Form::Generic] {
                let path = std::env::temp_dir().join(format!(
                    "terrace-upstream-{}-{}-{form:?}.mlir",
                    std::process::id(),
                    kind.name()
                ));
                let recipe = Recipe { kind, ops: 1500, seed: 1, form };
                generate_file(recipe, &path).expect("temporary files work");
                let result = Command::new("mlir-opt-22").arg(&path).output().expect("it started before");
                std::fs::remove_file(&path).expect("it is ours");
                assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
                let back = String::from_utf8_lossy(&result.stdout).into_owned();
                if form == Form::Pretty {
                    assert_eq!(back.trim_end(), text(kind, form, 1).0.trim_end());
                }
            }
        }
    }
}
