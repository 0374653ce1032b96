//! What every tool says of itself: completions for shells, and a manual page.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::Shell;

const COMPLETIONS: &str = "print-completions";
const MAN: &str = "print-man";

/// A command line with the options that all tools have
pub fn with_options(command: Command) -> Command {
    let completions = Arg::new(COMPLETIONS)
        .long("completions")
        .value_name("SHELL")
        .value_parser(value_parser!(Shell))
        .exclusive(true)
        .help("Print completions of this command line for a shell");
    let man = Arg::new(MAN)
        .long("man")
        .action(ArgAction::SetTrue)
        .exclusive(true)
        .help("Print the manual page: `--man | man -l -` shows it");
    command.arg(completions).arg(man)
}

/// The text that one of them requests
pub fn requested(command: &mut Command, matches: &ArgMatches) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    if let Some(shell) = matches.get_one::<Shell>(COMPLETIONS) {
        let name = command.get_name().to_string();
        clap_complete::generate(*shell, command, name, &mut text);
        return Some(text);
    }
    if matches.get_flag(MAN) {
        let page = clap_mangen::Man::new(command.clone()).render(&mut text);
        debug_assert!(page.is_ok(), "memory takes all text");
        return Some(text);
    }
    None
}
