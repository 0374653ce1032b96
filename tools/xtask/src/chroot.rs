//! `cargo xtask chroot DIR`: try the README in a bare Debian
//!
//! The package source is the builder's default, with the security suite, where LLVM 22 is.
//! Builds a minimal system that holds gcc, git and this machine's Rust tool chain and nothing else, clones
//! the repository's last commit into it, runs the README's two commands, and says how long each took.
//! The folder is left there to look at; `DIR` can be removed once this has ended.

use crate::progress::Step;
use crate::workspace::Workspace;
use crate::{Fallible, process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const INCLUDE: &str = "--include=ca-certificates,gcc,libc6-dev,git";
const COMMANDS: [&str; 2] = ["cargo xtask demo", "cargo xtask test"];

/// `cargo xtask chroot DIR`
pub fn command(ws: &Workspace, dir: &Path) -> Fallible {
    if dir.exists() {
        return Err(format!("{} exists; name a new folder", dir.display()));
    }
    let mut build = Command::new("mmdebstrap");
    build.args(["--quiet", "--variant=minbase", INCLUDE, "bookworm"]).arg(dir);
    timed("bare system", &mut build)?;
    let dir = dir.canonicalize().map_err(|e| format!("{}: {e}", dir.display()))?;
    fill(ws, &dir)?;

    let mounts = Mounts::new(&dir)?;
    let mut times = Vec::new();
    let mut failed = false;
    for line in COMMANDS {
        let start = Instant::now();
        say!("\n# {line}");
        let outcome = process::run(&mut inside(&dir, line));
        times.push(format!("{line}: {:.0} s{}", start.elapsed().as_secs_f64(), said(&outcome)));
        failed |= outcome.is_err();
    }
    drop(mounts);
    say!("\nchroot, from a fresh clone of {}:", head(ws)?);
    times.iter().for_each(|time| say!("  {time}"));
    if failed { Err("a command of the README failed in the bare system".into()) } else { Ok(()) }
}

fn said(outcome: &Fallible) -> &'static str {
    if outcome.is_ok() { "" } else { " (failed)" }
}

/// Tool chain, name service, certificates, clone
fn fill(ws: &Workspace, dir: &Path) -> Fallible {
    let sysroot = process::text(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&ws.root))?;
    let mut copy = Command::new("cp");
    timed("Rust tool chain", copy.arg("-a").arg(sysroot.trim()).arg(dir.join("opt/rust")))?;
    for file in ["etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt"] {
        let from = Path::new("/").join(file);
        if from.is_file() {
            fs::copy(&from, dir.join(file)).map_err(|e| format!("{}: {e}", from.display()))?;
        }
    }
    let mut clone = Command::new("git");
    timed("clone", clone.args(["clone", "--quiet"]).arg(&ws.root).arg(dir.join("opt/terrace")))
}

/// A shell line in the system: a clean environment, but for what reaches the network
fn inside(dir: &Path, line: &str) -> Command {
    let mut command = Command::new("chroot");
    command.arg(dir).args(["sh", "-c", &format!("cd /opt/terrace && {line}")]).env_clear();
    command.envs(std::env::vars_os().filter(|(name, _)| reaches_network(&name.to_string_lossy())));
    command.env("HOME", "/opt/home").env("TERM", "dumb");
    command.env("PATH", "/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    command
}

fn reaches_network(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.ends_with("_proxy")
        || ["pip_", "ssl_cert", "cargo_http_", "cargo_registr", "cargo_source_"]
            .iter()
            .any(|p| lower.starts_with(p))
}

/// What programs expect to be mounted; undone when dropped, also after a failure
struct Mounts(Vec<PathBuf>);

impl Mounts {
    fn new(dir: &Path) -> Fallible<Self> {
        let mut mounts = Mounts(Vec::new());
        for place in ["proc", "dev", "sys"] {
            let at = dir.join(place);
            let mut mount = Command::new("mount");
            process::text(mount.arg("--bind").arg(Path::new("/").join(place)).arg(&at))?;
            mounts.0.push(at);
        }
        Ok(mounts)
    }
}

impl Drop for Mounts {
    fn drop(&mut self) {
        for at in self.0.iter().rev() {
            if let Err(message) = process::text(Command::new("umount").arg(at)) {
                eprintln!("{message}; undo this before you remove the folder");
            }
        }
    }
}

fn timed(what: &str, command: &mut Command) -> Fallible {
    let step = Step::start(&format!("chroot: {what}"));
    let outcome = process::text(command);
    step.end(&outcome);
    outcome.map(|_| ())
}

fn head(ws: &Workspace) -> Fallible<String> {
    let mut git = Command::new("git");
    let head = process::text(git.current_dir(&ws.root).args(["rev-parse", "--short", "HEAD"]))?;
    Ok(head.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_network_is_handed_in() {
        assert!(reaches_network("HTTPS_PROXY") && reaches_network("no_proxy") && reaches_network("PIP_CERT"));
        assert!(!reaches_network("RUSTFLAGS") && !reaches_network("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn an_existing_folder_is_refused() {
        let ws = Workspace { root: ".".into(), target: "target".into() };
        assert!(command(&ws, Path::new(".")).is_err_and(|message| message.contains("exists")));
    }
}
