//! Files and processes that end with this process, however that ends.
//!
//! A tool writes files and starts compilers and programs. If it is killed, it cannot end those and remove these. So a shell (the
//! keeper) waits for the end of a pipe whose other end only this process holds. If that closes silently, it ends all
//! processes of its group and removes the folder.

use std::ffi::OsStr;
use std::io::{Error, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What the keeper does; `$1` is the folder
const KEEPER: &str = "trap '' HUP INT QUIT TERM
read -r word && exit
kill -TERM 0
rm -rf -- \"$1\"
sleep 1
rm -rf -- \"$1\"
kill -KILL 0";

/// A folder for temporary files, and a group of processes
pub struct Scratch {
    folder: PathBuf,
    keeper: Child,
}

impl Scratch {
    /// An empty folder among the system's temporary files
    pub fn new() -> Result<Scratch, Error> {
        let folder = make()?;
        let mut shell = Command::new("sh");
        shell.args(["-c", KEEPER, "sh"]).arg(&folder);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let keeper = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        match keeper {
            Ok(keeper) => Ok(Scratch { folder, keeper }),
            Err(error) => {
                let _ = std::fs::remove_dir_all(&folder);
                Err(Error::new(error.kind(), format!("`sh` cannot be started: {error}")))
            }
        }
    }

    /// The folder
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// A program that ends when this process does
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.keeper.id()) {
            std::os::unix::process::CommandExt::process_group(&mut command, group);
        }
        command
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
        if let Some(mut pipe) = self.keeper.stdin.take() {
            let _ = pipe.write_all(b"done\n");
        }
        let _ = self.keeper.wait();
    }
}

/// A new folder
fn make() -> Result<PathBuf, Error> {
    for n in 0..1000 {
        // The keeper may run in another directory.
        let path =
            std::path::absolute(std::env::temp_dir())?.join(format!("terrace-{}-{n}", std::process::id()));
        match std::fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
    Err(Error::other("the folder for temporary files is full of leftovers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_owner() {
        let scratch = Scratch::new().expect("there is a shell");
        let path = scratch.path().to_path_buf();
        std::fs::write(path.join("file"), "text").expect("it can be written");
        let out =
            scratch.command("sh").args(["-c", "echo $1", "sh", "yes"]).output().expect("there is a shell");
        assert_eq!(out.stdout, b"yes\n");
        drop(scratch);
        assert!(!path.exists());
    }
}
