//! Debian's and Ubuntu's packages
//!
//! Only plain `apt-get install` from the sources that the machine has: no source is added, no key
//! is fetched. A component whose packages the sources do not have is left out, by name.

use crate::components::Component;
use crate::progress::Step;
use crate::{Fallible, process};
use std::process::Command;

/// What can be done here
pub enum Situation {
    /// apt-get, as root
    Root,
    /// apt-get, but another user
    NoRoot,
    /// Another system
    NoApt,
}

/// Look at the system and the user
pub fn situation() -> Situation {
    if !process::in_path("apt-get") {
        return Situation::NoApt;
    }
    let id = process::text(Command::new("id").arg("-u"));
    if id.is_ok_and(|id| id.trim() == "0") { Situation::Root } else { Situation::NoRoot }
}

/// Install the packages of the components, as far as the sources have them
pub fn install(missing: &[&Component]) -> Fallible {
    let mut wanted: Vec<&str> = missing.iter().flat_map(|component| component.packages).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    install_packages_of(missing, &wanted)
}

fn install_packages_of(missing: &[&Component], wanted: &[&str]) -> Fallible {
    let mut unknown = not_in_sources(wanted)?;
    let mut updated = false;
    if !unknown.is_empty() {
        update();
        updated = true;
        unknown = not_in_sources(wanted)?;
    }
    let served = |component: &&&Component| component.packages.iter().all(|name| !unknown.contains(name));
    for component in missing.iter().filter(|component| !served(component)) {
        let absent: Vec<&str> =
            component.packages.iter().copied().filter(|name| unknown.contains(name)).collect();
        say!("setup: the package sources of this machine have no {}", absent.join(", "));
        if absent.iter().any(|name| name.contains("22")) {
            say!("  (LLVM 22 is in Debian 12's bookworm-security suite, and at https://apt.llvm.org)");
        }
    }
    let mut packages: Vec<&str> = missing.iter().filter(served).flat_map(|c| c.packages).copied().collect();
    packages.sort_unstable();
    packages.dedup();
    if packages.is_empty() {
        return Ok(());
    }
    say!("setup: apt-get will install {}", packages.join(" "));
    for line in sizes(&packages) {
        say!("  {line}");
    }
    if run_install(&packages).is_ok() {
        return Ok(());
    }
    // Lists older than the mirror name files that are gone.
    if !updated {
        update();
    }
    run_install(&packages)
}

/// Bring `packages` in, for something that needs them by name
pub fn bring(packages: &[&str]) -> Fallible {
    if !not_in_sources(packages)?.is_empty() {
        update();
    }
    say!("setup: apt-get will install {}", packages.join(" "));
    run_install(packages)
}

fn update() {
    let step = Step::start("setup: apt-get update");
    let outcome = process::text(apt_get().args(["update", "-q"]));
    if let Err(message) = &outcome {
        // One source that is down does not spoil the others.
        step.line(&format!("setup: {message}"));
    }
    step.end(&outcome);
}

fn run_install(packages: &[&str]) -> Fallible {
    let step = Step::start("setup: apt-get install");
    let result = process::text(
        apt_get()
            .args(["install", "-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"])
            .args(packages),
    );
    if let Err(message) = &result {
        step.line(&format!("setup: {message}"));
    }
    step.end(&result);
    result.map(|_| ()).map_err(|_| "apt-get could not install everything".to_owned())
}

/// Those of the packages that no source offers
fn not_in_sources<'a>(packages: &[&'a str]) -> Fallible<Vec<&'a str>> {
    let said = process::capture(Command::new("apt-cache").env("LC_ALL", "C").arg("policy").args(packages))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let known = candidates(&said);
    Ok(packages.iter().copied().filter(|name| !known.iter().any(|known| known == name)).collect())
}

/// The packages that `apt-cache policy` knows a candidate of
fn candidates(policy: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut current = None;
    for line in policy.lines() {
        if !line.starts_with(' ') {
            current = line.strip_suffix(':').map(|name| name.split(':').next().unwrap_or(name));
        } else if let Some(version) = line.trim().strip_prefix("Candidate: ") {
            out.extend(current.filter(|_| version != "(none)"));
        }
    }
    out
}

/// What apt says about download and disk
fn sizes(packages: &[&str]) -> Vec<String> {
    let mut dry = apt_get();
    dry.args(["install", "--no-install-recommends", "--assume-no"]).args(packages);
    let Ok(output) = process::capture(&mut dry) else { return Vec::new() };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = |line: &&str| line.starts_with("Need to get") || line.starts_with("After this operation");
    said.lines().filter(wanted).map(str::to_owned).collect()
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_candidates() {
        let policy = "gcc:\n  Installed: (none)\n  Candidate: 4:12.2.0-3\n  Version table:\n\
                      clinfo:\n  Installed: (none)\n  Candidate: (none)\n\
                      libc6:amd64:\n  Installed: 2\n  Candidate: 2\n";
        assert_eq!(candidates(policy), ["gcc", "libc6"]);
    }
}
