//! Flags of tools that take schedules from records of searches.

use terrace_diag::Diagnostic;
use terrace_search_records::Store;
use terrace_target_api::Records;

/// Whose records are taken besides those of this machine and compiler
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// Those that other machines measured, too
    AnyMachine,
    /// Those that other versions of the compiler compiled, too
    AnyCompiler,
}

/// Flags of tools that take schedules from records of searches
#[derive(clap::Args, Clone, Debug)]
pub struct RecordArgs {
    /// Take schedules from this store of records, which `terrace-tune --records=DIR` writes; a remark names each record, or states why
    /// there is none. Nothing is measured
    #[arg(long = "records", value_name = "DIR")]
    store: Option<String>,
    /// Take records of other machines or compilers as well, where there is none of this one (comma-separated)
    #[arg(long = "records-from", value_name = "LIST", value_delimiter = ',', requires = "store")]
    from: Vec<Whose>,
}

impl RecordArgs {
    /// For passes, and a program that runs with so many threads
    pub fn of(&self, threads: Option<u16>) -> Option<Records> {
        let word = |whose: &Whose| match whose {
            Whose::AnyMachine => "any-machine".to_owned(),
            Whose::AnyCompiler => "any-compiler".to_owned(),
        };
        let store = self.store.clone()?;
        Some(Records { store, from: self.from.iter().map(word).collect(), threads })
    }

    /// Is the store one? Before a pass opens it, which has no code of its own for that
    pub fn check(&self) -> Result<(), Diagnostic> {
        match &self.store {
            Some(store) => Store::open(store).map(|_| ()).map_err(|why| why.diagnostic()),
            None => Ok(()),
        }
    }
}
