//! Starting other programs

use crate::Fallible;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The cargo that started this program, else the one in the path
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Show a command as the user would type it
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Run it with this program's own output; failure is an error
pub fn run(command: &mut Command) -> Fallible {
    say!("+ {}", shown(command));
    let status = command.stdin(Stdio::null()).status().map_err(|e| not_started(command, &e))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", shown(command))) }
}

/// Run it quietly and keep what it writes, whatever its exit code
pub fn capture(command: &mut Command) -> Fallible<Output> {
    command.stdin(Stdio::null()).output().map_err(|e| not_started(command, &e))
}

/// Run it quietly; its standard output, or an error that holds what it said
pub fn text(command: &mut Command) -> Fallible<String> {
    let output = capture(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{}` failed ({}): {}", shown(command), output.status, said.trim()))
}

/// Whether a program of this name lies in the path
pub fn in_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(name).is_file())
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start `{}`: {error}", shown(command))
}
